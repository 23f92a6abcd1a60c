/*
 * Starts a program that goes on without whoever asked for it: `shim detach DIR [CGROUP]... -- COMMAND...`. It is
 * in a session and in control groups of its own, reads nothing, and writes to the FIFOs DIR/out and DIR/err, which it
 * holds open for reading too: it does not die of a reader that is gone. Which process it is stands in DIR/process,
 * durable, before the command is executed.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int fail(const char *step, const char *what, int code) {
    char text[400];
    snprintf(text, sizeof text, "%s '%.250s' failed: %s\n", step, what, strerror(errno));
    write_all(2, text, strlen(text));
    return code;
}

static int open_fifo(const char *name) {
    int fd = open(name, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    struct stat stat;
    if (fd >= 0 && (fstat(fd, &stat) < 0 || !S_ISFIFO(stat.st_mode))) {
        close(fd);
        errno = EPERM;
        return -1;
    }
    /* Whoever writes waits for its reader. */
    return fd >= 0 && fcntl(fd, F_SETFL, O_RDWR) < 0 ? -1 : fd;
}

/* Which process that is, for ever; -1 when it could not be written down. */
static int record(pid_t child) {
    char boot[64];
    char text[256];
    if (read_small("/proc/sys/kernel/random/boot_id", boot, sizeof boot) < 0) {
        return -1;
    }
    boot[strcspn(boot, "\n")] = 0;
    int size = snprintf(text, sizeof text, "cleat-pid 1\npid %d\nstart %llu\nboot %s\n", (int)child,
                        process_start(child), boot);
    return write_durably("process", text, (size_t)size);
}

int detach_main(char **args) {
    struct task task = {0};
    const char *dir = *args++;
    for (; *args && strcmp(*args, "--"); args++) {
        if (task.cgroup_count == MOST_CGROUPS) {
            errno = E2BIG;
            return fail("taking the control group", *args, EXIT_USAGE);
        }
        task.cgroups[task.cgroup_count++] = *args;
    }
    if (!*args || !args[1]) {
        errno = EINVAL;
        return fail("finding a command after", "--", EXIT_USAGE);
    }
    task.command = args[1];
    task.args = args + 1;
    task.env = environ;
    task.cwd = "/";
    if (chdir(dir) < 0) {
        return fail("entering the directory", dir, EXIT_USAGE);
    }
    struct streams streams = {open("/dev/null", O_RDONLY | O_CLOEXEC), open_fifo("out"), open_fifo("err"), 0};
    int gate[2];
    int failure[2];
    if (streams.in < 0 || streams.out < 0 || streams.err < 0 || pipe2(gate, O_CLOEXEC) < 0 ||
        pipe2(failure, O_CLOEXEC) < 0) {
        return fail("opening the streams in", dir, EXIT_USAGE);
    }
    pid_t child = fork();
    if (child < 0) {
        return fail("forking for", task.command, EXIT_USAGE);
    }
    if (child == 0) {
        close(gate[1]);
        close(failure[0]);
        become_task(&task, &streams, gate[0], failure[1], "0");
    }
    close(gate[0]);
    close(failure[1]);
    if (record(child) < 0) {
        /* The child ends at the gate. */
        return fail("writing down the process in", dir, EXIT_USAGE);
    }
    write_all(gate[1], "g", 1);
    char why[400];
    ssize_t size = read(failure[0], why, sizeof why);
    if (size > 0) {
        waitpid(child, NULL, 0);
        write_all(2, why, (size_t)size);
        return EXIT_FAILED;
    }
    return EXIT_STARTED;
}

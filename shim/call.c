/*
 * `shim call DIR COMMAND...`: runs one short command of the machine's operator as root, in DIR, with the
 * environment, output and error output that this process has, and
 * - no descriptor but an empty input and two pipes, whose content this process passes on: so what the
 *   command leaves running keeps nobody waiting who reads what it says;
 * - a session of its own, so that it has no terminal and can be signalled whole;
 * - none of the rights that no storage needs (LOST), and no way to get them back; no core files.
 *
 * This process stays beside it and does nothing but wait: for the command's end, whose exit code becomes
 * its own, and what the command has left running (a file system's own process) stays; for SIGTERM, and for
 * the end of whoever holds the other end of its standard input. Then it kills the command with all that it
 * has started, orphans too, which come to this process, and ends when nothing of it is left.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KILLED 128 /* and the signal, as shells have it */
#define AGAIN_MS 20
/* What hangs in the kernel dies when the kernel lets it; nobody waits for that longer. */
#define DYING_MS 5000
#define MOST_REST 256 /* pieces of 4 KiB: more than a pipe holds */
#define FURTHER_HANDLES 4096 /* where the kernel cannot close a range */

/* To change the kernel, the clock and who may do what; to read other processes and the packets of the net. */
static const int LOST[] = {
    CAP_SYS_MODULE, CAP_SYS_BOOT,     CAP_SYS_PTRACE,   CAP_SYS_TIME,      CAP_NET_RAW,
    CAP_SYSLOG,     CAP_MAC_ADMIN,    CAP_MAC_OVERRIDE, CAP_AUDIT_CONTROL, CAP_WAKE_ALARM,
    CAP_SYS_PACCT,  CAP_LEASE,        CAP_AUDIT_READ,   CAP_AUDIT_WRITE,   CAP_SYS_TTY_CONFIG,
};

static int fail(const char *what) {
    char text[PATH_MAX + 200];
    snprintf(text, sizeof text, "%s failed: %s\n", what, strerror(errno));
    write_all(2, text, strlen(text));
    return EXIT_USAGE;
}

static void close_from(unsigned first) {
    if (syscall(SYS_close_range, first, ~0U, 0) < 0) {
        for (unsigned handle = first; handle < FURTHER_HANDLES; handle++) {
            close((int)handle);
        }
    }
}

static int become_command(const char *directory, char **command, int out, int err) {
    struct rlimit none = {0, 0};
    sigset_t all;
    int empty = open("/dev/null", O_RDONLY);
    if (setsid() < 0 || empty < 0 || dup2(empty, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) {
        return fail("having a session and an input of its own");
    }
    close_from(3);
    for (size_t i = 0; i < sizeof LOST / sizeof LOST[0]; i++) {
        if (prctl(PR_CAPBSET_DROP, LOST[i], 0, 0, 0) < 0 && errno != EINVAL) {
            return fail("dropping rights");
        }
    }
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (setrlimit(RLIMIT_CORE, &none) < 0) {
        return fail("limiting files");
    }
    if (chdir(directory) < 0) {
        return fail("entering the directory");
    }
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    execv(command[0], command);
    return fail("executing it");
}

/* Kills the command with all that it has started; its own status if it is known yet. */
static void kill_all(pid_t command, int *status, int *known) {
    static const pid_t nobody[] = {0};
    long long until = now_ms() + DYING_MS;
    while (now_ms() < until) {
        pid_t ended;
        int how;
        if (!*known) {
            /* Its group's id is its own as long as nobody has reaped it. */
            kill(-command, SIGKILL);
        }
        kill_descendants(nobody);
        while ((ended = waitpid(-1, &how, WNOHANG)) > 0) {
            if (ended == command) {
                *status = how;
                *known = 1;
            }
        }
        if (ended < 0 && errno == ECHILD) {
            return;
        }
        poll(NULL, 0, AGAIN_MS);
    }
}

/* Passes on what is there: 1 if there was something, 0 if there is nothing now, -1 if nothing will come. */
static int pass_on(struct pollfd *from, int to) {
    char bytes[4096];
    ssize_t got = from->fd < 0 ? 0 : read(from->fd, bytes, sizeof bytes);
    if (got > 0 && write_all(to, bytes, (size_t)got) == 0) {
        return 1;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    if (from->fd >= 0) {
        close(from->fd);
        from->fd = -1;
    }
    return -1;
}

/* What it said before it ended; not what those say without end that it has left. */
static void pass_on_rest(struct pollfd *said) {
    for (int stream = 0; stream < 2; stream++) {
        for (int i = 0; i < MOST_REST && pass_on(&said[stream], stream + 1) > 0; i++) {
        }
    }
}

static int await_end(pid_t command, int signals, int out, int err) {
    struct pollfd told[] = {{.fd = out, .events = POLLIN},
                            {.fd = err, .events = POLLIN},
                            {.fd = signals, .events = POLLIN},
                            {.fd = 0, .events = 0}};
    int status = 0;
    int known = 0;
    while (!known) {
        struct signalfd_siginfo came;
        pid_t ended;
        int how;
        int asked = 0;
        if (poll(told, 4, -1) < 0 && errno != EINTR) {
            asked = 1;
        }
        for (int stream = 0; stream < 2; stream++) {
            if (told[stream].revents) {
                pass_on(&told[stream], stream + 1);
            }
        }
        asked |= told[3].revents != 0;
        while (read(signals, &came, sizeof came) == sizeof came) {
            asked |= came.ssi_signo == SIGTERM;
        }
        if (asked) {
            kill_all(command, &status, &known);
            return KILLED + SIGKILL;
        }
        /* Orphans of it end here too. */
        while ((ended = waitpid(-1, &how, WNOHANG)) > 0) {
            if (ended == command) {
                status = how;
                known = 1;
            }
        }
    }
    pass_on_rest(told);
    return WIFSIGNALED(status) ? KILLED + WTERMSIG(status) : WEXITSTATUS(status);
}

int call_main(char **args) {
    sigset_t told;
    int out[2];
    int err[2];
    if (!args[0] || *args[0] != '/' || !args[1] || *args[1] != '/') {
        errno = EINVAL;
        return fail("reading what is to be called");
    }
    setsid();
    sigemptyset(&told);
    sigaddset(&told, SIGCHLD);
    sigaddset(&told, SIGTERM);
    sigprocmask(SIG_BLOCK, &told, NULL);
    signal(SIGPIPE, SIG_IGN);
    int signals = signalfd(-1, &told, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0 || pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0 ||
        fcntl(out[0], F_SETFL, O_NONBLOCK) < 0 || fcntl(err[0], F_SETFL, O_NONBLOCK) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
        return fail("listening for its end");
    }
    pid_t command = fork();
    if (command < 0) {
        return fail("forking");
    }
    if (command == 0) {
        _exit(become_command(args[0], args + 1, out[1], err[1]));
    }
    close(out[1]);
    close(err[1]);
    return await_end(command, signals, out[0], err[0]);
}

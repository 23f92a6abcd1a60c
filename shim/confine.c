/*
 * `shim confine [owners] USER BYTES DIR [PATH]... -- COMMAND...`: runs a command as nobody that the machine knows,
 * for work on what strangers made. USER is a number, of user and group, that nobody else has; DIR, which
 * becomes that user's, is the one place that the command may write in, no file larger than BYTES. It has
 * - no capability, no further group, and no way to get any;
 * - a root of its own with the system's programs, what names and certificates need, and the given
 *   paths, all read-only, and DIR, in which nothing can be executed or is a device (confine_root.c);
 * - processes of its own: it sees and signals no other.
 * With `owners` it may give what it makes in DIR to anybody, for trees that have owners; and has no network.
 *
 * This process stays beside it, as who it was, and does nothing but wait: for the command's end, whose
 * exit code becomes its own; for SIGTERM, and for the end of whoever holds the other end of its standard
 * input. Then it kills the command, and ends when nothing of it is left.
 */
#define _GNU_SOURCE
#include "confine.h"
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_CAPABILITIES 64
#define KILLED 128 /* and the signal, as shells have it */

static int fail(const char *what) {
    char text[PATH_MAX + 200];
    snprintf(text, sizeof text, "%s failed: %s\n", what, strerror(errno));
    write_all(2, text, strlen(text));
    return EXIT_USAGE;
}

/* What giving a file away takes, with its mode: none of them lets it open or enter what is another's. */
static const int OF_OWNERS[] = {CAP_CHOWN, CAP_FOWNER, CAP_FSETID};

static unsigned bits(int owners) {
    unsigned kept = 0;
    for (size_t i = 0; owners && i < sizeof OF_OWNERS / sizeof *OF_OWNERS; i++) {
        kept |= 1U << OF_OWNERS[i];
    }
    return kept;
}

/* Where the failed step is named; NULL if all is well. */
static const char *lose_all(uid_t user, int owners) {
    unsigned kept = bits(owners);
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct left[2] = {{kept, kept, kept}, {0}};
    for (int i = 0; i < MOST_CAPABILITIES; i++) {
        int is_kept = i < 32 && (kept & (1U << i));
        if (!is_kept && prctl(PR_CAPBSET_DROP, i, 0, 0, 0) < 0 && errno != EINVAL) {
            return "dropping capabilities";
        }
    }
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    prctl(PR_SET_KEEPCAPS, kept != 0, 0, 0, 0);
    if (setgroups(0, NULL) < 0 || setresgid(user, user, user) < 0 || setresuid(user, user, user) < 0) {
        return "becoming the user that fetches (-artifact-user)";
    }
    /* The inheritable ones are not taken by changing the user. */
    if (syscall(SYS_capset, &head, left) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) {
        return "dropping capabilities";
    }
    for (size_t i = 0; owners && i < sizeof OF_OWNERS / sizeof *OF_OWNERS; i++) {
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, OF_OWNERS[i], 0, 0) < 0) {
            return "keeping what gives files to their owners";
        }
    }
    return NULL;
}

/* The first process of the new ones: becomes the command. `beside` hangs up when our parent is gone. */
static int become_command(const struct confined *confined, int beside) {
    static char what[PATH_MAX + 100];
    struct rlimit none = {0, 0};
    struct rlimit largest = {confined->largest, confined->largest};
    const char *failed = make_root(confined);
    failed = failed ? failed : lose_all(confined->user, confined->owners);
    if (failed) {
        return fail(failed);
    }
    /* Who changes its user loses this; so it is asked for now, and who could not be told looks. */
    struct pollfd parent = {.fd = beside, .events = 0};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || (poll(&parent, 1, 0) > 0 && parent.revents)) {
        return EXIT_USAGE;
    }
    for (char *const *path = confined->paths; path < confined->command - 1; path++) {
        if (access(*path, R_OK) < 0 && errno != ENOENT) {
            snprintf(what, sizeof what, "reading %s as user %u, which fetches and is nobody else,",
                     *path, (unsigned)confined->user);
            return fail(what);
        }
    }
    if (setrlimit(RLIMIT_CORE, &none) < 0 || setrlimit(RLIMIT_FSIZE, &largest) < 0) {
        return fail("limiting files");
    }
    if (chdir(confined->directory) < 0) {
        return fail("entering the directory");
    }
    sigset_t all;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    execv(confined->command[0], confined->command);
    return fail("executing the command");
}

/* The exit code of the command, once nothing is left of it. */
static int await_end(pid_t command, int signals) {
    struct pollfd told[] = {{.fd = 0, .events = 0}, {.fd = signals, .events = POLLIN}};
    int status;
    pid_t ended;
    while ((ended = waitpid(command, &status, WNOHANG)) == 0) {
        struct signalfd_siginfo signal;
        if (poll(told, 2, -1) < 0 && errno != EINTR) {
            kill(command, SIGKILL);
        }
        int asked = told[0].revents != 0;
        while (read(signals, &signal, sizeof signal) == sizeof signal) {
            asked |= signal.ssi_signo == SIGTERM;
        }
        if (asked) {
            /* The kernel ends all others with the first one. */
            kill(command, SIGKILL);
            told[0].fd = -1;
            told[0].revents = 0;
        }
    }
    return ended < 0 ? EXIT_UNKNOWN : WIFSIGNALED(status) ? KILLED + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Fills it from the arguments after the mode; -1 if they are none. */
static int read_arguments(char **args, struct confined *confined) {
    char *end;
    confined->owners = args[0] && !strcmp(args[0], "owners");
    args += confined->owners;
    unsigned long long user = args[0] ? strtoull(args[0], &end, 10) : 0;
    if (user == 0 || user >= UINT32_MAX || *end || !args[1]) {
        return -1;
    }
    confined->user = (uid_t)user;
    confined->largest = strtoull(args[1], &end, 10);
    if (confined->largest == 0 || *end || !args[2] || *args[2] != '/') {
        return -1;
    }
    confined->directory = args[2];
    confined->paths = args + 3;
    for (char **arg = args + 3; *arg; arg++) {
        if (!strcmp(*arg, "--")) {
            confined->command = arg + 1;
            return arg[1] ? 0 : -1;
        }
        if (**arg != '/') {
            return -1;
        }
    }
    return -1;
}

int confine_main(char **args) {
    struct confined confined;
    int beside[2];
    sigset_t told;
    if (read_arguments(args, &confined) < 0) {
        errno = EINVAL;
        return fail("reading what is to be confined");
    }
    setsid();
    sigemptyset(&told);
    sigaddset(&told, SIGCHLD);
    sigaddset(&told, SIGTERM);
    sigprocmask(SIG_BLOCK, &told, NULL);
    int signals = signalfd(-1, &told, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0 || pipe2(beside, O_CLOEXEC) < 0) {
        return fail("listening for its end");
    }
    if (unshare(CLONE_NEWPID | CLONE_NEWIPC | (confined.owners ? CLONE_NEWNET : 0)) < 0) {
        return fail("leaving the machine's processes");
    }
    pid_t command = fork();
    if (command < 0) {
        return fail("forking");
    }
    if (command == 0) {
        close(beside[1]);
        close(signals);
        _exit(become_command(&confined, beside[0]));
    }
    close(beside[0]);
    /* Its reader is to see the end of what the command says. */
    close(1);
    return await_end(command, signals);
}

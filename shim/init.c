/*
 * `shim init COMMAND...`: the first process of a container. The kernel keeps from such a process
 * every signal that it has no handler for, and gives it every orphan; programs are made for neither.
 * So it runs the command as its child, hands signals on, and waits for whoever ends.
 *
 * INIT_FAILURE and INIT_STATUS are the shim's: words on the first say why the command could not be
 * executed, and its closing that it was; on the second it writes how the command ended, as wait(2)
 * has it, because a first process cannot end by a signal of its own.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void say_failure(const char *step, const char *what) {
    char text[400];
    int size = snprintf(text, sizeof text, "%s '%.250s' failed: %s", step, what, strerror(errno));
    write_all(INIT_FAILURE, text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}

static int end(int status) {
    char text[16];
    int size = snprintf(text, sizeof text, "%d", status);
    write_all(INIT_STATUS, text, (size_t)size);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int init_main(char **command) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    fcntl(INIT_FAILURE, F_SETFD, FD_CLOEXEC);
    fcntl(INIT_STATUS, F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child < 0) {
        say_failure("forking for", command[0]);
        return 127;
    }
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(command[0], command);
        say_failure("executing", command[0]);
        _exit(127);
    }
    close(INIT_FAILURE);
    while (1) {
        int number = sigwaitinfo(&all, NULL);
        if (number > 0 && number != SIGCHLD) {
            kill(child, number);
        }
        int status;
        pid_t pid;
        while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
            if (pid == child) {
                return end(status);
            }
        }
    }
}

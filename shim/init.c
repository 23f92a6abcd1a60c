/*
 * `shim init COMMAND...`: the first process of a container. The kernel keeps from such a process
 * every signal that it has no handler for, and gives it every orphan; programs are made for neither.
 * So it runs the command as its child, hands signals on, and waits for whoever ends. It also runs the
 * commands that come later (exec.c): what it forks is where the task is, and can no more than that.
 *
 * INIT_FAILURE, INIT_STATUS and INIT_COMMANDS are the shim's. Words on the first say why the command
 * could not be executed, and its closing that it was; on the second it writes how the command ended,
 * as wait(2) has it, because a first process cannot end by a signal of its own; from the third come
 * the connections of later commands, and nothing goes back: the shim trusts nobody in a container.
 * The task runs as the same user, so the first thing done is to shut it out (wall.c).
 */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
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

int init_hand_over(int commands, int connection) {
    char letter = 'c';
    struct iovec bytes = {&letter, 1};
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &bytes,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    memset(&control, 0, sizeof control);
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.head), &connection, sizeof connection);
    return sendmsg(commands, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == 1 ? 0 : -1;
}

/* The next connection; -1 without one, or once the shim is gone, who is then heard no more. */
static int take_over(int *commands) {
    char letter;
    struct iovec bytes = {&letter, 1};
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &bytes,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    int connection = -1;
    ssize_t got = recvmsg(*commands, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got == 0) {
        close(*commands);
        *commands = -1;
    }
    if (got > 0 && message.msg_controllen > 0 && control.head.cmsg_type == SCM_RIGHTS) {
        memcpy(&connection, CMSG_DATA(&control.head), sizeof connection);
    }
    return connection;
}

static void run_command(int *commands) {
    int connection = take_over(commands);
    if (connection < 0) {
        return;
    }
    if (fork() == 0) {
        exec_main(connection, 0);
    }
    close(connection); /* without a process for it the other end reads the end */
}

/* Hands on what came; 1 once the command ended, which `status` then tells. */
static int heed(int signals, pid_t child, int *status) {
    struct signalfd_siginfo signal;
    while (read(signals, &signal, sizeof signal) == (ssize_t)sizeof signal) {
        if (signal.ssi_signo != SIGCHLD) {
            kill(child, (int)signal.ssi_signo);
        }
    }
    int one;
    pid_t pid;
    while ((pid = waitpid(-1, &one, WNOHANG)) > 0) {
        if (pid == child) {
            *status = one;
            return 1;
        }
    }
    return 0;
}

int init_main(char **command) {
    sigset_t all;
    sigset_t before;
    int status;
    int commands = INIT_COMMANDS;
    int walled = wall_up();
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    int signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    fcntl(INIT_FAILURE, F_SETFD, FD_CLOEXEC);
    fcntl(INIT_STATUS, F_SETFD, FD_CLOEXEC);
    fcntl(INIT_COMMANDS, F_SETFD, FD_CLOEXEC);
    if (walled < 0) {
        say_failure("keeping others out of the first process of", command[0]);
        return 127;
    }
    pid_t child = signals < 0 ? -1 : fork();
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
    capabilities_down();
    while (1) {
        struct pollfd polled[2] = {{.fd = signals, .events = POLLIN},
                                   {.fd = commands, .events = POLLIN}};
        poll(polled, 2, -1);
        if (polled[0].revents && heed(signals, child, &status)) {
            return end(status);
        }
        if (polled[1].revents) {
            run_command(&commands);
        }
    }
}

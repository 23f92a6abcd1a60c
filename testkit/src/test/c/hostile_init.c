/* The shim, but for one part: as the first process of a container it is one that a workload took
 * over. Its command's words say which part of that it plays. SHIM is the path of the shim itself. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void say(int fd, const char *text) {
    if (write(fd, text, strlen(text)) < 0) {
        _exit(99);
    }
}

static int next_connection(void) {
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
    if (recvmsg(5, &message, 0) > 0 && message.msg_controllen > 0) {
        memcpy(&connection, CMSG_DATA(&control.head), sizeof connection);
    }
    return connection;
}

static void frame(int fd, const char *text, size_t size) {
    unsigned char head[4] = {0, 0, (unsigned char)(size >> 8), (unsigned char)size};
    if (send(fd, head, 4, MSG_NOSIGNAL) < 0 || send(fd, text, size, MSG_NOSIGNAL) < 0) {
        close(fd);
    }
}

static void lie_to_commands(void) {
    static const char *const ends[] = {"xpwned", "x", "x99999999999999 0", "q\033[2J"};
    for (int i = 0;; i++) {
        int fd = next_connection();
        if (fd < 0) {
            pause();
        }
        switch (i % 6) {
        case 0:
            send(fd, "\377\377\377\377\377", 5, MSG_NOSIGNAL);
            break;
        case 1:
            frame(fd, "1 refused \033[31mno\n1 ok", 21);
            break;
        default:
            frame(fd, "1 ok", 4);
            frame(fd, "1 ok", 4);
            frame(fd, ends[i % 6 - 2], strlen(ends[i % 6 - 2]));
        }
        shutdown(fd, SHUT_WR);
    }
}

int main(int count, char **args) {
    if (count < 3 || strcmp(args[1], "init")) {
        args[0] = SHIM;
        execv(SHIM, args);
        return 127;
    }
    const char *part = count > 3 ? args[3] : "";
    signal(SIGTERM, SIG_DFL);
    if (!strcmp(part, "says-it-ended")) {
        close(3);
        say(4, "0");
        pause();
    } else if (!strcmp(part, "says-nonsense")) {
        close(3);
        say(4, "99999999999999");
        return 7;
    } else if (!strcmp(part, "stopped")) {
        close(3);
        say(4, "127"); /* as wait(2) says of one that is stopped */
        return 7;
    } else if (!strcmp(part, "says-it-failed")) {
        say(3, "no\ncode 0\noom yes\n\033[2J");
        while (1) {
            pause();
        }
    } else if (!strcmp(part, "lies-to-commands")) {
        close(3);
        lie_to_commands();
    } else {
        for (int fd = 3; fd <= 5; fd++) {
            fcntl(fd, F_SETFD, FD_CLOEXEC);
        }
        execvp(args[2], args + 2);
    }
    return 127;
}

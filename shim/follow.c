/*
 * Hands on what is written to two FIFOs, which it makes: `shim follow OUT ERR`. Whoever writes may come, go, and come
 * again; this ends at SIGTERM alone, and then only once nothing is left in the FIFOs, or nobody has let go of them in time.
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
#include <sys/stat.h>
#include <unistd.h>

#define MOST_WAIT_MS 2000

struct followed {
    const char *path;
    int from; /* -1 once its last writer is gone, after the end was asked for */
    int to;
};

static char buffer[65536];

static int open_end(const char *path) {
    if (mkfifo(path, 0600) < 0 && errno != EEXIST) {
        return -1;
    }
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    struct stat stat;
    if (fd >= 0 && (fstat(fd, &stat) < 0 || !S_ISFIFO(stat.st_mode))) {
        close(fd);
        errno = EPERM;
        return -1;
    }
    return fd;
}

/* Hands on what is there; returns 0 once nothing is, -1 once nobody writes any more. */
static int hand_on(struct followed *each) {
    for (;;) {
        ssize_t got = read(each->from, buffer, sizeof buffer);
        if (got > 0) {
            write_all(each->to, buffer, (size_t)got);
        } else if (got == 0) {
            return -1;
        } else if (errno != EINTR) {
            return 0;
        }
    }
}

/* A writer is gone: the next one finds a reader, before the old end is let go. */
static void renew(struct followed *each) {
    int next = open_end(each->path);
    close(each->from);
    each->from = next;
}

static int is_over(const struct followed *both) {
    return both[0].from < 0 && both[1].from < 0;
}

static void drain(struct followed *each) {
    if (each->from >= 0 && hand_on(each) < 0) {
        close(each->from);
        each->from = -1;
    }
}

int follow_main(const char *out, const char *err) {
    struct followed both[2] = {{out, open_end(out), 1}, {err, open_end(err), 2}};
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    int told = signalfd(-1, &ends, SFD_CLOEXEC);
    if (both[0].from < 0 || both[1].from < 0 || told < 0) {
        char text[400];
        snprintf(text, sizeof text, "opening '%.150s' and '%.150s' failed: %s\n", out, err, strerror(errno));
        write_all(2, text, strlen(text));
        return EXIT_USAGE;
    }
    long long until = 0; /* 0: nobody has asked for the end */
    while (!is_over(both)) {
        struct pollfd polled[3] = {{both[0].from, POLLIN, 0}, {both[1].from, POLLIN, 0}, {until ? -1 : told, POLLIN, 0}};
        long long left = until ? until - now_ms() : -1;
        if (until && left <= 0) {
            break;
        }
        if (poll(polled, 3, (int)left) < 0 && errno != EINTR) {
            return EXIT_USAGE;
        }
        for (int i = 0; i < 2; i++) {
            if (until) {
                drain(&both[i]);
            } else if (polled[i].revents && hand_on(&both[i]) < 0) {
                renew(&both[i]);
            }
        }
        if (!until && polled[2].revents) {
            until = now_ms() + MOST_WAIT_MS;
            drain(&both[0]);
            drain(&both[1]);
        }
    }
    return 0;
}

/* Asks a server the same thing over and over, from one thread, and says how fast it was answered.
 *
 *     load unix:PATH|tcp:PORT CONNECTIONS SECONDS FILE FIRST RANGE
 *
 * FILE is a whole HTTP/1.1 request. Eight percent signs in it stand for a number of eight digits: with RANGE 0 the
 * numbers from FIRST on, one after the other; else numbers from FIRST to FIRST + RANGE - 1, spread over all of them.
 * Each connection asks again once it has its answer.
 *
 * Prints one line: answers, of them not 200, bytes, seconds, processor seconds, and the latencies in microseconds:
 * median, 99 of 100, longest. Exit code 1: what failed is on standard error.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define MARK "%%%%%%%%"
#define DIGITS 8
#define MOST_MARKS 8
#define LARGEST 65536
#define HEAD 16384

struct client {
    int fd;
    int64_t asked;
    size_t sent;
    char request[LARGEST];
    char head[HEAD];
    size_t headed;     /* bytes in head */
    int in_body;
    int64_t left;      /* of a body of known length; -1 of one in chunks */
    char tail[7];      /* the last bytes of a body in chunks */
    int is_good;
};

static char pattern[LARGEST];
static size_t length;
static size_t marks[MOST_MARKS];
static int mark_count;
static uint64_t next, first, range;
static uint64_t answers, bad, bytes;
/* Of latencies: below 1,024 us by 1, below 1,048,576 us by 256, the rest by 65,536. */
static uint64_t fine[1024], coarse[4096], rough[4096];
static int64_t longest;

static void die(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, errno ? strerror(errno) : "no more is known");
    exit(1);
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int dial(const char *address) {
    int fd;
    if (strncmp(address, "unix:", 5) == 0) {
        struct sockaddr_un un = {.sun_family = AF_UNIX};
        if (strlen(address + 5) >= sizeof un.sun_path) die("the path is too long");
        strcpy(un.sun_path, address + 5);
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *)&un, sizeof un)) die("connect");
        return fd;
    }
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(address + 4))};
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&in, sizeof in)) die("connect");
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static void ask(struct client *c) {
    char digits[DIGITS + 1];
    /* 7,919 is a prime, so that the numbers come from everywhere before one comes again. */
    uint64_t number = first + (range ? next * 7919 % range : next);
    next++;
    snprintf(digits, sizeof digits, "%08u", (unsigned)(number % 100000000));
    for (int i = 0; i < mark_count; i++) memcpy(c->request + marks[i], digits, DIGITS);
    c->asked = now();
    c->headed = 0;
    c->in_body = 0;
    c->sent = 0;
    while (c->sent < length) {
        ssize_t n = write(c->fd, c->request + c->sent, length - c->sent);
        if (n <= 0) die("write");
        c->sent += (size_t)n;
    }
}

static void answered(struct client *c) {
    int64_t us = (now() - c->asked) / 1000;
    if (us > longest) longest = us;
    if (us < 1024) fine[us]++;
    else if (us < 1048576) coarse[us / 256]++;
    else rough[us / 65536 < 4096 ? us / 65536 : 4095]++;
    answers++;
    if (!c->is_good) bad++;
}

/* The header field's value, or null. */
static const char *field(const char *head, const char *name) {
    const char *at = strcasestr(head, name);
    return at ? at + strlen(name) : NULL;
}

/* Takes what came; 1 once the answer is whole. */
static int take(struct client *c, const char *data, size_t n) {
    if (!c->in_body) {
        size_t room = HEAD - 1 - c->headed, some = n < room ? n : room;
        memcpy(c->head + c->headed, data, some);
        size_t before = c->headed;
        c->headed += some;
        c->head[c->headed] = 0;
        char *end = strstr(c->head, "\r\n\r\n");
        if (!end) {
            if (c->headed == HEAD - 1) die("an answer whose head has no end");
            return 0;
        }
        end[2] = 0;
        c->is_good = strncmp(c->head, "HTTP/1.1 200", 12) == 0;
        const char *size = field(c->head, "content-length:");
        c->left = size ? atoll(size) : field(c->head, "transfer-encoding: chunked") ? -1 : 0;
        c->in_body = 1;
        memset(c->tail, 0, sizeof c->tail);
        size_t used = (size_t)(end - c->head) + 4 - before;
        data += used;
        n -= used;
    }
    if (c->left >= 0) {
        c->left -= (int64_t)n;
        return c->left <= 0;
    }
    size_t keep = n < sizeof c->tail ? n : sizeof c->tail;
    memmove(c->tail, c->tail + keep, sizeof c->tail - keep);
    memcpy(c->tail + sizeof c->tail - keep, data + n - keep, keep);
    return memcmp(c->tail, "\r\n0\r\n\r\n", 7) == 0;
}

static int64_t quantile(double part) {
    uint64_t wanted = (uint64_t)((double)answers * part), seen = 0;
    for (int i = 0; i < 1024; i++) if ((seen += fine[i]) > wanted) return i;
    for (int i = 0; i < 4096; i++) if ((seen += coarse[i]) > wanted) return i * 256L;
    for (int i = 0; i < 4096; i++) if ((seen += rough[i]) > wanted) return i * 65536L;
    return longest;
}

int main(int count, char **args) {
    if (count != 7) {
        fprintf(stderr, "usage: load unix:PATH|tcp:PORT CONNECTIONS SECONDS FILE FIRST RANGE\n");
        return 2;
    }
    int connections = atoi(args[2]);
    double seconds = atof(args[3]);
    FILE *file = fopen(args[4], "r");
    if (!file) die(args[4]);
    length = fread(pattern, 1, LARGEST - 1, file);
    fclose(file);
    first = strtoull(args[5], NULL, 10);
    range = strtoull(args[6], NULL, 10);
    for (char *at = pattern; (at = strstr(at, MARK)) && mark_count < MOST_MARKS; at += DIGITS)
        marks[mark_count++] = (size_t)(at - pattern);
    struct client *clients = calloc((size_t)connections, sizeof *clients);
    int poll = epoll_create1(EPOLL_CLOEXEC);
    if (!clients || poll < 0) die("epoll");
    for (int i = 0; i < connections; i++) {
        clients[i].fd = dial(args[1]);
        memcpy(clients[i].request, pattern, length);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &clients[i]};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, clients[i].fd, &event)) die("epoll_ctl");
    }
    int64_t begun = now(), until = begun + (int64_t)(seconds * 1e9);
    for (int i = 0; i < connections; i++) ask(&clients[i]);
    int open = connections;
    static char buffer[1 << 18];
    struct epoll_event events[256];
    while (open > 0) {
        int n = epoll_wait(poll, events, 256, 60000);
        if (n == 0) die("no answer for a minute");
        for (int i = 0; i < n; i++) {
            struct client *c = events[i].data.ptr;
            ssize_t got = read(c->fd, buffer, sizeof buffer);
            if (got <= 0) die("the server closed a connection");
            bytes += (uint64_t)got;
            if (!take(c, buffer, (size_t)got)) continue;
            answered(c);
            if (now() < until) {
                ask(c);
            } else {
                close(c->fd);
                open--;
            }
        }
    }
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("%llu %llu %llu %.6f %.6f %lld %lld %lld\n", (unsigned long long)answers, (unsigned long long)bad,
        (unsigned long long)bytes, (double)(now() - begun) / 1e9,
        (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec)
            + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6,
        (long long)quantile(0.5), (long long)quantile(0.99), (long long)longest);
    return 0;
}

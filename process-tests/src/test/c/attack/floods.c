/* Much of one thing at a time, up to the wall that a task has, for some seconds at most. What must
 * hold is outside: the agent answers, the neighbour goes on, and all of it goes with the task. */
#define _GNU_SOURCE
#include "attack.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 6000, FILES = 8000, CONNECTIONS = 300, DEPTH = 400, SECONDS_OF_WORK = 2 };

static long seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* All of them end with the attempt, whose group they are in. */
static enum verdict processes(const void *with) {
    (void)with;
    int made = 0;
    while (made < PROCESSES) {
        int child = fork();
        if (child < 0) {
            detail("%d, then %s", made, strerror(errno));
            return HELD;
        }
        if (child == 0) {
            pause();
            _exit(0);
        }
        made++;
    }
    detail("%d and no end", made);
    return BROKEN;
}

static enum verdict memory(const void *with) {
    (void)with;
    int child = fork();
    if (child == 0) {
        /* The kernel is to take this one. */
        int file = open("/proc/self/oom_score_adj", O_WRONLY);
        if (write(file, "1000", 4) != 4) {
            _exit(3);
        }
        for (size_t size = 0; size < ((size_t)1 << 30); size += 1 << 20) {
            char *part = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (part == MAP_FAILED) {
                _exit(0);
            }
            memset(part, 1, 1 << 20);
        }
        _exit(42);
    }
    int status;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 42) {
        detail("1 GiB was had");
        return BROKEN;
    }
    detail("ended by %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return HELD;
}

static enum verdict files_open(const void *with) {
    (void)with;
    int made = 0;
    while (made < 1 << 21) {
        if (open("/dev/null", O_RDONLY) < 0) {
            detail("%d, then %s", made, strerror(errno));
            return HELD;
        }
        made++;
    }
    return BROKEN;
}

static enum verdict small_files(const void *with) {
    char name[128];
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%s/flood-%d", (const char *)with, i);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        if (file < 0) {
            detail("%d, then %s", i, strerror(errno));
            return HELD;
        }
        close(file);
    }
    detail("%d", FILES);
    return HELD;
}

static enum verdict deep_directories(const void *with) {
    char name[241];
    memset(name, 'd', sizeof name - 1);
    name[sizeof name - 1] = 0;
    if (chdir(with)) {
        return refused(-1);
    }
    for (int i = 0; i < DEPTH; i++) {
        if (mkdir(name, 0700) || chdir(name)) {
            detail("%d, then %s", i, strerror(errno));
            return HELD;
        }
    }
    detail("%d levels of 240 bytes", DEPTH);
    return HELD;
}

static enum verdict strange_names(const void *with) {
    for (int i = 1; i < 256; i++) {
        char name[300];
        snprintf(name, sizeof name, "%s/", (const char *)with);
        size_t at = strlen(name);
        name[at] = i == '/' ? 'x' : (char)i;
        name[at + 1] = '\n';
        name[at + 2] = (char)0xff;
        name[at + 3] = 0;
        int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0);
        if (file < 0 && errno != EEXIST) {
            detail("%s", strerror(errno));
            return NOT_RUN;
        }
        close(file);
    }
    return HELD;
}

static enum verdict fills(const void *with) {
    /* In memory, and so within a bound: all of it. */
    static char part[1 << 16];
    char name[128];
    snprintf(name, sizeof name, "%s/filled", (const char *)with);
    int file = open(name, O_CREAT | O_WRONLY, 0600);
    if (file < 0) {
        return refused(-1);
    }
    size_t size = 0;
    while (size < ((size_t)1 << 30)) {
        ssize_t wrote = write(file, part, sizeof part);
        if (wrote <= 0) {
            detail("%zu KiB, then %s", size >> 10, strerror(errno));
            unlink(name);
            return HELD;
        }
        size += (size_t)wrote;
    }
    unlink(name);
    return BROKEN;
}

static enum verdict connections(const void *with) {
    (void)with;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(setting("port")))};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = 0;
    for (; made < CONNECTIONS; made++) {
        int one = socket(AF_INET, SOCK_STREAM, 0);
        if (one < 0 || connect(one, (struct sockaddr *)&at, sizeof at)) {
            break;
        }
        if (made % 2 && send(one, "GET /v1/jobs HTTP/1.1\r\nX: ", 26, MSG_NOSIGNAL) < 0) {
            break;
        }
    }
    detail("%d that say nothing, for %d s", made, SECONDS_OF_WORK);
    sleep(SECONDS_OF_WORK);
    return HELD;
}

static enum verdict requests(const void *with) {
    (void)with;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(setting("port")))};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    char answer[4096];
    int made = 0;
    for (long end = seconds() + SECONDS_OF_WORK; seconds() < end; made++) {
        int one = socket(AF_INET, SOCK_STREAM, 0);
        static const char text[] = "GET /v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
        if (connect(one, (struct sockaddr *)&at, sizeof at) == 0
            && send(one, text, sizeof text - 1, MSG_NOSIGNAL) > 0) {
            while (recv(one, answer, sizeof answer, 0) > 0) {
            }
        }
        close(one);
    }
    detail("%d in %d s", made, SECONDS_OF_WORK);
    return HELD;
}

static enum verdict work(const void *with) {
    (void)with;
    for (int i = 0; i < 7; i++) {
        if (fork() == 0) {
            break;
        }
    }
    volatile unsigned long n = 0;
    for (long end = seconds() + SECONDS_OF_WORK; seconds() < end;) {
        n++;
    }
    return HELD;
}

static enum verdict forks(const void *with) {
    (void)with;
    int made = 0;
    for (long end = seconds() + SECONDS_OF_WORK; seconds() < end; made++) {
        int child = fork();
        if (child == 0) {
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    detail("%d in %d s", made, SECONDS_OF_WORK);
    return HELD;
}

static enum verdict orphans(const void *with) {
    (void)with;
    int made = 0;
    for (long end = seconds() + SECONDS_OF_WORK; seconds() < end; made++) {
        int child = fork();
        if (child == 0) {
            if (fork() == 0) {
                setsid();
                signal(SIGHUP, SIG_IGN);
                usleep(1000);
            }
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    detail("%d in %d s", made, SECONDS_OF_WORK);
    return HELD;
}

/* Stays after the attempt, out of its group: the task's end must end it. */
static enum verdict daemon_left(const void *with) {
    (void)with;
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) {
            setsid();
            alarm(0);
            prctl(PR_SET_NAME, "[kworker/0:1]", 0, 0, 0);
            for (int sign = 1; sign < 65; sign++) {
                signal(sign, SIG_IGN);
            }
            while (1) {
                pause();
            }
        }
    }
    return HELD;
}

static enum verdict watches(const void *with) {
    (void)with;
    int made = 0;
    while (made < 100000 && inotify_init1(0) >= 0) {
        made++;
    }
    detail("%d, then %s", made, strerror(errno));
    return made < 100000 ? HELD : BROKEN;
}

static enum verdict terminals(const void *with) {
    (void)with;
    int made = 0;
    while (made < 1000 && posix_openpt(O_RDWR | O_NOCTTY) >= 0) {
        made++;
    }
    detail("%d, then %s", made, strerror(errno));
    return HELD;
}

static enum verdict shared_memory(const void *with) {
    (void)with;
    int made = 0;
    while (made < 64 && shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0 && made < 64) {
        made++;
    }
    for (int i = 0; i < 64; i++) {
        msgget(IPC_PRIVATE, IPC_CREAT | 0600);
        semget(IPC_PRIVATE, 100, IPC_CREAT | 0600);
    }
    detail("%d segments left in its own namespace", made);
    return HELD;
}

static enum verdict queues(const void *with) {
    (void)with;
    char name[32];
    int made = 0;
    for (; made < 1000; made++) {
        snprintf(name, sizeof name, "/q%d", made);
        if (mq_open(name, O_CREAT | O_RDWR, 0600, NULL) < 0) {
            break;
        }
    }
    detail("%d, then %s", made, strerror(errno));
    return HELD;
}

static enum verdict pipes(const void *with) {
    (void)with;
    int made = 0;
    int ends[2];
    while (made < 5000 && pipe(ends) == 0) {
        fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
        made++;
    }
    detail("%d, then %s", made, strerror(errno));
    return HELD;
}

static enum verdict sockets(const void *with) {
    (void)with;
    int ends[2];
    int made = 0;
    static char part[1 << 16];
    while (made < 5000 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0) {
        while (write(ends[0], part, sizeof part) > 0) {
        }
        made++;
    }
    detail("%d, then %s", made, strerror(errno));
    return HELD;
}

static enum verdict stopped_group(const void *with) {
    (void)with;
    /* Whoever waits for it to end must not wait for a stopped one. */
    for (int i = 0; i < 20; i++) {
        if (fork() == 0) {
            setsid();
            alarm(0);
            raise(SIGSTOP);
            pause();
        }
    }
    return HELD;
}

static const struct {
    const char *name;
    attempt_body body;
    const char *with;
} floods[] = {
    {"processes", processes, NULL},
    {"memory", memory, NULL},
    {"open_files", files_open, NULL},
    {"small_files_in_tmp", small_files, "/tmp"},
    {"small_files_in_data", small_files, "/alloc/data"},
    {"deep_directories", deep_directories, "/local"},
    {"strange_names", strange_names, "/local"},
    {"fills_secrets", fills, "/secrets"},
    {"fills_shared_memory", fills, "/dev/shm"},
    {"fills_dev", fills, "/dev"},
    {"idle_connections", connections, NULL},
    {"denied_requests", requests, NULL},
    {"processors", work, NULL},
    {"forks", forks, NULL},
    {"orphans", orphans, NULL},
    {"watches", watches, NULL},
    {"terminals", terminals, NULL},
    {"shared_memory", shared_memory, NULL},
    {"message_queues", queues, NULL},
    {"pipes", pipes, NULL},
    {"socket_buffers", sockets, NULL},
    {"stopped_processes", stopped_group, NULL},
    {"daemons", daemon_left, NULL},
};

void attack_floods(void) {
    for (size_t i = 0; i < sizeof floods / sizeof *floods; i++) {
        attempt("floods", floods[i].name, floods[i].body, floods[i].with);
    }
}

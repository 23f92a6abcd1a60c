/* Processes that are not the party's: the first one of its container, and those of the machine. */
#define _GNU_SOURCE
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

struct aim {
    int process;
    const char *file;
};

/* What is read must give nothing; of some root may open the file, and then reads nothing of it. */
static enum verdict read_file(const void *with) {
    const struct aim *aim = with;
    char path[LONGEST];
    char text[4096];
    snprintf(path, sizeof path, "/proc/%d/%s", aim->process, aim->file);
    int file = open(path, O_RDONLY | O_NONBLOCK);
    if (file < 0) {
        return refused(-1);
    }
    ssize_t size = pread(file, text, sizeof text, strstr(aim->file, "mem") ? 0x400000 : 0);
    if (size > 0) {
        detail("%zd bytes", size);
        return BROKEN;
    }
    detail("nothing comes of it");
    return HELD;
}

static enum verdict write_file(const void *with) {
    const struct aim *aim = with;
    char path[LONGEST];
    snprintf(path, sizeof path, "/proc/%d/%s", aim->process, aim->file);
    return refused(open(path, O_WRONLY | O_NONBLOCK));
}

static enum verdict follow(const void *with) {
    const struct aim *aim = with;
    char path[LONGEST];
    char text[64];
    snprintf(path, sizeof path, "/proc/%d/%s", aim->process, aim->file);
    return refused(readlink(path, text, sizeof text));
}

static enum verdict pass(const void *with) {
    const struct aim *aim = with;
    char path[LONGEST];
    snprintf(path, sizeof path, "/proc/%d/%s/etc", aim->process, aim->file);
    return refused(open(path, O_PATH));
}

static long seize(int process) {
    return ptrace(PTRACE_SEIZE, process, NULL, NULL);
}
static long attach(int process) {
    long result = ptrace(PTRACE_ATTACH, process, NULL, NULL);
    if (result == 0) {
        /* It is stopped by that, and would stay so. */
        waitpid(process, NULL, __WALL);
        ptrace(PTRACE_DETACH, process, NULL, NULL);
        kill(process, SIGCONT);
    }
    return result;
}
static long read_memory(int process) {
    char word[8];
    struct iovec local = {word, sizeof word};
    struct iovec remote = {(void *)0x400000, sizeof word};
    return process_vm_readv(process, &local, 1, &remote, 1, 0);
}
static long write_memory(int process) {
    char word[8] = {0};
    struct iovec local = {word, sizeof word};
    struct iovec remote = {(void *)0x400000, sizeof word};
    return process_vm_writev(process, &local, 1, &remote, 1, 0);
}
static long take_handle(int process) {
    int handle = (int)syscall(SYS_pidfd_open, process, 0);
    return handle < 0 ? -1 : syscall(SYS_pidfd_getfd, handle, 1, 0);
}
static long signal_nothing(int process) {
    return kill(process, 0);
}
static long signal_by_handle(int process) {
    int handle = (int)syscall(SYS_pidfd_open, process, 0);
    return handle < 0 ? -1 : syscall(SYS_pidfd_send_signal, handle, 0, NULL, 0);
}
static long take_limit(int process) {
    struct rlimit limit;
    return prlimit(process, RLIMIT_NOFILE, NULL, &limit);
}
static long make_nice(int process) {
    return setpriority(PRIO_PROCESS, (id_t)process, 19);
}
static long bind_processor(int process) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    return sched_setaffinity(process, sizeof set, &set);
}

static const struct deed {
    const char *name;
    long (*act)(int process);
    int of_own; /* whether it must fail for the first process of one's container too */
} deeds[] = {
    {"seize", seize, 1},
    {"attach", attach, 1},
    {"read_memory", read_memory, 1},
    {"write_memory", write_memory, 1},
    {"take_handle", take_handle, 1},
    {"signal", signal_nothing, 0},
    {"signal_by_handle", signal_by_handle, 0},
    {"read_limit", take_limit, 0},
    {"make_nice", make_nice, 0},
    {"bind_processor", bind_processor, 0},
};

struct done {
    const struct deed *deed;
    int process;
};

static enum verdict act(const void *with) {
    const struct done *done = with;
    return refused(done->deed->act(done->process));
}

static const char *const readings[] = {"mem",     "environ", "maps",   "smaps",   "auxv",
                                       "syscall", "stack",   "pagemap", "fd/0",   "fd/1",
                                       "fd/3",    "fd/4",    "fd/5",   "task/1/mem"};
static const char *const writings[] = {"mem", "exe", "fd/1", "fd/3"};
static const char *const links[] = {"exe", "cwd", "root", "fd/0", "fd/3", "ns/mnt", "ns/pid"};
static const char *const passes[] = {"root", "cwd", "map_files"};

#define EACH(table, body, word)                                                                    \
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {                                    \
        struct aim aim = {process, table[i]};                                                      \
        snprintf(name, sizeof name, word "_%s_of_%s", table[i], who);                              \
        attempt("processes", name, body, &aim);                                                    \
    }

static void attack(const char *who, int process, int is_own) {
    char name[128];
    EACH(readings, read_file, "read")
    EACH(writings, write_file, "write")
    EACH(links, follow, "follow")
    EACH(passes, pass, "pass")
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        struct done done = {&deeds[i], process};
        if (deeds[i].of_own || !is_own) {
            snprintf(name, sizeof name, "%s_%s", deeds[i].name, who);
            attempt("processes", name, act, &done);
        }
    }
}

void attack_processes(void) {
    const char *others[32];
    int count = settings("process", others, 32);
    if (access("/.cleat-init", F_OK) == 0) {
        attack("first", 1, 1);
    }
    for (int i = 0; i < count; i++) {
        char who[32];
        int process;
        if (sscanf(others[i], "%31s %d", who, &process) == 2) {
            attack(who, process, 0);
        }
    }
}

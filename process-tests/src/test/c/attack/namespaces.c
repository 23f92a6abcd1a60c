/* New namespaces, those of others, and whether the ones a task is in are its own. */
#define _GNU_SOURCE
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct kind {
    const char *name;
    unsigned long long flag;
    int is_own; /* whether a task has one of its own */
};

static const struct kind kinds[] = {
    {"mnt", CLONE_NEWNS, 1},     {"pid", CLONE_NEWPID, 1},       {"ipc", CLONE_NEWIPC, 1},
    {"uts", CLONE_NEWUTS, 1},    {"cgroup", CLONE_NEWCGROUP, 1}, {"user", CLONE_NEWUSER, 0},
    {"net", CLONE_NEWNET, 0},    {"time", CLONE_NEWTIME, 0},
};

static enum verdict unshared(const void *with) {
    const struct kind *kind = with;
    return refused(unshare((int)kind->flag));
}

static enum verdict cloned(const void *with) {
    const struct kind *kind = with;
    if (kind->flag == CLONE_NEWTIME) {
        detail("clone(2) has no such flag");
        return HELD;
    }
    long child = syscall(SYS_clone, kind->flag | 17, NULL, NULL, NULL, 0);
    if (child == 0) {
        _exit(0);
    }
    return refused(child);
}

static enum verdict cloned3(const void *with) {
    const struct kind *kind = with;
    struct clone_args arguments = {.flags = kind->flag, .exit_signal = 17};
    long child = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0) {
        _exit(0);
    }
    return refused(child);
}

static enum verdict cloned_into_group(const void *with) {
    (void)with;
    int group = open("/sys/fs/cgroup", O_RDONLY | O_DIRECTORY);
    struct clone_args arguments = {
        .flags = CLONE_INTO_CGROUP, .exit_signal = 17, .cgroup = (uint64_t)group};
    long child = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0) {
        _exit(0);
    }
    return refused(child);
}

static enum verdict entered(const char *process, const struct kind *kind) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/ns/%s", process, kind->name);
    int space = open(path, O_RDONLY | O_CLOEXEC);
    return refused(space < 0 ? -1 : setns(space, 0));
}

static enum verdict entered_first(const void *with) {
    return entered("1", with);
}

static enum verdict entered_own(const void *with) {
    return entered("self", with);
}

static enum verdict is_own(const void *with) {
    const struct kind *kind = with;
    char path[64];
    char key[32];
    char name[64];
    snprintf(path, sizeof path, "/proc/self/ns/%s", kind->name);
    snprintf(key, sizeof key, "ns-%s", kind->name);
    ssize_t size = readlink(path, name, sizeof name - 1);
    name[size > 0 ? size : 0] = 0;
    if (!*setting(key)) {
        detail("the machine's is not known");
        return NOT_RUN;
    }
    detail("%s", name);
    return strcmp(name, setting(key)) ? HELD : BROKEN;
}

void attack_namespaces(void) {
    char name[64];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(name, sizeof name, "unshare_%s", kinds[i].name);
        attempt("namespaces", name, unshared, &kinds[i]);
        snprintf(name, sizeof name, "clone_%s", kinds[i].name);
        attempt("namespaces", name, cloned, &kinds[i]);
        snprintf(name, sizeof name, "clone3_%s", kinds[i].name);
        attempt("namespaces", name, cloned3, &kinds[i]);
        snprintf(name, sizeof name, "enter_first_%s", kinds[i].name);
        attempt("namespaces", name, entered_first, &kinds[i]);
        snprintf(name, sizeof name, "enter_own_again_%s", kinds[i].name);
        attempt("namespaces", name, entered_own, &kinds[i]);
        if (kinds[i].is_own) {
            snprintf(name, sizeof name, "own_%s", kinds[i].name);
            attempt("namespaces", name, is_own, &kinds[i]);
        }
    }
    attempt("namespaces", "clone_into_control_group", cloned_into_group, NULL);
}

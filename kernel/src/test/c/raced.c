/*
 * Linked into a path worker of a test (--wrap) in the place of calls of the C library: at the moment
 * after each, a name is made what another user of its directory can make of it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int __real_symlinkat(const char *target, int directory, const char *name);
int __real_fstatat(int directory, const char *name, struct stat *stat, int flags);
int __real_fstat(int fd, struct stat *stat);

/* A new link becomes another name of somebody else's file. */
int __wrap_symlinkat(const char *target, int directory, const char *name) {
    int result = __real_symlinkat(target, directory, name);
    if (result == 0 && unlinkat(directory, name, 0) == 0) {
        (void)!linkat(AT_FDCWD, VICTIM, directory, name, 0);
    }
    return result;
}

/* The file that was just looked at becomes a pipe, for which whoever opens it waits. */
static void swap_source(const struct stat *seen) {
    struct stat now;
    if (lstat(SOURCE, &now) == 0 && S_ISREG(now.st_mode) && now.st_ino == seen->st_ino &&
        now.st_dev == seen->st_dev && rename(SOURCE, SOURCE ".aside") == 0) {
        (void)!mkfifo(SOURCE, 0600);
    }
}

int __wrap_fstatat(int directory, const char *name, struct stat *stat, int flags) {
    int result = __real_fstatat(directory, name, stat, flags);
    if (result == 0) {
        swap_source(stat);
    }
    return result;
}

int __wrap_fstat(int fd, struct stat *stat) {
    int result = __real_fstat(fd, stat);
    if (result == 0) {
        swap_source(stat);
    }
    return result;
}

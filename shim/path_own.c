/* A tree that a confined command made (confine.c), given to its owner. */
#define _GNU_SOURCE
#include "path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whoever makes a tree by the rules makes none so deep. */
#define MOST_DEPTH 300

struct giving {
    uid_t from;
    uid_t uid;
    gid_t gid;
    dev_t device;
};

static int own_entry(const struct giving *giving, int parent, const char *name, int depth);

/* Takes over the directory. */
static int own_entries(const struct giving *giving, int at, int depth) {
    int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    int result = dir ? 0 : -1;
    while (result == 0 && (errno = 0, entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) {
            result = own_entry(giving, fd, entry->d_name, depth + 1);
        }
    }
    int why = errno;
    if (dir) {
        closedir(dir);
    }
    errno = why;
    return why ? -1 : result;
}

/* What is none of a file, a directory or a link, or another's, is given to nobody. */
static int is_of_it(const struct giving *giving, const struct stat *stat) {
    int known = S_ISDIR(stat->st_mode) || S_ISLNK(stat->st_mode) || S_ISREG(stat->st_mode);
    /* Under another name it was given already. */
    int second = S_ISREG(stat->st_mode) && stat->st_nlink > 1 && stat->st_uid == giving->uid &&
                 stat->st_gid == giving->gid;
    return known && stat->st_dev == giving->device && (stat->st_uid == giving->from || second);
}

static int own_opened(const struct giving *giving, int at, int depth) {
    struct stat stat;
    char self[64];
    if (fstat(at, &stat) < 0) {
        return -1;
    }
    if (!is_of_it(giving, &stat) || depth > MOST_DEPTH) {
        errno = EPERM;
        return -1;
    }
    if (S_ISDIR(stat.st_mode) && own_entries(giving, at, depth) < 0) {
        return -1;
    }
    if (fchownat(at, "", giving->uid, giving->gid, AT_EMPTY_PATH) < 0) {
        return -1;
    }
    snprintf(self, sizeof self, "/proc/self/fd/%d", at);
    return S_ISLNK(stat.st_mode) ? 0 : chmod(self, stat.st_mode & 0777);
}

static int own_entry(const struct giving *giving, int parent, const char *name, int depth) {
    int at = openat(parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    int result = at < 0 ? -1 : own_opened(giving, at, depth);
    int why = errno;
    if (at >= 0) {
        close(at);
    }
    if (result < 0) {
        path_at(name);
    }
    errno = why;
    return result;
}

int do_own(const struct place *place, const char *from, char *const *owner) {
    struct stat stat;
    struct giving giving = {.from = (uid_t)strtoul(from, NULL, 10),
                            .uid = (uid_t)strtoll(owner[0], NULL, 10),
                            .gid = (gid_t)strtoll(owner[1], NULL, 10)};
    int at = open_place(place, place->below, O_PATH | O_NOFOLLOW);
    if (at < 0) {
        return -1;
    }
    nobody_waits();
    int result = fstat(at, &stat);
    giving.device = stat.st_dev;
    giving.uid = giving.uid == (uid_t)-1 ? geteuid() : giving.uid;
    giving.gid = giving.gid == (gid_t)-1 ? getegid() : giving.gid;
    path_effect_unknown = 1; /* some of it may have its new owner */
    result = result < 0 ? -1 : own_opened(&giving, at, 0);
    int why = errno;
    close(at);
    errno = why;
    return result == 0 ? put("owned") : -1;
}

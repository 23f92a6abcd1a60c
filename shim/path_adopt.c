/* A volume's topmost directory, given to whom it is for. */
#define _GNU_SOURCE
#include "path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Whether nothing is in the directory but what mkfs makes; -1 with errno if that cannot be read. */
static int is_fresh(int fd) {
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    if (!dir) {
        int why = errno;
        if (copy >= 0) {
            close(copy);
        }
        errno = why;
        return -1;
    }
    const struct dirent *entry;
    int fresh = 1;
    errno = 0;
    while (fresh && (entry = readdir(dir))) {
        fresh = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
                !strcmp(entry->d_name, "lost+found");
    }
    int why = errno;
    closedir(dir);
    errno = why;
    return fresh && why ? -1 : fresh;
}

/* Whether it is not to be had on such a file system: read-only, or its server lets nobody have anything. */
static int is_not_to_be_had(int why) {
    return why == EROFS || why == EPERM || why == EACCES || why == EINVAL || why == EOVERFLOW ||
           why == EOPNOTSUPP;
}

static int tell(int result, int given, const struct stat *stat) {
    return result < 0 || put(given ? "given" : "kept") < 0 || put_number(stat->st_mode & 07777, "%llo") < 0 ||
                   put_number(stat->st_uid, "%llu") < 0 || put_number(stat->st_gid, "%llu") < 0
               ? -1
               : 0;
}

/* What was said last of whose the directory is to be: kept with it, where no task can change it. */
static const char NOTE[] = "trusted.cleat.ownership";

/* Whether the same was said last; -1 where nothing can be kept with the directory. */
static int is_noted(int fd, const char *wish) {
    char noted[100];
    ssize_t size = fgetxattr(fd, NOTE, noted, sizeof noted);
    if (size < 0) {
        return errno == ENODATA || errno == ERANGE ? 0 : -1;
    }
    return (size_t)size == strlen(wish) && !memcmp(noted, wish, (size_t)size);
}

static int is_rootless(const struct stat *stat) {
    return stat->st_uid != 0 || stat->st_gid != 0;
}

/* Gives it as said, but to -1; what can be kept with it is kept. */
static int own(int fd, char *const *wish, const char *text) {
    long long mode = strtoll(wish[2], NULL, 8);
    if (fchown(fd, (uid_t)strtoll(wish[0], NULL, 10), (gid_t)strtoll(wish[1], NULL, 10)) < 0 ||
        (*wish[2] != '-' && fchmod(fd, (mode_t)mode) < 0)) {
        return -1;
    }
    /* Where this fails it is given once more the next time, to the same. */
    fsetxattr(fd, NOTE, text, strlen(text), 0);
    return 0;
}

int do_settle(const struct place *place, char *const *wish) {
    char text[100];
    int fd = open_place(place, place->below, O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        return -1;
    }
    struct stat stat;
    int given = 0;
    int result = fstat(fd, &stat);
    snprintf(text, sizeof text, "%s:%s:%s", wish[0], wish[1], wish[2]);
    int noted = is_noted(fd, text);
    if (result == 0 && noted < 0) {
        int fresh = is_rootless(&stat) ? 0 : is_fresh(fd);
        result = fresh < 0 ? -1 : 0;
        noted = fresh <= 0;
    }
    if (result == 0 && !noted) {
        nobody_waits();
        given = own(fd, wish, text) == 0;
        result = given || is_not_to_be_had(errno) ? fstat(fd, &stat) : -1;
    }
    int why = errno;
    close(fd);
    errno = why;
    return tell(result, given, &stat);
}

int do_adopt(const struct place *place, char *const *owner) {
    int fd = open_place(place, place->below, O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        return -1;
    }
    struct stat stat;
    int given = 0;
    int result = fstat(fd, &stat);
    if (result == 0 && !is_rootless(&stat)) {
        int fresh = is_fresh(fd);
        result = fresh < 0 ? -1 : 0;
        if (fresh > 0) {
            nobody_waits();
            given = fchown(fd, (uid_t)strtoull(owner[0], NULL, 10), (gid_t)strtoull(owner[1], NULL, 10)) == 0;
            result = given || is_not_to_be_had(errno) ? fstat(fd, &stat) : -1;
        }
    }
    int why = errno;
    close(fd);
    errno = why;
    return tell(result, given, &stat);
}

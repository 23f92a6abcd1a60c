/* A fresh volume, given to the user who is to write in it. */
#define _GNU_SOURCE
#include "path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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

int do_adopt(const struct place *place, char *const *owner) {
    int fd = open_place(place, place->below, O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        return -1;
    }
    struct stat stat;
    int given = 0;
    int result = fstat(fd, &stat);
    if (result == 0 && stat.st_uid == 0 && stat.st_gid == 0) {
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
    return result < 0 || put(given ? "given" : "kept") < 0 || put_number(stat.st_mode & 07777, "%llo") < 0 ||
                   put_number(stat.st_uid, "%llu") < 0 || put_number(stat.st_gid, "%llu") < 0
               ? -1
               : 0;
}

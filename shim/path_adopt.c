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

/* Whether the error says that this file system is read-only, or takes no owner from this machine. */
static int takes_no_owner(int why) {
    return why == EROFS || why == EPERM || why == EACCES || why == EINVAL || why == EOVERFLOW ||
           why == EOPNOTSUPP;
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

/* Gives it to uid, gid and mode, but for -1; keeps the note with it, if there is one. */
static int give(int fd, char *const *wish, const char *note) {
    if (fchown(fd, (uid_t)strtoll(wish[0], NULL, 10), (gid_t)strtoll(wish[1], NULL, 10)) < 0 ||
        (*wish[2] != '-' && fchmod(fd, (mode_t)strtoll(wish[2], NULL, 8)) < 0)) {
        return -1;
    }
    if (note) {
        /* Where this fails it is given once more the next time, to the same. */
        fsetxattr(fd, NOTE, note, strlen(note), 0);
    }
    return 0;
}

/* As `wish`, uid, gid and mode, unless the note was the last one. Without one, and where none can be kept, a
 * fresh directory of root's alone. */
static int hand_over(const struct place *place, char *const *wish, const char *note) {
    int fd = open_place(place, place->below, O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        return -1;
    }
    struct stat stat;
    int given = 0;
    int noted = note ? is_noted(fd, note) : -1;
    int result = fstat(fd, &stat);
    int due = !noted;
    if (result == 0 && noted < 0) {
        due = stat.st_uid == 0 && stat.st_gid == 0 ? is_fresh(fd) : 0;
        result = due < 0 ? -1 : 0;
    }
    if (result == 0 && due) {
        nobody_waits();
        given = give(fd, wish, noted < 0 ? NULL : note) == 0;
        result = given || takes_no_owner(errno) ? fstat(fd, &stat) : -1;
    }
    int why = errno;
    close(fd);
    errno = why;
    return result < 0 || put(given ? "given" : "kept") < 0 || put_number(stat.st_mode & 07777, "%llo") < 0 ||
                   put_number(stat.st_uid, "%llu") < 0 || put_number(stat.st_gid, "%llu") < 0
               ? -1
               : 0;
}

int do_adopt(const struct place *place, char *const *owner) {
    char *const wish[] = {owner[0], owner[1], "-1"};
    return hand_over(place, wish, NULL);
}

int do_settle(const struct place *place, char *const *wish) {
    char note[100];
    snprintf(note, sizeof note, "%s:%s:%s", wish[0], wish[1], wish[2]);
    return hand_over(place, wish, note);
}

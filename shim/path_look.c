/* What the path worker looks at, and asks nobody who may hang but where it says so. */
#define _GNU_SOURCE
#include "path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const char *type_name(mode_t mode) {
    return S_ISDIR(mode)    ? "directory"
           : S_ISREG(mode)  ? "file"
           : S_ISLNK(mode)  ? "link"
           : S_ISBLK(mode)  ? "block"
           : S_ISCHR(mode)  ? "character"
           : S_ISFIFO(mode) ? "fifo"
                            : "socket";
}

/* The place's statx, with how it is to be asked for. */
int look(const struct place *place, int how, struct statx *stat) {
    const char *name = "";
    int fd = *place->below ? open_parent(place, &name) : open_place(place, "", O_PATH);
    if (fd < 0) {
        return -1;
    }
    int flags = how | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (*name ? 0 : AT_EMPTY_PATH);
    int result = statx(fd, name, flags, STATX_BASIC_STATS, stat);
    int why = errno;
    close(fd);
    errno = why;
    return result;
}

int do_probe(const struct place *place) {
    struct statx stat;
    return look(place, AT_STATX_FORCE_SYNC, &stat) < 0 ? -1 : put("answers");
}

int do_stat(const struct place *place) {
    struct statx stat;
    if (look(place, AT_STATX_DONT_SYNC, &stat) < 0) {
        return errno == ENOENT ? put("absent") : -1;
    }
    char device[32];
    char rdevice[32];
    snprintf(device, sizeof device, "%u:%u", stat.stx_dev_major, stat.stx_dev_minor);
    snprintf(rdevice, sizeof rdevice, "%u:%u", stat.stx_rdev_major, stat.stx_rdev_minor);
    const char *mount_root = !(stat.stx_attributes_mask & MOUNT_ROOT) ? "unknown"
                             : stat.stx_attributes & MOUNT_ROOT       ? "yes"
                                                                      : "no";
    return put(type_name(stat.stx_mode)) < 0 || put_number(stat.stx_mode & 07777, "%llo") < 0 ||
                   put_number(stat.stx_uid, "%llu") < 0 || put_number(stat.stx_gid, "%llu") < 0 ||
                   put_number(stat.stx_size, "%llu") < 0 || put(device) < 0 || put(rdevice) < 0 ||
                   put_number(stat.stx_ino, "%llu") < 0 || put(mount_root) < 0
               ? -1
               : 0;
}

int do_program(const char *path) {
    struct stat found;
    int is_one = stat(path, &found) == 0 && S_ISREG(found.st_mode) && (found.st_mode & 0111);
    return put(is_one ? "program" : "none");
}

/* Whether the entry is one that lies in the directory; sets errno to 0. */
static int is_inside(const struct dirent *entry) {
    errno = 0;
    return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* Opens a directory to read it; its descriptor too. */
static DIR *open_entries(const struct place *place, int *fd) {
    *fd = open_place(place, place->below, O_RDONLY | O_DIRECTORY);
    DIR *dir = *fd < 0 ? NULL : fdopendir(*fd);
    errno = dir ? 0 : errno;
    return dir;
}

static int close_entries(DIR *dir, int result) {
    int why = errno;
    closedir(dir);
    errno = why;
    return why ? -1 : result;
}

int do_list(const struct place *place) {
    int fd;
    DIR *dir = open_entries(place, &fd);
    if (!dir) {
        return -1;
    }
    struct dirent *entry;
    char *state = put_done();
    int result = 0;
    while (result == 0 && (entry = readdir(dir))) {
        if (!is_inside(entry)) {
            continue;
        }
        if (!has_room(strlen(entry->d_name) + 1)) {
            memcpy(state, "more", 4);
            break;
        }
        result = put(entry->d_name);
    }
    return close_entries(dir, result);
}

#define MOST_LOOK 128 /* what put_look puts, and an end */

static int put_look(const struct statx *stat) {
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%lld", (long long)stat->stx_mtime.tv_sec);
    return put(type_name(stat->stx_mode)) < 0 || put_number(stat->stx_mode & 07777, "%llo") < 0 ||
                   put_number(stat->stx_size, "%llu") < 0 || put(seconds) < 0 ||
                   put_number(stat->stx_mtime.tv_nsec, "%llu") < 0 ||
                   put_number(stat->stx_ino, "%llu") < 0
               ? -1
               : 0;
}

int do_look(const struct place *place) {
    struct statx stat;
    if (look(place, AT_STATX_SYNC_AS_STAT, &stat) < 0) {
        return errno == ENOENT ? put("absent") : -1;
    }
    return put_look(&stat);
}

int do_entries(const struct place *place) {
    int fd;
    DIR *dir = open_entries(place, &fd);
    if (!dir) {
        return -1;
    }
    struct dirent *entry;
    char *state = put_done();
    int result = 0;
    while (result == 0 && (entry = readdir(dir))) {
        struct statx stat;
        if (!is_inside(entry)) {
            continue;
        }
        if (!has_room(strlen(entry->d_name) + MOST_LOOK)) {
            memcpy(state, "more", 4);
            break;
        }
        if (statx(fd, entry->d_name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_BASIC_STATS,
                  &stat) == 0) {
            result = put(entry->d_name) < 0 || put_look(&stat) < 0 ? -1 : 0;
        } else if (errno != ENOENT) {
            result = -1;
        }
        if (result == 0) {
            errno = 0; /* an entry that went meanwhile is none */
        }
    }
    return close_entries(dir, result);
}

int do_read(const struct place *place, const char *offset, const char *most) {
    static char bytes[MOST_READ];
    size_t wanted = strtoul(most, NULL, 10);
    /* A path handle opens nothing, so that a fifo or a device can be told from a file. */
    int at = open_place(place, place->below, O_PATH);
    struct stat stat;
    if (at < 0 || fstat(at, &stat) < 0) {
        return -1;
    }
    int fd = -1;
    if (S_ISREG(stat.st_mode)) {
        char self[64];
        snprintf(self, sizeof self, "/proc/self/fd/%d", at);
        fd = open(self, O_RDONLY | O_CLOEXEC);
    } else {
        errno = S_ISDIR(stat.st_mode) ? EISDIR : ENXIO;
    }
    ssize_t got = fd < 0 ? -1
                         : pread(fd, bytes, wanted < sizeof bytes ? wanted : sizeof bytes,
                                 strtoll(offset, NULL, 10));
    int why = errno;
    close(at);
    if (fd >= 0) {
        close(fd);
    }
    errno = why;
    return got < 0 || put_number((unsigned long long)stat.st_size, "%llu") < 0 ||
                   put_number(stat.st_ino, "%llu") < 0 || put_bytes(bytes, (size_t)got) < 0
               ? -1
               : 0;
}

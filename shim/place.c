/* Places: opened below a trusted root or a held directory, over no link. */
#define _GNU_SOURCE
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int path_walks; /* no openat2 */

/* Plain names with single slashes between them. */
static int is_plain(const char *below) {
    while (*below) {
        size_t length = strcspn(below, "/");
        if (length == 0 || (length == 1 && below[0] == '.') ||
            (length == 2 && below[0] == '.' && below[1] == '.')) {
            return 0;
        }
        below += length;
        if (*below == '/' && !*++below) {
            return 0;
        }
    }
    return 1;
}

/* The id of the mount that an open file lies on. */
static long mount_id(int fd) {
    char file[64];
    char text[512];
    snprintf(file, sizeof file, "/proc/self/fdinfo/%d", fd);
    char *id = read_small(file, text, sizeof text) < 0 ? NULL : strstr(text, "mnt_id:");
    return id ? strtol(id + 7, NULL, 10) : -1;
}

/* As openat2 does it, one name at a time. */
static int walk(int root, const char *below, int flags, int same) {
    int at = dup(root);
    long mount = mount_id(root);
    while (at >= 0 && *below) {
        char name[256];
        size_t length = strcspn(below, "/");
        int last = !below[length];
        if (length >= sizeof name) {
            close(at);
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(name, below, length);
        name[length] = 0;
        below += length + !last;
        /* A path handle does not open what it stands for, so a link can be told from it. */
        int next = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        int why = errno;
        close(at);
        struct stat stat;
        if (next >= 0 && fstat(next, &stat) < 0) {
            why = errno;
            close(next);
            next = -1;
        } else if (next >= 0 && S_ISLNK(stat.st_mode)) {
            close(next);
            next = -1;
            why = ELOOP;
        } else if (next >= 0 && same && mount_id(next) != mount) {
            close(next);
            next = -1;
            why = EXDEV;
        }
        errno = why;
        at = next;
    }
    if (at >= 0 && !(flags & O_PATH)) {
        char self[64];
        snprintf(self, sizeof self, "/proc/self/fd/%d", at);
        int opened = open(self, flags | O_CLOEXEC);
        int why = errno;
        close(at);
        errno = why;
        return opened;
    }
    return at;
}

int open_below(int root, const char *below, int flags, int same) {
    if (!is_plain(below)) {
        errno = EINVAL;
        return -1;
    }
    if (!path_walks) {
        struct open_how how = {
            .flags = (uint64_t)(flags | O_CLOEXEC),
            .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
                       (same ? RESOLVE_NO_XDEV : 0),
        };
        int fd = (int)syscall(SYS_openat2, root, *below ? below : ".", &how, sizeof how);
        path_walks = fd < 0 && (errno == ENOSYS || errno == EPERM);
        if (!path_walks) {
            return fd;
        }
    }
    return walk(root, below, flags, same);
}

int open_place(const struct place *place, const char *below, int flags) {
    if (place->root[0] != '/' || !is_plain(below)) {
        errno = EINVAL;
        return -1;
    }
    int root = open(place->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) {
        return -1;
    }
    int fd = open_below(root, below, flags, place->same);
    int why = errno;
    close(root);
    errno = why;
    return fd;
}

/* Opens the directory that the last name lies in, and gives the name. */
int open_parent(const struct place *place, const char **name) {
    static char parent[MOST_REQUEST];
    const char *slash = strrchr(place->below, '/');
    *name = slash ? slash + 1 : place->below;
    if (!**name || !is_plain(place->below)) {
        errno = EINVAL; /* the root itself is not ours to change */
        return -1;
    }
    size_t length = slash ? (size_t)(slash - place->below) : 0;
    memcpy(parent, place->below, length);
    parent[length] = 0;
    return open_place(place, parent, O_PATH | O_DIRECTORY);
}

/* Opens an entry of a held directory for writing at its end, to go on with it or new. What lies there
 * is looked at before it is opened, so that no pipe, device or link is ever opened. */
int open_own_file(int dir, const char *name) {
    int made = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (made >= 0 || errno != EEXIST) {
        return made;
    }
    int at = openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat stat;
    int fd = -1;
    if (at < 0) {
        return -1;
    }
    if (fstat(at, &stat) == 0) {
        errno = EPERM;
        if (S_ISREG(stat.st_mode) && stat.st_nlink == 1 && stat.st_uid == geteuid()) {
            char self[64];
            snprintf(self, sizeof self, "/proc/self/fd/%d", at);
            fd = open(self, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
        }
    }
    int why = errno;
    close(at);
    errno = why;
    return fd;
}

int open_own_directory(const char *path) {
    static char parent[MOST_REQUEST];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (!slash || length >= sizeof parent) {
        errno = EINVAL;
        return -1;
    }
    memcpy(parent, path, length);
    parent[length] = 0;
    struct place place = {length ? parent : "/", slash + 1, 0};
    int fd = open_place(&place, place.below, O_RDONLY | O_DIRECTORY);
    struct stat stat;
    if (fd >= 0 && (fstat(fd, &stat) < 0 || stat.st_uid != geteuid())) {
        close(fd);
        errno = EPERM;
        return -1;
    }
    return fd;
}

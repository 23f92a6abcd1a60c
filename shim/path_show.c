/*
 * How the path worker shows a volume: the source is opened once, over no link, looked at, and what
 * was looked at is what is bound. Nobody who may hang is asked.
 */
#define _GNU_SOURCE
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than some C libraries (mount_setattr(2), open_tree(2), move_mount(2)). */
#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#ifndef SYS_move_mount
#define SYS_move_mount 429
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#define TREE_CLONE 1
#define FROM_HANDLE 0x04
#define TO_HANDLE 0x40
#define RECURSIVE 0x8000
#define ONLY_READ 0x01
#define NO_SUID 0x02
#define NO_DEVICES 0x04

struct attributes {
    uint64_t set;
    uint64_t clear;
    uint64_t propagation;
    uint64_t user_namespace;
};

int change_mount(int mount, uint64_t set, uint64_t propagation, int deep) {
    struct attributes wanted = {.set = set, .propagation = propagation};
    return (int)syscall(SYS_mount_setattr, mount, "", AT_EMPTY_PATH | (deep ? RECURSIVE : 0), &wanted,
                        sizeof wanted);
}

/* From 5.12. */
static int can_change(void) {
    return !path_walks && (change_mount(-1, NO_SUID, 0, 0) == 0 || errno != ENOSYS);
}

static int detach_handle(int mount) {
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", mount);
    return umount2(self, MNT_DETACH);
}

/* The mount has its options before anybody sees it. */
static int show(int from, int to, uint64_t set, unsigned long spread, int deep) {
    int clone = TREE_CLONE | AT_EMPTY_PATH | O_CLOEXEC | (deep ? RECURSIVE : 0);
    int tree = (int)syscall(SYS_open_tree, from, "", clone);
    if (tree < 0) {
        return -1;
    }
    int result = change_mount(tree, set, 0, deep);
    if (result == 0) {
        nobody_waits();
        result = (int)syscall(SYS_move_mount, tree, "", to, "", FROM_HANDLE | TO_HANDLE);
        /* Only now: where mounts spread to, it has become one that does. */
        if (result == 0 && spread != MS_SHARED && change_mount(tree, 0, spread, deep) < 0) {
            int why = errno;
            path_effect_unknown = detach_handle(tree) < 0;
            errno = why;
            result = -1;
        }
    }
    int why = errno;
    close(tree);
    errno = why;
    return result;
}

/* As `show`, of one mount, in steps. */
static int show_older(int from, int to, const struct place *target, uint64_t set, unsigned long spread) {
    if (mount_by_handle(from, to, MS_BIND) < 0) {
        return -1;
    }
    int mounted = open_place(target, target->below, O_PATH);
    unsigned long flags = set & ONLY_READ ? MS_RDONLY : 0;
    flags |= set & NO_SUID ? MS_NOSUID : 0;
    flags |= set & NO_DEVICES ? MS_NODEV : 0;
    int result = mounted < 0 ||
                         mount_by_handle(-1, mounted,
                                         MS_REMOUNT | MS_BIND | flags | kept_options(mounted)) < 0 ||
                         (spread != MS_SHARED && mount_by_handle(-1, mounted, spread) < 0)
                     ? -1
                     : 0;
    if (result < 0) {
        int why = errno;
        path_effect_unknown = mounted < 0 || detach_handle(mounted) < 0;
        errno = why;
    }
    int why = errno;
    if (mounted >= 0) {
        close(mounted);
    }
    errno = why;
    return result;
}

static int require_kind(int fd, const char *kind) {
    struct statx stat;
    int is_block = !strcmp(kind, "block");
    if (!is_block && strcmp(kind, "directory")) {
        errno = EINVAL;
        return -1;
    }
    if (statx(fd, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_TYPE, &stat) < 0) {
        return -1;
    }
    if (is_block ? S_ISBLK(stat.stx_mode) : S_ISDIR(stat.stx_mode)) {
        return 0;
    }
    errno = is_block ? ENOTBLK : ENOTDIR;
    return -1;
}

int do_show(const struct place *source, const struct place *target, const char *const *how) {
    unsigned long spread = !strcmp(how[2], "shared")    ? MS_SHARED
                           : !strcmp(how[2], "slave")   ? MS_SLAVE
                           : !strcmp(how[2], "private") ? MS_PRIVATE
                                                        : 0;
    if (!spread || !*target->below) {
        errno = EINVAL;
        return -1;
    }
    int from = open_place(source, source->below, O_PATH);
    int to = from < 0 ? -1 : open_place(target, target->below, O_PATH);
    int result = to < 0 ? -1 : require_kind(from, how[0]);
    if (result == 0) {
        int is_directory = !strcmp(how[0], "directory");
        uint64_t set = NO_SUID | (is_directory ? NO_DEVICES : 0) | (*how[1] == '1' ? ONLY_READ : 0);
        nobody_waits();
        /* Each place that it is shown at is to see what is mounted at another. */
        if (spread == MS_SHARED) {
            result = mount_by_handle(-1, from, MS_SHARED);
        }
        if (result == 0) {
            result = can_change() ? show(from, to, set, spread, is_directory && *how[3] == '1')
                                  : show_older(from, to, target, set, spread);
        }
    }
    int why = errno;
    if (from >= 0) {
        close(from);
    }
    if (to >= 0) {
        close(to);
    }
    errno = why;
    return result == 0 ? put("shown") : -1;
}

int do_hide(const struct place *place) {
    const char *name;
    int parent = open_parent(place, &name);
    int at = parent < 0 ? -1 : open_place(place, place->below, O_PATH);
    int result = at < 0 ? -1 : 0;
    if (result == 0) {
        nobody_waits();
        /* Alone first: what is mounted below would else go wherever it is seen. */
        result = mount_by_handle(-1, at, MS_PRIVATE | MS_REC);
    }
    int why = errno;
    if (at >= 0) {
        close(at);
    }
    if (result == 0 && fchdir(parent) == 0) {
        result = umount2(name, UMOUNT_NOFOLLOW | MNT_DETACH);
        why = errno;
        if (chdir("/") < 0) {
            _exit(1);
        }
    }
    if (parent >= 0) {
        close(parent);
    }
    errno = why;
    return result == 0 ? put("hidden") : errno == EINVAL || errno == ENOENT ? put("absent") : -1;
}

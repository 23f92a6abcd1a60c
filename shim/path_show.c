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
#define OTHER_IDS 0x00100000

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

/* `ids` is a user namespace, or -1: each file is whose it is. */
static int shape_tree(int tree, uint64_t set, int deep, int ids) {
    struct attributes wanted = {.set = set | (ids >= 0 ? OTHER_IDS : 0),
                                .user_namespace = ids >= 0 ? (uint64_t)ids : 0};
    return (int)syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | (deep ? RECURSIVE : 0), &wanted,
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

/* A mount that nobody sees yet, of what is open. */
static int clone_tree(int from, int deep) {
    int clone = TREE_CLONE | AT_EMPTY_PATH | O_CLOEXEC | (deep ? RECURSIVE : 0);
    return (int)syscall(SYS_open_tree, from, "", clone);
}

/* The mount has its options before anybody sees it. */
static int show(int from, int to, uint64_t set, unsigned long spread, int deep, int ids) {
    int tree = clone_tree(from, deep);
    if (tree < 0) {
        return -1;
    }
    int result = shape_tree(tree, set, deep, ids);
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

int do_show(const struct place *source, const struct place *target, const char *const *how,
            const char *const *ids) {
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
    int namespace = -1;
    if (result == 0 && ids) {
        int can = can_change();
        namespace = can ? namespace_of_ids(ids) : -1;
        result = namespace < 0 ? -1 : 0;
        errno = can ? errno : ENOSYS;
    }
    if (result == 0) {
        int is_directory = !strcmp(how[0], "directory");
        uint64_t set = NO_SUID | (is_directory ? NO_DEVICES : 0) | (*how[1] == '1' ? ONLY_READ : 0);
        nobody_waits();
        /* Each place that it is shown at is to see what is mounted at another. */
        if (spread == MS_SHARED) {
            result = mount_by_handle(-1, from, MS_SHARED);
        }
        if (result == 0) {
            result = can_change() ? show(from, to, set, spread, is_directory && *how[3] == '1', namespace)
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
    if (namespace >= 0) {
        close(namespace);
    }
    errno = why;
    return result == 0 ? put("shown") : -1;
}

static int refuses(const char *why) {
    return put("refuses") < 0 ? -1 : put(why);
}

/* Why a mount of it could not have other ids. */
static const char *words_of(int why) {
    switch (why) {
    case EINVAL:
        return "its file system, or one that is mounted below it, has no mounts with other ids on this kernel";
    case EPERM:
        return "its mount has other ids already, or the kernel does not let this agent give it any";
    default:
        return strerror(why);
    }
}

int do_swaps(const struct place *place, const char *const *ids) {
    int from = open_place(place, place->below, O_PATH);
    if (from < 0 || require_kind(from, "directory") < 0) {
        int why = errno;
        if (from >= 0) {
            close(from);
        }
        errno = why;
        return -1;
    }
    nobody_waits();
    if (!can_change()) {
        close(from);
        return refuses("this kernel has no mounts with other ids, which come with Linux 5.12");
    }
    int tree = clone_tree(from, 1);
    int why = errno;
    close(from);
    if (tree < 0) {
        errno = why;
        return -1;
    }
    int namespace = namespace_of_ids(ids);
    int result;
    if (namespace < 0) {
        result = refuses(errno == ENOSPC || errno == EUSERS
                             ? "this machine lets nobody make a user namespace (user.max_user_namespaces)"
                             : "this machine lets this agent make no user namespace");
    } else if (shape_tree(tree, NO_SUID | NO_DEVICES, 1, namespace) < 0) {
        result = refuses(words_of(errno));
    } else {
        result = put("swaps");
    }
    close(tree);
    if (namespace >= 0) {
        close(namespace);
    }
    return result;
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

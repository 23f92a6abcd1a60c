/* What the path worker mounts and unmounts. */
#define _GNU_SOURCE
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int do_unmount(const struct place *place, const char *lazy) {
    const char *name;
    int parent = open_parent(place, &name);
    if (parent < 0) {
        return errno == ENOENT ? put("absent") : -1;
    }
    nobody_waits();
    /* Relative to its directory, so that the mounted thing itself, which may hang, is not opened. */
    int result = fchdir(parent);
    if (result == 0) {
        result = umount2(name, UMOUNT_NOFOLLOW | (*lazy == '1' ? MNT_DETACH : 0));
    }
    int why = errno;
    close(parent);
    if (chdir("/") < 0) {
        _exit(1);
    }
    errno = why;
    return result == 0                            ? put("unmounted")
           : errno == EINVAL || errno == ENOENT ? put("absent")
                                                  : -1;
}

int mount_by_handle(int source, int target, unsigned long flags) {
    char from[64] = "none";
    char to[64];
    if (source >= 0) {
        snprintf(from, sizeof from, "/proc/self/fd/%d", source);
    }
    snprintf(to, sizeof to, "/proc/self/fd/%d", target);
    return mount(from, to, NULL, flags, NULL);
}

int do_private(const struct place *place) {
    int mounted = open_place(place, place->below, O_PATH);
    if (mounted < 0) {
        return errno == ENOENT ? put("absent") : -1;
    }
    nobody_waits();
    int result = mount_by_handle(-1, mounted, MS_PRIVATE);
    int why = errno;
    close(mounted);
    errno = why;
    /* EINVAL: no mount is there. */
    return result == 0 ? put("private") : errno == EINVAL ? put("absent") : -1;
}

/*
 * In a process of its own: removes the directory or file from a mount namespace in which nothing is
 * mounted. Where it is a mount point in another namespace, the kernel then takes away all that is
 * mounted there, whole trees at once, and propagates nothing.
 */
static int tear_off(int parent, const char *name, const char *empty) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("none", empty, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=4k") < 0 ||
        chdir(empty) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0) {
        return errno;
    }
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0 ||
        (errno == ENOTDIR && unlinkat(parent, name, 0) == 0)) {
        return 0;
    }
    return errno;
}

int do_tear(const struct place *place) {
    const char *name;
    int parent = open_parent(place, &name);
    if (parent < 0) {
        return errno == ENOENT ? put("absent") : -1;
    }
    nobody_waits();
    (void)!set_sealed(parent, name, 0);
    pid_t child = fork();
    if (child == 0) {
        _exit(tear_off(parent, name, place->root));
    }
    int status = 0;
    int result = child < 0 ? -1 : 0;
    int why = errno;
    while (result == 0 && waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            result = -1;
            why = errno;
        }
    }
    if (result == 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
        result = -1;
        why = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
        path_effect_unknown = !WIFEXITED(status);
    }
    close(parent);
    errno = why;
    return result == 0 ? put("removed") : errno == ENOENT ? put("absent") : -1;
}

/* The options a remount must repeat, or the kernel drops them. */
unsigned long kept_options(int fd) {
    struct statvfs stat;
    unsigned long flags = 0;
    if (fstatvfs(fd, &stat) == 0) {
        flags |= stat.f_flag & ST_NOSUID ? MS_NOSUID : 0;
        flags |= stat.f_flag & ST_NODEV ? MS_NODEV : 0;
        flags |= stat.f_flag & ST_NOEXEC ? MS_NOEXEC : 0;
        flags |= stat.f_flag & ST_NOATIME ? MS_NOATIME : 0;
        flags |= stat.f_flag & ST_NODIRATIME ? MS_NODIRATIME : 0;
        flags |= stat.f_flag & ST_RELATIME ? MS_RELATIME : 0;
    }
    return flags;
}

/* Older kernels have to be told all options, and ask a file system for them. */
static int restrict_mount(int mounted, unsigned long flags) {
    /* The first three attributes of mount_setattr(2) are those of mount(2). */
    _Static_assert(MS_RDONLY == 1 && MS_NOSUID == 2 && MS_NODEV == 4, "as the kernel has them");
    if (change_mount(mounted, flags, 0, 0) == 0) {
        return 0;
    }
    return errno == ENOSYS || errno == EPERM
               ? mount_by_handle(-1, mounted, MS_REMOUNT | MS_BIND | flags | kept_options(mounted))
               : -1;
}

/* Sets what a fresh bind mount is to be. In no directory do programs become other users' or devices
 * count; a device that is bound alone is to be used. */
static int shape(const struct place *target, int read_only, unsigned long spread) {
    int mounted = open_place(target, target->below, O_PATH);
    if (mounted < 0) {
        return -1;
    }
    struct statx stat; /* of what may hang only what is known already */
    int flags = AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
    int result = statx(mounted, "", flags, STATX_TYPE, &stat);
    unsigned long more = read_only ? MS_RDONLY : 0;
    if (result == 0 && S_ISDIR(stat.stx_mode)) {
        more |= MS_NOSUID | MS_NODEV;
    }
    if (result == 0) {
        result = mount_by_handle(-1, mounted, spread);
    }
    if (result == 0 && more) {
        nobody_waits();
        result = restrict_mount(mounted, more);
    }
    int why = errno;
    close(mounted);
    errno = why;
    return result;
}

int do_bind(const struct place *source, const struct place *target, const char *read_only,
                   const char *spread) {
    unsigned long flag = !strcmp(spread, "shared")    ? MS_SHARED
                         : !strcmp(spread, "slave")   ? MS_SLAVE
                         : !strcmp(spread, "private") ? MS_PRIVATE
                                                      : 0;
    const char *name;
    if (!flag || !*target->below) {
        errno = EINVAL;
        return -1;
    }
    int from = open_place(source, source->below, O_PATH);
    int to = from < 0 ? -1 : open_place(target, target->below, O_PATH);
    int result = -1;
    if (to >= 0) {
        nobody_waits();
        result = mount_by_handle(from, to, MS_BIND);
    }
    int why = errno;
    if (from >= 0) {
        close(from);
    }
    if (to >= 0) {
        close(to);
    }
    if (result == 0 && shape(target, *read_only == '1', flag) < 0) {
        /* Half a bind is none: a writable mount must not stay where a read-only one was asked. */
        why = errno;
        result = -1;
        int parent = open_parent(target, &name);
        path_effect_unknown = parent < 0 || fchdir(parent) < 0 || umount2(name, UMOUNT_NOFOLLOW) < 0;
        if (parent >= 0) {
            close(parent);
        }
        if (chdir("/") < 0) {
            _exit(1);
        }
    }
    errno = why;
    return result == 0 ? put("bound") : -1;
}

/* For what must never be on a disk, nor be executed. */
int do_memory(const struct place *place, const char *bytes, char *const *owner) {
    char path[64];
    char options[128];
    if (!*place->below || strspn(bytes, "0123456789") != strlen(bytes) || !*bytes) {
        errno = EINVAL;
        return -1;
    }
    int at = open_place(place, place->below, O_PATH | O_DIRECTORY);
    if (at < 0) {
        return -1;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", at);
    uid_t uid = (uid_t)strtoll(owner[1], NULL, 10);
    gid_t gid = (gid_t)strtoll(owner[2], NULL, 10);
    snprintf(options, sizeof options, "size=%.20s,mode=%lo,uid=%u,gid=%u", bytes,
             strtoul(owner[0], NULL, 8), uid == (uid_t)-1 ? geteuid() : uid,
             gid == (gid_t)-1 ? getegid() : gid);
    nobody_waits();
    int result = mount("memory", path, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options);
    int why = errno;
    close(at);
    errno = why;
    return result == 0 ? put("mounted") : -1;
}

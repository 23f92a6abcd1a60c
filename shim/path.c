/*
 * `shim path`: a worker for calls on paths that may hang (a dead NFS server, a FUSE daemon that was
 * killed). It answers one framed request after the other on standard output; who loses patience
 * kills it and starts another. It ends when its standard input does.
 *
 * A request is a frame of fields separated by NUL: version, id, operation, arguments. The answer:
 * version, the same id, then `ok` and values, or `error`, an errno, what is known of the effect
 * (`none`, `unknown`) and words. A place is two arguments, a root and what lies below it: the root
 * is trusted, below it no link is ever followed and nothing above it is ever reached. Removing
 * takes one entry, never a tree. Where an operation has a flag `same`, 1 means that no mount may lie
 * on the way from the root either.
 *
 *   stat ROOT BELOW                         type mode uid gid size device rdevice inode mountroot
 *   probe ROOT BELOW                        answers          (or an error of who is behind it)
 *   list ROOT BELOW same                    names
 *   look ROOT BELOW                         type mode size seconds nanoseconds inode, or absent
 *   entries ROOT BELOW                      of each entry: name, then as look
 *   read ROOT BELOW offset most             size inode, then bytes to the end of the answer
 *   mkdir ROOT BELOW mode                   made | existed
 *   mkdirs ROOT BELOW mode                  made             (those above it too, where they are absent)
 *                                           | stopped below  (where it is no directory of the root's owner)
 *   mkfile ROOT BELOW mode                  made | existed   (an empty one; a device is there too)
 *   write ROOT BELOW mode uid gid BYTES     written          (-1 for an owner that is not said)
 *   move ROOT BELOW ROOT BELOW              moved            (source first)
 *   rmdir ROOT BELOW same                   removed | absent
 *   unlink ROOT BELOW same                  removed | absent
 *   bind ROOT BELOW ROOT BELOW ro spread    bound            (source first; spread as in mount(8))
 *   memory ROOT BELOW bytes                 mounted          (a file system in memory, at most so large)
 *   unmount ROOT BELOW lazy                 unmounted | absent
 *
 * `stat` asks nobody behind a mount, as far as the file system can tell without; `probe` does.
 * `read` reads regular files only: anything else is not even opened, for that may block or act.
 * `write` puts a new file in the place of whatever file, link or socket is there, or none: who has
 * the old one open keeps it. Its bytes go on to the end of the request.
 * `move` is rename(2), in the place of whatever rename(2) lets go; a file or link is copied where
 * the two places are of different file systems.
 * Lazily, 1, a mount in use goes from the tree at once and altogether with its last user.
 *
 * `shim path walk` resolves step by step, as kernels without openat2 (before 5.6) need it.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MOST_WRITE (4 << 20)
#define MOST_REQUEST (MOST_WRITE + (64 << 10))
#define MOST_ANSWER (1 << 20)
#define MOST_READ (256 << 10)
#define MOST_FIELDS 16
#define MOUNT_ROOT 0x2000 /* STATX_ATTR_MOUNT_ROOT */

static int walks; /* no openat2 */
static char answer[4 + MOST_ANSWER];
static size_t answer_size;
static int effect_unknown;

static int put(const char *field) {
    size_t size = strlen(field);
    if (answer_size + size + 1 > sizeof answer) {
        errno = E2BIG;
        return -1;
    }
    if (answer_size > 4) {
        answer[answer_size++] = 0;
    }
    memcpy(answer + answer_size, field, size);
    answer_size += size;
    return 0;
}

static int put_bytes(const char *bytes, size_t size) {
    if (answer_size + size + 1 > sizeof answer) {
        errno = E2BIG;
        return -1;
    }
    answer[answer_size++] = 0;
    memcpy(answer + answer_size, bytes, size);
    answer_size += size;
    return 0;
}

static int put_number(unsigned long long value, const char *form) {
    char text[32];
    snprintf(text, sizeof text, form, value);
    return put(text);
}

/* Whoever asked is gone: nothing more is begun. */
static void nobody_waits(void) {
    struct pollfd input = {.fd = 0, .events = 0};
    if (poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR))) {
        _exit(0);
    }
}

/* ---- places ---- */

struct place {
    const char *root;
    const char *below;
    int same;
};

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

static int open_place(const struct place *place, const char *below, int flags) {
    if (place->root[0] != '/' || !is_plain(below)) {
        errno = EINVAL;
        return -1;
    }
    int root = open(place->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) {
        return -1;
    }
    int fd = -1;
    if (!walks) {
        struct open_how how = {
            .flags = (uint64_t)(flags | O_CLOEXEC),
            .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
                       (place->same ? RESOLVE_NO_XDEV : 0),
        };
        fd = (int)syscall(SYS_openat2, root, *below ? below : ".", &how, sizeof how);
        walks = fd < 0 && (errno == ENOSYS || errno == EPERM);
    }
    if (walks) {
        fd = walk(root, below, flags, place->same);
    }
    int why = errno;
    close(root);
    errno = why;
    return fd;
}

/* Opens the directory that the last name lies in, and gives the name. */
static int open_parent(const struct place *place, const char **name) {
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

/* ---- operations: each answers, or returns -1 with errno set ---- */

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
static int look(const struct place *place, int how, struct statx *stat) {
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

static int do_probe(const struct place *place) {
    struct statx stat;
    return look(place, AT_STATX_FORCE_SYNC, &stat) < 0 ? -1 : put("answers");
}

static int do_stat(const struct place *place) {
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

static int do_list(const struct place *place) {
    int fd = open_place(place, place->below, O_RDONLY | O_DIRECTORY);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        return -1;
    }
    struct dirent *entry;
    int result = 0;
    errno = 0;
    while (result == 0 && (entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) {
            result = put(entry->d_name);
        }
    }
    int why = errno;
    closedir(dir);
    errno = why;
    return why ? -1 : result;
}

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

static int do_look(const struct place *place) {
    struct statx stat;
    if (look(place, AT_STATX_SYNC_AS_STAT, &stat) < 0) {
        return errno == ENOENT ? put("absent") : -1;
    }
    return put_look(&stat);
}

static int do_entries(const struct place *place) {
    int fd = open_place(place, place->below, O_RDONLY | O_DIRECTORY);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        return -1;
    }
    struct dirent *entry;
    int result = 0;
    errno = 0;
    while (result == 0 && (entry = readdir(dir))) {
        struct statx stat;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) {
            continue;
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
    int why = errno;
    closedir(dir);
    errno = why;
    return why ? -1 : result;
}

static int do_read(const struct place *place, const char *offset, const char *most) {
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

static int make_file(int parent, const char *name, mode_t mode) {
    int fd = openat(parent, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, mode);
    return fd < 0 ? -1 : close(fd);
}

static int do_make(const struct place *place, const char *mode_text, int is_file) {
    const char *name;
    int parent = open_parent(place, &name);
    if (parent < 0) {
        return -1;
    }
    nobody_waits();
    mode_t mode = (mode_t)strtol(mode_text, NULL, 8);
    int result = is_file ? make_file(parent, name, mode) : mkdirat(parent, name, mode);
    int why = errno;
    struct statx stat; /* asks nobody: something dead may be mounted there */
    int is_there = result < 0 && why == EEXIST &&
                   statx(parent, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC,
                         STATX_TYPE, &stat) == 0 &&
                   (is_file ? S_ISREG(stat.stx_mode) || S_ISBLK(stat.stx_mode)
                            : S_ISDIR(stat.stx_mode));
    close(parent);
    errno = why;
    return result == 0 ? put("made") : is_there ? put("existed") : -1;
}

/* Makes the file that is to be `name` under a name that nobody knows before. */
static int fill(int parent, const char *hidden, char *const *owner, const char *bytes, size_t size) {
    int fd = openat(parent, hidden, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        return -1;
    }
    /* The owner first: a change of it takes special bits of the mode away. */
    int result = write_all(fd, bytes, size) < 0 ||
                         fchown(fd, (uid_t)strtol(owner[1], NULL, 10),
                                (gid_t)strtol(owner[2], NULL, 10)) < 0 ||
                         fchmod(fd, (mode_t)strtol(owner[0], NULL, 8)) < 0
                     ? -1
                     : 0;
    int why = errno;
    if (close(fd) < 0 && result == 0) {
        result = -1;
        why = errno;
    }
    errno = why;
    return result;
}

/* `owner` is the mode, the user and the group. */
static int do_write(const struct place *place, char *const *owner, const char *bytes,
                    size_t size) {
    const char *name;
    char hidden[32];
    unsigned long long number;
    int parent = open_parent(place, &name);
    if (parent < 0) {
        return -1;
    }
    nobody_waits();
    int result = getrandom(&number, sizeof number, 0) < 0 ? -1 : 0;
    snprintf(hidden, sizeof hidden, ".%016llx.new", number);
    if (result == 0) {
        result = fill(parent, hidden, owner, bytes, size);
        if (result == 0) {
            result = renameat(parent, hidden, parent, name);
        }
        int why = errno;
        if (result < 0 && why != EEXIST) {
            unlinkat(parent, hidden, 0);
        }
        errno = why;
    }
    int why = errno;
    close(parent);
    errno = why;
    return result == 0 ? put("written") : -1;
}

static int copy_bytes(int from, int to) {
    static char bytes[MOST_READ];
    ssize_t got;
    while ((got = read(from, bytes, sizeof bytes)) > 0) {
        if (write_all(to, bytes, (size_t)got) < 0) {
            return -1;
        }
    }
    return got < 0 ? -1 : 0;
}

/* Makes `to` a copy of a file or link that nobody else changes. */
static int copy_entry(int from_parent, const char *from, const struct stat *stat, int to_parent,
                      const char *to) {
    if (S_ISLNK(stat->st_mode)) {
        char target[4097];
        ssize_t size = readlinkat(from_parent, from, target, sizeof target - 1);
        if (size < 0) {
            return -1;
        }
        target[size] = 0;
        return symlinkat(target, to_parent, to) < 0
                   ? -1
                   : fchownat(to_parent, to, stat->st_uid, stat->st_gid, AT_SYMLINK_NOFOLLOW);
    }
    int source = openat(from_parent, from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    int target = source < 0 ? -1
                            : openat(to_parent, to,
                                     O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
    int result = target < 0 || copy_bytes(source, target) < 0 ||
                         fchown(target, stat->st_uid, stat->st_gid) < 0 ||
                         fchmod(target, stat->st_mode & 0777) < 0
                     ? -1
                     : 0;
    int why = errno;
    if (target >= 0 && close(target) < 0 && result == 0) {
        result = -1;
        why = errno;
    }
    if (source >= 0) {
        close(source);
    }
    errno = why;
    return result;
}

/* Moves to another file system, under a name that nobody knows before. */
static int move_across(int from_parent, const char *from, int to_parent, const char *to) {
    struct stat stat;
    char hidden[32];
    unsigned long long number;
    if (fstatat(from_parent, from, &stat, AT_SYMLINK_NOFOLLOW) < 0 ||
        getrandom(&number, sizeof number, 0) < 0) {
        return -1;
    }
    if (!S_ISREG(stat.st_mode) && !S_ISLNK(stat.st_mode)) {
        errno = EXDEV;
        return -1;
    }
    snprintf(hidden, sizeof hidden, ".%016llx.new", number);
    int result = copy_entry(from_parent, from, &stat, to_parent, hidden);
    if (result == 0) {
        result = renameat(to_parent, hidden, to_parent, to);
    }
    int why = errno;
    if (result < 0 && why != EEXIST) {
        unlinkat(to_parent, hidden, 0);
    }
    errno = why;
    return result < 0 ? -1 : unlinkat(from_parent, from, 0);
}

static int do_move(const struct place *source, const struct place *target) {
    const char *from;
    const char *to;
    int from_parent = open_parent(source, &from);
    int to_parent = from_parent < 0 ? -1 : open_parent(target, &to);
    int result = -1;
    if (to_parent >= 0) {
        nobody_waits();
        result = renameat(from_parent, from, to_parent, to);
        if (result < 0 && errno == EXDEV) {
            result = move_across(from_parent, from, to_parent, to);
        }
    }
    int why = errno;
    if (from_parent >= 0) {
        close(from_parent);
    }
    if (to_parent >= 0) {
        close(to_parent);
    }
    errno = why;
    return result == 0 ? put("moved") : -1;
}

/* Something mounted counts as the owner's. */
static int is_directory_of(int parent, const char *name, uint32_t owner) {
    struct statx stat;
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
    if (statx(parent, name, flags, STATX_TYPE | STATX_UID, &stat) < 0) {
        return -1;
    }
    int is_inside = (stat.stx_attributes_mask & MOUNT_ROOT) && !(stat.stx_attributes & MOUNT_ROOT);
    return S_ISDIR(stat.stx_mode) && (!is_inside || stat.stx_uid == owner);
}

static int do_make_all(const struct place *place, const char *mode_text) {
    static char below[MOST_REQUEST];
    struct place at = {place->root, "", 0};
    struct statx root;
    mode_t mode = (mode_t)strtol(mode_text, NULL, 8);
    size_t length = 0;
    if (look(&at, AT_STATX_DONT_SYNC, &root) < 0) {
        return -1;
    }
    at.below = below;
    do {
        length += strcspn(place->below + length, "/");
        memcpy(below, place->below, length);
        below[length] = 0;
        const char *name;
        int parent = open_parent(&at, &name);
        if (parent < 0) {
            return -1;
        }
        nobody_waits();
        int is_ours = mkdirat(parent, name, mode) == 0 ? 1
                      : errno == EEXIST ? is_directory_of(parent, name, root.stx_uid)
                                        : -1;
        int why = errno;
        close(parent);
        errno = why;
        if (is_ours <= 0) {
            return is_ours == 0 && put("stopped") == 0 ? put(below) : -1;
        }
    } while (place->below[length++]);
    return put("made");
}

static int do_remove(const struct place *place, int flag) {
    const char *name;
    int parent = open_parent(place, &name);
    if (parent < 0) {
        return errno == ENOENT ? put("absent") : -1;
    }
    nobody_waits();
    int result = unlinkat(parent, name, flag);
    int why = errno;
    close(parent);
    errno = why;
    return result == 0 ? put("removed") : errno == ENOENT ? put("absent") : -1;
}

static int do_unmount(const struct place *place, const char *lazy) {
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

/* The options a remount must repeat, or the kernel drops them. */
static unsigned long kept_options(int fd) {
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

static int mount_by_handle(int source, int target, unsigned long flags) {
    char from[64] = "none";
    char to[64];
    if (source >= 0) {
        snprintf(from, sizeof from, "/proc/self/fd/%d", source);
    }
    snprintf(to, sizeof to, "/proc/self/fd/%d", target);
    return mount(from, to, NULL, flags, NULL);
}

/* Sets what a fresh bind mount is to be. */
static int shape(const struct place *target, int read_only, unsigned long spread) {
    int mounted = open_place(target, target->below, O_PATH);
    if (mounted < 0) {
        return -1;
    }
    int result = mount_by_handle(-1, mounted, spread);
    if (result == 0 && read_only) {
        nobody_waits();
        result = mount_by_handle(-1, mounted,
                                 MS_REMOUNT | MS_BIND | MS_RDONLY | kept_options(mounted));
    }
    int why = errno;
    close(mounted);
    errno = why;
    return result;
}

static int do_bind(const struct place *source, const struct place *target, const char *read_only,
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
        effect_unknown = parent < 0 || fchdir(parent) < 0 || umount2(name, UMOUNT_NOFOLLOW) < 0;
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

/* ---- requests ---- */

static int is(const char *operation, const char *name, int count, int wanted) {
    return !strcmp(operation, name) && count == wanted;
}

/* For what must never be on a disk, nor be executed. */
static int do_memory(const struct place *place, const char *bytes) {
    char path[64];
    char options[64];
    if (!*place->below || strspn(bytes, "0123456789") != strlen(bytes) || !*bytes) {
        errno = EINVAL;
        return -1;
    }
    int at = open_place(place, place->below, O_PATH | O_DIRECTORY);
    if (at < 0) {
        return -1;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", at);
    snprintf(options, sizeof options, "size=%.20s,mode=0777", bytes);
    nobody_waits();
    int result = mount("memory", path, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options);
    int why = errno;
    close(at);
    errno = why;
    return result == 0 ? put("mounted") : -1;
}

/* fields[0] is the operation; the request ends at `end`, where there is a NUL. */
static int perform(char **fields, int count, const char *end) {
    struct place place = {count > 1 ? fields[1] : "", count > 2 ? fields[2] : "", 0};
    if (!strcmp(fields[0], "write") && count > 6) {
        return do_write(&place, fields + 3, fields[6], (size_t)(end - fields[6]));
    }
    if (is(fields[0], "stat", count, 3)) {
        return do_stat(&place);
    }
    if (is(fields[0], "look", count, 3)) {
        return do_look(&place);
    }
    if (is(fields[0], "entries", count, 3)) {
        return do_entries(&place);
    }
    if (is(fields[0], "read", count, 5)) {
        return do_read(&place, fields[3], fields[4]);
    }
    if (is(fields[0], "mkdir", count, 4)) {
        return do_make(&place, fields[3], 0);
    }
    if (is(fields[0], "mkdirs", count, 4)) {
        return do_make_all(&place, fields[3]);
    }
    if (is(fields[0], "mkfile", count, 4)) {
        return do_make(&place, fields[3], 1);
    }
    if (is(fields[0], "probe", count, 3)) {
        return do_probe(&place);
    }
    if (is(fields[0], "unmount", count, 4)) {
        return do_unmount(&place, fields[3]);
    }
    if (is(fields[0], "memory", count, 4)) {
        return do_memory(&place, fields[3]);
    }
    if (is(fields[0], "bind", count, 7)) {
        struct place target = {fields[3], fields[4], 0};
        return do_bind(&place, &target, fields[5], fields[6]);
    }
    if (is(fields[0], "move", count, 5)) {
        struct place target = {fields[3], fields[4], 0};
        return do_move(&place, &target);
    }
    place.same = count == 4 && *fields[3] == '1';
    if (is(fields[0], "list", count, 4)) {
        return do_list(&place);
    }
    if (is(fields[0], "rmdir", count, 4)) {
        return do_remove(&place, AT_REMOVEDIR);
    }
    if (is(fields[0], "unlink", count, 4)) {
        return do_remove(&place, 0);
    }
    errno = EOPNOTSUPP;
    return -1;
}

static void begin_answer(const char *id, const char *status) {
    answer_size = 4;
    put_number(PATH_PROTOCOL, "%llu");
    put(id);
    put(status);
}

static int serve_request(char *request, size_t size) {
    char *fields[MOST_FIELDS];
    int count = 0;
    request[size] = 0;
    for (size_t at = 0; at <= size && count < MOST_FIELDS; at += strlen(request + at) + 1) {
        fields[count++] = request + at;
    }
    const char *id = count > 1 ? fields[1] : "0";
    effect_unknown = 0;
    begin_answer(id, "ok");
    int failed = 1;
    int why = EPROTO;
    if (count >= 3 && strtol(fields[0], NULL, 10) == PATH_PROTOCOL) {
        failed = perform(fields + 2, count - 2, request + size) < 0;
        why = errno;
    }
    if (failed) {
        begin_answer(id, "error");
        put_number((unsigned long long)why, "%llu");
        put(effect_unknown ? "unknown" : "none");
        put(strerror(why));
    }
    frame_head((unsigned char *)answer, (uint32_t)(answer_size - 4));
    return write_all(1, answer, answer_size);
}

/* Reads exactly that many bytes; -1 at the end of the input. */
static int read_all(char *bytes, size_t size) {
    while (size > 0) {
        ssize_t got = read(0, bytes, size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return -1;
        }
        bytes += got;
        size -= (size_t)got;
    }
    return 0;
}

int path_main(int walk_always) {
    static char request[MOST_REQUEST + 1];
    unsigned char head[4];
    walks = walk_always;
    umask(0);
    signal(SIGPIPE, SIG_IGN);
    /* The terminal's Ctrl-C is for the agent, which ends its workers by closing their input. */
    signal(SIGINT, SIG_IGN);
    if (chdir("/") < 0) {
        return EXIT_USAGE;
    }
    while (read_all((char *)head, 4) == 0) {
        uint32_t size = frame_length(head);
        if (size > MOST_REQUEST || read_all(request, size) < 0 || serve_request(request, size) < 0) {
            return EXIT_USAGE;
        }
    }
    return 0;
}

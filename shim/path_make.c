/* Entries that the path worker makes, fills, moves and removes. */
#define _GNU_SOURCE
#include "path.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/xattr.h>
#include <unistd.h>

static int make_file(int parent, const char *name, mode_t mode) {
    int fd = openat(parent, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, mode);
    return fd < 0 ? -1 : close(fd);
}

int do_make(const struct place *place, const char *mode_text, int is_file) {
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
    /* Without the bits by which who executes it becomes another user, whoever asked for them. */
    mode_t mode = (mode_t)strtol(owner[0], NULL, 8) & 0777;
    int result = write_all(fd, bytes, size) < 0 ||
                         fchown(fd, (uid_t)strtol(owner[1], NULL, 10),
                                (gid_t)strtol(owner[2], NULL, 10)) < 0 ||
                         fchmod(fd, mode) < 0
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
int do_write(const struct place *place, char *const *owner, const char *bytes,
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

/* ---- whose a directory is ---- */

#define MOST_USERS 256

/* As linux/posix_acl_xattr.h has it, which not every machine does; little-endian. */
struct acl_entry {
    uint16_t tag;
    uint16_t allowed;
    uint32_t id;
};
enum { ACL_OWNER = 1, ACL_USER = 2, ACL_GROUP = 4, ACL_MOST = 0x10, ACL_OTHERS = 0x20 };

static struct acl_entry entry(int tag, unsigned allowed, uint32_t id) {
    return (struct acl_entry){htole16((uint16_t)tag), htole16((uint16_t)allowed), htole32(id)};
}

/* Lets the users, numbers with commas between them, do all in a directory beside its owner. */
static int let_users(int fd, mode_t mode, const char *users) {
    static struct {
        uint32_t version;
        struct acl_entry entries[MOST_USERS + 4];
    } acl;
    size_t count = 0;
    acl.version = htole32(2);
    acl.entries[count++] = entry(ACL_OWNER, mode >> 6 & 7, UINT32_MAX);
    for (char *end; *users; users = *end ? end + 1 : end) {
        unsigned long long id = strtoull(users, &end, 10);
        if (end == users || (*end && *end != ',') || id >= UINT32_MAX || count > MOST_USERS) {
            errno = EINVAL;
            return -1;
        }
        acl.entries[count++] = entry(ACL_USER, 7, (uint32_t)id);
    }
    acl.entries[count++] = entry(ACL_GROUP, 0, UINT32_MAX);
    acl.entries[count++] = entry(ACL_MOST, 7, UINT32_MAX);
    acl.entries[count++] = entry(ACL_OTHERS, mode & 7, UINT32_MAX);
    return fsetxattr(fd, "system.posix_acl_access", &acl,
                     sizeof acl.version + count * sizeof *acl.entries, 0);
}

int do_give(const struct place *place, char *const *owner, const char *users) {
    mode_t mode = (mode_t)strtol(owner[0], NULL, 8);
    int fd = open_place(place, place->below, O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        return -1;
    }
    nobody_waits();
    int result = fchown(fd, (uid_t)strtoll(owner[1], NULL, 10), (gid_t)strtoll(owner[2], NULL, 10)) < 0 ||
                         fchmod(fd, mode) < 0 || (*users && let_users(fd, mode, users) < 0)
                     ? -1
                     : 0;
    int why = errno;
    close(fd);
    errno = why;
    return result == 0 ? put("given") : -1;
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

/* Gives a link that was just made to somebody. What its name means now may be another's file, as a hard
 * link: that is given to nobody. */
static int give_link(int parent, const char *name, const struct stat *owner) {
    struct stat made;
    int at = openat(parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    int result = at < 0 ? -1 : fstat(at, &made);
    if (result == 0) {
        errno = EPERM;
        result = S_ISLNK(made.st_mode) && made.st_uid == geteuid() && made.st_nlink == 1
                     ? fchownat(at, "", owner->st_uid, owner->st_gid, AT_EMPTY_PATH)
                     : -1;
    }
    int why = errno;
    if (at >= 0) {
        close(at);
    }
    errno = why;
    return result;
}

static int copy_link(int from, const struct stat *stat, int to_parent, const char *to) {
    char target[4097];
    ssize_t size = readlinkat(from, "", target, sizeof target - 1);
    if (size < 0) {
        return -1;
    }
    target[size] = 0;
    return symlinkat(target, to_parent, to) < 0 ? -1 : give_link(to_parent, to, stat);
}

/* Makes `to` a copy of the file or link that the path handle `from` is. */
static int copy_entry(int from, const struct stat *stat, int to_parent, const char *to) {
    char self[64];
    if (S_ISLNK(stat->st_mode)) {
        return copy_link(from, stat, to_parent, to);
    }
    snprintf(self, sizeof self, "/proc/self/fd/%d", from);
    int source = open(self, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
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

/* Makes an empty directory as the one that is to be moved into it; one that is there stays as it is. */
static void make_like(const struct stat *stat, int parent, const char *name) {
    struct stat made;
    int fd = mkdirat(parent, name, 0700) < 0
                 ? -1
                 : openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
        /* What somebody has put in its place meanwhile is not given to anybody. */
        if (fstat(fd, &made) == 0 && made.st_uid == geteuid() && (made.st_mode & 07777) == 0700 &&
            fchown(fd, stat->st_uid, stat->st_gid) == 0) {
            (void)!fchmod(fd, stat->st_mode & 0777);
        }
        close(fd);
    }
}

/* Copies, under a name that nobody knows before; of a directory only a like one is made there. */
static int copy_across(int from, int to_parent, const char *to) {
    struct stat stat;
    char hidden[32];
    unsigned long long number;
    if (fstat(from, &stat) < 0 || getrandom(&number, sizeof number, 0) < 0) {
        return -1;
    }
    if (S_ISDIR(stat.st_mode)) {
        make_like(&stat, to_parent, to);
    }
    if (!S_ISREG(stat.st_mode) && !S_ISLNK(stat.st_mode)) {
        errno = EXDEV;
        return -1;
    }
    snprintf(hidden, sizeof hidden, ".%016llx.new", number);
    int result = copy_entry(from, &stat, to_parent, hidden);
    if (result == 0) {
        result = renameat(to_parent, hidden, to_parent, to);
    }
    int why = errno;
    if (result < 0 && why != EEXIST) {
        unlinkat(to_parent, hidden, 0);
    }
    errno = why;
    return result;
}

/* Moves to another mount. What is looked at is what is copied: a path handle, which opens nothing. */
static int move_across(int from_parent, const char *from, int to_parent, const char *to) {
    int at = openat(from_parent, from, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    int result = at < 0 ? -1 : copy_across(at, to_parent, to);
    int why = errno;
    if (at >= 0) {
        close(at);
    }
    errno = why;
    return result < 0 ? -1 : unlinkat(from_parent, from, 0);
}

int do_move(const struct place *source, const struct place *target) {
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

int do_make_all(const struct place *place, const char *mode_text) {
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

int do_remove(const struct place *place, int flag) {
    const char *name;
    int parent = open_parent(place, &name);
    if (parent < 0) {
        return errno == ENOENT ? put("absent") : -1;
    }
    nobody_waits();
    int result = unlinkat(parent, name, flag);
    if (result < 0 && errno == EPERM && flag == AT_REMOVEDIR && set_sealed(parent, name, 0) == 0) {
        result = unlinkat(parent, name, flag);
    }
    int why = errno;
    close(parent);
    errno = why;
    return result == 0 ? put("removed") : errno == ENOENT ? put("absent") : -1;
}

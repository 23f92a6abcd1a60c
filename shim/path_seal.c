/*
 * Directories that are only to be mounted on: nobody, root neither, makes or removes anything in a
 * sealed one (FS_IMMUTABLE_FL of ioctl_iflags(2)), should its mount be gone.
 */
#define _GNU_SOURCE
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than some C libraries (open_tree(2), from Linux 5.2). */
#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#define TREE_CLONE 1

/* As linux/fs.h has it, which not every machine does. The kernel reads and writes an int. */
#define GET_FLAGS _IOR('f', 1, long)
#define SET_FLAGS _IOW('f', 2, long)
#define IMMUTABLE 0x10

/* Opens the directory itself, whatever is mounted on it: nobody behind a mount is asked. */
static int open_underneath(int parent, const char *name) {
    int bare = (int)syscall(SYS_open_tree, parent, "", TREE_CLONE | AT_EMPTY_PATH | O_CLOEXEC);
    if (bare < 0) {
        return -1;
    }
    int fd = openat(bare, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int why = errno;
    close(bare);
    errno = why;
    return fd;
}

int set_sealed(int parent, const char *name, int sealed) {
    int flags = 0;
    int fd = open_underneath(parent, name);
    int result = fd < 0 ? -1 : ioctl(fd, GET_FLAGS, &flags);
    int wanted = sealed ? flags | IMMUTABLE : flags & ~IMMUTABLE;
    if (result == 0 && wanted != flags) {
        nobody_waits();
        result = ioctl(fd, SET_FLAGS, &wanted);
    }
    int why = errno;
    if (fd >= 0) {
        close(fd);
    }
    errno = why;
    return result;
}

/* Whether the error says that the file system or the kernel has no seals, or gives this process none. */
static int has_no_seals(int why) {
    return why == ENOTTY || why == EOPNOTSUPP || why == ENOSYS || why == EPERM || why == EACCES ||
           why == EINVAL || why == EROFS;
}

int do_seal(const struct place *place, int sealed) {
    const char *name;
    int parent = open_parent(place, &name);
    if (parent < 0) {
        return errno == ENOENT ? put("absent") : -1;
    }
    int result = set_sealed(parent, name, sealed);
    int why = errno;
    close(parent);
    errno = why;
    return result == 0         ? put(sealed ? "sealed" : "unsealed")
           : why == ENOENT     ? put("absent")
           : has_no_seals(why) ? put("cannot")
                               : -1;
}

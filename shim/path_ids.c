/*
 * User namespaces that say whose the files of a mount are (mount_setattr(2), MOUNT_ATTR_IDMAP): what
 * is one user's on the disk is another's in the mount, and the other way round; all else is as it is.
 */
#define _GNU_SOURCE
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAST_ID 4294967294LL

/* In the child: a namespace of its own, for as long as `hold` is open at the other end. */
_Noreturn static void be_namespace(int told, int hold) {
    char byte;
    int why = unshare(CLONE_NEWUSER) < 0 ? errno : 0;
    if (write_all(told, &why, sizeof why) == 0) {
        (void)!read(hold, &byte, 1);
    }
    _exit(0);
}

static int add(char *text, size_t room, long long inside, long long outside, long long count) {
    size_t used = strlen(text);
    return count <= 0 ? 0
                      : snprintf(text + used, room - used, "%lld %lld %lld\n", inside, outside, count);
}

/* Five extents: the two that are exchanged, and what is before, between and after them. */
static int write_map(pid_t process, const char *file, const char *on_disk, const char *seen) {
    char path[64];
    char text[256] = "";
    long long disk = strtoll(on_disk, NULL, 10);
    long long own = strtoll(seen, NULL, 10);
    long long low = disk < own ? disk : own;
    long long high = disk < own ? own : disk;
    if (low < 0 || high > LAST_ID || low == high) {
        errno = EINVAL;
        return -1;
    }
    add(text, sizeof text, 0, 0, low);
    add(text, sizeof text, disk, own, 1);
    add(text, sizeof text, own, disk, 1);
    add(text, sizeof text, low + 1, low + 1, high - low - 1);
    add(text, sizeof text, high + 1, high + 1, LAST_ID - high);
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, file);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    size_t size = strlen(text);
    int result = write(fd, text, size) == (ssize_t)size ? 0 : -1;
    int why = errno;
    close(fd);
    errno = why;
    return result;
}

static int open_namespace(pid_t process, const char *const *ids) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/user", (int)process);
    return write_map(process, "uid_map", ids[0], ids[2]) < 0 ||
                   write_map(process, "gid_map", ids[1], ids[2]) < 0
               ? -1
               : open(path, O_RDONLY | O_CLOEXEC);
}

int namespace_of_ids(const char *const *ids) {
    int told[2];
    int hold[2];
    if (pipe2(told, O_CLOEXEC) < 0) {
        return -1;
    }
    if (pipe2(hold, O_CLOEXEC) < 0) {
        close(told[0]);
        close(told[1]);
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        close(told[0]);
        close(hold[1]);
        be_namespace(told[1], hold[0]);
    }
    int why = errno;
    close(told[1]);
    close(hold[0]);
    int fd = -1;
    if (child > 0) {
        int failed;
        ssize_t got;
        while ((got = read(told[0], &failed, sizeof failed)) < 0 && errno == EINTR) {
        }
        errno = got == sizeof failed ? failed : ECHILD;
        if (errno == 0) {
            fd = open_namespace(child, ids);
        }
        why = errno;
    }
    close(told[0]);
    close(hold[1]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    errno = why;
    return fd;
}

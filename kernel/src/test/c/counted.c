/*
 * Linked into a path worker of a test (--wrap) in the place of calls of the C library: each call that
 * mounts, unmounts or removes is a line in the file that COUNTED names. With DOUBLED=N, DIRECTORY/d
 * first is, in a mount namespace of its own, bound onto itself N times, as a plugin can do.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

int __real_mount(const char *from, const char *to, const char *type, unsigned long flags, const void *data);
int __real_umount2(const char *target, int flags);
int __real_unlinkat(int directory, const char *name, int flags);

static void note(const char *call) {
    static int file = -1;
    if (file < 0) {
        file = open(COUNTED, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    (void)!write(file, call, strlen(call));
}

int __wrap_mount(const char *from, const char *to, const char *type, unsigned long flags, const void *data) {
    note(flags & MS_REC ? "mount-recursive\n" : "mount\n");
    return __real_mount(from, to, type, flags, data);
}

int __wrap_umount2(const char *target, int flags) {
    note(flags & MNT_DETACH ? "unmount-detached\n" : "unmount\n");
    return __real_umount2(target, flags);
}

int __wrap_unlinkat(int directory, const char *name, int flags) {
    note("unlinkat\n");
    return __real_unlinkat(directory, name, flags);
}

__attribute__((constructor)) static void double_table(void) {
    static const char doubled[] = DIRECTORY "/d";
    int failed = unshare(CLONE_NEWNS) < 0 || __real_mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
                 __real_mount("none", DIRECTORY, "tmpfs", 0, NULL) < 0 ||
                 __real_mount(NULL, DIRECTORY, NULL, MS_SHARED, NULL) < 0 || mkdir(doubled, 0700) < 0;
    for (int i = 0; !failed && i < DOUBLED; i++) {
        failed = __real_mount(doubled, doubled, NULL, MS_BIND, NULL) < 0;
    }
    if (failed) {
        perror("doubling the mount table");
        _exit(1);
    }
}

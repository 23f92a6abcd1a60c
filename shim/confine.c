/*
 * `shim confine DIR COMMAND...`: becomes a command that may write nowhere but in DIR, for work on
 * what strangers made. It keeps its user, so that it finds its own program wherever that is, and
 * loses what that user may do: it has a mount namespace of its own in which all is read-only but
 * DIR, where nothing can be executed or is a device; of root's capabilities only the one to read.
 * Mounts that nothing of the command lies on are not in that namespace: it would hold a volume that
 * everybody else has unmounted.
 * Older kernels than 5.12 cannot make all mounts read-only at once: there it loses the
 * capabilities only.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_CAPABILITIES 64
#define RECURSIVE 0x8000 /* AT_RECURSIVE */

static int change_mount(const char *path, int recursive, unsigned long long set,
                        unsigned long long clear) {
    struct mount_attr attr = {.attr_set = set, .attr_clr = clear};
    return (int)syscall(SYS_mount_setattr, AT_FDCWD, path, recursive, &attr, sizeof attr);
}

/* What every program needs, beside the paths that its command names. */
static const char *const NEEDED[] = {"/dev/null", "/etc/hosts", "/lib/x", "/lib64/x", "/proc/self",
                                     "/root/x",   "/run/x",     "/usr/lib/x", "/var/lib/x"};

/* Whether a path of `length` lies on the mount or below it. */
static int lies_on(const char *path, size_t length, const char *mount) {
    size_t size = strlen(mount);
    return size == 1 || (length >= size && !memcmp(path, mount, size) &&
                         (length == size || path[size] == '/'));
}

/* Whether a word of the command, or a path in a list such as a class path, lies on the mount. */
static int is_needed(const char *mount, const char *directory, char *const *command) {
    int needed = lies_on(directory, strlen(directory), mount);
    for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++) {
        needed |= lies_on(NEEDED[i], strlen(NEEDED[i]), mount);
    }
    for (; *command && !needed; command++) {
        for (const char *word = *command; *word && !needed; word += *word == ':') {
            size_t length = strcspn(word, ":");
            needed = lies_on(word, length, mount);
            word += length;
        }
    }
    return needed;
}

/* As the kernel writes paths: spaces and the like as a backslash and three octal digits. */
static void unescape(char *path) {
    char *to = path;
    for (; *path; to++) {
        unsigned code;
        if (*path == '\\' && sscanf(path + 1, "%3o", &code) == 1) {
            *to = (char)code;
            path += 4;
        } else {
            *to = *path++;
        }
    }
    *to = 0;
}

static void drop_mounts(const char *directory, char *const *command) {
    FILE *mounts = fopen("/proc/self/mountinfo", "re");
    char **targets = NULL;
    size_t count = 0;
    char *line = NULL;
    size_t room = 0;
    while (mounts && getline(&line, &room, mounts) > 0) {
        char *target = NULL;
        char **more = realloc(targets, (count + 1) * sizeof *targets);
        if (more && sscanf(line, "%*s %*s %*s %*s %ms", &target) == 1) {
            unescape(target);
            more[count++] = target;
        }
        targets = more ? more : targets;
    }
    if (mounts) {
        fclose(mounts);
    }
    while (count > 0) {
        if (!is_needed(targets[--count], directory, command)) {
            umount2(targets[count], MNT_DETACH | UMOUNT_NOFOLLOW);
        }
    }
}

/* Where the failed step is named; NULL if all is well. */
static const char *close_in(const char *directory, char *const *command) {
    if (unshare(CLONE_NEWNS | CLONE_NEWIPC) < 0) {
        return "leaving the machine's mounts";
    }
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) {
        return "keeping mounts to itself";
    }
    drop_mounts(directory, command);
    if (mount(directory, directory, NULL, MS_BIND, NULL) < 0) {
        return "binding the directory";
    }
    if (change_mount("/", RECURSIVE, MOUNT_ATTR_RDONLY, 0) < 0) {
        return errno == ENOSYS ? NULL : "making all read-only";
    }
    if (change_mount(directory, 0, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC,
                     MOUNT_ATTR_RDONLY) < 0) {
        return "opening the directory";
    }
    return NULL;
}

static const char *lose_capabilities(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[2] = {{0}, {0}};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) {
        return "giving up new privileges";
    }
    for (int i = 0; i < MOST_CAPABILITIES; i++) {
        if (i != CAP_DAC_READ_SEARCH && prctl(PR_CAPBSET_DROP, i, 0, 0, 0) < 0 &&
            errno != EINVAL) {
            return "dropping capabilities";
        }
    }
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    sets[0].permitted = sets[0].effective = 1U << CAP_DAC_READ_SEARCH;
    return syscall(SYS_capset, &head, sets) < 0 ? "dropping capabilities" : NULL;
}

int confine_main(const char *directory, char **command) {
    struct rlimit none = {0, 0};
    const char *failed =
        *directory == '/' ? close_in(directory, command) : "reading the directory's path";
    failed = failed ? failed : lose_capabilities();
    if (!failed) {
        setrlimit(RLIMIT_CORE, &none);
        setsid();
        if (chdir(directory) < 0) {
            failed = "entering the directory";
        } else {
            execvp(command[0], command);
            failed = "executing the command";
        }
    }
    char text[200];
    snprintf(text, sizeof text, "%s failed: %s\n", failed, strerror(errno));
    write_all(2, text, strlen(text));
    return EXIT_USAGE;
}

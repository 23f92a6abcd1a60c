/*
 * The root of a confined command (confine.c): a small file system in memory, into which is bound,
 * read-only, what every program needs, and the paths that this one does; and its own directory. What is
 * not named here is not there: no directory of users, of the agent or of tasks, no socket, no volume,
 * which therefore is held by nobody who fetches.
 */
#define _GNU_SOURCE
#include "confine.h"
#include "path.h"
#include "shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_COPIED (1 << 20)

/* Programs and libraries; links stay links. */
static const char *const SYSTEM[] = {"/usr",   "/bin",    "/sbin",      "/lib",      "/lib32",
                                     "/lib64", "/libx32", "/nix/store", "/gnu/store"};

/* Whom to trust, and chance. */
static const char *const SHOWN[] = {
    "/etc/alternatives", "/etc/ca-certificates", "/etc/crypto-policies", "/etc/pki", "/etc/ssh",
    "/etc/ssl",          "/dev/null",            "/dev/random",          "/dev/urandom"};

/* What names mean. Copied, since what such a file really is may be a link to anywhere. */
static const char *const COPIED[] = {"/etc/gai.conf",   "/etc/host.conf",     "/etc/hosts",
                                     "/etc/ld.so.cache", "/etc/localtime",    "/etc/nsswitch.conf",
                                     "/etc/protocols",  "/etc/resolv.conf",   "/etc/services"};

/* Which hosts ssh knows. */
static const char KNOWN_HOSTS[] = "/root/.ssh/known_hosts";
static const char KNOWN_HOSTS_THERE[] = "/home/.ssh/known_hosts";

/* All of it is made in the current directory. */
static const char *inside(const char *path) {
    return path + 1;
}

/* Makes the directories above a path. */
static int make_above(const char *path) {
    char above[PATH_MAX];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        size_t length = (size_t)(slash - path);
        if (length >= sizeof above) {
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(above, path, length);
        above[length] = 0;
        if (mkdir(inside(above), 0755) < 0 && errno != EEXIST) {
            return -1;
        }
    }
    return 0;
}

static int set_options(const char *target, unsigned long options) {
    int fd = open(target, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    int result = mount(NULL, target, NULL, MS_REMOUNT | MS_BIND | options | kept_options(fd), NULL);
    int why = errno;
    close(fd);
    errno = why;
    return result;
}

/* Binds what is at `source` to a path, without what is mounted below it. */
static int bind_at(const char *source, const char *path, const struct stat *stat, unsigned long options) {
    int is_directory = S_ISDIR(stat->st_mode);
    if (make_above(path) < 0) {
        return -1;
    }
    if (is_directory && mkdir(inside(path), 0755) < 0 && errno != EEXIST) {
        return -1;
    }
    if (!is_directory) {
        int made = open(inside(path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
        if (made < 0 && errno != EEXIST) {
            return -1;
        }
        if (made >= 0) {
            close(made);
        }
    }
    return mount(source, inside(path), NULL, MS_BIND, NULL) < 0 ? -1 : set_options(inside(path), options);
}

/* Where nothing is, nothing is shown. */
static int show(const char *path) {
    struct stat found;
    if (stat(path, &found) < 0) {
        return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
    }
    int is_device = S_ISCHR(found.st_mode);
    return bind_at(path, path, &found, MS_RDONLY | MS_NOSUID | (is_device ? 0 : MS_NODEV));
}

/* As `show`; a link as that link. */
static int show_system(const char *path) {
    char target[PATH_MAX];
    ssize_t size = readlink(path, target, sizeof target - 1);
    if (size < 0) {
        return show(path);
    }
    target[size] = 0;
    return symlink(target, inside(path));
}

static int write_file(const char *path, const char *text, size_t size) {
    int fd = make_above(path) < 0
                 ? -1
                 : open(inside(path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
    if (fd < 0) {
        return -1;
    }
    int result = write_all(fd, text, size);
    return close(fd) < 0 ? -1 : result;
}

/* What cannot be read is not there. */
static int copy(const char *from, const char *to) {
    static char text[MOST_COPIED];
    size_t size = 0;
    ssize_t got = 0;
    int fd = open(from, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    while (size < sizeof text && (got = read(fd, text + size, sizeof text - size)) > 0) {
        size += (size_t)got;
    }
    close(fd);
    return got < 0 ? 0 : write_file(to, text, size);
}

/* Java's settings, which some systems keep apart from it. */
static int show_settings_of_java(void) {
    char path[PATH_MAX];
    DIR *etc = opendir("/etc");
    struct dirent *entry;
    int result = 0;
    while (etc && result == 0 && (entry = readdir(etc))) {
        if (!strncmp(entry->d_name, "java", 4)) {
            snprintf(path, sizeof path, "/etc/%s", entry->d_name);
            result = show(path);
        }
    }
    if (etc) {
        closedir(etc);
    }
    return result;
}

/* Whoever asks who it is, as ssh does, is told. */
static int name_user(uid_t user) {
    char text[200];
    int size = snprintf(text, sizeof text, "cleat-fetch:x:%u:%u::/home:/\n", (unsigned)user, (unsigned)user);
    if (write_file("/etc/passwd", text, (size_t)size) < 0) {
        return -1;
    }
    size = snprintf(text, sizeof text, "cleat-fetch:x:%u:\n", (unsigned)user);
    return write_file("/etc/group", text, (size_t)size);
}

static int fill(const struct confined *confined) {
    int result = name_user(confined->user);
    for (size_t i = 0; result == 0 && i < sizeof SYSTEM / sizeof *SYSTEM; i++) {
        result = show_system(SYSTEM[i]);
    }
    for (size_t i = 0; result == 0 && i < sizeof COPIED / sizeof *COPIED; i++) {
        result = copy(COPIED[i], COPIED[i]);
    }
    for (size_t i = 0; result == 0 && i < sizeof SHOWN / sizeof *SHOWN; i++) {
        result = show(SHOWN[i]);
    }
    result = result == 0 ? show_settings_of_java() : result;
    result = result == 0 ? copy(KNOWN_HOSTS, KNOWN_HOSTS_THERE) : result;
    for (char *const *path = confined->paths; result == 0 && path < confined->command - 1; path++) {
        result = show(*path);
    }
    return result < 0 || (mkdir("proc", 0555) < 0 && errno != EEXIST) ? -1 : 0;
}

/* Gives the directory to its user; it is ours until then, and open at `fd`. */
static int give(int fd, uid_t user, struct stat *stat) {
    if (fstat(fd, stat) < 0) {
        return -1;
    }
    if (stat->st_uid != geteuid()) {
        errno = EPERM;
        return -1;
    }
    return fchown(fd, user, user);
}

const char *make_root(const struct confined *confined) {
    struct stat stat;
    char own[64];
    if (unshare(CLONE_NEWNS) < 0) {
        return "leaving the machine's mounts";
    }
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) {
        return "keeping mounts to itself";
    }
    int directory = open(confined->directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0 || give(directory, confined->user, &stat) < 0) {
        return "taking the directory";
    }
    /* Over the directory itself, which is reached by its handle from here on. */
    umask(0);
    if (mount("none", confined->directory, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=16m") < 0 ||
        chdir(confined->directory) < 0) {
        return "making a root";
    }
    if (fill(confined) < 0) {
        return "filling the root";
    }
    snprintf(own, sizeof own, "/proc/self/fd/%d", directory);
    if (bind_at(own, confined->directory, &stat, MS_NOSUID | MS_NODEV | MS_NOEXEC) < 0) {
        return "binding the directory";
    }
    close(directory);
    if (syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0 || chdir("/") < 0) {
        return "changing the root";
    }
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0) {
        return "showing its own processes";
    }
    if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0) {
        return "making the root read-only";
    }
    umask(022);
    return NULL;
}

/* Paths that a task is not to change, and such that it is not to see, each by each way. */
#define _GNU_SOURCE
#include "attack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

/* A path, and what is done to it. */
struct deed {
    const char *path;
    long (*act)(const char *path);
};

static enum verdict done(const void *with) {
    const struct deed *deed = with;
    errno = 0;
    return refused(deed->act(deed->path));
}

static const char *below(const char *directory) {
    static char path[LONGEST * 2];
    snprintf(path, sizeof path, "%s/%s", directory, mark());
    return path;
}

static long create(const char *path) {
    return open(below(path), O_CREAT | O_EXCL | O_WRONLY, 0666);
}
static long make_directory(const char *path) {
    return mkdir(below(path), 0777);
}
static long make_link(const char *path) {
    return symlink("/", below(path));
}
static long make_pipe(const char *path) {
    return mkfifo(below(path), 0666);
}
static long make_disk(const char *path) {
    return mknod(below(path), S_IFBLK | 0666, makedev(8, 0));
}
static long make_device(const char *path) {
    return mknod(below(path), S_IFCHR | 0666, makedev(1, 1));
}
static long make_socket(const char *path) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    if (strlen(below(path)) >= sizeof at.sun_path) {
        errno = ENOENT;
        return -1;
    }
    strcpy(at.sun_path, below(path));
    return bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at);
}
static long make_temporary(const char *path) {
    return open(path, O_TMPFILE | O_RDWR, 0600);
}
static long write_into(const char *path) {
    return open(path, O_WRONLY | O_NONBLOCK);
}
static long cut(const char *path) {
    return truncate(path, 0);
}
static long give_away(const char *path) {
    return lchown(path, 12345, 12345);
}
static long open_to_all(const char *path) {
    return chmod(path, 0777);
}
static long touch(const char *path) {
    struct timespec times[2] = {{1, 0}, {1, 0}};
    return utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}
static long mark_it(const char *path) {
    return setxattr(path, "user.taken", "x", 1, 0);
}
static long rename_it(const char *path) {
    char other[LONGEST * 2];
    snprintf(other, sizeof other, "%s-%s", path, mark());
    long result = rename(path, other);
    if (result == 0) {
        rename(other, path);
    }
    return result;
}
static long list(const char *path) {
    DIR *directory = opendir(path);
    return directory ? 0 : -1;
}
static long read_it(const char *path) {
    char text[4096];
    int file = open(path, O_RDONLY | O_NONBLOCK);
    return file < 0 ? -1 : read(file, text, sizeof text);
}
/* In the place of what is masked lies an empty file. */
static long read_something(const char *path) {
    errno = 0;
    if (read_it(path) > 0) {
        return 0;
    }
    errno = errno ? errno : EACCES;
    return -1;
}
static long hold_lock(const char *path) {
    int file = open(path, O_RDONLY | O_NONBLOCK);
    return file < 0 ? -1 : flock(file, LOCK_SH | LOCK_NB);
}
static long watch(const char *path) {
    return inotify_add_watch(inotify_init(), path, IN_ALL_EVENTS);
}
static long speak_to(const char *path) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof at.sun_path) {
        errno = ENOENT;
        return -1;
    }
    strcpy(at.sun_path, path);
    return connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at);
}
static long has_a_second_name(const char *path) {
    char own[LONGEST];
    char word = '1';
    snprintf(own, sizeof own, "%s/second-%d", setting("own"), getpid());
    if (link(path, own)) {
        return -1;
    }
    unlink(own);
    int rule = open("/proc/sys/fs/protected_hardlinks", O_RDONLY);
    if (read(rule, &word, 1) == 1 && word == '0') {
        detail("fs.protected_hardlinks is 0 on this machine");
        errno = ECANCELED;
        return -1;
    }
    return 0;
}
static long remove_it(const char *path) {
    long result = unlink(path);
    return result && errno == EISDIR ? rmdir(path) : result;
}
static long look_at(const char *path) {
    struct stat now;
    return lstat(path, &now);
}

struct named {
    const char *name;
    long (*act)(const char *path);
};

static const struct named in_directories[] = {
    {"create", create},           {"mkdir", make_directory},   {"link", make_link},
    {"fifo", make_pipe},          {"block_device", make_disk}, {"device", make_device},
    {"socket", make_socket},      {"tmpfile", make_temporary}, {"chown", give_away},
    {"chmod", open_to_all},       {"touch", touch},            {"rename", rename_it},
};

static const struct named on_files[] = {
    {"write", write_into}, {"truncate", cut},      {"chown", give_away}, {"chmod", open_to_all},
    {"touch", touch},      {"xattr", mark_it},     {"rename", rename_it},
};

static const struct named of_others[] = {
    {"list", list},       {"read", read_it},   {"write", write_into}, {"truncate", cut},
    {"chown", give_away}, {"chmod", open_to_all}, {"touch", touch},   {"xattr", mark_it},
    {"rename", rename_it}, {"create", create}, {"mkdir", make_directory}, {"symlink", make_link},
    {"bind", make_socket}, {"tmpfile", make_temporary}, {"lock", hold_lock}, {"watch", watch},
    {"connect", speak_to}, {"hard_link", has_a_second_name}, {"remove", remove_it},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static void all(const char *area, const char *const *paths, size_t count, const struct named *deeds,
                size_t deed_count) {
    char name[LONGEST * 2];
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < deed_count; k++) {
            struct deed deed = {paths[i], deeds[k].act};
            snprintf(name, sizeof name, "%s:%s", deeds[k].name, paths[i]);
            attempt(area, name, done, &deed);
        }
    }
}

/* The machine's directories and files as a container sees them, and what of the kernel is shown. */
void attack_system(void) {
    static const char *const directories[] = {
        "/",         "/usr",        "/usr/bin",    "/usr/lib",      "/bin",
        "/sbin",     "/lib",        "/etc",        "/etc/ssl",      "/sys",
        "/sys/kernel", "/sys/fs/cgroup", "/proc",  "/proc/sys",     "/proc/sys/kernel",
        "/alloc/logs", "/proc/irq", "/proc/bus",   "/proc/fs",
    };
    static const char *const files[] = {
        "/etc/passwd", "/etc/group", "/etc/hosts", "/etc/resolv.conf", "/usr/bin/env",
        "/.cleat-init", "/bin/sh",
    };
    /* To open one of these for writing is enough to tell. */
    static const char *const switches[] = {
        "/proc/sysrq-trigger",
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/kernel/modprobe",
        "/proc/sys/kernel/hostname",
        "/proc/sys/kernel/panic",
        "/proc/sys/kernel/sysrq",
        "/proc/sys/kernel/pid_max",
        "/proc/sys/kernel/randomize_va_space",
        "/proc/sys/kernel/yama/ptrace_scope",
        "/proc/sys/kernel/usermodehelper/inheritable",
        "/proc/sys/kernel/poweroff_cmd",
        "/proc/sys/vm/drop_caches",
        "/proc/sys/vm/overcommit_memory",
        "/proc/sys/vm/panic_on_oom",
        "/proc/sys/fs/file-max",
        "/proc/sys/fs/suid_dumpable",
        "/proc/sys/fs/protected_hardlinks",
        "/proc/sys/fs/binfmt_misc/register",
        "/proc/sys/net/ipv4/ip_forward",
        "/proc/sys/net/ipv4/conf/all/forwarding",
        "/proc/sys/user/max_user_namespaces",
        "/proc/irq/default_smp_affinity",
        "/proc/mtrr",
        "/proc/acpi",
        "/proc/scsi/scsi",
        "/sys/kernel/uevent_helper",
        "/sys/kernel/uevent_seqnum",
        "/sys/kernel/mm/transparent_hugepage/enabled",
        "/sys/kernel/kexec_loaded",
        "/sys/kernel/debug",
        "/sys/kernel/tracing",
        "/sys/kernel/security",
        "/sys/power/state",
        "/sys/power/disk",
        "/sys/devices/system/cpu/cpu1/online",
        "/sys/class/net/lo/mtu",
        "/sys/block/loop0/queue/read_ahead_kb",
        "/sys/module/kernel/parameters/panic",
        "/sys/firmware/efi/efivars",
        "/sys/fs/cgroup/release_agent",
        "/sys/fs/cgroup/cgroup.procs",
        "/sys/fs/cgroup/memory/release_agent",
        "/sys/fs/cgroup/memory/cgroup.procs",
        "/sys/fs/cgroup/memory/notify_on_release",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/pids/release_agent",
        "/sys/fs/cgroup/pids/pids.max",
        "/sys/fs/cgroup/devices/devices.allow",
        "/sys/fs/cgroup/devices/release_agent",
        "/sys/fs/cgroup/cpu/cpu.shares",
        "/sys/fs/cgroup/freezer/freezer.state",
        "/sys/fs/cgroup/rdma/release_agent",
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/pids.max",
        "/sys/fs/cgroup/cgroup.kill",
        "/sys/fs/cgroup/cgroup.freeze",
    };
    static const struct named opened[] = {{"write", write_into}};
    /* What tells of the kernel's memory and keys: nothing may come of it. */
    static const char *const told[] = {
        "/proc/kcore",         "/proc/keys",          "/proc/timer_list",
        "/proc/timer_stats",   "/proc/sched_debug",   "/proc/latency_stats",
        "/proc/kmsg",          "/proc/acpi/wakeup",   "/proc/scsi/scsi",
        "/proc/asound/cards",  "/proc/1/stack",       "/sys/firmware/dmi/tables/DMI",
        "/sys/devices/virtual/powercap/uevent",
    };
    static const struct named reading[] = {{"read", read_something}};
    all("system", directories, COUNT(directories), in_directories, COUNT(in_directories));
    all("system", files, COUNT(files), on_files, COUNT(on_files));
    all("kernel", switches, COUNT(switches), opened, COUNT(opened));
    all("kernel", told, COUNT(told), reading, COUNT(reading));
}

/* Files and sockets of the machine that a container does not show. */
void attack_hidden(void) {
    static const char *const ways[] = {
        "%s",
        "/proc/1/root%s",
        "/proc/self/root/../../../../../../..%s",
        "/proc/1/cwd/../../../../..%s",
        "/local/../../../../../../../..%s",
        "/alloc/../../../../../../../..%s",
        "/alloc/logs/../../../../../../..%s",
        "/proc/self/cwd/../../../../../..%s",
        "/proc/self/fd/3/../../../../../..%s",
        "/proc/self/fd/7/../../../../../..%s",
        "/proc/self/fd/8/../../../../../..%s",
        "/dev/../../../../../..%s",
    };
    static const struct named deeds[] = {
        {"look", look_at}, {"read", read_it}, {"write", write_into}, {"connect", speak_to}};
    const char *hidden[64];
    int count = settings("hidden", hidden, 64);
    char path[LONGEST * 2];
    char name[LONGEST * 4];
    for (int i = 0; i < count; i++) {
        for (size_t way = 0; way < COUNT(ways); way++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(path, sizeof path, ways[way], hidden[i]);
#pragma GCC diagnostic pop
            for (size_t k = 0; k < COUNT(deeds); k++) {
                struct deed deed = {path, deeds[k].act};
                snprintf(name, sizeof name, "%s:%s", deeds[k].name, path);
                attempt("hidden", name, done, &deed);
            }
        }
    }
}

static enum verdict is_inside(const void *with) {
    const int *number = with;
    detail("%s", left_open(*number));
    return *left_open(*number) ? BROKEN : HELD;
}

static enum verdict works_inside(const void *with) {
    (void)with;
    char path[LONGEST];
    /* Outside of the root the kernel says so in front. */
    if (!getcwd(path, sizeof path)) {
        return NOT_RUN;
    }
    detail("%s", path);
    return *path == '/' ? HELD : BROKEN;
}

static enum verdict climbs_out(const void *with) {
    (void)with;
    struct stat before;
    struct stat after;
    stat("/", &before);
    int outside = open("/", O_RDONLY | O_DIRECTORY);
    mkdir("/tmp/jail", 0755);
    if (chroot("/tmp/jail")) {
        return refused(-1);
    }
    if (fchdir(outside)) {
        return NOT_RUN;
    }
    for (int i = 0; i < 64 && !chdir(".."); i++) {
    }
    stat(".", &after);
    return before.st_ino == after.st_ino && before.st_dev == after.st_dev ? HELD : BROKEN;
}

/* The places that are a task's: what holds them as walls is not its to take away. */
void attack_own_places(void) {
    static const char *const places[] = {"/alloc", "/alloc/logs", "/local", "/secrets", "/tmp",
                                         "/dev",   "/proc",       "/sys",   "/usr",     "/.cleat-init"};
    static const struct named deeds[] = {{"rename", rename_it}, {"remove", remove_it}};
    static const char *const making[] = {"/local", "/tmp", "/alloc/data", "/alloc/tmp", "/secrets",
                                         "/dev/shm", "/dev"};
    static const struct named nodes[] = {{"block_device", make_disk}, {"device", make_device}};
    all("own", places, COUNT(places), deeds, COUNT(deeds));
    all("own", making, COUNT(making), nodes, COUNT(nodes));
    static const int numbers[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    char name[64];
    for (size_t i = 0; i < COUNT(numbers); i++) {
        snprintf(name, sizeof name, "handle_%d_left_open", numbers[i]);
        attempt("own", name, is_inside, &numbers[i]);
    }
    attempt("own", "works_inside", works_inside, NULL);
    attempt("own", "chroot_and_up", climbs_out, NULL);
}

/* All that an agent has in its data directory, as a user of the machine. */
void attack_data(void) {
    const char *paths[MOST_VALUES];
    int count = settings("data", paths, MOST_VALUES);
    all("data", paths, (size_t)count, of_others, COUNT(of_others));
}

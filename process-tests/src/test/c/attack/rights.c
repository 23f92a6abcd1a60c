/* Rights that a task has not, and ways to get them by executing something. */
#define _GNU_SOURCE
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/* In the order of the kernel's numbers, with 1 for those that root in a container has. */
static const struct right {
    const char *name;
    int is_given;
} rights[] = {
    {"chown", 1},          {"dac_override", 1},   {"dac_read_search", 0}, {"fowner", 1},
    {"fsetid", 1},         {"kill", 1},           {"setgid", 1},          {"setuid", 1},
    {"setpcap", 1},        {"linux_immutable", 0}, {"net_bind_service", 1}, {"net_broadcast", 0},
    {"net_admin", 0},      {"net_raw", 0},        {"ipc_lock", 0},        {"ipc_owner", 0},
    {"sys_module", 0},     {"sys_rawio", 0},      {"sys_chroot", 1},      {"sys_ptrace", 0},
    {"sys_pacct", 0},      {"sys_admin", 0},      {"sys_boot", 0},        {"sys_nice", 0},
    {"sys_resource", 0},   {"sys_time", 0},       {"sys_tty_config", 0},  {"mknod", 0},
    {"lease", 0},          {"audit_write", 1},    {"audit_control", 0},   {"setfcap", 1},
    {"mac_override", 0},   {"mac_admin", 0},      {"syslog", 0},          {"wake_alarm", 0},
    {"block_suspend", 0},  {"audit_read", 0},     {"perfmon", 0},         {"bpf", 0},
    {"checkpoint_restore", 0},
};

static uint64_t held(const char *set) {
    char line[256];
    uint64_t found = ~0ULL;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        if (!strncmp(line, set, strlen(set))) {
            found = strtoull(line + strlen(set) + 1, NULL, 16);
        }
    }
    return found;
}

static enum verdict is_absent(const void *with) {
    const struct right *right = with;
    uint64_t bit = 1ULL << (right - rights);
    int may = right->is_given;
    if ((held("CapBnd:") & bit) && !may) {
        detail("it is in the bounding set");
        return BROKEN;
    }
    if ((held("CapEff:") & bit) && (!may || !is_root())) {
        detail("it is held");
        return BROKEN;
    }
    if ((held("CapAmb:") | held("CapInh:")) & bit) {
        detail("it is inherited");
        return BROKEN;
    }
    return HELD;
}

static enum verdict added(const void *with) {
    int number = (int)((const struct right *)with - rights);
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &head, data)) {
        return NOT_RUN;
    }
    uint32_t bit = 1U << (number % 32);
    data[number / 32].permitted |= bit;
    data[number / 32].effective |= bit;
    return refused(syscall(SYS_capset, &head, data));
}

static enum verdict new_rights(const void *with) {
    (void)with;
    prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0);
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? HELD : BROKEN;
}

static enum verdict filter_gone(const void *with) {
    (void)with;
    prctl(PR_SET_SECCOMP, 0, 0, 0, 0);
    syscall(SYS_seccomp, 0, 0, NULL);
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2 ? HELD : BROKEN;
}

#define USERS(X)                                                                                   \
    X(setuid_root, setuid(0))                                                                      \
    X(setgid_root, setgid(0))                                                                      \
    X(setreuid_root, setreuid(0, 0))                                                               \
    X(setresuid_root, setresuid(0, 0, 0))                                                          \
    X(setresgid_root, setresgid(0, 0, 0))                                                          \
    X(setgroups_root, setgroups(1, (gid_t[]){0}))                                                  \
    X(setgroups_disk, setgroups(1, (gid_t[]){6}))                                                  \
    X(setfsuid_root, (setfsuid(0), setfsuid(0) == 0 ? 0 : (errno = EPERM, -1)))                    \
    X(setuid_of_a_neighbour, setuid(getuid() + 1))

typedef long (*call)(void);

#define FUNCTION(name, expression)                                                                 \
    static long try_##name(void) {                                                                 \
        return (expression);                                                                       \
    }
USERS(FUNCTION)

static const struct {
    const char *name;
    call make;
} users[] = {
#define ENTRY(name, expression) {#name, try_##name},
    USERS(ENTRY)};

static enum verdict made(const void *with) {
    errno = 0;
    return refused((*(const call *)with)());
}

static int copied(const char *from, const char *to) {
    char part[65536];
    int in = open(from, O_RDONLY);
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0755);
    ssize_t size;
    while (in >= 0 && out >= 0 && (size = read(in, part, sizeof part)) > 0) {
        if (write(out, part, (size_t)size) != size) {
            size = -1;
            break;
        }
    }
    close(in);
    close(out);
    return in < 0 || out < 0 ? -1 : 0;
}


static enum verdict setuid_program(const void *with) {
    (void)with;
    const char *path = "/alloc/data/as-root";
    if (!is_root()) {
        detail("only who is root makes one");
        return HELD;
    }
    unlink(path);
    if (copied("/local/a/attacker", path) || chmod(path, 06755)) {
        return refused(-1);
    }
    struct stat now;
    stat(path, &now);
    /* It stays: the user of the machine tries it from outside. */
    int child = fork();
    if (child == 0) {
        if (setgroups(0, NULL) || setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)) {
            _exit(NOT_RUN);
        }
        execl(path, path, "who", (char *)NULL);
        _exit(HELD);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 42 ? BROKEN : HELD;
}

static enum verdict file_rights(const void *with) {
    (void)with;
    const char *path = "/alloc/data/with-rights";
    struct vfs_cap_data value = {
        .magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
        .data = {{.permitted = 1U << CAP_SYS_ADMIN}, {.permitted = 0}},
    };
    unlink(path);
    if (copied("/local/a/attacker", path)
        || setxattr(path, "security.capability", &value, XATTR_CAPS_SZ_2, 0)) {
        return refused(-1);
    }
    int child = fork();
    if (child == 0) {
        execl(path, path, "powers", (char *)NULL);
        _exit(HELD);
    }
    int status;
    waitpid(child, &status, 0);
    unlink(path);
    return WIFEXITED(status) && WEXITSTATUS(status) == 42 ? BROKEN : HELD;
}

void attack_rights(void) {
    char name[64];
    for (size_t i = 0; i < sizeof rights / sizeof *rights; i++) {
        snprintf(name, sizeof name, "has_%s", rights[i].name);
        attempt("rights", name, is_absent, &rights[i]);
        if (!rights[i].is_given) {
            snprintf(name, sizeof name, "add_%s", rights[i].name);
            attempt("rights", name, added, &rights[i]);
        }
    }
    attempt("rights", "no_new_privs_taken_back", new_rights, NULL);
    attempt("rights", "filter_taken_back", filter_gone, NULL);
    for (size_t i = 0; !is_root() && i < sizeof users / sizeof *users; i++) {
        attempt("rights", users[i].name, made, &users[i].make);
    }
    attempt("rights", "setuid_program_of_its_own", setuid_program, NULL);
    attempt("rights", "file_capabilities_of_its_own", file_rights, NULL);
}

/* System calls that a task is not to make: each is made such that it does no harm where it works. */
#define _GNU_SOURCE
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/fs.h>
#include <linux/keyctl.h>
#include <linux/mount.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static long remount(const char *place, unsigned long more) {
    return mount("none", place, "", MS_REMOUNT | MS_BIND | more, NULL);
}

static long bind_on(const char *place) {
    return mount("/tmp", place, "", MS_BIND, NULL);
}

static long clear_read_only(void) {
    struct mount_attr attributes = {.attr_clr = MOUNT_ATTR_RDONLY};
    return syscall(SYS_mount_setattr, AT_FDCWD, "/usr", AT_RECURSIVE, &attributes,
                   sizeof attributes);
}

static long bpf_map(void) {
    union bpf_attr attributes = {
        .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    return syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
}

static long bpf_program(void) {
    struct bpf_insn code[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K}, {.code = BPF_JMP | BPF_EXIT}};
    union bpf_attr attributes = {.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
                                 .insns = (uintptr_t)code,
                                 .insn_cnt = 2,
                                 .license = (uintptr_t) "GPL"};
    return syscall(SYS_bpf, BPF_PROG_LOAD, &attributes, sizeof attributes);
}

static long perf(int pid, int cpu) {
    struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
                                         .size = sizeof attributes,
                                         .config = PERF_COUNT_SW_CPU_CLOCK};
    return syscall(SYS_perf_event_open, &attributes, pid, cpu, -1, 0);
}

static long io_uring(void) {
    char parameters[512] = {0};
    return syscall(SYS_io_uring_setup, 4, parameters);
}

static long set_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return clock_settime(CLOCK_REALTIME, &now);
}

static long set_day(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return settimeofday(&now, NULL);
}

static long adjust(void) {
    struct timex how = {.modes = ADJ_TICK, .tick = 10000};
    return adjtimex(&how);
}

static long open_handle(void) {
    union {
        struct file_handle head;
        char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
    } handle = {.head = {.handle_bytes = MAX_HANDLE_SZ}};
    int mount_id;
    int at = open("/local", O_RDONLY | O_DIRECTORY);
    if (name_to_handle_at(AT_FDCWD, "/local", &handle.head, &mount_id, 0)) {
        /* As it was done to Docker: inode 2 is the root of most file systems. */
        handle.head.handle_bytes = 8;
        handle.head.handle_type = 1;
        memcpy(handle.head.f_handle, "\2\0\0\0\0\0\0\0", 8);
    }
    return open_by_handle_at(at, &handle.head, O_RDONLY);
}

static long of_first(long call, unsigned long flags) {
    char word[8];
    struct iovec local = {word, sizeof word};
    struct iovec remote = {(void *)0x400000, sizeof word};
    return syscall(call, 1, &local, 1, &remote, 1, flags);
}

static long steal_handle(void) {
    int first = (int)syscall(SYS_pidfd_open, 1, 0);
    return first < 0 ? -1 : syscall(SYS_pidfd_getfd, first, 0, 0);
}

static long advise_first(void) {
    struct iovec where = {(void *)0x400000, 4096};
    int first = (int)syscall(SYS_pidfd_open, 1, 0);
    return syscall(SYS_process_madvise, first, &where, 1, MADV_COLD, 0);
}

static long limit_of_first(void) {
    struct rlimit limit = {64, 64};
    return prlimit(1, RLIMIT_NOFILE, &limit, NULL);
}

static long more_files(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_max++;
    return setrlimit(RLIMIT_NOFILE, &limit);
}

static long real_time(void) {
    struct sched_param parameter = {.sched_priority = 1};
    return sched_setscheduler(0, SCHED_FIFO, &parameter);
}

static long flags_of_own_file(long flags) {
    char path[64];
    strcpy(path, "/local/flagged-file");
    int file = open(path, O_CREAT | O_RDWR, 0600);
    long result = ioctl(file, FS_IOC_SETFLAGS, &flags);
    int failed = errno;
    if (result == 0) {
        flags = 0;
        ioctl(file, FS_IOC_SETFLAGS, &flags);
    }
    unlink(path);
    errno = failed;
    return result;
}

static long on_own_directory(unsigned long request) {
    long word = 0;
    return ioctl(open("/local", O_RDONLY | O_DIRECTORY), request, &word);
}

static long trusted_attribute(void) {
    int file = open("/local/attribute", O_CREAT | O_RDWR, 0600);
    return fsetxattr(file, "trusted.x", "x", 1, 0);
}

/* What is loaded is nothing; the right is looked at first. */
#define CALLS(X)                                                                                   \
    X(mount_tmpfs, mount("none", "/tmp", "tmpfs", 0, NULL))                                        \
    X(mount_proc, mount("none", "/tmp", "proc", 0, NULL))                                          \
    X(mount_sysfs, mount("none", "/tmp", "sysfs", 0, NULL))                                        \
    X(mount_cgroup, mount("none", "/tmp", "cgroup", 0, "memory"))                                  \
    X(mount_cgroup_rdma, mount("none", "/tmp", "cgroup", 0, "rdma"))                               \
    X(mount_cgroup2, mount("none", "/tmp", "cgroup2", 0, NULL))                                    \
    X(mount_debugfs, mount("none", "/tmp", "debugfs", 0, NULL))                                    \
    X(mount_tracefs, mount("none", "/tmp", "tracefs", 0, NULL))                                    \
    X(mount_securityfs, mount("none", "/tmp", "securityfs", 0, NULL))                              \
    X(mount_bpf, mount("none", "/tmp", "bpf", 0, NULL))                                            \
    X(mount_devtmpfs, mount("none", "/tmp", "devtmpfs", 0, NULL))                                  \
    X(mount_devpts, mount("none", "/tmp", "devpts", 0, NULL))                                      \
    X(mount_mqueue, mount("none", "/tmp", "mqueue", 0, NULL))                                      \
    X(mount_binfmt, mount("none", "/tmp", "binfmt_misc", 0, NULL))                                 \
    X(mount_overlay, mount("none", "/tmp", "overlay", 0, "lowerdir=/usr,upperdir=/local,workdir=/alloc")) \
    X(mount_fuse, mount("none", "/tmp", "fuse", 0, "fd=0,rootmode=40000,user_id=0,group_id=0"))    \
    X(bind_on_usr, bind_on("/usr"))                                                                \
    X(bind_on_logs, bind_on("/alloc/logs"))                                                        \
    X(bind_on_secrets, bind_on("/secrets"))                                                        \
    X(bind_on_init, mount("/local/a/attacker", "/.cleat-init", "", MS_BIND, NULL))                 \
    X(bind_proc, mount("/proc", "/tmp", "", MS_BIND | MS_REC, NULL))                               \
    X(move_secrets, mount("/secrets", "/tmp", "", MS_MOVE, NULL))                                  \
    X(share_root, mount("none", "/", "", MS_SHARED | MS_REC, NULL))                                \
    X(remount_root_writable, remount("/", 0))                                                      \
    X(remount_usr_writable, remount("/usr", 0))                                                    \
    X(remount_etc_writable, remount("/etc/passwd", 0))                                             \
    X(remount_proc_sys_writable, remount("/proc/sys", 0))                                          \
    X(remount_sys_writable, remount("/sys", 0))                                                    \
    X(remount_logs_writable, remount("/alloc/logs", 0))                                            \
    X(remount_local_suid, remount("/local", 0))                                                    \
    X(remount_secrets_exec, remount("/secrets", 0))                                                \
    X(remount_whole_file_system, mount("none", "/local", "", MS_REMOUNT | MS_RDONLY, NULL))        \
    X(unmount_root, umount2("/", MNT_DETACH))                                                      \
    X(unmount_proc, umount2("/proc", MNT_DETACH))                                                  \
    X(unmount_proc_sys, umount2("/proc/sys", MNT_DETACH))                                          \
    X(unmount_kcore, umount2("/proc/kcore", MNT_DETACH))                                           \
    X(unmount_keys, umount2("/proc/keys", MNT_DETACH))                                             \
    X(unmount_firmware, umount2("/sys/firmware", MNT_DETACH))                                      \
    X(unmount_sys, umount2("/sys", MNT_DETACH))                                                    \
    X(unmount_dev, umount2("/dev", MNT_DETACH))                                                    \
    X(unmount_logs, umount2("/alloc/logs", MNT_DETACH))                                            \
    X(unmount_alloc, umount2("/alloc", MNT_DETACH))                                                \
    X(unmount_secrets, umount2("/secrets", MNT_DETACH))                                            \
    X(unmount_init, umount2("/.cleat-init", MNT_DETACH))                                           \
    X(fsopen_proc, syscall(SYS_fsopen, "proc", 0))                                                 \
    X(fsopen_tmpfs, syscall(SYS_fsopen, "tmpfs", 0))                                               \
    X(fsopen_ext4, syscall(SYS_fsopen, "ext4", 0))                                                 \
    X(fsopen_overlay, syscall(SYS_fsopen, "overlay", 0))                                           \
    X(fsopen_cgroup, syscall(SYS_fsopen, "cgroup", 0))                                             \
    X(fspick_root, syscall(SYS_fspick, AT_FDCWD, "/", 0))                                          \
    X(open_tree_of_root, syscall(SYS_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE | AT_RECURSIVE))    \
    X(open_tree_of_proc, syscall(SYS_open_tree, AT_FDCWD, "/proc", OPEN_TREE_CLONE))               \
    X(move_mount, syscall(SYS_move_mount, AT_FDCWD, "/secrets", AT_FDCWD, "/tmp", 0))              \
    X(mount_setattr_writable, clear_read_only())                                                   \
    X(pivot_root, syscall(SYS_pivot_root, "/tmp", "/tmp"))                                         \
    X(ptrace_attach_first, ptrace(PTRACE_ATTACH, 1, NULL, NULL))                                   \
    X(ptrace_seize_first, ptrace(PTRACE_SEIZE, 1, NULL, NULL))                                     \
    X(read_memory_of_first, of_first(SYS_process_vm_readv, 0))                                     \
    X(write_memory_of_first, of_first(SYS_process_vm_writev, 0))                                   \
    X(take_handle_of_first, steal_handle())                                                        \
    X(advise_first, advise_first())                                                                \
    X(compare_with_first, syscall(SYS_kcmp, 1, getpid(), 1, 0, 0))                                 \
    X(move_pages_of_first, syscall(SYS_move_pages, 1, 0, NULL, NULL, NULL, 0))                     \
    X(migrate_pages_of_first, syscall(SYS_migrate_pages, 1, 0, NULL, NULL))                        \
    X(keyring_of_session, syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0)) \
    X(keyring_of_user, syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1))       \
    X(keyring_joined, syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL))                      \
    X(add_key, syscall(SYS_add_key, "user", "x", "x", 1, KEY_SPEC_USER_KEYRING))                   \
    X(request_key, syscall(SYS_request_key, "user", "x", NULL, KEY_SPEC_USER_KEYRING))             \
    X(bpf_map, bpf_map())                                                                          \
    X(bpf_program, bpf_program())                                                                  \
    X(io_uring, io_uring())                                                                        \
    X(userfaultfd, syscall(SYS_userfaultfd, O_CLOEXEC))                                            \
    X(userfaultfd_for_users, syscall(SYS_userfaultfd, O_CLOEXEC | 1))                              \
    X(perf_of_itself, perf(0, -1))                                                                 \
    X(perf_of_machine, perf(-1, 0))                                                                \
    X(kexec_load, syscall(SYS_kexec_load, 0, 0, NULL, 0))                                          \
    X(kexec_file_load, syscall(SYS_kexec_file_load, -1, -1, 0, "", 8))                             \
    X(init_module, syscall(SYS_init_module, NULL, 0, ""))                                          \
    X(finit_module, syscall(SYS_finit_module, -1, "", 0))                                          \
    X(delete_module, syscall(SYS_delete_module, "no_such_module", O_NONBLOCK))                     \
    X(reboot, syscall(SYS_reboot, 0, 0, 0, NULL))                                                  \
    X(swapon, swapon("/local/none", 0))                                                            \
    X(swapoff, swapoff("/local/none"))                                                             \
    X(acct, acct("/local/none"))                                                                   \
    X(clock_settime, set_clock())                                                                  \
    X(settimeofday, set_day())                                                                     \
    X(adjtimex, adjust())                                                                          \
    X(sethostname, sethostname("taken", 5))                                                        \
    X(setdomainname, setdomainname("taken", 5))                                                    \
    X(iopl, syscall(SYS_iopl, 3))                                                                  \
    X(ioperm, syscall(SYS_ioperm, 0x80, 1, 1))                                                     \
    X(kernel_log_read, klogctl(3, (char[64]){0}, 64))                                              \
    X(kernel_log_size, klogctl(10, NULL, 0))                                                       \
    X(quotactl, syscall(SYS_quotactl, 0x800002 << 8, "/dev/null", 0, NULL))                        \
    X(open_by_handle_at, open_handle())                                                            \
    X(personality, syscall(SYS_personality, 0x0400000))                                            \
    X(fanotify_init, syscall(SYS_fanotify_init, 0, 0))                                             \
    X(vhangup, vhangup())                                                                          \
    X(limit_of_first, limit_of_first())                                                            \
    X(more_files_than_allowed, more_files())                                                       \
    X(real_time, real_time())                                                                      \
    X(negative_nice, setpriority(PRIO_PROCESS, 0, -5))                                             \
    X(real_time_disk, syscall(SYS_ioprio_set, 1, 0, 1 << 13))                                      \
    X(mbind, syscall(SYS_set_mempolicy, 0, NULL, 0))                                               \
    X(immutable_file, flags_of_own_file(FS_IMMUTABLE_FL))                                          \
    X(append_only_file, flags_of_own_file(FS_APPEND_FL))                                           \
    X(thaw_file_system, on_own_directory(FITHAW))                                                  \
    X(trim_file_system, on_own_directory(FITRIM))                                                  \
    X(trusted_attribute, trusted_attribute())                                                      \
    X(device_of_kernel_memory, open("/dev/mem", O_RDONLY))                                         \
    X(device_of_kernel_log, open("/dev/kmsg", O_RDONLY))                                           \
    X(device_of_fuse, open("/dev/fuse", O_RDWR))                                                   \
    X(device_of_tunnels, open("/dev/net/tun", O_RDWR))                                             \
    X(device_of_loops, open("/dev/loop-control", O_RDWR))                                          \
    X(device_of_machines, open("/dev/kvm", O_RDWR))                                                \
    X(device_of_console, open("/dev/console", O_RDWR | O_NOCTTY))

typedef long (*call)(void);

#define FUNCTION(name, expression)                                                                 \
    static long try_##name(void) {                                                                 \
        return (expression);                                                                       \
    }
CALLS(FUNCTION)

static const struct {
    const char *name;
    call make;
} calls[] = {
#define ENTRY(name, expression) {#name, try_##name},
    CALLS(ENTRY)};

static enum verdict made(const void *with) {
    errno = 0;
    return refused((*(const call *)with)());
}

void attack_calls(void) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        attempt("calls", calls[i].name, made, &calls[i].make);
    }
}

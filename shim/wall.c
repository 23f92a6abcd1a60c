/*
 * What keeps a task from the processes of ours that run beside it as its user: the first one of its
 * container, and those that it forks for commands.
 *
 * A process that is not dumpable is out of reach for ptrace(2), process_vm_writev(2) and whoever
 * opens its /proc/PID/fd, mem, root or environ, also for root in a container, unless the job was
 * given `sys_ptrace`. The kernel makes it so by each fork, and undoes it by executing a program: so
 * that what the task itself runs can be debugged as ever.
 *
 * Of its capabilities a process of ours keeps in effect only that which signals a child which became
 * another user. The others stay permitted, for the commands that it starts have what the task has:
 * each takes them up right before it executes.
 */
#include "shim.h"

#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int wall_up(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
               ? -1
               : 0;
}

static struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};

static int set_effective(uint32_t kept) {
    struct __user_cap_data_struct sets[2];
    memset(sets, 0, sizeof sets);
    if (syscall(SYS_capget, &head, sets) < 0) {
        return -1;
    }
    sets[0].effective = sets[0].permitted & kept;
    sets[1].effective = kept == ~0U ? sets[1].permitted : 0;
    return (int)syscall(SYS_capset, &head, sets);
}

int capabilities_down(void) {
    return set_effective(1U << CAP_KILL);
}

int capabilities_up(void) {
    return set_effective(~0U);
}

int capabilities_away(void) {
    struct __user_cap_data_struct sets[2];
    memset(sets, 0, sizeof sets);
    return (int)syscall(SYS_capset, &head, sets);
}

#include "shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What stands behind the name in /proc/PID/stat (the name itself may hold any character). */
static char *stat_fields(pid_t pid, char *text, size_t size) {
    char file[64];
    snprintf(file, sizeof file, "/proc/%d/stat", (int)pid);
    if (read_small(file, text, size) < 0) {
        return NULL;
    }
    char *name_end = strrchr(text, ')');
    return name_end && name_end[1] ? name_end + 2 : NULL;
}

unsigned long long process_start(pid_t pid) {
    char text[1024];
    char *field = stat_fields(pid, text, sizeof text);
    /* Field 3 is the state, field 22 the start time. */
    for (int i = 3; field && i < 22; i++) {
        field = strchr(field, ' ');
        field = field ? field + 1 : NULL;
    }
    return field ? strtoull(field, NULL, 10) : 0;
}

static pid_t parent_of(pid_t pid) {
    char text[1024];
    char *field = stat_fields(pid, text, sizeof text);
    return field && field[0] ? (pid_t)strtol(field + 2, NULL, 10) : 0;
}

struct family {
    pid_t *members;
    size_t count;
    size_t room;
};

static int contains(const struct family *family, pid_t pid) {
    for (size_t i = 0; i < family->count; i++) {
        if (family->members[i] == pid) {
            return 1;
        }
    }
    return 0;
}

static int add(struct family *family, pid_t pid) {
    if (family->count == family->room) {
        size_t room = family->room ? family->room * 2 : 64;
        pid_t *more = realloc(family->members, room * sizeof(pid_t));
        if (!more) {
            return -1;
        }
        family->members = more;
        family->room = room;
    }
    family->members[family->count++] = pid;
    return 0;
}

/* Adds the children of members; returns how many were new. */
static int grow(struct family *family) {
    DIR *dir = opendir("/proc");
    struct dirent *entry;
    int found = 0;
    while (dir && (entry = readdir(dir))) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && !contains(family, pid) && contains(family, parent_of(pid)) &&
            add(family, pid) == 0) {
            found++;
        }
    }
    if (dir) {
        closedir(dir);
    }
    return found;
}

static int is_among(const pid_t *pids, pid_t pid) {
    for (; *pids; pids++) {
        if (*pids == pid) {
            return 1;
        }
    }
    return 0;
}

void kill_descendants(const pid_t *spared) {
    struct family family = {NULL, 0, 0};
    if (add(&family, getpid()) == 0) {
        while (grow(&family) > 0) {
        }
    }
    /* Orphans come to us (PR_SET_CHILD_SUBREAPER). An id can become another process's only when a
     * parent among these reaps it between our look and this line; control groups have no such gap,
     * which is why they are killed first. */
    for (size_t i = 1; i < family.count; i++) {
        if (!is_among(spared, family.members[i])) {
            kill(family.members[i], SIGKILL);
        }
    }
    free(family.members);
}

static int cgroup_file(const char *dir, const char *name, char *file, size_t size) {
    return snprintf(file, size, "%s/%s", dir, name) < (int)size ? 0 : -1;
}

static int cgroup_write(const char *dir, const char *name, const char *text) {
    char file[4096];
    if (cgroup_file(dir, name, file, sizeof file) < 0) {
        return -1;
    }
    int fd = open(file, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    int result = write_all(fd, text, strlen(text));
    int why = errno;
    close(fd);
    errno = why;
    return result;
}

int cgroup_join(const char *dir) {
    return cgroup_write(dir, "cgroup.procs", "0");
}

int cgroup_move(const char *dir, pid_t pid) {
    char text[16];
    snprintf(text, sizeof text, "%d", (int)pid);
    return cgroup_write(dir, "cgroup.procs", text);
}

int cgroup_shares_processors(const char *dir) {
    static const char *const files[] = {"cpu.weight", "cpu.shares", "cpuacct.usage"};
    char file[4096];
    for (int i = 0; i < 3; i++) {
        if (cgroup_file(dir, files[i], file, sizeof file) == 0 && access(file, F_OK) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Sends `signal` to each process of a control group, but those, and counts them. */
static int each(const char *dir, int signal, const pid_t *spared) {
    char file[4096];
    if (cgroup_file(dir, "cgroup.procs", file, sizeof file) < 0) {
        return 0;
    }
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    char text[512];
    ssize_t got;
    long pid = 0;
    int count = 0;
    while (fd >= 0 && (got = read(fd, text, sizeof text)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                pid = pid * 10 + (text[i] - '0');
            } else {
                if (pid > 0 && pid != getpid() && !is_among(spared, (pid_t)pid)) {
                    count++;
                    if (signal) {
                        kill((pid_t)pid, signal);
                    }
                }
                pid = 0;
            }
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return count;
}

void cgroup_kill(const char *dir, const pid_t *spared) {
    if (cgroup_write(dir, "cgroup.kill", "1") == 0) {
        return;
    }
    /* Version 1, or a kernel before 5.14: what is frozen cannot fork between reading and killing. */
    cgroup_write(dir, "freezer.state", "FROZEN");
    each(dir, SIGKILL, spared);
    cgroup_write(dir, "freezer.state", "THAWED");
}

int cgroup_count(const char *dir, const pid_t *spared) {
    return each(dir, 0, spared);
}

int cgroup_oom(const char *dir) {
    static const char *const files[] = {"memory.events", "memory.oom_control"};
    char file[4096];
    char text[1024];
    for (int i = 0; i < 2; i++) {
        if (cgroup_file(dir, files[i], file, sizeof file) == 0 &&
            read_small(file, text, sizeof text) >= 0) {
            char *kills = strstr(text, "oom_kill ");
            return kills ? strtol(kills + 9, NULL, 10) > 0 : -1;
        }
    }
    return -1;
}

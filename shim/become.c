/* The way from a fork to the program of a task, or of a command beside it. */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static _Noreturn void fail_child(int failure, const char *step, const char *what) {
    char text[400];
    int size = snprintf(text, sizeof text, "%s '%.250s' failed: %s", step, what, strerror(errno));
    write_all(failure, text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
    _exit(127);
}

/* None is above what this process has itself. */
static int limit_resources(const struct task *task) {
    for (int i = 0; i < task->rlimit_count; i++) {
        __rlimit_resource_t resource = (__rlimit_resource_t)task->rlimits[i].resource;
        struct rlimit limit;
        if (getrlimit(resource, &limit) < 0) {
            return -1;
        }
        if (limit.rlim_max > task->rlimits[i].most) {
            limit.rlim_max = (rlim_t)task->rlimits[i].most;
        }
        limit.rlim_cur = limit.rlim_max;
        if (setrlimit(resource, &limit) < 0) {
            return -1;
        }
    }
    return 0;
}

void become_task(const struct task *task, const struct streams *streams, int gate, int failure,
                 const char *oom_score) {
    setsid();
    for (int i = 0; i < task->cgroup_count; i++) {
        if (cgroup_join(task->cgroups[i]) < 0) {
            fail_child(failure, "joining the control group", task->cgroups[i]);
        }
    }
    dup2(streams->in, 0);
    dup2(streams->out, 1);
    dup2(streams->err, 2);
    if (streams->terminal && ioctl(0, TIOCSCTTY, 0) < 0) {
        fail_child(failure, "taking the terminal for", task->command);
    }
    char go;
    if (gate >= 0 && read(gate, &go, 1) != 1) {
        _exit(127); /* the shim died or could not write DIR/state */
    }
    int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0) {
        write_all(score, oom_score, strlen(oom_score));
        close(score);
    }
    if (chdir(task->cwd) < 0) {
        fail_child(failure, "entering the directory", task->cwd);
    }
    if (limit_resources(task) < 0) {
        fail_child(failure, "limiting the resources of", task->command);
    }
    if (task->has_user &&
        (setgroups((size_t)task->group_count, task->groups) < 0 || setgid(task->gid) < 0 ||
         setuid(task->uid) < 0)) {
        fail_child(failure, "becoming another user for", task->command);
    }
    umask(022);
    for (int i = 1; i < 65; i++) {
        signal(i, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (strchr(task->command, '/')) {
        execve(task->command, task->args, task->env);
    } else {
        environ = task->env; /* a bare name is looked for in the task's own PATH */
        execvp(task->command, task->args);
    }
    fail_child(failure, "executing", task->command);
}

/*
 * A task in a container: what the shim has an OCI runtime do (runtime-spec, "Operations"). The
 * runtime is called twice and gone after each call; the container's first process becomes our child
 * because we are the subreaper of the runtime that made it. Nothing is asked of the runtime at the
 * end: without processes a container is a control group and a directory.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALL_LIMIT_MS 20000 /* a runtime that hangs is killed */

extern char **environ;

/* The last sentence that the runtime wrote in its log: lines of JSON with a member "msg". */
static void last_words(const struct task *task, char *words, size_t size) {
    char text[8192];
    *words = 0;
    if (!task->runtime_log || read_small(task->runtime_log, text, sizeof text) < 0) {
        return;
    }
    char *at = NULL;
    for (char *next = text; (next = strstr(next, "\"msg\"")); next++) {
        at = next + 5;
    }
    at = at ? strchr(at, '"') : NULL;
    size_t used = 0;
    for (at = at ? at + 1 : NULL; at && *at && *at != '"' && used + 1 < size; at++) {
        if (*at == '\\' && at[1]) {
            at++;
            words[used++] = *at == 'n' ? ' ' : *at;
        } else {
            words[used++] = *at;
        }
    }
    words[used] = 0;
}

/* Runs the runtime with `verb` and what follows it; 0 when it ended well. */
static int call(const struct task *task, const char *const *verb, const int *stdio, const int *init,
                char *why, size_t why_size) {
    const char *args[MOST_RUNTIME_ARGS + 16];
    int count = 0;
    args[count++] = task->runtime;
    for (int i = 0; i < task->runtime_arg_count; i++) {
        args[count++] = task->runtime_args[i];
    }
    for (int i = 0; verb[i]; i++) {
        args[count++] = verb[i];
    }
    args[count] = NULL;
    pid_t pid = fork();
    if (pid == 0) {
        setsid();
        dup2(stdio[0], 0);
        dup2(stdio[1], 1);
        dup2(stdio[2], 2);
        int moved[INIT_ENDS];
        for (int i = 0; init && i < INIT_ENDS; i++) {
            moved[i] = fcntl(init[i], F_DUPFD, 10); /* first out of each other's way */
        }
        for (int i = 0; init && i < INIT_ENDS; i++) {
            dup2(moved[i], INIT_FAILURE + i);
        }
        close_range(init ? INIT_FAILURE + INIT_ENDS : INIT_FAILURE, ~0U, 0);
        umask(022);
        for (int i = 1; i < 65; i++) {
            signal(i, SIG_DFL);
        }
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
        execve(task->runtime, (char **)args, environ);
        _exit(127);
    }
    if (pid < 0) {
        snprintf(why, why_size, "the runtime cannot be forked: %s", strerror(errno));
        return -1;
    }
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    long long until = now_ms() + CALL_LIMIT_MS;
    int result;
    while (waitpid(pid, &result, WNOHANG) != pid) {
        long long left = until - now_ms();
        if (left <= 0) {
            kill(pid, SIGKILL);
            waitpid(pid, &result, 0);
            snprintf(why, why_size, "'%.200s %s' gave no answer in %d s", task->runtime, verb[0],
                     CALL_LIMIT_MS / 1000);
            return -1;
        }
        struct timespec wait = {.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000};
        sigtimedwait(&ended, NULL, &wait);
    }
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0) {
        return 0;
    }
    char words[300];
    last_words(task, words, sizeof words);
    snprintf(why, why_size, "'%.200s %s' failed: %s", task->runtime, verb[0],
             *words                       ? words
             : WIFSIGNALED(result)        ? "a signal ended it"
             : WEXITSTATUS(result) == 127 ? "it cannot be executed"
                                          : "it said nothing");
    return -1;
}

pid_t container_create(const struct task *task, const int *stdio, const int *init, char *why,
                       size_t why_size) {
    char file[4096]; /* not all runtimes take a relative path as we mean it */
    snprintf(file, sizeof file, "%s/init.pid", task->bundle);
    const char *const verb[] = {"create", "--bundle", task->bundle, "--pid-file", file,
                                "--preserve-fds", "3", task->container, NULL};
    char text[32];
    unlink(file);
    if (call(task, verb, stdio, init, why, why_size) < 0) {
        return -1;
    }
    long pid = read_small(file, text, sizeof text) < 0 ? 0 : strtol(text, NULL, 10);
    if (pid <= 1) {
        snprintf(why, why_size, "'%.200s create' did not say which process it made",
                 task->runtime);
        return -1;
    }
    return (pid_t)pid;
}

int container_start(const struct task *task, char *why, size_t why_size) {
    const char *const verb[] = {"start", task->container, NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int stdio[] = {null, null, null};
    int result = call(task, verb, stdio, NULL, why, why_size);
    close(null);
    return result;
}

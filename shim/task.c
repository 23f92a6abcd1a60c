/*
 * The description of a task, version 1 to 3:
 *
 *   cleat-task VERSION\n
 *   KEY LENGTH\n
 *   LENGTH bytes\n          and so on, in any order
 *   end 0\n
 *   \n
 *
 * Version 2 describes a container of an OCI runtime in place of a command; version 3 is one with limits
 * of its processes. Values may hold any byte
 * but NUL. An unknown key is refused by name: an older shim that passed
 * over it would run something else than what was asked for.
 *
 * A command beside a task (exec.c) has the same form and begins with `cleat-exec 1`.
 */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES (4 << 20)
#define TASK_HEADER "cleat-task "
#define COMMAND_HEADER "cleat-exec "

static int refuse(char *why, size_t size, const char *form, ...) {
    va_list values;
    va_start(values, form);
    vsnprintf(why, size, form, values);
    va_end(values);
    return -1;
}

/* The whole file, with a NUL behind it. */
static char *slurp(const char *file, size_t *size) {
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    struct stat stat;
    char *memory = NULL;
    if (fstat(fd, &stat) == 0 && stat.st_size <= MOST_BYTES) {
        memory = malloc((size_t)stat.st_size + 1);
    } else {
        errno = EFBIG;
    }
    *size = 0;
    while (memory && *size < (size_t)stat.st_size) {
        ssize_t got = read(fd, memory + *size, (size_t)stat.st_size - *size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        *size += (size_t)got;
    }
    close(fd);
    if (memory) {
        memory[*size] = 0;
    }
    return memory;
}

/* A decimal number from `least` to `most` that is the whole value. */
static int number(const char *value, long long least, long long most, long long *result) {
    char *end;
    errno = 0;
    *result = strtoll(value, &end, 10);
    return errno || end == value || *end || *result < least || *result > most ? -1 : 0;
}

/* UID:GID[:GID...], the first group being the primary one. */
static int user(struct task *task, char *value) {
    int field = 0;
    for (char *next = value; next; field++) {
        char *here = next;
        next = strchr(here, ':');
        if (next) {
            *next++ = 0;
        }
        long long id;
        if (number(here, 0, 0xfffffffeLL, &id) < 0 || field > MOST_GROUPS) {
            return -1;
        }
        if (field == 0) {
            task->uid = (uid_t)id;
        } else {
            if (field == 1) {
                task->gid = (gid_t)id;
            }
            task->groups[task->group_count++] = (gid_t)id;
        }
    }
    task->has_user = 1;
    return field >= 2 ? 0 : -1;
}

static int append(char **list, int *count, char *value) {
    if (*count == MOST_CGROUPS) {
        return -1;
    }
    list[(*count)++] = value;
    return 0;
}

/* NAME NUMBER, of getrlimit(2). */
static int rlimit(struct task *task, char *value) {
    static const struct {
        const char *name;
        int resource;
    } known[] = {{"core", RLIMIT_CORE},
                 {"memlock", RLIMIT_MEMLOCK},
                 {"msgqueue", RLIMIT_MSGQUEUE},
                 {"nofile", RLIMIT_NOFILE},
                 {"rtprio", RLIMIT_RTPRIO}};
    char *space = strchr(value, ' ');
    long long most;
    if (!space || number(space + 1, 0, 1LL << 50, &most) < 0 || task->rlimit_count == MOST_RLIMITS) {
        return -1;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].name) == (size_t)(space - value) && !strncmp(known[i].name, value, (size_t)(space - value))) {
            task->rlimits[task->rlimit_count].resource = known[i].resource;
            task->rlimits[task->rlimit_count++].most = (unsigned long long)most;
            return 0;
        }
    }
    return -1;
}

struct reading {
    struct task *task;
    int args;
    int env;
};

/* One field; -1 when its value is wrong, -2 when its key is unknown. */
static int task_field(void *into, const char *key, char *value) {
    struct reading *lists = into;
    struct task *task = lists->task;
    if (!strcmp(key, "command")) {
        task->command = value;
    } else if (!strcmp(key, "arg")) {
        task->args[1 + lists->args++] = value;
    } else if (!strcmp(key, "env")) {
        if (!strchr(value, '=')) {
            return -1;
        }
        task->env[lists->env++] = value;
    } else if (!strcmp(key, "cwd")) {
        task->cwd = value;
    } else if (!strcmp(key, "user")) {
        return user(task, value);
    } else if (!strcmp(key, "name")) {
        task->name = value;
        return *value && strlen(value) < 200 && !strchr(value, '/') ? 0 : -1;
    } else if (!strcmp(key, "log_dir")) {
        task->log_dir = value;
    } else if (!strcmp(key, "max_files")) {
        return number(value, 1, 1000000, &task->max_files);
    } else if (!strcmp(key, "max_file_size")) {
        return number(value, 1, 1LL << 50, &task->max_file_size);
    } else if (!strcmp(key, "kill_signal")) {
        return number(value, 1, 64, &task->kill_signal);
    } else if (!strcmp(key, "kill_timeout_ms")) {
        return number(value, 0, 1LL << 40, &task->kill_timeout_ms);
    } else if (!strcmp(key, "cgroup")) {
        return append(task->cgroups, &task->cgroup_count, value);
    } else if (!strcmp(key, "shim_cgroup")) {
        return append(task->shim_cgroups, &task->shim_cgroup_count, value);
    } else if (!strcmp(key, "rlimit")) {
        return rlimit(task, value);
    } else if (!strcmp(key, "runtime")) {
        task->runtime = value;
        return *value == '/' ? 0 : -1;
    } else if (!strcmp(key, "runtime_arg")) {
        if (task->runtime_arg_count == MOST_RUNTIME_ARGS) {
            return -1;
        }
        task->runtime_args[task->runtime_arg_count++] = value;
    } else if (!strcmp(key, "runtime_log")) {
        task->runtime_log = value;
    } else if (!strcmp(key, "bundle")) {
        task->bundle = value;
        return *value == '/' ? 0 : -1;
    } else if (!strcmp(key, "container")) {
        task->container = value;
        return *value && *value != '-' ? 0 : -1;
    } else {
        return -2;
    }
    return 0;
}

static int complete(const struct task *task, char *why, size_t size) {
    if (task->runtime) {
        const char *lacks = !task->name        ? "name"
                            : !task->bundle    ? "bundle"
                            : !task->container ? "container"
                            : !task->runtime_log ? "runtime_log"
                                                 : NULL;
        return lacks ? refuse(why, size, "the description of a container lacks its %s", lacks) : 0;
    }
    if (!task->command || !task->cwd || !task->name) {
        return refuse(why, size, "the task description lacks its %s",
                      !task->command ? "command" : !task->cwd ? "cwd" : "name");
    }
    if (task->command[0] != '/') {
        return refuse(why, size, "the command '%.200s' is not an absolute path", task->command);
    }
    return 0;
}

typedef int (*take_field)(void *into, const char *key, char *value);

/* Takes the version line and each field of `text`, which has a NUL behind it. */
static int fields(char *text, size_t size, const char *header, int newest, take_field take, void *into,
                  char *why, size_t why_size) {
    char *line_end = memchr(text, '\n', size);
    if (!line_end || strncmp(text, header, strlen(header))) {
        return refuse(why, why_size, "it does not begin with '%s'", header);
    }
    *line_end = 0;
    long long version;
    if (number(text + strlen(header), 1, 1 << 30, &version) < 0 || version > newest) {
        return refuse(why, why_size, "the task description has version %.20s, this shim reads up to %d",
                      text + strlen(header), newest);
    }
    char *end = text + size;
    for (char *at = line_end + 1; at < end;) {
        char *newline = memchr(at, '\n', (size_t)(end - at));
        char *space = newline ? memchr(at, ' ', (size_t)(newline - at)) : NULL;
        if (!space) {
            break;
        }
        *newline = *space = 0;
        long long length;
        char *value = newline + 1;
        if (number(space + 1, 0, end - value - 1, &length) < 0 || value[length] != '\n' ||
            memchr(value, 0, (size_t)length)) {
            return refuse(why, why_size, "the value of '%.40s' is torn", at);
        }
        value[length] = 0;
        if (!strcmp(at, "end")) {
            return 0;
        }
        int result = take(into, at, value);
        if (result < 0) {
            return refuse(why, why_size, result == -2 ? "the key '%.40s' is unknown to this shim (%s)"
                                                      : "the value of '%.40s' is not as expected: '%.200s'",
                          at, result == -2 ? PROGRAM_VERSION : value);
        }
        at = value + length + 1;
    }
    return refuse(why, why_size, "the task description ends without its last line: it is torn");
}

/* No list can be longer than the text has lines. */
static size_t most_fields(const char *text, size_t size) {
    size_t lines = 3;
    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n';
    }
    return lines;
}

int task_read(const char *file, struct task *task, char *why, size_t why_size) {
    memset(task, 0, sizeof *task);
    task->max_files = 10;
    task->max_file_size = 10 << 20;
    task->kill_signal = 15;
    task->kill_timeout_ms = 5000;
    size_t size;
    char *text = task->memory = slurp(file, &size);
    if (!text) {
        return refuse(why, why_size, "the task description %.200s cannot be read: %s", file,
                      strerror(errno));
    }
    task->args = calloc(most_fields(text, size), sizeof(char *));
    task->env = calloc(most_fields(text, size), sizeof(char *));
    if (!task->args || !task->env) {
        return refuse(why, why_size, "no memory for the task description");
    }
    struct reading reading = {task, 0, 0};
    if (fields(text, size, TASK_HEADER, TASK_VERSION, task_field, &reading, why, why_size) < 0) {
        return -1;
    }
    task->args[0] = task->command;
    return complete(task, why, why_size);
}

struct command_reading {
    struct command *command;
    int args;
};

static int command_field(void *into, const char *key, char *value) {
    struct command_reading *reading = into;
    struct command *command = reading->command;
    long long size;
    if (!strcmp(key, "command")) {
        command->command = value;
    } else if (!strcmp(key, "arg")) {
        command->args[1 + reading->args++] = value;
    } else if (!strcmp(key, "terminal")) {
        command->terminal = *value == '1';
    } else if (!strcmp(key, "plain")) {
        command->plain = *value == '1';
    } else if (!strcmp(key, "rows") || !strcmp(key, "columns")) {
        if (number(value, 0, 65535, &size) < 0) {
            return -1;
        }
        *(*key == 'r' ? &command->rows : &command->columns) = (unsigned short)size;
    } else {
        return -2;
    }
    return 0;
}

int command_read(char *text, size_t size, struct command *command, char *why, size_t why_size) {
    memset(command, 0, sizeof *command);
    command->args = calloc(most_fields(text, size), sizeof(char *));
    if (!command->args) {
        return refuse(why, why_size, "no memory for the command");
    }
    struct command_reading reading = {command, 0};
    if (fields(text, size, COMMAND_HEADER, RUN_PROTOCOL, command_field, &reading, why, why_size) < 0) {
        return -1;
    }
    if (!command->command || !*command->command) {
        return refuse(why, why_size, "there is no command");
    }
    command->args[0] = command->command;
    return 0;
}

void task_forget(struct task *task) {
    /* The cgroups and names are still needed: they are few, so they are copied out. */
    for (int i = 0; i < task->cgroup_count; i++) {
        task->cgroups[i] = strdup(task->cgroups[i]);
    }
    for (int i = 0; i < task->shim_cgroup_count; i++) {
        task->shim_cgroups[i] = strdup(task->shim_cgroups[i]);
    }
    free(task->args);
    free(task->env);
    free(task->memory);
    task->args = task->env = NULL;
    task->memory = task->command = task->cwd = task->name = task->log_dir = NULL;
    task->runtime = task->runtime_log = task->bundle = task->container = NULL;
}

/* The runner of the battery. Usage:
 *   attacker inside SETTINGS          as a task in a container
 *   attacker user UID SETTINGS        as a user of the machine; started as root
 *   attacker floods SETTINGS          what takes much of something, as a task
 *   attacker plant KIND PLACE... SETTINGS   before another task is prepared
 *   attacker look PLACE SHOWN SETTINGS       at what another has planted
 *   attacker swap KIND PLACE TASK SHOWN SETTINGS
 *       plants at a place, ends, and looks at it and at what is shown when it is started again */
#define _GNU_SOURCE
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 5, WORDS = 400, HANDLES = 32 };

static struct {
    char key[32];
    char value[LONGEST];
} known[MOST_VALUES];
static int known_count;
static int words_fd = -1;
static char handles[HANDLES][64];

void read_settings(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        printf("settings\tbroken\t%s: %s\n", path, strerror(errno));
        exit(2);
    }
    while (known_count < MOST_VALUES
           && fscanf(file, "%31s %511[^\n]", known[known_count].key, known[known_count].value) == 2) {
        known_count++;
    }
    fclose(file);
}

int settings(const char *key, const char **values, int room) {
    int found = 0;
    for (int i = 0; i < known_count && found < room; i++) {
        if (!strcmp(known[i].key, key)) {
            values[found++] = known[i].value;
        }
    }
    return found;
}

const char *setting(const char *key) {
    const char *value = "";
    settings(key, &value, 1);
    return value;
}

const char *mark(void) {
    return setting("mark");
}

int is_root(void) {
    return geteuid() == 0;
}

void detail(const char *format, ...) {
    char text[WORDS];
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    for (char *at = text; *at; at++) {
        if ((unsigned char)*at < ' ' || (unsigned char)*at > '~') {
            *at = '?';
        }
    }
    if (words_fd >= 0 && write(words_fd, text, strlen(text)) < 0) {
        _exit(NOT_RUN);
    }
}

enum verdict refused(long result) {
    if (result >= 0) {
        detail("it worked");
        return BROKEN;
    }
    switch (errno) {
    case EPERM:
    case EACCES:
    case EROFS:
    case ENOSYS:
    case ENOENT:
    case ENOTDIR:
    case ESRCH:
    case ECONNREFUSED:
    case EADDRINUSE:
    case EBUSY:
    case EXDEV:
    case EOPNOTSUPP:
    case ENOPROTOOPT:
    case EISDIR:
    case ELOOP:
        detail("%s", strerror(errno));
        return HELD;
    case EPROTONOSUPPORT:
    case EAFNOSUPPORT:
        detail("this kernel has no such thing");
        return NOT_RUN;
    case ECANCELED:
        return NOT_RUN;
    default:
        detail("it failed for something else: %s", strerror(errno));
        return NOT_RUN;
    }
}

static void note_handles(void) {
    char path[64];
    for (int handle = 3; handle < HANDLES; handle++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", handle);
        if (readlink(path, handles[handle], sizeof handles[handle] - 1) < 0) {
            handles[handle][0] = 0;
        }
    }
}

const char *left_open(int handle) {
    return handles[handle];
}

int is_secret(const char *text, size_t size) {
    const char *secrets[16];
    int count = settings("secret", secrets, 16);
    for (int i = 0; i < count; i++) {
        if (memmem(text, size, secrets[i], strlen(secrets[i]))) {
            return 1;
        }
    }
    return 0;
}

static void told(const char *area, const char *name, const char *verdict, const char *words) {
    printf("%s/%s\t%s\t%s\n", area, name, verdict, words);
    fflush(stdout);
}

/* Whether it is one of those that were asked for; all are where none was. */
static int is_wanted(const char *area, const char *name) {
    const char *only[32];
    char whole[LONGEST * 4];
    int count = settings("only", only, 32);
    snprintf(whole, sizeof whole, "%s/%s", area, name);
    int wanted = count == 0;
    for (int i = 0; i < count; i++) {
        wanted |= strstr(whole, only[i]) != NULL;
    }
    return wanted;
}

/* Whoever takes all memory of the task is the one to go, not the battery. */
static void die_first(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (write(file, "1000", 4) == 4) {
        close(file);
    }
}

void attempt(const char *area, const char *name, attempt_body body, const void *with) {
    if (!is_wanted(area, name)) {
        return;
    }
    static const char *const verdicts[] = {"held", "broken", "not-run"};
    int ends[2];
    char words[WORDS] = "";
    if (pipe2(ends, O_CLOEXEC)) {
        told(area, name, "not-run", "no pipe");
        return;
    }
    fflush(stdout);
    int child = fork();
    if (child == 0) {
        close(ends[0]);
        words_fd = ends[1];
        setpgid(0, 0);
        signal(SIGPIPE, SIG_IGN);
        die_first();
        alarm(SECONDS);
        _exit(body(with));
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        told(area, name, "not-run", "no process");
        return;
    }
    int status = 0;
    waitpid(child, &status, 0);
    kill(-child, SIGKILL);
    /* What it has left open may hold the pipe. */
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    ssize_t size = read(ends[0], words, sizeof words - 1);
    words[size > 0 ? size : 0] = 0;
    close(ends[0]);
    if (WIFEXITED(status) && WEXITSTATUS(status) <= NOT_RUN) {
        told(area, name, verdicts[WEXITSTATUS(status)], words);
    } else {
        snprintf(words, sizeof words, "ended by signal %d", WTERMSIG(status));
        /* The kernel kills for a forbidden call; five seconds without an answer say nothing, but of
         * what is to be ended by them. */
        int is_late = WTERMSIG(status) == SIGALRM && strcmp(area, "floods");
        told(area, name, is_late ? "not-run" : "held", words);
    }
}

static int become(int id) {
    return setgroups(0, NULL) || setresgid(id, id, id) || setresuid(id, id, id);
}

/* As what was executed to take rights: the exit code says whether it has them. */
static int has_rights(void) {
    char line[256];
    unsigned long long held = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        if (!strncmp(line, "CapEff:", 7)) {
            held = strtoull(line + 7, NULL, 16);
        }
    }
    return (held & (1ULL << 21)) != 0;
}

int main(int count, char **words) {
    note_handles();
    if (count == 2 && !strcmp(words[1], "who")) {
        return geteuid() == 0 ? 42 : 0;
    }
    if (count == 2 && !strcmp(words[1], "powers")) {
        return has_rights() ? 42 : 0;
    }
    if (count == 3 && !strcmp(words[1], "inside")) {
        read_settings(words[2]);
        attack_calls();
        attack_namespaces();
        attack_rights();
        attack_system();
        attack_hidden();
        attack_own_places();
        attack_processes();
        attack_network(1);
    } else if (count == 3 && !strcmp(words[1], "floods")) {
        read_settings(words[2]);
        attack_floods();
    } else if (count == 4 && !strcmp(words[1], "user")) {
        read_settings(words[3]);
        if (become(atoi(words[2]))) {
            printf("user/become\tnot-run\t%s\n", strerror(errno));
            return 2;
        }
        attack_data();
        attack_processes();
        attack_network(0);
    } else if (count >= 4 && !strcmp(words[1], "plant")) {
        read_settings(words[count - 1]);
        for (int i = 3; i < count - 1; i++) {
            int failed = plant(words[2], words[i]);
            printf("planted %s at %s: %s\n", words[2], words[i], failed ? strerror(errno) : "yes");
        }
        return 0;
    } else if (count == 5 && !strcmp(words[1], "look")) {
        read_settings(words[4]);
        return look(words[2], words[3]);
    } else if (count == 7 && !strcmp(words[1], "swap")) {
        read_settings(words[6]);
        return swap(words[2], words[3], words[4], words[5]);
    } else {
        fprintf(stderr, "attacker: what?\n");
        return 2;
    }
    printf("done\n");
    return 0;
}

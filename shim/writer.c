/*
 * Who keeps a task's output: a process beside the shim, for as long as there is output. A disk that hangs
 * hangs this process; the shim answers as ever, for it never reads a task's pipe and never writes a log.
 *
 * The shim forks the keeper. That reads both pipes and writes the files; five seconds after the last byte it
 * ends, and the shim waits for the next and forks another. So quiet tasks have none, and one that was killed
 * is followed by another, at most one a second. The keeper is in the task's control groups
 * that share out processor time: a flood is charged to who makes it. Before the task is killed it comes
 * back to the shim's, since a group is killed whole; it may then take the time to write what is in the pipes.
 *
 * Before a keeper touches the disk it winds up an alarm clock, and stops it after. When that goes off the
 * disk has given no answer for five seconds, and the shim forks a second process, the dropper: it reads,
 * counts, and keeps nothing, so that the task does not wait for the disk. It ends when the keeper is back.
 *
 * What they count is in memory that they share with the shim. They hold the log directory open and have
 * none of root's capabilities; nobody else looks into them (wall.c). To the shim's wait(2) they are no
 * children (clone(2), an exit signal that is not SIGCHLD): only the task's processes are.
 *
 * Over the line between both come letters: to a writer `e`, end once the pipes are empty; from it `b`, the
 * disk is back, and `o`, it is over. The end of the line is the end of who held the other end.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define IDLE_MS 5000
#define HANGING_MS 5000
#define AGAIN_MS 1000 /* between two starts, the first of which came to a bad end */
#define REAP_MS 100
#define STREAMS 2
#define FIRST_KEPT 100 /* above all descriptors of a shim */

enum role { KEEPER, DROPPER, ROLES };

/* One that runs. */
struct writer {
    pid_t pid; /* 0: none */
    int line;  /* our end; -1: none */
    int over;  /* it said so */
};

static struct {
    const struct task *task; /* for its control groups */
    struct output outputs[STREAMS]; /* as a writer begins with them; the pipe is -1 once at its end */
    struct account (*accounts)[STREAMS]; /* of each role; shared */
    int clock; /* goes off when the disk hangs */
    struct writer writers[ROLES];
    pid_t pids[ROLES + 1];
    int away; /* no writer is in the task's control groups any more */
    int left; /* how many were left, and not waited for yet */
    long long again_at;
    int ending;
    int given_up; /* on the disk */
} logs = {.clock = -1, .outputs = {{.pipe = -1}, {.pipe = -1}}, .writers = {{0, -1, 0}, {0, -1, 0}}};

/* ---- in the process of a writer ---- */

static void wind_up(int clock, long long ms) {
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    struct itimerspec setting = {.it_value = time, .it_interval = time};
    timerfd_settime(clock, 0, &setting, NULL);
}

static void say(int line, char letter) {
    send(line, &letter, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* With the clock running where the disk is touched. */
static int move(struct output *output, int clock, int line) {
    long long begun = now_ms();
    if (output->dir >= 0) {
        wind_up(clock, HANGING_MS);
    }
    int result = output_move(output);
    if (output->dir >= 0) {
        wind_up(clock, 0);
        if (now_ms() - begun >= HANGING_MS - 1) {
            say(line, 'b');
        }
    }
    return result;
}

/* The pipe to wait for; -1 while it rests, which ends the wait in time. What came while it rested is
 * taken at once. */
static int polled(struct output *output, int clock, int line, int *timeout) {
    if (output->rest > 0) {
        long long left = output->rest - now_ms();
        if (left > 0) {
            *timeout = left < *timeout ? (int)left : *timeout;
            return -1;
        }
        move(output, clock, line);
        return polled(output, clock, line, timeout);
    }
    return output->pipe;
}

/* Somebody outside the task may still hold a pipe open, so an empty one is at its end too. */
static _Noreturn void finish(struct output *outputs, int clock, int line) {
    for (int i = 0; i < STREAMS; i++) {
        while (outputs[i].pipe >= 0 && move(&outputs[i], clock, line) > 0) {
        }
    }
    say(line, 'o');
    _exit(0);
}

static void listen_to_shim(struct output *outputs, int clock, int line) {
    char letter;
    ssize_t got = recv(line, &letter, 1, MSG_DONTWAIT);
    if (got == 0) {
        _exit(0);
    }
    if (got == 1) {
        finish(outputs, clock, line);
    }
}

static _Noreturn void write_logs(struct output *outputs, int clock, int line) {
    for (int i = 0; i < STREAMS; i++) {
        wind_up(clock, outputs[i].dir >= 0 ? HANGING_MS : 0);
        output_open(&outputs[i]);
    }
    while (outputs[0].pipe >= 0 || outputs[1].pipe >= 0) {
        int timeout = IDLE_MS;
        struct pollfd ready[1 + STREAMS] = {{.fd = line, .events = POLLIN}};
        for (int i = 0; i < STREAMS; i++) {
            ready[1 + i] = (struct pollfd){.fd = polled(&outputs[i], clock, line, &timeout),
                                           .events = POLLIN};
        }
        if (poll(ready, 1 + STREAMS, timeout) == 0 && timeout == IDLE_MS && outputs[0].dir >= 0) {
            break;
        }
        for (int i = 0; i < STREAMS; i++) {
            if (ready[1 + i].revents) {
                move(&outputs[i], clock, line);
            }
        }
        if (ready[0].revents) {
            listen_to_shim(outputs, clock, line);
        }
    }
    say(line, 'o');
    _exit(0);
}

/* Gives up all that the shim has and a writer does not need. */
static _Noreturn void become_writer(enum role role, int line) {
    int *kept[] = {&line, &logs.clock, &logs.outputs[0].pipe, &logs.outputs[1].pipe, &logs.outputs[0].dir};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        *kept[i] = *kept[i] < 0 ? -1 : fcntl(*kept[i], F_DUPFD, FIRST_KEPT);
    }
    close_range(3, FIRST_KEPT - 1, 0);
    prctl(PR_SET_NAME, "shim-output", 0, 0, 0);
    if (wall_up() < 0 || capabilities_away() < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) {
        _exit(1);
    }
    for (int i = 0; i < STREAMS; i++) {
        logs.outputs[i].dir = role == KEEPER ? logs.outputs[0].dir : -1;
        logs.outputs[i].account = &logs.accounts[role][i];
    }
    write_logs(logs.outputs, logs.clock, line);
}

/* ---- in the shim ---- */

int logs_begin(const struct task *task, int dir, const int *pipes) {
    static const char *const streams[STREAMS] = {"stdout", "stderr"};
    logs.accounts = mmap(NULL, sizeof *logs.accounts * ROLES, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    logs.clock = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (logs.accounts == MAP_FAILED || logs.clock < 0) {
        logs.accounts = NULL;
        return -1;
    }
    logs.task = task;
    for (int i = 0; i < STREAMS; i++) {
        struct output *output = &logs.outputs[i];
        output->dir = dir;
        output->pipe = pipes[i];
        output->max_files = task->max_files;
        output->max_file_size = task->max_file_size;
        snprintf(output->name, sizeof output->name, "%s.%s", task->name, streams[i]);
        output_account(&logs.accounts[KEEPER][i]);
    }
    return 0;
}

static void join(const struct writer *writer) {
    for (int i = 0; i < logs.task->cgroup_count && !logs.away; i++) {
        if (cgroup_shares_processors(logs.task->cgroups[i])) {
            cgroup_move(logs.task->cgroups[i], writer->pid);
        }
    }
}

static void start(enum role role) {
    struct writer *writer = &logs.writers[role];
    int line[2];
    logs.again_at = now_ms() + AGAIN_MS;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) < 0) {
        return;
    }
    pid_t pid = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
    if (pid == 0) {
        become_writer(role, line[1]);
    }
    close(line[1]);
    if (pid < 0) {
        close(line[0]);
        return;
    }
    *writer = (struct writer){pid, line[0], 0};
    join(writer);
    if (logs.ending) {
        say(writer->line, 'e');
    }
}

void logs_start(void) {
    if (logs.accounts) {
        start(KEEPER);
    }
}

/* From here on it is nobody to us: it ends, or is killed with what else is ours. */
static void leave(struct writer *writer) {
    if (writer->pid > 0) {
        close(writer->line);
        *writer = (struct writer){0, -1, 0};
        logs.left++;
    }
}

static void count_held(void) {
    for (int i = 0; i < STREAMS; i++) {
        struct account *account = &logs.accounts[KEEPER][i];
        account->dropped += account->held;
        account->held = 0;
    }
}

static void hear(enum role role) {
    struct writer *writer = &logs.writers[role];
    char letter;
    ssize_t got;
    while ((got = recv(writer->line, &letter, 1, MSG_DONTWAIT)) == 1) {
        writer->over |= letter == 'o';
        if (letter == 'b') {
            leave(&logs.writers[DROPPER]);
        }
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (writer->over) {
        logs.again_at = 0;
    }
    leave(writer);
    if (role == KEEPER) {
        count_held();
        leave(&logs.writers[DROPPER]);
    }
}

static int pipes_are_open(void) {
    return logs.outputs[0].pipe >= 0 || logs.outputs[1].pipe >= 0;
}

static int writes(void) {
    return logs.writers[KEEPER].pid > 0 || logs.writers[DROPPER].pid > 0;
}

static void shorten(int *timeout, long long most) {
    *timeout = *timeout < 0 || most < *timeout ? (int)most : *timeout;
}

void logs_poll(struct pollfd *polled, int *timeout) {
    while (logs.left > 0 && waitpid(-1, NULL, __WCLONE | WNOHANG) > 0) {
        logs.left--;
    }
    if (logs.left > 0) {
        shorten(timeout, REAP_MS);
    }
    long long wait = logs.again_at > 0 ? logs.again_at - now_ms() : 0;
    int waits = !writes() && wait <= 0;
    if (!writes() && wait > 0 && pipes_are_open()) {
        shorten(timeout, wait);
    }
    const int wanted[LOGS_POLLED] = {
        logs.writers[KEEPER].line,
        logs.writers[DROPPER].line,
        logs.writers[KEEPER].pid > 0 && logs.writers[DROPPER].pid == 0 ? logs.clock : -1,
        waits ? logs.outputs[0].pipe : -1,
        waits ? logs.outputs[1].pipe : -1,
    };
    for (int i = 0; i < LOGS_POLLED; i++) {
        polled[i] = (struct pollfd){.fd = wanted[i], .events = POLLIN};
    }
}

/* A pipe is left open to the end of the shim: to close one waits for whoever is about to write in it. */
static void look_at_pipes(const struct pollfd *polled) {
    int starts = 0;
    for (int i = 0; i < STREAMS; i++) {
        if (polled[i].revents & POLLIN) {
            starts = 1;
        } else if (polled[i].revents) {
            logs.outputs[i].pipe = -1;
        }
    }
    if (starts) {
        start(logs.given_up ? DROPPER : KEEPER);
    }
}

void logs_turn(const struct pollfd *polled) {
    uint64_t times;
    for (int i = 0; i < ROLES; i++) {
        if (polled[i].revents) {
            hear((enum role)i);
        }
    }
    if (polled[2].revents && read(logs.clock, &times, sizeof times) == sizeof times) {
        start(DROPPER);
    }
    look_at_pipes(polled + ROLES + 1);
}

const pid_t *logs_writers(void) {
    int count = 0;
    for (int i = 0; i < ROLES; i++) {
        if (logs.writers[i].pid > 0) {
            logs.pids[count++] = logs.writers[i].pid;
        }
    }
    logs.pids[count] = 0;
    return logs.pids;
}

void logs_come_away(void) {
    for (int i = 0; !logs.away && logs.task && i < ROLES; i++) {
        for (int j = 0; logs.writers[i].pid > 0 && j < logs.task->shim_cgroup_count; j++) {
            cgroup_move(logs.task->shim_cgroups[j], logs.writers[i].pid);
        }
    }
    logs.away = 1;
}

void logs_end(void) {
    logs.ending = 1;
    for (int i = 0; i < ROLES; i++) {
        if (logs.writers[i].pid > 0) {
            say(logs.writers[i].line, 'e');
        }
    }
}

void logs_give_up(void) {
    struct writer *keeper = &logs.writers[KEEPER];
    logs.given_up = 1;
    logs.again_at = 0;
    if (keeper->pid > 0) {
        kill(keeper->pid, SIGKILL);
        leave(keeper);
        count_held();
    }
}

int logs_are_kept(void) {
    struct pollfd polled[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
        polled[i] = (struct pollfd){.fd = logs.outputs[i].pipe, .events = POLLIN};
    }
    poll(polled, STREAMS, 0);
    return !writes() && !(polled[0].revents & POLLIN) && !(polled[1].revents & POLLIN);
}

unsigned long long logs_dropped(void) {
    unsigned long long sum = 0;
    for (int i = 0; logs.accounts && i < ROLES * STREAMS; i++) {
        sum += __atomic_load_n(&logs.accounts[i / STREAMS][i % STREAMS].dropped, __ATOMIC_RELAXED);
    }
    return sum;
}

/*
 * `shim run DIR`: the parent of one task.
 *
 * The called process only waits for word and answers with an exit code (shim.h); the shim itself is
 * its grandchild in a session of its own, so that the caller's death, its terminal and its process
 * group mean nothing to it. It joins the control groups named for shims, never those of the caller,
 * and the task alone joins those of the task: killing the task's group leaves the shim to write
 * down how the task ended.
 *
 * Order of a start, each step durable before the next:
 *   lock DIR/lock (fcntl, held for life), refuse when DIR/state exists: a DIR is run once, ever;
 *   read DIR/task; listen on DIR/socket; fork the task, which waits at a gate;
 *   write DIR/state with both processes' ids, start times and the boot id; open the gate.
 * The task of a container is made by its runtime and waits for the runtime's `start` (container.c).
 * A caller that wants to be sure that nothing will start takes the lock and deletes DIR/task.
 *
 * Order of an end: the main process ends, or the deadline of a stop passes; everything that is left
 * is killed until nothing is; the pipes are emptied; DIR/exit is written; the shim goes. So DIR/exit
 * means that no process of the task is left.
 *
 * There is one loop, and nothing in it waits for a disk or for the task: who asks for a status, a signal
 * or a stop is answered. What a task prints is read and written by other processes (writer.c).
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
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_CLIENTS 16
#define MOST_WAITING 512
#define MOST_REQUEST 200
#define KILL_PAUSE_MS 20
#define MOST_KILL_PAUSE_MS 500
#define EXIT_RETRY_MS 1000
#define REMAINS_LIMIT_MS 5000
#define LOGS_LIMIT_MS 5000 /* for what is in the pipes at the end to be written */
#define COUNT_LIMIT_MS 1000 /* then, to be counted */

struct client {
    int fd; /* -1 when free */
    size_t got;
    unsigned char bytes[4 + MOST_REQUEST + 1];
};

static struct {
    struct task task;
    pid_t child;
    unsigned long long child_start;
    int ended; /* the main process was waited for */
    int status;
    int gone; /* nothing of the task is left */
    int stopping;
    int stop_signal;
    long long stop_at;
    int killing;
    long long kill_pause;
    int oom; /* see cgroup_oom */
    int ready;   /* where the caller waits for word; -1 once it was given */
    int failure; /* the task's end of this tells why it could not be executed; -1 once closed */
    int init_status; /* where a container's first process says how the command ended; or -1 */
    int init_commands; /* where it takes connections that are commands'; or -1 */
    char error[400];
    int listener;
    int signals;
    struct client clients[MOST_CLIENTS];
} run;

/* ---- word to the caller ---- */

static void tell_caller(int code, const char *text) {
    if (run.ready >= 0) {
        char message[600];
        int size = snprintf(message, sizeof message, "%c%.500s", '0' + code, text);
        make_line(message);
        write_all(run.ready, message, (size_t)size);
        close(run.ready);
        run.ready = -1;
    }
}

static void give_up(int code, const char *what) {
    char text[500];
    snprintf(text, sizeof text, "%.300s: %s", what, strerror(errno));
    tell_caller(code, text);
    _exit(code);
}

/* ---- start ---- */

static void lock_dir(void) {
    int lock = open("lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (lock < 0) {
        give_up(EXIT_USAGE, "the lock cannot be opened");
    }
    if (fcntl(lock, F_SETLK, &whole) < 0 || access("state", F_OK) == 0) {
        tell_caller(EXIT_REFUSED, "this directory belongs to a task that was started before");
        _exit(EXIT_REFUSED);
    }
}

static void listen_here(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    unlink("socket");
    run.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t before = umask(0177);
    if (run.listener < 0 || bind(run.listener, (struct sockaddr *)&address, sizeof address) < 0 ||
        listen(run.listener, MOST_WAITING) < 0) {
        give_up(EXIT_USAGE, "the socket cannot be made");
    }
    umask(before);
}

static void take_signals(void) {
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        signal(ignored[i], SIG_IGN);
    }
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_SETMASK, &set, NULL);
    run.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (run.signals < 0) {
        give_up(EXIT_USAGE, "signals cannot be received");
    }
}

static int record_start(void) {
    char boot[64];
    char text[512];
    if (read_small("/proc/sys/kernel/random/boot_id", boot, sizeof boot) < 0) {
        return -1;
    }
    boot[strcspn(boot, "\n")] = 0;
    int size = snprintf(text, sizeof text, "cleat-state %d\nboot %s\nshim %d %llu\nchild %d %llu\n",
                        RUN_PROTOCOL, boot, (int)getpid(), process_start(getpid()),
                        (int)run.child, run.child_start);
    return write_durably("state", text, (size_t)size);
}

static int make_pipe(int *ends, int reader_waits) {
    return pipe2(ends, O_CLOEXEC) < 0 || (!reader_waits && fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0)
               ? -1
               : 0;
}

/* Kills what a container that came to nothing has left, and waits for it. */
static void end_remains(void) {
    long long until = now_ms() + REMAINS_LIMIT_MS;
    pid_t pid;
    do {
        for (int i = 0; i < run.task.cgroup_count; i++) {
            cgroup_kill(run.task.cgroups[i], logs_writers());
        }
        kill_descendants(logs_writers());
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        struct timespec pause = {.tv_nsec = 2000000};
        if (pid == 0) {
            nanosleep(&pause, NULL);
        }
    } while (pid == 0 && now_ms() < until);
}

/* The container's first process is made and waits for the runtime's `start`: that is its gate. */
static void create_container(const int *stdio, int failure) {
    char why[500];
    int status[2];
    int commands[2];
    if (make_pipe(status, 0) < 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, commands) < 0) {
        give_up(EXIT_USAGE, "the pipes of the task cannot be made");
    }
    const int init[INIT_ENDS] = {failure, status[1], commands[1]};
    run.child = container_create(&run.task, stdio, init, why, sizeof why);
    close(status[1]);
    close(commands[1]);
    run.init_status = status[0];
    run.init_commands = commands[0];
    if (run.child < 0) {
        end_remains();
        unlink("socket");
        tell_caller(EXIT_USAGE, why);
        _exit(EXIT_USAGE);
    }
}

static void start_container(void) {
    if (container_start(&run.task, run.error, sizeof run.error) < 0) {
        make_line(run.error);
        /* Recorded as the end of a command that could not be executed. */
        close(run.failure);
        run.failure = -1;
        run.killing = 1;
    }
}

/* Whether wait(2) could say that of an ended process. */
static int is_end(long status) {
    return status >= 0 && status <= 0xffff &&
           (WIFEXITED((int)status) || (WIFSIGNALED((int)status) && WTERMSIG((int)status) <= 64));
}

/* How the command in a container ended, where its first process came to say it: by then nothing of
 * the container runs. Of what is no such word, nothing is believed but that the process ended. */
static void read_init_status(void) {
    char text[16] = "";
    char *end = text;
    if (run.init_status >= 0 && read(run.init_status, text, sizeof text - 1) > 0) {
        long status = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
        if (!*end && is_end(status)) {
            run.status = (int)status;
        }
    }
}

static void start_task(void) {
    struct task *task = &run.task;
    int gate[2];
    int failure[2];
    int out[2] = {-1, -1};
    int err[2] = {-1, -1};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    char oom_score[16] = "0";
    read_small("/proc/self/oom_score_adj", oom_score, sizeof oom_score);
    int logs = task->log_dir ? open_own_directory(task->log_dir) : -1;
    if (task->log_dir && logs < 0) {
        give_up(EXIT_USAGE, "the log directory cannot be opened as ours, over no link");
    }
    if (null < 0 || make_pipe(gate, 1) < 0 || make_pipe(failure, 0) < 0 ||
        (logs >= 0 && (make_pipe(out, 0) < 0 || make_pipe(err, 0) < 0 ||
                       logs_begin(task, logs, (int[]){out[0], err[0]}) < 0))) {
        give_up(EXIT_USAGE, "the pipes of the task cannot be made");
    }
    int stdio[3] = {null, logs >= 0 ? out[1] : null, logs >= 0 ? err[1] : null};
    if (task->runtime) {
        create_container(stdio, failure[1]);
    } else {
        run.child = fork();
    }
    if (run.child < 0) {
        give_up(EXIT_USAGE, "the task cannot be forked");
    }
    if (run.child == 0) {
        close(gate[1]);
        struct streams streams = {stdio[0], stdio[1], stdio[2], 0};
        become_task(task, &streams, gate[0], failure[1], oom_score);
    }
    close(gate[0]);
    close(failure[1]);
    close(out[1]);
    close(err[1]);
    close(null);
    run.failure = failure[0];
    run.child_start = process_start(run.child);
    if (record_start() < 0) {
        int why = errno;
        unlink("state");
        unlink("socket");
        if (task->runtime) {
            end_remains();
        }
        errno = why;
        give_up(EXIT_USAGE, "the start cannot be recorded"); /* and the gate stays shut */
    }
    logs_start();
    if (task->runtime) {
        start_container();
    } else {
        write_all(gate[1], "g", 1);
    }
    close(gate[1]);
    task_forget(task);
}

/* ---- requests ---- */

static int reply(struct client *client, const char *text) {
    unsigned char frame[700];
    size_t size = strlen(text);
    frame_head(frame, (uint32_t)size);
    memcpy(frame + 4, text, size);
    return send(client->fd, frame, size + 4, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size + 4 ? 0
                                                                                               : -1;
}

static void begin_stop(int signal, long long timeout_ms) {
    long long at = now_ms() + timeout_ms;
    if (!run.stopping || at < run.stop_at) {
        run.stop_at = at;
    }
    /* A repeated stop is no second signal: many programs take that as an order to hurry. */
    if (!run.ended && signal > 0 && (!run.stopping || signal != run.stop_signal)) {
        kill(run.child, signal);
        run.stop_signal = signal;
    }
    run.stopping = 1;
}

static int task_processes(void) {
    int most = run.ended ? 0 : 1;
    for (int i = 0; i < run.task.cgroup_count; i++) {
        int count = cgroup_count(run.task.cgroups[i], logs_writers());
        most = count > most ? count : most;
    }
    return most;
}

static int status_reply(struct client *client) {
    char text[600];
    const char *state = run.ended ? "ending" : run.killing ? "killing" : run.stopping ? "stopping"
                                                                                      : "running";
    long long left = run.stopping ? run.stop_at - now_ms() : -1;
    snprintf(text, sizeof text,
             "1 ok\nstate %s\nchild %d %llu\nprocesses %d\nstop_left_ms %lld\ndropped %llu", state,
             (int)run.child, run.child_start, task_processes(),
             run.stopping && left < 0 ? 0 : left, logs_dropped());
    return reply(client, text);
}

/* The connection becomes a process's of its own, which the command belongs to; of a container, one in
 * it. Killing the task's descendants takes both. Returns -1: the connection is not ours any more. */
static int begin_exec(struct client *client) {
    if (run.ended || run.killing || run.stopping) {
        return reply(client, "1 refused the task is about to end");
    }
    if (run.init_commands >= 0) {
        return init_hand_over(run.init_commands, client->fd) < 0
                   ? reply(client, "1 refused the container takes no command now")
                   : -1;
    }
    pid_t helper = fork();
    if (helper == 0) {
        exec_main(client->fd, run.child);
    }
    return helper < 0 ? reply(client, "1 refused no process can be forked") : -1;
}

/* A decimal number behind one space; -1 when there is none. */
static long long argument(char **at) {
    if (**at != ' ' || (*at)[1] < '0' || (*at)[1] > '9') {
        return -1;
    }
    return strtoll(*at + 1, at, 10);
}

static int answer(struct client *client, char *request) {
    char text[300];
    char *at = request;
    long version = strtol(request, &at, 10);
    if (version != RUN_PROTOCOL || *at != ' ') {
        snprintf(text, sizeof text, "1 refused the request has version %ld, this shim speaks %d",
                 version, RUN_PROTOCOL);
        return reply(client, text);
    }
    at++;
    if (!strcmp(at, "status")) {
        return status_reply(client);
    }
    if (!strcmp(at, "exec")) {
        return begin_exec(client);
    }
    if (!strncmp(at, "signal", 6)) {
        at += 6;
        long long number = argument(&at);
        if (number >= 1 && number <= 64 && !*at) {
            if (run.ended || kill(run.child, (int)number) < 0) {
                return reply(client, "1 refused the main process has ended");
            }
            return reply(client, "1 ok");
        }
    } else if (!strncmp(at, "stop", 4)) {
        at += 4;
        long long number = argument(&at);
        long long timeout = argument(&at);
        if (number >= 0 && number <= 64 && timeout >= 0 && timeout <= 1LL << 40 && !*at) {
            begin_stop((int)number, timeout);
            long long left = run.stop_at - now_ms();
            snprintf(text, sizeof text, "1 ok\nstop_left_ms %lld", left < 0 ? 0 : left);
            return reply(client, text);
        }
    }
    snprintf(text, sizeof text, "1 refused the request '%.100s' is unknown", request);
    return reply(client, text);
}

static void close_client(struct client *client) {
    close(client->fd);
    client->fd = -1;
    client->got = 0;
}

static struct client *free_client(void) {
    for (int i = 0; i < MOST_CLIENTS; i++) {
        if (run.clients[i].fd < 0) {
            return &run.clients[i];
        }
    }
    return NULL;
}

static void accept_client(void) {
    struct client *free = free_client();
    if (free) {
        free->fd = accept4(run.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    }
}

static void serve(struct client *client) {
    ssize_t got = recv(client->fd, client->bytes + client->got,
                       sizeof client->bytes - 1 - client->got, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (got <= 0) {
        close_client(client);
        return;
    }
    client->got += (size_t)got;
    while (client->got >= 4) {
        uint32_t length = frame_length(client->bytes);
        if (length > MOST_REQUEST) {
            close_client(client);
            return;
        }
        if (client->got < 4 + length) {
            return;
        }
        char request[MOST_REQUEST + 1];
        memcpy(request, client->bytes + 4, length);
        request[length] = 0;
        client->got -= 4 + length;
        memmove(client->bytes, client->bytes + 4 + length, client->got);
        if (answer(client, request) < 0) {
            close_client(client);
            return;
        }
    }
}

/* ---- the life of the task ---- */

static void read_failure(void) {
    ssize_t got = read(run.failure, run.error, sizeof run.error - 1);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    close(run.failure);
    run.failure = -1;
    if (got > 0) {
        run.error[got] = 0;
        make_line(run.error);
        run.killing |= run.init_status >= 0; /* whoever says so from inside may go on running */
        return; /* told once it is recorded */
    }
    tell_caller(EXIT_STARTED, "");
}

/* Waits for whoever ended; `gone` once nobody is left, also not in the task's control groups. */
static void reap(void) {
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid == run.child) {
            run.ended = 1;
            run.status = status;
            run.killing = 1;
        }
    }
    run.gone = pid < 0 && errno == ECHILD && run.ended && task_processes() == 0;
}

static void read_signals(void) {
    struct signalfd_siginfo signal;
    while (read(run.signals, &signal, sizeof signal) == (ssize_t)sizeof signal) {
        if (signal.ssi_signo == SIGTERM) {
            /* The machine shuts down, or somebody means the task. */
            begin_stop((int)run.task.kill_signal, run.task.kill_timeout_ms);
        }
    }
    reap();
}

static void look_for_oom(void) {
    for (int i = 0; i < run.task.cgroup_count && run.oom < 1; i++) {
        int oom = cgroup_oom(run.task.cgroups[i]);
        run.oom = oom > run.oom ? oom : run.oom;
    }
}

static void kill_all(void) {
    look_for_oom();
    logs_come_away();
    for (int i = 0; i < run.task.cgroup_count; i++) {
        cgroup_kill(run.task.cgroups[i], logs_writers());
    }
    kill_descendants(logs_writers());
    reap();
}

static int wait_time(void) {
    if (run.killing) {
        run.kill_pause = run.kill_pause ? run.kill_pause * 2 : KILL_PAUSE_MS;
        if (run.kill_pause > MOST_KILL_PAUSE_MS) {
            run.kill_pause = MOST_KILL_PAUSE_MS;
        }
        return (int)run.kill_pause;
    }
    if (run.stopping) {
        long long left = run.stop_at - now_ms();
        return left < 0 ? 0 : left > 60000 ? 60000 : (int)left;
    }
    return -1;
}

/* Waits for anything to happen, at most `timeout` milliseconds, and sees to it. */
static void turn(int timeout) {
    struct pollfd polled[3 + MOST_CLIENTS + LOGS_POLLED] = {
        {.fd = run.signals, .events = POLLIN},
        {.fd = run.failure, .events = POLLIN},
        /* More than there is room for wait in the kernel for those that go. */
        {.fd = free_client() ? run.listener : -1, .events = POLLIN},
    };
    struct pollfd *clients = polled + 3;
    struct pollfd *logs = clients + MOST_CLIENTS;
    for (int i = 0; i < MOST_CLIENTS; i++) {
        clients[i] = (struct pollfd){.fd = run.clients[i].fd, .events = POLLIN};
    }
    logs_poll(logs, &timeout);
    if (poll(polled, sizeof polled / sizeof *polled, timeout) <= 0) {
        return;
    }
    logs_turn(logs);
    for (int i = 0; i < MOST_CLIENTS; i++) {
        if (clients[i].revents) {
            serve(&run.clients[i]);
        }
    }
    if (polled[2].revents) {
        accept_client();
    }
    if (polled[1].revents) {
        read_failure();
    }
    if (polled[0].revents) {
        read_signals();
    }
}

static void until_logs_are_kept(long long limit_ms) {
    long long until = now_ms() + limit_ms;
    long long left;
    while (!logs_are_kept() && (left = until - now_ms()) > 0) {
        turn((int)left);
    }
}

/* What is left in the pipes is written; where the disk gives no answer it is counted. */
static void end_logs(void) {
    logs_end();
    until_logs_are_kept(LOGS_LIMIT_MS);
    if (!logs_are_kept()) {
        logs_give_up();
        until_logs_are_kept(COUNT_LIMIT_MS);
    }
}

static void record_exit(void) {
    char text[800];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int code = WIFEXITED(run.status) ? WEXITSTATUS(run.status) : -1;
    int signal = WIFSIGNALED(run.status) ? WTERMSIG(run.status) : 0;
    int size = snprintf(text, sizeof text,
                        "cleat-exit %d\ncode %d\nsignal %d\noom %s\ndropped %llu\nended %lld\n%s%s%s",
                        RUN_PROTOCOL, code, signal,
                        run.oom < 0 ? "unknown" : run.oom ? "yes" : "no",
                        logs_dropped(),
                        (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000,
                        *run.error ? "error " : "", run.error, *run.error ? "\n" : "");
    /* Without room it waits for room: an exit that is not written was never known. When the
     * directory itself is gone nobody will ask. */
    while (write_durably("exit", text, (size_t)size) < 0 && errno != ENOENT) {
        turn(EXIT_RETRY_MS);
    }
}

static void live(void) {
    /* Whoever ended while a runtime was waited for has no signal left. */
    reap();
    while (!run.gone) {
        turn(wait_time());
        if (!run.killing && run.stopping && now_ms() >= run.stop_at) {
            run.killing = 1;
        }
        if (run.killing && !run.gone) {
            kill_all();
        }
    }
    if (run.failure >= 0) {
        read_failure();
    }
    read_init_status();
    end_logs();
    look_for_oom();
    record_exit();
    if (*run.error) {
        tell_caller(EXIT_FAILED, run.error);
    }
    unlink("socket");
}

static void shim(int ready) {
    char why[512];
    run.ready = ready;
    run.init_status = run.init_commands = -1;
    run.failure = run.listener = run.signals = -1;
    run.oom = -1;
    for (int i = 0; i < MOST_CLIENTS; i++) {
        run.clients[i].fd = -1;
    }
    umask(077);
    lock_dir();
    if (task_read("task", &run.task, why, sizeof why) < 0) {
        tell_caller(EXIT_USAGE, why);
        _exit(EXIT_USAGE);
    }
    for (int i = 0; i < run.task.shim_cgroup_count; i++) {
        if (cgroup_join(run.task.shim_cgroups[i]) < 0) {
            give_up(EXIT_USAGE, "the control group of the shims cannot be joined");
        }
    }
    take_signals();
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    listen_here();
    start_task();
    /* The last one to be killed for want of memory; not every root may ask for that. */
    int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0) {
        write_all(score, "-900", 4);
        close(score);
    }
    live();
    _exit(0);
}

/* ---- the called process ---- */

static int relay(int ready) {
    char text[600];
    size_t got = 0;
    ssize_t more;
    while (got < sizeof text - 1 && (more = read(ready, text + got, sizeof text - 1 - got)) != 0) {
        if (more < 0 && errno != EINTR) {
            break;
        }
        got += more > 0 ? (size_t)more : 0;
    }
    text[got] = 0;
    if (got == 0) {
        strcpy(text, "5the shim ended without a word");
    }
    if (text[1]) {
        write_all(2, text + 1, strlen(text + 1));
        write_all(2, "\n", 1);
    }
    return text[0] - '0';
}

int run_main(const char *dir) {
    int ready[2];
    if (chdir(dir) < 0 || pipe2(ready, O_CLOEXEC) < 0) {
        char text[400];
        snprintf(text, sizeof text, "the directory %.250s cannot be used: %s\n", dir,
                 strerror(errno));
        write_all(2, text, strlen(text));
        return EXIT_USAGE;
    }
    pid_t between = fork();
    if (between < 0) {
        write_all(2, "no process can be forked\n", 25);
        return EXIT_USAGE;
    }
    if (between == 0) {
        setsid();
        if (fork() != 0) {
            _exit(0);
        }
        /* Nothing of the caller stays open but the pipe it waits on. */
        int null = open("/dev/null", O_RDWR);
        dup2(null, 0);
        dup2(null, 1);
        dup2(null, 2);
        int keep = fcntl(ready[1], F_DUPFD_CLOEXEC, 3);
        if (keep != 3) {
            dup3(ready[1], 3, O_CLOEXEC);
        }
        close_range(4, ~0U, 0);
        shim(3);
    }
    close(ready[1]);
    waitpid(between, NULL, 0);
    return relay(ready[0]);
}

/*
 * A command beside a running task: in its control groups, directory and environment, as its user.
 *
 * The shim forks a process for each, which is this; the first process of a container does it for its
 * own (init.c), so that the command is where the task is. It takes the connection over, runs the command
 * on pipes or a terminal of its own, and carries bytes both ways, each direction at the pace of
 * whoever takes them. The command never outlives its connection: when that ends, by whatever death
 * of whoever held it, the command is hung up on and soon killed, with all that it started. When the
 * task ends, its shim kills both.
 *
 * Frames on the connection are a length (four bytes, the highest first), a letter, and the rest:
 *
 *   to the command     i BYTES    input            c             the input's end
 *                      w ROWS COLUMNS (text)       the terminal's size
 *   from the command   o BYTES    output           e BYTES       standard error
 *                      x CODE SIGNAL (text)        how it ended; the last one
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
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define MOST_DESCRIPTION (4 << 20)
#define MOST_FRAME (64 << 10)
#define HEAD 5
#define DESCRIPTION_MS 30000
#define HANG_UP_MS 2000
#define KILL_PAUSE_MS 20
#define END_OF_INPUT 4 /* Ctrl-D: how a terminal's input ends */

static struct {
    int connection;
    int signals;
    pid_t child;
    int in;  /* -1 once closed */
    int out; /* -1 once at its end; of a terminal the same as `in` */
    int err;
    int terminal;
    int ended; /* the command was waited for */
    int status;
    int alone;       /* nothing of the command is left */
    int hung_up;     /* nobody is there any more */
    long long kill_at;
    unsigned char from[HEAD + MOST_FRAME]; /* a frame on its way to the command */
    size_t from_size;
    size_t from_done; /* of its bytes, those that the command has */
    unsigned char to[HEAD + MOST_FRAME]; /* a frame on its way from it */
    size_t to_size;
    size_t to_done;
} exec;

/* ---- before the command runs: plain blocking talk ---- */

static void say(const char *text) {
    unsigned char head[4];
    frame_head(head, (uint32_t)strlen(text));
    if (send(exec.connection, head, 4, MSG_NOSIGNAL) != 4 ||
        send(exec.connection, text, strlen(text), MSG_NOSIGNAL) != (ssize_t)strlen(text)) {
        _exit(0);
    }
}

static _Noreturn void refuse(const char *why) {
    char text[700];
    snprintf(text, sizeof text, "1 refused %.600s", why);
    say(text);
    _exit(0);
}

static void receive(void *bytes, size_t size) {
    for (size_t got = 0; got < size;) {
        ssize_t more = recv(exec.connection, (char *)bytes + got, size - got, 0);
        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more <= 0) {
            _exit(0);
        }
        got += (size_t)more;
    }
}

static void read_request(struct command *command) {
    unsigned char head[4];
    char why[512];
    receive(head, 4);
    uint32_t size = frame_length(head);
    char *text = size > MOST_DESCRIPTION ? NULL : malloc(size + 1);
    if (!text) {
        refuse("the command's description is too long");
    }
    receive(text, size);
    text[size] = 0;
    if (command_read(text, size, command, why, sizeof why) < 0) {
        refuse(why);
    }
}

/* Its own, as the task's may say something of another terminal. */
static void add_terminal_name(struct task *task) {
    size_t count = 0;
    for (; task->env[count]; count++) {
        if (!strncmp(task->env[count], "TERM=", 5)) {
            return;
        }
    }
    char **env = calloc(count + 2, sizeof(char *));
    if (env) {
        memcpy(env, task->env, count * sizeof(char *));
        env[count] = "TERM=xterm";
        task->env = env;
    }
}

static void set_size(unsigned short rows, unsigned short columns) {
    struct winsize size = {.ws_row = rows, .ws_col = columns};
    ioctl(exec.out, TIOCSWINSZ, &size);
}

/* Both ends of a terminal; the command's is returned. */
static int open_terminal(const struct task *task, const struct command *command) {
    char name[64];
    exec.out = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (exec.out < 0 || grantpt(exec.out) < 0 || unlockpt(exec.out) < 0 ||
        ptsname_r(exec.out, name, sizeof name) != 0) {
        refuse("no terminal can be made");
    }
    int end = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (end < 0) {
        refuse("the terminal that was made cannot be opened");
    }
    if (task->has_user && fchown(end, task->uid, (gid_t)-1) < 0) {
        refuse("the terminal cannot be given to the task's user");
    }
    exec.in = exec.out;
    exec.terminal = 1;
    if (command->rows > 0 && command->columns > 0) {
        set_size(command->rows, command->columns);
    }
    return end;
}

/* The first process of a container has all that its task has: directory, environment, user, groups,
 * and what the runtime took from it. */
static void inherit(struct task *task) {
    memset(task, 0, sizeof *task);
    task->cwd = ".";
    task->env = environ;
}

static void start(struct task *task, const struct command *command, pid_t main) {
    char file[64];
    char oom_score[16] = "0";
    char why[400];
    int failure[2];
    int in[2];
    int out[2];
    int err[2];
    struct streams streams;
    snprintf(file, sizeof file, "/proc/%d/oom_score_adj", (int)(main ? main : getpid()));
    read_small(file, oom_score, sizeof oom_score);
    if (pipe2(failure, O_CLOEXEC) < 0) {
        refuse("no pipes can be made");
    }
    exec.err = -1;
    if (command->terminal) {
        int end = open_terminal(task, command);
        streams = (struct streams){end, end, end, 1};
    } else {
        if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0) {
            refuse("no pipes can be made");
        }
        streams = (struct streams){in[0], out[1], err[1], 0};
        exec.in = in[1];
        exec.out = out[0];
        exec.err = err[0];
    }
    exec.child = fork();
    if (exec.child < 0) {
        refuse("no process can be forked");
    }
    if (exec.child == 0) {
        if (main == 0) {
            capabilities_up();
        }
        become_task(task, &streams, -1, failure[1], oom_score);
    }
    close(failure[1]);
    close(streams.in);
    if (!command->terminal) {
        close(streams.out);
        close(streams.err);
    }
    ssize_t got = read(failure[0], why, sizeof why - 1);
    close(failure[0]);
    if (got > 0) {
        why[got] = 0;
        waitpid(exec.child, NULL, 0);
        refuse(why);
    }
}

/* ---- while it runs ---- */

static void unblock(int fd) {
    if (fd >= 0) {
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
}

static void close_input(void) {
    if (exec.in >= 0 && exec.in != exec.out) {
        close(exec.in);
    }
    exec.in = -1;
}

/* Its user is gone: what it would do at the end of its terminal it may do now, if it is quick. */
static void hang_up(void) {
    if (exec.hung_up) {
        return;
    }
    exec.hung_up = 1;
    exec.kill_at = now_ms() + HANG_UP_MS;
    close(exec.connection);
    exec.connection = -1;
    close_input();
    if (exec.out >= 0) {
        close(exec.out); /* of a terminal: the kernel hangs up on those in it */
    }
    if (exec.err >= 0) {
        close(exec.err);
    }
    exec.out = exec.err = -1;
    if (!exec.ended) {
        kill(-exec.child, SIGHUP);
    }
}

static void reap(void) {
    struct signalfd_siginfo signal;
    int told = 0;
    while (read(exec.signals, &signal, sizeof signal) == (ssize_t)sizeof signal) {
        told |= signal.ssi_signo == SIGTERM;
    }
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid == exec.child) {
            exec.ended = 1;
            exec.status = status;
        }
    }
    exec.alone = pid < 0 && errno == ECHILD;
    if (told) {
        hang_up();
    }
}

/* Writes what the command is to get; the rest when it takes more. */
static void feed(void) {
    while (exec.from_size > 0 && exec.from_done < exec.from_size) {
        ssize_t written = exec.in < 0 ? (ssize_t)(exec.from_size - exec.from_done)
                                      : write(exec.in, exec.from + exec.from_done,
                                              exec.from_size - exec.from_done);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0 && errno == EAGAIN) {
            return;
        }
        if (written < 0) {
            close_input(); /* it reads no more: what comes is dropped */
            continue;
        }
        exec.from_done += (size_t)written;
    }
    exec.from_size = exec.from_done = 0;
}

/* Does what a whole frame says; input stays in it until the command took it. */
static void obey(void) {
    size_t size = exec.from_size;
    char *rest = (char *)exec.from + HEAD;
    exec.from_done = exec.from_size; /* unless it is input, all of it is done */
    switch (exec.from[4]) {
    case 'i':
        exec.from_done = HEAD;
        break;
    case 'c':
        if (exec.terminal) {
            exec.from[HEAD] = END_OF_INPUT;
            exec.from_size = HEAD + 1;
            exec.from_done = HEAD;
        } else {
            close_input();
        }
        break;
    case 'w':
        exec.from[size < sizeof exec.from ? size : sizeof exec.from - 1] = 0;
        if (exec.terminal && exec.out >= 0) {
            char *end;
            unsigned long rows = strtoul(rest, &end, 10);
            set_size((unsigned short)rows, (unsigned short)strtoul(end, NULL, 10));
        }
        break;
    default:
        hang_up(); /* whoever speaks something else is not to be trusted with a command */
    }
    feed();
}

/* How much of the frame that comes is still missing. */
static size_t missing(void) {
    if (exec.from_size < HEAD) {
        return HEAD - exec.from_size;
    }
    size_t whole = (size_t)frame_length(exec.from) + 4;
    return whole > sizeof exec.from || whole < HEAD ? (size_t)-1 : whole - exec.from_size;
}

static void listen_to_client(void) {
    while (exec.connection >= 0 && exec.from_done == 0) {
        size_t wanted = missing();
        if (wanted == (size_t)-1) {
            hang_up();
            return;
        }
        ssize_t got = wanted == 0 ? 0
                                  : recv(exec.connection, exec.from + exec.from_size, wanted, 0);
        if (wanted > 0 && got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        if (wanted > 0 && got <= 0) {
            hang_up();
            return;
        }
        exec.from_size += (size_t)got;
        if (exec.from_size >= HEAD && missing() == 0) {
            obey();
        }
    }
}

static void send_frame(void) {
    while (exec.connection >= 0 && exec.to_done < exec.to_size) {
        ssize_t sent = send(exec.connection, exec.to + exec.to_done, exec.to_size - exec.to_done,
                            MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0 && errno == EAGAIN) {
            return;
        }
        if (sent < 0) {
            hang_up();
            return;
        }
        exec.to_done += (size_t)sent;
    }
    exec.to_size = exec.to_done = 0;
}

/* Makes a frame of what is there to read; 0 when nothing is. A terminal that nobody has open any
 * more reads as an error. */
static int fill(int *fd, char letter) {
    ssize_t got = *fd < 0 ? 0 : read(*fd, exec.to + HEAD, MOST_FRAME / 2);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    if (got <= 0) {
        if (*fd >= 0) {
            if (*fd == exec.in) {
                exec.in = -1;
            }
            close(*fd);
            *fd = -1;
        }
        return 0;
    }
    frame_head(exec.to, (uint32_t)got + 1);
    exec.to[4] = (unsigned char)letter;
    exec.to_size = (size_t)got + HEAD;
    send_frame();
    return 1;
}

static void turn(int timeout) {
    int wants_output = exec.to_size == 0;
    struct pollfd polled[5] = {
        {.fd = exec.signals, .events = POLLIN},
        {.fd = exec.connection,
         .events = (short)((exec.from_done == 0 ? POLLIN : 0) | (wants_output ? 0 : POLLOUT))},
        {.fd = exec.from_done > 0 ? exec.in : -1, .events = POLLOUT},
        {.fd = wants_output ? exec.out : -1, .events = POLLIN},
        {.fd = wants_output ? exec.err : -1, .events = POLLIN},
    };
    if (poll(polled, 5, timeout) <= 0) {
        return;
    }
    if (polled[0].revents) {
        reap();
    }
    if (exec.connection >= 0 && (polled[1].revents & (POLLHUP | POLLERR))) {
        hang_up();
    }
    if (exec.connection >= 0 && (polled[1].revents & POLLOUT)) {
        send_frame();
    }
    if (polled[2].revents) {
        feed();
    }
    if (exec.connection >= 0 && (polled[1].revents & POLLIN)) {
        listen_to_client();
    }
    if (polled[3].revents && exec.to_size == 0) {
        fill(&exec.out, 'o');
    }
    if (polled[4].revents && exec.to_size == 0) {
        fill(&exec.err, 'e');
    }
}

/* Until nothing of the command runs any more; what it left behind goes with it. */
static void live(void) {
    while (!exec.alone) {
        int kills = exec.ended || (exec.hung_up && now_ms() >= exec.kill_at);
        if (kills) {
            kill_descendants((pid_t[]){0});
        }
        long long left = exec.hung_up ? exec.kill_at - now_ms() : -1;
        turn(kills ? KILL_PAUSE_MS : (int)left);
        if (kills) {
            reap();
        }
    }
}

/* What its pipes still hold; somebody outside may have them open, so an empty one is at its end. */
static void drain(int *fd, char letter) {
    while (exec.connection >= 0 && *fd >= 0) {
        if (exec.to_size > 0) {
            turn(-1);
        } else if (!fill(fd, letter)) {
            return;
        }
    }
}

static void report(void) {
    int code = WIFEXITED(exec.status) ? WEXITSTATUS(exec.status) : -1;
    int signal = WIFSIGNALED(exec.status) ? WTERMSIG(exec.status) : 0;
    while (exec.connection >= 0 && exec.to_size > 0) {
        turn(-1);
    }
    int size = snprintf((char *)exec.to + HEAD, 64, "%d %d", code, signal);
    frame_head(exec.to, (uint32_t)size + 1);
    exec.to[4] = 'x';
    exec.to_size = (size_t)size + HEAD;
    exec.to_done = 0;
    send_frame();
    while (exec.connection >= 0 && exec.to_size > 0) {
        turn(-1);
    }
}

void exec_main(int connection, pid_t main) {
    struct command command;
    struct task task;
    char why[512];
    /* Nothing of the shim stays open but the directory it is in and the connection. */
    if (connection != 3) {
        dup3(connection, 3, O_CLOEXEC);
    }
    close_range(4, ~0U, 0);
    exec.connection = 3;
    fcntl(3, F_SETFL, fcntl(3, F_GETFL) & ~O_NONBLOCK);
    struct timeval patience = {DESCRIPTION_MS / 1000, 0};
    setsockopt(3, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_SETMASK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    exec.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    say("1 ok");
    read_request(&command);
    if (exec.signals < 0) {
        refuse("signals cannot be received");
    }
    if (main == 0) {
        inherit(&task);
    } else if (task_read("task", &task, why, sizeof why) < 0) {
        refuse(why);
    }
    task.command = command.command;
    task.args = command.args;
    if (command.plain) {
        task.cgroup_count = 0;
        task.rlimit_count = 0;
        task.has_user = 0;
    }
    if (command.terminal) {
        add_terminal_name(&task);
    }
    start(&task, &command, main);
    say("1 ok");
    unblock(exec.connection);
    unblock(exec.in);
    unblock(exec.out);
    unblock(exec.err);
    live();
    drain(&exec.out, 'o');
    drain(&exec.err, 'e');
    report();
    _exit(0);
}

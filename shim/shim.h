/*
 * cleat-shim: the one native program of Cleat. It has no dependency but the C library, no thread,
 * and no memory to speak of.
 *
 *   shim run DIR     the parent of one task (run.c); protocol in README.md
 *   shim init CMD... the first process of a container (init.c)
 *   shim detach DIR [CGROUP]... -- CMD...  a program that outlives its caller (detach.c)
 *   shim follow OUT ERR  hands on what is written to two FIFOs (follow.c)
 *   shim path        a worker for path calls that may hang (path.c)
 *   shim confine USER BYTES DIR [PATH]... -- CMD...  a command as nobody, in a root of its own (confine.c)
 *   shim read FILE   reads a task description and says whether it can be run
 *   shim version     the program and the protocols it speaks
 */
#ifndef CLEAT_SHIM_H
#define CLEAT_SHIM_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PROGRAM_VERSION "0.1.0"
#define RUN_PROTOCOL 1  /* the files of DIR and the requests on its socket */
#define TASK_VERSION 3  /* the newest task description that can be read */
#define PATH_PROTOCOL 1 /* the requests of the path worker */

/* Exit codes of `shim run`; the words are on standard error. */
enum {
    EXIT_STARTED = 0,
    EXIT_USAGE = 2,   /* nothing was done: a wrong call, an unreadable description, no room */
    EXIT_REFUSED = 3, /* nothing was done: DIR belongs to a task that was started before */
    EXIT_FAILED = 4,  /* the command could not be executed; recorded in DIR/exit */
    EXIT_UNKNOWN = 5  /* the shim ended without a word */
};

#define MOST_CGROUPS 16
#define MOST_GROUPS 64
#define MOST_RUNTIME_ARGS 16
#define MOST_RLIMITS 16

/* What the first process of a container finds open (init.c). */
enum { INIT_FAILURE = 3, INIT_STATUS = 4, INIT_COMMANDS = 5, INIT_ENDS = 3 };

/* ---- task.c: the description of a task ---- */

struct task {
    char *memory; /* the file; the pointers below point into it */
    char *command;
    char **args; /* ends with NULL; args[0] is the command */
    char **env;  /* ends with NULL */
    char *cwd;
    char *name;
    char *log_dir;
    long long max_files;
    long long max_file_size;
    long long kill_signal;
    long long kill_timeout_ms;
    int has_user;
    uid_t uid;
    gid_t gid;
    gid_t groups[MOST_GROUPS];
    int group_count;
    char *cgroups[MOST_CGROUPS]; /* joined by the task alone */
    int cgroup_count;
    char *shim_cgroups[MOST_CGROUPS]; /* joined by the shim */
    int shim_cgroup_count;
    /* Version 2: the task is a container of an OCI runtime; its bundle says what runs in it. */
    char *runtime; /* NULL for a plain command */
    char *runtime_args[MOST_RUNTIME_ARGS + 1]; /* before the verb */
    int runtime_arg_count;
    char *runtime_log; /* where the runtime writes its words, as JSON lines */
    char *bundle;
    char *container;
    /* Version 3: what each process may have at most, soft and hard. */
    struct {
        int resource;
        unsigned long long most;
    } rlimits[MOST_RLIMITS];
    int rlimit_count;
};

/* Fills `task` from `file`; otherwise returns -1 with a sentence in `why`. */
int task_read(const char *file, struct task *task, char *why, size_t why_size);
/* Gives back what only the child needs: arguments and environment. */
void task_forget(struct task *task);

/* ---- container.c: a task in a container ---- */

/* Has the runtime make the container, whose first process then is our child and waits. `stdio` are
 * its input, output and error; `init` become what it finds open. Returns its id, or -1 with words in
 * `why`; then something of it may be left, below us. */
pid_t container_create(const struct task *task, const int *stdio, const int *init, char *why,
                       size_t why_size);
/* Lets the container's first process go; -1 with words in `why`. */
int container_start(const struct task *task, char *why, size_t why_size);

/* ---- init.c ---- */

int init_main(char **command);
/* Hands a connection to the first process at the other end of `commands`; -1 when it takes none. */
int init_hand_over(int commands, int connection);

/* A request to run a command beside a task (exec.c). */
struct command {
    char *command;
    char **args; /* ends with NULL; args[0] is the command */
    int terminal;
    unsigned short rows;
    unsigned short columns;
    int plain; /* neither in the task's control groups nor as its user */
};

/* Fills `command` from `text`, which it points into; otherwise -1 with a sentence in `why`. */
int command_read(char *text, size_t size, struct command *command, char *why, size_t why_size);

/* ---- become.c: from a fork to a program ---- */

struct streams {
    int in;
    int out;
    int err;
    int terminal; /* the three are one */
};

/* Joins, enters, becomes and executes what `task` says, once `gate` (-1: none) opens; on `failure`,
 * which executing closes, comes why it could not. */
_Noreturn void become_task(const struct task *task, const struct streams *streams, int gate,
                           int failure, const char *oom_score);

/* ---- exec.c: commands beside the task ---- */

/* In a process of its own: serves one command over `connection`, beside the process `main` as DIR/task
 * describes it, or, where that is 0, as this process is. */
_Noreturn void exec_main(int connection, pid_t main);

/* ---- wall.c: what keeps a task from our processes beside it ---- */

/* From here on nobody of the same user looks into this process, nor into what it forks; -1 when the
 * kernel would not have it. */
int wall_up(void);
/* Nothing but signals to children stays in effect; -1 when that cannot be. */
int capabilities_down(void);
/* All that is permitted is in effect again, for what is executed next. */
int capabilities_up(void);
/* None is left, for ever. */
int capabilities_away(void);

/* ---- place.c: what others may have changed, opened over no link (more of it in path.h) ---- */

/* Opens a file of `dir`, or makes it, to write at its end. It is a regular one, ours, with one link; else
 * -1 with EPERM, and it was not opened. Never waits for anybody. */
int open_own_file(int dir, const char *name);
/* Opens a directory to be read whose last name may have been changed by others; -1, with EPERM where it is
 * not ours, with ELOOP or ENOTDIR where it is a link. */
int open_own_directory(const char *path);

/* ---- output.c: rotated files ---- */

/* What is counted of a stream, in memory that others see too. */
struct account {
    unsigned long long dropped; /* bytes that are not kept */
    unsigned long long held;    /* bytes that were read, and are neither kept nor dropped yet */
    long long index;            /* of the newest file; -1 before it was looked for */
    long long room;             /* bytes that may be kept now; below 0 where a line was ended beyond it */
    long long since;            /* when that was so */
    enum { ENDED, KEPT, DROPPED } line; /* the last line: it has its end, or what became of its begin */
};

struct output {
    int pipe; /* our end; -1 once the task closed its own */
    int dir;  /* -1: nothing is kept */
    int file; /* -1 while none could be opened */
    char name[256];
    long long index;
    long long size;
    long long max_files;
    long long max_file_size;
    struct account *account;
    long long last; /* when the pipe last held something */
    long long rest; /* until when it is left alone; 0: not */
};

/* The account of a stream that begins. */
void output_account(struct account *account);
/* Goes on with the file of the account, or the newest of this name in `dir`. */
void output_open(struct output *output);
/* Moves what the pipe holds, at most one buffer; returns 0 once the pipe is empty, -1 at its end. May
 * set `rest`: what comes until then may wait in the pipe, which has room for it. */
int output_move(struct output *output);

/* ---- writer.c: the processes that keep output, so that the shim waits for no disk ---- */

#define LOGS_POLLED 5

/* Keeps in `dir` what comes from the pipes of standard output and error. The task's control groups are
 * looked up in `task` later too. -1 when that cannot be. */
int logs_begin(const struct task *task, int dir, const int *pipes);
/* Has the files made, though nothing comes yet. */
void logs_start(void);
/* What to wait for: fills LOGS_POLLED places, and may shorten the time. */
void logs_poll(struct pollfd *polled, int *timeout);
/* Sees to what was waited for. */
void logs_turn(const struct pollfd *polled);
/* From here on no writer is in the control groups of the task, which may be killed whole. */
void logs_come_away(void);
/* The writers that run, then 0: they are ours, and no processes of the task. */
const pid_t *logs_writers(void);
/* Nothing comes any more but what is in the pipes. */
void logs_end(void);
/* What is in the pipes is counted and not kept: the disk gives no answer. */
void logs_give_up(void);
/* Whether nothing is in the pipes or on its way. */
int logs_are_kept(void);
/* How many bytes are not kept so far. */
unsigned long long logs_dropped(void);

/* ---- process.c: processes and control groups ---- */

/* Start time of a process in clock ticks since boot, 0 when there is none. */
unsigned long long process_start(pid_t pid);
/* Kills every descendant of this process, but those; a list ends with 0, here and below. */
void kill_descendants(const pid_t *spared);
int cgroup_join(const char *dir);
int cgroup_move(const char *dir, pid_t pid);
/* Whether its processes have a share of the processors together, or are counted for that. */
int cgroup_shares_processors(const char *dir);
/* Kills all processes of a control group at once where the kernel can, which spares nobody; else frozen
 * one by one. */
void cgroup_kill(const char *dir, const pid_t *spared);
/* How many processes a control group has beside those; 0 when it is gone. */
int cgroup_count(const char *dir, const pid_t *spared);
/* 1 when the kernel killed for want of memory in it, 0 when not, -1 when it does not say. */
int cgroup_oom(const char *dir);

/* ---- files.c: small things ---- */

int write_all(int fd, const void *bytes, size_t size);
/* Reads a small file into a string; -1 when it cannot be read. */
int read_small(const char *file, char *text, size_t size);
/* Replaces `name` in the current directory by `text`, whole or not at all; durable at return. */
int write_durably(const char *name, const char *text, size_t size);
/* Makes a text of others one line of printable characters, in place. */
void make_line(char *text);
/* CLOCK_BOOTTIME in milliseconds. */
long long now_ms(void);
/* A frame's length is four bytes, the highest first. */
uint32_t frame_length(const unsigned char *head);
void frame_head(unsigned char *head, uint32_t length);

int run_main(const char *dir);
int path_main(int walk_always);
int confine_main(char **args);
int call_main(char **args);
int pause_main(void);
int detach_main(char **args);
int follow_main(const char *out, const char *err);

#endif

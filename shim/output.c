/*
 * A stream of a task into files NAME.STREAM.0, .1 and so on: the newest grows to its size, then the
 * next one is begun and the oldest goes. Bytes are never reordered. Where there is no room they are
 * counted and dropped, so that a full disk stops no task; and so are the lines of a stream that is
 * faster than RATE for longer than BURST lasts, so that none wears a disk out or keeps it from others.
 *
 * To be woken costs more than to read and write a line. So while output comes steadily the pipe is left
 * alone for a moment after each read, as long as it takes to be a quarter full, and a quarter of a second
 * at most: no task is held up, and one that prints ten lines a second wakes its writer four times.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_INDEX 1000000000000000LL /* of a file that a task's output ever came to */
#define MOST_REST_MS 250
#define STEADY_MS (MOST_REST_MS / 2) /* sooner than this after the last, output is steady */
#define REST_BYTES 16384             /* of the 64 KiB that a pipe holds */
#define RATE (10LL << 20)            /* bytes a second that are kept of a stream */
#define BURST (100LL << 20)          /* bytes that are kept at once, as many as its files hold if not told */

static char buffer[32768];

static void file_name(const struct output *output, long long index, char *text, size_t size) {
    snprintf(text, size, "%s.%lld", output->name, index);
}

/* The highest index that exists, 0 when there is none. */
static long long newest(const struct output *output) {
    long long highest = 0;
    int copy = openat(output->dir, ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    size_t length = strlen(output->name);
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        if (!strncmp(entry->d_name, output->name, length) && entry->d_name[length] == '.') {
            char *end;
            long long index = strtoll(entry->d_name + length + 1, &end, 10);
            if (!*end && index > highest && index < MOST_INDEX) {
                highest = index;
            }
        }
    }
    if (dir) {
        closedir(dir);
    }
    return highest;
}

/* Opens the file of the current index, to go on at its end. What is not ours there stays as it is. */
static int reopen(struct output *output) {
    char name[300];
    file_name(output, output->index, name, sizeof name);
    output->file = open_own_file(output->dir, name);
    struct stat stat;
    if (output->file >= 0 && fstat(output->file, &stat) == 0) {
        output->size = stat.st_size;
    }
    return output->file;
}

static void rotate(struct output *output) {
    close(output->file);
    output->file = -1;
    output->account->index = ++output->index;
    output->size = 0;
    char name[300];
    for (long long old = output->index - output->max_files; old >= 0; old--) {
        file_name(output, old, name, sizeof name);
        if (unlinkat(output->dir, name, 0) < 0) {
            break;
        }
    }
}

void output_account(struct account *account) {
    account->index = -1;
    account->room = BURST;
    account->since = now_ms();
}

void output_open(struct output *output) {
    output->file = -1;
    if (output->dir >= 0) {
        output->index = output->account->index;
        if (output->index < 0) {
            output->account->index = output->index = newest(output);
        }
        reopen(output);
    }
}

static void drop(struct output *output, size_t size) {
    __atomic_add_fetch(&output->account->dropped, size, __ATOMIC_RELAXED);
    output->account->held -= size;
}

static void store(struct output *output, const char *bytes, size_t size) {
    while (size > 0) {
        if (output->file >= 0 && output->size >= output->max_file_size) {
            rotate(output);
        }
        if (output->file < 0 && reopen(output) < 0) {
            break;
        }
        long long room = output->max_file_size - output->size;
        if (room <= 0) {
            continue;
        }
        size_t part = (long long)size > room ? (size_t)room : size;
        ssize_t written = write(output->file, bytes, part);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            break;
        }
        output->account->held -= (size_t)written;
        output->size += written;
        bytes += written;
        size -= (size_t)written;
    }
    drop(output, size);
}

static long long room_now(struct account *account) {
    long long now = now_ms();
    long long more = now - account->since > BURST / RATE * 1000 ? BURST : (now - account->since) * RATE / 1000;
    account->since = now;
    account->room = account->room + more > BURST ? BURST : account->room + more;
    return account->room;
}

/* Keeps what the rate of the stream lets through. Where that ends is the end of a line, unless the line is
 * longer than what is looked at here. */
static void keep(struct output *output, const char *bytes, size_t size) {
    struct account *account = output->account;
    if (account->line == DROPPED) {
        const char *end = memchr(bytes, '\n', size);
        size_t rest = end ? (size_t)(end - bytes) + 1 : size;
        drop(output, rest);
        account->line = end ? ENDED : DROPPED;
        bytes += rest;
        size -= rest;
    }
    if (size == 0) {
        return;
    }
    long long room = room_now(account);
    size_t kept = size;
    if (room < (long long)size) {
        kept = room > 0 ? (size_t)room : 0;
        const char *end = kept > 0 || account->line == KEPT ? memchr(bytes + kept, '\n', size - kept) : NULL;
        kept = end ? (size_t)(end - bytes) + 1 : kept;
    }
    account->room -= (long long)kept;
    store(output, bytes, kept);
    drop(output, size - kept);
    account->line = bytes[size - 1] == '\n' ? ENDED : kept == size ? KEPT : DROPPED;
}

/* A full buffer was not all. */
static void take_rest(struct output *output, size_t got) {
    long long now = now_ms();
    long long since = now - output->last;
    int steady = output->rest > 0 || since < STEADY_MS;
    long long rest = since * REST_BYTES / (long long)got;
    output->last = now;
    output->rest = !steady || got == sizeof buffer || rest == 0 ? 0
                   : now + (rest < MOST_REST_MS ? rest : MOST_REST_MS);
}

int output_move(struct output *output) {
    ssize_t got = read(output->pipe, buffer, sizeof buffer);
    if (got > 0) {
        output->account->held = (size_t)got;
        if (output->dir < 0) {
            drop(output, (size_t)got);
        } else {
            keep(output, buffer, (size_t)got);
            take_rest(output, (size_t)got);
        }
        return 1;
    }
    output->rest = 0;
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    output->pipe = -1;
    return -1;
}

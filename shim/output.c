/*
 * A stream of a task into files NAME.STREAM.0, .1 and so on: the newest grows to its size, then the
 * next one is begun and the oldest goes. Bytes are never reordered. Where there is no room they are
 * counted and dropped, so that a full disk stops no task.
 *
 * To be woken costs more than to read and write a line. So while output comes steadily the pipe is left
 * alone for a moment after each read, as long as it takes to be a quarter full, and a quarter of a second
 * at most: no task is held up, and one that prints ten lines a second wakes its shim four times.
 */
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

static char buffer[32768];

static void file_name(const struct output *output, long long index, char *text, size_t size) {
    snprintf(text, size, "%s.%lld", output->name, index);
}

/* The highest index that exists, 0 when there is none. */
static long long newest(const struct output *output) {
    long long highest = 0;
    int copy = openat(output->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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
    output->index++;
    output->size = 0;
    char name[300];
    for (long long old = output->index - output->max_files; old >= 0; old--) {
        file_name(output, old, name, sizeof name);
        if (unlinkat(output->dir, name, 0) < 0) {
            break;
        }
    }
}

void output_open(struct output *output, int dir, int pipe, const char *task, const char *stream,
                 long long max_files, long long max_file_size) {
    memset(output, 0, sizeof *output);
    output->dir = dir;
    output->pipe = pipe;
    output->file = -1;
    output->max_files = max_files;
    output->max_file_size = max_file_size;
    snprintf(output->name, sizeof output->name, "%s.%s", task, stream);
    output->index = newest(output);
    reopen(output);
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
        output->size += written;
        bytes += written;
        size -= (size_t)written;
    }
    output->dropped += size;
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
        store(output, buffer, (size_t)got);
        take_rest(output, (size_t)got);
        return 1;
    }
    output->rest = 0;
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    close(output->pipe);
    output->pipe = -1;
    return -1;
}

/*
 * Measuring of a tree that anybody may have made, and is changing meanwhile. As in path_clear.c the
 * names are bytes that are passed back as the kernel gave them, every step is relative to a directory
 * that is held open, no link is followed and no mount is crossed: what is mounted in the tree, whether
 * it hangs or not, is never asked anything.
 *
 * A tree may have more entries than one call should read. So the walk is kept between two calls, by
 * its number. HELD directories are held open at most, and the last one; of those between only is known
 * which they are, and how far they were read. They are opened again from below, as `..`, and it is looked
 * whether they are what they were: so neither the depth nor the length of the paths has a limit.
 */
#define _GNU_SOURCE
#include "path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define HELD 32
#define BLOCK 512 /* the unit of st_blocks, whatever the file system's is */
#define OFTEN 64  /* entries from one look at the clock to the next */

struct level {
    DIR *entries; /* NULL while it is closed */
    long at;      /* as telldir(3), of a closed one */
    dev_t device;
    ino_t inode;
};

/* The one walk there is; its number is 0 while there is none. */
struct measuring {
    unsigned long long walk;
    struct level *levels;
    size_t depth;
    size_t room;
    dev_t device; /* of the directory that is left out; its inode is 0 where none is */
    ino_t inode;
    unsigned long long bytes;
    unsigned long long entries;
    unsigned long long micros; /* of processor time, since its beginning */
};

static struct measuring measuring;

static unsigned long long plus(unsigned long long sum, unsigned long long more) {
    return sum + more < sum ? ~0ULL : sum + more;
}

static unsigned long long spent_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (unsigned long long)now.tv_sec * 1000000ULL + (unsigned long long)now.tv_nsec / 1000;
}

static void end_walk(void) {
    while (measuring.depth > 0) {
        struct level *level = &measuring.levels[--measuring.depth];
        if (level->entries) {
            closedir(level->entries);
        }
    }
    free(measuring.levels);
    measuring = (struct measuring){0};
}

/* A file with several names counts by its share at each: so all of them together count once, and
 * nothing need be remembered. */
static void count(const struct statx *stat) {
    unsigned long long bytes = stat->stx_blocks > ~0ULL / BLOCK ? ~0ULL : stat->stx_blocks * BLOCK;
    int shared = !S_ISDIR(stat->stx_mode) && stat->stx_nlink > 1;
    measuring.bytes = plus(measuring.bytes, shared ? bytes / stat->stx_nlink : bytes);
}

/* What is known without asking anybody behind a mount. */
static int look_at(int fd, const char *name, struct statx *stat) {
    int how = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC | (*name ? 0 : AT_EMPTY_PATH);
    return statx(fd, name, how, STATX_BASIC_STATS, stat);
}

/* Takes a directory that is open as the next level; closes it if it cannot. */
static int enter(int fd) {
    struct statx stat;
    if (measuring.depth == measuring.room) {
        size_t room = measuring.room ? measuring.room * 2 : HELD;
        struct level *levels = realloc(measuring.levels, room * sizeof *levels);
        if (!levels) {
            close(fd);
            return -1;
        }
        measuring.levels = levels;
        measuring.room = room;
    }
    DIR *entries = look_at(fd, "", &stat) < 0 ? NULL : fdopendir(fd);
    if (!entries) {
        int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    struct level *level = &measuring.levels[measuring.depth++];
    level->entries = entries;
    level->at = 0;
    level->device = makedev(stat.stx_dev_major, stat.stx_dev_minor);
    level->inode = stat.stx_ino;
    return 0;
}

static int is_left_out(int fd) {
    struct stat stat;
    return measuring.inode && fstat(fd, &stat) == 0 && stat.st_ino == measuring.inode &&
           stat.st_dev == measuring.device;
}

/* Goes into a directory, unless it is a mount, or went, or nobody may. */
static int descend(const char *name) {
    struct level *level = &measuring.levels[measuring.depth - 1];
    int parent = dirfd(level->entries);
    int fd = open_below(parent, name, O_RDONLY | O_DIRECTORY | O_NONBLOCK, 1);
    struct statx stat;
    if (fd < 0) {
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EIO ? -1 : 0;
    }
    if (is_left_out(fd)) {
        close(fd);
        return 0;
    }
    if (look_at(fd, "", &stat) == 0) {
        count(&stat);
    }
    if (measuring.depth > HELD) {
        level->at = telldir(level->entries);
    }
    if (enter(fd) < 0) {
        return -1;
    }
    /* `enter` may have moved the levels. */
    level = &measuring.levels[measuring.depth - 2];
    if (measuring.depth - 1 > HELD) {
        closedir(level->entries);
        level->entries = NULL;
    }
    return 0;
}

static int take(const struct dirent *entry) {
    const struct level *level = &measuring.levels[measuring.depth - 1];
    struct statx stat;
    measuring.entries = plus(measuring.entries, 1);
    if (entry->d_type == DT_DIR) {
        return descend(entry->d_name);
    }
    if (look_at(dirfd(level->entries), entry->d_name, &stat) < 0) {
        return errno == ENOMEM || errno == EIO ? -1 : 0;
    }
    /* Not every file system says in its entries what they are. */
    if (entry->d_type == DT_UNKNOWN && S_ISDIR(stat.stx_mode)) {
        return descend(entry->d_name);
    }
    if (!(stat.stx_attributes & stat.stx_attributes_mask & MOUNT_ROOT)) {
        count(&stat);
    }
    return 0;
}

/* The directory above a closed level's, if it is still what it was; -1 if not. */
static int reopen(int below, const struct level *level) {
    struct stat stat;
    int fd = openat(below, "..", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 &&
        (fstat(fd, &stat) < 0 || stat.st_dev != level->device || stat.st_ino != level->inode)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Leaves the last level. Where somebody moved it elsewhere meanwhile, so that the way up leads to
 * another directory, the levels that are closed are left with it. */
static void ascend(void) {
    struct level *left = &measuring.levels[--measuring.depth];
    struct level *above = left - 1;
    if (measuring.depth > 0 && !above->entries) {
        int fd = reopen(dirfd(left->entries), above);
        above->entries = fd < 0 ? NULL : fdopendir(fd);
        if (above->entries) {
            seekdir(above->entries, above->at);
        } else if (fd >= 0) {
            close(fd);
        }
    }
    closedir(left->entries);
    while (measuring.depth > 0 && !measuring.levels[measuring.depth - 1].entries) {
        measuring.depth--;
    }
}

/* 1 while there is more, 0 once all was seen. */
static int go_on(long long end) {
    for (unsigned turn = 0; measuring.depth > 0; turn++) {
        if (turn % OFTEN == OFTEN - 1) {
            nobody_waits();
            if (now_ms() >= end) {
                return 1;
            }
        }
        errno = 0;
        struct dirent *entry = readdir(measuring.levels[measuring.depth - 1].entries);
        if (!entry && errno && errno != ENOENT) {
            return -1;
        }
        if (!entry) {
            ascend();
        } else if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && take(entry) < 0) {
            path_at(entry->d_name);
            return -1;
        }
    }
    return 0;
}

/* The directory that is left out, if it is there. */
static int leave_out(int root, const char *besides) {
    struct stat stat;
    int fd = *besides ? open_below(root, besides, O_PATH | O_DIRECTORY, 1) : -1;
    if (fd < 0) {
        return !*besides || errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == EXDEV ? 0
                                                                                                    : -1;
    }
    if (fstat(fd, &stat) == 0) {
        measuring.device = stat.st_dev;
        measuring.inode = stat.st_ino;
    }
    close(fd);
    return 0;
}

static int begin(const struct place *place, const char *besides) {
    end_walk();
    int root = open_place(place, place->below, O_RDONLY | O_DIRECTORY);
    if (root < 0) {
        return -1;
    }
    if (leave_out(root, besides) < 0) {
        int why = errno;
        close(root);
        errno = why;
        return -1;
    }
    while (measuring.walk == 0) {
        if (getrandom(&measuring.walk, sizeof measuring.walk, 0) < 0) {
            close(root);
            return -1;
        }
        measuring.walk >>= 1; /* a number that every reader has room for */
    }
    return enter(root);
}

int do_measure(const struct place *place, const char *besides, const char *milliseconds,
               const char *walk_text) {
    unsigned long long walk = strtoull(walk_text, NULL, 10);
    long long end = now_ms() + strtoll(milliseconds, NULL, 10);
    unsigned long long before = spent_us();
    if (walk && walk != measuring.walk) {
        errno = ESTALE;
        return -1;
    }
    int result = walk || begin(place, besides) == 0 ? go_on(end) : -1;
    int why = errno;
    measuring.micros = plus(measuring.micros, spent_us() - before);
    if (result >= 0) {
        result = put(result > 0 ? "more" : "done") < 0 || put_number(measuring.walk, "%llu") < 0 ||
                         put_number(measuring.bytes, "%llu") < 0 ||
                         put_number(measuring.entries, "%llu") < 0 ||
                         put_number(measuring.micros, "%llu") < 0
                     ? -1
                     : result;
    }
    if (result <= 0) {
        end_walk();
    }
    errno = why;
    return result < 0 ? -1 : 0;
}

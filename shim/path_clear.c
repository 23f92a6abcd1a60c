/*
 * Removing of a tree that anybody may have made, and may still change. The names are bytes that are
 * passed back to the kernel as it gave them; every step is relative to a directory that is held open;
 * no link is followed and no mount is crossed.
 *
 * LEVELS directories are held open at most. A directory that lies deeper is moved up, next to the
 * first ones, and removed there. So neither the depth nor the length of the paths has a limit.
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
#include <unistd.h>

#define LEVELS 48

struct level {
    DIR *entries;
    char name[256]; /* of this directory, in the one above */
    int changed;    /* entries went since its reading began */
};

/* One call: what it may still do, and what it did. */
struct clearing {
    struct level levels[LEVELS];
    int depth; /* levels that are open */
    long long removed;
    long long most;
    long long end; /* as now_ms tells */
};

static int is_over(const struct clearing *clearing) {
    return clearing->removed >= clearing->most || now_ms() >= clearing->end;
}

/* Opens the directory `name` in `parent` as the next level. */
static int descend(struct clearing *clearing, int parent, const char *name) {
    struct level *level = &clearing->levels[clearing->depth];
    int fd = open_below(parent, name, O_RDONLY | O_DIRECTORY, 1);
    level->entries = fd < 0 ? NULL : fdopendir(fd);
    if (!level->entries) {
        int why = errno;
        if (fd >= 0) {
            close(fd);
        }
        errno = why;
        return -1;
    }
    snprintf(level->name, sizeof level->name, "%s", name);
    level->changed = 0;
    clearing->depth++;
    return 0;
}

/* Moves what lies too deep into the first level, under a name that nobody knows before. */
static int move_up(struct clearing *clearing, int parent, const char *name) {
    char hidden[32];
    unsigned long long number;
    if (getrandom(&number, sizeof number, 0) < 0) {
        return -1;
    }
    snprintf(hidden, sizeof hidden, ".%016llx.gone", number);
    if (renameat(parent, name, dirfd(clearing->levels[0].entries), hidden) < 0) {
        return -1;
    }
    clearing->levels[0].changed = 1;
    return 0;
}

/* Removes an entry, or goes into it. */
static int take(struct clearing *clearing, int parent, const char *name) {
    struct level *level = &clearing->levels[clearing->depth - 1];
    nobody_waits();
    int result = unlinkat(parent, name, 0);
    if (result == 0) {
        clearing->removed++;
        level->changed = 1;
        return 0;
    }
    if (errno == EISDIR) {
        result = clearing->depth < LEVELS ? descend(clearing, parent, name)
                                          : move_up(clearing, parent, name);
    }
    /* Not where somebody put something else in its place, which the next reading finds. */
    if (result == 0 || errno == ENOENT || errno == ENOTDIR || errno == ELOOP) {
        level->changed = 1;
        return 0;
    }
    return -1;
}

/* Removes the last level, in which nothing was found any more; `below` is what the first one lies in. */
static int ascend(struct clearing *clearing, int below) {
    struct level *level = &clearing->levels[clearing->depth - 1];
    int parent = clearing->depth > 1 ? dirfd(level[-1].entries) : below;
    nobody_waits();
    if (unlinkat(parent, level->name, AT_REMOVEDIR) == 0) {
        clearing->removed++;
    } else if (errno == ENOTEMPTY && level->changed) {
        /* Reading beside removing passes entries over on some file systems. */
        rewinddir(level->entries);
        level->changed = 0;
        return 0;
    } else if (errno != ENOENT) {
        return -1;
    }
    closedir(level->entries);
    clearing->depth--;
    return 0;
}

/* 1 while there is more, 0 once all is gone. */
static int go_on(struct clearing *clearing, int below) {
    while (clearing->depth > 0) {
        struct level *level = &clearing->levels[clearing->depth - 1];
        if (is_over(clearing)) {
            return 1;
        }
        errno = 0;
        struct dirent *entry = readdir(level->entries);
        if (!entry && errno) {
            return -1;
        }
        if (!entry) {
            if (ascend(clearing, below) < 0) {
                return -1;
            }
        } else if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) {
            if (take(clearing, dirfd(level->entries), entry->d_name) < 0) {
                path_at(entry->d_name);
                return -1;
            }
        }
    }
    return 0;
}

static int start(struct clearing *clearing, int below, const char *name) {
    nobody_waits();
    if (unlinkat(below, name, 0) == 0) {
        clearing->removed++;
        return 0;
    }
    return errno != EISDIR ? -1 : descend(clearing, below, name) < 0 ? -1 : go_on(clearing, below);
}

int do_clear(const struct place *place, const char *most, const char *milliseconds) {
    static struct clearing clearing;
    const char *name;
    int below = open_parent(place, &name);
    if (below < 0) {
        return errno == ENOENT ? put("gone") < 0 ? -1 : put("0") : -1;
    }
    clearing.depth = 0;
    clearing.removed = 0;
    clearing.most = strtoll(most, NULL, 10);
    clearing.end = now_ms() + strtoll(milliseconds, NULL, 10);
    int result = start(&clearing, below, name);
    int why = errno;
    /* From the last level to the first, so that the whole way is told. */
    while (clearing.depth > 0) {
        struct level *level = &clearing.levels[--clearing.depth];
        closedir(level->entries);
        if (result < 0 && clearing.depth > 0) {
            path_at(level->name);
        }
    }
    close(below);
    errno = why;
    if (result < 0 && errno != ENOENT) {
        path_effect_unknown = clearing.removed > 0;
        return -1;
    }
    return put(result > 0 ? "more" : "gone") < 0
               ? -1
               : put_number((unsigned long long)clearing.removed, "%llu");
}

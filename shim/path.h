/*
 * What the parts of the path worker (path.c) share. Operations answer by `put`, or return -1 with
 * errno set.
 */
#ifndef CLEAT_PATH_H
#define CLEAT_PATH_H

#include "shim.h"

#include <stdint.h>
#include <sys/stat.h>

#define MOST_WRITE (4 << 20)
#define MOST_REQUEST (MOST_WRITE + (64 << 10))
#define MOST_READ (256 << 10)
#define MOUNT_ROOT 0x2000 /* STATX_ATTR_MOUNT_ROOT */

/* ---- path.c: answers ---- */

/* Whether a failed operation may have done something. */
extern int path_effect_unknown;
/* Says where below its place an operation failed: the innermost name first, then those above it. */
void path_at(const char *name);

int put(const char *field);
/* Puts `done`, and gives where it is, so that it can become `more`. The first value of an answer. */
char *put_done(void);
int put_bytes(const char *bytes, size_t size);
/* Whether an answer has room for so many bytes more, and for an end. */
int has_room(size_t size);
int put_number(unsigned long long value, const char *form);
/* Whoever asked may be gone: nothing more is begun then. */
void nobody_waits(void);

/* ---- place.c: below a trusted root, over no link ---- */

struct place {
    const char *root;
    const char *below;
    int same; /* no mount may lie on the way from the root */
};

/* Kernels without openat2 (before 5.6) are walked, name by name. */
extern int path_walks;

int open_place(const struct place *place, const char *below, int flags);
/* As open_place, below a directory that is open; the last name is no link either. */
int open_below(int root, const char *below, int flags, int same);
/* Opens the directory that the last name lies in, and gives the name. */
int open_parent(const struct place *place, const char **name);

/* ---- path_look.c ---- */

/* The place's statx, with how it is to be asked for. */
int look(const struct place *place, int how, struct statx *stat);
int do_probe(const struct place *place);
int do_stat(const struct place *place);
/* What is at a path, over links: for whoever is about to execute it as another user. */
int do_program(const char *path);
int do_list(const struct place *place);
int do_look(const struct place *place);
int do_entries(const struct place *place);
int do_read(const struct place *place, const char *offset, const char *most);

/* ---- path_make.c ---- */

int do_make(const struct place *place, const char *mode_text, int is_file);
int do_make_all(const struct place *place, const char *mode_text);
/* `owner` is the mode, the user and the group. */
int do_write(const struct place *place, char *const *owner, const char *bytes, size_t size);
/* `owner` as in do_write, of a directory; `users`, numbers with commas between, may do all in it too. */
int do_give(const struct place *place, char *const *owner, const char *users);
int do_move(const struct place *source, const struct place *target);
int do_remove(const struct place *place, int flag);

/* ---- path_adopt.c ---- */

/* `owner` is the user and the group, who get a directory of root's with nothing in it. */
int do_adopt(const struct place *place, char *const *owner);
/* Gives it to `wish`, uid, gid and mode, unless that was said last. */
int do_settle(const struct place *place, char *const *wish);

/* ---- path_own.c ---- */

/* `owner` is the user and the group. */
int do_own(const struct place *place, const char *from, char *const *owner);

/* ---- path_clear.c ---- */

int do_clear(const struct place *place, const char *most, const char *milliseconds);

/* ---- path_measure.c ---- */

int do_measure(const struct place *place, const char *besides, const char *milliseconds,
               const char *walk_text);

/* ---- path_mount.c ---- */

int do_bind(const struct place *source, const struct place *target, const char *read_only, const char *spread);
int do_private(const struct place *place);
int do_tear(const struct place *place);
int do_unmount(const struct place *place, const char *lazy);
/* For what must never be on a disk, nor be executed; `owner` as in do_write. */
int do_memory(const struct place *place, const char *bytes, char *const *owner);
/* The options a remount must repeat, or the kernel drops them. */
unsigned long kept_options(int fd);
int mount_by_handle(int source, int target, unsigned long flags);

/* ---- path_show.c ---- */

/* `how` is the kind, whether read-only, the spread, and whether deep; `ids` as in namespace_of_ids, or
 * NULL: each file is whose it is. */
int do_show(const struct place *source, const struct place *target, const char *const *how,
            const char *const *ids);
/* Whether do_show could show a directory with these ids; nothing is shown. */
int do_swaps(const struct place *place, const char *const *ids);
int do_hide(const struct place *place);
/* Sets options of a mount, and of those below it if `deep` (mount_setattr(2), from Linux 5.12; ENOSYS before). */
int change_mount(int mount, uint64_t set, uint64_t propagation, int deep);

/* ---- path_seal.c ---- */

/* Lets nobody make or remove anything in a directory itself, whatever is mounted on it, or lets it again. */
int set_sealed(int parent, const char *name, int sealed);
int do_seal(const struct place *place, int sealed);

/* ---- path_ids.c ---- */

/* A user namespace, open, in which a user and a group on the disk (`ids`: numbers) are the user and group
 * of a third number, and the other way round; -1 where the kernel makes none. */
int namespace_of_ids(const char *const *ids);

#endif

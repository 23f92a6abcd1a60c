/*
 * `shim path`: a worker for calls on paths that may hang (a dead NFS server, a FUSE daemon that was
 * killed). It answers one framed request after the other on standard output; who loses patience
 * kills it and starts another. It ends when its standard input does.
 *
 * A request is a frame of fields separated by NUL: version, id, operation, arguments. The answer:
 * version, the same id, then `ok` and values, or `error`, an errno, what is known of the effect
 * (`none`, `unknown`) and words. A place is two arguments, a root and what lies below it: the root
 * is trusted, below it no link is ever followed and nothing above it is ever reached. But for
 * `clear`, removing takes one entry, never a tree.
 *
 *   stat ROOT BELOW                         type mode uid gid size device rdevice inode mountroot
 *   program PATH ""                         program | none   (what may be executed; links are followed)
 *   probe ROOT BELOW                        answers          (or an error of who is behind it)
 *   list ROOT BELOW                         done | more, then names
 *   look ROOT BELOW                         type mode size seconds nanoseconds inode, or absent
 *   entries ROOT BELOW                      done | more, then of each entry: name, then as look
 *   read ROOT BELOW offset most             size inode, then bytes to the end of the answer
 *   mkdir ROOT BELOW mode                   made | existed
 *   mkdirs ROOT BELOW mode                  made             (those above it too, where they are absent)
 *                                           | stopped below  (where it is no directory of the root's owner)
 *   mkfile ROOT BELOW mode                  made | existed   (an empty one; a device is there too)
 *   write ROOT BELOW mode uid gid BYTES     written          (-1 for an owner that is not said)
 *   give ROOT BELOW mode uid gid USERS      given            (a directory; users, with commas, who may do all too)
 *   adopt ROOT BELOW uid gid                given | kept, then mode uid gid
 *                                                            (a directory; kept unless it is root's and empty)
 *   settle ROOT BELOW uid gid mode          given | kept, then as adopt
 *                                                            (a directory; -1 for what stays as it is)
 *   own ROOT BELOW from uid gid             owned            (a tree, all of which is the user's `from`; -1 for ours)
 *   move ROOT BELOW ROOT BELOW              moved            (source first)
 *   seal ROOT BELOW                         sealed | cannot | absent    (a directory, whatever is mounted on it)
 *   unseal ROOT BELOW                       unsealed | cannot | absent
 *   rmdir ROOT BELOW                        removed | absent (a sealed one too)
 *   unlink ROOT BELOW                       removed | absent
 *   clear ROOT BELOW most milliseconds      gone | more, then how many entries were removed
 *   measure ROOT BELOW BESIDES milliseconds walk
 *                                           done | more, walk, bytes, entries, microseconds
 *                                                            (of a directory; walk 0 begins one)
 *   bind ROOT BELOW ROOT BELOW ro spread    bound            (source first; spread as in mount(8); a directory
 *                                                             is nosuid and nodev there)
 *   show ROOT BELOW ROOT BELOW kind ro spread deep
 *   show ROOT BELOW ROOT BELOW kind ro spread deep uid gid own
 *                                           shown            (source first; kind is directory or block)
 *   swaps ROOT BELOW uid gid own            swaps | refuses words
 *   hide ROOT BELOW                         hidden | absent
 *   memory ROOT BELOW bytes mode uid gid    mounted          (a file system in memory, at most so large)
 *   unmount ROOT BELOW lazy                 unmounted | absent
 *   private ROOT BELOW                      private | absent (what is mounted there shares nothing any more)
 *   tear ROOT BELOW                         removed | absent (an empty directory or a file)
 *
 * `list` and `entries` tell what an answer has room for, which is 1 MiB; `more` when that was not all.
 * `clear` removes an entry with all that is below it, over no mount. It ends with `more` after so many
 * entries, or so long, and is asked again; no mount may lie on the way from the root either. An error
 * has the place of what could not be removed after its words.
 * `measure` sums the blocks and the entries below a directory, over no mount and without the directory
 * BESIDES, which is seen from there and may be empty. It ends with `more` after so long, and is asked again
 * with the walk that it told, whose sums are those from its beginning, as is the processor time; of another
 * walk than its last one a worker knows nothing (ESTALE). What lies too deep and is moved about meanwhile, it may pass over.
 * `stat` asks nobody behind a mount, as far as the file system can tell without; `probe` does.
 * `program` opens nothing, and so follows links wherever they lead.
 * `read` reads regular files only: anything else is not even opened, for that may block or act.
 * `write` puts a new file in the place of whatever file, link or socket is there, or none: who has
 * the old one open keeps it. Its bytes go on to the end of the request.
 * `adopt` counts a directory with `lost+found` alone as empty; where the file system lets nobody have it, it is kept.
 * `settle` keeps with the directory what was said last, and does nothing when the same is said again: who has it
 * may have changed it since. Where nothing can be kept, it gives what `adopt` would.
 * `own` gives files, directories and links of one user to another, with no bits but rwx; at what is another's,
 * or anything else, it ends.
 * `move` is rename(2), in the place of whatever rename(2) lets go; a file or link is copied where
 * the two places are of different mounts; a directory is made there like it, empty, and then refused (EXDEV).
 * `show` binds what is of that kind, nosuid and, a directory, nodev; deep, 1, with the mounts below
 * it, where the kernel can give those the same options (from 5.12). With `uid gid own` what is that
 * user's and that group's on the disk is in the mount the user's and group's of the number `own`, and
 * the other way round; `swaps` says whether that can be, of a directory with the mounts below. `hide` is its end, in use or not:
 * with the mounts below, and without any going that others see.
 * Lazily, 1, a mount in use goes from the tree at once and altogether with its last user.
 * In a directory that is sealed nobody, root neither, makes or removes anything, but through what is mounted on
 * it; not every file system and kernel has that, and not every agent may (`cannot`).
 * `tear` removes what mounts lie on, and with it all of them at once, in every mount namespace. The root
 * must be a directory that something may be mounted on, in a namespace of the worker's own.
 *
 * `shim path walk` resolves step by step, as kernels without openat2 (before 5.6) need it.
 */
#define _GNU_SOURCE
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_ANSWER (1 << 20)
#define MOST_FIELDS 16

int path_effect_unknown;
static char failed_at[1024]; /* below the place; empty for the place itself */
static char answer[4 + MOST_ANSWER];
static size_t answer_size;

int put(const char *field) {
    size_t size = strlen(field);
    if (answer_size + size + 1 > sizeof answer) {
        errno = E2BIG;
        return -1;
    }
    if (answer_size > 4) {
        answer[answer_size++] = 0;
    }
    memcpy(answer + answer_size, field, size);
    answer_size += size;
    return 0;
}

int put_bytes(const char *bytes, size_t size) {
    if (answer_size + size + 1 > sizeof answer) {
        errno = E2BIG;
        return -1;
    }
    answer[answer_size++] = 0;
    memcpy(answer + answer_size, bytes, size);
    answer_size += size;
    return 0;
}

char *put_done(void) {
    return put("done") < 0 ? NULL : answer + answer_size - 4;
}

int has_room(size_t size) {
    return answer_size + size + 1 <= sizeof answer;
}

void path_at(const char *name) {
    size_t length = strlen(name);
    size_t rest = strlen(failed_at);
    size_t slash = rest > 0;
    if (length + slash + rest >= sizeof failed_at) {
        /* What is nearest to the failure is told. */
        length = slash = 0;
    }
    memmove(failed_at + length + slash, failed_at, rest + 1);
    memcpy(failed_at, name, length);
    if (slash) {
        failed_at[length] = '/';
    }
}

int put_number(unsigned long long value, const char *form) {
    char text[32];
    snprintf(text, sizeof text, form, value);
    return put(text);
}

void nobody_waits(void) {
    struct pollfd input = {.fd = 0, .events = 0};
    if (poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR))) {
        _exit(0);
    }
}

/* ---- requests ---- */

static int is(const char *operation, const char *name, int count, int wanted) {
    return !strcmp(operation, name) && count == wanted;
}

/* fields[0] is the operation; the request ends at `end`, where there is a NUL. */
static int perform(char **fields, int count, const char *end) {
    struct place place = {count > 1 ? fields[1] : "", count > 2 ? fields[2] : "", 0};
    if (!strcmp(fields[0], "write") && count > 6) {
        return do_write(&place, fields + 3, fields[6], (size_t)(end - fields[6]));
    }
    if (is(fields[0], "stat", count, 3)) {
        return do_stat(&place);
    }
    if (is(fields[0], "program", count, 3)) {
        return do_program(place.root);
    }
    if (is(fields[0], "look", count, 3)) {
        return do_look(&place);
    }
    if (is(fields[0], "entries", count, 3)) {
        return do_entries(&place);
    }
    if (is(fields[0], "read", count, 5)) {
        return do_read(&place, fields[3], fields[4]);
    }
    if (is(fields[0], "mkdir", count, 4)) {
        return do_make(&place, fields[3], 0);
    }
    if (is(fields[0], "mkdirs", count, 4)) {
        return do_make_all(&place, fields[3]);
    }
    if (is(fields[0], "mkfile", count, 4)) {
        return do_make(&place, fields[3], 1);
    }
    if (is(fields[0], "probe", count, 3)) {
        return do_probe(&place);
    }
    if (is(fields[0], "unmount", count, 4)) {
        return do_unmount(&place, fields[3]);
    }
    if (is(fields[0], "memory", count, 7)) {
        return do_memory(&place, fields[3], fields + 4);
    }
    if (is(fields[0], "bind", count, 7)) {
        struct place target = {fields[3], fields[4], 0};
        return do_bind(&place, &target, fields[5], fields[6]);
    }
    if (is(fields[0], "show", count, 9) || is(fields[0], "show", count, 12)) {
        struct place target = {fields[3], fields[4], 0};
        const char *const *how = (const char *const *)fields + 5;
        return do_show(&place, &target, how, count == 12 ? how + 4 : NULL);
    }
    if (is(fields[0], "swaps", count, 6)) {
        return do_swaps(&place, (const char *const *)fields + 3);
    }
    if (is(fields[0], "hide", count, 3)) {
        return do_hide(&place);
    }
    if (is(fields[0], "move", count, 5)) {
        struct place target = {fields[3], fields[4], 0};
        return do_move(&place, &target);
    }
    if (is(fields[0], "give", count, 7)) {
        place.same = 1;
        return do_give(&place, fields + 3, fields[6]);
    }
    if (is(fields[0], "adopt", count, 5)) {
        return do_adopt(&place, fields + 3);
    }
    if (is(fields[0], "settle", count, 6)) {
        return do_settle(&place, fields + 3);
    }
    if (is(fields[0], "own", count, 6)) {
        return do_own(&place, fields[3], fields + 4);
    }
    if (is(fields[0], "private", count, 3)) {
        return do_private(&place);
    }
    if (is(fields[0], "tear", count, 3)) {
        return do_tear(&place);
    }
    if (is(fields[0], "clear", count, 5)) {
        place.same = 1;
        return do_clear(&place, fields[3], fields[4]);
    }
    if (is(fields[0], "measure", count, 6)) {
        return do_measure(&place, fields[3], fields[4], fields[5]);
    }
    if (is(fields[0], "list", count, 3)) {
        return do_list(&place);
    }
    if (is(fields[0], "seal", count, 3)) {
        return do_seal(&place, 1);
    }
    if (is(fields[0], "unseal", count, 3)) {
        return do_seal(&place, 0);
    }
    if (is(fields[0], "rmdir", count, 3)) {
        return do_remove(&place, AT_REMOVEDIR);
    }
    if (is(fields[0], "unlink", count, 3)) {
        return do_remove(&place, 0);
    }
    errno = EOPNOTSUPP;
    return -1;
}

static void begin_answer(const char *id, const char *status) {
    answer_size = 4;
    put_number(PATH_PROTOCOL, "%llu");
    put(id);
    put(status);
}

static int serve_request(char *request, size_t size) {
    char *fields[MOST_FIELDS];
    int count = 0;
    request[size] = 0;
    for (size_t at = 0; at <= size && count < MOST_FIELDS; at += strlen(request + at) + 1) {
        fields[count++] = request + at;
    }
    const char *id = count > 1 ? fields[1] : "0";
    path_effect_unknown = 0;
    *failed_at = 0;
    begin_answer(id, "ok");
    int failed = 1;
    int why = EPROTO;
    if (count >= 3 && strtol(fields[0], NULL, 10) == PATH_PROTOCOL) {
        failed = perform(fields + 2, count - 2, request + size) < 0;
        why = errno;
    }
    if (failed) {
        begin_answer(id, "error");
        put_number((unsigned long long)why, "%llu");
        put(path_effect_unknown ? "unknown" : "none");
        put(strerror(why));
        make_line(failed_at);
        put(failed_at);
    }
    frame_head((unsigned char *)answer, (uint32_t)(answer_size - 4));
    return write_all(1, answer, answer_size);
}

/* Reads exactly that many bytes; -1 at the end of the input. */
static int read_all(char *bytes, size_t size) {
    while (size > 0) {
        ssize_t got = read(0, bytes, size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return -1;
        }
        bytes += got;
        size -= (size_t)got;
    }
    return 0;
}

int path_main(int walk_always) {
    static char request[MOST_REQUEST + 1];
    unsigned char head[4];
    path_walks = walk_always;
    umask(0);
    signal(SIGPIPE, SIG_IGN);
    /* The terminal's Ctrl-C is for the agent, which ends its workers by closing their input. */
    signal(SIGINT, SIG_IGN);
    if (chdir("/") < 0) {
        return EXIT_USAGE;
    }
    while (read_all((char *)head, 4) == 0) {
        uint32_t size = frame_length(head);
        if (size > MOST_REQUEST || read_all(request, size) < 0 || serve_request(request, size) < 0) {
            return EXIT_USAGE;
        }
    }
    return 0;
}

/* What the parts of `shim confine` (confine.c) share. */
#ifndef CLEAT_CONFINE_H
#define CLEAT_CONFINE_H

#include <sys/types.h>

struct confined {
    int owners; /* whether it may give away what it makes, and has no network */
    uid_t user;
    unsigned long long largest; /* bytes of any file that it makes */
    const char *directory; /* absolute */
    char *const *paths;    /* absolute; up to the word before the command */
    char **command;        /* ends with NULL */
};

/* Makes the root that the command sees the root of this process, in a mount namespace of its own, and
 * the directory its user's. The step that failed, with errno; NULL if all is well. */
const char *make_root(const struct confined *confined);

#endif

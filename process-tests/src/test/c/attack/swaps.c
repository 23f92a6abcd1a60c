/* What a task leaves in the place of something that the agent writes, reads or binds at its next
 * start, and what came of it. */
#define _GNU_SOURCE
#include "attack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

/* Out of the way, whatever it is. */
static int move_away(const char *place) {
    char other[LONGEST];
    static int count;
    snprintf(other, sizeof other, "%s.was.%d.%d", place, getpid(), count++);
    return rename(place, other) && errno != ENOENT ? -1 : 0;
}

static int make_file(const char *place, mode_t mode) {
    int file = open(place, O_CREAT | O_EXCL | O_WRONLY, mode);
    if (file < 0) {
        return -1;
    }
    close(file);
    return chmod(place, mode);
}

static int make_socket(const char *place) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int own = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(at.sun_path, sizeof at.sun_path, "%s", place);
    return bind(own, (struct sockaddr *)&at, sizeof at) || listen(own, 1) ? -1 : 0;
}

static int make_deep(const char *place) {
    char path[LONGEST];
    snprintf(path, sizeof path, "%s", place);
    for (int i = 0; i < 50; i++) {
        if (mkdir(path, 0700)) {
            return -1;
        }
        strcat(path, "/d");
    }
    return 0;
}

static int make_link(const char *to, const char *climb, const char *place) {
    char path[LONGEST * 2];
    snprintf(path, sizeof path, "%s%s", climb, to);
    return symlink(path, place);
}

int plant(const char *kind, const char *place) {
    if (move_away(place)) {
        return -1;
    }
    static const char up[] = "../../../../../../../../../../../../..";
    const char *file = setting("victim-file");
    const char *directory = setting("victim-directory");
    if (!strcmp(kind, "link_to_file")) {
        return make_link(file, "", place);
    }
    if (!strcmp(kind, "link_to_directory")) {
        return make_link(directory, "", place);
    }
    if (!strcmp(kind, "link_up_to_file")) {
        return make_link(file, up, place);
    }
    if (!strcmp(kind, "link_up_to_directory")) {
        return make_link(directory, up, place);
    }
    if (!strcmp(kind, "link_through_first")) {
        return make_link(directory, "/proc/1/root", place);
    }
    if (!strcmp(kind, "link_through_own")) {
        return make_link(directory, "/proc/self/root", place);
    }
    if (!strcmp(kind, "link_through_handle")) {
        return symlink("/proc/self/fd/3", place);
    }
    if (!strcmp(kind, "link_to_nothing")) {
        return make_link("/made-by-a-link", directory, place);
    }
    if (!strcmp(kind, "link_to_itself")) {
        return symlink(strrchr(place, '/') + 1, place);
    }
    if (!strcmp(kind, "fifo")) {
        return mkfifo(place, 0666);
    }
    if (!strcmp(kind, "socket")) {
        return make_socket(place);
    }
    if (!strcmp(kind, "device")) {
        return mknod(place, S_IFBLK | 0666, makedev(8, 0));
    }
    if (!strcmp(kind, "file")) {
        return make_file(place, 0644);
    }
    if (!strcmp(kind, "locked_file")) {
        return make_file(place, 0);
    }
    if (!strcmp(kind, "setuid_file")) {
        return make_file(place, 06777);
    }
    if (!strcmp(kind, "sparse_file")) {
        return make_file(place, 0644) ? -1 : truncate(place, (off_t)1 << 34);
    }
    if (!strcmp(kind, "locked_directory")) {
        return mkdir(place, 0);
    }
    if (!strcmp(kind, "deep_directory")) {
        return make_deep(place);
    }
    if (!strcmp(kind, "hard_link")) {
        char other[LONGEST];
        snprintf(other, sizeof other, "%s.other", place);
        return make_file(other, 0666) || link(other, place) ? -1 : 0;
    }
    if (!strcmp(kind, "nothing")) {
        return 0;
    }
    errno = EINVAL;
    return -1;
}

/* Whether a file, or one of a directory, has the contents of a secret file of the machine. */
static int shows_secret(const char *place) {
    static char text[1 << 16];
    struct stat now;
    if (stat(place, &now) == 0 && S_ISDIR(now.st_mode)) {
        char path[LONGEST * 2];
        DIR *directory = opendir(place);
        struct dirent *entry;
        int found = 0;
        while (directory && !found && (entry = readdir(directory))) {
            struct stat file;
            /* An artifact of ours, which says how secrets begin. */
            if (!strcmp(entry->d_name, "settings")) {
                continue;
            }
            snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
            found = stat(path, &file) == 0 && S_ISREG(file.st_mode) && shows_secret(path);
        }
        return found;
    }
    int file = open(place, O_RDONLY | O_NONBLOCK);
    ssize_t size = file < 0 ? -1 : read(file, text, sizeof text);
    return size > 0 && is_secret(text, (size_t)size);
}

static void tell(const char *verdict, const char *words) {
    printf("%s\t%s\n", verdict, words);
    fflush(stdout);
}

int look(const char *place, const char *shown) {
    char words[LONGEST * 2];
    if (shows_secret(shown) || shows_secret(place)) {
        tell("broken", "it shows what a file of the machine holds");
        return 0;
    }
    struct stat now;
    if (lstat(place, &now)) {
        snprintf(words, sizeof words, "there is now: %s", strerror(errno));
    } else {
        snprintf(words, sizeof words, "there is now: mode %o", now.st_mode);
    }
    tell("held", words);
    return 0;
}

int swap(const char *kind, const char *place, const char *task, const char *shown) {
    char state[LONGEST];
    char words[LONGEST * 2];
    snprintf(state, sizeof state, "/alloc/data/state-%s", task);
    if (access(state, F_OK)) {
        if (make_file(state, 0600)) {
            tell("not-run", "no state");
            return 0;
        }
        if (plant(kind, place)) {
            snprintf(words, sizeof words, "not planted: %s", strerror(errno));
            tell("held", words);
            return 0;
        }
        tell("planted", place);
        return 1;
    }
    return look(place, shown);
}

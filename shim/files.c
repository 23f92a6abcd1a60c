#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int write_all(int fd, const void *bytes, size_t size) {
    const char *from = bytes;
    while (size > 0) {
        ssize_t written = write(fd, from, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return -1;
        }
        from += written;
        size -= (size_t)written;
    }
    return 0;
}

int read_small(const char *file, char *text, size_t size) {
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    size_t got = 0;
    ssize_t more;
    while (got < size - 1 && (more = read(fd, text + got, size - 1 - got)) != 0) {
        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more < 0) {
            break;
        }
        got += (size_t)more;
    }
    close(fd);
    text[got] = 0;
    return (int)got;
}

int write_durably(const char *name, const char *text, size_t size) {
    char temporary[64];
    snprintf(temporary, sizeof temporary, "%s.tmp", name);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return -1;
    }
    int failed = write_all(fd, text, size) < 0 || fsync(fd) < 0;
    int why = errno;
    close(fd);
    if (!failed && rename(temporary, name) < 0) {
        failed = 1;
        why = errno;
    }
    if (failed) {
        unlink(temporary);
        errno = why;
        return -1;
    }
    int dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) {
        return -1;
    }
    failed = fsync(dir) < 0;
    close(dir);
    return failed ? -1 : 0;
}

void make_line(char *text) {
    for (unsigned char *at = (unsigned char *)text; *at; at++) {
        if (*at < ' ' || *at == 0x7f) {
            *at = '?';
        }
    }
}

long long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

uint32_t frame_length(const unsigned char *head) {
    return (uint32_t)head[0] << 24 | (uint32_t)head[1] << 16 | (uint32_t)head[2] << 8 | head[3];
}

void frame_head(unsigned char *head, uint32_t length) {
    head[0] = (unsigned char)(length >> 24);
    head[1] = (unsigned char)(length >> 16);
    head[2] = (unsigned char)(length >> 8);
    head[3] = (unsigned char)length;
}

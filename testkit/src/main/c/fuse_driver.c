/*
 * A small FUSE file system over the kernel's own protocol: the files of one directory, seen at a
 * mount point for as long as this process lives. For tests: it is killed, or stopped, under I/O.
 *
 *   fuse_driver MOUNT_POINT BACKING_DIRECTORY     prints "ready" when it is mounted
 *
 * Nothing is cached, so that each look at the mount asks this process. One level, no directories in
 * it; one request after the other.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_NAMES 1024
#define MOST_DATA (128 << 10)

static int device;
static int backing;
static char *names[MOST_NAMES]; /* node id 2 + n is the n-th name ever looked up */
static int name_count;
static char request[MOST_DATA + 4096];
static char data[MOST_DATA];

static void answer(uint64_t unique, int error, const void *body, size_t size) {
    struct fuse_out_header head = {(uint32_t)(sizeof head + (error ? 0 : size)), -error, unique};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)body, error ? 0 : size}};
    /* ENOENT: the caller was interrupted and waits no more. */
    if (writev(device, parts, 2) < 0 && errno != ENOENT) {
        perror("answer");
        exit(1);
    }
}

static uint64_t id_of(const char *name) {
    for (int i = 0; i < name_count; i++) {
        if (!strcmp(names[i], name)) {
            return 2 + (uint64_t)i;
        }
    }
    if (name_count == MOST_NAMES) {
        exit(1);
    }
    names[name_count] = strdup(name);
    return 2 + (uint64_t)name_count++;
}

static const char *name_of(uint64_t id) {
    return id == FUSE_ROOT_ID ? "." : names[id - 2];
}

static int attributes(uint64_t id, struct fuse_attr *attr) {
    struct stat stat;
    if (fstatat(backing, name_of(id), &stat, AT_SYMLINK_NOFOLLOW) < 0) {
        return errno;
    }
    memset(attr, 0, sizeof *attr);
    attr->ino = id;
    attr->size = (uint64_t)stat.st_size;
    attr->blocks = (uint64_t)stat.st_blocks;
    attr->mtime = (uint64_t)stat.st_mtime;
    attr->ctime = (uint64_t)stat.st_ctime;
    attr->mode = stat.st_mode;
    attr->nlink = 1;
    attr->uid = stat.st_uid;
    attr->gid = stat.st_gid;
    attr->blksize = 4096;
    return 0;
}

static void entry(uint64_t unique, const char *name, int flags) {
    struct {
        struct fuse_entry_out entry;
        struct fuse_open_out open;
    } out;
    memset(&out, 0, sizeof out);
    if (flags >= 0) {
        int fd = openat(backing, name, flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (fd < 0) {
            answer(unique, errno, NULL, 0);
            return;
        }
        out.open.fh = (uint64_t)fd;
    } else if (faccessat(backing, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0) {
        answer(unique, errno, NULL, 0);
        return;
    }
    out.entry.nodeid = id_of(name);
    int error = attributes(out.entry.nodeid, &out.entry.attr);
    answer(unique, error, &out, flags >= 0 ? sizeof out : sizeof out.entry);
}

static void list(uint64_t unique, const struct fuse_read_in *in) {
    DIR *dir = fdopendir(openat(backing, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    size_t size = 0;
    uint64_t at = 0;
    for (struct dirent *each; dir && (each = readdir(dir)); at++) {
        size_t length = strlen(each->d_name);
        size_t wanted = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + length);
        if (at < in->offset) {
            continue;
        }
        if (size + wanted > in->size || size + wanted > sizeof data) {
            break;
        }
        struct fuse_dirent *out = (struct fuse_dirent *)(data + size);
        memset(out, 0, wanted);
        out->ino = each->d_ino;
        out->off = at + 1;
        out->namelen = (uint32_t)length;
        out->type = each->d_type;
        memcpy(out->name, each->d_name, length);
        size += wanted;
    }
    if (dir) {
        closedir(dir);
    }
    answer(unique, 0, data, size);
}

static void set(uint64_t unique, uint64_t id, const struct fuse_setattr_in *in) {
    struct fuse_attr_out out = {0};
    int error = 0;
    if (in->valid & FATTR_SIZE) {
        int fd = openat(backing, name_of(id), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
        error = fd < 0 || ftruncate(fd, (off_t)in->size) < 0 ? errno : 0;
        if (fd >= 0) {
            close(fd);
        }
    }
    error = error ? error : attributes(id, &out.attr);
    answer(unique, error, &out, sizeof out);
}

static void begin(uint64_t unique, const struct fuse_init_in *in) {
    struct fuse_init_out out = {0};
    out.major = FUSE_KERNEL_VERSION;
    out.minor = FUSE_KERNEL_MINOR_VERSION;
    out.max_readahead = in->max_readahead;
    out.max_write = MOST_DATA / 2;
    answer(unique, 0, &out, sizeof out);
    printf("ready\n");
    fflush(stdout);
}

static void serve(const struct fuse_in_header *head, const void *body) {
    uint64_t unique = head->unique;
    switch (head->opcode) {
        case FUSE_INIT:
            begin(unique, body);
            return;
        case FUSE_LOOKUP:
            entry(unique, body, -1);
            return;
        case FUSE_CREATE: {
            const struct fuse_create_in *in = body;
            entry(unique, (const char *)(in + 1), (int)in->flags & ~(O_EXCL | O_APPEND));
            return;
        }
        case FUSE_FORGET:
        case FUSE_BATCH_FORGET:
        case FUSE_INTERRUPT:
            return; /* no answer is wanted */
        case FUSE_GETATTR: {
            struct fuse_attr_out out = {0};
            int error = attributes(head->nodeid, &out.attr);
            answer(unique, error, &out, sizeof out);
            return;
        }
        case FUSE_SETATTR:
            set(unique, head->nodeid, body);
            return;
        case FUSE_OPEN: {
            const struct fuse_open_in *in = body;
            struct fuse_open_out out = {0};
            int fd = openat(backing, name_of(head->nodeid),
                            (int)in->flags & ~O_APPEND & (O_ACCMODE | O_TRUNC));
            out.fh = (uint64_t)fd;
            out.open_flags = FOPEN_DIRECT_IO;
            answer(unique, fd < 0 ? errno : 0, &out, sizeof out);
            return;
        }
        case FUSE_OPENDIR: {
            struct fuse_open_out out = {0};
            answer(unique, 0, &out, sizeof out);
            return;
        }
        case FUSE_READ: {
            const struct fuse_read_in *in = body;
            ssize_t size = pread((int)in->fh, data, in->size < sizeof data ? in->size : sizeof data,
                                 (off_t)in->offset);
            answer(unique, size < 0 ? errno : 0, data, size < 0 ? 0 : (size_t)size);
            return;
        }
        case FUSE_READDIR:
            list(unique, body);
            return;
        case FUSE_WRITE: {
            const struct fuse_write_in *in = body;
            struct fuse_write_out out = {0};
            ssize_t size = pwrite((int)in->fh, in + 1, in->size, (off_t)in->offset);
            out.size = size < 0 ? 0 : (uint32_t)size;
            answer(unique, size < 0 ? errno : 0, &out, sizeof out);
            return;
        }
        case FUSE_UNLINK:
            answer(unique, unlinkat(backing, body, 0) < 0 ? errno : 0, NULL, 0);
            return;
        case FUSE_RELEASE:
            close((int)((const struct fuse_release_in *)body)->fh);
            answer(unique, 0, NULL, 0);
            return;
        case FUSE_RELEASEDIR:
        case FUSE_FLUSH:
        case FUSE_FSYNC:
        case FUSE_DESTROY:
            answer(unique, 0, NULL, 0);
            return;
        case FUSE_STATFS: {
            struct fuse_statfs_out out = {0};
            struct statvfs stat;
            if (fstatvfs(backing, &stat) == 0) {
                out.st.blocks = stat.f_blocks;
                out.st.bfree = stat.f_bfree;
                out.st.bavail = stat.f_bavail;
                out.st.bsize = (uint32_t)stat.f_bsize;
                out.st.namelen = 255;
            }
            answer(unique, 0, &out, sizeof out);
            return;
        }
        default:
            answer(unique, ENOSYS, NULL, 0);
    }
}

int main(int argc, char **argv) {
    char options[128];
    backing = argc == 3 ? open(argv[2], O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    if (backing < 0 || device < 0) {
        perror("fuse_driver");
        return 2;
    }
    snprintf(options, sizeof options, "fd=%d,rootmode=40755,user_id=0,group_id=0,allow_other",
             device);
    if (mount("cleat-test", argv[1], "fuse.cleat", MS_NOSUID | MS_NODEV, options) < 0) {
        perror(argv[1]);
        return 2;
    }
    for (;;) {
        ssize_t size = read(device, request, sizeof request);
        if (size < 0 && (errno == EINTR || errno == EAGAIN || errno == ENOENT)) {
            continue;
        }
        if (size < (ssize_t)sizeof(struct fuse_in_header)) {
            return size < 0 && errno == ENODEV ? 0 : 1; /* unmounted */
        }
        serve((const struct fuse_in_header *)request, request + sizeof(struct fuse_in_header));
    }
}

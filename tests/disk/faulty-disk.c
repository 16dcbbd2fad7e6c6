/*
 * A file system in user space whose disk can lose power: what was written is there for those who
 * read, but on the "disk" only when it has been synced, data by fsync of its file and names by fsync
 * of their directory, as POSIX promises no more. Syncs can hang, fail or be ignored.
 *
 * Usage: faulty-disk BACKING MOUNTPOINT [OPTION of FUSE]...
 *
 *   BACKING/live     what processes see
 *   BACKING/disk     what is left after a power cut: names, linked to
 *   BACKING/objects  what files have on the disk
 *
 * Writing a line to MOUNTPOINT/.faults is a command:
 *
 *   sync honest | ignored | failed    what becomes of syncs: done; answered, but not done; EIO. After
 *                                     a failed one its data is never written, though others succeed
 *   hold, release                     syncs wait from now on; go on
 *   cut WRITES NAMES SEED             power cut, when no file is open: the disk has all that was
 *                                     synced, and of the rest: WRITES none; prefix, for each file the
 *                                     first ones, the last of them torn; random, any pages of 4 KiB.
 *                                     NAMES none, all, or random: directories as a whole
 *
 * Reading it tells "syncs N waiting N lost N": syncs so far, those that are held, and bytes that the
 * last cut has lost.
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <fuse.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define BUCKETS 4096
#define PAGE 4096
#define CONTROL "/.faults"
#define CONTROL_HANDLE UINT64_MAX

enum sync_mode { HONEST, IGNORED, FAILED };
enum kept { NONE, PREFIX, ALL, RANDOM };

/* A change of a file that is not on the disk. A length below 0 is a new size. */
struct change {
    off_t at;
    ssize_t length;
};

struct file {
    struct file *next;
    ino_t number;
    int live;
    unsigned object;
    int open;
    struct change *changes;
    size_t count, room;
};

static char backing[PATH_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static struct file *files[BUCKETS];
static unsigned next_object;
static enum sync_mode mode = HONEST;
static bool held;
static long syncs, waiting, lost;

static void die(const char *what) {
    fprintf(stderr, "faulty-disk: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* The path of something below BACKING; ring of buffers, for at most 8 at a time in a thread. */
static const char *in(const char *part, const char *path) {
    static __thread char buffers[8][PATH_MAX];
    static __thread int last;
    char *buffer = buffers[last = (last + 1) % 8];
    if (snprintf(buffer, PATH_MAX, "%s/%s%s", backing, part, path) >= PATH_MAX) {
        fprintf(stderr, "faulty-disk: the path is too long: %s\n", path);
        exit(1);
    }
    return buffer;
}

static const char *object(unsigned number) {
    char name[16];
    snprintf(name, sizeof name, "/%u", number);
    return in("objects", name);
}

static int result(int code) { return code < 0 ? -errno : code; }

static int remove_entry(const char *path, const struct stat *s, int kind, struct FTW *w) {
    (void)s, (void)kind, (void)w;
    return remove(path);
}

static void remove_tree(const char *path) { nftw(path, remove_entry, 64, FTW_DEPTH | FTW_PHYS); }

static struct file *known(ino_t number) {
    struct file *f = files[number % BUCKETS];
    while (f && f->number != number) f = f->next;
    return f;
}

/* A file of live that was not known is empty on the disk. */
static struct file *add(int live) {
    struct stat s;
    if (fstat(live, &s)) die("fstat");
    struct file *f = known(s.st_ino);
    if (f) {
        close(live);
        return f;
    }
    f = calloc(1, sizeof *f);
    if (!f) die("calloc");
    f->number = s.st_ino;
    f->live = live;
    f->object = ++next_object;
    int fd = open(object(f->object), O_CREAT | O_EXCL | O_WRONLY, 0644);
    if (fd < 0) die("making an object");
    close(fd);
    f->next = files[f->number % BUCKETS];
    files[f->number % BUCKETS] = f;
    return f;
}

static void forget(struct file *f) {
    struct file **at = &files[f->number % BUCKETS];
    while (*at != f) at = &(*at)->next;
    *at = f->next;
    unlink(object(f->object));
    close(f->live);
    free(f->changes);
    free(f);
}

/* Nobody can reach it any more. What the disk has under an old name stays. */
static void forget_if_unused(struct file *f) {
    struct stat s;
    if (!f->open && !fstat(f->live, &s) && s.st_nlink == 0) forget(f);
}

static void note(struct file *f, off_t at, ssize_t length) {
    if (f->count == f->room) {
        f->room = f->room ? 2 * f->room : 16;
        f->changes = realloc(f->changes, f->room * sizeof *f->changes);
        if (!f->changes) die("realloc");
    }
    f->changes[f->count++] = (struct change){at, length};
}

/* Brings a part of a file to the disk. */
static void bring(struct file *f, int fd, off_t at, size_t length) {
    static char page[64 * 1024];
    while (length > 0) {
        size_t step = length < sizeof page ? length : sizeof page;
        ssize_t got = pread(f->live, page, step, at);
        if (got < 0) die("reading");
        if (got == 0) return; /* it has been truncated since */
        if (pwrite(fd, page, got, at) != got) die("writing an object");
        at += got;
        length -= got;
    }
}

static void apply(struct file *f, enum kept kept) {
    int fd = open(object(f->object), O_WRONLY);
    if (fd < 0) die("opening an object");
    size_t whole = kept == PREFIX ? random() % (f->count + 1) : f->count;
    for (size_t i = 0; i < f->count; i++) {
        struct change c = f->changes[i];
        bool torn = kept == PREFIX && i == whole;
        if (kept == NONE || (kept == PREFIX && i > whole)) {
            lost += c.length > 0 ? c.length : 0;
        } else if (c.length < 0) {
            if (!torn && !(kept == RANDOM && random() % 2) && ftruncate(fd, c.at)) die("ftruncate");
        } else if (torn) {
            size_t part = c.length ? random() % c.length : 0;
            bring(f, fd, c.at, part);
            lost += c.length - part;
        } else if (kept == RANDOM) {
            for (off_t at = c.at, end = c.at + c.length; at < end;) {
                off_t next = (at / PAGE + 1) * PAGE < end ? (at / PAGE + 1) * PAGE : end;
                if (random() % 2) bring(f, fd, at, next - at);
                else lost += next - at;
                at = next;
            }
        } else {
            bring(f, fd, c.at, c.length);
        }
    }
    close(fd);
    f->count = 0;
}

/* Brings a file of live to the table. */
static struct file *file_at(const char *path) {
    int fd = open(in("live", path), O_RDWR);
    return fd < 0 ? NULL : add(fd);
}

static bool is_same(const char *one, const char *other) {
    struct stat a, b;
    return !lstat(one, &a) && !lstat(other, &b) && a.st_ino == b.st_ino;
}

static void make_parents(const char *path) {
    if (!*path) return;
    char part[PATH_MAX];
    for (const char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
        mkdir(in("disk", part), 0755);
    }
    mkdir(in("disk", path), 0755);
}

/* Makes the names in a directory those that the disk has; data stays as it is there. */
static void sync_names(const char *directory, bool deep) {
    make_parents(directory);
    DIR *names = opendir(in("live", directory));
    if (!names) return;
    struct dirent *e;
    while ((e = readdir(names))) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", directory, e->d_name) >= (int)sizeof path) continue;
        struct stat s, there;
        if (lstat(in("live", path), &s)) continue;
        bool is_there = !lstat(in("disk", path), &there);
        if (S_ISDIR(s.st_mode)) {
            if (is_there && !S_ISDIR(there.st_mode)) unlink(in("disk", path));
            /* A directory that was moved here takes its content along. */
            if (deep || !is_there) sync_names(path, true);
            continue;
        }
        struct file *f = known(s.st_ino);
        if (!f) f = file_at(path);
        if (!f || is_same(object(f->object), in("disk", path))) continue;
        if (is_there && S_ISDIR(there.st_mode)) remove_tree(in("disk", path));
        unlink(in("disk", path));
        if (link(object(f->object), in("disk", path))) die("naming an object");
    }
    closedir(names);
    names = opendir(in("disk", directory));
    while (names && (e = readdir(names))) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
        char path[PATH_MAX];
        struct stat s;
        if (snprintf(path, sizeof path, "%s/%s", directory, e->d_name) >= (int)sizeof path) continue;
        if (lstat(in("live", path), &s)) remove_tree(in("disk", path));
    }
    if (names) closedir(names);
}

static void sync_random_names(const char *directory) {
    if (random() % 2) sync_names(directory, false);
    DIR *names = opendir(in("live", directory));
    struct dirent *e;
    while (names && (e = readdir(names))) {
        if (e->d_type != DT_DIR || !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", directory, e->d_name) >= (int)sizeof path) continue;
        sync_random_names(path);
    }
    if (names) closedir(names);
}

static int adopt(const char *path, const struct stat *s, int kind, struct FTW *w) {
    (void)s, (void)w;
    if (kind == FTW_F) {
        int fd = open(path, O_RDWR);
        if (fd < 0) die(path);
        struct file *f = add(fd);
        note(f, 0, lseek(f->live, 0, SEEK_END));
        apply(f, ALL);
    }
    return 0;
}

/* All that is in live is on the disk. */
static void begin(void) {
    remove_tree(in("disk", ""));
    remove_tree(in("objects", ""));
    mkdir(in("live", ""), 0755);
    mkdir(in("disk", ""), 0755);
    mkdir(in("objects", ""), 0755);
    nftw(in("live", ""), adopt, 64, FTW_PHYS);
    sync_names("", true);
}

static int cut(enum kept writes, enum kept names, unsigned seed) {
    for (int i = 0; i < BUCKETS; i++) {
        for (struct file *f = files[i]; f; f = f->next) {
            if (f->open) return -EBUSY;
        }
    }
    srandom(seed);
    lost = 0;
    if (names == ALL) sync_names("", true);
    if (names == RANDOM) sync_random_names("");
    for (int i = 0; i < BUCKETS; i++) {
        while (files[i]) {
            apply(files[i], writes);
            forget(files[i]);
        }
    }
    remove_tree(in("live", ""));
    if (rename(in("disk", ""), in("live", ""))) die("rename");
    begin();
    return 0;
}

static int command(char *line) {
    char word[16] = "", writes[16] = "", names[16] = "";
    unsigned seed = 0;
    int words = sscanf(line, "%15s %15s %15s %u", word, writes, names, &seed);
    if (!strcmp(word, "sync") && words == 2) {
        mode = !strcmp(writes, "ignored") ? IGNORED : !strcmp(writes, "failed") ? FAILED : HONEST;
        return !strcmp(writes, "honest") || mode != HONEST ? 0 : -EINVAL;
    }
    if (!strcmp(word, "hold") || !strcmp(word, "release")) {
        held = word[0] == 'h';
        pthread_cond_broadcast(&released);
        return 0;
    }
    if (!strcmp(word, "cut") && words == 4) {
        enum kept w = !strcmp(writes, "prefix") ? PREFIX : !strcmp(writes, "random") ? RANDOM : NONE;
        enum kept n = !strcmp(names, "all") ? ALL : !strcmp(names, "random") ? RANDOM : NONE;
        return cut(w, n, seed);
    }
    return -EINVAL;
}

static bool is_control(const char *path) { return path && !strcmp(path, CONTROL); }

static struct file *of(struct fuse_file_info *fi) { return (struct file *)(uintptr_t)fi->fh; }

static int do_getattr(const char *path, struct stat *s, struct fuse_file_info *fi) {
    if (is_control(path)) {
        memset(s, 0, sizeof *s);
        s->st_mode = S_IFREG | 0600;
        s->st_nlink = 1;
        return 0;
    }
    if (fi && fi->fh && fi->fh != CONTROL_HANDLE) return result(fstat(of(fi)->live, s));
    return path ? result(lstat(in("live", path), s)) : -ENOENT;
}

/* An open directory is known by its path: nobody renames one that is open here. */
static int do_opendir(const char *path, struct fuse_file_info *fi) {
    DIR *names = opendir(in("live", path));
    if (!names) return -errno;
    closedir(names);
    char *name = strdup(strcmp(path, "/") ? path : "");
    if (!name) die("strdup");
    fi->fh = (uintptr_t)name;
    return 0;
}

static const char *directory_of(struct fuse_file_info *fi) {
    return (const char *)(uintptr_t)fi->fh;
}

static int do_releasedir(const char *path, struct fuse_file_info *fi) {
    (void)path;
    free((void *)(uintptr_t)fi->fh);
    return 0;
}

static int do_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t at,
                      struct fuse_file_info *fi, enum fuse_readdir_flags flags) {
    (void)path, (void)at, (void)flags;
    DIR *names = opendir(in("live", directory_of(fi)));
    if (!names) return -errno;
    struct dirent *e;
    while ((e = readdir(names))) fill(buffer, e->d_name, NULL, 0, 0);
    closedir(names);
    return 0;
}

static int open_as(const char *path, int flags, mode_t permissions, struct fuse_file_info *fi) {
    if (is_control(path)) {
        fi->fh = CONTROL_HANDLE;
        fi->direct_io = 1;
        return 0;
    }
    /* The table reads and writes, whoever opened it. */
    int fd = open(in("live", path), (flags & (O_CREAT | O_EXCL)) | O_RDWR, permissions);
    if (fd < 0) return -errno;
    pthread_mutex_lock(&lock);
    struct file *f = add(fd);
    f->open++;
    if ((flags & O_TRUNC) && ftruncate(f->live, 0) == 0) note(f, 0, -1);
    pthread_mutex_unlock(&lock);
    fi->fh = (uintptr_t)f;
    return 0;
}

static int do_open(const char *path, struct fuse_file_info *fi) {
    return open_as(path, fi->flags, 0, fi);
}

static int do_create(const char *path, mode_t permissions, struct fuse_file_info *fi) {
    return open_as(path, fi->flags | O_CREAT, permissions, fi);
}

static int do_read(const char *path, char *buffer, size_t size, off_t at,
                   struct fuse_file_info *fi) {
    (void)path;
    if (fi->fh == CONTROL_HANDLE) {
        char text[80];
        pthread_mutex_lock(&lock);
        int length =
                snprintf(text, sizeof text, "syncs %ld waiting %ld lost %ld\n", syncs, waiting, lost);
        pthread_mutex_unlock(&lock);
        if (at >= length) return 0;
        size_t part = (size_t)(length - at) < size ? (size_t)(length - at) : size;
        memcpy(buffer, text + at, part);
        return (int)part;
    }
    return result((int)pread(of(fi)->live, buffer, size, at));
}

static int do_write(const char *path, const char *buffer, size_t size, off_t at,
                    struct fuse_file_info *fi) {
    (void)path;
    pthread_mutex_lock(&lock);
    int done;
    if (fi->fh == CONTROL_HANDLE) {
        char line[80];
        snprintf(line, sizeof line, "%.*s", (int)size, buffer);
        done = command(line);
        done = done ? done : (int)size;
    } else {
        done = result((int)pwrite(of(fi)->live, buffer, size, at));
        if (done > 0) note(of(fi), at, done);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

static int do_truncate(const char *path, off_t size, struct fuse_file_info *fi) {
    if (is_control(path)) return 0;
    pthread_mutex_lock(&lock);
    struct file *f = fi && fi->fh ? of(fi) : file_at(path);
    int done = f ? result(ftruncate(f->live, size)) : -errno;
    if (!done) note(f, size, -1);
    pthread_mutex_unlock(&lock);
    return done;
}

static int do_fallocate(const char *path, int how, off_t at, off_t length,
                        struct fuse_file_info *fi) {
    (void)path, (void)how, (void)at, (void)length, (void)fi;
    return -EOPNOTSUPP;
}

/* Whether the sync is to be done; else `answer` is what it returns. */
static bool begin_sync(int *answer) {
    syncs++;
    waiting++;
    while (held) pthread_cond_wait(&released, &lock);
    waiting--;
    *answer = mode == FAILED ? -EIO : 0;
    return mode == HONEST;
}

static int do_fsync(const char *path, int only_data, struct fuse_file_info *fi) {
    (void)path, (void)only_data;
    if (fi->fh == CONTROL_HANDLE) return 0;
    int answer;
    pthread_mutex_lock(&lock);
    if (begin_sync(&answer)) apply(of(fi), ALL);
    /* As Linux does: the pages count as written. */
    if (answer) of(fi)->count = 0;
    pthread_mutex_unlock(&lock);
    return answer;
}

static int do_fsyncdir(const char *path, int only_data, struct fuse_file_info *fi) {
    (void)path, (void)only_data;
    int answer;
    pthread_mutex_lock(&lock);
    if (begin_sync(&answer)) sync_names(directory_of(fi), false);
    pthread_mutex_unlock(&lock);
    return answer;
}

static int do_release(const char *path, struct fuse_file_info *fi) {
    (void)path;
    if (fi->fh == CONTROL_HANDLE) return 0;
    pthread_mutex_lock(&lock);
    of(fi)->open--;
    forget_if_unused(of(fi));
    pthread_mutex_unlock(&lock);
    return 0;
}

static int do_unlink(const char *path) {
    pthread_mutex_lock(&lock);
    struct file *f = file_at(path);
    int done = result(unlink(in("live", path)));
    if (f) forget_if_unused(f);
    pthread_mutex_unlock(&lock);
    return done;
}

static int do_rename(const char *from, const char *to, unsigned flags) {
    if (flags) return -EINVAL;
    pthread_mutex_lock(&lock);
    struct stat s;
    bool replaces = !lstat(in("live", to), &s) && S_ISREG(s.st_mode);
    struct file *f = replaces ? file_at(to) : NULL;
    int done = result(rename(in("live", from), in("live", to)));
    if (f) forget_if_unused(f);
    pthread_mutex_unlock(&lock);
    return done;
}

static int do_link(const char *from, const char *to) {
    pthread_mutex_lock(&lock);
    int done = result(link(in("live", from), in("live", to)));
    pthread_mutex_unlock(&lock);
    return done;
}

static int do_mkdir(const char *path, mode_t permissions) {
    return result(mkdir(in("live", path), permissions));
}

static int do_rmdir(const char *path) { return result(rmdir(in("live", path))); }

static int do_chmod(const char *path, mode_t permissions, struct fuse_file_info *fi) {
    (void)fi;
    return path ? result(chmod(in("live", path), permissions)) : 0;
}

static int do_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *fi) {
    return fi && fi->fh && fi->fh != CONTROL_HANDLE
                   ? result(futimens(of(fi)->live, times))
                   : result(utimensat(AT_FDCWD, in("live", path), times, 0));
}

static int do_statfs(const char *path, struct statvfs *s) {
    (void)path;
    return result(statvfs(in("live", ""), s));
}

static void *do_init(struct fuse_conn_info *connection, struct fuse_config *config) {
    (void)connection;
    config->use_ino = 1;
    config->hard_remove = 1;
    config->nullpath_ok = 1;
    /* Names and attributes change behind the system's back at a cut. */
    config->entry_timeout = config->attr_timeout = config->negative_timeout = 0;
    return NULL;
}

static const struct fuse_operations operations = {
    .init = do_init, .getattr = do_getattr, .opendir = do_opendir, .readdir = do_readdir,
    .releasedir = do_releasedir, .open = do_open, .create = do_create, .read = do_read, .write = do_write, .truncate = do_truncate,
    .fallocate = do_fallocate, .fsync = do_fsync, .fsyncdir = do_fsyncdir, .release = do_release,
    .unlink = do_unlink, .rename = do_rename, .link = do_link, .mkdir = do_mkdir,
    .rmdir = do_rmdir, .chmod = do_chmod, .utimens = do_utimens, .statfs = do_statfs,
};

int main(int count, char **arguments) {
    if (count < 3 || !realpath(arguments[1], backing)) {
        fprintf(stderr, "usage: faulty-disk BACKING MOUNTPOINT [OPTION of FUSE]...\n");
        return 2;
    }
    begin();
    arguments[1] = arguments[0];
    return fuse_main(count - 1, arguments + 1, &operations, NULL);
}

// base/files/output.c - writes files for the whole program.
#include "base/files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- What may be written over -------------------------------------------------------------------

typedef struct target {
    char path[PATH_MAX]; // of the file itself: no link
    char *name;          // its last part, in `path`
    bool there;
    struct stat seen; // where it is there
} target;

static status target_refuse(const char *path, const char *why, error *err) {
    return error_at(err, E_INPUT, path, 0, 0, "%s", why);
}

status output_code(int why) {
    static const int places[] = {EACCES, EEXIST,  EISDIR, ELOOP, ENAMETOOLONG,
                                 ENOENT, ENOTDIR, EPERM,  EROFS};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (why == places[i])
            return E_INPUT;
    return why == ENOSPC || why == EDQUOT || why == EFBIG ? E_FULL : E_IO;
}

static status cannot_write(const char *path, int why, error *err) {
    if (why == ESTALE)
        return target_refuse(path, "the file changed meanwhile; it is not overwritten", err);
    return error_at(err, output_code(why), path, 0, 0, "the file cannot be written here: %s",
                    strerror(why));
}

// The folder without its links, and the name in it.
static status resolve_new(const char *path, target *out, error *err) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char folder[PATH_MAX];
    size_t n = slash ? (size_t)(slash - path) + 1 : 1, length = strlen(name);
    if (n >= sizeof folder)
        return cannot_write(path, ENAMETOOLONG, err);
    memcpy(folder, slash ? path : ".", n);
    folder[n] = 0;
    if (!realpath(folder, out->path))
        return cannot_write(path, errno, err);
    n = strlen(out->path);
    if (length == 0)
        return cannot_write(path, ENOENT, err);
    if (n + 1 + length >= sizeof out->path)
        return cannot_write(path, ENAMETOOLONG, err);
    if (out->path[n - 1] != '/')
        out->path[n++] = '/';
    memcpy(out->path + n, name, length + 1);
    return OK;
}

static status target_resolve(const char *path, target *out, error *err) {
    struct stat link;
    if (!path[0])
        return error_set(err, E_INPUT, "the name of the file to write is empty");
    out->there = lstat(path, &link) == 0;
    if (!out->there && errno != ENOENT)
        return cannot_write(path, errno, err);
    if (!out->there) {
        status st = resolve_new(path, out, err);
        if (st != OK)
            return st;
    } else if (!realpath(path, out->path)) {
        return S_ISLNK(link.st_mode) && errno == ENOENT
                   ? target_refuse(path,
                                   "this is a symbolic link that leads nowhere; remove it, or give "
                                   "another name",
                                   err)
                   : cannot_write(path, errno, err);
    } else if (stat(out->path, &out->seen) != 0) {
        return cannot_write(path, errno, err);
    }
    out->name = strrchr(out->path, '/') + 1;
    return OK;
}

static bool is_input(const target *t, const output_policy *p) {
    struct stat input;
    for (size_t i = 0; i < p->input_count; i++)
        if (stat(p->inputs[i], &input) == 0 && input.st_dev == t->seen.st_dev &&
            input.st_ino == t->seen.st_ino)
            return true;
    return false;
}

static status check_target(const char *path, const output_policy *p, const target *t, error *err) {
    if (!t->there)
        return OK;
    if (S_ISDIR(t->seen.st_mode))
        return target_refuse(
            path, "this is a folder; it is not overwritten: give the name of a file", err);
    if (!S_ISREG(t->seen.st_mode))
        return target_refuse(
            path, "this is a device, a pipe or a socket; it is not overwritten: give another name",
            err);
    if (is_input(t, p))
        return target_refuse(
            path, "this file is read by the command; it is not overwritten: give another name",
            err);
    if (!p->replaces)
        return target_refuse(
            path, "this file exists; it is not overwritten: give another name, or remove it first",
            err);
    if (t->seen.st_size > 0 && !p->replaces(p->context, t->path))
        return error_at(err, E_INPUT, path, 0, 0,
                        "this file holds no %s; it is not overwritten: give another name, or "
                        "remove it first",
                        p->what);
    if (access(t->path, W_OK) != 0)
        return cannot_write(path, errno, err);
    return OK;
}

static bool folder_writable(const target *t) {
    char folder[PATH_MAX];
    size_t n = (size_t)(t->name - t->path);
    memcpy(folder, t->path, n);
    folder[n] = 0;
    return access(folder, W_OK | X_OK) == 0;
}

status output_check(const char *path, const output_policy *policy, error *err) {
    target t;
    status st = target_resolve(path, &t, err);
    if (st == OK)
        st = check_target(path, policy, &t, err);
    if (st == OK && !folder_writable(&t))
        st = cannot_write(path, errno, err);
    return st;
}

bool output_begins(const char *path, const void *bytes, size_t length) {
    char head[64];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool same = fd >= 0 && length <= sizeof head && read(fd, head, length) == (ssize_t)length &&
                memcmp(head, bytes, length) == 0;
    if (fd >= 0)
        close(fd);
    return same;
}

// ---- Writing ------------------------------------------------------------------------------------

typedef struct pending {
    const output_file *file;
    target target;
    int folder;     // -1: not open
    char part[64];  // the fresh name in the folder; "": none
    bool placed;    // the target is the new file
    bool exchanged; // what was there has the fresh name
} pending;

static int write_all(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno != EINTR)
            return errno;
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static int open_fresh(pending *p) {
    for (int i = 0; i < 1000; i++) {
        snprintf(p->part, sizeof p->part, ".foresee-%ld-%d", (long)getpid(), i);
        int fd = openat(p->folder, p->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                        p->file->policy->own ? 0600 : 0666);
        if (fd >= 0)
            return fd;
        if (errno != EEXIST)
            break;
    }
    p->part[0] = 0;
    return -1;
}

// Returns errno; 0: the bytes are there under the fresh name.
static int write_part(pending *p, bool durable) {
    char folder[PATH_MAX];
    size_t n = (size_t)(p->target.name - p->target.path);
    memcpy(folder, p->target.path, n);
    folder[n] = 0;
    p->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = p->folder >= 0 ? open_fresh(p) : -1;
    if (fd < 0)
        return errno;
    int why = p->target.there && fchmod(fd, p->target.seen.st_mode & 0777) != 0 ? errno : 0;
    if (!why)
        why = write_all(fd, p->file->bytes, p->file->length);
    if (!why && durable && fsync(fd) != 0)
        why = errno;
    if (close(fd) != 0 && !why)
        why = errno;
    return why;
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

// Returns whether the error is that of a file system that does not know such a rename.
static bool rename_is_unknown(int why) {
    return why == EINVAL || why == ENOSYS || why == EOPNOTSUPP;
}

static int pending_swap(const pending *p) {
    return renameat2(p->folder, p->part, p->folder, p->target.name, RENAME_EXCHANGE) ? errno : 0;
}

// A new name: never over what appeared meanwhile.
static int place_new(pending *p) {
    const char *name = p->target.name;
    int why = 0;
    if (renameat2(p->folder, p->part, p->folder, name, RENAME_NOREPLACE) != 0)
        why = errno;
    else
        p->part[0] = 0;
    if (rename_is_unknown(why))
        why = linkat(p->folder, p->part, p->folder, name, 0) != 0 ? errno : 0;
    p->placed = !why;
    return why;
}

// The two change their names, so that the change can be taken back, and what is replaced is what
// was checked.
static int replace_old(pending *p) {
    struct stat now;
    int why = pending_swap(p);
    bool plain = rename_is_unknown(why);
    if (why && !plain)
        return why;
    if (fstatat(p->folder, plain ? p->target.name : p->part, &now, AT_SYMLINK_NOFOLLOW) != 0 ||
        !same_file(&now, &p->target.seen)) {
        if (!plain)
            pending_swap(p);
        return ESTALE;
    }
    if (plain && renameat(p->folder, p->part, p->folder, p->target.name) != 0)
        return errno;
    if (plain)
        p->part[0] = 0;
    p->placed = true;
    p->exchanged = !plain;
    return 0;
}

static int pending_place(pending *p, bool durable) {
    int why = p->target.there ? replace_old(p) : place_new(p);
    // Some file systems have nothing to do for a folder, and say so.
    if (!why && durable && fsync(p->folder) != 0 && errno != EINVAL)
        why = errno;
    return why;
}

static void pending_finish(pending *p, bool good) {
    if (!good && p->exchanged)
        pending_swap(p);
    else if (!good && p->placed && !p->target.there)
        unlinkat(p->folder, p->target.name, 0);
    if (p->part[0])
        unlinkat(p->folder, p->part, 0);
    if (p->folder >= 0)
        close(p->folder);
}

// Not those that a fault of ours raises, which cannot wait.
static void hold_signals(sigset_t *before) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

status output_write(const output_file *files, size_t count, bool durable, error *err) {
    pending all[OUTPUT_MAX];
    sigset_t before;
    status st = OK;
    ASSERT(count <= OUTPUT_MAX);
    for (size_t i = 0; i < count; i++) {
        all[i].file = &files[i];
        all[i].folder = -1;
        all[i].part[0] = 0;
        all[i].placed = all[i].exchanged = false;
    }
    hold_signals(&before);
    for (size_t i = 0; st == OK && i < count; i++) {
        st = target_resolve(files[i].path, &all[i].target, err);
        if (st == OK)
            st = check_target(files[i].path, files[i].policy, &all[i].target, err);
        int why = st == OK ? write_part(&all[i], durable) : 0;
        if (why)
            st = cannot_write(files[i].path, why, err);
    }
    for (size_t i = 0; st == OK && i < count; i++) {
        int why = pending_place(&all[i], durable);
        if (why)
            st = cannot_write(files[i].path, why, err);
    }
    for (size_t i = count; i-- > 0;)
        pending_finish(&all[i], st == OK);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return st;
}

status output_append(const output_file *file, error *err) {
    target t;
    struct stat info;
    status st = target_resolve(file->path, &t, err);
    if (st == OK)
        st = check_target(file->path, file->policy, &t, err);
    if (st != OK)
        return st;
    int fd = open(t.path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                  file->policy->own ? 0600 : 0666);
    if (fd < 0)
        return cannot_write(file->path, errno, err);
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(fd);
        return target_refuse(
            file->path, "this is no file, so that nothing is appended; give another name", err);
    }
    // One write, so that what several programs append does not mix.
    ssize_t n = write(fd, file->bytes, file->length);
    int why = n < 0 ? errno : (size_t)n < file->length ? ENOSPC : 0;
    off_t end = lseek(fd, 0, SEEK_CUR);
    if (n > 0 && why && fstat(fd, &info) == 0 && info.st_size == end && ftruncate(fd, end - n) != 0)
        why = errno;
    if (close(fd) != 0 && !why)
        why = errno;
    return why ? cannot_write(file->path, why, err) : OK;
}

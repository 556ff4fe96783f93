// base/files/files.c - whole files, from the disk or from memory.
#include "base/files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/sha256.h"
#include "base/hash.h"

#define FILE_MAX ((size_t)64 << 20)

status file_read(const char *path, char **text, size_t *length, error *err) {
    status s = OK;
    ARRAY(char) bytes = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    // A pipe that nobody writes to is waited for; only a signal that is to end this interrupts.
    if (file < 0 && errno == EINTR)
        return error_at(err, E_INTERRUPTED, path, 0, 0, "opening the file was interrupted");
    if (file < 0)
        return error_at(err, E_INPUT, path, 0, 0, "the file cannot be opened: %s", strerror(errno));
    struct stat info;
    if (fstat(file, &info) != 0) {
        s = error_at(err, E_IO, path, 0, 0, "the file cannot be read: %s", strerror(errno));
        goto done;
    }
    if (S_ISDIR(info.st_mode)) {
        s = error_at(err, E_INPUT, path, 0, 0, "this is a folder; a file is needed");
        goto done;
    }
    // The size is a guess only: pipes have none, and files grow.
    size_t room = S_ISREG(info.st_mode) && info.st_size > 0 && (uint64_t)info.st_size < FILE_MAX
                      ? (size_t)info.st_size
                      : 0;
    for (;;) {
        if (!array_reserve_try(&bytes, room + 2) || !array_reserve_try(&bytes, bytes.count + 2)) {
            s = error_at(err, E_MEMORY, path, 0, 0, "no memory is left to read the file");
            goto done;
        }
        ssize_t n = read(file, bytes.items + bytes.count, bytes.capacity - bytes.count - 1);
        if (n < 0 && errno == EINTR) {
            s = error_at(err, E_INTERRUPTED, path, 0, 0, "reading the file was interrupted");
            goto done;
        }
        if (n < 0) {
            s = error_at(err, E_IO, path, 0, 0, "the file cannot be read: %s", strerror(errno));
            goto done;
        }
        if (n == 0)
            break;
        bytes.count += (size_t)n;
        if (bytes.count > FILE_MAX) {
            s = error_at(err, E_LIMIT, path, 0, 0,
                         "the file is larger than 64 MiB, the most that is read");
            goto done;
        }
    }
    bytes.items[bytes.count] = 0;
    *text = bytes.items;
    *length = bytes.count;
done:
    close(file);
    if (s != OK)
        array_finish(&bytes);
    return s;
}

// Takes `.`, doubled slashes and `name/..` out of a path, in place; `..` at its begin stays.
static void path_simplify(char *path) {
    bool rooted = path[0] == '/';
    char *out = path + rooted, *floor = out; // nothing before `floor` can be taken back
    const char *in = out;
    while (*in) {
        size_t n = strcspn(in, "/");
        bool up = n == 2 && in[0] == '.' && in[1] == '.';
        if (up && out > floor) {
            out--; // the slash behind the name
            while (out > floor && out[-1] != '/')
                out--;
        } else if (n > 0 && !(n == 1 && in[0] == '.') && !(up && rooted)) {
            memmove(out, in, n);
            out += n;
            *out++ = '/'; // over what was read already, or the text's end
            if (up)
                floor = out;
        }
        in += n;
        in += *in == '/';
    }
    if (out > path + rooted)
        out--;
    *out = 0;
}

// Room for a slash more than the text has.
static char *path_simplified(const char *path) {
    size_t n = strlen(path);
    char *own = mem_must(n + 2, 1);
    memcpy(own, path, n + 1);
    // simplify writes a slash where it has read the text's end: it looks there first.
    own[n + 1] = 0;
    path_simplify(own);
    return own;
}

static const char *without_ups(const char *name) {
    while (strncmp(name, "../", 3) == 0)
        name += 3;
    return name;
}

static bool on_disk(const file_set *set, const kept_file *found) {
    return !set || (set->over_disk && !found);
}

static bool ends_in(const char *path, const char *end) {
    size_t n = strlen(path), m = strlen(end);
    return m > 0 && n >= m && strcmp(path + n - m, end) == 0 && (n == m || path[n - m - 1] == '/');
}

// A path from the root says nothing of the plan's folder: the file with the longest end of it is
// meant.
static const kept_file *kept_find(const file_set *set, const char *path) {
    if (!set)
        return NULL;
    char *own = path_simplified(path);
    const kept_file *best = NULL;
    for (size_t i = 0; i < set->count && (set->over_disk || own[0] != '/') && !best; i++)
        if (strcmp(set->items[i].name, set->over_disk ? path : own) == 0)
            best = &set->items[i];
    for (size_t i = 0; i < set->count && !set->over_disk && own[0] == '/'; i++) {
        const char *name = without_ups(set->items[i].name);
        if (strcmp(set->items[i].name, own) == 0 ||
            (ends_in(own, name) && (!best || strlen(name) > strlen(without_ups(best->name)))))
            best = &set->items[i];
    }
    free(own);
    return best;
}

status files_read(const file_set *set, const char *path, char **text, size_t *length, error *err) {
    const kept_file *f = kept_find(set, path);
    if (on_disk(set, f))
        return file_read(path, text, length, err);
    if (!f)
        return error_at(err, E_INPUT, path, 0, 0, "the log does not hold this file");
    if (f->hash_only)
        return error_at(err, E_INPUT, path, 0, 0, "the log holds the hash of this file alone");
    *text = mem_must(f->length + 1, 1);
    memcpy(*text, f->text, f->length);
    *length = f->length;
    return OK;
}

char *files_real(const file_set *set, const char *path) {
    const kept_file *f = kept_find(set, path);
    if (on_disk(set, f))
        return realpath(path, NULL);
    if (!f)
        return NULL;
    size_t n = strlen(f->name) + 1;
    return memcpy(mem_must(n, 1), f->name, n);
}

bool files_exist(const file_set *set, const char *path) {
    const kept_file *f = kept_find(set, path);
    return on_disk(set, f) ? access(path, R_OK) == 0 : f != NULL;
}

const char *files_ending(const file_set *set, const char *end) {
    for (size_t i = 0; set && !set->over_disk && i < set->count; i++)
        if (ends_in(set->items[i].name, end))
            return set->items[i].name;
    return NULL;
}

// Returns whether the file at `path` has the bytes that the hash was made of.
static bool has_hash(arena *a, const char *path, const char *hash) {
    char *text = NULL;
    size_t length;
    error ignored = {0};
    const char *mark;
    if (strncmp(hash, SHA256_MARK, strlen(SHA256_MARK)) == 0)
        return sha256_mark(a, path, &mark, &ignored) == OK && strcmp(mark, hash) == 0;
    if (access(path, R_OK) != 0 || file_read(path, &text, &length, &ignored) != OK)
        return false;
    bool same = strcmp(hash_text(a, hash_bytes(text, length)), hash) == 0;
    free(text);
    return same;
}

// The file as seen from a folder and from every folder above it.
static const char *look_from(arena *a, const char *folder, const kept_file *f, bool *other) {
    char *at = realpath(folder, NULL);
    const char *found = NULL;
    for (bool more = at != NULL; more && !found;) {
        const char *names[2] = {f->name, without_ups(f->name)};
        for (int i = 0; i < 2 && !found; i++) {
            const char *path = arena_format(a, "%s/%s", at, names[i]);
            if (has_hash(a, path, f->text))
                found = path;
            else
                *other = *other || access(path, R_OK) == 0;
        }
        char *slash = strrchr(at, '/');
        more = slash && slash != at;
        if (slash)
            *slash = 0;
    }
    free(at);
    return found;
}

status files_on_disk(arena *a, const file_set *set, const char *path, const char **out,
                     error *err) {
    const kept_file *f = kept_find(set, path);
    if (on_disk(set, f) || (f && !f->hash_only)) {
        *out = path;
        return OK;
    }
    if (!f)
        return error_at(err, E_INPUT, path, 0, 0, "the log does not hold this file");
    const char *found = NULL;
    bool other = false; // a file of that name, with other bytes
    for (size_t i = 0; i < set->folder_count && !found; i++)
        found = look_from(a, set->folders[i], f, &other);
    if (!found)
        return error_at(err, E_INPUT, f->name, 0, 0,
                        other ? "%s has changed since: the log was made with a file whose hash is "
                                "%s"
                              : "%s is not found, of which the log keeps the hash alone (%s): go "
                                "to the plan's folder",
                        f->name, f->text);
    *out = found;
    return OK;
}

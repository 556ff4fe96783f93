// projector/ensemble/foreign/archive.c - zip files; the only file that knows minizip.
#include "projector/ensemble/foreign/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <unzip.h>

#include "base/files/output.h"
#include "base/mem.h"
#include "base/utf8.h"

enum { NAME_BYTES = 1024 };

archive_limits archive_limits_default(void) {
    return (archive_limits){.files = 10000, .bytes = UINT64_C(512) << 20};
}

// Why a name is refused, or NULL.
static const char *name_fault(const char *name, size_t length) {
    if (length == 0)
        return "it has a file without a name";
    if (name[0] == '/')
        return "it names a file from the root of the disk";
    for (size_t i = 0, n; i < length; i += n) {
        n = utf8_printable(name + i, length - i);
        // Old archives name files in other encodings: those are harmless, controls are not.
        if (n == 0 && ((unsigned char)name[i] < 0x20 || name[i] == 0x7f))
            return "it names a file with a control character";
        if (name[i] == '\\')
            return "it names a file with a backslash";
        n = n ? n : 1;
    }
    for (const char *part = name; part;) {
        size_t n = strcspn(part, "/");
        if (n == 2 && part[0] == '.' && part[1] == '.')
            return "it names a file outside of its own folder, by '..'";
        if (n == 0 && part[0] == '/')
            return "it names a file with an empty folder";
        part = part[n] ? part + n + 1 : NULL;
    }
    return NULL;
}

typedef struct unpacking {
    const char *path, *folder;
    unzFile zip;
    uint64_t bytes;
    const archive_limits *limits;
} unpacking;

// Reads the header of the entry that is current. Sets *folder where it is one.
static status entry_read(const unpacking *u, char name[NAME_BYTES], unz_file_info64 *info,
                         bool *folder, error *err) {
    if (unzGetCurrentFileInfo64(u->zip, info, name, NAME_BYTES, NULL, 0, NULL, 0) != UNZ_OK)
        return error_at(err, E_INPUT, u->path, 0, 0, "the archive is damaged: a header is wrong");
    if (info->size_filename >= NAME_BYTES)
        return error_at(err, E_INPUT, u->path, 0, 0, "the archive has a name of %lu bytes",
                        info->size_filename);
    name[info->size_filename] = 0;
    const char *fault = strlen(name) == info->size_filename ? name_fault(name, strlen(name))
                                                            : "it names a file with a 0 in it";
    if (fault)
        return error_at(err, E_INPUT, u->path, 0, 0, "the archive is refused: %s", fault);
    // The upper half of what a Unix archiver noted is the mode.
    mode_t mode = (mode_t)(info->external_fa >> 16);
    mode_t kind = mode & S_IFMT;
    if (kind != 0 && kind != S_IFREG && kind != S_IFDIR)
        return error_at(err, E_INPUT, u->path, 0, 0,
                        "the archive is refused: '%s' is a link or no file", name);
    if (info->flag & 1)
        return error_at(err, E_INPUT, u->path, 0, 0, "the archive is refused: '%s' is encrypted",
                        name);
    *folder = name[info->size_filename - 1] == '/';
    return OK;
}

// Makes the folders that lead to `path`, which begins with u->folder.
static status folders_make(const unpacking *u, char *path, error *err) {
    for (char *slash = path + strlen(u->folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        int made = mkdir(path, 0700);
        int why = errno;
        *slash = '/';
        if (made != 0 && why != EEXIST)
            return error_at(err, output_code(why), u->path, 0, 0,
                            "the archive cannot be unpacked: %s", strerror(why));
    }
    return OK;
}

static status bytes_write(const unpacking *u, int file, const char *bytes, size_t length,
                          error *err) {
    while (length > 0) {
        ssize_t n = write(file, bytes, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_at(err, output_code(errno), u->path, 0, 0,
                            "the archive cannot be unpacked: %s", strerror(errno));
        bytes += n;
        length -= (size_t)n;
    }
    return OK;
}

static status file_unpack(unpacking *u, const char *name, char *path, error *err) {
    status st = OK;
    char bytes[65536];
    int file = -1;
    if (unzOpenCurrentFile(u->zip) != UNZ_OK)
        return error_at(err, E_INPUT, u->path, 0, 0,
                        "the archive is damaged, or packed in an unknown way: '%s'", name);
    // A private folder, in which nothing else is.
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0700);
    if (file < 0) {
        int why = errno;
        st = why == EEXIST || why == EISDIR || why == ENOTDIR
                 ? error_at(err, E_INPUT, u->path, 0, 0,
                            "the archive is refused: it has '%s' twice", name)
                 : error_at(err, output_code(why), u->path, 0, 0,
                            "the archive cannot be unpacked: %s", strerror(why));
        goto done;
    }
    for (int n; (n = unzReadCurrentFile(u->zip, bytes, sizeof bytes)) != 0;) {
        if (n < 0) {
            st = error_at(err, E_INPUT, u->path, 0, 0, "the archive is damaged at '%s'", name);
            goto done;
        }
        u->bytes += (uint64_t)n;
        if (u->bytes > u->limits->bytes) {
            st = error_at(err, E_LIMIT, u->path, 0, 0,
                          "the archive is refused: unpacked it has more than %llu bytes",
                          (unsigned long long)u->limits->bytes);
            goto done;
        }
        st = bytes_write(u, file, bytes, (size_t)n, err);
        if (st != OK)
            goto done;
    }
done:
    if (file >= 0)
        close(file);
    if (unzCloseCurrentFile(u->zip) == UNZ_CRCERROR && st == OK)
        st = error_at(err, E_INPUT, u->path, 0, 0,
                      "the archive is damaged: the sum of '%s' is wrong", name);
    return st;
}

// Goes through all entries; only judges them where `dry`.
static status entries_visit(unpacking *u, bool dry, error *err) {
    char name[NAME_BYTES], path[2 * NAME_BYTES];
    unz_file_info64 info;
    uint64_t count = 0;
    int at = unzGoToFirstFile(u->zip);
    for (; at == UNZ_OK; at = unzGoToNextFile(u->zip)) {
        bool folder = false;
        status st = entry_read(u, name, &info, &folder, err);
        if (st != OK)
            return st;
        if (++count > u->limits->files)
            return error_at(err, E_LIMIT, u->path, 0, 0,
                            "the archive is refused: it has more than %llu files",
                            (unsigned long long)u->limits->files);
        if (dry)
            continue;
        if ((size_t)snprintf(path, sizeof path, "%s/%s", u->folder, name) >= sizeof path)
            return error_at(err, E_INPUT, u->path, 0, 0, "the archive has names that are too long");
        st = folders_make(u, path, err);
        if (st == OK && !folder)
            st = file_unpack(u, name, path, err);
        if (st != OK)
            return st;
    }
    return at == UNZ_END_OF_LIST_OF_FILE
               ? OK
               : error_at(err, E_INPUT, u->path, 0, 0, "the archive is damaged: its list breaks");
}

status archive_unpack(const char *path, const char *folder, const archive_limits *limits,
                      error *err) {
    unpacking u = {.path = path, .folder = folder, .limits = limits};
    u.zip = unzOpen64(path);
    if (!u.zip)
        return error_at(err, E_INPUT, path, 0, 0, "this is no zip file");
    status st = entries_visit(&u, true, err);
    if (st == OK)
        st = entries_visit(&u, false, err);
    unzClose(u.zip);
    return st;
}

status archive_folder(char **folder, error *err) {
    const char *where = getenv("TMPDIR");
    char path[NAME_BYTES];
    int n = snprintf(path, sizeof path, "%s/foresee-model-XXXXXX",
                     where && where[0] == '/' ? where : "/tmp");
    if (n < 0 || (size_t)n >= sizeof path)
        return error_set(err, E_INPUT, "TMPDIR names a folder that is too long");
    if (!mkdtemp(path))
        return error_at(err, output_code(errno), path, 0, 0, "no folder can be made there: %s",
                        strerror(errno));
    *folder = mem_strdup(path);
    return OK;
}

static int entry_remove(const char *path, const struct stat *info, int kind, struct FTW *place) {
    (void)info, (void)kind, (void)place;
    remove(path);
    return 0;
}

void archive_remove(char *folder) {
    if (!folder)
        return;
    nftw(folder, entry_remove, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
}

// base/files/data.c - shipped data are found from where the program, or the library, lies.
#include "base/files/data.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

// Beside a program or library in the folder where it was built, and never installed: names the
// source tree in one line.
#define MARK "foresee.data"

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool copy_path(const char *text, size_t length, char *path, size_t size) {
    if (length == 0 || length >= size)
        return false;
    memcpy(path, text, length);
    path[length] = 0;
    return true;
}

// The file that this code was loaded from, links resolved, as the kernel names it: the program, or
// libforesee in a program of others. False: /proc does not say.
static bool own_file(char *path, size_t size) {
    static const char all_mappings[] = "/proc/self/maps";
    FILE *maps = fopen(all_mappings, "re");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    uintptr_t here = (uintptr_t)&data_folder;
    while (maps && !found && getline(&line, &room, maps) > 0) {
        unsigned long low = 0, high = 0;
        const char *name = strchr(line, '/');
        if (sscanf(line, "%lx-%lx", &low, &high) != 2 || here < low || here >= high)
            continue;
        if (!name)
            break;
        found = copy_path(name, strcspn(name, "\n"), path, size);
    }
    free(line);
    if (maps)
        fclose(maps);
    return found;
}

static bool is_program(const char *file) {
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    return n > 0 && (size_t)n == strlen(file) && memcmp(path, file, (size_t)n) == 0;
}

// The source tree that the mark in `folder` names. False: there is no mark.
static bool root_marked(const char *folder, char *root, size_t size) {
    char path[4096], line[4096];
    if (snprintf(path, sizeof path, "%s/" MARK, folder) >= (int)sizeof path)
        return false;
    FILE *file = fopen(path, "re");
    bool found =
        file && fgets(line, sizeof line, file) && copy_path(line, strcspn(line, "\n"), root, size);
    if (file)
        fclose(file);
    return found;
}

// Where the data lie that were installed with what lies in `folder` and was to lie in `planned`:
// as far away as planned, so that a whole installation can be moved. /tmp/root/usr/bin, planned as
// /usr/bin, has them in /tmp/root/usr/share/foresee.
static bool root_installed(const char *folder, const char *planned, char *root, size_t size) {
    const char *data = FORESEE_DATA_DIR;
    size_t shared = 0;
    for (size_t i = 0; planned[i] == data[i] && planned[i]; i++)
        if (planned[i] == '/')
            shared = i;
    size_t length = strlen(folder);
    for (const char *p = planned + shared; *p; p++)
        if (*p == '/')
            while (length > 0 && folder[--length] != '/')
                ;
    int n = snprintf(root, size, "%.*s%s", (int)length, folder, data + shared);
    return n > 0 && (size_t)n < size;
}

// The folder that has the shipped data, for who names no other.
static bool data_root(char *root, size_t size) {
    char file[4096];
    if (!own_file(file, sizeof file))
        return false;
    bool program = is_program(file);
    *strrchr(file, '/') = 0;
    return root_marked(file, root, size) ||
           root_installed(file, program ? FORESEE_BIN_DIR : FORESEE_LIB_DIR, root, size);
}

status data_folder(const char *part, char *path, size_t size, error *err) {
    char found[4096];
    const char *own = getenv("FORESEE_DATA"), *root = found;
    bool named = own && own[0];
    // A folder that is named stands for itself: no other is taken in its place.
    if (named)
        root = own;
    else if (!data_root(found, sizeof found))
        return error_set(err, E_USAGE,
                         "where foresee is installed cannot be read from /proc/self; set "
                         "FORESEE_DATA to the folder that holds '%s'",
                         part);
    int n = snprintf(path, size, "%s/%s", root, part);
    if (n > 0 && (size_t)n < size && is_folder(path))
        return OK;
    if (named)
        return error_set(err, E_USAGE, "FORESEE_DATA names '%s', which holds no folder '%s'", own,
                         part);
    return error_set(err, E_USAGE,
                     "the folder '%s' is not in %s, where foresee was installed or built to find "
                     "it; set FORESEE_DATA to the folder that holds it",
                     part, root);
}

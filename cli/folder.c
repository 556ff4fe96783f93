// cli/folder.c - see folder.h.
#include "cli/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/files/output.h"
#include "cli/limits.h"

status folder_make(char *path, size_t size, const char *stem, const char *what, error *err) {
    const char *where = getenv("TMPDIR");
    snprintf(path, size, "%.4000s/%sXXXXXX", where && *where ? where : "/tmp", stem);
    if (mkdtemp(path)) {
        limits_add_path(path);
        return OK;
    }
    int code = errno;
    status st = error_at(err, output_code(code), path, 0, 0, "no folder for %s can be made: %s",
                         what, strerror(code));
    path[0] = 0;
    return st;
}

void folder_remove(const char *path) {
    char file[8192];
    struct dirent *one;
    DIR *all = path[0] ? opendir(path) : NULL;
    while (all && (one = readdir(all)))
        if (one->d_name[0] != '.') {
            snprintf(file, sizeof file, "%.4000s/%s", path, one->d_name);
            unlink(file);
        }
    if (all)
        closedir(all);
    if (!path[0])
        return;
    rmdir(path);
    limits_drop_path(path);
}

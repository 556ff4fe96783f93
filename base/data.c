#include "base/data.h"

#include <stdbool.h>
#include <sys/stat.h>

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

status data_folder(const char *part, char *path, size_t size, error *err) {
    // Who names a folder means that one, and no other in its place.
    const char *own = getenv("FORESEE_DATA");
    const char *places[] = {FORESEE_SOURCE_DIR, FORESEE_DATA_DIR};
    size_t count = sizeof places / sizeof *places;
    if (own && own[0]) {
        places[0] = own;
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        int n = snprintf(path, size, "%s/%s", places[i], part);
        if (n > 0 && (size_t)n < size && is_folder(path))
            return OK;
    }
    if (count == 1)
        return error_set(err, E_USAGE, "FORESEE_DATA names '%s', which holds no folder '%s'", own,
                         part);
    return error_set(
        err, E_USAGE,
        "the folder '%s' is neither in %s nor in %s; set FORESEE_DATA to the folder that holds it",
        part, FORESEE_SOURCE_DIR, FORESEE_DATA_DIR);
}

// query/rule_files.c - see rule_files.h.
#include "query/rule_files.h"

#include <dirent.h>
#include <errno.h>

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

status rule_files_list(arena *a, const char *folder, rule_files *out, error *err) {
    DIR *dir = opendir(folder);
    if (!dir)
        return error_at(err, E_INPUT, folder, 0, 0, "the folder of rules cannot be read: %s",
                        strerror(errno));
    rule_files found = {0};
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        size_t n = strlen(entry->d_name);
        if (n > 3 && entry->d_name[0] != '.' && strcmp(entry->d_name + n - 3, ".dl") == 0)
            array_push(&found, arena_format(a, "%s/%s", folder, entry->d_name));
    }
    closedir(dir);
    if (found.count == 0)
        return error_at(err, E_INPUT, folder, 0, 0, "the folder holds no rule file (.dl)");
    qsort(found.items, found.count, sizeof *found.items, by_name);
    *out = found;
    return OK;
}

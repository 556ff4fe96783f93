// cli/runs/plan_file.c - finds the file of a log's plan.
#include "cli/runs/plan_file.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/status.h"
#include "base/files/files.h"

enum { DEPTH_MAX = 4, ENTRIES_MAX = 20000 };

typedef struct search {
    const char *name, *text;
    arena *paths;
    const char *best;
    int best_depth, entries;
} search;

static bool is_file(const char *path, off_t *size) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    *size = info.st_size;
    return true;
}

static bool has_text(const char *path, const char *expected) {
    off_t size;
    char *text = NULL;
    size_t length = 0, wanted = strlen(expected);
    bool same = is_file(path, &size) && (size_t)size == wanted &&
                file_read(path, &text, &length, NULL) == OK && length == wanted &&
                memcmp(text, expected, wanted) == 0;
    free(text);
    return same;
}

// Searches a folder, "" or ending in '/'. The nearest file wins, then the first by name.
static void look_in(search *s, const char *folder, int depth) {
    DIR *entries = opendir(*folder ? folder : ".");
    if (!entries)
        return;
    const struct dirent *e;
    while ((e = readdir(entries)) != NULL && s->entries++ < ENTRIES_MAX) {
        bool named = strcmp(e->d_name, s->name) == 0;
        // Most entries are files with other names: of these nothing has to be asked.
        if (e->d_name[0] == '.' || (e->d_type == DT_REG && !named))
            continue;
        const char *path = arena_format(s->paths, "%s%s", folder, e->d_name);
        struct stat info;
        if (lstat(path, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode) && depth < DEPTH_MAX)
            look_in(s, arena_format(s->paths, "%s/", path), depth + 1);
        bool nearer = !s->best || depth < s->best_depth ||
                      (depth == s->best_depth && strcmp(path, s->best) < 0);
        if (nearer && named && has_text(path, s->text)) {
            s->best = path;
            s->best_depth = depth;
        }
    }
    closedir(entries);
}

char *plan_file_find(const char *name, const char *text, const char *log, bool *changed) {
    const char *slash = strrchr(name, '/'), *folder_end = strrchr(log, '/');
    search s = {.name = slash ? slash + 1 : name, .text = text, .paths = arena_create()};
    const char *beside =
        arena_format(s.paths, "%.*s%s", folder_end ? (int)(folder_end - log) + 1 : 0, log, s.name);
    off_t size;
    *changed = false;
    if (text && has_text(s.name, text))
        s.best = s.name;
    else if (text && has_text(beside, text))
        s.best = beside;
    else if (text)
        look_in(&s, "", 0);
    if (!s.best && (is_file(s.name, &size) || is_file(beside, &size))) {
        s.best = is_file(s.name, &size) ? s.name : beside;
        *changed = text != NULL;
    }
    char *found = s.best ? strdup(s.best) : NULL;
    arena_destroy(s.paths);
    return found;
}

void plan_files_find(diagnosis *d, const char *log) {
    for (size_t i = 0; i < diagnosis_plan_count(d); i++) {
        bool changed;
        const char *text, *name = diagnosis_plan_name(d, i, &text);
        char *file = name ? plan_file_find(name, text, log, &changed) : NULL;
        if (file)
            diagnosis_find_plan(d, i, file, changed);
        free(file);
    }
}

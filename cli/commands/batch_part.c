// cli/commands/batch_part.c - foresee batch --part N MANIFEST: one part of a batch, for whoever
// schedules it.
#include <string.h>

#include "cli/batch/cluster/part.h"
#include "cli/commands/batch_part.h"

// The manifest says everything else.
static status refuse_others(const arguments *a, error *err) {
    static const char *const known[] = {"part", "jobs", "quiet", "memory", "time"};
    for (size_t i = 0; i < a->options.count; i++) {
        const char *name = a->options.items[i].flag->name;
        bool fits = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            fits = fits || strcmp(known[k], name) == 0;
        if (!fits)
            return error_set(err, E_USAGE,
                             "--part takes what it projects from the manifest; "
                             "--%s cannot be given, too",
                             name);
    }
    if (a->operands.count != 1)
        return error_set(err, E_USAGE, "--part needs one manifest, and %zu files are given",
                         a->operands.count);
    return OK;
}

int command_batch_part(const arguments *a) {
    const char *path = a->operands.count ? a->operands.items[0] : "", *slash = strrchr(path, '/');
    arena *memory = arena_create();
    int64_t number = 0, jobs = 1;
    manifest m = {0};
    candidates c = {0};
    error err = {0};
    errors list = {0};
    int result = EXIT_YES;
    status st = refuse_others(a, &err);
    if (st == OK)
        st = option_integer(a, "part", 1, 1000000000, &number, &err);
    if (st == OK)
        st = option_integer(a, "jobs", 1, 1024, &jobs, &err);
    if (st == OK && (manifest_read(memory, path, &m, &list) != OK ||
                     manifest_load(&m, memory, &c, &list) != OK))
        result = cli_errors(&list);
    else if (st == OK && (size_t)number > m.part_count)
        st = error_at(&err, E_USAGE, path, 0, 0, "there is no part %lld; the manifest has %zu",
                      (long long)number, m.part_count);
    else if (st == OK)
        st = part_project(&c, &m.parts[number - 1],
                          slash ? arena_copy(memory, path, (size_t)(slash - path) + 1) : ".",
                          (size_t)number, jobs, &err);
    if (st != OK)
        result = cli_error(&err);
    candidates_finish(&c);
    manifest_finish(&m);
    errors_finish(&list);
    arena_destroy(memory);
    return result;
}

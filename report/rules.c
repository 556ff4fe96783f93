#include "report/rules.h"

#include <dirent.h>
#include <errno.h>

#include "query/program.h"

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

status rules_list(arena *a, const char *folder, rule_paths *out, error *err) {
    DIR *dir = opendir(folder);
    if (!dir)
        return error_at(err, E_INPUT, folder, 0, 0, "the folder of rules cannot be read: %s",
                        strerror(errno));
    rule_paths found = {0};
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

// ---- Without a log
// -------------------------------------------------------------------------------

typedef struct loose_rules {
    budget budget;
    values *values;
    program *program;
} loose_rules;

static void loose_close(loose_rules *r) {
    program_destroy(r->program);
    values_destroy(r->values);
}

static status load_one(program *p, const char *path, errors *list) {
    char *text;
    size_t length;
    error err = {0};
    status st = file_read(path, &text, &length, &err);
    if (st != OK) {
        errors_append(list, &err);
        return st;
    }
    st = program_load(p, path, text, length, list);
    free(text);
    return st;
}

static status loose_open(loose_rules *r, const char *folder, const char *const *files, size_t count,
                         errors *list) {
    arena *memory = arena_create();
    rule_paths paths = {0};
    error err = {0};
    *r = (loose_rules){.budget = {.limit = (size_t)1 << 30}};
    r->values = values_create(&r->budget);
    r->program = r->values ? program_create(r->values, NANOS_PER_SECOND) : NULL;
    status st = r->program ? rules_list(memory, folder, &paths, &err)
                           : error_set(&err, E_MEMORY, "no memory is left to read the rules");
    if (st != OK)
        errors_append(list, &err);
    for (size_t i = 0; st == OK && i < paths.count; i++)
        st = load_one(r->program, paths.items[i], list);
    // All of the user's files are read before giving up, so that all mistakes come at once.
    for (size_t i = 0; r->program && i < count; i++) {
        status one = load_one(r->program, files[i], list);
        if (st == OK)
            st = one;
    }
    if (st == OK)
        st = program_check(r->program, list);
    array_finish(&paths);
    arena_destroy(memory);
    if (st != OK)
        loose_close(r);
    return st;
}

status rules_check(const char *folder, const char *const *files, size_t count, errors *list) {
    loose_rules r;
    status st = loose_open(&r, folder, files, count, list);
    if (st == OK)
        loose_close(&r);
    return st;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// A cell of a Markdown table: bars are escaped.
static void put_cell(text_buffer *out, const char *text) {
    for (; *text; text++)
        text_add(out, *text == '|' ? "\\%c" : "%c", *text);
}

status rules_document(const char *folder, text_buffer *out, errors *list) {
    loose_rules r;
    status st = loose_open(&r, folder, NULL, 0, list);
    if (st != OK)
        return st;
    text_put(out, "# Predicates\n\n"
                  "<!-- Generated from the declarations in predicates/. Do not edit. -->\n\n"
                  "What can be asked of a log, besides its facts, builtins and signals "
                  "(docs/query.md). Every "
                  "predicate is a rule in `predicates/`, every number a `threshold` there. In "
                  "`holds_w`, `holds_b` and "
                  "`believes` the time is a specification: `at(T)`, `throughout(A, B)`, `during(A, "
                  "B)` (some instant "
                  "of it; KnowRob means all of it), `interval(S, E)`.\n");
    const char *file = "";
    for (size_t i = 0; i < r.program->declarations.count; i++) {
        const declaration *d = &r.program->declarations.items[i];
        if (strcmp(file, d->file) != 0) {
            file = d->file;
            text_add(out, "\n## %s\n\n| predicate | |\n|---|---|\n", base_name(file));
        }
        text_put(out, "| `");
        put_cell(out, d->text);
        text_put(out, "` | ");
        put_cell(out, d->doc ? d->doc : "");
        text_put(out, " |\n");
    }
    loose_close(&r);
    return OK;
}

// cli/commands/edit.c - foresee edit: makes edits in a plan, of a file or as a diagnosis suggests
// them.
#include <string.h>
#include <sys/stat.h>

#include "cli/commands/commands.h"
#include "cli/runs/plan_file.h"
#include "cli/mend/editing.h"
#include "cli/mend/suggested.h"
#include "cli/runs/rerun.h"

static int edit_files(editing *e, int form) {
    errors list = {0};
    status st = editing_begin(e, &list);
    if (st == OK)
        st = editing_read(e, &list);
    if (st == OK)
        st = editing_make(e, &list);
    if (st == OK)
        st = editing_check(e, &list);
    if (st == OK)
        st = editing_write(e, &list);
    int result = EXIT_YES;
    if (st != OK) {
        result = cli_errors(&list);
    } else if (form == 1) {
        fputs(edit_json(e->result, NULL), stdout);
    } else {
        size_t count = edit_count(e->result);
        cli_print(stdout, "%s: %s with %zu edit%s\n", e->output, e->plan_file, count,
                  count == 1 ? "" : "s");
    }
    errors_finish(&list);
    return result;
}

// ---- Suggestions --------------------------------------------------------------------------------

// Finds the file of one of the log's plans, which tells where the files lie that it names.
static status find_plan(arena *memory, const char *log, const rerun *ran, const char *file,
                        const char **out, error *err) {
    const kept_file *kept = rerun_file(ran, file);
    const char *text = kept ? kept->text : NULL;
    // The log has a name of its own for the first robot's.
    const char *name = strcmp(file, ran->plan) == 0 && ran->plan_name ? ran->plan_name : file;
    bool changed = false;
    char *found = plan_file_find(name, text, log, &changed);
    status st = OK;
    if (!found)
        st = error_at(err, E_INPUT, log, 0, 0,
                      "its plan, %s, lies neither here, nor beside the log, nor below this folder; "
                      "name it: foresee edit PLAN.yaml --from ...",
                      name);
    else if (changed)
        st = error_at(err, E_INPUT, found, 0, 0,
                      "the plan has changed since the episode, and the edits may not fit it; to "
                      "try them all the same, name it: foresee edit %s --from ...",
                      found);
    else
        *out = arena_strdup(memory, found);
    free(found);
    return st;
}

static status read_suggestion(arena *memory, const arguments *a, editing *e, error *err) {
    suggested s = {0};
    ARRAY(const char *) rules = {0};
    rerun ran = {0};
    const char *edits = NULL, *file = NULL;
    status st = suggested_parse(memory, arguments_value(a, "from"), &s, err);
    for (size_t i = 0; i < a->options.count; i++)
        if (strcmp(a->options.items[i].flag->name, "rules") == 0)
            array_push(&rules, a->options.items[i].value);
    s.rules = rules.items;
    s.rule_count = rules.count;
    if (st == OK)
        st = suggested_find(memory, &s, &edits, &file, err);
    if (st == OK && !e->plan_file) {
        st = rerun_read(s.log, s.episode, &ran, err);
        if (st == OK)
            st = find_plan(memory, s.log, &ran, file ? file : ran.plan, &e->plan_file, err);
        if (ran.memory)
            rerun_finish(&ran);
    }
    if (st == OK) {
        e->edits_file = s.log;
        e->edits_text = mem_strdup(edits);
        e->edits_length = strlen(edits);
    }
    array_finish(&rules);
    return st;
}

// ---- The command --------------------------------------------------------------------------------

// Returns whether both names lead to one file, in which the plan would overwrite the edits.
static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    if (stat(a, &x) == 0 && stat(b, &y) == 0)
        return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    return strcmp(a, b) == 0;
}

int command_edit(const arguments *a) {
    static const char *const forms[] = {"text", "json", NULL};
    const char *from = arguments_value(a, "from");
    if (from && a->operands.count > 1)
        return cli_usage(a, "edit --from needs at most a plan, for the log has the edits");
    if (!from && a->operands.count != 2)
        return cli_usage(a, "edit needs a plan and a file of edits");
    if (!from && arguments_given(a, "rules"))
        return cli_usage(a, "--rules goes with --from");
    if (!arguments_given(a, "output"))
        return cli_usage(a, "edit needs -o NEW.yaml");
    int form = 0;
    error err = {0};
    if (option_choice(a, "format", forms, &form, &err) != OK)
        return cli_error(&err);
    const char *output = arguments_value(a, "output"), *inverse = arguments_value(a, "inverse");
    if (inverse && same_file(inverse, output))
        return cli_usage(a, "-o and --inverse name the same file");
    arena *memory = arena_create();
    editing e = {.output = output, .inverse = inverse};
    e.plan_file = a->operands.count ? a->operands.items[0] : NULL;
    e.edits_file = a->operands.count > 1 ? a->operands.items[1] : NULL;
    status st = from ? read_suggestion(memory, a, &e, &err) : OK;
    int result = st == OK ? edit_files(&e, form) : cli_error(&err);
    editing_finish(&e);
    arena_destroy(memory);
    return result;
}

// cli/commands/edit.c - foresee edit: makes edits in a plan, checks the new plan and writes it.
#include <string.h>
#include <sys/stat.h>

#include "base/files/data.h"
#include "base/files/files.h"
#include "base/files/output.h"
#include "cli/commands/commands.h"
#include "cli/commands/kind.h"
#include "cli/runs/scenario.h"
#include "plans/edit.h"

typedef struct editing {
    const char *plan, *edits, *output, *inverse;
    char *plan_text, *edits_text;
    size_t plan_length, edits_length;
    plan *old; // the plan before the edits, for the routines that it names; NULL: it could not be
               // read
    file_kind kind;
    edit_result *result;
    output_policy over_plans, over_edits;
} editing;

// ---- What may be written over

static status look_for_edits(const char *path, bool *are) {
    char *text = NULL;
    size_t length;
    status st = file_read(path, &text, &length, NULL);
    if (st != OK)
        return st;
    arena *a = arena_create();
    ynode *root = NULL;
    errors none = {0};
    st = yaml_read(a, path, text, length, &root, &none);
    *are = st == OK && (root->kind == YNODE_SEQUENCE || ynode_get(root, "edits"));
    errors_finish(&none);
    arena_destroy(a);
    free(text);
    return st;
}

static status look_for_plan(const char *path, bool *is) {
    errors none = {0};
    file_kind kind = FILE_UNKNOWN;
    status st = file_kind_find(path, &kind, &none);
    *is = st == OK && (kind == FILE_PLAN || kind == FILE_LIBRARY);
    errors_finish(&none);
    return st;
}

// A file that cannot be read for want of memory does not count as another kind of file.
static bool holds_edits(const void *context, const char *path) {
    bool good = false;
    (void)context;
    while (look_for_edits(path, &good) == E_MEMORY)
        mem_exhausted();
    return good;
}

static bool holds_plan(const void *context, const char *path) {
    bool good = false;
    (void)context;
    while (look_for_plan(path, &good) == E_MEMORY)
        mem_exhausted();
    return good;
}

static status check_outputs(const editing *e, errors *list) {
    error err = {0};
    status st = output_check(e->output, &e->over_plans, &err);
    if (st != OK)
        errors_append(list, &err);
    status other = e->inverse ? output_check(e->inverse, &e->over_edits, &err) : OK;
    if (other != OK)
        errors_append(list, &err);
    return st != OK ? st : other;
}

// ---- Reading

static status read_all(editing *e, errors *list) {
    error err = {0};
    status st = file_kind_find(e->plan, &e->kind, list);
    if (st != OK)
        return st;
    if (e->kind != FILE_PLAN && e->kind != FILE_LIBRARY) {
        errors_add(list, e->plan, 0, 0,
                   "only plans and files of routines can be edited; this is %s",
                   file_kind_name(e->kind));
        return E_INPUT;
    }
    st = file_read(e->plan, &e->plan_text, &e->plan_length, &err);
    if (st == OK)
        st = file_read(e->edits, &e->edits_text, &e->edits_length, &err);
    if (st != OK) {
        errors_append(list, &err);
        return st;
    }
    // A plan with mistakes may be edited, so that edits can mend it.
    char library[4096];
    errors ignored = {0};
    bool shipped = data_folder("plans", library, sizeof library, NULL) == OK;
    plan_read(e->plan, shipped ? library : NULL, NULL, NULL, &e->old, &ignored);
    errors_finish(&ignored);
    return OK;
}

static status make_edits(editing *e, errors *list) {
    size_t count = e->old ? plan_source_count(e->old) : 0;
    edit_file *files = mem_must(count + 1, sizeof *files);
    edit_request request = {.plan = {e->plan, e->plan_text, e->plan_length},
                            .edits = {e->edits, e->edits_text, e->edits_length},
                            .routines = files};
    for (size_t i = 0; i < count; i++) {
        const plan_source *s = plan_source_at(e->old, i);
        if (strcmp(s->kind, "routine") == 0)
            files[request.routine_count++] = (edit_file){s->name, s->text, s->length};
    }
    status st = edit_apply(&request, &e->result, list);
    free(files);
    return st;
}

// ---- Checking

// Checks the new plan as `foresee check` does; a plan that names no world or robot is checked
// without them.
static status check_new(const editing *e, errors *list) {
    const settings none = {0};
    kept_file unwritten = {.name = e->output};
    const file_set files = {.items = &unwritten, .count = 1, .over_disk = true};
    char library[4096];
    error err = {0};
    unwritten.text = edit_text(e->result, &unwritten.length);
    status st = data_folder("plans", library, sizeof library, &err);
    if (st != OK) {
        errors_append(list, &err);
        return st;
    }
    plan *p = NULL;
    plan_names names = scenario_robot_names();
    st = plan_read_from(&files, e->output, library, NULL, &names, &p, list);
    bool staged = st == OK && plan_world(p) && plan_robot(p);
    if (p && !staged) {
        status checked = plan_check(p, &names, list);
        st = st == OK ? checked : st;
    }
    plan_destroy(p);
    if (!staged)
        return st;
    scenario scene = {0};
    st = scenario_load_from(&files, e->output, NULL, NULL, &none, &scene, list);
    if (st == OK) {
        st = scenario_check(&scene, list);
        scenario_finish(&scene);
    }
    return st;
}

// Adds to each error in the new plan which edit wrote that place.
static void place_errors(const editing *e, errors *list) {
    for (size_t i = 0; i < list->count; i++) {
        error *err = &list->items[i];
        if (strcmp(err->file, e->output) != 0)
            continue;
        size_t index;
        int line, column;
        char text[sizeof err->text];
        if (edit_blame(e->result, err->line, err->column, &index, &line, &column)) {
            snprintf(text, sizeof text, "this edit makes the plan wrong: %.200s:%d:%d: %.480s",
                     e->output, err->line, err->column, err->text);
            snprintf(err->file, sizeof err->file, "%s", e->edits);
            err->line = line;
            err->column = column;
        } else {
            snprintf(text, sizeof text, "after the edits: %.700s", err->text);
            snprintf(err->file, sizeof err->file, "%s", e->output);
        }
        memcpy(err->text, text, sizeof text);
    }
}

// ---- Writing

static status write_all(const editing *e, errors *list) {
    error err = {0};
    output_file files[2] = {{.path = e->inverse, .policy = &e->over_edits},
                            {.path = e->output, .policy = &e->over_plans}};
    files[0].bytes = edit_inverse(e->result, &files[0].length);
    files[1].bytes = edit_text(e->result, &files[1].length);
    status st = output_write(e->inverse ? files : files + 1, e->inverse ? 2 : 1, true, &err);
    if (st != OK)
        errors_append(list, &err);
    return st;
}

// ---- The command

static int edit_files(editing *e, int form) {
    errors list = {0};
    status st = check_outputs(e, &list);
    if (st == OK)
        st = read_all(e, &list);
    if (st == OK)
        st = make_edits(e, &list);
    if (st == OK) {
        st = check_new(e, &list);
        place_errors(e, &list);
    }
    if (st == OK)
        st = write_all(e, &list);
    int result = EXIT_YES;
    if (st != OK) {
        result = cli_errors(&list);
    } else if (form == 1) {
        fputs(edit_json(e->result, NULL), stdout);
    } else {
        size_t count = edit_count(e->result);
        cli_print(stdout, "%s: %s with %zu edit%s\n", e->output, e->plan, count,
                  count == 1 ? "" : "s");
    }
    errors_finish(&list);
    return result;
}

// Returns whether both names lead to one file, in which the plan would overwrite the edits.
static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    if (stat(a, &x) == 0 && stat(b, &y) == 0)
        return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    return strcmp(a, b) == 0;
}

int command_edit(const arguments *a) {
    static const char *const forms[] = {"text", "json", NULL};
    if (a->operands.count != 2)
        return cli_usage(a, "edit needs a plan and a file of edits");
    if (!arguments_given(a, "output"))
        return cli_usage(a, "edit needs -o NEW.yaml");
    int form = 0;
    error err = {0};
    if (option_choice(a, "format", forms, &form, &err) != OK)
        return cli_error(&err);
    const char *output = arguments_value(a, "output"), *inverse = arguments_value(a, "inverse");
    const char *read[] = {a->operands.items[1], a->operands.items[0]};
    editing e = {.plan = read[1], .edits = read[0], .output = output, .inverse = inverse};
    // The new plan may overwrite the plan that it was made from.
    e.over_plans =
        (output_policy){.what = "plan", .replaces = holds_plan, .inputs = read, .input_count = 1};
    e.over_edits =
        (output_policy){.what = "edits", .replaces = holds_edits, .inputs = read, .input_count = 2};
    int result = inverse && same_file(inverse, output)
                     ? cli_usage(a, "-o and --inverse name the same file")
                     : edit_files(&e, form);
    edit_result_destroy(e.result);
    plan_destroy(e.old);
    free(e.plan_text);
    free(e.edits_text);
    return result;
}

// cli/mend/editing.c - makes edits in a plan, checks the new plan and writes it.
#include "cli/mend/editing.h"

#include <string.h>

#include "base/files/data.h"
#include "cli/runs/kind.h"
#include "cli/runs/scenario.h"

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

status editing_begin(editing *e, errors *list) {
    error err = {0};
    e->inputs[0] = e->edits_file;
    e->inputs[1] = e->plan_file;
    // The new plan may overwrite the plan that it was made from.
    e->over_plans = (output_policy){
        .what = "plan", .replaces = holds_plan, .inputs = e->inputs, .input_count = 1};
    e->over_edits = (output_policy){
        .what = "edits", .replaces = holds_edits, .inputs = e->inputs, .input_count = 2};
    status st = output_check(e->output, &e->over_plans, &err);
    if (st != OK)
        errors_append(list, &err);
    status other = e->inverse ? output_check(e->inverse, &e->over_edits, &err) : OK;
    if (other != OK)
        errors_append(list, &err);
    return st != OK ? st : other;
}

// ---- Reading

status editing_read(editing *e, errors *list) {
    error err = {0};
    file_kind kind = FILE_UNKNOWN;
    status st = OK;
    if (!e->plan_text) {
        st = file_kind_find(e->plan_file, &kind, list);
        if (st != OK)
            return st;
        if (kind != FILE_PLAN && kind != FILE_LIBRARY) {
            errors_add(list, e->plan_file, 0, 0,
                       "only plans and files of routines can be edited; this is %s",
                       file_kind_name(kind));
            return E_INPUT;
        }
        st = file_read(e->plan_file, &e->plan_text, &e->plan_length, &err);
    }
    if (st == OK && !e->edits_text)
        st = file_read(e->edits_file, &e->edits_text, &e->edits_length, &err);
    if (st != OK) {
        errors_append(list, &err);
        return st;
    }
    // A plan with mistakes may be edited, so that edits can mend it.
    const kept_file text = {.name = e->plan_file, .text = e->plan_text, .length = e->plan_length};
    const file_set files = {.items = &text, .count = 1, .over_disk = true};
    char library[4096];
    errors ignored = {0};
    bool shipped = data_folder("plans", library, sizeof library, NULL) == OK;
    plan_destroy(e->old);
    e->old = NULL;
    plan_read_from(&files, e->plan_file, shipped ? library : NULL, NULL, NULL, &e->old, &ignored);
    errors_finish(&ignored);
    return OK;
}

// Makes the edits, and then those that keep the names of files right in the new plan's folder.
status editing_make(editing *e, errors *list) {
    size_t count = e->old ? plan_source_count(e->old) : 0;
    edit_file *files = mem_must(count + 1, sizeof *files);
    edit_request request = {.plan = {e->plan_file, e->plan_text, e->plan_length},
                            .edits = {e->edits_file, e->edits_text, e->edits_length},
                            .routines = files};
    for (size_t i = 0; i < count; i++) {
        const plan_source *s = plan_source_at(e->old, i);
        if (strcmp(s->kind, "routine") == 0)
            files[request.routine_count++] = (edit_file){s->name, s->text, s->length};
    }
    status st = edit_apply(&request, &e->result, list);
    edit_file made = {.name = e->plan_file};
    if (st == OK)
        made.text = edit_text(e->result, &made.length);
    char *moves = st == OK ? edit_moved(&request.plan, &made, e->output) : NULL;
    if (moves) {
        edit_result_destroy(e->result);
        e->result = NULL;
        request.then = (edit_file){"the names of files", moves, strlen(moves)};
        st = edit_apply(&request, &e->result, list);
    }
    free(moves);
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
            snprintf(err->file, sizeof err->file, "%s", e->edits_file);
            err->line = line;
            err->column = column;
        } else {
            snprintf(text, sizeof text, "after the edits: %.700s", err->text);
            snprintf(err->file, sizeof err->file, "%s", e->output);
        }
        memcpy(err->text, text, sizeof text);
    }
}

status editing_check(const editing *e, errors *list) {
    status st = check_new(e, list);
    place_errors(e, list);
    return st;
}

// ---- Writing

status editing_write(const editing *e, errors *list) {
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

void editing_finish(editing *e) {
    edit_result_destroy(e->result);
    plan_destroy(e->old);
    free(e->plan_text);
    free(e->edits_text);
}

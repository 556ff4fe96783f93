// cli/edit.c - foresee edit: a plan and edits give a new plan, which is checked before it is
// written.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data.h"
#include "cli/kind.h"
#include "cli/scenario.h"
#include "plans/edit.h"

typedef struct editing {
    const char *plan, *edits, *output, *inverse;
    char *plan_text, *edits_text;
    size_t plan_length, edits_length;
    plan *old; // for the files of routines that it names; NULL: none
    file_kind kind;
    edit_result *result;
} editing;

// ---- What may be written over
// --------------------------------------------------------------------

// Whether a file stands there that does not hold what is written over; a pipe is not even read.
static bool is_other(const char *path, bool (*holds)(const char *)) {
    struct stat info;
    return stat(path, &info) == 0 && !(S_ISREG(info.st_mode) && holds(path));
}

static bool holds_edits(const char *path) {
    char *text = NULL;
    size_t length;
    if (file_read(path, &text, &length, NULL) != OK)
        return false;
    arena *a = arena_create();
    ynode *root = NULL;
    errors none = {0};
    bool good = yaml_read(a, path, text, length, &root, &none) == OK &&
                (root->kind == YNODE_SEQUENCE || ynode_get(root, "edits"));
    errors_finish(&none);
    arena_destroy(a);
    free(text);
    return good;
}

static bool holds_plan(const char *path) {
    errors none = {0};
    file_kind kind = FILE_UNKNOWN;
    bool good =
        file_kind_find(path, &kind, &none) == OK && (kind == FILE_PLAN || kind == FILE_LIBRARY);
    errors_finish(&none);
    return good;
}

static bool may_write(const editing *e, errors *list) {
    const char *text = NULL;
    if (is_other(e->output, holds_plan)) {
        text = "this file is no plan; it is not overwritten";
        errors_add(list, e->output, 0, 0, "%s", text);
    }
    if (e->inverse && is_other(e->inverse, holds_edits)) {
        text = "this file holds no edits; it is not overwritten";
        errors_add(list, e->inverse, 0, 0, "%s", text);
    }
    return !text;
}

// ---- Reading
// -------------------------------------------------------------------------------------

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
    // A plan with mistakes may be edited, so that they can be mended.
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
// ------------------------------------------------------------------------------------

// As `foresee check` does; what names no world or robot is checked without them.
static status check_new(const char *path, errors *list) {
    const settings none = {0};
    char library[4096];
    error err = {0};
    status st = data_folder("plans", library, sizeof library, &err);
    if (st != OK) {
        errors_append(list, &err);
        return st;
    }
    plan *p = NULL;
    plan_names names = scenario_robot_names();
    st = plan_read(path, library, NULL, &names, &p, list);
    bool staged = st == OK && plan_world(p) && plan_robot(p);
    if (p && !staged) {
        status checked = plan_check(p, &names, list);
        st = st == OK ? checked : st;
    }
    plan_destroy(p);
    if (!staged)
        return st;
    scenario scene = {0};
    st = scenario_load(path, NULL, NULL, &none, &scene, list);
    if (st == OK) {
        st = scenario_check(&scene, list);
        scenario_finish(&scene);
    }
    return st;
}

// Names the new plan in place of the file that it was written to, and the edit that made the place.
static void place_errors(const editing *e, const char *part, errors *list) {
    for (size_t i = 0; i < list->count; i++) {
        error *err = &list->items[i];
        if (strcmp(err->file, part) != 0)
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
// -------------------------------------------------------------------------------------

static status cannot_write(errors *list, const char *path) {
    error err;
    int why = errno;
    error_at(&err, why == ENOSPC || why == EDQUOT ? E_FULL : E_IO, path, 0, 0,
             "cannot be written: %s", strerror(why));
    errors_append(list, &err);
    return err.code;
}

// A file beside the one that it is to become, so that this one is never half written.
static status write_part(const char *path, const char *text, size_t length, char part[4096],
                         errors *list) {
    int n = snprintf(part, 4096, "%s.XXXXXX", path);
    int file = n > 0 && n < 4096 ? mkstemp(part) : (errno = ENAMETOOLONG, -1);
    if (file < 0) {
        part[0] = 0;
        return cannot_write(list, path);
    }
    struct stat old;
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = stat(path, &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask;
    bool good = fchmod(file, mode) == 0;
    for (size_t done = 0; good && done < length;) {
        ssize_t more = write(file, text + done, length - done);
        good = more > 0 || (more < 0 && errno == EINTR);
        done += more > 0 ? (size_t)more : 0;
    }
    good = good && fsync(file) == 0;
    status st = good ? OK : cannot_write(list, path);
    if (close(file) != 0 && st == OK)
        st = cannot_write(list, path);
    return st;
}

static status write_all(const editing *e, errors *list) {
    char plan_part[4096] = "", inverse_part[4096] = "";
    size_t length;
    const char *text = edit_text(e->result, &length);
    status st = write_part(e->output, text, length, plan_part, list);
    if (st == OK) {
        st = check_new(plan_part, list);
        place_errors(e, plan_part, list);
    }
    if (st == OK && e->inverse) {
        text = edit_inverse(e->result, &length);
        st = write_part(e->inverse, text, length, inverse_part, list);
    }
    if (st == OK && e->inverse && rename(inverse_part, e->inverse) != 0)
        st = cannot_write(list, e->inverse);
    if (st == OK && rename(plan_part, e->output) != 0)
        st = cannot_write(list, e->output);
    if (st != OK && plan_part[0])
        unlink(plan_part);
    if (st != OK && inverse_part[0])
        unlink(inverse_part);
    return st;
}

// ---- The command
// ---------------------------------------------------------------------------------

static int edit_files(editing *e, int form) {
    errors list = {0};
    status st = may_write(e, &list) ? read_all(e, &list) : E_INPUT;
    if (st == OK)
        st = make_edits(e, &list);
    if (st == OK)
        st = write_all(e, &list);
    int result = EXIT_YES;
    if (st != OK) {
        result = cli_errors(&list);
        if (st == E_FULL)
            result = EXIT_NONE;
    } else if (form == 1) {
        fputs(edit_json(e->result, NULL), stdout);
    } else {
        size_t count = edit_count(e->result);
        printf("%s: %s with %zu edit%s\n", e->output, e->plan, count, count == 1 ? "" : "s");
    }
    errors_finish(&list);
    return result;
}

// Where a link leads, so that the file behind it is written and not the link; else the path itself.
// The caller frees it.
static char *file_behind(const char *path) {
    char *real = path ? realpath(path, NULL) : NULL;
    if (!real && path)
        ASSERT((real = strdup(path)));
    return real;
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
    char *output = file_behind(arguments_value(a, "output")),
         *inverse = file_behind(arguments_value(a, "inverse"));
    editing e = {.plan = a->operands.items[0],
                 .edits = a->operands.items[1],
                 .output = output,
                 .inverse = inverse};
    int result = inverse && strcmp(inverse, output) == 0
                     ? cli_usage(a, "-o and --inverse name the same file")
                     : edit_files(&e, form);
    edit_result_destroy(e.result);
    plan_destroy(e.old);
    free(e.plan_text);
    free(e.edits_text);
    free(output);
    free(inverse);
    return result;
}

// plans/load/load.c - reads a plan with its routines and parameters.
#include "plans/load/load_int.h"

#include "base/symtab.h"
#include "plans/check/check_int.h"

// A file that was read, before its steps are.
typedef struct unit {
    const plan_file *file;
    const ynode *named; // the plan's entry that names it; NULL: the plan itself
    ynode *root;        // NULL: it could not be read
    parameters params;
} unit;
typedef ARRAY(unit) units;

// ---- Files --------------------------------------------------------------------------------------

static status open_file(loader *l, const file_set *files, const char *kind, const char *path,
                        const char *name, unit *out, error *err) {
    char *text;
    size_t length;
    status s = files_read(files, path, &text, &length, err);
    if (s != OK)
        return s;
    plan_file *f = arena_alloc(l->a, sizeof *f);
    f->kind = kind;
    f->path = arena_strdup(l->a, path);
    f->name = arena_format(l->a, "%s%s", name[0] == '/' ? "" : l->folder, name);
    f->text = arena_copy(l->a, text, length);
    f->length = length;
    free(text);
    array_push(&l->p->files, f);
    array_push(&l->p->sources, (plan_source){kind, f->name, f->text, length});
    *out = (unit){.file = f};
    return OK;
}

static bool read_unit(loader *l, unit *u, file_map map) {
    if (yaml_read(l->a, u->file->path, u->file->text, u->file->length, &u->root, l->list) != OK)
        return false;
    if (u->root->kind != YNODE_MAPPING) {
        ynode_error(u->root, l->list, "this must be a map with the key '%s:'",
                    map == MAP_PLAN ? "plan" : "library");
        u->root = NULL;
        return false;
    }
    file_keys_check(u->root, map, l->list);
    parameters_read(l->a, u->root, &u->params, l->list);
    return true;
}

static bool is_open(const plan *p, const char *path) {
    for (size_t i = 0; i < p->files.count; i++) {
        if (strcmp(p->files.items[i]->path, path) == 0)
            return true;
    }
    return false;
}

// Reads a file of routines that a plan names: from beside the plan, else from the library.
static void read_library(loader *l, const ynode *n, const char *plan_path, const char *library,
                         units *out) {
    const char *name;
    if (!ynode_text(n, "routines", &name, l->list))
        return;
    const char *paths[2] = {path_beside(l->a, plan_path, name),
                            library ? arena_format(l->a, "%s/%s", library, name) : NULL};
    error first = {0}, err = {0};
    unit u;
    for (int i = 0; i < 2 && paths[i]; i++) {
        if (strcmp(l->p->files.items[0]->path, paths[i]) == 0) {
            ynode_error(n, l->list,
                        "'%s' is this plan itself, and hides the library's file of that name: name "
                        "the plan's file otherwise",
                        name);
            return;
        }
        if (is_open(l->p, paths[i])) {
            ynode_error(n, l->list, "the routines of '%s' are named twice", name);
            return;
        }
        // The library is on disk, of a plan in memory too.
        status s = open_file(l, i == 0 ? l->files : NULL, "routine", paths[i], name, &u, &err);
        if (s == OK) {
            u.named = n;
            read_unit(l, &u, MAP_LIBRARY);
            array_push(out, u);
            return;
        }
        if (i == 0)
            first = err;
    }
    const char *near = l->files ? NULL : files_nearest(l->a, plan_path, library, name);
    if (near && strcmp(near, name) != 0)
        ynode_error(n, l->list, "no routines '%s'; did you mean '%s'?", name, near);
    else if (paths[1])
        ynode_error(n, l->list, "no routines '%s': neither %s nor %s can be read", name, paths[0],
                    paths[1]);
    else
        ynode_error(n, l->list, "no routines '%s': %.500s", name, first.text);
}

// ---- Parts of a plan ----------------------------------------------------------------------------

static bool has_parameter(const parameters *all, const char *name) {
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->items[i].name, name) == 0)
            return true;
    }
    return false;
}

// Makes one set of parameters for the plan and its routines: the first declaration of a name
// counts.
static void settle_parameters(loader *l, units *all, const settings *set) {
    parameters *params = &l->p->params;
    for (size_t i = 0; i < all->count; i++) {
        const parameters *own = &all->items[i].params;
        for (size_t j = 0; j < own->count; j++) {
            if (!has_parameter(params, own->items[j].name))
                array_push(params, own->items[j]);
        }
    }
    for (size_t i = 0; set && i < set->count; i++) {
        const setting *s = &set->items[i];
        if (strcmp(s->scope, "plan") == 0)
            parameters_apply(l->a, params, s, l->list);
    }
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].root)
            parameters_fill(l->a, all->items[i].root, params, l->list);
    }
}

static void read_routine(loader *l, const ynode *n) {
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list, "a routine is a map with achieve: and body:");
        return;
    }
    size_t before = l->list->count;
    file_keys_check(n, MAP_ROUTINE, l->list);
    plan_routine r = {.file = l->file, .line = n->line, .column = n->column, .doc = ""};
    const ynode *pattern = ynode_get(n, "achieve"), *name = ynode_get(n, "name");
    const ynode *guard = ynode_get(n, "guard"), *returns = ynode_get(n, "returns");
    const ynode *doc = ynode_get(n, "doc"), *body = ynode_get(n, "body");
    if (!pattern)
        ynode_error(n, l->list, "a routine needs achieve: with the goals that it achieves");
    else if (term_read(l, pattern, "achieve", &r.pattern)) {
        if (r.pattern->kind != TERM_COMPOUND && r.pattern->kind != TERM_SYMBOL)
            ynode_error(pattern, l->list,
                        "achieve: must be a goal such as object_in_hand(?object)");
        else
            r.name = r.pattern->text;
    }
    if (name)
        name_read(l, name, "name", &r.name);
    if (doc)
        ynode_text(doc, "doc", &r.doc, l->list);
    if (guard)
        term_read(l, guard, "guard", &r.guard);
    if (returns)
        term_read(l, returns, "returns", &r.returns);
    bindings_read(l, ynode_get(n, "with"), "with", true, &r.with, &r.with_count);
    bindings_read(l, ynode_get(n, "let"), "let", true, &r.let, &r.let_count);
    notes_read(l, n, &r.notes, &r.note_count);
    r.effects_given = ynode_get(n, "effects") != NULL;
    if (!body) {
        ynode_missing(n, l->list, "a routine needs a body:");
    } else {
        l->paths = symtab_create();
        r.body = body_read(l, body, NULL, r.name ? r.name : "routine", 0);
        symtab_destroy(l->paths);
    }
    if (!r.pattern || !r.name || !r.body) {
        l->lost = l->lost || l->list->count > before;
        return;
    }
    for (size_t i = 0; i < l->p->routines.count; i++) {
        const plan_routine *other = &l->p->routines.items[i];
        if (strcmp(other->name, r.name) != 0)
            continue;
        // A routine of a file that was named earlier overrides one of the same name.
        if (other->file == r.file)
            ynode_error(n, l->list,
                        "another routine here is named '%s' (line %d); give this one a name:",
                        r.name, other->line);
        return;
    }
    array_push(&l->p->routines, r);
}

static void read_routines(loader *l, const units *all, const ynode *list) {
    for (size_t i = 0; list && i < list->count; i++) {
        const ynode *item = list->items[i];
        if (item->kind == YNODE_MAPPING) {
            l->file = all->items[0].file;
            read_routine(l, item);
            continue;
        }
        const unit *u = NULL;
        for (size_t j = 1; j < all->count && !u; j++) {
            if (all->items[j].named == item)
                u = &all->items[j];
        }
        if (!u || !u->root)
            continue;
        const ynode *own = ynode_get(u->root, "routines");
        l->file = u->file;
        if (!own || own->kind != YNODE_SEQUENCE) {
            ynode_error(u->root, l->list, "a file of routines needs routines: with a list of them");
            continue;
        }
        for (size_t j = 0; j < own->count; j++)
            read_routine(l, own->items[j]);
    }
}

static void read_body(loader *l, const ynode *root, const plan_file *file) {
    const ynode *body = ynode_get(root, "body");
    l->file = file;
    if (!body) {
        ynode_missing(root, l->list, "a plan needs a body:");
        return;
    }
    l->paths = symtab_create();
    l->p->body = body_read(l, body, NULL, "body", 0);
    symtab_destroy(l->paths);
    const term *goal = l->p->body ? l->p->body->goal : NULL;
    if (!goal)
        l->p->goal = term_list(l->a, NULL, 0, NULL);
    else if (term_list_length(goal) >= 0)
        l->p->goal = goal;
    else
        l->p->goal = term_list(l->a, &goal, 1, NULL);
}

static void load_units(loader *l, const char *library, const settings *set, units *all) {
    unit *main = &all->items[0];
    const char *path = main->file->path;
    if (!read_unit(l, main, MAP_PLAN))
        return;
    const ynode *root = main->root, *name = ynode_get(root, "plan");
    const ynode *list = ynode_get(root, "routines");
    if (!name)
        ynode_missing(root, l->list, "a plan needs plan: with its name");
    else
        name_read(l, name, "plan", &l->p->name);
    if (list && list->kind != YNODE_SEQUENCE) {
        ynode_error(list, l->list, "routines: must be a list of files and routines");
        errors_mark(l->list, ERROR_MISSPELT);
        list = NULL;
    }
    size_t before = l->list->count;
    for (size_t i = 0; list && i < list->count; i++) {
        if (list->items[i]->kind != YNODE_MAPPING)
            read_library(l, list->items[i], path, library, all);
    }
    bool complete = l->list->count == before;
    root = all->items[0].root;
    settle_parameters(l, all, set);
    projection_read(l, ynode_get(root, "projection"), path);
    read_routines(l, all, list);
    read_body(l, root, all->items[0].file);
    if (l->p->body)
        texts_collect(l, l->p->body);
    for (size_t i = 0; i < l->p->routines.count; i++)
        texts_collect(l, l->p->routines.items[i].body);
    check_robots(l->p, l->list);
    check_variables(l->p, l->list);
    check_tasks(l->p, l->list);
    if (complete && !l->lost)
        check_goals(l->p, l->names, library, l->list);
}

// Loads a file of routines on its own.
static void load_library(loader *l, const settings *set, units *all) {
    const plan_file *file = all->items[0].file;
    const ynode *root = all->items[0].root, *own = ynode_get(root, "routines");
    file_keys_check(root, MAP_LIBRARY, l->list);
    parameters_read(l->a, all->items[0].root, &all->items[0].params, l->list);
    name_read(l, ynode_get(root, "library"), "library", &l->p->name);
    settle_parameters(l, all, set);
    own = ynode_get(all->items[0].root, "routines");
    l->file = file;
    if (!own || own->kind != YNODE_SEQUENCE) {
        ynode_error(root, l->list, "a file of routines needs routines: with a list of them");
        return;
    }
    for (size_t i = 0; i < own->count; i++)
        read_routine(l, own->items[i]);
    check_robots(l->p, l->list);
    check_variables(l->p, l->list);
    check_tasks(l->p, l->list);
    if (!l->lost)
        check_goals(l->p, l->names, NULL, l->list);
}

// Returns whether a file is one of routines, and no plan, before it is read.
static bool is_library(loader *l, const plan_file *file, ynode **root) {
    errors none = {0};
    bool is = yaml_read(l->a, file->path, file->text, file->length, root, &none) == OK &&
              (*root)->kind == YNODE_MAPPING && ynode_get(*root, "library") &&
              !ynode_get(*root, "plan");
    errors_finish(&none);
    return is;
}

status plan_load(const char *path, const char *library, const settings *set, plan **out,
                 errors *list) {
    plan *p = NULL;
    status s = plan_read(path, library, set, NULL, &p, list);
    if (s == OK && !p->body) {
        errors_add(list, path, 1, 1, "a plan needs plan: with its name, and a body:");
        s = E_INPUT;
    }
    if (s == OK)
        *out = p;
    else
        plan_destroy(p);
    return s;
}

status plan_read(const char *path, const char *library, const settings *set,
                 const plan_names *names, plan **out, errors *list) {
    return plan_read_from(NULL, path, library, set, names, out, list);
}

status plan_read_from(const file_set *files, const char *path, const char *library,
                      const settings *set, const plan_names *names, plan **out, errors *list) {
    const char *slash = strrchr(path, '/');
    return plan_read_named(files, path, slash ? slash + 1 : path, library, set, names, out, list);
}

status plan_read_named(const file_set *files, const char *path, const char *name,
                       const char *library, const settings *set, const plan_names *names,
                       plan **out, errors *list) {
    errors own = {0};
    arena *a = arena_create();
    plan *p = arena_alloc(a, sizeof *p);
    p->arena = a;
    loader l = {.p = p, .a = a, .list = &own, .names = names, .files = files};
    const char *slash = strrchr(name, '/');
    l.folder = arena_copy(a, name, slash ? (size_t)(slash - name) + 1 : 0);
    units all = {0};
    unit main;
    error err = {0};
    status s = open_file(&l, files, "plan", path, slash ? slash + 1 : name, &main, &err);
    if (s != OK) {
        errors_append(&own, &err);
    } else {
        array_push(&all, main);
        if (is_library(&l, main.file, &all.items[0].root))
            load_library(&l, set, &all);
        else
            load_units(&l, library, set, &all);
    }
    for (size_t i = 0; i < own.count; i++) {
        if (s == OK)
            s = own.items[i].code;
        errors_append(list, &own.items[i]);
    }
    for (size_t i = 0; i < all.count; i++)
        array_finish(&all.items[i].params);
    array_finish(&all);
    errors_finish(&own);
    *out = p->files.count ? p : NULL;
    if (!*out)
        plan_destroy(p);
    return s;
}

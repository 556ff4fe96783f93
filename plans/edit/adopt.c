// plans/edit/adopt.c - routines of other files: the file named, routines copied into the plan and
// taken out again.
//
// A routine that stands earlier is matched first, and of two routines with one name the earlier
// counts. So that a copy changes nothing by itself, it is put right before the file that it comes
// from, together with the routines before it in that file that could match the same goals.
#include "plans/edit/edit_int.h"

static const char *name_of(const ynode *n, size_t *length) {
    const ynode *name = ynode_get(n, "name"), *goal = ynode_get(n, "achieve");
    const ynode *from = name ? name : goal;
    if (!from || from->kind != YNODE_SCALAR)
        return NULL;
    *length = strcspn(from->scalar, " (\t\r\n");
    return from->scalar;
}

static bool is_named(const ynode *n, const char *name) {
    size_t length = 0;
    const char *own = name_of(n, &length);
    return own && strlen(name) == length && strncmp(own, name, length) == 0;
}

// Returns the routine of this name in a file, and its index in the file's list.
static ynode *find_routine(const ynode *root, const char *name, size_t *index) {
    const ynode *own = ynode_get(root, "routines");
    for (size_t i = 0; own && own->kind == YNODE_SEQUENCE && i < own->count; i++) {
        if (is_named(own->items[i], name)) {
            *index = i;
            return own->items[i];
        }
    }
    return NULL;
}

// Finds the functor and the number of arguments of the goal that a routine achieves, in its text.
static bool same_goal(const ynode *a, const ynode *b) {
    const ynode *goals[2] = {ynode_get(a, "achieve"), ynode_get(b, "achieve")};
    size_t lengths[2], commas[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        if (!goals[k] || goals[k]->kind != YNODE_SCALAR)
            return false;
        int depth = 0;
        lengths[k] = strcspn(goals[k]->scalar, " (");
        for (const char *c = goals[k]->scalar; *c; c++) {
            depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
            commas[k] += *c == ',' && depth == 1;
        }
    }
    return lengths[0] == lengths[1] && commas[0] == commas[1] &&
           strncmp(goals[0]->scalar, goals[1]->scalar, lengths[0]) == 0;
}

static bool no_routine(const doc *d, const char *name, error *err) {
    const char *names[256];
    size_t count = 0;
    for (size_t k = 0; k < d->library_count; k++) {
        const plan *p = d->libraries[k].tree;
        for (size_t i = 0; p && i < p->routines.count && count < 256; i++)
            names[count++] = p->routines.items[i].name;
    }
    const char *near = nearest_name(name, names, count);
    if (near)
        error_set(err, E_INPUT,
                  "no file of routines that the plan names has the routine '%.60s'; "
                  "did you mean '%.60s'?",
                  name, near);
    else
        error_set(err, E_INPUT, "no file of routines that the plan names has the routine '%.60s'",
                  name);
    return false;
}

// Declares every parameter that the routine uses and only its file declares.
static bool declare_needed(doc *d, const library *from, const ynode *n, error *err) {
    const ynode *declared = ynode_get(from->root, "parameters");
    for (size_t i = 0; i < n->count; i++) {
        if (!declare_needed(d, from, n->items[i], err))
            return false;
    }
    for (const char *c = n->kind == YNODE_SCALAR ? strchr(n->scalar, '$') : NULL; c;
         c = strchr(c + 1, '$')) {
        size_t length = strspn(c + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                      "0123456789");
        char *name = arena_copy(d->a, c + 1, length);
        ynode *declaration = ynode_get(declared, name);
        if (declaration && !ynode_get(ynode_get(d->root, "parameters"), name) &&
            !parameter_declare(d, name, declaration, err))
            return false;
    }
    return true;
}

// Returns the index of the entry that names the file; the list's count: no entry does.
static size_t entry_of(const ynode *list, const library *from) {
    size_t i = 0;
    while (i < list->count && !(list->items[i]->kind == YNODE_SCALAR &&
                                strcmp(list->items[i]->scalar, from->file.name) == 0))
        i++;
    return i;
}

static bool copy_routine(doc *d, const library *from, ynode *routine, error *err) {
    if (!declare_needed(d, from, routine, err))
        return false;
    size_t at = 0;
    while (at < d->root->count && strcmp(d->root->keys[at]->scalar, "routines") != 0)
        at++;
    ynode *list = at < d->root->count ? d->root->items[at] : NULL;
    if (!list || list->kind != YNODE_SEQUENCE || entry_of(list, from) == list->count) {
        error_set(err, E_INPUT, "the plan does not name '%.200s' under routines:", from->file.name);
        return false;
    }
    // A routine does not fit into one line: a list of names in [ ] becomes a list of lines.
    bool commented = memchr(d->text + list->begin, '#', list->end - list->begin) != NULL;
    if (list->flow && !d->root->flow && !commented) {
        ynode *lines = make_sequence(d->a);
        for (size_t i = 0; i < list->count; i++)
            make_item(d->a, lines, list->items[i]);
        if (!doc_replace(d, d->root, at, lines, false, err))
            return false;
        list = ynode_get(d->root, "routines");
    }
    return doc_insert(d, list, entry_of(list, from), false, NULL, routine, err);
}

// The file comes last: of routines that match the same goal the earlier counts, and so the steps
// that are there go on as before.
bool routines_use(doc *d, const edit *e, error *err) {
    ynode *list = ynode_get(d->root, "routines");
    ynode *name = (ynode *)(uintptr_t)e->target; // written as the edit has it
    if (!list) {
        ynode *names = make_sequence(d->a);
        names->flow = true;
        make_item(d->a, names, name);
        size_t at = 0;
        while (at < d->root->count && strcmp(d->root->keys[at]->scalar, "body") != 0)
            at++;
        if (at < d->root->count)
            return doc_insert(d, d->root, at, false, "routines", names, err);
        error_set(err, E_INPUT, "this is no plan; it has neither routines: nor a body:");
        return false;
    }
    if (list->kind != YNODE_SEQUENCE) {
        error_at(err, E_INPUT, list->file, list->line, list->column,
                 "'routines' must be a list of routines and of names of files");
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i]->kind == YNODE_SCALAR && strcmp(list->items[i]->scalar, e->path) == 0) {
            error_set(err, E_INPUT, "the plan names '%.200s' under routines: already", e->path);
            return false;
        }
    }
    if (list->count == 0) {
        ynode *names = make_sequence(d->a);
        names->flow = true;
        make_item(d->a, names, name);
        ynode *parent;
        size_t index;
        return doc_parent(d->root, list, &parent, &index) &&
               doc_replace(d, parent, index, names, false, err);
    }
    return doc_insert(d, list, list->count - 1, true, NULL, name, err);
}

bool routine_adopt(doc *d, const edit *e, error *err) {
    size_t index = 0;
    if (find_routine(d->root, e->path, &index)) {
        error_set(err, E_INPUT, "the routine '%.60s' is the plan's own already", e->path);
        return false;
    }
    for (size_t k = 0; k < d->library_count; k++) {
        const library *from = &d->libraries[k];
        ynode *routine = from->root ? find_routine(from->root, e->path, &index) : NULL;
        if (!routine)
            continue;
        const ynode *others = ynode_get(from->root, "routines");
        for (size_t i = 0; i <= index; i++) {
            ynode *other = others->items[i];
            size_t length = 0, own;
            const char *text = name_of(other, &length);
            const char *name = text ? arena_copy(d->a, text, length) : NULL;
            if (!name || !same_goal(other, routine) || find_routine(d->root, name, &own))
                continue;
            if (!copy_routine(d, from, other, err))
                return false;
        }
        return true;
    }
    return no_routine(d, e->path, err);
}

bool routine_drop(doc *d, const edit *e, error *err) {
    size_t index = 0;
    if (!find_routine(d->root, e->path, &index)) {
        error_set(err, E_INPUT, "the plan has no routine '%.60s' of its own", e->path);
        return false;
    }
    return doc_delete(d, ynode_get(d->root, "routines"), index, err);
}

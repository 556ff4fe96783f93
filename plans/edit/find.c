// plans/edit/find.c - from a path to a step: of the plan, or through the routines that a log's path
// leads through.
#include "plans/edit/edit_int.h"

// The path without the @n of iterations and retries.
static char *static_path(arena *a, const char *path) {
    char *out = arena_strdup(a, path), *to = out;
    for (const char *c = path; *c; c++) {
        size_t digits = *c == '@' ? strspn(c + 1, "0123456789") : 0;
        if (digits > 0 && (c[1 + digits] == '/' || !c[1 + digits]))
            c += digits;
        else
            *to++ = *c;
    }
    *to = 0;
    return out;
}

typedef struct found {
    const plan_node *node;
    const plan_routine *routine; // of a library
    const library *from;         // NULL: the plan's own
} found;

static const plan_routine *routine_of(const plan *p, const plan_node *n) {
    while (n->parent)
        n = n->parent;
    for (size_t i = 0; i < p->routines.count; i++) {
        if (p->routines.items[i].body == n)
            return &p->routines.items[i];
    }
    return NULL;
}

static bool is_overridden(const doc *d, const char *name) {
    for (size_t i = 0; i < d->tree->routines.count; i++) {
        if (strcmp(d->tree->routines.items[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool find_exact(const doc *d, const char *path, found *out) {
    *out = (found){.node = plan_find(d->tree, path)};
    for (size_t i = 0; i < d->library_count && !out->node; i++) {
        const library *l = &d->libraries[i];
        const plan_node *n = l->tree ? plan_find(l->tree, path) : NULL;
        const plan_routine *r = n ? routine_of(l->tree, n) : NULL;
        if (r && !is_overridden(d, r->name))
            *out = (found){n, r, l};
    }
    return out->node != NULL;
}

static bool calls_routines(const plan_node *n) {
    return n->kind == CONSTRUCT_ACHIEVE || n->kind == CONSTRUCT_PERCEIVE ||
           n->kind == CONSTRUCT_PERFORM;
}

enum { CALLS_MAX = 32 }; // routines that a path leads through

// A path of a log: that of a step which calls a routine, then one within the routine.
static bool find_through(doc *d, const char *path, int depth, found *out) {
    if (find_exact(d, path, out))
        return true;
    for (const char *cut = strchr(path, '/'); cut && depth < CALLS_MAX;
         cut = strchr(cut + 1, '/')) {
        char *head = arena_copy(d->a, path, (size_t)(cut - path));
        if (find_exact(d, head, out) && calls_routines(out->node) &&
            find_through(d, cut + 1, depth + 1, out))
            return true;
    }
    return false;
}

static void complain_nowhere(doc *d, const char *path, error *err) {
    const char *near[3];
    size_t count = plan_nearest(d->tree, path, near, 3);
    if (count == 0)
        error_set(err, E_INPUT, "no step has the path '%.300s'", path);
    else if (count == 1)
        error_set(err, E_INPUT, "no step has the path '%.200s'; the nearest is '%.200s'", path,
                  near[0]);
    else if (count == 2)
        error_set(err, E_INPUT,
                  "no step has the path '%.200s'; the nearest are '%.200s' and '%.200s'", path,
                  near[0], near[1]);
    else
        error_set(err, E_INPUT,
                  "no step has the path '%.170s'; the nearest are '%.170s', '%.170s' and '%.170s'",
                  path, near[0], near[1], near[2]);
}

const plan_node *doc_find(doc *d, const char *path, error *err) {
    const char *wanted = static_path(d->a, path);
    found f;
    if (!find_through(d, wanted, 0, &f)) {
        complain_nowhere(d, wanted, err);
        return NULL;
    }
    if (!f.from)
        return f.node;
    error_set(err, E_INPUT,
              "the step '%.200s' is in another file: '%.150s', at the path '%.200s'; edit that "
              "file, or copy the routine into the plan first: adopt: %.60s",
              wanted, f.from->file.name, f.node->path, f.routine->name);
    return NULL;
}

size_t step_main(const plan_node *n) {
    const ynode *map = n->source;
    const char *key = n->kind == CONSTRUCT_ACTION ? n->name : construct_name(n->kind);
    size_t i = 0;
    while (map->kind == YNODE_MAPPING && i < map->count && strcmp(map->keys[i]->scalar, key) != 0)
        i++;
    return map->kind == YNODE_MAPPING ? i : map->count;
}

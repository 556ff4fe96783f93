// plans/edit/set.c - properties of steps, and parameters.
#include "plans/edit/edit_int.h"

#include "base/text/number.h"

// A key as written: on_failure.handle[1].retry.
typedef struct key_part {
    char name[64];
    size_t index; // from 1; 0: none
} key_part;
enum { PARTS_MAX = 16 };

static size_t split_key(const char *text, key_part *parts) {
    size_t count = 0;
    while (count < PARTS_MAX) {
        key_part *k = &parts[count++];
        *k = (key_part){0};
        size_t length = strcspn(text, ".[");
        if (length == 0 || length >= sizeof k->name)
            return 0;
        memcpy(k->name, text, length);
        text += length;
        if (*text == '[') {
            size_t digits = strspn(text + 1, "0123456789");
            if (digits == 0 || digits > 6 || text[1 + digits] != ']')
                return 0;
            k->index = (size_t)atol(text + 1);
            if (k->index == 0)
                return 0;
            text += digits + 2;
        }
        if (!*text)
            return count;
        if (*text != '.')
            return 0;
        text++;
    }
    return 0;
}

// A property: an entry of a map or list, which may have to be made first.
typedef struct property {
    ynode *holder;   // its map or list
    size_t index;    // in it; count: there is none yet
    const char *key; // of a map
    ynode *outer;    // the map that holds an empty holder
    size_t outer_index;
} property;

static size_t key_index(const ynode *map, const char *key) {
    size_t i = 0;
    while (i < map->count && strcmp(map->keys[i]->scalar, key) != 0)
        i++;
    return i;
}

static bool no_key(const ynode *map, const char *key, const char *path, error *err) {
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; map->keys && i < map->count && count < 64; i++)
        names[count++] = map->keys[i]->scalar;
    const char *near = nearest_name(key, names, count);
    if (near)
        error_set(err, E_INPUT, "'%.200s' has no key '%.60s' there; did you mean '%.60s'?", path,
                  key, near);
    else
        error_set(err, E_INPUT, "'%.200s' has no key '%.60s' there", path, key);
    return false;
}

// Goes down one part of the key, to the entry that it names.
static bool enter_part(property *p, const key_part *k, bool last, const char *path, error *err) {
    if (p->holder->kind != YNODE_MAPPING)
        return no_key(p->holder, k->name, path, err);
    p->key = k->name;
    p->index = key_index(p->holder, k->name);
    if (k->index == 0 && last)
        return true;
    if (p->index == p->holder->count)
        return no_key(p->holder, k->name, path, err);
    p->outer = p->holder;
    p->outer_index = p->index;
    p->holder = p->holder->items[p->index];
    if (k->index == 0)
        return true;
    if (p->holder->kind != YNODE_SEQUENCE || k->index > p->holder->count) {
        error_set(err, E_INPUT, "'%.200s' has no entry %zu of '%.60s' there", path, k->index,
                  k->name);
        return false;
    }
    p->index = k->index - 1;
    p->key = NULL;
    if (!last) {
        p->outer = p->holder;
        p->outer_index = p->index;
        p->holder = p->holder->items[p->index];
    }
    return true;
}

// Finds a property of a step that is a map.
static bool find_property(const plan_node *step, const key_part *parts, size_t count, property *out,
                          error *err) {
    ynode *map = (ynode *)(uintptr_t)step->source;
    size_t at = step_main(step);
    bool own = step_key(step->kind, parts[0].name) ||
               (step->parent && step_key_is_of_child(step->parent->kind, parts[0].name)) ||
               key_index(map, parts[0].name) < map->count;
    *out = (property){.holder = map, .outer = map, .outer_index = at};
    if (!own && at < map->count)
        out->holder = map->items[at];
    for (size_t i = 0; i < count; i++) {
        bool empty = i + 1 == count && parts[i].index == 0 && is_null(out->holder);
        if (empty) {
            out->key = parts[i].name;
            out->index = 0;
            return true;
        }
        if (!enter_part(out, &parts[i], i + 1 == count, step->path, err))
            return false;
    }
    return true;
}

const ynode *property_value(const plan_node *n, const char *key) {
    key_part parts[PARTS_MAX];
    property p;
    size_t count = split_key(key, parts);
    if (count == 0 || n->source->kind != YNODE_MAPPING ||
        !find_property(n, parts, count, &p, NULL) || p.index >= p.holder->count)
        return NULL;
    return p.holder->items[p.index];
}

// Makes a step that is a name alone, or a list, a map that can have keys.
static bool set_on_bare(doc *d, const plan_node *step, ynode *parent, size_t index,
                        const key_part *parts, size_t count, ynode *value, error *err) {
    ynode *node = parent->items[index], *map = make_mapping(d->a);
    const char *key = arena_strdup(d->a, parts[0].name);
    bool list = node->kind == YNODE_SEQUENCE;
    if (count > 1 || parts[0].index > 0 || is_null(value) || (list && !step_key(step->kind, key)))
        return no_key(map, key, step->path, err);
    if (list) {
        make_pair(d->a, map, key, value);
        make_pair(d->a, map, "seq", node);
    } else if (step_key(CONSTRUCT_ACTION, key)) {
        make_pair(d->a, map, node->scalar, make_scalar(d->a, "", false));
        make_pair(d->a, map, key, value);
    } else {
        ynode *arguments = make_mapping(d->a);
        make_pair(d->a, arguments, key, value);
        make_pair(d->a, map, node->scalar, arguments);
    }
    return doc_replace(d, parent, index, map, true, err);
}

// A new key is put last, unless a block of steps would come between it and the others.
static bool add_key(doc *d, const plan_node *step, ynode *map, const char *key, ynode *value,
                    error *err) {
    key = arena_strdup(d->a, key);
    if (map->count == 0)
        return doc_insert(d, map, 0, false, key, value, err);
    const ynode *last = map->items[map->count - 1];
    bool long_last = last->kind != YNODE_SCALAR && !last->flow;
    if (long_last && map == step->source)
        return doc_insert(d, map, step_main(step) % map->count, false, key, value, err);
    return doc_insert(d, map, map->count - 1, true, key, value, err);
}

bool property_set(doc *d, const plan_node *step, ynode *parent, size_t index, const edit *e,
                  error *err) {
    ynode *value = (ynode *)(uintptr_t)edit_get(e, "value");
    const ynode *key = edit_get(e, "key");
    key_part parts[PARTS_MAX];
    property p;
    size_t count = split_key(key->scalar, parts);
    if (count == 0) {
        error_at(err, E_INPUT, key->file, key->line, key->column,
                 "a key is written as tag, navigate.to or on_failure.handle[1].retry, not '%.60s'",
                 key->scalar);
        return false;
    }
    if (step->source->kind != YNODE_MAPPING)
        return set_on_bare(d, step, parent, index, parts, count, value, err);
    if (!find_property(step, parts, count, &p, err))
        return false;
    if (is_null(value)) {
        if (p.holder->kind == YNODE_SCALAR || p.index >= p.holder->count)
            return no_key(p.holder, parts[count - 1].name, step->path, err);
        return doc_delete(d, p.holder, p.index, err);
    }
    if (p.holder->kind == YNODE_SCALAR) {
        ynode *map = make_mapping(d->a);
        make_pair(d->a, map, p.key, value);
        return doc_replace(d, p.outer, p.outer_index, map, false, err);
    }
    if (p.index < p.holder->count)
        return doc_replace(d, p.holder, p.index, value, false, err);
    return add_key(d, step, p.holder, p.key, value, err);
}

// ---- The projection -----------------------------------------------------------------------------

// Finds an entry under projection:, as share or links[1].delay. What stands under `set` has names
// with dots of their own.
static bool find_projected(const doc *d, const char *key, key_part *parts, property *out,
                           error *err) {
    ynode *map = ynode_get(d->root, "projection");
    size_t count = 2;
    if (!map || map->kind != YNODE_MAPPING) {
        error_set(err, E_INPUT,
                  "this file has no projection: map; edit the one that names world and robots");
        return false;
    }
    parts[0] = parts[1] = (key_part){0};
    if (strncmp(key, "set.", 4) == 0 && strlen(key + 4) < sizeof parts[1].name) {
        snprintf(parts[0].name, sizeof parts[0].name, "set");
        snprintf(parts[1].name, sizeof parts[1].name, "%s", key + 4);
    } else {
        count = split_key(key, parts);
    }
    *out = (property){.holder = map};
    for (size_t i = 0; i < count; i++)
        if (!enter_part(out, &parts[i], i + 1 == count, "projection", err))
            return false;
    if (count == 0)
        error_set(err, E_INPUT,
                  "a key of the projection is written as share, links[1].delay or "
                  "set.world.friction, not '%.60s'",
                  key);
    return count > 0;
}

const ynode *projection_value(const doc *d, const char *key) {
    key_part parts[PARTS_MAX];
    property p;
    return find_projected(d, key, parts, &p, NULL) && p.index < p.holder->count
               ? p.holder->items[p.index]
               : NULL;
}

bool projection_set(doc *d, const edit *e, error *err) {
    ynode *value = (ynode *)(uintptr_t)edit_get(e, "value");
    key_part parts[PARTS_MAX];
    property p;
    if (!find_projected(d, e->path, parts, &p, err))
        return false;
    bool there = p.index < p.holder->count;
    if (is_null(value))
        return there ? doc_delete(d, p.holder, p.index, err)
                     : no_key(p.holder, p.key, "projection", err);
    if (there)
        return doc_replace(d, p.holder, p.index, value, false, err);
    if (p.holder->kind != YNODE_MAPPING)
        return no_key(p.holder, p.key, "projection", err);
    size_t last = p.holder->count ? p.holder->count - 1 : 0;
    return doc_insert(d, p.holder, last, p.holder->count > 0, arena_strdup(d->a, p.key), value,
                      err);
}

// ---- Parameters ---------------------------------------------------------------------------------

static const ynode *library_parameter(const doc *d, const char *name) {
    for (size_t i = 0; i < d->library_count; i++) {
        const ynode *found = ynode_get(
            d->libraries[i].root ? ynode_get(d->libraries[i].root, "parameters") : NULL, name);
        if (found)
            return found;
    }
    return NULL;
}

// A new `parameters:` is put before the routines, else before the body.
bool parameter_declare(doc *d, const char *name, ynode *declaration, error *err) {
    ynode *all = ynode_get(d->root, "parameters");
    if (all && all->kind == YNODE_MAPPING)
        return doc_insert(d, all, all->count ? all->count - 1 : 0, all->count > 0, name,
                          declaration, err);
    ynode *map = make_mapping(d->a);
    make_pair(d->a, map, name, declaration);
    size_t at = key_index(d->root, "routines");
    if (at == d->root->count)
        at = key_index(d->root, "body");
    if (at == d->root->count) {
        error_set(err, E_INPUT, "this is no plan; it has neither routines: nor a body:");
        return false;
    }
    return doc_insert(d, d->root, at, false, "parameters", map, err);
}

static bool no_parameter(const doc *d, const ynode *all, const char *name, error *err) {
    const char *names[128];
    size_t count = 0;
    for (size_t i = 0; all && all->keys && i < all->count && count < 128; i++)
        names[count++] = all->keys[i]->scalar;
    for (size_t k = 0; k < d->library_count; k++) {
        const ynode *more =
            d->libraries[k].root ? ynode_get(d->libraries[k].root, "parameters") : NULL;
        for (size_t i = 0; more && more->keys && i < more->count && count < 128; i++)
            names[count++] = more->keys[i]->scalar;
    }
    const char *near = nearest_name(name, names, count);
    if (near)
        error_set(err, E_INPUT, "no parameter '%.60s' is declared; did you mean '%.60s'?", name,
                  near);
    else
        error_set(err, E_INPUT, "no parameter '%.60s' is declared", name);
    return false;
}

bool parameter_set(doc *d, const edit *e, error *err) {
    ynode *value = (ynode *)(uintptr_t)edit_get(e, "value");
    ynode *all = ynode_get(d->root, "parameters"), *own = ynode_get(all, e->path);
    size_t at = own && own->kind == YNODE_MAPPING ? key_index(own, "default") : 0;
    if (own && own->kind == YNODE_MAPPING && at < own->count)
        return doc_replace(d, own, at, value, false, err);
    const ynode *from = library_parameter(d, e->path);
    if (own || !from || from->kind != YNODE_MAPPING)
        return no_parameter(d, all, e->path, err);
    // A parameter of a library: the plan declares it as well, with a default of its own.
    ynode *copy = make_mapping(d->a);
    copy->flow = true;
    for (size_t i = 0; i < from->count; i++) {
        const char *key = from->keys[i]->scalar;
        make_pair(d->a, copy, key, strcmp(key, "default") == 0 ? value : from->items[i]);
    }
    return parameter_declare(d, e->path, copy, err);
}

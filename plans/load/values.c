// plans/load/values.c - reads the names, terms, bindings, notes and descriptions of steps.
#include "plans/load/load_int.h"

bool name_is_plain(const char *text) {
    if (!(*text >= 'a' && *text <= 'z'))
        return false;
    for (; *text; text++) {
        bool goes_on = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
                       (*text >= '0' && *text <= '9') || *text == '_';
        if (!goes_on)
            return false;
    }
    return true;
}

bool name_read(loader *l, const ynode *n, const char *what, const char **out) {
    const char *text;
    if (!ynode_text(n, what, &text, l->list))
        return false;
    if (!name_is_plain(text)) {
        ynode_error(n, l->list,
                    "%s must be a name of letters, digits and _ that begins small, not '%.60s'",
                    what, text);
        return false;
    }
    *out = text;
    return true;
}

bool variable_read(loader *l, const ynode *n, const char *what, const char **out) {
    const char *text;
    if (!ynode_text(n, what, &text, l->list))
        return false;
    if (text[0] != '?' || !name_is_plain(text + 1)) {
        ynode_error(n, l->list, "%s must be a variable, written ?name, not '%.60s'", what, text);
        errors_mark(l->list, ERROR_MISSPELT);
        return false;
    }
    *out = text;
    return true;
}

// Variables as queries write them (Plate) would never get a value here.
static bool check_written(loader *l, const ynode *n, const term *t) {
    if (t->kind == TERM_VAR && t->text[0] != '?' && !term_is_anonymous(t)) {
        char small[64];
        snprintf(small, sizeof small, "%s", t->text);
        if (small[0] >= 'A' && small[0] <= 'Z')
            small[0] = (char)(small[0] - 'A' + 'a');
        errors_add(l->list, n->file, t->line, t->column,
                   "variables of a plan are written ?name; did you mean '?%s', or '%s' in quotes?",
                   small, t->text);
        return false;
    }
    bool good = true;
    for (;;) {
        if (t->kind != TERM_COMPOUND || t->arity == 0)
            return good;
        for (uint32_t i = 0; i + 1 < t->arity; i++)
            good = check_written(l, n, t->args[i]) && good;
        t = t->args[t->arity - 1];
        if (t->kind == TERM_VAR)
            return check_written(l, n, t) && good;
    }
}

static const char *const KINDS[] = {"object", "location", "action"};
enum { KIND_COUNT = 3 };

static bool is_kind(const char *name) {
    for (int i = 0; i < KIND_COUNT; i++) {
        if (strcmp(name, KINDS[i]) == 0)
            return true;
    }
    return false;
}

bool is_description(const ynode *n) {
    return n->kind == YNODE_MAPPING && n->count == 1 && is_kind(n->keys[0]->scalar);
}

bool is_description_term(const term *t) {
    return t && t->kind == TERM_COMPOUND && t->arity == 1 && is_kind(t->text);
}

static const term *placed_term(loader *l, const term *t, const ynode *n) {
    term *copy = arena_alloc(l->a, sizeof *copy);
    *copy = *t;
    copy->line = n->line;
    copy->column = n->column;
    return copy;
}

// Reads { object: ... } as object([...]). The value may be a map of properties, a list of them, a
// variable, or a single property: a type, or a place.
static const term *kind_read(loader *l, const ynode *key, const ynode *n) {
    const term *value = NULL;
    bool alone = n->kind == YNODE_SCALAR && strcmp(key->scalar, "location") == 0;
    if (n->kind == YNODE_SEQUENCE || alone) {
        if (!term_read(l, n, key->scalar, &value))
            return NULL;
        if (alone && value->kind != TERM_VAR)
            value = term_list(l->a, &value, 1, NULL);
    } else {
        value = description_read(l, n);
    }
    return value ? placed_term(l, term_compound(l->a, key->scalar, 1, &value), key) : NULL;
}

static bool map_read(loader *l, const ynode *n, const char *what, const term **out) {
    if (!is_description(n)) {
        const char *near =
            n->count == 1 ? nearest_name(n->keys[0]->scalar, KINDS, KIND_COUNT) : NULL;
        if (near)
            ynode_error(n->keys[0], l->list,
                        "%s: unknown kind of description '%.60s'; did you mean '%s'?", what,
                        n->keys[0]->scalar, near);
        else
            ynode_error(n, l->list,
                        "%s: a map here is a description: { object: { type: cup } }, or location: "
                        "or action:",
                        what);
        return false;
    }
    const term *t = kind_read(l, n->keys[0], n->items[0]);
    if (t)
        *out = t;
    return t != NULL;
}

static bool list_read(loader *l, const ynode *n, const char *what, const term **out) {
    const term **items = arena_alloc(l->a, (n->count + 1) * sizeof *items);
    bool good = true;
    for (size_t i = 0; i < n->count; i++)
        good = term_read(l, n->items[i], what, &items[i]) && good;
    if (good)
        *out = term_list(l->a, items, n->count, NULL);
    return good;
}

bool term_read(loader *l, const ynode *n, const char *what, const term **out) {
    if (n && n->kind == YNODE_MAPPING)
        return map_read(l, n, what, out);
    if (n && n->kind == YNODE_SEQUENCE)
        return list_read(l, n, what, out);
    const term *t = NULL;
    if (!ynode_value(l->a, n, what, &t, l->list) || !check_written(l, n, t))
        return false;
    *out = t;
    return true;
}

bool bindings_read(loader *l, const ynode *map, const char *what, bool variables,
                   const plan_binding **out, size_t *count) {
    if (!map)
        return true;
    if (map->kind != YNODE_MAPPING) {
        ynode_error(map, l->list, "%s must be a map of names to expressions", what);
        return false;
    }
    plan_binding *all = arena_alloc(l->a, (map->count + 1) * sizeof *all);
    bool good = true;
    for (size_t i = 0; i < map->count; i++) {
        const ynode *key = map->keys[i];
        plan_binding *b = &all[i];
        b->line = key->line;
        b->column = key->column;
        const char *name = key->scalar;
        if (variables && name[0] != '?')
            name = arena_format(l->a, "?%s", name);
        b->name = name;
        if (!name_is_plain(variables ? name + 1 : name)) {
            ynode_error(key, l->list, "%s: '%.60s' is no name of a variable", what, key->scalar);
            good = false;
        }
        good = term_read(l, map->items[i], key->scalar, &b->value) && good;
    }
    *out = all;
    *count = map->count;
    return good;
}

static void add_notes(loader *l, const ynode *map, const char *key, note_kind kind, plan_note *all,
                      size_t *count) {
    const ynode *n = ynode_get(map, key);
    if (!n)
        return;
    const term *value;
    if (n->kind != YNODE_SEQUENCE) {
        if (term_read(l, n, key, &value))
            all[(*count)++] = (plan_note){kind, value};
        return;
    }
    for (size_t i = 0; i < n->count; i++) {
        if (term_read(l, n->items[i], key, &value))
            all[(*count)++] = (plan_note){kind, value};
    }
}

void notes_read(loader *l, const ynode *map, const plan_note **notes, size_t *count) {
    static const char *const keys[] = {"expects", "requires", "effects", "tolerance"};
    size_t room = 0;
    for (int i = 0; i < 4; i++) {
        const ynode *n = ynode_get(map, keys[i]);
        room += !n ? 0 : n->kind == YNODE_SEQUENCE ? n->count : 1;
    }
    *count = 0;
    if (room == 0)
        return;
    plan_note *all = arena_alloc(l->a, room * sizeof *all);
    for (int i = 0; i < 4; i++)
        add_notes(l, map, keys[i], (note_kind)i, all, count);
    *notes = all;
}

// Reads a property: `color: red` as color(red), and a key without a value as a symbol. Under
// object:, location: and action: a map is a description of its own.
static const term *property_read(loader *l, const ynode *key, const ynode *n) {
    const term *value = NULL;
    if (!name_is_plain(key->scalar)) {
        ynode_error(key, l->list, "'%.60s' is no name of a property", key->scalar);
        return NULL;
    }
    if (n->kind == YNODE_SCALAR && !n->scalar[0] && !n->quoted)
        return placed_term(l, term_symbol(l->a, key->scalar), key);
    if (n->kind == YNODE_MAPPING && is_kind(key->scalar) && !is_description(n))
        value = kind_read(l, key, n);
    else
        term_read(l, n, key->scalar, &value);
    return value ? placed_term(l, term_compound(l->a, key->scalar, 1, &value), key) : NULL;
}

// `{ type: cup, color: red }` is the description [type(cup), color(red)]; `cup` stands for { type:
// cup }.
const term *description_read(loader *l, const ynode *n) {
    const term *value = NULL;
    if (n->kind == YNODE_SCALAR && n->scalar[0]) {
        if (!term_read(l, n, "description", &value))
            return NULL;
        if (value->kind == TERM_VAR)
            return value;
        const term *type = term_compound(l->a, "type", 1, &value);
        return term_list(l->a, &type, 1, NULL);
    }
    if (n->kind != YNODE_MAPPING || n->count == 0) {
        ynode_error(n, l->list, "a description is a map of properties: { type: cup, color: red }");
        return NULL;
    }
    const term **items = arena_alloc(l->a, n->count * sizeof *items);
    bool good = true;
    for (size_t i = 0; i < n->count; i++) {
        items[i] = property_read(l, n->keys[i], n->items[i]);
        good = good && items[i];
    }
    return good ? term_list(l->a, items, n->count, NULL) : NULL;
}

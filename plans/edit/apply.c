// plans/edit/apply.c - what each kind of edit does to a text.
#include "plans/edit/edit_int.h"

#include "base/text/number.h"

// The place of a step in the text.
typedef struct place {
    const plan_node *step;
    ynode *node, *parent;
    size_t index;
} place;

static bool find_place(doc *d, const char *path, place *out, error *err) {
    out->step = doc_find(d, path, err);
    if (!out->step)
        return false;
    if (!doc_parent(d->root, out->step->source, &out->parent, &out->index)) {
        error_set(err, E_INPUT, "'%.300s' does not stand in the text", path);
        return false;
    }
    out->node = out->parent->items[out->index];
    if (out->parent->kind == YNODE_MAPPING && out->step->parent &&
        out->step->parent->kind == CONSTRUCT_AT_LOCATION &&
        strcmp(out->parent->keys[out->index]->scalar, "location") == 0) {
        error_set(err, E_INPUT,
                  "'%.200s' is no step of the text but the way to a location; set_property: "
                  "%.200s, key: location gives another one",
                  path, out->step->parent->path);
        return false;
    }
    return true;
}

static ynode *edit_value(const edit *e, const char *key) {
    return (ynode *)(uintptr_t)edit_get(e, key);
}

// ---- Steps --------------------------------------------------------------------------------------

static bool make_replace(doc *d, const edit *e, error *err) {
    place p;
    const ynode *text = edit_get(e, "text");
    if (!find_place(d, e->path, &p, err))
        return false;
    if (!text)
        return doc_replace(d, p.parent, p.index, edit_value(e, "step"), true, err);
    size_t end = p.parent->flow ? p.node->end : node_tail(d->text, p.node);
    return doc_splice(d, p.node->begin, end, text->scalar, strlen(text->scalar), err);
}

// Puts bytes as they are, in lines of their own.
static bool insert_text(doc *d, const place *p, bool after, const char *text, error *err) {
    if (p->parent->flow) {
        size_t at = after ? p->node->end : p->node->begin;
        return doc_splice(d, at, at, text, strlen(text), err);
    }
    span unit = entry_unit(d->text, d->length, p->parent, p->index);
    size_t at = after ? after_break(d->text, d->length, unit.end) : line_begin(d->text, unit.begin);
    return doc_splice(d, at, at, text, strlen(text), err);
}

static bool make_insert(doc *d, const edit *e, error *err) {
    place p;
    bool after = e->kind == EDIT_INSERT_AFTER;
    if (!find_place(d, e->path, &p, err))
        return false;
    ynode *step = edit_value(e, "step");
    bool listed = p.parent->kind == YNODE_SEQUENCE;
    if (!step && listed)
        return insert_text(d, &p, after, edit_get(e, "text")->scalar, err);
    if (!step) {
        error_set(err, E_INPUT, "text: can only be inserted beside a step of a list");
        return false;
    }
    if (listed)
        return doc_insert(d, p.parent, p.index, after, NULL, step, err);
    // Where the step is a list, the new step becomes an item of that list.
    if (p.node->kind == YNODE_SEQUENCE && p.node->count > 0)
        return doc_insert(d, p.node, after ? p.node->count - 1 : 0, after, NULL, step, err);
    ynode *both = make_sequence(d->a);
    make_item(d->a, both, after ? p.node : step);
    make_item(d->a, both, after ? step : p.node);
    return doc_replace(d, p.parent, p.index, both, true, err);
}

// Constructs whose body stands within their map, and those whose body stands beside their key.
static const char *const WITHIN[] = {"on_failure", "with_policy", "loop", "at_location", "using"};
static const struct {
    const char *key, *body;
} BESIDE[] = {{"let", "in"}, {"if", "then"}, {"whenever", "do"}};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static ynode *copy_map(arena *a, const ynode *map) {
    ynode *copy = make_mapping(a);
    for (size_t i = 0; map->kind == YNODE_MAPPING && i < map->count; i++)
        make_pair(a, copy, map->keys[i]->scalar, map->items[i]);
    return copy;
}

static bool key_is_taken(const ynode *in, const ynode *map, const char *body, const char *key,
                         error *err) {
    if (!ynode_get(map, body))
        return false;
    error_at(err, E_INPUT, in->file, in->line, in->column,
             "'%s' of this '%s' is the step that is wrapped; leave it out", body, key);
    return true;
}

// Returns `in` with the step put into it; NULL: `in` cannot take a step.
static ynode *wrapper_for(doc *d, const ynode *in, ynode *step, error *err) {
    ynode *whole = copy_map(d->a, in);
    for (size_t k = 0; k < COUNT(WITHIN); k++) {
        for (size_t i = 0; i < whole->count; i++) {
            if (strcmp(whole->keys[i]->scalar, WITHIN[k]) != 0)
                continue;
            const ynode *rest = whole->items[i];
            if (key_is_taken(in, rest, "do", WITHIN[k], err))
                return NULL;
            ynode *inner = make_mapping(d->a);
            make_pair(d->a, inner, "do", step);
            for (size_t j = 0; rest->kind == YNODE_MAPPING && j < rest->count; j++)
                make_pair(d->a, inner, rest->keys[j]->scalar, rest->items[j]);
            whole->items[i] = inner;
            return whole;
        }
    }
    for (size_t k = 0; k < COUNT(BESIDE); k++) {
        if (!ynode_get(in, BESIDE[k].key))
            continue;
        if (key_is_taken(in, in, BESIDE[k].body, BESIDE[k].key, err))
            return NULL;
        make_pair(d->a, whole, BESIDE[k].body, step);
        return whole;
    }
    error_at(err, E_INPUT, in->file, in->line, in->column,
             "in: must be a step that takes another: on_failure, with_policy, at_location, using, "
             "loop, let, if or whenever, without its do (in, then)");
    return NULL;
}

// Returns the step with the tag, which orderings name; itself where it has one already.
static ynode *with_tag(arena *a, ynode *step, ynode *tag) {
    if (!tag || ynode_get(step, "tag"))
        return step;
    ynode *tagged = make_mapping(a);
    make_pair(a, tagged, "tag", tag);
    for (size_t i = 0; i < step->count; i++)
        make_pair(a, tagged, step->keys[i]->scalar, step->items[i]);
    return tagged;
}

static bool make_wrap(doc *d, const edit *e, error *err) {
    place p;
    if (!find_place(d, e->path, &p, err))
        return false;
    ynode *whole = wrapper_for(d, edit_get(e, "in"), p.node, err);
    if (whole && p.step->parent && p.step->parent->kind == CONSTRUCT_PARTIAL_ORDER)
        whole = with_tag(d->a, whole, ynode_get(p.node, "tag"));
    return whole && doc_replace(d, p.parent, p.index, whole, true, err);
}

static bool make_unwrap(doc *d, const edit *e, error *err) {
    place p;
    if (!find_place(d, e->path, &p, err))
        return false;
    size_t at = step_main(p.step);
    const char *key = construct_name(p.step->kind);
    ynode *inner = NULL;
    for (size_t k = 0; k < COUNT(WITHIN) && at < p.node->count; k++) {
        if (strcmp(key, WITHIN[k]) == 0)
            inner = ynode_get(p.node->items[at], "do");
    }
    for (size_t k = 0; k < COUNT(BESIDE) && at < p.node->count; k++) {
        if (strcmp(key, BESIDE[k].key) == 0)
            inner = ynode_get(p.node, BESIDE[k].body);
    }
    if (!inner) {
        error_set(err, E_INPUT, "'%.200s' (%s) wraps no step", p.step->path, key);
        return false;
    }
    return doc_replace(d, p.parent, p.index, inner, true, err);
}

static bool make_delete(doc *d, const edit *e, error *err) {
    place p;
    if (!find_place(d, e->path, &p, err))
        return false;
    if (p.parent == d->root) {
        error_set(err, E_INPUT, "a plan needs its body; replace it instead");
        return false;
    }
    if (!p.step->parent) {
        error_set(err, E_INPUT, "a routine needs its body; drop: NAME takes the routine away");
        return false;
    }
    return doc_delete(d, p.parent, p.index, err);
}

// ---- Order --------------------------------------------------------------------------------------

// Returns the list of steps under a step's own key, or the list that the step is itself.
static ynode *steps_of(const place *p) {
    if (p->node->kind == YNODE_SEQUENCE)
        return p->node;
    size_t at = step_main(p->step);
    ynode *list = at < p->node->count ? p->node->items[at] : NULL;
    return list && list->kind == YNODE_SEQUENCE && list->count == p->step->child_count ? list
                                                                                       : NULL;
}

// Returns the index of the child that a tag, a number from 1 or a segment such as seq[2] names; the
// number of children: there is none.
static size_t child_named(const plan_node *n, const ynode *name) {
    int64_t number;
    if (name->kind != YNODE_SCALAR)
        return n->child_count;
    if (!name->quoted && number_parse_integer(name->scalar, strlen(name->scalar), &number))
        return number >= 1 && number <= (int64_t)n->child_count ? (size_t)number - 1
                                                                : n->child_count;
    size_t i = 0;
    while (i < n->child_count && strcmp(n->children[i]->segment, name->scalar) != 0)
        i++;
    return i;
}

static bool order_steps(doc *d, const place *p, const ynode *names, error *err) {
    ynode *list = steps_of(p);
    if (!list || names->kind != YNODE_SEQUENCE || names->count != list->count || !names->count) {
        error_at(err, E_INPUT, names->file, names->line, names->column,
                 "steps: must name each of the %zu steps of '%.200s' once, by tag or number",
                 list ? list->count : 0, p->step->path);
        return false;
    }
    size_t *order = arena_alloc(d->a, names->count * sizeof *order);
    bool *used = arena_alloc(d->a, names->count * sizeof *used);
    for (size_t i = 0; i < names->count; i++) {
        const ynode *name = names->items[i];
        size_t child = child_named(p->step, name);
        if (child == p->step->child_count || used[child]) {
            error_at(err, E_INPUT, name->file, name->line, name->column,
                     child == p->step->child_count ? "'%.200s' has no such step '%.60s'"
                                                   : "'%.200s' has its step '%.60s' named twice",
                     p->step->path, name->kind == YNODE_SCALAR ? name->scalar : "");
            return false;
        }
        order[i] = child;
        used[child] = true;
    }
    return doc_permute(d, list, order, err);
}

static bool add_order(doc *d, const char *path, ynode *pair, error *err) {
    place p;
    if (!find_place(d, path, &p, err))
        return false;
    if (p.step->kind == CONSTRUCT_PAR &&
        (!doc_rename(d, p.node, step_main(p.step), "partial_order", err) ||
         !find_place(d, path, &p, err)))
        return false;
    if (p.step->kind != CONSTRUCT_PARTIAL_ORDER) {
        error_set(err, E_INPUT,
                  "'%.200s' is a %s; orderings are between the steps of a "
                  "partial_order or a par",
                  path, construct_name(p.step->kind));
        return false;
    }
    ynode *before = ynode_get(p.node, "before");
    if (before && before->kind == YNODE_SEQUENCE)
        return doc_insert(d, before, before->count ? before->count - 1 : 0, before->count > 0, NULL,
                          pair, err);
    ynode *list = make_sequence(d->a);
    list->flow = true;
    make_item(d->a, list, pair);
    return doc_insert(d, p.node, step_main(p.step), false, "before", list, err);
}

static bool remove_order(doc *d, const char *path, const ynode *pair, error *err) {
    place p;
    if (!find_place(d, path, &p, err))
        return false;
    ynode *before = ynode_get(p.node, "before");
    for (size_t i = 0; before && i < before->count; i++) {
        if (!same_tree(before->items[i], pair))
            continue;
        if (before->count > 1)
            return doc_delete(d, before, i, err);
        size_t key = 0;
        while (p.node->items[key] != before)
            key++;
        return doc_delete(d, p.node, key, err);
    }
    error_at(err, E_INPUT, pair->file, pair->line, pair->column, "'%.200s' has no such ordering",
             path);
    return false;
}

static bool make_order(doc *d, const edit *e, error *err) {
    place p;
    const ynode *steps = edit_get(e, "steps"), *more = edit_get(e, "add"),
                *less = edit_get(e, "remove");
    if (!find_place(d, e->path, &p, err))
        return false;
    const char *path = p.step->path;
    for (size_t i = 0; less && i < less->count; i++) {
        if (!remove_order(d, path, less->items[i], err))
            return false;
    }
    for (size_t i = 0; more && i < more->count; i++) {
        if (!add_order(d, path, more->items[i], err))
            return false;
    }
    return !steps || (find_place(d, path, &p, err) && order_steps(d, &p, steps, err));
}

// ---- Bytes --------------------------------------------------------------------------------------

static bool make_splice(doc *d, const edit *e, error *err) {
    int64_t at = 0;
    const char *was = edit_get(e, "was")->scalar, *text = edit_get(e, "text")->scalar;
    number_parse_integer(edit_get(e, "at")->scalar, strlen(edit_get(e, "at")->scalar), &at);
    size_t base = 0, length = strlen(was);
    if (strcmp(e->path, ".") != 0) {
        const plan_node *step = doc_find(d, e->path, err);
        if (!step)
            return false;
        base = step->source->begin;
    }
    if (at < 0 || (uint64_t)at > d->length - base || length > d->length - base - (size_t)at ||
        memcmp(d->text + base + (size_t)at, was, length) != 0) {
        error_set(err, E_INPUT,
                  "the text of '%.300s' is not what it was when this edit was written", e->path);
        return false;
    }
    base += (size_t)at;
    return doc_splice(d, base, base + length, text, strlen(text), err);
}

bool edit_make(doc *d, const edit *e, error *err) {
    switch (e->kind) {
    case EDIT_REPLACE:
        return make_replace(d, e, err);
    case EDIT_INSERT_BEFORE:
    case EDIT_INSERT_AFTER:
        return make_insert(d, e, err);
    case EDIT_WRAP:
        return make_wrap(d, e, err);
    case EDIT_UNWRAP:
        return make_unwrap(d, e, err);
    case EDIT_ORDER:
        return make_order(d, e, err);
    case EDIT_DELETE:
        return make_delete(d, e, err);
    case EDIT_SET_PROPERTY: {
        place p;
        return find_place(d, e->path, &p, err) &&
               property_set(d, p.step, p.parent, p.index, e, err);
    }
    case EDIT_SET_PARAMETER:
        return parameter_set(d, e, err);
    case EDIT_SET_PROJECTION:
        return projection_set(d, e, err);
    case EDIT_USE:
        return routines_use(d, e, err);
    case EDIT_ADOPT:
        return routine_adopt(d, e, err);
    case EDIT_DROP:
        return routine_drop(d, e, err);
    case EDIT_SPLICE:
        return make_splice(d, e, err);
    case EDIT_COUNT:
        break;
    }
    return false;
}

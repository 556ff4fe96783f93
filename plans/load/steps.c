// plans/load/steps.c - reads steps from YAML.
#include "plans/load/load_int.h"
#include "base/symtab.h"

// ---- Steps --------------------------------------------------------------------------------------

plan_node *node_create(loader *l, const ynode *n, construct kind, plan_node *parent) {
    plan_node *node = arena_alloc(l->a, sizeof *node);
    node->kind = kind;
    node->file = l->file;
    node->source = n;
    node->line = n->line;
    node->column = n->column;
    node->parent = parent;
    return node;
}

// Gives the node its name among its siblings; two of one path would be one to whoever edits the
// plan.
void node_place(loader *l, plan_node *node, const ynode *n, const char *role, size_t index) {
    if (node->tag)
        node->segment = node->tag;
    else if (index > 0)
        node->segment = arena_format(l->a, "%s[%zu]", role, index);
    else
        node->segment = arena_strdup(l->a, role);
    node->path = node->parent ? arena_format(l->a, "%s/%s", node->parent->path, node->segment)
                              : node->segment;
    size_t length = strlen(node->path);
    if (symtab_find(l->paths, node->path, length) >= 0)
        ynode_error(n, l->list, "two steps have the path '%.200s'; give one of them another tag",
                    node->path);
    symtab_add(l->paths, node->path, length);
}

static void read_common(loader *l, const ynode *map, plan_node *node) {
    const ynode *tag = ynode_get(map, "tag"), *as = ynode_get(map, "as"),
                *goal = ynode_get(map, "goal"), *into = ynode_get(map, "into"),
                *guard = ynode_get(map, "guard");
    if (tag)
        name_read(l, tag, "tag", &node->tag);
    if (as)
        name_read(l, as, "as", &node->as);
    if (goal)
        term_read(l, goal, "goal", &node->goal);
    if (into)
        variable_read(l, into, "into", &node->into);
    if (guard)
        term_read(l, guard, "guard", &node->guard);
    notes_read(l, map, &node->notes, &node->note_count);
}

// A body that must stand under `key` of `map`.
plan_node *child_read(loader *l, const ynode *map, const char *key, plan_node *parent,
                      const char *of) {
    const ynode *n = ynode_get(map, key);
    if (n)
        return body_read(l, n, parent, key, 0);
    ynode_error(map, l->list, "'%s' needs %s:", of, key);
    return NULL;
}

void children_set(loader *l, plan_node *node, plan_node *const *children, size_t count) {
    node->children = arena_alloc(l->a, (count + 1) * sizeof(plan_node *));
    for (size_t i = 0; i < count; i++) {
        if (children[i])
            node->children[node->child_count++] = children[i];
    }
}

static void check_step_keys(loader *l, const ynode *map, const plan_node *node, const ynode *key) {
    const char *const *beside = construct_keys_beside(node->kind), *const *common =
                                                                       step_keys_common();
    const char *known[KEYS_COMMON_COUNT + 2 * CONSTRUCT_KEYS_MAX + 2];
    size_t count = 0;
    known[count++] = key->scalar;
    for (; *beside; beside++)
        known[count++] = *beside;
    if (node->parent) {
        for (const char *const *k = construct_keys_of_child(node->parent->kind); *k; k++)
            known[count++] = *k;
    }
    for (size_t i = 0; i < KEYS_COMMON_COUNT; i++)
        known[count++] = common[i];
    known[count] = NULL;
    ynode_check_keys(map, known, l->list);
}

// `wait: 1` where `wait: { seconds: 1 }` is meant. False where no action has this name.
static bool complain_action(loader *l, const ynode *key, const ynode *value) {
    const char *const *actions = l->names ? l->names->actions : NULL;
    while (actions && *actions && strcmp(*actions, key->scalar) != 0)
        actions++;
    if (!actions || !*actions)
        return false;
    const char *only = "...";
    char example[160] = "";
    size_t length = strlen(key->scalar), used = 0;
    bool alone = true;
    for (const char *const *a = l->names->arguments; a && *a; a++) {
        const char *entry = *a + (**a == '!');
        if (**a != '!' || strncmp(entry, key->scalar, length) != 0 || entry[length] != '.')
            continue;
        alone = used == 0;
        if (alone && value->kind == YNODE_SCALAR && strlen(value->scalar) < 60)
            only = value->scalar;
        int more = snprintf(example + used, sizeof example - used, "%s%s: %s", used ? ", " : "",
                            entry + length + 1, alone ? only : "...");
        if (more < 0 || (size_t)more >= sizeof example - used)
            break;
        used += (size_t)more;
    }
    ynode_error(key, l->list, "`%s` takes a map: %s: { %s }", key->scalar, key->scalar,
                used ? example : "...");
    return true;
}

// Returns the construct that an action which nobody has was meant to be, as `percieve: { a: cup }`;
// NULL: none.
static const char *construct_meant(const loader *l, const char *name) {
    const char *names[CONSTRUCT_COUNT];
    size_t count = 0;
    for (const char *const *a = l->names ? l->names->actions : NULL; a && *a; a++) {
        if (strcmp(*a, name) == 0)
            return NULL;
    }
    for (int i = 0; i < CONSTRUCT_COUNT; i++) {
        if (construct_key((construct)i))
            names[count++] = construct_key((construct)i);
    }
    return l->names && l->names->actions ? nearest_name(name, names, count) : NULL;
}

static void complain_unknown(loader *l, const ynode *key, const ynode *value) {
    if (complain_action(l, key, value))
        return;
    const char *names[CONSTRUCT_COUNT + 64];
    size_t count = 0;
    for (int i = 0; i < CONSTRUCT_COUNT; i++) {
        if (construct_key((construct)i))
            names[count++] = construct_key((construct)i);
    }
    for (size_t i = 0; l->names && l->names->actions && l->names->actions[i] && i < 64; i++)
        names[count++] = l->names->actions[i];
    const char *near = nearest_name(key->scalar, names, count);
    // The longer relatives of short names, which edit distance does not find.
    for (size_t i = 0; i < count && !near; i++) {
        if (strncmp(key->scalar, names[i], strlen(names[i])) == 0)
            near = names[i];
    }
    if (near)
        ynode_error(key, l->list, "unknown construct '%s'; did you mean '%s'?", key->scalar, near),
            errors_mark(l->list, ERROR_MISSPELT);
    else
        ynode_error(key, l->list,
                    "unknown construct '%.100s'; an action takes a map of its arguments",
                    key->scalar);
}

// The key that says what the step is: of a construct, else the one key that is not common to all.
// *misread: it is unknown, which has been said; the step is kept so that the rest can be looked at.
static size_t find_main(loader *l, const ynode *map, const plan_node *parent, construct *kind,
                        bool *misread) {
    size_t found = map->count, stranger = map->count;
    for (size_t i = 0; i < map->count; i++) {
        construct c;
        const ynode *key = map->keys[i];
        if (construct_find(key->scalar, &c)) {
            if (found < map->count) {
                ynode_error(key, l->list, "a step is one construct; this one is both '%s' and '%s'",
                            map->keys[found]->scalar, key->scalar);
                errors_mark(l->list, ERROR_MISSPELT); // of two steps, perhaps
                return map->count;
            }
            found = i;
            *kind = c;
        } else if (!step_key_is_common(key->scalar) &&
                   !step_key_is_beside(CONSTRUCT_ACTION, key->scalar) &&
                   !(parent && step_key_is_of_child(parent->kind, key->scalar)) &&
                   stranger == map->count) {
            stranger = i;
        }
    }
    if (found < map->count)
        return found;
    if (stranger == map->count) {
        ynode_missing(map, l->list, "this step says nothing to do; name a construct or an action");
        return map->count;
    }
    const ynode *key = map->keys[stranger], *value = map->items[stranger];
    bool action = name_is_plain(key->scalar) &&
                  (value->kind == YNODE_MAPPING ||
                   (value->kind == YNODE_SCALAR && !value->quoted && !value->scalar[0]));
    const char *meant =
        action && value->kind == YNODE_MAPPING ? construct_meant(l, key->scalar) : NULL;
    if (meant) {
        ynode_error(key, l->list, "unknown construct or action '%s'; did you mean '%s'?",
                    key->scalar, meant);
        errors_mark(l->list, ERROR_MISSPELT);
    } else if (!action) {
        complain_unknown(l, key, value);
    }
    *misread = meant || !action;
    *kind = CONSTRUCT_ACTION;
    return stranger;
}

// Steps below a construct that is none, for their own mistakes.
static void read_misread(loader *l, const ynode *n, plan_node *node) {
    bool steps = n->kind == YNODE_SEQUENCE;
    for (size_t i = 0; steps && i < n->count; i++)
        steps = n->items[i]->kind == YNODE_MAPPING;
    if (steps)
        steps_read(l, n, node);
}

static plan_node *read_step(loader *l, const ynode *map, plan_node *parent, const char *role,
                            size_t index) {
    construct kind = CONSTRUCT_ACTION;
    bool misread = false;
    size_t main = find_main(l, map, parent, &kind, &misread);
    if (main == map->count)
        return NULL;
    plan_node *node = node_create(l, map, kind, parent);
    node->misread = misread;
    if (kind == CONSTRUCT_ACTION)
        node->name = map->keys[main]->scalar;
    read_common(l, map, node);
    node_place(l, node, map, role, index);
    if (misread) {
        read_misread(l, map->items[main], node);
        return node;
    }
    check_step_keys(l, map, node, map->keys[main]);
    construct_read(l, map, map->items[main], node);
    return node;
}

plan_node *body_read(loader *l, const ynode *n, plan_node *parent, const char *role, size_t index) {
    if (n->kind == YNODE_MAPPING)
        return read_step(l, n, parent, role, index);
    plan_node *node;
    if (n->kind == YNODE_SEQUENCE) {
        node = node_create(l, n, CONSTRUCT_SEQ, parent);
        node->implicit = true;
        node_place(l, node, n, role, index);
        steps_read(l, n, node);
        return node;
    }
    // An action without arguments: its name alone.
    const char *name;
    if (!n->scalar[0] && !n->quoted) {
        ynode_error(n, l->list, "a step is missing here");
        return NULL;
    }
    if (!name_read(l, n, "a step", &name))
        return NULL;
    construct known;
    if (construct_find(name, &known)) {
        ynode_error(n, l->list, "'%s' needs a value: write '%s: ...'", name, name);
        return NULL;
    }
    node = node_create(l, n, CONSTRUCT_ACTION, parent);
    node->name = name;
    node_place(l, node, n, role, index);
    return node;
}

// plans/body.c - YAML to steps.
#include "plans/plan_int.h"

// Keys that any step may have.
static const char *const COMMON[] = {"tag",     "doc",      "goal",    "into",
                                     "expects", "requires", "effects", "tolerance"};
#define COMMON_COUNT (sizeof COMMON / sizeof *COMMON)

static const char *const NAMES[] = {
#define CONSTRUCT(id, key, doc) key,
#include "plans/constructs.def"
#undef CONSTRUCT
};
static const char *const DOCS[] = {
#define CONSTRUCT(id, key, doc) doc,
#include "plans/constructs.def"
#undef CONSTRUCT
};
// Keys beside the construct's own, for each construct.
static const char *const BESIDE[CONSTRUCT_COUNT][3] = {
    [CONSTRUCT_PARTIAL_ORDER] = {"before"},
    [CONSTRUCT_LET] = {"be", "in"},
    [CONSTRUCT_SET] = {"to"},
    [CONSTRUCT_IF] = {"then", "else"},
    [CONSTRUCT_ACHIEVE] = {"with", "skip_when_true", "verify"},
    [CONSTRUCT_WAIT_FOR] = {"timeout"},
    [CONSTRUCT_ACTION] = {"deadline"},
};

const char *construct_name(construct c) {
    return NAMES[c] ? NAMES[c] : "action";
}
const char *construct_doc(construct c) {
    return DOCS[c];
}

static bool find_construct(const char *key, construct *out) {
    for (int i = 0; i < CONSTRUCT_COUNT; i++) {
        if (NAMES[i] && strcmp(NAMES[i], key) == 0) {
            *out = (construct)i;
            return true;
        }
    }
    return false;
}

static bool is_common(const char *key) {
    for (size_t i = 0; i < COMMON_COUNT; i++) {
        if (strcmp(COMMON[i], key) == 0)
            return true;
    }
    return false;
}

static bool is_beside(construct c, const char *key) {
    for (int i = 0; i < 3; i++) {
        if (BESIDE[c][i] && strcmp(BESIDE[c][i], key) == 0)
            return true;
    }
    return false;
}

// ---- Steps
// ---------------------------------------------------------------------------------------

static plan_node *node_new(loader *l, const ynode *n, construct kind, plan_node *parent) {
    plan_node *node = arena_alloc(l->a, sizeof *node);
    node->kind = kind;
    node->file = l->file;
    node->line = n->line;
    node->column = n->column;
    node->parent = parent;
    return node;
}

// Gives the node its name among its siblings; two of one path would be one to whoever edits the
// plan.
static void place(loader *l, plan_node *node, const ynode *n, const char *role, size_t index) {
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
    const ynode *tag = ynode_get(map, "tag"), *goal = ynode_get(map, "goal"),
                *into = ynode_get(map, "into");
    if (tag)
        name_read(l, tag, "tag", &node->tag);
    if (goal)
        term_read(l, goal, "goal", &node->goal);
    if (into)
        variable_read(l, into, "into", &node->into);
    notes_read(l, map, &node->notes, &node->note_count);
}

// A body that must stand under `key` of `map`.
static plan_node *child_read(loader *l, const ynode *map, const char *key, plan_node *parent,
                             const char *of) {
    const ynode *n = ynode_get(map, key);
    if (n)
        return body_read(l, n, parent, key, 0);
    ynode_error(map, l->list, "'%s' needs %s:", of, key);
    return NULL;
}

static void set_children(loader *l, plan_node *node, plan_node *const *children, size_t count) {
    node->children = arena_alloc(l->a, (count + 1) * sizeof(plan_node *));
    for (size_t i = 0; i < count; i++) {
        if (children[i])
            node->children[node->child_count++] = children[i];
    }
}

static void read_steps(loader *l, const ynode *n, plan_node *node) {
    const char *role = construct_name(node->kind);
    if (n->kind != YNODE_SEQUENCE) {
        ynode_error(n, l->list, "'%s' takes a list of steps", role);
        return;
    }
    node->children = arena_alloc(l->a, (n->count + 1) * sizeof(plan_node *));
    for (size_t i = 0; i < n->count; i++) {
        plan_node *child = body_read(l, n->items[i], node, role, i + 1);
        if (child)
            node->children[node->child_count++] = child;
    }
}

static bool order_end(loader *l, const ynode *n, const plan_node *node, size_t *out) {
    const char *tag;
    if (!name_read(l, n, "before", &tag))
        return false;
    const char *tags[64];
    size_t count = 0;
    for (size_t i = 0; i < node->child_count; i++) {
        if (node->children[i]->tag && strcmp(node->children[i]->tag, tag) == 0) {
            *out = i;
            return true;
        }
        if (node->children[i]->tag && count < 64)
            tags[count++] = node->children[i]->tag;
    }
    const char *near = nearest_name(tag, tags, count);
    if (near)
        ynode_error(n, l->list, "no step here has the tag '%s'; did you mean '%s'?", tag, near);
    else
        ynode_error(n, l->list, "no step here has the tag '%s'", tag);
    return false;
}

// Steps that can begin are taken away until none is left; what remains waits for itself.
static void check_cycle(loader *l, const ynode *n, const plan_node *node, const plan_order *orders,
                        size_t count) {
    bool *gone = calloc(node->child_count + 1, sizeof *gone);
    ASSERT(gone);
    size_t left = node->child_count;
    for (bool moved = true; moved && left > 0;) {
        moved = false;
        for (size_t i = 0; i < node->child_count; i++) {
            bool free_now = !gone[i];
            for (size_t j = 0; j < count && free_now; j++)
                free_now = orders[j].after != i || gone[orders[j].before];
            if (free_now) {
                gone[i] = moved = true;
                left--;
            }
        }
    }
    free(gone);
    if (left > 0)
        ynode_error(n, l->list, "these orderings form a cycle: %zu steps could never begin", left);
}

static void read_orders(loader *l, const ynode *n, plan_node *node) {
    if (!n)
        return;
    if (n->kind != YNODE_SEQUENCE) {
        ynode_error(n, l->list, "before: must be a list of pairs [first, then], of tags");
        return;
    }
    plan_order *orders = arena_alloc(l->a, (n->count + 1) * sizeof *orders);
    size_t count = 0;
    for (size_t i = 0; i < n->count; i++) {
        const ynode *pair = n->items[i];
        bool good = pair->kind == YNODE_SEQUENCE && (pair->count == 2 || pair->count == 3);
        if (good && pair->count == 3)
            good = pair->items[2]->kind == YNODE_SCALAR &&
                   (strcmp(pair->items[2]->scalar, "dead") == 0 ||
                    strcmp(pair->items[2]->scalar, "done") == 0);
        if (!good) {
            ynode_error(pair, l->list,
                        "an ordering is a pair of tags [first, then], or [first, then, dead]");
            continue;
        }
        plan_order *o = &orders[count];
        if (!order_end(l, pair->items[0], node, &o->before) ||
            !order_end(l, pair->items[1], node, &o->after))
            continue;
        o->dead = pair->count == 3 && strcmp(pair->items[2]->scalar, "dead") == 0;
        count++;
    }
    node->orders = orders;
    node->order_count = count;
    check_cycle(l, n, node, orders, count);
}

// `let: ?x` with be:, or a map of several; `set: ?x` with to: alike.
static void read_assignment(loader *l, const ynode *map, const ynode *n, plan_node *node,
                            const char *value_key) {
    const char *what = construct_name(node->kind);
    const ynode *value = ynode_get(map, value_key);
    if (n->kind == YNODE_MAPPING) {
        if (value)
            ynode_error(value, l->list, "%s: has no place beside a map of variables", value_key);
        bindings_read(l, n, what, true, &node->bindings, &node->binding_count);
        return;
    }
    plan_binding *b = arena_alloc(l->a, sizeof *b);
    b->line = n->line;
    b->column = n->column;
    bool good = variable_read(l, n, what, &b->name);
    if (!value)
        ynode_error(map, l->list, "'%s' needs %s: with an expression", what, value_key);
    else if (term_read(l, value, value_key, &b->value) && good) {
        node->bindings = b;
        node->binding_count = 1;
    }
}

static void read_loop(loader *l, const ynode *n, plan_node *node) {
    static const char *const keys[] = {"while", "until", "times", "for_each", "of", "do", NULL};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list,
                    "'loop' takes a map: { while: C | until: C | times: N | for_each: ?x, of: "
                    "LIST, do: STEPS }");
        return;
    }
    ynode_check_keys(n, keys, l->list);
    int given = 0;
    for (int i = 0; i < 4; i++) {
        const ynode *control = ynode_get(n, keys[i]);
        if (!control)
            continue;
        given++;
        node->loop = (loop_kind)(LOOP_WHILE + i);
        if (node->loop == LOOP_FOR_EACH)
            variable_read(l, control, keys[i], &node->name);
        else
            term_read(l, control, keys[i], &node->value);
    }
    if (given > 1)
        ynode_error(n, l->list, "a loop has one of while:, until:, times: and for_each:");
    const ynode *of = ynode_get(n, "of");
    if (node->loop == LOOP_FOR_EACH && !of)
        ynode_error(n, l->list, "for_each: needs of: with a list");
    else if (node->loop == LOOP_FOR_EACH)
        term_read(l, of, "of", &node->value);
    else if (of)
        ynode_error(of, l->list, "of: goes with for_each:");
    plan_node *body = child_read(l, n, "do", node, "loop");
    set_children(l, node, &body, 1);
}

static void read_clause(loader *l, const ynode *n, plan_node *node, size_t index, plan_clause *c) {
    static const char *const keys[] = {"failure", "as", "retry", "then", NULL};
    *c = (plan_clause){.line = n->line, .column = n->column};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list, "a clause is a map: { failure: CLASS, retry: N, then: STEPS }");
        return;
    }
    ynode_check_keys(n, keys, l->list);
    const ynode *failure = ynode_get(n, "failure"), *as = ynode_get(n, "as");
    const ynode *retry = ynode_get(n, "retry"), *then = ynode_get(n, "then");
    if (!failure) {
        ynode_error(n, l->list, "a clause needs failure: with a class, or a list of them");
    } else {
        size_t count = failure->kind == YNODE_SEQUENCE ? failure->count : 1;
        const char **classes = arena_alloc(l->a, (count + 1) * sizeof *classes);
        for (size_t i = 0; i < count; i++) {
            const ynode *one = failure->kind == YNODE_SEQUENCE ? failure->items[i] : failure;
            if (name_read(l, one, "failure", &classes[c->class_count]))
                c->class_count++;
        }
        c->classes = classes;
    }
    if (as)
        variable_read(l, as, "as", &c->as);
    if (retry && ynode_integer(retry, "retry", &c->retry, l->list) &&
        (c->retry < 1 || c->retry > 1000000))
        ynode_error(retry, l->list, "retry: must be at least 1 and at most 1000000");
    if (then)
        c->body = body_read(l, then, node, "handle", index);
    if (!retry && !then)
        ynode_error(n, l->list, "a clause needs retry: or then:");
}

static void read_on_failure(loader *l, const ynode *n, plan_node *node) {
    static const char *const keys[] = {"do", "handle", "clean_up", NULL};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list,
                    "'on_failure' takes a map: { do: STEPS, handle: [CLAUSES], clean_up: STEPS }");
        return;
    }
    ynode_check_keys(n, keys, l->list);
    const ynode *handle = ynode_get(n, "handle"), *clean = ynode_get(n, "clean_up");
    size_t count = handle && handle->kind == YNODE_SEQUENCE ? handle->count : 0;
    plan_node **children = arena_alloc(l->a, (count + 3) * sizeof *children);
    plan_clause *clauses = arena_alloc(l->a, (count + 1) * sizeof *clauses);
    size_t used = 0;
    children[used++] = child_read(l, n, "do", node, "on_failure");
    if (handle && handle->kind != YNODE_SEQUENCE)
        ynode_error(handle, l->list, "handle: must be a list of clauses");
    for (size_t i = 0; i < count; i++) {
        read_clause(l, handle->items[i], node, i + 1, &clauses[i]);
        children[used++] = clauses[i].body;
    }
    if (!handle && !clean)
        ynode_error(n, l->list, "'on_failure' needs handle: or clean_up:");
    if (clean)
        children[used++] = node->clean_up = body_read(l, clean, node, "clean_up", 0);
    node->clauses = clauses;
    node->clause_count = count;
    set_children(l, node, children, used);
}

static void read_achieve(loader *l, const ynode *map, const ynode *n, plan_node *node) {
    node->skip_when_true = true;
    if (term_read(l, n, "achieve", &node->value) && node->value->kind != TERM_COMPOUND &&
        node->value->kind != TERM_SYMBOL && node->value->kind != TERM_VAR)
        ynode_error(n, l->list, "achieve: must be a goal such as on(?plate, table)");
    const ynode *skip = ynode_get(map, "skip_when_true"), *verify = ynode_get(map, "verify");
    if (skip)
        ynode_bool(skip, "skip_when_true", &node->skip_when_true, l->list);
    if (verify)
        ynode_bool(verify, "verify", &node->verify, l->list);
    bindings_read(l, ynode_get(map, "with"), "with", true, &node->bindings, &node->binding_count);
}

static void read_perceive(loader *l, const ynode *n, plan_node *node) {
    static const char *const keys[] = {"a", "the", "all", "region", "into", "with", NULL};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(
            n, l->list,
            "'perceive' takes a map: { a | the | all: { type: T }, region: on(B), into: ?x }");
        return;
    }
    ynode_check_keys(n, keys, l->list);
    int given = 0;
    for (int i = 0; i < 3; i++) {
        const ynode *description = ynode_get(n, keys[i]);
        if (!description)
            continue;
        given++;
        node->quantity = (quantifier)i;
        node->value = description_read(l, description);
    }
    if (given != 1)
        ynode_error(n, l->list, "perceive: needs one of a:, the: and all: with a description");
    const ynode *region = ynode_get(n, "region"), *into = ynode_get(n, "into");
    if (region)
        term_read(l, region, "region", &node->region);
    if (into)
        variable_read(l, into, "into", &node->into);
    bindings_read(l, ynode_get(n, "with"), "with", true, &node->bindings, &node->binding_count);
}

static void read_at_location(loader *l, const ynode *n, plan_node *node) {
    static const char *const keys[] = {"location", "do", NULL};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list,
                    "'at_location' takes a map: { location: reach(?object), do: STEPS }");
        return;
    }
    ynode_check_keys(n, keys, l->list);
    const ynode *location = ynode_get(n, "location");
    plan_node *children[2] = {NULL, NULL};
    if (!location)
        ynode_error(n, l->list, "'at_location' needs location:");
    else if (term_read(l, location, "location", &node->value)) {
        const term *args[2] = {term_symbol(l->a, "robot"), node->value};
        plan_node *go = node_new(l, location, CONSTRUCT_ACHIEVE, node);
        go->value = term_compound(l->a, GOAL_AT, 2, args);
        go->skip_when_true = true;
        place(l, go, location, "go", 0);
        children[0] = go;
    }
    children[1] = child_read(l, n, "do", node, "at_location");
    set_children(l, node, children, 2);
}

static void read_using(loader *l, const ynode *n, plan_node *node) {
    static const char *const keys[] = {"actuators", "do", NULL};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list, "'using' takes a map: { actuators: [left, base], do: STEPS }");
        return;
    }
    ynode_check_keys(n, keys, l->list);
    const ynode *actuators = ynode_get(n, "actuators");
    if (!actuators)
        ynode_error(n, l->list, "'using' needs actuators: with a list of them");
    else
        term_read(l, actuators, "actuators", &node->value);
    plan_node *body = child_read(l, n, "do", node, "using");
    set_children(l, node, &body, 1);
}

static void read_fail(loader *l, const ynode *n, plan_node *node) {
    static const char *const keys[] = {"class", "reason", NULL};
    if (n->kind != YNODE_MAPPING) {
        name_read(l, n, "fail", &node->name);
        return;
    }
    ynode_check_keys(n, keys, l->list);
    name_read(l, ynode_get(n, "class"), "class", &node->name);
    if (ynode_get(n, "reason"))
        ynode_text(ynode_get(n, "reason"), "reason", &node->text, l->list);
}

static bool seconds_read(loader *l, const ynode *n, const char *what, double *out) {
    if (!n)
        return true;
    if (!ynode_number(n, what, out, l->list))
        return false;
    if (*out > 0 && *out <= 1e9)
        return true;
    ynode_error(n, l->list, "%s must be seconds over 0", what);
    return false;
}

static void read_construct(loader *l, const ynode *map, const ynode *n, plan_node *node) {
    plan_node *children[2] = {NULL, NULL};
    switch (node->kind) {
    case CONSTRUCT_SEQ:
    case CONSTRUCT_PAR:
    case CONSTRUCT_PURSUE:
    case CONSTRUCT_TRY_ALL:
    case CONSTRUCT_TRY_IN_ORDER:
        read_steps(l, n, node);
        break;
    case CONSTRUCT_PARTIAL_ORDER:
        read_steps(l, n, node);
        read_orders(l, ynode_get(map, "before"), node);
        break;
    case CONSTRUCT_LET:
        read_assignment(l, map, n, node, "be");
        children[0] = child_read(l, map, "in", node, "let");
        set_children(l, node, children, 1);
        break;
    case CONSTRUCT_SET:
        read_assignment(l, map, n, node, "to");
        break;
    case CONSTRUCT_IF:
        term_read(l, n, "if", &node->value);
        children[0] = child_read(l, map, "then", node, "if");
        if (ynode_get(map, "else"))
            children[1] = child_read(l, map, "else", node, "if");
        set_children(l, node, children, 2);
        break;
    case CONSTRUCT_LOOP:
        read_loop(l, n, node);
        break;
    case CONSTRUCT_ON_FAILURE:
        read_on_failure(l, n, node);
        break;
    case CONSTRUCT_ACHIEVE:
        read_achieve(l, map, n, node);
        break;
    case CONSTRUCT_PERCEIVE:
        read_perceive(l, n, node);
        break;
    case CONSTRUCT_AT_LOCATION:
        read_at_location(l, n, node);
        break;
    case CONSTRUCT_USING:
        read_using(l, n, node);
        break;
    case CONSTRUCT_FAIL:
        read_fail(l, n, node);
        break;
    case CONSTRUCT_LOG:
        ynode_text(n, "log", &node->text, l->list);
        break;
    case CONSTRUCT_WAIT_FOR:
        term_read(l, n, "wait_for", &node->value);
        seconds_read(l, ynode_get(map, "timeout"), "timeout", &node->seconds);
        break;
    case CONSTRUCT_ASSERT:
        term_read(l, n, "assert", &node->value);
        break;
    case CONSTRUCT_ACTION:
        seconds_read(l, ynode_get(map, "deadline"), "deadline", &node->seconds);
        if (n->kind == YNODE_MAPPING)
            bindings_read(l, n, node->name, false, &node->bindings, &node->binding_count);
        break;
    case CONSTRUCT_COUNT:
        break;
    }
}

static void check_step_keys(loader *l, const ynode *map, const plan_node *node, const ynode *key) {
    const char *known[COMMON_COUNT + 5];
    size_t count = 0;
    known[count++] = key->scalar;
    for (int i = 0; i < 3; i++) {
        if (BESIDE[node->kind][i])
            known[count++] = BESIDE[node->kind][i];
    }
    for (size_t i = 0; i < COMMON_COUNT; i++)
        known[count++] = COMMON[i];
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

static void complain_unknown(loader *l, const ynode *key, const ynode *value) {
    if (complain_action(l, key, value))
        return;
    const char *names[CONSTRUCT_COUNT + 64];
    size_t count = 0;
    for (int i = 0; i < CONSTRUCT_COUNT; i++) {
        if (NAMES[i])
            names[count++] = NAMES[i];
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
        ynode_error(key, l->list, "unknown construct '%s'; did you mean '%s'?", key->scalar, near);
    else
        ynode_error(key, l->list,
                    "unknown construct '%.100s'; an action takes a map of its arguments",
                    key->scalar);
}

// The key that says what the step is: of a construct, else the one key that is not common to all.
// *misread: it is unknown, which has been said; the step is kept so that the rest can be looked at.
static size_t find_main(loader *l, const ynode *map, construct *kind, bool *misread) {
    size_t found = map->count, stranger = map->count;
    for (size_t i = 0; i < map->count; i++) {
        construct c;
        const ynode *key = map->keys[i];
        if (find_construct(key->scalar, &c)) {
            if (found < map->count) {
                ynode_error(key, l->list, "a step is one construct; this one is both '%s' and '%s'",
                            map->keys[found]->scalar, key->scalar);
                return map->count;
            }
            found = i;
            *kind = c;
        } else if (!is_common(key->scalar) && !is_beside(CONSTRUCT_ACTION, key->scalar) &&
                   stranger == map->count) {
            stranger = i;
        }
    }
    if (found < map->count)
        return found;
    if (stranger == map->count) {
        ynode_error(map, l->list, "this step says nothing to do; name a construct or an action");
        return map->count;
    }
    const ynode *key = map->keys[stranger], *value = map->items[stranger];
    bool action = name_is_plain(key->scalar) &&
                  (value->kind == YNODE_MAPPING ||
                   (value->kind == YNODE_SCALAR && !value->quoted && !value->scalar[0]));
    if (!action) {
        complain_unknown(l, key, value);
        *misread = true;
    }
    *kind = CONSTRUCT_ACTION;
    return stranger;
}

// Steps below a construct that is none, for their own mistakes.
static void read_misread(loader *l, const ynode *n, plan_node *node) {
    bool steps = n->kind == YNODE_SEQUENCE;
    for (size_t i = 0; steps && i < n->count; i++)
        steps = n->items[i]->kind == YNODE_MAPPING;
    if (steps)
        read_steps(l, n, node);
}

static plan_node *read_step(loader *l, const ynode *map, plan_node *parent, const char *role,
                            size_t index) {
    construct kind = CONSTRUCT_ACTION;
    bool misread = false;
    size_t main = find_main(l, map, &kind, &misread);
    if (main == map->count)
        return NULL;
    plan_node *node = node_new(l, map, kind, parent);
    node->misread = misread;
    if (kind == CONSTRUCT_ACTION)
        node->name = map->keys[main]->scalar;
    read_common(l, map, node);
    place(l, node, map, role, index);
    if (misread) {
        read_misread(l, map->items[main], node);
        return node;
    }
    check_step_keys(l, map, node, map->keys[main]);
    read_construct(l, map, map->items[main], node);
    return node;
}

plan_node *body_read(loader *l, const ynode *n, plan_node *parent, const char *role, size_t index) {
    if (n->kind == YNODE_MAPPING)
        return read_step(l, n, parent, role, index);
    plan_node *node;
    if (n->kind == YNODE_SEQUENCE) {
        node = node_new(l, n, CONSTRUCT_SEQ, parent);
        node->implicit = true;
        place(l, node, n, role, index);
        read_steps(l, n, node);
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
    if (find_construct(name, &known)) {
        ynode_error(n, l->list, "'%s' needs a value: write '%s: ...'", name, name);
        return NULL;
    }
    node = node_new(l, n, CONSTRUCT_ACTION, parent);
    node->name = name;
    place(l, node, n, role, index);
    return node;
}

// plans/load/constructs.c - the YAML of each construct.
#include "plans/load/load_int.h"

void steps_read(loader *l, const ynode *n, plan_node *node) {
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
    const char *const *keys = construct_keys_inside(CONSTRUCT_LOOP);
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
    children_set(l, node, &body, 1);
}

static void read_clause(loader *l, const ynode *n, plan_node *node, size_t index, plan_clause *c) {
    *c = (plan_clause){.line = n->line, .column = n->column};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list, "a clause is a map: { failure: CLASS, retry: N, then: STEPS }");
        return;
    }
    ynode_check_keys(n, clause_keys(), l->list);
    const ynode *failure = ynode_get(n, "failure"), *as = ynode_get(n, "as");
    const ynode *retry = ynode_get(n, "retry"), *then = ynode_get(n, "then");
    const ynode *guard = ynode_get(n, "guard");
    if (!failure) {
        ynode_error(n, l->list, "a clause needs failure: with a class, or a list of them");
    } else {
        size_t count = failure->kind == YNODE_SEQUENCE ? failure->count : 1;
        const char **classes = arena_alloc(l->a, (count + 1) * sizeof *classes);
        plan_place *places = arena_alloc(l->a, (count + 1) * sizeof *places);
        for (size_t i = 0; i < count; i++) {
            const ynode *one = failure->kind == YNODE_SEQUENCE ? failure->items[i] : failure;
            places[c->class_count] = (plan_place){one->line, one->column};
            if (name_read(l, one, "failure", &classes[c->class_count]))
                c->class_count++;
        }
        if (count == 0)
            ynode_error(failure, l->list, "failure: needs a class, or a list of them");
        c->classes = classes;
        c->places = places;
    }
    if (guard)
        term_read(l, guard, "guard", &c->guard);
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
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list,
                    "'on_failure' takes a map: { do: STEPS, handle: [CLAUSES], clean_up: STEPS }");
        return;
    }
    ynode_check_keys(n, construct_keys_inside(CONSTRUCT_ON_FAILURE), l->list);
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
    children_set(l, node, children, used);
}

static void read_achieve(loader *l, const ynode *map, const ynode *n, plan_node *node) {
    node->skip_when_true = true;
    if (term_read(l, n, "achieve", &node->value) && node->value->kind != TERM_COMPOUND &&
        node->value->kind != TERM_SYMBOL && node->value->kind != TERM_VAR)
        ynode_error(n, l->list, "achieve: must be a goal such as on(?plate, table)");
    const ynode *skip = ynode_get(map, "skip_when_true"), *verify = ynode_get(map, "verify"),
                *alternatives = ynode_get(map, "alternatives");
    if (skip)
        ynode_bool(skip, "skip_when_true", &node->skip_when_true, l->list);
    if (verify)
        ynode_bool(verify, "verify", &node->verify, l->list);
    if (alternatives)
        ynode_bool(alternatives, "alternatives", &node->alternatives, l->list);
    bindings_read(l, ynode_get(map, "with"), "with", true, &node->bindings, &node->binding_count);
}

static void read_perceive(loader *l, const ynode *n, plan_node *node) {
    const char *const *keys = construct_keys_inside(CONSTRUCT_PERCEIVE);
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

// `location: { on: table_1, left_of: "?plate" }` is location([on(table_1), left_of(?plate)]).
static bool location_read(loader *l, const ynode *n, const term **out) {
    if (n->kind != YNODE_MAPPING || is_description(n))
        return term_read(l, n, "location", out);
    const term *properties = description_read(l, n);
    if (properties)
        *out = term_compound(l->a, "location", 1, &properties);
    return properties != NULL;
}

static void read_at_location(loader *l, const ynode *n, plan_node *node) {
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list,
                    "'at_location' takes a map: { location: reach(?object), do: STEPS }");
        return;
    }
    ynode_check_keys(n, construct_keys_inside(CONSTRUCT_AT_LOCATION), l->list);
    const ynode *location = ynode_get(n, "location");
    plan_node *children[2] = {NULL, NULL};
    if (!location)
        ynode_error(n, l->list, "'at_location' needs location:");
    else if (location_read(l, location, &node->value)) {
        const term *args[2] = {term_symbol(l->a, "robot"), node->value};
        plan_node *go = node_create(l, location, CONSTRUCT_ACHIEVE, node);
        go->value = term_compound(l->a, GOAL_AT, 2, args);
        go->skip_when_true = true;
        node_place(l, go, location, "go", 0);
        children[0] = go;
    }
    children[1] = child_read(l, n, "do", node, "at_location");
    children_set(l, node, children, 2);
}

static void read_using(loader *l, const ynode *n, plan_node *node) {
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list, "'using' takes a map: { actuators: [left, base], do: STEPS }");
        return;
    }
    ynode_check_keys(n, construct_keys_inside(CONSTRUCT_USING), l->list);
    const ynode *actuators = ynode_get(n, "actuators");
    if (!actuators)
        ynode_error(n, l->list, "'using' needs actuators: with a list of them");
    else
        term_read(l, actuators, "actuators", &node->value);
    plan_node *body = child_read(l, n, "do", node, "using");
    children_set(l, node, &body, 1);
}

static void read_with_policy(loader *l, const ynode *n, plan_node *node) {
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list,
                    "'with_policy' takes a map: { when: CONDITION, do: STEPS, init, check, "
                    "recover, clean_up: STEPS, reason: TEXT }");
        return;
    }
    ynode_check_keys(n, construct_keys_inside(CONSTRUCT_WITH_POLICY), l->list);
    const ynode *when = ynode_get(n, "when"), *reason = ynode_get(n, "reason");
    if (!when)
        ynode_error(n, l->list, "'with_policy' needs when: with the condition that interrupts");
    else
        term_read(l, when, "when", &node->value);
    if (reason)
        ynode_text(reason, "reason", &node->text, l->list);
    plan_node *children[5] = {child_read(l, n, "do", node, "with_policy")};
    struct {
        const char *key;
        plan_node **to;
    } parts[4] = {{"init", &node->policy.init},
                  {"check", &node->policy.check},
                  {"recover", &node->policy.recover},
                  {"clean_up", &node->clean_up}};
    for (int i = 0; i < 4; i++) {
        const ynode *part = ynode_get(n, parts[i].key);
        if (part)
            children[i + 1] = *parts[i].to = body_read(l, part, node, parts[i].key, 0);
    }
    children_set(l, node, children, 5);
}

// `perform: ?action`, or the description itself as a map.
static void read_perform(loader *l, const ynode *n, plan_node *node) {
    if (n->kind == YNODE_MAPPING && !is_description(n)) {
        node->value = description_read(l, n);
        return;
    }
    if (!term_read(l, n, "perform", &node->value))
        return;
    const term *t = node->value;
    bool good = t->kind == TERM_VAR || (t->kind == TERM_COMPOUND && !is_description_term(t)) ||
                term_is(t, "action", 1);
    if (!good)
        ynode_error(n, l->list,
                    "perform: takes an action description: { type: open_gripper, arm: left }, or a "
                    "variable with one");
}

// Returns whether the term may stand for a thing that next: and equate: are about.
static bool is_reference(const term *t) {
    return t->kind == TERM_VAR || is_description_term(t);
}

static void read_next(loader *l, const ynode *n, plan_node *node) {
    if (term_read(l, n, "next", &node->value) && !is_reference(node->value))
        ynode_error(n, l->list,
                    "next: takes a variable with a description, as ?cup; nothing else has another "
                    "solution");
}

static void read_equate(loader *l, const ynode *n, plan_node *node) {
    if (n->kind != YNODE_SEQUENCE || n->count < 2) {
        ynode_error(n, l->list,
                    "equate: takes a list of two or more: [\"?a\", \"?b\"], each a variable with a "
                    "description, or an object");
        return;
    }
    if (!term_read(l, n, "equate", &node->value))
        return;
    for (size_t i = 0; i < n->count; i++) {
        const term *t = term_list_item(node->value, i);
        // A function may give an object; a list of properties has no name to be equated by.
        bool object = t->kind == TERM_SYMBOL ||
                      (t->kind == TERM_COMPOUND && term_list_length(t) < 0 && t->arity > 0);
        if (term_is_symbol(t, "[]") || (!is_reference(t) && !object))
            ynode_error(n->items[i], l->list, "equate: this is no variable, description or object");
    }
}

static void read_fail(loader *l, const ynode *n, plan_node *node) {
    if (n->kind != YNODE_MAPPING) {
        name_read(l, n, "fail", &node->name);
        return;
    }
    ynode_check_keys(n, construct_keys_inside(CONSTRUCT_FAIL), l->list);
    const ynode *class = ynode_get(n, "class"), *reason = ynode_get(n, "reason");
    if (!class)
        ynode_error(n, l->list, "'fail' needs class: with a failure class");
    else
        name_read(l, class, "class", &node->name);
    if (reason)
        ynode_text(reason, "reason", &node->text, l->list);
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

void construct_read(loader *l, const ynode *map, const ynode *n, plan_node *node) {
    plan_node *children[2] = {NULL, NULL};
    switch (node->kind) {
    case CONSTRUCT_SEQ:
    case CONSTRUCT_PAR:
    case CONSTRUCT_PURSUE:
    case CONSTRUCT_TRY_ALL:
    case CONSTRUCT_TRY_IN_ORDER:
        steps_read(l, n, node);
        break;
    case CONSTRUCT_PARTIAL_ORDER:
        steps_read(l, n, node);
        orders_read(l, ynode_get(map, "before"), node);
        break;
    case CONSTRUCT_LET:
        read_assignment(l, map, n, node, "be");
        children[0] = child_read(l, map, "in", node, "let");
        children_set(l, node, children, 1);
        break;
    case CONSTRUCT_SET:
        read_assignment(l, map, n, node, "to");
        break;
    case CONSTRUCT_IF:
        term_read(l, n, "if", &node->value);
        children[0] = child_read(l, map, "then", node, "if");
        if (ynode_get(map, "else"))
            children[1] = child_read(l, map, "else", node, "if");
        children_set(l, node, children, 2);
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
    case CONSTRUCT_WHENEVER:
        term_read(l, n, "whenever", &node->value);
        children[0] = child_read(l, map, "do", node, "whenever");
        children_set(l, node, children, 1);
        break;
    case CONSTRUCT_WITH_POLICY:
        read_with_policy(l, n, node);
        break;
    case CONSTRUCT_PERFORM:
        read_perform(l, n, node);
        seconds_read(l, ynode_get(map, "deadline"), "deadline", &node->seconds);
        break;
    case CONSTRUCT_NEXT:
        read_next(l, n, node);
        break;
    case CONSTRUCT_EQUATE:
        read_equate(l, n, node);
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

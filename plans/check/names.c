// plans/check/names.c - names of objects, actions, arguments and failure classes.
#include "plans/check/check_int.h"

typedef struct naming {
    const plan *plan;
    const plan_names *names;
    const plan_file *file;
    errors *list;
    name_list things;  // objects and regions together
    bool of_the_world; // what is looked at is judged in the world: any body may be named
    int line, column;  // of what is looked at, where a term has no place of its own
} naming;

static void complain_at(const naming *k, const char *const *known, const char *what,
                        const char *name, int line, int column) {
    name_list all = {0};
    for (size_t i = 0; known[i]; i++)
        array_push(&all, known[i]);
    complain_name(&all, what, name, k->file->path, line, column, k->list);
    array_finish(&all);
}

// What kind of name a symbol must be that stands as an argument. O: object, region or part of the
// robot; R: region; T: type; C: colour; H: hand, whose arm words.c knows; any other letter: the
// argument is not checked.
typedef struct shape_of {
    const char *functor, *arguments;
} shape_of;
static const shape_of SHAPES[] = {
    {"on", "O."},
    {"on", "OO"},
    {"in", "OO"},
    {"within", "R"},
    {"within", "OR"},
    {"near", "OO"},
    {"a", "T"},
    {"type", "T"},
    {"type", "OT"},
    {"color", "C"},
    {"color", "OC"},
    {"in_front_of", "O"},
    {"in_front_of", "O."},
    {"beside", "O"},
    {"beside", "O."},
    {"reach", "O"},
    {"reach", "O."},
    {"view", "O"},
    {"stands_on", "OO"},
    {"object_in_hand", "O"},
    {"object_in_hand", "OH"},
    {"collision", "OO"},
    {"at_place", "O."},
    {"placed", "O."},
    {"on", "O"},
    {"in", "O"},
    {"near", "O"},
    {"left_of", "O"},
    {"left_of", "OO"},
    {"right_of", "O"},
    {"right_of", "OO"},
    {"behind", "O"},
    {"behind", "OO"},
    {"in_front_of", "OO"},
    {"beside", "OO"},
    {"facing", "O"},
    {"seen_from", "O"},
    // Targets of actions, and functions.
    {"reach", "O.."},
    {"before", "O"},
    {"above", "O"},
    {"grasp", "O"},
    {"offer", "O"},
    {"pour", "O."},
    {"pour_over", "O"},
    {"tilt", "O."},
    {"arm_for", "O"},
    {"holding_arm", "O"},
    {"support_of", "O"},
    {"taken_from", "O"},
    {"place_of", "O"},
    {"grip_force", "O"},
    {"type_of", "O"},
    {"color_of", "O"},
    {"grasps_for", "O."},
    {"views", "O"},
};
// The same of the arguments of actions.
static const shape_of ARGUMENTS[] = {{"type", "T"}, {"color", "C"}, {"object", "O"}};

static const char *arguments_of(const term *t) {
    const char *found = NULL;
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        const shape_of *s = &SHAPES[i];
        if (strcmp(s->functor, t->text) == 0 && strlen(s->arguments) == t->arity) {
            // on(Body, at(X, Y)) is a location, on(Object, Body) an occasion.
            if (found && t->arity == 2 && t->args[1]->kind == TERM_COMPOUND)
                continue;
            found = s->arguments;
        }
    }
    return found;
}

// Arms go by their own names and by those of their hands, robot_left_gripper.
static bool hand_name(const char *name) {
    size_t length = strlen(name);
    return length > 8 && strcmp(name + length - 8, "_gripper") == 0;
}

// The arm that a name means, by itself or by its hand: left, left_gripper, robot_left_gripper;
// NULL: none. The hands follow the arms in the list, in their order.
static const char *arm_meant(const char *const *arms, const char *name) {
    size_t count = 0;
    while (arms && arms[count])
        count++;
    for (size_t i = 0; i < count / 2; i++) {
        size_t length = strlen(arms[i]);
        bool begins = strncmp(name, arms[i], length) == 0;
        if ((begins && (!name[length] || strcmp(name + length, "_gripper") == 0)) ||
            strcmp(name, arms[count / 2 + i]) == 0)
            return arms[i];
    }
    return NULL;
}

// In the world each of several robots has hands of its own. True: the name does not say whose.
static bool whose_hand(const naming *k, const term *t) {
    const char *arm = arm_meant(k->names->arms, t->text);
    size_t count = k->of_the_world && arm ? k->plan->members.count : 0;
    if (count == 0)
        return false;
    text_buffer all = {0};
    for (size_t i = 0; i < count; i++)
        text_add(&all, "%s%s_%s_gripper", text_joint(i, count, " or "),
                 k->plan->members.items[i].is.name, arm);
    errors_add(k->list, k->file->path, t->line, t->column,
               "'%s' is a hand of each robot, and this goal is about the world: write %s", t->text,
               text_string(&all));
    text_finish(&all);
    return true;
}

static void check_symbol(const naming *k, const term *t, char kind) {
    const plan_names *n = k->names;
    // In the world each of several robots goes by its name.
    if (k->of_the_world && plan_find_member(k->plan, t->text) != PLAN_NO_MEMBER)
        return;
    // An object that is first perceived has a name of its own (plate#1), and names of the robot's
    // parts begin with that of the robot.
    if (strchr(t->text, '#') || (kind == 'H' && whose_hand(k, t)) ||
        strncmp(t->text, "robot", 5) == 0)
        return;
    if (kind == 'O' && n->objects && !has_name(&k->things, t->text)) {
        bool there = list_has(n->bodies, t->text);
        if (there && !k->of_the_world)
            errors_add(k->list, k->file->path, t->line, t->column,
                       "the robot does not know the object '%s' beforehand; describe it, as in "
                       "a(Type), or find it with a perceive step",
                       t->text);
        else if (!there)
            complain_name(&k->things, "object", t->text, k->file->path, t->line, t->column,
                          k->list);
    }
    if (kind == 'H' && list_has(n->arms, t->text) && !hand_name(t->text))
        errors_add(k->list, k->file->path, t->line, t->column,
                   "'%s' is an arm, and this is the place of its hand: write hand(%s)", t->text,
                   t->text);
    if (kind == 'R' && n->regions && !list_has(n->regions, t->text))
        complain_at(k, n->regions, "region", t->text, t->line, t->column);
    if (kind == 'T' && n->types && !list_has(n->types, t->text))
        complain_at(k, n->types, "type", t->text, t->line, t->column);
    if (kind == 'C' && n->colors && !list_has(n->colors, t->text))
        complain_at(k, n->colors, "colour", t->text, t->line, t->column);
}

static void name_class(const naming *k, const char *name, int line, int column) {
    if (name && k->names->failures && !list_has(k->names->failures, name))
        complain_at(k, k->names->failures, "failure class", name, line, column);
}

// ---- Actions and what is performed --------------------------------------------------------------

// The arguments of a primitive action, from entries such as "!navigate.to".
static void find_arguments(const plan_names *names, const char *action, name_list *keys,
                           name_list *required) {
    size_t length = strlen(action);
    for (size_t i = 0; names->arguments && names->arguments[i]; i++) {
        const char *entry = names->arguments[i];
        bool must = entry[0] == '!';
        entry += must;
        if (strncmp(entry, action, length) != 0 || entry[length] != '.')
            continue;
        array_push(keys, entry + length + 1);
        if (must)
            array_push(required, entry + length + 1);
    }
}

static void name_action(const naming *k, const plan_node *n) {
    const plan_names *names = k->names;
    if (!names->actions)
        return;
    if (!list_has(names->actions, n->name)) {
        name_list known = {0};
        for (size_t i = 0; names->actions[i]; i++)
            array_push(&known, names->actions[i]);
        for (int i = 0; i < CONSTRUCT_ACTION; i++)
            array_push(&known, construct_name((construct)i));
        complain_name(&known, "construct or action", n->name, k->file->path, n->line, n->column,
                      k->list);
        array_finish(&known);
        return;
    }
    if (!names->arguments)
        return;
    name_list keys = {0}, required = {0}, given = {0};
    find_arguments(names, n->name, &keys, &required);
    for (size_t i = 0; i < n->binding_count; i++) {
        const plan_binding *b = &n->bindings[i];
        array_push(&given, b->name);
        for (size_t j = 0; j < sizeof ARGUMENTS / sizeof *ARGUMENTS; j++)
            if (b->value && b->value->kind == TERM_SYMBOL &&
                strcmp(b->name, ARGUMENTS[j].functor) == 0)
                check_symbol(k, b->value, ARGUMENTS[j].arguments[0]);
        if (has_name(&keys, b->name))
            continue;
        if (step_key(CONSTRUCT_ACTION, b->name)) {
            errors_add(k->list, k->file->path, b->line, b->column,
                       "%s: goes beside %s:, not among its arguments", b->name, n->name);
        } else {
            char what[96];
            snprintf(what, sizeof what, "argument of %.60s", n->name);
            complain_name(&keys, what, b->name, k->file->path, b->line, b->column, k->list);
        }
    }
    for (size_t i = 0; i < required.count; i++) {
        if (!has_name(&given, required.items[i]))
            errors_add(k->list, k->file->path, n->line, n->column, "%s needs %s:", n->name,
                       required.items[i]);
    }
    array_finish(&keys);
    array_finish(&required);
    array_finish(&given);
}

static void add_variables(const term *t, name_list *out) {
    if (t->kind == TERM_VAR && t->text[0] == '?')
        array_push(out, t->text + 1);
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
        add_variables(t->args[i], out);
}

static void add_keys(const naming *k, const char *type, name_list *keys) {
    for (size_t i = 0; i < k->plan->routines.count; i++) {
        const plan_routine *r = &k->plan->routines.items[i];
        if (!routine_performs(r, type))
            continue;
        add_variables(r->pattern, keys);
        for (size_t j = 0; j < r->with_count; j++)
            array_push(keys, r->with[j].name + 1);
    }
}

static bool is_type(const naming *k, const char *type) {
    for (size_t i = 0; i < k->plan->routines.count; i++) {
        if (routine_performs(&k->plan->routines.items[i], type))
            return true;
    }
    return list_has(k->names->actions, type);
}

static void complain_type(const naming *k, const term *t) {
    name_list known = {0};
    for (size_t i = 0; k->names->actions[i]; i++)
        array_push(&known, k->names->actions[i]);
    for (size_t i = 0; i < k->plan->routines.count; i++) {
        array_push(&known, k->plan->routines.items[i].name);
        array_push(&known, k->plan->routines.items[i].pattern->text);
    }
    complain_name(&known, "action or routine", t->text, k->file->path, t->line, t->column, k->list);
    array_finish(&known);
}

static const term *key_given(const term *list, const char *key) {
    for (const term *l = list; term_is(l, "[|]", 2); l = l->args[1]) {
        if (term_is(l->args[0], key, 1))
            return l->args[0];
    }
    return NULL;
}

// A variable that stands for an arm or a hand need not be given: the robot's own are tried.
static bool is_tried(const char *key) {
    size_t length = strlen(key);
    const char *end = length > 4 ? key + length - 5 : "";
    return strcmp(key, "arm") == 0 || strcmp(key, "hand") == 0 || strcmp(end, "_hand") == 0 ||
           (length > 3 && strcmp(key + length - 4, "_arm") == 0);
}

// The key that a routine must be given and is not; NULL: it has all.
static const char *missing_key(const plan_routine *r, const term *list) {
    const char *missing = NULL;
    name_list keys = {0};
    add_variables(r->pattern, &keys);
    for (size_t i = 0; i < keys.count && !missing; i++)
        missing = is_tried(keys.items[i]) || key_given(list, keys.items[i]) ? NULL : keys.items[i];
    array_finish(&keys);
    return missing;
}

static void check_missing(const naming *k, const char *type, const term *list,
                          const name_list *required) {
    const char *missing = NULL;
    bool routine = false;
    for (size_t i = 0; i < k->plan->routines.count; i++) {
        const plan_routine *r = &k->plan->routines.items[i];
        if (!routine_performs(r, type))
            continue;
        routine = true;
        const char *own = missing_key(r, list);
        if (!own)
            return;
        missing = missing ? missing : own;
    }
    for (size_t i = 0; i < required->count && !routine && !missing; i++)
        missing = key_given(list, required->items[i]) ? NULL : required->items[i];
    if (missing)
        errors_add(k->list, k->file->path, k->line, k->column, "%s needs %s:", type, missing);
}

static void check_key(const naming *k, const char *type, const term *t, const name_list *keys) {
    term_place at = place_of_term(t, k->line, k->column);
    if (t->kind != TERM_COMPOUND && t->kind != TERM_SYMBOL)
        return;
    if (strcmp(t->text, "type") != 0 && !has_name(keys, t->text)) {
        char what[96];
        snprintf(what, sizeof what, "key of %.60s", type);
        complain_name(keys, what, t->text, k->file->path, at.line, at.column, k->list);
    } else if (t->kind == TERM_SYMBOL) {
        errors_add(k->list, k->file->path, at.line, at.column, "%s: needs a value", t->text);
    }
}

static void name_description(const naming *k, const term *list) {
    const term *type = performed_type(list);
    if (!type) {
        if (term_list_length(list) >= 0)
            errors_add(k->list, k->file->path, k->line, k->column,
                       "an action description needs type: with an action or a routine");
        return;
    }
    // Routines alone may count on those of other files.
    if (type->kind != TERM_SYMBOL || !k->names->actions || !k->plan->body)
        return;
    if (!is_type(k, type->text)) {
        complain_type(k, type);
        return;
    }
    name_list keys = {0}, required = {0};
    size_t before = k->list->count;
    find_arguments(k->names, type->text, &keys, &required);
    add_keys(k, type->text, &keys);
    for (const term *l = list; k->names->arguments && term_is(l, "[|]", 2); l = l->args[1])
        check_key(k, type->text, l->args[0], &keys);
    if (k->names->arguments && k->list->count == before && term_list_length(list) >= 0)
        check_missing(k, type->text, list, &required);
    array_finish(&keys);
    array_finish(&required);
}

// ---- Terms --------------------------------------------------------------------------------------

static void name_term(const naming *k, const term *t);

// The type of an action is no type of an object.
static void name_action_term(const naming *k, const term *list) {
    name_description(k, list);
    for (const term *l = list; term_is(l, "[|]", 2); l = l->args[1]) {
        if (!term_is(l->args[0], "type", 1))
            name_term(k, l->args[0]);
    }
}

static void name_place(const naming *k, const term *list) {
    for (const term *l = list; k->names->places && term_is(l, "[|]", 2); l = l->args[1]) {
        const term *t = l->args[0];
        term_place at = place_of_term(t, k->line, k->column);
        if ((t->kind == TERM_COMPOUND || t->kind == TERM_SYMBOL) &&
            !list_has(k->names->places, t->text))
            complain_at(k, k->names->places, "property of a place", t->text, at.line, at.column);
    }
}

// Complains of an a(...) that no object can fit, for it is neither of a type nor of properties.
static void check_described(const naming *k, const term *t) {
    const term *of = t->args[0];
    if (t->arity == 1 && (of->kind != TERM_COMPOUND || term_is(of, "[|]", 2)))
        return;
    char text[256];
    term_format(t, text, sizeof text);
    term_place at = place_of_term(t, k->line, k->column);
    errors_add(k->list, k->file->path, at.line, at.column,
               "%s describes nothing; write a(Type), or a list of properties as in "
               "a([type(cup), color(red)])",
               text);
}

static void name_term(const naming *k, const term *t) {
    for (;;) {
        if (!t || t->kind != TERM_COMPOUND || t->arity == 0)
            return;
        if (term_is(t, "action", 1)) {
            name_action_term(k, t->args[0]);
            return;
        }
        if (term_is(t, "location", 1))
            name_place(k, t->args[0]);
        if (strcmp(t->text, "a") == 0)
            check_described(k, t);
        const char *kinds = arguments_of(t);
        for (uint32_t i = 0; i < t->arity; i++) {
            if (kinds && t->args[i]->kind == TERM_SYMBOL)
                check_symbol(k, t->args[i], kinds[i]);
            if (i + 1 < t->arity)
                name_term(k, t->args[i]);
        }
        t = t->args[t->arity - 1];
    }
}

static void name_terms(const naming *k, const plan_node *n) {
    if (n->kind == CONSTRUCT_PERFORM && n->value && term_list_length(n->value) >= 0)
        name_action_term(k, n->value);
    else if (n->kind != CONSTRUCT_AT_LOCATION) // its location is its first child's
        name_term(k, n->value);
    name_term(k, n->region);
    name_term(k, n->guard);
    // The goals of the whole plan are judged by what is true at the end, not by what the robot
    // knows.
    naming judged = *k;
    judged.of_the_world = n == k->plan->body;
    name_term(&judged, n->goal);
    for (size_t i = 0; i < n->note_count; i++)
        name_term(k, n->notes[i].value);
    for (size_t i = 0; i < n->binding_count; i++)
        name_term(k, n->bindings[i].value);
}

static void name_node(naming *k, const plan_node *n) {
    k->line = n->line;
    k->column = n->column;
    name_terms(k, n);
    for (size_t i = 0; i < n->clause_count; i++) {
        const plan_clause *c = &n->clauses[i];
        name_term(k, c->guard);
        for (size_t j = 0; j < c->class_count; j++)
            name_class(k, c->classes[j], c->places[j].line, c->places[j].column);
    }
    if (n->kind == CONSTRUCT_FAIL)
        name_class(k, n->name, n->line, n->column);
    if (n->kind == CONSTRUCT_ACTION && !n->misread)
        name_action(k, n);
    for (size_t i = 0; i < n->child_count; i++)
        name_node(k, n->children[i]);
}

static void name_routine(naming *k, const plan_routine *r) {
    k->file = r->file;
    k->line = r->line;
    k->column = r->column;
    name_term(k, r->guard);
    for (size_t j = 0; j < r->note_count; j++)
        name_term(k, r->notes[j].value);
    for (size_t j = 0; j < r->with_count; j++)
        name_term(k, r->with[j].value);
    for (size_t j = 0; j < r->let_count; j++)
        name_term(k, r->let[j].value);
    name_node(k, r->body);
    name_term(k, r->returns);
}

void check_names(const plan *p, const plan_names *names, errors *list) {
    naming k = {.plan = p, .names = names, .list = list};
    for (size_t i = 0; names->objects && names->objects[i]; i++)
        array_push(&k.things, names->objects[i]);
    for (size_t i = 0; names->regions && names->regions[i]; i++)
        array_push(&k.things, names->regions[i]);
    for (size_t i = 0; i < p->routines.count; i++)
        name_routine(&k, &p->routines.items[i]);
    k.file = p->files.items[0];
    if (p->body)
        name_node(&k, p->body);
    array_finish(&k.things);
}

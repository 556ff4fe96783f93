// plans/check.c - what can be known to be wrong before anything runs.
#include "plans/plan_int.h"

typedef ARRAY(const char *) name_list;

static bool has_name(const name_list *names, const char *name) {
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i], name) == 0)
            return true;
    }
    return false;
}

// ---- Variables
// -----------------------------------------------------------------------------------

// What has a value at a place: let's variables only within their body, those that `into` and `set`
// bring in from there on in the whole body of the plan or routine.
typedef struct scope {
    const plan_file *file;
    errors *list;
    name_list inner, whole;
} scope;

static void complain_unbound(const scope *s, const char *name, int line, int column) {
    name_list all = {0};
    for (size_t i = 0; i < s->inner.count; i++)
        array_push(&all, s->inner.items[i]);
    for (size_t i = 0; i < s->whole.count; i++)
        array_push(&all, s->whole.items[i]);
    const char *near = nearest_name(name, all.items, all.count);
    if (near)
        errors_add(s->list, s->file->path, line, column, "%s has no value here; did you mean %s?",
                   name, near);
    else
        errors_add(s->list, s->file->path, line, column,
                   "%s has no value here; give it one with let:, set: or into: before", name);
    array_finish(&all);
}

static bool is_bound(const scope *s, const char *name) {
    return has_name(&s->inner, name) || has_name(&s->whole, name);
}

static void check_term(const scope *s, const term *t) {
    for (;;) {
        if (!t)
            return;
        if (t->kind == TERM_VAR && !term_is_anonymous(t) && !is_bound(s, t->text))
            complain_unbound(s, t->text, t->line, t->column);
        if (t->kind != TERM_COMPOUND || t->arity == 0)
            return;
        for (uint32_t i = 0; i + 1 < t->arity; i++)
            check_term(s, t->args[i]);
        t = t->args[t->arity - 1];
    }
}

static void check_text(const scope *s, const plan_node *n) {
    char name[64];
    for (const char *at = n->text ? strchr(n->text, '?') : NULL; at; at = strchr(at + 1, '?')) {
        size_t length = 1;
        while ((at[length] >= 'a' && at[length] <= 'z') ||
               (at[length] >= 'A' && at[length] <= 'Z') ||
               (length > 1 && at[length] >= '0' && at[length] <= '9') || at[length] == '_')
            length++;
        if (length == 1 || length >= sizeof name)
            continue;
        memcpy(name, at, length);
        name[length] = 0;
        if (!is_bound(s, name))
            complain_unbound(s, name, n->line, n->column);
    }
}

static void bind_whole(scope *s, const char *name) {
    if (name && !is_bound(s, name))
        array_push(&s->whole, name);
}

static void check_node(scope *s, const plan_node *n) {
    size_t depth = s->inner.count;
    bool variables = n->kind == CONSTRUCT_LET || n->kind == CONSTRUCT_SET;
    check_term(s, n->value);
    check_term(s, n->region);
    if (n->parent)
        check_term(s, n->goal);
    for (size_t i = 0; i < n->note_count; i++)
        check_term(s, n->notes[i].value);
    check_text(s, n);
    for (size_t i = 0; i < n->binding_count; i++) {
        check_term(s, n->bindings[i].value);
        if (n->kind == CONSTRUCT_LET)
            array_push(&s->inner, n->bindings[i].name);
        else if (variables)
            bind_whole(s, n->bindings[i].name);
    }
    if (n->kind == CONSTRUCT_LOOP && n->name)
        array_push(&s->inner, n->name);
    for (size_t i = 0; i < n->child_count; i++) {
        size_t before = s->inner.count;
        for (size_t j = 0; j < n->clause_count; j++) {
            if (n->clauses[j].body == n->children[i] && n->clauses[j].as)
                array_push(&s->inner, n->clauses[j].as);
        }
        check_node(s, n->children[i]);
        s->inner.count = before;
    }
    s->inner.count = depth;
    bind_whole(s, n->into);
}

static void bind_pattern(scope *s, const term *t) {
    if (t->kind == TERM_VAR && !term_is_anonymous(t))
        bind_whole(s, t->text);
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
        bind_pattern(s, t->args[i]);
}

static void check_routine(const plan_routine *r, errors *list) {
    scope s = {.file = r->file, .list = list};
    bind_pattern(&s, r->pattern);
    check_term(&s, r->guard);
    for (size_t i = 0; i < r->with_count; i++) {
        check_term(&s, r->with[i].value);
        bind_whole(&s, r->with[i].name);
    }
    for (size_t i = 0; i < r->let_count; i++) {
        check_term(&s, r->let[i].value);
        bind_whole(&s, r->let[i].name);
    }
    for (size_t i = 0; i < r->note_count; i++)
        check_term(&s, r->notes[i].value);
    check_node(&s, r->body);
    check_term(&s, r->returns);
    array_finish(&s.inner);
    array_finish(&s.whole);
}

void check_variables(const plan *p, errors *list) {
    for (size_t i = 0; i < p->routines.count; i++)
        check_routine(&p->routines.items[i], list);
    if (!p->body)
        return;
    scope s = {.file = p->files.items[0], .list = list};
    check_node(&s, p->body);
    array_finish(&s.inner);
    array_finish(&s.whole);
}

// ---- Goals
// ---------------------------------------------------------------------------------------

// Whether some values of the variables on both sides could make them equal; functions may become
// anything.
static bool may_match(const term *pattern, const term *goal) {
    if (pattern->kind == TERM_VAR || goal->kind == TERM_VAR)
        return true;
    if (pattern->kind != TERM_COMPOUND)
        return goal->kind == TERM_COMPOUND || term_equal(pattern, goal);
    if (goal->kind != TERM_COMPOUND || goal->arity != pattern->arity ||
        strcmp(goal->text, pattern->text) != 0)
        return false;
    for (uint32_t i = 0; i < goal->arity; i++) {
        if (!may_match(pattern->args[i], goal->args[i]))
            return false;
    }
    return true;
}

// `with` must name what some routine for this goal takes.
static void check_with(const plan *p, const plan_node *n, const char *functor, uint32_t arity,
                       const term *goal, errors *list) {
    bool matched = false;
    name_list arguments = {0};
    for (size_t i = 0; i < p->routines.count; i++) {
        const plan_routine *r = &p->routines.items[i];
        const term *pattern = r->pattern;
        bool fits = goal ? may_match(pattern, goal) : term_is(pattern, functor, arity);
        matched = matched || fits;
        for (size_t j = 0; fits && j < r->with_count; j++)
            array_push(&arguments, r->with[j].name);
    }
    if (!matched) {
        const char **names = calloc(p->routines.count + 1, sizeof *names);
        ASSERT(names);
        for (size_t i = 0; i < p->routines.count; i++)
            names[i] = p->routines.items[i].pattern->text;
        const char *near = nearest_name(functor, names, p->routines.count);
        if (near && strcmp(near, functor) != 0)
            errors_add(list, n->file->path, n->line, n->column,
                       "no routine achieves %s/%u; did you mean '%s'?", functor, arity, near);
        else if (p->body) // routines alone may count on those of other files
            errors_add(list, n->file->path, n->line, n->column,
                       "no routine achieves %s with %u arguments; name its file under routines:",
                       functor, arity);
        free(names);
    }
    for (size_t i = 0; matched && i < n->binding_count; i++) {
        const plan_binding *b = &n->bindings[i];
        if (has_name(&arguments, b->name))
            continue;
        const char *near = nearest_name(b->name, arguments.items, arguments.count);
        errors_add(list, n->file->path, b->line, b->column,
                   near ? "no routine for this takes '%s'; did you mean '%s'?"
                        : "no routine for this takes '%s'",
                   b->name + 1, near ? near + 1 : "");
    }
    array_finish(&arguments);
}

static void check_node_goals(const plan *p, const plan_node *n, errors *list) {
    if (n->kind == CONSTRUCT_ACHIEVE && n->value &&
        (n->value->kind == TERM_COMPOUND || n->value->kind == TERM_SYMBOL))
        check_with(p, n, n->value->text, n->value->arity, n->value, list);
    else if (n->kind == CONSTRUCT_PERCEIVE)
        check_with(p, n, GOAL_PERCEIVED, 2, NULL, list);
    for (size_t i = 0; i < n->child_count; i++)
        check_node_goals(p, n->children[i], list);
}

void check_goals(const plan *p, errors *list) {
    for (size_t i = 0; i < p->routines.count; i++)
        check_node_goals(p, p->routines.items[i].body, list);
    if (p->body)
        check_node_goals(p, p->body, list);
}

// ---- Names of the scene
// --------------------------------------------------------------------------

typedef struct naming {
    const plan_names *names;
    const plan_file *file;
    errors *list;
    name_list things; // objects and regions together
} naming;

static size_t count_names(const char *const *names) {
    size_t count = 0;
    while (names && names[count])
        count++;
    return count;
}

static bool among(const char *const *names, const char *name) {
    for (size_t i = 0; names && names[i]; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

static void complain_name(const naming *k, const char *const *known, size_t count, const char *what,
                          const char *name, int line, int column) {
    const char *near = nearest_name(name, known, count);
    if (near)
        errors_add(k->list, k->file->path, line, column, "unknown %s '%s'; did you mean '%s'?",
                   what, name, near);
    else
        errors_add(k->list, k->file->path, line, column, "unknown %s '%s'", what, name);
}

// What a symbol must be that stands as an argument. O: object, region or part of the robot; R:
// region; T: type; anything else is not looked at.
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
    {"color", "O."},
    {"in_front_of", "O"},
    {"in_front_of", "O."},
    {"beside", "O"},
    {"beside", "O."},
    {"reach", "O"},
    {"reach", "O."},
    {"view", "O"},
    {"stands_on", "OO"},
    {"object_in_hand", "O"},
    {"object_in_hand", "OO"},
    {"collision", "OO"},
    {"at_place", "O."},
    {"placed", "O."},
    {"on", "O"},
};

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

static void check_symbol(const naming *k, const term *t, char kind) {
    const plan_names *n = k->names;
    // What is first perceived has a name of its own (plate#1), and the robot's parts begin with its
    // name.
    if (strchr(t->text, '#') || strncmp(t->text, "robot", 5) == 0)
        return;
    if (kind == 'O' && n->objects && !has_name(&k->things, t->text))
        complain_name(k, k->things.items, k->things.count, "object", t->text, t->line, t->column);
    if (kind == 'R' && n->regions && !among(n->regions, t->text))
        complain_name(k, n->regions, count_names(n->regions), "region", t->text, t->line,
                      t->column);
    if (kind == 'T' && n->types && !among(n->types, t->text))
        complain_name(k, n->types, count_names(n->types), "type", t->text, t->line, t->column);
}

static void name_term(const naming *k, const term *t) {
    if (!t || t->kind != TERM_COMPOUND)
        return;
    const char *kinds = arguments_of(t);
    for (uint32_t i = 0; i < t->arity; i++) {
        if (kinds && t->args[i]->kind == TERM_SYMBOL)
            check_symbol(k, t->args[i], kinds[i]);
        name_term(k, t->args[i]);
    }
}

static void name_class(const naming *k, const char *name, int line, int column) {
    if (name && k->names->failures && !among(k->names->failures, name))
        complain_name(k, k->names->failures, count_names(k->names->failures), "failure class", name,
                      line, column);
}

static void name_action(const naming *k, const plan_node *n) {
    const plan_names *names = k->names;
    if (!names->actions)
        return;
    if (!among(names->actions, n->name)) {
        name_list known = {0};
        for (size_t i = 0; names->actions[i]; i++)
            array_push(&known, names->actions[i]);
        for (int i = 0; i < CONSTRUCT_ACTION; i++)
            array_push(&known, construct_name((construct)i));
        complain_name(k, known.items, known.count, "construct or action", n->name, n->line,
                      n->column);
        array_finish(&known);
        return;
    }
    if (!names->arguments)
        return;
    name_list keys = {0}, required = {0};
    size_t length = strlen(n->name);
    for (size_t i = 0; names->arguments[i]; i++) {
        const char *entry = names->arguments[i];
        bool must = entry[0] == '!';
        entry += must;
        if (strncmp(entry, n->name, length) != 0 || entry[length] != '.')
            continue;
        array_push(&keys, entry + length + 1);
        if (must)
            array_push(&required, entry + length + 1);
    }
    for (size_t i = 0; i < n->binding_count; i++) {
        const plan_binding *b = &n->bindings[i];
        if (!has_name(&keys, b->name)) {
            char what[96];
            snprintf(what, sizeof what, "argument of %.60s", n->name);
            complain_name(k, keys.items, keys.count, what, b->name, b->line, b->column);
        }
    }
    for (size_t i = 0; i < required.count; i++) {
        bool given = false;
        for (size_t j = 0; j < n->binding_count && !given; j++)
            given = strcmp(n->bindings[j].name, required.items[i]) == 0;
        if (!given)
            errors_add(k->list, k->file->path, n->line, n->column, "%s needs %s:", n->name,
                       required.items[i]);
    }
    array_finish(&keys);
    array_finish(&required);
}

static void name_node(naming *k, const plan_node *n) {
    name_term(k, n->value);
    name_term(k, n->region);
    name_term(k, n->goal);
    for (size_t i = 0; i < n->note_count; i++)
        name_term(k, n->notes[i].value);
    for (size_t i = 0; i < n->binding_count; i++)
        name_term(k, n->bindings[i].value);
    for (size_t i = 0; i < n->clause_count; i++) {
        for (size_t j = 0; j < n->clauses[i].class_count; j++)
            name_class(k, n->clauses[i].classes[j], n->clauses[i].line, n->clauses[i].column);
    }
    if (n->kind == CONSTRUCT_FAIL)
        name_class(k, n->name, n->line, n->column);
    if (n->kind == CONSTRUCT_ACTION && !n->misread)
        name_action(k, n);
    for (size_t i = 0; i < n->child_count; i++)
        name_node(k, n->children[i]);
}

status plan_check(const plan *p, const plan_names *names, errors *list) {
    size_t before = list->count;
    naming k = {.names = names, .list = list};
    for (size_t i = 0; names->objects && names->objects[i]; i++)
        array_push(&k.things, names->objects[i]);
    for (size_t i = 0; names->regions && names->regions[i]; i++)
        array_push(&k.things, names->regions[i]);
    for (size_t i = 0; i < p->routines.count; i++) {
        const plan_routine *r = &p->routines.items[i];
        k.file = r->file;
        name_term(&k, r->guard);
        for (size_t j = 0; j < r->note_count; j++)
            name_term(&k, r->notes[j].value);
        for (size_t j = 0; j < r->let_count; j++)
            name_term(&k, r->let[j].value);
        name_node(&k, r->body);
    }
    k.file = p->files.items[0];
    if (p->body)
        name_node(&k, p->body);
    array_finish(&k.things);
    return list->count > before ? E_INPUT : OK;
}

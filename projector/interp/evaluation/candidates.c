// projector/interp/evaluation/candidates.c - the routines and primitive actions that a description
// of an action may stand for.
#include "projector/interp/evaluation/candidates.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"

// A description of an action taken apart: its type, and its other keys with their values.
typedef struct wish {
    const char *type;
    action_argument keys[KEYS_MAX];
    size_t count;
} wish;

typedef struct looking {
    interp *i;
    int64_t task;
    const wish *w;
    term_list_array *out;
    char *why;
    size_t size;
    bindings bound; // variables of the routine that is looked at
} looking;

static bool take_apart(interp *i, const term *properties, wish *w) {
    *w = (wish){0};
    for (const term *l = properties; term_is(l, "[|]", 2); l = l->args[1]) {
        const term *p = l->args[0];
        if (p->kind != TERM_COMPOUND || p->arity != 1 || w->count == KEYS_MAX) {
            snprintf(i->reason, sizeof i->reason,
                     "a description of an action has properties key(Value), 32 at most, not %.200s",
                     term_text(i->scratch, p));
            return false;
        }
        if (strcmp(p->text, "type") != 0)
            w->keys[w->count++] = (action_argument){p->text, p->args[0]};
        else if (p->args[0]->kind == TERM_SYMBOL && !w->type)
            w->type = p->args[0]->text;
        else
            w->type = "";
    }
    if (w->type && w->type[0])
        return true;
    snprintf(i->reason, sizeof i->reason,
             "a description of an action needs one type(Name), of a routine or a primitive action");
    return false;
}

bool routine_guard_holds(interp *i, int64_t task, const plan_routine *r, const bindings *bound) {
    // The guard gets a scope of its own, which lasts as long as its evaluation.
    frame own = {.id = task, .boundary = true};
    variable *variables = arena_alloc(i->scratch, (bound->count + 1) * sizeof *variables);
    for (size_t k = 0; k < bound->count; k++) {
        variables[k] = (variable){
            .name = bound->items[k].name, .value = bound->items[k].value, .next = own.variables};
        own.variables = &variables[k];
    }
    bool yes = false;
    return eval_condition(i, &own, task, r->guard, &yes) && yes;
}

const term *argument_resolve(interp *i, int64_t task, const char *name, const char *key,
                             const term *value) {
    if (strcmp(name, "detect") == 0 && strcmp(key, "region") == 0)
        return designator_region(i, task, value);
    if (strcmp(name, "navigate") == 0 && strcmp(key, "to") == 0)
        value = designator_place(i, task, value);
    return designator_resolve(i, task, value);
}

static void add_reason(const looking *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add_reason(const looking *l, const char *format, ...) {
    size_t length = strlen(l->why);
    if (length > 0 && length + 3 < l->size) {
        memcpy(l->why + length, "; ", 3);
        length += 2;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(l->why + length, l->size - length, format, args);
    va_end(args);
}

void pattern_variables(const term *t, const char **names, size_t *count) {
    if (t->kind == TERM_VAR && !term_is_anonymous(t)) {
        for (size_t k = 0; k < *count; k++) {
            if (strcmp(names[k], t->text) == 0)
                return;
        }
        if (*count < KEYS_MAX)
            names[(*count)++] = t->text;
    }
    for (uint32_t k = 0; t->kind == TERM_COMPOUND && k < t->arity; k++)
        pattern_variables(t->args[k], names, count);
}

static const term *wished_value(const wish *w, const char *key) {
    for (size_t k = 0; k < w->count; k++) {
        if (strcmp(w->keys[k].key, key) == 0)
            return w->keys[k].value;
    }
    return NULL;
}

static bool routine_takes(const plan_routine *r, const char *const *names, size_t count,
                          const char *key) {
    for (size_t k = 0; k < count; k++) {
        if (strcmp(names[k] + 1, key) == 0)
            return true;
    }
    for (size_t k = 0; k < r->with_count; k++) {
        if (strcmp(r->with[k].name + 1, key) == 0)
            return true;
    }
    return false;
}

// Whether a variable is named `what`, or ends in _`what`: where a description does not give it,
// ?arm and ?hand may be any arm or hand of the robot.
static bool stands_for(const char *name, const char *what) {
    size_t length = strlen(name), end = strlen(what);
    return length >= end && strcmp(name + length - end, what) == 0 &&
           (name[length - end - 1] == '?' || name[length - end - 1] == '_');
}

static size_t count_values(const interp *i, const char *name) {
    bool known = stands_for(name, "arm") || stands_for(name, "hand");
    return known ? i->mind->robot->arm_count : 0;
}

static const term *value_at(const interp *i, const char *name, size_t k) {
    const robot_arm *arm = &i->mind->robot->arms[k];
    return term_symbol(i->scratch, stands_for(name, "hand") ? arm->gripper.name : arm->name);
}

// Makes a candidate such as pick_up(object(cup#1), hand(left_gripper)): the values of the pattern's
// variables, and the other keys.
static const term *candidate_term(const looking *l, const char *name, const bindings *bound) {
    arena *a = l->i->scratch;
    const term *parts[2 * KEYS_MAX];
    uint32_t count = 0;
    for (size_t k = 0; bound && k < bound->count; k++)
        parts[count++] = term_compound(a, bound->items[k].name + 1, 1, &bound->items[k].value);
    for (size_t k = 0; k < l->w->count; k++) {
        bool said = false;
        for (size_t j = 0; bound && j < bound->count; j++)
            said = said || strcmp(bound->items[j].name + 1, l->w->keys[k].key) == 0;
        if (!said)
            parts[count++] = term_compound(a, l->w->keys[k].key, 1, &l->w->keys[k].value);
    }
    return count > 0 ? term_compound(a, name, count, parts) : term_symbol(a, name);
}

static void offer_routine(looking *l, const plan_routine *r) {
    interp *i = l->i;
    const term *t = candidate_term(l, r->name, &l->bound);
    if (r->guard) {
        bool yes = routine_guard_holds(i, l->task, r, &l->bound);
        add_reason(l, "%.100s: %.250s", term_text(i->scratch, designator_peek(i, t)), i->reason);
        if (!yes)
            return;
    }
    array_push(l->out, t);
}

// Gives the variables from the k-th on their values, the described one or each possible one in
// turn, and offers the routine with all of them.
static void offer_values(looking *l, const plan_routine *r, const char *const *names, size_t count,
                         size_t k) {
    interp *i = l->i;
    if (k == count) {
        offer_routine(l, r);
        return;
    }
    const term *value = wished_value(l->w, names[k] + 1);
    size_t values = value ? 1 : count_values(i, names[k]);
    for (size_t j = 0; j < values; j++) {
        l->bound.count = k;
        array_push(&l->bound, (binding){names[k], value ? value : value_at(i, names[k], j)});
        offer_values(l, r, names, count, k + 1);
    }
}

static void look_at_routine(looking *l, const plan_routine *r) {
    const char *names[KEYS_MAX];
    size_t count = 0;
    pattern_variables(r->pattern, names, &count);
    for (size_t k = 0; k < l->w->count; k++) {
        if (routine_takes(r, names, count, l->w->keys[k].key))
            continue;
        add_reason(l, "%s takes no '%s'", r->name, l->w->keys[k].key);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        if (wished_value(l->w, names[k] + 1) || count_values(l->i, names[k]) > 0)
            continue;
        add_reason(l, "%s needs %s", r->name, names[k] + 1);
        return;
    }
    l->bound.count = 0;
    offer_values(l, r, names, count, 0);
}

static bool is_primitive(const char *name) {
    for (const char *const *n = action_names(); *n; n++) {
        if (strcmp(*n, name) == 0)
            return true;
    }
    return false;
}

static void look_at_action(const looking *l) {
    interp *i = l->i;
    action_argument args[KEYS_MAX];
    for (size_t k = 0; k < l->w->count; k++) {
        args[k] = l->w->keys[k];
        args[k].value = argument_resolve(i, l->task, l->w->type, args[k].key, args[k].value);
        if (!args[k].value) {
            add_reason(l, "%s: %.250s", l->w->type, i->reason);
            return;
        }
    }
    unsigned uses;
    error err = {0};
    status s = action_uses(i->mind, l->w->type, args, l->w->count, &uses, &err);
    if (s == OK)
        array_push(l->out, candidate_term(l, l->w->type, NULL));
    else
        add_reason(l, "%s: %.250s", l->w->type, err.text);
}

const plan_routine *routine_named(const interp *i, const char *name) {
    for (size_t k = 0; k < plan_routine_count(i->plan); k++) {
        const plan_routine *r = plan_routine_at(i->plan, k);
        if (strcmp(r->name, name) == 0)
            return r;
    }
    return NULL;
}

static void say_nearest(interp *i, const char *type) {
    ARRAY(const char *) names = {0};
    for (size_t k = 0; k < plan_routine_count(i->plan); k++)
        array_push(&names, plan_routine_at(i->plan, k)->name);
    for (const char *const *n = action_names(); *n; n++)
        array_push(&names, *n);
    const char *near = nearest_name(type, names.items, names.count);
    snprintf(i->reason, sizeof i->reason,
             near ? "no routine and no action is named %s; did you mean '%s'?"
                  : "no routine and no action is named %s",
             type, near ? near : "");
    array_finish(&names);
}

bool candidates_find(interp *i, int64_t task, const term *properties, term_list_array *out,
                     char *why, size_t size) {
    wish w;
    looking l = {.i = i, .task = task, .w = &w, .out = out, .why = why, .size = size};
    bool any = false;
    why[0] = 0;
    if (!take_apart(i, properties, &w))
        return false;
    for (size_t k = 0; k < plan_routine_count(i->plan); k++) {
        const plan_routine *r = plan_routine_at(i->plan, k);
        if (strcmp(r->name, w.type) != 0 && strcmp(r->pattern->text, w.type) != 0)
            continue;
        any = true;
        look_at_routine(&l, r);
    }
    array_finish(&l.bound);
    // A routine with the name of a primitive action replaces it.
    if (is_primitive(w.type) && !routine_named(i, w.type)) {
        any = true;
        look_at_action(&l);
    }
    if (!any) {
        say_nearest(i, w.type);
        return false;
    }
    if (out->count > 0 && !why[0])
        snprintf(why, size,
                 out->count == 1 ? "the only one" : "the first in the order of the plan");
    return true;
}

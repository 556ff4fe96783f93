// projector/interp/perform.c - action descriptions: the routines and primitive actions that they
// may stand for, and doing one.
#include "projector/interp/interp_int.h"

enum { KEYS_MOST = 32 };

// A description taken apart: its type, and what the other keys give.
typedef struct wish {
    const char *type;
    action_argument keys[KEYS_MOST];
    size_t count;
} wish;

typedef struct looking {
    interp *i;
    int64_t task;
    const wish *w;
    term_list_array *out;
    char *why;
    size_t size;
    bindings bound; // of the routine that is looked at
} looking;

static bool take_apart(interp *i, const term *properties, wish *w) {
    *w = (wish){0};
    for (const term *l = properties; term_is(l, "[|]", 2); l = l->args[1]) {
        const term *p = l->args[0];
        if (p->kind != TERM_COMPOUND || p->arity != 1 || w->count == KEYS_MOST) {
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

static void say(const looking *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const looking *l, const char *format, ...) {
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

// ---- Routines
// ------------------------------------------------------------------------------------

static void list_variables(const term *t, const char **names, size_t *count) {
    if (t->kind == TERM_VAR && !term_is_anonymous(t)) {
        for (size_t k = 0; k < *count; k++) {
            if (strcmp(names[k], t->text) == 0)
                return;
        }
        if (*count < KEYS_MOST)
            names[(*count)++] = t->text;
    }
    for (uint32_t k = 0; t->kind == TERM_COMPOUND && k < t->arity; k++)
        list_variables(t->args[k], names, count);
}

static const term *given(const wish *w, const char *key) {
    for (size_t k = 0; k < w->count; k++) {
        if (strcmp(w->keys[k].key, key) == 0)
            return w->keys[k].value;
    }
    return NULL;
}

static bool takes(const plan_routine *r, const char *const *names, size_t count, const char *key) {
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

// Values that a pattern's variable may have when nothing is said of it: the robot's arms, or hands.
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

// pick_up(object(cup#1), hand(left_gripper)): what the pattern's variables are bound to, and the
// other keys.
static const term *candidate_term(const looking *l, const char *name, const bindings *bound) {
    arena *a = l->i->scratch;
    const term *parts[2 * KEYS_MOST];
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
        bool yes = goal_guard(i, l->task, r, &l->bound);
        say(l, "%.100s: %.250s", term_text(i->scratch, designator_peek(i, t)), i->reason);
        if (!yes)
            return;
    }
    array_push(l->out, t);
}

// Gives the variables values from the k-th on: what was said, or one after the other.
static void offer_values(looking *l, const plan_routine *r, const char *const *names, size_t count,
                         size_t k) {
    interp *i = l->i;
    if (k == count) {
        offer_routine(l, r);
        return;
    }
    const term *value = given(l->w, names[k] + 1);
    size_t values = value ? 1 : count_values(i, names[k]);
    for (size_t j = 0; j < values; j++) {
        l->bound.count = k;
        array_push(&l->bound, (binding){names[k], value ? value : value_at(i, names[k], j)});
        offer_values(l, r, names, count, k + 1);
    }
}

static void look_at_routine(looking *l, const plan_routine *r) {
    const char *names[KEYS_MOST];
    size_t count = 0;
    list_variables(r->pattern, names, &count);
    for (size_t k = 0; k < l->w->count; k++) {
        if (takes(r, names, count, l->w->keys[k].key))
            continue;
        say(l, "%s takes no '%s'", r->name, l->w->keys[k].key);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        if (given(l->w, names[k] + 1) || count_values(l->i, names[k]) > 0)
            continue;
        say(l, "%s needs %s", r->name, names[k] + 1);
        return;
    }
    l->bound.count = 0;
    offer_values(l, r, names, count, 0);
}

// ---- Primitive actions
// ---------------------------------------------------------------------------

static bool is_primitive(const char *name) {
    for (const char *const *n = action_names(); *n; n++) {
        if (strcmp(*n, name) == 0)
            return true;
    }
    return false;
}

static void look_at_action(const looking *l) {
    interp *i = l->i;
    action_argument args[KEYS_MOST];
    for (size_t k = 0; k < l->w->count; k++) {
        args[k] = l->w->keys[k];
        args[k].value = acting_argument(i, l->task, l->w->type, args[k].key, args[k].value);
        if (!args[k].value) {
            say(l, "%s: %.250s", l->w->type, i->reason);
            return;
        }
    }
    unsigned uses;
    error err = {0};
    status s = action_uses(i->mind, l->w->type, args, l->w->count, &uses, &err);
    if (s == OK)
        array_push(l->out, candidate_term(l, l->w->type, NULL));
    else
        say(l, "%s: %.250s", l->w->type, err.text);
}

// ---- Candidates
// ----------------------------------------------------------------------------------

static const plan_routine *routine_named(const interp *i, const char *name) {
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

bool perform_candidates(interp *i, int64_t task, const term *properties, term_list_array *out,
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
    // A routine of an action's name stands in its place.
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

// ---- Doing it
// ------------------------------------------------------------------------------------

// What the chosen one's keys say, in the task's own memory.
static void take_keys(interp *i, frame *f, const term *chosen, const plan_routine *r) {
    uint32_t count = chosen->kind == TERM_COMPOUND ? chosen->arity : 0;
    f->given = arena_alloc(f->memory, (count + 1) * sizeof *f->given);
    for (uint32_t k = 0; k < count; k++) {
        const term *key = chosen->args[k], *value = key->args[0];
        const char *name = key->text;
        if (!r) {
            value = acting_argument(i, f->id, chosen->text, name, value);
            if (!value) {
                f->trouble = arena_strdup(f->memory, i->reason);
                return;
            }
        }
        // `with` of a routine is known by the names of variables.
        name = r ? arena_format(f->memory, "?%s", name) : arena_strdup(f->memory, name);
        f->given[f->given_count++] = (action_argument){name, term_copy(f->memory, value)};
    }
}

static const term *value_given(void *context, const char *name) {
    const frame *f = context;
    for (size_t k = 0; k < f->given_count; k++) {
        if (strcmp(f->given[k].key, name) == 0)
            return f->given[k].value;
    }
    return NULL;
}

static void choose(interp *i, frame *f, const term *wanted, const char **goal) {
    const term *chosen = designator_solution(i, f->id, wanted);
    if (!chosen) {
        f->trouble = arena_strdup(f->memory, i->reason);
        return;
    }
    const plan_routine *r = routine_named(i, chosen->text);
    take_keys(i, f, chosen, r);
    if (f->trouble)
        return;
    if (!r) {
        f->doing = arena_strdup(f->memory, chosen->text);
        return;
    }
    f->routine = r;
    f->value = term_copy(f->memory, term_substitute(i->scratch, r->pattern, value_given, f));
    const term *resolved = designator_resolve(i, f->id, f->value);
    if (resolved)
        *goal = term_text(i->scratch, resolved);
    else
        f->trouble = arena_strdup(f->memory, i->reason);
}

void perform_describe(interp *i, frame *f, const frame *scope, const char **expr,
                      const char **goal) {
    const term *wanted;
    if (!eval_term(i, scope, f->id, f->node->value, &wanted)) {
        f->trouble = arena_strdup(f->memory, i->reason);
        wanted = eval_fill(i, scope, f->node->value);
    } else if (term_list_length(wanted) > 0) {
        wanted = designator_make(i, f->id, "action", wanted);
    }
    if (!f->trouble)
        choose(i, f, wanted, goal);
    *expr = term_text(i->scratch, term_compound(i->scratch, "perform", 1, &wanted));
}

static void begin_routine(interp *i, frame *f) {
    const char *names[KEYS_MOST];
    size_t count = 0;
    list_variables(f->routine->pattern, names, &count);
    i->bound.count = 0;
    for (size_t k = 0; k < count; k++)
        array_push(&i->bound, (binding){names[k], value_given(f, names[k])});
    const term *name = term_symbol(i->scratch, f->routine->name);
    task_choice(i, f, "routine", designator_peek(i, f->value), f->routine->name,
                term_list(i->scratch, &name, 1, NULL), "the description resolved to it");
    f->began = i->now;
    if (!goal_enter(i, f, f->routine) || f->node->seconds == 0)
        return;
    interp_wake(i, f, i->now + nanos_from_seconds(f->node->seconds));
}

static void check_deadline(interp *i, frame *f) {
    double most = f->node->seconds;
    if (most == 0 || i->now - f->began < nanos_from_seconds(most))
        return;
    char reason[96];
    snprintf(reason, sizeof reason, "%.40s was not done within %g s", f->routine->name, most);
    task_fail(i, f, "action_timed_out", reason, NULL);
}

void perform_step(interp *i, frame *f) {
    if (f->doing) {
        acting_step(i, f);
        return;
    }
    frame *body = task_next_ended(f);
    if (body)
        goal_end(i, f, body);
    else if (f->at++ == 0)
        begin_routine(i, f);
    else
        check_deadline(i, f);
}

// projector/interp/evaluation/eval.c - expressions and conditions. An expression is a term in which
// variables stand for their values and functions for theirs; every other compound is data.
// object([...]), location([...]) and action([...]) make descriptions, whose symbols (des#1) stand
// for them until a function, a condition or a goal asks for their solutions. A condition is a term
// over the belief.
#include "base/hash.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"
#include "projector/interp/evaluation/fluent.h"
#include "projector/interp/state/records.h"
#include "projector/interp/state/variables.h"
#include "projector/robot/actions/functions.h"

// The slot of a name, or the empty one where it would be.
static const functor_slot *slot_of(const interp *i, const char *name) {
    for (uint64_t h = hash_bytes(name, strlen(name));; h++) {
        const functor_slot *s = &i->functors[h % FUNCTOR_SLOTS];
        if (!s->name || strcmp(s->name, name) == 0)
            return s;
    }
}

void eval_init(interp *i) {
    static const functor_slot names[] = {
#define FUNCTION(id, name, least, most, doc) {name, FUNCTOR_##id, least, most},
#define CONDITION(id, name, least, most, doc) {name, FUNCTOR_##id, least, most},
#define DESCRIPTION(id, name, doc) {name, FUNCTOR_##id, 1, 1},
#include "projector/interp/functions.def"
#define FUNCTION(name, arity, doc) {#name, FUNCTOR_ROBOT, arity, arity},
#include "projector/robot/actions.def"
    };
    _Static_assert(sizeof names / sizeof *names < FUNCTOR_SLOTS / 2, "more slots are needed");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        functor_slot *s = &i->functors[slot_of(i, names[k].name) - i->functors];
        if (!s->name)
            *s = names[k];
        // A function of the robot may have several numbers of arguments.
        s->least = names[k].least < s->least ? names[k].least : s->least;
        s->most = names[k].most > s->most ? names[k].most : s->most;
    }
}

functor functor_of(const interp *i, const term *t) {
    uint32_t arity = t->kind == TERM_COMPOUND ? t->arity : 0;
    const functor_slot *s = slot_of(i, t->text);
    return s->name && arity >= s->least && arity <= s->most ? (functor)s->id : FUNCTOR_NONE;
}

// Subtracts from `room` the bytes that a copy of a term takes, with the values of its variables
// where `scope` is given; the copy is a tree even where values share parts. 0: there is not enough
// room.
static size_t room_after(const term *t, const frame *scope, size_t room) {
    for (;;) {
        const variable *v = t->kind == TERM_VAR && scope ? variable_find(scope, t->text) : NULL;
        if (v) {
            t = v->value;
            scope = NULL;
        }
        bool parts = t->kind == TERM_COMPOUND && t->arity > 0;
        size_t own =
            sizeof *t + (parts ? t->arity * sizeof *t->args : 0) + (t->text ? strlen(t->text) : 0);
        if (own >= room)
            return 0;
        room -= own;
        if (!parts)
            return room;
        for (uint32_t k = 0; k + 1 < t->arity && room > 0; k++)
            room = room_after(t->args[k], scope, room);
        if (room == 0)
            return 0;
        t = t->args[t->arity - 1];
    }
}

static bool value_fits(interp *i, const term *t) {
    return room_after(t, NULL, VALUE_MAX) > 0 ||
           eval_complain(i, "a value would take more than %d MB", VALUE_MAX >> 20);
}

bool eval_complain(interp *i, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(i->reason, sizeof i->reason, format, args);
    va_end(args);
    return false;
}

bool eval_complain_term(interp *i, const char *what, const term *t) {
    char text[160];
    term_format(t, text, sizeof text);
    return eval_complain(i, "%s: %s", what, text);
}

bool eval_refused(interp *i, status s, const error *err) {
    if (s == E_INPUT || s == E_INFEASIBLE || s == E_LIMIT || s == E_USAGE)
        return eval_complain(i, "%.500s", err->text);
    i->err = *err;
    interp_check(i, s);
    return eval_complain(i, "the log broke");
}

static bool eval_robot_function(const evaluation *e, const term *t, const term **out) {
    interp *i = e->i;
    error err = {0};
    const term *value = NULL, *call = designator_resolve(i, e->task, t);
    // A function whose arguments are not known yet stays as it is.
    if (!call || !term_ground(call))
        return call != NULL;
    status s =
        robot_evaluate(i->mind, i->scratch, call, i->quiet ? 0 : e->task, i->now, &value, &err);
    if (s != OK)
        return eval_refused(i, s, &err);
    if (value)
        *out = value;
    return true;
}

bool eval_apply(const evaluation *e, functor f, const term *t, const term **out) {
    *out = t;
    return f == FUNCTOR_ROBOT ? eval_robot_function(e, t, out) : function_apply(e, f, t, out);
}

// Lists are walked along their spine, however long they are. In a description only the arguments of
// its items are computed, not the items themselves: color(red) is a property even where a function
// has that name.
static bool compute_list(const evaluation *e, const term *t, bool description, const term **out);
static bool eval_compute(const evaluation *e, const term *t, const term **out);

static bool compute_arguments(const evaluation *e, const term *t, const term **out) {
    const term **args = arena_alloc(e->i->scratch, (t->arity + 1) * sizeof *args);
    bool same = true;
    for (uint32_t k = 0; k < t->arity; k++) {
        if (!eval_compute(e, t->args[k], &args[k]))
            return false;
        same = same && args[k] == t->args[k];
    }
    *out = same ? t : term_compound(e->i->scratch, t->text, t->arity, args);
    return true;
}

static bool compute_list(const evaluation *e, const term *t, bool description, const term **out) {
    size_t count = 0;
    for (const term *l = t; term_is(l, "[|]", 2); l = l->args[1])
        count++;
    const term **items = arena_alloc(e->i->scratch, (count + 1) * sizeof *items);
    bool same = true;
    const term *tail = t;
    for (size_t k = 0; k < count; k++, tail = tail->args[1]) {
        const term *item = tail->args[0];
        bool only_inside = description && item->kind == TERM_COMPOUND && !term_is(item, "[|]", 2);
        if (!(only_inside ? compute_arguments(e, item, &items[k])
                          : eval_compute(e, item, &items[k])))
            return false;
        same = same && items[k] == item;
    }
    const term *end = tail;
    if (!term_is_symbol(tail, "[]") && !eval_compute(e, tail, &end))
        return false;
    *out = same && end == tail ? t : term_list(e->i->scratch, items, count, end);
    return true;
}

// Makes the description of object([...]), location([...]) or action([...]). Any other compound of
// such a name and one argument, such as a property object(?cup) of an action, is data.
static bool compute_description(const evaluation *e, const term *t, const term **out) {
    const term *properties = t->args[0];
    if (term_is(properties, "[|]", 2)) {
        if (!compute_list(e, properties, true, &properties))
            return false;
    } else if (!eval_compute(e, properties, &properties)) {
        return false;
    }
    if (term_list_length(properties) < 0) {
        *out = term_compound(e->i->scratch, t->text, 1, &properties);
        return true;
    }
    *out = e->asking ? designator_passing(e->i, e->task, t->text, properties)
                     : designator_make(e->i, e->task, t->text, properties);
    return *out != NULL;
}

static bool eval_compute(const evaluation *e, const term *t, const term **out) {
    switch (t->kind) {
    case TERM_INT:
    case TERM_FLOAT:
    case TERM_STRING:
        *out = t;
        return true;
    case TERM_SYMBOL:
        *out = t;
        return functor_of(e->i, t) != FUNCTOR_ROBOT || eval_robot_function(e, t, out);
    case TERM_VAR: {
        *out = t;
        if (term_is_anonymous(t))
            return true;
        const variable *v = variable_find(e->scope, t->text);
        if (!v)
            return eval_complain(e->i, "%s has no value", t->text);
        *out = v->value;
        return true;
    }
    case TERM_COMPOUND:
        break;
    }
    if (term_is(t, "[|]", 2))
        return compute_list(e, t, false, out);
    functor f = functor_of(e->i, t);
    if (f == FUNCTOR_OBJECT || f == FUNCTOR_LOCATION || f == FUNCTOR_ACTION)
        return compute_description(e, t, out);
    const term *call;
    if (!compute_arguments(e, t, &call) || !eval_apply(e, f, call, out))
        return false;
    // The size of a value is checked at each function: one may double its argument, and stand
    // within another.
    return *out == call || value_fits(e->i, *out);
}

bool eval_term(interp *i, const frame *scope, int64_t task, const term *t, const term **out) {
    evaluation e = {i, scope, task, false};
    return eval_compute(&e, t, out) && value_fits(i, *out);
}

static const term *look_up(void *context, const char *name) {
    const variable *v = variable_find(*(const frame *const *)context, name);
    return v ? v->value : NULL;
}

const term *eval_fill(interp *i, const frame *scope, const term *t) {
    bool as_it_is = term_ground(t) || room_after(t, scope, VALUE_MAX) == 0;
    return as_it_is ? t : term_substitute(i->scratch, t, look_up, &scope);
}

// The length of the variable's name that begins at this point of a text, its ? included; 1: none
// does.
static size_t name_length(const char *text) {
    size_t n = 1;
    while ((text[n] >= 'a' && text[n] <= 'z') || (text[n] >= 'A' && text[n] <= 'Z') ||
           text[n] == '_' || (n > 1 && text[n] >= '0' && text[n] <= '9'))
        n++;
    return n;
}

const char *eval_text(interp *i, const frame *scope, const char *text) {
    char *all = arena_strdup(i->scratch, "");
    char name[64];
    for (const char *mark; (mark = strchr(text, '?')) != NULL;) {
        size_t n = name_length(mark);
        const variable *v = NULL;
        if (n > 1 && n < sizeof name) {
            memcpy(name, mark, n);
            name[n] = 0;
            v = variable_find(scope, name);
        }
        // For a description that has a solution the solution is written.
        const char *value = !v ? NULL
                            : strlen(all) > TEXT_MAX
                                ? "..."
                                : term_text(i->scratch, designator_peek(i, v->value));
        all = arena_format(i->scratch, "%s%.*s%s", all, (int)(mark - text + (v ? 0 : (long)n)),
                           text, v ? value : "");
        text = mark + n;
    }
    return arena_format(i->scratch, "%s%s", all, text);
}

static void note_reason(interp *i, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note_reason(interp *i, const char *format, ...) {
    if (i->quiet)
        return;
    size_t length = strlen(i->reason);
    va_list args;
    va_start(args, format);
    if (length + 1 < sizeof i->reason)
        vsnprintf(i->reason + length, sizeof i->reason - length, format, args);
    va_end(args);
}

static bool decide_condition(const evaluation *e, const term *t, bool *out);

// The value of a term, with its descriptions resolved.
static bool value_of(const evaluation *e, const term *t, const term **out) {
    if (!eval_compute(e, t, out) || !value_fits(e->i, *out))
        return false;
    *out = designator_resolve(e->i, e->task, *out);
    return *out != NULL;
}

static void note_term(const evaluation *e, const term *t, const char *is) {
    char text[160];
    if (e->i->quiet)
        return;
    term_format(t, text, sizeof text);
    note_reason(e->i, "%s%s: %s", e->i->reason[0] ? "; " : "", text, is);
}

static bool compare_values(const evaluation *e, functor f, const term *t, bool *out) {
    const term *both[2];
    double x, y;
    if (!value_of(e, t->args[0], &both[0]) || !value_of(e, t->args[1], &both[1]))
        return false;
    bool numbers = term_number(both[0], &x) && term_number(both[1], &y);
    if (f == FUNCTOR_EQUAL || f == FUNCTOR_UNEQUAL)
        *out = (numbers ? x == y : term_equal(both[0], both[1])) == (f == FUNCTOR_EQUAL);
    else if (!numbers)
        return eval_complain_term(e->i, "not numbers in", t);
    else
        *out = f == FUNCTOR_LESS      ? x < y
               : f == FUNCTOR_AT_MOST ? x <= y
               : f == FUNCTOR_MORE    ? x > y
                                      : x >= y;
    if (!e->i->quiet)
        note_term(e, term_compound(e->i->scratch, t->text, 2, both), *out ? "true" : "false");
    return true;
}

static bool ask_belief(const evaluation *e, const term *t, bool *out) {
    interp *i = e->i;
    const term *occasion;
    if (!value_of(e, t, &occasion))
        return false;
    error err = {0};
    i->found.count = 0;
    status s = belief_solve(i->mind->belief, i->scratch, occasion, &i->found, &err);
    if (s != OK)
        return eval_refused(i, s, &err);
    *out = i->found.count > 0;
    note_term(e, *out ? i->found.items[0] : occasion, *out ? "believed" : "not believed");
    return true;
}

// gripper_closed(Arm): whether the fingers met at their last reading, so that nothing is between
// them.
static bool ask_gripper(const evaluation *e, const term *t, bool *out) {
    const robot_model *r = e->i->mind->robot;
    const term *arm;
    if (!value_of(e, t->args[0], &arm))
        return false;
    for (size_t k = 0; k < r->arm_count; k++) {
        if (!term_is_symbol(arm, r->arms[k].name) && !term_is_symbol(arm, r->arms[k].gripper.name))
            continue;
        const gripper_state *g = belief_gripper(e->i->mind->belief, k);
        *out = g->read && g->opening <= CLOSED_OPENING;
        note_reason(e->i, "%sgripper_closed(%s): %s (%.1f mm)", e->i->reason[0] ? "; " : "",
                    r->arms[k].name, *out ? "true" : "false", 1000 * g->opening);
        return true;
    }
    return eval_complain_term(e->i, "the robot has no such hand", arm);
}

// Whether all (or any) of the arguments hold; arguments behind the first that decides are not
// evaluated.
static bool decide_all(const evaluation *e, const term *t, bool all, bool *out) {
    *out = all;
    for (uint32_t k = 0; k < t->arity && *out == all; k++) {
        if (!decide_condition(e, t->args[k], out))
            return false;
    }
    return true;
}

static bool look_into_list(const evaluation *e, const term *t, bool *out) {
    const term *list, *item = NULL;
    if (!value_of(e, t->args[t->arity - 1], &list) ||
        (t->arity == 2 && !value_of(e, t->args[0], &item)))
        return false;
    int64_t length = term_list_length(list);
    if (length < 0)
        return eval_complain_term(e->i, "not a list in", t);
    *out = t->arity == 1 && length == 0;
    for (; item && !*out && term_is(list, "[|]", 2); list = list->args[1])
        *out = term_equal(list->args[0], item);
    note_reason(e->i, "%s%s: %s", e->i->reason[0] ? "; " : "", t->text, *out ? "true" : "false");
    return true;
}

// resolvable(Description): whether something fits it now.
static bool ask_resolvable(const evaluation *e, const term *t, bool *out) {
    const term *what = t->args[0];
    functor f = what->kind == TERM_COMPOUND ? functor_of(e->i, what) : FUNCTOR_NONE;
    if (f == FUNCTOR_OBJECT || f == FUNCTOR_LOCATION || f == FUNCTOR_ACTION) {
        // The condition's reason does not tell why nothing fits.
        const char *so_far = arena_strdup(e->i->scratch, e->i->reason);
        const term *value;
        *out = eval_compute(e, what, &value);
        snprintf(e->i->reason, sizeof e->i->reason, "%s", so_far);
        note_term(e, t, *out ? "true" : "false");
        return e->i->failed == OK;
    }
    if (!eval_compute(e, what, &what))
        return false;
    if (!designator_resolvable(e->i, e->task, what, out))
        return false;
    note_term(e, term_compound(e->i->scratch, t->text, 1, &what), *out ? "true" : "false");
    return true;
}

static bool decide_compound(const evaluation *e, const term *t, bool *out) {
    functor f = functor_of(e->i, t);
    switch (f) {
    case FUNCTOR_NOT: {
        bool inner;
        if (!decide_condition(e, t->args[0], &inner))
            return false;
        *out = !inner;
        return true;
    }
    case FUNCTOR_COMMA:
    case FUNCTOR_AND:
        return decide_all(e, t, true, out);
    case FUNCTOR_SEMICOLON:
    case FUNCTOR_OR:
        return decide_all(e, t, false, out);
    case FUNCTOR_EQUAL:
    case FUNCTOR_UNEQUAL:
    case FUNCTOR_LESS:
    case FUNCTOR_AT_MOST:
    case FUNCTOR_MORE:
    case FUNCTOR_AT_LEAST:
        return compare_values(e, f, t, out);
    case FUNCTOR_EMPTY:
    case FUNCTOR_MEMBER:
        return look_into_list(e, t, out);
    case FUNCTOR_PULSED:
    case FUNCTOR_RISES:
    case FUNCTOR_FALLS:
        return fluent_operator(e->i, t, out);
    case FUNCTOR_TASK:
        return fluent_task(e->i, e->scope, t, out);
    case FUNCTOR_GRIPPER_CLOSED:
        return ask_gripper(e, t, out);
    case FUNCTOR_RESOLVABLE:
        return ask_resolvable(e, t, out);
    default:
        return ask_belief(e, t, out);
    }
}

static bool decide_condition(const evaluation *e, const term *t, bool *out) {
    if (t->kind == TERM_COMPOUND)
        return decide_compound(e, t, out);
    if (t->kind == TERM_VAR) {
        const term *value;
        if (!eval_compute(e, t, &value))
            return false;
        if (value->kind == TERM_VAR)
            return eval_complain(e->i, "%s is no condition", t->text);
        return decide_condition(e, value, out);
    }
    if (!term_is_symbol(t, "true") && !term_is_symbol(t, "false"))
        return eval_complain_term(e->i, "this is no condition", t);
    *out = t->text[0] == 't';
    return true;
}

bool eval_condition(interp *i, const frame *scope, int64_t task, const term *t, bool *out) {
    evaluation e = {i, scope, task, true};
    i->reason[0] = 0;
    return decide_condition(&e, t, out);
}

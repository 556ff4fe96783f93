// projector/interp/eval.c - variables, expressions and conditions.
//
// An expression is a term in which variables stand for their values and functions for theirs; every
// other compound is data. A condition is a term over the belief.
#include "base/number.h"
#include "projector/interp/interp_int.h"

// Functions that need what the robot knows.
static const struct {
    const char *name;
    uint32_t arity;
} ROBOT_FUNCTIONS[] = {
#define FUNCTION(name, arity, doc) {#name, arity},
#include "projector/robot/actions.def"
};

typedef struct evaluation {
    interp *i;
    const frame *scope;
    int64_t task; // for the choices of functions
} evaluation;

// ---- Variables
// -----------------------------------------------------------------------------------

variable *variable_find(const frame *scope, const char *name) {
    for (const frame *f = scope; f; f = f->parent) {
        for (variable *v = f->variables; v; v = v->next) {
            if (v->name == name || strcmp(v->name, name) == 0)
                return v;
        }
        if (f->boundary)
            break;
    }
    return NULL;
}

static void put_variable(interp *i, const frame *owner, const variable *v, int64_t by,
                         const char *point) {
    record r = {.kind = RECORD_VARIABLE, .id = sink_id(i->log, RECORD_VARIABLE)};
    r.VARIABLE.agent = i->mind->agent;
    r.VARIABLE.task = owner->id;
    r.VARIABLE.name = v->name + 1;
    r.VARIABLE.value = term_text(i->scratch, v->value);
    r.VARIABLE.t_ns = i->now;
    r.VARIABLE.by = by;
    r.VARIABLE.point = point;
    interp_put(i, &r);
}

void variable_make(interp *i, frame *f, const char *name, const term *value, int64_t by,
                   const char *point) {
    variable *v = arena_alloc(f->memory, sizeof *v);
    v->name = name;
    v->value = term_copy(f->memory, value);
    v->next = f->variables;
    f->variables = v;
    put_variable(i, f, v, by, point);
}

void variable_set(interp *i, frame *scope, const char *name, const term *value, int64_t by,
                  const char *point) {
    frame *owner = scope;
    variable *v = NULL;
    for (;; owner = owner->parent) {
        for (v = owner->variables; v && strcmp(v->name, name) != 0;)
            v = v->next;
        if (v || owner->boundary)
            break;
    }
    if (!v) {
        variable_make(i, owner, name, value, by, point);
        return;
    }
    // The new value may be made of the old one, so that lives until the next.
    arena *into = v->spare ? v->spare : arena_take(i);
    v->value = term_copy(into, value);
    if (v->now)
        arena_reset(v->now);
    v->spare = v->now;
    v->now = into;
    put_variable(i, owner, v, by, point);
}

void variables_free(interp *i, frame *f) {
    for (variable *v = f->variables; v; v = v->next) {
        if (v->now)
            arena_give(i, v->now);
        if (v->spare)
            arena_give(i, v->spare);
    }
    f->variables = NULL;
}

// ---- Expressions
// ---------------------------------------------------------------------------------

static bool complain(interp *i, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool complain(interp *i, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(i->reason, sizeof i->reason, format, args);
    va_end(args);
    return false;
}

static bool complain_term(interp *i, const char *what, const term *t) {
    char text[160];
    term_format(t, text, sizeof text);
    return complain(i, "%s: %s", what, text);
}

static bool compute(const evaluation *e, const term *t, const term **out);

static const term *number_term(arena *a, double value, bool whole) {
    if (whole && value >= -9e15 && value <= 9e15 && value == (double)(int64_t)value)
        return term_int(a, (int64_t)value);
    return term_float(a, value);
}

// Arithmetic on numbers; *known is false where the functor is none of it.
static bool arithmetic(const evaluation *e, const term *t, const term **out, bool *known) {
    double x = 0, y = 0, r = 0;
    bool two = t->arity == 2;
    *known = false;
    if (t->arity > 2 || t->arity < 1)
        return true;
    const char *f = t->text;
    bool sign = strcmp(f, "+") == 0 || strcmp(f, "-") == 0;
    bool pair = two && (sign || strcmp(f, "*") == 0 || strcmp(f, "/") == 0 ||
                        strcmp(f, "mod") == 0 || strcmp(f, "min") == 0 || strcmp(f, "max") == 0);
    if (!pair && !(!two && (strcmp(f, "-") == 0 || strcmp(f, "abs") == 0)))
        return true;
    *known = true;
    if (!term_number(t->args[0], &x) || (two && !term_number(t->args[1], &y)))
        return complain_term(e->i, "not a number in", t);
    bool whole = t->args[0]->kind == TERM_INT && (!two || t->args[1]->kind == TERM_INT);
    if (!two)
        r = strcmp(f, "abs") == 0 ? fabs(x) : -x;
    else if (strcmp(f, "+") == 0)
        r = x + y;
    else if (strcmp(f, "-") == 0)
        r = x - y;
    else if (strcmp(f, "*") == 0)
        r = x * y;
    else if (strcmp(f, "min") == 0)
        r = fmin(x, y);
    else if (strcmp(f, "max") == 0)
        r = fmax(x, y);
    else if (y == 0)
        return complain_term(e->i, "division by zero in", t);
    else if (strcmp(f, "/") == 0) {
        r = x / y;
        whole = false;
    } else
        r = x - y * floor(x / y);
    if (!isfinite(r))
        return complain_term(e->i, "the result is no number:", t);
    *out = number_term(e->i->scratch, r, whole);
    return true;
}

static bool need_list(const evaluation *e, const term *t, const term *list, int64_t *length) {
    *length = term_list_length(list);
    return *length >= 0 || complain_term(e->i, "not a list in", t);
}

static const term *list_copy(arena *a, const term *list, int64_t length, const term *except,
                             bool reverse, const term *tail) {
    const term **items = arena_alloc(a, ((size_t)length + 1) * sizeof *items);
    size_t count = 0;
    for (; term_is(list, "[|]", 2); list = list->args[1]) {
        if (!except || !term_equal(list->args[0], except))
            items[count++] = list->args[0];
    }
    for (size_t k = 0; reverse && k < count / 2; k++) {
        const term *swap = items[k];
        items[k] = items[count - 1 - k];
        items[count - 1 - k] = swap;
    }
    return term_list(a, items, count, tail);
}

static bool list_function(const evaluation *e, const term *t, const term **out, bool *known) {
    arena *a = e->i->scratch;
    int64_t length;
    const char *f = t->text;
    *known = true;
    if (t->arity == 1 &&
        (strcmp(f, "first") == 0 || strcmp(f, "rest") == 0 || strcmp(f, "last") == 0 ||
         strcmp(f, "length") == 0 || strcmp(f, "reverse") == 0)) {
        const term *list = t->args[0];
        if (!need_list(e, t, list, &length))
            return false;
        if (f[0] == 'l' && f[1] == 'e') {
            *out = term_int(a, length);
            return true;
        }
        if (strcmp(f, "reverse") == 0) {
            *out = list_copy(a, list, length, NULL, true, NULL);
            return true;
        }
        if (length == 0)
            return complain_term(e->i, "the list is empty in", t);
        if (strcmp(f, "rest") == 0)
            *out = list->args[1];
        else
            *out = term_list_item(list, f[0] == 'f' ? 0 : (size_t)length - 1);
        return true;
    }
    if (t->arity == 2 && strcmp(f, "nth") == 0) {
        double index;
        if (!need_list(e, t, t->args[0], &length))
            return false;
        if (!term_number(t->args[1], &index) || !(index >= 1 && index <= (double)length))
            return complain_term(e->i, "no such place (they count from 1) in", t);
        *out = term_list_item(t->args[0], (size_t)index - 1);
        return true;
    }
    if (t->arity == 2 && (strcmp(f, "append") == 0 || strcmp(f, "without") == 0)) {
        if (!need_list(e, t, t->args[0], &length))
            return false;
        if (f[0] == 'w')
            *out = list_copy(a, t->args[0], length, t->args[1], false, NULL);
        else
            *out =
                list_copy(a, t->args[0], length, NULL, false,
                          term_list_length(t->args[1]) >= 0 ? t->args[1]
                                                            : term_list(a, &t->args[1], 1, NULL));
        return true;
    }
    *known = false;
    return true;
}

static bool is_robot_function(const char *name, uint32_t arity) {
    for (size_t k = 0; k < sizeof ROBOT_FUNCTIONS / sizeof *ROBOT_FUNCTIONS; k++) {
        if (ROBOT_FUNCTIONS[k].arity == arity && strcmp(ROBOT_FUNCTIONS[k].name, name) == 0)
            return true;
    }
    return false;
}

// A request that the robot cannot answer is the plan's failure; anything else is a broken log.
static bool plan_is_wrong(status s) {
    return s == E_INPUT || s == E_INFEASIBLE || s == E_LIMIT || s == E_USAGE;
}

static bool robot_function(const evaluation *e, const term *t, const term **out) {
    interp *i = e->i;
    error err = {0};
    const term *value = NULL;
    status s = robot_evaluate(i->mind, i->scratch, t, e->task, i->now, &value, &err);
    if (s == OK) {
        if (value)
            *out = value;
        return true;
    }
    if (plan_is_wrong(s))
        return complain(i, "%.500s", err.text);
    i->err = err;
    interp_check(i, s);
    return complain(i, "the log broke");
}

// Whether an object has a property, as the belief has it: type(cup) of plate#1 is type(plate#1,
// cup).
static bool has_property(const evaluation *e, const term *object, const term *wanted, bool *out) {
    interp *i = e->i;
    uint32_t given = wanted->kind == TERM_COMPOUND ? wanted->arity : 0;
    if (wanted->kind != TERM_COMPOUND && wanted->kind != TERM_SYMBOL)
        return complain_term(i, "this is no property", wanted);
    const term **args = arena_alloc(i->scratch, (given + 1) * sizeof *args);
    args[0] = object;
    for (uint32_t k = 0; k < given; k++)
        args[k + 1] = wanted->args[k];
    error err = {0};
    i->found.count = 0;
    status s =
        belief_solve(i->mind->belief, i->scratch,
                     term_compound(i->scratch, wanted->text, given + 1, args), &i->found, &err);
    *out = i->found.count > 0;
    if (s == OK)
        return true;
    if (!plan_is_wrong(s)) {
        i->err = err;
        interp_check(i, s);
    }
    return complain(i, "%.500s", err.text);
}

// fitting(Objects, Description): those that have all the properties; arm_of(Hand): whose gripper it
// is.
static bool mind_function(const evaluation *e, const term *t, const term **out, bool *known) {
    interp *i = e->i;
    *known = true;
    if (term_is(t, "arm_of", 1)) {
        const robot_model *r = i->mind->robot;
        for (size_t k = 0; k < r->arm_count; k++) {
            if (term_is_symbol(t->args[0], r->arms[k].gripper.name) ||
                term_is_symbol(t->args[0], r->arms[k].name)) {
                *out = term_symbol(i->scratch, r->arms[k].name);
                return true;
            }
        }
        return complain_term(i, "the robot has no such hand", t->args[0]);
    }
    if (!term_is(t, "fitting", 2)) {
        *known = false;
        return true;
    }
    int64_t length, properties;
    if (!need_list(e, t, t->args[0], &length) || !need_list(e, t, t->args[1], &properties))
        return false;
    const term **kept = arena_alloc(i->scratch, ((size_t)length + 1) * sizeof *kept);
    size_t count = 0;
    for (const term *l = t->args[0]; term_is(l, "[|]", 2); l = l->args[1]) {
        bool fits = true;
        for (const term *p = t->args[1]; fits && term_is(p, "[|]", 2); p = p->args[1]) {
            if (!has_property(e, l->args[0], p->args[0], &fits))
                return false;
        }
        if (fits)
            kept[count++] = l->args[0];
    }
    *out = term_list(i->scratch, kept, count, NULL);
    return true;
}

// A compound whose arguments are computed: a function's value, or itself.
static bool apply(const evaluation *e, const term *t, const term **out) {
    bool known;
    *out = t;
    if (!arithmetic(e, t, out, &known))
        return false;
    if (!known && !list_function(e, t, out, &known))
        return false;
    if (!known && !mind_function(e, t, out, &known))
        return false;
    if (!known && is_robot_function(t->text, t->arity) && term_ground(t))
        return robot_function(e, t, out);
    return true;
}

// Lists are walked along their spine, however long they are.
static bool compute_list(const evaluation *e, const term *t, const term **out) {
    ARRAY(const term *) items = {0};
    bool good = true, same = true;
    const term *tail = t;
    for (; good && term_is(tail, "[|]", 2); tail = tail->args[1]) {
        const term *item = NULL;
        good = compute(e, tail->args[0], &item);
        same = same && item == tail->args[0];
        array_push(&items, item);
    }
    const term *end = tail;
    if (good && !term_is_symbol(tail, "[]"))
        good = compute(e, tail, &end);
    if (good)
        *out = same && end == tail ? t : term_list(e->i->scratch, items.items, items.count, end);
    array_finish(&items);
    return good;
}

static bool compute(const evaluation *e, const term *t, const term **out) {
    switch (t->kind) {
    case TERM_INT:
    case TERM_FLOAT:
    case TERM_STRING:
        *out = t;
        return true;
    case TERM_SYMBOL:
        *out = t;
        return !is_robot_function(t->text, 0) || robot_function(e, t, out);
    case TERM_VAR: {
        *out = t;
        if (term_is_anonymous(t))
            return true;
        const variable *v = variable_find(e->scope, t->text);
        if (!v)
            return complain(e->i, "%s has no value", t->text);
        *out = v->value;
        return true;
    }
    case TERM_COMPOUND:
        break;
    }
    if (term_is(t, "[|]", 2))
        return compute_list(e, t, out);
    const term **args = arena_alloc(e->i->scratch, (t->arity + 1) * sizeof *args);
    bool same = true;
    for (uint32_t k = 0; k < t->arity; k++) {
        if (!compute(e, t->args[k], &args[k]))
            return false;
        same = same && args[k] == t->args[k];
    }
    return apply(e, same ? t : term_compound(e->i->scratch, t->text, t->arity, args), out);
}

bool eval_term(interp *i, const frame *scope, int64_t task, const term *t, const term **out) {
    evaluation e = {i, scope, task};
    return compute(&e, t, out);
}

static const term *look_up(void *context, const char *name) {
    const variable *v = variable_find(*(const frame *const *)context, name);
    return v ? v->value : NULL;
}

const term *eval_fill(interp *i, const frame *scope, const term *t) {
    return term_ground(t) ? t : term_substitute(i->scratch, t, look_up, &scope);
}

const char *eval_text(interp *i, const frame *scope, const char *text) {
    ARRAY(char) out = {0};
    char name[64];
    while (*text) {
        size_t n = 1;
        while (*text == '?' && n + 1 < sizeof name &&
               ((text[n] >= 'a' && text[n] <= 'z') || text[n] == '_' ||
                (text[n] >= 'A' && text[n] <= 'Z') || (n > 1 && text[n] >= '0' && text[n] <= '9')))
            n++;
        const variable *v = NULL;
        if (n > 1) {
            memcpy(name, text, n);
            name[n] = 0;
            v = variable_find(scope, name);
        }
        const char *piece = text;
        size_t length = n;
        if (v) {
            piece = term_text(i->scratch, v->value);
            length = strlen(piece);
        }
        for (size_t k = 0; k < length; k++)
            array_push(&out, piece[k]);
        text += n;
    }
    const char *result = arena_copy(i->scratch, out.items ? out.items : "", out.count);
    array_finish(&out);
    return result;
}

// ---- Conditions
// ----------------------------------------------------------------------------------

static void note(interp *i, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(interp *i, const char *format, ...) {
    size_t length = strlen(i->reason);
    va_list args;
    va_start(args, format);
    if (length + 1 < sizeof i->reason)
        vsnprintf(i->reason + length, sizeof i->reason - length, format, args);
    va_end(args);
}

static bool decide(const evaluation *e, const term *t, bool *out);

static bool compare(const evaluation *e, const term *t, bool *out) {
    const term *a, *b;
    double x, y;
    if (!compute(e, t->args[0], &a) || !compute(e, t->args[1], &b))
        return false;
    bool numbers = term_number(a, &x) && term_number(b, &y);
    const char *f = t->text;
    if (strcmp(f, "=") == 0)
        *out = numbers ? x == y : term_equal(a, b);
    else if (strcmp(f, "!=") == 0)
        *out = numbers ? x != y : !term_equal(a, b);
    else if (!numbers)
        return complain_term(e->i, "not numbers in", t);
    else
        *out = f[0] == '<' ? (f[1] ? x <= y : x < y) : (f[1] ? x >= y : x > y);
    const term *both[2] = {a, b};
    char text[160];
    term_format(term_compound(e->i->scratch, f, 2, both), text, sizeof text);
    note(e->i, "%s%s: %s", e->i->reason[0] ? "; " : "", text, *out ? "true" : "false");
    return true;
}

static bool ask_belief(const evaluation *e, const term *t, bool *out) {
    interp *i = e->i;
    const term *occasion;
    char text[160];
    if (!compute(e, t, &occasion))
        return false;
    error err = {0};
    i->found.count = 0;
    status s = belief_solve(i->mind->belief, i->scratch, occasion, &i->found, &err);
    if (s != OK && !plan_is_wrong(s)) {
        i->err = err;
        interp_check(i, s);
    }
    if (s != OK)
        return complain(i, "%.500s", err.text);
    *out = i->found.count > 0;
    term_format(*out ? i->found.items[0] : occasion, text, sizeof text);
    note(i, "%s%s: %s", i->reason[0] ? "; " : "", text, *out ? "believed" : "not believed");
    return true;
}

// gripper_closed(Arm): its fingers have met, as they were read last; what it held is gone.
static bool ask_gripper(const evaluation *e, const term *t, bool *out) {
    const robot_model *r = e->i->mind->robot;
    const term *arm;
    if (!compute(e, t->args[0], &arm))
        return false;
    for (size_t k = 0; k < r->arm_count; k++) {
        if (!term_is_symbol(arm, r->arms[k].name) && !term_is_symbol(arm, r->arms[k].gripper.name))
            continue;
        const gripper_state *g = belief_gripper(e->i->mind->belief, k);
        *out = g->read && g->opening <= CLOSED_OPENING;
        note(e->i, "%sgripper_closed(%s): %s (%.1f mm)", e->i->reason[0] ? "; " : "",
             r->arms[k].name, *out ? "true" : "false", 1000 * g->opening);
        return true;
    }
    return complain_term(e->i, "the robot has no such hand", arm);
}

static bool is_comparison(const term *t) {
    static const char *const names[] = {"=", "!=", "<", "<=", ">", ">="};
    for (size_t k = 0; k < 6; k++) {
        if (term_is(t, names[k], 2))
            return true;
    }
    return false;
}

// All (or any) of the arguments, which are not looked at past the first that settles it.
static bool decide_all(const evaluation *e, const term *t, bool all, bool *out) {
    *out = all;
    for (uint32_t k = 0; k < t->arity && *out == all; k++) {
        if (!decide(e, t->args[k], out))
            return false;
    }
    return true;
}

static bool decide(const evaluation *e, const term *t, bool *out) {
    if (t->kind == TERM_VAR) {
        const term *value;
        if (!compute(e, t, &value))
            return false;
        if (value->kind == TERM_VAR)
            return complain(e->i, "%s is no condition", t->text);
        return decide(e, value, out);
    }
    if (term_is_symbol(t, "true") || term_is_symbol(t, "false")) {
        *out = t->text[0] == 't';
        return true;
    }
    if (t->kind != TERM_COMPOUND)
        return complain_term(e->i, "this is no condition", t);
    if (term_is(t, "not", 1)) {
        bool inner;
        if (!decide(e, t->args[0], &inner))
            return false;
        *out = !inner;
        return true;
    }
    if (term_is(t, ",", 2) || strcmp(t->text, "and") == 0)
        return decide_all(e, t, true, out);
    if (term_is(t, ";", 2) || strcmp(t->text, "or") == 0)
        return decide_all(e, t, false, out);
    if (is_comparison(t))
        return compare(e, t, out);
    if (term_is(t, "empty", 1) || term_is(t, "member", 2)) {
        const term *list, *item = NULL;
        if (!compute(e, t->args[t->arity - 1], &list) ||
            (t->arity == 2 && !compute(e, t->args[0], &item)))
            return false;
        int64_t length = term_list_length(list);
        if (length < 0)
            return complain_term(e->i, "not a list in", t);
        *out = t->arity == 1 && length == 0;
        for (; item && !*out && term_is(list, "[|]", 2); list = list->args[1])
            *out = term_equal(list->args[0], item);
        note(e->i, "%s%s: %s", e->i->reason[0] ? "; " : "", t->text, *out ? "true" : "false");
        return true;
    }
    return term_is(t, "gripper_closed", 1) ? ask_gripper(e, t, out) : ask_belief(e, t, out);
}

bool eval_condition(interp *i, const frame *scope, int64_t task, const term *t, bool *out) {
    evaluation e = {i, scope, task};
    i->reason[0] = 0;
    return decide(&e, t, out);
}

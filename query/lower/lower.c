// query/lower/lower.c - lowers clauses to rules.
//
// A clause becomes one rule for each way through its disjunctions. Calls are resolved to predicates
// (split ones to the relation of their functor), braces and bracketed negations to auxiliary
// predicates, arithmetic in arguments to equations, and time specifications to columns and
// conditions.
#include "query/lower/lower_int.h"

#include <stdio.h>
#include "query/log/fact.h"
#include "query/lower/arrange.h"
#include "query/rules/module.h"

#define ALTERNATIVES_MAX 64

void builder_error(builder *b, const term *at, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    int line = at && at->line ? at->line : b->line,
        column = at && at->line ? at->column : b->column;
    errors_add(b->list, b->file, line, column, "%s", text);
    b->failed = true;
}

// ---- Variables ----

uint32_t builder_var(builder *b, const char *name) {
    for (size_t i = 0; i < b->names.count; i++) {
        if (strcmp(b->names.items[i], name) == 0)
            return (uint32_t)i;
    }
    if (b->names.count == VARS_MAX) {
        if (!b->failed)
            builder_error(b, NULL, "more than %d variables in one rule; split it", VARS_MAX);
        return 0;
    }
    array_push(&b->names, arena_strdup(b->a, name));
    return (uint32_t)b->names.count - 1;
}

uint32_t builder_fresh(builder *b) {
    return builder_var(b, arena_format(b->a, "_$%zu", b->names.count));
}

// ---- Patterns and expressions ----

static pattern *pattern_new(builder *b, pattern_kind kind) {
    pattern *p = arena_alloc(b->a, sizeof *p);
    p->kind = kind;
    return p;
}

pattern *pattern_var(builder *b, uint32_t var) {
    pattern *p = pattern_new(b, PATTERN_VAR);
    p->var = var;
    return p;
}

static pattern *pattern_const(builder *b, value constant) {
    pattern *p = pattern_new(b, PATTERN_CONST);
    p->constant = constant;
    return p;
}

expr *expr_new(builder *b, expr_op op) {
    expr *e = arena_alloc(b->a, sizeof *e);
    e->op = op;
    return e;
}

const expr *expr_var(builder *b, uint32_t var) {
    expr *e = expr_new(b, EXPR_VAR);
    e->var = var;
    return e;
}

const expr *expr_const(builder *b, value constant) {
    expr *e = expr_new(b, EXPR_CONST);
    e->constant = constant;
    return e;
}

literal *builder_literal(builder *b, literal_kind kind, const term *at) {
    array_push(&b->literals, (literal){.kind = kind, .range = VAR_NONE});
    literal *l = &b->literals.items[b->literals.count - 1];
    l->line = at && at->line ? at->line : b->line;
    l->column = at && at->line ? at->column : b->column;
    l->written = at;
    return l;
}

void builder_compare(builder *b, compare_op op, const expr *left, const expr *right,
                     const term *at) {
    literal *l = builder_literal(b, LITERAL_COMPARE, at);
    l->op = op;
    l->left = left;
    l->right = right;
}

static bool is_infix(const term *t) {
    if (t->kind != TERM_COMPOUND)
        return false;
    if (t->arity == 1)
        return strcmp(t->text, "-") == 0;
    return t->arity == 2 &&
           (strcmp(t->text, "+") == 0 || strcmp(t->text, "-") == 0 || strcmp(t->text, "*") == 0 ||
            strcmp(t->text, "/") == 0 || strcmp(t->text, "mod") == 0);
}

static const struct {
    expr_op op;
    const char *text;
    uint32_t arity;
} FUNCTIONS[] = {
#define ARITHMETIC(op, text, arity) {EXPR_##op, text, arity},
#include "query/rules/arithmetic.def"
#undef ARITHMETIC
};

// Returns the operation that a compound names, or EXPR_TERM.
static expr_op operation_of(const term *t) {
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        if (t->arity == FUNCTIONS[i].arity && strcmp(t->text, FUNCTIONS[i].text) == 0)
            return FUNCTIONS[i].op;
    }
    return EXPR_TERM;
}

bool term_computes(const term *t, bool functions) {
    if (t->kind != TERM_COMPOUND)
        return false;
    return is_infix(t) || (functions && (operation_of(t) != EXPR_TERM || term_is_task_time(t)));
}

// Where a time or a number is expected, start(Task) and end(Task) are instants of a task.
bool term_is_task_time(const term *t) {
    return term_is(t, "start", 1) || term_is(t, "end", 1);
}

static uint32_t builder_task_time(builder *b, const term *t) {
    const char *name = term_is(t, "start", 1) ? "task_start" : "task_end";
    const pattern **args = arena_alloc(b->a, 2 * sizeof *args);
    uint32_t at = builder_fresh(b);
    args[0] = pattern_of(b, t->args[0], false);
    args[1] = pattern_var(b, at);
    literal *l = builder_literal(b, LITERAL_RELATION, t);
    l->pred = program_pred(b->p, name, 2, NULL, 0);
    l->pred->fact = fact_find(name, 2);
    l->args = args;
    l->arg_count = 2;
    return at;
}

static const pattern *pattern_written(pattern *p, const term *t) {
    p->written = t;
    return p;
}

static const pattern *pattern_time(builder *b, const term *t) {
    return term_is_task_time(t) ? pattern_written(pattern_var(b, builder_task_time(b, t)), t)
                                : pattern_of(b, t, false);
}

const pattern *pattern_end(builder *b, const term *t) {
    const expr *e = t->kind == TERM_SYMBOL ? expr_time(b, t) : NULL;
    return e ? pattern_written(pattern_const(b, e->constant), t) : pattern_time(b, t);
}

// Writes throughout(task(T)) and during(task(T)) with the start and the end of the task.
static const term *spec_of_task(builder *b, const term *t) {
    bool known = term_is(t, "throughout", 1) || term_is(t, "during", 1);
    if (!known || !term_is(t->args[0], "task", 1))
        return t;
    const term *task = t->args[0]->args[0];
    const term *ends[2];
    for (int i = 0; i < 2; i++) {
        term *end = arena_alloc(b->a, sizeof *end);
        *end = *term_compound(b->a, i == 0 ? "start" : "end", 1, &task);
        end->line = t->line;
        end->column = t->column;
        ends[i] = end;
    }
    term *made = arena_alloc(b->a, sizeof *made);
    *made = *term_compound(b->a, t->text, 2, ends);
    made->line = t->line;
    made->column = t->column;
    return made;
}

// Reports an operand that can be neither a number nor a time.
static void check_operand(builder *b, const term *t, const term *operand, const expr *e) {
    double number;
    char text[120];
    if (e->op != EXPR_TERM &&
        (e->op != EXPR_CONST || values_number(b->p->values, e->constant, &number)))
        return;
    term_format(operand, text, sizeof text);
    builder_error(b, operand->line ? operand : t,
                  "%s computes with numbers and times; %s is neither", t->text, text);
}

static const expr *expr_of(builder *b, const term *t, bool arithmetic) {
    if (t->kind == TERM_VAR)
        return expr_var(b, builder_var(b, t->text));
    if (t->kind == TERM_SYMBOL) {
        if (strcmp(t->text, "pi") == 0)
            return expr_const(b, values_float(b->p->values, PI_VALUE));
        if (arithmetic && strcmp(t->text, "start") == 0)
            return expr_const(b, values_time(0));
        if (arithmetic && strcmp(t->text, "end") == 0)
            return expr_const(b, values_time(b->p->end));
    }
    if (t->kind != TERM_COMPOUND)
        return expr_const(b, values_from_term(b->p->values, t));
    if (term_is(t, "{}", 3))
        return expr_var(b, scope_aggregate(b, t));
    if (term_is_task_time(t))
        return expr_var(b, builder_task_time(b, t));
    expr_op op = operation_of(t);
    if (op == EXPR_TERM) {
        expr *e = expr_new(b, EXPR_TERM);
        e->term = pattern_of(b, t, false);
        if (e->term->kind == PATTERN_CONST)
            return expr_const(b, e->term->constant);
        return e;
    }
    expr *e = expr_new(b, op);
    for (uint32_t i = 0; i < t->arity; i++) {
        e->args[i] = expr_of(b, t->args[i], true);
        check_operand(b, t, t->args[i], e->args[i]);
    }
    return e;
}

// Returns whether nothing in the term is a variable or is computed. Follows last arguments in a
// loop, since lists are long.
static bool is_plain(const term *t, bool raw) {
    for (;; t = t->args[t->arity - 1]) {
        if (t->kind == TERM_VAR || (!raw && (is_infix(t) || term_is(t, "{}", 3))))
            return false;
        if (t->kind != TERM_COMPOUND || t->arity == 0)
            return true;
        for (uint32_t i = 0; i + 1 < t->arity; i++) {
            if (!is_plain(t->args[i], raw))
                return false;
        }
    }
}

static pattern *pattern_make(builder *b, const term *t, bool raw) {
    if (is_plain(t, raw))
        return pattern_const(b, values_from_term(b->p->values, t));
    if (!raw && (is_infix(t) || term_is(t, "{}", 3))) {
        const expr *e = expr_of(b, t, true);
        if (e->op == EXPR_VAR)
            return pattern_var(b, e->var);
        uint32_t var = builder_fresh(b);
        literal *l = builder_literal(b, LITERAL_UNIFY, t);
        l->left = expr_var(b, var);
        l->right = e;
        return pattern_var(b, var);
    }
    if (t->kind == TERM_VAR)
        return pattern_var(b, builder_var(b, t->text));
    if (t->kind != TERM_COMPOUND)
        return pattern_const(b, values_from_term(b->p->values, t));
    pattern *p = pattern_new(b, PATTERN_COMPOUND);
    p->constant = values_symbol(b->p->values, t->text);
    p->arity = t->arity;
    p->args = arena_alloc(b->a, t->arity * sizeof *p->args);
    for (uint32_t i = 0; i < t->arity; i++)
        p->args[i] = pattern_of(b, t->args[i], raw);
    return p;
}

// Returns the pattern of a column; `raw`: arithmetic stays a term, as in signals.
const pattern *pattern_of(builder *b, const term *t, bool raw) {
    return pattern_written(pattern_make(b, t, raw), t);
}

// Returns the expression of an argument that is a time: start, end and arithmetic have their
// meaning.
const expr *expr_time(builder *b, const term *t) {
    return expr_of(b, t, true);
}

// ---- Calls ----

static bool is_callable(const term *t) {
    return t->kind == TERM_COMPOUND || t->kind == TERM_SYMBOL;
}

// Gives a call its agent where the text leaves it out.
static const term *with_agent(builder *b, const predicate_traits *s, const term *t) {
    if (!s || s->agent_arity == 0 || t->arity + 1 != s->agent_arity)
        return t;
    const term **args = arena_alloc(b->a, s->agent_arity * sizeof *args);
    args[0] = term_var(b->a, arena_format(b->a, "_#a%zu", b->names.count + b->literals.count));
    for (uint32_t i = 0; i < t->arity; i++)
        args[i + 1] = t->args[i];
    term *full = arena_alloc(b->a, sizeof *full);
    *full = *t;
    full->kind = TERM_COMPOUND;
    full->arity = s->agent_arity;
    full->args = args;
    return full;
}

// Writes the argument in the place of an instant: T for at(T), and for during(A, B) a fresh
// variable that two comparisons bound.
static const term *instant_argument(builder *b, const term *t, bool head) {
    t = spec_of_task(b, t);
    if (term_is(t, "at", 1))
        return t->args[0];
    if (head || !(term_is(t, "during", 2) || term_is(t, "throughout", 2)))
        return t;
    const char *name = arena_format(b->a, "_$t%zu", b->names.count);
    const expr *low = expr_time(b, t->args[0]), *high = expr_time(b, t->args[1]);
    const expr *self = expr_var(b, builder_var(b, name));
    expr *later = expr_new(b, EXPR_ADD), *most = expr_new(b, EXPR_MAX);
    later->args[0] = low;
    later->args[1] = expr_const(b, values_time(1));
    most->args[0] = high;
    most->args[1] = later;
    builder_compare(b, COMPARE_AT_MOST, low, high, t);
    builder_compare(b, COMPARE_AT_LEAST, self, low, t);
    builder_compare(b, COMPARE_LESS, self, most, t);
    return term_var(b->a, name);
}

// Resolves a head or a call of a user's predicate to its relation, its columns without the ends of
// an interval, and its time specification. False: there was a mistake.
bool builder_resolve(builder *b, const term *atom, bool head, resolved *out) {
    uint32_t written = atom->kind == TERM_COMPOUND ? atom->arity : 0;
    const char *name = head ? module_head(b->p, b->source, atom->text)
                            : module_name(b->p, b->source, atom->text, written);
    *out = (resolved){0};
    if (!name) {
        builder_error(b, atom, "%s/%u comes from several modules; write module:%s for one of them",
                      atom->text, written, atom->text);
        return false;
    }
    const predicate_traits *s = program_traits(b->p, name, false);
    const term *t = head ? atom : with_agent(b, s, atom);
    uint32_t n = t->kind == TERM_COMPOUND ? t->arity : 0;
    out->name = name;
    out->arity = n;
    uint32_t split = s && s->split_on && s->split_on <= n ? s->split_on : 0;
    uint32_t temporal = s && s->temporal_on && s->temporal_on <= n ? s->temporal_on : 0;
    uint32_t instant = s && s->instant_on && s->instant_on <= n ? s->instant_on : 0;
    const term *occasion = split ? t->args[split - 1] : NULL;
    bool any = occasion && occasion->kind == TERM_VAR;
    if (occasion && !any && !is_callable(occasion)) {
        builder_error(b, occasion, "argument %u of %s must be a term with a name", split, t->text);
        return false;
    }
    if (any && head) {
        builder_error(b, occasion,
                      "a head of %s must name its functor: argument %u cannot be a variable",
                      t->text, split);
        return false;
    }
    uint32_t inner = occasion && !any && occasion->kind == TERM_COMPOUND ? occasion->arity : 0;
    bool pointwise =
        temporal && occasion && !any && program_is_pointwise(b->p, name, occasion->text, inner);
    uint32_t columns = n - (occasion && !any ? 1 : 0) + inner - (temporal && !pointwise ? 1 : 0);
    if (columns + 2 > RELATION_ARITY_MAX) {
        builder_error(b, t, "more than %d arguments", RELATION_ARITY_MAX - 2);
        return false;
    }
    const term **args = arena_alloc(b->a, (columns + 1) * sizeof *args);
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (occasion && !any && i + 1 == split) {
            for (uint32_t j = 0; j < inner; j++)
                args[k++] = occasion->args[j];
        } else if (i + 1 == temporal) {
            out->spec = spec_of_task(b, t->args[i]);
        } else if (i + 1 == instant) {
            args[k++] = instant_argument(b, t->args[i], head);
        } else {
            args[k++] = t->args[i];
        }
    }
    if (pointwise) {
        const term *spec = out->spec;
        if (spec->kind == TERM_COMPOUND &&
            (term_is(spec, "throughout", 2) || term_is(spec, "during", 2) ||
             term_is(spec, "interval", 2))) {
            builder_error(b, spec,
                          "%s(%s) is a function of time: it can only be asked at a bound instant",
                          t->text, occasion->text);
            return false;
        }
        args[k++] = term_is(spec, "at", 1) ? spec->args[0] : spec;
        out->spec = NULL;
    }
    out->args = args;
    out->arg_count = k;
    if (any)
        out->pred = program_union(b->p, s, n);
    else
        out->pred = program_pred(b->p, name, k + (out->spec ? 2 : 0),
                                 occasion ? occasion->text : NULL, inner);
    out->pred->split_at = split ? split - 1 : 0;
    out->pred->temporal = out->spec != NULL;
    // Times are declared of arguments; their columns may stand elsewhere.
    for (uint32_t i = 0, at = 0; i < n; i++) {
        if (i + 1 == split) {
            at += any ? 1 : inner;
        } else if (i + 1 != temporal) {
            if (i + 1 == instant || program_declares_time(b->p, name, n, i))
                pred_type_time(out->pred, at);
            at++;
        }
    }
    out->pred->instant = instant != 0;
    if (pointwise)
        pred_type_time(out->pred, k - 1);
    return true;
}

// Returns the pattern of an argument interval(S, E), in which start and end are times.
static const pattern *builder_interval(builder *b, const term *t) {
    pattern *p = pattern_new(b, PATTERN_COMPOUND);
    p->constant = values_symbol(b->p->values, "interval");
    p->arity = 2;
    p->args = arena_alloc(b->a, 2 * sizeof *p->args);
    for (int i = 0; i < 2; i++) {
        const expr *e = expr_time(b, t->args[i]);
        if (e->op == EXPR_CONST)
            p->args[i] = pattern_const(b, e->constant);
        else if (e->op == EXPR_VAR)
            p->args[i] = pattern_var(b, e->var);
        else
            p->args[i] = pattern_of(b, t->args[i], false);
    }
    if (p->args[0]->kind == PATTERN_CONST && p->args[1]->kind == PATTERN_CONST)
        p = pattern_const(b,
                          values_compound(b->p->values, "interval", 2,
                                          (value[]){p->args[0]->constant, p->args[1]->constant}));
    return pattern_written(p, t);
}

static void add_builtin(builder *b, const builtin *f, const term *t, bool negated) {
    const pattern **args = arena_alloc(b->a, (t->arity + 1) * sizeof *args);
    for (uint32_t i = 0; i < f->arity; i++) {
        const term *arg = t->args[i];
        char type = builtin_type(f, i);
        bool named_time =
            type == 't' && (term_is_symbol(arg, "start") || term_is_symbol(arg, "end"));
        if (named_time)
            args[i] = pattern_end(b, arg);
        else if (type == 't')
            args[i] = pattern_time(b, arg);
        else if (term_is(arg, "interval", 2) && builtin_needs(f, i))
            args[i] = builder_interval(b, arg);
        else
            args[i] = type == 's' ? pattern_signal(b, arg) : pattern_of(b, arg, false);
    }
    literal *l = builder_literal(b, LITERAL_BUILTIN, t);
    l->builtin = f;
    l->negated = negated;
    l->arg_count = f->arity;
    l->args = args;
}

static bool term_has_computation(const term *t);

// Returns the argument of a call that says when it holds, counted from 1; 0: no argument does.
static uint32_t time_argument(builder *b, const term *t) {
    const char *name = module_name(b->p, b->source, t->text, t->arity);
    const predicate_traits *s = name ? program_traits(b->p, name, false) : NULL;
    uint32_t left_out = s && s->agent_arity && t->arity + 1 == s->agent_arity ? 1 : 0;
    if (!s || s->temporal_on <= left_out || s->temporal_on - left_out > t->arity)
        return 0;
    const term *occasion = s->split_on > left_out ? t->args[s->split_on - left_out - 1] : NULL;
    if (occasion && is_callable(occasion) &&
        program_is_pointwise(b->p, name, occasion->text,
                             occasion->kind == TERM_COMPOUND ? occasion->arity : 0))
        return 0;
    return s->temporal_on - left_out;
}

// Adds a negated call of a temporal predicate whose keys are computed, with the computation inside
// the negation. False: it is no such call.
static bool add_computed_absence(builder *b, const term *t) {
    uint32_t timed = t->kind == TERM_COMPOUND ? time_argument(b, t) : 0;
    bool any = false;
    for (uint32_t i = 0; i < (timed ? t->arity : 0); i++)
        any = any || (i + 1 != timed && term_has_computation(t->args[i]));
    if (!any || term_is(t->args[timed - 1], "interval", 2))
        return false;
    const term *spec = spec_of_task(b, t->args[timed - 1]);
    pred *d;
    const pattern **keys;
    uint32_t count = scope_absence(b, t, timed - 1, term_is(spec, "throughout", 2), &d, &keys);
    if (d)
        array_push(&b->pending, (pending){d, keys, count, spec, true, t});
    return true;
}

static void add_relation(builder *b, const term *t, bool negated) {
    resolved call;
    if (negated && add_computed_absence(b, t))
        return;
    if (!builder_resolve(b, t, false, &call))
        return;
    if (!call.spec && !call.pred->functor && !call.pred->auxiliary)
        call.pred->fact = program_fact(b->p, call.name, call.arity);
    const pattern **args = arena_alloc(b->a, (call.arg_count + 3) * sizeof *args);
    for (uint32_t i = 0; i < call.arg_count; i++) {
        bool timed = call.pred->typed >> i & 1 ||
                     (call.pred->fact && fact_column_is_time(call.pred->fact, i));
        args[i] = timed ? pattern_time(b, call.args[i]) : pattern_of(b, call.args[i], false);
    }
    if (call.spec) {
        array_push(&b->pending, (pending){call.pred, args, call.arg_count, call.spec, negated, t});
        return;
    }
    literal *l = builder_literal(b, LITERAL_RELATION, t);
    l->pred = call.pred;
    l->args = args;
    l->arg_count = call.arg_count;
    l->negated = negated;
}

static bool comparison_of(const term *t, compare_op *op) {
    static const struct {
        const char *text;
        compare_op op;
    } ops[] = {{"<", COMPARE_LESS},
               {"<=", COMPARE_AT_MOST},
               {">", COMPARE_MORE},
               {">=", COMPARE_AT_LEAST},
               {"!=", COMPARE_UNEQUAL}};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (term_is(t, ops[i].text, 2)) {
            *op = ops[i].op;
            return true;
        }
    }
    return false;
}

// Returns whether the call asks for some instant of a span, so that it stands for the call and two
// comparisons.
static bool asks_instant_within(builder *b, const term *t) {
    if (t->kind != TERM_COMPOUND)
        return false;
    const char *name = module_name(b->p, b->source, t->text, t->arity);
    const predicate_traits *s = name ? program_traits(b->p, name, false) : NULL;
    uint32_t at = s ? s->instant_on : 0;
    if (at && s->agent_arity && t->arity + 1 == s->agent_arity)
        at--;
    if (at == 0 || at > t->arity)
        return false;
    const term *spec = spec_of_task(b, t->args[at - 1]);
    return term_is(spec, "during", 2) || term_is(spec, "throughout", 2);
}

// Returns whether arithmetic stands within a term on this side of a comparison; the comparison
// itself computes other arithmetic.
static bool computes_within(const term *t) {
    if (t->kind != TERM_COMPOUND || term_is_task_time(t))
        return false;
    if (operation_of(t) == EXPR_TERM)
        return term_has_computation(t);
    for (uint32_t i = 0; i < t->arity; i++) {
        if (computes_within(t->args[i]))
            return true;
    }
    return false;
}

// Returns whether the goal stands for itself and an equation, so that a negation must cover both:
// where X is no number, p(X + 1) fails and not p(X + 1) holds.
static bool computes_apart(builder *b, const term *t) {
    compare_op op;
    if (t->kind != TERM_COMPOUND)
        return false;
    if (comparison_of(t, &op) || term_is(t, "=", 2) || term_is(t, "is", 2))
        return computes_within(t->args[0]) || computes_within(t->args[1]);
    const builtin *f = program_builtin(b->p, t->text, t->arity);
    uint32_t timed = f ? 0 : time_argument(b, t);
    if (timed && !term_is(t->args[timed - 1], "interval", 2))
        return false; // its keys may be asked for at an instant variable (add_relation)
    for (uint32_t i = 0; i < t->arity; i++) {
        if (!(f && builtin_type(f, i) == 's') && term_has_computation(t->args[i]))
            return true;
    }
    return false;
}

static void add_goal(builder *b, const term *t, bool negated) {
    compare_op op;
    if (t->kind == TERM_COMPOUND && strcmp(t->text, "not") == 0 && t->arity == 1) {
        const term *inner = t->args[0];
        bool simple = is_callable(inner) && scope_is_atom(inner) &&
                      !asks_instant_within(b, inner) && !computes_apart(b, inner);
        if (simple && !negated)
            add_goal(b, inner, true);
        else
            scope_negation(b, t, negated);
        return;
    }
    if (!is_callable(t)) {
        builder_error(b, t,
                      t->kind == TERM_VAR ? "a goal must have a name; a variable cannot be called"
                                          : "a number or string is not a goal");
        return;
    }
    if (comparison_of(t, &op)) {
        const expr *left = expr_of(b, t->args[0], op != COMPARE_UNEQUAL);
        const expr *right = expr_of(b, t->args[1], op != COMPARE_UNEQUAL);
        builder_compare(b, op, left, right, t);
        b->literals.items[b->literals.count - 1].negated = negated;
        return;
    }
    bool is_value = term_is(t, SCOPE_VALUE, 2);
    if (term_is(t, "=", 2) || term_is(t, "is", 2) || is_value) {
        const expr *left = expr_of(b, t->args[0], false), *right = expr_of(b, t->args[1], false);
        literal *l = builder_literal(b, LITERAL_UNIFY, t);
        l->left = left;
        l->right = right;
        l->negated = negated;
        l->is_value = is_value;
        return;
    }
    if (term_is(t, "{}", 3) || term_is(t, ":-", 2) || term_is(t, ":-", 1) || is_infix(t)) {
        builder_error(b, t, "this is not a goal");
        return;
    }
    if (term_is(t, "in_episode", 2)) {
        scope_in_episode(b, t, negated);
        return;
    }
    uint32_t width = t->kind == TERM_COMPOUND ? t->arity : 0;
    if (arrange_is(t) && !program_defines(b->p, module_name(b->p, b->source, t->text, width))) {
        builder_error(b, t, "%s stands at the top level of a query only", t->text);
        return;
    }
    const builtin *f = program_builtin(b->p, t->text, width);
    if (f)
        add_builtin(b, f, t, negated);
    else
        add_relation(b, t, negated);
}

// ---- Equations written out, and the ways through a clause ----

typedef struct alias {
    const char *name;
    const term *is;
} alias;

static const term *alias_lookup(void *context, const char *variable) {
    const alias *a = context;
    return strcmp(a->name, variable) == 0 ? a->is : NULL;
}

static bool term_has_computation(const term *t) {
    if (t->kind != TERM_COMPOUND)
        return false;
    if (is_infix(t) || term_is(t, "{}", 3))
        return true;
    for (uint32_t i = 0; i < t->arity; i++) {
        if (term_has_computation(t->args[i]))
            return true;
    }
    return false;
}

// Replaces V by f(...) wherever V = f(...) is a goal, so that I = interval(S, E), holds_w(Occ, I)
// finds its time, and F = slipped(...), flaw(F) its functor.
static void write_out(builder *b, goal_list *g, const term **head) {
    for (size_t i = 0; i < g->count; i++) {
        const term *t = g->items[i];
        if (!term_is(t, "=", 2))
            continue;
        for (int side = 0; side < 2; side++) {
            const term *var = t->args[side], *is = t->args[1 - side];
            if (var->kind != TERM_VAR || is->kind != TERM_COMPOUND ||
                operation_of(is) != EXPR_TERM || term_has_computation(is) ||
                term_is_task_time(is) || term_mentions(is, var->text))
                continue;
            alias a = {var->text, is};
            for (size_t k = 0; k < g->count; k++) {
                if (k != i)
                    g->items[k] = term_substitute(b->a, g->items[k], alias_lookup, &a);
            }
            if (*head)
                *head = term_substitute(b->a, *head, alias_lookup, &a);
            for (size_t k = i; k + 1 < g->count; k++)
                g->items[k] = g->items[k + 1];
            g->count--;
            i--;
            break;
        }
    }
}

const term *lower_head_column(program *p, const clause *c, const pred *of, uint32_t column) {
    errors ignored = {0};
    goal_list none = {0};
    builder b = {.p = p,
                 .a = p->current,
                 .file = c->file,
                 .list = &ignored,
                 .source = c->source,
                 .head = c->head,
                 .goals = &none};
    resolved head;
    bool known = !c->body && builder_resolve(&b, c->head, true, &head) && head.pred == of &&
                 column < head.arg_count;
    errors_finish(&ignored);
    array_finish(&b.names);
    array_finish(&b.literals);
    return known ? head.args[column] : NULL;
}

bool lower_clause(program *p, const clause *c, uint32_t id, pred *fixed, errors *list) {
    return builder_lower(p, c, id, fixed, &(names){0}, list);
}

bool builder_lower(program *p, const clause *c, uint32_t id, pred *fixed, const names *around,
                   errors *list) {
    goal_ways all = {0};
    size_t before = list->count;
    bool ok = true;
    // The variables of a scope were counted with the clause around it.
    if (!fixed || !fixed->scoped)
        scope_check(p, c, fixed != NULL, list);
    if (c->body && !goals_unfold(c->body, ALTERNATIVES_MAX, &all)) {
        errors_add(list, c->file, c->line, c->column,
                   "more than %d alternatives; give parts of this clause names of their own",
                   ALTERNATIVES_MAX);
        ok = false;
    }
    if (!c->body)
        array_push(&all, (goal_list){0});
    for (size_t i = 0; ok && i < all.count; i++) {
        builder b = {.p = p,
                     .a = p->current,
                     .file = c->file,
                     .list = list,
                     .line = c->line,
                     .column = c->column,
                     .clause = id,
                     .source = c->source,
                     .written = fixed ? c->body : c->head,
                     .head = c->head,
                     .goals = &all.items[i],
                     .around = *around,
                     .fixed = fixed};
        write_out(&b, b.goals, &b.head);
        scope_open(&b);
        for (size_t k = 0; k < b.goals->count; k++)
            add_goal(&b, b.goals->items[k], false);
        if (!b.failed)
            builder_finish(&b);
        array_finish(&b.names);
        array_finish(&b.scope);
        array_finish(&b.scopes);
        array_finish(&b.literals);
        array_finish(&b.pending);
    }
    for (size_t i = 0; i < all.count; i++)
        array_finish(&all.items[i]);
    array_finish(&all);
    return list->count == before;
}

// query/check/never.c - warns of rules that can never fire, and of clauses that say nothing new.
#include <stdio.h>
#include "query/check/check_int.h"
#include "query/log/fact.h"
#include "query/rules/fact_block.h"

static void warn_at(const checker *c, const char *file, int line, int column, const char *format,
                    ...) __attribute__((format(printf, 5, 6)));

static void warn_at(const checker *c, const char *file, int line, int column, const char *format,
                    ...) {
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    errors_add(&c->p->warnings, file, line, column, "%s", text);
}

// Notes that a literal never holds, so that its rule holds nothing.
static void never_at(const checker *c, const rule *r, const literal *l, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void never_at(const checker *c, const rule *r, const literal *l, const char *format, ...) {
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    check_found(c, r, l->line, l->column, FINDING_SUSPECT, text);
}

// Returns what to call a variable: its name, or what was written where the engine made one.
static const char *shown_var(const rule *r, uint32_t var, const literal *l, char *out,
                             size_t size) {
    const char *name = r->var_names[var];
    bool made = name[0] == '_' && (name[1] == 0 || name[1] == '$' || name[1] == '#');
    if (!made)
        return name;
    if (!l->written || term_format(l->written, out, size) >= size)
        return "this value";
    return out;
}

// ---- Comparisons ----

static bool value_is_ordered(value a) {
    return value_is_number(a) || value_kind(a) == VALUE_TIME;
}

// Returns whether a comparison of two constants holds.
static bool compare_holds(const values *v, compare_op op, value a, value b) {
    if (op == COMPARE_UNEQUAL)
        return !values_same(v, a, b);
    if (!value_is_ordered(a) || !value_is_ordered(b))
        return false;
    int order = values_compare(v, a, b);
    switch (op) {
    case COMPARE_LESS:
        return order < 0;
    case COMPARE_AT_MOST:
        return order <= 0;
    case COMPARE_MORE:
        return order > 0;
    case COMPARE_AT_LEAST:
        return order >= 0;
    case COMPARE_UNEQUAL:
        break;
    }
    return true;
}

// A symbol such as `end` means an instant where its variable is one.
static bool may_be_time(const values *v, value a) {
    if (value_kind(a) == VALUE_TIME)
        return true;
    const char *text = value_kind(a) == VALUE_SYMBOL ? values_text(v, a) : "";
    return strcmp(text, "start") == 0 || strcmp(text, "end") == 0;
}

// Returns whether no value is larger or smaller than this one.
static bool has_no_size(const values *v, const expr *e) {
    return e->op == EXPR_TERM ||
           (e->op == EXPR_CONST && !value_is_ordered(e->constant) && !may_be_time(v, e->constant));
}

static void check_comparison(const checker *c, const rule *r, const literal *l) {
    const expr *a = l->left, *b = l->right;
    const values *v = c->p->values;
    if (l->op != COMPARE_UNEQUAL && (has_no_size(v, a) || has_no_size(v, b))) {
        char text[80] = "this term";
        const expr *side = has_no_size(v, a) ? a : b;
        if (side->op == EXPR_CONST)
            values_format(v, side->constant, text, sizeof text);
        if (l->negated)
            warn_at(c, r->file, l->line, l->column,
                    "numbers and times are compared by size; %s is neither, and this always holds "
                    "(before_term orders all terms)",
                    text);
        else
            never_at(c, r, l,
                     "numbers and times are compared by size; %s is neither, and this never "
                     "holds: " NEVER_FIRES " (before_term orders all terms)",
                     text);
        return;
    }
    bool same = a->op == EXPR_VAR && b->op == EXPR_VAR && a->var == b->var;
    if (same) {
        bool holds = l->op == COMPARE_AT_MOST || l->op == COMPARE_AT_LEAST;
        if (holds == l->negated)
            never_at(c, r, l, "this never holds: %s is compared with itself; " NEVER_FIRES,
                     r->var_names[a->var]);
    } else if (a->op == EXPR_CONST && b->op == EXPR_CONST &&
               compare_holds(c->p->values, l->op, a->constant, b->constant) == l->negated) {
        never_at(c, r, l, "this comparison of constants is false; " NEVER_FIRES);
    }
}

// ---- Equations ----

// Returns the variable that stands for all variables that equations make equal to this one: the
// least of them.
static uint32_t class_of(const uint32_t *same, uint32_t v) {
    while (same[v] != v)
        v = same[v];
    return v;
}

static void join_classes(uint32_t *same, uint32_t a, uint32_t b) {
    a = class_of(same, a);
    b = class_of(same, b);
    if (a < b)
        same[b] = a;
    else
        same[a] = b;
}

static bool may_be_same(const values *v, value a, value b) {
    if (values_same(v, a, b))
        return true;
    return (may_be_time(v, a) && (value_is_ordered(b) || may_be_time(v, b))) ||
           (may_be_time(v, b) && value_is_ordered(a));
}

static void check_equations(const checker *c, const rule *r) {
    uint32_t same[VARS_MAX];
    value is[VARS_MAX];
    const values *v = c->p->values;
    for (uint32_t i = 0; i < r->var_count; i++) {
        same[i] = i;
        is[i] = VALUE_NONE;
    }
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (l->kind == LITERAL_UNIFY && !l->negated && l->left->op == EXPR_VAR &&
            l->right->op == EXPR_VAR)
            join_classes(same, l->left->var, l->right->var);
    }
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (l->kind != LITERAL_UNIFY || l->negated)
            continue;
        const expr *var = l->left->op == EXPR_VAR ? l->left : l->right;
        const expr *other = var == l->left ? l->right : l->left;
        if (other->op == EXPR_CONST && var->op == EXPR_CONST &&
            !may_be_same(v, var->constant, other->constant)) {
            never_at(c, r, l, "these constants are not equal; " NEVER_FIRES);
        } else if (other->op == EXPR_CONST && var->op == EXPR_VAR) {
            uint32_t k = class_of(same, var->var);
            if (is[k] == VALUE_NONE) {
                is[k] = other->constant;
            } else if (!may_be_same(v, is[k], other->constant)) {
                char first[80], second[80], text[80];
                values_format(v, is[k], first, sizeof first);
                values_format(v, other->constant, second, sizeof second);
                never_at(c, r, l, "%s cannot be %s and %s; " NEVER_FIRES,
                         shown_var(r, var->var, l, text, sizeof text), first, second);
            }
        }
    }
}

// ---- Floats in columns of integers ----

// Returns whether the value of an expression, where it has one, is a float: no integer is the same
// value as a float.
static bool is_float(const expr *e) {
    switch (e->op) {
    case EXPR_CONST:
        return value_kind(e->constant) == VALUE_FLOAT;
    case EXPR_DIVIDE:
    case EXPR_SQRT:
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN:
    case EXPR_ASIN:
    case EXPR_ACOS:
    case EXPR_ATAN:
    case EXPR_ATAN2:
    case EXPR_EXP:
    case EXPR_LOG:
    case EXPR_FLOAT:
    case EXPR_RADIANS:
    case EXPR_DEGREES:
        return true;
    case EXPR_NEGATE:
    case EXPR_ABS:
        return is_float(e->args[0]);
    default:
        return false;
    }
}

static bool is_integer(value v) {
    return value_kind(v) == VALUE_INT || value_kind(v) == VALUE_WIDE;
}

enum { COLUMNS_BELOW_MOST = 16 }; // how many predicates deep a column is followed

// A column that is followed, and the columns on the way to it.
typedef struct column_way {
    const pred *pred;
    uint32_t column;
    int depth;
    const struct column_way *above;
} column_way;

static bool holds_integers(const pred *d, uint32_t column, const column_way *above);

static bool is_count_in(const rule *r, uint32_t var) {
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (l->kind == LITERAL_AGGREGATE && l->aggregate == AGGREGATE_COUNT && l->right->var == var)
            return true;
    }
    return false;
}

// Returns whether some literal of the rule lets the variable be nothing but an integer.
static bool is_integer_in(const rule *r, uint32_t var, const column_way *above) {
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (l->negated)
            continue;
        if (l->kind == LITERAL_UNIFY && l->left->op == EXPR_VAR && l->right->op == EXPR_VAR &&
            ((l->left->var == var && is_count_in(r, l->right->var)) ||
             (l->right->var == var && is_count_in(r, l->left->var))))
            return true;
        for (uint32_t k = 0; l->kind == LITERAL_RELATION && k < l->arg_count; k++) {
            if (l->args[k]->kind == PATTERN_VAR && l->args[k]->var == var &&
                holds_integers(l->pred, k, above))
                return true;
        }
    }
    return false;
}

// Returns whether the column is known to hold only integers.
static bool holds_integers(const pred *d, uint32_t column, const column_way *above) {
    column_way own = {d, column, above ? above->depth + 1 : 0, above};
    if (d->fact)
        return d->fact->kinds[column] == 'i';
    if (own.depth == COLUMNS_BELOW_MOST || (d->temporal && column + 2 >= d->arity) ||
        d->typed >> column & 1 || d->episode_call || (d->rules.count == 0 && d->facts.count == 0))
        return false;
    // A column that leads back to itself adds no value of its own.
    for (const column_way *w = above; w; w = w->above) {
        if (w->pred == d && w->column == column)
            return true;
    }
    for (size_t i = 0; i < d->facts.count; i++) {
        const fact_rows *f = &d->facts.items[i];
        for (uint32_t k = 0; k < f->count; k++) {
            if (!is_integer(f->rows[(size_t)k * d->arity + column]))
                return false;
        }
    }
    for (size_t i = 0; i < d->rules.count; i++) {
        const rule *r = d->rules.items[i];
        const pattern *p = r->args[column];
        if (p->kind == PATTERN_CONST ? !is_integer(p->constant)
                                     : p->kind != PATTERN_VAR || !is_integer_in(r, p->var, &own))
            return false;
    }
    return true;
}

static void warn_of_float(const checker *c, const rule *r, const literal *l, const char *what) {
    never_at(c, r, l,
             "%s is a float, and stands in a column of integers, which holds no float; " NEVER_FIRES
             " (int(X) is the integer)",
             what);
}

// Returns whether another equation may bind the variable, so that this one compares by value.
static bool is_equal_to_more(const rule *r, const literal *but, uint32_t var) {
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (l != but && l->kind == LITERAL_UNIFY && !l->negated &&
            ((l->left->op == EXPR_VAR && l->left->var == var) ||
             (l->right->op == EXPR_VAR && l->right->var == var)))
            return true;
    }
    return false;
}

static void check_floats(const checker *c, const rule *r, const literal *l) {
    char text[80];
    for (uint32_t k = 0; l->kind == LITERAL_RELATION && !l->negated && k < l->arg_count; k++) {
        const pattern *p = l->args[k];
        if (p->kind == PATTERN_CONST && value_kind(p->constant) == VALUE_FLOAT &&
            holds_integers(l->pred, k, NULL)) {
            values_format(c->p->values, p->constant, text, sizeof text);
            warn_of_float(c, r, l, text);
        }
    }
    for (int side = 0; l->kind == LITERAL_UNIFY && !l->negated && side < 2; side++) {
        const expr *var = side ? l->right : l->left, *is = side ? l->left : l->right;
        if (var->op == EXPR_VAR && is_float(is) && !is_equal_to_more(r, l, var->var) &&
            is_integer_in(r, var->var, NULL))
            warn_of_float(c, r, l, shown_var(r, var->var, l, text, sizeof text));
    }
}

// ---- Predicates that hold nothing ----

static bool is_empty(const pred *d) {
    return d->rules.count == 0 && d->facts.count == 0 && !d->fact && !d->auxiliary;
}

// Returns whether a user's file declares it; libraries declare predicates that users may add to.
static bool is_declared_by_user(const checker *c, const pred *d) {
    const declaration *said = check_declaration(c, d);
    const rule_source *from = said ? program_source(c->p, said->file) : NULL;
    return from && !from->library;
}

static void check_call(const checker *c, const rule *r, const literal *l) {
    char label[300];
    if (l->kind == LITERAL_RELATION && !l->negated && l->pred && is_empty(l->pred) &&
        !check_is_broken(c, l->pred) && is_declared_by_user(c, l->pred))
        never_at(c, r, l, "%s is declared, but no clause defines it; " NEVER_FIRES,
                 pred_label(l->pred, label, sizeof label));
}

static void check_rule(const checker *c, const rule *r) {
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (l->kind == LITERAL_COMPARE)
            check_comparison(c, r, l);
        check_floats(c, r, l);
        check_call(c, r, l);
    }
    check_equations(c, r);
}

// ---- The same clause twice ----

static void warn_of_twin(const checker *c, const clause *later, const clause *earlier) {
    warn_at(c, later->file, later->line, later->column, "this clause stands in line %d already",
            earlier->line);
}

static void warn_of_fact(void *context, const clause *later, const clause *earlier) {
    warn_of_twin(context, later, earlier);
}

static void check_twins(const checker *c) {
    for (size_t i = 0; c->first == 0 && i < c->p->sources.count; i++) {
        const rule_source *s = c->p->sources.items[i];
        for (size_t k = 0; k < s->clauses.count; k++) {
            const clause *d = s->clauses.items[k];
            const clause *twin = d->twin && !d->broken && check_covers_clause(c, d)
                                     ? program_holder(c->p, d->twin)
                                     : NULL;
            if (twin)
                warn_of_twin(c, d, twin);
            if (d->facts && check_covers_clause(c, d))
                fact_block_twins(d, warn_of_fact, (void *)(uintptr_t)c);
        }
    }
}

void check_never(const checker *c) {
    check_twins(c);
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        const pred *d = pred_at(c, i);
        for (size_t k = 0; k < d->rules.count; k++) {
            if (check_covers_rule(c, d->rules.items[k]))
                check_rule(c, d->rules.items[k]);
        }
    }
}

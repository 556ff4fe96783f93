// query/lower/lower_time.c - the last step of lowering a clause: its head and its times.
#include <stdio.h>
#include "query/log/fact.h"
#include "query/rules/fact_block.h"
#include "query/rules/module.h"
#include "query/lower/lower_int.h"

// Adds the variables that literals can bind or that are bound around the clause; groups of
// aggregates only `with_groups`. Pending temporal calls bind their keys and the ends of interval(S,
// E).
static void bind_all(builder *b, rule *r, varset *bound, bool with_groups) {
    varset nothing = {0};
    for (size_t i = 0; i < b->around.count; i++) {
        if (names_have(&b->names, b->around.items[i]))
            varset_add(bound, builder_var(b, b->around.items[i]));
    }
    for (bool moved = true; moved;) {
        varset before = *bound;
        for (size_t i = 0; i < b->literals.count; i++) {
            const literal *l = &b->literals.items[i];
            if (l->kind == LITERAL_AGGREGATE && !with_groups)
                expr_vars(l->right, bound);
            else if (literal_ready(r, l, bound, &nothing, 0))
                literal_outputs(l, bound);
        }
        for (size_t i = 0; i < b->pending.count; i++) {
            const pending *c = &b->pending.items[i];
            if (c->negated)
                continue;
            for (uint32_t k = 0; k < c->key_count; k++)
                pattern_vars(c->keys[k], bound);
            for (uint32_t k = 0; term_is(c->spec, "interval", 2) && k < 2; k++) {
                if (c->spec->args[k]->kind == TERM_VAR)
                    varset_add(bound, builder_var(b, c->spec->args[k]->text));
            }
        }
        moved = memcmp(&before, bound, sizeof before) != 0;
    }
}

// Adds a literal with the keys of a call and two more columns for the ends of its interval.
static literal *interval_literal(builder *b, const pending *c, source_kind source,
                                 const pattern *start, const pattern *end) {
    const pattern **args = arena_alloc(b->a, (c->key_count + 2) * sizeof *args);
    for (uint32_t i = 0; i < c->key_count; i++)
        args[i] = c->keys[i];
    args[c->key_count] = start;
    args[c->key_count + 1] = end;
    literal *l = builder_literal(b, LITERAL_RELATION, c->at);
    l->pred = c->pred;
    l->source = source;
    l->args = args;
    l->arg_count = c->key_count + 2;
    return l;
}

static void keys_only(const pending *c, literal *l) {
    l->pred = c->pred;
    l->source = SOURCE_MAXIMAL;
    l->args = c->keys;
    l->arg_count = c->key_count;
    l->negated = l->kind == LITERAL_RELATION;
}

static bool is_anything(builder *b, const term *t, const varset *bound) {
    return t->kind == TERM_VAR && t->text[0] == '_' && !varset_has(bound, builder_var(b, t->text));
}

// Returns whether a negated call says of its time only that there is any.
static bool any_time(builder *b, const term *spec, const varset *bound) {
    if (term_is(spec, "throughout", 2) || term_is(spec, "during", 2))
        return is_anything(b, spec->args[0], bound) && is_anything(b, spec->args[1], bound);
    return is_anything(b, term_is(spec, "at", 1) ? spec->args[0] : spec, bound);
}

static void lower_negated(builder *b, const pending *c, uint32_t range, const varset *bound) {
    const term *spec = c->spec;
    literal *l;
    if (range == VAR_NONE && any_time(b, spec, bound)) {
        const pattern *start = pattern_var(b, builder_fresh(b));
        l = interval_literal(b, c, SOURCE_MAXIMAL, start, pattern_var(b, builder_fresh(b)));
        l->negated = true;
        return;
    }
    if (term_is(spec, "interval", 2)) {
        const pattern *start = pattern_end(b, spec->args[0]), *end = pattern_end(b, spec->args[1]);
        l = interval_literal(b, c, SOURCE_MAXIMAL, start, end);
        l->negated = true;
        return;
    }
    if (range != VAR_NONE) {
        l = builder_literal(b, LITERAL_SUBTRACT, c->at);
        keys_only(c, l);
        l->range = range;
        return;
    }
    bool during = term_is(spec, "during", 2), throughout = term_is(spec, "throughout", 2);
    const term *first = term_is(spec, "at", 1) || during || throughout ? spec->args[0] : spec;
    const expr *left = expr_time(b, first);
    const expr *right = during || throughout ? expr_time(b, spec->args[1]) : NULL;
    l = builder_literal(b, LITERAL_RELATION, c->at);
    keys_only(c, l);
    l->condition = during ? CONDITION_DURING : throughout ? CONDITION_THROUGHOUT : CONDITION_AT;
    l->left = left;
    l->right = right;
}

static void lower_pending(builder *b, const pending *c, uint32_t range, const varset *bound,
                          bool enumerates) {
    const term *spec = c->spec;
    if (c->negated) {
        lower_negated(b, c, range, bound);
        return;
    }
    if (term_is(spec, "interval", 2) || enumerates) {
        const pattern *start = pattern_end(b, spec->args[0]), *end = pattern_end(b, spec->args[1]);
        interval_literal(b, c, SOURCE_MAXIMAL, start, end);
        return;
    }
    uint32_t s = builder_fresh(b), e = builder_fresh(b);
    const expr *start = expr_var(b, s), *end = expr_var(b, e);
    bool throughout = term_is(spec, "throughout", 2), during = term_is(spec, "during", 2);
    // A span that ends before it begins has no instants.
    if (range == VAR_NONE && (throughout || during))
        builder_compare(b, COMPARE_AT_MOST, expr_time(b, spec->args[0]),
                        expr_time(b, spec->args[1]), c->at);
    interval_literal(b, c, throughout ? SOURCE_MERGED : SOURCE_PIECES, pattern_var(b, s),
                     pattern_var(b, e));
    if (range != VAR_NONE) {
        const pattern **ends = arena_alloc(b->a, 2 * sizeof *ends);
        ends[0] = pattern_var(b, s);
        ends[1] = pattern_var(b, e);
        literal *l = builder_literal(b, LITERAL_INTERSECT, c->at);
        l->range = range;
        l->args = ends;
        l->arg_count = 2;
    } else if (throughout) {
        builder_compare(b, COMPARE_AT_MOST, start, expr_time(b, spec->args[0]), c->at);
        builder_compare(b, COMPARE_AT_MOST, expr_time(b, spec->args[1]), end, c->at);
    } else if (during) {
        // [A, B) and [s, e) meet; [A, A) counts as the instant A.
        const expr *low = expr_time(b, spec->args[0]);
        expr *later = expr_new(b, EXPR_ADD), *most = expr_new(b, EXPR_MAX);
        later->args[0] = low;
        later->args[1] = expr_const(b, values_time(1));
        most->args[0] = expr_time(b, spec->args[1]);
        most->args[1] = later;
        builder_compare(b, COMPARE_LESS, start, most, c->at);
        builder_compare(b, COMPARE_LESS, low, end, c->at);
    } else {
        const expr *at = expr_time(b, term_is(spec, "at", 1) ? spec->args[0] : spec);
        builder_compare(b, COMPARE_AT_MOST, start, at, c->at);
        builder_compare(b, COMPARE_LESS, at, end, c->at);
    }
}

// Returns the variable of the instant that a specification names; VAR_NONE: it names none.
static uint32_t spec_variable(builder *b, const term *spec) {
    const term *t = term_is(spec, "at", 1) ? spec->args[0] : spec;
    return t->kind == TERM_VAR ? builder_var(b, t->text) : VAR_NONE;
}

static bool both_free(builder *b, const term *spec, const varset *bound) {
    return term_is(spec, "throughout", 2) && spec->args[0]->kind == TERM_VAR &&
           spec->args[1]->kind == TERM_VAR &&
           !varset_has(bound, builder_var(b, spec->args[0]->text)) &&
           !varset_has(bound, builder_var(b, spec->args[1]->text));
}

static bool spec_is_valid(const term *spec) {
    switch (spec->kind) {
    case TERM_VAR:
    case TERM_INT:
    case TERM_FLOAT:
        return true;
    case TERM_SYMBOL:
        return term_is_symbol(spec, "start") || term_is_symbol(spec, "end");
    case TERM_STRING:
        return false;
    case TERM_COMPOUND:
        break;
    }
    if (term_is_task_time(spec))
        return true;
    static const char *const known[] = {"at", "throughout", "during", "interval",
                                        "+",  "-",          "min",    "max"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(spec->text, known[i]) == 0)
            return spec->arity == (i == 0 ? 1u : 2u);
    }
    return false;
}

// Finds an instant variable that a goal asks for and the head does not have: the rule holds where
// some instant of it is left.
static void find_some(builder *b, rule *r) {
    varset bound = {0}, head = {0};
    bind_all(b, r, &bound, true);
    for (uint32_t i = 0; i < r->arg_count; i++)
        pattern_vars(r->args[i], &head);
    for (size_t i = 0; i < b->pending.count && r->some_range == VAR_NONE; i++) {
        const pending *c = &b->pending.items[i];
        // at(T) names an instant that must be bound.
        bool asks = !c->negated && c->spec->kind == TERM_VAR;
        uint32_t var = asks ? spec_variable(b, c->spec) : VAR_NONE;
        if (var == VAR_NONE || varset_has(&bound, var) || varset_has(&head, var))
            continue;
        r->some_range = var;
        r->is_range[var] = true;
    }
}

static void lower_all(builder *b, rule *r) {
    varset bound = {0};
    bind_all(b, r, &bound, true);
    for (size_t i = 0; i < b->pending.count && !b->failed; i++) {
        const pending *c = &b->pending.items[i];
        if (!spec_is_valid(c->spec)) {
            builder_error(b, c->spec->line ? c->spec : c->at,
                          "this is not a time; write at(T), throughout(A, B), during(A, B) or "
                          "interval(S, E)");
            return;
        }
        bool enumerates = !c->negated && both_free(b, c->spec, &bound);
        for (size_t k = 0; enumerates && k < i; k++) {
            const pending *other = &b->pending.items[k];
            if (!other->negated && both_free(b, other->spec, &bound) &&
                (term_equal(other->spec->args[0], c->spec->args[0]) ||
                 term_equal(other->spec->args[1], c->spec->args[1]))) {
                builder_error(
                    b, c->spec,
                    "two calls share the ends of an unbound throughout; write interval(%s, %s) "
                    "where they shall be enumerated",
                    c->spec->args[0]->text, c->spec->args[1]->text);
                return;
            }
        }
        uint32_t var = spec_variable(b, c->spec);
        lower_pending(b, c, var != VAR_NONE && r->is_range[var] ? var : VAR_NONE, &bound,
                      enumerates);
    }
}

// Lowers the time of the head to an instant variable or to two more columns. `r` is not used for an
// interval.
static void head_time(builder *b, rule *r, const term *spec, const pattern **args,
                      uint32_t *count) {
    if (!spec_is_valid(spec) || term_is(spec, "during", 2)) {
        builder_error(b, spec, "a head holds at interval(S, E), at(T), or an instant variable");
        return;
    }
    if (term_is(spec, "interval", 2) || term_is(spec, "throughout", 2)) {
        args[(*count)++] = pattern_end(b, spec->args[0]);
        args[(*count)++] = pattern_end(b, spec->args[1]);
        return;
    }
    uint32_t var = spec_variable(b, spec);
    varset bound = {0};
    bind_all(b, r, &bound, true);
    bool in_keys = false;
    for (uint32_t i = 0; var != VAR_NONE && i < *count; i++) {
        varset v = {0};
        pattern_vars(args[i], &v);
        in_keys = in_keys || varset_has(&v, var);
    }
    if (var != VAR_NONE && !varset_has(&bound, var) && !in_keys) {
        r->head_range = var;
        r->is_range[var] = true;
        return;
    }
    const expr *at = expr_time(b, term_is(spec, "at", 1) ? spec->args[0] : spec);
    expr *next = expr_new(b, EXPR_ADD);
    next->args[0] = at;
    next->args[1] = expr_const(b, values_time(1));
    uint32_t s = builder_fresh(b), e = builder_fresh(b);
    literal *l = builder_literal(b, LITERAL_UNIFY, spec);
    l->left = expr_var(b, s);
    l->right = at;
    l = builder_literal(b, LITERAL_UNIFY, spec);
    l->left = expr_var(b, e);
    l->right = next;
    args[(*count)++] = pattern_var(b, s);
    args[(*count)++] = pattern_var(b, e);
}

// Finds the variables that callers may bind: those of the first `keys` columns, never the ends of
// an interval, and no groups of an aggregate, which are enumerated. For a scope, the rule around it
// says which.
static void find_given(builder *b, rule *r, uint32_t keys) {
    varset groups = {0}, head = {0};
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        for (uint32_t k = 0; l->kind == LITERAL_AGGREGATE && k < l->arg_count; k++)
            pattern_vars(l->args[k], &groups);
    }
    for (uint32_t i = 0; i < keys && !b->fixed; i++)
        pattern_vars(r->args[i], &head);
    for (uint32_t v = 0; v < VARS_MAX; v++) {
        if (varset_has(&head, v) && !varset_has(&groups, v))
            varset_add(&r->given, v);
    }
}

// Where a user's file declares the name, a head must have a declared number of arguments.
static bool is_declared_so(builder *b, const term *head, uint32_t count) {
    const char *own = module_head(b->p, b->source, head->text);
    const declaration *said = program_declared(b->p, own);
    const rule_source *from = said ? program_source(b->p, said->file) : NULL;
    if (!from || from->library || program_declaration(b->p, own, count))
        return true;
    builder_error(b, head,
                  "%s is declared with %u argument%s in line %d of %s, not with %u; declare %s/%u "
                  "as well where it is meant",
                  head->text, said->arity, said->arity == 1 ? "" : "s", said->line, said->file,
                  count, head->text, count);
    return false;
}

static bool head_is_allowed(builder *b, const term *head) {
    uint32_t n = head->kind == TERM_COMPOUND ? head->arity : 0;
    // The clauses of a predicate mostly stand together.
    const term *last = b->p->allowed;
    if (last && last->kind == head->kind && last->arity == head->arity &&
        b->p->allowed_in == b->source && strcmp(last->text, head->text) == 0)
        return true;
    if (head->kind != TERM_COMPOUND && head->kind != TERM_SYMBOL) {
        builder_error(b, head, "a clause begins with a name");
        return false;
    }
    static const char *const taken[] = {
        ",", ";", "not", "=", "!=",  "<",  "<=", ">",   ">=", "is",
        "+", "-", "*",   "/", "mod", "{}", ":-", "why", "[]", "[|]"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        if (strcmp(head->text, taken[i]) == 0) {
            builder_error(b, head, "'%s' cannot be defined", taken[i]);
            return false;
        }
    }
    if (program_builtin(b->p, head->text, n)) {
        builder_error(b, head, "%s/%u is built in; give this predicate another name", head->text,
                      n);
        return false;
    }
    const fact *f = fact_find(head->text, n);
    f = f ? f : program_fact(b->p, module_head(b->p, b->source, head->text), n);
    if (f) {
        builder_error(b, head, "%s/%u is a table of the %s; give this predicate another name",
                      head->text, n,
                      f->held     ? "program"
                      : f->origin ? "database"
                                  : "log");
        return false;
    }
    if (module_plain(head->text) != head->text) {
        builder_error(b, head, "a clause defines a predicate of its own file, '%s', not '%s'",
                      module_plain(head->text), head->text);
        return false;
    }
    if (!is_declared_so(b, head, n))
        return false;
    // A head in which an equation was written out may not outlive the clause.
    if (b->source && b->goals->count == 0) {
        b->p->allowed = head;
        b->p->allowed_in = b->source;
    }
    return true;
}

static bool all_constant(const pattern *const *args, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (args[i]->kind != PATTERN_CONST)
            return false;
    }
    return true;
}

static void add_fact(builder *b, pred *p, const pattern *const *args, uint32_t count) {
    value *row = arena_alloc(b->a, (count + 1) * sizeof *row);
    for (uint32_t i = 0; i < count; i++)
        row[i] = args[i]->constant;
    pred_add_facts(p, row, 1, b->clause);
}

// Gives the rule the variables that were met while it was lowered.
static void take_variables(const builder *b, rule *r) {
    const bool *ranges = r->is_range;
    rule_make_room(r, b->a, (uint32_t)b->names.count);
    r->var_count = (uint32_t)b->names.count;
    for (size_t v = 0; v < b->names.count; v++) {
        r->var_names[v] = b->names.items[v];
        r->is_range[v] = ranges[v];
    }
}

// Makes a rule without variables, and notes where it stands.
static rule *make_rule(builder *b, pred *of) {
    rule *r = arena_alloc(b->a, sizeof *r);
    r->head_range = r->some_range = VAR_NONE;
    r->id = b->clause;
    r->pred = of;
    r->file = b->file;
    r->line = b->line;
    r->column = b->column;
    r->written = b->written;
    return r;
}

// Adds a clause of constants alone. There may be many, and they need no room for variables.
static void state_fact(builder *b, pred *of, const pattern **args, uint32_t count) {
    if (!of->temporal) {
        add_fact(b, of, args, count);
        return;
    }
    rule *r = make_rule(b, of);
    r->args = args;
    r->arg_count = count;
    r->literals = arena_alloc(b->a, 0);
    array_push(&of->rules, r);
}

bool lower_facts(program *p, const clause *c, errors *list) {
    goal_list none = {0};
    builder b = {.p = p,
                 .a = p->current,
                 .file = c->file,
                 .list = list,
                 .line = c->line,
                 .column = c->column,
                 .clause = c->id,
                 .source = c->source,
                 .head = c->head,
                 .goals = &none};
    resolved head;
    bool known = head_is_allowed(&b, c->head) && builder_resolve(&b, c->head, true, &head);
    if (known) {
        if (!head.pred->file) {
            head.pred->file = c->file;
            head.pred->line = c->line;
            head.pred->column = c->column;
        }
        pred_add_facts(head.pred, c->facts->rows.items, c->facts->count, c->id);
    }
    array_finish(&b.names);
    array_finish(&b.literals);
    return known;
}

void builder_finish(builder *b) {
    resolved head = {.pred = b->fixed};
    if (b->fixed) {
        head.args = (const term **)(uintptr_t)b->head->args;
        head.arg_count = b->head->kind == TERM_COMPOUND ? b->head->arity : 0;
    } else if (!head_is_allowed(b, b->head) || !builder_resolve(b, b->head, true, &head)) {
        b->failed = true;
        return;
    }
    const pattern **args = arena_alloc(b->a, (head.arg_count + 3) * sizeof *args);
    uint32_t count = 0;
    for (uint32_t i = 0; i < head.arg_count; i++)
        args[count++] = pattern_of(b, head.args[i], false);
    // The ends of an interval are columns like any other.
    bool plain = !head.spec || term_is(head.spec, "interval", 2);
    if (head.spec && plain)
        head_time(b, NULL, head.spec, args, &count);
    if (!b->failed && !head.pred->file) {
        head.pred->file = b->file;
        head.pred->line = b->line;
        head.pred->column = b->column;
    }
    if (!b->failed && plain && b->literals.count == 0 && b->pending.count == 0 &&
        b->names.count == 0 && all_constant(args, count)) {
        state_fact(b, head.pred, args, count);
        return;
    }
    rule *r = make_rule(b, head.pred);
    bool ranges[VARS_MAX] = {0};
    r->is_range = ranges;
    if (!plain)
        head_time(b, r, head.spec, args, &count);
    r->args = args;
    r->arg_count = count;
    if (!b->failed && !head.spec)
        find_some(b, r);
    if (!b->failed)
        lower_all(b, r);
    varset bound = {0};
    b->pending.count = 0; // they are literals now
    if (!b->failed && b->scopes.count > 0) {
        bind_all(b, r, &bound, false);
        scope_lower(b, &bound);
    }
    if (b->failed)
        return;
    r->literal_count = (uint32_t)b->literals.count;
    r->literals = arena_alloc(b->a, (b->literals.count + 1) * sizeof *r->literals);
    if (b->literals.count > 0)
        memcpy(r->literals, b->literals.items, b->literals.count * sizeof *r->literals);
    take_variables(b, r);
    find_given(b, r, head.arg_count);
    if (!head.pred->scoped)
        rule_bind(r);
    if (r->literal_count == 0 && !head.pred->temporal && all_constant(r->args, r->arg_count))
        add_fact(b, head.pred, r->args, r->arg_count);
    else
        array_push(&head.pred->rules, r);
}

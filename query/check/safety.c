// query/check/safety.c - finds the columns that callers must bind, and variables that nothing
// binds.
#include <stdio.h>
#include "query/check/check_int.h"

static void head_vars(const rule *r, varset *out) {
    for (uint32_t i = 0; i < r->arg_count; i++)
        pattern_vars(r->args[i], out);
}

static bool rule_runs(const rule *r, varset bound, bool *done) {
    varset head = {0};
    head_vars(r, &head);
    return rule_run_dry(r, &bound, done) && varset_within(&head, &bound);
}

// Returns the columns of the head that bind the variables in `needed`: the first column of each
// variable.
static uint32_t columns_with(const rule *r, const varset *needed) {
    uint32_t mask = 0;
    varset left = *needed;
    for (uint32_t i = 0; i < r->arg_count; i++) {
        varset v = {0};
        pattern_vars(r->args[i], &v);
        if (!varset_meets(&v, &left))
            continue;
        mask |= UINT32_C(1) << i;
        for (uint32_t k = 0; k < r->var_count; k++) {
            if (varset_has(&v, k))
                varset_remove(&left, k);
        }
    }
    return mask;
}

// Adds the head variables that callers may bind: those that the body mentions (of a rule without a
// body all), but for the ends of an interval. In a scope they are those that the rule around it
// binds.
static void caller_vars(const rule *r, varset *out) {
    for (uint32_t i = 0; r->pred->scoped && i < r->pred->shared; i++)
        pattern_vars(r->args[i], out);
    if (r->pred->scoped)
        return;
    varset body = {0};
    for (uint32_t i = 0; i < r->literal_count; i++)
        literal_vars(&r->literals[i], &body);
    uint32_t width =
        r->pred->temporal && r->arg_count == r->pred->arity ? r->arg_count - 2 : r->arg_count;
    for (uint32_t i = 0; i < width; i++) {
        varset v = {0};
        pattern_vars(r->args[i], &v);
        for (uint32_t k = 0; k < r->var_count; k++) {
            if (varset_has(&v, k) && (varset_has(&body, k) || r->literal_count == 0))
                varset_add(out, k);
        }
    }
}

static uint32_t required_of(const rule *r, bool *done) {
    varset needed = {0};
    if (rule_runs(r, needed, done))
        return 0;
    caller_vars(r, &needed);
    if (!rule_runs(r, needed, done))
        return columns_with(r, &needed);
    for (uint32_t v = 0; v < r->var_count; v++) {
        if (!varset_has(&needed, v))
            continue;
        varset fewer = needed;
        varset_remove(&fewer, v);
        if (rule_runs(r, fewer, done))
            needed = fewer;
    }
    return columns_with(r, &needed);
}

// Columns that callers must bind are bound inside the rule, where groups are looked up by them.
static void give_required(pred *d) {
    for (size_t k = 0; k < d->rules.count; k++) {
        rule *r = d->rules.items[k];
        for (uint32_t i = 0; i < r->arg_count; i++) {
            if (d->required >> i & 1)
                pattern_vars(r->args[i], &r->given);
        }
        rule_bind(r);
    }
}

static bool *done_flags(const checker *c) {
    uint32_t most = 0;
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        for (size_t k = 0; k < pred_at(c, i)->rules.count; k++) {
            uint32_t n = pred_at(c, i)->rules.items[k]->literal_count;
            most = n > most ? n : most;
        }
    }
    bool *done = mem_must(most + 1, sizeof *done);
    return done;
}

static uint32_t first_unbound(const varset *v, const varset *bound) {
    for (uint32_t i = 0; i < VARS_MAX; i++) {
        if (varset_has(v, i) && !varset_has(bound, i))
            return i;
    }
    return VAR_NONE;
}

// Returns the name to show for a variable; NULL: the engine made it.
static const char *var_name(const rule *r, uint32_t v) {
    const char *name = v == VAR_NONE ? "_" : r->var_names[v];
    return name[0] == '_' && (name[1] == 0 || name[1] == '$' || name[1] == '#') ? "_" : name;
}

// Returns whether the variable is an instant that some literal asks about.
static bool is_instant(const rule *r, uint32_t v) {
    if (v == VAR_NONE)
        return false;
    if (r->is_range[v])
        return true;
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        varset vars = {0};
        if (l->kind == LITERAL_BUILTIN) {
            for (uint32_t k = 0; k < l->arg_count; k++) {
                if (builtin_type(l->builtin, k) == 't' && builtin_needs(l->builtin, k))
                    pattern_vars(l->args[k], &vars);
            }
        } else if (l->kind == LITERAL_RELATION && l->pred && l->pred->required != 0) {
            for (uint32_t k = 0; k < l->arg_count; k++) {
                if (l->pred->required >> k & 1 && pred_column(l->pred, k) == COLUMN_INSTANT)
                    pattern_vars(l->args[k], &vars);
            }
        } else if (l->kind == LITERAL_RELATION && l->condition != CONDITION_NONE) {
            expr_vars(l->left, &vars);
            expr_vars(l->right, &vars);
        } else if (l->kind == LITERAL_COMPARE) {
            // This is S =< T, where S begins an interval.
            bool left = l->left->op == EXPR_VAR && r->is_time[l->left->var];
            bool right = l->right->op == EXPR_VAR && r->is_time[l->right->var];
            if (left)
                expr_vars(l->right, &vars);
            if (right)
                expr_vars(l->left, &vars);
        }
        if (varset_has(&vars, v))
            return true;
    }
    return false;
}

static const term *find_variable(const term *t, const char *name) {
    if (!t)
        return NULL;
    if (t->kind == TERM_VAR)
        return t->line && strcmp(t->text, name) == 0 ? t : NULL;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++) {
        const term *found = find_variable(t->args[i], name);
        if (found)
            return found;
    }
    return NULL;
}

static void report_at(const checker *c, const rule *r, const literal *l, uint32_t v,
                      const char *text) {
    int line = l ? l->line : r->line, column = l ? l->column : r->column;
    const term *written = l ? l->written : r->written;
    const term *at = v == VAR_NONE ? NULL : find_variable(written, r->var_names[v]);
    errors_add(c->list, r->file, at ? at->line : line, at ? at->column : column, "%s", text);
}

#define WOULD_BIND "; a positive literal or an equation would"

// Reports a literal that never becomes ready: a variable that it needs, and what would bind it.
static void explain_stuck(const rule *r, const literal *l, const varset *bound, uint32_t *variable,
                          char *text, size_t size) {
    char label[300];
    varset vars = {0};
    uint32_t required = literal_required(l), column = 0;
    literal_vars(l, &vars);
    uint32_t v = first_unbound(&vars, bound);
    bool named = false;
    for (uint32_t i = 0; i < l->arg_count && !named; i++) {
        varset own = {0};
        pattern_vars(l->args[i], &own);
        bool needs = l->kind == LITERAL_BUILTIN ? builtin_needs(l->builtin, i) : required >> i & 1;
        if (needs && first_unbound(&own, bound) != VAR_NONE) {
            v = first_unbound(&own, bound);
            column = i;
            named = true;
        }
    }
    *variable = v;
    const char *name = var_name(r, v);
    if (is_instant(r, v))
        snprintf(text, size, "%s would enumerate instants; bind it, or ask for interval(S, E)",
                 name);
    else if (named && l->kind == LITERAL_BUILTIN)
        snprintf(text, size, "argument %u of %s/%u must be bound; nothing binds %s" WOULD_BIND,
                 column + 1, l->builtin->name, l->builtin->arity, name);
    else if (named && !l->pred->auxiliary)
        snprintf(text, size, "argument %u of %s must be bound; nothing binds %s" WOULD_BIND,
                 column + 1, pred_label(l->pred, label, sizeof label), name);
    else if (l->negated)
        snprintf(text, size,
                 "unsafe variable %s: it occurs only under negation; write _%s if any is meant, "
                 "or name it in a positive literal",
                 name, name);
    else if (l->kind == LITERAL_COMPARE)
        snprintf(text, size,
                 "unsafe variable %s: no literal binds it, and a comparison does not" WOULD_BIND,
                 name);
    else
        snprintf(text, size, "unsafe variable %s: no literal binds it" WOULD_BIND, name);
}

static void report_stuck(const checker *c, const rule *r, const varset *given, const bool *done) {
    varset bound = *given, vars = {0};
    const literal *l = NULL;
    char text[600];
    uint32_t v;
    // A clause that was to define what is built in was refused: then nobody meant this call.
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *own = &r->literals[i];
        if (own->kind == LITERAL_BUILTIN && program_is_broken(c->p, own->builtin->name))
            return;
    }
    for (uint32_t i = 0; i < r->literal_count; i++) {
        if (done[i])
            literal_outputs(&r->literals[i], &bound);
        else if (!l)
            l = &r->literals[i];
    }
    if (l) {
        explain_stuck(r, l, &bound, &v, text, sizeof text);
    } else {
        head_vars(r, &vars);
        v = first_unbound(&vars, &bound);
        snprintf(text, sizeof text,
                 is_instant(r, v)
                     ? "%s would enumerate instants; bind it, or ask for interval(S, E)"
                     : "unsafe variable %s: no literal binds it" WOULD_BIND,
                 var_name(r, v));
    }
    report_at(c, r, l, v, text);
}

void check_safety(const checker *c) {
    bool *done = done_flags(c);
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = c->first; i < c->p->preds.count; i++) {
            pred *d = pred_at(c, i);
            uint32_t before = d->required;
            for (size_t k = 0; k < d->rules.count; k++)
                d->required |= required_of(d->rules.items[k], done);
            if (d->required != before) {
                moved = true;
                give_required(d);
            }
        }
    }
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        pred *d = pred_at(c, i);
        bool is_query = d->auxiliary && strncmp(d->name, "query$", 6) == 0;
        for (size_t k = 0; k < d->rules.count; k++) {
            const rule *r = d->rules.items[k];
            varset given = {0};
            if (!is_query)
                caller_vars(r, &given);
            varset bound = given;
            if (!rule_runs(r, bound, done) && !check_found_flawed(c, r))
                report_stuck(c, r, &given, done);
        }
    }
    free(done);
}

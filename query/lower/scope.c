// query/lower/scope.c - scopes of variables: a clause is one, and so is each negation of several
// goals and each aggregate in it.
//
// A variable belongs to the outermost scope in which it stands itself, not in a scope within it.
// In that scope and in all scopes within it, the name is one variable; two scopes side by side have
// a variable each where no scope around them has the name. A negated atom is no scope: its
// variables belong to the scope around it, and those that begin with `_` stand for anything. Each
// scope within a clause is lowered as a clause of its own, of an auxiliary predicate whose first
// columns are the variables that it shares with the scope around it.
#include "query/lower/lower_int.h"

#include <stdio.h>

// ---- Names ----

static void names_add(names *set, const char *name) {
    if (!names_have(set, name))
        array_push(set, name);
}

bool names_have(const names *set, const char *name) {
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->items[i], name) == 0)
            return true;
    }
    return false;
}

static void names_of(const term *t, const term *skip, names *out) {
    if (t == skip || !t)
        return;
    if (t->kind == TERM_VAR)
        names_add(out, t->text);
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
        names_of(t->args[i], skip, out);
}

static bool scope_has_aggregate(const term *t) {
    if (term_is(t, "{}", 3))
        return true;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++) {
        if (scope_has_aggregate(t->args[i]))
            return true;
    }
    return false;
}

bool scope_is_atom(const term *negated) {
    return !term_is(negated, ",", 2) && !term_is(negated, ";", 2) && !term_is(negated, "not", 1) &&
           !scope_has_aggregate(negated);
}

// Returns whether the term is a scope of its own.
static bool is_scope(const term *t) {
    return term_is(t, "{}", 3) || (term_is(t, "not", 1) && !scope_is_atom(t->args[0]));
}

static void add_here(const term *t, bool negated, names *out) {
    if (t->kind == TERM_VAR && !(negated && t->text[0] == '_'))
        names_add(out, t->text);
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity && !is_scope(t); i++)
        add_here(t->args[i], negated || term_is(t, "not", 1), out);
}

void names_here(const term *t, names *out) {
    add_here(t, false, out);
}

// ---- Variables that occur once ----

typedef struct occurrence {
    const term *first; // NULL: no occurrence was met yet
    const char *name;
    uint32_t scope, count;
} occurrence;

typedef struct census {
    ARRAY(occurrence) all;
    ARRAY(uint32_t) open; // the scopes around the present term, the outermost first
    uint32_t scopes;
} census;

// Returns the variable of this name of the outermost open scope that has it; NULL: no scope does.
static occurrence *census_find(census *c, const char *name) {
    for (size_t k = 0; k < c->open.count; k++) {
        for (size_t i = 0; i < c->all.count; i++) {
            occurrence *o = &c->all.items[i];
            if (o->scope == c->open.items[k] && strcmp(o->name, name) == 0)
                return o;
        }
    }
    return NULL;
}

static void census_open(census *c, const term *const *parts, uint32_t count) {
    names own = {0};
    array_push(&c->open, ++c->scopes);
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i])
            names_here(parts[i], &own);
    }
    for (size_t i = 0; i < own.count; i++) {
        if (own.items[i][0] != '_' && !census_find(c, own.items[i]))
            array_push(&c->all, (occurrence){.name = own.items[i], .scope = c->scopes});
    }
    array_finish(&own);
}

static void census_take(census *c, const term *t) {
    if (t->kind == TERM_VAR) {
        occurrence *o = t->text[0] == '_' ? NULL : census_find(c, t->text);
        if (o && o->count++ == 0)
            o->first = t;
        return;
    }
    if (t->kind != TERM_COMPOUND)
        return;
    if (is_scope(t))
        census_open(c, (const term *const *)t->args, t->arity);
    for (uint32_t i = 0; i < t->arity; i++)
        census_take(c, t->args[i]);
    if (is_scope(t))
        c->open.count--;
}

static bool has_namesake(const census *c, size_t at) {
    for (size_t i = 0; i < c->all.count; i++) {
        if (i != at && strcmp(c->all.items[i].name, c->all.items[at].name) == 0)
            return true;
    }
    return false;
}

void scope_check(program *p, const clause *c, bool is_query, errors *list) {
    census found = {0};
    const term *parts[2] = {c->head, c->body};
    census_open(&found, parts, 2);
    for (int i = 0; i < 2; i++) {
        if (parts[i])
            census_take(&found, parts[i]);
    }
    for (size_t i = 0; i < found.all.count; i++) {
        const occurrence *o = &found.all.items[i];
        bool shared = has_namesake(&found, i);
        int line = o->first && o->first->line ? o->first->line : c->line;
        int column = o->first && o->first->line ? o->first->column : c->column;
        if (o->count != 1 || (is_query && !shared))
            continue;
        errors_add(is_query ? &p->warnings : list, c->file, line, column,
                   shared ? "variable %s occurs once in this aggregate or negation, and nowhere "
                            "around it: the %s elsewhere is another one; write _%s if any is meant"
                          : "variable %s occurs once in this clause; write %.0s_%s if any is meant",
                   o->name, o->name, o->name);
    }
    array_finish(&found.all);
    array_finish(&found.open);
}

// ---- Auxiliary predicates ----

// The head of an auxiliary clause has a column for each variable of a solution. Where a way through
// its disjunctions lacks the variable, the column is empty.
static const term *with_empty(builder *b) {
    const pred *d = b->fixed;
    const term *head = b->head;
    const term **args = arena_alloc(b->a, (head->arity + 1) * sizeof *args);
    names here = {0};
    bool moved = false;
    for (size_t i = 0; i < b->goals->count; i++)
        names_here(b->goals->items[i], &here);
    for (uint32_t i = 0; i < head->arity; i++) {
        const term *t = head->args[i];
        bool empty = i >= d->shared && i < d->shared + d->spread && t->kind == TERM_VAR &&
                     !names_have(&here, t->text);
        args[i] = empty ? term_symbol(b->a, "$none") : t;
        moved = moved || empty;
    }
    array_finish(&here);
    return moved ? term_compound(b->a, head->text, head->arity, args) : head;
}

void scope_open(builder *b) {
    if (b->fixed && b->fixed->spread > 0)
        b->head = with_empty(b);
    for (uint32_t i = 0; b->head->kind == TERM_COMPOUND && i < b->head->arity; i++)
        names_here(b->head->args[i], &b->scope);
    for (size_t i = 0; i < b->goals->count; i++)
        names_here(b->goals->items[i], &b->scope);
}

// Adds the variables that the scope `inside` shares with the scope around it.
static void shared_names(const builder *b, const term *inside, names *out) {
    names all = {0};
    names_of(inside, NULL, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (names_have(&b->scope, all.items[i]))
            array_push(out, all.items[i]);
    }
    array_finish(&all);
}

static const term *call_of(builder *b, const char *name, const names *args, const term *more) {
    uint32_t n = (uint32_t)args->count + (more ? 1 : 0);
    const term **list = arena_alloc(b->a, (n + 1) * sizeof *list);
    for (size_t i = 0; i < args->count; i++)
        list[i] = term_var(b->a, args->items[i]);
    if (more)
        list[args->count] = more;
    return n == 0 ? term_symbol(b->a, name) : term_compound(b->a, name, n, list);
}

// Makes the predicate of a goal. Its first `shared` columns are variables of the rule, the next
// `spread` those of a solution.
static pred *make_auxiliary(builder *b, const char *what, const names *args, uint32_t shared,
                            uint32_t spread, const term *more, const term *body) {
    uint32_t arity = (uint32_t)args->count + (more ? 1 : 0);
    if (arity > RELATION_ARITY_MAX) {
        builder_error(b, body, "more than %d variables are shared here; split the rule",
                      RELATION_ARITY_MAX);
        return NULL;
    }
    pred *aux = program_auxiliary(b->p, what, arity);
    aux->scoped = true;
    aux->shared = shared;
    aux->spread = spread;
    clause c = {.head = call_of(b, aux->name, args, more),
                .body = body,
                .source = (rule_source *)(uintptr_t)b->source,
                .file = b->file,
                .line = body->line ? body->line : b->line,
                .column = body->line ? body->column : b->column};
    array_push(&b->scopes, (scope_body){aux, c});
    return aux;
}

void scope_lower(builder *b, const varset *bound) {
    names around = {0};
    for (uint32_t v = 0; v < b->names.count; v++) {
        if (varset_has(bound, v))
            array_push(&around, b->names.items[v]);
    }
    for (size_t i = 0; i < b->scopes.count && !b->failed; i++) {
        const scope_body *s = &b->scopes.items[i];
        // A goal of another episode binds its variables there.
        b->failed = !builder_lower(b->p, &s->clause, b->clause, s->aux,
                                   s->aux->episode_call ? &(names){0} : &around, b->list);
    }
    array_finish(&around);
}

static const pattern **variable_patterns(builder *b, const names *of) {
    const pattern **args = arena_alloc(b->a, (of->count + 1) * sizeof *args);
    for (size_t i = 0; i < of->count; i++)
        args[i] = pattern_var(b, builder_var(b, of->items[i]));
    return args;
}

static const term *term_placed_at(builder *b, const term *t, const term *at) {
    term *made = arena_alloc(b->a, sizeof *made);
    *made = *t;
    made->line = at->line;
    made->column = at->column;
    return made;
}

static const term *both_of(builder *b, const term *first, const term *second, const term *at) {
    const term *both[2] = {first, second};
    return term_placed_at(b, term_compound(b->a, ",", 2, both), at);
}

// ---- Negations ----

void scope_negation(builder *b, const term *t, bool negated) {
    names shared = {0};
    shared_names(b, t, &shared);
    pred *aux = make_auxiliary(b, "not", &shared, (uint32_t)shared.count, 0, NULL, t->args[0]);
    if (aux) {
        const pattern **args = variable_patterns(b, &shared);
        literal *l = builder_literal(b, LITERAL_RELATION, t);
        l->pred = aux;
        l->negated = !negated;
        l->arg_count = (uint32_t)shared.count;
        l->args = args;
    }
    array_finish(&shared);
}

uint32_t scope_absence(builder *b, const term *t, uint32_t timed, bool apart, pred **out,
                       const pattern ***keys) {
    static const char *const names_of_ends[] = {"_#from", "_#to"};
    const term *ends[2], **args = arena_alloc(b->a, (t->arity + 1) * sizeof *args);
    names shared = {0}, columns = {0}, all = {0};
    for (int i = 0; i < 2; i++)
        ends[i] = term_var(b->a, names_of_ends[i]);
    for (uint32_t i = 0; i < t->arity; i++)
        args[i] = i == timed ? term_compound(b->a, "interval", 2, ends) : t->args[i];
    const term *goal = term_placed_at(b, term_compound(b->a, t->text, t->arity, args), t);
    shared_names(b, goal, &shared);
    for (size_t i = 0; i < shared.count; i++)
        array_push(&columns, shared.items[i]);
    for (uint32_t i = 0; apart && i < t->arity; i++) {
        if (i != timed)
            names_of(t->args[i], NULL, &all);
    }
    for (size_t i = 0; i < all.count; i++)
        names_add(&columns, all.items[i]);
    uint32_t count = (uint32_t)columns.count;
    const pattern **made = arena_alloc(b->a, (count + 1) * sizeof *made);
    for (uint32_t i = 0; i < count; i++)
        made[i] =
            pattern_var(b, i < shared.count ? builder_var(b, columns.items[i]) : builder_fresh(b));
    for (int i = 0; i < 2; i++)
        array_push(&columns, names_of_ends[i]);
    *out = make_auxiliary(b, "not", &columns, (uint32_t)shared.count, 0, NULL, goal);
    if (*out)
        (*out)->temporal = true;
    *keys = made;
    array_finish(&shared);
    array_finish(&columns);
    array_finish(&all);
    return count;
}

// ---- Aggregates ----

// Adds the variables of `X, Y, Z`. False: the term has anything else, or too many, and *out is
// empty.
static bool names_in_row(const term *t, names *out) {
    for (; term_is(t, ",", 2) && t->args[0]->kind == TERM_VAR; t = t->args[1])
        names_add(out, t->args[0]->text);
    if (t->kind == TERM_VAR && out->count < RELATION_ARITY_MAX / 2)
        names_add(out, t->text);
    else
        out->count = 0;
    return out->count > 0;
}

// Where the value of an aggregate is computed, puts an equation behind the goal.
static const term *with_value(builder *b, const term **given, const term *goal, bool number) {
    if (!term_computes(*given, number))
        return goal;
    const term *sides[2] = {term_var(b->a, "_$value"), *given};
    const term *equation = term_placed_at(b, term_compound(b->a, SCOPE_VALUE, 2, sides), *given);
    *given = sides[0];
    return both_of(b, goal, equation, goal);
}

uint32_t scope_aggregate(builder *b, const term *t) {
#define AGGREGATE(word) word,
    static const char *const kinds[] = {
#include "query/lower/aggregates.def"
    };
#undef AGGREGATE
    aggregate_kind kind = AGGREGATE_COUNT;
    for (int i = 0; i < 6; i++) {
        if (term_is_symbol(t->args[0], kinds[i]))
            kind = (aggregate_kind)i;
    }
    const term *given = t->args[1], *goal = t->args[2];
    bool solutions = term_is_symbol(given, "_"),
         adds = kind == AGGREGATE_SUM || kind == AGGREGATE_AVG;
    names several = {
        0}; // the counted variables, where nothing else is counted: no term is made of them
    uint32_t result = builder_fresh(b), spread = 0;
    names groups = {0}, columns = {0}, inside = {0};
    shared_names(b, t, &groups);
    for (size_t i = 0; i < groups.count; i++)
        array_push(&columns, groups.items[i]);
    if (solutions && kind != AGGREGATE_COUNT)
        builder_error(b, t, "%s needs a value: %s { X : Goal }", kinds[kind], kinds[kind]);
    if (kind == AGGREGATE_COUNT && names_in_row(given, &several)) {
        for (size_t i = 0; i < several.count; i++)
            names_add(&columns, several.items[i]);
    }
    // Sums go over the solutions, so that equal numbers of different things all count.
    if (solutions || adds) {
        names_here(goal, &inside);
        for (size_t i = 0; i < inside.count; i++)
            names_add(&columns, inside.items[i]);
        spread = (uint32_t)(columns.count - groups.count);
    }
    bool valued = !solutions && several.count == 0;
    if (valued)
        goal = with_value(b, &given, goal, adds || kind == AGGREGATE_MIN || kind == AGGREGATE_MAX);
    pred *aux = b->failed ? NULL
                          : make_auxiliary(b, kinds[kind], &columns, (uint32_t)groups.count, spread,
                                           valued ? given : NULL, goal);
    if (aux) {
        const pattern **args = variable_patterns(b, &groups);
        literal *l = builder_literal(b, LITERAL_AGGREGATE, t);
        l->pred = aux;
        l->aggregate = kind;
        l->arg_count = (uint32_t)groups.count;
        l->args = args;
        l->right = expr_var(b, result);
    }
    array_finish(&several);
    array_finish(&groups);
    array_finish(&columns);
    array_finish(&inside);
    return result;
}

// ---- Other episodes ----

// in_episode(E, Goal) becomes an auxiliary predicate of E and the variables that Goal shares with
// the rule. Its clause is checked here and run in the other episode. It is no scope: the variables
// that its goal binds belong to the rule.
void scope_in_episode(builder *b, const term *t, bool negated) {
    const term *e = t->args[0], *goal = t->args[1];
    if (e->kind != TERM_VAR && e->kind != TERM_INT) {
        builder_error(b, e, "in_episode takes the number of an episode, or a variable");
        return;
    }
    names columns = {0}, inside = {0}, rest = {0};
    names_add(&columns, e->kind == TERM_VAR ? e->text : "_$episode");
    const term *which[5] = {term_var(b->a, columns.items[0])};
    for (int i = 1; i < 5; i++)
        which[i] = term_var(b->a, arena_format(b->a, "_#e%d", i));
    names_of(goal, NULL, &inside);
    names_of(b->head, goal, &rest);
    for (size_t i = 0; i < b->goals->count; i++)
        names_of(b->goals->items[i], goal, &rest);
    for (size_t i = 0; i < inside.count; i++) {
        if (names_have(&rest, inside.items[i]) && names_have(&b->scope, inside.items[i]))
            names_add(&columns, inside.items[i]);
    }
    const term *body = both_of(b, term_compound(b->a, "episode", 5, which), goal, t);
    pred *aux = make_auxiliary(b, "in_episode", &columns, (uint32_t)columns.count, 0, NULL, body);
    if (aux) {
        struct episode_call *call = arena_alloc(b->a, sizeof *call);
        const pattern **args = variable_patterns(b, &columns);
        if (e->kind != TERM_VAR)
            args[0] = pattern_of(b, e, false);
        call->names = arena_alloc(b->a, columns.count * sizeof *call->names);
        call->count = (uint32_t)columns.count;
        call->goal = goal;
        call->source = b->source;
        call->file = b->file;
        for (size_t i = 0; i < columns.count; i++)
            call->names[i] = arena_strdup(b->a, columns.items[i]);
        aux->episode_call = call;
        literal *l = builder_literal(b, LITERAL_RELATION, t);
        l->pred = aux;
        l->negated = negated;
        l->args = args;
        l->arg_count = call->count;
    }
    array_finish(&columns);
    array_finish(&inside);
    array_finish(&rest);
}

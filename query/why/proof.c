// query/why/proof.c - proves the first answers of a query.
//
// The query is asked once, as fast as any query. Then each answer is derived anew from the rules as
// they are written, with its values in the place of the query's variables, so that only rows that
// lead to it are derived. The proof is built from these rows.
#include "query/lower/arrange.h"
#include "query/engine_int.h"
#include "query/why/proof_int.h"

// Returns whether the value can be written in a query: a time would be read as a number of seconds,
// and a variable from the log as a variable of the query.
static bool can_be_written(const values *v, value x) {
    if (value_kind(x) == VALUE_TIME)
        return false;
    if (value_kind(x) != VALUE_COMPOUND)
        return true;
    if (values_is(v, x, "$var", 1))
        return false;
    for (uint32_t i = 0; i < values_arity(v, x); i++) {
        if (!can_be_written(v, values_args(v, x)[i]))
            return false;
    }
    return true;
}

typedef struct substitution {
    const answers *from;
    size_t row;
    arena *a;
} substitution;

static const term *value_of(void *context, const char *variable) {
    const substitution *s = context;
    for (size_t c = 0; c < answers_columns(s->from); c++) {
        if (strcmp(answers_name(s->from, c), variable) == 0 &&
            can_be_written(answers_values(s->from), answers_value(s->from, s->row, c)))
            return answers_term(s->from, s->row, c, s->a);
    }
    return NULL;
}

// Returns the query without the goals that only arrange its answers (order, limit); NULL: none is
// left.
static const term *without_arranging(arena *a, const term *t) {
    if (arrange_is(t))
        return NULL;
    if (!term_is(t, ",", 2))
        return t;
    const term *sides[2] = {without_arranging(a, t->args[0]), without_arranging(a, t->args[1])};
    if (!sides[0] || !sides[1])
        return sides[0] ? sides[0] : sides[1];
    return term_compound(a, ",", 2, sides);
}

// Finds the row of the query's table that is this answer. Its columns are the query's variables.
static uint32_t row_of(const table *t, const prepared_query *q, const answers *from, size_t row) {
    value want[RELATION_ARITY_MAX];
    for (uint32_t i = 0; i < q->name_count; i++) {
        want[i] = VALUE_NONE;
        for (size_t c = 0; c < answers_columns(from); c++) {
            if (strcmp(answers_name(from, c), q->names[i]) == 0)
                want[i] = answers_value(from, row, c);
        }
    }
    return relation_find(t->rows, want);
}

// Says that no rule was found for a row that is there.
static status fail_lost(prover *P, const char *file, const term *t) {
    if (P->failed == E_USAGE)
        return error_at(P->err, E_INPUT, file, t->line, t->column,
                        "the proof of this answer could not be rebuilt");
    return P->failed;
}

static const table *table_of(const tables *all, const pred *p) {
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i]->pred == p && !all->items[i]->magic)
            return all->items[i];
    }
    return NULL;
}

static void prover_finish(prover *P) {
    for (size_t i = 0; i < P->layouts.count; i++)
        array_finish(&P->layouts.items[i]->groups);
    array_finish(&P->layouts);
    array_finish(&P->pending);
    array_finish(&P->used);
    free(P->known);
    arena_destroy(P->rows);
    arena_destroy(P->scratch);
    tables_destroy(&P->all);
}

static status prove_row(engine *e, arena *a, const prepared_query *q, const term *query,
                        const char *file, const proof_options *opt, const answers *from, size_t row,
                        const proof **out, error *err) {
    prover P = {.e = e, .p = engine_program(e), .query = query, .file = file, .opt = *opt, .a = a};
    P.err = err;
    P.into = a;
    P.rows = arena_create();
    P.scratch = arena_create();
    status s = engine_derive(e, P.rows, q, &P.all, &P.m, err);
    if (s == OK) {
        const table *t = table_of(&P.all, q->pred);
        uint32_t k = t ? row_of(t, q, from, row) : ROW_NONE;
        *out = k != ROW_NONE ? prover_answer(&P, (table *)(uintptr_t)t, k) : NULL;
        if (!*out && P.failed == OK)
            P.failed = E_USAGE;
        s = P.failed == OK ? OK : fail_lost(&P, file, query);
    }
    prover_finish(&P);
    return s;
}

static uint32_t number_steps(const proof *n, uint32_t next) {
    if (n->kind == PROOF_SEEN || n->kind == PROOF_CUT)
        return next;
    ((proof *)(uintptr_t)n)->step = next++;
    for (size_t i = 0; i < n->part_count; i++)
        next = number_steps(n->parts[i], next);
    return next;
}

static void point_back(const proof *n) {
    if (n->kind == PROOF_SEEN)
        ((proof *)(uintptr_t)n)->step = n->same->step;
    for (size_t i = 0; i < n->part_count; i++)
        point_back(n->parts[i]);
}

static status prove_answer(engine *e, arena *a, const term *query, const char *file,
                           const proof_options *opt, const answers *from, size_t row,
                           const proof **out, errors *list) {
    substitution s = {from, row, a};
    const term *bare = without_arranging(a, query);
    const term *asked = term_substitute(a, bare ? bare : query, value_of, &s);
    prepared_query q;
    arena *rules = arena_create();
    program *p = engine_program(e);
    const query_scope scope = {.file = file, .answered = true};
    status st = prepare_query(p, rules, asked, &scope, &q, list);
    if (st == OK) {
        error err = {0};
        st = prove_row(e, a, &q, asked, file, opt, from, row, out, &err);
        prepare_drop_query(p, &q);
        if (st != OK) {
            engine_say(e, st, &err, file);
            errors_append(list, &err);
        }
    }
    arena_destroy(rules);
    if (st == OK) {
        number_steps(*out, 1);
        point_back(*out);
    }
    return st;
}

static proof_options with_defaults(const proof_options *opt) {
    proof_options o = opt ? *opt : (proof_options){0};
    o.answers = o.answers ? o.answers : 3;
    o.parts_most = o.parts_most ? o.parts_most : 8;
    o.depth = o.depth ? o.depth : 60;
    o.depth = o.depth < PROOF_DEPTH_MAX ? o.depth : PROOF_DEPTH_MAX;
    return o;
}

static status explain_answers(engine *e, arena *a, const char *file, const char *goal,
                              const proof_options *opt, const proof ***out, size_t *count,
                              errors *list) {
    const term *query;
    error err = {0};
    proof_options o = with_defaults(opt);
    *out = NULL;
    *count = 0;
    status s = source_term(a, file, goal, &query, &err);
    if (s != OK) {
        errors_append(list, &err);
        return s;
    }
    answers *found = NULL;
    s = engine_ask(e, &(query_scope){.file = file}, query, &found, list);
    if (s != OK)
        return s;
    size_t most = answers_count(found) < o.answers ? answers_count(found) : o.answers;
    const proof **all = arena_try(a, (most + 1) * sizeof *all);
    s = all ? OK : E_MEMORY;
    for (size_t i = 0; i < most && s == OK; i++)
        s = prove_answer(e, a, query, file, &o, found, i, &all[i], list);
    answers_destroy(found);
    engine_rest(e);
    if (s != OK)
        return s;
    *out = all;
    *count = most;
    return OK;
}

status engine_why(engine *e, arena *a, const char *file, const char *goal, const proof_options *opt,
                  const proof ***out, size_t *count, errors *list) {
    mem_fund fund;
    *out = NULL;
    *count = 0;
    if (!engine_fund(e, &fund, strlen(goal), list))
        return E_MEMORY;
    status s = explain_answers(e, a, file, goal, opt, out, count, list);
    mem_fund_close(&fund);
    return s;
}

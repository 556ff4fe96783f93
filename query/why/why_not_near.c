// query/why/why_not_near.c - the nearest miss of a goal that fails: how far it is from holding.
//
// The failing goal is asked in a weaker form, together with the goals that hold: a comparison for
// the values of its sides, a temporal goal for its intervals, an atom with one argument left open.
// The answer that comes nearest to the goal makes the sentence.
#include <math.h>
#include "query/builtins/builtin.h"
#include "query/log/fact.h"
#include "query/rules/fact_block.h"
#include "query/rules/module.h"
#include "query/why/why_not_int.h"

#define NEAR "Nearest"

static const char *seconds_text(asker *k, double s) {
    // Adding seconds leaves errors below a nanosecond.
    return term_text(k->a, term_float(k->a, round(s * 1e9) / 1e9));
}

typedef struct near {
    asker *k;
    const body *b;
    const term *rest; // conjunction of the goals that hold
} near;

static const term *and_also(const near *n, const term *a, const term *b) {
    const term *both[2] = {a, b};
    return term_compound(n->k->a, ",", 2, both);
}

// The values that a row of answers gives to the variables of a query.
typedef struct row_values {
    const answers *from;
    size_t row;
    arena *a;
} row_values;

static const term *in_row(void *context, const char *name) {
    const row_values *r = context;
    for (size_t c = 0; c < answers_columns(r->from); c++) {
        if (strcmp(answers_name(r->from, c), name) == 0)
            return answers_term(r->from, r->row, c, r->a);
    }
    return NULL;
}

// Returns the term with the values of the row for its variables.
static const term *fill_from_row(const near *n, const term *t, const answers *from, size_t row) {
    row_values r = {from, row, n->k->a};
    return term_substitute(n->k->a, t, in_row, &r);
}

typedef struct known_values {
    row_values row;
    const term *rest;
} known_values;

static const term *in_known(void *context, const char *name) {
    known_values *v = context;
    return term_mentions(v->rest, name) ? in_row(&v->row, name) : NULL;
}

// Returns the failing goal with values for those of its variables alone that the holding goals
// bind.
static const term *fill_known(const near *n, const term *t, const answers *from, size_t row) {
    known_values v = {{from, row, n->k->a}, n->rest};
    return term_substitute(n->k->a, t, in_known, &v);
}

static const char *difference_text(asker *k, const term *a, const term *b, double size) {
    if (a->kind == TERM_INT && b->kind == TERM_INT)
        return arena_format(k->a, "%.0f", size);
    return seconds_text(k, size);
}

static bool number_in(const near *n, const answers *from, size_t row, const char *name,
                      double *out) {
    row_values r = {from, row, n->k->a};
    const term *t = in_row(&r, name);
    return t && term_number(t, out);
}

// ---- Comparisons --------------------------------------------------------------------------------

static bool is_comparison(const term *t) {
    static const char *const ops[] = {"<", "<=", ">", ">=", "=", "is", "!="};
    for (size_t i = 0; t->kind == TERM_COMPOUND && t->arity == 2 && i < 7; i++) {
        if (strcmp(t->text, ops[i]) == 0)
            return true;
    }
    return false;
}

static const char *compare_miss(const near *n, const term *t, const term **failing) {
    asker *k = n->k;
    const term *left = term_var(k->a, NEAR "Left"), *right = term_var(k->a, NEAR "Right");
    const term *l[2] = {left, t->args[0]}, *r[2] = {right, t->args[1]};
    const term *goal = and_also(
        n, n->rest, and_also(n, term_compound(k->a, "=", 2, l), term_compound(k->a, "=", 2, r)));
    answers *got = NULL;
    size_t count = 0, best = 0;
    if (!why_not_ask(k, goal, n->b->file, &got, &count))
        return NULL;
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double x, y;
        if (number_in(n, got, i, NEAR "Left", &x) && number_in(n, got, i, NEAR "Right", &y) &&
            fabs(x - y) < least) {
            least = fabs(x - y);
            best = i;
        }
    }
    const char *said = NULL;
    if (count > 0) {
        const term *sides[2] = {fill_from_row(n, left, got, best),
                                fill_from_row(n, right, got, best)};
        const char *shown = term_text(k->a, term_compound(k->a, t->text, 2, sides));
        *failing = fill_known(n, *failing, got, best);
        said = isfinite(least) ? arena_format(k->a, "%s fails by %s", shown,
                                              difference_text(k, sides[0], sides[1], least))
                               : arena_format(k->a, "%s fails", shown);
    } else {
        said = arena_format(k->a, "%s has no value", term_text(k->a, *failing));
    }
    answers_destroy(got);
    return said;
}

// ---- Atoms --------------------------------------------------------------------------------------

// Gives the bounds of the time that an atom asks for, in seconds. False: they are no numbers.
static bool asked_span(const near *n, const term *time, const answers *got, size_t row, double *a,
                       double *b) {
    const term *t = fill_from_row(n, time, got, row);
    const term *from = t, *to = t;
    if (term_is(t, "at", 1))
        from = to = t->args[0];
    else if (t->kind == TERM_COMPOUND && t->arity == 2)
        from = t->args[0], to = t->args[1];
    const term *both[2] = {from, to};
    double *out[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (term_is_symbol(both[i], "start"))
            *out[i] = 0;
        else if (term_is_symbol(both[i], "end"))
            *out[i] = seconds(n->k->end);
        else if (!term_number(both[i], out[i]))
            return false;
    }
    return true;
}

// Says which interval of the same occasion lies nearest to the time that was asked for.
static const char *time_miss(const near *n, const term *atom, uint32_t place,
                             const term **failing) {
    asker *k = n->k;
    const term *ends[2] = {term_var(k->a, NEAR "Start"), term_var(k->a, NEAR "End")};
    const term *spans = term_compound(k->a, "interval", 2, ends);
    const term *open = why_not_with_arg(k, atom, place - 1, spans);
    answers *got = NULL;
    size_t count = 0, best = SIZE_MAX;
    if (!why_not_ask(k, and_also(n, n->rest, open), n->b->file, &got, &count))
        return NULL;
    double least = INFINITY, a, b, s, e;
    for (size_t i = 0; i < count; i++) {
        if (!asked_span(n, atom->args[place - 1], got, i, &a, &b) ||
            !number_in(n, got, i, NEAR "Start", &s) || !number_in(n, got, i, NEAR "End", &e))
            continue;
        double off = e <= a  ? a - e + 1e-9
                     : s > b ? s - b
                             : (s > a ? s - a : 0) + (b > e ? b - e : 0);
        if (off < least && off > 0) {
            least = off;
            best = i;
        }
    }
    const char *said = NULL;
    if (best != SIZE_MAX) {
        asked_span(n, atom->args[place - 1], got, best, &a, &b);
        number_in(n, got, best, NEAR "Start", &s);
        number_in(n, got, best, NEAR "End", &e);
        const char *what = term_text(
            k->a, fill_from_row(n, why_not_with_arg(k, atom, place - 1, spans), got, best));
        *failing = fill_known(n, *failing, got, best);
        if (e <= a)
            said = arena_format(k->a, "%s holds, ended %s s before %s", what,
                                seconds_text(k, a - e), seconds_text(k, a));
        else if (s > b || (a == b && s > a))
            said = arena_format(k->a, "%s holds, began %s s after %s", what, seconds_text(k, s - b),
                                seconds_text(k, b));
        else if (s > a)
            said = arena_format(k->a, "%s holds, began %s s after %s", what, seconds_text(k, s - a),
                                seconds_text(k, a));
        else
            said = arena_format(k->a, "%s holds, ended %s s before %s", what,
                                seconds_text(k, b - e), seconds_text(k, b));
    }
    answers_destroy(got);
    return said;
}

// The place of one argument: of the atom itself, or (nested) of its occasion, as on(a, b) in
// holds_w(on(a, b), T).
typedef struct argument_place {
    uint32_t outer, inner;
    bool nested;
} argument_place;

static const term *arg_at(const term *t, argument_place p) {
    return p.nested ? t->args[p.outer]->args[p.inner] : t->args[p.outer];
}

static const term *open_argument(asker *k, const term *t, argument_place p, const term *with) {
    if (!p.nested)
        return why_not_with_arg(k, t, p.outer, with);
    return why_not_with_arg(k, t, p.outer, why_not_with_arg(k, t->args[p.outer], p.inner, with));
}

// Says what value one argument has in the nearest row that holds but for this argument.
static const char *argument_miss(const near *n, const term *atom, argument_place p,
                                 const term **failing) {
    asker *k = n->k;
    const term *asked = arg_at(atom, p);
    const term *open = open_argument(k, atom, p, term_var(k->a, NEAR));
    answers *got = NULL;
    size_t count = 0, best = 0;
    if (!why_not_ask(k, and_also(n, n->rest, open), n->b->file, &got, &count) || count == 0) {
        answers_destroy(got);
        return NULL;
    }
    double least = INFINITY, x, y;
    bool other = false;
    for (size_t i = 0; i < count; i++) {
        const term *want = fill_from_row(n, asked, got, i);
        const term *is = fill_from_row(n, term_var(k->a, NEAR), got, i);
        if (want->kind == TERM_VAR || term_equal(want, is))
            continue;
        if (term_number(want, &x) && number_in(n, got, i, NEAR, &y) && fabs(x - y) < least) {
            least = fabs(x - y);
            best = i;
        } else if (!other && isinf(least)) {
            best = i;
        }
        other = true;
    }
    if (!other) {
        answers_destroy(got);
        return NULL;
    }
    const char *said;
    const char *what = term_text(k->a, fill_from_row(n, open, got, best)),
               *want = term_text(k->a, fill_from_row(n, asked, got, best));
    *failing = fill_known(n, *failing, got, best);
    if (isfinite(least))
        said = arena_format(k->a, "%s holds, %s off %s", what,
                            difference_text(k, fill_from_row(n, term_var(k->a, NEAR), got, best),
                                            fill_from_row(n, asked, got, best), least),
                            want);
    else
        said = arena_format(k->a, "%s holds; %s was asked", what, want);
    answers_destroy(got);
    return said;
}

static const char *atom_miss(const near *n, const term *atom, const term **failing) {
    asker *k = n->k;
    if (atom->kind != TERM_COMPOUND)
        return NULL;
    uint32_t time = why_not_time_place(k, atom);
    const char *said = time ? time_miss(n, atom, time, failing) : NULL;
    const predicate_traits *s = program_traits(k->p, atom->text, false);
    uint32_t split = s && s->split_on && s->split_on <= atom->arity ? s->split_on : 0;
    if (split && s->agent_arity && atom->arity + 1 == s->agent_arity && split > 1)
        split--;
    // Later arguments are tried first: the first mostly names the thing that the goal is about.
    for (uint32_t i = atom->arity; i-- > 0 && !said && k->failed == OK;) {
        if (i + 1 == time)
            continue;
        const term *arg = atom->args[i];
        if (i + 1 != split) {
            if (arg->kind != TERM_VAR || !term_is_anonymous(arg))
                said = argument_miss(n, atom, (argument_place){.outer = i}, failing);
            continue;
        }
        for (uint32_t j = arg->kind == TERM_COMPOUND ? arg->arity : 0; j-- > 0 && !said;) {
            if (!term_is_anonymous(arg->args[j]))
                said = argument_miss(n, atom, (argument_place){i, j, true}, failing);
        }
    }
    return said;
}

// ---- Builtins, negations ------------------------------------------------------------------------

// Says how near a signal comes to a threshold that it never passes.
static const char *signal_miss(const near *n, const term *t, const term **failing) {
    asker *k = n->k;
    bool above = strcmp(t->text, "above") == 0 || strcmp(t->text, "first_above") == 0;
    bool below = strcmp(t->text, "below") == 0 || strcmp(t->text, "first_below") == 0;
    if ((!above && !below) || t->arity < 4)
        return NULL;
    bool first = strncmp(t->text, "first_", 6) == 0;
    uint32_t window = first ? 2 : t->arity == 9 ? 5 : 0; // place of the window's ends; 0: none
    const term *args[5] = {t->args[0], window ? t->args[window] : term_symbol(k->a, "start"),
                           window ? t->args[window + 1] : term_symbol(k->a, "end"),
                           term_var(k->a, NEAR), term_var(k->a, NEAR "At")};
    const term *goal = term_compound(k->a, above ? "maximum_at" : "minimum_at", 5, args);
    answers *got = NULL;
    size_t count = 0, best = SIZE_MAX;
    if (!why_not_ask(k, and_also(n, n->rest, goal), n->b->file, &got, &count))
        return NULL;
    double least = INFINITY, x, y;
    for (size_t i = 0; i < count; i++) {
        const term *want = fill_from_row(n, t->args[1], got, i);
        if (number_in(n, got, i, NEAR, &x) && term_number(want, &y) && fabs(x - y) < least) {
            least = fabs(x - y);
            best = i;
        }
    }
    const char *said = NULL;
    if (best != SIZE_MAX) {
        const term *v = fill_from_row(n, args[3], got, best),
                   *at = fill_from_row(n, args[4], got, best),
                   *want = fill_from_row(n, t->args[1], got, best);
        *failing = fill_known(n, *failing, got, best);
        said = arena_format(k->a, "%s is at %s %s, at %s; %s was asked",
                            term_text(k->a, fill_from_row(n, t->args[0], got, best)),
                            above ? "most" : "least", term_text(k->a, v), term_text(k->a, at),
                            term_text(k->a, want));
    }
    answers_destroy(got);
    return said;
}

static const char *builtin_miss(const near *n, const builtin *f, const term *t,
                                const term **failing) {
    asker *k = n->k;
    const char *said = signal_miss(n, t, failing);
    if (said)
        return said;
    if (term_is(t, "near", 3) || term_is(t, "near", 4)) {
        const term *args[3] = {t->args[0], t->args[1], term_var(k->a, NEAR)};
        const term *goal = term_compound(k->a, "pose_distance", 3, args);
        return argument_miss(n, goal, (argument_place){.outer = 2}, failing);
    }
    static const char *const allen[] = {
        "before",        "after",  "meets",    "met_by",   "overlaps",    "starts", "started_by",
        "overlapped_by", "during", "contains", "finishes", "finished_by", "equals"};
    bool relates = false;
    for (size_t i = 0; i < 13; i++)
        relates = relates || term_is(t, allen[i], 2);
    for (size_t i = 0; relates && i < 13; i++) {
        const term *goal = term_compound(k->a, allen[i], 2, t->args);
        answers *got = NULL;
        size_t count = 0;
        if (why_not_ask(k, and_also(n, n->rest, goal), n->b->file, &got, &count) && count > 0) {
            said = arena_format(k->a, "%s holds", term_text(k->a, fill_from_row(n, goal, got, 0)));
            *failing = fill_known(n, *failing, got, 0);
        }
        answers_destroy(got);
        if (said)
            return said;
    }
    for (uint32_t i = f->arity; i-- > 0 && !said;) {
        if (!builtin_needs(f, i))
            said = argument_miss(n, t, (argument_place){.outer = i}, failing);
    }
    return said;
}

static const char *negation_miss(const near *n, const term *inner, const term **failing) {
    asker *k = n->k;
    answers *got = NULL;
    size_t count = 0;
    if (!why_not_ask(k, and_also(n, n->rest, inner), n->b->file, &got, &count) || count == 0) {
        answers_destroy(got);
        return NULL;
    }
    *failing = fill_known(n, *failing, got, 0);
    const term *holds = fill_from_row(n, inner, got, 0);
    answers_destroy(got);
    const char *text = term_text(k->a, holds);
    const proof **all;
    size_t proofs = 0;
    errors list = {0};
    proof_options one = {.answers = 1, .depth = 4, .parts_most = 1};
    status s = engine_why(k->e, k->a, "query", text, &one, &all, &proofs, &list);
    errors_finish(&list);
    const proof *p = s == OK && proofs > 0 ? all[0] : NULL;
    while (p && (p->kind == PROOF_WITHIN || p->kind == PROOF_MERGED) && p->part_count > 0)
        p = p->parts[0];
    bool same = p && strcmp(text, term_text(k->a, p->what)) == 0;
    const char *what = !p || same ? "" : arena_format(k->a, " since %s", term_text(k->a, p->what));
    if (p && p->file)
        return arena_format(k->a, "%s holds%s, %s:%d", text, what, p->file, p->line);
    if (p && p->kind == PROOF_LOG)
        return arena_format(k->a, "%s holds%s, log: %s %lld", text, what, p->table,
                            (long long)p->row);
    return arena_format(k->a, "%s holds", text);
}

// Says how far the intervals of an atom are from meeting those of the goals that hold.
static const char *meeting_miss(const near *n, const term *atom, const term *meets,
                                const term **failing) {
    asker *k = n->k;
    const term *ends[2] = {term_var(k->a, NEAR "Left"), term_var(k->a, NEAR "Right")};
    const term *l[2] = {ends[0], meets->args[0]}, *r[2] = {ends[1], meets->args[1]};
    const term *goal =
        and_also(n, and_also(n, n->rest, atom),
                 and_also(n, term_compound(k->a, "=", 2, l), term_compound(k->a, "=", 2, r)));
    answers *got = NULL;
    size_t count = 0, best = SIZE_MAX;
    double least = INFINITY, x, y;
    if (why_not_ask(k, goal, n->b->file, &got, &count)) {
        for (size_t i = 0; i < count; i++) {
            if (number_in(n, got, i, NEAR "Left", &x) && number_in(n, got, i, NEAR "Right", &y) &&
                x - y < least) {
                least = x - y;
                best = i;
            }
        }
    }
    const char *said = NULL;
    if (best != SIZE_MAX) {
        said = arena_format(k->a, "%s holds, %s s apart from the rest",
                            term_text(k->a, fill_from_row(n, atom, got, best)),
                            seconds_text(k, least));
        *failing = fill_known(n, *failing, got, best);
    }
    answers_destroy(got);
    return said ? said : atom_miss(n, atom, failing);
}

const char *nearest_miss(asker *k, const body *b, uint32_t reached, uint32_t i,
                         const term **failing) {
    const term *t = b->goals.items[i].ask;
    near n = {k, b, why_not_conjunction(k, b, reached)};
    *failing = b->goals.items[i].written;
    // The goal and a comparison of times that the rule adds: its intervals should have met the
    // rest.
    if (term_is(t, ",", 2) && is_comparison(t->args[1]) && !is_comparison(t->args[0]))
        return meeting_miss(&n, t->args[0], t->args[1], failing);
    // Two bounds that the head's own time adds: the one that fails is explained.
    if (term_is(t, ",", 2) && is_comparison(t->args[1])) {
        size_t fits = 0;
        bool first =
            why_not_ask(k, and_also(&n, n.rest, t->args[0]), b->file, NULL, &fits) && fits == 0;
        if (!first)
            n.rest = and_also(&n, n.rest, t->args[0]);
        t = *failing = t->args[first ? 0 : 1];
    }
    if (term_is(t, ",", 2) || term_is(t, ";", 2))
        return NULL;
    const char *said = NULL;
    if (is_comparison(t)) {
        said = compare_miss(&n, t, failing);
    } else if (term_is(t, "not", 1)) {
        said = negation_miss(&n, t->args[0], failing);
    } else {
        const builtin *f = program_builtin(k->p, t->text, t->kind == TERM_COMPOUND ? t->arity : 0);
        // An atom that fails with the goals before it alone is explained without those behind it.
        const term *before = why_not_conjunction(k, b, reached & ((UINT32_C(1) << i) - 1));
        size_t holds = 0;
        if (!f && why_not_ask(k, and_also(&n, before, t), b->file, NULL, &holds) && holds == 0)
            n.rest = before;
        said = f ? builtin_miss(&n, f, t, failing) : atom_miss(&n, t, failing);
    }
    // Without a nearest miss, the failing goal has at least the values of some way to it.
    answers *got = NULL;
    size_t count = 0;
    if (!said && why_not_ask(k, n.rest, b->file, &got, &count) && count > 0)
        *failing = fill_known(&n, *failing, got, 0);
    answers_destroy(got);
    return said;
}

// ---- Names --------------------------------------------------------------------------------------

static void gather_symbols(const term *t, goal_list *out) {
    if (t->kind == TERM_SYMBOL)
        array_push(out, t);
    // The first argument of an aggregate names its function.
    for (uint32_t i = term_is(t, "{}", 3); t->kind == TERM_COMPOUND && i < t->arity; i++)
        gather_symbols(t->args[i], out);
}

static bool has_symbol(const goal_list *l, const char *name) {
    for (size_t i = 0; i < l->count; i++) {
        if (strcmp(l->items[i]->text, name) == 0)
            return true;
    }
    return false;
}

static void add_names(asker *k, const char *goal, goal_list *out) {
    const term *t;
    answers *got = NULL;
    size_t count = 0;
    error err;
    if (term_parse(k->a, "query", goal, strlen(goal), 1, 1, &t, &err) == OK &&
        why_not_ask(k, t, "query", &got, &count)) {
        for (size_t i = 0; i < count; i++) {
            const term *x = answers_term(got, i, 0, k->a);
            if (x->kind == TERM_SYMBOL)
                array_push(out, x);
        }
    }
    answers_destroy(got);
}

// Gathers the symbols in rows of facts; those that are whole arguments come once each.
static void gather_block(asker *k, const fact_block *f, goal_list *out) {
    const values *v = engine_values(k->e);
    budget any = {.limit = SIZE_MAX};
    relation *seen = relation_create_plain(1, &any);
    for (size_t i = 0; seen && i < f->rows.count; i++) {
        value x = f->rows.items[i];
        bool fresh = false;
        if (value_kind(x) != VALUE_SYMBOL && value_kind(x) != VALUE_COMPOUND)
            continue;
        if (relation_add(seen, &x, 0, 0, &fresh) == OK && fresh)
            gather_symbols(values_to_term(v, k->a, x), out);
    }
    relation_destroy(seen);
}

const char *unknown_names(asker *k, const term *goal) {
    if (goal->kind != TERM_COMPOUND)
        return NULL;
    goal_list asked = {0}, objects = {0}, written = {0};
    gather_symbols(goal, &asked);
    const char *said = NULL;
    if (asked.count > 0) {
        add_names(k, "object(Name, _, _)", &objects);
        add_names(k, "believed(_, Name, _, _)", &objects);
        add_names(k, "agent(Name, _)", &objects);
        for (size_t i = 0; i < k->p->heads.count; i++) {
            const heads *h = &k->p->heads.items[i];
            for (size_t j = 0; j < h->clauses.count; j++) {
                const clause *c = h->clauses.items[j];
                if (c->facts)
                    gather_block(k, c->facts, &written);
                else if (c->head)
                    gather_symbols(c->head, &written);
                if (c->body)
                    gather_symbols(c->body, &written);
            }
        }
    }
    ARRAY(const char *) names = {0};
    for (size_t i = 0; i < objects.count + written.count; i++) {
        const term *x = i < objects.count ? objects.items[i] : written.items[i - objects.count];
        array_push(&names, x->text);
    }
    for (size_t i = 0; i < asked.count && !said; i++) {
        const char *name = asked.items[i]->text;
        if (has_symbol(&objects, name) || has_symbol(&written, name) ||
            strcmp(name, "start") == 0 || strcmp(name, "end") == 0 || strcmp(name, "[]") == 0 ||
            strcmp(name, "_") == 0 || strcmp(name, "none") == 0)
            continue;
        const char *close = nearest_name(name, names.items, objects.count);
        const char *kind = close ? "no object" : "nothing";
        // The columns of the log's tables may hold words that no rule contains.
        if (!close && !fact_find(goal->text, goal->arity))
            close = nearest_name(name, names.items, names.count);
        if (close)
            said = arena_format(k->a, "%s is named '%s'; did you mean '%s'?", kind, name, close);
    }
    array_finish(&asked);
    array_finish(&objects);
    array_finish(&written);
    array_finish(&names);
    return said;
}

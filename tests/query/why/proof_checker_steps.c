// tests/query/why/proof_checker_steps.c - one step of a proof at a time.
#include <math.h>
#include <stdio.h>
#include "tests/query/why/proof_checker_int.h"

#define NS 1e-9

typedef ARRAY(const term *) goals;
typedef ARRAY(goals) alternatives;

static bool is_kind(const step_read *s, const char *kind) {
    return strcmp(s->kind, kind) == 0;
}

// ---- Times ----

static uint32_t time_place(const replay *c, const term *atom) {
    uint32_t t = atom->kind == TERM_COMPOUND ? noted(c, 't', atom->text, NULL, 0) : 0;
    if (!t || t > atom->arity)
        return 0;
    uint32_t s = noted(c, 's', atom->text, NULL, 0);
    const term *occasion = s && s <= atom->arity ? atom->args[s - 1] : NULL;
    uint32_t n = occasion && occasion->kind == TERM_COMPOUND ? occasion->arity : 0;
    bool named = occasion && (occasion->kind == TERM_COMPOUND || occasion->kind == TERM_SYMBOL);
    return named && noted(c, 'p', atom->text, occasion->text, n) ? 0 : t;
}

static bool ends_of(const replay *c, const term *t, const char *name, double *s, double *e) {
    return term_is(t, name, 2) && evaluate_number(c, t->args[0], s) &&
           evaluate_number(c, t->args[1], e);
}

static bool interval_of(const replay *c, const term *atom, double *s, double *e) {
    uint32_t t = time_place(c, atom);
    return t && ends_of(c, atom->args[t - 1], "interval", s, e);
}

static bool same_but_time(const replay *c, const term *a, const term *b) {
    if (a->kind != TERM_COMPOUND || b->kind != TERM_COMPOUND || a->arity != b->arity ||
        strcmp(a->text, b->text) != 0)
        return false;
    uint32_t t = time_place(c, a);
    for (uint32_t i = 0; i < a->arity; i++) {
        if (i + 1 != t && !same_value(c, a->args[i], b->args[i]))
            return false;
    }
    return true;
}

// An instant variable that the head has not lies in all that is shown of it: in what is left of
// that, which is not empty.
#define SOME "$some"
static bool some_fits(replay *c, const char *name, const term *known, double s, double e) {
    double ks = -INFINITY, ke = INFINITY;
    if (known && !ends_of(c, known, SOME, &ks, &ke))
        return false;
    s = s > ks ? s : ks;
    e = e < ke ? e : ke;
    if (e - s < NS / 2)
        return false;
    const term *ends[2] = {term_float(c->a, s), term_float(c->a, e)};
    array_push(&c->bound, (binding){name, term_compound(c->a, SOME, 2, ends)});
    return true;
}

// A side of a comparison or of a time, against the value it came to.
static bool side_fits(replay *c, const term *pattern, const term *value) {
    double s, e;
    const term *known = pattern->kind == TERM_VAR ? value_of(c, pattern->text) : NULL;
    if (known && term_is(known, SOME, 2))
        return ends_of(c, value, "interval", &s, &e) && some_fits(c, pattern->text, known, s, e);
    if (!is_function(pattern))
        return fits(c, pattern, value);
    later(c, pattern, value);
    return true;
}

static bool time_fits(replay *c, const term *spec, const term *value) {
    const term *inner = term_is(spec, "at", 1) ? spec->args[0] : spec;
    double s, e, ks, ke;
    const term *known = inner->kind == TERM_VAR ? value_of(c, inner->text) : NULL;
    bool shown = ends_of(c, value, "interval", &s, &e) || ends_of(c, value, "during", &s, &e);
    if (inner->kind == TERM_VAR && shown && (!known || term_is(known, SOME, 2)))
        return some_fits(c, inner->text, known, s, e);
    bool range = known && ends_of(c, known, "interval", &ks, &ke);
    if (range)
        return (ends_of(c, value, "interval", &s, &e) || ends_of(c, value, "during", &s, &e)) &&
               s <= ks + NS / 2 && ke <= e + NS / 2;
    if (term_is(value, "at", 1) && !term_is(spec, "during", 2) && !term_is(spec, "throughout", 2) &&
        !term_is(spec, "interval", 2))
        return side_fits(c, inner, value->args[0]);
    if (value->kind != TERM_COMPOUND || value->arity != 2 || spec->kind != TERM_COMPOUND ||
        spec->arity != 2)
        return false;
    bool same = strcmp(value->text, spec->text) == 0 ||
                (term_is(value, "interval", 2) && term_is(spec, "throughout", 2));
    return same && side_fits(c, spec->args[0], value->args[0]) &&
           side_fits(c, spec->args[1], value->args[1]);
}

// ---- Atoms ----

static const term *with_agent(replay *c, const term *goal, const term *value) {
    if (goal->kind != TERM_COMPOUND || value->kind != TERM_COMPOUND ||
        goal->arity + 1 != value->arity || noted(c, 'a', goal->text, NULL, 0) != value->arity)
        return goal;
    const term **args = arena_alloc(c->a, value->arity * sizeof *args);
    args[0] = term_var(c->a, "_");
    for (uint32_t i = 0; i < goal->arity; i++)
        args[i + 1] = goal->args[i];
    return term_compound(c->a, goal->text, value->arity, args);
}

static bool atom_fits(replay *c, const term *goal, const term *value) {
    goal = with_agent(c, goal, value);
    if (goal->kind == TERM_SYMBOL)
        return term_equal(goal, value);
    if (goal->kind != TERM_COMPOUND || value->kind != TERM_COMPOUND ||
        goal->arity != value->arity || strcmp(goal->text, value->text) != 0)
        return false;
    uint32_t time = time_place(c, value), instant = noted(c, 'i', goal->text, NULL, 0);
    uint32_t spec = noted(c, 't', goal->text, NULL, 0);
    for (uint32_t i = 0; i < goal->arity; i++) {
        const term *g = goal->args[i], *v = value->args[i];
        bool at_time = i + 1 == time || i + 1 == instant || i + 1 == spec;
        if (i + 1 == time) {
            if (!time_fits(c, g, v))
                return false;
        } else if (at_time && term_is(g, "at", 1)) {
            if (!side_fits(c, g->args[0], v))
                return false;
        } else if (at_time && (term_is(g, "during", 2) || term_is(g, "throughout", 2))) {
            later(c, g, v);
        } else if (!fits(c, g, v)) {
            return false;
        }
    }
    return true;
}

// ---- Goals ----

static bool settle(replay *c) {
    double x, y, a, b;
    for (size_t i = 0; i < c->later.count; i++) {
        const term *p = filled(c, c->later.items[i].pattern), *v = c->later.items[i].value;
        if (!term_ground(v))
            v = filled(c, v);
        if (term_is(p, "clip", 1)) {
            if (!evaluate_number(c, p->args[0], &x) || !evaluate_number(c, v, &y))
                return false;
            x = x < 0 ? 0 : x > c->end + NS ? c->end + NS : x;
            if (!nearly(x, y))
                return false;
        } else if (evaluate_number(c, v, &y) &&
                   (ends_of(c, p, "during", &a, &b) || ends_of(c, p, "throughout", &a, &b))) {
            if (y < a - NS / 2 || y >= fmax(b, a + NS) - NS / 4)
                return false;
        } else if (!(evaluate_number(c, p, &x) && evaluate_number(c, v, &y)
                         ? nearly(x, y)
                         : same_value(c, p, v))) {
            return false;
        }
    }
    return true;
}

static const char *const OPS[] = {"<", "<=", ">", ">=", "!="};

static bool is_comparison(const term *t) {
    for (size_t i = 0; i < 5; i++) {
        if (term_is(t, OPS[i], 2))
            return true;
    }
    return false;
}

static bool is_equation(const term *t) {
    return term_is(t, "=", 2) || term_is(t, "is", 2);
}

// The goal with its aggregates' results in their places; each is the next of these steps.
static const term *braces_filled(replay *c, const term *t, step_read *const *parts, size_t count,
                                 size_t *used, bool *ok) {
    if (term_is(t, "{}", 3)) {
        if (*used >= count || !is_kind(parts[*used], "aggregate")) {
            *ok = false;
            return t;
        }
        const term *what = parts[(*used)++]->what;
        bool raw = c->raw;
        c->raw = true;
        *ok = *ok && term_is(what, "=", 2) && fits(c, t, what->args[1]);
        c->raw = raw;
        return what->args[0];
    }
    if (t->kind != TERM_COMPOUND || !has_braces(t))
        return t;
    const term **args = arena_alloc(c->a, t->arity * sizeof *args);
    for (uint32_t i = 0; i < t->arity; i++)
        args[i] = braces_filled(c, t->args[i], parts, count, used, ok);
    return term_compound(c->a, t->text, t->arity, args);
}

static bool both_fit(replay *c, const term *goal, const term *value, bool raw) {
    if (goal->arity != value->arity)
        return false;
    for (uint32_t i = 0; i < goal->arity; i++) {
        bool before = c->raw;
        c->raw = raw;
        bool ok = raw ? fits(c, goal->args[i], value->args[i])
                      : side_fits(c, goal->args[i], value->args[i]);
        c->raw = before;
        if (!ok)
            return false;
    }
    return true;
}

// A comparison, equation or builtin against a computed step.
static bool computed_fits(replay *c, const term *goal, const step_read *s, const term *value) {
    size_t used = 0;
    bool ok = true;
    if (!is_kind(s, "computed"))
        return false;
    goal = braces_filled(c, goal, s->parts, s->count, &used, &ok);
    if (!ok || used != s->count)
        return false;
    if (goal->kind == TERM_SYMBOL)
        return term_equal(goal, value);
    if (goal->kind != TERM_COMPOUND || value->kind != TERM_COMPOUND ||
        strcmp(goal->text, value->text) != 0)
        return false;
    size_t bound = c->bound.count, owing = c->later.count;
    if (both_fit(c, goal, value, true))
        return true;
    c->bound.count = bound;
    c->later.count = owing;
    return both_fit(c, goal, value, false);
}

static bool match(replay *c, const goals *g, size_t i, step_read *const *parts, size_t count,
                  size_t k);

// Returns whether the term leaves open when something holds, as `_` and interval(_, _) do.
static bool is_open(const term *t) {
    if (term_is(t, "interval", 2))
        return is_open(t->args[0]) && is_open(t->args[1]) && t->args[0]->kind == TERM_VAR;
    t = term_is(t, "at", 1) ? t->args[0] : t;
    return t->kind == TERM_VAR && t->text[0] == '_';
}

static const term *without_time(replay *c, const term *t, uint32_t time) {
    const term **args = arena_alloc(c->a, t->arity * sizeof *args);
    memcpy(args, t->args, t->arity * sizeof *args);
    args[time - 1] = term_var(c->a, "_");
    return term_compound(c->a, t->text, t->arity, args);
}

static bool absent_atom_fits(replay *c, const term *goal, const term *value) {
    goal = with_agent(c, goal, value);
    uint32_t time = time_place(c, value);
    if (goal->kind != TERM_COMPOUND || time == 0 || time > goal->arity || time > value->arity ||
        !is_open(goal->args[time - 1]) || !is_open(value->args[time - 1]))
        return atom_fits(c, goal, value);
    return fits(c, without_time(c, goal, time), without_time(c, value, time));
}

static bool absent_fits(replay *c, const term *inner, const step_read *s) {
    if (!is_kind(s, "absent") || !term_is(s->what, "not", 1))
        return false;
    const term *value = s->what->args[0];
    bool whole = term_is(inner, ",", 2) || term_is(inner, ";", 2) || term_is(inner, "not", 1) ||
                 has_braces(inner);
    if (!whole)
        return absent_atom_fits(c, inner, value);
    bool raw = c->raw;
    c->raw = true;
    bool ok = fits(c, inner, value);
    c->raw = raw;
    return ok;
}

static bool goal_fits(replay *c, const term *t, const step_read *s) {
    if (term_is(t, "not", 1)) {
        const term *inner = t->args[0];
        if (is_kind(s, "computed"))
            return term_is(s->what, "not", 1) && computed_fits(c, inner, s, s->what->args[0]);
        return absent_fits(c, inner, s);
    }
    if (is_comparison(t) || is_equation(t) || is_kind(s, "computed"))
        return computed_fits(c, t, s, s->what);
    if (is_kind(s, "absent") || is_kind(s, "aggregate") || is_kind(s, "answer"))
        return false;
    return atom_fits(c, t, s->what);
}

static bool go_on(replay *c, const goals *g, size_t i, step_read *const *parts, size_t count,
                  size_t k, size_t bound, size_t owing) {
    if (match(c, g, i, parts, count, k))
        return true;
    c->bound.count = bound;
    c->later.count = owing;
    return false;
}

static bool match(replay *c, const goals *g, size_t i, step_read *const *parts, size_t count,
                  size_t k) {
    size_t bound = c->bound.count, owing = c->later.count;
    // Aggregates of the head stand behind all goals.
    if (i == g->count) {
        while (k < count && is_kind(parts[k], "aggregate"))
            k++;
        return k == count && settle(c);
    }
    const term *t = g->items[i];
    bool ok = true;
    size_t used = k;
    if (is_equation(t) && has_braces(t)) {
        // V = count { ... } is the aggregate's own step.
        const term *plain = braces_filled(c, t, parts, count, &used, &ok);
        int left = plain->args[1]->kind == TERM_VAR ? 1 : 0;
        if (ok && side_fits(c, plain->args[left], plain->args[1 - left]) &&
            go_on(c, g, i + 1, parts, count, used, bound, owing))
            return true;
        c->bound.count = bound;
        c->later.count = owing;
    }
    if (is_equation(t)) {
        // Written out wherever its variable stands: nothing is left of it.
        later(c, t->args[0], t->args[1]);
        if (!has_braces(t) && go_on(c, g, i + 1, parts, count, k, bound, owing))
            return true;
        c->bound.count = bound;
        c->later.count = owing;
    }
    if (k >= count)
        return false;
    // Aggregates in the arguments of an atom stand behind it.
    const term *atom = t;
    used = k + 1;
    ok = true;
    if (has_braces(t) && !is_kind(parts[k], "computed") && !term_is(t, "not", 1))
        atom = braces_filled(c, t, parts, count, &used, &ok);
    if (ok && goal_fits(c, atom, parts[k]) && go_on(c, g, i + 1, parts, count, used, bound, owing))
        return true;
    c->bound.count = bound;
    c->later.count = owing;
    return false;
}

// ---- Bodies ----

static void unfold(const term *t, alternatives *out) {
    if (term_is(t, ";", 2)) {
        unfold(t->args[0], out);
        unfold(t->args[1], out);
        return;
    }
    if (!term_is(t, ",", 2)) {
        goals one = {0};
        array_push(&one, t);
        array_push(out, one);
        return;
    }
    alternatives left = {0}, right = {0};
    unfold(t->args[0], &left);
    unfold(t->args[1], &right);
    for (size_t i = 0; i < left.count; i++) {
        for (size_t j = 0; j < right.count; j++) {
            goals both = {0};
            for (size_t k = 0; k < left.items[i].count; k++)
                array_push(&both, left.items[i].items[k]);
            for (size_t k = 0; k < right.items[j].count; k++)
                array_push(&both, right.items[j].items[k]);
            array_push(out, both);
        }
    }
    for (size_t i = 0; i < left.count; i++)
        array_finish(&left.items[i]);
    for (size_t i = 0; i < right.count; i++)
        array_finish(&right.items[i]);
    array_finish(&left);
    array_finish(&right);
}

typedef struct alias {
    const char *name;
    const term *is;
} alias;

static const term *alias_of(void *context, const char *variable) {
    const alias *a = context;
    return strcmp(a->name, variable) == 0 ? a->is : NULL;
}

static bool occurs(const char *name, const term *t) {
    if (t->kind == TERM_VAR)
        return strcmp(t->text, name) == 0;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++) {
        if (occurs(name, t->args[i]))
            return true;
    }
    return false;
}

static bool computes(const term *t) {
    if (is_arithmetic(t) || term_is(t, "{}", 3))
        return true;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++) {
        if (computes(t->args[i]))
            return true;
    }
    return false;
}

// V = f(...) stands for the term wherever V does.
static void write_out(replay *c, goals *g, const term **head) {
    for (size_t i = 0; i < g->count; i++) {
        const term *t = g->items[i];
        for (int side = 0; side < 2 && term_is(t, "=", 2); side++) {
            const term *var = t->args[side], *is = t->args[1 - side];
            if (var->kind != TERM_VAR || is->kind != TERM_COMPOUND || is_function(is) ||
                computes(is) || occurs(var->text, is))
                continue;
            alias a = {var->text, is};
            for (size_t k = 0; k < g->count; k++)
                g->items[k] = k == i ? t : term_substitute(c->a, g->items[k], alias_of, &a);
            if (*head)
                *head = term_substitute(c->a, *head, alias_of, &a);
            for (size_t k = i; k + 1 < g->count; k++)
                g->items[k] = g->items[k + 1];
            g->count--;
            i--;
            break;
        }
    }
}

static bool head_fits(replay *c, const term *head, const term *what, int way) {
    uint32_t t = time_place(c, what);
    if (!t)
        return atom_fits(c, head, what);
    if (head->kind != TERM_COMPOUND || what->kind != TERM_COMPOUND || head->arity != what->arity ||
        strcmp(head->text, what->text) != 0)
        return false;
    const term *spec = head->args[t - 1], *value = what->args[t - 1];
    double s, e;
    if (!ends_of(c, value, "interval", &s, &e))
        return false;
    if (term_is(spec, "interval", 2) || term_is(spec, "throughout", 2)) {
        for (int i = 0; i < 2; i++)
            later(c, term_compound(c->a, "clip", 1, spec->args + i), value->args[i]);
    } else {
        const term *inner = term_is(spec, "at", 1) ? spec->args[0] : spec;
        if (way == 0 && inner->kind == TERM_VAR)
            array_push(&c->bound, (binding){inner->text, value});
        else if (way == 0 || !nearly(e, s + NS) || !side_fits(c, inner, value->args[0]))
            return false;
    }
    for (uint32_t i = 0; i < head->arity; i++) {
        if (i + 1 != t && !fits(c, head->args[i], what->args[i]))
            return false;
    }
    return true;
}

static bool follows(replay *c, const term *head, const term *body, const term *what,
                    step_read *const *parts, size_t count) {
    alternatives all = {0};
    if (body)
        unfold(body, &all);
    else
        array_push(&all, (goals){0});
    bool ok = false;
    // An equation with a term is written out where the rule has the term, and a step of its own
    // where its variable has it.
    for (size_t i = 0; i < 2 * all.count && !ok; i++) {
        const term *h = head;
        goals written_out = {0};
        goals *g = i < all.count ? &written_out : &all.items[i - all.count];
        for (size_t k = 0; i < all.count && k < all.items[i].count; k++)
            array_push(g, all.items[i].items[k]);
        if (i < all.count)
            write_out(c, g, &h);
        for (int way = 0; way < (h ? 2 : 1) && !ok; way++) {
            c->bound.count = c->later.count = 0;
            ok = (!h || head_fits(c, h, what, way)) && match(c, g, 0, parts, count, 0);
        }
        array_finish(&written_out);
    }
    for (size_t i = 0; i < all.count; i++)
        array_finish(&all.items[i]);
    array_finish(&all);
    return ok;
}

bool goals_follow(replay *c, const term *body, step_read *const *parts, size_t count) {
    return follows(c, NULL, body, NULL, parts, count);
}

// ---- Steps ----

static bool check_clause(replay *c, const step_read *s, bool fact) {
    const char *file = json_string_of(s->j, "file");
    double line = json_number_of(s->j, "line");
    bool any = false;
    for (size_t i = 0; i < c->clauses.count; i++) {
        const stated *r = &c->clauses.items[i];
        if (strcmp(r->file, file) != 0 || r->head->line != (int)line || !r->body != fact)
            continue;
        any = true;
        if (follows(c, r->head, r->body, s->what, s->parts, s->count))
            return true;
    }
    return refuse(c,
                  any ? "step %zu: %s does not follow from %s:%g as shown"
                      : "step %zu: %s: there is no such clause at %s:%g",
                  s->number, shown(c, s->what), file, line);
}

static bool compares(const replay *c, const term *t, bool *known) {
    const term *l = t->args[0], *r = t->args[1];
    double x, y, s, e;
    *known = true;
    // Integers of 64 bits are more than doubles tell apart.
    if (term_is(t, "!=", 2) && l->kind == TERM_INT && r->kind == TERM_INT)
        return l->integer != r->integer;
    // Instants that are a nanosecond apart are different.
    if (term_is(t, "!=", 2))
        return evaluate_number(c, l, &x) && evaluate_number(c, r, &y) ? fabs(x - y) > NS / 4
                                                                      : !same_value(c, l, r);
    // An instant variable: it holds at every instant of what is left of it.
    if (ends_of(c, l, "interval", &s, &e) && evaluate_number(c, r, &y)) {
        if (term_is(t, "<", 2) || term_is(t, "<=", 2))
            return e <= y + (term_is(t, "<", 2) ? 0 : NS) + NS / 4;
        return s >= y + (term_is(t, ">", 2) ? NS : 0) - NS / 4;
    }
    if (ends_of(c, r, "interval", &s, &e) && evaluate_number(c, l, &x)) {
        if (term_is(t, ">", 2) || term_is(t, ">=", 2))
            return e <= x + (term_is(t, ">", 2) ? 0 : NS) + NS / 4;
        return s >= x + (term_is(t, "<", 2) ? NS : 0) - NS / 4;
    }
    if (l->kind == TERM_INT && r->kind == TERM_INT && l->integer != r->integer)
        return (l->integer < r->integer) == (t->text[0] == '<');
    if (!evaluate_number(c, l, &x) || !evaluate_number(c, r, &y))
        return false;
    return term_is(t, "<", 2)    ? x < y
           : term_is(t, "<=", 2) ? x <= y || nearly(x, y)
           : term_is(t, ">", 2)  ? x > y
                                 : x >= y || nearly(x, y);
}

// Builtins whose meaning is plain are computed anew; the others are taken for granted.
static bool computes_to(replay *c, const term *t, bool *known) {
    double x, y, z, s, e, s2, e2;
    *known = true;
    if (is_comparison(t))
        return compares(c, t, known);
    if (is_equation(t))
        return (evaluate_number(c, t->args[0], &x) && evaluate_number(c, t->args[1], &y))
                   ? nearly(x, y)
                   : same_value(c, t->args[0], t->args[1]);
    if (term_is_symbol(t, "true"))
        return true;
    if (term_is_symbol(t, "false"))
        return false;
    if (term_is(t, "between", 3))
        return evaluate_number(c, t->args[0], &x) && evaluate_number(c, t->args[1], &y) &&
               evaluate_number(c, t->args[2], &z) && x <= z && z <= y && z == floor(z);
    if (term_is(t, "member", 2)) {
        int64_t n = term_list_length(t->args[1]);
        for (int64_t i = 0; i < n; i++) {
            if (same_value(c, t->args[0], term_list_item(t->args[1], (size_t)i)))
                return true;
        }
        return false;
    }
    if (term_is(t, "length", 2))
        return evaluate_number(c, t->args[1], &x) && (double)term_list_length(t->args[0]) == x;
    if (term_is(t, "duration", 2) && ends_of(c, t->args[0], "interval", &s, &e))
        return evaluate_number(c, t->args[1], &x) && fabs(e - s - x) < 1e-8;
    if (t->kind == TERM_COMPOUND && t->arity == 2 && ends_of(c, t->args[0], "interval", &s, &e) &&
        ends_of(c, t->args[1], "interval", &s2, &e2)) {
        if (strcmp(t->text, "before") == 0)
            return e < s2;
        if (strcmp(t->text, "after") == 0)
            return s > e2;
        if (strcmp(t->text, "meets") == 0)
            return nearly(e, s2);
        if (strcmp(t->text, "intersects") == 0)
            return s < e2 && s2 < e;
    }
    if (term_is(t, "is_symbol", 1))
        return t->args[0]->kind == TERM_SYMBOL;
    if (term_is(t, "functor", 3) && t->args[0]->kind == TERM_COMPOUND)
        return t->args[1]->kind == TERM_SYMBOL && strcmp(t->args[1]->text, t->args[0]->text) == 0 &&
               evaluate_number(c, t->args[2], &x) && x == t->args[0]->arity;
    return builtin_computes(c, t, known);
}

static bool check_computed(replay *c, const step_read *s) {
    bool known, not = term_is(s->what, "not", 1);
    bool holds = computes_to(c, not ? s->what->args[0] : s->what, &known);
    if (known && holds == not )
        return refuse(c, "step %zu: %s is not so", s->number, shown(c, s->what));
    return true;
}

static bool check_within(replay *c, const step_read *s) {
    double from, to, a, b;
    if (s->count != 1 || !same_but_time(c, s->what, s->parts[0]->what) ||
        !interval_of(c, s->parts[0]->what, &from, &to))
        return refuse(c, "step %zu: %s has not one part about the same", s->number,
                      shown(c, s->what));
    const term *time = s->what->args[time_place(c, s->what) - 1];
    bool ok = false;
    if (term_is(time, "at", 1) && evaluate_number(c, time->args[0], &a))
        ok = from <= a + NS / 4 && a + NS / 4 < to;
    else if (ends_of(c, time, "throughout", &a, &b))
        ok = from <= a + NS / 4 && b <= to + NS / 4;
    else if (ends_of(c, time, "during", &a, &b))
        ok = from + NS / 4 < fmax(b, a + NS) && a + NS / 4 < to;
    return ok || refuse(c, "step %zu: %s does not follow from %s", s->number, shown(c, s->what),
                        shown(c, s->parts[0]->what));
}

static bool check_merged(replay *c, const step_read *s) {
    double from, to, a, b;
    if (!interval_of(c, s->what, &from, &to) || s->count == 0)
        return refuse(c, "step %zu: %s is no interval with pieces", s->number, shown(c, s->what));
    bool whole = json_number_of(s->j, "count") == (double)s->count;
    if (!whole && c->w->whole)
        return refuse(c, "step %zu leaves pieces out", s->number);
    double at = from;
    for (size_t pass = 0; pass < s->count; pass++) {
        for (size_t i = 0; i < s->count; i++) {
            if (!same_but_time(c, s->what, s->parts[i]->what) ||
                !interval_of(c, s->parts[i]->what, &a, &b))
                return refuse(c, "step %zu: a piece is about something else", s->number);
            if (a <= at + NS / 4 && b > at)
                at = b;
        }
    }
    return !whole || at >= to - NS / 4 ||
           refuse(c, "step %zu: the pieces of %s reach to %g", s->number, shown(c, s->what), at);
}

static bool check_absent(replay *c, const step_read *s) {
    bool known = false;
    if (!term_is(s->what, "not", 1))
        return refuse(c, "step %zu is no negation", s->number);
    const term *inner = s->what->args[0];
    if (!log_lacks(c, inner, &known))
        return refuse(c, "step %zu: the log has %s", s->number, shown(c, inner));
    if (known || c->other || !c->w->holds)
        return true;
    return !c->w->holds(c->w->context, shown(c, inner)) ||
           refuse(c, "step %zu: %s holds", s->number, shown(c, inner));
}

static bool check_seen(replay *c, const step_read *s) {
    double number = json_number_of(s->j, "step");
    for (size_t i = 0; i < c->steps.count; i++) {
        const step_read *o = c->steps.items[i];
        if ((double)o->number != number || o->number == 0)
            continue;
        for (const step_read *up = s->above; up; up = up->above) {
            if (up == o)
                return refuse(c, "step %zu rests on itself", o->number);
        }
        if (o->order >= s->order || !term_equal(o->what, s->what))
            return refuse(c, "%s is not what step %g proves", shown(c, s->what), number);
        return true;
    }
    return refuse(c, "%s: there is no step %g", shown(c, s->what), number);
}

static int value_order(const replay *c, const term *a, const term *b) {
    double x, y;
    if (evaluate_number(c, a, &x) && evaluate_number(c, b, &y))
        return x < y ? -1 : x > y;
    return term_order(a, b);
}

static bool folds(replay *c, const term *kind, const term *result, const goals *xs) {
    double sum = 0, x, r = 0;
    bool numbers = evaluate_number(c, result, &r);
    if (term_is_symbol(kind, "count"))
        return r == (double)xs->count;
    if (term_is_symbol(kind, "list")) {
        for (size_t i = 0; i < xs->count; i++) {
            bool found = false;
            for (int64_t k = 0; k < term_list_length(result) && !found; k++)
                found = same_value(c, term_list_item(result, (size_t)k), xs->items[i]);
            if (!found)
                return false;
        }
        return term_list_length(result) == (int64_t)xs->count;
    }
    bool met = false;
    for (size_t i = 0; i < xs->count; i++) {
        if (evaluate_number(c, xs->items[i], &x))
            sum += x;
        int order = value_order(c, result, xs->items[i]);
        met = met || same_value(c, result, xs->items[i]);
        if ((term_is_symbol(kind, "min") && order > 0) ||
            (term_is_symbol(kind, "max") && order < 0))
            return false;
    }
    if (term_is_symbol(kind, "min") || term_is_symbol(kind, "max"))
        return met;
    if (term_is_symbol(kind, "avg"))
        sum /= xs->count ? (double)xs->count : 1;
    return numbers && fabs(sum - r) <= 1e-9 * fmax(1, fabs(sum));
}

static bool check_aggregate(replay *c, const step_read *s) {
    const term *w = s->what;
    if (!term_is(w, "=", 2) || !term_is(w->args[1], "{}", 3))
        return refuse(c, "step %zu is no aggregate", s->number);
    const term *result = w->args[0], *kind = w->args[1]->args[0], *given = w->args[1]->args[1],
               *goal = w->args[1]->args[2];
    goals xs = {0};
    bool ok = true;
    for (size_t i = 0; i < s->count && ok; i++) {
        const step_read *p = s->parts[i];
        bool several = is_kind(p, "answer");
        ok = goals_follow(c, goal, several ? p->parts : &s->parts[i], several ? p->count : 1);
        const term *x = ok ? filled(c, given) : NULL;
        double number;
        if (ok && is_function(x) && evaluate_number(c, x, &number))
            x = term_float(c->a, number);
        if (ok)
            array_push(&xs, x);
    }
    if (!ok)
        refuse(c, "step %zu: a row does not give %s", s->number, shown(c, goal));
    double count = json_number_of(s->j, "count");
    bool whole = count == (double)s->count;
    if (ok && !whole && c->w->whole)
        ok = refuse(c, "step %zu leaves rows out", s->number);
    double r;
    if (ok &&
        (whole ? !folds(c, kind, result, &xs)
               : term_is_symbol(kind, "count") && !(evaluate_number(c, result, &r) && r == count)))
        ok = refuse(c, "step %zu: %s is not what its rows give", s->number, shown(c, w));
    array_finish(&xs);
    return ok;
}

static bool check_episode(replay *c, const step_read *s) {
    const term *w = s->what;
    double number;
    if (!term_is(w, "in_episode", 2) || !evaluate_number(c, w->args[0], &number) ||
        number != json_number_of(s->j, "episode"))
        return refuse(c, "step %zu: %s is not in episode %g", s->number, shown(c, w),
                      json_number_of(s->j, "episode"));
    if (s->count == 0)
        return !c->w->whole || refuse(c, "step %zu leaves out what holds there", s->number);
    const step_read *p = s->parts[0];
    bool several = is_kind(p, "answer");
    return goals_follow(c, w->args[1], several ? p->parts : s->parts,
                        several ? p->count : s->count) ||
           refuse(c, "step %zu: %s does not follow from its part", s->number, shown(c, w));
}

// The argument that is the least (or greatest) of what is derived, counted from 1; 0: none is.
static uint32_t best_of(const replay *c, const term *t, bool *greatest) {
    if (t->kind != TERM_COMPOUND)
        return 0;
    uint32_t least = noted(c, 'l', t->text, NULL, 0), most = noted(c, 'g', t->text, NULL, 0);
    *greatest = most > 0;
    return most ? most : least;
}

// Whether nothing better holds. Within the recursion itself a proof goes through what was the best.
static bool check_best(replay *c, const step_read *s) {
    bool greatest, above;
    uint32_t at = best_of(c, s->what, &greatest);
    if (at == 0 || at > s->what->arity || c->other || !c->w->holds ||
        (s->above && is_kind(s->above, "rule") && best_of(c, s->above->what, &above)))
        return true;
    const char *value = shown(c, s->what->args[at - 1]), *better = "";
    for (uint32_t i = 0; i < s->what->arity; i++)
        better = arena_format(c->a, "%s%s%s", better, i ? ", " : "",
                              i + 1 == at ? "FsBetter" : shown(c, s->what->args[i]));
    better = arena_format(c->a, "%s(%s), FsBetter %s %s", s->what->text, better,
                          greatest ? ">" : "<", value);
    return !c->w->holds(c->w->context, better) || refuse(c, "step %zu: %s", s->number, better);
}

bool replay_step(replay *c, const step_read *s) {
    if (is_kind(s, "rule"))
        return check_clause(c, s, false) && check_best(c, s);
    if (is_kind(s, "stated"))
        return check_clause(c, s, true) && check_best(c, s);
    if (is_kind(s, "log"))
        return log_has(c, s);
    if (is_kind(s, "computed"))
        return check_computed(c, s);
    if (is_kind(s, "within"))
        return check_within(c, s);
    if (is_kind(s, "absent"))
        return check_absent(c, s);
    if (is_kind(s, "aggregate"))
        return check_aggregate(c, s);
    if (is_kind(s, "merged"))
        return check_merged(c, s);
    if (is_kind(s, "seen"))
        return check_seen(c, s);
    if (is_kind(s, "answer"))
        return goals_follow(c, s->what, s->parts, s->count) ||
               refuse(c, "step %zu: %s does not follow from its parts", s->number,
                      shown(c, s->what));
    if (is_kind(s, "episode"))
        return check_episode(c, s);
    if (is_kind(s, "cut"))
        return !c->w->whole || refuse(c, "steps are left out");
    return refuse(c, "a step of the unknown kind %s", s->kind);
}

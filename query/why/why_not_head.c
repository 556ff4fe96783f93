// query/why/why_not_head.c - the goals that must hold for a rule to give a goal: the rule's body
// with the goal's values, and with the goal's time in the place of the rule's own.
#include "query/rules/module.h"
#include "query/why/why_not_int.h"

#define WAYS_MAX 16

typedef struct unifier {
    asker *k;
    bindings clause, goal; // variables of either side
} unifier;

static const term *bound_to(const bindings *b, const char *name) {
    for (size_t i = 0; i < b->count; i++) {
        if (strcmp(b->items[i].name, name) == 0)
            return b->items[i].value;
    }
    return NULL;
}

static const term *look_up_bound(void *context, const char *name) {
    return bound_to(context, name);
}

static bool is_computed(const term *t) {
    static const char *const ops[] = {"+", "-", "*", "/", "mod"};
    for (size_t i = 0; t->kind == TERM_COMPOUND && i < 5; i++) {
        if (strcmp(t->text, ops[i]) == 0)
            return true;
    }
    return term_is(t, "{}", 3);
}

// Returns whether two numbers that differ as terms may be one: an instant as it is written and as
// it is. Two integers are not.
static bool same_number(const term *a, const term *b) {
    double x, y;
    if (a->kind == TERM_INT && b->kind == TERM_INT)
        return false;
    return term_number(a, &x) && term_number(b, &y) && (x > y ? x - y : y - x) <= 0.0005;
}

// Makes the head equal to the goal. A value that the head computes is compared later, by `more`.
static bool unify_terms(unifier *u, const term *head, const term *goal, goal_list *more) {
    if (head->kind == TERM_VAR) {
        const term *known = bound_to(&u->clause, head->text);
        if (known)
            return goal->kind == TERM_VAR || known->kind == TERM_VAR || term_equal(known, goal) ||
                   same_number(known, goal);
        if (goal->kind == TERM_VAR) {
            const term *twice = bound_to(&u->goal, goal->text);
            const term *sides[2] = {twice, head};
            if (twice && !term_is_anonymous(goal))
                array_push(more, term_compound(u->k->a, "=", 2, sides));
            array_push(&u->goal, (binding){goal->text, head});
            return true;
        }
        if (!term_is_anonymous(head))
            array_push(&u->clause, (binding){head->text, goal});
        return true;
    }
    if (goal->kind == TERM_VAR)
        return true;
    if (is_computed(head)) {
        const term *sides[2] = {head, goal};
        array_push(more, term_compound(u->k->a, "=", 2, sides));
        return true;
    }
    if (head->kind != TERM_COMPOUND)
        return term_equal(head, goal) || same_number(head, goal);
    if (goal->kind != TERM_COMPOUND || goal->arity != head->arity ||
        strcmp(goal->text, head->text) != 0)
        return false;
    for (uint32_t i = 0; i < head->arity; i++) {
        if (!unify_terms(u, head->args[i], goal->args[i], more))
            return false;
    }
    return true;
}

// ---- Times --------------------------------------------------------------------------------------

typedef struct timing {
    const char *variable;  // of the head's instants; NULL: it has none
    const term *asked;     // the goal's time
    const term *from, *to; // bounds of what is common so far
    int spans;             // intervals introduced so far
} timing;

static const term *binary_term(asker *k, const char *f, const term *a, const term *b) {
    const term *args[2] = {a, b};
    return term_compound(k->a, f, 2, args);
}

static bool is_instant(const timing *t, const term *spec) {
    const term *in = term_is(spec, "at", 1) ? spec->args[0] : spec;
    return t->variable && in->kind == TERM_VAR && strcmp(in->text, t->variable) == 0;
}

// The argument that is the time of a temporal atom, or 0.
uint32_t why_not_time_place(asker *k, const term *atom) {
    if (atom->kind != TERM_COMPOUND)
        return 0;
    const predicate_traits *s = program_traits(k->p, atom->text, false);
    if (!s || !s->temporal_on)
        return 0;
    uint32_t at = s->temporal_on;
    if (s->agent_arity && atom->arity + 1 == s->agent_arity)
        at--;
    return at <= atom->arity ? at : 0;
}

const term *why_not_with_arg(asker *k, const term *t, uint32_t i, const term *arg) {
    const term **args = arena_alloc(k->a, t->arity * sizeof *args);
    for (uint32_t j = 0; j < t->arity; j++)
        args[j] = j == i ? arg : t->args[j];
    term *copy = arena_alloc(k->a, sizeof *copy);
    *copy = *t;
    copy->args = args;
    return copy;
}

static const term *instant_of(const term *time) {
    if (term_is(time, "at", 1))
        return time->args[0];
    bool plain = time->kind == TERM_INT || time->kind == TERM_FLOAT || time->kind == TERM_SYMBOL ||
                 (time->kind == TERM_COMPOUND && is_computed(time));
    return plain ? time : NULL;
}

static bool is_ground_pair(const term *t, const char *name) {
    return term_is(t, name, 2) && term_ground(t->args[0]) && term_ground(t->args[1]);
}

// A goal at the head's instants, asked at the goal's time: at an instant it holds then, throughout
// a span it holds throughout; otherwise what the goals have in common must not be empty.
static const term *at_time(asker *k, timing *t, const term *goal) {
    bool not = term_is(goal, "not", 1);
    const term *atom = not ? goal->args[0] : goal;
    uint32_t place = why_not_time_place(k, atom);
    const term *instant = instant_of(t->asked);
    if (place && is_instant(t, atom->args[place - 1])) {
        const term *time;
        const term *also = NULL;
        if (instant) {
            time = term_compound(k->a, "at", 1, &instant);
        } else if (is_ground_pair(t->asked, "throughout")) {
            time = not ? binary_term(k, "during", t->asked->args[0], t->asked->args[1]) : t->asked;
        } else if (not ) {
            if (!t->from || !t->to)
                return NULL;
            time = binary_term(k, "throughout", t->from, t->to);
        } else {
            const term *s = term_var(k->a, arena_format(k->a, "Start%d", ++t->spans)),
                       *e = term_var(k->a, arena_format(k->a, "End%d", t->spans));
            time = binary_term(k, "interval", s, e);
            bool limited = t->from || t->to;
            t->from = t->from ? binary_term(k, "max", t->from, s) : s;
            t->to = t->to ? binary_term(k, "min", t->to, e) : e;
            also = limited ? binary_term(k, "<", t->from, t->to) : NULL;
        }
        const term *asked = why_not_with_arg(k, atom, place - 1, time);
        if (not )
            asked = term_compound(k->a, "not", 1, &asked);
        return also ? binary_term(k, ",", asked, also) : asked;
    }
    // A bound on the instants.
    for (int side = 0; goal->kind == TERM_COMPOUND && goal->arity == 2 && side < 2; side++) {
        if (!t->variable || goal->args[side]->kind != TERM_VAR ||
            strcmp(goal->args[side]->text, t->variable) != 0)
            continue;
        bool less = (strcmp(goal->text, "<") == 0 || strcmp(goal->text, "<=") == 0) == (side == 0);
        const term *mine = instant, *other = goal->args[1 - side];
        bool pair =
            t->asked->kind == TERM_COMPOUND && t->asked->arity == 2 && term_ground(t->asked);
        if (!mine && is_ground_pair(t->asked, "throughout")) {
            mine = t->asked->args[less ? 1 : 0];
        } else if (!mine) {
            // The bound limits what the goals have in common; alone it must hold somewhere in the
            // time that was asked for.
            const term **bound = less ? &t->to : &t->from;
            *bound = *bound ? binary_term(k, less ? "min" : "max", *bound, other) : other;
            mine = pair ? t->asked->args[less ? 0 : 1] : NULL;
        }
        if (!mine)
            return term_symbol(k->a, "true");
        return side == 0 ? binary_term(k, goal->text, mine, goal->args[1])
                         : binary_term(k, goal->text, goal->args[0], mine);
    }
    return goal;
}

// The condition that the head's own interval or instant puts on the goal's time.
static const term *head_condition(asker *k, const term *spec, const term *asked) {
    bool during = term_is(asked, "during", 2);
    const term *instant =
        during && term_equal(asked->args[0], asked->args[1]) ? asked->args[0] : instant_of(asked);
    bool spans = term_is(spec, "interval", 2) || term_is(spec, "throughout", 2);
    const term *from = spans ? spec->args[0] : term_is(spec, "at", 1) ? spec->args[0] : spec;
    const term *to = spans ? spec->args[1] : NULL;
    if (instant)
        return spans ? binary_term(k, ",", binary_term(k, "<=", from, instant),
                                   binary_term(k, "<", instant, to))
                     : binary_term(k, "=", from, instant);
    if (asked->kind != TERM_COMPOUND || asked->arity != 2 || !term_ground(asked))
        return NULL;
    if (during)
        return binary_term(k, ",", binary_term(k, "<", from, asked->args[1]),
                           binary_term(k, to ? "<" : "<=", asked->args[0], to ? to : from));
    return binary_term(k, ",", binary_term(k, "<=", from, asked->args[0]),
                       binary_term(k, "<=", asked->args[1], to ? to : from));
}

// ---- Bodies -------------------------------------------------------------------------------------

// Returns whether the variable occurs only where an instant variable may: in times of temporal
// goals, and in comparisons.
static bool only_instant(asker *k, const term *goal, const char *name) {
    const term *atom = term_is(goal, "not", 1) ? goal->args[0] : goal;
    if (atom->kind == TERM_VAR)
        return strcmp(atom->text, name) != 0;
    uint32_t place = why_not_time_place(k, atom);
    bool compares = atom->kind == TERM_COMPOUND && atom->arity == 2 &&
                    (strcmp(atom->text, "<") == 0 || strcmp(atom->text, "<=") == 0 ||
                     strcmp(atom->text, ">") == 0 || strcmp(atom->text, ">=") == 0);
    for (uint32_t i = 0; atom->kind == TERM_COMPOUND && i < atom->arity; i++) {
        const term *arg = atom->args[i];
        if (i + 1 == place && term_is(arg, "at", 1))
            arg = arg->args[0];
        if ((i + 1 == place || compares) && arg->kind == TERM_VAR)
            continue;
        if (term_mentions(arg, name))
            return false;
    }
    return true;
}

static bool bounds_instants(const timing *t, const term *goal) {
    for (int side = 0; t->variable && goal->kind == TERM_COMPOUND && goal->arity == 2 && side < 2;
         side++) {
        if (goal->args[side]->kind == TERM_VAR && strcmp(goal->args[side]->text, t->variable) == 0)
            return strcmp(goal->text, "<") == 0 || strcmp(goal->text, "<=") == 0 ||
                   strcmp(goal->text, ">") == 0 || strcmp(goal->text, ">=") == 0;
    }
    return false;
}

static void body_add(body *b, body_goal g) {
    if (b->goals.count < GOALS_MAX)
        array_push(&b->goals, g);
    else
        array_push(&b->rest, g);
}

static void add_body(asker *k, unifier *u, const goal_list *goals, const goal_list *more,
                     const term *spec, const term *asked, body *out) {
    timing t = {.asked = asked};
    const term *inner = spec && term_is(spec, "at", 1) ? spec->args[0] : spec;
    bool instants = inner && inner->kind == TERM_VAR;
    for (size_t i = 0; instants && i < goals->count; i++)
        instants = only_instant(k, goals->items[i], inner->text);
    if (instants)
        t.variable = inner->text;
    if (instants && asked && asked->kind == TERM_COMPOUND && asked->arity == 2 &&
        !term_is(asked, "throughout", 2) && term_ground(asked)) {
        t.from = asked->args[0];
        t.to = asked->args[1];
    }
    // Bounds on the instants come first: they limit what the other goals must have in common.
    const term **asks = arena_alloc(k->a, (goals->count + 1) * sizeof *asks);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < goals->count; i++) {
            if (bounds_instants(&t, goals->items[i]) == (pass == 0))
                asks[i] = instants && asked ? at_time(k, &t, goals->items[i]) : goals->items[i];
        }
    }
    for (size_t i = 0; i < goals->count; i++) {
        const term *goal = goals->items[i], *ask = asks[i];
        if (!ask)
            continue;
        // At an instant, or throughout a time, the asked form is clearer than the rule's variable.
        bool plain = ask != goal && (instant_of(asked) || is_ground_pair(asked, "throughout"));
        body_goal g = {term_substitute(k->a, ask, look_up_bound, &u->clause),
                       term_substitute(k->a, plain ? ask : goal, look_up_bound, &u->clause)};
        body_add(out, g);
    }
    const term *last = spec && asked && !instants ? head_condition(k, spec, asked) : NULL;
    for (size_t i = 0; i <= more->count; i++) {
        const term *goal = i < more->count ? more->items[i] : last;
        if (!goal)
            continue;
        goal = term_substitute(k->a, goal, look_up_bound, &u->clause);
        body_add(out, (body_goal){goal, goal});
    }
}

body *bodies_for(asker *k, const clause *c, const term *goal, size_t *count) {
    *count = 0;
    const term *head = c->head;
    if (head->kind != goal->kind || strcmp(head->text, module_plain(goal->text)) != 0 || !c->body)
        return NULL;
    const predicate_traits *s = program_traits(k->p, head->text, false);
    uint32_t n = goal->kind == TERM_COMPOUND ? goal->arity : 0,
             m = head->kind == TERM_COMPOUND ? head->arity : 0;
    uint32_t left_out = s && s->agent_arity && n + 1 == s->agent_arity && m == n + 1 ? 1 : 0;
    if (m != n + left_out)
        return NULL;
    uint32_t place = why_not_time_place(k, head);
    unifier u = {.k = k};
    goal_list more = {0};
    bool fits = true;
    for (uint32_t i = left_out; i < m && fits; i++) {
        if (i + 1 != place)
            fits = unify_terms(&u, head->args[i], goal->args[i - left_out], &more);
    }
    const term *spec = place ? head->args[place - 1] : NULL;
    const term *asked = place && place > left_out ? goal->args[place - 1 - left_out] : NULL;
    // The time of a functor that is a function of time is an argument like others.
    if (fits && spec && head->kind == TERM_COMPOUND && s->split_on && s->split_on <= m) {
        const term *occasion = head->args[s->split_on - 1];
        uint32_t inner = occasion->kind == TERM_COMPOUND ? occasion->arity : 0;
        if (occasion->kind != TERM_VAR &&
            program_is_pointwise(k->p, head->text, occasion->text, inner)) {
            const term *instant = instant_of(asked);
            const term *own = term_is(spec, "at", 1) ? spec->args[0] : spec;
            fits = !instant || unify_terms(&u, own, instant, &more);
            spec = asked = NULL;
        }
    }
    goal_ways ways = {0};
    body *out = NULL;
    if (fits) {
        goals_unfold(c->body, WAYS_MAX, &ways);
        out = arena_alloc(k->a, (ways.count + 1) * sizeof *out);
        for (size_t i = 0; i < ways.count; i++) {
            out[i] = (body){.file = c->file};
            add_body(k, &u, &ways.items[i], &more, spec, asked, &out[i]);
        }
        *count = ways.count;
    }
    goal_ways_finish(&ways);
    array_finish(&more);
    array_finish(&u.clause);
    array_finish(&u.goal);
    return out;
}

void bodies_finish(body *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        array_finish(&b[i].goals);
        array_finish(&b[i].rest);
    }
}

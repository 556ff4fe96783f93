// projector/interp/evaluation/designator.c - descriptions: resolved against the belief, taken on to
// their next solution, equated.
//
// Descriptions that the plan says to be of the same thing share one referent, whose solution fits
// them all. Referents of objects that have the same solution are of the same thing as long as they
// have: what was tried for one is set aside for all.
#include "projector/interp/evaluation/candidates.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/referent.h"
#include "projector/interp/state/records.h"
#include "projector/robot/planning/places.h"

enum { PLACES_ASKED = 12 };

typedef struct candidates {
    term_list_array all; // best first
    char why[REASON_SIZE];
} candidates;

// Gathers all candidates for properties that name no description any more, possibly none. False:
// the question itself is wrong; i->reason says why.
static bool gather_candidates(interp *i, int64_t task, designator_kind kind, const term *properties,
                              size_t more, candidates *c) {
    error err = {0};
    status s = OK;
    c->why[0] = 0;
    switch (kind) {
    case IS_OBJECT:
        s = belief_resolve_object(i->mind->belief, i->scratch, properties, &c->all, &err);
        snprintf(c->why, sizeof c->why, "the nearest of %zu believed objects that fit",
                 c->all.count);
        break;
    case IS_LOCATION:
        s = robot_places(i->mind, i->scratch, properties, PLACES_ASKED + more, task, i->now,
                         &c->all, c->why, sizeof c->why, &err);
        break;
    case IS_ACTION:
        return candidates_find(i, task, properties, &c->all, c->why, sizeof c->why);
    }
    if (s == OK)
        return true;
    if (s == E_INPUT || s == E_INFEASIBLE || s == E_LIMIT || s == E_USAGE) {
        snprintf(i->reason, sizeof i->reason, "%.500s", err.text);
    } else {
        i->err = err;
        interp_check(i, s);
        snprintf(i->reason, sizeof i->reason, "the log broke");
    }
    return false;
}

// The properties of a description and its equals, each once.
static const term *all_properties(interp *i, const designator *d) {
    size_t room = 0, count = 0;
    for (const designator *e = d->of->first; e; e = e->equal)
        room += (size_t)term_list_length(e->description);
    const term **items = arena_alloc(i->scratch, (room + 1) * sizeof *items);
    for (const designator *e = d->of->first; e; e = e->equal) {
        for (const term *l = e->description; term_is(l, "[|]", 2); l = l->args[1]) {
            bool known = false;
            for (size_t j = 0; j < count && !known; j++)
                known = term_equal(items[j], l->args[0]);
            if (!known)
                items[count++] = l->args[0];
        }
    }
    return term_list(i->scratch, items, count, NULL);
}

// The properties of a description and its equals with the solutions of the descriptions that they
// name, which are resolved first. Those of an action keep the symbols, so that a later `next` of
// one of these has an effect. NULL: one cannot be resolved.
static const term *properties_of(interp *i, int64_t task, const designator *d) {
    const term *properties = all_properties(i, d);
    const term *resolved = designator_resolve(i, task, properties);
    return d->kind == IS_ACTION && resolved ? properties : resolved;
}

static const term *description_term(interp *i, designator_kind kind, const term *properties) {
    return term_compound(i->scratch, designator_kinds[kind], 1, &properties);
}

static bool nothing_fits(interp *i, const designator *d, const term *properties, const char *why,
                         size_t left_over) {
    char text[200];
    size_t count = 0;
    const char *names = referent_tried_text(i, d->of->tried, &count);
    term_format(description_term(i, d->kind, designator_peek(i, properties)), text, sizeof text);
    if (left_over > 0)
        snprintf(i->reason, sizeof i->reason, "nothing is left for %s, %s: %zu tried (%.200s)",
                 d->name, text, count, names);
    else if (count > 0)
        snprintf(i->reason, sizeof i->reason,
                 "nothing fits %s, %s, any more: %zu tried (%.150s)%s%.100s", d->name, text, count,
                 names, why[0] ? "; " : "", why);
    else if (why[0])
        snprintf(i->reason, sizeof i->reason, "nothing fits %s, %s: %.250s", d->name, text, why);
    else
        snprintf(i->reason, sizeof i->reason, "nothing is believed in that is %s (%s)", text,
                 d->name);
    return false;
}

static void set_solution(interp *i, referent *r, const term *solution) {
    referent_solve(r, solution);
    interp_changed(i, CHANGED_VARIABLE);
}

static void put_equation(interp *i, int64_t task, const designator *a, const designator *b,
                         const char *reason) {
    record r = {.kind = RECORD_EQUATION, .id = sink_id(i->log, RECORD_EQUATION)};
    r.EQUATION.designator = a->id;
    r.EQUATION.other = b ? b->id : 0;
    r.EQUATION.t_ns = i->now;
    r.EQUATION.task = task;
    r.EQUATION.solution =
        a->of->solution ? term_text(i->scratch, designator_peek(i, a->of->solution)) : NULL;
    r.EQUATION.reason = reason;
    interp_put(i, &r);
}

// Whether two referents are resolved to the same believed object.
static bool same_object(const referent *a, const referent *b) {
    return a != b && a->kind == IS_OBJECT && b->kind == IS_OBJECT && a->solution && b->solution &&
           term_equal(a->solution, b->solution);
}

// The first description, from the k-th on, of another referent that is the same object and is still
// named (a referent that is no longer named only waits to be freed). NULL: none.
static const designator *same_from(const interp *i, const referent *r, size_t k) {
    for (; k < i->designators.all.count; k++) {
        const designator *e = i->designators.all.items[k];
        if (same_object(r, e->of) && e->of->named)
            return e;
    }
    return NULL;
}

static bool any_same(const interp *i, const referent *r) {
    for (size_t k = 0; k < i->designators.all.count; k++) {
        if (same_object(r, i->designators.all.items[k]->of))
            return true;
    }
    return false;
}

// Referents that were resolved to the same object are of the same thing as long as they are: what
// was tried for one is set aside for all.
static void equate_found(interp *i, int64_t task, const designator *d) {
    if (!any_same(i, d->of))
        return;
    referents_mark(i);
    const designator *first = same_from(i, d->of, 0);
    if (!first)
        return;
    put_equation(i, task, d, first, "resolved");
    for (size_t k = 0; k < i->designators.all.count; k++) {
        referent *r = i->designators.all.items[k]->of;
        if (r->named && same_object(d->of, r))
            referent_share_tried(r, d->of->tried);
    }
    referent_share_tried(d->of, first->of->tried);
}

static void put_choice(interp *i, int64_t task, const designator *d, const term *properties,
                       const term *chosen, const candidates *c) {
    char reason[2 * REASON_SIZE];
    size_t count = 0;
    const char *names = referent_tried_text(i, d->of->tried, &count);
    snprintf(reason, sizeof reason, "%.500s%s%.300s%s", c->why, count > 0 ? "; tried before: " : "",
             names, count > 0 ? ", which are not taken again" : "");
    const term **all = arena_alloc(i->scratch, (c->all.count + 1) * sizeof *all);
    for (size_t k = 0; k < c->all.count; k++)
        all[k] = designator_peek(i, c->all.items[k]);
    record r = {.kind = RECORD_CHOICE, .id = sink_id(i->log, RECORD_CHOICE)};
    r.CHOICE.task = task;
    r.CHOICE.t_ns = i->now;
    r.CHOICE.what = designator_kinds[d->kind];
    r.CHOICE.question =
        term_text(i->scratch, description_term(i, d->kind, designator_peek(i, properties)));
    r.CHOICE.chosen = term_text(i->scratch, designator_peek(i, chosen));
    r.CHOICE.candidates = term_text(i->scratch, term_list(i->scratch, all, c->all.count, NULL));
    r.CHOICE.reason = reason;
    r.CHOICE.designator = d->id;
    interp_put(i, &r);
}

static const term *first_left(interp *i, const designator *d, const candidates *c) {
    for (size_t k = 0; k < c->all.count; k++) {
        if (!referent_was_tried(d->of, designator_peek(i, c->all.items[k])))
            return c->all.items[k];
    }
    return NULL;
}

// The first candidate for a description that was not tried, with its properties in *properties.
// NULL: there is none. Assumptions about what the description leaves open are choices of the task
// `assumes` (0: they are not logged).
static const term *find_candidate(interp *i, int64_t task, int64_t assumes, designator *d,
                                  const term **properties, candidates *c) {
    if (d->of->resolving) {
        snprintf(i->reason, sizeof i->reason, "%s is described by itself", d->name);
        return NULL;
    }
    d->of->resolving = true;
    *properties = properties_of(i, task, d);
    const term *found = NULL;
    if (*properties &&
        gather_candidates(i, assumes, d->kind, *properties, referent_tried_count(d->of), c)) {
        found = first_left(i, d, c);
        if (!found)
            nothing_fits(i, d, *properties, d->kind == IS_ACTION ? c->why : "", c->all.count);
    } else if (*properties) {
        const char *why = arena_strdup(i->scratch, i->reason);
        nothing_fits(i, d, *properties, why, 0);
    }
    d->of->resolving = false;
    return found;
}

static bool resolve_description(interp *i, int64_t task, designator *d) {
    candidates c = {0};
    const term *properties, *found;
    if (d->of->solution)
        return true;
    found = find_candidate(i, task, task, d, &properties, &c);
    if (found) {
        put_choice(i, task, d, properties, found, &c);
        set_solution(i, d->of, found);
        equate_found(i, task, d);
    }
    array_finish(&c.all);
    return found != NULL;
}

typedef struct replacing {
    interp *i;
    int64_t task;
    bool resolves;
} replacing;

static const term *replace_within(const replacing *r, const term *t);

static const term *replace_symbol(const replacing *r, const term *t) {
    interp *i = r->i;
    designator *d = designator_find(i, t);
    if (!d) {
        if (r->resolves && designator_is(t))
            snprintf(i->reason, sizeof i->reason, "there is no description %s", t->text);
        return r->resolves && designator_is(t) ? NULL : t;
    }
    const referent *of = d->of;
    if (!of->solution && (!r->resolves || !resolve_description(i, r->task, d)))
        return r->resolves ? NULL : t;
    // An action's solution may name further descriptions.
    return designator_within(of->solution) ? replace_within(r, of->solution) : of->solution;
}

// Replaces within a list along its spine, however long that is.
static const term *replace_list(const replacing *r, const term *list) {
    size_t count = 0;
    const term *tail = list;
    for (; term_is(tail, "[|]", 2); tail = tail->args[1])
        count++;
    const term **items = arena_alloc(r->i->scratch, (count + 1) * sizeof *items);
    for (size_t k = 0; k < count; k++, list = list->args[1]) {
        items[k] = replace_within(r, list->args[0]);
        if (!items[k])
            return NULL;
    }
    tail = replace_within(r, tail);
    return tail ? term_list(r->i->scratch, items, count, tail) : NULL;
}

static const term *replace_within(const replacing *r, const term *t) {
    if (t->kind == TERM_SYMBOL)
        return replace_symbol(r, t);
    if (t->kind != TERM_COMPOUND || !designator_within(t))
        return t;
    if (term_is(t, "[|]", 2))
        return replace_list(r, t);
    const term **args = arena_alloc(r->i->scratch, t->arity * sizeof *args);
    for (uint32_t k = 0; k < t->arity; k++) {
        args[k] = replace_within(r, t->args[k]);
        if (!args[k])
            return NULL;
    }
    return term_compound(r->i->scratch, t->text, t->arity, args);
}

const term *designator_resolve(interp *i, int64_t task, const term *t) {
    replacing r = {i, task, true};
    return i->designators.made == 0 ? t : replace_within(&r, t);
}

const term *designator_peek(interp *i, const term *t) {
    replacing r = {i, 0, false};
    return i->designators.made == 0 ? t : replace_within(&r, t);
}

const term *designator_passing(interp *i, int64_t task, const char *kind, const term *properties) {
    candidates c = {0};
    designator_kind k = kind[0] == 'o' ? IS_OBJECT : kind[0] == 'l' ? IS_LOCATION : IS_ACTION;
    const term *found = NULL, *resolved = designator_resolve(i, task, properties);
    if (resolved && gather_candidates(i, 0, k, resolved, 0, &c)) {
        if (c.all.count > 0) {
            found = c.all.items[0];
        } else {
            char text[200];
            term_format(description_term(i, k, resolved), text, sizeof text);
            snprintf(i->reason, sizeof i->reason, "nothing is believed in that is %s", text);
        }
    }
    array_finish(&c.all);
    return found;
}

const term *designator_solution(interp *i, int64_t task, const term *t) {
    designator *d = designator_find(i, t);
    if (d && d->kind == IS_ACTION)
        return resolve_description(i, task, d) ? d->of->solution : NULL;
    char text[120];
    term_format(t, text, sizeof text);
    snprintf(i->reason, sizeof i->reason,
             "%s is no description of an action; make one with action([type(...), ...])", text);
    return NULL;
}

const term *designator_description(interp *i, int64_t task, const term *t) {
    const designator *d = designator_find(i, t);
    return d ? properties_of(i, task, d) : NULL;
}

const term *designator_found(interp *i, int64_t task, const term *t, const term *list,
                             const char *why) {
    designator *d = designator_find(i, t);
    candidates c = {0};
    const term *best = NULL;
    for (const term *l = list; term_is(l, "[|]", 2); l = l->args[1]) {
        array_push(&c.all, l->args[0]);
        if (d->of->solution && term_equal(d->of->solution, l->args[0]))
            best = d->of->solution;
    }
    best = best ? best : first_left(i, d, &c);
    snprintf(c.why, sizeof c.why, "%s", why);
    if (best) {
        put_choice(i, task, d, all_properties(i, d), best, &c);
        set_solution(i, d->of, best);
        equate_found(i, task, d);
    }
    array_finish(&c.all);
    return best;
}

bool designator_resolvable(interp *i, int64_t task, const term *t, bool *out) {
    designator *d = designator_find(i, t);
    *out = !designator_is(t);
    if (!d || d->of->solution) {
        *out = *out || d != NULL;
        return true;
    }
    // Finds the candidate to which the description would be resolved, without resolving it, and
    // keeps i->reason as it was.
    const char *so_far = arena_strdup(i->scratch, i->reason);
    candidates c = {0};
    const term *properties;
    *out = find_candidate(i, task, 0, d, &properties, &c) != NULL;
    array_finish(&c.all);
    snprintf(i->reason, sizeof i->reason, "%s", so_far);
    return i->failed == OK;
}

// Whether a term is a list of properties of a place.
static bool is_places(const term *list) {
    int64_t count = term_list_length(list);
    for (const term *l = list; count > 0 && term_is(l, "[|]", 2); l = l->args[1]) {
        if (!robot_place_property(l->args[0]))
            return false;
    }
    return count > 0;
}

const term *designator_place(interp *i, int64_t task, const term *t) {
    if (!is_places(t))
        return t;
    bool said = false;
    for (const term *l = t; term_is(l, "[|]", 2); l = l->args[1])
        said = said || term_is(l->args[0], "for", 1);
    const term *self = term_symbol(i->scratch, "robot");
    const term *whom = term_compound(i->scratch, "for", 1, &self);
    const term *all[2] = {whom, t};
    return designator_make(i, task, "location",
                           said ? t : term_compound(i->scratch, "[|]", 2, all));
}

const term *designator_region(interp *i, int64_t task, const term *t) {
    const designator *d = designator_find(i, t);
    const term *properties = is_places(t) ? t : d && d->kind == IS_LOCATION ? d->description : NULL;
    if (!properties)
        return designator_resolve(i, task, t);
    for (const term *l = properties; term_is(l, "[|]", 2); l = l->args[1]) {
        const term *p = l->args[0];
        if (term_is(p, "on", 1) || term_is(p, "within", 1) || term_is(p, "in", 1))
            return designator_resolve(i, task, p);
    }
    t = designator_resolve(i, task, is_places(t) ? designator_make(i, task, "location", t) : t);
    bool supported = t && t->kind == TERM_COMPOUND && strcmp(t->text, "at") == 0 && t->arity >= 4;
    return supported ? term_compound(i->scratch, "on", 1, &t->args[3]) : t;
}

// Whether a description, which was resolved to the same object as another one, also fits the other
// one's next solution.
static bool goes_along(interp *i, int64_t task, const designator *e, const term *solution) {
    candidates c = {0};
    bool fits = false;
    const term *properties = referent_was_tried(e->of, solution) ? NULL : properties_of(i, task, e);
    if (properties && gather_candidates(i, 0, e->kind, properties, 0, &c)) {
        for (size_t k = 0; k < c.all.count && !fits; k++)
            fits = term_equal(c.all.items[k], solution);
    }
    array_finish(&c.all);
    return fits;
}

typedef ARRAY(referent *) referent_list;

// The other referents that are the same object now.
static void list_same(const interp *i, const referent *r, referent_list *out) {
    for (size_t k = 0; k < i->designators.all.count; k++) {
        referent *other = i->designators.all.items[k]->of;
        bool listed = !same_object(r, other);
        for (size_t j = 0; j < out->count && !listed; j++)
            listed = out->items[j] == other;
        if (!listed)
            array_push(out, other);
    }
}

static void give_up(referent *r, const term *solution) {
    referent_set_aside(r, solution);
    referent_solve(r, NULL);
}

const term *designator_next(interp *i, int64_t task, const term *t) {
    designator *d = designator_find(i, t);
    if (!d) {
        char text[120];
        term_format(t, text, sizeof text);
        snprintf(i->reason, sizeof i->reason,
                 "%s is no description, so it has no next solution; make one with object([...]), "
                 "location([...]) or action([...])",
                 text);
        return NULL;
    }
    referent_list others = {0};
    if (d->of->solution) {
        list_same(i, d->of, &others);
        const term *aside = term_copy(i->scratch, designator_peek(i, d->of->solution));
        give_up(d->of, aside);
        for (size_t k = 0; k < others.count; k++)
            give_up(others.items[k], aside);
    }
    bool found = resolve_description(i, task, d);
    const char *why = found ? NULL : arena_strdup(i->scratch, i->reason);
    for (size_t k = 0; found && k < others.count; k++) {
        referent *r = others.items[k];
        if (!r->solution && goes_along(i, task, r->first, d->of->solution))
            set_solution(i, r, d->of->solution);
    }
    array_finish(&others);
    interp_changed(i, CHANGED_VARIABLE);
    if (why)
        snprintf(i->reason, sizeof i->reason, "%s", why);
    return found ? d->of->solution : NULL;
}

// Makes two descriptions equals; where both have a solution, that of `b` stands.
static void equate_two(interp *i, int64_t task, designator *a, designator *b) {
    const term *solution = b->of->solution ? b->of->solution : a->of->solution;
    if (a->of == b->of)
        return;
    if (solution)
        solution = term_copy(i->scratch, solution);
    set_solution(i, referent_merge(a->of, b->of), solution);
    put_equation(i, task, a, b, "stated");
}

bool designator_equate(interp *i, int64_t task, const term *list) {
    designator *first = NULL;
    const term *thing = NULL;
    char text[2][100];
    for (const term *l = list; term_is(l, "[|]", 2); l = l->args[1]) {
        const term *t = l->args[0];
        designator *d = designator_find(i, t);
        if (d && first && d->kind != first->kind) {
            snprintf(i->reason, sizeof i->reason, "%s is of an %s, %s of an %s", first->name,
                     designator_kinds[first->kind], d->name, designator_kinds[d->kind]);
            return false;
        }
        if (!d && (designator_is(t) || !term_ground(t))) {
            snprintf(i->reason, sizeof i->reason, "there is no description %s",
                     term_text(i->scratch, t));
            return false;
        }
        if (!d && thing && !term_equal(thing, t)) {
            term_format(thing, text[0], sizeof text[0]);
            term_format(t, text[1], sizeof text[1]);
            snprintf(i->reason, sizeof i->reason, "%s and %s are not the same", text[0], text[1]);
            return false;
        }
        thing = d ? thing : t;
        first = first ? first : d;
    }
    if (first && first->kind == IS_OBJECT && thing &&
        (thing->kind != TERM_SYMBOL || !belief_find(i->mind->belief, thing->text))) {
        term_format(thing, text[0], sizeof text[0]);
        snprintf(i->reason, sizeof i->reason,
                 "%s is not believed in: let the plan perceive it first, or correct the name",
                 text[0]);
        return false;
    }
    for (const term *l = list; first && term_is(l, "[|]", 2); l = l->args[1]) {
        designator *d = designator_find(i, l->args[0]);
        if (d && d != first)
            equate_two(i, task, first, d);
    }
    if (first && thing && !(first->of->solution && term_equal(first->of->solution, thing))) {
        set_solution(i, first->of, thing);
        put_equation(i, task, first, NULL, "stated");
    }
    if (first && first->of->solution)
        equate_found(i, task, first);
    return true;
}

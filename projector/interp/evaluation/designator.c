// projector/interp/evaluation/designator.c - descriptions: made, resolved against the belief, taken
// on to their next solution, equated, and freed when nothing names them any more.
//
// A description is of the same thing as those that the plan says so of (`stated`, named by the
// lowest of their numbers): they share one solution, which fits them all. Descriptions of objects
// that have the same solution are of the same thing as long as they have. What was tried is set
// aside for all of them.
#include "projector/interp/evaluation/candidates.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/state/records.h"
#include "projector/robot/planning/places.h"

#include "base/text/number.h"

enum { FULL_FIRST = 64, PLACES_ASKED = 12 };
#define SAME_PLACE 0.05 // m, and
#define SAME_TURN 15.0  // degrees: a place that was tried

typedef enum designator_kind { IS_OBJECT, IS_LOCATION, IS_ACTION } designator_kind;
static const char *const KINDS[] = {"object", "location", "action"};

typedef struct tried tried;
struct tried {
    const term *what;
    tried *next;
};

struct designator {
    int64_t number, id; // of its name; of its record
    designator_kind kind;
    int64_t stated;
    bool marked;
    bool named;     // one of its stated equals is marked; of the lowest of them
    bool resolving; // of the lowest of them
    arena *memory;  // holds the designator itself
    const char *name;
    const term *description;
    const term *solution; // NULL: not resolved
    tried *tried;         // set aside, latest first
};

static int64_t number_of(const term *t) {
    int64_t n = -1;
    if (t->kind != TERM_SYMBOL || strncmp(t->text, "des#", 4) != 0 ||
        !number_parse_integer(t->text + 4, strlen(t->text + 4), &n))
        return -1;
    return n;
}

bool designator_is(const term *t) {
    return number_of(t) > 0;
}

bool designator_within(const term *t) {
    for (;;) {
        if (t->kind == TERM_SYMBOL)
            return designator_is(t);
        if (t->kind != TERM_COMPOUND || t->arity == 0)
            return false;
        for (uint32_t k = 0; k + 1 < t->arity; k++) {
            if (designator_within(t->args[k]))
                return true;
        }
        t = t->args[t->arity - 1];
    }
}

static designator *numbered(const interp *i, int64_t number) {
    size_t low = 0, high = i->designators.all.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (i->designators.all.items[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < i->designators.all.count && i->designators.all.items[low]->number == number;
    return found ? i->designators.all.items[low] : NULL;
}

static designator *find(const interp *i, const term *t) {
    int64_t number = number_of(t);
    return number > 0 ? numbered(i, number) : NULL;
}

static designator *lowest(const interp *i, const designator *d) {
    return numbered(i, d->stated);
}

const term *designator_make(interp *i, int64_t task, const char *kind, const term *properties) {
    arena *memory = arena_take(i);
    designator *d = arena_alloc(memory, sizeof *d);
    d->memory = memory;
    d->number = d->stated = ++i->designators.made;
    for (int k = IS_OBJECT; k <= IS_ACTION; k++) {
        if (strcmp(kind, KINDS[k]) == 0)
            d->kind = (designator_kind)k;
    }
    d->name = arena_format(memory, "des#%lld", (long long)d->number);
    d->description = term_copy(memory, properties);
    d->id = sink_id(i->log, RECORD_DESIGNATOR);
    array_push(&i->designators.all, d);
    record r = {.kind = RECORD_DESIGNATOR, .id = d->id};
    r.DESIGNATOR.agent = i->mind->agent;
    r.DESIGNATOR.name = d->name;
    r.DESIGNATOR.kind = KINDS[d->kind];
    r.DESIGNATOR.description = term_text(i->scratch, d->description);
    r.DESIGNATOR.task = task;
    r.DESIGNATOR.t_ns = i->now;
    interp_put(i, &r);
    return term_symbol(i->scratch, d->name);
}

static void mark_term(const interp *i, const term *t) {
    for (; t;) {
        designator *d = t->kind == TERM_SYMBOL ? find(i, t) : NULL;
        if (d)
            d->marked = true;
        if (t->kind != TERM_COMPOUND || t->arity == 0)
            return;
        for (uint32_t k = 0; k + 1 < t->arity; k++)
            mark_term(i, t->args[k]);
        t = t->args[t->arity - 1];
    }
}

static void mark_frame(const interp *i, const frame *f) {
    for (const variable *v = f->variables; v; v = v->next)
        mark_term(i, v->value);
    for (size_t k = 0; k < f->given_count; k++)
        mark_term(i, f->given[k].value);
    mark_term(i, f->value);
    mark_term(i, f->region);
    mark_term(i, f->result);
    for (const frame *c = f->first; c; c = c->next)
        mark_frame(i, c);
}

// Those that marked ones name, and those that the plan says are of the same thing.
static void mark_named(const interp *i) {
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < i->designators.all.count; k++) {
            designator *d = i->designators.all.items[k];
            designator *low = lowest(i, d);
            if (!d->marked && !low->named)
                continue;
            more = more || !d->marked || !low->named;
            d->marked = low->named = true;
        }
        for (size_t k = 0; more && k < i->designators.all.count; k++) {
            const designator *d = i->designators.all.items[k];
            if (!d->marked)
                continue;
            mark_term(i, d->description);
            mark_term(i, d->solution);
        }
    }
}

static void mark_all(interp *i) {
    for (size_t k = 0; k < i->designators.all.count; k++) {
        designator *d = i->designators.all.items[k];
        d->named = false;
        d->marked = d->number > i->designators.known;
    }
    if (i->top)
        mark_frame(i, i->top);
    mark_named(i);
}

// at(X, Y, Yaw, ...) of about the same place: the belief has moved on a little since it was tried.
static bool same_place(const term *a, const term *b) {
    double off[3];
    if (a->kind != TERM_COMPOUND || a->arity < 3 || strcmp(a->text, "at") != 0 ||
        !term_is(b, "at", a->arity))
        return false;
    for (uint32_t k = 0; k < a->arity; k++) {
        double x, y;
        bool numbers = k < 3 && term_number(a->args[k], &x) && term_number(b->args[k], &y);
        if (numbers)
            off[k] = x - y;
        else if (k < 2 || !term_equal(a->args[k], b->args[k]))
            return false;
        else if (k == 2)
            off[k] = 0; // any
    }
    return hypot(off[0], off[1]) <= SAME_PLACE && fabs(remainder(off[2], 360)) <= SAME_TURN;
}

static bool was_tried(const designator *d, const term *t) {
    for (const tried *x = d->tried; x; x = x->next) {
        if (term_equal(x->what, t) || (d->kind == IS_LOCATION && same_place(x->what, t)))
            return true;
    }
    return false;
}

static void set_aside(designator *d, const term *t) {
    for (const tried *x = d->tried; x; x = x->next) {
        if (term_equal(x->what, t))
            return;
    }
    tried *x = arena_alloc(d->memory, sizeof *x);
    x->what = term_copy(d->memory, t);
    x->next = d->tried;
    d->tried = x;
}

// All that one has tried, the first of it first.
static void share_tried(designator *to, const tried *from) {
    if (!from)
        return;
    share_tried(to, from->next);
    set_aside(to, from->what);
}

// "cup#1, cup#2", in the order in which they were tried.
static const char *list_tried(interp *i, const tried *x, size_t *count) {
    if (!x)
        return "";
    const char *before = list_tried(i, x->next, count);
    (*count)++;
    char text[120];
    term_format(x->what, text, sizeof text);
    return arena_format(i->scratch, "%s%s%s", before, x->next ? ", " : "", text);
}

typedef struct candidates {
    term_list_array all; // best first
    char why[REASON_SIZE];
} candidates;

// All that fits properties which name no description any more. False: i->reason says why not even
// nothing can be said to fit.
static bool gather(interp *i, int64_t task, designator_kind kind, const term *properties,
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

// The properties of all that the plan says to be of the same thing, each once.
static const term *all_properties(interp *i, const designator *d) {
    size_t room = 0, count = 0;
    for (size_t k = 0; k < i->designators.all.count; k++) {
        const designator *e = i->designators.all.items[k];
        if (e->stated == d->stated)
            room += (size_t)term_list_length(e->description);
    }
    const term **items = arena_alloc(i->scratch, (room + 1) * sizeof *items);
    for (size_t k = 0; k < i->designators.all.count; k++) {
        const designator *e = i->designators.all.items[k];
        const term *l = e->stated == d->stated ? e->description : NULL;
        for (; term_is(l, "[|]", 2); l = l->args[1]) {
            bool known = false;
            for (size_t j = 0; j < count && !known; j++)
                known = term_equal(items[j], l->args[0]);
            if (!known)
                items[count++] = l->args[0];
        }
    }
    return term_list(i->scratch, items, count, NULL);
}

// With what the descriptions that they name stand for, which are resolved first; an action's keep
// the names, so that a later `next` of one counts.
static const term *properties_of(interp *i, int64_t task, const designator *d) {
    const term *properties = all_properties(i, d);
    const term *resolved = designator_resolve(i, task, properties);
    return d->kind == IS_ACTION && resolved ? properties : resolved;
}

static const term *described(interp *i, designator_kind kind, const term *properties) {
    return term_compound(i->scratch, KINDS[kind], 1, &properties);
}

static bool nothing_fits(interp *i, const designator *d, const term *properties, const char *why,
                         size_t left_over) {
    char text[200];
    size_t count = 0;
    const char *names = list_tried(i, d->tried, &count);
    term_format(described(i, d->kind, designator_peek(i, properties)), text, sizeof text);
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

static void solve(designator *d, const term *solution) {
    if (!solution || !d->solution || !term_equal(d->solution, solution))
        d->solution = solution ? term_copy(d->memory, solution) : NULL;
}

static void solve_stated(interp *i, const designator *d, const term *solution) {
    for (size_t k = 0; k < i->designators.all.count; k++) {
        designator *e = i->designators.all.items[k];
        if (e->stated == d->stated)
            solve(e, solution);
    }
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
        a->solution ? term_text(i->scratch, designator_peek(i, a->solution)) : NULL;
    r.EQUATION.reason = reason;
    interp_put(i, &r);
}

static bool found_same(const designator *d, const designator *e) {
    return d->kind == IS_OBJECT && e->kind == IS_OBJECT && e->stated != d->stated && e->solution &&
           d->solution && term_equal(e->solution, d->solution);
}

// Others that were resolved to the same object are of the same thing; not those that nothing names
// any more, which only have not been freed yet.
static void equate_found(interp *i, int64_t task, const designator *d) {
    const designator *first = NULL;
    for (size_t k = 0; k < i->designators.all.count && !first; k++)
        first = found_same(d, i->designators.all.items[k]) ? d : NULL;
    if (!first)
        return;
    first = NULL;
    mark_all(i);
    for (size_t k = 0; k < i->designators.all.count; k++) {
        designator *e = i->designators.all.items[k];
        if (!e->marked || !found_same(d, e))
            continue;
        if (!first)
            put_equation(i, task, d, e, "resolved");
        first = first ? first : e;
        share_tried(e, d->tried);
    }
    for (size_t k = 0; first && k < i->designators.all.count; k++) {
        designator *e = i->designators.all.items[k];
        if (e->stated == d->stated)
            share_tried(e, first->tried);
    }
}

static void put_choice(interp *i, int64_t task, const designator *d, const term *properties,
                       const term *chosen, const candidates *c) {
    char reason[2 * REASON_SIZE];
    size_t count = 0;
    const char *names = list_tried(i, d->tried, &count);
    snprintf(reason, sizeof reason, "%.500s%s%.300s%s", c->why, count > 0 ? "; tried before: " : "",
             names, count > 0 ? ", which are not taken again" : "");
    const term **all = arena_alloc(i->scratch, (c->all.count + 1) * sizeof *all);
    for (size_t k = 0; k < c->all.count; k++)
        all[k] = designator_peek(i, c->all.items[k]);
    record r = {.kind = RECORD_CHOICE, .id = sink_id(i->log, RECORD_CHOICE)};
    r.CHOICE.task = task;
    r.CHOICE.t_ns = i->now;
    r.CHOICE.what = KINDS[d->kind];
    r.CHOICE.question =
        term_text(i->scratch, described(i, d->kind, designator_peek(i, properties)));
    r.CHOICE.chosen = term_text(i->scratch, designator_peek(i, chosen));
    r.CHOICE.candidates = term_text(i->scratch, term_list(i->scratch, all, c->all.count, NULL));
    r.CHOICE.reason = reason;
    r.CHOICE.designator = d->id;
    interp_put(i, &r);
}

static const term *first_left(interp *i, const designator *d, const candidates *c) {
    for (size_t k = 0; k < c->all.count; k++) {
        if (!was_tried(d, designator_peek(i, c->all.items[k])))
            return c->all.items[k];
    }
    return NULL;
}

static size_t count_tried(const designator *d) {
    size_t count = 0;
    for (const tried *x = d->tried; x; x = x->next)
        count++;
    return count;
}

// Looks for what fits and was not tried; *properties: of what was asked. NULL: nothing. What was
// not said and is assumed is a choice of the task `assumes` (0: is not put down).
static const term *look(interp *i, int64_t task, int64_t assumes, designator *d,
                        const term **properties, candidates *c) {
    designator *low = lowest(i, d);
    if (low->resolving) {
        snprintf(i->reason, sizeof i->reason, "%s is described by itself", d->name);
        return NULL;
    }
    low->resolving = true;
    *properties = properties_of(i, task, d);
    const term *found = NULL;
    if (*properties && gather(i, assumes, d->kind, *properties, count_tried(d), c)) {
        found = first_left(i, d, c);
        if (!found)
            nothing_fits(i, d, *properties, d->kind == IS_ACTION ? c->why : "", c->all.count);
    } else if (*properties) {
        const char *why = arena_strdup(i->scratch, i->reason);
        nothing_fits(i, d, *properties, why, 0);
    }
    low->resolving = false;
    return found;
}

static bool resolve(interp *i, int64_t task, designator *d) {
    candidates c = {0};
    const term *properties, *found;
    if (d->solution)
        return true;
    found = look(i, task, task, d, &properties, &c);
    if (found) {
        put_choice(i, task, d, properties, found, &c);
        solve_stated(i, d, found);
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

static const term *replace(const replacing *r, const term *t);

static const term *replace_symbol(const replacing *r, const term *t) {
    interp *i = r->i;
    designator *d = find(i, t);
    if (!d) {
        if (r->resolves && designator_is(t))
            snprintf(i->reason, sizeof i->reason, "there is no description %s", t->text);
        return r->resolves && designator_is(t) ? NULL : t;
    }
    if (!d->solution && (!r->resolves || !resolve(i, r->task, d)))
        return r->resolves ? NULL : t;
    // An action's solution may name further descriptions.
    return designator_within(d->solution) ? replace(r, d->solution) : d->solution;
}

// Along its spine, however long it is.
static const term *replace_list(const replacing *r, const term *list) {
    size_t count = 0;
    const term *tail = list;
    for (; term_is(tail, "[|]", 2); tail = tail->args[1])
        count++;
    const term **items = arena_alloc(r->i->scratch, (count + 1) * sizeof *items);
    for (size_t k = 0; k < count; k++, list = list->args[1]) {
        items[k] = replace(r, list->args[0]);
        if (!items[k])
            return NULL;
    }
    tail = replace(r, tail);
    return tail ? term_list(r->i->scratch, items, count, tail) : NULL;
}

static const term *replace(const replacing *r, const term *t) {
    if (t->kind == TERM_SYMBOL)
        return replace_symbol(r, t);
    if (t->kind != TERM_COMPOUND || !designator_within(t))
        return t;
    if (term_is(t, "[|]", 2))
        return replace_list(r, t);
    const term **args = arena_alloc(r->i->scratch, t->arity * sizeof *args);
    for (uint32_t k = 0; k < t->arity; k++) {
        args[k] = replace(r, t->args[k]);
        if (!args[k])
            return NULL;
    }
    return term_compound(r->i->scratch, t->text, t->arity, args);
}

const term *designator_resolve(interp *i, int64_t task, const term *t) {
    replacing r = {i, task, true};
    return i->designators.made == 0 ? t : replace(&r, t);
}

const term *designator_peek(interp *i, const term *t) {
    replacing r = {i, 0, false};
    return i->designators.made == 0 ? t : replace(&r, t);
}

const term *designator_passing(interp *i, int64_t task, const char *kind, const term *properties) {
    candidates c = {0};
    designator_kind k = kind[0] == 'o' ? IS_OBJECT : kind[0] == 'l' ? IS_LOCATION : IS_ACTION;
    const term *found = NULL, *resolved = designator_resolve(i, task, properties);
    if (resolved && gather(i, 0, k, resolved, 0, &c)) {
        if (c.all.count > 0) {
            found = c.all.items[0];
        } else {
            char text[200];
            term_format(described(i, k, resolved), text, sizeof text);
            snprintf(i->reason, sizeof i->reason, "nothing is believed in that is %s", text);
        }
    }
    array_finish(&c.all);
    return found;
}

const term *designator_solution(interp *i, int64_t task, const term *t) {
    designator *d = find(i, t);
    if (d && d->kind == IS_ACTION)
        return resolve(i, task, d) ? d->solution : NULL;
    char text[120];
    term_format(t, text, sizeof text);
    snprintf(i->reason, sizeof i->reason,
             "%s is no description of an action; make one with action([type(...), ...])", text);
    return NULL;
}

const term *designator_description(interp *i, int64_t task, const term *t) {
    const designator *d = find(i, t);
    return d ? properties_of(i, task, d) : NULL;
}

const term *designator_found(interp *i, int64_t task, const term *t, const term *list,
                             const char *why) {
    designator *d = find(i, t);
    candidates c = {0};
    const term *best = NULL;
    for (const term *l = list; term_is(l, "[|]", 2); l = l->args[1]) {
        array_push(&c.all, l->args[0]);
        if (d->solution && term_equal(d->solution, l->args[0]))
            best = d->solution;
    }
    best = best ? best : first_left(i, d, &c);
    snprintf(c.why, sizeof c.why, "%s", why);
    if (best) {
        put_choice(i, task, d, all_properties(i, d), best, &c);
        solve_stated(i, d, best);
        equate_found(i, task, d);
    }
    array_finish(&c.all);
    return best;
}

bool designator_resolvable(interp *i, int64_t task, const term *t, bool *out) {
    designator *d = find(i, t);
    *out = !designator_is(t);
    if (!d || d->solution) {
        *out = *out || d != NULL;
        return true;
    }
    // What it would be resolved to, without being it, and without a word about why not.
    const char *so_far = arena_strdup(i->scratch, i->reason);
    candidates c = {0};
    const term *properties;
    *out = look(i, task, 0, d, &properties, &c) != NULL;
    array_finish(&c.all);
    snprintf(i->reason, sizeof i->reason, "%s", so_far);
    return i->failed == OK;
}

// Whether a list can only be of properties of a place.
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
    const designator *d = find(i, t);
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

// Whether a description that was found to be of the same thing still is, now that the other has
// gone on to `solution`.
static bool goes_along(interp *i, int64_t task, const designator *e, const term *solution) {
    candidates c = {0};
    bool fits = false;
    const term *properties = was_tried(e, solution) ? NULL : properties_of(i, task, e);
    if (properties && gather(i, 0, e->kind, properties, 0, &c)) {
        for (size_t k = 0; k < c.all.count && !fits; k++)
            fits = term_equal(c.all.items[k], solution);
    }
    array_finish(&c.all);
    return fits;
}

// The next solution; those that were found to be of the same thing come along where it fits them,
// and are resolved anew where it does not. NULL: none.
const term *designator_next(interp *i, int64_t task, const term *t) {
    designator *d = find(i, t);
    if (!d) {
        char text[120];
        term_format(t, text, sizeof text);
        snprintf(i->reason, sizeof i->reason,
                 "%s is no description, so it has no next solution; make one with object([...]), "
                 "location([...]) or action([...])",
                 text);
        return NULL;
    }
    const term *aside = d->solution;
    ARRAY(designator *) others = {0};
    for (size_t k = 0; aside && k < i->designators.all.count; k++) {
        designator *e = i->designators.all.items[k];
        if (found_same(d, e))
            array_push(&others, e);
    }
    if (aside)
        aside = term_copy(i->scratch, designator_peek(i, aside));
    for (size_t k = 0; aside && k < i->designators.all.count; k++) {
        designator *e = i->designators.all.items[k];
        bool other = false;
        for (size_t j = 0; j < others.count && !other; j++)
            other = others.items[j] == e;
        if (!other && e->stated != d->stated)
            continue;
        set_aside(e, aside);
        solve(e, NULL);
    }
    bool found = resolve(i, task, d);
    const char *why = found ? NULL : arena_strdup(i->scratch, i->reason);
    for (size_t k = 0; found && k < others.count; k++) {
        if (!others.items[k]->solution && goes_along(i, task, others.items[k], d->solution))
            solve_stated(i, others.items[k], d->solution);
    }
    array_finish(&others);
    interp_changed(i, CHANGED_VARIABLE);
    if (why)
        snprintf(i->reason, sizeof i->reason, "%s", why);
    return found ? d->solution : NULL;
}

// From now on both are of the same thing; the later solution stands, where there are two.
static void equate_two(interp *i, int64_t task, designator *a, designator *b) {
    const term *solution = b->solution ? b->solution : a->solution;
    if (solution)
        solution = term_copy(i->scratch, solution);
    if (a->stated != b->stated) {
        int64_t low = a->stated < b->stated ? a->stated : b->stated;
        int64_t high = a->stated < b->stated ? b->stated : a->stated;
        for (size_t k = 0; k < i->designators.all.count; k++) {
            designator *e = i->designators.all.items[k];
            if (e->stated == high)
                share_tried(e, a->stated == high ? b->tried : a->tried);
            if (e->stated == low)
                share_tried(e, a->stated == low ? b->tried : a->tried);
        }
        for (size_t k = 0; k < i->designators.all.count; k++) {
            if (i->designators.all.items[k]->stated == high)
                i->designators.all.items[k]->stated = low;
        }
        solve_stated(i, a, solution);
        put_equation(i, task, a, b, "stated");
    }
}

// One after another: descriptions with the first of them, and that with a thing that is named.
// False: they cannot be of the same thing, and i->reason says why.
bool designator_equate(interp *i, int64_t task, const term *list) {
    designator *first = NULL;
    const term *thing = NULL;
    char text[2][100];
    for (const term *l = list; term_is(l, "[|]", 2); l = l->args[1]) {
        const term *t = l->args[0];
        designator *d = find(i, t);
        if (d && first && d->kind != first->kind) {
            snprintf(i->reason, sizeof i->reason, "%s is of an %s, %s of an %s", first->name,
                     KINDS[first->kind], d->name, KINDS[d->kind]);
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
        snprintf(i->reason, sizeof i->reason, "%s is not believed in", text[0]);
        return false;
    }
    for (const term *l = list; first && term_is(l, "[|]", 2); l = l->args[1]) {
        designator *d = find(i, l->args[0]);
        if (d && d != first)
            equate_two(i, task, first, d);
    }
    if (first && thing && !(first->solution && term_equal(first->solution, thing))) {
        solve_stated(i, first, thing);
        put_equation(i, task, first, NULL, "stated");
    }
    if (first && first->solution)
        equate_found(i, task, first);
    return true;
}

void designators_tidy(interp *i) {
    designators *d = &i->designators;
    d->known = d->made;
    if (d->all.count < (d->full ? d->full : FULL_FIRST))
        return;
    mark_all(i);
    size_t kept = 0;
    for (size_t k = 0; k < d->all.count; k++) {
        designator *x = d->all.items[k];
        if (x->marked) {
            d->all.items[kept++] = x;
        } else {
            arena_give(i, x->memory);
        }
    }
    d->all.count = kept;
    d->full = 2 * kept > FULL_FIRST ? 2 * kept : FULL_FIRST;
}

void designators_finish(interp *i) {
    for (size_t k = 0; k < i->designators.all.count; k++)
        arena_destroy(i->designators.all.items[k]->memory);
    array_finish(&i->designators.all);
}

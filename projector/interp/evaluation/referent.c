// projector/interp/evaluation/referent.c - the table of descriptions, what they share with their
// equals, what was tried, and which of them are still named.
#include "projector/interp/evaluation/referent.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/state/records.h"

#include "base/text/number.h"

enum { FULL_FIRST = 64 };
// A place counts as tried within these of one that was.
#define SAME_PLACE 0.05 // m
#define SAME_TURN 15.0  // degrees

const char *const designator_kinds[] = {"object", "location", "action"};

// ---- The table ----------------------------------------------------------------------------------

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

static designator *find_number(const interp *i, int64_t number) {
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

designator *designator_find(const interp *i, const term *t) {
    int64_t number = number_of(t);
    return number > 0 ? find_number(i, number) : NULL;
}

const term *designator_make(interp *i, int64_t task, const char *kind, const term *properties) {
    arena *memory = arena_take(i);
    designator *d = arena_alloc(memory, sizeof *d);
    d->memory = memory;
    d->number = ++i->designators.made;
    for (int k = IS_OBJECT; k <= IS_ACTION; k++) {
        if (strcmp(kind, designator_kinds[k]) == 0)
            d->kind = (designator_kind)k;
    }
    d->name = arena_format(memory, "des#%lld", (long long)d->number);
    d->description = term_copy(memory, properties);
    d->id = sink_id(i->log, RECORD_DESIGNATOR);
    d->of = arena_alloc(memory, sizeof *d->of);
    *d->of = (referent){.kind = d->kind, .memory = memory, .first = d};
    array_push(&i->designators.all, d);
    record r = {.kind = RECORD_DESIGNATOR, .id = d->id};
    r.DESIGNATOR.agent = i->mind->agent;
    r.DESIGNATOR.name = d->name;
    r.DESIGNATOR.kind = designator_kinds[d->kind];
    r.DESIGNATOR.description = term_text(i->scratch, d->description);
    r.DESIGNATOR.task = task;
    r.DESIGNATOR.t_ns = i->now;
    interp_put(i, &r);
    return term_symbol(i->scratch, d->name);
}

// ---- What is still named ------------------------------------------------------------------------

static void mark_term(const interp *i, const term *t) {
    for (; t;) {
        const designator *d = t->kind == TERM_SYMBOL ? designator_find(i, t) : NULL;
        if (d)
            d->of->named = true;
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

// Marks the descriptions that marked ones name, round after round: they may name one another in
// long chains.
static void mark_named(const interp *i) {
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < i->designators.all.count; k++) {
            referent *r = i->designators.all.items[k]->of;
            if (!r->named || r->walked)
                continue;
            more = r->walked = true;
            for (const designator *d = r->first; d; d = d->equal)
                mark_term(i, d->description);
            mark_term(i, r->solution);
        }
    }
}

void referents_mark(interp *i) {
    for (size_t k = 0; k < i->designators.all.count; k++) {
        referent *r = i->designators.all.items[k]->of;
        r->named = r->walked = false;
    }
    for (size_t k = 0; k < i->designators.all.count; k++) {
        const designator *d = i->designators.all.items[k];
        d->of->named = d->of->named || d->number > i->designators.known;
    }
    if (i->top)
        mark_frame(i, i->top);
    mark_named(i);
}

void designators_tidy(interp *i) {
    designators *d = &i->designators;
    d->known = d->made;
    if (d->all.count < (d->full ? d->full : FULL_FIRST))
        return;
    referents_mark(i);
    size_t kept = 0;
    for (size_t k = 0; k < d->all.count; k++) {
        designator *x = d->all.items[k];
        if (x->of->named) {
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

// ---- What was tried -----------------------------------------------------------------------------

// Whether two terms at(X, Y, Yaw, ...) are about the same place: the belief may have moved a little
// since one was tried.
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

bool referent_was_tried(const referent *r, const term *t) {
    for (const tried *x = r->tried; x; x = x->next) {
        if (term_equal(x->what, t) || (r->kind == IS_LOCATION && same_place(x->what, t)))
            return true;
    }
    return false;
}

void referent_set_aside(referent *r, const term *t) {
    for (const tried *x = r->tried; x; x = x->next) {
        if (term_equal(x->what, t))
            return;
    }
    tried *x = arena_alloc(r->memory, sizeof *x);
    x->what = term_copy(r->memory, t);
    x->next = r->tried;
    r->tried = x;
}

void referent_share_tried(referent *to, const tried *from) {
    if (!from)
        return;
    referent_share_tried(to, from->next);
    referent_set_aside(to, from->what);
}

const char *referent_tried_text(interp *i, const tried *x, size_t *count) {
    if (!x)
        return "";
    const char *before = referent_tried_text(i, x->next, count);
    (*count)++;
    char text[120];
    term_format(x->what, text, sizeof text);
    return arena_format(i->scratch, "%s%s%s", before, x->next ? ", " : "", text);
}

size_t referent_tried_count(const referent *r) {
    size_t count = 0;
    for (const tried *x = r->tried; x; x = x->next)
        count++;
    return count;
}

// ---- Solutions ----------------------------------------------------------------------------------

void referent_solve(referent *r, const term *solution) {
    if (!solution || !r->solution || !term_equal(r->solution, solution))
        r->solution = solution ? term_copy(r->memory, solution) : NULL;
}

// Merges two lists of equals, each ordered by number.
static designator *merge_equals(designator *a, designator *b) {
    designator *first = NULL, **last = &first;
    while (a && b) {
        designator **lower = a->number < b->number ? &a : &b;
        *last = *lower;
        last = &(*lower)->equal;
        *lower = (*lower)->equal;
    }
    *last = a ? a : b;
    return first;
}

referent *referent_merge(referent *a, referent *b) {
    referent *kept = a->first->number < b->first->number ? a : b, *gone = kept == a ? b : a;
    referent_share_tried(kept, gone->tried);
    for (designator *d = gone->first; d; d = d->equal)
        d->of = kept;
    kept->first = merge_equals(kept->first, gone->first);
    return kept;
}

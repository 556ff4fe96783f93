// report/diff/diff.c - what two episodes differ in, gathered.
#include "report/diff/diff_int.h"

#include <string.h>

#include "report/diagnosis/verify.h"

const char *diff_layer_name(diff_layer l) {
    static const char *const names[] = {
#define LAYER(id, name, doc) name,
#define ROWS(layer, what, time, name, value, origin, from)
#include "report/diff/layers.def"
#undef LAYER
#undef ROWS
    };
    return names[l];
}

diff_tolerance diff_tolerance_default(void) {
    return (diff_tolerance){.metres = 0.001, .degrees = 0.1};
}

static const char *copied(diff *d, const char *text) {
    return text ? arena_strdup(d->memory, text) : NULL;
}

void diff_note(diff *d, diff_layer layer, const difference *found) {
    difference *first = &d->first[layer];
    if (first->found && first->t <= found->t)
        return;
    *first = (difference){.found = true,
                          .t = found->t,
                          .what = found->what,
                          .name = copied(d, found->name),
                          .a = copied(d, found->a),
                          .b = copied(d, found->b),
                          .from = copied(d, found->from)};
}

static void compare_flaws(diff *d) {
    for (int side = 0; side < 2; side++) {
        const diagnosis *mine = d->sides[side].diagnosis, *other = d->sides[1 - side].diagnosis;
        for (size_t i = 0; i < diagnosis_count(mine); i++) {
            const flaw *f = diagnosis_flaw(mine, i);
            if (f->start < d->end && !verify_shows(other, f))
                array_push(&d->sides[side].only, f);
        }
    }
}

// Returns where an episode was cut off; TIME_OPEN: it came to its end.
static nanos cut_off(const store_episode *e) {
    return !e->outcome || strcmp(e->outcome, "incomplete") == 0 ? e->end : TIME_OPEN;
}

status diff_create(ask *a, const diagnosis *flaws_a, ask *b, const diagnosis *flaws_b,
                   diff_tolerance tolerance, diff **out, error *err) {
    diff *d = mem_must(1, sizeof *d);
    d->memory = arena_create();
    d->sides[0] = (diff_side){.ask = a, .diagnosis = flaws_a};
    d->sides[1] = (diff_side){.ask = b, .diagnosis = flaws_b};
    d->tolerance = tolerance;
    nanos ends[2] = {cut_off(ask_episode(a)), cut_off(ask_episode(b))};
    d->end = ends[0] < ends[1] ? ends[0] : ends[1];
    status st = diff_rows(d, err);
    if (st == OK)
        st = diff_motion(d, err);
    if (st != OK) {
        diff_destroy(d);
        return st;
    }
    compare_flaws(d);
    *out = d;
    return OK;
}

void diff_destroy(diff *d) {
    if (!d)
        return;
    array_finish(&d->sides[0].only);
    array_finish(&d->sides[1].only);
    array_finish(&d->setup);
    arena_destroy(d->memory);
    free(d);
}

static const char *outcome_of(const diff *d, int side) {
    const char *outcome = ask_episode(d->sides[side].ask)->outcome;
    return outcome ? outcome : "unjudged";
}

nanos diff_end(const diff *d) {
    return d->end;
}

// Whether they end alike; an episode that was cut off says nothing of how it would have ended.
static bool ends_alike(const diff *d) {
    return d->end != TIME_OPEN ||
           (strcmp(outcome_of(d, 0), outcome_of(d, 1)) == 0 &&
            ask_episode(d->sides[0].ask)->end == ask_episode(d->sides[1].ask)->end);
}

bool diff_alike(const diff *d) {
    for (int l = 0; l < DIFF_LAYERS; l++)
        if (d->first[l].found)
            return false;
    return d->sides[0].only.count == 0 && d->sides[1].only.count == 0 && ends_alike(d);
}

const difference *diff_first(const diff *d, diff_layer l) {
    return d->first[l].found ? &d->first[l] : NULL;
}

size_t diff_setup_count(const diff *d) {
    return d->setup.count;
}

const diff_setup *diff_setup_at(const diff *d, size_t i) {
    return &d->setup.items[i];
}

size_t diff_order(const diff *d, diff_layer order[DIFF_LAYERS]) {
    size_t n = 0;
    for (int l = 0; l < DIFF_LAYERS; l++) {
        if (!d->first[l].found)
            continue;
        size_t k = n++;
        for (; k > 0 && d->first[order[k - 1]].t > d->first[l].t; k--)
            order[k] = order[k - 1];
        order[k] = (diff_layer)l;
    }
    return n;
}

size_t diff_flaw_count(const diff *d, int side) {
    return d->sides[side].only.count;
}

const flaw *diff_flaw(const diff *d, int side, size_t i) {
    return d->sides[side].only.items[i];
}

#include "report/diagnose.h"

#include "report/diagnose_collect.h"

static diagnosis *create(const char *log) {
    diagnosis *d = mem_must(1, sizeof *d);
    d->arena = arena_create();
    d->objects = symtab_create();
    d->named = symtab_create();
    d->log = arena_strdup(d->arena, log);
    d->outcome = "incomplete";
    return d;
}

status diagnosis_make(ask *a, diagnosis **out, error *err) {
    const store_episode *e = ask_episode(a);
    diagnosis *d = create(ask_log(a));
    d->episode = e->id;
    d->seed = e->seed;
    d->end = e->end;
    d->complete = e->complete;
    d->plan = e->plan ? arena_strdup(d->arena, e->plan) : NULL;
    if (e->outcome)
        d->outcome = arena_strdup(d->arena, e->outcome);
    collector c = {.ask = a, .d = d, .err = err, .scratch = arena_create()};
    status st = collect_objects(&c);
    if (st == OK)
        st = collect_sources(&c);
    if (st == OK)
        st = collect_flaws(&c);
    if (st == OK)
        st = gaps_collect(a, d, err);
    arena_destroy(c.scratch);
    if (st != OK) {
        diagnosis_free(d);
        return st;
    }
    *out = d;
    return OK;
}

diagnosis *diagnosis_of_nothing(const char *log) {
    diagnosis *d = create(log);
    diagnosis_add_gap(d, "log",
                      "the log holds no episode: nothing was projected into it, or "
                      "nothing of it was committed; whether the plan has a flaw is not "
                      "known",
                      true);
    return d;
}

void diagnosis_free(diagnosis *d) {
    if (!d)
        return;
    array_finish(&d->flaws);
    array_finish(&d->gaps);
    array_finish(&d->sources);
    array_finish(&d->units);
    symtab_destroy(d->objects);
    symtab_destroy(d->named);
    arena_destroy(d->arena);
    free(d);
}

size_t diagnosis_count(const diagnosis *d) {
    return d->flaws.count;
}
const flaw *diagnosis_flaw(const diagnosis *d, size_t i) {
    return &d->flaws.items[i];
}
const char *diagnosis_outcome(const diagnosis *d) {
    return d->outcome;
}
bool diagnosis_complete(const diagnosis *d) {
    return d->complete;
}
size_t diagnosis_gaps(const diagnosis *d) {
    return d->gaps.count;
}
diagnosis_gap diagnosis_gap_at(const diagnosis *d, size_t i) {
    return d->gaps.items[i];
}

void diagnosis_add_gap(diagnosis *d, const char *about, const char *text, bool whole) {
    diagnosis_gap g = {arena_strdup(d->arena, about), arena_strdup(d->arena, text)};
    array_push(&d->gaps, g);
    if (whole)
        d->complete = false;
}

void diagnosis_name_log(diagnosis *d, const char *log) {
    d->log = arena_strdup(d->arena, log);
}

static const char *kept(arena *a, const char *text) {
    return text ? arena_strdup(a, text) : NULL;
}

void diagnosis_judge(diagnosis *d, size_t i, const char *verdict, const flaw_verification *v) {
    flaw *f = &d->flaws.items[i];
    f->verdict = arena_strdup(d->arena, verdict);
    f->verification = NULL;
    if (!v)
        return;
    flaw_verification *copy = arena_alloc(d->arena, sizeof *copy);
    *copy = *v;
    copy->change = kept(d->arena, v->change);
    copy->stream = kept(d->arena, v->stream);
    copy->note = kept(d->arena, v->note);
    f->verification = copy;
}

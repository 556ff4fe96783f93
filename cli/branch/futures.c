// cli/branch/futures.c - loads the futures of an episode.
#include "cli/branch/futures.h"

#include <math.h>
#include <string.h>

#include "base/text/number.h"
#include "cli/batch/vary.h"
#include "cli/branch/begun.h"
#include "cli/runs/fingerprint.h"

// ---- The instant --------------------------------------------------------------------------------

static status find_instant(futures *f, const futures_request *q, error *err) {
    const rerun *r = &f->again;
    double at;
    if (!number_parse(q->at, strlen(q->at), &at) || !isfinite(at))
        return error_set(err, E_USAGE, "--at needs a number of seconds, not '%s'", q->at);
    if (at < 0)
        return error_set(err, E_USAGE, "--at %s lies before the start: an episode begins at 0 s",
                         q->at);
    if (at > 1e9 || nanos_from_seconds(at) >= r->end)
        return error_set(err, E_INPUT,
                         "--at %s lies past the end: episode %lld ends at %.3f s; give an instant "
                         "before that",
                         q->at, (long long)r->episode, seconds(r->end));
    nanos asked = nanos_from_seconds(at), last = (r->end - 1) / r->cycle * r->cycle;
    f->at = (asked + r->cycle - 1) / r->cycle * r->cycle;
    if (f->at > last)
        return error_set(err, E_INPUT,
                         "no control cycle begins at --at %s or later: the last of episode %lld "
                         "begins at %.3f s",
                         q->at, (long long)r->episode, seconds(last));
    for (size_t i = 0; i < r->branches.count; i++) {
        double began;
        const setting *s = &r->branches.items[i];
        if (strcmp(s->name, "at") == 0 && number_parse(s->value, strlen(s->value), &began) &&
            began > seconds(f->at))
            return error_set(err, E_INPUT,
                             "--at %s: episode %lld is itself a branch, which began at %g s; give "
                             "an instant from then on, or branch the episode that it came from",
                             q->at, (long long)r->episode, began);
    }
    return OK;
}

// ---- Edits --------------------------------------------------------------------------------------

static status make_edits(futures *f, const futures_request *q, errors *list) {
    size_t length;
    error err = {0};
    status st = file_read(q->edits, &f->edits, &length, &err);
    if (st != OK) {
        errors_append(list, &err);
        return st;
    }
    const edit_file edits = {q->edits, f->edits, length};
    st = begun_check(&edits, q->log, f->again.episode, f->at, list);
    return st == OK ? scenario_edit_rerun(&f->again, edits, list) : st;
}

// ---- What varies --------------------------------------------------------------------------------

static const parameter *find_parameter(const scenario *s, const varied *v) {
    projection_member *room;
    projection_inputs in;
    input_scope of;
    const parameter *p = NULL;
    scenario_inputs(s, &room, &in);
    for (size_t k = 0; input_scope_at(&in, k, &of); k++)
        if (scope_names(&of, v->scope, v->name, &p))
            break;
    free(room);
    return p;
}

static status draw_all(futures *f, const variation *vary, const scenario *scene, int64_t seed,
                       settings *out, error *err) {
    for (size_t i = 0; vary && i < vary->count; i++) {
        const varied *v = &vary->items[i];
        const parameter *p = find_parameter(scene, v);
        if (!p)
            return error_at(err, E_USAGE, vary->path, v->line, v->column,
                            "%s has no parameter '%s'", v->scope, v->name);
        const char *drawn = variation_draw(f->memory, vary, i, seed, p);
        if (!drawn)
            return error_at(err, E_USAGE, vary->path, v->line, v->column,
                            "%s.%s is hardly ever drawn within its bounds", v->scope, v->name);
        array_push(out, ((setting){v->scope, v->name, drawn}));
    }
    return OK;
}

// ---- Futures ------------------------------------------------------------------------------------

// What one future is to be: parameters of the plan, which its trunk has, and rows of its own.
typedef struct wish {
    settings plan, rows;
    const char *label, *seed;
} wish;

static void wish_setting(futures *f, wish *w, setting s) {
    if (strcmp(s.scope, "plan") == 0) {
        array_push(&w->plan, s);
        return;
    }
    setting row = {"branch", "do", arena_format(f->memory, "%s.%s=%s", s.scope, s.name, s.value)};
    array_push(&w->rows, row);
}

static void make_wish(futures *f, const futures_request *q, size_t i, const settings *drawn,
                      int64_t seed, wish *w) {
    bool fresh = q->count > 0;
    setting s;
    w->label = q->change_count ? q->changes[i] : NULL;
    setting at = {"branch", "at", arena_format(f->memory, "%.12g", seconds(f->at))};
    array_push(&w->rows, at);
    if (q->change_count && stage_setting(f->memory, q->changes[i], &s))
        wish_setting(f, w, s);
    else if (q->change_count)
        array_push(&w->rows, ((setting){"branch", "do", q->changes[i]}));
    for (size_t k = 0; k < drawn->count; k++)
        wish_setting(f, w, drawn->items[k]);
    if (fresh) {
        w->seed = arena_format(f->memory, "%lld", (long long)seed);
        array_push(&w->rows, ((setting){"branch", "seed", w->seed}));
    }
    // Without a change the future is the episode, which says nothing of a branch.
    if (w->rows.count == 1 && !q->edits && w->plan.count == 0)
        w->rows.count = 0;
}

static bool same_settings(const settings *a, const settings *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->items[i].name, b->items[i].name) == 0 &&
               strcmp(a->items[i].value, b->items[i].value) == 0;
    return same;
}

static status load_trunk(futures *f, const futures_request *q, const settings *set, trunk *t,
                         errors *list) {
    static const settings none = {0};
    t->log = q->log;
    t->episode = f->again.episode;
    t->other_plan = q->edits || set->count;
    t->at = f->at;
    t->how = projection_options_default();
    t->how.seed = (uint64_t)f->again.seed;
    t->how.step = f->again.step;
    t->how.cycle = f->again.cycle;
    t->how.until = q->until == TIME_OPEN ? f->again.until : q->until;
    t->how.stop = &cli_stopped;
    status st = scenario_load_rerun(&f->again, set, &none, &t->scene, list);
    if (st == OK)
        st = stages_load(&f->again, &t->scene, set, &none, &f->again.branches, &t->stages, list);
    return st == OK ? scenario_check(&t->scene, list) : st;
}

// Finds the trunk of a wish, or loads it; `keys` are the parameters of each.
static status find_trunk(futures *f, const futures_request *q, const wish *w, settings *keys,
                         trunk **out, errors *list) {
    size_t i = 0;
    while (i < f->trunk_count && !same_settings(&keys[i], &w->plan))
        i++;
    *out = &f->trunks[i];
    if (i < f->trunk_count)
        return OK;
    f->trunk_count++;
    for (size_t k = 0; k < w->plan.count; k++)
        array_push(&keys[i], w->plan.items[k]);
    return load_trunk(f, q, &keys[i], *out, list);
}

static status load_future(futures *f, const futures_request *q, const wish *w, settings *keys,
                          errors *list) {
    static const settings none = {0};
    future *one = &f->items[f->count];
    trunk *t = NULL;
    status st = find_trunk(f, q, w, keys, &t, list);
    if (st != OK)
        return st;
    settings rows = {0};
    for (size_t i = 0; i < f->again.branches.count; i++)
        array_push(&rows, f->again.branches.items[i]);
    for (size_t i = 0; i < w->rows.count; i++)
        array_push(&rows, w->rows.items[i]);
    *one = (future){.number = f->count++, .label = w->label, .seed = w->seed};
    st = stages_load(&f->again, &t->scene, &w->plan, &none, &rows, &one->stages, list);
    for (size_t i = 0; st == OK && i < one->stages.count; i++)
        if (one->stages.items[i].other)
            st = scenario_check(&one->stages.items[i].scene, list);
    array_finish(&rows);
    array_push(&t->futures, one);
    return st;
}

static status load_all(futures *f, const futures_request *q, const variation *vary,
                       const scenario *scene, errors *list) {
    size_t changes = q->change_count ? q->change_count : 1, seeds = q->count ? (size_t)q->count : 1;
    int64_t first = q->seed >= 0 ? q->seed : f->again.seed + 1;
    f->items = mem_must(changes * seeds + 1, sizeof *f->items);
    f->trunks = mem_must(changes * seeds + 1, sizeof *f->trunks);
    settings *keys = mem_must(changes * seeds + 1, sizeof *keys);
    status st = OK;
    for (size_t k = 0; st == OK && k < seeds; k++) {
        settings drawn = {0};
        error err = {0};
        int64_t seed = first + (int64_t)k;
        st = draw_all(f, vary, scene, seed, &drawn, &err);
        if (st != OK)
            errors_append(list, &err);
        for (size_t i = 0; st == OK && i < changes; i++) {
            wish w = {0};
            make_wish(f, q, i, &drawn, seed, &w);
            st = load_future(f, q, &w, keys, list);
            array_finish(&w.plan);
            array_finish(&w.rows);
        }
        array_finish(&drawn);
    }
    for (size_t i = 0; i < f->trunk_count; i++)
        array_finish(&keys[i]);
    free(keys);
    return st;
}

status futures_load(const futures_request *q, futures *f, errors *list) {
    static const settings none = {0};
    *f = (futures){.memory = arena_create()};
    error err = {0};
    variation *vary = NULL;
    scenario scene = {0}; // to draw for: it declares what varies
    status st = rerun_read(q->log, q->episode, &f->again, &err);
    if (st == OK) {
        cli_excerpts(&f->again.files);
        if (!q->quiet)
            fingerprint_warn(q->log, f->again.episode);
        st = find_instant(f, q, &err);
    }
    if (st != OK)
        errors_append(list, &err);
    if (st == OK && q->vary)
        st = variation_read(f->memory, q->vary, &vary, list);
    if (st == OK && q->edits)
        st = make_edits(f, q, list);
    if (st == OK && vary)
        st = scenario_load_rerun(&f->again, &none, &none, &scene, list);
    if (st == OK)
        st = load_all(f, q, vary, &scene, list);
    if (scene.arena)
        scenario_finish(&scene);
    return st;
}

void futures_finish(futures *f) {
    for (size_t i = 0; i < f->count; i++)
        stages_finish(&f->items[i].stages);
    for (size_t i = 0; i < f->trunk_count; i++) {
        stages_finish(&f->trunks[i].stages);
        array_finish(&f->trunks[i].futures);
        if (f->trunks[i].scene.arena)
            scenario_finish(&f->trunks[i].scene);
    }
    free(f->items);
    free(f->trunks);
    free(f->edits);
    cli_excerpts(NULL);
    if (f->again.memory)
        rerun_finish(&f->again);
    arena_destroy(f->memory);
    *f = (futures){0};
}

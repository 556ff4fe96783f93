// query/log/signals_rough.c - the motion of what hangs on a chain of joints, within half a
// millimetre.
//
// A pose at the end of a chain costs a walk along it, and most questions are decided long before
// the last micrometre: whether a thing stays where it is in a hand, say.
#include <math.h>
#include "base/search.h"
#include "query/log/signals_int.h"

#define BLOCK INT64_C(1024000000) // ns

bool signals_is_chained(signals *s, const thing *o) {
    return tracks_is_jointed(s->tracks, o->id);
}

static bool true_pose(signals *s, const thing *o, nanos t, pose *out) {
    error err;
    status st = tracks_pose(s->tracks, o->id, t, out, &err);
    return st == OK || signals_tracks_failed(s, st, &err);
}

static bool add_key(signals *s, rough_block *b, rough_key key) {
    if (!budget_take(s->budget, sizeof key))
        return signals_fail(s, E_LIMIT, NULL);
    return array_push_try(&b->keys, key) || signals_no_memory(s);
}

// Returns whether the straight and steady way from one key to another is close enough to the true
// one, of which `middle` is the pose half way.
static bool is_close(const rough_key *a, const rough_key *b, pose middle, const tracks_way *w) {
    pose m = signals_pose_between(a->at, b->at, 0.5);
    return v3_distance(m.p, middle.p) + 2 * w->away + w->curve <= ROUGH_SLACK &&
           quat_angle(m.q, middle.q) + 2 * w->turned + w->twist <= ROUGH_TURN;
}

// Adds the keys behind `a` up to `b`.
static bool read_way(signals *s, const thing *o, rough_block *block, rough_key a, rough_key b) {
    nanos step = s->episode.step > 0 ? s->episode.step : 2000000;
    rough_key m = {a.t + (b.t - a.t) / 2, POSE_IDENTITY};
    tracks_way way;
    error err;
    if (b.t - a.t <= step)
        return add_key(s, block, b);
    status st = tracks_way_between(s->tracks, o->id, a.t, b.t, &way, &err);
    if (st != OK)
        return signals_tracks_failed(s, st, &err);
    if (!true_pose(s, o, m.t, &m.at))
        return false;
    if (is_close(&a, &b, m.at, &way))
        return add_key(s, block, b);
    return read_way(s, o, block, a, m) && read_way(s, o, block, m, b);
}

static bool read_block(signals *s, const thing *o, rough_block *block, size_t at) {
    rough_key a = {(nanos)at * BLOCK, POSE_IDENTITY}, b = {a.t + BLOCK, POSE_IDENTITY};
    if (budget_interrupted(s->budget))
        return signals_fail(s, E_INTERRUPTED, NULL);
    return true_pose(s, o, a.t, &a.at) && true_pose(s, o, b.t, &b.at) && add_key(s, block, a) &&
           read_way(s, o, block, a, b);
}

// Makes room for the blocks of the whole episode.
static bool begin_blocks(signals *s, thing *o) {
    size_t count = (size_t)(s->episode.end / BLOCK) + 1;
    if (o->rough.count > 0)
        return true;
    if (!budget_take(s->budget, count * sizeof(rough_block)))
        return signals_fail(s, E_LIMIT, NULL);
    if (!array_reserve_try(&o->rough, count))
        return signals_no_memory(s);
    for (; o->rough.count < count; o->rough.count++)
        o->rough.items[o->rough.count] = (rough_block){0};
    return true;
}

bool signals_rough_pose(signals *s, thing *o, nanos t, pose *out, nanos *next) {
    if (!begin_blocks(s, o))
        return false;
    nanos last = (nanos)o->rough.count * BLOCK - 1;
    t = t < 0 ? 0 : t > last ? last : t;
    rough_block *b = &o->rough.items[t / BLOCK];
    if (b->keys.count == 0 && !read_block(s, o, b, (size_t)(t / BLOCK)))
        return false;
    const rough_key *k = b->keys.items;
    size_t i = b->last;
    if (k[i].t > t || k[i + 1].t <= t)
        i = upper_bound(k, sizeof *k, b->keys.count, t) - 1;
    b->last = i;
    *next = k[i + 1].t;
    *out = signals_pose_between(k[i].at, k[i + 1].at,
                                (double)(t - k[i].t) / (double)(k[i + 1].t - k[i].t));
    return true;
}

void signals_forget_rough(rough_motion *m) {
    for (size_t i = 0; i < m->count; i++)
        array_finish(&m->items[i].keys);
    array_finish(m);
}

// projector/belief/estimate.c - the estimates of a graph: which there are, and their values at a
// time from the histories of observations.
#include "projector/belief/graph_int.h"

#include <stdint.h>

// ---- Which there are ----------------------------------------------------------------------------
static bool is_constant(connection c) {
    static const bool constants[] = {
#define CONNECTION(name, text, constant, doc) constant,
#include "projector/belief/connections.def"
#undef CONNECTION
    };
    return constants[c];
}

// Establishes the estimate whose cycle g->path is: its run counts as known from now on.
static void establish(graph *g, size_t index) {
    observation *o = &g->observations.items[index];
    o->estimates = true;
    established made = {.face = {.observation = o->id, .sensor = o->sensor, .constant = true},
                        .observation = index};
    graph_id at = o->a;
    for (size_t k = 0; k < g->path.count; k++) {
        hop h = g->path.items[k];
        edge *e = &g->edges.items[h.edge];
        array_push(&made.path, h);
        graph_id next = h.forward ? e->b : e->a;
        if (!e->known) {
            if (made.run.count == 0) {
                made.face.from = at;
                made.first_run = k;
            }
            array_push(&made.run, e->id);
            made.face.to = next;
            made.face.constant &= is_constant(g->relations.items[e->relation].kind);
        }
        at = next;
    }
    made.face.run = made.run.items;
    made.face.run_count = made.run.count;
    size_t made_index = g->established.count;
    if (made.run.count == 1) {
        edge *e = &g->edges.items[g->path.items[made.first_run].edge];
        e->known = true;
        e->estimate = made_index;
    } else {
        graph_add_edge(g, (edge){.id = ((graph_id)1 << 32) + o->id,
                                 .a = made.face.from,
                                 .b = made.face.to,
                                 .known = true,
                                 .relation = SIZE_MAX,
                                 .estimate = made_index});
    }
    array_push(&g->established, made);
}

// Finds the first observation whose cycle has the fewest unknown relations, leaves its cycle in
// g->path, and marks those before it that have none. SIZE_MAX: no observation closes a cycle.
static size_t find_next(graph *g) {
    size_t best = SIZE_MAX, fewest = SIZE_MAX, walked = SIZE_MAX;
    for (size_t i = 0; i < g->observations.count && fewest > 1; i++) {
        observation *o = &g->observations.items[i];
        if (o->redundant || o->estimates)
            continue;
        size_t unknown = graph_walk(g, o->a, o->b, ALONG_ALL);
        walked = i;
        o->redundant = unknown == 0;
        if (unknown > 0 && unknown < fewest) {
            best = i;
            fewest = unknown;
        }
    }
    if (best != walked && best != SIZE_MAX)
        graph_walk(g, g->observations.items[best].a, g->observations.items[best].b, ALONG_ALL);
    return best;
}

void graph_refresh(graph *g) {
    if (!g->stale)
        return;
    graph_make_edges(g);
    for (size_t i = 0; i < g->observations.count; i++)
        g->observations.items[i].redundant = g->observations.items[i].estimates = false;
    for (size_t next; (next = find_next(g)) != SIZE_MAX;)
        establish(g, next);
    g->faces.count = 0;
    for (size_t i = 0; i < g->established.count; i++)
        array_push(&g->faces, g->established.items[i].face);
    g->stale = false;
}

size_t graph_estimates(graph *g, const estimate **out) {
    graph_refresh(g);
    *out = g->faces.items;
    return g->faces.count;
}

static void add_text(graph *g, const char *text) {
    for (; *text; text++)
        array_push(&g->text, *text);
}

const char *graph_cycle(graph *g, size_t index) {
    graph_refresh(g);
    const established *e = &g->established.items[index];
    g->text.count = 0;
    add_text(g, graph_frame_name(g, g->observations.items[e->observation].a));
    for (size_t k = 0; k < e->path.count; k++) {
        const hop *h = &e->path.items[k];
        bool unknown = k >= e->first_run && k < e->first_run + e->run.count;
        add_text(g, unknown ? " ~ " : " = ");
        const edge *along = &g->edges.items[h->edge];
        add_text(g, graph_frame_name(g, h->forward ? along->b : along->a));
    }
    array_push(&g->text, '\0');
    return g->text.items;
}

// ---- Motions ------------------------------------------------------------------------------------
static motion motion_still(pose at) {
    return (motion){.at = at};
}

// The motion of c in a, from that of b in a and of c in b. Deviations add up as if independent; an
// angle's moves what lies away from it.
static motion motion_mul(const motion *a, const motion *b) {
    vec3 arm = quat_rotate(a->at.q, b->at.p);
    motion out = {.at = pose_mul(a->at, b->at)};
    out.speed = v3_add(v3_add(a->speed, v3_cross(a->spin, arm)), quat_rotate(a->at.q, b->speed));
    out.spin = v3_add(a->spin, quat_rotate(a->at.q, b->spin));
    out.off.position =
        hypot(hypot(a->off.position, b->off.position), a->off.angle * v3_length(b->at.p));
    out.off.angle = hypot(a->off.angle, b->off.angle);
    return out;
}

// The motion of a in b, from that of b in a: p' = -R^T p, so v' = R^T (w x p - v).
static motion motion_inverse(const motion *m) {
    quat back = quat_inverse(m->at.q);
    motion out = {.at = pose_inverse(m->at)};
    out.speed = quat_rotate(back, v3_sub(v3_cross(m->spin, m->at.p), m->speed));
    out.spin = v3_scale(quat_rotate(back, m->spin), -1);
    out.off.position = hypot(m->off.position, m->off.angle * v3_length(m->at.p));
    out.off.angle = m->off.angle;
    return out;
}

// Where the motion leads to at constant velocity.
static motion motion_after(motion m, double elapsed) {
    m.at.p = v3_add(m.at.p, v3_scale(m.speed, elapsed));
    m.at.q = quat_unit(quat_mul(quat_exp(v3_scale(m.spin, elapsed)), m.at.q));
    return m;
}

// ---- Values -------------------------------------------------------------------------------------
// Over so long, s, velocities are differences of poses: noise of a millimetre in readings that are
// 20 ms apart would be 70 mm/s.
static const double VELOCITY_SPAN = 0.2;

// A measurement with its velocity: the measured one, or what leads to it from the earliest of the
// last VELOCITY_SPAN, at least from the one before.
static motion measured(const observation *o, size_t i) {
    const measurement *now = &o->history.items[i];
    motion out = now->m;
    if (now->moving)
        return out;
    out.speed = out.spin = v3(0, 0, 0);
    if (i == 0)
        return out;
    const measurement *before = now - 1;
    while (before > o->history.items && seconds(now->t - before[-1].t) <= VELOCITY_SPAN)
        before--;
    double elapsed = seconds(now->t - before->t);
    out.speed = v3_scale(v3_sub(now->m.at.p, before->m.at.p), 1 / elapsed);
    quat turn = quat_mul(now->m.at.q, quat_inverse(before->m.at.q));
    out.spin = v3_scale(quat_log(turn), 1 / elapsed);
    return out;
}

// Whether an estimate holds what somebody else made of its observation.
static bool is_held(const graph *g, const established *e) {
    return g->observations.items[e->observation].kind == ESTIMATOR_MEAN;
}

// The pose that is held for an estimate's run. False: none is held for a part of it.
static bool held_run(const graph *g, const established *e, motion *out) {
    *out = motion_still(POSE_IDENTITY);
    for (size_t k = 0; k < e->run.count; k++) {
        const hop *h = &e->path.items[e->first_run + k];
        const relation *r = &g->relations.items[g->edges.items[h->edge].relation];
        if (!r->held)
            return false;
        out->at = pose_mul(out->at, h->forward ? r->at : pose_inverse(r->at));
    }
    return true;
}

// What an observation says of an instant that its history covers.
static bool measured_at(const observation *o, nanos t, motion *out) {
    size_t i = o->history.count;
    while (i > 0 && o->history.items[i - 1].t > t)
        i--;
    if (i == 0)
        return false;
    *out = measured(o, i - 1);
    if (o->history.items[i - 1].t == t)
        return true;
    if (i == o->history.count)
        return false;
    const measurement *before = &o->history.items[i - 1];
    motion later = measured(o, i);
    double f = (double)(t - before->t) / (double)(before[1].t - before->t);
    out->at.p = v3_add(out->at.p, v3_scale(v3_sub(later.at.p, out->at.p), f));
    out->at.q = quat_slerp(out->at.q, later.at.q, f);
    out->speed = later.speed;
    out->spin = later.spin;
    return true;
}

// The last instant of which all data are there that an estimate needs; TIME_OPEN: none.
static nanos last_common(const graph *g, const established *e);

// The same of some hops of a path; what is constant needs no data of the instant itself.
static nanos last_of_hops(const graph *g, const hop *hops, size_t count, nanos last) {
    for (size_t k = 0; k < count && last != TIME_OPEN; k++) {
        size_t source = g->edges.items[hops[k].edge].estimate;
        if (source == SIZE_MAX || g->established.items[source].face.constant ||
            is_held(g, &g->established.items[source]))
            continue;
        nanos other = last_common(g, &g->established.items[source]);
        last = other == TIME_OPEN || other < last ? other : last;
    }
    return last;
}

static nanos last_common(const graph *g, const established *e) {
    const observation *o = &g->observations.items[e->observation];
    if (o->history.count == 0)
        return TIME_OPEN;
    nanos last = o->history.items[o->history.count - 1].t;
    last = last_of_hops(g, e->path.items, e->first_run, last);
    size_t after = e->first_run + e->run.count;
    return last_of_hops(g, e->path.items + after, e->path.count - after, last);
}

static bool estimate_at(const graph *g, const established *e, nanos t, motion *out);

static bool hops_at(const graph *g, const hop *hops, size_t count, nanos t, motion *out) {
    *out = motion_still(POSE_IDENTITY);
    for (size_t k = 0; k < count; k++) {
        const edge *e = &g->edges.items[hops[k].edge];
        motion m;
        if (e->estimate == SIZE_MAX)
            m = motion_still(g->relations.items[e->relation].at);
        else if (!estimate_at(g, &g->established.items[e->estimate], t, &m))
            return false;
        // The estimate of a single relation leads along its run, which may be against the relation.
        bool forward =
            e->estimate == SIZE_MAX || g->established.items[e->estimate].face.from == e->a
                ? hops[k].forward
                : !hops[k].forward;
        if (!forward)
            m = motion_inverse(&m);
        *out = motion_mul(out, &m);
    }
    return true;
}

// Closes an estimate's cycle with the data of one instant.
static bool cycle_at(const graph *g, const established *e, nanos t, motion *out) {
    const observation *o = &g->observations.items[e->observation];
    size_t after = e->first_run + e->run.count;
    motion seen, before, behind;
    bool there = o->history.count > 0;
    if (there && g->kind == ESTIMATOR_LATEST)
        seen = measured(o, o->history.count - 1);
    else if (there)
        there = measured_at(o, t, &seen);
    if (!there || !hops_at(g, e->path.items, e->first_run, t, &before) ||
        !hops_at(g, e->path.items + after, e->path.count - after, t, &behind))
        return false;
    before = motion_inverse(&before);
    behind = motion_inverse(&behind);
    *out = motion_mul(&before, &seen);
    *out = motion_mul(out, &behind);
    if (e->face.constant)
        out->speed = out->spin = v3(0, 0, 0);
    return true;
}

static bool estimate_at(const graph *g, const established *e, nanos t, motion *out) {
    if (is_held(g, e))
        return held_run(g, e, out);
    if (g->kind == ESTIMATOR_LATEST)
        return cycle_at(g, e, t, out);
    nanos last = last_common(g, e);
    if (last == TIME_OPEN)
        return false;
    if (!e->face.constant && t <= last)
        return cycle_at(g, e, t, out);
    if (!cycle_at(g, e, last, out))
        return false;
    if (!e->face.constant)
        *out = motion_after(*out, seconds(t - last));
    return true;
}

// Returns the best walk along what is known, which is looked for once for each version of the
// structure.
static const known_walk *walk_known(graph *g, graph_id a, graph_id b) {
    for (size_t i = 0; i < g->walk_count; i++)
        if (g->walks.items[i].a == a && g->walks.items[i].b == b)
            return &g->walks.items[i];
    if (g->walk_count == g->walks.count)
        array_push(&g->walks, (known_walk){0});
    known_walk *w = &g->walks.items[g->walk_count++];
    w->a = a;
    w->b = b;
    w->there = graph_walk(g, a, b, ALONG_KNOWN) != SIZE_MAX;
    w->path.count = 0;
    for (size_t k = 0; k < g->path.count; k++)
        array_push(&w->path, g->path.items[k]);
    return w;
}

bool graph_pose(graph *g, graph_id a, graph_id b, nanos t, motion *out) {
    graph_refresh(g);
    if (a == GRAPH_NONE || b == GRAPH_NONE)
        return false;
    const known_walk *w = walk_known(g, a, b);
    motion m;
    if (!w->there || !hops_at(g, w->path.items, w->path.count, t, &m))
        return false;
    *out = m;
    return true;
}

bool graph_residual(graph *g, graph_id id, double *distance, double *angle) {
    graph_refresh(g);
    for (size_t i = 0; i < g->observations.count; i++) {
        const observation *o = &g->observations.items[i];
        if (o->id != id)
            continue;
        if (!o->redundant || o->history.count == 0 ||
            graph_walk(g, o->a, o->b, ALONG_KNOWN) == SIZE_MAX)
            return false;
        nanos last = o->history.items[o->history.count - 1].t;
        last = last_of_hops(g, g->path.items, g->path.count, last);
        motion seen, otherwise;
        if (last == TIME_OPEN || !measured_at(o, last, &seen) ||
            !hops_at(g, g->path.items, g->path.count, last, &otherwise))
            return false;
        *distance = v3_distance(seen.at.p, otherwise.at.p);
        *angle = quat_angle(seen.at.q, otherwise.at.q);
        return true;
    }
    return false;
}

bool graph_next_redundant(graph *g, graph_id after, redundancy *out) {
    graph_refresh(g);
    for (size_t i = 0; i < g->observations.count; i++) {
        const observation *o = &g->observations.items[i];
        redundancy r = {.observation = o->id, .a = o->a, .b = o->b, .sensor = o->sensor};
        if (o->id <= after || !o->redundant || !graph_residual(g, o->id, &r.distance, &r.angle))
            continue;
        r.t = o->history.items[o->history.count - 1].t;
        *out = r;
        return true;
    }
    return false;
}

// projector/belief/graph.c - the structure of a graph: its frames, relations and observations, and
// the walks along them.
#include "projector/belief/graph_int.h"

#include <stdint.h>

const char *connection_name(connection c) {
    static const char *const names[] = {
#define CONNECTION(name, text, constant, doc) text,
#include "projector/belief/connections.def"
#undef CONNECTION
    };
    return names[c];
}

graph *graph_create(estimator kind, nanos keep) {
    graph *g = mem_must(1, sizeof *g);
    g->kind = kind;
    g->keep = keep;
    return g;
}

static void established_finish(graph *g) {
    for (size_t i = 0; i < g->established.count; i++) {
        array_finish(&g->established.items[i].path);
        array_finish(&g->established.items[i].run);
    }
    g->established.count = 0;
}

static void observation_finish(observation *o) {
    array_finish(&o->history);
    free(o->sensor);
}

// Notes that there is something else than before.
static void change_structure(graph *g) {
    g->stale = true;
    g->version++;
}

void graph_destroy(graph *g) {
    if (!g)
        return;
    established_finish(g);
    for (size_t i = 0; i < g->frames.count; i++)
        free(g->frames.items[i]);
    for (size_t i = 0; i < g->observations.count; i++)
        observation_finish(&g->observations.items[i]);
    array_finish(&g->frames);
    array_finish(&g->relations);
    array_finish(&g->observations);
    array_finish(&g->edges);
    array_finish(&g->first);
    array_finish(&g->established);
    array_finish(&g->faces);
    array_finish(&g->path);
    array_finish(&g->labels);
    array_finish(&g->queue);
    array_finish(&g->queued);
    for (size_t i = 0; i < g->walks.count; i++)
        array_finish(&g->walks.items[i].path);
    array_finish(&g->walks);
    array_finish(&g->text);
    free(g);
}

// ---- Frames, relations, observations ------------------------------------------------------------
graph_id graph_find(const graph *g, const char *name) {
    for (size_t i = 0; i < g->frames.count; i++)
        if (strcmp(g->frames.items[i], name) == 0)
            return i + 1;
    return GRAPH_NONE;
}

graph_id graph_add_frame(graph *g, const char *name) {
    array_push(&g->frames, mem_strdup(name));
    change_structure(g);
    return g->frames.count;
}

const char *graph_frame_name(const graph *g, graph_id frame) {
    return g->frames.items[frame - 1];
}

void graph_rename(graph *g, graph_id frame, const char *name) {
    char *copy = mem_strdup(name);
    free(g->frames.items[frame - 1]);
    g->frames.items[frame - 1] = copy;
    g->version++;
}

size_t graph_frame_count(const graph *g) {
    return g->frames.count;
}

uint64_t graph_version(const graph *g) {
    return g->version;
}

// Returns the pose of b in a that static relations give. False: none join the two.
static bool static_pose(graph *g, graph_id a, graph_id b, pose *out) {
    graph_make_edges(g);
    g->stale = true;
    if (graph_walk(g, a, b, ALONG_STATIC) == SIZE_MAX)
        return false;
    *out = POSE_IDENTITY;
    for (size_t k = 0; k < g->path.count; k++) {
        const hop *h = &g->path.items[k];
        pose at = g->relations.items[g->edges.items[h->edge].relation].at;
        *out = pose_mul(*out, h->forward ? at : pose_inverse(at));
    }
    return true;
}

static graph_id add_relation(graph *g, connection kind, graph_id a, graph_id b, const pose *at) {
    relation r = {.id = ++g->last_relation, .kind = kind, .a = a, .b = b, .fixed = at != NULL};
    if (at)
        r.at = *at;
    array_push(&g->relations, r);
    change_structure(g);
    return r.id;
}

status graph_relate(graph *g, connection kind, graph_id a, graph_id b, const pose *at,
                    graph_id *out, error *err) {
    const char *of = graph_frame_name(g, b), *in = graph_frame_name(g, a);
    const double tolerance = 1e-3; // m and rad
    pose joined;
    if (a == b)
        return error_set(err, E_INPUT, "frame %s cannot be related to itself", of);
    if (kind == CONNECTION_STATIC && at && static_pose(g, a, b, &joined)) {
        double distance = v3_distance(joined.p, at->p), angle = quat_angle(joined.q, at->q);
        if (distance > tolerance || angle > tolerance)
            return error_set(err, E_INPUT,
                             "the static relation of %s to %s contradicts those that join the two "
                             "already by %.3f m and %.2f degrees: correct one of them",
                             of, in, distance, angle * 180 / PI);
    }
    *out = add_relation(g, kind, a, b, at);
    return OK;
}

// Relations stand in the order of their ids.
static relation *find_relation(const graph *g, graph_id id) {
    size_t low = 0, high = g->relations.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        relation *r = &g->relations.items[middle];
        if (r->id == id)
            return r;
        if (r->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void graph_part(graph *g, graph_id id) {
    relation *r = find_relation(g, id);
    if (!r)
        return;
    array_remove(&g->relations, (size_t)(r - g->relations.items));
    change_structure(g);
}

void graph_fix(graph *g, graph_id id, const pose *at) {
    relation *r = find_relation(g, id);
    if (!r)
        return;
    if (r->fixed != (at != NULL))
        change_structure(g);
    r->fixed = at != NULL;
    if (at)
        r->at = *at;
}

void graph_move(graph *g, graph_id *id, connection kind, graph_id a, graph_id b) {
    const relation *r = find_relation(g, *id);
    if (r && r->kind == kind && r->a == a && r->b == b)
        return;
    graph_part(g, *id);
    *id = add_relation(g, kind, a, b, NULL);
}

void graph_hold(graph *g, graph_id id, const pose *at) {
    relation *r = find_relation(g, id);
    if (!r)
        return;
    r->held = true;
    r->at = *at;
}

bool graph_held(const graph *g, graph_id id, pose *out) {
    const relation *r = find_relation(g, id);
    if (!r || !(r->fixed || r->held))
        return false;
    *out = r->at;
    return true;
}

size_t graph_relation_count(const graph *g) {
    return g->relations.count;
}

graph_relation graph_relation_at(const graph *g, size_t i) {
    const relation *r = &g->relations.items[i];
    return (graph_relation){r->id, r->kind, r->a, r->b, r->fixed};
}

bool graph_find_relation(const graph *g, graph_id id, graph_relation *out) {
    const relation *r = find_relation(g, id);
    if (r)
        *out = graph_relation_at(g, (size_t)(r - g->relations.items));
    return r != NULL;
}

static graph_id add_observation(graph *g, estimator kind, const char *sensor, graph_id a,
                                graph_id b) {
    observation o = {
        .id = ++g->last_observation, .sensor = mem_strdup(sensor), .a = a, .b = b, .kind = kind};
    array_push(&g->observations, o);
    change_structure(g);
    return o.id;
}

graph_id graph_observe(graph *g, const char *sensor, graph_id a, graph_id b) {
    return add_observation(g, g->kind, sensor, a, b);
}

graph_id graph_observe_mean(graph *g, const char *sensor, graph_id a, graph_id b) {
    return add_observation(g, ESTIMATOR_MEAN, sensor, a, b);
}

static observation *find_observation(graph *g, graph_id id) {
    for (size_t i = g->observations.count; i-- > 0;)
        if (g->observations.items[i].id == id)
            return &g->observations.items[i];
    return NULL;
}

void graph_ignore(graph *g, graph_id id) {
    observation *o = find_observation(g, id);
    if (!o)
        return;
    observation_finish(o);
    array_remove(&g->observations, (size_t)(o - g->observations.items));
    change_structure(g);
}

void graph_settle(graph *g, graph_id id) {
    observation *o = find_observation(g, id);
    if (!o)
        return;
    o->kind = ESTIMATOR_MEAN;
    array_finish(&o->history);
}

// Forgets what is too old, at times, so that a reading costs no more than its own place.
static void trim_history(observation *o, nanos keep) {
    size_t old = 0;
    nanos last = o->history.items[o->history.count - 1].t;
    if (o->history.items[0].t >= last - 2 * keep)
        return;
    while (o->history.items[old].t < last - keep)
        old++;
    o->history.count -= old;
    memmove(o->history.items, o->history.items + old, o->history.count * sizeof *o->history.items);
}

// So many measurements are kept of a sense that speaks every 20 ms: none of them takes memory,
// then.
static size_t history_room(const graph *g) {
    return (size_t)(2 * g->keep / INT64_C(20000000)) + 2;
}

bool graph_measure(graph *g, graph_id id, nanos t, const motion *m, bool moving) {
    observation *o = find_observation(g, id);
    if (!o || o->kind == ESTIMATOR_MEAN)
        return false;
    size_t i = o->history.count;
    if (i == 0)
        array_reserve(&o->history, history_room(g));
    if (i > 0 && t < o->history.items[i - 1].t - g->keep)
        return false;
    while (i > 0 && o->history.items[i - 1].t > t)
        i--;
    measurement now = {t, *m, moving};
    if (i > 0 && o->history.items[i - 1].t == t) {
        o->history.items[i - 1] = now;
        return true;
    }
    array_push(&o->history, now);
    memmove(o->history.items + i + 1, o->history.items + i,
            (o->history.count - 1 - i) * sizeof now);
    o->history.items[i] = now;
    trim_history(o, g->keep);
    return true;
}

// ---- Walks --------------------------------------------------------------------------------------
void graph_make_edges(graph *g) {
    established_finish(g);
    g->walk_count = 0;
    g->edges.count = 0;
    g->first.count = 0;
    for (size_t i = 0; i <= g->frames.count; i++)
        array_push(&g->first, SIZE_MAX);
    for (size_t i = 0; i < g->relations.count; i++) {
        const relation *r = &g->relations.items[i];
        graph_add_edge(g, (edge){.id = r->id,
                                 .a = r->a,
                                 .b = r->b,
                                 .known = r->fixed,
                                 .relation = i,
                                 .estimate = SIZE_MAX});
    }
}

void graph_add_edge(graph *g, edge e) {
    size_t *of_a = &g->first.items[e.a], *of_b = &g->first.items[e.b];
    e.next[0] = *of_a;
    e.next[1] = *of_b;
    *of_a = *of_b = g->edges.count;
    array_push(&g->edges, e);
}

// A walk begins before its run of unknown edges, is in it, and ends after it.
enum { BEFORE, WITHIN, AFTER, PHASES };
static const size_t UNKNOWN_EDGE = (size_t)1 << 32; // more than all known edges of a walk together

// Returns the phase after an edge; PHASES: the edge cannot be walked then.
static size_t next_phase(const graph *g, const edge *e, size_t phase, walk_along along) {
    bool is_static =
        e->relation != SIZE_MAX && g->relations.items[e->relation].kind == CONNECTION_STATIC;
    if (along == ALONG_STATIC && !is_static)
        return PHASES;
    if (e->known)
        return phase == WITHIN ? AFTER : phase;
    return along != ALONG_ALL || phase == AFTER ? PHASES : WITHIN;
}

static size_t edge_weight(const edge *e) {
    return e->known ? 1 : UNKNOWN_EDGE + 1;
}

// The edge after `i` among those of a frame.
static size_t next_edge(const graph *g, size_t i, graph_id frame) {
    const edge *e = &g->edges.items[i];
    return e->next[e->a == frame ? 0 : 1];
}

static void enqueue(graph *g, size_t state) {
    if (g->queued.items[state])
        return;
    g->queued.items[state] = true;
    array_push(&g->queue, state);
}

// Whether a walk from a can only turn round at a frame.
static bool is_dead_end(const graph *g, graph_id frame, graph_id a) {
    return frame != a && next_edge(g, g->first.items[frame], frame) == SIZE_MAX;
}

// Labels each frame and phase with the weight of the best walk from there to b, as far as walks
// from a to b come: whenever a label changes, those beside it are tried again, so that the order of
// the edges does not count.
static void label_frames(graph *g, graph_id a, graph_id b, walk_along along) {
    size_t count = (g->frames.count + 1) * PHASES;
    array_reserve(&g->labels, count);
    array_reserve(&g->queued, count);
    size_t *to_go = g->labels.items;
    for (size_t i = 0; i < count; i++) {
        to_go[i] = SIZE_MAX;
        g->queued.items[i] = false;
    }
    g->queue.count = 0;
    for (size_t phase = 0; phase < PHASES; phase++) {
        to_go[b * PHASES + phase] = 0;
        enqueue(g, b * PHASES + phase);
    }
    for (size_t k = 0; k < g->queue.count; k++) {
        size_t there = g->queue.items[k];
        graph_id frame = there / PHASES;
        g->queued.items[there] = false;
        for (size_t i = g->first.items[frame]; i != SIZE_MAX; i = next_edge(g, i, frame)) {
            const edge *e = &g->edges.items[i];
            graph_id beside = e->a == frame ? e->b : e->a;
            size_t weight = to_go[there] + edge_weight(e);
            for (size_t phase = 0; phase < PHASES && !is_dead_end(g, beside, a); phase++) {
                size_t here = beside * PHASES + phase;
                if (next_phase(g, e, phase, along) != there % PHASES || weight >= to_go[here])
                    continue;
                to_go[here] = weight;
                enqueue(g, here);
            }
        }
    }
}

size_t graph_walk(graph *g, graph_id a, graph_id b, walk_along along) {
    g->path.count = 0;
    label_frames(g, a, b, along);
    const size_t *to_go = g->labels.items;
    size_t total = to_go[a * PHASES + BEFORE], phase = BEFORE;
    if (total == SIZE_MAX)
        return SIZE_MAX;
    for (graph_id at = a; to_go[at * PHASES + phase] > 0;) {
        size_t best = SIZE_MAX;
        for (size_t i = g->first.items[at]; i != SIZE_MAX; i = next_edge(g, i, at)) {
            const edge *e = &g->edges.items[i];
            size_t next = next_phase(g, e, phase, along);
            if (next == PHASES)
                continue;
            size_t rest = to_go[(e->a == at ? e->b : e->a) * PHASES + next];
            if (rest != SIZE_MAX && rest + edge_weight(e) == to_go[at * PHASES + phase] &&
                (best == SIZE_MAX || e->id < g->edges.items[best].id))
                best = i;
        }
        const edge *e = &g->edges.items[best];
        array_push(&g->path, (hop){best, e->a == at});
        phase = next_phase(g, e, phase, along);
        at = e->a == at ? e->b : e->a;
    }
    return total / UNKNOWN_EDGE;
}

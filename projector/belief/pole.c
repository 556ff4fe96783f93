// projector/belief/pole.c - a pole that the laser follows: which believed object it is, what the
// view relates it to, and where it is therefore.
//
// A scan tells where a pole stands in the plane. Height and orientation are those expected.
#include "projector/belief/belief_int.h"

#include <math.h>

// Scans in a row after which what they report is believed in, and m by which it moves between two
// rows of the log; s without a report after which it is not believed any more.
enum { SCANS_SURE = 3 };
static const double UNSEEN = 1;
static const double LOGGED = 0.01;
static const double GONE = 0.05;        // m from where it was found: it moves
static const double SIGMA_HEIGHT = 0.1; // m, of what no scan measures
static const double UPRIGHT = 0.97;     // cosine of the most that a pole's axis leans in its type

// ---- What is sought -----------------------------------------------------------------------------
// The diameter of the longest upright cylinder among the shapes of a type, m; 0: there is none.
static double pole_diameter(const body_type *kind) {
    double longest = 0, diameter = 0;
    for (size_t i = 0; i < kind->shape_count; i++) {
        const shape *s = &kind->shapes[i];
        if ((s->kind == SHAPE_CYLINDER || s->kind == SHAPE_CAPSULE) && s->size.z > longest &&
            fabs(quat_rotate(s->at.q, v3(0, 0, 1)).z) > UPRIGHT) {
            longest = s->size.z;
            diameter = 2 * s->size.x;
        }
    }
    return diameter;
}

status belief_follow_pole(belief *b, const pole_sought *sought, error *err) {
    pole p = {.on = true, .object = SIZE_MAX, .at = sought->at, .seen = -1};
    p.logged.p.x = INFINITY;
    p.kind = world_find_type(b->known, sought->type);
    if (!p.kind)
        return error_set(err, E_INPUT, "there is no type %s", sought->type);
    p.diameter = pole_diameter(p.kind);
    if (p.diameter <= 0)
        return error_set(err, E_INPUT, "%s is no pole: none of its shapes is an upright cylinder",
                         sought->type);
    if (sought->object) {
        p.object = belief_index(b, sought->object);
        if (p.object == SIZE_MAX)
            return belief_unknown(sought->object, err);
    }
    const peer *with = sought->with ? belief_view_peer(b, sought->with) : NULL;
    if (sought->with && !with)
        return error_set(err, E_INPUT, "there is no other robot %s", sought->with);
    p.with = with ? with->name : NULL;
    b->pole = p;
    return OK;
}

// The pose in the map of what the pole moves with. False: nothing tells it.
static bool carrier_at(const belief *b, nanos t, pose *out) {
    other_motion carrier = {.at = POSE_IDENTITY};
    bool known = !b->pole.with || belief_other(b, b->pole.with, t, &carrier);
    *out = carrier.at;
    return known;
}

// Whether the view has the laser's observation of the pole.
static bool is_observed(const belief *b) {
    const pole *p = &b->pole;
    return p->observation != GRAPH_NONE &&
           b->objects.items[p->object].observation == p->observation;
}

// Where the pole is expected at a time, in the map: where it was found, else as it was told.
static bool expected_at(const belief *b, nanos t, pose *out) {
    const pole *p = &b->pole;
    pose carrier;
    motion m;
    if (!carrier_at(b, t, &carrier))
        return false;
    *out = pose_mul(carrier, p->at);
    if (is_observed(b) &&
        graph_pose(b->view.graph, b->view.map, b->objects.items[p->object].frame, t, &m)) {
        out->p.x = m.at.p.x;
        out->p.y = m.at.p.y;
    }
    return true;
}

void belief_pole(const belief *b, nanos t, pole_state *out) {
    const pole *p = &b->pole;
    *out = (pole_state){.diameter = p->diameter, .sure = p->sure};
    out->placed = p->on && expected_at(b, t, &out->expected);
    if (p->object != SIZE_MAX)
        out->object = b->objects.items[p->object].seen.name;
}

// ---- What is found ------------------------------------------------------------------------------
// Finds the believed object that a pole may be: the nearest of the type that is near, or else the
// only one whose place is not known. SIZE_MAX: none.
static size_t known_pole(const belief *b, pose at, double sigma) {
    size_t best = SIZE_MAX, lost = SIZE_MAX, lost_count = 0;
    double least = belief_gate(sigma);
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        if (o->seen.known || strcmp(o->seen.type, b->pole.kind->name) != 0)
            continue;
        vec3 off = v3_sub(o->seen.at.p, at.p);
        if (hypot(off.x, off.y) < least) {
            least = hypot(off.x, off.y);
            best = i;
        }
        if (o->lost) {
            lost = i;
            lost_count++;
        }
    }
    return best != SIZE_MAX ? best : lost_count == 1 ? lost : SIZE_MAX;
}

// Hangs the pole on the robot that it moves with, where that is known and no hand has the pole, and
// has the laser observe it.
static void place_pole(belief *b) {
    pole *p = &b->pole;
    const believed *o = &b->objects.items[p->object];
    const peer *with = p->with ? belief_view_peer(b, p->with) : NULL;
    motion base;
    if (with && o->hang != HANG_HAND && o->hang != HANG_ROBOT &&
        belief_view_other(b, with, b->now, &base))
        belief_hang(b, p->object, HANG_ROBOT, (size_t)(with - b->view.peers.items), "at",
                    o->seen.at, o->cov);
    if (!is_observed(b))
        p->observation = belief_view_scan(b, p->object);
}

static covariance pole_cov(const belief *b, const spread *off) {
    double position, angle;
    belief_accuracy(b, &position, &angle);
    double plane = hypot(off->position, position);
    return (covariance){plane, plane, SIGMA_HEIGHT, hypot(off->angle, angle)};
}

status belief_pole_scan(belief *b, const reading *r, error *err) {
    pole *p = &b->pole;
    const percept *seen = r->laser.pole;
    p->scans = seen ? p->scans + 1 : 0;
    if (!seen)
        return OK;
    pose at = pose_mul(belief_base_at(b, r->taken), seen->at);
    double noise = b->robot->laser.noise;
    motion m = {.at = seen->at, .off = {noise, noise}};
    covariance cov = pole_cov(b, &m.off);
    status s = OK;
    if (p->object == SIZE_MAX)
        p->object = known_pole(b, at, fmax(cov.x, cov.y));
    if (p->object == SIZE_MAX)
        s = belief_new_object(b, p->kind->name, NULL, at, cov, seen->id, r->delivered, &p->object,
                              err);
    if (s != OK)
        return s;
    place_pole(b);
    graph_measure(b->view.graph, p->observation, r->taken, &m, false);
    p->seen = r->taken;
    believed *o = &b->objects.items[p->object];
    o->percept = seen->id;
    o->seen.seen = r->delivered;
    record row = {.kind = RECORD_ASSOCIATION, .id = sink_id(b->log, RECORD_ASSOCIATION)};
    row.ASSOCIATION.percept = seen->id;
    row.ASSOCIATION.believed = o->seen.id;
    row.ASSOCIATION.t_ns = r->delivered;
    return sink_put(b->log, &row, err);
}

void belief_pole_move(belief *b, nanos t) {
    pole *p = &b->pole;
    if (p->scans >= SCANS_SURE)
        p->sure = true;
    if (p->object == SIZE_MAX || !p->sure)
        return;
    believed *o = &b->objects.items[p->object];
    motion m;
    pose at;
    // What the hand holds is where the hand is, which knows better than the laser.
    if (o->hang == HANG_HAND || !is_observed(b) || !expected_at(b, t, &at) ||
        !graph_pose(b->view.graph, b->view.map, o->frame, t, &m))
        return;
    o->seen.confirmed = true;
    o->lost = false;
    p->placed = true;
    bool moves = o->hang == HANG_ROBOT;
    if (o->hang == HANG_OBJECT) { // it stands on what may have moved since the scan
        belief_hang(b, p->object, HANG_MAP, 0, "at", at, o->cov);
        expected_at(b, t, &at);
    }
    belief_hang(b, p->object, moves ? HANG_ROBOT : HANG_MAP, moves ? o->parent : 0, "at", at,
                pole_cov(b, &m.off));
}

// Takes down that nobody knows any more where the pole is, unless a hand has it.
static status lose_pole(belief *b, int64_t task, nanos t, error *err) {
    pole *p = &b->pole;
    const believed *o = &b->objects.items[p->object];
    pose carrier, expected;
    // It is sought where it was found.
    if (carrier_at(b, t, &carrier) && expected_at(b, t, &expected))
        p->at = pose_mul(pose_inverse(carrier), expected);
    p->sure = p->placed = p->reported = false;
    p->scans = 0;
    p->logged.p.x = INFINITY;
    if (o->hang == HANG_HAND || !o->seen.confirmed)
        return OK;
    belief_forget_place(b, p->object, o->seen.at);
    return belief_write_frame(b, p->object, "laser", o->percept, task, t, err);
}

// Takes down where the laser has found the pole, or that it sees the pole go from there.
static status report_pole(belief *b, nanos t, error *err) {
    pole *p = &b->pole;
    believed *o = &b->objects.items[p->object];
    report scanned = {"laser", 0, o->seen.at, fmax(o->cov.x, o->cov.y), p->seen, 0};
    if (!p->placed)
        return OK;
    if (!p->reported) {
        p->reported = true;
        p->found = o->seen.at.p;
        return belief_report(b, p->object, scanned, t, err);
    }
    if (v3_distance(p->found, o->seen.at.p) > GONE)
        belief_moved(o, p->seen);
    return OK;
}

status belief_pole_log(belief *b, nanos t, error *err) {
    pole *p = &b->pole;
    if (p->object == SIZE_MAX || p->seen < 0)
        return OK;
    const believed *o = &b->objects.items[p->object];
    if (!p->sure)
        return OK;
    if (seconds(t - p->seen) > UNSEEN)
        return lose_pole(b, 0, t, err);
    if (o->hang == HANG_HAND || !o->seen.confirmed)
        return OK;
    status s = OK;
    if (v3_distance(belief_local(b, o).p, p->logged.p) >= LOGGED) {
        p->logged = belief_local(b, o);
        s = belief_write_frame(b, p->object, "laser", o->percept, 0, t, err);
    }
    return s == OK ? report_pole(b, t, err) : s;
}

status belief_leave_pole(belief *b, int64_t task, nanos t, error *err) {
    pole *p = &b->pole;
    status s = OK;
    if (p->on && p->object != SIZE_MAX) {
        const believed *o = &b->objects.items[p->object];
        if (p->with && p->seen >= 0)
            s = lose_pole(b, task, t, err); // while `with` says that others know better
        if (o->hang == HANG_ROBOT)
            belief_hang(b, p->object, HANG_MAP, 0, "at", o->seen.at, o->cov);
        if (o->placeless) // too few scans reported it since it was lost
            belief_view_source(b, p->object, "laser");
        else if (is_observed(b)) // what it said last holds
            graph_settle(b->view.graph, p->observation);
        if (!o->seen.confirmed && !o->lost)
            belief_view_leave(b, p->object); // too few scans reported it
    }
    const believed *held = p->on && p->object != SIZE_MAX ? &b->objects.items[p->object] : NULL;
    size_t object = p->object;
    *p = (pole){0};
    if (held && held->hang == HANG_HAND) // which tells from now on how the pole lies in it
        belief_view_by_hand(b, object, held->parent);
    return s;
}

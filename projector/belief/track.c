// projector/belief/track.c - the place of a robot that a tracking system sees, from a graph of
// relations and observations: a tracker that is late or has lost it leaves odometry at work.
#include "projector/belief/belief_int.h"

#include <math.h>

// Late readings are of use within this time; a robot that drives goes on by odometry alone.
static const double KEPT = 15; // s, more than the longest delay of a sense

static pose driven_start(const belief *b) {
    return pose_mul(belief_robot(b), pose_inverse(b->tracking.driven));
}

status belief_track_init(belief *b, nanos t, error *err) {
    const robot_tracker *r = &b->robot->tracker;
    tracking *k = &b->tracking;
    if (!r->present)
        return OK;
    graph *g =
        graph_create(r->latest ? ESTIMATOR_LATEST : ESTIMATOR_SNAPSHOT, nanos_from_seconds(KEPT));
    *k = (tracking){.graph = g, .driven = POSE_IDENTITY, .driven_at = t, .fixed_at = t};
    k->map = graph_frame(g, "map");
    k->start = graph_frame(g, "start");
    k->robot = graph_frame(g, "robot");
    graph_id eye = graph_frame(g, "tracker"), marker = graph_frame(g, "marker"), ignored;
    pose start = belief_robot(b);
    status s = graph_relate(g, CONNECTION_STATIC, k->map, eye, &r->at, &ignored, err);
    if (s == OK)
        s = graph_relate(g, CONNECTION_PLACEMENT, k->map, k->start, &start, &k->placement, err);
    if (s == OK)
        s = graph_relate(g, CONNECTION_DYNAMIC, k->start, k->robot, NULL, &ignored, err);
    if (s == OK)
        s = graph_relate(g, CONNECTION_STATIC, k->robot, marker, &r->marker, &ignored, err);
    k->odometry = graph_observe(g, k->start, k->robot);
    k->tracker = graph_observe(g, eye, marker);
    motion still = {.at = POSE_IDENTITY};
    graph_measure(g, k->odometry, t, &still, true);
    return s;
}

void belief_track_finish(belief *b) {
    graph_destroy(b->tracking.graph);
}

// Puts the base where the graph says that it is. Deviations are not touched.
static void take_place(belief *b, nanos t) {
    pose at;
    if (!belief_track_at(b, t, &at))
        return;
    double yaw = quat_yaw(at.q);
    self_mode *m = &b->self[0];
    if (hypot(at.p.x - m->x, at.p.y - m->y) > 1e-6 || fabs(angle_wrap(yaw - m->yaw)) > 1e-6)
        belief_changed(b);
    m->x = at.p.x;
    m->y = at.p.y;
    m->yaw = yaw;
}

void belief_track_drive(belief *b, const reading *r) {
    tracking *k = &b->tracking;
    if (!k->graph)
        return;
    pose step = pose_planar(r->odometry.dx, r->odometry.dy, r->odometry.dyaw);
    k->driven = pose_mul(k->driven, step);
    k->driven_at = r->taken;
    graph_measure(k->graph, k->odometry, r->taken, &(motion){.at = k->driven}, false);
    take_place(b, r->taken);
}

// Gives the base the deviations of the tracker, and those of the way that it has driven since.
static void take_accuracy(belief *b, nanos taken) {
    const robot_model *r = b->robot;
    const robot_tracker *tracker = &r->tracker;
    motion then;
    double way = 0;
    if (graph_pose(b->tracking.graph, b->tracking.start, b->tracking.robot, taken, &then)) {
        pose since = pose_mul(pose_inverse(then.at), b->tracking.driven);
        way = hypot(since.p.x, since.p.y) + r->base_radius * fabs(quat_yaw(since.q));
    }
    double seen = hypot(tracker->noise, tracker->angle_noise * v3_length(tracker->marker.p));
    double driven = r->odometry_noise * r->odometry_noise * way;
    double turned = r->odometry_angle_noise * r->odometry_angle_noise * way;
    memset(b->self->p, 0, sizeof b->self->p);
    b->self->p[0][0] = b->self->p[1][1] = seen * seen + driven;
    b->self->p[2][2] = tracker->angle_noise * tracker->angle_noise + turned;
    b->self->weight = 1;
}

status belief_track(belief *b, const reading *r, error *err) {
    tracking *k = &b->tracking;
    if (!k->graph)
        return error_set(err, E_INPUT, "reading of a tracker that the robot does not have");
    const robot_tracker *tracker = &b->robot->tracker;
    motion seen = {.at = r->tracker.at, .off = {tracker->noise, tracker->angle_noise}};
    if (!graph_measure(k->graph, k->tracker, r->taken, &seen, false) || r->taken < k->fixed_at)
        return OK;
    if (!k->told)
        graph_fix(k->graph, k->placement, NULL);
    k->told = true;
    take_place(b, k->driven_at);
    take_accuracy(b, r->taken);
    b->robot_source = "tracker";
    b->robot_task = 0;
    belief_refresh(b);
    if (b->mode_count == 1)
        return OK;
    b->mode_count = 1;
    return belief_write_variable(b, "PosAmbiguity", "1", 0, "tracker", b->now, err);
}

void belief_track_told(belief *b) {
    tracking *k = &b->tracking;
    if (!k->graph)
        return;
    pose start = driven_start(b);
    graph_fix(k->graph, k->placement, &start);
    k->told = false;
    k->fixed_at = b->now;
}

bool belief_track_at(const belief *b, nanos t, pose *out) {
    const tracking *k = &b->tracking;
    motion m;
    if (!k->graph || !k->told || !graph_pose(k->graph, k->map, k->robot, t, &m))
        return false;
    *out = pose_planar(m.at.p.x, m.at.p.y, quat_yaw(m.at.q));
    return true;
}

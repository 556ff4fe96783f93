// projector/belief/view.c - the robot's view of itself and of other robots, as a graph of relations
// and observations: where it started and how it has driven since, its hands, and what a tracking
// system sees.
#include "projector/belief/belief_int.h"
#include "scene/robot/fleet.h"

#include <math.h>

// Late readings are of use within this time; a robot that drives goes on by odometry alone.
static const double KEPT = 15; // s, more than the longest delay of a sense
// By how much of its way another robot's place lags behind, by which its velocity is told, s.
static const double LAG = 0.3;
// A tracker that has told the place within this time goes on to tell it, whatever laser and
// detector say.
static const double TOLD_WITHIN = 1; // s

// ---- What there is ------------------------------------------------------------------------------
// The base moves from where it started, which odometry observes; the start lies in the map, at
// first where the robot was told.
static status relate_base(belief *b, nanos t, error *err) {
    robot_view *k = &b->view;
    graph *g = k->graph;
    pose at = belief_robot(b);
    graph_id ignored;
    if (b->robot->base_drive == BASE_FIXED)
        return graph_relate(g, CONNECTION_STATIC, k->map, k->robot, &at, &ignored, err);
    k->start = graph_add_frame(g, "start");
    status s = graph_relate(g, CONNECTION_PLACEMENT, k->map, k->start, &at, &k->placement, err);
    if (s == OK)
        s = graph_relate(g, CONNECTION_DYNAMIC, k->start, k->robot, NULL, &ignored, err);
    k->odometry = graph_observe(g, "odometry", k->start, k->robot);
    graph_measure(g, k->odometry, t, &(motion){.at = POSE_IDENTITY}, true);
    return s;
}

static status relate_tracker(belief *b, error *err) {
    const robot_tracker *r = &b->robot->tracker;
    robot_view *k = &b->view;
    graph_id ignored;
    k->eye = graph_add_frame(k->graph, "tracker");
    k->marker = graph_add_frame(k->graph, "marker");
    status s = graph_relate(k->graph, CONNECTION_STATIC, k->map, k->eye, &r->at, &ignored, err);
    return s != OK ? s
                   : graph_relate(k->graph, CONNECTION_STATIC, k->robot, k->marker, &r->marker,
                                  &ignored, err);
}

static status relate_hands(belief *b, nanos t, error *err) {
    robot_view *k = &b->view;
    status s = OK;
    for (size_t i = 0; s == OK && i < b->robot->arm_count; i++) {
        graph_id ignored;
        k->hands[i] = graph_add_frame(k->graph, b->robot->arms[i].gripper.name);
        s = graph_relate(k->graph, CONNECTION_DYNAMIC, k->robot, k->hands[i], NULL, &ignored, err);
        k->encoders[i] = graph_observe(k->graph, "encoders", k->robot, k->hands[i]);
    }
    belief_view_reach(b, t);
    return s;
}

status belief_view_init(belief *b, nanos t, error *err) {
    const robot_tracker *r = &b->robot->tracker;
    robot_view *k = &b->view;
    bool latest = r->present && r->latest;
    k->graph =
        graph_create(latest ? ESTIMATOR_LATEST : ESTIMATOR_SNAPSHOT, nanos_from_seconds(KEPT));
    k->driven = POSE_IDENTITY;
    k->driven_at = k->fixed_at = t;
    k->map = graph_add_frame(k->graph, "map");
    k->robot = graph_add_frame(k->graph, "robot");
    graph_rename(k->graph, k->robot, b->robot->name);
    status s = relate_base(b, t, err);
    if (s == OK && r->present)
        s = relate_tracker(b, err);
    return s == OK ? relate_hands(b, t, err) : s;
}

static void rename_part(belief *b, graph_id frame) {
    graph *g = b->view.graph;
    if (frame != GRAPH_NONE)
        graph_rename(g, frame,
                     fleet_part_name(b->arena, b->called, b->robot, graph_frame_name(g, frame)));
}

void belief_view_call(belief *b) {
    robot_view *k = &b->view;
    graph_rename(k->graph, k->robot, b->called);
    rename_part(b, k->start);
    rename_part(b, k->eye);
    rename_part(b, k->marker);
    for (size_t i = 0; i < b->robot->arm_count; i++)
        rename_part(b, k->hands[i]);
}

status belief_meet(belief *b, const belief_other_robot *other, error *err) {
    graph *g = b->view.graph;
    const char *name = other->name;
    graph_id ignored;
    if (graph_find(g, name) != GRAPH_NONE)
        return error_set(err, E_INPUT,
                         "no robot can be called %s, which is a frame of another robot's view; "
                         "call it otherwise",
                         name);
    peer p = {.name = arena_strdup(b->arena, name),
              .frame = graph_add_frame(g, name),
              .object = other->object,
              .radius = other->radius,
              .height = other->height};
    graph_id start = graph_add_frame(g, arena_format(b->arena, "%s_start", name));
    status s = graph_relate(g, CONNECTION_PLACEMENT, b->view.map, start, NULL, &ignored, err);
    if (s == OK)
        s = graph_relate(g, CONNECTION_DYNAMIC, start, p.frame, NULL, &ignored, err);
    if (s == OK && other->marked) {
        p.marker = graph_add_frame(g, arena_format(b->arena, "%s_marker", name));
        p.marker_at = other->marker;
        s = graph_relate(g, CONNECTION_STATIC, p.frame, p.marker, &other->marker, &ignored, err);
    }
    array_push(&b->view.peers, p);
    return s;
}

peer *belief_view_peer(const belief *b, const char *name) {
    for (size_t i = 0; i < b->view.peers.count; i++)
        if (strcmp(b->view.peers.items[i].name, name) == 0)
            return &b->view.peers.items[i];
    return NULL;
}

void belief_view_finish(belief *b) {
    graph_destroy(b->view.graph);
    array_finish(&b->view.peers);
    belief_view_log_finish(b);
}

const char *belief_frame_called(const robot_model *r, const char *as, const char *name) {
    arena *a = arena_create();
    const char *found = NULL;
    if (strcmp(name, "map") == 0)
        found = "the map";
    else if (strcmp(name, as ? as : r->name) == 0)
        found = "the base";
    const struct {
        bool there;
        const char *name, *what;
    } parts[] = {{r->base_drive != BASE_FIXED, "start", "the place where the base starts"},
                 {r->tracker.present, "tracker", "the tracking system"},
                 {r->tracker.present, "marker", "the marker"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !found; i++) {
        const char *own = as ? fleet_part_name(a, as, r, parts[i].name) : parts[i].name;
        if (parts[i].there && strcmp(name, own) == 0)
            found = parts[i].what;
    }
    for (size_t i = 0; i < r->arm_count && !found; i++) {
        const char *hand = r->arms[i].gripper.name;
        if (strcmp(name, as ? fleet_part_name(a, as, r, hand) : hand) == 0)
            found = "a hand";
    }
    arena_destroy(a);
    return found;
}

// ---- What is measured ---------------------------------------------------------------------------
void belief_view_reach(belief *b, nanos taken) {
    pose base = pose_inverse(belief_robot(b));
    for (size_t i = 0; i < b->robot->arm_count; i++) {
        motion m = {.at = pose_mul(base, robot_palm(b->robot, i, b->links))};
        graph_measure(b->view.graph, b->view.encoders[i], taken, &m, false);
    }
}

// Puts the base where the graph says that it is. Deviations are not touched.
static void take_place(belief *b, nanos t) {
    pose at;
    if (!belief_view_at(b, t, &at))
        return;
    double yaw = quat_yaw(at.q);
    self_mode *m = &b->self[0];
    if (hypot(at.p.x - m->x, at.p.y - m->y) > 1e-6 || fabs(angle_wrap(yaw - m->yaw)) > 1e-6)
        belief_changed(b);
    m->x = at.p.x;
    m->y = at.p.y;
    m->yaw = yaw;
}

void belief_view_drive(belief *b, const reading *r) {
    robot_view *k = &b->view;
    pose step = pose_planar(r->odometry.dx, r->odometry.dy, r->odometry.dyaw);
    k->driven = pose_mul(k->driven, step);
    k->driven_at = r->taken;
    graph_measure(k->graph, k->odometry, r->taken, &(motion){.at = k->driven}, false);
    take_place(b, r->taken);
}

// Has the start's place follow from what `sensor` measures from now on, and from nothing else.
static void turn_to(robot_view *k, const char *sensor, graph_id a, graph_id b) {
    if (k->outer_sensor && strcmp(k->outer_sensor, sensor) == 0)
        return;
    graph_ignore(k->graph, k->outer);
    graph_ignore(k->graph, k->second);
    k->second = GRAPH_NONE;
    k->outer_sensor = sensor;
    k->outer = graph_observe(k->graph, sensor, a, b);
    graph_fix(k->graph, k->placement, NULL);
}

// Gives the base the deviations of the tracker, and those of the way that it has driven since.
static void take_accuracy(belief *b, nanos taken) {
    const robot_model *r = b->robot;
    const robot_tracker *tracker = &r->tracker;
    motion then;
    double way = 0;
    if (graph_pose(b->view.graph, b->view.start, b->view.robot, taken, &then)) {
        pose since = pose_mul(pose_inverse(then.at), b->view.driven);
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

// Follows where another robot goes in the map, by a low-pass filter: one that goes steadily at v
// lags by v LAG. After a while in which nothing told of it, what it did before says nothing.
static void follow_other(peer *p, pose at, nanos taken) {
    const double fresh = 1; // s
    double since = seconds(taken - p->seen_at), yaw = quat_yaw(at.q);
    bool begins = p->seen == GRAPH_NONE || since > fresh;
    double share = begins ? 1 : since / (LAG + since);
    if (begins) {
        p->lagging = at.p;
        p->lagging_yaw = yaw;
    } else if (since > 0) {
        p->lagging = v3_add(p->lagging, v3_scale(v3_sub(at.p, p->lagging), share));
        p->lagging_yaw = angle_wrap(p->lagging_yaw + share * angle_wrap(yaw - p->lagging_yaw));
    } else {
        return;
    }
    p->speed = v3_scale(v3_sub(at.p, p->lagging), 1 / LAG);
    p->speed.z = 0;
}

// Takes in what a sensor says of a frame of another robot in a frame of the own view. One sensor at
// a time tells where it is.
static void see_other(belief *b, peer *p, const char *sensor, graph_id from, graph_id to,
                      nanos taken, const motion *seen, bool moving) {
    graph *g = b->view.graph;
    if (!p->sensor || strcmp(p->sensor, sensor) != 0) {
        graph_ignore(g, p->seen);
        p->seen = graph_observe(g, sensor, from, to);
        p->sensor = sensor;
    }
    graph_measure(g, p->seen, taken, seen, moving);
    p->told_at = b->now;
    if (p->seen_at < taken)
        p->seen_at = taken;
    belief_changed(b);
}

static status track_other(belief *b, const reading *r, const motion *seen, error *err) {
    robot_view *k = &b->view;
    peer *p = belief_view_peer(b, r->tracker.of);
    if (!p)
        return error_set(err, E_INPUT, "reading of a marker of %s, whom the robot does not know",
                         r->tracker.of);
    pose marker = pose_mul(b->robot->tracker.at, seen->at);
    follow_other(p, pose_mul(marker, pose_inverse(p->marker_at)), r->taken);
    see_other(b, p, "tracker", k->eye, p->marker, r->taken, seen, false);
    return OK;
}

status belief_view_detect(belief *b, const reading *r, error *err) {
    const robot_detector *detector = &b->robot->detector;
    robot_view *k = &b->view;
    peer *p = belief_view_peer(b, r->detector.of);
    if (!p)
        return error_set(err, E_INPUT,
                         "the detector has recognised %s, whom the robot does not know",
                         r->detector.of);
    if (p->sensor && strcmp(p->sensor, "tracker") == 0 &&
        seconds(b->now - p->told_at) <= TOLD_WITHIN)
        return OK;
    motion own, seen = {.at = r->detector.at, .off = {detector->noise, detector->angle_noise}};
    bool moving = graph_pose(k->graph, k->map, k->robot, r->taken, &own);
    if (moving) {
        // How it goes as seen from a base that drives and turns: v = R^T (v_other - v_own - w x
        // arm).
        pose at = pose_mul(own.at, seen.at);
        follow_other(p, at, r->taken);
        vec3 spin = v3(0, 0, angle_wrap(quat_yaw(at.q) - p->lagging_yaw) / LAG);
        vec3 arm = quat_rotate(own.at.q, seen.at.p), carried = v3_cross(own.spin, arm);
        quat back = quat_inverse(own.at.q);
        seen.speed = quat_rotate(back, v3_sub(v3_sub(p->speed, own.speed), carried));
        seen.spin = quat_rotate(back, v3_sub(spin, own.spin));
    }
    see_other(b, p, "detector", k->robot, p->frame, r->taken, &seen, moving);
    return OK;
}

status belief_view_track(belief *b, const reading *r, error *err) {
    robot_view *k = &b->view;
    const robot_tracker *tracker = &b->robot->tracker;
    if (!tracker->present)
        return error_set(err, E_INPUT, "reading of a tracker that the robot does not have");
    motion seen = {.at = r->tracker.at, .off = {tracker->noise, tracker->angle_noise}};
    if (r->tracker.of)
        return track_other(b, r, &seen, err);
    if (r->taken < k->fixed_at)
        return OK;
    turn_to(k, "tracker", k->eye, k->marker);
    k->told = true;
    k->told_at = b->now;
    if (!graph_measure(k->graph, k->outer, r->taken, &seen, false))
        return OK;
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

void belief_view_localised(belief *b) {
    robot_view *k = &b->view;
    motion m = {.at = belief_robot(b)};
    belief_accuracy(b, &m.off.position, &m.off.angle);
    if (k->told && seconds(b->now - k->told_at) <= TOLD_WITHIN) {
        // The cycle has nothing unknown any more: what is left between the two is a residual.
        if (k->second == GRAPH_NONE)
            k->second = graph_observe(k->graph, "laser", k->map, k->robot);
        graph_measure(k->graph, k->second, k->driven_at, &m, false);
        take_place(b, k->driven_at);
        return;
    }
    turn_to(k, "laser", k->map, k->robot);
    graph_measure(k->graph, k->outer, k->driven_at, &m, false);
    k->told = false;
    k->fixed_at = b->now;
}

// ---- What follows -------------------------------------------------------------------------------
bool belief_view_at(const belief *b, nanos t, pose *out) {
    const robot_view *k = &b->view;
    motion m;
    if (!k->told || !graph_pose(k->graph, k->map, k->robot, t, &m))
        return false;
    *out = pose_planar(m.at.p.x, m.at.p.y, quat_yaw(m.at.q));
    return true;
}

bool belief_view_hand(const belief *b, size_t arm, nanos t, pose *out) {
    const robot_view *k = &b->view;
    const robot_tracker *r = &b->robot->tracker;
    motion m;
    if ((r->present && r->latest) || !graph_pose(k->graph, k->robot, k->hands[arm], t, &m))
        return false;
    *out = m.at;
    return true;
}

bool belief_view_other(const belief *b, const peer *p, nanos t, motion *out) {
    if (!graph_pose(b->view.graph, b->view.map, p->frame, t, out))
        return false;
    out->at = pose_planar(out->at.p.x, out->at.p.y, quat_yaw(out->at.q));
    return true;
}

bool belief_other(const belief *b, const char *name, nanos t, other_motion *out) {
    const peer *p = belief_view_peer(b, name);
    motion m;
    if (!p || !belief_view_other(b, p, t, &m))
        return false;
    *out = (other_motion){m.at, {m.speed.x, m.speed.y, 0}, m.spin.z, p->seen_at};
    return true;
}

size_t belief_robot_count(const belief *b) {
    return b->view.peers.count;
}

int64_t belief_robot_object(const belief *b, const char *name) {
    const peer *p = belief_view_peer(b, name);
    return p ? p->object : 0;
}

bool belief_robot_in_way(const belief *b, size_t i, robot_in_way *out) {
    const double standing = 0.08, kept = 10, going = 2; // m/s, s, s
    const peer *p = &b->view.peers.items[i];
    double silent = seconds(b->now - p->seen_at);
    motion m;
    if (p->seen == GRAPH_NONE || silent > kept || !belief_view_other(b, p, p->seen_at, &m))
        return false;
    bool stands = v3_length(p->speed) < standing;
    if (!stands && silent > going)
        return false;
    *out = (robot_in_way){
        .name = p->name, .at = m.at.p, .stands = stands, .radius = p->radius, .height = p->height};
    if (!stands) {
        out->speed = p->speed;
        out->at = v3_add(out->at, v3_scale(p->speed, silent));
    }
    return true;
}

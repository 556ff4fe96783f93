// projector/belief/frame.c - believed objects as a graph of frames: what each hangs on, its
// records, and the pose of one frame in another at a time. All other files of the belief build on
// this one.
#include "projector/belief/belief_int.h"
#include "scene/robot/fleet.h"

#include <math.h>

// ---- Records ------------------------------------------------------------------------------------

static const char *hang_parent(const belief *b, const believed *o) {
    switch (o->hang) {
    case HANG_OBJECT:
        return b->objects.items[o->parent].seen.name;
    case HANG_HAND:
        return b->robot->arms[o->parent].gripper.name;
    case HANG_MAP:
    case HANG_ROBOT: // other rooms see what it moves with as something in the map
        break;
    }
    return "map";
}

// The same by the name that the log has for it, as its relations do: of what moves with another
// robot that is this robot, once the log has a place of it.
static const char *logged_parent(const belief *b, const believed *o) {
    const char *name = hang_parent(b, o);
    if (o->hang == HANG_ROBOT && b->view.peers.items[o->parent].believed)
        return b->view.peers.items[o->parent].name;
    return o->hang == HANG_HAND && b->called ? fleet_part_name(b->arena, b->called, b->robot, name)
                                             : name;
}

record belief_frame_row(sink *log, int64_t agent, int64_t row, nanos t, pose at, covariance cov,
                        const char *source) {
    record r = {.kind = RECORD_BELIEVED_FRAME, .id = sink_id(log, RECORD_BELIEVED_FRAME)};
    r.BELIEVED_FRAME = (struct record_BELIEVED_FRAME){.agent = agent,
                                                      .believed = row,
                                                      .parent = "map",
                                                      .relation = "at",
                                                      .t = t,
                                                      .x = at.p.x,
                                                      .y = at.p.y,
                                                      .z = at.p.z,
                                                      .qw = at.q.w,
                                                      .qx = at.q.x,
                                                      .qy = at.q.y,
                                                      .qz = at.q.z,
                                                      .sigma_x = cov.x,
                                                      .sigma_y = cov.y,
                                                      .sigma_z = cov.z,
                                                      .sigma_angle = cov.angle,
                                                      .source = source};
    return r;
}

status belief_write_frame(belief *b, size_t object, const char *source, int64_t seen_in,
                          int64_t task, nanos t, error *err) {
    believed *o = &b->objects.items[object];
    const char *parent = logged_parent(b, o);
    bool in_map = o->hang == HANG_ROBOT && strcmp(parent, "map") == 0;
    pose local = belief_local(b, o), at = in_map ? o->seen.at : local;
    array_push(&o->history, (past){t, o->hang, o->parent, local, o->cov});
    belief_view_source(b, object, source);
    belief_tell(b, object, source, seen_in, t);
    if (strcmp(source, "effect") == 0 || strcmp(source, "touch") == 0)
        belief_moved(o, t);
    record r = belief_frame_row(b->log, b->agent, o->seen.id, t, at, o->cov, source);
    r.BELIEVED_FRAME.parent = parent;
    r.BELIEVED_FRAME.relation = o->relation;
    r.BELIEVED_FRAME.percept = seen_in;
    r.BELIEVED_FRAME.task = task;
    return sink_put(b->log, &r, err);
}

status belief_write_variable(belief *b, const char *name, const char *value, int64_t task,
                             const char *point, nanos t, error *err) {
    record r = {.kind = RECORD_VARIABLE, .id = sink_id(b->log, RECORD_VARIABLE)};
    r.VARIABLE.agent = b->agent;
    r.VARIABLE.name = name;
    r.VARIABLE.value = value;
    r.VARIABLE.t_ns = t;
    r.VARIABLE.by = task;
    r.VARIABLE.point = point;
    return sink_put(b->log, &r, err);
}

status belief_write_object(belief *b, believed_object *o, int64_t object, nanos t, error *err) {
    record r = {.kind = RECORD_BELIEVED, .id = sink_id(b->log, RECORD_BELIEVED)};
    o->id = r.id;
    r.BELIEVED.agent = b->agent;
    r.BELIEVED.name = o->name;
    r.BELIEVED.object = object;
    r.BELIEVED.type = o->type;
    r.BELIEVED.color = o->color;
    r.BELIEVED.t_ns = t;
    return sink_put(b->log, &r, err);
}

// ---- Objects ------------------------------------------------------------------------------------

size_t belief_index(const belief *b, const char *name) {
    for (size_t i = 0; i < b->objects.count; i++)
        if (strcmp(b->objects.items[i].seen.name, name) == 0)
            return i;
    return SIZE_MAX;
}

status belief_unknown(const char *name, error *err) {
    return error_set(err, E_INPUT,
                     "%s is not believed in: let the plan perceive it first, or correct the name",
                     name);
}

size_t belief_object_count(const belief *b) {
    return b->objects.count;
}

const believed_object *belief_object(const belief *b, size_t i) {
    return &b->objects.items[i].seen;
}

const believed_object *belief_find(const belief *b, const char *name) {
    size_t i = belief_index(b, name);
    return i == SIZE_MAX ? NULL : &b->objects.items[i].seen;
}

static pose palm_pose(const belief *b, size_t arm) {
    return robot_palm(b->robot, arm, b->links);
}

pose belief_tool(const belief *b, size_t arm) {
    return robot_tool(b->robot, arm, b->links);
}

// The pose in the map of what something hangs on.
static pose carrier_pose(const belief *b, hang how, size_t parent) {
    motion m;
    switch (how) {
    case HANG_OBJECT:
        return belief_world(b, &b->objects.items[parent]);
    case HANG_HAND:
        return palm_pose(b, parent);
    case HANG_ROBOT:
        if (belief_view_other(b, &b->view.peers.items[parent], b->now, &m))
            return m.at;
        break;
    case HANG_MAP:
        break;
    }
    return POSE_IDENTITY;
}

pose belief_world(const belief *b, const believed *o) {
    pose local = belief_local(b, o);
    return o->hang == HANG_MAP ? local : pose_mul(carrier_pose(b, o->hang, o->parent), local);
}

// Returns the hand that carries an object, be it by way of others; -1: none.
static int64_t root_hand(const belief *b, const believed *o) {
    while (o->hang == HANG_OBJECT)
        o = &b->objects.items[o->parent];
    return o->hang == HANG_HAND ? (int64_t)o->parent : -1;
}

// Makes the face of an object, which other rooms see, agree with the graph.
static void show_object(belief *b, believed *o) {
    o->seen.at = belief_world(b, o);
    o->seen.cov = o->cov;
    o->seen.hand = root_hand(b, o);
    o->seen.parent = hang_parent(b, o);
    o->seen.support = o->hang == HANG_OBJECT ? b->objects.items[o->parent].seen.name : NULL;
}

// Whether an object stands on another one, be it by way of others.
static bool stands_on(const belief *b, const believed *o, size_t carrier) {
    while (o->hang == HANG_OBJECT && o->parent != carrier)
        o = &b->objects.items[o->parent];
    return o->hang == HANG_OBJECT;
}

void belief_hang(belief *b, size_t object, hang how, size_t parent, const char *relation, pose at,
                 covariance cov) {
    believed *o = &b->objects.items[object];
    pose local = at;
    belief_changed(b);
    if (how != HANG_MAP)
        local = pose_mul(pose_inverse(carrier_pose(b, how, parent)), at);
    local.q = quat_unit(local.q);
    if (how == HANG_HAND && o->hang == HANG_OBJECT)
        o->seen.taken_from = b->objects.items[o->parent].seen.name;
    o->hang = how;
    o->parent = parent;
    o->relation = relation;
    o->placeless = false;
    belief_view_place(b, object, local);
    o->cov = cov;
    pose before = o->seen.at;
    show_object(b, o);
    b->laser_map.stale |= o->seen.known && (v3_distance(before.p, o->seen.at.p) > 0.001 ||
                                            quat_angle(before.q, o->seen.at.q) > 0.001);
    // The objects that stand on this one move with it.
    bool drawn = belief_joint_of(b, object) >= 0;
    for (size_t i = 0; i < b->objects.count; i++) {
        believed *other = &b->objects.items[i];
        if (i == object || other->hang != HANG_OBJECT)
            continue;
        bool carried = other->seen.hand >= 0;
        show_object(b, other);
        if (carried || other->seen.hand >= 0 || (drawn && stands_on(b, other, object)))
            belief_moved(other, b->now);
    }
}

status belief_add_object(belief *b, const char *type, const char *color, nanos t, size_t *out,
                         error *err) {
    int number = 1;
    for (size_t i = 0; i < b->objects.count; i++)
        number +=
            !b->objects.items[i].seen.known && strcmp(b->objects.items[i].seen.type, type) == 0;
    believed o = {0};
    o.seen.name = arena_format(b->arena, "%s#%d", type, number);
    o.seen.type = arena_strdup(b->arena, type);
    o.seen.color = color ? arena_strdup(b->arena, color) : NULL;
    o.seen.kind = world_find_type(b->known, type);
    o.seen.body = o.seen.hand = -1;
    o.seen.seen = -1;
    o.relation = "at";
    status s = belief_write_object(b, &o.seen, 0, t, err);
    if (s != OK)
        return s;
    array_push(&b->objects, o);
    *out = b->objects.count - 1;
    return OK;
}

status belief_new_object(belief *b, const char *type, const char *color, pose at, covariance cov,
                         int64_t seen_in, nanos t, size_t *out, error *err) {
    status s = belief_add_object(b, type, color, t, out, err);
    if (s != OK)
        return s;
    belief_hang(b, *out, HANG_MAP, 0, "at", at, cov);
    return belief_write_frame(b, *out, "percept", seen_in, 0, t, err);
}

void belief_forget_place(belief *b, size_t object, pose at) {
    believed *o = &b->objects.items[object];
    o->lost |= o->seen.confirmed;
    o->seen.confirmed = false;
    belief_hang(b, object, HANG_MAP, 0, "at", at, (covariance){1, 1, 1, PI});
    o->placeless = true;
    belief_moved(o, b->now);
}

status belief_lose_riders(belief *b, size_t carrier, const char *source, int64_t task, nanos t,
                          error *err) {
    status s = OK;
    for (size_t i = 0; i < b->objects.count && s == OK; i++) {
        const believed *o = &b->objects.items[i];
        if (o->hang != HANG_OBJECT || o->parent != carrier)
            continue;
        s = belief_lose_riders(b, i, source, task, t, err);
        belief_forget_place(b, i, belief_world(b, o));
        if (s == OK)
            s = belief_write_frame(b, i, source, 0, task, t, err);
    }
    return s;
}

void belief_changed(belief *b) {
    b->version++;
}

// ---- The robot itself ---------------------------------------------------------------------------

pose belief_robot(const belief *b) {
    return pose_planar(b->self->x, b->self->y, b->self->yaw);
}

void belief_mode_accuracy(const self_mode *m, double *position, double *angle) {
    // The larger eigenvalue of the covariance in the plane.
    double mean = (m->p[0][0] + m->p[1][1]) / 2, half = (m->p[0][0] - m->p[1][1]) / 2;
    *position = sqrt(fmax(0, mean + hypot(half, m->p[0][1])));
    *angle = sqrt(fmax(0, m->p[2][2]));
}

void belief_accuracy(const belief *b, double *position, double *angle) {
    belief_mode_accuracy(b->self, position, angle);
}

pose belief_base_at(const belief *b, nanos t) {
    pose tracked;
    if (belief_view_at(b, t, &tracked))
        return tracked;
    const base_past *later = NULL;
    for (size_t k = 1; k <= b->ring_count; k++) {
        const base_past *e = &b->ring[(b->ring_next + ODOMETRY_RING - k) % ODOMETRY_RING];
        if (e->t <= t) {
            if (!later || later->t == e->t)
                return pose_planar(e->x, e->y, e->yaw);
            double f = (double)(t - e->t) / (double)(later->t - e->t);
            return pose_planar(e->x + f * (later->x - e->x), e->y + f * (later->y - e->y),
                               e->yaw + f * angle_wrap(later->yaw - e->yaw));
        }
        later = e;
    }
    return later ? pose_planar(later->x, later->y, later->yaw) : belief_robot(b);
}

// ---- As of a time -------------------------------------------------------------------------------

// Returns what was believed of an object at a time; NULL: it was not known then.
static const past *past_at(const believed *o, nanos t) {
    const past *found = NULL;
    for (size_t k = o->history.count; k-- > 0 && !found;)
        if (o->history.items[k].t <= t)
            found = &o->history.items[k];
    return found;
}

// Whether another robot carries an object, be it by way of others.
static bool moves_with_robot(const belief *b, const believed *o) {
    while (o->hang == HANG_OBJECT)
        o = &b->objects.items[o->parent];
    return o->hang == HANG_ROBOT;
}

static status frame_in_map(const belief *b, const char *name, nanos t, pose *out, covariance *cov,
                           error *err) {
    *cov = (covariance){0};
    bool now = t >= b->now;
    if (strcmp(name, "map") == 0) {
        *out = POSE_IDENTITY;
        return OK;
    }
    if (strcmp(name, "robot") == 0 || strcmp(name, b->robot->name) == 0 ||
        (b->called && strcmp(name, b->called) == 0)) {
        *cov =
            (covariance){sqrt(b->self->p[0][0]), sqrt(b->self->p[1][1]), 0, sqrt(b->self->p[2][2])};
        *out = belief_robot(b);
        for (size_t k = b->trail.count; !now && k-- > 0;)
            if (b->trail.items[k].t <= t) {
                *out = pose_planar(b->trail.items[k].x, b->trail.items[k].y, b->trail.items[k].yaw);
                break;
            }
        return OK;
    }
    for (size_t arm = 0; arm < b->robot->arm_count; arm++)
        if (strcmp(name, b->robot->arms[arm].gripper.name) == 0) {
            pose in_base, base;
            if (now) {
                *out = robot_palm(b->robot, arm, b->links);
                return OK;
            }
            if (!belief_view_hand(b, arm, t, &in_base))
                return error_set(err, E_LIMIT,
                                 "where %s was is not remembered; ask for the present", name);
            status s = frame_in_map(b, "robot", t, &base, cov, err);
            *out = pose_mul(base, in_base);
            return s;
        }
    int64_t region = world_find_region(b->known, name);
    if (region >= 0) {
        const world_region *g = &b->known->regions[region];
        pose body;
        status s = frame_in_map(b, b->known->bodies[g->body].name, t, &body, cov, err);
        if (s == OK)
            *out = pose_mul(body, g->at);
        return s;
    }
    size_t i = belief_index(b, name);
    other_motion other;
    if (i == SIZE_MAX && belief_other(b, name, t, &other)) {
        *out = other.at;
        return OK;
    }
    if (i == SIZE_MAX)
        return error_set(err, E_INPUT, "there is no frame %s in the belief", name);
    const believed *o = &b->objects.items[i];
    if (now && !moves_with_robot(b, o)) {
        *out = o->seen.at;
        *cov = o->cov;
        return OK;
    }
    const past present = {b->now, o->hang, o->parent, belief_local(b, o), o->cov};
    const past *p = now ? &present : past_at(o, t);
    if (!p)
        return error_set(err, E_INPUT, "%s was not believed in at that time", name);
    pose parent = POSE_IDENTITY;
    covariance of_parent;
    const char *above = p->hang == HANG_OBJECT  ? b->objects.items[p->parent].seen.name
                        : p->hang == HANG_HAND  ? b->robot->arms[p->parent].gripper.name
                        : p->hang == HANG_ROBOT ? b->view.peers.items[p->parent].name
                                                : "map";
    if (p->hang == HANG_ROBOT && !belief_other(b, above, t, &other))
        return error_set(err, E_LIMIT, "where %s was is not remembered; ask for the present",
                         above);
    status s = frame_in_map(b, above, t, &parent, &of_parent, err);
    if (s != OK)
        return s;
    *out = pose_mul(parent, p->local);
    *cov = p->cov;
    return OK;
}

status belief_frame(const belief *b, const char *frame_a, const char *frame_b, nanos t, pose *out,
                    covariance *cov, error *err) {
    pose a, in;
    covariance ca, cb;
    status s = frame_in_map(b, frame_a, t, &a, &ca, err);
    if (s == OK)
        s = frame_in_map(b, frame_b, t, &in, &cb, err);
    if (s != OK)
        return s;
    *out = pose_mul(pose_inverse(in), a);
    if (cov)
        *cov = (covariance){hypot(ca.x, cb.x), hypot(ca.y, cb.y), hypot(ca.z, cb.z),
                            hypot(ca.angle, cb.angle)};
    return OK;
}

// Where one thing is in the frame of another, as of a time.
#include "projector/belief/belief_int.h"

#include <math.h>

static const past *past_at(const believed *o, nanos t) {
    const past *found = NULL;
    for (size_t k = o->history.count; k-- > 0 && !found;)
        if (o->history.items[k].t <= t)
            found = &o->history.items[k];
    return found;
}

static status frame_in_map(const belief *b, const char *name, nanos t, pose *out, covariance *cov,
                           error *err) {
    *cov = (covariance){0};
    bool now = t >= b->now;
    if (strcmp(name, "map") == 0) {
        *out = POSE_IDENTITY;
        return OK;
    }
    if (strcmp(name, "robot") == 0 || strcmp(name, b->robot->name) == 0) {
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
            if (!now)
                return error_set(err, E_LIMIT,
                                 "where %s was is not remembered; ask for the present", name);
            *out = robot_palm(b->robot, arm, b->links);
            return OK;
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
    if (i == SIZE_MAX)
        return error_set(err, E_INPUT, "there is no frame %s in the belief", name);
    const believed *o = &b->objects.items[i];
    if (now) {
        *out = o->seen.at;
        *cov = o->cov;
        return OK;
    }
    const past *p = past_at(o, t);
    if (!p)
        return error_set(err, E_INPUT, "%s was not believed in at that time", name);
    pose parent = POSE_IDENTITY;
    covariance of_parent;
    const char *above = p->hang == HANG_OBJECT ? b->objects.items[p->parent].seen.name
                        : p->hang == HANG_HAND ? b->robot->arms[p->parent].gripper.name
                                               : "map";
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

// projector/belief/joints.c - doors and drawers: the position of a known joint, told from the pose
// in which its body is seen or held.
#include "projector/belief/belief_int.h"

#include <math.h>

// Returns how a joint's base has moved since the start: the base may be a drawer or a door itself.
static pose base_moved(const belief *b, size_t joint) {
    int64_t base = b->known->joints[joint].base;
    int64_t under = base < 0 ? -1 : world_joint_of(b->known, (size_t)base);
    if (under < 0)
        return POSE_IDENTITY;
    pose start = world_joint_pose(b->known, (size_t)under, b->known->joints[under].start);
    return pose_mul(b->objects.items[base].seen.at, pose_inverse(start));
}

static pose pose_of_joint(const belief *b, size_t joint, double position) {
    return pose_mul(base_moved(b, joint), world_joint_pose(b->known, joint, position));
}

double belief_joint_nearest(const belief *b, size_t joint, pose at, double sigma, double angle,
                            double *off) {
    const world_joint *j = &b->known->joints[joint];
    pose moved = base_moved(b, joint), frame = pose_mul(moved, j->origin);
    pose zero = pose_of_joint(b, joint, 0);
    vec3 axis = quat_rotate(moved.q, j->axis);
    double position;
    if (j->kind == WORLD_SLIDER) {
        position = v3_dot(v3_sub(at.p, zero.p), axis);
    } else {
        // The angle is the mean of two: of the body's orientation, and of its origin about the
        // axis, weighed by how well each is known.
        vec3 turn = quat_log(quat_mul(at.q, quat_inverse(zero.q)));
        double by_turn = v3_dot(turn, axis);
        vec3 arm = v3_sub(zero.p, frame.p), to = v3_sub(at.p, frame.p);
        arm = v3_sub(arm, v3_scale(axis, v3_dot(arm, axis)));
        to = v3_sub(to, v3_scale(axis, v3_dot(to, axis)));
        double radius = v3_length(arm);
        position = by_turn;
        if (radius > 1e-3) {
            double by_place = atan2(v3_dot(v3_cross(arm, to), axis), v3_dot(arm, to));
            by_place = by_turn + angle_wrap(by_place - by_turn);
            double w = 1 / fmax(angle * angle, 1e-8);
            double v = 1 / fmax(sigma * sigma / (radius * radius), 1e-8);
            position = (w * by_turn + v * by_place) / (w + v);
        }
    }
    position = fmax(j->lower, fmin(j->upper, position));
    if (off)
        *off = v3_distance(pose_of_joint(b, joint, position).p, at.p);
    return position;
}

double belief_joint_sigma(const belief *b, size_t joint, double sigma, double angle) {
    const world_joint *j = &b->known->joints[joint];
    if (j->kind == WORLD_SLIDER)
        return sigma;
    vec3 arm = v3_sub(b->known->bodies[j->body].at.p, j->origin.p);
    double radius = v3_length(v3_sub(arm, v3_scale(j->axis, v3_dot(arm, j->axis))));
    double w = 1 / fmax(angle * angle, 1e-8), v = radius * radius / fmax(sigma * sigma, 1e-8);
    return 1 / sqrt(w + v);
}

void belief_place_joint(belief *b, size_t joint, double position, double sigma) {
    const world_joint *j = &b->known->joints[joint];
    believed_joint *k = &b->joints[joint];
    k->position = position;
    k->sigma = sigma;
    vec3 arm = v3_sub(b->known->bodies[j->body].at.p, j->origin.p);
    bool hinge = j->kind == WORLD_HINGE;
    double along = hinge ? sigma * v3_length(arm) : sigma;
    covariance cov = {along, along, 0.001, hinge ? sigma : 0.001};
    belief_hang(b, j->body, HANG_MAP, 0, "at", pose_of_joint(b, joint, position), cov);
    for (size_t n = 0; n < b->known->joint_count; n++)
        if (b->known->joints[n].base == (int64_t)j->body)
            belief_place_joint(b, n, b->joints[n].position, b->joints[n].sigma);
}

double belief_world_joint(const belief *b, size_t joint, double *sigma) {
    if (joint >= b->known->joint_count)
        return 0;
    if (sigma)
        *sigma = b->joints[joint].sigma;
    return b->joints[joint].position;
}

status belief_write_joint(belief *b, size_t joint, const char *source, int64_t seen_in,
                          int64_t task, nanos t, error *err) {
    b->joints[joint].written = b->joints[joint].position;
    return belief_write_frame(b, b->known->joints[joint].body, source, seen_in, task, t, err);
}

status belief_note_joint(belief *b, size_t joint, double position, int64_t task, nanos t,
                         error *err) {
    if (joint >= b->known->joint_count)
        return error_set(err, E_INPUT, "there is no joint %zu", joint);
    const world_joint *j = &b->known->joints[joint];
    belief_place_joint(b, joint, fmax(j->lower, fmin(j->upper, position)),
                       j->kind == WORLD_HINGE ? 0.02 : 0.01);
    return belief_write_joint(b, joint, "effect", 0, task, t, err);
}

// Returns the position of the joint at which a point of its body is nearest to `at`, in the map.
static double joint_by_point(const belief *b, size_t joint, vec3 point, vec3 at) {
    const world_joint *j = &b->known->joints[joint];
    pose moved = base_moved(b, joint), zero = pose_of_joint(b, joint, 0);
    vec3 axis = quat_rotate(moved.q, j->axis), start = pose_apply(zero, point);
    double position = v3_dot(v3_sub(at, start), axis);
    if (j->kind == WORLD_HINGE) {
        vec3 middle = pose_apply(moved, j->origin.p), from = v3_sub(start, middle),
             to = v3_sub(at, middle);
        from = v3_sub(from, v3_scale(axis, v3_dot(from, axis)));
        to = v3_sub(to, v3_scale(axis, v3_dot(to, axis)));
        position = b->joints[joint].position;
        double turn = atan2(v3_dot(v3_cross(from, to), axis), v3_dot(from, to));
        position += angle_wrap(turn - position);
    }
    return fmax(j->lower, fmin(j->upper, position));
}

// Moves the doors and drawers whose handles the hands hold.
static void follow_hands(belief *b) {
    for (size_t arm = 0; arm < b->robot->arm_count; arm++) {
        grasp_note *note = &b->grasps[arm];
        int64_t joint = note->noted ? belief_joint_of(b, note->object) : -1;
        if (joint < 0)
            continue;
        // The hand tells the way of the body since the grasp better than the body's pose. Only the
        // point that is held counts, since a bar turns between the pads.
        pose tool = belief_tool(b, arm), away = pose_inverse(note->in_hand);
        double position = joint_by_point(b, (size_t)joint, away.p, tool.p);
        if (position == b->joints[joint].position)
            continue;
        belief_place_joint(b, (size_t)joint, position, b->joints[joint].sigma);
        quat turned = quat_mul(quat_inverse(tool.q), b->objects.items[note->object].seen.at.q);
        note->in_hand = (pose){quat_rotate(turned, v3_scale(away.p, -1)), quat_unit(turned)};
    }
}

status belief_cycle_joints(belief *b, nanos t, error *err) {
    status s = OK;
    for (size_t k = 0; s == OK && k < b->known->joint_count; k++) {
        double least = b->known->joints[k].kind == WORLD_HINGE ? 0.01 : 0.005;
        if (fabs(b->joints[k].position - b->joints[k].written) >= least)
            s = belief_write_joint(b, k, "touch", 0, 0, t, err);
    }
    return s;
}

int64_t belief_joint_of(const belief *b, size_t object) {
    int64_t body = b->objects.items[object].seen.body;
    return body < 0 ? -1 : world_joint_of(b->known, (size_t)body);
}

void belief_refresh(belief *b) {
    robot_forward(b->robot, pose_planar(b->self->x, b->self->y, b->self->yaw), b->q, b->links);
    follow_hands(b);
    for (size_t i = 0; i < b->objects.count; i++) {
        believed *o = &b->objects.items[i];
        if (o->seen.hand >= 0)
            o->seen.at = belief_world(b, o);
    }
}

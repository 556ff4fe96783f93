// projector/robot/planning/stand_view.c - whether a region is in view from one place to stand.
#include "projector/robot/planning/stand_int.h"

#include <math.h>

// Points of a region, in rows of three, that should be in the picture and not hidden: how far out
// they lie, as a share of its half extents, and how high above its ground, m.
enum { VIEW_POINTS = 9 };
static const double VIEW_SPREAD = 0.7, VIEW_HEIGHT = 0.03;
// What lies farther from the picture's middle may be out of it, as a share of the way to the edge.
static const double VIEW_EDGE = 0.93;
// How far from the picture's middle something is, 1 at the edge; its position is given along the
// camera's directions forward, left and up.
static double off_middle(const robot_camera *c, vec3 to) {
    return fmax(fabs(atan2(to.y, to.x)) / (c->fov_x / 2), fabs(atan2(to.z, to.x)) / (c->fov_y / 2));
}

// Whether nothing known hides a point from the eye. Furniture close by is what a thing there stands
// on or at.
static bool point_clear(stand_hunt *s, vec3 eye, vec3 point, int *hidden_by) {
    const double close_by = 0.02; // m
    const mind *m = s->m;
    vec3 way = v3_unit(v3_sub(point, eye));
    double far = v3_distance(point, eye);
    for (size_t i = 0; i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        for (size_t k = 0; o->known && o->kind && k < o->kind->shape_count; k++) {
            const shape *p = &o->kind->shapes[k];
            if (shape_ray(p, pose_mul(o->at, p->at), eye, way) < far - close_by) {
                stand_count_blocker(s, (int)i);
                *hidden_by = (int)i;
                return false;
            }
        }
    }
    return true;
}

// Notes how much of a region is in view past what hides the rest (OWNER_NONE: the picture's edge).
static void note_view(stand_hunt *s, double clear, int hidden_by) {
    miss *view = stand_missed(s, STAGE_WAY);
    if (!miss_keep(view, MISS_VIEW, s->asks->clear_view - clear))
        return;
    view->value = clear;
    view->allowed = s->asks->clear_view;
    owner_describe(s->m, hidden_by, view->other, sizeof view->other);
}

// Notes that part of a region is too far from the camera, or too near to it.
static void note_far(stand_hunt *s, double far) {
    const robot_camera *c = &s->m->robot->camera;
    double allowed = far > c->far ? c->far : c->near;
    miss *reach = stand_missed(s, STAGE_REACH);
    if (!miss_keep(reach, MISS_FAR, fabs(far - allowed)))
        return;
    reach->value = far;
    reach->allowed = allowed;
}

// How much of a region the robot's arms, with what they hold, hide from the eye: the share of
// points in rows of ARM_ROW, the robot being moved by `shift` with its arms as they are now. An arm
// is near the eye and narrow, so that the points lie closer together than those which furniture may
// hide.
static double hidden_by_arms(const stand_hunt *s, const arm_scene *scenes, pose shift, vec3 eye,
                             pose ground, vec3 half) {
    enum { ARM_ROW = 6, ARM_POINTS = ARM_ROW * ARM_ROW };
    const double spread = 0.85;
    const mind *m = s->m;
    vec3 way[ARM_POINTS];
    double far[ARM_POINTS];
    bool hidden[ARM_POINTS] = {0};
    for (int k = 0; k < ARM_POINTS; k++) {
        double u = 2.0 * (k % ARM_ROW) / (ARM_ROW - 1) - 1,
               v = 2.0 * (k / ARM_ROW) / (ARM_ROW - 1) - 1; // NOLINT(bugprone-integer-division)
        vec3 to = v3_sub(pose_apply(ground, v3(spread * u * half.x, spread * v * half.y, 0)), eye);
        far[k] = v3_length(to);
        way[k] = v3_unit(to);
    }
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        chain c = scenes[a].chain;
        c.root = pose_mul(shift, c.root);
        double q[AXES_MAX] = {0};
        pose frames[FRAMES];
        for (size_t i = 0; i < c.count; i++)
            q[i] = belief_joints(m->belief)[m->robot->arms[a].joints[i]];
        chain_forward(&c, q, frames);
        for (size_t n = 0; n < scenes[a].limb.parts.count; n++) {
            const limb_part *part = &scenes[a].limb.parts.items[n];
            pose at = pose_mul(frames[part->frame], part->at);
            vec3 to = v3_sub(at.p, eye);
            for (int k = 0; k < ARM_POINTS; k++) {
                vec3 aside = v3_sub(to, v3_scale(way[k], v3_dot(to, way[k])));
                if (!hidden[k] && v3_length(aside) <= part->radius)
                    hidden[k] = shape_ray(part->s, at, eye, way[k]) < far[k];
            }
        }
    }
    int count = 0;
    for (int k = 0; k < ARM_POINTS; k++)
        count += hidden[k];
    return (double)count / ARM_POINTS;
}

// Where the camera is once the head has turned towards a point, the robot being moved by `shift`
// from where it is believed to be: the camera may stand well off the axis of the head's pan.
static vec3 eye_turned(const mind *m, pose shift, vec3 target) {
    const robot_camera *c = &m->robot->camera;
    pose eye = pose_mul(shift, pose_mul(belief_links(m->belief)[c->link], c->at));
    if (m->robot->pan < 0)
        return eye.p;
    const robot_joint *pan = &m->robot->joints[m->robot->pan];
    vec3 axis = pose_mul(shift, belief_links(m->belief)[pan->child]).p,
         ahead = quat_rotate(eye.q, v3(1, 0, 0));
    double now = belief_joints(m->belief)[m->robot->pan],
           by = angle_wrap(atan2(target.y - axis.y, target.x - axis.x) - atan2(ahead.y, ahead.x));
    by = fmax(pan->lower, fmin(pan->upper, now + by)) - now;
    quat turn = quat_axis_angle(v3(0, 0, 1), by);
    return v3_add(axis, quat_rotate(turn, v3_sub(eye.p, axis)));
}

bool stand_try_view(stand_hunt *s, const arm_scene *scenes, const stand *at, double *cost) {
    const mind *m = s->m;
    const robot_camera *c = &m->robot->camera;
    pose shift =
        pose_mul(pose_planar(at->x, at->y, at->yaw), pose_inverse(belief_robot(m->belief)));
    vec3 low = s->q->low, high = s->q->high, middle = v3_scale(v3_add(low, high), 0.5);
    vec3 eye = eye_turned(m, shift, middle);
    vec3 forward = v3_unit(v3_sub(middle, eye)), left = v3_unit(v3_cross(v3(0, 0, 1), forward)),
         up = v3_cross(forward, left);
    pose frame = pose_planar(middle.x, middle.y, s->q->yaw);
    vec3 half = v3_scale(v3_sub(high, low), 0.5);
    double worst = 0;
    for (int k = 0; k < 8; k++) {
        vec3 corner = pose_apply(frame, v3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                                           middle.z + (k & 4 ? half.z : -half.z)));
        vec3 to = v3_sub(corner, eye);
        to = v3(v3_dot(to, forward), v3_dot(to, left), v3_dot(to, up));
        if (to.x < c->near || to.x > c->far) {
            note_far(s, to.x);
            return false;
        }
        worst = fmax(worst, off_middle(c, to));
    }
    double distance = v3_distance(middle, eye), clear = 0;
    int hidden_by = OWNER_NONE;
    for (int k = 0; k < VIEW_POINTS; k++) {
        vec3 point = pose_apply(frame, v3((k % 3 - 1) * VIEW_SPREAD * half.x,
                                          (k / 3 - 1) * VIEW_SPREAD * half.y, low.z + VIEW_HEIGHT));
        vec3 to = v3_sub(point, eye);
        to = v3(v3_dot(to, forward), v3_dot(to, left), v3_dot(to, up));
        if (off_middle(c, to) >= VIEW_EDGE || !point_clear(s, eye, point, &hidden_by))
            continue;
        clear += 1.0 / VIEW_POINTS;
    }
    frame.p.z = low.z + VIEW_HEIGHT;
    double seen = clear * (1 - hidden_by_arms(s, scenes, shift, eye, frame, half));
    // An arm that is always before the camera is no reason not to look at all.
    if ((s->asks->arms_aside ? seen : clear) < s->asks->clear_view) {
        note_view(s, clear, hidden_by);
        return false;
    }
    // A spot costs more where part of the region is hidden or out of the picture's middle, and the
    // farther it is, since a near view is more exact.
    s->seen = seen;
    *cost = (worst > VIEW_EDGE ? 3 + worst : 0) + 0.15 * distance + 5 * (1 - seen);
    return true;
}

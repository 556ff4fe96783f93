// projector/robot/actions/head.c - look_at: turns the camera, which needs no path planning.
#include "projector/robot/actions/action_int.h"

#include <math.h>

// The point of the map that the argument `at` names; false: it names none.
static bool look_target(action *act, const term *at, vec3 *out) {
    mind *m = act->m;
    double v[3];
    if (term_is(at, "point", 3)) {
        for (int i = 0; i < 3; i++)
            if (!term_number(at->args[i], &v[i]))
                return false;
        *out = v3(v[0], v[1], v[2]);
        return true;
    }
    if (at->kind == TERM_SYMBOL) {
        int64_t region = world_find_region(m->known, at->text);
        const believed_object *o = belief_find(m->belief, at->text);
        if (region >= 0) {
            const world_region *r = &m->known->regions[region];
            *out = pose_mul(belief_object(m->belief, r->body)->at, r->at).p;
            return true;
        }
        if (!o)
            return false;
        vec3 low = o->at.p, high = o->at.p;
        if (o->kind)
            shapes_bounds(o->kind->shapes, o->kind->shape_count, o->at, &low, &high);
        *out = v3_scale(v3_add(low, high), 0.5);
        snprintf(act->object, sizeof act->object, "%s", o->name);
        return true;
    }
    believed_place place;
    if (belief_resolve_location(m->belief, at, &place, NULL) != OK)
        return false;
    *out = place.at.p;
    return true;
}

// The direction of the target in the camera's picture with the head at (pan, tilt), rad.
static void target_in_picture(const mind *m, double *q, pose *links, vec3 target, double pan,
                              double tilt, double out[2]) {
    q[m->robot->pan] = pan;
    q[m->robot->tilt] = tilt;
    robot_follow(m->robot, q);
    robot_forward(m->robot, belief_robot(m->belief), q, links);
    pose eye = pose_mul(links[m->robot->camera.link], m->robot->camera.at);
    vec3 at = pose_apply(pose_inverse(eye), target);
    out[0] = atan2(at.y, at.x);
    out[1] = atan2(at.z, hypot(at.x, at.y));
}

static bool aim_camera(const mind *m, vec3 target, double head[2], double *off) {
    const robot_joint *joints[2] = {&m->robot->joints[m->robot->pan],
                                    &m->robot->joints[m->robot->tilt]};
    double *q = mem_must(m->robot->joint_count + 1, sizeof *q);
    pose *links = mem_must(m->robot->link_count + 1, sizeof *links);
    memcpy(q, belief_joints(m->belief), m->robot->joint_count * sizeof *q);
    double error_now[2] = {PI, PI};
    const double h = 1e-4;
    head[0] = head[1] = 0;
    for (int n = 0; n < 12; n++) {
        double by_pan[2], by_tilt[2];
        target_in_picture(m, q, links, target, head[0], head[1], error_now);
        target_in_picture(m, q, links, target, head[0] + h, head[1], by_pan);
        target_in_picture(m, q, links, target, head[0], head[1] + h, by_tilt);
        double a = angle_wrap(by_pan[0] - error_now[0]) / h,
               b = angle_wrap(by_tilt[0] - error_now[0]) / h;
        double c = (by_pan[1] - error_now[1]) / h, d = (by_tilt[1] - error_now[1]) / h,
               det = a * d - b * c;
        if (fabs(det) < 1e-6)
            break;
        double step[2] = {-(d * error_now[0] - b * error_now[1]) / det,
                          -(a * error_now[1] - c * error_now[0]) / det};
        for (int i = 0; i < 2; i++)
            step[i] = fmax(-0.8, fmin(0.8, step[i]));
        // The pan comes first: what lies behind seems to be above or below.
        if (n == 0 && fabs(a) > 0.5) {
            step[0] = -error_now[0] / a;
            step[1] = 0;
        }
        for (int i = 0; i < 2; i++)
            head[i] = fmax(joints[i]->lower, fmin(joints[i]->upper, head[i] + step[i]));
    }
    target_in_picture(m, q, links, target, head[0], head[1], error_now);
    free(q);
    free(links);
    *off = hypot(error_now[0], error_now[1]);
    return *off < 0.15;
}

// A camera that does not turn looks at what lies in its picture.
static status look_without_turning(action *act, vec3 target) {
    const mind *m = act->m;
    const robot_camera *c = &m->robot->camera;
    if (!c->name)
        return action_refuse(act, "manipulation_pose_unreachable", NULL,
                             "the robot has no camera to look with");
    vec3 at = pose_apply(pose_inverse(pose_mul(belief_links(m->belief)[c->link], c->at)), target);
    double left = atan2(at.y, at.x), up = atan2(at.z, hypot(at.x, at.y));
    if (at.x <= 0 || fabs(left) > c->fov_x / 2 || fabs(up) > c->fov_y / 2)
        return action_refuse(
            act, "manipulation_pose_unreachable", NULL,
            "the camera does not turn, and the point lies %.0f degrees to the %s of and %.0f "
            "degrees %s the middle of its picture",
            fabs(left) * 180 / PI, left > 0 ? "left" : "right", fabs(up) * 180 / PI,
            up > 0 ? "above" : "below");
    act->motion.axes = 0;
    trajectory_add(&act->motion, (const double[AXES_MAX]){0}, v3(0, 0, 0), true);
    action_start_motion(act, &(motion_limits){0});
    return OK;
}

// The head's joint that is closest to a limit keeps the camera from the point by `off` rad.
static status refuse_look(action *act, const double head[2], double off) {
    const robot_model *r = act->m->robot;
    const robot_joint *joints[2] = {&r->joints[r->pan], &r->joints[r->tilt]};
    double room[2];
    for (int i = 0; i < 2; i++)
        room[i] = fmin(head[i] - joints[i]->lower, joints[i]->upper - head[i]);
    return action_refuse(act, "manipulation_pose_unreachable", NULL,
                         "the head cannot turn to it from here; closest: %s at its limit, %.0f "
                         "degrees short of it",
                         joints[room[1] < room[0]]->name, off * 180 / PI);
}

status look_at_begin(action *act, const action_argument *args, size_t count) {
    mind *m = act->m;
    const term *at = action_argument_find(args, count, "at");
    vec3 target;
    double head[2];
    bool turns = m->robot->pan >= 0 && m->robot->tilt >= 0;
    if (!look_target(act, at, &target))
        return action_refuse_target(act, at);
    snprintf(act->location, sizeof act->location, "point(%.4f, %.4f, %.4f)", target.x, target.y,
             target.z);
    if (!turns)
        return look_without_turning(act, target);
    double off;
    if (!aim_camera(m, target, head, &off))
        return refuse_look(act, head, off);
    act->motion.axes = 2;
    act->joints[0] = (size_t)m->robot->pan;
    act->joints[1] = (size_t)m->robot->tilt;
    const double now[2] = {belief_joints(m->belief)[act->joints[0]],
                           belief_joints(m->belief)[act->joints[1]]};
    joints_add_line(act, now, head);
    motion_limits limits;
    motion_limits_init(&limits, m, act->joints, 2);
    action_start_motion(act, &limits);
    return OK;
}

// query/builtins/poses.c - poses as terms, and the builtins about poses and footprints.
#include <math.h>
#include "query/builtins/builtin.h"
#include "query/log/signals_int.h"

bool pose_from_value(const values *v, value x, pose *out, bool *planar) {
    if (value_kind(x) != VALUE_COMPOUND)
        return false;
    uint32_t n = values_arity(v, x);
    const char *name = values_text(v, values_functor(v, x));
    double k[7];
    bool is_pose = strcmp(name, "pose") == 0 && (n == 3 || n == 7),
         is_planar = strcmp(name, "pose2") == 0 && n == 3;
    if (!is_pose && !is_planar)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!values_number(v, values_args(v, x)[i], &k[i]))
            return false;
    }
    *planar = n == 3;
    *out = *planar ? pose_planar(k[0], k[1], k[2])
                   : (pose){{k[0], k[1], k[2]}, {k[3], k[4], k[5], k[6]}};
    return true;
}

static value pose_to_value(values *v, pose p) {
    double k[7] = {p.p.x, p.p.y, p.p.z, p.q.w, p.q.x, p.q.y, p.q.z};
    value args[7];
    for (int i = 0; i < 7; i++) {
        if (!isfinite(k[i]))
            return VALUE_NONE;
        args[i] = values_float(v, k[i]);
    }
    return values_compound(v, "pose", 7, args);
}

static status answer_pose(builtin_call *c, uint32_t at, pose p) {
    value out = pose_to_value(c->values, p);
    return builtin_answer(c, at, &out, 1);
}

// Ends a builtin whose reading failed.
static status fail_read(builtin_call *c) {
    if (c->signals->failed != OK && c->err && c->signals->err.text[0])
        *c->err = c->signals->err;
    return c->signals->failed;
}

static bool in_domain(const builtin_call *c, nanos t) {
    return t >= 0 && t <= c->end + 1;
}

status builtin_pose(builtin_call *c) {
    nanos t;
    pose p;
    if (signals_prepare(c->signals) != OK || !builtin_time(c, 1, &t) || !in_domain(c, t))
        return fail_read(c);
    thing *o = signals_thing(c->signals, c->args[0]);
    return o && signals_pose_alone(c->signals, o, t, &p) ? answer_pose(c, 2, p) : fail_read(c);
}

status builtin_relative_pose(builtin_call *c) {
    nanos t;
    pose p, q;
    if (signals_prepare(c->signals) != OK || !builtin_time(c, 2, &t) || !in_domain(c, t))
        return fail_read(c);
    thing *o = signals_thing(c->signals, c->args[0]), *in = signals_thing(c->signals, c->args[1]);
    if (!o || !in || !signals_pose_alone(c->signals, o, t, &p) ||
        !signals_pose_alone(c->signals, in, t, &q))
        return fail_read(c);
    return answer_pose(c, 3, pose_mul(pose_inverse(q), p));
}

status builtin_believed_pose(builtin_call *c) {
    nanos t;
    pose p;
    if (signals_prepare(c->signals) != OK || !builtin_time(c, 2, &t) || !in_domain(c, t))
        return fail_read(c);
    if (!signals_believed_pose(c->signals, c->args[0], c->args[1], t, 0, &p))
        return fail_read(c);
    return answer_pose(c, 3, p);
}

static status answer_numbers(builtin_call *c, uint32_t at, const double *k, uint32_t count) {
    value out[8];
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(k[i]))
            return OK;
        out[i] = values_float(c->values, k[i]);
    }
    return builtin_answer(c, at, out, count);
}

status builtin_pose_parts(builtin_call *c) {
    pose p;
    bool planar;
    if (!pose_from_value(c->values, c->args[0], &p, &planar))
        return OK;
    return answer_numbers(c, 1, (double[]){p.p.x, p.p.y, p.p.z, p.q.w, p.q.x, p.q.y, p.q.z}, 7);
}

status builtin_planar(builtin_call *c) {
    pose p;
    bool planar;
    if (!pose_from_value(c->values, c->args[0], &p, &planar))
        return OK;
    return answer_numbers(c, 1, (double[]){p.p.x, p.p.y, quat_yaw(p.q)}, 3);
}

status builtin_pose_compose(builtin_call *c) {
    pose p, q;
    bool planar;
    if (!pose_from_value(c->values, c->args[0], &p, &planar) ||
        !pose_from_value(c->values, c->args[1], &q, &planar))
        return OK;
    return answer_pose(c, 2, pose_mul(p, q));
}

status builtin_pose_inverse(builtin_call *c) {
    pose p;
    bool planar;
    return pose_from_value(c->values, c->args[0], &p, &planar) ? answer_pose(c, 1, pose_inverse(p))
                                                               : OK;
}

// Gives the distance and the angle of two poses, in the plane when one of them is planar.
static bool compare_poses(const builtin_call *c, double *distance, double *angle) {
    pose p, q;
    bool flat_p, flat_q;
    if (!pose_from_value(c->values, c->args[0], &p, &flat_p) ||
        !pose_from_value(c->values, c->args[1], &q, &flat_q))
        return false;
    if (flat_p || flat_q) {
        *distance = hypot(p.p.x - q.p.x, p.p.y - q.p.y);
        *angle = fabs(angle_wrap(quat_yaw(p.q) - quat_yaw(q.q)));
    } else {
        *distance = v3_distance(p.p, q.p);
        *angle = quat_angle(p.q, q.q);
    }
    return true;
}

status builtin_near(builtin_call *c) {
    double distance, angle, within;
    bool near = compare_poses(c, &distance, &angle) &&
                values_number(c->values, c->args[2], &within) && distance <= within;
    return near ? builtin_emit(c, c->args) : OK;
}

status builtin_near_angle(builtin_call *c) {
    double distance, angle, within, turned;
    bool near =
        compare_poses(c, &distance, &angle) && values_number(c->values, c->args[2], &within) &&
        values_number(c->values, c->args[3], &turned) && distance <= within && angle <= turned;
    return near ? builtin_emit(c, c->args) : OK;
}

status builtin_pose_distance(builtin_call *c) {
    double distance, angle;
    return compare_poses(c, &distance, &angle) ? answer_numbers(c, 2, &distance, 1) : OK;
}

status builtin_pose_angle(builtin_call *c) {
    double distance, angle;
    return compare_poses(c, &distance, &angle) ? answer_numbers(c, 2, &angle, 1) : OK;
}

static status test_pair(builtin_call *c, double (*measure)(signals *, thing *, thing *, nanos),
                        bool region) {
    nanos t;
    if (signals_prepare(c->signals) != OK || !builtin_time(c, 2, &t) || !in_domain(c, t))
        return fail_read(c);
    thing *a = signals_thing(c->signals, c->args[0]), *b = signals_thing(c->signals, c->args[1]);
    if (!a || !b || (region && strcmp(b->kind, "region") != 0))
        return fail_read(c);
    double d = measure(c->signals, a, b, t);
    return c->signals->failed == OK && d <= 0 ? builtin_emit(c, c->args) : fail_read(c);
}

status builtin_footprints_overlap(builtin_call *c) {
    return test_pair(c, things_footprint_gap, false);
}

status builtin_footprint_contains(builtin_call *c) {
    nanos t;
    double x, y;
    if (signals_prepare(c->signals) != OK || !builtin_time(c, 3, &t) || !in_domain(c, t) ||
        !values_number(c->values, c->args[1], &x) || !values_number(c->values, c->args[2], &y))
        return fail_read(c);
    thing *o = signals_thing(c->signals, c->args[0]);
    bool holds = o && thing_covers(c->signals, o, t, x, y);
    return c->signals->failed == OK && holds ? builtin_emit(c, c->args) : fail_read(c);
}

status builtin_within_region(builtin_call *c) {
    return test_pair(c, region_margin, true);
}

status builtin_over_region(builtin_call *c) {
    return test_pair(c, region_footprint_gap, true);
}

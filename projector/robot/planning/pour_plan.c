// projector/robot/planning/pour_plan.c - pouring: what the hand holds leans over a container about
// its own lip, which stays over the mouth.
//
// With u the horizontal direction in which it leans, t the lean and H its height, the lip stays
// `setback` before the middle of the mouth and so high over the rim that nothing comes closer to
// the rim than m. What could is the wall, the pads that lie against it and the palm behind them:
// each a bulge that stands out from the wall by w, from a below the lip on, and passes over the
// container's near edge, which is d before the lip there:
//   t < 90 degrees   h = min((d cos t + w + m) / sin t, H cos t + w sin t + m)
//                    where a sin t - w cos t < d, else nothing of it is over the container
//   from there on    h = max(0, w sin t + a cos t) + m
#include "projector/robot/planning/pour_plan.h"

#include <math.h>

static const double OVER = 0.010;  // m, distance m of the formula
static const double STEP = 0.05;   // rad, between poses of the way
static const double SETBACK = 0.4; // of the mouth's half width

// How high over the rim the lip must be at a lean, m.
static double lip_height(const pouring *p, double lean) {
    double c = cos(lean), s = sin(lean), most = 0;
    for (size_t k = 0; k < p->bulge_count; k++) {
        const bulge *b = &p->bulges[k];
        double h = fmax(0, b->w * s + b->a * c);
        if (c > 0)
            h = b->a * s - b->w * c >= b->d
                    ? 0
                    : fmin(s > 1e-6 ? (b->d * c + b->w) / s : INFINITY, p->height * c + b->w * s);
        most = fmax(most, h + OVER / (c > 0 ? fmax(s, 0.5) : 1));
    }
    return most;
}

pose pouring_tool(const pouring *p, double lean) {
    double setback = SETBACK * p->half;
    vec3 axis = v3_cross(v3(0, 0, 1), p->u);
    pose object = {v3(0, 0, 0), quat_unit(quat_mul(quat_axis_angle(axis, lean), p->upright))};
    vec3 lip = v3_add(p->mouth, v3(-setback * p->u.x, -setback * p->u.y, lip_height(p, lean)));
    object.p = v3_sub(lip, quat_rotate(object.q, p->lip));
    return pose_mul(object, pose_inverse(p->in_hand));
}

pose pouring_way_pose(const void *pour, int n) {
    const pouring *p = pour;
    return pouring_tool(p, p->from + (p->to - p->from) * n / p->steps);
}

void pouring_set_way(pouring *p, double from, double to) {
    p->from = from;
    p->to = to;
    p->steps = (int)fmax(4, ceil(fabs(to - from) / STEP));
}

bool pouring_init(pouring *p, const mind *m, size_t arm, const held *h,
                  const believed_object *into) {
    const robot_gripper *g = &m->robot->arms[arm].gripper;
    vec3 low, high;
    *p = (pouring){.in_hand = h->in_hand};
    p->halves[0] =
        v3(g->pad_size.x / 2, hand_opening(m, arm) / 2 + g->pad_size.y, g->pad_size.z / 2);
    p->halves[1] = v3_scale(g->palm_size, 0.5);
    p->centers[1] = v3_sub(g->palm_center, v3(0, 0, g->pad_center_z));
    if (!h->kind || !into->kind ||
        !shapes_bounds(into->kind->shapes, into->kind->shape_count, into->at, &low, &high))
        return false;
    p->mouth = v3((low.x + high.x) / 2, (low.y + high.y) / 2, high.z);
    p->out = fmax(high.x - low.x, high.y - low.y) / 2;
    p->half = p->out;
    const shape *inside = &into->kind->interior;
    pose at = pose_mul(into->at, inside->at);
    if (into->kind->has_interior && shapes_bounds(inside, 1, into->at, &low, &high)) {
        p->mouth.x = at.p.x;
        p->mouth.y = at.p.y;
        p->half = fmin(high.x - low.x, high.y - low.y) / 2;
    }
    return true;
}

// The bulge that pads (0) or palm (1) make between wall and container when the object leans to
// `side` (its own frame); false: they make none.
static bool stands_out(const pouring *p, int which, vec3 side, bulge *out) {
    pose tool = pose_inverse(p->in_hand);
    vec3 at = pose_apply(tool, p->centers[which]), half = p->halves[which];
    const vec3 axes[3] = {side, v3(0, 0, 1), v3_cross(v3(0, 0, 1), side)};
    double extent[3];
    for (int i = 0; i < 3; i++) {
        vec3 v = quat_rotate(quat_inverse(tool.q), axes[i]);
        extent[i] = fabs(v.x) * half.x + fabs(v.y) * half.y + fabs(v.z) * half.z;
    }
    double beside = fmax(0, fabs(v3_dot(at, axes[2])) - extent[2]);
    out->w = v3_dot(at, side) + extent[0] - v3_dot(p->lip, side);
    out->a = fmax(0, p->lip.z - at.z - extent[1]);
    double kept = p->out + OVER;
    out->d = (beside < kept ? sqrt(kept * kept - beside * beside) : 0) - SETBACK * p->half;
    return out->w > 0 && beside < kept;
}

bool pouring_aim(pouring *p, const held *h, vec3 u, quat upright) {
    vec3 low, high, own = quat_rotate(quat_inverse(upright), u);
    p->u = u;
    p->upright = upright;
    double angle = atan2(own.y, own.x);
    pose turned = pose_planar(0, 0, -angle);
    if (!shapes_bounds(h->kind->shapes, h->kind->shape_count, turned, &low, &high))
        return false;
    p->lip = v3(high.x * cos(angle), high.x * sin(angle), high.z);
    p->height = high.z - low.z;
    double setback = SETBACK * p->half;
    p->bulges[0] = (bulge){0, 0, p->out - setback};
    p->bulge_count = 1;
    for (int k = 0; k < 2; k++) {
        bulge b;
        if (stands_out(p, k, v3(cos(angle), sin(angle), 0), &b))
            p->bulges[p->bulge_count++] = b;
    }
    return true;
}

quat pouring_upright(const held *h, pose tool, double yaw) {
    quat q = quat_mul(tool.q, h->in_hand.q);
    vec3 up = quat_rotate(q, h->kind->up), axis = v3_cross(up, v3(0, 0, 1));
    double sine = v3_length(axis);
    if (sine > 1e-6)
        q = quat_mul(quat_axis_angle(v3_scale(axis, 1 / sine), atan2(sine, up.z)), q);
    return quat_unit(quat_mul(quat_axis_angle(v3(0, 0, 1), yaw), q));
}

vec3 pouring_direction(const held *h, quat upright, int k) {
    quat tool = quat_mul(upright, quat_inverse(h->in_hand.q));
    vec3 approach = quat_rotate(tool, v3(0, 0, 1));
    if (hypot(approach.x, approach.y) < 0.5)
        approach = quat_rotate(tool, v3(1, 0, 0));
    double angle = atan2(approach.y, approach.x) + (k < 2 ? PI / 2 : 0) + (k % 2) * PI;
    return v3(cos(angle), sin(angle), 0);
}

bool pouring_start(arm_scene *s, const double *first, const pouring *p, double q[AXES_MAX]) {
    if (!arm_solve(s, pouring_tool(p, p->from), first, first ? 3 : 2, q) || !arm_stands(s, q, 0))
        return false;
    knot_array knots = {0};
    bool all = arm_follow(s, q, pouring_way_pose, p, p->steps, &knots);
    array_finish(&knots);
    return all;
}

bool arm_pours(arm_scene *s, const held *h, const believed_object *into, double q[AXES_MAX]) {
    pouring p;
    if (!pouring_init(&p, s->m, s->arm, h, into))
        return false;
    pose frames[FRAMES];
    chain_forward(&s->chain, s->chain.rest, frames);
    pouring_set_way(&p, 0, POUR_LEAN_MAX);
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < POUR_TURNS; n++) {
            quat upright = pouring_upright(h, frames[TOOL], 2 * PI * n / POUR_TURNS);
            if (pouring_aim(&p, h, pouring_direction(h, upright, k), upright) &&
                pouring_start(s, NULL, &p, q))
                return true;
        }
    return false;
}

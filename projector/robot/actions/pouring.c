// Pouring: what the hand holds leans over a container about its own lip, which stays over the
// mouth.
//
// With u the horizontal direction in which it leans, t the lean and H its height, the lip stays
// `setback` before the middle of the mouth and so high over the rim that nothing comes closer to
// the rim than m. What could is the wall, the pads that lie against it and the palm behind them:
// each a bulge that stands out from the wall by w, from a below the lip on, and passes over the
// container's near edge, which is d before the lip there:
//   t < 90 degrees   h = min((d cos t + w + m) / sin t, H cos t + w sin t + m)
//                    where a sin t - w cos t < d, else nothing of it is over the container
//   from there on    h = max(0, w sin t + a cos t) + m
#include "projector/robot/actions/arm_motion.h"

#include <math.h>

enum { TURNS = 16, BULGES = 3 };
static const double OVER = 0.010;   // m, m
static const double MOST = 2.1;     // rad, that it may lean
static const double STEP = 0.05;    // rad, between poses of the way
static const double SETBACK = 0.4;  // of the mouth's half width
static const double UPRIGHT = 0.15; // rad: leans less than this
// m, kept from other things: where a way is chosen, at first and where nothing else will do, and on
// it
static const double CHOICE_MARGINS[] = {0.010, 0.004}, MARGIN = 0.001;

typedef struct bulge {
    double a, w, d; // m
} bulge;

typedef struct pouring {
    vec3 u;        // map, unit, horizontal
    quat upright;  // of what is held, not leaning
    vec3 lip;      // in its own frame
    double height; // H, m
    bulge bulges[BULGES];
    size_t bulge_count;
    vec3 mouth;                 // middle of the container's rim
    double half, out;           // half widths of its mouth and of its rim
    pose in_hand;               // of what is held
    vec3 centers[2], halves[2]; // of pads (both together) and palm, in the tool's frame
    double from, to;            // the lean, rad
    int steps;
} pouring;

// How high over the rim the lip must be.
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

// The tool's pose where what is held leans by `lean`.
static pose pour_pose(const pouring *p, double lean) {
    double setback = SETBACK * p->half;
    vec3 axis = v3_cross(v3(0, 0, 1), p->u);
    pose object = {v3(0, 0, 0), quat_unit(quat_mul(quat_axis_angle(axis, lean), p->upright))};
    vec3 lip = v3_add(p->mouth, v3(-setback * p->u.x, -setback * p->u.y, lip_height(p, lean)));
    object.p = v3_sub(lip, quat_rotate(object.q, p->lip));
    return pose_mul(object, pose_inverse(p->in_hand));
}

static pose pose_on_way(const void *pour, int n) {
    const pouring *p = pour;
    return pour_pose(p, p->from + (p->to - p->from) * n / p->steps);
}

static void set_way(pouring *p, double from, double to) {
    p->from = from;
    p->to = to;
    p->steps = (int)fmax(4, ceil(fabs(to - from) / STEP));
}

// Where to and what from, but for `u` and `upright`. False: what the hand holds or should pour into
// has no shape.
static bool pouring_init(pouring *p, const mind *m, size_t arm, const held *h,
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

// What of the hand, pads or palm, comes between wall and container when it leans to `side` (its own
// frame); false: it does not.
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

// Leaning along `u`, what is held turned as `upright`.
static bool aim(pouring *p, const held *h, vec3 u, quat upright) {
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

// The object's turn in the map without its lean, the hand at `tool`.
static quat upright_of(const held *h, pose tool, double yaw) {
    quat q = quat_mul(tool.q, h->in_hand.q);
    vec3 up = quat_rotate(q, h->kind->up), axis = v3_cross(up, v3(0, 0, 1));
    double sine = v3_length(axis);
    if (sine > 1e-6)
        q = quat_mul(quat_axis_angle(v3_scale(axis, 1 / sine), atan2(sine, up.z)), q);
    return quat_unit(quat_mul(quat_axis_angle(v3(0, 0, 1), yaw), q));
}

// The k-th of four directions in which it can lean: to the hand's sides first, then the others.
static vec3 lean_direction(const held *h, quat upright, int k) {
    quat tool = quat_mul(upright, quat_inverse(h->in_hand.q));
    vec3 approach = quat_rotate(tool, v3(0, 0, 1));
    if (hypot(approach.x, approach.y) < 0.5)
        approach = quat_rotate(tool, v3(1, 0, 0));
    double angle = atan2(approach.y, approach.x) + (k < 2 ? PI / 2 : 0) + (k % 2) * PI;
    return v3(cos(angle), sin(angle), 0);
}

// The posture at the beginning of a way that can be followed to its end.
static bool can_pour(arm_scene *s, const double *first, const pouring *p, double q[AXES_MAX]) {
    if (!ik_solve(&s->chain, pour_pose(p, p->from), first, s->key, first ? 3 : 2, q) ||
        !arm_free(s, q))
        return false;
    knot_array knots = {0};
    bool all = arm_follow(s, q, pose_on_way, p, p->steps, &knots);
    array_finish(&knots);
    return all;
}

bool arm_pours(arm_scene *s, const held *h, const believed_object *into, double q[AXES_MAX]) {
    pouring p;
    if (!pouring_init(&p, s->m, s->arm, h, into))
        return false;
    pose frames[FRAMES];
    chain_forward(&s->chain, s->chain.rest, frames);
    set_way(&p, 0, MOST);
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < TURNS; n++) {
            quat upright = upright_of(h, frames[TOOL], 2 * PI * n / TURNS);
            if (aim(&p, h, lean_direction(h, upright, k), upright) && can_pour(s, NULL, &p, q))
                return true;
        }
    return false;
}

// Postures over the container from which it can lean all the way.
static size_t find_pourings(arm_motion *a, pouring *p, double margin, way *ways, size_t most) {
    size_t found = 0;
    arm_scene s;
    arm_motion_scene(a, &s, a->h.name, margin);
    pose frames[FRAMES];
    chain_forward(&s.chain, a->q0, frames);
    for (int k = 0; k < 4 && (k != 2 || found == 0); k++)
        for (int n = 0; n < TURNS && found < most; n++) {
            quat upright = upright_of(&a->h, frames[TOOL], 2 * PI * n / TURNS);
            way *w = &ways[found];
            *w = (way){0};
            if (!aim(p, &a->h, lean_direction(&a->h, upright, k), upright))
                continue;
            if (!can_pour(&s, a->q0, p, w->q)) {
                arm_motion_note(a, &s);
                continue;
            }
            w->cost = arm_posture_cost(&s.chain, a->q0, w->q);
            found++;
        }
    arm_scene_finish(&s);
    return found;
}

status plan_pour_over(arm_motion *a, const believed_object *into) {
    enum { FOUND = 6 };
    pouring p;
    way ways[FOUND];
    size_t found = 0;
    if (!pouring_init(&p, a->act->m, a->act->arm, &a->h, into))
        return arm_motion_refuse(a, "the hand holds nothing to pour from");
    set_way(&p, 0, MOST);
    for (int pass = 0; pass < 2 && found == 0; pass++)
        found = find_pourings(a, &p, CHOICE_MARGINS[pass], ways, FOUND);
    if (found == 0)
        return arm_motion_refuse(a, "it cannot be poured into from here");
    a->level = true;
    return arm_motion_best(a, ways, found) ? OK : arm_motion_refuse(a, "no level way to over it");
}

// As what is held leans now, or stands over the container; false: it is elsewhere.
static bool take_up(pouring *p, const held *h, pose tool, double *lean) {
    pose object = pose_mul(tool, h->in_hand);
    vec3 up = quat_rotate(object.q, h->kind->up);
    *lean = acos(fmax(-1, fmin(1, up.z)));
    quat upright = upright_of(h, tool, 0);
    if (*lean > UPRIGHT)
        return aim(p, h, v3_unit(v3(up.x, up.y, 0)), upright);
    // The one of the four directions in which it would be nearest to where it is.
    pouring best = *p;
    double least = INFINITY;
    *lean = 0;
    for (int k = 0; k < 4; k++) {
        if (!aim(p, h, lean_direction(h, upright, k), upright))
            return false;
        double d = v3_distance(pour_pose(p, 0).p, tool.p);
        if (d < least) {
            least = d;
            best = *p;
        }
    }
    *p = best;
    return true;
}

status plan_tilt(arm_motion *a, const believed_object *into, double angle) {
    pouring p;
    double lean;
    arm_scene s;
    if (!pouring_init(&p, a->act->m, a->act->arm, &a->h, into))
        return arm_motion_refuse(a, "the hand holds nothing to pour from");
    arm_motion_scene(a, &s, a->h.name, MARGIN);
    pose frames[FRAMES];
    chain_forward(&s.chain, a->q0, frames);
    clutter_relax(&s.clutter, &s.limb, frames);
    bool there = take_up(&p, &a->h, frames[TOOL], &lean) &&
                 v3_distance(pour_pose(&p, lean).p, frames[TOOL].p) < 0.06;
    bool found = false;
    if (there) {
        set_way(&p, lean, fmax(0, fmin(MOST, angle)));
        a->turned = fabs(p.to - p.from);
        found = arm_follow(&s, a->q0, pose_on_way, &p, p.steps, &a->knots);
        arm_motion_note(a, &s);
    }
    arm_scene_finish(&s);
    if (!there)
        return arm_motion_refuse(a, "what it holds is not over the container");
    return found ? OK : arm_motion_refuse(a, "it cannot lean so far over the container");
}

// projector/robot/grasping/grasp.c - the grasps of an object, and the force that holds it.
#include "projector/robot/grasping/grasp.h"

#include <math.h>

static quat from_columns(vec3 x, vec3 y, vec3 z) {
    mat3 r;
    const vec3 columns[3] = {x, y, z};
    for (int c = 0; c < 3; c++) {
        r.m[0][c] = columns[c].x;
        r.m[1][c] = columns[c].y;
        r.m[2][c] = columns[c].z;
    }
    return quat_from_matrix(&r);
}

quat hand_pointing_down(double yaw) {
    vec3 y = v3(cos(yaw), sin(yaw), 0), z = v3(0, 0, -1);
    return from_columns(v3_cross(y, z), y, z);
}

// The orientation of a level hand that comes from the direction `angle`, its x axis up.
static quat pointing_in(double angle) {
    vec3 z = v3(-cos(angle), -sin(angle), 0), x = v3(0, 0, 1);
    return from_columns(x, v3_cross(z, x), z);
}

// Whether a body is round, so that a hand that takes its whole width may be turned in any way.
static bool round_body(const body_type *kind) {
    for (size_t k = 0; k < kind->shape_count; k++)
        if (kind->shapes[k].kind == SHAPE_BOX || kind->shapes[k].kind == SHAPE_MESH)
            return false;
    return kind->shape_count > 0;
}

// How far an object may reach in between the pads, from their centre towards the palm, m.
static double depth_of_hand(const robot_gripper *g) {
    return g->pad_center_z - g->palm_center.z - g->palm_size.z / 2;
}

// ---- Ways to take hold --------------------------------------------------------------------------
// Grasps of one object while they are collected.
typedef struct ways_out {
    const mind *m;
    const believed_object *o;
    grasp_pose *out;
    size_t count;
} ways_out;

static void add_way(ways_out *w, const grasp_way *way, pose local, double opening) {
    if (w->count >= GRASPS_MAX)
        return;
    pose tool = pose_mul(w->o->at, local);
    w->out[w->count++] = (grasp_pose){tool, pose_mul(pose_inverse(tool), w->o->at), opening, way};
}

// Height of the pads' centres over the object's origin in a grasp from above, m.
static double top_height(const body_type *kind, const grasp_way *way, const robot_gripper *g) {
    double half = g->pad_size.z / 2, tip = way->low + half + 0.003;
    double z = fmax(tip, (way->low + way->high) / 2);
    vec3 low, high;
    // The palm stays clear of the top.
    if (shapes_bounds(kind->shapes, kind->shape_count, POSE_IDENTITY, &low, &high))
        z = fmax(z, high.z - depth_of_hand(g) + 0.005);
    return z;
}

static void add_top(ways_out *w, const grasp_way *way, const robot_gripper *g, double opening) {
    const body_type *kind = w->o->kind;
    double z = top_height(kind, way, g);
    bool rim = way->radius > 0, whole_round = !rim && round_body(kind);
    size_t turns = !rim ? (whole_round ? 8 : 2) : way->facets > 0 ? way->facets : 8;
    // The hand points straight down even where the object leans.
    pose upright = {w->o->at.p, quat_axis_angle(v3(0, 0, 1), quat_yaw(w->o->at.q))};
    pose lean = pose_mul(pose_inverse(w->o->at), upright);
    for (size_t k = 0; k < turns; k++) {
        double angle = rim           ? 2 * PI * (double)k / (double)turns
                       : whole_round ? PI * (double)k / (double)turns
                                     : PI / 2 + (double)k * PI;
        vec3 local = v3(way->radius * cos(angle), way->radius * sin(angle), z);
        // The gripper has two sides that are alike: either may be the outer one.
        for (int side = 0; side < (rim ? 2 : 1); side++) {
            quat turn = quat_mul(lean.q, hand_pointing_down(angle + side * PI));
            add_way(w, way, (pose){local, turn}, opening);
        }
    }
}

// How far before the body's axis the pads' centres stay when the hand comes from `angle`, m.
static double side_gap(const body_type *kind, const robot_gripper *g, double angle) {
    vec3 low, high;
    pose turned = pose_planar(0, 0, -angle);
    if (!shapes_bounds(kind->shapes, kind->shape_count, turned, &low, &high))
        return 0;
    return fmax(0, high.x + 0.004 - depth_of_hand(g));
}

static void add_side(ways_out *w, const grasp_way *way, const robot_gripper *g, double opening) {
    const body_type *kind = w->o->kind;
    size_t turns = way->facets > 0 ? way->facets : 16;
    double half = g->pad_size.x / 2, z = (way->low + way->high) / 2;
    // The hand, and the forearm behind it, need room over the surface that the object stands on.
    z = fmax(z, body_type_lowest(kind) + g->palm_size.x / 2 + 0.03);
    z = fmax(fmin(z, way->high - half), fmin(way->low + half, (way->low + way->high) / 2));
    for (size_t k = 0; k < turns; k++) {
        double angle = 2 * PI * (double)k / (double)turns, back = side_gap(kind, g, angle);
        // Round objects slip out unless they are held where they are widest.
        if (way->facets == 0 && back > g->pad_size.z / 2 - 0.004)
            continue;
        pose tool = {v3(back * cos(angle), back * sin(angle), z), pointing_in(angle)};
        add_way(w, way, tool, opening);
        tool.q = quat_mul(tool.q, quat_axis_angle(v3(0, 0, 1), PI));
        add_way(w, way, tool, opening);
    }
}

static void add_handle(ways_out *w, const grasp_way *way, double opening) {
    add_way(w, way, way->at, opening);
    pose turned = way->at;
    turned.q = quat_mul(turned.q, quat_axis_angle(v3(0, 0, 1), PI));
    add_way(w, way, turned, opening);
}

static unsigned grasp_bit(const grasp_way *way) {
    return way->kind == GRASP_TOP && way->radius > 0 ? GRASP_RIM : 1u << (unsigned)way->kind;
}

// Returns whether a way is among those that `kinds` selects.
static bool way_wanted(const grasp_way *way, unsigned kinds) {
    bool one = way->both == 0 && (kinds == 0 || kinds & grasp_bit(way));
    return (one || kinds & GRASP_ANY || (way->both > 0 && kinds & GRASP_PAIRS)) && way->width > 0;
}

static double widest(const robot_gripper *g) {
    return g->max_opening - 0.005;
}

double grasp_too_wide(const mind *m, const believed_object *o, size_t arm, unsigned kinds) {
    double least = INFINITY;
    for (size_t k = 0; o->kind && k < o->kind->grasp_count; k++)
        if (way_wanted(&o->kind->grasps[k], kinds))
            least = fmin(least, o->kind->grasps[k].width);
    return isfinite(least) && least > widest(&m->robot->arms[arm].gripper) ? least : 0;
}

// Cosine of the lean up to which an object can be taken from above and from the side.
static const double UPRIGHT = 0.95;

void grasp_none(const mind *m, const believed_object *o, size_t arm, unsigned kinds, char *out,
                size_t size) {
    size_t wanted = 0, count = o->kind ? o->kind->grasp_count : 0;
    if (count == 0) {
        snprintf(out, size, "its type has no grasps");
        return;
    }
    double wide = grasp_too_wide(m, o, arm, kinds), up = quat_rotate(o->at.q, o->kind->up).z;
    for (size_t k = 0; k < count; k++)
        wanted += way_wanted(&o->kind->grasps[k], kinds);
    if (wide > 0)
        snprintf(out, size, "it is %.0f mm wide where it can be taken, the hand opens %.0f mm",
                 1000 * wide, 1000 * m->robot->arms[arm].gripper.max_opening);
    else if (wanted > 0 && up <= UPRIGHT)
        snprintf(out, size,
                 "it cannot be grasped as it lies: it leans %.0f degrees, at most %.0f may be",
                 acos(fmax(-1, up)) * 180 / PI, acos(UPRIGHT) * 180 / PI);
    else
        snprintf(out, size,
                 "it cannot be grasped in this way: %zu of its %zu grasps are of that kind", wanted,
                 count);
}

size_t grasp_candidates(const mind *m, const believed_object *o, size_t arm, unsigned kinds,
                        grasp_pose out[GRASPS_MAX]) {
    const robot_gripper *g = &m->robot->arms[arm].gripper;
    ways_out w = {m, o, out, 0};
    if (!o->kind)
        return 0;
    bool upright = o->kind->up.z > UPRIGHT && quat_rotate(o->at.q, o->kind->up).z > UPRIGHT;
    for (size_t k = 0; k < o->kind->grasp_count; k++) {
        const grasp_way *way = &o->kind->grasps[k];
        if (!way_wanted(way, kinds) || way->width > widest(g) ||
            (!upright && way->kind != GRASP_HANDLE))
            continue;
        double opening = fmin(g->max_opening, way->width + 0.045);
        switch (way->kind) {
        case GRASP_TOP:
            add_top(&w, way, g, opening);
            break;
        case GRASP_SIDE:
            add_side(&w, way, g, opening);
            break;
        case GRASP_HANDLE:
            add_handle(&w, way, opening);
            break;
        }
    }
    return w.count;
}

// How far to the left of the base's middle an arm is mounted, m.
static double shoulder_side(const mind *m, size_t arm) {
    const robot_arm *a = &m->robot->arms[arm];
    pose at = belief_links(m->belief)[m->robot->joints[a->joints[0]].child];
    return pose_apply(pose_inverse(belief_robot(m->belief)), at.p).y;
}

size_t grasp_of_pair(const mind *m, const believed_object *o, pose base, size_t arm,
                     grasp_pose out[GRASPS_MAX]) {
    if (m->robot->arm_count < 2 || arm > 1)
        return 0;
    size_t count = grasp_candidates(m, o, arm, GRASP_PAIRS, out), kept = 0;
    const grasp_way *first = count ? out[0].way : NULL, *mine = NULL;
    pose here = pose_mul(pose_inverse(base), o->at);
    bool left = shoulder_side(m, arm) > shoulder_side(m, 1 - arm);
    double best = 0;
    for (size_t k = 0; k < count; k++) {
        double side = pose_apply(here, out[k].way->at.p).y;
        if (out[k].way->both == first->both && (!mine || (left ? side > best : side < best))) {
            mine = out[k].way;
            best = side;
        }
    }
    for (size_t k = 0; k < count; k++)
        if (out[k].way == mine)
            out[kept++] = out[k];
    return count > kept ? kept : 0;
}

bool grasp_from_behind(const grasp_pose *g, vec3 base) {
    vec3 approach = quat_rotate(g->tool.q, v3(0, 0, 1)), way = v3_sub(g->tool.p, base);
    approach.z = way.z = 0;
    return g->way->kind == GRASP_SIDE && v3_dot(approach, v3_unit(way)) < 0.2;
}

pose grasp_before(pose tool, double distance) {
    tool.p = v3_sub(tool.p, quat_rotate(tool.q, v3(0, 0, distance)));
    return tool;
}

bool grasp_jointed(const mind *m, const believed_object *o) {
    for (size_t k = 0; o->body >= 0 && k < m->known->joint_count; k++)
        if (m->known->joints[k].body == (size_t)o->body)
            return true;
    return false;
}

const grasp_name grasp_names[GRASP_NAMES] = {{"top", 1u << GRASP_TOP},
                                             {"rim", GRASP_RIM},
                                             {"side", 1u << GRASP_SIDE},
                                             {"handle", 1u << GRASP_HANDLE}};

bool grasp_kinds(const term *t, unsigned *out) {
    *out = 0;
    if (!t || term_is_symbol(t, "any"))
        return true;
    int64_t length = term_list_length(t);
    for (int64_t i = 0; i < length; i++) {
        unsigned one;
        if (!grasp_kinds(term_list_item(t, (size_t)i), &one) || one == 0)
            return false;
        *out |= one;
    }
    for (size_t k = 0; k < GRASP_NAMES; k++)
        if (term_is_symbol(t, grasp_names[k].name))
            *out = grasp_names[k].bit;
    return *out != 0;
}

double grasp_opening(const mind *m, const believed_object *o, size_t arm, unsigned kinds,
                     pose tool) {
    grasp_pose all[GRASPS_MAX];
    size_t count = grasp_candidates(m, o, arm, kinds ? kinds : GRASP_ANY, all);
    // What has handles for two hands only is taken by one of them.
    if (count == 0)
        count = grasp_candidates(m, o, arm, GRASP_PAIRS, all);
    double widest = -1, least = 0.12, opening = -1;
    for (size_t k = 0; k < count; k++) {
        widest = fmax(widest, all[k].opening);
        // The tool counts as at the grasp anywhere on the last 10 cm of the approach.
        vec3 off = quat_rotate(quat_inverse(all[k].tool.q), v3_sub(tool.p, all[k].tool.p));
        off.z = off.z > 0 ? off.z : fmin(0, off.z + 0.10);
        double d = v3_length(off) + 0.2 * quat_angle(all[k].tool.q, tool.q);
        if (d < least) {
            least = d;
            opening = all[k].opening;
        }
    }
    return opening < 0 ? widest : opening;
}

double grasp_release(const mind *m, size_t arm, const held *h) {
    const believed_object *o = h->name ? belief_find(m->belief, h->name) : NULL;
    double asked = o ? grasp_opening(m, o, arm, 0, pose_mul(o->at, pose_inverse(h->in_hand))) : -1;
    double most = m->robot->arms[arm].gripper.max_opening;
    return asked < 0 ? most : fmin(asked, most);
}

const grasp_pose *grasp_nearest(const grasp_pose *all, size_t count, pose tool) {
    const grasp_pose *best = NULL;
    double least = INFINITY;
    for (size_t k = 0; k < count; k++) {
        double d = v3_distance(all[k].tool.p, tool.p) + 0.2 * quat_angle(all[k].tool.q, tool.q);
        if (d < least) {
            least = d;
            best = &all[k];
        }
    }
    return least < 0.15 ? best : NULL;
}

// ---- Force --------------------------------------------------------------------------------------
double grasp_force(const mind *m, const body_type *kind, const grasp_way *way, const load *riders,
                   size_t arm, double a) {
    const robot_gripper *g = &m->robot->arms[arm].gripper;
    double gravity = v3_length(m->known->gravity);
    if (!way && kind->grasp_count > 0)
        way = &kind->grasps[0];
    if (!way)
        return g->max_force / 2;
    // The friction is what the robot believes of its pads: it does not know the true pairs of
    // materials.
    double mu = fmax(g->believed_friction, 1e-3), mass = kind->mass;
    vec3 center = kind->com;
    if (riders && riders->mass > 0) {
        center = v3_scale(v3_add(v3_scale(center, mass), v3_scale(riders->com, riders->mass)),
                          1 / (mass + riders->mass));
        mass += riders->mass;
    }
    double band = way->high - way->low, across = g->pad_size.x, along = g->pad_size.z;
    pose tool = way->at;
    if (way->kind == GRASP_TOP) {
        tool = (pose){v3(way->radius, 0, center.z), hand_pointing_down(0)};
        along = band > 0 ? fmin(along, band) : along;
    } else if (way->kind == GRASP_SIDE) {
        tool = (pose){v3(side_gap(kind, g, 0), 0, center.z), pointing_in(0)};
        across = band > 0 ? fmin(across, band) : across;
    }
    vec3 arm_of_load = v3_sub(center, tool.p);
    if (way->both > 0) {
        // Two hands share the weight; only the centre of mass's distance from the line between them
        // turns the object.
        mass /= 2;
        for (size_t k = 0; k < kind->grasp_count; k++) {
            const grasp_way *other = &kind->grasps[k];
            vec3 line = v3_sub(other->at.p, way->at.p);
            if (other->both != way->both || other == way || v3_length(line) < 1e-6)
                continue;
            line = v3_unit(line);
            arm_of_load = v3_sub(arm_of_load, v3_scale(line, v3_dot(arm_of_load, line)));
        }
    }
    vec3 weight = v3_scale(kind->up, -mass * gravity);
    vec3 moment = quat_rotate(quat_inverse(tool.q), v3_cross(arm_of_load, weight));
    double slide = mass * (gravity + a) / (2 * mu);
    double spin = fabs(moment.y) / (2 * mu * hypot(across, along) / 4);
    double turn = fmax(2 * fabs(moment.x) / along, 2 * fabs(moment.z) / across);
    return fmin(g->max_force, fmax(5, 1.5 * fmax(slide + spin, turn)));
}

bool rides_on(const mind *m, const believed_object *o, const char *carrier) {
    for (int depth = 0; depth < 16 && o && o->support; depth++) {
        if (strcmp(o->support, carrier) == 0)
            return true;
        o = belief_find(m->belief, o->support);
    }
    return false;
}

load load_on(const mind *m, const believed_object *carrier) {
    load all = {0};
    for (size_t i = 0; i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        if (!o->confirmed || !o->kind || o == carrier || !rides_on(m, o, carrier->name))
            continue;
        vec3 com = pose_apply(pose_inverse(carrier->at), pose_apply(o->at, o->kind->com));
        all.com = v3_add(all.com, v3_scale(com, o->kind->mass));
        all.mass += o->kind->mass;
        all.count++;
    }
    if (all.mass > 0)
        all.com = v3_scale(all.com, 1 / all.mass);
    return all;
}

double riders_acceleration(const mind *m) {
    const double friction = 0.3, share = 0.5;
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        const believed_object *o = belief_held(m->belief, a, NULL);
        if (o && load_on(m, o).count > 0)
            return share * friction * v3_length(m->known->gravity);
    }
    return INFINITY;
}

pose grasp_settled(const mind *m, const believed_object *o, size_t arm, pose tool) {
    grasp_pose all[GRASPS_MAX];
    const grasp_pose *best = grasp_nearest(all, grasp_candidates(m, o, arm, GRASP_ANY, all), tool);
    pose in_hand = pose_mul(pose_inverse(tool), o->at);
    if (!best)
        return in_hand;
    // The pads centre the object between them, and flat sides lie against them.
    in_hand.p.y = best->in_hand.p.y;
    if (best->way->facets > 0 || best->way->kind == GRASP_HANDLE || !round_body(o->kind))
        in_hand.q = best->in_hand.q;
    return in_hand;
}

// How things are taken from above and where they can be put.
#include "projector/robot/robot_int.h"

#include <math.h>

// The hand pointing straight down, its fingers opening along `yaw`.
static quat pointing_down(double yaw) {
    mat3 r;
    vec3 y = v3(cos(yaw), sin(yaw), 0), z = v3(0, 0, -1), x = v3_cross(y, z);
    const vec3 columns[3] = {x, y, z};
    for (int c = 0; c < 3; c++) {
        r.m[0][c] = columns[c].x;
        r.m[1][c] = columns[c].y;
        r.m[2][c] = columns[c].z;
    }
    return quat_from_matrix(&r);
}

// Whether it is round where the fingers take its whole width, so that any turn will do.
static bool round_body(const body_type *kind) {
    for (size_t k = 0; k < kind->shape_count; k++)
        if (kind->shapes[k].kind == SHAPE_BOX)
            return false;
    return kind->shape_count > 0;
}

// Height of the pads' centres over the object's origin.
static double grasp_height(const body_type *kind, const robot_gripper *g) {
    double half = g->pad_size.z / 2, tip = kind->grasp_low + half + 0.003;
    double z = fmax(tip, (kind->grasp_low + kind->grasp_high) / 2);
    vec3 low, high;
    if (shapes_bounds(kind->shapes, kind->shape_count, POSE_IDENTITY, &low, &high)) {
        // The palm stays clear of the top.
        double under_palm = g->pad_center_z - g->palm_center.z - g->palm_size.z / 2;
        z = fmax(z, high.z - under_palm + 0.005);
    }
    return z;
}

size_t grasp_candidates(const mind *m, const believed_object *o, size_t arm,
                        grasp_pose out[GRASPS_MAX]) {
    const robot_gripper *g = &m->robot->arms[arm].gripper;
    const body_type *kind = o->kind;
    if (!kind || kind->grasp_width <= 0 || kind->grasp_width > g->max_opening - 0.005 ||
        quat_rotate(o->at.q, kind->up).z < 0.95 || kind->up.z < 0.95)
        return 0;
    double z = grasp_height(kind, g), opening = fmin(g->max_opening, kind->grasp_width + 0.045);
    double object_yaw = quat_yaw(o->at.q);
    bool rim = kind->grasp_radius > 0, whole_round = !rim && round_body(kind);
    size_t turns = !rim ? (whole_round ? 8 : 2) : kind->grasp_facets > 0 ? kind->grasp_facets : 8;
    size_t count = 0;
    for (size_t k = 0; k < turns && count < GRASPS_MAX; k++) {
        double angle = rim           ? 2 * PI * (double)k / (double)turns
                       : whole_round ? PI * (double)k / (double)turns
                                     : PI / 2;
        if (!rim && !whole_round && k == 1)
            angle += PI;
        vec3 local = v3(kind->grasp_radius * cos(angle), kind->grasp_radius * sin(angle), z);
        // The gripper has two sides that are alike: either may be the outer one.
        for (int side = 0; side < (rim ? 2 : 1) && count < GRASPS_MAX; side++) {
            pose tool = {pose_apply(o->at, local), pointing_down(object_yaw + angle + side * PI)};
            out[count++] = (grasp_pose){tool, pose_mul(pose_inverse(tool), o->at), opening};
        }
    }
    return count;
}

double grasp_force(const mind *m, const body_type *kind, size_t arm, double a) {
    const robot_gripper *g = &m->robot->arms[arm].gripper;
    double gravity = v3_length(m->known->gravity);
    // What the pads rub like is what the robot takes them to: the true pairs of materials are not
    // its to know.
    double mu = fmax(g->believed_friction, 1e-3);
    double wall = kind->grasp_high - kind->grasp_low;
    double patch = wall > 0 ? fmin(g->pad_size.z, wall) : g->pad_size.z;
    double slide = kind->mass * (gravity + a) / (2 * mu);
    double turn = 2 * kind->mass * gravity * kind->grasp_radius / patch;
    return fmin(g->max_force, fmax(5, 1.5 * fmax(slide, turn)));
}

pose grasp_settled(const mind *m, const believed_object *o, size_t arm, pose tool) {
    grasp_pose all[GRASPS_MAX];
    size_t count = grasp_candidates(m, o, arm, all), best = SIZE_MAX;
    pose in_hand = pose_mul(pose_inverse(tool), o->at);
    double least = INFINITY;
    for (size_t k = 0; k < count; k++) {
        double d = v3_distance(all[k].tool.p, tool.p) + 0.2 * quat_angle(all[k].tool.q, tool.q);
        if (d < least) {
            least = d;
            best = k;
        }
    }
    if (best == SIZE_MAX || least > 0.15)
        return in_hand;
    // The pads centre what is between them, and flats lie against them.
    in_hand.p.y = all[best].in_hand.p.y;
    if (o->kind->grasp_facets > 0 || !round_body(o->kind))
        in_hand.q = all[best].in_hand.q;
    return in_hand;
}

// ---- Putting down -------------------------------------------------------------------------------
static bool spot_free(const mind *m, const held *h, pose object, const char *support) {
    for (size_t i = 0; i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        if (!o->confirmed || !o->kind || o->hand >= 0 || strcmp(o->name, support) == 0 ||
            (h->name && strcmp(o->name, h->name) == 0))
            continue;
        for (size_t k = 0; k < o->kind->shape_count; k++) {
            const shape *s = &o->kind->shapes[k];
            pose at = pose_mul(o->at, s->at);
            if (s->kind == SHAPE_PLANE || shape_distance(s, at, object.p) > 0.6)
                continue;
            for (size_t n = 0; n < h->kind->shape_count; n++)
                if (shape_gap(&h->kind->shapes[n], pose_mul(object, h->kind->shapes[n].at), s, at) <
                    0.012)
                    return false;
        }
    }
    return true;
}

// The object's and the tool's pose when it is let go over a point with the object turned to `yaw`.
static place_pose release_pose(const held *h, vec3 point, double yaw) {
    quat down = pointing_down(0);
    double turn = yaw - quat_yaw(quat_mul(down, h->in_hand.q));
    place_pose p;
    p.tool.q = quat_unit(quat_mul(quat_axis_angle(v3(0, 0, 1), turn), down));
    p.object.q = quat_unit(quat_mul(p.tool.q, h->in_hand.q));
    p.object.p = point;
    const double drop = 0.003;
    pose turned = {v3(0, 0, 0), p.object.q};
    p.object.p.z += drop - belief_lowest(h->kind->shapes, h->kind->shape_count, turned);
    p.tool.p = v3_sub(p.object.p, quat_rotate(p.tool.q, h->in_hand.p));
    return p;
}

size_t place_candidates(const mind *m, const believed_place *place, const held *h, place_pose *out,
                        size_t most) {
    // Offsets from the middle outwards.
    enum { SIDE_MAX = 9 };
    vec3 offsets[SIDE_MAX * SIDE_MAX];
    size_t count = 0;
    int nx = place->half_x < 0.01 ? 0 : (int)fmin(4, ceil(place->half_x / 0.07));
    int ny = place->half_y < 0.01 ? 0 : (int)fmin(4, ceil(place->half_y / 0.07));
    for (int i = -nx; i <= nx; i++)
        for (int k = -ny; k <= ny; k++) {
            vec3 offset = v3(nx ? place->half_x * i / nx : 0, ny ? place->half_y * k / ny : 0, 0);
            size_t at = count++;
            for (; at > 0 && v3_length(offsets[at - 1]) > v3_length(offset) + 1e-9; at--)
                offsets[at] = offsets[at - 1];
            offsets[at] = offset;
        }
    size_t given = 0;
    double yaw = quat_yaw(place->at.q);
    int turns = place->yaw_free ? 8 : 1;
    for (size_t k = 0; k < count && given < most; k++) {
        vec3 point = pose_apply(place->at, offsets[k]);
        if (!spot_free(m, h, release_pose(h, point, yaw).object, place->support))
            continue;
        for (int t = 0; t < turns && given < most; t++)
            out[given++] = release_pose(h, point, yaw + 2 * PI * t / turns);
    }
    return given;
}

// Half the width of what stands there, seen from above.
static double footprint(const body_type *kind) {
    vec3 low, high;
    if (!kind || !shapes_bounds(kind->shapes, kind->shape_count, POSE_IDENTITY, &low, &high))
        return 0.05;
    return fmax(high.x - low.x, high.y - low.y) / 2;
}

const char *place_blocker(const mind *m, const believed_place *place, const held *h, pose object) {
    double r = 0.8 * footprint(h->kind);
    // A hand that lets go from above, and the arm that holds it, come down this column.
    for (int k = 0; k < 9; k++) {
        double angle = k * PI / 4;
        vec3 from = place->at.p;
        from.z += 0.02;
        if (k > 0)
            from = v3_add(from, v3(r * cos(angle), r * sin(angle), 0));
        for (size_t i = 0; i < belief_object_count(m->belief); i++) {
            const believed_object *o = belief_object(m->belief, i);
            if (!o->known || !o->kind || strcmp(o->name, place->support) == 0)
                continue;
            for (size_t n = 0; n < o->kind->shape_count; n++) {
                const shape *s = &o->kind->shapes[n];
                pose at = pose_mul(o->at, s->at);
                if (shape_ray(s, at, from, v3(0, 0, 1)) < 1.5 || shape_distance(s, at, from) < 0)
                    return o->name;
            }
        }
    }
    for (size_t i = 0; h->kind && i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        if (!o->known || !o->kind || strcmp(o->name, place->support) == 0)
            continue;
        for (size_t n = 0; n < o->kind->shape_count; n++)
            for (size_t k = 0; k < h->kind->shape_count; k++)
                if (shape_gap(&o->kind->shapes[n], pose_mul(o->at, o->kind->shapes[n].at),
                              &h->kind->shapes[k], pose_mul(object, h->kind->shapes[k].at)) <= 0)
                    return o->name;
    }
    return NULL;
}

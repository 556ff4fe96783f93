// projector/belief/surface.c - level surfaces, objects put onto the surface beneath them, and
// regions of surfaces.
#include "projector/belief/belief_int.h"

#include <math.h>

double belief_lowest(const shape *shapes, size_t count, pose at) {
    vec3 low, high;
    return shapes_bounds(shapes, count, at, &low, &high) ? low.z : at.p.z;
}

// Finds the height of a mesh under a point. False: the mesh is not level there over a finger's
// breadth.
static bool mesh_top(const shape *s, pose at, vec3 point, double *top) {
    const double aside[3][2] = {{0, 0}, {0.008, 0}, {-0.004, 0.007}};
    pose into = pose_inverse(at);
    vec3 down = quat_rotate(into.q, v3(0, 0, -1));
    double hit[3];
    if (mesh_distance(s->mesh, pose_apply(into, point)) < 0)
        return false;
    for (int k = 0; k < 3; k++) {
        vec3 from = v3_add(point, v3(aside[k][0], aside[k][1], 0));
        hit[k] = mesh_ray(s->mesh, pose_apply(into, from), down);
        if (!isfinite(hit[k]) || fabs(hit[k] - hit[0]) > 0.001)
            return false;
    }
    *top = point.z - hit[0];
    return true;
}

// Finds the height of a shape's level top at the x and y of a point; a mesh's below `z` only.
// False: there is none.
static bool shape_top(const shape *s, pose at, vec3 point, double z, double *top) {
    vec3 local = pose_apply(pose_inverse(at), point);
    mat3 m = quat_matrix(at.q);
    switch (s->kind) {
    case SHAPE_BOX: {
        const double half[3] = {s->size.x / 2, s->size.y / 2, s->size.z / 2};
        const double where[3] = {local.x, local.y, local.z};
        for (int up = 0; up < 3; up++) {
            if (fabs(m.m[2][up]) < 0.995)
                continue;
            for (int k = 0; k < 3; k++)
                if (k != up && fabs(where[k]) > half[k])
                    return false;
            *top = at.p.z + half[up];
            return true;
        }
        return false;
    }
    case SHAPE_CYLINDER:
        if (fabs(m.m[2][2]) < 0.995 || hypot(local.x, local.y) > s->size.x)
            return false;
        *top = at.p.z + s->size.z / 2;
        return true;
    case SHAPE_PLANE:
        *top = at.p.z;
        return m.m[2][2] > 0.995;
    case SHAPE_MESH: {
        vec3 low, high;
        if (!shapes_bounds(s, 1, pose_mul(at, pose_inverse(s->at)), &low, &high))
            return false;
        return mesh_top(s, at, v3(point.x, point.y, fmin(z, high.z + 0.01) + 1e-6), top);
    }
    case SHAPE_SPHERE:
    case SHAPE_CAPSULE:
        break;
    }
    return false;
}

double belief_top(const believed_object *o, vec3 point, double z) {
    double best = -INFINITY;
    for (size_t k = 0; o->kind && k < o->kind->shape_count; k++) {
        const shape *s = &o->kind->shapes[k];
        double top;
        if (shape_top(s, pose_mul(o->at, s->at), point, z, &top) && top <= z && top > best)
            best = top;
    }
    return best;
}

double belief_surface(const belief *b, vec3 point, const char *except, const char **name) {
    double best = -INFINITY;
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed_object *o = &b->objects.items[i].seen;
        if (!o->confirmed || o->hand >= 0 || (except && strcmp(o->name, except) == 0))
            continue;
        double top = belief_top(o, point, point.z);
        if (top > best) {
            best = top;
            if (name)
                *name = o->name;
        }
    }
    return best;
}

// What is about as wide as a plate or a bowl stands on its rim, whatever lies under the middle.
double belief_standing_top(const believed_object *under, const body_type *kind, pose at, double z) {
    double top = belief_top(under, at.p, z);
    vec3 low, high, own_low, own_high;
    if (!under->kind || under->known ||
        !shapes_bounds(under->kind->shapes, under->kind->shape_count, under->at, &low, &high) ||
        !shapes_bounds(kind->shapes, kind->shape_count, at, &own_low, &own_high) || high.z > z)
        return top;
    bool over = at.p.x > low.x && at.p.x < high.x && at.p.y > low.y && at.p.y < high.y;
    double width = fmin(high.x - low.x, high.y - low.y),
           own = fmin(own_high.x - own_low.x, own_high.y - own_low.y);
    return over && own > 0.9 * width ? fmax(top, high.z) : top;
}

// Returns whether an object is clearly wider than something of a kind that may stand on it.
static bool is_wider(const believed_object *under, const body_type *kind) {
    vec3 low, high, own_low, own_high;
    return under->kind &&
           shapes_bounds(under->kind->shapes, under->kind->shape_count, POSE_IDENTITY, &low,
                         &high) &&
           shapes_bounds(kind->shapes, kind->shape_count, POSE_IDENTITY, &own_low, &own_high) &&
           fmin(high.x - low.x, high.y - low.y) >
               1.2 * fmax(own_high.x - own_low.x, own_high.y - own_low.y);
}

// Returns the object whose surface is nearest to another object's lowest point, within `slack` of
// it; SIZE_MAX: none. *gap is how far the lowest point is above that surface.
static size_t surface_under(const belief *b, size_t object, pose at, double slack, double *gap) {
    const believed_object *o = &b->objects.items[object].seen;
    if (!o->kind || o->kind->shape_count == 0)
        return SIZE_MAX;
    double bottom = belief_lowest(o->kind->shapes, o->kind->shape_count, at), best = slack;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *s = &b->objects.items[i];
        if (i == object || !s->seen.confirmed || s->seen.hand >= 0)
            continue;
        // An object must not come to stand on what stands on it.
        const believed *up = s;
        while (up->hang == HANG_OBJECT && up->parent != object)
            up = &b->objects.items[up->parent];
        if (up->hang == HANG_OBJECT)
            continue;
        double top = belief_standing_top(&s->seen, o->kind, at, bottom + slack);
        // The position of furniture is known; an object that was only seen must be nearer by more
        // than its noise.
        double off = fabs(bottom - top) + (s->seen.known ? 0 : 0.01);
        if (off < best) {
            best = off;
            found = i;
            *gap = bottom - top;
        }
    }
    // Something wide that lies on the surface, such as a tray on a board, carries the object
    // instead, however thin it is.
    for (size_t i = 0; found != SIZE_MAX && i < b->objects.count; i++) {
        const believed *s = &b->objects.items[i];
        if (i == object || !s->seen.confirmed || s->hang != HANG_OBJECT || s->parent != found ||
            !is_wider(&s->seen, o->kind))
            continue;
        double top = belief_standing_top(&s->seen, o->kind, at, bottom + slack);
        if (fabs(bottom - top) < slack) {
            *gap = bottom - top;
            found = i;
            i = SIZE_MAX; // begins anew, for what lies on the tray
        }
    }
    return found;
}

void belief_settle(belief *b, size_t object, pose at, covariance cov, double slack) {
    believed *o = &b->objects.items[object];
    if (belief_joint_of(b, object) >= 0)
        return; // its joint says where it stands
    double gap = 0;
    size_t support = surface_under(b, object, at, slack, &gap);
    if (support == SIZE_MAX) {
        belief_hang(b, object, HANG_MAP, 0, "at", at, cov);
        return;
    }
    if (!o->seen.known) {
        // An object that stands is exactly upright or upside down where it nearly is, and touches
        // the surface.
        vec3 up = quat_rotate(at.q, o->seen.kind->up);
        double tilt = acos(fmax(-1, fmin(1, fabs(up.z))));
        if (tilt > 0 && tilt < 0.17) {
            vec3 to = v3(0, 0, up.z > 0 ? 1 : -1);
            at.q = quat_unit(quat_mul(quat_axis_angle(v3_cross(up, to), tilt), at.q));
        }
        const body_type *kind = o->seen.kind;
        double bottom = belief_lowest(kind->shapes, kind->shape_count, at);
        double top =
            belief_standing_top(&b->objects.items[support].seen, kind, at, bottom + slack + 0.02);
        if (isfinite(top))
            at.p.z += top - bottom;
        cov.z = fmax(0.001, b->objects.items[support].cov.z);
    }
    belief_hang(b, object, HANG_OBJECT, support, "on", at, cov);
}

bool belief_within(const belief *b, const believed *o, const world_region *r) {
    if (o->seen.hand >= 0)
        return false;
    const believed *root = o;
    size_t body = r->body;
    while (root->hang == HANG_OBJECT && root->parent != body)
        root = &b->objects.items[root->parent];
    if (root->hang != HANG_OBJECT)
        return false;
    pose frame = pose_mul(b->objects.items[body].seen.at, r->at);
    pose at = pose_mul(pose_inverse(frame), o->seen.at);
    if (at.p.z < -0.03 || at.p.z > 0.3)
        return false;
    if (isfinite(r->angle_tolerance) && fabs(quat_yaw(at.q)) > r->angle_tolerance)
        return false;
    if (r->tolerance > 0)
        return hypot(at.p.x, at.p.y) <= r->tolerance;
    return fabs(at.p.x) <= r->half_x && fabs(at.p.y) <= r->half_y;
}

// query/log/spatial.c - shapes at poses: their extents, footprints and insides.
#include <math.h>
#include "query/log/signals_int.h"

// ---- Solids -------------------------------------------------------------------------------------

// A solid at a pose in the world.
typedef struct placed {
    const solid *of;
    pose at;
    quat into; // the solid's frame
} placed;

static placed place_solid(const solid *f, pose object) {
    pose at = pose_mul(object, f->at);
    return (placed){f, at, quat_inverse(at.q)};
}

// Returns how far a solid reaches from its centre along a unit direction of its own frame.
static double reach_along(const solid *f, vec3 in) {
    double along = fabs(in.z);
    switch (f->kind) {
    case SOLID_BOX:
        return (fabs(in.x) * f->size.x + fabs(in.y) * f->size.y + along * f->size.z) / 2;
    case SOLID_CYLINDER:
        return along * f->size.z / 2 + f->size.x * sqrt(fmax(0, 1 - along * along));
    case SOLID_SPHERE:
        return f->size.x;
    case SOLID_CAPSULE:
        return along * f->size.z / 2 + f->size.x;
    case SOLID_PLANE:
        return in.z > 0.999999 ? 0 : INFINITY;
    }
    return 0;
}

// Returns how far the solid reaches along a unit direction, from the world's origin.
static double solid_support(const placed *p, vec3 d) {
    return v3_dot(p->at.p, d) + reach_along(p->of, quat_rotate(p->into, d));
}

// Returns the radius of a ball about the solid's centre that holds it.
static double solid_reach(const solid *f) {
    switch (f->kind) {
    case SOLID_BOX:
        return v3_length(f->size) / 2;
    case SOLID_CYLINDER:
        return sqrt(f->size.x * f->size.x + f->size.z * f->size.z / 4);
    case SOLID_SPHERE:
        return f->size.x;
    case SOLID_CAPSULE:
        return f->size.x + f->size.z / 2;
    case SOLID_PLANE:
        return INFINITY;
    }
    return 0;
}

static bool solid_holds_own(const solid *f, vec3 p) { // in the solid's own frame
    double radial = sqrt(p.x * p.x + p.y * p.y), slack = 1e-6;
    switch (f->kind) {
    case SOLID_BOX:
        return fabs(p.x) <= f->size.x / 2 + slack && fabs(p.y) <= f->size.y / 2 + slack &&
               fabs(p.z) <= f->size.z / 2 + slack;
    case SOLID_CYLINDER:
        return radial <= f->size.x + slack && fabs(p.z) <= f->size.z / 2 + slack;
    case SOLID_SPHERE:
        return v3_length(p) <= f->size.x + slack;
    case SOLID_CAPSULE: {
        double over = fabs(p.z) - f->size.z / 2;
        return hypot(radial, over > 0 ? over : 0) <= f->size.x + slack;
    }
    case SOLID_PLANE:
        return p.z <= slack;
    }
    return false;
}

static bool solid_holds(const solid *f, vec3 point) { // in the object's frame
    return solid_holds_own(f, pose_apply(pose_inverse(f->at), point));
}

// Finds the things whose solids count as the thing's: itself, or its parts where it has no solid.
static bool find_bearers(signals *s, thing *o, thing *of, int depth) {
    if (of->solids.count > 0)
        return array_push_try(&o->bearers, of) || signals_fail(s, E_MEMORY, NULL);
    for (size_t i = 0; i < s->things.count && depth < 8; i++) {
        if (s->things.items[i].whole == of->id &&
            !find_bearers(s, o, &s->things.items[i], depth + 1))
            return false;
    }
    return true;
}

static bool bearers_ready(signals *s, thing *o) {
    if (!o->bearers_known && find_bearers(s, o, o, 0))
        o->bearers_known = true;
    return o->bearers_known;
}

double thing_reach(signals *s, thing *o) {
    double most = 0;
    if (!bearers_ready(s, o) || o->bearers.count != 1 || o->bearers.items[0] != o)
        return INFINITY;
    for (size_t k = 0; k < o->solids.count; k++) {
        const solid *f = &o->solids.items[k];
        most = fmax(most, v3_length(f->at.p) + solid_reach(f));
    }
    return most;
}

double thing_support(signals *s, thing *o, nanos t, vec3 direction) {
    double most = -INFINITY;
    if (!bearers_ready(s, o))
        return NAN;
    for (size_t i = 0; i < o->bearers.count; i++) {
        thing *b = o->bearers.items[i];
        pose at;
        if (!signals_pose(s, b, t, &at))
            return NAN;
        for (size_t k = 0; k < b->solids.count; k++) {
            placed f = place_solid(&b->solids.items[k], at);
            most = fmax(most, solid_support(&f, direction));
        }
    }
    return isfinite(most) ? most : NAN;
}

// ---- Footprints ---------------------------------------------------------------------------------

#define DIRECTIONS 48
#define PITCH (2 * PI / DIRECTIONS)
#define AXES_MAX 9 // that from centre to centre, and four of each box

// Level directions all around.
typedef struct compass {
    bool ready;
    vec3 along[DIRECTIONS];
} compass;

static vec3 level_direction(double angle) {
    return v3(cos(angle), sin(angle), 0);
}

static vec3 compass_direction(compass *c, int i) {
    for (int k = 0; k < DIRECTIONS && !c->ready; k++)
        c->along[k] = level_direction(k * PITCH);
    c->ready = true;
    return c->along[i];
}

// Returns the gap of two footprints along a level direction.
static double gap_along(const placed *a, const placed *b, vec3 d) {
    return -solid_support(b, v3_scale(d, -1)) - solid_support(a, d);
}

// Gives the direction from centre to centre, and those in which the gap of boxes peaks.
static int own_axes(const placed *a, const placed *b, double angles[AXES_MAX]) {
    const placed *both[2] = {a, b};
    int count = 1;
    angles[0] = atan2(b->at.p.y - a->at.p.y, b->at.p.x - a->at.p.x);
    for (int i = 0; i < 2; i++) {
        double yaw = quat_yaw(both[i]->at.q);
        for (int k = 0; k < 4 && both[i]->of->kind == SOLID_BOX; k++)
            angles[count++] = yaw + k * PI / 2;
    }
    return count;
}

// The distance of two convex footprints is the widest gap over all directions; negative: how deep
// they overlap. Where it is `least` or more, any value from there on up to it is given.
static double solid_gap(const placed *a, const placed *b, compass *around, double least) {
    double axes[AXES_MAX], best = -INFINITY, at = 0;
    if (a->of->kind == SOLID_PLANE || b->of->kind == SOLID_PLANE)
        return -1000;
    int count = own_axes(a, b, axes);
    for (int i = 0; i < count + DIRECTIONS && best < least; i++) {
        double angle = i < count ? axes[i] : (i - count) * PITCH;
        double gap = gap_along(
            a, b, i < count ? level_direction(angle) : compass_direction(around, i - count));
        if (gap > best) {
            best = gap;
            at = angle;
        }
    }
    for (double width = PITCH / 2; width > 1e-3 && best < least; width /= 2) {
        for (int side = -1; side <= 1; side += 2) {
            double gap = gap_along(a, b, level_direction(at + side * width));
            if (gap > best) {
                best = gap;
                at += side * width;
            }
        }
    }
    return best;
}

double things_footprint_gap(signals *s, thing *a, thing *b, nanos t) {
    double least = INFINITY;
    compass around = {false};
    if (!bearers_ready(s, a) || !bearers_ready(s, b))
        return NAN;
    for (size_t i = 0; i < a->bearers.count; i++) {
        for (size_t j = 0; j < b->bearers.count; j++) {
            thing *x = a->bearers.items[i], *y = b->bearers.items[j];
            pose px, py;
            if (!signals_pose(s, x, t, &px) || !signals_pose(s, y, t, &py))
                return NAN;
            for (size_t k = 0; k < x->solids.count; k++) {
                placed f = place_solid(&x->solids.items[k], px);
                for (size_t l = 0; l < y->solids.count; l++) {
                    placed g = place_solid(&y->solids.items[l], py);
                    double apart = hypot(g.at.p.x - f.at.p.x, g.at.p.y - f.at.p.y) -
                                   solid_reach(f.of) - solid_reach(g.of);
                    if (apart < least)
                        least = fmin(least, solid_gap(&f, &g, &around, least));
                }
            }
        }
    }
    return isfinite(least) ? least : NAN;
}

bool thing_covers(signals *s, thing *o, nanos t, double x, double y) {
    const solid point = {SOLID_SPHERE, POSE_IDENTITY, {1e-9, 0, 0}};
    const placed there = place_solid(&point, pose_planar(x, y, 0));
    compass around = {false};
    if (!bearers_ready(s, o))
        return false;
    for (size_t i = 0; i < o->bearers.count; i++) {
        pose at;
        thing *b = o->bearers.items[i];
        for (size_t k = 0; signals_pose(s, b, t, &at) && k < b->solids.count; k++) {
            placed f = place_solid(&b->solids.items[k], at);
            if (solid_gap(&f, &there, &around, INFINITY) <= 0)
                return true;
        }
    }
    return false;
}

// A region is taken as a flat box.
double region_footprint_gap(signals *s, thing *o, thing *region, nanos t) {
    const solid area = {SOLID_BOX, POSE_IDENTITY, {2 * region->half_x, 2 * region->half_y, 1e-6}};
    compass around = {false};
    double least = INFINITY;
    pose at, in;
    if (!bearers_ready(s, o) || !signals_pose(s, region, t, &at))
        return NAN;
    const placed there = place_solid(&area, at);
    for (size_t i = 0; i < o->bearers.count; i++) {
        thing *b = o->bearers.items[i];
        if (!signals_pose(s, b, t, &in))
            return NAN;
        for (size_t k = 0; k < b->solids.count; k++) {
            placed f = place_solid(&b->solids.items[k], in);
            least = fmin(least, solid_gap(&f, &there, &around, least));
        }
    }
    return isfinite(least) ? least : NAN;
}

#define MARGIN_SLACK 1e-9 // m, for what is rounded
// Returns the margin of a point in the region's frame.
static double margin_at(const thing *region, vec3 p) {
    if (region->tolerance > 0)
        return hypot(p.x, p.y) - region->tolerance;
    double dx = fabs(p.x) - region->half_x, dy = fabs(p.y) - region->half_y;
    return dx > 0 || dy > 0 ? hypot(fmax(dx, 0), fmax(dy, 0)) : fmax(dx, dy);
}

double region_margin(signals *s, thing *o, thing *region, nanos t) {
    pose at;
    vec3 in;
    if (!signals_position(s, o, t, &in) || !signals_pose(s, region, t, &at))
        return NAN;
    return margin_at(region, pose_apply(pose_inverse(at), in));
}

// Returns whether all of a motion lies farther from a level region than this, by the box around it.
static bool is_far_away(const motion *m, const thing *region, pose at, double margin) {
    double dx = fmax(m->low.x - at.p.x, at.p.x - m->high.x),
           dy = fmax(m->low.y - at.p.y, at.p.y - m->high.y);
    double reach = region->tolerance > 0 ? region->tolerance : region->half_x + region->half_y;
    bool level = at.q.x == 0 && at.q.y == 0;
    return level && fmax(dx, dy) - reach > margin + MARGIN_SLACK;
}

// Between two keys the position runs straight, and the margin changes by no more than its way.
bool region_stays_beyond(signals *s, thing *o, thing *region, double margin) {
    double last = INFINITY;
    const motion *m = signals_rests(s, region) ? signals_motion(s, o) : NULL;
    if (!m)
        return false;
    pose still = region->motion.keys.p[0], into = pose_inverse(still);
    if (is_far_away(m, region, still, margin))
        return true;
    for (size_t i = 0; i < m->keys.count; i++) {
        double way = i > 0 ? v3_distance(m->keys.p[i - 1].p, m->keys.p[i].p) : 0;
        double here = margin_at(region, pose_apply(into, m->keys.p[i].p));
        if (!(fmin(here, (last + here - way) / 2) > margin + MARGIN_SLACK))
            return false;
        last = here;
    }
    return true;
}

// ---- Insides ------------------------------------------------------------------------------------

static double solid_volume(const solid *f) {
    double r = f->size.x;
    switch (f->kind) {
    case SOLID_BOX:
        return f->size.x * f->size.y * f->size.z;
    case SOLID_CYLINDER:
        return PI * r * r * f->size.z;
    case SOLID_SPHERE:
        return 4.0 / 3 * PI * r * r * r;
    case SOLID_CAPSULE:
        return PI * r * r * f->size.z + 4.0 / 3 * PI * r * r * r;
    case SOLID_PLANE:
        return 0;
    }
    return 0;
}

#define POINTS 400

// Spreads points on a grid through each solid, about POINTS in all; each stands for the same
// volume.
static bool spread_points(signals *s, thing *o) {
    double volume = 0;
    if (o->points.count > 0)
        return true;
    for (size_t i = 0; i < o->solids.count; i++)
        volume += solid_volume(&o->solids.items[i]);
    if (volume <= 0)
        return false;
    double pitch = cbrt(volume / POINTS);
    for (size_t i = 0; i < o->solids.count; i++) {
        const solid *f = &o->solids.items[i];
        bool box = f->kind == SOLID_BOX;
        double wide = box ? f->size.x : 2 * f->size.x, deep = box ? f->size.y : wide;
        double high = box || f->kind == SOLID_CYLINDER ? f->size.z : f->size.z + wide;
        if (f->kind == SOLID_SPHERE)
            high = wide;
        int n[3] = {(int)fmin(fmax(1, round(wide / pitch)), 64),
                    (int)fmin(fmax(1, round(deep / pitch)), 64),
                    (int)fmin(fmax(1, round(high / pitch)), 64)};
        for (int x = 0; x < n[0]; x++) {
            for (int y = 0; y < n[1]; y++) {
                for (int z = 0; z < n[2]; z++) {
                    vec3 p = v3(((x + 0.5) / n[0] - 0.5) * wide, ((y + 0.5) / n[1] - 0.5) * deep,
                                ((z + 0.5) / n[2] - 0.5) * high);
                    p = pose_apply(f->at, p);
                    if (solid_holds(f, p) && !array_push_try(&o->points, p))
                        return signals_fail(s, E_MEMORY, NULL);
                }
            }
        }
    }
    for (size_t i = 0; i < o->points.count; i++)
        o->reach = fmax(o->reach, v3_length(o->points.items[i]));
    return o->points.count > 0;
}

static bool interior_holds(const thing *c, vec3 point) {
    for (size_t i = 0; i < c->interiors.count; i++) {
        if (solid_holds(&c->interiors.items[i], point))
            return true;
    }
    return false;
}

#define INTERIORS 8

// Counts the points that lie in an interior; `relative` is the object's pose in the container's
// frame.
static size_t count_inside(const thing *o, const thing *container, pose relative) {
    const solid *shapes[INTERIORS];
    mat3 turns[INTERIORS];
    vec3 shifts[INTERIORS];
    size_t count = 0, near = 0;
    for (size_t i = 0; i < container->interiors.count && near < INTERIORS; i++) {
        const solid *f = &container->interiors.items[i];
        pose in = pose_mul(pose_inverse(f->at), relative);
        // Far away nothing is inside.
        if (v3_length(in.p) > solid_reach(f) + o->reach)
            continue;
        shapes[near] = f;
        turns[near] = quat_matrix(in.q);
        shifts[near++] = in.p;
    }
    for (size_t k = 0; k < o->points.count && near > 0; k++) {
        bool inside = false;
        for (size_t i = 0; i < near && !inside; i++)
            inside = solid_holds_own(shapes[i],
                                     v3_add(shifts[i], mat3_apply(&turns[i], o->points.items[k])));
        // More interiors than that are looked at one by one.
        if (!inside && near == INTERIORS && container->interiors.count > INTERIORS)
            inside = interior_holds(container, pose_apply(relative, o->points.items[k]));
        count += inside;
    }
    return count;
}

double thing_inside(signals *s, thing *o, thing *container, nanos t) {
    pose in, at;
    if (container->interiors.count == 0 || !signals_pose(s, o, t, &in) ||
        !signals_pose(s, container, t, &at) || !spread_points(s, o))
        return s->failed == OK ? 0 : NAN;
    size_t count = count_inside(o, container, pose_mul(pose_inverse(at), in));
    return (double)count / (double)o->points.count;
}

// Returns the lowest point of a solid.
static vec3 solid_lowest(const solid *f, pose object) {
    pose at = pose_mul(object, f->at);
    vec3 down = quat_rotate(quat_inverse(at.q), v3(0, 0, -1)), p = {0, 0, 0};
    double radial = hypot(down.x, down.y);
    switch (f->kind) {
    case SOLID_BOX:
        p = v3(copysign(f->size.x / 2, down.x), copysign(f->size.y / 2, down.y),
               copysign(f->size.z / 2, down.z));
        // The lowest point of a face that lies flat is its middle.
        p.x = fabs(down.x) < 1e-3 ? 0 : p.x;
        p.y = fabs(down.y) < 1e-3 ? 0 : p.y;
        p.z = fabs(down.z) < 1e-3 ? 0 : p.z;
        break;
    case SOLID_CYLINDER:
        if (radial > 1e-3)
            p = v3(f->size.x * down.x / radial, f->size.x * down.y / radial, 0);
        p.z = fabs(down.z) < 1e-3 ? 0 : copysign(f->size.z / 2, down.z);
        break;
    case SOLID_SPHERE:
        p = v3_scale(down, f->size.x);
        break;
    case SOLID_CAPSULE:
        p = v3_scale(down, f->size.x);
        p.z += fabs(down.z) < 1e-3 ? 0 : copysign(f->size.z / 2, down.z);
        break;
    case SOLID_PLANE:
        break;
    }
    return pose_apply(at, p);
}

double thing_bottom_inside(signals *s, thing *o, thing *container, nanos t) {
    pose in, at;
    vec3 lowest = {0, 0, INFINITY};
    if (container->interiors.count == 0 || o->solids.count == 0 || !signals_pose(s, o, t, &in) ||
        !signals_pose(s, container, t, &at))
        return s->failed == OK ? 0 : NAN;
    for (size_t i = 0; i < o->solids.count; i++) {
        vec3 p = solid_lowest(&o->solids.items[i], in);
        lowest = p.z < lowest.z ? p : lowest;
    }
    lowest.z += 0.001; // contacts let it sink a little into what it stands on
    return interior_holds(container, pose_apply(pose_inverse(at), lowest));
}

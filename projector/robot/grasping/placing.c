// projector/robot/grasping/placing.c - poses in which held objects can be put down, and the height
// of an object on a support that is not flat: a plate on a plate's rim, a cup in a plate.
#include "projector/robot/grasping/placing.h"
#include "projector/robot/grasping/grasp.h"

#include <math.h>

// Heights over the support's surface that are searched, and how exactly, m.
static const double HIGHEST = 0.3, EXACT = 0.0005;

// The least distance between the held object, at a pose, and its support, m.
static double gap_between(const held *h, pose object, const believed_object *support) {
    double least = INFINITY;
    for (size_t n = 0; n < h->kind->shape_count; n++)
        for (size_t k = 0; k < support->kind->shape_count; k++) {
            const shape *a = &h->kind->shapes[n], *b = &support->kind->shapes[k];
            if (b->kind == SHAPE_PLANE)
                continue;
            double gap = shape_gap(a, pose_mul(object, a->at), b, pose_mul(support->at, b->at));
            least = fmin(least, gap);
        }
    return least;
}

double rest_height(const mind *m, const char *support, const held *h, pose object) {
    const believed_object *o = support ? belief_find(m->belief, support) : NULL;
    if (!o || o->known || !o->kind || gap_between(h, object, o) > 0)
        return 0;
    double low = 0, high = HIGHEST;
    while (high - low > EXACT) {
        double middle = (low + high) / 2;
        pose raised = object;
        raised.p.z += middle;
        if (gap_between(h, raised, o) > 0)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static const double SPOT_GAP = 0.012; // m, between what is put down and what stands there

// Notes that what is put down comes so near to an object, or lies in it.
static void note_near(const held *h, const believed_object *o, double gap, double least,
                      miss *nearest) {
    if (!miss_keep(nearest, MISS_CONTACT, least - gap))
        return;
    nearest->value = gap;
    nearest->allowed = least;
    snprintf(nearest->part, sizeof nearest->part, "%s", h->name ? h->name : h->kind->name);
    snprintf(nearest->other, sizeof nearest->other, "%s", o->name);
}

static bool spot_free(const mind *m, const held *h, pose object, const char *support,
                      miss *nearest) {
    const believed_object *worst = NULL;
    double least = SPOT_GAP;
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
            for (size_t n = 0; n < h->kind->shape_count; n++) {
                const shape *own = &h->kind->shapes[n];
                pose there = pose_mul(object, own->at);
                double gap = shape_gap(own, there, s, at);
                if (gap < SPOT_GAP && !nearest)
                    return false;
                gap = gap > 0 ? gap : -shape_overlap(own, there, s, at);
                if (gap < least) {
                    least = gap;
                    worst = o;
                }
            }
        }
    }
    if (worst)
        note_near(h, worst, least, SPOT_GAP, nearest);
    return !worst;
}

// The poses of object and tool when the object is released over a point, turned to `yaw`: upright,
// or leaning as it does in a hand that points straight down.
static place_pose release_pose(const held *h, vec3 point, double yaw, double drop) {
    vec3 up = quat_rotate(h->in_hand.q, h->kind->up); // in the tool's frame
    place_pose p = {0};
    if (up.z < -0.95) {
        quat down = hand_pointing_down(0);
        double turn = yaw - quat_yaw(quat_mul(down, h->in_hand.q));
        p.tool.q = quat_unit(quat_mul(quat_axis_angle(v3(0, 0, 1), turn), down));
        p.object.q = quat_unit(quat_mul(p.tool.q, h->in_hand.q));
    } else {
        p.object.q = quat_axis_angle(v3(0, 0, 1), yaw);
        p.tool.q = quat_unit(quat_mul(p.object.q, quat_inverse(h->in_hand.q)));
    }
    p.object.p = point;
    pose turned = {v3(0, 0, 0), p.object.q};
    p.object.p.z += drop - belief_lowest(h->kind->shapes, h->kind->shape_count, turned);
    p.tool.p = v3_sub(p.object.p, quat_rotate(p.tool.q, h->in_hand.p));
    return p;
}

// How high over the bottom an object is let go, m: within a container, whose walls or whose depth
// may keep the hand from the bottom, it may fall a little.
static const double DROPS[] = {0.003, 0.018};

static size_t drops_of(const mind *m, const believed_place *place) {
    const believed_object *o = belief_find(m->belief, place->support);
    bool container = o && o->kind && o->kind->has_interior;
    return container ? sizeof DROPS / sizeof *DROPS : 1;
}

size_t place_candidates(const mind *m, const believed_place *place, const held *h, place_pose *out,
                        size_t most, miss *nearest) {
    // The offsets of spots are sorted from the middle outwards.
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
    size_t given = 0, drops = drops_of(m, place),
           quota = most < PLACES_MAX / drops ? most : PLACES_MAX / drops;
    double yaw = quat_yaw(place->at.q);
    int turns = place->yaw_free ? 8 : place->half_turns ? 2 : 1;
    for (size_t n = 0; n < drops; n++)
        for (size_t k = 0; k < count && given < quota * (n + 1); k++) {
            vec3 point = pose_apply(place->at, offsets[k]);
            place_pose upright = release_pose(h, point, yaw, DROPS[0]);
            double rest = rest_height(m, place->support, h, upright.object);
            upright.object.p.z += rest;
            if (!spot_free(m, h, upright.object, place->support, nearest))
                continue;
            point.z += rest;
            for (int t = 0; t < turns && given < quota * (n + 1); t++) {
                out[given] = release_pose(h, point, yaw + 2 * PI * t / turns, DROPS[n]);
                out[given++].falls = n > 0;
            }
        }
    return given;
}

void place_text(const believed_place *place, pose at, char *out, size_t size) {
    snprintf(out, size, "at(%.4f, %.4f, %.2f, %s)", at.p.x, at.p.y, quat_yaw(at.q) * 180 / PI,
             place->support);
}

// Half the sides of the box about an object of this kind as it stands, seen from above, m.
static void half_footprint(const body_type *kind, double *half_x, double *half_y) {
    vec3 low, high;
    *half_x = *half_y = 0.05;
    if (!kind || !shapes_bounds(kind->shapes, kind->shape_count, POSE_IDENTITY, &low, &high))
        return;
    *half_x = (high.x - low.x) / 2;
    *half_y = (high.y - low.y) / 2;
}

static void note_cover(const believed_object *o, double above, miss *nearest) {
    if (!miss_keep(nearest, MISS_COVER, above))
        return;
    nearest->value = above;
    snprintf(nearest->other, sizeof nearest->other, "%s", o->name);
}

const char *place_blocker(const mind *m, const believed_place *place, const held *h, pose object,
                          miss *nearest) {
    double half_x, half_y, yaw = quat_yaw(object.q);
    half_footprint(h->kind, &half_x, &half_y);
    // The hand that releases the object from above comes down this column with its arm: an ellipse
    // about the object.
    for (int k = 0; k < 9; k++) {
        double angle = k * PI / 4;
        vec3 from = place->at.p;
        from.z += 0.02;
        if (k > 0)
            from = v3_add(from,
                          pose_apply(pose_planar(0, 0, yaw),
                                     v3(0.8 * half_x * cos(angle), 0.8 * half_y * sin(angle), 0)));
        for (size_t i = 0; i < belief_object_count(m->belief); i++) {
            const believed_object *o = belief_object(m->belief, i);
            if (!o->known || !o->kind || strcmp(o->name, place->support) == 0)
                continue;
            for (size_t n = 0; n < o->kind->shape_count; n++) {
                const shape *s = &o->kind->shapes[n];
                pose at = pose_mul(o->at, s->at);
                double above =
                    shape_distance(s, at, from) < 0 ? 0 : shape_ray(s, at, from, v3(0, 0, 1));
                if (above < 1.5) {
                    note_cover(o, above, nearest);
                    return o->name;
                }
            }
        }
    }
    for (size_t i = 0; h->kind && i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        if (!o->known || !o->kind || strcmp(o->name, place->support) == 0)
            continue;
        for (size_t n = 0; n < o->kind->shape_count; n++)
            for (size_t k = 0; k < h->kind->shape_count; k++) {
                const shape *s = &o->kind->shapes[n], *own = &h->kind->shapes[k];
                pose at = pose_mul(o->at, s->at), there = pose_mul(object, own->at);
                if (shape_gap(s, at, own, there) <= 0) {
                    note_near(h, o, -shape_overlap(s, at, own, there), 0, nearest);
                    return o->name;
                }
            }
    }
    return NULL;
}

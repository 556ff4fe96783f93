// projector/belief/relation.c - relations such as left_of: whose front and left are meant, and
// which direction that is.
#include "projector/belief/belief_int.h"

#include <math.h>

static const char *const NAMES[] = {
#define PLACE_RELATION(name, doc) #name,
#include "projector/belief/places.def"
};

place_relation place_relation_named(const char *name) {
    for (int k = 0; k < PLACE_RELATIONS; k++)
        if (strcmp(name, NAMES[k]) == 0)
            return (place_relation)k;
    return PLACE_RELATIONS;
}

// Gives the sides of something whose front points along `yaw`.
static void own_sides(double yaw, const char *by, viewpoint *out) {
    out->front = v3(cos(yaw), sin(yaw), 0);
    out->left = v3(-sin(yaw), cos(yaw), 0);
    snprintf(out->by, sizeof out->by, "%s", by);
}

// Gives the sides that a viewer sees who looks along `yaw`: the near side is the front.
static void viewed_along(double yaw, const char *by, viewpoint *out) {
    own_sides(yaw, by, out);
    out->front = v3_scale(out->front, -1);
}

static const char *property_of(const belief *b, const believed *o, const char *key) {
    const property *p = o->seen.kind ? o->seen.kind->properties : NULL;
    size_t count = o->seen.kind ? o->seen.kind->property_count : 0;
    if (o->seen.body >= 0) {
        p = b->known->bodies[o->seen.body].properties;
        count = b->known->bodies[o->seen.body].property_count;
    }
    for (size_t i = 0; i < count; i++)
        if (strcmp(p[i].key, key) == 0)
            return p[i].value;
    return NULL;
}

// Returns whether an object has a front of its own, and in which direction.
static bool has_front(const belief *b, const believed *o, double *yaw) {
    static const char *const axes[] = {"+x", "+y", "-x", "-y"};
    const char *front = property_of(b, o, "front");
    *yaw = quat_yaw(o->seen.at.q);
    for (int k = 0; front && k < 4; k++)
        if (strcmp(front, axes[k]) == 0) {
            *yaw += k * PI / 2;
            return true;
        }
    return o->seen.known;
}

// Returns whether a region is a place: so small that a person can sit at it, who looks along the
// region's +x.
static bool is_place(const world_region *r) {
    const double most = 0.3; // m, half of its side
    return fmax(r->half_x, r->half_y) <= most;
}

// Returns the smallest place that an object stands within; NULL: none.
static const world_region *place_of(const belief *b, const believed *o) {
    const world_region *best = NULL;
    for (size_t k = 0; k < b->known->region_count; k++) {
        const world_region *r = &b->known->regions[k];
        if (is_place(r) && belief_within(b, o, r) &&
            (!best || r->half_x * r->half_y < best->half_x * best->half_y))
            best = r;
    }
    return best;
}

// Gives the sides that the robot sees of the point `of`, turned to the nearest of the axes at the
// angle `axes`.
static void robots_view(const belief *b, vec3 of, double axes, viewpoint *out) {
    double yaw = atan2(of.y - b->self->y, of.x - b->self->x);
    yaw = axes + round((yaw - axes) / (PI / 2)) * (PI / 2);
    viewed_along(yaw, "robot", out);
}

// Returns the orientation of the furniture that an object stands on, be it by way of others.
static double support_yaw(const belief *b, const believed *o) {
    if (o->hang != HANG_OBJECT)
        return 0;
    while (o->hang == HANG_OBJECT && !o->seen.known)
        o = &b->objects.items[o->parent];
    return quat_yaw(o->seen.at.q);
}

static double region_yaw(const belief *b, const world_region *r) {
    return quat_yaw(pose_mul(b->objects.items[r->body].seen.at, r->at).q);
}

void belief_sides(const belief *b, size_t reference, viewpoint *out) {
    const believed *o = &b->objects.items[reference];
    double yaw;
    if (has_front(b, o, &yaw)) {
        own_sides(yaw, o->seen.name, out);
        return;
    }
    const world_region *place = place_of(b, o);
    if (place)
        viewed_along(region_yaw(b, place), place->name, out);
    else
        robots_view(b, o->seen.at.p, support_yaw(b, o), out);
}

void belief_region_sides(const belief *b, size_t region, viewpoint *out) {
    const world_region *r = &b->known->regions[region];
    vec3 middle = pose_mul(b->objects.items[r->body].seen.at, r->at).p;
    if (is_place(r))
        viewed_along(region_yaw(b, r), r->name, out);
    else
        robots_view(b, middle, region_yaw(b, r), out);
}

bool belief_sides_said(const belief *b, const term *who, vec3 of, viewpoint *out) {
    double x, y, yaw;
    if (term_is(who, "at", 2) && term_number(who->args[0], &x) && term_number(who->args[1], &y)) {
        viewed_along(atan2(of.y - y, of.x - x), "at", out);
        return true;
    }
    if (who->kind != TERM_SYMBOL)
        return false;
    if (strcmp(who->text, "robot") == 0) {
        viewed_along(atan2(of.y - b->self->y, of.x - b->self->x), "robot", out);
        return true;
    }
    int64_t region = world_find_region(b->known, who->text);
    if (region >= 0) {
        belief_region_sides(b, (size_t)region, out);
        return true;
    }
    size_t object = belief_index(b, who->text);
    if (object == SIZE_MAX || !has_front(b, &b->objects.items[object], &yaw))
        return false;
    own_sides(yaw, b->objects.items[object].seen.name, out);
    return true;
}

size_t relation_ways(place_relation r, const viewpoint *view, vec3 out[2]) {
    switch (r) {
    case RELATION_in_front_of:
        out[0] = view->front;
        return 1;
    case RELATION_behind:
        out[0] = v3_scale(view->front, -1);
        return 1;
    case RELATION_left_of:
        out[0] = view->left;
        return 1;
    case RELATION_right_of:
        out[0] = v3_scale(view->left, -1);
        return 1;
    case RELATION_beside:
        out[0] = view->left;
        out[1] = v3_scale(view->left, -1);
        return 2;
    case RELATION_near:
    case PLACE_RELATIONS:
        break;
    }
    return 0;
}

bool relation_holds(place_relation r, const viewpoint *view, vec3 off, double most) {
    off.z = 0;
    if (v3_length(off) > most)
        return false;
    vec3 ways[2];
    size_t count = relation_ways(r, view, ways);
    for (size_t k = 0; k < count; k++) {
        double along = v3_dot(off, ways[k]);
        double across = fabs(off.x * ways[k].y - off.y * ways[k].x);
        if (along > 0 && across <= along * (1 + 1e-9))
            return true;
    }
    return r == RELATION_near;
}

// projector/belief/place.c - location terms as poses in the map with their support.
#include "projector/belief/belief_int.h"

#include <math.h>

static status bad_location(const term *t, error *err) {
    char text[200];
    term_format(t, text, sizeof text);
    return error_set(
        err, E_INPUT,
        "%s is no location; docs/plans.md has the forms of one (Descriptions of places)", text);
}

// Returns the height of a body's uppermost surface at the x and y of a point; -infinity: none.
static double top_of(const believed *support, vec3 point) {
    double best = -INFINITY;
    for (size_t k = 0; support->seen.kind && k < support->seen.kind->shape_count; k++) {
        const shape *s = &support->seen.kind->shapes[k];
        pose at = pose_mul(support->seen.at, s->at);
        if (s->kind == SHAPE_PLANE) {
            best = fmax(best, at.p.z);
            continue;
        }
        double hit = shape_ray(s, at, v3(point.x, point.y, 100), v3(0, 0, -1));
        if (isfinite(hit))
            best = fmax(best, 100 - hit);
    }
    return best;
}

static status find_body(const belief *b, const term *t, size_t *out, error *err) {
    if (t->kind != TERM_SYMBOL)
        return bad_location(t, err);
    *out = belief_index(b, t->text);
    if (*out == SIZE_MAX)
        return belief_unknown(t->text, err);
    return OK;
}

static status stand_on(const belief *b, size_t support, believed_place *out, error *err) {
    const believed *s = &b->objects.items[support];
    double top = top_of(s, out->at.p);
    if (!isfinite(top))
        return error_set(err, E_INPUT, "%s has no surface at (%.2f, %.2f)", s->seen.name,
                         out->at.p.x, out->at.p.y);
    out->at.p.z = top;
    out->support = s->seen.name;
    return OK;
}

// Finds the largest level top of a body: its middle and half extents. False: there is none.
static bool largest_top(const believed *s, pose *middle, double half[2]) {
    double best = 0;
    for (size_t k = 0; s->seen.kind && k < s->seen.kind->shape_count; k++) {
        const shape *p = &s->seen.kind->shapes[k];
        pose at = pose_mul(s->seen.at, p->at);
        mat3 m = quat_matrix(at.q);
        if (m.m[2][2] < 0.99 || (p->kind != SHAPE_BOX && p->kind != SHAPE_CYLINDER))
            continue;
        double hx = p->kind == SHAPE_BOX ? p->size.x / 2 : p->size.x * sqrt(0.5);
        double hy = p->kind == SHAPE_BOX ? p->size.y / 2 : p->size.x * sqrt(0.5);
        // Of two boards of the same size, the upper one is taken.
        double area = hx * hy * (1 + 1e-3 * at.p.z);
        if (area <= best)
            continue;
        best = area;
        *middle = pose_planar(at.p.x, at.p.y, quat_yaw(at.q));
        middle->p.z = at.p.z + p->size.z / 2;
        half[0] = hx;
        half[1] = hy;
    }
    return best > 0;
}

static status place_on(const belief *b, const term *location, believed_place *out, error *err) {
    size_t support;
    status s = find_body(b, location->args[0], &support, err);
    if (s != OK)
        return s;
    const believed *body = &b->objects.items[support];
    double x, y, half[2] = {0.5, 0.5};
    out->yaw_free = true;
    if (location->arity == 2) {
        const term *at = location->args[1];
        if (!term_is(at, "at", 2) || !term_number(at->args[0], &x) || !term_number(at->args[1], &y))
            return bad_location(location, err);
        out->at = pose_planar(x, y, quat_yaw(body->seen.at.q));
        out->tolerance = 0.05;
        return stand_on(b, support, out, err);
    }
    if (!largest_top(body, &out->at, half)) {
        // A floor has no middle: the place before the robot is taken.
        out->at = pose_planar(b->self->x + 0.7 * cos(b->self->yaw),
                              b->self->y + 0.7 * sin(b->self->yaw), b->self->yaw);
        half[0] = half[1] = 0.5;
        s = stand_on(b, support, out, err);
        if (s != OK)
            return s;
    }
    out->support = body->seen.name;
    out->half_x = fmax(0, half[0] - 0.08);
    out->half_y = fmax(0, half[1] - 0.08);
    return OK;
}

static status place_within(const belief *b, const term *location, believed_place *out, error *err) {
    const term *name = location->args[0];
    int64_t region = name->kind == TERM_SYMBOL ? world_find_region(b->known, name->text) : -1;
    if (region < 0) {
        char text[200];
        term_format(name, text, sizeof text);
        return error_set(err, E_INPUT, "%s is no region", text);
    }
    const world_region *r = &b->known->regions[region];
    out->at = pose_mul(b->objects.items[r->body].seen.at, r->at);
    out->support = b->objects.items[r->body].seen.name;
    out->yaw_free = !isfinite(r->angle_tolerance);
    out->tolerance = r->tolerance;
    // A region with a tolerance about its centre wants the object there; any other wants it
    // anywhere inside, with room for errors.
    out->half_x = r->tolerance > 0 ? 0.25 * r->tolerance : fmax(0, r->half_x - 0.03);
    out->half_y = r->tolerance > 0 ? 0.25 * r->tolerance : fmax(0, r->half_y - 0.03);
    return OK;
}

// in_front_of, behind and beside furniture: 0.25 m from its outline on that side.
static status place_relative(const belief *b, const term *location, believed_place *out,
                             error *err) {
    size_t ref, support;
    status s = find_body(b, location->args[0], &ref, err);
    if (s != OK)
        return s;
    const believed *r = &b->objects.items[ref];
    vec3 low = v3(0, 0, 0), high = v3(0, 0, 0);
    if (r->seen.kind)
        shapes_bounds(r->seen.kind->shapes, r->seen.kind->shape_count, POSE_IDENTITY, &low, &high);
    const double gap = 0.25;
    vec3 middle = v3((low.x + high.x) / 2, (low.y + high.y) / 2, 0), local = middle;
    if (strcmp(location->text, "in_front_of") == 0)
        local.x = high.x + gap;
    else if (strcmp(location->text, "behind") == 0)
        local.x = low.x - gap;
    else
        local.y = low.y - gap;
    vec3 at = pose_apply(r->seen.at, local);
    out->at = pose_planar(at.x, at.y, quat_yaw(r->seen.at.q));
    out->yaw_free = true;
    out->tolerance = 0.15;
    out->half_x = out->half_y = 0.04;
    if (location->arity == 2) {
        if (!term_is(location->args[1], "on", 1))
            return bad_location(location, err);
        s = find_body(b, location->args[1]->args[0], &support, err);
        return s == OK ? stand_on(b, support, out, err) : s;
    }
    out->support_defaulted = true;
    if (r->hang != HANG_OBJECT)
        return error_set(err, E_INPUT,
                         "the robot does not know what %s stands on; add the support, as in "
                         "behind(%s, on(table_1))",
                         r->seen.name, r->seen.name);
    return stand_on(b, r->parent, out, err);
}

static status place_at(const belief *b, const term *location, believed_place *out, error *err) {
    double v[3] = {0};
    out->tolerance = 0.05;
    // at(X, Y, any, Support) allows any orientation.
    out->yaw_free = location->arity >= 4 && term_is_symbol(location->args[2], "any");
    for (uint32_t i = 0; i < (out->yaw_free ? 2 : 3); i++)
        if (!term_number(location->args[i], &v[i]))
            return bad_location(location, err);
    if (location->arity == 5 &&
        (!term_number(location->args[4], &out->tolerance) || !(out->tolerance >= 0)))
        return bad_location(location, err);
    out->at = pose_planar(v[0], v[1], v[2] * PI / 180);
    if (out->yaw_free || location->arity == 5)
        out->half_x = out->half_y = out->tolerance / 2;
    if (location->arity >= 4) {
        size_t support;
        status s = find_body(b, location->args[3], &support, err);
        if (s == OK && out->yaw_free)
            out->at.q = pose_planar(0, 0, quat_yaw(b->objects.items[support].seen.at.q)).q;
        return s == OK ? stand_on(b, support, out, err) : s;
    }
    const char *name = NULL;
    double top = belief_surface(b, v3(v[0], v[1], 1.3), NULL, &name);
    if (!isfinite(top))
        return error_set(err, E_INPUT, "nothing is known beneath (%.2f, %.2f)", v[0], v[1]);
    out->at.p.z = top;
    out->support = name;
    out->support_defaulted = true;
    return OK;
}

// Returns whether a location is on a side of furniture, which place_relative resolves.
static bool of_furniture(const belief *b, const term *location) {
    static const char *const words[] = {"in_front_of", "behind", "beside"};
    bool plain = false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        plain = plain || strcmp(location->text, words[k]) == 0;
    size_t ref = location->args[0]->kind == TERM_SYMBOL ? belief_index(b, location->args[0]->text)
                                                        : SIZE_MAX;
    return plain && (ref == SIZE_MAX || b->objects.items[ref].seen.known);
}

bool belief_describes(const belief *b, const term *location) {
    if (term_list_length(location) > 0)
        return true;
    bool word = location->kind == TERM_COMPOUND && (location->arity == 1 || location->arity == 2) &&
                place_relation_named(location->text) != PLACE_RELATIONS;
    return (word && !of_furniture(b, location)) || term_is(location, "in", 1);
}

static status place_described(const belief *b, const term *location, believed_place *out,
                              error *err) {
    place_answer *answer = mem_must(1, sizeof *answer);
    place_wish wish = {.most = 1};
    const term *const both[2] = {location, &(term){.kind = TERM_SYMBOL, .text = "[]"}};
    const term alone = {.kind = TERM_COMPOUND, .arity = 2, .text = "[|]", .args = both};
    bool list = term_list_length(location) >= 0;
    status s = belief_find_places(b, list ? location : &alone, &wish, answer, err);
    if (s == OK) {
        *out = answer->places[0];
        for (size_t k = 0; k < answer->assumed_count; k++)
            out->support_defaulted |= strcmp(answer->assumed[k].what, "support") == 0;
    }
    free(answer);
    return s;
}

status belief_resolve_location(const belief *b, const term *location, believed_place *out,
                               error *err) {
    believed_place place = {0};
    status s;
    if (belief_describes(b, location))
        s = place_described(b, location, &place, err);
    else if (term_is(location, "within", 1))
        s = place_within(b, location, &place, err);
    else if (term_is(location, "on", 1) || term_is(location, "on", 2))
        s = place_on(b, location, &place, err);
    else if (location->kind == TERM_COMPOUND && strcmp(location->text, "at") == 0 &&
             location->arity >= 3 && location->arity <= 5)
        s = place_at(b, location, &place, err);
    else if (location->kind == TERM_COMPOUND && (location->arity == 1 || location->arity == 2) &&
             place_relation_named(location->text) != PLACE_RELATIONS)
        s = place_relative(b, location, &place, err);
    else
        s = bad_location(location, err);
    if (s == OK)
        *out = place;
    return s;
}

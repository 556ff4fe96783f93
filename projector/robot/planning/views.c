// projector/robot/planning/views.c - views: the query for a region or object to be in view, and the
// sides from which it can be seen.
#include "projector/robot/planning/stand.h"

#include <math.h>

// Objects in a region have some height: half of it, m.
static const double HEIGHT = 0.06;
// Rims of things such as racks, in which other things stand, m.
static const double RIM_LEAST = 0.04, RIM_MOST = 0.12;
enum { SIDES = 9 };

static bool of_region(const mind *m, const char *name, pose *middle, double half[2]) {
    int64_t region = world_find_region(m->known, name);
    if (region < 0)
        return false;
    const world_region *r = &m->known->regions[region];
    *middle = pose_mul(belief_object(m->belief, r->body)->at, r->at);
    half[0] = r->half_x;
    half[1] = r->half_y;
    return true;
}

// Whether something of a kind that is known is there, and within which corners.
static bool find_bounds(const believed_object *o, vec3 *low, vec3 *high) {
    if (!o || !o->kind)
        return false;
    *low = *high = o->at.p;
    shapes_bounds(o->kind->shapes, o->kind->shape_count, o->at, low, high);
    return true;
}

static bool of_object(const mind *m, const char *name, pose *middle, double half[2]) {
    vec3 low, high;
    if (!find_bounds(belief_find(m->belief, name), &low, &high))
        return false;
    *middle = pose_planar((low.x + high.x) / 2, (low.y + high.y) / 2, 0);
    middle->p.z = low.z;
    half[0] = (high.x - low.x) / 2;
    half[1] = (high.y - low.y) / 2;
    return true;
}

// A thing such as a rack hides the ground of its holes by its own walls; what stands in them rises
// out of them. Returns how far above a place its own support reaches, where that is more than low
// things are high and less than walls of furniture are: those hide what is behind them.
static double rim_above(const mind *m, const believed_place *place) {
    vec3 low, high;
    if (!place->support || !find_bounds(belief_find(m->belief, place->support), &low, &high))
        return 0;
    double rim = high.z - place->at.p.z;
    return rim > RIM_LEAST && rim < RIM_MOST ? rim : 0;
}

status view_query(const mind *m, const term *what, stand_query *q, error *err) {
    pose middle;
    double half[2];
    const char *name = what->kind == TERM_SYMBOL ? what->text : NULL;
    if (!name || !(of_region(m, name, &middle, half) || of_object(m, name, &middle, half))) {
        believed_place place;
        if (what->kind != TERM_COMPOUND)
            return error_set(err, E_INPUT, "'%s' is no region, and nothing that is believed in",
                             name ? name : "");
        status s = belief_resolve_location(m->belief, what, &place, err);
        if (s != OK)
            return s;
        middle = place.at;
        half[0] = place.half_x;
        half[1] = place.half_y;
        middle.p.z += rim_above(m, &place);
    }
    vec3 reach = v3(half[0], half[1], HEIGHT), center = v3_add(middle.p, v3(0, 0, HEIGHT));
    *q = (stand_query){.purpose = STAND_VIEW,
                       .low = v3_sub(center, reach),
                       .high = v3_add(center, reach),
                       .yaw = quat_yaw(middle.q)};
    return OK;
}

static const term *stand_term(arena *a, const stand *s) {
    // Numbers are rounded to what a position is believed to, so that they can be read and are the
    // same in every log.
    const term *args[3] = {term_float(a, round(s->x * 1000) / 1000),
                           term_float(a, round(s->y * 1000) / 1000),
                           term_float(a, round(s->yaw * 1800 / PI) / 10)};
    return term_compound(a, "at", 3, args);
}

status robot_views(mind *m, arena *a, const term *what, const term **out, error *err) {
    stand_query q;
    status s = view_query(m, what, &q, err);
    if (s != OK)
        return s;
    stand found[SIDES];
    size_t count = 0;
    for (int k = 0; m->robot->camera.name && k < SIDES; k++) {
        stand_answer answer;
        q.side = q.yaw + 2 * PI * k / SIDES;
        q.side_half = PI / SIDES;
        stand_search(m, &q, &answer);
        if (!answer.found)
            continue;
        // Stands are sorted by insertion: the least effort first, in the order of the sides among
        // equals.
        size_t at = count++;
        for (; at > 0 && found[at - 1].cost > answer.best.cost; at--)
            found[at] = found[at - 1];
        found[at] = answer.best;
    }
    const term *items[SIDES];
    for (size_t k = 0; k < count; k++)
        items[k] = stand_term(a, &found[k]);
    *out = term_list(a, items, count, NULL);
    return OK;
}

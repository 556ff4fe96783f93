// projector/belief/spots.c - finds the places that fit a description: spots are sampled on the
// support, filtered, ordered by their cost and thinned (places.h).
#include "projector/belief/describe.h"

#include <math.h>

enum { SPOTS_MAX = 4000, ROUND = 8 };

// All in m; places.h says what they are for.
static const double PITCH = 0.02, KEPT = 0.01, WISHED_GAP = 0.04, HAND_GAP = 0.07,
                    WISHED_EDGE = 0.05, FAR = 0.3, NEAR = 0.5, LEVEL = 0.005, APART = 0.08,
                    REFUSED_APART = 0.12;

typedef struct spot {
    vec3 p;
    double cost, rim; // rim: distance from the middle of the area
    size_t support;   // object that carries the spot
    bool oblong;      // the outline is the rectangle about the object, turned to `yaw`
    double yaw;
} spot;

// A shape of an object that may stand in the way.
typedef struct solid_part {
    const shape *s;
    pose at;
    double low, high;
    size_t object;
} solid_part;

// The checks that a spot has to pass; lost[] counts the spots that failed each.
enum { STAGE_SUPPORT, STAGE_WORDS, STAGE_AT = STAGE_WORDS + WORDS_MAX, STAGE_FREE, STAGES };

typedef struct hunt {
    const belief *b;
    const description *d;
    pose area; // planar: the middle of the rectangle that is sampled
    double half_x, half_y, diagonal;
    ARRAY(spot) spots;
    ARRAY(solid_part) parts;
    size_t lost[STAGES];
    struct {
        size_t stage;     // that the spot failed which came closest
        double by;        // m that it lacked there; infinity: no such spot
        size_t neighbour; // what it was too near to; SIZE_MAX: none
    } closest;
    double rim_z; // height of the rim that the object stands on in a stack; -infinity: no stack
} hunt;

// ---- Where to look ------------------------------------------------------------------------------
// Takes the rectangle about a body's shapes, in the body's axes, as the area. False: the body is a
// floor without end.
static bool body_area(const believed_object *o, hunt *h) {
    vec3 low, high;
    h->area = pose_planar(o->at.p.x, o->at.p.y, quat_yaw(o->at.q));
    if (!o->kind ||
        !shapes_bounds(o->kind->shapes, o->kind->shape_count, POSE_IDENTITY, &low, &high))
        return false;
    h->area.p = pose_apply(h->area, v3((low.x + high.x) / 2, (low.y + high.y) / 2, 0));
    h->half_x = (high.x - low.x) / 2;
    h->half_y = (high.y - low.y) / 2;
    return true;
}

// Cuts the area down to a square that reaches `most` from a point.
static void intersect_area(hunt *h, vec3 about, double most) {
    vec3 local = pose_apply(pose_inverse(h->area), v3(about.x, about.y, 0));
    double x0 = fmax(-h->half_x, local.x - most), x1 = fmin(h->half_x, local.x + most);
    double y0 = fmax(-h->half_y, local.y - most), y1 = fmin(h->half_y, local.y + most);
    h->area.p = pose_apply(h->area, v3((x0 + x1) / 2, (y0 + y1) / 2, 0));
    h->half_x = fmax(0, (x1 - x0) / 2);
    h->half_y = fmax(0, (y1 - y0) / 2);
}

static void lay_area(hunt *h) {
    const belief *b = h->b;
    const description *d = h->d;
    const believed_object *support = &b->objects.items[d->support].seen;
    bool ends = true;
    if (d->where == SUPPORT_WITHIN) {
        const world_region *r = &b->known->regions[d->region];
        pose at = pose_mul(support->at, r->at);
        h->area = pose_planar(at.p.x, at.p.y, quat_yaw(at.q));
        h->half_x = r->tolerance > 0 ? r->tolerance : r->half_x;
        h->half_y = r->tolerance > 0 ? r->tolerance : r->half_y;
    } else {
        ends = body_area(support, h);
    }
    if (!ends) { // of a floor: about the reference of the first word, or before the robot
        vec3 about = d->word_count > 0 ? d->words[0].of.frame.p
                     : d->at_term      ? d->at
                                       : pose_apply(belief_robot(b), v3(0.7, 0, 0));
        h->area.p = v3(about.x, about.y, 0);
        h->half_x = h->half_y = 100;
        intersect_area(h, about, 1);
    }
    h->diagonal = hypot(h->half_x, h->half_y);
    for (size_t k = 0; k < d->word_count; k++) {
        const word *w = &d->words[k];
        double most = w->relation == RELATION_near && !w->said ? NEAR : w->distance + FAR;
        intersect_area(h, w->of.frame.p, fmax(most, w->distance + d->tolerance));
    }
    if (d->at_term)
        intersect_area(h, d->at, d->tolerance);
}

static void add_spot(hunt *h, vec3 p) {
    p.z = 0;
    if (h->spots.count < SPOTS_MAX)
        array_push(&h->spots, (spot){.p = p, .support = h->d->support});
}

static void lay_spots(hunt *h) {
    const description *d = h->d;
    for (size_t k = 0; k < d->word_count; k++) {
        vec3 ways[2];
        const word *w = &d->words[k];
        size_t count = relation_ways(w->relation, &w->view, ways);
        for (size_t n = 0; n < count; n++)
            add_spot(h, v3_add(w->of.frame.p, v3_scale(ways[n], w->distance)));
    }
    if (d->at_term)
        add_spot(h, d->at);
    double pitch = PITCH;
    int nx, ny;
    do {
        nx = (int)floor(h->half_x / pitch + 1e-9);
        ny = (int)floor(h->half_y / pitch + 1e-9);
        pitch *= 1.1;
    } while ((2 * nx + 1) * (2 * ny + 1) > SPOTS_MAX - 4 * WORDS_MAX);
    pitch /= 1.1;
    for (int i = -nx; i <= nx; i++)
        for (int k = -ny; k <= ny; k++)
            add_spot(h, pose_apply(h->area, v3(i * pitch, k * pitch, 0)));
}

// ---- What stands where --------------------------------------------------------------------------
static bool rides_along(const belief *b, const believed *o, size_t object) {
    while (o->hang == HANG_OBJECT && o != &b->objects.items[object])
        o = &b->objects.items[o->parent];
    return o == &b->objects.items[object];
}

static void gather_parts(hunt *h) {
    const belief *b = h->b;
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        if (!o->seen.confirmed || o->seen.hand >= 0 || !o->seen.kind ||
            (h->d->object != SIZE_MAX && rides_along(b, o, h->d->object)))
            continue;
        for (size_t k = 0; k < o->seen.kind->shape_count; k++) {
            const shape *s = &o->seen.kind->shapes[k];
            vec3 low, high;
            if (s->kind != SHAPE_PLANE && shapes_bounds(s, 1, o->seen.at, &low, &high))
                array_push(&h->parts,
                           (solid_part){s, pose_mul(o->seen.at, s->at), low.z, high.z, i});
        }
    }
}

// Between the walls of a container a hand needs room, too.
static double gap_wished(const description *d) {
    return d->where == SUPPORT_IN ? HAND_GAP : WISHED_GAP;
}

// Returns the distance between a circle about a spot and the nearest object that reaches up as
// high.
static double gap_of_circle(const hunt *h, vec3 p, double radius, size_t *neighbour) {
    double best = INFINITY;
    for (size_t k = 0; k < h->parts.count; k++) {
        const solid_part *o = &h->parts.items[k];
        double low = fmax(o->low, p.z + 0.003), high = fmin(o->high, p.z + h->d->height);
        if (low >= high || v3_distance(o->at.p, p) > 2 + v3_length(o->s->size))
            continue;
        double gap = shape_distance(o->s, o->at, v3(p.x, p.y, (low + high) / 2));
        if (gap < best) {
            best = gap;
            *neighbour = o->object;
        }
    }
    return best - radius;
}

// The same for the rectangle about the object, which is turned as the spot says.
static double gap_of_rectangle(const hunt *h, const spot *at, size_t *neighbour) {
    const description *d = h->d;
    const double lifted = 0.003; // m
    const shape box = {.kind = SHAPE_BOX,
                       .size = v3(2 * d->half_x, 2 * d->half_y, d->height - lifted)};
    pose here =
        pose_mul(pose_planar(at->p.x, at->p.y, at->yaw), pose_planar(d->middle.x, d->middle.y, 0));
    here.p.z = at->p.z + (lifted + d->height) / 2;
    double best = gap_wished(d);
    for (size_t k = 0; k < h->parts.count; k++) {
        const solid_part *o = &h->parts.items[k];
        if (o->low < at->p.z + d->height && o->high > at->p.z + lifted &&
            shape_distance(o->s, o->at, here.p) < v3_length(box.size) / 2 + best) {
            double gap = shape_gap(&box, here, o->s, o->at);
            if (gap < best) {
                best = gap;
                *neighbour = o->object;
            }
        }
    }
    return best;
}

static double gap_at(const hunt *h, const spot *at, size_t *neighbour) {
    return at->oblong ? gap_of_rectangle(h, at, neighbour)
                      : gap_of_circle(h, at->p, h->d->radius, neighbour);
}

// The k-th of ROUND points about a spot, `off` beyond the outline.
static vec3 outline_point(const hunt *h, const spot *at, int k, double off) {
    const description *d = h->d;
    double angle = 2 * PI * k / ROUND, c = cos(angle), s = sin(angle);
    if (!at->oblong)
        return v3_add(at->p, v3_scale(v3(c, s, 0), d->radius + off));
    // The corners and the middles of the sides.
    const double least = 0.5;
    vec3 local = v3(d->middle.x + (fabs(c) < least ? 0 : copysign(d->half_x + off, c)),
                    d->middle.y + (fabs(s) < least ? 0 : copysign(d->half_y + off, s)), 0);
    return pose_apply(pose_planar(at->p.x, at->p.y, at->yaw), local);
}

// Returns the height of the level surface at a point, and the object that it belongs to; -infinity:
// none.
static double top_at(const hunt *h, double x, double y, size_t *owner) {
    const belief *b = h->b;
    const believed_object *support = &b->objects.items[h->d->support].seen;
    *owner = h->d->support;
    if (h->d->where != SUPPORT_IN)
        return belief_top(support, v3(x, y, 100), INFINITY);
    // In a container, the object stands on its bottom, or on the furniture that is its bottom.
    const shape *s = &support->kind->interior;
    vec3 low, high;
    const char *name = NULL;
    if (!shapes_bounds(s, 1, support->at, &low, &high))
        return -INFINITY;
    const char *except = h->d->object == SIZE_MAX ? NULL : b->objects.items[h->d->object].seen.name;
    double top = belief_surface(b, v3(x, y, high.z), except, &name);
    if (!(top >= low.z - 0.03) || !name)
        return -INFINITY;
    *owner = belief_index(b, name);
    bool bottom = *owner == h->d->support || b->objects.items[*owner].seen.known;
    return bottom ? top : -INFINITY;
}

// Returns the share of the points `off` beyond the outline that lie on the same surface.
static double carried_share(const hunt *h, const spot *at, double off) {
    int good = 0;
    for (int k = 0; k < ROUND; k++) {
        size_t owner;
        vec3 p = outline_point(h, at, k, off);
        double top = top_at(h, p.x, p.y, &owner);
        good += owner == at->support && fabs(top - at->p.z) < LEVEL;
    }
    return (double)good / ROUND;
}

static bool spot_carries(const hunt *h, spot *at) {
    if (isfinite(h->rim_z)) {
        at->p.z = h->rim_z;
        return v3_distance(v3(at->p.x, at->p.y, 0), v3(h->area.p.x, h->area.p.y, 0)) < 1e-6;
    }
    at->p.z = top_at(h, at->p.x, at->p.y, &at->support);
    if (!isfinite(at->p.z) || carried_share(h, at, KEPT) < 1)
        return false;
    at->cost += 0.5 * (1 - carried_share(h, at, WISHED_EDGE));
    if (h->d->where == SUPPORT_WITHIN) {
        vec3 local = pose_apply(pose_inverse(h->area), at->p);
        const world_region *r = &h->b->known->regions[h->d->region];
        return r->tolerance <= 0 || hypot(local.x, local.y) <= r->tolerance;
    }
    return true;
}

// ---- Words --------------------------------------------------------------------------------------
static bool word_fits(const hunt *h, const word *w, spot *at) {
    vec3 off = v3_sub(at->p, w->of.frame.p), ways[2];
    off.z = 0;
    double length = v3_length(off), least = INFINITY;
    bool near = w->relation == RELATION_near;
    double most = near ? NEAR : w->distance + FAR;
    if (w->said ? fabs(length - w->distance) > h->d->tolerance + 1e-9 : length > most)
        return false;
    if (!relation_holds(w->relation, &w->view, off, INFINITY))
        return false;
    size_t count = relation_ways(w->relation, &w->view, ways);
    for (size_t k = 0; k < count; k++)
        least = fmin(least, v3_distance(off, v3_scale(ways[k], w->distance)));
    at->cost += (near ? fabs(length - w->distance) : least) / 0.1;
    return true;
}

// Keeps how much a spot lacked, where that is less than what others lacked.
static void note_lack(hunt *h, size_t stage, double by, size_t neighbour) {
    if (stage < h->closest.stage || (stage == h->closest.stage && by >= h->closest.by))
        return;
    h->closest.stage = stage;
    h->closest.by = by;
    h->closest.neighbour = neighbour;
}

static size_t stage_lost(hunt *h, spot *at) {
    const description *d = h->d;
    for (size_t k = 0; k < d->word_count; k++)
        if (!word_fits(h, &d->words[k], at))
            return STAGE_WORDS + k;
    double off = d->at_term ? hypot(at->p.x - d->at.x, at->p.y - d->at.y) - d->tolerance : 0;
    if (off > 1e-9) {
        note_lack(h, STAGE_AT, off, SIZE_MAX);
        return STAGE_AT;
    }
    if (!spot_carries(h, at))
        return STAGE_SUPPORT;
    size_t neighbour = SIZE_MAX;
    double gap = gap_at(h, at, &neighbour);
    if (gap < KEPT) {
        note_lack(h, STAGE_FREE, KEPT - gap, neighbour);
        return STAGE_FREE;
    }
    at->cost += 2 * fmax(0, 1 - gap / gap_wished(d));
    // In a container a thing stands aside, so that there is room for others.
    double off_middle = at->rim / fmax(h->diagonal, 1e-6);
    if (d->word_count == 0 && !d->at_term)
        at->cost += d->where == SUPPORT_IN ? 1 - off_middle : off_middle;
    else if (d->at_term)
        at->cost += hypot(at->p.x - d->at.x, at->p.y - d->at.y) / 0.1;
    return STAGES;
}

static int spot_order(const void *a, const void *b) {
    const spot *x = a, *y = b;
    // Sums of equal things may differ in their last bits.
    if (fabs(x->cost - y->cost) > 0)
        return x->cost < y->cost ? -1 : 1;
    if (x->rim < y->rim || x->rim > y->rim)
        return x->rim < y->rim ? -1 : 1;
    if (x->p.x < y->p.x || x->p.x > y->p.x)
        return x->p.x < y->p.x ? -1 : 1;
    return x->p.y < y->p.y ? -1 : x->p.y > y->p.y;
}

static void filter_spots(hunt *h) {
    h->closest.by = INFINITY;
    h->closest.neighbour = SIZE_MAX;
    size_t kept = 0;
    for (size_t k = 0; k < h->spots.count; k++) {
        spot at = h->spots.items[k];
        at.rim = hypot(at.p.x - h->area.p.x, at.p.y - h->area.p.y);
        size_t lost = stage_lost(h, &at);
        if (lost < STAGES) {
            h->lost[lost]++;
            continue;
        }
        // Costs that are equal but for rounding must compare as equal.
        at.cost = round(at.cost * 1e9) / 1e9;
        h->spots.items[kept++] = at;
    }
    h->spots.count = kept;
    qsort(h->spots.items, kept, sizeof *h->spots.items, spot_order);
}

// Lays the spots anew for the rectangle about what is put there, each turned to where it has most
// room.
static void turn_spots(hunt *h) {
    enum { TURNS = 4 };
    const description *d = h->d;
    size_t kept = 0, neighbour;
    h->spots.count = 0;
    lay_spots(h);
    for (size_t k = 0; k < h->spots.count; k++) {
        spot at = h->spots.items[k], best = at;
        at.oblong = true;
        double widest = KEPT, z = top_at(h, at.p.x, at.p.y, &at.support);
        at.p.z = z;
        if (!isfinite(z) || gap_of_circle(h, at.p, fmin(d->half_x, d->half_y), &neighbour) < KEPT)
            continue;
        for (int n = 0; n < TURNS; n++) {
            at.yaw = quat_yaw(h->area.q) + PI * n / TURNS;
            double gap = carried_share(h, &at, KEPT) < 1 ? 0 : gap_of_rectangle(h, &at, &neighbour);
            if (gap > widest) {
                widest = gap;
                best = at;
            }
        }
        if (best.oblong)
            h->spots.items[kept++] = best;
    }
    h->spots.count = kept;
    filter_spots(h);
}

// ---- Seen and reached ---------------------------------------------------------------------------
static bool place_visible(const hunt *h, const term *from, const believed_place *place) {
    const belief *b = h->b;
    const robot_camera *c = &b->robot->camera;
    double v[3];
    pose base = belief_robot(b), here = base;
    if (term_is(from, "at", 3)) {
        for (int i = 0; i < 3; i++)
            if (!term_number(from->args[i], &v[i]))
                return false;
        base = pose_planar(v[0], v[1], v[2] * PI / 180);
    }
    pose eye = pose_mul(pose_mul(base, pose_inverse(here)), pose_mul(b->links[c->link], c->at));
    vec3 target = v3_add(place->at.p, v3(0, 0, fmax(0.02, h->d->height / 2)));
    vec3 to = v3_sub(target, eye.p), way = v3_unit(to);
    double length = v3_length(to);
    if (length < c->near || length > c->far)
        return false;
    for (size_t i = 0; i < b->objects.count; i++) {
        const believed *o = &b->objects.items[i];
        bool counts = o->seen.confirmed && o->seen.hand < 0 && o->seen.kind &&
                      (h->d->object == SIZE_MAX || !rides_along(b, o, h->d->object));
        for (size_t k = 0; counts && k < o->seen.kind->shape_count; k++) {
            const shape *s = &o->seen.kind->shapes[k];
            if (shape_ray(s, pose_mul(o->seen.at, s->at), eye.p, way) < length - 0.01)
                return false;
        }
    }
    return true;
}

static believed_place place_of(const hunt *h, const spot *at) {
    const description *d = h->d;
    double yaw = quat_yaw(h->area.q);
    if (d->faces)
        yaw = atan2(d->facing.frame.p.y - at->p.y, d->facing.frame.p.x - at->p.x);
    else if (d->turned)
        yaw = d->yaw;
    else if (at->oblong)
        yaw = at->yaw;
    believed_place out = {.support = h->b->objects.items[at->support].seen.name,
                          .tolerance = d->tolerance,
                          .half_x = d->tolerance / 2,
                          .half_y = d->tolerance / 2,
                          .yaw_free = !d->turned && !at->oblong,
                          .half_turns = at->oblong};
    out.at = pose_planar(at->p.x, at->p.y, yaw);
    out.at.p.z = at->p.z;
    if (isfinite(h->rim_z))
        out.half_x = out.half_y = 0;
    return out;
}

// Judges whether a place has the property. E_INPUT: the property cannot be judged here.
static status judge_place(const hunt *h, const place_wish *wish, const term *asked,
                          const believed_place *place, bool *out, error *err) {
    if (strcmp(asked->text, "visible_from") == 0) {
        const term *from = asked->args[0];
        if (!h->b->robot->camera.name)
            return error_set(err, E_INPUT, "visible_from: the robot has no camera");
        if (!term_is_symbol(from, "robot") && !term_is(from, "at", 3))
            return error_set(err, E_INPUT,
                             "visible_from: its argument must be robot or at(X, Y, YawDegrees)");
        *out = place_visible(h, from, place);
        return OK;
    }
    if (!wish->judge)
        return error_set(err, E_INPUT,
                         "%s can only be judged in a plan, where an arm or the base is to act",
                         asked->text);
    *out = wish->judge(wish->context, asked, place);
    return OK;
}

static bool is_apart(const place_answer *out, vec3 p) {
    for (size_t k = 0; k < out->count; k++)
        if (hypot(out->places[k].at.p.x - p.x, out->places[k].at.p.y - p.y) < APART)
            return false;
    return true;
}

static status nothing_left(const term *asked, size_t of, error *err) {
    char text[120];
    term_format(asked, text, sizeof text);
    return error_set(err, E_INFEASIBLE, "no place fits: %s leaves none of %zu %s", text, of,
                     of == 1 ? "spot" : "spots");
}

// Chooses the best places that are apart from each other and have the properties that are judged
// last.
static status choose_places(const hunt *h, const place_wish *wish, place_answer *out, error *err) {
    const description *d = h->d;
    size_t most = wish->most > PLACES_FOUND_MAX ? PLACES_FOUND_MAX : wish->most, judged = 0;
    size_t passed[LATE_MAX + 1] = {0};
    ARRAY(vec3) refused = {0};
    status s = OK;
    most = most == 0 ? 1 : most;
    for (size_t k = 0; s == OK && k < h->spots.count && out->count < most; k++) {
        const spot *at = &h->spots.items[k];
        bool fits = is_apart(out, at->p);
        for (size_t n = 0; n < refused.count && fits; n++)
            fits = v3_distance(refused.items[n], at->p) >= REFUSED_APART;
        if (!fits)
            continue;
        if (d->late_count > 0 && judged++ == PLACES_JUDGED)
            break;
        believed_place place = place_of(h, at);
        passed[0]++;
        for (size_t n = 0; n < d->late_count && fits && s == OK; n++) {
            s = judge_place(h, wish, d->late[n], &place, &fits, err);
            passed[n + 1] += s == OK && fits;
        }
        if (s == OK && fits) {
            out->costs[out->count] = at->cost;
            out->places[out->count++] = place;
        } else {
            array_push(&refused, at->p);
        }
    }
    array_finish(&refused);
    for (size_t n = 0; n < d->late_count && s == OK && out->count == 0; n++)
        if (passed[n + 1] == 0)
            return nothing_left(d->late[n], passed[n], err);
    return s;
}

// Fills `err` with the property that left no spot.
static status blame_property(const hunt *h, size_t tried, error *err) {
    const description *d = h->d;
    size_t left = tried;
    for (size_t k = 0; k < d->word_count; k++) {
        if (left == h->lost[STAGE_WORDS + k])
            return nothing_left(d->words[k].t, left, err);
        left -= h->lost[STAGE_WORDS + k];
    }
    if (d->at_term && left == h->lost[STAGE_AT])
        return nothing_left(d->at_term, left, err);
    left -= h->lost[STAGE_AT];
    const char *support = h->b->objects.items[d->support].seen.name;
    if (left == h->lost[STAGE_SUPPORT]) {
        if (d->support_term)
            return nothing_left(d->support_term, left, err);
        return error_set(err, E_INFEASIBLE,
                         "no place fits: %s (not said, but taken) carries it at none of %zu spots",
                         support, left);
    }
    left -= h->lost[STAGE_SUPPORT];
    if (d->for_term)
        return nothing_left(d->for_term, left, err);
    return error_set(err, E_INFEASIBLE,
                     "no place fits: something stands at each of %zu spots on %s", left, support);
}

// The same, with what the spot lacked that came closest.
static status blame_closest(const hunt *h, size_t tried, error *err) {
    error why = {0};
    status s = blame_property(h, tried, &why);
    double narrow = h->d->radius + KEPT - fmin(h->half_x, h->half_y);
    if (h->closest.neighbour != SIZE_MAX)
        return error_set(err, s, "%s; closest: %.0f mm too near to %s", why.text,
                         1000 * h->closest.by, h->b->objects.items[h->closest.neighbour].seen.name);
    if (h->closest.stage == STAGE_AT && isfinite(h->closest.by))
        return error_set(err, s, "%s; closest: %.0f mm too far from there", why.text,
                         1000 * h->closest.by);
    if (h->lost[STAGE_SUPPORT] == tried && narrow > 0)
        return error_set(err, s, "%s; closest: %.0f mm too narrow for it", why.text, 2000 * narrow);
    return error_set(err, s, "%s", why.text);
}

double belief_rim(const belief *b, const char *support, const body_type *kind, pose at) {
    size_t under = belief_index(b, support);
    if (under == SIZE_MAX || b->objects.items[under].seen.known)
        return -INFINITY;
    const believed_object *o = &b->objects.items[under].seen;
    double flat = belief_top(o, v3(at.p.x, at.p.y, 100), INFINITY),
           top = belief_standing_top(o, kind, at, INFINITY);
    return top > flat + 0.001 ? top : -INFINITY;
}

status belief_find_places(const belief *b, const term *list, const place_wish *wish,
                          place_answer *out, error *err) {
    description d;
    place_answer *answer = mem_must(1, sizeof *answer);
    status s = place_description_read(b, list, wish, &d, answer, err);
    hunt h = {.b = b, .d = &d, .rim_z = -INFINITY};
    if (s == OK) {
        lay_area(&h);
        if (d.where == SUPPORT_ON && d.kind)
            h.rim_z = belief_rim(b, b->objects.items[d.support].seen.name, d.kind, h.area);
        if (isfinite(h.rim_z))
            add_spot(&h, h.area.p);
        else
            lay_spots(&h);
        answer->tried = h.spots.count;
        gather_parts(&h);
        filter_spots(&h);
        s = h.spots.count == 0 ? blame_closest(&h, answer->tried, err)
                               : choose_places(&h, wish, answer, err);
    }
    // Where there is no room for the circle about it, there may be some for a longish thing that is
    // turned along something else.
    if (s == E_INFEASIBLE && d.half_x > 0 && !d.turned && !isfinite(h.rim_z)) {
        answer->count = 0;
        turn_spots(&h);
        error why = {0};
        if (h.spots.count > 0 && choose_places(&h, wish, answer, &why) == OK)
            s = OK;
    }
    if (s == OK) {
        snprintf(
            answer->reason, sizeof answer->reason,
            "least cost %.3f of distance from where the words say it is best%s, room and edge; "
            "%zu of %zu spots fit",
            answer->costs[0], d.word_count == 0 ? " (the middle)" : "", h.spots.count,
            answer->tried);
        *out = *answer;
    }
    array_finish(&h.spots);
    array_finish(&h.parts);
    free(answer);
    return s;
}

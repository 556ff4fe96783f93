// projector/belief/describe.c - reads the description of a place, and decides what it leaves
// unsaid.
#include "projector/belief/describe.h"

#include <math.h>

static const struct {
    const char *name;
    uint32_t least, most;
} PROPERTIES[] = {
#define PLACE_PROPERTY(name, least, most, doc) {#name, least, most},
#define PLACE_RELATION(name, doc) {#name, 1, 2},
#include "projector/belief/places.def"
};

static status refuse_property(const term *t, const char *why, error *err) {
    char text[160];
    term_format(t, text, sizeof text);
    return error_set(err, E_INPUT, "%s in the description of a place: %s", text, why);
}

__attribute__((format(printf, 4, 5))) static void
note_assumption(place_answer *out, const char *what, const char *chosen, const char *format, ...) {
    if (out->assumed_count == ASSUMED_MAX)
        return;
    place_assumption *a = &out->assumed[out->assumed_count++];
    a->what = what;
    snprintf(a->chosen, sizeof a->chosen, "%s", chosen);
    va_list args;
    va_start(args, format);
    vsnprintf(a->why, sizeof a->why, format, args);
    va_end(args);
}

// ---- References ---------------------------------------------------------------------------------
static status read_reference(const belief *b, const term *t, reference *out, error *err) {
    *out = (reference){.object = SIZE_MAX, .region = -1};
    if (t->kind != TERM_SYMBOL)
        return refuse_property(t, "its argument must name a body, an object or a region", err);
    out->name = t->text;
    if (strcmp(t->text, "robot") == 0) {
        out->robot = true;
        out->frame = belief_robot(b);
        out->half_x = out->half_y = b->robot->base_radius;
        return OK;
    }
    out->region = world_find_region(b->known, t->text);
    if (out->region >= 0) {
        const world_region *r = &b->known->regions[out->region];
        out->frame = pose_mul(b->objects.items[r->body].seen.at, r->at);
        out->half_x = r->half_x;
        out->half_y = r->half_y;
        return OK;
    }
    out->object = belief_index(b, t->text);
    if (out->object == SIZE_MAX)
        return belief_unknown(t->text, err);
    const believed_object *o = &b->objects.items[out->object].seen;
    out->frame = pose_planar(o->at.p.x, o->at.p.y, quat_yaw(o->at.q));
    vec3 low, high;
    if (o->kind &&
        shapes_bounds(o->kind->shapes, o->kind->shape_count, POSE_IDENTITY, &low, &high)) {
        vec3 middle = pose_apply(out->frame, v3((low.x + high.x) / 2, (low.y + high.y) / 2, 0));
        out->frame.p = middle;
        out->half_x = (high.x - low.x) / 2;
        out->half_y = (high.y - low.y) / 2;
    }
    return OK;
}

// Returns the distance from the middle of a reference to the edge of its rectangle in a direction.
static double reference_extent(const reference *r, vec3 way) {
    vec3 own = quat_rotate(quat_inverse(r->frame.q), way);
    return r->half_x * fabs(own.x) + r->half_y * fabs(own.y);
}

// ---- Properties ---------------------------------------------------------------------------------
static status read_number(const term *t, double least, double *out, error *err) {
    if (!term_number(t->args[0], out) || !(*out >= least))
        return refuse_property(t, "its argument must be a number of metres, 0 or more", err);
    return OK;
}

static status read_support(const belief *b, description *d, const term *t, error *err) {
    if (d->where != SUPPORT_UNSAID)
        return refuse_property(
            t, "another property says already what the place is on, in or within", err);
    reference r;
    status s = read_reference(b, t->args[0], &r, err);
    if (s != OK)
        return s;
    d->support_term = t;
    if (strcmp(t->text, "within") == 0) {
        if (r.region < 0)
            return error_set(err, E_INPUT, "%s is no region", r.name);
        d->where = SUPPORT_WITHIN;
        d->region = (size_t)r.region;
        d->support = b->known->regions[r.region].body;
        return OK;
    }
    if (r.object == SIZE_MAX)
        return refuse_property(t, "its argument must name a body or an object", err);
    bool in = strcmp(t->text, "in") == 0;
    const body_type *kind = b->objects.items[r.object].seen.kind;
    if (in && (!kind || !kind->has_interior))
        return refuse_property(t, "its argument is no container", err);
    d->where = in ? SUPPORT_IN : SUPPORT_ON;
    d->support = r.object;
    return OK;
}

static status read_relation(const belief *b, description *d, const term *t, error *err) {
    if (d->word_count == WORDS_MAX)
        return refuse_property(t, "a description has at most 8 relations such as left_of(cup_1)",
                               err);
    word *w = &d->words[d->word_count];
    *w = (word){.t = t, .relation = place_relation_named(t->text)};
    status s = read_reference(b, t->args[0], &w->of, err);
    if (s != OK)
        return s;
    if (t->arity == 2) { // in_front_of(chair_1, on(table_1))
        if (!term_is(t->args[1], "on", 1))
            return refuse_property(t, "its second argument can only be on(Support)", err);
        s = read_support(b, d, t->args[1], err);
    }
    d->word_count++;
    return s;
}

static status read_for(const belief *b, description *d, const term *t, error *err) {
    const term *who = term_is(t->args[0], "a", 1) ? t->args[0]->args[0] : t->args[0];
    if (who->kind != TERM_SYMBOL)
        return refuse_property(t, "its argument must name an object or a type", err);
    d->for_term = t;
    d->robot = strcmp(who->text, "robot") == 0;
    if (d->robot) {
        if (d->late_count < LATE_MAX)
            d->late[d->late_count++] = t; // a way leads there
        return OK;
    }
    d->object = belief_index(b, who->text);
    d->kind = d->object != SIZE_MAX ? b->objects.items[d->object].seen.kind
                                    : world_find_type(b->known, who->text);
    return d->kind ? OK
                   : error_set(
                         err, E_INPUT,
                         "%s is neither an object that is believed in nor a type of the catalogue",
                         who->text);
}

static status read_at(description *d, const term *t, error *err) {
    double v[3] = {0, 0, 0};
    for (uint32_t i = 0; i < t->arity; i++)
        if (!term_number(t->args[i], &v[i]))
            return refuse_property(t, "write at(X, Y) or at(X, Y, YawDegrees), with numbers", err);
    d->at_term = t;
    d->at = v3(v[0], v[1], 0);
    d->turned = d->turned || t->arity == 3;
    d->yaw = v[2] * PI / 180;
    return OK;
}

static status read_property(const belief *b, description *d, const term *t, error *err) {
    const char *f = t->text;
    if (place_relation_named(f) != PLACE_RELATIONS)
        return read_relation(b, d, t, err);
    if (strcmp(f, "on") == 0 || strcmp(f, "in") == 0 || strcmp(f, "within") == 0)
        return read_support(b, d, t, err);
    if (strcmp(f, "at") == 0)
        return read_at(d, t, err);
    if (strcmp(f, "for") == 0)
        return read_for(b, d, t, err);
    if (strcmp(f, "tolerance") == 0) {
        d->tolerance_said = true;
        return read_number(t, 0, &d->tolerance, err);
    }
    if (strcmp(f, "distance") == 0) {
        word *w = &d->words[d->word_count > 0 ? d->word_count - 1 : 0];
        if (d->word_count == 0)
            return refuse_property(t,
                                   "write it behind the relation whose distance it gives, as in "
                                   "left_of(cup_1), distance(0.2)",
                                   err);
        w->said = true;
        return read_number(t, 0, &w->distance, err);
    }
    if (strcmp(f, "facing") == 0) {
        d->turned = d->faces = true;
        return read_reference(b, t->args[0], &d->facing, err);
    }
    if (strcmp(f, "seen_from") == 0) {
        d->seen_from = t->args[0];
        return OK;
    }
    if (d->late_count == LATE_MAX)
        return refuse_property(t,
                               "a description has at most 8 properties that need the robot "
                               "(reachable_for, visible_from, for(robot))",
                               err);
    d->late[d->late_count++] = t; // reachable_for, visible_from
    return OK;
}

static status check_arity(const term *t, uint32_t least, uint32_t most, error *err) {
    if (t->arity >= least && t->arity <= most)
        return OK;
    char why[64];
    if (least == most)
        snprintf(why, sizeof why, "it takes %u argument%s", least, least == 1 ? "" : "s");
    else
        snprintf(why, sizeof why, "it takes %u or %u arguments", least, most);
    return refuse_property(t, why, err);
}

static status check_form(const term *t, error *err) {
    const size_t all = sizeof PROPERTIES / sizeof *PROPERTIES;
    for (size_t k = 0; t->kind == TERM_COMPOUND && k < all; k++)
        if (strcmp(PROPERTIES[k].name, t->text) == 0)
            return check_arity(t, PROPERTIES[k].least, PROPERTIES[k].most, err);
    return refuse_property(
        t, "there is no such property; docs/plans.md lists them (Descriptions of places)", err);
}

bool place_property(const term *t) {
    return check_form(t, NULL) == OK;
}

// ---- What was not said --------------------------------------------------------------------------
static status unsaid_support(const belief *b, description *d, place_answer *out, error *err) {
    if (d->where != SUPPORT_UNSAID)
        return OK;
    d->where = SUPPORT_ON;
    if (d->robot) {
        const char *floor = NULL;
        vec3 here = v3(b->self->x, b->self->y, 0.1);
        if (!isfinite(belief_surface(b, here, NULL, &floor)))
            return error_set(
                err, E_INPUT,
                "the robot does not know what it stands on; add on(floor_1) or the like");
        d->support = belief_index(b, floor);
        note_assumption(out, "support", floor, "not said: what the robot stands on");
        return OK;
    }
    if (d->word_count == 0 || d->words[0].of.robot) {
        vec3 over = d->word_count == 0 ? d->at : v3(b->self->x, b->self->y, 0);
        const char *name = NULL;
        if (d->word_count == 0 && !d->at_term)
            return error_set(err, E_INPUT,
                             "the description says neither what it is on nor where: on(...), "
                             "within(...), near(...)");
        over.z = d->word_count == 0 ? 1.3 : 0.1;
        if (!isfinite(belief_surface(b, over, NULL, &name)))
            return error_set(err, E_INPUT, "nothing is known beneath (%.2f, %.2f)", over.x, over.y);
        d->support = belief_index(b, name);
        note_assumption(out, "support", name, "not said: what is beneath");
        return OK;
    }
    const reference *r = &d->words[0].of;
    if (r->region >= 0) {
        d->support = b->known->regions[r->region].body;
        note_assumption(out, "support", b->objects.items[d->support].seen.name,
                        "not said: what the region %s is on", r->name);
        return OK;
    }
    const believed *o = &b->objects.items[r->object];
    if (o->hang != HANG_OBJECT)
        return error_set(err, E_INPUT,
                         "the robot does not know what %s stands on; add the support, as in "
                         "on(table_1)",
                         r->name);
    d->support = o->parent;
    note_assumption(out, "support", b->objects.items[d->support].seen.name,
                    "not said: what %s stands on", r->name);
    return OK;
}

static void unsaid_object(const belief *b, description *d, const place_wish *wish,
                          place_answer *out) {
    const double thing = 0.04, thing_height = 0.1; // m
    d->radius = thing;
    d->height = thing_height;
    if (d->robot) {
        const double room = 0.03, tall = 1.4; // m
        d->radius = b->robot->base_radius + room;
        d->height = tall;
        return;
    }
    if (!d->for_term && wish->object) {
        d->object = belief_index(b, wish->object);
        d->kind = d->object == SIZE_MAX ? NULL : b->objects.items[d->object].seen.kind;
        note_assumption(out, "for", wish->object, "not said: what is held");
    } else if (!d->for_term) {
        note_assumption(out, "for", "anything", "not said: something 8 cm wide and 10 cm high");
    }
    vec3 low, high;
    if (d->kind &&
        shapes_bounds(d->kind->shapes, d->kind->shape_count, POSE_IDENTITY, &low, &high)) {
        d->radius = fmax(fmax(-low.x, high.x), fmax(-low.y, high.y));
        d->height = high.z - low.z;
        d->middle = v3((low.x + high.x) / 2, (low.y + high.y) / 2, 0);
        d->half_x = (high.x - low.x) / 2;
        d->half_y = (high.y - low.y) / 2;
    }
}

static status unsaid_view(const belief *b, description *d, word *w, place_answer *out, error *err) {
    if (d->seen_from) {
        if (belief_sides_said(b, d->seen_from, w->of.frame.p, &w->view))
            return OK;
        return refuse_property(d->seen_from,
                               "it is neither robot nor a region, at(X, Y), or a body with a "
                               "front of its own",
                               err);
    }
    const char *why = "not said: its own front";
    if (w->of.robot) {
        double yaw = b->self->yaw;
        w->view = (viewpoint){v3(cos(yaw), sin(yaw), 0), v3(-sin(yaw), cos(yaw), 0), "robot"};
    } else if (w->of.region >= 0) {
        belief_region_sides(b, (size_t)w->of.region, &w->view);
        why = strcmp(w->view.by, "robot") == 0 ? "not said: the robot's view, squared to the region"
                                               : "not said: who is at this place";
    } else {
        belief_sides(b, w->of.object, &w->view);
        if (strcmp(w->view.by, w->of.name) != 0)
            why = strcmp(w->view.by, "robot") == 0
                      ? "not said: the robot's view, squared to the support"
                      : "not said: who is at the place where it stands";
    }
    if (w->relation != RELATION_near && w->relation != RELATION_beside)
        note_assumption(out, "viewpoint", w->view.by, "%s", why);
    return OK;
}

// Decides the distance between the middles at which a place fits a word best.
static void unsaid_distance(const belief *b, const description *d, word *w, place_answer *out) {
    vec3 ways[2] = {v3(1, 0, 0)};
    relation_ways(w->relation, &w->view, ways);
    if (w->said)
        return;
    bool known = w->of.object != SIZE_MAX && b->objects.items[w->of.object].seen.known;
    // The distance from furniture is that of place_relative; things keep room for fingers between
    // them.
    double room = known ? 0.25 : d->radius + (w->relation == RELATION_near ? 0.10 : 0.05);
    w->distance = reference_extent(&w->of, ways[0]) + room;
    char text[32];
    snprintf(text, sizeof text, "%.3f", w->distance);
    note_assumption(out, "distance", text, "not said: %s %s %s", known ? "0.25 m from" : "next to",
                    w->of.name, known ? "" : "with room for fingers");
}

status place_description_read(const belief *b, const term *list, const place_wish *wish,
                              description *d, place_answer *out, error *err) {
    *d = (description){.object = SIZE_MAX, .tolerance = 0.05};
    int64_t count = term_list_length(list);
    if (count <= 0)
        return error_set(err, E_INPUT, "the description of a place is a list of properties");
    status s = OK;
    const term *rest = list;
    for (int64_t k = 0; k < count && s == OK; k++, rest = rest->args[1]) {
        s = check_form(rest->args[0], err);
        if (s == OK)
            s = read_property(b, d, rest->args[0], err);
    }
    if (s == OK)
        s = unsaid_support(b, d, out, err);
    if (s != OK)
        return s;
    unsaid_object(b, d, wish, out);
    for (size_t k = 0; k < d->word_count && s == OK; k++) {
        s = unsaid_view(b, d, &d->words[k], out, err);
        if (s == OK)
            unsaid_distance(b, d, &d->words[k], out);
    }
    out->tolerance_said = d->tolerance_said;
    if (!d->tolerance_said)
        note_assumption(out, "tolerance", "0.05", "not said");
    const world_region *r = d->where == SUPPORT_WITHIN ? &b->known->regions[d->region] : NULL;
    if (r && !d->turned && isfinite(r->angle_tolerance)) {
        d->turned = true;
        d->yaw = quat_yaw(pose_mul(b->objects.items[r->body].seen.at, r->at).q);
    } else if (!d->turned && d->robot && d->word_count > 0) {
        d->turned = d->faces = true;
        d->facing = d->words[0].of;
        note_assumption(out, "orientation", d->facing.name,
                        "not said: the robot faces what is referred to");
    } else if (!d->turned) {
        note_assumption(out, "orientation", "any", "not said");
    }
    return s;
}

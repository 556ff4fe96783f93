// projector/twin.c - a robot's model at its operator's side: see twin.h.
#include "projector/twin.h"

#include <math.h>

#include "projector/world/bonds.h"

static const double BASE_RATE = 5;         // 1/s, by which the base comes to where it is reported
static const double TOLD = 2e-3;           // m that a thing or hand has moved ...
static const double TOLD_TURN = 2e-2;      // rad, or turned, when its place is told anew
static const double GRIP_TOLD = 1e-3;      // m that a gripper has moved when the twin's follows
static const nanos CONTACT_GAP = 50000000; // a contact that is gone for longer has ended

// A contact that has not ended.
typedef struct touch {
    int64_t id;
    size_t part, body; // entities
    nanos last;        // when it was seen last
    double peak;
} touch;

struct twin {
    world_model *world; // as it takes it to be
    sim *sim;
    const agent *of;
    const recorder_ids *ids;
    sink *log;
    twin_things *things;
    twin_surfaces *surfaces;
    int64_t agent;
    int64_t *bodies, *hands; // BELIEVED rows: by body of its world (0: none yet), by arm
    pose *told;              // by arm: where its hand was when that was told
    pose *seen;              // by body
    double *grips;           // by arm: the opening that its gripper goes to
    ARRAY(touch) touches;
};

// ---- What it believes -------------------------------------------------------------------------

static status put_believed(twin *w, const char *name, const char *type, const char *color,
                           int64_t object, int64_t *out, error *err) {
    record r = {.kind = RECORD_BELIEVED, .id = *out = sink_id(w->log, RECORD_BELIEVED)};
    r.BELIEVED = (struct record_BELIEVED){
        .agent = w->agent, .name = name, .object = object, .type = type, .color = color};
    return sink_put(w->log, &r, err);
}

static status put_frame(twin *w, int64_t believed, pose at, nanos t, const char *source,
                        error *err) {
    record r = belief_frame_row(w->log, w->agent, believed, t, at, (covariance){0}, source);
    return sink_put(w->log, &r, err);
}

static status put_all(twin *w, error *err) {
    const world_model *known = w->of->known;
    record r = {.kind = RECORD_AGENT, .id = w->agent};
    r.AGENT = (struct record_AGENT){.name = "twin", .object = w->ids->robot};
    status st = sink_put(w->log, &r, err);
    arena *names = arena_create();
    for (size_t b = 0; st == OK && b < known->body_count; b++) {
        const world_body *thing = &known->bodies[b];
        w->seen[b] = thing->at;
        st = put_believed(w, thing->name, thing->type->name, NULL, w->of->known_objects[b],
                          &w->bodies[b], err);
        if (st == OK)
            st = put_frame(w, w->bodies[b], thing->at, 0, "prior", err);
    }
    for (size_t i = 0; st == OK && i < w->of->self->arm_count; i++) {
        w->told[i].p = v3(INFINITY, 0, 0);
        st = put_believed(w,
                          fleet_part_name(names, w->of->mind.name, w->of->self,
                                          w->of->self->arms[i].gripper.name),
                          "gripper", NULL, w->ids->parts.hands[i].gripper, &w->hands[i], err);
    }
    arena_destroy(names);
    return st;
}

status twin_create(const twin_setup *setup, twin **out, error *err) {
    sim_options options = sim_options_default();
    const agent *of = setup->of;
    options.step = setup->step;
    twin *w = mem_must(1, sizeof *w);
    *w = (twin){.of = of, .ids = setup->ids, .log = setup->log};
    w->agent = sink_id(w->log, RECORD_AGENT);
    w->world = world_assumed(of->known, TWIN_SPARE, of->self->arm_count);
    w->bodies = mem_must(w->world->body_count + 1, sizeof *w->bodies);
    w->seen = mem_must(w->world->body_count + 1, sizeof *w->seen);
    w->hands = mem_must(of->self->arm_count + 1, sizeof *w->hands);
    w->told = mem_must(of->self->arm_count + 1, sizeof *w->told);
    w->grips = mem_must(of->self->arm_count + 1, sizeof *w->grips);
    for (size_t i = 0; i < of->self->arm_count; i++)
        w->grips[i] = of->self->arms[i].gripper.max_opening;
    error own = {0};
    status st = sim_create(w->world, of->self, &options, &w->sim, &own);
    if (st != OK)
        error_set(err, st, "the twin of %s knows only the map, and in that %s", of->mind.name,
                  own.text);
    if (st == OK)
        st = put_all(w, err);
    if (st == OK) {
        w->things = twin_things_create(of, w->world, w->sim, setup->link, setup->key);
        w->surfaces = twin_surfaces_create(w->sim, w->world, of->self->arm_count);
    }
    if (st == OK)
        *out = w;
    else
        twin_destroy(w);
    return st;
}

void twin_destroy(twin *w) {
    if (!w)
        return;
    twin_things_destroy(w->things);
    twin_surfaces_destroy(w->surfaces);
    sim_destroy(w->sim);
    world_destroy(w->world);
    free(w->seen);
    free(w->grips);
    free(w->bodies);
    free(w->hands);
    free(w->told);
    array_finish(&w->touches);
    free(w);
}

int64_t twin_agent(const twin *w) {
    return w->agent;
}
sim *twin_sim(twin *w) {
    return w->sim;
}

twin_surfaces *twin_surfaces_of(twin *w) {
    return w->surfaces;
}

void twin_rekey(twin *w, rng_key key) {
    twin_things_rekey(w->things, key);
}

// ---- How it moves -----------------------------------------------------------------------------

void twin_follow(twin *w, const twin_news *news, const bool *led) {
    const robot_model *r = w->of->self;
    for (size_t j = 0; j < r->joint_count; j++)
        if (!led[j] && !r->joints[j].follows)
            sim_set_joint(w->sim, j, news->joints[j], 0, 0);
    for (size_t i = 0; i < r->arm_count; i++)
        if (fabs(news->grips[2 * i] - w->grips[i]) > GRIP_TOLD) {
            w->grips[i] = news->grips[2 * i];
            sim_set_gripper(w->sim, i, w->grips[i], news->grips[2 * i + 1], false);
        }
    pose base = sim_base(w->sim);
    vec3 way = quat_rotate(quat_inverse(base.q),
                           v3(news->base[0] - base.p.x, news->base[1] - base.p.y, 0));
    sim_set_base(w->sim, BASE_RATE * way.x, BASE_RATE * way.y,
                 BASE_RATE * angle_wrap(news->base[2] - quat_yaw(base.q)));
}

status twin_step(twin *w, nanos t, nanos dt, error *err) {
    model *m = sim_model(w->sim);
    return model_step(m, t, dt, err);
}

// ---- What it notes ----------------------------------------------------------------------------

// The log id of the robot's part that an entity of the twin stands for; 0: the base, which rolls.
static int64_t part_object(const twin *w, size_t entity) {
    const robot_model *r = w->of->self;
    size_t first = sim_entity_link(w->sim, 0);
    if (entity < first + r->link_count)
        return r->links[entity - first].joint < 0 ? 0 : w->ids->parts.links[entity - first];
    size_t hand = (entity - first - r->link_count) / 3, k = (entity - first - r->link_count) % 3;
    const hand_ids *h = &w->ids->parts.hands[hand];
    return k == 0 ? h->palm : h->fingers[k - 1];
}

static status touch_end(twin *w, size_t i, nanos t, error *err) {
    touch *o = &w->touches.items[i];
    record r = {.kind = RECORD_BELIEVED_CONTACT, .id = o->id};
    r.BELIEVED_CONTACT.end_ns = t;
    r.BELIEVED_CONTACT.peak_force = o->peak;
    status st = sink_end(w->log, &r, err);
    *o = w->touches.items[--w->touches.count];
    return st;
}

// The part of the robot that a contact is of, and the thing that it meets; what is bound to a hand
// is a part of its palm. False: none is.
static bool find_part(const twin *w, const sim_contact *c, size_t *part, size_t *thing) {
    size_t first = sim_entity_link(w->sim, 0);
    if (c->a >= first)
        return false;
    *part = c->b >= first ? c->b : sim_carrier(w->sim, c->b), *thing = c->a;
    if (*part == SIZE_MAX)
        *part = sim_carrier(w->sim, c->a), *thing = c->b;
    return *part != SIZE_MAX && *part >= first && *thing < first && w->bodies[*thing];
}

static status touch_see(twin *w, const sim_contact *c, nanos t, error *err) {
    double force = v3_length(c->force);
    size_t met, thing;
    if (!find_part(w, c, &met, &thing))
        return OK;
    for (size_t i = 0; i < w->touches.count; i++) {
        touch *o = &w->touches.items[i];
        if (o->part != met || o->body != thing)
            continue;
        o->last = t;
        o->peak = fmax(o->peak, force);
        return OK;
    }
    int64_t part = part_object(w, met);
    if (!part)
        return OK;
    record r = {.kind = RECORD_BELIEVED_CONTACT, .id = sink_id(w->log, RECORD_BELIEVED_CONTACT)};
    r.BELIEVED_CONTACT = (struct record_BELIEVED_CONTACT){.agent = w->agent,
                                                          .part = part,
                                                          .believed = w->bodies[thing],
                                                          .start_ns = t,
                                                          .end_ns = TIME_OPEN};
    array_push(&w->touches, ((touch){r.id, met, thing, t, force}));
    return sink_put(w->log, &r, err);
}

static bool has_moved(pose from, pose to) {
    return v3_distance(from.p, to.p) >= TOLD || quat_angle(from.q, to.q) >= TOLD_TURN;
}

// Where a body is, if it is there and has moved.
static status note_body(twin *w, const twin_thing *o, const char *source, nanos t, error *err) {
    status st = OK;
    if (!sim_present(w->sim, o->body))
        return OK;
    pose at = sim_pose(w->sim, o->body);
    if (!w->bodies[o->body])
        st = put_believed(w, o->name, o->type, o->color, 0, &w->bodies[o->body], err);
    else if (!has_moved(w->seen[o->body], at))
        return OK;
    w->seen[o->body] = at;
    return st == OK ? put_frame(w, w->bodies[o->body], at, t, source, err) : st;
}

static status note_surface(twin *w, size_t arm, nanos t, error *err) {
    size_t b = twin_surfaces_body(w->surfaces, arm);
    if (b == SIZE_MAX)
        return OK;
    const world_body *at = &w->world->bodies[b];
    twin_thing surface = {at->name, at->type->name, NULL, b};
    return note_body(w, &surface, "touch", t, err);
}

status twin_note(twin *w, nanos t, error *err) {
    twin_things_exchange(w->things, t);
    size_t count;
    const sim_contact *contacts = sim_contacts(w->sim, &count);
    status st = OK;
    for (size_t i = 0; st == OK && i < twin_things_count(w->things); i++) {
        const twin_thing *o = twin_things_at(w->things, i);
        st = note_body(w, o, w->bodies[o->body] ? "effect" : "told", t, err);
    }
    for (size_t i = 0; st == OK && i < w->of->self->arm_count; i++)
        st = note_surface(w, i, t, err);
    for (size_t i = 0; st == OK && i < count; i++)
        st = touch_see(w, &contacts[i], t, err);
    for (size_t i = w->touches.count; st == OK && i-- > 0;)
        if (t - w->touches.items[i].last > CONTACT_GAP)
            st = touch_end(w, i, w->touches.items[i].last, err);
    for (size_t i = 0; st == OK && i < w->of->self->arm_count; i++) {
        pose palm = sim_pose(w->sim, sim_entity_palm(w->sim, i));
        if (!has_moved(w->told[i], palm))
            continue;
        w->told[i] = palm;
        st = put_frame(w, w->hands[i], palm, t, "effect", err);
    }
    return st;
}

status twin_finish(twin *w, nanos t, error *err) {
    (void)t;
    status st = OK;
    while (st == OK && w->touches.count > 0)
        st = touch_end(w, w->touches.count - 1, TIME_OPEN, err);
    return st;
}

// projector/twin_things.c - believed things as bodies of a twin: see twin_things.h.
#include "projector/twin_things.h"

#include <math.h>

#include "projector/world/bonds.h"

static const double TAKEN = 1e-3;                // m: what overlaps by more has the place
static const double MOVED = 1e-3, TURNED = 1e-2; // m, rad, by which a belief is another one

typedef enum thing_state { THING_GONE, THING_PLACED, THING_HELD } thing_state;

// What is told of a thing. Names live as long as the robot's belief.
typedef struct thing_told {
    size_t object; // its number there
    const char *name, *type, *color;
    int64_t body; // of the map; -1: none
    thing_state state;
    size_t arm; // that holds it
    pose at;    // in the map, or in the frame of that arm's palm
} thing_told;

typedef struct thing {
    twin_thing is;
    bool heard;
    uint64_t next;   // the lowest number of a message that would be new
    thing_told told; // last
    bool due;        // the twin's world has to follow yet
    size_t passes;   // palm that it passes through, entity + 1; 0: none
} thing;

struct twin_things {
    const agent *of;
    const world_model *world;
    sim *sim;
    channel *link;
    bool *used;          // by body of the twin's world: it stands for a thing
    ARRAY(thing) things; // by number in the belief; those without a body have none in the twin
    ARRAY(size_t) known; // things that have one, in the order in which they got it
    arena *text;
};

twin_things *twin_things_create(const agent *of, const world_model *world, sim *s,
                                const channel_traits *link, rng_key key) {
    twin_things *t = mem_must(1, sizeof *t);
    *t = (twin_things){.of = of,
                       .world = world,
                       .sim = s,
                       .link = channel_create(link, sizeof(thing_told), key),
                       .used = mem_must(world->body_count + 1, sizeof *t->used),
                       .text = arena_create()};
    return t;
}

void twin_things_destroy(twin_things *t) {
    if (!t)
        return;
    channel_destroy(t->link);
    array_finish(&t->things);
    array_finish(&t->known);
    arena_destroy(t->text);
    free(t->used);
    free(t);
}

void twin_things_rekey(twin_things *t, rng_key key) {
    channel_rekey(t->link, key);
}

size_t twin_things_count(const twin_things *t) {
    return t->known.count;
}

const twin_thing *twin_things_at(const twin_things *t, size_t i) {
    return &t->things.items[t->known.items[i]].is;
}

// ---- The robot's end ----------------------------------------------------------------------------

// The arm that is believed to hold the object itself; -1: none.
static int64_t holding_arm(const agent *of, const believed_object *o, pose *in_palm) {
    for (size_t i = 0; i < of->self->arm_count; i++) {
        pose in_hand;
        if (belief_held(of->belief, i, &in_hand) != o)
            continue;
        *in_palm = pose_mul(robot_tool_in_palm(&of->self->arms[i].gripper), in_hand);
        return (int64_t)i;
    }
    return -1;
}

// Whether the twin may move what stands for a body of the map: no furniture on joints.
static bool can_be_put(const twin_things *t, int64_t known) {
    return !world_carries_joints(t->world, (size_t)known) && sim_bindable(t->sim, (size_t)known);
}

static void tell_object(twin_things *t, size_t object, nanos now) {
    const believed_object *o = belief_object(t->of->belief, object);
    if (!o->kind || (o->body >= 0 && !can_be_put(t, o->body)))
        return;
    thing_told m = {.object = object,
                    .name = o->name,
                    .type = o->type,
                    .color = o->color,
                    .body = o->body,
                    .state = o->confirmed ? THING_PLACED : THING_GONE,
                    .at = o->at};
    int64_t arm = holding_arm(t->of, o, &m.at);
    if (arm >= 0)
        m.state = THING_HELD, m.arm = (size_t)arm;
    else if (o->hand >= 0)
        return; // it moves along with what it stands on
    channel_send(t->link, now, &m);
}

// ---- The twin's end -----------------------------------------------------------------------------

static bool told_anew(const thing *o, const thing_told *m) {
    const thing_told *was = &o->told;
    return !o->heard || was->state != m->state || (m->state == THING_HELD && was->arm != m->arm) ||
           (m->state != THING_GONE &&
            (v3_distance(was->at.p, m->at.p) > MOVED || quat_angle(was->at.q, m->at.q) > TURNED));
}

// The body of the twin that is to stand for what is told; SIZE_MAX: there is none left, or the
// catalogue lacks the type.
static size_t find_body(const twin_things *t, const thing_told *m) {
    if (m->body >= 0)
        return (size_t)m->body;
    for (size_t b = t->of->known->body_count; b < t->world->body_count; b++)
        if (!t->used[b] && strcmp(t->world->bodies[b].type->name, m->type) == 0)
            return b;
    return SIZE_MAX;
}

static void hear_told(twin_things *t, const thing_told *m, uint64_t number) {
    while (t->things.count <= m->object)
        array_push(&t->things, ((thing){.is.body = SIZE_MAX}));
    thing *o = &t->things.items[m->object];
    if (number < o->next)
        return;
    o->next = number + 1;
    // What the map has is there from the start.
    if (!o->heard && m->body >= 0)
        o->told = (thing_told){.state = THING_PLACED, .at = t->world->bodies[m->body].at};
    bool first = !o->heard;
    o->heard = o->heard || m->body >= 0;
    o->due |= told_anew(o, m);
    if (o->due)
        o->told = *m;
    o->heard = true;
    if (!first || (o->is.body = find_body(t, m)) == SIZE_MAX)
        return;
    t->used[o->is.body] = true;
    o->is = (twin_thing){m->name, m->type, m->color, o->is.body};
    array_push(&t->known, m->object);
}

// A thing that the hand has let go collides with the hand again once the two are apart.
static void restore_collision(twin_things *t, thing *o) {
    if (!o->passes || sim_bound(t->sim, o->is.body) ||
        sim_pass_refusal(t->sim, o->is.body, o->passes - 1, t->text))
        return;
    sim_let_pass(t->sim, o->is.body, o->passes - 1, false);
    o->passes = 0;
}

// Puts it into the twin's hand, and binds it there.
static bool put_in_hand(twin_things *t, thing *o) {
    size_t palm = sim_entity_palm(t->sim, o->told.arm), held = o->is.body;
    sim_unbind(t->sim, o->is.body);
    sim_put(t->sim, held, pose_mul(sim_pose(t->sim, palm), o->told.at), INFINITY);
    sim_let_pass(t->sim, held, palm, true);
    o->passes = palm + 1;
    if (sim_bond_refusal(t->sim, held, palm, t->text))
        return false;
    sim_bind(t->sim, held, palm, INFINITY, INFINITY);
    return true;
}

// False: it has to wait.
static bool follow_told(twin_things *t, thing *o) {
    switch (o->told.state) {
    case THING_GONE:
        sim_unbind(t->sim, o->is.body);
        if (sim_present(t->sim, o->is.body))
            sim_take(t->sim, o->is.body);
        return true;
    case THING_PLACED:
        sim_unbind(t->sim, o->is.body);
        restore_collision(t, o);
        return sim_put(t->sim, o->is.body, o->told.at, TAKEN);
    case THING_HELD:
        return put_in_hand(t, o);
    }
    return true;
}

void twin_things_exchange(twin_things *t, nanos now) {
    for (size_t i = 0; i < belief_object_count(t->of->belief); i++)
        tell_object(t, i, now);
    thing_told m;
    channel_stamp stamp;
    while (channel_receive(t->link, now, &m, &stamp))
        hear_told(t, &m, stamp.number);
    for (size_t i = 0; i < t->known.count; i++) {
        thing *o = &t->things.items[t->known.items[i]];
        if (o->due)
            o->due = !follow_told(t, o);
        if (o->told.state != THING_HELD)
            restore_collision(t, o);
    }
    arena_reset(t->text);
}

// projector/couple/rig.c - one trial of a coupling: hand, leader, link, follower and wall.
#include <math.h>
#include <string.h>

#include "projector/couple/ends.h"

#define STEP_NANOS ((nanos)(COUPLE_STEP * 1e9 + 0.5))
#define SUSTAINED 0.2 // s for which a finding must hold, beyond the round trip
#define FELT 0.5      // N: less is no contact to the hand
#define TOUCHED 0.3   // N: less is no contact of the follower
#define ACTIVE 0.02   // J
#define RESTLESS 0.02 // m/s
#define DRIFTED 0.005 // m
#define DIVERGED 0.02 // m

static const struct {
    const char *name, *what;
} COUPLINGS[] = {
#define COUPLING(name, what) {#name, what},
#include "projector/couple/couplings.def"
#undef COUPLING
};

static const struct {
    const char *name, *sentence, *change;
} FINDINGS[] = {
#define FINDING(name, sentence, change) {#name, sentence, change},
#include "projector/couple/findings.def"
#undef FINDING
};

const char *coupling_name(coupling_kind kind) {
    return COUPLINGS[kind].name;
}
const char *coupling_words(coupling_kind kind) {
    return COUPLINGS[kind].what;
}
const char *finding_name(couple_finding f) {
    return FINDINGS[f].name;
}
const char *finding_sentence(couple_finding f) {
    return FINDINGS[f].sentence;
}
const char *finding_change(couple_finding f) {
    return FINDINGS[f].change;
}

typedef struct mover {
    double place, speed;
} mover;

// One direction of the link and what its receiver has.
typedef struct wire {
    channel *c;
    uint64_t next;  // the lowest number that would be new
    double arrived; // s, when something new came last
    double silence;
} wire;

// How wrong both estimators of the wall's force were, summed up.
typedef struct estimate_error {
    double observed, direct; // N^2
    double steps;
} estimate_error;

typedef struct trial {
    const rig *r;
    coupling_kind kind;
    double round_trip, time;
    mover leader, follower;
    leader_end near;
    follower_end far;
    wire down, up;
    observer watcher;
    direct_estimator plain;
    estimate_error free, touching;
    rng_key noise;
    double measured; // the follower's place by its encoder
    rig_sample now;
    double touched;             // s, when the follower last had a contact
    double held[FINDING_COUNT]; // s for which a finding has held
    double energy;
    rig_result *out;
} trial;

// Where the hand wants the leader to be, and how fast.
static mover hand_at(const rig *r, double time) {
    mover h = {r->path.items[0].place, 0};
    for (size_t i = 1; i < r->path.count; i++) {
        const rig_point *a = &r->path.items[i - 1], *b = &r->path.items[i];
        if (time < a->time)
            break;
        double speed = (b->place - a->place) / (b->time - a->time);
        h = time < b->time ? (mover){a->place + speed * (time - a->time), speed}
                           : (mover){b->place, 0};
    }
    return h;
}

// Takes what has arrived; of several messages the one that was sent last. False: nothing is new.
static bool take_newest(wire *w, double time, nanos now, void *message, void *room, size_t size) {
    bool fresh = false;
    channel_stamp stamp;
    while (channel_receive(w->c, now, room, &stamp)) {
        if (stamp.number < w->next)
            continue;
        w->next = stamp.number + 1;
        memcpy(message, room, size);
        fresh = true;
    }
    if (fresh)
        w->arrived = time;
    w->silence = fmax(w->silence, time - w->arrived);
    return fresh;
}

static void wire_begin(wire *w, const rig *r, nanos delay, size_t size, rng_key key) {
    channel_traits traits = r->link;
    traits.delay = delay;
    w->c = channel_create(&traits, size, key);
    w->arrived = (double)delay / 1e9;
}

static void wire_finish(wire *w, rig_result *out) {
    channel_counts n = channel_count(w->c);
    out->sent += n.sent;
    out->lost += n.lost;
    out->doubled += n.doubled;
    out->overtaken += n.overtaken;
    out->silence = fmax(out->silence, w->silence);
    channel_destroy(w->c);
}

static double felt_by(trial *t) {
    switch (t->kind) {
    case COUPLING_pfc:
        return pfc_felt(&t->near, t->leader.speed);
    case COUPLING_tdpa:
        return tdpa_felt(&t->near, t->leader.speed);
    case COUPLING_mmt:
        return mmt_felt(&t->near, t->leader.place, t->leader.speed);
    case COUPLING_COUNT:
        break;
    }
    return 0;
}

static double pull_of(trial *t, double place, double speed) {
    switch (t->kind) {
    case COUPLING_pfc:
        return pfc_pull(&t->far, place, speed);
    case COUPLING_tdpa:
        return tdpa_pull(&t->far, place, speed);
    case COUPLING_mmt:
        return mmt_pull(&t->far, place, speed);
    case COUPLING_COUNT:
        break;
    }
    return 0;
}

static void mover_step(mover *m, double force, double mass) {
    m->speed += COUPLE_STEP * force / mass;
    m->place += COUPLE_STEP * m->speed;
}

static void trial_step(trial *t, uint64_t k) {
    const rig *r = t->r;
    nanos now = (nanos)k * STEP_NANOS;
    t->time = (double)k * COUPLE_STEP;
    down_message down = {t->leader.place, t->leader.speed, t->near.twin, t->near.put}, down_room;
    channel_send(t->down.c, now, &down);

    // The follower: it knows its encoder and what has arrived.
    t->far.fresh = take_newest(&t->down, t->time, now, &t->far.last, &down_room, sizeof down_room);
    t->far.any |= t->far.fresh;
    double place = t->follower.place;
    if (r->encoder_noise > 0)
        place += r->encoder_noise * rng_normal(t->noise, k, 0);
    double speed = k > 0 ? (place - t->measured) / COUPLE_STEP : 0;
    t->measured = place;
    double pull = pull_of(t, place, speed);
    double observed = observer_step(&t->watcher, speed, pull);
    up_message up = {pull, t->far.put, place, observed}, up_room;
    channel_send(t->up.c, now, &up);

    // The leader, and both move.
    t->near.fresh = take_newest(&t->up, t->time, now, &t->near.last, &up_room, sizeof up_room);
    t->near.any |= t->near.fresh;
    mover hand = hand_at(r, t->time);
    double felt = felt_by(t);
    double wall = r->wall ? r->wall_stiffness * fmax(0, t->follower.place - r->wall_at) : 0;
    t->energy += COUPLE_STEP * felt * t->leader.speed;
    if (t->kind != COUPLING_mmt) // the hand works on the twin alone, not through the link
        t->energy -= COUPLE_STEP * pull * t->far.speed;
    t->now = (rig_sample){t->time,
                          hand.place,
                          t->leader.place,
                          t->leader.speed,
                          t->far.reference,
                          t->follower.place,
                          t->near.twin,
                          felt,
                          wall,
                          observed,
                          direct_step(&t->plain, pull),
                          t->energy,
                          t->near.model_at};
    mover_step(&t->leader,
               r->hand_stiffness * (hand.place - t->leader.place) +
                   r->hand_damping * (hand.speed - t->leader.speed) -
                   r->leader_damping * t->leader.speed - felt,
               r->leader_mass);
    mover_step(&t->follower, pull - r->follower_damping * t->follower.speed - wall,
               r->follower_mass);
}

static void find(trial *t, couple_finding f, bool holds, double least) {
    t->held[f] = holds ? t->held[f] + COUPLE_STEP : 0;
    if (t->held[f] > least)
        t->out->found[f] = true;
}

static void estimate_add(estimate_error *e, const rig_sample *s) {
    e->observed += (s->observed - s->remote) * (s->observed - s->remote);
    e->direct += (s->direct - s->remote) * (s->direct - s->remote);
    e->steps++;
}

static void judge_step(trial *t) {
    const rig_sample *s = &t->now;
    rig_result *out = t->out;
    double least = SUSTAINED + t->round_trip;
    if (s->remote > 0)
        t->touched = s->time;
    find(t, FINDING_unfelt_contact, s->remote > TOUCHED && s->felt < s->remote / 2, least);
    find(t, FINDING_phantom_contact, fabs(s->felt) > FELT && s->time - t->touched > t->round_trip,
         least);
    find(t, FINDING_twin_diverged,
         t->kind == COUPLING_mmt && t->far.any && fabs(t->far.last.twin - s->follower) > DIVERGED,
         SUSTAINED);
    if (s->time - t->touched > 5 / t->r->observer_gain)
        estimate_add(&t->free, s);
    if (s->time >= t->r->duration - 1 && s->remote > 0)
        estimate_add(&t->touching, s);
    out->made = fmax(out->made, -s->energy);
    if (s->time >= t->r->duration - 1) {
        out->speed = fmax(out->speed, fabs(s->leader_speed));
        out->felt += s->felt * COUPLE_STEP;
        out->remote += s->remote * COUPLE_STEP;
    }
}

void rig_run(const rig *r, coupling_kind kind, double round_trip, uint64_t seed, rig_watch watch,
             void *context, rig_result *out) {
    *out = (rig_result){0};
    trial t = {.r = r, .kind = kind, .round_trip = round_trip, .out = out, .touched = -1e9};
    nanos steps = llround(round_trip / COUPLE_STEP);
    wire_begin(&t.down, r, steps / 2 * STEP_NANOS, sizeof(down_message),
               rng_key_make(seed, "link", "down"));
    wire_begin(&t.up, r, (steps - steps / 2) * STEP_NANOS, sizeof(up_message),
               rng_key_make(seed, "link", "up"));
    t.noise = rng_key_make(seed, "encoder", "follower");
    double begin = r->path.items[0].place;
    t.leader.place = t.follower.place = t.measured = begin;
    t.near = (leader_end){.r = r,
                          .twin = begin,
                          .model = r->model,
                          .model_at = r->model_at,
                          .model_stiffness = r->model_stiffness};
    t.far = (follower_end){.r = r, .reference = begin};
    t.watcher = (observer){
        .mass = r->follower_mass, .damping = r->follower_damping, .gain = r->observer_gain};
    t.plain = (direct_estimator){.gain = r->observer_gain};
    uint64_t count = (uint64_t)llround(r->duration / COUPLE_STEP);
    for (uint64_t k = 0; k < count; k++) {
        trial_step(&t, k);
        judge_step(&t);
        if (watch)
            watch(context, &t.now);
    }
    out->observed_free = sqrt(t.free.observed / t.free.steps);
    out->direct_free = sqrt(t.free.direct / t.free.steps);
    out->observed_held = sqrt(t.touching.observed / t.touching.steps);
    out->direct_held = sqrt(t.touching.direct / t.touching.steps);
    out->drift = t.now.leader - t.now.reference;
    wire_finish(&t.down, out);
    wire_finish(&t.up, out);
    out->found[FINDING_active_coupling] = out->made > ACTIVE;
    out->found[FINDING_oscillating_coupling] = out->speed > RESTLESS;
    // What oscillates has no place that it could be away from.
    out->found[FINDING_passivity_drift] = out->speed <= RESTLESS && fabs(out->drift) > DRIFTED;
    out->found[FINDING_link_lost] = out->silence > SUSTAINED + (double)r->link.jitter / 1e9;
}

void rig_finish(rig *r) {
    array_finish(&r->path);
    array_finish(&r->kinds);
    array_finish(&r->round_trips);
}

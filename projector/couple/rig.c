// projector/couple/rig.c - one trial of a coupling: hand, leader, link, follower and wall.
#include <math.h>
#include <string.h>

#include "projector/couple/ends.h"

#define SUSTAINED 0.2 // s for which a finding must hold, beyond the round trip
#define FELT 0.5      // N: less is no contact to the hand
#define TOUCHED 0.3   // N: less is no contact of the follower
#define ACTIVE 0.02   // J
#define RESTLESS 0.02 // m/s
#define DRIFTED 0.005 // m
#define DIVERGED 0.02 // m

static const struct {
    const char *name, *sentence, *change;
} FINDINGS[] = {
#define FINDING(name, sentence, change) {#name, sentence, change},
#include "projector/couple/findings.def"
#undef FINDING
};

const char *finding_name(couple_finding f) {
    return FINDINGS[f].name;
}
const char *finding_sentence(couple_finding f) {
    return FINDINGS[f].sentence;
}
const char *finding_change(couple_finding f) {
    return FINDINGS[f].change;
}

// How wrong both estimators of the wall's force were, summed up.
typedef struct estimate_error {
    double observed, direct; // N^2
    double steps;
} estimate_error;

typedef struct trial {
    const rig *r;
    coupling_kind kind;
    double round_trip, time;
    mover leader;
    leader_end near;
    wire up;
    rig_answer answer; // of the follower's end
    void *far;
    far_report last; // of it
    estimate_error free, touching;
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

static status trial_step(trial *t, uint64_t k, error *err) {
    const rig *r = t->r;
    nanos now = (nanos)k * STEP_NANOS;
    t->time = (double)k * COUPLE_STEP;
    down_message down = {t->leader.place, t->leader.speed, t->near.twin, t->near.put};
    far_report far;
    status st = t->answer(t->far, &down, &far, err);
    if (st != OK)
        return st;
    wire_send(&t->up, now, &far.up);
    t->near.fresh = wire_take(&t->up, t->time, now, &t->near.last, sizeof t->near.last);
    t->near.any |= t->near.fresh;
    mover hand = hand_at(r, t->time);
    double felt = felt_by(t);
    t->energy += COUPLE_STEP * felt * t->leader.speed;
    if (t->kind != COUPLING_mmt) // the hand works on the twin alone, not through the link
        t->energy -= COUPLE_STEP * far.up.force * far.reference_speed;
    t->now = (rig_sample){t->time,         hand.place,      t->leader.place, t->leader.speed,
                          far.reference,   far.follower,    t->near.twin,    felt,
                          far.wall,        far.up.observed, far.direct,      t->energy,
                          t->near.model_at};
    t->last = far;
    mover_step(&t->leader,
               r->hand_stiffness * (hand.place - t->leader.place) +
                   r->hand_damping * (hand.speed - t->leader.speed) -
                   r->leader_damping * t->leader.speed - felt,
               r->leader_mass);
    return OK;
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
         t->kind == COUPLING_mmt && t->last.heard > 0 &&
             fabs(t->last.twin - s->follower) > DIVERGED,
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

static status answer_here(void *far, const down_message *down, far_report *out, error *err) {
    (void)err;
    rig_far_step(far, down, out);
    return OK;
}

void rig_run(const rig *r, coupling_kind kind, double round_trip, uint64_t seed, rig_watch watch,
             void *context, rig_result *out) {
    rig_far *far = rig_far_create(r, kind, round_trip, seed);
    rig_run_with(r, kind, round_trip, seed, answer_here, far, watch, context, out, NULL);
    rig_far_destroy(far);
}

static void add_wire(rig_result *out, wire_report w) {
    out->sent += (uint64_t)w.sent;
    out->lost += (uint64_t)w.lost;
    out->doubled += (uint64_t)w.doubled;
    out->overtaken += (uint64_t)w.overtaken;
    out->silence = fmax(out->silence, w.silence);
}

status rig_run_with(const rig *r, coupling_kind kind, double round_trip, uint64_t seed,
                    rig_answer answer, void *far, rig_watch watch, void *context, rig_result *out,
                    error *err) {
    rig_result result = {0};
    trial t = {.r = r,
               .kind = kind,
               .round_trip = round_trip,
               .answer = answer,
               .far = far,
               .out = &result,
               .touched = -1e9};
    nanos steps = llround(round_trip / COUPLE_STEP);
    wire_begin(&t.up, &r->link, (steps - steps / 2) * STEP_NANOS, sizeof(up_message),
               rng_key_make(seed, "link", "up"));
    double begin = r->path.items[0].place;
    t.leader.place = begin;
    t.near = (leader_end){.r = r,
                          .twin = begin,
                          .model = r->model,
                          .model_at = r->model_at,
                          .model_stiffness = r->model_stiffness};
    status st = OK;
    for (uint64_t k = 0; k < rig_steps(r) && st == OK; k++) {
        st = trial_step(&t, k, err);
        if (st == OK)
            judge_step(&t);
        if (st == OK && watch)
            watch(context, &t.now);
    }
    result.observed_free = sqrt(t.free.observed / t.free.steps);
    result.direct_free = sqrt(t.free.direct / t.free.steps);
    result.observed_held = sqrt(t.touching.observed / t.touching.steps);
    result.direct_held = sqrt(t.touching.direct / t.touching.steps);
    result.drift = t.now.leader - t.now.reference;
    add_wire(&result, t.last.link);
    add_wire(&result, wire_told(&t.up));
    wire_finish(&t.up);
    result.found[FINDING_active_coupling] = result.made > ACTIVE;
    result.found[FINDING_oscillating_coupling] = result.speed > RESTLESS;
    // What oscillates has no place that it could be away from.
    result.found[FINDING_passivity_drift] =
        result.speed <= RESTLESS && fabs(result.drift) > DRIFTED;
    result.found[FINDING_link_lost] = result.silence > SUSTAINED + (double)r->link.jitter / 1e9;
    if (st == OK)
        *out = result;
    return st;
}

uint64_t rig_steps(const rig *r) {
    return (uint64_t)llround(r->duration / COUPLE_STEP);
}

void rig_finish(rig *r) {
    array_finish(&r->path);
    array_finish(&r->kinds);
    array_finish(&r->round_trips);
}

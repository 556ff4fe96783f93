// projector/couple/far.c - the follower's end: the follower, the wall, its controller and
// estimators.
#include <math.h>

#include "projector/couple/ends.h"

struct rig_far {
    const rig *r;
    coupling_kind kind;
    uint64_t step;
    mover follower;
    double measured; // its place by its encoder
    follower_end end;
    wire down;
    observer watcher;
    direct_estimator plain;
    rng_key noise;
};

rig_far *rig_far_create(const rig *r, coupling_kind kind, double round_trip, uint64_t seed) {
    rig_far *f = mem_must(1, sizeof *f);
    double begin = r->path.items[0].place;
    *f = (rig_far){.r = r, .kind = kind, .follower.place = begin, .measured = begin};
    f->end = (follower_end){.r = r, .reference = begin};
    f->watcher = (observer){
        .mass = r->follower_mass, .damping = r->follower_damping, .gain = r->observer_gain};
    f->plain = (direct_estimator){.gain = r->observer_gain};
    f->noise = rng_key_make(seed, "encoder", "follower");
    wire_begin(&f->down, &r->link, llround(round_trip / COUPLE_STEP) / 2 * STEP_NANOS,
               sizeof(down_message), rng_key_make(seed, "link", "down"));
    return f;
}

void rig_far_destroy(rig_far *f) {
    if (!f)
        return;
    wire_finish(&f->down);
    free(f);
}

static double pull_of(rig_far *f, double place, double speed) {
    switch (f->kind) {
    case COUPLING_pfc:
        return pfc_pull(&f->end, place, speed);
    case COUPLING_tdpa:
        return tdpa_pull(&f->end, place, speed);
    case COUPLING_mmt:
        return mmt_pull(&f->end, place, speed);
    case COUPLING_COUNT:
        break;
    }
    return 0;
}

void rig_far_step(rig_far *f, const down_message *message, far_report *out) {
    const rig *r = f->r;
    uint64_t k = f->step++;
    nanos now = (nanos)k * STEP_NANOS;
    wire_send(&f->down, now, message);
    f->end.fresh =
        wire_take(&f->down, (double)k * COUPLE_STEP, now, &f->end.last, sizeof f->end.last);
    f->end.any |= f->end.fresh;
    // It knows its encoder and what has arrived.
    double place = f->follower.place;
    if (r->encoder_noise > 0)
        place += r->encoder_noise * rng_normal(f->noise, k, 0);
    double speed = k > 0 ? (place - f->measured) / COUPLE_STEP : 0;
    f->measured = place;
    double pull = pull_of(f, place, speed);
    double observed = observer_step(&f->watcher, speed, pull);
    double wall = r->wall ? r->wall_stiffness * fmax(0, f->follower.place - r->wall_at) : 0;
    *out = (far_report){.up = {pull, f->end.put, place, observed},
                        .follower = f->follower.place,
                        .wall = wall,
                        .reference = f->end.reference,
                        .reference_speed = f->end.speed,
                        .direct = direct_step(&f->plain, pull),
                        .twin = f->end.last.twin,
                        .heard = f->end.any,
                        .link = wire_told(&f->down)};
    mover_step(&f->follower, pull - r->follower_damping * f->follower.speed - wall,
               r->follower_mass);
}

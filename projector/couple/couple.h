// projector/couple/couple.h - a hand that works through a leader, a link and a follower at a wall.
//
// One degree of freedom, in metres and newtons (or radians and newton metres), stepped at 2 ms by
// semi-implicit Euler. A hand pulls the leader along a path by a spring and damper; the follower is
// pulled to its reference by the coupling's spring and damper; a wall holds it by a spring. Both
// ends see nothing of each other but the messages that the link delivered; of two messages the one
// that was sent later counts, so that late and double ones harm nothing.
//
// Sources: Ryu and Preusche, Stable bilateral control under time-varying delay (ICRA 2007), for
// tdpa; De Luca et al., Collision detection with the momentum observer (IROS 2006), for the force
// that the follower observes.
#ifndef FORESEE_PROJECTOR_COUPLE_COUPLE_H
#define FORESEE_PROJECTOR_COUPLE_COUPLE_H

#include <stdbool.h>

#include "base/link/channel.h"
#include "base/link/lockstep.h"
#include "base/mem.h"
#include "plans/plan.h"

#define COUPLE_STEP 0.002 // s

typedef enum couple_finding {
#define FINDING(name, sentence, change) FINDING_##name,
#include "projector/couple/findings.def"
#undef FINDING
    FINDING_COUNT
} couple_finding;

typedef struct rig_point {
    double time, place; // s, m
} rig_point;

// What is coupled, as couple_load reads it.
typedef struct rig {
    ARRAY(rig_point) path;               // of the hand: straight between the points, then at rest
    double hand_stiffness, hand_damping; // N/m, N s/m
    double leader_mass, leader_damping;  // kg, N s/m
    double follower_mass, follower_damping; // kg, N s/m
    double stiffness, damping;              // of the coupling
    double encoder_noise;                   // of the follower, m, one standard deviation
    double observer_gain;                   // of the momentum observer, 1/s
    bool wall;                              // there is one
    double wall_at, wall_stiffness;
    bool model;                       // mmt: the twin believes in a wall ...
    double model_at, model_stiffness; // ... there
    bool updates;                     // mmt: observed contacts correct the model
    double change;                    // N/s by which a correction changes the felt force
    channel_traits link;              // but for its delay, which is half of a round trip
    ARRAY(coupling_kind) kinds;
    ARRAY(double) round_trips; // s, multiples of the step
    double duration;           // s
} rig;

// One step of a trial, for who watches.
typedef struct rig_sample {
    double time;
    double hand, leader, leader_speed, reference, follower, twin; // m, m/s
    double felt, remote, observed; // N: at the leader, of the wall on the follower, as observed
    double direct;                 // N: the wall's force as the direct estimator has it
    double energy;                 // J that the coupling has taken in and not given back
    double model_at;
} rig_sample;
typedef void (*rig_watch)(void *context, const rig_sample *sample);

// What goes from leader to follower in a step ...
typedef struct down_message {
    double place, speed; // of the leader
    double twin;         // mmt: where the twin is
    double energy;       // tdpa: what the leader put into the link until now, J
} down_message;
// ... and back.
typedef struct up_message {
    double force;           // of the follower's controller
    double energy;          // tdpa: what the follower put into the link until now, J
    double place, observed; // mmt: where the follower is, and the contact that it observes
} up_message;
// What one direction of the link did in a trial.
typedef struct wire_report {
    double sent, lost, doubled, overtaken; // messages
    double silence;                        // s, the longest time without anything new
} wire_report;
// The message of the follower's end, and what only a trial's judge learns of that end: nothing else
// of it reaches the leader.
typedef struct far_report {
    up_message up;
    double follower, wall;             // where it truly is, and the wall's force
    double reference, reference_speed; // of its controller
    double direct;                     // the direct estimator's force
    double twin, heard;                // the twin it has heard of last; 1: it has heard of one
    wire_report link;                  // down
} far_report;

typedef struct rig_result {
    double speed;        // m/s, the leader's greatest in the last second
    double made;         // J that the coupling gave beyond what it had taken in, at most
    double drift;        // m between the leader and the reference at the end, without the delay's
    double felt, remote; // N, means over the last second
    // N, root mean square: what the two estimators of the wall's force were wrong by, in free
    // motion (5 / observer_gain after a contact) and over the last second, where the follower
    // touched. NAN: there was no such time.
    double observed_free, direct_free, observed_held, direct_held;
    double silence; // s, the longest time in which neither end received anything new
    uint64_t sent, lost, doubled, overtaken; // messages of both directions
    bool found[FINDING_COUNT];
} rig_result;

const char *finding_name(couple_finding f);
const char *finding_sentence(couple_finding f);
const char *finding_change(couple_finding f);

// Reads a file. Every mistake goes to `list`; then *out is empty. rig_finish frees it.
status couple_load(const char *path, rig *out, errors *list);
void rig_finish(rig *r);
// Runs one trial. `watch` may be NULL.
void rig_run(const rig *r, coupling_kind kind, double round_trip, uint64_t seed, rig_watch watch,
             void *context, rig_result *out);
uint64_t rig_steps(const rig *r); // of a trial
// The same with a follower's end that is anywhere: `answer` gives each step's report.
typedef status (*rig_answer)(void *far, const down_message *down, far_report *out, error *err);
status rig_run_with(const rig *r, coupling_kind kind, double round_trip, uint64_t seed,
                    rig_answer answer, void *far, rig_watch watch, void *context, rig_result *out,
                    error *err);
// The follower's end by itself. The rig must outlive it.
typedef struct rig_far rig_far;
rig_far *rig_far_create(const rig *r, coupling_kind kind, double round_trip, uint64_t seed);
void rig_far_step(rig_far *f, const down_message *message, far_report *out);
void rig_far_destroy(rig_far *f); // NULL is a no-op

// The two ends in two processes. The session is a hash of the rig and the seed, by which the ends
// know that they run the same.
uint64_t rig_session(const rig *r, uint64_t seed);
status rig_answer_afar(void *link, const down_message *down, far_report *out, error *err);
// Answers for the follower's end of all trials, in the order of the table.
status rig_serve(const rig *r, uint64_t seed, lockstep *link, error *err);

// The round trip from which on pfc is unstable, in seconds, by the Nyquist criterion on the sampled
// loop: at each frequency where the loop's gain is 1, the phase that is left, as time. INFINITY:
// the gain is below 1 everywhere. It is right where the loop without delay is stable.
double rig_critical_round_trip(const rig *r, bool in_contact);

#endif

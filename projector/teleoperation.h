// projector/teleoperation.h - the arms of an operator's station coupled to those of another robot.
//
// Arms of the same name are coupled joint by joint, in every step of the world: each joint is one
// of the rigs of couple/. Both ends see their encoders and what the link delivered, and nothing
// else of each other; so the follower's end (couple/arm.h) can be in another process. An arm
// follows while its robot's plan says so (the step `follow`); the station's is moved by its own
// plan. With `mmt` the operator feels the contacts of a twin, whose joints are drawn to the
// station's by springs and dampers (Elsner et al. 2022, equations 2 and 3).
//
// Owns:      the messages under way, the twin, and the records COUPLING, COUPLING_STATE,
//            LINK_STATE.
#ifndef FORESEE_PROJECTOR_TELEOPERATION_H
#define FORESEE_PROJECTOR_TELEOPERATION_H

#include "base/link/lockstep.h"
#include "projector/inputs.h"
#include "projector/recorded.h"
#include "projector/twin.h"

typedef struct teleoperation teleoperation;

// The arms of `follower` that its station leads: 1 << arm.
unsigned teleoperation_arms(const projection_inputs *in);

typedef struct teleoperation_setup {
    const projection_inputs *in; // with `coupled`
    agent *agents;
    sim *world;
    const recorder_ids *leader, *follower;
    sink *log;
    uint64_t seed;
    nanos step;
    lockstep *far; // to the follower's end; NULL: it is here
    // What stands in for the follower: its encoders and the contacts that it felt are these, and no
    // spring draws it. NULL: nothing does.
    recorded_robot *recorded;
} teleoperation_setup;

// What both ends must have alike, as a number by which they know one another.
uint64_t teleoperation_session(const projection_inputs *in);
// Is the follower's end for another process, until that says that it has ended.
status teleoperation_serve(const projection_inputs *in, lockstep *link, error *err);

// What the setup points to is borrowed. E_INPUT: the twin's parts overlap with what it believes.
status teleoperation_create(const teleoperation_setup *setup, teleoperation **out, error *err);
// In these, NULL is a no-op.
void teleoperation_destroy(teleoperation *t);
// Exchanges messages, and moves the twin, for the step of the world that begins at `now`. E_IO,
// E_INTERRUPTED: the follower's end has not answered.
status teleoperation_step(teleoperation *t, nanos now, error *err);
// Ends what lasts.
status teleoperation_finish(teleoperation *t, nanos now, error *err);
// What is drawn from now on is drawn from another seed.
void teleoperation_reseed(teleoperation *t, uint64_t seed);

#endif

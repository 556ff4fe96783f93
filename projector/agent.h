// projector/agent.h - one robot that takes part: its senses, its body, what it knows and believes,
// and the interpreter of its plan.
//
// Owns:      all of these; the log's identities stay the recorder's.
// Invariant: the mind gets world and robot as the robot may know them, and the middleware; nothing
//            else of the truth reaches it.
#ifndef FORESEE_PROJECTOR_AGENT_H
#define FORESEE_PROJECTOR_AGENT_H

#include "projector/body.h"
#include "projector/interp/interp.h"

// What an agent is made of; everything is borrowed, and outlives it.
typedef struct agent_setup {
    const plan *plan;
    const world_model *world;    // as it truly is
    const robot_model *robot;    // likewise
    unsigned follows;            // arms that another robot leads: 1 << arm
    const char *name;            // of the robot among several; NULL: it is alone
    pose at;                     // where the robot starts, and knows that it does
    const robot_model *believed; // what the robot takes itself to be; NULL: what it is
    const settings *conditions;  // as of sense_setup
    sim *sim;
    sink *log;
    const recorder_ids *ids;
    const int64_t *robots; // log ids of all robots, by their numbers
    uint64_t seed;         // of all its draws
    nanos cycle;           // of its interpreter
    double tolerance;      // scale of the keyframes' tolerance
    bool profile;          // measure where time goes
} agent_setup;

typedef struct agent {
    sense *senses;
    body *body;
    world_model *known; // what the mind may know of the world
    robot_model *self;  // what it may know of the robot
    int64_t *known_objects;
    belief *belief;
    mind mind;
    interp *interp;
    stopwatch rays, planning, checks, believing;
} agent;

// `a` is zero before, and stays where it is. agent_close takes what a failed agent_open left.
status agent_open(agent *a, const agent_setup *setup, error *err);
void agent_close(agent *a);
// One cycle of the interpreter at t.
status agent_cycle(agent *a, nanos t, error *err);
// The instant before which nothing comes of itself: the next timer of the plan, the next reading
// that is taken or delivered. TIME_OPEN: none ever.
nanos agent_idle_until(const agent *a);
// All draws come from this seed from now on.
void agent_reseed(agent *a, uint64_t seed);

#endif

// projector/twin.h - a model of a robot that is elsewhere, simulated at its operator's side.
//
// The twin is an agent whose belief is simulated: its world is the map that the robot's mind knows,
// and it moves by what the robot reports and by what the operator does, through its own motors. It
// is never put where the robot is, and sees nothing of the truth.
//
// Owns:      a simulation of its own; the records of what the twin believes.
#ifndef FORESEE_PROJECTOR_TWIN_H
#define FORESEE_PROJECTOR_TWIN_H

#include "projector/twin_surfaces.h"
#include "projector/twin_things.h"

typedef struct twin twin;

// What the robot reports of itself.
typedef struct twin_news {
    double base[3];       // x, y, yaw as the robot believes them: m, rad
    const double *joints; // all of the robot's, as its encoders read them
    const double *grips;  // by arm: the opening, m, and the force, N, that its gripper reads
} twin_news;

typedef struct twin_setup {
    const agent *of;         // the robot
    const recorder_ids *ids; // of it
    nanos step;
    sink *log;
    const channel_traits *link; // over which it tells of things
    rng_key key;                // of that
} twin_setup;

// What the setup points to is borrowed; only what the robot's mind knows and believes of the world
// and of itself is read. E_INPUT: its parts overlap with the map at the start.
status twin_create(const twin_setup *setup, twin **out, error *err);
void twin_destroy(twin *w); // NULL is a no-op
int64_t twin_agent(const twin *w);
sim *twin_sim(twin *w);
twin_surfaces *twin_surfaces_of(twin *w);
void twin_rekey(twin *w, rng_key key);
// Draws the base, the grippers, and all joints but those that are `led` elsewhere, to what was
// reported.
void twin_follow(twin *w, const twin_news *news, const bool *led);
// One step from t on.
status twin_step(twin *w, nanos t, nanos dt, error *err);
// Takes what it hears of things, and notes what it believes at t: where they and its hands are,
// what it touches. From time to time.
status twin_note(twin *w, nanos t, error *err);
status twin_finish(twin *w, nanos t, error *err);

#endif

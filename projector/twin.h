// projector/twin.h - a model of a robot that is elsewhere, simulated at its operator's side.
//
// The twin is an agent whose belief is simulated: its world is the map that the robot's mind knows,
// and it moves by what the robot reports and by what the operator does, through its own motors. It
// is never put where the robot is, and sees nothing of the truth.
//
// Owns:      a simulation of its own; the records of what the twin believes.
#ifndef FORESEE_PROJECTOR_TWIN_H
#define FORESEE_PROJECTOR_TWIN_H

#include "projector/agent.h"

typedef struct twin twin;

// What the robot reports of itself.
typedef struct twin_news {
    double base[3];       // x, y, yaw as the robot believes them: m, rad
    const double *joints; // all of the robot's, as its encoders read them
} twin_news;

// `of` is the robot, whose agent and log ids are borrowed; only what its mind knows of the world
// and of itself is read. E_INPUT: its parts overlap with the map at the start.
status twin_create(const agent *of, const recorder_ids *ids, nanos step, sink *log, twin **out,
                   error *err);
void twin_destroy(twin *w); // NULL is a no-op
int64_t twin_agent(const twin *w);
sim *twin_sim(twin *w);
// Draws the base, and all joints but those that are `led` elsewhere, to what was reported.
void twin_follow(twin *w, const twin_news *news, const bool *led);
// One step from t on.
status twin_step(twin *w, nanos t, nanos dt, error *err);
// Notes what the twin believes at t: where its hands are, what it touches.
status twin_note(twin *w, nanos t, error *err);
status twin_finish(twin *w, nanos t, error *err);

#endif

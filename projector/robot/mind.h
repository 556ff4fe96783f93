// projector/robot/mind.h - what a robot's interpreter, actions and belief share; all borrowed.
#ifndef FORESEE_PROJECTOR_ROBOT_MIND_H
#define FORESEE_PROJECTOR_ROBOT_MIND_H

#include "projector/belief/belief.h"
#include "projector/robot_ids.h"
#include "base/time/clock.h"

#define EVERY_ROBOT "" // of mind.past

typedef struct mind {
    const world_model *known; // the part of the world that the robot knows a priori
    const robot_model *robot;
    belief *belief;
    middleware *body;
    sink *log;
    int64_t agent;                // of the log's AGENT record
    unsigned follows;             // arms that an operator's station leads: 1 << arm
    bool unlinked;                // nothing of the station reaches them any more
    const char *name;             // of the robot among several; NULL: it is alone
    uint64_t seed;                // of its own draws (planning)
    nanos cycle;                  // 20 ms
    const robot_ids *parts;       // log ids of the robot's parts
    const int64_t *known_objects; // log id by body of `known`
    stopwatch *planning;          // time spent on planning motions; NULL: not measured
    stopwatch *checks;            // part of it spent on collision checks
    stopwatch *believing;         // time that readings take in the belief; NULL: not measured
    const char *past;             // another robot that plans look past; EVERY_ROBOT; NULL: none
    struct robot_memory *memory;  // of robot/: NULL at first, freed by robot_forget
} mind;

#endif

// projector/robot/planning/memory.h - what the robot's planning and actions remember from one
// action to the next.
//
// Owned by the mind (mind.memory): made when it is first needed, freed by robot_forget.
#ifndef FORESEE_PROJECTOR_ROBOT_PLANNING_MEMORY_H
#define FORESEE_PROJECTOR_ROBOT_PLANNING_MEMORY_H

#include "base/symtab.h"
#include "projector/robot/kinematics/chain.h"
#include "projector/robot/mind.h"

typedef struct braking { // a cancelled joint motion
    bool active;
    double position, velocity, acceleration;
} braking;

// The place that words have meant since the hand closed about an object.
typedef struct located {
    char text[240], object[64];
    believed_place place;
} located;
enum { LOCATED_MAX = 4 };

// What torso_for said last, and of which belief.
struct torso_answer {
    char text[240];   // the location
    uint64_t version; // belief_version
    double height;    // m; NAN: none helps
};

// A motion of an arm that it was taught: one sample for each control cycle.
typedef struct taught_sample {
    double q[ARM_JOINTS_MAX]; // the arm's joints as the encoders read them
    pose tool;                // by them, in the base's frame
} taught_sample;
typedef struct taught {
    char name[64];
    size_t arm;
    double torso;                 // position of its joint at the beginning; 0 without one
    ARRAY(taught_sample) samples; // at least two
} taught;

struct robot_memory {
    symtab *paths;         // of actions begun
    ARRAY(uint64_t) begun; // by path: how often
    struct base_map *map;  // NULL: not made yet
    braking *brakes;       // by joint
    double *commanded;     // by joint: last position sent
    bool *sent;
    char (*aims)[64]; // by arm: the believed object that its last motion was about; empty: none
    uint64_t plans;   // keys the draws
    located located[LOCATED_MAX];
    struct torso_answer torso;
    ARRAY(taught) taught;                      // no two of one name
    ARRAY(struct action *) spare, spare_waits; // actions that have ended, for use again
};

struct robot_memory *robot_remember(mind *m);
// Frees what the robot keeps in m->memory; when the mind ends, after the last action was freed.
void robot_forget(mind *m);
// A key of random draws that no other plan of this mind has.
rng_key planning_key(mind *m, const char *what);
// The motion that was taught under this name; NULL: none was. Borrowed until the next is taught.
const taught *taught_find(const mind *m, const char *name);
// The arm's joint positions from which a motion is planned: as commanded last, else as read.
void joints_planned(const mind *m, size_t arm, double q[AXES_MAX]);
// Writes a CHOICE record; nothing where `task` is 0.
status robot_choice(mind *m, int64_t task, nanos t, const char *what, const char *question,
                    const char *chosen, const char *candidates, const char *reason, error *err);

#endif

// projector/inputs.h - what a projection is made from, in the order of the log: the robots that
// take part, the files that were read, and the parameters that are in force.
#ifndef FORESEE_PROJECTOR_INPUTS_H
#define FORESEE_PROJECTOR_INPUTS_H

#include "base/link/channel.h"
#include "plans/plan.h"
#include "projector/recording.h"
#include "scene/robot/fleet.h"

// A robot that takes part, and the plan that it runs; everything is borrowed.
typedef struct projection_member {
    fleet_member robot;
    const plan *plan;
    const robot_model *believed; // what the robot takes itself to be; NULL: what it is
} projection_member;
// How messages travel between two members, either way.
typedef struct projection_link {
    size_t a, b;
    channel_traits traits;
} projection_link;
typedef struct projection_inputs {
    const projection_member *members;
    size_t count;
    const world_model *world;
    bool share;                   // members tell one another what they see of things
    const projection_link *links; // those with traits of their own
    size_t link_count;
    const plan_coupling *coupled; // whose arms follow whose; NULL: nobody's
    // What the robot follows in place of its plan; with `coupled`, what stands in for the robot
    // whose arms follow; NULL: nothing.
    const recording *recording;
} projection_inputs;

// How messages travel between two members.
channel_traits projection_link_between(const projection_inputs *in, size_t i, size_t k);
// By what the draws of the link from one to the other are keyed.
rng_key projection_link_key(const projection_inputs *in, size_t from, size_t to, uint64_t seed);

typedef struct input_file {
    const char *kind, *name, *text; // as the log has them
} input_file;
// Gives the i-th file; false: there are not so many. A file of several robots counts once.
bool input_file_at(const projection_inputs *in, size_t i, input_file *out);

// Parameters that were declared together.
typedef struct input_scope {
    const char *scope;  // in the log: what declares them, or the name of one of several robots
    const char *prefix; // of their names there: nothing, or `plan.` or `robot.`
    const char *of;     // plan, world, robot
    const parameters *all;
} input_scope;
// Gives the i-th; false: there are not so many.
bool input_scope_at(const projection_inputs *in, size_t i, input_scope *out);

#endif

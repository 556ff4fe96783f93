// cli/runs/members.h - the robots of a scenario, and the plans that they run.
#ifndef FORESEE_CLI_MEMBERS_H
#define FORESEE_CLI_MEMBERS_H

#include "plans/plan.h"
#include "projector/inputs.h"

typedef struct scenario scenario;

// A robot that takes part, and the plan that it runs.
typedef struct scenario_member {
    const char *name; // NULL: it is alone
    plan *plan;       // the scenario's, or one that was read for it
    robot_model *robot;
    robot_model *believed; // of a re-run: the model of itself that it plans with; NULL: `robot`
    pose at;
    const char *file; // where it is named; NULL: nowhere
    int line, column;
} scenario_member;

// What the robots of a plan are loaded with.
typedef struct members_request {
    const file_set *files; // NULL: the disk
    const char *library;   // folder of the shipped routines; NULL: none
    const char *plan_path;
    const char *base;    // folder that names of files are given relative to in the log
    const settings *own; // of the plan's projection
    const settings *set; // of the command line, or of a log
} members_request;
// Reads robots and plans of a scenario whose plan names several. All mistakes go to `list`;
// E_INPUT, E_USAGE.
status members_load(scenario *s, const members_request *q, errors *list);
void members_finish(scenario *s);
// E_USAGE: a setting is of a scope that is none, nor the name of one of the plan's robots. `p`
// NULL: there is no plan.
status members_check_scopes(const plan *p, const settings *set, errors *list);

// What a projection of the scenario is made from; *out borrows from the scenario and from `room`,
// which the caller frees.
void scenario_inputs(const scenario *s, projection_member **room, projection_inputs *out);
// Whether a setting of this scope and name sets a parameter of these; *out: which.
bool scope_names(const input_scope *of, const char *scope, const char *name, const parameter **out);

#endif

// cli/scenario.h - plan, world and robot of a projection, loaded and checked together; and the
// projection.
#ifndef FORESEE_CLI_SCENARIO_H
#define FORESEE_CLI_SCENARIO_H

#include "cli/cli.h"
#include "logger/log.h"
#include "plans/plan.h"
#include "projector/projection.h"
#include "scene/robot.h"

typedef struct scenario {
    arena *arena;
    plan *plan;
    world_model *world;
    robot_model *robot;
    const char *world_path; // the file's
    double tolerance;       // log.tolerance
} scenario;

// Loads what the plan names, unless `world` and `robot` (NULL: not given) name others, with every
// --set of `set`. All mistakes go to `list`; E_INPUT or E_USAGE then, and *out holds nothing.
status scenario_load(const char *plan_path, const char *world, const char *robot,
                     const settings *set, scenario *out, errors *list);
// What shows only when the two stand together, such as a robot inside of a table. E_INPUT.
status scenario_check(const scenario *s, errors *list);
void scenario_finish(scenario *s);
// Names of actions, their arguments and failure classes: what is known without a world.
plan_names scenario_robot_names(void);
// Reads NAME=VALUE of every --set. E_USAGE.
status scenario_settings(const arguments *a, arena *memory, settings *out, error *err);

// How a projection ended.
typedef struct sample {
    const char *outcome; // succeeded, failed, invalid, incomplete
    int64_t episode;
    nanos end;
    double wall_seconds;
} sample;
// Projects into the log at `path`, judges the plan's goals from what was logged, and sets the
// outcome. E_DIVERGED and E_INTERRUPTED: the episode is in the log and marked.
status scenario_project(const scenario *s, const char *path, const log_options *options,
                        const projection_options *how, sample *out, error *err);

// "set_table" of "plans/set_table.yaml".
void scenario_stem(const char *path, char *stem, size_t size);

#endif

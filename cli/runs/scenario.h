// cli/runs/scenario.h - plan, world and robot of a projection, loaded and checked together; and the
// projection.
#ifndef FORESEE_CLI_SCENARIO_H
#define FORESEE_CLI_SCENARIO_H

#include "cli/cli.h"
#include "cli/runs/rerun.h"
#include "logger/log.h"
#include "plans/plan.h"
#include "projector/projection.h"
#include "scene/robot/robot.h"

typedef struct scenario {
    arena *arena;
    plan *plan;
    world_model *world;
    robot_model *robot;
    const char *world_path; // the file's
    double tolerance;       // log.tolerance
    // Of a re-run: what it makes otherwise, as projection_options has it, and the robot as it takes
    // itself to be.
    settings conditions;
    robot_model *believed; // NULL: as it is
} scenario;

// Loads what the plan names, unless `world` and `robot` (NULL: not given) name others, with every
// --set of `set`. All mistakes go to `list`; E_INPUT or E_USAGE then, and *out holds nothing.
status scenario_load(const char *plan_path, const char *world, const char *robot,
                     const settings *set, scenario *out, errors *list);
// The same from files in memory (NULL: the disk).
status scenario_load_from(const file_set *files, const char *plan_path, const char *world,
                          const char *robot, const settings *set, scenario *out, errors *list);
// The same of an episode in a log: what the log holds, with the settings of `set` besides and what
// `conditions` change besides. `again` must outlive *out; edits among the changes go into its plan.
status scenario_load_again(rerun *again, const settings *set, const settings *conditions,
                           scenario *out, errors *list);
// Makes changes and notes placebos, before the projection. E_INPUT.
status scenario_change(scenario *s, const settings *conditions, error *err);
// What shows only when the two stand together, such as a robot inside of a table. E_INPUT.
status scenario_check(const scenario *s, errors *list);
void scenario_finish(scenario *s);
// Names of actions, their arguments and failure classes: what is known without a world.
plan_names scenario_robot_names(void);
// Reads NAME=VALUE of every --set. E_USAGE.
status scenario_settings(const arguments *a, arena *memory, settings *out, error *err);
// Reads every --change and --placebo: scope change or placebo. E_USAGE, E_INPUT.
status scenario_conditions(const arguments *a, arena *memory, settings *out, error *err);
// Adds one change to conditions, under the next number; a list of changes as each of them. Texts
// live in `memory`. E_INPUT: there is no such change.
status scenario_add_change(arena *memory, const term *change, settings *out, error *err);
// Adds a placebo, in the place of one of the same stream.
void scenario_add_placebo(arena *memory, const char *stream, int64_t number, settings *out);

// How a projection ended.
typedef struct sample {
    const char *outcome; // succeeded, failed, invalid, incomplete, unjudged
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

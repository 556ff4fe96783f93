// cli/runs/scenario.h - a scenario: a plan with its world and robot, loaded and checked together;
// and its projection.
#ifndef FORESEE_CLI_SCENARIO_H
#define FORESEE_CLI_SCENARIO_H

#include "cli/cli.h"
#include "cli/runs/members.h"
#include "cli/runs/rerun.h"
#include "logger/log.h"
#include "plans/edit.h"
#include "plans/plan.h"
#include "projector/projection.h"
#include "scene/robot/robot.h"

struct scenario {
    arena *arena;
    plan *plan;
    world_model *world;
    robot_model *robot;       // the first of the members'; without members the caller's own
    scenario_member *members; // the robots that take part
    size_t member_count;
    bool shares; // they tell one another what they see
    projection_link *links;
    size_t link_count;
    const plan_coupling *coupled; // whose arms follow whose; NULL: nobody's
    const char *world_path;       // path of the world's file
    const char *plan_name;        // what the log calls the plan; NULL: by its file's name
    double tolerance;             // log.tolerance_mm as a factor of the default
    settings conditions;          // of a re-run: its interventions and placebos
    const recording *followed;    // what the robot follows in place of its plan; NULL: nothing
    bool edited;                  // of a re-run: its plan is not that of the episode
};

// Loads a plan with the world and robot that it names, unless `world` and `robot` (NULL: not given)
// name others, with the settings `set`. All mistakes go to `list`; the status is E_INPUT or E_USAGE
// then, and *out holds nothing.
status scenario_load(const char *plan_path, const char *world, const char *robot,
                     const settings *set, scenario *out, errors *list);
// Does the same with files in memory (NULL: the disk).
status scenario_load_from(const file_set *files, const char *plan_path, const char *world,
                          const char *robot, const settings *set, scenario *out, errors *list);
// Does the same with an episode of a log: with what the log holds, the settings `set`, and the
// interventions and placebos `conditions` as well. Edits among them are made in the plan of
// `again`, which must outlive *out.
status scenario_load_rerun(rerun *again, const settings *set, const settings *conditions,
                           scenario *out, errors *list);
// Makes edits in the text of the plan that an episode's log holds. E_INPUT, with its place in the
// edits.
status scenario_edit_rerun(rerun *again, edit_file edits, errors *list);
// Makes the interventions in a loaded scenario, and notes its placebos, before the projection.
// E_INPUT.
status scenario_change(scenario *s, const settings *conditions, error *err);
// Has the robot follow the episode `wanted` (0: the last) of the log at `path`, called `name` in
// logs, in place of its plan, or has the recorded robot stand in for the one whose arms follow a
// station: it begins where the recorded one did. E_INPUT.
status scenario_follow(scenario *s, const char *path, const char *name, int64_t wanted, error *err);
// Has it follow what was read already; `r` outlives the scenario.
status scenario_follow_recording(scenario *s, const recording *r, error *err);
// Is the end that controls the arms which follow a station, for another process. E_INPUT: no arm of
// the plan does. The session is a number by which the ends know that they run the same.
status scenario_coupled(const scenario *s, uint64_t *session, error *err);
status scenario_serve(const scenario *s, lockstep *link, error *err);
// Finds mistakes that show only when world and robot stand together, such as a robot inside of a
// table. E_INPUT.
status scenario_check(const scenario *s, errors *list);
void scenario_finish(scenario *s);
// Returns the names of actions, arguments and failure classes, which are known without a world.
plan_names scenario_robot_names(void);
// Reads all options --set SCOPE.NAME=VALUE. E_USAGE.
status scenario_settings(const arguments *a, arena *memory, settings *out, error *err);
// Reads all options --change and --placebo, with scope change or placebo. E_USAGE, E_INPUT.
status scenario_conditions(const arguments *a, arena *memory, settings *out, error *err);
// Adds an intervention under the next number; a list of interventions is added one by one. Texts
// live in `memory`. E_INPUT: there is no such intervention.
status scenario_add_change(arena *memory, const term *change, settings *out, error *err);

// The result of a projection.
typedef struct sample {
    const char *outcome; // succeeded, failed, invalid, incomplete, unjudged
    int64_t episode;
    nanos end;
    double wall_seconds;
} sample;
// Returns whether the options allow what the scenario is simulated by: models of others are native
// code. E_INPUT, with the place of the model. All that begin a projection ask.
status scenario_allowed(const scenario *s, const projection_options *how, error *err);
// Begins the episode of a projection in a log.
status scenario_begin(const scenario *s, const projection_options *how, logger *log, error *err);
// Fills in the options of a projection that hang on the scenario.
void scenario_options(const scenario *s, projection_options *how);
// Runs the scenario's projection; records go to `log`. As projection_run_several.
status scenario_run(const scenario *s, sink *log, const projection_options *how,
                    projection_result *result, error *err);
// Ends the episode of a projection that ended with `run`, closes *log in any case, judges the
// plan's goals by what was logged at `path`, and sets the outcome, as scenario_project does. `err`
// holds why `run` is not OK.
status scenario_end(logger **log, const char *path, status run, const projection_result *result,
                    sample *out, error *err);
// Projects into the log at `path`, judges the plan's goals by what was logged, and sets the
// outcome. E_DIVERGED and E_INTERRUPTED: the episode is in the log and marked.
status scenario_project(const scenario *s, const char *path, const log_options *options,
                        const projection_options *how, sample *out, error *err);

// Gives the stem of a path: "set_table" for "plans/set_table.yaml".
void scenario_stem(const char *path, char *stem, size_t size);

#endif

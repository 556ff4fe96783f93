// cli/runs/stage.h - what is otherwise in a projection from an instant on: the stages of an episode
// that is a branch of another.
//
// A log holds them as parameters of scope `branch`, in this order: `at`, the instant in seconds;
// then what is otherwise from then on, each as `do`; then `seed`, if all draws are others. Stages
// build on those before them. What can be done:
//   a change of docs/intervention.md, or a list of such: pads_as_believed, transparent(Body)
//   SCOPE.NAME=VALUE, a parameter of world or robot, as --set takes it
//   { move: { body: B, to: P } }, an event as world files have it, without its name and its time
#ifndef FORESEE_CLI_STAGE_H
#define FORESEE_CLI_STAGE_H

#include "cli/runs/scenario.h"

typedef struct stage {
    nanos at;
    settings rows; // of the log
    bool reseed;
    uint64_t seed;
    bool other;     // the scene differs from that before
    scenario scene; // where it does
} stage;
typedef struct stages {
    stage *items;
    size_t count;
    size_t next;   // that comes next in a projection
    settings due;  // rows that are put into the log when it comes
    arena *memory; // of texts
} stages;

// Reads stages from rows of scope `branch` and loads their scenes: those of `before` (the scenario
// of the episode, with its parameters `set` of the command line and interventions) with what is
// otherwise. Everything else must outlive *out. All mistakes go to `list`: E_INPUT, E_USAGE; they
// name `do`s as `--do`.
status stages_load(const rerun *again, const scenario *before, const settings *set,
                   const settings *conditions, const settings *rows, stages *out, errors *list);
void stages_finish(stages *s);
// Has a projection go through the stages. *how borrows them.
void stages_begin(stages *s, projection_options *how);
// Fills in what the stages up to an instant make otherwise, and when the next one comes.
void stages_turn(stages *s, nanos t, projection_turn *out);

// Returns whether a text is SCOPE.NAME=VALUE, and takes it apart; texts live in `memory`.
bool stage_setting(arena *memory, const char *text, setting *out);

#endif

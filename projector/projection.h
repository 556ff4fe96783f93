// projector/projection.h - the two coupled loops: read the senses, run the interpreter to
// quiescence, apply its commands, step the world to the next cycle, record.
//
// One projection per process at a time: ODE keeps process-wide state.
#ifndef FORESEE_PROJECTOR_PROJECTION_H
#define FORESEE_PROJECTOR_PROJECTION_H

#include <signal.h>
#include "base/link/lockstep.h"
#include "projector/inputs.h"
#include "schema/sink.h"

// How the wall time was spent, in seconds.
typedef struct projection_profile {
    double physics, sensing, interpretation, logging;
    double managing; // fidelity: signallers and helper
    double rays;     // of sensing: casting rays
    double planning; // of interpretation: where to stand, how to move, and what is in the way
    double checks;   // of planning: collision checks of arms and base
    double belief;   // of interpretation: what readings change in the belief
    double noting;   // of interpretation: putting the records of interpreter, belief and commands
    double writing;  // of logging: committing those, by their share in the time of putting
    double noting_share;      // that share, 0..1
    uint64_t mind_rows, rows; // records put: of those, and of all
} projection_profile;

// What is otherwise from an instant on. What it points to outlives the projection.
typedef struct projection_turn {
    // In place of the models until then, of which scene_follows says that they may; NULL: the same.
    // The robot goes on to believe what it believed of the world and of itself.
    const world_model *world;
    const robot_model *robot;
    bool reseed; // all draws come from `seed`
    uint64_t seed;
    const settings *conditions; // put into the log as parameters; NULL: none
    nanos next;                 // when it is asked again; TIME_OPEN: never
} projection_turn;

typedef struct projection_options {
    uint64_t seed;
    nanos step;       // of the physics; 2 ms
    nanos cycle;      // of the interpreter; 20 ms
    nanos settle;     // how long it goes on after the top task ended; 3 s
    nanos until;      // TIME_OPEN: no limit
    double tolerance; // scale of the keyframes' tolerance; 1, 0 is exact
    bool profile;     // measure where time goes
    bool native;      // models of others may run their code; refused otherwise
    lockstep *far;    // to the end that controls arms which follow a station; NULL: it is here
    // What a re-run makes otherwise, put into the log as parameters of scope `change` or `placebo`:
    // of a placebo the name is a stream of noise and the value, a whole number above 0, which other
    // draws it has. NULL: nothing.
    const settings *conditions;
    // Called at the beginning of the first cycle at or after `turn_at` (TIME_OPEN: never), and
    // fills in what is otherwise from then on. The process may be forked there. A status other than
    // OK ends the projection with it.
    nanos turn_at;
    status (*turn)(void *context, nanos t, projection_turn *out, error *err);
    void *turn_context;
    // Called once per simulated second. NULL: not.
    void (*progress)(void *context, nanos t, double real_time_factor);
    void *progress_context;
    // Called at the end, with a sentence on each event of the world that did not happen. NULL: not.
    void (*note)(void *context, const char *text);
    void *note_context;
    const volatile sig_atomic_t *stop; // ends the projection when it becomes non-zero. NULL: never
} projection_options;
projection_options projection_options_default(void);

typedef struct projection_result {
    nanos end; // last recorded instant
    bool top_ended, top_done;
    bool complete; // ended by its plan, not by `until` or `stop`
    double wall_seconds;
    uint64_t steps;      // of the physics
    uint64_t hand_steps; // of these, with a hand in contact
    double hand_seconds; // wall time of these (with `profile`)
    uint64_t solver_messages;
    projection_profile profile;
} projection_result;

// What only the simulation finds out of a world and its robots that are good by themselves: parts
// of them inside each other at the start, or closer than a margin. E_INPUT; nothing has happened
// then.
status projection_check(const projection_inputs *in, error *err);

// Runs `p` in `w` with `r`; records go to `log`, committed each simulated second. On E_DIVERGED and
// E_INTERRUPTED what was recorded up to then is committed, and *result is filled as far as it got.
status projection_run(const plan *p, const world_model *w, const robot_model *r, sink *log,
                      const projection_options *options, projection_result *result, error *err);

// The same with several robots in one world, each of which has its own senses, belief and
// interpreter and knows of the others what it sees; parts and agents are called after the robots'
// names in the log, and each draws its own noise. The top tasks have ended when all have, and are
// done when all are. Turns that change a robot are for one robot alone.
status projection_run_several(const projection_inputs *in, sink *log,
                              const projection_options *options, projection_result *result,
                              error *err);

#endif

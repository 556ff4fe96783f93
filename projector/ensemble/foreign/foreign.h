// projector/ensemble/foreign/foreign.h - a model that somebody else compiled, in a process of its
// own.
//
// The process runs foresee-model, which inherits nothing but a page of shared memory: no file, no
// environment, no signal handler. It ends with the process that started it. What the model's code
// does there, fault, hang, exit or lie, comes back as an error with a sentence. This contains
// accidents, not malice: the model is native code with the rights of the user.
//
// Owns:      the child process and the page.
// Threads:   a model belongs to the thread that started it; the child dies with that thread.
// Errors:    E_INPUT: the model cannot be run like this; E_DIVERGED: it ran and failed, and is
// over:
//            every later call says the same; E_IO, E_MEMORY: the process cannot be made.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_FOREIGN_H
#define FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/time/times.h"

typedef struct foreign foreign;

typedef struct foreign_options {
    const char *helper; // the program foresee-model; NULL: the one beside this program
    nanos answer;       // wall time in which the model must answer
    uint64_t memory;    // bytes of address space; 0: no limit
} foreign_options;
// What a model has by default. `answer`, in seconds: another time; NAN: the default, 10 s.
foreign_options foreign_options_within(double answer);

// One variable that is exchanged; `name` is for messages.
typedef struct foreign_variable {
    const char *name;
    uint32_t reference, kind; // of the model; variable_kind
    double value;             // before the start; no meaning for an output
} foreign_variable;

typedef struct foreign_setup {
    const char *guest;     // what kind of model: guests.def
    const char *name;      // of the model, for messages and for itself
    const char *folder;    // where the process works and may leave files
    const char *library;   // absolute
    const char *resources; // absolute, or ""
    const char *token;
    bool event_mode, early_return, saves_states;
    const foreign_variable *parameters, *inputs, *outputs;
    size_t parameter_count, input_count, output_count;
    nanos start;
} foreign_setup;

enum { FOREIGN_VARIABLES_MAX = 32768 };

// Starts the process and initialises the model at `start`. Texts are copied.
status foreign_start(const foreign_setup *setup, const foreign_options *options, foreign **out,
                     error *err);
// Ends the model in order where it still answers, else by force. NULL is a no-op.
void foreign_close(foreign *f);

// Begins a step from t to t + dt; `inputs` are copied. foreign_take must follow, and other work may
// come between.
void foreign_post(foreign *f, nanos t, nanos dt, const double *inputs);
// Waits for the end of the step.
status foreign_take(foreign *f, error *err);
// Both at once.
status foreign_step(foreign *f, nanos t, nanos dt, const double *inputs, error *err);
// The outputs after the start, the last step or the last restoring; borrowed, finite.
const double *foreign_outputs(const foreign *f);
uint64_t foreign_events(const foreign *f); // that the model told of so far
int foreign_process(const foreign *f);     // its id; 0: it is over

// Keeps the model's state, and goes back to it. E_INPUT: the model cannot, or FOREIGN_STATES_MAX
// are kept.
enum { FOREIGN_STATES_MAX = 16 };
bool foreign_saves(const foreign *f);
status foreign_save(foreign *f, unsigned *state, error *err);
status foreign_restore(foreign *f, unsigned state, error *err);
status foreign_forget(foreign *f, unsigned state, error *err);

// Steps the model `steps` times from t, goes back, steps again with the same inputs, and compares
// the outputs bit by bit. E_DIVERGED with a sentence that names the output, where they differ; the
// model then still runs. The model has gone on by `steps` steps.
status foreign_rehearse(foreign *f, nanos t, nanos dt, unsigned steps, const double *inputs,
                        error *err);

#endif

// scene/world/ensemble.h - the section `ensemble` of a world: which models simulate it together.
//
// Everything lives in the world's arena. A slot is an attribute of a body, such as
// temperature(cup). Invariant: every slot that a model gives out has exactly one model that it
// belongs to at the
//            start, or the main one, with which it stays as it is.
#ifndef FORESEE_SCENE_WORLD_ENSEMBLE_H
#define FORESEE_SCENE_WORLD_ENSEMBLE_H

#include <stdbool.h>
#include "base/term/term.h"
#include "base/time/times.h"

#define ENSEMBLE_MAIN "ode"  // the main model, which times the others and holds every pose
#define ENSEMBLE_POSE "pose" // the attribute that the main model has of every body
#define ENSEMBLE_COLLISION                                                                         \
    "collision" // 1, or 0: it passes through the carrier of the model that gives it
#define ENSEMBLE_CONTENTS "contents" // the particles that a body was filled with
enum { MODEL_MAIN = -1 };            // its number among models

typedef struct ensemble_place { // where something stands in a file, for what is found wrong later
    const char *file;
    int line, column;
} ensemble_place;

// What the main model tells of a body or of a hand.
typedef enum ensemble_signal {
    SIGNAL_NONE,
#define BODY_SIGNAL(id, name, doc) SIGNAL_##id,
#define HAND_SIGNAL BODY_SIGNAL
#include "scene/world/signals.def"
#undef HAND_SIGNAL
#undef BODY_SIGNAL
} ensemble_signal;

typedef struct ensemble_slot {
    size_t body;      // of a hand's signal: nothing
    const char *hand; // the name of its arm; NULL: it is of a body
    const char *attribute;
    const char *text;       // attribute(body)
    ensemble_signal signal; // else SIGNAL_NONE: some model gives it. It is never handed over
    bool is_pose;      // no number: where the body is, which physics keeps whoever answers for it
    bool is_collision; // whether it collides with the carrier of the model that may answer for it
    bool is_contents;  // how many particles it was filled with; who answers for it moves them
    ensemble_place at; // where the file has it first
} ensemble_slot;

// What a port of a model is connected to.
typedef struct ensemble_link {
    const char *port;
    int64_t slot; // -1: `value`, for ever
    double value;
    ensemble_place at;
} ensemble_link;

typedef enum ensemble_stepping {
    STEPPING_SERVICE, // every `every`; the main model waits
    STEPPING_CLOCK,   // the same, but its result takes `cost`, and ticks meanwhile are skipped
    STEPPING_FREE     // it has no time, and looks at how things are every `every`
} ensemble_stepping;
const char *ensemble_stepping_name(ensemble_stepping stepping);

typedef struct ensemble_setting {
    const char *name;
    double number; // NAN where it is a text
    const char *text;
} ensemble_setting;

typedef struct ensemble_model {
    const char *name, *class;
    ensemble_stepping stepping;
    nanos every, cost;
    const char *file;  // of a foreign model, as the disk has it; NULL: none
    bool falls_back;   // when it fails, what it answers for goes to `fall_back`; else the episode
    int64_t fall_back; // ends
    const ensemble_link *inputs, *outputs;
    size_t input_count, output_count;
    const ensemble_setting *settings;
    size_t setting_count;
    const int64_t *after; // models whose results of a step are among the inputs of its own
    size_t after_count;
    bool left_out; // a re-run does without it: it gives its slots their first value, and no more
    ensemble_place at;
} ensemble_model;

// When something happens that reconfigures the ensemble.
typedef enum trigger_kind {
    TRIGGER_OPERATION, // the robot begins an operation of this name, with this actuator
    TRIGGER_EVENT,     // a model tells this event
    TRIGGER_VALUE      // a comparison of a slot with a number begins to hold
} trigger_kind;
typedef enum ensemble_sign { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL } ensemble_sign;

// A number that is made of slots.
typedef enum value_kind {
    VALUE_NUMBER,
    VALUE_SLOT,
    VALUE_SUM,
    VALUE_DIFFERENCE,
    VALUE_PRODUCT,
    VALUE_QUOTIENT // by 0: no finite number, of which no comparison holds
} value_kind;
typedef struct ensemble_value ensemble_value;
struct ensemble_value {
    value_kind kind;
    double number;
    int64_t slot;
    const ensemble_value *a, *b;
};

// What finds a body of the world.
typedef enum finder_kind {
    FINDER_NEAREST, // to the point between the fingers: the nearest that can move
    FINDER_HELD     // what palm and fingers touch in two places, or what is bound to the hand
} finder_kind;
typedef struct ensemble_finder {
    finder_kind kind;
    const char *hand; // the name of its arm
    const char *type; // of FINDER_NEAREST; NULL: any
    double radius;    // of FINDER_NEAREST: m, from the point to a centre of mass
    ensemble_place at;
} ensemble_finder;

enum { ENSEMBLE_VARIABLES_MAX = 8 };
typedef enum ensemble_condition_kind {
    CONDITION_COMPARES,
    CONDITION_FINDS,
    CONDITION_ALL // of an evaluator
} ensemble_condition_kind;
typedef struct ensemble_condition ensemble_condition;
struct ensemble_condition {
    ensemble_condition_kind kind;
    bool negated;
    ensemble_sign how;
    const ensemble_value *left, *right;
    ensemble_finder finder;
    int64_t body;     // that it has to find; -1: any
    int64_t variable; // of the trigger: becomes what is found, or is it already; -1: none
    const ensemble_condition *all;
    size_t count;
};

typedef struct ensemble_trigger {
    const char *name;
    trigger_kind kind;
    const char *on_text;
    const char *operation, *actuator;     // actuator NULL: any
    int64_t model;                        // that tells the event
    const char *event;                    // its name
    ensemble_condition value;             // a comparison
    const ensemble_condition *conditions; // `if`: all of them hold, from the first to the last
    size_t condition_count;
    const char *variables[ENSEMBLE_VARIABLES_MAX]; // that conditions bind to bodies
    size_t variable_count;
    int64_t give;               // the slot that goes to the model `to`; -1: none
    const char *give_attribute; // NULL, or that of the body that `give_variable` is bound to
    int64_t give_variable;
    const char *send; // else the event that the model `to` is told
    int64_t to;       // MODEL_MAIN or a model
    ensemble_place at;
} ensemble_trigger;

typedef struct world_ensemble {
    const ensemble_model *models;
    size_t model_count; // 0: there is no ensemble
    const ensemble_slot *slots;
    const int64_t *owners; // by slot, at the start: MODEL_MAIN or a model
    size_t slot_count;
    const ensemble_trigger *triggers;
    size_t trigger_count;
} world_ensemble;

// Leaves a model out: what it owns belongs to the main one and stays as it is at the start, what
// falls back to it falls back to the main one, its inputs to others stay as they are, none comes
// after it, and triggers that it tells or that give it something are gone. New arrays live in `a`.
void ensemble_drop_model(arena *a, world_ensemble *e, size_t model);
void ensemble_drop_trigger(arena *a, world_ensemble *e, size_t trigger);

#endif

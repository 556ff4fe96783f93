// projector/ensemble/ensemble_int.h - what the files of the ensemble share.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_ENSEMBLE_INT_H
#define FORESEE_PROJECTOR_ENSEMBLE_ENSEMBLE_INT_H

#include "projector/ensemble/conductor.h"
#include "schema/motion/keyframe.h"

// One model of the ensemble, and where it is in time.
typedef struct player {
    const ensemble_model *what;
    model *model;
    int64_t row; // MODEL record
    nanos time;  // up to which it has stepped
    bool busy;   // a step was posted: from `time` over `length`, due at `ready`
    nanos length, ready;
    bool cut;   // its last step ended where a trigger is woken, and not at a multiple of `every`
    bool waits; // the step is begun when it is due, since others come before it (`after`)
    nanos failed_at; // TIME_OPEN: it has not
    size_t owned;    // slots that it answers for now
    size_t carrier;  // of a model that binds: entity
} player;

typedef struct slot {
    double value;
    int64_t owner;  // MODEL_MAIN, or the number of a player
    bool given;     // a trigger has given it away in this step
    bool fresh;     // it was written, or its owner is another, since it was last logged
    nanos taken;    // when its owner got it in the middle of a step; TIME_OPEN: it did not
    int64_t row;    // ATTRIBUTE record; of a pose: BOND record
    int64_t answer; // RESPONSIBILITY record
    keyframe_value keys;
} slot;

// What may wake a trigger: told since the last step.
typedef struct told_event {
    int64_t model; // that told it; -1: the robot began an operation
    const char *name;
    int64_t object; // the operation's actuator, log id
} told_event;

// A hand, as the robot's gripper was read last.
typedef struct gripper_reading {
    int64_t gripper; // log id
    double opening, force, touches;
} gripper_reading;

// An object of the log.
typedef struct named_object {
    const char *name;
    int64_t id;
} named_object;

// A sink that passes on, and hears of operations and of readings.
typedef struct listener {
    sink sink; // first
    sink *to;
    conductor *conductor;
} listener;

struct conductor {
    const world_model *world;
    const world_ensemble *how;
    nanos step;
    sink *log;
    const int64_t *objects; // log ids, by body
    sim *world_now;         // NULL: nothing can be told of bodies
    conductor_poses poses;
    listener listener;
    player *players;    // as the section has the models
    size_t *order;      // their numbers as they write: after those that they come after
    slot *slots;        // as the section has them
    bool *held;         // by trigger: its comparison held in the last step
    int64_t *actuators; // by trigger: log id; 0: any
    ARRAY(told_event) told;
    bool hears_hands;             // something asks what grippers are read as
    ARRAY(named_object) grippers; // of the log
    gripper_reading *hands;       // by arm; NULL: nothing asks for them
    arena *names;                 // of operations
    arena *text;                  // of the records of one step
};

// ---- slots.c: who answers for what, and what it is ----------------------------------------------
// Puts the records of all slots at 0.
status slots_start(conductor *c, double tolerance, error *err);
const char *slots_owner_name(const conductor *c, int64_t owner);
// Whether a player is among those who may answer for a slot.
bool slots_gives(const conductor *c, int64_t player, size_t slot);
// The number that a player which may answer for the slot gives for it now.
double slots_given(const conductor *c, size_t player, size_t slot);
// The first of the numbers that a player which may answer for the slot gives for it; NULL: it may
// not.
double *slots_place(const conductor *c, int64_t player, size_t slot);
// Pose and velocity of a body's frame, as a port has them.
void slots_read_body(const conductor *c, size_t body, double *out);
// Gives a slot to a model from t on, with the value that it has; puts SWITCH, or why it is refused.
// With a pose go those of all bodies that have to be moved by the same model (poses_gather).
// `bound_to`: a list term of what the rule was bound to.
status slots_give(conductor *c, size_t slot, int64_t to, nanos t, const char *rule,
                  const char *bound_to, error *err);
// Takes what a model wrote for the slots that it answers for.
void slots_write(conductor *c, size_t player);
// Fills the inputs of a model.
void slots_read(const conductor *c, size_t player);
// Logs what is fresh: between two ticks of its model a value is taken to change evenly.
status slots_record(conductor *c, nanos t, error *err);
// Takes what the main model tells of bodies, as it is now.
void slots_look(conductor *c);
status slots_finish(conductor *c, error *err);
// Who a slot belongs to at the start: what a model that did not start was to own falls back.
int64_t slots_first_owner(const conductor *c, size_t slot);
// Poses and contents are given to who owns them at the start once all models are known.
bool slots_come_later(const ensemble_slot *what);
// Notes that such slots, of a model that did not start, fell back before it ever had them.
status slots_note_unstarted(conductor *c, size_t number, error *err);

// ---- poses.c: who answers for where a body is
// ---------------------------------------------------- Finds the carriers, and binds what is bound
// at the start.
status poses_start(conductor *c, error *err);
// Why the pose cannot go to a model now; NULL: it can.
const char *poses_refusal(conductor *c, size_t slot, int64_t to);
// Makes and ends bonds as the pose goes from one to another, and puts their records.
status poses_move(conductor *c, size_t slot, int64_t from, int64_t to, nanos t, error *err);
// Where the body of the slot is in the frame of the player's carrier.
pose poses_in_carrier(const conductor *c, size_t slot, size_t player);
// The body of the slot, which a model holds in a hand, is drawn to this place in the palm's frame.
void poses_draw(conductor *c, size_t slot, pose at);
// Why the body cannot begin or end to pass through the carrier of the model that answers for that.
const char *poses_pass_refusal(conductor *c, size_t slot, int64_t to);
// Lets it pass, or collide again, as `collision` goes from one model to another.
void poses_pass(conductor *c, size_t slot, int64_t from, int64_t to);
// What is no longer bound, since it or its carrier is gone, goes back to the main model.
status poses_look(conductor *c, nanos t, error *err);
// Whether the model moves bodies by laws of its own; the main one does not count.
bool poses_moves(const conductor *c, int64_t player);
// The slots that have to go to a model together with a pose, this one first: bodies that touch are
// simulated by one model. `all` has room for every slot. Why they cannot go; NULL: they can.
const char *poses_gather(conductor *c, size_t slot, int64_t to, size_t *all, size_t *count);
// Puts the bodies that a model moves where it has them, and tells their contacts.
void poses_write(conductor *c, size_t player);

// ---- contents.c: who answers for what a body contains -------------------------------------------
// E_INPUT: a model that moves particles is not connected to its carrier, or stepped otherwise.
status contents_check(conductor *c, const player *p, error *err);
// Hands over what models own at the start.
status contents_start(conductor *c, error *err);
// Why the particles cannot go to a model now; NULL: they can.
const char *contents_refusal(conductor *c, size_t slot, int64_t to);
status contents_move(conductor *c, size_t slot, int64_t from, int64_t to, nanos t, error *err);
// Puts the particles where a model has them, and what they exert on the body.
void contents_write(conductor *c, size_t slot, size_t player);
// What must not be with another model any longer goes back to the main one.
status contents_look(conductor *c, nanos t, error *err);

// ---- hands.c: grippers, as the robot reads them -------------------------------------------------
// Whether the world's section asks for any.
bool hands_are_asked(const world_ensemble *how);
// Takes what a record says of a gripper.
void hands_hear(conductor *c, const record *r);
// E_INPUT: the section names a hand that there is not.
status hands_start(conductor *c, error *err);
double hands_signal(const conductor *c, const ensemble_slot *what);

// ---- evaluators.c -------------------------------------------------------------------------------
// What the variables of a trigger are bound to while it is looked at; -1: nothing yet.
typedef struct found_bodies {
    int64_t body[ENSEMBLE_VARIABLES_MAX];
} found_bodies;
// Whether a condition holds now; one that finds a body binds its variable.
bool evaluators_hold(const conductor *c, const ensemble_condition *x, found_bodies *found);
// Whether a number is made of what a player answers for.
bool evaluators_read(const conductor *c, const ensemble_value *v, size_t player);
// E_INPUT: a condition names a hand that there is not.
status evaluators_check(const conductor *c, error *err);

// ---- triggers.c ---------------------------------------------------------------------------------
// Lets every trigger act that is woken at t, in the order of the file; forgets what was told.
status triggers_act(conductor *c, nanos t, error *err);
// Whether one acts by a comparison of what a player answers for.
bool triggers_look_at(const conductor *c, size_t player);
// Whether what a model gives now, written to its slots, would wake a trigger that looks at them.
bool triggers_would_wake(conductor *c, size_t player);

// ---- advance.c: one step of one model -----------------------------------------------------------
// A model that could answer for something and does not has nothing to do.
bool player_due(const player *p, nanos t);
// Begins the step of a model that is due at t; of one that comes after others, says when it ends.
// A step in the middle of which a trigger is woken ends there, if the model can be taken back.
status player_post(conductor *c, size_t number, nanos t, error *err);
// A model has failed: what it answers for goes to another as it last was, or the episode ends
// (E_DIVERGED).
status player_fail(conductor *c, size_t number, nanos t, const char *why, error *err);
// Completes the step of a model whose result is due at t, and takes what it tells.
status player_complete(conductor *c, size_t number, nanos t, error *err);

// ---- conductor.c --------------------------------------------------------------------------------
// Puts a row of what happened to a model; name, by and why may be NULL, `object` 0.
status player_note(conductor *c, const player *p, nanos t, const char *kind, const char *name,
                   int64_t object, const char *by, const char *why, error *err);

// ---- Models, one file each ----------------------------------------------------------------------
extern const model_class THERMAL_MODEL, GLASS_MODEL, GRASP_MONITOR_MODEL, RIGID_BIND_MODEL,
    FORCE_BIND_MODEL, SOCKET_MODEL, IN_HAND_MODEL, MUJOCO_MODEL, PARTICLES_MODEL;
// The bodies, of the world, that can move, and all that never moves, as a model of MuJoCo (MJCF);
// the geoms are called gENTITY_NUMBER, for who tells contacts. `contacts`: points that there is
// room for. The caller frees *xml. E_INPUT: a shape that MuJoCo cannot have.
status mjcf_write(const world_model *w, const size_t *bodies, size_t count, size_t contacts,
                  char **xml, error *err);
// E_INPUT: an event changes friction or what never moves, which a process that knows the world as
// it is at the start would not learn of.
status player_check_events(const model_setup *setup, error *err);
void player_free(model *m); // destroys a model that is one allocation

#endif

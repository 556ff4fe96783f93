// plans/plan.h - a loaded plan: immutable tree of constructs with their places and static paths.
//
// The scenario (`projection:`) stands apart from the body, so that planners edit only the body.
#ifndef FORESEE_PLANS_PLAN_H
#define FORESEE_PLANS_PLAN_H

#include "base/files/files.h"
#include "base/term/term.h"
#include "base/text/text.h"
#include "base/yaml/yaml_read.h"

typedef struct plan plan;
typedef struct plan_node plan_node; // plans/tree.h: for the interpreter and the checker

// The numbers that an argument of an action may be: an opening, a force, a height.
typedef struct plan_limit {
    const char *action, *key; // "open_gripper", "opening"
    const char *arm;          // NULL: it is no arm's
    double least, most;
    const char *unit;
} plan_limit;

// Names that exist in the scene, for the static checker. NULL lists are not checked.
typedef struct plan_names {
    const char *const *objects; // known bodies, regions, types: each NULL-terminated
    const char *const *bodies;  // all of the world, which the goals of the whole plan may name
    const char *const *regions;
    const char *const *types;
    const char *const *colors;  // that bodies can have
    const char *const *actions; // primitive actions
    const char *const
        *arguments; // of them: "detect.type", and "!navigate.to" where it must be given
    const char *const *failures;  // failure classes
    const char *const *parents;   // of each of them the class above it; NULL: none
    const char *const *places;    // properties that a description of a place may have: left_of, ...
    const char *const *signals;   // "navigate.action_timed_out": what an action itself can signal
    const char *const *functions; // of expressions; without arguments they look like symbols
    // Words of which only slips are told, for others may add to them.
    const char *const *conditions; // combinators, comparisons and occasions
    const char *const *calls;      // all functions of expressions
    const char *const *targets;    // "navigate.reach(Object)": what its argument may be
    const char *const *numbers;    // "speed > 0": arguments that are numbers, and their bounds
    // "grasp LIST top, rim, any": arguments that are one of some words (ONE), or also a list of
    // them.
    const char *const *words;
    const char *const *rows;  // "path [Seconds, X, Y, Z]": arguments that are lists of such rows
    const plan_limit *limits; // of the robot's own
    size_t limit_count;
    const plan_limit *bounds;      // of any robot; the last has no action; NULL: not known
    const char *const *told;       // "on/2": occasions that a step can assert; NULL: not known
    const char *const *stepwise;   // "on": occasions that only steps that look or act make true
    const char *const *properties; // of types and known bodies; NULL: there is no world
    const char *const *truths;     // of all bodies too, which goals of the whole plan may name
    const char *const *arms;       // the robot's, and its grippers
} plan_names;

// Reads the plan and the routines it names, all mistakes at once. `set`: scope "plan".
// `library`: folder of the shipped routines (routines are looked up beside the plan, then there).
// On OK the caller owns *out.
status plan_load(const char *path, const char *library, const settings *set, plan **out,
                 errors *list);
// Reads a plan so that all its mistakes can be reported at once: after mistakes *out holds what
// could be read (NULL where the file could not be read); it serves plan_check and the accessors
// alone, and the caller owns it as well. `names` (NULL: unknown): actions and arguments are used,
// to say of an action in a wrong form how it is written. A file of routines alone (`library:`) is
// read on its own, without a body; its goals may be achieved by routines of other files.
status plan_read(const char *path, const char *library, const settings *set,
                 const plan_names *names, plan **out, errors *list);
// Does the same with files in memory (`files` NULL: from the disk).
status plan_read_from(const file_set *files, const char *path, const char *library,
                      const settings *set, const plan_names *names, plan **out, errors *list);
// Does the same with the plan of another robot, which the log calls `name`: relative to the folder
// of the plan that names it. So are the routines that it names.
status plan_read_named(const file_set *files, const char *path, const char *name,
                       const char *library, const settings *set, const plan_names *names,
                       plan **out, errors *list);
// Checks everything that can be checked once the scene is known: objects, regions, actions, failure
// classes, variables.
status plan_check(const plan *p, const plan_names *names, errors *list);
// Warns of what is legal in a plan that was loaded and hardly meant: waits that may never end.
// `names`: its `stepwise` is used.
void plan_remarks(const plan *p, const plan_names *names, errors *warnings);
// Whether the world and the robot that the plan names are there, where they are not given
// otherwise: an error at the place that names one, with a file of that folder that was likely
// meant.
status plan_check_scene(const plan *p, bool world, bool robot, errors *list);
void plan_destroy(plan *p);

const char *plan_name(const plan *p);
const char *plan_world(
    const plan *p); // file of projection: world, resolved against the plan's folder; NULL: none
const char *plan_robot(const plan *p);
// One of several robots of `projection: robots`, in the order of the text.
typedef struct plan_member {
    const char *name;
    const char *robot;     // its file, resolved as plan_world
    const char *plan;      // the file of the plan that it runs, likewise; NULL: this one
    const char *plan_name; // the same relative to the plan's folder, as the log calls it
    pose at;               // where it starts
    settings set;          // its own, of the scopes plan and robot
    const char *file;      // where it is named
    int line, column;
} plan_member;
size_t plan_member_count(const plan *p); // 0: the projection has one robot
const plan_member *plan_member_at(const plan *p, size_t i);
// How messages travel between two of these robots, either way.
typedef struct plan_link {
    size_t a, b;          // members
    double delay, jitter; // s; each message is late by `delay` and up to `jitter` more
    double loss;          // probability
} plan_link;
bool plan_shares(const plan *p); // projection: share: all
// An operator's station, one of these robots, whose arms are coupled to those of another one.
typedef enum coupling_kind {
#define COUPLING(name, what) COUPLING_##name,
#include "plans/couplings.def"
#undef COUPLING
    COUPLING_COUNT
} coupling_kind;
const char *coupling_name(coupling_kind kind);
const char *coupling_words(coupling_kind kind); // what it does
bool coupling_find(const char *name, coupling_kind *out);
#define PLAN_BASE_STEP 0.005 // m/s, steps of the speed at which hands drive a base
typedef struct plan_coupling {
    size_t leader, follower; // members
    coupling_kind kind;
    double stiffness;           // N m/rad or N/m, of each joint of an arm
    double damping;             // ratio, against the inertia that the joint moves; 1: critical
    double force;               // N at the station's tool, of its motors on the operator at most
    double gain;                // share of the force that the operator is to feel
    double delay, jitter, loss; // of the link, each way
    bool assist;       // base_follows_hands: the operator's hands drive the follower's base
    double dead_zone;  // m that they may be ahead or behind without doing so
    double base_rate;  // m/s for each m beyond that
    double base_speed; // m/s at most
    bool twin;         // a model of the follower runs at the operator's side
    const char *file;  // where it is named
    int line, column;
} plan_coupling;
const plan_coupling *plan_coupled(const plan *p); // NULL: none is
// Whether the body has steps that one robot does alone (as: NAME).
bool plan_is_divided(const plan *p);
// Links that have traits of their own; of others nothing is lost, nor late.
size_t plan_link_count(const plan *p);
const plan_link *plan_link_at(const plan *p, size_t i);
const settings *plan_settings(const plan *p); // of projection: set
const parameters *plan_parameters(const plan *p);
typedef struct plan_source {
    const char *kind, *name, *text; // plan | routine; name relative to the plan's folder
    size_t length;
} plan_source;
size_t plan_source_count(const plan *p);
const plan_source *plan_source_at(const plan *p, size_t i);
// A part of a step as its file has it, with the plan's variables and the names of parameters: the
// goal under `achieve`, the variable under `into`, or an argument of an action under its name.
typedef struct plan_step_text {
    const char *file; // as plan_source names it
    const char *path; // static, from the root of the plan's body or of the routine
    const char *key, *text;
    int line; // of the step
} plan_step_text;
size_t plan_step_text_count(const plan *p);
const plan_step_text *plan_step_text_at(const plan *p, size_t i);
// The top goals as terms, as written (variables and a(Type) included).
const term *plan_goal(const plan *p); // a list; [] when the plan declares none

// Append the JSON Schema (draft 7) of plans and files of routines, and of files of edits. `names`:
// actions and arguments.
void schema_plan(const plan_names *names, text_buffer *out);
void schema_edits(const plan_names *names, text_buffer *out);

#endif

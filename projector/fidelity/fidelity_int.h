// projector/fidelity/fidelity_int.h - what the signallers and the helper of fidelity share.
#ifndef FORESEE_PROJECTOR_FIDELITY_FIDELITY_INT_H
#define FORESEE_PROJECTOR_FIDELITY_FIDELITY_INT_H

#include "projector/fidelity/fidelity.h"
#include "projector/world/levels.h"

// Why a body is raised or lowered: the name in the log of the rule that says so.
typedef enum rule {
    RULE_NONE,
#define RULE(id, name, doc) RULE_##id,
#include "projector/fidelity/rules.def"
#undef RULE
} rule;

// One body of the world: a tree of objects with one object.
typedef struct tree {
    fidelity_level level;  // as it was last put down
    fidelity_level wanted; // in this cycle
    rule why;              // it is wanted at full fidelity
    int64_t by;            // the entity that the rule is about; -1: none
    bool wake;             // raised, it is not to sleep
    bool settling;         // it stays full until it would have fallen asleep by itself
    bool hasty;            // it was lowered before it would have
    nanos hold;            // it is not lowered before
    size_t links;          // contacts that it had when it was lowered
    bool counted;          // `links` is known
    bool carried;          // it moves, is called for, or rests on what does
} tree;

// A part of space that calls for full fidelity.
typedef struct box {
    size_t entity;
    vec3 low, high;
} box;

struct fidelity {
    const world_model *world;
    const robot_model *robot;
    sim *sim;
    fidelity_notes notes;
    arena *text; // of the records of one cycle
    world_fidelity how;
    double near; // m, in this cycle
    size_t body_count, entity_count;
    tree *trees;    // by body
    int64_t parked; // the row of its level while the robot is parked; 0: it is not
    size_t lowered;
    ARRAY(box) boxes;   // in which things are near
    ARRAY(box) movers;  // what moves, and where it will come
    vec3 *last;         // by entity of the robot: low and high corner in the last cycle
    bool begun;         // `last` is filled
    bool lowering;      // something may still have to be lowered
    nanos raise_all_at; // when everything is raised next
    // Contacts of every body, others[first[b]] to others[first[b + 1]], as numbers of sim_contacts.
    size_t *first, *others, others_room;
    size_t *queue, *group; // scratch, by entity
    bool *held, *lively;   // scratch, by group: the robot touches it; something in it is awake
};

// ---- near.c: the signaller of the robot's surroundings ----------------------------------------
// Marks what is in or partly in the robot's inflated boxes, and what something in motion will meet
// within two cycles of `dt`. Returns whether anything moves.
bool near_signal(fidelity *f, nanos dt);
// Whether a body is wholly outside of all boxes, by `more` metres.
bool near_is_clear(const fidelity *f, size_t body, double more);

// ---- rest.c: the signallers of what rests on what ----------------------------------------------
// Sets up the contacts that the others look at.
void rest_look(fidelity *f);
// Marks all that rests on what moves or is called for, however far that has to be followed.
void rest_signal_carried(fidelity *f);
// Marks lowered bodies whose load would make them slip or tip.
void rest_signal_loaded(fidelity *f, nanos t);
// Marks lowered bodies that may no longer be at rest; with `all` every heap, too, in which
// something is awake.
void rest_signal_unsettled(fidelity *f, bool all);
// Whether all that it touches is lowered or fixed.
bool rest_is_inside(const fidelity *f, size_t body);

// ---- fidelity.c ---------------------------------------------------------------------------------
bool tree_is_managed(const fidelity *f, size_t body);
// The body is wanted at full fidelity, for the first reason that is given.
void tree_want(fidelity *f, size_t body, rule why, int64_t by);

#endif

// scene/world/ensemble_int.h - what the files share that read the section `ensemble` of a world.
#ifndef FORESEE_SCENE_WORLD_ENSEMBLE_INT_H
#define FORESEE_SCENE_WORLD_ENSEMBLE_INT_H

#include "scene/world/world_int.h"

// What a name of the section `evaluators` stands for: one of the three.
typedef struct evaluator {
    const char *name;
    const ensemble_value *value;
    const ensemble_finder *finder;
    const ensemble_condition *conditions;
    size_t count;
} evaluator;

// The section while it is read.
typedef struct ensemble_reading {
    world_parts *w;
    ARRAY(ensemble_model) models;
    ARRAY(const ynode *) nodes; // of the models
    ARRAY(ensemble_slot) slots;
    ARRAY(int64_t) owners;
    ARRAY(evaluator) evaluators;
    ARRAY(ensemble_trigger) triggers;
} ensemble_reading;

// ---- ensemble.c ---------------------------------------------------------------------------------
ensemble_place ensemble_place_of(const ynode *n);
bool ensemble_is_mapping(ensemble_reading *r, const ynode *n, const char *what); // else reported
void *ensemble_moved(arena *a, const void *items, size_t count, size_t size);    // a copy in `a`
// Finds attribute(body) among the slots; where `add`, it becomes one. -1: reported.
int64_t ensemble_find_slot(ensemble_reading *r, const ynode *n, const term *t, bool add);
int64_t ensemble_read_slot(ensemble_reading *r, const ynode *n, const char *what, bool add);
bool ensemble_gives(const ensemble_model *m, int64_t slot); // whether it is among its outputs
// The number of a model, MODEL_MAIN for the main one. False: reported.
bool ensemble_find_model(ensemble_reading *r, const ynode *n, const char *name, int64_t *out);

// ---- evaluators.c -------------------------------------------------------------------------------
void ensemble_read_evaluators(ensemble_reading *r, const ynode *map);
bool ensemble_is_comparison(const term *t);
bool ensemble_read_comparison(ensemble_reading *r, const ynode *n, const term *t,
                              ensemble_condition *out); // false: reported
// The conjunction `t`, whose variables become those of `with` (NULL: it may have none).
void ensemble_read_conditions(ensemble_reading *r, const ynode *n, const term *t,
                              ensemble_trigger *with, const ensemble_condition **out,
                              size_t *count);

// ---- triggers.c ---------------------------------------------------------------------------------
void ensemble_read_trigger(ensemble_reading *r, const ynode *n);

#endif

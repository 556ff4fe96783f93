// tests/ensemble/ensemble_text.h - worlds with two cups and a section `ensemble`.
#ifndef FORESEE_TESTS_ENSEMBLE_ENSEMBLE_TEXT_H
#define FORESEE_TESTS_ENSEMBLE_ENSEMBLE_TEXT_H

#include "tests/scene/world_text.h"

// Lines 1 to 6; the section's first is line 6.
#define CUPS                                                                                       \
    "world: w\nbodies:\n  cup: { mass: 1, shapes: [ { sphere: 0.1 } ] }\n"                         \
    "  mug: { mass: 1, at: [1, 0, 0], shapes: [ { sphere: 0.1 } ] }\n"                             \
    "ensemble:\n"
#define COOLS(name, more)                                                                          \
    "    " name ": { class: thermal, start: 350, time_constant: 20, "                              \
    "inputs: { ambient: 293 }, outputs: { temperature(cup): temperature }, " more " }\n"

#endif

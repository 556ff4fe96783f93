// report/compare/compare.h - how far an episode that was simulated less finely is from the same one
// at full fidelity.
//
// Differences do not say much by themselves, since physics in contact is chaotic: so a third
// episode, the floor, may stand beside, at full fidelity, with something nudged.
#ifndef FORESEE_REPORT_COMPARE_H
#define FORESEE_REPORT_COMPARE_H

#include "base/text/text.h"
#include "report/ask.h"
#include "report/diagnosis/diagnosis.h"

typedef enum compare_measure {
#define MEASURE(id, name, unit, bound, kind, doc) COMPARE_##id,
#include "report/compare/measures.def"
#undef MEASURE
    COMPARE_MEASURES
} compare_measure;

// What pairs of episodes differ by, from {0} on.
typedef struct comparison {
    double sum[COMPARE_MEASURES], most[COMPARE_MEASURES];
    size_t pairs;
    int64_t touched; // lowered bodies that the robot touched, in all second episodes
} comparison;

// Adds a pair: an episode at full fidelity, and one to be compared with it. All is borrowed.
status compare_add(comparison *c, ask *full, const diagnosis *full_flaws, ask *managed,
                   const diagnosis *managed_flaws, error *err);
double compare_value(const comparison *c,
                     compare_measure m); // in the measure's unit, shares as such
// Whether every measure is within its bound, and the robot touched nothing that was lowered.
bool compare_alike(const comparison *c);
// `floor` NULL: there is none.
void compare_text(const comparison *c, const comparison *floor, text_buffer *out);
void compare_json(const comparison *c, const comparison *floor, text_buffer *out);

#endif

// report/mending/story.h - what was done to mend a plan, and why, as text and as JSON.
//
// Owns:      its arrays, freed by story_finish; texts are those of whoever fills it.
#ifndef FORESEE_REPORT_MENDING_STORY_H
#define FORESEE_REPORT_MENDING_STORY_H

#include <stdbool.h>

#include "base/mem.h"
#include "base/text/text.h"
#include "report/evidence/paired.h"

typedef enum story_outcome {
    STORY_OPEN,      // interrupted
    STORY_NOTHING,   // the plan succeeds often enough as it is
    STORY_MENDED,    // the new plan does, and is better on seeds that were not used to choose it
    STORY_BETTER,    // it is better, and does not succeed often enough
    STORY_UNDECIDED, // whether what was chosen is better cannot be told within the budget
    STORY_WORSE,     // what was chosen is worse on the other seeds
    STORY_NO_EDIT,   // nothing that is suggested helps
    STORY_SPENT // nothing that was tried helps, and the budget ended before all of it was tried
} story_outcome;

// Edits that were tried on a version of the plan.
typedef struct story_try {
    const char *rule, *in_few;
    const char *impossible;   // why they cannot be made; NULL: they were
    bool before;              // the same plan was tried before, and not again
    int64_t seeds, succeeded; // projections with it, and how many succeeded
    int64_t lacks;            // projections that the budget did not allow
    double cut_off;           // s at which that of the round's seed was cut off; 0: it was not
    bool gone;                // the flaw does not show with the seed of the round
    const char *instead, *instead_path; // the root that then fails it; NULL: none does
    bool kept;
} story_try;
// What fails a version most often, and what was tried against it.
typedef struct story_round {
    const char *on;          // rules of edits that are tried and not kept yet; NULL: none
    const char *flaw, *path; // path "": it has no step
    const char *sentence;    // of the flaw
    const char *limit;       // what no edit changes; NULL: nothing is known
    int64_t count, failed;   // failed projections that show it, of how many
    int64_t seed, episode;   // the first of them
    ARRAY(story_try) tries;
    bool spent; // the budget ended the round
} story_round;
typedef struct story_edit { // edits that were kept, or kept and then undone
    const char *rule, *in_few, *flaw;
    const char *edits; // as JSON
    const char *left;  // what of them is made in the new plan: all, or what the others need
    bool undone;
    const char *why; // why they were undone, or not; NULL: it was not tried
} story_edit;

typedef struct story {
    const char *plan, *output, *log;
    story_outcome outcome;
    int64_t first_seed, seeds; // used to choose
    int64_t answered;          // of these: the plan was projected, all of them but when interrupted
    int64_t cut_off;           // of those: they were running still at `until`
    int64_t before, after;     // of those: the plan succeeded, what was chosen did
    double until;              // s, at which every projection was cut off; 0: it was not asked for
    int64_t projections, budget;
    int64_t budget_needed; // STORY_SPENT: the least with which what is left would be tried
    double enough;         // the rate at which a plan is mended
    ARRAY(story_round) rounds;
    ARRAY(story_edit) edits;
    bool judged;
    int64_t judged_first, judged_seeds;
    paired_counts pairs; // a: what was chosen, b: the plan, over these seeds
    bool written;
} story;

void story_finish(story *s);
// Returns the name of the outcome, as JSON has it.
const char *story_outcome_name(story_outcome o);
// Appends the last sentence of the story: what came of it, and why.
void story_sentence(const story *s, text_buffer *out);
void story_text(const story *s, text_buffer *out);
void story_json(const story *s, text_buffer *out);

#endif

// report/diagnosis/verify.h - what re-runs of an episode say of a flaw's cause.
//
// A suspected cause is taken away and the episode run again from the same seed. `verified`: the
// flaw is gone then, though the re-run came to its step or did well, and still there in at least 4
// of 5 placebo re-runs, in which nothing but the draws of an unrelated stream of noise are others.
// `refuted`: it is still there with the cause taken away. `untestable`: nothing that can be taken
// away is known, or it cannot be. `unverified`: placebos lose the flaw as well, so that its being
// gone says little, or re-runs gave no answer.
//
// Two flaws of different runs are the same one when they have the same name and the same body (the
// first of each), or come from the same piece of the plan (static path). Times play no part: with
// other noise the same thing happens earlier or later.
#ifndef FORESEE_REPORT_VERIFY_H
#define FORESEE_REPORT_VERIFY_H

#include "report/diagnosis/diagnosis.h"

enum { VERIFY_PLACEBOS = 5, VERIFY_STILL = 4 };

typedef struct suspicion {
    size_t flaw;                // of the diagnosis
    const term *const *changes; // each is what a re-run takes away, the narrowest first
    size_t change_count;        // 0: nothing is known
    const char *stream;         // of the placebos
} suspicion;
typedef ARRAY(suspicion) suspicions;

// One for each root, from flaw_intervention and flaw_placebo of the rules (a name without one gets
// the laser; a sense that the episode never read is replaced by the encoders). Changes come in the
// order of interventions.def, which has edits of the plan last; a list of changes, made together,
// where its last would. `instead` (NULL: none) is suspected of every root in place of its own.
// Terms live in `memory`.
status verify_suspect(ask *a, const diagnosis *d, const term *instead, arena *memory,
                      suspicions *out, error *err);
// Whether the flaw shows in a diagnosis of another run.
bool verify_shows(const diagnosis *d, const flaw *f);
// Whether it could have shown in the run that `a` asks, made with this change: that succeeded, or
// went through the flaw's step to its end or for as long as it took the flaw to show, or through
// the plan's own step around it to the end. *why_not: NULL, or why its not showing says nothing:
// the run never came that far, or the change is to the plan and takes the step itself out of it.
status verify_could(ask *a, const flaw *f, const term *change, const char **why_not, error *err);
// Of what the re-runs gave; `answered`: the one with the change made did.
const char *verify_verdict(const flaw_verification *v, bool answered);

#endif

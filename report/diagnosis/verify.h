// report/diagnosis/verify.h - tests the suspected cause of a flaw by re-runs of its episode.
//
// A re-run starts from the same seed, with the suspected cause taken away. The verdict is
// `verified`: the flaw is absent from that re-run, which reached the step of the flaw or succeeded,
// and present in at least 4 of 5 placebo re-runs. In a placebo re-run only the draws of an
// unrelated stream of noise differ.
// `refuted`: the flaw is present although the cause was taken away.
// `untestable`: no intervention is known that takes the cause away, or it cannot be made.
// `unverified`: placebos lose the flaw as well, so that its absence proves little; or the re-runs
// gave no answer.
//
// Flaws of two runs are the same flaw if they have the same name and the same first body, or belong
// to the same step of the plan (its static path). Times are not compared: with other noise the same
// flaw shows earlier or later.
#ifndef FORESEE_REPORT_VERIFY_H
#define FORESEE_REPORT_VERIFY_H

#include "report/diagnosis/diagnosis.h"

enum { VERIFY_PLACEBOS = 5, VERIFY_STILL = 4 };

typedef struct suspicion {
    size_t flaw;                // index in the diagnosis
    const term *const *changes; // alternative interventions for re-runs, the narrowest first
    size_t change_count;        // 0: no intervention is known
    const char *stream;         // stream of noise that the placebos draw anew
} suspicion;
typedef ARRAY(suspicion) suspicions;

// Collects a suspicion for each root, from flaw_intervention and flaw_placebo of the rules. The
// stream of a kind of flaw without flaw_placebo is the laser's; a sense that the episode never read
// is replaced by the encoders. Changes are sorted as interventions.def lists them, edits of the
// plan last; a list of changes that are made together stands where its last one would. `instead`
// (NULL: none) replaces the suspected causes of every root. Terms live in `memory`.
status verify_suspect(ask *a, const diagnosis *d, const term *instead, arena *memory,
                      suspicions *out, error *err);
// Returns whether another run's diagnosis shows the flaw.
bool verify_shows(const diagnosis *d, const flaw *f);
// Finds out whether the re-run that `a` asks, in which `change` was made, could have shown the
// flaw: it succeeded; or it carried the flaw's step out to the end, or for as long as the flaw took
// to show; or it carried out to the end the step of the plan's own file around that step. *why_not
// is NULL then; otherwise it says why the absence of the flaw proves nothing: the re-run never
// reached the step, or the change removes the step from the plan.
// `ruins`: the plan failed of the flaw; then a re-run that fails in the plan's own step around it
// all the same proves nothing either, unless it achieved the goal that had failed of it.
status verify_could(ask *a, const flaw *f, const term *change, bool ruins, const char **why_not,
                    error *err);
// Returns whether the plan failed of the flaw: a goal that was not achieved, or the failure that
// ended the plan, follows from it.
bool verify_ruins(const diagnosis *d, const flaw *f);
// Returns the verdict on the counts of a verification. `answered`: the re-run with the intervention
// gave an answer.
const char *verify_verdict(const flaw_verification *v, bool answered);

#endif

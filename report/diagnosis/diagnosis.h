// report/diagnosis/diagnosis.h - the flaws of an episode: what went wrong, what followed from it
// and why; and what the log cannot tell.
//
// Owns:      everything that it hands out; freed with the diagnosis.
// Reads:     one episode through the query engine, and the rule files. Nothing else.
#ifndef FORESEE_REPORT_DIAGNOSIS_H
#define FORESEE_REPORT_DIAGNOSIS_H

#include "report/ask.h"
#include "base/text/text.h"

typedef struct diagnosis diagnosis;

typedef struct flaw_place {         // a place in the plan or in a library
    const char *path, *expr, *file; // NULL: unknown
    int64_t line;                   // 0: unknown
} flaw_place;
typedef struct flaw_task {
    int64_t id;  // from 1 within the episode; 0: none
    int64_t row; // in the log's table of tasks
    flaw_place at;
    flaw_place call;  // for a step in a library: the step of the plan's own file that it serves
    flaw_place goal;  // the nearest achieve step that failed: itself, or above it, up to `call`
    nanos start, end; // of a task that never ended: the episode's end
} flaw_task;
typedef struct flaw_evidence {
    const char *name;
    const term *value;
    bool is_time; // the value is an instant of the episode
} flaw_evidence;
// What projections say of a suggestion: the plan with it and without it, over the same seeds.
typedef struct flaw_trial {
    int64_t first_seed, seeds;          // of which ...
    int64_t answered;                   // ... both projections gave an answer; and of these:
    int64_t with, without;              // the plan succeeded with the edits, without them
    int64_t mended, broken;             // with them alone, without them alone
    int64_t shows, shows_without;       // the flaw shows
    const char *instead, *instead_path; // the most frequent root that fails it with the edits
    int64_t instead_count, instead_seed;
    const char *impossible; // why the edits cannot be made; NULL: they were
} flaw_trial;
typedef struct flaw_suggestion {
    const char *rule;        // name of the transformation of the plan
    const char *edits;       // as JSON, in the form that `foresee edit` takes
    const term *as;          // the same edits as the term that the rules gave
    const char *in_few;      // "wrap tidy/put_down, set lift_height to 0.05"
    bool projected;          // it sets a key under projection:, in the episode's own plan
    const flaw_trial *trial; // NULL: it was not tried
} flaw_suggestion;
// The outcome of re-runs that tested the cause of a flaw (verify.h).
typedef struct flaw_verification {
    const char *change;  // the intervention that was made, as a term; NULL: the flaw has none
    const char *stream;  // stream of noise that the placebos draw anew
    bool gone;           // the flaw is absent where the intervention was made
    int placebos, still; // how many placebos gave an answer, and how many of those show the flaw
    const char *note;    // why there is no verdict, as a sentence; NULL: nothing to say
} flaw_verification;
typedef struct flaw {
    int64_t id;       // from 1, in order of time
    const char *name; // kind of the flaw: slipped, ...
    const term *term; // the whole flaw
    bool root, recovered;
    nanos start, end;
    const char *agent; // NULL: unknown
    const char
        *whose; // the robot of the task, where there are several; NULL: unknown, or the only one
    const char *plan; // the file of the plan that this robot runs, as the log has it; NULL: unknown
    flaw_task task;
    const int64_t *causes; // ids of the flaws that directly explain this one
    size_t cause_count;
    const char *const *bodies;
    size_t body_count;
    const flaw_evidence *evidence;
    size_t evidence_count;
    const flaw_suggestion *suggests;
    size_t suggest_count;
    const char *limit;   // what stands behind it that no edit of the plan changes; NULL: unknown
    const char *doubt;   // what of it was below full fidelity, "cup_1 (standing)"; NULL: nothing
    const char *verdict; // unverified, verified, refuted, untestable
    const flaw_verification *verification; // NULL: no re-run was made
} flaw;
// The file that the edits of its i-th suggestion are made in. NULL: the plan that names world and
// robots.
static inline const char *flaw_edits_file(const flaw *f, size_t i) {
    return f->suggests[i].projected ? NULL : f->plan;
}
// A question that the log cannot answer.
typedef struct diagnosis_gap {
    const char *about; // goals, flaws, tasks, seeing, beliefs, log, ...
    const char *text;  // a sentence
} diagnosis_gap;

// Diagnoses the episode that `a` is opened on; a flaw that a more specific one supersedes is left
// out. On OK the caller owns *out, which holds nothing of `a`.
status diagnosis_create(ask *a, diagnosis **out, error *err);
// Returns the diagnosis of a log that holds no episode: no flaw, and nothing is known.
diagnosis *diagnosis_of_nothing(const char *log);
void diagnosis_destroy(diagnosis *d); // NULL is a no-op

size_t diagnosis_count(const diagnosis *d);
const flaw *diagnosis_flaw(const diagnosis *d, size_t i);
// Returns whether the episode ran to its end and its log lacks nothing that it should hold.
bool diagnosis_complete(const diagnosis *d);
// Adds a gap; both texts are copied. `whole`: the diagnosis is not complete because of it.
void diagnosis_add_gap(diagnosis *d, const char *about, const char *text, bool whole);
// Sets the name of the log, as the user gave it, where another file was read in its place.
void diagnosis_name_log(diagnosis *d, const char *log);
// Sets the files of rules that the user gave beside the shipped ones, for what is printed to be
// pasted.
void diagnosis_name_rules(diagnosis *d, const char *const *files, size_t count);
// The plans that the robots run, each once, the first robot's first. Gives the name of the i-th,
// and its text in *text, as the log has them; NULL: the log has none.
size_t diagnosis_plan_count(const diagnosis *d);
const char *diagnosis_plan_name(const diagnosis *d, size_t i, const char **text);
// Sets where the i-th plan lies, seen from the current folder. `changed`: the text of that file
// differs from the text that the episode ran.
void diagnosis_find_plan(diagnosis *d, size_t i, const char *file, bool changed);
// Mistakes in the rules' own answers, such as a suggestion that is no edit, each once; they are
// meant for the author of the rules.
size_t diagnosis_notes(const diagnosis *d);
const char *diagnosis_note(const diagnosis *d, size_t i);
// Sets the verdict of re-runs on the i-th flaw; the verdict and the verification are copied.
void diagnosis_judge(diagnosis *d, size_t i, const char *verdict, const flaw_verification *v);

// Sets what projections say of a suggestion, the k-th of the i-th flaw; it is copied.
void diagnosis_try(diagnosis *d, size_t i, size_t k, const flaw_trial *t);
// Returns the verdict on a trial: mends (at least nine of ten succeed, and more than without),
// helps (more succeed), not_enough (as many succeed, and the flaw shows more rarely),
// does_nothing, worse (fewer succeed), impossible, unknown (no answer).
const char *trial_verdict(const flaw_trial *t);

// Writes the sentence of a flaw, with its bodies and evidence filled in.
void diagnosis_sentence(const diagnosis *d, const flaw *f, text_buffer *out);
// Writes the diagnosis for people: roots with their consequences, then the flaws that the robot
// recovered from. With `color` the text has the styles of a terminal, whose `columns` it fits; 0:
// lines are as long as they are.
void diagnosis_text(const diagnosis *d, bool color, size_t columns, text_buffer *out);
// Writes the diagnosis as one JSON object.
void diagnosis_json(const diagnosis *d, text_buffer *out);
// Returns whether a file with these first bytes holds a diagnosis, in any form. The first
// DIAGNOSIS_BEGINNING bytes are enough.
enum { DIAGNOSIS_BEGINNING = 1024 };
bool diagnosis_begins(const char *text, size_t length);

#endif

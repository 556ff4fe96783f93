// report/diagnosis/diagnosis.h - the flaws of an episode: what went wrong, what followed from it,
// and why; and what cannot be known of it.
//
// Owns:      everything that it hands out; freed with the diagnosis.
// Reads:     one episode through the query engine, and the rule files. Nothing else.
#ifndef FORESEE_REPORT_DIAGNOSE_H
#define FORESEE_REPORT_DIAGNOSE_H

#include "report/ask.h"
#include "base/text/text.h"

typedef struct diagnosis diagnosis;

typedef struct flaw_place {         // in the plan or in a library
    const char *path, *expr, *file; // NULL: unknown
    int64_t line;                   // 0: unknown
} flaw_place;
typedef struct flaw_task {
    int64_t id;  // from 1 within the episode; 0: none
    int64_t row; // in the log's table of tasks
    flaw_place at;
    flaw_place call;  // of a step in a library: the step of the plan's own file that it serves
    nanos start, end; // one that never ended: the episode's end
} flaw_task;
typedef struct flaw_evidence {
    const char *name;
    const term *value;
    bool is_time; // an instant of the episode
} flaw_evidence;
typedef struct flaw_suggestion {
    const char *rule;   // name of the transformation
    const char *edits;  // JSON, as `foresee edit` takes it
    const term *as;     // the same as the rules have it
    const char *in_few; // "wrap tidy/put_down, set lift_height to 0.05"
} flaw_suggestion;
// What re-runs of the episode said of a flaw.
typedef struct flaw_verification {
    const char *change;  // what was taken away, as a term; NULL: the flaw has no intervention
    const char *stream;  // of the placebos
    bool gone;           // the flaw does not show with the change made
    int placebos, still; // re-runs with other draws of the stream; those of them that show the flaw
    const char *note;    // why there is no verdict; NULL: nothing to say
} flaw_verification;
typedef struct flaw {
    int64_t id;       // from 1, in order of time
    const char *name; // slipped, ...
    const term *term; // the whole flaw
    bool root, recovered;
    nanos start, end;
    const char *agent; // NULL: unknown
    flaw_task task;
    const int64_t *causes; // ids of the flaws that explain it directly
    size_t cause_count;
    const char *const *bodies;
    size_t body_count;
    const flaw_evidence *evidence;
    size_t evidence_count;
    const flaw_suggestion *suggests;
    size_t suggest_count;
    const char *verdict;                   // unverified, verified, refuted, untestable
    const flaw_verification *verification; // NULL: no re-run was made
} flaw;
// Something that the log cannot tell.
typedef struct diagnosis_gap {
    const char *about; // goals, flaws, tasks, seeing, beliefs, log, ...
    const char *text;  // a sentence
} diagnosis_gap;

// Diagnoses the episode that `a` asks: flaws that no more specific name supersedes. On OK the
// caller owns *out, which holds nothing of `a`.
status diagnosis_make(ask *a, diagnosis **out, error *err);
// Of a log that holds no episode: no flaw, and nothing is known.
diagnosis *diagnosis_of_nothing(const char *log);
void diagnosis_free(diagnosis *d); // NULL is a no-op

size_t diagnosis_count(const diagnosis *d);
const flaw *diagnosis_flaw(const diagnosis *d, size_t i);
// succeeded, failed, invalid, incomplete, unjudged
const char *diagnosis_outcome(const diagnosis *d);
// It ran to its end, and nothing that it should hold is missing.
bool diagnosis_complete(const diagnosis *d);
size_t diagnosis_gaps(const diagnosis *d);
diagnosis_gap diagnosis_gap_at(const diagnosis *d, size_t i);
// Adds what the log cannot tell; both texts are copied. `whole`: the diagnosis is not complete.
void diagnosis_add_gap(diagnosis *d, const char *about, const char *text, bool whole);
// Names the log as it was given, where another file stands for it.
void diagnosis_name_log(diagnosis *d, const char *log);
// The plan's name and its text, as the log has them; NULL: it has none.
const char *diagnosis_plan(const diagnosis *d, const char **text);
// Where the plan lies, seen from the folder that the reader is in. `changed`: its text is another
// than that of the episode.
void diagnosis_name_plan(diagnosis *d, const char *file, bool changed);
// What is wrong with the rules' own answers (a suggestion that is no edits), once for each: for
// whoever wrote them.
size_t diagnosis_notes(const diagnosis *d);
const char *diagnosis_note(const diagnosis *d, size_t i);
// Sets what re-runs made of the i-th flaw; both are copied.
void diagnosis_judge(diagnosis *d, size_t i, const char *verdict, const flaw_verification *v);

// For people: roots with their consequences, then what was recovered. With `color`, for a terminal.
void diagnosis_text(const diagnosis *d, bool color, text_buffer *out);
// One JSON object.
void diagnosis_json(const diagnosis *d, text_buffer *out);
// Whether a file that begins so holds a diagnosis, in any form. Its first KB tells.
enum { DIAGNOSIS_BEGINNING = 1024 };
bool diagnosis_begins(const char *text, size_t length);

#endif

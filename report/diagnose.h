// report/diagnose.h - the flaws of an episode: what went wrong, what followed from it, and why.
//
// Owns:      everything that it hands out; freed with the diagnosis.
// Reads:     one episode through the query engine, and the rule files. Nothing else.
#ifndef FORESEE_REPORT_DIAGNOSE_H
#define FORESEE_REPORT_DIAGNOSE_H

#include "report/ask.h"
#include "report/text.h"

typedef struct diagnosis diagnosis;

typedef struct flaw_task {
    int64_t id; // from 1 within the episode; 0: none
    const char *path, *expr, *file;
    int64_t line;
} flaw_task;
typedef struct flaw_evidence {
    const char *name;
    const term *value;
} flaw_evidence;
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
} flaw;

// Diagnoses the episode that `a` asks. On OK the caller owns *out, which holds nothing of `a`.
status diagnosis_make(ask *a, diagnosis **out, error *err);
void diagnosis_free(diagnosis *d); // NULL is a no-op

size_t diagnosis_count(const diagnosis *d);
const flaw *diagnosis_flaw(const diagnosis *d, size_t i);
const char *diagnosis_outcome(const diagnosis *d); // succeeded, failed, invalid, incomplete
bool diagnosis_complete(const diagnosis *d);

// For people: roots with their consequences, then what was recovered. With `color`, for a terminal.
void diagnosis_text(const diagnosis *d, bool color, text_buffer *out);
// One JSON object.
void diagnosis_json(const diagnosis *d, text_buffer *out);

#endif

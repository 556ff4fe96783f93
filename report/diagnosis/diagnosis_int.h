// report/diagnosis/diagnosis_int.h - what a diagnosis holds, for the files that write it.
#ifndef FORESEE_REPORT_DIAGNOSE_INT_H
#define FORESEE_REPORT_DIAGNOSE_INT_H

#include "report/diagnosis/diagnosis.h"

typedef struct diagnosis_source { // a file that was read for the episode
    const char *name, *text;
} diagnosis_source;
typedef struct evidence_unit {
    const char *ending, *unit;
    double scale;
} evidence_unit;

struct diagnosis {
    arena *arena;
    const char *log, *plan, *outcome; // plan NULL: unknown
    const char *plan_file;            // where the plan was found; NULL: nowhere
    bool plan_changed;                // since the episode
    int64_t episode, seed;            // episode 0: the log holds none
    nanos end;
    bool complete;
    ARRAY(flaw) flaws;
    ARRAY(diagnosis_gap) gaps;
    ARRAY(const char *) notes;
    ARRAY(diagnosis_source) sources;
    ARRAY(evidence_unit) units;
    symtab *objects;        // names, in the order of the log
    symtab *named;          // names of flaws that have a sentence, and
    const char **sentences; // these
};

// ---- Words (words.c)
// The flaw as a sentence, its bodies and evidence filled in.
void words_sentence(const diagnosis *d, const flaw *f, text_buffer *out);
// A piece of evidence's value, with its unit.
void words_value(const diagnosis *d, const flaw_evidence *e, text_buffer *out);
// "fall speed" of fall_speed.
void words_key(const char *key, text_buffer *out);
// "to 8.31 s", "at 3.20 s".
void words_time(const flaw *f, text_buffer *out);
// What a reader cares for first: numbers with a threshold, then others; the value that one is held
// against, NULL: none. Returns the number of keys in `order`, which has room for all of them.
size_t words_evidence(const flaw *f, const flaw_evidence **order);
const flaw_evidence *words_threshold(const flaw *f, const flaw_evidence *e);
// What became of the episode, in a sentence.
void words_outcome(const diagnosis *d, text_buffer *out);
// What re-runs said; nothing where none was made.
void words_verdict(const flaw *f, text_buffer *out);
// Where the mended plan belongs: beside the plan, which names its world and its routines from
// there.
const char *words_mended(const diagnosis *d, arena *a);
// How a change of the plan reads: "insert before tidy/put_down, set lift_height to 0.05".
const char *words_edits(arena *a, const term *edits);

// ---- The plan's text (source.c)
// Lines of a file from `first` to `last`, `at` among them: the step that begins there, with a line
// before it. False: the log does not have that file.
typedef struct quote {
    const char *text;        // where line `first` begins
    int64_t first, at, last; // counted from 1
    size_t indent;           // blanks that all of them begin with
} quote;
bool source_quote(const diagnosis *d, const flaw_place *p, quote *out);
// The length of the line at `text`, and where the next begins; NULL: nowhere.
size_t source_line(const char *text, const char **next);

// ---- What cannot be known (gaps.c)
status gaps_collect(ask *a, diagnosis *d, error *err);

#endif

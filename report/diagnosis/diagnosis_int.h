// report/diagnosis/diagnosis_int.h - the contents of a diagnosis, for the files that collect and
// write it.
#ifndef FORESEE_REPORT_DIAGNOSIS_INT_H
#define FORESEE_REPORT_DIAGNOSIS_INT_H

#include "base/symtab.h"
#include "report/diagnosis/diagnosis.h"

typedef struct diagnosis_source { // a file that was read to project the episode
    const char *name, *text;
} diagnosis_source;
typedef struct diagnosis_plan { // a plan's own file, which one or more of the robots run
    const char *name, *text;    // as the log has them; text NULL: unknown
    const char *root;           // what places in it are called by; NULL: there is no task
    const char *robot;          // the first that runs it; NULL: unknown
    const char *file;           // where it was found on disk; NULL: nowhere
    bool changed;               // whether that file has changed since the episode
} diagnosis_plan;
typedef struct evidence_unit {
    const char *ending, *unit;
    double scale;
} evidence_unit;

struct diagnosis {
    arena *arena;
    const char *log, *plan, *outcome; // plan NULL: unknown
    const char **rules;               // files beside the shipped ones
    size_t rule_count;
    int64_t episode, seed; // episode 0: the log holds none
    nanos end;
    bool complete;
    ARRAY(flaw) flaws;
    ARRAY(diagnosis_gap) gaps;
    ARRAY(const char *) notes;
    ARRAY(diagnosis_source) sources;
    ARRAY(diagnosis_plan) plans; // the first robot's first
    ARRAY(evidence_unit) units;
    symtab *objects;        // names of objects, in the order of the log
    symtab *named;          // names of the kinds of flaws that have a sentence
    const char **sentences; // their sentences, in the same order
};

// ---- Words (words.c)
// Writes the flaw as a sentence, with its bodies and evidence filled in.
void words_sentence(const diagnosis *d, const flaw *f, text_buffer *out);
// Writes the value of a piece of evidence with its unit.
void words_value(const diagnosis *d, const flaw_evidence *e, text_buffer *out);
// Writes the name of a piece of evidence in words: "fall speed" for fall_speed.
void words_key(const char *key, text_buffer *out);
// Writes the time of a flaw: "to 8.31 s", "at 3.20 s".
void words_time(const flaw *f, text_buffer *out);
// words_evidence puts the evidence into `order`, which has room for all of it, in the order in
// which readers want it: numbers with a threshold, then others. It returns how many pieces of
// evidence there are without thresholds; words_threshold returns the threshold of such a number;
// NULL: it has none.
size_t words_evidence(const diagnosis *d, const flaw *f, const flaw_evidence **order);
const flaw_evidence *words_threshold(const flaw *f, const flaw_evidence *e);
// Writes the outcome of the episode as a sentence.
void words_outcome(const diagnosis *d, text_buffer *out);
// Writes the verdict of the re-runs; nothing where none was made.
void words_verdict(const flaw *f, text_buffer *out);
// Writes what a trial says: "mends: 5 of 5 succeed, 0 without it"; and as JSON.
void words_trial(const flaw_trial *t, text_buffer *out);
void trial_json(const flaw_trial *t, text_buffer *out);
// Returns the plan that the suggestions for a flaw edit: that of the robot whose flaw it is.
const diagnosis_plan *words_plan(const diagnosis *d, const flaw *f);
// Returns a path for the mended plan: beside the plan, since the plan names its world and its
// routines relative to its own folder.
const char *words_mended(const diagnosis_plan *p, arena *a);
// Returns edits of the plan in words: "insert before tidy/put_down, set lift_height to 0.05".
const char *words_edits(arena *a, const term *edits);

// ---- The plan's text (source.c)
// Lines of a file: the step that begins in line `at`, and a line before it.
typedef struct quote {
    const char *text;        // where line `first` begins
    int64_t first, at, last; // counted from 1
    size_t indent;           // blanks at the beginning of every line
} quote;
bool source_quote(const diagnosis *d, const flaw_place *p, quote *out);
// Returns the length of the line at `text`, and where the next begins in *next; NULL: nowhere.
size_t source_line(const char *text, const char **next);

// ---- Questions that the log cannot answer (gaps.c)
status gaps_collect(ask *a, diagnosis *d, error *err);

#endif

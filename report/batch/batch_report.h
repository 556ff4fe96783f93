// report/batch/batch_report.h - what a batch says: as text, as JSON (docs/batch.schema.json) and as
// a page.
#ifndef FORESEE_REPORT_BATCH_REPORT_H
#define FORESEE_REPORT_BATCH_REPORT_H

#include "base/text/text.h"
#include "report/batch/compare.h"

typedef struct batch_report {
    const results *results;
    const decision *decision; // NULL: every plan had all seeds
    decision_rule rule;
    double alpha, margin;
    int64_t rows;      // seeds that were asked for, at most
    bool sensitivity;  // on which parameters success hangs is asked
    const char *log;   // the file, for commands that a reader can type; NULL: none
    const char *pages; // folder of the pages of episodes, seen from this page; NULL: there are none
} batch_report;

// Writes a text for people, whose last paragraph says what to do.
void batch_text(const batch_report *b, text_buffer *out);
void batch_json(const batch_report *b, text_buffer *out);

// ---- What all forms say
comparison_rule batch_rule(const batch_report *b);
const char *batch_rule_name(decision_rule rule); // rows, until_sure, race, budget, accept
const char *batch_status_name(const batch_report *b);
int64_t batch_saved(const batch_report *b); // projections that the rule made unnecessary
// Appends the verdict of the whole batch, as sentences that a person can act on.
void batch_sentence(const batch_report *b, const plan_summary *ranked, text_buffer *out);
// Appends "3 seeds: 4, 9, 12", at most so many seeds.
void batch_seeds(const result_sample *const *samples, size_t count, text_buffer *out);

#endif

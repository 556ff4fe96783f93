// cli/answers.h - writes the answers to a query in one of six forms.
#ifndef FORESEE_CLI_ANSWERS_H
#define FORESEE_CLI_ANSWERS_H

#include <stdbool.h>
#include <stdio.h>

#include "include/foresee.h"
#include "base/text/text.h"

// FORM_PLAIN: the last column alone, texts as they are, a line for each answer; the other columns
// only sort the lines. FORM_TYPED: JSON in which every kind of value differs from every other.
typedef enum answer_form {
    FORM_TABLE,
    FORM_LINES,
    FORM_CSV,
    FORM_JSON,
    FORM_PLAIN,
    FORM_TYPED
} answer_form;
// Names of the forms, in this order; ended by NULL.
extern const char *const answer_forms[];
// Returns whether reasons are written as JSON in this form, too.
static inline bool answer_form_is_json(answer_form form) {
    return form == FORM_JSON || form == FORM_TYPED;
}

// One query, put to `count` episodes. The queries have been stepped before.
typedef struct answers_wanted {
    const char *text; // the query
    foresee_query *const *queries;
    const int64_t *episodes;
    size_t count;
    bool many;             // every answer is written with its episode
    bool (*stopped)(void); // asked between rows; true ends the writing. NULL: nothing ends it
} answers_wanted;
// Writes all answers, from the first on, while they are stepped through; only lines, which are
// sorted, are kept until the last is there. FORESEE_INTERRUPTED, FORESEE_MEMORY: what was written
// stays. A failed write ends the writing as well: ferror and errno say so.
int answers_write(answer_form form, const answers_wanted *wanted, FILE *out);
// Appends a line with the costs of the queries, in seconds: `opening` took the loading before they
// ran, `print` the writing.
void answers_time(foresee_query *const *queries, size_t count, double opening, double print,
                  text_buffer *out);

#endif

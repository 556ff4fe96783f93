// cli/answers.h - answers to a query, written in one of five forms.
#ifndef FORESEE_CLI_ANSWERS_H
#define FORESEE_CLI_ANSWERS_H

#include <stdbool.h>
#include <stdio.h>

#include "include/foresee.h"
#include "base/text/text.h"

// FORM_PLAIN: the last column alone, texts as they are, a line for each answer; the columns before
// it give the order. FORM_TYPED: JSON that tells every kind of value from every other.
typedef enum answer_form {
    FORM_TABLE,
    FORM_LINES,
    FORM_CSV,
    FORM_JSON,
    FORM_PLAIN,
    FORM_TYPED
} answer_form;
// What they are called, in this order; ended by NULL.
extern const char *const answer_forms[];
// Whether reasons are wanted as JSON, too.
static inline bool answer_form_is_json(answer_form form) {
    return form == FORM_JSON || form == FORM_TYPED;
}

// One query, put to `count` episodes: the queries have been stepped before.
typedef struct answers_wanted {
    const char *text; // what was asked
    foresee_query *const *queries;
    const int64_t *episodes;
    size_t count;
    bool many;             // every answer says of which episode it is
    bool (*stopped)(void); // whether no more is wanted, asked between rows; NULL: never
} answers_wanted;
// Writes all answers while they are stepped through, from the first on; only lines, which are
// sorted, are kept until all are there. FORESEE_INTERRUPTED, FORESEE_MEMORY: what was written until
// then stays. A write that fails ends it, too: ferror and errno then say so.
int answers_write(answer_form form, const answers_wanted *wanted, FILE *out);
// A line with what they cost. Seconds: `opening` of what was loaded before they ran, `print` of
// writing and printing.
void answers_time(foresee_query *const *queries, size_t count, double opening, double print,
                  text_buffer *out);

#endif

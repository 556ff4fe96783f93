// cli/answers.h - answers to a query, written in one of five forms.
#ifndef FORESEE_CLI_ANSWERS_H
#define FORESEE_CLI_ANSWERS_H

#include <stdbool.h>

#include "include/foresee.h"
#include "report/text.h"

// FORM_PLAIN: the last column alone, texts as they are, a line for each answer; the columns before
// it give the order.
typedef enum answer_form { FORM_TABLE, FORM_LINES, FORM_CSV, FORM_JSON, FORM_PLAIN } answer_form;

// Writes the answers of one query to `count` episodes, all that there are: the queries, which have
// been stepped before, are reset and stepped through. `many`: every answer says of which episode it
// is. `text` is what was asked.
void answers_write(answer_form form, const char *text, foresee_query *const *queries,
                   const int64_t *episodes, size_t count, bool many, text_buffer *out);
// A line with what they cost. `print`: seconds that writing and printing took.
void answers_time(foresee_query *const *queries, size_t count, double print, text_buffer *out);

#endif

// cli/answers.h - answers to a query, written in one of five forms.
#ifndef FORESEE_CLI_ANSWERS_H
#define FORESEE_CLI_ANSWERS_H

#include "report/ask.h"
#include "report/text.h"

// FORM_PLAIN: the last column alone, texts as they are, a line for each answer; the columns before
// it give the order.
typedef enum answer_form { FORM_TABLE, FORM_LINES, FORM_CSV, FORM_JSON, FORM_PLAIN } answer_form;

// The answers of one episode.
typedef struct answer_set {
    int64_t episode;
    ask_rows rows;
} answer_set;

// Writes the answers of `count` episodes; `many`: every answer says of which episode it is. `query`
// is the text that was asked.
void answers_write(answer_form form, const char *query, const answer_set *sets, size_t count,
                   bool many, text_buffer *out);

#endif

// report/diagnosis/term_json.h - terms as JSON: values of evidence, and edits of a plan as
// `foresee edit` takes them.
#ifndef FORESEE_REPORT_TERM_JSON_H
#define FORESEE_REPORT_TERM_JSON_H

#include "base/term/term.h"
#include "base/text/json.h"

// Appends a value: numbers, texts and lists as such, any other term as its text.
void term_json(const term *t, text_buffer *out);

// Appends edits as one JSON value on one line. Rules write edits as terms (predicates/mending.dl):
// a list of terms with one argument each is a map, in which the term's name is the key; true, false
// and null are JSON's; any other term, such as on(plate_1, table), is its text, which is how plans
// write goals. E_INPUT: they are no list, hold a variable, or name a key twice in one map; nothing
// is appended then.
status edits_json(const term *edits, text_buffer *out, error *err);

#endif

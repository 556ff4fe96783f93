// report/diagnosis/edits_term.h - edits of a plan as terms, and as the JSON that `foresee edit`
// takes.
//
// Rules write edits as terms (predicates/mending.dl): a list of terms with one argument each is a
// map, in which the term's name is the key; any other list is a list; strings, symbols and numbers
// are themselves; true, false and null are JSON's. Any other term, such as on(plate_1, table), is
// its text, which is how plans write goals.
#ifndef FORESEE_REPORT_EDITS_TERM_H
#define FORESEE_REPORT_EDITS_TERM_H

#include "base/term/term.h"
#include "report/text.h"

// Appends the edits as one JSON value on one line, strings escaped. E_INPUT: they are no list, hold
// a variable, or name a key twice in one map; nothing is appended then.
status edits_json(const term *edits, text_buffer *out, error *err);

#endif

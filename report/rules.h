// report/rules.h - rule files on disk: the shipped folder, and those of the user.
#ifndef FORESEE_REPORT_RULES_H
#define FORESEE_REPORT_RULES_H

#include "base/mem.h"
#include "base/text/text.h"

// Loads the shipped rules and `files` without a log; all mistakes go to `list`, what is only
// suspicious to `warnings`. `declared` gets what the files declare, with its documentation, a line
// each.
status rules_check(const char *folder, const char *const *files, size_t count, errors *list,
                   errors *warnings, text_buffer *declared);
// A query for each shipped predicate, a line each: `+`, a blank and the query where its declaration
// gives one, else `-` and the predicate with a variable in each place.
status rules_examples(const char *folder, text_buffer *out, errors *list);
// The reference of the shipped predicates in Markdown, from their own declarations.
status rules_document(const char *folder, text_buffer *out, errors *list);

#endif

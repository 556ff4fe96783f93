// report/rules.h - checks and documents rule files, without a log.
#ifndef FORESEE_REPORT_RULES_H
#define FORESEE_REPORT_RULES_H

#include "base/mem.h"
#include "base/text/text.h"

// Loads the shipped rules and `files`. All mistakes go to `list`, and to `warnings` what is only
// suspicious. `declared` gets what the files declare, with its documentation, a line for each.
status rules_check(const char *folder, const char *const *files, size_t count, errors *list,
                   errors *warnings, text_buffer *declared);
// Writes an example query for each shipped predicate, a line for each: `+`, a blank and the query
// that the declaration gives, or `-` and the predicate with a variable for each argument.
status rules_examples(const char *folder, text_buffer *out, errors *list);
// Writes the reference of the shipped predicates in Markdown, from their declarations.
status rules_document(const char *folder, text_buffer *out, errors *list);

#endif

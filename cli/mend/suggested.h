// cli/mend/suggested.h - the name of a suggestion in a log: LOG.db[:EPISODE]:FLAW.SUGGESTION.
//
// The end of the text is read first: a colon, two numbers and a point, which no name of a log can
// be taken for; before it a colon and the number of an episode, if there is one. So the log
// `a:3`, whose own name ends like that, is named with its episode: `a:3:1:1.2`.
#ifndef FORESEE_CLI_MEND_SUGGESTED_H
#define FORESEE_CLI_MEND_SUGGESTED_H

#include "report/diagnosis/diagnosis.h"

typedef struct suggested {
    const char *log;
    int64_t episode;          // 0: the last
    int64_t flaw, number;     // from 1, as a diagnosis prints them
    const char *const *rules; // files by which it was made beside the shipped ones; of the caller
    size_t rule_count;
} suggested;

// Reads such a name, which has no rules; texts live in `memory`. E_USAGE.
status suggested_parse(arena *memory, const char *text, suggested *out, error *err);
// Diagnoses the episode and finds the suggestion: its edits with a reason, as JSON that `foresee
// edit` takes, and the file of the plan that they are for, as the log has it (NULL: that of the
// first robot), both in `memory`. E_INPUT: there is none; the error names those that there are.
status suggested_find(arena *memory, const suggested *s, const char **edits, const char **plan,
                      error *err);

#endif

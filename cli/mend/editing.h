// cli/mend/editing.h - a plan that is edited: read, edited, checked and written as a new one.
//
// Owns:      the texts, and the result of the edits; freed by editing_finish.
#ifndef FORESEE_CLI_MEND_EDITING_H
#define FORESEE_CLI_MEND_EDITING_H

#include "base/files/files.h"
#include "base/files/output.h"
#include "plans/edit.h"
#include "plans/plan.h"

// The caller sets the names of files; a text that it sets as well stands in for its file, and is
// freed like the others.
typedef struct editing {
    const char *plan_file, *edits_file;
    const char *output, *inverse; // inverse NULL: the edits that lead back are not written
    const char *inputs[2];        // files that are read
    char *plan_text, *edits_text;
    size_t plan_length, edits_length;
    plan *old; // the plan before, for the routines that it names; NULL: it could not be read
    edit_result *result;
    output_policy over_plans, over_edits;
} editing;

// The steps in their order; mistakes of all go to `list`. The first finds out whether the files may
// be written, before anything is read. The last but one checks the new plan as `foresee check`
// does; a plan that names no world or robot is checked without them.
status editing_begin(editing *e, errors *list);
status editing_read(editing *e, errors *list);
status editing_make(editing *e, errors *list);
status editing_check(const editing *e, errors *list);
status editing_write(const editing *e, errors *list);
void editing_finish(editing *e);

#endif

// cli/mend/edit_list.h - lists of edits as JSON texts: several made one.
#ifndef FORESEE_CLI_MEND_EDIT_LIST_H
#define FORESEE_CLI_MEND_EDIT_LIST_H

#include "base/mem.h"

// What of a list is taken.
typedef enum edit_list_part { EDITS_ALL, EDITS_ADOPTED, EDITS_NONE } edit_list_part;

// Returns one list of edits, as JSON in `memory`: those of the lists in their order.
// parts[i] says what of the i-th is taken; EDITS_ADOPTED: the routines and files of routines that
// it brings into the plan (adopt, use). What several bring is brought once.
const char *edit_list_join(arena *memory, const char *const *lists, const edit_list_part *parts,
                           size_t count);

#endif

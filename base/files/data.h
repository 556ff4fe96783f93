// base/files/data.h - where the shipped data lie: rules, plans, examples.
//
// An installed program, or libforesee, reads what was installed with it, found from where it lies
// itself, and nothing else. One in the folder where it was built reads its own source tree: a file
// foresee.data beside it, which is never installed, names that.
#ifndef FORESEE_BASE_FILES_DATA_H
#define FORESEE_BASE_FILES_DATA_H

#include "base/status.h"

// A folder of shipped data: `part` is predicates, plans or examples. $FORESEE_DATA names the folder
// that holds it in place of the own one. E_USAGE: it is not there.
status data_folder(const char *part, char *path, size_t size, error *err);

#endif

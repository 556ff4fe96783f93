// base/data.h - where the shipped data lie: rules, plans, examples.
#ifndef FORESEE_BASE_DATA_H
#define FORESEE_BASE_DATA_H

#include "base/status.h"

// A folder of shipped data: `part` is predicates or plans. $FORESEE_DATA, then beside the source,
// then the installed folder. E_USAGE: none of them has it.
status data_folder(const char *part, char *path, size_t size, error *err);

#endif

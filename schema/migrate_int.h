// schema/migrate_int.h - what a migration works out from other tables of the log.
#ifndef FORESEE_SCHEMA_MIGRATE_INT_H
#define FORESEE_SCHEMA_MIGRATE_INT_H

#include <sqlite3.h>
#include "base/status.h"

// Fills the empty table step_text from the files in the log, each step under its line and without
// its path. What is no YAML has no steps.
status migrate_step_texts(sqlite3 *db, const char *path, error *err);

#endif

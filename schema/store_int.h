// schema/store_int.h - what opening a log (store.c) and looking at what it holds (store_check.c)
// share.
#ifndef FORESEE_SCHEMA_STORE_INT_H
#define FORESEE_SCHEMA_STORE_INT_H

#include <sqlite3.h>
#include "base/status.h"

// Whether the tables of the log, whose schema has this version, are those that this program makes,
// word for word, with ids and
// episodes in range: what is read by their names is then a table, of columns as they are known.
// E_INPUT names the first that is not. Takes no longer for a long log than for a short one.
status store_check(sqlite3 *db, int version, const char *path, error *err);

#endif

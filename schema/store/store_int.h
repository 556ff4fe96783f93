// schema/store/store_int.h - what opening a log shares among its files: store.c opens the file,
// migrate.c brings its tables into the present form, store_check.c looks at what they hold.
#ifndef FORESEE_SCHEMA_STORE_INT_H
#define FORESEE_SCHEMA_STORE_INT_H

#include <sqlite3.h>
#include <stdbool.h>
#include "base/status.h"
#include "schema/record.h"

// Tables of a log by number: the kinds of record, then episode and meta.
enum { STORE_EPISODE = RECORD_KINDS, STORE_META, STORE_TABLES };
const char *store_table_name(int table);

// Which tables of the log are, word for word, those that the statements `tables` (of schema_sql)
// make: such a table has no column, type, check, default or collation that is not known, is no
// view and no virtual table.
status store_find_tables(sqlite3 *db, const char *path, const char *tables,
                         bool as_made[STORE_TABLES], error *err);
// E_INPUT, with a sentence that names the table.
status store_not_as_made(const char *path, const char *table, error *err);

// Checks that ids and episodes are in range, in tables of the present form. E_INPUT names the first
// table in which they are not. Takes no longer for a long log than for a short one.
status store_check(sqlite3 *db, const char *path, error *err);

// Fills the empty table step_text from the files in the log, each step under its line and without
// its path. What is no YAML has no steps. (migrate_texts.c)
status migrate_step_texts(sqlite3 *db, const char *path, error *err);

#endif

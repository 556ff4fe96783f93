// schema/store/migrate.h - logs of earlier versions, and logs that lack tables or columns, made
// readable as logs of the present version.
//
// A table that is not as this program makes it is shadowed: a temporary table of the same name and
// of the present form holds what there is of the old one's rows, or a temporary view adds NULL for
// columns that came later where nothing else is new. The shadows belong to the connection, and SQL
// that names no database finds them first. The file itself is only read.
#ifndef FORESEE_SCHEMA_MIGRATE_H
#define FORESEE_SCHEMA_MIGRATE_H

#include <sqlite3.h>
#include <stdbool.h>
#include "base/mem.h"
#include "base/status.h"

typedef struct migration {
    const char *path;            // of the log, for messages
    int version;                 // of the log's schema, SCHEMA_VERSION at most
    bool salvage;                // also shadows tables that logs of this version have otherwise
    bool (*stopped)(void);       // asked now and then while rows are copied; NULL: never
    arena *arena;                // of the sentences
    ARRAY(const char *) missing; // output: sentences about what the log lacks
} migration;

// After OK every table of record.def and tables.def can be read through `db`, in the present form;
// those that logs of this version do not have are empty. Logs from SCHEMA_KNOWN on must have the
// tables of their version word for word, unless `salvage`. E_INPUT: a table is not as it should be,
// or there is no table of episodes; E_INTERRUPTED: `stopped` said so. The caller has begun a
// transaction, and ends it.
status migrate_log(sqlite3 *db, migration *m, error *err);

#endif

// schema/schema.h - the tables and views of a log, as SQL and as documentation.
//
// Made from record.def (every kind of record), tables.def (episode and meta) and views.def. Tables
// are private to the program and change with the version; views are a contract.
#ifndef FORESEE_SCHEMA_SCHEMA_H
#define FORESEE_SCHEMA_SCHEMA_H

#include "base/status.h"
#include "schema/record.h"

#define SCHEMA_VERSION 17
#define SCHEMA_KNOWN 3   // the tables of logs from this version on are known word for word
#define SCHEMA_PLACED 17 // from this version on, RobotPos is no row of `variable` (views.def)
#define SCHEMA_WHOLE 7   // from this version on, keyframes and forces are whole numbers under a key
#define SCHEMA_APPLICATION "foresee"
#define SCHEMA_APPLICATION_ID 0x46534545 // "FSEE", in the header of every log

// While an episode is written, `meta` in the file itself says under this key that an episode has
// begun in its -wal file, or goes on there. `meta` in the -wal file has no such row: once all of
// the -wal file is in the log, the log is whole.
#define SCHEMA_WRITING "writing"
#define SCHEMA_BEGUN "begun"
#define SCHEMA_GOING_ON "going on"

// Returns the version of the schema since which logs have the table of a kind.
int schema_since(record_kind kind);

// Returns whether logs of a version have the table of a kind without this column, which came later.
bool schema_lacked(record_kind kind, const char *column, int version);

// Returns the version of the schema since which the table of a kind has its fixed numbers as whole
// numbers.
int schema_whole(record_kind kind);
// Returns the version of the schema since which the table of a kind has its instants as ticks, and
// its key.
int schema_ticked(record_kind kind);

// The statements that make an empty log, in a fixed order. The caller frees *out.
status schema_sql(char **out, error *err);
// Those of them that make its tables and views: all but the indexes. The caller frees *out.
status schema_tables_sql(char **out, error *err);
// The statements that made, in logs of an earlier version, the tables that had another form then:
// without columns that came later, or with ids, instants in nanoseconds and numbers as they are.
// The caller frees *out.
status schema_former_sql(int version, char **out, error *err);
// Writes the statement that makes the index of a kind's table, where there is none yet. Returns
// false where the table has none. Without indexes a log is read all the same, only slower, and
// written twice as quickly.
#define SCHEMA_INDEX_SIZE 300 // of a buffer for it
#define SCHEMA_INDEX_ROWS 64  // a log indexes no table with less: these take a page or a few
bool schema_index_sql(record_kind kind, char *buffer, size_t size);
// The statements that drop all indexes. The caller frees *out.
status schema_unindex_sql(char **out, error *err);

// The text of docs/schema.md: every table, view and column. The caller frees *out.
status schema_document(char **out);

// SQL for the number by which proofs and views call a row of a kind: its id, or what its key makes.
// `buffer` is for 100 bytes.
const char *schema_row_number(record_kind kind, char *buffer);
// SQL for what holds for the row that is called by the number `?3`. `buffer` is for 200 bytes.
const char *schema_row_called(record_kind kind, char *buffer);
// SQL for the columns that its rows are in order of: "id", or those of its key. `buffer` is for 100
// bytes.
const char *schema_row_order(record_kind kind, char *buffer);

// The SQL type of a column's values: INTEGER, REAL or TEXT.
const char *schema_column_type(const column_info *column);

// What the index of a kind's table is on, as SQL ("(task)"), NULL where it has none. A
// table has at most one, on its first column with a flag for it: a reference is of one episode by
// itself, so the episode leads only before texts.
const char *schema_index_columns(record_kind kind, char *buffer, size_t size);

#endif

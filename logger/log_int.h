// logger/log_int.h - making, opening and indexing log files, for the sink and for merging.
#ifndef FORESEE_LOGGER_LOG_INT_H
#define FORESEE_LOGGER_LOG_INT_H

#include <sqlite3.h>
#include "logger/log.h"

// Makes an empty log at `path`: the whole file or, on an error, none. E_INPUT: the place cannot be
// written, or something is there by now.
status log_place(const char *path, bool durable, error *err);
// Copies a log that nobody writes to a new file at `path`. E_INPUT: something is there; E_FULL,
// E_IO.
status log_copy(const char *from, const char *path, error *err);
// Finds out whether there is a file at `path`; E_INPUT: there is none, and none can be made.
status log_present(const char *path, bool *present, error *err);
// Checks that the file is a log to append to, recovers it where needed, and opens it for writing.
status log_connect(const char *path, bool durable, sqlite3 **out, error *err);
// Makes an empty log, as log_place does, and opens it for writing.
status log_connect_new(const char *path, bool durable, sqlite3 **out, error *err);
// Makes the indexes that tables with many rows lack, or drops all, within the caller's transaction.
status log_index(sqlite3 *db, const char *path, error *err);
status log_unindex(sqlite3 *db, const char *path, error *err);
// The largest id of each kind and of the episodes: what the next episode's ids are shifted by; 0
// for kinds without ids.
status log_last_ids(sqlite3 *db, const char *path, int64_t last[RECORD_KINDS], int64_t *episode,
                    error *err);
// The INSERT of a kind, its columns in the order id, episode (where it has them), those of
// record.def; `nth` is counted, whatever is bound for it. Of two rows with the same key the later
// stays. The caller finalises.
status log_prepare_insert(sqlite3 *db, const char *path, record_kind kind, sqlite3_stmt **out,
                          error *err);
// Runs statements that return nothing of interest.
status log_run(sqlite3 *db, const char *path, const char *sql, const char *doing, error *err);

#endif

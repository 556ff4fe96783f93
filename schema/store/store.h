// schema/store/store.h - a log, opened for reading.
//
// Owns:      a read-only SQLite connection.
// Threads:   one store belongs to one thread.
// Invariant: its tables read as those of record.def and tables.def do, and their ids and its
//            episodes are in range. A log of the present version has these tables word for word;
//            one of an earlier version is migrated for this connection alone
//            (schema/store/migrate.h).
//
// A log may come from anywhere. Its views, triggers and generated columns never run, and the values
// of its tables are looked at where they are read (schema/columns.h).
//
// A log left by a crash (with a -wal or -journal file beside it) is recovered in place where it and
// its folder can be written; elsewhere it is read as it lies, or refused with what is missing. One
// whose -wal file is gone is read as it lies, with a note of what is missing; nothing is made,
// erased or changed then.
#ifndef FORESEE_SCHEMA_STORE_H
#define FORESEE_SCHEMA_STORE_H

#include <sqlite3.h>
#include <stdbool.h>
#include "base/mem.h"
#include "base/status.h"
#include "base/time/times.h"
#include "schema/record.h"

typedef struct store store;

// One projection. Texts live as long as the store.
typedef struct store_episode {
    int64_t id;
    const char *plan, *world,
        *robot; // names relative to the plan's folder; NULL where none was given
    int64_t seed;
    const char *version;
    nanos step, cycle;   // of the physics, of the interpreter
    nanos end;           // the last recorded instant
    const char *outcome; // succeeded, failed, invalid, incomplete, unjudged
    bool complete;       // false: cut off, by a crash, an interruption or --until
} store_episode;

// E_INPUT: no such file, not a foresee log, of a later version, damaged, or left by a crash where
// it cannot be recovered. On OK the caller owns *out.
status store_open(const char *path, store **out, error *err);
// The same, and a log whose tables are damaged or gone is read as far as it goes: store_missing
// says what it lacks. `stopped` (NULL: never) is asked now and then; E_INTERRUPTED: it said so.
status store_salvage(const char *path, bool (*stopped)(void), store **out, error *err);
void store_close(store *s); // NULL is a no-op

sqlite3 *store_db(const store *s); // borrowed; read-only
// Reads the log in one transaction until store_let_go, if no other is going on: otherwise each
// statement locks the file and looks whether it has changed. A writer that would close the log
// waits so long. Returns what store_let_go is to be given.
bool store_hold(const store *s);
void store_let_go(const store *s, bool held);
// From now on the connection reads views too: for those that a rule file names.
void store_allow_views(const store *s);
int store_version(const store *s);      // of its schema
const char *store_path(const store *s); // as the user wrote it
// A sentence about the state the log was found in (left by a crash and recovered, being written,
// of an earlier version), or NULL.
const char *store_note(const store *s);
// Sentences about what the log cannot tell, for it is of an earlier version or lacks tables or
// columns: "all that rests on ...". Borrowed until store_close.
const char *const *store_missing(const store *s, size_t *count);

// All episodes in order. Borrowed until store_close.
const store_episode *store_episodes(const store *s, size_t *count);
// Episode number `id`, or the last for 0. E_INPUT: there is none; the message names those there
// are.
status store_choose(const store *s, int64_t id, const store_episode **out, error *err);

// The rows of `kind` of one episode are those with *first <= id < *end, or, where rows are known by
// a key, those whose first column is in that range: found by bisection, without an index. *first =
// *end where there are none.
status store_range(const store *s, record_kind kind, int64_t episode, int64_t *first, int64_t *end,
                   error *err);

// A connection to the file at `path`, which must exist, for whoever writes logs; `write` false:
// read-only. Nothing in the file's schema is trusted. Says nothing of what the file is. E_INPUT,
// for writing: a log that lacks the rest of an episode, with its -wal file. The caller closes *out.
status store_connect(const char *path, bool write, sqlite3 **out, error *err);

// Says what a failed SQLite call means, to code that reads or writes a log: E_FULL (no space, file
// too large, quota), E_MEMORY, E_INTERRUPTED, E_INPUT (damaged, not a database), E_IO. Fills `err`
// with `doing` ("reading the contacts"), the file and SQLite's reason.
status store_failed(sqlite3 *db, const char *path, const char *doing, error *err);

#endif

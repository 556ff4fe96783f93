// cli/branch/tape.h - a sink that keeps records in memory, to compare them with a log and to write
// them into several.
//
// Owns:      copies of what was put.
// Invariant: records are in the order in which they were put and ended; once the tape plays into
//            another sink, what comes goes there and is kept no more.
#ifndef FORESEE_CLI_BRANCH_TAPE_H
#define FORESEE_CLI_BRANCH_TAPE_H

#include <stdbool.h>

#include "base/mem.h"
#include "schema/sink.h"

typedef enum tape_mark { TAPE_PUT, TAPE_END, TAPE_COMMIT } tape_mark;
typedef struct tape_entry {
    tape_mark mark;
    nanos t; // the latest instant that a record had named when it came; of a commit its own
    const record *record; // only the columns of its kind are there; NULL: a commit
} tape_entry;
typedef struct tape {
    sink sink; // the head; must be first
    arena *memory;
    ARRAY(tape_entry) entries;
    nanos now;
    sink *to; // where records go; NULL: they are kept
} tape;

void tape_begin(tape *t);
void tape_finish(tape *t);
// Puts everything that was kept into `to`, and commits it.
status tape_play(const tape *t, sink *to, error *err);
// Passes on what comes from now on, and keeps it no more.
void tape_pass(tape *t, sink *to);
// The first column of a kind that holds an instant; NULL: none.
const column_info *tape_time_column(record_kind kind);
// Returns whether records of this kind are put at the instant that they name: keyframes and
// contacts are dated back.
bool tape_is_prompt(record_kind kind);

#endif

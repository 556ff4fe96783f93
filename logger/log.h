// logger/log.h - a sink that writes SQLite: projections as episodes of one log file.
//
// Owns:      the database handle and its prepared statements.
// Threads:   one log belongs to one thread, and to no child of fork().
// Invariant: what was committed stays. After a kill at any moment the file (with its -wal) opens,
// is
//            whole, and holds everything up to the last commit, its episode marked incomplete.
//
// Records are copied when they are put, and written with others: a failure to write one may come
// back from a later put, at the latest from the next commit.
//
// While an episode is written the file is in WAL mode and one transaction spans from commit to
// commit, so that readers see the last commit and a second writer is refused. Finished, the log is
// one file again. SIGXFSZ must be ignored by the program for a file-size limit to come back as
// E_FULL.
#ifndef FORESEE_LOGGER_LOG_H
#define FORESEE_LOGGER_LOG_H

#include <stdbool.h>
#include "base/status.h"
#include "base/time/times.h"
#include "schema/sink.h"

typedef struct logger logger; // not `log`, which math.h has

typedef struct log_options {
    bool durable; // survives a loss of power, not only of the process; false for logs soon merged
                  // away
} log_options;
log_options log_options_default(void); // durable

// The facts about an episode that are known when it begins. Names are relative to the plan's
// folder; NULL: none.
typedef struct episode_info {
    const char *plan, *world, *robot;
    int64_t seed;
    const char *version; // of the program
    nanos step, cycle;   // of the physics, of the interpreter
} episode_info;

// Makes a new log at `path`, whole or not at all, or opens the foresee log that is there
// (recovering it where a crash left it) to append episodes. E_INPUT: a file that is not a foresee
// log of this version, which is left as it is; a place that cannot be written; a log that is being
// written. E_FULL, E_IO.
status log_create(const char *path, const log_options *options, logger **out, error *err);

// The sink of the current episode; borrowed.
sink *log_sink(logger *l);

// Begins an episode: its row is committed at once. Ids of records count from 1 again.
status log_begin_episode(logger *l, const episode_info *info, error *err);
// Copies the log `from`, whose only episode log_close left unfinished right after a commit, to
// `path`, where nothing is yet, and goes on with it there: with the ids that its records have.
// E_INPUT: there is no such episode, or something is at `path`; E_FULL, E_IO.
status log_resume(const char *from, const char *path, const log_options *options, logger **out,
                  error *err);
int64_t log_episode(const logger *l); // number of the current or last episode; 0: none yet
// Ends the episode at its last instant: commits, indexes the tables that have grown large, and
// makes the log one file again (left in WAL mode where a reader holds it open just then).
// `outcome`: succeeded, failed, invalid, incomplete, unjudged.
status log_finish(logger *l, nanos end, const char *outcome, bool complete, error *err);
// Rolls back what was not committed; an episode that was not finished stays incomplete. NULL is a
// no-op.
void log_close(logger *l);

// Completes an episode of a closed log that was finished without, and gives it its outcome, in one
// transaction.
status log_judge(const char *path, int64_t episode, const char *outcome, error *err);

// Appends every episode of the log `from`, in order, to `into` (made where there is none): all or
// nothing. The same as if they had been projected into it.
status log_merge(const char *into, const char *from, error *err);

// Appends episodes to one log, which stays open between them, so that each costs what it holds and
// not what the log holds.
typedef struct log_merger log_merger;
// Opens the log, made where there is none. On OK the caller owns *out.
status log_merger_open(const char *into, log_merger **out, error *err);
// Appends an episode of the log `from` (0: every one), as log_merge does. E_INPUT: no such episode.
status log_merger_append(log_merger *m, const char *from, int64_t episode, error *err);
// The logs that are appended from now on were written by this program, and by nobody else since:
// their rows are copied as they are. Indexes that the log lacks are made by log_merger_index.
void log_merger_trust(log_merger *m);
status log_merger_index(log_merger *m, error *err);
int64_t log_merger_episode(const log_merger *m); // of the last one that was appended by its number
void log_merger_close(log_merger *m);            // NULL is a no-op

#endif

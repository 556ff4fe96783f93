// report/picture/levels.h - how finely the things of an episode were simulated, as colours.
//
// Owns: the list of spans.
#ifndef FORESEE_REPORT_LEVELS_H
#define FORESEE_REPORT_LEVELS_H

#include "base/mem.h"
#include "base/time/times.h"
#include "report/picture/picture.h"
#include "schema/store/store.h"

typedef struct level_span {
    int64_t object;   // the row of the table object: a body or a robot
    picture_key look; // its colour meanwhile, and what the legend says
    nanos from, until;
} level_span;

typedef struct level_spans {
    ARRAY(level_span) spans; // by object, then by time
    bool lowered;            // something was below full fidelity
} level_spans;

// Reads an episode; `path` names the log in errors. levels_finish in any case.
status levels_read(sqlite3 *db, const char *path, int64_t episode, level_spans *out, error *err);
void levels_finish(level_spans *l);
// Finds the first span of an object (`out` is in l->spans, null where it has none). Returns how
// many it has.
size_t levels_of(const level_spans *l, int64_t object, const level_span **out);
// Finds how an object looks at an instant; false: it keeps its own colour.
bool levels_at(const level_spans *l, int64_t object, nanos at, picture_key *out);

#endif

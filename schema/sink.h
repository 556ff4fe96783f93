// schema/sink.h - sinks: the interface through which records are written.
//
// A record is one row of the log, of a kind from record.def. Rows that last (an interval) are put
// when they begin with end = TIME_OPEN; sink_end puts their end and final columns later. Ids
// count from 1 per kind within one episode and are chosen by who puts the record (sink_id), so that
// records can refer to one another before they reach a file; the sink shifts them when episodes
// share a log.
#ifndef FORESEE_SCHEMA_SINK_H
#define FORESEE_SCHEMA_SINK_H

#include "base/status.h"
#include "base/time/times.h"
#include "schema/record.h"

typedef struct sink sink;
typedef struct sink_class {
    status (*put)(sink *s, const record *r, error *err);
    status (*end)(sink *s, const record *r, error *err);
    status (*commit)(sink *s, nanos t, error *err);
} sink_class;
// A sink's own state follows this head.
struct sink {
    const sink_class *class;
    int64_t next_id[RECORD_KINDS]; // sink_id counts here
};

// The next id of this kind: 1, 2, ...
static inline int64_t sink_id(sink *s, record_kind k) {
    return ++s->next_id[k];
}
// Synchronous; copies what it needs. r->id comes from sink_id. E_FULL, E_IO: nothing more will be
// written.
static inline status sink_put(sink *s, const record *r, error *err) {
    return s->class->put(s, r, err);
}
// Puts a note that belongs to no task.
static inline status sink_note(sink *s, nanos t, const char *text, error *err) {
    record r = {.kind = RECORD_NOTE, .id = sink_id(s, RECORD_NOTE)};
    r.NOTE = (struct record_NOTE){.t_ns = t, .text = text};
    return sink_put(s, &r, err);
}
// Ends the row r->kind, r->id: writes its `end` and the columns marked FINAL in record.def; others
// are ignored.
static inline status sink_end(sink *s, const record *r, error *err) {
    return s->class->end(s, r, err);
}
// Makes everything put so far durable, up to simulated time t.
static inline status sink_commit(sink *s, nanos t, error *err) {
    return s->class->commit(s, t, err);
}

#endif

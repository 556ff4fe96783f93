// query/engine_int.h - what explaining answers needs of an engine.
#ifndef FORESEE_QUERY_ENGINE_INT_H
#define FORESEE_QUERY_ENGINE_INT_H

#include "query/engine.h"
#include "query/derive/episodes.h"
#include "query/derive/exec.h"

// Derives a query from the rules as they are written, using nothing that was kept, and keeps
// nothing: the tables are the caller's, who ends them with tables_free. *m is what they were
// filled with, ready to prove.
status engine_derive(engine *e, arena *a, const program_query *q, tables *out, machine *m,
                     error *err);
// Opens a fund for what a call with `more` bytes of text may need. False: there is not so much, and
// the list says so.
bool engine_fund(const engine *e, mem_fund *fund, size_t more, errors *list);
// Says in a sentence what a status means here, where nothing more exact was said.
void engine_say(engine *e, status s, error *err, const char *file);
// ---- for in_episode
const store *engine_store(const engine *e);
bool engine_is_running(const engine *e); // a query of it runs
// An engine for another episode (or the same) with the values, the budget and the rules of `home`,
// which must outlive it.
status engine_open_beside(engine *home, int64_t episode, engine **out, error *err);
// One that stands beside `e` for this episode, of which no query runs, with the rules as they are
// now; it lives as long as what it stands beside.
status engine_beside(engine *e, int64_t episode, engine **out, errors *list);
// Adds the answers to a call to `into`, whose columns are the call's.
status engine_rows(engine *e, const struct elsewhere *call, const query_given *given,
                   relation *into, errors *list);
// Whatever was asked is over: forgets interruptions.
void engine_rest(engine *e);

#endif

// query/derive/episodes.h - goals asked of other episodes of the log: in_episode(E, Goal).
//
// An engine is bound to one episode. What it asks of another one goes to an engine beside it, which
// is opened when it is first needed, shares values and budget, and takes over the rules as they are
// then. None is asked while a query of it runs: where goals nest, there are several of an episode.
//
// Owns:      the engines beside one.
// Invariant: all of them have the rules that the engine itself has, when they are asked.
#ifndef FORESEE_QUERY_EPISODES_H
#define FORESEE_QUERY_EPISODES_H

#include "query/derive/exec.h"

typedef struct engine engine;

typedef ARRAY(engine *) episode_pool;
// The answers to one call, as far as they were asked for.
typedef struct episode_rows {
    const pred *pred;
    relation *rows, *asked; // asked: episode and what had to be bound
} episode_rows;
typedef struct episodes {
    engine *home;       // whose episodes these are
    episode_pool *pool; // of engines beside the first one
    ARRAY(episode_rows) calls;
} episodes;

// Rows of the call's predicate for the bound columns (`key`, VALUE_NONE where unbound), or more.
// Borrowed until the query ends; it may grow.
status episodes_load(machine *m, const pred *p, const value *key, relation **out, error *err);
// An engine for this episode of which no query runs, with the same rules. Lives as long as `home`.
status episodes_engine(episodes *all, int64_t episode, engine **out, error *err);
void episodes_forget(episodes *all);     // the rows: the query is over
void episodes_pool_free(episode_pool *); // NULL is a no-op

#endif

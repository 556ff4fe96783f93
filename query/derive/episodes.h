// query/derive/episodes.h - goals asked of other episodes of the log: in_episode(E, Goal).
//
// An engine is bound to one episode; the engine that runs a query brings a function that asks the
// engine of another one (query/beside.c).
//
// Owns:      the answers to the calls of one query, as far as they were asked for.
#ifndef FORESEE_QUERY_EPISODES_H
#define FORESEE_QUERY_EPISODES_H

#include "query/derive/exec.h"

struct engine;

typedef struct episode_rows {
    const pred *pred;
    relation *rows, *asked; // asked: episode and the values that had to be bound
} episode_rows;

typedef struct episodes {
    const store *store; // of the log
    // Adds what the call that `p` stands for gives in an episode to `into`, for the values that
    // `key` has in the columns that `p` requires.
    status (*ask)(struct engine *asker, int64_t episode, const pred *p, const value *key,
                  relation *into, error *err);
    struct engine *asker;
    ARRAY(episode_rows) calls;
} episodes;

// Rows of the call's predicate for the bound columns (`key`, VALUE_NONE where unbound), or more.
// Borrowed until the query ends; it may grow.
status episodes_load(machine *m, const pred *p, const value *key, relation **out, error *err);
void episodes_forget(episodes *all); // the query is over, and so are its rows

#endif

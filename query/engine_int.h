// query/engine_int.h - what the files of an engine, and those that explain answers, see of it.
#ifndef FORESEE_QUERY_ENGINE_INT_H
#define FORESEE_QUERY_ENGINE_INT_H

#include "query/derive/episodes.h"
#include "query/derive/exec.h"
#include "query/engine.h"
#include "query/prepare.h"
#include "query/tables/table_cache.h"

// Engines of other episodes that stand beside one.
typedef ARRAY(engine *) engine_pool;

// Shared by the engines that stand beside one another, and by those that follow one another on a
// connection.
typedef struct commons {
    size_t users;
    budget budget;
    values *values;
} commons;

struct engine {
    store *store;
    store_episode episode;
    engine_options options;
    commons *commons;
    budget *budget; // of the commons, as are the values
    values *values;
    facts *facts;
    engine *home;      // the engine beside which this one stands; NULL: it stands alone
    engine_pool *pool; // of the home, which owns it
    episodes episodes; // answers of other episodes to the query that runs
    uint32_t changes;  // of the home's rules, when these were taken over
    bool running;      // a query runs
    struct signals *signals;
    program *program;
    table_cache cache; // what earlier queries derived
    engine_cost cost;
    struct plan_log *log; // of the last query, where plans are asked for
    uint32_t round;       // of all derivations so far: rows that were kept precede new ones
};

struct answers {
    const values *values; // of the engine that gave them
    arena *arena;
    const char **names;
    uint32_t columns;
    size_t count;
    value *rows;
    const term *query;
};

// Derives a query from the rules as they are written, without tables that were kept, and keeps
// none: the tables are the caller's, who ends them with tables_destroy. *m is the machine that
// filled them, ready to prove.
status engine_derive(engine *e, arena *a, const prepared_query *q, tables *out, machine *m,
                     error *err);
// Opens a fund for what a call with `more` bytes of text may need. False: there is not so much
// memory, and `list` says so.
bool engine_fund(const engine *e, mem_fund *fund, size_t more, errors *list);
// Says in a sentence what a status means for this engine, where `err` has no text yet.
void engine_say(engine *e, status s, error *err, const char *file);
const store *engine_store(const engine *e);
// Forgets interruptions: the call that they were meant for is over.
void engine_rest(engine *e);

// ---- Between engine.c and beside.c ----

answers *engine_answers_create(engine *e); // without rows; NULL: out of memory
// Checks the rules, prepares the query that `a` holds, and fills `a` with its answers.
status engine_run_query(engine *e, const query_scope *scope, answers *a, errors *list);
// Opens an engine for another episode (or the same) with the values and the budget of `home`, which
// must outlive it. It takes over the rules when it is first asked.
status engine_open_beside(engine *home, int64_t episode, engine **out, error *err);

// ---- Engines of other episodes (beside.c) ----

// Gives the engine that stands beside `e` for this episode, of which no query runs, with the rules
// as they are now. It lives as long as the engine that it stands beside.
status engine_beside(engine *e, int64_t episode, engine **out, errors *list);
// Asks the engine of another episode for the call that `p` stands for: see struct episodes.
status engine_ask_beside(engine *e, int64_t episode, const pred *p, const value *key,
                         relation *into, error *err);
void engine_pool_drop(engine_pool *pool);    // closes its engines
void engine_pool_destroy(engine_pool *pool); // NULL is a no-op

#endif

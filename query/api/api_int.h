// query/api/api_int.h - a connection of the C interface, and the helpers of its calls.
#ifndef FORESEE_QUERY_API_INT_H
#define FORESEE_QUERY_API_INT_H

#include <stdatomic.h>

#include "include/foresee.h"
#include "query/engine.h"

typedef ARRAY(foresee_predicate) api_catalog;

// The rules or facts that were loaded under a name, kept to be put back.
typedef struct kept_rules {
    char *text; // NULL: nothing stood there, or facts
    size_t length;
    const struct fact *held; // facts in memory
    bool library, failed;
} kept_rules;

struct foresee {
    arena *texts;   // what lives as long as the connection
    char *shipped;  // folder of the shipped rules, with a '/'; NULL: others are loaded. In texts
    store *store;   // NULL: opening failed
    engine *engine; // NULL then, too
    engine_options options;
    // The engine that foresee_interrupt reaches: NULL while it is being replaced, so that none that
    // is gone is touched. `callers` counts calls under way; `pending`: one came meanwhile.
    _Atomic(engine *) running;
    atomic_int callers;
    atomic_bool pending;
    api_catalog catalog;              // made when it is first asked for; its texts in
    arena *catalog_texts;             // NULL: not made since rules were loaded
    errors mistakes;                  // of the last call that failed
    const char *asked;                // the text that mistakes in "query" stand in, and
    const char *loaded, *loaded_name; // in the rules that were being loaded; both of a call alone
    char *message;                    // made of the mistakes
    bool starved;                     // the last call could not begin for want of memory
    size_t open_queries;
    uint64_t rules;      // counts changes of the rules, so that answers from before are told apart
    foresee_query *last; // whose run the engine's plan describes
    builtin_list supplied; // predicates of the caller's own; in texts
    uint64_t serials;      // of them, so far
    unsigned inside;       // functions of the caller that run now, called by the engine
    foresee_progress_function *on_progress; // NULL: nobody looks on
    void *progress_context;
    double progress_every, began; // seconds; when the running call began
    bool closing;                 // foresee_close came before its queries were finalized
};

#define API_QUERY "query" // the name of queries in messages

// The bytes that a call sets aside, so that it ends in order when memory runs out: a call that
// reads and checks rules, and a small one.
#define API_FUND ((size_t)1 << 20)
#define API_FUND_SMALL ((size_t)1 << 16)
// The bytes that writing a value takes: for each term, for each byte of a text; and their limit.
#define API_CELL 256
#define API_LETTER 8
#define API_CELL_MAX ((size_t)1 << 30)

// Starts a call: the mistakes of the last one are forgotten.
void api_begin(foresee *f);
// Ends a call: makes the message of its mistakes and returns the code.
int api_end(foresee *f, status s);
// Ends a call that has no memory even to begin. `f` may be NULL.
int api_starved(foresee *f);
// Ends a call by which the caller misuses the interface, with a sentence.
int api_misuse(foresee *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
int api_code(status s);
// Stand around a function of the caller's: its mistakes with the connection are forgotten when it
// has returned, and are no mistakes of the call that runs it.
typedef struct api_outer {
    const char *asked, *loaded, *loaded_name;
} api_outer;
api_outer api_enter(foresee *f);
void api_leave(foresee *f, api_outer outer);
// Ends a call that a function of the caller's makes on its own connection.
int api_busy(foresee *f);
// Returns FORESEE_OK where a call that changes the connection may begin: the log is open, and no
// function of the caller's runs. Otherwise the call returns the code at once.
int api_ready(foresee *f);
double api_now(void); // seconds, of a clock that never goes back
// Called before something runs: on_progress is told that it begins.
void api_watch(foresee *f);
// Values of callers as the engine's words, and back; 0 is VALUE_NONE.
value api_word(foresee_value v);
foresee_value api_value(value word);
values *api_values(const foresee *f); // NULL: no log is open
// Returns the bytes that writing a value takes at most, up to `most`.
size_t api_weight(const values *all, value v, size_t most);
// Called before the rules change.
void api_begin_change(foresee *f);
kept_rules api_keep_rules(foresee *f, const char *name);
void api_put_back(foresee *f, const kept_rules *k, const char *name);
void api_drop_kept(kept_rules *k);
// Shortens the paths of shipped rule files in a text from malloc to predicates/x.dl, wherever they
// are installed. NULL is a no-op.
void api_shorten(const foresee *f, char *text);
// Forgets the list of predicates: the rules have changed.
void api_forget_catalog(foresee *f);
// Frees the connection itself, after its last query.
void api_destroy(foresee *f);
// Copies a text for foresee_free; NULL: no memory.
char *api_copy(const char *text);

#endif

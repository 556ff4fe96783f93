// query/api/api_int.h - what the parts of the library's interface share.
#ifndef FORESEE_QUERY_API_INT_H
#define FORESEE_QUERY_API_INT_H

#include <stdatomic.h>

#include "include/foresee.h"
#include "query/engine.h"

typedef ARRAY(foresee_predicate) api_catalog;

// What stood under a name, to put it back.
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
    // What foresee_interrupt reaches: NULL while the engine is being replaced, so that it never
    // touches one that is gone. `callers` are those under way; `pending` is what came meanwhile.
    _Atomic(engine *) running;
    atomic_int callers;
    atomic_bool pending;
    api_catalog catalog;              // made when it is first asked for; its texts in
    arena *catalog_texts;             // NULL: not made since rules were loaded
    errors mistakes;                  // of the last call that failed
    const char *asked;                // the text that mistakes in "query" stand in, and
    const char *loaded, *loaded_name; // in the rules that were being loaded; both of a call alone
    char *message;                    // made of the mistakes
    bool starved;                     // there was no memory to begin the last call
    size_t open_queries;
    uint64_t rules;      // counts changes of the rules, so that answers from before are told apart
    foresee_query *last; // whose run the engine's plan describes
    builtin_list supplied; // predicates of the caller's own; in texts
    uint64_t serials;      // of them, so far
    unsigned inside;       // functions of the caller that run now, called from here
    foresee_progress_function *on_progress; // NULL: nobody looks on
    void *progress_context;
    double progress_every, began; // seconds; when what runs began
    bool closing;                 // foresee_close came before its queries were finalized
};

#define API_QUERY "query" // the name of queries in messages

// What a call sets aside so that it ends in order when memory runs out in it: for what reads and
// checks, and for small things.
#define API_FUND ((size_t)1 << 20)
#define API_FUND_SMALL ((size_t)1 << 16)
// What writing one value takes: for each term in it, for each byte of a text; and where it ends.
#define API_CELL 256
#define API_LETTER 8
#define API_CELL_MAX ((size_t)1 << 30)

// Starts a call: what the last one said is forgotten.
void api_begin(foresee *f);
// Ends it: makes the message of what was found and gives the code.
int api_end(foresee *f, status s);
// Says that there is no memory even to begin. `f` may be NULL.
int api_starved(foresee *f);
// A misuse with a sentence.
int api_misuse(foresee *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
int api_code(status s);
// Around a function of the caller's: what it did wrong with the connection is forgotten when it has
// returned, and is no mistake of the call that it is called in.
typedef struct api_outer {
    const char *asked, *loaded, *loaded_name;
} api_outer;
api_outer api_enter(foresee *f);
void api_leave(foresee *f, api_outer outer);
// A function of the caller's asks its own connection.
int api_busy(foresee *f);
double api_now(void); // seconds, of a clock that never goes back
// Before something runs: whoever looks on sees it begin.
void api_watch(foresee *f);
// Values of callers as the engine's words, and back; 0 is VALUE_NONE.
value api_word(foresee_value v);
foresee_value api_value(value word);
values *api_values(const foresee *f); // NULL: no log is open
// The memory that writing a value takes at most, as long as it stays below `most`.
size_t api_weight(const values *all, value v, size_t most);
// The rules are about to change.
void api_begin_change(foresee *f);
kept_rules api_keep_rules(foresee *f, const char *name);
void api_put_back(foresee *f, const kept_rules *k, const char *name);
void api_drop_kept(kept_rules *k);
// Names shipped rule files in a text from malloc as they are called everywhere, predicates/x.dl,
// wherever they are installed. NULL is a no-op.
void api_shorten(const foresee *f, char *text);
// Forgets the list of predicates: the rules have changed.
void api_forget_catalog(foresee *f);
// Frees the connection itself, after its last query.
void api_free(foresee *f);
// The same text with its own 0, for foresee_free; NULL: no memory.
char *api_copy(const char *text);

#endif

// query/log/fact.h - tables as predicates: those of the log (facts.def), those that rule files map
// (`:- table`), and facts from memory.
#ifndef FORESEE_QUERY_FACT_H
#define FORESEE_QUERY_FACT_H

#include "query/rows/relation.h"
#include "schema/columns.h"
#include "schema/store/store.h"

typedef struct fact_holding fact_holding;

// The place of a part of a directive.
typedef struct fact_place {
    int line, column;
} fact_place;

// A table that a rule file maps, as the directive says it.
typedef struct fact_origin {
    const char *file;
    fact_place name, from;
    const char **args, **types; // names of the arguments, and their types as written
    fact_place *arg_places;
    const char **columns; // of the table
    fact_place *column_places;
    uint32_t column_count;
    const char *episode; // column that says of which episode a row is, or NULL
    fact_place episode_place;
    int key; // the argument that rows are looked up by, or -1: those that have an index
} fact_origin;

typedef struct fact {
    const char *name;
    uint32_t arity;
    const char *kinds;                  // a letter for each argument: see facts.def
    const char *columns, *source, *key; // SQL, a condition, position and column of the index
    record_kind table;                  // whose ids of the episode bound the rows
    const char *doc;
    const char *from;             // instead of `table`: a table or view, whose ids mean nothing
    const fact_origin *origin;    // NULL: of the log itself
    uint32_t slot;                // where its rows are kept; given by facts_declare
    uint32_t keyed;               // of a mapped one: arguments that rows can be looked up by (bits)
    bool has_rowid;               // of a mapped one: its rows have ids
    struct fact_holding *holding; // of facts in memory: who shares them; NULL: of the database
    relation *held;               // their rows
} fact;

// Finds a fact of the log; program_fact knows mapped tables and facts from memory, too.
const fact *fact_find(const char *name, uint32_t arity); // NULL: there is none
const fact *fact_at(size_t i);                           // NULL past the last
// More rows of a fact of the log, of another table (MORE in facts.def); NULL: there are none.
const fact *fact_more(const fact *f);
bool fact_column_is_time(const fact *f, uint32_t column);
const char *fact_table(const fact *f); // name of the table or view that it reads
// Returns the argument among those in `bound` (a bit each) that rows are best looked up by, or -1.
int fact_key(const fact *f, uint32_t bound);
// Returns the letter of a type of `:- table`; 0: there is none of this name.
char fact_kind(const char *type);
// Returns how many columns of the table an argument takes.
uint32_t fact_kind_columns(char kind);
const char *const *fact_types(size_t *count); // names of the types

// Facts in memory: `count` times `arity` values of a table, none of them VALUE_NONE. `source` is
// what they are called in proofs, `serial` tells them from others that went by their name before.
// On OK *out is to be released. E_LIMIT, E_MEMORY, E_INTERRUPTED.
status fact_hold(const char *source, const char *name, uint32_t arity, uint32_t serial,
                 const value *rows, size_t count, budget *b, fact **out);
// Copies the facts for another table of values.
status fact_hold_copy(const fact *f, values *to, const values *from, uint32_t serial, budget *b,
                      fact **out);
const fact *fact_share(const fact *f); // once more; it lives until the last has released it
void fact_release(const fact *f);      // NULL is a no-op

typedef struct facts facts;
// Reads the episode's names. The store must outlive it.
status facts_create(store *s, const store_episode *e, values *v, budget *b, facts **out,
                    error *err);
void facts_destroy(facts *f); // NULL is a no-op
// Checks that the database has the tables and columns of mapped facts, and prepares facts_load; the
// SQL lives in `a`. Rows of a table that is mapped as before stay. E_INPUT with the mistakes.
status facts_declare(facts *f, fact *const *all, size_t count, arena *a, errors *list);
// Loads the relation of a predicate, all of it, or at least the rows whose column `bound` is `key`
// where that column has an index (pass bound < 0 for all). Borrowed until facts_destroy; it may
// grow.
status facts_load(facts *f, const fact *what, int bound, value key, relation **out, error *err);
// Returns how many rows the predicate has or may have.
uint32_t facts_size(facts *f, const fact *what);
// Returns whether it is known without reading it that the table has no rows.
bool facts_have_none(facts *f, const fact *what);
// Finds the id of the table's row that gives this row; 0: none does, or its rows have no ids (a
// view, WITHOUT ROWID). *table becomes the name of the table.
status facts_cite(facts *f, const fact *what, const value *row, int64_t *id, const char **table,
                  error *err);
// Returns the row id of a name in the table object; 0: there is none.
int64_t facts_object(const facts *f, value name);
// Returns the seconds spent reading the database so far.
double facts_load_seconds(const facts *f);

#endif

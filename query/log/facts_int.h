// query/log/facts_int.h - what the tables of facts (fact.c), reading them (facts.c) and mapping
// tables of one's own (facts_tables.c) share.
#ifndef FORESEE_QUERY_FACTS_INT_H
#define FORESEE_QUERY_FACTS_INT_H

#include "query/log/fact.h"

// A prepared look-up by one argument.
typedef struct lookup {
    const fact *what; // whose table it reads
    int arg;
    sqlite3_stmt *stmt;
} lookup;

typedef struct loaded {
    const fact *more; // its rows of another table, where the log has them there; NULL: none
    relation *rows;
    relation *partitions; // (argument, key) that are in
    bool whole;
    uint64_t spent;  // steps of SQLite's machine for look-ups so far
    uint32_t likely; // how many rows a table that is mapped may have
    ARRAY(lookup) lookups;
    char *mapped; // of a mapped table: all that says what it reads; NULL: the slot is free
} loaded;

// The ids that rows of one kind have in the episode, or those of what they are keyed by.
typedef struct id_range {
    bool known;
    int64_t first, end;
    bool counted;  // of a kind without ids
    uint32_t rows; // how many there may be
} id_range;

// Names by the ids of their rows, in order.
typedef struct named {
    int64_t id;
    value name;
} named;
typedef ARRAY(named) named_rows;

struct facts {
    store *store;
    store_episode episode;
    values *values;
    budget *budget;
    arena *arena; // of terms being read
    ARRAY(loaded) tables;
    id_range ranges[RECORD_KINDS];
    relation *objects; // name, id
    named_rows object_names, believed_names, agent_names;
    value none;
    double seconds; // spent reading
};

extern const uint32_t facts_built_in; // how many slots belong to the log's own facts
size_t fact_index(const fact *f);     // of one of them: its slot
// The SQL condition, which begins with AND, that rows meet whose argument is ?3 or, where it names
// an object of a mapped table, ?4. False: rows cannot be looked up by it.
bool fact_key_condition(const fact *f, int arg, char *out, size_t size);
void facts_clear_slot(loaded *l);

#endif

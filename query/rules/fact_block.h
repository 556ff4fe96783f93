// query/rules/fact_block.h - facts of a rule file, kept as rows, since a file may hold many.
//
// Facts of one name and arity in a file, such as edge(3, 17)., are one clause of their source that
// stands for all of them: a row and a place in the text for each. A caller that asks for one of the
// facts gets a clause of its own. Constants are numbers, symbols, strings, and terms of these; a
// fact that is written otherwise, over several lines or with escapes, is a clause like others.
//
// Owns:      the rows, and the clauses that were asked for.
// Invariant: fact i of a clause with the id n has the id n + i.
#ifndef FORESEE_QUERY_FACT_BLOCK_H
#define FORESEE_QUERY_FACT_BLOCK_H

#include "base/symtab.h"
#include "query/rows/value.h"
#include "query/rules/source.h"

// The place of every 64th fact is kept, so that the place of any fact is found by reading a few
// lines.
#define FACT_BLOCK_PER_PLACE 64

typedef struct fact_block_place {
    uint32_t at;
    int line, column;
} fact_block_place;

struct fact_block {
    uint32_t arity, count;
    ARRAY(value) rows;
    ARRAY(uint32_t) at; // where each begins in the text of its source
    ARRAY(fact_block_place) places;
    symtab *numbers; // of the facts in asked_for; NULL: no fact was asked for
    ARRAY(clause *) asked_for;
};

// The clauses of facts of a source that is being read.
typedef struct fact_block_reader {
    rule_source *source;
    values *values;
    symtab *names; // and arities
    ARRAY(clause *) clauses;
    clause *last;
    bool failed; // there was no memory for a row
} fact_block_reader;

// Takes the fact that begins at the reader and moves the reader behind it. False: no fact begins
// there, and the reader has not moved.
bool fact_block_read(fact_block_reader *s, reader *r);
size_t fact_block_bytes(const fact_block_reader *s); // of all rows
void fact_block_finish(fact_block_reader *s);
void fact_block_destroy(fact_block *f); // NULL is a no-op

// Returns fact i as a clause without its term, enough to say where the fact stands.
clause fact_block_at(const clause *c, uint32_t i);
// Returns fact i as a clause, which lives as long as the source.
clause *fact_block_clause(const clause *c, uint32_t i);
// Replaces each clause that stands for many facts by one clause for each fact, where `which` says
// so.
void fact_block_unfold(rule_source *s, bool (*which)(const clause *c, void *context),
                       void *context);
// Calls `found` for each fact that also stands in an earlier place.
void fact_block_twins(const clause *c,
                      void (*found)(void *context, const clause *later, const clause *earlier),
                      void *context);
// Returns a hash of all rows: blocks with the same facts in the same order have the same one.
uint64_t fact_block_hash(const fact_block *f);

#endif

// query/rules/source.h - rule files as they were read: their clauses and directives, in order.
//
// Owns:      the texts of the files and the terms read from them.
// Invariant: a clause keeps its id as long as its file and its text stay what they are, also when
// the file is loaded again.
#ifndef FORESEE_QUERY_SOURCE_H
#define FORESEE_QUERY_SOURCE_H

#include "base/mem.h"
#include "base/term/term.h"

typedef struct rule_source rule_source;
typedef struct fact_block fact_block; // fact_block.h

typedef struct clause {
    const term *head, *body; // body NULL: a fact. Of a library both are NULL until it is read
    rule_source *source;     // NULL: made by the engine
    const char *file;
    const char *name;     // of the head
    uint32_t file_number; // in the order of loading
    uint32_t id;          // from 1; 0: of a query
    int line, column;     // of the head
    size_t at, length;    // where its text stands in the source
    uint32_t twin;        // id of a clause of the same text in the same file; 0: none
    uint64_t hash;        // of its text and form; 0: not known yet
    bool broken;          // it cannot be read
    bool lowered;         // to rules
    bool flawed;          // a mistake was found then
    // Of a sentence of a flaw (flaw_form.h); NULL: the clause stands as it is written.
    const struct flaw_clause *form;
    fact_block *facts; // the facts that it stands for, of which it looks like the first; NULL: it
                       // stands for itself
} clause;

// The place of a directive in its source.
typedef struct text_place {
    size_t at;
    int line, column;
} text_place;

struct rule_source {
    const char *name;
    uint32_t number;
    bool library; // its clauses are read when something asks for them
    arena *arena;
    const char *text;
    size_t length;
    size_t unstated; // bytes of directives, and of clauses that are not kept as rows of facts
    size_t counted;  // bytes taken from the budget
    struct budget *budget;
    ARRAY(clause *) clauses;
    ARRAY(text_place) directives;
    bool found;                   // all its clauses: its directives alone are read again
    const struct flaw_form *flaw; // whose sentences are being found; NULL: none
    bool flaw_lost; // the sentences that are being found belong to a flaw that cannot be read
    struct module *module;   // what it exports and imports; NULL: nothing
    const struct fact *held; // facts in memory, in place of a text; NULL: there is a text
};

struct program;
// Bytes of the innermost fund that a byte of text may need while it is read or found.
#define SOURCE_FUND_PER_BYTE 24
// Reads a text. The clauses of a library are only found, not read. Directives go to the program.
// Mistakes of form go to `list`; the clauses that can be read are there nevertheless. NULL: memory
// or the budget is out.
rule_source *source_create(struct program *p, const char *name, const char *text, size_t length,
                           bool library, errors *list);
void source_destroy(rule_source *s); // NULL is a no-op
// Makes the source one of facts in memory.
void source_hold(rule_source *s, const struct fact *f);
// Gives the directives of the source to the program again.
void source_direct(rule_source *s, struct program *p);
// A clause that begins there, to be filled in.
clause *source_add_clause(rule_source *s, size_t at);
// Returns a hash of the text of a clause, and of which clause of a sentence it is.
uint64_t source_clause_hash(const clause *c);
// Moves over a blank, a comment, a name, a number, a quoted text or a sign. False: over the '.'
// that ends a clause, or the text is over.
bool source_pass_token(reader *r);
// Reads a query, or a value that comes with one, as a term. E_INPUT also where a list has more
// items than a rule may write, since terms are walked by recursion.
status source_term(arena *a, const char *file, const char *text, const term **out, error *err);
// Reads a clause that was only found, unless it has been read. False: it cannot be read.
bool source_read(clause *c, errors *list);

#endif

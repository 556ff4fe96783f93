// query/rules/flaw_form.h - flaws declared with their sentences, which stand for clauses.
//
//     :- flaw dawdled(Task: task, Start: time) "A drive took longer than the plan has time for.".
//     when operation(_, Task, navigate, Start, E), threshold(dawdled, Most), E - Start > Most.
//     evidence duration = E - Start against dawdled :- operation(_, Task, navigate, Start, E).
//
// The directive declares flaw(dawdled(task: task, start: time)); a sentence belongs to the flaw
// that was declared last in its file. The second one above stands for the two clauses
//
//     flaw_evidence(dawdled(Task, Start), duration, V) :-
//         flaw(dawdled(Task, Start)), operation(_, Task, navigate, Start, E), V = E - Start.
//     flaw_evidence(dawdled(Task, Start), duration_threshold, V) :-
//         flaw(dawdled(Task, Start)), threshold(dawdled, V).
//
// Each clause has the place and the text of its sentence. Sentences are found when their file is
// loaded, and their terms are read when something asks for a clause of them.
#ifndef FORESEE_QUERY_FLAW_FORM_H
#define FORESEE_QUERY_FLAW_FORM_H

#include "query/rules/source.h"

typedef enum flaw_sentence_kind {
#define SENTENCE(id, word, predicate, about, many, form, doc) SENTENCE_##id,
#include "query/rules/flaw_form.def"
#undef SENTENCE
    SENTENCE_COUNT
} flaw_sentence_kind;

// A flaw that `:- flaw` declares. It lives in the arena of its source.
typedef struct flaw_argument {
    const char *variable, *name, *type; // Object, object, object
} flaw_argument;
typedef struct flaw_form {
    const char *name;
    const flaw_argument *arguments;
    uint32_t arity;
    uint64_t hash;     // of the directive's text
    size_t at, length; // of the directive
    int line, column;  // of the flaw's name
    bool has_time;     // a sentence says when it is
} flaw_form;

// A piece of a sentence's text.
typedef struct flaw_piece {
    size_t at, length; // length 0: there is none
    int line, column;
} flaw_piece;

// The clause of a sentence that is to be read from these pieces.
struct flaw_clause {
    const flaw_form *flaw;
    flaw_sentence_kind kind;
    flaw_piece item, second; // evidence drift = D against slip_distance; suggests slower: Edits
    flaw_piece goals;        // behind `:-`
    bool shared;             // the sentence stands for other clauses, too
    bool of_threshold;       // the clause for KEY_threshold
    uint32_t argument;       // counted from 1: of this argument of the flaw, without a sentence
};

// Begins a flaw: the sentences that follow in the source are its own. Gives it the clauses that
// follow from its arguments.
void flaw_form_begin(rule_source *s, const flaw_form *flaw);
// Ends the flaw whose sentences were read last, if there is one.
void flaw_form_end(rule_source *s);
// Returns whether the next clause is a sentence of a flaw, or is meant as one.
bool flaw_sentence_ahead(const rule_source *s, const reader *r);
// Finds the clauses of the sentence that begins here; the reader stands behind it then. Mistakes of
// form go to `list`. False: there is no memory for it.
bool flaw_sentence_find(rule_source *s, reader *r, errors *list);
// Reads such a clause as a term.
status flaw_clause_term(const clause *c, const term **out, error *err);
// A number of the clause's flaw and of its place in the sentence: clauses of one text differ in it.
uint64_t flaw_clause_hash(const clause *c);

#endif

// query/why/proof.h - why an answer holds, and why a goal does not.
//
// Every row and piece carries the rule that gave it and the round in which it did; premises come
// from earlier rounds. A proof is rebuilt from that when it is asked for, from the conclusion back
// to the rows of the log, so that recording costs two words a row. It is a tree of plain data in
// the arena it was made in: printing and checking need no engine.
#ifndef FORESEE_QUERY_PROOF_H
#define FORESEE_QUERY_PROOF_H

#include "query/engine.h"

typedef enum proof_kind {
    PROOF_ANSWER,    // several goals, each proved: of a query, or of a way through an aggregate
    PROOF_RULE,      // a rule of a file gives it: `file`, `line`; the body's literals, each proved
    PROOF_STATED,    // a fact of a rule file
    PROOF_LOG,       // a row of the log: `table`, `row`
    PROOF_COMPUTED,  // a comparison, arithmetic, builtin or signal, with its values
    PROOF_WITHIN,    // asked at a time: its one part holds on an interval that fits
    PROOF_ABSENT,    // a negation: no row is there; `count` rows were looked through
    PROOF_AGGREGATE, // the rows of its group
    PROOF_MERGED,    // an interval: what covers it, piece by piece
    PROOF_EPISODE,   // in another episode
    PROOF_SEEN,      // proved above, at `same`
    PROOF_CUT        // too deep to be shown: `count` more steps, which rest on `premises`
} proof_kind;

// Rows of the log, or facts of rule files, that steps which are not shown rest on.
typedef struct proof_premise {
    const char *predicate; // name/arity, or holds_w(on/2)
    uint64_t count;        // as often as they are used
} proof_premise;

typedef struct proof proof;
struct proof {
    proof_kind kind;
    uint32_t step;    // numbered from 1 in the order of printing; seen: where it was proved
    const term *what; // ground: the atom, the comparison with its values, the aggregate's result
    const char *file, *rule; // of a rule or fact: where it stands, its text as written
    int line;
    const char *table; // of the log
    int64_t row;       // its id; 0: its rows have none
    bool held;         // the table is none: facts from memory, by the name they were given
    uint64_t count;    // absent: rows looked through; aggregate, merged: all parts, shown or not
    const proof *same; // seen
    const proof **parts;
    size_t part_count;
    const proof_premise *premises; // cut: the most frequent first
    size_t premise_count;
};

// How far one rule for a goal gets: how many of its goals hold at once, and the first that does
// not.
typedef struct obstacle {
    const char *file, *rule; // NULL: a table of the log, or no rule has this head
    int line;
    int64_t episode; // in_episode: the one in which it was looked; 0: the one that is asked
    size_t literals, reached; // of the body; how many of them some bindings satisfied at once
    const term *failing;      // the first literal that failed, with the values it had
    int failing_line;
    const char *nearest;         // the nearest miss in time or value, as a sentence, or NULL
    const struct denial *deeper; // why the failing literal's own goal does not hold, or NULL
} obstacle;
typedef struct denial {
    const term *goal;
    const obstacle *rules;
    size_t rule_count;
    const char *note; // a sentence where there is more to say ("no object is named ...")
} denial;

typedef struct proof_options {
    size_t answers;    // of the goal, proved each; 0: 3
    size_t parts_most; // of an aggregate or merged interval that are shown; 0: 8
    uint32_t depth;    // of nested steps; 0: 60; at most 500
} proof_options;

// Proofs of the first answers of `goal`, a query. *count = 0: it has none. All lives in `a`. The
// list says what was wrong, as with engine_query.
status engine_why(engine *e, arena *a, const char *file, const char *goal, const proof_options *opt,
                  const proof ***out, size_t *count, errors *list);
// Why `goal` has no answer. E_USAGE with a message in the list: it has one.
status engine_why_not(engine *e, arena *a, const char *file, const char *goal,
                      const proof_options *opt, const denial **out, errors *list);

// Write proofs and denials as text for people, or as JSON (docs/query.md). The caller frees *out.
status proofs_text(const proof *const *proofs, size_t count, char **out);
status proofs_json(const proof *const *proofs, size_t count, char **out);
status denial_text(const denial *d, char **out);
status denial_json(const denial *d, char **out);

#endif

// tests/query/why/proof_checker.h - replays proofs without the engine that made them.
//
// It reads the JSON of a proof, the texts of the rules and the log itself, with a connection of its
// own, and repeats every step: the conclusion is an instance of the head of the clause that is
// cited, its goals are the conclusions of the parts in order, comparisons and arithmetic come out
// as they are shown, cited rows of the log hold what is said, covered intervals are covered, and
// nothing rests on itself. That a row is absent it asks of whoever it is told to ask.
#ifndef FORESEE_TESTS_QUERY_PROOF_CHECKER_H
#define FORESEE_TESTS_QUERY_PROOF_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct proof_rules {
    const char *file, *text; // by the name under which the engine loaded it
} proof_rules;

typedef struct proof_world {
    const proof_rules *rules;
    size_t rule_count;
    const char *log; // path
    int64_t episode; // its id
    double end;      // of it, seconds
    // Whether a goal holds, as somebody else derives it: for what a proof says is absent. NULL:
    // then only tables of the log are looked at.
    bool (*holds)(void *context, const char *goal);
    void *context;
    bool whole; // refuse proofs that leave out steps, rows or pieces
} proof_world;

// Whether every step of the proofs in `json` (proofs_json) is right. Otherwise `why` says what is
// not.
bool proof_replay(const proof_world *w, const char *json, char *why, size_t size);

#endif

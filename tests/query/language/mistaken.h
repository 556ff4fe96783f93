// tests/query/language/mistaken.h - sessions of mistaken questions and rules: what the shipped
// rules, their examples and the documentation write, with arguments swapped, dropped and added,
// names misspelt, values of other kinds, and terms nested in one another. The same seed draws the
// same session.
#ifndef FORESEE_TESTS_QUERY_MISTAKEN_H
#define FORESEE_TESTS_QUERY_MISTAKEN_H

#include "base/term/term.h"

typedef struct mistaken {
    arena *arena;                // of what is drawn
    ARRAY(const term *) written; // clauses and goals as they were written
    uint64_t state;              // of the draws
} mistaken;

// Reads every clause, example and code in the shipped rules and the documentation.
void mistaken_open(mistaken *m);
void mistaken_close(mistaken *m);
void mistaken_seed(mistaken *m, uint64_t seed);
uint32_t mistaken_draw(mistaken *m, uint32_t below);
// What is drawn lives until the next seed.
const char *mistaken_goal(mistaken *m);  // without its '.'
const char *mistaken_rules(mistaken *m); // one to three clauses
const char *mistaken_fact(mistaken *m);  // without its '.'

#endif

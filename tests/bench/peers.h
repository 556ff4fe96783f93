// tests/bench/peers.h - a program asked of our engine and of others, on the same clauses, in one
// run.
//
// Ours is timed from the text of the program to the sorted answers, proofs recorded; a peer from
// the start of its process to its end, printing one number. Seconds are those of the processor, so
// that other work on the machine counts less. One that the machine has not is said to be missing.
#ifndef FORESEE_TESTS_BENCH_PEERS_H
#define FORESEE_TESTS_BENCH_PEERS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "query/engine.h"

typedef ARRAY(char) clauses;
void put(clauses *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Numbers under n, the same ones again after draw_from(seed).
void draw_from(uint64_t seed);
uint32_t draw(uint32_t n);

// A line of the result; one that is not said to hold counts as missed.
void judge(const char *what, double x, const char *unit, bool holds, const char *target);
void say(const char *what, double x, const char *unit);
int judged_missed(void);

// The log that ours is asked of: one episode without rows. Opened once.
void peers_open(void);
void peers_close(void);
store *peers_log(void);
void stop_on(status s, const errors *list);

typedef struct measured {
    double all, query; // seconds: with reading the program; the query alone
    int64_t answer;    // the last column of the one row
    size_t bytes;      // that the engine holds
} measured;
// Medians of at most 16 times.
measured ours(const clauses *program, const char *query, size_t times, bool forget);

// Seconds of a process, or why there are none.
#define PEER_SLOW (-1.0)    // it took too long
#define PEER_MISSING (-2.0) // the machine has none
#define PEER_UNASKED (-3.0) // it would derive all of what ours is asked a part of
double clingo(const clauses *program, const char *count, int64_t expected, size_t times);
// With a rule for answer(N).
double clingo_answer(const clauses *program, const char *rule, int64_t expected, size_t times);
double swipl(const clauses *program, const char *tables, const char *goal, int64_t expected,
             size_t times);
// With a goal that binds N.
double swipl_answer(const clauses *program, const char *tables, const char *goal, int64_t expected,
                    size_t times);
// With declarations, rules, and one for answer(n).
double souffle(const clauses *facts, const char *rules, int64_t expected, size_t times);
double better(double a, double b); // of two times, one of which may be none
void say_peer(const char *what, double seconds);

#endif

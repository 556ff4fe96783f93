// report/evidence/decide.h - which samples are still worth a projection.
//
// A decision is given outcomes in the order of (row, candidate), a row being one seed for all
// candidates, and depends on nothing else: the same outcomes give the same decision, whatever the
// number of workers and the order in which they end. It is taken anew after each row.
#ifndef FORESEE_REPORT_EVIDENCE_DECIDE_H
#define FORESEE_REPORT_EVIDENCE_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/evidence/paired.h"

typedef enum decision_rule {
    DECIDE_ROWS,   // every candidate gets all rows
    DECIDE_SURE,   // ends when one candidate is better than every other
    DECIDE_RACE,   // and a candidate leaves when another is better
    DECIDE_BUDGET, // successive halving (Karnin, Koren & Somekh 2013)
    DECIDE_ACCEPT  // the sequential probability ratio test of one candidate (Wald 1945)
} decision_rule;
typedef enum decision_status {
    DECISION_OPEN, // the rows are not over
    DECISION_UNDECIDED,
    DECISION_SURE,     // `best` is better than every other candidate
    DECISION_HALVED,   // `best` is left when the budget is spent; how sure that is, the pairs say
    DECISION_ACCEPTED, // the rate is the higher one
    DECISION_REJECTED  // the rate is the lower one
} decision_status;
typedef enum sample_answer { ANSWER_NONE, ANSWER_FAILED, ANSWER_SUCCEEDED } sample_answer;

typedef struct decision_options {
    decision_rule rule;
    size_t candidates;     // at least 1
    int64_t rows;          // of DECIDE_BUDGET: what the budget gives
    int64_t budget;        // projections in all, of DECIDE_BUDGET
    double alpha;          // error of a comparison; of DECIDE_ACCEPT both errors
    double accept, reject; // rates, reject < accept
} decision_options;

typedef struct decision decision;
decision *decision_create(const decision_options *o);
void decision_destroy(decision *d); // NULL is a no-op

// Returns whether this sample is wanted, as far as the outcomes so far tell: of the next one in
// order that is final, of a later one it may change.
bool decision_wants(const decision *d, int64_t row, size_t candidate);
// Takes the outcome of the next sample in order that is wanted. A sample without an answer takes
// part in no comparison.
void decision_take(decision *d, int64_t row, size_t candidate, sample_answer answer);

decision_status decision_state(const decision *d); // OPEN becomes UNDECIDED by decision_end
void decision_end(decision *d);                    // no further outcome will come
size_t decision_best(const decision *d); // of those that are left: the highest rate, the first such
int64_t decision_after(const decision *d,
                       size_t candidate); // rows after which it left; 0: it did not
const paired_counts *decision_pair(const decision *d, size_t a, size_t b); // a < b
// The fewest projections that successive halving needs: one for each candidate in each round.
int64_t decision_budget_least(size_t candidates);
// The rows that a candidate can get at most under a budget.
int64_t decision_budget_rows(size_t candidates, int64_t budget);
// The logarithm of the likelihood ratio of DECIDE_ACCEPT: k ln(p1/p0) + (n-k) ln((1-p1)/(1-p0)).
double decision_log_ratio(const decision *d);

#endif

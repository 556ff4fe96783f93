// report/evidence/paired.h - two plans over the same seeds: each seed is a pair of outcomes.
//
// What decides is the e-value: it may be looked at after every pair, and as often as one likes, and
// still errs in at most alpha of the comparisons of equal plans. The p-value holds for a number of
// pairs that was fixed before.
#ifndef FORESEE_REPORT_EVIDENCE_PAIRED_H
#define FORESEE_REPORT_EVIDENCE_PAIRED_H

#include <stddef.h>
#include <stdint.h>

typedef struct paired_counts {
    int64_t both, only_a, only_b, neither; // seeds with which these plans succeeded
} paired_counts;
typedef enum paired_verdict {
    PAIRED_UNDECIDED,
    PAIRED_A_BETTER,
    PAIRED_B_BETTER,
    PAIRED_ALIKE
} paired_verdict;

int64_t paired_total(const paired_counts *c);
// Gives the difference of the rates, a minus b, with its limits at 95 %: method 10 of Newcombe
// (1998, Statistics in Medicine 17, 2635-2650), from Wilson's limits of both rates and the
// correlation phi with its correction for continuity. [-1, 1] without pairs.
void paired_difference(const paired_counts *c, double *difference, double *low, double *high);
// Returns the exact p of McNemar's test: min(1, 2 P(Bin(only_a + only_b, 1/2) <= min)).
double paired_p(const paired_counts *c);
// Returns the logarithm of the e-value against "both plans win a discordant seed equally often":
// E = B(only_a + 1/2, only_b + 1/2) / B(1/2, 1/2) * 2^(only_a + only_b), the mixture of likelihood
// ratios under Jeffreys' prior (Robbins 1970; Howard, Ramdas, McAuliffe & Sekhon 2021).
double paired_log_e(const paired_counts *c);
// Returns the logarithm that log E has to reach for one of `candidates` plans to be called better
// than another at error `alpha`: (candidates - 1) / alpha.
double paired_threshold(size_t candidates, double alpha);
// Judges the pair: better where log E reaches the threshold; else alike where the limits of the
// difference lie within `margin` of 0; else undecided.
paired_verdict paired_judge(const paired_counts *c, double threshold, double margin);

#endif

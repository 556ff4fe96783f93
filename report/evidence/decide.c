// report/evidence/decide.c - stopping rules over rows of outcomes.
#include "report/evidence/decide.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

typedef struct decision_candidate {
    int64_t succeeded, answered;
    int64_t after; // rows after which it left; 0: it is in the race
    sample_answer now;
} decision_candidate;

struct decision {
    decision_options o;
    decision_candidate *candidates;
    paired_counts *pairs; // of a < b at b (b - 1) / 2 + a
    int64_t row;          // that is being taken
    size_t left;          // candidates in the race
    int64_t limit;        // rows of the rounds so far
    int round;            // of successive halving, from 0
    double threshold;
    decision_status state;
};

static size_t pair_index(size_t a, size_t b) {
    return b * (b - 1) / 2 + a;
}

// Returns the rounds of successive halving: the ceiling of the binary logarithm.
static int halving_rounds(size_t candidates) {
    int rounds = 0;
    while (((size_t)1 << rounds) < candidates)
        rounds++;
    return rounds;
}

// Returns the rows that each of `left` candidates gets in one round.
static int64_t halving_rows(size_t left, int64_t budget, int rounds) {
    return budget / ((int64_t)left * (rounds > 0 ? rounds : 1));
}

int64_t decision_budget_least(size_t candidates) {
    return (int64_t)candidates * halving_rounds(candidates);
}

int64_t decision_budget_rows(size_t candidates, int64_t budget) {
    int rounds = halving_rounds(candidates);
    int64_t rows = 0;
    size_t left = candidates;
    for (int i = 0; i < rounds; i++, left = (left + 1) / 2)
        rows += halving_rows(left, budget, rounds);
    return rows;
}

decision *decision_create(const decision_options *o) {
    decision *d = mem_must(1, sizeof *d);
    d->o = *o;
    d->left = o->candidates;
    d->candidates = mem_must(o->candidates, sizeof *d->candidates);
    d->pairs = mem_must(o->candidates * (o->candidates - 1) / 2 + 1, sizeof *d->pairs);
    d->threshold = paired_threshold(o->candidates, o->alpha);
    d->limit = o->rule == DECIDE_BUDGET
                   ? halving_rows(d->left, o->budget, halving_rounds(o->candidates))
                   : o->rows;
    return d;
}

void decision_destroy(decision *d) {
    if (!d)
        return;
    free(d->candidates);
    free(d->pairs);
    free(d);
}

bool decision_wants(const decision *d, int64_t row, size_t candidate) {
    return d->state == DECISION_OPEN && row < d->limit && d->candidates[candidate].after == 0;
}

// ---- The end of a row

static bool is_better(const decision *d, size_t a, size_t b) {
    const paired_counts *c = decision_pair(d, a < b ? a : b, a < b ? b : a);
    return paired_judge(c, d->threshold, 0) == (a < b ? PAIRED_A_BETTER : PAIRED_B_BETTER);
}

static void count_row(decision *d) {
    for (size_t b = 1; b < d->o.candidates; b++)
        for (size_t a = 0; a < b; a++) {
            sample_answer x = d->candidates[a].now, y = d->candidates[b].now;
            paired_counts *c = &d->pairs[pair_index(a, b)];
            if (x == ANSWER_NONE || y == ANSWER_NONE)
                continue;
            c->both += x == ANSWER_SUCCEEDED && y == ANSWER_SUCCEEDED;
            c->only_a += x == ANSWER_SUCCEEDED && y == ANSWER_FAILED;
            c->only_b += x == ANSWER_FAILED && y == ANSWER_SUCCEEDED;
            c->neither += x == ANSWER_FAILED && y == ANSWER_FAILED;
        }
    for (size_t i = 0; i < d->o.candidates; i++)
        d->candidates[i].now = ANSWER_NONE;
}

// A candidate leaves when one that is still there is better. All of a row are judged by the same
// outcomes, so that their order does not matter.
static void drop_beaten(decision *d) {
    bool *beaten = mem_must(d->o.candidates, sizeof *beaten);
    size_t count = 0;
    for (size_t b = 0; b < d->o.candidates; b++) {
        for (size_t a = 0; a < d->o.candidates && d->candidates[b].after == 0; a++)
            beaten[b] = beaten[b] || (a != b && d->candidates[a].after == 0 && is_better(d, a, b));
        count += beaten[b];
    }
    // Where samples gave no answer, candidates may beat one another in a circle; all of them stay.
    for (size_t i = 0; i < d->o.candidates; i++)
        if (beaten[i] && count < d->left)
            d->candidates[i].after = d->row + 1;
    d->left -= count < d->left ? count : 0;
    free(beaten);
    if (d->left == 1)
        d->state = DECISION_SURE;
}

static void look_for_best(decision *d) {
    size_t best = decision_best(d);
    for (size_t i = 0; i < d->o.candidates; i++)
        if (i != best && !is_better(d, best, i))
            return;
    d->state = DECISION_SURE;
}

static double success_rate(const decision_candidate *c) {
    return c->answered ? (double)c->succeeded / (double)c->answered : 0;
}

// Half of the candidates leave at the end of a round, those with the lowest rates, the last first.
static void halve(decision *d) {
    size_t stay = (d->left + 1) / 2;
    while (d->left > stay) {
        size_t worst = d->o.candidates;
        for (size_t i = 0; i < d->o.candidates; i++)
            if (d->candidates[i].after == 0 &&
                (worst == d->o.candidates ||
                 success_rate(&d->candidates[i]) <= success_rate(&d->candidates[worst])))
                worst = i;
        d->candidates[worst].after = d->row + 1;
        d->left--;
    }
    d->round++;
    if (d->left == 1)
        d->state = DECISION_HALVED;
    else
        d->limit += halving_rows(d->left, d->o.budget, halving_rounds(d->o.candidates));
}

double decision_log_ratio(const decision *d) {
    const decision_candidate *c = &d->candidates[0];
    double won = (double)c->succeeded, lost = (double)(c->answered - c->succeeded);
    return won * log(d->o.accept / d->o.reject) + lost * log1p(-d->o.accept) -
           lost * log1p(-d->o.reject);
}

static void test_ratio(decision *d) {
    // ln((1 - beta) / alpha) and ln(beta / (1 - alpha)), with beta = alpha
    double bound = log((1 - d->o.alpha) / d->o.alpha), ratio = decision_log_ratio(d);
    if (ratio >= bound)
        d->state = DECISION_ACCEPTED;
    else if (ratio <= -bound)
        d->state = DECISION_REJECTED;
}

static void end_row(decision *d) {
    count_row(d);
    switch (d->o.rule) {
    case DECIDE_ROWS:
        break;
    case DECIDE_SURE:
        look_for_best(d);
        break;
    case DECIDE_RACE:
        drop_beaten(d);
        break;
    case DECIDE_BUDGET:
        if (d->row + 1 == d->limit)
            halve(d);
        break;
    case DECIDE_ACCEPT:
        test_ratio(d);
        break;
    }
    d->row++;
}

void decision_take(decision *d, int64_t row, size_t candidate, sample_answer answer) {
    ASSERT(row == d->row && decision_wants(d, row, candidate));
    decision_candidate *c = &d->candidates[candidate];
    c->now = answer;
    c->answered += answer != ANSWER_NONE;
    c->succeeded += answer == ANSWER_SUCCEEDED;
    for (size_t i = candidate + 1; i < d->o.candidates; i++)
        if (d->candidates[i].after == 0)
            return;
    end_row(d);
}

// ---- What came of it

void decision_end(decision *d) {
    if (d->state == DECISION_OPEN)
        d->state = DECISION_UNDECIDED;
}

decision_status decision_state(const decision *d) {
    return d->state;
}

size_t decision_best(const decision *d) {
    size_t best = d->o.candidates;
    for (size_t i = 0; i < d->o.candidates; i++)
        if (d->candidates[i].after == 0 &&
            (best == d->o.candidates ||
             success_rate(&d->candidates[i]) > success_rate(&d->candidates[best])))
            best = i;
    return best < d->o.candidates ? best : 0;
}

int64_t decision_after(const decision *d, size_t candidate) {
    return d->candidates[candidate].after;
}

const paired_counts *decision_pair(const decision *d, size_t a, size_t b) {
    return &d->pairs[pair_index(a, b)];
}

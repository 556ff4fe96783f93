// projector/world/dynamics/bounded.c - block principal pivoting.
#include "projector/world/dynamics/bounded.h"
#include "base/mem.h"
#include "projector/world/dynamics/lanes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { ROWS_TOGETHER = 4 };                   // of the factor
enum { PATIENCE = 4 };                        // exchanges that get no better
enum { ROUNDS_LEAST = 200, ROUNDS_EACH = 4 }; // rounds at most: these, and so many an unknown
static const double ROUNDING = 1e-11;         // of the largest b or x: what counts as equal

void bounded_begin(bounded *p, size_t count) {
    if (count > p->capacity) {
        bounded_finish(p);
        size_t n = p->capacity = count + count / 2;
        p->a = mem_must(n * n, sizeof *p->a);
        p->factor = mem_must(n * n, sizeof *p->factor);
        double *columns = mem_must(6 * n, sizeof *columns);
        p->b = columns, p->lo = columns + n, p->hi = columns + 2 * n, p->x = columns + 3 * n;
        p->inverse = columns + 4 * n, p->rest = columns + 5 * n;
        p->at = mem_must(n, sizeof *p->at);
        p->first = mem_must(n, sizeof *p->first);
    }
    p->count = count;
    p->factored = 0;
    for (size_t i = 0; i < count; i++) {
        memset(p->a + i * count, 0, (i + 1) * sizeof *p->a);
        p->lo[i] = -INFINITY, p->hi[i] = INFINITY;
        p->at[i] = 0;
        p->first[i] = i;
    }
}

void bounded_finish(bounded *p) {
    free(p->a);
    free(p->factor);
    free(p->b);
    free(p->at);
    free(p->first);
    *p = (bounded){0};
}

// The sum of products, in four parts that a processor can add at once.
static inline double dot(const double *a, const double *b, size_t count) {
    lanes low = {0, 0}, high = {0, 0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        low += lanes_at(a + i) * lanes_at(b + i);
        high += lanes_at(a + i + 2) * lanes_at(b + i + 2);
    }
    low += high;
    double sum = low[0] + low[1];
    for (; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

// The same of several rows with one, which is read once for all of them.
static inline void dot_rows(double *const rows[ROWS_TOGETHER], size_t at, const double *b,
                            size_t count, double sums[ROWS_TOGETHER]) {
    lanes low[ROWS_TOGETHER] = {{0}}, high[ROWS_TOGETHER] = {{0}};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        lanes b_low = lanes_at(b + i), b_high = lanes_at(b + i + 2);
        for (size_t r = 0; r < ROWS_TOGETHER; r++) {
            low[r] += lanes_at(rows[r] + at + i) * b_low;
            high[r] += lanes_at(rows[r] + at + i + 2) * b_high;
        }
    }
    for (size_t r = 0; r < ROWS_TOGETHER; r++) {
        low[r] += high[r];
        sums[r] = low[r][0] + low[r][1];
    }
    for (; i < count; i++)
        for (size_t r = 0; r < ROWS_TOGETHER; r++)
            sums[r] += rows[r][at + i] * b[i];
}

// The columns of a row of the factor from `j` on, and its diagonal.
static void find_row(bounded *p, size_t i, size_t j) {
    size_t n = p->count, from = p->first[i];
    const double *a = p->a + i * n;
    double *l = p->factor + i * n;
    for (; j < i; j++) {
        if (p->at[j]) {
            l[j] = 0;
            continue;
        }
        size_t k = p->first[j] > from ? p->first[j] : from;
        l[j] = (a[j] - dot(l + k, p->factor + j * n + k, j - k)) * p->inverse[j];
    }
    p->inverse[i] = 1 / sqrt(fmax(a[i] - dot(l + from, l + from, i - from), ROUNDING * a[i]));
}

// The columns that come before all of some rows, which begin at the same one.
static void find_columns(bounded *p, const size_t rows[ROWS_TOGETHER]) {
    size_t n = p->count, from = p->first[rows[0]];
    double *l[ROWS_TOGETHER], sums[ROWS_TOGETHER];
    for (size_t r = 0; r < ROWS_TOGETHER; r++)
        l[r] = p->factor + rows[r] * n;
    for (size_t j = from; j < rows[0]; j++) {
        size_t k = p->first[j] > from ? p->first[j] : from;
        if (!p->at[j])
            dot_rows(l, k, p->factor + j * n + k, j - k, sums);
        for (size_t r = 0; r < ROWS_TOGETHER; r++)
            l[r][j] = p->at[j] ? 0 : (p->a[rows[r] * n + j] - sums[r]) * p->inverse[j];
    }
}

// Cholesky's factor of the rows between their bounds, as far as it is not known.
static void find_factor(bounded *p, size_t count) {
    size_t rows[ROWS_TOGETHER], gathered = 0;
    for (size_t i = p->factored; i <= count; i++) {
        if (i < count && p->at[i])
            continue;
        bool joins = i < count && (gathered == 0 || p->first[i] == p->first[rows[0]]);
        if (joins)
            rows[gathered++] = i;
        if (joins && gathered < ROWS_TOGETHER)
            continue;
        bool all = gathered == ROWS_TOGETHER;
        if (all)
            find_columns(p, rows);
        for (size_t r = 0; r < gathered; r++)
            find_row(p, rows[r], all ? rows[0] : p->first[rows[r]]);
        gathered = 0;
        if (!joins && i < count)
            rows[gathered++] = i;
    }
    p->factored = count;
}

// What the unknowns at their bounds are, and what that makes the others.
static void find_unknowns(bounded *p, size_t count) {
    size_t n = p->count;
    double *rest = p->rest;
    memcpy(rest, p->b, count * sizeof *rest);
    for (size_t j = 0; j < count; j++) {
        if (!p->at[j])
            continue;
        p->x[j] = p->at[j] < 0 ? p->lo[j] : p->hi[j];
        for (size_t i = p->first[j]; p->x[j] != 0 && i < count; i++)
            rest[i] -= (i < j ? p->a[j * n + i] : p->a[i * n + j]) * p->x[j];
    }
    for (size_t i = 0; i < count; i++) {
        size_t from = p->first[i];
        rest[i] = p->at[i] ? 0
                           : (rest[i] - dot(p->factor + i * n + from, rest + from, i - from)) *
                                 p->inverse[i];
    }
    for (size_t i = count; i-- > 0;) {
        if (p->at[i])
            continue;
        double x = p->x[i] = rest[i] * p->inverse[i];
        const double *l = p->factor + i * n;
        for (size_t k = p->first[i]; k < i; k++)
            rest[k] -= l[k] * x;
    }
}

// A x - b of one equation.
static double residual(const bounded *p, size_t count, size_t i) {
    size_t n = p->count, from = p->first[i];
    double sum = dot(p->a + i * n + from, p->x + from, i + 1 - from);
    for (size_t j = i + 1; j < count; j++)
        if (p->first[j] <= i)
            sum += p->a[j * n + i] * p->x[j];
    return sum - p->b[i];
}

// Which side the unknown belongs on, by what was found with it where it is.
static int belongs(const bounded *p, size_t count, size_t i, double least, double rounding) {
    if (p->at[i] == 0)
        return p->x[i] < p->lo[i] - least ? -1 : p->x[i] > p->hi[i] + least ? 1 : 0;
    double r = residual(p, count, i);
    return p->lo[i] == p->hi[i] || (p->at[i] < 0 ? r >= -rounding : r <= rounding) ? p->at[i] : 0;
}

bool bounded_solve(bounded *p, size_t count) {
    size_t best = SIZE_MAX, patience = PATIENCE;
    double rounding = 0;
    for (size_t i = 0; i < count; i++) {
        rounding = fmax(rounding, ROUNDING * fabs(p->b[i]));
        // What has no such bound, or no way between them, cannot be there.
        if ((p->at[i] < 0 && !isfinite(p->lo[i])) || (p->at[i] > 0 && !isfinite(p->hi[i])))
            p->at[i] = 0, p->factored = i < p->factored ? i : p->factored;
        if (p->at[i] == 0 && p->lo[i] == p->hi[i])
            p->at[i] = -1, p->factored = i < p->factored ? i : p->factored;
    }
    for (size_t round = 0; round < ROUNDS_LEAST + ROUNDS_EACH * count; round++) {
        find_factor(p, count);
        find_unknowns(p, count);
        double least = 0;
        for (size_t i = 0; i < count; i++) {
            if (!isfinite(p->x[i]))
                return false;
            least = fmax(least, ROUNDING * fabs(p->x[i]));
        }
        size_t wrong = 0, last = 0;
        for (size_t i = 0; i < count; i++) {
            int side = belongs(p, count, i, least, rounding);
            if (side != p->at[i])
                wrong++, last = i, p->rest[i] = side;
            else
                p->rest[i] = p->at[i];
        }
        if (wrong == 0)
            return true;
        if (wrong < best)
            best = wrong, patience = PATIENCE;
        else if (patience > 0)
            patience--;
        for (size_t i = patience > 0 ? 0 : last; i < count; i++) {
            int side = (int)p->rest[i];
            if (side != p->at[i]) {
                p->at[i] = (signed char)side;
                p->factored = i < p->factored ? i : p->factored;
            }
        }
    }
    return false;
}

// report/batch/rates.c - counts the results of samples, and writes their rates as text and as JSON.
#include "report/batch/rates.h"
#include "base/text/json.h"

#include <math.h>
#include <stdio.h>

void tally_add(tally *t, const char *plan) {
    tally_candidate c = {0};
    snprintf(c.plan, sizeof c.plan, "%s", plan);
    array_push(&t->candidates, c);
}

void tally_sample(tally *t, size_t candidate, int64_t seed, const char *outcome, nanos end) {
    (void)seed;
    tally_candidate *c = &t->candidates.items[candidate];
    c->samples++;
    if (strcmp(outcome, "succeeded") == 0)
        c->succeeded++;
    else if (strcmp(outcome, "failed") == 0)
        c->failed++;
    else if (strcmp(outcome, "invalid") == 0)
        c->invalid++;
    else
        c->incomplete++;
    if (strcmp(outcome, "succeeded") == 0 || strcmp(outcome, "failed") == 0)
        array_push(&c->durations, end);
}

void tally_flaw(tally *t, size_t candidate, int64_t seed, const char *name, bool root) {
    tally_candidate *c = &t->candidates.items[candidate];
    for (size_t i = 0; i < c->kinds.count; i++) {
        tally_kind *k = &c->kinds.items[i];
        if (k->root == root && strcmp(k->name, name) == 0) {
            if (k->last_seed != seed)
                k->count++;
            k->last_seed = seed;
            return;
        }
    }
    tally_kind k = {.root = root, .count = 1, .first_seed = seed, .last_seed = seed};
    snprintf(k.name, sizeof k.name, "%s", name);
    array_push(&c->kinds, k);
}

const tally_candidate *tally_at(const tally *t, size_t i) {
    return &t->candidates.items[i];
}

static int by_time(const void *a, const void *b) {
    nanos x = *(const nanos *)a, y = *(const nanos *)b;
    return (x > y) - (x < y);
}

// Returns the value at share `p` of the sorted durations, by nearest rank; -1: there is none.
static nanos duration_quantile(const tally_candidate *c, double p) {
    size_t n = c->durations.count;
    if (n == 0)
        return -1;
    nanos *sorted = mem_must(n, sizeof *sorted);
    memcpy(sorted, c->durations.items, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_time);
    size_t rank = (size_t)ceil(p * (double)n);
    nanos value = sorted[rank ? rank - 1 : 0];
    free(sorted);
    return value;
}

static double success_rate(const tally_candidate *c) {
    return c->samples ? (double)c->succeeded / (double)c->samples : 0;
}

// Orders candidates, the best first; equal ones keep their order.
static int by_merit(const void *a, const void *b) {
    const tally_candidate *x = *(const tally_candidate *const *)a,
                          *y = *(const tally_candidate *const *)b;
    double rx = success_rate(x), ry = success_rate(y);
    if (rx != ry)
        return rx < ry ? 1 : -1;
    nanos mx = duration_quantile(x, 0.5), my = duration_quantile(y, 0.5);
    if (mx != my)
        return mx > my ? 1 : -1;
    return x < y ? -1 : 1;
}

static int by_count(const void *a, const void *b) {
    const tally_kind *x = a, *y = b;
    if (x->root != y->root)
        return x->root ? -1 : 1;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->name, y->name);
}

// Returns the candidates in order of merit, and sorts the kinds of each by their counts. The caller
// frees the array.
static const tally_candidate **rank_candidates(const tally *t) {
    const tally_candidate **order = mem_must(t->candidates.count + 1, sizeof *order);
    for (size_t i = 0; i < t->candidates.count; i++) {
        order[i] = &t->candidates.items[i];
        if (order[i]->kinds.count)
            qsort(order[i]->kinds.items, order[i]->kinds.count, sizeof(tally_kind), by_count);
    }
    qsort(order, t->candidates.count, sizeof *order, by_merit);
    return order;
}

void tally_text(const tally *t, text_buffer *out) {
    const tally_candidate **order = rank_candidates(t);
    for (size_t i = 0; i < t->candidates.count; i++) {
        const tally_candidate *c = order[i];
        double low, high;
        rate_interval(c->succeeded, c->samples, &low, &high);
        text_add(out, "%s%s\n  succeeded %lld of %lld: %.0f %% (%.0f to %.0f)", i ? "\n" : "",
                 c->plan, (long long)c->succeeded, (long long)c->samples, 100 * success_rate(c),
                 100 * low, 100 * high);
        if (c->invalid)
            text_add(out, ", invalid %lld", (long long)c->invalid);
        if (c->incomplete)
            text_add(out, ", incomplete %lld", (long long)c->incomplete);
        if (c->durations.count)
            text_add(out, "\n  duration  median %.1f s, 90 %% within %.1f s",
                     seconds(duration_quantile(c, 0.5)), seconds(duration_quantile(c, 0.9)));
        text_put(out, "\n");
        for (size_t k = 0; k < c->kinds.count; k++) {
            const tally_kind *f = &c->kinds.items[k];
            rate_interval(f->count, c->samples, &low, &high);
            text_add(out, "  %-24s %-5s %4lld  %3.0f %% (%.0f to %.0f)  first with seed %lld\n",
                     f->name, f->root ? "root" : "", (long long)f->count,
                     100.0 * (double)f->count / (double)c->samples, 100 * low, 100 * high,
                     (long long)f->first_seed);
        }
    }
    free(order);
}

static void put_rate(text_buffer *out, int64_t count, int64_t n) {
    double low, high;
    rate_interval(count, n, &low, &high);
    text_put(out, "\"rate\": ");
    json_number(out, n ? (double)count / (double)n : 0);
    text_put(out, ", \"low\": ");
    json_number(out, low);
    text_put(out, ", \"high\": ");
    json_number(out, high);
}

static void put_quantile(text_buffer *out, nanos value) {
    if (value < 0)
        text_put(out, "null");
    else
        json_seconds(out, value);
}

void tally_json(const tally *t, text_buffer *out) {
    const tally_candidate **order = rank_candidates(t);
    text_put(out, "{ \"schema\": 1, \"candidates\": [");
    for (size_t i = 0; i < t->candidates.count; i++) {
        const tally_candidate *c = order[i];
        text_put(out, i ? ",\n  { \"plan\": " : "\n  { \"plan\": ");
        json_string(out, c->plan);
        text_add(out,
                 ", \"samples\": %lld, \"succeeded\": %lld, \"failed\": %lld, \"invalid\": %lld, "
                 "\"incomplete\": %lld, ",
                 (long long)c->samples, (long long)c->succeeded, (long long)c->failed,
                 (long long)c->invalid, (long long)c->incomplete);
        put_rate(out, c->succeeded, c->samples);
        text_put(out, ",\n    \"duration\": { \"median\": ");
        put_quantile(out, duration_quantile(c, 0.5));
        text_put(out, ", \"p90\": ");
        put_quantile(out, duration_quantile(c, 0.9));
        text_put(out, " },\n    \"flaws\": [");
        for (size_t k = 0; k < c->kinds.count; k++) {
            const tally_kind *f = &c->kinds.items[k];
            text_put(out, k ? ",\n      { \"name\": " : "\n      { \"name\": ");
            json_string(out, f->name);
            text_add(out, ", \"root\": %s, \"count\": %lld, ", f->root ? "true" : "false",
                     (long long)f->count);
            put_rate(out, f->count, c->samples);
            text_add(out, ", \"first_seed\": %lld }", (long long)f->first_seed);
        }
        text_put(out, c->kinds.count ? "\n    ] }" : "] }");
    }
    text_put(out, t->candidates.count ? "\n] }\n" : "] }\n");
    free(order);
}

void tally_finish(tally *t) {
    for (size_t i = 0; i < t->candidates.count; i++) {
        array_finish(&t->candidates.items[i].durations);
        array_finish(&t->candidates.items[i].kinds);
    }
    array_finish(&t->candidates);
}

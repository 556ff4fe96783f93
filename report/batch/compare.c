// report/batch/compare.c - pairs the samples of two plans by their seeds.
#include "report/batch/compare.h"

#include <math.h>

static bool shows(const results *r, const result_sample *s, uint32_t name) {
    for (size_t i = 0; i < s->flaw_count; i++) {
        const result_flaw *f = &r->flaws.items[s->first_flaw + i];
        if (f->root && f->name == name)
            return true;
    }
    return false;
}

// The pairs of samples that both have an answer, by seed.
typedef struct pairing {
    const result_sample **a, **b;
    size_t count;
    int64_t unanswered;
} pairing;

static pairing pair_samples(const results *r, size_t a, size_t b) {
    size_t n, m, i = 0, k = 0;
    pairing p = {.a = results_of_plan(r, a, &n), .b = results_of_plan(r, b, &m)};
    while (i < n && k < m) {
        const result_sample *x = p.a[i], *y = p.b[k];
        i += x->seed <= y->seed;
        k += y->seed <= x->seed;
        if (x->seed != y->seed)
            continue;
        if (results_answer(x) == ANSWER_NONE || results_answer(y) == ANSWER_NONE) {
            p.unanswered++;
            continue;
        }
        p.a[p.count] = x;
        p.b[p.count++] = y;
    }
    return p;
}

static void count_pairs(const pairing *p, comparison *c) {
    double *differences = mem_must(p->count + 1, sizeof *differences);
    size_t both = 0;
    for (size_t i = 0; i < p->count; i++) {
        bool x = results_answer(p->a[i]) == ANSWER_SUCCEEDED,
             y = results_answer(p->b[i]) == ANSWER_SUCCEEDED;
        c->counts.both += x && y;
        c->counts.only_a += x && !y;
        c->counts.only_b += !x && y;
        c->counts.neither += !x && !y;
        if (x && y)
            differences[both++] = seconds(p->b[i]->end - p->a[i]->end);
        else if (x)
            array_push(&c->only_a, p->a[i]);
        else if (y)
            array_push(&c->only_b, p->b[i]);
    }
    c->duration = shift_estimate(differences, both);
    free(differences);
}

// Finds in which of the pairs one plan alone shows the flaw.
static flaw_change find_change(const results *r, const pairing *p, uint32_t name) {
    flaw_change f = {.name = name};
    for (size_t i = 0; i < p->count; i++) {
        bool x = shows(r, p->a[i], name), y = shows(r, p->b[i], name);
        f.only_a += x && !y;
        f.only_b += y && !x;
    }
    bool gone = f.only_a > f.only_b;
    for (size_t i = 0; i < p->count && f.only_a != f.only_b; i++) {
        const result_sample *mine = gone ? p->a[i] : p->b[i], *other = gone ? p->b[i] : p->a[i];
        if (shows(r, mine, name) && !shows(r, other, name))
            array_push(&f.witnesses, mine);
    }
    return f;
}

static int by_witnesses(const void *a, const void *b) {
    const flaw_change *x = a, *y = b;
    if (x->witnesses.count != y->witnesses.count)
        return x->witnesses.count < y->witnesses.count ? 1 : -1;
    return (x->name > y->name) - (x->name < y->name);
}

static void find_changes(const results *r, const pairing *p, comparison *c) {
    bool *seen = mem_must(symtab_count(r->texts) + 1, sizeof *seen);
    for (size_t i = 0; i < r->flaws.count; i++) {
        uint32_t name = r->flaws.items[i].name;
        if (!r->flaws.items[i].root || seen[name])
            continue;
        seen[name] = true;
        flaw_change f = find_change(r, p, name);
        if (f.only_a > f.only_b)
            array_push(&c->gone, f);
        else if (f.only_b > f.only_a)
            array_push(&c->added, f);
    }
    free(seen);
    if (c->gone.count)
        qsort(c->gone.items, c->gone.count, sizeof(flaw_change), by_witnesses);
    if (c->added.count)
        qsort(c->added.items, c->added.count, sizeof(flaw_change), by_witnesses);
}

void comparison_make(const results *r, size_t a, size_t b, const comparison_rule *rule,
                     comparison *out) {
    comparison c = {.a = a, .b = b};
    pairing p = pair_samples(r, a, b);
    c.unanswered = p.unanswered;
    count_pairs(&p, &c);
    find_changes(r, &p, &c);
    double of_a, low, high; // the rate of a minus that of b
    paired_difference(&c.counts, &of_a, &low, &high);
    c.difference = 0 - of_a;
    c.low = 0 - high;
    c.high = 0 - low;
    c.p = paired_p(&c.counts);
    c.log_e = paired_log_e(&c.counts);
    c.verdict = paired_judge(&c.counts, rule->threshold, rule->margin);
    free(p.a);
    free(p.b);
    *out = c;
}

static void finish_changes(flaw_change *items, size_t count) {
    for (size_t i = 0; i < count; i++)
        array_finish(&items[i].witnesses);
}

void comparison_finish(comparison *c) {
    finish_changes(c->gone.items, c->gone.count);
    finish_changes(c->added.items, c->added.count);
    array_finish(&c->gone);
    array_finish(&c->added);
    array_finish(&c->only_a);
    array_finish(&c->only_b);
}

const char *verdict_word(paired_verdict v) {
    return v == PAIRED_A_BETTER   ? "worse"
           : v == PAIRED_B_BETTER ? "better"
           : v == PAIRED_ALIKE    ? "alike"
                                  : "undecided";
}

int64_t comparison_seeds_needed(const comparison *c, const comparison_rule *rule) {
    int64_t n = paired_total(&c->counts);
    if (c->verdict != PAIRED_UNDECIDED || c->counts.only_a == c->counts.only_b)
        return 0;
    for (int64_t more = n; more <= 100 * n; more += 1 + more / 50) {
        double scale = (double)more / (double)n;
        paired_counts grown = {.only_a = llround(scale * (double)c->counts.only_a),
                               .only_b = llround(scale * (double)c->counts.only_b)};
        if (paired_log_e(&grown) >= rule->threshold)
            return more;
    }
    return 0;
}

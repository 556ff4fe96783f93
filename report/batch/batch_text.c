// report/batch/batch_text.c - a batch as text for people.
#include "report/batch/batch_report.h"

#include <math.h>

#include "report/evidence/binomial.h"
#include "report/evidence/rank.h"

static void put_rate(text_buffer *out, int64_t count, int64_t n) {
    double low, high;
    rate_exact(count, n, 0.05, &low, &high);
    text_add(out, "%3.0f %% (%.0f to %.0f)", n ? 100 * (double)count / (double)n : 0, 100 * low,
             100 * high);
}

// One line of bins, each as dark as its share of the fullest.
static void put_bins(const int64_t *bins, const char *what, text_buffer *out) {
    static const char levels[] = " .:-=+*#";
    int64_t most = 0, sum = 0;
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        most = bins[i] > most ? bins[i] : most;
        sum += bins[i];
    }
    if (sum == 0)
        return;
    char line[HISTOGRAM_BINS + 1] = "";
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        int64_t level = bins[i] ? 1 + bins[i] * 6 / most : 0;
        line[i] = levels[level];
    }
    text_add(out, "  [%s] %s %lld\n", line, what, (long long)sum);
}

static void put_durations(const plan_summary *s, text_buffer *out) {
    const duration_histogram *h = &s->histogram;
    if (s->durations.count == 0)
        return;
    text_add(out, "  duration  median %.1f s, 90 %% within %.1f s; from %.0f to %.0f s:\n",
             seconds(summary_quantile(s, 0.5)), seconds(summary_quantile(s, 0.9)), h->from,
             h->from + HISTOGRAM_BINS * h->width);
    put_bins(h->succeeded, "succeeded", out);
    put_bins(h->failed, "failed", out);
}

static void put_places(const results *r, const flaw_kind *k, text_buffer *out) {
    enum { PLACES_MAX = 3 };
    for (size_t i = 0; i < k->places.count && i < PLACES_MAX && k->root; i++) {
        const flaw_place_count *p = &k->places.items[i];
        const char *path = results_text(r, p->path), *body = results_text(r, p->body);
        text_add(out, "      %lld%s%s%s%s\n", (long long)p->count, path[0] ? " at " : "", path,
                 body[0] ? " with " : "", body);
    }
}

static void put_plan(const batch_report *b, const plan_summary *s, text_buffer *out) {
    const results *r = b->results;
    text_add(out, "%s\n  succeeded %lld of %lld:", r->names.items[s->plan], (long long)s->succeeded,
             (long long)s->samples);
    put_rate(out, s->succeeded, s->samples);
    if (s->invalid)
        text_add(out, ", no answer %lld", (long long)s->invalid);
    if (s->incomplete)
        text_add(out, ", incomplete %lld", (long long)s->incomplete);
    if (b->decision && decision_after(b->decision, s->plan))
        text_add(out, "; out after %lld seeds", (long long)decision_after(b->decision, s->plan));
    text_put(out, "\n");
    put_durations(s, out);
    for (size_t k = 0; k < s->kinds.count; k++) {
        const flaw_kind *f = &s->kinds.items[k];
        text_add(out, "  %-24s %-5s %4lld  ", results_text(r, f->name), f->root ? "root" : "",
                 (long long)f->count);
        put_rate(out, f->count, s->samples);
        text_add(out, "  first with seed %lld\n", (long long)f->first_seed);
        put_places(r, f, out);
    }
    text_put(out, "\n");
}

static void put_changes(const results *r, const char *word, const flaw_change *items, size_t count,
                        text_buffer *out) {
    for (size_t i = 0; i < count; i++) {
        const flaw_change *f = &items[i];
        int64_t back = f->only_a < f->only_b ? f->only_a : f->only_b;
        text_add(out, "  %s  %-24s ", word, results_text(r, f->name));
        batch_seeds(f->witnesses.items, f->witnesses.count, out);
        if (back)
            text_add(out, "; the other way round with %lld", (long long)back);
        text_put(out, "\n");
    }
}

static void put_pair(const batch_report *b, size_t from, size_t to, text_buffer *out) {
    const results *r = b->results;
    comparison_rule rule = batch_rule(b);
    comparison c;
    comparison_make(r, from, to, &rule, &c);
    const paired_counts *n = &c.counts;
    text_add(out, "%s instead of %s, %lld common seeds: %s\n", r->names.items[to],
             r->names.items[from], (long long)paired_total(n), verdict_word(c.verdict));
    text_add(out,
             "  both succeed %lld, it alone %lld, the other alone %lld, neither %lld\n  rate "
             "%+.0f %% (%+.0f to %+.0f), e-value %.3g of the %.3g that decide, p %.2g\n",
             (long long)n->both, (long long)n->only_b, (long long)n->only_a, (long long)n->neither,
             100 * c.difference, 100 * c.low, 100 * c.high, exp(c.log_e), exp(rule.threshold), c.p);
    if (c.unanswered)
        text_add(out, "  without an answer %lld\n", (long long)c.unanswered);
    if (c.duration.pairs) {
        text_add(out, "  takes %.1f s %s", fabs(c.duration.value),
                 c.duration.value < 0 ? "less" : "more");
        if (c.duration.bounded)
            text_add(out, " (%+.1f to %+.1f)", c.duration.low, c.duration.high);
        text_add(out, ", over the %zu seeds with which both succeed\n", c.duration.pairs);
    }
    put_changes(r, "gone", c.gone.items, c.gone.count, out);
    put_changes(r, "new ", c.added.items, c.added.count, out);
    text_put(out, "\n");
    comparison_finish(&c);
}

static void put_sensitivity(const batch_report *b, text_buffer *out) {
    const results *r = b->results;
    text_put(out, "success against parameters, Spearman's rank correlation at 95 %\n");
    for (size_t plan = 0; plan < r->plans.count; plan++)
        for (size_t i = 0; i < r->parameters.count; i++) {
            rank_correlation c = results_correlate(r, plan, i);
            text_add(out, "  %s  %s: ", r->names.items[plan], r->parameters.items[i].name);
            if (c.varies)
                text_add(out, "%+.2f (%+.2f to %+.2f), %zu samples\n", c.value, c.low, c.high, c.n);
            else
                text_put(out, "either does not vary, or is no number\n");
        }
    text_put(out, "\n");
}

void batch_text(const batch_report *b, text_buffer *out) {
    const results *r = b->results;
    plan_summary *ranked = summaries_make(r);
    for (size_t i = 0; i < r->plans.count; i++)
        put_plan(b, &ranked[i], out);
    // Of two plans the second is the change; of more the best is told from every other.
    size_t best = b->decision ? decision_best(b->decision) : ranked[0].plan;
    if (r->plans.count == 2)
        put_pair(b, 0, 1, out);
    for (size_t i = 0; i < r->plans.count && r->plans.count > 2; i++)
        if (ranked[i].plan != best)
            put_pair(b, ranked[i].plan, best, out);
    if (b->sensitivity)
        put_sensitivity(b, out);
    batch_sentence(b, ranked, out);
    if (batch_saved(b) > 0)
        text_add(out, " %lld projections were saved.", (long long)batch_saved(b));
    text_put(out, "\n");
    summaries_free(ranked, r->plans.count);
}

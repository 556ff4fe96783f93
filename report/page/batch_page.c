// report/page/batch_page.c - the page of a batch, from the pieces of batch.html.
#include "report/page/batch_page.h"

#include <math.h>

#include "report/evidence/binomial.h"
#include "report/page/html_int.h"

enum { SEEDS_MAX = 1000, WITNESSES_MAX = 8 };

typedef struct batch_page_state {
    html_page page; // what the pieces are filled through
    const batch_report *b;
    const results *r;
    ARRAY(int64_t) episodes;
} bpage;

static const char *percent(bpage *p, double share) {
    return arena_format(p->page.arena, "%.0f%%", 100 * share);
}

static const char *integer(bpage *p, int64_t n) {
    return arena_format(p->page.arena, "%lld", (long long)n);
}

// Links to the page of a sample's episode, where there are such pages.
static void put_link(bpage *p, const result_sample *s) {
    if (!s)
        return;
    if (s->episode)
        array_push(&p->episodes, s->episode);
    if (p->b->pages && s->episode)
        html_fill(&p->page, HTML_BATCH_LINK, "pages", p->b->pages, "episode",
                  integer(p, s->episode), "seed", integer(p, s->seed), NULL);
    else
        html_fill(&p->page, HTML_BATCH_SEED, "episode", integer(p, s->episode), "seed",
                  integer(p, s->seed), NULL);
}

static void put_text(bpage *p, const char *text) {
    html_fill(&p->page, HTML_BATCH_TEXT, "text", text, NULL);
}

static const result_sample *sample_of(const results *r, size_t plan, int64_t seed) {
    for (size_t i = 0; i < r->samples.count; i++)
        if (r->samples.items[i].plan == plan && r->samples.items[i].seed == seed)
            return &r->samples.items[i];
    return NULL;
}

// ---- Plans --------------------------------------------------------------------------------------

static void put_durations(bpage *p, const plan_summary *s) {
    const duration_histogram *h = &s->histogram;
    arena *a = p->page.arena;
    if (s->durations.count == 0)
        return;
    int64_t most = 1;
    for (int i = 0; i < HISTOGRAM_BINS; i++)
        most = h->succeeded[i] + h->failed[i] > most ? h->succeeded[i] + h->failed[i] : most;
    html_fill(&p->page, HTML_BATCH_DURATIONS, "median",
              arena_format(a, "%.1f s", seconds(summary_quantile(s, 0.5))), "p90",
              arena_format(a, "%.1f s", seconds(summary_quantile(s, 0.9))), "from",
              arena_format(a, "%.0f", h->from), "width", arena_format(a, "%.0f", h->width), NULL);
    for (int i = 0; i < HISTOGRAM_BINS; i++)
        for (int failed = 0; failed < 2; failed++) {
            int64_t n = failed ? h->failed[i] : h->succeeded[i];
            double height = 54 * (double)n / (double)most,
                   below = failed ? 54 * (double)h->succeeded[i] / (double)most : 0;
            if (n == 0)
                continue;
            html_fill(&p->page, HTML_BATCH_BAR, "class", failed ? "flaw root" : "flaw fixed", "x",
                      arena_format(a, "%.2f%%", 100.0 * i / HISTOGRAM_BINS), "y",
                      arena_format(a, "%.1f", 56 - below - height), "height",
                      arena_format(a, "%.1f", height), "text",
                      arena_format(a, "%lld %s from %.0f to %.0f s", (long long)n,
                                   failed ? "failed" : "succeeded", h->from + i * h->width,
                                   h->from + (i + 1) * h->width),
                      NULL);
        }
    html_fill_rest(&p->page, HTML_BATCH_DURATIONS, 1, NULL);
}

static const char *places_text(bpage *p, const flaw_kind *k) {
    text_buffer words = {0};
    for (size_t i = 0; i < k->places.count && i < 4; i++) {
        const flaw_place_count *at = &k->places.items[i];
        const char *path = results_text(p->r, at->path), *body = results_text(p->r, at->body);
        text_add(&words, "; %lld%s%s%s%s", (long long)at->count, path[0] ? " at " : "", path,
                 body[0] ? " with " : "", body);
    }
    const char *text = arena_strdup(p->page.arena, text_string(&words));
    text_finish(&words);
    return text;
}

static void put_plan(bpage *p, const plan_summary *s) {
    double low, high;
    rate_exact(s->succeeded, s->samples, 0.05, &low, &high);
    int64_t none = s->invalid + s->incomplete,
            after = p->b->decision ? decision_after(p->b->decision, s->plan) : 0;
    html_fill(&p->page, HTML_BATCH_PLAN, "plan", p->r->names.items[s->plan], "succeeded",
              integer(p, s->succeeded), "samples", integer(p, s->samples), "rate",
              percent(p, summary_rate(s)), "low", percent(p, low), "high", percent(p, high),
              "width", percent(p, high - low), "rest",
              arena_format(
                  p->page.arena, "%s%s",
                  none ? arena_format(p->page.arena, "; %lld gave no answer", (long long)none) : "",
                  after ? arena_format(p->page.arena, "; out of the race after %lld seeds",
                                       (long long)after)
                        : ""),
              NULL);
    put_durations(p, s);
    html_fill(&p->page, HTML_BATCH_FLAWS, NULL);
    for (size_t i = 0; i < s->kinds.count; i++) {
        const flaw_kind *k = &s->kinds.items[i];
        if (!k->root)
            continue;
        html_fill(&p->page, HTML_BATCH_FLAW, "name", results_text(p->r, k->name), "count",
                  integer(p, k->count), "rate", percent(p, (double)k->count / (double)s->samples),
                  NULL);
        put_link(p, sample_of(p->r, s->plan, k->first_seed));
        html_fill_rest(&p->page, HTML_BATCH_FLAW, 1, "places", places_text(p, k), NULL);
    }
    html_fill_rest(&p->page, HTML_BATCH_FLAWS, 1, NULL);
    html_fill_rest(&p->page, HTML_BATCH_PLAN, 1, NULL);
}

// ---- Pairs --------------------------------------------------------------------------------------

static void put_witnesses(bpage *p, const result_sample *const *samples, size_t count) {
    for (size_t i = 0; i < count && i < WITNESSES_MAX; i++) {
        if (i)
            put_text(p, ", ");
        put_link(p, samples[i]);
    }
    if (count > WITNESSES_MAX)
        put_text(p, ", ...");
}

static void put_changes(bpage *p, const char *heading, const flaw_change *items, size_t count) {
    if (count == 0)
        return;
    html_fill(&p->page, HTML_BATCH_CHANGES, "heading", heading, NULL);
    for (size_t i = 0; i < count; i++) {
        const flaw_change *f = &items[i];
        int64_t back = f->only_a < f->only_b ? f->only_a : f->only_b;
        html_fill(&p->page, HTML_BATCH_CHANGE, "name", results_text(p->r, f->name), "count",
                  arena_format(p->page.arena, "%zu seed%s", f->witnesses.count,
                               f->witnesses.count == 1 ? "" : "s"),
                  NULL);
        put_witnesses(p, f->witnesses.items, f->witnesses.count);
        html_fill_rest(
            &p->page, HTML_BATCH_CHANGE, 1, "back",
            back ? arena_format(p->page.arena, "; the other way round with %lld", (long long)back)
                 : NULL,
            NULL);
    }
    html_fill_rest(&p->page, HTML_BATCH_CHANGES, 1, NULL);
}

static void put_outcomes(bpage *p, const char *heading, const char *what,
                         const result_sample *const *samples, size_t count) {
    if (count == 0)
        return;
    html_fill(&p->page, HTML_BATCH_CHANGES, "heading", heading, NULL);
    html_fill(&p->page, HTML_BATCH_CHANGE, "name", what, "count",
              arena_format(p->page.arena, "%zu seed%s", count, count == 1 ? "" : "s"), NULL);
    put_witnesses(p, samples, count);
    html_fill_rest(&p->page, HTML_BATCH_CHANGE, 1, "back", NULL, NULL);
    html_fill_rest(&p->page, HTML_BATCH_CHANGES, 1, NULL);
}

static const char *duration_text(bpage *p, const shift *s) {
    if (s->pairs == 0)
        return NULL;
    const char *limits =
        s->bounded ? arena_format(p->page.arena, " (%+.1f to %+.1f)", s->low, s->high) : "";
    return arena_format(p->page.arena, "Where both succeed it takes %.1f s %s%s.", fabs(s->value),
                        s->value < 0 ? "less" : "more", limits);
}

static void put_pair(bpage *p, size_t from, size_t to) {
    comparison_rule rule = batch_rule(p->b);
    comparison c;
    arena *a = p->page.arena;
    comparison_make(p->r, from, to, &rule, &c);
    html_fill(&p->page, HTML_BATCH_PAIR, "a", p->r->names.items[from], "b", p->r->names.items[to],
              "class",
              c.verdict == PAIRED_B_BETTER   ? "succeeded"
              : c.verdict == PAIRED_A_BETTER ? "failed"
                                             : "",
              "verdict", verdict_word(c.verdict), "n", integer(p, paired_total(&c.counts)), "both",
              integer(p, c.counts.both), "only_a", integer(p, c.counts.only_a), "only_b",
              integer(p, c.counts.only_b), "neither", integer(p, c.counts.neither), "unanswered",
              c.unanswered ? arena_format(a, "; %lld more gave no answer", (long long)c.unanswered)
                           : NULL,
              "difference",
              arena_format(a, "%.0f points %s", 100 * fabs(c.difference),
                           c.difference < 0 ? "lower" : "higher"),
              "low", arena_format(a, "%+.0f", 100 * c.low), "high",
              arena_format(a, "%+.0f", 100 * c.high), "e",
              arena_format(a, "%.3g", exp(fmin(c.log_e, 700))), "limit",
              arena_format(a, "%.3g", exp(rule.threshold)), "duration",
              duration_text(p, &c.duration), NULL);
    put_outcomes(p, "Where it alone succeeds", "the other fails", c.only_b.items, c.only_b.count);
    put_outcomes(p, "Where it alone fails", "the other succeeds", c.only_a.items, c.only_a.count);
    put_changes(p, "Flaws that are gone", c.gone.items, c.gone.count);
    put_changes(p, "Flaws that are new", c.added.items, c.added.count);
    html_fill_rest(&p->page, HTML_BATCH_PAIR, 1, NULL);
    comparison_finish(&c);
}

static void put_pairs(bpage *p, const plan_summary *ranked) {
    size_t count = p->r->plans.count,
           best = p->b->decision ? decision_best(p->b->decision) : ranked[0].plan;
    if (count < 2)
        return;
    html_fill(&p->page, HTML_BATCH_PAIRS, NULL);
    if (count == 2)
        put_pair(p, 0, 1);
    for (size_t i = 0; i < count && count > 2; i++)
        if (ranked[i].plan != best)
            put_pair(p, ranked[i].plan, best);
    html_fill_rest(&p->page, HTML_BATCH_PAIRS, 1, NULL);
}

// ---- The rest -----------------------------------------------------------------------------------

static void put_sensitivity(bpage *p) {
    if (!p->b->sensitivity)
        return;
    html_fill(&p->page, HTML_BATCH_SENSITIVITY, NULL);
    for (size_t plan = 0; plan < p->r->plans.count; plan++)
        for (size_t i = 0; i < p->r->parameters.count; i++) {
            rank_correlation c = results_correlate(p->r, plan, i);
            html_fill(&p->page, HTML_BATCH_HANGS, "plan", p->r->names.items[plan], "parameter",
                      p->r->parameters.items[i].name, "value",
                      c.varies ? arena_format(p->page.arena, "%+.2f (%+.2f to %+.2f)", c.value,
                                              c.low, c.high)
                               : "either does not vary, or is no number",
                      NULL);
        }
    html_fill_rest(&p->page, HTML_BATCH_SENSITIVITY, 1, NULL);
}

// Samples stand in the order of (seed, plan), so that those of one seed follow one another.
static void put_samples(bpage *p) {
    const results *r = p->r;
    size_t rows = 0, i = 0, before = p->episodes.count;
    html_fill(&p->page, HTML_BATCH_SAMPLES, NULL);
    for (size_t plan = 0; plan < r->plans.count; plan++)
        html_fill(&p->page, HTML_BATCH_HEAD, "text", r->names.items[plan], NULL);
    html_fill_rest(&p->page, HTML_BATCH_SAMPLES, 1, NULL);
    while (i < r->samples.count && rows < SEEDS_MAX) {
        int64_t seed = r->samples.items[i].seed;
        html_fill(&p->page, HTML_BATCH_ROW, "seed", integer(p, seed), NULL);
        for (size_t plan = 0; plan < r->plans.count; plan++) {
            const result_sample *s = i < r->samples.count ? &r->samples.items[i] : NULL;
            bool there = s && s->seed == seed && s->plan == plan;
            html_fill(&p->page, HTML_BATCH_CELL, "outcome", there ? s->outcome : "", "episode",
                      there ? integer(p, s->episode) : "none", "end",
                      arena_format(p->page.arena, "%.1f", there ? seconds(s->end) : 0), NULL);
            if (there)
                put_text(p, s->outcome);
            html_fill_rest(&p->page, HTML_BATCH_CELL, 1, NULL);
            i += there;
        }
        html_fill_rest(&p->page, HTML_BATCH_ROW, 1, NULL);
        rows++;
    }
    html_fill_rest(&p->page, HTML_BATCH_SAMPLES, 2, "more",
                   i < r->samples.count
                       ? arena_format(p->page.arena, "And %zu more: --format json has them.",
                                      r->samples.count - i)
                       : NULL,
                   NULL);
    p->episodes.count = before;
}

static void put_page(bpage *p, text_buffer *out) {
    plan_summary *ranked = summaries_make(p->r);
    text_buffer verdict = {0}, title = {0};
    for (size_t i = 0; i < p->r->plans.count; i++)
        text_add(&title, "%s%s", i ? ", " : "", p->r->names.items[i]);
    batch_sentence(p->b, ranked, &verdict);
    html_fill(&p->page, HTML_BATCH, "title", text_string(&title), NULL);
    html_style(out);
    html_fill_rest(&p->page, HTML_BATCH, 1, "title", text_string(&title), "samples",
                   integer(p, (int64_t)p->r->samples.count), "log", p->b->log, "verdict",
                   text_string(&verdict), NULL);
    put_pairs(p, ranked);
    html_fill(&p->page, HTML_BATCH_PLANS, NULL);
    for (size_t i = 0; i < p->r->plans.count; i++)
        put_plan(p, &ranked[i]);
    html_fill_rest(&p->page, HTML_BATCH_PLANS, 1, NULL);
    put_sensitivity(p);
    put_samples(p);
    html_fill_rest(&p->page, HTML_BATCH, 2, "version", FORESEE_VERSION, NULL);
    html_script(out);
    html_fill_rest(&p->page, HTML_BATCH, 3, NULL);
    text_finish(&verdict);
    text_finish(&title);
    summaries_free(ranked, p->r->plans.count);
}

void batch_page(const batch_report *b, text_buffer *out) {
    bpage p = {.page = {.out = out, .arena = arena_create()}, .b = b, .r = b->results};
    put_page(&p, out);
    array_finish(&p.episodes);
    arena_destroy(p.page.arena);
}

static int by_number(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t *batch_page_episodes(const batch_report *b, size_t *count) {
    text_buffer nowhere = {0};
    bpage p = {.page = {.out = &nowhere, .arena = arena_create()}, .b = b, .r = b->results};
    put_page(&p, &nowhere);
    size_t n = 0;
    if (p.episodes.count)
        qsort(p.episodes.items, p.episodes.count, sizeof(int64_t), by_number);
    for (size_t i = 0; i < p.episodes.count; i++)
        if (n == 0 || p.episodes.items[n - 1] != p.episodes.items[i])
            p.episodes.items[n++] = p.episodes.items[i];
    *count = n;
    text_finish(&nowhere);
    arena_destroy(p.page.arena);
    return p.episodes.items;
}

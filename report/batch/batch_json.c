// report/batch/batch_json.c - a batch as one JSON document, as docs/batch.schema.json describes it.
#include "report/batch/batch_report.h"

#include <math.h>

#include "base/text/json.h"
#include "report/evidence/binomial.h"
#include "report/evidence/rank.h"

static void put_number(text_buffer *out, const char *lead, const char *name, double value) {
    text_add(out, "%s\"%s\": ", lead, name);
    json_number(out, value);
}

static void put_integer(text_buffer *out, const char *lead, const char *name, int64_t value) {
    text_add(out, "%s\"%s\": %lld", lead, name, (long long)value);
}

static void put_rate(text_buffer *out, int64_t count, int64_t n) {
    double low, high;
    rate_exact(count, n, 0.05, &low, &high);
    put_number(out, ", ", "rate", n ? (double)count / (double)n : 0);
    put_number(out, ", ", "low", low);
    put_number(out, ", ", "high", high);
}

static void put_quantile(text_buffer *out, const char *lead, const char *name, nanos value) {
    text_add(out, "%s\"%s\": ", lead, name);
    if (value < 0)
        text_put(out, "null");
    else
        json_seconds(out, value);
}

static void put_bins(text_buffer *out, const char *name, const int64_t *bins) {
    text_add(out, ", \"%s\": [", name);
    for (int i = 0; i < HISTOGRAM_BINS; i++)
        text_add(out, "%s%lld", i ? ", " : "", (long long)bins[i]);
    text_put(out, "]");
}

static void put_histogram(text_buffer *out, const duration_histogram *h) {
    put_number(out, ",\n    \"histogram\": { ", "from", h->from);
    put_number(out, ", ", "width", h->width);
    put_bins(out, "succeeded", h->succeeded);
    put_bins(out, "failed", h->failed);
    text_put(out, " }");
}

static void put_kind(text_buffer *out, const results *r, const flaw_kind *k, int64_t samples) {
    json_member(out, "\n      { ", "name", results_text(r, k->name));
    text_add(out, ", \"root\": %s", k->root ? "true" : "false");
    put_integer(out, ", ", "count", k->count);
    put_rate(out, k->count, samples);
    put_integer(out, ", ", "first_seed", k->first_seed);
    text_put(out, ", \"places\": [");
    for (size_t i = 0; i < k->places.count; i++) {
        const flaw_place_count *p = &k->places.items[i];
        json_member(out, i ? ", { " : " { ", "path", results_text(r, p->path));
        json_member(out, ", ", "body", results_text(r, p->body));
        put_integer(out, ", ", "count", p->count);
        put_integer(out, ", ", "first_seed", p->first_seed);
        text_put(out, " }");
    }
    text_put(out, k->places.count ? " ] }" : "] }");
}

static void put_candidate(text_buffer *out, const results *r, const plan_summary *s) {
    json_member(out, "\n  { ", "plan", r->plans.items[s->plan]);
    put_integer(out, ", ", "samples", s->samples);
    put_integer(out, ", ", "succeeded", s->succeeded);
    put_integer(out, ", ", "failed", s->failed);
    put_integer(out, ", ", "invalid", s->invalid);
    put_integer(out, ", ", "incomplete", s->incomplete);
    put_rate(out, s->succeeded, s->samples);
    put_quantile(out, ",\n    \"duration\": { ", "median", summary_quantile(s, 0.5));
    put_quantile(out, ", ", "p90", summary_quantile(s, 0.9));
    text_put(out, " }");
    put_histogram(out, &s->histogram);
    text_put(out, ",\n    \"flaws\": [");
    for (size_t k = 0; k < s->kinds.count; k++) {
        text_put(out, k ? "," : "");
        put_kind(out, r, &s->kinds.items[k], s->samples);
    }
    text_put(out, s->kinds.count ? "\n    ] }" : "] }");
}

static void put_seeds(text_buffer *out, const char *lead, const char *name,
                      const result_sample *const *samples, size_t count) {
    text_add(out, "%s\"%s\": [", lead, name);
    for (size_t i = 0; i < count; i++)
        text_add(out, "%s%lld", i ? ", " : "", (long long)samples[i]->seed);
    text_put(out, "]");
}

static void put_changes(text_buffer *out, const results *r, const char *name,
                        const flaw_change *items, size_t count) {
    text_add(out, ",\n    \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        json_member(out, i ? ",\n      { " : "\n      { ", "name", results_text(r, items[i].name));
        put_integer(out, ", ", "only_a", items[i].only_a);
        put_integer(out, ", ", "only_b", items[i].only_b);
        put_seeds(out, ", ", "seeds", items[i].witnesses.items, items[i].witnesses.count);
        text_put(out, " }");
    }
    text_put(out, count ? "\n    ]" : "]");
}

static void put_shift(text_buffer *out, const shift *s) {
    text_add(out, ",\n    \"duration\": { \"pairs\": %zu, \"shift\": ", s->pairs);
    if (s->pairs)
        json_number(out, s->value);
    else
        text_put(out, "null");
    text_put(out, ", \"low\": ");
    if (s->bounded)
        json_number(out, s->low);
    else
        text_put(out, "null");
    text_put(out, ", \"high\": ");
    if (s->bounded)
        json_number(out, s->high);
    else
        text_put(out, "null");
    text_put(out, " }");
}

static void put_pair(text_buffer *out, const results *r, const comparison *c) {
    const paired_counts *n = &c->counts;
    json_member(out, "\n  { ", "a", r->plans.items[c->a]);
    json_member(out, ", ", "b", r->plans.items[c->b]);
    put_integer(out, ", ", "n", paired_total(n));
    put_integer(out, ", ", "both", n->both);
    put_integer(out, ", ", "only_a", n->only_a);
    put_integer(out, ", ", "only_b", n->only_b);
    put_integer(out, ", ", "neither", n->neither);
    put_integer(out, ", ", "unanswered", c->unanswered);
    put_number(out, ",\n    ", "difference", c->difference);
    put_number(out, ", ", "low", c->low);
    put_number(out, ", ", "high", c->high);
    put_number(out, ", ", "p", c->p);
    put_number(out, ", ", "e", exp(fmin(c->log_e, 700)));
    json_member(out, ", ", "verdict", verdict_word(c->verdict));
    put_shift(out, &c->duration);
    put_changes(out, r, "flaws_gone", c->gone.items, c->gone.count);
    put_changes(out, r, "flaws_new", c->added.items, c->added.count);
    put_seeds(out, ",\n    \"witness_seeds\": { ", "only_a", c->only_a.items, c->only_a.count);
    put_seeds(out, ", ", "only_b", c->only_b.items, c->only_b.count);
    text_put(out, " } }");
}

static void put_pairs(text_buffer *out, const batch_report *b) {
    const results *r = b->results;
    comparison_rule rule = batch_rule(b);
    text_put(out, ", \"pairs\": [");
    bool first = true;
    for (size_t i = 0; i < r->plans.count; i++)
        for (size_t k = i + 1; k < r->plans.count; k++) {
            comparison c;
            comparison_make(r, i, k, &rule, &c);
            text_put(out, first ? "" : ",");
            put_pair(out, r, &c);
            comparison_finish(&c);
            first = false;
        }
    text_put(out, first ? "]" : "\n]");
}

static void put_decision(text_buffer *out, const batch_report *b, const plan_summary *ranked) {
    const results *r = b->results;
    size_t best = b->decision ? decision_best(b->decision) : ranked[0].plan;
    json_member(out, ",\n\"decision\": { ", "rule", batch_rule_name(b->rule));
    json_member(out, ", ", "status", batch_status_name(b));
    json_member(out, ", ", "best", r->plans.items[best]);
    text_put(out, ", \"eliminated\": [");
    bool first = true;
    for (size_t i = 0; b->decision && i < r->plans.count; i++)
        if (decision_after(b->decision, i)) {
            json_member(out, first ? " { " : ", { ", "plan", r->plans.items[i]);
            put_integer(out, ", ", "after", decision_after(b->decision, i));
            text_put(out, " }");
            first = false;
        }
    text_put(out, first ? "]" : " ]");
    put_integer(out, ", ", "saved", batch_saved(b));
    put_number(out, ", ", "alpha", b->alpha);
    put_number(out, ", ", "margin", b->margin);
    text_buffer sentence = {0};
    batch_sentence(b, ranked, &sentence);
    json_member(out, ", ", "sentence", text_string(&sentence));
    text_finish(&sentence);
    text_put(out, " }");
}

static void put_sensitivity(text_buffer *out, const batch_report *b) {
    const results *r = b->results;
    text_put(out, ",\n\"sensitivity\": [");
    bool first = true;
    for (size_t plan = 0; plan < r->plans.count; plan++)
        for (size_t i = 0; i < r->parameters.count; i++) {
            rank_correlation c = results_correlate(r, plan, i);
            json_member(out, first ? "\n  { " : ",\n  { ", "plan", r->plans.items[plan]);
            json_member(out, ", ", "parameter", r->parameters.items[i].name);
            json_member(out, ", ", "measure", "spearman");
            text_add(out, ", \"n\": %zu, \"value\": ", c.n);
            if (c.varies)
                json_number(out, c.value);
            else
                text_put(out, "null");
            put_number(out, ", ", "low", c.low);
            put_number(out, ", ", "high", c.high);
            text_put(out, " }");
            first = false;
        }
    text_put(out, first ? "]" : "\n]");
}

static void put_samples(text_buffer *out, const results *r) {
    text_put(out, ",\n\"samples\": [");
    for (size_t i = 0; i < r->samples.count; i++) {
        const result_sample *s = &r->samples.items[i];
        json_member(out, i ? ",\n  { " : "\n  { ", "plan", r->plans.items[s->plan]);
        put_integer(out, ", ", "seed", s->seed);
        if (s->episode)
            put_integer(out, ", ", "episode", s->episode);
        else
            text_put(out, ", \"episode\": null");
        json_member(out, ", ", "outcome", s->outcome);
        text_put(out, ", \"end_s\": ");
        json_seconds(out, s->end);
        text_put(out, ", \"roots\": [");
        bool first = true;
        for (size_t k = 0; k < s->flaw_count; k++) {
            const result_flaw *f = &r->flaws.items[s->first_flaw + k];
            if (!f->root)
                continue;
            text_put(out, first ? "" : ", ");
            json_string(out, results_text(r, f->name));
            first = false;
        }
        text_put(out, "] }");
    }
    text_put(out, r->samples.count ? "\n]" : "]");
}

void batch_json(const batch_report *b, text_buffer *out) {
    const results *r = b->results;
    plan_summary *ranked = summaries_make(r);
    text_put(out, "{ \"schema\": 1, \"candidates\": [");
    for (size_t i = 0; i < r->plans.count; i++) {
        text_put(out, i ? "," : "");
        put_candidate(out, r, &ranked[i]);
    }
    text_put(out, r->plans.count ? "\n]" : "]");
    put_pairs(out, b);
    put_decision(out, b, ranked);
    if (b->sensitivity)
        put_sensitivity(out, b);
    put_samples(out, r);
    text_put(out, " }\n");
    summaries_free(ranked, r->plans.count);
}

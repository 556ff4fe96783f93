// report/batch/results.c - collects samples, and sums them up for each plan.
#include "report/batch/results.h"

#include <math.h>

void results_add_plan(results *r, const char *plan, const char *name) {
    if (!r->texts) {
        r->texts = symtab_create();
        r->memory = arena_create();
    }
    array_push(&r->plans, arena_strdup(r->memory, plan));
    array_push(&r->names, arena_strdup(r->memory, name));
}

void results_add_parameter(results *r, const char *name) {
    array_push(&r->parameters, (result_parameter){.name = arena_strdup(r->memory, name)});
}

void results_add_sample(results *r, size_t plan, int64_t seed, const char *outcome, nanos end,
                        int64_t episode) {
    result_sample s = {.plan = plan,
                       .seed = seed,
                       .episode = episode,
                       .outcome = symtab_intern(r->texts, outcome, strlen(outcome)),
                       .end = end,
                       .first_flaw = r->flaws.count};
    array_push(&r->samples, s);
}

void results_add_flaw(results *r, const char *name, bool root, const char *path, const char *body) {
    result_flaw f = {.name = symtab_add(r->texts, name, strlen(name)),
                     .path = symtab_add(r->texts, path, strlen(path)),
                     .body = symtab_add(r->texts, body, strlen(body)),
                     .root = root};
    array_push(&r->flaws, f);
    r->samples.items[r->samples.count - 1].flaw_count++;
}

void results_add_value(results *r, size_t parameter, double value) {
    array_push(&r->parameters.items[parameter].values, value);
}

void results_finish(results *r) {
    for (size_t i = 0; i < r->parameters.count; i++)
        array_finish(&r->parameters.items[i].values);
    array_finish(&r->parameters);
    array_finish(&r->plans);
    array_finish(&r->names);
    array_finish(&r->samples);
    array_finish(&r->flaws);
    symtab_destroy(r->texts);
    arena_destroy(r->memory);
    *r = (results){0};
}

const char *results_text(const results *r, uint32_t number) {
    return symtab_name(r->texts, number);
}

// Whether the request of the sample was wrong, so that it failed without lasting any time.
static bool was_refused(const result_sample *s) {
    return strcmp(s->outcome, "refused") == 0;
}

sample_answer results_answer(const result_sample *s) {
    return strcmp(s->outcome, "succeeded") == 0                  ? ANSWER_SUCCEEDED
           : strcmp(s->outcome, "failed") == 0 || was_refused(s) ? ANSWER_FAILED
                                                                 : ANSWER_NONE;
}

const result_sample **results_of_plan(const results *r, size_t plan, size_t *count) {
    const result_sample **all = mem_must(r->samples.count + 1, sizeof *all);
    *count = 0;
    for (size_t i = 0; i < r->samples.count; i++)
        if (r->samples.items[i].plan == plan)
            all[(*count)++] = &r->samples.items[i];
    return all;
}

rank_correlation results_correlate(const results *r, size_t plan, size_t parameter) {
    const result_parameter *p = &r->parameters.items[parameter];
    double *x = mem_must(r->samples.count + 1, sizeof *x),
           *y = mem_must(r->samples.count + 1, sizeof *y);
    size_t n = 0;
    for (size_t i = 0; i < r->samples.count; i++) {
        const result_sample *s = &r->samples.items[i];
        sample_answer answer = results_answer(s);
        if (s->plan != plan || answer == ANSWER_NONE || isnan(p->values.items[i]))
            continue;
        x[n] = p->values.items[i];
        y[n++] = answer == ANSWER_SUCCEEDED;
    }
    rank_correlation c = rank_correlate(x, y, n);
    free(x);
    free(y);
    return c;
}

// ---- Summaries ----------------------------------------------------------------------------------

static flaw_kind *kind_of(plan_summary *s, const result_flaw *f, const result_sample *in) {
    for (size_t i = 0; i < s->kinds.count; i++)
        if (s->kinds.items[i].name == f->name && s->kinds.items[i].root == f->root)
            return &s->kinds.items[i];
    flaw_kind k = {
        .name = f->name, .root = f->root, .first_seed = in->seed, .first_episode = in->episode};
    array_push(&s->kinds, k);
    return &s->kinds.items[s->kinds.count - 1];
}

static void count_place(flaw_kind *k, const result_flaw *f, int64_t seed) {
    for (size_t i = 0; i < k->places.count; i++) {
        flaw_place_count *p = &k->places.items[i];
        if (p->path == f->path && p->body == f->body) {
            p->count++;
            return;
        }
    }
    array_push(&k->places, (flaw_place_count){f->path, f->body, 1, seed});
}

// Several flaws of one name in one sample count once.
static void count_flaws(plan_summary *s, const results *r, const result_sample *in) {
    for (size_t i = 0; i < in->flaw_count; i++) {
        const result_flaw *f = &r->flaws.items[in->first_flaw + i];
        flaw_kind *k = kind_of(s, f, in);
        if (k->count == 0 || k->last_seed != in->seed)
            k->count++;
        k->last_seed = in->seed;
        bool again = false;
        for (size_t j = 0; j < i; j++) {
            const result_flaw *g = &r->flaws.items[in->first_flaw + j];
            again = again || (g->name == f->name && g->root == f->root && g->path == f->path &&
                              g->body == f->body);
        }
        if (!again)
            count_place(k, f, in->seed);
    }
}

static void count_sample(plan_summary *s, const results *r, const result_sample *in) {
    sample_answer answer = results_answer(in);
    s->samples++;
    s->succeeded += answer == ANSWER_SUCCEEDED;
    s->failed += answer == ANSWER_FAILED;
    if (answer == ANSWER_NONE && strcmp(in->outcome, "incomplete") == 0)
        s->incomplete++;
    else if (answer == ANSWER_NONE)
        s->invalid++;
    else if (!was_refused(in))
        array_push(&s->durations, in->end);
    count_flaws(s, r, in);
}

static void fill_histogram(plan_summary *s, const results *r, double from, double width) {
    s->histogram = (duration_histogram){.from = from, .width = width};
    for (size_t i = 0; i < r->samples.count && width > 0; i++) {
        const result_sample *in = &r->samples.items[i];
        sample_answer answer = results_answer(in);
        if (in->plan != s->plan || answer == ANSWER_NONE || was_refused(in))
            continue;
        int bin = (int)((seconds(in->end) - from) / width);
        bin = bin < 0 ? 0 : bin < HISTOGRAM_BINS ? bin : HISTOGRAM_BINS - 1;
        if (answer == ANSWER_SUCCEEDED)
            s->histogram.succeeded[bin]++;
        else
            s->histogram.failed[bin]++;
    }
}

// The histograms of all plans have the same bins, of whole seconds, so that they can be compared.
static void fill_histograms(plan_summary *all, const results *r) {
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < r->plans.count; i++)
        for (size_t k = 0; k < all[i].durations.count; k++) {
            least = fmin(least, seconds(all[i].durations.items[k]));
            most = fmax(most, seconds(all[i].durations.items[k]));
        }
    double from = floor(least), width = ceil((most - from + 1e-9) / HISTOGRAM_BINS);
    for (size_t i = 0; i < r->plans.count; i++)
        fill_histogram(&all[i], r, isfinite(least) ? from : 0, isfinite(least) ? width : 0);
}

static int by_time(const void *a, const void *b) {
    nanos x = *(const nanos *)a, y = *(const nanos *)b;
    return (x > y) - (x < y);
}

static int by_place_count(const void *a, const void *b) {
    const flaw_place_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->first_seed != y->first_seed ? (x->first_seed > y->first_seed ? 1 : -1)
           : x->path != y->path           ? (x->path > y->path ? 1 : -1)
                                          : (x->body > y->body) - (x->body < y->body);
}

static int by_kind_count(const void *a, const void *b, void *context) {
    const flaw_kind *x = a, *y = b;
    const results *r = context;
    if (x->root != y->root)
        return x->root ? -1 : 1;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(results_text(r, x->name), results_text(r, y->name));
}

nanos summary_quantile(const plan_summary *s, double p) {
    size_t n = s->durations.count, rank = (size_t)ceil(p * (double)n);
    return n ? s->durations.items[rank ? rank - 1 : 0] : -1;
}

double summary_rate(const plan_summary *s) {
    return s->samples ? (double)s->succeeded / (double)s->samples : 0;
}

static int by_merit(const void *a, const void *b) {
    const plan_summary *x = a, *y = b;
    double rx = summary_rate(x), ry = summary_rate(y);
    if (rx != ry)
        return rx < ry ? 1 : -1;
    nanos mx = summary_quantile(x, 0.5), my = summary_quantile(y, 0.5);
    if (mx != my)
        return mx > my ? 1 : -1;
    return x->plan < y->plan ? -1 : 1;
}

plan_summary *summaries_make(const results *r) {
    plan_summary *all = mem_must(r->plans.count + 1, sizeof *all);
    for (size_t i = 0; i < r->plans.count; i++)
        all[i].plan = i;
    for (size_t i = 0; i < r->samples.count; i++)
        count_sample(&all[r->samples.items[i].plan], r, &r->samples.items[i]);
    for (size_t i = 0; i < r->plans.count; i++) {
        plan_summary *s = &all[i];
        if (s->durations.count)
            qsort(s->durations.items, s->durations.count, sizeof(nanos), by_time);
        for (size_t k = 0; k < s->kinds.count; k++)
            qsort(s->kinds.items[k].places.items, s->kinds.items[k].places.count,
                  sizeof(flaw_place_count), by_place_count);
        if (s->kinds.count)
            qsort_r(s->kinds.items, s->kinds.count, sizeof(flaw_kind), by_kind_count,
                    (void *)(uintptr_t)r);
    }
    fill_histograms(all, r);
    qsort(all, r->plans.count, sizeof *all, by_merit);
    return all;
}

void summaries_free(plan_summary *s, size_t count) {
    for (size_t i = 0; s && i < count; i++) {
        for (size_t k = 0; k < s[i].kinds.count; k++)
            array_finish(&s[i].kinds.items[k].places);
        array_finish(&s[i].durations);
        array_finish(&s[i].kinds);
    }
    free(s);
}

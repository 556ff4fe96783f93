// report/batch/batch_words.c - what text, JSON and page of a batch say alike.
#include "report/batch/batch_report.h"

#include <math.h>

#include "report/evidence/binomial.h"

comparison_rule batch_rule(const batch_report *b) {
    return (comparison_rule){.threshold = paired_threshold(b->results->plans.count, b->alpha),
                             .margin = b->margin};
}

const char *batch_rule_name(decision_rule rule) {
    switch (rule) {
    case DECIDE_ROWS:
        return "rows";
    case DECIDE_SURE:
        return "until_sure";
    case DECIDE_RACE:
        return "race";
    case DECIDE_BUDGET:
        return "budget";
    case DECIDE_ACCEPT:
        return "accept";
    }
    return "rows";
}

const char *batch_status_name(const batch_report *b) {
    switch (b->decision ? decision_state(b->decision) : DECISION_UNDECIDED) {
    case DECISION_SURE:
        return "sure";
    case DECISION_HALVED:
        return "budget_spent";
    case DECISION_ACCEPTED:
        return "accepted";
    case DECISION_REJECTED:
        return "rejected";
    case DECISION_OPEN:
    case DECISION_UNDECIDED:
        break;
    }
    return "undecided";
}

int64_t batch_saved(const batch_report *b) {
    if (!b->decision || b->rule == DECIDE_BUDGET || decision_state(b->decision) == DECISION_OPEN)
        return 0;
    return b->rows * (int64_t)b->results->plans.count - (int64_t)b->results->samples.count;
}

void batch_seeds(const result_sample *const *samples, size_t count, text_buffer *out) {
    enum { SHOWN_MAX = 5 };
    text_add(out, "%zu seed%s: ", count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count && i < SHOWN_MAX; i++)
        text_add(out, "%s%lld", i ? ", " : "", (long long)samples[i]->seed);
    if (count > SHOWN_MAX)
        text_put(out, ", ...");
}

static void look_at(const batch_report *b, int64_t episode, text_buffer *out) {
    if (episode && b->log)
        text_add(out, " Look at it: foresee diagnose %s --episode %lld", b->log,
                 (long long)episode);
}

// Says of one plan how often it succeeds, and what fails it most.
static void single_sentence(const batch_report *b, const plan_summary *s, text_buffer *out) {
    const char *plan = b->results->names.items[s->plan];
    double low, high;
    rate_exact(s->succeeded, s->samples, 0.05, &low, &high);
    text_add(out, "%s succeeds in %.0f %% of worlds like these (%.0f to %.0f).", plan,
             100 * summary_rate(s), 100 * low, 100 * high);
    if (s->kinds.count && s->kinds.items[0].root) {
        const flaw_kind *k = &s->kinds.items[0];
        text_add(out, " Most often %s shows, first with seed %lld.",
                 results_text(b->results, k->name), (long long)k->first_seed);
        look_at(b, k->first_episode, out);
    }
}

static void accept_sentence(const batch_report *b, const plan_summary *s, text_buffer *out) {
    const char *plan = b->results->names.items[s->plan];
    decision_status state = decision_state(b->decision);
    if (state == DECISION_ACCEPTED || state == DECISION_REJECTED)
        text_add(out, "%s is %s after %lld samples: ", plan,
                 state == DECISION_ACCEPTED ? "accepted" : "rejected", (long long)s->samples);
    else
        text_add(out, "After %lld samples %s is neither accepted nor rejected: give more with -n. ",
                 (long long)s->samples, plan);
}

// Says of the best plan against the one that it is hardest to tell from.
static void best_sentence(const batch_report *b, const plan_summary *ranked, text_buffer *out) {
    const results *r = b->results;
    comparison_rule rule = batch_rule(b);
    size_t best = b->decision ? decision_best(b->decision) : ranked[0].plan;
    comparison hardest = {0};
    bool found = false;
    for (size_t i = 0; i < r->plans.count; i++) {
        comparison c;
        if (ranked[i].plan == best)
            continue;
        comparison_make(r, ranked[i].plan, best, &rule, &c);
        double ahead = (c.counts.only_b > c.counts.only_a ? 1 : -1) * c.log_e;
        double least = (hardest.counts.only_b > hardest.counts.only_a ? 1 : -1) * hardest.log_e;
        bool take = !found || ahead < least;
        comparison_finish(take ? &hardest : &c);
        if (take)
            hardest = c;
        found = true;
    }
    const char *name = r->names.items[best], *other = r->names.items[hardest.a];
    const paired_counts *n = &hardest.counts;
    bool several = r->plans.count > 2;
    if (hardest.verdict == PAIRED_B_BETTER) {
        text_add(out,
                 "Take %s: it is better than %s%s. It succeeded with %lld seed%s where %s "
                 "failed, and failed with %lld where that succeeded.",
                 name, several ? "every other plan, also than " : "", other, (long long)n->only_b,
                 n->only_b == 1 ? "" : "s", other, (long long)n->only_a);
    } else if (hardest.verdict == PAIRED_ALIKE) {
        text_add(out, "%s and %s are alike: their rates differ by less than %.0f %%.", name, other,
                 100 * b->margin);
    } else {
        int64_t needed = comparison_seeds_needed(&hardest, &rule);
        text_add(out, "%s is not shown to be better than %s: ", name, other);
        if (n->only_a + n->only_b == 0)
            text_put(out, "no seed tells them apart.");
        else
            text_add(out, "%lld seed%s for it, %lld against.", (long long)n->only_b,
                     n->only_b == 1 ? " speaks" : "s speak", (long long)n->only_a);
        if (needed)
            text_add(out,
                     " If it goes on like this, about %lld seeds will decide (-n %lld "
                     "--resume).",
                     (long long)needed, (long long)needed);
    }
    if (hardest.added.count) {
        const flaw_change *f = &hardest.added.items[0];
        text_add(out, " What %s shows and %s does not: %s, with seed %lld.", name, other,
                 results_text(r, f->name), (long long)f->witnesses.items[0]->seed);
        look_at(b, f->witnesses.items[0]->episode, out);
    }
    comparison_finish(&hardest);
}

void batch_sentence(const batch_report *b, const plan_summary *ranked, text_buffer *out) {
    if (b->results->samples.count == 0) {
        text_put(out, "No sample has ended.");
        return;
    }
    if (b->rule == DECIDE_ACCEPT && b->decision)
        accept_sentence(b, &ranked[0], out);
    if (b->results->plans.count == 1)
        single_sentence(b, &ranked[0], out);
    else
        best_sentence(b, ranked, out);
}

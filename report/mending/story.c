// report/mending/story.c - tells for people what was done to mend a plan, and why.
#include "report/mending/story.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void story_finish(story *s) {
    for (size_t i = 0; i < s->rounds.count; i++)
        array_finish(&s->rounds.items[i].tries);
    array_finish(&s->rounds);
    array_finish(&s->edits);
}

const char *story_outcome_name(story_outcome o) {
    static const char *const names[] = {"open",          "nothing_to_mend", "mended",
                                        "better",        "undecided",       "worse",
                                        "no_edit_helps", "budget_spent"};
    return names[o];
}

// ---- Rounds -------------------------------------------------------------------------------------

static void put_try(const story_round *r, const story_try *t, text_buffer *out) {
    text_add(out, "   %s: %s\n     ", t->rule, t->in_few);
    if (t->impossible) {
        text_add(out, "cannot be made: %s\n", t->impossible);
        return;
    }
    if (t->before) {
        text_put(out, "gives a plan that was tried before\n");
        return;
    }
    if (t->seeds == 0) {
        text_put(out, "was not projected\n");
        return;
    }
    if (t->seeds > 1)
        text_add(out, "%lld of %lld succeed", (long long)t->succeeded, (long long)t->seeds);
    else
        text_add(out, "seed %lld %s", (long long)r->seed, t->succeeded ? "succeeds" : "fails");
    if (t->cut_off > 0)
        text_add(out, ", cut off at %.0f s (--until SECONDS lets it go on)", t->cut_off);
    if (t->instead)
        text_add(out, "%s %s%s%s", t->gone ? ": the flaw is gone, and then it is" : ":", t->instead,
                 *t->instead_path ? " at " : "", t->instead_path);
    text_add(out, "%s\n", t->kept ? "; kept" : "");
}

static void put_round(const story *s, size_t i, text_buffer *out) {
    const story_round *r = &s->rounds.items[i];
    text_add(out, "\n%zu. What fails ", i + 1);
    if (r->on)
        text_add(out, "it with %s: ", r->on);
    else
        text_put(out, "it most often: ");
    text_add(out, "%s, in %lld of %lld that fail, first with seed %lld (episode %lld)\n", r->flaw,
             (long long)r->count, (long long)r->failed, (long long)r->seed, (long long)r->episode);
    text_add(out, "     %s\n", r->sentence);
    if (*r->path)
        text_add(out, "     at %s\n", r->path);
    for (size_t k = 0; k < r->tries.count; k++)
        put_try(r, &r->tries.items[k], out);
    if (r->tries.count == 0)
        text_put(out, "   nothing is suggested against it\n");
    if (r->spent)
        text_put(out, "   the budget allows no more\n");
}

static void put_undone(const story *s, text_buffer *out) {
    bool heading = false;
    for (size_t i = 0; i < s->edits.count; i++) {
        const story_edit *e = &s->edits.items[i];
        if (!e->why)
            continue;
        text_put(out, heading ? "" : "\nIs all of it needed?\n");
        heading = true;
        text_add(out, "   without %s: %s; %s\n", e->rule, e->why, e->undone ? "undone" : "kept");
    }
}

static void put_judged(const story *s, text_buffer *out) {
    const paired_counts *c = &s->pairs;
    double log_e = paired_log_e(c);
    if (!s->judged)
        return;
    text_add(out,
             "\nJudged on seeds %lld to %lld, which were not used to choose: %lld of %lld succeed, "
             "%lld without the edits.\n",
             (long long)s->judged_first, (long long)(s->judged_first + s->judged_seeds - 1),
             (long long)(c->both + c->only_a), (long long)paired_total(c),
             (long long)(c->both + c->only_b));
    text_add(out, "   mended %lld, broken %lld; e-value %.3g, and 20 decide; p %.2g\n",
             (long long)c->only_a, (long long)c->only_b, exp(log_e), paired_p(c));
}

// ---- The end ------------------------------------------------------------------------------------

// Appends the rules of the edits that were kept and not undone.
static void put_rules(const story *s, text_buffer *out) {
    size_t left = 0;
    for (size_t i = 0; i < s->edits.count; i++)
        left += !s->edits.items[i].undone;
    for (size_t i = 0; i < s->edits.count; i++)
        if (!s->edits.items[i].undone) {
            left--;
            text_add(out, "%s%s", s->edits.items[i].rule, left > 1 ? ", " : left ? " and " : "");
        }
}

// Appends why no edit helps: of the most frequent flaw, and of what showed behind it.
static void put_reasons(const story *s, text_buffer *out) {
    const story_round *first = s->rounds.count ? &s->rounds.items[0] : NULL;
    if (!first && s->cut_off) {
        text_add(out,
                 "%lld of %lld projections were running still at %g s, where they were cut off, "
                 "and nothing had gone wrong by then; a later --until shows what does",
                 (long long)s->cut_off, (long long)s->answered, s->until);
        return;
    }
    if (!first) {
        text_put(out, "the diagnosis names no cause of the failures");
        return;
    }
    if (first->limit) {
        text_put(out, first->limit);
        return;
    }
    text_add(out, "%s (%s)", first->sentence, first->flaw);
    text_put(out, first->tries.count ? ", or else what comes then, whatever is tried"
                                     : ", against which the rules know no edit");
    for (size_t i = 1; i < s->rounds.count; i++)
        if (s->rounds.items[i].limit) {
            text_add(out, "; and %s", s->rounds.items[i].limit);
            return;
        }
}

// Appends what the budget did not allow: suggestions that were not projected at all, or else those
// that succeeded with the seed that showed the flaw and were not projected with the others. Returns
// how many.
static size_t put_lacking(const story *s, bool projected, text_buffer *out) {
    ARRAY(char *) names = {0};
    for (size_t i = 0; i < s->rounds.count; i++) {
        const story_round *r = &s->rounds.items[i];
        for (size_t k = 0; k < r->tries.count; k++) {
            const story_try *t = &r->tries.items[k];
            text_buffer name = {0};
            bool told = t->lacks == 0 || (t->seeds > 0) != projected;
            text_put(&name, t->rule);
            if (r->on)
                text_add(&name, " on top of %s", r->on);
            for (size_t n = 0; n < names.count && !told; n++)
                told = strcmp(names.items[n], text_string(&name)) == 0;
            if (!told)
                array_push(&names, mem_strdup(text_string(&name)));
            text_finish(&name);
        }
    }
    size_t count = names.count;
    for (size_t n = 0; n < count; n++) {
        text_add(out, "%s%s", text_joint(n, count, " and "), names.items[n]);
        free(names.items[n]);
    }
    array_finish(&names);
    return count;
}

static void put_spent(const story *s, text_buffer *out) {
    text_buffer never = {0}, once = {0};
    size_t untried = put_lacking(s, false, &never), unproved = put_lacking(s, true, &once);
    text_add(out,
             "Not mended, and not everything was tried: the budget of %lld projections left out ",
             (long long)s->budget);
    if (untried)
        text_put(out, text_string(&never));
    if (unproved)
        text_add(out, "%s%s with the other seeds, which succeed%s with one",
                 untried ? ", and " : "", text_string(&once), unproved > 1 ? "" : "s");
    text_add(out, "; that takes --budget %lld at least", (long long)s->budget_needed);
    text_finish(&never);
    text_finish(&once);
}

void story_sentence(const story *s, text_buffer *out) {
    const paired_counts *c = &s->pairs;
    switch (s->outcome) {
    case STORY_NOTHING:
        text_add(out, "Nothing is to be mended: %lld of %lld projections succeed.",
                 (long long)s->before, (long long)s->answered);
        break;
    case STORY_MENDED:
    case STORY_BETTER:
        text_add(out, "%s: %s succeeds in %lld of %lld, by ",
                 s->outcome == STORY_MENDED ? "Mended" : "Better, and not mended", s->output,
                 (long long)(c->both + c->only_a), (long long)paired_total(c));
        put_rules(s, out);
        text_put(out, ".");
        break;
    case STORY_UNDECIDED:
        text_put(out, "Not mended: whether ");
        put_rules(s, out);
        text_add(out,
                 " makes it better or that was chance cannot be told with %lld projections; "
                 "nothing was written.",
                 (long long)s->budget);
        break;
    case STORY_WORSE:
        text_put(out, "Not mended: ");
        put_rules(s, out);
        text_put(out, " makes it worse on other seeds; nothing was written.");
        break;
    case STORY_NO_EDIT:
        text_put(out, "Not mended: no edit helps: ");
        put_reasons(s, out);
        text_put(out, ".");
        break;
    case STORY_SPENT:
        put_spent(s, out);
        text_put(out, ".");
        break;
    case STORY_OPEN:
        if (s->edits.count) {
            text_put(out, "Interrupted. The best plan so far is made by ");
            put_rules(s, out);
            text_add(out, ": %lld of %lld succeed; that was not judged, and nothing was written.",
                     (long long)s->after, (long long)s->seeds);
        } else {
            text_put(out, "Interrupted. The best plan so far is the plan as it is; nothing was "
                          "written.");
        }
        break;
    }
}

void story_text(const story *s, text_buffer *out) {
    text_add(out, "%s: %lld of %lld projections succeed, with seeds %lld to %lld\n", s->plan,
             (long long)s->before, (long long)s->answered, (long long)s->first_seed,
             (long long)(s->first_seed + s->seeds - 1));
    if (s->answered < s->seeds)
        text_add(out, "   %lld of these seeds had not been projected yet\n",
                 (long long)(s->seeds - s->answered));
    if (s->cut_off)
        text_add(out, "   %lld were running still at %g s, where they were cut off\n",
                 (long long)s->cut_off, s->until);
    for (size_t i = 0; i < s->rounds.count; i++)
        put_round(s, i, out);
    put_undone(s, out);
    put_judged(s, out);
    text_put(out, "\n");
    story_sentence(s, out);
    text_add(out, "\n%lld projections of %lld; their episodes are in %s.\n",
             (long long)s->projections, (long long)s->budget, s->log);
}

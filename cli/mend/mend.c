// cli/mend/mend.c - chooses edits, undoes those that are not needed, and judges what is left.
#include "cli/mend/mend.h"

#include <math.h>
#include <string.h>

#include "cli/mend/edit_list.h"
#include "cli/mend/search.h"

// Seven seeds that all speak for one plan decide at an error of 5 % (paired.h).
enum { PAIRS_LEAST = 7, PAIRS_MORE = 2, CHANGES_MAX = 4 };
#define ALPHA 0.05

int64_t mending_budget_least(int64_t seeds) {
    return 2 * seeds + 2 * PAIRS_LEAST;
}

// ---- Samples ------------------------------------------------------------------------------------

status mending_project(mending *m, const size_t *which, size_t count, int64_t first, int64_t seeds,
                       const char *doing, error *err) {
    ARRAY(course_sample) wanted = {0};
    for (int64_t i = 0; i < seeds; i++)
        for (size_t k = 0; k < count; k++)
            array_push(&wanted, ((course_sample){which[k], first + i}));
    status st = trials_project(&m->t, wanted.items, wanted.count, doing, err);
    array_finish(&wanted);
    m->s.projections = (int64_t)trials_projected(&m->t);
    return st;
}

int64_t mending_successes(const mending *m, size_t which, int64_t *seeds) {
    int64_t good = 0, all = 0;
    for (int64_t i = 0; i < m->s.seeds; i++) {
        sample_answer a = trials_answer(trials_sample(&m->t, which, m->s.first_seed + i));
        good += a == ANSWER_SUCCEEDED;
        all += a != ANSWER_NONE;
    }
    if (seeds)
        *seeds = all;
    return good;
}

bool mending_affords(const mending *m, int64_t projections) {
    return (int64_t)trials_projected(&m->t) + projections + 2 * PAIRS_LEAST <= m->s.budget;
}

static bool is_enough(const mending *m, int64_t good, int64_t all) {
    return all > 0 && (double)good >= m->s.enough * (double)all;
}

// ---- Edits --------------------------------------------------------------------------------------

// Joins the edits that are made in the new plan; of those at `without` (SIZE_MAX: none) a part.
static const char *join_edits(const mending *m, size_t without, edit_list_part part) {
    size_t count = m->s.edits.count;
    const char **lists = arena_alloc(m->t.memory, (count + 1) * sizeof *lists);
    edit_list_part *parts = arena_alloc(m->t.memory, (count + 1) * sizeof *parts);
    for (size_t i = 0; i < count; i++) {
        lists[i] = m->s.edits.items[i].left;
        parts[i] = i == without ? part : EDITS_ALL;
    }
    return edit_list_join(m->t.memory, lists, parts, count);
}

const char *mending_edits(const mending *m) {
    return join_edits(m, SIZE_MAX, EDITS_ALL);
}

static status make_from_plan(mending *m, const char *edits, size_t *out) {
    errors ignored = {0};
    const char *label = arena_format(m->t.memory, "%s+mended", m->t.c.items[0].name);
    status st = trials_edit(&m->t, 0, edits, label, out, &ignored);
    errors_finish(&ignored);
    return st;
}

// Returns with how many seeds a version fails with which the kept one succeeds.
static int64_t count_lost(const mending *m, size_t which) {
    int64_t lost = 0;
    for (int64_t i = 0; i < m->s.seeds; i++) {
        int64_t seed = m->s.first_seed + i;
        lost += trials_answer(trials_sample(&m->t, m->kept, seed)) == ANSWER_SUCCEEDED &&
                trials_answer(trials_sample(&m->t, which, seed)) != ANSWER_SUCCEEDED;
    }
    return lost;
}

// Drops edits without which nothing is lost.
static status undo_useless(mending *m, error *err) {
    static const edit_list_part parts[] = {EDITS_NONE, EDITS_ADOPTED};
    status st = OK;
    for (size_t i = 0; i < m->s.edits.count && m->s.edits.count > 1 && st == OK; i++) {
        story_edit *e = &m->s.edits.items[i];
        size_t without = 0;
        bool made = false;
        int k = 0;
        for (; k < 2 && !made; k += !made)
            made = make_from_plan(m, join_edits(m, i, parts[k]), &without) == OK;
        if (!made) {
            e->why = "the others need it";
            continue;
        }
        if (!mending_affords(m, m->s.seeds))
            return OK;
        st = mending_project(m, &without, 1, m->s.first_seed, m->s.seeds,
                             arena_format(m->t.memory, "without %s", e->rule), err);
        if (st != OK)
            return st;
        int64_t lost = count_lost(m, without);
        e->why = lost ? arena_format(m->t.memory, "%lld of the seeds that succeed are lost",
                                     (long long)lost)
                      : "nothing is lost";
        if (lost == 0) {
            e->undone = true;
            e->left = edit_list_join(m->t.memory, &e->edits, &parts[k], 1);
            m->kept = without;
        }
    }
    return st;
}

// ---- Judging ------------------------------------------------------------------------------------

static void count_pair(mending *m, int64_t seed) {
    sample_answer a = trials_answer(trials_sample(&m->t, m->kept, seed)),
                  b = trials_answer(trials_sample(&m->t, 0, seed));
    paired_counts *c = &m->s.pairs;
    if (a == ANSWER_NONE || b == ANSWER_NONE)
        return;
    bool good = a == ANSWER_SUCCEEDED, before = b == ANSWER_SUCCEEDED;
    *(good && before ? &c->both : good ? &c->only_a : before ? &c->only_b : &c->neither) += 1;
}

// Returns whether so many further seeds could decide, if each of them spoke for the edits.
static bool can_decide(const mending *m, int64_t more) {
    paired_counts c = m->s.pairs;
    c.only_a += more;
    return paired_log_e(&c) >= paired_threshold(2, ALPHA);
}

// Projects the plan with and without the edits on further seeds, until that decides.
static status judge(mending *m, error *err) {
    const size_t both[] = {0, m->kept};
    int64_t next = m->s.first_seed + m->s.seeds, more = PAIRS_LEAST;
    paired_verdict verdict = PAIRED_UNDECIDED;
    m->s.judged = true;
    m->s.judged_first = next;
    while (verdict == PAIRED_UNDECIDED) {
        int64_t left = (m->s.budget - (int64_t)trials_projected(&m->t)) / 2;
        if (left < 1 || !can_decide(m, left))
            break;
        more = more < left ? more : left;
        status st = mending_project(m, both, 2, next, more, "judging on other seeds", err);
        if (st != OK)
            return st;
        for (int64_t i = 0; i < more; i++)
            count_pair(m, next + i);
        next += more;
        m->s.judged_seeds += more;
        more = PAIRS_MORE;
        verdict = paired_judge(&m->s.pairs, paired_threshold(2, ALPHA), 0);
    }
    const paired_counts *c = &m->s.pairs;
    if (verdict == PAIRED_A_BETTER)
        m->s.outcome =
            is_enough(m, c->both + c->only_a, paired_total(c)) ? STORY_MENDED : STORY_BETTER;
    else
        m->s.outcome = verdict == PAIRED_B_BETTER ? STORY_WORSE : STORY_UNDECIDED;
    return OK;
}

// ---- All of it ----------------------------------------------------------------------------------

// Without its flaw a plan takes longer, but not for ever.
static void bound_episodes(mending *m) {
    const results *r = &m->t.course.results;
    nanos longest = 0;
    for (size_t i = 0; i < r->samples.count; i++)
        longest = r->samples.items[i].end > longest ? r->samples.items[i].end : longest;
    if (m->t.c.how.until == TIME_OPEN)
        m->t.c.how.until = 60 * NANOS_PER_SECOND + 3 * longest;
}

// Returns how many projections of the plan as it is were cut off at the time that was asked for.
static int64_t count_cut_off(mending *m) {
    int64_t count = 0;
    if (m->t.c.how.until == TIME_OPEN)
        return 0;
    m->s.until = seconds(m->t.c.how.until);
    for (int64_t i = 0; i < m->s.seeds; i++) {
        const result_sample *s = trials_sample(&m->t, 0, m->s.first_seed + i);
        count += s && strcmp(s->outcome, "incomplete") == 0;
    }
    return count;
}

// Projects the plan as it is. Where it succeeds, twice as many seeds say whether often enough.
static status look_first(mending *m, bool *fails, error *err) {
    const size_t unedited = 0;
    int64_t all = 0;
    for (int pass = 0; pass < 2; pass++) {
        status st =
            mending_project(m, &unedited, 1, m->s.first_seed, m->s.seeds, "the plan as it is", err);
        m->s.before = m->s.after = mending_successes(m, 0, &all);
        m->s.answered = all;
        m->s.cut_off = count_cut_off(m);
        if (st != OK)
            return st;
        if (all == 0)
            return error_at(err, E_IO, m->s.plan, 0, 0, "no projection of the plan gave an answer");
        if (m->s.before < all || pass == 1)
            break;
        m->s.seeds *= 2;
    }
    *fails = !is_enough(m, m->s.before, all);
    bound_episodes(m);
    m->s.outcome = *fails ? STORY_OPEN : STORY_NOTHING;
    return OK;
}

// Nothing is kept. That no edit helps is known where a flaw has its limit, or all that is suggested
// was tried.
static void conclude_unmended(mending *m) {
    int64_t lacking = 0, untried = 0;
    for (size_t i = 0; i < m->s.rounds.count; i++)
        for (size_t k = 0; k < m->s.rounds.items[i].tries.count; k++) {
            const story_try *t = &m->s.rounds.items[i].tries.items[k];
            lacking += t->lacks;
            untried += t->lacks > 0 && t->seeds == 0;
        }
    bool known = lacking == 0 || m->s.rounds.items[0].limit;
    m->s.outcome = known ? STORY_NO_EDIT : STORY_SPENT;
    // What succeeds with its first seed is projected with the others.
    m->s.budget_needed =
        m->s.projections + lacking + (untried ? m->s.seeds - 1 : 0) + 2 * PAIRS_LEAST;
}

status mending_run(mending *m, error *err) {
    bool fails = false, found = true;
    status st = look_first(m, &fails, err);
    if (st != OK || !fails)
        return st;
    for (int i = 0; i < CHANGES_MAX && found && st == OK; i++) {
        int64_t all = 0, good = mending_successes(m, m->kept, &all);
        if (is_enough(m, good, all))
            break;
        found = false;
        st = search_improvement(m, &found, err);
        m->s.after = mending_successes(m, m->kept, NULL);
    }
    if (st != OK)
        return st;
    if (m->kept == 0) {
        conclude_unmended(m);
        return OK;
    }
    st = undo_useless(m, err);
    // What is judged is what will be written: all edits made at once in the plan.
    if (st == OK && make_from_plan(m, mending_edits(m), &m->kept) != OK)
        st =
            error_at(err, E_IO, m->s.plan, 0, 0, "the edits that were kept cannot be made at once");
    return st == OK ? judge(m, err) : st;
}

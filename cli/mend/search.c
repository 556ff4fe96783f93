// cli/mend/search.c - tries suggestions, goes on from what takes a flaw away, and combines pairs.
#include "cli/mend/search.h"

#include <string.h>

#include "cli/limits.h"
#include "cli/mend/edit_list.h"
#include "cli/runs/shipped.h"

enum { TRIES_MAX = 8, ROOTS_MAX = 2, DEPTH_MAX = 2, PROMISING_MAX = 3, DETOURS_MAX = 2 };

// Edits that are tried on top of the kept version, and not kept yet.
typedef struct chain {
    const story_edit *items;
    size_t count;
} chain;
// One suggestion, or two.
typedef struct option {
    story_edit edits[2];
    size_t count;
    size_t told; // index among the tries of the round
    size_t version;
    bool made, gone, succeeded;
} option;
typedef struct search_round {
    size_t told; // index among the rounds of the story
    size_t from; // the version on which it builds
    chain on;
    shown_flaw root;
    ARRAY(option) options;
} search_round;

static story_try *try_of(mending *m, const search_round *r, const option *o) {
    return &m->s.rounds.items[r->told].tries.items[o->told];
}

// ---- Options ------------------------------------------------------------------------------------

// Finds the flaw in the diagnosis of the episode that shows it first.
static const flaw *find_root(const diagnosis *d, const shown_flaw *root) {
    const flaw *near = NULL;
    for (size_t i = 0; i < diagnosis_count(d); i++) {
        const flaw *f = diagnosis_flaw(d, i);
        const char *path = f->task.call.path ? f->task.call.path : f->task.at.path;
        if (!f->root || strcmp(f->name, root->name) != 0)
            continue;
        near = near ? near : f;
        if (strcmp(path ? path : "", root->path) == 0)
            return f;
    }
    return near;
}

static bool follows_from(const diagnosis *d, const flaw *f, int64_t cause, int depth) {
    for (size_t i = 0; i < f->cause_count; i++)
        if (f->causes[i] == cause ||
            (depth > 0 &&
             follows_from(d, diagnosis_flaw(d, (size_t)f->causes[i] - 1), cause, depth - 1)))
            return true;
    return false;
}

static bool is_option(const search_round *r, const char *edits) {
    for (size_t i = 0; i < r->options.count; i++)
        if (strcmp(r->options.items[i].edits[0].edits, edits) == 0)
            return true;
    return false;
}

static void take_suggestions(mending *m, search_round *r, const flaw *f) {
    arena *a = m->t.memory;
    for (size_t k = 0; k < f->suggest_count && r->options.count < TRIES_MAX; k++) {
        const flaw_suggestion *s = &f->suggests[k];
        if (is_option(r, s->edits))
            continue;
        option o = {.count = 1};
        o.edits[0] = (story_edit){.rule = arena_strdup(a, s->rule),
                                  .in_few = arena_strdup(a, s->in_few),
                                  .flaw = arena_strdup(a, f->name),
                                  .edits = arena_strdup(a, s->edits)};
        o.edits[0].left = o.edits[0].edits;
        array_push(&r->options, o);
    }
}

// Adds what is suggested against the root, and then against what follows from it.
static void take_all_suggestions(mending *m, search_round *r, const diagnosis *d,
                                 const flaw *root) {
    enum { CAUSES_MAX = 8 };
    take_suggestions(m, r, root);
    for (size_t i = 0; i < diagnosis_count(d); i++) {
        const flaw *f = diagnosis_flaw(d, i);
        if (f != root && !f->recovered && follows_from(d, f, root->id, CAUSES_MAX))
            take_suggestions(m, r, f);
    }
}

static const char *chain_words(arena *a, const chain *on) {
    const char *words = NULL;
    for (size_t i = 0; i < on->count; i++)
        words = words ? arena_format(a, "%s and %s", words, on->items[i].rule) : on->items[i].rule;
    return words;
}

static void begin_telling(mending *m, search_round *r, const diagnosis *d, const flaw *f,
                          size_t failed) {
    arena *a = m->t.memory;
    text_buffer sentence = {0};
    if (f)
        diagnosis_sentence(d, f, &sentence);
    story_round told = {.on = chain_words(a, &r->on),
                        .flaw = r->root.name,
                        .path = r->root.path,
                        .sentence =
                            arena_strdup(a, sentence.count ? text_string(&sentence) : r->root.name),
                        .limit = f && f->limit ? arena_strdup(a, f->limit) : NULL,
                        .count = (int64_t)r->root.count,
                        .failed = (int64_t)failed,
                        .seed = r->root.seed,
                        .episode = r->root.episode};
    text_finish(&sentence);
    r->told = m->s.rounds.count;
    array_push(&m->s.rounds, told);
}

// Makes the version of an option, and tells of it. Its edits are made one after another.
static void make_option(mending *m, search_round *r, option *o) {
    arena *a = m->t.memory;
    story_try told = {.rule = o->edits[0].rule, .in_few = o->edits[0].in_few};
    size_t known = m->t.c.count, at = r->from;
    errors list = {0};
    o->made = true;
    if (o->count > 1) {
        told.rule = arena_format(a, "%s and %s", o->edits[0].rule, o->edits[1].rule);
        told.in_few = arena_format(a, "%s, %s", o->edits[0].in_few, o->edits[1].in_few);
    }
    const char *edits = o->edits[0].edits;
    if (o->count > 1) {
        const char *lists[] = {o->edits[0].edits, o->edits[1].edits};
        static const edit_list_part parts[] = {EDITS_ALL, EDITS_ALL};
        edits = edit_list_join(a, lists, parts, 2);
    }
    const char *label = arena_format(a, "%s+%s", m->t.c.items[r->from].name, told.rule);
    o->made = trials_edit(&m->t, at, edits, label, &o->version, &list) == OK;
    if (!o->made)
        told.impossible = arena_strdup(a, list.count ? list.items[0].text : "the edits are wrong");
    else if (o->version < known) {
        told.before = true;
        o->made = false;
    }
    errors_finish(&list);
    o->told = m->s.rounds.items[r->told].tries.count;
    array_push(&m->s.rounds.items[r->told].tries, told);
}

// ---- Projections --------------------------------------------------------------------------------

// Notes in the story what a version did on the seeds that choose, and the root that fails it.
static void note_option(mending *m, const search_round *r, option *o) {
    story_try *told = try_of(m, r, o);
    const result_sample *first = trials_sample(&m->t, o->version, r->root.seed);
    shown_flaws roots = {0};
    told->succeeded = mending_successes(m, o->version, &told->seeds);
    o->succeeded = trials_answer(first) == ANSWER_SUCCEEDED;
    if (first && strcmp(first->outcome, "incomplete") == 0)
        told->cut_off = seconds(first->end);
    o->gone = told->gone = first && !trials_shows(&m->t, first, &r->root);
    trials_roots(&m->t, o->version, &roots);
    told->instead = roots.count ? roots.items[0].name : NULL;
    told->instead_path = roots.count ? roots.items[0].path : NULL;
    array_finish(&roots);
}

// Notes that the budget does not allow projections of an option, which goes no further.
static void lacks_budget(mending *m, search_round *r, option *o, int64_t projections) {
    m->s.rounds.items[r->told].spent = true;
    try_of(m, r, o)->lacks = projections;
    o->made = false;
}

// Projects the options from `from` on with the seed that shows the root.
static status project_first(mending *m, search_round *r, size_t from, error *err) {
    ARRAY(size_t) which = {0};
    for (size_t i = from; i < r->options.count; i++)
        if (r->options.items[i].made) {
            if (mending_affords(m, (int64_t)which.count + 1))
                array_push(&which, r->options.items[i].version);
            else
                lacks_budget(m, r, &r->options.items[i], 1);
        }
    status st =
        mending_project(m, which.items, which.count, r->root.seed, 1,
                        arena_format(m->t.memory, "%zu. %s", r->told + 1, r->root.name), err);
    for (size_t i = from; i < r->options.count && st == OK; i++)
        if (r->options.items[i].made)
            note_option(m, r, &r->options.items[i]);
    array_finish(&which);
    return st;
}

// Keeps a version: what was tried on the way to it, and the option itself.
static void keep_option(mending *m, const search_round *r, const option *o) {
    for (size_t i = 0; i < r->on.count; i++)
        array_push(&m->s.edits, r->on.items[i]);
    for (size_t i = 0; i < o->count; i++)
        array_push(&m->s.edits, o->edits[i]);
    m->kept = o->version;
    try_of(m, r, o)->kept = true;
}

// Projects the options that succeeded with the first seed with the others, too, and keeps the best
// one if more succeed than with the kept version. Of equal ones the first is the best.
static status choose_best(mending *m, search_round *r, size_t from, bool *found, error *err) {
    ARRAY(size_t) which = {0};
    for (size_t i = from; i < r->options.count; i++) {
        option *o = &r->options.items[i];
        if (!o->made || !o->succeeded || which.count == PROMISING_MAX)
            continue;
        if (mending_affords(m, (int64_t)(which.count + 1) * (m->s.seeds - 1)))
            array_push(&which, o->version);
        else
            lacks_budget(m, r, o, m->s.seeds - 1);
    }
    status st = OK;
    if (which.count)
        st = mending_project(
            m, which.items, which.count, m->s.first_seed, m->s.seeds,
            arena_format(m->t.memory, "%zu. the best against %s", r->told + 1, r->root.name), err);
    int64_t best = mending_successes(m, m->kept, NULL);
    const option *chosen = NULL;
    for (size_t i = from; i < r->options.count && which.count && st == OK; i++) {
        option *o = &r->options.items[i];
        if (!o->made || !o->succeeded)
            continue;
        note_option(m, r, o);
        if (try_of(m, r, o)->succeeded > best) {
            best = try_of(m, r, o)->succeeded;
            chosen = o;
        }
    }
    if (chosen)
        keep_option(m, r, chosen);
    *found = chosen != NULL;
    array_finish(&which);
    return st;
}

// ---- Going on -----------------------------------------------------------------------------------

static status search_root(mending *m, size_t from, chain on, const shown_flaw *root, size_t failed,
                          int depth, bool *found, error *err);

// Goes on from the options that took the flaw away, with what fails them then.
static status go_on(mending *m, search_round *r, int depth, bool *found, error *err) {
    status st = OK;
    int detours = 0;
    for (size_t i = 0; i < r->options.count && !*found && st == OK && detours < DETOURS_MAX; i++) {
        const option *o = &r->options.items[i];
        shown_flaws roots = {0};
        if (!o->made || !o->gone || o->succeeded)
            continue;
        trials_roots(&m->t, o->version, &roots);
        if (roots.count) {
            story_edit *edits = arena_alloc(m->t.memory, (r->on.count + o->count) * sizeof *edits);
            chain longer = {edits, 0};
            for (size_t k = 0; k < r->on.count; k++)
                edits[longer.count++] = r->on.items[k];
            for (size_t k = 0; k < o->count; k++)
                edits[longer.count++] = o->edits[k];
            detours++;
            st = search_root(m, o->version, longer, &roots.items[0], 1, depth + 1, found, err);
        }
        array_finish(&roots);
    }
    return st;
}

// Combines the first two options that can be made, those before that take the flaw away.
static status try_pair(mending *m, search_round *r, bool *found, error *err) {
    size_t chosen[2], count = 0, before = r->options.count;
    for (int gone = 1; gone >= 0; gone--)
        for (size_t i = 0; i < before && count < 2; i++)
            if (r->options.items[i].made && r->options.items[i].gone == gone)
                chosen[count++] = i;
    if (count < 2)
        return OK;
    option pair = {.count = 2};
    pair.edits[0] = r->options.items[chosen[0]].edits[0];
    pair.edits[1] = r->options.items[chosen[1]].edits[0];
    make_option(m, r, &pair);
    array_push(&r->options, pair);
    status st = project_first(m, r, before, err);
    return st == OK ? choose_best(m, r, before, found, err) : st;
}

static status search_root(mending *m, size_t from, chain on, const shown_flaw *root, size_t failed,
                          int depth, bool *found, error *err) {
    search_round r = {.from = from, .on = on, .root = *root};
    diagnosis *d = NULL;
    status st = shipped_diagnose(m->s.log, root->episode, m->t.c.rules, m->t.c.rule_count, &d, err);
    if (st != OK)
        return st;
    const flaw *f = find_root(d, root);
    begin_telling(m, &r, d, f, failed);
    if (f)
        take_all_suggestions(m, &r, d, f);
    diagnosis_destroy(d);
    for (size_t i = 0; i < r.options.count; i++)
        make_option(m, &r, &r.options.items[i]);
    st = project_first(m, &r, 0, err);
    if (st == OK)
        st = choose_best(m, &r, 0, found, err);
    if (st == OK && !*found && depth < DEPTH_MAX)
        st = go_on(m, &r, depth, found, err);
    if (st == OK && !*found && depth == 0)
        st = try_pair(m, &r, found, err);
    array_finish(&r.options);
    return st;
}

status search_improvement(mending *m, bool *found, error *err) {
    shown_flaws roots = {0};
    size_t failed = 0;
    status st = OK;
    trials_roots(&m->t, m->kept, &roots);
    for (size_t i = 0; i < m->t.course.results.samples.count; i++) {
        const result_sample *s = &m->t.course.results.samples.items[i];
        failed += s->plan == m->kept && trials_answer(s) == ANSWER_FAILED;
    }
    for (size_t i = 0; i < roots.count && i < ROOTS_MAX && !*found && st == OK; i++)
        st = search_root(m, m->kept, (chain){0}, &roots.items[i], failed, 0, found, err);
    array_finish(&roots);
    return st;
}

// cli/mend/try.c - projects what a diagnosis suggests, beside the plan as it is.
#include "cli/mend/try.h"

#include <string.h>
#include <unistd.h>

#include "base/text/number.h"
#include "cli/folder.h"
#include "cli/mend/trials.h"
#include "cli/runs/fingerprint.h"

typedef struct attempt { // one suggestion
    size_t flaw, number; // indices in the diagnosis
    size_t version;
    bool made;
    char why_not[800]; // why it was not made
} attempt;
typedef struct trying {
    trials t;
    const char *log;
    int64_t seeds, first_seed, jobs;
    ARRAY(attempt) attempts;
    char folder[4096];
} trying;

// ---- The request --------------------------------------------------------------------------------

static void add_attempts(trying *y, const diagnosis *d, size_t i) {
    for (size_t k = 0; k < diagnosis_flaw(d, i)->suggest_count; k++)
        array_push(&y->attempts, ((attempt){.flaw = i, .number = k}));
}

// Chooses the suggestions that are tried: those of --flaw, or of the first root that has any.
static status choose_attempts(const arguments *a, trying *y, const diagnosis *d, error *err) {
    const char *wanted = arguments_value(a, "flaw");
    int64_t number = 0;
    bool all = wanted && strcmp(wanted, "all") == 0;
    if (wanted && !all &&
        (!number_parse_integer(wanted, strlen(wanted), &number) || number < 1 ||
         (uint64_t)number > diagnosis_count(d)))
        return error_set(err, E_USAGE,
                         "--flaw needs the number of a flaw, 1 to %zu, or all, not "
                         "'%s'",
                         diagnosis_count(d), wanted);
    for (size_t i = 0; i < diagnosis_count(d); i++) {
        const flaw *f = diagnosis_flaw(d, i);
        bool chosen = number ? f->id == number : all || (f->root && y->attempts.count == 0);
        if (chosen)
            add_attempts(y, d, i);
    }
    return OK;
}

// ---- Projections --------------------------------------------------------------------------------

// The file that a suggestion's edits are made in: the plan of the robot whose flaw it is, or the
// one that names all robots.
static const char *plan_of(const attempt *one, const diagnosis *d, const rerun *ran) {
    const char *file = flaw_edits_file(diagnosis_flaw(d, one->flaw), one->number);
    return file ? file : ran->plan;
}

static void make_version(trying *y, const diagnosis *d, attempt *one) {
    const flaw *f = diagnosis_flaw(d, one->flaw);
    const flaw_suggestion *s = &f->suggests[one->number];
    errors list = {0};
    const char *file = plan_of(one, d, y->t.again);
    if (strcmp(file, y->t.plan_path) != 0) {
        snprintf(one->why_not, sizeof one->why_not,
                 "these are edits of %s, and those of %s were tried; name the flaw by --flaw", file,
                 y->t.plan_path);
        return;
    }
    const char *label = arena_format(y->t.memory, "%s+%s", y->t.c.items[0].name, s->rule);
    one->made = trials_edit(&y->t, 0, s->edits, label, &one->version, &list) == OK;
    if (!one->made)
        snprintf(one->why_not, sizeof one->why_not, "%s",
                 list.count ? list.items[0].text : "the edits are wrong");
    errors_finish(&list);
}

// Projects seed by seed, the plan as it is first.
static status project_all(trying *y, error *err) {
    ARRAY(course_sample) wanted = {0};
    for (int64_t i = 0; i < y->seeds; i++) {
        array_push(&wanted, ((course_sample){0, y->first_seed + i}));
        for (size_t k = 0; k < y->attempts.count; k++)
            if (y->attempts.items[k].made)
                array_push(&wanted,
                           ((course_sample){y->attempts.items[k].version, y->first_seed + i}));
    }
    status st = trials_project(&y->t, wanted.items, wanted.count, "trying suggestions", err);
    array_finish(&wanted);
    return st;
}

// ---- What they say ------------------------------------------------------------------------------

static void count_pair(const trying *y, const attempt *one, int64_t seed, const shown_flaw *f,
                       flaw_trial *out) {
    const result_sample *before = trials_sample(&y->t, 0, seed),
                        *after = trials_sample(&y->t, one->version, seed);
    sample_answer b = trials_answer(before), a = trials_answer(after);
    if (a == ANSWER_NONE || b == ANSWER_NONE)
        return;
    out->answered++;
    out->with += a == ANSWER_SUCCEEDED;
    out->without += b == ANSWER_SUCCEEDED;
    out->mended += a == ANSWER_SUCCEEDED && b == ANSWER_FAILED;
    out->broken += a == ANSWER_FAILED && b == ANSWER_SUCCEEDED;
    out->shows += trials_shows(&y->t, after, f);
    out->shows_without += trials_shows(&y->t, before, f);
}

static void judge_attempt(const trying *y, const attempt *one, diagnosis *d) {
    const flaw *f = diagnosis_flaw(d, one->flaw);
    const char *path = f->task.call.path ? f->task.call.path : f->task.at.path;
    const shown_flaw shown = {
        .name = f->name, .path = path ? path : "", .body = f->body_count ? f->bodies[0] : ""};
    flaw_trial trial = {.first_seed = y->first_seed, .seeds = y->seeds};
    shown_flaws roots = {0};
    if (one->made) {
        for (int64_t i = 0; i < y->seeds; i++)
            count_pair(y, one, y->first_seed + i, &shown, &trial);
        trials_roots(&y->t, one->version, &roots);
    } else {
        trial.impossible = one->why_not;
    }
    if (roots.count) {
        trial.instead = roots.items[0].name;
        trial.instead_path = roots.items[0].path;
        trial.instead_count = (int64_t)roots.items[0].count;
        trial.instead_seed = roots.items[0].seed;
    }
    diagnosis_try(d, one->flaw, one->number, &trial);
    array_finish(&roots);
}

static status try_all(trying *y, diagnosis *d, rerun *ran, error *err) {
    const kept_file *kept = rerun_file(ran, y->t.plan_path);
    const char *text = kept ? kept->text : "";
    size_t length = kept ? kept->length : 0;
    errors list = {0};
    status st = trials_begin(&y->t, text, length, arena_format(y->t.memory, "%s/try.db", y->folder),
                             y->jobs, &list);
    if (st != OK && list.count)
        *err = list.items[0];
    errors_finish(&list);
    if (st != OK)
        return st;
    for (size_t i = 0; i < y->attempts.count; i++)
        make_version(y, d, &y->attempts.items[i]);
    st = project_all(y, err);
    if (st == E_INTERRUPTED)
        error_set(err, E_INTERRUPTED, "interrupted");
    for (size_t i = 0; i < y->attempts.count && st == OK; i++)
        judge_attempt(y, &y->attempts.items[i], d);
    return st;
}

status try_suggestions(const arguments *a, const char *log, int64_t episode, diagnosis *d,
                       error *err) {
    rerun ran = {0};
    ARRAY(const char *) rules = {0}; // by which the episode was diagnosed
    trying y = {.log = log, .seeds = 5, .jobs = sysconf(_SC_NPROCESSORS_ONLN)};
    y.t.memory = arena_create();
    y.t.c.how = projection_options_default();
    for (size_t i = 0; i < a->options.count; i++)
        if (strcmp(a->options.items[i].flag->name, "rules") == 0)
            array_push(&rules, a->options.items[i].value);
    y.t.c.rules = rules.items;
    y.t.c.rule_count = rules.count;
    status st = option_integer(a, "samples", 1, 10000, &y.seeds, err);
    if (st == OK)
        st = option_integer(a, "jobs", 1, 1024, &y.jobs, err);
    if (st == OK)
        st = choose_attempts(a, &y, d, err);
    y.jobs = y.jobs < 1 ? 1 : y.jobs;
    if (st == OK && y.attempts.count > 0)
        st = rerun_read(log, episode, &ran, err);
    if (ran.memory) {
        y.first_seed = ran.seed;
        y.t.plan_path = plan_of(&y.attempts.items[0], d, &ran);
        y.t.again = &ran;
        y.t.c.how.step = ran.step;
        y.t.c.how.cycle = ran.cycle;
        // Without its flaw a plan takes longer, but not for ever.
        y.t.c.how.until = 60 * NANOS_PER_SECOND + 3 * ran.end;
        fingerprint_warn(log, ran.episode);
        st = folder_make(y.folder, sizeof y.folder, "foresee-try-", "the projections", err);
        if (st == OK)
            st = try_all(&y, d, &ran, err);
        trials_end(&y.t);
        folder_remove(y.folder);
        rerun_finish(&ran);
    }
    array_finish(&y.attempts);
    array_finish(&rules);
    arena_destroy(y.t.memory);
    return st;
}

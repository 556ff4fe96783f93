// cli/mend/trials.c - makes versions of a plan, loads them, and has them projected.
#include "cli/mend/trials.h"

#include <string.h>

#include "base/hash.h"
#include "plans/edit.h"

// ---- Versions -----------------------------------------------------------------------------------

static uint64_t text_hash(const char *text, size_t length) {
    size_t stripped = 0;
    char *bare = edit_strip(text, length, &stripped);
    uint64_t hash = bare ? hash_bytes(bare, stripped) : hash_bytes(text, length);
    free(bare);
    return hash;
}

static status load_version(trials *t, const char *text, size_t length, scenario *out,
                           errors *list) {
    const kept_file unwritten = {.name = t->plan_path, .text = text, .length = length};
    const file_set files = {.items = &unwritten, .count = 1, .over_disk = true};
    const settings none = {0};
    status st;
    if (t->again) {
        rerun_replace_plan(t->again, t->plan_path, text, length);
        st = scenario_load_rerun(t->again, &none, &none, out, list);
    } else {
        st = scenario_load_from(&files, t->plan_path, t->c.world, t->c.robot, &t->c.set, out, list);
    }
    if (st != OK)
        return st;
    st = scenario_check(out, list);
    if (st != OK)
        scenario_finish(out);
    return st;
}

static status add_version(trials *t, const char *text, size_t length, const char *label,
                          errors *list) {
    size_t i = t->c.count;
    candidate *one = &t->c.items[i];
    status st = load_version(t, text, length, &one->scene, list);
    if (st != OK)
        return st;
    t->versions[i] =
        (version){arena_copy(t->memory, text, length), length, text_hash(text, length)};
    one->path = one->real = t->plan_path;
    one->name = label;
    one->loaded = true;
    one->scene.plan_name = label;
    results_add_plan(&t->course.results, t->plan_path, label);
    t->c.count++;
    return OK;
}

status trials_begin(trials *t, const char *text, size_t length, const char *output, int64_t jobs,
                    errors *list) {
    error err = {0};
    logger *log = NULL;
    log_options options = log_options_default();
    const char *slash = strrchr(t->plan_path, '/');
    t->c.memory = t->memory;
    t->c.items = arena_alloc(t->memory, VERSIONS_MAX * sizeof *t->c.items);
    t->course.c = &t->c;
    t->course.output = output;
    t->course.jobs = jobs;
    status st = add_version(t, text, length, slash ? slash + 1 : t->plan_path, list);
    if (st != OK)
        return st;
    st = log_create(output, &options, &log, &err);
    log_close(log);
    if (st == OK)
        st = course_begin(&t->course, &err);
    if (st != OK)
        errors_append(list, &err);
    return st;
}

void trials_end(trials *t) {
    course_end(&t->course);
    results_finish(&t->course.results);
    candidates_finish(&t->c);
}

// The plan that was loaded from the file whose versions these are, which one of several robots may
// have for itself.
static const plan *plan_edited(const trials *t, const scenario *s) {
    for (size_t i = 0; i < s->member_count; i++)
        if (strcmp(plan_source_at(s->members[i].plan, 0)->name, t->plan_path) == 0)
            return s->members[i].plan;
    return s->plan;
}

status trials_edit(trials *t, size_t from, const char *edits, const char *label, size_t *out,
                   errors *list) {
    const plan *p = plan_edited(t, &t->c.items[from].scene);
    size_t sources = plan_source_count(p), length = 0;
    edit_file *routines = mem_must(sources + 1, sizeof *routines);
    edit_request request = {
        .plan = {t->plan_path, t->versions[from].text, t->versions[from].length},
        .edits = {"the edits", edits, strlen(edits)},
        .routines = routines};
    for (size_t i = 0; i < sources; i++) {
        const plan_source *s = plan_source_at(p, i);
        if (strcmp(s->kind, "routine") == 0)
            routines[request.routine_count++] = (edit_file){s->name, s->text, s->length};
    }
    edit_result *made = NULL;
    status st = edit_apply(&request, &made, list);
    free(routines);
    if (st != OK)
        return st;
    const char *text = edit_text(made, &length);
    uint64_t hash = text_hash(text, length);
    size_t same = 0;
    while (same < t->c.count && t->versions[same].hash != hash)
        same++;
    if (same == t->c.count && same == VERSIONS_MAX) {
        errors_add(list, t->plan_path, 0, 0, "there are %d versions of this plan already",
                   VERSIONS_MAX);
        st = E_INPUT;
    } else if (same == t->c.count) {
        st = add_version(t, text, length, label, list);
    }
    if (st == OK)
        *out = same;
    edit_result_destroy(made);
    return st;
}

// ---- Projections --------------------------------------------------------------------------------

const result_sample *trials_sample(const trials *t, size_t which, int64_t seed) {
    const results *r = &t->course.results;
    for (size_t i = 0; i < r->samples.count; i++)
        if (r->samples.items[i].plan == which && r->samples.items[i].seed == seed)
            return &r->samples.items[i];
    return NULL;
}

size_t trials_missing(const trials *t, const course_sample *wanted, size_t count) {
    size_t missing = 0;
    for (size_t i = 0; i < count; i++)
        missing += trials_sample(t, wanted[i].candidate, wanted[i].seed) == NULL;
    return missing;
}

size_t trials_projected(const trials *t) {
    return t->course.results.samples.count;
}

sample_answer trials_answer(const result_sample *s) {
    return s && strcmp(s->outcome, "incomplete") == 0 ? ANSWER_FAILED
           : s                                        ? results_answer(s)
                                                      : ANSWER_NONE;
}

static bool is_listed(const course_sample *all, size_t count, course_sample one) {
    for (size_t i = 0; i < count; i++)
        if (all[i].candidate == one.candidate && all[i].seed == one.seed)
            return true;
    return false;
}

status trials_project(trials *t, const course_sample *wanted, size_t count, const char *doing,
                      error *err) {
    course *all = &t->course;
    ARRAY(course_sample) missing = {0};
    for (size_t i = 0; i < count; i++)
        if (!trials_sample(t, wanted[i].candidate, wanted[i].seed) &&
            !is_listed(missing.items, missing.count, wanted[i]))
            array_push(&missing, wanted[i]);
    status st = OK;
    if (missing.count) {
        all->picked = missing.items;
        all->doing = doing;
        all->count = missing.count;
        all->at = 0;
        all->episodes = mem_must(missing.count + 1, sizeof *all->episodes);
        all->progress = progress_begin(t->quiet);
        engine *e = engine_local(all);
        st = course_run(all, e, err);
        progress_end(&all->progress);
        e->class->destroy(e);
        free(all->episodes);
        all->episodes = NULL;
        all->picked = NULL;
    }
    array_finish(&missing);
    return st;
}

// ---- What samples show --------------------------------------------------------------------------

static bool same_flaw(const results *r, const result_flaw *f, const shown_flaw *g) {
    const char *path = results_text(r, f->path), *body = results_text(r, f->body);
    return strcmp(results_text(r, f->name), g->name) == 0 &&
           (strcmp(path, g->path) == 0 || (*body && strcmp(body, g->body) == 0));
}

bool trials_shows(const trials *t, const result_sample *s, const shown_flaw *f) {
    const results *r = &t->course.results;
    for (size_t i = 0; s && i < s->flaw_count; i++)
        if (same_flaw(r, &r->flaws.items[s->first_flaw + i], f))
            return true;
    return false;
}

static int more_frequent(const void *a, const void *b) {
    const shown_flaw *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1)
           : x->seed != y->seed ? (x->seed < y->seed ? -1 : 1)
                                : strcmp(x->name, y->name);
}

static void count_root(const results *r, const result_sample *s, const result_flaw *f,
                       shown_flaws *out) {
    const char *name = results_text(r, f->name), *path = results_text(r, f->path);
    for (size_t i = 0; i < out->count; i++) {
        shown_flaw *g = &out->items[i];
        if (strcmp(g->name, name) != 0 || strcmp(g->path, path) != 0)
            continue;
        g->count++;
        if (s->seed < g->seed) {
            g->seed = s->seed;
            g->episode = s->episode;
        }
        return;
    }
    array_push(out, ((shown_flaw){name, path, results_text(r, f->body), 1, s->seed, s->episode}));
}

void trials_roots(const trials *t, size_t which, shown_flaws *out) {
    const results *r = &t->course.results;
    for (size_t i = 0; i < r->samples.count; i++) {
        const result_sample *s = &r->samples.items[i];
        if (s->plan != which || trials_answer(s) != ANSWER_FAILED)
            continue;
        for (size_t k = 0; k < s->flaw_count; k++)
            if (r->flaws.items[s->first_flaw + k].root)
                count_root(r, s, &r->flaws.items[s->first_flaw + k], out);
    }
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, more_frequent);
}

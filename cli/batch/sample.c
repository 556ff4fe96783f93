// cli/batch/sample.c - projects and diagnoses samples, and writes and reads what they gave.
#include "cli/batch/sample.h"

#include <string.h>

#include "cli/runs/shipped.h"

// ---- Writing ------------------------------------------------------------------------------------

// Puts a word of a line: a tab or a line break in it would end it.
static void put_word(text_buffer *out, const char *word) {
    text_put(out, "\t");
    for (; word && *word; word++)
        text_put_bytes(out, (unsigned char)*word < ' ' ? "?" : word, 1);
}

static void put_flaws(const diagnosis *d, text_buffer *out) {
    for (size_t k = 0; d && k < diagnosis_count(d); k++) {
        const flaw *f = diagnosis_flaw(d, k);
        // The step of the plan itself says more than one in the library.
        const char *path = f->task.call.path ? f->task.call.path : f->task.at.path;
        text_add(out, "flaw\t%d", f->root);
        put_word(out, f->name);
        put_word(out, path);
        put_word(out, f->body_count ? f->bodies[0] : NULL);
        text_put(out, "\n");
    }
}

static void report_error(int64_t seed, status st, const error *err) {
    if (st == OK || st == E_INTERRUPTED || !err->text[0])
        return;
    cli_print(stderr, "seed %lld: ", (long long)seed);
    cli_error(err);
}

static status write_sample(const candidates *c, size_t which, int64_t seed, const char *path,
                           int64_t episode, const char *outcome, nanos end, text_buffer *out,
                           error *err) {
    diagnosis *d = NULL;
    status st = OK;
    if (strcmp(outcome, "invalid") != 0)
        st = shipped_diagnose(path, episode, c->rules, c->rule_count, &d, err);
    if (st == OK) {
        text_add(out, "sample\t%zu\t%lld\t%lld\t%s\t%lld\n", which, (long long)seed,
                 (long long)episode, outcome, (long long)end);
        put_flaws(d, out);
    }
    diagnosis_destroy(d);
    return st;
}

status sample_project(const candidates *c, size_t which, int64_t seed, const char *path,
                      text_buffer *out) {
    projection_options how = c->how;
    log_options options = {.durable = false};
    error err = {0};
    errors list = {0};
    sample s = {0};
    scenario drawn = {0};
    settings set = {0};
    arena *memory = arena_create();
    const scenario *scene = &c->items[which].scene;
    bool refused = false;
    status st = OK;
    how.seed = (uint64_t)seed;
    how.stop = &cli_stopped;
    if (c->vary) {
        candidates_settings(c, which, seed, memory, &set);
        st = scenario_load(c->items[which].path, c->world, c->robot, &set, &drawn, &list);
        if (st == OK)
            st = scenario_check(&drawn, &list);
        drawn.plan_name = c->items[which].name;
        scene = &drawn;
        if (list.count) {
            cli_print(stderr, "seed %lld: ", (long long)seed);
            cli_errors(&list);
        }
        refused = st == E_INPUT;
    }
    if (refused) {
        text_add(out, "sample\t%zu\t%lld\t0\trefused\t0\n", which, (long long)seed);
        st = OK;
    } else if (st == OK) {
        st = scenario_project(scene, path, &options, &how, &s, &err);
        if (st == E_DIVERGED)
            st = OK; // the sample is invalid, which is an answer
        if (st == OK)
            st = write_sample(c, which, seed, path, s.episode, s.outcome, s.end, out, &err);
    }
    report_error(seed, st, &err);
    if (drawn.arena)
        scenario_finish(&drawn);
    errors_finish(&list);
    array_finish(&set);
    arena_destroy(memory);
    return st;
}

status sample_diagnose(const candidates *c, size_t which, int64_t seed, const char *path,
                       int64_t episode, text_buffer *out) {
    store *log = NULL;
    const store_episode *e = NULL;
    error err = {0};
    status st = store_open(path, &log, &err);
    if (st == OK)
        st = store_choose(log, episode, &e, &err);
    if (st == OK)
        st = write_sample(c, which, seed, path, episode, e->outcome, e->end, out, &err);
    store_close(log);
    report_error(seed, st, &err);
    return st;
}

// ---- Reading ------------------------------------------------------------------------------------

// Copies the next word of a line, up to a tab or the line's end; false: the line has no more.
static bool take_word(const char **at, char *word, size_t size) {
    size_t length = strcspn(*at, "\t\n");
    if (**at != '\t' && length == 0 && **at != '\n')
        return false;
    snprintf(word, size, "%.*s", (int)length, *at);
    *at += length;
    *at += **at == '\t';
    return true;
}

bool sample_next(const char **at, sample_lines *out) {
    long long seed, episode;
    size_t which;
    if (sscanf(*at, "sample\t%zu\t%lld\t%lld\t", &which, &seed, &episode) != 3)
        return false;
    *out = (sample_lines){which, seed, episode, *at, NULL};
    const char *line = strchr(*at, '\n');
    while (line && strncmp(line + 1, "flaw\t", 5) == 0)
        line = strchr(line + 1, '\n');
    if (!line)
        return false;
    out->end = *at = line + 1;
    return true;
}

static void add_values(const candidates *c, size_t which, int64_t seed, results *r) {
    for (size_t i = 0; i < r->parameters.count; i++)
        results_add_value(r, i, candidates_value(c, which, seed, i));
}

void sample_add(const candidates *c, const sample_lines *lines, int64_t episode, results *r) {
    char word[5][512] = {{0}};
    long long end = 0;
    const char *at = lines->begin;
    for (int i = 0; i < 4; i++)
        take_word(&at, word[0], sizeof word[0]);
    take_word(&at, word[0], sizeof word[0]);
    sscanf(at, "%lld", &end);
    results_add_sample(r, lines->which, lines->seed, word[0], end, episode);
    add_values(c, lines->which, lines->seed, r);
    for (at = strchr(lines->begin, '\n') + 1; at < lines->end; at = strchr(at, '\n') + 1) {
        const char *rest = at;
        for (int i = 0; i < 5; i++)
            if (!take_word(&rest, word[i], sizeof word[i]))
                word[i][0] = 0;
        results_add_flaw(r, word[2], word[1][0] == '1', word[3], word[4]);
    }
}

void sample_add_crashed(const candidates *c, size_t which, int64_t seed, results *r) {
    results_add_sample(r, which, seed, "crashed", 0, 0);
    add_values(c, which, seed, r);
}

// tests/query/querylib.h - an engine on a log of its own, and answers as text.
#ifndef FORESEE_TESTS_QUERY_QUERYLIB_H
#define FORESEE_TESTS_QUERY_QUERYLIB_H

#include "query/engine.h"
#include "tests/schema/dblib.h"

typedef struct asked {
    char *folder, *path;
    store *store;
    engine *engine;
    arena *texts;
    int loads;
} asked;

// A log with one episode of `end` seconds and a step of 2 ms, and `rows`: more SQL, or NULL.
static inline asked *asked_open_with(double end, const char *rows, const engine_options *opt) {
    asked *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->folder = testlib_folder();
    a->path = db_make_log(a->folder, "log.db");
    char sql[300];
    long long ns = nanos_from_seconds(end);
    snprintf(sql, sizeof sql,
             "INSERT INTO episode VALUES (1, 'p', 'w', 'r', 1, '0', 2000000, 20000000, %lld, "
             "'succeeded', 1, %lld)",
             ns, ns);
    db_run_in(a->path, sql);
    if (rows)
        db_run_in(a->path, rows);
    error err = {0};
    if (store_open(a->path, &a->store, &err) != OK ||
        engine_open(a->store, 1, opt, &a->engine, &err) != OK)
        fail_msg("%s", err.text);
    a->texts = arena_create();
    return a;
}

static inline asked *asked_open(double end, const char *rows) {
    return asked_open_with(end, rows, NULL);
}

// Another engine on the same log. The caller closes the engine and nothing else.
static inline asked asked_beside(const asked *home, const engine_options *opt) {
    asked a = *home;
    error err = {0};
    if (engine_open(home->store, 1, opt, &a.engine, &err) != OK)
        fail_msg("%s", err.text);
    a.loads = 0;
    return a;
}

// The same, where each question derives its relations whole: what demand must agree with.
static inline asked asked_whole(const asked *home) {
    engine_options opt = engine_options_default();
    opt.derive_whole = true;
    return asked_beside(home, &opt);
}

static inline void asked_close(asked *a) {
    arena_destroy(a->texts);
    engine_close(a->engine);
    store_close(a->store);
    free(a->path);
    testlib_remove(a->folder);
    free(a);
}

// Everything that was wrong, a line each, without "error: ".
static inline const char *asked_errors(asked *a, errors *list) {
    char *all = arena_alloc(a->texts, 1);
    for (size_t i = 0; i < list->count; i++)
        all = arena_format(a->texts, "%s%d:%d: %s\n", all, list->items[i].line,
                           list->items[i].column, list->items[i].text);
    errors_finish(list);
    return all;
}

// Rules in a file of their own: rules.dl, rules-2.dl, ...
static inline void asked_load(asked *a, const char *rules) {
    errors list = {0};
    const char *name =
        ++a->loads == 1 ? "rules.dl" : arena_format(a->texts, "rules-%d.dl", a->loads);
    if (engine_load(a->engine, name, rules, strlen(rules), &list) != OK)
        fail_msg("%s", asked_errors(a, &list));
}

// The answers as "value value; value value" in order, "yes" or "no" without variables, or the
// mistakes.
static inline const char *asked_for(asked *a, const char *query) {
    errors list = {0};
    answers *got = NULL;
    if (engine_query(a->engine, "query", query, &got, &list) != OK)
        return asked_errors(a, &list);
    assert_int_equal(list.count, 0);
    const char *text = "";
    for (size_t r = 0; r < answers_count(got); r++) {
        for (size_t c = 0; c < answers_columns(got); c++)
            text = arena_format(a->texts, "%s%s%s", text,
                                c   ? " "
                                : r ? "; "
                                    : "",
                                term_text(a->texts, answers_term(got, r, c, a->texts)));
    }
    if (answers_columns(got) == 0)
        text = answers_count(got) ? "yes" : "no";
    answers_destroy(got);
    return text;
}

#define expect(a, query, answer) expect_at(a, query, answer, __FILE__, __LINE__)
static inline void expect_at(asked *a, const char *query, const char *answer, const char *file,
                             int line) {
    const char *got = asked_for(a, query);
    if (strcmp(got, answer) != 0)
        fail_msg("%s:%d: %s\n  expected: %s\n  got:      %s", file, line, query, answer, got);
}

// The mistakes of a program hold this text.
#define expect_wrong(rules, text) expect_wrong_at(rules, text, __FILE__, __LINE__)
static inline void expect_wrong_at(const char *rules, const char *text, const char *file,
                                   int line) {
    asked *a = asked_open(10, NULL);
    errors list = {0};
    status s = engine_load(a->engine, "rules.dl", rules, strlen(rules), &list);
    if (s == OK)
        s = engine_check(a->engine, &list);
    assert_int_equal(s, E_INPUT);
    const char *said = asked_errors(a, &list);
    if (!strstr(said, text))
        fail_msg("%s:%d: expected '%s' in:\n%s", file, line, text, said);
    asked_close(a);
}

#endif

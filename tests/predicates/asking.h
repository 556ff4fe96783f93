// tests/predicates/asking.h - questions to a synthetic log, with the shipped rules.
#ifndef FORESEE_TESTS_PREDICATES_ASKING_H
#define FORESEE_TESTS_PREDICATES_ASKING_H

#include "report/ask.h"
#include "tests/predicates/synthetic.h"

typedef struct asking {
    ask *ask;
    arena *arena;
} asking;

static inline asking asking_open(const synthetic *s) {
    asking q = {.arena = arena_create()};
    errors list = {0};
    if (ask_open(s->path, 0, FORESEE_SOURCE_DIR "/predicates", NULL, 0, &q.ask, &list) != OK)
        fail_msg("%s:%d: %s", list.items[0].file, list.items[0].line, list.items[0].text);
    return q;
}

static inline void asking_close(asking *q) {
    ask_close(q->ask);
    arena_destroy(q->arena);
}

static inline ask_rows asking_rows(asking *q, const char *query) {
    ask_rows rows = {0};
    error err = {0};
    if (ask_all(q->ask, q->arena, query, &rows, &err) != OK)
        fail_msg("%s: %s", query, err.text);
    return rows;
}

static inline size_t asking_count(asking *q, const char *query) {
    ask_rows rows = asking_rows(q, query);
    size_t n = ask_count(&rows);
    array_finish(&rows.values);
    return n;
}

#define yes(q, query) yes_at(q, query, true, __FILE__, __LINE__)
#define no(q, query) yes_at(q, query, false, __FILE__, __LINE__)
static inline void yes_at(asking *q, const char *query, bool expected, const char *file, int line) {
    bool found = false;
    error err = {0};
    if (ask_whether(q->ask, query, &found, &err) != OK)
        fail_msg("%s:%d: %s: %s", file, line, query, err.text);
    if (found != expected)
        fail_msg("%s:%d: %s: expected %s", file, line, query, expected ? "yes" : "no");
}

// Exactly one answer, whose columns are these numbers or times (count of them), each within `by`.
#define once(q, query, by, ...)                                                                    \
    once_at(q, query, by, (const double[]){__VA_ARGS__},                                           \
            sizeof((const double[]){__VA_ARGS__}) / sizeof(double), __FILE__, __LINE__)
static inline void once_at(asking *q, const char *query, double by, const double *expected,
                           size_t count, const char *file, int line) {
    ask_rows rows = asking_rows(q, query);
    if (rows.columns != count || ask_count(&rows) != 1) {
        char text[1024] = "";
        for (size_t i = 0; i < rows.values.count && strlen(text) < 900; i++) {
            char one[80];
            term_format(rows.values.items[i].term, one, sizeof one);
            size_t n = strlen(text);
            snprintf(text + n, sizeof text - n, " %s", one);
        }
        fail_msg("%s:%d: %s: %zu answers of %zu columns:%s", file, line, query, ask_count(&rows),
                 rows.columns, text);
    }
    for (size_t i = 0; i < count; i++) {
        double value = NAN;
        term_number(ask_at(&rows, 0, i)->term, &value);
        if (!(fabs(value - expected[i]) <= by))
            fail_msg("%s:%d: %s: column %zu is %.4f, expected %.4f", file, line, query, i + 1,
                     value, expected[i]);
    }
    array_finish(&rows.values);
}

#endif

// tests/query/api/apilib.h - a connection to a log of its own, and answers as text.
#ifndef FORESEE_TESTS_QUERY_APILIB_H
#define FORESEE_TESTS_QUERY_APILIB_H

#include "include/foresee.h"
#include "tests/schema/dblib.h"

typedef struct opened {
    char *folder, *path;
    foresee *f;
} opened;

#define LOG                                                                                        \
    "INSERT INTO episode VALUES (1, 'p', 'w', 'r', 7, '0', 2000000, 20000000, 9000000000,"         \
    " 'failed', 1, 1), (2, 'q', 'w', 'r', 8, '0', 2000000, 20000000, 5000000000,"                  \
    " 'succeeded', 1, 1);"                                                                         \
    "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'),"                   \
    " (2, 1, 'table', 'body'), (3, 2, 'fork', 'body');"                                            \
    "INSERT INTO contact (id, episode, a, b, start_ns, end_ns) VALUES"                             \
    " (1, 1, 1, 2, 1234567891, 2000000000), (2, 1, 1, 2, 3000000000, NULL);"

static inline opened open_log(int64_t episode) {
    opened o = {.folder = testlib_folder()};
    o.path = db_make_log(o.folder, "log.db");
    db_run_in(o.path, LOG);
    foresee_options options = {.size = sizeof options, .episode = episode, .rules = ""};
    if (foresee_open(o.path, &options, &o.f) != FORESEE_OK)
        fail_msg("%s", foresee_errmsg(o.f));
    assert_string_equal(foresee_errmsg(o.f), "");
    return o;
}

static inline void close_log(opened *o) {
    foresee_close(o->f);
    free(o->path);
    testlib_remove(o->folder);
}

static inline void load(foresee *f, const char *rules) {
    if (foresee_load_text(f, "rules.dl", rules) != FORESEE_OK)
        fail_msg("%s", foresee_errmsg(f));
}

static inline foresee_query *prepare(foresee *f, const char *text) {
    foresee_query *q = NULL;
    if (foresee_prepare(f, text, &q) != FORESEE_OK)
        fail_msg("%s: %s", text, foresee_errmsg(f));
    return q;
}

// All answers, columns behind each other, "; " between answers.
static inline const char *all(foresee_query *q) {
    static char text[2000];
    size_t n = 0;
    int code;
    text[0] = 0;
    while ((code = foresee_step(q)) == FORESEE_ROW) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", n ? "; " : "");
        for (int c = 0; c < foresee_column_count(q); c++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", c ? " " : "",
                                  foresee_column_term(q, c));
        if (foresee_column_count(q) == 0)
            n += (size_t)snprintf(text + n, sizeof text - n, "yes");
    }
    assert_int_equal(code, FORESEE_DONE);
    return text;
}

static inline void expect(foresee *f, const char *query, const char *answers) {
    foresee_query *q = prepare(f, query);
    assert_string_equal(all(q), answers);
    foresee_finalize(q);
}

// The call failed with this code, and the message holds this text.
static inline void failed(const foresee *f, int code, int expected, const char *text) {
    if (code != expected || !strstr(foresee_errmsg(f), text))
        fail_msg("expected %d '%s', got %d '%s'", expected, text, code, foresee_errmsg(f));
}

#endif

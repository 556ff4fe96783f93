// tests/query/test_api_memory.c - memory that runs out in any call of the interface to C: a code
// and a message, no crash, and a connection that answers once there is memory again.
#include "include/foresee.h"
#include "tests/schema/dblib.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

// The call that fails, counted from 1; 0: none.
static uint64_t calls, failing;

static bool refuse(void) {
    return failing && ++calls == failing;
}

void *__wrap_malloc(size_t size) {
    return refuse() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
    return refuse() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
    return refuse() ? NULL : __real_realloc(old, size);
}

static bool fine(foresee *f, int code) {
    if (code == FORESEE_OK || code == FORESEE_ROW || code == FORESEE_DONE)
        return true;
    failing = 0; // the rest has memory again
    assert_true(code == FORESEE_MEMORY || code == FORESEE_LIMIT || code == FORESEE_IO);
    assert_true(strlen(foresee_errmsg(f)) > 0);
    return false;
}

static const char RULES[] = ":- declare touched(body: object, at: time) \"d\".\n"
                            "touched(X, S) :- contact(_, X, _, S, _).\n"
                            "never(X) :- touched(X, S), S > 100.\n";

// What a program does with a connection; true: no call failed.
static bool use(foresee *f) {
    foresee_query *q = NULL;
    foresee_predicate p;
    char *text = NULL;
    bool all = fine(f, foresee_load_text(f, "rules.dl", RULES)) &&
               fine(f, foresee_prepare(f, "touched(X, S)", &q)) &&
               fine(f, foresee_bind_term(q, "X", "cup")) && fine(f, foresee_step(q)) &&
               fine(f, foresee_reset(q)) && fine(f, foresee_bind_symbol(q, "X", "cup")) &&
               fine(f, foresee_step(q));
    if (all) {
        foresee_column_text(q, 1);
        foresee_column_term(q, 0);
        all = fine(f, foresee_query_plan(q, &text));
        foresee_free(text);
        text = NULL;
    }
    foresee_finalize(q);
    if (all) {
        all = fine(f, foresee_explain(f, "touched(cup, S)", "json", &text));
        foresee_free(text);
        text = NULL;
    }
    if (all) {
        all = fine(f, foresee_explain(f, "never(X)", "text", &text));
        foresee_free(text);
        text = NULL;
    }
    if (all) {
        foresee_predicate_at(f, 0, &p);
        all = fine(f, foresee_rules(f, "touched", &text)) && fine(f, foresee_choose(f, 1));
        foresee_free(text);
    }
    return all && fine(f, foresee_unload(f, "rules.dl"));
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    char *folder = testlib_folder(), *path = db_make_log(folder, "log.db");
    db_run_in(path, "INSERT INTO episode VALUES (1, 'p', 'w', 'r', 7, '0', 2000000, 20000000,"
                    " 9000000000, 'failed', 1, 1);"
                    "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'),"
                    " (2, 1, 'table', 'body');"
                    "INSERT INTO contact (id, episode, a, b, start_ns, end_ns) VALUES"
                    " (1, 1, 1, 2, 1234567891, 2000000000);");
    foresee_options options = {.size = sizeof options, .episode = 1, .rules = ""};
    const char *given = getenv("FORESEE_STRIDE");
    uint64_t stride = given ? strtoull(given, NULL, 10) : 17, failures = 0;
    bool done = false;
    for (uint64_t at = 1; !done; at += stride ? stride : 1) {
        foresee *f = NULL;
        calls = 0;
        failing = at;
        int code = foresee_open(path, &options, &f);
        if (!f) {
            assert_int_equal(code, FORESEE_MEMORY);
            failures++;
            continue;
        }
        bool all = fine(f, code) && use(f);
        done = all && calls < at; // it had all it wanted
        failing = 0;
        failures += !all;
        if (code == FORESEE_OK)
            assert_true(use(f));
        foresee_close(f);
    }
    assert_true(failures > 10);
    free(path);
    testlib_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failure_of_memory_is_survived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

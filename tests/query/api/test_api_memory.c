// tests/query/api/test_api_memory.c - memory that runs out in any call of the interface to C: a
// code and a message, no crash, and a connection that answers once there is memory again.
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

// Answers twice(+n, -m), or says that there was no memory.
static int twice(foresee_call *call, void *context) {
    (void)context;
    foresee *f = foresee_call_connection(call);
    foresee_value n = foresee_call_argument(call, 0);
    foresee_value m = foresee_make_int64(f, 2 * foresee_value_int64(f, n));
    return m ? foresee_call_answer(call, (foresee_value[]){0, m}) : FORESEE_MEMORY;
}

static int look(const foresee_progress *so_far, void *context) {
    (void)so_far;
    (void)context;
    return 0;
}

// Whether the value could be made: a message says why not.
static bool made(foresee *f, foresee_value v) {
    return v != 0 || fine(f, FORESEE_MEMORY);
}

// Values, facts from memory, a predicate of its own, and another episode with a query open.
static bool use_values(foresee *f) {
    foresee_query *q = NULL;
    char *text = NULL;
    foresee_value parts[3], list = 0, rows[4];
    rows[0] = foresee_make_symbol(f, "a symbol that nothing else names");
    rows[1] = foresee_make_double(f, 0.125);
    rows[2] = foresee_make_string(f, "a string that nothing else holds");
    bool all = made(f, rows[0]) && made(f, rows[1]) && made(f, rows[2]);
    if (all) {
        rows[3] = foresee_make_compound(f, "pair", rows, 2);
        list = foresee_make_list(f, rows, 3);
        all = made(f, rows[3]) && made(f, list);
    }
    all = all && fine(f, foresee_value_term(f, list, &text));
    foresee_free(text);
    text = NULL;
    all = all && made(f, foresee_make_term(f, "on(a_cup, [b_cup, 1.5])")) &&
          fine(f, foresee_load_facts(f, "memory", "held", 2, rows, 2)) &&
          fine(f, foresee_define(f, "twice(+n, -m)", "d", twice, NULL)) &&
          fine(f, foresee_on_progress(f, 0, look, NULL)) &&
          fine(f, foresee_prepare(f, "held(A, B), twice(7, N), L = [A | _R]", &q)) &&
          fine(f, foresee_bind(q, 3, list)) && fine(f, foresee_step(q));
    if (all) {
        foresee_value_parts(f, foresee_column_value(q, 3), parts, 3);
        all = fine(f, foresee_choose(f, 1)) && fine(f, foresee_step(q));
    }
    foresee_finalize(q);
    all = all && fine(f, foresee_choose(f, 1)) &&
          fine(f, foresee_explain(f, "held(A, B), twice(8, N)", "text", &text));
    foresee_free(text);
    return all && fine(f, foresee_define(f, "twice(+n, -m)", NULL, NULL, NULL)) &&
           fine(f, foresee_unload(f, "memory"));
}

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
    return all && fine(f, foresee_unload(f, "rules.dl")) && use_values(f);
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

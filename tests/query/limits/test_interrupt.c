// tests/query/limits/test_interrupt.c - a query that another thread interrupts at any moment ends,
// and the next is answered. Built once more under the thread sanitizer.
#include <pthread.h>
#include "tests/query/querylib.h"

static uint64_t seed = 7;
static size_t draw(size_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(seed >> 33) % n;
}

static const char RULES[] = "n(X) :- between(1, 400, X).\n"
                            "pair(X, Y) :- n(X), n(Y), X < Y.\n"
                            "far(X, Y) :- pair(X, Y).\nfar(X, Z) :- far(X, Y), pair(Y, Z).\n";

typedef struct interrupter {
    engine *e;
    long nanoseconds;
} interrupter;

static void *interrupt_later(void *context) {
    const interrupter *i = context;
    struct timespec wait = {0, i->nanoseconds};
    nanosleep(&wait, NULL);
    engine_interrupt(i->e);
    return NULL;
}

static void a_query_ends_when_it_is_interrupted_at_any_moment(void **state) {
    (void)state;
    asked *a = asked_open(2, NULL);
    int ended = 0;
    asked_load(a, RULES);
    for (int i = 0; i < 60; i++) {
        interrupter soon = {a->engine, (long)draw((size_t)1000 << (i % 14))};
        pthread_t thread;
        errors list = {0};
        answers *got = NULL;
        assert_int_equal(pthread_create(&thread, NULL, interrupt_later, &soon), 0);
        status s = engine_query(a->engine, "query", "far(X, Y), far(Y, Z), far(Z, W)", &got, &list);
        pthread_join(thread, NULL);
        if (s == OK)
            answers_destroy(got);
        else
            errors_finish(&list);
        assert_true(s == OK || s == E_INTERRUPTED || s == E_LIMIT);
        ended += s == E_INTERRUPTED;
        // The interrupt may have come behind the query: it ends the next, once.
        got = NULL;
        s = engine_query(a->engine, "query", "X = 1 + 1", &got, &list);
        if (s != OK) {
            assert_int_equal(s, E_INTERRUPTED);
            errors_finish(&list);
            assert_int_equal(engine_query(a->engine, "query", "X = 1 + 1", &got, &list), OK);
        }
        assert_int_equal(answers_count(got), 1);
        answers_destroy(got);
    }
    assert_true(ended > 30);
    asked_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_ends_when_it_is_interrupted_at_any_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

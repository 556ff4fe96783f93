// tests/query/derive/test_order.c - typical queries under every order of their literals: the same
// answers, for about the same work.
//
//     test_query_order LOG.db RULES_FOLDER
//
// Work is counted in literals tried, which no load of the machine changes. Every order is asked of
// a fresh engine.
#include "query/engine.h"
#include "query/rule_files.h"
#include "tests/query/derive/orders.h"
#include "tests/testlib.h"

#define RATIO_MAX 3
#define LEAST 200 // steps: less than this is no work to speak of

static const char *const QUERIES[] = {
#define TYPICAL(text) text,
#include "tests/query/derive/typical.def"
#undef TYPICAL
};
static const char *log_path, *rules_folder;

static engine *fresh(store *log, arena *a) {
    engine *e = NULL;
    error err = {0};
    errors list = {0};
    rule_files paths = {0};
    assert_int_equal(engine_open(log, 0, NULL, &e, &err), OK);
    assert_int_equal(rule_files_list(a, rules_folder, &paths, &err), OK);
    for (size_t i = 0; i < paths.count; i++) {
        if (engine_load_library_file(e, paths.items[i], &list) != OK)
            fail_msg("%s", list.items[0].text);
    }
    array_finish(&paths);
    return e;
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The answers as text, whatever the order of their columns.
static const char *answers_text(arena *a, const answers *got) {
    const char **lines = arena_alloc(a, (answers_count(got) + 1) * sizeof *lines);
    size_t size = 1;
    for (size_t r = 0; r < answers_count(got); r++) {
        const char *cells[32];
        size_t width = answers_columns(got);
        assert_true(width <= 32);
        for (size_t c = 0; c < width; c++)
            cells[c] = arena_format(a, "%s=%s", answers_name(got, c),
                                    term_text(a, answers_term(got, r, c, a)));
        qsort(cells, width, sizeof *cells, compare_texts);
        lines[r] = "";
        for (size_t c = 0; c < width; c++)
            lines[r] = arena_format(a, "%s %s", lines[r], cells[c]);
        size += strlen(lines[r]) + 1;
    }
    qsort(lines, answers_count(got), sizeof *lines, compare_texts);
    char *text = arena_alloc(a, size), *at = text;
    for (size_t r = 0; r < answers_count(got); r++)
        at += sprintf(at, "%s\n", lines[r]);
    return text;
}

static uint64_t ask(store *log, arena *a, const char *query, const char **text, size_t *count) {
    engine *e = fresh(log, a);
    answers *got = NULL;
    errors list = {0};
    if (engine_query(e, "query", query, &got, &list) != OK)
        fail_msg("%s\n  %s", query, list.count ? list.items[0].text : "no answer");
    uint64_t steps = engine_last_cost(e).steps;
    *text = answers_text(a, got);
    *count = answers_count(got);
    answers_destroy(got);
    engine_close(e);
    return steps > LEAST ? steps : LEAST;
}

static void the_order_of_literals_changes_neither_answers_nor_work(void **state) {
    (void)state;
    store *log = NULL;
    size_t not_empty = 0, too_far = 0, queries = sizeof QUERIES / sizeof *QUERIES;
    assert_true(queries >= 20);
    assert_int_equal(store_open(log_path, &log, NULL), OK);
    for (size_t q = 0; q < queries; q++) {
        arena *a = arena_create();
        const term *body = NULL, *literals[LITERALS_MAX];
        size_t all = 1, count = 0;
        uint64_t low = UINT64_MAX, high = 0;
        const char *expected = NULL;
        assert_int_equal(term_parse(a, "query", QUERIES[q], strlen(QUERIES[q]), 1, 1, &body, NULL),
                         OK);
        size_t n = literals_of(body, literals);
        for (size_t i = 2; i <= n; i++)
            all *= i;
        size_t orders = all < ORDERS ? all : ORDERS;
        for (size_t k = 0; k < orders; k++) {
            size_t order[LITERALS_MAX];
            const char *got;
            arena *inner = arena_create();
            order_at(k * all / orders, n, order);
            const char *query = in_order(inner, literals, order, n);
            uint64_t steps = ask(log, inner, query, &got, &count);
            if (!expected)
                expected = arena_strdup(a, got);
            else if (strcmp(expected, got) != 0)
                fail_msg("the order changes the answers of %s", query);
            low = steps < low ? steps : low;
            high = steps > high ? steps : high;
            arena_destroy(inner);
        }
        not_empty += count > 0;
        too_far += high > RATIO_MAX * low;
        print_message("%8llu to %8llu steps  %5.2f x  %4zu answers, %2zu orders  %s\n",
                      (unsigned long long)low, (unsigned long long)high, (double)high / (double)low,
                      count, orders, QUERIES[q]);
        arena_destroy(a);
    }
    store_close(log);
    assert_true(10 * not_empty >= 7 * queries);
    assert_int_equal(too_far, 0);
}

int main(int count, char **args) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_literals_changes_neither_answers_nor_work),
    };
    if (count != 3) {
        fprintf(stderr, "test_query_order LOG.db RULES_FOLDER\n");
        return 2;
    }
    log_path = args[1];
    rules_folder = args[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}

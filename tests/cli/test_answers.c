// tests/cli/test_answers.c - the six forms of answers, byte for byte.
#include "cli/answers.h"
#include "tests/schema/dblib.h"

static const char RULES[] =
    "p(cup, \"say \\\"hi\\\", you\", 2.5). p('a b', f([1, g(x)]), 3). q([1, [a, \"b\"], f(1)]).\n"
    "late(S) :- S = start + 1.5. late(S) :- S = start + 4.\n";

typedef struct opened {
    char *folder;
    foresee *logs[2];
    int64_t episodes[2];
} opened;

// A log of two episodes, asked with the rules above.
static opened open_two(void) {
    opened o = {.folder = testlib_folder(), .episodes = {1, 2}};
    char *path = db_make_log(o.folder, "log.db");
    db_run_in(path,
              "INSERT INTO episode VALUES (1, 'p', 'w', 'r', 1, '0', 2000000, 20000000, 5000000000,"
              " 'failed', 1, 1), (2, 'p', 'w', 'r', 2, '0', 2000000, 20000000, 5000000000,"
              " 'failed', 1, 1);"
              "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'),"
              " (2, 2, 'cup', 'body'), (3, 2, 'fork', 'body');");
    for (int i = 0; i < 2; i++) {
        foresee_options options = {.size = sizeof options, .episode = i + 1, .rules = ""};
        if (foresee_open(path, &options, &o.logs[i]) != FORESEE_OK ||
            foresee_load_text(o.logs[i], "rules.dl", RULES) != FORESEE_OK)
            fail_msg("%s", foresee_errmsg(o.logs[i]));
    }
    free(path);
    return o;
}

static void close_two(opened *o) {
    foresee_close(o->logs[0]);
    foresee_close(o->logs[1]);
    testlib_remove(o->folder);
}

#define written(o, form, query, count, many, expected)                                             \
    check_written(o, form, query, count, many, expected, __LINE__)
static void check_written(const opened *o, answer_form form, const char *query, size_t count,
                          bool many, const char *expected, int line) {
    foresee_query *queries[2] = {NULL, NULL};
    for (size_t i = 0; i < count; i++) {
        if (foresee_prepare(o->logs[i], query, &queries[i]) != FORESEE_OK)
            fail_msg("line %d: %s", line, foresee_errmsg(o->logs[i]));
        assert_true(foresee_step(queries[i]) >= FORESEE_ROW);
    }
    char *got = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&got, &length);
    assert_non_null(out);
    answers_wanted wanted = {query, queries, o->episodes, count, many, NULL};
    assert_int_equal(answers_write(form, &wanted, out), FORESEE_OK);
    assert_int_equal(fclose(out), 0);
    if (strcmp(got, expected) != 0)
        fail_msg("line %d: expected:\n%s\ngot:\n%s", line, expected, got);
    free(got);
    foresee_finalize(queries[0]);
    foresee_finalize(queries[1]);
}

static void a_table_is_aligned(void **state) {
    (void)state;
    opened o = open_two();
    written(&o, FORM_TABLE, "p(X, Y, Z).", 1, false,
            "X      Y                  Z\n"
            "-----  -----------------  ---\n"
            "'a b'  f([1, g(x)])       3\n"
            "cup    \"say \\\"hi\\\", you\"  2.5\n");
    written(&o, FORM_TABLE, "late(S)", 1, false, "S\n---\n1.5\n4\n");
    written(&o, FORM_TABLE, "p(cup, _, _)", 1, false, "yes\n");
    written(&o, FORM_TABLE, "p(cap, _, _)", 1, false, "no\n");
    written(&o, FORM_TABLE, "p(cap, X, _)", 1, false, "no\n");
    written(&o, FORM_TABLE, "object(O, _, _).", 2, true,
            "episode  O\n"
            "-------  ----\n"
            "1        cup\n"
            "2        cup\n"
            "2        fork\n");
    written(&o, FORM_TABLE, "object(fork, _, _).", 2, true, "episode 1: no\nepisode 2: yes\n");
    close_two(&o);
}

static void lines_are_ground_atoms_in_order(void **state) {
    (void)state;
    opened o = open_two();
    written(&o, FORM_LINES, "p(X, Y, Z)", 1, false,
            "p('a b', f([1, g(x)]), 3)\np(cup, \"say \\\"hi\\\", you\", 2.5)\n");
    written(&o, FORM_LINES, "late(S)", 1, false, "late(1.5)\nlate(4.0)\n");
    written(&o, FORM_LINES, "p(X, _, Z), Z > 2.7", 1, false, "answer('a b', 3)\n");
    written(&o, FORM_LINES, "p(cup, _, _), q(_)", 1, false, "answer\n");
    written(&o, FORM_LINES, "object(O, body, _)", 2, true,
            "in_episode(1, object(cup, body, _))\nin_episode(2, object(cup, body, _))\n"
            "in_episode(2, object(fork, body, _))\n");
    close_two(&o);
}

static void csv_quotes_what_needs_it(void **state) {
    (void)state;
    opened o = open_two();
    written(&o, FORM_CSV, "p(X, Y, Z)", 1, false,
            "X,Y,Z\na b,\"f([1, g(x)])\",3\ncup,\"say \"\"hi\"\", you\",2.5\n");
    written(&o, FORM_CSV, "late(S), object(cup, _, _)", 2, true,
            "episode,S\n1,1.5\n1,4\n2,1.5\n2,4\n");
    written(&o, FORM_CSV, "object(fork, _, _)", 2, true, "episode\n2\n");
    close_two(&o);
}

static void json_is_one_document(void **state) {
    (void)state;
    opened o = open_two();
    written(&o, FORM_JSON, "p(X, Y, Z)", 1, false,
            "{ \"schema\": 1, \"query\": \"p(X, Y, Z)\", \"variables\": [\"X\", \"Y\", \"Z\"], "
            "\"answers\": [\n"
            "  { \"X\": \"a b\", \"Y\": \"f([1, g(x)])\", \"Z\": 3 },\n"
            "  { \"X\": \"cup\", \"Y\": \"say \\\"hi\\\", you\", \"Z\": 2.5 }\n] }\n");
    written(&o, FORM_JSON, "late(S), S < 2", 2, true,
            "{ \"schema\": 1, \"query\": \"late(S), S < 2\", \"variables\": [\"S\"], \"answers\": "
            "[\n  { \"episode\": 1, \"S\": 1.5 },\n  { \"episode\": 2, \"S\": 1.5 }\n] }\n");
    written(&o, FORM_JSON, "p(cap, X, _)", 1, false,
            "{ \"schema\": 1, \"query\": \"p(cap, X, _)\", \"variables\": [\"X\"], \"answers\": [] "
            "}\n");
    close_two(&o);
}

static void typed_json_tells_every_kind_from_every_other(void **state) {
    (void)state;
    opened o = open_two();
    const char *query =
        "member(X, [1, 1.0, 1e20, \"a\\\"b\", 'a b', f(g, [1, -2.5, []]), [a | b]])";
    written(
        &o, FORM_TYPED, query, 1, false,
        "{ \"schema\": 2, \"query\": \"member(X, [1, 1.0, 1e20, \\\"a\\\\\\\"b\\\", 'a b', f(g, "
        "[1, -2.5, []]), [a | b]])\", \"variables\": [\"X\"], \"answers\": [\n"
        "  { \"X\": 1 },\n  { \"X\": 1.0 },\n  { \"X\": 1e+20 },\n"
        "  { \"X\": {\"symbol\": \"a b\"} },\n  { \"X\": \"a\\\"b\" },\n"
        "  { \"X\": {\"list\": [{\"symbol\": \"a\"}], \"rest\": {\"symbol\": \"b\"}} },\n"
        "  { \"X\": {\"name\": \"f\", \"arguments\": [{\"symbol\": \"g\"}, [1, -2.5, []]]} }\n] "
        "}\n");
    written(
        &o, FORM_TYPED, "late(S), S > 2", 2, true,
        "{ \"schema\": 2, \"query\": \"late(S), S > 2\", \"variables\": [\"S\"], \"answers\": "
        "[\n  { \"episode\": 1, \"S\": {\"time\": 4} },\n  { \"episode\": 2, \"S\": {\"time\": 4} "
        "}\n] }\n");
    close_two(&o);
}

static void plain_is_the_last_column_as_it_is(void **state) {
    (void)state;
    opened o = open_two();
    written(&o, FORM_PLAIN, "p(X, _, Z)", 1, false, "3\n2.5\n");
    written(&o, FORM_PLAIN, "p(_, _, Z), concat(\"it is \", Z, T)", 1, false,
            "it is 2.5\nit is 3\n");
    written(&o, FORM_PLAIN, "p(cup, _, _)", 1, false, "yes\n");
    close_two(&o);
}

static int rows_until_stop;
static bool stops_soon(void) {
    return rows_until_stop-- <= 0;
}

// After a stop at most a few of 100,000 answers are read, in every form.
static void stopping_ends_the_writing(void **state) {
    (void)state;
    opened o = open_two();
    for (int form = FORM_TABLE; form <= FORM_TYPED; form++) {
        foresee_query *q = NULL;
        assert_int_equal(foresee_prepare(o.logs[0], "between(1, 100000, X)", &q), FORESEE_OK);
        assert_int_equal(foresee_step(q), FORESEE_ROW);
        char *got = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&got, &length);
        rows_until_stop = 10;
        answers_wanted wanted = {"between(1, 100000, X)", &q, o.episodes, 1, false, stops_soon};
        assert_int_equal(answers_write((answer_form)form, &wanted, out), FORESEE_INTERRUPTED);
        fclose(out);
        assert_true(length < 1000);
        free(got);
        foresee_finalize(q);
    }
    close_two(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_aligned),
        cmocka_unit_test(lines_are_ground_atoms_in_order),
        cmocka_unit_test(csv_quotes_what_needs_it),
        cmocka_unit_test(json_is_one_document),
        cmocka_unit_test(typed_json_tells_every_kind_from_every_other),
        cmocka_unit_test(plain_is_the_last_column_as_it_is),
        cmocka_unit_test(stopping_ends_the_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

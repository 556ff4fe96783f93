// tests/query/api/test_api.c - the interface to C: what it answers, and that no misuse harms it.
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "tests/query/api/apilib.h"

// ---- Opening ----

static void what_cannot_be_opened_says_why(void **state) {
    (void)state;
    foresee *f = NULL;
    int code = foresee_open("/nowhere/at/all.db", NULL, &f);
    assert_non_null(f);
    failed(f, code, FORESEE_INPUT, "there is no such log");
    foresee_mistake m;
    assert_true(foresee_mistake_at(f, 0, &m));
    assert_string_equal(m.file, "/nowhere/at/all.db");
    assert_false(foresee_mistake_at(f, 1, &m));
    // Nothing can be asked of it, and nothing crashes.
    foresee_query *q = (foresee_query *)&m;
    failed(f, foresee_prepare(f, "true", &q), FORESEE_MISUSE, "not open");
    assert_null(q);
    failed(f, foresee_choose(f, 1), FORESEE_MISUSE, "not open");
    failed(f, foresee_load_text(f, "a", "b."), FORESEE_MISUSE, "not open");
    failed(f, foresee_load(f, "a"), FORESEE_MISUSE, "not open");
    assert_int_equal(foresee_unload(f, "a"), FORESEE_MISUSE);
    char *text = NULL;
    failed(f, foresee_rules(f, "a", &text), FORESEE_MISUSE, "not open");
    failed(f, foresee_explain(f, "a", NULL, &text), FORESEE_MISUSE, "not open");
    foresee_predicate p;
    foresee_episode e;
    assert_false(foresee_predicate_at(f, 0, &p));
    assert_false(foresee_episode_at(f, 0, &e));
    assert_int_equal(foresee_episode_chosen(f), 0);
    assert_null(foresee_note(f));
    foresee_interrupt(f);
    foresee_close(f);

    opened o = open_log(1);
    foresee_options options = {.size = sizeof options, .episode = 9, .rules = ""};
    code = foresee_open(o.path, &options, &f);
    failed(f, code, FORESEE_INPUT, "episode");
    foresee_close(f);
    options = (foresee_options){.size = sizeof options, .rules = o.folder};
    code = foresee_open(o.path, &options, &f);
    failed(f, code, FORESEE_INPUT, "no rule file");
    foresee_close(f);
    close_log(&o);
}

static void options_of_another_version_are_told_apart(void **state) {
    (void)state;
    opened o = open_log(1);
    struct {
        foresee_options known;
        int64_t later;
    } later = {{.size = sizeof later, .rules = ""}, 0};
    foresee *f = NULL;
    assert_int_equal(foresee_open(o.path, &later.known, &f), FORESEE_OK);
    assert_int_equal(foresee_episode_chosen(f), 2); // the last
    foresee_close(f);
    later.later = 1;
    int code = foresee_open(o.path, &later.known, &f);
    failed(f, code, FORESEE_MISUSE, "later version");
    foresee_close(f);
    // An earlier one knew `size` and `episode` alone; the shipped rules are found.
    foresee_options few = {.size = offsetof(foresee_options, rules), .episode = 1, .rules = "none"};
    assert_int_equal(foresee_open(o.path, &few, &f), FORESEE_OK);
    expect(f, "N = count { holds_w(contact(cup, table), interval(_, _)) }", "2");
    foresee_close(f);
    foresee_options none = {0};
    code = foresee_open(o.path, &none, &f);
    failed(f, code, FORESEE_MISUSE, "");
    foresee_close(f);
    close_log(&o);
}

static void episodes_are_listed_and_chosen(void **state) {
    (void)state;
    opened o = open_log(0);
    foresee_episode e;
    assert_true(foresee_episode_at(o.f, 0, &e));
    assert_int_equal(e.id, 1);
    assert_string_equal(e.plan, "p");
    assert_string_equal(e.outcome, "failed");
    assert_int_equal(e.seed, 7);
    assert_int_equal(e.end, 9000000000);
    assert_true(e.complete);
    assert_true(foresee_episode_at(o.f, 1, &e));
    assert_false(foresee_episode_at(o.f, 2, &e));
    assert_int_equal(foresee_episode_chosen(o.f), 2);
    load(o.f, "named(X) :- object(X, _, _).");
    foresee_query *q = prepare(o.f, "named(X)");
    assert_string_equal(all(q), "fork");
    foresee_finalize(q);
    // Rules stay; a choice that fails changes nothing.
    failed(o.f, foresee_choose(o.f, 5), FORESEE_INPUT, "episode");
    expect(o.f, "named(X)", "fork");
    assert_int_equal(foresee_choose(o.f, 1), FORESEE_OK);
    assert_string_equal(foresee_errmsg(o.f), "");
    expect(o.f, "named(X)", "cup; table");
    close_log(&o);
}

// ---- Answers ----

static void columns_hold_every_kind_of_value(void **state) {
    (void)state;
    opened o = open_log(1);
    load(o.f, "v(1, -5). v(2, 9223372036854775807). v(3, 2.5). v(4, cup). v(5, 'a b'). "
              "v(6, \"a b\"). v(7, on(cup, 'A')). v(8, [1, b]). v(9, []). v(10, T) :- "
              "T = start + 1.25.");
    static const struct {
        int kind;
        int64_t integer, time;
        double real;
        const char *text, *term;
    } expected[] = {
        {FORESEE_INTEGER, -5, -5000000000, -5, "-5", "-5"},
        {FORESEE_INTEGER, INT64_MAX, INT64_MAX, 9.2233720368547758e18, "9223372036854775807",
         "9223372036854775807"},
        {FORESEE_FLOAT, 2, 2500000000, 2.5, "2.5", "2.5"},
        {FORESEE_SYMBOL, 0, 0, 0, "cup", "cup"},
        {FORESEE_SYMBOL, 0, 0, 0, "a b", "'a b'"},
        {FORESEE_STRING, 0, 0, 0, "a b", "\"a b\""},
        {FORESEE_COMPOUND, 0, 0, 0, "on(cup, 'A')", "on(cup, 'A')"},
        {FORESEE_COMPOUND, 0, 0, 0, "[1, b]", "[1, b]"},
        {FORESEE_COMPOUND, 0, 0, 0, "[]", "[]"},
        {FORESEE_TIME, 1, 1250000000, 1.25, "1.25", "1.25"},
    };
    foresee_query *q = prepare(o.f, "v(N, X).");
    assert_int_equal(foresee_column_count(q), 2);
    assert_string_equal(foresee_column_name(q, 0), "N");
    assert_string_equal(foresee_column_name(q, 1), "X");
    assert_int_equal(foresee_row_count(q), 0);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(foresee_step(q), FORESEE_ROW);
        assert_int_equal(foresee_row_count(q), 10);
        assert_int_equal(foresee_column_int64(q, 0), i + 1);
        assert_int_equal(foresee_column_type(q, 1), expected[i].kind);
        assert_int_equal(foresee_column_int64(q, 1), expected[i].integer);
        assert_int_equal(foresee_column_time(q, 1), expected[i].time);
        assert_true(foresee_column_double(q, 1) == expected[i].real);
        assert_string_equal(foresee_column_text(q, 1), expected[i].text);
        assert_string_equal(foresee_column_term(q, 1), expected[i].term);
    }
    assert_int_equal(foresee_step(q), FORESEE_DONE);
    foresee_finalize(q);
    close_log(&o);
}

static void columns_that_are_not_there_are_nothing(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee_query *q = prepare(o.f, "X = 1");
    for (int round = 0; round < 3; round++) { // before the first step, on no column, past the end
        static const int columns[] = {-1, 1, 1000, 0};
        for (int i = 0; i < (round == 1 ? 3 : 4); i++) {
            int c = columns[i];
            assert_int_equal(foresee_column_type(q, c), 0);
            assert_int_equal(foresee_column_int64(q, c), 0);
            assert_int_equal(foresee_column_time(q, c), 0);
            assert_true(foresee_column_double(q, c) == 0);
            assert_null(foresee_column_text(q, c));
            assert_null(foresee_column_term(q, c));
            if (c != 0)
                assert_null(foresee_column_name(q, c));
        }
        if (round < 2)
            assert_int_equal(foresee_step(q), round == 0 ? FORESEE_ROW : FORESEE_DONE);
    }
    // A step past the end stays there.
    assert_int_equal(foresee_step(q), FORESEE_DONE);
    assert_int_equal(foresee_reset(q), FORESEE_OK);
    assert_int_equal(foresee_step(q), FORESEE_ROW);
    foresee_finalize(q);
    q = prepare(o.f, "object(cup, _, _)");
    assert_int_equal(foresee_column_count(q), 0);
    assert_string_equal(all(q), "yes");
    foresee_finalize(q);
    close_log(&o);
}

static void every_call_survives_nothing(void **state) {
    (void)state;
    opened o = open_log(1);
    char *text = NULL;
    foresee_query *q = NULL;
    assert_int_equal(foresee_open(NULL, NULL, NULL), FORESEE_MISUSE);
    foresee *f = NULL;
    int code = foresee_open(NULL, NULL, &f);
    failed(f, code, FORESEE_MISUSE, "");
    assert_true(strlen(foresee_errmsg(f)) > 0);
    foresee_close(f);
    foresee_close(NULL);
    assert_string_equal(foresee_errmsg(NULL), "error: no memory is left");
    assert_false(foresee_mistake_at(NULL, 0, NULL));
    assert_false(foresee_mistake_at(o.f, 0, NULL));
    assert_null(foresee_note(NULL));
    assert_false(foresee_episode_at(NULL, 0, NULL));
    assert_false(foresee_episode_at(o.f, 0, NULL));
    assert_int_equal(foresee_episode_chosen(NULL), 0);
    assert_int_equal(foresee_choose(NULL, 1), FORESEE_MISUSE);
    assert_int_equal(foresee_load(NULL, "x"), FORESEE_MISUSE);
    failed(o.f, foresee_load(o.f, NULL), FORESEE_MISUSE, "path");
    assert_int_equal(foresee_load_text(NULL, "x", ""), FORESEE_MISUSE);
    failed(o.f, foresee_load_text(o.f, NULL, ""), FORESEE_MISUSE, "name");
    failed(o.f, foresee_load_text(o.f, "x", NULL), FORESEE_MISUSE, "text");
    assert_int_equal(foresee_unload(NULL, "x"), FORESEE_MISUSE);
    failed(o.f, foresee_unload(o.f, NULL), FORESEE_MISUSE, "no rules");
    failed(o.f, foresee_unload(o.f, "x"), FORESEE_MISUSE, "'x'");
    foresee_interrupt(NULL);
    assert_int_equal(foresee_prepare(NULL, "true", &q), FORESEE_MISUSE);
    failed(o.f, foresee_prepare(o.f, NULL, &q), FORESEE_MISUSE, "text");
    failed(o.f, foresee_prepare(o.f, "true", NULL), FORESEE_MISUSE, "place");
    assert_int_equal(foresee_bind_int64(NULL, "X", 1), FORESEE_MISUSE);
    assert_int_equal(foresee_bind_double(NULL, "X", 1), FORESEE_MISUSE);
    assert_int_equal(foresee_bind_symbol(NULL, "X", "a"), FORESEE_MISUSE);
    assert_int_equal(foresee_bind_string(NULL, "X", "a"), FORESEE_MISUSE);
    assert_int_equal(foresee_bind_time(NULL, "X", 1), FORESEE_MISUSE);
    assert_int_equal(foresee_bind_term(NULL, "X", "a"), FORESEE_MISUSE);
    assert_int_equal(foresee_bind_value(NULL, "X", 1), FORESEE_MISUSE);
    assert_int_equal(foresee_bind(NULL, 0, 1), FORESEE_MISUSE);
    assert_null(foresee_variable_at(NULL, 0));
    assert_int_equal(foresee_column_value(NULL, 0), 0);
    assert_int_equal(foresee_clear_bindings(NULL), FORESEE_MISUSE);
    assert_int_equal(foresee_step(NULL), FORESEE_MISUSE);
    assert_int_equal(foresee_reset(NULL), FORESEE_MISUSE);
    foresee_finalize(NULL);
    assert_null(foresee_connection(NULL));
    assert_int_equal(foresee_column_count(NULL), 0);
    assert_null(foresee_column_name(NULL, 0));
    assert_int_equal(foresee_column_type(NULL, 0), 0);
    assert_int_equal(foresee_column_int64(NULL, 0), 0);
    assert_true(foresee_column_double(NULL, 0) == 0);
    assert_int_equal(foresee_column_time(NULL, 0), 0);
    assert_null(foresee_column_text(NULL, 0));
    assert_null(foresee_column_term(NULL, 0));
    assert_int_equal(foresee_row_count(NULL), 0);
    assert_false(foresee_note_at(NULL, 0, NULL));
    assert_int_equal(foresee_query_cost(NULL).steps, 0);
    assert_int_equal(foresee_query_plan(NULL, &text), FORESEE_MISUSE);
    assert_int_equal(foresee_explain(NULL, "true", "text", &text), FORESEE_MISUSE);
    failed(o.f, foresee_explain(o.f, NULL, "text", &text), FORESEE_MISUSE, "goal");
    failed(o.f, foresee_explain(o.f, "true", "text", NULL), FORESEE_MISUSE, "place");
    failed(o.f, foresee_explain(o.f, "true", "xml", &text), FORESEE_MISUSE, "xml");
    assert_null(foresee_file_at(NULL, 0));
    assert_null(foresee_file_at(o.f, 0));
    assert_false(foresee_warning_at(NULL, 0, NULL));
    assert_false(foresee_warning_at(o.f, 0, NULL));
    assert_false(foresee_predicate_at(NULL, 0, NULL));
    assert_false(foresee_predicate_at(o.f, 0, NULL));
    assert_int_equal(foresee_rules(NULL, "a", &text), FORESEE_MISUSE);
    failed(o.f, foresee_rules(o.f, NULL, &text), FORESEE_MISUSE, "name");
    failed(o.f, foresee_rules(o.f, "a", NULL), FORESEE_MISUSE, "place");
    foresee_free(NULL);
    q = prepare(o.f, "X = Y, Y = 1");
    failed(o.f, foresee_bind_symbol(q, "X", NULL), FORESEE_MISUSE, "'X'");
    failed(o.f, foresee_bind_term(q, "X", NULL), FORESEE_MISUSE, "'X'");
    failed(o.f, foresee_bind_double(q, "X", NAN), FORESEE_MISUSE, "not a number");
    failed(o.f, foresee_bind_double(q, "X", INFINITY), FORESEE_MISUSE, "infinite");
    failed(o.f, foresee_bind_time(q, "X", INT64_MIN), FORESEE_MISUSE, "18 years");
    failed(o.f, foresee_bind_int64(q, NULL, 1), FORESEE_MISUSE, "no variable");
    failed(o.f, foresee_query_plan(q, NULL), FORESEE_MISUSE, "");
    foresee_finalize(q);
    // A query that outlives its connection holds it until it is finalized.
    q = prepare(o.f, "object(X, _, _)");
    foresee_query *other = prepare(o.f, "true");
    assert_int_equal(foresee_step(q), FORESEE_ROW);
    foresee_close(o.f);
    assert_string_equal(foresee_column_text(q, 0), "cup");
    assert_int_equal(foresee_step(q), FORESEE_MISUSE);
    foresee_finalize(q);
    foresee_finalize(other);
    free(o.path);
    testlib_remove(o.folder);
}

// ---- Bindings ----

static void a_bound_variable_narrows_the_answers(void **state) {
    (void)state;
    opened o = open_log(1);
    load(o.f, "v(1, 2.5). v(2, cup). v(3, \"cup\"). v(4, on(cup, [1])). v(5, 7). v(6, start). "
              "v(7, 'a b'). has(N, X) :- v(N, X).");
    foresee_query *q = prepare(o.f, "has(N, X)");
    static const struct {
        const char *kind, *text, *answers;
    } cases[] = {{"symbol", "cup", "2 cup"},
                 {"string", "cup", "3 \"cup\""},
                 {"symbol", "start", "6 start"},
                 {"symbol", "a b", "7 'a b'"},
                 {"term", "on(cup, [1])", "4 on(cup, [1])"},
                 {"term", "on(cup, [2])", ""},
                 {"string", "", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int code = strcmp(cases[i].kind, "symbol") == 0 ? foresee_bind_symbol(q, "X", cases[i].text)
                   : strcmp(cases[i].kind, "string") == 0
                       ? foresee_bind_string(q, "X", cases[i].text)
                       : foresee_bind_term(q, "X", cases[i].text);
        assert_int_equal(code, FORESEE_OK);
        assert_string_equal(all(q), cases[i].answers);
        assert_int_equal(foresee_reset(q), FORESEE_OK);
    }
    assert_int_equal(foresee_bind_double(q, "X", 2.5), FORESEE_OK);
    assert_string_equal(all(q), "1 2.5");
    // While it is being stepped nothing is bound; what was read stays.
    failed(o.f, foresee_bind_int64(q, "X", 7), FORESEE_MISUSE, "foresee_reset");
    failed(o.f, foresee_clear_bindings(q), FORESEE_MISUSE, "foresee_reset");
    foresee_reset(q);
    assert_int_equal(foresee_bind_int64(q, "X", 7), FORESEE_OK);
    assert_int_equal(foresee_bind_int64(q, "N", 5), FORESEE_OK);
    assert_string_equal(all(q), "5 7");
    foresee_reset(q);
    assert_int_equal(foresee_bind_int64(q, "N", 4), FORESEE_OK); // in place of the 5
    assert_string_equal(all(q), "");
    foresee_reset(q);
    assert_int_equal(foresee_clear_bindings(q), FORESEE_OK);
    foresee_step(q);
    assert_int_equal(foresee_row_count(q), 7);
    failed(o.f, foresee_bind_int64(q, "Z", 1), FORESEE_MISUSE, "being stepped");
    foresee_reset(q);
    failed(o.f, foresee_bind_int64(q, "Z", 1), FORESEE_MISUSE, "'Z'");
    failed(o.f, foresee_bind_int64(q, "_", 1), FORESEE_MISUSE, "'_'");
    failed(o.f, foresee_bind_symbol(q, "X", "pi"), FORESEE_MISUSE, "pi");
    failed(o.f, foresee_bind_term(q, "X", "f(Y)"), FORESEE_INPUT, "no variables");
    failed(o.f, foresee_bind_term(q, "X", "f("), FORESEE_INPUT, "expected");
    foresee_finalize(q);
    close_log(&o);
}

static void a_bound_instant_is_exact(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee_query *q = prepare(o.f, "contact(Id, _, _, S, _)");
    assert_int_equal(foresee_bind_time(q, "S", 1234567891), FORESEE_OK);
    assert_string_equal(all(q), "1 1.234567891");
    assert_int_equal(foresee_reset(q), FORESEE_OK);
    assert_int_equal(foresee_bind_time(q, "S", 1234567890), FORESEE_OK);
    assert_string_equal(all(q), "");
    foresee_finalize(q);
    close_log(&o);
}

static void a_query_may_need_its_bindings(void **state) {
    (void)state;
    opened o = open_log(1);
    load(o.f, ":- split holds on 1. :- temporal holds on 2.\n"
              "holds(touching(A, B), interval(S, E)) :- contact(_, A, B, S, E).\n"
              "far(A, B) :- A > B + 1.");
    foresee_query *q = prepare(o.f, "holds(touching(A, B), at(_When))");
    assert_int_equal(foresee_column_count(q), 2); // variables with _ are no columns
    failed(o.f, foresee_step(q), FORESEE_INPUT, "query:1:");
    assert_int_equal(foresee_bind_time(q, "_When", 1500000000), FORESEE_OK);
    assert_string_equal(all(q), "cup table");
    foresee_reset(q);
    assert_int_equal(foresee_bind_double(q, "_When", 2.5), FORESEE_OK);
    assert_string_equal(all(q), "");
    foresee_finalize(q);
    q = prepare(o.f, "far(A, B)");
    assert_int_equal(foresee_bind_int64(q, "A", 5), FORESEE_OK);
    failed(o.f, foresee_step(q), FORESEE_INPUT, "bound");
    assert_int_equal(foresee_bind_int64(q, "B", 1), FORESEE_OK);
    assert_string_equal(all(q), "5 1");
    foresee_finalize(q);
    close_log(&o);
}

// ---- Mistakes ----

static void mistakes_are_shown_where_they_stand(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee_query *q = NULL;
    failed(o.f, foresee_prepare(o.f, "object(X, _, _),\n  contakt(X, _, _, _, _).", &q),
           FORESEE_INPUT, "query:2:3: error: ");
    assert_non_null(strstr(foresee_errmsg(o.f), "did you mean 'contact'?\n"
                                                "    contakt(X, _, _, _, _).\n"
                                                "    ^"));
    assert_null(q);
    foresee_mistake m;
    assert_true(foresee_mistake_at(o.f, 0, &m));
    assert_string_equal(m.file, "query");
    assert_int_equal(m.line, 2);
    assert_int_equal(m.column, 3);
    failed(o.f, foresee_prepare(o.f, "task(T", &q), FORESEE_INPUT, "query:1:7: error: expected");
    failed(o.f, foresee_prepare(o.f, "p(X) :- task(X)", &q), FORESEE_INPUT, "this is a rule");
    failed(o.f, foresee_prepare(o.f, "why task(X)", &q), FORESEE_INPUT, "foresee_explain");
    failed(o.f, foresee_prepare(o.f, "", &q), FORESEE_INPUT, "");
    assert_true(strlen(foresee_errmsg(o.f)) > 0);
    // The next query is not harmed by them.
    expect(o.f, "object(X, _, _)", "cup; table");
    assert_string_equal(foresee_errmsg(o.f), "");
    assert_false(foresee_mistake_at(o.f, 0, &m));
    close_log(&o);
}

static void what_is_suspicious_is_said(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee_mistake m;
    load(o.f, "p(1). p(2).\nq(X) :- p(X), X = 1, X = 2.\np(1).");
    assert_true(foresee_warning_at(o.f, 0, &m));
    assert_string_equal(m.file, "rules.dl");
    assert_true(m.line > 1 && strlen(m.text) > 0);
    assert_string_equal(foresee_errmsg(o.f), "");
    foresee_query *q = prepare(o.f, "contact(_, cop, _, S, _)");
    assert_false(foresee_note_at(q, 0, &m)); // not yet
    assert_int_equal(foresee_step(q), FORESEE_DONE);
    assert_true(foresee_note_at(q, 0, &m));
    assert_non_null(strstr(m.text, "did you mean 'cup'?"));
    assert_int_equal(m.column, 12);
    assert_false(foresee_note_at(q, 1, &m));
    foresee_finalize(q);
    close_log(&o);
}

static void rules_with_mistakes_change_nothing(void **state) {
    (void)state;
    opened o = open_log(1);
    load(o.f, "p(1). p(2).");
    failed(o.f, foresee_load_text(o.f, "rules.dl", "p(3).\np(X :- q(X)."), FORESEE_INPUT,
           "rules.dl:2:");
    expect(o.f, "p(X)", "1; 2");
    // A mistake that only the check finds, and its line.
    failed(o.f, foresee_load_text(o.f, "rules.dl", "p(3).\np(X) :- nothing_like_it(X)."),
           FORESEE_INPUT, "rules.dl:2:9: error: ");
    assert_non_null(strstr(foresee_errmsg(o.f), "\n  p(X) :- nothing_like_it(X).\n"));
    expect(o.f, "p(X)", "1; 2");
    failed(o.f, foresee_load_text(o.f, "more.dl", "r(X) :- nothing_like_it(X)."), FORESEE_INPUT,
           "more.dl");
    foresee_query *q = NULL;
    failed(o.f, foresee_prepare(o.f, "r(X)", &q), FORESEE_INPUT, "r/1");
    failed(o.f, foresee_load(o.f, "/nowhere.dl"), FORESEE_INPUT, "/nowhere.dl");
    close_log(&o);
}

static void rules_are_replaced_by_name(void **state) {
    (void)state;
    opened o = open_log(1);
    load(o.f, "p(1).");
    assert_int_equal(foresee_load_text(o.f, "more.dl", "q(X) :- p(X)."), FORESEE_OK);
    assert_string_equal(foresee_file_at(o.f, 0), "rules.dl");
    assert_string_equal(foresee_file_at(o.f, 1), "more.dl");
    assert_null(foresee_file_at(o.f, 2));
    foresee_query *q = prepare(o.f, "q(X)");
    assert_string_equal(all(q), "1");
    load(o.f, "p(2). p(3).");
    // A query that is stepped keeps its answers; reset, it sees the new rules.
    foresee_reset(q);
    assert_string_equal(all(q), "2; 3");
    foresee_finalize(q);
    char *path = testlib_path(o.folder, "file.dl");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("r(5).\n", file);
    fclose(file);
    assert_int_equal(foresee_load(o.f, path), FORESEE_OK);
    expect(o.f, "r(X)", "5");
    // Others need p: it cannot go.
    failed(o.f, foresee_unload(o.f, "rules.dl"), FORESEE_INPUT, "more.dl");
    expect(o.f, "q(X)", "2; 3");
    assert_int_equal(foresee_unload(o.f, "more.dl"), FORESEE_OK);
    assert_int_equal(foresee_unload(o.f, "rules.dl"), FORESEE_OK);
    assert_int_equal(foresee_unload(o.f, path), FORESEE_OK);
    failed(o.f, foresee_unload(o.f, path), FORESEE_MISUSE, "no rules");
    failed(o.f, foresee_prepare(o.f, "p(X)", &q), FORESEE_INPUT, "p/1");
    free(path);
    close_log(&o);
}

// ---- Several queries, interruption ----

static void several_queries_are_stepped_by_turns(void **state) {
    (void)state;
    opened o = open_log(1);
    load(o.f, "n(1). n(2). n(3).");
    foresee_query *a = prepare(o.f, "n(X)"), *b = prepare(o.f, "n(Y), Y > 1"), *c = NULL;
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(foresee_step(a), FORESEE_ROW);
        assert_int_equal(foresee_column_int64(a, 0), i);
        assert_int_equal(foresee_step(b), i < 3 ? FORESEE_ROW : FORESEE_DONE);
        assert_int_equal(foresee_column_int64(b, 0), i < 3 ? i + 1 : 0);
        failed(o.f, foresee_prepare(o.f, "n(", &c), FORESEE_INPUT, "expected");
    }
    foresee_finalize(a);
    assert_int_equal(foresee_step(b), FORESEE_DONE);
    foresee_finalize(b);
    close_log(&o);
}

static const char ENDLESS[] = "reach(0). reach(Y) :- reach(X), Y = X + 1.";

typedef struct interrupter {
    foresee *f;
    atomic_bool stop;
} interrupter;

static void *keep_interrupting(void *context) {
    interrupter *i = context;
    while (!atomic_load(&i->stop)) {
        foresee_interrupt(i->f);
        usleep(1000);
    }
    return NULL;
}

static void a_query_is_interrupted_from_another_thread(void **state) {
    (void)state;
    opened o = open_log(1);
    load(o.f, ENDLESS);
    foresee_query *q = prepare(o.f, "reach(X)");
    interrupter i = {.f = o.f};
    atomic_init(&i.stop, false);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, keep_interrupting, &i), 0);
    failed(o.f, foresee_step(q), FORESEE_INTERRUPTED, "");
    assert_int_equal(foresee_row_count(q), 0);
    foresee_finalize(q);
    // The engine is exchanged under the other thread's hands.
    for (int k = 0; k < 20; k++)
        assert_int_equal(foresee_choose(o.f, 1 + k % 2), FORESEE_OK);
    atomic_store(&i.stop, true);
    pthread_join(thread, NULL);
    // What was left over ends one query; the next runs.
    q = prepare(o.f, "object(X, _, _)");
    int code = foresee_step(q);
    assert_true(code == FORESEE_ROW || code == FORESEE_INTERRUPTED);
    foresee_finalize(q);
    expect(o.f, "object(X, _, _)", "fork");
    close_log(&o);
}

static void limits_are_errors_and_end_nothing_else(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee *f = NULL;
    foresee_options options = {
        .size = sizeof options, .episode = 1, .rules = "", .memory_limit = 8 << 20};
    assert_int_equal(foresee_open(o.path, &options, &f), FORESEE_OK);
    load(f, ENDLESS);
    foresee_query *q = prepare(f, "reach(X)");
    failed(f, foresee_step(q), FORESEE_LIMIT, "memory");
    failed(f, foresee_step(q), FORESEE_LIMIT, "memory");
    foresee_finalize(q);
    expect(f, "object(X, _, _)", "cup; table");
    foresee_close(f);
    options.step_limit = 1000;
    assert_int_equal(foresee_open(o.path, &options, &f), FORESEE_OK);
    load(f, ENDLESS);
    q = prepare(f, "reach(X)");
    failed(f, foresee_step(q), FORESEE_LIMIT, "");
    foresee_finalize(q);
    foresee_close(f);
    close_log(&o);
}

// ---- What can be asked ----

static bool find(foresee *f, const char *name, const char *kind, foresee_predicate *out) {
    for (size_t i = 0; foresee_predicate_at(f, i, out); i++)
        if (strcmp(out->name, name) == 0 && strcmp(out->kind, kind) == 0)
            return true;
    return false;
}

static void predicates_are_listed_with_their_documentation(void **state) {
    (void)state;
    opened o = open_log(1);
    load(o.f, ":- split holds on 1.\n"
              ":- declare holds(under(low: object, high: object), time: time) \"One (or two) below "
              "another.\".\n"
              "holds(under(a, b), 1). holds(beside(a, b), 2).\n"
              "plain(X, Y) :- % a comment\n    X = 1, Y = \"a. b\".\nplain(3, 4).\n");
    foresee_predicate p;
    assert_true(find(o.f, "under", "rule", &p));
    assert_string_equal(p.label, "holds(under(low: object, high: object), time: time)");
    assert_string_equal(p.of, "holds");
    assert_string_equal(p.documentation, "One (or two) below another.");
    assert_string_equal(p.file, "rules.dl");
    assert_int_equal(p.line, 2);
    assert_true(find(o.f, "beside", "rule", &p));
    assert_string_equal(p.label, "holds(beside/2)");
    assert_true(find(o.f, "plain", "rule", &p));
    assert_string_equal(p.label, "plain/2");
    assert_string_equal(p.of, "");
    assert_int_equal(p.line, 4);
    assert_true(find(o.f, "contact", "fact", &p));
    assert_true(find(o.f, "member", "builtin", &p));
    assert_true(find(o.f, "speed", "signal", &p));
    assert_false(find(o.f, "later", "rule", &p));
    char *text = NULL;
    assert_int_equal(foresee_rules(o.f, "plain", &text), FORESEE_OK);
    assert_string_equal(text, "rules.dl:4:\nplain(X, Y) :- % a comment\n    X = 1, Y = \"a. b\".\n"
                              "rules.dl:6:\nplain(3, 4).\n");
    foresee_free(text);
    assert_int_equal(foresee_rules(o.f, "beside", &text), FORESEE_OK);
    assert_string_equal(text, "rules.dl:3:\nholds(beside(a, b), 2).\n");
    foresee_free(text);
    assert_int_equal(foresee_rules(o.f, "nobody", &text), FORESEE_DONE);
    assert_null(text);
    // Loading renews the list.
    assert_int_equal(foresee_load_text(o.f, "more.dl", "later(1)."), FORESEE_OK);
    assert_true(find(o.f, "later", "rule", &p));
    // What a module keeps to itself goes by its name there; what it exports, by its own.
    assert_int_equal(foresee_load_text(o.f, "m.dl",
                                       ":- module shelf.\n:- export full/1.\n"
                                       ":- declare room(of: object, n: number) \"d\".\n"
                                       "room(a, 2).\nroom(b, 0).\nempty(X) :- room(X, 9).\n"
                                       "full(X) :- room(X, 0)."),
                     FORESEE_OK);
    assert_true(find(o.f, "room", "rule", &p));
    assert_string_equal(p.module, "shelf");
    assert_string_equal(p.label, "shelf:room(of: object, n: number)");
    expect(o.f, p.all, "a 2; b 0");
    assert_true(find(o.f, "empty", "rule", &p));
    assert_string_equal(p.label, "shelf:empty/1");
    assert_true(find(o.f, "full", "rule", &p));
    assert_string_equal(p.module, "");
    assert_string_equal(p.label, "full/1");
    assert_int_equal(foresee_rules(o.f, "shelf:empty", &text), FORESEE_OK);
    assert_string_equal(text, "m.dl:6:\nempty(X) :- room(X, 9).\n");
    foresee_free(text);
    assert_int_equal(foresee_rules(o.f, "other:empty", &text), FORESEE_DONE);
    close_log(&o);
}

// ---- Reasons and plans ----

static void a_goal_is_explained_either_way(void **state) {
    (void)state;
    opened o = open_log(1);
    load(o.f, "touched(X) :- contact(_, X, table, _, _).\n");
    static const struct {
        const char *goal;
        int code;
        const char *says;
    } cases[] = {
        {"touched(cup)", FORESEE_OK, "contact"},
        {"why touched(X).", FORESEE_OK, "touched(cup)"},
        {"touched(fork)", FORESEE_DONE, "touched(fork)"},
        {"why touched(fork)", FORESEE_DONE, "touched(fork)"},
        {"not touched(fork)", FORESEE_OK, "touched(fork)"},
        {"why not touched(fork).", FORESEE_OK, "touched(fork)"},
        {"why not touched(cup)", FORESEE_DONE, "touched(cup)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int json = 0; json < 2; json++) {
            char *text = NULL;
            int code = foresee_explain(o.f, cases[i].goal, json ? "json" : NULL, &text);
            if (code != cases[i].code || !text || !strstr(text, cases[i].says))
                fail_msg("%s: %d %s %s", cases[i].goal, code, text ? text : "",
                         foresee_errmsg(o.f));
            if (json)
                assert_true(text[0] == '{' || text[0] == '[');
            foresee_free(text);
        }
    }
    char *text = NULL;
    failed(o.f, foresee_explain(o.f, "why tuched(cup)", "text", &text), FORESEE_INPUT,
           "query:1:5: error: ");
    failed(o.f, foresee_explain(o.f, "why (", "text", &text), FORESEE_INPUT, "query:1:");
    assert_null(text);
    close_log(&o);
}

static void a_query_tells_how_it_was_run(void **state) {
    (void)state;
    opened o = open_log(1);
    load(o.f, "touched(X) :- contact(_, X, table, _, _).\n");
    foresee_query *q = prepare(o.f, "touched(X)");
    char *text = NULL;
    failed(o.f, foresee_query_plan(q, &text), FORESEE_MISUSE, "step");
    assert_int_equal(foresee_step(q), FORESEE_ROW);
    foresee_cost cost = foresee_query_cost(q);
    assert_true(cost.steps > 0 && cost.rows > 0 && cost.bytes > 0);
    assert_true(cost.load >= 0 && cost.derive >= 0);
    assert_int_equal(foresee_query_plan(q, &text), FORESEE_OK);
    assert_non_null(strstr(text, "touched"));
    foresee_free(text);
    foresee_finalize(q);
    // In the words of who wrote the rules, what the engine made of their goals included.
    load(o.f, ":- split on_b on 1.\n:- temporal on_b on 2.\n"
              "on_b(on(X, Y), interval(S, E)) :- contact(_, X, Y, S, E).\n"
              "alone(X) :- object(X, _, _), not (on_b(on(X, Y), at(2)), Y != X).\n");
    q = prepare(o.f, "alone(X), N = count { Y : on_b(on(Y, _), interval(S, _)), S > 1, X != Y }, "
                     "in_episode(E, object(fork, _, _))");
    assert_int_equal(foresee_step(q), FORESEE_ROW);
    assert_int_equal(foresee_query_plan(q, &text), FORESEE_OK);
    static const char *const says[] = {"not (on_b(on(X, Y), at(2)), Y != X) of (X)",
                                       "on_b(on(X, Y), S..E)", "query(X, N, E)",
                                       "count (on_b(on(Y, _), interval(S, _)), S > 1, X != Y)",
                                       "in_episode (object(fork, _, _)) of (E)"};
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        if (!strstr(text, says[i]))
            fail_msg("no '%s' in:\n%s", says[i], text);
    assert_null(strpbrk(text, "$#"));
    foresee_free(text);
    foresee_finalize(q);
    close_log(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_opened_says_why),
        cmocka_unit_test(options_of_another_version_are_told_apart),
        cmocka_unit_test(episodes_are_listed_and_chosen),
        cmocka_unit_test(columns_hold_every_kind_of_value),
        cmocka_unit_test(columns_that_are_not_there_are_nothing),
        cmocka_unit_test(every_call_survives_nothing),
        cmocka_unit_test(a_bound_variable_narrows_the_answers),
        cmocka_unit_test(a_bound_instant_is_exact),
        cmocka_unit_test(a_query_may_need_its_bindings),
        cmocka_unit_test(mistakes_are_shown_where_they_stand),
        cmocka_unit_test(what_is_suspicious_is_said),
        cmocka_unit_test(rules_with_mistakes_change_nothing),
        cmocka_unit_test(rules_are_replaced_by_name),
        cmocka_unit_test(several_queries_are_stepped_by_turns),
        cmocka_unit_test(a_query_is_interrupted_from_another_thread),
        cmocka_unit_test(limits_are_errors_and_end_nothing_else),
        cmocka_unit_test(predicates_are_listed_with_their_documentation),
        cmocka_unit_test(a_goal_is_explained_either_way),
        cmocka_unit_test(a_query_tells_how_it_was_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

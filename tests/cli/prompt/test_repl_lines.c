// tests/cli/prompt/test_repl_lines.c - what is typed, taken apart into clauses and commands.
#include "cli/prompt/lines.h"
#include "tests/testlib.h"

static void a_dot_before_white_space_or_a_comment_ends_a_clause(void **state) {
    (void)state;
    assert_int_equal(repl_clause_length("p(X).\nq."), 5);
    assert_int_equal(repl_clause_length("p(X).% that is all"), 5);
    assert_int_equal(repl_clause_length("p(X). q(Y)."), 5);
    assert_int_equal(repl_clause_length("p(X)"), 0);
    assert_int_equal(repl_clause_length("p(X)."), 0); // more may come: p(X).5
}

static void a_dot_in_a_number_quote_or_comment_ends_none(void **state) {
    (void)state;
    assert_int_equal(repl_clause_length("X = 2.5.\n"), 8);
    assert_int_equal(repl_clause_length("X = \"a. b\\\". c\".\n"), 16);
    assert_int_equal(repl_clause_length("X = 'a. b'. "), 11);
    assert_int_equal(repl_clause_length("X /* a. b\n*/ . "), 14);
    assert_int_equal(repl_clause_length("X % a. b\n. "), 10);
    assert_int_equal(repl_clause_length("X /* a. b. "), 0);
}

static void a_quote_that_is_not_closed_ends_the_clause_with_its_line(void **state) {
    (void)state;
    assert_int_equal(repl_clause_length("X = 'abc. \ntrue.\n"), 10);
    assert_int_equal(repl_clause_length("X = \"abc\\\ntrue.\n"), 9);
}

static void expect_kind(const char *text, input_kind kind, const char *body) {
    input in;
    size_t at = 0;
    assert_true(repl_next_input(text, &at, true, &in));
    assert_int_equal(in.kind, kind);
    assert_string_equal(in.text + in.body, body);
    assert_int_equal(at, strlen(text));
}

static void kinds_are_told_apart(void **state) {
    (void)state;
    expect_kind("p(X).", INPUT_QUERY, "p(X).");
    expect_kind("p(X) :- q(X).", INPUT_RULE, "p(X) :- q(X).");
    expect_kind(":- declare p(a: object) \"It.\".", INPUT_RULE, ":- declare p(a: object) \"It.\".");
    expect_kind("X = \":-\".", INPUT_QUERY, "X = \":-\".");
    expect_kind("X = 1, % :- no rule\n Y = 2.", INPUT_QUERY, "X = 1, % :- no rule\n Y = 2.");
    expect_kind("+ p(a).", INPUT_FACT, "p(a).");
    expect_kind("why p(a).", INPUT_WHY, "p(a).");
    expect_kind("why\n  not p(a).", INPUT_WHY_NOT, " p(a).");
    expect_kind("why(a, b).", INPUT_WHY, "(a, b).");
    expect_kind("why_not(a).", INPUT_QUERY, "why_not(a).");
    expect_kind(".help format", INPUT_COMMAND, "help format");
    expect_kind("p(X)", INPUT_QUERY, "p(X)");
}

static void what_has_not_ended_is_left(void **state) {
    (void)state;
    input in;
    size_t at = 0;
    assert_false(repl_next_input(" % nothing\n  p(X),\n", &at, false, &in));
    assert_int_equal(at, 13);
    at = 0;
    assert_false(repl_next_input(".help", &at, false, &in));
    at = 0;
    assert_true(repl_next_input(".help\n", &at, false, &in));
    assert_int_equal(in.length, 5);
    at = 0;
    assert_false(repl_next_input(" \n % only a comment", &at, true, &in));
}

static void every_clause_knows_its_line_and_column(void **state) {
    (void)state;
    const char *text = "p.\n\n  q(X),\n r. s.\n.time\n";
    static const struct {
        int line, column;
        size_t length;
    } places[] = {{1, 1, 2}, {3, 3, 9}, {4, 5, 2}, {5, 1, 5}};
    input in;
    size_t at = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_true(repl_next_input(text, &at, false, &in));
        int line, column;
        repl_line_and_column(text, (size_t)(in.text - text), &line, &column);
        assert_int_equal(line, places[i].line);
        assert_int_equal(column, places[i].column);
        assert_int_equal(in.length, places[i].length);
    }
    assert_false(repl_next_input(text, &at, true, &in));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dot_before_white_space_or_a_comment_ends_a_clause),
        cmocka_unit_test(a_dot_in_a_number_quote_or_comment_ends_none),
        cmocka_unit_test(a_quote_that_is_not_closed_ends_the_clause_with_its_line),
        cmocka_unit_test(kinds_are_told_apart),
        cmocka_unit_test(what_has_not_ended_is_left),
        cmocka_unit_test(every_clause_knows_its_line_and_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

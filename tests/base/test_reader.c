// tests/base/test_reader.c - text to terms: operators, numbers, places, errors, recovery.
#include "base/term/term.h"
#include "tests/testlib.h"

static arena *a;

static int start(void **state) {
    (void)state;
    a = arena_create();
    return 0;
}

static int end(void **state) {
    (void)state;
    arena_destroy(a);
    return 0;
}

// The term with every operator as 'name'(...), so that its structure shows.
static void put_canonical(const term *t, char *out, size_t size) {
    size_t n = strlen(out);
    if (t->kind != TERM_COMPOUND) {
        term_format(t, out + n, size - n);
        return;
    }
    snprintf(out + n, size - n, "%s(", t->text);
    for (uint32_t i = 0; i < t->arity; i++) {
        if (i > 0)
            strcat(out, " ");
        put_canonical(t->args[i], out, size);
    }
    strcat(out, ")");
}

static void reads(const char *text, const char *expected) {
    const term *t = NULL;
    error err;
    if (term_parse(a, "test", text, strlen(text), 1, 1, &t, &err) != OK)
        fail_msg("%s: column %d: %s", text, err.column, err.text);
    char canonical[4096] = "";
    put_canonical(t, canonical, sizeof canonical);
    assert_string_equal(canonical, expected);
}

// Expects an error at the column whose text contains `part`.
static void refuses(const char *text, int line, int column, const char *part) {
    const term *t = NULL;
    error err;
    if (term_parse(a, "test", text, strlen(text), 1, 1, &t, &err) == OK)
        fail_msg("'%s' was read as %s", text, term_text(a, t));
    assert_null(t);
    assert_int_equal(err.code, E_INPUT);
    assert_string_equal(err.file, "test");
    if (!strstr(err.text, part) || err.line != line || err.column != column)
        fail_msg("'%s': %d:%d: %s", text, err.line, err.column, err.text);
}

static void operators_bind_as_declared(void **state) {
    (void)state;
    reads("a :- b, c ; d", ":-(a ;(,(b c) d))");
    reads("a, b, c", ",(a ,(b c))");
    reads("a ; b ; c", ";(a ;(b c))");
    reads("1 - 2 - 3", "-(-(1 2) 3)");
    reads("1 + 2 * 3 / 4 mod 5", "+(1 mod(/(*(2 3) 4) 5))");
    reads("X is Y + 1, X >= 3", ",(is(X +(Y 1)) >=(X 3))");
    reads("X =< 3", "<=(X 3)");
    reads("X <= 3", "<=(X 3)");
    reads("X != Y", "!=(X Y)");
    reads("X>Y", ">(X Y)");
    reads("(1 - 2) * 3", "*(-(1 2) 3)");
    reads("1 - (2 - 3)", "-(1 -(2 3))");
    reads("f((a :- b))", "f(:-(a b))");
    refuses("f(a :- b)", 1, 5, "',' or ')'");
}

static void prefixes_take_what_they_may(void **state) {
    (void)state;
    reads("not a, b", ",(not(a) b)");
    reads("not (a, b)", "not(,(a b))");
    reads("not(a, b)", "not(,(a b))");
    reads("not(a), b", ",(not(a) b)");
    reads("not not X = 3", "not(not(=(X 3)))");
    reads("why not on(a, b)", "why(not(on(a b)))");
    reads("why flaw(F)", "why(flaw(F))");
    reads(":- a, b", ":-(,(a b))");
    reads("f(not a, why)", "f(not(a) 'why')");
    reads("[not, why, is, mod]", "[|]('not' [|]('why' [|]('is' [|]('mod' []))))");
    reads("mod(a, b) mod mod(c, d)", "mod(mod(a b) mod(c d))");
    reads("'not'(a, b)", "not(a b)");
    reads("-X * 2", "*(-(X) 2)");
    reads("- - X", "-(-(X))");
    reads("not - X", "not(-(X))");
}

static void a_minus_before_a_literal_is_its_sign(void **state) {
    (void)state;
    reads("-3", "-3");
    reads("- 3", "-3");
    reads("a - 3", "-(a 3)");
    reads("a -3", "-(a 3)");
    reads("a - -3", "-(a -3)");
    reads("-(3)", "-(3)");
    reads("-3 + 4", "+(-3 4)");
    reads("f(-2.5, -x)", "f(-2.5 -(x))");
}

static void numbers_are_read(void **state) {
    (void)state;
    reads("12", "12");
    reads("2.5", "2.5");
    reads("1e-3", "0.001");
    reads(".025", "0.025");
    reads("[.5, -.5]", "[|](0.5 [|](-0.5 []))");
    reads("a < .5e1", "<(a 5.0)");
    reads("1.5E+3", "1500.0");
    reads("9223372036854775807", "9223372036854775807");
    reads("-9223372036854775808", "-9223372036854775808");
    refuses("9223372036854775808", 1, 1, "does not fit 64 bits");
    refuses("f(1e999)", 1, 3, "too large");
    refuses("1.5.5", 1, 5, "the end");
    refuses("3rd", 1, 1, "begin with a digit");
    refuses("1e", 1, 1, "begin with a digit");
}

static void strings_and_quoted_symbols_know_escapes(void **state) {
    (void)state;
    const term *t = NULL;
    const char *text = "\"a\\n\\t\\r\\\\\\\"\\'\\x41\\xc3\\xa9\"";
    assert_int_equal(term_parse(a, "t", text, strlen(text), 1, 1, &t, NULL), OK);
    assert_int_equal(t->kind, TERM_STRING);
    assert_string_equal(t->text, "a\n\t\r\\\"'A\xc3\xa9");
    refuses("f(\"abc", 1, 3, "not closed");
    refuses("f('abc\n')", 1, 3, "not closed");
    refuses("\"a\\q\"", 1, 1, "unknown escape");
    refuses("\"a\\x4\"", 1, 1, "unknown escape");
    refuses("\"a\\x00\"", 1, 1, "unknown escape");
    refuses("\"a\\", 1, 1, "not closed");
}

static void variables_come_in_four_spellings(void **state) {
    (void)state;
    reads("f(Plate, _x, ?plate, ?Big, ?_)", "f(Plate _x ?plate ?Big ?_)");
    const term *t = NULL;
    assert_int_equal(term_parse(a, "t", "f(_, _)", 7, 1, 1, &t, NULL), OK);
    assert_true(term_is_anonymous(t->args[0]) && term_is_anonymous(t->args[1]));
    assert_string_not_equal(t->args[0]->text, t->args[1]->text);
    assert_string_equal(term_text(a, t), "f(_, _)");
    refuses("Plate(a)", 1, 1, "variable");
    refuses("?(a)", 1, 1, "unexpected '?'");
}

static void aggregates_have_braces(void **state) {
    (void)state;
    reads("N = count { X : on(X, table), not p(X) }", "=(N {}(count X ,(on(X table) not(p(X)))))");
    reads("count{on(_x, t)} > 2", ">({}(count '_' on(_x t)) 2)");
    reads("max { f(X, Y) : p(X, Y) ; q(Y, X) }", "{}(max f(X Y) ;(p(X Y) q(Y X)))");
    reads("count(x)", "count(x)");
    reads("f(count)", "f(count)");
    refuses("count { X : p(X)", 1, 17, "'}'");
    refuses("foo { X }", 1, 5, "found '{'");
    refuses("count { }", 1, 9, "a term");
}

static void lists_have_tails(void **state) {
    (void)state;
    reads("[]", "[]");
    reads("[a]", "[|](a [])");
    reads("[a, b | T]", "[|](a [|](b T))");
    reads("[(a, b), (c :- d)]", "[|](,(a b) [|](:-(c d) []))");
    refuses("[|]", 1, 2, "a term");
}

static void comments_and_blanks_mean_nothing(void **state) {
    (void)state;
    reads(" % first\n f( /* in * between */ a , % rest\n b )\t.\n% last", "f(a b)");
    refuses("f(a) /* no end", 1, 6, "not closed");
    reads("f(a)%", "f(a)");
    reads("f(/**/a)", "f(a)");
}

static void mistakes_are_placed_and_named(void **state) {
    (void)state;
    refuses("", 1, 1, "the end of the text");
    refuses("f(a", 1, 4, "',' or ')'");
    refuses("f(a b)", 1, 5, "found 'b'");
    refuses("f()", 1, 3, "has no ()");
    refuses("f (a)", 1, 3, "no blank");
    refuses("f(a))", 1, 5, "found ')'");
    refuses("f(a,)", 1, 5, "a term");
    refuses("[a, b", 1, 6, "']'");
    refuses("[a | b, c]", 1, 7, "']'");
    refuses("a = b = c", 1, 7, "parentheses");
    refuses("a :- b :- c", 1, 8, "parentheses");
    refuses("f(a).\ng(b)", 2, 1, "the end");
    refuses("on(?x,\n   $place)", 2, 4, "parameter");
    refuses("\\+ a", 1, 1, "'not'");
    refuses("f(\xc3\xa9)", 1, 3, "0xc3");
    refuses("a = + b", 1, 5, "a term");
    refuses("?x == b", 1, 5, "expected a term, found '='; two values are compared by one '='");
    refuses("f(a) @", 1, 6, "'@'");
    refuses("1 = not a", 1, 5, "too loosely");
    refuses("f(:- a)", 1, 3, "too loosely");
}

static void places_start_where_the_text_stands(void **state) {
    (void)state;
    const term *t = NULL;
    assert_int_equal(term_parse(a, "t", "on(a,\n g(X))", 12, 14, 9, &t, NULL), OK);
    assert_int_equal(t->line, 14);
    assert_int_equal(t->column, 9);
    assert_int_equal(t->args[0]->column, 12);
    assert_int_equal(t->args[1]->line, 15);
    assert_int_equal(t->args[1]->column, 2);
    assert_int_equal(term_parse(a, "t", "X = -3", 6, 1, 1, &t, NULL), OK);
    assert_int_equal(t->column, 3); // of an operator, where it stands
    assert_int_equal(t->args[1]->column, 5);
    assert_int_equal(term_parse(a, "t", "f([a])", 6, 1, 1, &t, NULL), OK);
    assert_int_equal(t->args[0]->column, 3);
}

static char *nested(const char *open, const char *inner, const char *close, size_t count) {
    size_t before = strlen(open), middle = strlen(inner), after = strlen(close);
    char *text = arena_alloc(a, (before + after) * count + middle + 1), *at = text;
    for (size_t i = 0; i < count; i++, at += before)
        memcpy(at, open, before);
    memcpy(at, inner, middle);
    at += middle;
    for (size_t i = 0; i < count; i++, at += after)
        memcpy(at, close, after);
    return text;
}

static bool is_read(const char *text) {
    const term *t;
    error err;
    status s = term_parse(a, "t", text, strlen(text), 1, 1, &t, &err);
    if (s != OK)
        assert_non_null(strstr(err.text, "200 deep"));
    return s == OK;
}

static void depth_is_limited_to_two_hundred(void **state) {
    (void)state;
    assert_true(is_read(nested("f(", "x", ")", 200)));
    assert_false(is_read(nested("f(", "x", ")", 201)));
    assert_true(is_read(nested("[", "x", "]", 200)));
    assert_false(is_read(nested("[", "x", "]", 201)));
    assert_true(is_read(nested("not ", "x", "", 200)));
    assert_false(is_read(nested("not ", "x", "", 201)));
    assert_true(is_read(nested("x + ", "x", "", 200)));
    assert_false(is_read(nested("x + ", "x", "", 201)));
    assert_true(is_read(nested("x , ", "x", "", 200)));
    assert_false(is_read(nested("x , ", "x", "", 201)));
    assert_true(is_read(nested("(", "x", ")", 300))); // parentheses make no term deeper
    assert_false(is_read(nested("(", "x", ")", 100000)));
    assert_false(is_read(nested("count { ", "x", "}", 100000)));
    assert_false(is_read(nested("- ", "x", "", 100000)));
    // A long list is not a deep one, and a deep item of it counts.
    char *items = nested(", x", "]", "", 100000);
    assert_true(is_read(arena_format(a, "[x%s", items)));
    assert_false(is_read(arena_format(a, "[%s%s", nested("f(", "x", ")", 200), items)));
}

static void clauses_are_read_one_by_one(void **state) {
    (void)state;
    const char *text = "p(1). q(X) :- p(X).r.\n% end\n";
    reader r;
    reader_init(&r, a, "t", text, strlen(text), 1, 1);
    const term *t;
    static const char *const expected[] = {"p(1)", "q(X) :- p(X)", "r"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(reader_clause(&r, &t, NULL), OK);
        assert_string_equal(term_text(a, t), expected[i]);
    }
    assert_int_equal(reader_clause(&r, &t, NULL), OK);
    assert_null(t);
    assert_int_equal(reader_clause(&r, &t, NULL), OK);
    assert_null(t);
}

static void reading_goes_on_behind_a_mistake(void **state) {
    (void)state;
    const char *text = "p(1.5.\n"                     // not closed
                       "q(\"a. b\" c. d).\n"          // goes on behind the '.' within its bracket
                       "r(2). s('open).\n"            // not closed, and ends with its line
                       "u(3). v(\"bad \\q. \", 1).\n" // the '.' in the string does not end it
                       "w(4). x(5)";
    reader r;
    reader_init(&r, a, "t", text, strlen(text), 1, 1);
    char log[512] = "";
    for (;;) {
        const term *t = NULL;
        error err;
        status s = reader_clause(&r, &t, &err);
        if (s == OK && !t)
            break;
        size_t n = strlen(log);
        if (s == OK)
            snprintf(log + n, sizeof log - n, "%s ", term_text(a, t));
        else
            snprintf(log + n, sizeof log - n, "%d:%d ", err.line, err.column);
    }
    assert_string_equal(log, "1:6 2:10 r(2) 3:9 u(3) 4:9 w(4) 5:11 ");
}

static void a_clause_needs_its_stop(void **state) {
    (void)state;
    reader r;
    const term *t = (const term *)&r;
    error err;
    reader_init(&r, a, "t", "p(1)", 4, 1, 1);
    assert_int_equal(reader_clause(&r, &t, &err), E_INPUT);
    assert_ptr_equal(t, &r);
    assert_non_null(strstr(err.text, "'.'"));
    assert_int_equal(reader_clause(&r, &t, &err), OK);
    assert_null(t);
}

static void only_the_given_length_is_read(void **state) {
    (void)state;
    const term *t;
    assert_int_equal(term_parse(a, "t", "plate_123", 7, 1, 1, &t, NULL), OK);
    assert_string_equal(t->text, "plate_1");
    assert_int_equal(term_parse(a, "t", "1234", 2, 1, 1, &t, NULL), OK);
    assert_int_equal(t->integer, 12);
    error err;
    assert_int_equal(term_parse(a, "t", "f(a\0)", 5, 1, 1, &t, &err), E_INPUT);
    assert_int_equal(term_parse(a, "t", "\"a\0b\"", 5, 1, 1, &t, &err), E_INPUT);
    assert_non_null(strstr(err.text, "zero byte"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(operators_bind_as_declared),
        TEST(prefixes_take_what_they_may),
        TEST(a_minus_before_a_literal_is_its_sign),
        TEST(numbers_are_read),
        TEST(strings_and_quoted_symbols_know_escapes),
        TEST(variables_come_in_four_spellings),
        TEST(aggregates_have_braces),
        TEST(lists_have_tails),
        TEST(comments_and_blanks_mean_nothing),
        TEST(mistakes_are_placed_and_named),
        TEST(places_start_where_the_text_stands),
        TEST(depth_is_limited_to_two_hundred),
        TEST(clauses_are_read_one_by_one),
        TEST(reading_goes_on_behind_a_mistake),
        TEST(a_clause_needs_its_stop),
        TEST(only_the_given_length_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// tests/base/test_term.c - making, comparing, printing and matching terms.
#include <math.h>

#include "base/math/rng.h"
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

static const term *read_term(const char *text) {
    const term *t = NULL;
    error err;
    if (term_parse(a, "test", text, strlen(text), 1, 1, &t, &err) != OK)
        fail_msg("%s: %d: %s", text, err.column, err.text);
    return t;
}

static void terms_are_made_and_print(void **state) {
    (void)state;
    const term *items[] = {term_int(a, -4), term_float(a, 2), term_string(a, "a \"b\""),
                           term_symbol(a, "plate#1"), term_var(a, "?x")};
    assert_string_equal(term_text(a, term_compound(a, "on", 5, items)),
                        "on(-4, 2.0, \"a \\\"b\\\"\", plate#1, ?x)");
    assert_string_equal(term_text(a, term_list(a, items, 3, NULL)), "[-4, 2.0, \"a \\\"b\\\"\"]");
    assert_string_equal(term_text(a, term_list(a, items, 2, items[4])), "[-4, 2.0 | ?x]");
    assert_string_equal(term_text(a, term_list(a, NULL, 0, NULL)), "[]");
    assert_ptr_equal(term_list(a, NULL, 0, items[4]), items[4]);
    assert_int_equal(term_compound(a, "go", 0, NULL)->kind, TERM_SYMBOL);
}

static void symbols_are_quoted_where_they_must_be(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"plate_1", "plate_1"},
        {"plate#2", "plate#2"},
        {"[]", "[]"},
        {"Plate", "'Plate'"},
        {"", "''"},
        {"two words", "'two words'"},
        {"not", "'not'"},
        {"is", "'is'"},
        {"count", "count"},
        {"+", "'+'"},
        {"it's", "'it\\'s'"},
        {"a\nb", "'a\\nb'"},
        {"\x01\x7f", "'\\x01\\x7f'"},
        {"caf\xc3\xa9", "'caf\xc3\xa9'"},
        {"1st", "'1st'"},
        {"back\\slash", "'back\\\\slash'"},
        {"_x", "'_x'"},
        {"[|]", "'[|]'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const term *t = term_symbol(a, cases[i][0]);
        assert_string_equal(term_text(a, t), cases[i][1]);
        assert_true(term_equal(read_term(cases[i][1]), t));
    }
    const term *one = term_int(a, 1);
    assert_string_equal(term_text(a, term_compound(a, "[]", 1, &one)), "'[]'(1)");
    assert_string_equal(term_text(a, term_compound(a, "two words", 1, &one)), "'two words'(1)");
}

static void formatting_counts_and_cuts_like_snprintf(void **state) {
    (void)state;
    const term *t = read_term("on(plate_1, [1, 2])");
    char text[64];
    for (size_t size = 0; size < sizeof text; size++) {
        memset(text, '#', sizeof text);
        assert_int_equal(term_format(t, text, size), 19);
        if (size > 0) {
            size_t kept = size > 19 ? 19 : size - 1;
            assert_int_equal(strlen(text), kept);
            assert_memory_equal(text, "on(plate_1, [1, 2])", kept);
        }
        if (size < sizeof text)
            assert_int_equal(text[size > 20 ? 20 : size], '#');
    }
}

static void terms_are_equal_by_structure_across_arenas(void **state) {
    (void)state;
    arena *b = arena_create();
    const term *x = read_term("on(plate_1, [1, 2.5, \"s\", X | ?t])");
    const term *y = term_copy(b, x);
    assert_true(term_equal(x, y));
    assert_ptr_not_equal(x->args[1], y->args[1]);
    assert_false(term_equal(x, read_term("on(plate_1, [1, 2.5, \"s\", Y | ?t])")));
    assert_false(term_equal(read_term("1"), read_term("1.0")));
    assert_false(term_equal(read_term("a"), read_term("\"a\"")));
    assert_false(term_equal(read_term("f(a)"), read_term("f(a, a)")));
    assert_false(term_equal(read_term("f(a)"), read_term("f")));
    arena_destroy(b);
}

static void the_order_is_total(void **state) {
    (void)state;
    // From least to greatest; each but the first greater than all before it.
    const term *row[] = {
        read_term("A"),
        read_term("B"),
        term_float(a, (double)NAN),
        term_float(a, -INFINITY),
        read_term("-9223372036854775808"),
        read_term("-1.5"),
        read_term("-1"),
        read_term("0.5"),
        read_term("1.0"),
        read_term("1"),
        read_term("9007199254740993"),
        read_term("9007199254740994.0"),
        read_term("9223372036854775807"),
        read_term("9223372036854775808.0"),
        term_float(a, INFINITY),
        read_term("a"),
        read_term("aa"),
        read_term("b"),
        read_term("\"a\""),
        read_term("\"b\""),
        read_term("f(z)"),
        read_term("g(a)"),
        read_term("a(1, 2)"),
        read_term("a(1, 3)"),
        read_term("a(2, 1)"),
        read_term("b(1, 1)"),
    };
    size_t count = sizeof row / sizeof *row;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            int order = term_order(row[i], row[j]);
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
            assert_int_equal(term_equal(row[i], row[j]), i == j);
        }
    }
    assert_true(term_equal(term_float(a, (double)NAN), term_float(a, (double)NAN)));
}

static void ground_terms_have_no_variables(void **state) {
    (void)state;
    assert_true(term_ground(read_term("f(a, [1, \"s\"], g(2.5))")));
    assert_false(term_ground(read_term("f(a, [1, X], g(2))")));
    assert_false(term_ground(read_term("[1, 2 | ?t]")));
    assert_false(term_ground(read_term("f(_)")));
}

static void lists_are_measured_and_indexed(void **state) {
    (void)state;
    const term *list = read_term("[a, f(b), 3]");
    assert_int_equal(term_list_length(list), 3);
    assert_string_equal(term_text(a, term_list_item(list, 1)), "f(b)");
    assert_int_equal(term_list_length(read_term("[]")), 0);
    assert_int_equal(term_list_length(read_term("[a | T]")), -1);
    assert_int_equal(term_list_length(read_term("[a | b]")), -1);
    assert_int_equal(term_list_length(read_term("f(a)")), -1);
    double x;
    assert_true(term_number(term_list_item(list, 2), &x) && x == 3);
    assert_false(term_number(list, &x));
    assert_false(term_number(NULL, &x));
}

static void very_long_lists_do_not_exhaust_the_stack(void **state) {
    (void)state;
    enum { COUNT = 300000 };
    const term **items = malloc(COUNT * sizeof *items);
    assert_non_null(items);
    for (int i = 0; i < COUNT; i++)
        items[i] = term_int(a, i);
    const term *list = term_list(a, items, COUNT, NULL);
    free(items);
    const term *copy = term_copy(a, list);
    assert_true(term_equal(list, copy));
    assert_true(term_ground(list));
    assert_int_equal(term_list_length(copy), COUNT);
    bindings found = {0};
    assert_true(term_match(list, copy, &found));
    const char *text = term_text(a, list);
    assert_true(term_equal(read_term(text), list));
}

static const term *look_up(void *context, const char *variable) {
    const term *const *values = context;
    if (strcmp(variable, "?x") == 0)
        return values[0];
    return strcmp(variable, "Y") == 0 ? values[1] : NULL;
}

static void variables_are_replaced_once(void **state) {
    (void)state;
    const term *values[] = {read_term("g(Y)"), read_term("[1, 2]")};
    const term *t = read_term("f(?x, h(Y), Z, _, ?x)");
    const term *s = term_substitute(a, t, look_up, values);
    assert_string_equal(term_text(a, s), "f(g(Y), h([1, 2]), Z, _, g(Y))");
    assert_string_equal(term_text(a, t), "f(?x, h(Y), Z, _, ?x)");
    assert_string_equal(term_text(a, term_substitute(a, read_term("Y"), look_up, values)),
                        "[1, 2]");
}

static void a_substituted_term_lives_in_its_arena_alone(void **state) {
    (void)state;
    arena *source = arena_create();
    const term *t, *values[] = {term_symbol(source, "plate"), NULL};
    assert_int_equal(term_parse(source, "t", "f(?x, [a, b | ?x])", 18, 1, 1, &t, NULL), OK);
    const term *s = term_substitute(a, t, look_up, values);
    arena_destroy(source); // the address sanitizer sees whoever still looks there
    assert_string_equal(term_text(a, s), "f(plate, [a, b | plate])");
}

static bool matches(const char *pattern, const char *text, bindings *out) {
    out->count = 0;
    return term_match(read_term(pattern), read_term(text), out);
}

static void patterns_bind_their_variables(void **state) {
    (void)state;
    bindings found = {0};
    assert_true(matches("on(?plate, T)", "on(plate_1, table(2))", &found));
    assert_int_equal(found.count, 2);
    assert_string_equal(found.items[0].name, "?plate");
    assert_string_equal(term_text(a, found.items[0].value), "plate_1");
    assert_string_equal(found.items[1].name, "T");
    assert_string_equal(term_text(a, found.items[1].value), "table(2)");
    assert_true(matches("f(X, X)", "f(g(1), g(1))", &found));
    assert_int_equal(found.count, 1);
    assert_false(matches("f(X, X)", "f(g(1), g(2))", &found));
    assert_int_equal(found.count, 0); // nothing stays of what was bound on the way
    assert_true(matches("f(_, _)", "f(1, 2)", &found));
    assert_int_equal(found.count, 0);
    assert_true(matches("[H | T]", "[1, 2, 3]", &found));
    assert_string_equal(term_text(a, found.items[1].value), "[2, 3]");
    assert_false(matches("f(1)", "f(1.0)", &found));
    assert_false(matches("f(a)", "g(a)", &found));
    assert_false(matches("f(a)", "f(a, b)", &found));
    assert_false(matches("f(X)", "f", &found));
    array_finish(&found);
}

static void matching_respects_what_is_bound_already(void **state) {
    (void)state;
    bindings found = {0};
    array_push(&found, (binding){"X", read_term("a")});
    assert_true(term_match(read_term("f(X, Y)"), read_term("f(a, b)"), &found));
    assert_int_equal(found.count, 2);
    assert_false(term_match(read_term("f(X, Z)"), read_term("f(b, c)"), &found));
    assert_int_equal(found.count, 2);
    array_finish(&found);
}

// A random term over every kind, operators included.
static const term *any_term(uint64_t *n, int depth) {
    static const char *const names[] = {"on",  "not", "why", ":-", ",",   ";",
                                        "=",   "<=",  "is",  "+",  "-",   "*",
                                        "mod", "[|]", "[]",  "{}", "A b", "count"};
    rng_key key = rng_key_make(11, "terms", "");
    int kind = (int)(rng_uniform(key, (*n)++, 0) * (depth > 0 ? 9 : 5));
    double u = rng_uniform(key, (*n)++, 0);
    switch (kind) {
    case 0:
        return term_int(a, (int64_t)((u - 0.5) * 20));
    case 1:
        return term_float(a, (u - 0.5) * 1e3);
    case 2:
        return term_string(a, u < 0.5 ? "\"quoted\"\n" : "plain");
    case 3:
        return term_symbol(a, names[(size_t)(u * 18)]);
    case 4:
        return term_var(a, u < 0.3 ? "X" : u < 0.6 ? "?y" : "_z");
    default:
        break;
    }
    const term *args[3];
    uint32_t arity = 1 + (uint32_t)(rng_uniform(key, (*n)++, 0) * 3);
    for (uint32_t i = 0; i < arity; i++)
        args[i] = any_term(n, depth - 1);
    return term_compound(a, names[(size_t)(u * 18)], arity, args);
}

static void what_is_printed_reads_back_the_same(void **state) {
    (void)state;
    uint64_t n = 0;
    for (int i = 0; i < 20000; i++) {
        const term *t = any_term(&n, 4);
        const char *text = term_text(a, t);
        const term *again = NULL;
        error err;
        if (term_parse(a, "again", text, strlen(text), 1, 1, &again, &err) != OK)
            fail_msg("%s: column %d: %s", text, err.column, err.text);
        if (!term_equal(t, again))
            fail_msg("%s came back as %s", text, term_text(a, again));
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(terms_are_made_and_print),
        TEST(symbols_are_quoted_where_they_must_be),
        TEST(formatting_counts_and_cuts_like_snprintf),
        TEST(terms_are_equal_by_structure_across_arenas),
        TEST(the_order_is_total),
        TEST(ground_terms_have_no_variables),
        TEST(lists_are_measured_and_indexed),
        TEST(very_long_lists_do_not_exhaust_the_stack),
        TEST(variables_are_replaced_once),
        TEST(a_substituted_term_lives_in_its_arena_alone),
        TEST(patterns_bind_their_variables),
        TEST(matching_respects_what_is_bound_already),
        TEST(what_is_printed_reads_back_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// tests/query/derive/test_best.c - recursion that keeps the least or the greatest value of each
// key.
#include "tests/query/querylib.h"

// A graph with circles; ways of at most six edges say the lengths of all that matter.
static const char *const GRAPH =
    "n(X) :- between(0, 11, X).\n"
    "e(X, Y, W) :- n(X), Y = (X * 5 + 1) mod 12, W = 1 + (X * 7) mod 5.\n"
    "e(X, Y, W) :- n(X), Y = (X * 7 + 3) mod 12, W = 2 + (X * 3) mod 7.\n"
    "w(X, Y, W, 1) :- e(X, Y, W).\n"
    "w(X, Z, V, K) :- w(X, Y, U, J), J < 7, e(Y, Z, W), V = U + W, K = J + 1.\n"
    "least(X, Y, D) :- w(X, Y, _, 1), D = min { V : w(X, Y, V, _) }.\n"
    "least(X, Y, D) :- n(X), n(Y), not w(X, Y, _, 1), D = min { V : w(X, Y, V, _) }.\n"
    ":- least d on 3. :- least r on 3. :- least f on 3. :- least m on 3. :- least k on 3.\n"
    "d(X, Y, W) :- e(X, Y, W). d(X, Z, V) :- d(X, Y, U), e(Y, Z, W), V = U + W.\n"
    "r(X, Y, W) :- e(X, Y, W). r(X, Z, W + U) :- e(X, Y, W), r(Y, Z, U).\n"
    "f(X, Y, W) :- e(X, Y, W). f(X, Z, V) :- f(X, Y, U), f(Y, Z, W), V = U + W.\n"
    "m(X, Y, W) :- k(X, Y, W). k(X, Y, W) :- e(X, Y, W). k(X, Z, V) :- m(X, Y, U), e(Y, Z, W), "
    "V = W + U.\n";

static void the_least_over_a_recursion_is_that_of_all_ways(void **state) {
    (void)state;
    asked *home = asked_open(10, NULL);
    asked whole = asked_whole(home), kept = asked_beside(home, NULL);
    asked_load(&whole, GRAPH);
    asked_load(&kept, GRAPH);
    const char *all = asked_for(&whole, "least(X, Y, D)");
    assert_true(strlen(all) > 500);
    static const char *const recursions[] = {"d", "r", "f", "m"};
    static const char *const calls[] = {"%s(X, Y, D)",
                                        "%s(3, Y, D)",
                                        "%s(X, 4, D)",
                                        "%s(3, 4, D)",
                                        "%s(X, Y, 9)",
                                        "%s(X, Y, D), D < 6, e(Y, X, _)",
                                        "n(X), X > 9, %s(X, Y, D)",
                                        "D = 7, %s(2, Y, D)",
                                        "n(X), S = sum { D : %s(X, Y, D) }",
                                        "n(X), X < 4, not %s(X, 1, 7)",
                                        "n(X), not (%s(X, Y, D), D > 14)"};
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
            const char *query = arena_format(home->texts, calls[k], recursions[i]);
            const char *expected = asked_for(&whole, arena_format(home->texts, calls[k], "least"));
            asked alone = asked_beside(home, NULL);
            asked_load(&alone, GRAPH);
            assert_string_equal(asked_for(&alone, query), expected);
            assert_string_equal(asked_for(&kept, query), expected);
            assert_string_equal(asked_for(&whole, query), expected);
            engine_close(alone.engine);
        }
    }
    engine_close(whole.engine);
    engine_close(kept.engine);
    asked_close(home);
}

static void one_end_of_shortest_ways_costs_what_it_meets(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "e(X, Y, W) :- between(0, 3999, X), Y = X + 1, W = X mod 3.\n"
                  ":- least d on 3. d(X, Y, W) :- e(X, Y, W).\n"
                  "d(X, Z, V) :- d(X, Y, U), e(Y, Z, W), V = U + W.\n");
    assert_string_equal(asked_for(a, "d(7, 4000, D)"), "3993");
    assert_true(engine_last_cost(a->engine).steps < 200000); // of 8 million pairs
    asked_close(a);
}

static void the_greatest_and_the_first_are_kept_as_well(void **state) {
    (void)state;
    asked *a = asked_open(20, NULL);
    asked_load(a, ":- greatest wide on 3. p(a, b, 4). p(b, c, 3). p(a, c, 1). p(c, a, 9).\n"
                  "wide(X, Y, W) :- p(X, Y, W).\n"
                  "wide(X, Z, W) :- wide(X, Y, U), p(Y, Z, V), W = min(U, V).\n"
                  ":- declare first(who: symbol, t: time) \"When.\". :- least first on 2.\n"
                  "first(a, 2). first(Y, T) :- first(X, S), p(X, Y, W), T = S + W, T < 15.\n"
                  ":- least best on 1. best(7). best(4.5). best(9). :- greatest g on 2.\n"
                  "g(a, 1). g(a, 3). g(b, 2). g(X, V) :- p(_, X, V), V > 3.\n");
    assert_string_equal(asked_for(a, "wide(a, X, W)"), "a 3; b 4; c 3");
    assert_string_equal(asked_for(a, "first(X, T)"), "a 2.0; b 6.0; c 3.0");
    assert_string_equal(asked_for(a, "first(X, T), T > 2.5, T < 4"), "c 3.0");
    assert_string_equal(asked_for(a, "best(X)"), "4.5");
    assert_string_equal(asked_for(a, "g(X, V)"), "a 9; b 4");
    assert_string_equal(asked_for(a, "g(a, 3)"), "no");
    asked_close(a);
}

static void what_is_the_best_changes_with_its_directive(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    errors list = {0};
    const char *least = ":- least b on 2.", *most = ":- greatest b on 2.", *none = "% nothing";
    asked_load(a, "b(x, 1). b(x, 2). b(y, 5). c(X, V) :- b(X, V).");
    const char *texts[] = {least, most, none, least};
    const char *expected[] = {"x 1; y 5", "x 2; y 5", "x 1; x 2; y 5", "x 1; y 5"};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(engine_load(a->engine, "d.dl", texts[i], strlen(texts[i]), &list), OK);
        assert_string_equal(asked_for(a, "c(X, V)"), expected[i]);
        assert_string_equal(asked_for(a, "b(X, V)"), expected[i]);
    }
    asked_close(a);
}

static void what_a_better_value_could_take_back_is_refused(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"p(Y, D) :- p(X, E), e(X, Y, W), D = W - E.", "into one variable"},
        {"p(Y, D) :- p(X, E), e(X, Y, W), D = W * E.", "into one variable"},
        {"p(Y, D) :- p(X, E), e(X, Y, W), D = E + 1, D = W.", "other goals may not look at it"},
        {"p(Y, D) :- p(X, E), e(X, Y, W), D = W + E, E > 3.", "might fail this comparison"},
        {"p(Y, D) :- p(X, D), e(X, Y, D).", "other goals may not look at it"},
        {"p(Y, D) :- p(X, D), p(Y, D).", "other goals may not look at it"},
        {"p(Y, 1) :- p(X, 5), e(X, Y, _).", "write a variable in its place"},
        {"p(f(D), D) :- p(_, D), D < 3.", "in the column that it is of"},
        {"p(Y, D) :- q(Y, D). q(Y, D) :- p(Y, D).", "of predicates that keep the best"},
        {":- greatest q on 2. p(Y, D) :- q(Y, D). q(Y, D) :- p(Y, D).", "in the same way"},
        {"p(Y, D) :- e(Y, _, D), not p(Y, 3).", "cycle through negation"},
        {"p(Y, D) :- e(Y, _, _), D = count { X : p(X, _) }.", "cycle through an aggregate"},
        {":- temporal p on 2.", "cannot be split, temporal or instant"},
    };
    asked *home = asked_open(10, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        asked a = asked_beside(home, NULL);
        asked_load(&a, arena_format(home->texts,
                                    ":- least p on 2. e(a, b, 3). e(b, c, 4).\n"
                                    "p(X, W) :- e(X, _, W). %s",
                                    wrong[i][0]));
        const char *said = asked_for(&a, "p(X, Y)");
        if (!strstr(said, wrong[i][1]))
            fail_msg("%s\n  expected: %s\n  said: %s", wrong[i][0], wrong[i][1], said);
        engine_close(a.engine);
    }
    asked_close(home);
}

static void a_way_that_gets_ever_shorter_ends_with_an_error(void **state) {
    (void)state;
    asked *home = asked_open(10, NULL);
    engine_options opt = engine_options_default();
    opt.memory_limit = 20000000;
    asked a = asked_beside(home, &opt);
    asked_load(&a, ":- least d on 2. e(a, b, 1). e(b, a, -2). d(a, 0).\n"
                   "d(Y, V) :- d(X, U), e(X, Y, W), V = U + W.\n"
                   ":- least u on 2. u(a, 0). u(Y, V) :- u(X, U), e(X, Y, W), V = U + abs(W).");
    assert_non_null(strstr(asked_for(&a, "d(X, D)"), "memory"));
    assert_string_equal(asked_for(&a, "u(X, D)"), "a 0; b 1");
    engine_close(a.engine);
    asked_close(home);
}

static void a_best_value_that_cannot_be_computed_with_is_an_error(void **state) {
    (void)state;
    static const char *const wrong[][3] = {
        // A better value would end where a worse one goes on.
        {":- greatest far on 2. far(a, 1).\nfar(Y, V) :- far(X, U), e(X, Y, _), V = U + "
         "4611686018427387904.",
         "far(X, V)", "2:39: this cannot be computed of a best value within its recursion"},
        {":- least far on 2. far(a, -9223372036854775807).\n"
         "far(Y, V) :- far(X, U), e(X, Y, W), V = U - W, W > 0, true.",
         "far(b, V)", "this cannot be computed of a best value"},
        {":- least far on 2. far(a, 1e300).\nfar(Y, V) :- far(X, U), e(X, Y, W), V = round(U) + W.",
         "far(X, V)", "this cannot be computed of a best value"},
        // Symbols are the greatest in the standard order, but nothing can be added to them.
        {":- greatest far on 2. far(a, 1). far(a, foo).\nfar(Y, V) :- far(X, U), e(X, Y, W), V = U "
         "+ "
         "W, V < 10.",
         "far(X, V)", "might fail this comparison"},
        {":- least far on 2. far(a, 1). far(b, foo).\nfar(Y, V) :- far(X, U), e(X, Y, W), V = U + "
         "W.",
         "far(X, V)",
         "1:38: the recursion computes with the best value, or compares it by size; foo"},
        {":- least far on 2. far(a, 1).\nfar(X, W) :- s(X, W).\nfar(Y, V) :- far(X, U), e(X, Y, "
         "W), "
         "V = U + W.",
         "far(X, V)", "2:1: the recursion computes with the best value"},
        {":- least far on 2. far(a, 1). far(X, W) :- s(X, W).\nfar(Y, V) :- far(X, V), e(X, Y, _), "
         "V "
         "< 5.",
         "far(X, V)", "the recursion computes with the best value"},
        // Directives that say nothing, or two things.
        {":- least far on 3. far(a, 1).", "far(X, V)", "1:10: far has no argument 3; it has 2"},
        {":- least far on 2. far(a, 1).\n:- greatest far on 2.", "far(X, V)",
         "2:13: far is least on 2 already, by line 1 of rules.dl, and cannot be greatest on 2"},
        {":- least far on 2. far(a, 1).\n:- least far on 1.", "far(X, V)",
         "far is least on 2 already"},
        {":- least far on 2. :- split far on 1. far(f(a), 1).", "far(X, V)",
         "1:10: a predicate that is least on an argument cannot be split, temporal or instant"},
        {":- least contact on 4.", "contact(_, _, _, _, _)", "1:10: contact is a table"},
        {":- temporal on on 2. :- temporal on on 3. on(a, interval(0, 1), 3).", "on(a, X, Y)",
         "on is temporal on 2 already"},
    };
    asked *home = asked_open(10, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        asked a = asked_beside(home, NULL);
        asked_load(&a, arena_format(home->texts, "%s\ne(a, b, 3). e(b, c, 4). s(c, word).\n",
                                    wrong[i][0]));
        const char *said = asked_for(&a, wrong[i][1]);
        if (!strstr(said, wrong[i][2]))
            fail_msg("%s\n  expected: %s\n  said: %s", wrong[i][0], wrong[i][2], said);
        engine_close(a.engine);
    }
    // Where nothing is computed any terms are compared, and what is no number elsewhere only fails.
    asked a = asked_beside(home, NULL);
    asked_load(&a,
               ":- greatest far on 2. far(a, 1). far(b, foo). e(a, b, 3). e(b, c, 4). e(c, d, x).\n"
               "far(Y, V) :- far(X, V), e(X, Y, _).\n"
               ":- least sum on 2. :- least sum on 2. sum(a, 1). sum(Y, V) :- sum(X, U), e(X, Y, "
               "W), V = U + W.\n"
               ":- greatest own on 1. own(1). own(V) :- own(U), V = min(U + 1, 9).\n");
    expect(&a, "far(X, V)", "a 1; b foo; c foo; d foo");
    expect(&a, "sum(X, V)", "a 1; b 4; c 8");
    expect(&a, "own(V)", "9");
    engine_close(a.engine);
    asked_close(home);
}

// What a rule reads of the best values it asks for, by way of a negation: none that is beaten
// later.
static void no_value_is_read_before_it_is_the_best(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, ":- greatest far on 3.\n"
                  "e(c, d). e(0, c).\n"
                  "far(X, Y, -3) :- e(X, Y).\n"
                  "far(X, Z, W) :- far(X, Y, V), -5 < V, e(Y, Z), W = V - 2.\n"
                  "far(X, Z, W) :- far(Y, Z, V), -4 < V, e(X, Y), W = V - 1.\n"
                  "same(X, X, V) :- far(X, _, V).\n"
                  "odd(X) :- same(X, X, V), not far(X, g, _), not far(X, _, V).\n");
    expect(a, "odd(0)", "no");
    expect(a, "odd(X)", "");
    expect(a, "far(0, Y, V)", "c -3; d -4");
    asked_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_over_a_recursion_is_that_of_all_ways),
        cmocka_unit_test(one_end_of_shortest_ways_costs_what_it_meets),
        cmocka_unit_test(the_greatest_and_the_first_are_kept_as_well),
        cmocka_unit_test(what_is_the_best_changes_with_its_directive),
        cmocka_unit_test(what_a_better_value_could_take_back_is_refused),
        cmocka_unit_test(a_way_that_gets_ever_shorter_ends_with_an_error),
        cmocka_unit_test(a_best_value_that_cannot_be_computed_with_is_an_error),
        cmocka_unit_test(no_value_is_read_before_it_is_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// tests/query/language/test_values.c - numbers at their limits, texts, lists, disjunctions; and the
// algebra of intervals against a brute force over small integers.
#include "tests/query/querylib.h"

static void integers_have_64_bits(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "n(9223372036854775807). n(-9223372036854775808). n(1152921504606846976).\n"
                  "n(-1152921504606846977). n(0).\n");
    expect(a, "n(X)",
           "-9223372036854775808; -1152921504606846977; 0; 1152921504606846976; "
           "9223372036854775807");
    expect(a, "n(9223372036854775807), n(-9223372036854775808)", "yes");
    expect(a, "n(X), X > 9223372036854775806", "9223372036854775807");
    expect(a, "n(X), Y = X + 1, X > 0", "1152921504606846976 1152921504606846977");
    expect(a, "n(X), Y = X - 1, X < 0", "-1152921504606846977 -1152921504606846978");
    expect(a, "X = 9223372036854775807, Y = X * 2", "");
    expect(a, "X = -9223372036854775808, Y = -X", "");
    expect(a, "X = -9223372036854775808, Y = abs(X)", "");
    expect(a, "X = -9223372036854775808 mod -1", "0");
    expect(a, "X = 4611686018427387904 + 4611686018427387903", "9223372036854775807");
    expect(a, "X = 5 mod 0", "");
    expect(a, "S = sum { X : n(X) }", "-2");
    expect(a, "M = max { X : n(X) }, N = min { X : n(X) }",
           "9223372036854775807 -9223372036854775808");
    expect(a, "X = 9223372036854775808",
           "1:5: this integer does not fit 64 bits; write it with a '.'\n");
    expect(a, "X = 9223372036854775808.0, Y = int(X)", "");
    expect(a, "9223372036854775807 = 9223372036854775807.0", "no");
    expect(a, "9223372036854775807 < 9223372036854775808.0", "yes");
    asked_close(a);
}

static void floats_compare_by_value_and_stay_exact(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "f(0.1). f(1e300). f(-2.5e-8). f(3.0).\n");
    expect(a, "f(X)", "-2.5e-08; 0.1; 3.0; 1e+300");
    expect(a, "f(X), X >= 3, X =< 3", "3.0");
    expect(a, "f(3)", "no");
    expect(a, "X = 0.1 + 0.2", "0.30000000000000004");
    expect(a, "X = 1e308 * 10", "");
    expect(a, "X = sqrt(-1)", "");
    expect(a, "X = log(0)", "");
    expect(a, "X = 2 / 4, Y = 7 / 2, Z = pow(2, 10)", "0.5 3.5 1024.0");
    expect(a, "0.0 = -0.0", "yes");
    expect(a, "X = 1e999", "1:5: this number is too large\n");
    asked_close(a);
}

static void equal_numbers_of_two_kinds_are_equal_but_join_nothing(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "p(1). p(2). p(k). q(1.0). q(2.5). q(k).\n");
    expect(a, "1 = 1.0, 1.0 = 1, not 1 != 1.0", "yes");
    expect(a, "X = 1, X = 1.0", "1");
    expect(a, "X = 1.0, X = 1", "1");
    // What binds a variable gives it one kind, and goals that share it have that kind.
    expect(a, "p(X), q(X)", "k");
    expect(a, "p(X), q(Y), X = Y", "k k");
    expect(a, "X = Y, q(Y), p(X)", "k k");
    expect(a, "p(X), X = 1.0", "");
    expect(a, "X = 1.0, p(X)", "");
    expect(a, "p(X), not q(X)", "1; 2");
    // Values that are bound are compared by value.
    expect(a, "p(X), q(Y), not X != Y", "1 1.0; k k");
    expect(a, "p(X), q(Y), X =< Y, X >= Y", "1 1.0");
    expect(a, "p(X), q(Y), X - Y = 0", "1 1.0");
    expect(a, "p(X), q(Y), X != Y, is_number(X), is_number(Y)", "1 2.5; 2 1.0; 2 2.5");
    expect(a, "p(X), member(1.0, [X])", "1");
    expect(a, "f(1) = f(1.0)", "no");
    expect(a, "f(1) != f(1.0)", "yes");
    asked_close(a);
}

static void texts_keep_every_letter(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "s(\"a\\tb\\n\\\"c\\\" \\\\ \\x41\").\n"
                  "q('two words'). q('\\'quoted\\''). q(plain#1).\n");
    expect(a, "s(X)", "\"a\\tb\\n\\\"c\\\" \\\\ A\"");
    expect(a, "q(X)", "'\\'quoted\\''; plain#1; 'two words'");
    expect(a, "q('two words'), s(X), text_length(X, N)", "\"a\\tb\\n\\\"c\\\" \\\\ A\" 11");
    expect(a, "X = \"\", text_length(X, N)", "\"\" 0");
    asked_close(a);
}

static void lists_and_terms_nest(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "l([]). l([1, [2, 3], f(x, [y | T])]) :- T = [z].\n"
                  "len([], 0). sum_of([], 0).\n"
                  "tail(L, T) :- l(L), L = [_ | T].\n"
                  "all_tails(T) :- l(T). all_tails(T) :- all_tails([_ | T]).\n");
    expect(a, "l([A, [B | C], D])", "1 2 [3] f(x, [y, z])");
    expect(a, "tail(_, T)", "[[2, 3], f(x, [y, z])]");
    expect(a, "all_tails(T), length(T, N)",
           "[] 0; [1, [2, 3], f(x, [y, z])] 3; [[2, 3], f(x, [y, z])] 2; [f(x, [y, z])] 1");
    expect(a, "L = list { X : member(X, [c, a, b, a]) }", "[a, b, c]");
    expect(a, "L = list { p(X, Y) : member(X, [1, 2]), member(Y, [u]) }", "[p(1, u), p(2, u)]");
    expect(a, "append([1], [2], L), nth(N, L, 2), not member(3, L)", "[1, 2] 2");
    asked_close(a);
}

static void disjunction_stands_anywhere(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "p(1). p(2). p(3). q(2). r(3). r(4).\n"
                  "one(X) :- p(X), (q(X) ; r(X)).\n"
                  "none(X) :- p(X), not (q(X) ; r(X)).\n"
                  "both(X) :- p(X), not (q(X), r(X)), (q(X) ; r(X) ; X = 1).\n"
                  "deep(X) :- p(X), not (q(X) ; not (r(X) ; X = 1)).\n");
    expect(a, "one(X)", "2; 3");
    expect(a, "none(X)", "1");
    expect(a, "both(X)", "1; 2; 3");
    expect(a, "deep(X)", "1; 3");
    expect(a, "N = count { X : (p(X) ; r(X)) }", "4");
    expect(a, "S = sum { X : (q(X) ; r(X)), X > 2 }", "7");
    expect(a, "N = count { X : p(X), not (q(X) ; r(X)) }", "1");
    expect(a, "L = list { X : (p(X) ; X = 9) }", "[1, 2, 3, 9]");
    expect(a, "p(X), N = count { Y : (q(Y), Y > X ; r(Y), Y > X) }", "1 3; 2 2; 3 1");
    expect(a, "M = avg { X : (p(X) ; r(X)) }", "2.5");
    expect(a, "p(X), (X < 2, Y = low ; X >= 2, Y = high)", "1 low; 2 high; 3 high");
    asked_close(a);
}

// ---- Intervals ----

#define MOST 5 // ends are 0..MOST seconds

static const char *const RELATIONS[] = {
    "before",     "after",  "meets",    "met_by",   "overlaps",    "overlapped_by", "starts",
    "started_by", "during", "contains", "finishes", "finished_by", "equals"};

// The relation by its definition over the instants of [s, e) and [t, u), as sets.
static int relation_of(int s, int e, int t, int u) {
    bool has[3] = {false}; // in both, in the first alone, in the second alone
    int first_both = -1, last_both = -1;
    for (int x = 0; x < MOST; x++) {
        bool i = s <= x && x < e, j = t <= x && x < u;
        has[0] |= i && j;
        has[1] |= i && !j;
        has[2] |= j && !i;
        if (i && j) {
            first_both = first_both < 0 ? x : first_both;
            last_both = x;
        }
    }
    if (!has[0])
        return s < t ? (e == t ? 2 : 0) : (u == s ? 3 : 1);
    if (!has[1] && !has[2])
        return 12;
    bool same_start = s == t && first_both == s, same_end = e == u && last_both == e - 1;
    if (!has[1])
        return same_start ? 6 : same_end ? 10 : 8;
    if (!has[2])
        return same_start ? 7 : same_end ? 11 : 9;
    return s < t ? 4 : 5;
}

static void exactly_one_of_allens_relations_holds(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    const char *rules = "";
    for (size_t i = 0; i < sizeof RELATIONS / sizeof *RELATIONS; i++)
        rules = arena_format(a->texts, "%sr(%s, I, J) :- %s(I, J).\n", rules, RELATIONS[i],
                             RELATIONS[i]);
    asked_load(a, rules);
    for (int s = 0; s < MOST; s++) {
        for (int e = s + 1; e <= MOST; e++) {
            for (int t = 0; t < MOST; t++) {
                for (int u = t + 1; u <= MOST; u++) {
                    const char *query = arena_format(
                        a->texts, "r(R, interval(%d, %d), interval(%d, %d))", s, e, t, u);
                    expect(a, query, RELATIONS[relation_of(s, e, t, u)]);
                }
            }
        }
    }
    asked_close(a);
}

// The seconds of an interval as a set of bits; 0: there was none.
static unsigned bits_of(const char *text) {
    double s, e;
    unsigned bits = 0;
    for (const char *at = text; (at = strstr(at, "interval(")); at++) {
        if (sscanf(at, "interval(%lf, %lf)", &s, &e) == 2) {
            for (int x = 0; x < 10; x++)
                bits |= s <= x && x < e ? 1u << x : 0;
        }
    }
    return bits;
}

static unsigned span(int s, int e) {
    unsigned bits = 0;
    for (int x = s; x < e; x++)
        bits |= 1u << x;
    return bits;
}

static void the_algebra_of_intervals_is_that_of_their_instants(void **state) {
    (void)state;
    asked *a = asked_open(9.999999999, NULL); // ten seconds, ends at 10 s
    for (int s = 0; s < MOST; s++) {
        for (int e = s + 1; e <= MOST; e++) {
            unsigned i = span(s, e);
            const char *one = arena_format(a->texts, "interval(%d, %d)", s, e);
            assert_int_equal(
                bits_of(asked_for(a, arena_format(a->texts, "complement(%s, K)", one))),
                1023u & ~i);
            expect(a, arena_format(a->texts, "duration(%s, D)", one),
                   arena_format(a->texts, "%d.0", e - s));
            for (int t = 0; t < MOST; t++) {
                for (int u = t + 1; u <= MOST; u++) {
                    unsigned j = span(t, u);
                    const char *two = arena_format(a->texts, "%s, interval(%d, %d)", one, t, u);
                    bool touch = e == t || u == s;
                    assert_int_equal(
                        bits_of(asked_for(a, arena_format(a->texts, "intersection(%s, K)", two))),
                        i & j);
                    assert_int_equal(
                        bits_of(asked_for(a, arena_format(a->texts, "union(%s, K)", two))),
                        (i & j) || touch ? i | j : 0);
                    expect(a, arena_format(a->texts, "intersects(%s)", two), i & j ? "yes" : "no");
                    int gap = t >= e ? t - e : s - u;
                    expect(a, arena_format(a->texts, "gap(%s, D)", two),
                           i & j ? "" : arena_format(a->texts, "%d.0", gap));
                }
            }
        }
    }
    asked_close(a);
}

static void lists_of_intervals_are_joined_and_inverted(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    expect(a, "coalesce([interval(0, 1), interval(1.2, 2), interval(5, 5.1)], 0.5, 0.5, S, E)",
           "0.0 2.0");
    expect(a, "uncovered([interval(1, 2), interval(1.5, 9)], S, E)", "0.0 1.0; 9.0 10.000000001");
    expect(a, "uncovered([], S, E), censored(E)", "0.0 10.000000001");
    asked_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_have_64_bits),
        cmocka_unit_test(floats_compare_by_value_and_stay_exact),
        cmocka_unit_test(equal_numbers_of_two_kinds_are_equal_but_join_nothing),
        cmocka_unit_test(texts_keep_every_letter),
        cmocka_unit_test(lists_and_terms_nest),
        cmocka_unit_test(disjunction_stands_anywhere),
        cmocka_unit_test(exactly_one_of_allens_relations_holds),
        cmocka_unit_test(the_algebra_of_intervals_is_that_of_their_instants),
        cmocka_unit_test(lists_of_intervals_are_joined_and_inverted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

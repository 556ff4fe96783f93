// tests/query/derive/test_cliffs.c - questions whose cost once grew with what they do not need: how
// many literals each tries, and that the answers are those of everything derived whole.
#include "tests/query/querylib.h"

static const char *answers_of(asked *home, const char *rules, const char *query, bool whole,
                              uint64_t *steps) {
    asked a = whole ? asked_whole(home) : asked_beside(home, NULL);
    asked_load(&a, rules);
    const char *got = asked_for(&a, query);
    *steps = engine_last_cost(a.engine).steps;
    engine_close(a.engine);
    return got;
}

// Fails where the question tries more literals than `most`.
static void expect_within(asked *home, const char *rules, const char *query, const char *expected,
                          uint64_t most) {
    uint64_t steps;
    const char *got = answers_of(home, rules, query, false, &steps);
    if (strcmp(got, expected) != 0)
        fail_msg("%s: %s instead of %s", query, got, expected);
    if (steps > most)
        fail_msg("%s tries %llu literals, more than %llu", query, (unsigned long long)steps,
                 (unsigned long long)most);
}

// Fails where deriving everything whole gives other answers.
static void expect_same(asked *home, const char *rules, const char *const *queries, size_t count) {
    uint64_t steps;
    for (size_t i = 0; i < count; i++) {
        const char *expected = answers_of(home, rules, queries[i], true, &steps);
        const char *got = answers_of(home, rules, queries[i], false, &steps);
        if (strcmp(got, expected) != 0)
            fail_msg("%s\n  whole: %s\n  got:   %s", queries[i], expected, got);
        if (strstr(got, "error") || strstr(got, "ERROR"))
            fail_msg("%s: %s", queries[i], got);
    }
}
#define COUNT(list) (sizeof(list) / sizeof *(list))

// ---- Existence ----

static void the_first_match_is_enough_where_no_later_goal_needs_it(void **state) {
    (void)state;
    asked *home = asked_open(10, NULL);
    const char *rules = "t(X) :- between(1, 300, X). a(X) :- t(X). b(X) :- t(X). c(X) :- t(X).\n"
                        "l(X, Y) :- t(X), Y = X + 1. l(X, Y) :- t(X), Y = X + 2.\n"
                        "hit(X) :- t(X), a(_), b(_), c(_).\n"
                        "some(yes) :- a(X), b(Y), c(Z), X != Y, Y != Z.\n"
                        "tied(X) :- t(X), a(Y), l(Y, Z), l(Z, W), c(W).\n"
                        "vain(X) :- t(X), a(Y), l(Y, Z), l(Z, W), W < 0.\n"
                        "far(X) :- t(X), l(X, Y), a(Z), b(W), Z + W > 10, c(Y).\n"
                        "out(X) :- t(X), not (a(Y), b(Z), c(W), Y + Z + W > 890).\n";
    const uint64_t derived = 10 * 300; // what is read by t, a, b, c and l
    static const char *const counted[][2] = {
        {"hit", "300"}, {"some", "1"}, {"tied", "300"}, {"vain", "0"}, {"far", "299"}};
    for (size_t i = 0; i < COUNT(counted); i++) {
        const char *query = arena_format(home->texts, "N = count { X : %s(X) }", counted[i][0]);
        expect_within(home, rules, query, counted[i][1], derived + 300 * 20);
    }
    expect_within(home, rules, "t(X), X < 3, a(_), b(_), c(_Any)", "1; 2", derived);
    expect_within(home, rules, "N = count { X : t(X), a(Y), b(Z), c(W), Y > 5, Z > 5, W > 5 }",
                  "300", derived + 300 * 20);
    asked_close(home);
}

static void answers_are_the_same_where_the_first_match_was_enough(void **state) {
    (void)state;
    asked *home = asked_open(20, NULL);
    const char *rules =
        "t(1). t(2). t(3). a(1, 2). a(1, 3). a(2, 3). a(4, 4). b(3, 1). b(3, 2). b(4, 5). c(5).\n"
        ":- temporal h on 2.\n"
        "h(X, interval(S, E)) :- a(X, S), E = S + 2. h(4, interval(6, 9)). h(4, interval(8, 12)).\n"
        "g(X, I) :- t(X), h(X, I), not h(4, I). g(X, I) :- h(X, I), a(X, _), b(_, X).\n"
        "one(X) :- t(X), a(X, Y), b(Y, _). two(X) :- t(X), a(_, Y), b(Y, Z), t(Z).\n"
        "three(X) :- t(X), a(Y, Z), c(W), W > Z, not b(Y, Z).\n"
        "four(f(X)) :- t(X), a(X, Y), N = count { Z : b(Y, Z) }, N > 0, c(_).\n"
        "five(Z) :- t(X), between(1, X, Y), a(Y, Z), c(_).\n"
        "six(N) :- a(X, _), N = max { Y : a(X, Y) }.\n"
        "r(X, Y) :- a(X, Y). r(X, Y) :- r(X, Z), b(Z, _), a(Y, _).\n";
    static const char *const queries[] = {
        "one(X)",
        "two(X)",
        "three(X)",
        "four(X)",
        "five(X)",
        "six(X)",
        "r(X, Y)",
        "g(X, interval(S, E))",
        "g(X, at(3))",
        "r(X, _), c(_)",
        "t(X), r(_, X), not r(X, _)",
        "t(X), h(Y, at(T)), a(T, _)",
        "t(X), N = count { Y : r(X, Y), b(_, _), c(_) }",
    };
    expect_same(home, rules, queries, COUNT(queries));
    asked_close(home);
}

// ---- Constants ----

// A tree of 2^11 leaves, and who is of the same generation.
static const char *const GENERATIONS =
    "up(X, P) :- between(2, 4095, X), P = int(floor(X / 2)).\n"
    "sg(1, 1). sg(X, Y) :- up(X, A), sg(A, B), up(Y, B).\n"
    "far(X, Y) :- up(X, _), up(Y, _), X + Y > 10.\n"
    "path(X, Y) :- up(X, Y). path(X, Y) :- path(X, Z), up(Z, Y).\n"
    "htap(X, Y) :- up(X, Y). htap(X, Y) :- up(X, Z), htap(Z, Y).\n";

static void a_constant_in_a_rule_narrows_as_one_in_a_query_does(void **state) {
    (void)state;
    static const char *const rules[] = {
        "q(yes) :- sg(2048, 4095).",
        "q(Y) :- sg(2048, Y), Y > 4093.",
        "q(N) :- N = count { Y : sg(2048, Y) }.",
        "q(yes) :- X = 2048, Z = X + 2047, sg(X, Z).",
        "q(yes) :- up(3, _), sg(2048, 4095), not sg(2048, 7).",
        "q(yes) :- r(2). r(X) :- X < 5, sg(2048, 4095). r(X) :- sg(4, 4), X = 3.",
        "q(Y) :- path(2048, Y), path(2050, Y).",
        "q(Y) :- htap(2048, Y), htap(2050, Y).",
        "q(yes) :- far(5, 6).",
    };
    static const char *const expected[] = {"yes",
                                           "4094; 4095",
                                           "2048",
                                           "yes",
                                           "yes",
                                           "yes",
                                           "1; 2; 4; 8; 16; 32; 64; 128; 256; 512",
                                           "1; 2; 4; 8; 16; 32; 64; 128; 256; 512",
                                           "yes"};
    asked *home = asked_open(10, NULL);
    for (size_t i = 0; i < COUNT(rules); i++) {
        const char *all = arena_format(home->texts, "%s%s", GENERATIONS, rules[i]);
        expect_within(home, all, "q(X)", expected[i], 100000); // sg holds for 5 million pairs
        expect_within(home, all, "up(4, _), q(X), X != none", expected[i], 100000);
    }
    asked_close(home);
}

static void answers_are_the_same_where_rules_ask_for_constants(void **state) {
    (void)state;
    asked *home = asked_open(20, NULL);
    const char *rules =
        "e(1, 2). e(2, 3). e(3, 1). e(3, 4). e(5, 5). e(4, f(4)). e(f(4), 6).\n"
        "s(X, Y) :- e(X, Z), e(Z, Y). s(X, Y) :- s(Y, X).\n"
        "k(a, X) :- e(X, _). k(b, X) :- e(_, X). k(c, X) :- k(a, X), not k(b, X).\n"
        "m(X) :- k(a, X), s(X, 3), not s(3, X). m(X) :- k(c, X).\n"
        "u(X) :- v(X, 1). v(X, Y) :- e(X, Y). v(X, Y) :- u(Z), e(Z, X), v(2, Y). v(X, 7) :- m(X).\n"
        "w(X) :- K = f(4), e(K, X). w(N) :- N = count { X : s(X, f(4)) }. w(N) :- s(1, N), v(3, "
        "N).\n"
        ":- temporal h on 2. :- split h on 1.\n"
        "h(b(X), interval(X, Y)) :- e(X, Y), X < 4. h(c(X), I) :- h(b(X), I), not h(b(2), I).\n"
        "h(d(X), I) :- h(c(1), I), h(b(X), I). h(d(X), I) :- h(d(3), I), e(X, _), X < 3.\n";
    static const char *const queries[] = {
        "m(X)",
        "u(X)",
        "v(X, Y)",
        "w(X)",
        "k(c, X)",
        "w(X), m(X)",
        "h(d(X), interval(S, E))",
        "h(c(X), at(2))",
        "not m(3), u(Y)",
        "u(3), v(2, Y), k(b, Y)",
        "h(X, at(1)), m(Y)",
    };
    expect_same(home, rules, queries, COUNT(queries));
    asked_close(home);
}

static void two_ends_of_a_closure_meet_on_either_side(void **state) {
    (void)state;
    asked *home = asked_open(10, NULL);
    const char *left = "e(X, Y) :- between(0, 1999, X), Y = X + 1.\n"
                       "p(X, Y) :- e(X, Y). p(X, Y) :- p(X, Z), e(Z, Y).",
               *right = "e(X, Y) :- between(0, 1999, X), Y = X + 1.\n"
                        "p(X, Y) :- e(X, Y). p(X, Y) :- e(X, Z), p(Z, Y).";
    static const char *const queries[][2] = {
        {"N = count { X : p(7, X), p(8, X) }", "1992"},
        {"N = count { X : p(X, 1990), p(X, 1991) }", "1990"},
        {"N = count { X : p(7, X), p(X, 1990) }", "1982"},
    };
    for (size_t i = 0; i < COUNT(queries); i++) {
        expect_within(home, left, queries[i][0], queries[i][1], 100000); // of 2 million pairs
        expect_within(home, right, queries[i][0], queries[i][1], 100000);
    }
    asked_close(home);
}

// ---- Aggregates ----

static void aggregates_and_negations_ask_for_the_keys_around_them(void **state) {
    (void)state;
    asked *home = asked_open(10, NULL);
    const char *rules = "e(X, Y) :- between(0, 1999, X), Y = X + 1. src(3). src(1000). src(1998).\n"
                        "many(X) :- e(X, _), X mod 100 = 0.\n"
                        "r(X, Y) :- e(X, Y). r(X, Y) :- e(X, Z), r(Z, Y).\n"
                        "l(X, Y) :- e(X, Y). l(X, Y) :- l(X, Z), e(Z, Y).\n"
                        "pair(X, Y) :- e(X, _), e(Y, _), X + Y > 3000.\n"
                        "c(X, N) :- src(X), N = count { Y : r(X, Y) }.\n"
                        "d(X) :- src(X), not (l(X, Y), Y > 1500, e(Y, _)).\n"
                        "m(X) :- many(X), 150 < count { Y : r(X, Y), Y > 1800 }.\n";
    static const char *const queries[][2] = {
        {"src(X), N = count { Y : r(X, Y) }", "3 1997; 1000 1000; 1998 2"},
        {"src(X), N = max { Y : l(X, Y) }", "3 2000; 1000 2000; 1998 2000"},
        {"src(X), N = count { Y : pair(X, Y) }", "3 0; 1000 0; 1998 997"},
        {"src(X), not (r(X, Y), Y < 1500)", "1998"},
        {"c(X, N)", "3 1997; 1000 1000; 1998 2"},
        {"c(1000, N)", "1000"},
        {"d(X)", ""},
        {"N = count { X : m(X) }", "19"},
    };
    for (size_t i = 0; i < COUNT(queries); i++) // of 2 million pairs
        expect_within(home, rules, queries[i][0], queries[i][1], 200000);
    asked_close(home);
}

static void answers_are_the_same_where_aggregates_ask_by_key(void **state) {
    (void)state;
    asked *home = asked_open(20, NULL);
    const char *rules =
        "e(1, 2). e(2, 3). e(3, 1). e(3, 4). e(5, 6). e(6, 7). s(1). s(4). s(5). s(9).\n"
        "r(X, Y) :- e(X, Y). r(X, Y) :- e(X, Z), r(Z, Y).\n"
        "j(X, Y) :- e(X, Z), e(Z, Y). n(X) :- e(X, _). n(Y) :- e(_, Y).\n"
        "a(X, N) :- s(X), N = count { Y : r(X, Y) }.\n"
        "b(X, N) :- s(X), N = count { Y : r(X, Y), not (j(Y, Z), s(Z), Z != X) }.\n"
        "c(X) :- s(X), count { Y : j(X, Y) } < 1, not (r(X, Y), r(Y, X)).\n"
        "d(X, L) :- n(X), L = list { Y : j(X, Y), M = max { Z : r(Y, Z) }, M > 3 }.\n"
        "w(1). w(Y) :- w(X), e(X, Y), N = count { Z : r(Y, Z) }, N > 1.\n"
        "v(X) :- s(X), not (w(Y), r(X, Y)). v(X) :- v(Y), e(Y, X), not (r(X, Z), w(Z)).\n"
        ":- temporal h on 2. h(X, interval(X, Y)) :- e(X, Y), X < Y.\n"
        "h(X, I) :- s(X), h(Y, I), e(Y, X), not (r(X, Z), j(Z, X)).\n"
        "f(X, N) :- s(X), N = sum { E - S : h(Y, interval(S, E)), r(X, Y) }.\n";
    static const char *const queries[] = {
        "a(X, N)",
        "b(X, N)",
        "c(X)",
        "d(X, L)",
        "w(X)",
        "v(X)",
        "f(X, N)",
        "n(X), N = count { Y : r(X, Y) }",
        "s(X), N = count { Y : j(X, Y) }",
        "n(X), not (r(X, Y), s(Y))",
        "a(1, N), b(1, M)",
        "s(X), N = count { Y : a(Y, M), r(Y, X), M > 1 }",
        "s(X), L = list { Y - N : r(X, Y), N = count { Z : r(Y, Z) } }",
        "X = 3, N = count { Y : r(X, Y) }, M = count { Y : r(Y, X) }",
    };
    expect_same(home, rules, queries, COUNT(queries));
    asked_close(home);
}

// ---- Instants ----

static void an_instant_narrows_what_is_derived(void **state) {
    (void)state;
    asked *home = asked_open(4000, NULL);
    // 300 things, each there for 10 s, and pairs that are there together.
    const char *rules =
        ":- temporal there on 2. :- temporal pair on 3. :- temporal alone on 2.\n"
        ":- temporal linked on 3. :- temporal held on 2.\n"
        "there(X, interval(S, E)) :- between(1, 300, X), S = X * 10.0, E = S + 40.\n"
        "pair(X, Y, T) :- there(X, T), there(Y, T), X != Y.\n"
        "alone(X, T) :- there(X, T), not pair(X, 7, T).\n"
        "linked(X, Y, T) :- pair(X, Y, T), X < Y.\n"
        "linked(X, Y, T) :- pair(X, Z, T), X < Z, linked(Z, Y, T).\n"
        "held(X, interval(S, E)) :- linked(X, _, interval(S, E)).\n";
    static const char *const queries[][2] = {
        {"pair(X, Y, at(100)), X < Y", "7 8; 7 9; 7 10; 8 9; 8 10; 9 10"},
        {"T = 100, pair(X, 8, at(T))", "100 7; 100 9; 100 10"},
        {"pair(X, 8, during(100, 105))", "7; 9; 10"},
        {"pair(X, 8, throughout(100, 115))", "9; 10"},
        {"N = count { X : held(X, at(100)) }", "3"},
        {"linked(X, Y, at(105))", "7 8; 7 9; 7 10; 8 9; 8 10; 9 10"},
        {"alone(X, at(2000))", "197; 198; 199; 200"},
        {"there(X, at(100)), not pair(X, 300, at(100))", "7; 8; 9; 10"},
    };
    for (size_t i = 0; i < COUNT(queries); i++) // 300 steps per rule for all that is there
        expect_within(home, rules, queries[i][0], queries[i][1], 3000);
    uint64_t all;
    answers_of(home, rules, "linked(X, Y, interval(S, E))", false, &all);
    assert_true(all > 5000);
    asked_close(home);
}

static void answers_are_the_same_at_an_instant(void **state) {
    (void)state;
    asked *home = asked_open(20, NULL);
    const char *rules =
        "span(a, 1, 4). span(a, 4, 6). span(b, 2, 8). span(c, 5, 9). span(a, 10, 12). span(c, 0, "
        "2).\n"
        "next(a, b). next(b, c). next(c, a). moment(3). moment(8). moment(10.5).\n"
        ":- split o on 1. :- temporal o on 2. :- temporal r on 2. :- temporal m on 2.\n"
        "o(base(X), interval(S, E)) :- span(X, S, E). o(base(d), interval(3, 7)). o(base(d), "
        "at(9)).\n"
        "o(near(X, Y), T) :- next(X, Y), o(base(X), T).\n"
        "o(near(X, Y), T) :- next(X, Z), o(near(Z, Y), T), o(base(X), T).\n"
        "o(long(X), interval(S, E)) :- o(base(X), interval(S, E)), E - S > 4.\n"
        "o(late(X), interval(E, end)) :- o(base(X), interval(_, E)).\n"
        "o(kept(X), interval(S, E)) :- o(base(X), interval(S, E)).\n"
        "o(odd(X), interval(E, S)) :- o(base(X), interval(S, E)).\n"
        "o(met(X, Y), interval(S, E)) :- o(base(X), interval(S, E)), o(base(Y), interval(S, _)).\n"
        "o(shifted(X), interval(A, B)) :- o(base(X), interval(S, E)), A = S + 1, B = E + 1.\n"
        "r(X, T) :- o(base(X), T), not o(base(b), T). r(X, T) :- next(X, Y), r(Y, T).\n"
        "r(X, T) :- o(base(X), T), T > 3, T =< 7.\n"
        "m(X, T) :- o(near(X, _), T), not r(X, T), not o(long(X), at(5)).\n"
        "m(X, T) :- next(X, Y), o(base(Y), at(3)), o(base(X), T).\n";
    static const char *const goals[] = {"o(O, %s)",
                                        "r(X, %s)",
                                        "m(X, %s)",
                                        "o(near(a, Y), %s)",
                                        "o(met(X, Y), %s)",
                                        "next(X, _), not r(X, %s)",
                                        "next(X, Y), r(X, %s), not o(near(X, Y), %s)",
                                        "N = count { O : o(O, %s) }"};
    static const char *const times[] = {"at(start)",
                                        "at(0)",
                                        "at(1)",
                                        "at(4)",
                                        "at(5.5)",
                                        "at(8)",
                                        "at(9)",
                                        "at(end)",
                                        "at(-1)",
                                        "at(100)",
                                        "during(2, 2)",
                                        "during(3, 5)",
                                        "during(9, 4)",
                                        "throughout(5, 6)",
                                        "throughout(4, 4)",
                                        "throughout(3, 30)",
                                        "during(-5, 1)"};
    for (size_t g = 0; g < COUNT(goals); g++) {
        for (size_t t = 0; t < COUNT(times); t++) {
            const char *query = arena_format(home->texts, goals[g], times[t], times[t]);
            expect_same(home, rules, &query, 1);
        }
    }
    static const char *const queries[] = {
        "moment(T), o(O, at(T))",
        "T = 3 + 2, r(X, at(T)), o(O, at(T))",
        "o(O, at(3)), o(O, at(8))",
        "o(O, at(3)), o(O, interval(S, E))",
        "o(base(X), interval(S, E)), S =< 4, E > 4, o(long(X), at(4))",
        "o(O, T), T = 4",
        "r(X, T), T >= 4, T < 5",
        "m(X, at(4)), m(X, at(11)), r(X, at(5))",
    };
    expect_same(home, rules, queries, COUNT(queries));
    asked_close(home);
}

// ---- Instants that goals give ----

#define PAIRS                                                                                      \
    ":- temporal held on 2. :- temporal pair on 3. :- temporal bare on 2. :- temporal led on 2.\n" \
    "held(X, interval(S, E)) :- between(1, 200, X), S = X, E = X + 40.\n"                          \
    "pair(X, Y, T) :- held(X, T), held(Y, T).\n"                                                   \
    "bare(X, T) :- held(X, T), not pair(X, 60, T).\n"                                              \
    "chosen(100). chosen(101). event(X, S) :- held(X, interval(S, _E)).\n"                         \
    "later(X, S) :- event(X, S0), S = S0 + 1, bare(X, at(S)).\n"                                   \
    "led(1, T) :- held(1, T). led(Y, T) :- led(X, at(S)), Y = X + 1, held(Y, interval(S, _E)), "   \
    "held(Y, T).\n"

static void an_instant_that_a_goal_gives_narrows_what_is_derived(void **state) {
    (void)state;
    asked *home = asked_open(250, NULL);
    const char *one = "N = count { X, Y : pair(X, Y, at(100)) }";
    uint64_t most;
    answers_of(home, PAIRS, one, false, &most);
    static const char *const same[] = {
        "T = end - 150, N = count { X, Y : pair(X, Y, at(T)) }",
        "N = count { X, Y : T = end - 150, pair(X, Y, at(T)) }",
        "chosen(T), T < 101, N = count { X, Y : pair(X, Y, at(T)) }",
        "N = count { X, Y : pair(X, Y, at(T)), chosen(T), T < 101 }",
        "N = count { X, Y : chosen(T), T < 101, pair(X, Y, at(T + 0)) }",
        "N = count { X, Y : event(100, T), pair(X, Y, during(T, T)) }"};
    for (size_t i = 0; i < COUNT(same); i++) {
        const char *query = arena_format(home->texts, "%s, M = N.", same[i]);
        uint64_t steps;
        const char *got = answers_of(home, PAIRS, query, false, &steps);
        if (!strstr(got, "1600"))
            fail_msg("%s: %s", query, got);
        if (steps > 2 * most + 2000)
            fail_msg("%s tries %llu literals, asked at 100 directly %llu", query,
                     (unsigned long long)steps, (unsigned long long)most);
    }
    asked_close(home);
}

static void windows_change_no_answer(void **state) {
    (void)state;
    asked *home = asked_open(250, NULL);
    static const char *const queries[] = {
        "chosen(T), pair(X, Y, at(T)), X < 70",
        "chosen(T), bare(X, at(T))",
        "event(X, S), X < 12, pair(X, Y, at(S))",           // a few windows
        "event(X, S), N = count { Y : pair(X, Y, at(S)) }", // too many
        "chosen(T), U = T + 20, pair(X, Y, throughout(T, U))",
        "chosen(T), U = T + 39, pair(X, Y, during(T, U)), X > 120",
        "chosen(T), U = T - 5, pair(X, Y, during(T, U))",
        "event(X, S), X < 9, chosen(T), pair(X, Y, throughout(S, T))",
        "chosen(T), held(X, interval(S, E)), not pair(X, 70, at(T))",
        "chosen(T), held(X, interval(S, E)), not pair(X, 70, during(S, T))",
        "event(X, S), S > 190, not bare(X, at(S))",
        "chosen(T), later(X, S), pair(X, Y, at(T)), pair(X, Y, at(S)), Y < 70",
        "chosen(T), led(X, at(T))",
        "X = foo, held(Y, at(X))",
        "chosen(T), U = T - 400, pair(X, Y, at(U))",
        "in(T) = in(100), pair(X, Y, at(T)), Y = 61",
    };
    expect_same(home, PAIRS, queries, COUNT(queries));
    asked_close(home);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_match_is_enough_where_no_later_goal_needs_it),
        cmocka_unit_test(answers_are_the_same_where_the_first_match_was_enough),
        cmocka_unit_test(a_constant_in_a_rule_narrows_as_one_in_a_query_does),
        cmocka_unit_test(answers_are_the_same_where_rules_ask_for_constants),
        cmocka_unit_test(two_ends_of_a_closure_meet_on_either_side),
        cmocka_unit_test(aggregates_and_negations_ask_for_the_keys_around_them),
        cmocka_unit_test(answers_are_the_same_where_aggregates_ask_by_key),
        cmocka_unit_test(an_instant_narrows_what_is_derived),
        cmocka_unit_test(answers_are_the_same_at_an_instant),
        cmocka_unit_test(an_instant_that_a_goal_gives_narrows_what_is_derived),
        cmocka_unit_test(windows_change_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// tests/query/language/test_time.c - time specifications, intervals, and what numbers mean where
// times are.
#include "tests/query/querylib.h"

static const char OCCASIONS[] =
    ":- temporal on on 2.\n"
    "on(a, interval(2, 5)). on(a, interval(5, 8)). on(a, interval(9, 10)).\n"
    "on(b, interval(4, 9.5)).\n"
    "on(c, interval(0, end)). on(c, at(end)).\n";

static void pieces_merge_to_maximal_intervals(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, OCCASIONS);
    expect(a, "on(a, interval(S, E))", "2.0 8.0; 9.0 10.0");
    expect(a, "on(a, throughout(S, E))", "2.0 8.0; 9.0 10.0");
    expect(a, "on(X, interval(2, E))", "a 8.0");
    expect(a, "on(X, interval(S, 8))", "a 2.0");
    expect(a, "on(c, interval(S, E)), censored(E)", "0.0 10.000000001");
    expect(a, "on(X, interval(S, E)), not censored(E)", "a 2.0 8.0; a 9.0 10.0; b 4.0 9.5");
    asked_close(a);
}

static void specifications_mean_what_they_say(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, OCCASIONS);
    // half-open
    expect(a, "on(a, at(2))", "yes");
    expect(a, "on(a, at(1.999))", "no");
    expect(a, "on(a, at(7.999999999))", "yes");
    expect(a, "on(a, 8)", "no");
    expect(a, "on(X, at(end))", "c");
    expect(a, "on(X, start)", "c");
    // throughout
    expect(a, "on(a, throughout(2, 8))", "yes");
    expect(a, "on(a, throughout(4, 6))", "yes");
    expect(a, "on(a, throughout(2, 8.001))", "no");
    expect(a, "on(a, throughout(7, 9.5))", "no");
    // during: it meets [A, B)
    expect(a, "on(a, during(0, 2))", "no");
    expect(a, "on(a, during(0, 2.001))", "yes");
    expect(a, "on(a, during(8, 9))", "no");
    expect(a, "on(a, during(7.9, 9))", "yes");
    expect(a, "on(a, during(2, 2))", "yes");
    expect(a, "on(a, during(8, 8))", "no");
    expect(a, "on(X, during(0, 1))", "c");
    // under negation
    expect(a, "not on(a, at(8))", "yes");
    expect(a, "not on(a, throughout(3, 9))", "yes");
    expect(a, "not on(a, during(8, 9))", "yes");
    expect(a, "not on(a, during(8, 9.1))", "no");
    expect(a, "not on(_, at(1)), X = 1", "");
    expect(a, "not on(a, interval(2, 8))", "no");
    expect(a, "not on(a, interval(2, 7))", "yes");
    // arithmetic in times
    expect(a, "on(a, interval(_, E)), on(X, at(E + 0.5)), E < 9", "8.0 b; 8.0 c");
    asked_close(a);
}

static void instants_are_never_enumerated(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, OCCASIONS);
    const char *said = "would enumerate instants; bind it, or ask for interval(S, E)";
    assert_non_null(strstr(asked_for(a, "on(a, T)"), said));
    assert_non_null(strstr(asked_for(a, "on(a, at(T))"), said));
    assert_non_null(strstr(asked_for(a, "on(a, throughout(2, T))"), said));
    assert_non_null(strstr(asked_for(a, "on(a, during(2, T))"), said));
    assert_non_null(strstr(asked_for(a, "on(a, T), T > 3"), said));
    expect(a, "member(T, [3, 8.5, 9.5]), on(a, T)", "3; 9.5");
    asked_close(a);
    expect_wrong(":- temporal on on 2. on(a, interval(0, 1)). first(T) :- on(a, T), T > 3, p(1). "
                 "p(1). q :- first(X), X > 3.",
                 "argument 1 of first/1 must be bound; nothing binds X");
    expect_wrong(":- temporal on on 2. on(a, interval(0, 1)). x(A, B) :- on(a, throughout(A, B)), "
                 "on(b, throughout(A, B)).",
                 "share the ends of an unbound throughout");
    expect_wrong(":- temporal on on 2. on(a, interval(0, 1)). x :- on(a, sometimes).",
                 "this is not a time");
    expect_wrong(":- temporal on on 2. on(a, during(0, 1)).", "a head holds at");
}

static void instant_variables_intersect_subtract_and_unite(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, OCCASIONS);
    asked_load(a, ":- temporal r on 2.\n:- split r on 1.\n"
                  "r(both, T) :- on(a, T), on(b, T).\n"
                  "r(either, T) :- on(a, T). r(either, T) :- on(b, T).\n"
                  "r(only, T) :- on(a, T), not on(b, T).\n"
                  "r(neither, T) :- not on(a, T), not on(b, T).\n"
                  "r(late, T) :- on(a, T), T > 6, T =< 9.5.\n"
                  "r(any, at(T)) :- on(_, at(T)).\n"
                  "r(gap, T) :- on(c, T), not r(either, T), 3 < T.\n");
    expect(a, "r(both, interval(S, E))", "4.0 8.0; 9.0 9.5");
    expect(a, "r(either, interval(S, E))", "2.0 10.0");
    expect(a, "r(only, interval(S, E))", "2.0 4.0; 9.5 10.0");
    expect(a, "r(neither, interval(S, E))", "0.0 2.0; 10.0 10.000000001");
    expect(a, "r(late, interval(S, E))", "6.000000001 8.0; 9.0 9.500000001");
    expect(a, "r(any, interval(S, E))", "0.0 10.000000001");
    expect(a, "r(gap, interval(S, E))", "10.0 10.000000001");
    asked_close(a);
}

static void recursion_runs_over_instants(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a,
               ":- split holds on 1.\n:- temporal holds on 2.\n"
               "holds(on(cup, tray), interval(1, 6)). holds(on(tray, table), interval(0, 4)).\n"
               "holds(on(tray, table), interval(5, 9)). holds(on(spoon, cup), interval(3, 10)).\n"
               "holds(over(X, Y), T) :- holds(on(X, Y), T).\n"
               "holds(over(X, Y), T) :- holds(on(X, Z), T), holds(over(Z, Y), T).\n"
               ":- temporal held on 2.\n"
               "held(X, interval(0, 1)) :- holds(on(X, _), interval(_, _)).\n"
               "held(X, interval(S, S + 2)) :- step(S), held(X, throughout(S - 1, S)).\n"
               "step(S) :- between(1, 6, S).\n");
    expect(a, "holds(over(X, table), interval(S, E))",
           "cup 1.0 4.0; cup 5.0 6.0; spoon 3.0 4.0; spoon 5.0 6.0; tray 0.0 4.0; tray 5.0 9.0");
    expect(a, "holds(over(spoon, Y), at(3.5))", "cup; table; tray");
    expect(a, "holds(O, at(9.5))", "on(spoon, cup); over(spoon, cup)");
    // throughout within recursion sees what the rounds before have merged
    expect(a, "held(cup, interval(S, E))", "0.0 8.0");
    asked_close(a);
}

static void a_believed_goal_is_compared_over_time(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, ":- split hw on 1. :- temporal hw on 2. :- split hb on 1. :- temporal hb on 2.\n"
                  "hb(on(cup, table), interval(1, 8)). hb(held(cup), interval(0, 1)). "
                  "hb(lost(cup), interval(3, 4)).\n"
                  "hw(on(cup, table), interval(1, 5)). hw(held(cup), interval(0, 2)). "
                  "hw(dirty(cup), interval(0, 9)).\n"
                  ":- temporal wrong on 2.\n"
                  "wrong(O, T) :- hb(O, T), not hw(O, T).\n"
                  "goal(on(cup, table)). goal(held(cup)). goal(open(door)).\n"
                  "missed(G) :- goal(G), not hw(G, at(4)).\n");
    expect(a, "wrong(O, interval(S, E))", "lost(cup) 3.0 4.0; on(cup, table) 5.0 8.0");
    expect(a, "missed(G)", "held(cup); open(door)");
    expect(a, "hw(O, during(6, 7))", "dirty(cup)");
    asked_close(a);
}

static void pointwise_occasions_need_an_instant(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, ":- split holds on 1. :- temporal holds on 2. :- pointwise holds(age/2).\n"
                  "holds(lit(lamp), interval(2, 4)).\n"
                  "born(x, 1). born(y, 3).\n"
                  "holds(age(X, A), T) :- born(X, B), A = seconds(T) - B, A >= 0.\n");
    expect(a, "holds(age(X, A), at(4))", "x 3.0; y 1.0");
    expect(a, "holds(age(X, A), 2)", "x 1.0");
    expect(a, "holds(lit(lamp), interval(S, _)), holds(age(x, A), S)", "2.0 1.0");
    assert_non_null(strstr(asked_for(a, "holds(age(x, A), T)"), "would enumerate instants"));
    assert_non_null(
        strstr(asked_for(a, "holds(age(x, A), throughout(1, 2))"), "is a function of time"));
    asked_close(a);
}

static void instants_take_specifications_in_queries(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, ":- split occurs on 1. :- instant occurs on 2.\n"
                  "occurs(drop(cup), 8.304). occurs(drop(plate), 3). occurs(bump, T + 1) :- "
                  "occurs(drop(cup), T).\n"
                  ":- declare seen(what: any, at: time).\nseen(a, 1.5). seen(b, 8.304).\n");
    expect(a, "occurs(drop(X), T)", "cup 8.304; plate 3.0");
    expect(a, "occurs(E, during(3, 8.304))", "drop(plate)");
    expect(a, "occurs(E, during(3, 8.305))", "drop(cup); drop(plate)");
    expect(a, "occurs(E, at(8.304))", "drop(cup)");
    expect(a, "occurs(E, during(3, 3))", "drop(plate)");
    expect(a, "occurs(bump, T)", "9.304");
    expect(a, "not occurs(bump, during(9.31, 10))", "yes");
    expect(a, "not occurs(bump, during(9.3, 10))", "no");
    expect(a, "occurs(drop(X), T), not occurs(bump, during(T, T + 2))", "plate 3.0");
    // a number written is the instant that rounds to it, to the millisecond or finer
    expect(a, "occurs(E, 8.304)", "drop(cup)");
    expect(a, "occurs(E, 8.3044)", "");
    expect(a, "occurs(E, 8)", "");
    expect(a, "occurs(E, 3)", "drop(plate)");
    expect(a, "occurs(E, T), seen(X, T)", "drop(cup) 8.304 b");
    expect(a, "member(T, [8.304, 1]), occurs(E, T)", "8.304 drop(cup)");
    expect(a, "occurs(E, T), T = 8.304", "drop(cup) 8.304");
    asked_close(a);
    a = asked_open(10,
                   "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body');"
                   "INSERT INTO agent (id, episode, name) VALUES (1, 1, 'r');"
                   "INSERT INTO task (id, episode, agent, construct, start_ns, status) VALUES"
                   " (1, 1, 1, 'seq', 1666666667, 'done'), (2, 1, 1, 'seq', 1666000000, 'done');");
    expect(a, "task_start(T, S)", "1 1.666666667; 2 1.666");
    expect(a, "task_start(T, 1.667)", "1");
    expect(a, "task_start(T, 1.6666667)", "1");
    expect(a, "task_start(T, 1.666)", "2");
    expect(a, "task_end(T, E), censored(E)", "1 10.000000001; 2 10.000000001");
    asked_close(a);
}

static void times_and_numbers_compute(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, ":- temporal on on 2. on(a, interval(2, 5)).\n");
    expect(a, "on(a, interval(S, E)), D = E - S, T = S + 0.5, U = E - 1, S < 3, E >= 5, S = 2",
           "2.0 5.0 3.0 2.5 4.0");
    expect(a, "on(a, interval(S, E)), is_time(S), not is_number(S), X = seconds(S), is_number(X)",
           "2.0 5.0 2.0");
    expect(a, "on(a, interval(S, E)), M = min(E, end), N = max(S, 4)", "2.0 5.0 5.0 4.0");
    expect(a, "on(a, interval(S, _)), S < end, S > start", "2.0");
    asked_close(a);
}

// Every relation against every pair of intervals over a few instants, by its own definition.
static bool allen(const char *r, int a, int b, int c, int d) {
    if (strcmp(r, "before") == 0)
        return b < c;
    if (strcmp(r, "after") == 0)
        return d < a;
    if (strcmp(r, "meets") == 0)
        return b == c;
    if (strcmp(r, "met_by") == 0)
        return a == d;
    if (strcmp(r, "overlaps") == 0)
        return a < c && c < b && b < d;
    if (strcmp(r, "overlapped_by") == 0)
        return c < a && a < d && d < b;
    if (strcmp(r, "starts") == 0)
        return a == c && b < d;
    if (strcmp(r, "started_by") == 0)
        return a == c && b > d;
    if (strcmp(r, "during") == 0)
        return a > c && b < d;
    if (strcmp(r, "contains") == 0)
        return a < c && b > d;
    if (strcmp(r, "finishes") == 0)
        return b == d && a > c;
    if (strcmp(r, "finished_by") == 0)
        return b == d && a < c;
    return a == c && b == d;
}

static void allens_relations_are_exclusive_and_complete(void **state) {
    (void)state;
    static const char *const relations[] = {
        "before",     "after",  "meets",    "met_by",   "overlaps",    "overlapped_by", "starts",
        "started_by", "during", "contains", "finishes", "finished_by", "equals"};
    asked *a = asked_open(10, NULL);
    asked_load(a, "i(A, B) :- between(1, 4, A), between(1, 5, B), A < B.\n"
                  "pair(A, B, C, D) :- i(A, B), i(C, D).\n");
    int total = 0;
    for (size_t r = 0; r < 13; r++) {
        char query[200];
        snprintf(query, sizeof query, "pair(A, B, C, D), %s(interval(A, B), interval(C, D))",
                 relations[r]);
        const char *got = asked_for(a, query), *expected = "";
        for (int i = 0; i < 5 * 5 * 5 * 5; i++) {
            int p = 1 + i / 125, q = 1 + i / 25 % 5, s = 1 + i / 5 % 5, t = 1 + i % 5;
            if (p > 4 || s > 4 || p >= q || s >= t || !allen(relations[r], p, q, s, t))
                continue;
            expected = arena_format(a->texts, "%s%s%d %d %d %d", expected, *expected ? "; " : "", p,
                                    q, s, t);
            total++;
        }
        assert_string_equal(got, expected);
    }
    assert_int_equal(total, 10 * 10);
    asked_close(a);
}

static void intervals_are_combined(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    expect(a, "intersection(interval(1, 5), interval(3, 8), interval(S, E))", "3.0 5.0");
    expect(a, "intersection(interval(1, 3), interval(3, 8), K)", "");
    expect(a, "union(interval(1, 3), interval(3, 8), interval(S, E))", "1.0 8.0");
    expect(a, "union(interval(1, 2), interval(3, 8), K)", "");
    expect(a, "complement(interval(1, 3), interval(S, E))", "0.0 1.0; 3.0 10.000000001");
    expect(a, "complement(interval(start, 3), interval(S, E))", "3.0 10.000000001");
    expect(a, "gap(interval(1, 3), interval(5, 8), D), gap(interval(5, 8), interval(1, 3), D)",
           "2.0");
    expect(a, "gap(interval(1, 6), interval(5, 8), D)", "");
    expect(a, "duration(interval(1, 3.5), D)", "2.5");
    expect(a, "duration(interval(1, 3), 2)", "yes");
    expect(a,
           "intersects(interval(1, 3), interval(2, 8)), not intersects(interval(1, 2), interval(2, "
           "8))",
           "yes");
    expect(a,
           "L = [interval(1, 2), interval(2.1, 3), interval(5, 5.01)], coalesce(L, 0.2, 0.5, S, E)",
           "[interval(1, 2), interval(2.1, 3), interval(5, 5.01)] 1.0 3.0");
    expect(a, "uncovered([interval(1, 2), interval(4, 20)], S, E)", "0.0 1.0; 2.0 4.0");
    expect(a, "I = interval(1, 3), J = interval(2, 8), overlaps(I, J)",
           "interval(1, 3) interval(2, 8)");
    asked_close(a);
}

static void an_aggregate_may_give_the_instant_of_a_head(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, ":- declare p(a: any, t: time) \"x\".\n:- temporal h on 2.\n"
                  "p(1, 2). p(3, 2). p(4, 5).\n"
                  "h(N, at(T)) :- N = count { X : p(X, T) }.\n");
    expect(a, "h(N, interval(S, _))", "1 5.0; 2 2.0");
    asked_close(a);
}

static void an_instant_that_the_head_has_not_is_some_instant(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, ":- temporal h on 2. :- split h on 1.\n"
                  "h(a(x), interval(0, 3)). h(a(x), interval(3, 5)). h(a(y), interval(6, 8)).\n"
                  "h(b(x), interval(4, 7)). h(b(y), interval(8, 9)). h(c(x), interval(4, 5)).\n"
                  "both(O) :- h(a(O), T), h(b(O), T).\n"
                  "late(O) :- h(a(O), T), T > 5.\n"
                  "alone(O) :- h(a(O), T), h(b(O), T), not h(c(O), T).\n"
                  "never(O) :- h(a(O), _), not (h(a(O), T), h(b(O), T)).\n"
                  "meet(O, P) :- h(a(O), T), h(b(P), T).\n"
                  "count_of(N) :- N = count { O : h(a(O), T), h(b(O), T) }.\n"
                  "chain(O) :- meet(_, O). chain(P) :- chain(O), h(a(O), T), h(b(P), T).\n");
    expect(a, "both(O)", "x");
    expect(a, "both(y)", "no");
    expect(a, "late(O)", "y");
    expect(a, "alone(O)", "");
    expect(a, "never(O)", "y");
    expect(a, "meet(O, P)", "x x; y x");
    expect(a, "count_of(N)", "1");
    expect(a, "chain(O)", "x");
    expect(a, "h(a(O), _)", "x; y");
    expect(a, "h(a(O), _T), h(b(O), _T)", "x");
    expect(a, "h(b(O), _T), h(a(O), _T)", "x");
    expect(a, "h(a(O), _T), not h(b(_), _T)", "x; y");
    // The last instant of [6, 8) lies before 8.
    expect(a, "h(a(O), _T), _T >= 7.999999999", "y");
    expect(a, "h(a(O), _T), _T >= 8", "");
    expect(a, "h(O, _T), _T > 8.5", "b(y)");
    assert_non_null(strstr(asked_for(a, "h(a(O), at(_T))"), "would enumerate instants"));
    // An answer would have to name instants; two of them are not asked about in one clause.
    assert_non_null(strstr(asked_for(a, "h(a(O), T), h(b(O), T)"), "T would enumerate instants"));
    assert_non_null(strstr(asked_for(a, "h(a(O), _T), h(b(P), _U)"), "would enumerate instants"));
    asked_close(a);
}

static void an_empty_interval_holds_no_instant(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    expect(a, "complement(interval(9, 2), K)", "interval(0.0, 10.000000001)");
    expect(a, "complement(interval(4, 4), K)", "interval(0.0, 10.000000001)");
    expect(a, "intersection(interval(1, 9), interval(4, 4), K)", "");
    expect(a, "intersects(interval(4, 4), interval(2, 5))", "no");
    expect(a, "S = 4, intersects(interval(S, 4), interval(2, S + 1))", "");
    expect(a, "duration(interval(9, 2), D)", "0.0");
    expect(a, "gap(interval(1, 9), interval(4, 4), D)", "");
    expect(a, "union(interval(1, 9), interval(9, 2), K)", "");
    expect(a, "uncovered([interval(9, 2), interval(4, 4)], S, E)", "0.0 10.000000001");
    asked_close(a);
}

// Of a goal and its negation exactly one holds, whatever kinds of numbers meet.
static void a_number_is_an_instant_under_a_negation_too(void **state) {
    (void)state;
    asked *a = asked_open(10, "INSERT INTO agent (id, episode, name) VALUES (1, 1, 'r');"
                              "INSERT INTO task (id, episode, agent, construct, start_ns, status) "
                              "VALUES (6, 1, 1, 'seq', 0, 'done'), (7, 1, 1, 'seq', 2500400000, "
                              "'done');");
    asked_load(a, "w(0). w(1). w(cup).\n"
                  ":- declare dt(x: time).\ndt(0). dt(5).\n"
                  ":- instant ev on 2.\nev(a, 0). ev(a, 7).\n"
                  ":- temporal h on 2.\nh(T, interval(T, 9)) :- dt(T).\n"
                  ":- temporal g on 2.\ng(W, interval(1, 9)) :- w(W).\n");
    expect(a, "w(X), task_start(6, X)", "0.0");
    expect(a, "w(X), not task_start(6, X)", "1; cup");
    expect(a, "not task_start(6, 0)", "no");
    expect(a, "X = 0, not task_start(6, X)", "");
    expect(a, "w(X), not dt(X)", "1; cup");
    expect(a, "w(X), not ev(a, X)", "1; cup");
    expect(a, "w(X), not ev(a, at(X))", "1; cup");
    expect(a, "w(X), not ev(_, X)", "1; cup");
    expect(a, "w(X), not (task_start(6, T), T = X)", "1; cup");
    expect(a, "w(X), not (task_start(6, X) ; dt(X))", "1; cup");
    expect(a, "w(X), not (task_start(6, X) ; X = 1)", "cup");
    // The rows are numbers, and what is asked about is an instant.
    expect(a, "dt(T), w(T)", "0.0");
    expect(a, "dt(T), not w(T)", "5.0");
    expect(a, "dt(T), not (w(T), true)", "5.0");
    expect(a, "N = count { T : dt(T), not w(T) }", "1");
    expect(a, "dt(T), N = count { X : w(X), X = T }", "0.0 1; 5.0 0");
    // A constant is rounded to as a positive goal rounds to it.
    expect(a, "task_start(7, 2.5)", "yes");
    expect(a, "not task_start(7, 2.5)", "no");
    expect(a, "not task_start(7, 2.5001)", "yes");
    // Keys of what holds over time.
    expect(a, "w(X), h(X, at(6))", "0.0");
    expect(a, "w(X), not h(X, at(6))", "1; cup");
    expect(a, "w(X), not h(X, interval(0, 9))", "1; cup");
    expect(a, "dt(T), g(T, at(6))", "0.0");
    expect(a, "dt(T), not g(T, at(6))", "5.0");
    expect(a, "dt(T), not g(T, during(0, 1))", "0.0; 5.0");
    expect(a, "dt(T), not g(T, interval(1, 9))", "5.0");
    // Items of a list of instants are some.
    asked_load(a, "times(L) :- L = list { T : dt(T) }.\n");
    expect(a, "times(L), w(X), member(X, L)", "[0.0, 5.0] 0.0");
    expect(a, "times(L), w(X), not member(X, L)", "[0.0, 5.0] 1; [0.0, 5.0] cup");
    expect(a, "times(L), w(X), reverse(L, R), sort(R, S), not (member(X, S), true), L = S",
           "[0.0, 5.0] 1 [5.0, 0.0] [0.0, 5.0]; [0.0, 5.0] cup [5.0, 0.0] [0.0, 5.0]");
    asked_close(a);
}

static void what_only_callers_bind_is_an_instant_where_it_is_declared(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "w(3). w(4). w(a). :- declare dt(x: time). dt(3). dt(5).\n"
                  ":- temporal h on 2. h(3, interval(0, 9)).\n"
                  ":- declare un(t: time). un(T) :- not w(T).\n"
                  ":- declare both(t: time). both(T) :- not (w(T), w(T)).\n"
                  ":- declare eq(t: time). eq(T) :- not (w(X), X = T).\n"
                  ":- declare through(t: time). through(T) :- un(T).\n"
                  ":- declare twice(t: time). twice(T) :- not un(T).\n"
                  ":- declare at(t: time). at(T) :- not h(T, at(1)).\n"
                  ":- declare ever(t: time). ever(T) :- not h(T, _).\n"
                  ":- declare many(t: time, n: int). many(T, N) :- N = count { 1 : w(T) }.\n");
    static const char *const helpers[] = {"un", "both", "eq", "through", "at", "ever"};
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
        expect(a, arena_format(a->texts, "dt(T), %s(T)", helpers[i]), "5.0");
        expect(a, arena_format(a->texts, "dt(T), not %s(T)", helpers[i]), "3.0");
        expect(a, arena_format(a->texts, "%s(3)", helpers[i]), "no");
        expect(a, arena_format(a->texts, "%s(4.5)", helpers[i]), "yes");
    }
    expect(a, "dt(T), twice(T)", "3.0");
    expect(a, "dt(T), many(T, N)", "3.0 1");
    expect(a, "member(X, [3, 7]), un(X)", "7.0");
    expect(a, "member(X, [3, 7]), not un(X)", "3");
    asked_close(a);
}

static void a_negation_may_leave_the_time_open(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a,
               ":- temporal h on 2. h(a, interval(1, 3)). h(b, at(7)).\n"
               ":- temporal g on 2. g(c, interval(0, 2)).\n"
               "w(a). w(b). w(c).\n"
               "never(X) :- w(X), not h(X, _).\n"
               ":- temporal k on 2. k(X, T) :- h(X, T), not g(X, _When). k(X, T) :- g(X, T), not "
               "h(z, _).\n");
    expect(a, "never(X)", "c");
    expect(a, "w(X), not h(X, at(_))", "c");
    expect(a, "w(X), not h(X, during(_, _))", "c");
    expect(a, "w(X), not h(X, throughout(_S, _E))", "c");
    expect(a, "w(X), not h(X, interval(_, _))", "c");
    expect(a, "w(X), not (h(X, _), w(X))", "c");
    expect(a, "w(X), N = count { 1 : not h(X, _) }", "a 0; b 0; c 1");
    expect(a, "not h(_, _)", "no");
    expect(a, "not h(_, _T), not g(z, _T)", "no");
    expect(a, "k(X, interval(S, E))", "a 1.0 3.0; b 7.0 7.000000001; c 0.0 2.0");
    // An instant that is said more of is none of these.
    expect(a, "h(X, _T), not g(_, _T)", "a; b");
    expect(a, "w(X), _T = 7, not h(X, _T)", "a; c");
    // What holds throughout is one thing, not several in turn, whatever else is asked of it.
    asked_load(a, ":- temporal r on 3. r(3, x, interval(1, 5)). r(3, y, interval(4, 9)).\n"
                  ":- declare t(x: time). t(3).\n");
    expect(a, "not r(3, _, throughout(1, 9))", "yes");
    expect(a, "X = 2, not r(X + 1, _, throughout(1, 9))", "2");
    expect(a, "X = 2, not r(X + 1, _, throughout(1, 5))", "");
    expect(a, "X = 2, not r(X + 1, _, during(0, 2))", "");
    expect(a, "t(X), not r(X, _, throughout(1, 9))", "3.0");
    expect(a, "t(X), not r(X, _, throughout(4, 9))", "");
    expect(a, "t(X), not r(X, _, at(8))", "");
    assert_non_null(strstr(asked_for(a, "w(X), not h(X, T)"), "T would enumerate instants"));
    assert_non_null(strstr(asked_for(a, "w(X), not h(X, during(1, _))"), "_ would enumerate"));
    asked_close(a);
}

static void start_and_end_are_instants_but_among_what_has_no_time(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "word(end). word(a). many(10). many(3). last(X) :- X = end. has(X) :- word(X). "
                  "both(X) :- X = start ; X = end. has(X) :- X = b.");
    // In equations and comparisons, alone, too.
    expect(a, "X = end", "10.0");
    expect(a, "end = 10", "yes");
    expect(a, "10.0 = end", "yes");
    expect(a, "end = end", "yes");
    expect(a, "start = end", "no");
    expect(a, "end != 10", "no");
    expect(a, "not start = 0", "no");
    expect(a, "X = end, is_time(X), Y = X - 1, X > 9.9", "10.0 9.0");
    expect(a, "X = Y, Y = end, D = X - 4", "10.0 10.0 6.0");
    expect(a, "end = foo", "no");
    expect(a, "duration(interval(0, 10), D), D = end", "10.0");
    expect(a, "last(X)", "10.0");
    expect(a, "last(10), not last(9)", "yes");
    expect(a, "both(X), X > 0", "10.0");
    // What equals a number of seconds is found among numbers, in either order.
    expect(a, "many(X), X = end", "10.0");
    expect(a, "X = end, many(X)", "10.0");
    expect(a, "many(X), X != end", "3");
    // Among symbols it is one, as where it is written in the place of X.
    expect(a, "word(end)", "yes");
    expect(a, "word(X), X = end", "end");
    expect(a, "X = end, word(X)", "end");
    expect(a, "X = Y, Y = end, word(X)", "end end");
    expect(a, "word(X), X != end", "a");
    expect(a, "has(X), not X = end", "a; b");
    expect(a, "N = count { X : word(X), X = end }", "1");
    // Within a term it is one, too.
    expect(a, "X = f(end)", "f(end)");
    expect(a, "member(X, [end, a]), is_symbol(X)", "a; end");
    asked_close(a);
}

// What a column holds does not depend on which of its clauses, or of those that they call, is
// first.
static void no_order_of_clauses_decides_what_holds_times(void **state) {
    (void)state;
    static const char *const clauses[] = {"q(X) :- p(X).", "p(Y) :- t(T), Y = T + 1.",
                                          "t(T) :- on(a, interval(T, _)).", "q(end).",
                                          "r(D) :- q(X), D = X - 0.5."};
    int n = sizeof clauses / sizeof *clauses;
    for (int turn = 0; turn < 2 * n; turn++) {
        asked *a = asked_open(10, NULL);
        char all[400] = ":- temporal on on 2. on(a, interval(2, 5)).\n";
        for (int i = 0; i < n; i++)
            strcat(strcat(all, clauses[(turn + (turn < n ? i : n - i)) % n]), "\n");
        asked_load(a, all);
        expect(a, "q(X), is_time(X)", "3.0; 10.0");
        expect(a, "q(3)", "yes");
        expect(a, "r(X)", "2.5; 9.5");
        asked_close(a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instant_that_the_head_has_not_is_some_instant),
        cmocka_unit_test(an_aggregate_may_give_the_instant_of_a_head),
        cmocka_unit_test(pieces_merge_to_maximal_intervals),
        cmocka_unit_test(specifications_mean_what_they_say),
        cmocka_unit_test(instants_are_never_enumerated),
        cmocka_unit_test(instant_variables_intersect_subtract_and_unite),
        cmocka_unit_test(recursion_runs_over_instants),
        cmocka_unit_test(a_believed_goal_is_compared_over_time),
        cmocka_unit_test(pointwise_occasions_need_an_instant),
        cmocka_unit_test(instants_take_specifications_in_queries),
        cmocka_unit_test(times_and_numbers_compute),
        cmocka_unit_test(allens_relations_are_exclusive_and_complete),
        cmocka_unit_test(intervals_are_combined),
        cmocka_unit_test(an_empty_interval_holds_no_instant),
        cmocka_unit_test(a_number_is_an_instant_under_a_negation_too),
        cmocka_unit_test(what_only_callers_bind_is_an_instant_where_it_is_declared),
        cmocka_unit_test(a_negation_may_leave_the_time_open),
        cmocka_unit_test(start_and_end_are_instants_but_among_what_has_no_time),
        cmocka_unit_test(no_order_of_clauses_decides_what_holds_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

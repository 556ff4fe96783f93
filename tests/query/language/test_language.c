// tests/query/language/test_language.c - clauses, terms, arithmetic, aggregates, directives; and
// what is wrong with them.
#include "tests/query/querylib.h"

static void facts_and_rules_answer(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "parent(ann, bob). parent(bob, cid). parent(bob, dan).\n"
                  "grand(X, Z) :- parent(X, Y), parent(Y, Z).\n"
                  "either(X) :- parent(X, cid) ; parent(X, dan) ; X = eve.\n"
                  "childless(X) :- parent(_, X), not parent(X, _).\n"
                  "lonely(X) :- parent(X, _), not (parent(X, Y), parent(X, Z), Y != Z).\n");
    expect(a, "grand(X, Y)", "ann cid; ann dan");
    expect(a, "grand(ann, dan)", "yes");
    expect(a, "grand(bob, _)", "no");
    expect(a, "either(X)", "bob; eve");
    expect(a, "childless(X)", "cid; dan");
    expect(a, "lonely(X)", "ann");
    expect(a, "parent(X, Y), not grand(_, Y)", "ann bob");
    expect(a, "parent(X, Y), not not grand(_, Y).", "bob cid; bob dan");
    asked_close(a);
}

static void numbers_may_begin_with_their_point(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "small(.025). small(-.5).large(1.5). large(2).\nless(X) :- small(X), X < .02.");
    expect(a, "small(X)", "-0.5; 0.025");
    expect(a, "large(X)", "1.5; 2");
    expect(a, "less(X)", "-0.5");
    expect(a, "X = .5.", "0.5");
    asked_close(a);
}

static void recursion_on_either_side_gives_the_same(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "e(1, 2). e(2, 3). e(3, 1). e(3, 4).\n"
                  "l(X, Y) :- e(X, Y). l(X, Y) :- l(X, Z), e(Z, Y).\n"
                  "r(X, Y) :- e(X, Y). r(X, Y) :- e(X, Z), r(Z, Y).\n"
                  "b(X, Y) :- e(X, Y). b(X, Y) :- b(X, Z), b(Z, Y).\n"
                  "even(X) :- X = 0. odd(Y) :- even(X), Y = X + 1, Y < 8. even(Y) :- odd(X), Y = X "
                  "+ 1, Y < 8.\n");
    const char *all = "1 1; 1 2; 1 3; 1 4; 2 1; 2 2; 2 3; 2 4; 3 1; 3 2; 3 3; 3 4";
    expect(a, "l(X, Y)", all);
    expect(a, "r(X, Y)", all);
    expect(a, "b(X, Y)", all);
    expect(a, "l(2, Y)", "1; 2; 3; 4");
    expect(a, "r(2, Y)", "1; 2; 3; 4");
    expect(a, "b(X, 4)", "1; 2; 3");
    expect(a, "even(X)", "0; 2; 4; 6");
    asked_close(a);
}

static void terms_are_taken_apart_and_put_together(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "goal(on(plate, table)). goal(in(cup, box)). goal(done).\n"
                  "pair(pair(X, Y)) :- goal(on(X, Y)).\n"
                  "l([1, 2, 3]).\n");
    expect(a, "goal(on(X, table))", "plate");
    expect(a, "G = in(X, _), goal(G)", "in(cup, box) cup");
    expect(a, "goal(G), functor(G, F, N)", "done done 0; in(cup, box) in 2; on(plate, table) on 2");
    expect(a, "pair(P)", "pair(plate, table)");
    expect(a, "goal(on(A, B)), arg(N, on(A, B), X)", "plate table 1 plate; plate table 2 table");
    expect(a, "subterm(f(a, g(b)), X)", "a; b; g(b); f(a, g(b))");
    expect(a, "l(L), member(X, L), X > 1", "[1, 2, 3] 2; [1, 2, 3] 3");
    expect(a, "l([A, B | T])", "1 2 [3]");
    expect(a, "l(L), length(L, N), nth(2, L, X), append(L, [4], M)", "[1, 2, 3] 3 2 [1, 2, 3, 4]");
    expect(a, "compose(f, [1, b], T)", "f(1, b)");
    expect(a, "args(f(1, b), L)", "[1, b]");
    expect(a, "concat(plate, \"_1\", X), concat(\"a\", b, Y)", "plate_1 \"ab\"");
    expect(a, "starts_with(plate_1, plate), ends_with(plate_1, '_1'), has_text(plate_1, ate)",
           "yes");
    expect(a, "between(1, 3, N)", "1; 2; 3");
    expect(
        a,
        "before_term(1, a), before_term(a, \"a\"), before_term(\"a\", f(x)), not before_term(a, a)",
        "yes");
    asked_close(a);
}

static void texts_are_made_and_taken_apart(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    expect(a, "upper(plate_1, X), upper(\"a b\", Y), lower('A#B', Z)", "'PLATE_1' \"A B\" a#b");
    expect(a, "replace(\"a/b/c\", \"/\", \" - \", X)", "\"a - b - c\"");
    expect(a, "replace(abc, \"\", \"x\", X)", "");
    expect(a, "split(\"a/b//c\", \"/\", L)", "[\"a\", \"b\", \"\", \"c\"]");
    expect(a, "split(\"abc\", \"/\", L), join([1, b, \"c\", f(x)], \", \", X)",
           "[\"abc\"] \"1, b, c, f(x)\"");
    expect(a, "join([], \", \", X)", "\"\"");
    expect(a, "text(f(x, 'A b'), X), text(12, Y), text(\"z\", Z)", "\"f(x, 'A b')\" \"12\" \"z\"");
    expect(a, "T = end - 2, text(T, X)", "8.0 \"8.0\"");
    expect(a, "pad(ab, 4, X), pad(ab, -4, Y), pad(abcd, 2, Z)", "\"ab  \" \"  ab\" \"abcd\"");
    expect(a, "pad(\"\xc3\xa4\", 2, X), pad(ab, 1.5, Y)", "");
    expect(a, "pad(\"\xc3\xa4\", 2, X)", "\"\xc3\xa4 \"");
    expect(a, "format(\"<{4}|{>4}|{>7.2}|{.0}|{{}\", [ab, cd, -2.345, 1.6], X)",
           "\"<ab  |  cd|  -2.35|2|{}\"");
    expect(a, "format(\"{} {}\", [a], X)", "");
    expect(a, "lisp(achieve(object_carried(des#17)), X)", "\"(ACHIEVE (OBJECT-CARRIED DES-17))\"");
    expect(a, "lisp([a, f, [], \"b c\", 1.5], X)", "\"(A F () \\\"b c\\\" 1.5)\"");
    expect(a, "lisp([a | b], X)", "\"(A . B)\"");
    asked_close(a);
}

static void arithmetic_computes(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "n(4). n(9).\n sum(X + 1) :- n(X).\n far(A, B) :- A > B + 1.\n twice(X, Y) :- Y "
                  "= X * 2.\n");
    expect(a, "n(X), Y = sqrt(X) + 1", "4 3.0; 9 4.0");
    expect(a, "sum(X)", "5; 10");
    expect(a, "X = 7 mod 3, Y = -7 mod 3, Z = 7 / 2, W = 2 * 3 - 4", "1 2 3.5 2");
    expect(a,
           "X = min(2, 1.5), Y = max(2, 1.5), Z = abs(-3), W = floor(2.7), V = round(2.5), U = "
           "ceil(2.1)",
           "1.5 2 3 2 3 3");
    expect(a, "n(X), far(X, 5)", "9");
    expect(a, "n(X), twice(X, 18)", "9");
    expect(a, "X = 1 / 0", "");
    expect(a, "X = 9223372036854775807 + 1", "");
    expect(a, "X = 9223372036854775807 - 1", "9223372036854775806");
    expect(a, "1 = 1.0, 2 > 1.5, not 2 > 2, 2 >= 2, 2 =< 2, 1 != 2", "yes");
    expect(a, "X = pi, X > 3.14, X < 3.15, Y = degrees(X)", "3.141592653589793 180.0");
    expect(a, "a < b", "no");
    asked_close(a);
}

static void aggregates_group_by_what_is_outside(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "w(a, 1). w(a, 3). w(b, 2). k(a). k(b). k(c).\n"
                  "t(x, 3). t(y, 3).\n"
                  "count_of(K, N) :- k(K), N = count { V : w(K, V) }.\n"
                  "groups(K, N) :- N = count { V : w(K, V) }.\n"
                  "heaviest(K) :- pair(_, K) = max { pair(V, K1) : w(K1, V) }.\n"
                  "busy(K) :- k(K), count { V : w(K, V) } > 1.\n");
    expect(a, "count_of(K, N)", "a 2; b 1; c 0");
    expect(a, "groups(K, N)", "a 2; b 1");
    expect(a, "groups(c, N)", "");
    expect(a, "heaviest(K)", "a");
    expect(a, "busy(K)", "a");
    expect(a, "S = sum { V : w(_, V) }, M = avg { V : w(_, V) }, L = list { V : w(_, V) }",
           "6 2.0 [1, 2, 3]");
    expect(a, "S = sum { V : t(K, V) }", "6");
    expect(a, "S = sum { V : t(_, V) }", "6");
    expect(a, "N = count { w(_, V) }", "3");
    expect(a, "N = count { w(_, _) }, M = count { V : w(_, V) }, K = count { X : w(X, _) }",
           "3 3 2");
    expect(a, "N = count { w(_, 7) }, L = list { V : w(z, V) }, S = sum { V : w(z, V) }", "0 [] 0");
    expect(a, "M = min { V : w(z, V) }", "");
    expect(a, "k(K), M = max { V : w(K, V) }", "a 3; b 2");
    expect(a, "N = count { X : k(X) }, S = count { X : t(X, _) }", "3 2");
    asked_close(a);
}

static void split_predicates_are_apart(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, ":- split holds on 1.\n"
                  "thing(a). thing(b). thing(c). goal(on(a)). goal(grasped(a)). goal(flies(a)).\n"
                  "holds(grasped(a)).\n"
                  "holds(on(X)) :- thing(X), not holds(grasped(X)).\n"
                  "holds(quiet).\n"
                  "met(G) :- goal(G), holds(G).\n"
                  "unmet(G) :- goal(G), not holds(G).\n");
    expect(a, "holds(on(X))", "b; c");
    expect(a, "holds(O)", "quiet; grasped(a); on(b); on(c)");
    expect(a, "met(G)", "grasped(a)");
    expect(a, "unmet(G)", "flies(a); on(a)");
    expect(a, "holds(om(X))", "1:1: holds(om/1) is not defined; did you mean 'on'?\n");
    expect(a, "not holds(on(a))", "yes");
    asked_close(a);
}

static void the_agent_may_be_left_out(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(
        a, ":- agent_optional thinks/2.\nthinks(r1, x). thinks(r2, y).\nany(X) :- thinks(X).\n");
    expect(a, "thinks(X)", "x; y");
    expect(a, "any(X)", "x; y");
    expect(a, "thinks(r1, X)", "x");
    expect(a, "not thinks(z)", "yes");
    asked_close(a);
}

static void later_files_override_by_name(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(
        a,
        ":- override threshold on 1.\nthreshold(near, 1). threshold(far, 5). threshold(far, 6).\n");
    expect(a, "threshold(N, V)", "far 5; far 6; near 1");
    asked_load(a, "threshold(far, 7).\n");
    expect(a, "threshold(N, V)", "far 7; near 1");
    asked_close(a);
}

static void what_only_the_caller_binds_works_like_a_builtin(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "p(1). p(5). p(9).\n"
                  "close(A, B) :- abs(A - B) < D, limit(D).\n limit(5).\n"
                  "same(X, X).\n"
                  "apart(A, B) :- p(A), p(B), not close(A, B).\n"
                  "count_close(A, N) :- p(A), N = count { B : p(B), close(A, B) }.\n"
                  "deep(A, B) :- close(A, B), close(B, A).\n");
    expect(a, "p(A), p(B), close(A, B), A < B", "1 5; 5 9");
    expect(a, "apart(A, B)", "1 9; 9 1");
    expect(a, "count_close(A, N)", "1 2; 5 3; 9 2");
    expect(a, "p(A), deep(A, 6)", "5; 9");
    expect(a, "p(A), same(A, B)", "1 1; 5 5; 9 9");
    expect(a, "close(X, 1)",
           "1:7: argument 1 of close/2 must be bound; nothing binds X; a positive literal or an "
           "equation would\n");
    asked_close(a);
}

static void hints_about_demand_change_no_answer(void **state) {
    (void)state;
    const char *rules = "e(1, 2). e(2, 3). e(3, 4). e(5, 6).\n"
                        "tc(X, Y) :- e(X, Y). tc(X, Y) :- e(X, Z), tc(Z, Y).\n"
                        "unreached(X, Y) :- e(X, _), e(_, Y), not tc(X, Y).\n";
    asked *a = asked_open(10, NULL), *b = asked_open(10, NULL);
    asked_load(a, rules);
    asked_load(b, rules);
    asked_load(b, ":- on_demand tc/2.\n:- on_demand unreached/2.\n");
    const char *queries[] = {"tc(X, Y)",        "tc(1, Y)",        "tc(X, 4)",
                             "unreached(X, Y)", "unreached(5, Y)", "e(X, _), tc(X, 4)"};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        assert_string_equal(asked_for(a, queries[i]), asked_for(b, queries[i]));
    expect(a, "unreached(5, Y)", "2; 3; 4");
    asked_close(a);
    asked_close(b);
}

static void many_mistakes_are_reported_at_once(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    const char *rules = "p(X) :- q(X).\nq(1).\nr(X) :- qq(X), p(X).\ns(X) :- p(X, X).\nt(X) :- "
                        "p(Y), not p(X), q(Y).\n";
    errors list = {0};
    assert_int_equal(engine_load(a->engine, "rules.dl", rules, strlen(rules), &list), OK);
    assert_int_equal(engine_check(a->engine, &list), E_INPUT);
    assert_string_equal(asked_errors(a, &list), "3:9: qq/1 is not defined; did you mean 'q'?\n"
                                                "4:9: p/2 is not defined; p takes 1 argument\n");
    rules = "p(X) :- .\nq(1).\nr(X) :- q(X\n).\ns( :- q(1).\n";
    assert_int_equal(engine_load(a->engine, "more.dl", rules, strlen(rules), &list), E_INPUT);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].line, 1);
    assert_int_equal(list.items[1].line, 5);
    errors_finish(&list);
    asked_close(a);
}

static void wrong_rules_are_named(void **state) {
    (void)state;
    expect_wrong("p(X) :- q(_X). q(1).", "variable X occurs once");
    expect_wrong("p(X, Y) :- q(X), r(Y). q(1).", "r/1 is not defined");
    expect_wrong("p(X, _Y) :- q(X). q(1).", "unsafe variable _Y: no literal binds it");
    expect_wrong("p(X) :- q(X), not r(Y), not r(Y). q(1). r(1).",
                 "unsafe variable Y: it occurs only under negation");
    expect_wrong("p(X) :- q(X), Y < 3, Y > X. q(1).", "unsafe variable Y");
    expect_wrong("p(X) :- q(X), not p(X). q(1).",
                 "cycle through negation: p/1 <- not p/1 (rules.dl:1)");
    expect_wrong("p(X) :- q(X), not r(X). r(X) :- s(X). s(X) :- p(X). q(1).",
                 "cycle through negation");
    expect_wrong("p(N) :- N = count { X : p(X) }.", "cycle through an aggregate");
    expect_wrong(":- temporal h on 2. h(a, interval(0, 1)). h(b, interval(S, E)) :- h(b, "
                 "interval(S, E)), h(a, interval(S, E)).",
                 "cycle through maximal intervals");
    expect_wrong("object(a, b, c).", "object/3 is a table of the log");
    expect_wrong("member(a, b).", "member/2 is built in");
    expect_wrong("p :- X.", "a variable cannot be called");
    expect_wrong(":- split h on 1. h(X) :- p(X). p(1).", "must name its functor");
    expect_wrong(":- splitt h on 1.", "unknown directive 'splitt'; did you mean 'split'?");
    expect_wrong(":- split h on.", "expects a number");
    expect_wrong("p(X) :- value(speed(O), 1, X).", "variable O occurs once");
    expect_wrong("p(X) :- value(speed(O), 1, X), q(O), not q(Z), Z = 1 + Z. q(1).",
                 "unsafe variable Z");
    expect_wrong("p(\"a\nb\").", "not closed");
    expect_wrong("[] :- p.", "'[]' cannot be defined");
}

static void queries_that_are_wrong_say_why(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "p(1).\n");
    expect(a, "p(X", "1:4: expected ',' or ')', found the end of the text\n");
    expect(a, "p(X) :- p(X)", "1:6: this is a rule; a query is only its body\n");
    expect(a, "value(speed(O), 1, V)",
           "1:13: argument 1 of value/3 must be bound; nothing binds O; a positive literal or an "
           "equation would\n");
    expect(a, "value(sped(a), 1, V)", "1:7: unknown signal 'sped'; did you mean 'speed'?\n");
    expect(a, "value(speed(a, b), 1, V)",
           "1:7: there is no signal speed/2; speed takes 1 argument\n");
    expect(a, "p(X)", "1");
    asked_close(a);
}

static void terms_that_grow_forever_are_stopped(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "n(z). n(s(X)) :- n(X).\n m(1). m(X + 1) :- m(X).\n");
    expect(a, "n(X)", "0:0: a rule builds terms nested more than 200 deep\n");
    asked_close(a);
    engine_options few = engine_options_default();
    few.memory_limit = 2 << 20;
    a = asked_open_with(10, NULL, &few);
    asked_load(a, "m(1). m(X + 1) :- m(X).\n q(7).\n");
    const char *said = asked_for(a, "m(X)");
    assert_non_null(strstr(said, "needs more than 2 MB"));
    // The engine can be asked again.
    expect(a, "q(X)", "7");
    asked_close(a);
}

static void what_was_derived_serves_later_queries(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "e(1, 2). e(2, 3).\ntc(X, Y) :- e(X, Y). tc(X, Y) :- tc(X, Z), e(Z, Y).\n");
    expect(a, "tc(X, Y)", "1 2; 1 3; 2 3");
    uint64_t first = engine_last_cost(a->engine).steps;
    expect(a, "tc(X, Y), X < 2", "1 2; 1 3");
    assert_true(engine_last_cost(a->engine).steps < first + 20);
    asked_load(a, "e(3, 4).\n");
    expect(a, "tc(X, Y)", "1 2; 1 3; 1 4; 2 3; 2 4; 3 4");
    asked_close(a);
}

static void interrupts_end_a_query(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(
        a, "n(X) :- between(1, 3000, X).\np(X, Y, Z) :- n(X), n(Y), n(Z), X + Y < Z - 10000.\n");
    engine_interrupt(a->engine);
    const char *said = asked_for(a, "p(X, Y, Z)");
    assert_non_null(strstr(said, "interrupted"));
    expect(a, "n(X), X < 3", "1; 2");
    asked_close(a);
}

static void lists_are_turned_sorted_added_up_and_walked_in_pairs(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "p(3). p(1). p(2.5). at(e, 1). at(f, 4). at(g, 9). at(h, 4).\n"
                  "next(A, B, D) :- L = list { pair(W, E) : at(E, W) },\n"
                  "    adjacent(L, pair(S, A), pair(T, B)), D = T - S.\n");
    expect(a, "reverse([1, b, \"x\"], L)", "[\"x\", b, 1]");
    expect(a, "reverse([], L)", "[]");
    expect(a, "reverse([1, 2], [2, 1])", "yes");
    expect(a, "reverse(a, L)", "");
    expect(a, "sort([b, 3, a, 3, 1.5, \"x\", f(1), []], L)", "[1.5, 3, 3, [], a, b, \"x\", f(1)]");
    expect(a, "L = list { X : p(X) }, reverse(L, R), sort(R, S), sum_list(S, N)",
           "[1, 2.5, 3] [3, 2.5, 1] [1, 2.5, 3] 6.5");
    expect(a, "sum_list([1, 2, 3], N)", "6");
    expect(a, "sum_list([], N)", "0");
    expect(a, "sum_list([9223372036854775807, 1], N), N > 9.2e18", "9.223372036854776e+18");
    expect(a, "sum_list([1, b], N)", "1:1: sum_list adds up numbers; b is none\n");
    expect(a, "sum_list(a, N)", "");
    expect(a, "adjacent([1, 4, 9], A, B)", "1 4; 4 9");
    expect(a, "adjacent([1, 4, 9], A, 9)", "4");
    expect(a, "adjacent([1], A, B)", "");
    expect(a, "adjacent([], A, B)", "");
    expect(a, "next(A, B, D)", "e f 3; f h 0; h g 5");
    expect(a, "next(A, g, _)", "h");
    expect(a, "at(B, _), not next(_, B, _)", "e");
    asked_close(a);
}

static void what_does_not_end_as_a_list_is_none(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    static const char *const goals[] = {"member(X, L)",     "member(a, L)",      "nth(N, L, X)",
                                        "nth(1, L, a)",     "adjacent(L, X, Y)", "length(L, N)",
                                        "reverse(L, R)",    "sort(L, R)",        "append(L, [], R)",
                                        "append([], L, R)", "is_list(L)"};
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        const char *improper = arena_format(a->texts, "L = [a, a | b], %s", goals[i]);
        expect(a, improper, "");
        const char *proper =
            arena_format(a->texts, "L = [a, a], N = count { %s }, N > 0", goals[i]);
        assert_string_not_equal(asked_for(a, proper), "");
    }
    expect(a, "L = [0 | 0], not (member(0, L), true)", "[0 | 0]");
    asked_close(a);
}

static void texts_are_cut_read_as_numbers_and_matched(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "name(plate_1). name(plate_12). name(cup_3). name(\"plate_\").\n"
                  "kind(\"^plate\"). kind(\"[0-9]{2}\").\n"
                  "numbered(N, K) :- name(N), regex(N, \"_([0-9]+)$\", [_, D]), number(D, K).\n");
    expect(a,
           "substring(\"gr\xc3\xb6\xc3\x9f"
           "er\", 3, 2, T)",
           "\"\xc3\xb6\xc3\x9f\"");
    expect(a, "substring(plate, 2, 99, T)", "late");
    expect(a, "substring(plate, 9, 1, T)", "''");
    expect(a, "substring(plate, 0, 1, T)", "");
    expect(a, "substring(plate, 1, -1, T)", "");
    expect(a, "substring(\"plate\", 5, 1, \"e\")", "yes");
    expect(a, "number(\"12\", A), number('-3', B), number(\"1e-3\", C), number(\"2.0\", D)",
           "12 -3 0.001 2.0");
    expect(a, "number(\"12x\", A)", "");
    expect(a, "number(\"\", A)", "");
    expect(a, "number(7, A)", "7");
    expect(a, "numbered(N, K)", "cup_3 3; plate_1 1; plate_12 12");
    expect(a, "name(N), kind(K), regex(N, K)",
           "plate_1 \"^plate\"; plate_12 \"[0-9]{2}\"; plate_12 \"^plate\"; \"plate_\" "
           "\"^plate\"");
    expect(a, "name(N), not regex(N, \"[0-9]\")", "\"plate_\"");
    expect(a, "regex(\"a1b22\", \"([a-z])([0-9]+)(x)?\", P)",
           "[\"a1\", \"a\", \"1\", \"\"]; [\"b22\", \"b\", \"22\", \"\"]");
    expect(a, "regex(\"baac\", \"a*\", P)", "[\"\"]; [\"aa\"]");
    expect(a, "regex(\"\xc3\xb6x\", \"^.x\")", "yes");
    expect(a, "regex(\"PLATE\", \"(?i)plate\")", "yes");
    expect(a, "regex_replace(\"a1b22\", \"([0-9]+)\", \"<$1>\", T)", "\"a<1>b<22>\"");
    expect(a, "regex_replace(plate_1, \"_\", \"-\", T)", "'plate-1'");
    expect(a, "regex(f(1), \"a\")", "no");
    // What is wrong with an expression is said; what would take for ever ends.
    expect(a, "regex(a, \"(\")",
           "1:1: the regular expression ( is wrong: missing closing parenthesis, at byte 2\n");
    expect(a, "regex_replace(a, \"a\", \"$9\", T)",
           "1:1: the replacement $9 is wrong: unknown substring, at byte 3\n");
    expect(a, "regex(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\", \"(a|aa)+$\")",
           "1:1: the regular expression (a|aa)+$ takes too many steps\n");
    expect(a, "pad(x, 60000, T), regex_replace(T, \" \", \"..\", R)",
           "1:19: a text would be longer than 65536 bytes\n");
    asked_close(a);
}

static void who_comes_from_prolog_is_told_what_to_write(void **state) {
    (void)state;
    static const char *const said[][2] = {
        {"findall(X, p(X), L)", "findall/3 is not defined; write L = list { X : Goal }"},
        {"forall(p(X), X > 0)", "forall/2 is not defined; write not (Condition, not Action)"},
        {"(p(1) -> p(2) ; p(3))",
         "1:7: there is no '->'; (A -> B ; C) is written (A, B ; not A, C)"},
        {"X = 7 // 2", "1:7: there is no '//'; a whole quotient is int(A / B)"},
        {"\\+ p(1)", "1:1: unexpected '\\'; negation is written 'not'"},
        {"p(X), X \\= 1", "'!='"},
        {"p(X), X =\\= 1", "'!='"},
        {"p(X), X =:= 1", "two values are compared by one '='"},
        {"p(X), !", "limit(N) takes the first"},
        {"atom_length(a, N)", "write text_length(Text, N)"},
        {"nth0(0, [a], X)", "where N is from 1"}};
    asked *a = asked_open(10, NULL);
    asked_load(a, "p(1). p(2). p(3).\n");
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const char *got = asked_for(a, said[i][0]);
        if (!strstr(got, said[i][1]))
            fail_msg("%s: %s", said[i][0], got);
    }
    // What is written instead.
    expect(a, "L = list { X : p(X) }", "[1, 2, 3]");
    expect(a, "not (p(X), not X > 0)", "yes");
    expect(a, "p(Y), (Y = 1, X = a ; not Y = 1, X = b)", "1 a; 2 b; 3 b");
    expect(a, "X = int(7 / 2)", "3");
    expect(a, "X != 1, X = \"->\"", "\"->\"");
    // One's own predicate of the name is one's own.
    asked_load(a, "forall(1, 2).\n");
    expect(a, "forall(X, Y)", "1 2");
    asked_close(a);
}

static void integers_of_any_size_are_integers_to_builtins(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    expect(a, "between(1152921504606846975, 1152921504606846976, N)",
           "1152921504606846975; 1152921504606846976");
    expect(a, "between(9223372036854775806, 9223372036854775807, N)",
           "9223372036854775806; 9223372036854775807");
    expect(a, "between(0, 9223372036854775807, 1152921504606846976)", "yes");
    expect(a, "between(1, 3, 2.0)", "yes");
    expect(a, "between(1, 3, 2.5)", "no");
    expect(a, "nth(1.0, [a, b], X)", "a");
    expect(a, "substring(\"hello\", 2, 9223372036854775807, S)", "\"ello\"");
    assert_non_null(strstr(asked_for(a, "pad(a, 9223372036854775807, T)"), "longer than"));
    assert_non_null(
        strstr(asked_for(a, "between(-9223372036854775807, 9223372036854775807, N)"), "more than"));
    expect(a, "X = int(-9223372036854775808.0)", "-9223372036854775808");
    expect(a, "number(\"9223372036854775807\", N)", "9223372036854775807");
    expect(a, "number(\"9223372036854775808\", N)", "");
    expect(a, "number(\"1e3\", N)", "1000.0");
    asked_close(a);
}

// A goal that computes with what is no number fails, and its negation holds.
static void what_cannot_be_computed_fails_and_its_negation_holds(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "v(a, 1). v(b, 5). v(3, 0).\np(4). pp(4, g(5)).\n"
                  ":- temporal h on 2.\nh(4, interval(0, 9)).\n");
    expect(a, "between(1, 3, X), X / 0 = 1", "");
    expect(a, "between(1, 3, X), not (X / 0 = 1)", "1; 2; 3");
    expect(a, "between(1, 3, X), not (X / 0 = 1, true)", "1; 2; 3");
    expect(a, "v(X, _), not X > 0", "a; b");
    expect(a, "v(X, _), not X + 0 > 0", "a; b");
    expect(a, "v(X, _), not X + 1 = 4", "a; b");
    expect(a, "v(X, _), not X + 1 != 4", "3; a; b");
    expect(a, "v(X, _), not p(X + 1)", "a; b");
    expect(a, "v(X, _), not (Y = X + 1, p(Y))", "a; b");
    expect(a, "v(X, _), not pp(_, g(X + 2))", "a; b");
    expect(a, "v(X, _), pp(_, Y), not g(X + 2) = Y", "a g(5); b g(5)");
    expect(a, "v(X, _), not member(X + 1, [4, 5])", "a; b");
    expect(a, "v(X, _), not h(X + 1, at(X))", "a; b");
    expect(a, "v(X, _), not h(4, at(X + 5))", "a; b");
    expect(a, "v(X, _), not h(4, interval(X - 3, _))", "a; b");
    assert_non_null(strstr(asked_for(a, "not p(Y + 1)"), "unsafe variable Y"));
    asked_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_turned_sorted_added_up_and_walked_in_pairs),
        cmocka_unit_test(what_does_not_end_as_a_list_is_none),
        cmocka_unit_test(texts_are_cut_read_as_numbers_and_matched),
        cmocka_unit_test(who_comes_from_prolog_is_told_what_to_write),
        cmocka_unit_test(facts_and_rules_answer),
        cmocka_unit_test(numbers_may_begin_with_their_point),
        cmocka_unit_test(recursion_on_either_side_gives_the_same),
        cmocka_unit_test(terms_are_taken_apart_and_put_together),
        cmocka_unit_test(texts_are_made_and_taken_apart),
        cmocka_unit_test(arithmetic_computes),
        cmocka_unit_test(aggregates_group_by_what_is_outside),
        cmocka_unit_test(split_predicates_are_apart),
        cmocka_unit_test(the_agent_may_be_left_out),
        cmocka_unit_test(later_files_override_by_name),
        cmocka_unit_test(what_only_the_caller_binds_works_like_a_builtin),
        cmocka_unit_test(hints_about_demand_change_no_answer),
        cmocka_unit_test(many_mistakes_are_reported_at_once),
        cmocka_unit_test(wrong_rules_are_named),
        cmocka_unit_test(queries_that_are_wrong_say_why),
        cmocka_unit_test(terms_that_grow_forever_are_stopped),
        cmocka_unit_test(what_was_derived_serves_later_queries),
        cmocka_unit_test(interrupts_end_a_query),
        cmocka_unit_test(integers_of_any_size_are_integers_to_builtins),
        cmocka_unit_test(what_cannot_be_computed_fails_and_its_negation_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

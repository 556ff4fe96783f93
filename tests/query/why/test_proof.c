// tests/query/why/test_proof.c - why: proofs of every construct, each replayed by the checker,
// which refuses proofs that were tampered with.
#include "query/why/proof.h"
#include "tests/query/why/proof_checker.h"
#include "tests/query/querylib.h"

// ---- Asking and replaying ----

typedef struct world {
    asked *a, *other; // the other derives everything, for what is absent
    const char *rules;
    proof_world w;
} world;

static bool holds_there(void *context, const char *goal) {
    world *w = context;
    // Whether there is one is asked, not which: some instant will do.
    const char *got = asked_for(w->other, arena_format(w->other->texts, "not not (%s)", goal));
    return got[0] && strcmp(got, "no") != 0;
}

static world world_open(double end, const char *rows, const char *rules) {
    engine_options whole = engine_options_default();
    whole.derive_whole = true;
    world w = {.a = asked_open(end, rows), .other = asked_open_with(end, rows, &whole)};
    w.rules = rules;
    asked_load(w.a, rules);
    asked_load(w.other, rules);
    return w;
}

static void world_close(world *w) {
    asked_close(w->a);
    asked_close(w->other);
}

static const char *json_of(world *w, const char *goal, const proof_options *opt, size_t *count) {
    errors list = {0};
    const proof **all;
    char *text = NULL;
    if (engine_why(w->a->engine, w->a->texts, "query", goal, opt, &all, count, &list) != OK)
        fail_msg("%s: %s", goal, asked_errors(w->a, &list));
    assert_int_equal(proofs_json((const proof *const *)all, *count, &text), OK);
    const char *kept = arena_strdup(w->a->texts, text);
    free(text);
    return kept;
}

static const char *text_of(world *w, const char *goal, const proof_options *opt) {
    errors list = {0};
    const proof **all;
    size_t count;
    char *text = NULL;
    if (engine_why(w->a->engine, w->a->texts, "query", goal, opt, &all, &count, &list) != OK)
        fail_msg("%s: %s", goal, asked_errors(w->a, &list));
    assert_int_equal(proofs_text((const proof *const *)all, count, &text), OK);
    const char *kept = arena_strdup(w->a->texts, text);
    free(text);
    return kept;
}

static bool replays(world *w, const char *json, char *why, size_t size) {
    proof_rules rules = {"rules.dl", w->rules};
    proof_world p = {.rules = &rules,
                     .rule_count = 1,
                     .log = w->a->path,
                     .episode = 1,
                     .end = (double)engine_episode(w->a->engine)->end * 1e-9,
                     .holds = holds_there,
                     .context = w,
                     .whole = true};
    return proof_replay(&p, json, why, size);
}

// Each answer of the goal has a proof, and each is right.
#define proves(w, goal, answers) proves_at(w, goal, answers, __FILE__, __LINE__)
static void proves_at(world *w, const char *goal, size_t want, const char *file, int line) {
    proof_options all = {.answers = 1000, .parts_most = 100000, .depth = 500};
    size_t count;
    char why[1000];
    const char *json = json_of(w, goal, &all, &count);
    if (count != want)
        fail_msg("%s:%d: %s has %zu proofs, not %zu", file, line, goal, count, want);
    if (!replays(w, json, why, sizeof why))
        fail_msg("%s:%d: %s: %s\n%s", file, line, goal, why, json);
}

// ---- What is proved ----

static void rules_facts_and_recursion_are_proved(void **state) {
    (void)state;
    world w = world_open(10, NULL,
                         "e(1, 2). e(2, 3). e(3, 1).\ne(3, 4).\n"
                         "l(X, Y) :- e(X, Y).\nl(X, Y) :- l(X, Z), e(Z, Y).\n"
                         "r(X, Y) :- e(X, Y).\nr(X, Y) :- e(X, Z), r(Z, Y).\n"
                         "b(X, Y) :- e(X, Y).\nb(X, Y) :- b(X, Z), b(Z, Y).\n"
                         "even(X) :- X = 0.\nodd(Y) :- even(X), Y = X + 1, Y < 8.\n"
                         "even(Y) :- odd(X), Y = X + 1, Y < 8.\n"
                         "either(X) :- e(X, 4) ; X = eve ; e(_, X), not e(X, _).\n");
    proves(&w, "l(X, Y)", 12);
    proves(&w, "r(X, Y)", 12);
    proves(&w, "b(X, Y)", 12);
    proves(&w, "r(1, Y)", 4);
    proves(&w, "even(X)", 4);
    proves(&w, "odd(X)", 4);
    proves(&w, "either(X)", 3);
    proves(&w, "r(1, X), r(X, 4), X != 2", 2);
    proves(&w, "r(4, X)", 0);
    proves(&w, "e(1, 2)", 1);
    proves(&w, "X = f(a, [1, 2]), Y = 3", 1);
    // An answer's value may be of a type that another alternative excludes.
    proves(&w, "(task(X) ; X = a), X != 2", 1);
    world_close(&w);
}

static void terms_lists_and_wide_integers_are_proved(void **state) {
    (void)state;
    world w =
        world_open(10, NULL,
                   "goal(on(plate, table)). goal(in(cup, box)). goal(done).\n"
                   "pair(pair(X, Y)) :- goal(on(X, Y)).\nl([1, 2, 3]). big(9223372036854775807).\n"
                   "top(X) :- big(Y), X = Y - 1.\n"
                   "item(X) :- l(L), member(X, L), X > 1.\n"
                   "parts(G, F, N) :- goal(G), functor(G, F, N).\n"
                   "nest(0, z).\nnest(N, s(T)) :- nest(M, T), M < 5, N = M + 1.\n"
                   "same(X) :- P = in(X, box), goal(P).\n"
                   "words(X) :- goal(G), text(G, T), concat(T, \"!\", X).\n"
                   "sum(X + 1) :- item(X).\n");
    proves(&w, "pair(P)", 1);
    proves(&w, "top(X)", 1);
    proves(&w, "item(X)", 2);
    proves(&w, "parts(G, F, N)", 3);
    proves(&w, "nest(N, T)", 6);
    proves(&w, "same(X)", 1);
    proves(&w, "words(X)", 3);
    proves(&w, "sum(X)", 2);
    world_close(&w);
}

static void builtins_over_lists_and_texts_are_proved(void **state) {
    (void)state;
    world w =
        world_open(10, NULL,
                   "l([3, 1, 2.5, 1]). l([b, 2, \"x\"]). l([]). n([1, 2]). n([2.5, 4]).\n"
                   "o(plate_12). o(cup_3). o(\"plate_7\").\n"
                   "turned(R) :- l(L), reverse(L, R).\nsorted(S) :- l(L), sort(L, S).\n"
                   "total(L, N) :- n(L), sum_list(L, N).\n"
                   "steps(A, B) :- l(L), adjacent(L, A, B).\n"
                   "longer(C) :- n(A), n(B), append(A, B, C), nth(1, C, 1).\n"
                   "number_of(O, N) :- o(O), regex(O, \"_([0-9]+)$\", [_, D]), number(D, N).\n"
                   "head(O, H) :- o(O), substring(O, 1, 3, H), text_length(H, 3).\n"
                   "plain(O, P) :- o(O), regex_replace(O, \"[0-9]\", \"\", P), "
                   "not regex(P, \"[0-9]\").\n"
                   "flat(L) :- l(L), not adjacent(L, 1, 2.5), reverse(L, R), not sort(R, R).\n");
    proves(&w, "turned(R)", 3);
    proves(&w, "sorted(S)", 3);
    proves(&w, "total(L, N)", 2);
    proves(&w, "steps(A, B)", 5);
    proves(&w, "longer(C)", 2);
    proves(&w, "number_of(O, N)", 3);
    proves(&w, "head(O, H)", 3);
    proves(&w, "plain(O, P)", 3);
    proves(&w, "flat(L)", 1);
    world_close(&w);
}

static void some_instant_is_proved(void **state) {
    (void)state;
    world w = world_open(10, NULL,
                         ":- temporal h on 2.\n"
                         "h(a, interval(0, 3)). h(a, interval(3, 5)). h(b, interval(4, 7)).\n"
                         "h(c, interval(6, 8)).\n"
                         "meet(O, P) :- h(O, T), h(P, T), O != P.\n"
                         "late(O) :- h(O, T), T > 6.5.\n"
                         "alone(O) :- h(O, T), not h(c, T), T > 4.\n"
                         "apart(O) :- h(O, _), not (h(O, T), h(c, T)).\n"
                         "many(N) :- N = count { O : h(O, T), h(b, T) }.\n");
    proves(&w, "meet(O, P)", 4);
    proves(&w, "late(O)", 2);
    proves(&w, "alone(O)", 2);
    proves(&w, "apart(O)", 1);
    proves(&w, "many(N)", 1);
    proves(&w, "h(O, _T), h(c, _T), O != c", 1);
    world_close(&w);
}

static void negation_is_proved(void **state) {
    (void)state;
    world w = world_open(10, NULL,
                         "parent(ann, bob). parent(bob, cid). parent(bob, dan).\n"
                         "childless(X) :- parent(_, X), not parent(X, _).\n"
                         "lonely(X) :- parent(X, _), not (parent(X, Y), parent(X, Z), Y != Z).\n"
                         "twice(X) :- parent(_, X), not not parent(X, _).\n"
                         "low(X) :- parent(_, X), not X = bob, not starts_with(X, c).\n");
    proves(&w, "childless(X)", 2);
    proves(&w, "lonely(X)", 1);
    proves(&w, "twice(X)", 1);
    proves(&w, "low(X)", 1);
    proves(&w, "parent(X, Y), not childless(Y)", 1);
    world_close(&w);
}

static void aggregates_are_proved(void **state) {
    (void)state;
    world w = world_open(10, NULL,
                         "w(a, 1). w(a, 3). w(b, 2). k(a). k(b). k(c). v(x, 2.5). v(y, 2.5).\n"
                         "count_of(K, N) :- k(K), N = count { V : w(K, V) }.\n"
                         "groups(K, N) :- N = count { V : w(K, V) }.\n"
                         "heaviest(K) :- pair(_, K) = max { pair(V, K1) : w(K1, V) }.\n"
                         "least(V) :- V = min { X : w(_, X) }.\n"
                         "busy(K) :- k(K), count { V : w(K, V) } > 1.\n"
                         "total(S) :- S = sum { V : v(K, V), K != z }.\n"
                         "mean(S) :- S = avg { V : w(_, V) }.\n"
                         "all(L) :- L = list { V : w(_, V) }.\n"
                         "both(N) :- N = count { w(K, V), k(K), V < 3 }.\n"
                         "half(N) :- N = sum { V : w(K, V), not K = b } / 2.\n"
                         "rest(K, N) :- k(K), N = count { V : w(K, V) ; v(K, V) } + 1.\n"
                         "wide(N) :- N = count { K : k(K), count { V : w(K, V) } > 0 }.\n");
    proves(&w, "count_of(K, N)", 3);
    proves(&w, "groups(K, N)", 2);
    proves(&w, "heaviest(K)", 1);
    proves(&w, "least(V)", 1);
    proves(&w, "busy(K)", 1);
    proves(&w, "total(S)", 1);
    proves(&w, "mean(S)", 1);
    proves(&w, "all(L)", 1);
    proves(&w, "both(N)", 1);
    proves(&w, "half(N)", 1);
    proves(&w, "rest(K, N)", 3);
    proves(&w, "wide(N)", 1);
    proves(&w, "N = count { X : k(X) }, S = count { X : v(X, _) }", 1);
    world_close(&w);
}

static const char OCCASIONS[] =
    ":- temporal on on 2.\n"
    "on(a, interval(2, 5)). on(a, interval(5, 8)).\non(a, interval(9, 10)).\n"
    "on(b, interval(4, 9.5)).\n"
    "on(c, interval(0, end)). on(c, at(end)).\n";

static void times_are_proved(void **state) {
    (void)state;
    char rules[4000];
    snprintf(rules, sizeof rules, "%s%s", OCCASIONS,
             ":- temporal r on 2.\n:- split r on 1.\n"
             "r(both, T) :- on(a, T), on(b, T).\n"
             "r(either, T) :- on(a, T).\nr(either, T) :- on(b, T).\n"
             "r(only, T) :- on(a, T), not on(b, T).\n"
             "r(neither, T) :- not on(a, T), not on(b, T).\n"
             "r(late, T) :- on(a, T), T > 6, T =< 9.5.\n"
             "r(any, at(T)) :- t(T), on(_, at(T)).\n"
             "r(gap, T) :- on(c, T), not r(either, T), 3 < T.\n"
             "r(long, interval(S, E)) :- on(X, interval(S, E)), X != c, duration(interval(S, E), "
             "D), D > 3.\n"
             "t(T) :- on(a, interval(T, _)).\n"
             "next(X, Y) :- on(X, interval(S, E)), on(Y, interval(E, F)), S < F.\n"
             "while(X) :- on(X, throughout(5, 7)), not on(X, during(0, 2)), not on(X, at(8.5)).\n"
             "whole(X, I) :- I = interval(_S, _E), on(X, I).\n"
             "some(X) :- on(X, during(8.2, 9.1)).\n"
             ":- instant ev on 2.\nev(touch, 5.25). ev(lift, 9).\n"
             "when(E, X) :- ev(E, T), on(X, at(T)), not ev(E, 5.3).\n"
             "early(E) :- ev(E, during(1, 6)).\n");
    world w = world_open(10, NULL, rules);
    proves(&w, "r(X, interval(S, E))", 13);
    proves(&w, "on(a, interval(S, E))", 2);
    proves(&w, "on(X, at(5))", 3);
    proves(&w, "on(X, throughout(4.5, 9))", 2);
    proves(&w, "on(X, during(8, 9))", 2);
    proves(&w, "not on(a, at(8))", 1);
    proves(&w, "next(X, Y)", 0);
    proves(&w, "while(X)", 1);
    proves(&w, "whole(X, I)", 4);
    proves(&w, "some(X)", 3);
    proves(&w, "when(E, X)", 6);
    proves(&w, "early(E)", 1);
    proves(&w, "r(X, at(9.2)), on(a, interval(_, E)), on(Y, at(E - 0.25)), E < 9", 12);
    world_close(&w);
}

static void recursion_over_time_is_proved(void **state) {
    (void)state;
    world w = world_open(
        10, NULL,
        ":- split holds on 1.\n:- temporal holds on 2.\n"
        "holds(on(cup, tray), interval(1, 6)). holds(on(tray, table), interval(0, 4)).\n"
        "holds(on(tray, table), interval(5, 9)). holds(on(spoon, cup), interval(3, 10)).\n"
        "holds(over(X, Y), T) :- holds(on(X, Y), T).\n"
        "holds(over(X, Y), T) :- holds(on(X, Z), T), holds(over(Z, Y), T).\n"
        ":- temporal held on 2.\n"
        "held(X, interval(0, 1)) :- holds(on(X, _), interval(_, _)).\n"
        "held(X, interval(S, S + 2)) :- step(S), held(X, throughout(S - 1, S)).\n"
        "step(S) :- between(1, 6, S).\n"
        "any(O) :- holds(O, at(5.5)).\n");
    proves(&w, "holds(over(X, Y), interval(S, E))", 9);
    proves(&w, "holds(over(spoon, Y), at(3.5))", 3);
    proves(&w, "held(X, interval(S, E))", 3);
    proves(&w, "any(O)", 9);
    world_close(&w);
}

static void a_best_value_is_proved_by_a_derivation_that_nothing_betters(void **state) {
    (void)state;
    world w =
        world_open(10, NULL,
                   "e(a, b, 3). e(b, c, 4). e(a, c, 9). e(c, d, 1). e(d, a, 2). e(b, d, 20).\n"
                   ":- least far on 3.\n"
                   "far(X, Y, W) :- e(X, Y, W).\n"
                   "far(X, Y, D) :- far(X, Z, A), far(Z, Y, B), D = A + B.\n"
                   ":- greatest wide on 3.\n"
                   "wide(X, X, 100) :- e(X, _, _).\n"
                   "wide(X, Y, W) :- wide(X, Z, A), e(Z, Y, B), W = min(A, B).\n"
                   ":- declare known(who: symbol, t: time) \"When somebody first knows.\".\n"
                   ":- least known on 2.\n"
                   "told(a, b, 3.5). told(a, c, 9). told(b, c, 5). told(c, d, 4). told(c, d, 7).\n"
                   "known(a, 1).\n"
                   "known(Y, T) :- known(X, T0), told(X, Y, T1), T1 >= T0, T = max(T0, T1).\n"
                   "near(X, Y) :- far(X, Y, D), D < 5, not wide(X, Y, 1).\n");
    proves(&w, "far(X, Y, D)", 16);
    proves(&w, "wide(X, Y, W)", 16);
    proves(&w, "known(X, T)", 4);
    proves(&w, "near(X, Y)", 3);
    assert_non_null(strstr(text_of(&w, "known(d, T)", NULL), "told(c, d, 7)"));
    world_close(&w);
}

static void rows_of_the_log_are_cited(void **state) {
    (void)state;
    world w = world_open(
        10,
        "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'), (2, 1, "
        "'table', "
        "'body'), (3, 1, 'tray', 'body');"
        "INSERT INTO contact (id, episode, a, b, start_ns, end_ns, approach) VALUES "
        "(41, 1, 1, 2, 5200000000, 8960000000, 0.1), (42, 1, 1, 3, 9000000000, NULL, 0.2);",
        "meets(A, B, S) :- touches(_, A, B, S, _).\n"
        "fast(A) :- contact(I, A, _, _, _), contact_approach(I, V), V > 0.15.\n"
        "still(O) :- object(O, body, _), not touches(_, O, _, _, _).\n"
        "open(I) :- contact(I, _, _, _, E), censored(E).\n");
    proves(&w, "meets(A, B, S)", 4);
    proves(&w, "fast(A)", 1);
    proves(&w, "still(O)", 0);
    proves(&w, "open(I)", 1);
    proves(&w, "object(O, K, T)", 3);
    assert_non_null(strstr(text_of(&w, "meets(cup, table, S)", NULL), "log: contact 41"));
    world_close(&w);
}

static void other_episodes_are_cited(void **state) {
    (void)state;
    world w = world_open(
        10,
        "INSERT INTO episode VALUES (2, 'p', 'w', 'r', 2, '0', 2000000, 20000000, 5000000000, "
        "'succeeded', 1, 5000000000);"
        "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'), (2, 1, "
        "'table', "
        "'body'), (3, 2, 'cup', 'body'), (4, 2, 'table', 'body');"
        "INSERT INTO contact (id, episode, a, b, start_ns, end_ns, approach) VALUES "
        "(41, 1, 1, 2, 5200000000, 8960000000, 0.1), (42, 2, 3, 4, 1000000000, NULL, 0.2);",
        "meets(A, B, S) :- contact(_, A, B, S, _).\n"
        "early(E) :- in_episode(E, (meets(cup, B, S), S < 2)), B = table.\n"
        "never(O) :- object(O, body, _), not in_episode(_, meets(O, cup, _)).\n");
    proves(&w, "early(E)", 1);
    proves(&w, "in_episode(E, meets(A, B, S))", 2);
    proves(&w, "never(O)", 2);
    proves(&w, "N = count { E : in_episode(E, meets(cup, _, _)) }", 1);
    world_close(&w);
}

// ---- How it is shown ----

static void a_proof_reads_as_a_tree(void **state) {
    (void)state;
    world w = world_open(10, NULL,
                         "e(1, 2). e(2, 3).\nr(X, Y) :- e(X, Y).\nr(X, Y) :- e(X, Z), r(Z, Y).\n"
                         "far(X) :- r(1, X), r(1, X), X > 2, not e(1, X).\n");
    assert_string_equal(text_of(&w, "far(X)", NULL), "  1  far(3)         rules.dl:4\n"
                                                     "  2    r(1, 3)      rules.dl:3\n"
                                                     "  3      e(1, 2)    rules.dl:1\n"
                                                     "  4      r(2, 3)    rules.dl:2\n"
                                                     "  5        e(2, 3)  rules.dl:1\n"
                                                     "       r(1, 3)      see 2\n"
                                                     "  6    3 > 2\n"
                                                     "  7    not e(1, 3)  none among 2 rows\n");
    world_close(&w);
}

static void a_long_chain_is_cut_and_counted(void **state) {
    (void)state;
    world w = world_open(10, NULL,
                         "n(0).\nn(Y) :- n(X), X < 100000, Y = X + 1.\n"
                         "all(N) :- N = count { X : n(X) }.\n");
    proof_options few = {.depth = 10};
    const char *text = text_of(&w, "n(100000)", &few);
    // Three steps a number, and the fact; nine numbers are shown.
    if (!strstr(text, "... 299,974 further steps, resting on 1 of n/1; ask: why n(99991)\n"))
        fail_msg("%s", text);
    text = text_of(&w, "all(N)", &few);
    assert_non_null(strstr(text, "over 100,001 rows"));
    assert_non_null(strstr(text, "... 99,993 rows more\n"));
    world_close(&w);
}

static void a_cut_says_what_it_rests_on_and_how_to_see_it(void **state) {
    (void)state;
    world w =
        world_open(10,
                   "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'),"
                   " (2, 1, 'table', 'body');"
                   "INSERT INTO contact (id, episode, a, b, start_ns, end_ns) VALUES"
                   " (1, 1, 1, 2, 1000000000, 2000000000), (2, 1, 2, 1, 3000000000, NULL);",
                   "next(1, 2). next(2, 3). next(3, 4). seen(X) :- contact(_, X, _, _, _).\n"
                   "path(1) :- seen(cup), seen(table).\npath(Y) :- path(X), next(X, Y).\n"
                   "wide(X) :- path(X), a(X), b(X), c(X), d(X), e(X).\n"
                   "a(4). b(4). c(4). d(4). e(4).\nover(X) :- wide(X).\n");
    // Facts themselves are shown, however deep.
    proof_options few = {.depth = 2};
    assert_string_equal(text_of(&w, "path(4)", &few),
                        "  1  path(4)       rules.dl:3\n"
                        "       ... 9 further steps, resting on 2 of next/2, 2 of contact/5; ask: "
                        "why path(3)\n"
                        "  2    next(3, 4)  rules.dl:1\n");
    // Of many kinds of facts the most frequent are named.
    const char *text = text_of(&w, "over(X)", &few);
    if (!strstr(text, "resting on 3 of next/2, 2 of contact/5, 1 of a/1 and facts of 4 more; ask: "
                      "why wide(4)\n"))
        fail_msg("%s", text);
    // What it says to ask shows them.
    assert_non_null(strstr(text_of(&w, "wide(4)", NULL), "path(3)"));
    arena *a = arena_create();
    const proof **all;
    size_t count;
    errors list = {0};
    char *json = NULL;
    assert_int_equal(engine_why(w.a->engine, a, "query", "path(4)", &few, &all, &count, &list), OK);
    assert_int_equal(proofs_json(all, count, &json), OK);
    assert_non_null(strstr(json, "\"kind\":\"cut\",\"what\":\"path(3)\",\"count\":9,"
                                 "\"rests_on\":[{\"predicate\":\"next/2\",\"count\":2},"
                                 "{\"predicate\":\"contact/5\",\"count\":2}]"));
    free(json);
    arena_destroy(a);
    world_close(&w);
}

static void why_is_asked_for_itself(void **state) {
    (void)state;
    world w = world_open(10, NULL, "p(1).\n");
    assert_non_null(strstr(asked_for(w.a, "why p(1)"), "--why"));
    errors list = {0};
    const proof **all;
    size_t count;
    assert_int_equal(engine_why(w.a->engine, w.a->texts, "query", "p(1", NULL, &all, &count, &list),
                     E_INPUT);
    assert_true(list.count > 0);
    errors_finish(&list);
    assert_int_equal(
        engine_why(w.a->engine, w.a->texts, "query", "q(1)", NULL, &all, &count, &list), E_INPUT);
    errors_finish(&list);
    world_close(&w);
}

// ---- The checker ----

// The proof with the first occurrence of a text replaced.
static const char *altered(world *w, const char *json, const char *what, const char *by) {
    const char *at = strstr(json, what);
    if (!at)
        fail_msg("%s is not in %s", what, json);
    return arena_format(w->a->texts, "%.*s%s%s", (int)(at - json), json, by, at + strlen(what));
}

static void refuses(world *w, const char *json, const char *what, const char *by) {
    char why[1000];
    if (replays(w, altered(w, json, what, by), why, sizeof why))
        fail_msg("accepted with %s in the place of %s:\n%s", by, what, json);
}

static void what_a_builtin_gives_is_computed_anew(void **state) {
    (void)state;
    world w = world_open(10, NULL,
                         "l([3, 1, 2.5]). o(plate_12).\n"
                         "p(S, R, N, A) :- l(L), sort(L, S), reverse(S, R), sum_list(L, N), "
                         "adjacent(S, 1, A).\n"
                         "q(N, H) :- o(O), regex(O, \"_([0-9]+)$\", [_, D]), number(D, N), "
                         "substring(O, 1, 3, H).\n");
    size_t count;
    const char *json = json_of(&w, "p(S, R, N, A)", NULL, &count);
    refuses(&w, json, "sort([3, 1, 2.5], [1, 2.5, 3])", "sort([3, 1, 2.5], [1, 3, 2.5])");
    refuses(&w, json, "reverse([1, 2.5, 3], [3, 2.5, 1])", "reverse([1, 2.5, 3], [3, 1, 2.5])");
    refuses(&w, json, "sum_list([3, 1, 2.5], 6.5)", "sum_list([3, 1, 2.5], 7.5)");
    refuses(&w, json, "adjacent([1, 2.5, 3], 1, 2.5)", "adjacent([1, 2.5, 3], 1, 3)");
    json = json_of(&w, "q(N, H)", NULL, &count);
    refuses(&w, json, "substring(plate_12, 1, 3, pla)", "substring(plate_12, 1, 3, lat)");
    world_close(&w);
}

static void a_proof_that_was_tampered_with_is_refused(void **state) {
    (void)state;
    char rules[2000];
    snprintf(rules, sizeof rules, "%s%s", OCCASIONS,
             "e(1, 2). e(2, 3).\nr(X, Y) :- e(X, Y).\nr(X, Y) :- e(X, Z), r(Z, Y).\n"
             "far(X) :- r(1, X), r(1, X), X > 2, not e(1, X), X = Y + 1, e(_, Y).\n"
             "sum(S) :- S = sum { X : e(X, _) }.\n"
             "hit(A) :- contact(_, A, _, S, _), S > 5.\n"
             "both(X) :- on(X, at(6)), on(b, interval(4, _)).\n");
    world w = world_open(
        10,
        "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'), (2, 1, "
        "'table', "
        "'body');"
        "INSERT INTO contact (id, episode, a, b, start_ns, end_ns, approach) VALUES "
        "(41, 1, 1, 2, 5200000000, 8960000000, 0.1), (42, 1, 2, 1, 4000000000, 4500000000, 0.1);",
        rules);
    proof_options all = {.answers = 10, .parts_most = 100, .depth = 500};
    size_t count;
    char why[1000];
    const char *json = json_of(&w, "far(3)", &all, &count);
    assert_true(replays(&w, json, why, sizeof why));
    refuses(&w, json, "far(3)", "far(4)");
    refuses(&w, json, "\"e(1, 2)\"", "\"e(1, 3)\"");
    refuses(&w, json, "3 > 2", "1 > 2");
    refuses(&w, json, "3 > 2", "4 > 2");
    refuses(&w, json, "not e(1, 3)", "not e(1, 2)");
    refuses(&w, json, "3 = 2 + 1", "3 = 2 + 2");
    refuses(&w, json, "\"line\":8", "\"line\":9");
    refuses(&w, json, "\"kind\":\"seen\"", "\"kind\":\"stated\"");
    refuses(&w, json, "\"step\":2,\"kind\":\"seen\"", "\"step\":3,\"kind\":\"seen\"");
    refuses(&w, json, "\"kind\":\"rule\"", "\"kind\":\"stated\"");
    json = json_of(&w, "sum(S)", &all, &count);
    assert_true(replays(&w, json, why, sizeof why));
    refuses(&w, json, "sum(3)", "sum(4)");
    refuses(&w, json, "3 = sum", "4 = sum");
    refuses(&w, json, "e(2, 3)", "e(3, 3)");
    json = json_of(&w, "hit(A)", &all, &count);
    assert_true(replays(&w, json, why, sizeof why));
    refuses(&w, json, "\"row\":41", "\"row\":42");
    refuses(&w, json, "\"row\":41", "\"row\":43");
    refuses(&w, json, "5.2 > 5", "4.2 > 5");
    refuses(&w, json, "8.96", "8.97");
    json = json_of(&w, "both(a)", &all, &count);
    assert_true(replays(&w, json, why, sizeof why));
    refuses(&w, json, "at(6.0)", "at(6.5)");
    refuses(&w, json, "interval(2.0, 5.0)", "interval(2.0, 4.9)");
    // The second of the pieces left out.
    const char *second = strstr(json, "on(a, interval(5.0, 8.0))");
    assert_non_null(second);
    const char *from = second;
    while (*from != '{')
        from--;
    const char *to = strchr(second, '}') + 1;
    const char *less = arena_format(w.a->texts, "%.*s%s", (int)(from - 1 - json), json, to);
    assert_false(replays(&w, less, why, sizeof why));
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_facts_and_recursion_are_proved),
        cmocka_unit_test(terms_lists_and_wide_integers_are_proved),
        cmocka_unit_test(builtins_over_lists_and_texts_are_proved),
        cmocka_unit_test(some_instant_is_proved),
        cmocka_unit_test(negation_is_proved),
        cmocka_unit_test(aggregates_are_proved),
        cmocka_unit_test(times_are_proved),
        cmocka_unit_test(recursion_over_time_is_proved),
        cmocka_unit_test(a_best_value_is_proved_by_a_derivation_that_nothing_betters),
        cmocka_unit_test(rows_of_the_log_are_cited),
        cmocka_unit_test(other_episodes_are_cited),
        cmocka_unit_test(a_proof_reads_as_a_tree),
        cmocka_unit_test(a_long_chain_is_cut_and_counted),
        cmocka_unit_test(a_cut_says_what_it_rests_on_and_how_to_see_it),
        cmocka_unit_test(why_is_asked_for_itself),
        cmocka_unit_test(what_a_builtin_gives_is_computed_anew),
        cmocka_unit_test(a_proof_that_was_tampered_with_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

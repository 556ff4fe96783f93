// tests/query/derive/test_joins.c - joins of intervals, aggregates and long recursions against what
// a double loop finds; and that they try little more than what they find.
#include "tests/query/querylib.h"

static uint64_t state;
static uint32_t draw(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

typedef struct span {
    uint32_t key;
    int start, end;
} span;

#define SPANS 400
typedef struct spans {
    span a[SPANS], b[SPANS];
} spans;

// Many of one key, so that an order pays; a few long ones; unless `proper` a few that end before
// they start.
static void make(spans *s, uint32_t keys, bool proper) {
    for (uint32_t i = 0; i < 2 * SPANS; i++) {
        span *x = i < SPANS ? &s->a[i] : &s->b[i - SPANS];
        x->key = draw(keys);
        x->start = (int)draw(900);
        x->end = x->start + 1 + (int)(draw(25) == 0 ? draw(90) : draw(8));
        if (!proper && draw(20) == 0)
            x->end = x->start - (int)draw(5);
    }
}

static bool is_first(const span *all, uint32_t i) {
    for (uint32_t k = 0; k < i; k++) {
        if (all[k].key == all[i].key && all[k].start == all[i].start && all[k].end == all[i].end)
            return false;
    }
    return true;
}

typedef ARRAY(char) chars;
static void put(chars *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(chars *to, const char *format, ...) {
    char line[200];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (int i = 0; i < n; i++)
        array_push(to, line[i]);
}

// `mixed`: some ends are floats, which compare with integers by value.
static asked *open_spans(const spans *s, bool mixed, const char *rules) {
    chars text = {0};
    for (uint32_t i = 0; i < SPANS; i++) {
        put(&text, "a(%u, %d, %d%s).\n", s->a[i].key, s->a[i].start, s->a[i].end,
            mixed && s->a[i].end % 3 == 0 ? ".0" : "");
        put(&text, "b(%u, %d%s, %d).\n", s->b[i].key, s->b[i].start,
            mixed && s->b[i].start % 4 == 0 ? ".0" : "", s->b[i].end);
    }
    for (const char *c = rules; *c; c++)
        array_push(&text, *c);
    array_push(&text, 0);
    asked *q = asked_open(1000, NULL);
    asked_load(q, text.items);
    array_finish(&text);
    return q;
}

typedef bool pair_test(span x, span y);

static size_t pairs(const spans *s, pair_test *holds) {
    size_t n = 0;
    for (uint32_t i = 0; i < SPANS; i++) {
        for (uint32_t k = 0; k < SPANS; k++) {
            n += s->a[i].key == s->b[k].key && is_first(s->a, i) && is_first(s->b, k) &&
                 holds(s->a[i], s->b[k]);
        }
    }
    return n;
}

static size_t count_of(asked *q, const char *query) {
    errors list = {0};
    answers *got = NULL;
    if (engine_query(q->engine, "query", query, &got, &list) != OK)
        fail_msg("%s: %s", query, asked_errors(q, &list));
    size_t n = answers_count(got);
    answers_destroy(got);
    return n;
}

#define PAIR(name, condition)                                                                      \
    static bool name(span x, span y) {                                                             \
        return condition;                                                                          \
    }
PAIR(shares, x.start < y.end && y.start < x.end)
PAIR(touches, x.start <= y.end && y.start <= x.end)
PAIR(begins_later, y.start > x.end)
PAIR(within_five, y.start >= x.start - 5 && y.start <= x.start + 5)
PAIR(reaches_far, y.end >= x.end + 800)
PAIR(before, x.end < y.start)
PAIR(after, y.end < x.start)
PAIR(meets, x.end == y.start)
PAIR(met_by, y.end == x.start)
PAIR(overlaps, x.start < y.start && y.start < x.end && x.end < y.end)
PAIR(overlapped_by, y.start < x.start && x.start < y.end && y.end < x.end)
PAIR(starts, x.start == y.start && x.end < y.end)
PAIR(started_by, x.start == y.start && y.end < x.end)
PAIR(during, y.start < x.start && x.end < y.end)
PAIR(contains, x.start < y.start && y.end < x.end)
PAIR(finishes, x.end == y.end && y.start < x.start)
PAIR(finished_by, x.end == y.end && x.start < y.start)
PAIR(equals, x.start == y.start && x.end == y.end)
// An empty interval holds no instant that it could share.
PAIR(share_instants, shares(x, y) && x.start < x.end && y.start < y.end)

static void comparisons_of_ends_find_what_a_double_loop_finds(void **unused) {
    (void)unused;
    static const struct {
        const char *condition;
        pair_test *holds;
    } all[] = {{"S1 < E2, S2 < E1", shares},
               {"S2 < E1, E2 > S1", shares},
               {"S1 =< E2, E1 >= S2", touches},
               {"S2 > E1", begins_later},
               {"S2 >= S1 - 5, S2 =< S1 + 5", within_five},
               {"E2 >= E1 + 800", reaches_far}};
    state = 1;
    for (uint32_t round = 0; round < 4; round++) {
        static spans s;
        make(&s, round % 2 ? 3 : 1, false);
        asked *q = open_spans(&s, round >= 2, "");
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            // Either may be read first.
            const char *one =
                arena_format(q->texts, "a(K, S1, E1), b(K, S2, E2), %s", all[i].condition);
            const char *other =
                arena_format(q->texts, "%s, b(K, S2, E2), a(K, S1, E1)", all[i].condition);
            size_t expected = pairs(&s, all[i].holds);
            assert_int_equal(count_of(q, one), expected);
            assert_int_equal(count_of(q, other), expected);
        }
        asked_close(q);
    }
}

static void relations_of_intervals_find_what_a_double_loop_finds(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        pair_test *holds;
    } all[] = {{"before", before},     {"after", after},
               {"meets", meets},       {"met_by", met_by},
               {"overlaps", overlaps}, {"overlapped_by", overlapped_by},
               {"starts", starts},     {"started_by", started_by},
               {"during", during},     {"contains", contains},
               {"finishes", finishes}, {"finished_by", finished_by},
               {"equals", equals},     {"intersects", share_instants}};
    state = 2;
    static spans s;
    make(&s, 2, false);
    asked *q = open_spans(&s, true, "");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *query = arena_format(
            q->texts, "a(K, S1, E1), b(K, S2, E2), %s(interval(S1, E1), interval(S2, E2))",
            all[i].name);
        assert_int_equal(count_of(q, query), pairs(&s, all[i].holds));
        query = arena_format(
            q->texts, "a(K, S1, E1), b(K, S2, E2), not %s(interval(S1, E1), interval(S2, E2))",
            all[i].name);
        size_t negated = 0;
        for (uint32_t x = 0; x < SPANS; x++) {
            for (uint32_t y = 0; y < SPANS; y++)
                negated += s.a[x].key == s.b[y].key && is_first(s.a, x) && is_first(s.b, y) &&
                           !all[i].holds(s.a[x], s.b[y]);
        }
        assert_int_equal(count_of(q, query), negated);
    }
    asked_close(q);
}

// Instants at which a key holds in both, in one, in one and not in the other.
static void instants_of_rules_are_those_of_a_painted_line(void **unused) {
    (void)unused;
    state = 3;
    for (uint32_t round = 0; round < 3; round++) {
        static spans s;
        make(&s, 3, true);
        asked *q = open_spans(&s, false,
                              ":- temporal p on 2.\n:- temporal q on 2.\n:- temporal both on 2.\n"
                              ":- temporal only on 2.\n:- temporal late on 2.\n"
                              "p(K, interval(S, E)) :- a(K, S, E).\n"
                              "q(K, interval(S, E)) :- b(K, S, E).\n"
                              "both(K, T) :- p(K, T), q(K, T).\n"
                              "only(K, T) :- p(K, T), not q(K, T).\n"
                              "late(K, T) :- q(K, T), p(K, T), T >= 450.\n"
                              "at_start(K, S) :- a(K, S, _), q(K, at(S)).\n"
                              "free_at_start(K, S) :- a(K, S, _), not q(K, at(S)).\n"
                              "meets_some(K, S, E) :- a(K, S, E), q(K, during(S, E)).\n"
                              "inside(K, S, E) :- a(K, S, E), q(K, throughout(S, E)).\n"
                              "not_inside(K, S, E) :- a(K, S, E), not q(K, throughout(S, E)).\n");
        static bool p[3][1001], r[3][1001];
        memset(p, 0, sizeof p);
        memset(r, 0, sizeof r);
        for (uint32_t i = 0; i < SPANS; i++) {
            for (int t = s.a[i].start; t < s.a[i].end; t++)
                p[s.a[i].key][t] = true;
            for (int t = s.b[i].start; t < s.b[i].end; t++)
                r[s.b[i].key][t] = true;
        }
        size_t both = 0, only = 0, late = 0;
        for (uint32_t k = 0; k < 3; k++) {
            for (int t = 0; t < 1000; t++) {
                bool b = p[k][t] && r[k][t], o = p[k][t] && !r[k][t];
                both += b && !(t > 0 && p[k][t - 1] && r[k][t - 1]);
                only += o && !(t > 0 && p[k][t - 1] && !r[k][t - 1]);
                late += b && t >= 450 && !(t > 450 && p[k][t - 1] && r[k][t - 1]);
            }
        }
        assert_int_equal(count_of(q, "both(K, interval(S, E))"), both);
        assert_int_equal(count_of(q, "only(K, interval(S, E))"), only);
        assert_int_equal(count_of(q, "late(K, interval(S, E))"), late);
        size_t at = 0, freely = 0, some = 0, inside = 0, outside = 0;
        bool seen[3][1001] = {{false}};
        for (uint32_t i = 0; i < SPANS; i++) {
            const span *x = &s.a[i];
            if (!seen[x->key][x->start]) {
                at += r[x->key][x->start];
                freely += !r[x->key][x->start];
            }
            seen[x->key][x->start] = true;
            if (!is_first(s.a, i))
                continue;
            bool any = false, all = true;
            for (int t = x->start; t < x->end; t++) {
                any = any || r[x->key][t];
                all = all && r[x->key][t];
            }
            some += any;
            inside += all;
            outside += !all;
        }
        assert_int_equal(count_of(q, "at_start(K, S)"), at);
        assert_int_equal(count_of(q, "free_at_start(K, S)"), freely);
        assert_int_equal(count_of(q, "meets_some(K, S, E)"), some);
        assert_int_equal(count_of(q, "inside(K, S, E)"), inside);
        assert_int_equal(count_of(q, "not_inside(K, S, E)"), outside);
        asked_close(q);
    }
}

static uint64_t steps_of(asked *q, const char *query) {
    count_of(q, query);
    return engine_last_cost(q->engine).steps;
}

// Two relations of n intervals of one key, each of which meets two others.
static asked *open_rows(uint32_t n, const char *more) {
    asked *q = asked_open(1000, NULL);
    asked_load(q, arena_format(q->texts,
                               "n(0).\nn(Y) :- n(X), X < %u, Y = X + 1.\n"
                               "a(k, S, E) :- n(X), S = X * 10, E = S + 8.\n"
                               "b(k, S, E) :- n(X), S = X * 10 + 5, E = S + 8.\n%s",
                               n, more));
    return q;
}

static void a_join_of_intervals_tries_little_more_than_it_finds(void **unused) {
    (void)unused;
    const uint32_t n = 20000;
    asked *q = open_rows(n, "");
    // Derived and kept first: what is counted is the join.
    count_of(q, "N = count { a(_, _, _) }, M = count { b(_, _, _) }");
    static const char *const queries[] = {
        "a(K, S1, E1), b(K, S2, E2), S1 < E2, S2 < E1",
        "S2 < E1, b(K, S2, E2), S1 < E2, a(K, S1, E1)",
        "a(K, S1, E1), b(K, S2, E2), intersects(interval(S1, E1), interval(S2, E2))",
        "a(_, S1, E1), b(_, S2, E2), S1 < E2, S2 < E1",
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        assert_int_equal(count_of(q, queries[i]), 2 * n + 1);
        assert_true(engine_last_cost(q->engine).steps < 40 * n);
    }
    asked_close(q);
}

static void groups_are_folded_once_for_all_who_ask(void **unused) {
    (void)unused;
    asked *q = asked_open(10, NULL);
    asked_load(q, "n(0).\nn(Y) :- n(X), X < 9999, Y = X + 1.\n"
                  "g(X, G, H) :- n(X), G = X mod 4, H = X mod 10.\n"
                  "size(X, N) :- g(X, G, _), N = count { Y : g(Y, G, _) }.\n"
                  "part(G, H, N) :- N = count { Y : g(Y, G, H) }.\n"
                  "of(X, H, N) :- n(X), X < 4, N = count { Y : g(Y, X, H) }.\n"
                  "listed(G, L) :- L = list { Y : g(Y, G, _), Y < 12 }.\n"
                  "none(X, N) :- n(X), X < 3, N = sum { Y : g(Y, 77, X) }.\n");
    expect(q, "N = count { X : size(X, 2500) }", "10000");
    expect(q, "part(1, H, N)", "1 500; 3 500; 5 500; 7 500; 9 500");
    expect(q, "of(2, H, N)", "0 500; 2 500; 4 500; 6 500; 8 500");
    expect(q, "listed(3, L)", "[3, 7, 11]");
    expect(q, "none(X, N)", "0 0; 1 0; 2 0");
    // A result that is asked for, in any kind of number.
    expect(q, "g(5, G, _), N = 2500.0, N = count { Y : g(Y, G, _) }", "1 2500.0");
    asked_close(q);
}

static void a_long_recursion_needs_no_stack(void **unused) {
    (void)unused;
    asked *q = asked_open(10, NULL);
    asked_load(q, "n(0).\nn(Y) :- n(X), X < 200000, Y = X + 1.\n"
                  "edge(X, Y) :- n(X), Y = X + 1.\n"
                  "reach(0).\nreach(X) :- reach(Y), edge(Y, X).\n"
                  "even(0).\nodd(Y) :- even(X), edge(X, Y).\neven(Y) :- odd(X), edge(X, Y).\n");
    expect(q, "N = count { X : reach(X) }", "200002");
    expect(q, "N = count { X : odd(X) }, M = count { X : even(X) }", "100001 100001");
    // Each step of it costs the same: it is the number of rows that counts.
    assert_true(steps_of(q, "reach(200001)") < 2000000);
    asked_close(q);
}

static void ticks_in_any_order_make_one_interval(void **unused) {
    (void)unused;
    asked *q = asked_open(1000, NULL);
    asked_load(q, ":- temporal held on 2.\n:- temporal mixed on 2.\n:- temporal apart on 2.\n"
                  "n(0).\nn(Y) :- n(X), X < 9999, Y = X + 1.\n"
                  "held(a, interval(S, E)) :- n(X), S = X * 0.01, E = S + 0.01.\n"
                  "mixed(a, interval(S, E)) :- n(X), S = (X * 7919) mod 10000 * 0.01, "
                  "E = S + 0.01.\n"
                  "apart(a, interval(S, E)) :- n(X), S = (X * 7919) mod 10000 * 0.01, "
                  "E = S + 0.005.\n");
    expect(q, "held(a, interval(S, E))", "0.0 100.0");
    expect(q, "mixed(a, interval(S, E))", "0.0 100.0");
    expect(q, "N = count { apart(a, interval(S, E)) }", "10000");
    expect(q, "apart(a, interval(S, E)), S > 99.98", "99.99 99.995");
    asked_close(q);
}

// The order in which literals are written changes neither answers nor work by much.
static void the_order_written_does_not_matter(void **unused) {
    (void)unused;
    asked *q = asked_open(1000, NULL);
    asked_load(q, "n(0).\nn(Y) :- n(X), X < 2999, Y = X + 1.\n"
                  "big(X, Y) :- n(X), Y = X mod 30.\n"
                  "wide(X, Y) :- n(X), Y = (X * 7) mod 3000.\n"
                  "small(X) :- n(X), X < 7.\n"
                  "tag(X, C) :- n(X), X mod 100 = 1, C = red.\n");
    count_of(q, "N = count { big(_, _) }, M = count { wide(_, _) }, K = count { small(_) }, "
                "L = count { tag(_, _) }");
    static const char *const parts[] = {"big(X, Y)", "wide(X, Z)", "small(Y)", "tag(Z, red)",
                                        "X != Z"};
    uint64_t least = UINT64_MAX, most = 0;
    size_t answers_found = SIZE_MAX;
    for (uint32_t i = 0; i < 120; i++) {
        uint32_t left[5] = {0, 1, 2, 3, 4}, n = 5, code = i;
        const char *query = "";
        while (n > 0) {
            uint32_t at = code % n;
            code /= n;
            query = arena_format(q->texts, "%s%s%s", query, n < 5 ? ", " : "", parts[left[at]]);
            left[at] = left[--n];
        }
        size_t found = count_of(q, query);
        uint64_t steps = engine_last_cost(q->engine).steps;
        assert_true(answers_found == SIZE_MAX || found == answers_found);
        answers_found = found;
        least = steps < least ? steps : least;
        most = steps > most ? steps : most;
    }
    assert_true(answers_found > 0);
    assert_true(most <= 2 * least);
    asked_close(q);
}

static void a_query_that_is_interrupted_can_be_asked_again(void **unused) {
    (void)unused;
    asked *q = open_rows(3000, "");
    errors list = {0};
    answers *got = NULL;
    engine_interrupt(q->engine);
    assert_int_equal(
        engine_query(q->engine, "query", "a(K, S1, E1), b(K, S2, E2), S1 < E2", &got, &list),
        E_INTERRUPTED);
    errors_finish(&list);
    assert_int_equal(count_of(q, "a(K, S1, E1), b(K, S2, E2), S1 < E2, S2 < E1"), 6001);
    asked_close(q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_of_ends_find_what_a_double_loop_finds),
        cmocka_unit_test(relations_of_intervals_find_what_a_double_loop_finds),
        cmocka_unit_test(instants_of_rules_are_those_of_a_painted_line),
        cmocka_unit_test(a_join_of_intervals_tries_little_more_than_it_finds),
        cmocka_unit_test(groups_are_folded_once_for_all_who_ask),
        cmocka_unit_test(a_long_recursion_needs_no_stack),
        cmocka_unit_test(ticks_in_any_order_make_one_interval),
        cmocka_unit_test(the_order_written_does_not_matter),
        cmocka_unit_test(a_query_that_is_interrupted_can_be_asked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

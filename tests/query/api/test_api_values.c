// tests/query/api/test_api_values.c - values of the interface to C: taken apart, made and bound;
// facts from memory, predicates of the caller's own, several episodes, and a look at what runs.
#include <math.h>

#include "tests/query/api/apilib.h"

static foresee_value symbol(foresee *f, const char *text) {
    return foresee_make_symbol(f, text);
}

static foresee_value number(foresee *f, int64_t n) {
    return foresee_make_int64(f, n);
}

// The first answer's column, its query finalized: values outlive it.
static foresee_value ask_for(foresee *f, const char *query, int column) {
    foresee_query *q = prepare(f, query);
    assert_int_equal(foresee_step(q), FORESEE_ROW);
    foresee_value v = foresee_column_value(q, column);
    foresee_finalize(q);
    return v;
}

// ---- Taking apart ----

static void a_value_is_taken_apart(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee_value v = ask_for(o.f, "X = on(cup, [1, 2.5, \"a b\", [] | tail], at(start + 1))", 0);
    foresee_value parts[3], items[9];
    assert_int_equal(foresee_value_type(o.f, v), FORESEE_COMPOUND);
    assert_string_equal(foresee_value_name(o.f, v), "on");
    assert_null(foresee_value_text(o.f, v));
    assert_int_equal(foresee_value_parts(o.f, v, NULL, 0), 3);
    assert_int_equal(foresee_value_parts(o.f, v, parts, 3), 3);
    assert_int_equal(foresee_value_type(o.f, parts[0]), FORESEE_SYMBOL);
    assert_string_equal(foresee_value_text(o.f, parts[0]), "cup");
    assert_null(foresee_value_name(o.f, parts[0]));
    assert_int_equal(foresee_value_parts(o.f, parts[0], items, 9), 0);
    // What stands behind the bar is the last part; no more is written than there is room.
    memset(items, 0, sizeof items);
    assert_int_equal(foresee_value_parts(o.f, parts[1], items, 2), 5);
    assert_int_equal(items[2], 0);
    assert_int_equal(foresee_value_parts(o.f, parts[1], items, 9), 5);
    assert_false(foresee_value_is_list(o.f, parts[1]));
    assert_true(foresee_value_is_list(o.f, foresee_make_term(o.f, "[a, b]")));
    assert_true(foresee_value_is_list(o.f, foresee_make_list(o.f, NULL, 0)));
    assert_false(foresee_value_is_list(o.f, v));
    assert_false(foresee_value_is_list(o.f, 0));
    assert_null(foresee_value_name(o.f, parts[1]));
    assert_int_equal(foresee_value_int64(o.f, items[0]), 1);
    assert_true(foresee_value_double(o.f, items[1]) == 2.5);
    assert_int_equal(foresee_value_int64(o.f, items[1]), 2);
    assert_int_equal(foresee_value_type(o.f, items[2]), FORESEE_STRING);
    assert_string_equal(foresee_value_text(o.f, items[2]), "a b");
    assert_int_equal(foresee_value_type(o.f, items[3]), FORESEE_COMPOUND);
    assert_null(foresee_value_text(o.f, items[3]));
    assert_int_equal(foresee_value_parts(o.f, items[3], NULL, 0), 0);
    assert_string_equal(foresee_value_text(o.f, items[4]), "tail");
    assert_int_equal(foresee_value_parts(o.f, parts[2], items, 1), 1);
    assert_int_equal(foresee_value_type(o.f, items[0]), FORESEE_TIME);
    assert_int_equal(foresee_value_time(o.f, items[0]), 1000000000);
    char *text = NULL;
    assert_int_equal(foresee_value_term(o.f, parts[1], &text), FORESEE_OK);
    assert_string_equal(text, "[1, 2.5, \"a b\", [] | tail]");
    foresee_free(text);
    close_log(&o);
}

static void a_pose_is_seven_numbers(void **state) {
    (void)state;
    opened o = open_log(1);
    double p[7] = {9};
    assert_true(foresee_value_pose(o.f, foresee_make_term(o.f, "pose(1, 2.5, 3, 1, 0, 0, 0)"), p));
    assert_true(p[0] == 1 && p[1] == 2.5 && p[2] == 3 && p[3] == 1 && p[6] == 0);
    assert_true(foresee_value_pose(o.f, foresee_make_term(o.f, "pose2(1, 2, 0)"), p));
    assert_true(p[0] == 1 && p[1] == 2 && p[2] == 0 && p[3] == 1);
    p[0] = 9;
    assert_false(foresee_value_pose(o.f, symbol(o.f, "cup"), p));
    assert_false(foresee_value_pose(o.f, foresee_make_term(o.f, "pose(1, a)"), p));
    assert_true(p[0] == 9);
    close_log(&o);
}

static void no_number_harms_what_takes_values(void **state) {
    (void)state;
    opened o = open_log(1);
    double p[7];
    char *text = NULL;
    foresee *none = NULL;
    for (int kind = 0; kind < 8; kind++) {
        for (uint64_t payload = 0; payload < 3; payload++) {
            foresee_value v =
                (payload == 2 ? UINT64_MAX << 3 : payload * 1000000 << 3) | (unsigned)kind;
            foresee_value_type(o.f, v);
            foresee_value_int64(o.f, v);
            foresee_value_double(o.f, v);
            foresee_value_time(o.f, v);
            foresee_value_text(o.f, v);
            foresee_value_name(o.f, v);
            foresee_value_parts(o.f, v, NULL, 9);
            foresee_value_pose(o.f, v, p);
            if (foresee_value_term(o.f, v, &text) == FORESEE_OK)
                foresee_free(text);
            assert_int_equal(foresee_value_type(none, v), 0);
            assert_null(foresee_value_text(none, v));
            assert_int_equal(foresee_value_parts(none, v, NULL, 0), 0);
        }
    }
    assert_int_equal(foresee_value_type(o.f, 0), 0);
    failed(o.f, foresee_value_term(o.f, 0, &text), FORESEE_MISUSE, "no value");
    failed(o.f, foresee_value_term(o.f, number(o.f, 1), NULL), FORESEE_MISUSE, "place");
    assert_int_equal(foresee_value_term(NULL, 1, &text), FORESEE_MISUSE);
    assert_int_equal(foresee_make_int64(NULL, 1), 0);
    assert_int_equal(foresee_make_list(NULL, NULL, 0), 0);
    assert_int_equal(foresee_make_term(NULL, "a"), 0);
    close_log(&o);
}

// ---- Making and binding ----

static void values_are_made_and_bound(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee *f = o.f;
    foresee_value items[] = {number(f, INT64_MAX), foresee_make_double(f, 1), symbol(f, "it's"),
                             foresee_make_string(f, "x"), foresee_make_time(f, 1234567891)};
    foresee_value list = foresee_make_list(f, items, 5);
    foresee_value on = foresee_make_compound(f, "on", (foresee_value[]){list, items[2]}, 2);
    char *text = NULL;
    assert_int_equal(foresee_value_term(f, on, &text), FORESEE_OK);
    assert_string_equal(text,
                        "on([9223372036854775807, 1.0, 'it\\'s', \"x\", 1.234567891], 'it\\'s')");
    foresee_free(text);
    // The same value is the same number.
    assert_int_equal(foresee_make_list(f, items, 5), list);
    assert_int_not_equal(number(f, 1), foresee_make_double(f, 1));
    assert_int_equal(foresee_make_term(f, "[]"), foresee_make_list(f, NULL, 0));
    // Bound, it is exactly that: the instant within keeps its nanosecond.
    foresee_query *q = prepare(f, "X = on(L, _), nth(5, L, T), is_time(T)");
    assert_string_equal(foresee_variable_at(q, 0), "X");
    assert_string_equal(foresee_variable_at(q, 2), "T");
    assert_null(foresee_variable_at(q, 3));
    assert_null(foresee_variable_at(q, -1));
    assert_int_equal(foresee_bind(q, 0, on), FORESEE_OK);
    assert_int_equal(foresee_step(q), FORESEE_ROW);
    assert_int_equal(foresee_column_value(q, 0), on);
    assert_int_equal(foresee_column_time(q, 2), 1234567891);
    assert_int_equal(foresee_step(q), FORESEE_DONE);
    failed(f, foresee_bind(q, 0, on), FORESEE_MISUSE, "reset");
    foresee_reset(q);
    failed(f, foresee_bind(q, 3, on), FORESEE_MISUSE, "no variable 3");
    failed(f, foresee_bind(q, 0, 0), FORESEE_MISUSE, "value");
    failed(f, foresee_bind_value(q, "Y", on), FORESEE_MISUSE, "'Y'");
    foresee_finalize(q);
    // By name, hidden variables included; a bound instant narrows a table of the log.
    q = prepare(f, "contact(_, A, B, S, _E)");
    assert_string_equal(foresee_variable_at(q, 3), "_E");
    assert_int_equal(foresee_bind(q, 2, items[4]), FORESEE_OK);
    assert_int_equal(foresee_bind_value(q, "A", symbol(f, "cup")), FORESEE_OK);
    assert_string_equal(all(q), "cup table 1.234567891");
    foresee_reset(q);
    assert_int_equal(foresee_bind(q, 3, foresee_make_time(f, 5)), FORESEE_OK);
    assert_string_equal(all(q), "");
    foresee_clear_bindings(q);
    foresee_reset(q);
    foresee_clear_bindings(q);
    assert_string_equal(all(q), "cup table 1.234567891; cup table 3.0");
    foresee_finalize(q);
    close_log(&o);
}

static void what_is_no_value_is_not_made(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee *f = o.f;
    assert_int_equal(foresee_make_double(f, NAN), 0);
    failed(f, FORESEE_MISUSE, FORESEE_MISUSE, "not a number");
    assert_int_equal(foresee_make_time(f, INT64_MAX), 0);
    failed(f, FORESEE_MISUSE, FORESEE_MISUSE, "18 years");
    assert_int_equal(foresee_make_symbol(f, NULL), 0);
    failed(f, FORESEE_MISUSE, FORESEE_MISUSE, "text");
    assert_int_equal(foresee_make_compound(f, "on", NULL, 2), 0);
    failed(f, FORESEE_MISUSE, FORESEE_MISUSE, "argument");
    assert_int_equal(foresee_make_list(f, (foresee_value[]){0}, 1), 0);
    failed(f, FORESEE_MISUSE, FORESEE_MISUSE, "part 0");
    assert_int_equal(foresee_make_term(f, "on(X)"), 0);
    failed(f, FORESEE_MISUSE, FORESEE_MISUSE, "variables");
    assert_int_equal(foresee_make_term(f, "on("), 0);
    failed(f, FORESEE_MISUSE, FORESEE_MISUSE, "query:1:");
    foresee_value deep = number(f, 1);
    for (int i = 0; i < 200; i++)
        deep = foresee_make_compound(f, "s", &deep, 1);
    assert_int_not_equal(deep, 0);
    assert_int_equal(foresee_make_compound(f, "s", &deep, 1), 0);
    failed(f, FORESEE_MISUSE, FORESEE_MISUSE, "200");
    // The connection is none the worse for it.
    assert_int_not_equal(number(f, 7), 0);
    expect(f, "object(X, _, _)", "cup; table");
    close_log(&o);
}

// ---- Facts from memory ----

static void facts_come_from_memory(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee *f = o.f;
    foresee_value rows[] = {symbol(f, "cup"), number(f, 3),     symbol(f, "fork"),
                            number(f, 5),     symbol(f, "cup"), number(f, 3)}; // each once
    assert_int_equal(foresee_load_facts(f, "scale", "weighs", 2, rows, 3), FORESEE_OK);
    expect(f, "weighs(X, N)", "cup 3; fork 5");
    load(f, "heavy(X) :- weighs(X, N), N > 4.");
    expect(f, "heavy(X)", "fork");
    expect(f, "object(X, _, _), not weighs(X, _)", "table");
    expect(f, "S = sum { N : weighs(_, N) }", "8");
    assert_string_equal(foresee_file_at(f, 0), "scale");
    // They are replaced under their name, whatever was derived from them.
    foresee_query *q = prepare(f, "heavy(X)");
    assert_string_equal(all(q), "fork");
    assert_int_equal(foresee_load_facts(f, "scale", "weighs", 2,
                                        (foresee_value[]){symbol(f, "table"), number(f, 90)}, 1),
                     FORESEE_OK);
    foresee_reset(q);
    assert_string_equal(all(q), "table");
    foresee_finalize(q);
    // A proof tells of them as of a table.
    char *text = NULL;
    assert_int_equal(foresee_explain(f, "heavy(table)", "text", &text), FORESEE_OK);
    assert_non_null(strstr(text, "weighs(table, 90)"));
    assert_non_null(strstr(text, "memory: scale 1\n"));
    foresee_free(text);
    assert_int_equal(foresee_explain(f, "heavy(cup)", "text", &text), FORESEE_DONE);
    foresee_free(text);
    foresee_predicate p;
    bool listed = false;
    for (size_t i = 0; !listed && foresee_predicate_at(f, i, &p); i++)
        listed = strcmp(p.name, "weighs") == 0 && strcmp(p.kind, "fact") == 0 && p.arity == 2;
    assert_true(listed);
    // None at all are facts, too; rules need them until they go.
    assert_int_equal(foresee_load_facts(f, "scale", "weighs", 2, NULL, 0), FORESEE_OK);
    expect(f, "heavy(X)", "");
    failed(f, foresee_unload(f, "scale"), FORESEE_INPUT, "weighs/2");
    expect(f, "heavy(X)", "");
    assert_int_equal(foresee_unload(f, "rules.dl"), FORESEE_OK);
    assert_int_equal(foresee_unload(f, "scale"), FORESEE_OK);
    failed(f, foresee_prepare(f, "weighs(X, _)", &q), FORESEE_INPUT, "weighs/2");
    close_log(&o);
}

static void a_column_of_instants_is_one_of_times(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee_value rows[] = {foresee_make_time(o.f, 1250000000), number(o.f, 1),
                            foresee_make_time(o.f, 1500000001), number(o.f, 2)};
    assert_int_equal(foresee_load_facts(o.f, "beats", "beat", 2, rows, 2), FORESEE_OK);
    expect(o.f, "beat(1.25, N)", "1");
    expect(o.f, "beat(T, N), T > 1.3", "1.500000001 2");
    expect(o.f, "contact(_, cup, _, S, _), beat(T, _), D = T - S, D > 0, D < 0.1",
           "1.234567891 1.25 0.015432109");
    close_log(&o);
}

static void facts_that_cannot_be_are_refused(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee *f = o.f;
    foresee_value row[] = {number(f, 1), number(f, 2)};
    failed(f, foresee_load_facts(f, NULL, "p", 1, row, 1), FORESEE_MISUSE, "name");
    failed(f, foresee_load_facts(f, "m", NULL, 1, row, 1), FORESEE_MISUSE, "name");
    failed(f, foresee_load_facts(f, "m", "p", 0, row, 1), FORESEE_MISUSE, "not 0");
    failed(f, foresee_load_facts(f, "m", "p", 32, row, 1), FORESEE_MISUSE, "not 32");
    failed(f, foresee_load_facts(f, "m", "p", 1, NULL, 1), FORESEE_MISUSE, "values");
    failed(f, foresee_load_facts(f, "m", "p", 2, (foresee_value[]){row[0], 0}, 1), FORESEE_MISUSE,
           "argument 2 of fact 1");
    failed(f, foresee_load_facts(f, "m", "object", 3, row, 0), FORESEE_INPUT, "object/3");
    failed(f, foresee_load_facts(f, "m", "member", 2, row, 1), FORESEE_INPUT, "built in");
    load(f, ":- split held on 1. held(on(a)). mine(1).");
    failed(f, foresee_load_facts(f, "m", "held", 1, row, 1), FORESEE_INPUT, "split");
    failed(f, foresee_load_facts(f, "m", "mine", 1, row, 1), FORESEE_INPUT, "rules");
    assert_int_equal(foresee_load_facts(f, "m", "p", 1, row, 2), FORESEE_OK);
    failed(f, foresee_load_facts(f, "n", "p", 1, row, 2), FORESEE_INPUT, "p/1");
    failed(f, foresee_load_text(f, "n", "p(3)."), FORESEE_INPUT, "p/1");
    expect(f, "p(X)", "1; 2");
    // What fails leaves what stood under the name.
    failed(f, foresee_load_facts(f, "rules.dl", "p", 1, row, 1), FORESEE_INPUT, "p/1");
    expect(f, "mine(X)", "1");
    load(f, "needs(X) :- p(X).");
    failed(f, foresee_load_facts(f, "m", "q", 1, row, 1), FORESEE_INPUT, "p/1");
    expect(f, "needs(X)", "1; 2");
    close_log(&o);
}

// ---- Predicates of one's own ----

typedef struct counted {
    int calls, fails;
} counted;

static int twice(foresee_call *call, void *context) {
    counted *c = context;
    foresee *f = foresee_call_connection(call);
    c->calls++;
    foresee_value x = foresee_call_argument(call, 0);
    if (foresee_value_type(f, x) != FORESEE_INTEGER)
        return c->fails ? foresee_call_fail(call, "doubles whole numbers alone") : FORESEE_OK;
    int64_t n = foresee_value_int64(f, x);
    return foresee_call_answer(call, (foresee_value[]){0, foresee_make_int64(f, 2 * n)});
}

// divisor(+n, -d)
static int divisor(foresee_call *call, void *context) {
    (void)context;
    foresee *f = foresee_call_connection(call);
    int64_t n = foresee_value_int64(f, foresee_call_argument(call, 0));
    int code = FORESEE_OK;
    for (int64_t d = 1; d <= n && code == FORESEE_OK; d++)
        if (n % d == 0)
            code = foresee_call_answer(call, (foresee_value[]){0, foresee_make_int64(f, d)});
    return code;
}

static int next_second(foresee_call *call, void *context) {
    (void)context;
    foresee *f = foresee_call_connection(call);
    foresee_value t = foresee_call_argument(call, 0);
    assert_int_equal(foresee_value_type(f, t), FORESEE_TIME);
    foresee_value out[] = {0, foresee_make_time(f, foresee_value_time(f, t) + 1000000000)};
    return foresee_call_answer(call, out);
}

static void a_function_answers_a_predicate(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee *f = o.f;
    counted c = {0};
    assert_int_equal(foresee_define(f, "twice(+n: number, -m)", "M is N twice.", twice, &c),
                     FORESEE_OK);
    assert_int_equal(foresee_define(f, "divisor(+n, -d)", NULL, divisor, NULL), FORESEE_OK);
    expect(f, "X = 4, twice(X, Y)", "4 8");
    expect(f, "twice(4, 8)", "yes");
    expect(f, "twice(4, 9)", "");
    expect(f, "twice(a, Y)", "");
    load(f, "n(1). n(6). big(X, Y) :- n(X), twice(X, Y), not twice(Y, 4).");
    expect(f, "big(X, Y)", "6 12");
    expect(f, "divisor(6, D)", "1; 2; 3; 6");
    expect(f, "n(X), N = count { D : divisor(X, D) }", "1 1; 6 4");
    // What must be bound is said before anything runs, with the place.
    foresee_query *q = NULL;
    failed(f, foresee_prepare(f, "twice(X, Y), X > Y", &q), FORESEE_OK, "");
    failed(f, foresee_step(q), FORESEE_INPUT, "twice/2");
    foresee_finalize(q);
    // Instants come as instants, however they are written.
    assert_int_equal(foresee_define(f, "next_second(+t: time, -u: time)", "", next_second, NULL),
                     FORESEE_OK);
    expect(f, "next_second(1.5, T), is_time(T)", "2.5");
    expect(f, "contact(_, _, _, S, _), next_second(S, T)", "1.234567891 2.234567891; 3.0 4.0");
    // It is listed, proved, and explained.
    foresee_predicate p;
    bool listed = false;
    for (size_t i = 0; !listed && foresee_predicate_at(f, i, &p); i++)
        listed = strcmp(p.name, "twice") == 0;
    assert_true(listed);
    assert_string_equal(p.label, "twice(+n: number, -m)");
    assert_string_equal(p.documentation, "M is N twice.");
    char *text = NULL;
    assert_int_equal(foresee_explain(f, "big(6, Y)", "text", &text), FORESEE_OK);
    assert_non_null(strstr(text, "twice(6, 12)"));
    foresee_free(text);
    assert_int_equal(foresee_explain(f, "big(1, Y)", "text", &text), FORESEE_DONE);
    foresee_free(text);
    // Rules may not define it, and it may not take what is theirs.
    failed(f, foresee_load_text(f, "x", "twice(1, 3)."), FORESEE_INPUT, "built in");
    failed(f, foresee_define(f, "n(-x)", NULL, twice, &c), FORESEE_MISUSE, "n/1");
    failed(f, foresee_define(f, "member(-x, +l)", NULL, twice, &c), FORESEE_MISUSE, "member/2");
    failed(f, foresee_define(f, "object(-x, -k, -t)", NULL, twice, &c), FORESEE_MISUSE, "object/3");
    // Rules need it until they go.
    failed(f, foresee_define(f, "twice(+n, -m)", NULL, NULL, NULL), FORESEE_INPUT, "twice/2");
    expect(f, "big(X, Y)", "6 12");
    assert_int_equal(foresee_unload(f, "rules.dl"), FORESEE_OK);
    assert_int_equal(foresee_define(f, "twice(+n, -m)", NULL, NULL, NULL), FORESEE_OK);
    failed(f, foresee_prepare(f, "twice(1, X)", &q), FORESEE_INPUT, "twice/2");
    close_log(&o);
}

static int thrice(foresee_call *call, void *context) {
    (void)context;
    foresee *f = foresee_call_connection(call);
    int64_t n = foresee_value_int64(f, foresee_call_argument(call, 0));
    return foresee_call_answer(call, (foresee_value[]){0, foresee_make_int64(f, 3 * n)});
}

static void another_definition_replaces_what_was_derived(void **state) {
    (void)state;
    opened o = open_log(1);
    counted c = {0};
    assert_int_equal(foresee_define(o.f, "times(+n, -m)", NULL, twice, &c), FORESEE_OK);
    load(o.f, "n(1). n(6). m(Y) :- n(X), times(X, Y).");
    expect(o.f, "m(X)", "2; 12");
    int calls = c.calls;
    expect(o.f, "m(X), X > 2", "12"); // it was kept
    assert_int_equal(c.calls, calls);
    assert_int_equal(foresee_define(o.f, "times(+n, -m)", NULL, thrice, NULL), FORESEE_OK);
    expect(o.f, "m(X)", "3; 18");
    close_log(&o);
}

static int asks_itself(foresee_call *call, void *context) {
    foresee *f = foresee_call_connection(call);
    foresee_query **running = context, *q = NULL;
    failed(f, foresee_prepare(f, "true", &q), FORESEE_MISUSE, "cannot ask");
    failed(f, foresee_step(*running), FORESEE_MISUSE, "cannot ask");
    failed(f, foresee_choose(f, 2), FORESEE_MISUSE, "cannot ask");
    failed(f, foresee_load_text(f, "x", "y."), FORESEE_MISUSE, "cannot ask");
    failed(f, foresee_load(f, "x"), FORESEE_MISUSE, "cannot ask");
    failed(f, foresee_unload(f, "rules.dl"), FORESEE_MISUSE, "cannot ask");
    failed(f, foresee_load_facts(f, "x", "y", 1, NULL, 0), FORESEE_MISUSE, "cannot ask");
    failed(f, foresee_define(f, "y(-x)", NULL, asks_itself, NULL), FORESEE_MISUSE, "cannot ask");
    char *text = NULL;
    failed(f, foresee_explain(f, "true", NULL, &text), FORESEE_MISUSE, "cannot ask");
    foresee_finalize(*running);
    foresee_close(f);
    assert_int_equal(foresee_call_argument(call, 1), 0);
    assert_int_equal(foresee_call_argument(call, -1), 0);
    assert_int_equal(foresee_call_answer(NULL, NULL), FORESEE_MISUSE);
    assert_int_equal(foresee_call_fail(NULL, NULL), FORESEE_MISUSE);
    return foresee_call_answer(call, (foresee_value[]){foresee_make_int64(f, 1)});
}

static int gives_nothing(foresee_call *call, void *context) {
    (void)context;
    return foresee_call_answer(call, (foresee_value[]){0});
}

static void a_function_that_goes_wrong_ends_its_query_alone(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee *f = o.f;
    counted c = {.fails = 1};
    foresee_query *q = NULL;
    assert_int_equal(foresee_define(f, "twice(+n, -m)", NULL, twice, &c), FORESEE_OK);
    load(f, "n(1). n(a).\nm(Y) :- n(X), twice(X, Y).");
    q = prepare(f, "m(X)");
    failed(f, foresee_step(q), FORESEE_INPUT,
           "rules.dl:2:15: error: twice/2 doubles whole numbers");
    foresee_finalize(q);
    expect(f, "twice(2, X)", "4");
    assert_int_equal(foresee_define(f, "itself(-x)", NULL, asks_itself, &q), FORESEE_OK);
    q = prepare(f, "itself(X)");
    assert_string_equal(all(q), "1");
    foresee_finalize(q);
    assert_int_equal(foresee_define(f, "nothing(-x)", NULL, gives_nothing, NULL), FORESEE_OK);
    q = prepare(f, "nothing(X)");
    failed(f, foresee_step(q), FORESEE_INPUT, "has no value");
    foresee_finalize(q);
    static const char *const wrong[] = {"",
                                        "Twice(+n)",
                                        "twice",
                                        "twice(",
                                        "twice()",
                                        "twice(n)",
                                        "twice(+)",
                                        "twice(+n",
                                        "twice(+n: nonsense)",
                                        "twice(+n) more",
                                        "t(+a,-b,+c,-d,+e,-f,+g,-h,+i,-j)"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        failed(f, foresee_define(f, wrong[i], NULL, twice, &c), FORESEE_MISUSE, "declared");
    failed(f, foresee_define(f, NULL, NULL, twice, &c), FORESEE_MISUSE, "declared");
    failed(f, foresee_define(f, "absent(-x)", NULL, NULL, NULL), FORESEE_MISUSE, "absent/1");
    assert_int_equal(foresee_define(NULL, "a(-x)", NULL, twice, &c), FORESEE_MISUSE);
    close_log(&o);
}

// ---- Several episodes ----

static void queries_stay_open_while_episodes_are_chosen(void **state) {
    (void)state;
    opened o = open_log(1);
    foresee *f = o.f;
    counted c = {0};
    foresee_value rows[] = {foresee_make_double(f, 2.5), symbol(f, "gram")};
    assert_int_equal(foresee_load_facts(f, "units", "unit", 2, rows, 1), FORESEE_OK);
    assert_int_equal(foresee_define(f, "twice(+n, -m)", NULL, twice, &c), FORESEE_OK);
    load(f, "named(X) :- object(X, _, _).");
    foresee_query *one = prepare(f, "named(X), twice(1, N), unit(_, U)"), *two = NULL;
    assert_int_equal(foresee_step(one), FORESEE_ROW);
    assert_int_equal(foresee_choose(f, 2), FORESEE_OK);
    two = prepare(f, "named(Y), unit(N, _)");
    assert_int_equal(foresee_step(two), FORESEE_ROW);
    // By turns: each has the answers of its episode.
    assert_string_equal(foresee_column_text(one, 0), "cup");
    assert_string_equal(foresee_column_text(two, 0), "fork");
    assert_int_equal(foresee_step(one), FORESEE_ROW);
    assert_string_equal(foresee_column_text(one, 0), "table");
    assert_string_equal(foresee_column_text(one, 2), "gram");
    assert_true(foresee_column_double(two, 1) == 2.5);
    assert_int_equal(foresee_step(two), FORESEE_DONE);
    assert_int_equal(foresee_step(one), FORESEE_DONE);
    // Put back, it asks the episode that is chosen; bindings stay.
    assert_int_equal(foresee_reset(one), FORESEE_OK);
    assert_string_equal(all(one), "fork 2 gram");
    assert_int_equal(foresee_reset(one), FORESEE_OK);
    assert_int_equal(foresee_bind_symbol(one, "X", "cup"), FORESEE_OK);
    assert_string_equal(all(one), "");
    for (int i = 0; i < 5; i++) {
        assert_int_equal(foresee_choose(f, 1 + i % 2), FORESEE_OK);
        assert_int_equal(foresee_reset(one), FORESEE_OK);
        assert_string_equal(all(one), i % 2 ? "" : "cup 2 gram");
    }
    foresee_finalize(two);
    foresee_finalize(one);
    // With no query open all that was read goes; facts and functions stay.
    assert_int_equal(foresee_choose(f, 2), FORESEE_OK);
    expect(f, "named(X), unit(A, U), twice(2, N)", "fork 2.5 gram 4");
    expect(f, "in_episode(E, (object(X, _, _), unit(_, U), twice(3, N)))",
           "1 cup gram 6; 1 table gram 6; 2 fork gram 6");
    close_log(&o);
}

// ---- A look at what runs ----

typedef struct seen {
    foresee *f;
    int calls, end_at;
    uint64_t steps;
    double seconds;
} seen;

static int look(const foresee_progress *p, void *context) {
    seen *s = context;
    assert_true(p->steps >= s->steps && p->seconds >= s->seconds && p->bytes > 0);
    s->steps = p->steps;
    s->seconds = p->seconds;
    foresee_query *q = NULL;
    failed(s->f, foresee_prepare(s->f, "true", &q), FORESEE_MISUSE, "cannot ask");
    return ++s->calls == s->end_at;
}

static void whoever_looks_on_sees_it_run_and_may_end_it(void **state) {
    (void)state;
    opened o = open_log(1);
    load(o.f, "reach(0). reach(Y) :- reach(X), Y = X + 1.");
    seen s = {.f = o.f, .end_at = 4};
    assert_int_equal(foresee_on_progress(o.f, 0, look, &s), FORESEE_OK);
    foresee_query *q = prepare(o.f, "reach(X)");
    failed(o.f, foresee_step(q), FORESEE_INTERRUPTED, "interrupted");
    foresee_mistake m;
    assert_false(foresee_mistake_at(o.f, 1, &m)); // what it did wrong is no mistake of the query
    assert_int_equal(s.calls, 4);
    assert_true(s.steps > 0);
    foresee_finalize(q);
    // Nobody looks on any more; the query ends for another reason.
    assert_int_equal(foresee_on_progress(o.f, 1, NULL, NULL), FORESEE_OK);
    expect(o.f, "object(X, _, _)", "cup; table");
    assert_int_equal(s.calls, 4);
    failed(o.f, foresee_on_progress(o.f, -1, look, &s), FORESEE_MISUSE, "seconds");
    failed(o.f, foresee_on_progress(o.f, NAN, look, &s), FORESEE_MISUSE, "seconds");
    assert_int_equal(foresee_on_progress(NULL, 1, look, &s), FORESEE_MISUSE);
    close_log(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_taken_apart),
        cmocka_unit_test(a_pose_is_seven_numbers),
        cmocka_unit_test(no_number_harms_what_takes_values),
        cmocka_unit_test(values_are_made_and_bound),
        cmocka_unit_test(what_is_no_value_is_not_made),
        cmocka_unit_test(facts_come_from_memory),
        cmocka_unit_test(a_column_of_instants_is_one_of_times),
        cmocka_unit_test(facts_that_cannot_be_are_refused),
        cmocka_unit_test(a_function_answers_a_predicate),
        cmocka_unit_test(another_definition_replaces_what_was_derived),
        cmocka_unit_test(a_function_that_goes_wrong_ends_its_query_alone),
        cmocka_unit_test(queries_stay_open_while_episodes_are_chosen),
        cmocka_unit_test(whoever_looks_on_sees_it_run_and_may_end_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

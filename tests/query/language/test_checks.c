// tests/query/language/test_checks.c - what is wrong with rules: named, placed, all at once; and
// what is only suspicious.
#include "query/check/check.h"
#include "query/prepare.h"
#include "query/rules/fact_block.h"
#include "tests/query/querylib.h"

// Loads rules in spite of mistakes and checks them; what was wrong as "line:column: text", a line
// each.
static const char *mistakes(arena *a, const char *rules, errors *warnings) {
    budget b = {.limit = (size_t)1 << 30};
    values *v = values_create(&b);
    program *p = program_create(v, NANOS_PER_SECOND);
    errors list = {0};
    program_load_all(p, "rules.dl", rules, strlen(rules), &list);
    prepare_rules(p, &list);
    check_sort(&list, 0);
    const char *all = "";
    for (size_t i = 0; i < list.count; i++) {
        assert_string_equal(list.items[i].file, "rules.dl");
        all = arena_format(a, "%s%d:%d: %s\n", all, list.items[i].line, list.items[i].column,
                           list.items[i].text);
    }
    for (size_t i = 0; warnings && i < p->warnings.count; i++)
        errors_append(warnings, &p->warnings.items[i]);
    errors_finish(&list);
    program_destroy(p);
    values_destroy(v);
    return all;
}

#define expect_mistakes(rules, expected)                                                           \
    do {                                                                                           \
        arena *memory_ = arena_create();                                                           \
        assert_string_equal(mistakes(memory_, rules, NULL), expected);                             \
        arena_destroy(memory_);                                                                    \
    } while (0)

static void expect_warnings(const char *rules, const char *expected) {
    arena *a = arena_create();
    errors list = {0};
    assert_string_equal(mistakes(a, rules, &list), "");
    const char *all = "";
    for (size_t i = 0; i < list.count; i++)
        all = arena_format(a, "%s%d:%d: %s\n", all, list.items[i].line, list.items[i].column,
                           list.items[i].text);
    assert_string_equal(all, expected);
    errors_finish(&list);
    arena_destroy(a);
}

static void ten_different_mistakes_are_all_reported(void **state) {
    (void)state;
    expect_mistakes(":- declare hand(hand: object) \"A hand.\".\n"
                    "hand(left).\n"
                    ":- delare p(a: object).\n"
                    ":- declare q(a: objekt).\n"
                    "open(1, 2.\n"
                    "one(X) :- hand(X), Y > 1.\n"
                    "two(X) :- hnd(X).\n"
                    "three(X) :- object(X, body).\n"
                    "four(X) :- hand(X), not four(X).\n"
                    "five(X) :- hand(X), task(X).\n"
                    "six :- hand(5).\n"
                    "seven(X) :- hand(X), value(sped(X), 3, V), V > 1.\n"
                    "eight(A, B) :- hand(A), B > A + C, C < 2.\n"
                    "nine(X) :- hand(X), not (X = Y, Y = Z, before(Z, I), duration(I, 3)).\n"
                    "member(a, b).\n"
                    "ten(X) :- hand(X), 3.\n"
                    "eleven(X) :- open(X, _).\n",
                    "3:4: unknown directive 'delare'; did you mean 'declare'?\n"
                    "4:17: unknown type 'objekt'; did you mean 'object'?\n"
                    "5:10: expected ',' or ')', found '.'\n"
                    "6:20: variable Y occurs once in this clause; write _Y if any is meant\n"
                    "7:11: hnd/1 is not defined; did you mean 'hand'?\n"
                    "8:13: object/2 is not defined; object takes 3 arguments\n"
                    "9:25: cycle through negation: four/1 <- not four/1 (rules.dl:9)\n"
                    "10:26: X is an object in argument 1 of hand, and an id in argument 1 of task\n"
                    "11:13: argument 1 of hand is an object; 5 is a number\n"
                    "12:28: unknown signal 'sped'; did you mean 'speed'?\n"
                    "13:33: unsafe variable C: no literal binds it, and a comparison does not; a "
                    "positive literal or an equation would\n"
                    "14:50: argument 2 of before/2 must be bound; nothing binds I; a positive "
                    "literal or an equation would\n"
                    "15:1: member/2 is built in; give this predicate another name\n"
                    "16:20: a number or string is not a goal\n");
}

static void unsafe_variables_are_placed_where_they_stand(void **state) {
    (void)state;
    expect_mistakes("q(1).\np(X, _Y) :- q(X).\n",
                    "2:6: unsafe variable _Y: no literal binds it; a positive literal or an "
                    "equation would\n");
    expect_mistakes("q(1). r(1).\np(X) :- q(X), not r(Y), not r(Y).\n",
                    "2:21: unsafe variable Y: it occurs only under negation; write _Y if any is "
                    "meant, or name it in a positive literal\n");
    expect_mistakes("q(1).\np(X) :- q(X),\n  Y < 3, Y > X.\n",
                    "3:3: unsafe variable Y: no literal binds it, and a comparison does not; a "
                    "positive literal or an equation would\n");
}

static void a_cycle_is_named_whole_with_its_places(void **state) {
    (void)state;
    expect_mistakes("q(1).\n"
                    "on(X) :- q(X),\n"
                    "    not grasped(X).\n"
                    "grasped(X) :- held(X).\n"
                    "held(X) :- q(X), on(X).\n",
                    "3:9: cycle through negation: on/1 <- not grasped/1 (rules.dl:3) <- held/1 "
                    "(rules.dl:4) <- on/1 (rules.dl:5)\n");
    // One cycle with two negations is one mistake.
    expect_mistakes("q(1).\na(X) :- q(X), not b(X).\nb(X) :- q(X), not a(X).\n",
                    "2:19: cycle through negation: a/1 <- not b/1 (rules.dl:2) <- not a/1 "
                    "(rules.dl:3)\n");
    expect_mistakes("p(N) :- N = count { X : p(X) }.\n",
                    "1:13: cycle through an aggregate: p/1 <- count {...} (rules.dl:1) <- p/1 "
                    "(rules.dl:1)\n");
    // Of what is split each functor is a predicate of its own: this is no cycle.
    expect_mistakes(":- split h on 1.\nh(a(1)).\nh(b(X)) :- h(a(X)), not h(c(X)).\n"
                    "h(c(X)) :- h(a(X)), X > 1.\n",
                    "");
    expect_mistakes(":- split h on 1.\nh(a(1)).\nh(b(X)) :- h(a(X)), not h(c(X)).\n"
                    "h(c(X)) :- h(b(X)).\n",
                    "3:25: cycle through negation: h(b/1) <- not h(c/1) (rules.dl:3) <- h(b/1) "
                    "(rules.dl:4)\n");
}

static void names_that_are_not_defined_get_a_proposal(void **state) {
    (void)state;
    expect_mistakes(":- split h on 1.\nh(grasped(1, 2)).\np :- h(graspd(1, 2)).\n",
                    "3:6: h(graspd/2) is not defined; did you mean 'grasped'?\n");
    expect_mistakes(
        ":- split h on 1.\nh(grasped(1, 2)). h(grasped(1)).\np :- h(grasped(1, 2, 3)).\n",
        "3:6: h(grasped/3) is not defined; grasped takes 2 or 1 arguments\n");
    expect_mistakes("near_by(1).\np :- ner_by(1).\n",
                    "2:6: ner_by/1 is not defined; did you mean 'near_by'?\n");
    expect_mistakes("p :- durration(1, 2).\n",
                    "1:6: durration/2 is not defined; did you mean 'duration'?\n");
    expect_mistakes("p :- duration(1).\n", "1:6: duration/1 is not defined; duration takes 2 "
                                           "arguments\n");
    expect_mistakes("p :- zzz(1).\n", "1:6: zzz/1 is not defined\n");
    // What could not be read is not said to be missing as well.
    expect_mistakes("q(1, ).\np(X) :- q(X, X).\n", "1:6: expected a term, found ')'\n");
}

static void types_are_checked_where_they_are_declared(void **state) {
    (void)state;
    expect_mistakes(":- declare at_home(who: object, since: time, age: integer, name: string).\n"
                    "at_home(anna, 3, 7, \"Anna\").\n"
                    "at_home(4, start, 7.5, anna).\n",
                    "3:9: argument 1 of at_home is an object; 4 is a number\n"
                    "3:19: argument 3 of at_home is an integer; 7.5 is a number\n"
                    "3:24: argument 4 of at_home is a string; anna is a symbol\n");
    expect_mistakes(":- split h on 2.\n:- temporal h on 3.\n"
                    ":- declare h(agent: agent, on(top: object, bottom: object), time: time).\n"
                    "h(robot, on(cup, table), interval(0, 1)).\n"
                    "p(X) :- h(_, on(X, \"table\"), at(0.5)).\n"
                    "p(X) :- h(7, on(X, _), at(0.5)).\n",
                    "5:20: argument 2 of on is an object; \"table\" is a string\n"
                    "6:11: argument 1 of h is an agent; 7 is a number\n");
    // Between declarations, tables and builtins.
    expect_mistakes(":- declare hand(hand: object).\nhand(a).\n"
                    "p(X) :- hand(X), task_start(_, X).\n"
                    "q(X) :- hand(X), X < 3.\n"
                    "r(X) :- hand(X), X = \"left\".\n"
                    "s(N) :- N = count { hand(_) }, hand(N).\n"
                    "t(X) :- hand(X), value(speed(X), X, V), V > 1.\n"
                    ":- declare u(task: task).\nu(X) :- hand(X).\n",
                    "3:32: X is an object in argument 1 of hand, and a time in argument 2 of "
                    "task_start\n"
                    "4:20: numbers and times are compared by size; X is an object in argument 1 "
                    "of hand\n"
                    "5:20: X is an object in argument 1 of hand, and a string\n"
                    "6:11: N is an object in argument 1 of hand, and an integer\n"
                    "7:34: X is an object in argument 1 of hand, and a time in argument 2 of "
                    "value\n"
                    "9:3: X is an object in argument 1 of hand, and a task in argument 1 of u\n");
    // What is not declared may be anything, and times are numbers of seconds.
    expect_mistakes(":- declare since(what: term, when: time, seconds: number).\n"
                    "since(f(x), 3, 2). since(\"x\", 4.5, 1.5).\n"
                    "p(X) :- since(X, T, D), T > D. q(X) :- p(X), X = 5. q(a).\n",
                    "");
    // Under negations, of an atom or of more, and in aggregates.
    expect_mistakes(":- declare n(x: number). n(1).\n:- declare s(x: string). s(\"x\").\n"
                    "a(X) :- n(X), not s(X).\n"
                    "b(X) :- n(X), not (s(X), true).\n"
                    "c(X) :- n(X), not (n(_), not (s(X), true)).\n"
                    "d(X) :- n(X), 0 = count { s(X) }.\n"
                    "e(X) :- s(X), not X = 3, not X = \"y\".\n"
                    "f(X) :- s(X), not (n(Y), Y > X).\n"
                    "g(X) :- s(X), not t(X, _).\nt(X, Y) :- n(Y), s(X).\n"
                    "h(X) :- not s(X), n(X).\n",
                    "3:21: X is a number in argument 1 of n, and a string in argument 1 of s\n"
                    "4:22: X is a number in argument 1 of n, and a string in argument 1 of s\n"
                    "5:33: X is a number in argument 1 of n, and a string in argument 1 of s\n"
                    "6:29: X is a number in argument 1 of n, and a string in argument 1 of s\n"
                    "7:21: X is a string in argument 1 of s, and a number\n"
                    "8:28: numbers and times are compared by size; X is a string in argument 1 "
                    "of s\n"
                    "11:15: X is a number in argument 1 of n, and a string in argument 1 of s\n");
    // What is asked of a negation says nothing of what it is.
    expect_mistakes(":- declare n(x: number). n(1).\n:- declare i(x: integer). i(1).\n"
                    "a(X) :- n(X), not i(X), X = 2.5.\n"
                    "b(X) :- n(X), not (i(X), true), X = 2.5.\n",
                    "");
    // A declared name has the numbers of arguments that are declared.
    expect_mistakes(
        ":- declare p(a: string, b: string).\np(\"1\").\np(\"1\", \"2\").\n"
        "p(X, Y, Z) :- p(X, Y), p(Y, Z).\np(A, B) :- p(B, A).\np.\n",
        "2:1: p is declared with 2 arguments in line 1 of rules.dl, not with 1; declare "
        "p/1 as well where it is meant\n"
        "4:1: p is declared with 2 arguments in line 1 of rules.dl, not with 3; declare "
        "p/3 as well where it is meant\n"
        "6:1: p is declared with 2 arguments in line 1 of rules.dl, not with 0; declare "
        "p/0 as well where it is meant\n");
    expect_mistakes(":- declare p(a: string, b: string).\n:- declare p(a: string).\np(\"1\").\n"
                    "p(\"1\", \"2\").\nq(1). q(1, 2).\n",
                    "");
    expect_mistakes(":- declare p(a: objekt, b: strng, c: wheel).\np(a, b, c).\n",
                    "1:17: unknown type 'objekt'; did you mean 'object'?\n"
                    "1:28: unknown type 'strng'; did you mean 'string'?\n"
                    "1:38: unknown type 'wheel'\n");
}

static void rules_that_can_never_fire_are_warned_of(void **state) {
    (void)state;
    expect_warnings("q(1).\n"
                    "p(X) :- q(X), 3 < 2.\n"
                    "p(X) :- q(X), X != X.\n"
                    "p(X) :- q(X), X < X.\n"
                    "p(X) :- q(X), X = 1, X = a.\n"
                    "p(X) :- q(X), Y = 2, Y = X, X = 3.\n"
                    "p(X) :- q(X), a = b.\n"
                    "p(X) :- q(X), not 2 < 3.\n",
                    "2:17: this comparison of constants is false; the rule can never fire\n"
                    "3:17: this never holds: X is compared with itself; the rule can never fire\n"
                    "4:17: this never holds: X is compared with itself; the rule can never fire\n"
                    "5:24: X cannot be 1 and a; the rule can never fire\n"
                    "6:31: X cannot be 2 and 3; the rule can never fire\n"
                    "7:17: these constants are not equal; the rule can never fire\n"
                    "8:21: this comparison of constants is false; the rule can never fire\n");
    // What has no size is never larger; what is computed is no integer.
    expect_warnings(
        "q(1). q(2).\n"
        "p(X) :- q(X), X < b.\n"
        "p(X) :- q(X), \"x\" >= X.\n"
        "p(X) :- q(X), X < f(X).\n"
        "p(X) :- q(X), not X > b.\n"
        "p(X) :- q(X), X = 4 / 2.\n"
        "r(X) :- q(X). r(X) :- r(X), X > 1. r(N) :- N = count { q(_) }.\n"
        "p(X) :- r(X), sqrt(4) = X.\n"
        "p(X) :- r(X), q(2.0).\n"
        "p(T) :- task(T), T = 6 / 2.\n",
        "2:17: numbers and times are compared by size; b is neither, and this never "
        "holds: the rule can never fire (before_term orders all terms)\n"
        "3:19: numbers and times are compared by size; \"x\" is neither, and this never "
        "holds: the rule can never fire (before_term orders all terms)\n"
        "4:17: numbers and times are compared by size; this term is neither, and this "
        "never holds: the rule can never fire (before_term orders all terms)\n"
        "5:21: numbers and times are compared by size; b is neither, and this always "
        "holds (before_term orders all terms)\n"
        "6:17: X is a float, and stands in a column of integers, which holds no float; "
        "the rule can never fire (int(X) is the integer)\n"
        "8:23: X is a float, and stands in a column of integers, which holds no float; "
        "the rule can never fire (int(X) is the integer)\n"
        "9:15: 2.0 is a float, and stands in a column of integers, which holds no "
        "float; the rule can never fire (int(X) is the integer)\n"
        "10:20: T is a float, and stands in a column of integers, which holds no float; "
        "the rule can never fire (int(X) is the integer)\n");
    expect_warnings(":- declare empty(x: term).\nq(1).\np(X) :- q(X), empty(X).\n"
                    "r(X) :- q(X), not empty(X).\n",
                    "3:15: empty/1 is declared, but no clause defines it; the rule can never "
                    "fire\n");
    expect_warnings("q(1).\np(X) :- q(X).\n% again\np(X) :- q(X).\nq(1).\n",
                    "4:1: this clause stands in line 2 already\n"
                    "5:1: this clause stands in line 1 already\n");
    // None of these is suspicious.
    expect_warnings(
        "q(1). t(start).\n"
        "p(X) :- q(X), 2 < 3, X =< X, X = 1, X = 1.0.\n"
        "p(X) :- q(X), not 3 < 2, a != b, 1 = 1.0.\n"
        "r(E) :- t(E), E = start, E = 0.\n"
        "s(E) :- t(E), E < end, start >= E.\n"
        "m(1). m(2.5). n(X) :- m(X). n(X) :- n(X).\n"
        "u(X) :- m(X), X = 4 / 2. u(X) :- n(X), X = 2.0. u(X) :- q(X), X = int(4 / 2).\n",
        "");
}

// A clause with disjunctions means what its ways mean together.
static void what_is_found_of_one_way_through_is_no_fault_of_the_others(void **state) {
    (void)state;
    static const char rules[] = ":- declare n(x: integer). n(1). :- declare s(x: symbol). s(a).\n"
                                ":- declare e(x: term). m(1). m(foo).\n";
    asked *a = asked_open(10, NULL);
    asked_load(a, rules);
    expect(a, "m(X), (X = a, s(X) ; X = 1, n(X))", "1");
    expect(a, "(X = a ; X = 1), (s(X) ; n(X))", "1; a");
    expect(a, "(X = 1 ; X = a), not n(X)", "a");
    expect(a, "X = 1, Y = a, (n(X), s(Y) ; s(X), n(Y))", "1 a");
    assert_string_equal(asked_errors(a, &(errors){0}), "");
    asked_close(a);
    char all[900];
    // Each goal stands in a way that may hold.
    snprintf(all, sizeof all,
             "%sp(X) :- (X = 1, Y = 2 ; X = 3, Y = 4), (X = 1, m(Y) ; X = 3, m(Y)).\n"
             "q(X) :- X = k ; m(X), X = 2, X = 3.\n",
             rules);
    expect_warnings(all, "4:32: X cannot be 2 and 3; this way through the disjunctions can never "
                         "hold\n");
    // A goal that stands in dead ways alone never counts, though its clause may hold.
    snprintf(all, sizeof all,
             "%sp(X) :- n(X), (X = 1 ; X = a).\nq(X) :- m(X), (X < X ; X = 1 ; e(X)).\n", rules);
    expect_warnings(
        all,
        "3:26: X is an integer in argument 1 of n, and a symbol; this way through the "
        "disjunctions can never hold\n"
        "4:18: this never holds: X is compared with itself; this way through the disjunctions "
        "can never hold\n"
        "4:32: e/1 is declared, but no clause defines it; this way through the disjunctions can "
        "never hold\n");
    // Where every way is dead so is the clause; goals of a scope are no rule.
    snprintf(all, sizeof all,
             "%sp(X) :- m(X), (X < X ; X = 1, X = 2).\nq(X) :- m(X), not (m(Y), Y < Y).\n", rules);
    expect_warnings(all,
                    "3:18: this never holds: X is compared with itself; the rule can never fire\n"
                    "3:33: X cannot be 1 and 2; the rule can never fire\n"
                    "4:28: this never holds: Y is compared with itself; these goals can never "
                    "hold\n");
    snprintf(all, sizeof all, "%sp(X) :- n(X), (X = a ; X = b).\n", rules);
    expect_wrong(all, "3:18: X is an integer in argument 1 of n, and a symbol\n"
                      "3:26: X is an integer in argument 1 of n, and a symbol");
    // What one goal says by itself is a mistake in whatever way it stands.
    snprintf(all, sizeof all, "%sp(X) :- n(X) ; s(1), X = 2.\n", rules);
    expect_wrong(all, "3:18: argument 1 of s is a symbol; 1 is a number");
    snprintf(all, sizeof all, "%sp(X) :- X = a, not n(X), (X = a ; m(X)).\n", rules);
    expect_wrong(all, "X is a symbol, and an integer in argument 1 of n");
}

static void what_was_refused_is_said_once(void **state) {
    (void)state;
    static const char *const rules[][2] = {
        {"p(1). after(X, Y) :- p(X), p(Y), X < Y. first(X) :- p(X), not after(X, _).",
         "1:7: after/2 is built in; give this predicate another name\n"},
        {"p(a). task(X) :- p(X). q(X) :- task(X), p(X). r :- task(a).",
         "1:7: task/1 is a table of the log; give this predicate another name\n"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        asked *a = asked_open(10, NULL);
        asked_load(a, rules[i][0]);
        assert_string_equal(asked_for(a, "p(X)"), rules[i][1]);
        asked_close(a);
    }
    // What the engine made of an expression is called as it is written.
    expect_warnings("n(1). m(2).\np(X) :- m(X), n(X / 2).\n",
                    "2:19: X / 2 is a float, and stands in a column of integers, which holds no "
                    "float; the rule can never fire (int(X) is the integer)\n");
}

static void warnings_of_a_query_end_with_it(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "q(1). q(1.5).\n");
    expect(a, "q(X), X < X", "");
    assert_int_equal(engine_warnings(a->engine)->count, 1);
    assert_int_equal(engine_warnings(a->engine)->items[0].column, 9);
    expect(a, "q(X)", "1; 1.5");
    assert_int_equal(engine_warnings(a->engine)->count, 0);
    asked_close(a);
}

// Notes on a query, as "line:column: text" lines.
static const char *notes_on(asked *a, const char *query) {
    const term *body;
    errors notes = {0};
    error err = {0};
    assert_int_equal(term_parse(a->texts, "query", query, strlen(query), 1, 1, &body, &err), OK);
    assert_int_equal(engine_notes(a->engine, "query", body, &notes), OK);
    return asked_errors(a, &notes);
}

static void objects_that_the_log_does_not_name_are_noted(void **state) {
    (void)state;
    asked *a = asked_open(10, "INSERT INTO object (id, episode, name, kind, type) VALUES"
                              " (1, 1, 'table', 'body', 'table'), (2, 1, 'cup_1', 'body', 'cup');");
    asked_load(a, ":- split h on 1.\n:- declare h(on(top: object, bottom: object)).\n"
                  "h(on(cup_1, table)).\n");
    expect(a, "h(on(X, tabel))", "");
    assert_string_equal(notes_on(a, "h(on(X, tabel))"),
                        "1:9: no object is named 'tabel'; did you mean 'table'?\n");
    assert_string_equal(notes_on(a, "h(on(X, zzzzz)), not object(zzzzz, _, _)"),
                        "1:9: no object is named 'zzzzz'\n");
    assert_string_equal(notes_on(a, "h(on(cup_1, X)), object(table, K, _)"), "");
    expect(a, "h(on(X, table))", "cup_1");
    // In a signal, wherever that stands.
    assert_string_equal(notes_on(a, "value(z(cup_11), 3, V)"),
                        "1:9: no object is named 'cup_11'; did you mean 'cup_1'?\n");
    assert_string_equal(notes_on(a, "maximum(speed(cup_1) - z(tabel), 0, 3, V)"),
                        "1:26: no object is named 'tabel'; did you mean 'table'?\n");
    assert_string_equal(notes_on(a, "value(distance(cup_1, table), 3, V)"), "");
    asked_close(a);
}

static void a_library_is_judged_where_something_leads_to_it(void **state) {
    (void)state;
    static const char library[] = "good(X) :- base(X). base(1).\n"
                                  "bad(X) :- missing(X).\n"
                                  "worse(X) :- base(X, .\n"
                                  "last(\"a.b\", 1.5, 'x.y'). % a comment. with a stop\n";
    asked *a = asked_open(10, NULL);
    errors list = {0};
    assert_int_equal(engine_load_library(a->engine, "lib.dl", library, strlen(library), &list), OK);
    asked_load(a, "mine(X) :- good(X).\n");
    assert_int_equal(engine_check(a->engine, &list), OK);
    expect(a, "mine(X)", "1");
    expect(a, "last(A, B, C)", "\"a.b\" 1.5 'x.y'");
    expect(a, "bad(X)", "2:11: missing/1 is not defined\n");
    expect(a, "worse(X)", "3:21: expected a term, found '.'\n");
    // A query that fails leaves nothing half made.
    expect(a, "bad(X)", "2:11: missing/1 is not defined\n");
    expect(a, "good(X)", "1");
    asked_close(a);
}

static void a_library_means_the_same_read_lazily_or_whole(void **state) {
    (void)state;
    static const char rules[] =
        ":- split h on 1.\n:- temporal h on 2.\n:- override limit on 1.\n"
        "limit(a, 1). limit(b, 2).\n"
        "h(on(X, Y), interval(S, E)) :- row(X, Y, S, E).\n"
        "h(under(Y, X), I) :- h(on(X, Y), I).\n"
        "h(F, T) :- F = near(X, Y), h(on(X, Y), T).\n"
        ":- declare row(x: symbol, y: symbol, s: time, e: time).\n"
        "row(a, b, 1, 2). row(b, c, 2, 4). row(a, b, 2, 3).\n"
        "short(X) :- h(on(X, _), interval(S, E)), limit(a, L), E - S =< L.\n"
        "some(F) :- h(F, at(1.5)).\n";
    static const char mine[] = "limit(a, 2).\n";
    asked *lazy = asked_open(10, NULL), *whole = asked_open(10, NULL);
    errors list = {0};
    assert_int_equal(engine_load_library(lazy->engine, "lib.dl", rules, strlen(rules), &list), OK);
    assert_int_equal(engine_load(whole->engine, "lib.dl", rules, strlen(rules), &list), OK);
    asked_load(lazy, mine);
    asked_load(whole, mine);
    static const char *const queries[] = {"short(X)",
                                          "h(near(X, Y), at(2.5))",
                                          "h(F, interval(S, E))",
                                          "limit(X, Y)",
                                          "some(F)",
                                          "h(under(X, Y), interval(S, 4))",
                                          "N = count { X : h(on(X, _), at(2)) }"};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        const char *got = asked_for(lazy, queries[i]);
        assert_string_equal(got, asked_for(whole, queries[i]));
        assert_null(strchr(got, ':'));
    }
    asked_close(lazy);
    asked_close(whole);
}

static void clauses_keep_their_ids_when_their_file_is_loaded_again(void **state) {
    (void)state;
    budget b = {.limit = (size_t)1 << 30};
    values *v = values_create(&b);
    program *p = program_create(v, NANOS_PER_SECOND);
    errors list = {0};
    static const char first[] = "a(X) :- d(X). b(X) :- a(X). c(X) :- b(X). a(X) :- d(X).\n";
    static const char second[] = "% moved\nz(X) :- d(X). a(X) :- d(X).\nb(X) :- a(X).\n"
                                 "c(X) :- b(X), X > 0. a(X) :- d(X).\n";
    assert_int_equal(program_load(p, "f.dl", first, strlen(first), &list), OK);
    uint32_t ids[4];
    const rule_source *s = program_source(p, "f.dl");
    for (size_t i = 0; i < 4; i++)
        ids[i] = s->clauses.items[i]->id;
    assert_int_not_equal(ids[0], ids[3]);
    assert_int_equal(program_load(p, "f.dl", second, strlen(second), &list), OK);
    s = program_source(p, "f.dl");
    assert_int_equal(s->clauses.count, 5);
    assert_int_equal(s->clauses.items[1]->id, ids[0]);
    assert_int_equal(s->clauses.items[2]->id, ids[1]);
    assert_int_equal(s->clauses.items[4]->id, ids[3]);
    for (size_t i = 0; i < 4; i++) {
        assert_int_not_equal(s->clauses.items[3]->id, ids[i]);
        assert_int_not_equal(s->clauses.items[0]->id, ids[i]);
    }
    assert_int_equal(program_clause(p, ids[1])->line, 3);
    assert_null(program_clause(p, ids[2]));
    assert_true(program_unload(p, "f.dl"));
    assert_false(program_unload(p, "f.dl"));
    assert_null(program_clause(p, ids[0]));
    program_destroy(p);
    values_destroy(v);
}

// The clause of a source that stands for the facts of this name.
static const clause *facts_of(program *p, const char *name) {
    const rule_source *s = program_source(p, "f.dl");
    for (size_t i = 0; i < s->clauses.count; i++) {
        if (s->clauses.items[i]->facts && strcmp(s->clauses.items[i]->name, name) == 0)
            return s->clauses.items[i];
    }
    fail();
    return NULL;
}

static void facts_keep_their_ids_while_they_are_the_same(void **state) {
    (void)state;
    budget b = {.limit = (size_t)1 << 30};
    values *v = values_create(&b);
    program *p = program_create(v, NANOS_PER_SECOND);
    errors list = {0};
    static const char *const texts[] = {
        "a(1). b(x, \"y\"). a(f(2, -3.5)). a(1).\n",
        "% moved\nz(0).\n\n  a(1). a(f(2, -3.5)). a(1).\nb(x, y).\n"};
    uint32_t a = 0, other = 0;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(program_load(p, "f.dl", texts[i], strlen(texts[i]), &list), OK);
        assert_int_equal(prepare_rules(p, &list), OK);
        const clause *as = facts_of(p, "a"), *bs = facts_of(p, "b");
        assert_int_equal(as->facts->count, 3);
        assert_true(i == 0 || (as->id == a && bs->id != other));
        a = as->id;
        other = bs->id;
        // Each is cited where it stands.
        assert_int_equal(program_clause(p, a + 1)->line, i == 0 ? 1 : 4);
        assert_int_equal(program_clause(p, a + 1)->column, i == 0 ? 18 : 9);
        assert_true(term_is(program_clause(p, a + 1)->head->args[0], "f", 2));
        assert_ptr_equal(program_clause(p, a + 2), program_clause(p, a + 2));
        assert_int_equal(p->warnings.count, 1);
        assert_int_equal(p->warnings.items[0].column, i == 0 ? 33 : 24);
    }
    program_destroy(p);
    values_destroy(v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_different_mistakes_are_all_reported),
        cmocka_unit_test(unsafe_variables_are_placed_where_they_stand),
        cmocka_unit_test(a_cycle_is_named_whole_with_its_places),
        cmocka_unit_test(names_that_are_not_defined_get_a_proposal),
        cmocka_unit_test(types_are_checked_where_they_are_declared),
        cmocka_unit_test(rules_that_can_never_fire_are_warned_of),
        cmocka_unit_test(what_is_found_of_one_way_through_is_no_fault_of_the_others),
        cmocka_unit_test(what_was_refused_is_said_once),
        cmocka_unit_test(warnings_of_a_query_end_with_it),
        cmocka_unit_test(objects_that_the_log_does_not_name_are_noted),
        cmocka_unit_test(a_library_is_judged_where_something_leads_to_it),
        cmocka_unit_test(a_library_means_the_same_read_lazily_or_whole),
        cmocka_unit_test(facts_keep_their_ids_while_they_are_the_same),
        cmocka_unit_test(clauses_keep_their_ids_when_their_file_is_loaded_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// tests/query/why/test_why_not.c - why a goal does not hold: how far each rule got, and what came
// nearest.
#include "query/why/proof.h"
#include "tests/query/querylib.h"

static const char *denied(asked *a, const char *goal) {
    errors list = {0};
    const denial *d;
    char *text = NULL;
    status s = engine_why_not(a->engine, a->texts, "query", goal, NULL, &d, &list);
    if (s != OK)
        return asked_errors(a, &list);
    assert_int_equal(denial_text(d, &text), OK);
    const char *kept = arena_strdup(a->texts, text);
    free(text);
    return kept;
}

#define says(a, goal, text) says_at(a, goal, text, __FILE__, __LINE__)
static void says_at(asked *a, const char *goal, const char *text, const char *file, int line) {
    const char *got = denied(a, goal);
    if (!strstr(got, text))
        fail_msg("%s:%d: %s\n  expected: %s\n  in:\n%s", file, line, goal, text, got);
}

static const char THINGS[] =
    "at_place(plate_1, tray). at_place(cup_1, table). at_place(knife_1, drawer).\n"
    "weight(cup_1, 0.512). weight(plate_1, 0.3).\nbroken(cup_1).\n"
    "ready(X) :-\n    at_place(X, table),\n    weight(X, W),\n    W < 0.5,\n    not broken(X).\n"
    "many(N) :- N = count { X : at_place(X, _) }, N > 5.\n"
    "e(1, 2). e(2, 3). e(3, 4).\n"
    "path(X, Y) :- e(X, Y).\npath(X, Y) :- e(X, Z), path(Z, Y).\n"
    "loop(X) :- loop(Y), e(Y, X).\n"
    "whole(X) :- weight(X, _), not ready(X), not at_place(X, _).\n";

static void the_goal_that_fails_is_named_with_the_nearest_miss(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, THINGS);
    assert_string_equal(denied(a, "ready(plate_1)"),
                        "no: ready(plate_1)\n"
                        "  rules.dl:4: 3 of 4 goals hold at once\n"
                        "    fails: at_place(plate_1, table)  rules.dl:5\n"
                        "    nearest: at_place(plate_1, tray) holds; table was asked\n");
    // Two goals fail for the cup, whatever their order.
    says(a, "ready(cup_1)",
         "2 of 4 goals hold at once\n    fails: 0.512 < 0.5  rules.dl:7\n"
         "    nearest: 0.512 < 0.5 fails by 0.012");
    says(a, "weight(cup_1, 0.5)", "weight(cup_1, 0.512) holds, 0.012 off 0.5");
    says(a, "many(N)", "nearest: 3 > 5 fails by 2");
    says(a, "whole(X)", "fails: not at_place(cup_1, _)");
    says(a, "not path(1, 4)", "path(1, 4) holds, rules.dl:12");
    says(a, "3.2 < 3.1", "3.2 < 3.1 fails by 0.1");
    says(a, "at_place(cup_1, X), broken(X)", "1 of 2 goals hold at once\n    fails: broken(table)");
    asked_close(a);
}

static void what_is_beaten_is_denied_by_what_is_better(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, ":- least far on 3.\ne(a, b, 3). e(b, c, 4). e(a, c, 9).\n"
                  "far(X, Y, W) :- e(X, Y, W).\n"
                  "far(X, Y, D) :- far(X, Z, A), e(Z, Y, B), D = A + B.\n");
    says(a, "far(a, c, 9)", "far(a, c, 7) holds, 2 off 9");
    says(a, "far(a, c, 8)", "8 = 3 + 4");
    says(a, "far(c, a, D)", "no: far(c, a, D)");
    asked_close(a);
}

static void the_order_of_goals_changes_nothing_about_how_far_it_gets(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, THINGS);
    errors list = {0};
    const char *const orders[] = {"p(X) :- at_place(X, table), weight(X, W), W > 0.6, broken(X).",
                                  "p(X) :- W > 0.6, broken(X), weight(X, W), at_place(X, table).",
                                  "p(X) :- broken(X), at_place(X, table), W > 0.6, weight(X, W)."};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(engine_load(a->engine, "p.dl", orders[i], strlen(orders[i]), &list), OK);
        says(a, "p(cup_1)", "3 of 4 goals hold at once\n    fails: 0.512 > 0.6");
        says(a, "p(cup_1)", "0.512 > 0.6 fails by 0.088");
    }
    asked_close(a);
}

static void a_long_body_is_tried_to_its_end(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    char *rules = arena_format(a->texts, "n(1). w(1, 2). p(X) :- n(X)");
    for (int i = 0; i < 40; i++)
        rules = arena_format(a->texts, "%s, X + %d > 0", rules, i);
    asked_load(a, arena_format(a->texts, "%s, W > 5, w(X, W), X < 9.", rules));
    says(a, "p(1)", "43 of 44 goals hold at once\n    fails: W > 5");
    char *many = arena_format(a->texts, "n(1).");
    for (int i = 0; i < 50; i++)
        many = arena_format(a->texts, "%s q(X) :- n(X), X > %d.", many, i + 1);
    asked_load(a, many);
    says(a, "q(1)", "and 10 more rules, not looked at");
    asked_close(a);
}

static void private_predicates_are_told_apart(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    errors list = {0};
    const char *const texts[2] = {
        ":- module a.\n:- export pa/1.\nroom(X) :- X = 1, X > 1000.\npa(X) :- room(X).\n",
        ":- module b.\n:- export pb/1.\nroom(X) :- X = 2, X > 2000.\npb(X) :- room(X).\n"};
    assert_int_equal(engine_load(a->engine, "a.dl", texts[0], strlen(texts[0]), &list), OK);
    assert_int_equal(engine_load(a->engine, "b.dl", texts[1], strlen(texts[1]), &list), OK);
    says(a, "pb(2)", "b.dl:3: 1 of 2 goals hold at once\n");
    says(a, "pb(2)", "2 > 2000");
    says(a, "a:room(1)", "a.dl:3: 1 of 2 goals hold at once\n");
    asked_close(a);
}

static void times_are_missed_by_seconds(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, ":- temporal on on 2.\n"
                  "on(a, interval(2, 5)). on(a, interval(5, 8)). on(a, interval(9, 10)).\n"
                  "on(b, interval(4, 9.5)).\n"
                  ":- split r on 1.\n:- temporal r on 2.\n"
                  "r(both, T) :- on(a, T), on(b, T), T > 1.\n"
                  "r(only, T) :- on(a, T), not on(b, T).\n"
                  "r(long, interval(S, E)) :- on(_, interval(S, E)), E - S > 7.\n"
                  ":- instant ev on 2.\nev(touch, 5.25).\nafter_touch(X) :- ev(touch, T), on(X, "
                  "at(T + 4)).\n");
    says(a, "on(a, at(8.88))", "on(a, interval(9.0, 10.0)) holds, began 0.12 s after 8.88");
    says(a, "on(a, at(8.1))", "on(a, interval(2.0, 8.0)) holds, ended 0.1 s before 8.1");
    says(a, "on(a, throughout(5, 9))", "ended 1.0 s before 9.0");
    says(a, "r(both, at(8.2))", "  r(both, interval(4.0, 8.0)) holds, ended 0.2 s before 8.2\n");
    says(a, "r(both, at(8.2))", "2 of 3 goals hold at once\n    fails: on(a, at(8.2))");
    says(a, "r(both, during(0.5, 3))", "2 of 3 goals hold at once");
    says(a, "r(both, during(0.5, 3))",
         "on(b, interval(4.0, 9.5)) holds, 1.0 s apart from the rest");
    says(a, "r(only, at(5))", "fails: not on(b, at(5))");
    says(a, "r(only, at(5))", "on(b, at(5)) holds since on(b, interval(4.0, 9.5)), rules.dl:3");
    says(a, "r(long, at(5))", "fails by 1.0");
    says(a, "ev(touch, 5.5)", "ev(touch, 5.25) holds, 0.25 off 5.5");
    asked_close(a);
}

static void unknown_names_are_named(void **state) {
    (void)state;
    asked *a = asked_open(10, "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, "
                              "'dining_table', 'body');");
    asked_load(a, THINGS);
    says(a, "at_place(plate_1, tabel)", "nothing is named 'tabel'; did you mean 'table'?");
    says(a, "at_place(plate_1, dinning_table)",
         "no object is named 'dinning_table'; did you mean 'dining_table'?");
    asked_close(a);
}

static void what_fails_below_is_explained_and_circles_end(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, THINGS);
    errors list = {0};
    const char *more = "tidy(X) :- ready(X), weight(X, _).\n";
    assert_int_equal(engine_load(a->engine, "more.dl", more, strlen(more), &list), OK);
    says(a, "tidy(plate_1)", "no: ready(plate_1)");
    says(a, "tidy(plate_1)", "fails: at_place(plate_1, table)");
    says(a, "path(4, 1)", "rules.dl:11: 0 of 1 goals");
    says(a, "loop(1)", "no: loop(1)");
    asked_close(a);
}

static void a_goal_of_other_episodes_is_explained_in_each_of_them(void **state) {
    (void)state;
    asked *a = asked_open(
        10, "INSERT INTO episode VALUES (2, 'p', 'w', 'r', 2, '0', 2000000, 20000000, 5000000000, "
            "'failed', 1, 1), (3, 'p', 'w', 'r', 3, '0', 2000000, 20000000, 5000000000, 'failed', "
            "1, 1), (4, 'p', 'w', 'r', 4, '0', 2000000, 20000000, 5000000000, 'failed', 1, 1);"
            "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'),"
            " (2, 2, 'fork', 'body');");
    asked_load(a,
               "there(X) :- object(X, body, _).\nboth(X) :- there(X), in_episode(2, there(X)).\n");
    assert_string_equal(denied(a, "in_episode(2, there(cup))"),
                        "no: in_episode(2, there(cup))\n"
                        "  in episode 2 it does not hold\n"
                        "    no: there(cup)\n"
                        "      rules.dl:1: 0 of 1 goals hold at once\n"
                        "        fails: object(cup, body, _)  rules.dl:1\n"
                        "        nearest: object(fork, body, _) holds; cup was asked\n");
    // Of many episodes the first ones are looked at; a rule that asks one is explained alike.
    says(a, "in_episode(E, there(spoon))",
         "  and 1 more episode, not looked at\n  in episode 1 it");
    says(a, "both(cup)", "nearest: object(fork, body, _) holds; cup was asked");
    says(a, "in_episode(9, there(cup))", "  the log has no such episode; it has 4\n");
    asked_close(a);
}

static void a_goal_that_holds_is_refused(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, THINGS);
    says(a, "path(1, 4)", "this goal has 1 answer; ask why it holds");
    says(a, "path(1, X", "expected");
    says(a, "nowhere(1)", "nowhere");
    asked_close(a);
}

static void integers_of_any_size_are_told_apart_in_heads(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "n(1152921504606846978). n(1152921504606846976). same(X, X) :- n(X).\n");
    const char *said = denied(a, "same(1152921504606846976, 1152921504606846978)");
    assert_null(strstr(said, "1 of 1 goals"));
    asked_close(a);
}

// The bound that is said to fail does fail, in a way in which the other one holds.
static void
a_time_outside_the_heads_own_interval_is_explained_by_the_bound_that_fails(void **state) {
    (void)state;
    asked *a = asked_open(60, NULL);
    asked_load(a, ":- temporal p on 2. p(4, interval(0, 1)). p(4, interval(46, 49)).\n"
                  ":- temporal q on 2. q(X, interval(S, E)) :- p(X, interval(S, E)).\n"
                  ":- temporal r on 2. r(X, interval(S, E)) :- p(X, interval(S, E)), S > 3.\n");
    says(a, "q(4, at(33))", "33 < 1.0 fails by 32.0");
    says(a, "r(4, at(33))", "46.0 <= 33 fails by 13.0");
    // An interval that touches a span has no instant in it.
    says(a, "r(4, during(49, 50))", "49 < 49.0 fails by");
    says(a, "r(4, during(40, 46))", "46.0 < 46 fails by");
    says(a, "r(4, during(49, 49))", "49 < 49.0 fails by");
    asked_close(a);
}

static void a_denial_is_written_as_json(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, THINGS);
    errors list = {0};
    const denial *d;
    char *text = NULL;
    assert_int_equal(
        engine_why_not(a->engine, a->texts, "query", "ready(plate_1)", NULL, &d, &list), OK);
    assert_int_equal(denial_json(d, &text), OK);
    assert_string_equal(
        text, "{\"goal\":\"ready(plate_1)\",\"note\":null,\"rules\":[{\"file\":\"rules.dl\","
              "\"line\":4,\"rule\":\"ready(X) :- at_place(X, table), weight(X, W), W < 0.5, not "
              "broken(X)\",\"literals\":4,\"reached\":3,\"failing\":\"at_place(plate_1, table)\","
              "\"failing_line\":5,\"nearest\":\"at_place(plate_1, tray) holds; table was "
              "asked\",\"deeper\":null}]}\n");
    free(text);
    asked_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_goal_that_fails_is_named_with_the_nearest_miss),
        cmocka_unit_test(what_is_beaten_is_denied_by_what_is_better),
        cmocka_unit_test(the_order_of_goals_changes_nothing_about_how_far_it_gets),
        cmocka_unit_test(a_long_body_is_tried_to_its_end),
        cmocka_unit_test(private_predicates_are_told_apart),
        cmocka_unit_test(times_are_missed_by_seconds),
        cmocka_unit_test(unknown_names_are_named),
        cmocka_unit_test(what_fails_below_is_explained_and_circles_end),
        cmocka_unit_test(a_goal_of_other_episodes_is_explained_in_each_of_them),
        cmocka_unit_test(a_goal_that_holds_is_refused),
        cmocka_unit_test(
            a_time_outside_the_heads_own_interval_is_explained_by_the_bound_that_fails),
        cmocka_unit_test(integers_of_any_size_are_told_apart_in_heads),
        cmocka_unit_test(a_denial_is_written_as_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

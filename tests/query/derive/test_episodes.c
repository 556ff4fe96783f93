// tests/query/derive/test_episodes.c - goals in other episodes of a log, answers in order, and the
// time of a task.
#include "tests/query/querylib.h"

// Episode N ends at 10 N seconds and has N drops of cup_N, one each second, and a task.
static const char *log_of(arena *a, int episodes) {
    const char *sql = "CREATE TABLE drops (episode INTEGER, body TEXT, t_ns INTEGER);";
    for (int i = 1; i <= episodes; i++) {
        if (i > 1)
            sql = arena_format(a,
                               "%sINSERT INTO episode VALUES (%d, 'p', 'w', 'r', %d, '0', 2000000, "
                               "20000000, %d0000000000, '%s', %d, %d0000000000);",
                               sql, i, i * 11, i, i % 2 ? "succeeded" : "failed", i % 3 != 0, i);
        sql = arena_format(
            a,
            "%sINSERT INTO object (id, episode, name, kind) VALUES (%d, %d, 'cup_%d', 'body');"
            "INSERT INTO agent (id, episode, name, object) VALUES (%d, %d, 'robot', %d);"
            "INSERT INTO task (id, episode, agent, construct, path, start_ns, end_ns, status) "
            "VALUES "
            "(%d, %d, %d, 'seq', 'p', 1000000000, %s, 'done');",
            sql, i, i, i, i, i, i, i, i, i, i % 2 ? "3000000000" : "NULL");
        for (int k = 1; k <= i; k++)
            sql = arena_format(a, "%sINSERT INTO drops VALUES (%d, 'cup_%d', %d000000000);", sql, i,
                               i, k);
    }
    return sql;
}

static const char RULES[] =
    ":- table drops(body: object, at: time) from drops(body, t_ns) episode episode.\n"
    ":- split occurs on 1.\n:- instant occurs on 2.\n"
    ":- split holds on 1.\n:- temporal holds on 2.\n"
    "occurs(drop(O), T) :- drops(O, T).\n"
    "holds(early, interval(start, 2)).\n"
    "holds(late, interval(end - 1, end)).\n"
    "holds(broken(O), interval(T, end + 1)) :- drops(O, T).\n"
    "dropped(E, N) :- episode(E, _, _, _, _), N = count { T : in_episode(E, occurs(drop(_), T)) "
    "}.\n";

static asked *open_rules(int episodes) {
    arena *a = arena_create();
    asked *q = asked_open(10, log_of(a, episodes) + 0);
    arena_destroy(a);
    errors list = {0};
    engine_close(q->engine);
    error err = {0};
    if (engine_open(q->store, 1, NULL, &q->engine, &err) != OK)
        fail_msg("%s", err.text);
    if (engine_load(q->engine, "rules.dl", RULES, strlen(RULES), &list) != OK)
        fail_msg("%s", asked_errors(q, &list));
    return q;
}

static void goals_are_asked_of_other_episodes(void **state) {
    (void)state;
    asked *a = open_rules(4);
    expect(a, "this_episode(E)", "1");
    expect(a, "episode(E, P, S, O, C)",
           "1 \"p\" 1 succeeded true; 2 \"p\" 22 failed true; 3 \"p\" 33 succeeded false; 4 \"p\" "
           "44 failed true");
    expect(a, "occurs(drop(O), T)", "cup_1 1.0");
    expect(a, "in_episode(2, occurs(drop(O), T))", "cup_2 1.0; cup_2 2.0");
    expect(a, "in_episode(E, object(O, body, _))", "1 cup_1; 2 cup_2; 3 cup_3; 4 cup_4");
    expect(a, "in_episode(99, object(O, _, _))", "");
    expect(a, "dropped(E, N)", "1 1; 2 2; 3 3; 4 4");
    expect(a, "N = count { E : in_episode(E, occurs(drop(_), 3)) }", "2");
    expect(a, "N = count { E : in_episode(E, not occurs(drop(_), 3)) }", "2");
    expect(a, "episode(E, _, _, failed, _), not in_episode(E, occurs(drop(_), 4))", "2");
    // start and end are those of the episode that is asked.
    expect(a, "in_episode(E, holds(late, interval(S, End)))",
           "1 9.0 10.0; 2 19.0 20.0; 3 29.0 30.0; 4 39.0 40.0");
    expect(a, "in_episode(E, (T = end, holds(broken(_), at(T)))), E > 3", "4 40.0");
    expect(a, "in_episode(E, (object(O, _, _) ; E = 2, O = none)), E < 3",
           "1 cup_1; 2 cup_2; 2 none");
    asked_close(a);
}

static void what_a_goal_needs_bound_is_passed_on(void **state) {
    (void)state;
    asked *a = open_rules(3);
    expect(a, "between(1, 2, N), in_episode(3, (M = N * 10, M > 10))", "2 20");
    expect(a, "drops(_, T), in_episode(E, holds(broken(O), at(T)))",
           "1.0 1 cup_1; 1.0 2 cup_2; 1.0 3 cup_3");
    expect(a, "T = 1.5 + 0.5, in_episode(E, holds(broken(_), at(T)))", "2.0 1; 2.0 2; 2.0 3");
    expect(a, "in_episode(2, in_episode(E, (occurs(drop(O), T), T > 2)))", "3 cup_3 3.0");
    expect(a, "in_episode(2, this_episode(E))", "2");
    expect(a, "in_episode(1, (this_episode(E), in_episode(F, this_episode(F)))), F > 1",
           "1 2; 1 3");
    asked_close(a);
}

static void goals_that_cannot_be_asked_say_why(void **state) {
    (void)state;
    asked *a = open_rules(2);
    expect(a, "in_episode(E, occurrs(drop(_), 3))",
           "1:15: occurrs/2 is not defined; did you mean 'occurs'?\n");
    assert_non_null(strstr(asked_for(a, "in_episode(E, X > 3)"), "1:15: unsafe variable X"));
    expect(a, "in_episode(first, this_episode(_))",
           "1:12: in_episode takes the number of an episode, or a variable\n");
    expect(a, "in_episode(1, (this_episode(E), limit(1)))",
           "1:33: limit stands at the top level of a query only\n");
    asked_close(a);
    expect_wrong("p(X) :- in_episode(2, p(X)). p(1).", "cycle through in_episode: p/1");
    expect_wrong("p(X) :- q(X). q(X) :- in_episode(_, p(X)).", "cycle through in_episode");
    expect_wrong("p(X) :- in_episode(_, not p(X)), q(X). q(1).", "cycle through");
}

static void rules_that_are_loaded_later_are_known_there(void **state) {
    (void)state;
    asked *a = open_rules(2);
    expect(a, "in_episode(2, occurs(drop(_), T))", "1.0; 2.0");
    const char *more = "occurs(drop(none), 7). extra(5).";
    errors list = {0};
    assert_int_equal(engine_load(a->engine, "more.dl", more, strlen(more), &list), OK);
    expect(a, "in_episode(2, (occurs(drop(_), T), extra(X)))", "1.0 5; 2.0 5; 7.0 5");
    assert_true(engine_unload(a->engine, "more.dl"));
    expect(a, "in_episode(2, occurs(drop(_), T))", "1.0; 2.0");
    expect(a, "in_episode(2, extra(_))", "1:15: extra/1 is not defined\n");
    asked_close(a);
}

static void fifty_episodes_share_one_budget(void **state) {
    (void)state;
    asked *a = open_rules(50);
    expect(a, "N = count { E : in_episode(E, occurs(drop(_), 30)) }", "21");
    expect(a, "N = sum { M : dropped(_, M) }", "1275");
    asked_close(a);
    arena *texts = arena_create();
    engine_options few = engine_options_default();
    few.memory_limit = 200000;
    asked *b = asked_open_with(10, log_of(texts, 50), &few);
    asked_load(b, RULES);
    const char *said = asked_for(b, "in_episode(E, (between(1, 100000, N), occurs(drop(O), _)))");
    if (!strstr(said, "memory"))
        fail_msg("%s", said);
    arena_destroy(texts);
    asked_close(b);
}

static void a_goal_elsewhere_is_interrupted_like_any(void **state) {
    (void)state;
    asked *a = open_rules(3);
    engine_interrupt(a->engine);
    const char *said = asked_for(a, "in_episode(E, (between(1, 3000000, N), occurs(drop(_), N)))");
    if (!strstr(said, "interrupt"))
        fail_msg("%s", said);
    expect(a, "in_episode(2, this_episode(E))", "2");
    asked_close(a);
}

static void answers_come_in_the_order_asked_for(void **state) {
    (void)state;
    asked *a = asked_open(10, NULL);
    asked_load(a, "p(a, 3). p(b, 1). p(c, 2). p(d, 2).\n");
    expect(a, "p(X, N), order_by(N)", "b 1; c 2; d 2; a 3");
    expect(a, "p(X, N), order_by(desc(N), X)", "a 3; c 2; d 2; b 1");
    expect(a, "p(X, N), order_by(asc(N), desc(X))", "b 1; d 2; c 2; a 3");
    expect(a, "order_by(desc(N)), p(X, N), limit(2)", "a 3; c 2");
    expect(a, "p(X, N), limit(2), offset(1)", "b 1; c 2");
    expect(a, "p(X, N), order_by(N), offset(3)", "a 3");
    expect(a, "p(X, N), limit(0)", "");
    expect(a, "p(X, N), limit(9), offset(9)", "");
    expect(a, "p(_, 1), limit(1)", "yes");
    expect(a, "p(_, 1), limit(0)", "no");
    expect(a, "p(X, N)", "a 3; b 1; c 2; d 2");
    expect(a, "p(X, N), order_by(M)", "1:19: order_by names M, which is no column of the answer\n");
    expect(a, "p(Name, N), order_by(Nane)",
           "1:22: order_by names Nane, which is no column of the answer; did you mean Name?\n");
    expect(a, "p(X, N), order_by(3)",
           "1:19: order_by takes variables of the answer: X, asc(X) or desc(X)\n");
    expect(a, "p(X, N), limit(X)", "1:10: limit and offset take a whole number, 0 or more\n");
    expect(a, "p(X, N), limit(1), limit(2)",
           "1:20: a query has one limit and one offset at most\n");
    expect(a, "limit(1)", "1:1: this arranges answers, but asks for none; add a goal\n");
    expect(a, "p(X, N), not (p(N, X), limit(1))",
           "1:24: limit stands at the top level of a query only\n");
    expect(a, "p(X, N), (limit(1) ; X = a)",
           "1:11: limit stands at the top level of a query only\n");
    asked_close(a);
    expect_wrong("p(X) :- q(X), limit(3). q(1).", "limit stands at the top level of a query only");
}

static void times_are_written_as_those_of_a_task(void **state) {
    (void)state;
    asked *a = open_rules(3);
    // Task 1 lasts from 1 s to 3 s; early holds until 2 s, late from 9 s.
    expect(a, "S = start(1), E = end(1)", "1.0 3.0");
    expect(a, "holds(early, at(start(T)))", "1");
    expect(a, "holds(early, start(1))", "yes");
    expect(a, "holds(early, at(end(T)))", "");
    expect(a, "holds(early, throughout(start, start(1)))", "yes");
    expect(a, "holds(X, during(task(1)))", "early; broken(cup_1)");
    expect(a, "holds(X, throughout(task(1)))", "broken(cup_1)");
    expect(a, "occurs(drop(O), at(start(T)))", "cup_1 1");
    expect(a, "occurs(drop(O), during(task(1)))", "cup_1");
    expect(a, "drops(O, start(T))", "cup_1 1");
    expect(a, "task(T), D = end(T) - start(T), end(T) < 4", "1 2.0");
    expect(a, "duration(interval(start(1), end(1)), D)", "2.0");
    expect(a, "T = start(1) + 0.5, holds(early, at(T))", "1.5");
    expect(a, "in_episode(2, E = end(2))", "20.000000001");
    expect(a, "holds(early, at(start(7)))", "no");
    expect(a, "task_status(_, _, start(1))", "no");
    asked_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goals_are_asked_of_other_episodes),
        cmocka_unit_test(what_a_goal_needs_bound_is_passed_on),
        cmocka_unit_test(goals_that_cannot_be_asked_say_why),
        cmocka_unit_test(rules_that_are_loaded_later_are_known_there),
        cmocka_unit_test(fifty_episodes_share_one_budget),
        cmocka_unit_test(a_goal_elsewhere_is_interrupted_like_any),
        cmocka_unit_test(answers_come_in_the_order_asked_for),
        cmocka_unit_test(times_are_written_as_those_of_a_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

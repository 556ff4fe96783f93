// tests/query/derive/test_facts.c - the tables of a log as predicates.
#include "query/builtins/builtin.h"
#include "query/log/fact.h"
#include "tests/query/querylib.h"

static const char LOG[] =
    "INSERT INTO object (id, episode, name, kind, type, whole, fixed, known, mass, break_impulse) "
    "VALUES"
    " (1, 1, 'table', 'body', 'table', NULL, 1, 1, 0, NULL), (2, 1, 'cup', 'body', 'cup', NULL, 0, "
    "0, 0.5, 2.5),"
    " (3, 1, 'hand', 'gripper', NULL, NULL, 0, 0, 0, 9e999), (4, 1, 'finger', 'finger', NULL, 3, "
    "0, 0, 0.1, NULL);"
    "INSERT INTO agent (id, episode, name, object) VALUES (1, 1, 'robot', 3);"
    "INSERT INTO task (id, episode, agent, parent, construct, path, expr, goal, start_ns, end_ns, "
    "status) VALUES"
    " (1, 1, 1, NULL, 'seq', 'main', 'seq', NULL, 0, NULL, 'active'),"
    " (2, 1, 1, 1, 'achieve', 'main/1', 'achieve(on(cup, table))', 'on(cup, table)', 1000000000, "
    "4000000000, 'done'),"
    " (3, 1, 1, 1, 'log', 'main/2', 'not a term at all', NULL, 4000000000, 5000000000, 'failed');"
    "INSERT INTO task_status (id, episode, task, t_ns, status) VALUES (1, 1, 2, 1000000000, "
    "'created'),"
    " (2, 1, 2, 1500000000, 'active'), (3, 1, 2, 4000000000, 'done');"
    "INSERT INTO task_note (id, episode, task, kind, term) VALUES (1, 1, 2, 'expects', "
    "'collision(cup, _)'),"
    " (2, 1, 2, 'expects', 'collision(X, X)');"
    "INSERT INTO variable (id, episode, agent, task, name, value, t_ns, by, point) VALUES"
    " (1, 1, 1, NULL, 'RobotPos', 'pose(1.0, 2.0, 0.5)', 0, NULL, 'odometry'),"
    " (2, 1, 1, NULL, 'RobotPos', 'pose(2.0, 2.0, 0.5)', 3000000000, NULL, 'odometry'),"
    " (3, 1, 1, 2, 'x', '\"text\"', 1000000000, 2, 'begin');"
    "INSERT INTO choice (id, episode, task, t_ns, what, question, chosen, candidates, reason) "
    "VALUES"
    " (1, 1, 2, 2000000000, 'arm', NULL, 'left', '[left, right]', 'nearer');"
    "INSERT INTO designator (id, episode, agent, name, kind, description, task, t_ns) VALUES"
    " (1, 1, 1, 'des#1', 'object', '[type(cup)]', 2, 1000000000),"
    " (2, 1, 1, 'des#2', 'location', '[on(table)]', 2, 1000000000);"
    "INSERT INTO choice (id, episode, task, t_ns, what, chosen, candidates, designator) VALUES"
    " (2, 1, 2, 2500000000, 'object', 'cup#1', '[cup#1, cup#2]', 1);"
    "INSERT INTO equation (id, episode, designator, other, t_ns, task, solution, reason) VALUES"
    " (1, 1, 1, 2, 3000000000, 2, NULL, 'stated'), (2, 1, 2, NULL, 3000000000, 2, 'cup#2', "
    "'stated');"
    "INSERT INTO pulse (id, episode, task, t_ns, number, reason) VALUES"
    " (1, 1, 3, 4500000000, 1, 'on(cup, table): believed; gripper_force(left) = 2.0');"
    "INSERT INTO failure (id, episode, task, t_ns, class, reason, attached) VALUES"
    " (1, 1, 3, 5000000000, 'livelock', 'so', NULL), (2, 1, 2, 5000000000, 'livelock', 'so', 1);"
    "INSERT INTO command (operation, actuator, t, nth, mode, v1) VALUES"
    " (NULL, 3, 0, 0, 'open', 100000), (NULL, 3, 200000, 0, 'close', NULL);"
    "INSERT INTO contact (id, episode, a, b, start_ns, end_ns) VALUES (1, 1, 1, 2, 0, NULL), (2, "
    "1, 2, 4, 2000000000, 3000000000);"
    "INSERT INTO percept (id, episode, reading, type, color) VALUES (1, 1, NULL, 'cup', NULL), (2, "
    "1, NULL, 'cup', 'red');"
    "INSERT INTO percept_truth (id, episode, percept, object) VALUES (1, 1, 1, NULL), (2, 1, 2, 2);"
    "INSERT INTO episode VALUES (2, 'p', 'w', 'r', 1, '0', 2000000, 20000000, 7000000000, "
    "'failed', 1, 7000000000);"
    "INSERT INTO object (id, episode, name, kind) VALUES (5, 2, 'table', 'body'), (6, 2, 'spoon', "
    "'body');"
    "INSERT INTO contact (id, episode, a, b, start_ns, end_ns) VALUES (3, 2, 5, 6, 0, NULL);";

static void every_table_answers(void **state) {
    (void)state;
    asked *a = asked_open(10, LOG);
    const fact *f;
    for (size_t i = 0; (f = fact_at(i)); i++) {
        const char *query = f->name;
        for (uint32_t k = 0; k < f->arity; k++)
            query = arena_format(a->texts, "%s%sV%u", query, k ? ", " : "(", k);
        query = arena_format(a->texts, "%s)", query);
        errors list = {0};
        answers *got = NULL;
        if (engine_query(a->engine, "query", query, &got, &list) != OK)
            fail_msg("%s: %s", query, asked_errors(a, &list));
        answers_destroy(got);
    }
    asked_close(a);
}

static void names_terms_and_times_are_resolved(void **state) {
    (void)state;
    asked *a = asked_open(10, LOG);
    expect(a, "object(O, K, T)",
           "cup body cup; finger finger none; hand gripper none; table body table");
    expect(a, "object_whole(P, W)", "finger hand");
    expect(a, "object_fixed(O)", "table");
    expect(a, "object_weight(cup, W)", "4.905");
    expect(a, "object_break_impulse(O, I)", "cup 2.5");
    expect(a, "task_goal(T, on(X, Y))", "2 cup table");
    expect(a, "task_expr(T, E)", "1 seq; 2 achieve(on(cup, table)); 3 \"not a term at all\"");
    expect(a, "task_parent(T, 1)", "2; 3");
    expect(a, "task_end(T, E)", "1 10.000000001; 2 4.0; 3 5.0");
    expect(a, "task_state(2, S, From, To)",
           "active 1.5 4.0; created 1.0 1.5; done 4.0 10.000000001");
    expect(a, "variable_state(_, robot, 'RobotPos', V, S, E)",
           "pose(1.0, 2.0, 0.5) 0.0 3.0; pose(2.0, 2.0, 0.5) 3.0 10.000000001");
    expect(a, "variable(_, A, x, V, T)", "robot \"text\" 1.0");
    expect(a, "variable(I, _, 'RobotPos', V, T)",
           "1 pose(1.0, 2.0, 0.5) 0.0; 2 pose(2.0, 2.0, 0.5) 3.0");
    expect(a, "variable(_, _, y, V, T)", "");
    expect(a, "choice(T, arm, C, L)", "2 left [left, right]");
    expect(a, "choice_made(_, _, T, arm, Q, C, _, R)", "2.0 none left nearer");
    expect(a, "designator(_, robot, N, K, D, T)",
           "des#1 object [type(cup)] 1.0; des#2 location [on(table)] 1.0");
    expect(a, "resolution(C, T, At, D, X)", "2 2 2.5 des#1 cup#1");
    expect(a, "equation(I, D, O, _, T)", "1 des#1 des#2 3.0; 2 des#2 none 3.0");
    expect(a, "equation_solution(I, X)", "2 cup#2");
    expect(a, "pulse(I, T, At, N, Why), is_string(Why)",
           "1 3 4.5 1 \"on(cup, table): believed; gripper_force(left) = 2.0\"");
    expect(a, "failure_attached(F, Of)", "2 1");
    expect(a, "task_note(2, expects, P), lisp(P, X)",
           "collision(cup, _) \"(COLLISION CUP ?)\"; collision(X, X) \"(COLLISION ?X ?X)\"");
    expect(a, "status_change(I, 2, S, T)", "1 created 1.0; 2 active 1.5; 3 done 4.0");
    expect(a, "command_state(_, hand, M, S, E)", "close 2.0 10.000000001; open 0.0 2.0");
    expect(a, "command_values(I, V1, V2, _)", "3298534883328 0.1 none; 3298547683328 none none");
    expect(a, "percept(P, _, cup, C)", "");
    expect(a, "percept_truth(P, O)", "2 cup");
    expect(a, "ghost(P)", "1");
    expect(a, "touches(I, cup, B, _, E)", "1 table 10.000000001; 2 finger 3.0");
    expect(a, "contact(I, A, B, S, E), censored(E)", "1 table cup 0.0 10.000000001");
    // patterns of the log match with their variables open
    expect(a, "task_note(2, expects, P), matches(P, collision(cup, table)), N = 1",
           "collision(cup, _) 1");
    expect(a, "N = count { P : task_note(2, expects, P), matches(P, collision(cup, cup)) }", "2");
    expect(a, "not contact(_, cup, table, _, _)", "yes");
    asked_close(a);
}

static void only_the_episode_is_read(void **state) {
    (void)state;
    asked *a = asked_open(10, LOG);
    engine *second = NULL;
    error err = {0};
    assert_int_equal(engine_open(a->store, 2, NULL, &second, &err), OK);
    asked view = *a;
    view.engine = second;
    expect(&view, "object(O, _, _)", "spoon; table");
    expect(&view, "contact(I, A, B, _, E)", "3 table spoon 7.000000001");
    expect(&view, "task(T)", "");
    expect(&view, "X = end, Y = 1, Z = X", "7.0 1 7.0");
    engine_close(second);
    assert_int_equal(engine_open(a->store, 5, NULL, &second, &err), E_INPUT);
    asked_close(a);
}

static void a_bound_index_loads_no_more_than_its_rows(void **state) {
    (void)state;
    char rows[900];
    // 50,000 keyframes of one object, ten of another.
    snprintf(rows, sizeof rows,
             "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'busy', 'body'), (2, 1, "
             "'calm', 'body');"
             "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49999)"
             " INSERT INTO metric_pose (episode, object, t_ns, x, y, z, qw, qx, qy, qz) SELECT 1, "
             "1, i * "
             "10000, i, 0, 0, 1, 0, 0, 0 FROM n;"
             "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)"
             " INSERT INTO metric_pose (episode, object, t_ns, x, y, z, qw, qx, qy, qz) SELECT 1, "
             "2, i * "
             "10000, i, 0, 0, 1, 0, 0, 0 FROM n;");
    asked *a = asked_open(10, rows);
    expect(a, "N = count { T : keyframe(calm, T, _) }", "10");
    size_t few = engine_last_cost(a->engine).bytes;
    assert_true(few < 1000000);
    expect(a,
           "N = count { P : keyframe(calm, 0.00003, P) }, M = count { P : keyframe(calm, 0.0002, "
           "P) }",
           "1 0");
    expect(a, "keyframe(calm, T, P), planar(P, 4, _, _), X = 1",
           "4e-05 pose(4.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0) 1");
    expect(a, "keyframe(nobody, T, P)", "");
    expect(a, "N = count { T : keyframe(_, T, _) }", "50000");
    assert_true(engine_last_cost(a->engine).bytes > few + 1000000);
    asked_close(a);
}

static void a_damaged_log_is_an_error_and_no_crash(void **state) {
    (void)state;
    asked *a = asked_open(10, LOG);
    expect(a, "task(T)", "1; 2; 3");
    db_run_in(a->path, "DROP VIEW IF EXISTS contact_view; PRAGMA writable_schema = ON;"
                       "UPDATE sqlite_schema SET sql = 'CREATE TABLE contact (id INTEGER PRIMARY "
                       "KEY, nothing)' WHERE name = 'contact';");
    store *s = NULL;
    engine *e = NULL;
    error err = {0};
    if (store_open(a->path, &s, &err) == OK && engine_open(s, 1, NULL, &e, &err) == OK) {
        asked view = *a;
        view.engine = e;
        assert_non_null(strstr(asked_for(&view, "contact(I, A, B, S, E)"),
                               "reading the table of contact failed"));
        engine_close(e);
    } else {
        assert_true(err.text[0] != 0);
    }
    store_close(s);
    asked_close(a);
}

static void a_text_where_a_number_belongs_is_damage(void **state) {
    (void)state;
    asked *a = asked_open(10, LOG);
    db_run_in(a->path, "INSERT INTO command (actuator, t, nth, mode, v1, v2, v3) VALUES "
                       "(1, 5, 0, 'open', 'wide', 0, 0)");
    store *s = NULL;
    asked view = *a;
    error err = {0};
    assert_int_equal(store_open(a->path, &s, &err), OK);
    assert_int_equal(engine_open(s, 1, NULL, &view.engine, &err), OK);
    assert_non_null(strstr(asked_for(&view, "command_values(1099511628096, V, _, _)"), "'wide'"));
    engine_close(view.engine);
    store_close(s);
    asked_close(a);
}

static void where_a_robot_believes_itself_to_be_is_a_variable(void **state) {
    (void)state;
    asked *a = asked_open(
        10, "INSERT INTO agent (id, episode, name) VALUES (1, 1, 'ann'), (2, 1, 'bob');"
            "INSERT INTO believed (id, episode, agent, name, t_ns) VALUES (1, 1, 1, 'ann', 0),"
            " (2, 1, 1, 'bob', 0), (3, 1, 2, 'bob', 0);"
            "INSERT INTO variable (id, episode, agent, task, name, value, t_ns, by, point) VALUES"
            " (1, 1, 1, NULL, 'PosAccuracy', '0.05', 1000000000, 7, 'odometry');"
            "INSERT INTO believed_frame (agent, believed, parent, t, nth, x, y, qw, qz, task, "
            "source) VALUES"
            " (1, 1, 'map', 0, 0, 1234567, -2000000, 1000000, 0, 7, 'laser'),"
            " (1, 1, 'map', 300000, 0, 0, 0, 0, 1000000, NULL, '!'),"
            " (1, 2, 'map', 100000, 0, 0, 0, 1000000, 0, 8, 'tracker'),"
            " (2, 3, 'map', 200000, 0, -50, 0, 877583, 479426, NULL, 'odometry');");
    for (int by_name = 0; by_name < 2; by_name++) {
        expect(a, by_name ? "variable(_, A, 'RobotPos', V, T)" : "variable(_, A, N, V, T), T < 1",
               by_name ? "ann pose(0.0, 0.0, 3.1416) 3.0; ann pose(1.2346, -2.0, 0.0) 0.0; bob "
                         "pose(-0.0001, 0.0, 1.0) 2.0"
                       : "ann 'RobotPos' pose(1.2346, -2.0, 0.0) 0.0");
        expect(a, "variable(I, A, 'PosAccuracy', V, _)", "1 ann 0.05");
    }
    expect(a, "variable_state(_, ann, 'RobotPos', V, S, E)",
           "pose(0.0, 0.0, 3.1416) 3.0 10.000000001; pose(1.2346, -2.0, 0.0) 0.0 3.0");
    expect(a, "variable(I, ann, 'RobotPos', _, 0), variable_by(I, By), variable_point(I, P)",
           "1099511627776 7 laser");
    expect(a, "variable_point(1099530827776, P)", "odometry");
    expect(a, "N = count { I : variable_point(I, P) }", "4");
    assert_int_equal(
        db_number_in(a->path, "SELECT group_concat(agent || ' ' || value || ' ' || t_s || ' ' || "
                              "coalesce(by_task, '-') || ' ' || point, '; ') ="
                              " 'ann pose(1.2346, -2.0, 0.0) 0.0 7 laser; ann pose(0.0, 0.0, "
                              "3.1416) 3.0 - odometry; bob pose(-0.0001, 0.0, 1.0) 2.0 - odometry'"
                              " FROM (SELECT * FROM variable_view WHERE name = 'RobotPos' AND"
                              " episode = 1 ORDER BY id)"),
        1);
    assert_int_equal(db_number_in(a->path, "SELECT count(*) FROM variable_view"), 4);
    asked_close(a);
}

// Whether the reference says `name(` or `name` somewhere.
static void check_named(const char *text, const char *name) {
    char call[100], word[100];
    snprintf(call, sizeof call, "`%s(", name);
    snprintf(word, sizeof word, "`%s`", name);
    if (!strstr(text, call) && !strstr(text, word))
        fail_msg("docs/query.md does not name %s", name);
}

static void the_reference_names_every_builtin_signal_and_table(void **state) {
    (void)state;
    static const char *const signals[] = {
#define SIGNAL(name, args, function, tolerance, knots, doc) name,
#include "query/log/signals.def"
#undef SIGNAL
    };
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/query.md");
    const builtin *b;
    const fact *f;
    for (size_t i = 0; (b = builtin_at(i)); i++)
        check_named(text, b->name);
    for (size_t i = 0; (f = fact_at(i)); i++)
        check_named(text, f->name);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        check_named(text, signals[i]);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_answers),
        cmocka_unit_test(names_terms_and_times_are_resolved),
        cmocka_unit_test(where_a_robot_believes_itself_to_be_is_a_variable),
        cmocka_unit_test(only_the_episode_is_read),
        cmocka_unit_test(a_bound_index_loads_no_more_than_its_rows),
        cmocka_unit_test(the_reference_names_every_builtin_signal_and_table),
        cmocka_unit_test(a_damaged_log_is_an_error_and_no_crash),
        cmocka_unit_test(a_text_where_a_number_belongs_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

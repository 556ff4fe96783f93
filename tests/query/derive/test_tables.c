// tests/query/derive/test_tables.c - tables and views of the user's own as predicates.
#include "query/log/fact.h"
#include "query/rules/program.h"
#include "tests/query/querylib.h"

static const char LOG[] =
    "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'), (2, 1, 'plate', "
    "'body');"
    "INSERT INTO episode VALUES (2, 'p', 'w', 'r', 7, '0', 2000000, 20000000, 7000000000, "
    "'failed', "
    "0, 7000000000);"
    "INSERT INTO object (id, episode, name, kind) VALUES (3, 2, 'cup', 'body'), (4, 2, 'spoon', "
    "'body');"
    "CREATE TABLE gripper_log (id INTEGER PRIMARY KEY, run INTEGER, body, newtons REAL, t_ns "
    "INTEGER, until INTEGER, note TEXT);"
    "CREATE INDEX gripper_by_body ON gripper_log (run, body);"
    "INSERT INTO gripper_log VALUES (10, 1, 'cup', 1.5, 1000000000, 2000000000, 'a b'),"
    " (11, 1, 2, 2, 2000000000, NULL, NULL), (12, 2, 'spoon', 3.5, 1000000000, NULL, 'x'),"
    " (13, 1, 'ghost', 4.5, 1000000000, NULL, 'y'), (14, 1, 'cup', NULL, 1000000000, NULL, 'z');"
    "CREATE TABLE \"odd \"\"name\" (\"a b\" TEXT, \"select\" REAL, goal TEXT);"
    "INSERT INTO \"odd \"\"name\" VALUES ('one', 1.25, 'on(cup, plate)'), ('two', 2.5, 'not a "
    "term!');"
    "CREATE VIEW strong AS SELECT body, newtons FROM gripper_log WHERE newtons > 1.9 AND run = 1;"
    "CREATE TABLE pairs (a TEXT, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;"
    "INSERT INTO pairs VALUES ('x', 1), ('x', 2), ('y', 3);";

static void a_table_is_a_predicate(void **state) {
    (void)state;
    asked *a = asked_open(10, LOG);
    asked_load(a,
               ":- table grip(id: integer, on: object, force: number, at: time, till: end)\n"
               "   from gripper_log(id, body, newtons, t_ns, until) episode run \"what it felt\".\n"
               ":- table remark(id: integer, text: string?) from gripper_log(id, note).\n"
               "hard(O) :- grip(_, O, F, _, _), F > 1.8.\n");
    expect(a, "grip(I, O, F, S, E)", "10 cup 1.5 1.0 2.0; 11 plate 2.0 2.0 10.000000001");
    expect(a, "grip(I, cup, F, 1, _)", "10 1.5");
    expect(a, "grip(11, O, _, T, _)", "plate 2.0");
    expect(a, "hard(O)", "plate");
    expect(a, "grip(_, spoon, _, _, _)", "no");
    expect(a, "grip(_, _, F, T, E), D = E - T, D < 2", "1.5 1.0 2.0 1.0");
    expect(a, "remark(I, T)", "10 \"a b\"; 11 none; 12 \"x\"; 13 \"y\"; 14 \"z\"");
    expect(a, "remark(I, none)", "11");
    asked_close(a);
}

static void names_are_quoted_and_views_and_tables_without_rowids_are_read(void **state) {
    (void)state;
    asked *a = asked_open(10, LOG);
    asked_load(a, ":- table odd(name: symbol, x: seconds, goal: term) from 'odd \"name'(\"a b\", "
                  "\"select\", goal).\n"
                  ":- table strong(body: object, newtons: number) from strong.\n"
                  ":- table pairs(a: symbol, b: integer) from pairs.\n");
    expect(a, "odd(N, X, G)", "one 1.25 on(cup, plate); two 2.5 \"not a term!\"");
    expect(a, "odd(N, _, on(X, _)), odd(one, T, _), T < 2 ", "one cup 1.25");
    expect(a, "strong(B, N)", "plate 2.0");
    expect(a, "pairs(x, B)", "1; 2");
    expect(a, "pairs(A, 3)", "y");
    asked_close(a);
}

static const char *wrong_table(asked *a, const char *rules) {
    errors list = {0};
    status s = engine_load(a->engine, "rules.dl", rules, strlen(rules), &list);
    if (s == OK)
        s = engine_check(a->engine, &list);
    if (s == OK)
        return asked_for(a, "grip(X, Y)");
    assert_int_equal(s, E_INPUT);
    return asked_errors(a, &list);
}

static void what_the_database_lacks_is_said_before_anything_runs(void **state) {
    (void)state;
    asked *a = asked_open(10, LOG);
    const struct {
        const char *rules, *said;
    } cases[] = {
        {":- table grip(a: integer, b: number) from gripper_lok(id, newtons).",
         "1:43: the database has no table or view 'gripper_lok'; did you mean 'gripper_log'?\n"},
        {":- table grip(a: integer, b: number)\n from gripper_log(id, newton)\n episode rum.",
         "2:23: gripper_log has no column 'newton'; did you mean 'newtons'?\n"
         "3:10: gripper_log has no column 'rum'; did you mean 'run'?\n"},
        {":- table grip(a: integr, b: number) from gripper_log(id, newtons).",
         "1:18: there is no type 'integr'; did you mean 'integer'?\n"},
        {":- table grip(a: integer, b: number) from gripper_log(id).",
         "1:54: the arguments take 2 columns, but 1 is named\n"},
        {":- table task_start(a: integer, b: number) from gripper_log(id, newtons).",
         "1:10: task_start/2 is a table of the log; give this predicate another name\n"},
        {":- table grip(a: integer, b: number) from gripper_log(id, newtons) key c.",
         "1:72: key names an argument; there is none called 'c'; did you mean 'a'?\n"},
        {":- table grip(a: integer, b: number) from gripper_log(id, newtons) key b.",
         "1:72: rows cannot be looked up by an argument of type 'number'\n"},
        {":- table grip(a: integer, b: number) from gripper_log(id, newtons).\ngrip(1, 2).",
         "2:1: grip/2 is a table of the database; give this predicate another name\n"},
        {":- table grip(a: integer, b: number) from gripper_log(id, note).",
         "1:27: b of grip is declared number, but column note of gripper_log holds the text 'a b' "
         "in row 10\n"},
        {":- table grip(a: time?, b: number) from gripper_log(id, note).",
         "1:18: a column may not be missing where the type is 'time'\n"},
        {":- table grip(a: integer, b: number).", "1:37: a directive expects 'from' and a table "
                                                  "or view of the database here\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(wrong_table(a, cases[i].rules), cases[i].said);
    asked_close(a);
}

static void load_rules(asked *a, const char *text) {
    errors list = {0};
    if (engine_load(a->engine, "rules.dl", text, strlen(text), &list) != OK)
        fail_msg("%s", asked_errors(a, &list));
}

static void a_table_mapped_anew_is_read_anew(void **state) {
    (void)state;
    asked *a = asked_open(10, LOG);
    load_rules(a, ":- table grip(n: number) from gripper_log(newtons) episode run.\n"
                  "felt(N) :- N = count { X : grip(X) }.\n");
    expect(a, "felt(N)", "3");
    load_rules(a, ":- table grip(n: number) from gripper_log(newtons).\n"
                  "felt(N) :- N = count { X : grip(X) }.\n");
    expect(a, "felt(N)", "4");
    assert_true(engine_unload(a->engine, "rules.dl"));
    expect(a, "grip(N)", "1:1: grip/1 is not defined\n");
    asked_close(a);
}

// 100,000 rows, a thousand for each of 100 keys.
static asked *open_many(void) {
    return asked_open(10,
                      "CREATE TABLE many (k INTEGER, v INTEGER);"
                      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < "
                      "99999) INSERT INTO many SELECT i % 20000, i FROM n;"
                      "CREATE INDEX many_by_k ON many (k);");
}

static void few_keys_load_few_rows_and_many_the_whole_table(void **state) {
    (void)state;
    asked *a = open_many();
    asked_load(a, ":- table many(k: integer, v: integer) from many.\n");
    expect(a, "N = count { V : many(17, V) }, M = count { V : many(18, V) }", "5 5");
    size_t few = engine_last_cost(a->engine).bytes;
    expect(a, "N = count { V : between(1, 100, K), many(K, V) }", "500");
    size_t hundred = engine_last_cost(a->engine).bytes;
    assert_true(hundred - few < 500000);
    expect(a, "N = count { V : between(0, 19999, K), many(K, V) }", "100000");
    assert_true(engine_last_cost(a->engine).bytes - hundred > 1600000);
    expect(a, "many(19999, V), V > 90000", "99999");
    asked_close(a);
}

static void check_cited(facts *f, const fact *what, int64_t expected) {
    relation *r;
    error err = {0};
    assert_int_equal(facts_load(f, what, -1, VALUE_NONE, &r, &err), OK);
    assert_true(r->count > 0);
    int64_t sum = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        int64_t id = 0;
        const char *from = NULL;
        if (facts_cite(f, what, relation_row(r, i), &id, &from, &err) != OK)
            fail_msg("%s: %s", what->name, err.text);
        assert_true(id > 0);
        assert_string_equal(from, fact_table(what));
        sum += id;
    }
    assert_int_equal(sum, expected);
}

static void rows_are_cited_by_table_and_id(void **state) {
    (void)state;
    asked *a = asked_open(
        10,
        "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'a', 'body'), (2, 1, 'b', "
        "'body');"
        "INSERT INTO agent (id, episode, name, object) VALUES (1, 1, 'robot', 1);"
        "INSERT INTO task (id, episode, agent, construct, path, start_ns, status) VALUES (5, 1, "
        "1, 'seq', 'p', 7, 'done'), (6, 1, 1, 'par', 'p', 7, 'done');"
        "INSERT INTO task_status (id, episode, task, t_ns, status) VALUES (21, 1, 5, 1, 'x'), "
        "(22, 1, 5, 2, 'y'), (23, 1, 6, 3, 'x');"
        "INSERT INTO contact (id, episode, a, b, start_ns) VALUES (31, 1, 1, 2, 0);"
        "CREATE TABLE t (a TEXT, b REAL); INSERT INTO t (rowid, a, b) VALUES (41, 'x', 1), (42, "
        "'x', 2);");
    asked_load(a, ":- table t(a: symbol, b: number) from t.\n");
    expect(a, "t(A, 2.0)", "x");
    program *p = engine_program(a->engine);
    budget b = {.limit = (size_t)1 << 28};
    values *v = values_create(&b);
    facts *f;
    error err = {0};
    errors list = {0};
    arena *memory = arena_create();
    assert_int_equal(facts_create(a->store, engine_episode(a->engine), v, &b, &f, &err), OK);
    assert_int_equal(facts_declare(f, p->tables.items, p->tables.count, memory, &list), OK);
    check_cited(f, fact_find("object", 3), 3);
    check_cited(f, fact_find("task_start", 2), 11);
    check_cited(f, fact_find("task_status", 3), 66);
    check_cited(f, fact_find("task_state", 4), 66);
    check_cited(f, fact_find("touches", 5), 62);
    check_cited(f, fact_find("episode", 5), 1);
    const fact *t = program_fact(p, "t", 2);
    check_cited(f, t, 83);
    assert_string_equal(fact_table(t), "t");
    assert_string_equal(fact_table(fact_find("touches", 5)), "contact");
    facts_destroy(f);
    values_destroy(v);
    arena_destroy(memory);
    asked_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_a_predicate),
        cmocka_unit_test(names_are_quoted_and_views_and_tables_without_rowids_are_read),
        cmocka_unit_test(what_the_database_lacks_is_said_before_anything_runs),
        cmocka_unit_test(a_table_mapped_anew_is_read_anew),
        cmocka_unit_test(few_keys_load_few_rows_and_many_the_whole_table),
        cmocka_unit_test(rows_are_cited_by_table_and_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

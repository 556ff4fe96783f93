// tests/schema/test_schema.c - the tables, views and their documentation.
#include "tests/testlib.h"
#include <sqlite3.h>
#include "schema/numbers.h"
#include "schema/schema.h"
#include "schema/words.h"

static sqlite3 *open_empty(void) {
    sqlite3 *db = NULL;
    char *sql = NULL, *message = NULL;
    assert_int_equal(schema_sql(&sql, NULL), OK);
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    sqlite3_exec(db, sql, NULL, NULL, &message);
    assert_null(message);
    free(sql);
    return db;
}

static int64_t number(sqlite3 *db, const char *sql) {
    sqlite3_stmt *q = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    int64_t n = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return n;
}

static void descriptions_agree_with_the_structs(void **state) {
    (void)state;
    record r;
    memset(&r, 0, sizeof r);
    const record_info *pose = record_describe(RECORD_POSE);
    assert_string_equal(pose->table, "pose");
    assert_int_equal(pose->column_count, 15);
    assert_string_equal(pose->columns[8].name, "qz");
    r.POSE.qz = 0.25;
    double got;
    memcpy(&got, (char *)&r + pose->columns[8].offset, sizeof got);
    assert_true(got == 0.25);
    assert_int_equal(pose->columns[0].type, COLUMN_REF);
    assert_int_equal(pose->columns[0].target, RECORD_OBJECT);
    const record_info *failure = record_describe(RECORD_FAILURE);
    const column_info *attached = &failure->columns[failure->column_count - 1];
    assert_string_equal(attached->name, "attached");
    assert_int_equal(attached->target, RECORD_FAILURE);
    assert_int_equal(attached->offset, offsetof(record, FAILURE.attached));
    const record_info *choice = record_describe(RECORD_CHOICE);
    const column_info *resolves = &choice->columns[choice->column_count - 1];
    assert_string_equal(resolves->name, "designator");
    assert_int_equal(resolves->target, RECORD_DESIGNATOR);
    assert_null(record_describe(RECORD_KINDS));
}

static void each_kind_has_a_table_with_its_columns_in_order(void **state) {
    (void)state;
    sqlite3 *db = open_empty();
    for (int k = 0; k < RECORD_KINDS; k++) {
        const record_info *info = record_describe((record_kind)k);
        sqlite3_stmt *q = NULL;
        assert_int_equal(
            sqlite3_prepare_v2(db, "SELECT name, type FROM pragma_table_info(?1)", -1, &q, NULL),
            SQLITE_OK);
        sqlite3_bind_text(q, 1, info->table, -1, SQLITE_STATIC);
        for (int n = 0; n < 2 && !record_key((record_kind)k); n++) {
            assert_int_equal(sqlite3_step(q), SQLITE_ROW);
            assert_string_equal((const char *)sqlite3_column_text(q, 0), n ? "episode" : "id");
        }
        for (size_t i = 0; i < info->column_count; i++) {
            assert_int_equal(sqlite3_step(q), SQLITE_ROW);
            assert_string_equal((const char *)sqlite3_column_text(q, 0), info->columns[i].name);
            assert_string_equal((const char *)sqlite3_column_text(q, 1),
                                schema_column_type(&info->columns[i]));
        }
        assert_int_equal(sqlite3_step(q), SQLITE_DONE);
        sqlite3_finalize(q);
    }
    sqlite3_close(db);
}

static void no_table_has_more_than_one_index(void **state) {
    (void)state;
    sqlite3 *db = open_empty();
    assert_int_equal(
        number(db, "SELECT count(*) FROM (SELECT tbl_name FROM sqlite_schema WHERE type = 'index'"
                   " GROUP BY tbl_name HAVING count(*) > 1)"),
        0);
    assert_true(number(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'index'") > 10);
    char key[64];
    assert_string_equal(schema_index_columns(RECORD_CONTACT, key, sizeof key), "(a)");
    assert_null(schema_index_columns(RECORD_COMMAND, key, sizeof key));
    assert_string_equal(schema_index_columns(RECORD_VARIABLE, key, sizeof key),
                        "(task) WHERE task IS NOT NULL");
    assert_null(schema_index_columns(RECORD_POSE, key, sizeof key));
    assert_string_equal(schema_index_columns(RECORD_OBJECT, key, sizeof key), "(episode, name)");
    assert_null(schema_index_columns(RECORD_NOTE, key, sizeof key));
    sqlite3_close(db);
}

// What loads one partition uses the index; a plan that scans would say SCAN.
static void a_partition_is_found_through_its_index(void **state) {
    (void)state;
    sqlite3 *db = open_empty();
    static const char *const queries[] = {
        "EXPLAIN QUERY PLAN SELECT * FROM pose WHERE object = 3 ORDER BY t",
        "EXPLAIN QUERY PLAN SELECT * FROM command WHERE actuator = 3 ORDER BY t, nth",
        ("EXPLAIN QUERY PLAN SELECT * FROM believed_frame WHERE believed = 3 AND t <= 2"
         " ORDER BY t DESC, nth DESC LIMIT 1"),
        "EXPLAIN QUERY PLAN SELECT * FROM contact WHERE a = 3",
        "EXPLAIN QUERY PLAN SELECT * FROM task WHERE parent = 3",
        "EXPLAIN QUERY PLAN SELECT * FROM variable WHERE task = 3 AND episode = 1",
        "EXPLAIN QUERY PLAN SELECT * FROM object WHERE episode = 1 AND name = 'cup_1'",
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        sqlite3_stmt *q = NULL;
        assert_int_equal(sqlite3_prepare_v2(db, queries[i], -1, &q, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_step(q), SQLITE_ROW);
        const char *plan = (const char *)sqlite3_column_text(q, 3);
        assert_true(strstr(plan, "USING INDEX") || strstr(plan, "USING PRIMARY KEY"));
        assert_int_equal(sqlite3_step(q), SQLITE_DONE); // and nothing is sorted
        sqlite3_finalize(q);
    }
    sqlite3_close(db);
}

typedef struct documented {
    const char *view, *column;
} documented;

static const documented columns[] = {
#define VIEW(view, doc, sql) {#view, NULL},
#define VIEW_COLUMN(view, name, doc) {#view, #name},
#include "schema/views.def"
#undef VIEW
#undef VIEW_COLUMN
};

static void each_view_has_the_columns_that_are_documented(void **state) {
    (void)state;
    sqlite3 *db = open_empty();
    size_t count = sizeof columns / sizeof *columns;
    for (size_t i = 0; i < count;) {
        char sql[100];
        sqlite3_stmt *q = NULL;
        const char *view = columns[i++].view;
        snprintf(sql, sizeof sql, "SELECT * FROM %s", view);
        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
        for (int c = 0; c < sqlite3_column_count(q); c++, i++) {
            assert_true(i < count && columns[i].column);
            assert_string_equal(columns[i].view, view);
            assert_string_equal(sqlite3_column_name(q, c), columns[i].column);
        }
        assert_true(i == count || !columns[i].column);
        assert_int_equal(sqlite3_step(q), SQLITE_DONE);
        sqlite3_finalize(q);
    }
    sqlite3_close(db);
}

static void every_kind_of_record_has_a_view(void **state) {
    (void)state;
    sqlite3 *db = open_empty();
    for (int k = 0; k < RECORD_KINDS; k++) {
        const char *table = record_describe((record_kind)k)->table;
        char sql[200];
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND name = '%s_view'",
                 strcmp(table, "joint_state") == 0 ? "joint" : table);
        assert_int_equal(number(db, sql), 1);
    }
    sqlite3_close(db);
}

static void views_show_seconds_and_names(void **state) {
    (void)state;
    sqlite3 *db = open_empty();
    char *message = NULL;
    sqlite3_exec(
        db,
        "INSERT INTO episode VALUES (1, 'a.yaml', NULL, NULL, 7, '1', 2000000, 20000000, "
        "8304000000,"
        " 'failed', 1, 8304000000);"
        "INSERT INTO object (id, episode, name) VALUES (1, 1, 'cup'), (2, 1, 'box'), (3, 1, 'eye'),"
        " (4, 1, 'shelf');"
        "INSERT INTO visibility (id, episode, camera, object, start_ns, end_ns, state) VALUES"
        " (1, 1, 3, 1, 1500000000, NULL, 'occluded'), (2, 1, 3, 2, 0, 500, 'visible');"
        "INSERT INTO blocker (id, episode, visibility, object, fraction) VALUES (1, 1, 1, 4, 0.25),"
        " (2, 1, 1, 2, 0.5);"
        "INSERT INTO contact (id, episode, a, b, start_ns) VALUES (1, 1, 1, 2, 8304000000);",
        NULL, NULL, &message);
    assert_null(message);
    assert_int_equal(
        number(db,
               "SELECT count(*) FROM episode_view WHERE start_s = 0 AND end_s = 8.304 AND seed = 7"
               " AND outcome = 'failed' AND complete = 1"),
        1);
    assert_int_equal(
        number(
            db,
            "SELECT blockers = 'box shelf' AND end_s IS NULL AND start_s = 1.5 AND camera = 'eye'"
            " FROM visibility_view WHERE object = 'cup'"),
        1);
    assert_int_equal(
        number(db, "SELECT blockers IS NULL FROM visibility_view WHERE object = 'box'"), 1);
    assert_int_equal(
        number(
            db,
            "SELECT count(*) FROM contact_view WHERE a = 'cup' AND b = 'box' AND start_s = 8.304"),
        1);
    sqlite3_close(db);
}

static void views_show_what_descriptions_and_pulses_were(void **state) {
    (void)state;
    sqlite3 *db = open_empty();
    char *message = NULL;
    sqlite3_exec(
        db,
        "INSERT INTO task (id, episode, construct, path) VALUES (1, 1, 'with_policy', 'main');"
        "INSERT INTO designator (id, episode, name, kind, description, task, t_ns) VALUES"
        " (1, 1, 'des#1', 'object', '[type(cup)]', 1, 1000000000),"
        " (2, 1, 'des#2', 'object', '[color(red)]', 1, 1000000000);"
        "INSERT INTO choice (id, episode, task, t_ns, what, chosen, designator) VALUES"
        " (1, 1, 1, 2000000000, 'object', 'cup#1', 1), (2, 1, 1, 3000000000, 'object', 'cup#2', 1),"
        " (3, 1, 1, 3000000000, 'if', 'true', NULL);"
        "INSERT INTO equation (id, episode, designator, other, t_ns, task, solution, reason) VALUES"
        " (1, 1, 2, 1, 4000000000, 1, 'cup#2', 'resolved'),"
        " (2, 1, 1, NULL, 4000000000, 1, 'cup#2', 'stated');"
        "INSERT INTO pulse (id, episode, task, t_ns, number, reason) VALUES"
        " (1, 1, 1, 5000000000, 1, 'on(cup#2, table): believed');"
        "INSERT INTO failure (id, episode, task, t_ns, class, attached) VALUES"
        " (1, 1, 1, 5000000000, 'policy_condition_met', NULL),"
        " (2, 1, 1, 6000000000, 'searching_failed', 1);",
        NULL, NULL, &message);
    assert_null(message);
    assert_int_equal(number(db, "SELECT chosen = 'cup#2' AND resolutions = 2 AND t_s = 1.0 AND path"
                                " = 'main' FROM designator_view WHERE name = 'des#1'"),
                     1);
    assert_int_equal(number(db, "SELECT chosen IS NULL FROM designator_view WHERE name = 'des#2'"),
                     1);
    assert_int_equal(
        number(db, "SELECT count(*) FROM choice_view WHERE designator = 'des#1' AND t_s > 1"), 2);
    assert_int_equal(number(db, "SELECT designator = 'des#2' AND other = 'des#1' FROM equation_view"
                                " WHERE reason = 'resolved'"),
                     1);
    assert_int_equal(number(db, "SELECT other IS NULL FROM equation_view WHERE reason = 'stated'"),
                     1);
    assert_int_equal(
        number(db, "SELECT construct = 'with_policy' AND t_s = 5.0 AND number = 1 FROM pulse_view"),
        1);
    assert_int_equal(number(db, "SELECT attached FROM failure_view WHERE id = 2"), 1);
    sqlite3_close(db);
}

static void percepts_and_what_they_were_stand_apart(void **state) {
    (void)state;
    sqlite3 *db = open_empty();
    assert_int_equal(
        number(db, "SELECT count(*) FROM pragma_table_info('percept_view') WHERE name = 'object'"),
        0);
    assert_int_equal(
        number(db, "SELECT count(*) FROM pragma_table_info('percept') WHERE name LIKE '%object%'"),
        0);
    assert_int_equal(
        number(
            db,
            "SELECT count(*) FROM pragma_table_info('percept_truth_view') WHERE name = 'object'"),
        1);
    sqlite3_close(db);
}

// What the view of readings, and the function of the program, make of a value in the file.
static void check_list(const char *list, bool packs) {
    char *packed = numbers_pack(list), *again = packed ? numbers_unpack(packed) : NULL;
    sqlite3 *db = open_empty();
    sqlite3_stmt *row = NULL;
    assert_int_equal(packed != NULL, packs);
    if (packs) {
        assert_string_equal(again, list);
        assert_true(strlen(packed) < strlen(list));
    }
    assert_int_equal(numbers_register(db), SQLITE_OK);
    char *sql =
        sqlite3_mprintf("INSERT INTO reading (episode, kind, value) VALUES (1, 'laser', %Q)",
                        packed ? packed : list);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_free(sql);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT v.value, numbers(r.value) FROM reading_view v, reading r",
                           -1, &row, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(row, 0), list);
    assert_string_equal((const char *)sqlite3_column_text(row, 1), list);
    sqlite3_finalize(row);
    sqlite3_close(db);
    free(packed);
    free(again);
}

// Logs have the signs: what one stands for stays what it is.
static void signs_keep_their_words(void **state) {
    static const char *const kept[] = {"!odometry", "$encoders",  "%wrench",   "&gripper",
                                       "*torques",  "+tracker",   ",position", "-velocity",
                                       ".torque",   "/impedance", ":force",    ";localisation",
                                       "<percept",  "=at",        ">RobotPos", "?PosAccuracy"};
    (void)state;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_string_equal(words_unpack((char[]){kept[i][0], 0}), kept[i] + 1);
}

static void frequent_words_take_a_character_and_the_views_show_them(void **state) {
    static const char *const words[] = {
        "odometry", "encoders",     "wrench", "gripper", "torques",  "tracker",     "position",
        "velocity", "torque",       "force",  "at",      "RobotPos", "PosAccuracy", "impedance",
        "percept",  "localisation", "camera", "on",      "n",        "end"};
    (void)state;
    size_t short_ones = 0;
    sqlite3 *db = open_empty();
    assert_int_equal(words_register(db), SQLITE_OK);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *packed = words_pack(words[i]);
        assert_string_equal(words_unpack(packed), words[i]);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(packed, words_pack(words[k]));
        short_ones += packed != words[i];
        // no character that a name may begin with
        assert_true(packed == words[i] || (strlen(packed) == 1 && !strpbrk(packed, "_'\"#") &&
                                           !((packed[0] | 32) >= 'a' && (packed[0] | 32) <= 'z')));
        char *sql = sqlite3_mprintf(
            "INSERT INTO variable (episode, name, point) VALUES (1, %Q, %Q)", packed, packed);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_free(sql);
        sql = sqlite3_mprintf("SELECT count(*) FROM variable_view v JOIN variable x ON x.id = v.id"
                              " WHERE v.name = %Q AND v.point = v.name AND word(x.name) = v.name",
                              words[i]);
        assert_int_equal(number(db, sql), 1);
        sqlite3_free(sql);
    }
    assert_int_equal(short_ones, 16);
    assert_int_equal(number(db, "SELECT word(NULL) IS NULL AND word(7) = 7"), 1);
    sqlite3_close(db);
}

static void lists_of_numbers_take_a_character_each_and_come_back_to_the_last_digit(void **state) {
    (void)state;
    check_list("[0.34991, -0.00003, 0.0, 2.12918, -5.5]", true);
    check_list("[none, 1.614, 1.631, none, 1.617, 0.0, none]", true);
    check_list("pose(1.9646, 3.3368, -1.5623)", true);
    check_list("[0.0000256, -0.0000032, 0.0000238]", true);
    check_list("[551.0]", true);
    check_list("[100.001, 600.002, 1000.003, 600.002]", true); // as differences only
    check_list("[0.276365, 0.276366, 0.281600, 1.1]", false);  // a zero at its end
    check_list("[12345.678901]", false);                       // more digits than a character has
    check_list("[1, 2]", false);
    check_list("[1.5, 2.5", false);
    check_list("[]", false);
    check_list("pose(a)", false);
    check_list("[2.76, 2.7611, 2.7613, 2.7629, 2.7631, 2.7637]", true); // beside the surrogates
    // what is damaged is given as it is
    assert_null(numbers_unpack("#A$"));
    assert_null(numbers_unpack("#B"));
    assert_null(numbers_unpack("#B\x01"));
    assert_null(numbers_unpack("#B\xed\xa0\x80"));
    assert_null(numbers_unpack("#B\xf0\x90"));
    assert_null(numbers_unpack("#z$$"));
}

static void the_documentation_is_current(void **state) {
    (void)state;
    char *text = NULL;
    assert_int_equal(schema_document(&text), OK);
    char *committed = testlib_read(FORESEE_SOURCE_DIR "/docs/schema.md");
    if (strcmp(text, committed) != 0)
        fail_msg("docs/schema.md is not what print_schema writes; write it again");
    free(text);
    free(committed);
}

static void the_documentation_names_every_table_view_and_column(void **state) {
    (void)state;
    char *text = NULL, line[200];
    assert_int_equal(schema_document(&text), OK);
    for (int k = 0; k < RECORD_KINDS; k++) {
        const record_info *info = record_describe((record_kind)k);
        snprintf(line, sizeof line, "\n### %s\n\n", info->table);
        const char *at = strstr(text, line);
        assert_non_null(at);
        for (size_t i = 0; i < info->column_count; i++) {
            snprintf(line, sizeof line, "\n| `%s` | ", info->columns[i].name);
            at = strstr(at, line);
            assert_non_null(at);
            assert_true(strlen(info->columns[i].doc) > 0);
        }
    }
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        snprintf(line, sizeof line, columns[i].column ? "\n| `%s` | " : "\n### %s\n\n",
                 columns[i].column ? columns[i].column : columns[i].view);
        assert_non_null(strstr(text, line));
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_agree_with_the_structs),
        cmocka_unit_test(each_kind_has_a_table_with_its_columns_in_order),
        cmocka_unit_test(no_table_has_more_than_one_index),
        cmocka_unit_test(a_partition_is_found_through_its_index),
        cmocka_unit_test(each_view_has_the_columns_that_are_documented),
        cmocka_unit_test(every_kind_of_record_has_a_view),
        cmocka_unit_test(views_show_seconds_and_names),
        cmocka_unit_test(views_show_what_descriptions_and_pulses_were),
        cmocka_unit_test(percepts_and_what_they_were_stand_apart),
        cmocka_unit_test(signs_keep_their_words),
        cmocka_unit_test(frequent_words_take_a_character_and_the_views_show_them),
        cmocka_unit_test(lists_of_numbers_take_a_character_each_and_come_back_to_the_last_digit),
        cmocka_unit_test(the_documentation_is_current),
        cmocka_unit_test(the_documentation_names_every_table_view_and_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// tests/schema/test_store.c - opening logs, and refusing what is none.
#include "base/search.h"
#include "tests/schema/dblib.h"
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include "schema/motion/tracks.h"
#include "schema/store/store.h"

static int make_folder(void **state) {
    *state = testlib_folder();
    return 0;
}

static int remove_folder(void **state) {
    testlib_remove(*state);
    return 0;
}

static void check_refused(const char *path, const char *sentence) {
    store *s = NULL;
    error err = {0};
    assert_int_equal(store_open(path, &s, &err), E_INPUT);
    assert_null(s);
    assert_string_equal(err.file, path);
    if (!strstr(err.text, sentence))
        fail_msg("'%s' does not say '%s'", err.text, sentence);
}

static const char two_episodes[] =
    "INSERT INTO episode VALUES (1, 'a.yaml', 'w.yaml', 'r.yaml', 7, '0.1', 2000000, 20000000, "
    "5000, 'succeeded', 1, 5000),"
    " (2, 'b.yaml', NULL, NULL, -1, '0.1', 2000000, 20000000, 7000, 'incomplete', 0, 7000);";

static void episodes_are_listed_and_chosen(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, two_episodes);
    store *s = NULL;
    size_t count = 0;
    const store_episode *e = NULL;
    error err = {0};
    assert_int_equal(store_open(path, &s, &err), OK);
    assert_int_equal(store_version(s), SCHEMA_VERSION);
    assert_null(store_note(s));
    const store_episode *all = store_episodes(s, &count);
    assert_int_equal(count, 2);
    assert_string_equal(all[0].plan, "a.yaml");
    assert_string_equal(all[0].robot, "r.yaml");
    assert_int_equal(all[0].seed, 7);
    assert_int_equal(all[0].step, 2000000);
    assert_int_equal(all[0].cycle, 20000000);
    assert_true(all[0].complete && !all[1].complete);
    assert_null(all[1].world);
    assert_int_equal(store_choose(s, 0, &e, &err), OK);
    assert_int_equal(e->id, 2);
    assert_int_equal(e->end, 7000);
    assert_int_equal(store_choose(s, 1, &e, &err), OK);
    assert_string_equal(e->outcome, "succeeded");
    assert_int_equal(store_choose(s, 3, &e, &err), E_INPUT);
    assert_non_null(strstr(err.text, "no episode 3; it has 1 to 2"));
    store_close(s);
    free(path);
}

static void an_empty_log_has_no_last_episode(void **state) {
    char *path = db_make_log(*state, "log.db");
    store *s = NULL;
    const store_episode *e = NULL;
    error err = {0};
    assert_int_equal(store_open(path, &s, &err), OK);
    assert_int_equal(store_choose(s, 0, &e, &err), E_INPUT);
    assert_non_null(strstr(err.text, "no episode"));
    store_close(s);
    free(path);
}

static void a_log_cannot_be_changed_through_a_store(void **state) {
    char *path = db_make_log(*state, "log.db");
    store *s = NULL;
    assert_int_equal(store_open(path, &s, NULL), OK);
    assert_int_not_equal(sqlite3_exec(store_db(s), "DELETE FROM meta", NULL, NULL, NULL),
                         SQLITE_OK);
    store_close(s);
    free(path);
}

static void what_is_not_a_log_is_refused_and_left_as_it_is(void **state) {
    char *folder = *state;
    static const char notes[] = "These are notes, long enough to be taken for a database header. "
                                "These are notes, long enough to be taken for a database header.";
    char *text = testlib_write(folder, "notes.txt", notes);
    char *empty = testlib_write(folder, "empty.db", "");
    char *shorter = testlib_write(folder, "short.db", "SQLite format 3");
    char *other = testlib_path(folder, "other.db");
    char *missing = testlib_path(folder, "missing.db");
    db_run_in(
        other,
        "CREATE TABLE meta (key, value); INSERT INTO meta VALUES ('application', 'gardening')");
    check_refused(text, "not a foresee log");
    check_refused(empty, "empty");
    check_refused(shorter, "not a foresee log");
    check_refused(other, "not a foresee log");
    check_refused(missing, "no such log");
    check_refused(folder, "not a foresee log");
    check_refused("/dev/null", "not a foresee log");
    assert_int_equal(db_number_in(other, "SELECT count(*) FROM meta"), 1);
    assert_int_not_equal(access(missing, F_OK), 0);
    char *again = testlib_read(text);
    assert_string_equal(again, notes);
    free(again);
    free(text);
    free(empty);
    free(shorter);
    free(other);
    free(missing);
}

static void a_database_of_another_application_is_refused_by_its_number(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, "PRAGMA application_id = 12345");
    check_refused(path, "not a foresee log");
    db_run_in(path, "PRAGMA application_id = 0"); // what .dump leaves
    store *s = NULL;
    assert_int_equal(store_open(path, &s, NULL), OK);
    store_close(s);
    free(path);
}

static void a_later_schema_is_refused_by_number(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, "UPDATE meta SET value = '99' WHERE key = 'schema'");
    check_refused(path, "schema 99");
    db_run_in(path, "UPDATE meta SET value = 'soon' WHERE key = 'schema'");
    check_refused(path, "not a foresee log");
    free(path);
}

// Runs a query whose answer is one number, on the store's own connection.
static int64_t number_of(const store *s, const char *sql) {
    sqlite3_stmt *row = NULL;
    int64_t value = -1;
    if (sqlite3_prepare_v2(store_db(s), sql, -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW)
        value = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return value;
}

static void an_earlier_log_reads_as_one_of_now_and_says_what_it_lacks(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, "INSERT INTO contact (id, episode, a, b, start_ns, peak_force)"
                    " VALUES (7, 1, 1, 2, 5, 3.5); DROP VIEW contact_view;"
                    "ALTER TABLE contact DROP COLUMN peak_force; DROP TABLE percept;"
                    "UPDATE meta SET value = '2' WHERE key = 'schema'");
    char *before = db_dump(path);
    store *s = NULL;
    error err = {0};
    if (store_open(path, &s, &err) != OK)
        fail_msg("%s", err.text);
    size_t count = 0;
    const char *const *missing = store_missing(s, &count);
    assert_int_equal(count, 3);
    assert_non_null(strstr(missing[0], "this one has schema 2"));
    assert_non_null(strstr(missing[1], "peak_force of the table contact"));
    assert_non_null(strstr(missing[2], "the table percept, which the log lacks"));
    assert_non_null(strstr(store_note(s), "this one has schema 2"));
    assert_non_null(strstr(store_note(s), "the table percept"));
    assert_int_equal(number_of(s, "SELECT start_ns FROM contact WHERE peak_force IS NULL"), 5);
    assert_int_equal(number_of(s, "SELECT count(*) FROM percept"), 0);
    assert_int_equal(number_of(s, "SELECT count(*) FROM contact_view"), 1);
    int64_t first = 0, end = 0;
    assert_int_equal(store_range(s, RECORD_CONTACT, 1, &first, &end, NULL), OK);
    assert_int_equal(first, 7);
    store_close(s);
    char *after = db_dump(path);
    assert_string_equal(before, after);
    free(before);
    free(after);
    free(path);
}

static void a_damaged_log_is_salvaged_where_that_is_asked_for(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, "DROP TABLE percept; CREATE VIEW percept AS SELECT 1 AS id");
    check_refused(path, "its table percept is not as it should be");
    store *s = NULL;
    size_t count = 0;
    assert_int_equal(store_salvage(path, NULL, &s, NULL), OK);
    assert_non_null(strstr(store_missing(s, &count)[0], "the table percept"));
    assert_int_equal(count, 1);
    assert_int_equal(number_of(s, "SELECT count(*) FROM percept"), 0);
    store_close(s);
    db_run_in(path, "DROP TABLE meta; PRAGMA user_version = 2");
    assert_int_equal(store_salvage(path, NULL, &s, NULL), OK);
    assert_int_equal(store_version(s), 2);
    store_close(s);
    db_run_in(path, "DROP TABLE episode");
    error err = {0};
    assert_int_equal(store_salvage(path, NULL, &s, &err), E_INPUT);
    assert_non_null(strstr(err.text, "no table of episodes"));
    free(path);
}

static void a_log_of_schema_3_is_read_and_what_it_lacks_is_empty(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, "DROP TABLE fingerprint; UPDATE meta SET value = '3' WHERE key = 'schema'");
    store *s = NULL;
    error err = {0};
    if (store_open(path, &s, &err) != OK)
        fail_msg("%s", err.text);
    int64_t first = -1, end = -1;
    assert_int_equal(store_version(s), 3);
    assert_int_equal(store_range(s, RECORD_FINGERPRINT, 1, &first, &end, NULL), OK);
    assert_int_equal(first, end);
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_prepare_v2(store_db(s), "SELECT episode, name, value FROM fingerprint",
                                        -1, &row, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_DONE);
    sqlite3_finalize(row);
    store_close(s);
    // Of the present version it is damaged without that table.
    db_run_in(path, "UPDATE meta SET value = '4' WHERE key = 'schema'");
    check_refused(path, "table fingerprint");
    free(path);
}

static void texts_of_steps_that_an_earlier_log_lacks_are_read_from_its_files(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, "INSERT INTO source (id, episode, kind, name, text) VALUES"
                    " (1, 2, 'plan', 'p.yaml', 'body:' || char(10) || '  - achieve: on(?x, $y)' ||"
                    " char(10) || '  - move_arm: { arm: \"?arm\", to: park }'),"
                    " (2, 2, 'world', 'w.yaml', '{ achieve: no }'),"
                    " (3, 2, 'routine', 'r.yaml', '{ [ no YAML');"
                    "DROP VIEW step_text_view; DROP TABLE step_text;"
                    "UPDATE meta SET value = '4' WHERE key = 'schema'");
    store *s = NULL;
    size_t count = 0;
    assert_int_equal(store_open(path, &s, NULL), OK);
    store_missing(s, &count);
    assert_int_equal(count, 0);
    assert_int_equal(number_of(s, "SELECT count(*) FROM step_text WHERE file = 'p.yaml' AND"
                                  " episode = 2 AND path = '' AND (line, key, text) IN (VALUES"
                                  " (2, 'achieve', 'on(?x, $y)'), (3, 'arm', '?arm'),"
                                  " (3, 'to', 'park'))"),
                     3);
    assert_int_equal(number_of(s, "SELECT count(*) FROM step_text"), 3);
    assert_int_equal(number_of(s, "SELECT count(*) FROM step_text_view WHERE key = 'to'"), 1);
    store_close(s);
    free(path);
}

// Gives a log the tables of schema 5 that have another form now.
static void make_former(const char *path) {
    char *former = NULL;
    assert_int_equal(schema_former_sql(5, &former, NULL), OK);
    db_run_in(path, "DROP TABLE pose; DROP TABLE joint_state; DROP TABLE contact_force;"
                    "DROP TABLE relative_pose; DROP TABLE command; DROP TABLE believed_frame;"
                    "DROP TABLE percept;"
                    "UPDATE meta SET value = '5' WHERE key = 'schema'");
    db_run_in(path, former);
    free(former);
}

static void what_moves_in_a_log_before_schema_16_goes_straight(void **state) {
    char *path = db_make_log(*state, "log.db"), *former = NULL;
    store *s = NULL;
    tracks *t = NULL;
    size_t count = 0;
    pose p;
    double q;
    assert_int_equal(schema_former_sql(15, &former, NULL), OK);
    assert_null(strstr(former, "bow"));
    db_run_in(path, "DROP TABLE joint_state; DROP TABLE pose; DROP TABLE command;"
                    "DROP TABLE believed_frame; DROP TABLE percept;"
                    "UPDATE meta SET value = '15' WHERE key = 'schema'");
    db_run_in(path, former);
    db_run_in(path, "INSERT INTO joint_state (joint, t, position) VALUES (7, 2, -5), (7, 6, 15);"
                    "INSERT INTO pose (object, t, y, qw, qx) VALUES (8, 3, 9, 1000000, 0),"
                    " (8, 7, 29, 800000, 600000);"
                    "INSERT INTO object (id, episode, name, kind) VALUES (7, 1, 'j', 'joint'),"
                    " (8, 1, 'cup', 'body')");
    assert_int_equal(store_open(path, &s, NULL), OK);
    store_missing(s, &count);
    assert_int_equal(count, 0);
    assert_null(store_note(s));
    assert_int_equal(number_of(s, "SELECT count(*) FROM joint_state WHERE (joint, t, position) ="
                                  " (7, 2, -5) AND bow IS NULL"),
                     1);
    assert_int_equal(number_of(s, "SELECT count(*) FROM pose WHERE (object, t, y) = (8, 3, 9)"
                                  " AND coalesce(bow_x, bow_turn_z) IS NULL"),
                     1);
    // they need not be copied
    assert_int_equal(number_of(s, "SELECT count(*) FROM temp.sqlite_schema WHERE type = 'view' AND"
                                  " name IN ('joint_state', 'pose')"),
                     2);
    assert_int_equal(tracks_create(store_db(s), 1, &t, NULL), OK);
    for (int alone = 0; alone < 2; alone++) { // a quarter of the way from one key to the next
        assert_int_equal((alone ? tracks_pose_alone : tracks_pose)(t, 8, 40000, &p, NULL), OK);
        assert_true(v3_distance(p.p, v3(0, 14e-6, 0)) < 1e-12);
        assert_true(fabs(quat_angle(POSE_IDENTITY.q, p.q) - asin(0.6) / 2) < 1e-7);
    }
    assert_int_equal(tracks_joint(t, 7, 30000, &q, NULL), OK);
    assert_true(fabs(q) < 1e-12);
    tracks_destroy(t);
    store_close(s);
    free(former);
    free(path);
}

static void a_log_of_schema_16_is_read_by_keys_and_in_whole_numbers(void **state) {
    char *path = db_make_log(*state, "log.db"), *former = NULL;
    store *s = NULL;
    size_t count = 0;
    int64_t first = 0, end = 0;
    assert_int_equal(schema_former_sql(16, &former, NULL), OK);
    db_run_in(path, "DROP TABLE command; DROP TABLE believed_frame; DROP TABLE percept;"
                    "UPDATE meta SET value = '16' WHERE key = 'schema'");
    db_run_in(path, former);
    db_run_in(path,
              "INSERT INTO episode SELECT 1, 'p', 'w', 'r', 1, '0', 2000000, 20000000, 7000000000,"
              " 'failed', 1, 7000000000 WHERE NOT EXISTS (SELECT 1 FROM episode);"
              "INSERT INTO object (id, episode, name, kind) VALUES (7, 1, 'head', 'camera');"
              "INSERT INTO agent (id, episode, name) VALUES (2, 1, 'ann');"
              "INSERT INTO percept (id, episode, type, x, y, qw) VALUES (3, 1, 'cup', -0.25, 2, 1);"
              "INSERT INTO believed (id, episode, agent, name) VALUES (4, 1, 2, 'ann');"
              "INSERT INTO variable (id, episode, agent, name, value, t_ns) VALUES"
              " (1, 1, 2, '>', 'pose(1.5, 2.0, 0.1)', 20000000);"
              "INSERT INTO command (id, episode, actuator, t_ns, mode, v1) VALUES"
              " (1, 1, 7, 400000000, 'off', 3), (2, 1, 7, 400000000, 'on', -4);"
              "INSERT INTO believed_frame (id, episode, believed, parent, relation, t_ns, z) VALUES"
              " (1, 1, 4, 'hand', 'held', 20000000, 5), (2, 1, 4, 'table', 'on', 20000000, 6),"
              " (3, 1, 4, 'map', '=', 40000000, NULL)");
    assert_int_equal(store_open(path, &s, NULL), OK);
    store_missing(s, &count);
    assert_int_equal(count, 0);
    assert_null(store_note(s));
    assert_int_equal(number_of(s, "SELECT group_concat(mode || v1 || ' ' || t || ' ' || nth, ', ')"
                                  " = 'off3 40000 0, on-4 40000 1' FROM command"),
                     1);
    assert_int_equal(number_of(s, "SELECT group_concat(relation || t_s, ', ') ="
                                  " 'held0.02, on0.02, at0.04' FROM (SELECT * FROM"
                                  " believed_frame_view WHERE episode = 1 ORDER BY id)"),
                     1);
    assert_int_equal(number_of(s, "SELECT (id, x, y, qw) = (3, -250000, 2000000, 1000000) AND z IS"
                                  " NULL FROM percept"),
                     1);
    assert_int_equal(number_of(s, "SELECT (x, y, qw) = (-0.25, 2.0, 1.0) FROM percept_view"), 1);
    // RobotPos is as it was put, once
    assert_int_equal(number_of(s, "SELECT group_concat(value || t_s) = 'pose(1.5, 2.0, 0.1)0.02'"
                                  " FROM variable_view WHERE name = 'RobotPos'"),
                     1);
    assert_int_equal(store_range(s, RECORD_COMMAND, 1, &first, &end, NULL), OK);
    assert_true(first <= 7 && 7 < end);
    store_close(s);
    free(former);
    free(path);
}

static void rows_of_an_earlier_form_are_read_in_the_present_one(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, two_episodes);
    make_former(path);
    db_run_in(
        path,
        "INSERT INTO object (id, episode, name) VALUES (77, 2, 'late');"
        "INSERT INTO pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz) VALUES"
        " (1, 2, 77, 0, 9, 9, 9, 1, 0, 0, 0), (2, 2, 77, 0, 0.1, -2, 3.0000004, 1, 0, 0, 0),"
        " (3, 2, 77, 2000000, 0.25, -2, 3, 0.6, 0, 0, -0.8), (4, 2, NULL, 0, 1, 1, 1, 1, 0, "
        "0, 0);"
        "INSERT INTO believed_frame (id, episode, agent, believed, parent, t_ns, x, qw, sigma_x)"
        " VALUES (1, 2, 1, 1, 'map', 20000000, -0.1234567, 1, NULL);"
        "INSERT INTO command (id, episode, actuator, t_ns, mode, v1, v2) VALUES"
        " (1, 2, 77, 20000000, 'position', 2, 0.25), (2, 2, 77, 20009999, 'position', 3, 0.5),"
        " (3, 2, 77, 20010000, 'position', 4, 1), (4, 2, NULL, 0, 'position', 4, 1);"
        "INSERT INTO joint_state (id, episode, joint, t_ns, position) VALUES (1, 2, 77, 40000, "
        "-1.5);"
        "INSERT INTO contact_force (id, episode, contact, t_ns, fx, nz) VALUES (1, 2, 5, 20000, "
        "12.5, -1)");
    store *s = NULL;
    int64_t first = 0, end = 0;
    assert_int_equal(store_open(path, &s, NULL), OK);
    assert_null(store_note(s)); // nothing is lost
    assert_int_equal(number_of(s, "SELECT count(*) FROM pose"), 2);
    // of two keys at one instant the later row is in force
    assert_int_equal(number_of(s, "SELECT (x, y, z, qw) = (100000, -2000000, 3000000, 1000000)"
                                  " FROM pose WHERE object = 77 AND t = 0"),
                     1);
    assert_int_equal(number_of(s, "SELECT (x, qw, qz) = (250000, 600000, -800000) FROM pose WHERE"
                                  " object = 77 AND t = 200"),
                     1);
    assert_int_equal(
        number_of(s, "SELECT (joint, t, position) = (77, 4, -1500000) FROM joint_state"), 1);
    assert_int_equal(number_of(s, "SELECT (contact, t, fx, nz) = (5, 2, 12500, -10000) FROM"
                                  " contact_force"),
                     1);
    assert_int_equal(number_of(s, "SELECT t_s = 0.002 AND x = 0.25 AND episode = 2 FROM pose_view"
                                  " WHERE id = 77 << 32 | 200"),
                     1);
    assert_int_equal(number_of(s, "SELECT (t, nth, x, qw) = (2000, 0, -123457, 1000000) AND sigma_x"
                                  " IS NULL FROM believed_frame"),
                     1);
    assert_int_equal(number_of(s, "SELECT x = -0.123457 AND qw = 1 FROM believed_frame_view"), 1);
    assert_int_equal(number_of(s, "SELECT v1 = 2 AND v2 = 0.25 AND v3 IS NULL AND mode = 'position'"
                                  " FROM command_view ORDER BY t_s, id LIMIT 1"),
                     1);
    // of several at one instant all are there, in their order
    assert_int_equal(number_of(s, "SELECT count(*) FROM command WHERE (actuator, t, nth, v1) IN"
                                  " (VALUES (77, 2000, 0, 2000000), (77, 2000, 1, 3000000),"
                                  " (77, 2001, 0, 4000000))"),
                     3);
    assert_int_equal(number_of(s, "SELECT count(*) FROM command"), 3);
    assert_int_equal(store_range(s, RECORD_POSE, 2, &first, &end, NULL), OK);
    assert_true(first <= 77 && 77 < end);
    store_close(s);
    db_run_in(path, "ALTER TABLE pose ADD COLUMN mine");
    check_refused(path, "table pose");
    free(path);
}

static void a_log_without_a_column_or_with_a_false_table_is_refused(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, "ALTER TABLE pose RENAME COLUMN qz TO qq");
    check_refused(path, "table pose");
    free(path);
    path = db_make_log(*state, "log2.db");
    db_run_in(path, "PRAGMA legacy_alter_table = ON; ALTER TABLE note RENAME TO notes;"
                    "CREATE VIEW note AS SELECT * FROM notes");
    check_refused(path, "table note");
    free(path);
}

// What is run on a log of two episodes, and why it is refused then.
static const struct {
    const char *sql, *sentence;
} harms[] = {
    {"INSERT INTO object (id, episode, name) VALUES (1 << 61, 1, 'x')", "table object has ids"},
    {"INSERT INTO object (id, episode, name) VALUES (0, 1, 'x')", "table object has ids"},
    {"UPDATE episode SET id = -5 WHERE id = 1", "table episode has ids"},
    {"UPDATE episode SET step_ns = 0 WHERE id = 2", "step_ns of its episode 2 is out of range"},
    {"UPDATE episode SET step_ns = 1.5 WHERE id = 2", "step_ns of its episode 2"},
    {"UPDATE episode SET cycle_ns = 0", "cycle_ns of its episode 1 is out of range"},
    {"UPDATE episode SET cycle_ns = step_ns + 1", "cycle_ns of its episode 1"},
    {"UPDATE episode SET end_ns = 1 << 60", "end_ns of its episode 1"},
    {"UPDATE episode SET complete = 2", "complete of its episode 1"},
    {"UPDATE episode SET outcome = x'00'", "outcome of its episode 1"},
    {"UPDATE meta SET value = x'33' WHERE key = 'schema'", "value of its meta 2"},
    {"ALTER TABLE note ADD COLUMN more", "table note is not"},
    {"ALTER TABLE note ADD COLUMN more AS (hex(text))", "table note is not"},
    {"ALTER TABLE note RENAME TO was; CREATE TABLE note (id INTEGER PRIMARY KEY, episode, task,"
     " t_ns, text)",
     "table note is not"},
    {"ALTER TABLE meta ADD COLUMN more", "table meta is not"},
};

static void a_log_that_holds_what_no_log_holds_is_refused(void **state) {
    for (size_t i = 0; i < sizeof harms / sizeof *harms; i++) {
        char name[30];
        snprintf(name, sizeof name, "%zu.db", i);
        char *path = db_make_log(*state, name);
        db_run_in(path, two_episodes);
        db_run_in(path, harms[i].sql);
        check_refused(path, harms[i].sentence);
        free(path);
    }
}

static void what_is_of_ones_own_beside_the_tables_is_left_alone(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, two_episodes);
    db_run_in(path, "CREATE TABLE mine (x); CREATE VIEW own AS SELECT 1; CREATE INDEX i ON pose "
                    "(t); CREATE TRIGGER t AFTER INSERT ON mine BEGIN DELETE FROM mine; END");
    store *s = NULL;
    assert_int_equal(store_open(path, &s, NULL), OK);
    sqlite3 *db = store_db(s);
    assert_int_not_equal(sqlite3_exec(db, "SELECT * FROM own", NULL, NULL, NULL), SQLITE_OK);
    store_allow_views(s);
    assert_int_equal(sqlite3_exec(db, "SELECT * FROM own", NULL, NULL, NULL), SQLITE_OK);
    store_close(s);
    free(path);
}

static void names_that_sqlite_would_take_otherwise_are_paths(void **state) {
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(*state), 0);
    char *path = db_make_log(*state, "file:log.db?mode=memory");
    store *s = NULL;
    assert_int_equal(store_open("file:log.db?mode=memory", &s, NULL), OK);
    store_close(s);
    check_refused(":memory:", "no such log");
    free(path);
    assert_int_equal(chdir(before), 0);
}

static void rows_of_an_episode_are_found_by_bisection(void **state) {
    char *path = db_make_log(*state, "log.db");
    char sql[300];
    sqlite3 *db = db_open(path, SQLITE_OPEN_READWRITE);
    db_run(db, "BEGIN");
    for (int i = 0; i < 300; i++) { // episodes 3, 5, 8 of 100 rows each, with gaps between the ids
        snprintf(sql, sizeof sql, "INSERT INTO note (id, episode, text) VALUES (%d, %d, 'x')",
                 10 + i * 3,
                 i < 100   ? 3
                 : i < 200 ? 5
                           : 8);
        db_run(db, sql);
    }
    db_run(db, "COMMIT");
    sqlite3_close(db);
    store *s = NULL;
    assert_int_equal(store_open(path, &s, NULL), OK);
    for (int64_t e = 0; e < 11; e++) {
        int64_t first = -1, end = -1;
        assert_int_equal(store_range(s, RECORD_NOTE, e, &first, &end, NULL), OK);
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM note WHERE id >= %lld AND id < %lld AND episode = %lld",
                 (long long)first, (long long)end, (long long)e);
        bool there = e == 3 || e == 5 || e == 8;
        assert_int_equal(db_number(store_db(s), sql), there ? 100 : 0);
        assert_true(there || first == end);
    }
    int64_t first = -1, end = -1;
    assert_int_equal(store_range(s, RECORD_POSE, 3, &first, &end, NULL), OK);
    assert_int_equal(first, end);
    store_close(s);
    free(path);
}

static void copy_file(const char *from, const char *to) {
    char buffer[1 << 16];
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(in >= 0 && out >= 0);
    for (ssize_t n; (n = read(in, buffer, sizeof buffer)) > 0;)
        assert_int_equal(write(out, buffer, (size_t)n), n);
    close(in);
    close(out);
}

static char *suffixed(const char *path, const char *suffix) {
    char *name = malloc(strlen(path) + strlen(suffix) + 1);
    assert_non_null(name);
    strcpy(name, path);
    return strcat(name, suffix);
}

// A log as a crash in WAL mode leaves it: its last commits in the -wal file alone.
static char *make_crashed(const char *folder, const char *name, bool with_shm) {
    char *path = db_make_log(folder, "crashing.db"), *copy = testlib_path(folder, name);
    char *wal = suffixed(path, "-wal"), *copy_wal = suffixed(copy, "-wal");
    char *shm = suffixed(path, "-shm"), *copy_shm = suffixed(copy, "-shm");
    sqlite3 *db = db_open(path, SQLITE_OPEN_READWRITE);
    db_run(db, "PRAGMA journal_mode = WAL");
    db_run(db, two_episodes);
    copy_file(path, copy);
    copy_file(wal, copy_wal);
    if (with_shm)
        copy_file(shm, copy_shm);
    sqlite3_close(db);
    unlink(path);
    free(path);
    free(wal);
    free(copy_wal);
    free(shm);
    free(copy_shm);
    return copy;
}

static void a_crashed_log_is_recovered_where_it_can_be_written(void **state) {
    for (int with_shm = 0; with_shm < 2; with_shm++) {
        char *path = make_crashed(*state, with_shm ? "a.db" : "b.db", with_shm);
        store *s = NULL;
        size_t count = 0;
        assert_int_equal(store_open(path, &s, NULL), OK);
        store_episodes(s, &count);
        assert_int_equal(count, 2);
        assert_non_null(strstr(store_note(s), "crash"));
        store_close(s);
        assert_false(file_beside(path, "-wal"));
        assert_false(file_beside(path, "-shm"));
        assert_int_equal(store_open(path, &s, NULL), OK); // and from now on nothing is to be said
        assert_null(store_note(s));
        store_close(s);
        free(path);
    }
}

static void a_log_being_written_is_read_up_to_its_last_commit(void **state) {
    char *path = db_make_log(*state, "live.db");
    sqlite3 *db = db_open(path, SQLITE_OPEN_READWRITE);
    store *s = NULL;
    size_t count = 0;
    db_run(db, "PRAGMA journal_mode = WAL");
    db_run(db, two_episodes);
    db_run(db, "BEGIN IMMEDIATE; DELETE FROM episode WHERE id = 2");
    assert_int_equal(store_open(path, &s, NULL), OK);
    store_episodes(s, &count);
    assert_int_equal(count, 2);
    assert_non_null(strstr(store_note(s), "in use"));
    store_close(s);
    db_run(db, "COMMIT"); // the writer goes on undisturbed
    assert_int_equal(store_open(path, &s, NULL), OK);
    store_episodes(s, &count);
    assert_int_equal(count, 1);
    store_close(s);
    sqlite3_close(db);
    free(path);
}

static void a_damaged_log_is_refused_without_harm(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, two_episodes);
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    char junk[4096];
    memset(junk, 0x5a, sizeof junk);
    for (off_t at = 4096; at < st.st_size; at += 4096) // all but the first page
        assert_int_equal(pwrite(fd, junk, sizeof junk, at), (ssize_t)sizeof junk);
    close(fd);
    store *s = NULL;
    error err = {0};
    assert_int_equal(store_open(path, &s, &err), E_INPUT);
    assert_true(err.text[0] != 0);
    free(path);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

static void rows_are_found_by_their_ids_with_gaps_or_without(void **state) {
    (void)state;
    struct {
        int64_t id;
        char other;
    } rows[] = {{INT64_MIN, 'a'}, {-3, 'b'}, {4, 'c'}, {5, 'd'}, {6, 'e'}, {INT64_MAX, 'f'}};
    size_t count = sizeof rows / sizeof *rows;
    for (size_t first = 0; first < count; first++)
        for (size_t i = first; i < count; i++)
            assert_int_equal(ids_find(rows + first, sizeof *rows, count - first, rows[i].id),
                             i - first);
    static const int64_t absent[] = {INT64_MIN + 1, -4, 0, 3, 7, INT64_MAX - 1};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        assert_true(ids_find(rows, sizeof *rows, count, absent[i]) == IDS_NONE);
    assert_true(ids_find(rows + 2, sizeof *rows, 3, INT64_MIN) == IDS_NONE);
    assert_true(ids_find(rows, sizeof *rows, 0, 4) == IDS_NONE);
}

static void a_log_is_held_from_store_hold_to_store_let_go(void **state) {
    char *path = db_make_log(*state, "log.db");
    store *s = NULL;
    sqlite3 *writer = NULL;
    static const char change[] = "UPDATE meta SET value = value";
    assert_int_equal(store_open(path, &s, NULL), OK);
    assert_int_equal(sqlite3_open(path, &writer), SQLITE_OK);
    // to open a log leaves no transaction behind
    assert_int_equal(sqlite3_exec(writer, change, NULL, NULL, NULL), SQLITE_OK);
    bool outer = store_hold(s), inner = store_hold(s);
    assert_true(outer && !inner);
    assert_int_equal(sqlite3_exec(store_db(s), "SELECT count(*) FROM meta", NULL, NULL, NULL),
                     SQLITE_OK);
    store_let_go(s, inner);
    assert_int_equal(sqlite3_exec(writer, change, NULL, NULL, NULL), SQLITE_BUSY);
    store_let_go(s, outer);
    assert_int_equal(sqlite3_exec(writer, change, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(writer);
    store_close(s);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_found_by_their_ids_with_gaps_or_without),
        IN_FOLDER(episodes_are_listed_and_chosen),
        IN_FOLDER(an_empty_log_has_no_last_episode),
        IN_FOLDER(a_log_cannot_be_changed_through_a_store),
        IN_FOLDER(what_is_not_a_log_is_refused_and_left_as_it_is),
        IN_FOLDER(a_database_of_another_application_is_refused_by_its_number),
        IN_FOLDER(a_later_schema_is_refused_by_number),
        IN_FOLDER(an_earlier_log_reads_as_one_of_now_and_says_what_it_lacks),
        IN_FOLDER(a_damaged_log_is_salvaged_where_that_is_asked_for),
        IN_FOLDER(a_log_of_schema_3_is_read_and_what_it_lacks_is_empty),
        IN_FOLDER(texts_of_steps_that_an_earlier_log_lacks_are_read_from_its_files),
        IN_FOLDER(what_moves_in_a_log_before_schema_16_goes_straight),
        IN_FOLDER(a_log_of_schema_16_is_read_by_keys_and_in_whole_numbers),
        IN_FOLDER(rows_of_an_earlier_form_are_read_in_the_present_one),
        IN_FOLDER(a_log_without_a_column_or_with_a_false_table_is_refused),
        IN_FOLDER(a_log_that_holds_what_no_log_holds_is_refused),
        IN_FOLDER(what_is_of_ones_own_beside_the_tables_is_left_alone),
        IN_FOLDER(names_that_sqlite_would_take_otherwise_are_paths),
        IN_FOLDER(rows_of_an_episode_are_found_by_bisection),
        IN_FOLDER(a_crashed_log_is_recovered_where_it_can_be_written),
        IN_FOLDER(a_log_being_written_is_read_up_to_its_last_commit),
        IN_FOLDER(a_damaged_log_is_refused_without_harm),
        IN_FOLDER(a_log_is_held_from_store_hold_to_store_let_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

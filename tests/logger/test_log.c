// tests/logger/test_log.c - writing episodes, and what may not be written to.
#include "tests/schema/dblib.h"
#include <math.h>
#include <sys/stat.h>
#include "logger/log.h"
#include "schema/store/store.h"
#include "schema/motion/tracks.h"

static int make_folder(void **state) {
    *state = testlib_folder();
    return 0;
}

static int remove_folder(void **state) {
    testlib_remove(*state);
    return 0;
}

static const episode_info info = {.plan = "plan.yaml",
                                  .world = "../world.yaml",
                                  .robot = "../robot.yaml",
                                  .seed = 7,
                                  .version = "0.1.0",
                                  .step = 2000000,
                                  .cycle = 20000000};

static logger *open_log(const char *path) {
    logger *l = NULL;
    error err = {0};
    if (log_create(path, NULL, &l, &err) != OK)
        fail_msg("%s: %s", path, err.text);
    return l;
}

static int64_t put(sink *s, record *r) {
    error err = {0};
    r->id = sink_id(s, r->kind);
    if (sink_put(s, r, &err) != OK)
        fail_msg("%s", err.text);
    return r->id;
}

static int64_t put_object(sink *s, const char *name, int64_t whole) {
    record r = {.kind = RECORD_OBJECT,
                .OBJECT = {.name = name, .kind = "body", .whole = whole, .break_impulse = NAN}};
    return put(s, &r);
}

static int64_t put_contact(sink *s, int64_t a, int64_t b, nanos start) {
    record r = {
        .kind = RECORD_CONTACT,
        .CONTACT = {.a = a, .b = b, .start_ns = start, .end_ns = TIME_OPEN, .approach = 0.25}};
    return put(s, &r);
}

// A small episode: two objects, a contact that ends, one that does not, forces, poses.
static void write_episode(logger *l, double offset) {
    sink *s = log_sink(l);
    assert_int_equal(log_begin_episode(l, &info, NULL), OK);
    int64_t cup = put_object(s, "cup", 0), table = put_object(s, "table", 0);
    put_object(s, "handle", cup);
    int64_t first = put_contact(s, cup, table, 0), second = put_contact(s, cup, table, 500);
    record force = {.kind = RECORD_CONTACT_FORCE,
                    .CONTACT_FORCE = {.contact = second, .t = 500, .fz = 3.9}};
    put(s, &force);
    for (int i = 0; i < 100; i++) {
        record key = {.kind = RECORD_POSE,
                      .POSE = {.object = cup, .t = i * RECORD_TICK, .x = i + offset, .qw = 1}};
        put(s, &key);
    }
    record end = {.kind = RECORD_CONTACT,
                  .id = first,
                  .CONTACT = {.end_ns = 400, .impulse = 0.5, .peak_force = 12, .approach = 99}};
    assert_int_equal(sink_end(s, &end, NULL), OK);
    assert_int_equal(sink_commit(s, 600, NULL), OK);
    assert_int_equal(log_finish(l, 1000, "failed", true, NULL), OK);
}

static void an_episode_is_written_with_its_references(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    assert_int_equal(log_episode(l), 0);
    write_episode(l, 0);
    assert_int_equal(log_episode(l), 1);
    log_close(l);
    assert_int_equal(
        db_number_in(path, "SELECT count(*) FROM pose_view WHERE object = 'cup' AND episode = 1"),
        100);
    assert_int_equal(
        db_number_in(path,
                     "SELECT count(*) FROM object_view WHERE name = 'handle' AND whole = 'cup'"),
        1);
    assert_int_equal(
        db_number_in(path, "SELECT count(*) FROM contact_force_view WHERE a = 'cup' AND b = 'table'"
                           " AND contact = 2 AND fz = 3.9"),
        1);
    assert_int_equal(
        db_number_in(path, "SELECT count(*) FROM episode_view WHERE plan = 'plan.yaml' AND seed = 7"
                           " AND outcome = 'failed' AND complete = 1 AND end_s = 1e-6"),
        1);
    assert_int_equal(db_number_in(path, "SELECT committed_ns FROM episode"), 1000);
    free(path);
}

static void ends_write_the_end_and_the_final_columns_only(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    write_episode(l, 0);
    log_close(l);
    assert_int_equal(
        db_number_in(path,
                     "SELECT count(*) FROM contact WHERE id = 1 AND end_ns = 400 AND impulse = 0.5"
                     " AND peak_force = 12 AND approach = 0.25 AND start_ns = 0"),
        1);
    assert_int_equal(
        db_number_in(path, "SELECT count(*) FROM contact WHERE id = 2 AND end_ns IS NULL"), 1);
    free(path);
}

static void nothing_open_infinite_or_zero_is_invented(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    sink *s = log_sink(l);
    assert_int_equal(
        log_begin_episode(l, &(episode_info){.plan = "p.yaml", .step = 2000000, .cycle = 20000000},
                          NULL),
        OK);
    record r = {.kind = RECORD_OBJECT,
                .OBJECT = {.name = "x",
                           .type = NULL,
                           .mass = NAN,
                           .friction = INFINITY,
                           .restitution = -INFINITY}};
    put(s, &r);
    assert_int_equal(log_finish(l, 0, "incomplete", false, NULL), OK);
    log_close(l);
    assert_int_equal(
        db_number_in(path,
                     "SELECT count(*) FROM object WHERE type IS NULL AND whole IS NULL AND"
                     " mass IS NULL AND friction IS NULL AND restitution IS NULL AND fixed = 0"),
        1);
    assert_int_equal(
        db_number_in(path,
                     "SELECT count(*) FROM episode_view WHERE world IS NULL AND complete = 0"),
        1);
    free(path);
}

static void a_second_episode_has_ids_of_its_own(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    write_episode(l, 0);
    write_episode(l, 1000); // in the same process
    log_close(l);
    l = open_log(path); // and in another
    write_episode(l, 2000);
    assert_int_equal(log_episode(l), 3);
    log_close(l);
    assert_int_equal(
        db_number_in(path, "SELECT count(*) FROM object WHERE episode = 3 AND id BETWEEN 7 AND 9"),
        3);
    assert_int_equal(db_number_in(path,
                                  "SELECT count(*) FROM pose p JOIN object o ON o.id = p.object"
                                  " WHERE o.name = 'cup'"),
                     300);
    assert_int_equal(db_number_in(path, "SELECT min(x) FROM pose_view WHERE episode = 3"), 2000);
    assert_int_equal(
        db_number_in(path, "SELECT count(*) FROM contact_force f JOIN contact c ON c.id = f.contact"
                           " WHERE c.start_ns = 500"),
        3);
    assert_int_equal(db_number_in(path, "SELECT end_ns FROM contact WHERE id = 5"), 400);
    free(path);
}

static void a_closed_log_is_one_file_in_rollback_mode(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    write_episode(l, 0);
    assert_false(file_beside(path, "-wal"));
    log_close(l);
    assert_false(file_beside(path, "-wal"));
    assert_false(file_beside(path, "-shm"));
    assert_false(file_beside(path, "-journal"));
    assert_int_equal(
        db_number_in(path,
                     "SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'delete'"),
        1);
    assert_int_equal(
        db_number_in(path,
                     "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"),
        1);
    free(path);
}

static void an_episode_that_was_not_finished_holds_what_was_committed(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    sink *s = log_sink(l);
    assert_int_equal(log_begin_episode(l, &info, NULL), OK);
    put_object(s, "cup", 0);
    assert_int_equal(sink_commit(s, 1000000000, NULL), OK);
    put_object(s, "lost", 0);
    log_close(l);
    assert_int_equal(db_number_in(path, "SELECT count(*) FROM object"), 1);
    assert_int_equal(
        db_number_in(path, "SELECT count(*) FROM episode_view WHERE outcome = 'incomplete' AND"
                           " complete = 0 AND end_s = 1"),
        1);
    l = open_log(path); // the next episode takes no notice
    write_episode(l, 0);
    assert_int_equal(log_episode(l), 2);
    log_close(l);
    free(path);
}

static void the_same_records_give_the_same_dump_in_another_folder(void **state) {
    char *folder = *state, *first = testlib_path(folder, "a.db"),
         *inner = testlib_path(folder, "inner");
    assert_int_equal(mkdir(inner, 0777), 0);
    char *second = testlib_path(inner, "quite_another_name.db");
    logger *l = open_log(first);
    write_episode(l, 0.1);
    write_episode(l, 0.2);
    log_close(l);
    l = open_log(second);
    write_episode(l, 0.1);
    log_close(l);
    l = open_log(second);
    write_episode(l, 0.2);
    log_close(l);
    char *a = db_dump(first), *b = db_dump(second);
    assert_string_equal(a, b);
    assert_null(strstr(a, folder));
    free(a);
    free(b);
    free(first);
    free(second);
    free(inner);
}

static void check_refused(const char *path, status want, const char *sentence) {
    logger *l = NULL;
    error err = {0};
    assert_int_equal(log_create(path, NULL, &l, &err), want);
    assert_null(l);
    if (!strstr(err.text, sentence))
        fail_msg("'%s' does not say '%s'", err.text, sentence);
}

static void a_file_that_is_not_a_log_is_never_touched(void **state) {
    char *folder = *state;
    char *text = testlib_write(folder, "notes.txt", "my notes");
    char *empty = testlib_write(folder, "empty", "");
    char *other = testlib_path(folder, "other.db"), *later = db_make_log(folder, "later.db");
    db_run_in(other, "CREATE TABLE garden (plant); INSERT INTO garden VALUES ('tree')");
    db_run_in(later, "UPDATE meta SET value = '99' WHERE key = 'schema'");
    char *before = testlib_read(other);
    check_refused(text, E_INPUT, "not a foresee log");
    check_refused(empty, E_INPUT, "empty");
    check_refused(other, E_INPUT, "not a foresee log");
    check_refused(later, E_INPUT, "schema 99");
    check_refused(folder, E_INPUT, "not a foresee log");
    check_refused("/dev/null", E_INPUT, "not a foresee log");
    char *notes = testlib_read(text), *after = testlib_read(other), *nothing = testlib_read(empty);
    assert_string_equal(notes, "my notes");
    assert_string_equal(nothing, "");
    assert_string_equal(before, after);
    free(notes);
    free(nothing);
    free(before);
    free(after);
    free(text);
    free(empty);
    free(other);
    free(later);
}

static void a_place_that_is_not_there_is_refused(void **state) {
    char *nowhere = testlib_path(*state, "no/such/folder/log.db"),
         *dangling = testlib_path(*state, "dangling");
    assert_int_equal(symlink("nowhere/at/all", dangling), 0);
    check_refused(nowhere, E_INPUT, "No such file");
    check_refused(dangling, E_INPUT, "symbolic link");
    free(nowhere);
    free(dangling);
}

static void a_second_writer_is_refused(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path), *second = NULL;
    assert_int_equal(log_begin_episode(l, &info, NULL), OK);
    error err = {0};
    if (log_create(path, NULL, &second, &err) == OK) {
        assert_int_not_equal(log_begin_episode(second, &info, &err), OK);
        log_close(second);
    }
    assert_non_null(strstr(err.text, "another program"));
    put_object(log_sink(l), "cup", 0); // the first goes on
    assert_int_equal(log_finish(l, 10, "succeeded", true, NULL), OK);
    log_close(l);
    assert_int_equal(db_number_in(path, "SELECT count(*) FROM episode"), 1);
    assert_int_equal(db_number_in(path, "SELECT count(*) FROM object"), 1);
    free(path);
}

static void a_reader_sees_the_last_commit_while_the_episode_is_written(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    store *reader = NULL;
    assert_int_equal(log_begin_episode(l, &info, NULL), OK);
    put_object(log_sink(l), "cup", 0);
    assert_int_equal(sink_commit(log_sink(l), 5, NULL), OK);
    put_object(log_sink(l), "unseen", 0);
    assert_int_equal(store_open(path, &reader, NULL), OK);
    assert_int_equal(db_number(store_db(reader), "SELECT count(*) FROM object"), 1);
    // the reader is there when the log is folded: it stays readable, and is one file after the next
    // opening
    assert_int_equal(log_finish(l, 10, "succeeded", true, NULL), OK);
    assert_int_equal(db_number(store_db(reader), "SELECT count(*) FROM object"), 2);
    store_close(reader);
    log_close(l);
    assert_int_equal(store_open(path, &reader, NULL), OK);
    store_close(reader);
    assert_false(file_beside(path, "-wal"));
    free(path);
}

static void records_out_of_order_are_refused(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    sink *s = log_sink(l);
    record r = {.kind = RECORD_NOTE, .id = 1, .NOTE = {.text = "x"}};
    assert_int_equal(sink_put(s, &r, NULL), E_USAGE); // before its episode
    assert_int_equal(sink_commit(s, 0, NULL), E_USAGE);
    assert_int_equal(log_finish(l, 0, "failed", true, NULL), E_USAGE);
    assert_int_equal(log_begin_episode(l, &info, NULL), OK);
    assert_int_equal(log_begin_episode(l, &info, NULL), E_USAGE);
    r.id = 0;
    assert_int_equal(sink_put(s, &r, NULL), E_ORDER);
    record end = {.kind = RECORD_CONTACT, .id = 5, .CONTACT = {.end_ns = 1}};
    assert_int_equal(sink_end(s, &end, NULL), E_ORDER); // never put
    r.id = 1;
    assert_int_equal(sink_end(s, &r, NULL), E_USAGE); // has no end
    assert_int_equal(sink_commit(s, 100, NULL), OK);
    assert_int_equal(sink_commit(s, 99, NULL), E_ORDER);
    assert_int_equal(sink_put(s, &r, NULL), OK);
    assert_int_equal(sink_put(s, &r, NULL), E_ORDER); // twice
    assert_int_equal(sink_put(s, &r, NULL), E_ORDER); // and it stays so
    log_close(l);
    free(path);
}

static void an_episode_is_judged_and_completed_at_once(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(log_begin_episode(l, &info, NULL), OK);
        assert_int_equal(log_finish(l, 1000, "unjudged", false, NULL), OK);
    }
    log_close(l);
    assert_int_equal(log_judge(path, 1, "succeeded", NULL), OK);
    assert_int_equal(db_number_in(path, "SELECT outcome = 'succeeded' AND complete = 1"
                                        " FROM episode_view WHERE id = 1"),
                     1);
    assert_int_equal(db_number_in(path, "SELECT outcome = 'unjudged' AND complete = 0"
                                        " FROM episode_view WHERE id = 2"),
                     1);
    error err = {0};
    assert_int_equal(log_judge(path, 3, "succeeded", &err), E_INPUT);
    assert_non_null(strstr(err.text, "no episode 3"));
    assert_false(file_beside(path, "-journal"));
    free(path);
}

static void a_log_restored_from_a_dump_is_appended_to(void **state) {
    char *path = db_make_log(*state, "log.db");
    db_run_in(path, "PRAGMA application_id = 0; PRAGMA user_version = 0");
    logger *l = open_log(path);
    write_episode(l, 0);
    log_close(l);
    assert_int_equal(db_number_in(path, "SELECT application_id FROM pragma_application_id"),
                     SCHEMA_APPLICATION_ID);
    free(path);
}

static void a_log_made_here_is_the_schemas_own(void **state) {
    char *folder = *state, *path = testlib_path(folder, "log.db"),
         *other = db_make_log(folder, "other.db");
    log_close(open_log(path));
    char *a = db_dump(path), *b = db_dump(other), *indexes = strstr(b, "CREATE INDEX");
    assert_non_null(indexes); // which the end of its first episode brings
    *indexes = 0;
    assert_string_equal(a, b);
    struct stat st;
    mode_t mask = umask(027);
    char *third = testlib_path(folder, "third.db");
    log_close(open_log(third));
    umask(mask);
    assert_int_equal(stat(third, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    free(third);
    free(a);
    free(b);
    free(path);
    free(other);
}

// Texts of all lengths, in a buffer that is used again at once; by number n, n % 900 long, but
// for a few that are longer than anything that waits.
static size_t make_text(char *text, int n) {
    size_t length = n % 333 == 7 ? 70000 : (size_t)(n % 900);
    memset(text, 'a' + n % 26, length);
    text[length] = 0;
    return length;
}

static void records_are_copied_when_they_are_put(void **state) {
    enum { NOTES = 1000 };
    static char text[70001], want[70001];
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    sink *s = log_sink(l);
    assert_int_equal(log_begin_episode(l, &info, NULL), OK);
    for (int n = 1; n <= NOTES; n++) {
        make_text(text, n);
        record note = {.kind = RECORD_NOTE, .NOTE = {.t_ns = n, .text = n % 10 ? text : NULL}};
        assert_int_equal(put(s, &note), n);
        if (n % 3 == 0)
            put_contact(s, 1, 2, n); // of another kind, which can be ended
        memset(text, '?', sizeof text - 1);
    }
    assert_int_equal(sink_commit(s, NOTES, NULL), OK);
    record late = {.kind = RECORD_NOTE, .NOTE = {.text = "not committed"}};
    put(s, &late);
    log_close(l);
    sqlite3 *db = db_open(path, SQLITE_OPEN_READWRITE);
    sqlite3_stmt *q = NULL;
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT id, t_ns, text FROM note ORDER BY id", -1, &q, NULL),
        SQLITE_OK);
    for (int n = 1; n <= NOTES; n++) {
        assert_int_equal(sqlite3_step(q), SQLITE_ROW);
        assert_int_equal(sqlite3_column_int64(q, 0), n);
        assert_int_equal(sqlite3_column_int64(q, 1), n);
        make_text(want, n);
        if (n % 10)
            assert_string_equal((const char *)sqlite3_column_text(q, 2), want);
        else
            assert_int_equal(sqlite3_column_type(q, 2), SQLITE_NULL);
    }
    assert_int_equal(sqlite3_step(q), SQLITE_DONE);
    sqlite3_finalize(q);
    assert_int_equal(db_number(db, "SELECT count(*) FROM contact"), NOTES / 3);
    sqlite3_close(db);
    free(path);
}

static int64_t index_count(const char *path) {
    return db_number_in(path, "SELECT count(*) FROM sqlite_schema WHERE type = 'index'");
}

// Puts a command and a keyframe of a joint at 0.5 s.
static void put_told(logger *l, int64_t joint, double v) {
    record told = {.kind = RECORD_COMMAND, .id = sink_id(log_sink(l), RECORD_COMMAND)},
           there = {.kind = RECORD_JOINT_STATE, .id = sink_id(log_sink(l), RECORD_JOINT_STATE)};
    told.COMMAND = (struct record_COMMAND){
        .actuator = joint, .t = INT64_C(500000000), .mode = "torque", .v1 = v};
    there.JOINT_STATE =
        (struct record_JOINT_STATE){.joint = joint, .t = INT64_C(500000000), .position = v};
    assert_int_equal(sink_put(log_sink(l), &told, NULL), OK);
    assert_int_equal(sink_put(log_sink(l), &there, NULL), OK);
}

static void of_commands_at_one_instant_all_are_kept_and_of_keyframes_the_last(void **state) {
    char *path = testlib_path(*state, "log.db");
    episode_info one = {.plan = "p", .step = 1000000, .cycle = 1000000};
    logger *l = NULL;
    assert_int_equal(log_create(path, NULL, &l, NULL), OK);
    assert_int_equal(log_begin_episode(l, &one, NULL), OK);
    for (int i = 0; i < 3; i++)
        put_told(l, 1, i);
    put_told(l, 2, 7);
    for (int i = 0; i < 100; i++) // more than the log counts
        put_told(l, 3, i);
    assert_int_equal(log_finish(l, 1000000000, "succeeded", true, NULL), OK);
    log_close(l);
    sqlite3 *db = db_open(path, SQLITE_OPEN_READONLY);
    assert_int_equal(db_number(db, "SELECT group_concat(actuator || ' ' || nth || ' ' || v1, ', ')"
                                   " = '1 0 0, 1 1 1000000, 1 2 2000000, 2 0 7000000' FROM command"
                                   " WHERE t = 50000 AND actuator < 3"),
                     1);
    assert_int_equal(db_number(db, "SELECT max(v1) = 99000000 AND count(*) = 64 AND max(nth) = 63"
                                   " FROM command WHERE actuator = 3"),
                     1);
    assert_int_equal(db_number(db, "SELECT group_concat(position) = '2000000,7000000,99000000'"
                                   " FROM joint_state"),
                     1);
    sqlite3_close(db);
    char *all = testlib_path(*state, "all.db"); // merged, they are counted alike
    assert_int_equal(log_merge(all, path, NULL), OK);
    db = db_open(all, SQLITE_OPEN_READONLY);
    assert_int_equal(db_number(db, "SELECT group_concat(nth || ' ' || v1, ', ') = '0 0, 1 1000000,"
                                   " 2 2000000' FROM command WHERE actuator = 1"),
                     1);
    sqlite3_close(db);
    free(all);
    free(path);
}

static void put_objects(logger *l, int count) {
    char name[20];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "cup_%d", i);
        put_object(log_sink(l), name, 0);
    }
}

static void indexes_are_made_when_an_episode_ends(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    assert_int_equal(log_begin_episode(l, &info, NULL), OK);
    put_objects(l, SCHEMA_INDEX_ROWS - 1);
    assert_int_equal(log_finish(l, 10, "succeeded", true, NULL), OK);
    assert_int_equal(index_count(path), 0); // the table is too small for one
    assert_int_equal(log_begin_episode(l, &info, NULL), OK);
    put_objects(l, 1);
    assert_int_equal(index_count(path), 0);
    assert_int_equal(log_finish(l, 10, "succeeded", true, NULL), OK);
    assert_int_equal(index_count(path), 1);
    assert_int_equal(log_begin_episode(l, &info, NULL), OK); // what is indexed stays so
    assert_int_equal(index_count(path), 1);
    log_close(l);
    char *log = db_dump(path);
    assert_non_null(strstr(log, "CREATE INDEX object_index ON object (episode, name)"));
    free(log);
    free(path);
}

// The index of variables leaves out those of no task, and yet no stranger's index that does may
// stay.
static void an_index_of_its_own_that_leaves_rows_out_is_no_strangers(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    assert_int_equal(log_begin_episode(l, &info, NULL), OK);
    for (int i = 0; i < SCHEMA_INDEX_ROWS; i++) {
        record r = {.kind = RECORD_VARIABLE,
                    .VARIABLE = {.agent = 1, .task = i < 2, .name = "x", .value = "1"}};
        put(log_sink(l), &r);
    }
    assert_int_equal(log_finish(l, 10, "succeeded", true, NULL), OK);
    log_close(l);
    assert_int_equal(
        db_number_in(path, "SELECT sum(ncell) FROM dbstat WHERE name = 'variable_index'"), 2);
    l = open_log(path);
    log_close(l);
    db_run_in(path, "DROP INDEX variable_index; CREATE INDEX variable_index ON variable (task)"
                    " WHERE task > 0");
    error err;
    assert_int_equal(log_create(path, NULL, &l, &err), E_INPUT);
    assert_non_null(strstr(err.text, "the index variable_index of the table variable computes"));
    free(path);
}

static void a_log_that_was_cut_off_is_read_without_indexes(void **state) {
    char *path = testlib_path(*state, "log.db");
    logger *l = open_log(path);
    sink *s = log_sink(l);
    assert_int_equal(log_begin_episode(l, &info, NULL), OK);
    int64_t cup = put_object(s, "cup", 0), table = put_object(s, "table", 0);
    put_objects(l, SCHEMA_INDEX_ROWS);
    for (int i = 0; i < 1000; i++) {
        record key = {
            .kind = RECORD_POSE,
            .POSE = {.object = i % 2 ? cup : table, .t = i * RECORD_TICK, .x = i, .qw = 1}};
        put(s, &key);
    }
    assert_int_equal(sink_commit(s, 1000, NULL), OK);
    log_close(l);
    assert_int_equal(index_count(path), 0);
    store *reader = NULL;
    tracks *t = NULL;
    pose p;
    assert_int_equal(store_open(path, &reader, NULL), OK);
    assert_int_equal(tracks_create(store_db(reader), 1, &t, NULL), OK);
    assert_int_equal(tracks_pose(t, cup, 500 * RECORD_TICK, &p, NULL), OK);
    assert_true(p.p.x == 500);
    assert_int_equal(tracks_pose(t, table, 500 * RECORD_TICK, &p, NULL), OK);
    assert_true(p.p.x == 500);
    tracks_destroy(t);
    store_close(reader);
    l = open_log(path); // the next episode to end brings them
    write_episode(l, 0);
    log_close(l);
    assert_int_equal(index_count(path), 1);
    free(path);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(an_episode_is_written_with_its_references),
        IN_FOLDER(ends_write_the_end_and_the_final_columns_only),
        IN_FOLDER(of_commands_at_one_instant_all_are_kept_and_of_keyframes_the_last),
        IN_FOLDER(nothing_open_infinite_or_zero_is_invented),
        IN_FOLDER(a_second_episode_has_ids_of_its_own),
        IN_FOLDER(a_closed_log_is_one_file_in_rollback_mode),
        IN_FOLDER(an_episode_that_was_not_finished_holds_what_was_committed),
        IN_FOLDER(the_same_records_give_the_same_dump_in_another_folder),
        IN_FOLDER(a_file_that_is_not_a_log_is_never_touched),
        IN_FOLDER(a_place_that_is_not_there_is_refused),
        IN_FOLDER(a_second_writer_is_refused),
        IN_FOLDER(a_reader_sees_the_last_commit_while_the_episode_is_written),
        IN_FOLDER(records_out_of_order_are_refused),
        IN_FOLDER(an_episode_is_judged_and_completed_at_once),
        IN_FOLDER(a_log_restored_from_a_dump_is_appended_to),
        IN_FOLDER(a_log_made_here_is_the_schemas_own),
        IN_FOLDER(records_are_copied_when_they_are_put),
        IN_FOLDER(indexes_are_made_when_an_episode_ends),
        IN_FOLDER(an_index_of_its_own_that_leaves_rows_out_is_no_strangers),
        IN_FOLDER(a_log_that_was_cut_off_is_read_without_indexes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

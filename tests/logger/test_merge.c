// tests/logger/test_merge.c - the episodes of one log appended to another.
#include "tests/schema/dblib.h"
#include "logger/log.h"
#include "schema/store/store.h"

static int make_folder(void **state) {
    *state = testlib_folder();
    return 0;
}

static int remove_folder(void **state) {
    testlib_remove(*state);
    return 0;
}

// Episodes of different sizes that use references of every sort, gaps in their ids included.
static void write_episode(const char *path, int64_t seed) {
    logger *l = NULL;
    error err = {0};
    if (log_create(path, &(log_options){.durable = false}, &l, &err) != OK)
        fail_msg("%s", err.text);
    sink *s = log_sink(l);
    assert_int_equal(
        log_begin_episode(
            l,
            &(episode_info){
                .plan = "p.yaml", .seed = seed, .version = "1", .step = 2000000, .cycle = 20000000},
            NULL),
        OK);
    for (int64_t i = 1; i <= 10 + seed; i++) {
        char name[20];
        snprintf(name, sizeof name, "o%d", (int)i);
        record object = {.kind = RECORD_OBJECT,
                         .id = sink_id(s, RECORD_OBJECT),
                         .OBJECT = {.name = name, .whole = i - 1}};
        assert_int_equal(sink_put(s, &object, NULL), OK);
        record task = {
            .kind = RECORD_TASK,
            .id = sink_id(s, RECORD_TASK),
            .TASK = {
                .parent = i - 1, .path = name, .start_ns = i, .end_ns = i % 2 ? TIME_OPEN : i + 1}};
        assert_int_equal(sink_put(s, &task, NULL), OK);
        sink_id(s, RECORD_FAILURE);
        record failure = {.kind = RECORD_FAILURE,
                          .id = sink_id(s, RECORD_FAILURE),
                          .FAILURE = {.task = i,
                                      .blocker = i,
                                      .class = "low_level_failure",
                                      .t_ns = i,
                                      .cause = 2 * i - 2}};
        assert_int_equal(sink_put(s, &failure, NULL), OK);
    }
    assert_int_equal(log_finish(l, 1000 * seed, seed % 2 ? "succeeded" : "failed", true, NULL), OK);
    log_close(l);
}

static void merged_logs_are_as_if_projected_into_one(void **state) {
    char *folder = *state;
    char *one = testlib_path(folder, "one.db"), *merged = testlib_path(folder, "merged.db");
    for (int64_t seed = 1; seed <= 4; seed++)
        write_episode(one, seed);
    // the batch's samples: single episodes, and one log of two
    char *a = testlib_path(folder, "a.db"), *b = testlib_path(folder, "b.db"),
         *c = testlib_path(folder, "c.db");
    write_episode(a, 1);
    write_episode(b, 2);
    write_episode(b, 3);
    write_episode(c, 4);
    error err = {0};
    assert_int_equal(log_merge(merged, a, &err), OK); // makes it
    assert_int_equal(log_merge(merged, b, &err), OK);
    assert_int_equal(log_merge(merged, c, &err), OK);
    char *want = db_dump(one), *got = db_dump(merged);
    assert_string_equal(want, got);
    assert_int_equal(db_number_in(merged,
                                  "SELECT count(*) FROM failure f JOIN object o ON o.id = f.blocker"
                                  " JOIN task t ON t.id = f.task WHERE f.episode = o.episode AND"
                                  " t.episode = f.episode AND t.path = o.name"),
                     11 + 12 + 13 + 14);
    assert_int_equal(db_number_in(merged,
                                  "SELECT count(*) FROM failure f JOIN failure g ON g.id = f.cause"
                                  " WHERE f.episode != g.episode"),
                     0);
    assert_int_equal(
        db_number_in(merged,
                     "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"),
        1);
    assert_false(file_beside(merged, "-wal"));
    assert_false(file_beside(merged, "-journal"));
    char *unchanged = db_dump(c), *fresh = testlib_path(folder, "fresh.db");
    write_episode(fresh, 4);
    char *again = db_dump(fresh);
    assert_string_equal(unchanged, again);
    free(want);
    free(got);
    free(unchanged);
    free(again);
    free(fresh);
    free(one);
    free(merged);
    free(a);
    free(b);
    free(c);
}

static void single_episodes_of_a_part_are_as_if_projected_one_after_another(void **state) {
    char *one = testlib_path(*state, "one.db"), *part = testlib_path(*state, "part.db"),
         *merged = testlib_path(*state, "merged.db");
    static const int64_t order[] = {3, 1, 4};
    for (int64_t seed = 1; seed <= 4; seed++)
        write_episode(part, seed);
    for (size_t i = 0; i < 3; i++)
        write_episode(one, order[i]);
    log_merger *m = NULL;
    error err = {0};
    assert_int_equal(log_merger_open(merged, &m, &err), OK);
    for (size_t i = 0; i < 3; i++)
        if (log_merger_append(m, part, order[i], &err) != OK)
            fail_msg("%s", err.text);
    assert_int_equal(log_merger_append(m, part, 5, &err), E_INPUT);
    log_merger_close(m);
    char *want = db_dump(one), *got = db_dump(merged);
    assert_string_equal(want, got);
    free(want);
    free(got);
    free(one);
    free(part);
    free(merged);
}

static void episodes_go_on_after_a_merge(void **state) {
    char *a = testlib_path(*state, "a.db"), *b = testlib_path(*state, "b.db");
    write_episode(a, 1);
    write_episode(b, 2);
    assert_int_equal(log_merge(a, b, NULL), OK);
    write_episode(a, 3);
    assert_int_equal(
        db_number_in(
            a, "SELECT group_concat(seed, '') = '123' FROM (SELECT seed FROM episode ORDER BY id)"),
        1);
    assert_int_equal(db_number_in(a, "SELECT count(*) FROM object o JOIN object w ON w.id = o.whole"
                                     " WHERE o.episode = w.episode"),
                     10 + 11 + 12);
    free(a);
    free(b);
}

static void what_cannot_be_merged_is_refused_and_changes_nothing(void **state) {
    char *folder = *state;
    char *a = testlib_path(folder, "a.db"), *same = testlib_path(folder, "same.db");
    char *text = testlib_write(folder, "notes.txt", "notes"),
         *none = testlib_path(folder, "none.db");
    char *later = db_make_log(folder, "later.db");
    write_episode(a, 1);
    db_run_in(later, "UPDATE meta SET value = '99' WHERE key = 'schema'");
    assert_int_equal(symlink(a, same), 0);
    char *before = db_dump(a);
    error err = {0};
    assert_int_equal(log_merge(a, same, &err), E_USAGE);
    assert_non_null(strstr(err.text, "itself"));
    assert_int_equal(log_merge(a, text, &err), E_INPUT);
    assert_int_equal(log_merge(a, none, &err), E_INPUT);
    assert_int_equal(log_merge(a, later, &err), E_INPUT);
    assert_int_equal(log_merge(text, a, &err), E_INPUT);
    assert_string_equal(err.file, text);
    char *after = db_dump(a);
    assert_string_equal(before, after);
    assert_int_not_equal(access(none, F_OK), 0);
    free(before);
    free(after);
    free(a);
    free(same);
    free(text);
    free(none);
    free(later);
}

static void what_another_log_computes_or_triggers_does_not_run(void **state) {
    char *a = testlib_path(*state, "a.db"), *b = testlib_path(*state, "b.db");
    write_episode(a, 1);
    write_episode(b, 2);
    db_run_in(a, "CREATE TRIGGER t AFTER INSERT ON episode BEGIN DELETE FROM object; END");
    assert_int_equal(log_merge(a, b, NULL), OK);
    assert_int_equal(db_number_in(a, "SELECT count(*) FROM object"), 11 + 12);
    db_run_in(a, "CREATE INDEX i ON object (hex(name))");
    error err = {0};
    assert_int_equal(log_merge(a, b, &err), E_INPUT);
    assert_non_null(strstr(err.text, "the index i of the table object computes"));
    free(a);
    free(b);
}

static void ids_that_cannot_be_shifted_are_refused(void **state) {
    char *a = testlib_path(*state, "a.db"), *b = testlib_path(*state, "b.db");
    write_episode(a, 1);
    write_episode(b, 2);
    char *before = db_dump(a);
    error err = {0};
    db_run_in(b, "UPDATE failure SET blocker = 0x7fffffffffffffff");
    assert_int_equal(log_merge(a, b, &err), E_INPUT);
    if (!strstr(err.text, "blocker of its row 2 stands for no row"))
        fail_msg("%s", err.text);
    db_run_in(b, "UPDATE failure SET blocker = NULL; UPDATE object SET id = id + (1 << 53) - 20");
    assert_int_equal(log_merge(a, b, &err), E_INPUT);
    char *after = db_dump(a);
    assert_string_equal(before, after);
    db_run_in(a, "UPDATE object SET id = id + (1 << 53) - 20");
    assert_int_equal(log_merge(a, b, &err), E_INPUT);
    assert_non_null(strstr(err.text, "no room for more"));
    free(before);
    free(after);
    free(a);
    free(b);
}

static void a_merge_that_fails_half_way_leaves_nothing_of_it(void **state) {
    char *a = testlib_path(*state, "a.db"), *b = testlib_path(*state, "b.db");
    write_episode(a, 1);
    write_episode(b, 2);
    // the last table of all refuses its rows
    db_run_in(b, "INSERT INTO note (id, episode, text) VALUES (1, 1, 'x')");
    db_run_in(a, "INSERT INTO note (id, episode, text) VALUES (1, 1, 'x');"
                 "CREATE UNIQUE INDEX refuse ON note (text)");
    char *before = db_dump(a);
    error err = {0};
    assert_int_not_equal(log_merge(a, b, &err), OK);
    char *after = db_dump(a);
    assert_string_equal(before, after);
    free(before);
    free(after);
    free(a);
    free(b);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(merged_logs_are_as_if_projected_into_one),
        IN_FOLDER(single_episodes_of_a_part_are_as_if_projected_one_after_another),
        IN_FOLDER(episodes_go_on_after_a_merge),
        IN_FOLDER(what_cannot_be_merged_is_refused_and_changes_nothing),
        IN_FOLDER(what_another_log_computes_or_triggers_does_not_run),
        IN_FOLDER(ids_that_cannot_be_shifted_are_refused),
        IN_FOLDER(a_merge_that_fails_half_way_leaves_nothing_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// tests/report/test_derive.c - predicates written as tables while others write the same log.
#include "tests/schema/dblib.h"
#include <sys/wait.h>
#include "report/derive.h"

// Another program that derives: it holds the log, makes the tables that are about to be made, and
// ends only when the one under test waits for it.
static const char another[] =
    "CREATE TABLE derived (name TEXT PRIMARY KEY, predicate TEXT, query TEXT, version TEXT);"
    "CREATE TABLE \"derived_p\" (episode INTEGER NOT NULL, \"a1\");"
    "INSERT INTO derived VALUES ('derived_p', 'p/1', 'p(A1).', 'x');"
    "INSERT INTO derived_p VALUES (1, 'old'); COMMIT";

static pid_t other;

static void write_meanwhile(void *context, foresee *f, int64_t episode) {
    const char *path = context;
    int ends[2];
    char byte = '.';
    (void)episode;
    if (f || other)
        return;
    assert_int_equal(pipe(ends), 0);
    other = fork();
    assert_true(other >= 0);
    if (other == 0) {
        sqlite3 *db = NULL;
        bool ok = sqlite3_open(path, &db) == SQLITE_OK &&
                  sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
        ok = write(ends[1], &byte, 1) == 1 && ok;
        usleep(300000);
        ok = ok && sqlite3_exec(db, another, NULL, NULL, NULL) == SQLITE_OK;
        _exit(ok ? 0 : 1);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
}

static void tables_that_another_one_makes_meanwhile_are_taken_over(void **state) {
    (void)state;
    char *folder = testlib_folder(), *path = db_make_log(folder, "log.db");
    char *rules = testlib_write(folder, "mine.dl", "p(new).\n");
    db_run_in(path, "INSERT INTO episode VALUES (1, 'p', 'w', 'r', 1, '0', 2000000, 20000000, "
                    "5000000000, 'succeeded', 1, 5000000000)");
    const char *wanted = "p", *files = rules;
    derive_request request = {.log = path,
                              .rules = &files,
                              .rule_count = 1,
                              .episode = 1,
                              .wanted = &wanted,
                              .wanted_count = 1,
                              .watch = write_meanwhile,
                              .context = path};
    derive_result result;
    errors list = {0};
    status s = derive_run(&request, &result, &list);
    int ended = -1;
    assert_int_equal(waitpid(other, &ended, 0), other);
    assert_int_equal(ended, 0);
    if (s != OK)
        fail_msg("%s", list.count ? list.items[0].text : "no sentence");
    assert_int_equal(db_number_in(path, "SELECT count(*) FROM derived"), 1);
    assert_int_equal(db_number_in(path, "SELECT count(*) = 1 AND min(a1) = 'new' FROM derived_p"),
                     1);
    derive_finish(&result);
    errors_finish(&list);
    free(rules);
    free(path);
    testlib_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_that_another_one_makes_meanwhile_are_taken_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

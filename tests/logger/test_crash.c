// tests/logger/test_crash.c - kills, full disks, read-only places: what was committed stays.
#include "tests/schema/dblib.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "base/math/rng.h"
#include "logger/log.h"
#include "schema/store/store.h"

#define SECOND INT64_C(1000000000)
#define ROWS 200 // a simulated second
#define STEPS .step = 2000000, .cycle = 20000000

static int make_folder(void **state) {
    *state = testlib_folder();
    assert_int_equal(chmod(*state, 0755), 0);
    return 0;
}

static int remove_folder(void **state) {
    chmod(*state, 0755);
    testlib_remove(*state);
    return 0;
}

// ---- In a child: everything comes back as a sentence --------------------------------------------

typedef void (*child_work)(const char *path, int report, char *sentence, size_t size);

static void say(int report, const char *text) {
    ssize_t n = write(report, text, strlen(text));
    (void)n;
}

static pid_t start_child(child_work work, const char *path, int *report) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char sentence[2000] = "";
        close(ends[0]);
        work(path, ends[1], sentence, sizeof sentence);
        say(ends[1], sentence);
        _exit(0);
    }
    close(ends[1]);
    *report = ends[0];
    return child;
}

static void end_child(pid_t child, int report, char *text, size_t size) {
    size_t length = 0;
    for (ssize_t n; length + 1 < size && (n = read(report, text + length, size - length - 1)) > 0;)
        length += (size_t)n;
    text[length] = 0;
    close(report);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

// Writes ROWS notes a second and a task for each second, for ever or until something fails; reports
// each commit by a byte.
static void write_until_stopped(const char *path, int report, char *sentence, size_t size) {
    logger *l = NULL;
    error err = {0};
    status s = log_create(path, NULL, &l, &err);
    if (s == OK)
        s = log_begin_episode(
            l, &(episode_info){.plan = "p.yaml", .seed = 1, .step = 2000000, .cycle = 20000000},
            &err);
    for (int64_t t = 1; s == OK; t++) {
        record task = {.kind = RECORD_TASK,
                       .id = sink_id(log_sink(l), RECORD_TASK),
                       .TASK = {.end_ns = TIME_OPEN}};
        s = sink_put(log_sink(l), &task, &err);
        for (int i = 0; i < ROWS && s == OK; i++) {
            record note = {.kind = RECORD_NOTE,
                           .id = sink_id(log_sink(l), RECORD_NOTE),
                           .NOTE = {.task = task.id,
                                    .t_ns = t * SECOND,
                                    .text = "a note of some length to fill pages"}};
            s = sink_put(log_sink(l), &note, &err);
        }
        if (s == OK)
            s = sink_commit(log_sink(l), t * SECOND, &err);
        if (s == OK)
            say(report, ".");
    }
    log_close(l);
    snprintf(sentence, size, "%s: %s", status_name(s), err.text);
}

// Every episode of the log is cut off, whole up to its last commit, and there is nothing else.
static void check_left(const char *path, int64_t episodes, int64_t at_least_committed) {
    store *s = NULL;
    error err = {0};
    if (store_open(path, &s, &err) != OK)
        fail_msg("%s", err.text);
    sqlite3 *db = store_db(s);
    assert_int_equal(
        db_number(db, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"),
        1);
    assert_int_equal(
        db_number(db, "SELECT count(*) FROM episode WHERE complete = 0 AND outcome = 'incomplete'"),
        episodes);
    assert_int_equal(db_number(db, "SELECT count(*) FROM episode"), episodes);
    assert_int_equal(
        db_number(db, "SELECT count(*) FROM episode e WHERE committed_ns / 1000000000 * 200 !="
                      " (SELECT count(*) FROM note WHERE episode = e.id)"),
        0);
    assert_int_equal(db_number(db, "SELECT count(*) FROM note n JOIN task t ON t.id = n.task WHERE "
                                   "t.episode != n.episode"),
                     0);
    if (episodes > 0)
        assert_true(
            db_number(db,
                      "SELECT committed_ns / 1000000000 FROM episode ORDER BY id DESC LIMIT 1") >=
            at_least_committed);
    store_close(s);
    assert_false(file_beside(path, "-wal"));
}

static void twenty_kills_leave_logs_that_hold_every_commit(void **state) {
    char *shared = testlib_path(*state, "shared.db"), name[30], text[100000];
    int64_t shared_episodes = 0;
    int killed_writing = 0;
    rng_key key = rng_key_make(20, "kill", "moment");
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "own_%d.db", i);
        char *own = testlib_path(*state, name), *path = i % 2 ? shared : own;
        int report;
        pid_t child = start_child(write_until_stopped, path, &report);
        // a few while the log is made, the rest after some commits
        size_t seen = i < 6 ? 0 : (size_t)(1 + 30 * rng_uniform(key, (uint64_t)i, 1));
        for (size_t n = 0; n < seen; n++)
            assert_int_equal(read(report, &text[n], 1), 1);
        usleep((useconds_t)(rng_uniform(key, (uint64_t)i, 0) * 6000));
        assert_int_equal(kill(child, SIGKILL), 0);
        end_child(child, report, text + seen, sizeof text - seen);
        assert_int_equal(strspn(text, "."), strlen(text)); // no failure before the kill
        killed_writing += text[0] == '.';
        if (access(path, F_OK) == 0) {
            sqlite3 *db = db_open(path, SQLITE_OPEN_READWRITE); // as any tool would
            int64_t episodes = db_number(db, "SELECT count(*) FROM episode");
            sqlite3_close(db);
            assert_in_range(episodes, path == shared ? shared_episodes : 0,
                            path == shared ? shared_episodes + 1 : 1);
            assert_true(episodes > 0 || text[0] == 0);
            check_left(path, episodes,
                       path == shared && episodes == shared_episodes ? 0 : (int64_t)strlen(text));
            shared_episodes = path == shared ? episodes : shared_episodes;
        } else {
            assert_int_equal(text[0], 0);
        }
        free(own);
    }
    assert_true(killed_writing >= 14);
    free(shared);
}

// One short episode after the other, each opened, begun, ended and closed; reports each end by a
// byte.
static void write_short_episodes(const char *path, int report, char *sentence, size_t size) {
    status s = OK;
    error err = {0};
    while (s == OK) {
        logger *l = NULL;
        s = log_create(path, NULL, &l, &err);
        if (s == OK)
            s = log_begin_episode(
                l, &(episode_info){.plan = "p.yaml", .seed = 1, .step = 2000000, .cycle = 20000000},
                &err);
        for (int i = 0; i < ROWS && s == OK; i++) {
            record note = {.kind = RECORD_NOTE,
                           .id = sink_id(log_sink(l), RECORD_NOTE),
                           .NOTE = {.text = "x"}};
            s = sink_put(log_sink(l), &note, &err);
        }
        if (s == OK)
            s = log_finish(l, SECOND, "succeeded", true, &err);
        log_close(l);
        if (s == OK)
            say(report, ".");
    }
    snprintf(sentence, size, "%s: %s", status_name(s), err.text);
}

static void kills_while_episodes_begin_and_end_spare_the_finished_ones(void **state) {
    char *path = testlib_path(*state, "log.db"), text[100000];
    rng_key key = rng_key_make(20, "kill", "short");
    int64_t finished = 0;
    for (int i = 0; i < 20; i++) {
        int report;
        pid_t child = start_child(write_short_episodes, path, &report);
        assert_int_equal(read(report, text, 1), 1);
        usleep((useconds_t)(rng_uniform(key, (uint64_t)i, 0) * 60000));
        assert_int_equal(kill(child, SIGKILL), 0);
        end_child(child, report, text + 1, sizeof text - 1);
        assert_int_equal(strspn(text, "."), strlen(text));
        finished += (int64_t)strlen(text);
        store *s = NULL;
        error err = {0};
        if (store_open(path, &s, &err) != OK)
            fail_msg("%s", err.text);
        sqlite3 *db = store_db(s);
        assert_int_equal(
            db_number(db,
                      "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"),
            1);
        // one more may have ended than could still be reported
        int64_t complete = db_number(db, "SELECT count(*) FROM episode WHERE complete");
        assert_in_range(complete, finished, finished + 1);
        finished = complete;
        assert_true(db_number(db, "SELECT count(*) FROM episode WHERE NOT complete") <= i + 1);
        assert_int_equal(db_number(db, "SELECT count(*) FROM note"), finished * ROWS);
        store_close(s);
    }
    free(path);
}

// ---- Full disks ---------------------------------------------------------------------------------

static rlim_t limit_of(const char *path) {
    return (rlim_t)strtoul(strrchr(path, '_') + 1, NULL, 10) * 1024;
}

static void write_under_limit(const char *path, int report, char *sentence, size_t size) {
    struct rlimit limit = {limit_of(path), limit_of(path)};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        snprintf(sentence, size, "no limit: %s", strerror(errno));
    else
        write_until_stopped(path, report, sentence, size);
}

static void a_limit_on_file_sizes_is_a_full_disk(void **state) {
    static const int kilobytes[] = {340, 440, 1000, 4500, 6000};
    char name[30], text[100000];
    for (size_t i = 0; i < sizeof kilobytes / sizeof *kilobytes; i++) {
        snprintf(name, sizeof name, "limit_%d", kilobytes[i]);
        char *path = testlib_path(*state, name);
        int report;
        pid_t child = start_child(write_under_limit, path, &report);
        end_child(child, report, text, sizeof text);
        size_t commits = strspn(text, ".");
        if (strncmp(text + commits, "E_FULL", 6) != 0)
            fail_msg("at %d kB after %zu commits: %s", kilobytes[i], commits, text + commits);
        assert_true(commits > 0);
        check_left(path, 1, (int64_t)commits);
        free(path);
    }
}

// One episode of indexed rows, finished.
static void finish_under_limit(const char *path, int report, char *sentence, size_t size) {
    struct rlimit limit = {limit_of(path), limit_of(path)};
    logger *l = NULL;
    error err = {0};
    signal(SIGXFSZ, SIG_IGN);
    status s = setrlimit(RLIMIT_FSIZE, &limit) == 0 ? log_create(path, NULL, &l, &err) : E_IO;
    if (s == OK)
        s = log_begin_episode(
            l, &(episode_info){.plan = "p.yaml", .seed = 1, .step = 2000000, .cycle = 20000000},
            &err);
    for (int i = 0; i < 20 * ROWS && s == OK; i++) {
        record change = {.kind = RECORD_TASK_STATUS,
                         .id = sink_id(log_sink(l), RECORD_TASK_STATUS),
                         .TASK_STATUS = {.task = 1, .t_ns = i, .status = "active"}};
        s = sink_put(log_sink(l), &change, &err);
        // what is committed often makes the -wal file larger than the log
        if (s == OK && i % (ROWS / 4) == 0)
            s = sink_commit(log_sink(l), i, &err);
    }
    if (s == OK)
        s = sink_commit(log_sink(l), SECOND, &err);
    if (s == OK)
        say(report, ".");
    if (s == OK)
        s = log_finish(l, SECOND, "succeeded", true, &err);
    log_close(l);
    snprintf(sentence, size, "%s: %s", status_name(s), err.text);
}

static void no_room_for_the_indexes_leaves_a_finished_episode(void **state) {
    char name[30], text[5000];
    bool seen = false, done = false;
    for (int kilobytes = 300; kilobytes < 1500 && !done; kilobytes += 20) {
        snprintf(name, sizeof name, "limit_%d", kilobytes);
        char *path = testlib_path(*state, name);
        int report;
        pid_t child = start_child(finish_under_limit, path, &report);
        end_child(child, report, text, sizeof text);
        done = strncmp(text, ".OK", 3) == 0;
        if (text[0] == '.' && !done) {
            assert_int_equal(strncmp(text + 1, "E_FULL", 6), 0);
            assert_int_equal(db_number_in(path, "SELECT count(*) FROM task_status"), 20 * ROWS);
            seen = seen || (strstr(text, "indexing the log") &&
                            db_number_in(path, "SELECT complete FROM episode") == 1 &&
                            db_number_in(path, "SELECT count(*) = 0 FROM sqlite_schema"
                                               " WHERE type = 'index'") == 1);
        }
        free(path);
    }
    assert_true(seen && done);
}

static void no_room_for_the_first_page_leaves_nothing(void **state) {
    char *path = testlib_path(*state, "limit_20"), text[5000];
    int report;
    pid_t child = start_child(write_under_limit, path, &report);
    end_child(child, report, text, sizeof text);
    if (strncmp(text, "E_FULL", 6) != 0)
        fail_msg("%s", text);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(rmdir(*state), 0); // nor any other file
    assert_int_equal(mkdir(*state, 0755), 0);
    free(path);
}

// A small file system of its own, in a name space of its own; the log is copied out when it is
// full.
static void write_to_small_disk(const char *path, int report, char *sentence, size_t size) {
    char folder[4096], log_path[4200], command[9000];
    snprintf(folder, sizeof folder, "%s.disk", path);
    snprintf(log_path, sizeof log_path, "%s/log.db", folder);
    if (mkdir(folder, 0755) != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", folder, "tmpfs", 0, "size=1m") != 0) {
        snprintf(sentence, size, "no disk: %s", strerror(errno));
        return;
    }
    write_until_stopped(log_path, report, sentence, size);
    snprintf(command, sizeof command, "cp '%s'/* '%s.copy/'", folder, path);
    if (system(command) != 0)
        snprintf(sentence, size, "the copy failed");
}

static void a_full_disk_leaves_what_was_committed(void **state) {
    char *path = testlib_path(*state, "small"), *copy = testlib_path(*state, "small.copy"),
         text[100000];
    char *left = testlib_path(copy, "log.db");
    assert_int_equal(mkdir(copy, 0755), 0);
    int report;
    pid_t child = start_child(write_to_small_disk, path, &report);
    end_child(child, report, text, sizeof text);
    size_t commits = strspn(text, ".");
    bool none = strncmp(text + commits, "no disk", 7) == 0;
    if (!none) {
        if (strncmp(text + commits, "E_FULL", 6) != 0)
            fail_msg("after %zu commits: %s", commits, text + commits);
        assert_true(commits > 0);
        check_left(left, 1, (int64_t)commits);
    }
    free(path);
    free(copy);
    free(left);
    if (none) {
        print_message("skipped: a small file system cannot be mounted here (%s)\n", text + commits);
        skip();
    }
}

// ---- Read-only places ---------------------------------------------------------------------------

#define NOBODY 65534

// An ordinary user stays what it is; root becomes one.
static bool become_ordinary(char *sentence, size_t size) {
    if (geteuid() != 0 || (setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0))
        return true;
    snprintf(sentence, size, "cannot become an ordinary user: %s", strerror(errno));
    return false;
}

static void read_as_ordinary(const char *path, int report, char *sentence, size_t size) {
    (void)report;
    store *s = NULL;
    error err = {0};
    if (!become_ordinary(sentence, size))
        return;
    if (store_open(path, &s, &err) != OK) {
        snprintf(sentence, size, "%s: %s", status_name(err.code), err.text);
        return;
    }
    snprintf(sentence, size, "%lld notes; %s",
             (long long)db_number(store_db(s), "SELECT count(*) FROM note"),
             store_note(s) ? store_note(s) : "");
    store_close(s);
}

static void write_as_ordinary(const char *path, int report, char *sentence, size_t size) {
    (void)report;
    logger *l = NULL;
    error err = {0};
    if (!become_ordinary(sentence, size))
        return;
    if (log_create(path, NULL, &l, &err) == OK)
        err.code = log_begin_episode(
            l, &(episode_info){.plan = "p.yaml", .step = 2000000, .cycle = 20000000}, &err);
    log_close(l);
    snprintf(sentence, size, "%s: %s", status_name(err.code), err.text);
}

static void check_said(child_work work, const char *path, const char *sentence) {
    char text[5000];
    int report;
    pid_t child = start_child(work, path, &report);
    end_child(child, report, text, sizeof text);
    if (!strstr(text, sentence))
        fail_msg("'%s' does not say '%s'", text, sentence);
}

static void write_finished(const char *path) {
    logger *l = NULL;
    assert_int_equal(log_create(path, NULL, &l, NULL), OK);
    assert_int_equal(
        log_begin_episode(l, &(episode_info){.plan = "p.yaml", .step = 2000000, .cycle = 20000000},
                          NULL),
        OK);
    record note = {
        .kind = RECORD_NOTE, .id = sink_id(log_sink(l), RECORD_NOTE), .NOTE = {.text = "x"}};
    assert_int_equal(sink_put(log_sink(l), &note, NULL), OK);
    assert_int_equal(log_finish(l, SECOND, "succeeded", true, NULL), OK);
    log_close(l);
}

static char *leave_by_crash(const char *folder, const char *name) {
    char *path = testlib_path(folder, name), byte;
    int report;
    pid_t child = start_child(write_until_stopped, path, &report);
    for (int i = 0; i < 3; i++)
        assert_int_equal(read(report, &byte, 1), 1);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(report);
    assert_true(file_beside(path, "-wal"));
    return path;
}

static void set_readable(const char *path, const char *suffix) {
    char name[5000];
    snprintf(name, sizeof name, "%s%s", path, suffix);
    assert_true(chmod(name, 0444) == 0 || errno == ENOENT);
}

static void an_ordinary_user_reads_a_closed_log_from_a_read_only_folder(void **state) {
    char *path = testlib_path(*state, "log.db");
    write_finished(path);
    set_readable(path, "");
    assert_int_equal(chmod(*state, 0555), 0);
    check_said(read_as_ordinary, path, "1 notes; ");
    free(path);
}

static void an_ordinary_user_reads_a_crashed_log_from_a_read_only_folder(void **state) {
    char *path = leave_by_crash(*state, "log.db");
    set_readable(path, "");
    set_readable(path, "-wal");
    set_readable(path, "-shm");
    assert_int_equal(chmod(*state, 0555), 0);
    check_said(read_as_ordinary, path, "left by a crash; it is read as it lies");
    free(path);
}

static void a_crashed_log_that_lacks_a_file_names_it(void **state) {
    char *path = leave_by_crash(*state, "log.db"), name[5000];
    set_readable(path, "");
    set_readable(path, "-wal");
    snprintf(name, sizeof name, "%s-shm", path);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(chmod(*state, 0555), 0);
    check_said(read_as_ordinary, path, "left by a crash and cannot be recovered here");
    check_said(read_as_ordinary, path, "-shm file is missing");
    assert_int_equal(chmod(*state, 0755), 0);
    snprintf(name, sizeof name, "%s-wal", path);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(chmod(*state, 0555), 0);
    check_said(read_as_ordinary, path, "-wal, which held its end, is missing");
    free(path);
}

// Writes many pages with each commit, so that they are folded into the log now and then.
static void write_much(const char *path, int report, char *sentence, size_t size) {
    static char text[30001];
    memset(text, 'x', sizeof text - 1);
    logger *l = NULL;
    error err = {0};
    status s = log_create(path, NULL, &l, &err);
    if (s == OK)
        s = log_begin_episode(l, &(episode_info){.plan = "p.yaml", STEPS}, &err);
    for (int64_t t = 1; s == OK; t++) {
        for (int i = 0; i < ROWS && s == OK; i++) {
            record note = {.kind = RECORD_NOTE,
                           .id = sink_id(log_sink(l), RECORD_NOTE),
                           .NOTE = {.t_ns = t * SECOND, .text = text}};
            s = sink_put(log_sink(l), &note, &err);
        }
        if (s == OK)
            s = sink_commit(log_sink(l), t * SECOND, &err);
        if (s == OK)
            say(report, ".");
    }
    snprintf(sentence, size, "%s: %s", status_name(s), err.text);
}

static char *leave_without_wal(const char *folder, child_work work, int commits) {
    char *path = testlib_path(folder, "log.db"), byte, name[5000];
    int report;
    write_finished(path);
    pid_t child = start_child(work, path, &report);
    for (int i = 0; i < commits; i++)
        assert_int_equal(read(report, &byte, 1), 1);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(report);
    snprintf(name, sizeof name, "%s-shm", path);
    unlink(name);
    snprintf(name, sizeof name, "%s-wal", path);
    assert_int_equal(unlink(name), 0);
    return path;
}

static void a_log_whose_wal_is_missing_is_read_as_it_lies_and_left_alone(void **state) {
    for (int much = 0; much < 2; much++) {
        char *path = leave_without_wal(*state, much ? write_much : write_until_stopped, 9);
        char *before = testlib_read(path);
        for (int again = 0; again < 2; again++) {
            store *s = NULL;
            error err = {0};
            if (store_open(path, &s, &err) != OK)
                fail_msg("%s", err.text);
            assert_non_null(store_note(s));
            assert_non_null(strstr(store_note(s), "log.db-wal, which held its end, is missing"));
            assert_int_equal(db_number(store_db(s), "SELECT count(*) FROM note WHERE episode = 1"),
                             1);
            assert_int_equal(db_number(store_db(s), "SELECT count(*) FROM episode WHERE complete"),
                             1);
            store_close(s);
            assert_false(file_beside(path, "-wal"));
            assert_false(file_beside(path, "-shm"));
        }
        sqlite3 *db = NULL;
        error err = {0};
        // the rest of what is here: nothing may be written over it
        assert_int_equal(store_connect(path, true, &db, &err), E_INPUT);
        assert_non_null(strstr(err.text, "PRAGMA journal_mode = DELETE"));
        check_said(write_as_ordinary, path, "E_INPUT: the log");
        char *after = testlib_read(path);
        assert_string_equal(before, after);
        db_run_in(path, "PRAGMA journal_mode = DELETE"); // what the message says
        assert_int_equal(store_connect(path, true, &db, &err), OK);
        sqlite3_close(db);
        free(before);
        free(after);
        assert_int_equal(unlink(path), 0);
        free(path);
    }
}

static void a_log_whose_wal_is_missing_from_the_first_moment_knows_of_the_episode(void **state) {
    char *path = leave_without_wal(*state, write_until_stopped, 1);
    sqlite3 *db = NULL;
    error err = {0};
    store *s = NULL;
    assert_int_equal(store_connect(path, true, &db, &err), E_INPUT);
    assert_int_equal(store_open(path, &s, &err), OK);
    assert_non_null(strstr(store_note(s), "log.db-wal, which held its end, is missing"));
    assert_int_equal(db_number(store_db(s), "SELECT max(id) FROM episode"), 2);
    store_close(s);
    free(path);
}

// Any tool that opens a log which was left by a kill takes in its -wal file: nothing is missing.
static void a_killed_log_that_a_tool_has_closed_lacks_nothing(void **state) {
    char *path = leave_by_crash(*state, "log.db");
    db_number_in(path, "SELECT count(*) FROM note");
    assert_false(file_beside(path, "-wal"));
    store *s = NULL;
    assert_int_equal(store_open(path, &s, NULL), OK);
    assert_null(store_note(s));
    store_close(s);
    free(path);
}

static void an_ordinary_user_cannot_write_and_is_told_so(void **state) {
    char *path = testlib_path(*state, "log.db"), *other = testlib_path(*state, "other.db");
    write_finished(path);
    char *before = db_dump(path);
    set_readable(path, "");
    assert_int_equal(chmod(*state, 0555), 0);
    check_said(write_as_ordinary, path,
               "E_INPUT: the log cannot be written here: Permission denied");
    check_said(write_as_ordinary, other,
               "E_INPUT: the file cannot be written here: Permission denied");
    assert_int_equal(chmod(path, 0666), 0); // the file alone is not enough
    check_said(write_as_ordinary, path, "E_INPUT: the log cannot be written here: the folder");
    assert_int_equal(chmod(*state, 0755), 0);
    char *after = db_dump(path);
    assert_string_equal(before, after);
    assert_int_not_equal(access(other, F_OK), 0);
    free(before);
    free(after);
    free(path);
    free(other);
}

static void a_log_that_may_not_be_read_is_refused(void **state) {
    char *path = testlib_path(*state, "log.db");
    write_finished(path);
    assert_int_equal(chmod(path, 0), 0);
    check_said(read_as_ordinary, path, "E_INPUT: the log cannot be read: Permission denied");
    free(path);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(twenty_kills_leave_logs_that_hold_every_commit),
        IN_FOLDER(kills_while_episodes_begin_and_end_spare_the_finished_ones),
        IN_FOLDER(a_limit_on_file_sizes_is_a_full_disk),
        IN_FOLDER(no_room_for_the_indexes_leaves_a_finished_episode),
        IN_FOLDER(no_room_for_the_first_page_leaves_nothing),
        IN_FOLDER(a_full_disk_leaves_what_was_committed),
        IN_FOLDER(an_ordinary_user_reads_a_closed_log_from_a_read_only_folder),
        IN_FOLDER(an_ordinary_user_reads_a_crashed_log_from_a_read_only_folder),
        IN_FOLDER(a_crashed_log_that_lacks_a_file_names_it),
        IN_FOLDER(a_log_whose_wal_is_missing_from_the_first_moment_knows_of_the_episode),
        IN_FOLDER(a_log_whose_wal_is_missing_is_read_as_it_lies_and_left_alone),
        IN_FOLDER(a_killed_log_that_a_tool_has_closed_lacks_nothing),
        IN_FOLDER(an_ordinary_user_cannot_write_and_is_told_so),
        IN_FOLDER(a_log_that_may_not_be_read_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

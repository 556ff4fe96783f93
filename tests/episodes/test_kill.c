// tests/episodes/test_kill.c - a projection that is killed loses at most one simulated second.
//
// A child projects into a log through a sink of our own that hands every record on and ends its
// process by SIGKILL when the first record at or after a drawn instant comes: what was put by then,
// but not committed, is what the kill can cost.
#include "tests/testlib.h"
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/math/rng.h"
#include "logger/log.h"
#include "projector/projection.h"

enum { KILLS = 20 };
static const double LATEST = 70; // s: the plan goes on for longer

typedef struct deadly {
    sink head; // first: the projection knows only this
    sink *to;
    nanos at;
    int report; // the instant of the last record is written here
} deadly;

static void strike(const deadly *d, nanos t) {
    if (t == TIME_OPEN || t < d->at)
        return;
    if (write(d->report, &t, sizeof t) == (ssize_t)sizeof t)
        raise(SIGKILL);
    _exit(9);
}

static status forward_put(sink *s, const record *r, error *err) {
    const deadly *d = (const deadly *)s;
    status st = sink_put(d->to, r, err);
    if (st == OK && r->kind == RECORD_TASK_STATUS)
        strike(d, r->TASK_STATUS.t_ns);
    else if (st == OK && r->kind == RECORD_READING)
        strike(d, r->READING.taken_ns);
    return st;
}

static status forward_end(sink *s, const record *r, error *err) {
    return sink_end(((const deadly *)s)->to, r, err);
}

static status forward_commit(sink *s, nanos t, error *err) {
    return sink_commit(((const deadly *)s)->to, t, err);
}

static const sink_class DEADLY = {forward_put, forward_end, forward_commit};

typedef struct scene {
    plan *plan;
    world_model *world;
    robot_model *robot;
} scene;

static scene load_scene(void) {
    scene s = {0};
    errors list = {0};
    settings none = {0};
    assert_int_equal(plan_load(FORESEE_SOURCE_DIR "/examples/table_setting/default.yaml",
                               FORESEE_SOURCE_DIR "/plans", &none, &s.plan, &list),
                     OK);
    assert_int_equal(world_load(plan_world(s.plan), NULL, plan_settings(s.plan), &s.world, &list),
                     OK);
    assert_int_equal(robot_load(plan_robot(s.plan), NULL, plan_settings(s.plan), &s.robot, &list),
                     OK);
    errors_finish(&list);
    return s;
}

// The child's life. Comes back only where nothing killed it.
static void project(const scene *s, const char *path, int64_t seed, nanos at, int report) {
    error err = {0};
    logger *l = NULL;
    projection_options o = projection_options_default();
    projection_result result;
    o.seed = (uint64_t)seed;
    episode_info info = {.plan = "default.yaml", .seed = seed, .step = o.step, .cycle = o.cycle};
    log_options options = log_options_default();
    if (log_create(path, &options, &l, &err) != OK || log_begin_episode(l, &info, &err) != OK)
        return;
    deadly d = {.head = *log_sink(l), .to = log_sink(l), .at = at, .report = report};
    d.head.class = &DEADLY;
    (void)projection_run(s->plan, s->world, s->robot, &d.head, &o, &result, &err);
}

static int64_t ask_number(sqlite3 *db, const char *sql) {
    sqlite3_stmt *q;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return value;
}

static void check_log(const char *path, nanos killed) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        ask_number(db, "select count(*) from pragma_integrity_check where integrity_check = 'ok'"),
        1);
    assert_int_equal(ask_number(db, "select count(*) from episode"), 1);
    assert_int_equal(ask_number(db, "select outcome = 'incomplete' and complete = 0 from episode"),
                     1);
    nanos committed = ask_number(db, "select committed_ns from episode");
    if (committed < killed - 1000000000 || committed > killed)
        fail_msg("killed at %.3f s, committed up to %.3f s", seconds(killed), seconds(committed));
    // And what is called committed is there: the robot senses and moves all the time.
    if (committed > 0)
        assert_true(ask_number(db, "select max(taken_ns) from reading") > committed - 500000000);
    sqlite3_close(db);
}

static void a_kill_at_any_instant_costs_one_second_at_most(void **state) {
    (void)state;
    char *folder = testlib_folder();
    scene s = load_scene();
    rng_key key = rng_key_make(1, "kill", "instants");
    double earliest = LATEST, latest = 0;
    for (int i = 0; i < KILLS; i++) {
        double at = 0.05 + (LATEST - 0.05) * rng_uniform(key, (uint64_t)i, 0);
        char name[32];
        snprintf(name, sizeof name, "kill-%d.db", i);
        char *path = testlib_path(folder, name);
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            project(&s, path, i + 1, nanos_from_seconds(at), ends[1]);
            _exit(8);
        }
        close(ends[1]);
        nanos killed = 0;
        assert_int_equal(read(ends[0], &killed, sizeof killed), sizeof killed);
        close(ends[0]);
        int how;
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL); // in the middle of its run
        assert_true(killed >= nanos_from_seconds(at) && killed <= nanos_from_seconds(at + 5));
        earliest = at < earliest ? at : earliest;
        latest = at > latest ? at : latest;
        check_log(path, killed);
        free(path);
    }
    assert_true(earliest < 0.25 * LATEST && latest > 0.75 * LATEST);
    plan_destroy(s.plan);
    world_destroy(s.world);
    robot_destroy(s.robot);
    testlib_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kill_at_any_instant_costs_one_second_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

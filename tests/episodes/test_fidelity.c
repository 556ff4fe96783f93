// tests/episodes/test_fidelity.c - what keyframes leave out of a whole projection: not more than
// they promise.
//
// One plan is projected twice, once with every step logged as it is and once with the tolerance
// that logs have unless told otherwise. Everything that has a pose, links and frames that hang on
// others included, is decoded from both at every physics step.
#include "tests/testlib.h"

#include "logger/log.h"
#include "projector/projection.h"
#include "schema/store/store.h"
#include "schema/motion/tracks.h"

enum { HALF_WINDOW = 25, WINDOW = 2 * HALF_WINDOW }; // steps: 100 ms

static const double POSITION = 1e-4, SPEED = 1e-3, RATE = 0.01; // m, m/s, rad/s
#define ANGLE (0.05 * PI / 180)
static const double ROUNDING = 1e-9;

static int make_folder(void **state) {
    *state = testlib_folder();
    return 0;
}

static int remove_folder(void **state) {
    testlib_remove(*state);
    return 0;
}

static void project(const char *path, double tolerance, nanos until) {
    errors list = {0};
    error err = {0};
    settings none = {0};
    plan *p = NULL;
    world_model *w = NULL;
    robot_model *r = NULL;
    logger *l = NULL;
    projection_options o = projection_options_default();
    projection_result result;
    o.tolerance = tolerance;
    o.until = until;
    assert_int_equal(plan_load(FORESEE_SOURCE_DIR "/examples/table_setting/default.yaml",
                               FORESEE_SOURCE_DIR "/plans", &none, &p, &list),
                     OK);
    assert_int_equal(world_load(plan_world(p), NULL, plan_settings(p), &w, &list), OK);
    assert_int_equal(robot_load(plan_robot(p), NULL, plan_settings(p), &r, &list), OK);
    episode_info info = {.plan = plan_name(p), .seed = 1, .step = o.step, .cycle = o.cycle};
    if (log_create(path, &(log_options){.durable = false}, &l, &err) != OK ||
        log_begin_episode(l, &info, &err) != OK ||
        projection_run(p, w, r, log_sink(l), &o, &result, &err) != OK ||
        log_finish(l, result.end, "incomplete", result.complete, &err) != OK)
        fail_msg("%s", err.text);
    log_close(l);
    robot_destroy(r);
    world_destroy(w);
    plan_destroy(p);
    errors_finish(&list);
}

typedef struct opened {
    store *store;
    const store_episode *episode;
    tracks *tracks;
} opened;

static opened open_log(const char *path) {
    opened o;
    error err = {0};
    if (store_open(path, &o.store, &err) != OK ||
        store_choose(o.store, 0, &o.episode, &err) != OK ||
        tracks_create(store_db(o.store), o.episode->id, &o.tracks, &err) != OK)
        fail_msg("%s", err.text);
    return o;
}

static void close_log(opened *o) {
    tracks_destroy(o->tracks);
    store_close(o->store);
}

static int64_t rows(const opened *o, const char *table) {
    char sql[100];
    sqlite3_stmt *q = NULL;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    assert_int_equal(sqlite3_prepare_v2(store_db(o->store), sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    int64_t n = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return n;
}

typedef struct worst {
    double position, angle, speed, rate;
} worst;

static quat turn_between(quat a, quat b) {
    return quat_mul(b, quat_inverse(a));
}

// The largest shares of the promise that object `id` takes; false where it has no pose.
static bool compare(const opened *truth, const opened *read, int64_t id, worst *out) {
    static pose a[WINDOW + 1], b[WINDOW + 1]; // rings
    nanos step = truth->episode->step, end = truth->episode->end;
    double window = seconds(WINDOW * step);
    *out = (worst){0};
    for (nanos t = 0; t <= end; t += step) {
        size_t now = (size_t)(t / step) % (WINDOW + 1), then = (now + 1) % (WINDOW + 1);
        if (tracks_pose(truth->tracks, id, t, &a[now], NULL) != OK)
            return false;
        assert_int_equal(tracks_pose(read->tracks, id, t, &b[now], NULL), OK);
        out->position = fmax(out->position, v3_distance(a[now].p, b[now].p) / POSITION);
        out->angle = fmax(out->angle, quat_angle(a[now].q, b[now].q) / ANGLE);
        if (t < WINDOW * step)
            continue;
        vec3 way = v3_sub(a[now].p, a[then].p), way_read = v3_sub(b[now].p, b[then].p);
        out->speed = fmax(out->speed, v3_distance(way, way_read) / window / SPEED);
        quat turn = turn_between(a[then].q, a[now].q),
             turn_read = turn_between(b[then].q, b[now].q);
        out->rate = fmax(out->rate, quat_angle(turn, turn_read) / window / RATE);
    }
    return true;
}

static void every_pose_and_speed_of_a_projection_keeps_the_promise(void **state) {
    char *exact = testlib_path(*state, "exact.db"), *usual = testlib_path(*state, "usual.db");
    nanos until = 45 * NANOS_PER_SECOND; // it drives, looks, grasps, carries and puts down
    project(exact, 0, until);
    project(usual, 1, until);
    opened truth = open_log(exact), read = open_log(usual);
    assert_true(truth.episode->end == until && read.episode->end == until);
    sqlite3_stmt *q = NULL;
    assert_int_equal(sqlite3_prepare_v2(store_db(truth.store),
                                        "SELECT id, name FROM object ORDER BY id", -1, &q, NULL),
                     SQLITE_OK);
    worst all = {0};
    size_t compared = 0;
    while (sqlite3_step(q) == SQLITE_ROW) {
        worst w;
        if (!compare(&truth, &read, sqlite3_column_int64(q, 0), &w))
            continue;
        compared++;
        if (w.position > 1 + ROUNDING || w.angle > 1 + ROUNDING || w.speed > 1 + ROUNDING ||
            w.rate > 1 + ROUNDING)
            fail_msg(
                "%s: of the promise, position %.3f, orientation %.3f, speed %.3f, turning %.3f",
                (const char *)sqlite3_column_text(q, 1), w.position, w.angle, w.speed, w.rate);
        all.position = fmax(all.position, w.position);
        all.angle = fmax(all.angle, w.angle);
        all.speed = fmax(all.speed, w.speed);
        all.rate = fmax(all.rate, w.rate);
    }
    sqlite3_finalize(q);
    int64_t pose_rows = rows(&read, "pose"), joint_rows = rows(&read, "joint_state");
    print_message(
        "%zu objects; at worst %.2f of the position, %.2f of the orientation, %.2f of the speed, "
        "%.2f of the turning; %lld pose and %lld joint rows, exact %lld and %lld\n",
        compared, all.position, all.angle, all.speed, all.rate, (long long)pose_rows,
        (long long)joint_rows, (long long)rows(&truth, "pose"),
        (long long)rows(&truth, "joint_state"));
    assert_true(compared > 60);
    // what may be left out is left out, too
    assert_true(all.position > 0.3 && all.angle > 0.3);
    assert_true(pose_rows * 10 < rows(&truth, "pose") &&
                joint_rows * 10 < rows(&truth, "joint_state"));
    close_log(&truth);
    close_log(&read);
    free(exact);
    free(usual);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_pose_and_speed_of_a_projection_keeps_the_promise,
                                        make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

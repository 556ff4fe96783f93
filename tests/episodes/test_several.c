// tests/episodes/test_several.c - two robots in one world: each runs a plan of its own, with its
// own senses and belief, and the log says whose everything is.
#include "tests/testlib.h"

#include "logger/log.h"
#include "projector/projection.h"
#include "schema/motion/tracks.h"
#include "schema/store/store.h"

static const char *const NAMES[2] = {"ann", "bob"};
static const char *const GOALS[2] = {"at(2.0, 3.4, 90)", "at(2.6, 1.0, 0)"};
static const pose STARTS[2] = {{{2.0, 2.6, 0}, {0.70710678118654757, 0, 0, 0.70710678118654757}},
                               {{2.0, 1.0, 0}, {1, 0, 0, 0}}};

typedef struct stage {
    char *folder, *log;
    plan *plans[2];
    world_model *world;
    robot_model *robot;
    store *store;
} stage;

static void load_plan(stage *s, int i) {
    char text[400], name[20];
    errors list = {0};
    settings none = {0};
    snprintf(name, sizeof name, "%s.yaml", NAMES[i]);
    snprintf(text, sizeof text,
             "plan: %s\nbody:\n  - navigate: { to: \"%s\" }\n  - look_at: { at: table_1 }\n"
             "  - detect: { frames: 6 }\n",
             NAMES[i], GOALS[i]);
    char *path = testlib_write(s->folder, name, text);
    if (plan_load(path, FORESEE_SOURCE_DIR "/plans", &none, &s->plans[i], &list) != OK)
        fail_msg("%s", list.items[0].text);
    errors_finish(&list);
    free(path);
}

// `first` is the number of the robot that comes first.
static void project(stage *s, int first) {
    error err = {0};
    logger *l = NULL;
    projection_options o = projection_options_default();
    projection_result result;
    projection_member members[2];
    for (int k = 0; k < 2; k++) {
        int i = k == 0 ? first : 1 - first;
        members[k] = (projection_member){
            {.name = NAMES[i], .robot = s->robot, .at = STARTS[i]}, s->plans[i], NULL};
    }
    projection_inputs in = {members, 2, s->world};
    o.until = 60 * NANOS_PER_SECOND;
    episode_info info = {.plan = "two", .seed = 1, .step = o.step, .cycle = o.cycle};
    if (log_create(s->log, &(log_options){.durable = false}, &l, &err) != OK ||
        log_begin_episode(l, &info, &err) != OK ||
        projection_run_several(&in, log_sink(l), &o, &result, &err) != OK ||
        log_finish(l, result.end, "unjudged", false, &err) != OK)
        fail_msg("%s", err.text);
    log_close(l);
    assert_true(result.top_ended && result.top_done && result.complete);
    assert_int_equal(store_open(s->log, &s->store, &err), OK);
}

static void stage_open(stage *s) {
    errors list = {0};
    *s = (stage){.folder = testlib_folder()};
    s->log = testlib_path(s->folder, "two.db");
    load_plan(s, 0);
    load_plan(s, 1);
    assert_int_equal(world_load(FORESEE_SOURCE_DIR "/examples/worlds/kitchen.yaml", NULL, NULL,
                                &s->world, &list),
                     OK);
    assert_int_equal(robot_load(FORESEE_SOURCE_DIR "/examples/robots/two_arms.yaml", NULL, NULL,
                                &s->robot, &list),
                     OK);
    errors_finish(&list);
}

static void stage_close(stage *s) {
    store_close(s->store);
    plan_destroy(s->plans[0]);
    plan_destroy(s->plans[1]);
    robot_destroy(s->robot);
    world_destroy(s->world);
    testlib_remove(s->folder);
    free(s->log);
}

static double number_of(const stage *s, const char *sql, const char *name) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(store_db(s->store), sql, -1, &q, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(store_db(s->store)));
    if (sqlite3_bind_parameter_count(q) > 0)
        sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step(q) != SQLITE_ROW)
        fail_msg("no row for %s: %s", name, sql);
    double x = sqlite3_column_double(q, 0);
    sqlite3_finalize(q);
    return x;
}

#define OF_AGENT " WHERE agent = (SELECT id FROM agent WHERE name = ?1)"

static void each_drives_where_its_plan_says_and_reads_and_believes_for_itself(void **state) {
    (void)state;
    static const double ends[2][2] = {{2.0, 3.4}, {2.6, 1.0}};
    stage s;
    stage_open(&s);
    project(&s, 0);
    const store_episode *episode = NULL;
    tracks *t = NULL;
    error err = {0};
    assert_int_equal(store_choose(s.store, 0, &episode, &err), OK);
    assert_int_equal(tracks_create(store_db(s.store), episode->id, &t, &err), OK);
    nanos ends_at = episode->end;
    assert_true(number_of(&s, "SELECT count(*) FROM agent", NULL) == 2);
    assert_true(number_of(&s, "SELECT count(*) FROM object WHERE name LIKE 'robot%'", NULL) == 0);
    for (int i = 0; i < 2; i++) {
        const char *name = NAMES[i];
        char hand[40];
        snprintf(hand, sizeof hand, "%s_left_gripper", name);
        assert_true(number_of(&s, "SELECT count(*) FROM object WHERE name = ?1", hand) == 1);
        assert_true(number_of(&s, "SELECT count(*) FROM task" OF_AGENT, name) > 3);
        assert_true(number_of(&s, "SELECT count(DISTINCT kind) FROM reading" OF_AGENT, name) >= 4);
        assert_true(number_of(&s, "SELECT count(*) FROM believed_frame" OF_AGENT, name) > 5);
        char base[40];
        snprintf(base, sizeof base, "%s_base", name);
        pose at = POSE_IDENTITY;
        int64_t id = (int64_t)number_of(&s, "SELECT id FROM object WHERE name = ?1", base);
        assert_int_equal(tracks_pose(t, id, ends_at, &at, NULL), OK);
        if (!(hypot(at.p.x - ends[i][0], at.p.y - ends[i][1]) < 0.1))
            fail_msg("%s ends at (%g, %g)", name, at.p.x, at.p.y);
    }
    tracks_destroy(t);
    stage_close(&s);
}

// Robots of the same kind that stand still read the same joints, but for their noise.
static void equal_robots_draw_noise_of_their_own(void **state) {
    (void)state;
    stage s;
    stage_open(&s);
    project(&s, 0);
    static const char both[] =
        "SELECT count(*) FROM reading a JOIN reading b ON a.taken_ns = b.taken_ns AND a.kind = "
        "b.kind AND a.agent < b.agent WHERE word(a.kind) = 'encoders' AND a.taken_ns < 1000000000";
    char same[400];
    snprintf(same, sizeof same, "%s AND a.value = b.value", both);
    assert_true(number_of(&s, both, NULL) > 0);
    assert_true(number_of(&s, same, NULL) == 0);
    stage_close(&s);
}

// Everything that the log has of a robot, in words and numbers that do not depend on who else is
// there.
static const char *const LAYERS[] = {
    "SELECT group_concat(line, char(10)) FROM (SELECT kind || ' ' || taken_ns || ' ' || "
    "coalesce(delivered_ns, taken_ns) || ' ' || value AS line FROM reading" OF_AGENT
    " ORDER BY taken_ns, kind, id)",
    "SELECT group_concat(line, char(10)) FROM (SELECT b.name || ' ' || f.parent || ' ' || f.t "
    "|| ' ' || f.x || ' ' || f.y || ' ' || f.z || ' ' || f.qw || ' ' || f.sigma_x || ' ' || "
    "f.source AS line FROM believed_frame f JOIN believed b ON b.id = f.believed WHERE f.agent = "
    "(SELECT id FROM agent WHERE name = ?1) ORDER BY f.t, f.believed, f.nth)",
    "SELECT group_concat(line, char(10)) FROM (SELECT path || ' ' || start_ns || ' ' || "
    "end_ns || ' ' || status AS line FROM task" OF_AGENT " ORDER BY id)",
};
enum { LAYER_COUNT = sizeof LAYERS / sizeof *LAYERS, PLACES_MAX = 1200 };

static char *text_of(const stage *s, const char *sql, const char *name) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(store_db(s->store), sql, -1, &q, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(store_db(s->store)));
    sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    const char *text = (const char *)sqlite3_column_text(q, 0);
    if (!text)
        fail_msg("nothing of %s: %s", name, sql);
    char *copy = strdup(text);
    sqlite3_finalize(q);
    return copy;
}

// Gives where the base of a robot truly is at instants 50 ms apart, until the episode ends; returns
// their number.
static size_t places_of(const stage *s, const char *name, pose *places) {
    const store_episode *episode = NULL;
    tracks *t = NULL;
    char base[40];
    size_t count = 0;
    snprintf(base, sizeof base, "%s_base", name);
    int64_t id = (int64_t)number_of(s, "SELECT id FROM object WHERE name = ?1", base);
    assert_int_equal(store_choose(s->store, 0, &episode, NULL), OK);
    assert_int_equal(tracks_create(store_db(s->store), episode->id, &t, NULL), OK);
    for (nanos at = 0; at <= episode->end && count < PLACES_MAX; at += 50000000)
        assert_int_equal(tracks_pose(t, id, at, &places[count++], NULL), OK);
    tracks_destroy(t);
    return count;
}

// The robots never meet: both do, read and believe the same where the other one comes first. Which
// instants become keyframes hangs on the last bits of the simulation; where they are does not.
static void who_comes_first_changes_numbers_of_rows_alone(void **state) {
    (void)state;
    static pose places[2][2][PLACES_MAX];
    size_t counts[2][2];
    char *first[2][LAYER_COUNT];
    for (int turn = 0; turn < 2; turn++) {
        stage s;
        stage_open(&s);
        project(&s, turn);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < LAYER_COUNT; k++) {
                char *text = text_of(&s, LAYERS[k], NAMES[i]);
                if (turn == 0) {
                    first[i][k] = text;
                    continue;
                }
                if (strcmp(first[i][k], text) != 0)
                    fail_msg("%s of layer %d is otherwise where bob comes first", NAMES[i], k);
                free(first[i][k]);
                free(text);
            }
        for (int i = 0; i < 2; i++)
            counts[turn][i] = places_of(&s, NAMES[i], places[turn][i]);
        stage_close(&s);
    }
    for (int i = 0; i < 2; i++) {
        assert_true(counts[0][i] > 50 && counts[0][i] == counts[1][i]);
        for (size_t k = 0; k < counts[0][i]; k++) {
            const pose *a = &places[0][i][k], *b = &places[1][i][k];
            // each within the tolerance of its keyframes
            if (v3_distance(a->p, b->p) > 2e-4 || quat_angle(a->q, b->q) > 4e-3)
                fail_msg("%s is elsewhere after %zu * 50 ms where bob comes first", NAMES[i], k);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_drives_where_its_plan_says_and_reads_and_believes_for_itself),
        cmocka_unit_test(equal_robots_draw_noise_of_their_own),
        cmocka_unit_test(who_comes_first_changes_numbers_of_rows_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

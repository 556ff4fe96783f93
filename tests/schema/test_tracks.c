// tests/schema/test_tracks.c - poses and joints decoded from keyframes.
#include "tests/schema/dblib.h"
#include <math.h>
#include <time.h>
#include "base/math/rng.h"
#include "schema/motion/tracks.h"

#define SECOND INT64_C(1000000000)

typedef struct fixture {
    sqlite3 *db;
    tracks *tracks;
} fixture;

// Two episodes, so that rows of the first must not be seen in the second: objects 101.. belong
// to 2.
static const char scene[] =
    "INSERT INTO episode VALUES (1, 'p', 'w', 'r', 1, '0', 2000000, 20000000, 0, 'failed', 1, 0),"
    " (2, 'p', 'w', 'r', 2, '0', 2000000, 20000000, 0, 'failed', 1, 0);"
    "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'),"
    " (101, 2, 'cup', 'body'), (102, 2, 'base', 'base'), (103, 2, 'shoulder', 'joint'), (104, 2, "
    "'arm', 'link'),"
    " (105, 2, 'slide', 'joint'), (106, 2, 'hand', 'link'), (107, 2, 'camera', 'camera'), (110, 2, "
    "'lost', 'body');"
    "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz) VALUES"
    " (1, 1, 1, 0, 9, 9, 9, 1, 0, 0, 0),"
    " (2, 2, 101, 1000000000, 1, 0, 0, 1, 0, 0, 0),"
    " (3, 2, 101, 3000000000, 3, 4, 0, 0.70710678118654757, 0, 0, 0.70710678118654757),"
    " (4, 2, 102, 0, 0, 0, 0, 1, 0, 0, 0),"
    " (5, 2, 102, 2000000000, 2, 0, 0, 1, 0, 0, 0),"
    " (6, 2, 101, 5000000000, 3, 4, 1, 0.70710678118654757, 0, 0, 0.70710678118654757);"
    "INSERT INTO metric_joint_state (id, episode, joint, t_ns, position) VALUES (1, 2, 103, 0, 0),"
    " (2, 2, 103, 1000000000, 1.5707963267948966), (3, 2, 105, 500000000, 0.1), (4, 2, 105, "
    "1500000000, 0.3);"
    "INSERT INTO linkage (id, episode, object, parent, joint, joint_kind, x, y, z, qw, qx, qy, qz, "
    "axis_x, axis_y,"
    " axis_z) VALUES"
    " (1, 2, 104, 102, 103, 'revolute', 0, 0, 1, 1, 0, 0, 0, 0, 0, 1),"
    " (2, 2, 106, 104, 105, 'prismatic', 1, 0, 0, 1, 0, 0, 0, 1, 0, 0),"
    " (3, 2, 107, 106, NULL, 'fixed', 0, 0, 0.5, 1, 0, 0, 0, NULL, NULL, NULL);";

static int open_scene(void **state) {
    fixture *f = calloc(1, sizeof *f);
    char *sql = NULL;
    assert_non_null(f);
    assert_int_equal(schema_sql(&sql, NULL), OK);
    assert_int_equal(sqlite3_open(":memory:", &f->db), SQLITE_OK);
    db_run(f->db, sql);
    db_run(f->db, scene);
    free(sql);
    assert_int_equal(tracks_create(f->db, 2, &f->tracks, NULL), OK);
    *state = f;
    return 0;
}

static int close_scene(void **state) {
    fixture *f = *state;
    tracks_destroy(f->tracks);
    assert_int_equal(sqlite3_close(f->db), SQLITE_OK); // nothing was left open in it
    free(f);
    return 0;
}

static pose at(fixture *f, int64_t object, nanos t) {
    pose p = {{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
    assert_int_equal(tracks_pose(f->tracks, object, t, &p, NULL), OK);
    return p;
}

static pose between(pose a, pose b, double u) {
    return (pose){v3_add(a.p, v3_scale(v3_sub(b.p, a.p), u)), quat_slerp(a.q, b.q, u)};
}

static void check_place(pose p, double x, double y, double z) {
    assert_true(v3_distance(p.p, v3(x, y, z)) < 1e-12);
}

static void a_pose_is_straight_and_slerp_between_its_keys(void **state) {
    fixture *f = *state;
    check_place(at(f, 101, 2 * SECOND), 2, 2, 0);
    assert_true(fabs(quat_yaw(at(f, 101, 2 * SECOND).q) - PI / 4) < 1e-12);
    check_place(at(f, 101, SECOND + SECOND / 2), 1.5, 1, 0);
    assert_true(fabs(quat_yaw(at(f, 101, SECOND + SECOND / 2).q) - PI / 8) < 1e-12);
    check_place(at(f, 101, 4 * SECOND), 3, 4, 0.5);
}

static void before_the_first_key_the_first_holds_and_after_the_last_it_rests(void **state) {
    fixture *f = *state;
    check_place(at(f, 101, -5), 1, 0, 0);
    check_place(at(f, 101, 0), 1, 0, 0);
    check_place(at(f, 101, 5 * SECOND), 3, 4, 1);
    check_place(at(f, 101, 500 * SECOND), 3, 4, 1);
    check_place(at(f, 101, INT64_MAX), 3, 4, 1);
    check_place(at(f, 101, INT64_MIN), 1, 0, 0);
}

static void a_key_is_given_to_the_last_digit(void **state) {
    fixture *f = *state;
    pose p = at(f, 101, 3 * SECOND);
    assert_true(p.p.x == 3 && p.p.y == 4 && fabs(p.q.w - sqrt(0.5)) < 1e-15 && p.q.x == 0);
}

static void links_follow_their_joints_and_ancestors(void **state) {
    fixture *f = *state;
    check_place(at(f, 106, 0), 1.1, 0, 1);
    check_place(at(f, 107, 0), 1.1, 0, 1.5);
    // the base at 1, the shoulder turned by a quarter, the slide out by 0.2
    check_place(at(f, 104, SECOND), 1, 0, 1); // to six decimals
    check_place(at(f, 106, SECOND), 1 + 1.2 * cos(1.570796), 1.2 * sin(1.570796), 1);
    check_place(at(f, 107, 100 * SECOND), 2 + 1.3 * cos(1.570796), 1.3 * sin(1.570796), 1.5);
    assert_true(fabs(quat_yaw(at(f, 107, SECOND).q) - PI / 2) < 1e-6);
}

static void what_floats_moves_in_the_frame_of_its_parent(void **state) {
    fixture *f = *state;
    int64_t parent;
    const nanos *times;
    size_t count;
    pose offset;
    db_run(f->db,
           "INSERT INTO object (id, episode, name, kind) VALUES (120, 2, 'palm', 'palm'),"
           " (121, 2, 'finger', 'finger');"
           "INSERT INTO linkage (id, episode, object, parent, joint_kind, x, qw) VALUES"
           " (20, 2, 120, 106, 'floating', 0, 1), (21, 2, 121, 120, 'floating', 0, 1);"
           "INSERT INTO relative_pose (object, t, x, y, z, qw, qx, qy, qz) VALUES"
           " (120, 0, 500000, 0, 0, 1000000, 0, 0, 0), (121, 0, 0, 10000, 0, 1000000, 0, 0, 0),"
           " (121, 100000, 0, 30000, 0, 1000000, 0, 0, 0);");
    tracks_destroy(f->tracks);
    assert_int_equal(tracks_create(f->db, 2, &f->tracks, NULL), OK);
    check_place(at(f, 120, 0), 1.6, 0, 1);
    check_place(at(f, 121, 0), 1.6, 0.01, 1);
    check_place(at(f, 121, SECOND), 1 + 1.7 * cos(1.570796) - 0.03 * sin(1.570796),
                1.7 * sin(1.570796) + 0.03 * cos(1.570796), 1);
    assert_int_equal(tracks_pose_alone(f->tracks, 121, SECOND / 2, &offset, NULL), OK);
    assert_true(v3_distance(offset.p, at(f, 121, SECOND / 2).p) < 1e-12);
    assert_true(tracks_is_carried(f->tracks, 121, &parent) && parent == 120);
    assert_false(tracks_is_carried(f->tracks, 106, &parent)); // a joint is between
    assert_false(tracks_is_carried(f->tracks, 101, &parent)); // it has no linkage
    assert_int_equal(tracks_offset(f->tracks, 121, SECOND / 2, &offset, NULL), OK);
    check_place(offset, 0, 0.02, 0);
    assert_int_equal(tracks_offset_knots(f->tracks, 121, &times, &count, NULL), OK);
    assert_true(count == 2 && times[0] == 0 && times[1] == SECOND);
    assert_int_equal(tracks_knots(f->tracks, 121, &times, &count, NULL), OK);
    assert_int_equal(count, 5); // its own, those of the palm, of both joints and of the base
}

static void joints_are_straight_between_their_keys(void **state) {
    fixture *f = *state;
    double x = 0;
    assert_int_equal(tracks_joint(f->tracks, 105, SECOND, &x, NULL), OK);
    assert_true(fabs(x - 0.2) < 1e-15);
    assert_int_equal(tracks_joint(f->tracks, 105, 0, &x, NULL), OK);
    assert_true(x == 0.1);
    assert_int_equal(tracks_joint(f->tracks, 105, 9 * SECOND, &x, NULL), OK);
    assert_true(x == 0.3);
    assert_int_equal(tracks_joint(f->tracks, 107, 9 * SECOND, &x, NULL), OK);
    assert_true(x == 0);
}

static void check_knots(fixture *f, int64_t object, size_t want, const nanos *instants) {
    const nanos *times = NULL;
    size_t count = 0;
    assert_int_equal(tracks_knots(f->tracks, object, &times, &count, NULL), OK);
    assert_int_equal(count, want);
    for (size_t i = 0; i < want; i++)
        assert_int_equal(times[i], instants[i]);
}

static void the_way_of_a_joint_between_its_keys_is_a_parabola(void **state) {
    fixture *f = *state;
    const nanos *times;
    size_t count;
    double q, a, b;
    db_run(f->db, "UPDATE joint_state SET bow = 20000 WHERE joint = 105 AND t = 150000");
    tracks_destroy(f->tracks);
    assert_int_equal(tracks_create(f->db, 2, &f->tracks, NULL), OK);
    for (int i = 0; i <= 8; i++) { // from 0.1 to 0.3, off by 0.02 half way
        nanos t = SECOND / 2 + i * SECOND / 8;
        double u = i / 8.0;
        pose p;
        assert_int_equal(tracks_joint(f->tracks, 105, t, &q, NULL), OK);
        assert_true(fabs(q - (0.1 + 0.2 * u + 0.08 * u * (1 - u))) < 1e-12);
        assert_int_equal(tracks_pose_alone(f->tracks, 106, t, &p, NULL), OK);
        assert_true(v3_distance(p.p, at(f, 106, t).p) < 1e-12);
    }
    // between two knots it is straight, and there are not more of them than that takes
    assert_int_equal(tracks_knots(f->tracks, 105, &times, &count, NULL), OK);
    assert_true(count >= 20 && count <= 22 && times[0] == SECOND / 2);
    assert_true(times[count - 1] == SECOND + SECOND / 2);
    for (size_t i = 1; i < count; i++) {
        assert_int_equal(tracks_joint(f->tracks, 105, times[i - 1], &a, NULL), OK);
        assert_int_equal(tracks_joint(f->tracks, 105, times[i], &b, NULL), OK);
        assert_int_equal(tracks_joint(f->tracks, 105, (times[i - 1] + times[i]) / 2, &q, NULL), OK);
        assert_true(times[i] > times[i - 1] && fabs(q - (a + b) / 2) <= 5.01e-5);
    }
}

static void the_way_of_a_body_between_its_keys_may_bow(void **state) {
    fixture *f = *state;
    const nanos *times;
    size_t count;
    db_run(f->db, "UPDATE pose SET bow_y = 10000, bow_turn_z = 100000 WHERE object = 102 AND"
                  " t = 200000");
    tracks_destroy(f->tracks);
    assert_int_equal(tracks_create(f->db, 2, &f->tracks, NULL), OK);
    for (int i = 0; i <= 8; i++) { // along x by 2 in 2 s
        double u = i / 8.0, bent = 4 * u * (1 - u);
        nanos t = i * SECOND / 4;
        pose p = at(f, 102, t), alone;
        check_place(p, 2 * u, 0.01 * bent, 0);
        assert_true(fabs(quat_yaw(p.q) - 0.1 * bent) < 1e-12);
        assert_int_equal(tracks_pose_alone(f->tracks, 102, t, &alone, NULL), OK);
        assert_true(v3_distance(p.p, alone.p) < 1e-12 && quat_angle(p.q, alone.q) < 1e-7);
    }
    assert_int_equal(tracks_knots(f->tracks, 102, &times, &count, NULL), OK);
    assert_in_range(count, 15, 17); // 0.1 rad within 5e-4, 10 mm within 0.05
    for (size_t i = 1; i < count; i++) {
        pose m = between(at(f, 102, times[i - 1]), at(f, 102, times[i]), 0.5),
             p = at(f, 102, (times[i - 1] + times[i]) / 2);
        assert_true(v3_distance(m.p, p.p) <= 5.01e-5 && quat_angle(m.q, p.q) <= 5.01e-4);
    }
}

// However far a log says that a way bows, and however close its keys are.
static void knots_are_not_closer_than_a_millisecond(void **state) {
    fixture *f = *state;
    const nanos *times;
    size_t count;
    db_run(f->db,
           "DELETE FROM joint_state; INSERT INTO joint_state (joint, t, position, bow) VALUES"
           " (105, 0, 0, 0), (105, 1, 0, 1000000000), (105, 99, 0, 1000000000),"
           " (105, 649, 0, 1000000000), (105, 1000649, 0, 1000000000)");
    tracks_destroy(f->tracks);
    assert_int_equal(tracks_create(f->db, 2, &f->tracks, NULL), OK);
    assert_int_equal(tracks_knots_between(f->tracks, 105, 0, 6490000, &times, &count, NULL), OK);
    assert_int_equal(count, 8); // of 5.5 ms there are 5 pieces
    assert_true(times[0] == 0 && times[1] == 10000 && times[2] == 990000 && times[7] == 6490000);
    for (size_t i = 3; i < count; i++)
        assert_true(times[i] - times[i - 1] >= 1000000);
    assert_int_equal(tracks_knots(f->tracks, 105, &times, &count, NULL), OK);
    assert_int_equal(count, 1008); // of 10 s a thousand
}

static void knots_are_those_of_the_whole_chain(void **state) {
    fixture *f = *state;
    check_knots(f, 101, 3, (nanos[]){SECOND, 3 * SECOND, 5 * SECOND});
    check_knots(f, 104, 3, (nanos[]){0, SECOND, 2 * SECOND});
    check_knots(f, 107, 5, (nanos[]){0, SECOND / 2, SECOND, 3 * SECOND / 2, 2 * SECOND});
    check_knots(f, 105, 2, (nanos[]){SECOND / 2, 3 * SECOND / 2});
    check_knots(f, 110, 0, NULL);
}

static void knots_of_a_span_are_those_of_the_whole_within_it(void **state) {
    fixture *f = *state;
    const nanos *times = NULL;
    size_t count = 0;
    assert_int_equal(
        tracks_knots_between(f->tracks, 107, SECOND / 2, 3 * SECOND / 2, &times, &count, NULL), OK);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(times[i], SECOND / 2 * (nanos)(i + 1));
    assert_int_equal(
        tracks_knots_between(f->tracks, 107, SECOND + 1, 3 * SECOND / 2 - 1, &times, &count, NULL),
        OK);
    assert_int_equal(count, 0);
}

static void a_chain_with_a_joint_is_told_from_one_without(void **state) {
    fixture *f = *state;
    assert_true(tracks_is_jointed(f->tracks, 104));
    assert_true(tracks_is_jointed(f->tracks, 107)); // by its parent's joint
    assert_false(tracks_is_jointed(f->tracks, 102));
    assert_false(tracks_is_jointed(f->tracks, 4242));
}

static unsigned drawn; // of draw()
// Returns a draw from [-1, 1], the same in every run.
static double draw(void) {
    drawn = drawn * 1664525u + 1013904223u;
    return (double)(drawn >> 8) / (1 << 23) - 1;
}

// A base that drives and turns, four joints and a palm that shakes at their end, all with keys at
// instants of their own; units of the log.
static void put_restless_chain(sqlite3 *db) {
    char sql[300];
    db_run(
        db,
        "INSERT INTO object (id, episode, name, kind) VALUES (200, 2, 'b', 'base'),"
        " (201, 2, 'j1', 'joint'), (202, 2, 'j2', 'joint'), (203, 2, 'j3', 'joint'),"
        " (204, 2, 'j4', 'joint'), (211, 2, 'l1', 'link'), (212, 2, 'l2', 'link'),"
        " (213, 2, 'l3', 'link'), (214, 2, 'l4', 'link'), (215, 2, 'palm', 'palm');"
        "INSERT INTO linkage (id, episode, object, parent, joint, joint_kind, x, y, z, qw, qx, qy,"
        " qz, axis_x, axis_y, axis_z) VALUES"
        " (211, 2, 211, 200, 201, 'revolute', 0.1, 0.2, 0.5, 1, 0, 0, 0, 0, 0, 1),"
        " (212, 2, 212, 211, 202, 'revolute', 0.4, 0, 0, 0.8, 0.6, 0, 0, 0, 1, 0),"
        " (213, 2, 213, 212, 203, 'prismatic', 0.3, 0, 0.1, 1, 0, 0, 0, 1, 0, 0),"
        " (214, 2, 214, 213, 204, 'revolute', 0.2, 0.1, 0, 1, 0, 0, 0, 0.6, 0.8, 0),"
        " (215, 2, 215, 214, NULL, 'floating', 0.1, 0, 0, 1, 0, 0, 0, NULL, NULL, NULL);");
    for (int body = 0; body < 2; body++) {
        double x = 0, y = 0, yaw = 0;
        nanos t = 0;
        for (int i = 0; i < 60; i++, t += 500 + (nanos)(400 * draw())) {
            x += 0.02 * draw();
            y += 0.02 * draw();
            yaw += 0.1 * draw();
            snprintf(sql, sizeof sql,
                     "INSERT INTO %s (object, t, x, y, z, qw, qx, qy, qz) VALUES"
                     " (%d, %lld, %.0f, %.0f, 0, %.0f, 0, 0, %.0f);",
                     body ? "relative_pose" : "pose", body ? 215 : 200, (long long)t, x * 1e6,
                     y * 1e6, cos(yaw / 2) * 1e6, sin(yaw / 2) * 1e6);
            db_run(db, sql);
            snprintf(sql, sizeof sql,
                     "UPDATE pose SET bow_x = %.0f, bow_y = %.0f, bow_turn_z = %.0f WHERE"
                     " object = 200 AND t = %lld;",
                     5e2 * draw(), 5e2 * draw(), 2e3 * draw(), (long long)t);
            db_run(db, body ? "" : sql);
        }
    }
    for (int joint = 201; joint <= 204; joint++) {
        double q = draw();
        nanos t = 0;
        for (int i = 0; i < 80; i++, t += 400 + (nanos)(300 * draw())) {
            q += 0.05 * draw();
            snprintf(sql, sizeof sql,
                     "INSERT INTO joint_state (joint, t, position, bow) VALUES (%d, %lld, %.0f,"
                     " %.0f);",
                     joint, (long long)t, q * 1e6, 2e3 * draw());
            db_run(db, sql);
        }
    }
}

// The bounds hold wherever they are tried, and are not so wide that they say nothing.
static void a_way_strays_by_no_more_than_its_bounds(void **state) {
    fixture *f = *state;
    double widest = 0;
    put_restless_chain(f->db);
    tracks_destroy(f->tracks);
    assert_int_equal(tracks_create(f->db, 2, &f->tracks, NULL), OK);
    for (int i = 0; i < 400; i++) {
        nanos from = (nanos)(100000000 * (1 + draw())), span = (nanos)(1000000 * (1 << i % 7));
        int64_t object = i % 2 ? 215 : 212;
        tracks_way w;
        assert_int_equal(tracks_way_between(f->tracks, object, from, from + span, &w, NULL), OK);
        pose a = at(f, object, from), b = at(f, object, from + span),
             m = at(f, object, from + span / 2), c = between(a, b, 0.5);
        double away = v3_distance(m.p, c.p) + 2 * w.away + w.curve,
               turned = quat_angle(m.q, c.q) + 2 * w.turned + w.twist, most = 0;
        for (int k = 0; k <= 50; k++) {
            pose p = at(f, object, from + span * k / 50);
            c = between(a, b, (double)(span * k / 50) / (double)span);
            most = fmax(most, v3_distance(p.p, c.p));
            assert_true(v3_distance(p.p, c.p) <= away + 1e-9);
            assert_true(quat_angle(p.q, c.q) <= turned + 1e-6);
        }
        if (most > 1e-4)
            widest = fmax(widest, away / most);
    }
    assert_true(widest < 30);
}

// Keys of some minutes, close together and far apart by turns, drawn from a seed: of the base, of
// both joints, and of the cup.
static void draw_keys(sqlite3 *db, uint64_t seed) {
    static const struct {
        const char *sql;
        int64_t object;
    } tracks_of[] = {
        {"INSERT INTO metric_pose (episode, object, t_ns, x, y, z, qw) VALUES (2, ?1, ?2, ?3, 0, "
         "0, 1)",
         101},
        {"INSERT INTO metric_pose (episode, object, t_ns, x, y, z, qw) VALUES (2, ?1, ?2, 0, ?3, "
         "0, 1)",
         102},
        {"INSERT INTO metric_joint_state (episode, joint, t_ns, position) VALUES (2, ?1, ?2, ?3)",
         103},
        {"INSERT INTO metric_joint_state (episode, joint, t_ns, position) VALUES (2, ?1, ?2, ?3)",
         105}};
    db_run(db, "DELETE FROM pose; DELETE FROM joint_state; BEGIN");
    for (size_t i = 0; i < sizeof tracks_of / sizeof *tracks_of; i++) {
        rng_key key = rng_key_count(rng_key_make(seed, "keys", "object"), i);
        sqlite3_stmt *row;
        assert_int_equal(sqlite3_prepare_v2(db, tracks_of[i].sql, -1, &row, NULL), SQLITE_OK);
        nanos t = (nanos)(rng_uniform(key, 0, 0) * 9) * SECOND;
        for (uint64_t n = 0; t < 300 * SECOND; n++) {
            bool rests = rng_uniform(key, n, 1) < 0.01;
            sqlite3_bind_int64(row, 1, tracks_of[i].object);
            sqlite3_bind_int64(row, 2, t);
            sqlite3_bind_double(row, 3, rng_uniform(key, n, 2));
            assert_int_equal(sqlite3_step(row), SQLITE_DONE);
            sqlite3_reset(row);
            t += 10000 * (1 + (nanos)(rng_uniform(key, n, 3) * (rests ? 3e6 : 2e4)));
        }
        sqlite3_finalize(row);
    }
    // bows that follow from what was drawn, of 2 mm and 5 mrad at most
    db_run(db, "UPDATE pose SET bow_x = x % 2001 - 1000, bow_y = (x + y) % 1999 - 1000,"
               " bow_z = t % 997, bow_turn_x = x % 5003 - 2500, bow_turn_z = (y + t) % 4999 - 2500;"
               "UPDATE joint_state SET bow = position % 4001 - 2000; COMMIT");
}

static void keys_that_are_read_in_parts_tell_what_all_of_them_do(void **state) {
    fixture *f = *state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rng_key key = rng_key_make(seed, "asks", "instant");
        const nanos *times, *few;
        size_t count, some;
        tracks *parts = NULL, *alone = NULL;
        draw_keys(f->db, seed);
        tracks_destroy(f->tracks);
        assert_int_equal(tracks_create(f->db, 2, &f->tracks, NULL), OK);
        assert_int_equal(tracks_create(f->db, 2, &parts, NULL), OK);
        assert_int_equal(tracks_create(f->db, 2, &alone, NULL), OK);
        // these are all read at once
        assert_int_equal(tracks_knots(f->tracks, 107, &times, &count, NULL), OK);
        assert_int_equal(tracks_knots(f->tracks, 101, &times, &count, NULL), OK);
        for (uint64_t n = 0; n < 60; n++) {
            nanos t = (nanos)(rng_uniform(key, n, 0) * 320e9) - 10 * SECOND,
                  to = t + (nanos)(rng_uniform(key, n, 1) * rng_uniform(key, n, 2) * 20e9);
            int64_t object = rng_uniform(key, n, 3) < 0.3 ? 101 : 107;
            tracks_way way, same;
            pose p, whole;
            double a, b;
            if (n % 3 == 0) {
                assert_int_equal(tracks_way_between(parts, object, t, to, &way, NULL), OK);
                assert_int_equal(tracks_way_between(f->tracks, object, t, to, &same, NULL), OK);
                assert_memory_equal(&way, &same, sizeof way);
            }
            if (n % 3 == 1) {
                assert_int_equal(tracks_knots_between(parts, object, t, to, &few, &some, NULL), OK);
                assert_int_equal(
                    tracks_knots_between(f->tracks, object, t, to, &times, &count, NULL), OK);
                assert_int_equal(some, count);
                assert_true(count == 0 || memcmp(few, times, count * sizeof *few) == 0);
            }
            whole = at(f, object, t);
            assert_int_equal(tracks_pose(parts, object, t, &p, NULL), OK);
            assert_memory_equal(&p, &whole, sizeof p);
            assert_int_equal(tracks_pose_alone(alone, object, t, &p, NULL), OK);
            assert_memory_equal(&p, &whole, sizeof p);
            assert_int_equal(tracks_joint(parts, 103, to, &a, NULL), OK);
            assert_int_equal(tracks_joint(f->tracks, 103, to, &b, NULL), OK);
            assert_true(a == b);
        }
        tracks_destroy(parts);
        tracks_destroy(alone);
    }
}

// A question about all times before or after some instant reads no keys on its other side.
static void a_damaged_row_matters_only_where_it_is_asked_for(void **state) {
    fixture *f = *state;
    const nanos *times;
    size_t count;
    pose p;
    db_run(f->db, "INSERT INTO pose (object, t, x, qw) VALUES (101, 30000000, 0, 1000000),"
                  " (101, 40000000, 'far', 1000000), (101, 48000000, 0, 1000000),"
                  " (101, 50000000, 0, 1000000)");
    assert_int_equal(tracks_pose(f->tracks, 101, INT64_MAX, &p, NULL), OK);
    check_place(p, 0, 0, 0);
    assert_int_equal(tracks_pose(f->tracks, 101, INT64_MIN, &p, NULL), OK);
    check_place(p, 1, 0, 0);
    assert_int_equal(
        tracks_knots_between(f->tracks, 101, 500 * SECOND, INT64_MAX, &times, &count, NULL), OK);
    assert_true(count == 1 && times[0] == 500 * SECOND);
    assert_int_equal(tracks_pose(f->tracks, 101, 350 * SECOND, &p, NULL), E_INPUT);
}

static void what_has_no_pose_is_refused(void **state) {
    fixture *f = *state;
    pose p;
    double x;
    error err = {0};
    assert_int_equal(tracks_pose(f->tracks, 110, 0, &p, &err), E_INPUT);
    assert_non_null(strstr(err.text, "object 110 has no pose"));
    assert_int_equal(tracks_pose(f->tracks, 103, 0, &p, &err), E_INPUT);
    assert_int_equal(tracks_pose(f->tracks, 1, 0, &p, &err), E_INPUT); // of the other episode
    assert_non_null(strstr(err.text, "no object 1"));
    assert_int_equal(tracks_pose(f->tracks, 108, 0, &p, &err), E_INPUT);
    assert_int_equal(tracks_joint(f->tracks, 999, 0, &x, &err), E_INPUT);
    assert_int_equal(tracks_pose(f->tracks, INT64_MIN, 0, &p, &err), E_INPUT);
    assert_int_equal(tracks_pose(f->tracks, INT64_MAX, 0, &p, &err), E_INPUT);
}

static void any_order_of_instants_gives_the_same_poses(void **state) {
    fixture *f = *state;
    tracks *other = NULL;
    static const int64_t objects[] = {101, 102, 104, 106, 107};
    assert_int_equal(tracks_create(f->db, 2, &other, NULL), OK);
    for (int i = 0; i < 2000; i++) {
        nanos t = (i * INT64_C(7919)) % 6000 * 1000000;
        int64_t object = objects[(i * 31) % 5];
        pose p, fresh = at(f, object, t);
        // in between, the other is asked elsewhere
        assert_int_equal(tracks_pose(other, objects[i % 5], (i % 6) * SECOND, &p, NULL), OK);
        assert_int_equal(tracks_pose(other, object, t, &p, NULL), OK);
        assert_memory_equal(&p, &fresh, sizeof p);
    }
    tracks_destroy(other);
}

// A file that has room for many rows lets instants be looked up one by one: the first hundred of
// each object are, later ones are not.
static void an_instant_that_stands_alone_has_the_same_pose(void **state) {
    fixture *f = *state;
    tracks *alone = NULL, *whole = NULL;
    pose p, q;
    static const int64_t objects[] = {101, 102, 104, 106, 107, 110};
    // the size of the file stands for many keys
    db_run(f->db,
           "CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(400000));"
           "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz) VALUES"
           " (3001, 2, 101, 3000000000, 7, 4, 0, 1, 0, 0, 0),"
           " (3002, 2, 102, 2000000000, 5, 1, 0, 1, 0, 0, 0);");
    assert_int_equal(tracks_create(f->db, 2, &alone, NULL), OK);
    assert_int_equal(tracks_create(f->db, 2, &whole, NULL), OK);
    assert_int_equal(tracks_pose_alone(alone, 101, 3 * SECOND, &p, NULL), OK);
    assert_true(p.p.x == 7); // of two keys at one instant the later one was kept
    for (int i = 0; i < 2000; i++) {
        nanos t = (i * INT64_C(7919)) % 6500 * 1000000 - SECOND / 2;
        int64_t object = objects[(i * 31) % 6];
        status want = tracks_pose(whole, object, t, &q, NULL);
        assert_int_equal(tracks_pose_alone(alone, object, t, &p, NULL), want);
        assert_int_equal(tracks_has_none(alone), tracks_has_none(whole));
        assert_int_equal(want, object == 110 ? E_INPUT : OK);
        if (want == OK)
            assert_memory_equal(&p, &q, sizeof p);
    }
    tracks_destroy(alone);
    tracks_destroy(whole);
}

static void linkages_in_a_circle_are_refused(void **state) {
    fixture *f = *state;
    tracks *t = NULL;
    error err = {0};
    db_run(f->db, "INSERT INTO linkage (id, episode, object, parent) VALUES (9, 2, 102, 106)");
    assert_int_equal(tracks_create(f->db, 2, &t, &err), E_INPUT);
    assert_non_null(strstr(err.text, "circle"));
    db_run(f->db, "UPDATE linkage SET parent = 102 WHERE id = 9");
    assert_int_equal(tracks_create(f->db, 2, &t, &err), E_INPUT);
    db_run(f->db, "UPDATE linkage SET parent = 4711 WHERE id = 9");
    assert_int_equal(tracks_create(f->db, 2, &t, &err), E_INPUT);
    assert_null(t);
}

// 20 bodies with 2,500 keys each, and 20 links in two chains on one of them.
static void sampling_is_quick(void **state) {
    fixture *f = *state;
    sqlite3_stmt *q = NULL;
    db_run(
        f->db,
        "BEGIN; DELETE FROM pose; DELETE FROM linkage; DELETE FROM joint_state;"
        "WITH RECURSIVE n(i) AS (VALUES (201) UNION ALL SELECT i + 1 FROM n WHERE i < 260)"
        " INSERT INTO object (id, episode, name) SELECT i, 2, 'o' || i FROM n;"
        "WITH RECURSIVE n(i) AS (VALUES (221) UNION ALL SELECT i + 1 FROM n WHERE i < 240)"
        " INSERT INTO linkage (episode, object, parent, joint, joint_kind, x, y, z, qw, qx, qy, qz,"
        " axis_x, axis_y, axis_z)"
        " SELECT 2, i, CASE i WHEN 221 THEN 201 WHEN 231 THEN 201 ELSE i - 1 END, i + 20, "
        "'revolute',"
        " 0.1, 0, 0, 1, 0, 0, 0, 0, 0, 1 FROM n");
    assert_int_equal(sqlite3_prepare_v2(
                         f->db,
                         "INSERT INTO metric_pose (episode, object, t_ns, x, y, z, qw, qx, qy, qz)"
                         " VALUES (2, ?1, ?2, ?3, 0, 0, cos(?3), 0, 0, sin(?3))",
                         -1, &q, NULL),
                     SQLITE_OK);
    for (int i = 0; i < 50000; i++) {
        sqlite3_bind_int64(q, 1, 201 + i % 20);
        sqlite3_bind_int64(q, 2, i / 20 * INT64_C(40000000));
        sqlite3_bind_double(q, 3, i * 0.001);
        assert_int_equal(sqlite3_step(q), SQLITE_DONE);
        sqlite3_reset(q);
    }
    sqlite3_finalize(q);
    db_run(f->db, "INSERT INTO metric_joint_state (episode, joint, t_ns, position)"
                  " SELECT 2, object + 40, t * 10000, x / 1e6 FROM pose; COMMIT");
    tracks *t = NULL;
    assert_int_equal(tracks_create(f->db, 2, &t, NULL), OK);
    struct timespec from, to;
    double sum = 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (nanos instant = 0; instant < 100 * SECOND; instant += 20000000) {
        for (int i = 0; i < 40; i++) {
            pose p;
            assert_int_equal(tracks_pose(t, 201 + i, instant, &p, NULL), OK);
            sum += p.p.x;
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double took = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
    print_message("100 s at 20 ms for 40 objects, loading 100,000 keys: %.1f ms (%g)\n", took * 1e3,
                  sum);
    assert_true(took < 2); // sanitizers and loaded machines included
    tracks_destroy(t);
}

#define WITH_SCENE(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_SCENE(a_pose_is_straight_and_slerp_between_its_keys),
        WITH_SCENE(before_the_first_key_the_first_holds_and_after_the_last_it_rests),
        WITH_SCENE(a_key_is_given_to_the_last_digit),
        WITH_SCENE(links_follow_their_joints_and_ancestors),
        WITH_SCENE(what_floats_moves_in_the_frame_of_its_parent),
        WITH_SCENE(joints_are_straight_between_their_keys),
        WITH_SCENE(the_way_of_a_joint_between_its_keys_is_a_parabola),
        WITH_SCENE(the_way_of_a_body_between_its_keys_may_bow),
        WITH_SCENE(knots_are_not_closer_than_a_millisecond),
        WITH_SCENE(knots_are_those_of_the_whole_chain),
        WITH_SCENE(knots_of_a_span_are_those_of_the_whole_within_it),
        WITH_SCENE(a_chain_with_a_joint_is_told_from_one_without),
        WITH_SCENE(a_way_strays_by_no_more_than_its_bounds),
        WITH_SCENE(keys_that_are_read_in_parts_tell_what_all_of_them_do),
        WITH_SCENE(a_damaged_row_matters_only_where_it_is_asked_for),
        WITH_SCENE(what_has_no_pose_is_refused),
        WITH_SCENE(any_order_of_instants_gives_the_same_poses),
        WITH_SCENE(an_instant_that_stands_alone_has_the_same_pose),
        WITH_SCENE(linkages_in_a_circle_are_refused),
        WITH_SCENE(sampling_is_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

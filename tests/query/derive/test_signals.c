// tests/query/derive/test_signals.c - signals and poses, on logs whose motions are known in closed
// form.
#include <math.h>
#include <stdio.h>
#include "base/math/geom.h"
#include "tests/query/querylib.h"

// A cup slides 1 m along x from 1 s to 2 s; a ball falls 0.5 m in 0.5 s from 3 s; a plate tips 90
// degrees about x between 4 s and 5 s. A tray (half the cup's speed) leaves at the same time.
static const char WORLD[] =
    "INSERT INTO object (id, episode, name, kind, type, fixed, mass, up_z, com_z) VALUES"
    " (1, 1, 'floor', 'body', 'floor', 1, 0, 1, 0), (2, 1, 'table', 'body', 'table', 1, 0, 1, 0),"
    " (3, 1, 'cup', 'body', 'cup', 0, 0.5, 1, 0.05), (4, 1, 'ball', 'body', 'ball', 0, 1, 1, 0),"
    " (5, 1, 'plate', 'body', 'plate', 0, 0.4, 1, 0), (6, 1, 'tray', 'body', 'tray', 0, 2, 1, 0);"
    "INSERT INTO shape (id, episode, object, role, kind, x, y, z, qw, size_x, size_y, size_z) "
    "VALUES"
    " (1, 1, 1, 'collision', 'plane', 0, 0, 0, 1, 0, 0, 0), (2, 1, 2, 'collision', 'box', 0, 0, "
    "0.35, 1, 2, 1, 0.7),"
    " (3, 1, 3, 'collision', 'cylinder', 0, 0, 0.05, 1, 0.04, 0, 0.1), (4, 1, 4, 'collision', "
    "'sphere', 0, 0, 0, 1, 0.1, 0, 0),"
    " (5, 1, 5, 'collision', 'cylinder', 0, 0, 0, 1, 0.1, 0, 0.02), (6, 1, 6, 'collision', 'box', "
    "0, 0, 0, 1, 0.4, 0.4, 0.02),"
    " (7, 1, 3, 'interior', 'cylinder', 0, 0, 0.055, 1, 0.036, 0, 0.09);"
    "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz) VALUES"
    " (1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0), (2, 1, 2, 0, 0, 0, 0, 1, 0, 0, 0),"
    " (3, 1, 3, 0, 0, 0, 0.7, 1, 0, 0, 0), (4, 1, 3, 1000000000, 0, 0, 0.7, 1, 0, 0, 0),"
    " (5, 1, 3, 2000000000, 1, 0, 0.7, 1, 0, 0, 0), (6, 1, 3, 3000000000, 1, 0, 0.7, 1, 0, 0, 0),"
    " (7, 1, 4, 3000000000, 0, 3, 1, 1, 0, 0, 0), (8, 1, 4, 3500000000, 0, 3, 0.5, 1, 0, 0, 0),"
    " (9, 1, 5, 4000000000, 0, 0, 2, 1, 0, 0, 0), (10, 1, 5, 5000000000, 0, 0, 2, "
    "0.70710678118654752, 0.70710678118654752, 0, 0),"
    " (11, 1, 6, 1000000000, 0, 0.3, 0.71, 1, 0, 0, 0), (12, 1, 6, 2000000000, 0.5, 0.3, 0.71, 1, "
    "0, 0, 0);";

static double number(asked *a, const char *query) {
    const char *got = asked_for(a, query);
    char *end;
    double x = strtod(got, &end);
    if (end == got || *end)
        fail_msg("%s: %s", query, got);
    return x;
}

#define near_to(a, query, expected, by)                                                            \
    do {                                                                                           \
        double got_ = number(a, query);                                                            \
        if (!(fabs(got_ - (expected)) <= (by)))                                                    \
            fail_msg("%s:%d: %s: %.9g, expected %.9g", __FILE__, __LINE__, query, got_,            \
                     (double)(expected));                                                          \
    } while (0)

static void poses_give_positions_and_speeds(void **state) {
    (void)state;
    asked *a = asked_open(10, WORLD);
    near_to(a, "value(x(cup), 1.5, V)", 0.5, 1e-9);
    near_to(a, "value(speed(cup), 1.5, V)", 1, 1e-9);
    near_to(a, "value(speed(cup), 1, V)", 0.5, 1e-9);
    near_to(a, "value(speed(cup), 0.9, V)", 0, 1e-9);
    near_to(a, "value(vz(ball), 3.2, V)", -1, 1e-9);
    near_to(a, "value(vx(cup), 1.5, V)", 1, 1e-9);
    near_to(a, "value(angular_speed(plate), 4.5, V)", PI / 2, 1e-4);
    near_to(a, "value(tilt(plate), 4.5, V)", PI / 4, 1e-4);
    near_to(a, "value(tilt(plate), end, V)", PI / 2, 1e-6);
    near_to(a, "value(distance(cup, tray), 0, V)", hypot(0.3, 0.01), 1e-9);
    near_to(a, "value(horizontal_distance(cup, tray), 2, V)", hypot(0.3, 0.5), 1e-9);
    near_to(a, "value(relative_speed(tray, cup), 1.5, V)", 0.5, 1e-9);
    near_to(a, "value(x(cup) - x(tray) * 2, 1.7, V)", 0, 1e-9);
    near_to(a, "value(max(speed(cup), speed(tray)) + abs(-1), 1.5, V)", 2, 1e-9);
    near_to(a, "value(travel(cup, 1.2), 1.5, V)", 0.3, 1e-9);
    near_to(a, "value(drift(cup, tray, 1.2), 1.8, V)", 0.3, 1e-9);
    near_to(a, "value(drift_rate(cup, tray), 1.5, V)", 0.05, 1e-9);
    near_to(a, "value(turn(plate, 4), 4.25, V)", PI / 8, 1e-4);
    expect(a, "value(speed(nobody), 1, V)", "");
    expect(a, "value(speed(cup), -1, V)", "");
    asked_close(a);
}

static void start_and_end_are_instants_wherever_poses_and_signals_need_one(void **state) {
    (void)state;
    asked *a = asked_open(10, WORLD);
    asked_load(a, "apart(A, B, T, D) :- pose(A, T, P), pose(B, T, Q), pose_distance(P, Q, D).\n"
                  "far(A, B, T) :- apart(A, B, T, D), D > 0.4.\n"
                  "at_last(A, B, D) :- apart(A, B, end, D).\n"
                  "seen(A, W, P) :- pose(A, W, P). seen(A, W, named) :- name(A, W).\n"
                  "name(cup, end). name(tray, 3).\n");
    near_to(a, "apart(cup, tray, end, D)", hypot(hypot(0.3, 0.5), 0.01), 1e-9);
    near_to(a, "apart(cup, tray, start, D)", hypot(0.3, 0.01), 1e-9);
    near_to(a, "at_last(cup, tray, D)", hypot(hypot(0.3, 0.5), 0.01), 1e-9);
    near_to(a, "D = max { V : apart(cup, tray, end, V) }", hypot(hypot(0.3, 0.5), 0.01), 1e-9);
    expect(a, "far(cup, tray, end)", "yes");
    expect(a, "far(cup, tray, start)", "no");
    expect(a, "not far(cup, tray, end)", "no");
    expect(a, "not far(cup, tray, start)", "yes");
    // A rule for which it may be anything keeps it a symbol.
    expect(a, "seen(cup, end, W)", "named");
    expect(a, "seen(tray, end, W)", "");
    near_to(a, "value(travel(cup, start), end, V)", 1, 1e-9);
    near_to(a, "value(travel(cup, end), 0, V)", 1, 1e-9);
    near_to(a, "value(abs(0.25 - travel(cup, start)), end, V)", 0.75, 1e-9);
    expect(a, "O = cup, value(travel(O, start), end, V)", "cup 1.0");
    near_to(a, "value(drift(cup, tray, start), end, V)", 0.5, 1e-9);
    asked_close(a);
}

// A box that appears at 2 s, is moved, and is taken away at 5 s; a mesh; a door and a drop.
static void what_is_not_there_has_no_pose(void **state) {
    (void)state;
    asked *a = asked_open(
        10,
        "INSERT INTO object (id, episode, name, kind, type, mass, up_z) VALUES"
        " (1, 1, 'box', 'body', 'box', 1, 1), (2, 1, 'rock', 'body', 'rock', 1, 1),"
        " (3, 1, 'hinge', 'joint', NULL, NULL, 1), (4, 1, 'drop', 'particle', 'water', 0.001, 1);"
        "INSERT INTO shape (id, episode, object, role, kind, x, y, z, qw, size_x, size_y, size_z,"
        " mesh) VALUES (1, 1, 2, 'collision', 'mesh', 0, 0, 0, 1, 0.2, 0.4, 0.6, 'rock.obj');"
        "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz) VALUES"
        " (1, 1, 1, 2000000000, 1, 0, 0, 1, 0, 0, 0), (2, 1, 1, 4000000000, 2, 0, 0, 1, 0, 0, 0),"
        " (3, 1, 2, 0, 0, 0, 1, 1, 0, 0, 0);"
        "INSERT INTO responsibility (id, episode, object, attribute, model, start_ns, end_ns) "
        "VALUES"
        " (1, 1, 1, 'pose', 'ode', 2000000000, 5000000000), (2, 1, 2, 'pose', 'ode', 0, NULL);"
        "INSERT INTO articulation (id, episode, joint, body, base, kind, lower, upper) VALUES"
        " (1, 1, 3, 1, NULL, 'hinge', 0, 1.5);"
        "INSERT INTO property (id, episode, object, key, value) VALUES"
        " (1, 1, 4, 'poured_into', 'rock');"
        "INSERT INTO metric_joint_state (id, episode, joint, t_ns, position) VALUES"
        " (1, 1, 3, 0, 0), (2, 1, 3, 2000000000, 1);");
    expect(a, "value(x(box), 1, V)", "");
    expect(a, "value(x(box), 6, V)", "");
    near_to(a, "value(x(box), 2, V)", 1, 1e-9);
    near_to(a, "value(x(box), 4.9, V)", 2, 1e-9);
    expect(a, "value(distance(box, rock), 1.5, V)", "");
    expect(a, "above(x(box), 0.5, S, E)", "2.0 5.0");
    expect(a, "maximum(x(box), 0, 10, V)", "2.0");
    expect(a, "present(box, S, E)", "2.0 5.0");
    near_to(a, "value(top(rock), 1, V)", 1.3, 1e-9);
    expect(a, "articulation(hinge, O, B, K)", "box none hinge");
    expect(a, "particle_of(drop, C)", "rock");
    near_to(a, "value(joint(hinge), 1, V)", 0.5, 1e-9);
    asked_close(a);
}

static void shapes_give_extents(void **state) {
    (void)state;
    asked *a = asked_open(10, WORLD);
    near_to(a, "value(height(cup), 0, V)", 0.7, 1e-9);
    near_to(a, "value(top(cup), 0, V)", 0.8, 1e-9);
    near_to(a, "value(top(table), 0, V)", 0.7, 1e-9);
    near_to(a, "value(top(floor), 0, V)", 0, 1e-9);
    near_to(a, "value(height(plate), 0, V)", 1.99, 1e-9);
    near_to(a, "value(height(plate), 5, V)", 1.9, 1e-6);
    near_to(a, "value(height(plate), 4.5, V)", 2 - 0.11 / sqrt(2), 1e-4);
    near_to(a, "value(height(ball), 4, V)", 0.4, 1e-9);
    near_to(a, "value(vertical_gap(cup, table), 0, V)", 0, 1e-9);
    near_to(a, "value(footprint_gap(cup, tray), 0, V)", 0.3 - 0.2 - 0.04, 1e-4);
    near_to(a, "value(footprint_gap(ball, table), 0, V)", 3 - 0.5 - 0.1, 1e-4);
    near_to(a, "value(footprint_gap(ball, cup), 3, V)", hypot(3, 1) - 0.14, 1e-4);
    near_to(a, "value(footprint_gap(cup, table), 0, V)", -(0.5 + 0.04), 1e-3);
    expect(a, "footprints_overlap(cup, table, 0)", "yes");
    expect(a, "footprints_overlap(cup, tray, 0)", "no");
    expect(a, "footprints_overlap(cup, floor, 0)", "yes");
    expect(a, "footprint_contains(table, 0.99, 0.49, 0), not footprint_contains(table, 1.01, 0, 0)",
           "yes");
    asked_close(a);
}

static void thresholds_give_maximal_intervals(void **state) {
    (void)state;
    asked *a = asked_open(10, WORLD);
    // The speed climbs from 0.95 s to 1.05 s; ends are dated back to where it left the other side
    // of Off.
    expect(a, "above(speed(cup), 0.5, 0.25, 0, 0, S, E)", "0.976 2.026");
    expect(a, "above(speed(cup), 0.5, 0.25, 2, 0, S, E)", "");
    expect(a, "above(speed(cup), 1.5, 0.25, 0, 0, S, E)", "");
    expect(a, "above(z(ball), 0.75, S, E)", "0.0 3.252");
    expect(a, "below(z(ball), 0.75, S, E), censored(E)", "3.25 10.000000001");
    expect(a, "first_above(x(cup), 0.5, 0, end, T)", "1.5");
    expect(a, "first_above(x(cup), 0.5, 1.7, end, T)", "1.7");
    expect(a, "first_above(x(cup), 0.5, 0, 1.5, T)", "");
    expect(a, "first_above(x(cup), 0.5, 0, 1.502, T)", "1.5");
    expect(a, "first_below(z(ball), 0.6, 0, end, T)", "3.4");
    near_to(a, "maximum(speed(cup), 0, end, V)", 1, 1e-9);
    near_to(a, "minimum(z(ball), 0, 3.25, V)", 0.75, 1e-6);
    near_to(a, "mean(x(cup), 1, 2, V)", 0.5, 1e-6);
    near_to(a, "mean(x(cup), 0, 4, V)", 2.5 / 4, 1e-6);
    expect(a, "maximum_at(x(cup), 0, end, V, T)", "1.0 2.0");
    assert_non_null(
        strstr(asked_for(a, "above(speed(cup), 0.2, 0.5, 0, 0, S, E)"), "above needs On >= Off"));
    // The same from the samples of the whole episode as from those of a window.
    expect(a, "above(x(cup), 0.5, S, E)", "1.5 10.000000001");
    expect(a, "first_above(x(cup), 0.25, 1.1, 3, T)", "1.25");
    asked_close(a);
}

static void gaps_are_joined_before_short_runs_are_dropped(void **state) {
    (void)state;
    // A joint that is up for 0.4 s, down for 0.1 s, up for 0.4 s; and later up for 0.05 s.
    asked *a = asked_open(
        10,
        "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'j', 'joint');"
        "INSERT INTO metric_joint_state (id, episode, joint, t_ns, position) VALUES"
        " (1, 1, 1, 0, 0), (2, 1, 1, 1000000000, 0), (3, 1, 1, 1000000000 + 10000, 1), (4, 1, 1, "
        "1400000000, 1),"
        " (5, 1, 1, 1400000000 + 10000, 0), (6, 1, 1, 1500000000, 0), (7, 1, 1, 1500000000 + "
        "10000, 1),"
        " (8, 1, 1, 1900000000, 1), (9, 1, 1, 1900000000 + 10000, 0), (10, 1, 1, 5000000000, 0),"
        " (11, 1, 1, 5000000000 + 10000, 1), (12, 1, 1, 5050000000, 1), (13, 1, 1, 5050000000 + "
        "10000, 0);");
    expect(a, "above(joint(j), 0.5, S, E)", "1.00001 1.40001; 1.50001 1.90001; 5.00001 5.05001");
    expect(a, "above(joint(j), 0.5, 0.5, 0.6, 0.2, S, E)", "1.00001 1.90001");
    expect(a, "above(joint(j), 0.5, 0.5, 0.6, 0.05, S, E)", "");
    near_to(a, "value(joint(j), 1.2, V)", 1, 1e-9);
    asked_close(a);
}

// A hand turns by 1.1 degrees every 50 ms, with a cup 0.3 m from its axis. The cup slides outwards
// by 10 mm at 5 s, turns slowly in the hand from 7.5 s on, and is still again from 9 s on.
static const char CARRIED[] =
    "INSERT INTO object (id, episode, name, kind, type, fixed, mass, up_z, com_z) VALUES"
    " (1, 1, 'hand', 'body', 'hand', 0, 1, 1, 0), (2, 1, 'cup', 'body', 'cup', 0, 0.5, 1, 0);"
    "INSERT INTO object (id, episode, name, kind, fixed, half_x, half_y) VALUES"
    " (3, 1, 'spot', 'region', 1, 0.1, 0.05);"
    "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz) VALUES"
    " (NULL, 1, 3, 0, 0, 0.3, 1, 1, 0, 0, 0);"
    "CREATE TEMP TABLE way AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE "
    "i < 199)"
    " SELECT i, i * 0.02 AS angle, 0.3 + 0.01 * (i >= 100) AS far,"
    "   0.01 * max(0, min(i, 180) - 150) AS more FROM n;"
    "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz)"
    " SELECT NULL, 1, 1, i * 50000000, 0, 0, 1, cos(angle / 2), 0, 0, sin(angle / 2) FROM way;"
    "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz)"
    " SELECT NULL, 1, 2, i * 50000000, far * cos(angle), far * sin(angle), 1,"
    "   cos((angle + more) / 2), 0, 0, sin((angle + more) / 2) FROM way;";

// A quotient is sampled everywhere; of the others spans are left out in which the keys show that
// nothing is crossed.
static void check_left_out(const char *world) {
    static const char *const asks[][2] = {
        {"drift_rate(cup, hand)", "below(%s, 0.001, 0.004, 0, 0, 0.2, 9.8, S, E)"},
        {"drift_turn(cup, hand)", "above(%s, 0.015, 0.005, 0, 0, 0.2, 9.8, S, E)"},
        {"drift(hand, cup, 0.5)", "above(%s, 0.005, 0.002, 0, 0, 0.2, 9.8, S, E)"},
        {"drift(hand, cup, 0.5)", "above(%s, 0.005, S, E)"},
        {"drift(cup, hand, 0.5)", "first_above(%s, 0.005, 0.5, 9.8, T)"},
        {"drift_angle(cup, hand, 0.5)", "first_above(%s, 0.1, 0.5, 9.8, T)"},
        {"(0.31 - travel(cup, 0))", "first_below(%s, 0, 0.5, 9.8, T)"},
        {"(drift(hand, cup, 0.5) - drift_angle(cup, hand, 0.5) * 0.02)",
         "first_above(%s, 0.005, 0.5, 9.8, T)"},
        {"turn(cup, 0)", "first_above(%s, 2.5, 0, 9.8, T)"},
        {"region_margin(cup, spot)", "below(%s, 0, 0.02, 0, 0, S, E)"}};
    asked *a = asked_open(10, world);
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        char all[100], query[200], got[200];
        snprintf(query, sizeof query, asks[i][1], asks[i][0]);
        snprintf(got, sizeof got, "%s", asked_for(a, query));
        snprintf(all, sizeof all, "(%s / 1)", asks[i][0]);
        snprintf(query, sizeof query, asks[i][1], all);
        assert_true(got[0] != '\0');
        expect(a, query, got);
    }
    asked_close(a);
}

static void what_the_keys_rule_out_need_not_be_sampled(void **state) {
    (void)state;
    check_left_out(CARRIED);
}

// A box that sways over a table, at times off its edge, now fast and now slow, and touches it now
// and then; drawn from a seed.
static const char SWAYS[] =
    "INSERT INTO object (id, episode, name, kind, fixed, mass, up_z) VALUES"
    " (1, 1, 'box', 'body', 0, 1, 1), (2, 1, 'table', 'body', 1, 0, 1);"
    "INSERT INTO shape (id, episode, object, role, kind, qw, size_x, size_y, size_z) VALUES"
    " (1, 1, 1, 'collision', 'box', 1, 0.1, 0.2, 0.1), (2, 1, 2, 'collision', 'box', 1, 1, 1, 0.1);"
    "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw) VALUES (NULL, 1, 2, 0, 0, 0, "
    "0, 1);"
    "CREATE TEMP TABLE sway AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE"
    " i < 499) SELECT i, 0.5 * sin(i * (0.01 + %d * 0.004)) + 0.1 * sin(i * 0.06 + %d)"
    "   + 0.03 * sin(i * i * 0.0004) AS x, i * 0.01 * sin(i * 0.003 * %d) AS angle FROM n;"
    "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz) SELECT NULL, 1, "
    "1, i * 20000000, x, x / 3, 0.1, cos(angle / 2), 0, 0, sin(angle / 2) FROM sway;"
    "INSERT INTO contact (id, episode, a, b, start_ns, end_ns) SELECT i, 1, 2, 1, i * 20000000, "
    "(i + 30) * 20000000 FROM sway WHERE i %% (40 + 3 * %d) = 7;"
    "INSERT INTO metric_contact_force (id, episode, contact, t_ns, fx, fy, fz, nx, ny, nz) SELECT "
    "i, 1, i, i * 20000000, 1, 0, 9, 0, 0, 1 FROM sway WHERE i %% (40 + 3 * %d) = 7;";

// What is joined over gaps and dropped when it is short follows from all runs; where it is told
// from fewer samples, it is the same.
static void runs_that_last_and_gaps_are_those_of_all_samples(void **state) {
    static const struct {
        const char *signal;
        double low, high;
    } asks[] = {{"speed(box)", 0.05, 0.1},
                {"max(speed(box), angular_speed(box) / 10)", 0.15, 0.2},
                {"x(box)", 0.1, 0.2},
                {"relative_speed_normal(table, box)", 0, 0.01},
                {"sliding_speed(table, box)", 0.05, 0.1},
                {"normal_up(table, box)", 0.4, 0.5},
                {"footprint_gap(box, table)", -0.1, 0}};
    static const char *const lasts[][2] = {{"0", "0.5"},    {"1", "0"},     {"0.3", "0.25"},
                                           {"2.5", "0.1"},  {"0.05", "-1"}, {"-1", "0.25"},
                                           {"-0.5", "-0.5"}};
    static const char *const spans[] = {"", "0, 10.1, ", "1.3, 7.9, "};
    enum { LASTS = sizeof lasts / sizeof *lasts, WINDOWS = sizeof spans / sizeof *spans };
    (void)state;
    for (int seed = 1; seed <= 4; seed++) {
        char world[4000], query[400], got[2000];
        snprintf(world, sizeof world, SWAYS, seed, seed, seed, seed, seed);
        asked *a = asked_open(10, world);
        for (size_t i = 0; i < sizeof asks / sizeof *asks * 2 * LASTS * WINDOWS; i++) {
            bool below = i % 2;
            size_t k = i / 2 / LASTS / WINDOWS;
            double on = below ? asks[k].low : asks[k].high,
                   off = below ? asks[k].high : asks[k].low;
            const char *name = below ? "below" : "above", *window = spans[i / 2 / LASTS % WINDOWS],
                       *const *last = lasts[i / 2 % LASTS];
            snprintf(query, sizeof query, "%s(%s, %g, %g, %s, %s, %sS, E)", name, asks[k].signal,
                     on, off, last[0], last[1], window);
            snprintf(got, sizeof got, "%s", asked_for(a, query));
            snprintf(
                query, sizeof query,
                "_L = list { interval(A, B) : %s(%s / 1, %g, %g, 0, 0, %sA, B) }, coalesce(_L, "
                "%s, %s, S, E)",
                name, asks[k].signal, on, off, window, last[1], last[0]);
            expect(a, query, got);
        }
        asked_close(a);
    }
}

// Returns the least memory within which a query is answered, to 1 KB.
static size_t memory_for(asked *home, const char *query) {
    size_t low = 0, high = 1 << 22;
    while (high - low > 1024) {
        engine_options few = engine_options_default();
        engine *e = NULL;
        errors list = {0};
        answers *got = NULL;
        few.memory_limit = low + (high - low) / 2;
        bool ok = engine_open(home->store, 1, &few, &e, NULL) == OK &&
                  engine_query(e, "query", query, &got, &list) == OK;
        *(ok ? &high : &low) = few.memory_limit;
        answers_destroy(got);
        errors_finish(&list);
        engine_close(e);
    }
    return high;
}

// The runs of a whole episode are kept for later questions, of a window they are not.
static void where_memory_is_short_runs_are_answered_and_not_kept(void **state) {
    (void)state;
    asked *a = asked_open(
        100, "INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'j', 'joint');"
             "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999)"
             " INSERT INTO joint_state (joint, t, position) SELECT 1, i * 500, i % 2 * 1000000"
             " FROM n;");
    expect(a, "N = count { S : above(joint(j), 0.5, 0.5, 0.001, 0.001, S, _) }", "10000");
    size_t whole = memory_for(a, "above(joint(j), 0.5, 0.5, 0.001, 0.001, S, E), S < 0"),
           window = memory_for(a, "above(joint(j), 0.5, 0.5, 0.001, 0.001, 0, 101, S, E), S < 0");
    if (whole > window + 40000) // the runs take 160,000
        fail_msg("%zu bytes for the whole, %zu for a window", whole, window);
    asked_close(a);
}

// One of two is taken away while the other one sways or rests.
static void footprints_have_a_gap_as_long_as_both_are_there(void **state) {
    (void)state;
    for (int seed = 1; seed <= 4; seed++) {
        for (int gone = 1; gone <= 2; gone++) {
            char world[4000], more[4300], when[40];
            snprintf(world, sizeof world, SWAYS, seed, seed, seed, seed, seed);
            snprintf(more, sizeof more,
                     "%s INSERT INTO responsibility (id, episode, object, attribute, model,"
                     " start_ns, end_ns) VALUES (1, 1, %d, 'pose', 'ode', 0, %d000000);",
                     world, gone, 4000 + 314 * seed);
            asked *a = asked_open(10, more);
            snprintf(when, sizeof when, "0.0 %.9g", 4 + 0.314 * seed);
            expect(a, "below(footprint_gap(box, table), 5, S, E)", when);
            expect(a, "above(footprint_gap(table, box), -5, -6, 0.1, 0, S, E)", when);
            expect(a, "below(footprint_gap(box, table), 5, 6, 0, 0, 0, 10, S, E)", when);
            asked_close(a);
        }
    }
}

// The same hand at the end of an arm: two joints share its turn, and their keys lie apart.
static const char HANGING[] =
    "UPDATE object SET kind = 'link' WHERE name = 'hand';"
    "INSERT INTO object (id, episode, name, kind) VALUES (4, 1, 'base', 'base'),"
    " (5, 1, 'shoulder', 'joint'), (6, 1, 'elbow', 'joint'), (7, 1, 'arm', 'link');"
    "DELETE FROM pose WHERE object = 1;"
    "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz) VALUES"
    " (NULL, 1, 4, 0, 0, 0, 0, 1, 0, 0, 0);"
    "INSERT INTO linkage (id, episode, object, parent, joint, joint_kind, x, y, z, qw, qx, qy, qz,"
    " axis_x, axis_y, axis_z) VALUES (1, 1, 7, 4, 5, 'revolute', 0, 0, 0.4, 1, 0, 0, 0, 0, 0, 1),"
    " (2, 1, 1, 7, 6, 'revolute', 0, 0, 0.6, 1, 0, 0, 0, 0, 0, 1);"
    "INSERT INTO metric_joint_state (id, episode, joint, t_ns, position)"
    " SELECT NULL, 1, 5, i * 50000000, angle / 4 FROM way WHERE i % 2 = 0 OR i = 199;"
    "INSERT INTO metric_joint_state (id, episode, joint, t_ns, position)"
    " SELECT NULL, 1, 6, i * 50000000, angle * 3 / 4 FROM way WHERE i % 3 = 0 OR i = 199;";

static void what_a_chain_of_joints_rules_out_need_not_be_sampled(void **state) {
    (void)state;
    char world[6000];
    snprintf(world, sizeof world, "%s%s", CARRIED, HANGING);
    check_left_out(world);
}

// The hand is a gripper that holds the cup from 0.3 s to 9.3 s, and the log says where in the hand.
static const char HELD[] =
    "INSERT INTO hold (id, episode, object, gripper, start_ns, end_ns) VALUES"
    " (1, 1, 2, 1, 300000000, 9300000000);"
    "INSERT INTO hold_pose (hold, t, x, y, z, qw, qx, qy, qz)"
    " SELECT 1, i * 5000, round(far * 1e6), 0, 0, round(cos(more / 2) * 1e6), 0, 0,"
    "   round(sin(more / 2) * 1e6) FROM way"
    " WHERE i IN (6, 99, 100, 150, 180);";

static void a_hold_tells_where_a_thing_is_in_the_hand(void **state) {
    static const char *const asks[] = {
        "below(drift_rate(cup, hand), 0.001, 0.004, 0, 0, 0.2, 9.8, S, E)",
        "above(drift_turn(cup, hand), 0.015, 0.005, 0, 0, 0.2, 9.8, S, E)",
        "above(drift(hand, cup, 0.5), 0.005, 0.002, 0, 0, 0.2, 9.8, S, E)",
        "first_above(drift(cup, hand, 0.5), 0.005, 0.5, 9.8, T)",
        "first_above(drift_angle(cup, hand, 0.5), 0.1, 0.5, 9.8, T)",
        "maximum(drift(hand, cup, 1), 1, 9, V)",
        "value(drift_rate(hand, cup), 4.97, V)"};
    char world[6000];
    (void)state;
    for (int hangs = 0; hangs < 2; hangs++) {
        snprintf(world, sizeof world, "%s%s%s", CARRIED, hangs ? HANGING : "", HELD);
        check_left_out(world);
        asked *with = asked_open(10, world);
        snprintf(world, sizeof world, "%s%s", CARRIED, hangs ? HANGING : "");
        asked *without = asked_open(10, world);
        for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
            char got[200], *a = got, *b;
            snprintf(got, sizeof got, "%s", asked_for(without, asks[i]));
            assert_true(got[0] != '\0');
            for (b = (char *)asked_for(with, asks[i]); *a && *b;) {
                double x = strtod(a, &a), y = strtod(b, &b);
                if (fabs(x - y) > 0.01)
                    fail_msg("%s: %s, with the hold %s", asks[i], got, asked_for(with, asks[i]));
                a += *a != '\0';
                b += *b != '\0';
            }
            assert_true(*a == '\0' && *b == '\0');
        }
        asked_close(without);
        asked_close(with);
    }
    // Where the hold says otherwise than the poses, it counts: within it, and not beside it.
    snprintf(world, sizeof world, "%s%s UPDATE hold_pose SET x = 0, y = x WHERE t > 497000;",
             CARRIED, HELD);
    asked *a = asked_open(10, world);
    near_to(a, "value(drift(cup, hand, 0.5), 5.5, V)", hypot(0.3, 0.31), 0.002);
    near_to(a, "value(drift_angle(cup, hand, 0.5), 9, V)", 0.3, 0.001);
    near_to(a, "value(drift(cup, hand, 0.5), 9.5, V)", 0.01, 0.001);
    near_to(a, "value(drift(cup, hand, 0.1), 5.5, V)", 0.01, 0.001);
    asked_close(a);
}

static void contacts_give_forces_and_normals(void **state) {
    (void)state;
    asked *a = asked_open(10, WORLD);
    asked_close(a);
    char rows[8000];
    // The table bears the cup from 0 s to 4 s: 4.906 N, half of it from 2 s on. The cup is `b`, the
    // table `a`.
    snprintf(rows, sizeof rows,
             "%s INSERT INTO contact (id, episode, a, b, start_ns, end_ns) VALUES (1, 1, 2, 3, 0, "
             "4000000000), (2, 1, 3, 4, 6000000000, NULL);"
             "INSERT INTO metric_contact_force (id, episode, contact, t_ns, fx, fy, fz, nx, ny, "
             "nz) VALUES"
             " (1, 1, 1, 0, 0, 0, 4.906, 0, 0, 1), (2, 1, 1, 2000000000, 0, 0, 2.453, 0, 0, 1),"
             " (3, 1, 2, 6000000000, 3, 0, 4, 1, 0, 0);",
             WORLD);
    a = asked_open(10, rows);
    near_to(a, "value(force(table, cup), 1, V)", 4.906, 1e-9);
    near_to(a, "value(force(cup, table), 1, V)", -4.906, 1e-9);
    near_to(a, "value(force(table, cup), 2, V)", 0.75 * 4.906, 1e-9);
    near_to(a, "value(load(table, cup), 1, V)", 4.906 / 4.905, 1e-9);
    near_to(a, "value(load(table, cup), 3.999, V)", 2.453 / 4.905, 1e-9);
    near_to(a, "value(load(table, cup), 4, V)", 0, 1e-9);
    near_to(a, "value(normal_up(table, cup), 1, V)", 1, 1e-9);
    near_to(a, "value(normal_up(cup, table), 1, V)", -1, 1e-9);
    near_to(a, "value(normal_up(cup, table), 5, V)", 0, 1e-9);
    near_to(a, "value(force_magnitude(cup, ball), 7, V)", 5, 1e-9);
    near_to(a, "value(sliding_speed(table, cup), 1.5, V)", 1, 1e-9);
    near_to(a, "value(relative_speed_normal(table, cup), 1.5, V)", 0, 1e-9);
    near_to(a, "value(opposition(cup, table, ball), 1, V)", 1, 1e-9);
    expect(a, "above(load(table, cup), 0.9, 0.6, 0, 0, S, E)", "0.0 2.032");
    expect(a, "above(normal_up(table, cup), 0.5, S, E)", "0.0 4.0");
    expect(a, "above(force_magnitude(cup, ball), 1, S, E), censored(E)", "6.0 10.000000001");
    expect(a, "contact(I, table, cup, S, E)", "1 0.0 4.0");
    expect(a, "touches(_, cup, B, S, E)", "ball 6.0 10.000000001; table 0.0 4.0");
    expect(a, "contact_force(1, _, _, FZ, _, _, NZ, S, E)", "2.453 1.0 2.0 4.0; 4.906 1.0 0.0 2.0");
    asked_close(a);
}

static void wholes_stand_for_their_parts(void **state) {
    (void)state;
    // A gripper of two fingers (1 cm thick pads, 6 cm apart) that close on a cup; the wrist turns
    // by a joint.
    asked *a = asked_open(
        10,
        "INSERT INTO object (id, episode, name, kind, whole, mass, up_z) VALUES (1, 1, 'base', "
        "'base', NULL, 9, 1),"
        " (2, 1, 'hand', 'gripper', NULL, 0, 1), (3, 1, 'palm', 'palm', 2, 1, 1), (4, 1, 'f1', "
        "'finger', 2, 1, 1),"
        " (5, 1, 'f2', 'finger', 2, 1, 1), (6, 1, 'cup', 'body', NULL, 0.5, 1), (7, 1, 'wrist', "
        "'joint', NULL, 0, 1);"
        "INSERT INTO shape (id, episode, object, role, kind, qw, size_x, size_y, size_z) VALUES"
        " (1, 1, 4, 'collision', 'box', 1, 0.04, 0.01, 0.04), (2, 1, 5, 'collision', 'box', 1, "
        "0.04, 0.01, 0.04);"
        "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz) VALUES"
        " (1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0), (2, 1, 4, 0, 0, 0.03, 0, 1, 0, 0, 0), (3, 1, 5, 0, 0, "
        "-0.03, 0, 1, 0, 0, 0),"
        " (4, 1, 6, 0, 0, 0, 0, 1, 0, 0, 0), (5, 1, 4, 1000000000, 0, 0.03, 0, 1, 0, 0, 0),"
        " (6, 1, 4, 2000000000, 0, 0.02, 0, 1, 0, 0, 0);"
        "INSERT INTO linkage (id, episode, object, parent, joint, joint_kind, x, y, z, qw, axis_z) "
        "VALUES"
        " (1, 1, 2, 1, 7, 'revolute', 0, 0, 1, 1, 1), (2, 1, 3, 2, NULL, 'fixed', 0.5, 0, 0, 1, 0);"
        "INSERT INTO metric_joint_state (id, episode, joint, t_ns, position) VALUES (1, 1, 7, 0, "
        "0), (2, "
        "1, 7, 1000000000, 0),"
        " (3, 1, 7, 2000000000, 1.5707963267948966);"
        "INSERT INTO contact (id, episode, a, b, start_ns, end_ns) VALUES (1, 1, 4, 6, 1000000000, "
        "NULL), (2, 1, 5, 6, 2000000000, NULL);"
        "INSERT INTO metric_contact_force (id, episode, contact, t_ns, fx, fy, fz, nx, ny, nz) "
        "VALUES"
        " (1, 1, 1, 1000000000, 0, -10, 2, 0, -1, 0), (2, 1, 2, 2000000000, 0, 10, 3, 0, 1, 0);");
    near_to(a, "value(opening(hand), 0, V)", 0.05, 1e-9);
    near_to(a, "value(opening(hand), 3, V)", 0.04, 1e-9);
    near_to(a, "value(force(hand, cup), 5, V)", 5, 1e-9);
    near_to(a, "value(force(hand, cup), 1.5, V)", 2, 1e-9);
    near_to(a, "value(opposition(cup, f1, f2), 5, V)", -1, 1e-9);
    near_to(a, "value(opposition(cup, f1, f2), 1.5, V)", 1, 1e-9);
    expect(a, "below(opposition(cup, f1, f2), -0.5, -0.3, 0, 0.05, S, E), S = 2",
           "2.0 10.000000001");
    near_to(a, "value(x(palm), 0, V)", 1.5, 1e-9);
    near_to(a, "value(x(palm), 3, V)", 1, 1e-6);
    near_to(a, "value(y(palm), 3, V)", 0.5, 1e-6);
    near_to(a, "value(z(palm), 3, V)", 1, 1e-9);
    near_to(a, "value(joint_speed(wrist), 1.5, V)", 1.570796, 1e-9);
    // Half-way the palm stands at 45 degrees, on a circle of 0.5 m: samples follow the bend.
    near_to(a, "maximum(horizontal_distance(palm, base), 1, 2, V)", 0.5, 2e-4);
    near_to(a, "minimum(horizontal_distance(palm, base), 1, 2, V)", 0.5, 2e-4);
    expect(a, "first_above(y(palm), 0.35354, 0, end, T)", "1.5");
    near_to(a, "value(speed(palm), 1.5, V)", 0.5 * PI / 2, 1e-3);
    near_to(a,
            "N = count { P : relative_pose(palm, hand, 1.5, P), near(P, pose(0.5, 0, 0, 1, 0, 0, "
            "0), 1e-6, 1e-6) }",
            1, 0);
    asked_close(a);
}

static void insides_and_regions_are_measured(void **state) {
    (void)state;
    char rows[8000];
    // A spoon stands in the cup: 0.2 m long, a third of it inside; a pea lies in it whole. A region
    // on the table.
    snprintf(rows, sizeof rows,
             "%s INSERT INTO object (id, episode, name, kind, fixed, mass, up_z, whole, half_x, "
             "half_y, tolerance) VALUES"
             " (10, 1, 'spoon', 'body', 0, 0.1, 1, NULL, NULL, NULL, NULL), (11, 1, 'pea', 'body', "
             "0, 0.01, 1, NULL, NULL, NULL, NULL),"
             " (12, 1, 'spot', 'region', 0, 0, 1, 2, 0.2, 0.1, 0), (13, 1, 'mark', 'region', 0, 0, "
             "1, 2, 0.2, 0.1, 0.05);"
             "INSERT INTO shape (id, episode, object, role, kind, x, y, z, qw, size_x, size_y, "
             "size_z) VALUES"
             " (10, 1, 10, 'collision', 'box', 0, 0, 0.12, 1, 0.01, 0.01, 0.24), (11, 1, 11, "
             "'collision', 'sphere', 0, 0, 0, 1, 0.005, 0, 0);"
             "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz) VALUES"
             " (20, 1, 10, 0, 0, 0, 0.72, 1, 0, 0, 0), (21, 1, 11, 0, 0, 0, 0.72, 1, 0, 0, 0);"
             "INSERT INTO linkage (id, episode, object, parent, joint_kind, x, y, z, qw) VALUES"
             " (1, 1, 12, 2, 'fixed', 0.5, 0, 0.7, 1), (2, 1, 13, 2, 'fixed', 0.5, 0, 0.7, 1);",
             WORLD);
    asked *a = asked_open(10, rows);
    near_to(a, "value(inside(spoon, cup), 0, V)", 1.0 / 3, 0.03);
    near_to(a, "value(inside(pea, cup), 0, V)", 1, 1e-9);
    near_to(a, "value(inside(pea, cup), 3, V)", 0, 1e-9);
    near_to(a, "value(bottom_inside(spoon, cup), 0, V)", 1, 1e-9);
    near_to(a, "value(inside(pea, table), 0, V)", 0, 1e-9);
    expect(a, "below(inside(pea, cup), 0.5, S, E), S > 1, S < 1.1, X = 1",
           asked_for(a, "below(inside(pea, cup), 0.5, S, E), X = 1"));
    near_to(a, "value(region_distance(cup, spot), 0, V)", 0.5, 1e-9);
    near_to(a, "value(region_margin(cup, spot), 0, V)", 0.3, 1e-9);
    near_to(a, "value(region_margin(cup, spot), 1.5, V)", -0.1, 1e-9);
    near_to(a, "value(region_margin(cup, mark), 1.5, V)", -0.05, 1e-9);
    near_to(a, "value(region_height(cup, spot), 0, V)", 0, 1e-9);
    near_to(a, "value(region_turn(cup, spot), 0, V)", 0, 1e-9);
    expect(a, "below(region_margin(cup, spot), 0, 0.02, 0, 0, S, E)", "1.28 1.722");
    expect(a,
           "within_region(cup, spot, 1.5), not within_region(cup, spot, 0), not within_region(cup, "
           "table, 0)",
           "yes");
    expect(a, "over_region(cup, spot, 1.27), not over_region(cup, spot, 1.25)", "yes");
    expect(a, "region_size(spot, X, Y), region_tolerance(mark, T)", "0.2 0.1 0.05");
    asked_close(a);
}

static void poses_are_terms(void **state) {
    (void)state;
    asked *a = asked_open(10, WORLD);
    expect(a, "pose(cup, 1.5, P), planar(P, X, Y, Yaw)",
           "pose(0.5, 0.0, 0.7, 1.0, 0.0, 0.0, 0.0) 0.5 0.0 0.0");
    expect(a, "pose(cup, 1.5, P), pose_parts(P, X, _, Z, _, _, _, _), X < Z",
           "pose(0.5, 0.0, 0.7, 1.0, 0.0, 0.0, 0.0) 0.5 0.7");
    expect(a,
           "pose(cup, 1.5, P), near(P, pose2(0.5, 0.01, 0.1), 0.02), not near(P, pose2(0.5, 0.01, "
           "0.1), 0.02, 0.05), X = 1",
           "pose(0.5, 0.0, 0.7, 1.0, 0.0, 0.0, 0.0) 1");
    near_to(a, "pose_distance(pose2(0, 0, 0), pose(3, 4, 9, 1, 0, 0, 0), D)", 5, 1e-12);
    near_to(a, "pose_angle(pose2(0, 0, 3), pose2(0, 0, -3), D)", 2 * PI - 6, 1e-12);
    expect(
        a,
        "pose_compose(pose(1, 0, 0, 1, 0, 0, 0), pose(0, 2, 0, 1, 0, 0, 0), P), pose_inverse(P, Q)",
        "pose(1.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0) pose(-1.0, -2.0, 0.0, 1.0, 0.0, 0.0, 0.0)");
    expect(a, "pose(nobody, 1, P)", "");
    expect(a, "near(1, 2, 3)", "no");
    asked_close(a);
}

static void beliefs_are_composed_through_their_parents(void **state) {
    (void)state;
    // The robot takes itself to be 0.1 m beside where it is, from 1 s on; a cup on a believed tray;
    // one in hand.
    asked *a = asked_open(
        10, "INSERT INTO object (id, episode, name, kind, whole, up_z) VALUES (1, 1, 'robot', "
            "'robot', NULL, 1),"
            " (2, 1, 'hand', 'gripper', 1, 1), (3, 1, 'hand_palm', 'palm', 2, 1), (4, 1, 'cup', "
            "'body', NULL, 1);"
            "INSERT INTO metric_pose (id, episode, object, t_ns, x, y, z, qw, qx, qy, qz) VALUES"
            " (1, 1, 1, 0, 2, 0, 0, 1, 0, 0, 0), (2, 1, 3, 0, 2.5, 0, 1, 1, 0, 0, 0), (3, 1, 4, 0, "
            "3, 1, 0.5, 1, 0, 0, 0);"
            "INSERT INTO linkage (id, episode, object, parent, joint_kind, x, y, z, qw) VALUES (1, "
            "1, 2, 3, 'fixed', 0, 0, 0.1, 1);"
            "INSERT INTO agent (id, episode, name, object) VALUES (1, 1, 'robot', 1);"
            "INSERT INTO believed (id, episode, agent, name, object, t_ns) VALUES (1, 1, 1, "
            "'robot', 1, 0),"
            " (2, 1, 1, 'tray#1', NULL, 0), (3, 1, 1, 'cup#1', NULL, 2000000000), (4, 1, 1, "
            "'held#1', NULL, 0);"
            "INSERT INTO believed_frame (agent, believed, parent, relation, t, nth, x, y, z, qw, "
            "qx, qy, qz) VALUES"
            " (1, 1, 'map', 'at', 0, 0, 2, 0, 0, 1, 0, 0, 0), (1, 1, 'map', 'at', 100000, 0, 2, "
            "9, 0, 1, 0, 0, 0), (1, 1, 'map', 'at', 100000, 1, 2, 0.1, 0, 1, 0, 0, 0),"
            " (1, 2, 'map', 'at', 0, 0, 3, 1, 0.4, 1, 0, 0, 0), (1, 3, 'tray#1', 'on', 200000, "
            "0, 0, 0.02, 0.1, 1, 0, 0, 0),"
            " (1, 4, 'hand', 'held', 0, 0, 0, 0, 0.2, 1, 0, 0, 0);"
            "UPDATE believed_frame SET x = x * 1e6, y = y * 1e6, z = z * 1e6, qw = 1000000;");
    // also as the first question about what is believed
    expect(a, "above(believed_y(robot, robot), 0.05, S, E)", "1.0 10.000000001");
    expect(a, "believed_pose(robot, robot, 0.5, P)", "pose(2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)");
    expect(a, "believed_pose(robot, 'cup#1', 1, P)", "");
    near_to(a, "value(believed_y(robot, 'cup#1'), 3, V)", 1.02, 1e-9);
    near_to(a, "value(believed_z(robot, 'cup#1'), 3, V)", 0.5, 1e-9);
    near_to(a, "value(belief_error(robot, 'cup#1', cup), 3, V)", 0.02, 1e-9);
    near_to(a, "value(believed_x(robot, 'held#1'), 3, V)", 2.5, 1e-9);
    near_to(a, "value(believed_y(robot, 'held#1'), 3, V)", 0.1, 1e-9);
    near_to(a, "value(believed_z(robot, 'held#1'), 3, V)", 1.2, 1e-9);
    expect(a, "above(belief_error(robot, robot, robot), 0.05, S, E)", "1.0 10.000000001");
    expect(a, "above(belief_error(robot, 'cup#1', cup), 0.01, S, E)", "2.0 10.000000001");
    expect(a, "below(belief_error(robot, 'cup#1', cup), 1, S, E)", "2.0 10.000000001");
    expect(a, "believed_frame(_, robot, robot, P, R, S, E)",
           "map at 0.0 1.0; map at 1.0 1.0; map at 1.0 10.000000001");
    expect(a, "believed_placement(I, robot, N, P, R, S, E)",
           "2199023255552 tray#1 map at 0.0 10.000000001; 3298547683328 cup#1 tray#1 on 2.0 "
           "10.000000001; 4398046511104 held#1 hand held 0.0 10.000000001");
    // a row's number is its object, its instant and its place among those of that instant
    expect(a, "believed_frame_pose(1099518027777, P)", "pose(2.0, 0.1, 0.0, 1.0, 0.0, 0.0, 0.0)");
    expect(a, "believed_placement(1099518027777, _, _, _, _, _, _)", "no");
    // few instants are looked up one by one, more are not
    expect(a, "N = count { I : between(1, 249, I), believed_pose(robot, 'cup#1', I * 0.04, _) }",
           "200");
    expect(a,
           "N = count { I : between(1, 249, I), believed_pose(robot, robot, I * 0.04, P), "
           "pose_parts(P, _, Y, _, _, _, _, _), Y > 0.05 }",
           "225");
    asked_close(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_give_positions_and_speeds),
        cmocka_unit_test(start_and_end_are_instants_wherever_poses_and_signals_need_one),
        cmocka_unit_test(what_is_not_there_has_no_pose),
        cmocka_unit_test(shapes_give_extents),
        cmocka_unit_test(thresholds_give_maximal_intervals),
        cmocka_unit_test(gaps_are_joined_before_short_runs_are_dropped),
        cmocka_unit_test(what_the_keys_rule_out_need_not_be_sampled),
        cmocka_unit_test(runs_that_last_and_gaps_are_those_of_all_samples),
        cmocka_unit_test(where_memory_is_short_runs_are_answered_and_not_kept),
        cmocka_unit_test(footprints_have_a_gap_as_long_as_both_are_there),
        cmocka_unit_test(what_a_chain_of_joints_rules_out_need_not_be_sampled),
        cmocka_unit_test(a_hold_tells_where_a_thing_is_in_the_hand),
        cmocka_unit_test(contacts_give_forces_and_normals),
        cmocka_unit_test(wholes_stand_for_their_parts),
        cmocka_unit_test(insides_and_regions_are_measured),
        cmocka_unit_test(poses_are_terms),
        cmocka_unit_test(beliefs_are_composed_through_their_parents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

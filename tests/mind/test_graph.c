// tests/mind/test_graph.c - the graph of relations, observations and estimates: the figures of
// Schierl et al. 2017, late and missing data, and random edits against a reference that tries every
// cycle.
#include "tests/testlib.h"

#include <math.h>

#include "base/math/rng.h"
#include "projector/belief/graph.h"

static const nanos MS = 1000000;

static motion at(double x, double y, double yaw) {
    return (motion){.at = pose_planar(x, y, yaw)};
}

static graph_id frame_called(graph *g, const char *name) {
    graph_id found = graph_find(g, name);
    return found != GRAPH_NONE ? found : graph_add_frame(g, name);
}

static graph_id relate(graph *g, connection kind, const char *a, const char *b, const pose *pose_) {
    graph_id out = GRAPH_NONE;
    error err = {0};
    if (graph_relate(g, kind, frame_called(g, a), frame_called(g, b), pose_, &out, &err) != OK)
        fail_msg("%s", err.text);
    return out;
}

static graph_id observe(graph *g, const char *a, const char *b) {
    return graph_observe(g, "sensor", frame_called(g, a), frame_called(g, b));
}

static void put(graph *g, graph_id observation, nanos t, motion m) {
    assert_true(graph_measure(g, observation, t, &m, false));
}

// ---- The figures of the paper -------------------------------------------------------------------
// Figure 4: a base that is tracked from outside and sees a baton.
typedef struct scene {
    graph *g;
    graph_id start, drive, baton, odometry, tracking, laser;
} scene;

static scene figure_4(estimator kind) {
    scene s = {.g = graph_create(kind, 100000 * MS)};
    pose tracker = pose_planar(2, 0, PI / 2), marker = {{0.1, 0, 0.4}, {1, 0, 0, 0}};
    pose sensor = {{0.2, 0, 0.1}, {1, 0, 0, 0}};
    relate(s.g, CONNECTION_STATIC, "origin", "tracker", &tracker);
    s.start = relate(s.g, CONNECTION_PLACEMENT, "origin", "start", NULL);
    s.drive = relate(s.g, CONNECTION_DYNAMIC, "start", "robot", NULL);
    relate(s.g, CONNECTION_STATIC, "robot", "marker", &marker);
    relate(s.g, CONNECTION_STATIC, "robot", "sensor", &sensor);
    relate(s.g, CONNECTION_DYNAMIC, "robot", "gripper", &(pose){{0.5, 0, 0.5}, {1, 0, 0, 0}});
    s.baton = relate(s.g, CONNECTION_PLACEMENT, "origin", "baton", NULL);
    return s;
}

static void expect_cycles(graph *g, size_t count, const char *const *cycles) {
    const estimate *made;
    assert_int_equal(graph_estimates(g, &made), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(graph_cycle(g, i), cycles[i]);
}

static void all_sensors_give_the_three_estimates_of_figure_6(void **state) {
    (void)state;
    scene s = figure_4(ESTIMATOR_SNAPSHOT);
    observe(s.g, "start", "robot");
    observe(s.g, "tracker", "marker");
    observe(s.g, "sensor", "baton");
    expect_cycles(s.g, 3,
                  (const char *[]){"start ~ robot", "tracker = origin ~ start = robot = marker",
                                   "sensor = robot = start = origin ~ baton"});
    graph_destroy(s.g);
}

static void a_view_from_outside_has_the_shortcut_of_figure_7(void **state) {
    (void)state;
    scene s = figure_4(ESTIMATOR_SNAPSHOT);
    graph_id seen = observe(s.g, "tracker", "marker");
    expect_cycles(s.g, 1, (const char *[]){"tracker = origin ~ start ~ robot = marker"});
    const estimate *made;
    graph_estimates(s.g, &made);
    assert_true(made->from == graph_find(s.g, "origin") && made->to == graph_find(s.g, "robot"));
    assert_true(made->run_count == 2 && made->run[0] == s.start && made->run[1] == s.drive);
    assert_false(made->constant);
    // Figure 9(a): an observation of a part of the run brings the estimates closer to the
    // structure; 9(b): without it the shortcut is back.
    graph_id odometry = observe(s.g, "start", "robot");
    expect_cycles(s.g, 2,
                  (const char *[]){"start ~ robot", "tracker = origin ~ start = robot = marker"});
    graph_ignore(s.g, odometry);
    expect_cycles(s.g, 1, (const char *[]){"tracker = origin ~ start ~ robot = marker"});
    graph_ignore(s.g, seen);
    expect_cycles(s.g, 0, NULL);
    graph_destroy(s.g);
}

static void after_a_grasp_the_same_observation_estimates_the_place_in_the_gripper(void **state) {
    (void)state;
    scene s = figure_4(ESTIMATOR_SNAPSHOT);
    put(s.g, observe(s.g, "start", "robot"), 0, at(1, 0, 0));
    put(s.g, observe(s.g, "tracker", "marker"), 0, at(0, 0, 0));
    put(s.g, observe(s.g, "sensor", "baton"), 0, at(0.5, 0, 0));
    graph_part(s.g, s.baton);
    relate(s.g, CONNECTION_PLACEMENT, "gripper", "baton", NULL);
    expect_cycles(s.g, 3,
                  (const char *[]){"start ~ robot", "tracker = origin ~ start = robot = marker",
                                   "sensor = robot = gripper ~ baton"});
    motion held;
    assert_true(graph_pose(s.g, graph_find(s.g, "gripper"), graph_find(s.g, "baton"), 0, &held));
    assert_true(v3_distance(held.at.p, v3(0.2, 0, -0.4)) < 1e-9); // 0.2 + 0.5 - 0.5; 0.1 - 0.5
    graph_destroy(s.g);
}

// ---- Values -------------------------------------------------------------------------------------
static void a_value_closes_the_cycle(void **state) {
    (void)state;
    scene s = figure_4(ESTIMATOR_SNAPSHOT);
    put(s.g, observe(s.g, "start", "robot"), 0, at(1, 0, PI / 2));
    put(s.g, observe(s.g, "tracker", "marker"), 0, at(1, 0, 0));
    motion start, robot;
    graph_id origin = graph_find(s.g, "origin");
    // The marker is seen at (2, 1) with its nose along y, 0.1 m before the robot.
    assert_true(graph_pose(s.g, origin, graph_find(s.g, "robot"), 0, &robot));
    assert_true(v3_distance(robot.at.p, v3(2, 0.9, -0.4)) < 1e-9);
    assert_true(fabs(quat_yaw(robot.at.q) - PI / 2) < 1e-9);
    assert_true(graph_pose(s.g, origin, graph_find(s.g, "start"), 0, &start));
    assert_true(v3_distance(start.at.p, v3(1, 0.9, -0.4)) < 1e-9);
    graph_destroy(s.g);
}

// Drives with 0.5 m/s for 2 s, seen by a tracker every 100 ms and `late`, and returns by how far
// the start was taken to have moved.
static double start_moves(estimator kind, nanos late) {
    graph *g = graph_create(kind, 100000 * MS);
    relate(g, CONNECTION_PLACEMENT, "origin", "start", NULL);
    relate(g, CONNECTION_DYNAMIC, "start", "robot", NULL);
    graph_id odometry = observe(g, "start", "robot"), tracking = observe(g, "origin", "robot");
    double most = 0;
    for (nanos t = 0; t <= 2000 * MS; t += 20 * MS) {
        put(g, odometry, t, at(0.5 * seconds(t), 0, 0));
        if (t >= late && (t - late) % (100 * MS) == 0)
            put(g, tracking, t - late, at(3 + 0.5 * seconds(t - late), 0, 0));
        motion start;
        if (graph_pose(g, graph_find(g, "origin"), graph_find(g, "start"), t, &start))
            most = fmax(most, fabs(start.at.p.x - 3));
    }
    graph_destroy(g);
    return most;
}

static void a_late_tracker_leaves_the_start_where_it_is(void **state) {
    (void)state;
    assert_true(start_moves(ESTIMATOR_SNAPSHOT, 200 * MS) < 1e-9);
    // The simple estimator mixes data of two instants: 0.2 s at 0.5 m/s, and up to 0.1 s more.
    double latest = start_moves(ESTIMATOR_LATEST, 200 * MS);
    assert_true(latest >= 0.1 - 1e-9 && latest <= 0.15);
}

static void a_view_of_its_own_brakes_where_a_view_from_outside_drives_on(void **state) {
    (void)state;
    double off[2] = {0};
    for (int own = 0; own < 2; own++) {
        graph *g = graph_create(ESTIMATOR_SNAPSHOT, 100000 * MS);
        relate(g, CONNECTION_PLACEMENT, "origin", "start", NULL);
        relate(g, CONNECTION_DYNAMIC, "start", "robot", NULL);
        graph_id tracking = observe(g, "origin", "robot");
        graph_id odometry = own ? observe(g, "start", "robot") : GRAPH_NONE;
        double x = 0;
        for (nanos t = 0; t <= 3000 * MS; t += 20 * MS) {
            // 0.5 m/s for 1 s; the tracker loses the robot, which brakes at 0.5 m/s2.
            double s = seconds(t), braked = fmin(fmax(s - 1, 0), 1);
            x = 0.5 * fmin(s, 1) + 0.5 * braked - 0.25 * braked * braked;
            if (t <= 1000 * MS)
                put(g, tracking, t, at(x, 0, 0));
            if (own)
                put(g, odometry, t, at(x, 0, 0));
        }
        motion m;
        assert_true(graph_pose(g, graph_find(g, "origin"), graph_find(g, "robot"), 3000 * MS, &m));
        off[own] = fabs(m.at.p.x - x);
        graph_destroy(g);
    }
    assert_true(fabs(off[0] - 0.75) < 0.075); // 2 s at 0.5 m/s, less the way of braking
    assert_true(off[1] < 1e-9);
}

static void late_data_take_their_place_in_time(void **state) {
    (void)state;
    graph *g = graph_create(ESTIMATOR_SNAPSHOT, 1000 * MS);
    relate(g, CONNECTION_DYNAMIC, "a", "b", NULL);
    graph_id o = observe(g, "a", "b"), a = graph_find(g, "a"), b = graph_find(g, "b");
    motion m, old = at(9, 0, 0);
    assert_false(graph_pose(g, a, b, 0, &m)); // there are no data yet
    put(g, o, 0, at(0, 0, 0));
    put(g, o, 800 * MS, at(8, 0, 0));
    assert_true(graph_pose(g, a, b, 400 * MS, &m) && fabs(m.at.p.x - 4) < 1e-9);
    put(g, o, 400 * MS, at(6, 0, 0)); // late
    assert_true(graph_pose(g, a, b, 400 * MS, &m) && fabs(m.at.p.x - 6) < 1e-9);
    assert_true(graph_pose(g, a, b, 200 * MS, &m) && fabs(m.at.p.x - 3) < 1e-9);
    assert_true(graph_pose(g, a, b, 1000 * MS, &m) && fabs(m.at.p.x - 9) < 1e-9); // 5 m/s on
    assert_false(graph_pose(g, a, b, -MS, &m));
    put(g, o, 5000 * MS, at(0, 0, 0));
    assert_false(graph_measure(g, o, 3999 * MS, &old, false)); // too late
    assert_true(graph_measure(g, o, 4000 * MS, &old, false));
    assert_false(graph_pose(g, a, b, 800 * MS, &m)); // forgotten
    graph_destroy(g);
}

static void a_measured_velocity_is_turned_into_the_frame_of_the_estimate(void **state) {
    (void)state;
    graph *g = graph_create(ESTIMATOR_SNAPSHOT, 1000 * MS);
    // The wheel's motion about a hub that is measured from the other side.
    pose hub = pose_planar(1, 0, PI / 2);
    relate(g, CONNECTION_STATIC, "base", "hub", &hub);
    relate(g, CONNECTION_DYNAMIC, "hub", "wheel", NULL);
    graph_id o = observe(g, "wheel", "base");
    pose wheel = pose_mul(hub, pose_planar(0.5, 0, 0));
    motion m = {.at = pose_inverse(wheel), .spin = v3(0, 0, -0.2)}, out;
    m.speed = quat_rotate(quat_inverse(wheel.q), v3_cross(v3(0, 0, 0.2), wheel.p));
    assert_true(graph_measure(g, o, 0, &m, true));
    // base in wheel: the wheel only turns on its place in the base, with 0.2 rad/s.
    assert_true(graph_pose(g, graph_find(g, "base"), graph_find(g, "wheel"), 0, &out));
    assert_true(v3_distance(out.at.p, wheel.p) < 1e-9);
    assert_true(v3_distance(out.spin, v3(0, 0, 0.2)) < 1e-9);
    motion later;
    assert_true(graph_pose(g, graph_find(g, "base"), graph_find(g, "wheel"), 500 * MS, &later));
    assert_true(fabs(angle_wrap(quat_yaw(later.at.q) - quat_yaw(out.at.q) - 0.1)) < 1e-9);
    graph_destroy(g);
}

static void deviations_add_up_along_a_cycle(void **state) {
    (void)state;
    graph *g = graph_create(ESTIMATOR_SNAPSHOT, 1000 * MS);
    pose marker = {{0, 2, 0}, {1, 0, 0, 0}};
    relate(g, CONNECTION_DYNAMIC, "origin", "robot", NULL);
    relate(g, CONNECTION_STATIC, "robot", "marker", &marker);
    motion m = at(0, 0, 0), out;
    m.off = (spread){0.03, 0.02};
    put(g, observe(g, "origin", "marker"), 0, m);
    assert_true(graph_pose(g, graph_find(g, "origin"), graph_find(g, "robot"), 0, &out));
    assert_true(fabs(out.off.position - 0.05) < 1e-9); // 0.03 and 0.02 rad at 2 m
    assert_true(fabs(out.off.angle - 0.02) < 1e-9);
    graph_destroy(g);
}

static void a_cycle_without_unknown_relations_has_a_residual(void **state) {
    (void)state;
    scene s = figure_4(ESTIMATOR_SNAPSHOT);
    graph_id odometry = observe(s.g, "start", "robot"), first = observe(s.g, "tracker", "marker");
    graph_id second = observe(s.g, "origin", "robot");
    put(s.g, odometry, 0, at(0, 0, 0));
    put(s.g, first, 0, at(0, 0, 0));
    double distance, angle;
    assert_false(graph_residual(s.g, second, &distance, &angle)); // it has no data
    // The tracker says that the robot stands at (2, -0.1), 0.4 m below the floor's plane.
    put(s.g, second, 0, (motion){.at = {{2, -0.1, -0.1}, pose_planar(0, 0, PI / 2 + 0.1).q}});
    assert_true(graph_residual(s.g, second, &distance, &angle));
    assert_true(fabs(distance - 0.3) < 1e-9 && fabs(angle - 0.1) < 1e-9);
    assert_false(graph_residual(s.g, first, &distance, &angle));
    redundancy r;
    assert_true(graph_next_redundant(s.g, GRAPH_NONE, &r));
    assert_true(r.observation == second && r.a == graph_find(s.g, "origin") &&
                r.b == graph_find(s.g, "robot") && r.t == 0 && r.distance == distance);
    assert_false(graph_next_redundant(s.g, second, &r));
    assert_false(graph_residual(s.g, 99, &distance, &angle));
    graph_destroy(s.g);
}

static void contradictory_static_relations_are_refused_with_the_residual(void **state) {
    (void)state;
    graph *g = graph_create(ESTIMATOR_SNAPSHOT, 1000 * MS);
    pose one = pose_planar(1, 0, 0), two = pose_planar(2, 0, 0), off = pose_planar(2.25, 0, 0.1);
    relate(g, CONNECTION_STATIC, "map", "table", &one);
    relate(g, CONNECTION_STATIC, "table", "camera", &one);
    relate(g, CONNECTION_STATIC, "map", "camera", &two); // says the same again
    graph_id out = 77;
    error err = {0};
    assert_int_equal(graph_relate(g, CONNECTION_STATIC, graph_find(g, "map"),
                                  graph_find(g, "camera"), &off, &out, &err),
                     E_INPUT);
    assert_string_equal(err.text, "the static relation of camera to map contradicts those that "
                                  "join the two already by 0.250 m and 5.73 degrees: correct one "
                                  "of them");
    assert_int_equal(out, 77);
    assert_int_equal(graph_relate(g, CONNECTION_STATIC, graph_find(g, "map"), graph_find(g, "map"),
                                  NULL, &out, &err),
                     E_INPUT);
    assert_string_equal(err.text, "frame map cannot be related to itself");
    graph_destroy(g);
}

// ---- What is held -------------------------------------------------------------------------------
static void what_is_held_counts_while_an_estimate_makes_it_known(void **state) {
    (void)state;
    graph *g = graph_create(ESTIMATOR_SNAPSHOT, 1000 * MS);
    pose table = pose_planar(1, 0, PI / 2), on_table = pose_planar(0.5, 0, 0), held;
    relate(g, CONNECTION_STATIC, "map", "table", &table);
    graph_id placement = relate(g, CONNECTION_PLACEMENT, "table", "cup", NULL);
    graph_id map = graph_find(g, "map"), cup = graph_find(g, "cup");
    motion m, now = at(9, 9, 0);
    assert_false(graph_held(g, placement, &held));
    graph_hold(g, placement, &on_table);
    assert_true(graph_held(g, placement, &held) && v3_distance(held.p, on_table.p) < 1e-9);
    assert_false(graph_pose(g, map, cup, 0, &m)); // nothing observes it
    graph_id seen = graph_observe_mean(g, "camera", map, cup);
    assert_false(graph_measure(g, seen, 0, &now, false)); // somebody else makes the mean
    assert_true(graph_pose(g, map, cup, 77 * MS, &m));
    assert_true(v3_distance(m.at.p, v3(1, 0.5, 0)) < 1e-9);
    // Told from the cup's side, too, which is against the relation.
    assert_true(graph_pose(g, cup, map, 0, &m));
    assert_true(v3_distance(m.at.p, v3(-0.5, 1, 0)) < 1e-9);
    graph_ignore(g, seen);
    assert_false(graph_pose(g, map, cup, 0, &m));
    // Of a sensor that is settled, what is held counts instead of what it measured.
    graph_id laser = graph_observe(g, "laser", map, cup);
    assert_true(graph_measure(g, laser, 0, &now, false));
    assert_true(graph_pose(g, map, cup, 0, &m) && v3_distance(m.at.p, v3(9, 9, 0)) < 1e-9);
    graph_settle(g, laser);
    assert_true(graph_pose(g, map, cup, 0, &m) && v3_distance(m.at.p, v3(1, 0.5, 0)) < 1e-9);
    graph_destroy(g);
}

static void a_bridge_holds_what_all_of_its_relations_do(void **state) {
    (void)state;
    graph *g = graph_create(ESTIMATOR_SNAPSHOT, 1000 * MS);
    pose tray = pose_planar(1, 0, 0), cup = pose_planar(0, 0.5, 0);
    graph_id below = relate(g, CONNECTION_PLACEMENT, "map", "tray", NULL);
    graph_id above = relate(g, CONNECTION_PLACEMENT, "tray", "cup", NULL);
    graph_observe_mean(g, "camera", graph_find(g, "map"), graph_find(g, "cup"));
    motion m;
    expect_cycles(g, 1, (const char *[]){"map ~ tray ~ cup"});
    graph_hold(g, above, &cup);
    assert_false(graph_pose(g, graph_find(g, "map"), graph_find(g, "cup"), 0, &m));
    graph_hold(g, below, &tray);
    assert_true(graph_pose(g, graph_find(g, "map"), graph_find(g, "cup"), 0, &m));
    assert_true(v3_distance(m.at.p, v3(1, 0.5, 0)) < 1e-9);
    // A sensor that sees what moves on something held needs no data of it.
    graph_observe_mean(g, "camera", graph_find(g, "map"), graph_find(g, "tray"));
    relate(g, CONNECTION_DYNAMIC, "cup", "spoon", NULL);
    motion seen = at(2, 0, 0);
    put(g, observe(g, "map", "spoon"), 0, seen);
    assert_true(graph_pose(g, graph_find(g, "cup"), graph_find(g, "spoon"), 0, &m));
    assert_true(v3_distance(m.at.p, v3(1, -0.5, 0)) < 1e-9);
    graph_destroy(g);
}

static void a_move_is_one_step_and_frames_of_one_name_are_two(void **state) {
    (void)state;
    graph *g = graph_create(ESTIMATOR_SNAPSHOT, 1000 * MS);
    graph_id map = frame_called(g, "map"), first = graph_add_frame(g, "start"),
             second = graph_add_frame(g, "start"), placement = GRAPH_NONE;
    assert_true(first != second && graph_find(g, "start") == first);
    graph_move(g, &placement, CONNECTION_PLACEMENT, map, second);
    graph_id before = placement;
    uint64_t version = graph_version(g);
    graph_move(g, &placement, CONNECTION_PLACEMENT, map, second);
    assert_true(placement == before && graph_version(g) == version); // it is there already
    graph_move(g, &placement, CONNECTION_PLACEMENT, first, second);
    assert_int_equal(graph_relation_count(g), 1);
    graph_relation now = graph_relation_at(g, 0);
    assert_true(now.id == placement && placement != before && now.a == first && !now.given);
    graph_destroy(g);
}

// ---- Random edits against a reference -----------------------------------------------------------
// The reference keeps what is there in plain lists, and makes the estimates by trying every cycle.
enum { REF_FRAMES = 30, REF_EDGES = 40, REF_SEEN = 8 };
typedef struct ref_edge {
    graph_id id, a, b;
    bool known, fixed;
} ref_edge;
typedef struct ref {
    ref_edge edges[REF_EDGES + REF_SEEN];
    size_t edge_count, relation_count;
    ref_edge seen[REF_SEEN]; // observations
    size_t seen_count;
    // The best cycle of one observation so far, and the one that is being tried:
    size_t best[REF_FRAMES], tried[REF_FRAMES], best_length, best_unknown;
    bool visited[REF_FRAMES + 1];
} ref;

// Tries every way from a frame to b, depth first, in the order of ids: of two that are as good the
// one found first stays.
static void ref_try(ref *r, graph_id here, graph_id b, size_t length, size_t unknown, int phase) {
    if (unknown > r->best_unknown || (unknown == r->best_unknown && length >= r->best_length))
        return;
    if (here == b) {
        memcpy(r->best, r->tried, sizeof r->best);
        r->best_length = length;
        r->best_unknown = unknown;
        return;
    }
    r->visited[here] = true;
    for (size_t i = 0; i < r->edge_count && length < REF_FRAMES; i++) {
        const ref_edge *e = &r->edges[i];
        graph_id next = e->a == here ? e->b : e->a;
        if ((e->a != here && e->b != here) || r->visited[next] || (!e->known && phase == 2))
            continue;
        r->tried[length] = i;
        ref_try(r, next, b, length + 1, unknown + !e->known,
                e->known ? (phase == 1 ? 2 : phase) : 1);
    }
    r->visited[here] = false;
}

static void ref_compare(ref *r, graph *g) {
    const estimate *made;
    size_t count = graph_estimates(g, &made), found = 0;
    bool used[REF_SEEN] = {false};
    r->edge_count = r->relation_count;
    for (size_t i = 0; i < r->relation_count; i++)
        r->edges[i].known = r->edges[i].fixed;
    for (;;) {
        size_t next = SIZE_MAX, length = 0, unknown = SIZE_MAX, path[REF_FRAMES];
        for (size_t i = 0; i < r->seen_count; i++) {
            if (used[i])
                continue;
            r->best_unknown = unknown == SIZE_MAX ? SIZE_MAX : unknown - 1;
            r->best_length = SIZE_MAX;
            memset(r->visited, 0, sizeof r->visited);
            ref_try(r, r->seen[i].a, r->seen[i].b, 0, 0, 0);
            if (r->best_length == SIZE_MAX)
                continue;
            if (r->best_unknown == 0) {
                used[i] = true;
                continue;
            }
            next = i;
            length = r->best_length;
            unknown = r->best_unknown;
            memcpy(path, r->best, sizeof path);
        }
        if (next == SIZE_MAX)
            break;
        used[next] = true;
        assert_true(found < count);
        const estimate *e = &made[found++];
        assert_int_equal(e->observation, r->seen[next].id);
        assert_int_equal(e->run_count, unknown);
        graph_id here = r->seen[next].a;
        size_t run = 0;
        for (size_t k = 0; k < length; k++) {
            ref_edge *along = &r->edges[path[k]];
            if (!along->known) {
                if (run == 0)
                    assert_int_equal(e->from, here);
                assert_int_equal(e->run[run++], along->id);
            }
            here = along->a == here ? along->b : along->a;
            if (!along->known && run == unknown) {
                assert_int_equal(e->to, here);
                if (unknown == 1)
                    along->known = true;
                run++; // the rest of the path is known
            }
        }
        if (unknown > 1) {
            r->edges[r->edge_count++] =
                (ref_edge){.a = e->from, .b = e->to, .known = true, .fixed = false};
        }
    }
    assert_int_equal(found, count);
}

static void random_edits_leave_what_a_graph_made_from_nothing_has(size_t edits, size_t frames,
                                                                  size_t most, uint64_t seed) {
    graph *g = graph_create(ESTIMATOR_SNAPSHOT, 1000 * MS);
    ref *r = calloc(1, sizeof *r);
    rng_key key = rng_key_make(seed, "graph", "edits");
    char name[16];
    for (size_t i = 0; i < frames; i++) {
        snprintf(name, sizeof name, "f%zu", i);
        frame_called(g, name);
    }
    for (size_t i = 0; i < edits; i++) {
        uint32_t channel = 0;
#define DRAW(n) ((size_t)(rng_uniform(key, i, channel++) * (double)(n)))
        size_t what = DRAW(10), a = DRAW(frames) + 1, b = DRAW(frames - 1) + 1;
        b += b >= a;
        pose pose_ = pose_planar(1, 2, 3);
        if (what < 4 && r->relation_count < most) {
            bool fixed = DRAW(2) == 0;
            graph_id id;
            assert_int_equal(graph_relate(g, DRAW(2) ? CONNECTION_DYNAMIC : CONNECTION_PLACEMENT, a,
                                          b, fixed ? &pose_ : NULL, &id, NULL),
                             OK);
            r->edges[r->relation_count++] = (ref_edge){id, a, b, fixed, fixed};
        } else if (what < 6 && r->relation_count > 0) {
            size_t k = DRAW(r->relation_count);
            graph_id id = r->edges[k].id, was = id;
            bool moves = DRAW(2) == 0;
            if (moves)
                graph_move(g, &id, CONNECTION_DYNAMIC, a, b);
            else
                graph_part(g, id);
            if (moves && id == was)
                continue; // it was there already
            r->relation_count--;
            memmove(r->edges + k, r->edges + k + 1, (r->relation_count - k) * sizeof *r->edges);
            if (moves)
                r->edges[r->relation_count++] = (ref_edge){id, a, b, false, false};
        } else if (what == 6 && r->relation_count > 0) {
            ref_edge *e = &r->edges[DRAW(r->relation_count)];
            e->fixed = !e->fixed;
            graph_fix(g, e->id, e->fixed ? &pose_ : NULL);
        } else if (what < 9 && r->seen_count < REF_SEEN) {
            graph_id id =
                DRAW(2) ? graph_observe(g, "sensor", a, b) : graph_observe_mean(g, "sensor", a, b);
            r->seen[r->seen_count++] = (ref_edge){id, a, b, false, false};
        } else if (r->seen_count > 0) {
            size_t k = DRAW(r->seen_count);
            graph_ignore(g, r->seen[k].id);
            r->seen_count--;
            memmove(r->seen + k, r->seen + k + 1, (r->seen_count - k) * sizeof *r->seen);
        }
#undef DRAW
        ref_compare(r, g);
    }
    free(r);
    graph_destroy(g);
}

static void a_hundred_thousand_random_edits_equal_the_reference(void **state) {
    (void)state;
    random_edits_leave_what_a_graph_made_from_nothing_has(60000, 6, 9, 1);
    random_edits_leave_what_a_graph_made_from_nothing_has(30000, 12, 14, 2);
    random_edits_leave_what_a_graph_made_from_nothing_has(10000, 30, 32, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sensors_give_the_three_estimates_of_figure_6),
        cmocka_unit_test(a_view_from_outside_has_the_shortcut_of_figure_7),
        cmocka_unit_test(after_a_grasp_the_same_observation_estimates_the_place_in_the_gripper),
        cmocka_unit_test(a_value_closes_the_cycle),
        cmocka_unit_test(a_late_tracker_leaves_the_start_where_it_is),
        cmocka_unit_test(a_view_of_its_own_brakes_where_a_view_from_outside_drives_on),
        cmocka_unit_test(late_data_take_their_place_in_time),
        cmocka_unit_test(a_measured_velocity_is_turned_into_the_frame_of_the_estimate),
        cmocka_unit_test(deviations_add_up_along_a_cycle),
        cmocka_unit_test(a_cycle_without_unknown_relations_has_a_residual),
        cmocka_unit_test(contradictory_static_relations_are_refused_with_the_residual),
        cmocka_unit_test(what_is_held_counts_while_an_estimate_makes_it_known),
        cmocka_unit_test(a_bridge_holds_what_all_of_its_relations_do),
        cmocka_unit_test(a_move_is_one_step_and_frames_of_one_name_are_two),
        cmocka_unit_test(a_hundred_thousand_random_edits_equal_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

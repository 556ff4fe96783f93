// tests/mind/test_track.c - the place of a robot that is tracked: late readings, lost ones, and
// what else tells where the robot is.
#include "tests/mind/rig.h"
#include "projector/belief/belief_int.h"

#include <math.h>

static const nanos MS = 1000000;

typedef struct tracked {
    rig *rig;
    belief *belief;
    nanos t, late;
    pose truth;
} tracked;

// The base stands at the kitchen's start with a tracker at the ceiling.
static tracked tracked_create(nanos late, bool latest) {
    tracked k = {.rig = rig_create(1, 0), .late = late};
    k.rig->robot->tracker = (robot_tracker){.present = true,
                                            .at = {{1, 2, 3}, quat_rpy(0.1, PI, 0.4)},
                                            .marker = {{0.1, 0, 0.5}, quat_rpy(0, 0, 0.3)},
                                            .noise = 0.001,
                                            .angle_noise = 0.002,
                                            .latest = latest};
    error err = {0};
    if (belief_create(k.rig->known, k.rig->robot, &k.rig->log.head, 1, NULL, 0, &k.belief, &err) !=
        OK)
        fail_msg("%s", err.text);
    k.truth = belief_robot(k.belief);
    return k;
}

static void tracked_destroy(tracked *k) {
    belief_destroy(k->belief);
    rig_destroy(k->rig);
}

static void give(tracked *k, reading r) {
    error err = {0};
    assert_int_equal(belief_read(k->belief, &r, &err), OK);
}

// The tracker saw this pose of the base, `late` ago.
static void see(tracked *k, pose base) {
    const robot_tracker *s = &k->rig->robot->tracker;
    reading r = {.kind = READING_TRACKER, .taken = k->t - k->late, .delivered = k->t};
    r.tracker.at = pose_mul(pose_inverse(s->at), pose_mul(base, s->marker));
    give(k, r);
}

// The base moves by `dx` ahead and `dyaw` while odometry says that it goes `gain` times as far.
static void drive(tracked *k, double dx, double dyaw, double gain) {
    k->t += 20 * MS;
    k->truth = pose_mul(k->truth, pose_planar(dx, 0, dyaw));
    reading r = {.kind = READING_ODOMETRY, .taken = k->t, .delivered = k->t};
    r.odometry.dx = gain * dx;
    r.odometry.dyaw = dyaw;
    give(k, r);
}

static double off(const tracked *k) {
    return v3_distance(belief_robot(k->belief).p, k->truth.p);
}

static void a_tracker_corrects_what_odometry_and_the_start_got_wrong(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    k.truth = pose_mul(k.truth, pose_planar(0.3, -0.2, 0.5)); // stands elsewhere than it was told
    see(&k, k.truth);
    assert_true(off(&k) < 1e-6);
    for (int i = 0; i < 100; i++) {
        drive(&k, 0.01, 0.01, 1.1);
        see(&k, k.truth);
    }
    assert_true(off(&k) < 1e-6);
    assert_true(quat_angle(belief_robot(k.belief).q, k.truth.q) < 1e-6);
    double position, angle;
    belief_accuracy(k.belief, &position, &angle);
    assert_true(position > 0.001 && position < 0.003); // 1 mm, and 2 mrad at the marker's 0.5 m
    assert_true(angle > 0.0019 && angle < 0.003);
    tracked_destroy(&k);
}

// Drives a curve with 0.5 m/s; each reading of the tracker comes 0.2 s late.
static double late_error(bool latest) {
    tracked k = tracked_create(200 * MS, latest);
    pose earlier[11];
    double worst = 0;
    for (int i = 0; i < 11; i++)
        earlier[i] = k.truth;
    for (int i = 0; i < 200; i++) {
        drive(&k, 0.01, 0.004, 1);
        memmove(earlier, earlier + 1, 10 * sizeof *earlier);
        earlier[10] = k.truth;
        if (i >= 10 && i % 5 == 0)
            see(&k, earlier[0]);
        if (i >= 10) // seen
            worst = fmax(worst, off(&k));
    }
    tracked_destroy(&k);
    return worst;
}

static void readings_that_come_late_are_put_at_their_time(void **state) {
    (void)state;
    assert_true(late_error(false) < 1e-6);
    double latest = late_error(true);
    assert_true(latest > 0.09 && latest < 0.2); // 0.2 s at 0.5 m/s
}

static void a_robot_that_is_lost_goes_on_by_odometry(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    pose elsewhere = pose_mul(k.truth, pose_planar(1, 1, 1));
    k.truth = elsewhere;
    see(&k, k.truth);
    for (int i = 0; i < 100; i++)
        drive(&k, 0.01 * (100 - i) / 100, 0, 1); // brakes
    assert_true(off(&k) < 1e-6);
    double position, angle;
    belief_accuracy(k.belief, &position, &angle);
    assert_true(position > 0.01 && position < 0.03); // 0.02 m per root of 0.5 m
    tracked_destroy(&k);
}

static void the_past_of_the_base_is_estimated_anew(void **state) {
    (void)state;
    tracked k = tracked_create(100 * MS, false);
    pose then = POSE_IDENTITY;
    for (int i = 0; i < 20; i++) {
        drive(&k, 0.01, 0, 1);
        if (i == 14)
            then = k.truth;
    }
    nanos at = k.t - 100 * MS;
    pose shift = pose_planar(0.5, 0, 0); // it was half a metre away from where it was told
    then = pose_mul(shift, then);
    k.truth = pose_mul(shift, k.truth);
    see(&k, then);
    assert_true(v3_distance(belief_base_at(k.belief, at).p, then.p) < 1e-6);
    assert_true(off(&k) < 1e-6);
    tracked_destroy(&k);
}

static void a_reading_older_than_what_is_kept_changes_nothing(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    see(&k, k.truth);
    for (int i = 0; i < 1000; i++)
        drive(&k, 0, 0, 1);
    see(&k, k.truth);
    pose before = belief_robot(k.belief);
    k.late = 16000 * MS;
    see(&k, pose_planar(9, 9, 0));
    assert_true(v3_distance(belief_robot(k.belief).p, before.p) < 1e-9);
    tracked_destroy(&k);
}

// ---- The view as a graph ------------------------------------------------------------------------
static void expect_cycles(const belief *b, size_t count, const char *const *cycles) {
    const estimate *made;
    size_t skipped = b->robot->arm_count; // what the encoders tell of the hands
    assert_int_equal(graph_estimates(b->view.graph, &made), count + skipped);
    for (size_t i = 0, k = 0; i < count + skipped; i++)
        if (strcmp(made[i].sensor, "encoders") != 0)
            assert_string_equal(graph_cycle(b->view.graph, i), cycles[k++]);
}

static void observations_come_and_go_with_what_tells_the_place(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    expect_cycles(k.belief, 1, (const char *[]){"start ~ robot"}); // the start is given
    see(&k, k.truth);
    expect_cycles(k.belief, 2,
                  (const char *[]){"start ~ robot", "tracker = map ~ start = robot = marker"});
    // While the tracker goes on, what the laser says tells nothing new, and has a residual.
    redundancy r;
    k.belief->self->x += 0.1;
    belief_view_localised(k.belief);
    expect_cycles(k.belief, 2,
                  (const char *[]){"start ~ robot", "tracker = map ~ start = robot = marker"});
    assert_true(graph_next_redundant(k.belief->view.graph, GRAPH_NONE, &r));
    assert_true(strcmp(r.sensor, "laser") == 0 && fabs(r.distance - 0.1) < 1e-9);
    assert_true(off(&k) < 1e-6);
    // Once the tracker has been silent for a while, the laser tells the place.
    for (int i = 0; i < 60; i++)
        drive(&k, 0, 0, 1);
    belief_view_localised(k.belief);
    expect_cycles(k.belief, 2, (const char *[]){"start ~ robot", "map ~ start = robot"});
    assert_false(graph_next_redundant(k.belief->view.graph, GRAPH_NONE, &r));
    k.t += 20 * MS;
    see(&k, k.truth);
    expect_cycles(k.belief, 2,
                  (const char *[]){"start ~ robot", "tracker = map ~ start = robot = marker"});
    tracked_destroy(&k);
}

// Drives straight at 0.5 m/s for 4 s with wheels and a tracker that are noisy, the tracker 0.2 s
// late; returns by how far the start was taken to have moved at most.
static double start_moves(uint64_t seed, bool latest) {
    tracked k = tracked_create(200 * MS, latest);
    rng_key key = rng_key_make(seed, "track", "start");
    pose first = k.truth, earlier[11];
    double most = 0;
    for (int i = 0; i < 11; i++)
        earlier[i] = k.truth;
    for (uint64_t i = 0; i < 200; i++) {
        drive(&k, 0.01, 0, 1 + 0.02 * rng_normal(key, i, 0));
        memmove(earlier, earlier + 1, 10 * sizeof *earlier);
        earlier[10] = k.truth;
        pose noise = pose_planar(0.0005 * rng_normal(key, i, 1), 0.0005 * rng_normal(key, i, 2),
                                 0.0009 * rng_normal(key, i, 3));
        if (i >= 10)
            see(&k, pose_mul(earlier[0], noise));
        motion start;
        if (i >= 10 &&
            graph_pose(k.belief->view.graph, k.belief->view.map, k.belief->view.start, k.t, &start))
            most = fmax(most, hypot(start.at.p.x - first.p.x, start.at.p.y - first.p.y));
    }
    tracked_destroy(&k);
    return most;
}

static void a_late_tracker_leaves_the_start_where_it_is_with_noise_too(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        double snapshot = start_moves(seed, false), latest = start_moves(seed, true);
        if (!(snapshot <= 0.02 && latest >= 0.09))
            fail_msg("seed %d: the start moves by %g m, and by %g m", (int)seed, snapshot, latest);
    }
}

// The tracker saw bob's base here.
static status see_bob(tracked *k, pose base, const char *who, error *err) {
    const robot_tracker *s = &k->rig->robot->tracker;
    reading r = {.kind = READING_TRACKER, .taken = k->t - k->late, .delivered = k->t};
    r.tracker.at = pose_mul(pose_inverse(s->at), pose_mul(base, pose_planar(0, 0.2, 0)));
    r.tracker.of = who;
    return belief_read(k->belief, &r, err);
}

static void another_robot_is_seen_from_outside_and_goes_on_as_it_went_last(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    error err = {0};
    pose at;
    belief_other_robot bob = {"bob", 0, true, pose_planar(0, 0.2, 0)};
    assert_int_equal(belief_meet(k.belief, &bob, &err), OK);
    other_motion other;
    assert_false(belief_other(k.belief, "bob", k.t, &other)); // nobody has seen him
    for (int i = 0; i <= 50; i++, k.t += 20 * MS)
        assert_int_equal(see_bob(&k, pose_planar(2 + 0.01 * i, 1, 0), "bob", &err), OK);
    see(&k, k.truth);
    expect_cycles(k.belief, 3,
                  (const char *[]){"start ~ robot", "tracker = map ~ start = robot = marker",
                                   "tracker = map ~ bob_start ~ bob = bob_marker"});
    assert_true(belief_other(k.belief, "bob", k.t + 980 * MS, &other));
    assert_true(v3_distance(other.at.p, v3(3, 1, 0)) < 1e-6);
    assert_true(v3_distance(other.speed, v3(0.5, 0, 0)) < 1e-6 && fabs(other.spin) < 1e-6);
    assert_int_equal(other.seen, k.t - 20 * MS);
    assert_true(belief_frame(k.belief, "bob", "map", k.t + 980 * MS, &at, NULL, &err) == OK);
    assert_true(v3_distance(at.p, v3(3, 1, 0)) < 1e-6); // where he would be by now
    assert_int_equal(see_bob(&k, at, "carl", &err), E_INPUT);
    assert_non_null(strstr(err.text, "carl, whom the robot does not know"));
    belief_other_robot again = {"bob", 0, false, POSE_IDENTITY};
    assert_int_equal(belief_meet(k.belief, &again, &err), E_INPUT);
    tracked_destroy(&k);
}

// The detector recognised bob here, in the map.
static status recognise_bob(tracked *k, pose base, const char *who, error *err) {
    reading r = {.kind = READING_DETECTOR, .taken = k->t - k->late, .delivered = k->t};
    r.detector.at = pose_mul(pose_inverse(k->truth), base);
    r.detector.of = who;
    return belief_read(k->belief, &r, err);
}

static void
another_robot_is_recognised_from_the_own_base_while_no_tracker_tells_of_it(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    error err = {0};
    belief_other_robot bob = {"bob", 0, true, pose_planar(0, 0.2, 0)};
    assert_int_equal(belief_meet(k.belief, &bob, &err), OK);
    other_motion other;
    k.late = 40 * MS; // where the own base was then counts
    pose before = k.truth, there = pose_planar(2, 1, 0.5);
    drive(&k, 0.01, 0.02, 1);
    for (int i = 0; i < 100; i++) {
        drive(&k, 0.01, 0.02, 1);
        drive(&k, 0.01, 0.02, 1);
        pose now = k.truth;
        k.truth = before;
        before = now;
        // The base was there two cycles ago.
        assert_int_equal(recognise_bob(&k, there, "bob", &err), OK);
        k.truth = now;
    }
    expect_cycles(k.belief, 2,
                  (const char *[]){"start ~ robot", "robot = start = map ~ bob_start ~ bob"});
    assert_true(belief_other(k.belief, "bob", k.t - 40 * MS, &other));
    assert_true(v3_distance(other.at.p, there.p) < 1e-6 && quat_angle(other.at.q, there.q) < 1e-6);
    assert_int_equal(other.seen, k.t - 40 * MS);
    // Beyond that he goes on as he went: he stands, however the own base turns.
    assert_true(belief_other(k.belief, "bob", k.t, &other));
    assert_true(v3_distance(other.at.p, there.p) < 1e-3);
    assert_true(v3_length(other.speed) < 0.02);
    // A tracker that tells of him goes before, until it has been silent for a second.
    pose elsewhere = pose_planar(2.5, 1, 0.5);
    k.late = 0;
    see(&k, k.truth);
    assert_int_equal(see_bob(&k, elsewhere, "bob", &err), OK);
    expect_cycles(k.belief, 3,
                  (const char *[]){"start ~ robot", "tracker = map ~ start = robot = marker",
                                   "tracker = map ~ bob_start ~ bob = bob_marker"});
    assert_int_equal(recognise_bob(&k, there, "bob", &err), OK);
    assert_true(belief_other(k.belief, "bob", k.t, &other));
    assert_true(v3_distance(other.at.p, elsewhere.p) < 1e-6);
    for (int i = 0; i < 52; i++)
        drive(&k, 0, 0, 1);
    assert_int_equal(recognise_bob(&k, there, "bob", &err), OK);
    expect_cycles(k.belief, 3,
                  (const char *[]){"start ~ robot", "tracker = map ~ start = robot = marker",
                                   "robot = start = map ~ bob_start ~ bob"});
    assert_true(belief_other(k.belief, "bob", k.t, &other));
    assert_true(v3_distance(other.at.p, there.p) < 2e-3);
    assert_int_equal(recognise_bob(&k, there, "carl", &err), E_INPUT);
    assert_non_null(strstr(err.text, "carl, whom the robot does not know"));
    tracked_destroy(&k);
}

// The laser's driver found the pole that is followed here, in the map; NULL: nowhere.
static void scan_pole(tracked *k, const pose *where) {
    pose base = k->truth;
    percept found = {.id = 9, .type = "cup"};
    reading r = {.kind = READING_LASER, .taken = k->t, .delivered = k->t};
    if (where)
        found.at = pose_mul(pose_inverse(base), *where);
    r.laser.pole = where ? &found : NULL;
    give(k, r);
}

static void end_cycle(tracked *k) {
    error err = {0};
    assert_int_equal(belief_cycle(k->belief, k->t, &err), OK);
}

static void read_joints(tracked *k) {
    double qd[64] = {0};
    reading r = {.kind = READING_ENCODERS, .taken = k->t, .delivered = k->t};
    r.encoders.count = k->rig->robot->joint_count;
    r.encoders.position = belief_joints(k->belief);
    r.encoders.velocity = qd;
    give(k, r);
}

// Bob drives at 0.25 m/s with the pole held out to his left; every fifth cycle there is a scan.
static void a_pole_goes_along_with_another_robot_and_then_with_the_hand(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    error err = {0};
    belief_other_robot bob = {"bob", 0, true, pose_planar(0, 0.2, 0)};
    assert_int_equal(belief_meet(k.belief, &bob, &err), OK);
    see(&k, k.truth);
    pose held_out = {{0.3, 0.6, 0.2}, {1, 0, 0, 0}}, where = POSE_IDENTITY;
    pole_sought sought = {.type = "cup", .with = "bob", .at = held_out};
    sought.at.p.x += 0.2; // expected wrong
    assert_int_equal(belief_follow_pole(k.belief, &sought, &err), OK);
    pole_state p;
    belief_pole(k.belief, k.t, &p);
    assert_false(p.placed); // nobody has seen bob yet
    for (int i = 0; i <= 30; i++) {
        pose base = pose_planar(2 + 0.005 * i, 1, 0);
        drive(&k, 0, 0, 1);
        see(&k, k.truth);
        assert_int_equal(see_bob(&k, base, "bob", &err), OK);
        where = pose_mul(base, held_out);
        if (i % 5 == 0)
            scan_pole(&k, &where);
        read_joints(&k);
        end_cycle(&k);
        belief_pole(k.belief, k.t, &p);
        assert_true(p.placed && p.sure == (i >= 10) && fabs(p.diameter - 0.075) < 1e-9);
        if (p.sure) // between two scans, too
            assert_true(v3_distance(belief_find(k.belief, p.object)->at.p, where.p) < 0.002);
    }
    assert_string_equal(p.object, "cup#1");
    expect_cycles(k.belief, 4,
                  (const char *[]){"start ~ robot", "tracker = map ~ start = robot = marker",
                                   "tracker = map ~ bob_start ~ bob = bob_marker",
                                   "robot = start = map = bob ~ cup#1"});
    // It lies still in bob's frame: now, by and by as he goes on, and in the past between two rows
    // of the log, which says so too.
    for (int ago = -40; ago <= 12; ago++) {
        pose in_bob;
        assert_int_equal(
            belief_frame(k.belief, "cup#1", "bob", k.t - ago * 20 * MS, &in_bob, NULL, &err), OK);
        assert_true(v3_distance(in_bob.p, held_out.p) < 0.002);
    }
    pose later;
    assert_int_equal(belief_frame(k.belief, "cup#1", "map", k.t + 400 * MS, &later, NULL, &err),
                     OK);
    assert_true(v3_distance(later.p, v3_add(where.p, v3(0.1, 0, 0))) < 0.002); // 0.25 m/s
    size_t rows = 0;
    for (size_t i = 0; i < k.rig->log.records.count; i++) {
        const record *r = &k.rig->log.records.items[i];
        if (r->kind != RECORD_BELIEVED_FRAME || strcmp(r->BELIEVED_FRAME.source, "laser") != 0)
            continue;
        rows++;
        assert_string_equal(r->BELIEVED_FRAME.parent, "bob");
        assert_true(fabs(r->BELIEVED_FRAME.x - held_out.p.x) < 0.002);
    }
    assert_int_equal(rows, 1); // it does not move there
    // The hand takes it: the same observation tells how it lies there.
    const char *hand = k.rig->robot->arms[0].gripper.name;
    char taken[64], cycle[64];
    snprintf(taken, sizeof taken, "object_in_hand('cup#1', %s)", hand);
    snprintf(cycle, sizeof cycle, "robot = %s ~ cup#1", hand);
    pose in_hand = {{0, 0, 0.01}, {1, 0, 0, 0}};
    assert_int_equal(belief_note_grasp(k.belief, 0, "cup#1", in_hand, 0.075), OK);
    assert_int_equal(belief_assert(k.belief, rig_term(k.rig, taken), 0, k.t, &err), OK);
    end_cycle(&k);
    scan_pole(&k, &where);
    const estimate *all;
    size_t count = graph_estimates(k.belief->view.graph, &all);
    bool there = false;
    for (size_t i = 0; i < count; i++)
        there |= strcmp(graph_cycle(k.belief->view.graph, i), cycle) == 0;
    assert_true(there);
    // The hand keeps it when nothing is followed any more.
    assert_int_equal(belief_leave_pole(k.belief, 0, k.t, &err), OK);
    assert_true(belief_find(k.belief, "cup#1")->confirmed);
    tracked_destroy(&k);
}

static void what_moves_with_another_robot_is_lost_where_nothing_follows_it(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    error err = {0};
    belief_other_robot bob = {"bob", 0, true, pose_planar(0, 0.2, 0)};
    assert_int_equal(belief_meet(k.belief, &bob, &err), OK);
    see(&k, k.truth);
    assert_int_equal(see_bob(&k, pose_planar(2, 1, 0), "bob", &err), OK);
    pose where = {{2.3, 1.6, 0.2}, {1, 0, 0, 0}};
    size_t told_count;
    nanos scanned = 0;
    belief_share(k.belief);
    for (int with = 0; with < 2; with++) {
        pole_sought sought = {.type = "cup", .with = with ? "bob" : NULL, .at = where};
        if (with)
            sought.at.p = v3(0.3, 0.6, 0.2);
        assert_int_equal(belief_follow_pole(k.belief, &sought, &err), OK);
        for (int i = 0; i < 4; i++) {
            drive(&k, 0, 0, 1);
            scan_pole(&k, &where);
            scanned = k.t;
            read_joints(&k);
            end_cycle(&k);
        }
        assert_true(belief_find(k.belief, "cup#1")->confirmed);
        drive(&k, 0, 0, 1);
        assert_int_equal(belief_leave_pole(k.belief, 0, k.t, &err), OK);
        assert_int_equal(belief_find(k.belief, "cup#1")->confirmed, !with);
        // The other robot knows better where it is: nothing is told, and of the belief that it was
        // there the time is that of the last scan.
        belief_take_told(k.belief, &told_count);
        assert_int_equal(told_count, !with);
    }
    assert_int_equal(k.belief->objects.items[belief_index(k.belief, "cup#1")].stamp, scanned);
    assert_null(belief_find(k.belief, "cup#2"));
    tracked_destroy(&k);
}

static void a_pole_that_one_scan_reports_leaves_the_view_with_the_following(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    const graph *g = k.belief->view.graph;
    error err = {0};
    pose where = {{2.3, 1.6, 0.2}, {1, 0, 0, 0}};
    pole_sought sought = {.type = "cup", .at = where};
    size_t relations = graph_relation_count(g);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(belief_follow_pole(k.belief, &sought, &err), OK);
        drive(&k, 0, 0, 1);
        scan_pole(&k, &where);
        read_joints(&k);
        end_cycle(&k);
        assert_int_equal(graph_relation_count(g), relations + 1);
        assert_int_equal(belief_leave_pole(k.belief, 0, k.t, &err), OK);
        end_cycle(&k);
        assert_int_equal(graph_relation_count(g), relations);
        const believed *o = &k.belief->objects.items[belief_index(k.belief, "cup#1")];
        assert_false(o->seen.confirmed);
        assert_true(v3_distance(belief_world(k.belief, o).p, where.p) < 1e-6);
    }
    assert_null(belief_find(k.belief, "cup#2"));
    tracked_destroy(&k);
}

static size_t laser_rows(const tracked *k) {
    size_t count = 0;
    for (size_t i = 0; i < k->rig->log.records.count; i++) {
        const record *r = &k->rig->log.records.items[i];
        count += r->kind == RECORD_BELIEVED_FRAME && strcmp(r->BELIEVED_FRAME.source, "laser") == 0;
    }
    return count;
}

// Follows a pole for some cycles, in which each scan reports it, or none.
static void follow_for(tracked *k, int cycles, const pose *where) {
    for (int i = 0; i < cycles; i++) {
        drive(k, 0, 0, 1);
        scan_pole(k, where);
        read_joints(k);
        end_cycle(k);
    }
}

static void a_pole_that_no_scan_reports_for_a_second_is_lost_until_it_is_found_again(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    error err = {0};
    pole_state p;
    see(&k, k.truth);
    pose where = {{2.3, 1.6, 0.2}, {1, 0, 0, 0}};
    pole_sought sought = {.type = "cup", .at = where};
    assert_int_equal(belief_follow_pole(k.belief, &sought, &err), OK);
    follow_for(&k, 5, &where);
    assert_int_equal(laser_rows(&k), 1);
    follow_for(&k, 50, NULL); // one second
    belief_pole(k.belief, k.t, &p);
    assert_true(p.sure && belief_find(k.belief, "cup#1")->confirmed);
    follow_for(&k, 1, NULL);
    belief_pole(k.belief, k.t, &p);
    assert_false(p.sure || belief_find(k.belief, "cup#1")->confirmed);
    assert_int_equal(laser_rows(&k), 2);
    follow_for(&k, 2, &where);
    assert_false(belief_find(k.belief, "cup#1")->confirmed);
    follow_for(&k, 1, &where);
    belief_pole(k.belief, k.t, &p);
    assert_true(p.sure && belief_find(k.belief, "cup#1")->confirmed);
    assert_int_equal(laser_rows(&k), 3);
    assert_int_equal(belief_leave_pole(k.belief, 0, k.t, &err), OK);
    // That it is sought again where it is believed to be says nothing before it is found.
    belief_share(k.belief);
    sought.object = "cup#1";
    assert_int_equal(belief_follow_pole(k.belief, &sought, &err), OK);
    follow_for(&k, 60, NULL);
    assert_true(belief_find(k.belief, "cup#1")->confirmed);
    assert_int_equal(laser_rows(&k), 3);
    size_t told_count;
    belief_take_told(k.belief, &told_count);
    assert_int_equal(told_count, 0);
    tracked_destroy(&k);
}

static void what_is_no_pole_is_not_followed(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    static const struct {
        pole_sought sought;
        const char *told;
    } wrong[] = {{{.type = "cereal_box"}, "cereal_box is no pole"},
                 {{.type = "cupp"}, "there is no type cupp"},
                 {{.type = "cup", .with = "carl"}, "there is no other robot carl"},
                 {{.type = "cup", .object = "cup#7"}, "cup#7 is not believed in"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        error err = {0};
        assert_int_equal(belief_follow_pole(k.belief, &wrong[i].sought, &err), E_INPUT);
        assert_non_null(strstr(err.text, wrong[i].told));
    }
    tracked_destroy(&k);
}

static void where_a_hand_was_is_remembered_for_a_while(void **state) {
    (void)state;
    tracked k = tracked_create(0, false);
    const char *hand = k.rig->robot->arms[0].gripper.name;
    double q[64] = {0}, qd[64] = {0};
    size_t joint = k.rig->robot->arms[0].joints[3], count = k.rig->robot->joint_count;
    error err = {0};
    pose start, now, then;
    assert_true(count <= 64);
    memcpy(q, belief_joints(k.belief), count * sizeof *q);
    k.belief->now = 0;
    assert_int_equal(belief_frame(k.belief, hand, "map", 0, &start, NULL, &err), OK);
    for (int i = 0; i < 50; i++) {
        k.t += 20 * MS;
        q[joint] += 0.01;
        reading r = {.kind = READING_ENCODERS, .taken = k.t, .delivered = k.t};
        r.encoders.count = count;
        r.encoders.position = q;
        r.encoders.velocity = qd;
        give(&k, r);
    }
    assert_int_equal(belief_frame(k.belief, hand, "map", k.t, &now, NULL, &err), OK);
    assert_true(v3_distance(now.p, start.p) > 0.02);
    assert_int_equal(belief_frame(k.belief, hand, "map", 0, &then, NULL, &err), OK);
    assert_true(v3_distance(then.p, start.p) < 1e-9);
    assert_int_equal(belief_frame(k.belief, hand, "map", -1000 * MS, &then, NULL, &err), E_LIMIT);
    tracked_destroy(&k);
}

static void a_robot_without_a_tracker_refuses_its_readings(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    reading in = {.kind = READING_TRACKER};
    error err = {0};
    assert_int_equal(belief_read(r->belief, &in, &err), E_INPUT);
    assert_non_null(strstr(err.text, "a tracker that the robot does not have"));
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tracker_corrects_what_odometry_and_the_start_got_wrong),
        cmocka_unit_test(readings_that_come_late_are_put_at_their_time),
        cmocka_unit_test(a_robot_that_is_lost_goes_on_by_odometry),
        cmocka_unit_test(the_past_of_the_base_is_estimated_anew),
        cmocka_unit_test(a_reading_older_than_what_is_kept_changes_nothing),
        cmocka_unit_test(observations_come_and_go_with_what_tells_the_place),
        cmocka_unit_test(a_late_tracker_leaves_the_start_where_it_is_with_noise_too),
        cmocka_unit_test(another_robot_is_seen_from_outside_and_goes_on_as_it_went_last),
        cmocka_unit_test(
            another_robot_is_recognised_from_the_own_base_while_no_tracker_tells_of_it),
        cmocka_unit_test(a_pole_goes_along_with_another_robot_and_then_with_the_hand),
        cmocka_unit_test(what_moves_with_another_robot_is_lost_where_nothing_follows_it),
        cmocka_unit_test(a_pole_that_no_scan_reports_for_a_second_is_lost_until_it_is_found_again),
        cmocka_unit_test(what_is_no_pole_is_not_followed),
        cmocka_unit_test(a_pole_that_one_scan_reports_leaves_the_view_with_the_following),
        cmocka_unit_test(where_a_hand_was_is_remembered_for_a_while),
        cmocka_unit_test(a_robot_without_a_tracker_refuses_its_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

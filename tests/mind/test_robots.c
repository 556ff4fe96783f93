// tests/mind/test_robots.c - other robots in the way: as obstacles of plans where they stand, and
// as what the base waits for, or finds another way around, as it drives.
#include "tests/mind/rig.h"
#include "projector/robot/planning/collision_scene.h"

#include <math.h>

static const nanos MS = 1000000;
static const double RADIUS = 0.4; // m, of bob

// Bob is at `at` at first and drives at `speed` in the map; the detector recognises him from `from`
// on, for `until`.
static struct {
    vec3 at, speed;
    nanos from, until, last;
    double nearest;  // that the bases' middles came, m
    bool with_carl;  // who stands in the doorway, and is recognised with him,
    bool after_carl; // whom the robot has met before bob
} bob;

static vec3 bob_now(const rig *r) {
    return v3_add(bob.at, v3_scale(bob.speed, seconds(r->t)));
}

static void detector_reads(rig *r) {
    vec3 now = bob_now(r);
    bob.nearest = fmin(bob.nearest, hypot(now.x - r->base.p.x, now.y - r->base.p.y));
    if (r->t < bob.from || r->t > bob.until || (bob.last >= 0 && r->t < bob.last + 100 * MS))
        return;
    bob.last = r->t;
    reading in = {.kind = READING_DETECTOR, .taken = r->t, .delivered = r->t};
    in.detector.at = pose_mul(pose_inverse(r->base), pose_planar(now.x, now.y, 0));
    in.detector.of = "bob";
    array_push(&r->queue, in);
    if (!bob.with_carl)
        return;
    in.detector.at = pose_mul(pose_inverse(r->base), pose_planar(4, 3, 0));
    in.detector.of = "carl";
    array_push(&r->queue, in);
}

// The robot stands in the western one of two rooms, at (1.8, 3), and the doorway is at (4, 3).
static rig *rig_near(vec3 at, vec3 speed, nanos from, nanos until) {
    rig *r = rig_create_in("examples/two_robots/rooms.yaml", 1, 0);
    error err = {0};
    r->robot->detector = (robot_detector){.present = true, .noise = 0.005, .angle_noise = 0.02};
    for (int i = 0; i < 2; i++) {
        const char *name = (i == 0) == bob.after_carl ? "carl" : "bob";
        belief_other_robot other = {.name = name, .radius = RADIUS, .height = 1.2};
        if (bob.with_carl || strcmp(name, "bob") == 0)
            assert_int_equal(belief_meet(r->belief, &other, &err), OK);
    }
    bob.at = at;
    bob.speed = speed;
    bob.from = from;
    bob.until = until;
    bob.last = -1;
    bob.nearest = INFINITY;
    r->each_cycle = detector_reads;
    return r;
}

static void let_pass(rig *r, const char *time) {
    rig_result x = rig_do(r, "wait", "seconds", time, NULL);
    assert_int_equal(x.state, ACTION_DONE);
}

static void must_drive(rig *r, const char *to) {
    rig_result x = rig_do(r, "navigate", "to", to, NULL);
    if (x.state != ACTION_DONE)
        fail_msg("%s: %s: %s", to, x.failure.class, x.failure.reason);
}

static void a_robot_that_stands_is_an_obstacle_under_its_name(void **state) {
    (void)state;
    rig *r = rig_near(v3(1.8, 4.4, 0), v3(0, 0, 0), 0, 1000000 * MS);
    int owner = OWNER_NONE;
    let_pass(r, "1");
    assert_true(fabs(base_clearance(&r->mind, 1.8, 3.5, &owner) - 0.5) < 1e-3);
    assert_string_equal(owner_name(&r->mind, owner), "bob");
    base_map *map = base_map_create(&r->mind);
    base_map_refresh(map, &r->mind);
    assert_true(fabs(base_map_line(map, v3(1.8, 3.5, 0), v3(1.8, 3.5, 0)) - 0.5) < 0.03);
    base_map_destroy(map);
    trajectory way = {0};
    char blocker[64];
    miss nearest = {0};
    pose here = belief_robot(r->belief);
    assert_true(drive_plan(&r->mind, here, pose_planar(1.8, 5.4, PI), false, &way, NULL, blocker,
                           &nearest));
    for (size_t k = 0; k < way.knots.count; k++)
        assert_true(v3_distance(way.knots.items[k].hand, bob.at) >= r->robot->base_radius + RADIUS);
    trajectory_finish(&way);
    way = (trajectory){0};
    assert_false(drive_plan(&r->mind, here, pose_planar(1.8, 4.5, PI), false, &way, NULL, blocker,
                            &nearest));
    assert_string_equal(blocker, "bob");
    assert_string_equal(nearest.other, "bob");
    // Who is to be driven past, or along with, is none.
    r->mind.past = "bob";
    assert_true(base_clearance(&r->mind, 1.8, 4.4, NULL) > 0.5);
    r->mind.past = "carl";
    assert_true(base_clearance(&r->mind, 1.8, 4.4, NULL) < 0);
    r->mind.past = EVERY_ROBOT;
    assert_true(base_clearance(&r->mind, 1.8, 4.4, NULL) > 0.5);
    trajectory_finish(&way);
    rig_destroy(r);
}

static void an_arm_keeps_clear_of_it(void **state) {
    (void)state;
    rig *r = rig_near(v3(1.0, 3.3, 0), v3(0, 0, 0), 0, 1000000 * MS); // 0.8 m ahead, to the right
    let_pass(r, "1");
    collision_scene c = {0};
    pose here = belief_robot(r->belief);
    for (int past = 0; past < 2; past++) {
        r->mind.past = past ? EVERY_ROBOT : NULL;
        collision_scene_gather(&c, &r->mind, belief_links(r->belief), -1, here.p, 2, 0.01, 0.02,
                               NULL);
        size_t found = 0;
        for (size_t k = 0; k < c.items.count; k++)
            if (c.items.items[k].owner >= OWNER_ROBOTS) {
                const obstacle *o = &c.items.items[k];
                found++;
                assert_true(v3_distance(o->at.p, v3(1.0, 3.3, 0.6)) < 1e-6 && o->margin == 0.02);
                assert_true(fabs(o->high.x - o->low.x - 2 * RADIUS) < 0.01 && o->high.z > 1.19);
            }
        assert_int_equal(found, !past);
    }
    collision_scene_finish(&c);
    rig_destroy(r);
}

static void
one_that_drives_is_no_obstacle_and_one_that_nothing_tells_of_is_forgotten(void **state) {
    (void)state;
    robot_in_way o;
    rig *r = rig_near(v3(1.0, 4.4, 0), v3(0.3, 0, 0), 0, 2000 * MS);
    assert_int_equal(belief_robot_count(r->belief), 1);
    assert_false(belief_robot_in_way(r->belief, 0, &o));
    let_pass(r, "2.5");
    assert_true(belief_robot_in_way(r->belief, 0, &o));
    assert_true(!o.stands && v3_distance(o.speed, bob.speed) < 0.02);
    assert_true(v3_distance(o.at, bob_now(r)) < 0.03); // he goes on
    assert_false(robot_stands_in_way(&r->mind, 0, &o));
    let_pass(r, "2");
    assert_false(belief_robot_in_way(r->belief, 0, &o));
    rig_destroy(r);
    r = rig_near(v3(1.0, 4.4, 0), v3(0, 0, 0), 0, 2000 * MS);
    let_pass(r, "11");
    assert_true(robot_stands_in_way(&r->mind, 0, &o));
    assert_string_equal(o.name, "bob");
    let_pass(r, "2");
    assert_false(robot_stands_in_way(&r->mind, 0, &o));
    rig_destroy(r);
}

// The laser corrects where the base has been: so it does where bob was seen, and he has not moved.
static void one_that_stood_still_stands_where_the_own_place_is_another_one(void **state) {
    (void)state;
    robot_in_way o;
    rig *r = rig_near(v3(1.8, 4.4, 0), v3(0, 0, 0), 0, 4000 * MS);
    let_pass(r, "1");
    r->odometry_gain = 1.08;
    must_drive(r, "at(1.2, 2.2, 180)");
    double off = v3_distance(belief_robot(r->belief).p, r->base.p);
    assert_true(off > 0.05);
    rig_result x = rig_do(r, "localise", NULL);
    assert_int_equal(x.state, ACTION_DONE);
    assert_true(v3_distance(belief_robot(r->belief).p, r->base.p) < 0.01);
    assert_true(robot_stands_in_way(&r->mind, 0, &o));
    assert_true(v3_distance(o.at, bob.at) < off);
    let_pass(r, "3");
    assert_true(robot_stands_in_way(&r->mind, 0, &o));
    rig_destroy(r);
}

static void the_base_goes_around_one_that_it_recognises_on_its_way(void **state) {
    (void)state;
    rig *r = rig_near(v3(1.8, 4.4, 0), v3(0, 0, 0), 600 * MS, 1000000 * MS);
    must_drive(r, "at(1.8, 5.4, 180)");
    assert_true(bob.nearest > r->robot->base_radius + RADIUS);
    assert_true(r->t > 5000 * MS); // it has stopped and set out anew
    rig_destroy(r);
}

static void the_base_waits_until_one_that_drives_has_passed(void **state) {
    (void)state;
    // Bob crosses the way, in front of it.
    rig *r = rig_near(v3(3.2, 4.2, 0), v3(-0.3, 0, 0), 0, 1000000 * MS);
    must_drive(r, "at(1.8, 5.4, 180)");
    assert_true(bob.nearest > r->robot->base_radius + RADIUS);
    rig_destroy(r);
}

// Bob comes to where the base sets out from, which it had better leave.
static void the_base_leaves_in_time_where_another_one_comes(void **state) {
    (void)state;
    nanos taken[2];
    for (int seen = 0; seen < 2; seen++) {
        rig *r = rig_near(v3(3.4, 3, 0), v3(-0.5, 0, 0), seen ? 0 : 100000 * MS, 1000000 * MS);
        let_pass(r, "0.6");
        must_drive(r, "at(1.8, 5.2, 180)");
        taken[seen] = r->t;
        assert_true(bob.nearest > 0.5);
        rig_destroy(r);
    }
    assert_int_equal(taken[0], taken[1]);
}

static void the_base_waits_before_a_doorway_and_fails_where_that_lasts(void **state) {
    (void)state;
    rig *r = rig_near(v3(4, 3, 0), v3(0, 0, 0), 0, 1000000 * MS);
    let_pass(r, "0.2");
    rig_result x = rig_do(r, "navigate", "to", "at(6.0, 3.0, 0)", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, "navigation_way_blocked");
    assert_string_equal(x.failure.reason,
                        "the base has waited for 30 s on its way, and bob is in it");
    assert_true(x.seconds > 30 && x.seconds < 40);
    assert_true(bob.nearest > r->robot->base_radius + RADIUS && bob.nearest < 2.5);
    rig_destroy(r);
}

// Bob goes from before the doorway, in which carl stands, and both are recognised at once.
static void the_base_says_for_whom_of_two_it_waits(void **state) {
    (void)state;
    const char *asked[] = {"passing(bob)", "passing(carl)"};
    bob.with_carl = true;
    for (int order = 0; order < 2; order++) {
        bob.after_carl = order == 1;
        rig *r = rig_near(v3(3.2, 3, 0), v3(0, 0.12, 0), 1500 * MS, 1000000 * MS);
        rig_result x = rig_do(r, "navigate", "to", "at(6.0, 3.0, 0)", NULL);
        assert_int_equal(x.state, ACTION_FAILED);
        assert_string_equal(x.failure.class, "navigation_way_blocked");
        assert_string_equal(x.failure.reason,
                            "the base has waited for 30 s on its way, and carl is in it");
        size_t count = 0;
        for (size_t i = 0; i < r->log.records.count; i++) {
            const record *row = &r->log.records.items[i];
            if (row->kind != RECORD_CHOICE || strcmp(row->CHOICE.what, "way") != 0)
                continue;
            assert_true(count < 2);
            assert_string_equal(row->CHOICE.question, asked[count++]);
            assert_string_equal(row->CHOICE.chosen, "wait");
        }
        assert_int_equal(count, 2);
        rig_destroy(r);
    }
    bob.with_carl = bob.after_carl = false;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_robot_that_stands_is_an_obstacle_under_its_name),
        cmocka_unit_test(an_arm_keeps_clear_of_it),
        cmocka_unit_test(one_that_drives_is_no_obstacle_and_one_that_nothing_tells_of_is_forgotten),
        cmocka_unit_test(one_that_stood_still_stands_where_the_own_place_is_another_one),
        cmocka_unit_test(the_base_goes_around_one_that_it_recognises_on_its_way),
        cmocka_unit_test(the_base_waits_until_one_that_drives_has_passed),
        cmocka_unit_test(the_base_leaves_in_time_where_another_one_comes),
        cmocka_unit_test(the_base_waits_before_a_doorway_and_fails_where_that_lasts),
        cmocka_unit_test(the_base_says_for_whom_of_two_it_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

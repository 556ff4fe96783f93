// tests/mind/test_readings.c - functions of readings and beliefs, and when a watched condition has
// to be evaluated again.
#include "tests/mind/rig.h"

#include <malloc.h>
#include <math.h>

static double value(rig *r, const char *function) {
    const term *out = NULL;
    error err = {0};
    double number = NAN;
    if (robot_evaluate(&r->mind, r->scratch, rig_term(r, function), 0, r->t, &out, &err) != OK)
        fail_msg("%s", err.text);
    assert_non_null(out);
    assert_true(term_number(out, &number));
    return number;
}

static status refused(rig *r, const char *function) {
    const term *out = NULL;
    error err = {0};
    status s = robot_evaluate(&r->mind, r->scratch, rig_term(r, function), 0, r->t, &out, &err);
    assert_non_null(strstr(err.text, "has no value"));
    return s;
}

// Lets the belief read it, and returns whether a condition could see a change.
static bool seen(rig *r, reading in) {
    uint64_t before = belief_version(r->belief);
    error err = {0};
    in.taken = in.delivered = r->t += 20000000;
    assert_int_equal(belief_read(r->belief, &in, &err), OK);
    return belief_version(r->belief) != before;
}

static reading gripper(size_t arm, double opening, double force, bool touch) {
    reading g = {.kind = READING_GRIPPER};
    g.gripper.arm = arm;
    g.gripper.opening = opening;
    g.gripper.force = force;
    g.gripper.touch_1 = touch;
    return g;
}

static reading wrench(vec3 force) {
    reading w = {.kind = READING_WRENCH};
    w.wrench.arm = 1;
    w.wrench.force = force;
    return w;
}

static reading wheels(double dx, double vx, double vy) {
    reading o = {.kind = READING_ODOMETRY};
    o.odometry.dx = dx;
    o.odometry.vx = vx;
    o.odometry.vy = vy;
    return o;
}

static reading encoders(const double *q, const double *qd, size_t count) {
    reading e = {.kind = READING_ENCODERS};
    e.encoders.position = q;
    e.encoders.velocity = qd;
    e.encoders.count = count;
    return e;
}

static void hands_say_what_they_feel(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    assert_int_equal(refused(r, "gripper_opening(left)"), E_INPUT);
    assert_int_equal(refused(r, "wrist_force(right)"), E_INPUT);
    assert_int_equal(refused(r, "touched(nobody)"), E_INPUT);
    seen(r, gripper(0, 0.03, 12.5, true));
    seen(r, gripper(1, 0.05, 0, false));
    seen(r, wrench(v3(3, 0, -4)));
    assert_true(value(r, "gripper_opening(left)") == 0.03);
    assert_true(value(r, "gripper_force(left)") == 12.5);
    assert_true(value(r, "touched(left)") == 1 && value(r, "touched(right)") == 0);
    assert_true(fabs(value(r, "wrist_force(right)") - 5) < 1e-12);
    term_list_array out = {0};
    error err = {0};
    assert_int_equal(belief_solve(r->belief, r->scratch, rig_term(r, "touched(X)"), &out, &err),
                     OK);
    assert_int_equal(out.count, 1);
    assert_true(term_is_symbol(out.items[0]->args[0], "left"));
    array_finish(&out);
    rig_destroy(r);
}

static void joints_distances_and_speed_are_numbers_of_the_belief(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/furniture.yaml", 1, 0);
    const char *joint = r->robot->joints[r->robot->arms[0].joints[1]].name;
    double q = belief_joints(r->belief)[r->robot->arms[0].joints[1]];
    assert_true(value(r, arena_format(r->scratch, "joint_position(%s)", joint)) == q);
    assert_int_equal(refused(r, "joint_position(nothing)"), E_INPUT);
    rig_destroy(r);
    r = rig_create_in("tests/scenes/pantry.yaml", 1, 0);
    error err = {0};
    int64_t slide = world_find_joint(r->known, "cabinet_slide");
    belief_note_joint(r->belief, (size_t)slide, 0.25, 3, r->t, &err);
    assert_true(fabs(value(r, "door_position(cabinet_slide)") - 0.25) < 1e-12);
    assert_true(fabs(value(r, "door_position(cabinet_drawer)") - 0.25) < 1e-12);
    assert_int_equal(refused(r, "door_position(table_1)"), E_INPUT);
    vec3 robot = belief_robot(r->belief).p, table = belief_find(r->belief, "table_1")->at.p;
    assert_true(fabs(value(r, "distance(robot, table_1)") -
                     hypot(robot.x - table.x, robot.y - table.y)) < 1e-12);
    vec3 tool = robot_tool(r->robot, 0, belief_links(r->belief)).p;
    assert_true(fabs(value(r, "distance(left, table_1)") - v3_distance(tool, table)) < 1e-12);
    assert_int_equal(refused(r, "distance(robot, nothing)"), E_INPUT);
    seen(r, wheels(0.001, 0.3, 0.4));
    assert_true(fabs(value(r, "base_speed") - 0.5) < 1e-12);
    assert_true(fabs(value(r, "now") - seconds(r->t)) < 1e-9);
    rig_destroy(r);
}

static void a_condition_is_looked_at_again_when_it_could_see_a_change(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    size_t count = r->robot->joint_count;
    double *q = calloc(count + 1, sizeof *q), *qd = calloc(count + 1, sizeof *qd);
    memcpy(q, belief_joints(r->belief), count * sizeof *q);
    assert_false(seen(r, encoders(q, qd, count))); // as it was believed
    q[0] += 1e-6;
    assert_true(seen(r, encoders(q, qd, count)));
    assert_false(seen(r, encoders(q, qd, count)));
    assert_true(seen(r, gripper(0, 0.05, 0, false))); // the first reading
    assert_false(seen(r, gripper(0, 0.05, 0, false)));
    assert_true(seen(r, gripper(0, 0.05, 0.1, false)));
    assert_true(seen(r, gripper(0, 0.05, 0.1, true)));
    assert_true(seen(r, wrench(v3(0, 0, 0))));
    assert_false(seen(r, wrench(v3(0, 0, 0))));
    assert_true(seen(r, wrench(v3(0, 0, 1e-3))));
    assert_false(seen(r, wheels(0, 0, 0)));
    assert_true(seen(r, wheels(0, 0.1, 0)));
    assert_true(seen(r, wheels(0.002, 0.1, 0)));
    assert_false(seen(r, (reading){.kind = READING_LASER}));
    assert_true(seen(r, (reading){.kind = READING_CAMERA})); // nothing is visible any more
    // Assertions of the plan and openings of a hand change the belief, too.
    uint64_t before = belief_version(r->belief);
    error err = {0};
    assert_int_equal(belief_note_grasp(r->belief, 0, "chair_1", POSE_IDENTITY, 0.05), OK);
    assert_true(belief_version(r->belief) > before);
    before = belief_version(r->belief);
    assert_int_equal(
        belief_assert(r->belief, rig_term(r, "object_in_hand(chair_1, left)"), 3, r->t, &err), OK);
    assert_true(belief_version(r->belief) > before);
    before = belief_version(r->belief);
    assert_int_equal(belief_assert(r->belief, rig_term(r, "on(chair_1, floor)"), 3, r->t, &err),
                     OK);
    assert_true(belief_version(r->belief) > before);
    free(q);
    free(qd);
    rig_destroy(r);
}

static status discard(sink *s, const record *r, error *err) {
    (void)s, (void)r, (void)err;
    return OK;
}

static status discard_commit(sink *s, nanos t, error *err) {
    (void)s, (void)t, (void)err;
    return OK;
}

// The belief of a robot that turns on the spot reads and cycles for an hour.
static void cycles_take_no_memory_once_running(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    static const sink_class nowhere = {discard, discard, discard_commit};
    sink log = {.class = &nowhere};
    belief *b = NULL;
    error err = {0};
    assert_int_equal(belief_create(r->known, r->robot, &log, 1, NULL, 0, &b, &err), OK);
    size_t count = r->robot->joint_count, before = 0;
    double *q = calloc(count + 1, sizeof *q), *qd = calloc(count + 1, sizeof *qd);
    nanos t = 0;
    for (int k = 0; k < 180000; k++) {
        t += 20000000;
        q[0] = 0.1 * sin(0.01 * k);
        reading all[4] = {encoders(q, qd, count), wheels(0, 0, 0),
                          gripper(0, 0.05, 0.1 * (k % 7), k % 2), wrench(v3(0, 0, k % 5))};
        all[1].odometry.dyaw = 1e-5 * (k % 3 - 1);
        for (int n = 0; n < 4; n++) {
            all[n].taken = all[n].delivered = t;
            assert_int_equal(belief_read(b, &all[n], &err), OK);
        }
        assert_int_equal(belief_cycle(b, t, &err), OK);
        if (k == 1000)
            before = mallinfo2().uordblks;
    }
    assert_true(mallinfo2().uordblks <= before);
    belief_destroy(b);
    free(q);
    free(qd);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_say_what_they_feel),
        cmocka_unit_test(joints_distances_and_speed_are_numbers_of_the_belief),
        cmocka_unit_test(a_condition_is_looked_at_again_when_it_could_see_a_change),
        cmocka_unit_test(cycles_take_no_memory_once_running),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

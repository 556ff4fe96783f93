// tests/world/test_body.c - the body takes commands from above, refuses what makes no sense, and
// logs them sparsely.
#include "projector/body.h"
#include "tests/robot_numbers.h"
#include "tests/world/rig.h"

static const nanos CYCLE = 20000000;

typedef struct command_log {
    sink base;
    ARRAY(record) rows;
} command_log;

static status keep(sink *s, const record *r, error *err) {
    (void)err;
    command_log *log = (command_log *)s;
    if (r->kind == RECORD_COMMAND)
        array_push(&log->rows, *r);
    return OK;
}
static status ignore_end(sink *s, const record *r, error *err) {
    (void)s, (void)r, (void)err;
    return OK;
}
static status ignore_commit(sink *s, nanos t, error *err) {
    (void)s, (void)t, (void)err;
    return OK;
}
static const sink_class KEEPING = {keep, ignore_end, ignore_commit};

typedef struct bench {
    rig g;
    command_log log;
    sense *senses;
    body *body;
    middleware *face;
    int64_t entities[256], grippers[8];
    recorder_ids ids;
} bench;

static void bench_open(bench *b) {
    memset(b, 0, sizeof *b);
    rig_open(&b->g, RIG_KITCHEN, NULL);
    b->log.base.class = &KEEPING;
    assert_true(sim_entity_count(b->g.sim) <= 256);
    for (int i = 0; i < 256; i++)
        b->entities[i] = i + 1;
    b->ids = (recorder_ids){.entities = b->entities};
    robot_ids_number(&b->ids.parts, b->g.robot, 1);
    sense_setup setup = {.world = b->g.world,
                         .robot = b->g.robot,
                         .sim = b->g.sim,
                         .log = &b->log.base,
                         .seed = 1,
                         .entity_objects = b->entities,
                         .gripper_objects = b->grippers,
                         .cycle = CYCLE};
    sense_create(&setup, &b->senses);
    body_create(b->g.robot, b->g.sim, b->senses, &b->log.base, &b->ids, CYCLE, 1, &b->body);
    b->face = body_middleware(b->body);
}

static void bench_close(bench *b) {
    body_destroy(b->body);
    sense_destroy(b->senses);
    robot_ids_finish(&b->ids.parts);
    rig_close(&b->g);
    array_finish(&b->log.rows);
}

static status tell(bench *b, command c) {
    error err = {0};
    return b->face->send(b->face->self, &c, &err);
}

// A cycle's end: the world moves on.
static void cycle(bench *b) {
    rig_run(&b->g, seconds(CYCLE));
    body_set_time(b->body, b->g.now);
}

static size_t rows(const bench *b, int64_t actuator, const char *mode) {
    size_t n = 0;
    for (size_t i = 0; i < b->log.rows.count; i++) {
        const record *r = &b->log.rows.items[i];
        n += r->COMMAND.actuator == actuator && strcmp(r->COMMAND.mode, mode) == 0;
    }
    return n;
}

static int64_t joint_object(const bench *b, size_t joint) {
    return b->ids.parts.joints[joint];
}

static void joints_take_positions_velocities_and_torques(void **state) {
    (void)state;
    bench b;
    bench_open(&b);
    size_t j = b.g.robot->arms[0].joints[6];
    for (int k = 0; k < 25; k++) {
        command c = {.kind = COMMAND_JOINT,
                     .joint = {.joint = j, .velocity = 0.4, .mode = JOINT_VELOCITY}};
        assert_int_equal(tell(&b, c), OK);
        cycle(&b);
    }
    assert_true(fabs(sim_joint_velocities(b.g.sim)[j] - 0.4) < 0.01);
    for (int k = 0; k < 25; k++) {
        command c = {.kind = COMMAND_JOINT,
                     .joint = {.joint = j, .effort = 0.5, .mode = JOINT_TORQUE}};
        assert_int_equal(tell(&b, c), OK);
        cycle(&b);
    }
    assert_true(fabs(sim_joint_efforts(b.g.sim)[j] - 0.5) < 0.05);
    double q = sim_joint_positions(b.g.sim)[j];
    for (int k = 0; k < 25; k++) {
        command c = {.kind = COMMAND_JOINT, .joint = {.joint = j, .position = q}};
        assert_int_equal(tell(&b, c), OK);
        cycle(&b);
    }
    assert_true(fabs(sim_joint_positions(b.g.sim)[j] - q) < 1e-3);
    error err = {0};
    assert_int_equal(body_flush(b.body, &err), OK);
    const char *modes[3] = {"velocity", "torque", "position"};
    for (int k = 0; k < 3; k++) {
        size_t n = rows(&b, joint_object(&b, j), modes[k]);
        assert_true(n >= 1 && n <= 2); // what does not change is told once
    }
    bench_close(&b);
}

static void an_arm_takes_an_impedance_and_its_log_stays_small(void **state) {
    (void)state;
    bench b;
    bench_open(&b);
    const robot_model *r = b.g.robot;
    pose links[64];
    robot_forward(r, POSE_IDENTITY, sim_joint_positions(b.g.sim), links);
    pose start = robot_tool(r, 0, links);
    command c = {.kind = COMMAND_IMPEDANCE,
                 .impedance = {.arm = 0,
                               .target = start,
                               .stiffness = {600, 600, 600},
                               .rotation = {40, 40, 40},
                               .frame = {1, 0, 0, 0},
                               .damping = 1}};
    for (int k = 0; k < 100; k++) { // straight up, then held
        c.impedance.target.p.z = start.p.z + 0.001 * fmin(k, 50);
        assert_int_equal(tell(&b, c), OK);
        cycle(&b);
    }
    robot_forward(r, POSE_IDENTITY, sim_joint_positions(b.g.sim), links);
    assert_true(v3_distance(robot_tool(r, 0, links).p, c.impedance.target.p) < 2e-3);
    c.impedance.force = v3(0, 0, -5);
    for (int k = 0; k < 50; k++, cycle(&b))
        assert_int_equal(tell(&b, c), OK);
    robot_forward(r, POSE_IDENTITY, sim_joint_positions(b.g.sim), links);
    double sunk = c.impedance.target.p.z - robot_tool(r, 0, links).p.z;
    assert_true(fabs(sunk - 5.0 / 600) < 1e-3);
    // A joint of the arm takes over.
    size_t j = r->arms[0].joints[6];
    command one = {.kind = COMMAND_JOINT,
                   .joint = {.joint = j, .position = sim_joint_positions(b.g.sim)[j]}};
    assert_int_equal(tell(&b, one), OK);
    cycle(&b);
    int64_t tool = b.ids.parts.hands[0].gripper;
    assert_int_equal(rows(&b, tool, "impedance"), 2); // where it began, and where it turned
    assert_int_equal(rows(&b, tool, "force"), 2);
    bench_close(&b);
}

static void commands_that_make_no_sense_are_refused(void **state) {
    (void)state;
    bench b;
    bench_open(&b);
    command joint = {.kind = COMMAND_JOINT, .joint = {.joint = 0, .position = 0}};
    joint.joint.effort = NAN;
    assert_int_equal(tell(&b, joint), E_USAGE);
    joint.joint.effort = 0;
    joint.joint.joint = b.g.robot->joint_count;
    assert_int_equal(tell(&b, joint), E_USAGE);
    const impedance good = {
        .arm = 0, .target = POSE_IDENTITY, .frame = {1, 0, 0, 0}, .stiffness = {1, 1, 1}};
    impedance bad[6] = {good, good, good, good, good, good};
    bad[0].arm = 2;
    bad[1].stiffness.y = -1;
    bad[2].frame.w = 0;
    bad[3].target.p.x = NAN;
    bad[4].damping = INFINITY;
    bad[5].drawn = true;
    bad[5].posture[2] = NAN;
    for (int k = 0; k < 6; k++)
        assert_int_equal(tell(&b, (command){.kind = COMMAND_IMPEDANCE, .impedance = bad[k]}),
                         E_USAGE);
    assert_int_equal(b.log.rows.count, 0);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_take_positions_velocities_and_torques),
        cmocka_unit_test(an_arm_takes_an_impedance_and_its_log_stays_small),
        cmocka_unit_test(commands_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

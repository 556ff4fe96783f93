// tests/sense/test_torques.c - what an arm feels of contacts by the torques of its joints, against
// the contacts that there are.
#include <math.h>

#include "base/math/rng.h"
#include "projector/sense/arm_observer.h"
#include "tests/world/rig.h"

#define RIG_PRESS FORESEE_SOURCE_DIR "/tests/scenes/press.yaml"
enum { READING = 10 }; // steps
static const double GAIN = 10;

typedef struct feeling {
    rig g;
    double home[64];
    robot_model moved; // the robot, which begins where its left arm is at hand
    arm_observer *observer;
    uint64_t steps;
    double encoder_noise, torque_noise;
    double joints[2][7];    // estimates of the last step: by the observer, direct
    vec3 force[2], truth;   // means over the last reading: as estimated by both, as it is
    vec3 moment[2], turned; // about the tool
} feeling;

static void feeling_open(feeling *f, double encoder_noise, double torque_noise) {
    static const double POSTURE[7] = {0.3, 0.5, 0, -1.2, 0, 0.7, 0};
    *f = (feeling){.encoder_noise = encoder_noise, .torque_noise = torque_noise};
    rig_load(&f->g, RIG_PRESS, NULL);
    robot_model *own = f->g.robot;
    assert_true(own->joint_count <= 64);
    memcpy(f->home, own->home, own->joint_count * sizeof *f->home);
    for (int k = 0; k < 7; k++)
        f->home[own->arms[0].joints[k]] = POSTURE[k];
    f->moved = *own;
    f->moved.home = f->home;
    f->g.robot = &f->moved;
    rig_start(&f->g);
    f->g.robot = own;
    arm_observer_create(own, 0, f->g.world->gravity, GAIN, &f->observer);
}

static void feeling_close(feeling *f) {
    arm_observer_destroy(f->observer);
    rig_close(&f->g);
}

static pose tool_now(const rig *g) {
    pose links[64];
    robot_forward(g->robot, sim_base(g->sim), sim_joint_positions(g->sim), links);
    return robot_tool(g->robot, 0, links);
}

// What contacts do to the left hand, about its tool.
static void true_wrench(const feeling *f, vec3 *force, vec3 *moment) {
    const sim *s = f->g.sim;
    size_t count, palm = sim_entity_palm(s, 0);
    const sim_contact *all = sim_contacts(s, &count);
    vec3 tool = tool_now(&f->g).p;
    *force = *moment = v3(0, 0, 0);
    for (size_t i = 0; i < count; i++) {
        bool a = all[i].a >= palm && all[i].a < palm + 3,
             b = all[i].b >= palm && all[i].b < palm + 3;
        if (a == b)
            continue;
        vec3 on = b ? all[i].force : v3_scale(all[i].force, -1);
        *force = v3_add(*force, on);
        *moment = v3_add(*moment, v3_cross(v3_sub(all[i].point, tool), on));
    }
}

// One step of the world, and of the observer with what it measures.
static void feeling_step(feeling *f) {
    const robot_arm *a = &f->g.robot->arms[0];
    rig_step(&f->g);
    rng_key key = rng_key_make(7, "test", "torques");
    double q[64], torque[7];
    for (size_t j = 0; j < f->g.robot->joint_count; j++)
        q[j] = sim_joint_positions(f->g.sim)[j] +
               f->encoder_noise * rng_normal(key, f->steps, (uint32_t)j);
    for (size_t k = 0; k < a->joint_count; k++)
        torque[k] = sim_joint_torque(f->g.sim, a->joints[k]) +
                    f->torque_noise * rng_normal(key, f->steps, 100 + (uint32_t)k);
    arm_observer_step(f->observer, q, torque, seconds(RIG_STEP));
    memcpy(f->joints[0], arm_observer_momentum(f->observer), sizeof f->joints[0]);
    memcpy(f->joints[1], arm_observer_direct(f->observer), sizeof f->joints[1]);
    f->steps++;
}

// Steps for one reading, and takes its means.
static void feeling_read(feeling *f) {
    double sum[2][7] = {{0}};
    f->truth = f->turned = v3(0, 0, 0);
    for (int i = 0; i < READING; i++) {
        feeling_step(f);
        vec3 force, moment;
        true_wrench(f, &force, &moment);
        f->truth = v3_add(f->truth, v3_scale(force, 1.0 / READING));
        f->turned = v3_add(f->turned, v3_scale(moment, 1.0 / READING));
        for (int w = 0; w < 2; w++)
            for (int k = 0; k < 7; k++)
                sum[w][k] += f->joints[w][k] / READING;
    }
    arm_observer_wrenches(f->observer, sum, 2, f->force, f->moment);
}

static sim_impedance springs(pose target) {
    return (sim_impedance){.target = target,
                           .stiffness = v3(1000, 1000, 1000),
                           .rotation = v3(60, 60, 60),
                           .frame = {1, 0, 0, 0},
                           .damping = 1};
}

static void go_over_table(feeling *f, double height) {
    sim_impedance i =
        springs((pose){v3(0.6, 0.3, 0.72 + height), quat_axis_angle(v3(1, 0, 0), PI)});
    sim_set_impedance(f->g.sim, 0, &i, NANOS_PER_SECOND);
}

// Moves the tool freely for two seconds, and adds up the squares of what the estimates say.
static void reach_over_table(feeling *f, double square[2]) {
    go_over_table(f, 0.15);
    for (int n = 0; n < 100; n++) {
        feeling_read(f);
        assert_true(v3_length(f->truth) == 0);
        for (int w = 0; w < 2; w++)
            square[w] += v3_dot(f->force[w], f->force[w]);
    }
}

// Presses on the table below.
static void press_with(feeling *f, double newtons) {
    pose here = tool_now(&f->g);
    sim_impedance i = springs(here);
    i.stiffness.z = 0;
    i.force = v3(0, 0, -newtons);
    sim_set_impedance(f->g.sim, 0, &i, 0);
}

static void meet_table(feeling *f, double newtons) {
    go_over_table(f, 0.022);
    for (int n = 0; n < 100; n++)
        feeling_read(f);
    press_with(f, newtons);
    for (int n = 0; n < 100; n++)
        feeling_read(f);
}

static void a_motion_is_no_contact_to_the_observer_and_is_one_to_the_direct_estimate(void **state) {
    (void)state;
    static const double NOISES[2][2] = {{0, 0}, {1e-4, 0.05}}; // encoders, torques
    for (int k = 0; k < 2; k++) {
        feeling f;
        feeling_open(&f, NOISES[k][0], NOISES[k][1]);
        double square[2] = {0};
        reach_over_table(&f, square);
        double observer = sqrt(square[0] / 100), direct = sqrt(square[1] / 100);
        print_message("free motion, noise %g: observer %.3f N, direct %.3f N, ratio %.1f\n",
                      NOISES[k][0], observer, direct, direct / observer);
        assert_true(direct > 0.5);
        assert_true(direct >= 3 * observer);
        feeling_close(&f);
    }
}

static void a_contact_at_rest_is_felt_within_five_percent(void **state) {
    (void)state;
    feeling f;
    feeling_open(&f, 1e-4, 0.05);
    double square[2] = {0};
    reach_over_table(&f, square);
    meet_table(&f, 20);
    vec3 felt = v3(0, 0, 0), truth = v3(0, 0, 0), moment = v3(0, 0, 0), turned = v3(0, 0, 0);
    for (int n = 0; n < 50; n++) {
        feeling_read(&f);
        felt = v3_add(felt, v3_scale(f.force[0], 1.0 / 50));
        truth = v3_add(truth, v3_scale(f.truth, 1.0 / 50));
        moment = v3_add(moment, v3_scale(f.moment[0], 1.0 / 50));
        turned = v3_add(turned, v3_scale(f.turned, 1.0 / 50));
    }
    print_message("at rest: force off by %.3f of %.2f N, moment by %.4f of %.3f N m\n",
                  v3_distance(felt, truth), v3_length(truth), v3_distance(moment, turned),
                  v3_length(turned));
    assert_true(v3_length(truth) > 15);
    assert_true(v3_distance(felt, truth) < 0.05 * v3_length(truth));
    // A moment of a twentieth of the force at a hand's length of 0.2 m.
    assert_true(v3_distance(moment, turned) < 0.05 * 0.2 * v3_length(truth));
    feeling_close(&f);
}

static void a_step_of_torque_is_felt_by_63_percent_after_the_time_constant(void **state) {
    (void)state;
    feeling f;
    feeling_open(&f, 0, 0);
    const robot_model *r = f.g.robot;
    const double dt = seconds(RIG_STEP);
    arm_observer *o = f.observer;
    double hold[7], pushed[7], none[7] = {0};
    pose links[64];
    robot_forward(r, POSE_IDENTITY, f.home, links);
    for (int n = 0; n < 5000; n++)
        arm_observer_step(o, f.home, none, dt);
    for (size_t k = 0; k < 7; k++) {
        // Without its motors' torques the arm would stand as if something held it.
        hold[k] = arm_observer_direct(o)[k];
        double needs = robot_holding_effort(r, links, f.g.world->gravity, r->arms[0].joints[k]);
        assert_true(fabs(fabs(hold[k]) - needs) < 1e-9);
        pushed[k] = hold[k] - 1 - (double)k; // against a contact's torque of 1 to 7 N m
    }
    for (int n = 0; n < 5000; n++)
        arm_observer_step(o, f.home, hold, dt);
    for (size_t k = 0; k < 7; k++)
        assert_true(fabs(arm_observer_momentum(o)[k]) < 1e-9);
    int reached[2][7] = {{0}};
    for (int n = 1; n <= 500; n++) {
        arm_observer_step(o, f.home, pushed, dt);
        for (size_t k = 0; k < 7; k++) {
            const double *felt[2] = {arm_observer_momentum(o), arm_observer_direct(o)};
            for (int w = 0; w < 2; w++)
                if (!reached[w][k] && felt[w][k] >= (1 - exp(-1)) * (1 + (double)k))
                    reached[w][k] = n;
        }
    }
    for (size_t k = 0; k < 7; k++)
        for (int w = 0; w < 2; w++)
            assert_true(fabs(reached[w][k] * dt - 1 / GAIN) <= dt + 1e-9);
    feeling_close(&f);
}

static void a_step_of_force_is_felt_as_a_filter_of_first_order_passes_it(void **state) {
    (void)state;
    feeling f;
    feeling_open(&f, 0, 0);
    double square[2] = {0}, most = 0, dt = seconds(RIG_STEP), last = 0;
    reach_over_table(&f, square);
    meet_table(&f, 10);
    vec3 truth, moment, felt;
    true_wrench(&f, &truth, &moment);
    double filtered = truth.z, begin = truth.z;
    press_with(&f, 30);
    for (int n = 0; n < 500; n++) {
        feeling_step(&f);
        true_wrench(&f, &truth, &moment);
        filtered += GAIN * dt / (1 + GAIN * dt) * (truth.z - filtered);
        arm_observer_wrenches(f.observer, &f.joints[0], 1, &felt, &moment);
        most = fmax(most, fabs(felt.z - filtered));
        last = truth.z;
    }
    print_message("step of %.1f N: off the filtered truth by at most %.3f N\n", last - begin, most);
    assert_true(last - begin > 15);
    assert_true(most < 0.05 * (last - begin));
    feeling_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_is_no_contact_to_the_observer_and_is_one_to_the_direct_estimate),
        cmocka_unit_test(a_contact_at_rest_is_felt_within_five_percent),
        cmocka_unit_test(a_step_of_torque_is_felt_by_63_percent_after_the_time_constant),
        cmocka_unit_test(a_step_of_force_is_felt_as_a_filter_of_first_order_passes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

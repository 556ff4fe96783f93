// tests/world/test_guard.c - an arm that a person leads against a table, with a margin and without.
#include "tests/world/rig.h"

#define RIG_PRESS FORESEE_SOURCE_DIR "/tests/scenes/press.yaml"
static const double MARGIN = 0.05, PULL = 30; // m, N

typedef struct led {
    double least;   // m, the smallest clearance
    double nearest; // m, at the end
    size_t entity;  // that this is from
    double pull;    // N, of the person in the last step
} led;

// A person leads the left hand over the table, down to below its top, and goes on for two seconds;
// the robot believes its base `off` from where it is, and knows the table or does not.
static led lead_down(double margin, vec3 off, bool known) {
    static const double POSTURE[7] = {0.3, 0.5, 0, -1.2, 0, 0.7, 0};
    static double home[64];
    static robot_model moved;
    rig g;
    rig_load(&g, RIG_PRESS, NULL);
    world_body *bodies = (world_body *)g.world->bodies; // the loader's, and not yet read
    bodies[rig_body(&g, "table")].known = known;
    robot_model *own = g.robot;
    assert_true(own->joint_count <= 64);
    memcpy(home, own->home, own->joint_count * sizeof *home);
    for (int k = 0; k < 7; k++)
        home[own->arms[0].joints[k]] = POSTURE[k];
    moved = *own;
    moved.home = home;
    g.robot = &moved;
    rig_start(&g);
    g.robot = own;
    pose links[64], base = sim_base(g.sim);
    robot_forward(own, POSE_IDENTITY, home, links);
    pose start = robot_tool(own, 0, links);
    sim_impedance springs = {.target = start,
                             .rotation = v3(60, 60, 60),
                             .frame = {1, 0, 0, 0},
                             .damping = 1,
                             .margin = margin,
                             .place = {v3_add(base.p, off), base.q}};
    led l = {.least = INFINITY};
    vec3 over = v3(0.6, 0.3, 0.95), under = v3(0.6, 0.3, 0.6);
    for (int n = 0; n < 300; n++) { // cycles
        double there = fmin(1, n / 100.0), down = fmin(1, fmax(0, n / 100.0 - 1));
        vec3 to = v3_add(start.p, v3_scale(v3_sub(over, start.p), there));
        to = v3_add(to, v3_scale(v3_sub(under, over), down));
        sim_set_impedance(g.sim, 0, &springs, 10 * RIG_STEP);
        sim_lead(g.sim, 0, to, PULL);
        for (int k = 0; k < 10; k++)
            rig_step(&g);
        l.nearest = sim_clearance(g.sim, 0, 1, &l.entity);
        l.least = fmin(l.least, l.nearest);
    }
    vec3 pull;
    sim_led(g.sim, 0, &pull);
    l.pull = v3_length(pull);
    l.entity = l.entity == rig_body(&g, "table");
    rig_close(&g);
    return l;
}

static void a_margin_keeps_an_arm_off_the_table_that_a_person_leads_it_against(void **state) {
    (void)state;
    led kept = lead_down(MARGIN, v3(0, 0, 0), true), free_arm = lead_down(0, v3(0, 0, 0), true);
    print_message("with a margin: %.1f mm at least, %.1f at the end, pulled by %.1f N; without: "
                  "%.1f mm\n",
                  1e3 * kept.least, 1e3 * kept.nearest, kept.pull, 1e3 * free_arm.least);
    // The person pulls with all that there is, and the arm stands off the table.
    assert_true(fabs(kept.pull - PULL) < 0.5 && kept.entity);
    assert_true(kept.least >= 0.03 && kept.nearest < MARGIN);
    assert_true(free_arm.least < 1e-4);
}

static void the_margin_is_kept_from_where_the_robot_believes_things_to_be(void **state) {
    (void)state;
    led right = lead_down(MARGIN, v3(0, 0, 0), true),
        high = lead_down(MARGIN, v3(0, 0, 0.02), true);
    // Believed 20 mm too high, the arm comes 20 mm closer.
    assert_true(fabs(right.nearest - high.nearest - 0.02) < 0.002);
    // Of what it does not know it keeps no distance.
    assert_true(lead_down(MARGIN, v3(0, 0, 0), false).least < 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_margin_keeps_an_arm_off_the_table_that_a_person_leads_it_against),
        cmocka_unit_test(the_margin_is_kept_from_where_the_robot_believes_things_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

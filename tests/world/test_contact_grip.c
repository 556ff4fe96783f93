// tests/world/test_contact_grip.c - when a grip by friction slips, how it creeps, and what rides on
// a tray.
#include "tests/world/contact_cases.h"

static void slip_begins_within_two_percent_of_coulomb_in_three_directions(void **state) {
    (void)state;
    static const double masses[3] = {0.2, 0.4, 1}, forces[3] = {8, 20, 45},
                        accelerations[3] = {0.3, 1, 2};
    for (int k = 0; k < 2; k++)
        for (int t = 0; t < 3; t++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    grip_case c = {case_shape(k ? SHAPE_CYLINDER : SHAPE_BOX), masses[i], forces[j],
                                   accelerations[(i + j) % 3], CASE_TURNS[t]};
                    case_slip_onset(&c, 0.02);
                }
}

static void a_held_thing_creeps_at_most_a_tenth_of_a_millimetre_in_ten_seconds(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int t = 0; t < 3; t++) {
            double crept =
                case_creep(case_shape(k ? SHAPE_CYLINDER : SHAPE_BOX), 0.4, 10, CASE_TURNS[t], 10);
            if (crept > 1e-4)
                fail_msg("%s turned by %g creeps %.3f mm", k ? "cylinder" : "box", CASE_TURNS[t],
                         1e3 * crept);
        }
}

// ---- A tray of plates -----------------------------------------------------------------------

// Four plates on a tray that lies on the flat top of a base, which accelerates to a speed, rolls on
// and brakes as hard. Returns how far a plate got from its place on the tray at most, and how many
// lie on the floor in the end.
static double tray_ride(double acceleration, double speed, int *fallen) {
    static made m;
    static shape top;
    made_open(&m);
    m.robot.base_max_acceleration = acceleration;
    m.robot.base_max_force = 5000;
    m.world.robot_at = POSE_IDENTITY;
    top =
        (shape){.kind = SHAPE_BOX, .at = {v3(0, 0, 0.3), {1, 0, 0, 0}}, .size = v3(0.5, 0.5, 0.2)};
    m.links[0].shapes = &top;
    m.links[0].shape_count = 1;
    size_t plate[4];
    made_floor(&m);
    size_t tray = made_add(&m, "tray", SHAPE_BOX, v3(0.4, 0.3, 0.02), v3(0, 0, 0.41), 0.8);
    m.types[tray].friction = 0.9; // 0.67 on the base
    m.types[tray].material = "tray";
    m.friction = 0.3;
    for (int i = 0; i < 4; i++) {
        plate[i] = made_add(&m, "plate", SHAPE_CYLINDER, v3(0.11, 0, 0.02),
                            v3(0, 0, 0.43 + 0.02 * i), 0.3);
        m.types[plate[i]].material = "plate";
    }
    static const material_pair pairs[] = {{"plate", "tray", 0.3}, {"plate", "plate", 0.3}};
    m.world.pairs = pairs;
    m.world.pair_count = 2;
    made_start(&m);
    made_run(&m, 0.5);
    vec3 start[4];
    for (int i = 0; i < 4; i++)
        start[i] = v3_sub(made_at(&m, plate[i]), made_at(&m, tray));
    double most = 0, ramp = speed / acceleration;
    for (double time = 0; time < 2 * ramp + 1.5; time += 0.002) {
        sim_set_base(m.sim, time < ramp + 0.5 ? speed : 0, 0, 0);
        made_step(&m);
        for (int i = 0; i < 4; i++) {
            vec3 now = v3_sub(made_at(&m, plate[i]), made_at(&m, tray));
            most = fmax(most, v3_distance(now, start[i]));
        }
    }
    *fallen = 0;
    for (int i = 0; i < 4; i++)
        *fallen += made_at(&m, plate[i]).z < 0.2;
    vec3 base = sim_base(m.sim).p, t = made_at(&m, tray);
    assert_true(hypot(base.x - t.x, base.y - t.y) < 0.02); // the tray itself stays
    made_close(&m);
    return most;
}

static void four_plates_on_a_tray_ride_out_a_slow_trip_and_fall_with_an_abrupt_one(void **state) {
    (void)state;
    int fallen;
    const double limit = 0.3 * MADE_G; // 2.94 m/s2
    for (double a = 0.5; a < 0.99 * limit; a += 0.3) {
        made_near(tray_ride(a, 1.2, &fallen), 0, 1e-3, "plates that ride");
        assert_int_equal(fallen, 0);
    }
    for (double a = 3.3; a < 4.5; a += 0.3) { // until they are as fast as the tray
        double exact = 1.2 * 1.2 / 2 * (1 / limit - 1 / a);
        made_near(tray_ride(a, 1.2, &fallen), exact, 0.02 * exact, "plates that slide");
    }
    tray_ride(5.5, 2, &fallen);
    assert_int_equal(fallen, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slip_begins_within_two_percent_of_coulomb_in_three_directions),
        cmocka_unit_test(a_held_thing_creeps_at_most_a_tenth_of_a_millimetre_in_ten_seconds),
        cmocka_unit_test(four_plates_on_a_tray_ride_out_a_slow_trip_and_fall_with_an_abrupt_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// tests/world/test_spin.c - a body that nothing touches keeps its energy and its angular momentum.
#include "tests/world/made.h"

// With the velocities half a step before the poses, both are those of that moment.
static void spin_of(const made *m, size_t body, vec3 *momentum, double *energy) {
    vec3 v, w;
    sim_velocity(m->sim, body, &v, &w);
    pose at = sim_pose(m->sim, body);
    quat before = quat_mul(quat_exp(v3_scale(w, -0.001)), at.q);
    mat3 r = quat_matrix(before), back = mat3_transpose(&r);
    mat3 half = mat3_mul(&r, &m->types[body].inertia), i = mat3_mul(&half, &back);
    *momentum = mat3_apply(&i, w);
    *energy = v3_dot(w, *momentum) / 2;
}

static void a_body_that_tumbles_for_twenty_seconds_keeps_energy_and_momentum(void **state) {
    (void)state;
    const vec3 sizes[3] = {{0.1, 0.2, 0.3}, {0.02, 0.2, 0.25}, {0.1, 0.1, 0.3}};
    const vec3 spins[3] = {{0.1, 8, 0.1}, {5, 6, 7}, {20, 0.3, 9}};
    for (int k = 0; k < 9; k++) {
        static made m;
        made_open(&m);
        m.gravity = v3(0, 0, 0);
        size_t box = made_add(&m, "box", SHAPE_BOX, sizes[k / 3], v3(0, 0, 0), 1);
        m.sleepless = true;
        made_start(&m);
        made_throw(&m, box, v3(0, 0, 0), spins[k % 3]);
        made_step(&m);
        vec3 l0, l;
        double e0, e, worst = 0, turned = 0;
        spin_of(&m, box, &l0, &e0);
        for (int i = 0; i < 10000; i++) {
            made_step(&m);
            spin_of(&m, box, &l, &e);
            worst = fmax(worst, fabs(e / e0 - 1));
            turned = fmax(turned, v3_distance(l, l0) / v3_length(l0));
        }
        made_near(worst, 0, 1e-4, "energy");
        made_near(turned, 0, 1e-4, "angular momentum");
        made_close(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_that_tumbles_for_twenty_seconds_keeps_energy_and_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

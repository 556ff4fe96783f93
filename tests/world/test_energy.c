// tests/world/test_energy.c - a free arm keeps its energy: no friction, no control, gravity alone.
//
// Velocities stand half a step before positions, so the kinetic energy at a position is that of the
// mean of the velocities on both sides. The drift is held against the energy that goes to and fro:
// the difference between the highest and the lowest potential energy of the motion.
#include "tests/world/arm.h"

#define ROBOT FORESEE_SOURCE_DIR "/examples/robots/two_arms.yaml"

static double kinetic(const arm *a, const double *qd) {
    double inertia[ARM_JOINTS_MAX * ARM_JOINTS_MAX], sum = 0;
    int nodes[ARM_JOINTS_MAX];
    for (int i = 0; i < a->count; i++)
        nodes[i] = i;
    aba_inertia(&a->tree, nodes, a->count, inertia);
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < a->count; j++)
            sum += qd[i] * inertia[i * a->count + j] * qd[j] / 2;
    return sum;
}

static double potential(const arm *a) {
    double sum = 0;
    for (int i = 0; i < a->count; i++) {
        const aba_node *n = &a->nodes[i];
        sum += 9.81 * n->mass * (n->p.z + mat3_apply(&n->r, n->com).z);
    }
    return sum;
}

// The largest change of the total energy within ten seconds, over the energy turned over.
static double drift(double dt, unsigned seed) {
    arm a;
    arm_open(&a, ROBOT);
    for (int i = 0; i < a.count; i++)
        a.nodes[i].q = 2 * arm_noise(&seed);
    double start = 0, low = INFINITY, high = -INFINITY, far = 0;
    for (int k = 0; k < (int)(10 / dt + 0.5); k++) {
        double qd[ARM_JOINTS_MAX];
        aba_kinematics(&a.tree, v3(0, 0, 0));
        aba_solve(&a.tree, dt);
        for (int i = 0; i < a.count; i++)
            qd[i] = a.nodes[i].qd + dt * a.nodes[i].qdd / 2;
        double up = potential(&a), total = up + kinetic(&a, qd);
        aba_finish(&a.tree, dt);
        if (k == 0)
            start = total;
        low = fmin(low, up), high = fmax(high, up);
        far = fmax(far, fabs(total - start));
    }
    arm_close(&a);
    return far / (high - low);
}

static void a_free_arm_keeps_its_energy_and_better_so_with_smaller_steps(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 3; seed++) {
        double coarse = drift(2e-3, seed), middle = drift(1e-3, seed), fine = drift(5e-4, seed);
        assert_true(coarse < 0.01);
        assert_true(middle < coarse && fine < middle);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_arm_keeps_its_energy_and_better_so_with_smaller_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

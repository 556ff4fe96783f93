// tests/world/test_mujoco.c - an arm's dynamics against MuJoCo's: mass matrix, inverse dynamics and
// accelerations.
#include "tests/world/arm.h"
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <unistd.h>

#define ROBOT FORESEE_SOURCE_DIR "/examples/robots/two_arms.yaml"
enum { STATES = 200 };
static const double DT = 0.002, NEAR = 1e-6;

typedef struct twin {
    arm arm;
    mjModel *model;
    mjData *data;
} twin;

// The chain of `nodes` as MJCF.
static void write_mjcf(const arm *a, FILE *out) {
    fprintf(out, "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/>"
                 "<option gravity=\"0 0 -9.81\"/><worldbody>\n");
    for (int i = 0; i < a->count; i++) {
        const aba_node *n = &a->nodes[i];
        quat q = quat_from_matrix(&n->origin_r);
        fprintf(out,
                "<body pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\">\n"
                "<joint type=\"%s\" axis=\"%.17g %.17g %.17g\" armature=\"%.17g\"/>\n"
                "<inertial pos=\"%.17g %.17g %.17g\" mass=\"%.17g\" "
                "fullinertia=\"%.17g %.17g %.17g %.17g %.17g %.17g\"/>\n",
                n->origin_p.x, n->origin_p.y, n->origin_p.z, q.w, q.x, q.y, q.z,
                n->slides ? "slide" : "hinge", n->axis.x, n->axis.y, n->axis.z, n->armature,
                n->com.x, n->com.y, n->com.z, n->mass, n->inertia.m[0][0], n->inertia.m[1][1],
                n->inertia.m[2][2], n->inertia.m[0][1], n->inertia.m[0][2], n->inertia.m[1][2]);
    }
    for (int i = 0; i < a->count; i++)
        fprintf(out, "</body>");
    fprintf(out, "</worldbody></mujoco>\n");
}

static int open_twin(void **state) {
    static twin t;
    arm_open(&t.arm, ROBOT);
    char path[] = "/tmp/foresee_arm_XXXXXX", why[1000] = "";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *out = fdopen(fd, "w");
    assert_non_null(out);
    write_mjcf(&t.arm, out);
    fclose(out);
    t.model = mj_loadXML(path, NULL, why, sizeof why);
    unlink(path);
    if (!t.model)
        fail_msg("%s", why);
    assert_int_equal(t.model->nv, t.arm.count);
    t.data = mj_makeData(t.model);
    *state = &t;
    return 0;
}

static int close_twin(void **state) {
    twin *t = *state;
    mj_deleteData(t->data);
    mj_deleteModel(t->model);
    arm_close(&t->arm);
    return 0;
}

// Both in one random state, with one random acceleration.
static void shake(twin *t, unsigned *seed) {
    for (int i = 0; i < t->arm.count; i++) {
        t->data->qpos[i] = t->arm.nodes[i].q = PI * arm_noise(seed);
        t->data->qvel[i] = t->arm.nodes[i].qd = 3 * arm_noise(seed);
        t->data->qacc[i] = 10 * arm_noise(seed);
    }
    aba_kinematics(&t->arm.tree, v3(0.1 * arm_noise(seed), 0.3, -0.2));
}

static double norm(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static void near(const double *x, const double *y, int n) {
    double scale = norm(y, n);
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i] - y[i]) <= NEAR * scale))
            fail_msg("%.12g is not %.12g, of %.3g", x[i], y[i], scale);
}

static void the_mass_matrix_is_mujocos(void **state) {
    twin *t = *state;
    unsigned seed = 5;
    int n = t->arm.count, nodes[ARM_JOINTS_MAX];
    double ours[ARM_JOINTS_MAX * ARM_JOINTS_MAX], theirs[ARM_JOINTS_MAX * ARM_JOINTS_MAX];
    for (int i = 0; i < n; i++)
        nodes[i] = i;
    for (int k = 0; k < STATES; k++) {
        shake(t, &seed);
        mj_forward(t->model, t->data);
        mj_fullM(t->model, theirs, t->data->qM);
        aba_inertia(&t->arm.tree, nodes, n, ours);
        near(ours, theirs, n * n);
    }
}

static void mujocos_inverse_dynamics_give_the_accelerations_back(void **state) {
    twin *t = *state;
    unsigned seed = 6;
    int n = t->arm.count;
    for (int k = 0; k < STATES; k++) {
        shake(t, &seed);
        mj_inverse(t->model, t->data);
        double qdd[ARM_JOINTS_MAX];
        for (int i = 0; i < n; i++)
            t->arm.nodes[i].feedforward = t->data->qfrc_inverse[i];
        aba_solve(&t->arm.tree, DT);
        for (int i = 0; i < n; i++)
            qdd[i] = t->arm.nodes[i].qdd;
        near(qdd, t->data->qacc, n);
    }
}

// tau = M qdd + h, with M and h as the recursion has them, against mj_inverse.
static void inverse_dynamics_are_mujocos(void **state) {
    twin *t = *state;
    unsigned seed = 7;
    int n = t->arm.count, nodes[ARM_JOINTS_MAX];
    for (int i = 0; i < n; i++)
        nodes[i] = i;
    for (int k = 0; k < STATES; k++) {
        shake(t, &seed);
        double inertia[ARM_JOINTS_MAX * ARM_JOINTS_MAX], effort[ARM_JOINTS_MAX];
        aba_inertia(&t->arm.tree, nodes, n, inertia);
        for (int i = 0; i < n; i++)
            t->arm.nodes[i].feedforward = 0;
        aba_solve(&t->arm.tree, DT);
        for (int i = 0; i < n; i++) {
            effort[i] = 0;
            for (int j = 0; j < n; j++)
                effort[i] += inertia[i * n + j] * (t->data->qacc[j] - t->arm.nodes[j].qdd);
        }
        mj_inverse(t->model, t->data);
        near(effort, t->data->qfrc_inverse, n);
    }
}

static void accelerations_under_efforts_are_mujocos(void **state) {
    twin *t = *state;
    unsigned seed = 8;
    int n = t->arm.count;
    for (int k = 0; k < STATES; k++) {
        shake(t, &seed);
        double qdd[ARM_JOINTS_MAX];
        for (int i = 0; i < n; i++)
            t->data->qfrc_applied[i] = t->arm.nodes[i].feedforward = 20 * arm_noise(&seed);
        mj_forward(t->model, t->data);
        aba_solve(&t->arm.tree, DT);
        for (int i = 0; i < n; i++)
            qdd[i] = t->arm.nodes[i].qdd;
        near(qdd, t->data->qacc, n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mass_matrix_is_mujocos),
        cmocka_unit_test(mujocos_inverse_dynamics_give_the_accelerations_back),
        cmocka_unit_test(inverse_dynamics_are_mujocos),
        cmocka_unit_test(accelerations_under_efforts_are_mujocos),
    };
    return cmocka_run_group_tests(tests, open_twin, close_twin);
}

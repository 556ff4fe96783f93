// tests/world/test_aba.c - the articulated-body algorithm against an inverse dynamics written in
// another way.
#include "projector/world/dynamics/aba.h"
#include "tests/testlib.h"

enum { NODES = 9 };
static const double DT = 0.002;

static void near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.12g is not within %g of %.12g", a, tolerance, b);
}

static double noise(unsigned *state) { // in [-1, 1]
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (double)(1u << 23) - 1;
}

// A branching tree of hinges and sliders with no friction, controllers or stops.
static void tree_make(aba *t, aba_node *nodes, aba_contact *contacts, unsigned seed) {
    static const int parents[NODES] = {-1, 0, 1, 2, 1, 4, 5, 4, 0};
    aba_init(t, nodes, NODES, contacts, 8);
    t->gravity = v3(0, 0, -9.81);
    for (int i = 0; i < NODES; i++) {
        vec3 turn = v3(noise(&seed), noise(&seed), noise(&seed));
        double a = 0.02 + 0.01 * noise(&seed), b = 0.03 + 0.01 * noise(&seed);
        nodes[i] =
            (aba_node){.parent = parents[i],
                       .slides = i % 4 == 3,
                       .origin_r = quat_matrix(quat_exp(turn)),
                       .origin_p = v3(0.3 * noise(&seed), 0.3 * noise(&seed), 0.3 * noise(&seed)),
                       .axis = v3_unit(v3(noise(&seed), noise(&seed), 0.3)),
                       .mass = 1.5 + noise(&seed),
                       .com = v3(0.1 * noise(&seed), 0.1 * noise(&seed), 0.1 * noise(&seed)),
                       .inertia = {{{a, 0.001, 0}, {0.001, b, -0.002}, {0, -0.002, 0.04}}},
                       .lower = -INFINITY,
                       .upper = INFINITY,
                       .low = -INFINITY,
                       .high = INFINITY,
                       .q = noise(&seed),
                       .qd = 2 * noise(&seed),
                       .feedforward = 5 * noise(&seed)};
    }
}

// Newton and Euler link by link with ordinary vectors: velocities, accelerations and moments about
// each link's own origin. No spatial algebra.
static void inverse_dynamics(const aba *t, const double *qdd, double *effort) {
    vec3 w[NODES], dw[NODES], a[NODES], force[NODES], moment[NODES], at[NODES], axis[NODES];
    for (int i = 0; i < NODES; i++) {
        const aba_node *n = &t->nodes[i];
        bool root = n->parent < 0;
        const aba_node *up = root ? NULL : &t->nodes[n->parent];
        vec3 w0 = root ? v3(0, 0, 0) : w[n->parent], dw0 = root ? v3(0, 0, 0) : dw[n->parent];
        vec3 a0 = root ? v3_scale(t->gravity, -1) : a[n->parent];
        vec3 p0 = root ? v3(0, 0, 0) : up->p;
        axis[i] = mat3_apply(&n->r, n->axis);
        at[i] = n->p;
        vec3 r = v3_sub(n->p, p0);
        vec3 carried = v3_add(a0, v3_add(v3_cross(dw0, r), v3_cross(w0, v3_cross(w0, r))));
        if (n->slides) {
            w[i] = w0, dw[i] = dw0;
            a[i] = v3_add(carried, v3_add(v3_scale(axis[i], qdd[i]),
                                          v3_scale(v3_cross(w0, axis[i]), 2 * n->qd)));
        } else {
            vec3 spin = v3_scale(axis[i], n->qd);
            w[i] = v3_add(w0, spin);
            dw[i] = v3_add(dw0, v3_add(v3_scale(axis[i], qdd[i]), v3_cross(w0, spin)));
            a[i] = carried;
        }
    }
    for (int i = 0; i < NODES; i++) {
        const aba_node *n = &t->nodes[i];
        vec3 c = mat3_apply(&n->r, n->com);
        vec3 ac = v3_add(a[i], v3_add(v3_cross(dw[i], c), v3_cross(w[i], v3_cross(w[i], c))));
        mat3 back = mat3_transpose(&n->r), half = mat3_mul(&n->r, &n->inertia);
        mat3 inertia = mat3_mul(&half, &back);
        force[i] = v3_scale(ac, n->mass);
        moment[i] =
            v3_add(v3_add(mat3_apply(&inertia, dw[i]), v3_cross(w[i], mat3_apply(&inertia, w[i]))),
                   v3_cross(c, force[i]));
    }
    for (int i = NODES - 1; i >= 0; i--) {
        const aba_node *n = &t->nodes[i];
        effort[i] = v3_dot(axis[i], n->slides ? force[i] : moment[i]) + n->armature * qdd[i];
        if (n->parent < 0)
            continue;
        vec3 r = v3_sub(at[i], at[n->parent]);
        force[n->parent] = v3_add(force[n->parent], force[i]);
        moment[n->parent] = v3_add(moment[n->parent], v3_add(moment[i], v3_cross(r, force[i])));
    }
}

static void accelerations_agree_with_inverse_dynamics(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++) {
        aba t;
        aba_node nodes[NODES];
        aba_contact contacts[8];
        tree_make(&t, nodes, contacts, seed);
        nodes[4].armature = 0.3;
        // The common point may lie anywhere.
        aba_kinematics(&t, v3(0.1 * seed, -0.3, 0.2));
        aba_solve(&t, DT);
        double qdd[NODES], effort[NODES];
        for (int i = 0; i < NODES; i++)
            qdd[i] = nodes[i].qdd;
        inverse_dynamics(&t, qdd, effort);
        for (int i = 0; i < NODES; i++)
            near(effort[i], nodes[i].feedforward, 1e-9);
    }
}

static double energy(const aba *t) {
    double sum = 0;
    for (int i = 0; i < NODES; i++) {
        const aba_node *n = &t->nodes[i];
        vec3 c = v3_add(n->p, mat3_apply(&n->r, n->com)), w = v3(n->v[0], n->v[1], n->v[2]);
        vec3 v = aba_point_velocity(t, n->v, c);
        mat3 back = mat3_transpose(&n->r);
        vec3 own = mat3_apply(&back, w);
        sum += n->mass * (v3_dot(v, v) / 2 - v3_dot(t->gravity, c)) +
               v3_dot(own, mat3_apply(&n->inertia, own)) / 2;
    }
    return sum;
}

static double energy_drift(double dt) {
    aba t;
    aba_node nodes[NODES];
    aba_contact contacts[8];
    tree_make(&t, nodes, contacts, 7);
    for (int i = 0; i < NODES; i++)
        nodes[i].feedforward = 0;
    aba_kinematics(&t, v3(0, 0, 0));
    double start = energy(&t), worst = 0;
    for (double time = 0; time < 0.2; time += dt) {
        aba_solve(&t, dt);
        aba_finish(&t, dt);
        aba_kinematics(&t, v3(0, 0, 0));
        worst = fmax(worst, fabs(energy(&t) - start));
    }
    return worst;
}

static void free_motion_keeps_its_energy_to_first_order(void **state) {
    (void)state;
    double coarse = energy_drift(1e-4), fine = energy_drift(1e-5);
    assert_true(fine < 0.05);
    assert_true(fine < coarse / 5); // an error of the dynamics would not shrink with the step
}

static void a_push_changes_the_twist_as_the_mobility_says(void **state) {
    (void)state;
    aba t;
    aba_node nodes[NODES];
    aba_contact contacts[8];
    for (int node = 0; node < NODES; node++) {
        tree_make(&t, nodes, contacts, 3);
        for (int i = 0; i < NODES; i++) {
            nodes[i].armature = 0.05;
            nodes[i].kp = 500, nodes[i].kd = 20, nodes[i].target = nodes[i].q;
        }
        aba_kinematics(&t, v3(0.1, 0.2, 0.3));
        aba_solve(&t, DT);
        double m[36], before[6], v0[6];
        aba_mobility(&t, node, m);
        aba_twist(&t, node, DT, before);
        memcpy(v0, nodes[node].v, sizeof v0);
        vec3 f = v3(3, -2, 5), torque = v3(0.3, 0.1, -0.2), at = v3(0.4, 0, 0.1);
        aba_push(&t, node, f, torque, at);
        vec3 moment = v3_add(torque, v3_cross(v3_sub(at, t.origin), f));
        double wrench[6] = {moment.x, moment.y, moment.z, f.x, f.y, f.z};
        double acc[6];
        for (int k = 0; k < 6; k++)
            acc[k] = nodes[node].a[k];
        aba_finish(&t, DT);
        for (int k = 0; k < 6; k++) {
            double expected = 0;
            for (int l = 0; l < 6; l++)
                expected += m[6 * k + l] * wrench[l];
            near(nodes[node].push_a[k], expected, 1e-9 * (1 + fabs(expected)));
            near(before[k], v0[k] + DT * acc[k], 1e-12);
        }
    }
}

static void settle(aba *t, int steps, int node, vec3 force, vec3 in_link) {
    for (int k = 0; k < steps; k++) {
        aba_kinematics(t, v3(0, 0, 0));
        aba_solve(t, DT);
        if (node >= 0) {
            vec3 at = v3_add(t->nodes[node].p, mat3_apply(&t->nodes[node].r, in_link));
            aba_push(t, node, force, v3(0, 0, 0), at);
        }
        aba_finish(t, DT);
    }
    aba_kinematics(t, v3(0, 0, 0));
}

static void stiff_controllers_without_armature_are_stable_and_sag_as_they_should(void **state) {
    (void)state;
    aba t;
    aba_node nodes[NODES];
    aba_contact contacts[8];
    tree_make(&t, nodes, contacts, 11);
    t.gravity = v3(0, 0, 0);
    for (int i = 0; i < NODES; i++) {
        nodes[i].feedforward = 0;
        nodes[i].kp = 2000 + 500 * i, nodes[i].kd = 300, nodes[i].target = nodes[i].q;
        nodes[i].coulomb = 0.2, nodes[i].viscous = 0.5;
    }
    vec3 force = v3(4, -7, 9), tip = v3(0.1, 0.05, 0.1);
    settle(&t, 4000, 6, force, tip);
    vec3 at = v3_add(nodes[6].p, mat3_apply(&nodes[6].r, tip));
    for (int i = 0; i < NODES; i++) {
        // J^T F: the joints on the way to the node feel it, the others do not.
        bool on_path = i == 0 || i == 1 || i == 4 || i == 5 || i == 6;
        vec3 axis = mat3_apply(&nodes[i].r, nodes[i].axis);
        vec3 column = nodes[i].slides ? axis : v3_cross(axis, v3_sub(at, nodes[i].p));
        double sag = on_path ? v3_dot(column, force) / nodes[i].kp : 0;
        near(nodes[i].q - nodes[i].target, sag, 1e-5);
        assert_true(fabs(nodes[i].qd) < 1e-6);
    }
}

static void efforts_stay_within_their_limits(void **state) {
    (void)state;
    aba t;
    aba_node nodes[NODES];
    aba_contact contacts[8];
    tree_make(&t, nodes, contacts, 5);
    for (int i = 0; i < NODES; i++) {
        nodes[i].feedforward = 0;
        nodes[i].kp = 5000, nodes[i].kd = 100, nodes[i].target = nodes[i].q + 0.5;
        nodes[i].low = -8, nodes[i].high = 8, nodes[i].armature = 0.1;
    }
    bool reached = false;
    for (int k = 0; k < 300; k++) {
        aba_kinematics(&t, v3(0, 0, 0));
        aba_solve(&t, DT);
        aba_finish(&t, DT);
        for (int i = 0; i < NODES; i++) {
            assert_true(fabs(nodes[i].effort) <= 8 + 1e-9);
            reached |= fabs(nodes[i].effort) > 7.99;
        }
    }
    assert_true(reached);
}

// One hinge along y with a rod of 0.5 m along x.
static void rod_make(aba *t, aba_node *node, aba_contact *contacts) {
    aba_init(t, node, 1, contacts, 8);
    t->gravity = v3(0, 0, -9.81);
    *node = (aba_node){.parent = -1,
                       .origin_r = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                       .axis = v3(0, 1, 0),
                       .mass = 2,
                       .com = v3(0.25, 0, 0),
                       .inertia = {{{0.001, 0, 0}, {0, 0.05, 0}, {0, 0, 0.05}}},
                       .lower = -INFINITY,
                       .upper = INFINITY,
                       .low = -INFINITY,
                       .high = INFINITY};
}

static void a_rod_rests_on_its_stop(void **state) {
    (void)state;
    aba t;
    aba_node node;
    aba_contact contacts[8];
    rod_make(&t, &node, contacts);
    node.upper = 0.4; // downwards
    node.stop_stiffness = 1e4, node.stop_damping = 100;
    settle(&t, 2000, -1, v3(0, 0, 0), v3(0, 0, 0));
    double load = 2 * 9.81 * 0.25 * cos(node.q);
    near(node.q - 0.4, load / 1e4, 1e-6);
}

static void a_rod_rests_on_a_post_with_the_force_of_its_weight(void **state) {
    (void)state;
    aba t;
    aba_node node;
    aba_contact contacts[8];
    rod_make(&t, &node, contacts);
    double force = 0;
    for (int k = 0; k < 2000; k++) {
        aba_kinematics(&t, v3(0, 0, 0));
        vec3 tip = v3_add(node.p, mat3_apply(&node.r, v3(0.5, 0, 0)));
        if (tip.z < -0.1)
            aba_contact_add(&t, &(aba_contact){.node = 0,
                                               .other = -1,
                                               .point = tip,
                                               .normal = v3(0, 0, 1),
                                               .depth = -0.1 - tip.z,
                                               .stiffness = 2e4,
                                               .damping = 200,
                                               .mu = 0});
        aba_solve(&t, DT);
        aba_finish(&t, DT);
        force = t.contact_count ? t.contacts[0].force.z : 0;
        assert_true(force >= 0);
    }
    near(force, 2 * 9.81 * 0.25 / 0.5, 1e-3);
}

static void gravity_is_held_by_what_the_controllers_are_fed(void **state) {
    (void)state;
    aba t;
    aba_node nodes[NODES];
    aba_contact contacts[8];
    tree_make(&t, nodes, contacts, 13);
    double mass[NODES] = {0}, start[NODES];
    vec3 com[NODES];
    for (int i = 0; i < NODES; i++)
        nodes[i].qd = 0, start[i] = nodes[i].q, com[i] = v3(0, 0, 0);
    aba_kinematics(&t, v3(0, 0, 0));
    aba_hold_gravity(&t, mass, com);
    aba_solve(&t, DT);
    aba_finish(&t, DT);
    for (int i = 0; i < NODES; i++)
        near(nodes[i].q, start[i], 1e-13);
    // With a load on node 6, its weight as well.
    mass[6] = 3;
    aba_kinematics(&t, v3(0, 0, 0));
    com[6] = v3(0.2, 0.1, 0.4);
    aba_hold_gravity(&t, mass, com);
    aba_solve(&t, DT);
    aba_push(&t, 6, v3_scale(t.gravity, 3), v3(0, 0, 0), com[6]);
    aba_finish(&t, DT);
    for (int i = 0; i < NODES; i++)
        near(nodes[i].q, start[i], 1e-12);
}

// x := a^-1 x, by Gauss.
static void solve_dense(double a[NODES][NODES], double *x) {
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++) {
            double f = j == i ? 0 : a[j][i] / a[i][i];
            for (int k = 0; k < NODES; k++)
                a[j][k] -= f * a[i][k];
            x[j] -= f * x[i];
        }
    for (int i = 0; i < NODES; i++)
        x[i] /= a[i][i];
}

static void springs_through_several_joints_add_their_rows_to_the_inertia(void **state) {
    (void)state;
    static const int chain[5] = {0, 1, 4, 5, 6};
    for (unsigned seed = 1; seed <= 10; seed++) {
        aba t;
        aba_node nodes[NODES];
        aba_contact contacts[8];
        tree_make(&t, nodes, contacts, seed);
        int all[NODES];
        for (int i = 0; i < NODES; i++)
            all[i] = i, nodes[i].armature = 0.02;
        // Without: M qdd = tau - h.
        aba_kinematics(&t, v3(0.2, 0, -0.1));
        double m[NODES][NODES], right[NODES] = {0};
        aba_inertia(&t, all, NODES, m[0]);
        aba_solve(&t, DT);
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++)
                right[i] += m[i][j] * nodes[j].qdd;
        // With: (M + R^T R) qdd = tau - h + effort; joint 4 is at its limit and takes no part.
        aba_spring spring = {.count = 5};
        unsigned other = 3 * seed;
        for (int k = 0; k < 5; k++) {
            spring.nodes[k] = chain[k];
            spring.effort[k] = k == 2 ? 1000 : 10 * noise(&other);
            for (int r = 0; r < ABA_SPRING_ROWS; r++)
                spring.rows[r][k] = 3 * noise(&other);
        }
        nodes[4].high = 30;
        t.springs = &spring;
        t.spring_count = 1;
        aba_solve(&t, DT);
        for (int i = 0; i < 5; i++) {
            right[chain[i]] += i == 2 ? 30 - nodes[4].feedforward : spring.effort[i];
            for (int j = 0; j < 5; j++)
                for (int r = 0; r < ABA_SPRING_ROWS && i != 2 && j != 2; r++)
                    m[chain[i]][chain[j]] += spring.rows[r][i] * spring.rows[r][j];
        }
        solve_dense(m, right);
        assert_true(nodes[4].clamped == 1);
        for (int i = 0; i < NODES; i++)
            near(nodes[i].qdd, right[i], 1e-7 * (1 + fabs(right[i])));
        // Pushes meet the springs too, on their chain and beside it.
        for (int node = 0; node < NODES; node++) {
            double mobility[36];
            aba_solve(&t, DT);
            aba_mobility(&t, node, mobility);
            aba_push(&t, node, v3(0.3, -0.2, 0.5), v3(0.1, 0, 0.2), t.origin);
            double wrench[6] = {0.1, 0, 0.2, 0.3, -0.2, 0.5}, q[NODES], qd[NODES];
            for (int i = 0; i < NODES; i++)
                q[i] = nodes[i].q, qd[i] = nodes[i].qd;
            aba_finish(&t, DT);
            near(nodes[4].effort, 30, 1e-12);
            for (int i = 0; i < NODES; i++)
                nodes[i].q = q[i], nodes[i].qd = qd[i], nodes[i].qdd_before = 0;
            for (int k = 0; k < 6; k++) {
                double expected = 0;
                for (int l = 0; l < 6; l++)
                    expected += mobility[6 * k + l] * wrench[l];
                near(nodes[node].push_a[k], expected, 1e-9 * (1 + fabs(expected)));
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_agree_with_inverse_dynamics),
        cmocka_unit_test(free_motion_keeps_its_energy_to_first_order),
        cmocka_unit_test(a_push_changes_the_twist_as_the_mobility_says),
        cmocka_unit_test(stiff_controllers_without_armature_are_stable_and_sag_as_they_should),
        cmocka_unit_test(efforts_stay_within_their_limits),
        cmocka_unit_test(a_rod_rests_on_its_stop),
        cmocka_unit_test(a_rod_rests_on_a_post_with_the_force_of_its_weight),
        cmocka_unit_test(gravity_is_held_by_what_the_controllers_are_fed),
        cmocka_unit_test(springs_through_several_joints_add_their_rows_to_the_inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// projector/world/impedance.c - an arm's tool on springs: Cartesian impedance through joint
// efforts.
//
// The joint efforts of the arm are
//
//   tau = J^T (K e + D de/dt + w) + N tau_0           (Hogan 1985; Albu-Schaeffer et al. 2007)
//
//   e      the way from the tool to its target, 3 translations and 3 rotations
//   J      the Jacobian of the tool by the arm's joints
//   K, D   stiffness and damping of the springs, 6 x 6
//   w      the force and torque that the command asks for beside the springs
//   tau_0  a soft hold of the posture that is commanded, or that the arm had when the command came
//   N      projects tau_0 onto efforts that do not move the tool (Khatib 1987)
//
// D damps each mode of the springs by the same ratio against the arm's inertia at the tool. With K
// = S S, and M the inverse of that inertia (the mobility), S M S = V diag(omega^2) V^T gives the
// modes, and D = S V diag(2 ratio / omega) V^T S. Both K and D are handed to the step as rows of
// one aba_spring, which takes them implicitly, so that stiff springs are stable.
#include "base/math/jacobi.h"
#include "projector/world/sim_int.h"

enum { AXES = 6, REDESIGN = 10 }; // steps after which the damping is found anew
// The hold of the posture, as shares of the position controllers' stiffness and damping.
static const double SOFT_STIFFNESS = 0.01, SOFT_DAMPING = 0.1;
static const double HEAVIEST =
    1e3; // kg, kg m2: taken where the tool cannot move, whose inertia is infinite
static const double NULL_LEAK =
    1e-4; // 1/kg, added to the mobility, so that it can be inverted for N
static const double HAND_RADIUS = 0.05; // m, of gyration

// Factorises a = l l^T; l takes the place of a's lower triangle. A pivot that is not positive
// counts as tiny.
static void cholesky_factorize(double *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double x = a[i * n + j];
            for (int k = 0; k < j; k++)
                x -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(fmax(x, 1e-12)) : x / a[j * n + j];
        }
}

static void cholesky_solve(const double *l, int n, double *x) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= l[i * n + j] * x[j];
        x[i] /= l[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= l[j * n + i] * x[j];
        x[i] /= l[i * n + i];
    }
}

// Eigenvalues (on the diagonal of a) and eigenvectors (columns of v) of a symmetric matrix.
static void stiffness_eigen(double a[AXES][AXES], double v[AXES][AXES]) {
    for (int i = 0; i < AXES; i++)
        for (int j = 0; j < AXES; j++)
            v[i][j] = i == j;
    jacobi_diagonalise(&a[0][0], &v[0][0], AXES, 20, 1e-12);
}

static const aba_node *base_of(const sim *s, size_t arm) {
    return &s->tree.nodes[machine_of_arm(s, arm)->root + PLANE_NODES - 1];
}

static pose base_frame(const sim *s, size_t arm) {
    const aba_node *n = base_of(s, arm);
    return (pose){n->p, quat_from_matrix(&n->r)};
}

pose arm_tool(const sim *s, size_t arm) {
    const aba_node *n = &s->tree.nodes[s->hands[arm].node];
    pose flange = {n->p, quat_from_matrix(&n->r)}, palm = pose_mul(flange, s->hands[arm].mount);
    palm.p = pose_apply(palm, robot_tool_in_palm(&s->robot->arms[arm].gripper).p);
    return palm;
}

// Where the target is, in the base's frame, and how it moves there.
static pose target_at(const impedance_control *c, nanos t, vec3 *linear, vec3 *angular) {
    *linear = *angular = v3(0, 0, 0);
    if (t >= c->end)
        return c->goal.target;
    double span = seconds(c->end - c->start), u = seconds(t - c->start) / span;
    vec3 way = v3_sub(c->goal.target.p, c->from.p);
    vec3 turn = quat_log(quat_mul(c->goal.target.q, quat_inverse(c->from.q)));
    *linear = v3_scale(way, 1 / span);
    *angular = v3_scale(turn, 1 / span);
    return (pose){v3_add(c->from.p, v3_scale(way, u)),
                  quat_mul(quat_exp(v3_scale(turn, u)), c->from.q)};
}

// The position of the arm's k'th joint that the redundancy is drawn to, and its rate, rad/s or m/s.
static double posture_at(const impedance_control *c, size_t k, nanos t, double *rate) {
    *rate = 0;
    if (t >= c->end)
        return c->posture[k];
    double span = seconds(c->end - c->start), way = c->posture[k] - c->posture_from[k];
    *rate = way / span;
    return c->posture_from[k] + way * seconds(t - c->start) / span;
}

void sim_set_impedance(sim *s, size_t arm, const sim_impedance *i, nanos over) {
    s->commanded = s->now;
    ASSERT(arm < s->robot->arm_count && over >= 0);
    const robot_arm *a = &s->robot->arms[arm];
    impedance_control *c = &s->impedances[arm];
    vec3 linear, angular;
    if (c->on) {
        double rate;
        c->from = target_at(c, s->now, &linear, &angular);
        for (size_t k = 0; k < a->joint_count; k++)
            c->posture_from[k] = posture_at(c, k, s->now, &rate);
    } else {
        c->from = pose_mul(pose_inverse(base_frame(s, arm)), arm_tool(s, arm));
        for (size_t k = 0; k < a->joint_count; k++) {
            c->posture_from[k] = s->tree.nodes[s->first_joint + (int)a->joints[k]].q;
            s->targets[a->joints[k]].mode = CONTROL_IMPEDANCE;
        }
    }
    for (size_t k = 0; k < a->joint_count; k++)
        c->posture[k] = i->drawn ? i->posture[k] : c->posture_from[k];
    c->on = a->joint_count > 0;
    c->goal = *i;
    c->start = s->now;
    c->end = s->now + over;
    c->age = 0;
}

void impedance_end(sim *s, size_t joint) {
    for (size_t i = 0; i < s->robot->arm_count; i++) {
        const robot_arm *a = &s->robot->arms[i];
        bool its = false;
        for (size_t k = 0; k < a->joint_count; k++)
            its |= a->joints[k] == joint;
        if (!its || !s->impedances[i].on)
            continue;
        s->impedances[i].on = false;
        for (size_t k = 0; k < a->joint_count; k++)
            control_hold(s, a->joints[k]);
    }
}

typedef struct tool_axes {
    vec3 tool, axes[3];                                               // world
    double rows[AXES][ARM_JOINTS_MAX], inverse[AXES][ARM_JOINTS_MAX]; // J; J M^-1
    double mobility[AXES][AXES];                                      // J M^-1 J^T
} tool_axes;

static void find_axes(const sim *s, size_t arm, const sim_impedance *goal, double dt,
                      tool_axes *out) {
    const robot_arm *a = &s->robot->arms[arm];
    const hand *h = &s->hands[arm];
    int n = (int)a->joint_count, nodes[ARM_JOINTS_MAX];
    pose base = base_frame(s, arm);
    mat3 frame = quat_matrix(quat_mul(base.q, goal->frame));
    out->tool = arm_tool(s, arm).p;
    for (int i = 0; i < 3; i++)
        out->axes[i] = v3(frame.m[0][i], frame.m[1][i], frame.m[2][i]);
    double inertia[ARM_JOINTS_MAX * ARM_JOINTS_MAX];
    vec3 carried[ARM_JOINTS_MAX], turned[ARM_JOINTS_MAX];
    for (int k = 0; k < n; k++) {
        nodes[k] = s->first_joint + (int)a->joints[k];
        const double *twist = s->tree.nodes[nodes[k]].s;
        vec3 at_tool = aba_point_velocity(&s->tree, twist, out->tool);
        turned[k] = v3(twist[0], twist[1], twist[2]);
        carried[k] = aba_point_velocity(&s->tree, twist, s->extra_com[h->node]);
        for (int i = 0; i < 3; i++) {
            out->rows[i][k] = v3_dot(out->axes[i], at_tool);
            out->rows[3 + i][k] = v3_dot(out->axes[i], turned[k]);
        }
    }
    aba_inertia(&s->tree, nodes, n, inertia);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            inertia[j * n + k] +=
                s->extra_mass[h->node] * (v3_dot(carried[j], carried[k]) +
                                          HAND_RADIUS * HAND_RADIUS * v3_dot(turned[j], turned[k]));
    // The hold of the posture is implicit in the step, which adds to the inertia that the step
    // feels.
    for (int k = 0; k < n; k++)
        inertia[k * n + k] += dt * (s->tree.nodes[nodes[k]].kd + dt * s->tree.nodes[nodes[k]].kp);
    cholesky_factorize(inertia, n);
    for (int i = 0; i < AXES; i++) {
        for (int k = 0; k < n; k++)
            out->inverse[i][k] = out->rows[i][k];
        cholesky_solve(inertia, n, out->inverse[i]);
    }
    for (int i = 0; i < AXES; i++)
        for (int j = 0; j < AXES; j++) {
            out->mobility[i][j] = 0;
            for (int k = 0; k < n; k++)
                out->mobility[i][j] += out->rows[i][k] * out->inverse[j][k];
        }
}

static void find_modes(impedance_control *c, const tool_axes *x) {
    const vec3 *k = &c->goal.stiffness, *r = &c->goal.rotation;
    const double stiffness[AXES] = {k->x, k->y, k->z, r->x, r->y, r->z};
    for (int i = 0; i < AXES; i++)
        c->root[i] = sqrt(stiffness[i]);
    double a[AXES][AXES];
    for (int i = 0; i < AXES; i++)
        for (int j = 0; j < AXES; j++)
            a[i][j] = c->root[i] * c->root[j] * (x->mobility[i][j] + (i == j) / HEAVIEST);
    stiffness_eigen(a, c->modes);
    for (int i = 0; i < AXES; i++)
        c->damping[i] = a[i][i] > 1e-9 ? 2 * c->goal.damping / sqrt(a[i][i]) : 0;
}

// The posture's hold leaves the tool alone: what it would exert there is taken off.
static void free_tool_of_posture(sim *s, size_t arm, const tool_axes *x, aba_spring *spring,
                                 double dt) {
    const robot_arm *a = &s->robot->arms[arm];
    double m[AXES * AXES], y[AXES];
    for (int i = 0; i < AXES; i++) {
        y[i] = 0;
        for (int j = 0; j < AXES; j++)
            m[AXES * i + j] = x->mobility[i][j] + (i == j) * NULL_LEAK;
    }
    for (size_t k = 0; k < a->joint_count; k++) {
        const aba_node *n = &s->tree.nodes[spring->nodes[k]];
        double hold =
            n->kp * (n->target - n->q - dt * n->qd) + n->kd * (n->target_velocity - n->qd);
        for (int i = 0; i < AXES; i++)
            y[i] += x->inverse[i][k] * hold;
    }
    cholesky_factorize(m, AXES);
    cholesky_solve(m, AXES, y);
    for (int i = 0; i < AXES; i++)
        for (size_t k = 0; k < a->joint_count; k++)
            spring->effort[k] -= x->rows[i][k] * y[i];
}

static void step_arm(sim *s, size_t arm, double dt) {
    const robot_arm *a = &s->robot->arms[arm];
    impedance_control *c = &s->impedances[arm];
    aba_spring *spring = &s->tree.springs[s->tree.spring_count++];
    spring->count = (int)a->joint_count;
    for (size_t k = 0; k < a->joint_count; k++) {
        const robot_joint *j = &s->robot->joints[a->joints[k]];
        aba_node *n = &s->tree.nodes[spring->nodes[k] = s->first_joint + (int)a->joints[k]];
        n->kp = SOFT_STIFFNESS * j->kp;
        n->kd = SOFT_DAMPING * j->kd;
        n->target = posture_at(c, k, s->now, &n->target_velocity);
        spring->effort[k] = 0;
    }
    tool_axes x;
    find_axes(s, arm, &c->goal, dt, &x);
    if (c->age++ % REDESIGN == 0)
        find_modes(c, &x);

    // From the tool to its target at the end of the step, as both move now; in the frame's axes.
    pose base = base_frame(s, arm);
    vec3 linear, angular;
    pose target = target_at(c, s->now + nanos_from_seconds(dt), &linear, &angular);
    vec3 place = pose_apply(base, target.p);
    const double *drift = base_of(s, arm)->v, *twist = s->tree.nodes[s->hands[arm].node].v;
    vec3 velocity = v3_sub(aba_point_velocity(&s->tree, twist, x.tool),
                           aba_point_velocity(&s->tree, drift, place));
    vec3 turning = v3_sub(v3(twist[0], twist[1], twist[2]), v3(drift[0], drift[1], drift[2]));
    quat turn = quat_mul(quat_mul(base.q, target.q), quat_inverse(arm_tool(s, arm).q));
    vec3 gap[2] = {v3_sub(v3_sub(place, x.tool), v3_scale(velocity, dt)),
                   v3_sub(quat_log(turn), v3_scale(turning, dt))};
    vec3 slip[2] = {v3_sub(quat_rotate(base.q, linear), velocity),
                    v3_sub(quat_rotate(base.q, angular), turning)};
    vec3 fed[2] = {quat_rotate(base.q, c->goal.force), quat_rotate(base.q, c->goal.torque)};
    double pull[AXES], along[AXES], force[AXES];
    for (int i = 0; i < AXES; i++) {
        pull[i] = c->root[i] * c->root[i] * v3_dot(x.axes[i % 3], gap[i / 3]);
        along[i] = c->root[i] * v3_dot(x.axes[i % 3], slip[i / 3]);
    }
    double most = sqrt(pull[0] * pull[0] + pull[1] * pull[1] + pull[2] * pull[2]);
    double keep = c->goal.effort > 0 && most > c->goal.effort ? c->goal.effort / most : 1;
    for (int i = 0; i < AXES; i++)
        force[i] = (i < 3 ? keep : 1) * pull[i] + v3_dot(x.axes[i % 3], fed[i / 3]);
    for (int m = 0; m < AXES; m++) {
        double speed = 0, implicit = sqrt(dt * c->damping[m] + (c->damping[m] > 0) * dt * dt);
        for (int i = 0; i < AXES; i++)
            speed += c->modes[i][m] * along[i];
        for (int i = 0; i < AXES; i++)
            force[i] += c->root[i] * c->modes[i][m] * c->damping[m] * speed;
        for (size_t k = 0; k < a->joint_count; k++) {
            spring->rows[m][k] = 0;
            for (int i = 0; i < AXES; i++)
                spring->rows[m][k] += implicit * c->modes[i][m] * c->root[i] * x.rows[i][k];
        }
    }
    for (int i = 0; i < AXES; i++)
        for (size_t k = 0; k < a->joint_count; k++)
            spring->effort[k] += x.rows[i][k] * force[i];
    free_tool_of_posture(s, arm, &x, spring, dt);
    guard_arm(s, arm, base, spring);
}

void impedance_step(sim *s, double dt) {
    s->tree.spring_count = 0;
    for (size_t i = 0; i < s->robot->arm_count; i++)
        if (s->impedances[i].on)
            step_arm(s, i, dt);
}

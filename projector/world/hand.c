// projector/world/hand.c - palm and fingers as bodies of ODE, tied to the flange of an arm.
//
// The palm hangs on six motors whose softness is the flange's mobility: within the step it feels
// the arm's inertia and controllers, and the motors' forces go back to the arm in the same step
// (exact.c solves them, with the contacts of the hand). A hand that touches nothing needs none of
// that: it rides on the flange as a part of it, which is what the motors come to, and its fingers
// move as their motors say. Its bodies of ODE are put where it is, and rest until something touches
// it.
#include "base/math/jacobi.h"
#include "projector/world/sim_int.h"

static const double CATCH_UP = 0.2;     // share of the gap between palm and flange closed in a step
static const double BOUND = 2;          // makes up for the coupling of rotation and translation
static const double FINGER_GAIN = 20;   // 1/s
static const double MIRROR_SPEED = 0.3; // m/s
static const double ALMOST_DIAGONAL = 1e-6;
static const double STOP_MARGIN = 1e-3;   // m, of the slider's stops beyond what is commanded
static const double OPEN_FORCE_LEAST = 5; // N, that moves the fingers against their own weight

static const int QUIET_STEPS = 25;   // without a touch, until a hand rides
static const double NO_PUSH = 1e-9;  // N, of a finger on the flange: nothing
static const double TOGETHER = 1e-9; // m and rad, between a palm and where it belongs

static dBodyID body_at(sim *s, collider *c, pose frame, vec3 com, vec3 size) {
    dBodyID b = dBodyCreate(s->ode);
    dMass m;
    dMassSetBoxTotal(&m, c->mass, size.x, size.y, size.z);
    dBodySetMass(b, &m);
    for (int i = 0; i < 3; i++)
        c->inertia.m[i][i] = m.I[5 * i];
    vec3 p = pose_apply(frame, com);
    dQuaternion q;
    quat_to_ode(frame.q, q);
    dBodySetPosition(b, p.x, p.y, p.z);
    dBodySetQuaternion(b, q);
    dBodySetAngularDamping(b, 0);
    dBodySetGyroscopicMode(b, 0); // bodies_spin
    return b;
}

// ---- Riding -----------------------------------------------------------------------------

static vec3 finger_center(const robot_gripper *g, const hand *h, int i) {
    double side = i == 0 ? 1 : -1;
    return v3(0, side * (h->start + h->slide[i] + g->pad_size.y / 2), g->pad_center_z);
}

static void find_burden(const sim *s, hand *h) {
    const robot_gripper *g = &s->robot->arms[s->colliders[h->palm].arm].gripper;
    h->burden = burden_of_box(g->palm_mass, g->palm_size, h->mount, g->palm_center);
    for (int i = 0; i < 2; i++)
        burden_add(&h->burden,
                   burden_of_box(g->pad_mass, g->pad_size, h->mount, finger_center(g, h, i)));
}

// The flange's node is its link with the hands that ride on it; the others are extra masses.
static void flange_burden(sim *s, int node) {
    burden sum = {0};
    for (size_t l = 0; l < s->robot->link_count; l++) {
        const robot_link *link = &s->robot->links[l];
        if (s->colliders[s->first_link + l].node == node)
            burden_add(&sum, (burden){link->mass, link->com, link->inertia});
    }
    s->extra_mass[node] = 0;
    for (size_t a = 0; a < s->robot->arm_count; a++) {
        hand *h = &s->hands[a];
        if (h->node != node)
            continue;
        if (h->rides)
            burden_add(&sum, h->burden);
        else
            s->extra_mass[node] += h->mass;
    }
    aba_load(&s->tree, node, sum.mass, sum.com, &sum.inertia);
}

static pose palm_belongs(const sim *s, const hand *h) {
    const aba_node *flange = &s->tree.nodes[h->node];
    return pose_mul((pose){flange->p, quat_from_matrix(&flange->r)}, h->mount);
}

static void hand_begin_ride(sim *s, hand *h) {
    const collider *palm = &s->colliders[h->palm];
    const dReal *q = dBodyGetQuaternion(palm->body);
    pose has = {from_ode(dBodyGetPosition(palm->body)), {q[0], q[1], q[2], q[3]}};
    has.p = v3_sub(has.p, quat_rotate(has.q, palm->com));
    h->offset = pose_mul(pose_inverse(palm_belongs(s, h)), has);
    for (int i = 0; i < 2; i++) {
        h->slide[i] = dJointGetSliderPosition(h->sliders[i]);
        h->slide_rate[i] = dJointGetSliderPositionRate(h->sliders[i]);
        dBodyDisable(s->colliders[h->fingers[i]].body);
    }
    dBodyDisable(palm->body);
    h->rides = true;
    find_burden(s, h);
}

static void hand_end_ride(sim *s, hand *h) {
    h->unmoved = 0;
    dBodyEnable(s->colliders[h->palm].body);
    for (int i = 0; i < 2; i++)
        dBodyEnable(s->colliders[h->fingers[i]].body);
    h->rides = false;
}

void hands_settle(sim *s) {
    for (size_t a = 0; a < s->robot->arm_count; a++)
        s->hands[a].quiet = s->colliders[s->hands[a].palm].bonds > 0 ? 0 : s->hands[a].quiet + 1;
    for (size_t i = 0; i < s->pairs.count; i++)
        for (int k = 0; k < 2; k++) {
            const collider *c = &s->colliders[k ? s->pairs.items[i].b : s->pairs.items[i].a];
            if (c->kind == COLLIDER_HAND)
                s->hands[c->arm].quiet = 0;
        }
    for (size_t a = 0; a < s->robot->arm_count; a++) {
        hand *h = &s->hands[a];
        bool changes = true;
        if (h->rides && h->quiet == 0)
            hand_end_ride(s, h);
        else if (!h->rides && h->quiet >= QUIET_STEPS && !s->options.bound)
            hand_begin_ride(s, h);
        else if (h->rides && (h->slide_rate[0] != 0 || h->slide_rate[1] != 0))
            find_burden(s, h);
        else
            changes = false;
        if (changes)
            flange_burden(s, h->node);
    }
}

// How fast the fingers' motors want them to move outwards, and with what force at most.
static void finger_wants(const robot_gripper *g, const hand *h, const double slide[2],
                         double speed[2], double force[2]) {
    double p[2] = {h->start + slide[0], h->start + slide[1]};
    speed[0] = clamp(FINGER_GAIN * (h->opening / 2 - p[0]), -g->speed, g->speed);
    speed[1] = clamp(FINGER_GAIN * (p[0] - p[1]), -MIRROR_SPEED, MIRROR_SPEED);
    force[0] = h->force;
    force[1] = 10 * h->force + 100;
}

void hand_slide(sim *s, hand *h, double dt) {
    const robot_gripper *g = &s->robot->arms[s->colliders[h->palm].arm].gripper;
    const dReal *r = dBodyGetRotation(s->colliders[h->palm].body);
    vec3 y = v3(r[1], r[5], r[9]);
    double twist[6], speed[2], force[2];
    aba_twist(&s->tree, h->node, dt, twist);
    finger_wants(g, h, h->slide, speed, force);
    for (int i = 0; i < 2; i++) {
        vec3 out = v3_scale(y, i == 0 ? 1 : -1);
        vec3 at = from_ode(dBodyGetPosition(s->colliders[h->fingers[i]].body));
        vec3 gains = v3_sub(aba_point_velocity(&s->tree, twist, at),
                            aba_point_velocity(&s->tree, s->tree.nodes[h->node].v, at));
        double carried = v3_dot(gains, out) / dt, acc = (speed[i] - h->slide_rate[i]) / dt;
        double needs = g->pad_mass * (acc + carried);
        if (fabs(needs) > force[i])
            acc = clamp(needs, -force[i], force[i]) / g->pad_mass - carried;
        h->slide_rate[i] += dt * acc;
        h->slide[i] += dt * h->slide_rate[i];
        double stopped = fmax(fmin(h->slide[i], STOP_MARGIN), -h->start - STOP_MARGIN);
        if (i == 0 && stopped != h->slide[i])
            h->slide[i] = stopped, h->slide_rate[i] = 0;
        if (fabs(g->pad_mass * acc) > NO_PUSH)
            aba_push(&s->tree, h->node, v3_scale(out, -g->pad_mass * acc), v3(0, 0, 0), at);
    }
}

void hand_feel(sim *s, hand *h) {
    const aba_node *n = &s->tree.nodes[h->node];
    double a[6];
    for (int i = 0; i < 6; i++)
        a[i] = n->a[i] + n->push_a[i];
    vec3 w = v3(n->v[0], n->v[1], n->v[2]), turn = v3(a[0], a[1], a[2]);
    vec3 arm = mat3_apply(&n->r, h->burden.com), com = v3_add(n->p, arm);
    vec3 acc = v3_add(aba_point_velocity(&s->tree, a, com),
                      v3_cross(w, aba_point_velocity(&s->tree, n->v, com)));
    // f = m (g - a); m = arm x f - d(I w)/dt.
    vec3 f = v3_scale(v3_sub(s->world->gravity, acc), h->burden.mass);
    h->wrench_force = mat3_apply_transposed(&n->r, f);
    w = mat3_apply_transposed(&n->r, w);
    turn = mat3_apply_transposed(&n->r, turn);
    vec3 spun = v3_add(mat3_apply(&h->burden.inertia, turn),
                       v3_cross(w, mat3_apply(&h->burden.inertia, w)));
    h->wrench_torque = v3_sub(v3_cross(h->burden.com, h->wrench_force), spun);
}

static void body_put(const sim *s, const hand *h, const collider *c, pose frame, vec3 center) {
    const double *twist = s->tree.nodes[h->node].v;
    vec3 p = pose_apply(frame, center), v = aba_point_velocity(&s->tree, twist, p);
    dQuaternion q;
    quat_to_ode(frame.q, q);
    dBodySetPosition(c->body, p.x, p.y, p.z);
    dBodySetQuaternion(c->body, q);
    dBodySetLinearVel(c->body, v.x, v.y, v.z);
    dBodySetAngularVel(c->body, twist[0], twist[1], twist[2]);
}

static void count_unmoved(hand *h, bool together) {
    bool same = together;
    for (int i = 0; i < 2; i++) {
        same = same && h->slide[i] == h->slide_before[i];
        h->slide_before[i] = h->slide[i];
    }
    h->unmoved = !same ? 0 : h->unmoved < 2 ? h->unmoved + 1 : 2;
}

bool sim_hand_unmoved(const sim *s, size_t arm) {
    return s->hands[arm].unmoved == 2;
}

void hand_place(sim *s, hand *h) {
    const robot_gripper *g = &s->robot->arms[s->colliders[h->palm].arm].gripper;
    pose frame = palm_belongs(s, h);
    vec3 turn = quat_log(h->offset.q);
    bool together = v3_length(h->offset.p) + v3_length(turn) <= TOGETHER;
    count_unmoved(h, together);
    if (!together) {
        h->offset.p = v3_scale(h->offset.p, 1 - CATCH_UP);
        h->offset.q = quat_exp(v3_scale(turn, 1 - CATCH_UP));
        frame = pose_mul(frame, h->offset);
    }
    body_put(s, h, &s->colliders[h->palm], frame, g->palm_center);
    vec3 y = quat_rotate(frame.q, v3(0, 1, 0));
    for (int i = 0; i < 2; i++) {
        const collider *f = &s->colliders[h->fingers[i]];
        body_put(s, h, f, frame, finger_center(g, h, i));
        if (h->slide_rate[i] != 0) {
            vec3 v = v3_add(from_ode(dBodyGetLinearVel(f->body)),
                            v3_scale(y, (i == 0 ? 1 : -1) * h->slide_rate[i]));
            dBodySetLinearVel(f->body, v.x, v.y, v.z);
        }
    }
}

// ---- In ODE -----------------------------------------------------------------------------

void hand_create(sim *s, size_t arm) {
    const robot_gripper *g = &s->robot->arms[arm].gripper;
    hand *h = &s->hands[arm];
    const aba_node *flange = &s->tree.nodes[h->node];
    pose frame = pose_mul((pose){flange->p, quat_from_matrix(&flange->r)}, g->mount);
    collider *palm = &s->colliders[h->palm];
    palm->body = body_at(s, palm, frame, g->palm_center, g->palm_size);
    dBodyID p = palm->body;
    for (int i = 0; i < 3; i++)
        h->linear_axes[i][i] = h->angular_axes[i][i] = 1;
    h->opening = g->max_opening;
    h->force = g->max_force;
    h->start = g->max_opening / 2;
    vec3 y = quat_rotate(frame.q, v3(0, 1, 0));
    for (int i = 0; i < 2; i++) {
        collider *f = &s->colliders[h->fingers[i]];
        double side = i == 0 ? 1 : -1;
        vec3 at = v3(0, side * (h->start + g->pad_size.y / 2), g->pad_center_z);
        pose finger = {pose_apply(frame, at), frame.q};
        f->body = body_at(s, f, finger, v3(0, 0, 0), g->pad_size);
        h->finger_at[i] = v3_sub(at, g->palm_center);
        // The fingers mirror each other through a gear: gravity on one holds that on the other, so
        // that it reaches the palm only (hand_drive_fingers).
        dBodySetGravityMode(f->body, 0);
        dJointID j = dJointCreateSlider(s->ode, NULL);
        dJointAttach(j, f->body, p);
        dJointSetSliderAxis(j, side * y.x, side * y.y, side * y.z);
        h->sliders[i] = j;
    }
    // Only the master has stops; the other mirrors it.
    dJointSetSliderParam(h->sliders[0], dParamLoStop, -h->start - STOP_MARGIN);
    dJointSetSliderParam(h->sliders[0], dParamHiStop, STOP_MARGIN);
    h->linear = dJointCreateLMotor(s->ode, NULL);
    dJointAttach(h->linear, p, NULL);
    dJointSetLMotorNumAxes(h->linear, 3);
    dJointSetFeedback(h->linear, &h->linear_feedback);
    h->angular = dJointCreateAMotor(s->ode, NULL);
    dJointAttach(h->angular, p, NULL);
    dJointSetAMotorMode(h->angular, dAMotorUser);
    dJointSetAMotorNumAxes(h->angular, 3);
    dJointSetFeedback(h->angular, &h->angular_feedback);
    for (int i = 0; i < 3; i++) {
        dJointSetLMotorParam(h->linear, dParamFMax + dParamGroup * i, dInfinity);
        dJointSetAMotorParam(h->angular, dParamFMax + dParamGroup * i, dInfinity);
    }
    h->offset = POSE_IDENTITY;
    if (s->options.bound)
        return;
    h->quiet = QUIET_STEPS;
    hand_begin_ride(s, h);
    flange_burden(s, h->node);
}

void sim_set_gripper(sim *s, size_t arm, double opening, double force, bool close) {
    s->commanded = s->now;
    ASSERT(arm < s->robot->arm_count && isfinite(opening) && isfinite(force));
    const robot_gripper *g = &s->robot->arms[arm].gripper;
    hand *h = &s->hands[arm];
    h->opening = opening < 0 ? 0 : opening > g->max_opening ? g->max_opening : opening;
    h->force = force < 0 ? 0 : force > g->max_force ? g->max_force : force;
    // Letting go takes what it takes to move the fingers.
    if (!close && h->force < OPEN_FORCE_LEAST)
        h->force = fmin(OPEN_FORCE_LEAST, g->max_force);
}

double sim_gripper_opening(const sim *s, size_t arm) {
    const hand *h = &s->hands[arm];
    if (h->rides)
        return 2 * h->start + h->slide[0] + h->slide[1];
    return 2 * h->start + dJointGetSliderPosition(h->sliders[0]) +
           dJointGetSliderPosition(h->sliders[1]);
}

double sim_gripper_force(const sim *s, size_t arm, int finger) {
    ASSERT(finger == 1 || finger == 2);
    return s->hands[arm].pad_force[finger - 1];
}

void hand_drive_fingers(sim *s, hand *h) {
    const robot_gripper *g = &s->robot->arms[s->colliders[h->palm].arm].gripper;
    double slide[2], speed[2], force[2];
    for (int i = 0; i < 2; i++)
        slide[i] = dJointGetSliderPosition(h->sliders[i]);
    finger_wants(g, h, slide, speed, force);
    dBodyID palm = s->colliders[h->palm].body;
    for (int i = 0; i < 2; i++) {
        dJointSetSliderParam(h->sliders[i], dParamVel, speed[i]);
        dJointSetSliderParam(h->sliders[i], dParamFMax, force[i]);
        const dReal *at = dBodyGetPosition(s->colliders[h->fingers[i]].body);
        vec3 w = v3_scale(s->world->gravity, g->pad_mass);
        dBodyAddForceAtPos(palm, w.x, w.y, w.z, at[0], at[1], at[2]);
    }
}

// Eigenvalues (on the diagonal of a) and eigenvectors (columns of v) of a symmetric matrix. v has
// the axes of the last step, which are almost right.
static void palm_eigen(double a[3][3], double v[3][3]) {
    double turned[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned[i][j] = a[i][0] * v[0][j] + a[i][1] * v[1][j] + a[i][2] * v[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] = v[0][i] * turned[0][j] + v[1][i] * turned[1][j] + v[2][i] * turned[2][j];
    jacobi_diagonalise(&a[0][0], &v[0][0], 3, 12, ALMOST_DIAGONAL);
}

void hand_couple(sim *s, hand *h, double dt) {
    const collider *palm = &s->colliders[h->palm];
    pose frame = palm_belongs(s, h);
    vec3 want = pose_apply(frame, palm->com), have = from_ode(dBodyGetPosition(palm->body));
    const dReal *q = dBodyGetQuaternion(palm->body);
    quat now = {q[0], q[1], q[2], q[3]};
    h->at = have;
    vec3 gap = v3_sub(want, have), turn = quat_log(quat_mul(frame.q, quat_inverse(now)));
    double twist[6], m[36];
    aba_twist(&s->tree, h->node, dt, twist);
    vec3 w = v3_add(v3(twist[0], twist[1], twist[2]), v3_scale(turn, CATCH_UP / dt));
    vec3 v = v3_add(aba_point_velocity(&s->tree, twist, want), v3_scale(gap, CATCH_UP / dt));
    aba_mobility(&s->tree, h->node, m);
    // Shift to the palm's centre of mass c: with X = [1 0; -[c]x 1], the blocks of X M X^T.
    vec3 c = v3_sub(have, s->tree.origin);
    double k[3][3] = {{0, c.z, -c.y}, {-c.z, 0, c.x}, {c.y, -c.x, 0}}; // -[c]x
    double rot[3][3], lin[3][3], half[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            rot[i][j] = m[6 * i + j];
            half[i][j] = m[6 * (3 + i) + j]; // lower left
            for (int l = 0; l < 3; l++)
                half[i][j] += k[i][l] * m[6 * l + j];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double x = m[6 * (3 + i) + 3 + j];
            for (int l = 0; l < 3; l++)
                x += k[i][l] * m[6 * l + 3 + j] + half[i][l] * k[j][l];
            lin[i][j] = x;
        }
    double(*axes)[3] = h->linear_axes;
    palm_eigen(lin, axes);
    for (int i = 0; i < 3; i++) {
        vec3 a = v3(axes[0][i], axes[1][i], axes[2][i]);
        dJointSetLMotorAxis(h->linear, i, 0, a.x, a.y, a.z);
        dJointSetLMotorParam(h->linear, dParamVel + dParamGroup * i, v3_dot(a, v));
        dJointSetLMotorParam(h->linear, dParamCFM + dParamGroup * i, BOUND * dt * lin[i][i]);
    }
    axes = h->angular_axes;
    palm_eigen(rot, axes);
    for (int i = 0; i < 3; i++) {
        vec3 a = v3(axes[0][i], axes[1][i], axes[2][i]);
        dJointSetAMotorAxis(h->angular, i, 0, a.x, a.y, a.z);
        dJointSetAMotorParam(h->angular, dParamVel + dParamGroup * i, v3_dot(a, w));
        dJointSetAMotorParam(h->angular, dParamCFM + dParamGroup * i, BOUND * dt * rot[i][i]);
    }
}

vec3 hand_com(const sim *s, const hand *h) {
    const collider *palm = &s->colliders[h->palm];
    vec3 sum = v3_scale(from_ode(dBodyGetPosition(palm->body)), palm->mass);
    for (int i = 0; i < 2; i++) {
        const collider *f = &s->colliders[h->fingers[i]];
        sum = v3_add(sum, v3_scale(from_ode(dBodyGetPosition(f->body)), f->mass));
    }
    return v3_scale(sum, 1 / h->mass);
}

void sim_wrench(const sim *s, size_t arm, vec3 *force, vec3 *torque) {
    ASSERT(arm < s->robot->arm_count);
    *force = s->hands[arm].wrench_force;
    *torque = s->hands[arm].wrench_torque;
}

void hand_return(sim *s, hand *h) {
    vec3 f = v3_scale(from_ode(h->linear_feedback.f1), -1);
    vec3 m =
        v3_scale(v3_add(from_ode(h->linear_feedback.t1), from_ode(h->angular_feedback.t1)), -1);
    aba_push(&s->tree, h->node, f, m, h->at);
    const aba_node *flange = &s->tree.nodes[h->node];
    mat3 back = mat3_transpose(&flange->r);
    h->wrench_force = mat3_apply(&back, f);
    h->wrench_torque = mat3_apply(&back, v3_add(m, v3_cross(v3_sub(h->at, flange->p), f)));
}

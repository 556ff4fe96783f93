// projector/world/coupled.c - what the coupling of an arm to another robot's asks of the
// simulation: springs at joints, and the efforts of contacts.
#include "projector/world/bonds.h"
#include "projector/world/things.h"

static const double SINGULAR = 1e-3;    // m2, added to J J^T so that it can be inverted
static const double HAND_RADIUS = 0.05; // m, of gyration

void sim_set_joint_spring(sim *s, size_t joint, double position, double velocity, double stiffness,
                          double damping) {
    s->commanded = s->now;
    ASSERT(joint < s->robot->joint_count && isfinite(position) && isfinite(velocity));
    impedance_end(s, joint);
    s->targets[joint] = (joint_target){.mode = CONTROL_SPRING,
                                       .stiffness = stiffness,
                                       .damping = damping,
                                       .to = position,
                                       .to_velocity = velocity};
}

void sim_hold_arm(sim *s, size_t arm) {
    s->commanded = s->now;
    ASSERT(arm < s->robot->arm_count);
    const robot_arm *a = &s->robot->arms[arm];
    for (size_t k = 0; k < a->joint_count; k++) {
        impedance_end(s, a->joints[k]);
        control_hold(s, a->joints[k]);
    }
}

void sim_push_joint(sim *s, size_t joint, double effort) {
    ASSERT(joint < s->robot->joint_count && isfinite(effort));
    if (effort != s->pushes[joint])
        s->commanded = s->now;
    s->pushes[joint] = effort;
}

double sim_joint_drive(const sim *s, size_t joint) {
    ASSERT(joint < s->robot->joint_count);
    const aba_node *n = &s->tree.nodes[s->first_joint + (int)joint];
    return n->effort - n->feedforward;
}

static const aba_node *arm_node(const sim *s, size_t arm, size_t k) {
    return &s->tree.nodes[s->first_joint + (int)s->robot->arms[arm].joints[k]];
}

double sim_arm_inertia(const sim *s, size_t arm, size_t k) {
    const aba_node *n = arm_node(s, arm, k);
    int node = (int)(n - s->tree.nodes);
    double inertia, mass = s->extra_mass[s->hands[arm].node];
    aba_inertia(&s->tree, &node, 1, &inertia);
    vec3 carried = aba_point_velocity(&s->tree, n->s, arm_tool(s, arm).p);
    vec3 turned = v3(n->s[0], n->s[1], n->s[2]);
    return inertia +
           mass * (v3_dot(carried, carried) + HAND_RADIUS * HAND_RADIUS * v3_dot(turned, turned));
}

// The node of the arm that a force on an entity acts on: of its own, or of the hand that it is
// bound to; -1: it acts on none.
static int arm_node_pushed(const sim *s, size_t arm, size_t entity) {
    const collider *c = &s->colliders[entity];
    if (part_of_arm(s, arm, c))
        return c->node;
    return c->bonds > 0 && sim_carrier(s, entity) == s->hands[arm].palm ? s->hands[arm].node : -1;
}

static void add_efforts(const sim *s, size_t arm, int node, vec3 force, vec3 at, double *efforts) {
    for (size_t k = 0; k < s->robot->arms[arm].joint_count; k++) {
        const aba_node *n = arm_node(s, arm, k);
        if (node_hangs_on(s, node, (int)(n - s->tree.nodes)))
            efforts[k] += v3_dot(force, aba_point_velocity(&s->tree, n->s, at));
    }
}

void sim_contact_efforts(const sim *s, size_t arm, double *efforts) {
    const robot_arm *a = &s->robot->arms[arm];
    for (size_t k = 0; k < a->joint_count; k++)
        efforts[k] = 0;
    for (size_t i = 0; i < s->contacts.count; i++) {
        const sim_contact *c = &s->contacts.items[i];
        int first = arm_node_pushed(s, arm, c->a), second = arm_node_pushed(s, arm, c->b);
        if ((first < 0) == (second < 0))
            continue;
        add_efforts(s, arm, first < 0 ? second : first,
                    first < 0 ? c->force : v3_scale(c->force, -1), c->point, efforts);
    }
}

bool sim_arm_contact(const sim *s, size_t arm, sim_contact *out) {
    double most = 0;
    size_t count;
    const sim_contact *all = sim_contacts(s, &count);
    for (size_t i = 0; i < count; i++) {
        sim_contact c = all[i];
        bool first = arm_node_pushed(s, arm, c.a) >= 0, second = arm_node_pushed(s, arm, c.b) >= 0;
        if (first == second || (first ? c.b : c.a) >= s->first_link || v3_length(c.force) <= most)
            continue;
        most = v3_length(c.force);
        if (first) {
            size_t own = c.a;
            c.a = c.b, c.b = own;
            c.normal = v3_scale(c.normal, -1);
            c.force = v3_scale(c.force, -1);
        }
        *out = c;
    }
    return most > 0;
}

double sim_arm_gap(const sim *s, size_t arm, size_t body) {
    const collider *other = &s->colliders[body];
    pose there = sim_pose(s, body);
    double gap = INFINITY;
    for (size_t e = 0; e < s->entity_count; e++) {
        const collider *c = &s->colliders[e];
        if (!c->on || arm_node_pushed(s, arm, e) < 0)
            continue;
        for (size_t i = 0; i < c->geom_count; i++)
            for (size_t k = 0; k < other->geom_count; k++)
                gap = fmin(gap, shape_gap(&c->shapes[i], pose_mul(sim_pose(s, e), c->shapes[i].at),
                                          &other->shapes[k], pose_mul(there, other->shapes[k].at)));
    }
    return gap;
}

void sim_load_efforts(const sim *s, size_t arm, double *efforts) {
    for (size_t k = 0; k < s->robot->arms[arm].joint_count; k++)
        efforts[k] = 0;
    for (size_t i = 0; i < s->awake_count; i++) {
        const collider *c = &s->colliders[s->awake[i]];
        if (c->bonds > 0 && sim_carrier(s, s->awake[i]) == s->hands[arm].palm)
            add_efforts(s, arm, s->hands[arm].node, v3_scale(s->world->gravity, c->mass),
                        pose_apply(sim_pose(s, s->awake[i]), c->com), efforts);
    }
}

void sim_wrench_efforts(const sim *s, size_t arm, vec3 force, vec3 moment, double *efforts) {
    vec3 tool = arm_tool(s, arm).p;
    for (size_t k = 0; k < s->robot->arms[arm].joint_count; k++) {
        const aba_node *n = arm_node(s, arm, k);
        efforts[k] = v3_dot(force, aba_point_velocity(&s->tree, n->s, tool)) +
                     v3_dot(moment, v3(n->s[0], n->s[1], n->s[2]));
    }
}

vec3 sim_tool_shift(const sim *s, size_t arm, const double *by) {
    vec3 sum = v3(0, 0, 0), tool = arm_tool(s, arm).p;
    for (size_t k = 0; k < s->robot->arms[arm].joint_count; k++)
        sum = v3_add(sum,
                     v3_scale(aba_point_velocity(&s->tree, arm_node(s, arm, k)->s, tool), by[k]));
    return sum;
}

// F = (J J^T + c 1)^-1 J tau.
vec3 sim_tool_force(const sim *s, size_t arm, const double *efforts) {
    vec3 tool = arm_tool(s, arm).p;
    mat3 square = {{{SINGULAR, 0, 0}, {0, SINGULAR, 0}, {0, 0, SINGULAR}}};
    for (size_t k = 0; k < s->robot->arms[arm].joint_count; k++) {
        vec3 v = aba_point_velocity(&s->tree, arm_node(s, arm, k)->s, tool);
        const double x[3] = {v.x, v.y, v.z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                square.m[i][j] += x[i] * x[j];
    }
    vec3 pull = sim_tool_shift(s, arm, efforts);
    mat3 inverse = mat3_inverse(&square);
    return mat3_apply(&inverse, pull);
}

pose sim_tool(const sim *s, size_t arm) {
    ASSERT(arm < s->robot->arm_count);
    return arm_tool(s, arm);
}

// projector/world/guard.c - an arm on springs that keeps its distance from what the robot knows,
// and the person who leads it by the hand.
//
// Each part of the arm that is closer to a known, fixed body than the margin is pushed back through
// the joints' efforts, as a spring and a damper along the gradient of the gap would:
//
//   F = K (margin - gap) - D dgap/dt, never less than 0;  tau = F dgap/dq
//
// This is the margin around the meshes of Elsner et al. (2022), section 3.1, of whose simulated
// contacts the torques go back to the arm. The controller knows the bodies where the map has them,
// and the arm where its joints and the believed place of the base put it: never where they are.
#include "projector/world/sim_int.h"

static const double STIFFNESS = 2000, DAMPING = 60; // N/m, N s/m, of each part of the arm
static const double STRAY = 0.1; // m by which the base may be elsewhere than believed
static const double STEP = 1e-3; // m, rad: of the differences that give the gradient
static const double LEADING = 600, DAMPED = 60; // N/m, N s/m, of a person's hand

// A shape of the arm and the nearest one of the bodies to it.
typedef struct nearness {
    const shape *own, *other;
    pose at, there; // of the shapes
    double gap;     // m; at first the distance that is of interest
    size_t entity;  // of the other
} nearness;

static bool bounds_near(const bounds *a, const bounds *b, double distance) {
    for (int i = 0; i < 3; i++)
        if (a->low[i] > b->high[i] + distance || b->low[i] > a->high[i] + distance)
            return false;
    return true;
}

// Looks for something nearer to the part, whose frame is at `at`. `known`: only what the robot
// knows of the place.
static void find_nearest(const sim *s, const collider *part, pose at, bool known, double reach,
                         nearness *n) {
    for (size_t e = 0; e < s->first_link; e++) {
        const collider *c = &s->colliders[e];
        const world_body *b = &s->world->bodies[e];
        if (!c->on || c->kind == COLLIDER_PARTICLE || (known && !(b->known && b->fixed)) ||
            !bounds_near(&part->bounds, &c->bounds, reach))
            continue;
        pose body = sim_pose(s, e);
        for (size_t k = 0; k < c->geom_count; k++) {
            pose there = pose_mul(body, c->shapes[k].at);
            for (size_t i = 0; i < part->geom_count; i++) {
                pose own = pose_mul(at, part->shapes[i].at);
                double gap = shape_gap(&part->shapes[i], own, &c->shapes[k], there);
                if (gap < n->gap)
                    *n = (nearness){&part->shapes[i], &c->shapes[k], own, there, gap, e};
            }
        }
    }
}

// How the gap grows as the shape moves along and turns about the axes of the map.
static void gap_gradient(const nearness *n, vec3 *along, vec3 *about) {
    double d[6];
    for (int k = 0; k < 6; k++) {
        vec3 axis = v3(k % 3 == 0 ? STEP : 0, k % 3 == 1 ? STEP : 0, k % 3 == 2 ? STEP : 0);
        pose moved = n->at;
        if (k < 3)
            moved.p = v3_add(moved.p, axis);
        else
            moved.q = quat_mul(quat_exp(axis), moved.q);
        d[k] = (shape_gap(n->own, moved, n->other, n->there) - n->gap) / STEP;
    }
    *along = v3(d[0], d[1], d[2]);
    *about = v3(d[3], d[4], d[5]);
}

bool node_hangs_on(const sim *s, int node, int above) {
    while (node > above)
        node = s->tree.nodes[node].parent;
    return node == above;
}

static void keep_part(sim *s, const collider *part, pose stray, double margin, aba_spring *spring) {
    // Where the robot believes the part to be.
    nearness n = {.gap = margin};
    find_nearest(s, part, pose_mul(stray, sim_pose(s, (size_t)(part - s->colliders))), true,
                 margin + STRAY, &n);
    if (!n.own)
        return;
    vec3 along, about;
    gap_gradient(&n, &along, &about);
    quat back = quat_inverse(stray.q);
    along = quat_rotate(back, along), about = quat_rotate(back, about);
    vec3 center = pose_apply(pose_inverse(stray), n.at.p);
    double slope[ABA_SPRING_JOINTS], rate = 0;
    for (int k = 0; k < spring->count; k++) {
        const aba_node *joint = &s->tree.nodes[spring->nodes[k]];
        slope[k] = 0;
        if (!node_hangs_on(s, part->node, spring->nodes[k]))
            continue;
        slope[k] = v3_dot(along, aba_point_velocity(&s->tree, joint->s, center)) +
                   v3_dot(about, v3(joint->s[0], joint->s[1], joint->s[2]));
        rate += slope[k] * joint->qd;
    }
    double push = fmax(STIFFNESS * (margin - n.gap) - DAMPING * rate, 0);
    for (int k = 0; k < spring->count; k++)
        spring->effort[k] += push * slope[k];
}

bool part_of_arm(const sim *s, size_t arm, const collider *c) {
    const robot_arm *a = &s->robot->arms[arm];
    if (c->kind == COLLIDER_HAND)
        return c->arm == (int)arm;
    return c->kind == COLLIDER_LINK &&
           node_hangs_on(s, c->node, s->first_joint + (int)a->joints[0]);
}

void guard_arm(sim *s, size_t arm, pose base, aba_spring *spring) {
    const sim_impedance *goal = &s->impedances[arm].goal;
    if (goal->margin <= 0)
        return;
    pose stray = pose_mul(goal->place, pose_inverse(base));
    for (size_t e = s->first_link; e < s->entity_count; e++)
        if (part_of_arm(s, arm, &s->colliders[e]))
            keep_part(s, &s->colliders[e], stray, goal->margin, spring);
}

double sim_clearance(const sim *s, size_t arm, double reach, size_t *entity) {
    nearness n = {.gap = reach};
    for (size_t e = s->first_link; e < s->entity_count; e++)
        if (part_of_arm(s, arm, &s->colliders[e]))
            find_nearest(s, &s->colliders[e], sim_pose(s, e), false, reach, &n);
    *entity = n.entity;
    return n.gap;
}

double sim_known_gap(const sim *s, size_t arm, double reach, size_t *part, size_t *body) {
    nearness n = {.gap = reach};
    for (size_t e = s->first_link; e < s->entity_count; e++) {
        double before = n.gap;
        if (part_of_arm(s, arm, &s->colliders[e]))
            find_nearest(s, &s->colliders[e], sim_pose(s, e), true, reach, &n);
        if (n.gap < before)
            *part = e, *body = n.entity;
    }
    return n.gap;
}

double sim_margin(const sim *s, size_t arm) {
    ASSERT(arm < s->robot->arm_count);
    return s->impedances[arm].on ? s->impedances[arm].goal.margin : 0;
}

// ---- The person ----------------------------------------------------------------------------

void sim_lead(sim *s, size_t arm, vec3 to, double force) {
    ASSERT(arm < s->robot->arm_count && isfinite(force));
    s->commanded = s->now;
    s->impedances[arm].led_to = to;
    s->impedances[arm].led_by = force;
}

void sim_led(const sim *s, size_t arm, vec3 *force) {
    ASSERT(arm < s->robot->arm_count);
    *force = s->impedances[arm].led;
}

void guard_lead(sim *s) {
    for (size_t i = 0; i < s->robot->arm_count; i++) {
        impedance_control *c = &s->impedances[i];
        c->led = v3(0, 0, 0);
        if (c->led_by <= 0)
            continue;
        const aba_node *flange = &s->tree.nodes[s->hands[i].node];
        const aba_node *base = &s->tree.nodes[machine_of_arm(s, i)->root + PLANE_NODES - 1];
        pose at = {flange->p, quat_from_matrix(&flange->r)};
        vec3 tool = pose_apply(pose_mul(at, s->hands[i].mount),
                               robot_tool_in_palm(&s->robot->arms[i].gripper).p);
        vec3 to = pose_apply((pose){base->p, quat_from_matrix(&base->r)}, c->led_to);
        vec3 v = aba_point_velocity(&s->tree, flange->v, tool);
        vec3 f = v3_sub(v3_scale(v3_sub(to, tool), LEADING), v3_scale(v, DAMPED));
        double pull = v3_length(f);
        c->led = pull > c->led_by ? v3_scale(f, c->led_by / pull) : f;
        aba_push(&s->tree, s->hands[i].node, c->led, v3(0, 0, 0), tool);
    }
}

// projector/world/control.c - what the robot's controllers aim at: joint targets and the base's
// drive.
#include "projector/world/sim_int.h"

static const nanos COAST = 20000000;     // of targets that are set at once
static const double DRIVE_RATE = 60;     // rad/s, of the base's position loop
static const double BOLTED = 1e6;        // kg and kg m2, of a base that is fixed to the ground
static const double DRIVE_RESUME = 0.05; // m/s, how far the reference may lead a stalled base

static void target_at(const joint_target *g, nanos t, double *position, double *velocity) {
    if (t >= g->end) {
        nanos line = t < g->coast ? t : g->coast;
        *position = g->to + g->to_velocity * seconds(line - g->end);
        *velocity = t < g->coast ? g->to_velocity : 0;
        return;
    }
    // Hermite's cubic.
    double span = seconds(g->end - g->start), u = seconds(t - g->start) / span;
    double u2 = u * u, u3 = u2 * u;
    double m0 = g->from_velocity * span, m1 = g->to_velocity * span;
    *position = (2 * u3 - 3 * u2 + 1) * g->from + (u3 - 2 * u2 + u) * m0 +
                (3 * u2 - 2 * u3) * g->to + (u3 - u2) * m1;
    *velocity =
        ((6 * u2 - 6 * u) * (g->from - g->to) + (3 * u2 - 4 * u + 1) * m0 + (3 * u2 - 2 * u) * m1) /
        span;
}

void sim_set_joint(sim *s, size_t joint, double position, double velocity, nanos over) {
    s->commanded = s->now;
    ASSERT(joint < s->robot->joint_count && isfinite(position) && isfinite(velocity));
    const robot_joint *j = &s->robot->joints[joint];
    impedance_end(s, joint);
    joint_target *g = &s->targets[joint], next = {.start = s->now, .end = s->now + over};
    if (g->mode == CONTROL_POSITION) {
        target_at(g, s->now, &next.from, &next.from_velocity);
    } else {
        const aba_node *n = &s->tree.nodes[s->first_joint + (int)joint];
        next.from = clamp(n->q, j->lower, j->upper), next.from_velocity = n->qd;
    }
    next.to = clamp(position, j->lower, j->upper);
    // A target at a stop does not move beyond it.
    next.to_velocity = next.to == position ? velocity : 0;
    next.coast = next.end + (over > 0 ? over : COAST);
    *g = next;
}

void sim_set_joint_velocity(sim *s, size_t joint, double velocity) {
    s->commanded = s->now;
    ASSERT(joint < s->robot->joint_count && isfinite(velocity));
    impedance_end(s, joint);
    double most = s->robot->joints[joint].max_velocity;
    s->targets[joint] =
        (joint_target){.mode = CONTROL_VELOCITY, .to_velocity = clamp(velocity, -most, most)};
}

void sim_set_joint_effort(sim *s, size_t joint, double effort) {
    s->commanded = s->now;
    ASSERT(joint < s->robot->joint_count && isfinite(effort));
    impedance_end(s, joint);
    s->targets[joint] = (joint_target){.mode = CONTROL_EFFORT, .effort = effort};
}

void control_hold(sim *s, size_t joint) {
    const robot_joint *j = &s->robot->joints[joint];
    double q = clamp(s->tree.nodes[s->first_joint + (int)joint].q, j->lower, j->upper);
    s->targets[joint] = (joint_target){.from = q, .to = q};
}

void sim_set_base(sim *s, double vx, double vy, double wz) {
    sim_set_base_of(s, 0, vx, vy, wz);
}

void sim_set_base_of(sim *s, size_t robot, double vx, double vy, double wz) {
    s->commanded = s->now;
    ASSERT(robot < s->machine_count && isfinite(vx) && isfinite(vy) && isfinite(wz));
    const robot_model *r = s->machines[robot].member.robot;
    drive *d = &s->machines[robot].drive;
    if (r->base_drive == BASE_FIXED)
        return;
    if (r->base_drive == BASE_DIFFERENTIAL)
        vy = 0; // wheels do not slide sideways
    double v = sqrt(vx * vx + vy * vy), k = v > r->base_max_speed ? r->base_max_speed / v : 1;
    d->vx = k * vx, d->vy = k * vy;
    d->wz = clamp(wz, -r->base_max_turn, r->base_max_turn);
}

static void drive_init(sim *s, machine *m) {
    const robot_model *r = m->member.robot;
    drive *d = &m->drive;
    aba_node *n = &s->tree.nodes[m->root];
    double start[3] = {m->member.at.p.x, m->member.at.p.y, quat_yaw(m->member.at.q)};
    for (int i = 0; i < PLANE_NODES; i++)
        n[i].q = d->ref[i] = start[i];
    for (int i = 0; i < PLANE_NODES; i++)
        d->mass += n[i].mass;
    for (size_t j = 0; j < r->joint_count; j++)
        d->mass += s->tree.nodes[s->first_joint + (int)(m->first_joint + j)].mass;
    for (size_t i = 0; i < r->arm_count; i++)
        d->mass += s->hands[m->first_arm + i].mass;
    for (int i = 0; i < PLANE_NODES && r->base_drive == BASE_FIXED; i++)
        n[i].armature = BOLTED;
    d->inertia = fmax(0.5 * d->mass * r->base_radius * r->base_radius, 0.1);
}

void control_init(sim *s) {
    const robot_model *r = s->robot;
    for (size_t j = 0; j < r->joint_count; j++) {
        double q = clamp(r->home[j], r->joints[j].lower, r->joints[j].upper);
        s->targets[j] = (joint_target){.from = q, .to = q};
        s->tree.nodes[s->first_joint + (int)j].q = q;
    }
    for (size_t m = 0; m < s->machine_count; m++)
        drive_init(s, &s->machines[m]);
}

// Moves the drive's reference towards the commanded twist within the base's accelerations. The base
// is one stiff position loop in the plane, whose force beyond what its own acceleration takes is
// limited: what pushes back harder stalls it.
static void drive_step(sim *s, machine *m, double dt) {
    const robot_model *r = m->member.robot;
    drive *d = &m->drive;
    aba_node *n = &s->tree.nodes[m->root];
    aba_plane *plane = &s->tree.planes[m - s->machines];
    if (r->base_drive == BASE_FIXED) {
        for (int i = 0; i < PLANE_NODES; i++) {
            n[i].kp = BOLTED * DRIVE_RATE * DRIVE_RATE;
            n[i].kd = 2 * BOLTED * DRIVE_RATE;
            n[i].target = d->ref[i];
            n[i].target_velocity = n[i].feedforward = 0;
            n[i].low = -INFINITY, n[i].high = INFINITY;
        }
        plane->limit = 0;
        return;
    }
    double c = cos(n[2].q), w = sin(n[2].q);
    double goal[3] = {c * d->vx - w * d->vy, w * d->vx + c * d->vy, d->wz}, acc[3];
    if (plane->saturated) {
        double lead = hypot(d->ref_qd[0] - n[0].qd, d->ref_qd[1] - n[1].qd);
        double keep = lead > DRIVE_RESUME ? DRIVE_RESUME / lead : 1;
        for (int i = 0; i < 2; i++)
            d->ref_qd[i] = n[i].qd + keep * (d->ref_qd[i] - n[i].qd);
    }
    for (int i = 0; i < 3; i++)
        acc[i] = (goal[i] - d->ref_qd[i]) / dt;
    double a = hypot(acc[0], acc[1]);
    if (a > r->base_max_acceleration)
        for (int i = 0; i < 2; i++)
            acc[i] *= r->base_max_acceleration / a;
    acc[2] = clamp(acc[2], -r->base_max_turn_acceleration, r->base_max_turn_acceleration);
    double limit[3] = {r->base_max_force, r->base_max_force, r->base_max_force * r->base_radius};

    for (int i = 0; i < 3; i++) {
        double inertia = i < 2 ? d->mass : d->inertia;
        n[i].kp = inertia * DRIVE_RATE * DRIVE_RATE;
        n[i].kd = 2 * inertia * DRIVE_RATE;
        d->ref_qd[i] += dt * acc[i];
        d->ref[i] += dt * d->ref_qd[i];
        // Contacts that hold the base back have the whole limit to overcome.
        n[i].feedforward = plane->saturated ? 0 : inertia * acc[i];
        n[i].low = n[i].feedforward - limit[i];
        n[i].high = n[i].feedforward + limit[i];
    }
    // A stalled base does not save up distance. The reference is that of the step's end.
    double ahead[3];
    for (int i = 0; i < 3; i++)
        ahead[i] = d->ref[i] - n[i].q - dt * d->ref_qd[i];
    double gap = hypot(ahead[0], ahead[1]), most = limit[0] / n[0].kp;
    double keep = gap > most ? most / gap : 1;
    for (int i = 0; i < 2; i++)
        d->ref[i] -= (1 - keep) * ahead[i];
    d->ref[2] -= ahead[2] - clamp(ahead[2], -limit[2] / n[2].kp, limit[2] / n[2].kp);
    for (int i = 0; i < 3; i++)
        n[i].target = d->ref[i], n[i].target_velocity = d->ref_qd[i];
    plane->limit = limit[0];
}

// A joint that is coupled to another one is a spring and a damper of its controller's stiffness
// about where that is, at the step's end.
static void follow_leader(sim *s, size_t joint, double dt) {
    const robot_joint *j = &s->robot->joints[joint];
    aba_node *n = &s->tree.nodes[s->first_joint + (int)joint];
    const aba_node *leader = &s->tree.nodes[s->first_joint + (int)j->leader];
    n->kp = j->kp;
    n->kd = j->kd;
    n->target = j->ratio * (leader->q + dt * leader->qd) + j->offset;
    n->target_velocity = j->ratio * leader->qd;
}

void control_step(sim *s, double dt) {
    for (size_t i = 0; i < s->robot->arm_count; i++) {
        const hand *h = &s->hands[i];
        if (!h->rides)
            s->extra_com[h->node] = hand_com(s, h);
    }
    // The robot knows its own weight, and nothing of what it carries.
    aba_hold_gravity(&s->tree, s->extra_mass, s->extra_com);
    for (size_t m = 0; m < s->machine_count; m++)
        drive_step(s, &s->machines[m], dt);
    nanos end = s->now + nanos_from_seconds(dt);
    for (size_t j = 0; j < s->robot->joint_count; j++) {
        aba_node *n = &s->tree.nodes[s->first_joint + (int)j];
        const joint_target *g = &s->targets[j];
        if (s->robot->joints[j].follows) {
            follow_leader(s, j, dt);
            continue;
        }
        bool spring = g->mode == CONTROL_SPRING;
        n->kp = g->mode == CONTROL_POSITION ? s->robot->joints[j].kp : spring ? g->stiffness : 0;
        n->kd = g->mode == CONTROL_EFFORT ? 0 : spring ? g->damping : s->robot->joints[j].kd;
        n->feedforward += s->pushes[j];
        if (g->mode == CONTROL_POSITION)
            target_at(g, end, &n->target, &n->target_velocity);
        else if (g->mode == CONTROL_VELOCITY)
            n->target_velocity = g->to_velocity;
        else if (g->mode == CONTROL_EFFORT)
            n->feedforward += g->effort;
        else if (spring)
            n->target = g->to + dt * g->to_velocity, n->target_velocity = g->to_velocity;
    }
    impedance_step(s, dt);
}

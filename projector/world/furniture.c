// projector/world/furniture.c - doors and drawers: joints of ODE between bodies of the world.
//
// Coulomb friction is a motor at rest with a limited force, which the solver makes exact. A latch
// is more of the same while the joint stands at its lower stop: it lets go of what is pulled
// harder. Damping is a force of its own, implicit in the joint's speed, so that no coefficient is
// too large.
#include "projector/world/things.h"

static const double LATCH_ANGLE = 2e-3, LATCH_LENGTH = 5e-4; // rad, m: the latch's play
// A stop is inelastic but for what puts the joint back that went past it within a step: it comes
// back with this share of its speed at most.
static const double STOP_ERP = 0.02, STOP_CFM = 1e-9;
static const double HAND_GAIN = 10;   // 1/s, of a person who moves it
static const double STOP_ROOM = 0.02; // rad, m: stops give way as far for a person

typedef struct furniture {
    const world_joint *model;
    dJointID joint;
    double inertia; // kg m^2 or kg, that the joint moves
    bool latched;
    bool driven; // a person has it
    double drive_to, drive_rate, drive_force;
} furniture;

static dBodyID body_of(const sim *s, int64_t body) {
    return body < 0 ? NULL : s->colliders[body].body;
}

static void set_param(const furniture *f, int which, double value) {
    if (f->model->kind == WORLD_HINGE)
        dJointSetHingeParam(f->joint, which, value);
    else
        dJointSetSliderParam(f->joint, which, value);
}

static double position_of(const furniture *f) {
    return f->model->kind == WORLD_HINGE ? dJointGetHingeAngle(f->joint)
                                         : dJointGetSliderPosition(f->joint);
}

static double rate_of(const furniture *f) {
    return f->model->kind == WORLD_HINGE ? dJointGetHingeAngleRate(f->joint)
                                         : dJointGetSliderPositionRate(f->joint);
}

static void set_stops(const furniture *f, double room) {
    // Set twice, since ODE drops a lower stop above the upper one that it has.
    for (int i = 0; i < 2; i++) {
        set_param(f, dParamLoStop, f->model->lower - room);
        set_param(f, dParamHiStop, f->model->upper + room);
    }
}

// The body that the joint moves.
static double inertia_of(const sim *s, const world_joint *j) {
    const world_body *b = &s->world->bodies[j->body];
    if (j->kind == WORLD_SLIDER)
        return b->type->mass;
    vec3 axis = quat_rotate(quat_inverse(b->at.q), j->axis);
    double about = v3_dot(axis, mat3_apply(&b->type->inertia, axis));
    vec3 arm = v3_sub(pose_apply(b->at, b->type->com), j->origin.p);
    double far = v3_length(v3_cross(j->axis, arm));
    return about + b->type->mass * far * far;
}

static pose pose_moved(const world_joint *j, pose at, double position) {
    if (j->kind == WORLD_SLIDER)
        return (pose){v3_add(at.p, v3_scale(j->axis, position)), at.q};
    quat turn = quat_axis_angle(j->axis, position);
    vec3 arm = v3_sub(at.p, j->origin.p);
    return (pose){v3_add(j->origin.p, quat_rotate(turn, arm)), quat_mul(turn, at.q)};
}

pose furniture_start(const sim *s, size_t body) {
    pose at = s->world->bodies[body].at;
    // From the body towards its root: each joint carries along what hangs on it. A chain is no
    // longer than there are joints.
    size_t steps = 0;
    for (int64_t j = world_joint_of(s->world, body); j >= 0 && steps++ < s->world->joint_count;) {
        const world_joint *joint = &s->world->joints[j];
        at = pose_moved(joint, at, joint->start);
        j = joint->base < 0 ? -1 : world_joint_of(s->world, (size_t)joint->base);
    }
    return at;
}

static status joint_check(const sim *s, const world_joint *j, error *err) {
    const world_body *b = &s->world->bodies[j->body];
    bool base_gone = j->base >= 0 && s->world->bodies[j->base].absent;
    if (b->fixed || b->particle || b->absent || base_gone)
        return error_set(err, E_INPUT, "joint %s: %s is %s, so that no joint can move it", j->name,
                         base_gone ? s->world->bodies[j->base].name : b->name,
                         b->fixed      ? "fixed"
                         : b->particle ? "a particle"
                                       : "not there at the start");
    if (!(j->lower <= j->upper) || !(j->start >= j->lower && j->start <= j->upper))
        return error_set(err, E_INPUT, "joint %s: it starts at %g, outside %g to %g", j->name,
                         j->start, j->lower, j->upper);
    if (j->kind == WORLD_HINGE && (j->lower < -3.1 || j->upper > 3.1))
        return error_set(err, E_INPUT, "joint %s: a hinge turns within -3.1 and 3.1 rad", j->name);
    for (const world_joint *k = s->world->joints; k < j; k++)
        if (k->body == j->body)
            return error_set(err, E_INPUT, "joints %s and %s both move %s", k->name, j->name,
                             b->name);
    int64_t base = j->base;
    for (size_t steps = 0; base >= 0; steps++) {
        if ((size_t)base == j->body || steps > s->world->joint_count)
            return error_set(err, E_INPUT, "joint %s: it hangs on itself", j->name);
        int64_t up = world_joint_of(s->world, (size_t)base);
        base = up < 0 ? -1 : s->world->joints[up].base;
    }
    return OK;
}

static void body_place(sim *s, size_t body, pose at) {
    collider *c = &s->colliders[body];
    vec3 p = pose_apply(at, c->com);
    dQuaternion q;
    quat_to_ode(at.q, q);
    dBodySetPosition(c->body, p.x, p.y, p.z);
    dBodySetQuaternion(c->body, q);
}

status furniture_create(sim *s, error *err) {
    const world_model *w = s->world;
    s->furniture = mem_must(w->joint_count + 1, sizeof *s->furniture);
    for (size_t i = 0; i < w->joint_count; i++) {
        status st = joint_check(s, &w->joints[i], err);
        if (st != OK)
            return st;
    }
    // The zero of ODE's joints is where the bodies stand when they are made.
    for (size_t i = 0; i < w->joint_count; i++) {
        const world_joint *j = &w->joints[i];
        s->furniture[i] = (furniture){.model = j, .inertia = inertia_of(s, j)};
        furniture *f = &s->furniture[i];
        s->colliders[j->body].kept = true;
        s->colliders[j->body].held_to = (size_t)(j->base + 1);
        if (j->base >= 0)
            s->colliders[j->base].kept = true;
        dBodyID body = body_of(s, (int64_t)j->body), base = body_of(s, j->base);
        dBodySetAngularDamping(body, 0); // it does not roll: damping is the joint's
        vec3 a = j->axis, o = j->origin.p;
        if (j->kind == WORLD_HINGE) {
            f->joint = dJointCreateHinge(s->ode, NULL);
            dJointAttach(f->joint, body, base);
            dJointSetHingeAnchor(f->joint, o.x, o.y, o.z);
            dJointSetHingeAxis(f->joint, a.x, a.y, a.z);
        } else {
            f->joint = dJointCreateSlider(s->ode, NULL);
            dJointAttach(f->joint, body, base);
            dJointSetSliderAxis(f->joint, a.x, a.y, a.z);
        }
        set_param(f, dParamStopERP, STOP_ERP);
        set_param(f, dParamStopCFM, STOP_CFM);
        set_param(f, dParamBounce, 0);
        set_stops(f, 0);
        f->latched = j->latch > 0 && j->start <= j->lower;
    }
    for (size_t i = 0; i < w->joint_count; i++)
        body_place(s, w->joints[i].body, furniture_start(s, w->joints[i].body));
    return OK;
}

void furniture_destroy(sim *s) {
    free(s->furniture); // the joints go with the world of ODE
}

static bool body_is_awake(const sim *s, int64_t body) {
    return body >= 0 && s->colliders[body].awake;
}

void furniture_wake(sim *s) {
    // A chain wakes link by link.
    for (bool again = s->world->joint_count > 0; again;) {
        again = false;
        for (size_t i = 0; i < s->world->joint_count; i++) {
            const world_joint *j = &s->world->joints[i];
            int64_t body = (int64_t)j->body;
            if (j->base < 0 || s->colliders[j->base].kind != COLLIDER_FREE ||
                body_is_awake(s, body) == body_is_awake(s, j->base))
                continue;
            int64_t sleeper = body_is_awake(s, body) ? j->base : body;
            body_wake(s, (size_t)sleeper);
            again |= body_is_awake(s, sleeper);
        }
    }
}

static void joint_damp(const furniture *f, double dt) {
    double d = f->model->damping;
    if (d <= 0)
        return;
    double effort = -d * rate_of(f) / (1 + dt * d / f->inertia);
    if (f->model->kind == WORLD_HINGE)
        dJointAddHingeTorque(f->joint, effort);
    else
        dJointAddSliderForce(f->joint, effort);
}

void furniture_step(sim *s, double dt) {
    for (size_t i = 0; i < s->world->joint_count; i++) {
        furniture *f = &s->furniture[i];
        const world_joint *j = f->model;
        if (!body_is_awake(s, (int64_t)j->body))
            continue;
        joint_damp(f, dt);
        double x = position_of(f), play = j->kind == WORLD_HINGE ? LATCH_ANGLE : LATCH_LENGTH;
        if (f->driven) {
            set_param(f, dParamVel, f->drive_rate + HAND_GAIN * (f->drive_to - x));
            set_param(f, dParamFMax, f->drive_force + j->friction);
            f->latched = false;
            continue;
        }
        // It snaps in at the stop and is drawn out against its force.
        if (x > j->lower + play)
            f->latched = false;
        else if (x <= j->lower + 0.1 * play)
            f->latched = j->latch > 0;
        set_param(f, dParamVel, 0);
        set_param(f, dParamFMax, j->friction + (f->latched ? j->latch : 0));
    }
}

void furniture_drive(sim *s, size_t joint, double to, double rate, double force) {
    furniture *f = &s->furniture[joint];
    body_wake(s, f->model->body);
    s->colliders[f->model->body].calm_steps = 0;
    // At a stop, a motor of ODE that leads away from it acts in its first step by all its force.
    if (!f->driven)
        set_stops(f, STOP_ROOM);
    f->driven = true;
    f->drive_to = to;
    f->drive_rate = rate;
    f->drive_force = force;
}

void furniture_let_go(sim *s, size_t joint) {
    furniture *f = &s->furniture[joint];
    f->driven = false;
    set_stops(f, 0);
}

double sim_world_joint(const sim *s, size_t joint) {
    ASSERT(joint < s->world->joint_count);
    return position_of(&s->furniture[joint]);
}

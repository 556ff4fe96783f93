// projector/world/happenings.c - what happens to the world from outside: people, water, draughts.
//
// A person's hand is a pair of motors of ODE that pull a body along a path, no harder than
// HAND_FORCE and HAND_TORQUE: what lies on the body rides along, and who holds it can resist. An
// event about a body that is not there waits until it is.
#include "projector/world/things.h"

static const double HAND_FORCE = 80, HAND_TORQUE = 8; // N, N m
static const double JOINT_FORCE = 60, JOINT_TORQUE = 30;
static const double HAND_GAIN = 10;   // 1/s
static const double HAND_SPEED = 1.5; // m/s and rad/s, to catch up
static const double CLEARANCE = 0.12; // m, that a hand lifts what it carries
static const double ARRIVED = 2e-3, ARRIVED_ANGLE = 2e-2, ARRIVED_JOINT = 5e-3;
static const double PATIENCE = 1;         // s, after which a hand that is held back lets go
static const double TAKEN = 1e-3;         // m: what overlaps by more has the place
static const nanos LOOK_AGAIN = 20000000; // whether the place is free by now

typedef enum progress { WAITING, DUE, ACTING, OVER } progress;

struct happening {
    const world_event *event;
    progress progress;
    nanos since;  // DUE: when it happens; ACTING: when it began
    bool barred;  // DUE: it was time, and it could not happen
    pose from;    // of what is moved
    double start; // of a joint
    dJointID linear, angular;
};

// ---- Conditions -----------------------------------------------------------------------

static bool body_is_present(const sim *s, int64_t body) {
    return body < 0 || s->colliders[body].on;
}

static bool bodies_touch(const sim *s, int64_t a, int64_t b) {
    size_t count;
    const sim_contact *c = sim_contacts(s, &count);
    for (size_t i = 0; i < count; i++) {
        bool first = a < 0 ? c[i].a >= s->first_link : c[i].a == (size_t)a;
        bool second = b < 0 ? c[i].b >= s->first_link : c[i].b == (size_t)b;
        bool first_b = b < 0 ? c[i].a >= s->first_link : c[i].a == (size_t)b;
        bool second_a = a < 0 ? c[i].b >= s->first_link : c[i].b == (size_t)a;
        if ((first && second) || (first_b && second_a))
            return true;
    }
    return false;
}

static vec3 place_of(const sim *s, int64_t body) {
    return body < 0 ? sim_base(s).p : sim_pose(s, (size_t)body).p;
}

static vec3 place_before(const sim *s, int64_t body) {
    return body < 0 ? s->machines[0].member.at.p : furniture_start(s, (size_t)body).p;
}

// A body that is not there is nowhere, touches nothing and has not moved.
static bool condition_holds(const sim *s, const condition *c) {
    bool there = c->kind == WHEN_AT || c->kind == WHEN_OPEN || c->kind == WHEN_AND ||
                 c->kind == WHEN_OR || c->kind == WHEN_NOT || body_is_present(s, c->a);
    bool two = c->kind == WHEN_NEAR || c->kind == WHEN_TOUCHING;
    if (!there || (two && !body_is_present(s, c->b)))
        return false;
    switch (c->kind) {
    case WHEN_AT:
        return s->now >= nanos_from_seconds(c->value);
    case WHEN_NEAR: {
        vec3 d = v3_sub(place_of(s, c->a), place_of(s, c->b));
        return sqrt(d.x * d.x + d.y * d.y) <= c->value;
    }
    case WHEN_TOUCHING:
        return bodies_touch(s, c->a, c->b);
    case WHEN_ABOVE:
        return place_of(s, c->a).z >= c->value;
    case WHEN_BELOW:
        return place_of(s, c->a).z <= c->value;
    case WHEN_MOVED:
        return v3_distance(place_of(s, c->a), place_before(s, c->a)) > c->value;
    case WHEN_OPEN:
        return sim_world_joint(s, c->joint) >= c->value;
    case WHEN_AND:
        return condition_holds(s, c->left) && condition_holds(s, c->right);
    case WHEN_OR:
        return condition_holds(s, c->left) || condition_holds(s, c->right);
    case WHEN_NOT:
        return !condition_holds(s, c->left);
    }
    return false;
}

// ---- Building -------------------------------------------------------------------------

static bool body_is_joined(const sim *s, size_t body) {
    return world_joint_of(s->world, body) >= 0 || world_carries_joints(s->world, body);
}

status happenings_create(sim *s, error *err) {
    const world_model *w = s->world;
    s->happenings = mem_must(w->event_count + 1, sizeof *s->happenings);
    for (size_t i = 0; i < w->event_count; i++) {
        const world_event *e = &w->events[i];
        s->happenings[i] = (struct happening){.event = e};
        bool pushes = e->kind == EVENT_MOVE || e->kind == EVENT_FORCE;
        if (pushes && (e->body < 0 || w->bodies[e->body].fixed || w->bodies[e->body].particle))
            return error_set(err, E_INPUT, "event %s: %s cannot be moved", e->name,
                             e->body < 0 ? "nothing" : w->bodies[e->body].name);
        if (e->kind == EVENT_JOINT && e->joint >= w->joint_count)
            return error_set(err, E_INPUT, "event %s names no joint", e->name);
        bool comes = e->kind == EVENT_ADD || e->kind == EVENT_REMOVE;
        if (comes && (e->body < 0 || body_is_joined(s, (size_t)e->body)))
            return error_set(err, E_INPUT, "event %s: %s cannot come or go", e->name,
                             e->body < 0 ? "nothing" : w->bodies[e->body].name);
    }
    return OK;
}

void happenings_destroy(sim *s) {
    free(s->happenings); // motors go with the world of ODE
    array_finish(&s->happened);
}

// ---- A person's hand ------------------------------------------------------------------

static double smooth_step(double x) {
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * x * (10 - 15 * x + 6 * x * x);
}

// Up within the first quarter, over in the middle, down within the last.
static pose carry_path(const struct happening *h, double x) {
    pose to = h->event->to;
    double over = smooth_step((x - 0.15) / 0.7), up = smooth_step(x / 0.3),
           down = smooth_step((x - 0.7) / 0.3);
    double top = fmax(h->from.p.z, to.p.z) + CLEARANCE;
    pose at;
    at.p = v3_add(h->from.p, v3_scale(v3_sub(to.p, h->from.p), over));
    at.p.z = h->from.p.z + (top - h->from.p.z) * up + (to.p.z - top) * down;
    at.q = quat_slerp(h->from.q, to.q, over);
    return at;
}

static void happening_take(sim *s, struct happening *h) {
    collider *c = &s->colliders[h->event->body];
    body_wake(s, (size_t)h->event->body);
    // The motors need the body to stay with ODE.
    c->kept = true;
    h->from = sim_pose(s, (size_t)h->event->body);
    h->linear = dJointCreateLMotor(s->ode, NULL);
    dJointAttach(h->linear, c->body, NULL);
    dJointSetLMotorNumAxes(h->linear, 3);
    h->angular = dJointCreateAMotor(s->ode, NULL);
    dJointAttach(h->angular, c->body, NULL);
    dJointSetAMotorMode(h->angular, dAMotorUser);
    dJointSetAMotorNumAxes(h->angular, 3);
    for (int i = 0; i < 3; i++) {
        dJointSetLMotorAxis(h->linear, i, 0, i == 0, i == 1, i == 2);
        dJointSetAMotorAxis(h->angular, i, 0, i == 0, i == 1, i == 2);
        dJointSetLMotorParam(h->linear, dParamFMax + dParamGroup * i, HAND_FORCE);
        dJointSetAMotorParam(h->angular, dParamFMax + dParamGroup * i, HAND_TORQUE);
    }
}

static void let_go(sim *s, struct happening *h) {
    dJointDestroy(h->linear);
    dJointDestroy(h->angular);
    h->linear = h->angular = NULL;
    bool held = body_is_joined(s, (size_t)h->event->body);
    for (size_t i = 0; i < s->world->event_count; i++)
        held |= s->happenings[i].linear && s->happenings[i].event->body == h->event->body;
    s->colliders[h->event->body].kept = held;
    h->progress = OVER;
}

static vec3 vector_limited(vec3 v, double most) {
    double size = v3_length(v);
    return size > most ? v3_scale(v, most / size) : v;
}

static void happening_carry(sim *s, struct happening *h, double dt) {
    const world_event *e = h->event;
    collider *c = &s->colliders[e->body];
    body_wake(s, (size_t)e->body);
    c->calm_steps = 0;
    double over = fmax(e->over, 0.1), x = seconds(s->now - h->since) / over;
    pose now = sim_pose(s, (size_t)e->body), goal = carry_path(h, x),
         next = carry_path(h, x + dt / over);
    vec3 miss = v3_sub(e->to.p, now.p);
    bool there = v3_length(miss) < ARRIVED && quat_angle(now.q, e->to.q) < ARRIVED_ANGLE;
    // The path's end may lie a little within what carries it: set down is set down.
    bool down =
        x >= 1 && v3_length(v3(miss.x, miss.y, 0)) < 5 * ARRIVED && fabs(miss.z) < 10 * ARRIVED;
    if (x >= 1 && (there || (down && x > 1 + 0.2 / over) || x > 1 + PATIENCE / over)) {
        let_go(s, h);
        return;
    }
    vec3 turn = quat_log(quat_mul(goal.q, quat_inverse(now.q)));
    vec3 turn_rate = v3_scale(quat_log(quat_mul(next.q, quat_inverse(goal.q))), 1 / dt);
    vec3 w = v3_add(turn_rate, vector_limited(v3_scale(turn, HAND_GAIN), HAND_SPEED));
    vec3 rate = v3_scale(v3_sub(next.p, goal.p), 1 / dt);
    vec3 v = v3_add(rate, vector_limited(v3_scale(v3_sub(goal.p, now.p), HAND_GAIN), HAND_SPEED));
    // Of the origin; the motor holds the centre of mass.
    v = v3_add(v, v3_cross(w, quat_rotate(now.q, c->com)));
    double along[3] = {v.x, v.y, v.z}, about[3] = {w.x, w.y, w.z};
    for (int i = 0; i < 3; i++) {
        dJointSetLMotorParam(h->linear, dParamVel + dParamGroup * i, along[i]);
        dJointSetAMotorParam(h->angular, dParamVel + dParamGroup * i, about[i]);
    }
}

status happenings_follow(sim *s, const world_model *before, error *err) {
    struct happening *was = s->happenings;
    s->happened.count = 0;
    status st = happenings_create(s, err);
    for (size_t i = 0; i < before->event_count; i++) {
        struct happening *h = &was[i];
        size_t k = 0;
        while (k < s->world->event_count && strcmp(s->world->events[k].name, h->event->name) != 0)
            k++;
        if (k < s->world->event_count) {
            const world_event *now = s->happenings[k].event;
            s->happenings[k] = *h;
            s->happenings[k].event = now;
        } else if (h->linear) {
            let_go(s, h);
        } else if (h->progress == ACTING && h->event->kind == EVENT_JOINT) {
            furniture_let_go(s, h->event->joint);
        }
    }
    free(was);
    return st;
}

// ---- Other events ---------------------------------------------------------------------

static void happening_push(sim *s, struct happening *h) {
    const world_event *e = h->event;
    // At least one step, however short it is.
    if (s->now > h->since && s->now >= h->since + nanos_from_seconds(e->over)) {
        h->progress = OVER;
        return;
    }
    collider *c = &s->colliders[e->body];
    body_wake(s, (size_t)e->body);
    c->calm_steps = 0;
    vec3 at = pose_apply(sim_pose(s, (size_t)e->body), e->point), f = e->force;
    dBodyAddForceAtPos(c->body, f.x, f.y, f.z, at.x, at.y, at.z);
}

static void move_joint(sim *s, struct happening *h) {
    const world_event *e = h->event;
    const world_joint *j = &s->world->joints[e->joint];
    double x = seconds(s->now - h->since) / fmax(e->over, 0.1), dt = seconds(s->options.step);
    double goal = fmin(fmax(e->value, j->lower), j->upper);
    double a = smooth_step(x), b = smooth_step(x + dt / fmax(e->over, 0.1));
    double to = h->start + (goal - h->start) * a, rate = (goal - h->start) * (b - a) / dt;
    bool there = fabs(sim_world_joint(s, e->joint) - goal) < ARRIVED_JOINT;
    if (x >= 1 && (there || x > 1 + PATIENCE / fmax(e->over, 0.1))) {
        furniture_let_go(s, e->joint);
        h->progress = OVER;
        return;
    }
    furniture_drive(s, e->joint, to, rate, j->kind == WORLD_HINGE ? JOINT_TORQUE : JOINT_FORCE);
}

static void move_geoms(sim *s, size_t body, pose at) {
    collider *c = &s->colliders[body];
    c->rest = (pose){pose_apply(at, c->com), at.q};
    for (size_t g = 0; g < c->geom_count; g++) {
        pose own = pose_mul(at, c->shapes[g].at);
        if (c->shapes[g].kind == SHAPE_PLANE) {
            vec3 n = quat_rotate(own.q, v3(0, 0, 1));
            dGeomPlaneSetParams(c->geoms[g], n.x, n.y, n.z, v3_dot(n, own.p));
            continue;
        }
        dQuaternion q;
        quat_to_ode(own.q, q);
        dGeomSetPosition(c->geoms[g], own.p.x, own.p.y, own.p.z);
        dGeomSetQuaternion(c->geoms[g], q);
    }
}

// What lies on the body or against it wakes.
static void wake_neighbours(sim *s, size_t body) {
    size_t count;
    const sim_contact *all = sim_contacts(s, &count);
    for (size_t i = 0; i < count; i++)
        if (all[i].a == body || all[i].b == body) {
            size_t other = all[i].a == body ? all[i].b : all[i].a;
            if (other < s->first_link)
                body_wake(s, other);
        }
}

bool sim_put(sim *s, size_t body, pose at, double depth) {
    collider *c = &s->colliders[body];
    ASSERT(c->kind != COLLIDER_PARTICLE && c->bonds == 0 && !c->kept && !c->driven);
    bool there = c->on, moves = c->kind == COLLIDER_FREE && c->awake;
    pose before = sim_pose(s, body);
    vec3 v = moves ? from_ode(dBodyGetLinearVel(c->body)) : v3(0, 0, 0);
    vec3 w = moves ? from_ode(dBodyGetAngularVel(c->body)) : v3(0, 0, 0);
    if (there) {
        body_raise(s, body);
        wake_neighbours(s, body);
        body_rest(s, body);
    }
    move_geoms(s, body, at);
    c->on = true;
    if (contacts_place(s, body) > depth) {
        c->on = there;
        if (there) {
            move_geoms(s, body, before);
            contacts_follow(s, body);
            body_wake(s, body);
        }
        if (moves) {
            dBodySetLinearVel(c->body, v.x, v.y, v.z);
            dBodySetAngularVel(c->body, w.x, w.y, w.z);
        }
        return false;
    }
    c->absent = false;
    s->rested = true;
    body_wake(s, body);
    return true;
}

// False: the place is taken, for now. What was poured into it comes along.
static bool body_appear(sim *s, const world_event *e) {
    size_t body = (size_t)e->body;
    const world_model *w = s->world;
    collider *c = &s->colliders[body];
    if (c->kind == COLLIDER_PARTICLE) {
        particles_put(s, body, e->to, true);
        c->absent = false;
        return true;
    }
    if (!sim_put(s, body, e->to, TAKEN))
        return false;
    pose by = pose_mul(e->to, pose_inverse(w->bodies[body].at));
    for (size_t b = 0; b < w->body_count; b++)
        if (w->bodies[b].particle && w->bodies[b].inside == e->body && s->colliders[b].absent) {
            particles_put(s, b, pose_mul(by, w->bodies[b].at), true);
            s->colliders[b].absent = false;
        }
    return true;
}

// With what is still in it; what lay on it or against it wakes.
void sim_take(sim *s, size_t body) {
    const world_model *w = s->world;
    collider *c = &s->colliders[body];
    if (c->kind == COLLIDER_PARTICLE) {
        particles_put(s, body, sim_pose(s, body), false);
        c->absent = true;
        return;
    }
    body_raise(s, body);
    wake_neighbours(s, body);
    const body_type *type = w->bodies[body].type;
    pose back = pose_inverse(sim_pose(s, body));
    for (size_t b = 0; b < w->body_count; b++) {
        if (!w->bodies[b].particle || !s->colliders[b].on || !type->has_interior)
            continue;
        pose at = sim_pose(s, b);
        if (shape_distance(&type->interior, type->interior.at, pose_apply(back, at.p)) <= 0) {
            particles_put(s, b, at, false);
            s->colliders[b].absent = true;
        }
    }
    particles_wake_near(s, &c->bounds);
    for (size_t i = 0; i < w->event_count; i++)
        if (s->happenings[i].linear && s->happenings[i].event->body == (int64_t)body)
            let_go(s, &s->happenings[i]);
    bonds_drop(s, body);
    // A body that was kept stays in ODE, disabled; nothing sees it any more.
    body_rest(s, body);
    c->on = false;
    c->absent = true;
    s->rested = true;
}

// ---- Stepping -------------------------------------------------------------------------

// False: it cannot happen now.
static bool happening_begin(sim *s, struct happening *h) {
    const world_event *e = h->event;
    switch (e->kind) {
    case EVENT_MOVE:
        if (!body_is_present(s, e->body))
            return false;
        happening_take(s, h);
        break;
    case EVENT_FORCE:
        if (!body_is_present(s, e->body))
            return false;
        break;
    case EVENT_WET:
        surfaces_wet(s, e->body, e->material, e->value);
        h->progress = OVER;
        return true;
    case EVENT_JOINT:
        h->start = sim_world_joint(s, e->joint);
        break;
    case EVENT_ADD:
        if (!s->colliders[e->body].absent || !body_appear(s, e))
            return false;
        h->progress = OVER;
        return true;
    case EVENT_REMOVE:
        if (!body_is_present(s, e->body))
            return false;
        sim_take(s, (size_t)e->body);
        h->progress = OVER;
        return true;
    }
    h->progress = ACTING;
    return true;
}

void happenings_step(sim *s, double dt) {
    s->happened.count = 0;
    for (size_t i = 0; i < s->world->event_count; i++) {
        struct happening *h = &s->happenings[i];
        if (h->progress == WAITING && condition_holds(s, h->event->when)) {
            h->progress = DUE;
            h->since = s->now + nanos_from_seconds(h->event->after);
        }
        if (h->progress == DUE && s->now >= h->since) {
            bool happens = happening_begin(s, h);
            h->since = happens ? s->now : s->now + LOOK_AGAIN;
            h->barred = !happens;
            if (happens)
                array_push(&s->happened, i);
        }
        if (h->progress != ACTING)
            continue;
        if (!body_is_present(s, h->event->body)) { // another model took it over
            if (h->linear)
                let_go(s, h);
            h->progress = OVER;
            continue;
        }
        if (h->event->kind == EVENT_MOVE)
            happening_carry(s, h, dt);
        else if (h->event->kind == EVENT_FORCE)
            happening_push(s, h);
        else
            move_joint(s, h);
    }
}

// The next instant, now included, at which the passing of time alone changes the condition.
static nanos condition_next(const sim *s, const condition *c) {
    nanos next = TIME_OPEN;
    if (c->kind == WHEN_AT && nanos_from_seconds(c->value) >= s->now)
        next = nanos_from_seconds(c->value);
    const condition *const parts[2] = {c->left, c->right};
    for (int i = 0; i < 2; i++) {
        nanos one = parts[i] ? condition_next(s, parts[i]) : TIME_OPEN;
        next = one < next ? one : next;
    }
    return next;
}

nanos happenings_next(const sim *s) {
    nanos next = TIME_OPEN;
    for (size_t i = 0; i < s->world->event_count; i++) {
        const struct happening *h = &s->happenings[i];
        nanos one = h->progress == OVER      ? TIME_OPEN
                    : h->progress == DUE     ? h->since
                    : h->progress == WAITING ? condition_next(s, h->event->when)
                                             : s->now;
        next = one < next ? one : next;
    }
    return next;
}

const size_t *sim_events(const sim *s, size_t *count) {
    *count = s->happened.count;
    return s->happened.items;
}

event_wait sim_event_wait(const sim *s, size_t number) {
    ASSERT(number < s->world->event_count);
    const struct happening *h = &s->happenings[number];
    if (h->progress == WAITING)
        return EVENT_WAITS;
    if (h->progress != DUE)
        return EVENT_HAPPENED;
    return h->barred ? EVENT_BARRED : EVENT_LATER;
}

bool sim_present(const sim *s, size_t entity) {
    ASSERT(entity < s->entity_count);
    return !s->colliders[entity].absent;
}

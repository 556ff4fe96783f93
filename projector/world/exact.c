// projector/world/exact.c - islands of few contacts, and of hands that touch something, solved
// exactly.
//
// ODE's exact solver takes up unknown by unknown, from nothing in every step. Here the same
// equations, of contacts and of what ties palm and fingers to the arm, are solved from what bore,
// stuck and slid in the last step (dynamics/bounded.h): they have one solution, so that both find
// it. As there, friction that is bounded by its contact's force is bounded by what that would be
// without such friction. The bodies' motion, gravity among it, stays with ODE: it gets the forces
// that were found. Islands in which furniture hangs, and those that large heaps are, stay where
// they were.
#include "projector/world/dynamics/bounded.h"
#include "projector/world/dynamics/lanes.h"
#include "projector/world/things.h"

static const double ERP = 0.2, CFM = 1e-9; // as the world of ODE has them
static const double SAME_PLACE = 5e-3;     // m, how far a contact wanders in a step and is the same
enum { ALONE = -1, HAND_ROWS = 6, SLIDER_ROWS = 6 };

static const size_t NONE = SIZE_MAX;

// One equation: the relative velocity of two bodies in one direction.
typedef struct row {
    int body[2]; // of exact.bodies; ALONE: something that no force moves
    double j[2][6], answer[2][6];
    size_t before[2];    // of the same body: the row before it, times 2, plus its side there
    double wanted, soft; // m/s or rad/s; and per N s
} row;

typedef struct member {
    dBodyID body;
    vec3 at;
    double inverse_mass;
    mat3 inverse_inertia;
    double free[6];  // the velocity without contacts at the step's end, over the step
    double force[6]; // torque, force
    size_t last;     // row, as in row.before
} member;

typedef struct joined {
    size_t a, b; // entities
    point *at;
    dContact how;
    signed char sides[3]; // of the forces, as bounded.at
    size_t rows[3];
    size_t next; // of the same island, plus 1
} joined;

typedef struct memory {
    size_t a, b;
    vec3 at;
    signed char sides[3];
    bool taken;
} memory;

struct exact {
    bool *apart;         // by entity that leads an island: not for here
    bool *holds;         // by entity: it has a contact here
    size_t *head, *tail; // by entity that leads an island: its contacts, plus 1
    int *slot;           // by entity: of `members`
    bool any;
    ARRAY(joined) joints;
    ARRAY(memory) memories;
    size_t reached; // of the memories, as contacts are added
    ARRAY(row) rows;
    ARRAY(member) members;
    ARRAY(size_t) slots_given;
    bounded system;
    signed char (*fingers)[2]; // by arm: sides of the motors' forces
};

void exact_create(sim *s) {
    struct exact *e = mem_must(1, sizeof *e);
    e->apart = mem_must(s->entity_count, sizeof *e->apart);
    e->holds = mem_must(s->entity_count, sizeof *e->holds);
    e->head = mem_must(s->entity_count, sizeof *e->head);
    e->tail = mem_must(s->entity_count, sizeof *e->tail);
    e->slot = mem_must(s->entity_count, sizeof *e->slot);
    e->fingers = mem_must(s->robot->arm_count + 1, sizeof *e->fingers);
    for (size_t i = 0; i < s->entity_count; i++)
        e->slot[i] = ALONE;
    s->exact = e;
}

void exact_destroy(sim *s) {
    struct exact *e = s->exact;
    if (!e)
        return;
    bounded_finish(&e->system);
    array_finish(&e->joints);
    array_finish(&e->memories);
    array_finish(&e->rows);
    array_finish(&e->members);
    array_finish(&e->slots_given);
    free(e->apart);
    free(e->holds);
    free(e->head);
    free(e->tail);
    free(e->slot);
    free(e->fingers);
    free(e);
}

// ---- Islands ------------------------------------------------------------------------------

static bool moves(const collider *c) {
    return c->kind == COLLIDER_HAND || (c->kind == COLLIDER_FREE && c->awake);
}

static void entity_begin(sim *s, size_t entity, size_t leads) {
    s->colliders[entity].group = leads;
    s->exact->apart[entity] = s->exact->holds[entity] = false;
    s->exact->head[entity] = 0;
}

void exact_find(sim *s) {
    struct exact *e = s->exact;
    e->joints.count = e->reached = 0;
    for (size_t i = 0; i < s->awake_count; i++)
        entity_begin(s, s->awake[i], s->awake[i]);
    for (size_t i = s->first_hand; i < s->entity_count; i++)
        entity_begin(s, i, sim_entity_palm(s, (size_t)s->colliders[i].arm));
    for (size_t i = 0; i < s->pairs.count; i++) {
        const pair *p = &s->pairs.items[i];
        if (!moves(&s->colliders[p->a]) || !moves(&s->colliders[p->b]))
            continue;
        size_t ga = collider_group(s, p->a), gb = collider_group(s, p->b);
        s->colliders[ga > gb ? ga : gb].group = ga < gb ? ga : gb;
    }
    for (size_t i = 0; i < s->awake_count; i++) {
        const collider *c = &s->colliders[s->awake[i]];
        // Contacts have no joints yet: what has one hangs on something.
        e->apart[collider_group(s, s->awake[i])] |=
            c->heaped || c->kept || c->bonds > 0 || dBodyGetNumJoints(c->body) > 0;
    }
    for (size_t i = 0; i < s->robot->arm_count; i++) {
        const hand *h = &s->hands[i];
        double slide = dJointGetSliderPosition(h->sliders[0]);
        // At a stop the motor is no equation.
        if (s->colliders[h->palm].bonds > 0 ||
            slide <= dJointGetSliderParam(h->sliders[0], dParamLoStop) ||
            slide >= dJointGetSliderParam(h->sliders[0], dParamHiStop))
            e->apart[collider_group(s, h->palm)] = true;
    }
}

bool exact_has(sim *s, const pair *p) {
    size_t entity = moves(&s->colliders[p->a]) ? p->a : p->b;
    return moves(&s->colliders[entity]) && !s->exact->apart[collider_group(s, entity)];
}

// Where the contact's forces were in the last step. Contacts come in the order of their pairs, then
// and now.
static void recall_sides(struct exact *e, joined *c) {
    const memory *all = e->memories.items;
    while (e->reached < e->memories.count &&
           (all[e->reached].a < c->a || (all[e->reached].a == c->a && all[e->reached].b < c->b)))
        e->reached++;
    memory *best = NULL;
    double least = SAME_PLACE * SAME_PLACE;
    for (size_t k = e->reached; k < e->memories.count && all[k].a == c->a && all[k].b == c->b;
         k++) {
        vec3 way = v3_sub(all[k].at, from_ode(c->how.geom.pos));
        if (!all[k].taken && v3_dot(way, way) < least)
            best = &e->memories.items[k], least = v3_dot(way, way);
    }
    if (!best)
        return;
    best->taken = true;
    memcpy(c->sides, best->sides, sizeof c->sides);
}

bool exact_holds(const sim *s, size_t entity) {
    return s->exact->holds[entity];
}

void exact_add(sim *s, const pair *p, point *x, const dContact *how) {
    struct exact *e = s->exact;
    size_t lead = collider_group(s, moves(&s->colliders[p->a]) ? p->a : p->b);
    joined c = {.a = p->a, .b = p->b, .at = x, .how = *how};
    recall_sides(e, &c);
    e->holds[p->a] = e->holds[p->b] = true;
    array_push(&e->joints, c);
    *(e->head[lead] ? &e->joints.items[e->tail[lead] - 1].next : &e->head[lead]) = e->joints.count;
    e->tail[lead] = e->joints.count;
}

// ---- Equations ----------------------------------------------------------------------------

static void six_set(double six[6], vec3 angular, vec3 linear) {
    six[0] = angular.x, six[1] = angular.y, six[2] = angular.z;
    six[3] = linear.x, six[4] = linear.y, six[5] = linear.z;
}

static double six_dot(const double a[6], const double b[6]) {
    lanes sum = lanes_at(a) * lanes_at(b);
    sum += lanes_at(a + 2) * lanes_at(b + 2);
    sum += lanes_at(a + 4) * lanes_at(b + 4);
    return sum[0] + sum[1];
}

// The body of an entity as a member of the island at hand; ALONE for what no force moves.
static int member_of(sim *s, size_t entity, double dt) {
    struct exact *e = s->exact;
    const collider *c = &s->colliders[entity];
    if (!moves(c))
        return ALONE;
    if (e->slot[entity] != ALONE)
        return e->slot[entity];
    const dReal *q = dBodyGetQuaternion(c->body);
    mat3 r = quat_matrix((quat){q[0], q[1], q[2], q[3]}), back = mat3_transpose(&r);
    mat3 inverse = mat3_inverse(&c->inertia), half = mat3_mul(&r, &inverse);
    member m = {.body = c->body,
                .at = from_ode(dBodyGetPosition(c->body)),
                .inverse_mass = 1 / c->mass,
                .inverse_inertia = mat3_mul(&half, &back),
                .last = NONE};
    vec3 pull = v3_scale(from_ode(dBodyGetForce(c->body)), m.inverse_mass);
    if (dBodyGetGravityMode(c->body))
        pull = v3_add(pull, s->world->gravity);
    vec3 turn = mat3_apply(&m.inverse_inertia, from_ode(dBodyGetTorque(c->body)));
    vec3 v = from_ode(dBodyGetLinearVel(c->body)), w = from_ode(dBodyGetAngularVel(c->body));
    six_set(m.free, v3_add(v3_scale(w, 1 / dt), turn), v3_add(v3_scale(v, 1 / dt), pull));
    array_push(&e->members, m);
    array_push(&e->slots_given, entity);
    return e->slot[entity] = (int)e->members.count - 1;
}

static row *row_add(struct exact *e, int a, int b) {
    row r = {.body = {a, b}, .soft = CFM};
    array_push(&e->rows, r);
    return &e->rows.items[e->rows.count - 1];
}

// The axis of a slider's finger, outwards, and two across it.
static void slider_axes(dJointID slider, dVector3 along, dVector3 across[2]) {
    dJointGetSliderAxis(slider, along);
    dPlaneSpace(along, across[0], across[1]);
}

// The finger keeps its turn and its place across the palm, and goes as its motor says.
static void add_slider(sim *s, const hand *h, int i, int palm, double dt) {
    struct exact *e = s->exact;
    int finger = member_of(s, h->fingers[i], dt);
    const dReal *qf = dBodyGetQuaternion(s->colliders[h->fingers[i]].body);
    const dReal *qp = dBodyGetQuaternion(s->colliders[h->palm].body);
    quat of = {qf[0], qf[1], qf[2], qf[3]}, op = {qp[0], qp[1], qp[2], qp[3]};
    quat turned = quat_mul(quat_inverse(of), op);
    double side = turned.w < 0 ? -1 : 1;
    vec3 behind = quat_rotate(of, v3_scale(v3(turned.x, turned.y, turned.z), 2 * side * ERP / dt));
    vec3 c = v3_sub(e->members.items[palm].at, e->members.items[finger].at);
    vec3 off = v3_add(c, quat_rotate(op, h->finger_at[i]));
    double wanted[3] = {behind.x, behind.y, behind.z};
    for (int k = 0; k < 3; k++) {
        row *r = row_add(e, finger, palm);
        r->j[0][k] = 1, r->j[1][k] = -1;
        r->wanted = wanted[k];
    }
    dVector3 along, across[2];
    slider_axes(h->sliders[i], along, across);
    for (int k = 0; k < 3; k++) {
        row *r = row_add(e, finger, palm);
        vec3 axis = from_ode(k < 2 ? across[k] : along);
        vec3 lever = v3_scale(v3_cross(c, axis), 0.5);
        six_set(r->j[0], lever, axis);
        six_set(r->j[1], lever, v3_scale(axis, -1));
        r->wanted =
            k < 2 ? ERP / dt * v3_dot(axis, off) : dJointGetSliderParam(h->sliders[i], dParamVel);
    }
}

// What ties the palm to the flange, and the fingers to the palm (hand_couple).
static void add_hand(sim *s, const hand *h, double dt) {
    struct exact *e = s->exact;
    int palm = member_of(s, h->palm, dt);
    for (int i = 0; i < 3; i++) {
        row *r = row_add(e, palm, ALONE);
        dVector3 axis;
        dJointGetLMotorAxis(h->linear, i, axis);
        six_set(r->j[0], v3(0, 0, 0), from_ode(axis));
        r->wanted = dJointGetLMotorParam(h->linear, dParamVel + dParamGroup * i);
        r->soft = dJointGetLMotorParam(h->linear, dParamCFM + dParamGroup * i);
    }
    for (int i = 0; i < 3; i++) {
        row *r = row_add(e, palm, ALONE);
        dVector3 axis;
        dJointGetAMotorAxis(h->angular, i, axis);
        six_set(r->j[0], from_ode(axis), v3(0, 0, 0));
        r->wanted = dJointGetAMotorParam(h->angular, dParamVel + dParamGroup * i);
        r->soft = dJointGetAMotorParam(h->angular, dParamCFM + dParamGroup * i);
    }
    for (int i = 0; i < 2; i++)
        add_slider(s, h, i, palm, dt);
}

// Whether friction is bounded by the force along the normal that is found beside it.
static bool friction_follows(const joined *c) {
    return c->how.surface.mode & dContactApprox1_1;
}

static int contact_rows(const joined *c) {
    return c->how.surface.mu > 0 ? 3 : 1;
}

// The equations of a contact: along the normal (k = 0) and across it.
static void add_contact_row(sim *s, joined *c, int k, double dt) {
    struct exact *e = s->exact;
    const dSurfaceParameters *u = &c->how.surface;
    vec3 n = from_ode(c->how.geom.normal), t = from_ode(c->how.fdir1);
    vec3 axis = k == 0 ? n : k == 1 ? t : v3_cross(n, t), at = from_ode(c->how.geom.pos);
    bool turned = c->at->sign < 0;
    int a = member_of(s, turned ? c->b : c->a, dt), b = member_of(s, turned ? c->a : c->b, dt);
    c->rows[k] = e->rows.count;
    row *r = row_add(e, a, b);
    six_set(r->j[0], v3_cross(v3_sub(at, e->members.items[a].at), axis), axis);
    if (b != ALONE)
        six_set(r->j[1], v3_cross(axis, v3_sub(at, e->members.items[b].at)), v3_scale(axis, -1));
    double depth = fmax(c->how.geom.depth - CONTACT_LAYER, 0);
    r->wanted = k == 0 ? u->soft_erp / dt * depth + u->motionN : k == 1 ? u->motion1 : u->motion2;
    r->soft = k == 0 ? u->soft_cfm : k == 1 ? u->slip1 : u->slip2;
}

// Completes the rows, and makes their matrix.
static void fill_system(struct exact *e, double dt) {
    bounded *p = &e->system;
    size_t n = e->rows.count;
    bounded_begin(p, n);
    for (size_t i = 0; i < n; i++) {
        row *r = &e->rows.items[i];
        double *a = p->a + i * n;
        p->b[i] = r->wanted / dt;
        for (int k = 0; k < 2; k++) {
            if (r->body[k] == ALONE)
                continue;
            member *m = &e->members.items[r->body[k]];
            vec3 turn = mat3_apply(&m->inverse_inertia, v3(r->j[k][0], r->j[k][1], r->j[k][2]));
            six_set(r->answer[k], turn,
                    v3_scale(v3(r->j[k][3], r->j[k][4], r->j[k][5]), m->inverse_mass));
            p->b[i] -= six_dot(r->j[k], m->free);
            r->before[k] = m->last;
            m->last = 2 * i + (size_t)k;
            size_t first = i;
            for (size_t other = m->last; other != NONE;) {
                const row *o = &e->rows.items[other >> 1];
                first = other >> 1;
                a[first] += six_dot(r->answer[k], o->j[other & 1]);
                other = o->before[other & 1];
            }
            if (first < p->first[i])
                p->first[i] = first;
        }
        a[i] += r->soft / dt;
    }
}

static void bound_force(bounded *p, size_t i, double lo, double hi, signed char guess) {
    p->lo[i] = lo, p->hi[i] = hi;
    p->at[i] = guess;
}

// ---- A step -------------------------------------------------------------------------------

// Finds the forces of an island. Its contacts are a chain from `head` on.
static bool island_solve(sim *s, size_t lead, double dt) {
    struct exact *e = s->exact;
    bounded *p = &e->system;
    e->rows.count = e->members.count = 0;
    for (size_t i = 0; i < s->robot->arm_count; i++)
        if (!s->hands[i].rides && collider_group(s, s->hands[i].palm) == lead)
            add_hand(s, &s->hands[i], dt);
    size_t tied = e->rows.count;
    for (size_t k = e->head[lead]; k > 0; k = e->joints.items[k - 1].next) {
        joined *c = &e->joints.items[k - 1];
        add_contact_row(s, c, 0, dt);
        for (int i = 1; i < contact_rows(c) && !friction_follows(c); i++)
            add_contact_row(s, c, i, dt);
    }
    size_t without = e->rows.count;
    for (size_t k = e->head[lead]; k > 0; k = e->joints.items[k - 1].next) {
        joined *c = &e->joints.items[k - 1];
        for (int i = 1; i < contact_rows(c) && friction_follows(c); i++)
            add_contact_row(s, c, i, dt);
    }
    fill_system(e, dt);
    for (size_t i = 0, at = 0; i < s->robot->arm_count && at < tied; i++)
        if (!s->hands[i].rides && collider_group(s, s->hands[i].palm) == lead) {
            for (int k = 0; k < 2; k++) {
                double most = dJointGetSliderParam(s->hands[i].sliders[k], dParamFMax);
                size_t motor = at + HAND_ROWS + SLIDER_ROWS * ((size_t)k + 1) - 1;
                bound_force(p, motor, -most, most, e->fingers[i][k]);
            }
            at += HAND_ROWS + 2 * SLIDER_ROWS;
        }
    for (size_t k = e->head[lead]; k > 0; k = e->joints.items[k - 1].next) {
        const joined *c = &e->joints.items[k - 1];
        bound_force(p, c->rows[0], 0, INFINITY, c->sides[0]);
        for (int i = 1; i < contact_rows(c) && !friction_follows(c); i++)
            bound_force(p, c->rows[i], -c->how.surface.mu, c->how.surface.mu, c->sides[i]);
    }
    if (!bounded_solve(p, without))
        return false;
    for (size_t k = e->head[lead]; k > 0; k = e->joints.items[k - 1].next) {
        const joined *c = &e->joints.items[k - 1];
        double most = c->how.surface.mu * fmax(p->x[c->rows[0]], 0); // a rounding below 0
        for (int i = 1; i < contact_rows(c) && friction_follows(c); i++)
            bound_force(p, c->rows[i], -most, most, c->sides[i]);
    }
    return without == e->rows.count || bounded_solve(p, e->rows.count);
}

static void push_ode(dReal out[3], vec3 v) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

// What the hand's equations bore, as ODE's motors would tell.
static void hand_feedback(struct exact *e, hand *h, size_t from) {
    vec3 sums[2] = {{0}};
    for (size_t i = 0; i < HAND_ROWS; i++) {
        const double *j = e->rows.items[from + i].j[0] + (i < 3 ? 3 : 0);
        sums[i / 3] = v3_add(sums[i / 3], v3_scale(v3(j[0], j[1], j[2]), e->system.x[from + i]));
    }
    push_ode(h->linear_feedback.f1, sums[0]);
    push_ode(h->linear_feedback.t1, v3(0, 0, 0));
    push_ode(h->angular_feedback.t1, sums[1]);
}

static void contact_feedback(struct exact *e, joined *c) {
    vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < contact_rows(c); k++) {
        const double *j = e->rows.items[c->rows[k]].j[0] + 3;
        sum = v3_add(sum, v3_scale(v3(j[0], j[1], j[2]), e->system.x[c->rows[k]]));
        c->sides[k] = e->system.at[c->rows[k]];
    }
    push_ode(c->at->feedback.f1, sum);
}

static void hand_enable(hand *h, bool on) {
    const dJointID all[] = {h->linear, h->angular, h->sliders[0], h->sliders[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        (on ? dJointEnable : dJointDisable)(all[i]);
}

// Hands the forces to the bodies, and to those who ask what was borne.
static void island_push(sim *s, size_t lead) {
    struct exact *e = s->exact;
    for (size_t i = 0; i < e->rows.count; i++)
        for (int k = 0; k < 2; k++) {
            const row *r = &e->rows.items[i];
            for (int n = 0; r->body[k] != ALONE && n < 6; n++)
                e->members.items[r->body[k]].force[n] += e->system.x[i] * r->j[k][n];
        }
    for (size_t i = 0; i < e->members.count; i++) {
        const member *m = &e->members.items[i];
        dBodyAddTorque(m->body, m->force[0], m->force[1], m->force[2]);
        dBodyAddForce(m->body, m->force[3], m->force[4], m->force[5]);
    }
    for (size_t i = 0, at = 0; i < s->robot->arm_count; i++)
        if (!s->hands[i].rides && collider_group(s, s->hands[i].palm) == lead) {
            hand_feedback(e, &s->hands[i], at);
            hand_enable(&s->hands[i], false);
            for (size_t k = 0; k < 2; k++)
                e->fingers[i][k] = e->system.at[at + HAND_ROWS + SLIDER_ROWS * (k + 1) - 1];
            at += HAND_ROWS + 2 * SLIDER_ROWS;
        }
    for (size_t k = e->head[lead]; k > 0; k = e->joints.items[k - 1].next)
        contact_feedback(e, &e->joints.items[k - 1]);
}

static void solve_led(sim *s, size_t entity, double dt) {
    struct exact *e = s->exact;
    if (collider_group(s, entity) != entity || e->apart[entity])
        return;
    bool of_hand = s->colliders[entity].kind == COLLIDER_HAND;
    if (!e->head[entity] && (!of_hand || s->hands[s->colliders[entity].arm].rides))
        return;
    if (island_solve(s, entity, dt))
        island_push(s, entity);
    else
        for (size_t k = e->head[entity]; k > 0; k = e->joints.items[k - 1].next)
            contact_make(s, &s->colliders[e->joints.items[k - 1].a],
                         &s->colliders[e->joints.items[k - 1].b], e->joints.items[k - 1].at,
                         &e->joints.items[k - 1].how);
    for (size_t i = 0; i < e->slots_given.count; i++)
        e->slot[e->slots_given.items[i]] = ALONE;
    e->slots_given.count = 0;
}

void exact_solve(sim *s, double dt) {
    struct exact *e = s->exact;
    for (size_t i = 0; i < s->robot->arm_count; i++)
        hand_enable(&s->hands[i], true);
    for (size_t i = 0; i < s->awake_count; i++)
        solve_led(s, s->awake[i], dt);
    for (size_t i = 0; i < s->robot->arm_count; i++)
        solve_led(s, s->hands[i].palm, dt);
    e->memories.count = 0;
    for (size_t i = 0; i < e->joints.count; i++) {
        const joined *c = &e->joints.items[i];
        memory m = {.a = c->a, .b = c->b, .at = from_ode(c->how.geom.pos)};
        memcpy(m.sides, c->sides, sizeof m.sides);
        array_push(&e->memories, m);
    }
}

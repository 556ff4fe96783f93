// projector/world/sim.c - builds the true world, steps it, and answers for its state.
#include "projector/world/things.h"

static const int TROUBLE_STEPS = 10;
static const double FAR = 1e3, FAST = 1e2, SPIN = 2e3; // m, m/s, rad/s: beyond lies divergence
static const double STOP_STIFFNESS = 1e6, STOP_DAMPING = 4e3;   // N m / rad
static const double SLIDE_STIFFNESS = 1e8, SLIDE_DAMPING = 4e5; // N / m

// ODE's handlers take no context, so the count of its messages is the process's; a simulation
// reports what was added since it was created.
static int64_t message_count;

static void count_message(int number, const char *text, va_list rest) {
    (void)number, (void)text, (void)rest;
    message_count++;
}

// ODE's own handlers would print and exit.
static void fatal_message(int number, const char *text, va_list rest) {
    (void)number, (void)rest;
    assert_failed(text, "ode", 0);
}

// ODE takes what it asks for as given.
static void *ode_grow(void *old, size_t before, size_t size) {
    (void)before;
    void *piece = realloc(old, size);
    while (!piece && size > 0) {
        mem_exhausted();
        piece = realloc(old, size);
    }
    return piece;
}

static void *ode_alloc(size_t size) {
    return ode_grow(NULL, 0, size);
}

static void ode_free(void *old, size_t size) {
    (void)size;
    free(old);
}

sim_options sim_options_default(void) {
    return (sim_options){.step = 2000000};
}

// ---- Building -------------------------------------------------------------------------

static status build_world_body(sim *s, size_t index, error *err) {
    const world_body *b = &s->world->bodies[index];
    const body_type *type = b->type;
    collider *c = &s->colliders[index];
    c->name = b->name;
    c->absent = b->absent;
    c->on = !b->absent;
    c->node = c->arm = c->machine = -1;
    c->com = b->fixed ? v3(0, 0, 0) : type->com;
    c->mass = type->mass;
    c->restitution = type->restitution;
    c->kind = b->particle ? COLLIDER_PARTICLE : b->fixed ? COLLIDER_FIXED : COLLIDER_FREE;
    c->rest = (pose){pose_apply(b->at, c->com), b->at.q};
    if (b->particle)
        return OK;
    if (!b->fixed) {
        const double(*i)[3] = type->inertia.m;
        bool solid = type->mass > 0 && i[0][0] > 0 && i[1][1] > 0 && i[2][2] > 0;
        for (size_t k = 0; k < type->shape_count; k++)
            if (type->shapes[k].kind == SHAPE_PLANE)
                solid = false;
        if (!solid)
            return error_set(
                err, E_INPUT,
                "%s can move but has no mass, no inertia or a plane as shape; give its "
                "type a mass or make it fixed",
                b->name);
        c->inertia = type->inertia;
    }
    geoms_create(s, c, type->shapes, type->shape_count, b->at);
    body_wake(s, index);
    if (c->body && !b->fixed) {
        dBodySetLinearVel(c->body, b->velocity.x, b->velocity.y, b->velocity.z);
        dBodySetAngularVel(c->body, b->spin.x, b->spin.y, b->spin.z);
    }
    return OK;
}

static size_t machine_of_link(const sim *s, size_t link) {
    size_t m = s->machine_count - 1;
    while (s->machines[m].base > s->first_link + link)
        m--;
    return m;
}

static int node_of_link(const sim *s, size_t link) {
    int64_t j = s->robot->links[link].joint;
    return j < 0 ? s->machines[machine_of_link(s, link)].root + PLANE_NODES - 1
                 : s->first_joint + (int)j;
}

static const mat3 UNIT = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static void build_tree(sim *s) {
    const robot_model *r = s->robot;
    aba_node *nodes = s->tree.nodes;
    for (size_t m = 0; m < s->machine_count; m++)
        for (int i = 0, root = s->machines[m].root; i < PLANE_NODES; i++)
            nodes[root + i] =
                (aba_node){.parent = i == 0 ? -1 : root + i - 1,
                           .slides = i < 2,
                           .origin_r = UNIT,
                           .origin_p = v3(0, 0, i == 0 ? s->machines[m].member.at.p.z : 0),
                           .axis = v3(i == 0, i == 1, i == 2),
                           .lower = -INFINITY,
                           .upper = INFINITY};
    for (size_t j = 0; j < r->joint_count; j++) {
        const robot_joint *from = &r->joints[j];
        bool slides = from->kind == JOINT_PRISMATIC;
        nodes[s->first_joint + (int)j] =
            (aba_node){.parent = node_of_link(s, from->parent),
                       .slides = slides,
                       .origin_r = quat_matrix(from->origin.q),
                       .origin_p = from->origin.p,
                       .axis = from->axis,
                       .viscous = from->viscous,
                       .coulomb = from->coulomb,
                       .armature = from->armature,
                       .lower = from->lower,
                       .upper = from->upper,
                       .stop_stiffness = slides ? SLIDE_STIFFNESS : STOP_STIFFNESS,
                       .stop_damping = slides ? SLIDE_DAMPING : STOP_DAMPING,
                       .kp = from->kp,
                       .kd = from->kd,
                       .low = -from->max_effort,
                       .high = from->max_effort};
    }
    for (size_t l = 0; l < r->link_count; l++) {
        aba_node *n = &nodes[node_of_link(s, l)];
        n->mass = r->links[l].mass;
        n->com = r->links[l].com;
        n->inertia = r->links[l].inertia;
    }
    s->tree.gravity = s->world->gravity;
}

static void build_robot(sim *s) {
    const robot_model *r = s->robot;
    for (size_t l = 0; l < r->link_count; l++) {
        collider *c = &s->colliders[s->first_link + l];
        *c = (collider){.kind = COLLIDER_LINK,
                        .name = r->links[l].name,
                        .on = true,
                        .node = node_of_link(s, l),
                        .arm = -1,
                        .machine = (int)machine_of_link(s, l),
                        .base = r->links[l].joint < 0,
                        .mass = r->links[l].mass};
        geoms_create(s, c, r->links[l].shapes, r->links[l].shape_count, POSE_IDENTITY);
    }
    for (size_t a = 0; a < r->arm_count; a++) {
        const robot_gripper *g = &r->arms[a].gripper;
        hand *h = &s->hands[a];
        h->palm = sim_entity_palm(s, a);
        h->fingers[0] = sim_entity_finger(s, a, 1);
        h->fingers[1] = sim_entity_finger(s, a, 2);
        h->node = node_of_link(s, r->arms[a].flange);
        h->mount = g->mount;
        h->mass = g->palm_mass + 2 * g->pad_mass;
        s->extra_mass[h->node] += h->mass;
        const char *names[3] = {g->palm, g->finger_1, g->finger_2};
        for (size_t k = 0; k < 3; k++)
            s->colliders[h->palm + k] =
                (collider){.kind = COLLIDER_HAND,
                           .name = names[k],
                           .on = true,
                           .node = h->node,
                           .arm = (int)a,
                           .machine = (int)machine_of_link(s, r->arms[a].flange),
                           .mass = k == 0 ? g->palm_mass : g->pad_mass,
                           .com = k == 0 ? g->palm_center : v3(0, 0, 0)};
    }
}

static void build_hand_geoms(sim *s, size_t arm) {
    const robot_gripper *g = &s->robot->arms[arm].gripper;
    hand *h = &s->hands[arm];
    h->palm_shape = (shape){SHAPE_BOX, {g->palm_center, {1, 0, 0, 0}}, g->palm_size};
    h->pad_shape = (shape){SHAPE_BOX, POSE_IDENTITY, g->pad_size};
    geoms_create(s, &s->colliders[h->palm], &h->palm_shape, 1, POSE_IDENTITY);
    for (int k = 0; k < 2; k++)
        geoms_create(s, &s->colliders[h->fingers[k]], &h->pad_shape, 1, POSE_IDENTITY);
}

// From the tree's state to what callers see.
static void publish_state(sim *s) {
    for (size_t j = 0; j < s->robot->joint_count; j++) {
        const aba_node *n = &s->tree.nodes[s->first_joint + (int)j];
        s->q[j] = n->q, s->qd[j] = n->qd, s->effort[j] = n->effort;
    }
    aba_kinematics(&s->tree,
                   v3(s->tree.nodes[0].q, s->tree.nodes[1].q, s->machines[0].member.at.p.z));
    for (size_t a = 0; a < s->robot->arm_count; a++)
        if (s->hands[a].rides)
            hand_place(s, &s->hands[a]);
}

static status sim_step(model *m, nanos t, nanos dt, error *err);
static void destroy_model(model *m);
static const model_class ODE_MODEL = {.name = "ode", .step = sim_step, .destroy = destroy_model};

static void create_machines(sim *s, const fleet_member *members, size_t count) {
    s->machines = mem_must(count, sizeof *s->machines);
    s->machine_count = count;
    s->tree.planes = mem_must(count, sizeof *s->tree.planes);
    size_t link = s->first_link, joint = 0, arm = 0;
    for (size_t m = 0; m < count; m++) {
        const robot_model *r = members[m].robot;
        s->machines[m] =
            (machine){.member = members[m],
                      .first_joint = joint,
                      .first_arm = arm,
                      .base = link,
                      .root = PLANE_NODES * (int)m,
                      .ignored_fixed = mem_must(s->first_link, sizeof *s->machines->ignored_fixed)};
        s->tree.planes[m].node = s->machines[m].root;
        link += r->link_count, joint += r->joint_count, arm += r->arm_count;
    }
    s->tree.plane_count = (int)count;
}

status sim_create(const world_model *w, const robot_model *r, const sim_options *opt, sim **out,
                  error *err) {
    fleet_member alone = {.robot = r, .at = w->robot_at};
    return sim_create_fleet(w, &alone, 1, opt, out, err);
}

status sim_create_fleet(const world_model *w, const fleet_member *members, size_t count,
                        const sim_options *opt, sim **out, error *err) {
    ASSERT(count > 0);
    sim *s = mem_must(1, sizeof *s);
    s->model.class = &ODE_MODEL;
    s->world = w;
    s->fleet = count > 1 ? fleet_merge(members, count) : NULL;
    s->robot = s->fleet ? s->fleet : members[0].robot;
    const robot_model *r = s->robot;
    s->options = opt ? *opt : sim_options_default();
    s->first_link = w->body_count;
    s->first_hand = s->first_link + r->link_count;
    s->entity_count = s->first_hand + 3 * r->arm_count;
    s->first_joint = PLANE_NODES * (int)count;
    size_t nodes = (size_t)s->first_joint + r->joint_count, robot = s->entity_count - s->first_link;
    s->colliders = mem_must(s->entity_count, sizeof *s->colliders);
    s->awake = mem_must(w->body_count, sizeof *s->awake);
    s->broad = broad_create(w->body_count);
    s->thinnest = INFINITY;
    s->self_pairs = mem_must(robot * robot, sizeof *s->self_pairs);
    s->hands = mem_must(r->arm_count, sizeof *s->hands);
    s->extra_mass = mem_must(nodes, sizeof *s->extra_mass);
    s->extra_com = mem_must(nodes, sizeof *s->extra_com);
    s->targets = mem_must(r->joint_count, sizeof *s->targets);
    s->pushes = mem_must(r->joint_count + 1, sizeof *s->pushes);
    s->impedances = mem_must(r->arm_count, sizeof *s->impedances);
    s->q = mem_must(r->joint_count, sizeof *s->q);
    s->qd = mem_must(r->joint_count, sizeof *s->qd);
    s->effort = mem_must(r->joint_count, sizeof *s->effort);
    aba_init(&s->tree, mem_must(nodes, sizeof(aba_node)), (int)nodes,
             mem_must(LINK_CONTACTS_MAX, sizeof(aba_contact)), LINK_CONTACTS_MAX);
    s->tree.springs = mem_must(r->arm_count, sizeof *s->tree.springs);
    create_machines(s, members, count);

    dSetAllocHandler(ode_alloc);
    dSetReallocHandler(ode_grow);
    dSetFreeHandler(ode_free);
    dInitODE2(0);
    dSetMessageHandler(count_message);
    dSetErrorHandler(fatal_message);
    dSetDebugHandler(fatal_message);
    s->messages_before = message_count;
    s->ode = dWorldCreate();
    s->contact_joints = dJointGroupCreate(0);
    dWorldSetGravity(s->ode, w->gravity.x, w->gravity.y, w->gravity.z);
    dWorldSetERP(s->ode, 0.2);
    dWorldSetCFM(s->ode, 1e-9);
    dWorldSetContactSurfaceLayer(s->ode, CONTACT_LAYER);
    // Corrections are limited contact by contact, since links carry their surfaces along.
    dWorldSetContactMaxCorrectingVel(s->ode, dInfinity);
    dWorldSetAutoDisableFlag(s->ode, 0); // sleep.c decides

    status st = OK;
    for (size_t b = 0; b < w->body_count && st == OK; b++)
        st = build_world_body(s, b, err);
    if (st == OK)
        st = particles_create(s, err);
    if (st == OK)
        st = furniture_create(s, err);
    if (st == OK)
        st = happenings_create(s, err);
    if (st != OK)
        goto done;
    build_tree(s);
    build_robot(s);
    control_init(s);
    publish_state(s);
    for (size_t a = 0; a < r->arm_count; a++) {
        hand_create(s, a);
        build_hand_geoms(s, a);
    }
    surfaces_create(s);
    heap_create(s);
    exact_create(s);
    bonds_create(s);
    drives_create(s);
    contacts_move_links(s);
    st = contacts_check_start(s, err);
    if (st == OK && !s->options.overlapping)
        st = particles_check_start(s, err);
    particles_report(s);
done:
    if (st == OK)
        *out = s;
    else
        sim_destroy(s);
    return st;
}

void sim_destroy(sim *s) {
    if (!s)
        return;
    geoms_destroy(s);
    dJointGroupDestroy(s->contact_joints);
    dWorldDestroy(s->ode);
    dCloseODE();
    free(s->tree.nodes);
    free(s->tree.contacts);
    free(s->colliders);
    surfaces_destroy(s);
    furniture_destroy(s);
    particles_destroy(s);
    heap_destroy(s);
    exact_destroy(s);
    bonds_destroy(s);
    drives_destroy(s);
    happenings_destroy(s);
    free(s->awake);
    broad_destroy(s->broad);
    contacts_destroy(s);
    for (size_t m = 0; m < s->machine_count; m++)
        free(s->machines[m].ignored_fixed);
    free(s->machines);
    free(s->tree.planes);
    robot_destroy(s->fleet);
    free(s->self_pairs);
    free(s->hands);
    free(s->extra_mass);
    free(s->extra_com);
    free(s->targets);
    free(s->pushes);
    free(s->impedances);
    free(s->tree.springs);
    free(s->q);
    free(s->qd);
    free(s->effort);
    array_finish(&s->pairs);
    array_finish(&s->points);
    array_finish(&s->passings);
    array_finish(&s->passing_near);
    array_finish(&s->contacts);
    array_finish(&s->previous);
    array_finish(&s->reported);
    free(s);
}

static void destroy_model(model *m) {
    sim_destroy((sim *)m);
}

model *sim_model(sim *s) {
    return &s->model;
}

// ---- Stepping -------------------------------------------------------------------------

static bool vector_is_sane(vec3 v, double most) {
    return fabs(v.x) <= most && fabs(v.y) <= most &&
           fabs(v.z) <= most; // false for what is no number
}

static status state_check(const sim *s, nanos t, error *err) {
    const char *who = particles_diverged(s, FAR, FAST);
    size_t robot = s->entity_count - s->first_link;
    for (size_t i = 0; i < s->awake_count + robot && !who; i++) {
        size_t e = i < s->awake_count ? s->awake[i] : s->first_link + (i - s->awake_count);
        const collider *c = &s->colliders[e];
        if (c->body && (!vector_is_sane(from_ode(dBodyGetPosition(c->body)), FAR) ||
                        !vector_is_sane(from_ode(dBodyGetLinearVel(c->body)), FAST) ||
                        !vector_is_sane(from_ode(dBodyGetAngularVel(c->body)), SPIN)))
            who = c->name;
        if (c->kind == COLLIDER_LINK) {
            const aba_node *n = &s->tree.nodes[c->node];
            if (!(fabs(n->qd) <= FAST) || !vector_is_sane(n->p, FAR))
                who = c->name;
        }
    }
    return who ? error_set(err, E_DIVERGED,
                           "the simulation diverged at %.3f s: %s left the sane range of poses and "
                           "velocities",
                           seconds(t), who)
               : OK;
}

static status sim_step(model *m, nanos t, nanos dt, error *err) {
    sim *s = (sim *)m;
    double h = seconds(dt);
    if (dt != s->options.step)
        return error_set(err, E_USAGE, "the simulation steps by %.6f s, not by %.6f s",
                         seconds(s->options.step), h);
    s->now = t;
    // 1. What touches, where everything is now.
    happenings_step(s, h);
    bonds_wake(s);
    contacts_move_links(s);
    furniture_wake(s);
    contacts_find(s);
    hands_settle(s);
    // 2. The robot without the hands that touch something, and without what it pushes.
    control_step(s, h);
    aba_solve(&s->tree, h);
    // 3. Everything else, with the robot's softness behind hands and surfaces.
    for (size_t a = 0; a < s->robot->arm_count; a++) {
        hand *at = &s->hands[a];
        if (at->rides) {
            hand_slide(s, at, h);
        } else {
            hand_drive_fingers(s, at);
            hand_couple(s, at, h);
        }
    }
    bodies_spin(s, h);
    bonds_pull(s, h);
    contacts_join(s, h);
    furniture_step(s, h);
    particles_step(s, h);
    exact_solve(s, h);
    int64_t messages = message_count;
    dWorldStep(s->ode, h);
    s->trouble = message_count != messages ? TROUBLE_STEPS : s->trouble > 0 ? s->trouble - 1 : 0;
    passing_step(s, h);
    // 4. The forces of that on the robot, and its step.
    for (size_t a = 0; a < s->robot->arm_count; a++)
        if (!s->hands[a].rides)
            hand_return(s, &s->hands[a]);
    contacts_return(s);
    particles_return(s, h);
    machines_push(s, h);
    guard_lead(s);
    aba_finish(&s->tree, h);
    for (size_t a = 0; a < s->robot->arm_count; a++)
        if (s->hands[a].rides)
            hand_feel(s, &s->hands[a]);
    contacts_report(s);
    sleep_step(s);
    particles_rest(s);
    particles_report(s);
    drives_report(s);
    publish_state(s);
    s->now = t + dt;
    return state_check(s, s->now, err);
}

// ---- State ----------------------------------------------------------------------------

const robot_model *sim_robots(const sim *s) {
    return s->robot;
}

size_t sim_robot_count(const sim *s) {
    return s->machine_count;
}

const fleet_member *sim_member(const sim *s, size_t robot) {
    ASSERT(robot < s->machine_count);
    return &s->machines[robot].member;
}

sim_part sim_part_of(const sim *s, size_t robot) {
    ASSERT(robot < s->machine_count);
    const machine *m = &s->machines[robot];
    return (sim_part){robot, m->base - s->first_link, m->first_joint, m->first_arm};
}

size_t sim_entity_count(const sim *s) {
    return s->entity_count;
}
size_t sim_entity_link(const sim *s, size_t link) {
    return s->first_link + link;
}
size_t sim_entity_palm(const sim *s, size_t arm) {
    return s->first_hand + 3 * arm;
}
size_t sim_entity_finger(const sim *s, size_t arm, int which) {
    ASSERT(which == 1 || which == 2);
    return s->first_hand + 3 * arm + (size_t)which;
}

const char *sim_entity_name(const sim *s, size_t entity) {
    ASSERT(entity < s->entity_count);
    return s->colliders[entity].name;
}

pose sim_pose(const sim *s, size_t entity) {
    ASSERT(entity < s->entity_count);
    const collider *c = &s->colliders[entity];
    if (c->kind == COLLIDER_PARTICLE)
        return particles_pose(s, entity);
    if (c->kind == COLLIDER_LINK) {
        const aba_node *n = &s->tree.nodes[c->node];
        return (pose){n->p, quat_from_matrix(&n->r)};
    }
    pose at = c->rest;
    if (c->body) {
        const dReal *q = dBodyGetQuaternion(c->body);
        at = (pose){from_ode(dBodyGetPosition(c->body)), {q[0], q[1], q[2], q[3]}};
    }
    return (pose){v3_sub(at.p, quat_rotate(at.q, c->com)), at.q};
}

void sim_velocity(const sim *s, size_t entity, vec3 *linear, vec3 *angular) {
    ASSERT(entity < s->entity_count);
    const collider *c = &s->colliders[entity];
    *angular = v3(0, 0, 0);
    if (c->kind == COLLIDER_PARTICLE) {
        *linear = particles_velocity(s, entity);
        return;
    }
    if (c->body) {
        *angular = from_ode(dBodyGetAngularVel(c->body));
    } else if (c->kind == COLLIDER_LINK) {
        const double *v = s->tree.nodes[c->node].v;
        *angular = v3(v[0], v[1], v[2]);
    } else if (c->driven) {
        *angular = c->drive_angular;
    }
    *linear = collider_velocity(s, c, sim_pose(s, entity).p);
}

bool sim_asleep(const sim *s, size_t entity) {
    ASSERT(entity < s->entity_count);
    const collider *c = &s->colliders[entity];
    if (c->kind == COLLIDER_PARTICLE)
        return particles_asleep(s, entity);
    return collider_asleep(c) && !c->driven;
}

bool sim_heaped(const sim *s, size_t entity) {
    ASSERT(entity < s->entity_count);
    return s->colliders[entity].awake && s->colliders[entity].heaped;
}

pose sim_base(const sim *s) {
    return sim_base_of(s, 0);
}

pose sim_base_of(const sim *s, size_t robot) {
    ASSERT(robot < s->machine_count);
    const aba_node *n = &s->tree.nodes[s->machines[robot].root];
    pose p = pose_planar(n[0].q, n[1].q, n[2].q);
    p.p.z = s->machines[robot].member.at.p.z;
    return p;
}
const double *sim_joint_positions(const sim *s) {
    return s->q;
}
const double *sim_joint_velocities(const sim *s) {
    return s->qd;
}
const double *sim_joint_efforts(const sim *s) {
    return s->effort;
}
double sim_joint_torque(const sim *s, size_t joint) {
    ASSERT(joint < s->robot->joint_count);
    return aba_transmitted(&s->tree.nodes[s->first_joint + (int)joint]);
}
uint64_t sim_message_count(const sim *s) {
    return (uint64_t)(message_count - s->messages_before);
}

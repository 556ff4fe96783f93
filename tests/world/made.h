// tests/world/made.h - worlds and robots put together in C, for tests of plain physics.
#ifndef FORESEE_TESTS_WORLD_MADE_H
#define FORESEE_TESTS_WORLD_MADE_H

#include "projector/world/sim_int.h"
#include "tests/testlib.h"

enum { MADE_MOST = 256 };
static const nanos MADE_STEP = 2000000;
static const double MADE_G = 9.81;

// Fill in before made_start: gravity, friction and restitution hold for the bodies added
// afterwards.
typedef struct made {
    vec3 gravity;
    double friction, restitution;
    bool sleepless;
    world_body bodies[MADE_MOST];
    body_type types[MADE_MOST];
    shape shapes[MADE_MOST];
    size_t count;
    world_model world;
    robot_model robot;
    robot_link links[3];
    robot_joint joints[2];
    robot_arm arm;
    double home[2];
    sim *sim;
    nanos now;
} made;

// A world without anything in it, and a robot of one link far from everything.
static inline void made_open(made *m) {
    memset(m, 0, sizeof *m);
    m->gravity = v3(0, 0, -MADE_G);
    m->friction = 0.5;
    m->links[0] = (robot_link){.name = "base", .joint = -1, .mass = 50};
    m->links[0].inertia = (mat3){{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
    m->robot = (robot_model){.name = "robot",
                             .links = m->links,
                             .link_count = 1,
                             .joints = m->joints,
                             .arms = &m->arm,
                             .home = m->home,
                             .torso = -1,
                             .pan = -1,
                             .tilt = -1,
                             .base_radius = 0.3,
                             .base_max_speed = 2,
                             .base_max_turn = 1,
                             .base_max_acceleration = 1,
                             .base_max_turn_acceleration = 1,
                             .base_max_force = 1000};
    m->world.robot_at = POSE_IDENTITY;
    m->world.robot_at.p = v3(-50, 0, 0);
}

static inline void made_mass(const shape *s, double mass, body_type *t) {
    double x = s->size.x, y = s->size.y, z = s->size.z, i[3] = {0, 0, 0};
    if (s->kind == SHAPE_BOX) {
        i[0] = (y * y + z * z) / 12, i[1] = (x * x + z * z) / 12, i[2] = (x * x + y * y) / 12;
    } else if (s->kind == SHAPE_SPHERE) {
        i[0] = i[1] = i[2] = 0.4 * x * x;
    } else if (s->kind == SHAPE_CYLINDER) {
        i[0] = i[1] = x * x / 4 + z * z / 12, i[2] = x * x / 2;
    } else if (s->kind == SHAPE_MESH) {
        double volume;
        mesh_mass(s->mesh, &volume, &t->com, &t->inertia);
        for (int k = 0; k < 9; k++)
            t->inertia.m[k / 3][k % 3] *= mass;
    }
    for (int k = 0; k < 3 && s->kind != SHAPE_MESH; k++)
        t->inertia.m[k][k] = mass * i[k];
    t->mass = t->believed_mass = mass;
}

// A body of one shape, whose centre is the body's origin. mass 0: fixed.
static inline size_t made_add_shape(made *m, const char *name, shape s, pose at, double mass) {
    assert_true(m->count < MADE_MOST);
    size_t k = m->count++;
    m->shapes[k] = s;
    m->types[k] = (body_type){.name = name,
                              .shapes = &m->shapes[k],
                              .shape_count = 1,
                              .friction = m->friction,
                              .restitution = m->restitution,
                              .material = "",
                              .up = {0, 0, 1},
                              .break_impulse = INFINITY};
    made_mass(&s, mass, &m->types[k]);
    m->bodies[k] = (world_body){.name = name,
                                .type = &m->types[k],
                                .color = "gray",
                                .at = at,
                                .fixed = mass == 0,
                                .known = mass == 0,
                                .inside = -1};
    return k;
}

static inline size_t made_add(made *m, const char *name, shape_kind kind, vec3 size, vec3 at,
                              double mass) {
    shape s = {.kind = kind, .at = POSE_IDENTITY, .size = size};
    return made_add_shape(m, name, s, (pose){at, {1, 0, 0, 0}}, mass);
}

static inline size_t made_floor(made *m) {
    return made_add(m, "floor", SHAPE_PLANE, v3(0, 0, 0), v3(0, 0, 0), 0);
}

static inline void made_start(made *m) {
    m->world.name = "made";
    m->world.gravity = m->gravity;
    m->world.types = m->types;
    m->world.bodies = m->bodies;
    m->world.type_count = m->world.body_count = m->count;
    error err = {0};
    sim_options o = sim_options_default();
    o.sleepless = m->sleepless;
    if (sim_create(&m->world, &m->robot, &o, &m->sim, &err) != OK)
        fail_msg("%s", err.text);
}

static inline void made_close(made *m) {
    sim_destroy(m->sim);
    m->sim = NULL;
}

static inline void made_step(made *m) {
    error err = {0};
    if (model_step(sim_model(m->sim), m->now, MADE_STEP, &err) != OK)
        fail_msg("%s", err.text);
    m->now += MADE_STEP;
}

static inline void made_run(made *m, double time) {
    for (nanos end = m->now + nanos_from_seconds(time); m->now < end;)
        made_step(m);
}

static inline vec3 made_at(const made *m, size_t body) {
    return sim_pose(m->sim, body).p;
}

static inline vec3 made_velocity(const made *m, size_t body) {
    vec3 v, w;
    sim_velocity(m->sim, body, &v, &w);
    return v;
}

// Sets a free body in motion.
static inline void made_throw(made *m, size_t body, vec3 v, vec3 w) {
    body_wake(m->sim, body);
    dBodySetLinearVel(m->sim->colliders[body].body, v.x, v.y, v.z);
    dBodySetAngularVel(m->sim->colliders[body].body, w.x, w.y, w.z);
}

static inline const sim_contact *made_contact(const made *m, size_t a, size_t b) {
    size_t count;
    const sim_contact *c = sim_contacts(m->sim, &count);
    for (size_t i = 0; i < count; i++)
        if ((c[i].a == a && c[i].b == b) || (c[i].a == b && c[i].b == a))
            return &c[i];
    return NULL;
}

// A gantry: a gripper that one joint lifts along the world's z axis, its pads closing along y about
// `at`. `pitch` turns the hand about y, the normal of the pads; at 0 it reaches straight down.
static inline void made_gantry(made *m, vec3 at, double pitch) {
    const double reach = 0.12; // from the palm's frame to the pads' centre
    quat down = quat_axis_angle(v3(0, 1, 0), PI + pitch);
    m->world.robot_at.p = v3(at.x, at.y, 0);
    m->links[1] = m->links[0];
    m->links[1].name = "slide";
    m->links[1].mass = 5;
    m->links[1].joint = 0;
    m->robot.link_count = 2;
    m->joints[0] = (robot_joint){.name = "lift",
                                 .kind = JOINT_PRISMATIC,
                                 .parent = 0,
                                 .child = 1,
                                 .origin = POSE_IDENTITY,
                                 .axis = v3(0, 0, 1),
                                 .lower = -1,
                                 .upper = 2,
                                 .max_velocity = 10,
                                 .max_acceleration = 100,
                                 .max_effort = 5000,
                                 .kp = 1e6,
                                 .kd = 2e4,
                                 .armature = 1};
    m->robot.joint_count = 1;
    m->arm = (robot_arm){.name = "arm", .joint_count = 1, .joints = {0}, .flange = 1};
    robot_gripper *g = &m->arm.gripper;
    *g = (robot_gripper){.name = "gripper",
                         .palm = "palm",
                         .finger_1 = "finger_1",
                         .finger_2 = "finger_2",
                         .palm_size = v3(0.06, 0.1, 0.04),
                         .palm_mass = 0.5,
                         .pad_size = v3(0.04, 0.012, 0.04),
                         .pad_mass = 0.15,
                         .pad_center_z = reach,
                         .max_opening = 0.12,
                         .max_force = 200,
                         .speed = 0.1,
                         .friction = m->friction,
                         .material = ""};
    vec3 approach = quat_rotate(down, v3(0, 0, 1));
    g->mount = (pose){v3_sub(v3(0, 0, at.z), v3_scale(approach, reach)), down};
    m->robot.arm_count = 1;
}

// Moves the gantry for some time with constant acceleration.
static inline void made_lift(made *m, double acceleration, double time) {
    double from = sim_joint_positions(m->sim)[0], v0 = sim_joint_velocities(m->sim)[0];
    for (double t = 0; t < time;) {
        t += 0.002;
        sim_set_joint(m->sim, 0, from + v0 * t + acceleration * t * t / 2, v0 + acceleration * t,
                      MADE_STEP);
        made_step(m);
    }
}

static inline vec3 made_in_hand(const made *m, size_t body) {
    pose palm = sim_pose(m->sim, sim_entity_palm(m->sim, 0));
    return pose_apply(pose_inverse(palm), sim_pose(m->sim, body).p);
}

static inline void made_near(double a, double b, double tolerance, const char *what) {
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%s: %.9g is not within %g of %.9g", what, a, tolerance, b);
}

#endif

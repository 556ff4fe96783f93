// tests/world/rig.h - a simulation with its world and robot, for the tests of the true world.
#ifndef FORESEE_TESTS_WORLD_RIG_H
#define FORESEE_TESTS_WORLD_RIG_H

#include "projector/world/sim.h"
#include "tests/testlib.h"

#define RIG_STEP INT64_C(2000000)
#define RIG_ROBOT FORESEE_SOURCE_DIR "/examples/robots/two_arms.yaml"
#define RIG_KITCHEN FORESEE_SOURCE_DIR "/examples/worlds/kitchen.yaml"
#define RIG_GRIP FORESEE_SOURCE_DIR "/tests/scenes/grip.yaml"
#define RIG_RIM FORESEE_SOURCE_DIR "/tests/scenes/rim.yaml"

typedef struct rig {
    world_model *world;
    robot_model *robot;
    sim *sim;
    nanos now;
    double torso; // commanded
} rig;

static inline void rig_explain(const errors *list) {
    char text[1024];
    for (size_t i = 0; i < list->count; i++) {
        error_format(&list->items[i], text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
}

// `values` are name, value, name, value, ..., NULL: settings of the world's parameters.
static inline void rig_load(rig *g, const char *world, const char *const *values) {
    settings set = {0};
    errors list = {0};
    *g = (rig){0};
    for (; values && *values; values += 2)
        array_push(&set, (setting){"world", values[0], values[1]});
    status w = world_load(world, NULL, &set, &g->world, &list);
    status r = robot_load(RIG_ROBOT, NULL, &set, &g->robot, &list);
    rig_explain(&list);
    assert_int_equal(w, OK);
    assert_int_equal(r, OK);
    errors_finish(&list);
    array_finish(&set);
}

static inline void rig_start(rig *g) {
    error err = {0};
    status st = sim_create(g->world, g->robot, NULL, &g->sim, &err);
    if (st != OK)
        fprintf(stderr, "%s\n", err.text);
    assert_int_equal(st, OK);
    g->torso = sim_joint_positions(g->sim)[g->robot->torso];
}

static inline void rig_open(rig *g, const char *world, const char *const *values) {
    rig_load(g, world, values);
    rig_start(g);
}

static inline void rig_close(rig *g) {
    sim_destroy(g->sim);
    robot_destroy(g->robot);
    world_destroy(g->world);
}

static inline void rig_step(rig *g) {
    error err = {0};
    status st = model_step(sim_model(g->sim), g->now, RIG_STEP, &err);
    if (st != OK)
        fprintf(stderr, "%s\n", err.text);
    assert_int_equal(st, OK);
    g->now += RIG_STEP;
}

static inline void rig_run(rig *g, double time) {
    for (nanos end = g->now + nanos_from_seconds(time); g->now < end;)
        rig_step(g);
}

static inline size_t rig_body(const rig *g, const char *name) {
    int64_t b = world_find_body(g->world, name);
    assert_true(b >= 0);
    return (size_t)b;
}

// Moves the torso along a trapezoid of velocity.
static inline void rig_lift(rig *g, double to, double acceleration, double speed) {
    double from = g->torso, d = fabs(to - from), side = to > from ? 1 : -1;
    double v = fmin(speed, sqrt(acceleration * d)), ramp = v / acceleration;
    double level = v > 0 ? d / v - ramp : 0, total = 2 * ramp + level;
    for (double t = 0; t < total;) {
        t += 0.002;
        double x, rate;
        if (t < ramp)
            x = acceleration * t * t / 2, rate = acceleration * t;
        else if (t < ramp + level)
            x = v * (t - ramp / 2), rate = v;
        else
            x = d - acceleration * fmax(total - t, 0) * fmax(total - t, 0) / 2,
            rate = acceleration * fmax(total - t, 0);
        sim_set_joint(g->sim, (size_t)g->robot->torso, from + side * x, side * rate, RIG_STEP);
        rig_step(g);
    }
    sim_set_joint(g->sim, (size_t)g->robot->torso, to, 0, 0);
    g->torso = to;
}

// Where a body is in the frame of a palm.
static inline vec3 rig_in_hand(const rig *g, size_t held, size_t arm) {
    pose hand = sim_pose(g->sim, sim_entity_palm(g->sim, arm));
    return pose_apply(pose_inverse(hand), sim_pose(g->sim, held).p);
}

// The contact between two entities, or NULL.
static inline const sim_contact *rig_contact(const rig *g, size_t a, size_t b) {
    size_t count;
    const sim_contact *c = sim_contacts(g->sim, &count);
    for (size_t i = 0; i < count; i++)
        if ((c[i].a == a && c[i].b == b) || (c[i].a == b && c[i].b == a))
            return &c[i];
    return NULL;
}

// The deepest penetration of the last step.
static inline double rig_depth(const rig *g) {
    size_t count;
    const sim_contact *c = sim_contacts(g->sim, &count);
    double depth = 0;
    for (size_t i = 0; i < count; i++)
        depth = fmax(depth, c[i].depth);
    return depth;
}

#endif

// tests/bench/bench_particles.c - what a fill costs: microseconds a step while it sloshes and while
// it rests.
//
// A box without lid, shaken by a motor of ODE, with 25 to 500 drops of 6 mm in it; beside it the
// same empty box, whose cost is taken off. CPU time of one core, per step of 2 ms.
#include <stdio.h>

#include "tests/bench/timing.h"
#include "tests/world/made.h"

static shape parts[5];
static body_type drop_type;
static world_body *bodies;

// The time of a step with so many drops, shaken and at rest.
static void measure(size_t drops, double *shaken, double *resting) {
    static made m;
    made_open(&m);
    made_floor(&m);
    const vec3 at[5] = {
        {0, 0, 0.005}, {0, 0.075, 0.1}, {0, -0.075, 0.1}, {0.075, 0, 0.1}, {-0.075, 0, 0.1}};
    const vec3 size[5] = {{0.16, 0.16, 0.01},
                          {0.16, 0.01, 0.2},
                          {0.16, 0.01, 0.2},
                          {0.01, 0.16, 0.2},
                          {0.01, 0.16, 0.2}};
    for (int k = 0; k < 5; k++)
        parts[k] = (shape){.kind = SHAPE_BOX, .at = {at[k], {1, 0, 0, 0}}, .size = size[k]};
    size_t box = made_add(&m, "box", SHAPE_BOX, v3(0.16, 0.16, 0.2), v3(0, 0, 0.002), 1);
    m.types[box].shapes = parts;
    m.types[box].shape_count = 5;
    size_t first = m.count;
    drop_type = m.types[0];
    static shape ball;
    ball = (shape){.kind = SHAPE_SPHERE, .at = POSE_IDENTITY, .size = {0.006, 0, 0}};
    drop_type.shapes = &ball;
    drop_type.friction = 0.05;
    made_mass(&ball, 0.0009, &drop_type);
    bodies = calloc(first + drops, sizeof *bodies);
    ASSERT(bodies);
    memcpy(bodies, m.bodies, first * sizeof *bodies);
    for (size_t i = 0; i < drops; i++) {
        vec3 p = v3(0.013 * (double)(i % 10) - 0.0585, 0.013 * (double)(i / 10 % 10) - 0.0585,
                    0.02 + 0.013 * (double)(i / 100));
        bodies[first + i] = (world_body){.name = "drop",
                                         .type = &drop_type,
                                         .at = {p, {1, 0, 0, 0}},
                                         .particle = true,
                                         .inside = (int64_t)box};
    }
    m.world.name = "bench";
    m.world.gravity = m.gravity;
    m.world.bodies = bodies;
    m.world.body_count = first + drops;
    error err = {0};
    if (sim_create(&m.world, &m.robot, NULL, &m.sim, &err) != OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    made_run(&m, 0.5);
    double start = 1e6 * processor_seconds();
    enum { STEPS = 500 };
    for (int k = 0; k < STEPS; k++) {
        body_wake(m.sim, box);
        dBodyAddForce(m.sim->colliders[box].body, 12 * sin(2 * PI * 2 * k * 0.002), 0, 0);
        made_step(&m);
    }
    *shaken = (1e6 * processor_seconds() - start) / STEPS;
    made_run(&m, 6);
    start = 1e6 * processor_seconds();
    for (int k = 0; k < STEPS; k++)
        made_step(&m);
    *resting = (1e6 * processor_seconds() - start) / STEPS;
    made_close(&m);
    free(bodies);
}

int main(void) {
    static const size_t counts[] = {25, 50, 100, 200, 500};
    double empty, empty_rest;
    measure(0, &empty, &empty_rest);
    printf("%9s %14s %14s %14s\n", "particles", "us a step", "each", "at rest");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        double shaken, resting;
        measure(counts[i], &shaken, &resting);
        printf("%9zu %14.1f %14.2f %14.2f\n", counts[i], shaken - empty,
               (shaken - empty) / (double)counts[i], resting - empty_rest);
    }
    return 0;
}

// tests/bench/bench_robot.c - what the robot's own body costs in a step.
//
// The robot of the examples in its kitchen: at rest, with one arm that swings, and with both arms
// that swing while the base turns. Prints microseconds of CPU per step of 2 ms, and beside it the
// baseline, in the same run: hands that are bodies of ODE all the time. Medians of repeats.
//
//   bench_robot WORLD.yaml ROBOT.yaml [REPEATS]
#include <math.h>
#include <stdio.h>

#include "projector/world/sim.h"
#include "tests/bench/timing.h"

enum { REPEATS_MAX = 25 };
static const nanos DT = 2000000, CYCLE = 20000000;
static const double LENGTH = 4; // s

typedef struct scene {
    world_model *world;
    robot_model *robot;
} scene;

static void swing(sim *s, const robot_model *r, size_t arm, double t) {
    const robot_arm *a = &r->arms[arm];
    for (size_t k = 0; k < a->joint_count; k++) {
        const robot_joint *j = &r->joints[a->joints[k]];
        double home = r->home[a->joints[k]], middle = (j->lower + j->upper) / 2;
        double way = isfinite(middle) && middle < home ? -0.1 : 0.1, rate = 3;
        sim_set_joint(s, a->joints[k], home + way * (1 - cos(rate * t)), way * rate * sin(rate * t),
                      CYCLE);
    }
}

// Seconds of CPU per step, with so many arms that swing.
static double measure(const scene *from, int arms, bool bound) {
    error err = {0};
    sim *s = NULL;
    sim_options o = sim_options_default();
    o.bound = bound;
    if (sim_create(from->world, from->robot, &o, &s, &err) != OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(2);
    }
    double start = 0;
    nanos warm = nanos_from_seconds(1), end = warm + nanos_from_seconds(LENGTH);
    for (nanos t = 0; t < end; t += DT) {
        if (t == warm)
            start = processor_seconds();
        if (t % CYCLE == 0) {
            for (int i = 0; i < arms; i++)
                swing(s, from->robot, (size_t)i, seconds(t));
            sim_set_base(s, 0, 0, arms == 2 ? 0.2 * sin(seconds(t)) : 0);
        }
        if (model_step(sim_model(s), t, DT, &err) != OK) {
            fprintf(stderr, "%s\n", err.text);
            exit(2);
        }
    }
    double spent = processor_seconds() - start;
    sim_destroy(s);
    return spent / LENGTH * seconds(DT);
}

int main(int argc, char **argv) {
    settings none = {0};
    errors list = {0};
    scene s = {0};
    if (argc < 3 || world_load(argv[1], NULL, &none, &s.world, &list) != OK ||
        robot_load(argv[2], NULL, &none, &s.robot, &list) != OK) {
        fprintf(stderr, "usage: bench_robot WORLD.yaml ROBOT.yaml [REPEATS]\n");
        return 2;
    }
    size_t repeats = argc > 3 ? (size_t)atoi(argv[3]) : 5;
    if (repeats < 1 || repeats > REPEATS_MAX)
        repeats = 5;
    static const char *const names[3] = {"at rest", "one arm swings", "both swing, the base turns"};
    printf("us per step of 2 ms        this   hands in ODE   ratio\n");
    for (int arms = 0; arms < 3; arms++) {
        double own[REPEATS_MAX], bound[REPEATS_MAX];
        for (size_t i = 0; i < repeats; i++) {
            own[i] = 1e6 * measure(&s, arms, false);
            bound[i] = 1e6 * measure(&s, arms, true);
        }
        double a = median(own, repeats), b = median(bound, repeats);
        printf("%-26s %5.1f   %10.1f   %5.2f\n", names[arms], a, b, b / a);
        fflush(stdout);
    }
    world_destroy(s.world);
    robot_destroy(s.robot);
    errors_finish(&list);
    return 0;
}

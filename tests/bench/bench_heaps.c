// tests/bench/bench_heaps.c - what heaps and stacks cost, and whether they stand.
//
// Stacks of 10, 20 and 30 boxes that nothing lets sleep, for a minute: simulated seconds per second
// of CPU, and how far any box ends from where it stood. A hundred boxes that fall into a heap and
// lie there, kept awake: steps per second of CPU, beside MuJoCo's conjugate gradients where the
// machine has it. Three hundred boxes poured into a crate: the same while they fall and once at
// rest, with the deepest overlap at rest and how many got out. A thousand boxes that slide apart.
//
//   bench_heaps [SCENE...]
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef MUJOCO
#include <mujoco/mujoco.h>
#endif
#include "projector/world/sim.h"
#include "tests/bench/timing.h"
#include "tests/world/lonely.h"

static const nanos DT = 2000000;

typedef struct scene {
    world_model *world;
    sim *sim;
    nanos now;
} scene;

static void give_up(const errors *list, const error *err) {
    char text[1024];
    for (size_t i = 0; list && i < list->count; i++) {
        error_format(&list->items[i], text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    if (err)
        fprintf(stderr, "%s\n", err->text);
    exit(2);
}

// Builds the world that a function writes, with or without sleep.
static scene scene_make(void (*write)(FILE *f, int n), int n, bool sleepless) {
    char path[] = "/tmp/bench_heaps_XXXXXX.yaml";
    scene s = {0};
    settings none = {0};
    errors list = {0};
    error err = {0};
    int fd = mkstemps(path, 5);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        exit(2);
    fprintf(f,
            "world: heap\ngravity: [0, 0, -9.81]\nmaterials:\n  wood: { friction: 0.5 }\n"
            "types:\n  box: { material: wood, mass: 0.4, shapes: [ { box: [0.1, 0.1, 0.1] } ] }\n"
            "bodies:\n  floor: { material: wood, shapes: [ { plane: true } ], fixed: true }\n");
    write(f, n);
    fprintf(f, "robot_at: [-50, -50, 0]\n");
    fclose(f);
    if (world_load(path, NULL, &none, &s.world, &list) != OK)
        give_up(&list, NULL);
    unlink(path);
    sim_options o = sim_options_default();
    o.sleepless = sleepless;
    if (sim_create(s.world, lonely_robot(), &o, &s.sim, &err) != OK)
        give_up(NULL, &err);
    return s;
}

static double scene_run(scene *s, double seconds_long) {
    error err = {0};
    double start = processor_seconds();
    nanos end = s->now + (nanos)(seconds_long * 1e9);
    for (; s->now < end; s->now += DT)
        if (model_step(sim_model(s->sim), s->now, DT, &err) != OK)
            give_up(NULL, &err);
    return processor_seconds() - start;
}

static void scene_end(scene *s) {
    sim_destroy(s->sim);
    world_destroy(s->world);
}

static void write_stack(FILE *f, int n) {
    for (int i = 0; i < n; i++)
        fprintf(f, "  box_%d: { type: box, at: [0, 0, %g] }\n", i, 0.05 + 0.1 * i);
}

static void stack(int n, double length) {
    scene s = scene_make(write_stack, n, true);
    double cost = scene_run(&s, length), worst = 0;
    for (int i = 0; i < n; i++) {
        vec3 p = v3_sub(sim_pose(s.sim, (size_t)i + 1).p, v3(0, 0, 0.05 + 0.1 * i));
        worst = fmax(worst, v3_length(p));
    }
    printf("stack of %d boxes: %.1f x real time, farthest from its start %.2f mm\n", n,
           length / cost, 1e3 * worst);
    scene_end(&s);
}

// Numbers in [0, 1), the same ones again.
static double drawn(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

typedef struct start {
    double p[3], rpy[3]; // m, degrees
} start;

// The i-th of boxes that hang over one another, `side` in a row, turned anyhow.
static start hung(int i, int side, double low) {
    unsigned state = 77u + (unsigned)i * 2654435761u;
    start s;
    int place[3] = {i % side, i / side % side, i / side / side};
    for (int k = 0; k < 3; k++) {
        double middle = k < 2 ? (side - 1) / 2.0 : 0;
        s.p[k] = (place[k] - middle) * 0.185 + 0.01 * drawn(&state) + (k == 2 ? low : 0);
        s.rpy[k] = 360 * drawn(&state);
    }
    return s;
}

static void write_box(FILE *f, int i, start s) {
    fprintf(f,
            "  box_%d: { type: box, at: { position: [%.6f, %.6f, %.6f], rpy: [%.4f, %.4f, %.4f] } "
            "}\n",
            i, s.p[0], s.p[1], s.p[2], s.rpy[0], s.rpy[1], s.rpy[2]);
}

static void write_heap(FILE *f, int n) {
    for (int i = 0; i < n; i++)
        write_box(f, i, hung(i, 3, 0.15));
}

static const double WALL = 0.02, CRATE = 0.8, DEEP = 4;

static void write_crate(FILE *f, int n) {
    for (int k = 0; k < 4; k++) {
        double off = (CRATE + WALL) / 2 * (k % 2 ? 1 : -1);
        fprintf(f,
                "  wall_%d: { shapes: [ { box: [%g, %g, %g] } ], at: [%g, %g, %g], fixed: true }\n",
                k, k < 2 ? WALL : CRATE + 2 * WALL, k < 2 ? CRATE : WALL, DEEP, k < 2 ? off : 0,
                k < 2 ? 0 : off, DEEP / 2);
    }
    for (int i = 0; i < n; i++)
        write_box(f, i, hung(i, 4, 0.15));
}

static void write_sliders(FILE *f, int n) {
    for (int i = 0; i < n; i++)
        fprintf(f, "  box_%d: { type: box, at: [%g, %g, 0.05], velocity: [0.5, 0, 0] }\n", i,
                0.3 * (i % 40), 0.3 * (i / 40));
}

#ifdef MUJOCO
// The same heap under MuJoCo's conjugate gradients; steps per second of CPU over `seconds_long`
// each.
static void mujoco_heap(int n, double seconds_long, double out[2]) {
    char path[] = "/tmp/bench_heaps_XXXXXX.xml", error_text[400] = "";
    int fd = mkstemps(path, 4);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        exit(2);
    fprintf(f, "<mujoco><option timestep=\"0.002\" solver=\"CG\" cone=\"elliptic\"/>"
               "<size njmax=\"4000\" nconmax=\"1000\"/><worldbody>"
               "<geom type=\"plane\" size=\"10 10 1\" friction=\"0.5\"/>");
    for (int i = 0; i < n; i++) {
        start s = hung(i, 3, 0.15);
        fprintf(f,
                "<body pos=\"%g %g %g\" euler=\"%g %g %g\"><freejoint/><geom type=\"box\" "
                "size=\"0.05 0.05 0.05\" mass=\"0.4\" friction=\"0.5\"/></body>",
                s.p[0], s.p[1], s.p[2], s.rpy[0], s.rpy[1], s.rpy[2]);
    }
    fprintf(f, "</worldbody></mujoco>");
    fclose(f);
    mjModel *m = mj_loadXML(path, NULL, error_text, sizeof error_text);
    unlink(path);
    if (!m) {
        fprintf(stderr, "%s\n", error_text);
        exit(2);
    }
    mjData *d = mj_makeData(m);
    int steps = (int)(seconds_long / 0.002);
    for (int part = 0; part < 2; part++) {
        double from = processor_seconds();
        for (int i = 0; i < steps; i++)
            mj_step(m, d);
        out[part] = steps / (processor_seconds() - from);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
}
#endif

static void heap(int n) {
    scene s = scene_make(write_heap, n, true);
    double length = 4, steps = length * 1e9 / (double)DT;
    double falling = steps / scene_run(&s, length), lying = steps / scene_run(&s, length);
    scene_end(&s);
    printf("heap of %d boxes, kept awake: %.0f steps/s falling, %.0f lying\n", n, falling, lying);
#ifdef MUJOCO
    double peer[2];
    mujoco_heap(n, length, peer);
    printf("  MuJoCo, conjugate gradients: %.0f and %.0f; ratio %.1f and %.1f\n", peer[0], peer[1],
           falling / peer[0], lying / peer[1]);
#endif
    fflush(stdout);
}

static void crate(int n) {
    scene s = scene_make(write_crate, n, false);
    double falling = scene_run(&s, 8), resting = scene_run(&s, 2), deepest = 0;
    int out = 0;
    for (int i = 0; i < n; i++) {
        vec3 p = sim_pose(s.sim, (size_t)i + 5).p;
        out += fabs(p.x) > CRATE / 2 || fabs(p.y) > CRATE / 2 || p.z < 0;
    }
    size_t count;
    const sim_contact *all = sim_contacts(s.sim, &count);
    for (size_t i = 0; i < count; i++)
        deepest = fmax(deepest, all[i].depth);
    printf("%d boxes into a crate: %.2f x real time falling, %.2f x at rest, %d out, deepest %.2f "
           "mm\n",
           n, 8 / falling, 2 / resting, out, 1e3 * deepest);
    fflush(stdout);
    scene_end(&s);
}

static void sliders(int n) {
    scene s = scene_make(write_sliders, n, true);
    printf("%d boxes that slide apart: %.0f steps/s\n", n, 100 / scene_run(&s, 0.2));
    scene_end(&s);
}

int main(int argc, char **argv) {
    const char *only = argc > 1 ? argv[1] : "";
    if (!*only || strcmp(only, "stacks") == 0) {
        stack(10, 60);
        stack(20, 60);
        stack(30, 60);
    }
    if (argc == 3)
        stack(atoi(only), atof(argv[2]));
    if (!*only || strcmp(only, "heap") == 0)
        heap(100);
    if (!*only || strcmp(only, "crate") == 0)
        crate(300);
    if (!*only || strcmp(only, "sliders") == 0)
        sliders(1000);
    return 0;
}

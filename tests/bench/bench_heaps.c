// tests/bench/bench_heaps.c - what heaps and stacks cost, and whether they stand.
//
// Stacks of 10, 20 and 30 boxes that nothing lets sleep, for a minute: simulated seconds per second
// of CPU, and how far any box ends from where it stood. A hundred boxes that fall into a heap and
// lie there, kept awake: steps per second of CPU. Three hundred boxes poured into a crate: the same
// while they fall and once at rest, with the deepest overlap at rest and how many got out. Beside
// each, in the same run, the baseline: the same scene under MuJoCo's conjugate gradients, where the
// machine has it. A thousand boxes that slide apart, beside ODE alone.
//
//   bench_heaps [SCENE...]
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
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

#ifdef MUJOCO
static void mujoco_body(FILE *f, const world_body *b) {
    const shape *g = &b->type->shapes[0];
    bool plane = g->kind == SHAPE_PLANE;
    vec3 half = plane ? v3(10, 10, 1) : v3_scale(g->size, 0.5);
    fprintf(f,
            "<body pos=\"%g %g %g\" quat=\"%g %g %g %g\">%s<geom type=\"%s\" size=\"%g %g %g\" "
            "friction=\"0.5\" mass=\"0.4\"/></body>",
            b->at.p.x, b->at.p.y, b->at.p.z, b->at.q.w, b->at.q.x, b->at.q.y, b->at.q.z,
            b->fixed ? "" : "<freejoint/>", plane ? "plane" : "box", half.x, half.y, half.z);
}

// The same scene, of boxes and planes, under MuJoCo's conjugate gradients: steps per second of CPU
// over `length` seconds of it, and over as many more.
static void mujoco_rates(const world_model *w, double length, double out[2]) {
    char path[] = "/tmp/bench_heaps_XXXXXX.xml", error_text[400] = "";
    int fd = mkstemps(path, 4);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        exit(2);
    fprintf(f, "<mujoco><option timestep=\"0.002\" solver=\"CG\" cone=\"elliptic\"/>"
               "<size njmax=\"8000\" nconmax=\"4000\"/><worldbody>");
    for (size_t i = 0; i < w->body_count; i++)
        mujoco_body(f, &w->bodies[i]);
    fprintf(f, "</worldbody></mujoco>");
    fclose(f);
    mjModel *m = mj_loadXML(path, NULL, error_text, sizeof error_text);
    unlink(path);
    if (!m) {
        fprintf(stderr, "%s\n", error_text);
        exit(2);
    }
    mjData *d = mj_makeData(m);
    int steps = (int)(length / 0.002);
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
#ifdef MUJOCO
    double peer[2];
    mujoco_rates(s.world, 2, peer);
    double own = length * 1e9 / (double)DT / cost;
    printf("  MuJoCo, conjugate gradients: %.1f x; ratio %.1f\n", peer[1] * seconds(DT),
           own / peer[1]);
#endif
    fflush(stdout);
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

// Which heap is drawn: its boxes are turned otherwise.
static unsigned turns;

// The i-th of boxes that hang over one another, `side` in a row, turned anyhow.
static start hung(int i, int side, double low) {
    unsigned state = 77u + turns * 1013u + (unsigned)i * 2654435761u;
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

static void heap(int n) {
    enum { HEAPS = 5 };
    double length = 4, steps = length * 1e9 / (double)DT, falling[HEAPS], lying[HEAPS];
#ifdef MUJOCO
    double peer[2][HEAPS];
#endif
    for (int i = 0; i < HEAPS; i++) {
        turns = (unsigned)i;
        scene s = scene_make(write_heap, n, true);
        falling[i] = steps / scene_run(&s, length);
        lying[i] = steps / scene_run(&s, length);
#ifdef MUJOCO
        double rates[2];
        mujoco_rates(s.world, length, rates);
        peer[0][i] = rates[0], peer[1][i] = rates[1];
#endif
        scene_end(&s);
    }
    turns = 0;
    double own[2] = {median(falling, HEAPS), median(lying, HEAPS)};
    printf("heap of %d boxes, kept awake: %.0f steps/s falling, %.0f lying\n", n, own[0], own[1]);
#ifdef MUJOCO
    double theirs[2] = {median(peer[0], HEAPS), median(peer[1], HEAPS)};
    printf("  MuJoCo, conjugate gradients: %.0f and %.0f; ratio %.1f and %.1f\n", theirs[0],
           theirs[1], own[0] / theirs[0], own[1] / theirs[1]);
#endif
    fflush(stdout);
}

static void crate(int n) {
    scene s = scene_make(write_crate, n, false);
    double first = scene_run(&s, 1), second = scene_run(&s, 1), rest = scene_run(&s, 6);
    double falling = first + second + rest, resting = scene_run(&s, 2), deepest = 0;
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
#ifdef MUJOCO
    double peer[2];
    mujoco_rates(s.world, 1, peer);
    printf("  its first two seconds, steps/s: %.0f and %.0f; MuJoCo, conjugate gradients: %.0f and "
           "%.0f; ratio %.1f and %.1f\n",
           500 / first, 500 / second, peer[0], peer[1], 500 / first / peer[0],
           500 / second / peer[1]);
#endif
    fflush(stdout);
    scene_end(&s);
}

// The same boxes in ODE alone: every one collided with the floor, contacts of the same softness,
// its direct solver. Seconds of CPU for so many steps.
static double ode_sliders(const world_model *w, int steps) {
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dJointGroupID joints = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dGeomID floor = dCreatePlane(NULL, 0, 0, 1, 0), *boxes = malloc(w->body_count * sizeof *boxes);
    for (size_t i = 1; i < w->body_count; i++) {
        const world_body *b = &w->bodies[i];
        vec3 size = b->type->shapes[0].size;
        dBodyID body = dBodyCreate(world);
        dMass m;
        dMassSetBoxTotal(&m, b->type->mass, size.x, size.y, size.z);
        dBodySetMass(body, &m);
        dBodySetPosition(body, b->at.p.x, b->at.p.y, b->at.p.z);
        dBodySetLinearVel(body, b->velocity.x, b->velocity.y, b->velocity.z);
        boxes[i] = dCreateBox(NULL, size.x, size.y, size.z);
        dGeomSetBody(boxes[i], body);
    }
    double began = processor_seconds();
    for (int step = 0; step < steps; step++) {
        dJointGroupEmpty(joints);
        for (size_t i = 1; i < w->body_count; i++) {
            dContact c[4] = {0};
            int found = dCollide(boxes[i], floor, 4, &c[0].geom, sizeof *c);
            for (int k = 0; k < found; k++) {
                c[k].surface.mode = dContactApprox1 | dContactSoftCFM;
                c[k].surface.mu = 0.5;
                c[k].surface.soft_cfm = 1e-5;
                dJointAttach(dJointCreateContact(world, joints, &c[k]), dGeomGetBody(boxes[i]),
                             NULL);
            }
        }
        dWorldStep(world, seconds(DT));
    }
    double cost = processor_seconds() - began;
    for (size_t i = 1; i < w->body_count; i++)
        dGeomDestroy(boxes[i]);
    free(boxes);
    dGeomDestroy(floor);
    dJointGroupDestroy(joints);
    dWorldDestroy(world);
    dCloseODE();
    return cost;
}

static void sliders(int n) {
    enum { STEPS = 100 };
    scene s = scene_make(write_sliders, n, true);
    double own = STEPS / scene_run(&s, STEPS * seconds(DT));
    sim_destroy(s.sim);
    double bare = STEPS / ode_sliders(s.world, STEPS);
    printf("%d boxes that slide apart: %.0f steps/s; ODE alone %.0f; ratio %.1f\n", n, own, bare,
           own / bare);
    fflush(stdout);
    world_destroy(s.world);
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

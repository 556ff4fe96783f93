// tests/bench/bench_world.c - whether a world costs what moves in it.
//
// A field of boxes, cylinders and spheres at rest under a gravity that leans a little; among them
// some boxes of ice slide down lanes. Prints the time to load a world file of 1000 objects and to
// build its simulation; then microseconds of CPU per step with 0, 10, 50 and 100 bodies moving, out
// of 100 and out of 1000, their ratio, and beside them the same scene in a bare loop of ODE: hash
// space, dWorldStep, auto-disabling, four contacts a pair at most. Medians of repeats, one core.
//
//   bench_world [REPEATS]
#include <ode/ode.h>
#include <stdio.h>
#include <unistd.h>

#include "projector/world/sim.h"
#include "tests/bench/timing.h"
#include "tests/world/lonely.h"

enum { WARM = 300, STEPS = 1000, MOST_REPEATS = 15, ROW = 40 };
static const double PITCH = 0.3, LEAN = 0.4;

// Where the i-th object stands: in rows along x; what slides has the lane behind its row.
static vec3 place(int i, int moving) {
    bool slides = i < moving;
    int k = slides ? i * 7 : i;
    return v3(PITCH * (k % ROW), PITCH * (k / ROW) + (slides ? PITCH / 2 : 0), 0);
}

static int write_world(const char *path, int count, int moving) {
    FILE *f = fopen(path, "w");
    if (!f)
        return 1;
    fprintf(f,
            "world: field\ngravity: [%g, 0, -9.8]\n"
            "materials:\n  ice: { friction: 0 }\n  wood: { friction: 0.5 }\n"
            "types:\n"
            "  ice: { material: ice, mass: 0.4, shapes: [ { box: [0.08, 0.08, 0.08], at: [0, 0, "
            "0.04] } ] }\n"
            "  box: { material: wood, mass: 0.4, shapes: [ { box: [0.1, 0.08, 0.1], at: [0, 0, "
            "0.05] } ] }\n"
            "  can: { material: wood, mass: 0.3, shapes: [ { cylinder: [0.04, 0.1], at: [0, 0, "
            "0.05] } ] }\n"
            "bodies:\n"
            "  floor: { material: wood, shapes: [ { plane: true } ], fixed: true }\n",
            LEAN);
    for (int i = 0; i < count; i++) {
        vec3 p = place(i, moving);
        fprintf(f, "  body_%d: { type: %s, at: [%g, %g, 0] }\n", i,
                i < moving ? "ice"
                : i % 2    ? "can"
                           : "box",
                p.x, p.y);
    }
    fprintf(f, "robot_at: [-5, -5, 0]\n");
    return fclose(f) != 0;
}

typedef struct cost {
    double load, build, step; // s
    size_t awake;
} cost;

static int measure(int count, int moving, cost *out) {
    char path[] = "/tmp/bench_world_XXXXXX.yaml";
    int fd = mkstemps(path, 5);
    if (fd < 0)
        return 1;
    close(fd);
    world_model *w = NULL;
    sim *s = NULL;
    settings none = {0};
    errors list = {0};
    error err = {0};
    int bad = write_world(path, count, moving);
    double start = processor_seconds();
    if (!bad && world_load(path, NULL, &none, &w, &list) != OK) {
        char text[1024];
        for (size_t i = 0; i < list.count; i++) {
            error_format(&list.items[i], text, sizeof text);
            fprintf(stderr, "%s\n", text);
        }
        bad = 1;
    }
    out->load = processor_seconds() - start;
    unlink(path);
    start = processor_seconds();
    if (!bad && sim_create(w, lonely_robot(), NULL, &s, &err) != OK)
        bad = 1;
    out->build = processor_seconds() - start;
    nanos t = 0, dt = 2000000;
    for (int i = 0; !bad && i < WARM + STEPS; i++, t += dt) {
        if (i == WARM)
            start = processor_seconds();
        if (model_step(sim_model(s), t, dt, &err) != OK)
            bad = 1;
    }
    out->step = (processor_seconds() - start) / STEPS;
    out->awake = 0;
    for (size_t b = 0; !bad && b < w->body_count; b++)
        out->awake += !sim_asleep(s, b);
    if (bad && err.code != OK)
        fprintf(stderr, "%s\n", err.text);
    sim_destroy(s);
    world_destroy(w);
    errors_finish(&list);
    return bad;
}

// ---- The same in ODE alone ----------------------------------------------------------------

typedef struct bare {
    dWorldID world;
    dJointGroupID contacts;
} bare;

static void near(void *context, dGeomID a, dGeomID b) {
    bare *o = context;
    dBodyID ba = dGeomGetBody(a), bb = dGeomGetBody(b);
    if ((!ba || !dBodyIsEnabled(ba)) && (!bb || !dBodyIsEnabled(bb)))
        return;
    dContact c[4] = {0};
    int n = dCollide(a, b, 4, &c[0].geom, sizeof c[0]);
    bool ice = dGeomGetData(a) || dGeomGetData(b);
    for (int i = 0; i < n; i++) {
        c[i].surface.mode = dContactApprox1;
        c[i].surface.mu = ice ? 0 : 0.5;
        dJointAttach(dJointCreateContact(o->world, o->contacts, &c[i]), ba, bb);
    }
}

static double measure_bare(int count, int moving) {
    static int is_ice;
    dInitODE2(0);
    bare o = {dWorldCreate(), dJointGroupCreate(0)};
    dSpaceID space = dHashSpaceCreate(NULL);
    dWorldSetGravity(o.world, LEAN, 0, -9.8);
    dWorldSetERP(o.world, 0.2);
    dWorldSetCFM(o.world, 1e-5);
    dWorldSetContactSurfaceLayer(o.world, 2e-4);
    dWorldSetContactMaxCorrectingVel(o.world, 0.3);
    dWorldSetAutoDisableFlag(o.world, 1);
    dWorldSetAutoDisableLinearThreshold(o.world, 2e-3);
    dWorldSetAutoDisableAngularThreshold(o.world, 1e-2);
    dWorldSetAutoDisableSteps(o.world, 50);
    dCreatePlane(space, 0, 0, 1, 0);
    for (int i = 0; i < count; i++) {
        bool ice = i < moving, can = !ice && i % 2;
        dBodyID b = dBodyCreate(o.world);
        dMass m;
        dGeomID g = can   ? dCreateCylinder(space, 0.04, 0.1)
                    : ice ? dCreateBox(space, 0.08, 0.08, 0.08)
                          : dCreateBox(space, 0.1, 0.08, 0.1);
        if (can)
            dMassSetCylinderTotal(&m, 0.3, 3, 0.04, 0.1);
        else
            dMassSetBoxTotal(&m, 0.4, ice ? 0.08 : 0.1, 0.08, ice ? 0.08 : 0.1);
        dBodySetMass(b, &m);
        dGeomSetBody(g, b);
        dGeomSetData(g, ice ? &is_ice : NULL);
        vec3 p = place(i, moving);
        dBodySetPosition(b, p.x, p.y, ice ? 0.04 : 0.05);
    }
    double start = 0;
    for (int i = 0; i < WARM + STEPS; i++) {
        if (i == WARM)
            start = processor_seconds();
        dSpaceCollide(space, &o, near);
        dWorldStep(o.world, 0.002);
        dJointGroupEmpty(o.contacts);
    }
    double spent = (processor_seconds() - start) / STEPS;
    dJointGroupDestroy(o.contacts);
    dSpaceDestroy(space);
    dWorldDestroy(o.world);
    dCloseODE();
    return spent;
}

int main(int argc, char **argv) {
    static const int movers[] = {0, 10, 50, 100}, counts[] = {100, 1000};
    size_t repeats = argc > 1 ? (size_t)atoi(argv[1]) : 5;
    if (repeats < 1 || repeats > MOST_REPEATS)
        repeats = 5;
    double load[MOST_REPEATS], build[MOST_REPEATS], step[4][2][MOST_REPEATS],
        plain[4][2][MOST_REPEATS];
    size_t awake[4][2];
    for (size_t r = 0; r < repeats; r++)
        for (int m = 0; m < 4; m++)
            for (int n = 0; n < 2; n++) {
                cost c;
                if (measure(counts[n], movers[m], &c))
                    return 2;
                step[m][n][r] = c.step;
                awake[m][n] = c.awake;
                if (m == 0 && n == 1)
                    load[r] = c.load, build[r] = c.build;
                plain[m][n][r] = measure_bare(counts[n], movers[m]);
            }
    double loaded = median(load, repeats), built = median(build, repeats), worst = 0;
    printf("%zu repeats, medians, one core\n", repeats);
    printf("1000 objects: load %.0f ms, build the simulation %.0f ms   (together under 1000)\n",
           1e3 * loaded, 1e3 * built);
    printf("us per step of 2 ms             bare ODE\n");
    printf("moving  of 100  of 1000  ratio  of 100  of 1000\n");
    bool missed = loaded + built > 1;
    for (int m = 0; m < 4; m++) {
        double few = 1e6 * median(step[m][0], repeats), many = 1e6 * median(step[m][1], repeats);
        printf("%6d %7.1f %8.1f %6.2f %7.1f %8.1f\n", movers[m], few, many, many / few,
               1e6 * median(plain[m][0], repeats), 1e6 * median(plain[m][1], repeats));
        missed |= awake[m][0] != (size_t)movers[m] || awake[m][1] != (size_t)movers[m];
        if (movers[m] > 0)
            worst = fmax(worst, many / few);
    }
    missed |= worst > 1.25;
    printf("the ratio at most %.2f          (at most 1.25)\n", worst);
    if (missed)
        printf("a bar is missed\n");
    return missed;
}

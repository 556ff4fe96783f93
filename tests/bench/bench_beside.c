// tests/bench/bench_beside.c - the first experiment of Bauer et al.: how much faster a robot and a
// fluid are simulated by two models than by one.
//
// A robot in its kitchen swings an arm, to whose hand a pot is bound; in the pot are spheres. The
// set-ups are the paper's: the robot alone; with 50 spheres in one world, as balls of ODE under
// QuickStep with 50 iterations, which is what the paper's simulator, Gazebo, does by itself; with
// 50, and 100, in a model beside it; and with 100 at steps that are half as long again. Beside them
// the particles of foresee within the physics. The robot is stepped by 1 ms; balls of ODE, and the
// model, by 2 ms, and by 3 ms in the last. The balls of the second are in a world of ODE that has
// the pot alone, stepped in turn with the robot: that nobody looks whether one of them meets the
// robot makes the ratios smaller.
//
// A real-time factor is simulated time by that of the processor, of the process that needs more of
// it: what comes out where each has a processor of its own, and other work on the machine does not
// count. What a process does only once, when it starts, is taken off. Beside it stands the factor
// by the clock on the wall, which is of this machine and this hour. The least of REPEATS, in turns,
// since other work only adds. In the end all processes share one processor: the spheres have to end
// at the same bits.
//
//   bench_beside WORLD.yaml ROBOT.yaml
#include <ode/ode.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/time/clock.h"
#include "projector/ensemble/conductor.h"
#include "tests/bench/timing.h"
#include "tests/testlib.h"

enum { REPEATS = 9 };
static const nanos STEP = 1000000, CYCLE = 20000000;
static const double WARM = 0.5, LENGTH = 2; // s

typedef enum place { NONE, ODE_BALLS, BESIDE, WITHIN } place;
typedef struct setup {
    const char *name;
    int spheres;
    place place;
    const char *every; // s, of the model
    double paper;      // its real-time factor; 0: none
    int iterations;    // of QuickStep
} setup;
static const setup setups[] = {
    {"1 robot alone", 0, NONE, NULL, 0.98},
    {"2 robot with 50, one world", 50, ODE_BALLS, NULL, 0.55, 50},
    {"3 robot, and 50 beside it", 50, BESIDE, "0.002", 0.97},
    {"4 robot, and 100 beside it", 100, BESIDE, "0.002", 0.75},
    {"5 the same, step * 1.5", 100, BESIDE, "0.003", 1.09},
    {"  set-up 2 with 20 iterations", 50, ODE_BALLS, NULL, 0, 20},
    {"  50 within foresee's physics", 50, WITHIN, NULL, 0},
    {"  100 within foresee's physics", 100, WITHIN, NULL, 0},
};
enum { SETUPS = sizeof setups / sizeof *setups };

static void stop(const char *why) {
    fprintf(stderr, "bench_beside: %s\n", why);
    exit(2);
}

static status drop(sink *s, const record *r, error *err) {
    (void)s;
    (void)r;
    (void)err;
    return OK;
}
static status drop_commit(sink *s, nanos t, error *err) {
    (void)s;
    (void)t;
    (void)err;
    return OK;
}
static const sink_class DROPPING = {drop, drop, drop_commit};

// ---- The world ----------------------------------------------------------------------------------

static world_model *make_world(const char *kitchen, const char *arm, vec3 at, const setup *how) {
    char text[4000], *folder = testlib_folder();
    bool filled = how->place == BESIDE || how->place == WITHIN;
    int n = snprintf(
        text, sizeof text,
        "world: beside\n"
        "include: [ %s ]\n"
        "particles: { drop: { radius: 0.006, density: 1000, friction: 0.05 } }\n"
        "types:\n"
        "  pot: { material: ceramic, mass: 0.3, interior: { cylinder: [0.052, 0.11], at: [0, 0, "
        "0.066] }, shapes: [ { cylinder: [0.06, 0.01], at: [0, 0, 0.005] }, { ring: { radius: "
        "0.06, thickness: 0.006, height: 0.11, facets: 8 }, at: [0, 0, 0.01] } ] }\n"
        "bodies:\n"
        "  pot_1: { type: pot, at: { position: [%.9g, %.9g, %.9g], rpy: [0, 0, 0] }",
        kitchen, at.x, at.y, at.z);
    if (filled)
        n += snprintf(text + n, sizeof text - (size_t)n, ", fill: { with: drop, count: %d }",
                      how->spheres);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  " }\n"
                  "ensemble:\n"
                  "  main: ode\n"
                  "  models:\n"
                  "    grip: { class: rigid_bind, step: service, every: 0.002, carrier: %s, "
                  "outputs: { pose(pot_1): pose } }\n",
                  arm);
    if (how->place == BESIDE)
        n +=
            snprintf(text + n, sizeof text - (size_t)n,
                     "    fluid: { class: particles, step: service, every: %s, carrier: pot_1, "
                     "inputs: { carrier: pose(pot_1) }, outputs: { contents(pot_1): contents } }\n",
                     how->every);
    snprintf(text + n, sizeof text - (size_t)n, "  owns: { grip: [ pose(pot_1) ]%s }\n",
             how->place == BESIDE ? ", fluid: [ contents(pot_1) ]" : "");
    char *path = testlib_write(folder, "w.yaml", text);
    errors list = {0};
    settings none = {0};
    world_model *w = NULL;
    if (world_load(path, NULL, &none, &w, &list) != OK)
        stop(list.items[0].text);
    free(path);
    testlib_remove(folder);
    return w;
}

// ---- Balls of ODE -------------------------------------------------------------------------------

typedef struct balls {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID pot;
} balls;

static void balls_meet(void *context, dGeomID a, dGeomID b) {
    balls *w = context;
    dContact c[4];
    int n = dCollide(a, b, 4, &c[0].geom, sizeof *c);
    for (int i = 0; i < n; i++) {
        c[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = 0.05};
        dJointAttach(dJointCreateContact(w->world, w->contacts, &c[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

static void balls_open(balls *w, const world_model *from, size_t pot, const setup *how) {
    const body_type *type = from->bodies[pot].type;
    *w = (balls){dWorldCreate(), dHashSpaceCreate(NULL), dJointGroupCreate(0), NULL};
    dWorldSetGravity(w->world, from->gravity.x, from->gravity.y, from->gravity.z);
    dWorldSetQuickStepNumIterations(w->world, how->iterations);
    dWorldSetContactSurfaceLayer(w->world, 2e-4);
    dWorldSetContactMaxCorrectingVel(w->world, 0.3);
    w->pot = dBodyCreate(w->world);
    dBodySetKinematic(w->pot);
    for (size_t i = 0; i < type->shape_count; i++) {
        const shape *s = &type->shapes[i];
        dGeomID g = s->kind == SHAPE_BOX ? dCreateBox(w->space, s->size.x, s->size.y, s->size.z)
                                         : dCreateCylinder(w->space, s->size.x, s->size.z);
        dGeomSetBody(g, w->pot);
        dGeomSetOffsetPosition(g, s->at.p.x, s->at.p.y, s->at.p.z);
        dGeomSetOffsetQuaternion(g, (dQuaternion){s->at.q.w, s->at.q.x, s->at.q.y, s->at.q.z});
    }
    vec3 at = from->bodies[pot].at.p;
    for (int i = 0; i < how->spheres; i++) {
        dMass m;
        dBodyID b = dBodyCreate(w->world);
        dMassSetSphere(&m, 1000, 0.006);
        dBodySetMass(b, &m);
        dBodySetPosition(b, at.x + 0.0125 * (i % 5 - 2), at.y + 0.0125 * (i / 5 % 5 - 2),
                         at.z + 0.02 + 0.0125 * (i / 25));
        dGeomSetBody(dCreateSphere(w->space, 0.006), b);
    }
}

// A step of 2 ms, with the pot where the robot has it.
static void balls_step(balls *w, const sim *s, size_t pot) {
    pose at = sim_pose(s, pot);
    vec3 v, spin;
    sim_velocity(s, pot, &v, &spin);
    dBodySetPosition(w->pot, at.p.x, at.p.y, at.p.z);
    dBodySetQuaternion(w->pot, (dQuaternion){at.q.w, at.q.x, at.q.y, at.q.z});
    dBodySetLinearVel(w->pot, v.x, v.y, v.z);
    dBodySetAngularVel(w->pot, spin.x, spin.y, spin.z);
    dSpaceCollide(w->space, w, balls_meet);
    dWorldQuickStep(w->world, 0.002);
    dJointGroupEmpty(w->contacts);
}

static void balls_close(balls *w) {
    dJointGroupDestroy(w->contacts);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
}

// ---- A run --------------------------------------------------------------------------------------

static void swing(sim *s, const robot_model *r, double t) {
    const robot_arm *a = &r->arms[0];
    for (size_t k = 0; k < a->joint_count; k++) {
        const robot_joint *j = &r->joints[a->joints[k]];
        double home = r->home[a->joints[k]], middle = (j->lower + j->upper) / 2;
        double way = isfinite(middle) && middle < home ? -0.03 : 0.03, rate = 6;
        sim_set_joint(s, a->joints[k], home + way * (1 - cos(rate * t)), way * rate * sin(rate * t),
                      CYCLE);
    }
}

static uint64_t bits_of(const world_model *w, const sim *s) {
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (size_t i = 0; i < w->body_count; i++) {
        vec3 p = sim_pose(s, i).p;
        unsigned char bytes[sizeof p];
        memcpy(bytes, &p, sizeof p);
        for (size_t k = 0; w->bodies[i].particle && k < sizeof p; k++)
            hash = (hash ^ bytes[k]) * 1099511628211u;
    }
    return hash;
}

typedef struct spent {
    double own, child, wall; // s
    uint64_t bits;
} spent;

static double child_seconds(void) { // of those that are over
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static spent run(const char *kitchen, const robot_model *r, vec3 at, const setup *how,
                 double length) {
    error err = {0};
    sim *s = NULL;
    conductor *c = NULL;
    balls b = {0};
    world_model *w = make_world(kitchen, r->arms[0].name, at, how);
    sink log = {.class = &DROPPING};
    int64_t *objects = calloc(w->body_count + 1, sizeof *objects);
    sim_options o = sim_options_default();
    o.step = STEP;
    size_t pot = (size_t)world_find_body(w, "pot_1");
    if (!objects || sim_create(w, r, &o, &s, &err) != OK ||
        conductor_create(w, STEP, 1, &c, &err) != OK ||
        conductor_start(c, &log, s, objects, 1, &err) != OK)
        stop(err.text);
    if (how->place == ODE_BALLS)
        balls_open(&b, w, pot, how);
    nanos begun = clock_wall();
    double own = processor_seconds(), child = child_seconds();
    for (nanos t = 0; t < nanos_from_seconds(length); t += STEP) {
        if (t % CYCLE == 0)
            swing(s, r, seconds(t));
        if (b.world && t % (2 * STEP) == 0)
            balls_step(&b, s, pot);
        if (conductor_step(c, sim_model(s), t, STEP, &err) != OK)
            stop(err.text);
    }
    spent x = {.own = processor_seconds() - own,
               .wall = seconds(clock_wall() - begun),
               .bits = bits_of(w, s)};
    if (b.world)
        balls_close(&b);
    conductor_destroy(c);
    x.child = child_seconds() - child;
    sim_destroy(s);
    world_destroy(w);
    free(objects);
    return x;
}

// The least of two.
static void keep_least(spent *least, const spent *x) {
    least->own = fmin(least->own, x->own);
    least->child = fmin(least->child, x->child);
    least->wall = fmin(least->wall, x->wall);
}

// In front of the first arm's hand as the robot starts.
static vec3 find_place(const char *kitchen, const robot_model *r) {
    settings none = {0};
    errors list = {0};
    error err = {0};
    world_model *w = NULL;
    sim *s = NULL;
    if (world_load(kitchen, NULL, &none, &w, &list) != OK || sim_create(w, r, NULL, &s, &err) != OK)
        stop("the world cannot be loaded");
    vec3 at = pose_apply(sim_pose(s, sim_entity_palm(s, 0)), v3(0, 0, 0.3));
    sim_destroy(s);
    world_destroy(w);
    return at;
}

int main(int argc, char **argv) {
    settings none = {0};
    errors list = {0};
    robot_model *r = NULL;
    if (argc != 3 || robot_load(argv[2], NULL, &none, &r, &list) != OK)
        stop("usage: bench_beside WORLD.yaml ROBOT.yaml");
    vec3 at = find_place(argv[1], r);
    spent begin[SETUPS], all[SETUPS]; // until it is warm, and to the end
    double factor[SETUPS];
    bool same = true;
    for (int k = 0; k < REPEATS; k++)
        for (size_t i = 0; i < SETUPS; i++) {
            spent warm = run(argv[1], r, at, &setups[i], WARM);
            spent whole = run(argv[1], r, at, &setups[i], WARM + LENGTH);
            if (k == 0)
                begin[i] = warm, all[i] = whole;
            keep_least(&begin[i], &warm);
            keep_least(&all[i], &whole);
            same = same && whole.bits == all[i].bits;
        }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    bool shared = sched_setaffinity(0, sizeof one, &one) == 0; // processes that are begun now, too
    for (size_t i = 0; shared && i < SETUPS; i++)
        same = same && run(argv[1], r, at, &setups[i], WARM + LENGTH).bits == all[i].bits;
    printf("%-32s %8s %8s %8s\n", "real-time factor", "here", "by wall", "paper");
    for (size_t i = 0; i < SETUPS; i++) {
        double own = all[i].own - begin[i].own, child = all[i].child - begin[i].child;
        factor[i] = LENGTH / fmax(own, child);
        printf(setups[i].paper > 0 ? "%-32s %8.1f %8.1f %8.2f\n" : "%-32s %8.1f %8.1f\n",
               setups[i].name, factor[i], LENGTH / (all[i].wall - begin[i].wall), setups[i].paper);
    }
    static const int ratios[3][2] = {{3, 2}, {4, 2}, {5, 4}};
    bool good = same && shared;
    for (int i = 0; i < 3; i++) {
        size_t a = (size_t)ratios[i][0] - 1, b = (size_t)ratios[i][1] - 1;
        double here = factor[a] / factor[b], paper = setups[a].paper / setups[b].paper;
        printf("%d : %d %34.2f %8s %8.2f\n", ratios[i][0], ratios[i][1], here, "", paper);
        good = good && here >= paper;
    }
    printf("on one processor the spheres end at %s bits\n", same ? "the same" : "OTHER");
    robot_destroy(r);
    return good ? 0 : 1;
}

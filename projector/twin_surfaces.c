// projector/twin_surfaces.c - a twin learns where surfaces are: see twin_surfaces.h.
#include "projector/twin_surfaces.h"

#include <math.h>

static const double FELT = 6, TOUCHED = 0.5; // N from which on the robot's and the twin's arm touch
static const double OFF = 3e-3, RIGHT = 5e-4; // m: a correction begins, and ends
static const double SMOOTH = 0.05;            // s, by which the robot's force is averaged
static const double BLEND = 0.1;              // share of a new report in where the surface is
static const double CHANGE = 20;              // N/s by which a correction changes the felt force
static const double FARTHEST = 0.15;          // m that a surface is moved at most
static const double AHEAD = 0.3;              // m in which a surface counts as in the way
static const double ALIKE = 0.7;              // cosine of two normals that are of one surface

typedef struct lesson {
    uint64_t number; // 0: none has begun
    size_t body;
    vec3 normal; // towards the arm
    pose from;   // where the surface was
    double shift, target;
    bool aimed;
    vec3 force; // on the robot's arm, averaged
} lesson;

struct twin_surfaces {
    sim *sim;
    const world_model *world;
    size_t arms;
    lesson *lessons; // by arm
    uint64_t begun;
};

twin_surfaces *twin_surfaces_create(sim *s, const world_model *world, size_t arms) {
    twin_surfaces *t = mem_must(1, sizeof *t);
    *t = (twin_surfaces){
        .sim = s, .world = world, .arms = arms, .lessons = mem_must(arms + 1, sizeof *t->lessons)};
    return t;
}

void twin_surfaces_destroy(twin_surfaces *t) {
    if (t)
        free(t->lessons);
    free(t);
}

surface_stamp twin_surfaces_stamp(const twin_surfaces *t, size_t arm) {
    return (surface_stamp){t->lessons[arm].number, t->lessons[arm].shift};
}

size_t twin_surfaces_body(const twin_surfaces *t, size_t arm) {
    return t->lessons[arm].number ? t->lessons[arm].body : SIZE_MAX;
}

// ---- Which surface --------------------------------------------------------------------------

// What can move goes where it is believed to be, and what carries furniture on joints stays.
static bool can_be_moved(const twin_surfaces *t, size_t body) {
    for (size_t i = 0; i < t->world->joint_count; i++)
        if (t->world->joints[i].base == (int64_t)body)
            return false;
    return t->world->bodies[body].fixed && sim_present(t->sim, body);
}

static void begin_lesson(twin_surfaces *t, size_t arm, size_t body, vec3 normal) {
    lesson *l = &t->lessons[arm];
    if (l->number && l->body == body && v3_dot(l->normal, normal) > ALIKE)
        return;
    *l = (lesson){++t->begun, body, normal, sim_pose(t->sim, body), .force = l->force};
}

// The rotation that turns the z axis to a unit vector.
static quat turn_up_to(vec3 n) {
    vec3 axis = v3_cross(v3(0, 0, 1), n);
    double sine = v3_length(axis), angle = atan2(sine, n.z);
    return quat_exp(sine > 1e-9 ? v3_scale(axis, angle / sine) : v3(n.z < 0 ? acos(-1) : 0, 0, 0));
}

// The body that is in the way against the normal; SIZE_MAX: none.
static size_t find_in_the_way(const twin_surfaces *t, size_t arm, vec3 normal) {
    double nearest = AHEAD;
    size_t found = SIZE_MAX;
    vec3 from = sim_tool(t->sim, arm).p;
    for (size_t b = 0; b < t->world->body_count; b++) {
        const world_body *body = &t->world->bodies[b];
        if (!can_be_moved(t, b))
            continue;
        pose at = sim_pose(t->sim, b);
        for (size_t k = 0; k < body->type->shape_count; k++) {
            const shape *s = &body->type->shapes[k];
            double d = shape_ray(s, pose_mul(at, s->at), from, v3_scale(normal, -1));
            if (d < nearest)
                nearest = d, found = b;
        }
    }
    return found;
}

static void put_surface(twin_surfaces *t, const lesson *l) {
    pose at = {v3_add(l->from.p, v3_scale(l->normal, l->shift)), l->from.q};
    sim_put(t->sim, l->body, at, INFINITY);
}

// Brings a surface up to the arm, which it touches then without a force.
static void bring_surface(twin_surfaces *t, size_t arm, vec3 normal) {
    size_t plate = t->world->body_count - t->arms + arm, body = find_in_the_way(t, arm, normal);
    if (body == SIZE_MAX) {
        body = plate;
        vec3 far = v3_sub(sim_tool(t->sim, arm).p, v3_scale(normal, 2 * AHEAD));
        sim_put(t->sim, plate, (pose){far, turn_up_to(normal)}, INFINITY);
        pose at = {v3_add(far, v3_scale(normal, sim_arm_gap(t->sim, arm, plate))),
                   turn_up_to(normal)};
        sim_put(t->sim, plate, at, INFINITY);
        t->lessons[arm].number = 0;
    }
    begin_lesson(t, arm, body, normal);
    lesson *l = &t->lessons[arm];
    double gap = sim_arm_gap(t->sim, arm, l->body);
    l->shift = l->target = fmin(l->shift + gap, FARTHEST);
    put_surface(t, l);
}

// ---- How far --------------------------------------------------------------------------------

// Of the arm's tool along an axis, N/m.
static double stiffness_along(const twin_surfaces *t, size_t arm, vec3 axis,
                              const double *stiffness) {
    double yields = 0, by[ARM_JOINTS_MAX] = {0};
    for (size_t k = 0; k < sim_robots(t->sim)->arms[arm].joint_count; k++) {
        by[k] = 1;
        double moved = v3_dot(sim_tool_shift(t->sim, arm, by), axis);
        by[k] = 0;
        yields += moved * moved / stiffness[k];
    }
    return 1 / fmax(yields, 1e-9);
}

static void aim(lesson *l, const surface_felt *felt) {
    double off = v3_dot(felt->ahead, l->normal);
    if (!felt->fresh || felt->stamp.lesson != l->number)
        return;
    double seen = felt->stamp.shift + off;
    if (!l->aimed && fabs(off) > OFF)
        l->target = seen, l->aimed = true;
    else if (l->aimed)
        l->target += BLEND * (seen - l->target);
    if (fabs(off) < RIGHT)
        l->aimed = false;
}

void twin_surfaces_step(twin_surfaces *t, size_t arm, const surface_felt *felt,
                        const double *stiffness, double dt) {
    lesson *l = &t->lessons[arm];
    sim_contact touch;
    l->force = v3_add(l->force, v3_scale(v3_sub(felt->force, l->force), dt / (SMOOTH + dt)));
    bool touches = sim_arm_contact(t->sim, arm, &touch) && v3_length(touch.force) > TOUCHED,
         feels = v3_length(l->force) > FELT;
    vec3 held = v3_unit(l->force);
    if (touches && can_be_moved(t, touch.a))
        begin_lesson(t, arm, touch.a, touch.normal);
    else if (!touches && feels && v3_dot(felt->ahead, held) > OFF)
        bring_surface(t, arm, held);
    if (!l->number || (!touches && !feels))
        return;
    aim(l, felt);
    if (!l->aimed || !can_be_moved(t, l->body))
        return;
    double most = dt * CHANGE / stiffness_along(t, arm, l->normal, stiffness);
    double to = fmax(-FARTHEST, fmin(l->target, FARTHEST));
    l->shift += fmax(-most, fmin(to - l->shift, most));
    put_surface(t, l);
}

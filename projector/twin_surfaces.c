// projector/twin_surfaces.c - a twin learns where surfaces are: see twin_surfaces.h.
#include "projector/twin_surfaces.h"

#include <math.h>

static const double FELT = 6, TOUCHED = 0.5; // N from which on the robot's and the twin's arm touch
static const double OFF = 3e-3, RIGHT = 5e-4; // m: a correction begins, and ends
static const double SMOOTH = 0.05;            // s, by which the robot's force is averaged
static const double BLEND = 0.1;              // share of a new report in where the surface is
static const double CHANGE = 20;              // N/s by which a correction changes the felt force
static const double FARTHEST = 0.15;          // m that a surface is moved at most
static const double BEHIND = 0.6;             // m from the tool at which a plate begins
static const double ALIKE = 0.7;              // cosine of two normals that are of one surface

typedef struct surface {
    pose home;  // where the map has it, or where the plate was put
    vec3 moved; // from there
} surface;

// What an arm teaches. How far its surface has moved counts along the normal, whoever moved it.
typedef struct lesson {
    uint64_t number; // 0: none has begun
    size_t body;
    vec3 normal; // towards the arm
    double target;
    bool aimed;
    vec3 force; // on the robot's arm, averaged
} lesson;

struct twin_surfaces {
    sim *sim;
    const world_model *world;
    size_t arms;
    surface *surfaces; // by body
    lesson *lessons;   // by arm
    uint64_t begun;
};

twin_surfaces *twin_surfaces_create(sim *s, const world_model *world, size_t arms) {
    twin_surfaces *t = mem_must(1, sizeof *t);
    *t = (twin_surfaces){.sim = s,
                         .world = world,
                         .arms = arms,
                         .surfaces = mem_must(world->body_count + 1, sizeof *t->surfaces),
                         .lessons = mem_must(arms + 1, sizeof *t->lessons)};
    for (size_t b = 0; b < world->body_count; b++)
        t->surfaces[b].home = sim_pose(s, b);
    return t;
}

void twin_surfaces_destroy(twin_surfaces *t) {
    if (!t)
        return;
    free(t->surfaces);
    free(t->lessons);
    free(t);
}

static double shift_of(const twin_surfaces *t, const lesson *l) {
    return l->number ? v3_dot(t->surfaces[l->body].moved, l->normal) : 0;
}

surface_stamp twin_surfaces_stamp(const twin_surfaces *t, size_t arm) {
    return (surface_stamp){t->lessons[arm].number, shift_of(t, &t->lessons[arm])};
}

size_t twin_surfaces_body(const twin_surfaces *t, size_t arm) {
    return t->lessons[arm].number ? t->lessons[arm].body : SIZE_MAX;
}

// ---- Which surface --------------------------------------------------------------------------

// What can move goes where it is believed to be, and what carries furniture on joints stays.
static bool can_be_moved(const twin_surfaces *t, size_t body) {
    return t->world->bodies[body].fixed && sim_present(t->sim, body) &&
           !world_carries_joints(t->world, body);
}

static void begin_lesson(twin_surfaces *t, size_t arm, size_t body, vec3 normal) {
    lesson *l = &t->lessons[arm];
    if (l->number && l->body == body && v3_dot(l->normal, normal) > ALIKE)
        return;
    *l = (lesson){++t->begun, body, normal, .force = l->force};
    l->target = shift_of(t, l);
}

// The rotation that turns the z axis to a unit vector.
static quat turn_up_to(vec3 n) {
    vec3 axis = v3_cross(v3(0, 0, 1), n);
    double sine = v3_length(axis), angle = atan2(sine, n.z);
    return quat_exp(sine > 1e-9 ? v3_scale(axis, angle / sine) : v3(n.z < 0 ? PI : 0, 0, 0));
}

// The body that is in the way against the normal and may come up to the arm; SIZE_MAX: none.
static size_t find_in_the_way(const twin_surfaces *t, size_t arm, vec3 normal) {
    double nearest = INFINITY;
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
    if (found == SIZE_MAX)
        return SIZE_MAX;
    vec3 to = v3_scale(normal, sim_arm_gap(t->sim, arm, found));
    return v3_length(v3_add(t->surfaces[found].moved, to)) <= FARTHEST ? found : SIZE_MAX;
}

static void move_surface(twin_surfaces *t, size_t body, vec3 by) {
    surface *s = &t->surfaces[body];
    vec3 moved = v3_add(s->moved, by);
    double far = v3_length(moved);
    s->moved = far > FARTHEST ? v3_scale(moved, FARTHEST / far) : moved;
    sim_put(t->sim, body, (pose){v3_add(s->home.p, s->moved), s->home.q}, INFINITY);
}

// Puts the arm's plate to where the arm is.
static size_t put_plate(twin_surfaces *t, size_t arm, vec3 normal) {
    size_t plate = t->world->body_count - t->arms + arm;
    pose at = {v3_sub(sim_tool(t->sim, arm).p, v3_scale(normal, BEHIND)), turn_up_to(normal)};
    sim_put(t->sim, plate, at, INFINITY);
    at.p = v3_add(at.p, v3_scale(normal, sim_arm_gap(t->sim, arm, plate)));
    sim_put(t->sim, plate, at, INFINITY);
    t->surfaces[plate] = (surface){.home = at};
    t->lessons[arm].number = 0;
    return plate;
}

// Brings a surface up to the arm, which it touches then without a force.
static void bring_surface(twin_surfaces *t, size_t arm, vec3 normal) {
    size_t body = find_in_the_way(t, arm, normal);
    if (body == SIZE_MAX)
        body = put_plate(t, arm, normal);
    begin_lesson(t, arm, body, normal);
    lesson *l = &t->lessons[arm];
    move_surface(t, body, v3_scale(l->normal, sim_arm_gap(t->sim, arm, body)));
    l->target = shift_of(t, l);
}

// ---- How far --------------------------------------------------------------------------------

// Returns the stiffness of the arm's tool along an axis, N/m.
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

static void set_target(lesson *l, const surface_felt *felt) {
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
    set_target(l, felt);
    if (!l->aimed || !can_be_moved(t, l->body))
        return;
    double most = dt * CHANGE / stiffness_along(t, arm, l->normal, stiffness);
    double by = fmax(-most, fmin(l->target - shift_of(t, l), most));
    move_surface(t, l->body, v3_scale(l->normal, by));
}

// scene/follow.c - compares what a scene cannot change once it has begun.
#include "scene/follow.h"

#include <string.h>

static bool same_vec3(vec3 a, vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_pose(pose a, pose b) {
    return same_vec3(a.p, b.p) && a.q.w == b.q.w && a.q.x == b.q.x && a.q.y == b.q.y &&
           a.q.z == b.q.z;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_shapes(const shape *a, size_t a_count, const shape *b, size_t b_count) {
    bool same = a_count == b_count;
    for (size_t i = 0; same && i < a_count; i++)
        same = a[i].kind == b[i].kind && same_pose(a[i].at, b[i].at) &&
               same_vec3(a[i].size, b[i].size) && !a[i].mesh == !b[i].mesh;
    return same;
}

// What of a body cannot change; NULL: nothing differs.
static const char *body_differs(const world_body *a, const world_body *b) {
    const body_type *x = a->type, *y = b->type;
    if (!same_shapes(x->shapes, x->shape_count, y->shapes, y->shape_count) ||
        !same_vec3(x->com, y->com))
        return "its shape";
    if (!same_pose(a->at, b->at) || !same_vec3(a->velocity, b->velocity))
        return "where it starts";
    if (a->absent != b->absent)
        return "whether it is there at the start; an event can remove it";
    if (a->fixed != b->fixed || a->known != b->known || a->inside != b->inside)
        return "what it is";
    if (a->particle && (x->mass != y->mass || x->friction != y->friction))
        return "the mass or the friction of its grains";
    return NULL;
}

static const char *joint_differs(const world_joint *a, const world_joint *b) {
    if (a->start != b->start)
        return "how it stands at the start; an event can move it";
    if (a->kind != b->kind || a->base != b->base || a->body != b->body ||
        !same_pose(a->origin, b->origin) || !same_vec3(a->axis, b->axis) || a->lower != b->lower ||
        a->upper != b->upper)
        return "how it moves";
    return NULL;
}

static status refuse(const char *what, const char *name, const char *why, error *err) {
    return error_set(err, E_INPUT, "%s %s would have to differ from the start: %s", what, name,
                     why);
}

static status world_follows(const world_model *a, const world_model *b, error *err) {
    bool same = a->body_count == b->body_count && a->joint_count == b->joint_count &&
                a->region_count == b->region_count;
    for (size_t i = 0; same && i < a->body_count; i++)
        same = same_text(a->bodies[i].name, b->bodies[i].name);
    if (!same)
        return error_set(err, E_INPUT,
                         "the bodies, joints or regions of the world would have to "
                         "be others from the start");
    for (size_t i = 0; i < a->body_count; i++) {
        const char *why = body_differs(&a->bodies[i], &b->bodies[i]);
        if (why)
            return refuse("the body", a->bodies[i].name, why, err);
    }
    for (size_t i = 0; i < a->joint_count; i++) {
        const char *why = joint_differs(&a->joints[i], &b->joints[i]);
        if (why)
            return refuse("the joint", a->joints[i].name, why, err);
    }
    for (size_t i = 0; i < a->region_count; i++) {
        const world_region *x = &a->regions[i], *y = &b->regions[i];
        if (!same_pose(x->at, y->at) || x->half_x != y->half_x || x->half_y != y->half_y ||
            x->tolerance != y->tolerance || x->angle_tolerance != y->angle_tolerance)
            return refuse("the region", x->name, "where it is", err);
    }
    if (!same_vec3(a->gravity, b->gravity) || !same_pose(a->robot_at, b->robot_at))
        return error_set(err, E_INPUT,
                         "gravity, or where the robot starts, would have to differ "
                         "from the start");
    return OK;
}

static bool same_joint(const robot_joint *a, const robot_joint *b) {
    return a->kind == b->kind && a->parent == b->parent && a->child == b->child &&
           same_pose(a->origin, b->origin) && same_vec3(a->axis, b->axis) && a->lower == b->lower &&
           a->upper == b->upper && a->max_velocity == b->max_velocity &&
           a->max_acceleration == b->max_acceleration && a->max_effort == b->max_effort &&
           a->kp == b->kp && a->kd == b->kd && a->viscous == b->viscous &&
           a->coulomb == b->coulomb && a->armature == b->armature;
}

static bool same_link(const robot_link *a, const robot_link *b) {
    return a->mass == b->mass && same_vec3(a->com, b->com) &&
           same_shapes(a->shapes, a->shape_count, b->shapes, b->shape_count);
}

static bool same_hand(const robot_arm *a, const robot_arm *b) {
    const robot_gripper *x = &a->gripper, *y = &b->gripper;
    return a->wrist.present == b->wrist.present && a->torques.present == b->torques.present &&
           same_pose(x->mount, y->mount) && same_vec3(x->palm_size, y->palm_size) &&
           x->palm_mass == y->palm_mass && same_vec3(x->pad_size, y->pad_size) &&
           x->pad_mass == y->pad_mass && x->pad_center_z == y->pad_center_z &&
           x->max_opening == y->max_opening && x->max_force == y->max_force && x->speed == y->speed;
}

static status robot_follows(const robot_model *a, const robot_model *b, error *err) {
    bool same = a->joint_count == b->joint_count && a->link_count == b->link_count &&
                a->arm_count == b->arm_count && a->base_drive == b->base_drive &&
                a->base_mass == b->base_mass && a->laser.beams == b->laser.beams &&
                same_pose(a->camera.at, b->camera.at) && same_pose(a->laser.at, b->laser.at) &&
                a->tracker.present == b->tracker.present &&
                a->detector.present == b->detector.present;
    for (size_t i = 0; same && i < a->joint_count; i++)
        same = same_joint(&a->joints[i], &b->joints[i]) && a->home[i] == b->home[i];
    for (size_t i = 0; same && i < a->link_count; i++)
        same = same_link(&a->links[i], &b->links[i]);
    for (size_t i = 0; same && i < a->arm_count; i++)
        same = same_hand(&a->arms[i], &b->arms[i]);
    if (!same)
        return error_set(err, E_INPUT,
                         "the robot would have to be built otherwise from the start: only its "
                         "senses, its pads' friction and the limits of its base can change later");
    return OK;
}

status scene_follows(const world_model *from, const world_model *to, const robot_model *robot_from,
                     const robot_model *robot_to, error *err) {
    status st = world_follows(from, to, err);
    return st == OK ? robot_follows(robot_from, robot_to, err) : st;
}

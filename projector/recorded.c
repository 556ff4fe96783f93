// projector/recorded.c - a recorded robot's motion: see recorded.h.
#include "projector/recorded.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/search.h"

// 1/s: how fast the base makes up for a place that it has not kept.
static const double BASE_GAIN = 10;

struct recorded_robot {
    const recording *from;
    sim *world;
    size_t number;
    const robot_model *robot;
    size_t *joints;    // of the robot, by recorded joint
    size_t next;       // row, of one that stands in ...
    bool rests;        // ... whose recording has ended
    int64_t *grippers; // numbers of their names in the recording, by arm; 0: it has none
    // Wrenches up to now: how many, and the last one of each arm, first of its observer, then the
    // true one; NULL: there was none.
    size_t wrench_next;
    const recorded_wrench *(*wrenches)[2];
};

static status refuse_joint(const recording *from, const char *name, const char *how, error *err) {
    return error_at(err, E_INPUT, from->file, 0, 0,
                    "the recorded robot and the robot of this world differ: %s has no joint `%s`",
                    how, name);
}

// The robot's joints, by recorded joint; SIZE_MAX: it has none of that name. The caller frees it.
static size_t *match_joints(const recording *from, const robot_model *r) {
    size_t *joints = mem_must(from->joint_count + 1, sizeof *joints);
    arena *a = arena_create();
    for (size_t i = 0; i < from->joint_count; i++)
        joints[i] = SIZE_MAX;
    for (size_t k = 0; k < r->joint_count; k++) {
        const char *name = fleet_part_name(a, from->robot, r, r->joints[k].name);
        for (size_t i = 0; i < from->joint_count; i++)
            if (strcmp(from->joints[i], name) == 0)
                joints[i] = k;
    }
    arena_destroy(a);
    return joints;
}

// Recorded places that a joint of the robot cannot have are those of another joint.
static const double STRAY = 0.05; // rad or m by which a stop gives way, with the encoders' noise
static status check_ranges(const recording *from, const robot_model *r, const size_t *joints,
                           error *err) {
    for (size_t i = 0; i < from->joint_count; i++) {
        const robot_joint *j = &r->joints[joints[i]];
        for (size_t p = 0; p < from->posture_count; p++) {
            double q = from->postures[p].positions[i];
            if (q < j->lower - STRAY || q > j->upper + STRAY)
                return error_at(err, E_INPUT, from->file, 0, 0,
                                "the recorded robot and the robot of this world differ: joint `%s` "
                                "was at %.3f %s, and the one of this world %s from %.3f to %.3f",
                                from->joints[i], q, j->kind == JOINT_PRISMATIC ? "m" : "rad",
                                j->kind == JOINT_PRISMATIC ? "slides" : "turns", j->lower,
                                j->upper);
        }
    }
    return OK;
}

status recorded_check(const recording *from, const robot_model *r, error *err) {
    arena *a = arena_create();
    size_t *joints = match_joints(from, r);
    status st = OK;
    for (size_t i = 0; st == OK && i < r->joint_count; i++) {
        const char *own = fleet_part_name(a, from->robot, r, r->joints[i].name);
        if (!names_hold(from->joints, from->joint_count, own))
            st = refuse_joint(from, own, "the recorded one", err);
    }
    for (size_t i = 0; st == OK && i < from->joint_count; i++)
        if (joints[i] == SIZE_MAX)
            st = refuse_joint(from, from->joints[i], "the one of this world", err);
    if (st == OK)
        st = check_ranges(from, r, joints, err);
    free(joints);
    arena_destroy(a);
    return st;
}

recorded_robot *recorded_create(const recording *from, sim *world, size_t number) {
    const robot_model *robot = sim_member(world, number)->robot;
    recorded_robot *r = mem_must(1, sizeof *r);
    *r = (recorded_robot){.from = from, .world = world, .number = number, .robot = robot};
    r->joints = match_joints(from, robot);
    r->grippers = mem_must(robot->arm_count + 1, sizeof *r->grippers);
    r->wrenches = mem_must(robot->arm_count + 1, sizeof *r->wrenches);
    arena *a = arena_create();
    for (size_t k = 0; k < robot->arm_count; k++) {
        const char *name = fleet_part_name(a, from->robot, robot, robot->arms[k].gripper.name);
        for (size_t i = 0; i < from->object_count; i++)
            if (strcmp(from->objects[i], name) == 0)
                r->grippers[k] = (int64_t)i + 1;
    }
    arena_destroy(a);
    return r;
}

void recorded_destroy(recorded_robot *r) {
    if (!r)
        return;
    free(r->joints);
    free(r->grippers);
    free(r->wrenches);
    free(r);
}

// ---- Motion -------------------------------------------------------------------------------------

// The last of `count` items in order of time that is not after t, or else the first, and the share
// of the way from it to the next that has passed at t: 0 before the first and from the last on.
static size_t item_at(const void *items, size_t stride, size_t count, nanos t, double *share) {
    size_t after = upper_bound(items, stride, count, t), i = after > 0 ? after - 1 : 0;
    *share = 0;
    if (after > 0 && after < count) {
        nanos from = search_key(items, stride, i), to = search_key(items, stride, after);
        *share = (double)(t - from) / (double)(to - from);
    }
    return i;
}

// Between two readings a joint moves evenly: a reading is recorded as soon as some joint differs by
// more than its noise from the last one, so that this is right within that noise.
static double joint_at(const recorded_robot *r, size_t joint, nanos t) {
    const recorded_posture *all = r->from->postures;
    double share;
    size_t i = item_at(all, sizeof *all, r->from->posture_count, t, &share);
    double from = all[i].positions[joint];
    return share > 0 ? from + share * (all[i + 1].positions[joint] - from) : from;
}

double recorded_joint(const recorded_robot *r, size_t joint, nanos t) {
    for (size_t i = 0; i < r->from->joint_count; i++)
        if (r->joints[i] == joint)
            return joint_at(r, i, t);
    return 0;
}

static recorded_base base_at(const recorded_robot *r, nanos t) {
    const recorded_base *all = r->from->bases;
    double share;
    size_t i = item_at(all, sizeof *all, r->from->base_count, t, &share);
    const recorded_base *a = &all[i], *b = share > 0 ? a + 1 : a;
    return (recorded_base){t, a->x + share * (b->x - a->x), a->y + share * (b->y - a->y),
                           a->yaw + share * (b->yaw - a->yaw)};
}

// The speed is that over two cycles either way, which the noise of single readings disturbs less.
static void send_joints(recorded_robot *r, nanos t, nanos cycle) {
    size_t first = sim_part_of(r->world, r->number).joint;
    nanos then = t + cycle;
    for (size_t i = 0; i < r->from->joint_count; i++) {
        size_t joint = r->joints[i];
        if (r->robot->joints[joint].follows)
            continue;
        double speed = (joint_at(r, i, then + 2 * cycle) - joint_at(r, i, then - 2 * cycle)) /
                       seconds(4 * cycle);
        sim_set_joint(r->world, first + joint, joint_at(r, i, then), speed, cycle);
    }
}

static void send_base(recorded_robot *r, nanos t, nanos cycle) {
    recorded_base from = base_at(r, t), to = base_at(r, t + cycle);
    pose now = sim_base_of(r->world, r->number);
    double yaw = quat_yaw(now.q), gain = BASE_GAIN, dt = seconds(cycle);
    double vx = (to.x - from.x) / dt + gain * (from.x - now.p.x);
    double vy = (to.y - from.y) / dt + gain * (from.y - now.p.y);
    double turn = (to.yaw - from.yaw) / dt + gain * remainder(from.yaw - yaw, 2 * M_PI);
    sim_set_base_of(r->world, r->number, cos(yaw) * vx + sin(yaw) * vy,
                    cos(yaw) * vy - sin(yaw) * vx, turn);
}

void recorded_move(recorded_robot *r, nanos t, nanos cycle) {
    send_joints(r, t, cycle);
    send_base(r, t, cycle);
}

void recorded_grip(recorded_robot *r, const struct record_COMMAND *c) {
    bool close = c->mode && strcmp(c->mode, "close") == 0;
    if (!close && !(c->mode && strcmp(c->mode, "open") == 0))
        return;
    for (size_t i = 0; i < r->robot->arm_count; i++)
        if (r->grippers[i] > 0 && r->grippers[i] == c->actuator)
            sim_set_gripper(r->world, sim_part_of(r->world, r->number).arm + i, c->v1, c->v2,
                            close);
}

bool recorded_over(const recorded_robot *r, nanos t) {
    return t >= r->from->end;
}

// What was to be reached is given up for what has been, so that no motor presses on.
static void rest(recorded_robot *r, nanos cycle) {
    size_t first = sim_part_of(r->world, r->number).joint;
    for (size_t k = 0; k < r->robot->joint_count; k++)
        if (!r->robot->joints[k].follows)
            sim_set_joint(r->world, first + k, sim_joint_positions(r->world)[first + k], 0, cycle);
    sim_set_base_of(r->world, r->number, 0, 0, 0);
    r->rests = true;
}

void recorded_stand_in(recorded_robot *r, nanos t, nanos cycle) {
    const recording *from = r->from;
    if (recorded_over(r, t)) {
        if (!r->rests)
            rest(r, cycle);
        return;
    }
    for (; r->next < from->row_count && from->rows[r->next].at <= t; r->next++)
        recorded_grip(r, &from->rows[r->next].record.COMMAND);
    recorded_move(r, t, cycle);
}

// ---- Contacts -----------------------------------------------------------------------------------

static void take_wrench(recorded_robot *r, const recorded_wrench *w) {
    for (size_t i = 0; i < r->robot->arm_count; i++)
        if (r->grippers[i] > 0 && r->grippers[i] == w->gripper)
            r->wrenches[i][w->truth] = w;
}

bool recorded_contact(recorded_robot *r, size_t arm, bool truth, nanos t, vec3 *force,
                      vec3 *moment) {
    const recording *from = r->from;
    for (; r->wrench_next < from->wrench_count && from->wrenches[r->wrench_next].t <= t;
         r->wrench_next++)
        take_wrench(r, &from->wrenches[r->wrench_next]);
    const recorded_wrench *w = r->wrenches[arm][truth];
    if (!w || recorded_over(r, t))
        return false;
    *force = w->force;
    *moment = w->moment;
    return true;
}

#include "projector/body.h"

#include <math.h>

typedef struct gripper_command {
    bool given, close;
    double opening, force;
} gripper_command;

struct body {
    middleware face;
    const robot_model *robot;
    sim *sim;
    sense *senses;
    sink *log;
    const recorder_ids *ids;
    nanos now, cycle;
    keyframe_value *targets; // by joint
    int64_t *target_operation;
    keyframe_tolerance tolerance;
    double base[3]; // last twist
    gripper_command *grippers;
};

static status put_command(body *b, int64_t actuator, int64_t by, nanos t, const char *mode,
                          double v1, double v2, double v3, error *err) {
    record r = {.kind = RECORD_COMMAND, .id = sink_id(b->log, RECORD_COMMAND)};
    r.COMMAND = (struct record_COMMAND){by, actuator, t, mode, v1, v2, v3};
    return sink_put(b->log, &r, err);
}

static unsigned joint_use(const robot_model *r, size_t joint) {
    for (size_t i = 0; i < r->arm_count; i++)
        for (int k = 0; k < 7; k++)
            if (r->arms[i].joints[k] == joint)
                return use_arm(i);
    return (int64_t)joint == r->torso ? USE_TORSO : USE_HEAD;
}

static status put_target(body *b, size_t joint, const keyframe_value_key *key, error *err) {
    return put_command(b, b->ids->robot_objects[b->robot->link_count + joint],
                       b->target_operation[joint], key->t, "position", key->value, 0, 0, err);
}

static status flush_joint(body *b, size_t joint, error *err) {
    keyframe_value_key key;
    return keyframe_value_flush(&b->targets[joint], &key) ? put_target(b, joint, &key, err) : OK;
}

// Targets of an arm in motion pass within a tenth of a milliradian of what was sent.
static void start_joint(body *b, size_t joint) {
    keyframe_value_init(&b->targets[joint], fmin(b->tolerance.angle, 1e-4), b->tolerance.rate,
                        b->tolerance.window);
}

static status send_joint(body *b, const command *c, error *err) {
    size_t j = c->joint.joint;
    if (j >= b->robot->joint_count)
        return error_set(err, E_USAGE, "the robot has no joint number %zu", j);
    sim_set_joint(b->sim, j, c->joint.position, c->joint.velocity, b->cycle);
    int64_t by = sense_operation(b->senses, joint_use(b->robot, j));
    if (by != b->target_operation[j] || !b->targets[j].begun) {
        // Another operation's line begins anew: nothing is drawn from the last one's end to it.
        status st = flush_joint(b, j, err);
        if (st != OK)
            return st;
        start_joint(b, j);
        b->target_operation[j] = by;
    }
    keyframe_value_key key;
    return keyframe_value_feed(&b->targets[j], b->now, c->joint.position, &key)
               ? put_target(b, j, &key, err)
               : OK;
}

static status send_base(body *b, const command *c, error *err) {
    sim_set_base(b->sim, c->base.vx, c->base.vy, c->base.wz);
    if (c->base.vx == b->base[0] && c->base.vy == b->base[1] && c->base.wz == b->base[2])
        return OK;
    b->base[0] = c->base.vx;
    b->base[1] = c->base.vy;
    b->base[2] = c->base.wz;
    return put_command(b, b->ids->robot_objects[0], sense_operation(b->senses, USE_BASE), b->now,
                       "velocity", c->base.vx, c->base.vy, c->base.wz, err);
}

static status send_gripper(body *b, const command *c, error *err) {
    size_t arm = c->gripper.arm;
    if (arm >= b->robot->arm_count)
        return error_set(err, E_USAGE, "the robot has no arm number %zu", arm);
    gripper_command now = {true, c->gripper.close, c->gripper.opening, c->gripper.force};
    gripper_command *last = &b->grippers[arm];
    sim_set_gripper(b->sim, arm, now.opening, now.force, now.close);
    if (last->given && last->close == now.close && last->opening == now.opening &&
        last->force == now.force)
        return OK;
    *last = now;
    size_t object = b->robot->link_count + b->robot->joint_count + 4 * arm;
    return put_command(b, b->ids->robot_objects[object],
                       sense_operation(b->senses, use_gripper(arm)), b->now,
                       now.close ? "close" : "open", now.opening, now.force, 0, err);
}

static status body_send(void *self, const command *c, error *err) {
    body *b = self;
    switch (c->kind) {
    case COMMAND_JOINT:
        return send_joint(b, c, err);
    case COMMAND_BASE:
        return send_base(b, c, err);
    case COMMAND_GRIPPER:
        return send_gripper(b, c, err);
    case COMMAND_CAMERA:
    case COMMAND_LASER: {
        sense_power(b->senses, c->kind, c->power.on);
        size_t sensor = b->robot->link_count + b->robot->joint_count + 4 * b->robot->arm_count +
                        (c->kind == COMMAND_LASER ? 1 : 0);
        return put_command(
            b, b->ids->robot_objects[sensor],
            sense_operation(b->senses, c->kind == COMMAND_LASER ? USE_LASER : USE_CAMERA), b->now,
            c->power.on ? "on" : "off", 0, 0, 0, err);
    }
    }
    return error_set(err, E_USAGE, "unknown kind of command: %d", (int)c->kind);
}

static bool body_next(void *self, reading *out) {
    body *b = self;
    return sense_next(b->senses, b->now, out);
}

static void body_begin(void *self, const operation *op) {
    sense_begin(((body *)self)->senses, op);
}

static void body_end(void *self, const operation *op) {
    sense_end(((body *)self)->senses, op);
}

status body_create(const robot_model *r, sim *s, sense *senses, sink *log, const recorder_ids *ids,
                   nanos cycle, double tolerance, body **out, error *err) {
    body *b = calloc(1, sizeof *b);
    if (!b)
        return error_set(err, E_MEMORY, "no memory for the robot's body");
    *b = (body){.robot = r, .sim = s, .senses = senses, .log = log, .ids = ids, .cycle = cycle};
    b->face = (middleware){b, body_send, body_next, body_begin, body_end};
    b->targets = calloc(r->joint_count + 1, sizeof *b->targets);
    b->target_operation = calloc(r->joint_count + 1, sizeof *b->target_operation);
    b->grippers = calloc(r->arm_count + 1, sizeof *b->grippers);
    ASSERT(b->targets && b->target_operation && b->grippers);
    b->tolerance = keyframe_tolerance_scaled(tolerance);
    for (size_t i = 0; i < r->joint_count; i++)
        start_joint(b, i);
    *out = b;
    return OK;
}

void body_destroy(body *b) {
    if (!b)
        return;
    free(b->targets);
    free(b->target_operation);
    free(b->grippers);
    free(b);
}

middleware *body_middleware(body *b) {
    return &b->face;
}

void body_set_time(body *b, nanos t) {
    b->now = t;
}

status body_flush(body *b, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < b->robot->joint_count; i++)
        st = flush_joint(b, i, err);
    return st;
}

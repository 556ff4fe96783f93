// projector/body.c - the simulated robot: the middleware over world and senses.
#include "projector/body.h"

#include <math.h>
#include <string.h>

typedef struct gripper_command {
    bool given, close;
    double opening, force;
} gripper_command;

// The line that a log's rows of one joint's commands draw.
typedef struct joint_line {
    keyframe_value keys;
    joint_mode mode;
    int64_t operation;
} joint_line;

// The same of one arm's tool.
typedef struct tool_line {
    keyframe_pose keys;
    bool begun;
    bool follows; // an operator's station
    int64_t operation;
    vec3 force; // last logged
} tool_line;

struct body {
    middleware face;
    const robot_model *robot;
    sim *sim;
    sim_part own;
    sense *senses;
    sink *log;
    const recorder_ids *ids;
    nanos now, cycle;
    bool deaf; // commands go into the log alone
    joint_line *joints;
    tool_line *tools; // by arm
    keyframe_tolerance tolerance;
    double base[3]; // last twist
    gripper_command *grippers;
    ARRAY(operation) running;
};

static status put_command(body *b, int64_t actuator, int64_t by, nanos t, const char *mode,
                          double v1, double v2, double v3, error *err) {
    record r = {.kind = RECORD_COMMAND, .id = sink_id(b->log, RECORD_COMMAND)};
    r.COMMAND = (struct record_COMMAND){
        .operation = by, .actuator = actuator, .t = t, .mode = mode, .v1 = v1, .v2 = v2, .v3 = v3};
    return sink_put(b->log, &r, err);
}

// The arm that a joint belongs to, or -1.
static int64_t arm_of_joint(const robot_model *r, size_t joint) {
    for (size_t i = 0; i < r->arm_count; i++)
        for (size_t k = 0; k < r->arms[i].joint_count; k++)
            if (r->arms[i].joints[k] == joint)
                return (int64_t)i;
    return -1;
}

static unsigned joint_use(const robot_model *r, size_t joint) {
    int64_t arm = arm_of_joint(r, joint);
    return arm >= 0 ? use_arm((size_t)arm) : (int64_t)joint == r->torso ? USE_TORSO : USE_HEAD;
}

static status put_target(body *b, size_t joint, const keyframe_value_key *key, error *err) {
    static const char *const modes[] = {"position", "velocity", "torque"};
    const joint_line *line = &b->joints[joint];
    return put_command(b, b->ids->parts.joints[joint], line->operation, key->t, modes[line->mode],
                       key->value, key->bow, 0, err);
}

static status flush_joint(body *b, size_t joint, error *err) {
    keyframe_value_key key;
    return keyframe_value_flush(&b->joints[joint].keys, &key) ? put_target(b, joint, &key, err)
                                                              : OK;
}

// Targets pass within the tolerance of the joints' poses, 0.87 mrad, of what was sent; their rates
// are blurred twice as much as those of poses.
static void start_joint(body *b, size_t joint) {
    keyframe_value_init_bowed(&b->joints[joint].keys, b->tolerance.angle, 2 * b->tolerance.rate,
                              b->tolerance.window);
}

static status put_tool(body *b, size_t arm, nanos t, const char *mode, vec3 v, error *err) {
    return put_command(b, b->ids->parts.hands[arm].gripper, b->tools[arm].operation, t, mode, v.x,
                       v.y, v.z, err);
}

static status flush_tool(body *b, size_t arm, error *err) {
    keyframe_pose_key key;
    return b->tools[arm].begun && keyframe_pose_flush(&b->tools[arm].keys, &key)
               ? put_tool(b, arm, key.t, "impedance", key.pose.p, err)
               : OK;
}

// From here on a command of another kind moves the arm.
static status end_tool(body *b, size_t arm, error *err) {
    status st = flush_tool(b, arm, err);
    b->tools[arm].begun = false;
    return st;
}

// From here on no command of before moves the arm.
static status begin_tool(body *b, size_t arm, error *err) {
    status st = end_tool(b, arm, err);
    for (size_t k = 0; st == OK && k < b->robot->arms[arm].joint_count; k++) {
        st = flush_joint(b, b->robot->arms[arm].joints[k], err);
        start_joint(b, b->robot->arms[arm].joints[k]);
    }
    return st;
}

static void move_joint(body *b, const command *c) {
    size_t joint = b->own.joint + c->joint.joint;
    switch (c->joint.mode) {
    case JOINT_POSITION:
        sim_set_joint(b->sim, joint, c->joint.position, c->joint.velocity, b->cycle);
        break;
    case JOINT_VELOCITY:
        sim_set_joint_velocity(b->sim, joint, c->joint.velocity);
        break;
    case JOINT_TORQUE:
        sim_set_joint_effort(b->sim, joint, c->joint.effort);
        break;
    }
}

static status send_joint(body *b, const command *c, error *err) {
    size_t j = c->joint.joint;
    if (j >= b->robot->joint_count)
        return error_set(err, E_USAGE, "the robot has no joint number %zu", j);
    if (!isfinite(c->joint.position) || !isfinite(c->joint.velocity) || !isfinite(c->joint.effort))
        return error_set(err, E_USAGE, "the command for the robot's joint %s is no number",
                         b->robot->joints[j].name);
    double value = c->joint.position;
    int64_t arm = arm_of_joint(b->robot, j);
    if (arm >= 0)
        b->tools[arm].follows = false;
    if (c->joint.mode != JOINT_POSITION)
        value = c->joint.mode == JOINT_VELOCITY ? c->joint.velocity : c->joint.effort;
    if (!b->deaf)
        move_joint(b, c);
    joint_line *line = &b->joints[j];
    int64_t by = sense_operation(b->senses, joint_use(b->robot, j));
    if (by != line->operation || c->joint.mode != line->mode || !line->keys.begun) {
        // Another operation's line begins anew: nothing is drawn from the last one's end to it.
        status st = flush_joint(b, j, err);
        if (st != OK)
            return st;
        start_joint(b, j);
        if (arm >= 0 && (st = end_tool(b, (size_t)arm, err)) != OK)
            return st;
        line->operation = by;
        line->mode = c->joint.mode;
    }
    keyframe_value_key key;
    return keyframe_value_feed(&line->keys, b->now, value, &key) ? put_target(b, j, &key, err) : OK;
}

static bool impedance_is_usable(const impedance *i) {
    const double given[] = {i->target.p.x, i->target.p.y, i->target.p.z, i->force.x,  i->force.y,
                            i->force.z,    i->torque.x,   i->torque.y,   i->torque.z, i->target.q.w,
                            i->target.q.x, i->target.q.y, i->target.q.z, i->frame.w,  i->frame.x,
                            i->frame.y,    i->frame.z,    i->damping,    i->effort};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
        if (!isfinite(given[k]))
            return false;
    for (size_t k = 0; k < ARM_JOINTS_MAX && i->drawn; k++)
        if (!isfinite(i->posture[k]))
            return false;
    const double least[] = {i->stiffness.x, i->stiffness.y, i->stiffness.z,
                            i->rotation.x,  i->rotation.y,  i->rotation.z,
                            i->damping,     i->effort,      i->margin};
    for (size_t k = 0; k < sizeof least / sizeof *least; k++)
        if (!(least[k] >= 0) || !isfinite(least[k]))
            return false;
    const quat *q[2] = {&i->target.q, &i->frame};
    for (int k = 0; k < 2; k++)
        if (fabs(q[k]->w * q[k]->w + q[k]->x * q[k]->x + q[k]->y * q[k]->y + q[k]->z * q[k]->z -
                 1) > 1e-6)
            return false;
    return true;
}

static status send_impedance(body *b, const command *c, error *err) {
    const impedance *i = &c->impedance;
    if (i->arm >= b->robot->arm_count)
        return error_set(err, E_USAGE, "the robot has no arm number %zu", i->arm);
    if (!impedance_is_usable(i))
        return error_set(
            err, E_USAGE,
            "an impedance of arm %s has a negative stiffness, a quaternion that is not "
            "of unit length, or something that is no number",
            b->robot->arms[i->arm].name);
    sim_impedance springs = {.target = i->target,
                             .stiffness = i->stiffness,
                             .rotation = i->rotation,
                             .frame = i->frame,
                             .force = i->force,
                             .torque = i->torque,
                             .damping = i->damping,
                             .effort = i->effort,
                             .drawn = i->drawn,
                             .margin = i->margin,
                             .place = i->place};
    memcpy(springs.posture, i->posture, sizeof springs.posture);
    if (!b->deaf)
        sim_set_impedance(b->sim, b->own.arm + i->arm, &springs, b->cycle);
    tool_line *line = &b->tools[i->arm];
    line->follows = false;
    int64_t by = sense_operation(b->senses, use_arm(i->arm));
    bool anew = by != line->operation || !line->begun;
    status st = OK;
    if (anew) {
        st = begin_tool(b, i->arm, err);
        keyframe_pose_init(&line->keys, b->tolerance);
        line->begun = true;
        line->operation = by;
    }
    if (st == OK && (anew || v3_distance(i->force, line->force) > 0)) {
        line->force = i->force;
        st = put_tool(b, i->arm, b->now, "force", i->force, err);
    }
    keyframe_pose_key key;
    return st == OK && keyframe_pose_feed(&line->keys, b->now, &i->target, &key)
               ? put_tool(b, i->arm, key.t, "impedance", key.pose.p, err)
               : st;
}

static status send_lead(body *b, const command *c, error *err) {
    size_t arm = c->lead.arm;
    vec3 to = c->lead.to;
    if (arm >= b->robot->arm_count || !isfinite(to.x + to.y + to.z) || !(c->lead.force >= 0))
        return error_set(err, E_USAGE, "a person can lead no arm number %zu, or not so", arm);
    if (!b->deaf)
        sim_lead(b->sim, b->own.arm + arm, to, c->lead.force);
    return OK;
}

static status send_follow(body *b, const command *c, error *err) {
    size_t arm = c->follow.arm;
    if (arm >= b->robot->arm_count)
        return error_set(err, E_USAGE, "the robot has no arm number %zu", arm);
    tool_line *line = &b->tools[arm];
    if (line->follows == c->follow.on)
        return OK;
    line->follows = c->follow.on;
    line->operation = sense_operation(b->senses, use_arm(arm));
    if (!b->deaf)
        sim_hold_arm(b->sim, b->own.arm + arm); // until the first message
    status st = begin_tool(b, arm, err);
    return st == OK ? put_tool(b, arm, b->now, c->follow.on ? "follow" : "hold", v3(0, 0, 0), err)
                    : st;
}

static status send_base(body *b, const command *c, error *err) {
    if (!b->deaf)
        sim_set_base_of(b->sim, b->own.robot, c->base.vx, c->base.vy, c->base.wz);
    if (c->base.vx == b->base[0] && c->base.vy == b->base[1] && c->base.wz == b->base[2])
        return OK;
    b->base[0] = c->base.vx;
    b->base[1] = c->base.vy;
    b->base[2] = c->base.wz;
    return put_command(b, b->ids->parts.links[0], sense_operation(b->senses, USE_BASE), b->now,
                       "velocity", c->base.vx, c->base.vy, c->base.wz, err);
}

static status send_gripper(body *b, const command *c, error *err) {
    size_t arm = c->gripper.arm;
    if (arm >= b->robot->arm_count)
        return error_set(err, E_USAGE, "the robot has no arm number %zu", arm);
    gripper_command now = {true, c->gripper.close, c->gripper.opening, c->gripper.force};
    gripper_command *last = &b->grippers[arm];
    if (!b->deaf)
        sim_set_gripper(b->sim, b->own.arm + arm, now.opening, now.force, now.close);
    if (last->given && last->close == now.close && last->opening == now.opening &&
        last->force == now.force)
        return OK;
    *last = now;
    return put_command(b, b->ids->parts.hands[arm].gripper,
                       sense_operation(b->senses, use_gripper(arm)), b->now,
                       now.close ? "close" : "open", now.opening, now.force, 0, err);
}

static status body_send(void *self, const command *c, error *err) {
    body *b = self;
    switch (c->kind) {
    case COMMAND_JOINT:
        return send_joint(b, c, err);
    case COMMAND_IMPEDANCE:
        return send_impedance(b, c, err);
    case COMMAND_LEAD:
        return send_lead(b, c, err);
    case COMMAND_FOLLOW:
        return send_follow(b, c, err);
    case COMMAND_BASE:
        return send_base(b, c, err);
    case COMMAND_GRIPPER:
        return send_gripper(b, c, err);
    case COMMAND_CAMERA:
    case COMMAND_LASER: {
        sense_power(b->senses, c->kind, c->power.on);
        bool laser = c->kind == COMMAND_LASER;
        return put_command(b, laser ? b->ids->parts.laser : b->ids->parts.camera,
                           sense_operation(b->senses, laser ? USE_LASER : USE_CAMERA), b->now,
                           c->power.on ? "on" : "off", 0, 0, 0, err);
    }
    case COMMAND_POLE:
        sense_seek(b->senses, c);
        return OK;
    }
    return error_set(err, E_USAGE, "unknown kind of command: %d", (int)c->kind);
}

static bool body_next(void *self, reading *out) {
    body *b = self;
    return sense_next(b->senses, b->now, out);
}

static void body_begin(void *self, const operation *op) {
    body *b = self;
    array_push(&b->running, *op);
    sense_begin(b->senses, op);
}

static void body_end(void *self, const operation *op) {
    body *b = self;
    size_t kept = 0;
    for (size_t i = 0; i < b->running.count; i++)
        if (b->running.items[i].id != op->id)
            b->running.items[kept++] = b->running.items[i];
    b->running.count = kept;
    sense_end(b->senses, op);
}

status body_check_operations(const world_fidelity *f, error *err) {
    static const char *const names[] = {
#define ACTION(name, deadline_s, doc) #name,
#include "projector/robot/actions.def"
    };
    const size_t count = sizeof names / sizeof *names;
    for (size_t i = 0; i < f->operation_count; i++) {
        const fidelity_operation *o = &f->operations[i];
        size_t k = 0;
        while (k < count && strcmp(names[k], o->name) != 0)
            k++;
        if (k < count)
            continue;
        const char *near = nearest_name(o->name, names, count);
        return error_at(err, E_INPUT, o->at.file, o->at.line, o->at.column,
                        "no operation is called `%s`%s%s%s", o->name,
                        near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
    }
    return OK;
}

bool body_follows(const body *b, size_t arm) {
    return b->tools[arm].follows;
}

status body_drive(body *b, double speed, error *err) {
    for (size_t i = 0; i < b->running.count; i++)
        if (b->running.items[i].uses & USE_BASE)
            return OK;
    command c = {.kind = COMMAND_BASE, .base = {speed, 0, 0}};
    return send_base(b, &c, err);
}

void body_deafen(body *b) {
    b->deaf = true;
}

bool body_runs(const body *b, const char *name) {
    for (size_t i = 0; i < b->running.count; i++)
        if (strcmp(b->running.items[i].name, name) == 0)
            return true;
    return false;
}

void body_create(const robot_model *r, sim *s, sense *senses, sink *log, const recorder_ids *ids,
                 nanos cycle, double tolerance, body **out) {
    body *b = mem_must(1, sizeof *b);
    *b = (body){.robot = r,
                .sim = s,
                .own = sim_part_of(s, ids->number),
                .senses = senses,
                .log = log,
                .ids = ids,
                .cycle = cycle};
    b->face = (middleware){b, body_send, body_next, body_begin, body_end};
    b->joints = mem_must(r->joint_count + 1, sizeof *b->joints);
    b->tools = mem_must(r->arm_count + 1, sizeof *b->tools);
    b->grippers = mem_must(r->arm_count + 1, sizeof *b->grippers);
    b->tolerance = keyframe_tolerance_scaled(tolerance);
    for (size_t i = 0; i < r->joint_count; i++)
        start_joint(b, i);
    *out = b;
}

void body_destroy(body *b) {
    if (!b)
        return;
    free(b->joints);
    free(b->tools);
    free(b->grippers);
    array_finish(&b->running);
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
    for (size_t i = 0; st == OK && i < b->robot->arm_count; i++)
        st = flush_tool(b, i, err);
    return st;
}

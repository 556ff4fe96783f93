// projector/replay.c - drives the simulated robot as a recorded one moved: see replay.h.
#include "projector/replay.h"

#include <math.h>
#include <string.h>

#include "base/search.h"

// 1/s: how fast the base makes up for a place that it has not kept.
static const double BASE_GAIN = 10;

typedef struct listener {
    sink sink;
    sink *to;
    replay *replay;
} listener;

struct replay {
    const recording *from;
    listener listener;
    sink *log;
    sim *world;
    const recorder_ids *ids;
    int64_t *objects;                    // ids in this log, by number of the name, from 1
    size_t *joints;                      // of the robot, by recorded joint
    int64_t base_ids[RECORD_KINDS];      // what the recorded ids of a kind are counted from
    size_t next;                         // row
    ARRAY(const recorded_row *) running; // operations
};

// ---- Before -------------------------------------------------------------------------------------

static status refuse_joint(const recording *from, const char *name, const char *how, error *err) {
    return error_at(err, E_INPUT, from->file, 0, 0,
                    "the recorded robot and the robot of this world differ: %s has no joint `%s`",
                    how, name);
}

status replay_check(const projection_inputs *in, error *err) {
    const recording *from = in->recording;
    if (in->count != 1)
        return error_at(err, E_INPUT, from->file, 0, 0,
                        "a recording is followed by one robot alone, and this plan has %zu",
                        in->count);
    const robot_model *r = in->members[0].robot.robot;
    arena *a = arena_create();
    const char **own = arena_alloc(a, (r->joint_count + 1) * sizeof *own);
    status st = OK;
    for (size_t i = 0; i < r->joint_count; i++)
        own[i] = fleet_part_name(a, r->name, r, r->joints[i].name);
    for (size_t i = 0; st == OK && i < r->joint_count; i++)
        if (!names_hold(from->joints, from->joint_count, own[i]))
            st = refuse_joint(from, own[i], "the recorded one", err);
    for (size_t i = 0; st == OK && i < from->joint_count; i++)
        if (!names_hold(own, r->joint_count, from->joints[i]))
            st = refuse_joint(from, from->joints[i], "the one of this world", err);
    arena_destroy(a);
    return st;
}

replay *replay_create(const recording *from) {
    replay *r = mem_must(1, sizeof *r);
    r->from = from;
    r->objects = mem_must(from->object_count + 1, sizeof *r->objects);
    r->joints = mem_must(from->joint_count + 1, sizeof *r->joints);
    return r;
}

void replay_destroy(replay *r) {
    if (!r)
        return;
    free(r->objects);
    free(r->joints);
    array_finish(&r->running);
    free(r);
}

static status listener_put(sink *s, const record *rec, error *err) {
    const listener *l = (const listener *)s;
    const recording *from = l->replay->from;
    if (rec->kind == RECORD_OBJECT && rec->OBJECT.name)
        for (size_t i = 0; i < from->object_count; i++)
            if (strcmp(from->objects[i], rec->OBJECT.name) == 0)
                l->replay->objects[i + 1] = rec->id;
    return sink_put(l->to, rec, err);
}

static status listener_end(sink *s, const record *rec, error *err) {
    return sink_end(((listener *)s)->to, rec, err);
}

static status listener_commit(sink *s, nanos t, error *err) {
    return sink_commit(((listener *)s)->to, t, err);
}

static const sink_class LISTENING = {listener_put, listener_end, listener_commit};

sink *replay_listen(replay *r, sink *log) {
    r->listener = (listener){*log, log, r};
    r->listener.sink.class = &LISTENING; // ids go on where those of `log` are
    return r->log = &r->listener.sink;
}

void replay_begin(replay *r, sim *world, const recorder_ids *ids) {
    const recording *from = r->from;
    const robot_model *robot = sim_member(world, ids->number)->robot;
    r->world = world;
    r->ids = ids;
    for (size_t i = 0; i < from->joint_count; i++) {
        int64_t object = 0;
        for (size_t k = 0; !object && k < from->object_count; k++)
            if (strcmp(from->objects[k], from->joints[i]) == 0)
                object = r->objects[k + 1];
        for (size_t k = 0; k < robot->joint_count; k++)
            if (ids->parts.joints[k] == object)
                r->joints[i] = k;
    }
    for (size_t k = 0; k < RECORD_KINDS; k++) {
        r->base_ids[k] = r->log->next_id[k];
        r->log->next_id[k] += from->counts[k];
    }
}

// ---- Records ------------------------------------------------------------------------------------

// The record with the ids of this log.
static record of_this_log(const replay *r, const recorded_row *row) {
    record out = row->record;
    const record_info *info = record_describe(out.kind);
    out.id += r->base_ids[out.kind];
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *c = &info->columns[i];
        int64_t id;
        if (c->type != COLUMN_REF)
            continue;
        memcpy(&id, (char *)&out + c->offset, sizeof id);
        if (id == 0)
            continue;
        id = c->target == RECORD_OBJECT  ? r->objects[id]
             : c->target == RECORD_AGENT ? r->ids->agent
                                         : id + r->base_ids[c->target];
        memcpy((char *)&out + c->offset, &id, sizeof id);
    }
    return out;
}

static void command_gripper(const replay *r, const struct record_COMMAND *c) {
    bool close = c->mode && strcmp(c->mode, "close") == 0;
    if (!close && !(c->mode && strcmp(c->mode, "open") == 0))
        return;
    sim_part own = sim_part_of(r->world, r->ids->number);
    size_t arms = sim_member(r->world, r->ids->number)->robot->arm_count;
    for (size_t i = 0; i < arms; i++)
        if (r->ids->parts.hands[i].gripper == c->actuator)
            sim_set_gripper(r->world, own.arm + i, c->v1, c->v2, close);
}

static void note_operation(replay *r, const recorded_row *row) {
    if (!row->ends) {
        array_push(&r->running, row);
        return;
    }
    for (size_t i = 0; i < r->running.count; i++)
        if (r->running.items[i]->record.id == row->record.id) {
            array_remove(&r->running, i);
            return;
        }
}

static status put_rows(replay *r, nanos t, error *err) {
    const recording *from = r->from;
    status st = OK;
    for (; st == OK && r->next < from->row_count && from->rows[r->next].at <= t; r->next++) {
        const recorded_row *row = &from->rows[r->next];
        record now = of_this_log(r, row);
        if (now.kind == RECORD_OPERATION)
            note_operation(r, row);
        if (now.kind == RECORD_COMMAND)
            command_gripper(r, &now.COMMAND);
        st = row->ends ? sink_end(r->log, &now, err) : sink_put(r->log, &now, err);
    }
    return st;
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
static double joint_at(const replay *r, size_t joint, nanos t) {
    const recorded_posture *all = r->from->postures;
    double share;
    size_t i = item_at(all, sizeof *all, r->from->posture_count, t, &share);
    double from = all[i].positions[joint];
    return share > 0 ? from + share * (all[i + 1].positions[joint] - from) : from;
}

static recorded_base base_at(const replay *r, nanos t) {
    const recorded_base *all = r->from->bases;
    double share;
    size_t i = item_at(all, sizeof *all, r->from->base_count, t, &share);
    const recorded_base *a = &all[i], *b = share > 0 ? a + 1 : a;
    return (recorded_base){t, a->x + share * (b->x - a->x), a->y + share * (b->y - a->y),
                           a->yaw + share * (b->yaw - a->yaw)};
}

// The speed is that over two cycles either way, which the noise of single readings disturbs less.
static void send_joints(replay *r, nanos t, nanos cycle) {
    const robot_model *robot = sim_member(r->world, r->ids->number)->robot;
    size_t first = sim_part_of(r->world, r->ids->number).joint;
    nanos then = t + cycle;
    for (size_t i = 0; i < r->from->joint_count; i++) {
        size_t joint = r->joints[i];
        if (robot->joints[joint].follows)
            continue;
        double speed = (joint_at(r, i, then + 2 * cycle) - joint_at(r, i, then - 2 * cycle)) /
                       seconds(4 * cycle);
        sim_set_joint(r->world, first + joint, joint_at(r, i, then), speed, cycle);
    }
}

static void send_base(replay *r, nanos t, nanos cycle) {
    recorded_base from = base_at(r, t), to = base_at(r, t + cycle);
    pose now = sim_base_of(r->world, r->ids->number);
    double yaw = quat_yaw(now.q), gain = BASE_GAIN, dt = seconds(cycle);
    double vx = (to.x - from.x) / dt + gain * (from.x - now.p.x);
    double vy = (to.y - from.y) / dt + gain * (from.y - now.p.y);
    double turn = (to.yaw - from.yaw) / dt + gain * remainder(from.yaw - yaw, 2 * M_PI);
    sim_set_base_of(r->world, r->ids->number, cos(yaw) * vx + sin(yaw) * vy,
                    cos(yaw) * vy - sin(yaw) * vx, turn);
}

status replay_cycle(replay *r, nanos t, nanos cycle, error *err) {
    status st = put_rows(r, t, err);
    send_joints(r, t, cycle);
    send_base(r, t, cycle);
    return st;
}

status replay_finish(replay *r, nanos t, error *err) {
    return put_rows(r, t, err);
}

bool replay_ends(const replay *r, nanos t, nanos cycle) {
    return t + cycle >= r->from->end;
}

bool replay_runs(const replay *r, const char *name) {
    for (size_t i = 0; i < r->running.count; i++) {
        const char *running = r->running.items[i]->record.OPERATION.name;
        if (running && strcmp(running, name) == 0)
            return true;
    }
    return false;
}

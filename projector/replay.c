// projector/replay.c - drives the simulated robot as a recorded one moved: see replay.h.
#include "projector/replay.h"

#include <string.h>

#include "projector/recorded.h"

typedef struct listener {
    sink sink;
    sink *to;
    replay *replay;
} listener;

struct replay {
    const recording *from;
    listener listener;
    sink *log;
    recorded_robot *robot;
    const recorder_ids *ids;
    int64_t *objects;                    // ids in this log, by number of the name, from 1
    int64_t base_ids[RECORD_KINDS];      // what the recorded ids of a kind are counted from
    size_t next;                         // row
    ARRAY(const recorded_row *) running; // operations
};

// ---- Before -------------------------------------------------------------------------------------

status replay_check(const projection_inputs *in, error *err) {
    const recording *from = in->recording;
    const plan_coupling *c = in->coupled;
    if (c && c->assist)
        return error_at(err, E_INPUT, c->file, c->line, c->column,
                        "the base of a recorded robot goes where it went, and no hands drive it; "
                        "leave out assist:");
    if (c)
        return recorded_check(from, in->members[c->follower].robot.robot, err);
    if (in->count != 1)
        return error_at(err, E_INPUT, from->file, 0, 0,
                        "a recording is followed by one robot alone, and this plan has %zu, none "
                        "of which follows a station",
                        in->count);
    return recorded_check(from, in->members[0].robot.robot, err);
}

replay *replay_create(const recording *from) {
    replay *r = mem_must(1, sizeof *r);
    r->from = from;
    r->objects = mem_must(from->object_count + 1, sizeof *r->objects);
    return r;
}

void replay_destroy(replay *r) {
    if (!r)
        return;
    free(r->objects);
    recorded_destroy(r->robot);
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
    r->robot = recorded_create(from, world, ids->number);
    r->ids = ids;
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
            recorded_grip(r->robot, &row->record.COMMAND);
        st = row->ends ? sink_end(r->log, &now, err) : sink_put(r->log, &now, err);
    }
    return st;
}

status replay_cycle(replay *r, nanos t, nanos cycle, error *err) {
    status st = put_rows(r, t, err);
    recorded_move(r->robot, t, cycle);
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

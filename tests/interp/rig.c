// tests/interp/rig.c - see rig.h.
#include "tests/interp/rig.h"

#include "tests/robot_numbers.h"
#include "tests/testlib.h"
#include "projector/robot/planning/memory.h"

// ---- Sink ---------------------------------------------------------------------------------------

static record copy_record(rig *r, const record *from) {
    record to = *from;
    const record_info *info = record_describe(from->kind);
    for (size_t c = 0; c < info->column_count; c++) {
        if (info->columns[c].type != COLUMN_TEXT)
            continue;
        const char **text = (const char **)(void *)((char *)&to + info->columns[c].offset);
        if (*text)
            *text = arena_strdup(r->text, *text);
    }
    return to;
}

static status put(sink *s, const record *rec, error *err) {
    rig *r = (rig *)s;
    (void)err;
    assert_int_equal(rec->id, s->next_id[rec->kind] >= rec->id ? rec->id : -1);
    if (r->keep)
        array_push(&r->records, (kept){.r = copy_record(r, rec)});
    return OK;
}

// Ends a record: takes over its end and the columns that are marked FINAL.
static status end(sink *s, const record *rec, error *err) {
    rig *r = (rig *)s;
    (void)err;
    for (size_t k = r->records.count; k > 0; k--) {
        kept *old = &r->records.items[k - 1];
        if (old->r.kind != rec->kind || old->r.id != rec->id)
            continue;
        record with = copy_record(r, rec);
        const record_info *info = record_describe(rec->kind);
        for (size_t c = 0; c < info->column_count; c++) {
            const column_info *column = &info->columns[c];
            size_t size = column->type == COLUMN_TEXT ? sizeof(char *) : sizeof(int64_t);
            if (column->flag == COLUMN_FINAL)
                memcpy((char *)&old->r + column->offset, (char *)&with + column->offset, size);
        }
        old->ended = true;
        return OK;
    }
    return OK;
}

static status commit(sink *s, nanos t, error *err) {
    (void)s;
    (void)t;
    (void)err;
    return OK;
}

static const sink_class KEEPING = {put, end, commit};

// ---- Body ---------------------------------------------------------------------------------------

static status send(void *self, const command *c, error *err) {
    rig *r = self;
    (void)err;
    if (c->kind == COMMAND_JOINT) {
        r->q[c->joint.joint] = c->joint.position;
    } else if (c->kind == COMMAND_BASE) {
        r->vx = c->base.vx;
        r->vy = c->base.vy;
        r->wz = c->base.wz;
    }
    return OK;
}

static bool next(void *self, reading *out) {
    rig *r = self;
    if (r->sent > 1) {
        if (r->given < r->more.count) {
            *out = r->more.items[r->given++];
            out->taken = out->delivered = r->now;
            return true;
        }
        r->given = r->more.count = 0;
        return false;
    }
    *out = (reading){.taken = r->now, .delivered = r->now};
    if (r->sent++ == 0) {
        out->kind = READING_ENCODERS;
        out->encoders.count = r->robot->joint_count;
        out->encoders.position = r->q;
        out->encoders.velocity = r->q + r->robot->joint_count;
        return true;
    }
    double dt = seconds(r->mind.cycle);
    out->kind = READING_ODOMETRY;
    out->odometry.dx = r->vx * dt + r->push.p.x;
    out->odometry.dy = r->vy * dt + r->push.p.y;
    out->odometry.dyaw = r->wz * dt + quat_yaw(r->push.q);
    out->odometry.vx = r->vx;
    out->odometry.vy = r->vy;
    out->odometry.wz = r->wz;
    r->push = POSE_IDENTITY;
    return true;
}

static void begin_operation(void *self, const operation *op) {
    (void)op;
    ((rig *)self)->begun++;
}

static void end_operation(void *self, const operation *op) {
    (void)self;
    (void)op;
}

// ---- Life ---------------------------------------------------------------------------------------

static void complain(const errors *list) {
    char text[1200];
    for (size_t k = 0; k < list->count; k++) {
        error_format(&list->items[k], text, sizeof text);
        print_error("%s\n", text);
    }
    fail_msg("what the test needs cannot be loaded");
}

static void load_plan(rig *r, const char *text) {
    char *folder = testlib_folder(), *path = testlib_write(folder, "plan.yaml", text);
    errors list = {0};
    status s = plan_load(path, FORESEE_SOURCE_DIR "/plans", NULL, &r->plan, &list);
    testlib_remove(folder);
    free(path);
    if (s != OK)
        complain(&list);
    errors_finish(&list);
}

void rig_start(rig *r, const char *plan_text) {
    *r = (rig){.keep = true, .push = POSE_IDENTITY};
    r->log.class = &KEEPING;
    r->text = arena_create();
    errors list = {0};
    if (world_load(FORESEE_SOURCE_DIR "/examples/worlds/kitchen.yaml", NULL, NULL, &r->world,
                   &list) != OK ||
        robot_load(FORESEE_SOURCE_DIR "/examples/robots/two_arms.yaml", NULL, NULL, &r->robot,
                   &list) != OK)
        complain(&list);
    errors_finish(&list);
    r->known = world_known(r->world);
    r->q = calloc(2 * r->robot->joint_count + 1, sizeof *r->q);
    assert_non_null(r->q);
    memcpy(r->q, r->robot->home, r->robot->joint_count * sizeof *r->q);
    load_plan(r, plan_text);
    error err = {0};
    int64_t number = robot_ids_number(&r->parts, r->robot, 1);
    r->objects = calloc(r->known->body_count + 1, sizeof *r->objects);
    assert_non_null(r->objects);
    for (size_t k = 0; k < r->known->body_count; k++)
        r->objects[k] = number++;
    assert_int_equal(belief_create(r->known, r->robot, &r->log, 1, r->objects, 0, &r->belief, &err),
                     OK);
    r->body = (middleware){r, send, next, begin_operation, end_operation};
    r->mind = (mind){.known = r->known,
                     .robot = r->robot,
                     .belief = r->belief,
                     .body = &r->body,
                     .log = &r->log,
                     .agent = 1,
                     .seed = 1,
                     .cycle = 20000000,
                     .parts = &r->parts,
                     .known_objects = r->objects};
    assert_int_equal(interp_create(r->plan, &r->mind, 0, &r->interp, &err), OK);
}

void rig_cycles(rig *r, int count) {
    for (int k = 0; k < count; k++) {
        error err = {0};
        r->sent = 0;
        status s = interp_cycle(r->interp, r->now, &err);
        if (s != OK)
            fail_msg("the cycle broke: %s", err.text);
        r->now += r->mind.cycle;
    }
}

bool rig_ended(const rig *r, bool *done) {
    return interp_finished(r->interp, done);
}

bool rig_run(rig *r, double seconds_most) {
    bool done = false;
    nanos until = r->now + nanos_from_seconds(seconds_most);
    while (!rig_ended(r, &done)) {
        if (r->now > until)
            fail_msg("the plan has not ended after %g s", seconds_most);
        rig_cycles(r, 1);
    }
    return done;
}

void rig_stop(rig *r) {
    interp_destroy(r->interp);
    robot_forget(&r->mind);
    belief_destroy(r->belief);
    plan_destroy(r->plan);
    world_destroy(r->known);
    world_destroy(r->world);
    robot_destroy(r->robot);
    free(r->q);
    free(r->objects);
    robot_ids_finish(&r->parts);
    array_finish(&r->records);
    array_finish(&r->more);
    arena_destroy(r->text);
}

// ---- Records ------------------------------------------------------------------------------------

size_t rig_count(const rig *r, record_kind kind) {
    size_t count = 0;
    for (size_t k = 0; k < r->records.count; k++)
        count += r->records.items[k].r.kind == kind;
    return count;
}

const record *rig_record(const rig *r, record_kind kind, size_t i) {
    for (size_t k = 0; k < r->records.count; k++) {
        if (r->records.items[k].r.kind == kind && i-- == 0)
            return &r->records.items[k].r;
    }
    return NULL;
}

const record *rig_task(const rig *r, const char *dynamic_path) {
    for (size_t k = 0; k < r->records.count; k++) {
        const record *x = &r->records.items[k].r;
        if (x->kind == RECORD_TASK && strcmp(x->TASK.dynamic_path, dynamic_path) == 0)
            return x;
    }
    return NULL;
}

static char *join(rig *r, char *all, const char *next_one) {
    return all ? arena_format(r->text, "%s %s", all, next_one) : arena_strdup(r->text, next_one);
}

const char *rig_statuses(rig *r, const char *dynamic_path) {
    const record *task = rig_task(r, dynamic_path);
    char *all = NULL;
    for (size_t k = 0; task && k < r->records.count; k++) {
        const record *x = &r->records.items[k].r;
        if (x->kind == RECORD_TASK_STATUS && x->TASK_STATUS.task == task->id)
            all = join(r, all, x->TASK_STATUS.status);
    }
    return all ? all : "";
}

const char *rig_pulses(rig *r, const char *dynamic_path) {
    const record *task = rig_task(r, dynamic_path);
    char *all = NULL;
    int64_t number = 0;
    for (size_t k = 0; task && k < r->records.count; k++) {
        const record *x = &r->records.items[k].r;
        if (x->kind != RECORD_PULSE || x->PULSE.task != task->id)
            continue;
        assert_int_equal(x->PULSE.number, ++number);
        all = join(r, all, arena_format(r->text, "%g", seconds(x->PULSE.t_ns)));
    }
    return all ? all : "";
}

void rig_feel(rig *r, size_t arm, double opening) {
    reading x = {.kind = READING_GRIPPER};
    x.gripper.arm = arm;
    x.gripper.opening = opening;
    array_push(&r->more, x);
}

const char *rig_values(rig *r, const char *variable) {
    char *all = NULL;
    for (size_t k = 0; k < r->records.count; k++) {
        const record *x = &r->records.items[k].r;
        if (x->kind == RECORD_VARIABLE && strcmp(x->VARIABLE.name, variable) == 0)
            all = join(r, all, x->VARIABLE.value);
    }
    return all ? all : "";
}

const char *rig_notes(rig *r) {
    char *all = NULL;
    for (size_t k = 0; k < r->records.count; k++) {
        const record *x = &r->records.items[k].r;
        if (x->kind == RECORD_NOTE)
            all = join(r, all, x->NOTE.text);
    }
    return all ? all : "";
}

const record *rig_failure(const rig *r, const char *dynamic_path) {
    const record *task = rig_task(r, dynamic_path);
    for (size_t k = 0; task && k < r->records.count; k++) {
        const record *x = &r->records.items[k].r;
        if (x->kind == RECORD_FAILURE && x->FAILURE.task == task->id)
            return x;
    }
    return NULL;
}

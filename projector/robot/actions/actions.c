// projector/robot/actions/actions.c - the life of any action: its arguments are checked, its
// operation is recorded, it is stepped until its deadline, cancelled and freed.
#include "projector/robot/actions/action_int.h"
#include "base/symtab.h"

#include <math.h>

typedef struct argument_info {
    action_kind kind;
    const char *key;
    bool required;
} argument_info;

static const argument_info arguments[] = {
#define ARGUMENT(action, key, required, doc) {ACTION_##action, #key, required},
#include "projector/robot/actions.def"
};

static const double deadlines[] = {
#define ACTION(name, deadline_s, doc) deadline_s,
#include "projector/robot/actions.def"
};

static const struct {
    action_kind kind;
    const char *key;
    double least, most;
    const char *unit;
} limits[] = {
#define LIMIT(action, key, least, most, unit) {ACTION_##action, #key, least, most, unit},
#include "projector/robot/actions.def"
};

static const struct {
    action_kind kind;
    const char *class;
} signals[] = {
#define FAILS(action, class) {ACTION_##action, #class},
#include "projector/robot/actions.def"
};

static bool may_signal(action_kind kind, const char *class) {
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i].kind == kind && strcmp(signals[i].class, class) == 0)
            return true;
    return false;
}

static uint64_t next_occurrence(mind *m, const char *path) {
    struct robot_memory *memory = robot_remember(m);
    uint32_t index = symtab_add(memory->paths, path, strlen(path));
    if (index == memory->begun.count)
        array_push(&memory->begun, 0);
    return memory->begun.items[index]++;
}

// ---- Arguments ----------------------------------------------------------------------------------
static int64_t find_action(const char *name) {
    for (int64_t i = 0; i < ACTION_KINDS; i++)
        if (strcmp(action_names()[i], name) == 0)
            return i;
    return -1;
}

static status check_arguments(action_kind kind, const action_argument *args, size_t count,
                              error *err) {
    const size_t all = sizeof arguments / sizeof *arguments;
    const char *keys[16];
    size_t key_count = 0;
    for (size_t k = 0; k < all; k++)
        if (arguments[k].kind == kind && key_count < 16)
            keys[key_count++] = arguments[k].key;
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t k = 0; k < key_count; k++)
            known |= strcmp(keys[k], args[i].key) == 0;
        const char *near = known ? NULL : nearest_name(args[i].key, keys, key_count);
        if (!known)
            return error_set(err, E_INPUT, "%s has no argument %s%s%s", action_names()[kind],
                             args[i].key, near ? "; did you mean " : "", near ? near : "");
    }
    for (size_t k = 0; k < all; k++)
        if (arguments[k].kind == kind && arguments[k].required &&
            !action_argument_find(args, count, arguments[k].key))
            return error_set(err, E_INPUT, "%s needs the argument %s", action_names()[kind],
                             arguments[k].key);
    return OK;
}

static status find_kind(const mind *m, const char *name, const action_argument *args, size_t count,
                        action_kind *kind, unsigned *uses, size_t *arm, error *err) {
    int64_t found = find_action(name);
    if (found < 0) {
        const char *near = nearest_name(name, action_names(), ACTION_KINDS);
        return error_set(err, E_INPUT, "there is no action %s%s%s", name,
                         near ? "; did you mean " : "", near ? near : "");
    }
    *kind = (action_kind)found;
    status s = check_arguments(*kind, args, count, err);
    if (s != OK)
        return s;
    *arm = 0;
    const term *which = action_argument_find(args, count, "arm");
    if (which) {
        int64_t index = arm_named(m, which);
        if (index < 0) {
            char text[100];
            term_format(which, text, sizeof text);
            return error_set(err, E_INPUT, "%s is no arm of the robot", text);
        }
        *arm = (size_t)index;
    }
    switch (*kind) {
    case ACTION_navigate: // it may stop on the way and localise
        *uses = USE_BASE;
        if (term_is(action_argument_find(args, count, "to"), "approach", 1))
            *uses |= USE_LASER;
        break;
    case ACTION_accompany:
        *uses = USE_BASE;
        break;
    case ACTION_move_arm:
    case ACTION_reach:
    case ACTION_operate:
    case ACTION_press:
    case ACTION_guide:
    case ACTION_follow:
    case ACTION_replay:
    case ACTION_wipe:
        *uses = use_arm(*arm);
        break;
    case ACTION_move_arms:
        if (m->robot->arm_count < 2)
            return error_set(err, E_INPUT, "the robot has not two arms to move together");
        *uses = use_arm(0) | use_arm(1);
        break;
    case ACTION_move_torso:
        *uses = USE_TORSO;
        break;
    case ACTION_look_at:
        *uses = USE_HEAD;
        break;
    case ACTION_open_gripper:
    case ACTION_close_gripper:
        *uses = use_gripper(*arm);
        break;
    case ACTION_detect:
        *uses = USE_CAMERA;
        break;
    case ACTION_localise:
    case ACTION_track:
        *uses = USE_LASER;
        break;
    case ACTION_teach: // whatever moves the arm
    case ACTION_wait:
    case ACTION_KINDS:
        *uses = 0;
        break;
    }
    return OK;
}

status action_uses(const mind *m, const char *name, const action_argument *args, size_t count,
                   unsigned *out, error *err) {
    action_kind kind;
    size_t arm;
    unsigned uses;
    status s = find_kind(m, name, args, count, &kind, &uses, &arm, err);
    if (s == OK)
        *out = uses;
    return s;
}

// ---- Life ---------------------------------------------------------------------------------------
static int64_t actuator_of(const action *act) {
    const mind *m = act->m;
    switch (act->kind) {
    case ACTION_navigate:
    case ACTION_accompany:
        return m->parts->links[0];
    case ACTION_reach:
    case ACTION_move_arm:
    case ACTION_move_arms:
    case ACTION_operate:
    case ACTION_press:
    case ACTION_guide:
    case ACTION_follow:
    case ACTION_teach:
    case ACTION_replay:
    case ACTION_wipe:
    case ACTION_open_gripper:
    case ACTION_close_gripper:
        return m->parts->hands[act->arm].gripper;
    case ACTION_move_torso:
        return m->robot->torso >= 0 ? m->parts->joints[m->robot->torso] : 0;
    case ACTION_look_at:
    case ACTION_detect:
        return m->parts->camera;
    case ACTION_localise:
    case ACTION_track:
        return m->parts->laser;
    case ACTION_wait:
    case ACTION_KINDS:
        break;
    }
    return 0;
}

// A hand that is closed without being told on what is meant for what its arm was just sent to.
static const char *object_meant(const action *act) {
    char *aim = robot_remember(act->m)->aims[act->arm];
    if (act->kind == ACTION_move_arm || act->kind == ACTION_reach)
        snprintf(aim, sizeof act->object, "%s", act->object);
    const char *object = act->kind == ACTION_close_gripper && !act->object[0] ? aim : act->object;
    return object[0] ? object : NULL;
}

static status open_operation(action *act, unsigned uses, nanos t, error *err) {
    mind *m = act->m;
    record r = {.kind = RECORD_OPERATION, .id = sink_id(m->log, RECORD_OPERATION)};
    r.OPERATION.task = act->task;
    r.OPERATION.name = action_names()[act->kind];
    r.OPERATION.actuator = actuator_of(act);
    if (act->kind != ACTION_wait) {
        r.OPERATION.object = object_meant(act);
        r.OPERATION.location = act->location[0] ? act->location : NULL;
    }
    r.OPERATION.start_ns = t;
    r.OPERATION.end_ns = TIME_OPEN;
    act->op = (operation){r.id, act->path, action_names()[act->kind], uses,
                          next_occurrence(m, act->path)};
    status s = sink_put(m->log, &r, err);
    if (s == OK)
        m->body->begin(m->body->self, &act->op);
    return s;
}

static status close_operation(action *act, nanos t, error *err) {
    if (act->ended)
        return OK;
    act->ended = true;
    act->m->body->end(act->m->body->self, &act->op);
    record r = {.kind = RECORD_OPERATION, .id = act->op.id};
    r.OPERATION.end_ns = t;
    return sink_end(act->m->log, &r, err);
}

// The memory of actions that have ended is used again, so that a running plan allocates none.
static action *action_take(mind *m, action_kind kind) {
    struct robot_memory *memory = robot_remember(m);
    bool wait = kind == ACTION_wait;
    action *act;
    if (wait && memory->spare_waits.count > 0)
        act = memory->spare_waits.items[--memory->spare_waits.count];
    else if (!wait && memory->spare.count > 0)
        act = memory->spare.items[--memory->spare.count];
    else
        act = mem_must(wait ? offsetof(struct action, motion) : sizeof *act, 1);
    memset(act, 0, wait ? offsetof(struct action, failure) : sizeof *act);
    return act;
}

// The first number beyond a limit in an argument, or in a list of rows after the first of each.
static bool beyond(const term *t, double least, double most, double *x) {
    if (term_number(t, x))
        return !(*x >= least && *x <= most);
    for (; term_is(t, "[|]", 2); t = t->args[1])
        for (const term *k = t->args[0]; term_is(k, "[|]", 2); k = k->args[1])
            if (k != t->args[0] && beyond(k->args[0], least, most, x))
                return true;
    return false;
}

static status check_limits(action *act, const action_argument *args, size_t count) {
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const term *t =
            limits[i].kind == act->kind ? action_argument_find(args, count, limits[i].key) : NULL;
        double x;
        if (t && beyond(t, limits[i].least, limits[i].most, &x))
            return action_refuse(act, "designator_reference_failure", NULL,
                                 "%s of %s is from %g to %g %s, not %g", limits[i].key,
                                 action_names()[act->kind], limits[i].least, limits[i].most,
                                 limits[i].unit, x);
    }
    return OK;
}

static status begin_kind(action *act, const action_argument *args, size_t count, nanos t,
                         error *err) {
    switch (act->kind) {
    case ACTION_navigate:
        return navigate_begin(act, args, count, t, err);
    case ACTION_accompany:
        return accompany_begin(act, args, count, t);
    case ACTION_reach:
        return reach_begin(act, args, count, t);
    case ACTION_track:
        return track_begin(act, args, count);
    case ACTION_move_arm:
        return move_arm_begin(act, args, count, t, err);
    case ACTION_move_arms:
        return move_arms_begin(act, args, count, t, err);
    case ACTION_operate:
        return operate_begin(act, args, count);
    case ACTION_press:
        return press_begin(act, args, count);
    case ACTION_guide:
        return guide_begin(act, args, count);
    case ACTION_follow:
        return follow_begin(act, args, count);
    case ACTION_teach:
        return teach_begin(act, args, count);
    case ACTION_replay:
        return teach_replay_begin(act, args, count);
    case ACTION_wipe:
        return wipe_begin(act, args, count);
    case ACTION_move_torso:
        return move_torso_begin(act, args, count);
    case ACTION_look_at:
        return look_at_begin(act, args, count);
    case ACTION_open_gripper:
    case ACTION_close_gripper:
        return gripper_begin(act, args, count);
    case ACTION_detect:
    case ACTION_localise:
    case ACTION_wait:
        return sensing_begin(act, args, count);
    case ACTION_KINDS:
        break;
    }
    return OK;
}

status action_begin(mind *m, const char *name, const action_argument *args, size_t count,
                    int64_t task, const char *path, nanos t, action **out, error *err) {
    action_kind kind;
    size_t arm;
    unsigned uses;
    status s = find_kind(m, name, args, count, &kind, &uses, &arm, err);
    if (s != OK)
        return s;
    robot_remember(m);
    action *act = action_take(m, kind);
    act->m = m;
    act->kind = kind;
    act->task = task;
    act->path = path;
    act->begun = t;
    act->arm = arm;
    if (kind != ACTION_wait) {
        act->settled_since = -1;
        act->motion_begun = t;
    }
    stopwatch_start(m->planning);
    s = check_limits(act, args, count);
    if (s == OK && !act->refused)
        s = begin_kind(act, args, count, t, err);
    stopwatch_stop(m->planning);
    // The deadline of a slow motion is later.
    double most = fmax(deadlines[kind], act->moving ? 2 * act->motion.duration + 5 : 0);
    if (kind != ACTION_wait)
        most = fmax(most, 2 * act->touch.lasts + 5);
    act->deadline = t + nanos_from_seconds(fmin(most, 1e9));
    if (s == OK)
        s = open_operation(act, uses, t, err);
    if (s != OK) {
        action_free(act);
        return s;
    }
    *out = act;
    return OK;
}

static status step_kind(action *act, arena *a, nanos t, action_state *state, const term **result,
                        action_failure *failure, error *err) {
    switch (act->kind) {
    case ACTION_navigate:
        return navigate_step(act, t, state, failure, err);
    case ACTION_accompany:
        return accompany_step(act, t, state, failure, err);
    case ACTION_reach:
        return reach_step(act, t, state, failure, err);
    case ACTION_track:
        return track_step(act, a, t, state, result, failure, err);
    case ACTION_move_arm:
    case ACTION_move_arms:
    case ACTION_move_torso:
    case ACTION_look_at:
        return joints_step(act, t, state, failure, err);
    case ACTION_operate:
    case ACTION_press:
    case ACTION_wipe:
        return contact_step(act, t, state, failure, err);
    case ACTION_guide:
        return guide_step(act, t, state, err);
    case ACTION_follow:
        return follow_step(act, t, state, failure, err);
    case ACTION_teach:
        return teach_step(act, t, state);
    case ACTION_replay:
        return teach_replay_step(act, t, state, failure, err);
    case ACTION_open_gripper:
    case ACTION_close_gripper:
        return gripper_step(act, state, failure, err);
    case ACTION_detect:
    case ACTION_localise:
    case ACTION_wait:
        return sensing_step(act, a, t, state, result, failure, err);
    case ACTION_KINDS:
        break;
    }
    return OK;
}

status action_step(action *act, arena *a, nanos t, action_state *state, const term **result,
                   action_failure *failure, error *err) {
    *state = ACTION_RUNNING;
    *result = NULL;
    if (act->refused) {
        *state = ACTION_FAILED;
        *failure = act->failure;
        ASSERT(may_signal(act->kind, failure->class));
        return close_operation(act, t, err);
    }
    if (t >= act->deadline) {
        *state = ACTION_FAILED;
        *failure = (action_failure){.class = "action_timed_out"};
        snprintf(failure->reason, sizeof failure->reason, "%s did not end within %.1f s",
                 action_names()[act->kind], seconds(act->deadline - act->begun));
        return action_cancel(act, t, err);
    }
    *failure = (action_failure){0};
    status s = step_kind(act, a, t, state, result, failure, err);
    ASSERT(s != OK || *state != ACTION_FAILED || may_signal(act->kind, failure->class));
    if (s == OK && *state != ACTION_RUNNING)
        s = close_operation(act, t, err);
    return s;
}

nanos action_wakes(const action *act) {
    if (act->kind != ACTION_wait || act->refused)
        return 0;
    nanos ends = act->begun + nanos_from_seconds(fmin(act->opening, 1e9));
    // Seconds are rounded to nanoseconds; a cycle early does no harm.
    return (ends < act->deadline ? ends : act->deadline) - 1;
}

status action_read(action *act, const reading *r, error *err) {
    (void)err;
    // The belief has taken the reading already; an action follows only its gripper's openings.
    if (r->kind == READING_GRIPPER && r->gripper.arm == act->arm &&
        (act->kind == ACTION_open_gripper || act->kind == ACTION_close_gripper)) {
        const size_t most = sizeof act->openings / sizeof *act->openings;
        act->openings[act->opening_count++ % most] = r->gripper.opening;
    }
    return OK;
}

static status stop_sensor(action *act, error *err) {
    if (!act->told)
        return OK;
    act->told = false;
    command c = {.kind = act->kind == ACTION_detect ? COMMAND_CAMERA : COMMAND_LASER,
                 .power = {false}};
    return act->m->body->send(act->m->body->self, &c, err);
}

status action_cancel(action *act, nanos t, error *err) {
    if (act->ended)
        return OK;
    mind *m = act->m;
    bool drives = act->kind == ACTION_navigate || act->kind == ACTION_accompany;
    status s = stop_sensor(act, err);
    if (s == OK && act->kind == ACTION_track)
        s = track_end(act, t, err);
    if (act->kind == ACTION_teach)
        teach_end(act);
    if (s == OK && drives && act->moving) {
        // The base brakes within its limits by itself.
        command c = {.kind = COMMAND_BASE};
        s = m->body->send(m->body->self, &c, err);
    }
    if (act->moving && !drives) {
        double q[TRACK_MAX], qd[TRACK_MAX];
        trajectory_at(&act->motion, seconds(t - act->motion_begun), q, qd);
        for (size_t i = 0; i < act->motion.axes; i++)
            if (m->memory->sent[act->joints[i]])
                m->memory->brakes[act->joints[i]] =
                    (braking){true, m->memory->commanded[act->joints[i]], qd[i],
                              m->robot->joints[act->joints[i]].max_acceleration};
    }
    if (s == OK && act->kind != ACTION_wait)
        s = contact_hold(act, err);
    act->moving = false;
    status closed = close_operation(act, t, err);
    return s != OK ? s : closed;
}

void action_free(action *act) {
    if (!act)
        return;
    if (act->kind == ACTION_wait) {
        array_push(&act->m->memory->spare_waits, act);
        return;
    }
    trajectory_finish(&act->motion);
    array_finish(&act->touch.path);
    array_finish(&act->touch.postures);
    array_finish(&act->touch.taught.samples);
    array_push(&act->m->memory->spare, act);
}

status robot_cycle(mind *m, nanos t, error *err) {
    (void)t;
    struct robot_memory *memory = m->memory;
    if (!memory)
        return OK;
    double dt = seconds(m->cycle);
    for (size_t j = 0; j < m->robot->joint_count; j++) {
        braking *b = &memory->brakes[j];
        if (!b->active)
            continue;
        double less = b->acceleration * dt, before = b->velocity;
        b->velocity = fabs(before) <= less ? 0 : before - copysign(less, before);
        b->position += (before + b->velocity) / 2 * dt;
        memory->commanded[j] = b->position;
        command c = {.kind = COMMAND_JOINT, .joint = {j, b->position, b->velocity}};
        status s = m->body->send(m->body->self, &c, err);
        if (s != OK)
            return s;
        b->active = b->velocity != 0;
    }
    return OK;
}

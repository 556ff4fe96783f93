// projector/ensemble/slots.c - slots: attributes of bodies, each with one model that answers for
// it.
#include "projector/ensemble/ensemble_int.h"

static const double TOLERANCE = 1e-6; // of a value's keyframes, in its unit

const char *slots_owner_name(const conductor *c, int64_t owner) {
    return owner == MODEL_MAIN ? ENSEMBLE_MAIN : c->how->models[owner].name;
}

static bool has_failed(const conductor *c, int64_t owner) {
    return owner != MODEL_MAIN && c->players[owner].failed_at != TIME_OPEN;
}

bool slots_come_later(const ensemble_slot *what) {
    return what->is_pose || what->is_contents;
}

int64_t slots_first_owner(const conductor *c, size_t i) {
    int64_t owner = c->how->owners[i];
    if (has_failed(c, owner))
        owner = c->players[owner].what->fall_back;
    return has_failed(c, owner) ? MODEL_MAIN : owner;
}

static int64_t object_of(const conductor *c, size_t i) {
    return c->objects[c->how->slots[i].body];
}

static status put_answer(conductor *c, size_t i, nanos t, error *err) {
    slot *s = &c->slots[i];
    record r = {.kind = RECORD_RESPONSIBILITY, .id = sink_id(c->log, RECORD_RESPONSIBILITY)};
    r.RESPONSIBILITY = (struct record_RESPONSIBILITY){object_of(c, i), c->how->slots[i].attribute,
                                                      slots_owner_name(c, s->owner), t, TIME_OPEN};
    s->answer = r.id;
    return sink_put(c->log, &r, err);
}

static status put_key(conductor *c, const slot *s, const keyframe_value_key *key, error *err) {
    record r = {.kind = RECORD_ATTRIBUTE_STATE, .id = sink_id(c->log, RECORD_ATTRIBUTE_STATE)};
    r.ATTRIBUTE_STATE = (struct record_ATTRIBUTE_STATE){s->row, key->t, key->value};
    return sink_put(c->log, &r, err);
}

status slots_start(conductor *c, double tolerance, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < c->how->slot_count; i++) {
        slot *s = &c->slots[i];
        if (c->how->slots[i].signal != SIGNAL_NONE || c->how->slots[i].is_pose)
            continue; // the log has the pose and the contacts
        record r = {.kind = RECORD_ATTRIBUTE, .id = sink_id(c->log, RECORD_ATTRIBUTE)};
        r.ATTRIBUTE = (struct record_ATTRIBUTE){object_of(c, i), c->how->slots[i].attribute};
        s->row = r.id;
        s->fresh = true;
        keyframe_value_init(&s->keys, TOLERANCE * tolerance, INFINITY, NANOS_PER_SECOND);
        st = sink_put(c->log, &r, err);
        if (st == OK)
            st = put_answer(c, i, 0, err);
    }
    return st == OK ? slots_record(c, 0, err) : st;
}

// An instant has one value in the log: where it jumps at t, the new one comes a step later.
static bool holds_another(const slot *s, nanos t) {
    return s->keys.begun && s->keys.last.t == t && s->keys.last.value != s->value;
}

status slots_record(conductor *c, nanos t, error *err) {
    status st = OK;
    keyframe_value_key key;
    for (size_t i = 0; st == OK && i < c->how->slot_count; i++)
        if (c->slots[i].fresh && !holds_another(&c->slots[i], t)) {
            c->slots[i].fresh = false;
            if (keyframe_value_feed(&c->slots[i].keys, t, c->slots[i].value, &key))
                st = put_key(c, &c->slots[i], &key, err);
        }
    return st;
}

status slots_finish(conductor *c, error *err) {
    status st = OK;
    keyframe_value_key key;
    for (size_t i = 0; st == OK && i < c->how->slot_count; i++)
        if (keyframe_value_flush(&c->slots[i].keys, &key))
            st = put_key(c, &c->slots[i], &key, err);
    return st;
}

double *slots_place(const conductor *c, int64_t owner, size_t wanted) {
    const player *p = &c->players[owner];
    for (size_t i = 0; i < p->what->output_count; i++)
        if (p->what->outputs[i].slot == (int64_t)wanted)
            for (size_t k = 0; k < p->model->output_count; k++)
                if (strcmp(p->model->outputs[k].name, p->what->outputs[i].port) == 0)
                    return &p->model->out[p->model->outputs[k].at];
    return NULL;
}

bool slots_gives(const conductor *c, int64_t owner, size_t i) {
    return slots_place(c, owner, i) != NULL;
}

double slots_given(const conductor *c, size_t number, size_t i) {
    return *slots_place(c, (int64_t)number, i);
}

static pose pose_of_port(const double *place) {
    return (pose){{place[0], place[1], place[2]}, {place[3], place[4], place[5], place[6]}};
}

void slots_write(conductor *c, size_t number) {
    player *p = &c->players[number];
    for (size_t i = 0; i < c->how->slot_count; i++) {
        slot *s = &c->slots[i];
        if (s->owner != (int64_t)number || (c->how->slots[i].is_pose && !p->model->class->holds_by))
            continue;
        double *place = slots_place(c, (int64_t)number, i);
        if (c->how->slots[i].is_pose) {
            poses_draw(c, i, pose_of_port(place));
            continue;
        }
        if (s->taken != TIME_OPEN) { // this step began before it had the value
            *place = s->value;
            p->time = p->time > s->taken ? p->time : s->taken;
            s->taken = TIME_OPEN;
            continue;
        }
        if (c->how->slots[i].is_contents)
            contents_write(c, i, number);
        s->value = *place;
        s->fresh = true;
    }
    if (poses_moves(c, (int64_t)number))
        poses_write(c, number);
}

void slots_read_body(const conductor *c, size_t body, double *out) {
    if (!c->world_now)
        return;
    pose at = sim_pose(c->world_now, body);
    vec3 linear, angular;
    sim_velocity(c->world_now, body, &linear, &angular);
    const double all[MODEL_BODY_WIDTH] = {at.p.x,    at.p.y,    at.p.z,   at.q.w,   at.q.x,
                                          at.q.y,    at.q.z,    linear.x, linear.y, linear.z,
                                          angular.x, angular.y, angular.z};
    memcpy(out, all, sizeof all);
}

void slots_read(const conductor *c, size_t number) {
    const player *p = &c->players[number];
    for (size_t i = 0; i < p->what->input_count; i++) {
        const ensemble_link *link = &p->what->inputs[i];
        for (size_t k = 0; k < p->model->input_count; k++)
            if (strcmp(p->model->inputs[k].name, link->port) == 0) {
                double *in = &p->model->in[p->model->inputs[k].at];
                if (p->model->inputs[k].kind == PORT_BODY)
                    slots_read_body(c, c->how->slots[link->slot].body, in);
                else
                    *in = link->slot < 0 ? link->value : c->slots[link->slot].value;
            }
    }
}

static double signal_now(const conductor *c, const ensemble_slot *what) {
    if (what->hand)
        return hands_signal(c, what);
    const sim *s = c->world_now;
    size_t body = sim_entity_body(what->body), count;
    vec3 linear, angular;
    double value = 0;
    const sim_contact *all = sim_contacts(s, &count);
    switch (what->signal) {
    case SIGNAL_NONE:
    case SIGNAL_GRIPPER_OPENING:
    case SIGNAL_GRIPPER_FORCE:
    case SIGNAL_TOUCHES:
        break;
    case SIGNAL_HEIGHT:
        return sim_pose(s, body).p.z;
    case SIGNAL_SPEED:
        sim_velocity(s, body, &linear, &angular);
        return v3_length(linear);
    case SIGNAL_APPROACH:
        for (size_t i = 0; i < count; i++)
            if (all[i].a == body || all[i].b == body)
                value = fmax(value, all[i].approach);
        break;
    case SIGNAL_FORCE:
        for (size_t i = 0; i < count; i++)
            if (all[i].a == body || all[i].b == body)
                value += v3_length(all[i].force);
        break;
    case SIGNAL_FINGERS: // a pair has the world's body before the robot's parts
        for (size_t i = 0; i < count; i++)
            value += all[i].a == body && all[i].b >= sim_entity_palm(s, 0);
        break;
    }
    return value;
}

void slots_look(conductor *c) {
    for (size_t i = 0; c->world_now && i < c->how->slot_count; i++)
        if (c->how->slots[i].signal != SIGNAL_NONE)
            c->slots[i].value = signal_now(c, &c->how->slots[i]);
}

static void tell_responsible(const conductor *c, size_t i, bool on) {
    int64_t owner = c->slots[i].owner;
    if (owner == MODEL_MAIN)
        return;
    player *p = &c->players[owner];
    const ensemble_slot *what = &c->how->slots[i];
    if (on)
        p->owned++;
    else
        p->owned--;
    if (p->model->class->set_responsible)
        p->model->class->set_responsible(p->model, (int64_t)what->body, what->attribute, on);
}

// Why a slot cannot go to a model; NULL: it can.
static const char *refusal(conductor *c, size_t i, int64_t to) {
    if (c->slots[i].given)
        return "another trigger has given it to a model in the same step";
    if (has_failed(c, to))
        return arena_format(c->text, "`%s` failed at %g s", c->how->models[to].name,
                            seconds(c->players[to].failed_at));
    return c->how->slots[i].is_pose        ? poses_refusal(c, i, to)
           : c->how->slots[i].is_collision ? poses_pass_refusal(c, i, to)
           : c->how->slots[i].is_contents  ? contents_refusal(c, i, to)
                                           : NULL;
}

// Its new owner begins with the value that the slot has; or the slot, with what the owner has,
// `after`.
static status take_value(conductor *c, size_t i, nanos t, const double *after, error *err) {
    slot *s = &c->slots[i];
    record over = {.kind = RECORD_RESPONSIBILITY, .id = s->answer};
    over.RESPONSIBILITY.end_ns = t;
    status st = sink_end(c->log, &over, err);
    keyframe_value_key key;
    // Up to now it has kept its value, which the log has to say: what the taker gives would else
    // seem to have come about evenly since the value was told last. A jump has a step for itself.
    nanos kept = after ? t - c->step : t;
    if (st == OK && s->keys.begun && s->keys.last.t < kept &&
        keyframe_value_feed(&s->keys, kept, s->value, &key))
        st = put_key(c, s, &key, err);
    s->fresh = true;
    s->taken = TIME_OPEN;
    if (after) {
        s->value = *after;
    } else if (s->owner != MODEL_MAIN) {
        player *p = &c->players[s->owner];
        *slots_place(c, s->owner, i) = s->value;
        if (p->busy)
            s->taken = t;
        else
            p->time = t;
    }
    return st == OK ? put_answer(c, i, t, err) : st;
}

// A model that is to hold a body begins with where that is in the hand.
static void tell_place(conductor *c, size_t i, size_t number) {
    pose at = poses_in_carrier(c, i, number);
    const double all[MODEL_BODY_WIDTH] = {at.p.x, at.p.y, at.p.z, at.q.w, at.q.x, at.q.y, at.q.z};
    memcpy(slots_place(c, (int64_t)number, i), all, sizeof all);
}

static status put_switch(conductor *c, size_t i, int64_t from, int64_t to, nanos t,
                         const char *rule, const char *bound_to, const char *why, double jump,
                         error *err) {
    const ensemble_slot *what = &c->how->slots[i];
    record r = {.kind = RECORD_SWITCH, .id = sink_id(c->log, RECORD_SWITCH)};
    r.SWITCH = (struct record_SWITCH){
        .object = object_of(c, i),
        .t_ns = t,
        .rule = rule,
        .bindings = bound_to,
        .effect = arena_format(c->text, "responsible(%s, %s, %s)", slots_owner_name(c, to),
                               c->world->bodies[what->body].name, what->attribute),
        .was = slots_owner_name(c, from),
        .becomes = slots_owner_name(c, to),
        .done = why == NULL,
        .why = why,
        .jump = jump};
    return sink_put(c->log, &r, err);
}

status slots_note_unstarted(conductor *c, size_t number, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < c->how->slot_count; i++)
        if (slots_come_later(&c->how->slots[i]) && c->how->owners[i] == (int64_t)number)
            st = put_switch(c, i, (int64_t)number, slots_first_owner(c, i), 0, "on_failure", "[]",
                            NULL, 0, err);
    return st;
}

// Gives one slot to a model, or says `why` not.
static status give_slot(conductor *c, size_t i, int64_t to, nanos t, const char *rule,
                        const char *bound_to, const char *why, error *err) {
    slot *s = &c->slots[i];
    const ensemble_slot *what = &c->how->slots[i];
    bool is_pose = what->is_pose;
    bool takes_over = !is_pose && to != MODEL_MAIN && c->players[to].model->class->own_time;
    double after = what->is_collision ? to == MODEL_MAIN
                   : takes_over       ? *slots_place(c, to, i)
                                      : s->value;
    double jump = why || is_pose || what->is_collision ? 0 : fabs(after - s->value);
    status st = put_switch(c, i, s->owner, to, t, rule, bound_to, why, jump, err);
    if (st != OK || why)
        return st;
    int64_t from = s->owner;
    tell_responsible(c, i, false);
    s->owner = to;
    s->given = true;
    if (is_pose && to != MODEL_MAIN && c->players[to].model->class->holds_by)
        tell_place(c, i, (size_t)to);
    st = is_pose             ? poses_move(c, i, from, to, t, err)
         : what->is_contents ? contents_move(c, i, from, to, t, err)
                             : OK;
    if (is_pose && poses_moves(c, to))
        slots_read_body(c, what->body, slots_place(c, to, i));
    tell_responsible(c, i, true);
    if (what->is_collision)
        poses_pass(c, i, from, to);
    takes_over = takes_over || what->is_collision;
    return is_pose || st != OK ? st : take_value(c, i, t, takes_over ? &after : NULL, err);
}

status slots_give(conductor *c, size_t i, int64_t to, nanos t, const char *rule,
                  const char *bound_to, error *err) {
    if (c->slots[i].owner == to)
        return OK;
    size_t *all = arena_alloc(c->text, c->how->slot_count * sizeof *all), count = 1;
    all[0] = i;
    const char *why = refusal(c, i, to);
    if (!why && c->how->slots[i].is_pose)
        why = poses_gather(c, i, to, all, &count);
    for (size_t k = 1; !why && k < count; k++)
        why = refusal(c, all[k], to);
    status st = OK;
    for (size_t k = 0; st == OK && k < (why ? 1 : count); k++)
        st = give_slot(c, all[k], to, t, rule, bound_to, why, err);
    return st;
}

// projector/ensemble/poses.c - what it means to answer for a pose.
//
// The main model keeps the pose of every body, so that recorder, senses and contacts have one place
// to read. Who answers for the pose of one binds it: a hand-over makes, moves or ends a bond, by
// which the body keeps pose and momentum.
#include "projector/ensemble/ensemble_int.h"
#include "projector/world/bonds.h"

// Where the file has the link of a slot to the player's port.
static ensemble_place place_of(const player *p, size_t wanted) {
    for (size_t i = 0; i < p->what->output_count; i++)
        if (p->what->outputs[i].slot == (int64_t)wanted)
            return p->what->outputs[i].at;
    return p->what->at;
}

static const ensemble_setting *setting_of(const player *p, const char *name) {
    for (size_t i = 0; i < p->what->setting_count; i++)
        if (strcmp(p->what->settings[i].name, name) == 0)
            return &p->what->settings[i];
    return NULL;
}

// What a limited bond bears; a rigid one has no such setting.
static double limit_setting(const player *p, const char *name) {
    const ensemble_setting *limit = setting_of(p, name);
    return limit ? limit->number : INFINITY;
}

static bool binds(const conductor *c, size_t i) {
    return c->how->slots[i].is_pose || c->how->slots[i].is_collision;
}

// NULL: the entity is no palm.
static const robot_gripper *gripper_of(const sim *s, size_t entity) {
    const robot_model *all = sim_robots(s);
    for (size_t i = 0; i < all->arm_count; i++)
        if (sim_entity_palm(s, i) == entity)
            return &all->arms[i].gripper;
    return NULL;
}

pose poses_in_carrier(const conductor *c, size_t i, size_t number) {
    return pose_mul(pose_inverse(sim_pose(c->world_now, c->players[number].carrier)),
                    sim_pose(c->world_now, c->how->slots[i].body));
}

void poses_draw(conductor *c, size_t i, pose at) {
    if (sim_bound(c->world_now, c->how->slots[i].body)) // else it is gone
        sim_bond_move(c->world_now, c->how->slots[i].body, at);
}

status poses_start(conductor *c, error *err) {
    status st = OK;
    for (size_t i = 0; i < c->how->model_count; i++) {
        player *p = &c->players[i];
        const ensemble_setting *carrier = setting_of(p, "carrier");
        if (carrier && c->world_now && !p->what->left_out &&
            !sim_find_carrier(c->world_now, carrier->text, &p->carrier))
            return error_at(err, E_INPUT, p->what->at.file, p->what->at.line, p->what->at.column,
                            "`%s` binds to `%s`, and there is no arm and no body of that name",
                            p->what->name, carrier->text);
        if (p->model->class->holds_by && c->world_now && !p->what->left_out) {
            const robot_gripper *hand = gripper_of(c->world_now, p->carrier);
            if (!hand)
                return error_at(err, E_INPUT, p->what->at.file, p->what->at.line,
                                p->what->at.column,
                                "`%s` holds things by fingers, and `%s` is no hand: name an arm",
                                p->what->name, carrier->text);
            p->model->class->holds_by(p->model, c->world, hand);
        }
        if (setting_of(p, "seat") && p->carrier >= c->world->body_count && c->world_now)
            return error_at(err, E_INPUT, p->what->at.file, p->what->at.line, p->what->at.column,
                            "`%s` takes in what comes to `%s`: the carrier of a socket is a body "
                            "of the world, and no hand",
                            p->what->name, carrier->text);
    }
    for (size_t i = 0; c->world_now && i < c->how->slot_count; i++)
        for (size_t k = 0; binds(c, i) && k < c->how->model_count; k++) {
            const player *p = &c->players[k];
            ensemble_place at = place_of(p, i);
            if (!p->what->left_out && slots_gives(c, (int64_t)k, i) &&
                !sim_bindable(c->world_now, c->how->slots[i].body))
                return error_at(
                    err, E_INPUT, at.file, at.line, at.column,
                    "`%s` cannot be bound: it is fixed, a particle, or hangs on a joint",
                    c->world->bodies[c->how->slots[i].body].name);
        }
    for (size_t i = 0; st == OK && i < c->how->slot_count; i++) {
        int64_t owner = c->how->owners[i];
        if (c->how->slots[i].is_collision && owner != MODEL_MAIN)
            poses_pass(c, i, MODEL_MAIN, owner);
        if (!c->how->slots[i].is_pose || owner == MODEL_MAIN || !c->world_now)
            continue;
        const char *why = poses_refusal(c, i, owner);
        ensemble_place at = place_of(&c->players[owner], i);
        st = why ? error_at(err, E_INPUT, at.file, at.line, at.column,
                            "`%s` cannot own `%s` at the start: %s", c->how->models[owner].name,
                            c->how->slots[i].text, why)
                 : slots_give(c, i, owner, 0, "owns", "[]", err);
    }
    return st;
}

const char *poses_refusal(conductor *c, size_t i, int64_t to) {
    if (to == MODEL_MAIN)
        return NULL;
    for (size_t k = 0; c->players[to].model->class->holds_by && k < c->how->slot_count; k++)
        if (c->how->slots[k].is_pose && c->slots[k].owner == to)
            return arena_format(c->text, "`%s` holds %s already", c->how->models[to].name,
                                c->world->bodies[c->how->slots[k].body].name);
    return sim_bond_refusal(c->world_now, c->how->slots[i].body, c->players[to].carrier, c->text);
}

const char *poses_pass_refusal(conductor *c, size_t i, int64_t to) {
    const slot *s = &c->slots[i];
    return c->world_now && to == MODEL_MAIN
               ? sim_pass_refusal(c->world_now, c->how->slots[i].body, c->players[s->owner].carrier,
                                  c->text)
               : NULL;
}

void poses_pass(conductor *c, size_t i, int64_t from, int64_t to) {
    size_t body = c->how->slots[i].body;
    if (c->world_now && from != MODEL_MAIN)
        sim_let_pass(c->world_now, body, c->players[from].carrier, false);
    if (c->world_now && to != MODEL_MAIN)
        sim_let_pass(c->world_now, body, c->players[to].carrier, true);
}

// Where a socket wants a body that is at `now` in its frame: on its axis, upright, turned about
// it as it is.
static pose seat_of(pose now, double seat) {
    double turn = 2 * atan2(now.q.z, now.q.w);
    return (pose){v3(0, 0, seat), quat_axis_angle(v3(0, 0, 1), turn)};
}

static void make_bond(conductor *c, size_t i, size_t number) {
    const player *p = &c->players[number];
    size_t body = c->how->slots[i].body;
    const ensemble_setting *seat = setting_of(p, "seat");
    double force = limit_setting(p, "force"), torque = limit_setting(p, "torque");
    pose now = poses_in_carrier(c, i, number);
    if (seat || p->model->class->holds_by)
        sim_bind_at(c->world_now, body, p->carrier, seat ? seat_of(now, seat->number) : now, force,
                    torque);
    else
        sim_bind(c->world_now, body, p->carrier, force, torque);
}

static status end_bond(conductor *c, size_t i, nanos t, error *err) {
    sim_unbind(c->world_now, c->how->slots[i].body);
    record over = {.kind = RECORD_BOND, .id = c->slots[i].row};
    over.BOND.end_ns = t;
    return sink_end(c->log, &over, err);
}

status poses_move(conductor *c, size_t i, int64_t from, int64_t to, nanos t, error *err) {
    size_t body = c->how->slots[i].body;
    status st = from == MODEL_MAIN ? OK : end_bond(c, i, t, err);
    if (st == OK && to != MODEL_MAIN) {
        const player *p = &c->players[to];
        make_bond(c, i, (size_t)to);
        record r = {.kind = RECORD_BOND, .id = sink_id(c->log, RECORD_BOND)};
        r.BOND =
            (struct record_BOND){c->objects[body], c->objects[p->carrier], p->row, t, TIME_OPEN};
        c->slots[i].row = r.id;
        st = sink_put(c->log, &r, err);
    }
    return st == OK && c->poses.answers && sim_present(c->world_now, body)
               ? c->poses.answers(c->poses.context, body, slots_owner_name(c, to), t, err)
               : st;
}

status poses_look(conductor *c, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < c->how->slot_count; i++)
        if (c->how->slots[i].is_pose && c->slots[i].owner != MODEL_MAIN &&
            !sim_bound(c->world_now, c->how->slots[i].body)) {
            c->slots[i].given = false;
            st = slots_give(c, i, MODEL_MAIN, t, "gone", "[]", err);
        }
    return st;
}

// projector/ensemble/poses.c - what it means to answer for a pose.
//
// The main model keeps the pose of every body, so that recorder, senses and contacts have one place
// to read. Who answers for the pose of one binds it, or moves it by laws of its own. A hand-over
// makes, moves or ends a bond, or takes the body out of physics and gives it back; by all of these
// the body keeps pose and momentum.
//
// Between two models that move bodies there is no contact: bodies that touch go from one to the
// other together, and what comes to touch something of the other goes back to physics.
#include "projector/ensemble/ensemble_int.h"
#include "projector/world/bonds.h"
#include "projector/world/drive.h"

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
        int64_t owner = slots_first_owner(c, i);
        if (c->how->slots[i].is_collision && owner != MODEL_MAIN)
            poses_pass(c, i, MODEL_MAIN, owner);
        if (!c->how->slots[i].is_pose || owner == MODEL_MAIN || !c->world_now ||
            c->slots[i].owner == owner)
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

bool poses_moves(const conductor *c, int64_t number) {
    return number != MODEL_MAIN && c->players[number].model->class->moves;
}

const char *poses_refusal(conductor *c, size_t i, int64_t to) {
    if (to == MODEL_MAIN || !c->world_now)
        return NULL;
    if (poses_moves(c, to))
        return sim_drive_refusal(c->world_now, c->how->slots[i].body, c->text);
    for (size_t k = 0; c->players[to].model->class->holds_by && k < c->how->slot_count; k++)
        if (c->how->slots[k].is_pose && c->slots[k].owner == to)
            return arena_format(c->text, "`%s` holds %s already", c->how->models[to].name,
                                c->world->bodies[c->how->slots[k].body].name);
    return sim_bond_refusal(c->world_now, c->how->slots[i].body, c->players[to].carrier, c->text);
}

// The slot of the pose of a body; -1: no model gives it.
static int64_t pose_slot(const conductor *c, size_t body) {
    for (size_t i = 0; i < c->how->slot_count; i++)
        if (c->how->slots[i].is_pose && c->how->slots[i].body == body)
            return (int64_t)i;
    return -1;
}

static bool holds_slot(const size_t *all, size_t count, int64_t wanted) {
    for (size_t i = 0; i < count; i++)
        if ((int64_t)all[i] == wanted)
            return true;
    return false;
}

const char *poses_gather(conductor *c, size_t i, int64_t to, size_t *all, size_t *count) {
    int64_t from = c->slots[i].owner;
    size_t touching = 0;
    all[0] = i;
    *count = 1;
    if (!c->world_now || (!poses_moves(c, from) && !poses_moves(c, to)))
        return NULL;
    const sim_contact *contacts = sim_contacts(c->world_now, &touching);
    for (size_t k = 0; k < *count; k++) {
        size_t body = c->how->slots[all[k]].body;
        for (size_t n = 0; n < touching; n++) {
            if (contacts[n].a != body && contacts[n].b != body)
                continue;
            size_t other = contacts[n].a == body ? contacts[n].b : contacts[n].a;
            bool of_world = other < c->world->body_count;
            if (of_world && c->world->bodies[other].fixed)
                continue;
            int64_t its = of_world ? pose_slot(c, other) : -1;
            bool along = its >= 0 && (poses_moves(c, to) ? slots_gives(c, to, (size_t)its)
                                                         : c->slots[its].owner == from);
            if (along && !holds_slot(all, *count, its))
                all[(*count)++] = (size_t)its;
            else if (!along && poses_moves(c, to))
                return arena_format(c->text, "%s touches %s, for which `%s` cannot answer",
                                    c->world->bodies[body].name,
                                    sim_entity_name(c->world_now, other), c->how->models[to].name);
        }
    }
    return NULL;
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

void poses_write(conductor *c, size_t number) {
    const model *m = c->players[number].model;
    bool any = false;
    for (size_t i = 0; c->world_now && i < c->how->slot_count; i++) {
        size_t body = c->how->slots[i].body;
        if (!c->how->slots[i].is_pose || c->slots[i].owner != (int64_t)number ||
            !sim_driven(c->world_now, body))
            continue;
        const double *x = slots_place(c, (int64_t)number, i);
        sim_drive_to(c->world_now, body, (pose){{x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}},
                     v3(x[7], x[8], x[9]), v3(x[10], x[11], x[12]));
        any = true;
    }
    size_t count = 0;
    const sim_contact *contacts = any ? m->class->contacts(m, &count) : NULL;
    if (any)
        sim_drive_contacts(c->world_now, number, contacts, count);
}

status poses_move(conductor *c, size_t i, int64_t from, int64_t to, nanos t, error *err) {
    size_t body = c->how->slots[i].body;
    status st = OK;
    if (poses_moves(c, from))
        sim_drive_end(c->world_now, body);
    else if (from != MODEL_MAIN)
        st = end_bond(c, i, t, err);
    if (st == OK && poses_moves(c, to)) {
        sim_drive_begin(c->world_now, body);
    } else if (st == OK && to != MODEL_MAIN) {
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

// Why a pose that a model answers for goes back to physics now: the rule, and what it is bound to.
static const char *returns_by(conductor *c, size_t i, const char **bound_to) {
    size_t body = c->how->slots[i].body;
    *bound_to = "[]";
    if (!poses_moves(c, c->slots[i].owner))
        return sim_bound(c->world_now, body) ? NULL : "gone";
    size_t met = sim_drive_meets(c->world_now, body);
    if (met == SIZE_MAX)
        return NULL;
    const term *name = term_symbol(c->text, sim_entity_name(c->world_now, met));
    *bound_to = term_text(c->text, term_list(c->text, &name, 1, NULL));
    return "touched";
}

status poses_look(conductor *c, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < c->how->slot_count; i++) {
        const char *bound_to;
        const char *rule = c->how->slots[i].is_pose && c->slots[i].owner != MODEL_MAIN
                               ? returns_by(c, i, &bound_to)
                               : NULL;
        if (!rule)
            continue;
        c->slots[i].given = false;
        st = slots_give(c, i, MODEL_MAIN, t, rule, bound_to, err);
    }
    return st;
}

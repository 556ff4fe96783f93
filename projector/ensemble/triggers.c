// projector/ensemble/triggers.c - what reconfigures the ensemble while it runs.
#include "projector/ensemble/ensemble_int.h"

static bool was_told(const conductor *c, size_t number) {
    const ensemble_trigger *x = &c->how->triggers[number];
    for (size_t i = 0; i < c->told.count; i++) {
        const told_event *e = &c->told.items[i];
        if (x->kind == TRIGGER_OPERATION
                ? e->model == MODEL_MAIN && strcmp(e->name, x->operation) == 0 &&
                      (c->actuators[number] == 0 || c->actuators[number] == e->object)
                : e->model == x->model && strcmp(e->name, x->event) == 0)
            return true;
    }
    return false;
}

// Whether something wakes the trigger in this step; a comparison wakes it when it begins to hold.
static bool is_woken(conductor *c, size_t i) {
    const ensemble_trigger *x = &c->how->triggers[i];
    if (x->kind != TRIGGER_VALUE)
        return was_told(c, i);
    bool held = c->held[i];
    c->held[i] = evaluators_hold(c, &x->value, NULL);
    return c->held[i] && !held;
}

static status send(conductor *c, const ensemble_trigger *x, nanos t, error *err) {
    player *to = &c->players[x->to];
    model_event e = {x->send, -1};
    const char *why = NULL;
    slots_read(c, (size_t)x->to);
    if (to->failed_at != TIME_OPEN)
        why = "it has failed";
    else if (!to->model->class->receive || !to->model->class->receive(to->model, t, &e))
        why = "it knows no such event";
    return player_note(c, to, t, why ? "refused" : "received", x->send, 0, x->name, why, err);
}

bool triggers_look_at(const conductor *c, size_t number) {
    for (size_t i = 0; i < c->how->trigger_count; i++) {
        const ensemble_trigger *x = &c->how->triggers[i];
        if (x->kind == TRIGGER_VALUE && (evaluators_read(c, x->value.left, number) ||
                                         evaluators_read(c, x->value.right, number)))
            return true;
    }
    return false;
}

bool triggers_would_wake(conductor *c, size_t number) {
    bool wakes = false;
    double *before = mem_must(c->how->slot_count + 1, sizeof *before);
    for (size_t i = 0; i < c->how->slot_count; i++) {
        before[i] = c->slots[i].value;
        if (c->slots[i].owner == (int64_t)number && !c->how->slots[i].is_pose)
            c->slots[i].value = slots_given(c, number, i);
    }
    for (size_t i = 0; i < c->how->trigger_count && !wakes; i++)
        wakes = c->how->triggers[i].kind == TRIGGER_VALUE && !c->held[i] &&
                evaluators_hold(c, &c->how->triggers[i].value, NULL);
    for (size_t i = 0; i < c->how->slot_count; i++)
        c->slots[i].value = before[i];
    free(before);
    return wakes;
}

// The names of the bodies that a trigger's variables are bound to, as a list.
static const char *bindings_text(conductor *c, const ensemble_trigger *x,
                                 const found_bodies *found) {
    const term *names[ENSEMBLE_VARIABLES_MAX];
    for (size_t i = 0; i < x->variable_count; i++)
        names[i] = term_symbol(c->text,
                               found->body[i] < 0 ? "none" : c->world->bodies[found->body[i]].name);
    return term_text(c->text, term_list(c->text, names, x->variable_count, NULL));
}

// The slot of the body that a trigger has found; -1: it is none.
static int64_t found_slot(const conductor *c, const ensemble_trigger *x,
                          const found_bodies *found) {
    for (size_t i = 0; i < c->how->slot_count; i++)
        if ((int64_t)c->how->slots[i].body == found->body[x->give_variable] &&
            strcmp(c->how->slots[i].attribute, x->give_attribute) == 0)
            return (int64_t)i;
    return -1;
}

static status give(conductor *c, const ensemble_trigger *x, const found_bodies *found, nanos t,
                   error *err) {
    int64_t given = x->give_attribute ? found_slot(c, x, found) : x->give;
    if (given >= 0 && (x->to == MODEL_MAIN || slots_gives(c, x->to, (size_t)given)))
        return slots_give(c, (size_t)given, x->to, t, x->name, bindings_text(c, x, found), err);
    if (x->to == MODEL_MAIN) // it answers for what no model gives
        return OK;
    const char *body = c->world->bodies[found->body[x->give_variable]].name;
    return player_note(
        c, &c->players[x->to], t, "refused", NULL, c->objects[found->body[x->give_variable]],
        x->name, arena_format(c->text, "%s(%s) is not among its outputs", x->give_attribute, body),
        err);
}

status triggers_act(conductor *c, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; i < c->how->slot_count; i++)
        c->slots[i].given = false;
    for (size_t i = 0; st == OK && i < c->how->trigger_count; i++) {
        const ensemble_trigger *x = &c->how->triggers[i];
        found_bodies found;
        memset(&found, -1, sizeof found);
        bool acts = is_woken(c, i);
        for (size_t k = 0; acts && k < x->condition_count; k++)
            acts = evaluators_hold(c, &x->conditions[k], &found);
        if (acts)
            st = x->send ? send(c, x, t, err) : give(c, x, &found, t, err);
    }
    c->told.count = 0;
    return st == OK ? slots_record(c, t, err) : st;
}

// projector/ensemble/triggers.c - what reconfigures the ensemble while it runs.
#include "projector/ensemble/ensemble_int.h"

static bool compare(const conductor *c, const ensemble_comparison *with) {
    double v = c->slots[with->slot].value;
    bool holds = with->how == LESS         ? v < with->value
                 : with->how == LESS_EQUAL ? v <= with->value
                 : with->how == GREATER    ? v > with->value
                                           : v >= with->value;
    return holds != with->negated;
}

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
    c->held[i] = compare(c, &x->value);
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

status triggers_act(conductor *c, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; i < c->how->slot_count; i++)
        c->slots[i].given = false;
    for (size_t i = 0; st == OK && i < c->how->trigger_count; i++) {
        const ensemble_trigger *x = &c->how->triggers[i];
        bool acts = is_woken(c, i);
        for (size_t k = 0; acts && k < x->condition_count; k++)
            acts = compare(c, &x->conditions[k]);
        if (!acts)
            continue;
        st = x->send ? send(c, x, t, err) : slots_give(c, (size_t)x->give, x->to, t, x->name, err);
    }
    c->told.count = 0;
    return st == OK ? slots_record(c, t, err) : st;
}

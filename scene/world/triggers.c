// scene/world/triggers.c - triggers of the section `ensemble`, and what a re-run leaves out of it.
#include "scene/world/ensemble_int.h"

// ---- Triggers -----------------------------------------------------------------------------------

static void read_on(ensemble_reading *r, const ynode *n, ensemble_trigger *out) {
    loading *l = &r->w->l;
    const term *t;
    if (!ynode_term(l->arena, n, "on", &t, l->list))
        return;
    bool symbols = t->kind == TERM_COMPOUND && t->args[0]->kind == TERM_SYMBOL &&
                   (t->arity < 2 || t->args[1]->kind == TERM_SYMBOL);
    out->on_text = term_text(l->arena, t);
    if (symbols && (term_is(t, "operation", 1) || term_is(t, "operation", 2))) {
        out->kind = TRIGGER_OPERATION;
        out->operation = arena_strdup(l->arena, t->args[0]->text);
        out->actuator = t->arity == 2 ? arena_strdup(l->arena, t->args[1]->text) : NULL;
    } else if (symbols && term_is(t, "event", 2)) {
        out->kind = TRIGGER_EVENT;
        out->event = arena_strdup(l->arena, t->args[1]->text);
        if (ensemble_find_model(r, n, t->args[0]->text, &out->model) && out->model == MODEL_MAIN)
            ynode_error(n, l->list, "the main model tells no events");
    } else if (ensemble_is_comparison(t)) {
        out->kind = TRIGGER_VALUE;
        ensemble_read_comparison(r, n, t, &out->value);
    } else {
        ynode_error(n, l->list,
                    "`on` is operation(NAME), operation(NAME, ACTUATOR), event(MODEL, NAME) or a "
                    "comparison such as temperature(cup_1) < 310");
    }
}

// A slot of the body that a variable is bound to: which one is known when the trigger acts.
static void read_bound_slot(ensemble_reading *r, const ynode *n, const term *t,
                            ensemble_trigger *out) {
    const char *name = t->args[0]->text;
    size_t i = 0;
    while (i < out->variable_count && strcmp(out->variables[i], name) != 0)
        i++;
    bool any = false;
    for (size_t k = 0; k < r->slots.count; k++)
        any = any ||
              (strcmp(r->slots.items[k].attribute, t->text) == 0 &&
               r->slots.items[k].signal == SIGNAL_NONE &&
               (out->to == MODEL_MAIN || ensemble_gives(&r->models.items[out->to], (int64_t)k)));
    if (i == out->variable_count)
        ynode_error(n, r->w->l.list, "nothing under `if` says which body `%s` is", name);
    else if (!any)
        ynode_error(n, r->w->l.list, "`%s` of no body is among the `outputs` of %s", t->text,
                    out->to == MODEL_MAIN ? "a model" : r->models.items[out->to].name);
    out->give_attribute = arena_strdup(r->w->l.arena, t->text);
    out->give_variable = (int64_t)i;
}

static void read_effect(ensemble_reading *r, const ynode *n, ensemble_trigger *t) {
    loading *l = &r->w->l;
    const ynode *give = ynode_get(n, "give"), *to = ynode_get(n, "to");
    const char *name = NULL;
    if (!give == !ynode_get(n, "send") || !to) {
        ynode_error(n, l->list,
                    "a trigger has one effect: `give: ATTRIBUTE(BODY)` or `send: EVENT`, and the "
                    "model `to` which it goes");
        return;
    }
    bool found = read_text(l, n, "to", &name) && ensemble_find_model(r, to, name, &t->to);
    if (!give) {
        read_text(l, n, "send", &t->send);
        if (found && t->to == MODEL_MAIN)
            ynode_error(to, l->list, "the main model takes no events");
        return;
    }
    const term *what;
    if (!ynode_term(l->arena, give, "give", &what, l->list))
        return;
    if (what->kind == TERM_COMPOUND && what->arity == 1 && what->args[0]->kind == TERM_VAR) {
        if (found)
            read_bound_slot(r, give, what, t);
        return;
    }
    t->give = ensemble_find_slot(r, give, what, false);
    if (t->give >= 0 && r->slots.items[t->give].signal != SIGNAL_NONE)
        ynode_error(give, l->list, "`%s` always belongs to the main model",
                    r->slots.items[t->give].text);
    else if (found && t->give >= 0 && t->to >= 0 &&
             !ensemble_gives(&r->models.items[t->to], t->give))
        ynode_error(to, l->list, "`%s` cannot take `%s`: it is not among its `outputs`", name,
                    r->slots.items[t->give].text);
}

void ensemble_read_trigger(ensemble_reading *r, const ynode *n) {
    loading *l = &r->w->l;
    ensemble_trigger t = {.give = -1, .to = MODEL_MAIN};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list,
                    "a trigger is a mapping such as { name: N, on: \"EVENT\", give: "
                    "\"ATTRIBUTE(BODY)\", to: MODEL }");
        return;
    }
    t.at = ensemble_place_of(n);
    keys_check(n, MAP_TRIGGER, l->list);
    const ynode *name = ynode_get(n, "name"), *on = ynode_get(n, "on"), *when = ynode_get(n, "if");
    if (!name)
        ynode_missing(n, l->list, "the trigger needs a `name`");
    else if (ynode_text(name, "name", &t.name, l->list))
        name_check(l, name, "trigger", t.name);
    for (size_t i = 0; t.name && i < r->triggers.count; i++)
        if (r->triggers.items[i].name && strcmp(r->triggers.items[i].name, t.name) == 0)
            ynode_error(name, l->list, "there is a trigger `%s` already", t.name);
    if (on)
        read_on(r, on, &t);
    else
        ynode_missing(n, l->list, "the trigger needs `on`, which says when it acts");
    const term *goal;
    if (when && ynode_term(l->arena, when, "if", &goal, l->list))
        ensemble_read_conditions(r, when, goal, &t, &t.conditions, &t.condition_count);
    read_effect(r, n, &t);
    array_push(&r->triggers, t);
}

// ---- What a re-run leaves out -------------------------------------------------------------------

void ensemble_drop_trigger(arena *a, world_ensemble *e, size_t trigger) {
    ensemble_trigger *kept = ensemble_moved(a, e->triggers, e->trigger_count, sizeof *kept);
    memmove(kept + trigger, kept + trigger + 1, (e->trigger_count - trigger - 1) * sizeof *kept);
    e->triggers = kept;
    e->trigger_count--;
}

static int64_t without(int64_t model, size_t gone) {
    return model == (int64_t)gone ? MODEL_MAIN : model;
}

void ensemble_drop_model(arena *a, world_ensemble *e, size_t gone) {
    for (size_t i = e->trigger_count; i-- > 0;) {
        const ensemble_trigger *t = &e->triggers[i];
        if (t->to == (int64_t)gone || (t->kind == TRIGGER_EVENT && t->model == (int64_t)gone))
            ensemble_drop_trigger(a, e, i);
    }
    ensemble_model *models = ensemble_moved(a, e->models, e->model_count, sizeof *models);
    models[gone].left_out = true;
    for (size_t i = 0; i < e->model_count; i++) {
        ensemble_model *m = &models[i];
        int64_t *after = ensemble_moved(a, m->after, m->after_count, sizeof *after);
        size_t kept = 0;
        for (size_t k = 0; k < m->after_count; k++)
            if (m->after[k] != (int64_t)gone)
                after[kept++] = m->after[k];
        m->after = after;
        m->after_count = kept;
        m->fall_back = without(m->fall_back, gone);
    }
    int64_t *owners = ensemble_moved(a, e->owners, e->slot_count, sizeof *owners);
    for (size_t i = 0; i < e->slot_count; i++)
        owners[i] = without(owners[i], gone);
    e->models = models;
    e->owners = owners;
}

// scene/world/triggers.c - triggers of the section `ensemble`, and what a re-run leaves out of it.
#include "scene/world/ensemble_int.h"

// ---- Triggers -----------------------------------------------------------------------------------

static bool is_comparison(const term *t) {
    static const char *const signs[] = {"<", "<=", ">", ">="};
    for (size_t i = 0; i < 4; i++)
        if (term_is(t, signs[i], 2))
            return true;
    return false;
}

static bool read_comparison(ensemble_reading *r, const ynode *n, const term *t,
                            ensemble_comparison *out) {
    out->how = t->text[0] == '<' ? t->text[1] ? LESS_EQUAL : LESS
               : t->text[1]      ? GREATER_EQUAL
                                 : GREATER;
    out->slot = ensemble_find_slot(r, n, t->args[0], false);
    if (out->slot < 0)
        return false;
    if (r->slots.items[out->slot].is_pose) {
        ynode_error(n, r->w->l.list,
                    "`%s` is no number: compare height, speed, approach, force or fingers of the "
                    "body",
                    r->slots.items[out->slot].text);
        return false;
    }
    if (!term_number(t->args[1], &out->value)) {
        ynode_error(n, r->w->l.list, "`%s` is compared with a number",
                    r->slots.items[out->slot].text);
        return false;
    }
    return true;
}

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
    } else if (is_comparison(t)) {
        out->kind = TRIGGER_VALUE;
        read_comparison(r, n, t, &out->value);
    } else {
        ynode_error(n, l->list,
                    "`on` is operation(NAME), operation(NAME, ACTUATOR), event(MODEL, NAME) or a "
                    "comparison such as temperature(cup_1) < 310");
    }
}

typedef ARRAY(ensemble_comparison) comparisons;

static void read_if(ensemble_reading *r, const ynode *n, const term *t, bool negated,
                    comparisons *out) {
    ensemble_comparison c = {.negated = negated};
    if (term_is(t, ",", 2) && !negated) {
        read_if(r, n, t->args[0], false, out);
        read_if(r, n, t->args[1], false, out);
    } else if (term_is(t, "not", 1)) {
        read_if(r, n, t->args[0], !negated, out);
    } else if (is_comparison(t)) {
        if (read_comparison(r, n, t, &c))
            array_push(out, c);
    } else {
        char text[200];
        term_format(t, text, sizeof text);
        ynode_error(n, r->w->l.list,
                    "`%s` is no condition: compare an attribute with a number, such as "
                    "temperature(cup_1) < 310",
                    text);
    }
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
    t->give = ensemble_read_slot(r, give, "give", false);
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
    comparisons conditions = {0};
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
        ynode_error(n, l->list, "the trigger needs a `name`");
    else if (ynode_text(name, "name", &t.name, l->list))
        name_check(l, name, "trigger", t.name);
    for (size_t i = 0; t.name && i < r->triggers.count; i++)
        if (r->triggers.items[i].name && strcmp(r->triggers.items[i].name, t.name) == 0)
            ynode_error(name, l->list, "there is a trigger `%s` already", t.name);
    if (on)
        read_on(r, on, &t);
    else
        ynode_error(n, l->list, "the trigger needs `on`, which says when it acts");
    const term *goal;
    if (when && ynode_term(l->arena, when, "if", &goal, l->list))
        read_if(r, when, goal, false, &conditions);
    t.conditions =
        ensemble_moved(l->arena, conditions.items, conditions.count, sizeof *conditions.items);
    t.condition_count = conditions.count;
    array_finish(&conditions);
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

// The number of a model once another is gone, with the main one in its place.
static int64_t renumbered(int64_t model, size_t gone) {
    return model == (int64_t)gone ? MODEL_MAIN : model > (int64_t)gone ? model - 1 : model;
}

void ensemble_drop_model(arena *a, world_ensemble *e, size_t gone) {
    for (size_t i = e->trigger_count; i-- > 0;) {
        const ensemble_trigger *t = &e->triggers[i];
        if (t->to == (int64_t)gone || (t->kind == TRIGGER_EVENT && t->model == (int64_t)gone))
            ensemble_drop_trigger(a, e, i);
    }
    ensemble_trigger *triggers = ensemble_moved(a, e->triggers, e->trigger_count, sizeof *triggers);
    for (size_t i = 0; i < e->trigger_count; i++) {
        triggers[i].to = renumbered(triggers[i].to, gone);
        triggers[i].model = renumbered(triggers[i].model, gone);
    }
    ensemble_model *models = ensemble_moved(a, e->models, e->model_count, sizeof *models);
    memmove(models + gone, models + gone + 1, (e->model_count - gone - 1) * sizeof *models);
    e->model_count--;
    for (size_t i = 0; i < e->model_count; i++)
        models[i].fall_back = renumbered(models[i].fall_back, gone);
    int64_t *owners = ensemble_moved(a, e->owners, e->slot_count, sizeof *owners);
    for (size_t i = 0; i < e->slot_count; i++)
        owners[i] = renumbered(owners[i], gone);
    e->triggers = triggers;
    e->models = models;
    e->owners = owners;
}

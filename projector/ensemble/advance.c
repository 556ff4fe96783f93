// projector/ensemble/advance.c - one step of one model: when it begins, how long it is, what comes
// of it.
#include "projector/ensemble/ensemble_int.h"

enum { BISECTIONS_MAX = 8 };

// Where the bodies are that a model moves, for people.
static const char *bodies_text(conductor *c, const player *p) {
    const char *text = "";
    for (size_t i = 0; c->world_now && i < c->how->slot_count; i++) {
        if (c->slots[i].owner != p - c->players || !c->how->slots[i].is_pose)
            continue;
        size_t body = c->how->slots[i].body;
        vec3 at = sim_pose(c->world_now, body).p;
        text = arena_format(c->text, "%s%s%s at (%.6g, %.6g, %.6g) m", text, *text ? ", " : "",
                            c->world->bodies[body].name, at.x, at.y, at.z);
    }
    return *text ? text : "none";
}

// The inputs of a model as they were last, for people: one that moves bodies goes on from where
// they are.
static const char *inputs_text(conductor *c, const player *p) {
    const char *text = "";
    if (p->model->class->moves)
        return bodies_text(c, p);
    for (size_t i = 0; i < p->model->input_count; i++) {
        const model_port *port = &p->model->inputs[i];
        const double *in = &p->model->in[port->at];
        const char *comma = *text ? ", " : "";
        text = port->kind == PORT_BODY
                   ? arena_format(c->text, "%s%s%s at (%.6g, %.6g, %.6g) m", text, comma,
                                  port->name, in[0], in[1], in[2])
                   : arena_format(c->text, "%s%s%s = %.9g", text, comma, port->name, *in);
    }
    return *text ? text : "none";
}

static bool is_finite(const model *m) {
    for (size_t i = 0; i < m->output_count; i++)
        for (size_t k = 0; k < model_port_width(m->outputs[i].kind); k++)
            if (!isfinite(m->out[m->outputs[i].at + k]))
                return false;
    return true;
}

status player_fail(conductor *c, size_t number, nanos t, const char *why, error *err) {
    player *p = &c->players[number];
    const char *sentence =
        arena_format(c->text, "the model `%s` failed at %g s: %s; its last inputs: %s",
                     p->what->name, seconds(t), why, inputs_text(c, p));
    p->failed_at = t;
    status st = player_note(c, p, t, "failed", NULL, 0, NULL, sentence, err);
    if (st != OK)
        return st;
    if (!p->what->falls_back)
        return error_set(err, E_DIVERGED, "%s", sentence);
    for (size_t i = 0; st == OK && i < c->how->slot_count; i++)
        if (c->slots[i].owner == (int64_t)number) {
            c->slots[i].given = false;
            st = slots_give(c, i, p->what->fall_back, t, "on_failure", "[]", err);
            if (st == OK && c->slots[i].owner == (int64_t)number)
                st = slots_give(c, i, MODEL_MAIN, t, "on_failure", "[]", err);
        }
    return st;
}

bool player_due(const player *p, nanos t) {
    return p->failed_at == TIME_OPEN && !p->what->left_out &&
           (p->owned > 0 || p->what->output_count == 0 || p->model->class->own_time ||
            p->model->class->looks_on) &&
           (t % p->what->every == 0 || (p->cut && t >= p->ready));
}

// Steps a model over `length`, and takes it back to `state`. *wakes: a trigger is woken by what it
// gives then.
static status try_step(conductor *c, size_t number, nanos length, const void *state, size_t size,
                       bool *wakes, error *why) {
    player *p = &c->players[number];
    model *m = p->model;
    status st = model_step(m, p->time, length, why);
    *wakes = st == OK && triggers_would_wake(c, number);
    m->events.count = 0;
    // A step that fails does so again when it is made.
    return m->class->restore(m, state, size, st == OK ? why : NULL);
}

// Ends a step where it wakes a trigger: the main model goes on meanwhile, so that this is found out
// before. Inputs are as they will be, since they hold over the step.
static status cut_step(conductor *c, size_t number, error *why) {
    player *p = &c->players[number];
    model *m = p->model;
    void *state = NULL;
    size_t size = 0;
    bool wakes = false;
    status st = m->class->save(m, &state, &size, why);
    if (st == OK)
        st = try_step(c, number, p->length, state, size, &wakes, why);
    nanos before = 0, by = p->length; // a trigger is woken after the one, and by the other
    for (int i = 0; st == OK && wakes && i < BISECTIONS_MAX && by - before > c->step; i++) {
        bool early = false;
        nanos middle = before + (by - before) / 2 / c->step * c->step;
        st = try_step(c, number, middle, state, size, &early, why);
        if (early)
            by = middle;
        else
            before = middle;
    }
    free(state);
    p->length = by;
    return st;
}

static bool can_be_cut(const conductor *c, const player *p) {
    return p->what->stepping == STEPPING_SERVICE && p->length > c->step && p->owned > 0 &&
           p->model->class->save && (!p->model->class->keeps || p->model->class->keeps(p->model)) &&
           triggers_look_at(c, (size_t)(p - c->players));
}

// Begins the step for good.
static status begin_step(conductor *c, size_t number, nanos t, error *err) {
    player *p = &c->players[number];
    error why = {0};
    status st = OK;
    slots_read(c, number);
    p->busy = true;
    if (can_be_cut(c, p)) {
        nanos whole = p->length;
        st = cut_step(c, number, &why);
        p->cut = p->length < whole;
        p->ready = p->time + p->length;
    }
    if (st == OK)
        st = model_post(p->model, p->time, p->length, &why);
    if (st == OK)
        return OK;
    p->busy = false;
    return player_fail(c, number, t, why.text, err);
}

status player_post(conductor *c, size_t number, nanos t, error *err) {
    player *p = &c->players[number];
    nanos every = p->what->every;
    if (p->busy)
        return player_note(c, p, t, "skipped", NULL, 0, NULL, NULL, err);
    p->cut = false;
    switch (p->what->stepping) {
    case STEPPING_SERVICE: // the results of a step are there at its end
        p->time = t;
        p->length = every - t % every;
        p->ready = t + p->length;
        break;
    case STEPPING_CLOCK: // it catches up with the clock, and needs its time for it
        p->length = t - p->time;
        p->ready = t + p->what->cost;
        break;
    case STEPPING_FREE:
        p->time = t;
        p->length = 0;
        p->ready = t;
        break;
    }
    if (p->what->stepping == STEPPING_CLOCK && p->length == 0)
        return OK;
    p->waits = p->busy = p->what->after_count > 0;
    return p->waits ? OK : begin_step(c, number, t, err);
}

// Takes the events of a model to the triggers of the next step, and to the log.
static status take_events(conductor *c, size_t number, nanos t, error *err) {
    player *p = &c->players[number];
    status st = OK;
    for (size_t i = 0; st == OK && i < p->model->events.count; i++) {
        const model_event *e = &p->model->events.items[i];
        bool of_body = e->entity >= 0 && (size_t)e->entity < c->world->body_count;
        array_push(&c->told, ((told_event){(int64_t)number, e->name, 0}));
        st = player_note(c, p, t, "told", e->name, of_body ? c->objects[e->entity] : 0, NULL, NULL,
                         err);
    }
    p->model->events.count = 0;
    return st;
}

status player_complete(conductor *c, size_t number, nanos t, error *err) {
    player *p = &c->players[number];
    error why = {0};
    if (p->waits) { // those that it comes after have written by now
        p->waits = false;
        slots_read(c, number);
        if (model_post(p->model, p->time, p->length, &why) != OK) {
            p->busy = false;
            return player_fail(c, number, t, why.text, err);
        }
    }
    status st = p->model->class->step(p->model, p->time, p->length, &why);
    p->busy = false;
    p->time += p->length;
    if (st == OK && !is_finite(p->model)) {
        st = E_DIVERGED;
        error_set(&why, st, "an output is no finite number");
    }
    if (st != OK)
        return player_fail(c, number, t, why.text, err);
    slots_write(c, number);
    return take_events(c, number, t, err);
}

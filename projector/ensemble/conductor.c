// projector/ensemble/conductor.c - makes the models, and steps them beside the main one.
#include "projector/ensemble/ensemble_int.h"
#include "projector/ensemble/foreign/fmu.h"

static const model_class *const classes[] = {
    &THERMAL_MODEL,    &GLASS_MODEL,  &GRASP_MONITOR_MODEL, &FMU_MODEL,    &RIGID_BIND_MODEL,
    &FORCE_BIND_MODEL, &SOCKET_MODEL, &IN_HAND_MODEL,       &MUJOCO_MODEL, &PARTICLES_MODEL};

static const model_class *find_class(const char *name) {
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i]->name, name) == 0)
            return classes[i];
    return NULL;
}

status player_check_events(const model_setup *setup, error *err) {
    const world_model *w = setup->world;
    for (size_t i = 0; i < w->event_count; i++) {
        const world_event *e = &w->events[i];
        bool comes = (e->kind == EVENT_ADD || e->kind == EVENT_REMOVE) && e->body >= 0 &&
                     w->bodies[e->body].fixed;
        if (e->kind == EVENT_WET || comes)
            return error_set(
                err, E_INPUT,
                "the event `%s` changes %s, which `%s`, in a process of its own, would "
                "not follow",
                e->name, comes ? "what stands in the world" : "friction", setup->name);
    }
    return OK;
}

void player_free(model *m) {
    array_finish(&m->events);
    free(m);
}

// ---- Making the models --------------------------------------------------------------------------

static status wrong(ensemble_place at, error *err, const char *sentence) {
    return error_at(err, E_INPUT, at.file, at.line, at.column, "%s", sentence);
}

static const model_port *find_port(const model_port *ports, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(ports[i].name, name) == 0)
            return &ports[i];
    return NULL;
}

// Names what is not connected, or is connected to no port.
static status check_ports(conductor *c, const player *p, error *err) {
    const ensemble_model *what = p->what;
    const model *m = p->model;
    for (int side = 0; side < 2; side++) {
        const ensemble_link *links = side ? what->outputs : what->inputs;
        size_t count = side ? what->output_count : what->input_count;
        for (size_t i = 0; i < count; i++) {
            const model_port *port =
                find_port(side ? m->outputs : m->inputs, side ? m->output_count : m->input_count,
                          links[i].port);
            if (!port)
                return wrong(links[i].at, err,
                             arena_format(c->text, "`%s`, of class %s, has no %s `%s`", what->name,
                                          what->class, side ? "output" : "input", links[i].port));
            const ensemble_slot *with = links[i].slot < 0 ? NULL : &c->how->slots[links[i].slot];
            bool placed = with && with->is_pose;
            if (placed != (port->kind == PORT_BODY))
                return wrong(links[i].at, err,
                             arena_format(c->text, "`%s` of `%s` is a %s, and `%s` is a %s",
                                          links[i].port, what->name, placed ? "number" : "pose",
                                          with ? with->text : "its input",
                                          placed ? "pose" : "number"));
            for (int k = 0; side && with && k < 2; k++) {
                const char *own = k ? ENSEMBLE_CONTENTS : ENSEMBLE_COLLISION;
                bool is_own = k ? with->is_contents : with->is_collision;
                if (is_own != (strcmp(port->name, own) == 0))
                    return wrong(links[i].at, err,
                                 arena_format(c->text,
                                              "`%s(BODY)` is given by an output `%s`, and by "
                                              "nothing else, and that gives nothing else: `%s` is "
                                              "not connected so",
                                              own, own, what->name));
            }
        }
    }
    for (size_t i = 0; i < m->input_count; i++) {
        bool connected = m->inputs[i].optional;
        for (size_t k = 0; k < what->input_count; k++)
            connected = connected || strcmp(what->inputs[k].port, m->inputs[i].name) == 0;
        if (!connected)
            return wrong(what->at, err,
                         arena_format(c->text,
                                      "`%s` needs the input `%s`: connect it under "
                                      "`inputs`",
                                      what->name, m->inputs[i].name));
    }
    return OK;
}

static const char *port_unit(const model_port *ports, size_t count, const char *name) {
    const model_port *port = find_port(ports, count, name);
    return port ? port->unit : NULL;
}

// What is connected through a slot has one unit, where it is known.
static status check_units(conductor *c, size_t number, error *err) {
    const char *unit = NULL;
    for (size_t i = 0; i < 2 * c->how->model_count; i++) {
        const player *p = &c->players[i / 2];
        bool out = i % 2 == 0;
        const ensemble_link *links = out ? p->what->outputs : p->what->inputs;
        size_t count = out ? p->what->output_count : p->what->input_count;
        for (size_t k = 0; k < count; k++) {
            if (links[k].slot != (int64_t)number)
                continue;
            const char *own =
                port_unit(out ? p->model->outputs : p->model->inputs,
                          out ? p->model->output_count : p->model->input_count, links[k].port);
            if (own && unit && strcmp(own, unit) != 0)
                return wrong(links[k].at, err,
                             arena_format(c->text, "`%s` of `%s` is in %s, and %s in %s elsewhere",
                                          links[k].port, p->what->name, own,
                                          c->how->slots[number].text, unit));
            unit = own ? own : unit;
        }
    }
    return OK;
}

static const char **port_names(arena *a, const ensemble_link *links, size_t count) {
    const char **names = arena_alloc(a, (count + 1) * sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = links[i].port;
    return names;
}

// A model that moves bodies does so in every step, and gives each under its name.
static status check_mover(conductor *c, const player *p, error *err) {
    const ensemble_model *what = p->what;
    if (what->stepping != STEPPING_SERVICE || what->every != c->step)
        return wrong(what->at, err,
                     arena_format(c->text,
                                  "`%s` moves bodies, and has to in every step of the physics: "
                                  "`step: service`, and `every` %g s",
                                  what->name, seconds(c->step)));
    for (size_t i = 0; i < what->output_count; i++) {
        const ensemble_slot *given = &c->how->slots[what->outputs[i].slot];
        const char *body = c->world->bodies[given->body].name;
        if (!given->is_pose || strcmp(body, what->outputs[i].port) != 0)
            return wrong(what->outputs[i].at, err,
                         arena_format(c->text,
                                      "`%s` gives poses of bodies, each under the body's name: "
                                      "pose(%s): %s",
                                      what->name, body, body));
    }
    return OK;
}

static status make_player(conductor *c, size_t i, uint64_t seed, error *err) {
    const ensemble_model *what = &c->how->models[i];
    const model_class *class = find_class(what->class);
    player *p = &c->players[i];
    *p = (player){.what = what, .failed_at = TIME_OPEN};
    if (what->every % c->step != 0 || what->cost % c->step != 0)
        return wrong(what->at, err,
                     arena_format(c->text,
                                  "`every` and `cost` of `%s` have to be multiples of %g s, "
                                  "the step of the physics",
                                  what->name, seconds(c->step)));
    ASSERT(class != NULL);
    model_setting *given = arena_alloc(c->names, (what->setting_count + 1) * sizeof *given);
    for (size_t k = 0; k < what->setting_count; k++)
        given[k] = (model_setting){what->settings[k].name, what->settings[k].number,
                                   what->settings[k].text};
    model_setup setup = {.name = what->name,
                         .every = what->every,
                         .seed = seed,
                         .file = what->file,
                         .world = c->world,
                         .inputs = port_names(c->names, what->inputs, what->input_count),
                         .input_count = what->input_count,
                         .outputs = port_names(c->names, what->outputs, what->output_count),
                         .output_count = what->output_count,
                         .settings = given,
                         .setting_count = what->setting_count};
    error why = {0};
    status st = class->create(&setup, &p->model, &why);
    if (st != OK)
        return error_at(err, st, what->at.file, what->at.line, what->at.column, "%s", why.text);
    if (p->model->class->own_time && what->stepping == STEPPING_FREE)
        return wrong(what->at, err,
                     arena_format(c->text,
                                  "`%s` has a time of its own: `step` has to be service or clock",
                                  what->name));
    if (p->model->class->holds_by && what->stepping != STEPPING_SERVICE)
        return wrong(what->at, err,
                     arena_format(c->text,
                                  "`%s` holds what is in a hand now: `step` has to be service",
                                  what->name));
    if (p->model->class->moves)
        st = check_mover(c, p, err);
    if (st == OK && p->model->class->fill)
        st = contents_check(c, p, err);
    return st == OK ? check_ports(c, p, err) : st;
}

// Puts models in the order of the file, except that those come later that come after others; there
// is no cycle.
static void find_order(conductor *c) {
    size_t count = c->how->model_count, placed = 0;
    bool *done = mem_must(count + 1, sizeof *done);
    while (placed < count) {
        for (size_t i = 0; i < count; i++) {
            const ensemble_model *m = &c->how->models[i];
            bool ready = !done[i];
            for (size_t k = 0; k < m->after_count; k++)
                ready = ready && done[m->after[k]];
            if (ready) {
                done[i] = true;
                c->order[placed++] = i;
                break;
            }
        }
    }
    free(done);
}

status conductor_create(const world_model *w, nanos step, uint64_t seed, conductor **out,
                        error *err) {
    conductor *c = mem_must(1, sizeof *c);
    const world_ensemble *how = &w->ensemble;
    c->world = w;
    c->how = how;
    c->step = step;
    c->names = arena_create();
    c->text = arena_create();
    c->players = mem_must(how->model_count + 1, sizeof *c->players);
    c->order = mem_must(how->model_count + 1, sizeof *c->order);
    c->slots = mem_must(how->slot_count + 1, sizeof *c->slots);
    c->held = mem_must(how->trigger_count + 1, sizeof *c->held);
    c->actuators = mem_must(how->trigger_count + 1, sizeof *c->actuators);
    find_order(c);
    status st = OK;
    for (size_t i = 0; st == OK && i < how->model_count; i++)
        st = make_player(c, i, seed, err);
    for (size_t i = 0; st == OK && i < how->slot_count; i++) {
        c->slots[i].taken = TIME_OPEN;
        c->slots[i].owner = slots_come_later(&how->slots[i]) ? MODEL_MAIN : how->owners[i];
        st = check_units(c, i, err);
    }
    if (st == OK)
        *out = c;
    else
        conductor_destroy(c);
    return st;
}

void conductor_destroy(conductor *c) {
    if (!c)
        return;
    for (size_t i = 0; i < c->how->model_count; i++)
        if (c->players[i].model)
            c->players[i].model->class->destroy(c->players[i].model);
    array_finish(&c->told);
    array_finish(&c->grippers);
    arena_destroy(c->names);
    arena_destroy(c->text);
    free(c->players);
    free(c->order);
    free(c->slots);
    free(c->held);
    free(c->actuators);
    free(c->hands);
    free(c);
}

bool conductor_conducts(const conductor *c) {
    return c->how->model_count > 0;
}

double conductor_value(const conductor *c, size_t i) {
    return c->slots[i].value;
}

// ---- Listening to operations and readings ------------------------------------------------------

static status listener_put(sink *s, const record *r, error *err) {
    listener *l = (listener *)s;
    conductor *c = l->conductor;
    if (r->kind == RECORD_OBJECT)
        for (size_t i = 0; i < c->how->trigger_count; i++)
            if (c->how->triggers[i].actuator && r->OBJECT.name &&
                strcmp(c->how->triggers[i].actuator, r->OBJECT.name) == 0)
                c->actuators[i] = r->id;
    if (r->kind == RECORD_OPERATION)
        array_push(&c->told, ((told_event){MODEL_MAIN, arena_strdup(c->names, r->OPERATION.name),
                                           r->OPERATION.actuator}));
    if (c->hears_hands)
        hands_hear(c, r);
    return sink_put(l->to, r, err);
}

static status listener_end(sink *s, const record *r, error *err) {
    return sink_end(((listener *)s)->to, r, err);
}

static status listener_commit(sink *s, nanos t, error *err) {
    return sink_commit(((listener *)s)->to, t, err);
}

static const sink_class LISTENING = {listener_put, listener_end, listener_commit};

sink *conductor_listen(conductor *c, sink *log) {
    bool asked = c->hears_hands = hands_are_asked(c->how);
    for (size_t i = 0; i < c->how->trigger_count; i++)
        asked = asked || c->how->triggers[i].kind == TRIGGER_OPERATION;
    if (!asked)
        return log;
    c->listener = (listener){*log, log, c};
    c->listener.sink.class = &LISTENING; // ids go on where those of `log` are
    return &c->listener.sink;
}

void conductor_tell_poses(conductor *c, conductor_poses to) {
    c->poses = to;
}

// ---- Starting -----------------------------------------------------------------------------------

status player_note(conductor *c, const player *p, nanos t, const char *kind, const char *name,
                   int64_t object, const char *by, const char *why, error *err) {
    record r = {.kind = RECORD_MODEL_EVENT, .id = sink_id(c->log, RECORD_MODEL_EVENT)};
    r.MODEL_EVENT = (struct record_MODEL_EVENT){p->row, t, kind, name, object, by, why};
    return sink_put(c->log, &r, err);
}

static status put_model(conductor *c, const char *name, const char *class, const char *step,
                        nanos every, nanos cost, int64_t *row, error *err) {
    record r = {.kind = RECORD_MODEL, .id = sink_id(c->log, RECORD_MODEL)};
    r.MODEL = (struct record_MODEL){name, class, step, seconds(every), seconds(cost)};
    *row = r.id;
    return sink_put(c->log, &r, err);
}

static status check_actuators(conductor *c, error *err) {
    for (size_t i = 0; i < c->how->trigger_count; i++)
        if (c->how->triggers[i].actuator && c->actuators[i] == 0)
            return wrong(
                c->how->triggers[i].at, err,
                arena_format(c->text, "there is no actuator `%s`", c->how->triggers[i].actuator));
    return OK;
}

// A slot begins as its owner has it; with the main model as the first model that gives it.
static void start_slots(conductor *c) {
    for (size_t number = c->how->model_count; number-- > 0;)
        for (size_t i = 0; i < c->how->slot_count; i++) {
            int64_t owner = c->slots[i].owner;
            c->slots[i].owner = owner == MODEL_MAIN ? (int64_t)number : owner;
            for (size_t k = 0; k < c->players[number].what->output_count; k++)
                if (c->players[number].what->outputs[k].slot == (int64_t)i)
                    slots_write(c, number);
            c->slots[i].owner = owner;
        }
    for (size_t i = 0; i < c->how->slot_count; i++)
        if (c->how->slots[i].is_collision && c->slots[i].owner == MODEL_MAIN)
            c->slots[i].value = 1;
}

status conductor_start(conductor *c, sink *log, sim *world, const int64_t *objects,
                       double tolerance, error *err) {
    c->log = log;
    c->world_now = world;
    c->objects = objects;
    if (!conductor_conducts(c))
        return OK;
    int64_t main_row;
    status st = check_actuators(c, err);
    if (st == OK)
        st = hands_start(c, err);
    if (st == OK)
        st = evaluators_check(c, err);
    if (st == OK)
        st = put_model(c, ENSEMBLE_MAIN, ENSEMBLE_MAIN, "main", c->step, 0, &main_row, err);
    for (size_t i = 0; st == OK && i < c->how->model_count; i++) {
        player *p = &c->players[i];
        if (!p->what->left_out)
            st = put_model(c, p->what->name, p->what->class,
                           ensemble_stepping_name(p->what->stepping), p->what->every, p->what->cost,
                           &p->row, err);
    }
    if (st != OK)
        return st;
    slots_look(c);
    start_slots(c);
    for (size_t i = 0; i < c->how->slot_count; i++)
        if (c->slots[i].owner != MODEL_MAIN)
            c->players[c->slots[i].owner].owned++;
    const char **unstarted = arena_alloc(c->text, (c->how->model_count + 1) * sizeof *unstarted);
    for (size_t i = 0; st == OK && i < c->how->model_count; i++) {
        model *m = c->players[i].model;
        if (c->how->models[i].left_out)
            continue;
        slots_read(c, i);
        error why = {0};
        if (m->class->start)
            st = m->class->start(m, 0, &why);
        if (st == E_DIVERGED && c->how->models[i].falls_back) { // once there are rows of slots
            unstarted[i] = arena_strdup(c->text, why.text);
            st = OK;
            continue;
        }
        if (st != OK) {
            const ensemble_place *at = &c->players[i].what->at;
            return error_at(err, st, at->file, at->line, at->column, "%s", why.text);
        }
        // What it gives may only be known now; those after it begin with that.
        if (m->class->start)
            start_slots(c);
    }
    if (st == OK)
        st = slots_start(c, tolerance, err);
    for (size_t i = 0; st == OK && i < c->how->model_count; i++)
        if (unstarted[i])
            st = player_fail(c, i, 0, unstarted[i], err);
    for (size_t i = 0; st == OK && i < c->how->model_count; i++)
        if (unstarted[i]) // where what it was to own falls back to is known now
            st = slots_note_unstarted(c, i, err);
    if (st == OK)
        st = poses_start(c, err);
    return st == OK ? contents_start(c, err) : st;
}

// ---- Stepping -----------------------------------------------------------------------------------

status conductor_step(conductor *c, model *main, nanos t, nanos dt, error *err) {
    if (!conductor_conducts(c))
        return model_step(main, t, dt, err);
    ASSERT(dt == c->step);
    size_t count = c->how->model_count;
    slots_look(c);
    status st = c->world_now ? poses_look(c, t, err) : OK;
    if (st == OK && c->world_now)
        st = contents_look(c, t, err);
    if (st == OK)
        st = triggers_act(c, t, err);
    for (size_t i = 0; st == OK && i < count; i++)
        if (player_due(&c->players[i], t))
            st = player_post(c, i, t, err);
    if (st == OK)
        st = model_step(main, t, dt, err);
    for (size_t i = 0; st == OK && i < count; i++)
        if (c->players[i].waits && c->players[i].ready <= t + dt) {
            slots_look(c); // what comes after others comes after the main model, too
            break;
        }
    for (size_t i = 0; st == OK && i < count; i++) {
        size_t number = c->order[i];
        if (c->players[number].busy && c->players[number].ready <= t + dt)
            st = player_complete(c, number, t + dt, err);
    }
    if (st == OK)
        st = slots_record(c, t + dt, err);
    arena_reset(c->text);
    return st;
}

status conductor_finish(conductor *c, error *err) {
    return conductor_conducts(c) && c->log ? slots_finish(c, err) : OK;
}

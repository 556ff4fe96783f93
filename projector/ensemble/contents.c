// projector/ensemble/contents.c - what it means to answer for what a body contains.
//
// Particles push the body that they are in, and another model's push comes a step late. So they go
// to one only while a hand, a bond or the building holds the body, and come back by themselves when
// it does no longer, when they meet something that can move, or when one of them is gone.
#include "projector/ensemble/ensemble_int.h"
#include "projector/world/contents.h"
#include "projector/world/drive.h"

// As the log has who answers for a particle that physics moves.
static const char PHYSICS[] = "particles";

static const ensemble_link *find_link(const ensemble_link *all, size_t count, const char *port) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].port, port) == 0)
            return &all[i];
    return NULL;
}

status contents_check(conductor *c, const player *p, error *err) {
    const ensemble_model *what = p->what;
    const char *carrier = what->settings[0].text;
    int64_t vessel = world_find_body(c->world, carrier);
    const ensemble_link *in = find_link(what->inputs, what->input_count, "carrier");
    const ensemble_place *at = &what->at;
    if (what->stepping != STEPPING_SERVICE)
        return error_at(err, E_INPUT, at->file, at->line, at->column,
                        "`%s` moves particles: `step` has to be service", what->name);
    if (in && in->slot >= 0 && c->how->slots[in->slot].body != (size_t)vessel)
        return error_at(err, E_INPUT, in->at.file, in->at.line, in->at.column,
                        "the input `carrier` of `%s` is where its carrier is: pose(%s)", what->name,
                        carrier);
    for (size_t i = 0; i < what->output_count; i++) {
        const ensemble_link *o = &what->outputs[i];
        if (c->how->slots[o->slot].body != (size_t)vessel)
            return error_at(err, E_INPUT, o->at.file, o->at.line, o->at.column,
                            "`%s` answers for what its carrier contains: contents(%s)", what->name,
                            carrier);
    }
    return OK;
}

const char *contents_refusal(conductor *c, size_t i, int64_t to) {
    const char *rule;
    size_t met;
    return to == MODEL_MAIN || !c->world_now
               ? NULL
               : sim_contents_refusal(c->world_now, c->how->slots[i].body, &rule, &met, c->text);
}

// Tells others who answers for the particles from t on.
static status tell_answers(conductor *c, const sim_grain *all, size_t count, const char *by,
                           nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && c->poses.answers && i < count; i++)
        if (all[i].here)
            st = c->poses.answers(c->poses.context, all[i].entity, by, t, err);
    return st;
}

status contents_move(conductor *c, size_t i, int64_t from, int64_t to, nanos t, error *err) {
    size_t vessel = c->how->slots[i].body;
    if (!c->world_now)
        return OK;
    size_t count = sim_contents(c->world_now, vessel);
    sim_grain *all = arena_alloc(c->text, (count + 1) * sizeof *all);
    if (from != MODEL_MAIN) {
        sim_contents_return(c->world_now, vessel);
        sim_drive_contacts(c->world_now, (size_t)from, NULL, 0);
        sim_contents_now(c->world_now, vessel, all);
    }
    if (to != MODEL_MAIN) {
        player *p = &c->players[to];
        sim_contents_lend(c->world_now, vessel);
        sim_contents_now(c->world_now, vessel, all);
        p->model->class->fill(p->model, all);
        if (!p->busy) { // it begins now, and not at the next multiple of `every`
            p->cut = true;
            p->ready = t;
        }
    }
    return tell_answers(c, all, count, to == MODEL_MAIN ? PHYSICS : slots_owner_name(c, to), t,
                        err);
}

void contents_write(conductor *c, size_t i, size_t number) {
    const model *m = c->players[number].model;
    const double *load;
    size_t vessel = c->how->slots[i].body, count;
    if (!c->world_now || !sim_contents_lent(c->world_now, vessel))
        return;
    const sim_grain *all = m->class->contents(m, &load);
    sim_contents_put(c->world_now, vessel, all, v3(load[0], load[1], load[2]),
                     v3(load[3], load[4], load[5]));
    const sim_contact *contacts = m->class->contacts(m, &count);
    sim_drive_contacts(c->world_now, number, contacts, count);
}

status contents_start(conductor *c, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < c->how->slot_count; i++) {
        int64_t owner = slots_first_owner(c, i);
        if (!c->how->slots[i].is_contents || owner == MODEL_MAIN)
            continue;
        const char *why = contents_refusal(c, i, owner);
        const ensemble_place *at = &c->how->slots[i].at;
        st = why ? error_at(err, E_INPUT, at->file, at->line, at->column,
                            "`%s` cannot own `%s` at the start: %s", c->how->models[owner].name,
                            c->how->slots[i].text, why)
                 : slots_give(c, i, owner, 0, "owns", "[]", err);
    }
    return st;
}

status contents_look(conductor *c, nanos t, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < c->how->slot_count; i++) {
        const char *rule, *bound_to = "[]";
        size_t met;
        if (!c->how->slots[i].is_contents || c->slots[i].owner == MODEL_MAIN ||
            !sim_contents_refusal(c->world_now, c->how->slots[i].body, &rule, &met, c->text))
            continue;
        if (met != SIZE_MAX) {
            const term *name = term_symbol(c->text, sim_entity_name(c->world_now, met));
            bound_to = term_text(c->text, term_list(c->text, &name, 1, NULL));
        }
        c->slots[i].given = false;
        st = slots_give(c, i, MODEL_MAIN, t, rule, bound_to, err);
    }
    return st;
}

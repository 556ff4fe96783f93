// projector/ensemble/foreign/fmu_model.c - FMUs as models of an ensemble.
#include "projector/ensemble/foreign/fmu.h"

#include <string.h>

// States that are kept in the process; the oldest makes room for a new one.
typedef struct keeping {
    uint64_t number[FOREIGN_STATES_MAX]; // of the saving whose state a place has; 0: none
    uint64_t count;                      // of savings
} keeping;

// What `save` gives out: which state of the process it is, and the ports.
typedef struct saved {
    uint64_t number;
    uint32_t place;
    double ports[]; // inputs, then outputs
} saved;

typedef struct fmu_player {
    model model; // first
    arena *arena;
    fmu *file;
    foreign_options options;
    fmu_model *running; // NULL: not started
    const char *name;
    fmu_binding *inputs, *outputs;
    keeping *keeping;
    uint64_t events; // told so far
} fmu_player;

// Binds what the world's file connects, and declares it as ports.
static status ports_bind(fmu_player *p, const char *const *names, size_t count, causality as,
                         fmu_binding *bindings, model_port *ports, error *err) {
    for (size_t i = 0; i < count; i++) {
        status st = fmu_bind(p->file, names[i], as, NULL, &bindings[i], err);
        if (st != OK)
            return st;
        const fmi_unit *unit = bindings[i].variable->unit;
        int named[UNIT_BASES];
        const int *exponents = !unit                              ? NULL
                               : unit->defined                    ? unit->exponents
                               : fmi_unit_read(unit->name, named) ? named
                                                                  : NULL;
        ports[i] = (model_port){.name = bindings[i].variable->name,
                                .kind = PORT_SCALAR,
                                .at = i,
                                .unit = exponents ? fmi_unit_write(p->arena, exponents) : NULL};
    }
    return OK;
}

static void fmu_model_destroy(model *base) {
    fmu_player *p = (fmu_player *)base;
    fmu_end(p->running);
    fmu_close(p->file);
    array_finish(&base->events);
    arena_destroy(p->arena);
    free(p);
}

static status fmu_model_create(const model_setup *setup, model **out, error *err) {
    if (!setup->file)
        return error_set(err, E_INPUT, "the model `%s` needs its `file`, an FMU", setup->name);
    fmu_player *p = mem_must(1, sizeof *p);
    arena *a = p->arena = arena_create();
    size_t ins = setup->input_count, outs = setup->output_count;
    p->name = arena_strdup(a, setup->name);
    p->options = foreign_options_within(model_setting_of(setup, "timeout"));
    p->inputs = arena_alloc(a, (ins + 1) * sizeof *p->inputs);
    p->outputs = arena_alloc(a, (outs + 1) * sizeof *p->outputs);
    p->keeping = arena_alloc(a, sizeof *p->keeping);
    model_port *in = arena_alloc(a, (ins + 1) * sizeof *in);
    model_port *given = arena_alloc(a, (outs + 1) * sizeof *given);
    p->model = (model){.class = &FMU_MODEL,
                       .inputs = in,
                       .outputs = given,
                       .input_count = ins,
                       .output_count = outs,
                       .in = arena_alloc(a, (ins + 1) * sizeof(double)),
                       .out = arena_alloc(a, (outs + 1) * sizeof(double))};
    status st = fmu_open(setup->file, NULL, &p->file, err);
    if (st == OK)
        st = ports_bind(p, setup->inputs, ins, CAUSALITY_INPUT, p->inputs, in, err);
    if (st == OK)
        st = ports_bind(p, setup->outputs, outs, CAUSALITY_OUTPUT, p->outputs, given, err);
    if (st == OK)
        *out = &p->model;
    else
        fmu_model_destroy(&p->model);
    return st;
}

static void outputs_copy(fmu_player *p) {
    if (p->model.output_count > 0)
        memcpy(p->model.out, fmu_outputs(p->running), p->model.output_count * sizeof(double));
}

static status fmu_model_start(model *base, nanos t, error *err) {
    fmu_player *p = (fmu_player *)base;
    for (size_t i = 0; i < base->input_count; i++)
        p->inputs[i].value = base->in[i];
    status st = fmu_start(p->file, p->name, p->inputs, base->input_count, p->outputs,
                          base->output_count, t, &p->options, &p->running, err);
    if (st == OK)
        outputs_copy(p);
    return st;
}

static status fmu_model_post(model *base, nanos t, nanos dt, error *err) {
    fmu_player *p = (fmu_player *)base;
    if (dt <= 0)
        return error_set(err, E_DIVERGED,
                         "an FMU has a time of its own: `step` has to be service or clock");
    fmu_post(p->running, t, dt, base->in);
    return OK;
}

static status fmu_model_step(model *base, nanos t, nanos dt, error *err) {
    fmu_player *p = (fmu_player *)base;
    (void)t;
    (void)dt; // as they were posted
    status st = fmu_take(p->running, err);
    if (st != OK)
        return st;
    outputs_copy(p);
    uint64_t events = foreign_events(fmu_process(p->running));
    if (events > p->events)
        model_tell(base, "event", -1);
    p->events = events;
    return OK;
}

static status fmu_model_save(const model *base, void **state, size_t *size, error *err) {
    const fmu_player *p = (const fmu_player *)base;
    foreign *process = fmu_process(p->running);
    keeping *k = p->keeping;
    size_t ports = base->input_count + base->output_count;
    unsigned place;
    // The process is asked for no more than it can keep.
    unsigned oldest = (unsigned)(k->count % FOREIGN_STATES_MAX);
    if (k->number[oldest] != 0) {
        status st = foreign_forget(process, oldest, err);
        if (st != OK)
            return st;
        k->number[oldest] = 0;
    }
    status st = foreign_save(process, &place, err);
    if (st != OK)
        return st;
    ASSERT(place == oldest);
    saved *s = mem_must(1, sizeof *s + ports * sizeof *s->ports);
    s->place = place;
    s->number = k->number[place] = ++k->count;
    memcpy(s->ports, base->in, base->input_count * sizeof *s->ports);
    memcpy(s->ports + base->input_count, base->out, base->output_count * sizeof *s->ports);
    *state = s;
    *size = sizeof *s + ports * sizeof *s->ports;
    return OK;
}

static status fmu_model_restore(model *base, const void *state, size_t size, error *err) {
    fmu_player *p = (fmu_player *)base;
    const saved *s = state;
    size_t ports = base->input_count + base->output_count;
    ASSERT(size == sizeof *s + ports * sizeof *s->ports && s->place < FOREIGN_STATES_MAX);
    if (p->keeping->number[s->place] != s->number)
        return error_set(err, E_INPUT,
                         "the state of the model `%s` is gone: more than %d were saved since",
                         p->name, FOREIGN_STATES_MAX);
    foreign *process = fmu_process(p->running);
    status st = foreign_restore(process, s->place, err);
    if (st != OK)
        return st;
    memcpy(base->in, s->ports, base->input_count * sizeof *s->ports);
    memcpy(base->out, s->ports + base->input_count, base->output_count * sizeof *s->ports);
    p->events = foreign_events(process);
    return OK;
}

static bool fmu_model_keeps(const model *base) {
    return fmu_description(((const fmu_player *)base)->file)->saves_states;
}

const char *fmu_model_sha256(const model *m) {
    return fmu_sha256(((const fmu_player *)m)->file);
}

const model_class FMU_MODEL = {.name = "fmu",
                               .own_time = true,
                               .create = fmu_model_create,
                               .start = fmu_model_start,
                               .post = fmu_model_post,
                               .step = fmu_model_step,
                               .save = fmu_model_save,
                               .restore = fmu_model_restore,
                               .keeps = fmu_model_keeps,
                               .destroy = fmu_model_destroy};

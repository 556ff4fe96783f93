// cli/runs/foreign_file.c - what `foresee check` does with an FMU.
#include "cli/runs/foreign_file.h"

#include <math.h>

#include "projector/ensemble/foreign/fmu.h"

enum { STEPS = 20 };
#define DEFAULT_STEP (NANOS_PER_SECOND / 100)

static bool is_exchanged(const fmi_variable *v) {
    return v->kind < VARIABLE_STRING && !v->array &&
           (v->causality == CAUSALITY_INPUT || v->causality == CAUSALITY_OUTPUT ||
            (v->causality == CAUSALITY_PARAMETER && !v->constant));
}

static void variables_tell(const fmi_description *d, text_buffer *told) {
    for (size_t i = 0; i < d->variable_count; i++) {
        const fmi_variable *v = &d->variables[i];
        if (!is_exchanged(v))
            continue;
        text_add(told, "  %s ", fmi_causality_name(v->causality));
        text_put_shown(told, v->name, strlen(v->name));
        text_add(told, ": %s", fmi_kind_name(v->kind));
        if (v->unit) {
            text_put(told, ", ");
            text_put_shown(told, v->unit->name, strlen(v->unit->name));
        }
        text_put(told, "\n");
    }
}

// All outputs are compared; inputs stay as the model has them.
static status fmu_rehearse(const fmu *m, text_buffer *told, error *err) {
    const fmi_description *d = fmu_description(m);
    if (!d->saves_states) {
        text_put(told, "  does not declare that its state can be saved: nothing to rehearse\n");
        return OK;
    }
    fmu_binding *outputs = mem_must(d->variable_count + 1, sizeof *outputs);
    size_t count = 0;
    for (size_t i = 0; i < d->variable_count && count < FOREIGN_VARIABLES_MAX; i++)
        if (d->variables[i].causality == CAUSALITY_OUTPUT && is_exchanged(&d->variables[i]))
            outputs[count++] = (fmu_binding){.variable = &d->variables[i]};
    // A step that is nothing in nanoseconds, or longer than any episode, is none to rehearse with.
    bool usable = d->step >= 1e-9 && d->step <= 1e6;
    nanos step = usable ? nanos_from_seconds(d->step) : DEFAULT_STEP;
    fmu_model *running = NULL;
    status st = fmu_start(m, d->identifier, NULL, 0, outputs, count, 0, NULL, &running, err);
    if (st == OK)
        st = foreign_rehearse(fmu_process(running), 0, step, STEPS, NULL, err);
    // From a state that is not the first, too.
    if (st == OK)
        st = foreign_rehearse(fmu_process(running), STEPS * step, step, STEPS, NULL, err);
    if (st == OK)
        text_add(told, "  %d steps of %g s came out bit by bit the same after going back\n", STEPS,
                 seconds(step));
    fmu_end(running);
    free(outputs);
    return st;
}

status foreign_file_check(const char *path, bool rehearse, text_buffer *told, error *err) {
    fmu *m = NULL;
    error why = {0};
    status st = fmu_open(path, NULL, &m, err);
    if (st != OK)
        return st;
    const fmi_description *d = fmu_description(m);
    text_add(told, "  FMI %d.0 for co-simulation, SHA-256 %s\n", d->version, fmu_sha256(m));
    variables_tell(d, told);
    if (rehearse)
        st = fmu_rehearse(m, told, &why);
    // A model that fails or lies is a mistake of its file.
    if (st != OK)
        st = error_at(err, st == E_DIVERGED ? E_INPUT : st, path, 0, 0, "%s", why.text);
    fmu_close(m);
    return st;
}

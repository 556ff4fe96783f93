// projector/interp/state/variables.c - variables of frames: found by scope, made, set, freed.
#include "projector/interp/state/records.h"
#include "projector/interp/state/variables.h"

variable *variable_find(const frame *scope, const char *name) {
    for (const frame *f = scope; f; f = f->parent) {
        for (variable *v = f->variables; v; v = v->next) {
            if (v->name == name || (v->name[1] == name[1] && strcmp(v->name, name) == 0))
                return v;
        }
        if (f->boundary)
            break;
    }
    return NULL;
}

static void put_variable(interp *i, const frame *owner, const variable *v, int64_t by,
                         const char *point) {
    record r = {.kind = RECORD_VARIABLE, .id = sink_id(i->log, RECORD_VARIABLE)};
    r.VARIABLE.agent = i->mind->agent;
    r.VARIABLE.task = owner->id;
    r.VARIABLE.name = v->name + 1;
    r.VARIABLE.value = term_text(i->scratch, v->value);
    r.VARIABLE.t_ns = i->now;
    r.VARIABLE.by = by;
    r.VARIABLE.point = point;
    interp_put(i, &r);
}

void variable_make(interp *i, frame *f, const char *name, const term *value, int64_t by,
                   const char *point) {
    variable *v = arena_alloc(f->memory, sizeof *v);
    v->name = name;
    v->value = term_copy(f->memory, value);
    v->next = f->variables;
    f->variables = v;
    put_variable(i, f, v, by, point);
    interp_changed(i, CHANGED_VARIABLE);
}

void variable_set(interp *i, frame *scope, const char *name, const term *value, int64_t by,
                  const char *point) {
    frame *owner = scope;
    variable *v = NULL;
    for (;; owner = owner->parent) {
        for (v = owner->variables; v && strcmp(v->name, name) != 0;)
            v = v->next;
        if (v || owner->boundary)
            break;
    }
    if (!v) {
        variable_make(i, owner, name, value, by, point);
        return;
    }
    // The new value may contain parts of the old one, which therefore lives until the next.
    arena *into = v->spare ? v->spare : arena_take(i);
    v->value = term_copy(into, value);
    if (v->now)
        arena_rewind(v->now, FRAME_KEEPS);
    v->spare = v->now;
    v->now = into;
    put_variable(i, owner, v, by, point);
    interp_changed(i, CHANGED_VARIABLE);
}

void variables_destroy(interp *i, frame *f) {
    for (variable *v = f->variables; v; v = v->next) {
        if (v->now)
            arena_give(i, v->now);
        if (v->spare)
            arena_give(i, v->spare);
    }
    f->variables = NULL;
}

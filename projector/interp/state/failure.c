// projector/interp/state/failure.c - failures: their classes, their records, and how they are
// handled.
#include "projector/interp/state/failure.h"
#include "projector/interp/state/records.h"

static const struct {
    const char *name, *parent;
} CLASSES[] = {
#define FAILURE(name, parent) {#name, parent},
#include "projector/robot/failures.def"
#undef FAILURE
};

// The parent of a class; a class that is not declared is a child of plan_failure.
static const char *class_above(const char *class) {
    for (size_t k = 0; k < sizeof CLASSES / sizeof *CLASSES; k++) {
        if (strcmp(CLASSES[k].name, class) == 0)
            return CLASSES[k].parent;
    }
    return "plan_failure";
}

bool failure_is(const char *class, const char *ancestor) {
    for (; class; class = class_above(class)) {
        if (strcmp(class, ancestor) == 0)
            return true;
    }
    return false;
}

const char *failure_common(const char *a, const char *b) {
    for (; a; a = class_above(a)) {
        if (failure_is(b, a))
            return a;
    }
    return "plan_failure";
}

void failure_destroy(interp *i, failure *x) {
    while (x) {
        failure *cause = x->cause;
        arena_give(i, x->memory);
        x = cause;
    }
}

void failure_put(interp *i, const failure *x) {
    record r = {.kind = RECORD_FAILURE, .id = x->id};
    r.FAILURE.handled_by = x->handled_by;
    r.FAILURE.attached = x->attached;
    interp_end(i, &r);
}

void failure_handled(interp *i, failure *x, int64_t by) {
    for (; x; x = x->cause) {
        x->handled_by = by;
        failure_put(i, x);
    }
}

static int64_t blocker_object(const interp *i, const char *name) {
    const mind *m = i->mind;
    if (!name || !name[0] || !m->known || !m->known_objects)
        return 0;
    int64_t body = world_find_body(m->known, name);
    return body < 0 ? belief_robot_object(m->belief, name) : m->known_objects[body];
}

failure *failure_signal(interp *i, const frame *f, const char *class, const char *reason,
                        const char *blocker, failure *cause) {
    arena *memory = arena_take(i);
    failure *x = arena_alloc(memory, sizeof *x);
    x->memory = memory;
    x->id = sink_id(i->log, RECORD_FAILURE);
    x->class = class;
    x->reason = arena_strdup(memory, reason);
    x->cause = cause;
    record r = {.kind = RECORD_FAILURE, .id = x->id};
    r.FAILURE.task = f->id;
    r.FAILURE.t_ns = i->now;
    r.FAILURE.class = class;
    r.FAILURE.reason = reason;
    r.FAILURE.blocker = blocker_object(i, blocker);
    r.FAILURE.cause = cause ? cause->id : 0;
    interp_put(i, &r);
    return x;
}

// projector/ensemble/foreign/guest_fmi3.c - FMI 3.0 for co-simulation: sections 2.3 and 4.
#include "projector/ensemble/foreign/guest.h"

#include <dlfcn.h>
#include <stdio.h>

#include "projector/ensemble/foreign/fmi3.h"

typedef struct functions {
#define FUNCTION(result, name, arguments) result(*name) arguments;
    FMI3_FUNCTIONS(FUNCTION, FUNCTION)
#undef FUNCTION
} functions;

static void on_log(fmi3InstanceEnvironment environment, fmi3Status st, fmi3String category,
                   fmi3String message) {
    (void)category;
    if (st != fmi3OK)
        guest_say(environment, message);
}

static bool passed(guest *g, fmi3Status st, page_reply reply, const char *function) {
    static const char *const names[] = {"fmi3OK", "fmi3Warning", "fmi3Discard", "fmi3Error",
                                        "fmi3Fatal"};
    if (st == fmi3OK || st == fmi3Warning)
        return true;
    return guest_fail(g, reply, "fmi3%s returned %s", function,
                      (unsigned)st <= fmi3Fatal ? names[st] : "no status of the standard");
}

static bool fmi3_load(guest *g) {
    static functions f;
    foreign_page *p = g->page;
    g->functions = &f;
    if (!guest_open(g))
        return false;
#define OPTIONAL(result, name, arguments)                                                          \
    *(void **)(void *)&f.name = dlsym(g->library, "fmi3" #name);
#define FUNCTION(result, name, arguments)                                                          \
    if (!(*(void **)(void *)&f.name = guest_function(g, "fmi3" #name)))                            \
        return false;
    FMI3_FUNCTIONS(FUNCTION, OPTIONAL)
#undef FUNCTION
#undef OPTIONAL
    if (p->saves_states && (!f.GetFMUState || !f.SetFMUState || !f.FreeFMUState))
        return guest_fail(g, REPLY_REFUSED,
                          "it declares that it can save its state, and its "
                          "library has not the functions for it");
    if (p->event_mode && (!f.EnterEventMode || !f.EnterStepMode || !f.UpdateDiscreteStates))
        return guest_fail(g, REPLY_REFUSED,
                          "it declares an event mode, and its library has not "
                          "the functions for it");
    char resources[PAGE_PATH + 2];
    snprintf(resources, sizeof resources, "%s/", p->resources);
    g->instance =
        f.InstantiateCoSimulation(p->name, p->token, p->resources[0] ? resources : NULL, false,
                                  false, p->event_mode, p->early_return, NULL, 0, g, on_log, NULL);
    return g->instance ||
           guest_fail(g, REPLY_REFUSED,
                      "it refuses to be instantiated, as it does for a token that is not its own");
}

// In event mode: iterates until the discrete states are settled, then enters step mode.
static bool event_settle(guest *g) {
    functions *f = g->functions;
    fmi3Boolean more = true, over = false, nominals, values, next;
    fmi3Float64 when;
    for (int i = 0; more; i++) {
        if (i == EVENTS_MAX)
            return guest_fail(g, REPLY_FAILED, "an event of it does not settle");
        if (!passed(g,
                    f->UpdateDiscreteStates(g->instance, &more, &over, &nominals, &values, &next,
                                            &when),
                    REPLY_FAILED, "UpdateDiscreteStates"))
            return false;
        if (over)
            return guest_fail(g, REPLY_FAILED, "it asked to end the simulation");
    }
    return passed(g, f->EnterStepMode(g->instance), REPLY_FAILED, "EnterStepMode");
}

static bool fmi3_enter(guest *g) {
    functions *f = g->functions;
    return passed(
        g, f->EnterInitializationMode(g->instance, false, 0, (double)g->page->t / 1e9, false, 0),
        REPLY_REFUSED, "EnterInitializationMode");
}

static bool fmi3_leave(guest *g) {
    functions *f = g->functions;
    return passed(g, f->ExitInitializationMode(g->instance), REPLY_REFUSED,
                  "ExitInitializationMode") &&
           (!g->page->event_mode || event_settle(g));
}

static bool function_missing(guest *g, const char *name) {
    return guest_fail(g, REPLY_REFUSED, "its library has no function fmi3%s", name);
}

// Sets one variable by the function of its type.
#define SET(type, number)                                                                          \
    do {                                                                                           \
        fmi3##type x_ = (fmi3##type)(number);                                                      \
        return f->Set##type ? passed(g, f->Set##type(g->instance, &v.reference, 1, &x_, 1),        \
                                     REPLY_FAILED, "Set" #type)                                    \
                            : function_missing(g, "Set" #type);                                    \
    } while (0)
#define GET(type)                                                                                  \
    do {                                                                                           \
        fmi3##type x_ = 0;                                                                         \
        if (!f->Get##type)                                                                         \
            return function_missing(g, "Get" #type);                                               \
        bool done_ = passed(g, f->Get##type(g->instance, &v.reference, 1, &x_, 1), REPLY_FAILED,   \
                            "Get" #type);                                                          \
        *value = (double)x_;                                                                       \
        return done_;                                                                              \
    } while (0)

static bool fmi3_set(guest *g, page_variable v, double value) {
    functions *f = g->functions;
    switch ((variable_kind)v.kind) {
    case VARIABLE_FLOAT64:
        SET(Float64, value);
    case VARIABLE_FLOAT32:
        SET(Float32, value);
    case VARIABLE_BOOLEAN:
        SET(Boolean, value != 0);
#define NUMBER(type, kind, low, high)                                                              \
    case VARIABLE_##kind:                                                                          \
        if (!guest_integer(g, value, low, high))                                                   \
            return false;                                                                          \
        SET(type, value);
        FMI3_INTEGERS(NUMBER)
#undef NUMBER
    default: // an enumeration
        if (!guest_integer(g, value, -9007199254740992.0, 9007199254740992.0))
            return false;
        SET(Int64, value);
    }
}

static bool fmi3_get(guest *g, page_variable v, double *value) {
    functions *f = g->functions;
    switch ((variable_kind)v.kind) {
    case VARIABLE_FLOAT64:
        GET(Float64);
    case VARIABLE_FLOAT32:
        GET(Float32);
    case VARIABLE_BOOLEAN:
        GET(Boolean);
#define NUMBER(type, kind, low, high)                                                              \
    case VARIABLE_##kind:                                                                          \
        GET(type);
        FMI3_INTEGERS(NUMBER)
#undef NUMBER
    default: // an enumeration
        GET(Int64);
    }
}

static bool fmi3_advance(guest *g, double from, double length, double *reached) {
    functions *f = g->functions;
    fmi3Boolean event = false, over = false, early = false;
    fmi3Float64 last = from + length;
    // foresee may go back to a state that it saved before this instant.
    if (!passed(g,
                f->DoStep(g->instance, from, length, !g->page->saves_states, &event, &over, &early,
                          &last),
                REPLY_FAILED, "DoStep"))
        return false;
    if (over)
        return guest_fail(g, REPLY_FAILED, "it asked to end the simulation");
    if (early && !g->page->early_return)
        return guest_fail(g, REPLY_FAILED,
                          "it returned early from a step, which it was not allowed");
    *reached = early ? last : from + length;
    if (!event || !g->page->event_mode)
        return true;
    g->page->events++;
    return passed(g, f->EnterEventMode(g->instance), REPLY_FAILED, "EnterEventMode") &&
           event_settle(g);
}

static bool fmi3_save(guest *g, void **state) {
    functions *f = g->functions;
    return passed(g, f->GetFMUState(g->instance, state), REPLY_FAILED, "GetFMUState");
}

static bool fmi3_restore(guest *g, void *state) {
    functions *f = g->functions;
    return passed(g, f->SetFMUState(g->instance, state), REPLY_FAILED, "SetFMUState");
}

static bool fmi3_forget(guest *g, void **state) {
    functions *f = g->functions;
    bool freed = passed(g, f->FreeFMUState(g->instance, state), REPLY_FAILED, "FreeFMUState");
    *state = NULL; // the standard has the model do it, and not every one does
    return freed;
}

static void fmi3_end(guest *g) {
    functions *f = g->functions;
    f->Terminate(g->instance);
    f->FreeInstance(g->instance);
}

const guest_class guest_fmi3 = {fmi3_load,    fmi3_enter, fmi3_leave,   fmi3_set,    fmi3_get,
                                fmi3_advance, fmi3_save,  fmi3_restore, fmi3_forget, fmi3_end};

// projector/ensemble/foreign/guest_fmi2.c - FMI 2.0 for co-simulation: sections 2.1 and 4.2.
#include "projector/ensemble/foreign/guest.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "projector/ensemble/foreign/fmi2.h"

typedef struct functions {
#define FUNCTION(result, name, arguments) result(*name) arguments;
    FMI2_FUNCTIONS(FUNCTION, FUNCTION)
#undef FUNCTION
    fmi2CallbackFunctions callbacks;
} functions;

static void on_log(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status st,
                   fmi2String category, fmi2String format, ...) {
    (void)instance, (void)category;
    if (st == fmi2OK || !format)
        return;
    char text[PAGE_TEXT];
    va_list args;
    va_start(args, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    vsnprintf(text, sizeof text, format, args); // the model's own format
#pragma GCC diagnostic pop
    va_end(args);
    guest_say(environment, text);
}

static bool passed(guest *g, fmi2Status st, page_reply reply, const char *function) {
    static const char *const names[] = {"fmi2OK",    "fmi2Warning", "fmi2Discard",
                                        "fmi2Error", "fmi2Fatal",   "fmi2Pending"};
    if (st == fmi2OK || st == fmi2Warning)
        return true;
    return guest_fail(g, reply, "fmi2%s returned %s", function,
                      (unsigned)st <= fmi2Pending ? names[st] : "no status of the standard");
}

static bool fmi2_load(guest *g) {
    static functions f;
    foreign_page *p = g->page;
    g->functions = &f;
    if (!guest_open(g))
        return false;
#define OPTIONAL(result, name, arguments)                                                          \
    *(void **)(void *)&f.name = dlsym(g->library, "fmi2" #name);
#define FUNCTION(result, name, arguments)                                                          \
    if (!(*(void **)(void *)&f.name = guest_function(g, "fmi2" #name)))                            \
        return false;
    FMI2_FUNCTIONS(FUNCTION, OPTIONAL)
#undef FUNCTION
#undef OPTIONAL
    if (p->saves_states && (!f.GetFMUstate || !f.SetFMUstate || !f.FreeFMUstate))
        return guest_fail(g, REPLY_REFUSED,
                          "it declares that it can save its state, and its "
                          "library has not the functions for it");
    // The location is a URI; its characters beyond those of names are escaped.
    char uri[4 * PAGE_PATH] = "file://";
    size_t n = 7;
    for (const unsigned char *c = (const unsigned char *)p->resources; *c && n + 4 < sizeof uri;
         c++)
        n += (size_t)(*c > 0x20 && *c < 0x7f && *c != '%' && *c != '#' && *c != '?'
                          ? snprintf(uri + n, sizeof uri - n, "%c", *c)
                          : snprintf(uri + n, sizeof uri - n, "%%%02X", *c));
    f.callbacks = (fmi2CallbackFunctions){
        .logger = on_log, .allocateMemory = calloc, .freeMemory = free, .componentEnvironment = g};
    g->instance = f.Instantiate(p->name, fmi2CoSimulation, p->token, uri, &f.callbacks, 0, 0);
    return g->instance ||
           guest_fail(g, REPLY_REFUSED,
                      "it refuses to be instantiated, as it does for a token that is not its own");
}

static bool fmi2_enter(guest *g) {
    functions *f = g->functions;
    double start = (double)g->page->t / 1e9;
    return passed(g, f->SetupExperiment(g->instance, 0, 0, start, 0, 0), REPLY_REFUSED,
                  "SetupExperiment") &&
           passed(g, f->EnterInitializationMode(g->instance), REPLY_REFUSED,
                  "EnterInitializationMode");
}

static bool fmi2_leave(guest *g) {
    functions *f = g->functions;
    return passed(g, f->ExitInitializationMode(g->instance), REPLY_REFUSED,
                  "ExitInitializationMode");
}

static bool fmi2_set(guest *g, page_variable v, double value) {
    functions *f = g->functions;
    fmi2Integer integer;
    switch ((variable_kind)v.kind) {
    case VARIABLE_FLOAT64:
        return passed(g, f->SetReal(g->instance, &v.reference, 1, &value), REPLY_FAILED, "SetReal");
    case VARIABLE_BOOLEAN:
        integer = value != 0;
        return passed(g, f->SetBoolean(g->instance, &v.reference, 1, &integer), REPLY_FAILED,
                      "SetBoolean");
    default:
        if (!guest_integer(g, value, INT32_MIN, INT32_MAX))
            return false;
        integer = (fmi2Integer)value;
        return passed(g, f->SetInteger(g->instance, &v.reference, 1, &integer), REPLY_FAILED,
                      "SetInteger");
    }
}

static bool fmi2_get(guest *g, page_variable v, double *value) {
    functions *f = g->functions;
    fmi2Integer integer = 0;
    bool done;
    switch ((variable_kind)v.kind) {
    case VARIABLE_FLOAT64:
        return passed(g, f->GetReal(g->instance, &v.reference, 1, value), REPLY_FAILED, "GetReal");
    case VARIABLE_BOOLEAN:
        done = passed(g, f->GetBoolean(g->instance, &v.reference, 1, &integer), REPLY_FAILED,
                      "GetBoolean");
        *value = integer != 0;
        return done;
    default:
        done = passed(g, f->GetInteger(g->instance, &v.reference, 1, &integer), REPLY_FAILED,
                      "GetInteger");
        *value = integer;
        return done;
    }
}

static bool fmi2_advance(guest *g, double from, double length, double *reached) {
    functions *f = g->functions;
    // foresee may go back to a state that it saved before this instant.
    fmi2Status st = f->DoStep(g->instance, from, length, !g->page->saves_states);
    *reached = from + length;
    if (st != fmi2Discard)
        return passed(g, st, REPLY_FAILED, "DoStep");
    fmi2Boolean over = 0;
    if (f->GetBooleanStatus &&
        f->GetBooleanStatus(g->instance, fmi2Terminated, &over) <= fmi2Warning && over)
        return guest_fail(g, REPLY_FAILED, "it asked to end the simulation");
    // A part of the step was done: the rest follows from there.
    if (!f->GetRealStatus ||
        f->GetRealStatus(g->instance, fmi2LastSuccessfulTime, reached) > fmi2Warning)
        return passed(g, st, REPLY_FAILED, "DoStep");
    g->page->events++;
    return *reached > from || passed(g, st, REPLY_FAILED, "DoStep");
}

static bool fmi2_save(guest *g, void **state) {
    functions *f = g->functions;
    return passed(g, f->GetFMUstate(g->instance, state), REPLY_FAILED, "GetFMUstate");
}

static bool fmi2_restore(guest *g, void *state) {
    functions *f = g->functions;
    return passed(g, f->SetFMUstate(g->instance, state), REPLY_FAILED, "SetFMUstate");
}

static bool fmi2_forget(guest *g, void **state) {
    functions *f = g->functions;
    bool freed = passed(g, f->FreeFMUstate(g->instance, state), REPLY_FAILED, "FreeFMUstate");
    *state = NULL; // the standard has the model do it, and not every one does
    return freed;
}

static void fmi2_end(guest *g) {
    functions *f = g->functions;
    f->Terminate(g->instance);
    f->FreeInstance(g->instance);
}

const guest_class guest_fmi2 = {fmi2_load,    fmi2_enter, fmi2_leave,   fmi2_set,    fmi2_get,
                                fmi2_advance, fmi2_save,  fmi2_restore, fmi2_forget, fmi2_end};

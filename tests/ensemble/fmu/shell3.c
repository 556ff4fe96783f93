// tests/ensemble/fmu/shell3.c - makes an FMU of version 3.0 of a fixture. An event ends a step
// early, and is handled in event mode.
#include <stdlib.h>
#include <string.h>

#include "projector/ensemble/foreign/fmi3.h"
#include "tests/ensemble/fmu/fixture.h"

#define SHOWN __attribute__((visibility("default")))
#define FUNCTION(result, name, arguments) SHOWN result fmi3##name arguments;
FMI3_FUNCTIONS(FUNCTION, FUNCTION)
#undef FUNCTION

// The modes of the standard, so that an importer's order of calls is checked.
typedef enum mode { INSTANTIATED, INITIALISING, EVENT, STEP, TERMINATED } mode;
typedef struct instance {
    fixture f; // first
    mode mode;
    bool events, early;
} instance;

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean events, fmi3Boolean early,
                                         const fmi3ValueReference *required, size_t count,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
    (void)name, (void)visible, (void)logging, (void)required, (void)count, (void)update;
    if (strcmp(token, fixture_token) != 0 || resources[strlen(resources) - 1] != '/') {
        log(environment, fmi3Error, "error", "the token is another");
        return NULL;
    }
    instance *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    fixture_start(&x->f);
    x->events = events;
    x->early = early;
    return x;
}

void fmi3FreeInstance(fmi3Instance c) {
    free(c);
}

static fmi3Status mode_change(instance *x, mode from, mode to) {
    if (x->mode != from)
        return fmi3Error;
    x->mode = to;
    return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_end, fmi3Float64 end) {
    (void)has_tolerance, (void)tolerance, (void)has_end, (void)end;
    ((instance *)c)->f.time = start;
    return mode_change(c, INSTANTIATED, INITIALISING);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
    return mode_change(c, INITIALISING, ((instance *)c)->events ? EVENT : STEP);
}

fmi3Status fmi3EnterEventMode(fmi3Instance c) {
    return mode_change(c, STEP, EVENT);
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *more, fmi3Boolean *over,
                                    fmi3Boolean *nominals, fmi3Boolean *values, fmi3Boolean *next,
                                    fmi3Float64 *when) {
    instance *x = c;
    // A first call handles the event, a second finds nothing more to do.
    *more = x->f.event;
    *over = *nominals = *values = *next = false;
    *when = 0;
    if (x->f.event)
        fixture_event(&x->f);
    return x->mode == EVENT ? fmi3OK : fmi3Error;
}

fmi3Status fmi3EnterStepMode(fmi3Instance c) {
    return mode_change(c, EVENT, STEP);
}

fmi3Status fmi3Terminate(fmi3Instance c) {
    return mode_change(c, STEP, TERMINATED);
}

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 length, fmi3Boolean no_return,
                      fmi3Boolean *event, fmi3Boolean *over, fmi3Boolean *early,
                      fmi3Float64 *last) {
    instance *x = c;
    (void)no_return;
    // A model that keeps its own time finds out when an importer's drifts.
    if (x->mode != STEP || x->f.time < t - 1e-9 || x->f.time > t + 1e-9)
        return fmi3Error;
    x->f.time = t;
    fixture_step(&x->f, length);
    if (x->f.event && (!x->events || !x->early))
        return fmi3Error;
    *event = *early = x->f.event;
    *over = false;
    *last = x->f.time;
    return fmi3OK;
}

#define ACCESS(type)                                                                               \
    fmi3Status fmi3Get##type(fmi3Instance c, const fmi3ValueReference *vr, size_t n,               \
                             fmi3##type *values, size_t count) {                                   \
        for (size_t i = 0; i < n; i++)                                                             \
            if (vr[i] >= FIXTURE_VALUES || count != n)                                             \
                return fmi3Error;                                                                  \
            else                                                                                   \
                values[i] = (fmi3##type)((instance *)c)->f.value[vr[i]];                           \
        return fmi3OK;                                                                             \
    }                                                                                              \
    fmi3Status fmi3Set##type(fmi3Instance c, const fmi3ValueReference *vr, size_t n,               \
                             const fmi3##type *values, size_t count) {                             \
        for (size_t i = 0; i < n; i++)                                                             \
            if (vr[i] >= FIXTURE_VALUES || count != n)                                             \
                return fmi3Error;                                                                  \
            else                                                                                   \
                ((instance *)c)->f.value[vr[i]] = (double)values[i];                               \
        return fmi3OK;                                                                             \
    }
ACCESS(Float64)
ACCESS(Float32)
ACCESS(Boolean)
#define NUMBER(type, kind, low, high) ACCESS(type)
FMI3_INTEGERS(NUMBER)

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state) {
    *state = *state ? *state : calloc(1, sizeof(fixture));
    if (!*state)
        return fmi3Error;
    fixture_copy(*state, &((instance *)c)->f);
    return fmi3OK;
}

fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
    fixture_copy(&((instance *)c)->f, state);
    return fmi3OK;
}

fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state) {
    (void)c;
    free(*state);
    *state = NULL;
    return fmi3OK;
}

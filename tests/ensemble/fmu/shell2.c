// tests/ensemble/fmu/shell2.c - makes an FMU of version 2.0 of a fixture. An event ends a step
// early: the step is discarded, and says how far it came.
#include <stdlib.h>
#include <string.h>

#include "projector/ensemble/foreign/fmi2.h"
#include "tests/ensemble/fmu/fixture.h"

#define SHOWN __attribute__((visibility("default")))
#define FUNCTION(result, name, arguments) SHOWN result fmi2##name arguments;
FMI2_FUNCTIONS(FUNCTION, FUNCTION)
#undef FUNCTION

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token,
                              fmi2String resources, const fmi2CallbackFunctions *f,
                              fmi2Boolean visible, fmi2Boolean logging) {
    (void)visible, (void)logging;
    if (type != fmi2CoSimulation || strncmp(resources, "file:///", 8) != 0 ||
        strcmp(token, fixture_token) != 0) {
        f->logger(f->componentEnvironment, name, fmi2Error, "error", "the token is not %s",
                  fixture_token);
        return NULL;
    }
    fixture *x = f->allocateMemory(1, sizeof *x);
    if (x)
        fixture_start(x);
    return x;
}

void fmi2FreeInstance(fmi2Component c) {
    free(c);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_end, fmi2Real end) {
    (void)has_tolerance, (void)tolerance, (void)has_end, (void)end;
    ((fixture *)c)->time = start;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    (void)c;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    (void)c;
    return fmi2OK;
}

fmi2Status fmi2Terminate(fmi2Component c) {
    (void)c;
    return fmi2OK;
}

#define ACCESS(type)                                                                               \
    fmi2Status fmi2Get##type(fmi2Component c, const fmi2ValueReference *vr, size_t n,              \
                             fmi2##type *values) {                                                 \
        for (size_t i = 0; i < n; i++)                                                             \
            if (vr[i] >= FIXTURE_VALUES)                                                           \
                return fmi2Error;                                                                  \
            else                                                                                   \
                values[i] = (fmi2##type)((fixture *)c)->value[vr[i]];                              \
        return fmi2OK;                                                                             \
    }                                                                                              \
    fmi2Status fmi2Set##type(fmi2Component c, const fmi2ValueReference *vr, size_t n,              \
                             const fmi2##type *values) {                                           \
        for (size_t i = 0; i < n; i++)                                                             \
            if (vr[i] >= FIXTURE_VALUES)                                                           \
                return fmi2Error;                                                                  \
            else                                                                                   \
                ((fixture *)c)->value[vr[i]] = values[i];                                          \
        return fmi2OK;                                                                             \
    }
ACCESS(Real)
ACCESS(Integer)
ACCESS(Boolean)

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real length, fmi2Boolean no_return) {
    fixture *f = c;
    (void)no_return;
    // A model that keeps its own time finds out when an importer's drifts.
    if (f->time < t - 1e-9 || f->time > t + 1e-9)
        return fmi2Error;
    f->time = t;
    fixture_step(f, length);
    if (!f->event)
        return fmi2OK;
    fixture_event(f);
    return fmi2Discard;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real *value) {
    *value = ((fixture *)c)->time;
    return kind == fmi2LastSuccessfulTime ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value) {
    (void)c;
    *value = 0;
    return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    *state = *state ? *state : calloc(1, sizeof(fixture));
    if (!*state)
        return fmi2Error;
    fixture_copy(*state, c);
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    fixture_copy(c, state);
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    (void)c;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

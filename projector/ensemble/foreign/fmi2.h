// projector/ensemble/foreign/fmi2.h - the part of the C interface of FMI 2.0 that co-simulation
// needs, as section 2 and 4 of the standard describe it. Shared by the importer and the models of
// the tests.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_FMI2_H
#define FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_FMI2_H

#include <stddef.h>

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean; // 0 or 1
typedef const char *fmi2String;

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum {
    fmi2DoStepStatus,
    fmi2PendingStatus,
    fmi2LastSuccessfulTime,
    fmi2Terminated
} fmi2StatusKind;

typedef struct {
    void (*logger)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status, fmi2String category,
                   fmi2String format, ...);
    void *(*allocateMemory)(size_t count, size_t size);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

// FUNCTION(result, name, arguments), and OPTIONAL of those that not every model has.
#define FMI2_FUNCTIONS(FUNCTION, OPTIONAL)                                                         \
    FUNCTION(fmi2Component, Instantiate,                                                           \
             (fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions *,         \
              fmi2Boolean, fmi2Boolean))                                                           \
    FUNCTION(void, FreeInstance, (fmi2Component))                                                  \
    FUNCTION(fmi2Status, SetupExperiment,                                                          \
             (fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real))              \
    FUNCTION(fmi2Status, EnterInitializationMode, (fmi2Component))                                 \
    FUNCTION(fmi2Status, ExitInitializationMode, (fmi2Component))                                  \
    FUNCTION(fmi2Status, Terminate, (fmi2Component))                                               \
    FUNCTION(fmi2Status, GetReal, (fmi2Component, const fmi2ValueReference *, size_t, fmi2Real *)) \
    FUNCTION(fmi2Status, GetInteger,                                                               \
             (fmi2Component, const fmi2ValueReference *, size_t, fmi2Integer *))                   \
    FUNCTION(fmi2Status, GetBoolean,                                                               \
             (fmi2Component, const fmi2ValueReference *, size_t, fmi2Boolean *))                   \
    FUNCTION(fmi2Status, SetReal,                                                                  \
             (fmi2Component, const fmi2ValueReference *, size_t, const fmi2Real *))                \
    FUNCTION(fmi2Status, SetInteger,                                                               \
             (fmi2Component, const fmi2ValueReference *, size_t, const fmi2Integer *))             \
    FUNCTION(fmi2Status, SetBoolean,                                                               \
             (fmi2Component, const fmi2ValueReference *, size_t, const fmi2Boolean *))             \
    FUNCTION(fmi2Status, DoStep, (fmi2Component, fmi2Real, fmi2Real, fmi2Boolean))                 \
    OPTIONAL(fmi2Status, GetRealStatus, (fmi2Component, fmi2StatusKind, fmi2Real *))               \
    OPTIONAL(fmi2Status, GetBooleanStatus, (fmi2Component, fmi2StatusKind, fmi2Boolean *))         \
    OPTIONAL(fmi2Status, GetFMUstate, (fmi2Component, fmi2FMUstate *))                             \
    OPTIONAL(fmi2Status, SetFMUstate, (fmi2Component, fmi2FMUstate))                               \
    OPTIONAL(fmi2Status, FreeFMUstate, (fmi2Component, fmi2FMUstate *))

#endif

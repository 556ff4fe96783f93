// projector/ensemble/foreign/fmi3.h - the part of the C interface of FMI 3.0 that co-simulation
// needs, as sections 2 and 4 of the standard describe it. Shared by the importer and the models of
// the tests.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_FMI3_H
#define FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef const char *fmi3String;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean *,
                                               fmi3Float64 *);

// Types of numbers that are exchanged: of integers NUMBER(name, kind, least, greatest).
#define FMI3_INTEGERS(NUMBER)                                                                      \
    NUMBER(Int8, INT8, INT8_MIN, INT8_MAX)                                                         \
    NUMBER(UInt8, UINT8, 0, UINT8_MAX)                                                             \
    NUMBER(Int16, INT16, INT16_MIN, INT16_MAX)                                                     \
    NUMBER(UInt16, UINT16, 0, UINT16_MAX)                                                          \
    NUMBER(Int32, INT32, INT32_MIN, INT32_MAX)                                                     \
    NUMBER(UInt32, UINT32, 0, UINT32_MAX)                                                          \
    NUMBER(Int64, INT64, -9007199254740992.0, 9007199254740992.0)                                  \
    NUMBER(UInt64, UINT64, 0, 9007199254740992.0)
// A type has functions that get and set it.
#define FMI3_ACCESS(OPTIONAL, type)                                                                \
    OPTIONAL(fmi3Status, Get##type,                                                                \
             (fmi3Instance, const fmi3ValueReference *, size_t, fmi3##type *, size_t))             \
    OPTIONAL(fmi3Status, Set##type,                                                                \
             (fmi3Instance, const fmi3ValueReference *, size_t, const fmi3##type *, size_t))

// FUNCTION(result, name, arguments), and OPTIONAL of those that not every model has.
#define FMI3_FUNCTIONS(FUNCTION, OPTIONAL)                                                         \
    FUNCTION(fmi3Instance, InstantiateCoSimulation,                                                \
             (fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3Boolean,           \
              fmi3Boolean, const fmi3ValueReference *, size_t, fmi3InstanceEnvironment,            \
              fmi3LogMessageCallback, fmi3IntermediateUpdateCallback))                             \
    FUNCTION(void, FreeInstance, (fmi3Instance))                                                   \
    FUNCTION(fmi3Status, EnterInitializationMode,                                                  \
             (fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Float64))      \
    FUNCTION(fmi3Status, ExitInitializationMode, (fmi3Instance))                                   \
    FUNCTION(fmi3Status, Terminate, (fmi3Instance))                                                \
    FUNCTION(fmi3Status, DoStep,                                                                   \
             (fmi3Instance, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean *, fmi3Boolean *,   \
              fmi3Boolean *, fmi3Float64 *))                                                       \
    OPTIONAL(fmi3Status, EnterEventMode, (fmi3Instance))                                           \
    OPTIONAL(fmi3Status, EnterStepMode, (fmi3Instance))                                            \
    OPTIONAL(fmi3Status, UpdateDiscreteStates,                                                     \
             (fmi3Instance, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *,            \
              fmi3Boolean *, fmi3Float64 *))                                                       \
    OPTIONAL(fmi3Status, GetFMUState, (fmi3Instance, fmi3FMUState *))                              \
    OPTIONAL(fmi3Status, SetFMUState, (fmi3Instance, fmi3FMUState))                                \
    OPTIONAL(fmi3Status, FreeFMUState, (fmi3Instance, fmi3FMUState *))                             \
    FMI3_ACCESS(OPTIONAL, Float64)                                                                 \
    FMI3_ACCESS(OPTIONAL, Float32)                                                                 \
    FMI3_ACCESS(OPTIONAL, Boolean)                                                                 \
    FMI3_ACCESS(OPTIONAL, Int8)                                                                    \
    FMI3_ACCESS(OPTIONAL, UInt8)                                                                   \
    FMI3_ACCESS(OPTIONAL, Int16)                                                                   \
    FMI3_ACCESS(OPTIONAL, UInt16)                                                                  \
    FMI3_ACCESS(OPTIONAL, Int32)                                                                   \
    FMI3_ACCESS(OPTIONAL, UInt32)                                                                  \
    FMI3_ACCESS(OPTIONAL, Int64)                                                                   \
    FMI3_ACCESS(OPTIONAL, UInt64)

#endif

// projector/ensemble/foreign/description.h - what modelDescription.xml says of a model (FMI 2.0 and
// 3.0): its interface, its variables and their units.
//
// Owns:      nothing; all lives in the caller's arena.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_DESCRIPTION_H
#define FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_DESCRIPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

typedef enum variable_kind {
#define KIND(name, two, three) VARIABLE_##name,
#include "projector/ensemble/foreign/kinds.def"
#undef KIND
    VARIABLE_KINDS
} variable_kind;

typedef enum causality {
    CAUSALITY_PARAMETER, // its structural and calculated ones are CAUSALITY_OTHER
    CAUSALITY_INPUT,
    CAUSALITY_OUTPUT,
    CAUSALITY_LOCAL, // can be read as an output can
    CAUSALITY_OTHER
} causality;

// The exponents of kg, m, s, A, K, mol, cd and rad; SI = factor * value + offset.
enum { UNIT_BASES = 8 };
typedef struct fmi_unit {
    const char *name;
    bool defined; // in base units; where not, only its name is known
    int exponents[UNIT_BASES];
    double factor, offset;
} fmi_unit;

typedef struct fmi_variable {
    const char *name;
    uint32_t reference;
    variable_kind kind;
    causality causality;
    bool array;           // has dimensions; cannot be exchanged
    bool constant;        // or fixed otherwise than by a start value: cannot be set
    const fmi_unit *unit; // NULL: none is declared
    bool relative;        // a difference, to which the unit's offset does not apply
} fmi_variable;

typedef struct fmi_description {
    int version; // 2 or 3
    const char *model, *token, *identifier;
    bool saves_states; // canGetAndSetFMUstate
    bool event_mode, early_return;
    bool constant_step; // canHandleVariableCommunicationStepSize is false
    double step;        // s, which it proposes; 0: none
    fmi_variable *variables;
    size_t variable_count;
} fmi_description;

// Reads the text of a modelDescription.xml, which messages call `file`. E_INPUT: it is wrong, is of
// another version, or describes a model without co-simulation.
status fmi_description_read(arena *a, const char *file, const char *text, size_t length,
                            fmi_description *out, error *err);
// Returns NULL where there is none.
const fmi_variable *fmi_variable_find(const fmi_description *d, const char *name);
const char *fmi_causality_name(causality c);
const char *fmi_kind_name(variable_kind k);
// Reads a unit of foresee, "m/s" or "K", "kg.m2/s2": names of base units, N, J, W, Pa, Hz, and 1,
// with exponents, joined by '.', and '/' before each that divides. False: it is none.
bool fmi_unit_read(const char *text, int exponents[UNIT_BASES]);
// Writes it as fmi_unit_read reads it: "kg.m2/s2"; "1" without any.
const char *fmi_unit_write(arena *a, const int exponents[UNIT_BASES]);

#endif

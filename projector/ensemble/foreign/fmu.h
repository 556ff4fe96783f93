// projector/ensemble/foreign/fmu.h - a Functional Mock-up Unit: a zip file with a model of FMI 2.0
// or 3.0, for co-simulation.
//
// Opening one reads its description and runs nothing of it; fmu_start runs its native code, in a
// process of its own (foreign.h).
//
// Owns:      a private folder with what was unpacked, which fmu_close removes. It must outlive the
//            models that were started from it.
// Values:    all in SI; the units that the model declares are converted.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_FMU_H
#define FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_FMU_H

#include "projector/ensemble/foreign/archive.h"
#include "projector/ensemble/foreign/description.h"
#include "projector/ensemble/foreign/foreign.h"
#include "projector/ensemble/model.h"

typedef struct fmu fmu;

// `limits`: NULL for the defaults. E_INPUT: the file is no FMU, is refused (archive.h), is of
// another version, has no co-simulation, or no library for this machine; E_LIMIT: it is too large.
status fmu_open(const char *path, const archive_limits *limits, fmu **out, error *err);
void fmu_close(fmu *m); // NULL is a no-op
const fmi_description *fmu_description(const fmu *m);
const char *fmu_sha256(const fmu *m); // of the file, in hexadecimal
const char *fmu_folder(const fmu *m);

// A variable of the model that is given (CAUSALITY_INPUT; a parameter too, once before the start)
// or read (CAUSALITY_OUTPUT; a local one too).
typedef struct fmu_binding {
    const fmi_variable *variable;
    double value; // SI; what an input has at the start, or a parameter
} fmu_binding;
// Finds the variable. `unit`: the one that foresee has for it, as fmi_unit_read reads them; NULL:
// any. A model that declares no unit is taken to mean that one. E_INPUT: there is no such variable,
// it is of another causality or unit, or has a type that is no number.
status fmu_bind(const fmu *m, const char *name, causality as, const char *unit, fmu_binding *out,
                error *err);

// One that runs. `inputs` and `outputs` hold what fmu_bind gave; parameters among the inputs are
// set before the start, and what fmu_post gives for them is not read.
typedef struct fmu_model fmu_model;
status fmu_start(const fmu *m, const char *name, const fmu_binding *inputs, size_t input_count,
                 const fmu_binding *outputs, size_t output_count, nanos start,
                 const foreign_options *options, fmu_model **out, error *err);
void fmu_end(fmu_model *m); // NULL is a no-op
// As foreign_post and foreign_take; one value for each input of fmu_start, in SI.
void fmu_post(fmu_model *m, nanos t, nanos dt, const double *inputs);
status fmu_take(fmu_model *m, error *err);
// One value for each output, in SI; borrowed.
const double *fmu_outputs(fmu_model *m);
// The process: states are saved, restored and rehearsed there. fmu_outputs follows a restoring.
foreign *fmu_process(fmu_model *m);

// The class `fmu` of an ensemble's models. Its setup names the file; the inputs and outputs that it
// connects are the ports. The process begins at `start`, when `out` gets its first values. After a
// step in which the model had events of its own it tells one, "event".
extern const model_class FMU_MODEL;
const char *fmu_model_sha256(const model *m); // of the file of a model of this class

#endif

// projector/body.h - the simulated robot: the middleware's implementation over simulation and
// senses.
//
// Owns:      the record of the commands that were given, and by which operation.
#ifndef FORESEE_PROJECTOR_BODY_H
#define FORESEE_PROJECTOR_BODY_H

#include "projector/middleware.h"
#include "projector/recorder.h"
#include "projector/sense/sense.h"
#include "schema/motion/keyframe.h"

typedef struct body body;

// All arguments are borrowed. `cycle`: how long the interpreter's commands are to be spread over.
void body_create(const robot_model *r, sim *s, sense *senses, sink *log, const recorder_ids *ids,
                 nanos cycle, double tolerance, body **out);
void body_destroy(body *b);
// The boundary that the mind is given; borrowed from the body.
middleware *body_middleware(body *b);
// Tells it what time it is; before the interpreter's cycle at t.
void body_set_time(body *b, nanos t);
// Whether there are the operations that the section `fidelity` of a world names. E_INPUT, at the
// first that there is not.
status body_check_operations(const world_fidelity *f, error *err);
// Whether an operation of this name runs.
bool body_runs(const body *b, const char *name);
// Whether the arm follows an operator's station now.
bool body_follows(const body *b, size_t arm);
// Drives the base ahead at so many m/s, unless an operation uses the base.
status body_drive(body *b, double speed, error *err);
// From now on no command reaches a motor: somebody else moves the robot.
void body_deafen(body *b);
// Makes the commands up to now known to the log.
status body_flush(body *b, error *err);

#endif

// projector/margins.h - margins of led arms (guide: margin:) that overlap with the map where the
// plan begins, found before it runs.
//
// Looked at is what is known beforehand: an arm is where the robot starts with it, or where the
// plan sends it by the numbers of its joints, for as long as neither base nor fingers have moved,
// and no step that runs beside may move it. From there on the step itself looks, when it begins.
#ifndef FORESEE_PROJECTOR_MARGINS_H
#define FORESEE_PROJECTOR_MARGINS_H

#include "projector/inputs.h"
#include "projector/world/sim.h"

// `world` is that of the inputs, at its start. E_INPUT: a margin overlaps, at its place in the
// plan, with the two parts and their distance.
status margins_check(const projection_inputs *in, const sim *world, error *err);

#endif

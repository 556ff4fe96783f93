// projector/sense/pole.h - what the driver of a laser makes of a scan: where in it a pole stands.
//
// Schierl et al. 2017, VI: of the readings, those within 0.5 m of where the pole is expected count;
// among them a cluster is looked for that is as wide as the pole.
#ifndef FORESEE_PROJECTOR_SENSE_POLE_H
#define FORESEE_PROJECTOR_SENSE_POLE_H

#include "base/math/geom.h"
#include "scene/robot/robot.h"

#define POLE_WITHIN 0.5 // m

typedef struct pole_found {
    vec3 center; // of the pole, in the scanner's plane, m
    int beam;    // the middle one of those that end on it
} pole_found;

// Finds the cluster nearest to where a pole of this diameter (m) is expected, in the scanner's
// frame; heights are not looked at. Beams that follow one another belong to one cluster while they
// end no farther apart than the pole's surface and the noise allow; a cluster counts that takes as
// many beams as the pole would at its distance, give or take one and a half, and on both sides of
// which beams end behind it: else it is part of something larger. False: there is none.
bool pole_find(const robot_laser *laser, const double *ranges, vec3 expected, double diameter,
               pole_found *out);

#endif

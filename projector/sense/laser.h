// projector/sense/laser.h - a planar laser scanner: true ranges by ray casting.
#ifndef FORESEE_PROJECTOR_SENSE_LASER_H
#define FORESEE_PROJECTOR_SENSE_LASER_H

#include "projector/sense/rays.h"

// The true range of each of laser->beams beams of a scanner standing at `eye` (beams in its xy
// plane); infinity where nothing lies within range. The entity `own`, which carries it, is not
// seen.
void laser_scan(ray_scene *rs, const robot_laser *laser, pose eye, size_t own, double *ranges);
// Direction of a beam about the scanner's z axis, rad.
static inline double laser_bearing(const robot_laser *laser, int beam) {
    return laser->beams < 2 ? 0 : -laser->fov / 2 + laser->fov * beam / (laser->beams - 1);
}

#endif

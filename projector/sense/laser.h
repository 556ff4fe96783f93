// projector/sense/laser.h - a planar laser scanner: true ranges by ray casting, and the beam model
// that makes readings of them.
#ifndef FORESEE_PROJECTOR_SENSE_LASER_H
#define FORESEE_PROJECTOR_SENSE_LASER_H

#include "base/math/rng.h"
#include "projector/sense/rays.h"

// The true range of each of laser->beams beams of a scanner standing at `eye` (beams in its xy
// plane); infinity where nothing lies within range. The entity `own`, which carries it, is not
// seen.
void laser_scan(ray_scene *rs, const robot_laser *laser, pose eye, size_t own, double *ranges);
// Direction of a beam about the scanner's z axis, rad.
static inline double laser_bearing(const robot_laser *laser, int beam) {
    return laser->beams < 2 ? 0 : -laser->fov / 2 + laser->fov * beam / (laser->beams - 1);
}

// The kinds of readings of a beam (Thrun, Burgard, Fox: Probabilistic Robotics, 6.3).
typedef enum beam_kind { BEAM_HIT, BEAM_SHORT, BEAM_MAX, BEAM_RANDOM } beam_kind;
// Which of them a uniform draw from [0, 1) stands for. While no share exceeds a third each has its
// own place in the unit interval, so that changing one moves no beam between the others.
beam_kind laser_kind(const robot_laser *laser, double u);
// The reading of a beam whose true range this is (infinity: nothing in range), in whole
// millimetres; infinity: no echo. `key` is that of the scan's stream, `scan` its number in it. What
// the beam does, the noise of a hit, and the length of a short or random one are draws of their
// own. A short one lies between min_range and the true range, or max_range where there is none.
double laser_beam(const robot_laser *laser, rng_key key, uint64_t scan, int beam, double range);

#endif

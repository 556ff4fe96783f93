// projector/sense/camera.h - which bodies a camera sees, how much of them, what hides the rest, and
// how likely it is to report them.
#ifndef FORESEE_PROJECTOR_SENSE_CAMERA_H
#define FORESEE_PROJECTOR_SENSE_CAMERA_H

#include "projector/sense/rays.h"

enum { CAMERA_BLOCKERS = 8 };

typedef struct sighting {
    bool in_view;    // a sample point lies within frustum and range
    bool beyond;     // none does, but it stands within the picture behind the range's end
    double fraction; // share of the sample rays that are within them and free
    size_t blocker_count;
    size_t blockers[CAMERA_BLOCKERS]; // entities, those that block most first
    double blocked[CAMERA_BLOCKERS];  // share of the rays
} sighting;

// Points the camera: it stands at `eye` (x forward, y left, z up), carried by the entity `own`,
// which hides nothing. Gathers what may be within its frustum, for the looks that follow.
void camera_aim(ray_scene *rs, const robot_camera *camera, pose eye, size_t own);
// Looks at one entity from where the camera was pointed. The rays end at points spread evenly
// through the entity's shapes, so `fraction` estimates the free share of what it would show; the
// frame's edges take away from it as blockers do.
void camera_look(ray_scene *rs, const robot_camera *camera, pose eye, size_t entity, sighting *out);
// Distance from the eye to the first surface along a unit direction within the frustum, or
// infinity.
double camera_depth(const ray_scene *rs, pose eye, vec3 direction);

// Probability that a frame reports a body of which this share is seen at this distance, by the
// formula at robot_camera. *why names what took most from it: chance, occluded or far.
double camera_detection(const robot_camera *camera, double fraction, double distance,
                        const char **why);

#endif

// projector/sense/camera.h - which bodies a camera sees, how much of them, and what hides the rest.
#ifndef FORESEE_PROJECTOR_SENSE_CAMERA_H
#define FORESEE_PROJECTOR_SENSE_CAMERA_H

#include "projector/sense/rays.h"

enum { CAMERA_BLOCKERS = 8, CAMERA_RAYS_MAX = 256 };

typedef struct sighting {
    bool in_view;    // a sample point lies within frustum and range
    double fraction; // share of the sample rays that are within them and free
    size_t blocker_count;
    size_t blockers[CAMERA_BLOCKERS]; // entities, those that block most first
    double blocked[CAMERA_BLOCKERS];  // share of the rays
} sighting;

// Looks at one entity from a camera standing at `eye` (x forward, y left, z up). The rays end at
// points spread evenly through the entity's shapes, so `fraction` estimates the free share of what
// it would show; the frame's edges take away from it as blockers do. The entity `own`, which
// carries the camera, hides nothing. Uses the scratch of `rs`.
void camera_look(ray_scene *rs, const robot_camera *camera, pose eye, size_t own, size_t entity,
                 sighting *out);

#endif

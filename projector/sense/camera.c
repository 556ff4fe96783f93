// projector/sense/camera.c - what the camera sees of a target: the share of its points that nothing
// hides.
#include "projector/sense/camera.h"

#include <math.h>

// Returns whether something of a sphere (radius 0: a point) in the camera's frame may lie within
// the picture's edges.
static bool in_picture(const robot_camera *camera, vec3 local, double radius) {
    double x = camera->fov_x / 2, y = camera->fov_y / 2;
    return fabs(local.y) * cos(x) - local.x * sin(x) <= radius &&
           fabs(local.z) * cos(y) - local.x * sin(y) <= radius;
}

static bool in_view(const robot_camera *camera, vec3 local, double radius) {
    return local.x >= camera->near - radius && local.x <= camera->far + radius &&
           in_picture(camera, local, radius);
}

void camera_aim(ray_scene *rs, const robot_camera *camera, pose eye, size_t own) {
    pose into = pose_inverse(eye);
    rs->ahead_count = 0;
    for (size_t i = 0; i < rs->count; i++) {
        const ray_solid *solid = &rs->solids[i];
        if (i == own || solid->radius < 0 || !solid->present || solid->transparent)
            continue;
        if (!isinf(solid->radius)) {
            // A solid nearer than the camera's range hides those within the range.
            vec3 local = pose_apply(into, solid->center_w);
            if (local.x < -solid->radius || local.x > camera->far + solid->radius ||
                !in_picture(camera, local, solid->radius))
                continue;
        }
        rs->ahead[rs->ahead_count++] = i;
    }
}

double camera_depth(const ray_scene *rs, pose eye, vec3 direction) {
    double nearest = INFINITY;
    for (size_t i = 0; i < rs->ahead_count; i++)
        nearest = fmin(nearest, ray_solid_hit(&rs->solids[rs->ahead[i]], eye.p, direction));
    return nearest;
}

// Which solids can stand between the eye and the target's bounding sphere at all.
static size_t find_candidates(ray_scene *rs, vec3 eye, size_t entity) {
    const ray_solid *target = &rs->solids[entity];
    vec3 to = v3_sub(target->center_w, eye);
    double reach = v3_length(to);
    vec3 direction = v3_unit(to);
    size_t count = 0;
    for (size_t k = 0; k < rs->ahead_count; k++) {
        size_t i = rs->ahead[k];
        const ray_solid *solid = &rs->solids[i];
        if (i == entity)
            continue;
        if (!isinf(solid->radius)) {
            vec3 there = v3_sub(solid->center_w, eye);
            double along = v3_dot(there, direction);
            if (along < -solid->radius || along > reach + target->radius + solid->radius)
                continue;
            double aside = sqrt(fmax(0, v3_dot(there, there) - along * along));
            if (aside > solid->radius + target->radius)
                continue;
        }
        rs->hits[count] = 0;
        rs->near[count++] = i;
    }
    return count;
}

void camera_look(ray_scene *rs, const robot_camera *camera, pose eye, size_t entity,
                 sighting *out) {
    *out = (sighting){0};
    const ray_solid *target = &rs->solids[entity];
    if (target->radius <= 0 || isinf(target->radius) || !target->present)
        return;
    pose into = pose_inverse(eye);
    vec3 middle = pose_apply(into, target->center_w);
    out->beyond = middle.x > camera->far && in_picture(camera, middle, 0);
    if (!in_view(camera, middle, target->radius))
        return;
    size_t *near = rs->near, *hits = rs->hits;
    size_t near_count = 0;
    int rays = camera->rays < 1 ? 1 : camera->rays > RAY_SAMPLES ? RAY_SAMPLES : camera->rays;
    int free_rays = 0;
    for (int i = 0; i < rays; i++) {
        vec3 point = ray_sample(target, (size_t)i % target->shape_count, i);
        if (!in_view(camera, pose_apply(into, point), 0))
            continue;
        if (!out->in_view) {
            out->in_view = true;
            out->beyond = false;
            near_count = find_candidates(rs, eye.p, entity);
        }
        vec3 to = v3_sub(point, eye.p);
        double length = v3_length(to);
        vec3 direction = v3_unit(to);
        double surface = fmin(length, ray_solid_hit(target, eye.p, direction));
        double nearest = surface - 1e-4;
        size_t blocker = SIZE_MAX;
        for (size_t c = 0; c < near_count; c++) {
            double d = ray_solid_hit(&rs->solids[near[c]], eye.p, direction);
            if (d < nearest) {
                nearest = d;
                blocker = c;
            }
        }
        if (blocker == SIZE_MAX)
            free_rays++;
        else
            hits[blocker]++;
    }
    out->fraction = (double)free_rays / rays;
    // The heaviest blockers, the earlier entity first among equals.
    while (out->blocker_count < CAMERA_BLOCKERS) {
        size_t best = SIZE_MAX;
        for (size_t c = 0; c < near_count; c++)
            if (hits[c] > 0 && (best == SIZE_MAX || hits[c] > hits[best]))
                best = c;
        if (best == SIZE_MAX)
            break;
        out->blockers[out->blocker_count] = near[best];
        out->blocked[out->blocker_count++] = (double)hits[best] / rays;
        hits[best] = 0;
    }
}

double camera_detection(const robot_camera *camera, double fraction, double distance,
                        const char **why) {
    double ramp = camera->full_visible - camera->min_visible;
    double seen = fraction < camera->min_visible ? 0
                  : ramp > 0                     ? fmin(1, (fraction - camera->min_visible) / ramp)
                                                 : 1;
    double depth = camera->far - camera->clear_range;
    double beyond = depth > 0 ? fmin(1, fmax(0, (distance - camera->clear_range) / depth)) : 0;
    double clear = 1 - (1 - camera->far_detection) * beyond;
    *why = seen <= clear && seen <= camera->detection_rate ? "occluded"
           : clear < camera->detection_rate                ? "far"
                                                           : "chance";
    return camera->detection_rate * seen * clear;
}

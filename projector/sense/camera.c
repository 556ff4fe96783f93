#include "projector/sense/camera.h"

#include <math.h>

// Point i of a low-discrepancy sequence (additive recurrence, generalised golden ratio in 3-D).
static vec3 spread(int i) {
    const double g = 1.2207440846057596;
    double x = 0.5 + (i + 1) / g, y = 0.5 + (i + 1) / (g * g), z = 0.5 + (i + 1) / (g * g * g);
    return v3(x - floor(x), y - floor(y), z - floor(z));
}

static vec3 point_in(const shape *s, vec3 u) {
    switch (s->kind) {
    case SHAPE_BOX:
        return v3((u.x - 0.5) * s->size.x, (u.y - 0.5) * s->size.y, (u.z - 0.5) * s->size.z);
    case SHAPE_CYLINDER:
    case SHAPE_CAPSULE: {
        double radius = s->size.x * sqrt(u.x), turn = 2 * PI * u.y;
        return v3(radius * cos(turn), radius * sin(turn), (u.z - 0.5) * s->size.z);
    }
    case SHAPE_SPHERE: {
        double radius = s->size.x * cbrt(u.x), turn = 2 * PI * u.y, up = 2 * u.z - 1;
        double flat = sqrt(fmax(0, 1 - up * up));
        return v3(radius * flat * cos(turn), radius * flat * sin(turn), radius * up);
    }
    case SHAPE_PLANE:
        break;
    }
    return v3(0, 0, 0);
}

// Whether something of a sphere (radius 0: a point) in the camera's frame may lie within frustum
// and range.
static bool in_view(const robot_camera *camera, vec3 local, double radius) {
    double x = camera->fov_x / 2, y = camera->fov_y / 2;
    return local.x >= camera->near - radius && local.x <= camera->far + radius &&
           fabs(local.y) * cos(x) - local.x * sin(x) <= radius &&
           fabs(local.z) * cos(y) - local.x * sin(y) <= radius;
}

// Which solids can stand between the eye and the target's bounding sphere at all.
static size_t candidates(ray_scene *rs, vec3 eye, size_t own, size_t entity) {
    const ray_solid *target = &rs->solids[entity];
    vec3 to = v3_sub(target->center_w, eye);
    double reach = v3_length(to);
    vec3 direction = v3_unit(to);
    size_t count = 0;
    for (size_t i = 0; i < rs->count; i++) {
        const ray_solid *solid = &rs->solids[i];
        if (i == entity || i == own || solid->radius < 0)
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

void camera_look(ray_scene *rs, const robot_camera *camera, pose eye, size_t own, size_t entity,
                 sighting *out) {
    *out = (sighting){0};
    const ray_solid *target = &rs->solids[entity];
    pose into = pose_inverse(eye);
    if (target->radius <= 0 || isinf(target->radius) ||
        !in_view(camera, pose_apply(into, target->center_w), target->radius))
        return;
    size_t *near = rs->near, *hits = rs->hits;
    size_t near_count = 0;
    int rays = camera->rays < 1                 ? 1
               : camera->rays > CAMERA_RAYS_MAX ? CAMERA_RAYS_MAX
                                                : camera->rays;
    int free_rays = 0;
    for (int i = 0; i < rays; i++) {
        size_t k = (size_t)i % target->shape_count;
        vec3 point = pose_apply(target->shape_at[k], point_in(&target->shapes[k], spread(i)));
        if (!in_view(camera, pose_apply(into, point), 0))
            continue;
        if (!out->in_view) {
            out->in_view = true;
            near_count = candidates(rs, eye.p, own, entity);
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

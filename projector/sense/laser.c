#include "projector/sense/laser.h"

#include <math.h>

void laser_scan(ray_scene *rs, const robot_laser *laser, pose eye, size_t own, double *ranges) {
    // Only solids whose bounding sphere cuts the scanner's plane within range can be hit.
    vec3 up = quat_rotate(eye.q, v3(0, 0, 1));
    size_t count = 0;
    for (size_t i = 0; i < rs->count; i++) {
        const ray_solid *solid = &rs->solids[i];
        vec3 to = v3_sub(solid->center_w, eye.p);
        if (i == own || solid->radius < 0 ||
            (!isinf(solid->radius) && (fabs(v3_dot(to, up)) > solid->radius ||
                                       v3_length(to) > solid->radius + laser->max_range)))
            continue;
        rs->near[count++] = i;
    }
    for (int beam = 0; beam < laser->beams; beam++) {
        double bearing = laser_bearing(laser, beam);
        vec3 direction = quat_rotate(eye.q, v3(cos(bearing), sin(bearing), 0));
        double nearest = INFINITY;
        for (size_t c = 0; c < count; c++)
            nearest = fmin(nearest, ray_solid_hit(&rs->solids[rs->near[c]], eye.p, direction));
        ranges[beam] =
            nearest < laser->min_range || nearest > laser->max_range ? INFINITY : nearest;
    }
}

// projector/sense/laser.c - the readings of the laser, beam by beam.
#include "projector/sense/laser.h"

#include <math.h>

// Shortens the beams that hit a solid; tried are those within the angle that its bounding sphere
// takes, which may lie across the back of the scanner.
static void scan_solid(const ray_solid *solid, const robot_laser *laser, pose eye,
                       const vec3 *directions, double *ranges) {
    vec3 local = pose_apply(pose_inverse(eye), solid->center_w);
    double flat = hypot(local.x, local.y), middle = atan2(local.y, local.x), half = PI;
    int turns = 0;
    if (flat > solid->radius && laser->beams > 1) {
        half = asin(solid->radius / flat);
        turns = 1;
    }
    double per_beam = laser->beams > 1 ? laser->fov / (laser->beams - 1) : 1;
    int beams = laser->beams;
    for (int turn = -turns; turn <= turns; turn++) {
        double center = middle + 2 * PI * turn + laser->fov / 2;
        double low = turns ? floor((center - half) / per_beam) : 0;
        double high = turns ? ceil((center + half) / per_beam) : beams - 1;
        if (high < 0 || low > beams - 1)
            continue;
        for (int beam = (int)fmax(low, 0); beam <= (int)fmin(high, beams - 1); beam++)
            ranges[beam] = fmin(ranges[beam], ray_solid_hit(solid, eye.p, directions[beam]));
    }
}

void laser_scan(ray_scene *rs, const robot_laser *laser, pose eye, size_t own, double *ranges) {
    vec3 *directions = mem_must((size_t)laser->beams, sizeof *directions);
    for (int beam = 0; beam < laser->beams; beam++) {
        double bearing = laser_bearing(laser, beam);
        directions[beam] = quat_rotate(eye.q, v3(cos(bearing), sin(bearing), 0));
        ranges[beam] = INFINITY;
    }
    // Only solids whose bounding sphere cuts the scanner's plane within range can be hit.
    vec3 up = quat_rotate(eye.q, v3(0, 0, 1));
    for (size_t i = 0; i < rs->count; i++) {
        const ray_solid *solid = &rs->solids[i];
        vec3 to = v3_sub(solid->center_w, eye.p);
        if (i != own && solid->radius >= 0 && solid->present &&
            (isinf(solid->radius) || (fabs(v3_dot(to, up)) <= solid->radius &&
                                      v3_length(to) <= solid->radius + laser->max_range)))
            scan_solid(solid, laser, eye, directions, ranges);
    }
    for (int beam = 0; beam < laser->beams; beam++)
        if (ranges[beam] < laser->min_range || ranges[beam] > laser->max_range)
            ranges[beam] = INFINITY;
    free(directions);
}

beam_kind laser_kind(const robot_laser *laser, double u) {
    double share[3] = {laser->short_share, laser->max_share, laser->random_share};
    double start[3] = {0, 1.0 / 3, 2.0 / 3};
    if (fmax(share[0], fmax(share[1], share[2])) > 1.0 / 3) {
        start[1] = share[0];
        start[2] = share[0] + share[1];
    }
    for (int i = 0; i < 3; i++)
        if (u >= start[i] && u < start[i] + share[i])
            return BEAM_SHORT + (beam_kind)i;
    return BEAM_HIT;
}

double laser_beam(const robot_laser *laser, rng_key key, uint64_t scan, int beam, double range) {
    uint32_t channel = (uint32_t)beam;
    double value = INFINITY;
    double u = rng_uniform(rng_key_extend(key, "length"), scan, channel);
    switch (laser_kind(laser, rng_uniform(rng_key_extend(key, "kind"), scan, channel))) {
    case BEAM_HIT:
        if (isfinite(range))
            value = range + laser->bias + laser->noise * rng_normal(key, scan, channel);
        break;
    case BEAM_SHORT: {
        double most = fmin(range, laser->max_range) - laser->min_range;
        value =
            laser->min_range - log1p(u * expm1(-laser->short_decay * most)) / laser->short_decay;
        break;
    }
    case BEAM_MAX:
        break;
    case BEAM_RANDOM:
        value = laser->min_range + u * (laser->max_range - laser->min_range);
        break;
    }
    return value > laser->max_range ? INFINITY : fmax(0, round(value / 1e-3) * 1e-3);
}

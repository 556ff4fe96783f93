// projector/sense/pole.c - poles in scans of the laser: see pole.h.
#include "projector/sense/pole.h"

#include "projector/sense/laser.h"

#include <math.h>

static vec3 beam_end(const robot_laser *laser, const double *ranges, int beam) {
    double bearing = laser_bearing(laser, beam);
    return v3(ranges[beam] * cos(bearing), ranges[beam] * sin(bearing), 0);
}

static bool ends_near(const robot_laser *laser, const double *ranges, int beam, vec3 expected) {
    if (!isfinite(ranges[beam]))
        return false;
    vec3 end = beam_end(laser, ranges, beam);
    return hypot(end.x - expected.x, end.y - expected.y) <= POLE_WITHIN;
}

// The centre of a pole that beams `first` to `last` end on. Beams spread evenly
// over a cylinder end radius * pi / 4 before its axis, on average.
static vec3 pole_center(const robot_laser *laser, const double *ranges, int first, int last,
                        double radius) {
    double sum = 0;
    for (int k = first; k <= last; k++)
        sum += ranges[k];
    double distance = sum / (last - first + 1) + radius * PI / 4;
    double bearing = (laser_bearing(laser, first) + laser_bearing(laser, last)) / 2;
    return v3(distance * cos(bearing), distance * sin(bearing), 0);
}

// Returns whether a beam ends well behind a distance, or nowhere. No beam beyond the scanner's edge
// does: what is cut off there may go on.
static bool ends_behind(const robot_laser *laser, const double *ranges, int beam, double distance) {
    return beam >= 0 && beam < laser->beams && ranges[beam] > distance;
}

bool pole_find(const robot_laser *laser, const double *ranges, vec3 expected, double diameter,
               pole_found *out) {
    if (laser->beams < 2)
        return false;
    double radius = diameter / 2, spacing = laser->fov / (laser->beams - 1), least = INFINITY;
    double jump = radius + 4 * laser->noise;
    expected.z = 0;
    for (int first = 0, last; first < laser->beams; first = last + 1) {
        last = first;
        if (!ends_near(laser, ranges, first, expected))
            continue;
        while (last + 1 < laser->beams && ends_near(laser, ranges, last + 1, expected) &&
               fabs(ranges[last + 1] - ranges[last]) <= jump)
            last++;
        vec3 center = pole_center(laser, ranges, first, last, radius);
        double beams = diameter / (v3_length(center) * spacing), off = last - first + 1 - beams;
        double far = v3_distance(center, expected), behind = v3_length(center) + jump;
        if (last == first || fabs(off) > 1.5 || far >= least ||
            !ends_behind(laser, ranges, first - 1, behind) ||
            !ends_behind(laser, ranges, last + 1, behind))
            continue;
        least = far;
        *out = (pole_found){center, (first + last) / 2};
    }
    return isfinite(least);
}

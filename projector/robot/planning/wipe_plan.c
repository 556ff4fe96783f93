// projector/robot/planning/wipe_plan.c - the rows in which an area is wiped, and whether an arm can
// pass them.
#include "projector/robot/planning/contact_plan.h"

#include <math.h>

static const double HOVER = 0.03; // m, of the pads over the surface on the way to the first corner

static bool wiped_area(const mind *m, const term *where, pose *middle, double *half_x,
                       double *half_y) {
    int64_t region = where->kind == TERM_SYMBOL ? world_find_region(m->known, where->text) : -1;
    if (region >= 0) {
        const world_region *r = &m->known->regions[region];
        *middle = pose_mul(belief_object(m->belief, r->body)->at, r->at);
        *half_x = r->half_x;
        *half_y = r->half_y;
        return true;
    }
    believed_place place;
    error why = {0};
    if (where->kind != TERM_COMPOUND ||
        belief_resolve_location(m->belief, where, &place, &why) != OK)
        return false;
    *middle = place.at;
    *half_x = place.half_x;
    *half_y = place.half_y;
    return true;
}

// Lays the corners of rows up and down over an area, in its own frame, `spacing` apart; returns how
// many.
static size_t lay_rows(double half_x, double half_y, double spacing, vec3 *out, size_t most) {
    bool along_x = half_x >= half_y;
    double length = along_x ? half_x : half_y, width = along_x ? half_y : half_x;
    int rows = (int)fmax(1, ceil(2 * width / spacing - 1e-9) + (width > 0 ? 1 : 0));
    size_t count = 0;
    for (int r = 0; r < rows && count + 2 <= most; r++) {
        double b = rows == 1 ? 0 : -width + 2 * width * r / (rows - 1);
        for (int e = 0; e < 2; e++) {
            double a = (e == 0) == (r % 2 == 0) ? -length : length;
            out[count++] = along_x ? v3(a, b, 0) : v3(b, a, 0);
        }
    }
    return count;
}

// Whether the hand, turned like this, can pass all rows `above` the surface.
static bool rows_reached(arm_scene *s, const double q[AXES_MAX], const vec3 *rows, size_t count,
                         quat turn, double above) {
    knot_array knots = {0};
    double x[AXES_MAX];
    bool found = true;
    memcpy(x, q, sizeof x);
    for (size_t k = 0; k < count && found; k++) {
        pose to = {v3_add(rows[k], v3(0, 0, above)), turn};
        found = arm_track(s, x, to, &knots);
        if (knots.count > 0)
            memcpy(x, knots.items[knots.count - 1].q, sizeof x);
    }
    array_finish(&knots);
    return found;
}

bool wipe_rows_lay(mind *m, size_t arm, const term *where, double spacing, wipe_rows *out) {
    const robot_gripper *g = &m->robot->arms[arm].gripper;
    pose middle;
    double half_x, half_y;
    if (!wiped_area(m, where, &middle, &half_x, &half_y))
        return false;
    // The pads are wide themselves, so that the rows end half a pad before the area's edge.
    half_x = fmax(0, half_x - g->pad_size.x / 2);
    half_y = fmax(0, half_y - g->pad_size.x / 2);
    spacing = spacing > 0 ? spacing : 2 * g->pad_size.x;
    out->count = lay_rows(half_x, half_y, spacing, out->corners, CORNERS_MAX);
    for (size_t k = 0; k < out->count; k++)
        out->corners[k] = pose_apply(middle, out->corners[k]);
    out->middle = middle;
    return true;
}

bool arm_wipes(arm_scene *s, const double *from, const wipe_rows *rows, double start[AXES_MAX]) {
    const quat down = quat_axis_angle(v3(1, 0, 0), PI);
    double above = s->m->robot->arms[s->arm].gripper.pad_size.z / 2 + HOVER;
    for (int k = 0; k < 8; k++) {
        double yaw = quat_yaw(rows->middle.q) + k * PI / 4;
        quat turn = quat_mul(quat_axis_angle(v3(0, 0, 1), yaw), down);
        pose first = {v3_add(rows->corners[0], v3(0, 0, above)), turn};
        if (arm_solve(s, first, from, 3, start) && arm_stands(s, start, 0) &&
            rows_reached(s, start, rows->corners, rows->count, turn, above))
            return true;
    }
    return false;
}

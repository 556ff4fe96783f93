// projector/belief/reports.c - what each sense, and each other robot, said last of where a thing
// stands: two that speak of the same while close a cycle of the view in which nothing is unknown,
// and how far they are apart is its residual.
//
// The latest report is what the view's estimate holds; the others are compared with it. Only places
// in the plane are, since the height of a thing is that of the surface beneath it.
#include "projector/belief/belief_int.h"

#include <math.h>

// Reports that are farther apart in time are not compared: somebody may have moved the thing.
static const double COMPARED_WITHIN = 15; // s

void belief_moved(believed *o, nanos t) {
    if (o->moved < t)
        o->moved = t;
}

// Writes how far an earlier report is from the latest one, as the variable ViewResidual.
static status write_residual(belief *b, const believed *o, const report *earlier,
                             const report *latest, nanos t, error *err) {
    char text[256], numbers[4][NUMBER_SIZE];
    vec3 off = v3_sub(earlier->at.p, latest->at.p);
    double angle = quat_angle(earlier->at.q, latest->at.q);
    double sigma = hypot(earlier->sigma, latest->sigma);
    number_format(round(hypot(off.x, off.y) * 1e4) / 1e4, numbers[0]);
    number_format(round(angle * 1e4) / 1e4, numbers[1]);
    number_format(round(sigma * 1e4) / 1e4, numbers[2]);
    number_format(round(seconds(earlier->t) * 1e3) / 1e3, numbers[3]);
    snprintf(text, sizeof text, "residual(%s, map, '%.60s', %s, %s, %s, %s)", earlier->sensor,
             o->seen.name, numbers[0], numbers[1], numbers[2], numbers[3]);
    int64_t task = latest->task ? latest->task : earlier->task;
    return belief_write_variable(b, "ViewResidual", text, task, earlier->sensor, t, err);
}

static bool same_source(const report *a, const report *r) {
    return a->teller == r->teller && strcmp(a->sensor, r->sensor) == 0;
}

// Whether two reports say where the thing stood in the same while.
static bool comparable(const believed *o, const report *a, const report *r) {
    return !same_source(a, r) && a->t > o->moved && r->t > o->moved &&
           fabs(seconds(a->t - r->t)) <= COMPARED_WITHIN;
}

static void keep_report(believed *o, report r) {
    for (size_t i = 0; i < o->reports.count; i++) {
        report *own = &o->reports.items[i];
        if (!same_source(own, &r))
            continue;
        if (own->t < r.t)
            *own = r;
        return;
    }
    array_push(&o->reports, r);
}

status belief_report(belief *b, size_t object, report r, nanos t, error *err) {
    believed *o = &b->objects.items[object];
    if (o->hang == HANG_ROBOT) // it moves, and each report is of another instant
        return OK;
    status s = OK;
    const report *last = NULL;
    for (size_t i = 0; i < o->reports.count; i++)
        if (!last || o->reports.items[i].t > last->t)
            last = &o->reports.items[i];
    if (last && last->t > r.t) { // it comes late
        if (comparable(o, &r, last))
            s = write_residual(b, o, &r, last, t, err);
    } else {
        for (size_t i = 0; s == OK && i < o->reports.count; i++)
            if (comparable(o, &o->reports.items[i], &r))
                s = write_residual(b, o, &o->reports.items[i], &r, t, err);
    }
    keep_report(o, r);
    return s;
}

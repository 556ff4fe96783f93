// projector/robot/kinematics/trajectory.c - trajectories: knots along a path, timed as fast as the
// limits allow.
//
// Between knots the path parameter s (the length in joint space, or of the hand's way) accelerates
// constantly; the joints follow Catmull-Rom cubics in s. On a straight line of the hand the profile
// is the trapezoid of the hand's own speed and acceleration.
#include "projector/robot/kinematics/trajectory.h"

#include <math.h>

void trajectory_add(trajectory *t, const double *q, vec3 hand, bool corner) {
    knot k = {.hand = hand, .corner = corner};
    memcpy(k.q, q, t->axes * sizeof *q);
    array_push(&t->knots, k);
}

void trajectory_finish(trajectory *t) {
    array_finish(&t->knots);
    *t = (trajectory){0};
}

static double step_length(const trajectory *t, const knot *a, const knot *b, bool by_hand) {
    if (by_hand)
        return v3_distance(a->hand, b->hand);
    double sum = 0;
    for (size_t i = 0; i < t->axes; i++)
        sum += (b->q[i] - a->q[i]) * (b->q[i] - a->q[i]);
    return sqrt(sum);
}

// The slope of an axis at a knot: a central difference inside a run between corners, one-sided at
// its ends.
static double axis_slope(const trajectory *t, size_t k, size_t axis) {
    const knot *n = t->knots.items;
    size_t a = k, b = k;
    if (k > 0 && !n[k].corner)
        a = k - 1;
    if (k + 1 < t->knots.count && !n[k].corner)
        b = k + 1;
    if (a == b)
        return 0;
    double ds = n[b].s - n[a].s;
    return ds > 0 ? (n[b].q[axis] - n[a].q[axis]) / ds : 0;
}

// Bounds on speed and acceleration along s over the interval that ends at knot k.
static void interval_bounds(const trajectory *t, size_t k, const motion_limits *l, double *v,
                            double *a) {
    const knot *n = t->knots.items;
    double ds = n[k].s - n[k - 1].s;
    *v = INFINITY;
    *a = INFINITY;
    for (size_t i = 0; i < t->axes; i++) {
        double rate = fabs(n[k].q[i] - n[k - 1].q[i]) / ds;
        if (rate < 1e-9)
            continue;
        *v = fmin(*v, l->velocity[i] / rate);
        *a = fmin(*a, l->acceleration[i] / rate);
    }
    double rate = v3_distance(n[k].hand, n[k - 1].hand) / ds;
    if (l->hand_velocity > 0 && rate > 1e-9)
        *v = fmin(*v, l->hand_velocity / rate);
    if (l->hand_acceleration > 0 && rate > 1e-9)
        *a = fmin(*a, l->hand_acceleration / rate);
}

// Speed at an inner knot at which the bend alone uses 0.6 of an acceleration limit.
static double bend_bound(const trajectory *t, size_t k, const motion_limits *l) {
    const knot *n = t->knots.items;
    double before = n[k].s - n[k - 1].s, after = n[k + 1].s - n[k].s, v = INFINITY;
    double half = (before + after) / 2;
    for (size_t i = 0; i < t->axes; i++) {
        double second =
            fabs((n[k + 1].q[i] - n[k].q[i]) / after - (n[k].q[i] - n[k - 1].q[i]) / before) / half;
        if (second > 1e-6)
            v = fmin(v, sqrt(0.6 * l->acceleration[i] / second));
    }
    if (l->hand_acceleration > 0) {
        vec3 a = v3_scale(v3_sub(n[k + 1].hand, n[k].hand), 1 / after);
        vec3 b = v3_scale(v3_sub(n[k].hand, n[k - 1].hand), 1 / before);
        double second = v3_distance(a, b) / half;
        if (second > 1e-3)
            v = fmin(v, sqrt(0.6 * l->hand_acceleration / second));
    }
    return v;
}

// Computes speeds and times of the knots from the share of the limits that each knot may use.
static void make_profile(trajectory *t, const motion_limits *l) {
    knot *n = t->knots.items;
    size_t count = t->knots.count;
    for (size_t k = 0; k < count; k++)
        n[k].v = n[k].corner ? 0 : INFINITY;
    for (size_t k = 1; k < count; k++) {
        double v, a, share = fmin(n[k - 1].share, n[k].share);
        interval_bounds(t, k, l, &v, &a);
        n[k].v = fmin(n[k].v, share * v);
        n[k - 1].v = fmin(n[k - 1].v, share * v);
        if (k + 1 < count && !n[k].corner)
            n[k].v = fmin(n[k].v, n[k].share * bend_bound(t, k, l));
    }
    for (size_t k = 1; k < count; k++) {
        double v, a, share = fmin(n[k - 1].share, n[k].share);
        interval_bounds(t, k, l, &v, &a);
        n[k].v = fmin(
            n[k].v, sqrt(n[k - 1].v * n[k - 1].v + 2 * share * share * a * (n[k].s - n[k - 1].s)));
    }
    for (size_t k = count - 1; k > 0; k--) {
        double v, a, share = fmin(n[k - 1].share, n[k].share);
        interval_bounds(t, k, l, &v, &a);
        n[k - 1].v =
            fmin(n[k - 1].v, sqrt(n[k].v * n[k].v + 2 * share * share * a * (n[k].s - n[k - 1].s)));
    }
    n[0].t = 0;
    for (size_t k = 1; k < count; k++)
        n[k].t = n[k - 1].t + 2 * (n[k].s - n[k - 1].s) / fmax(n[k].v + n[k - 1].v, 1e-6);
    t->duration = n[count - 1].t;
}

// Returns by which factor a sampled trajectory exceeds its limits (1 or less: it does not), and
// gives the knots about each excess a smaller share.
static double shrink_shares(trajectory *t, const motion_limits *l) {
    const double dt = 0.01;
    double worst = 0, q[TRACK_MAX], before[TRACK_MAX], now[TRACK_MAX];
    knot *n = t->knots.items;
    size_t k = 1, count = t->knots.count;
    double *need = mem_must(count, sizeof *need);
    for (size_t i = 0; i < count; i++)
        need[i] = 1;
    trajectory_at(t, 0, q, before);
    for (double time = dt; time <= t->duration; time += dt) {
        double over = 0;
        trajectory_at(t, time, q, now);
        for (size_t i = 0; i < t->axes; i++) {
            over = fmax(over, fabs(now[i]) / l->velocity[i]);
            // Acceleration scales with the square of the speed.
            over = fmax(over, sqrt(fabs(now[i] - before[i]) / dt / l->acceleration[i]));
            before[i] = now[i];
        }
        worst = fmax(worst, over);
        while (k + 1 < count && n[k].t < time)
            k++;
        for (size_t i = k > 1 ? k - 2 : 0; i <= k && over > 1.02; i++)
            need[i] = fmax(need[i], fmin(over, 1.5));
    }
    for (size_t i = 0; i < count; i++)
        n[i].share /= need[i];
    free(need);
    return worst;
}

// Merges knots at the same point, since the path has no direction between them. This comes before
// stretches between rests are split: two rests at the ends of one stretch would take for ever.
static void merge_knots(trajectory *t) {
    const double same = 1e-7; // rad or m
    knot *n = t->knots.items;
    size_t kept = 1;
    for (size_t k = 1; k < t->knots.count; k++) {
        if (step_length(t, &n[kept - 1], &n[k], false) < same)
            n[kept - 1].corner |= n[k].corner;
        else
            n[kept++] = n[k];
    }
    t->knots.count = kept;
}

// A stretch that begins and ends at rest gets knots in between at which it speeds up and slows
// down.
static void split_rests(trajectory *t) {
    enum { PIECES = 16 };
    for (size_t k = 1; k < t->knots.count; k++) {
        knot a = t->knots.items[k - 1], b = t->knots.items[k];
        if (!a.corner || !b.corner)
            continue;
        for (int i = 1; i < PIECES; i++)
            array_push(&t->knots, b);
        knot *n = t->knots.items;
        memmove(&n[k + PIECES - 1], &n[k], (t->knots.count - k - PIECES + 1) * sizeof *n);
        for (int i = 1; i < PIECES; i++) {
            double u = (double)i / PIECES;
            knot *m = &n[k + (size_t)i - 1];
            *m = (knot){.hand = v3_add(a.hand, v3_scale(v3_sub(b.hand, a.hand), u))};
            for (size_t x = 0; x < t->axes; x++)
                m->q[x] = a.q[x] + u * (b.q[x] - a.q[x]);
        }
        k += PIECES - 1;
    }
}

void trajectory_time(trajectory *t, const motion_limits *limits) {
    t->duration = 0;
    if (t->knots.count == 0)
        return;
    t->knots.items[0].corner = t->knots.items[t->knots.count - 1].corner = true;
    merge_knots(t);
    split_rests(t);
    // Where the hand moves all along the path, s is the length of its way, so that its speed along
    // a line is the profile.
    bool by_hand = limits->hand_velocity > 0;
    for (size_t k = 1; by_hand && k < t->knots.count; k++) {
        const knot *a = &t->knots.items[k - 1], *b = &t->knots.items[k];
        by_hand = v3_distance(a->hand, b->hand) > 0.02 * step_length(t, a, b, false);
    }
    size_t kept = t->knots.count;
    knot *n = t->knots.items;
    n[0].s = 0;
    for (size_t k = 1; k < kept; k++)
        n[k].s = n[k - 1].s + step_length(t, &n[k - 1], &n[k], by_hand);
    if (kept == 1)
        return;
    enum { PASSES = 14, LOCAL = 9 };
    for (size_t k = 0; k < kept; k++)
        n[k].share = 1;
    for (int pass = 0; pass < PASSES; pass++) {
        make_profile(t, limits);
        double e = shrink_shares(t, limits);
        if (e <= 1.02)
            return;
        // Where slowing down locally is not enough, the whole motion slows down.
        for (size_t k = 0; pass >= LOCAL && k < kept; k++)
            n[k].share /= fmin(e, 2);
    }
    make_profile(t, limits);
}

void trajectory_at(const trajectory *t, double time, double *q, double *qd) {
    const knot *n = t->knots.items;
    size_t last = t->knots.count - 1;
    if (t->knots.count < 2 || time >= t->duration || time <= 0) {
        const knot *end = time <= 0 ? &n[0] : &n[last];
        memcpy(q, end->q, t->axes * sizeof *q);
        memset(qd, 0, t->axes * sizeof *qd);
        return;
    }
    size_t low = 0, high = last;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (n[middle].t <= time)
            low = middle;
        else
            high = middle;
    }
    const knot *a = &n[low], *b = &n[high];
    double dt = b->t - a->t, ds = b->s - a->s, tau = time - a->t;
    double acc = (b->v - a->v) / dt;
    double s = a->v * tau + acc * tau * tau / 2, v = a->v + acc * tau;
    double u = fmax(0, fmin(1, s / ds)), u2 = u * u, u3 = u2 * u;
    for (size_t i = 0; i < t->axes; i++) {
        // At a corner the slope is that of its only neighbour in this run.
        double chord = (b->q[i] - a->q[i]) / ds;
        double ma = a->corner ? chord : axis_slope(t, low, i),
               mb = b->corner ? chord : axis_slope(t, high, i);
        q[i] = (2 * u3 - 3 * u2 + 1) * a->q[i] + (u3 - 2 * u2 + u) * ds * ma +
               (3 * u2 - 2 * u3) * b->q[i] + (u3 - u2) * ds * mb;
        double dq = (6 * u2 - 6 * u) * (a->q[i] - b->q[i]) / ds + (3 * u2 - 4 * u + 1) * ma +
                    (3 * u2 - 2 * u) * mb;
        qd[i] = dq * v;
    }
}

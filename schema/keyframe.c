// schema/keyframe.c - the swinging door, on six axes and on one.
#include "schema/keyframe.h"

#include <math.h>
#include <string.h>
#include "base/status.h"

#define LONGEST_TURN 2.5  // rad from a key; past pi a rotation's logarithm would wrap
#define MARGIN (1 - 1e-9) // keeps rounding inside the stated tolerance

keyframe_tolerance keyframe_tolerance_scaled(double scale) {
    return (keyframe_tolerance){.position = 1e-4 * scale,
                                .angle = 0.05 * PI / 180 * scale,
                                .speed = 1e-3 * scale,
                                .rate = 0.01 * scale,
                                .window = 100000000};
}

// One share for the base's position, one for its rotation, one for each joint; what turns is taken
// at the end of the longest lever.
void keyframe_chain_tolerance(keyframe_tolerance total, int joints, double reach,
                              keyframe_tolerance *base, keyframe_tolerance *joint) {
    double shares = joints + 2, turns = joints + 1, lever = fmax(reach, 1e-3);
    keyframe_tolerance share = total;
    share.position = total.position / shares;
    share.speed = total.speed / shares;
    share.angle = fmin(share.position / lever, total.angle / turns);
    share.rate = fmin(share.speed / lever, total.rate / turns);
    *base = share;
    *joint = share;
}

#define SHORTEST_LEVER 0.01 // m; a joint on the axis of what it turns still counts

// Keys grow with one over the square root of the tolerance; under the condition that levers times
// tolerances add up to the whole, their sum is least for tolerances like lever^(-2/3).
void keyframe_chain_shares(keyframe_tolerance total, double base_lever, const double *levers,
                           size_t joints, keyframe_tolerance *base, keyframe_tolerance *shares) {
    double sum = 1 + cbrt(fmax(base_lever, SHORTEST_LEVER)), turns = (double)joints + 1;
    for (size_t i = 0; i < joints; i++)
        sum += cbrt(fmax(levers[i], SHORTEST_LEVER));
    for (size_t i = 0; i <= joints; i++) {
        double lever = fmax(i < joints ? levers[i] : base_lever, SHORTEST_LEVER);
        double share = 1 / (sum * cbrt(lever * lever));
        keyframe_tolerance t = {.position = total.position * share,
                                .angle = fmin(total.position * share, total.angle / turns),
                                .speed = total.speed * share,
                                .rate = fmin(total.speed * share, total.rate / turns),
                                .window = total.window};
        if (i < joints) {
            shares[i] = t;
        } else {
            *base = t;
            base->position = total.position / sum;
            base->speed = total.speed / sum;
        }
    }
}

// An error of half speed * window at either end of the window blurs the speed by `speed` at most.
static double half_width(double tolerance, double speed, nanos window) {
    return fmin(tolerance, 0.5 * speed * seconds(window)) * MARGIN;
}

static bool same_pose(const pose *a, const pose *b) {
    return a->p.x == b->p.x && a->p.y == b->p.y && a->p.z == b->p.z && a->q.w == b->q.w &&
           a->q.x == b->q.x && a->q.y == b->q.y && a->q.z == b->q.z;
}

void keyframe_pose_init(keyframe_pose *k, keyframe_tolerance tolerance) {
    memset(k, 0, sizeof *k);
    k->corridor[0] = half_width(tolerance.position, tolerance.speed, tolerance.window) / sqrt(3.0);
    k->corridor[1] = half_width(tolerance.angle, tolerance.rate, tolerance.window) / sqrt(3.0);
    k->exact = k->corridor[0] <= 0 || k->corridor[1] <= 0;
}

static void pose_restart(keyframe_pose *k, keyframe_pose_key anchor) {
    k->anchor = anchor;
    k->last = anchor;
    k->resting = true;
}

// The way from the anchor on six axes.
static void pose_offset(const keyframe_pose *k, const pose *p, double d[6]) {
    d[0] = p->p.x - k->anchor.pose.p.x;
    d[1] = p->p.y - k->anchor.pose.p.y;
    d[2] = p->p.z - k->anchor.pose.p.z;
    const quat *a = &k->anchor.pose.q, *b = &p->q;
    if (a->w == b->w && a->x == b->x && a->y == b->y && a->z == b->z) {
        d[3] = d[4] = d[5] = 0;
        return;
    }
    vec3 turn = quat_log(quat_mul(quat_inverse(*a), *b));
    d[3] = turn.x;
    d[4] = turn.y;
    d[5] = turn.z;
}

// Takes the sample into the running segment. False: no straight line from the anchor to it passes
// all samples between closely enough.
static bool pose_extend(keyframe_pose *k, nanos t, const pose *p) {
    double d[6], slope[6], span = seconds(t - k->anchor.t);
    pose_offset(k, p, d);
    bool first = k->last.t == k->anchor.t;
    for (int i = 0; i < 6; i++)
        slope[i] = d[i] / span;
    if (!first) {
        if (k->exact || d[3] * d[3] + d[4] * d[4] + d[5] * d[5] > LONGEST_TURN * LONGEST_TURN)
            return false;
        // the corridor of a rest was not kept while nothing moved: its last sample's is the
        // narrowest
        double rest = seconds(k->last.t - k->anchor.t);
        for (int i = 0; i < 6; i++) {
            double low = k->resting ? -k->corridor[i / 3] / rest : k->low[i];
            double high = k->resting ? k->corridor[i / 3] / rest : k->high[i];
            if (!(slope[i] >= low && slope[i] <= high))
                return false;
        }
        for (int i = 0; i < 6 && k->resting; i++) {
            k->low[i] = -k->corridor[i / 3] / rest;
            k->high[i] = k->corridor[i / 3] / rest;
        }
    }
    for (int i = 0; i < 6; i++) {
        double width = k->corridor[i / 3] / span;
        k->low[i] = first ? slope[i] - width : fmax(k->low[i], slope[i] - width);
        k->high[i] = first ? slope[i] + width : fmin(k->high[i], slope[i] + width);
    }
    k->resting = false;
    k->last = (keyframe_pose_key){t, *p};
    return true;
}

bool keyframe_pose_feed(keyframe_pose *k, nanos t, const pose *p, keyframe_pose_key *key) {
    if (!k->begun) {
        k->begun = true;
        pose_restart(k, (keyframe_pose_key){t, *p});
        *key = k->anchor;
        return true;
    }
    ASSERT(t >= k->last.t);
    if (t == k->last.t)
        return false;
    if (k->resting && same_pose(p, &k->anchor.pose)) {
        k->last.t = t;
        return false;
    }
    if (pose_extend(k, t, p))
        return false;
    *key = k->last;
    pose_restart(k, *key);
    if (same_pose(p, &k->anchor.pose))
        k->last.t = t;
    else
        pose_extend(k, t, p);
    return true;
}

bool keyframe_pose_flush(keyframe_pose *k, keyframe_pose_key *key) {
    if (!k->begun || k->resting)
        return false;
    // a line without slope passes them all: the anchor tells enough, and the segment goes on
    bool near = !k->exact;
    for (int i = 0; i < 6 && near; i++)
        near = k->low[i] <= 0 && k->high[i] >= 0;
    if (near)
        return false;
    *key = k->last;
    pose_restart(k, *key);
    return true;
}

void keyframe_value_init(keyframe_value *k, double tolerance, double speed, nanos window) {
    memset(k, 0, sizeof *k);
    k->corridor = half_width(tolerance, speed, window);
    k->exact = k->corridor <= 0;
}

static void value_restart(keyframe_value *k, keyframe_value_key anchor) {
    k->anchor = anchor;
    k->last = anchor;
    k->resting = true;
}

static bool value_extend(keyframe_value *k, nanos t, double value) {
    double span = seconds(t - k->anchor.t), slope = (value - k->anchor.value) / span;
    bool first = k->last.t == k->anchor.t;
    if (!first) {
        if (k->exact)
            return false;
        double rest = seconds(k->last.t - k->anchor.t);
        double low = k->resting ? -k->corridor / rest : k->low;
        double high = k->resting ? k->corridor / rest : k->high;
        if (!(slope >= low && slope <= high))
            return false;
        k->low = low;
        k->high = high;
    }
    double width = k->corridor / span;
    k->low = first ? slope - width : fmax(k->low, slope - width);
    k->high = first ? slope + width : fmin(k->high, slope + width);
    k->resting = false;
    k->last = (keyframe_value_key){t, value};
    return true;
}

bool keyframe_value_feed(keyframe_value *k, nanos t, double value, keyframe_value_key *key) {
    if (!k->begun) {
        k->begun = true;
        value_restart(k, (keyframe_value_key){t, value});
        *key = k->anchor;
        return true;
    }
    ASSERT(t >= k->last.t);
    if (t == k->last.t)
        return false;
    if (k->resting && value == k->anchor.value) {
        k->last.t = t;
        return false;
    }
    if (value_extend(k, t, value))
        return false;
    *key = k->last;
    value_restart(k, *key);
    if (value == k->anchor.value)
        k->last.t = t;
    else
        value_extend(k, t, value);
    return true;
}

bool keyframe_value_flush(keyframe_value *k, keyframe_value_key *key) {
    if (!k->begun || k->resting || (!k->exact && k->low <= 0 && k->high >= 0))
        return false;
    *key = k->last;
    value_restart(k, *key);
    return true;
}

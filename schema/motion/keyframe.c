// schema/motion/keyframe.c - thins samples to keyframes, on six axes and on one: straight ways by
// the swinging door, parabolas by trying one on all samples since the last key.
#include "schema/motion/keyframe.h"

#include <math.h>
#include <string.h>
#include "base/status.h"

#define LONGEST_TURN 2.5    // rad from a key; past pi a rotation's logarithm would wrap
#define MARGIN (1 - 1e-9)   // keeps rounding inside the stated tolerance
#define SHORTEST_LEVER 0.01 // m; a joint on the axis of what it turns still counts
#define SAME 1e-9           // m or rad, which a log does not tell apart
#define LEAST_SHARE 0.1     // of a tolerance, divided evenly whatever the bends

static double larger_of(double a, double b) {
    return a > b ? a : b;
}

static double smaller_of(double a, double b) {
    return a < b ? a : b;
}

keyframe_tolerance keyframe_tolerance_scaled(double scale) {
    return (keyframe_tolerance){.position = 1e-4 * scale,
                                .angle = 0.05 * PI / 180 * scale,
                                .speed = 1e-3 * scale,
                                .rate = 0.01 * scale,
                                .window = 100000000};
}

double keyframe_scale_of(double millimetres) {
    return 10 * millimetres;
}

// What was multiplied lies beside what division gives, at most.
void keyframe_scale_text(double scale, char buffer[NUMBER_SIZE]) {
    double near = scale / 10;
    const double candidates[] = {nextafter(near, 0), nextafter(near, INFINITY), near};
    size_t best = 2, length = number_format(near, buffer);
    for (size_t i = 0; i < 3; i++) {
        char text[NUMBER_SIZE];
        size_t size = number_format(candidates[i], text);
        if (keyframe_scale_of(candidates[i]) != scale)
            continue;
        if (keyframe_scale_of(candidates[best]) != scale || size < length) {
            best = i;
            length = size;
        }
    }
    number_format(candidates[best], buffer);
}

bool keyframe_scale_logged(const char *name, const char *value, double *scale) {
    bool millimetres = strcmp(name, "tolerance_mm") == 0;
    if ((!millimetres && strcmp(name, "tolerance") != 0) ||
        !number_parse(value, strlen(value), scale))
        return false;
    if (millimetres)
        *scale = keyframe_scale_of(*scale);
    return true;
}

// An error of half speed * window at either end of the window blurs the speed by `speed` at most.
static double half_width(double tolerance, double speed, nanos window) {
    return fmin(tolerance, 0.5 * speed * seconds(window)) * MARGIN;
}

keyframe_width keyframe_width_of(keyframe_tolerance t) {
    return (keyframe_width){half_width(t.position, t.speed, t.window),
                            half_width(t.angle, t.rate, t.window)};
}

// Keys grow with one over the square root of the width; under the condition that levers times
// widths add up to the whole, their sum is least for widths like lever^(-2/3). The square root is
// as good and quicker.
void keyframe_divide(keyframe_width whole, double base_lever, double base_weight,
                     keyframe_joint *joints, size_t count, keyframe_width *base) {
    double share = base_weight * (1 + sqrt(larger_of(base_lever, SHORTEST_LEVER)));
    double sum = share, turns = base_weight;
    for (size_t i = 0; i < count; i++) {
        keyframe_joint *j = &joints[i];
        j->width = sqrt(larger_of(j->lever, SHORTEST_LEVER));
        sum += j->weight * j->width;
        turns += j->turns ? j->weight : 0;
    }
    base->position = whole.position * share / sum;
    base->angle = whole.angle * base_weight / turns;
    for (size_t i = 0; i < count; i++) {
        keyframe_joint *j = &joints[i];
        j->width = j->weight * whole.position / (sum * j->width);
        if (j->turns)
            j->width = smaller_of(j->width, j->weight * whole.angle / turns);
    }
}

// ---- Ways of one axis ---------------------------------------------------------------------------

static void axis_begin(keyframe_axis *a, double corridor) {
    a->low = -INFINITY;
    a->high = INFINITY;
    a->slope = a->bend = a->most = 0;
    a->width = corridor;
}

// Straight ways: keeps those that pass within `width` of an offset at the instant `s`.
static void axis_narrow(keyframe_axis *a, double s, double offset, double width) {
    a->low = larger_of(a->low, (offset - width) / s);
    a->high = smaller_of(a->high, (offset + width) / s);
}

// Leaves the bends with which a way through an offset, its slope to there `mean` and `s` seconds
// from the anchor, passes another one within `width`, `at` seconds from the anchor.
static void leave_bends(double s, double mean, double at, double offset, double width,
                        double *least, double *most) {
    double bulge = at * (s - at), off = mean * at - offset;
    *least = larger_of(*least, (off - width) / bulge);
    *most = smaller_of(*most, (off + width) / bulge);
}

// Finds a way through an offset at the instant `s` that passes all samples: straight where that can
// be, else with the bend half way between the least and the largest. False: there is none.
static bool axis_fit(const keyframe_axis *a, const keyframe_past *p, double s, double offset,
                     double *slope, double *bend) {
    double least = -INFINITY, most = INFINITY, mean = offset / s;
    // A parabola from the anchor that is off by x at most half way and at the end of a rest is off
    // by 9/8 x at most between.
    if (p->rest > 0) {
        double width = 8.0 / 9 * (a->width - a->most);
        leave_bends(s, mean, p->rest, 0, width, &least, &most);
        leave_bends(s, mean, 0.5 * p->rest, 0, width, &least, &most);
    }
    for (int i = 0; i < p->count && least <= most; i++)
        leave_bends(s, mean, p->times[i], a->offsets[i], a->width, &least, &most);
    if (!(least <= most))
        return false;
    *bend = least <= 0 && most >= 0 ? 0 : 0.5 * (least + most);
    *slope = mean - *bend * s;
    return true;
}

static double axis_at(const keyframe_axis *a, double s) {
    return (a->slope + a->bend * s) * s;
}

// Takes the samples of the past together, which all lie near the anchor, so that there is room.
static void axis_forget(keyframe_axis *a, const keyframe_past *p) {
    for (int i = 0; i < p->count; i++)
        a->most = larger_of(a->most, fabs(a->offsets[i]));
    a->slope = a->bend = 0;
}

static void past_forget(keyframe_past *p) {
    p->rest = p->times[p->count - 1];
    p->count = 0;
}

// Makes room for one more sample, where all of them lie near the anchor: what lay near it need not
// be known one by one. False: there is none.
static bool make_room(keyframe_past *past, bool near, keyframe_axis *axes, int count) {
    if (past->count < KEYFRAME_SAMPLES_MAX)
        return true;
    if (!near)
        return false;
    for (int i = 0; i < count; i++)
        axis_forget(&axes[i], past);
    past_forget(past);
    return true;
}

// ---- Poses --------------------------------------------------------------------------------------

static bool same_turn(const quat *a, const quat *b) {
    return a->w == b->w && a->x == b->x && a->y == b->y && a->z == b->z;
}

static bool same_pose(const pose *a, const pose *b) {
    return a->p.x == b->p.x && a->p.y == b->p.y && a->p.z == b->p.z && same_turn(&a->q, &b->q);
}

// Returns whether a log cannot tell two poses apart.
static bool alike(const pose *a, const pose *b) {
    double turned = fabs(a->q.w - b->q.w) + fabs(a->q.x - b->q.x) + fabs(a->q.y - b->q.y) +
                    fabs(a->q.z - b->q.z);
    return turned < SAME && v3_distance(a->p, b->p) < SAME;
}

// Corridors of three axes within a ball of radius `width`, in proportion to the bends: for as long
// as the way bends on as it did, all three are left at the same time.
static void divide_axes(double width, const double bend[3], double corridor[3]) {
    double sum = bend[0] * bend[0] + bend[1] * bend[1] + bend[2] * bend[2];
    for (int i = 0; i < 3; i++) {
        double share = sum > 0 ? bend[i] * bend[i] / sum : 1.0 / 3;
        corridor[i] = width * sqrt(LEAST_SHARE / 3 + (1 - LEAST_SHARE) * share);
    }
}

static void set_corridor(keyframe_pose *k) {
    const double *b = k->bend;
    keyframe_width w = k->width;
    if (k->lever * w.angle > 0) {
        double way = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
        double turn = k->lever * sqrt(b[3] * b[3] + b[4] * b[4] + b[5] * b[5]);
        double share = way + turn > 0 ? turn / (way + turn) : 0.5;
        share = LEAST_SHARE + (1 - 2 * LEAST_SHARE) * share;
        w.angle = smaller_of(w.angle, w.position * share / k->lever);
        w.position -= k->lever * w.angle;
    }
    divide_axes(w.position, b, k->corridor);
    divide_axes(w.angle, b + 3, k->corridor + 3);
}

static void pose_init(keyframe_pose *k, keyframe_tolerance tolerance, bool straight) {
    memset(k, 0, offsetof(keyframe_pose, past));
    k->straight = straight;
    keyframe_pose_allow(k, keyframe_width_of(tolerance), 0);
}

void keyframe_pose_init(keyframe_pose *k, keyframe_tolerance tolerance) {
    pose_init(k, tolerance, true);
}

void keyframe_pose_init_bowed(keyframe_pose *k, keyframe_tolerance tolerance) {
    pose_init(k, tolerance, false);
}

// Keeps what the present corridor leaves after the rest up to the last sample.
static void narrow_by_rest(keyframe_pose *k) {
    if (!k->resting || k->last.t == k->anchor.t)
        return;
    double rest = seconds(k->last.t - k->anchor.t);
    k->past.rest = rest;
    for (int i = 0; i < 6 && k->straight; i++)
        axis_narrow(&k->axes[i], rest, 0, k->corridor[i]);
}

void keyframe_pose_allow(keyframe_pose *k, keyframe_width width, double lever) {
    if (k->begun && width.position == k->width.position && width.angle == k->width.angle &&
        lever == k->lever)
        return;
    narrow_by_rest(k);
    k->width = width;
    k->lever = lever;
    k->exact = width.position <= 0 || width.angle <= 0;
    set_corridor(k);
    for (int i = 0; i < 6 && k->begun; i++)
        k->axes[i].width = smaller_of(k->axes[i].width, k->corridor[i]);
}

static void pose_restart(keyframe_pose *k, nanos t, const pose *anchor) {
    k->anchor = k->last = (keyframe_pose_key){.t = t, .pose = *anchor};
    k->resting = k->near = true;
    k->past.count = 0;
    k->past.rest = 0;
    for (int i = 0; i < 6; i++)
        axis_begin(&k->axes[i], k->corridor[i]);
}

// Returns log(a^-1 b).
static void turn_between(const quat *a, const quat *b, double d[3]) {
    double w = a->w * b->w + a->x * b->x + a->y * b->y + a->z * b->z;
    d[0] = a->w * b->x - a->x * b->w - a->y * b->z + a->z * b->y;
    d[1] = a->w * b->y + a->x * b->z - a->y * b->w - a->z * b->x;
    d[2] = a->w * b->z - a->x * b->y + a->y * b->x - a->z * b->w;
    double ss = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], scale;
    if (ss < 0.01) { // asin(s) / s; what is left out is below 1e-13
        scale =
            1 + ss * (1.0 / 6 +
                      ss * (3.0 / 40 + ss * (5.0 / 112 + ss * (35.0 / 1152 + ss * (63.0 / 2816)))));
    } else {
        double s = sqrt(ss);
        scale = atan2(s, fabs(w)) / s;
    }
    scale *= w < 0 ? -2 : 2; // q and -q are one rotation
    d[0] *= scale;
    d[1] *= scale;
    d[2] *= scale;
}

// Gives the way from the anchor on six axes.
static void pose_offset(const keyframe_pose *k, const pose *p, double d[6]) {
    d[0] = p->p.x - k->anchor.pose.p.x;
    d[1] = p->p.y - k->anchor.pose.p.y;
    d[2] = p->p.z - k->anchor.pose.p.z;
    if (same_turn(&k->anchor.pose.q, &p->q))
        d[3] = d[4] = d[5] = 0;
    else
        turn_between(&k->anchor.pose.q, &p->q, d + 3);
}

// Finds ways that pass all samples and the offsets at the instant `s`. False: there are none, or no
// more samples can be passed over.
static bool find_ways(keyframe_pose *k, const double d[6], double s) {
    double slope[6], bend[6];
    if (k->straight) {
        bool within = true;
        for (int i = 0; i < 6; i++)
            within &= d[i] / s >= k->axes[i].low && d[i] / s <= k->axes[i].high;
        return within;
    }
    if (!make_room(&k->past, k->near, k->axes, 6))
        return false;
    for (int i = 0; i < 6; i++) {
        keyframe_axis *a = &k->axes[i];
        slope[i] = a->slope;
        bend[i] = a->bend;
        if (fabs(axis_at(a, s) - d[i]) > k->corridor[i] &&
            !axis_fit(a, &k->past, s, d[i], &slope[i], &bend[i]))
            return false;
    }
    for (int i = 0; i < 6; i++) {
        k->axes[i].slope = slope[i];
        k->axes[i].bend = bend[i];
    }
    return true;
}

// Takes the sample into the running segment. False: no way from the anchor passes it and all
// samples between closely enough.
static bool pose_extend(keyframe_pose *k, nanos t, const pose *p) {
    double d[6], s = seconds(t - k->anchor.t);
    pose_offset(k, p, d);
    if (k->last.t != k->anchor.t) {
        if (k->exact || d[3] * d[3] + d[4] * d[4] + d[5] * d[5] > LONGEST_TURN * LONGEST_TURN)
            return false;
        narrow_by_rest(k);
    }
    if (!k->exact && !find_ways(k, d, s))
        return false;
    for (int i = 0; i < 6; i++) {
        k->near = k->near && fabs(d[i]) <= k->corridor[i];
        if (k->straight)
            axis_narrow(&k->axes[i], s, d[i], k->corridor[i]);
        else
            k->axes[i].offsets[k->past.count] = d[i];
    }
    if (!k->straight)
        k->past.times[k->past.count++] = s;
    k->resting = false;
    k->last = (keyframe_pose_key){.t = t, .pose = *p};
    return true;
}

// Gives the pose to which the ways lead at the last sample: that one itself, or near it.
static pose way_end(const keyframe_pose *k, const double d[6], double s) {
    double is[6], off = 0;
    for (int i = 0; i < 6; i++) {
        is[i] = axis_at(&k->axes[i], s);
        off = larger_of(off, fabs(is[i] - d[i]));
    }
    if (off < SAME)
        return k->last.pose;
    vec3 turn = v3(is[3], is[4], is[5]);
    bool turns = v3_dot(turn, turn) > 0;
    return (pose){v3_add(k->anchor.pose.p, v3(is[0], is[1], is[2])),
                  turns ? quat_mul(k->anchor.pose.q, quat_exp(turn)) : k->anchor.pose.q};
}

static vec3 bow_of(const keyframe_axis a[3], double s) {
    return v3_scale(v3(a[0].bend, a[1].bend, a[2].bend), -0.25 * s * s);
}

// Ends the segment at the last sample, from where the next begins.
static keyframe_pose_key pose_key(keyframe_pose *k) {
    double d[6], span = seconds(k->last.t - k->anchor.t);
    keyframe_pose_key key = k->last;
    if (!k->exact && span > 0) {
        pose_offset(k, &k->last.pose, d);
        if (!k->straight && !k->resting) {
            key.pose = way_end(k, d, span);
            key.bow = bow_of(k->axes, span);
            key.bow_turn = bow_of(k->axes + 3, span);
        }
        for (int i = 0; i < 6; i++) {
            k->bend[i] = 0.5 * (k->bend[i] + fabs(d[i] / span - k->slope[i]));
            k->slope[i] = d[i] / span;
        }
        set_corridor(k);
    }
    pose_restart(k, key.t, &key.pose);
    return key;
}

static bool is_rest(const keyframe_pose *k, const pose *p) {
    return same_pose(p, &k->anchor.pose) ||
           (!k->straight && !k->exact && alike(p, &k->anchor.pose));
}

bool keyframe_pose_feed(keyframe_pose *k, nanos t, const pose *p, keyframe_pose_key *key) {
    if (!k->begun) {
        k->begun = true;
        pose_restart(k, t, p);
        *key = k->anchor;
        return true;
    }
    ASSERT(t >= k->last.t);
    if (t == k->last.t)
        return false;
    if (k->resting && is_rest(k, p)) {
        k->last.t = t;
        return false;
    }
    if (pose_extend(k, t, p))
        return false;
    *key = pose_key(k);
    if (is_rest(k, p))
        k->last.t = t;
    else
        pose_extend(k, t, p);
    return true;
}

bool keyframe_pose_rest(keyframe_pose *k, nanos t, keyframe_pose_key *key) {
    double d[6];
    if (!k->begun || t <= k->last.t)
        return false;
    if (k->resting) {
        k->last.t = t;
        return false;
    }
    pose stood = k->last.pose;
    bool ends = k->exact || !k->near;
    if (k->straight)
        return keyframe_pose_feed(k, t, &stood, key);
    if (ends)
        *key = pose_key(k);
    pose_offset(k, &stood, d);
    for (int i = 0; i < 6; i++) {
        axis_forget(&k->axes[i], &k->past);
        k->axes[i].most = larger_of(k->axes[i].most, fabs(d[i]));
    }
    k->past.count = 0;
    k->past.rest = seconds(t - k->anchor.t);
    k->resting = is_rest(k, &stood);
    k->last = (keyframe_pose_key){.t = t, .pose = stood};
    return ends;
}

bool keyframe_pose_flush(keyframe_pose *k, keyframe_pose_key *key) {
    if (!k->begun || k->resting)
        return false;
    // a line without slope passes them all: the anchor tells enough, and the segment goes on
    if (!k->exact && k->near)
        return false;
    *key = pose_key(k);
    return true;
}

// ---- Numbers ------------------------------------------------------------------------------------

static void value_init(keyframe_value *k, double width, bool straight) {
    memset(k, 0, offsetof(keyframe_value, past));
    k->straight = straight;
    keyframe_value_allow(k, width);
}

void keyframe_value_init(keyframe_value *k, double tolerance, double speed, nanos window) {
    value_init(k, half_width(tolerance, speed, window), true);
}

void keyframe_value_init_bowed(keyframe_value *k, double tolerance, double speed, nanos window) {
    value_init(k, half_width(tolerance, speed, window), false);
}

static void value_narrow_by_rest(keyframe_value *k) {
    if (!k->resting || k->last.t == k->anchor.t)
        return;
    k->past.rest = seconds(k->last.t - k->anchor.t);
    if (k->straight)
        axis_narrow(&k->axis, k->past.rest, 0, k->corridor);
}

void keyframe_value_allow(keyframe_value *k, double width) {
    if (width == k->corridor && k->begun)
        return;
    value_narrow_by_rest(k);
    k->corridor = width;
    k->exact = width <= 0;
    if (k->begun)
        k->axis.width = smaller_of(k->axis.width, width);
}

static void value_restart(keyframe_value *k, nanos t, double anchor) {
    k->anchor = k->last = (keyframe_value_key){.t = t, .value = anchor};
    k->resting = k->near = true;
    k->past.count = 0;
    k->past.rest = 0;
    axis_begin(&k->axis, k->corridor);
}

static bool find_way(keyframe_value *k, double d, double s) {
    keyframe_axis *a = &k->axis;
    if (k->straight)
        return d / s >= a->low && d / s <= a->high;
    if (!make_room(&k->past, k->near, a, 1))
        return false;
    return fabs(axis_at(a, s) - d) <= k->corridor ||
           axis_fit(a, &k->past, s, d, &a->slope, &a->bend);
}

static bool value_extend(keyframe_value *k, nanos t, double value) {
    double s = seconds(t - k->anchor.t), d = value - k->anchor.value;
    if (k->last.t != k->anchor.t) {
        if (k->exact)
            return false;
        value_narrow_by_rest(k);
    }
    if (!k->exact && !find_way(k, d, s))
        return false;
    k->near = k->near && fabs(d) <= k->corridor;
    if (k->straight) {
        axis_narrow(&k->axis, s, d, k->corridor);
    } else {
        k->axis.offsets[k->past.count] = d;
        k->past.times[k->past.count++] = s;
    }
    k->resting = false;
    k->last = (keyframe_value_key){.t = t, .value = value};
    return true;
}

// Ends the segment at the last sample, from where the next begins.
static keyframe_value_key value_key(keyframe_value *k) {
    double s = seconds(k->last.t - k->anchor.t), end = axis_at(&k->axis, s) + k->anchor.value;
    keyframe_value_key key = k->last;
    if (!k->straight && !k->exact && !k->resting) {
        key.value = fabs(end - key.value) < SAME ? key.value : end;
        key.bow = -0.25 * k->axis.bend * s * s;
    }
    value_restart(k, key.t, key.value);
    return key;
}

static bool is_value_rest(const keyframe_value *k, double value) {
    double off = fabs(value - k->anchor.value);
    return off == 0 || (!k->straight && !k->exact && off < SAME);
}

bool keyframe_value_feed(keyframe_value *k, nanos t, double value, keyframe_value_key *key) {
    if (!k->begun) {
        k->begun = true;
        value_restart(k, t, value);
        *key = k->anchor;
        return true;
    }
    ASSERT(t >= k->last.t);
    if (t == k->last.t)
        return false;
    if (k->resting && is_value_rest(k, value)) {
        k->last.t = t;
        return false;
    }
    if (value_extend(k, t, value))
        return false;
    *key = value_key(k);
    if (is_value_rest(k, value))
        k->last.t = t;
    else
        value_extend(k, t, value);
    return true;
}

bool keyframe_value_flush(keyframe_value *k, keyframe_value_key *key) {
    // a line without slope passes them all: the anchor tells enough, and the segment goes on
    if (!k->begun || k->resting || (!k->exact && k->near))
        return false;
    *key = value_key(k);
    return true;
}

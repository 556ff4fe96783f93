// schema/motion/keyframe.c - thins samples to keyframes by the swinging door, on six axes and on
// one.
#include "schema/motion/keyframe.h"

#include <math.h>
#include <string.h>
#include "base/status.h"

#define LONGEST_TURN 2.5    // rad from a key; past pi a rotation's logarithm would wrap
#define MARGIN (1 - 1e-9)   // keeps rounding inside the stated tolerance
#define SHORTEST_LEVER 0.01 // m; a joint on the axis of what it turns still counts
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

// ---- Poses --------------------------------------------------------------------------------------

static bool same_turn(const quat *a, const quat *b) {
    return a->w == b->w && a->x == b->x && a->y == b->y && a->z == b->z;
}

static bool same_pose(const pose *a, const pose *b) {
    return a->p.x == b->p.x && a->p.y == b->p.y && a->p.z == b->p.z && same_turn(&a->q, &b->q);
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

void keyframe_pose_init(keyframe_pose *k, keyframe_tolerance tolerance) {
    memset(k, 0, sizeof *k);
    keyframe_pose_allow(k, keyframe_width_of(tolerance), 0);
}

// Returns the slopes that the present corridor leaves after the rest up to the last sample.
static void narrow_by_rest(keyframe_pose *k) {
    if (!k->resting || k->last.t == k->anchor.t)
        return;
    double rest = seconds(k->last.t - k->anchor.t);
    for (int i = 0; i < 6; i++) {
        k->low[i] = larger_of(k->low[i], -k->corridor[i] / rest);
        k->high[i] = smaller_of(k->high[i], k->corridor[i] / rest);
    }
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
}

static void pose_restart(keyframe_pose *k, keyframe_pose_key anchor) {
    k->anchor = anchor;
    k->last = anchor;
    k->resting = true;
    for (int i = 0; i < 6; i++) {
        k->low[i] = -INFINITY;
        k->high[i] = INFINITY;
    }
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

// Takes the sample into the running segment. False: no straight line from the anchor to it passes
// all samples between closely enough.
static bool pose_extend(keyframe_pose *k, nanos t, const pose *p) {
    double d[6], per_second = 1 / seconds(t - k->anchor.t);
    pose_offset(k, p, d);
    if (k->last.t != k->anchor.t) {
        if (k->exact || d[3] * d[3] + d[4] * d[4] + d[5] * d[5] > LONGEST_TURN * LONGEST_TURN)
            return false;
        narrow_by_rest(k);
        bool within = true;
        for (int i = 0; i < 6; i++)
            within &= d[i] * per_second >= k->low[i] && d[i] * per_second <= k->high[i];
        if (!within)
            return false;
    }
    for (int i = 0; i < 6; i++) {
        k->low[i] = larger_of(k->low[i], (d[i] - k->corridor[i]) * per_second);
        k->high[i] = smaller_of(k->high[i], (d[i] + k->corridor[i]) * per_second);
    }
    k->resting = false;
    k->last = (keyframe_pose_key){t, *p};
    return true;
}

// Ends the segment at the last sample, from where the next begins.
static keyframe_pose_key pose_key(keyframe_pose *k) {
    double d[6], span = seconds(k->last.t - k->anchor.t);
    if (!k->exact && span > 0) {
        pose_offset(k, &k->last.pose, d);
        for (int i = 0; i < 6; i++) {
            k->bend[i] = 0.5 * (k->bend[i] + fabs(d[i] / span - k->slope[i]));
            k->slope[i] = d[i] / span;
        }
        set_corridor(k);
    }
    pose_restart(k, k->last);
    return k->anchor;
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
    *key = pose_key(k);
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
    *key = pose_key(k);
    return true;
}

// ---- Numbers ------------------------------------------------------------------------------------

// Slopes and bends beyond these need a key at each sample: a jump, per second and second squared.
#define SLOPE_MAX 1e4
#define BEND_MAX 1e6
#define REST_SHARE (8.0 / 9) // what a parabola may leave at the end and the middle of a rest

static keyframe_way way_between(keyframe_way a, keyframe_way b, double u) {
    return (keyframe_way){a.slope + u * (b.slope - a.slope), a.bend + u * (b.bend - a.bend)};
}

// Keeps the part of a polygon on which sign * (slope + bend * s) is at most `limit`; returns the
// number of corners, at most one more than before.
static int cut_side(const keyframe_way *in, int count, double s, double sign, double limit,
                    keyframe_way *out) {
    int kept = 0;
    double before = count ? limit - sign * (in[count - 1].slope + in[count - 1].bend * s) : 0;
    for (int i = 0; i < count; i++) {
        double here = limit - sign * (in[i].slope + in[i].bend * s);
        if ((before < 0) != (here < 0))
            out[kept++] = way_between(in[i ? i - 1 : count - 1], in[i], before / (before - here));
        if (here >= 0)
            out[kept++] = in[i];
        before = here;
    }
    return kept;
}

// Takes the corner away whose triangle with its neighbours is the smallest. What is left is a part
// of the polygon.
static void drop_corner(keyframe_way *corners, int count) {
    double least = INFINITY;
    int at = 0;
    for (int i = 0; i < count; i++) {
        keyframe_way a = corners[i ? i - 1 : count - 1], b = corners[i],
                     c = corners[i + 1 < count ? i + 1 : 0];
        double area =
            fabs((b.slope - a.slope) * (c.bend - a.bend) - (c.slope - a.slope) * (b.bend - a.bend));
        if (area < least) {
            least = area;
            at = i;
        }
    }
    memmove(corners + at, corners + at + 1, (size_t)(count - at - 1) * sizeof *corners);
}

// Keeps the ways whose slope to the instant `s` lies between two.
static void cut_ways(keyframe_value *k, double s, double low, double high) {
    keyframe_way room[KEYFRAME_CORNERS_MAX + 1], all[KEYFRAME_CORNERS_MAX + 2];
    bool within = true;
    for (int i = 0; i < k->corner_count && within; i++) {
        double slope = k->corners[i].slope + k->corners[i].bend * s;
        within = slope >= low && slope <= high;
    }
    if (within)
        return;
    int count = cut_side(k->corners, k->corner_count, s, 1, high, room);
    count = cut_side(room, count, s, -1, -low, all);
    for (; count > KEYFRAME_CORNERS_MAX; count--)
        drop_corner(all, count);
    k->corner_count = count;
    memcpy(k->corners, all, (size_t)k->corner_count * sizeof *all);
}

// Gives the bend of a way whose slope to the instant `s` is `slope`: 0 where that can be, else half
// way between the least and the largest. False: there is no such way.
static bool bend_through(const keyframe_value *k, double s, double slope, double *bend) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < k->corner_count; i++) {
        const keyframe_way *a = &k->corners[i ? i - 1 : k->corner_count - 1], *b = &k->corners[i];
        double from = a->slope + a->bend * s - slope, to = b->slope + b->bend * s - slope;
        if ((from < 0) == (to < 0))
            continue;
        double at = a->bend + from / (from - to) * (b->bend - a->bend);
        least = smaller_of(least, at);
        most = larger_of(most, at);
    }
    *bend = least <= 0 && most >= 0 ? 0 : 0.5 * (least + most);
    return least <= most;
}

static void value_init(keyframe_value *k, double width, bool straight) {
    memset(k, 0, sizeof *k);
    k->straight = straight;
    keyframe_value_allow(k, width);
}

void keyframe_value_init(keyframe_value *k, double tolerance, double speed, nanos window) {
    value_init(k, half_width(tolerance, speed, window), false);
}

void keyframe_value_init_straight(keyframe_value *k, double tolerance, double speed, nanos window) {
    value_init(k, half_width(tolerance, speed, window), true);
}

// A parabola from the anchor that is off by w at most half way and at the end of a rest is off by
// 9/8 w at most between.
static void value_narrow_by_rest(keyframe_value *k) {
    if (!k->resting || k->exact || k->last.t == k->anchor.t)
        return;
    double rest = seconds(k->last.t - k->anchor.t), slope = REST_SHARE * k->corridor / rest;
    cut_ways(k, rest, -slope, slope);
    cut_ways(k, 0.5 * rest, -2 * slope, 2 * slope);
}

void keyframe_value_allow(keyframe_value *k, double width) {
    if (width == k->corridor && k->begun)
        return;
    value_narrow_by_rest(k);
    k->corridor = width;
    k->exact = width <= 0;
}

static void value_restart(keyframe_value *k, keyframe_value_key anchor) {
    static const keyframe_way all[] = {{-SLOPE_MAX, -BEND_MAX},
                                       {SLOPE_MAX, -BEND_MAX},
                                       {SLOPE_MAX, BEND_MAX},
                                       {-SLOPE_MAX, BEND_MAX}},
                              straight[] = {{-SLOPE_MAX, 0}, {SLOPE_MAX, 0}};
    k->anchor = anchor;
    k->last = (keyframe_value_key){anchor.t, anchor.value, 0};
    k->resting = k->near = true;
    k->corner_count = k->straight ? 2 : 4;
    memcpy(k->corners, k->straight ? straight : all, (size_t)k->corner_count * sizeof *all);
}

static bool value_extend(keyframe_value *k, nanos t, double value) {
    double s = seconds(t - k->anchor.t), d = value - k->anchor.value, bend = 0;
    if (k->last.t != k->anchor.t) {
        if (k->exact)
            return false;
        value_narrow_by_rest(k);
        if (!bend_through(k, s, d / s, &bend))
            return false;
    }
    cut_ways(k, s, (d - k->corridor) / s, (d + k->corridor) / s);
    k->resting = false;
    k->near = k->near && fabs(d) <= k->corridor;
    k->last = (keyframe_value_key){t, value, -0.25 * bend * s * s};
    return true;
}

bool keyframe_value_feed(keyframe_value *k, nanos t, double value, keyframe_value_key *key) {
    if (!k->begun) {
        k->begun = true;
        value_restart(k, (keyframe_value_key){t, value, 0});
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
    // a line without slope passes them all: the anchor tells enough, and the segment goes on
    if (!k->begun || k->resting || (!k->exact && k->near))
        return false;
    *key = k->last;
    value_restart(k, *key);
    return true;
}

// query/log/signals_motion.c - the motion of an object as few keys, and its pose at an instant.
#include <math.h>
#include "query/log/signals_int.h"

#define POSITION_SLACK 1e-5 // metres that a pose may lose when its keys are chosen
#define ANGLE_SLACK 1e-4    // radians

// Returns sin(u * angle) / sin(angle) for the angle whose cosine is 1 - y, y small: the series of
// Eberly (A fast and accurate algorithm for computing SLERP, 2011), exact to the last digits up to
// y = 0.02.
static double share_of_arc(double u, double y) {
    static const double squares[] = {1.0 / 3,  1.0 / 10, 1.0 / 21,  1.0 / 36,
                                     1.0 / 55, 1.0 / 78, 1.0 / 105, 1.0 / 136},
                        constants[] = {1.0 / 3,  2.0 / 5,  3.0 / 7,  4.0 / 9,
                                       5.0 / 11, 6.0 / 13, 7.0 / 15, 8.0 / 17};
    double sum = 1;
#define TERM(i) sum = 1 - y * (u * u * squares[i] - constants[i]) * sum
    if (y >= 1e-3) {
        TERM(7);
        TERM(6);
        TERM(5);
    }
    if (y >= 1e-5) {
        TERM(4);
        TERM(3);
    }
    TERM(2);
    TERM(1);
    TERM(0);
#undef TERM
    return u * sum;
}

// Interpolates two orientations. Keyframes mostly lie close together, and then acos and sines,
// which would take most of the time of signals, are not needed.
static quat turn_between(quat a, quat b, double u) {
    double y = 1 - (a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    if (y > 0.02)
        return quat_slerp(a, b, u);
    double ka = share_of_arc(1 - u, y), kb = share_of_arc(u, y);
    return (quat){ka * a.w + kb * b.w, ka * a.x + kb * b.x, ka * a.y + kb * b.y,
                  ka * a.z + kb * b.z};
}

static pose pose_between(pose a, pose b, double u) {
    return (pose){v3_add(a.p, v3_scale(v3_sub(b.p, a.p), u)), turn_between(a.q, b.q, u)};
}

// Returns how far a pose lies from the expected one, in units of the slack, squared. Twice the sine
// of half the angle stands for the angle: they are the same for angles as small as the slack. For
// two unit quaternions, s the square of their distance, its square is 4 (1 - (1 - s/2)^2) = 4s -
// s^2.
static double strays_by(pose expected, pose is) {
    vec3 off = v3_sub(expected.p, is.p);
    double w = expected.q.w - is.q.w, x = expected.q.x - is.q.x, y = expected.q.y - is.q.y,
           z = expected.q.z - is.q.z;
    double s = w * w + x * x + y * y + z * z;
    double away = v3_dot(off, off) / (POSITION_SLACK * POSITION_SLACK),
           turned = (4 * s - s * s) / (ANGLE_SLACK * ANGLE_SLACK);
    return turned > away ? turned : away;
}

// Marks the keys between `from` and `to` that are needed for the others to follow from them
// (Douglas & Peucker 1973).
static bool thin_between(const nanos *t, const pose *p, size_t from, size_t to, bool *needed) {
    ARRAY(size_t) stack = {0};
    bool ok = array_push_try(&stack, from) && array_push_try(&stack, to);
    needed[from] = needed[to] = true;
    while (ok && stack.count > 0) {
        size_t last = stack.items[stack.count - 1], first = stack.items[stack.count - 2];
        stack.count -= 2;
        double worst = 1;
        size_t at = 0;
        for (size_t i = first + 1; i < last; i++) {
            double u = (double)(t[i] - t[first]) / (double)(t[last] - t[first]);
            double off = strays_by(pose_between(p[first], p[last], u), p[i]);
            if (off > worst) {
                worst = off;
                at = i;
            }
        }
        if (at) {
            needed[at] = true;
            ok = array_push_try(&stack, first) && array_push_try(&stack, at) &&
                 array_push_try(&stack, at) && array_push_try(&stack, last);
        }
    }
    array_finish(&stack);
    return ok;
}

// Marks the needed keys piece by piece: a few more are kept, and the work is linear.
static bool thin_keys(const nanos *t, const pose *p, size_t count, bool *needed) {
    enum { PIECE = 48 };
    bool ok = true;
    needed[0] = true;
    for (size_t i = 0; ok && i + 1 < count; i += PIECE)
        ok = thin_between(t, p, i, i + PIECE < count ? i + PIECE : count - 1, needed);
    return ok;
}

typedef struct keys {
    nanos *t;
    pose *p;
    size_t count, capacity;
} keys;

static bool add_key(signals *s, keys *k, nanos t, pose p) {
    if (k->count == k->capacity) {
        size_t capacity = k->capacity ? k->capacity * 2 : 64;
        if (!budget_take(s->budget, (capacity - k->capacity) * (sizeof(nanos) + sizeof(pose))))
            return signals_fail(s, E_LIMIT, NULL);
        nanos *times = realloc(k->t, capacity * sizeof *times);
        if (times)
            k->t = times;
        pose *poses = realloc(k->p, capacity * sizeof *poses);
        if (poses)
            k->p = poses;
        if (!times || !poses)
            return signals_no_memory(s);
        k->capacity = capacity;
    }
    k->t[k->count] = t;
    k->p[k->count++] = p;
    return true;
}

// Returns the piece of a motion in which an instant lies, which is after its first key and before
// its last. The search begins where the last but one ended: successive look-ups are mostly close
// together, and those of differences, which look before and behind, are so in turn.
static size_t piece_at(motion *m, nanos t) {
    size_t *place = &m->at[m->turn ^= 1];
    size_t low = *place, high = low + 1, step = 1;
    if (t < m->t[low]) {
        high = low;
        for (; t < m->t[low]; step *= 2) {
            high = low;
            low = low > step ? low - step : 0;
        }
    } else {
        for (; t >= m->t[high]; step *= 2) {
            low = high;
            high = m->count - 1 - high > step ? high + step : m->count - 1;
        }
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (m->t[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return *place = low;
}

// Gives the poses of a motion beside an instant, and the share of the way between them; both are
// the same where the object rests.
static void motion_around(motion *m, nanos t, const pose **a, const pose **b, double *u) {
    *u = 0;
    if (t <= m->t[0] || m->count == 1) {
        *a = *b = &m->p[0];
    } else if (t >= m->t[m->count - 1]) {
        *a = *b = &m->p[m->count - 1];
    } else {
        size_t i = piece_at(m, t);
        *a = &m->p[i];
        *b = &m->p[i + 1];
        *u = (double)(t - m->t[i]) / (double)(m->t[i + 1] - m->t[i]);
    }
}

// Returns what carries an object without a joint between, so that its motion is that of the carrier
// and what little it moves in its frame. NULL: nothing, or nothing that is known, or failed.
static thing *carrier_of(signals *s, const thing *o) {
    int64_t parent;
    thing *carrier =
        tracks_is_carried(s->tracks, o->id, &parent) ? signals_thing_of(s, parent) : NULL;
    return carrier && signals_motion(s, carrier) ? carrier : NULL;
}

// `carrier` NULL: the pose follows from the log alone.
static bool read_pose(signals *s, const thing *o, thing *carrier, nanos t, pose *out) {
    error err = {0};
    status st = carrier ? tracks_offset(s->tracks, o->id, t, out, &err)
                        : tracks_pose(s->tracks, o->id, t, out, &err);
    if (st == OK && carrier) {
        const pose *a, *b;
        double u;
        motion_around(&carrier->motion, t, &a, &b, &u);
        *out = pose_mul(a == b ? *a : pose_between(*a, *b, u), *out);
    }
    if (st == OK)
        return true;
    if (s->failed == OK)
        s->err = err;
    return signals_fail(s, st, NULL);
}

// Adds keys between (from, a) and (t, p) where the way between is no straight line, as that of a
// link that turns.
static bool add_bend_keys(signals *s, const thing *o, thing *carrier, keys *k, nanos from, pose a,
                          nanos t, pose p) {
    pose middle;
    nanos half = from + (t - from) / 2;
    if (t - from < 2000000)
        return true;
    if (!read_pose(s, o, carrier, half, &middle))
        return false;
    if (strays_by(pose_between(a, p, 0.5), middle) <= 1)
        return true;
    return add_bend_keys(s, o, carrier, k, from, a, half, middle) && add_key(s, k, half, middle) &&
           add_bend_keys(s, o, carrier, k, half, middle, t, p);
}

// Gives the next of two ascending lists of instants, and passes it by in both. False: no more.
static bool next_instant(const nanos *a, size_t a_count, size_t *i, const nanos *b, size_t b_count,
                         size_t *k, nanos *out) {
    if (*i == a_count && *k == b_count)
        return false;
    *out = *k == b_count || (*i < a_count && a[*i] <= b[*k]) ? a[*i] : b[*k];
    *i += *i < a_count && a[*i] == *out;
    *k += *k < b_count && b[*k] == *out;
    return true;
}

static bool gather_keys(signals *s, const thing *o, keys *k) {
    const nanos *knots;
    size_t count, i = 0, other = 0;
    error err = {0};
    nanos t;
    bool linked = tracks_is_linked(s->tracks, o->id);
    thing *carrier = carrier_of(s, o);
    pose last = POSE_IDENTITY;
    if (s->failed != OK)
        return false;
    const motion *carried = carrier ? &carrier->motion : &(motion){0};
    status st = carrier ? tracks_offset_knots(s->tracks, o->id, &knots, &count, &err)
                        : tracks_knots(s->tracks, o->id, &knots, &count, &err);
    if (st != OK) {
        s->err = err;
        return signals_fail(s, st, NULL);
    }
    while (next_instant(knots, count, &i, carried->t, carried->count, &other, &t)) {
        pose p;
        // Only a damaged log has such instants.
        if (t > TIME_MAX || t < -TIME_MAX)
            continue;
        if (!read_pose(s, o, carrier, t, &p))
            return false;
        if (linked && k->count > 0 && strays_by(last, p) > 0 &&
            !add_bend_keys(s, o, carrier, k, k->t[k->count - 1], last, t, p))
            return false;
        if (!add_key(s, k, t, p))
            return false;
        last = p;
    }
    if (k->count == 0)
        return read_pose(s, o, carrier, 0, &last) && add_key(s, k, 0, last);
    return true;
}

static void find_box(motion *m) {
    m->low = m->high = m->p[0].p;
    for (size_t i = 1; i < m->count; i++) {
        vec3 p = m->p[i].p;
        m->low = v3(fmin(m->low.x, p.x), fmin(m->low.y, p.y), fmin(m->low.z, p.z));
        m->high = v3(fmax(m->high.x, p.x), fmax(m->high.y, p.y), fmax(m->high.z, p.z));
    }
}

static bool load_motion(signals *s, thing *o) {
    motion *m = &o->motion;
    keys k = {0};
    pose first;
    error err = {0};
    m->loaded = true;
    status st = tracks_pose(s->tracks, o->id, 0, &first, &err);
    if (st != OK && tracks_has_none(s->tracks)) {
        m->none = true;
        return true;
    }
    if (st != OK) {
        s->err = err;
        return signals_fail(s, st, NULL);
    }
    bool ok = gather_keys(s, o, &k);
    bool *needed = calloc(k.count + 1, sizeof *needed);
    if (ok && (!needed || !thin_keys(k.t, k.p, k.count, needed)))
        ok = signals_no_memory(s);
    for (size_t i = 0; ok && i < k.count; i++) {
        if (needed[i]) {
            k.t[m->count] = k.t[i];
            k.p[m->count++] = k.p[i];
        }
    }
    free(needed);
    if (!ok) {
        free(k.t);
        free(k.p);
        *m = (motion){0};
        return false;
    }
    m->t = k.t;
    m->p = k.p;
    find_box(m);
    return true;
}

const motion *signals_motion(signals *s, thing *o) {
    if (!o->motion.loaded && !load_motion(s, o))
        return NULL;
    return o->motion.none || o->motion.count == 0 ? NULL : &o->motion;
}

bool signals_pose_alone(signals *s, thing *o, nanos t, pose *out) {
    error err = {0};
    if (o->motion.none || t < o->from || t >= o->until)
        return false;
    status st = tracks_pose_alone(s->tracks, o->id, t, out, &err);
    if (st == OK || tracks_has_none(s->tracks))
        return st == OK;
    s->err = err;
    return signals_fail(s, st, NULL);
}

// Gives the pose before an instant, the one after it, and the share of the way between them; both
// are the same where the object rests. False: it has no pose then.
static bool poses_around(signals *s, thing *o, nanos t, const pose **a, const pose **b, double *u) {
    if (!signals_motion(s, o) || t < o->from || t >= o->until)
        return false;
    motion_around(&o->motion, t, a, b, u);
    return true;
}

static vec3 position_between(const pose *a, const pose *b, double u) {
    return a == b ? a->p : v3_add(a->p, v3_scale(v3_sub(b->p, a->p), u));
}

bool signals_pose(signals *s, thing *o, nanos t, pose *out) {
    const pose *a, *b;
    double u;
    if (!poses_around(s, o, t, &a, &b, &u))
        return false;
    bool turns = a != b && memcmp(&a->q, &b->q, sizeof a->q) != 0;
    out->p = position_between(a, b, u);
    out->q = turns ? turn_between(a->q, b->q, u) : a->q;
    return true;
}

bool signals_position(signals *s, thing *o, nanos t, vec3 *out) {
    const pose *a, *b;
    double u;
    if (!poses_around(s, o, t, &a, &b, &u))
        return false;
    *out = position_between(a, b, u);
    return true;
}

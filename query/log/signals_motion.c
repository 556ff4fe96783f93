// query/log/signals_motion.c - the motion of an object as few keys, and its pose at an instant.
#include <math.h>
#include "base/search.h"
#include "query/log/signals_int.h"

#define POSITION_SLACK 1e-5        // metres that a pose may lose when its keys are chosen
#define ANGLE_SLACK 1e-4           // radians
#define STRETCH INT64_C(512000000) // ns

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

pose signals_pose_between(pose a, pose b, double u) {
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
            double off = strays_by(signals_pose_between(p[first], p[last], u), p[i]);
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

bool signals_add_key(signals *s, keys *k, nanos t, pose p) {
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
    if (t < m->keys.t[low]) {
        high = low;
        for (; t < m->keys.t[low]; step *= 2) {
            high = low;
            low = low > step ? low - step : 0;
        }
    } else {
        for (; t >= m->keys.t[high]; step *= 2) {
            low = high;
            high = m->keys.count - 1 - high > step ? high + step : m->keys.count - 1;
        }
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (m->keys.t[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return *place = low;
}

// Gives the poses of a motion beside an instant, and the share of the way between them; both are
// the same where the object rests, and at a key.
static void motion_around(motion *m, nanos t, const pose **a, const pose **b, double *u) {
    *u = 0;
    if (t <= m->keys.t[0] || m->keys.count == 1) {
        *a = *b = &m->keys.p[0];
    } else if (t >= m->keys.t[m->keys.count - 1]) {
        *a = *b = &m->keys.p[m->keys.count - 1];
    } else {
        size_t i = piece_at(m, t);
        *a = &m->keys.p[i];
        *b = m->keys.t[i] == t ? *a : &m->keys.p[i + 1];
        *u = (double)(t - m->keys.t[i]) / (double)(m->keys.t[i + 1] - m->keys.t[i]);
    }
}

static bool begin_motion(signals *s, thing *o);

// Returns what carries an object without a joint between, so that its motion is that of the carrier
// and what little it moves in its frame. NULL: nothing, or nothing that is known, or failed.
static thing *carrier_of(signals *s, const thing *o) {
    int64_t parent;
    thing *carrier =
        tracks_is_carried(s->tracks, o->id, &parent) ? signals_thing_of(s, parent) : NULL;
    return carrier && begin_motion(s, carrier) && !carrier->motion.none ? carrier : NULL;
}

// `carrier` NULL: the pose follows from the log alone.
static bool read_pose(signals *s, const thing *o, thing *carrier, nanos t, pose *out) {
    error err;
    status st = carrier ? tracks_offset(s->tracks, o->id, t, out, &err)
                        : tracks_pose(s->tracks, o->id, t, out, &err);
    if (st != OK)
        return signals_tracks_failed(s, st, &err);
    if (carrier) {
        const pose *a, *b;
        double u;
        motion_around(&carrier->motion, t, &a, &b, &u);
        *out = pose_mul(a == b ? *a : signals_pose_between(*a, *b, u), *out);
    }
    return true;
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
    if (strays_by(signals_pose_between(a, p, 0.5), middle) <= 1)
        return true;
    return add_bend_keys(s, o, carrier, k, from, a, half, middle) &&
           signals_add_key(s, k, half, middle) &&
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

static void find_box(motion *m) {
    m->low = m->high = m->keys.p[0].p;
    for (size_t i = 1; i < m->keys.count; i++) {
        vec3 p = m->keys.p[i].p;
        m->low = v3(fmin(m->low.x, p.x), fmin(m->low.y, p.y), fmin(m->low.z, p.z));
        m->high = v3(fmax(m->high.x, p.x), fmax(m->high.y, p.y), fmax(m->high.z, p.z));
    }
    m->boxed = true;
}

// Returns the first of ascending instants that is not before `t`.
static size_t first_from(const nanos *times, size_t count, nanos t) {
    return lower_bound(times, sizeof *times, count, t);
}

// Gives the instants of [from, to] at which the motion may change, or that in its carrier's frame.
static bool read_knots(signals *s, const thing *o, const thing *carrier, nanos from, nanos to,
                       const nanos **knots, size_t *count) {
    error err = {0};
    status st = carrier ? tracks_offset_knots(s->tracks, o->id, knots, count, &err)
                        : tracks_knots_between(s->tracks, o->id, from, to, knots, count, &err);
    return st == OK || signals_tracks_failed(s, st, &err);
}

// Divides the motion into stretches. Along a chain of joints each pose costs a walk, and mostly few
// spans of time are asked for; any other motion is read at once.
static bool divide_motion(signals *s, thing *o) {
    motion *m = &o->motion;
    size_t count = signals_is_chained(s, o) ? (size_t)(s->episode.end / STRETCH) + 1 : 1;
    if (!array_reserve_try(&m->stretches, count))
        return signals_no_memory(s);
    for (; m->stretches.count < count; m->stretches.count++)
        m->stretches.items[m->stretches.count] = false;
    m->unread = count;
    return true;
}

// Finds whether the object has a motion at all, and its stretches. False: failed.
static bool find_motion(signals *s, thing *o) {
    motion *m = &o->motion;
    pose first;
    error err = {0};
    status st = tracks_pose(s->tracks, o->id, 0, &first, &err);
    m->none = st != OK && tracks_has_none(s->tracks);
    if (st != OK && !m->none)
        return signals_tracks_failed(s, st, &err);
    m->begun = m->none || divide_motion(s, o);
    return m->begun;
}

static bool begin_motion(signals *s, thing *o) {
    return o->motion.begun || find_motion(s, o);
}

// Returns the stretch in which an instant lies; the first has no beginning and the last no end.
static size_t stretch_at(const motion *m, nanos t) {
    size_t last = m->stretches.count - 1;
    return t < STRETCH ? 0 : t / STRETCH < (nanos)last ? (size_t)(t / STRETCH) : last;
}

static nanos stretch_from(size_t at) {
    return at == 0 ? INT64_MIN : (nanos)at * STRETCH;
}

// Returns the last instant of a stretch, which is the first of the next one.
static nanos stretch_end(const motion *m, size_t at) {
    return at + 1 < m->stretches.count ? stretch_from(at + 1) : INT64_MAX;
}

// Takes the pose at an instant as a key, and those before it where the way there bends.
static bool take_key(signals *s, const thing *o, thing *carrier, keys *k, pose *last, nanos t) {
    pose p;
    if (!read_pose(s, o, carrier, t, &p))
        return false;
    if (k->count > 0 && tracks_is_linked(s->tracks, o->id) && strays_by(*last, p) > 0 &&
        !add_bend_keys(s, o, carrier, k, k->t[k->count - 1], *last, t, p))
        return false;
    *last = p;
    return signals_add_key(s, k, t, p);
}

// Gathers the keys of a stretch, among them one at each of its ends.
static bool gather_keys(signals *s, thing *o, size_t at, keys *k) {
    const nanos *knots;
    size_t count, i, other = 0;
    nanos t, from = stretch_from(at), end = stretch_end(&o->motion, at);
    thing *carrier = carrier_of(s, o);
    pose last = POSE_IDENTITY;
    if (s->failed != OK || (carrier && !signals_motion_in(s, carrier, from, end - 1)) ||
        !read_knots(s, o, carrier, from, end, &knots, &count))
        return false;
    const motion *carried = carrier ? &carrier->motion : &(motion){0};
    i = first_from(knots, count, from);
    if (carrier)
        other = first_from(carried->keys.t, carried->keys.count, from);
    if (at > 0 && !take_key(s, o, carrier, k, &last, from))
        return false;
    while (next_instant(knots, count, &i, carried->keys.t, carried->keys.count, &other, &t) &&
           t < end) {
        // Only a damaged log has instants out of range.
        if (t <= TIME_MAX && t >= -TIME_MAX && t > from && !take_key(s, o, carrier, k, &last, t))
            return false;
    }
    if (k->count == 0 || end != INT64_MAX)
        return take_key(s, o, carrier, k, &last, end != INT64_MAX ? end : 0);
    return true;
}

// Drops the keys that follow from the others.
static bool drop_keys(signals *s, keys *k) {
    bool *needed = calloc(k->count + 1, sizeof *needed);
    if (!needed || !thin_keys(k->t, k->p, k->count, needed)) {
        free(needed);
        return signals_no_memory(s);
    }
    size_t kept = 0;
    for (size_t i = 0; i < k->count; i++) {
        if (needed[i]) {
            k->t[kept] = k->t[i];
            k->p[kept++] = k->p[i];
        }
    }
    free(needed);
    k->count = kept;
    return true;
}

static void drop_all(signals *s, keys *k) {
    budget_return(s->budget, k->capacity * (sizeof *k->t + sizeof *k->p));
    free(k->t);
    free(k->p);
}

// Puts the keys of a stretch among those of others. Stretches that meet share a key.
static bool put_keys(signals *s, keys *all, const keys *k) {
    size_t at = first_from(all->t, all->count, k->t[0]), from = 0, to = k->count;
    if (at < all->count && all->t[at] == k->t[0]) {
        from++;
        at++;
    }
    if (to > from && at < all->count && all->t[at] == k->t[to - 1])
        to--;
    size_t more = to - from, had = all->count;
    // Room first; then the keys behind move up.
    for (size_t i = from; i < to; i++) {
        if (!signals_add_key(s, all, k->t[i], k->p[i])) {
            all->count = had;
            return false;
        }
    }
    memmove(all->t + at + more, all->t + at, (had - at) * sizeof *all->t);
    memmove(all->p + at + more, all->p + at, (had - at) * sizeof *all->p);
    memcpy(all->t + at, k->t + from, more * sizeof *all->t);
    memcpy(all->p + at, k->p + from, more * sizeof *all->p);
    return true;
}

static bool read_stretch(signals *s, thing *o, size_t at) {
    motion *m = &o->motion;
    keys k = {0};
    bool ok = gather_keys(s, o, at, &k) && drop_keys(s, &k);
    if (ok && m->keys.count == 0) {
        m->keys = k;
        k = (keys){0};
    } else {
        ok = ok && put_keys(s, &m->keys, &k);
    }
    drop_all(s, &k);
    if (ok) {
        m->stretches.items[at] = true;
        m->unread--;
    }
    return ok;
}

static bool read_between(signals *s, thing *o, nanos from, nanos to) {
    motion *m = &o->motion;
    size_t first = stretch_at(m, from), last = stretch_at(m, to);
    for (size_t i = first; i <= last; i++) {
        if (!m->stretches.items[i] && !read_stretch(s, o, i))
            return false;
    }
    m->read_from = stretch_from(first);
    m->read_to = stretch_end(m, last);
    return true;
}

void signals_forget_motion(motion *m) {
    free(m->keys.t);
    free(m->keys.p);
    array_finish(&m->stretches);
}

motion *signals_motion_in(signals *s, thing *o, nanos from, nanos to) {
    motion *m = &o->motion;
    if (!begin_motion(s, o))
        return NULL;
    bool known = m->unread == 0 || (from >= m->read_from && to < m->read_to);
    if (m->none || (!known && !read_between(s, o, from, to > from ? to : from)))
        return NULL;
    return m;
}

const motion *signals_motion(signals *s, thing *o) {
    motion *m = signals_motion_in(s, o, INT64_MIN, INT64_MAX);
    if (m && !m->boxed)
        find_box(m);
    return m;
}

bool signals_rests(signals *s, thing *o) {
    if (!begin_motion(s, o) || o->motion.none || o->motion.stretches.count > 1)
        return false;
    const motion *m = signals_motion_in(s, o, INT64_MIN, INT64_MAX);
    return m && m->keys.count == 1;
}

bool signals_pose_alone(signals *s, thing *o, nanos t, pose *out) {
    error err = {0};
    if (o->motion.none || t < o->from || t >= o->until)
        return false;
    status st = tracks_pose_alone(s->tracks, o->id, t, out, &err);
    return st == OK || (!tracks_has_none(s->tracks) && signals_tracks_failed(s, st, &err));
}

// Gives the pose before an instant, the one after it, and the share of the way between them; both
// are the same where the object rests. False: it has no pose then.
static bool poses_around(signals *s, thing *o, nanos t, const pose **a, const pose **b, double *u) {
    motion *m = t >= o->from && t < o->until ? signals_motion_in(s, o, t, t) : NULL;
    if (!m)
        return false;
    motion_around(m, t, a, b, u);
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

// query/log/signals_range.c - between which values a signal stays in a span of time, from the keys
// of the motions alone.
#include <math.h>
#include "base/search.h"
#include "query/log/signals_int.h"

// Where one object is in the frame of another, during a span.
typedef struct spread {
    pose first;          // at its beginning
    double away, turned; // so far from there at most, m and rad
} spread;

#define SINE_MAX 0.25 // of half the angle between two keys: beyond, the bounds below do not hold

static vec3 half_sine(quat from, quat to) {
    quat d = quat_mul(to, quat_inverse(from));
    return d.w < 0 ? v3(-d.x, -d.y, -d.z) : v3(d.x, d.y, d.z);
}

// Bounds how far the relative pose strays between two successive keys, of `a` in the frame of `b`.
// Both turn steadily and move straight there. With d from b to a and the angle c by which b turns,
// the second derivative of R(u)^T d(u) is at most c^2 |d| + 2 c |d'|, and a curve leaves its chord
// by at most an eighth of it. The relative angle changes by at most |turn of a - turn of b|; a
// turn's vector is 2 v (1 + |v|^2/6 + ...) for the vector v of its half sine.
static bool bound_piece(const pose a[2], const pose b[2], double *away, double *turned) {
    vec3 va = half_sine(a[0].q, a[1].q), vb = half_sine(b[0].q, b[1].q);
    double sa = v3_length(va), sb = v3_length(vb);
    if (!(sa < SINE_MAX && sb < SINE_MAX))
        return false;
    vec3 d0 = v3_sub(a[0].p, b[0].p), d1 = v3_sub(a[1].p, b[1].p);
    double c = 2 * sb * (1 + sb * sb), far = fmax(v3_length(d0), v3_length(d1));
    *away = fmax(*away, c * (c * far + 2 * v3_distance(d0, d1)) / 8);
    *turned = fmax(*turned, 2 * v3_distance(va, vb) + (sa * sa * sa + sb * sb * sb) / 2);
    return true;
}

static bool is_there(const thing *o, nanos from, nanos to) {
    return o->from <= from && to < o->until;
}

// An object on its way from key to key.
typedef struct walk {
    thing *of;
    bool rough;      // its way is that of signals_rough.c
    const motion *m; // not rough
    size_t next;     // of the keys that are still to come
    nanos until;     // rough: the next key
} walk;

// What is read of other motions must have been read before: keys may move then.
static bool walk_begin(signals *s, walk *w, thing *of, nanos from, nanos to) {
    *w = (walk){of, signals_is_chained(s, of), NULL, 0, 0};
    if (!is_there(of, from, to))
        return false;
    if (w->rough)
        return true;
    w->m = signals_motion_in(s, of, from, to);
    if (w->m)
        w->next = upper_bound(w->m->keys.t, sizeof *w->m->keys.t, w->m->keys.count, from);
    return w->m != NULL;
}

// Gives the pose at an instant, behind which no key is passed.
static bool walk_pose(signals *s, walk *w, nanos t, pose *out) {
    const motion *m = w->m;
    if (w->rough)
        return signals_rough_pose(s, w->of, t, out, &w->until);
    while (w->next < m->keys.count && m->keys.t[w->next] <= t)
        w->next++;
    if (w->next == 0 || m->keys.t[w->next - 1] != t)
        return signals_pose(s, w->of, t, out);
    *out = m->keys.p[w->next - 1];
    return true;
}

static nanos walk_next(const walk *w, nanos to) {
    if (w->rough)
        return w->until < to ? w->until : to;
    return w->next < w->m->keys.count && w->m->keys.t[w->next] < to ? w->m->keys.t[w->next] : to;
}

// Goes from key to key of both motions. NULL: the world.
static bool spread_over(signals *s, thing *a, thing *b, nanos from, nanos to, spread *out) {
    walk wa = {0}, wb = {0};
    pose at_a[2] = {POSE_IDENTITY, POSE_IDENTITY}, at_b[2] = {POSE_IDENTITY, POSE_IDENTITY};
    double away = 0, sine = 0, piece_away = 0, piece_turned = 0;
    if ((b && !walk_begin(s, &wb, b, from, to)) || (a && !walk_begin(s, &wa, a, from, to)))
        return false;
    for (nanos t = from, last = from - 1; t != last; at_a[0] = at_a[1], at_b[0] = at_b[1]) {
        if ((a && !walk_pose(s, &wa, t, &at_a[1])) || (b && !walk_pose(s, &wb, t, &at_b[1])))
            return false;
        pose p = b ? pose_mul(pose_inverse(at_b[1]), at_a[1]) : at_a[1];
        if (t == from)
            out->first = p;
        else if (!bound_piece(at_a, at_b, &piece_away, &piece_turned))
            return false;
        away = fmax(away, v3_distance(out->first.p, p.p));
        sine = fmax(sine, v3_length(half_sine(out->first.q, p.q)));
        last = t;
        t = a ? walk_next(&wa, to) : to;
        t = b ? walk_next(&wb, t) : t;
    }
    int rough = wa.rough + wb.rough;
    double reach = wb.rough ? away + v3_length(out->first.p) : 0;
    out->away = away + piece_away + rough * ROUGH_SLACK + reach * ROUGH_TURN;
    out->turned = 2 * asin(fmin(1, sine)) + piece_turned + rough * ROUGH_TURN;
    return true;
}

// The same within a hold.
static bool spread_in_hand(signals *s, holding h, nanos from, nanos to, spread *out) {
    return held_covers(h, from, to) &&
           spread_over(s, h.turned ? NULL : h.in_hand, h.turned ? h.in_hand : NULL, from, to, out);
}

static bool held_meets(holding h, nanos from, nanos to) {
    return h.in_hand && h.in_hand->from <= to && h.in_hand->until > from;
}

static signal_range around(double middle, double by) {
    return (signal_range){middle - by, middle + by};
}

// How far the pose has gone from its reference.
static bool range_since(signals *s, signal *g, nanos from, nanos to, signal_range *out) {
    bool angle = g->info->run == signal_drift_angle || g->info->run == signal_turn;
    spread w;
    pose reference;
    holding h = signal_hold_since(s, g);
    // Across the end of a hold bounds hold on either side alone.
    if (held_meets(h, from, to)) {
        if (!signals_held_pose(s, h, g->t0, &reference) || !spread_in_hand(s, h, from, to, &w))
            return false;
    } else {
        if (!signal_knows_reference(s, g) || !spread_over(s, g->o[0], g->o[1], from, to, &w))
            return false;
        reference = g->reference;
    }
    *out = angle ? around(quat_angle(reference.q, w.first.q), w.turned)
                 : around(v3_distance(reference.p, w.first.p), w.away);
    return true;
}

// Widens a span by half the window of differences on either side. False: the window is narrower at
// the ends of the episode, or the object is not there all the time.
static bool widen_span(const signals *s, const thing *o, nanos *from, nanos *to) {
    *from -= HALF_WINDOW;
    *to += HALF_WINDOW;
    return *from >= 0 && *to <= s->episode.end && is_there(o, *from, *to);
}

// How far the pose goes within the window around an instant.
static bool range_around(signals *s, signal *g, nanos from, nanos to, signal_range *out) {
    bool angle = g->info->run == signal_drift_turn;
    spread w;
    if (!widen_span(s, g->o[0], &from, &to))
        return false;
    holding h = signals_hold(s, g->o[0], g->o[1], from, to);
    if (h.in_hand ? !spread_in_hand(s, h, from, to, &w)
                  : s->failed != OK || !spread_over(s, g->o[0], g->o[1], from, to, &w))
        return false;
    *out = (signal_range){0, 2 * (angle ? w.turned : w.away)};
    return true;
}

// The margin out of a region that rests: it changes by no more than the position.
static bool range_of_margin(signals *s, signal *g, nanos from, nanos to, signal_range *out) {
    walk w;
    vec3 first = {0};
    double away = 0;
    if (!signals_rests(s, g->o[1]) || !is_there(g->o[1], from, to) ||
        !walk_begin(s, &w, g->o[0], from, to))
        return false;
    for (nanos t = from, last = from - 1; t != last; t = walk_next(&w, to)) {
        pose p;
        if (!walk_pose(s, &w, t, &p))
            return false;
        first = t == from ? p.p : first;
        away = fmax(away, v3_distance(first, p.p));
        last = t;
    }
    *out = around(signal_at(s, g, from), away);
    return true;
}

#define FOOTPRINT_SLACK 0.002 // m, for directions between those that are tried

// The gap of footprints changes by no more than the points of both objects move, as long as both
// are there.
static bool range_of_footprints(signals *s, signal *g, nanos from, nanos to, signal_range *out) {
    double by = FOOTPRINT_SLACK;
    for (int i = 0; i < 2; i++) {
        spread w = {0}; // of what rests
        double reach = thing_reach(s, g->o[i]);
        if (!isfinite(reach) || !is_there(g->o[i], from, to) ||
            (!signals_rests(s, g->o[i]) && !spread_over(s, g->o[i], NULL, from, to, &w)))
            return false;
        by += w.away + w.turned * reach;
    }
    *out = around(signal_at(s, g, from), by);
    return true;
}

// What a contact tells is one number as long as there is none.
static bool range_of_contact(signals *s, signal *g, nanos from, nanos to, signal_range *out) {
    (void)s;
    if (pair_touches(g->pair, from, to) &&
        (!g->other_pair || pair_touches(g->other_pair, from, to)))
        return false;
    *out = around(g->other_pair ? 1 : 0, 0);
    return true;
}

// How a signal is bounded.
typedef struct range_kind {
    double (*of)(signals *s, signal *g, nanos t);
    bool (*find)(signals *s, signal *g, nanos from, nanos to, signal_range *out);
    bool long_spans; // bounds may tell enough over many keys of a chain of joints
} range_kind;

// NULL: nothing is known of such a signal.
static const range_kind *range_kind_of(const signal_info *info) {
    static const range_kind known[] = {{signal_drift, range_since, true},
                                       {signal_drift_angle, range_since, true},
                                       {signal_travel, range_since, true},
                                       {signal_turn, range_since, true},
                                       {signal_drift_rate, range_around, true},
                                       {signal_drift_turn, range_around, true},
                                       {signal_region_margin, range_of_margin, true},
                                       {signal_footprint_gap, range_of_footprints, false},
                                       {signal_opposition, range_of_contact, false},
                                       {signal_normal_up, range_of_contact, false},
                                       {signal_relative_speed_normal, range_of_contact, false},
                                       {signal_sliding_speed, range_of_contact, false}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].of == info->run)
            return &known[i];
    }
    return NULL;
}

static bool range_of_operation(signals *s, signal *g, nanos from, nanos to, signal_range *out) {
    signal_range a, b;
    if (g->op == '#') {
        *out = around(g->number, 0);
        return true;
    }
    if (!signal_bounds(s, g->left, from, to, &a) || !signal_bounds(s, g->right, from, to, &b))
        return false;
    switch (g->op) {
    case 'n':
        *out = (signal_range){-a.high, -a.low};
        return true;
    case '+':
        *out = (signal_range){a.low + b.low, a.high + b.high};
        return true;
    case '-':
        *out = (signal_range){a.low - b.high, a.high - b.low};
        return true;
    case '*': {
        double ends[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
        *out = (signal_range){fmin(fmin(ends[0], ends[1]), fmin(ends[2], ends[3])),
                              fmax(fmax(ends[0], ends[1]), fmax(ends[2], ends[3]))};
        return true;
    }
    case '<':
        *out = (signal_range){fmin(a.low, b.low), fmin(a.high, b.high)};
        return true;
    case '>':
        *out = (signal_range){fmax(a.low, b.low), fmax(a.high, b.high)};
        return true;
    default:
        return false;
    }
}

bool signal_has_bounds(const signal *g) {
    if (g->info)
        return range_kind_of(g->info) != NULL;
    return g->op == '#' ||
           (strchr("n+-*<>", g->op) && signal_has_bounds(g->left) && signal_has_bounds(g->right));
}

bool signal_is_chained(signals *s, const signal *g) {
    bool chained = false;
    if (g->op == '#' && !g->info)
        return false;
    if (!g->info)
        return signal_has_bounds(g) &&
               (signal_is_chained(s, g->left) || (g->right && signal_is_chained(s, g->right)));
    for (int i = 0; i < 3; i++)
        chained = chained || (g->o[i] && signals_is_chained(s, g->o[i]));
    const range_kind *kind = range_kind_of(g->info);
    return chained && kind && kind->long_spans;
}

bool signal_bounds(signals *s, signal *g, nanos from, nanos to, signal_range *out) {
    if (!g->info)
        return range_of_operation(s, g, from, to, out);
    const range_kind *kind = range_kind_of(g->info);
    return kind && kind->find(s, g, from, to, out);
}

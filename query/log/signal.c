// query/log/signal.c - the signals of signals.def: their names are resolved, their values computed,
// and the instants found between which a value is nearly a straight line (knots).
#include <math.h>
#include <stdio.h>
#include "base/search.h"
#include "query/log/signals_int.h"

static const signal_info INFOS[] = {
#define SIGNAL(name, args, function, tolerance, knots, doc)                                        \
    {name, args, function, tolerance, knots, doc},
#include "query/log/signals.def"
#undef SIGNAL
};
#define INFO_COUNT (sizeof INFOS / sizeof *INFOS)

// ---- Values -------------------------------------------------------------------------------------

// Gives the pose of a signal's i-th object. False: the object has none at t.
static bool pose_of(signals *s, const signal *g, int i, nanos t, pose *out) {
    return signals_pose(s, g->o[i], t, out);
}

static bool position_of(signals *s, const signal *g, int i, nanos t, vec3 *out) {
    return signals_position(s, g->o[i], t, out);
}

// Gives the two instants of a central difference, within the episode; returns the seconds between.
static double difference_window(const signals *s, nanos t, nanos *before, nanos *after) {
    *before = t - HALF_WINDOW < 0 ? 0 : t - HALF_WINDOW;
    *after = t + HALF_WINDOW > s->episode.end ? s->episode.end : t + HALF_WINDOW;
    if (*after <= *before)
        *after = *before + 1;
    return (double)(*after - *before) * 1e-9;
}

double signal_x(signals *s, signal *g, nanos t) {
    vec3 p;
    return position_of(s, g, 0, t, &p) ? p.x : NAN;
}

double signal_y(signals *s, signal *g, nanos t) {
    vec3 p;
    return position_of(s, g, 0, t, &p) ? p.y : NAN;
}

double signal_z(signals *s, signal *g, nanos t) {
    vec3 p;
    return position_of(s, g, 0, t, &p) ? p.z : NAN;
}

double signal_yaw(signals *s, signal *g, nanos t) {
    pose p;
    return pose_of(s, g, 0, t, &p) ? quat_yaw(p.q) : NAN;
}

double signal_height(signals *s, signal *g, nanos t) {
    return -thing_support(s, g->o[0], t, v3(0, 0, -1));
}

double signal_top(signals *s, signal *g, nanos t) {
    return thing_support(s, g->o[0], t, v3(0, 0, 1));
}

static bool centre_velocity(signals *s, signal *g, nanos t, vec3 *out) {
    nanos before, after;
    pose p, q;
    double span = difference_window(s, t, &before, &after);
    if (!pose_of(s, g, 0, before, &p) || !pose_of(s, g, 0, after, &q))
        return false;
    *out = v3_scale(v3_sub(pose_apply(q, g->o[0]->com), pose_apply(p, g->o[0]->com)), 1 / span);
    return true;
}

double signal_vx(signals *s, signal *g, nanos t) {
    vec3 v;
    return centre_velocity(s, g, t, &v) ? v.x : NAN;
}

double signal_vy(signals *s, signal *g, nanos t) {
    vec3 v;
    return centre_velocity(s, g, t, &v) ? v.y : NAN;
}

double signal_vz(signals *s, signal *g, nanos t) {
    vec3 v;
    return centre_velocity(s, g, t, &v) ? v.z : NAN;
}

double signal_speed(signals *s, signal *g, nanos t) {
    vec3 v;
    return centre_velocity(s, g, t, &v) ? v3_length(v) : NAN;
}

double signal_angular_speed(signals *s, signal *g, nanos t) {
    nanos before, after;
    pose p, q;
    double span = difference_window(s, t, &before, &after);
    return pose_of(s, g, 0, before, &p) && pose_of(s, g, 0, after, &q) ? quat_angle(p.q, q.q) / span
                                                                       : NAN;
}

double signal_tilt(signals *s, signal *g, nanos t) {
    pose p;
    if (!pose_of(s, g, 0, t, &p))
        return NAN;
    double c = quat_rotate(p.q, g->o[0]->up).z;
    return acos(fmin(1, fmax(-1, c)));
}

double signal_distance(signals *s, signal *g, nanos t) {
    vec3 p, q;
    return position_of(s, g, 0, t, &p) && position_of(s, g, 1, t, &q) ? v3_distance(p, q) : NAN;
}

double signal_horizontal_distance(signals *s, signal *g, nanos t) {
    vec3 p, q;
    return position_of(s, g, 0, t, &p) && position_of(s, g, 1, t, &q) ? hypot(p.x - q.x, p.y - q.y)
                                                                      : NAN;
}

double signal_vertical_gap(signals *s, signal *g, nanos t) {
    return -thing_support(s, g->o[0], t, v3(0, 0, -1)) - thing_support(s, g->o[1], t, v3(0, 0, 1));
}

double signal_footprint_gap(signals *s, signal *g, nanos t) {
    return things_footprint_gap(s, g->o[0], g->o[1], t);
}

// Gives the velocity of the centre of mass of `b` in the frame of `a`.
static bool relative_velocity(signals *s, thing *a, thing *b, nanos t, vec3 *out) {
    nanos before, after;
    pose p, q, u, v;
    double span = difference_window(s, t, &before, &after);
    if (!signals_pose(s, a, before, &p) || !signals_pose(s, a, after, &q) ||
        !signals_pose(s, b, before, &u) || !signals_pose(s, b, after, &v))
        return false;
    vec3 from = pose_apply(pose_inverse(p), pose_apply(u, b->com));
    vec3 to = pose_apply(pose_inverse(q), pose_apply(v, b->com));
    *out = v3_scale(v3_sub(to, from), 1 / span);
    return true;
}

double signal_relative_speed(signals *s, signal *g, nanos t) {
    vec3 v;
    return relative_velocity(s, g->o[0], g->o[1], t, &v) ? v3_length(v) : NAN;
}

// Gives the parts of the relative velocity along and across the contact's normal; both are 0 while
// there is no contact.
static bool contact_speeds(signals *s, signal *g, nanos t, double *along, double *across) {
    const force_step *f = pair_at(g->pair, t);
    pose p;
    vec3 v;
    *along = *across = 0;
    if (!f || !f->touching)
        return true;
    if (!relative_velocity(s, g->o[0], g->o[1], t, &v) || !pose_of(s, g, 0, t, &p))
        return false;
    vec3 n = quat_rotate(quat_inverse(p.q), f->normal);
    *along = v3_dot(v, n);
    *across = v3_length(v3_sub(v, v3_scale(n, *along)));
    *along = fabs(*along);
    return true;
}

double signal_relative_speed_normal(signals *s, signal *g, nanos t) {
    double along, across;
    return contact_speeds(s, g, t, &along, &across) ? along : NAN;
}

double signal_sliding_speed(signals *s, signal *g, nanos t) {
    double along, across;
    return contact_speeds(s, g, t, &along, &across) ? across : NAN;
}

double signal_force(signals *s, signal *g, nanos t) {
    (void)s;
    return pair_mean_up(g->pair, t);
}

double signal_load(signals *s, signal *g, nanos t) {
    double weight = g->o[1]->mass * 9.81;
    (void)s;
    return weight > 0 ? pair_mean_up(g->pair, t) / weight : NAN;
}

double signal_force_magnitude(signals *s, signal *g, nanos t) {
    const force_step *f = pair_at(g->pair, t);
    (void)s;
    return f ? f->magnitude : 0;
}

double signal_normal_up(signals *s, signal *g, nanos t) {
    const force_step *f = pair_at(g->pair, t);
    (void)s;
    return f && f->touching ? f->normal.z : 0;
}

double signal_opposition(signals *s, signal *g, nanos t) {
    const force_step *f = pair_at(g->pair, t), *h = pair_at(g->other_pair, t);
    (void)s;
    return f && h && f->touching && h->touching ? v3_dot(f->normal, h->normal) : 1;
}

static bool relative_pose(signals *s, const signal *g, nanos t, pose *out) {
    pose p, q;
    if (!pose_of(s, g, 0, t, &p) || !pose_of(s, g, 1, t, &q))
        return false;
    *out = pose_mul(pose_inverse(q), p);
    return true;
}

// Gives the position alone.
static bool relative_position(signals *s, const signal *g, nanos t, vec3 *out) {
    vec3 p;
    pose q;
    if (!position_of(s, g, 0, t, &p) || !pose_of(s, g, 1, t, &q))
        return false;
    *out = pose_apply(pose_inverse(q), p);
    return true;
}

// Gives the pose in the second object's frame where there is one, else in the world's.
static bool framed_pose(signals *s, const signal *g, nanos t, pose *out) {
    return g->o[1] ? relative_pose(s, g, t, out) : pose_of(s, g, 0, t, out);
}

bool signal_knows_reference(signals *s, signal *g) {
    g->reference_known = g->reference_known || framed_pose(s, g, g->t0, &g->reference);
    return g->reference_known;
}

holding signal_hold_since(signals *s, const signal *g) {
    return g->o[1] ? signals_hold(s, g->o[0], g->o[1], g->t0, g->t0) : (holding){0};
}

// Gives two poses of a hold. False: it has none then, or failed.
static bool held_poses(signals *s, holding h, nanos from, nanos to, pose *a, pose *b) {
    return signals_held_pose(s, h, from, a) && signals_held_pose(s, h, to, b);
}

double signal_drift(signals *s, signal *g, nanos t) {
    vec3 p;
    pose from, to;
    holding h = signal_hold_since(s, g);
    if (held_covers(h, t, t))
        return held_poses(s, h, g->t0, t, &from, &to) ? v3_distance(from.p, to.p) : NAN;
    bool known = signal_knows_reference(s, g) &&
                 (g->o[1] ? relative_position(s, g, t, &p) : position_of(s, g, 0, t, &p));
    return known ? v3_distance(g->reference.p, p) : NAN;
}

double signal_drift_angle(signals *s, signal *g, nanos t) {
    pose from, p;
    holding h = signal_hold_since(s, g);
    if (held_covers(h, t, t))
        return held_poses(s, h, g->t0, t, &from, &p) ? quat_angle(from.q, p.q) : NAN;
    return signal_knows_reference(s, g) && framed_pose(s, g, t, &p)
               ? quat_angle(g->reference.q, p.q)
               : NAN;
}

double signal_travel(signals *s, signal *g, nanos t) {
    return signal_drift(s, g, t);
}

double signal_turn(signals *s, signal *g, nanos t) {
    return signal_drift_angle(s, g, t);
}

// Changes are those over 100 ms.
double signal_drift_rate(signals *s, signal *g, nanos t) {
    nanos before, after;
    vec3 from, to;
    pose a, b;
    double scale = 0.1 / difference_window(s, t, &before, &after);
    holding h = signals_hold(s, g->o[0], g->o[1], before, after);
    if (held_covers(h, before, after))
        return held_poses(s, h, before, after, &a, &b) ? v3_distance(a.p, b.p) * scale : NAN;
    return relative_position(s, g, before, &from) && relative_position(s, g, after, &to)
               ? v3_distance(from, to) * scale
               : NAN;
}

double signal_drift_turn(signals *s, signal *g, nanos t) {
    nanos before, after;
    pose from, to;
    double scale = 0.1 / difference_window(s, t, &before, &after);
    holding h = signals_hold(s, g->o[0], g->o[1], before, after);
    bool known = held_covers(h, before, after)
                     ? held_poses(s, h, before, after, &from, &to)
                     : relative_pose(s, g, before, &from) && relative_pose(s, g, after, &to);
    return known ? quat_angle(from.q, to.q) * scale : NAN;
}

double signal_inside(signals *s, signal *g, nanos t) {
    return thing_inside(s, g->o[0], g->o[1], t);
}

double signal_bottom_inside(signals *s, signal *g, nanos t) {
    return thing_bottom_inside(s, g->o[0], g->o[1], t);
}

double signal_region_distance(signals *s, signal *g, nanos t) {
    return signal_horizontal_distance(s, g, t);
}

double signal_region_turn(signals *s, signal *g, nanos t) {
    pose p, q;
    return pose_of(s, g, 0, t, &p) && pose_of(s, g, 1, t, &q)
               ? fabs(angle_wrap(quat_yaw(p.q) - quat_yaw(q.q)))
               : NAN;
}

double signal_region_margin(signals *s, signal *g, nanos t) {
    return region_margin(s, g->o[0], g->o[1], t);
}

bool signal_stays_above(signals *s, const signal *g, double level) {
    return g->info && g->info->run == signal_region_margin &&
           region_stays_beyond(s, g->o[0], g->o[1], level);
}

double signal_region_height(signals *s, signal *g, nanos t) {
    vec3 q;
    return position_of(s, g, 1, t, &q) ? -thing_support(s, g->o[0], t, v3(0, 0, -1)) - q.z : NAN;
}

static double joint_at(signals *s, const signal *g, nanos t) {
    double position;
    error err = {0};
    status st = tracks_joint(s->tracks, g->o[0]->id, t, &position, &err);
    if (st == OK)
        return position;
    if (!tracks_has_none(s->tracks)) {
        s->err = err;
        signals_fail(s, st, NULL);
    }
    return NAN;
}

double signal_joint(signals *s, signal *g, nanos t) {
    return joint_at(s, g, t);
}

double signal_joint_speed(signals *s, signal *g, nanos t) {
    nanos before, after;
    double span = difference_window(s, t, &before, &after);
    return (joint_at(s, g, after) - joint_at(s, g, before)) / span;
}

double signal_opening(signals *s, signal *g, nanos t) {
    thing *fingers[2] = {g->o[1], g->o[2]};
    pose p, q;
    if (!fingers[0] || !fingers[1] || !signals_pose(s, fingers[0], t, &p) ||
        !signals_pose(s, fingers[1], t, &q))
        return NAN;
    vec3 d = v3_unit(v3_sub(q.p, p.p));
    return -thing_support(s, fingers[1], t, v3_scale(d, -1)) - thing_support(s, fingers[0], t, d);
}

static bool believed_pose(signals *s, const signal *g, nanos t, pose *out) {
    return signals_believed_pose(s, g->agent, g->believed, t, 0, out);
}

double signal_believed_x(signals *s, signal *g, nanos t) {
    pose p;
    return believed_pose(s, g, t, &p) ? p.p.x : NAN;
}

double signal_believed_y(signals *s, signal *g, nanos t) {
    pose p;
    return believed_pose(s, g, t, &p) ? p.p.y : NAN;
}

double signal_believed_z(signals *s, signal *g, nanos t) {
    pose p;
    return believed_pose(s, g, t, &p) ? p.p.z : NAN;
}

double signal_believed_yaw(signals *s, signal *g, nanos t) {
    pose p;
    return believed_pose(s, g, t, &p) ? quat_yaw(p.q) : NAN;
}

double signal_belief_error(signals *s, signal *g, nanos t) {
    pose p;
    vec3 q;
    return believed_pose(s, g, t, &p) && position_of(s, g, 0, t, &q) ? v3_distance(p.p, q) : NAN;
}

double signal_belief_angle(signals *s, signal *g, nanos t) {
    pose p, q;
    return believed_pose(s, g, t, &p) && pose_of(s, g, 0, t, &q) ? quat_angle(p.q, q.q) : NAN;
}

double signal_at(signals *s, signal *g, nanos t) {
    double a, b;
    if (g->info)
        return g->info->run(s, g, t);
    switch (g->op) {
    case '#':
        return g->number;
    case 'n':
        return -signal_at(s, g->left, t);
    case 'a':
        return fabs(signal_at(s, g->left, t));
    default:
        break;
    }
    a = signal_at(s, g->left, t);
    b = signal_at(s, g->right, t);
    if (isnan(a) || isnan(b))
        return NAN;
    switch (g->op) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return b != 0 ? a / b : NAN;
    case '<':
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

// ---- Resolving ----------------------------------------------------------------------------------

static char operation_letter(const char *name, uint32_t arity) {
    if (arity == 1)
        return strcmp(name, "-") == 0 ? 'n' : strcmp(name, "abs") == 0 ? 'a' : 0;
    if (arity != 2)
        return 0;
    if (strlen(name) == 1 && strchr("+-*/", name[0]))
        return name[0];
    return strcmp(name, "min") == 0 ? '<' : strcmp(name, "max") == 0 ? '>' : 0;
}

static signal *resolve_operation(signals *s, arena *a, value what, char op) {
    signal *g = arena_try(a, sizeof *g);
    if (!g) {
        signals_fail(s, E_MEMORY, NULL);
        return NULL;
    }
    const value *args = values_args(s->values, what);
    g->op = op;
    g->left = signal_resolve(s, a, args[0]);
    g->right = values_arity(s->values, what) == 2 ? signal_resolve(s, a, args[1]) : g->left;
    if (!g->left || !g->right)
        return NULL;
    g->tolerance = fmin(g->left->tolerance, g->right->tolerance);
    // A constant factor scales the tolerance of the other operand.
    const signal *factor = g->left->op == '#' ? g->left : g->right->op == '#' ? g->right : NULL;
    if (factor && factor->number != 0 && (op == '*' || (op == '/' && factor == g->right)))
        g->tolerance *= op == '*' ? fabs(factor->number) : 1 / fabs(factor->number);
    return g;
}

static bool resolve_argument(signals *s, signal *g, char kind, value x, int *objects) {
    double at;
    switch (kind) {
    case 'o':
        g->o[*objects] = signals_thing(s, x);
        return g->o[(*objects)++] != NULL;
    case 't':
        if (value_kind(x) == VALUE_TIME)
            g->t0 = value_nanos(x);
        else if (values_number(s->values, x, &at) && fabs(at) < SECONDS_MAX)
            g->t0 = nanos_from_seconds(at);
        else
            return false;
        return true;
    case 'a':
        g->agent = x;
        return true;
    default:
        g->believed = x;
        return true;
    }
}

static void find_fingers(signals *s, signal *g) {
    int found = 0;
    for (size_t i = 0; i < s->things.count && found < 2; i++) {
        thing *o = &s->things.items[i];
        if (o->whole == g->o[0]->id && strcmp(o->kind, "finger") == 0)
            g->o[1 + found++] = o;
    }
}

static bool resolve_contacts(signals *s, signal *g) {
    if (strchr(g->info->knots, 'k')) {
        g->pair = signals_pair(s, g->o[1], g->o[0]);
        g->other_pair = g->pair ? signals_pair(s, g->o[2], g->o[0]) : NULL;
        return g->other_pair != NULL;
    }
    if (!strchr(g->info->knots, 'c'))
        return true;
    g->pair = signals_pair(s, g->o[0], g->o[1]);
    return g->pair != NULL;
}

static void fail_unknown(signals *s, value what) {
    const char *names[INFO_COUNT], *name = values_text(s->values, values_functor(s->values, what));
    char text[400];
    for (size_t i = 0; i < INFO_COUNT; i++)
        names[i] = INFOS[i].name;
    const char *near = nearest_name(name, names, INFO_COUNT);
    if (near && strcmp(near, name) == 0)
        snprintf(text, sizeof text, "the signal %.100s does not take %u arguments", name,
                 values_arity(s->values, what));
    else if (near)
        snprintf(text, sizeof text, "unknown signal '%.100s'; did you mean '%s'?", name, near);
    else
        snprintf(text, sizeof text, "unknown signal '%.100s'", name);
    signals_fail(s, E_INPUT, text);
}

signal *signal_resolve(signals *s, arena *a, value what) {
    double number;
    if (values_number(s->values, what, &number)) {
        signal *g = arena_try(a, sizeof *g);
        if (g) {
            g->op = '#';
            g->number = number;
            g->tolerance = INFINITY;
        }
        return g;
    }
    if (value_kind(what) != VALUE_COMPOUND) {
        signals_fail(s, E_INPUT, "a signal is a term such as speed(plate_1)");
        return NULL;
    }
    const char *name = values_text(s->values, values_functor(s->values, what));
    uint32_t arity = values_arity(s->values, what);
    char op = operation_letter(name, arity);
    if (op)
        return resolve_operation(s, a, what, op);
    for (size_t i = 0; i < INFO_COUNT; i++) {
        if (strlen(INFOS[i].args) != arity || strcmp(INFOS[i].name, name) != 0)
            continue;
        signal *g = arena_try(a, sizeof *g);
        if (!g)
            return NULL;
        g->info = &INFOS[i];
        g->tolerance = g->info->tolerance;
        int objects = 0;
        for (uint32_t k = 0; k < arity; k++) {
            if (!resolve_argument(s, g, g->info->args[k], values_args(s->values, what)[k],
                                  &objects))
                return NULL;
        }
        if (g->info->run == signal_opening)
            find_fingers(s, g);
        return resolve_contacts(s, g) ? g : NULL;
    }
    fail_unknown(s, what);
    return NULL;
}

// ---- Knots --------------------------------------------------------------------------------------

static void add_knot(signals *s, instants *out, nanos t, nanos from, nanos to) {
    if (t >= from && t <= to && !array_push_try(out, t))
        signals_fail(s, E_MEMORY, NULL);
}

static void motion_knots(signals *s, thing *o, nanos shift, nanos from, nanos to, instants *out) {
    const motion *m = o && from <= to ? signals_motion_in(s, o, from - shift, to - shift) : NULL;
    if (!m)
        return;
    // The signal jumps when the object comes or goes: the instants on both sides are knots.
    for (int side = 0; side < 2; side++) {
        add_knot(s, out, o->from + shift - side, from, to);
        add_knot(s, out, o->until + shift - side, from, to);
    }
    size_t i = lower_bound(m->keys.t, sizeof *m->keys.t, m->keys.count, from - shift);
    for (; i < m->keys.count && m->keys.t[i] + shift <= to; i++)
        add_knot(s, out, m->keys.t[i] + shift, from, to);
}

// The signal jumps at a step: the instants on both sides are knots.
static void step_knots(signals *s, const pair *p, nanos shift, nanos from, nanos to,
                       instants *out) {
    for (size_t i = 0; i < p->steps.count; i++) {
        nanos t = p->steps.items[i].t + shift;
        add_knot(s, out, t, from, to);
        if (shift == 0)
            add_knot(s, out, t - 1, from, to);
    }
}

#define PARENTS_MAX 16 // frames of beliefs in one another, as in signals_believed_pose

static void belief_knots(signals *s, const signal *g, int depth, nanos from, nanos to,
                         instants *out) {
    // The parent of a believed frame may be any belief of the agent, so the rows of all parents are
    // knots, and while it is held the motion of the hand.
    bool held = false;
    if (!signals_know_beliefs(s))
        return;
    for (size_t i = 0; i < s->believed.count; i++) {
        believed_thing *b = signals_believed(s, g->agent, s->believed.items[i].name);
        if (!b || b != &s->believed.items[i] || (b->name != g->believed && b->name != g->agent))
            continue;
        for (size_t k = 0; k < b->rows.count; k++) {
            const believed_row *r = &b->rows.items[k];
            add_knot(s, out, r->t, from, to);
            add_knot(s, out, r->t - 1, from, to);
            if (r->parent == s->names_map)
                continue;
            signal up = {.agent = g->agent, .believed = r->parent};
            thing *hand = signals_thing(s, r->parent);
            if (hand && strcmp(hand->kind, "gripper") == 0) {
                if (!held)
                    motion_knots(s, hand, 0, from, to, out);
                held = true;
            } else if (depth < PARENTS_MAX && r->parent != g->believed &&
                       (k == 0 || r->parent != b->rows.items[k - 1].parent)) {
                belief_knots(s, &up, depth + 1, from, to, out);
            }
        }
    }
}

static void joint_knots(signals *s, const thing *o, nanos shift, nanos from, nanos to,
                        instants *out) {
    const nanos *t;
    size_t count;
    error err = {0};
    if (tracks_knots(s->tracks, o->id, &t, &count, &err) != OK)
        return;
    for (size_t i = 0; i < count; i++) {
        if (t[i] <= TIME_MAX && t[i] >= -TIME_MAX)
            add_knot(s, out, t[i] + shift, from, to);
    }
}

// A difference bends where either end of its window meets a key.
static void difference_knots(signals *s, thing *o, nanos from, nanos to, instants *out) {
    motion_knots(s, o, -HALF_WINDOW, from, to, out);
    motion_knots(s, o, HALF_WINDOW, from, to, out);
}

// Gives the knots of the poses of both objects, or of what happens half a window beside them.
static void pair_knots(signals *s, const signal *g, bool differences, nanos from, nanos to,
                       instants *out) {
    for (int i = 0; i < 2; i++) {
        if (differences)
            difference_knots(s, g->o[i], from, to, out);
        else
            motion_knots(s, g->o[i], 0, from, to, out);
    }
}

// Gives the knots of [from, to] in the frame of the second object, where [first, last] is told by a
// hold. The signal jumps where the one way to tell it ends and the other one begins.
static void held_knots(signals *s, const signal *g, holding h, bool differences, nanos first,
                       nanos last, nanos from, nanos to, instants *out) {
    first = first > from ? first : from;
    last = last < to ? last : to;
    pair_knots(s, g, differences, from, first - 1, out);
    if (differences)
        difference_knots(s, h.in_hand, first, last, out);
    else
        motion_knots(s, h.in_hand, 0, first, last, out);
    for (int side = 0; side < 2; side++) {
        add_knot(s, out, first - side, from, to);
        add_knot(s, out, last + side, from, to);
    }
}

// Of differences: where the window lies within a hold, its knots count, and else those of the poses
// of both.
static void relative_knots(signals *s, const signal *g, nanos from, nanos to, instants *out) {
    holding h;
    while (from <= to &&
           (h = signals_hold(s, g->o[0], g->o[1], from + HALF_WINDOW, to - HALF_WINDOW)).in_hand) {
        nanos first = h.in_hand->from + HALF_WINDOW, last = h.in_hand->until - HALF_WINDOW - 1;
        if (first <= last)
            held_knots(s, g, h, true, first, last, from, to, out);
        else // too short for any window
            pair_knots(s, g, true, from, last < to ? last : to, out);
        from = last + 1;
    }
    pair_knots(s, g, true, from, to, out);
}

// Of changes since an instant: the hold in which it lies counts.
static void since_knots(signals *s, const signal *g, nanos from, nanos to, instants *out) {
    holding h = signal_hold_since(s, g);
    if (h.in_hand && h.in_hand->from <= to && h.in_hand->until > from) {
        held_knots(s, g, h, false, h.in_hand->from, h.in_hand->until - 1, from, to, out);
        from = h.in_hand->until;
    }
    pair_knots(s, g, false, from, to, out);
}

static void own_knots(signals *s, const signal *g, nanos from, nanos to, instants *out) {
    for (const char *k = g->info->knots; *k; k++) {
        for (int i = 0; i < 3; i++) {
            if (!g->o[i])
                continue;
            if (*k == 'p')
                motion_knots(s, g->o[i], 0, from, to, out);
            if (*k == 'd')
                difference_knots(s, g->o[i], from, to, out);
        }
        if (*k == 'r')
            relative_knots(s, g, from, to, out);
        if (*k == 's')
            since_knots(s, g, from, to, out);
        if (*k == 'd' || *k == 'r') {
            // The window is cut off at the ends of the episode.
            add_knot(s, out, HALF_WINDOW, from, to);
            add_knot(s, out, s->episode.end - HALF_WINDOW, from, to);
        }
        if (*k == 'c' || *k == 'k')
            step_knots(s, g->pair, 0, from, to, out);
        if (*k == 'k')
            step_knots(s, g->other_pair, 0, from, to, out);
        if (*k == 'm') {
            step_knots(s, g->pair, -HALF_WINDOW, from, to, out);
            step_knots(s, g->pair, HALF_WINDOW, from, to, out);
        }
        if (*k == 'b')
            belief_knots(s, g, 0, from, to, out);
        if (*k == 'j')
            joint_knots(s, g->o[0], 0, from, to, out);
        if (*k == 'v') {
            joint_knots(s, g->o[0], -HALF_WINDOW, from, to, out);
            joint_knots(s, g->o[0], HALF_WINDOW, from, to, out);
        }
    }
}

void signal_knots(signals *s, const signal *g, nanos from, nanos to, instants *out) {
    if (g->info) {
        own_knots(s, g, from, to, out);
        return;
    }
    if (g->left && g->op != '#')
        signal_knots(s, g->left, from, to, out);
    if (g->right && g->right != g->left)
        signal_knots(s, g->right, from, to, out);
}

// schema/motion/tracks.c - poses and joint positions between keyframes, along chains.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "schema/columns.h"
#include "schema/record.h"
#include "schema/motion/tracks_int.h"

#define KNOT_BOW 5e-5  // m; of joints also rad
#define KNOT_TURN 5e-4 // rad, of bodies
#define KNOT_SPAN 1e6  // ns

// Returns the last of `count` keys (each `stride` bytes, an instant first) not after `at`. The
// search begins at `from`, where the last one ended, for instants mostly go on by little. `at` lies
// between the first and the last key.
static size_t key_before(const void *keys, size_t stride, size_t count, size_t from, nanos at) {
    for (size_t i = from; i < from + 3 && i + 1 < count; i++) {
        if (search_key(keys, stride, i) > at)
            break;
        if (search_key(keys, stride, i + 1) > at)
            return i;
    }
    return upper_bound(keys, stride, count, at) - 1;
}

// Returns the share of the way from one instant to another, without overflow for any two.
static double time_share(nanos from, nanos to, nanos at) {
    return ((double)at - (double)from) / ((double)to - (double)from);
}

bool tracks_same_turn(quat a, quat b) {
    return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
}

pose tracks_pose_between(const keyframe_pose_key *a, const keyframe_pose_key *b, nanos at) {
    if (a->t == at)
        return a->pose;
    double u = time_share(a->t, b->t, at);
    pose r;
    r.p = v3_add(a->pose.p, v3_scale(v3_sub(b->pose.p, a->pose.p), u));
    double bent = 4 * u * (1 - u);
    r.p = v3_add(r.p, v3_scale(b->bow, bent));
    if (v3_dot(b->bow_turn, b->bow_turn) > 0) {
        vec3 turn = quat_log(quat_mul(quat_inverse(a->pose.q), b->pose.q));
        vec3 now = v3_add(v3_scale(turn, u), v3_scale(b->bow_turn, bent));
        r.q = quat_mul(a->pose.q, quat_exp(now));
    } else {
        r.q = tracks_same_turn(a->pose.q, b->pose.q) ? a->pose.q
                                                     : quat_slerp(a->pose.q, b->pose.q, u);
    }
    return r;
}

double tracks_value_between(const keyframe_value_key *a, const keyframe_value_key *b, nanos at) {
    if (a->t == at)
        return a->value;
    double u = time_share(a->t, b->t, at);
    return a->value + (b->value - a->value + 4 * b->bow * (1 - u)) * u;
}

static pose keyed_pose(node *n, nanos at) {
    const keyframe_pose_key *keys = n->poses.items;
    size_t count = n->poses.count;
    if (at <= keys[0].t)
        return keys[0].pose;
    if (at >= keys[count - 1].t)
        return keys[count - 1].pose;
    n->pose_at = key_before(keys, sizeof *keys, count, n->pose_at, at);
    return tracks_pose_between(&keys[n->pose_at], &keys[n->pose_at + 1], at);
}

double tracks_keyed_value(node *n, nanos at) {
    const keyframe_value_key *keys = n->values.items;
    size_t count = n->values.count;
    if (count == 0)
        return 0;
    if (at <= keys[0].t)
        return keys[0].value;
    if (at >= keys[count - 1].t)
        return keys[count - 1].value;
    n->value_at = key_before(keys, sizeof *keys, count, n->value_at, at);
    return tracks_value_between(&keys[n->value_at], &keys[n->value_at + 1], at);
}

// ---- Single instants, of which few are asked for ----

// Reads the last key not after an instant (`after` false), or the first one after it.
static status read_beside(tracks *t, const node *n, key_table of, bool after, nanos at,
                          any_key *out, bool *found, error *err) {
    sqlite3_stmt **q = &t->beside[of][after];
    status s = OK;
    if (!*q) {
        char sql[400];
        snprintf(sql, sizeof sql,
                 "SELECT t, %s FROM %s WHERE %s = ?1 AND t %s ?2 ORDER BY t %s LIMIT 1",
                 tracks_table_columns[of], tracks_tables[of], tracks_table_objects[of],
                 after ? ">" : "<=", after ? "ASC" : "DESC");
        s = tracks_prepare(t, sql, q, err);
        if (s != OK)
            return s;
    }
    sqlite3_bind_int64(*q, 1, n->id);
    sqlite3_bind_int64(*q, 2, tracks_tick_before(at));
    int rc = sqlite3_step(*q);
    *found = rc == SQLITE_ROW;
    if (*found)
        s = tracks_read_key(t, of, *q, out, err);
    else if (rc != SQLITE_DONE)
        s = tracks_keys_failed(t, of, err);
    sqlite3_reset(*q);
    return s;
}

// Gives what holds at an instant from the keys beside it. *found false: there is no key.
static status read_alone(tracks *t, const node *n, key_table of, nanos at, any_key *out,
                         bool *found, error *err) {
    any_key a = {.place = {0}}, b = {.place = {0}};
    bool before, after;
    status s = read_beside(t, n, of, false, at, &a, &before, err);
    *found = s == OK && before;
    *out = a;
    if (s != OK || (before && a.t == at))
        return s;
    s = read_beside(t, n, of, true, at, &b, &after, err);
    *found = s == OK && (before || after);
    if (s != OK || !after)
        return s;
    *out = b;
    if (before && of != JOINTS)
        out->place.pose = tracks_pose_between(&a.place, &b.place, at);
    else if (before)
        out->number.value = tracks_value_between(&a.number, &b.number, at);
    return OK;
}

// Returns whether one more instant of the object is looked up by itself.
static bool is_asked_alone(const tracks *t, node *n, bool loaded) {
    return !loaded && n->asked++ < t->alone_most;
}

status tracks_find_object(tracks *t, int64_t object, size_t *at, error *err) {
    *at = tracks_find_node(t, object);
    t->none = *at == NO_NODE;
    if (*at == NO_NODE)
        return error_set(err, E_INPUT, "the episode has no object %lld", (long long)object);
    return OK;
}

// The rotation of a joint is kept: most joints of a chain rest while one of them moves.
static pose linked_pose(node *n, pose parent, double position) {
    pose r = pose_mul(parent, n->origin);
    if (n->motion == MOTION_REVOLUTE && position != n->turned_by) {
        n->turn = quat_axis_angle(n->axis, position);
        n->turned_by = position;
    }
    if (n->motion == MOTION_REVOLUTE)
        r.q = quat_mul(r.q, n->turn);
    else if (n->motion == MOTION_PRISMATIC)
        r.p = pose_apply(r, v3_scale(n->axis, position));
    return r;
}

static void keep_pose(node *n, nanos at, pose p) {
    n->cached = true;
    n->cached_t = at;
    n->cached_pose = p;
}

// Gives the pose that an object's own keys tell: in the world, or in its parent's frame.
status tracks_own_pose(tracks *t, node *n, nanos at, bool alone, pose *out, error *err) {
    any_key key = {.place = {0}};
    bool found, read = alone && is_asked_alone(t, n, tracks_has_read(&n->poses_read, at, at));
    status s = read ? read_alone(t, n, tracks_poses_of(n), at, &key, &found, err)
                    : tracks_load_poses(t, n, at, at, err);
    if (s != OK)
        return s;
    t->none = read ? !found : n->poses.count == 0;
    if (t->none)
        return error_set(err, E_INPUT, "object %lld has no pose in the log", (long long)n->id);
    *out = read ? key.place.pose : keyed_pose(n, at);
    return OK;
}

static status joint_position(tracks *t, node *n, nanos at, bool alone, double *out, error *err) {
    any_key key = {.place = {0}};
    bool found, read = alone && is_asked_alone(t, n, tracks_has_read(&n->values_read, at, at));
    status s = read ? read_alone(t, n, JOINTS, at, &key, &found, err)
                    : tracks_load_values(t, n, at, at, err);
    if (s == OK)
        *out = read ? key.number.value : tracks_keyed_value(n, at);
    return s;
}

static status chain_pose(tracks *t, int64_t object, nanos at, bool alone, pose *out, error *err) {
    size_t i;
    status s = tracks_find_object(t, object, &i, err);
    if (s != OK)
        return s;
    // up to the first parent whose pose is known, then down again; links of one arm share poses
    size_t *chain = t->chain.items, length = 0;
    node *n = &t->nodes.items[i];
    pose p;
    while (n->linked && !(n->cached && n->cached_t == at)) {
        chain[length++] = i;
        i = n->parent;
        n = &t->nodes.items[i];
    }
    if (n->cached && n->cached_t == at) {
        p = n->cached_pose;
    } else {
        s = tracks_own_pose(t, n, at, alone, &p, err);
        if (s != OK)
            return s;
        keep_pose(n, at, p);
    }
    while (length > 0) {
        n = &t->nodes.items[chain[--length]];
        double position = 0;
        if (n->joint != NO_NODE) {
            s = joint_position(t, &t->nodes.items[n->joint], at, alone, &position, err);
            if (s != OK)
                return s;
        }
        pose moved = POSE_IDENTITY;
        if (n->motion == MOTION_FLOATING) {
            s = tracks_own_pose(t, n, at, alone, &moved, err);
            if (s != OK)
                return s;
        }
        p = n->motion == MOTION_FLOATING ? pose_mul(pose_mul(p, n->origin), moved)
                                         : linked_pose(n, p, position);
        keep_pose(n, at, p);
    }
    *out = p;
    return OK;
}

status tracks_pose(tracks *t, int64_t object, nanos at, pose *out, error *err) {
    return chain_pose(t, object, at, false, out, err);
}

status tracks_pose_alone(tracks *t, int64_t object, nanos at, pose *out, error *err) {
    return chain_pose(t, object, at, true, out, err);
}

bool tracks_has_none(const tracks *t) {
    return t->none;
}

status tracks_joint(tracks *t, int64_t joint, nanos at, double *position, error *err) {
    size_t i;
    status s = tracks_find_object(t, joint, &i, err);
    return s == OK ? joint_position(t, &t->nodes.items[i], at, false, position, err) : s;
}

// Appends the instants of [from, to] that divide the way from a key to the next one, and that next
// one's, so that between any two it is straight within KNOT_BOW; `bow` in units of that. They are
// not closer than KNOT_SPAN and not more than a thousand, whatever bow a log tells.
static status add_bowed_knots(nanos a, nanos b, double bow, nanos from, nanos to, knots *out,
                              error *err) {
    double pieces = fmin(ceil(sqrt(fmin(bow, 1e6))), floor((double)(b - a) / KNOT_SPAN));
    nanos count = pieces > 1 ? (nanos)pieces : 1;
    for (nanos i = 1; i <= count; i++) {
        nanos t = i == count ? b : a + (nanos)((double)(b - a) * ((double)i / pieces));
        if (t >= from && t <= to && !array_push_try(out, t))
            return tracks_no_memory(err);
    }
    return OK;
}

// Returns how far the way to a key bows, in units of what knots leave.
static double bow_to(const node *n, bool joint, size_t i) {
    if (joint)
        return fabs(n->values.items[i].bow) / KNOT_BOW;
    const keyframe_pose_key *k = &n->poses.items[i];
    return fmax(v3_length(k->bow) / KNOT_BOW, v3_length(k->bow_turn) / KNOT_TURN);
}

// Appends the instants of [from, to] at which the way of a joint (`joint`) or a body may change.
static status add_knots(tracks *t, node *of, bool joint, nanos from, nanos to, knots *out,
                        error *err) {
    status s =
        joint ? tracks_load_values(t, of, from, to, err) : tracks_load_poses(t, of, from, to, err);
    if (s != OK)
        return s;
    const void *keys = joint ? (const void *)of->values.items : of->poses.items;
    size_t stride = joint ? sizeof *of->values.items : sizeof *of->poses.items;
    size_t count = joint ? of->values.count : of->poses.count;
    size_t i = count ? lower_bound(keys, stride, count, from) : 0;
    if (i == 0 && count > 0 && search_key(keys, stride, 0) <= to &&
        !array_push_try(out, search_key(keys, stride, 0)))
        return tracks_no_memory(err);
    for (i = i ? i : 1; s == OK && i < count && search_key(keys, stride, i - 1) < to; i++)
        s = add_bowed_knots(search_key(keys, stride, i - 1), search_key(keys, stride, i),
                            bow_to(of, joint, i), from, to, out, err);
    return s;
}

bool tracks_is_linked(const tracks *t, int64_t object) {
    size_t i = tracks_find_node(t, object);
    return i != NO_NODE && t->nodes.items[i].linked;
}

bool tracks_is_jointed(const tracks *t, int64_t object) {
    size_t i = tracks_find_node(t, object);
    while (i != NO_NODE && t->nodes.items[i].linked && t->nodes.items[i].joint == NO_NODE)
        i = t->nodes.items[i].parent;
    return i != NO_NODE && t->nodes.items[i].linked;
}

bool tracks_is_carried(const tracks *t, int64_t object, int64_t *parent) {
    size_t i = tracks_find_node(t, object);
    const node *n = i == NO_NODE ? NULL : &t->nodes.items[i];
    if (!n || !n->linked || n->joint != NO_NODE || !t->nodes.items[n->parent].linked)
        return false;
    *parent = t->nodes.items[n->parent].id;
    return true;
}

status tracks_offset(tracks *t, int64_t object, nanos at, pose *out, error *err) {
    size_t i;
    status s = tracks_find_object(t, object, &i, err);
    if (s != OK)
        return s;
    node *n = &t->nodes.items[i];
    pose moved = POSE_IDENTITY;
    if (n->motion == MOTION_FLOATING)
        s = tracks_own_pose(t, n, at, false, &moved, err);
    *out = pose_mul(n->origin, moved);
    return s;
}

status tracks_offset_knots(tracks *t, int64_t object, const nanos **times, size_t *count,
                           error *err) {
    size_t i;
    status s = tracks_find_object(t, object, &i, err);
    if (s != OK)
        return s;
    node *n = &t->nodes.items[i];
    if (n->motion == MOTION_FLOATING)
        s = tracks_load_poses(t, n, INT64_MIN, INT64_MAX, err);
    n->own_knots.count = 0;
    if (s == OK && !array_reserve_try(&n->own_knots, n->poses.count + 1))
        s = tracks_no_memory(err);
    for (size_t k = 0; s == OK && k < n->poses.count; k++)
        n->own_knots.items[n->own_knots.count++] = n->poses.items[k].t;
    *times = n->own_knots.items;
    *count = n->own_knots.count;
    return s;
}

// Gathers the instants of [from, to] at which something on an object's chain has keys.
static status chain_knots(tracks *t, node *n, nanos from, nanos to, knots *out, error *err) {
    node *at = n;
    status s = OK;
    out->count = 0;
    for (; s == OK && at->linked; at = &t->nodes.items[at->parent]) {
        if (at->joint != NO_NODE)
            s = add_knots(t, &t->nodes.items[at->joint], true, from, to, out, err);
        else if (at->motion == MOTION_FLOATING)
            s = add_knots(t, at, false, from, to, out, err);
    }
    if (s == OK)
        s = add_knots(t, at, false, from, to, out, err);
    if (s == OK && at == n && n->poses.count == 0)
        s = add_knots(t, n, true, from, to, out, err);
    if (s != OK)
        return s;
    nanos_sort(out->items, out->count);
    size_t kept = 0;
    for (size_t k = 0; k < out->count; k++) {
        if (kept == 0 || out->items[kept - 1] != out->items[k])
            out->items[kept++] = out->items[k];
    }
    out->count = kept;
    return OK;
}

status tracks_knots(tracks *t, int64_t object, const nanos **times, size_t *count, error *err) {
    size_t i;
    status s = tracks_find_object(t, object, &i, err);
    if (s != OK)
        return s;
    node *n = &t->nodes.items[i];
    if (!n->knots_loaded)
        s = chain_knots(t, n, INT64_MIN, INT64_MAX, &n->knots, err);
    n->knots_loaded = s == OK;
    *times = n->knots.items;
    *count = n->knots.count;
    return s;
}

status tracks_knots_between(tracks *t, int64_t object, nanos from, nanos to, const nanos **times,
                            size_t *count, error *err) {
    size_t i;
    status s = tracks_find_object(t, object, &i, err);
    if (s == OK)
        s = chain_knots(t, &t->nodes.items[i], from, to, &t->between, err);
    *times = t->between.items;
    *count = t->between.count;
    return s;
}

// schema/motion/tracks.c - keyframes loaded on demand, and poses between them.
#include "schema/motion/tracks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "schema/columns.h"
#include "schema/record.h"
#include "base/search.h"
#include "schema/store/store.h"

#define NO_NODE IDS_NONE

typedef struct pose_key {
    nanos t;
    pose pose;
} pose_key;

typedef struct value_key {
    nanos t;
    double value;
} value_key;

// The tables with keyframes.
typedef enum key_table { JOINTS, POSES, RELATIVE_POSES, TABLES } key_table;
static const char *const table_names[TABLES] = {"joint_state", "pose", "relative_pose"};
static const char *const table_objects[TABLES] = {"joint", "object", "object"};
#define POSE_COLUMNS "x, y, z, qw, qx, qy, qz"
static const char *const table_columns[TABLES] = {"position", POSE_COLUMNS, POSE_COLUMNS};

typedef enum motion { MOTION_FIXED, MOTION_REVOLUTE, MOTION_PRISMATIC, MOTION_FLOATING } motion;

typedef ARRAY(nanos) knots;

// One row of `object` with its linkage and its keyframes.
typedef struct node {
    int64_t id;
    bool linked;          // pose follows from the parent's
    size_t parent, joint; // indexes of nodes, NO_NODE
    motion motion;
    pose origin;
    vec3 axis;
    double turned_by; // rad; `turn` is the rotation about the axis by it
    quat turn;
    bool poses_loaded, values_loaded, knots_loaded;
    ARRAY(pose_key) poses;
    ARRAY(value_key) values;
    knots knots, own_knots;
    size_t pose_at, value_at; // where the last look-up ended
    size_t asked;             // how many instants were looked up one by one
    bool cached;              // the pose at `cached_t`
    nanos cached_t;
    pose cached_pose;
} node;

struct tracks {
    sqlite3 *db;
    // Of joints, poses and relative poses: all rows of an object, those not after an instant, and
    // those after it.
    sqlite3_stmt *select[TABLES], *beside[TABLES][2];
    size_t alone_most; // so many instants of an object are looked up one by one: its keys are taken
                       // to be some three times as many
    ARRAY(node) nodes; // by id
    ARRAY(size_t) chain; // room to walk from a link to its root
    knots between;       // of the last call that asked for those of a span
    bool none;           // the last call found no pose, or no object
};

static status database_failed(const tracks *t, const char *doing, error *err) {
    return store_failed(t->db, sqlite3_db_filename(t->db, "main"), doing, err);
}

static status out_of_memory(error *err) {
    return error_set(err, E_MEMORY, "no memory is left for the poses of the log");
}

static size_t find_node(const tracks *t, int64_t id) {
    return ids_find(t->nodes.items, sizeof *t->nodes.items, t->nodes.count, id);
}

static status fail_damaged(const tracks *t, const char *table, error *err) {
    return error_at(
        err, E_INPUT, sqlite3_db_filename(t->db, "main"), 0, 0,
        "the log is damaged: a row of its table %s holds an instant or a number out of range",
        table);
}

static status prepare_select(tracks *t, const char *sql, sqlite3_stmt **out, error *err) {
    if (sqlite3_prepare_v2(t->db, sql, -1, out, NULL) != SQLITE_OK)
        return database_failed(t, "reading the poses", err);
    return OK;
}

static status load_objects(tracks *t, int64_t episode, error *err) {
    sqlite3_stmt *q = NULL;
    status s = prepare_select(t, "SELECT id FROM object WHERE episode = ?1 ORDER BY id", &q, err);
    if (s != OK)
        return s;
    sqlite3_bind_int64(q, 1, episode);
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        node n = {.id = sqlite3_column_int64(q, 0), .parent = NO_NODE, .joint = NO_NODE};
        if (!array_push_try(&t->nodes, n)) {
            s = out_of_memory(err);
            goto done;
        }
    }
    if (rc != SQLITE_DONE)
        s = database_failed(t, "reading the objects", err);
done:
    sqlite3_finalize(q);
    return s;
}

static motion motion_of(const char *kind) {
    if (kind && strcmp(kind, "revolute") == 0)
        return MOTION_REVOLUTE;
    if (kind && strcmp(kind, "floating") == 0)
        return MOTION_FLOATING;
    return kind && strcmp(kind, "prismatic") == 0 ? MOTION_PRISMATIC : MOTION_FIXED;
}

static status load_linkages(tracks *t, int64_t episode, error *err) {
    sqlite3_stmt *q = NULL;
    status s = prepare_select(t,
                              "SELECT object, parent, joint, joint_kind, x, y, z, qw, qx, qy, qz,"
                              " axis_x, axis_y, axis_z FROM linkage WHERE episode = ?1 ORDER BY id",
                              &q, err);
    if (s != OK)
        return s;
    sqlite3_bind_int64(q, 1, episode);
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        size_t at = find_node(t, sqlite3_column_int64(q, 0));
        size_t parent = find_node(t, sqlite3_column_int64(q, 1));
        if (at == NO_NODE || parent == NO_NODE) {
            s = error_set(err, E_INPUT,
                          "linkage %lld of the log names an object that it does not have",
                          (long long)sqlite3_column_int64(q, 0));
            goto done;
        }
        node *n = &t->nodes.items[at];
        n->linked = true;
        n->parent = parent;
        n->joint = find_node(t, sqlite3_column_int64(q, 2));
        n->motion = motion_of((const char *)sqlite3_column_text(q, 3));
        if (n->motion == MOTION_FLOATING)
            n->joint = NO_NODE;
        else if (n->joint == NO_NODE)
            n->motion = MOTION_FIXED;
        if (!column_pose(q, 4, &n->origin) || !column_position(q, 11, &n->axis)) {
            s = fail_damaged(t, "linkage", err);
            goto done;
        }
        n->axis = v3_unit(n->axis);
        n->turn = quat_axis_angle(n->axis, n->turned_by);
    }
    if (rc != SQLITE_DONE)
        s = database_failed(t, "reading the linkages", err);
done:
    sqlite3_finalize(q);
    return s;
}

// A chain of linkages that is longer than the list of objects runs in a circle.
static status check_chains(tracks *t, error *err) {
    size_t longest = 1;
    for (size_t i = 0; i < t->nodes.count; i++) {
        size_t length = 1;
        for (size_t at = i; t->nodes.items[at].linked; at = t->nodes.items[at].parent) {
            if (++length > t->nodes.count)
                return error_set(err, E_INPUT,
                                 "the linkages of object %lld in the log run in a circle",
                                 (long long)t->nodes.items[i].id);
        }
        longest = length > longest ? length : longest;
    }
    return array_reserve_try(&t->chain, longest) ? OK : out_of_memory(err);
}

// Finds how many instants of one object are looked up one by one before all of its keys are read:
// the file's size says about how many keys there are.
static status count_keys(tracks *t, error *err) {
    sqlite3_stmt *q = NULL;
    status s = prepare_select(
        t, "SELECT page_count * page_size / 100 FROM pragma_page_count, pragma_page_size", &q, err);
    if (s != OK)
        return s;
    if (sqlite3_step(q) == SQLITE_ROW && t->nodes.count > 0)
        t->alone_most = (size_t)sqlite3_column_int64(q, 0) / t->nodes.count / 3;
    else
        t->alone_most = 0;
    sqlite3_finalize(q);
    return OK;
}

status tracks_create(sqlite3 *db, int64_t episode, tracks **out, error *err) {
    tracks *t = calloc(1, sizeof *t);
    if (!t)
        return out_of_memory(err);
    t->db = db;
    status s = load_objects(t, episode, err);
    if (s == OK)
        s = load_linkages(t, episode, err);
    if (s == OK)
        s = check_chains(t, err);
    if (s == OK)
        s = count_keys(t, err);
    if (s != OK) {
        tracks_destroy(t);
        return s;
    }
    *out = t;
    return OK;
}

void tracks_destroy(tracks *t) {
    if (!t)
        return;
    for (size_t i = 0; i < t->nodes.count; i++) {
        array_finish(&t->nodes.items[i].poses);
        array_finish(&t->nodes.items[i].values);
        array_finish(&t->nodes.items[i].knots);
        array_finish(&t->nodes.items[i].own_knots);
    }
    array_finish(&t->nodes);
    array_finish(&t->chain);
    array_finish(&t->between);
    for (int i = 0; i < TABLES; i++) {
        sqlite3_finalize(t->select[i]);
        sqlite3_finalize(t->beside[i][0]);
        sqlite3_finalize(t->beside[i][1]);
    }
    free(t);
}

static key_table poses_of(const node *n) {
    return n->linked ? RELATIVE_POSES : POSES;
}

// Gives the statement that reads all keys of an object. `of` is prepared when it is first needed.
static status select_keys(tracks *t, key_table of, sqlite3_stmt **out, error *err) {
    status s = OK;
    if (!t->select[of]) {
        char sql[200];
        snprintf(sql, sizeof sql, "SELECT t, %s FROM %s WHERE %s = ?1 ORDER BY t",
                 table_columns[of], table_names[of], table_objects[of]);
        s = prepare_select(t, sql, &t->select[of], err);
    }
    *out = t->select[of];
    return s;
}

static status load_poses(tracks *t, node *n, error *err) {
    if (n->poses_loaded)
        return OK;
    sqlite3_stmt *q;
    status s = select_keys(t, poses_of(n), &q, err);
    int rc;
    if (s != OK)
        return s;
    sqlite3_bind_int64(q, 1, n->id);
    n->poses.count = 0;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        pose_key key;
        if (!column_tick(q, 0, &key.t) || !column_fixed_pose(q, 1, &key.pose)) {
            s = fail_damaged(t, table_names[poses_of(n)], err);
            goto done;
        }
        if (!array_push_try(&n->poses, key)) {
            s = out_of_memory(err);
            goto done;
        }
    }
    if (rc != SQLITE_DONE)
        s = database_failed(t, "reading the poses", err);
    else
        n->poses_loaded = true;
done:
    sqlite3_reset(q);
    return s;
}

static status load_values(tracks *t, node *n, error *err) {
    if (n->values_loaded)
        return OK;
    sqlite3_stmt *q;
    status s = select_keys(t, JOINTS, &q, err);
    int rc;
    if (s != OK)
        return s;
    sqlite3_bind_int64(q, 1, n->id);
    n->values.count = 0;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        value_key key;
        if (!column_tick(q, 0, &key.t) || !column_fixed(q, 1, 1e6, &key.value)) {
            s = fail_damaged(t, "joint_state", err);
            goto done;
        }
        if (!array_push_try(&n->values, key)) {
            s = out_of_memory(err);
            goto done;
        }
    }
    if (rc != SQLITE_DONE)
        s = database_failed(t, "reading the joint states", err);
    else
        n->values_loaded = true;
done:
    sqlite3_reset(q);
    return s;
}

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

static bool same_turn(quat a, quat b) {
    return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
}

static pose pose_between(const pose_key *a, const pose_key *b, nanos at) {
    if (a->t == at)
        return a->pose;
    double u = time_share(a->t, b->t, at);
    pose r;
    r.p = v3_add(a->pose.p, v3_scale(v3_sub(b->pose.p, a->pose.p), u));
    r.q = same_turn(a->pose.q, b->pose.q) ? a->pose.q : quat_slerp(a->pose.q, b->pose.q, u);
    return r;
}

static double value_between(const value_key *a, const value_key *b, nanos at) {
    return a->t == at ? a->value : a->value + (b->value - a->value) * time_share(a->t, b->t, at);
}

static pose keyed_pose(node *n, nanos at) {
    const pose_key *keys = n->poses.items;
    size_t count = n->poses.count;
    if (at <= keys[0].t)
        return keys[0].pose;
    if (at >= keys[count - 1].t)
        return keys[count - 1].pose;
    n->pose_at = key_before(keys, sizeof *keys, count, n->pose_at, at);
    return pose_between(&keys[n->pose_at], &keys[n->pose_at + 1], at);
}

static double keyed_value(node *n, nanos at) {
    const value_key *keys = n->values.items;
    size_t count = n->values.count;
    if (count == 0)
        return 0;
    if (at <= keys[0].t)
        return keys[0].value;
    if (at >= keys[count - 1].t)
        return keys[count - 1].value;
    n->value_at = key_before(keys, sizeof *keys, count, n->value_at, at);
    return value_between(&keys[n->value_at], &keys[n->value_at + 1], at);
}

// ---- Single instants, of which few are asked for ----

// One key of either kind.
typedef struct any_key {
    nanos t;
    pose pose;
    double value;
} any_key;

// Reads the last key not after an instant (`after` false), or the first one after it.
static status read_beside(tracks *t, const node *n, key_table of, bool after, nanos at,
                          any_key *out, bool *found, error *err) {
    sqlite3_stmt **q = &t->beside[of][after];
    status s = OK;
    if (!*q) {
        char sql[200];
        snprintf(sql, sizeof sql,
                 "SELECT t, %s FROM %s WHERE %s = ?1 AND t %s ?2 ORDER BY t %s LIMIT 1",
                 table_columns[of], table_names[of], table_objects[of],
                 after ? ">" : "<=", after ? "ASC" : "DESC");
        s = prepare_select(t, sql, q, err);
        if (s != OK)
            return s;
    }
    sqlite3_bind_int64(*q, 1, n->id);
    sqlite3_bind_int64(*q, 2, at / RECORD_TICK - (at % RECORD_TICK < 0)); // the tick not after it
    int rc = sqlite3_step(*q);
    *found = rc == SQLITE_ROW;
    if (*found &&
        (!column_tick(*q, 0, &out->t) || !(of == JOINTS ? column_fixed(*q, 1, 1e6, &out->value)
                                                        : column_fixed_pose(*q, 1, &out->pose))))
        s = fail_damaged(t, table_names[of], err);
    else if (rc != SQLITE_DONE && rc != SQLITE_ROW)
        s = database_failed(t, "reading the poses", err);
    sqlite3_reset(*q);
    return s;
}

// Gives what holds at an instant from the keys beside it. *found false: there is no key.
static status read_alone(tracks *t, const node *n, key_table of, nanos at, any_key *out,
                         bool *found, error *err) {
    any_key a = {0}, b = {0};
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
        out->pose = pose_between(&(pose_key){a.t, a.pose}, &(pose_key){b.t, b.pose}, at);
    else if (before)
        out->value = value_between(&(value_key){a.t, a.value}, &(value_key){b.t, b.value}, at);
    return OK;
}

// Returns whether one more instant of the object is looked up by itself.
static bool is_asked_alone(const tracks *t, node *n, bool loaded) {
    return !loaded && n->asked++ < t->alone_most;
}

static status find_object(tracks *t, int64_t object, size_t *at, error *err) {
    *at = find_node(t, object);
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
static status own_pose(tracks *t, node *n, nanos at, bool alone, pose *out, error *err) {
    any_key key = {0};
    bool found, read = alone && is_asked_alone(t, n, n->poses_loaded);
    status s = read ? read_alone(t, n, poses_of(n), at, &key, &found, err) : load_poses(t, n, err);
    if (s != OK)
        return s;
    t->none = read ? !found : n->poses.count == 0;
    if (t->none)
        return error_set(err, E_INPUT, "object %lld has no pose in the log", (long long)n->id);
    *out = read ? key.pose : keyed_pose(n, at);
    return OK;
}

static status joint_position(tracks *t, node *n, nanos at, bool alone, double *out, error *err) {
    any_key key = {0};
    bool found, read = alone && is_asked_alone(t, n, n->values_loaded);
    status s = read ? read_alone(t, n, JOINTS, at, &key, &found, err) : load_values(t, n, err);
    if (s == OK)
        *out = read ? key.value : keyed_value(n, at);
    return s;
}

static status chain_pose(tracks *t, int64_t object, nanos at, bool alone, pose *out, error *err) {
    size_t i;
    status s = find_object(t, object, &i, err);
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
        s = own_pose(t, n, at, alone, &p, err);
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
            s = own_pose(t, n, at, alone, &moved, err);
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
    status s = find_object(t, joint, &i, err);
    return s == OK ? joint_position(t, &t->nodes.items[i], at, false, position, err) : s;
}

// Appends the instants of [from, to] at which a joint (`joint`) or a body has keys.
static status add_knots(tracks *t, node *of, bool joint, nanos from, nanos to, knots *out,
                        error *err) {
    status s = joint ? load_values(t, of, err) : load_poses(t, of, err);
    if (s != OK)
        return s;
    const void *keys = joint ? (const void *)of->values.items : of->poses.items;
    size_t stride = joint ? sizeof *of->values.items : sizeof *of->poses.items;
    size_t count = joint ? of->values.count : of->poses.count;
    size_t i = lower_bound(keys, stride, count, from);
    for (; i < count && search_key(keys, stride, i) <= to; i++) {
        if (!array_push_try(out, search_key(keys, stride, i)))
            return out_of_memory(err);
    }
    return OK;
}

bool tracks_is_linked(const tracks *t, int64_t object) {
    size_t i = find_node(t, object);
    return i != NO_NODE && t->nodes.items[i].linked;
}

bool tracks_is_jointed(const tracks *t, int64_t object) {
    size_t i = find_node(t, object);
    while (i != NO_NODE && t->nodes.items[i].linked && t->nodes.items[i].joint == NO_NODE)
        i = t->nodes.items[i].parent;
    return i != NO_NODE && t->nodes.items[i].linked;
}

// What one part of a chain does between two instants: a joint, or a body with keys of its own.
typedef struct part_way {
    double turn, slide;   // how far it turns and moves, rad and m
    double off, off_turn; // how far it strays from turning and moving steadily, m and rad
    double length;        // m, that it may add to the chain
} part_way;

static status pose_way(tracks *t, node *n, nanos from, nanos to, part_way *w, error *err) {
    pose ends[2];
    for (int i = 0; i < 2; i++) {
        status s = own_pose(t, n, i ? to : from, false, &ends[i], err);
        if (s != OK)
            return s;
    }
    const pose_key *keys = n->poses.items;
    const pose_key a = {from, ends[0]}, b = {to, ends[1]};
    w->turn = quat_angle(a.pose.q, b.pose.q);
    w->slide = v3_distance(a.pose.p, b.pose.p);
    w->length = fmax(v3_length(a.pose.p), v3_length(b.pose.p));
    for (size_t i = upper_bound(keys, sizeof *keys, n->poses.count, from);
         i < n->poses.count && keys[i].t < to; i++) {
        pose steady = pose_between(&a, &b, keys[i].t);
        w->off = fmax(w->off, v3_distance(steady.p, keys[i].pose.p));
        if (!same_turn(steady.q, keys[i].pose.q))
            w->off_turn = fmax(w->off_turn, quat_angle(steady.q, keys[i].pose.q));
        w->length = fmax(w->length, v3_length(keys[i].pose.p));
    }
    return OK;
}

static status joint_way(tracks *t, node *joint, bool turns, nanos from, nanos to, part_way *w,
                        error *err) {
    status s = load_values(t, joint, err);
    if (s != OK)
        return s;
    const value_key *keys = joint->values.items;
    const value_key a = {from, keyed_value(joint, from)}, b = {to, keyed_value(joint, to)};
    double way = fabs(b.value - a.value), off = 0, most = fmax(fabs(a.value), fabs(b.value));
    for (size_t i = upper_bound(keys, sizeof *keys, joint->values.count, from);
         i < joint->values.count && keys[i].t < to; i++) {
        off = fmax(off, fabs(value_between(&a, &b, keys[i].t) - keys[i].value));
        most = fmax(most, fabs(keys[i].value));
    }
    *w = turns ? (part_way){.turn = way, .off_turn = off}
               : (part_way){.slide = way, .off = off, .length = most};
    return OK;
}

static status way_of(tracks *t, node *n, nanos from, nanos to, part_way *w, error *err) {
    *w = (part_way){0};
    if (!n->linked || n->motion == MOTION_FLOATING)
        return pose_way(t, n, from, to, w, err);
    if (n->joint == NO_NODE)
        return OK;
    return joint_way(t, &t->nodes.items[n->joint], n->motion == MOTION_REVOLUTE, from, to, w, err);
}

#define THIRD                                                                                      \
    0.00802 // what a third derivative of one adds between the middle and the ends: 3^(1/2) / 216
#define ROUNDED 1.05 // orientations are no vectors

status tracks_way_between(tracks *t, int64_t object, nanos from, nanos to, tracks_way *out,
                          error *err) {
    size_t i, *chain = t->chain.items, length = 0;
    status s = find_object(t, object, &i, err);
    *out = (tracks_way){0};
    if (s != OK)
        return s;
    for (chain[length++] = i; t->nodes.items[i].linked; chain[length++] = i)
        i = t->nodes.items[i].parent;
    // Downwards: with S the sum of all turns above a point, a vector of the length L that grows by
    // D has a third derivative of at most S^3 L + 3 S^2 D.
    double turns = 0, third = 0, off_turn = 0;
    for (size_t k = length; k-- > 0 && s == OK;) {
        node *n = &t->nodes.items[chain[k]];
        part_way w;
        s = way_of(t, n, from, to, &w, err);
        double firm = n->linked ? v3_length(n->origin.p) : 0;
        out->away += w.off + off_turn * (firm + w.length);
        third += turns * turns * (turns * (firm + w.length) + 3 * w.slide);
        off_turn += w.off_turn;
        turns += w.turn;
    }
    out->turned = ROUNDED * off_turn;
    out->curve = THIRD * third;
    out->twist = ROUNDED * THIRD * 2 * turns * turns * turns;
    return s;
}

bool tracks_is_carried(const tracks *t, int64_t object, int64_t *parent) {
    size_t i = find_node(t, object);
    const node *n = i == NO_NODE ? NULL : &t->nodes.items[i];
    if (!n || !n->linked || n->joint != NO_NODE || !t->nodes.items[n->parent].linked)
        return false;
    *parent = t->nodes.items[n->parent].id;
    return true;
}

status tracks_offset(tracks *t, int64_t object, nanos at, pose *out, error *err) {
    size_t i;
    status s = find_object(t, object, &i, err);
    if (s != OK)
        return s;
    node *n = &t->nodes.items[i];
    pose moved = POSE_IDENTITY;
    if (n->motion == MOTION_FLOATING)
        s = own_pose(t, n, at, false, &moved, err);
    *out = pose_mul(n->origin, moved);
    return s;
}

status tracks_offset_knots(tracks *t, int64_t object, const nanos **times, size_t *count,
                           error *err) {
    size_t i;
    status s = find_object(t, object, &i, err);
    if (s != OK)
        return s;
    node *n = &t->nodes.items[i];
    if (n->motion == MOTION_FLOATING)
        s = load_poses(t, n, err);
    n->own_knots.count = 0;
    if (s == OK && !array_reserve_try(&n->own_knots, n->poses.count + 1))
        s = out_of_memory(err);
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
        s = add_knots(t, n, true, from, to, out, err); // a joint
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
    status s = find_object(t, object, &i, err);
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
    status s = find_object(t, object, &i, err);
    if (s == OK)
        s = chain_knots(t, &t->nodes.items[i], from, to, &t->between, err);
    *times = t->between.items;
    *count = t->between.count;
    return s;
}

// schema/motion/tracks_read.c - objects, linkages and keyframes of an episode, read when they are
// asked for.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "schema/columns.h"
#include "schema/record.h"
#include "schema/motion/tracks_int.h"
#include "schema/store/store.h"

#define POSE_COLUMNS "x, y, z, qw, qx, qy, qz"
// NULL is none, 0 as column_fixed reads it.
#define BOW_COLUMNS "bow_x, bow_y, bow_z, bow_turn_x, bow_turn_y, bow_turn_z"
const char *const tracks_tables[TABLES] = {"joint_state", "pose", "relative_pose"};
const char *const tracks_table_objects[TABLES] = {"joint", "object", "object"};
const char *const tracks_table_columns[TABLES] = {"position, bow", POSE_COLUMNS ", " BOW_COLUMNS,
                                                  POSE_COLUMNS};

static status database_failed(const tracks *t, const char *doing, error *err) {
    return store_failed(t->db, sqlite3_db_filename(t->db, "main"), doing, err);
}

status tracks_no_memory(error *err) {
    return error_set(err, E_MEMORY, "no memory is left for the poses of the log");
}

size_t tracks_find_node(const tracks *t, int64_t id) {
    return ids_find(t->nodes.items, sizeof *t->nodes.items, t->nodes.count, id);
}

static status damaged(const tracks *t, const char *table, error *err) {
    return error_at(
        err, E_INPUT, sqlite3_db_filename(t->db, "main"), 0, 0,
        "the log is damaged: a row of its table %s holds an instant or a number out of range",
        table);
}

status tracks_prepare(tracks *t, const char *sql, sqlite3_stmt **out, error *err) {
    if (sqlite3_prepare_v2(t->db, sql, -1, out, NULL) != SQLITE_OK)
        return database_failed(t, "reading the poses", err);
    return OK;
}

static status load_objects(tracks *t, int64_t episode, error *err) {
    sqlite3_stmt *q = NULL;
    status s = tracks_prepare(t, "SELECT id FROM object WHERE episode = ?1 ORDER BY id", &q, err);
    if (s != OK)
        return s;
    sqlite3_bind_int64(q, 1, episode);
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        node n = {.id = sqlite3_column_int64(q, 0), .parent = NO_NODE, .joint = NO_NODE};
        if (!array_push_try(&t->nodes, n)) {
            s = tracks_no_memory(err);
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
    status s = tracks_prepare(t,
                              "SELECT object, parent, joint, joint_kind, x, y, z, qw, qx, qy, qz,"
                              " axis_x, axis_y, axis_z FROM linkage WHERE episode = ?1 ORDER BY id",
                              &q, err);
    if (s != OK)
        return s;
    sqlite3_bind_int64(q, 1, episode);
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        size_t at = tracks_find_node(t, sqlite3_column_int64(q, 0));
        size_t parent = tracks_find_node(t, sqlite3_column_int64(q, 1));
        if (at == NO_NODE || parent == NO_NODE) {
            s = error_set(err, E_INPUT,
                          "linkage %lld of the log names an object that it does not have",
                          (long long)sqlite3_column_int64(q, 0));
            goto done;
        }
        node *n = &t->nodes.items[at];
        n->linked = true;
        n->parent = parent;
        n->joint = tracks_find_node(t, sqlite3_column_int64(q, 2));
        n->motion = motion_of((const char *)sqlite3_column_text(q, 3));
        if (n->motion == MOTION_FLOATING)
            n->joint = NO_NODE;
        else if (n->joint == NO_NODE)
            n->motion = MOTION_FIXED;
        if (!column_pose(q, 4, &n->origin) || !column_position(q, 11, &n->axis)) {
            s = damaged(t, "linkage", err);
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
    return array_reserve_try(&t->chain, longest) ? OK : tracks_no_memory(err);
}

// Finds how many instants of one object are looked up one by one before all of its keys are read:
// the file's size says about how many keys there are.
static status count_keys(tracks *t, error *err) {
    sqlite3_stmt *q = NULL;
    status s = tracks_prepare(
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
        return tracks_no_memory(err);
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
        array_finish(&t->nodes.items[i].poses_read.spans);
        array_finish(&t->nodes.items[i].values_read.spans);
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

key_table tracks_poses_of(const node *n) {
    return n->linked ? RELATIVE_POSES : POSES;
}

// Gives the statement that reads the keys of an object in a span of ticks, and the ones beside it.
// `of` is prepared when it is first needed.
static status select_keys(tracks *t, key_table of, sqlite3_stmt **out, error *err) {
    const char *table = tracks_tables[of], *object = tracks_table_objects[of];
    status s = OK;
    if (!t->select[of]) {
        char sql[400];
        snprintf(sql, sizeof sql,
                 "SELECT t, %s FROM %s WHERE %s = ?1"
                 " AND t >= coalesce((SELECT max(t) FROM %s WHERE %s = ?1 AND t <= ?2), ?2)"
                 " AND t <= coalesce((SELECT min(t) FROM %s WHERE %s = ?1 AND t >= ?3), ?3)"
                 " ORDER BY t",
                 tracks_table_columns[of], table, object, table, object, table, object);
        s = tracks_prepare(t, sql, &t->select[of], err);
    }
    *out = t->select[of];
    return s;
}

status tracks_keys_failed(const tracks *t, key_table of, error *err) {
    return database_failed(t, of == JOINTS ? "reading the joint states" : "reading the poses", err);
}

static bool read_bows(sqlite3_stmt *q, int at, keyframe_pose_key *out) {
    double *const to[] = {&out->bow.x,      &out->bow.y,      &out->bow.z,
                          &out->bow_turn.x, &out->bow_turn.y, &out->bow_turn.z};
    for (int i = 0; i < 6; i++)
        if (!column_fixed(q, at + i, 1e6, to[i]))
            return false;
    return true;
}

status tracks_read_key(const tracks *t, key_table of, sqlite3_stmt *q, any_key *out, error *err) {
    *out = (any_key){.place = {0}};
    bool whole = column_tick(q, 0, &out->t);
    if (of == JOINTS)
        whole = whole && column_fixed(q, 1, 1e6, &out->number.value) &&
                column_fixed(q, 2, 1e6, &out->number.bow);
    else
        whole = whole && column_fixed_pose(q, 1, &out->place.pose) &&
                (of != POSES || read_bows(q, 8, &out->place));
    return whole ? OK : damaged(t, tracks_tables[of], err);
}

// Keys of either kind as items, each of which begins with its instant.
typedef struct key_list {
    void **items;
    size_t *count, *capacity, size;
} key_list;

static key_list keys_of(node *n, key_table of) {
    return of == JOINTS ? (key_list){(void **)&n->values.items, &n->values.count,
                                     &n->values.capacity, sizeof *n->values.items}
                        : (key_list){(void **)&n->poses.items, &n->poses.count, &n->poses.capacity,
                                     sizeof *n->poses.items};
}

// Moves the keys behind the first `had` to their place among these, of which they replace those of
// the same span. False: no memory is left.
static bool place_keys(key_list k, size_t had) {
    size_t more = *k.count - had;
    if (had == 0 || more == 0)
        return true;
    char *items = *k.items;
    size_t to = lower_bound(items, k.size, had, search_key(items, k.size, had)),
           behind = upper_bound(items, k.size, had, search_key(items, k.size, *k.count - 1));
    void *moved = malloc(more * k.size);
    if (!moved)
        return false;
    memcpy(moved, items + had * k.size, more * k.size);
    memmove(items + (to + more) * k.size, items + behind * k.size, (had - behind) * k.size);
    memcpy(items + to * k.size, moved, more * k.size);
    *k.count = had - (behind - to) + more;
    free(moved);
    return true;
}

int64_t tracks_tick_before(nanos t) {
    return t / RECORD_TICK - (t % RECORD_TICK < 0);
}

// Reads the keys of a span, and the ones beside it. *count is how many there are.
static status load_keys(tracks *t, node *n, key_table of, key_span span, size_t *count,
                        error *err) {
    sqlite3_stmt *q;
    any_key key;
    status s = select_keys(t, of, &q, err);
    key_list k = keys_of(n, of);
    size_t had = *k.count;
    int rc = SQLITE_DONE;
    if (s != OK)
        return s;
    sqlite3_bind_int64(q, 1, n->id);
    sqlite3_bind_int64(q, 2, span.from == INT64_MIN ? INT64_MIN : tracks_tick_before(span.from));
    sqlite3_bind_int64(q, 3, span.to == INT64_MAX ? INT64_MAX : tracks_tick_before(span.to) + 1);
    while (s == OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        s = tracks_read_key(t, of, q, &key, err);
        bool kept = s != OK || (of == JOINTS ? array_push_try(&n->values, key.number)
                                             : array_push_try(&n->poses, key.place));
        s = kept ? s : tracks_no_memory(err);
    }
    if (s == OK && rc != SQLITE_DONE)
        s = tracks_keys_failed(t, of, err);
    sqlite3_reset(q);
    *count = *k.count - had;
    if (s == OK && !place_keys(k, had))
        s = tracks_no_memory(err);
    if (s != OK)
        *k.count = had;
    return s;
}

bool tracks_has_read(key_cover *c, nanos from, nanos to) {
    for (size_t i = 0; i < c->spans.count; i++) {
        const key_span *s = &c->spans.items[c->last];
        if (s->from <= from && to <= s->to)
            return true;
        c->last = (c->last + 1) % c->spans.count;
    }
    return false;
}

#define STEP_FIRST INT64_C(2048000000) // ns, of the spans that are read first
#define STEP_MAX (STEP_FIRST << 20)
#define KEYS_FEW 16

static nanos past_step(nanos t, nanos step) {
    return t % step < 0 ? t % step + step : t % step;
}

// Returns the span that is read where [from, to] is asked for.
static key_span span_around(const key_cover *c, nanos from, nanos to) {
    nanos step = c->step ? c->step : STEP_FIRST;
    return (key_span){from < -TIME_MAX ? INT64_MIN : from - past_step(from, step),
                      to > TIME_MAX ? INT64_MAX : to + (step - past_step(to, step))};
}

// Adds a span to those that are read. *meets: it goes on where another one ends. False: no memory
// is left.
static bool add_span(key_cover *c, key_span new, bool *meets) {
    size_t kept = 0;
    for (size_t i = 0; i < c->spans.count; i++) {
        key_span s = c->spans.items[i];
        if (s.from > new.to || s.to < new.from) {
            c->spans.items[kept++] = s;
        } else {
            new.from = s.from < new.from ? s.from : new.from;
            new.to = s.to > new.to ? s.to : new.to;
        }
    }
    *meets = kept < c->spans.count;
    c->spans.count = kept;
    if (!array_push_try(&c->spans, new))
        return false;
    c->last = kept;
    return true;
}

// Most questions are about a few seconds here and there, of which only the keys are read. Where one
// span is asked for after the other, or keys are few, longer ones are read at once.
static status read_keys(tracks *t, node *n, key_table of, key_cover *c, nanos from, nanos to,
                        error *err) {
    if (tracks_has_read(c, from, to))
        return OK;
    key_span span = span_around(c, from, to);
    size_t count = 0;
    bool meets = false;
    status s = load_keys(t, n, of, span, &count, err);
    if (s == OK && !add_span(c, span, &meets))
        s = tracks_no_memory(err);
    c->step = c->step ? c->step : STEP_FIRST;
    if (c->step < STEP_MAX)
        c->step *= count < KEYS_FEW ? 4 : meets ? 2 : 1;
    return s;
}

status tracks_load_poses(tracks *t, node *n, nanos from, nanos to, error *err) {
    return read_keys(t, n, tracks_poses_of(n), &n->poses_read, from, to, err);
}

status tracks_load_values(tracks *t, node *n, nanos from, nanos to, error *err) {
    return read_keys(t, n, JOINTS, &n->values_read, from, to, err);
}

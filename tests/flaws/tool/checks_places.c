// tests/flaws/tool/checks_places.c - checks of what touched what, and of where things came to lie.
#include "checks.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#define DEGREE (PI / 180)

// ---- Touching
static void add_time(void *context, sqlite3_stmt *row) {
    marks *times = context;
    array_push(times, sqlite3_column_double(row, 0));
}

typedef struct meeting {
    double start, approach, force;
} meeting;
typedef ARRAY(meeting) meetings;

static void add_meeting(void *context, sqlite3_stmt *row) {
    meetings *out = context;
    array_push(out, (meeting){sqlite3_column_double(row, 0), sqlite3_column_double(row, 1),
                              sqlite3_column_double(row, 2)});
}

// Contacts between two; `robot`, `any` and wholes (a gripper) stand for parts.
static void find_meetings(const monitor *m, const ynode *args, double speed, double force,
                          marks *times) {
    static const char *const sql =
        "WITH part(name, word) AS (SELECT name, name FROM object_view WHERE episode = 1 UNION ALL "
        "SELECT name, 'any' FROM"
        " object_view WHERE episode = 1 UNION ALL SELECT name, whole FROM object_view WHERE "
        "episode = 1 AND whole IS NOT"
        " NULL UNION ALL SELECT name, 'robot' FROM object_view WHERE episode = 1 AND kind IN "
        "('base', 'link', 'palm',"
        " 'finger')) SELECT DISTINCT c.start_s, c.approach, c.peak_force FROM contact_view c WHERE "
        "episode = 1 AND c.start_s"
        " > 0.1 AND ((c.a IN (SELECT name FROM part WHERE word = ?1) AND c.b IN (SELECT name FROM "
        "part WHERE word = ?2)) OR"
        " (c.b IN (SELECT name FROM part WHERE word = ?1) AND c.a IN (SELECT name FROM part WHERE "
        "word = ?2))) ORDER BY 1";
    const char *a = arg_text(m, args, "a"), *b = arg_text(m, args, "b");
    spans during = {0};
    meetings found = {0};
    arg_during(m, args, &during);
    monitor_select(m, sql, a, b, add_meeting, &found);
    for (size_t i = 0; i < found.count; i++)
        if ((found.items[i].approach >= speed || found.items[i].force >= force) &&
            spans_hold(&during, found.items[i].start))
            array_push(times, found.items[i].start);
    array_finish(&found);
    array_finish(&during);
}

bool check_touched(const monitor *m, const ynode *args, marks *times) {
    find_meetings(m, args, arg_number(m, args, "speed", 0.05), arg_number(m, args, "force", 50),
                  times);
    return times->count > 0;
}

bool check_met(const monitor *m, const ynode *args, marks *times) {
    find_meetings(m, args, -1, DBL_MAX, times);
    return times->count > 0;
}

bool check_struck(const monitor *m, const ynode *args, marks *times) {
    const char *name = arg_text(m, args, "object");
    char over[32];
    snprintf(over, sizeof over, "%.9g", arg_number(m, args, "over", 0));
    if (monitor_object(m, name) < 0)
        return false;
    monitor_select(m,
                   "SELECT start_s FROM contact_view WHERE episode = 1 AND (a = ?1 OR b = ?1) AND "
                   "impulse > CAST(?2 AS REAL)"
                   " AND start_s > 0.1 ORDER BY start_s",
                   name, over, add_time, times);
    return times->count > 0;
}

// ---- At the end
static bool stands_on_at_end(const monitor *m, const ynode *args) {
    const char *name = arg_text(m, args, "object"), *support = arg_text(m, args, "support");
    spans touching = {0};
    if (monitor_object(m, name) < 0 || monitor_object(m, support) < 0)
        return false;
    monitor_touching(m, name, support, &touching);
    bool there = spans_hold(&touching, m->end - 0.01);
    array_finish(&touching);
    return there;
}

bool check_ends_on(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return stands_on_at_end(m, args);
}

bool check_ends_off(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return !stands_on_at_end(m, args);
}

static double far_at_end(const monitor *m, const ynode *args) {
    double x = 0, y = 0;
    int64_t object = monitor_object(m, arg_text(m, args, "object"));
    if (object < 0 || !arg_place(m, args, &x, &y))
        return 0;
    pose p = monitor_pose(m, object, m->end);
    return hypot(p.p.x - x, p.p.y - y);
}

bool check_ends_near(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return far_at_end(m, args) <= arg_number(m, args, "by", 0.06);
}

bool check_ends_away(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return far_at_end(m, args) > arg_number(m, args, "by", 0.06);
}

bool check_joint(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    const char *name = arg_text(m, args, "joint"), *when = arg_text_or(m, args, "when", "end");
    int64_t id = monitor_object(m, name);
    double below = arg_number(m, args, "below", DBL_MAX),
           above = arg_number(m, args, "above", -DBL_MAX), position;
    if (id < 0)
        return false;
    bool hinge =
        monitor_number(
            m,
            "SELECT 1 FROM articulation_view WHERE episode = 1 AND joint = ?1 AND kind = 'hinge'",
            name, NULL, 0) > 0;
    double from = strcmp(when, "end") == 0 ? m->end : 0,
           to = strcmp(when, "start") == 0 ? 0 : m->end;
    for (double t = from; t <= to; t += 0.1) {
        error err = {0};
        if (tracks_joint(m->tracks, id, nanos_from_seconds(t), &position, &err) != OK) {
            errors_append(m->errors, &err);
            return false;
        }
        double p = hinge ? position / DEGREE : position;
        if (p > below || p < above)
            return false;
    }
    return true;
}

// ---- Others
typedef ARRAY(int64_t) rows;

static void add_id(void *context, sqlite3_stmt *row) {
    rows *ids = context;
    array_push(ids, sqlite3_column_int64(row, 0));
}

bool check_occupied(const monitor *m, const ynode *args, marks *times) {
    double x, y, by = arg_number(m, args, "by", 0.1);
    rows ids = {0};
    spans during = {0};
    bool found = false;
    (void)times;
    if (!arg_place(m, args, &x, &y))
        return false;
    arg_during(m, args, &during);
    monitor_select(m,
                   "SELECT id FROM object_view WHERE episode = 1 AND kind = 'body' AND fixed = 0 "
                   "AND name <> ?1",
                   arg_text_or(m, args, "but", ""), NULL, add_id, &ids);
    for (size_t i = 0; during.count && i < ids.count; i++) {
        pose p = monitor_pose(m, ids.items[i], during.items[0].start);
        found = found || hypot(p.p.x - x, p.p.y - y) <= by;
    }
    array_finish(&ids);
    array_finish(&during);
    return found;
}

// No body that can move stands there at the end.
bool check_clear_at_end(const monitor *m, const ynode *args, marks *times) {
    double x, y, by = arg_number(m, args, "by", 0.1);
    rows ids = {0};
    bool clear = true;
    (void)times;
    if (!arg_place(m, args, &x, &y))
        return false;
    monitor_select(m,
                   "SELECT id FROM object_view WHERE episode = 1 AND kind = 'body' AND fixed = 0",
                   NULL, NULL, add_id, &ids);
    for (size_t i = 0; i < ids.count; i++) {
        pose p = monitor_pose(m, ids.items[i], m->end);
        clear = clear && hypot(p.p.x - x, p.p.y - y) > by;
    }
    array_finish(&ids);
    return clear;
}

// Particles that came to lie beside the body, or beneath it.
bool check_spilled(const monitor *m, const ynode *args, marks *times) {
    const char *type = arg_text(m, args, "particle");
    int64_t into = monitor_object(m, arg_text(m, args, "into"));
    double within = arg_number(m, args, "within", 0.06),
           at_least = arg_number(m, args, "at_least", 1), outside = 0;
    rows ids = {0};
    if (!type || into < 0)
        return false;
    monitor_select(
        m, "SELECT id FROM object_view WHERE episode = 1 AND name GLOB '*_' || ?1 || '_[0-9]*'",
        type, NULL, add_id, &ids);
    marks left = {0};
    for (size_t i = 0; i < ids.count; i++) {
        double since = -1;
        for (double t = m->end; t >= 0; t -= 0.05) {
            pose p = monitor_pose(m, ids.items[i], t), q = monitor_pose(m, into, t);
            if (hypot(p.p.x - q.p.x, p.p.y - q.p.y) <= within && p.p.z > q.p.z - 0.01)
                break;
            since = t;
        }
        if (since >= 0) {
            outside++;
            array_push(&left, since);
        }
    }
    for (size_t i = 0; outside >= at_least && i < left.count; i++)
        array_push(times, left.items[i]);
    array_finish(&left);
    array_finish(&ids);
    return outside >= at_least;
}

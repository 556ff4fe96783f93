// tests/flaws/tool/monitor.c - reading logs for the checks.
#include "monitor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool monitor_open(const char *log, arena *a, errors *list, monitor *out) {
    error err = {0};
    *out = (monitor){.arena = a, .errors = list};
    if (sqlite3_open_v2(log, &out->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        errors_add(list, log, 0, 0, "cannot be opened: %s", sqlite3_errmsg(out->db));
        return false;
    }
    if (tracks_create(out->db, 1, &out->tracks, &err) != OK) {
        errors_append(list, &err);
        return false;
    }
    out->end = monitor_number(out, "SELECT end_s FROM episode_view WHERE id = 1", NULL, NULL, 0);
    return list->count == 0;
}

void monitor_close(monitor *m) {
    tracks_destroy(m->tracks);
    sqlite3_close(m->db);
}

// ---- Arguments
const char *arg_text(const monitor *m, const ynode *args, const char *key) {
    const char *text = NULL;
    const ynode *n = ynode_get(args, key);
    if (!n)
        ynode_error(args, m->errors, "the check needs %s:", key);
    else
        (void)ynode_text(n, key, &text, m->errors);
    return text;
}

const char *arg_text_or(const monitor *m, const ynode *args, const char *key,
                        const char *otherwise) {
    return ynode_get(args, key) ? arg_text(m, args, key) : otherwise;
}

double arg_number(const monitor *m, const ynode *args, const char *key, double otherwise) {
    double value = otherwise;
    const ynode *n = ynode_get(args, key);
    if (n)
        (void)ynode_number(n, key, &value, m->errors);
    return value;
}

static void add_span(void *context, sqlite3_stmt *row) {
    spans *out = context;
    array_push(out, (span){sqlite3_column_double(row, 0), sqlite3_column_double(row, 1)});
}

void arg_during(const monitor *m, const ynode *args, spans *out) {
    const char *path = arg_text_or(m, args, "during", NULL);
    if (!path) {
        array_push(out, (span){0, m->end + 1});
        return;
    }
    monitor_select(m,
                   "SELECT start_s, coalesce(end_s, 1e9) FROM task_view WHERE episode = 1 AND path "
                   "GLOB ?1 ORDER BY start_s",
                   path, NULL, add_span, out);
    spans_join(out, 0);
}

bool arg_place(const monitor *m, const ynode *args, double *x, double *y) {
    const char *region = arg_text_or(m, args, "region", NULL);
    if (region) {
        int64_t id = monitor_object(m, region);
        pose p = monitor_pose(m, id, 0);
        *x = p.p.x;
        *y = p.p.y;
        return id >= 0;
    }
    double at[2] = {0, 0};
    const ynode *n = ynode_get(args, "at");
    if (!n) {
        ynode_error(args, m->errors, "the check needs region: or at: [x, y]");
        return false;
    }
    bool fine = ynode_numbers(n, "at", at, 2, m->errors);
    *x = at[0];
    *y = at[1];
    return fine;
}

// ---- The world
void monitor_select(const monitor *m, const char *sql, const char *first, const char *second,
                    monitor_row *each, void *context) {
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(m->db, sql, -1, &s, NULL) != SQLITE_OK) {
        errors_add(m->errors, sql, 0, 0, "%s", sqlite3_errmsg(m->db));
        return;
    }
    if (first)
        sqlite3_bind_text(s, 1, first, -1, SQLITE_TRANSIENT);
    if (second)
        sqlite3_bind_text(s, 2, second, -1, SQLITE_TRANSIENT);
    while (sqlite3_step(s) == SQLITE_ROW)
        each(context, s);
    sqlite3_finalize(s);
}

static void take_number(void *context, sqlite3_stmt *row) {
    if (sqlite3_column_type(row, 0) != SQLITE_NULL)
        *(double *)context = sqlite3_column_double(row, 0);
}

double monitor_number(const monitor *m, const char *sql, const char *first, const char *second,
                      double otherwise) {
    double value = otherwise;
    monitor_select(m, sql, first, second, take_number, &value);
    return value;
}

int64_t monitor_object(const monitor *m, const char *name) {
    if (!name)
        return -1;
    double id = monitor_number(m, "SELECT id FROM object_view WHERE episode = 1 AND name = ?1",
                               name, NULL, -1);
    if (id < 0)
        errors_add(m->errors, "case.yaml", 0, 0, "the world has no '%s'", name);
    return (int64_t)id;
}

pose monitor_pose(const monitor *m, int64_t object, double t) {
    pose p = POSE_IDENTITY;
    error err = {0};
    if (object >= 0 && tracks_pose(m->tracks, object, nanos_from_seconds(t), &p, &err) != OK)
        errors_append(m->errors, &err);
    return p;
}

size_t monitor_hands(const monitor *m, const char **names, size_t most) {
    size_t count = 0;
    sqlite3_stmt *s = NULL;
    (void)sqlite3_prepare_v2(
        m->db, "SELECT name FROM object_view WHERE episode = 1 AND kind = 'gripper' ORDER BY id",
        -1, &s, NULL);
    while (count < most && sqlite3_step(s) == SQLITE_ROW)
        names[count++] = arena_strdup(m->arena, (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    return count;
}

// ---- Spans of time
bool spans_hold(const spans *v, double t) {
    for (size_t i = 0; i < v->count; i++)
        if (v->items[i].start <= t && t < v->items[i].end)
            return true;
    return false;
}

static int by_start(const void *a, const void *b) {
    double x = ((const span *)a)->start, y = ((const span *)b)->start;
    return x < y ? -1 : x > y;
}

void spans_join(spans *v, double gap) {
    if (v->count == 0)
        return;
    qsort(v->items, v->count, sizeof *v->items, by_start);
    size_t last = 0;
    for (size_t i = 1; i < v->count; i++) {
        if (v->items[i].start <= v->items[last].end + gap)
            v->items[last].end = fmax(v->items[last].end, v->items[i].end);
        else
            v->items[++last] = v->items[i];
    }
    v->count = last + 1;
}

void spans_intersect(const spans *a, const spans *b, spans *out) {
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++) {
            span s = {fmax(a->items[i].start, b->items[k].start),
                      fmin(a->items[i].end, b->items[k].end)};
            if (s.start < s.end)
                array_push(out, s);
        }
}

void spans_complement(const spans *v, double from, double to, spans *out) {
    for (size_t i = 0; i < v->count; i++) {
        if (from < v->items[i].start)
            array_push(out, (span){from, fmin(to, v->items[i].start)});
        from = fmax(from, v->items[i].end);
    }
    if (from < to)
        array_push(out, (span){from, to});
}

#define TOUCHING                                                                                   \
    "SELECT c.start_s, coalesce(c.end_s, 1e9) FROM (SELECT a AS one, b AS other, start_s, end_s "  \
    "FROM contact_view"                                                                            \
    " WHERE episode = 1 AND a = ?1 UNION ALL SELECT b, a, start_s, end_s FROM contact_view WHERE " \
    "episode = 1 AND b ="                                                                          \
    " ?1) c JOIN object_view o ON o.episode = 1 AND o.name = c.other WHERE "

void monitor_touching(const monitor *m, const char *body, const char *other, spans *out) {
    const char *sql = TOUCHING "o.name = ?2";
    if (strcmp(other, "robot") == 0)
        sql = TOUCHING "o.kind IN ('base', 'link', 'palm', 'finger') AND ?2 = ?2";
    else if (strcmp(other, "world") == 0)
        sql = TOUCHING "o.kind NOT IN ('base', 'link', 'palm', 'finger') AND ?2 = ?2";
    else if (strcmp(other, "any") == 0)
        sql = TOUCHING "?2 = ?2";
    monitor_select(m, sql, body, other, add_span, out);
    spans_join(out, 0.05);
}

void monitor_grasped(const monitor *m, const char *body, const char *hand, spans *out) {
    const char *fingers[8];
    size_t count = 0;
    sqlite3_stmt *s = NULL;
    (void)sqlite3_prepare_v2(
        m->db, "SELECT name FROM object_view WHERE episode = 1 AND kind = 'finger' AND whole = ?1",
        -1, &s, NULL);
    sqlite3_bind_text(s, 1, hand, -1, SQLITE_TRANSIENT);
    while (count < 8 && sqlite3_step(s) == SQLITE_ROW)
        fingers[count++] = arena_strdup(m->arena, (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            spans one = {0}, two = {0};
            monitor_touching(m, body, fingers[i], &one);
            monitor_touching(m, body, fingers[k], &two);
            spans_intersect(&one, &two, out);
            array_finish(&one);
            array_finish(&two);
        }
    spans_join(out, 0.05);
}

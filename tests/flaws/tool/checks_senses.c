// tests/flaws/tool/checks_senses.c - checks of what could be seen, what was, and what was believed
// of the robot's place.
#include "checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Visibility
typedef struct view {
    span when;
    char state[16];
    bool blocked; // by the one asked for
} view;
typedef struct views {
    ARRAY(view) items;
    const char *blocker; // NULL: any
} views;

static void add_view(void *context, sqlite3_stmt *row) {
    views *v = context;
    view w = {.when = {sqlite3_column_double(row, 0), sqlite3_column_double(row, 1)}};
    const char *state = (const char *)sqlite3_column_text(row, 2),
               *blockers = (const char *)sqlite3_column_text(row, 3);
    snprintf(w.state, sizeof w.state, "%s", state ? state : "");
    w.blocked = !v->blocker || (blockers && strstr(blockers, v->blocker));
    array_push(&v->items, w);
}

// For how long the body was in such a state within `during`.
static double view_time(const monitor *m, const ynode *args, const char *state,
                        const char *blocker) {
    const char *name = arg_text(m, args, "object");
    views v = {.blocker = blocker};
    spans during = {0};
    double total = 0;
    if (monitor_object(m, name) < 0)
        return 0;
    arg_during(m, args, &during);
    monitor_select(m,
                   "SELECT start_s, coalesce(end_s, 1e9), state, blockers FROM visibility_view "
                   "WHERE episode = 1 AND object ="
                   " ?1",
                   name, NULL, add_view, &v);
    for (size_t i = 0; i < v.items.count; i++)
        for (size_t k = 0; k < during.count; k++) {
            const view *w = &v.items.items[i];
            double end = fmin(fmin(w->when.end, during.items[k].end), m->end);
            double both = end - fmax(w->when.start, during.items[k].start);
            if (both > 0 && strcmp(w->state, state) == 0 && w->blocked)
                total += both;
        }
    array_finish(&v.items);
    array_finish(&during);
    return total;
}

bool check_hidden(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return view_time(m, args, "occluded", arg_text_or(m, args, "blocker", NULL)) > 0.3 &&
           view_time(m, args, "visible", NULL) <= 0;
}

bool check_visible(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return view_time(m, args, "visible", NULL) >= arg_number(m, args, "at_least", 0.3);
}

// ---- Percepts
static void add_time(void *context, sqlite3_stmt *row) {
    marks *times = context;
    array_push(times, sqlite3_column_double(row, 0));
}

static double percepts(const monitor *m, const ynode *args, const char *sql, const char *first,
                       const char *second) {
    marks taken = {0};
    spans during = {0};
    double count = 0;
    arg_during(m, args, &during);
    monitor_select(m, sql, first, second, add_time, &taken);
    for (size_t i = 0; i < taken.count; i++)
        count += spans_hold(&during, taken.items[i]);
    array_finish(&taken);
    array_finish(&during);
    return count;
}

#define PERCEPTS                                                                                   \
    "SELECT p.taken_s FROM percept_view p JOIN percept_truth_view t ON t.percept = p.id WHERE "    \
    "p.episode = 1 AND "

static double times_seen(const monitor *m, const ynode *args) {
    const char *name = arg_text(m, args, "object"), *as = arg_text_or(m, args, "as", NULL);
    if (monitor_object(m, name) < 0)
        return 0;
    if (as)
        return percepts(m, args, PERCEPTS "t.object = ?1 AND p.type = ?2", name, as);
    return percepts(m, args, PERCEPTS "t.object = ?1", name, NULL);
}

bool check_seen(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return times_seen(m, args) >= arg_number(m, args, "at_least", 1);
}

bool check_never_seen(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return times_seen(m, args) < arg_number(m, args, "at_least", 1);
}

bool check_ghosts(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return percepts(m, args, PERCEPTS "t.object IS NULL AND p.type = ?1", arg_text(m, args, "type"),
                    NULL) >= arg_number(m, args, "at_least", 1);
}

// What such a task returned holds a believed object of which every percept was a ghost.
bool check_imagined(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return monitor_number(
               m,
               "SELECT 1 FROM task_view t JOIN believed_view b ON b.episode = 1 AND b.object IS "
               "NULL AND"
               " instr(' ' || replace(replace(replace(t.result, '[', ' '), ']', ' '), ',', ' ') || "
               "' ', ' ' ||"
               " b.name || ' ') WHERE t.episode = 1 AND t.path GLOB ?1 AND t.result IS NOT NULL "
               "AND NOT EXISTS"
               " (SELECT 1 FROM association_view a JOIN percept_truth_view p ON p.percept = "
               "a.percept WHERE"
               " a.episode = 1 AND a.believed = b.name AND p.object IS NOT NULL) AND EXISTS "
               "(SELECT 1 FROM"
               " association_view a WHERE a.episode = 1 AND a.believed = b.name) LIMIT 1",
               arg_text(m, args, "path"), NULL, 0) > 0;
}

typedef struct percept {
    double taken;
    vec3 at;
} percept;
typedef ARRAY(percept) percept_list;

static void add_percept(void *context, sqlite3_stmt *row) {
    percept_list *out = context;
    array_push(out, (percept){sqlite3_column_double(row, 0),
                              v3(sqlite3_column_double(row, 1), sqlite3_column_double(row, 2),
                                 sqlite3_column_double(row, 3))});
}

// The mean of what its percepts say, in the robot's base frame, against where it was then.
bool check_percepts_off(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    const char *name = arg_text(m, args, "object");
    int64_t object = monitor_object(m, name);
    double base = monitor_number(
        m, "SELECT id FROM object_view WHERE episode = 1 AND kind = 'base'", NULL, NULL, -1);
    percept_list list = {0};
    spans during = {0};
    vec3 sum = v3(0, 0, 0);
    double count = 0;
    if (object < 0)
        return false;
    arg_during(m, args, &during);
    monitor_select(m,
                   "SELECT p.taken_s, p.x, p.y, p.z FROM percept_view p JOIN percept_truth_view t "
                   "ON t.percept = p.id WHERE"
                   " p.episode = 1 AND t.object = ?1",
                   name, NULL, add_percept, &list);
    for (size_t i = 0; i < list.count; i++) {
        const percept *p = &list.items[i];
        if (!spans_hold(&during, p->taken))
            continue;
        vec3 true_at = pose_apply(pose_inverse(monitor_pose(m, (int64_t)base, p->taken)),
                                  monitor_pose(m, object, p->taken).p);
        sum = v3_add(sum, v3_sub(p->at, true_at));
        count++;
    }
    array_finish(&list);
    array_finish(&during);
    return count > 0 && v3_length(sum) / count >= arg_number(m, args, "by", 0.03);
}

// Since a person moved it the camera did not report it: up to the end, or until a task begins.
bool check_unseen_since(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    const char *name = arg_text(m, args, "object"), *until = arg_text_or(m, args, "until", NULL);
    if (monitor_object(m, name) < 0)
        return false;
    double moved = monitor_number(
        m,
        "SELECT min(t_s) FROM exogenous_view WHERE episode = 1 AND object = ?1 AND term LIKE"
        " 'moved_by_person%'",
        name, NULL, -1);
    double limit =
        until ? monitor_number(
                    m, "SELECT min(start_s) FROM task_view WHERE episode = 1 AND path GLOB ?1",
                    until, NULL, -1)
              : m->end;
    double last = monitor_number(
        m,
        "SELECT min(p.taken_s) FROM percept_view p JOIN percept_truth_view t ON t.percept = p.id"
        " JOIN (SELECT min(t_s) AS moved FROM exogenous_view WHERE episode = 1 AND object = ?1)"
        " ON p.taken_s > moved WHERE p.episode = 1 AND t.object = ?1",
        name, NULL, INFINITY);
    return moved >= 0 && limit > moved && last >= limit;
}

// ---- The robot's place
typedef struct belief {
    double since, x, y, yaw;
} belief;
typedef ARRAY(belief) belief_list;

static void add_belief(void *context, sqlite3_stmt *row) {
    belief_list *out = context;
    quat q = {sqlite3_column_double(row, 3), 0, 0, sqlite3_column_double(row, 4)};
    array_push(out, (belief){sqlite3_column_double(row, 0), sqlite3_column_double(row, 1),
                             sqlite3_column_double(row, 2), quat_yaw(q)});
}

// Where it matters: when a drive or a look at the laser is over, and when an arm sets out.
bool check_astray(const monitor *m, const ynode *args, marks *times) {
    double by = arg_number(m, args, "by", 0.1), angle = arg_number(m, args, "angle", 5) * PI / 180;
    double hand_by = arg_number(m, args, "hand_by", 0.04),
           hand_angle = arg_number(m, args, "hand_angle", 3) * PI / 180;
    double base = monitor_number(
        m, "SELECT id FROM object_view WHERE episode = 1 AND kind = 'base'", NULL, NULL, -1);
    belief_list list = {0};
    marks drives = {0}, arms = {0};
    bool lost = false;
    monitor_select(m,
                   "SELECT t_s, x, y, qw, qz FROM believed_frame_view WHERE episode = 1 AND parent "
                   "= 'map' AND believed = agent"
                   " ORDER BY t_s, id",
                   NULL, NULL, add_belief, &list);
    monitor_select(m,
                   "SELECT end_s FROM operation_view WHERE episode = 1 AND name IN ('navigate', "
                   "'localise') AND end_s IS NOT"
                   " NULL ORDER BY 1",
                   NULL, NULL, add_time, &drives);
    monitor_select(m,
                   "SELECT start_s FROM operation_view WHERE episode = 1 AND name IN ('move_arm', "
                   "'close_gripper') ORDER BY 1",
                   NULL, NULL, add_time, &arms);
    for (size_t d = 0, g = 0, k = 0; d < drives.count || g < arms.count;) {
        bool arm = d == drives.count || (g < arms.count && arms.items[g] < drives.items[d]);
        double t = arm ? arms.items[g++] : drives.items[d++];
        while (k + 1 < list.count && list.items[k + 1].since <= t)
            k++;
        if (list.count == 0)
            break;
        const belief *b = &list.items[k];
        pose p = monitor_pose(m, (int64_t)base, t);
        double off = hypot(p.p.x - b->x, p.p.y - b->y),
               turned = fabs(angle_wrap(quat_yaw(p.q) - b->yaw));
        bool now = off > (arm ? hand_by : by) || turned > (arm ? hand_angle : angle);
        if (now && !lost)
            array_push(times, t);
        lost = now || (lost && !arm);
    }
    array_finish(&list);
    array_finish(&drives);
    array_finish(&arms);
    return times->count > 0;
}

// ---- The scene, and the course of the episode
typedef struct kin {
    int64_t id;
} kin;
typedef ARRAY(kin) kin_list;

static void add_kin(void *context, sqlite3_stmt *row) {
    kin_list *out = context;
    array_push(out, (kin){sqlite3_column_int64(row, 0)});
}

bool check_alike(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    const char *type = arg_text(m, args, "type"), *color = arg_text_or(m, args, "color", NULL),
               *on = arg_text(m, args, "on");
    kin_list list = {0};
    double count = 0;
    monitor_select(m,
                   "SELECT o.id FROM object_view o WHERE o.episode = 1 AND o.type = ?1 AND (?2 IS "
                   "NULL OR EXISTS (SELECT 1"
                   " FROM property_view p WHERE p.episode = 1 AND p.object = o.name AND p.key = "
                   "'color' AND p.value = ?2))",
                   type, color, add_kin, &list);
    for (size_t i = 0; i < list.count; i++) {
        char sql[192];
        snprintf(sql, sizeof sql,
                 "SELECT 1 FROM contact WHERE start_ns < 200000000 AND %lld IN (a, b) AND (SELECT "
                 "id FROM object WHERE name = ?1)"
                 " IN (a, b)",
                 (long long)list.items[i].id);
        count += monitor_number(m, sql, on, NULL, 0) > 0;
    }
    array_finish(&list);
    return count >= arg_number(m, args, "at_least", 2);
}

bool check_repeated(const monitor *m, const ynode *args, marks *times) {
    monitor_select(
        m, "SELECT start_s FROM task_view WHERE episode = 1 AND path GLOB ?1 ORDER BY start_s",
        arg_text(m, args, "path"), NULL, add_time, times);
    return (double)times->count >= arg_number(m, args, "at_least", 3);
}

bool check_ended(const monitor *m, const ynode *args, marks *times) {
    (void)times;
    return monitor_number(m, "SELECT outcome = ?1 FROM episode_view WHERE id = 1",
                          arg_text(m, args, "outcome"), NULL, 0) > 0;
}

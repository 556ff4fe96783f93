// tests/flaws/tool/checks_motion.c - checks of how things were held, moved and fell.
#include "checks.h"

#include <stdio.h>
#include <string.h>

#define STEP 0.01 // s between two looks at a pose
#define DEGREE (PI / 180)
#define HANDS 4

// ---- In a hand
typedef struct grip {
    pose hand, object; // when it was lifted off
    vec3 point;        // between the fingers, in the object's frame
} grip;

static double drift_of(const grip *g, pose hand, pose object, double *turned) {
    pose was = pose_mul(pose_inverse(g->hand), g->object),
         is = pose_mul(pose_inverse(hand), object);
    *turned = quat_angle(was.q, is.q);
    return v3_distance(pose_apply(was, g->point), pose_apply(is, g->point));
}

// One stretch in which a hand held it and nothing else did: whether it slid, and since when.
static bool slid_in(const monitor *m, int64_t object, int64_t hand, span held, double by,
                    double turn, double *since) {
    pose tool = monitor_pose(m, hand, held.start);
    grip g = {tool, monitor_pose(m, object, held.start), {0, 0, 0}};
    g.point = pose_apply(pose_inverse(g.object), tool.p);
    double last = held.start, turned;
    for (double t = held.start; t < held.end; t += STEP) {
        double drift = drift_of(&g, monitor_pose(m, hand, t), monitor_pose(m, object, t), &turned);
        if (drift < 0.4 * by && turned < turn / 3)
            last = t;
        if (drift > by || turned > turn) {
            *since = last;
            return true;
        }
    }
    return false;
}

bool check_slid(const monitor *m, const ynode *args, marks *times) {
    const char *name = arg_text(m, args, "object"), *hands[HANDS];
    double by = arg_number(m, args, "by", 0.005), turn = arg_number(m, args, "turn", 15) * DEGREE,
           since;
    int64_t object = monitor_object(m, name);
    if (object < 0)
        return false;
    size_t count = monitor_hands(m, hands, HANDS);
    spans other = {0}, alone = {0};
    monitor_touching(m, name, "world", &other);
    spans_complement(&other, 0, m->end, &alone);
    for (size_t i = 0; i < count; i++) {
        spans held = {0}, hanging = {0};
        monitor_grasped(m, name, hands[i], &held);
        spans_intersect(&held, &alone, &hanging);
        for (size_t k = 0; k < hanging.count; k++)
            if (hanging.items[k].end - hanging.items[k].start > 0.03 &&
                slid_in(m, object, monitor_object(m, hands[i]), hanging.items[k], by, turn, &since))
                array_push(times, since);
        array_finish(&held);
        array_finish(&hanging);
    }
    array_finish(&other);
    array_finish(&alone);
    return times->count > 0;
}

bool check_held_at_end(const monitor *m, const ynode *args, marks *times) {
    const char *name = arg_text(m, args, "object"), *hands[HANDS];
    bool found = false;
    (void)times;
    if (!name)
        return false;
    size_t count = monitor_hands(m, hands, HANDS);
    for (size_t i = 0; i < count; i++) {
        spans held = {0};
        monitor_grasped(m, name, hands[i], &held);
        found = found || spans_hold(&held, m->end - 0.01);
        array_finish(&held);
    }
    return found;
}

bool check_taken(const monitor *m, const ynode *args, marks *times) {
    const char *name = arg_text(m, args, "object"), *hands[HANDS];
    spans during = {0};
    if (monitor_object(m, name) < 0)
        return false;
    arg_during(m, args, &during);
    size_t count = monitor_hands(m, hands, HANDS);
    for (size_t i = 0; i < count; i++) {
        spans held = {0};
        monitor_grasped(m, name, hands[i], &held);
        for (size_t k = 0; k < held.count; k++)
            if (held.items[k].end - held.items[k].start > 0.3 &&
                spans_hold(&during, held.items[k].start))
                array_push(times, held.items[k].start);
        array_finish(&held);
    }
    array_finish(&during);
    return times->count > 0;
}

static bool rises(const monitor *m, const ynode *args, marks *times) {
    const char *name = arg_text(m, args, "object");
    double by = arg_number(m, args, "by", 0.01);
    int64_t object = monitor_object(m, name);
    if (object < 0)
        return false;
    spans touched = {0}, during = {0}, looked = {0};
    monitor_touching(m, name, "robot", &touched);
    arg_during(m, args, &during);
    spans_intersect(&touched, &during, &looked);
    for (size_t i = 0; i < looked.count; i++) {
        double z = monitor_pose(m, object, looked.items[i].start).p.z,
               since = looked.items[i].start;
        double end = fmin(looked.items[i].end, m->end);
        for (double t = since; t < end; t += STEP) {
            double rise = monitor_pose(m, object, t).p.z - z;
            if (rise < 0.001)
                since = t;
            if (rise >= by) {
                array_push(times, since);
                break;
            }
        }
    }
    array_finish(&touched);
    array_finish(&during);
    array_finish(&looked);
    return times->count > 0;
}

bool check_lifted(const monitor *m, const ynode *args, marks *times) {
    return rises(m, args, times);
}

bool check_never_lifted(const monitor *m, const ynode *args, marks *times) {
    bool lifted = rises(m, args, times);
    times->count = 0;
    return !lifted;
}

// A hand closed, and half a second later no two fingers had it.
typedef struct closings {
    marks ends;
    ARRAY(const char *) hands;
    arena *arena;
} closings;

static void add_closing(void *context, sqlite3_stmt *row) {
    closings *c = context;
    array_push(&c->ends, sqlite3_column_double(row, 0));
    array_push(&c->hands, arena_strdup(c->arena, (const char *)sqlite3_column_text(row, 1)));
}

bool check_missed(const monitor *m, const ynode *args, marks *times) {
    const char *name = arg_text(m, args, "object");
    closings c = {.arena = m->arena};
    spans during = {0};
    if (monitor_object(m, name) < 0)
        return false;
    arg_during(m, args, &during);
    monitor_select(
        m,
        "SELECT end_s, actuator FROM operation_view WHERE episode = 1 AND name = 'close_gripper'"
        " AND end_s IS NOT NULL AND actuator IS NOT NULL ORDER BY end_s",
        NULL, NULL, add_closing, &c);
    for (size_t i = 0; i < c.ends.count; i++) {
        spans held = {0};
        monitor_grasped(m, name, c.hands.items[i], &held);
        if (spans_hold(&during, c.ends.items[i] - 0.01) &&
            !spans_hold(&held, c.ends.items[i] + 0.5))
            array_push(times, c.ends.items[i]);
        array_finish(&held);
    }
    array_finish(&c.ends);
    array_finish(&c.hands);
    array_finish(&during);
    return times->count > 0;
}

// ---- Falling and moving by itself
bool check_fell(const monitor *m, const ynode *args, marks *times) {
    const char *name = arg_text(m, args, "object");
    double by = arg_number(m, args, "by", 0.02), began = -1, before = 0;
    int64_t object = monitor_object(m, name);
    if (object < 0)
        return false;
    spans touched = {0};
    monitor_touching(m, name, "robot", &touched);
    bool fast = false;
    for (double t = 0; t + STEP <= m->end; t += STEP) {
        double z = monitor_pose(m, object, t).p.z,
               speed = (monitor_pose(m, object, t + STEP).p.z - z) / STEP;
        if (speed < -0.03) {
            if (began < 0) {
                began = t;
                before = z;
                fast = false;
            }
            fast = fast || (speed < -0.3 && !spans_hold(&touched, t));
        } else if (began >= 0) {
            if (fast && before - z >= by)
                array_push(times, began);
            began = -1;
        }
        // What a hand lowers has not begun to fall.
        if (began >= 0 && spans_hold(&touched, t) && speed > -0.3) {
            began = t;
            before = z;
        }
    }
    array_finish(&touched);
    return times->count > 0;
}

bool check_displaced(const monitor *m, const ynode *args, marks *times) {
    const char *name = arg_text(m, args, "object"), *hands[HANDS];
    double by = arg_number(m, args, "by", 0.01);
    int64_t object = monitor_object(m, name);
    if (object < 0)
        return false;
    spans held = {0}, during = {0};
    size_t count = monitor_hands(m, hands, HANDS);
    for (size_t i = 0; i < count; i++)
        monitor_grasped(m, name, hands[i], &held);
    spans_join(&held, 0.3);
    arg_during(m, args, &during);
    pose rest = monitor_pose(m, object, 0.1);
    double since = 0.1, still = 0.1;
    bool carried = false;
    for (double t = 0.1; t + STEP <= m->end; t += STEP) {
        pose p = monitor_pose(m, object, t);
        bool moves = v3_distance(p.p, monitor_pose(m, object, t + STEP).p) > 0.003 * STEP;
        carried = carried || spans_hold(&held, t);
        if (v3_distance(p.p, rest.p) < 0.001)
            since = t;
        if (moves)
            still = t;
        bool over = t - still > 0.2 || t + 2 * STEP > m->end;
        if (over && v3_distance(p.p, rest.p) >= by) {
            if (!carried && spans_hold(&during, since))
                array_push(times, since);
            rest = p;
            since = t;
        }
        if (over && !spans_hold(&held, t))
            carried = false;
    }
    array_finish(&held);
    array_finish(&during);
    return times->count > 0;
}

bool check_turned_over(const monitor *m, const ynode *args, marks *times) {
    int64_t object = monitor_object(m, arg_text(m, args, "object"));
    double over = cos(arg_number(m, args, "over", 120) * DEGREE), since = -1;
    if (object < 0)
        return false;
    char id[24];
    snprintf(id, sizeof id, "%lld", (long long)object);
    vec3 up = v3(monitor_number(m, "SELECT up_x FROM object WHERE id = ?1", id, NULL, 0),
                 monitor_number(m, "SELECT up_y FROM object WHERE id = ?1", id, NULL, 0),
                 monitor_number(m, "SELECT up_z FROM object WHERE id = ?1", id, NULL, 1));
    for (double t = 0; t < m->end; t += STEP) {
        if (quat_rotate(monitor_pose(m, object, t).q, up).z > over)
            since = -1;
        else if (since < 0)
            since = t;
    }
    if (since >= 0)
        array_push(times, since);
    return since >= 0;
}

bool check_moved_by_person(const monitor *m, const ynode *args, marks *times) {
    const char *name = arg_text(m, args, "object");
    int64_t object = monitor_object(m, name);
    if (object < 0)
        return false;
    double at = monitor_number(
        m,
        "SELECT t_s FROM exogenous_view WHERE episode = 1 AND object = ?1 AND term LIKE"
        " 'moved_by_person%' ORDER BY t_s LIMIT 1",
        name, NULL, -1);
    if (at < 0)
        return false;
    pose before = monitor_pose(m, object, at);
    double settled = at;
    for (double t = at; t + STEP < m->end; t += STEP)
        if (v3_distance(monitor_pose(m, object, t).p, monitor_pose(m, object, t + STEP).p) >
            0.01 * STEP)
            settled = t;
        else if (t - settled > 0.5 && settled > at)
            break;
    array_push(times, settled);
    return v3_distance(before.p, monitor_pose(m, object, fmin(settled + 0.1, m->end)).p) >=
           arg_number(m, args, "by", 0.05);
}

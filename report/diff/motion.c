// report/diff/motion.c - compares poses and joint positions of two episodes as functions of time.
#include <math.h>
#include <string.h>

#include "report/diff/diff_int.h"
#include "schema/motion/tracks.h"

enum { HALVINGS = 24 };

typedef struct thing {
    const char *name;
    int64_t ids[2]; // of its object in each log; 0: not there
    bool joint, angle;
    nanos begins; // its first key on the side where it is
} thing;
typedef struct motion {
    diff *d;
    tracks *tracks[2];
    ARRAY(thing) things;
    nanos end; // of the shorter episode
} motion;

// What moves or stands with keyframes of its own; the episode's end bounds what is compared.
static const char THINGS[] =
    "SELECT o.id, o.name, 0, 0, min(p.t) * 10000 FROM object o JOIN pose p ON p.object = o.id "
    "WHERE "
    "o.episode = ?1 GROUP BY o.id UNION ALL SELECT o.id, o.name, 0, 0, min(p.t) * 10000 FROM "
    "object "
    "o JOIN relative_pose p ON p.object = o.id WHERE o.episode = ?1 GROUP BY o.id UNION ALL SELECT "
    "o.id, o.name, 1, coalesce((SELECT "
    "l.joint_kind = 'revolute' FROM linkage l WHERE l.joint = o.id), (SELECT a.kind = 'hinge' FROM "
    "articulation a WHERE a.joint = o.id), 0), min(j.t) * 10000 FROM object o JOIN joint_state j "
    "ON "
    "j.joint = o.id WHERE o.episode = ?1 GROUP BY o.id";

static thing *find_thing(motion *m, const char *name, bool joint) {
    for (size_t i = 0; i < m->things.count; i++)
        if (m->things.items[i].joint == joint && strcmp(m->things.items[i].name, name) == 0)
            return &m->things.items[i];
    thing t = {.name = arena_strdup(m->d->memory, name), .joint = joint, .begins = TIME_OPEN};
    array_push(&m->things, t);
    return &m->things.items[m->things.count - 1];
}

static status find_things(motion *m, int side, error *err) {
    ask *a = m->d->sides[side].ask;
    sqlite3_stmt *row = NULL;
    int rc = sqlite3_prepare_v2(ask_db(a), THINGS, -1, &row, NULL);
    if (rc == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, ask_episode(a)->id);
        while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
            const char *name = (const char *)sqlite3_column_text(row, 1);
            thing *t = find_thing(m, name ? name : "", sqlite3_column_int(row, 2));
            t->ids[side] = sqlite3_column_int64(row, 0);
            t->angle = sqlite3_column_int(row, 3);
            t->begins = sqlite3_column_int64(row, 4);
        }
    }
    status st =
        rc == SQLITE_DONE ? OK : store_failed(ask_db(a), ask_log(a), "comparing the episodes", err);
    sqlite3_finalize(row);
    return st;
}

// ---- Values at an instant -----------------------------------------------------------------------

typedef struct where {
    pose pose;
    double joint;
} where;

static status where_at(motion *m, const thing *t, int side, nanos at, where *out, error *err) {
    return t->joint ? tracks_joint(m->tracks[side], t->ids[side], at, &out->joint, err)
                    : tracks_pose(m->tracks[side], t->ids[side], at, &out->pose, err);
}

static bool apart(const motion *m, const thing *t, const where *a, const where *b) {
    double degrees = m->d->tolerance.degrees, metres = m->d->tolerance.metres;
    if (t->joint)
        return fabs(a->joint - b->joint) > (t->angle ? degrees * PI / 180 : metres);
    return v3_distance(a->pose.p, b->pose.p) > metres ||
           quat_angle(a->pose.q, b->pose.q) * 180 / PI > degrees;
}

static status compare_at(motion *m, const thing *t, nanos at, where out[2], bool *differ,
                         error *err) {
    status st = where_at(m, t, 0, at, &out[0], err);
    if (st == OK)
        st = where_at(m, t, 1, at, &out[1], err);
    *differ = st == OK && apart(m, t, &out[0], &out[1]);
    return st;
}

static const char *where_text(const motion *m, const thing *t, const where *w) {
    arena *a = m->d->memory;
    if (t->joint)
        return t->angle ? arena_format(a, "%.4f degrees", w->joint * 180 / PI)
                        : arena_format(a, "%.5f m", w->joint);
    return arena_format(a, "at %.4f, %.4f, %.4f m, turned by %.2f degrees", w->pose.p.x,
                        w->pose.p.y, w->pose.p.z,
                        quat_angle((quat){1, 0, 0, 0}, w->pose.q) * 180 / PI);
}

// What touched a thing at an instant, which may have moved it.
static const char *touched_by(const motion *m, const thing *t, nanos at) {
    static const char sql[] =
        "SELECT 'what touches it: ' || group_concat(name, ', ') FROM (SELECT DISTINCT o.name FROM "
        "contact c JOIN object o ON o.id = CASE c.a WHEN ?1 THEN c.b ELSE c.a END WHERE c.episode "
        "= "
        "?3 AND ?1 IN (c.a, c.b) AND c.start_ns <= ?2 AND coalesce(c.end_ns, ?2 + 1) >= ?2 ORDER "
        "BY "
        "o.name LIMIT 4)";
    ask *a = m->d->sides[0].ask;
    sqlite3_stmt *row = NULL;
    const char *text = NULL;
    if (sqlite3_prepare_v2(ask_db(a), sql, -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, t->ids[0]);
        sqlite3_bind_int64(row, 2, at);
        sqlite3_bind_int64(row, 3, ask_episode(a)->id);
        if (sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 0) != SQLITE_NULL)
            text = arena_strdup(m->d->memory, (const char *)sqlite3_column_text(row, 0));
    }
    sqlite3_finalize(row);
    return text;
}

// ---- One thing ----------------------------------------------------------------------------------

// Between `before`, where both are alike, and `after`, where they are not, finds when they part.
static status find_parting(motion *m, const thing *t, nanos before, nanos after, error *err) {
    where w[2];
    bool differ = true;
    status st = OK;
    for (int i = 0; st == OK && i < HALVINGS && after - before > 1000; i++) {
        nanos middle = before + (after - before) / 2;
        st = compare_at(m, t, middle, w, &differ, err);
        *(differ ? &after : &before) = middle;
    }
    if (st == OK)
        st = compare_at(m, t, after, w, &differ, err);
    if (st != OK)
        return st;
    difference found = {.found = true,
                        .t = after,
                        .what = t->joint ? "joint" : "pose",
                        .name = t->name,
                        .a = where_text(m, t, &w[0]),
                        .b = where_text(m, t, &w[1]),
                        .from = t->joint ? NULL : touched_by(m, t, after)};
    diff_note(m->d, DIFF_WORLD, &found);
    return OK;
}

// Both move nearly straight between these instants, so that looking at all of both misses nothing
// but what turns on the way.
static status compare_thing(motion *m, const thing *t, error *err) {
    const nanos *times[2];
    size_t counts[2], at[2] = {0, 0};
    status st = OK;
    for (int side = 0; st == OK && side < 2; side++)
        st = tracks_knots(m->tracks[side], t->ids[side], &times[side], &counts[side], err);
    nanos before = 0;
    while (st == OK && (at[0] < counts[0] || at[1] < counts[1])) {
        nanos a = at[0] < counts[0] ? times[0][at[0]] : TIME_OPEN,
              b = at[1] < counts[1] ? times[1][at[1]] : TIME_OPEN, now = a < b ? a : b;
        const difference *first = &m->d->first[DIFF_WORLD];
        if (now > m->end || (first->found && before >= first->t))
            break;
        where w[2];
        bool differ;
        st = compare_at(m, t, now, w, &differ, err);
        if (st == OK && differ) {
            st = find_parting(m, t, before, now, err);
            break;
        }
        at[0] += a == now;
        at[1] += b == now;
        before = now;
    }
    return st;
}

status diff_motion(diff *d, error *err) {
    motion m = {.d = d, .end = TIME_OPEN};
    status st = OK;
    for (int side = 0; st == OK && side < 2; side++) {
        const store_episode *e = ask_episode(d->sides[side].ask);
        m.end = e->end < m.end ? e->end : m.end;
        st = tracks_create(ask_db(d->sides[side].ask), e->id, &m.tracks[side], err);
        if (st == OK)
            st = find_things(&m, side, err);
    }
    for (size_t i = 0; st == OK && i < m.things.count; i++) {
        const thing *t = &m.things.items[i];
        if (t->ids[0] && t->ids[1]) {
            st = compare_thing(&m, t, err);
            continue;
        }
        difference found = {.found = true,
                            .t = t->begins,
                            .what = t->joint ? "joint" : "body",
                            .name = t->name,
                            .a = t->ids[0] ? "there" : NULL,
                            .b = t->ids[1] ? "there" : NULL};
        diff_note(d, DIFF_WORLD, &found);
    }
    tracks_destroy(m.tracks[0]);
    tracks_destroy(m.tracks[1]);
    array_finish(&m.things);
    return st;
}

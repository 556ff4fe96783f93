// query/log/signals_objects.c - the objects of the true world, for signals: what they are parts of,
// when they are there, and their shapes.
#include <stdio.h>
#include "base/search.h"
#include "query/log/signals_int.h"

void signals_forget_things(signals *s) {
    for (size_t i = 0; i < s->things.count; i++) {
        thing *o = &s->things.items[i];
        signals_forget_motion(&o->motion);
        signals_forget_rough(&o->rough);
        array_finish(&o->solids);
        array_finish(&o->interiors);
        array_finish(&o->bearers);
        array_finish(&o->points);
    }
    array_finish(&s->things);
}

static bool read_object(signals *s, sqlite3_stmt *row, void *unused) {
    (void)unused;
    const char *name = (const char *)sqlite3_column_text(row, 1),
               *kind = (const char *)sqlite3_column_text(row, 2);
    thing o = {.id = sqlite3_column_int64(row, 0),
               .whole = sqlite3_column_int64(row, 3),
               .name = values_symbol(s->values, name ? name : ""),
               .from = -TIME_MAX,
               .until = TIME_MAX};
    snprintf(o.kind, sizeof o.kind, "%s", kind ? kind : "");
    if (!column_position(row, 4, &o.up) || !column_position(row, 7, &o.com) ||
        !column_number(row, 10, &o.mass) || !column_number(row, 11, &o.half_x) ||
        !column_number(row, 12, &o.half_y) || !column_number(row, 13, &o.tolerance))
        return signals_damaged(s, "object");
    o.up = v3_unit(o.up);
    return array_push_try(&s->things, o) || signals_no_memory(s);
}

static bool read_objects(signals *s) {
    return signals_read(
        s,
        "SELECT id, name, kind, whole, up_x, up_y, up_z, com_x, com_y, com_z, mass, half_x,"
        " half_y, tolerance FROM object WHERE episode = ?1 ORDER BY id",
        s->episode.id, read_object, NULL);
}

static bool read_stay(signals *s, sqlite3_stmt *row, void *unused) {
    (void)unused;
    thing *o = signals_thing_of(s, sqlite3_column_int64(row, 0));
    nanos from, until;
    if (!column_time(row, 1, &from) || !column_time(row, 2, &until))
        return signals_damaged(s, "responsibility");
    if (!o)
        return true;
    if (from > 0)
        o->from = from;
    o->until = until;
    return true;
}

// A thing is there while a model answers for its pose. A region comes and goes with its body.
static bool read_presence(signals *s) {
    char sql[300];
    snprintf(sql, sizeof sql,
             "SELECT object, min(start_ns), max(ifnull(end_ns, %lld))"
             " FROM responsibility WHERE episode = ?1 AND attribute = 'pose'"
             " GROUP BY object ORDER BY object",
             (long long)TIME_MAX);
    if (!signals_read(s, sql, s->episode.id, read_stay, NULL))
        return false;
    for (size_t i = 0; i < s->things.count; i++) {
        thing *o = &s->things.items[i];
        const thing *whole = strcmp(o->kind, "region") == 0 ? signals_thing_of(s, o->whole) : NULL;
        if (whole)
            o->from = whole->from, o->until = whole->until;
    }
    return true;
}

static solid_kind kind_of_solid(const char *name) {
    static const char *const names[] = {"box", "cylinder", "sphere", "capsule", "plane"};
    for (int i = 0; name && i < 5; i++) {
        if (strcmp(name, names[i]) == 0)
            return (solid_kind)i;
    }
    if (name && strcmp(name, "mesh") == 0)
        return SOLID_BOX; // the box around it
    return SOLID_SPHERE;
}

static bool read_shape(signals *s, sqlite3_stmt *row, void *unused) {
    (void)unused;
    thing *o = signals_thing_of(s, sqlite3_column_int64(row, 0));
    const char *role = (const char *)sqlite3_column_text(row, 1);
    solid made = {.kind = kind_of_solid((const char *)sqlite3_column_text(row, 2))};
    if (!column_pose(row, 3, &made.at) || !column_position(row, 10, &made.size))
        return signals_damaged(s, "shape");
    if (!o)
        return true;
    bool ok = role && strcmp(role, "interior") == 0 ? array_push_try(&o->interiors, made)
                                                    : array_push_try(&o->solids, made);
    return ok || signals_no_memory(s);
}

static bool read_shapes(signals *s) {
    return signals_read(
        s,
        "SELECT object, role, kind, x, y, z, qw, qx, qy, qz, size_x, size_y, size_z FROM shape"
        " WHERE episode = ?1 ORDER BY id",
        s->episode.id, read_shape, NULL);
}

status signals_prepare(signals *s) {
    s->failed = OK;
    s->err = (error){0};
    if (s->ready)
        return OK;
    if (read_objects(s) && read_presence(s) && read_shapes(s))
        s->ready = true;
    else
        signals_forget_things(s);
    return s->failed;
}

thing *signals_thing_of(signals *s, int64_t id) {
    size_t i = ids_find(s->things.items, sizeof *s->things.items, s->things.count, id);
    return i == IDS_NONE ? NULL : &s->things.items[i];
}

thing *signals_thing(signals *s, value name) {
    int64_t id = facts_object(s->facts, name);
    return id ? signals_thing_of(s, id) : NULL;
}

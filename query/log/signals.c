// query/log/signals.c - the true world and the believed one, as signals read them: poses, contacts,
// beliefs.
#include <stdio.h>
#include "query/log/signals_int.h"

#define POSITION_SLACK 1e-5 // metres that a pose may lose when its keys are chosen
#define ANGLE_SLACK 1e-4    // radians

status signals_open(store *s, const store_episode *e, values *v, facts *f, budget *b, signals **out,
                    error *err) {
    signals *g = calloc(1, sizeof *g);
    if (!g)
        return error_set(err, E_MEMORY, "no memory is left to read the log");
    g->store = s;
    g->episode = *e;
    g->values = v;
    g->facts = f;
    g->budget = b;
    status st = tracks_open(store_db(s), e->id, &g->tracks, err);
    g->series_of = st == OK ? relation_create(1, b) : NULL;
    if (st == OK && !g->series_of)
        st = error_set(err, E_MEMORY, "no memory is left to read the log");
    if (st != OK) {
        signals_close(g);
        return st;
    }
    g->names_map = values_symbol(v, "map");
    g->name_interval = values_symbol(v, "interval");
    g->name_pose = values_symbol(v, "pose");
    *out = g;
    return OK;
}

static void forget_things(signals *s) {
    for (size_t i = 0; i < s->things.count; i++) {
        thing *o = &s->things.items[i];
        free(o->motion.t);
        free(o->motion.p);
        array_finish(&o->solids);
        array_finish(&o->interiors);
        array_finish(&o->bearers);
        array_finish(&o->points);
    }
    array_finish(&s->things);
}

void signals_close(signals *s) {
    if (!s)
        return;
    forget_things(s);
    array_finish(&s->contacts);
    for (size_t i = 0; i < s->pairs.count; i++) {
        array_finish(&s->pairs.items[i]->steps);
        free(s->pairs.items[i]);
    }
    array_finish(&s->pairs);
    for (size_t i = 0; i < s->believed.count; i++)
        array_finish(&s->believed.items[i].rows);
    array_finish(&s->believed);
    array_finish(&s->agents);
    for (size_t i = 0; i < s->series.count; i++)
        array_finish(&s->series.items[i]);
    array_finish(&s->series);
    relation_destroy(s->series_of);
    sqlite3_finalize(s->select_forces);
    tracks_close(s->tracks);
    free(s);
}

bool signals_fail(signals *s, status why, const char *text) {
    if (s->failed == OK) {
        s->failed = why;
        if (text)
            error_set(&s->err, why, "%s", text);
    }
    return false;
}

static sqlite3_stmt *query_for(signals *s, const char *sql) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(store_db(s->store), sql, -1, &q, NULL) != SQLITE_OK) {
        if (s->failed == OK)
            s->failed = store_failed(store_db(s->store), NULL, "reading the log", &s->err);
        return NULL;
    }
    return q;
}

static bool finish(signals *s, sqlite3_stmt *q, int code) {
    if (code != SQLITE_DONE && s->failed == OK)
        s->failed = store_failed(store_db(s->store), NULL, "reading the log", &s->err);
    sqlite3_finalize(q);
    return s->failed == OK;
}

// A row holds what it cannot: false.
static bool damaged(signals *s, const char *table) {
    char text[200];
    snprintf(text, sizeof text,
             "the log is damaged: a row of its table %s holds an instant or a number out of range",
             table);
    return signals_fail(s, E_INPUT, text);
}

static bool no_memory(signals *s) {
    return signals_fail(s, E_MEMORY, "no memory is left to read the log");
}

// ---- Objects
// -------------------------------------------------------------------------------------

static bool read_objects(signals *s) {
    sqlite3_stmt *q = query_for(
        s, "SELECT id, name, kind, whole, up_x, up_y, up_z, com_x, com_y, com_z, mass, half_x,"
           " half_y, tolerance FROM object WHERE episode = ?1 ORDER BY id");
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, s->episode.id);
    int code;
    while ((code = sqlite3_step(q)) == SQLITE_ROW && s->failed == OK) {
        const char *name = (const char *)sqlite3_column_text(q, 1),
                   *kind = (const char *)sqlite3_column_text(q, 2);
        thing o = {.id = sqlite3_column_int64(q, 0),
                   .whole = sqlite3_column_int64(q, 3),
                   .name = values_symbol(s->values, name ? name : ""),
                   .from = -TIME_MOST,
                   .until = TIME_MOST};
        snprintf(o.kind, sizeof o.kind, "%s", kind ? kind : "");
        if (!column_position(q, 4, &o.up) || !column_position(q, 7, &o.com) ||
            !column_number(q, 10, &o.mass) || !column_number(q, 11, &o.half_x) ||
            !column_number(q, 12, &o.half_y) || !column_number(q, 13, &o.tolerance))
            damaged(s, "object");
        o.up = v3_unit(o.up);
        if (!array_push_try(&s->things, o))
            no_memory(s);
    }
    return finish(s, q, code == SQLITE_ROW ? SQLITE_DONE : code);
}

// When things are there: a model answers for their poses then. A region comes and goes with its
// body.
static bool read_presence(signals *s) {
    sqlite3_stmt *q = query_for(s, "SELECT object, min(start_ns), max(ifnull(end_ns, ?2))"
                                   " FROM responsibility WHERE episode = ?1 AND attribute = 'pose'"
                                   " GROUP BY object ORDER BY object");
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, s->episode.id);
    sqlite3_bind_int64(q, 2, TIME_MOST);
    int code;
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        thing *o = signals_thing_of(s, sqlite3_column_int64(q, 0));
        nanos from, until;
        if (!column_time(q, 1, &from) || !column_time(q, 2, &until)) {
            damaged(s, "responsibility");
            break;
        }
        if (!o)
            continue;
        if (from > 0)
            o->from = from;
        o->until = until;
    }
    for (size_t i = 0; i < s->things.count; i++) {
        thing *o = &s->things.items[i];
        const thing *whole = strcmp(o->kind, "region") == 0 ? signals_thing_of(s, o->whole) : NULL;
        if (whole)
            o->from = whole->from, o->until = whole->until;
    }
    return finish(s, q, code == SQLITE_ROW ? SQLITE_DONE : code);
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

static bool read_shapes(signals *s) {
    sqlite3_stmt *q = query_for(
        s, "SELECT object, role, kind, x, y, z, qw, qx, qy, qz, size_x, size_y, size_z FROM shape"
           " WHERE episode = ?1 ORDER BY id");
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, s->episode.id);
    int code;
    while ((code = sqlite3_step(q)) == SQLITE_ROW && s->failed == OK) {
        thing *o = signals_thing_of(s, sqlite3_column_int64(q, 0));
        const char *role = (const char *)sqlite3_column_text(q, 1);
        solid made = {.kind = kind_of_solid((const char *)sqlite3_column_text(q, 2))};
        if (!column_pose(q, 3, &made.at) || !column_position(q, 10, &made.size))
            damaged(s, "shape");
        if (!o)
            continue;
        bool ok = role && strcmp(role, "interior") == 0 ? array_push_try(&o->interiors, made)
                                                        : array_push_try(&o->solids, made);
        if (!ok)
            no_memory(s);
    }
    return finish(s, q, code == SQLITE_ROW ? SQLITE_DONE : code);
}

status signals_prepare(signals *s) {
    s->failed = OK;
    s->err = (error){0};
    if (s->ready)
        return OK;
    if (read_objects(s) && read_presence(s) && read_shapes(s))
        s->ready = true;
    else
        forget_things(s);
    return s->failed;
}

thing *signals_thing_of(signals *s, int64_t id) {
    size_t low = 0, high = s->things.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->things.items[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->things.count && s->things.items[low].id == id ? &s->things.items[low] : NULL;
}

thing *signals_thing(signals *s, value name) {
    int64_t id = facts_object(s->facts, name);
    return id ? signals_thing_of(s, id) : NULL;
}

// ---- Poses
// ---------------------------------------------------------------------------------------

// sin(u * angle) / sin(angle) for the angle whose cosine is 1 - y, y small: the series of Eberly (A
// fast and accurate algorithm for computing SLERP, 2011), exact to the last digits up to y = 0.02.
static double share_of_arc(double u, double y) {
    static const double squares[] = {1.0 / 3,  1.0 / 10, 1.0 / 21,  1.0 / 36,
                                     1.0 / 55, 1.0 / 78, 1.0 / 105, 1.0 / 136},
                        constants[] = {1.0 / 3,  2.0 / 5,  3.0 / 7,  4.0 / 9,
                                       5.0 / 11, 6.0 / 13, 7.0 / 15, 8.0 / 17};
    double sum = 1;
    for (int i = y < 1e-5 ? 2 : y < 1e-3 ? 4 : 7; i >= 0; i--)
        sum = 1 - y * (u * u * squares[i] - constants[i]) * sum;
    return u * sum;
}

// Keyframes lie close together, mostly: then without acos and sines, of which signals would need
// most of their time.
static quat turn_between(quat a, quat b, double u) {
    double y = 1 - (a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    if (y > 0.02)
        return quat_slerp(a, b, u);
    double ka = share_of_arc(1 - u, y), kb = share_of_arc(u, y);
    return (quat){ka * a.w + kb * b.w, ka * a.x + kb * b.x, ka * a.y + kb * b.y,
                  ka * a.z + kb * b.z};
}

static pose between(pose a, pose b, double u) {
    return (pose){v3_add(a.p, v3_scale(v3_sub(b.p, a.p), u)), turn_between(a.q, b.q, u)};
}

// How far a pose lies from where others lead one to expect it, in units of the slack. Twice the
// sine of half the angle stands for the angle: the same where the slack is, and cheaper.
static double strays(pose expected, pose is) {
    double off = v3_distance(expected.p, is.p) / POSITION_SLACK;
    quat d = quat_mul(quat_inverse(expected.q), is.q);
    double turned = 2 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z) / ANGLE_SLACK;
    return turned > off ? turned : off;
}

// Marks the keys that are needed for the others between the first and the last to follow from them
// (Douglas & Peucker 1973).
static bool thin_between(const nanos *t, const pose *p, size_t from, size_t to, bool *needed) {
    ARRAY(size_t) stack = {0};
    bool ok = array_push_try(&stack, from) && array_push_try(&stack, to);
    needed[from] = needed[to] = true;
    while (ok && stack.count > 0) {
        size_t last = stack.items[stack.count - 1], first = stack.items[stack.count - 2];
        stack.count -= 2;
        double worst = 1;
        size_t at = 0;
        for (size_t i = first + 1; i < last; i++) {
            double u = (double)(t[i] - t[first]) / (double)(t[last] - t[first]);
            double off = strays(between(p[first], p[last], u), p[i]);
            if (off > worst) {
                worst = off;
                at = i;
            }
        }
        if (at) {
            needed[at] = true;
            ok = array_push_try(&stack, first) && array_push_try(&stack, at) &&
                 array_push_try(&stack, at) && array_push_try(&stack, last);
        }
    }
    array_finish(&stack);
    return ok;
}

// Piece by piece, which keeps a key more now and then and makes the work linear.
static bool thin(const nanos *t, const pose *p, size_t count, bool *needed) {
    enum { PIECE = 48 };
    bool ok = true;
    needed[0] = true;
    for (size_t i = 0; ok && i + 1 < count; i += PIECE)
        ok = thin_between(t, p, i, i + PIECE < count ? i + PIECE : count - 1, needed);
    return ok;
}

typedef struct keys {
    nanos *t;
    pose *p;
    size_t count, capacity;
} keys;

static bool add_key(signals *s, keys *k, nanos t, pose p) {
    if (k->count == k->capacity) {
        size_t capacity = k->capacity ? k->capacity * 2 : 64;
        if (!budget_take(s->budget, (capacity - k->capacity) * (sizeof(nanos) + sizeof(pose))))
            return signals_fail(s, E_LIMIT, NULL);
        nanos *times = realloc(k->t, capacity * sizeof *times);
        if (times)
            k->t = times;
        pose *poses = realloc(k->p, capacity * sizeof *poses);
        if (poses)
            k->p = poses;
        if (!times || !poses)
            return no_memory(s);
        k->capacity = capacity;
    }
    k->t[k->count] = t;
    k->p[k->count++] = p;
    return true;
}

static bool pose_now(signals *s, const thing *o, nanos t, pose *out) {
    error err = {0};
    status st = tracks_pose(s->tracks, o->id, t, out, &err);
    if (st == OK)
        return true;
    if (s->failed == OK)
        s->err = err;
    return signals_fail(s, st, NULL);
}

// Adds keys between the last one and (t, p) where the way there is no straight line, as of a link
// that turns.
static bool bend(signals *s, const thing *o, keys *k, nanos from, pose a, nanos t, pose p) {
    pose middle;
    nanos half = from + (t - from) / 2;
    if (t - from < 2000000)
        return true;
    if (!pose_now(s, o, half, &middle))
        return false;
    if (strays(between(a, p, 0.5), middle) <= 1)
        return true;
    return bend(s, o, k, from, a, half, middle) && add_key(s, k, half, middle) &&
           bend(s, o, k, half, middle, t, p);
}

static bool gather_keys(signals *s, const thing *o, keys *k) {
    const nanos *knots;
    size_t count;
    error err = {0};
    pose last = POSE_IDENTITY;
    status st = tracks_knots(s->tracks, o->id, &knots, &count, &err);
    if (st != OK) {
        s->err = err;
        return signals_fail(s, st, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        pose p;
        // Keys past all reason are those of a damaged log.
        if (knots[i] > TIME_MOST || knots[i] < -TIME_MOST)
            continue;
        if (!pose_now(s, o, knots[i], &p))
            return false;
        if (k->count > 0 && strays(last, p) > 0 &&
            !bend(s, o, k, k->t[k->count - 1], last, knots[i], p))
            return false;
        if (!add_key(s, k, knots[i], p))
            return false;
        last = p;
    }
    if (k->count == 0)
        return pose_now(s, o, 0, &last) && add_key(s, k, 0, last);
    return true;
}

static bool load_motion(signals *s, thing *o) {
    motion *m = &o->motion;
    keys k = {0};
    pose first;
    error err = {0};
    m->loaded = true;
    status st = tracks_pose(s->tracks, o->id, 0, &first, &err);
    if (st != OK && tracks_has_none(s->tracks)) {
        m->none = true;
        return true;
    }
    if (st != OK) {
        s->err = err;
        return signals_fail(s, st, NULL);
    }
    bool ok = gather_keys(s, o, &k);
    bool *needed = calloc(k.count + 1, sizeof *needed);
    if (ok && (!needed || !thin(k.t, k.p, k.count, needed)))
        ok = no_memory(s);
    for (size_t i = 0; ok && i < k.count; i++) {
        if (needed[i]) {
            k.t[m->count] = k.t[i];
            k.p[m->count++] = k.p[i];
        }
    }
    free(needed);
    if (!ok) {
        free(k.t);
        free(k.p);
        *m = (motion){0};
        return false;
    }
    m->t = k.t;
    m->p = k.p;
    return true;
}

const motion *signals_motion(signals *s, thing *o) {
    if (!o->motion.loaded && !load_motion(s, o))
        return NULL;
    return o->motion.none || o->motion.count == 0 ? NULL : &o->motion;
}

bool signals_pose_alone(signals *s, thing *o, nanos t, pose *out) {
    error err = {0};
    if (o->motion.none || t < o->from || t >= o->until)
        return false;
    status st = tracks_pose(s->tracks, o->id, t, out, &err);
    if (st == OK || tracks_has_none(s->tracks))
        return st == OK;
    s->err = err;
    return signals_fail(s, st, NULL);
}

bool signals_pose(signals *s, thing *o, nanos t, pose *out) {
    motion *m = &o->motion;
    if (!signals_motion(s, o) || t < o->from || t >= o->until)
        return false;
    if (t <= m->t[0] || m->count == 1) {
        *out = m->p[0];
        return true;
    }
    if (t >= m->t[m->count - 1]) {
        *out = m->p[m->count - 1];
        return true;
    }
    size_t i = m->at;
    // Time mostly goes on by little.
    if (i + 1 >= m->count || t < m->t[i] || t >= m->t[i + 1]) {
        if (i + 2 < m->count && t >= m->t[i + 1] && t < m->t[i + 2]) {
            i++;
        } else {
            size_t low = 0, high = m->count;
            while (high - low > 1) {
                size_t middle = (low + high) / 2;
                if (m->t[middle] <= t)
                    low = middle;
                else
                    high = middle;
            }
            i = low;
        }
    }
    m->at = i;
    const pose *a = &m->p[i], *b = a + 1;
    double u = (double)(t - m->t[i]) / (double)(m->t[i + 1] - m->t[i]);
    bool turns = memcmp(&a->q, &b->q, sizeof a->q) != 0;
    out->p = v3_add(a->p, v3_scale(v3_sub(b->p, a->p), u));
    out->q = turns ? turn_between(a->q, b->q, u) : a->q;
    return true;
}

// ---- Contacts
// ------------------------------------------------------------------------------------

static bool read_contacts(signals *s) {
    sqlite3_stmt *q = query_for(
        s, "SELECT id, a, b, start_ns, end_ns FROM contact WHERE episode = ?1 ORDER BY id");
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, s->episode.id);
    int code;
    s->contacts.count = 0;
    while ((code = sqlite3_step(q)) == SQLITE_ROW && s->failed == OK) {
        contact_row c = {.id = sqlite3_column_int64(q, 0),
                         .a = sqlite3_column_int64(q, 1),
                         .b = sqlite3_column_int64(q, 2)};
        if (!column_time(q, 3, &c.start) || !column_end(q, 4, &c.end))
            damaged(s, "contact");
        if (c.end == TIME_OPEN)
            c.end = s->episode.end + 1;
        if (c.end > c.start && !array_push_try(&s->contacts, c))
            no_memory(s);
    }
    s->contacts_ready = finish(s, q, code == SQLITE_ROW ? SQLITE_DONE : code);
    return s->contacts_ready;
}

// Whether the object is the thing or a part of it.
static bool belongs(signals *s, int64_t object, const thing *to) {
    for (int depth = 0; object && depth < 16; depth++) {
        if (object == to->id)
            return true;
        const thing *o = signals_thing_of(s, object);
        object = o ? o->whole : 0;
    }
    return false;
}

typedef struct force_row {
    nanos t, until;
    vec3 force, normal;
    size_t contact; // of the pair
} force_row;
typedef ARRAY(force_row) force_rows;

// The forces of one contact, of A on B, from its rows.
static bool read_forces(signals *s, const contact_row *c, bool turned, size_t number,
                        force_rows *out) {
    if (!s->select_forces)
        s->select_forces =
            query_for(s, "SELECT t_ns, fx, fy, fz, nx, ny, nz FROM contact_force WHERE contact = ?1"
                         " ORDER BY t_ns, id");
    sqlite3_stmt *q = s->select_forces;
    if (!q)
        return false;
    size_t first = out->count;
    double sign = turned ? -1 : 1;
    sqlite3_bind_int64(q, 1, c->id);
    int code;
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        force_row r = {.until = c->end, .contact = number};
        if (!column_time(q, 0, &r.t) || !column_position(q, 1, &r.force) ||
            !column_position(q, 4, &r.normal)) {
            damaged(s, "contact_force");
            break;
        }
        r.force = v3_scale(r.force, sign);
        r.normal = v3_scale(r.normal, sign);
        if (r.t < c->start)
            r.t = c->start;
        if (out->count > first)
            out->items[out->count - 1].until = r.t < c->end ? r.t : c->end;
        if (!array_push_try(out, r))
            no_memory(s);
    }
    if (code != SQLITE_DONE && s->failed == OK)
        s->failed = store_failed(store_db(s->store), NULL, "reading the forces", &s->err);
    sqlite3_reset(q);
    if (s->failed != OK)
        return false;
    // A contact without a force, or before its first, touches with none.
    nanos from = out->count > first ? out->items[first].t : c->end;
    if (from > c->start &&
        !array_push_try(out, (force_row){.t = c->start, .until = from, .contact = number}))
        no_memory(s);
    return s->failed == OK;
}

static int order_rows(const void *a, const void *b) {
    const force_row *x = a, *y = b;
    return (x->t > y->t) - (x->t < y->t);
}

// The steps of the sum of all rows: a sweep that keeps the rows in force.
static bool sum_forces(signals *s, pair *p, force_rows *rows) {
    instants at = {0};
    ARRAY(size_t) active = {0};
    bool ok = true;
    if (rows->count > 0)
        qsort(rows->items, rows->count, sizeof *rows->items, order_rows);
    for (size_t i = 0; i < rows->count && ok; i++)
        ok = array_push_try(&at, rows->items[i].t) && array_push_try(&at, rows->items[i].until);
    if (at.count > 0)
        qsort(at.items, at.count, sizeof *at.items, nanos_order);
    size_t next = 0;
    double up_before = 0, before = 0;
    for (size_t i = 0; i < at.count && ok; i++) {
        nanos t = at.items[i];
        if (i > 0 && t == at.items[i - 1])
            continue;
        size_t kept = 0;
        for (size_t k = 0; k < active.count; k++) {
            if (rows->items[active.items[k]].until > t)
                active.items[kept++] = active.items[k];
        }
        active.count = kept;
        for (; next < rows->count && rows->items[next].t <= t && ok; next++) {
            if (rows->items[next].until > t)
                ok = array_push_try(&active, next);
        }
        if (p->steps.count > 0) {
            const force_step *last = &p->steps.items[p->steps.count - 1];
            double passed = (double)(t - last->t) * 1e-9;
            up_before += last->up * passed;
            before += last->touching ? passed : 0;
        }
        force_step step = {
            .t = t, .touching = active.count > 0, .up_before = up_before, .before = before};
        vec3 sum = {0, 0, 0};
        double strongest = -1;
        for (size_t k = 0; k < active.count; k++) {
            const force_row *r = &rows->items[active.items[k]];
            double f = v3_length(r->force);
            sum = v3_add(sum, r->force);
            bool has_normal = v3_dot(r->normal, r->normal) > 0;
            if (has_normal && f > strongest) {
                strongest = f;
                step.normal = r->normal;
            }
        }
        step.up = sum.z;
        step.magnitude = v3_length(sum);
        ok = ok && array_push_try(&p->steps, step);
    }
    array_finish(&at);
    array_finish(&active);
    return ok || no_memory(s);
}

pair *signals_pair(signals *s, const thing *a, const thing *b) {
    for (size_t i = 0; i < s->pairs.count; i++) {
        if (s->pairs.items[i]->a == a && s->pairs.items[i]->b == b)
            return s->pairs.items[i];
    }
    if (!s->contacts_ready && !read_contacts(s))
        return NULL;
    pair *p = calloc(1, sizeof *p);
    if (!p || !array_push_try(&s->pairs, p)) {
        free(p);
        no_memory(s);
        return NULL;
    }
    p->a = a;
    p->b = b;
    force_rows rows = {0};
    bool ok = true;
    for (size_t i = 0; i < s->contacts.count && ok; i++) {
        const contact_row *c = &s->contacts.items[i];
        if (belongs(s, c->a, a) && belongs(s, c->b, b))
            ok = read_forces(s, c, false, i, &rows);
        else if (belongs(s, c->b, a) && belongs(s, c->a, b))
            ok = read_forces(s, c, true, i, &rows);
    }
    ok = ok && sum_forces(s, p, &rows);
    array_finish(&rows);
    if (ok)
        return p;
    s->pairs.count--;
    array_finish(&p->steps);
    free(p);
    return NULL;
}

static size_t step_index(const pair *p, nanos t) { // of the last step not after t, +1; 0: none
    size_t low = 0, high = p->steps.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->steps.items[middle].t <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const force_step *pair_at(const pair *p, nanos t) {
    size_t i = step_index(p, t);
    return i ? &p->steps.items[i - 1] : NULL;
}

static void integrals(const pair *p, nanos t, double *up, double *touching) {
    const force_step *f = pair_at(p, t);
    *up = *touching = 0;
    if (f) {
        double passed = (double)(t - f->t) * 1e-9;
        *up = f->up_before + f->up * passed;
        *touching = f->before + (f->touching ? passed : 0);
    }
}

double pair_mean_up(const pair *p, nanos t) {
    const force_step *now = pair_at(p, t);
    if (!now || !now->touching)
        return 0;
    double up[2], touching[2];
    integrals(p, t - HALF_WINDOW, &up[0], &touching[0]);
    integrals(p, t + HALF_WINDOW, &up[1], &touching[1]);
    double span = touching[1] - touching[0];
    return span > 0 ? (up[1] - up[0]) / span : now->up;
}

// ---- Beliefs
// -------------------------------------------------------------------------------------

status signals_ready_beliefs(signals *s) {
    if (s->beliefs_ready || s->failed != OK)
        return s->failed;
    int code;
    s->agents.count = s->believed.count = 0;
    sqlite3_stmt *q =
        query_for(s, "SELECT id, name, object FROM agent WHERE episode = ?1 ORDER BY id");
    if (!q)
        return s->failed;
    sqlite3_bind_int64(q, 1, s->episode.id);
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 1);
        agent_row a = {sqlite3_column_int64(q, 0), values_symbol(s->values, name ? name : ""),
                       sqlite3_column_int64(q, 2)};
        if (!array_push_try(&s->agents, a))
            no_memory(s);
    }
    if (!finish(s, q, code))
        return s->failed;
    q = query_for(s, "SELECT id, agent, name FROM believed WHERE episode = ?1 ORDER BY id");
    if (!q)
        return s->failed;
    sqlite3_bind_int64(q, 1, s->episode.id);
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 2);
        believed_thing b = {.id = sqlite3_column_int64(q, 0),
                            .agent = sqlite3_column_int64(q, 1),
                            .name = values_symbol(s->values, name ? name : "")};
        if (!array_push_try(&s->believed, b))
            no_memory(s);
    }
    s->beliefs_ready = finish(s, q, code);
    return s->failed;
}

static bool read_frames(signals *s, believed_thing *b) {
    sqlite3_stmt *q = query_for(
        s, "SELECT t_ns, parent, x, y, z, qw, qx, qy, qz FROM believed_frame WHERE believed = ?1"
           " ORDER BY t_ns, id");
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, b->id);
    int code;
    b->rows.count = 0;
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        const char *parent = (const char *)sqlite3_column_text(q, 1);
        believed_row r = {.parent = values_symbol(s->values, parent ? parent : "map")};
        if (!column_time(q, 0, &r.t) || !column_pose(q, 2, &r.at)) {
            damaged(s, "believed_frame");
            break;
        }
        if (!array_push_try(&b->rows, r))
            no_memory(s);
    }
    b->loaded = finish(s, q, code == SQLITE_ROW ? SQLITE_DONE : code);
    return b->loaded;
}

believed_thing *signals_believed(signals *s, value agent, value name) {
    if (signals_ready_beliefs(s) != OK)
        return NULL;
    const agent_row *who = NULL;
    for (size_t i = 0; i < s->agents.count; i++) {
        if (s->agents.items[i].name == agent)
            who = &s->agents.items[i];
    }
    // `robot` is how any robot calls itself.
    if (who && name != who->name &&
        strcmp(value_kind(name) == VALUE_SYMBOL ? values_text(s->values, name) : "", "robot") == 0)
        name = who->name;
    for (size_t i = 0; who && i < s->believed.count; i++) {
        believed_thing *b = &s->believed.items[i];
        if (b->agent == who->id && b->name == name)
            return b->loaded || read_frames(s, b) ? b : NULL;
    }
    return NULL;
}

static thing *agent_body(signals *s, value agent) {
    for (size_t i = 0; i < s->agents.count; i++) {
        if (s->agents.items[i].name == agent)
            return signals_thing_of(s, s->agents.items[i].object);
    }
    return NULL;
}

// What is held hangs on the palm.
static thing *palm_of(signals *s, thing *gripper) {
    for (size_t i = 0; i < s->things.count; i++) {
        if (s->things.items[i].whole == gripper->id && strcmp(s->things.items[i].kind, "palm") == 0)
            return &s->things.items[i];
    }
    return gripper;
}

bool signals_believed_pose(signals *s, value agent, value name, nanos t, int depth, pose *out) {
    believed_thing *b = signals_believed(s, agent, name);
    if (!b || depth > 16)
        return false;
    size_t low = 0, high = b->rows.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (b->rows.items[middle].t <= t)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    believed_row r = b->rows.items[low - 1];
    pose up;
    if (r.parent == s->names_map) {
        *out = r.at;
        return true;
    }
    if (r.parent != name && signals_believed(s, agent, r.parent)) {
        if (!signals_believed_pose(s, agent, r.parent, t, depth + 1, &up))
            return false;
        *out = pose_mul(up, r.at);
        return true;
    }
    thing *hand = signals_thing(s, r.parent), *body = agent_body(s, agent);
    pose base, palm;
    if (!hand || !body || !signals_believed_pose(s, agent, agent, t, depth + 1, &up) ||
        !signals_pose(s, body, t, &base) || !signals_pose(s, palm_of(s, hand), t, &palm))
        return false;
    *out = pose_mul(up, pose_mul(pose_inverse(base), pose_mul(palm, r.at)));
    return true;
}

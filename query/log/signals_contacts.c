// query/log/signals_contacts.c - the contacts of a pair of objects and their forces, as steps.
#include "base/search.h"
#include "query/log/signals_int.h"

static bool read_contact(signals *s, sqlite3_stmt *row, void *unused) {
    (void)unused;
    contact_row c = {.id = sqlite3_column_int64(row, 0),
                     .a = sqlite3_column_int64(row, 1),
                     .b = sqlite3_column_int64(row, 2)};
    if (!column_time(row, 3, &c.start) || !column_end(row, 4, &c.end))
        return signals_damaged(s, "contact");
    if (c.end == TIME_OPEN)
        c.end = s->episode.end + 1;
    return c.end <= c.start || array_push_try(&s->contacts, c) || signals_no_memory(s);
}

static bool read_contacts(signals *s) {
    s->contacts.count = 0;
    s->contacts_ready = signals_read(
        s, "SELECT id, a, b, start_ns, end_ns FROM contact WHERE episode = ?1 ORDER BY id",
        s->episode.id, read_contact, NULL);
    return s->contacts_ready;
}

// Returns whether the object is the thing or a part of it.
static bool is_part_of(signals *s, int64_t object, const thing *to) {
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

// The forces of one contact, of A on B, while its rows are read.
typedef struct force_reading {
    const contact_row *of;
    double sign;  // -1: the log has the forces of B on A
    size_t first; // of the contact's rows in `out`
    size_t number;
    force_rows *out;
} force_reading;

static bool read_force(signals *s, sqlite3_stmt *row, void *context) {
    const force_reading *f = context;
    force_rows *out = f->out;
    force_row r = {.until = f->of->end, .contact = f->number};
    if (!column_tick(row, 0, &r.t) || !column_position(row, 1, &r.force) ||
        !column_position(row, 4, &r.normal))
        return signals_damaged(s, "contact_force");
    r.force = v3_scale(r.force, f->sign);
    r.normal = v3_scale(r.normal, f->sign);
    if (r.t < f->of->start)
        r.t = f->of->start;
    if (out->count > f->first)
        out->items[out->count - 1].until = r.t < f->of->end ? r.t : f->of->end;
    return array_push_try(out, r) || signals_no_memory(s);
}

static bool read_forces(signals *s, const contact_row *c, bool turned, size_t number,
                        force_rows *out) {
    force_reading f = {c, turned ? -1 : 1, out->count, number, out};
    if (!s->select_forces)
        s->select_forces =
            signals_select(s, "SELECT t, fx / 1e3, fy / 1e3, fz / 1e3, nx / 1e4, ny / 1e4, nz / 1e4"
                              " FROM contact_force WHERE contact = ?1 ORDER BY t");
    if (!signals_read_rows(s, s->select_forces, c->id, read_force, &f))
        return false;
    // A contact before its first row of forces, or without any, touches with no force.
    nanos from = out->count > f.first ? out->items[f.first].t : c->end;
    return from <= c->start ||
           array_push_try(out, ((force_row){.t = c->start, .until = from, .contact = number})) ||
           signals_no_memory(s);
}

static int order_force_rows(const void *a, const void *b) {
    const force_row *x = a, *y = b;
    return (x->t > y->t) - (x->t < y->t);
}

// Sums all rows into the pair's steps: a sweep over the instants keeps the rows that are in force.
static bool sum_forces(signals *s, pair *p, force_rows *rows) {
    instants at = {0};
    ARRAY(size_t) active = {0};
    bool ok = true;
    if (rows->count > 0)
        qsort(rows->items, rows->count, sizeof *rows->items, order_force_rows);
    for (size_t i = 0; i < rows->count && ok; i++)
        ok = array_push_try(&at, rows->items[i].t) && array_push_try(&at, rows->items[i].until);
    if (at.count > 0)
        nanos_sort(at.items, at.count);
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
    return ok || signals_no_memory(s);
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
        signals_no_memory(s);
        return NULL;
    }
    p->a = a;
    p->b = b;
    force_rows rows = {0};
    bool ok = true;
    for (size_t i = 0; i < s->contacts.count && ok; i++) {
        const contact_row *c = &s->contacts.items[i];
        if (is_part_of(s, c->a, a) && is_part_of(s, c->b, b))
            ok = read_forces(s, c, false, i, &rows);
        else if (is_part_of(s, c->b, a) && is_part_of(s, c->a, b))
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

const force_step *pair_at(const pair *p, nanos t) {
    size_t i = upper_bound(p->steps.items, sizeof *p->steps.items, p->steps.count, t);
    return i ? &p->steps.items[i - 1] : NULL;
}

bool pair_touches(const pair *p, nanos from, nanos to) {
    size_t i = upper_bound(p->steps.items, sizeof *p->steps.items, p->steps.count, from);
    bool touching = i > 0 && p->steps.items[i - 1].touching;
    for (; !touching && i < p->steps.count && p->steps.items[i].t <= to; i++)
        touching = p->steps.items[i].touching;
    return touching;
}

// The integrals of the upward force and of the time in contact, up to an instant.
static void force_integrals(const pair *p, nanos t, double *up, double *touching) {
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
    force_integrals(p, t - HALF_WINDOW, &up[0], &touching[0]);
    force_integrals(p, t + HALF_WINDOW, &up[1], &touching[1]);
    double span = touching[1] - touching[0];
    return span > 0 ? (up[1] - up[0]) / span : now->up;
}

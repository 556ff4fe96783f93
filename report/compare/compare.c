// report/compare/compare.c - measures what two episodes differ by.
#include "report/compare/compare.h"

#include <math.h>
#include <string.h>

#include "base/math/geom.h"
#include "base/text/json.h"

enum { MEASURE_SHARE, MEASURE_MOST };

typedef struct measure_info {
    const char *name, *unit, *doc;
    double bound;
    int kind;
} measure_info;

static const measure_info measures[] = {
#define MEASURE(id, name, unit, bound, kind, doc) {name, unit, doc, bound, MEASURE_##kind},
#include "report/compare/measures.def"
#undef MEASURE
};

// Something of an episode, known by its key: a step, an event, a body.
typedef struct item {
    const char *key, *what; // status of a step
    double at;              // s
    pose from, to;
    bool touched;
} item;
typedef ARRAY(item) items;

static int by_key(const void *x, const void *y) {
    const item *a = x, *b = y;
    int order = strcmp(a->key, b->key);
    return order ? order : (a->at > b->at) - (a->at < b->at);
}

static void sort_items(items *all) {
    if (all->count > 1)
        qsort(all->items, all->count, sizeof *all->items, by_key);
}

static void finish_items(items *all) {
    array_finish(all);
}

// What is in only one of two sorted lists, and the pairs of those in both.
typedef struct matching {
    size_t alone, both;
    ARRAY(size_t) pairs; // a, b, a, b, ...
} matching;

static void match_items(const items *a, const items *b, matching *out) {
    size_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        int order = i == a->count   ? 1
                    : k == b->count ? -1
                                    : strcmp(a->items[i].key, b->items[k].key);
        if (order != 0) {
            out->alone++;
            *(order < 0 ? &i : &k) += 1;
            continue;
        }
        array_push(&out->pairs, i++);
        array_push(&out->pairs, k++);
        out->both++;
    }
}

static double share(size_t of, size_t all) {
    return all ? (double)of / (double)all : 0;
}

static void note_measure(comparison *c, compare_measure m, double value) {
    c->sum[m] += value;
    c->most[m] = fmax(c->most[m], value);
}

// ---- Reading ------------------------------------------------------------------------------------

static status each_row(ask *a, const char *sql, items *out, arena *memory,
                       item (*read)(sqlite3_stmt *row, arena *memory), error *err) {
    sqlite3_stmt *row = NULL;
    int step = sqlite3_prepare_v2(ask_db(a), sql, -1, &row, NULL);
    if (step == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, ask_episode(a)->id);
        while ((step = sqlite3_step(row)) == SQLITE_ROW)
            array_push(out, read(row, memory));
    }
    sqlite3_finalize(row);
    sort_items(out);
    return step == SQLITE_DONE ? OK
                               : store_failed(ask_db(a), ask_log(a), "comparing episodes", err);
}

static const char *text_column(sqlite3_stmt *row, int i, arena *memory) {
    const char *text = (const char *)sqlite3_column_text(row, i);
    return arena_strdup(memory, text ? text : "");
}

static item read_task(sqlite3_stmt *row, arena *memory) {
    return (item){.key = text_column(row, 0, memory),
                  .what = text_column(row, 1, memory),
                  .at = sqlite3_column_double(row, 2)};
}

static pose pose_at(sqlite3_stmt *row, int i) {
    double v[7];
    for (int k = 0; k < 7; k++)
        v[k] = sqlite3_column_double(row, i + k);
    return (pose){{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}};
}

static item read_body(sqlite3_stmt *row, arena *memory) {
    return (item){.key = text_column(row, 0, memory),
                  .touched = sqlite3_column_int(row, 1) != 0,
                  .from = pose_at(row, 2),
                  .to = pose_at(row, 9)};
}

static const char TASKS_SQL[] =
    "SELECT dynamic_path, status, coalesce(end_ns, start_ns) / 1e9 FROM task WHERE episode = ?1";
static const char BODIES_SQL[] =
    "SELECT o.name, EXISTS (SELECT 1 FROM contact c JOIN object r ON r.id = c.b WHERE c.a = o.id"
    " AND r.kind IN ('link', 'palm', 'finger', 'base')),"
    " f.x / 1e6, f.y / 1e6, f.z / 1e6, f.qw / 1e6, f.qx / 1e6, f.qy / 1e6, f.qz / 1e6,"
    " l.x / 1e6, l.y / 1e6, l.z / 1e6, l.qw / 1e6, l.qx / 1e6, l.qy / 1e6, l.qz / 1e6"
    " FROM object o"
    " JOIN pose f ON f.object = o.id AND f.t = (SELECT min(t) FROM pose WHERE object = o.id)"
    " JOIN pose l ON l.object = o.id AND l.t = (SELECT max(t) FROM pose WHERE object = o.id)"
    " WHERE o.episode = ?1 AND o.kind = 'body' AND NOT o.fixed";

static status read_events(ask *a, items *out, arena *memory, error *err) {
    static const char *const events[] = {"pick_up", "put_down"};
    status st = OK;
    for (size_t e = 0; st == OK && e < 2; e++) {
        ask_rows rows = {0};
        st = ask_all(a, memory, arena_format(memory, "occurs_w(%s(O), T).", events[e]), &rows, err);
        for (size_t i = 0; st == OK && i < ask_count(&rows); i++) {
            item one = {.key = arena_format(memory, "%s %s", events[e],
                                            term_text(memory, ask_at(&rows, i, 0)->term)),
                        .at = seconds(ask_at(&rows, i, 1)->time)};
            array_push(out, one);
        }
        array_finish(&rows.values);
    }
    sort_items(out);
    return st;
}

static void read_flaws(const diagnosis *d, items *out, arena *memory) {
    for (size_t i = 0; i < diagnosis_count(d); i++) {
        const flaw *f = diagnosis_flaw(d, i);
        const char *key =
            arena_format(memory, "%s %s", f->name, f->task.at.path ? f->task.at.path : "");
        for (size_t b = 0; b < f->body_count; b++)
            key = arena_format(memory, "%s %s", key, f->bodies[b]);
        array_push(out, ((item){.key = key}));
    }
    sort_items(out);
}

// ---- Measuring ----------------------------------------------------------------------------------

static void compare_flaw_lists(comparison *c, const items side[2]) {
    matching m = {0};
    match_items(&side[0], &side[1], &m);
    note_measure(c, COMPARE_FLAWS, share(m.alone, m.alone + m.both));
    array_finish(&m.pairs);
}

static void compare_tasks(comparison *c, const items side[2], double length) {
    matching m = {0};
    double apart = 0;
    size_t other = 0;
    match_items(&side[0], &side[1], &m);
    for (size_t i = 0; i < 2 * m.both; i += 2) {
        const item *a = &side[0].items[m.pairs.items[i]], *b = &side[1].items[m.pairs.items[i + 1]];
        other += strcmp(a->what, b->what) != 0;
        apart += fabs(a->at - b->at);
    }
    note_measure(c, COMPARE_TASKS, share(m.alone + other, m.alone + m.both));
    note_measure(c, COMPARE_ENDS, m.both && length > 0 ? apart / (double)m.both / length : 0);
    array_finish(&m.pairs);
}

static void compare_events(comparison *c, const items side[2]) {
    matching m = {0};
    double apart = 0;
    match_items(&side[0], &side[1], &m);
    for (size_t i = 0; i < 2 * m.both; i += 2)
        apart += fabs(side[0].items[m.pairs.items[i]].at - side[1].items[m.pairs.items[i + 1]].at);
    note_measure(c, COMPARE_EVENTS, share(m.alone, m.alone + m.both));
    note_measure(c, COMPARE_WHEN, m.both ? apart / (double)m.both : 0);
    array_finish(&m.pairs);
}

// How many bodies end more than 0.3 m from where they began, per minute.
static double taken_away(const items *bodies, double length) {
    size_t count = 0;
    for (size_t i = 0; i < bodies->count; i++)
        count += v3_distance(bodies->items[i].from.p, bodies->items[i].to.p) > 0.3;
    return length > 0 ? 60 * (double)count / length : 0;
}

static void compare_bodies(comparison *c, const items side[2], const double length[2]) {
    matching m = {0};
    double rate[2];
    match_items(&side[0], &side[1], &m);
    for (size_t i = 0; i < 2 * m.both; i += 2) {
        const item *a = &side[0].items[m.pairs.items[i]], *b = &side[1].items[m.pairs.items[i + 1]];
        double apart = v3_distance(a->to.p, b->to.p);
        bool touched = a->touched || b->touched;
        compare_measure where = touched ? COMPARE_TOUCHED : COMPARE_UNTOUCHED;
        c->most[where] = fmax(c->most[where], apart);
        if (!touched)
            c->most[COMPARE_TURNED] =
                fmax(c->most[COMPARE_TURNED], quat_angle(a->to.q, b->to.q) * 180 / PI);
    }
    for (int k = 0; k < 2; k++)
        rate[k] = taken_away(&side[k], length[k]);
    note_measure(c, COMPARE_RATE, rate[0] > 0 ? fabs(rate[1] - rate[0]) / rate[0] : (rate[1] > 0));
    array_finish(&m.pairs);
}

static item read_touch(sqlite3_stmt *row, arena *memory) {
    (void)row, (void)memory;
    return (item){.key = ""};
}

status compare_add(comparison *c, ask *full, const diagnosis *full_flaws, ask *managed,
                   const diagnosis *managed_flaws, error *err) {
    ask *const asked[2] = {full, managed};
    const diagnosis *const flaws[2] = {full_flaws, managed_flaws};
    items tasks[2] = {{0}}, bodies[2] = {{0}}, events[2] = {{0}}, found[2] = {{0}}, touches = {0};
    double length[2];
    arena *memory = arena_create();
    status st = OK;
    for (int k = 0; st == OK && k < 2; k++) {
        length[k] = seconds(ask_episode(asked[k])->end);
        st = each_row(asked[k], TASKS_SQL, &tasks[k], memory, read_task, err);
        if (st == OK)
            st = each_row(asked[k], BODIES_SQL, &bodies[k], memory, read_body, err);
        if (st == OK)
            st = read_events(asked[k], &events[k], memory, err);
        read_flaws(flaws[k], &found[k], memory);
    }
    if (st == OK)
        st = each_row(managed, "SELECT 1 FROM switch WHERE episode = ?1 AND rule = 'touched'",
                      &touches, memory, read_touch, err);
    if (st == OK) {
        compare_flaw_lists(c, found);
        compare_tasks(c, tasks, length[0]);
        compare_events(c, events);
        compare_bodies(c, bodies, length);
        c->touched += (int64_t)touches.count;
        c->pairs++;
    }
    for (int k = 0; k < 2; k++) {
        finish_items(&tasks[k]);
        finish_items(&bodies[k]);
        finish_items(&events[k]);
        finish_items(&found[k]);
    }
    finish_items(&touches);
    arena_destroy(memory);
    return st;
}

double compare_value(const comparison *c, compare_measure m) {
    return measures[m].kind == MEASURE_MOST ? c->most[m]
           : c->pairs                       ? c->sum[m] / (double)c->pairs
                                            : 0;
}

bool compare_alike(const comparison *c) {
    bool alike = c->touched == 0;
    for (int m = 0; m < COMPARE_MEASURES; m++)
        alike &= compare_value(c, (compare_measure)m) <= measures[m].bound;
    return alike;
}

// ---- Telling ------------------------------------------------------------------------------------

static const char *value_text(arena *memory, double value, const char *unit) {
    if (!isfinite(value))
        return "-";
    return strcmp(unit, "%") == 0 ? arena_format(memory, "%.1f %%", 100 * value)
                                  : arena_format(memory, "%.4g %s", value, unit);
}

void compare_text(const comparison *c, const comparison *floor, text_buffer *out) {
    arena *memory = arena_create();
    text_add(out, "%zu pair%s of episodes\n", c->pairs, c->pairs == 1 ? "" : "s");
    text_add(out, "%-12s %14s %14s %14s\n", "", "difference", floor ? "floor" : "", "bound");
    for (int i = 0; i < COMPARE_MEASURES; i++) {
        compare_measure m = (compare_measure)i;
        const measure_info *how = &measures[i];
        double value = compare_value(c, m);
        text_add(out, "%-12s %14s %14s %14s%s\n", how->name, value_text(memory, value, how->unit),
                 floor ? value_text(memory, compare_value(floor, m), how->unit) : "",
                 value_text(memory, how->bound, how->unit), value > how->bound ? "  beyond" : "");
    }
    text_add(out, "The robot touched lowered bodies %lld times.\n", (long long)c->touched);
    text_add(out, "%s\n", compare_alike(c) ? "Within the bounds." : "Not within the bounds.");
    arena_destroy(memory);
}

void compare_json(const comparison *c, const comparison *floor, text_buffer *out) {
    text_add(
        out,
        "{ \"schema\": 1, \"pairs\": %zu, \"touched\": %lld, \"alike\": %s,\n  \"measures\": [",
        c->pairs, (long long)c->touched, compare_alike(c) ? "true" : "false");
    for (int i = 0; i < COMPARE_MEASURES; i++) {
        json_member(out, i ? ",\n    { " : "\n    { ", "name", measures[i].name);
        json_member(out, ", ", "unit", strcmp(measures[i].unit, "%") == 0 ? "1" : measures[i].unit);
        text_put(out, ", \"difference\": ");
        json_number(out, compare_value(c, (compare_measure)i));
        text_put(out, ", \"floor\": ");
        if (floor)
            json_number(out, compare_value(floor, (compare_measure)i));
        else
            text_put(out, "null");
        text_put(out, ", \"bound\": ");
        json_number(out, measures[i].bound);
        text_put(out, " }");
    }
    text_put(out, " ] }\n");
}

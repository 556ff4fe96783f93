// report/diff/rows.c - compares rows of two episodes, aligned by time and name.
#include <string.h>

#include "report/diff/diff_int.h"

typedef struct row_kind {
    diff_layer layer;
    const char *what, *sql;
} row_kind;

// `from` may end with a condition that ends with 1, so that AND can follow it.
static const row_kind KINDS[] = {
#define LAYER(id, name, doc)
#define ROWS(layer, what, time, name, value, origin, from)                                         \
    {DIFF_##layer, what,                                                                           \
     "SELECT t, coalesce(name, ''), coalesce(value, ''), origin FROM (SELECT " time " AS t, " name \
     " AS name, " value " AS value, " origin " AS origin, x.episode AS episode FROM " from         \
     ") WHERE episode = ? AND t IS NOT NULL ORDER BY 1, 2, 3"},
#include "report/diff/layers.def"
#undef LAYER
#undef ROWS
};

// One side's rows, one after another.
typedef struct cursor {
    sqlite3 *db;
    const char *log;
    sqlite3_stmt *row;
    bool ended;
    status st;
} cursor;

static const char *text_of(const cursor *c, int column) {
    const char *text = (const char *)sqlite3_column_text(c->row, column);
    return text ? text : "";
}

static void step_on(cursor *c, error *err) {
    int rc = sqlite3_step(c->row);
    c->ended = rc != SQLITE_ROW;
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        c->st = store_failed(c->db, c->log, "comparing the episodes", err);
}

static void begin_rows(cursor *c, const diff_side *side, const char *sql, error *err) {
    *c = (cursor){.db = ask_db(side->ask), .log = ask_log(side->ask)};
    if (sqlite3_prepare_v2(c->db, sql, -1, &c->row, NULL) != SQLITE_OK) {
        c->st = store_failed(c->db, c->log, "comparing the episodes", err);
        return;
    }
    sqlite3_bind_int64(c->row, 1, ask_episode(side->ask)->id);
    step_on(c, err);
}

// Below 0: the row of `a` comes before that of `b`, in time or by its name; 0: they are aligned.
static int compare_places(const cursor *a, const cursor *b) {
    if (a->ended || b->ended)
        return a->ended - b->ended;
    int64_t s = sqlite3_column_int64(a->row, 0), t = sqlite3_column_int64(b->row, 0);
    if (s != t)
        return s < t ? -1 : 1;
    return strcmp(text_of(a, 1), text_of(b, 1));
}

static status compare_kind(diff *d, const row_kind *k, error *err) {
    cursor c[2];
    for (int i = 0; i < 2; i++)
        begin_rows(&c[i], &d->sides[i], k->sql, err);
    int order = 0;
    while (c[0].st == OK && c[1].st == OK && !(c[0].ended && c[1].ended)) {
        order = compare_places(&c[0], &c[1]);
        if (order != 0 || strcmp(text_of(&c[0], 2), text_of(&c[1], 2)) != 0)
            break;
        step_on(&c[0], err);
        step_on(&c[1], err);
    }
    status st = c[0].st != OK ? c[0].st : c[1].st;
    const cursor *one = order <= 0 ? &c[0] : &c[1];
    if (st == OK && !(c[0].ended && c[1].ended) && sqlite3_column_int64(one->row, 0) < d->end) {
        bool from = sqlite3_column_type(one->row, 3) != SQLITE_NULL;
        difference found = {.found = true,
                            .t = sqlite3_column_int64(one->row, 0),
                            .what = k->what,
                            .name = text_of(one, 1),
                            .a = order <= 0 ? text_of(&c[0], 2) : NULL,
                            .b = order >= 0 ? text_of(&c[1], 2) : NULL,
                            .from = from ? text_of(one, 3) : NULL};
        diff_note(d, k->layer, &found);
    }
    sqlite3_finalize(c[0].row);
    sqlite3_finalize(c[1].row);
    return st;
}

// ---- What the episodes were run with ------------------------------------------------------------

static const char SETUP[] =
    "SELECT 0, name, value FROM (SELECT scope || '.' || name AS name, group_concat(value, ', ') AS "
    "value, episode FROM (SELECT * FROM parameter ORDER BY id) GROUP BY episode, scope, name"
    " UNION ALL SELECT kind || ' ' || name, text, episode FROM source"
    " UNION ALL SELECT 'program.' || name, value, episode FROM fingerprint"
    " UNION ALL SELECT 'seed', seed, id FROM episode) WHERE episode = ? ORDER BY 2, 3";

static void note_setup(diff *d, const cursor *c, int order) {
    bool is_file = strchr(text_of(order <= 0 ? &c[0] : &c[1], 1), ' ') != NULL;
    diff_setup s = {.name = arena_strdup(d->memory, text_of(order <= 0 ? &c[0] : &c[1], 1))};
    if (order <= 0)
        s.a = is_file ? "one text" : arena_strdup(d->memory, text_of(&c[0], 2));
    if (order >= 0)
        s.b = is_file ? "another text" : arena_strdup(d->memory, text_of(&c[1], 2));
    array_push(&d->setup, s);
}

static status compare_setup(diff *d, error *err) {
    cursor c[2];
    for (int i = 0; i < 2; i++)
        begin_rows(&c[i], &d->sides[i], SETUP, err);
    while (c[0].st == OK && c[1].st == OK && !(c[0].ended && c[1].ended)) {
        int order = compare_places(&c[0], &c[1]);
        if (order != 0 || strcmp(text_of(&c[0], 2), text_of(&c[1], 2)) != 0)
            note_setup(d, c, order);
        if (order <= 0)
            step_on(&c[0], err);
        if (order >= 0)
            step_on(&c[1], err);
    }
    sqlite3_finalize(c[0].row);
    sqlite3_finalize(c[1].row);
    return c[0].st != OK ? c[0].st : c[1].st;
}

status diff_rows(diff *d, error *err) {
    status st = compare_setup(d, err);
    for (size_t i = 0; st == OK && i < sizeof KINDS / sizeof *KINDS; i++)
        st = compare_kind(d, &KINDS[i], err);
    return st;
}

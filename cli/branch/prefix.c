// cli/branch/prefix.c - compares records in memory with rows of a log.
#include "cli/branch/prefix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "base/time/clock.h"
#include "schema/numbers.h"
#include "schema/schema.h"
#include "schema/store/store.h"
#include "schema/words.h"

// One kind's records on the tape, by their ids.
typedef struct track {
    ARRAY(size_t) puts;         // entries; SIZE_MAX: none has this id
    ARRAY(const record *) ends; // what a record ended with; NULL: it has not
} track;

typedef struct comparison {
    const tape *tape;
    store *log;
    int64_t episode;
    nanos until;
    bool other_plan;
    track tracks[RECORD_KINDS];
    int64_t shift[RECORD_KINDS]; // ids of the episode start after these
    int64_t first[RECORD_KINDS], end[RECORD_KINDS];
    bool differs;
    nanos when;   // of the first difference
    size_t entry; // of the tape; SIZE_MAX: a record that the tape lacks
    text_buffer text;
} comparison;

static void index_tape(comparison *c) {
    for (size_t i = 0; i < c->tape->entries.count; i++) {
        const tape_entry *e = &c->tape->entries.items[i];
        if (e->mark == TAPE_COMMIT)
            continue;
        track *k = &c->tracks[e->record->kind];
        while ((int64_t)k->puts.count < e->record->id) {
            array_push(&k->puts, SIZE_MAX);
            array_push(&k->ends, NULL);
        }
        if (e->mark == TAPE_PUT)
            k->puts.items[e->record->id - 1] = i;
        else
            k->ends.items[e->record->id - 1] = e->record;
    }
}

static status find_rows(comparison *c, record_kind kind, error *err) {
    char sql[200];
    sqlite3_stmt *q = NULL;
    status st = store_range(c->log, kind, c->episode, &c->first[kind], &c->end[kind], err);
    if (st != OK || c->first[kind] == c->end[kind] || record_key(kind))
        return st;
    snprintf(sql, sizeof sql, "SELECT coalesce(max(id), 0) FROM %s WHERE id < ?",
             record_describe(kind)->table);
    if (sqlite3_prepare_v2(store_db(c->log), sql, -1, &q, NULL) == SQLITE_OK)
        sqlite3_bind_int64(q, 1, c->first[kind]);
    if (q && sqlite3_step(q) == SQLITE_ROW)
        c->shift[kind] = sqlite3_column_int64(q, 0);
    else
        st = store_failed(store_db(c->log), store_path(c->log), "reading the episode", err);
    sqlite3_finalize(q);
    return st;
}

// ---- Values -------------------------------------------------------------------------------------

// The text of a column, which may be packed.
static bool same_text(const column_info *column, sqlite3_stmt *row, int at, const char *text) {
    const char *logged = (const char *)sqlite3_column_text(row, at);
    if (!logged || strcmp(text, logged) == 0)
        return logged != NULL;
    if (column->scale == PACKED_WORD)
        return strcmp(text, words_unpack(logged)) == 0;
    char *list = numbers_unpack(logged);
    bool same = list && strcmp(text, list) == 0;
    free(list);
    return same;
}

static bool same_value(const comparison *c, const record *r, const column_info *column,
                       sqlite3_stmt *row, int at) {
    const void *field = (const char *)r + column->offset;
    bool null = sqlite3_column_type(row, at) == SQLITE_NULL;
    int64_t integer;
    double real;
    const char *text;
    switch (column->type) {
    case COLUMN_REAL:
        memcpy(&real, field, sizeof real);
        return isfinite(real) ? !null && sqlite3_column_double(row, at) == real : null;
    case COLUMN_FIXED:
        memcpy(&real, field, sizeof real);
        return isfinite(real) ? !null && sqlite3_column_int64(row, at) == record_fixed(column, real)
                              : null;
    case COLUMN_TICK:
        memcpy(&integer, field, sizeof integer);
        return sqlite3_column_int64(row, at) == integer / RECORD_TICK;
    case COLUMN_TEXT:
        memcpy(&text, field, sizeof text);
        return text && !null ? same_text(column, row, at, text) : !text && null;
    case COLUMN_TIME:
        memcpy(&integer, field, sizeof integer);
        return integer == TIME_OPEN ? null : !null && sqlite3_column_int64(row, at) == integer;
    case COLUMN_REF:
        memcpy(&integer, field, sizeof integer);
        return integer == 0
                   ? null
                   : !null && sqlite3_column_int64(row, at) == integer + c->shift[column->target];
    case COLUMN_INT:
    case COLUMN_BOOL:
        memcpy(&integer, field, sizeof integer);
        return !null && sqlite3_column_int64(row, at) == integer;
    }
    return false;
}

static void put_replayed(text_buffer *out, const record *r, const column_info *column) {
    const void *field = (const char *)r + column->offset;
    int64_t integer;
    double real;
    const char *text;
    switch (column->type) {
    case COLUMN_REAL:
    case COLUMN_FIXED:
        memcpy(&real, field, sizeof real);
        text_add(out, "%.9g", real);
        return;
    case COLUMN_TEXT:
        memcpy(&text, field, sizeof text);
        text_add(out, text ? "'%.120s'" : "nothing", text);
        return;
    case COLUMN_TICK:
    case COLUMN_TIME:
        memcpy(&integer, field, sizeof integer);
        if (integer == TIME_OPEN)
            text_put(out, "open");
        else
            text_add(out, "%.3f s", seconds(integer));
        return;
    case COLUMN_INT:
    case COLUMN_BOOL:
    case COLUMN_REF:
        memcpy(&integer, field, sizeof integer);
        text_add(out, "%lld", (long long)integer);
        return;
    }
}

static void put_text(text_buffer *out, const column_info *column, const char *text) {
    if (text && column->scale == PACKED_WORD)
        text = words_unpack(text);
    char *list = text ? numbers_unpack(text) : NULL;
    text_add(out, "'%.120s'", list ? list : text ? text : "");
    free(list);
}

static void put_logged(const comparison *c, text_buffer *out, const column_info *column,
                       sqlite3_stmt *row, int at) {
    if (sqlite3_column_type(row, at) == SQLITE_NULL)
        text_put(out, column->type == COLUMN_TIME ? "open" : "nothing");
    else if (column->type == COLUMN_REAL)
        text_add(out, "%.9g", sqlite3_column_double(row, at));
    else if (column->type == COLUMN_FIXED)
        text_add(out, "%.9g", (double)sqlite3_column_int64(row, at) / column->scale);
    else if (column->type == COLUMN_TICK)
        text_add(out, "%.3f s", seconds(sqlite3_column_int64(row, at) * RECORD_TICK));
    else if (column->type == COLUMN_TIME)
        text_add(out, "%.3f s", seconds(sqlite3_column_int64(row, at)));
    else if (column->type == COLUMN_TEXT)
        put_text(out, column, (const char *)sqlite3_column_text(row, at));
    else
        text_add(out, "%lld",
                 (long long)(sqlite3_column_int64(row, at) -
                             (column->type == COLUMN_REF ? c->shift[column->target] : 0)));
}

// ---- Records ------------------------------------------------------------------------------------

// What the episode was made from, which an edited plan has of its own.
static bool is_of_plan(record_kind kind) {
    return kind == RECORD_SOURCE || kind == RECORD_PARAMETER || kind == RECORD_STEP_TEXT;
}

static bool is_passed_over(const comparison *c, record_kind kind, const column_info *column) {
    return c->other_plan && kind == RECORD_TASK &&
           (strcmp(column->name, "path") == 0 || strcmp(column->name, "dynamic_path") == 0 ||
            strcmp(column->name, "file") == 0 || strcmp(column->name, "line") == 0);
}

// The columns in which a record and its row differ: those that it was put with, and, where it ended
// at an instant, those that it ended with. A record with a key is found by that.
static size_t differing_column(const comparison *c, const record *put, const record *ended,
                               sqlite3_stmt *row) {
    const record_info *info = record_describe(put->kind);
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *column = &info->columns[i];
        const record *r = column->flag == COLUMN_FINAL ? ended : put;
        if (r && column->flag != COLUMN_KEY && !is_passed_over(c, put->kind, column) &&
            !same_value(c, r, column, row, (int)i + 1))
            return i;
    }
    return info->column_count;
}

// Ended for good: at an instant that is over.
static const record *ended_for_good(const record *ended) {
    if (!ended)
        return NULL;
    const record_info *info = record_describe(ended->kind);
    for (size_t i = 0; i < info->column_count; i++) {
        nanos end;
        if (strcmp(info->columns[i].name, "end_ns") != 0)
            continue;
        memcpy(&end, (const char *)ended + info->columns[i].offset, sizeof end);
        return end == TIME_OPEN ? NULL : ended;
    }
    return NULL;
}

// Keeps a difference if it is the first so far, and empties the text for it.
static bool is_first(comparison *c, nanos when, size_t entry) {
    if (c->differs && (c->when < when || (c->when == when && c->entry <= entry)))
        return false;
    c->differs = true;
    c->when = when;
    c->entry = entry;
    text_finish(&c->text);
    return true;
}

static void put_whole(const comparison *c, record_kind kind, const record *r, sqlite3_stmt *row,
                      text_buffer *out) {
    const record_info *info = record_describe(kind);
    const char *comma = "";
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *column = &info->columns[i];
        if (column->flag == COLUMN_FINAL || column->type == COLUMN_REF)
            continue;
        text_add(out, "%s%s ", comma, column->name);
        comma = ", ";
        if (row)
            put_logged(c, out, column, row, (int)i + 1);
        else
            put_replayed(out, r, column);
    }
}

static void note_column(comparison *c, record_kind kind, size_t entry, const record *put,
                        const record *r, const column_info *column, sqlite3_stmt *row, int at) {
    if (!is_first(c, c->tape->entries.items[entry].t, entry))
        return;
    text_add(&c->text, "of a %s %s is ", record_describe(kind)->table, column->name);
    put_logged(c, &c->text, column, row, at);
    text_put(&c->text, " in the log and ");
    put_replayed(&c->text, r, column);
    text_put(&c->text, " now (");
    put_whole(c, kind, put, NULL, &c->text);
    text_put(&c->text, ")");
}

static void note_more(comparison *c, record_kind kind, size_t entry) {
    const tape_entry *e = &c->tape->entries.items[entry];
    if (!is_first(c, e->t, entry))
        return;
    text_add(&c->text,
             "there is now a %s that the log does not have: ", record_describe(kind)->table);
    put_whole(c, kind, e->record, NULL, &c->text);
}

static void note_missing(comparison *c, record_kind kind, nanos when, sqlite3_stmt *row) {
    if (!is_first(c, when, SIZE_MAX))
        return;
    text_add(&c->text, "the log has a %s that there is not now: ", record_describe(kind)->table);
    put_whole(c, kind, NULL, row, &c->text);
}

static int time_at(record_kind kind) {
    const record_info *info = record_describe(kind);
    return (int)(tape_time_column(kind) - info->columns) + 1;
}

// Selects the rows of a kind that are of the episode: their number, then their columns.
static status select_rows(const comparison *c, record_kind kind, sqlite3_stmt **out, error *err) {
    const record_info *info = record_describe(kind);
    const column_info *key = record_key(kind);
    const char *id = key ? key->name : "id";
    char order[100];
    // RobotPos, which logs before SCHEMA_PLACED have as a variable, is told by the believed frames.
    bool more = kind == RECORD_VARIABLE && store_version(c->log) < SCHEMA_PLACED;
    text_buffer sql = {0};
    status st = OK;
    if (more)
        text_add(&sql, "SELECT row_number() OVER (ORDER BY id) + %lld", (long long)c->shift[kind]);
    else
        text_add(&sql, "SELECT %s", id);
    for (size_t n = 0; n < info->column_count; n++)
        text_add(&sql, ", %s", info->columns[n].name);
    text_add(&sql, " FROM %s WHERE %s >= ? AND %s < ?%s ORDER BY %s", info->table, id, id,
             more ? " AND (task IS NOT NULL OR word(name) IS NOT 'RobotPos')" : "",
             schema_row_order(kind, order));
    if (sqlite3_prepare_v2(store_db(c->log), text_string(&sql), -1, out, NULL) != SQLITE_OK)
        st = store_failed(store_db(c->log), store_path(c->log), "reading the episode", err);
    sqlite3_bind_int64(*out, 1, c->first[kind]);
    sqlite3_bind_int64(*out, 2, c->end[kind]);
    text_finish(&sql);
    return st;
}

// A record that is known by a key.
typedef struct keyed {
    int64_t of;
    nanos t;
    int64_t nth;  // of those with the same `of` and `t`; 0 where one is kept
    size_t entry; // of the tape
} keyed;

static int compare_keys(const keyed *a, const keyed *b) {
    return a->of != b->of    ? (a->of < b->of ? -1 : 1)
           : a->t != b->t    ? (a->t < b->t ? -1 : 1)
           : a->nth < b->nth ? -1
                             : a->nth > b->nth;
}

static int order_keyed(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    int order = compare_keys(x, y);
    return order ? order : x->entry < y->entry ? -1 : x->entry > y->entry;
}

// The records of a kind on the tape in the order of their keys; of those with the same the last.
static void sort_keyed(const comparison *c, record_kind kind, keyed **out, size_t *count) {
    const track *k = &c->tracks[kind];
    record_key_columns key = record_keys(kind);
    keyed *all = mem_must(k->puts.count + 1, sizeof *all);
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < k->puts.count; i++) {
        if (k->puts.items[i] == SIZE_MAX)
            continue;
        const char *r = (const char *)c->tape->entries.items[k->puts.items[i]].record;
        all[n].entry = k->puts.items[i];
        memcpy(&all[n].of, r + key.of->offset, sizeof all[n].of);
        memcpy(&all[n].t, r + key.t->offset, sizeof all[n].t);
        all[n].of += c->shift[key.of->target];
        all[n++].nth = 0;
    }
    qsort(all, n, sizeof *all, order_keyed);
    for (size_t i = 1; key.nth && i < n; i++)
        if (all[i].of == all[i - 1].of && all[i].t == all[i - 1].t)
            all[i].nth = all[i - 1].nth + (all[i - 1].nth < RECORD_NTH_MAX);
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || compare_keys(&all[i], &all[i + 1]) != 0)
            all[kept++] = all[i];
    *out = all;
    *count = kept;
}

// Records and rows side by side, in the order of their keys. What the log has of an object past its
// last record on the tape came after the tape ended.
static status compare_keyed(comparison *c, record_kind kind, error *err) {
    const record_info *info = record_describe(kind);
    sqlite3_stmt *row = NULL;
    const column_info *nth = record_keys(kind).nth;
    keyed *puts;
    size_t count, i = 0;
    int step = SQLITE_DONE;
    sort_keyed(c, kind, &puts, &count);
    status st = select_rows(c, kind, &row, err);
    while (st == OK && (step = sqlite3_step(row)) == SQLITE_ROW) {
        keyed there = {.of = sqlite3_column_int64(row, 0),
                       .t = sqlite3_column_int64(row, time_at(kind)) * RECORD_TICK,
                       .nth = nth ? sqlite3_column_int64(row, (int)(nth - info->columns) + 1) : 0};
        for (; i < count && compare_keys(&puts[i], &there) < 0; i++)
            note_more(c, kind, puts[i].entry);
        if (i < count && puts[i].of == there.of && compare_keys(&puts[i], &there) > 0)
            note_missing(c, kind, there.t, row);
        if (i == count || compare_keys(&puts[i], &there) != 0)
            continue;
        const record *put = c->tape->entries.items[puts[i].entry].record;
        size_t n = differing_column(c, put, NULL, row);
        if (n < info->column_count)
            note_column(c, kind, puts[i].entry, put, put, &info->columns[n], row, (int)n + 1);
        i++;
    }
    if (st == OK && step != SQLITE_DONE)
        st = store_failed(store_db(c->log), store_path(c->log), "reading the episode", err);
    for (; st == OK && i < count; i++)
        note_more(c, kind, puts[i].entry);
    sqlite3_finalize(row);
    free(puts);
    return st;
}

static status compare_kind(comparison *c, record_kind kind, error *err) {
    const record_info *info = record_describe(kind);
    const track *k = &c->tracks[kind];
    sqlite3_stmt *row = NULL;
    size_t i = 0;
    status st = select_rows(c, kind, &row, err);
    if (st != OK)
        goto done;
    int step = SQLITE_ROW;
    for (; (step = sqlite3_step(row)) == SQLITE_ROW; i++) {
        size_t number = (size_t)(sqlite3_column_int64(row, 0) - c->shift[kind] - 1);
        for (; i < number && i < k->puts.count; i++)
            if (k->puts.items[i] != SIZE_MAX) {
                note_more(c, kind, k->puts.items[i]);
                goto done;
            }
        if (i == k->puts.count || k->puts.items[i] == SIZE_MAX) {
            nanos when =
                tape_is_prompt(kind) ? sqlite3_column_int64(row, time_at(kind)) : TIME_OPEN;
            if (when < c->until)
                note_missing(c, kind, when, row);
            goto done;
        }
        size_t entry = k->puts.items[i];
        const record *put = c->tape->entries.items[entry].record,
                     *ended = ended_for_good(k->ends.items[i]);
        size_t n = differing_column(c, put, ended, row);
        if (n < info->column_count) {
            bool final = info->columns[n].flag == COLUMN_FINAL;
            note_column(c, kind, entry, put, final ? ended : put, &info->columns[n], row,
                        (int)n + 1);
            goto done; // what follows in this kind follows from it
        }
    }
    if (step != SQLITE_DONE)
        st = store_failed(store_db(c->log), store_path(c->log), "reading the episode", err);
    for (; step == SQLITE_DONE && i < k->puts.count; i++)
        if (k->puts.items[i] != SIZE_MAX) {
            note_more(c, kind, k->puts.items[i]);
            break;
        }
done:
    sqlite3_finalize(row);
    return st;
}

status prefix_compare(const tape *replayed, const char *log, int64_t episode, nanos t,
                      bool other_plan, error *err) {
    comparison c = {.tape = replayed, .episode = episode, .until = t, .other_plan = other_plan};
    status st = store_open(log, &c.log, err);
    index_tape(&c);
    for (int k = 0; st == OK && k < RECORD_KINDS; k++)
        st = find_rows(&c, (record_kind)k, err);
    // What the program is differs where another one projected the log; fingerprint_warn says so.
    for (int k = 0; st == OK && k < RECORD_KINDS; k++)
        if (k != RECORD_FINGERPRINT && !(other_plan && is_of_plan((record_kind)k)))
            st = record_key((record_kind)k) ? compare_keyed(&c, (record_kind)k, err)
                                            : compare_kind(&c, (record_kind)k, err);
    if (st == OK && c.differs)
        st = error_set(err, E_INPUT, "at %.3f s %s", seconds(c.when), text_string(&c.text));
    for (int k = 0; k < RECORD_KINDS; k++) {
        array_finish(&c.tracks[k].puts);
        array_finish(&c.tracks[k].ends);
    }
    text_finish(&c.text);
    store_close(c.log);
    return st;
}

// cli/runs/recording.c - reads a recorded robot from a log: see recording.h.
#include "cli/runs/recording.h"

#include <math.h>

#include "base/files/sha256.h"
#include "base/search.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "schema/columns.h"
#include "schema/motion/tracks.h"
#include "schema/numbers.h"
#include "schema/schema.h"
#include "schema/store/store.h"
#include "schema/words.h"

static const record_kind replayed[] = {
#define REPLAYED(kind) RECORD_##kind,
#include "projector/replayed.def"
#undef REPLAYED
};
enum { REPLAYED_KINDS = sizeof replayed / sizeof *replayed };

typedef ARRAY(int64_t) id_list;

typedef struct reading_log {
    arena *a;
    const store *log;
    const store_episode *episode;
    recording out;
    id_list ids[RECORD_KINDS]; // of the rows in the log, ascending
    const char *wanted;        // the robot that is to stand in; NULL: all of the only one
    int64_t robot, base, agent;
    ARRAY(recorded_wrench) wrenches;
    ARRAY(const char *) objects;
    ARRAY(const char *) joints;
    ARRAY(recorded_row) rows;
    ARRAY(recorded_posture) postures;
    ARRAY(nanos) times[RECORD_KINDS]; // by row
} reading_log;

static status refuse_row(const reading_log *l, const char *table, int64_t id, const char *what,
                         error *err) {
    return error_at(err, E_INPUT, l->out.file, 0, 0,
                    "row %lld of the table %s has %s, so that the recording cannot be followed",
                    (long long)id, table, what);
}

static status failed(const reading_log *l, error *err) {
    return store_failed(store_db(l->log), l->out.file, "reading the recording", err);
}

static status open_rows(const reading_log *l, const char *sql, sqlite3_stmt **row, error *err) {
    if (sqlite3_prepare_v2(store_db(l->log), sql, -1, row, NULL) != SQLITE_OK)
        return failed(l, err);
    sqlite3_bind_int64(*row, 1, l->episode->id);
    return OK;
}

static status close_rows(const reading_log *l, sqlite3_stmt *row, int step, status st, error *err) {
    if (st == OK && step != SQLITE_DONE && step != SQLITE_ROW)
        st = failed(l, err);
    sqlite3_finalize(row);
    return st;
}

// The number of an id among those of its kind, from 1; 0: there is none.
static int64_t number_of(const id_list *ids, int64_t id) {
    size_t i = ids_find(ids->items, sizeof *ids->items, ids->count, id);
    return i == IDS_NONE ? 0 : (int64_t)i + 1;
}

// ---- Objects ------------------------------------------------------------------------------------

// Finds the recorded robot.
static status find_robot(reading_log *l, error *err) {
    sqlite3_stmt *row = NULL;
    int step = SQLITE_DONE;
    size_t count = 0;
    bool named = false;
    const char *all = "";
    // A twin is an agent beside that of its robot.
    const char *sql = arena_format(l->a,
                                   "SELECT o.id, o.name, min(a.id) FROM object o"
                                   " JOIN agent a ON a.object = o.id AND a.episode = o.episode"
                                   " WHERE o.episode = ? AND o.kind = 'robot'"
                                   " GROUP BY %s ORDER BY 3",
                                   l->wanted ? "o.id" : "a.id");
    status st = open_rows(l, sql, &row, err);
    while (st == OK && (step = sqlite3_step(row)) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(row, 1);
        const char *name = text ? arena_strdup(l->a, text) : "";
        bool wanted = l->wanted && strcmp(name, l->wanted) == 0;
        all = arena_format(l->a, "%s%s%s", all, count++ ? ", " : "", name);
        if (count > 1 && !wanted)
            continue;
        named |= wanted;
        l->robot = sqlite3_column_int64(row, 0);
        l->agent = sqlite3_column_int64(row, 2);
        l->out.robot = name;
    }
    st = close_rows(l, row, step, st, err);
    if (st == OK && !l->wanted && count != 1)
        return error_at(err, E_INPUT, l->out.file, 0, 0,
                        "episode %lld is of %zu robots; the recording of one robot can be followed",
                        (long long)l->episode->id, count);
    if (st == OK && count != 1 && !named)
        return error_at(err, E_INPUT, l->out.file, 0, 0,
                        "episode %lld is of the robots %s, none of which is called `%s`, as the "
                        "one that it is to stand in for",
                        (long long)l->episode->id, all, l->wanted);
    return st;
}

static status read_objects(reading_log *l, error *err) {
    sqlite3_stmt *row = NULL;
    int step = SQLITE_DONE;
    status st = open_rows(
        l, "SELECT id, name, kind, whole FROM object WHERE episode = ? ORDER BY id", &row, err);
    while (st == OK && (step = sqlite3_step(row)) == SQLITE_ROW) {
        const char *texts[2];
        for (int i = 0; i < 2; i++) {
            const char *text = (const char *)sqlite3_column_text(row, i + 1);
            texts[i] = text ? arena_strdup(l->a, text) : "";
        }
        int64_t id = sqlite3_column_int64(row, 0);
        array_push(&l->ids[RECORD_OBJECT], id);
        array_push(&l->objects, texts[0]);
        bool of_robot = sqlite3_column_int64(row, 3) == l->robot;
        if (of_robot && strcmp(texts[1], "joint") == 0)
            array_push(&l->joints, texts[0]);
        if (of_robot && strcmp(texts[1], "base") == 0)
            l->base = id;
    }
    st = close_rows(l, row, step, st, err);
    if (st == OK && l->base == 0)
        return error_at(err, E_INPUT, l->out.file, 0, 0,
                        "episode %lld does not say which object is the robot's base",
                        (long long)l->episode->id);
    return st;
}

static status read_agents(reading_log *l, error *err) {
    sqlite3_stmt *row = NULL;
    int step = SQLITE_DONE;
    status st = open_rows(l, "SELECT id FROM agent WHERE episode = ? ORDER BY id", &row, err);
    while (st == OK && (step = sqlite3_step(row)) == SQLITE_ROW)
        array_push(&l->ids[RECORD_AGENT], sqlite3_column_int64(row, 0));
    return close_rows(l, row, step, st, err);
}

// ---- Rows ---------------------------------------------------------------------------------------

static status read_ids(reading_log *l, record_kind kind, error *err) {
    sqlite3_stmt *row = NULL;
    int step = SQLITE_DONE;
    const char *sql = arena_format(l->a, "SELECT id FROM %s WHERE episode = ? ORDER BY id",
                                   record_describe(kind)->table);
    if (record_key(kind)) // nothing refers to its rows
        return OK;
    status st = open_rows(l, sql, &row, err);
    while (st == OK && (step = sqlite3_step(row)) == SQLITE_ROW)
        array_push(&l->ids[kind], sqlite3_column_int64(row, 0));
    l->out.counts[kind] = (int64_t)l->ids[kind].count;
    return close_rows(l, row, step, st, err);
}

// A text as it was put; lists of numbers may be packed.
static const char *text_at(reading_log *l, sqlite3_stmt *row, int at, const column_info *c) {
    const char *text = (const char *)sqlite3_column_text(row, at);
    char *list = text && c->scale == PACKED_NUMBERS ? numbers_unpack(text) : NULL;
    if (text && c->scale == PACKED_WORD)
        text = words_unpack(text);
    const char *kept = list ? arena_strdup(l->a, list) : text ? arena_strdup(l->a, text) : NULL;
    free(list);
    return kept;
}

// Reads a column into its field. False: it has another value than such a column.
static bool read_column(reading_log *l, sqlite3_stmt *row, int at, const column_info *c,
                        record *out) {
    char *field = (char *)out + c->offset;
    bool null = sqlite3_column_type(row, at) == SQLITE_NULL;
    int64_t integer = sqlite3_column_int64(row, at);
    double real = INFINITY; // which is put as NULL
    const char *text;
    switch (c->type) {
    case COLUMN_TEXT:
        text = text_at(l, row, at, c);
        memcpy(field, &text, sizeof text);
        return true;
    case COLUMN_REAL:
        if (!null && !column_number(row, at, &real))
            return false;
        memcpy(field, &real, sizeof real);
        return true;
    case COLUMN_TIME:
        if (!column_end(row, at, &integer))
            return false;
        memcpy(field, &integer, sizeof integer);
        return true;
    case COLUMN_REF:
        // The tables of store_open have ids in range; what is not of the episode is nothing.
        integer = null ? 0 : number_of(&l->ids[c->target], integer);
        memcpy(field, &integer, sizeof integer);
        return true;
    case COLUMN_INT:
    case COLUMN_BOOL:
        memcpy(field, &integer, sizeof integer);
        return true;
    case COLUMN_FIXED:
        if (!null && !column_fixed(row, at, c->scale, &real))
            return false;
        memcpy(field, &real, sizeof real);
        return true;
    case COLUMN_TICK:
        if (!column_tick(row, at, &integer))
            return false;
        memcpy(field, &integer, sizeof integer);
        return true;
    }
    return false;
}

// When a record was put: its first instant, or that of the record that it belongs to.
static nanos put_at(const reading_log *l, const record *r) {
    const record_info *info = record_describe(r->kind);
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *c = &info->columns[i];
        int64_t value;
        memcpy(&value, (const char *)r + c->offset, sizeof value);
        bool is_time = c->type == COLUMN_TIME || c->type == COLUMN_TICK;
        if (is_time && c->flag != COLUMN_FINAL && value != TIME_OPEN)
            return value;
    }
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *c = &info->columns[i];
        int64_t value;
        memcpy(&value, (const char *)r + c->offset, sizeof value);
        if (c->type == COLUMN_REF && value > 0 && (size_t)value <= l->times[c->target].count)
            return l->times[c->target].items[value - 1];
    }
    return 0;
}

// The end of a record that has one; TIME_OPEN: it has none, or was not over when the recording was.
static nanos ends_at(const record *r) {
    const record_info *info = record_describe(r->kind);
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *c = &info->columns[i];
        nanos t;
        if (c->type != COLUMN_TIME || c->flag != COLUMN_FINAL)
            continue;
        memcpy(&t, (const char *)r + c->offset, sizeof t);
        return t;
    }
    return TIME_OPEN;
}

// What is known of a record before it has ended.
static record without_end(const record *r) {
    record out = *r;
    const record_info *info = record_describe(r->kind);
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *c = &info->columns[i];
        char *field = (char *)&out + c->offset;
        nanos open = TIME_OPEN;
        const char *none = NULL;
        int64_t zero = 0;
        double unknown = INFINITY;
        if (c->flag != COLUMN_FINAL)
            continue;
        if (c->type == COLUMN_TIME)
            memcpy(field, &open, sizeof open);
        else if (c->type == COLUMN_TEXT)
            memcpy(field, &none, sizeof none);
        else if (c->type == COLUMN_REAL)
            memcpy(field, &unknown, sizeof unknown);
        else
            memcpy(field, &zero, sizeof zero);
    }
    return out;
}

static status read_posture(reading_log *l, const record *r, error *err) {
    const char *p = r->READING.value;
    size_t count = l->joints.count;
    double *q = arena_alloc(l->a, (count + 1) * sizeof *q);
    bool good = p && *p++ == '[';
    for (size_t i = 0; good && i < count; i++) {
        size_t length = strcspn(p, ",]");
        const char *number = p + strspn(p, " ");
        good = p[length] == (i + 1 < count ? ',' : ']') &&
               number_parse(number, length - (size_t)(number - p), &q[i]) && fabs(q[i]) < 1e6;
        p += length + 1;
    }
    if (!good)
        return refuse_row(l, "reading", l->ids[RECORD_READING].items[r->id - 1],
                          "no position for each joint", err);
    nanos t = r->READING.taken_ns;
    if (l->postures.count > 0 && l->postures.items[l->postures.count - 1].t >= t)
        return refuse_row(l, "reading", l->ids[RECORD_READING].items[r->id - 1],
                          "an instant before that of the row before it", err);
    array_push(&l->postures, ((recorded_posture){t, q}));
    return OK;
}

// Of a robot that stands in for another one, what it read and what its grippers were told.
static status take_reading(reading_log *l, const record *r, error *err) {
    bool own = r->kind == RECORD_READING &&
               r->READING.agent == number_of(&l->ids[RECORD_AGENT], l->agent) && r->READING.kind;
    if (r->kind == RECORD_COMMAND)
        array_push(&l->rows, ((recorded_row){r->COMMAND.t, false, *r}));
    return own && strcmp(r->READING.kind, "encoders") == 0 ? read_posture(l, r, err) : OK;
}

static status take_record(reading_log *l, const record *r, error *err) {
    if (l->wanted)
        return take_reading(l, r, err);
    nanos at = put_at(l, r), end = ends_at(r);
    array_push(&l->times[r->kind], at);
    bool ends = end != TIME_OPEN;
    array_push(&l->rows, ((recorded_row){at, false, ends ? without_end(r) : *r}));
    if (ends)
        array_push(&l->rows, ((recorded_row){end > at ? end : at, true, *r}));
    if (r->kind == RECORD_TASK && r->TASK.parent == 0)
        l->out.done = r->TASK.status && strcmp(r->TASK.status, "done") == 0;
    bool encoders =
        r->kind == RECORD_READING && r->READING.kind && strcmp(r->READING.kind, "encoders") == 0;
    return encoders ? read_posture(l, r, err) : OK;
}

static status read_kind(reading_log *l, record_kind kind, error *err) {
    const record_info *info = record_describe(kind);
    text_buffer sql = {0};
    sqlite3_stmt *row = NULL;
    int step = SQLITE_DONE;
    char number[100], order[100];
    const column_info *key = record_key(kind);
    text_add(&sql, "SELECT %s", schema_row_number(kind, number));
    for (size_t i = 0; i < info->column_count; i++)
        text_add(&sql, ", %s", info->columns[i].name);
    if (key)
        text_add(&sql, " FROM %s WHERE %s IN (SELECT id FROM %s WHERE episode = ?) ORDER BY %s",
                 info->table, key->name, record_describe(key->target)->table,
                 schema_row_order(kind, order));
    else // of an earlier log without RobotPos, which the believed frames tell
        text_add(&sql, " FROM %s WHERE episode = ?%s ORDER BY id", info->table,
                 kind == RECORD_VARIABLE ? " AND (task IS NOT NULL OR word(name) IS NOT 'RobotPos')"
                                         : "");
    status st = open_rows(l, text_string(&sql), &row, err);
    for (int64_t n = 1; st == OK && (step = sqlite3_step(row)) == SQLITE_ROW; n++) {
        record r = {.kind = kind, .id = n};
        l->out.counts[kind] = n;
        for (size_t i = 0; st == OK && i < info->column_count; i++)
            if (!read_column(l, row, (int)i + 1, &info->columns[i], &r))
                st = refuse_row(l, info->table, sqlite3_column_int64(row, 0),
                                arena_format(l->a, "no such value as `%s` in its column `%s`",
                                             sqlite3_column_text(row, (int)i + 1),
                                             info->columns[i].name),
                                err);
        if (st == OK)
            st = take_record(l, &r, err);
    }
    text_finish(&sql);
    return close_rows(l, row, step, st, err);
}

static int64_t kind_rank(record_kind kind) {
    int64_t i = 0;
    while (replayed[i] != kind)
        i++;
    return i;
}

// By time; at one instant all begin before any ends, in the order of replayed.def.
static int compare_rows(const void *a, const void *b) {
    const recorded_row *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->ends != y->ends)
        return x->ends ? 1 : -1;
    int64_t i = kind_rank(x->record.kind), k = kind_rank(y->record.kind);
    if (i != k)
        return i < k ? -1 : 1;
    return x->record.id < y->record.id ? -1 : x->record.id > y->record.id;
}

// Whether rows of the kind are read.
static bool kind_counts(const reading_log *l, record_kind kind) {
    return !l->wanted || kind == RECORD_COMMAND || kind == RECORD_READING;
}

static status read_rows(reading_log *l, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < REPLAYED_KINDS; i++)
        if (kind_counts(l, replayed[i]))
            st = read_ids(l, replayed[i], err);
    for (size_t i = 0; st == OK && i < REPLAYED_KINDS; i++)
        if (kind_counts(l, replayed[i]))
            st = read_kind(l, replayed[i], err);
    if (st == OK && l->postures.count == 0)
        return error_at(err, E_INPUT, l->out.file, 0, 0,
                        "episode %lld has no readings of the robot's encoders to follow",
                        (long long)l->episode->id);
    if (l->rows.count > 0)
        qsort(l->rows.items, l->rows.count, sizeof *l->rows.items, compare_rows);
    return st;
}

// ---- Contacts -----------------------------------------------------------------------------------

static status read_wrenches(reading_log *l, error *err) {
    sqlite3_stmt *row = NULL;
    int step = SQLITE_DONE;
    status st = open_rows(l,
                          "SELECT agent, gripper, t_ns, source = 'true', fx, fy, fz, mx, my, mz"
                          " FROM wrench WHERE episode = ? AND source IN ('true', 'observer')"
                          " ORDER BY t_ns, id",
                          &row, err);
    while (st == OK && (step = sqlite3_step(row)) == SQLITE_ROW) {
        double x[6];
        bool good = true;
        for (int i = 0; i < 6; i++)
            good = column_number(row, 4 + i, &x[i]) && fabs(x[i]) < 1e6 && good;
        if (sqlite3_column_int64(row, 0) != l->agent)
            continue;
        if (!good) {
            st = error_at(err, E_INPUT, l->out.file, 0, 0,
                          "a row of the table wrench has no force, so that the recording cannot "
                          "be followed");
            break;
        }
        array_push(&l->wrenches, ((recorded_wrench){sqlite3_column_int64(row, 2),
                                                    number_of(&l->ids[RECORD_OBJECT],
                                                              sqlite3_column_int64(row, 1)),
                                                    sqlite3_column_int(row, 3) != 0,
                                                    v3(x[0], x[1], x[2]), v3(x[3], x[4], x[5])}));
    }
    return close_rows(l, row, step, st, err);
}

// ---- The base -----------------------------------------------------------------------------------

// Where the base was at each of its keyframes.
static status read_bases(reading_log *l, error *err) {
    tracks *t = NULL;
    const nanos *knots = NULL;
    size_t count = 0;
    status st = tracks_create(store_db(l->log), l->episode->id, &t, err);
    if (st == OK)
        st = tracks_knots(t, l->base, &knots, &count, err);
    recorded_base *all = arena_alloc(l->a, (count + 1) * sizeof *all);
    double turned = 0;
    for (size_t i = 0; st == OK && i < (count ? count : 1); i++) {
        nanos at = count ? knots[i] : 0;
        pose p;
        st = tracks_pose(t, l->base, at, &p, err);
        if (st != OK)
            break;
        double yaw = quat_yaw(p.q);
        turned = i == 0 ? yaw : turned + remainder(yaw - turned, 2 * M_PI);
        all[l->out.base_count++] = (recorded_base){at, p.p.x, p.p.y, turned};
    }
    l->out.bases = all;
    tracks_destroy(t);
    return st;
}

// ---- The whole ----------------------------------------------------------------------------------

static const void *keep(arena *a, const void *items, size_t bytes) {
    void *copy = arena_alloc(a, bytes + 1);
    if (bytes > 0)
        memcpy(copy, items, bytes);
    return copy;
}

static status read_all(reading_log *l, error *err) {
    l->out.episode = l->episode->id;
    l->out.end = l->episode->end;
    l->out.complete = l->episode->complete;
    status st = find_robot(l, err);
    if (st == OK)
        st = read_objects(l, err);
    if (st == OK)
        st = read_agents(l, err);
    if (st == OK)
        st = read_rows(l, err);
    if (st == OK && l->wanted)
        st = read_wrenches(l, err);
    return st == OK ? read_bases(l, err) : st;
}

status recording_read(arena *a, const char *path, const char *name, int64_t wanted,
                      const char *robot, const recording **out, error *err) {
    reading_log l = {.a = a, .wanted = robot, .out = {.file = arena_strdup(a, name)}};
    store *log = NULL;
    status st = store_open(path, &log, err);
    if (st == OK)
        st = store_choose(log, wanted, &l.episode, err);
    l.log = log;
    if (st == OK)
        st = read_all(&l, err);
    if (st == OK)
        st = sha256_mark(a, path, &l.out.hash, err);
    if (st == OK) {
        recording *whole = arena_alloc(a, sizeof *whole);
        recording *r = &l.out;
        r->objects = keep(a, l.objects.items, l.objects.count * sizeof *l.objects.items);
        r->object_count = l.objects.count;
        r->joints = keep(a, l.joints.items, l.joints.count * sizeof *l.joints.items);
        r->joint_count = l.joints.count;
        r->wrenches = keep(a, l.wrenches.items, l.wrenches.count * sizeof *l.wrenches.items);
        r->wrench_count = l.wrenches.count;
        r->rows = keep(a, l.rows.items, l.rows.count * sizeof *l.rows.items);
        r->row_count = l.rows.count;
        r->postures = keep(a, l.postures.items, l.postures.count * sizeof *l.postures.items);
        r->posture_count = l.postures.count;
        *whole = *r;
        *out = whole;
    }
    for (size_t i = 0; i < RECORD_KINDS; i++) {
        array_finish(&l.ids[i]);
        array_finish(&l.times[i]);
    }
    array_finish(&l.objects);
    array_finish(&l.joints);
    array_finish(&l.rows);
    array_finish(&l.wrenches);
    array_finish(&l.postures);
    store_close(log);
    return st;
}

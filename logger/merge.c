// logger/merge.c - the episodes of one log appended to another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/checked.h"
#include "base/text/text.h"
#include "logger/log_int.h"
#include "schema/columns.h"
#include "schema/schema.h"
#include "schema/store/store.h"

struct log_merger {
    sqlite3 *into;
    char *path;
    int64_t episode;
    bool trusting;
};

typedef struct merge {
    sqlite3 *from, *into;
    const char *from_path, *into_path;
    bool attached; // `from` is attached to `into`, as `one`, and its rows are not looked at
    int64_t shift[RECORD_KINDS], episode_shift;
    // The rows of each kind, and the episodes, that are appended: those with first <= id < end.
    int64_t first[RECORD_KINDS], end[RECORD_KINDS], first_episode, end_episode;
} merge;

// Copies a value; an id of a row is raised by `shift`. False: it is no id.
static bool copy_value(sqlite3_stmt *read, int column, sqlite3_stmt *write, bool shifts,
                       int64_t shift) {
    int64_t id;
    if (!shifts || sqlite3_column_type(read, column) == SQLITE_NULL)
        return sqlite3_bind_value(write, column + 1, sqlite3_column_value(read, column)) ==
               SQLITE_OK;
    if (sqlite3_column_type(read, column) != SQLITE_INTEGER ||
        !checked_add(sqlite3_column_int64(read, column), shift, &id) || id < 1 ||
        id > COLUMN_ID_MAX)
        return false;
    return sqlite3_bind_int64(write, column + 1, id) == SQLITE_OK;
}

// Runs `write` for each row of `read`; columns whose `shifts` is set are shifted by their `shift`.
static status copy_rows(const merge *m, sqlite3_stmt *read, sqlite3_stmt *write, const bool *shifts,
                        const int64_t *shift, error *err) {
    int rc, columns = sqlite3_column_count(read);
    while ((rc = sqlite3_step(read)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++)
            if (!copy_value(read, i, write, shifts[i], shift[i]))
                return error_at(err, E_INPUT, m->from_path, 0, 0,
                                "the log is damaged: %s of its row %lld stands for no row",
                                sqlite3_column_name(read, i),
                                (long long)sqlite3_column_int64(read, 0));
        if (sqlite3_step(write) != SQLITE_DONE)
            return store_failed(m->into, m->into_path, "merging", err);
        sqlite3_reset(write);
    }
    return rc == SQLITE_DONE ? OK : store_failed(m->from, m->from_path, "merging", err);
}

// Selects the rows of a table with first <= id < end, where `id` may be what a key begins with.
static status select_rows(const merge *m, const char *table, const char *id, const char *order,
                          const char *columns, int64_t first, int64_t end, sqlite3_stmt **out,
                          error *err) {
    char sql[2000];
    ASSERT(snprintf(sql, sizeof sql, "SELECT %s FROM %s WHERE %s >= ? AND %s < ? ORDER BY %s",
                    columns, table, id, id, order) < (int)sizeof sql);
    if (sqlite3_prepare_v2(m->from, sql, -1, out, NULL) != SQLITE_OK)
        return store_failed(m->from, m->from_path, "merging", err);
    sqlite3_bind_int64(*out, 1, first);
    sqlite3_bind_int64(*out, 2, end);
    return OK;
}

#define COLUMNS_MAX 64

// Copies the rows of a kind within SQLite.
static status copy_attached(const merge *m, record_kind kind, error *err) {
    const record_info *info = record_describe(kind);
    const column_info *key = record_key(kind);
    const char *id = key ? key->name : "id";
    char order[100];
    text_buffer sql = {0};
    text_add(&sql, "INSERT INTO main.%s (%s", info->table, key ? "" : "id, episode, ");
    for (size_t i = 0; i < info->column_count; i++)
        text_add(&sql, "%s%s", i ? ", " : "", info->columns[i].name);
    text_put(&sql, ") SELECT ");
    if (!key)
        text_add(&sql, "id + %lld, episode + %lld, ", (long long)m->shift[kind],
                 (long long)m->episode_shift);
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *c = &info->columns[i];
        text_add(&sql, "%s%s", i ? ", " : "", c->name);
        if (c->type == COLUMN_REF)
            text_add(&sql, " + %lld", (long long)m->shift[c->target]);
    }
    text_add(&sql, " FROM one.%s WHERE %s >= %lld AND %s < %lld ORDER BY %s", info->table, id,
             (long long)m->first[kind], id, (long long)m->end[kind], schema_row_order(kind, order));
    status s = log_run(m->into, m->into_path, text_string(&sql), "merging", err);
    text_finish(&sql);
    return s;
}

static status merge_kind(const merge *m, record_kind kind, error *err) {
    if (m->attached)
        return copy_attached(m, kind, err);
    const record_info *info = record_describe(kind);
    const column_info *key = record_key(kind);
    size_t ids = key ? 0 : 2;
    bool shifts[COLUMNS_MAX] = {true, true};
    int64_t shift[COLUMNS_MAX] = {m->shift[kind], m->episode_shift};
    char columns[1800] = "id, episode";
    size_t length = key ? 0 : strlen(columns);
    ASSERT(info->column_count + ids <= COLUMNS_MAX);
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *c = &info->columns[i];
        length += (size_t)snprintf(columns + length, sizeof columns - length, "%s%s",
                                   length ? ", " : "", c->name);
        ASSERT(length < sizeof columns);
        shifts[i + ids] = c->type == COLUMN_REF;
        shift[i + ids] = c->type == COLUMN_REF ? m->shift[c->target] : 0;
    }
    sqlite3_stmt *read = NULL, *write = NULL;
    char order[100];
    status s = select_rows(m, info->table, key ? key->name : "id", schema_row_order(kind, order),
                           columns, m->first[kind], m->end[kind], &read, err);
    if (s == OK)
        s = log_prepare_insert(m->into, m->into_path, kind, &write, err);
    if (s == OK)
        s = copy_rows(m, read, write, shifts, shift, err);
    sqlite3_finalize(read);
    sqlite3_finalize(write);
    return s;
}

static status merge_episodes(const merge *m, error *err) {
    static const char columns[] = "id"
#define TABLE(table, doc)
#define TABLE_COLUMN(table, name, type, range, doc) COLUMN_OF_##table(name)
#define COLUMN_OF_meta(name)
#define COLUMN_OF_episode(name) ", " #name
#include "schema/tables.def"
        ;
    static const char marks[] = "?"
#undef COLUMN_OF_episode
#define COLUMN_OF_episode(name) ", ?"
#include "schema/tables.def"
        ;
#undef TABLE
#undef TABLE_COLUMN
    bool shifts[COLUMNS_MAX] = {true};
    int64_t shift[COLUMNS_MAX] = {m->episode_shift};
    char sql[2000];
    sqlite3_stmt *read = NULL, *write = NULL;
    snprintf(sql, sizeof sql, "INSERT INTO episode (%s) VALUES (%s)", columns, marks);
    status s = select_rows(m, "episode", "id", "id", columns, m->first_episode, m->end_episode,
                           &read, err);
    if (s == OK && sqlite3_prepare_v2(m->into, sql, -1, &write, NULL) != SQLITE_OK)
        s = store_failed(m->into, m->into_path, "merging", err);
    if (s == OK)
        s = copy_rows(m, read, write, shifts, shift, err);
    sqlite3_finalize(read);
    sqlite3_finalize(write);
    return s;
}

// Everything that the log holds is appended: ids go on after those that are there.
static void choose_all(merge *m) {
    for (int k = 0; k < RECORD_KINDS; k++)
        m->end[k] = INT64_MAX;
    m->end_episode = INT64_MAX;
}

// Gives the largest id below `first` in the table of a kind, by which the ids of the episode that
// begins there were shifted when it was written; 0: none.
static status id_before(const merge *m, record_kind kind, int64_t first, int64_t *out, error *err) {
    char sql[200];
    sqlite3_stmt *q = NULL;
    status s = OK;
    snprintf(sql, sizeof sql, "SELECT coalesce(max(id), 0) FROM %s WHERE id < ?",
             record_describe(kind)->table);
    if (sqlite3_prepare_v2(m->from, sql, -1, &q, NULL) == SQLITE_OK)
        sqlite3_bind_int64(q, 1, first);
    if (!q || sqlite3_step(q) != SQLITE_ROW)
        s = store_failed(m->from, m->from_path, "merging", err);
    else
        *out = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return s;
}

// One episode is appended, with the ids that it would have, had it been projected into the log.
static status choose_episode(merge *m, const store *source, int64_t episode, error *err) {
    const store_episode *there = NULL;
    status s = store_choose(source, episode, &there, err);
    for (int k = 0; k < RECORD_KINDS && s == OK; k++) {
        int64_t before = 0;
        s = store_range(source, (record_kind)k, episode, &m->first[k], &m->end[k], err);
        if (s == OK && m->first[k] < m->end[k] && !record_key((record_kind)k))
            s = id_before(m, (record_kind)k, m->first[k], &before, err);
        m->shift[k] -= before;
    }
    m->first_episode = episode;
    m->end_episode = episode + 1;
    m->episode_shift -= episode - 1;
    return s;
}

static status merge_chosen(merge *m, const store *source, int64_t episode, error *err) {
    status s = log_run(m->into, m->into_path, "BEGIN IMMEDIATE", "merging", err);
    if (s != OK)
        return s;
    s = log_last_ids(m->into, m->into_path, m->shift, &m->episode_shift, err);
    if (s == OK && m->episode_shift == 0) // a new log is indexed when all rows are in it
        s = log_unindex(m->into, m->into_path, err);
    choose_all(m);
    if (s == OK && episode)
        s = choose_episode(m, source, episode, err);
    if (s == OK)
        s = merge_episodes(m, err);
    for (int k = 0; k < RECORD_KINDS && s == OK; k++)
        s = merge_kind(m, (record_kind)k, err);
    if (s == OK && !m->attached)
        s = log_index(m->into, m->into_path, err);
    if (s == OK)
        s = log_run(m->into, m->into_path, "COMMIT", "merging", err);
    if (s != OK && !sqlite3_get_autocommit(m->into))
        sqlite3_exec(m->into, "ROLLBACK", NULL, NULL, NULL);
    return s;
}

static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

status log_merger_open(const char *into, log_merger **out, error *err) {
    bool present = false;
    sqlite3 *db = NULL;
    status s = log_present(into, &present, err);
    if (s == OK && !present)
        s = log_place(into, true, err);
    if (s == OK)
        s = log_connect(into, true, &db, err);
    if (s != OK) {
        sqlite3_close(db);
        return s;
    }
    sqlite3_busy_timeout(db, 2000);
    log_merger *m = mem_must(1, sizeof *m);
    m->into = db;
    m->path = mem_strdup(into);
    *out = m;
    return OK;
}

static status attach_log(const log_merger *m, const char *from, error *err) {
    sqlite3_stmt *q = NULL;
    status s = OK;
    if (sqlite3_prepare_v2(m->into, "ATTACH ? AS one", -1, &q, NULL) == SQLITE_OK)
        sqlite3_bind_text(q, 1, from, -1, SQLITE_STATIC);
    if (!q || sqlite3_step(q) != SQLITE_DONE)
        s = store_failed(m->into, m->path, "merging", err);
    sqlite3_finalize(q);
    return s;
}

status log_merger_append(log_merger *m, const char *from, int64_t episode, error *err) {
    if (same_file(m->path, from))
        return error_at(err, E_USAGE, from, 0, 0, "a log cannot be merged into itself");
    store *source = NULL;
    status s = store_open(from, &source, err);
    if (s == OK && store_version(source) != SCHEMA_VERSION)
        s = error_at(err, E_INPUT, from, 0, 0,
                     "the log has schema %d; only logs of schema %d can be merged",
                     store_version(source), SCHEMA_VERSION);
    if (s == OK) {
        merge one = {
            .from = store_db(source), .into = m->into, .from_path = from, .into_path = m->path};
        if (m->trusting)
            s = attach_log(m, from, err);
        one.attached = m->trusting && s == OK;
        if (s == OK)
            s = merge_chosen(&one, source, episode, err);
        if (one.attached)
            sqlite3_exec(m->into, "DETACH one", NULL, NULL, NULL);
        if (s == OK && episode)
            m->episode = episode + one.episode_shift;
    }
    store_close(source);
    return s;
}

void log_merger_trust(log_merger *m) {
    m->trusting = true;
    sqlite3_limit(m->into, SQLITE_LIMIT_ATTACHED, 1);
}

status log_merger_index(log_merger *m, error *err) {
    status s = log_run(m->into, m->path, "BEGIN IMMEDIATE", "indexing the log", err);
    if (s == OK)
        s = log_index(m->into, m->path, err);
    if (s == OK)
        s = log_run(m->into, m->path, "COMMIT", "indexing the log", err);
    if (s != OK && !sqlite3_get_autocommit(m->into))
        sqlite3_exec(m->into, "ROLLBACK", NULL, NULL, NULL);
    return s;
}

int64_t log_merger_episode(const log_merger *m) {
    return m->episode;
}

void log_merger_close(log_merger *m) {
    if (!m)
        return;
    sqlite3_close(m->into);
    free(m->path);
    free(m);
}

status log_merge(const char *into, const char *from, error *err) {
    if (same_file(into, from))
        return error_at(err, E_USAGE, from, 0, 0, "a log cannot be merged into itself");
    log_merger *m = NULL;
    status s = log_merger_open(into, &m, err);
    if (s == OK)
        s = log_merger_append(m, from, 0, err);
    log_merger_close(m);
    return s;
}

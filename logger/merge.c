// logger/merge.c - the episodes of one log appended to another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/checked.h"
#include "logger/log_int.h"
#include "schema/columns.h"
#include "schema/schema.h"
#include "schema/store/store.h"

typedef struct merge {
    sqlite3 *from, *into;
    const char *from_path, *into_path;
    int64_t shift[RECORD_KINDS], episode_shift;
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

static status select_all(const merge *m, const char *table, const char *columns, sqlite3_stmt **out,
                         error *err) {
    char sql[2000];
    ASSERT(snprintf(sql, sizeof sql, "SELECT %s FROM %s ORDER BY id", columns, table) <
           (int)sizeof sql);
    if (sqlite3_prepare_v2(m->from, sql, -1, out, NULL) != SQLITE_OK)
        return store_failed(m->from, m->from_path, "merging", err);
    return OK;
}

#define COLUMNS_MAX 64

static status merge_kind(const merge *m, record_kind kind, error *err) {
    const record_info *info = record_describe(kind);
    bool shifts[COLUMNS_MAX] = {true, true};
    int64_t shift[COLUMNS_MAX] = {m->shift[kind], m->episode_shift};
    char columns[1800] = "id, episode";
    size_t length = strlen(columns);
    ASSERT(info->column_count + 2 <= COLUMNS_MAX);
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *c = &info->columns[i];
        length += (size_t)snprintf(columns + length, sizeof columns - length, ", %s", c->name);
        ASSERT(length < sizeof columns);
        shifts[i + 2] = c->type == COLUMN_REF;
        shift[i + 2] = c->type == COLUMN_REF ? m->shift[c->target] : 0;
    }
    sqlite3_stmt *read = NULL, *write = NULL;
    status s = select_all(m, info->table, columns, &read, err);
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
    status s = select_all(m, "episode", columns, &read, err);
    if (s == OK && sqlite3_prepare_v2(m->into, sql, -1, &write, NULL) != SQLITE_OK)
        s = store_failed(m->into, m->into_path, "merging", err);
    if (s == OK)
        s = copy_rows(m, read, write, shifts, shift, err);
    sqlite3_finalize(read);
    sqlite3_finalize(write);
    return s;
}

static status merge_all(merge *m, error *err) {
    status s = log_run(m->into, m->into_path, "BEGIN IMMEDIATE", "merging", err);
    if (s != OK)
        return s;
    s = log_last_ids(m->into, m->into_path, m->shift, &m->episode_shift, err);
    if (s == OK && m->episode_shift == 0) // a new log is indexed when all rows are in it
        s = log_index(m->into, m->into_path, false, err);
    if (s == OK)
        s = merge_episodes(m, err);
    for (int k = 0; k < RECORD_KINDS && s == OK; k++)
        s = merge_kind(m, (record_kind)k, err);
    if (s == OK)
        s = log_index(m->into, m->into_path, true, err);
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

status log_merge(const char *into, const char *from, error *err) {
    if (same_file(into, from))
        return error_at(err, E_USAGE, from, 0, 0, "a log cannot be merged into itself");
    store *source = NULL;
    sqlite3 *target = NULL;
    bool present = false;
    status s = store_open(from, &source, err);
    if (s == OK && store_version(source) != SCHEMA_VERSION)
        s = error_at(err, E_INPUT, from, 0, 0,
                     "the log has schema %d; only logs of schema %d can be merged",
                     store_version(source), SCHEMA_VERSION);
    if (s == OK)
        s = log_present(into, &present, err);
    if (s == OK && !present)
        s = log_place(into, true, err);
    if (s == OK)
        s = log_connect(into, true, &target, err);
    if (s == OK) {
        sqlite3_busy_timeout(target, 2000);
        merge m = {.from = store_db(source), .into = target, .from_path = from, .into_path = into};
        s = merge_all(&m, err);
    }
    sqlite3_close(target);
    store_close(source);
    return s;
}

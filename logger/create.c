// logger/create.c - makes log files, and opens one to append episodes to.
#include "logger/log_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/output.h"
#include "base/text/text.h"
#include "schema/columns.h"
#include "schema/schema.h"
#include "schema/store/store.h"

#define PATH_SIZE 4096
// Each of the hundred tables and indexes, most of which hold little, takes a page at least.
#define PAGES "PRAGMA page_size = 1024"
#define LAST_ID_MAX (COLUMN_ID_MAX / 2) // an episode may then have as many more

status log_run(sqlite3 *db, const char *path, const char *sql, const char *doing, error *err) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return store_failed(db, path, doing, err);
    return OK;
}

// The bytes of an empty log, whose first episode will bring the indexes. The caller frees *out with
// sqlite3_free.
static status make_image(const char *path, unsigned char **out, size_t *size, error *err) {
    sqlite3 *db = NULL;
    char *sql = NULL;
    status s = schema_tables_sql(&sql, err);
    if (s != OK)
        return s;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) {
        s = store_failed(db, path, "making the log", err);
        goto done;
    }
    s = log_run(db, path, PAGES, "making the log", err);
    if (s == OK)
        s = log_run(db, path, sql, "making the log", err);
    if (s != OK)
        goto done;
    sqlite3_int64 length = 0;
    *out = sqlite3_serialize(db, "main", &length, 0);
    *size = (size_t)length;
    if (!*out)
        s = error_at(err, E_MEMORY, path, 0, 0, "no memory is left to make the log");
done:
    sqlite3_close(db);
    free(sql);
    return s;
}

static status cannot_write(const char *path, int why, error *err) {
    return error_at(err, output_code(why), path, 0, 0, "the log cannot be written here: %s",
                    strerror(why));
}

status log_place(const char *path, bool durable, error *err) {
    static const output_policy nothing = {0};
    unsigned char *image = NULL;
    size_t size = 0;
    status s = make_image(path, &image, &size, err);
    if (s != OK)
        return s;
    const output_file file = {path, image, size, &nothing};
    s = output_write(&file, 1, durable, err);
    sqlite3_free(image);
    return s;
}

status log_copy(const char *from, const char *path, error *err) {
    sqlite3 *in = NULL, *out = NULL;
    bool present = false;
    status s = log_present(path, &present, err);
    if (s == OK && present)
        s = error_at(err, E_INPUT, path, 0, 0, "there is a file of this name");
    if (s == OK)
        s = log_place(path, false, err);
    if (s == OK)
        s = store_connect(from, false, &in, err);
    if (s == OK)
        s = store_connect(path, true, &out, err);
    if (s == OK)
        s = log_run(out, path, "PRAGMA synchronous = OFF", "copying a log", err);
    if (s == OK) {
        sqlite3_backup *copy = sqlite3_backup_init(out, "main", in, "main");
        if (copy)
            sqlite3_backup_step(copy, -1);
        if (!copy || sqlite3_backup_finish(copy) != SQLITE_OK)
            s = store_failed(out, path, "copying a log", err);
    }
    sqlite3_close(in);
    sqlite3_close(out);
    return s;
}

status log_present(const char *path, bool *present, error *err) {
    struct stat st;
    *present = true;
    if (stat(path, &st) == 0)
        return OK;
    if (errno != ENOENT)
        return cannot_write(path, errno, err);
    // a symbolic link that leads nowhere is there, too
    if (lstat(path, &st) == 0)
        return error_at(
            err, E_INPUT, path, 0, 0,
            "this is a symbolic link that leads nowhere; remove it, or give another name");
    *present = false;
    return OK;
}

static bool folder_writable(const char *path) {
    char folder[PATH_SIZE];
    const char *slash = strrchr(path, '/');
    if (snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1,
                 slash ? path : ".") >= PATH_SIZE)
        return false;
    return access(folder, W_OK | X_OK) == 0;
}

// Refuses indexes that compute what they hold, with every row that is written, but for the log's
// own, which leave out rows that refer to nothing.
static status check_indexes(sqlite3 *db, const char *path, error *err) {
    static const char sql[] =
        "SELECT m.name, m.tbl_name FROM main.sqlite_schema m WHERE m.type = 'index' AND"
        " (EXISTS (SELECT 1 FROM pragma_index_xinfo(m.name) WHERE cid = -2) OR EXISTS"
        " (SELECT 1 FROM pragma_index_list(m.tbl_name) l WHERE l.name = m.name AND l.partial"
        " AND instr(?1, ' ' || substr(m.sql, 14) || ';') = 0))";
    sqlite3_stmt *row = NULL;
    char one[SCHEMA_INDEX_SIZE];
    text_buffer own = {0};
    status s = OK;
    for (int k = 0; k < RECORD_KINDS; k++)
        if (schema_index_sql((record_kind)k, one, sizeof one))
            text_add(&own, "%s;", one);
    int rc = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(row, 1, own.items, -1, SQLITE_STATIC);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(row);
    if (rc == SQLITE_ROW)
        s = error_at(err, E_INPUT, path, 0, 0,
                     "the index %.100s of the table %.100s computes what it holds; drop it before "
                     "the log is appended to",
                     (const char *)sqlite3_column_text(row, 0),
                     (const char *)sqlite3_column_text(row, 1));
    else if (rc != SQLITE_DONE)
        s = store_failed(db, path, "opening the log", err);
    sqlite3_finalize(row);
    text_finish(&own);
    return s;
}

// Opens a log of the present version for writing.
static status open_for_writing(const char *path, bool durable, sqlite3 **out, error *err) {
    sqlite3 *db = NULL;
    status s = store_connect(path, true, &db, err);
    if (s != OK)
        return s;
    sqlite3_busy_timeout(db, 0);
    s = check_indexes(db, path, err);
    if (s == OK)
        s = log_run(db, path, durable ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = OFF",
                    "opening the log", err);
    if (s != OK) {
        sqlite3_close(db);
        return s;
    }
    *out = db;
    return OK;
}

status log_connect(const char *path, bool durable, sqlite3 **out, error *err) {
    store *found = NULL;
    status s = store_open(path, &found, err); // recovers it, and refuses what is not a log
    if (s != OK)
        return s;
    int version = store_version(found);
    store_close(found);
    if (version != SCHEMA_VERSION)
        return error_at(
            err, E_INPUT, path, 0, 0,
            "the log has schema %d, and this foresee appends to schema %d alone; choose a new file",
            version, SCHEMA_VERSION);
    if (access(path, W_OK) != 0)
        return cannot_write(path, errno, err);
    if (!folder_writable(path))
        return error_at(err, E_INPUT, path, 0, 0,
                        "the log cannot be written here: the folder must be writable, too, for "
                        "what is under way");
    return open_for_writing(path, durable, out, err);
}

status log_connect_new(const char *path, bool durable, sqlite3 **out, error *err) {
    status s = log_place(path, durable, err);
    return s == OK ? open_for_writing(path, durable, out, err) : s;
}

// Returns whether the table has so many rows that an index is worth its page.
static status is_large(sqlite3 *db, const char *path, record_kind kind, bool *large, error *err) {
    char sql[200];
    sqlite3_stmt *q = NULL;
    snprintf(sql, sizeof sql, "SELECT 1 FROM main.%s LIMIT 1 OFFSET %d",
             record_describe(kind)->table, SCHEMA_INDEX_ROWS - 1);
    int rc = sqlite3_prepare_v2(db, sql, -1, &q, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(q);
    *large = rc == SQLITE_ROW;
    sqlite3_finalize(q);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? OK
                                                 : store_failed(db, path, "indexing the log", err);
}

status log_index(sqlite3 *db, const char *path, error *err) {
    char sql[SCHEMA_INDEX_SIZE];
    status s = OK;
    for (int k = 0; k < RECORD_KINDS && s == OK; k++) {
        bool large = false;
        if (!schema_index_sql((record_kind)k, sql, sizeof sql))
            continue;
        s = is_large(db, path, (record_kind)k, &large, err);
        if (s == OK && large)
            s = log_run(db, path, sql, "indexing the log", err);
    }
    return s;
}

status log_unindex(sqlite3 *db, const char *path, error *err) {
    char *sql = NULL;
    status s = schema_unindex_sql(&sql, err);
    if (s == OK)
        s = log_run(db, path, sql, "indexing the log", err);
    free(sql);
    return s;
}

static status last_id(sqlite3 *db, const char *path, const char *table, int64_t *out, error *err) {
    char sql[200];
    sqlite3_stmt *q = NULL;
    status s = OK;
    snprintf(sql, sizeof sql, "SELECT coalesce(max(id), 0) FROM %s", table);
    if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK || sqlite3_step(q) != SQLITE_ROW)
        s = store_failed(db, path, "reading the log", err);
    else
        *out = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return s;
}

status log_last_ids(sqlite3 *db, const char *path, int64_t last[RECORD_KINDS], int64_t *episode,
                    error *err) {
    status s = last_id(db, path, "episode", episode, err);
    for (int k = 0; k < RECORD_KINDS && s == OK; k++) {
        last[k] = 0;
        if (!record_key((record_kind)k))
            s = last_id(db, path, record_describe((record_kind)k)->table, &last[k], err);
        if (s == OK && (last[k] > LAST_ID_MAX || *episode > LAST_ID_MAX))
            s = error_at(err, E_INPUT, path, 0, 0,
                         "the log has no room for more: its table %s has ids up to %lld",
                         record_describe((record_kind)k)->table,
                         (long long)(last[k] > *episode ? last[k] : *episode));
    }
    return s;
}

status log_prepare_insert(sqlite3 *db, const char *path, record_kind kind, sqlite3_stmt **out,
                          error *err) {
    const record_info *info = record_describe(kind);
    text_buffer sql = {.may_fail = true};
    record_key_columns key = record_keys(kind);
    size_t ids = key.of ? 0 : 2;
    text_add(&sql, "INSERT %sINTO %s (%s", ids ? "" : "OR REPLACE ", info->table,
             ids ? "id, episode" : "");
    for (size_t i = 0; i < info->column_count; i++)
        text_add(&sql, "%s%s", i + ids ? ", " : "", info->columns[i].name);
    text_put(&sql, ") VALUES (");
    for (size_t i = 0; i < info->column_count + ids; i++)
        if (key.nth && &info->columns[i - ids] == key.nth)
            text_add(&sql,
                     ", (SELECT min(coalesce(max(nth) + 1, 0), %d) FROM %s WHERE %s = ?%d AND %s ="
                     " ?%d)",
                     RECORD_NTH_MAX, info->table, key.of->name, (int)(key.of - info->columns) + 1,
                     key.t->name, (int)(key.t - info->columns) + 1);
        else
            text_add(&sql, i ? ", ?%zu" : "?%zu", i + 1);
    text_put(&sql, ")");
    status s = OK;
    if (sql.failed)
        s = error_at(err, E_MEMORY, path, 0, 0, "no memory is left to write the log");
    else if (sqlite3_prepare_v3(db, sql.items, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) !=
             SQLITE_OK)
        s = store_failed(db, path, "preparing to write the log", err);
    text_finish(&sql);
    return s;
}

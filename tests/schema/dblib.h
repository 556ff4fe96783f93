// tests/schema/dblib.h - logs looked at with plain SQLite, as any tool would.
#ifndef FORESEE_TESTS_SCHEMA_DBLIB_H
#define FORESEE_TESTS_SCHEMA_DBLIB_H

#include "tests/testlib.h"
#include <sqlite3.h>
#include "schema/schema.h"

static inline sqlite3 *db_open(const char *path, int flags) {
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open_v2(path, &db, flags, NULL), SQLITE_OK);
    return db;
}

static inline void db_run(sqlite3 *db, const char *sql) {
    char *message = NULL;
    sqlite3_exec(db, sql, NULL, NULL, &message);
    if (message)
        fail_msg("%s: %s", sql, message);
}

static inline int64_t db_number(sqlite3 *db, const char *sql) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    if (sqlite3_step(q) != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    int64_t n = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return n;
}

static inline int64_t db_number_in(const char *path, const char *sql) {
    sqlite3 *db = db_open(path, SQLITE_OPEN_READWRITE);
    int64_t n = db_number(db, sql);
    sqlite3_close(db);
    return n;
}

static inline void db_run_in(const char *path, const char *sql) {
    sqlite3 *db = db_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    db_run(db, sql);
    sqlite3_close(db);
}

// An empty log, made from the schema's text.
static inline char *db_make_log(const char *folder, const char *name) {
    char *path = testlib_path(folder, name), *sql = NULL;
    assert_int_equal(schema_sql(&sql, NULL), OK);
    sqlite3 *db = db_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    db_run(db, "PRAGMA synchronous = OFF");
    db_run(db, sql);
    sqlite3_close(db);
    free(sql);
    return path;
}

// The whole of a database as text: schema and rows, in the order of .dump. The caller frees it.
static inline char *db_dump(const char *path) {
    sqlite3 *db = db_open(path, SQLITE_OPEN_READWRITE);
    sqlite3_stmt *tables = NULL;
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    assert_non_null(f);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT name, sql, type FROM sqlite_schema ORDER BY rowid",
                                        -1, &tables, NULL),
                     SQLITE_OK);
    while (sqlite3_step(tables) == SQLITE_ROW) {
        fprintf(f, "%s;\n", (const char *)sqlite3_column_text(tables, 1));
        if (strcmp((const char *)sqlite3_column_text(tables, 2), "table") != 0)
            continue;
        char sql[200];
        sqlite3_stmt *rows = NULL;
        snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY rowid",
                 (const char *)sqlite3_column_text(tables, 0));
        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &rows, NULL), SQLITE_OK);
        while (sqlite3_step(rows) == SQLITE_ROW) {
            for (int i = 0; i < sqlite3_column_count(rows); i++) {
                if (sqlite3_column_type(rows, i) == SQLITE_FLOAT)
                    fprintf(f, "%.17g|", sqlite3_column_double(rows, i));
                else if (sqlite3_column_type(rows, i) == SQLITE_NULL)
                    fputs("NULL|", f);
                else
                    fprintf(f, "%s|", (const char *)sqlite3_column_text(rows, i));
            }
            fputc('\n', f);
        }
        sqlite3_finalize(rows);
    }
    sqlite3_finalize(tables);
    sqlite3_close(db);
    assert_int_equal(fclose(f), 0);
    return text;
}

static inline bool file_beside(const char *path, const char *suffix) {
    char name[5000];
    snprintf(name, sizeof name, "%s%s", path, suffix);
    return access(name, F_OK) == 0;
}

#endif

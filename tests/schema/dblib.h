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

// Temporary views through which keyframes and forces are put in metres, newtons and nanoseconds;
// the tables hold whole numbers. Of rows with the same key the later stays.
#define DB_WHOLE(x, units) "CAST(round(NEW." x " * " units ") AS INTEGER)"
static const char db_metric[] =
    "CREATE TEMP VIEW IF NOT EXISTS metric_pose AS SELECT 0 AS id, 0 AS episode, 0 AS object, 0 AS "
    "t_ns, 0 AS x, 0 AS y, 0 AS z, 0 AS qw, 0 AS qx, 0 AS qy, 0 AS qz;"
    "CREATE TEMP TRIGGER IF NOT EXISTS put_pose INSTEAD OF INSERT ON metric_pose BEGIN INSERT OR "
    "REPLACE INTO pose VALUES (NEW.object, NEW.t_ns / 10000, " DB_WHOLE("x", "1e6") ", " DB_WHOLE("y", "1e6") ", " DB_WHOLE("z", "1e6") ", " DB_WHOLE("qw", "1e6") ", " DB_WHOLE(
        "qx",
        "1e6") ", " DB_WHOLE("qy",
                             "1e6") ", " DB_WHOLE("qz",
                                                  "1e6") ", 0, 0, 0, 0, 0, 0); END;"
                                                         "CREATE TEMP VIEW IF NOT EXISTS "
                                                         "metric_joint_state AS SELECT 0 AS id, 0 "
                                                         "AS episode, 0 AS joint, "
                                                         "0 AS t_ns, 0 AS position;"
                                                         "CREATE TEMP TRIGGER IF NOT EXISTS "
                                                         "put_joint INSTEAD OF INSERT ON "
                                                         "metric_joint_state BEGIN "
                                                         "INSERT OR REPLACE INTO joint_state "
                                                         "VALUES (NEW.joint, NEW.t_ns / "
                                                         "10000, " DB_WHOLE(
                                                             "position",
                                                             "1e6") ", 0); END;"
                                                                    "CREATE TEMP VIEW IF NOT "
                                                                    "EXISTS metric_contact_force "
                                                                    "AS SELECT 0 AS id, 0 AS "
                                                                    "episode, 0 AS "
                                                                    "contact, 0 AS t_ns, 0 AS fx, "
                                                                    "0 AS fy, 0 AS fz, 0 AS nx, 0 "
                                                                    "AS ny, 0 AS nz;"
                                                                    "CREATE TEMP TRIGGER IF NOT "
                                                                    "EXISTS put_force INSTEAD OF "
                                                                    "INSERT ON "
                                                                    "metric_contact_force BEGIN "
                                                                    "INSERT OR REPLACE INTO "
                                                                    "contact_force VALUES "
                                                                    "(NEW.contact, NEW.t_ns / "
                                                                    "10000, " DB_WHOLE("fx", "1e3") ", " DB_WHOLE("fy", "1e3") ", " DB_WHOLE(
                                                                        "fz",
                                                                        "1e3") ", " DB_WHOLE("nx",
                                                                                             "1e4") ", " DB_WHOLE("ny",
                                                                                                                  "1e4") ", " DB_WHOLE("nz",
                                                                                                                                       "1e4") "); END;";

static inline void db_run(sqlite3 *db, const char *sql) {
    char *message = NULL;
    if (sql != db_metric && strstr(sql, "INTO metric_"))
        db_run(db, db_metric);
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
        snprintf(sql, sizeof sql, "SELECT * FROM %s", (const char *)sqlite3_column_text(tables, 0));
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

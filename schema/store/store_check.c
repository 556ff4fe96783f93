// schema/store/store_check.c - checks the tables of a log, and its small tables' rows, when it
// opens.
#include <stdio.h>
#include <string.h>
#include "schema/columns.h"
#include "schema/schema.h"
#include "schema/store/store.h"
#include "schema/store/store_int.h"

typedef struct fixed_column {
    const char *table, *name, *type, *range;
} fixed_column;

static const fixed_column fixed_columns[] = {
#define TABLE(table, doc)
#define TABLE_COLUMN(table, name, type, range, doc) {#table, #name, type, range},
#include "schema/tables.def"
#undef TABLE
#undef TABLE_COLUMN
};

const char *store_table_name(int table) {
    static const char *const fixed[] = {"episode", "meta"};
    return table < RECORD_KINDS ? record_describe((record_kind)table)->table
                                : fixed[table - STORE_EPISODE];
}

status store_not_as_made(const char *path, const char *table, error *err) {
    return error_at(err, E_INPUT, path, 0, 0,
                    "the log is damaged: its table %s is not as it should be", table);
}

// Returns whether `sql` is the statement among `all` that makes the table.
static bool is_as_made(const char *all, const char *name, const char *sql) {
    char start[100];
    size_t length = strlen(sql);
    snprintf(start, sizeof start, "CREATE TABLE %s (\n", name);
    const char *made = strstr(all, start);
    return made && strncmp(made, sql, length) == 0 && made[length] == ';';
}

status store_find_tables(sqlite3 *db, const char *path, const char *tables,
                         bool as_made[STORE_TABLES], error *err) {
    sqlite3_stmt *row = NULL;
    status s = OK;
    int rc = sqlite3_prepare_v2(db, "SELECT name, sql FROM sqlite_schema WHERE type = 'table'", -1,
                                &row, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(row)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 0),
                   *sql = (const char *)sqlite3_column_text(row, 1);
        rc = SQLITE_OK;
        for (int i = 0; name && sql && i < STORE_TABLES; i++) {
            if (!as_made[i] && strcmp(store_table_name(i), name) == 0) {
                as_made[i] = is_as_made(tables, name, sql);
                break;
            }
        }
    }
    if (rc != SQLITE_DONE)
        s = store_failed(db, path, "reading the schema", err);
    sqlite3_finalize(row);
    return s;
}

// Runs a query for what is wrong: `failed` says it of the first row. Frees `sql`.
static status check_none(sqlite3 *db, const char *path, char *sql,
                         void (*say)(sqlite3_stmt *row, const char *path, error *err), error *err) {
    sqlite3_stmt *row = NULL;
    if (!sql)
        return error_at(err, E_MEMORY, path, 0, 0, "no memory is left to open the log");
    status s = OK;
    int rc = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(row);
    if (rc == SQLITE_ROW) {
        say(row, path, err);
        s = E_INPUT;
    } else if (rc != SQLITE_DONE) {
        s = store_failed(db, path, "opening the log", err);
    }
    sqlite3_finalize(row);
    sqlite3_free(sql);
    return s;
}

static void say_ids(sqlite3_stmt *row, const char *path, error *err) {
    error_at(err, E_INPUT, path, 0, 0,
             "the log is damaged: its table %s has ids outside 1 to 9007199254740992",
             (const char *)sqlite3_column_text(row, 0));
}

// The least and the largest id of each table; SQLite finds either without reading the table.
static status check_ids(sqlite3 *db, const char *path, error *err) {
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendall(sql, "SELECT CASE");
    for (int i = 0; i < STORE_TABLES; i++) {
        const column_info *key = i < RECORD_KINDS ? record_key((record_kind)i) : NULL;
        const char *table = store_table_name(i), *id = key ? key->name : "id";
        sqlite3_str_appendf(sql,
                            " WHEN EXISTS (SELECT 1 FROM %s WHERE %s < 1) OR"
                            " EXISTS (SELECT 1 FROM %s WHERE %s > %lld) THEN '%s'",
                            table, id, table, id, (long long)COLUMN_ID_MAX, table);
    }
    sqlite3_str_appendall(sql, " END AS wrong WHERE wrong IS NOT NULL");
    return check_none(db, path, sqlite3_str_finish(sql), say_ids, err);
}

static void say_range(sqlite3_stmt *row, const char *path, error *err) {
    error_at(err, E_INPUT, path, 0, 0, "the log is damaged: %s %lld is out of range",
             (const char *)sqlite3_column_text(row, 1), (long long)sqlite3_column_int64(row, 0));
}

// Appends the condition that a value of the column is of its type and within its range.
static void append_condition(sqlite3_str *sql, const fixed_column *c) {
    bool number = strncmp(c->type, "INTEGER", 7) == 0, none = !strstr(c->type, "NOT NULL");
    sqlite3_str_appendf(sql, "typeof(%s) IN ('%s'%s)", c->name, number ? "integer" : "text",
                        none ? ", 'null'" : "");
    if (c->range[0])
        sqlite3_str_appendf(sql, " AND %s", c->range);
}

// The rows of one of the two tables that are no kind of record: few enough to look at all.
static status check_rows(sqlite3 *db, const char *path, const char *table, error *err) {
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendall(sql, "SELECT id, CASE");
    for (size_t i = 0; i < sizeof fixed_columns / sizeof *fixed_columns; i++) {
        const fixed_column *c = &fixed_columns[i];
        if (strcmp(c->table, table) != 0)
            continue;
        sqlite3_str_appendall(sql, " WHEN NOT (");
        append_condition(sql, c);
        sqlite3_str_appendf(sql, ") THEN '%s of its %s'", c->name, table);
    }
    sqlite3_str_appendf(sql, " END AS wrong FROM %s WHERE wrong IS NOT NULL LIMIT 1", table);
    return check_none(db, path, sqlite3_str_finish(sql), say_range, err);
}

status store_check(sqlite3 *db, const char *path, error *err) {
    status s = check_ids(db, path, err);
    if (s == OK)
        s = check_rows(db, path, "meta", err);
    return s == OK ? check_rows(db, path, "episode", err) : s;
}

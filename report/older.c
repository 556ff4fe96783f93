#include "report/older.h"

#include <stdio.h>
#include <unistd.h>

#include "schema/schema.h"
#include "schema/store.h"

typedef struct copier {
    sqlite3 *from, *into;
    const char *path;
    older_log *out;
    error *err;
    arena *arena;
    bool (*stopped)(void);
} copier;

#define STEPS 10000 // of SQLite's machine, after which is asked whether to go on

static int stop_asked(void *context) {
    const copier *c = context;
    return c->stopped && c->stopped();
}

static int64_t number(sqlite3 *db, const char *sql) {
    sqlite3_stmt *row = NULL;
    int64_t value = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW)
        value = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return value;
}

static status failed(const copier *c, sqlite3 *db, const char *doing) {
    return store_failed(db, c->path, doing, c->err);
}

typedef ARRAY(const char *) names;

static bool has(const names *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], name) == 0)
            return true;
    return false;
}

// The columns that are stored: those of a view, of a virtual table, and what is generated are none.
static status columns_of(const copier *c, sqlite3 *db, const char *table, names *out) {
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(db,
                           "SELECT c.name FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE"
                           " m.type = 'table' AND m.rootpage > 0 AND m.name = ?1 AND c.hidden = 0",
                           -1, &row, NULL) != SQLITE_OK)
        return failed(c, db, "reading the schema");
    sqlite3_bind_text(row, 1, table, -1, SQLITE_STATIC);
    int rc;
    while ((rc = sqlite3_step(row)) == SQLITE_ROW)
        array_push(out, arena_strdup(c->arena, (const char *)sqlite3_column_text(row, 0)));
    sqlite3_finalize(row);
    return rc == SQLITE_DONE ? OK : failed(c, db, "reading the schema");
}

static status copy_rows(const copier *c, const char *table, const names *columns) {
    const char *list = "", *marks = "";
    for (size_t i = 0; i < columns->count; i++) {
        list = arena_format(c->arena, "%s%s\"%s\"", list, i ? ", " : "", columns->items[i]);
        marks = arena_format(c->arena, "%s%s?", marks, i ? ", " : "");
    }
    sqlite3_stmt *row = NULL, *put = NULL;
    status st = OK;
    int rc;
    if (sqlite3_prepare_v2(c->from,
                           arena_format(c->arena, "SELECT %s FROM \"%s\" NOT INDEXED", list, table),
                           -1, &row, NULL) != SQLITE_OK)
        st = failed(c, c->from, "reading the log");
    // What must not be empty and is gets none of its rows: it says nothing.
    else if (sqlite3_prepare_v2(c->into,
                                arena_format(c->arena,
                                             "INSERT OR IGNORE INTO \"%s\" (%s) VALUES (%s)", table,
                                             list, marks),
                                -1, &put, NULL) != SQLITE_OK)
        st = failed(c, c->into, "copying the log");
    while (st == OK && (rc = sqlite3_step(row)) != SQLITE_DONE) {
        if (rc != SQLITE_ROW) {
            st = failed(c, c->from, "reading the log");
            break;
        }
        for (int i = 0; i < (int)columns->count; i++)
            sqlite3_bind_value(put, i + 1, sqlite3_column_value(row, i));
        if (sqlite3_step(put) != SQLITE_DONE)
            st = failed(c, c->into, "copying the log");
        sqlite3_reset(put);
    }
    sqlite3_finalize(row);
    sqlite3_finalize(put);
    return st;
}

static const record_info *kind_of(const char *table) {
    for (int k = 0; k < RECORD_KINDS; k++)
        if (strcmp(record_describe((record_kind)k)->table, table) == 0)
            return record_describe((record_kind)k);
    return NULL;
}

static void miss(const copier *c, const char *text) {
    array_push(&c->out->missing, arena_strdup(c->out->arena, text));
}

// Copies what both have of a table, and says what the log lacks.
static status copy_table(const copier *c, const char *table) {
    names old = {0}, now = {0}, both = {0};
    const record_info *kind = kind_of(table);
    const char *lacking = "";
    status st = columns_of(c, c->from, table, &old);
    if (st == OK)
        st = columns_of(c, c->into, table, &now);
    for (size_t i = 0; st == OK && i < now.count; i++) {
        if (has(&old, now.items[i]))
            array_push(&both, now.items[i]);
        else
            lacking = arena_format(c->arena, "%s%s%s", lacking, *lacking ? ", " : "", now.items[i]);
    }
    if (st == OK && old.count == 0)
        miss(c, arena_format(c->arena, "all that rests on the table %s, which the log lacks%s%s",
                             table, kind ? ": " : "", kind ? kind->doc : ""));
    else if (st == OK && *lacking)
        miss(c, arena_format(c->arena, "all that rests on %s of the table %s, which the log lacks",
                             lacking, table));
    if (st == OK && both.count > 0)
        st = copy_rows(c, table, &both);
    array_finish(&old);
    array_finish(&now);
    array_finish(&both);
    return st;
}

static status copy_tables(const copier *c) {
    names tables = {0};
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(c->into,
                           "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'meta'"
                           " AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
                           -1, &row, NULL) != SQLITE_OK)
        return failed(c, c->into, "copying the log");
    while (sqlite3_step(row) == SQLITE_ROW)
        array_push(&tables, arena_strdup(c->arena, (const char *)sqlite3_column_text(row, 0)));
    sqlite3_finalize(row);
    status st = OK;
    for (size_t i = 0; st == OK && i < tables.count; i++)
        st = copy_table(c, tables.items[i]);
    array_finish(&tables);
    return st;
}

static status check(const copier *c) {
    int64_t version =
        number(c->from, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'schema'");
    if (version < 0)
        version = number(c->from, "PRAGMA user_version");
    if (number(c->from, "SELECT count(*) FROM sqlite_schema WHERE name IN ('meta', 'episode') AND"
                        " (type <> 'table' OR rootpage = 0)") != 0)
        return error_at(c->err, E_INPUT, c->path, 0, 0, "the log cannot be read by this foresee");
    if (number(c->from, "PRAGMA application_id") != SCHEMA_APPLICATION_ID)
        return error_at(c->err, E_INPUT, c->path, 0, 0, "this is not a foresee log");
    if (version > SCHEMA_VERSION || number(c->from, "SELECT count(*) FROM episode") < 0)
        return error_at(c->err, E_INPUT, c->path, 0, 0, "the log cannot be read by this foresee");
    if (version < SCHEMA_VERSION)
        miss(c, arena_format(c->arena,
                             "what only logs of schema %d say: this one has schema %lld, from an "
                             "earlier foresee, and is read as far as it goes",
                             SCHEMA_VERSION, (long long)version));
    return OK;
}

static status create(const copier *c) {
    char *sql = NULL;
    status st = schema_sql(&sql, c->err);
    if (st == OK && (sqlite3_exec(c->into, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF",
                                  NULL, NULL, NULL) != SQLITE_OK ||
                     sqlite3_exec(c->into, sql, NULL, NULL, NULL) != SQLITE_OK ||
                     sqlite3_exec(c->into, "BEGIN", NULL, NULL, NULL) != SQLITE_OK))
        st = failed(c, c->into, "copying the log");
    free(sql);
    return st;
}

static status temporary(older_log *o, const char *log, error *err) {
    const char *folder = getenv("TMPDIR");
    o->path = arena_format(o->arena, "%s/foresee_log_XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkstemp(o->path);
    if (file < 0)
        return error_at(err, E_IO, log, 0, 0, "no temporary file can be made for a copy in %s",
                        folder && *folder ? folder : "/tmp");
    close(file);
    return OK;
}

status older_log_copy(const char *log, bool (*stopped)(void), older_log *out, error *err) {
    older_log o = {.arena = arena_create()};
    copier c = {.path = log, .out = &o, .err = err, .arena = arena_create(), .stopped = stopped};
    status st = store_connect(log, false, &c.from, err);
    if (st == OK) {
        sqlite3_progress_handler(c.from, STEPS, stop_asked, &c);
        st = check(&c);
    }
    if (st == OK)
        st = temporary(&o, log, err);
    if (st == OK)
        st = store_connect(o.path, true, &c.into, err);
    if (st == OK) {
        sqlite3_progress_handler(c.into, STEPS, stop_asked, &c);
        st = create(&c);
    }
    if (st == OK)
        st = copy_tables(&c);
    if (st == OK && sqlite3_exec(c.into, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        st = failed(&c, c.into, "copying the log");
    sqlite3_close(c.from);
    sqlite3_close(c.into);
    arena_destroy(c.arena);
    if (st != OK) {
        older_log_finish(&o);
        return st;
    }
    *out = o;
    return OK;
}

void older_log_finish(older_log *o) {
    if (o->path)
        unlink(o->path);
    array_finish(&o->missing);
    arena_destroy(o->arena);
    *o = (older_log){0};
}

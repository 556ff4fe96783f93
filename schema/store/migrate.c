// schema/store/migrate.c - temporary tables of the present form in front of a log's older ones.
#include "schema/store/migrate.h"

#include <string.h>
#include "schema/schema.h"
#include "schema/store/store.h"
#include "schema/store/store_int.h"

#define STEPS_BETWEEN_ASKING 10000 // of SQLite's machine, before `stopped` is asked again

typedef ARRAY(const char *) name_list;

// A migration under way.
typedef struct migrator {
    migration *m;
    sqlite3 *db;
    const char *tables; // the statements that make an empty log of the present version
    arena *scratch;
    error *err;
} migrator;

static int is_stopped(void *context) {
    const migration *m = context;
    return m->stopped();
}

static status run_sql(const migrator *g, const char *sql) {
    return sqlite3_exec(g->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? OK
               : store_failed(g->db, g->m->path, "copying the log", g->err);
}

// The stored columns of a table of one database (main, temp). Views and virtual tables have none,
// and generated columns are none.
static status read_columns(const migrator *g, const char *database, const char *table,
                           name_list *out) {
    sqlite3_stmt *row = NULL;
    const char *sql = arena_format(
        g->scratch,
        "SELECT c.name FROM %s.sqlite_schema m, pragma_table_xinfo(m.name, '%s') c WHERE"
        " m.type = 'table' AND m.rootpage > 0 AND m.name = ?1 AND c.hidden = 0",
        database, database);
    int rc = sqlite3_prepare_v2(g->db, sql, -1, &row, NULL);
    if (rc == SQLITE_OK)
        sqlite3_bind_text(row, 1, table, -1, SQLITE_STATIC);
    while (rc == SQLITE_OK && (rc = sqlite3_step(row)) == SQLITE_ROW) {
        array_push(out, arena_strdup(g->scratch, (const char *)sqlite3_column_text(row, 0)));
        rc = SQLITE_OK;
    }
    sqlite3_finalize(row);
    return rc == SQLITE_DONE ? OK : store_failed(g->db, g->m->path, "reading the schema", g->err);
}

static void add_missing(const migrator *g, const char *sentence) {
    array_push(&g->m->missing, arena_strdup(g->m->arena, sentence));
}

// Makes the empty temporary table, of the present form, with its index.
static status create_shadow(const migrator *g, int table) {
    const char *name = store_table_name(table),
               *start = strstr(g->tables, arena_format(g->scratch, "CREATE TABLE %s (\n", name)) +
                        strlen("CREATE TABLE ");
    char key[128];
    status st = run_sql(g, arena_format(g->scratch, "CREATE TEMP TABLE %.*s",
                                        (int)(strstr(start, ";\n") - start), start));
    if (st == OK && table < RECORD_KINDS &&
        schema_index_columns((record_kind)table, key, sizeof key))
        st = run_sql(
            g, arena_format(g->scratch, "CREATE INDEX temp.%s_index ON %s %s", name, name, key));
    return st;
}

// What a column of the present form holds in terms of the old table, which logs before schema_whole
// have with numbers as they are, and logs before schema_ticked with instants in nanoseconds. NULL:
// nothing in the old table tells it.
static const char *old_value(const migrator *g, int table, const column_info *column,
                             const char *name, const name_list *old) {
    int version = g->m->version;
    bool tick =
             column && column->type == COLUMN_TICK && version < schema_ticked((record_kind)table),
         real =
             column && column->type == COLUMN_FIXED && version < schema_whole((record_kind)table);
    const char *was = tick ? arena_format(g->scratch, "%s_ns", name) : name;
    if (!names_hold(old->items, old->count, was))
        return NULL;
    if (tick)
        return arena_format(g->scratch, "\"%s\" / %lld", was, (long long)RECORD_TICK);
    if (!real)
        return arena_format(g->scratch, "\"%s\"", was);
    return arena_format(g->scratch,
                        "CASE typeof(\"%s\") WHEN 'real' THEN CAST(round(\"%s\" * %.0f) AS INTEGER)"
                        " WHEN 'integer' THEN \"%s\" * %.0f ELSE \"%s\" END",
                        was, was, column->scale, was, column->scale, was);
}

static const column_info *find_column(const record_info *kind, const char *name) {
    for (size_t i = 0; kind && i < kind->column_count; i++)
        if (strcmp(kind->columns[i].name, name) == 0)
            return &kind->columns[i];
    return NULL;
}

// Returns whether a table that has its former form and no row ids differs from the present form
// only by columns that came later. Its rows are then as they are to be read, but for these.
static status is_only_shorter(const migrator *g, int table, bool *shorter) {
    const char *name = store_table_name(table);
    sqlite3_stmt *row = NULL;
    *shorter = false;
    if (table >= RECORD_KINDS || !record_key((record_kind)table) ||
        g->m->version < schema_ticked((record_kind)table))
        return OK;
    int rc = sqlite3_prepare_v2(g->db,
                                "SELECT 1 FROM pragma_table_xinfo(?1, 'main') o WHERE NOT EXISTS"
                                " (SELECT 1 FROM pragma_table_xinfo(?1, 'temp') n WHERE"
                                " (n.name, n.type, n.\"notnull\", n.pk, n.hidden) ="
                                " (o.name, o.type, o.\"notnull\", o.pk, o.hidden))",
                                -1, &row, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(row, 1, name, -1, SQLITE_STATIC);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(row);
    *shorter = rc == SQLITE_DONE;
    sqlite3_finalize(row);
    return rc == SQLITE_DONE || rc == SQLITE_ROW
               ? OK
               : store_failed(g->db, g->m->path, "reading the schema", g->err);
}

// Puts a view in the place of the empty temporary table: nothing needs to be copied.
static status view_shadow(const migrator *g, int table) {
    const char *name = store_table_name(table), *values = "";
    name_list old = {0}, now = {0};
    status st = read_columns(g, "main", name, &old);
    if (st == OK)
        st = read_columns(g, "temp", name, &now);
    for (size_t i = 0; i < now.count; i++)
        values = arena_format(g->scratch, "%s%s%s\"%s\"", values, *values ? ", " : "",
                              names_hold(old.items, old.count, now.items[i]) ? "" : "NULL AS ",
                              now.items[i]);
    if (st == OK)
        st = run_sql(g, arena_format(g->scratch,
                                     "DROP TABLE temp.\"%s\";"
                                     "CREATE TEMP VIEW \"%s\" AS SELECT %s FROM main.\"%s\"",
                                     name, name, values, name));
    array_finish(&old);
    array_finish(&now);
    return st;
}

// A row with a NULL in a column that must have a value is left out. Of rows with the same key the
// last comes first, and stays.
static status copy_rows(const migrator *g, int table, const char *columns, const char *values) {
    const char *name = store_table_name(table);
    bool keyed = table < RECORD_KINDS && record_key((record_kind)table) &&
                 g->m->version < schema_ticked((record_kind)table);
    return run_sql(g,
                   arena_format(g->scratch,
                                "INSERT OR IGNORE INTO temp.\"%s\" (%s)"
                                " SELECT %s FROM main.\"%s\" NOT INDEXED%s",
                                name, columns, values, name, keyed ? " ORDER BY rowid DESC" : ""));
}

// Copies rows that were told apart by their ids, and counts those of one reference at one instant;
// `at` of `count` values are these two.
static status count_rows(const migrator *g, int table, const char *columns, const char *values,
                         size_t count, const size_t at[2]) {
    const char *name = store_table_name(table), *marks = "";
    sqlite3_stmt *read = NULL, *write = NULL;
    int64_t of = 0, t = 0, nth = 0;
    for (size_t i = 0; i < count; i++)
        marks = arena_format(g->scratch, "%s?, ", marks);
    const char *from = arena_format(
                   g->scratch, "SELECT %s FROM main.\"%s\" NOT INDEXED ORDER BY %zu, %zu, rowid",
                   values, name, at[0], at[1]),
               *to = arena_format(g->scratch,
                                  "INSERT OR REPLACE INTO temp.\"%s\" (%s, nth) VALUES (%s?)", name,
                                  columns, marks);
    int rc = sqlite3_prepare_v2(g->db, from, -1, &read, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(g->db, to, -1, &write, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(read)) == SQLITE_ROW) {
        int64_t of_was = of, t_was = t;
        rc = SQLITE_OK;
        if (sqlite3_column_type(read, (int)at[0] - 1) == SQLITE_NULL ||
            sqlite3_column_type(read, (int)at[1] - 1) == SQLITE_NULL)
            continue;
        of = sqlite3_column_int64(read, (int)at[0] - 1);
        t = sqlite3_column_int64(read, (int)at[1] - 1);
        nth = of != of_was || t != t_was ? 0 : nth + (nth < RECORD_NTH_MAX);
        for (size_t i = 0; i < count; i++)
            sqlite3_bind_value(write, (int)i + 1, sqlite3_column_value(read, (int)i));
        sqlite3_bind_int64(write, (int)count + 1, nth);
        rc = sqlite3_step(write) == SQLITE_DONE ? sqlite3_reset(write) : SQLITE_ERROR;
    }
    status st = rc == SQLITE_DONE ? OK : store_failed(g->db, g->m->path, "copying the log", g->err);
    sqlite3_finalize(read);
    sqlite3_finalize(write);
    return st;
}

// Copies what the old form of a table tells of the columns of the present one, and says which it
// does not.
static status fill_shadow(const migrator *g, int table) {
    const char *name = store_table_name(table), *lacking = "", *columns = "", *values = "";
    const record_info *kind = record_describe((record_kind)table);
    record_key_columns key = kind ? record_keys((record_kind)table) : (record_key_columns){0};
    name_list old = {0}, now = {0};
    size_t count = 0, at[2] = {0, 0};
    status st = read_columns(g, "main", name, &old);
    if (st == OK)
        st = read_columns(g, "temp", name, &now);
    for (size_t i = 0; st == OK && i < now.count; i++) {
        const char *column = now.items[i];
        const column_info *known = find_column(kind, column);
        const char *value = old_value(g, table, known, column, &old);
        if (value) {
            count++;
            if (known && (known == key.of || known == key.t))
                at[known == key.t] = count;
            columns = arena_format(g->scratch, "%s%s\"%s\"", columns, *columns ? ", " : "", column);
            values = arena_format(g->scratch, "%s%s%s", values, *values ? ", " : "", value);
        } else if (!kind || !schema_lacked((record_kind)table, column, g->m->version)) {
            lacking = arena_format(g->scratch, "%s%s%s", lacking, *lacking ? ", " : "", column);
        }
    }
    if (st == OK && old.count == 0 && table == STORE_EPISODE)
        st = error_at(g->err, E_INPUT, g->m->path, 0, 0,
                      "the log cannot be read by this foresee: it has no table of episodes");
    else if (st == OK && old.count == 0)
        add_missing(g, arena_format(g->scratch,
                                    "all that rests on the table %s, which the log lacks%s%s", name,
                                    kind ? ": " : "", kind ? kind->doc : ""));
    else if (st == OK && *lacking)
        add_missing(g, arena_format(g->scratch,
                                    "all that rests on %s of the table %s, which the log lacks",
                                    lacking, name));
    bool counts = key.nth && !names_hold(old.items, old.count, key.nth->name);
    if (st == OK && counts && at[0] && at[1])
        st = count_rows(g, table, columns, values, count, at);
    else if (st == OK && *columns)
        st = copy_rows(g, table, columns, values);
    array_finish(&old);
    array_finish(&now);
    return st;
}

// The views as they are now, over the shadows too.
static status create_views(const migrator *g) {
    status st = OK;
    for (const char *view = strstr(g->tables, "CREATE VIEW "); st == OK && view;
         view = strstr(view + 1, "CREATE VIEW ")) {
        view += strlen("CREATE ");
        st = run_sql(g, arena_format(g->scratch, "CREATE TEMP %.*s",
                                     (int)(strstr(view, ";\n") - view), view));
    }
    return st;
}

// Returns whether the table came with a later version of the schema, so that no such log has it.
static bool is_later(int table, int version) {
    return table < RECORD_KINDS &&
           schema_since((record_kind)table) > (version > SCHEMA_KNOWN ? version : SCHEMA_KNOWN);
}

// Finds the tables that have the form that logs of earlier versions have, word for word.
static status find_former(const migrator *g, bool formerly[STORE_TABLES]) {
    char *former = NULL;
    if (g->m->version >= SCHEMA_VERSION)
        return OK;
    status st = schema_former_sql(g->m->version, &former, g->err);
    if (st == OK)
        st = store_find_tables(g->db, g->m->path, former, formerly, g->err);
    free(former);
    return st;
}

static status shadow_tables(const migrator *g, const bool *as_made) {
    const migration *m = g->m;
    bool told = false, formerly[STORE_TABLES] = {false};
    status st = find_former(g, formerly);
    for (int i = 0; st == OK && i < STORE_TABLES; i++) {
        bool later = is_later(i, m->version);
        if (as_made[i])
            continue;
        if (!later && !formerly[i] && m->version >= SCHEMA_KNOWN && !m->salvage)
            return store_not_as_made(m->path, store_table_name(i), g->err);
        st = create_shadow(g, i);
        // `meta` has been read already, and a table that came later is empty.
        if (st != OK || i == STORE_META || later)
            continue;
        if (!told && !formerly[i] && m->version < SCHEMA_VERSION)
            add_missing(g, arena_format(g->scratch,
                                        "what only logs of schema %d say: this one has schema %d, "
                                        "from an earlier foresee, and is read as far as it goes",
                                        SCHEMA_VERSION, m->version));
        told = told || !formerly[i];
        bool shorter = false;
        if (formerly[i])
            st = is_only_shorter(g, i, &shorter);
        if (st == OK)
            st = shorter ? view_shadow(g, i) : fill_shadow(g, i);
    }
    if (st == OK && !as_made[RECORD_STEP_TEXT])
        st = migrate_step_texts(g->db, m->path, g->err);
    return st == OK ? create_views(g) : st;
}

static bool is_present(const bool *as_made) {
    for (int i = 0; i < STORE_TABLES; i++)
        if (!as_made[i])
            return false;
    return true;
}

status migrate_log(sqlite3 *db, migration *m, error *err) {
    bool as_made[STORE_TABLES] = {false};
    char *tables = NULL;
    status st = schema_sql(&tables, err);
    if (st == OK)
        st = store_find_tables(db, m->path, tables, as_made, err);
    if (st == OK && !is_present(as_made)) {
        migrator g = {.m = m, .db = db, .tables = tables, .scratch = arena_create(), .err = err};
        if (m->stopped)
            sqlite3_progress_handler(db, STEPS_BETWEEN_ASKING, is_stopped, m);
        st = shadow_tables(&g, as_made);
        sqlite3_progress_handler(db, 0, NULL, NULL);
        arena_destroy(g.scratch);
    }
    free(tables);
    return st;
}

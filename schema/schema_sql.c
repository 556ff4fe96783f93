// schema/schema_sql.c - makes the SQL of an empty log from the three .def files.
#include "schema/schema.h"

#include <stdio.h>
#include <string.h>

#include "base/text/text.h"
#include "schema/words.h"

typedef struct text_row {
    const char *owner, *name, *type;
} text_row;

static const text_row fixed_columns[] = {
#define TABLE(table, doc) {#table, NULL, NULL},
#define TABLE_COLUMN(table, name, type, range, doc) {#table, #name, type},
#include "schema/tables.def"
#undef TABLE
#undef TABLE_COLUMN
};

static const text_row views[] = {
#define VIEW(view, doc, sql) {#view, NULL, sql},
#define VIEW_COLUMN(view, name, doc)
#include "schema/views.def"
#undef VIEW
#undef VIEW_COLUMN
};

int schema_since(record_kind kind) {
    return kind >= RECORD_HOLD                                    ? 14
           : kind >= RECORD_FRAME                                 ? 13
           : kind == RECORD_CLEARANCE                             ? 12
           : kind == RECORD_WRENCH                                ? 11
           : kind == RECORD_MESSAGE                               ? 10
           : kind == RECORD_BOND                                  ? 9
           : kind >= RECORD_MODEL || kind == RECORD_RELATIVE_POSE ? 8
           : kind == RECORD_SWITCH                                ? 6
           : kind == RECORD_STEP_TEXT                             ? 5
           : kind == RECORD_FINGERPRINT                           ? 4
                                                                  : SCHEMA_KNOWN;
}

int schema_whole(record_kind kind) {
    return kind == RECORD_PERCEPT                                    ? 17
           : kind == RECORD_COMMAND || kind == RECORD_BELIEVED_FRAME ? 15
                                                                     : SCHEMA_WHOLE;
}

int schema_ticked(record_kind kind) {
    return kind == RECORD_COMMAND || kind == RECORD_BELIEVED_FRAME ? 17 : SCHEMA_WHOLE;
}

bool schema_lacked(record_kind kind, const char *column, int version) {
    bool bowed = kind == RECORD_JOINT_STATE || kind == RECORD_POSE;
    return (version < 16 && bowed && strncmp(column, "bow", 3) == 0) ||
           (version < 17 && strcmp(column, "nth") == 0);
}

const char *schema_column_type(const column_info *column) {
    switch (column->type) {
    case COLUMN_REAL:
        return "REAL";
    case COLUMN_TEXT:
        return "TEXT";
    case COLUMN_INT:
    case COLUMN_TIME:
    case COLUMN_BOOL:
    case COLUMN_REF:
    case COLUMN_TICK:
    case COLUMN_FIXED:
        break;
    }
    return "INTEGER";
}

// A row's number has the instant in 32 bits, or, where it counts on, in 34 and the count in six.
_Static_assert(RECORD_NTH_MAX == 63, "as the numbers of rows have it");

const char *schema_row_number(record_kind kind, char *buffer) {
    record_key_columns key = record_keys(kind);
    if (!key.of)
        return "id";
    if (key.nth)
        snprintf(buffer, 100, "(%s << 40 | (%s << 6) | nth)", key.of->name, key.t->name);
    else
        snprintf(buffer, 100, "(%s << 32 | %s)", key.of->name, key.t->name);
    return buffer;
}

const char *schema_row_called(record_kind kind, char *buffer) {
    record_key_columns key = record_keys(kind);
    if (!key.of)
        return "id = ?3";
    if (key.nth)
        snprintf(buffer, 200, "%s = ?3 >> 40 AND %s = (?3 >> 6 & 17179869183) AND nth = (?3 & 63)",
                 key.of->name, key.t->name);
    else
        snprintf(buffer, 200, "%s = ?3 >> 32 AND %s = (?3 & 4294967295)", key.of->name,
                 key.t->name);
    return buffer;
}

const char *schema_row_order(record_kind kind, char *buffer) {
    record_key_columns key = record_keys(kind);
    if (!key.of)
        return "id";
    snprintf(buffer, 100, "%s, %s%s", key.of->name, key.t->name, key.nth ? ", nth" : "");
    return buffer;
}

const char *schema_index_columns(record_kind kind, char *buffer, size_t size) {
    const record_info *info = record_describe(kind);
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *c = &info->columns[i];
        if (c->flag == COLUMN_SPARSE)
            snprintf(buffer, size, "(%s) WHERE %s IS NOT NULL", c->name, c->name);
        else if (c->flag == COLUMN_INDEXED)
            snprintf(buffer, size, "(%s%s)", c->type == COLUMN_REF ? "" : "episode, ", c->name);
        else
            continue;
        return buffer;
    }
    return NULL;
}

bool schema_index_sql(record_kind kind, char *buffer, size_t size) {
    const char *table = record_describe(kind)->table;
    char columns[128];
    if (!schema_index_columns(kind, columns, sizeof columns))
        return false;
    snprintf(buffer, size, "CREATE INDEX IF NOT EXISTS %s_index ON %s %s", table, table, columns);
    return true;
}

static void write_fixed_tables(text_buffer *b) {
    for (size_t i = 0; i < sizeof fixed_columns / sizeof *fixed_columns; i++) {
        const text_row *row = &fixed_columns[i];
        if (!row->name)
            text_add(b, "%sCREATE TABLE %s (\n  id INTEGER PRIMARY KEY", i ? "\n);\n" : "",
                     row->owner);
        else
            text_add(b, ",\n  %s %s", row->name, row->type);
    }
    text_put(b, "\n);\n");
}

// The form that the table has in logs of a version.
static void write_record_table(text_buffer *b, record_kind kind, int version) {
    const record_info *info = record_describe(kind);
    bool real = version < schema_whole(kind), long_ago = version < schema_ticked(kind);
    record_key_columns key = long_ago ? (record_key_columns){0} : record_keys(kind);
    char order[100];
    text_add(b, "CREATE TABLE %s (\n", info->table);
    if (!key.of)
        text_put(b, "  id INTEGER PRIMARY KEY,\n  episode INTEGER NOT NULL REFERENCES episode,\n");
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *column = &info->columns[i];
        if (schema_lacked(kind, column->name, version))
            continue;
        text_put(b, i ? ",\n" : "");
        if (long_ago && column->type == COLUMN_TICK)
            text_add(b, "  %s_ns INTEGER", column->name);
        else
            text_add(b, "  %s %s", column->name,
                     real && column->type == COLUMN_FIXED ? "REAL" : schema_column_type(column));
        if (key.of && column->flag == COLUMN_KEY)
            text_put(b, " NOT NULL");
        if (column->type == COLUMN_REF)
            text_add(b, " REFERENCES %s", record_describe(column->target)->table);
    }
    if (key.of)
        text_add(b, ",\n  PRIMARY KEY (%s)\n) WITHOUT ROWID;\n", schema_row_order(kind, order));
    else
        text_put(b, "\n);\n");
}

static void write_tables(text_buffer *b) {
    write_fixed_tables(b);
    for (int k = 0; k < RECORD_KINDS; k++)
        write_record_table(b, (record_kind)k, SCHEMA_VERSION);
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        text_add(b, "CREATE VIEW %s AS %s;\n", views[i].owner, views[i].type);
    text_add(
        b,
        "INSERT INTO meta (id, key, value) VALUES (1, 'application', '%s'), (2, 'schema', '%d');\n"
        "PRAGMA application_id = %d;\n"
        "PRAGMA user_version = %d;\n",
        SCHEMA_APPLICATION, SCHEMA_VERSION, SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
}

static void write_former(text_buffer *b, int version) {
    for (int k = 0; k < RECORD_KINDS; k++) {
        const record_info *info = record_describe((record_kind)k);
        int since = schema_since((record_kind)k);
        bool other = false, there = since <= version || since == SCHEMA_KNOWN;
        for (size_t i = 0; there && i < info->column_count; i++) {
            const column_info *c = &info->columns[i];
            other = other || (c->type == COLUMN_TICK && version < schema_ticked((record_kind)k)) ||
                    (c->type == COLUMN_FIXED && version < schema_whole((record_kind)k)) ||
                    schema_lacked((record_kind)k, c->name, version);
        }
        if (other)
            write_record_table(b, (record_kind)k, version);
    }
}

static void write_indexes(text_buffer *b) {
    char sql[SCHEMA_INDEX_SIZE];
    for (int k = 0; k < RECORD_KINDS; k++)
        if (schema_index_sql((record_kind)k, sql, sizeof sql))
            text_add(b, "%s;\n", sql);
}

static void write_no_indexes(text_buffer *b) {
    for (int k = 0; k < RECORD_KINDS; k++)
        text_add(b, "DROP INDEX IF EXISTS %s_index;\n", record_describe((record_kind)k)->table);
}

// Indexes come last, so that a dump has them in the same place after they were dropped and made.
static void write_all(text_buffer *b) {
    write_tables(b);
    write_indexes(b);
}

static status take_text(text_buffer *b, char **out, error *err) {
    char *text = text_take(b);
    if (!text)
        return error_set(err, E_MEMORY, "no memory is left for the schema");
    *out = text;
    return OK;
}

static status write_text(void (*write)(text_buffer *), char **out, error *err) {
    text_buffer b = {.may_fail = true};
    write(&b);
    return take_text(&b, out, err);
}

status schema_sql(char **out, error *err) {
    return write_text(write_all, out, err);
}

status schema_tables_sql(char **out, error *err) {
    return write_text(write_tables, out, err);
}

status schema_former_sql(int version, char **out, error *err) {
    text_buffer b = {.may_fail = true};
    write_former(&b, version);
    return take_text(&b, out, err);
}

status schema_unindex_sql(char **out, error *err) {
    return write_text(write_no_indexes, out, err);
}

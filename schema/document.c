// schema/document.c - writes docs/schema.md from the three .def files.
#include "schema/schema.h"

#include <stdio.h>
#include <string.h>

#include "base/text/text.h"
#include "schema/words.h"

typedef struct entry {
    const char *owner, *name, *type, *doc; // name NULL: the owner's own line
} entry;

static const entry fixed[] = {
#define TABLE(table, doc) {#table, NULL, NULL, doc},
#define TABLE_COLUMN(table, name, type, range, doc) {#table, #name, type, doc},
#include "schema/tables.def"
#undef TABLE
#undef TABLE_COLUMN
};

static const entry views[] = {
#define VIEW(view, doc, sql) {#view, NULL, NULL, doc},
#define VIEW_COLUMN(view, name, doc) {#view, #name, NULL, doc},
#include "schema/views.def"
#undef VIEW
#undef VIEW_COLUMN
};

// A bar ends a cell of a table in Markdown.
static void write_cell(text_buffer *b, const char *text) {
    for (; *text; text++) {
        if (*text == '|')
            text_put(b, "\\");
        text_put_bytes(b, text, 1);
    }
}

static void write_row(text_buffer *b, const char *name, const char *type, const char *doc) {
    text_add(b, "| `%s` | ", name);
    if (type)
        text_add(b, "%s | ", type);
    write_cell(b, doc);
    text_put(b, " |\n");
}

static void write_heading(text_buffer *b, const char *name, const char *doc, bool typed) {
    text_add(b, "\n### %s\n\n%s\n\n", name, doc);
    text_put(b, typed ? "| column | type | |\n|---|---|---|\n" : "| column | |\n|---|---|\n");
}

#define SIGN_ROW(sign, word) "| `" sign "` | " word " |\n"

static void write_introduction(text_buffer *b) {
    text_add(
        b,
        "# The log\n\n"
        "<!-- Generated from schema/record.def, tables.def and views.def. Do not edit. -->\n\n"
        "A log is one SQLite file. It holds episodes, each the projection of one plan, in tables "
        "and "
        "views.\n"
        "The **views** are in seconds and names; they are stable: columns are only ever added. The "
        "**tables**\n"
        "are private to the program and may change with the version of the schema, which is now "
        "%d.\n\n"
        "Instants in columns that end in `_ns` are whole nanoseconds, those in columns that end in "
        "`_s` seconds,\n"
        "both from the start of the episode. Intervals hold from their start up to, but not at, "
        "their "
        "end; an\n"
        "interval that had not ended when the log was last written has no end (NULL). Lengths are "
        "in "
        "metres, angles\n"
        "in radians, masses in kilograms, speeds in m/s, forces in newtons, impulses in N s.\n\n"
        "`PRAGMA application_id` is %d (\"FSEE\"); the table `meta` says the same in a copy made "
        "by "
        "`.dump`.\n\n"
        "A log may come from anywhere, so foresee trusts none. It refuses a log in which one of "
        "the tables\nbelow is not word for word the one that it makes (another column, a check, a "
        "generated column, a view\nof that name), an id lies outside 1 to 2^53, or a step, a cycle "
        "or an end of an episode is out of\nrange; and it refuses to answer from an instant past "
        "18 years, a coordinate past 10^9 m, or a value of\nanother type than its column's. Texts "
        "end at 64 MiB. Triggers of a log do not run when foresee writes,\nand its views only "
        "where a rule file names one (`:- table`). Tables, views and plain indexes of one's\nown "
        "beside these are left alone.\n\n"
        "Every command reads logs of earlier versions, too: each table that has another form in "
        "the log is\nreplaced, for that command alone, by a temporary one of the present form "
        "with what there is of its\nrows. What the log cannot tell is noted. The file is not "
        "changed, and new episodes go into logs of the\npresent version only. `foresee diagnose` "
        "reads a damaged log in the same way.\n\n"
        "    sqlite3 LOG.db \"SELECT * FROM episode_view\"\n"
        "    sqlite3 LOG.db \"SELECT a, b, start_s FROM contact_view WHERE episode = 1 AND impulse "
        "> "
        "0.5\"\n",
        SCHEMA_VERSION, SCHEMA_APPLICATION_ID);
}

static void write_record_table(text_buffer *b, record_kind kind) {
    const record_info *info = record_describe(kind);
    write_heading(b, info->table, info->doc, true);
    if (!record_key(kind)) {
        write_row(b, "id", "INTEGER", "row");
        write_row(b, "episode", "INTEGER", "the episode it belongs to");
    }
    for (size_t i = 0; i < info->column_count; i++) {
        const column_info *column = &info->columns[i];
        char type[64];
        if (column->type == COLUMN_REF)
            snprintf(type, sizeof type, "`%s`", record_describe(column->target)->table);
        else if (column->type == COLUMN_TICK)
            snprintf(type, sizeof type, "INTEGER, 10 us");
        else if (column->type == COLUMN_FIXED)
            snprintf(type, sizeof type, "INTEGER, %.0e", 1 / column->scale);
        else
            snprintf(type, sizeof type, "%s%s", schema_column_type(column),
                     column->type != COLUMN_TEXT       ? ""
                     : column->scale == PACKED_NUMBERS ? ", packed numbers"
                     : column->scale == PACKED_WORD    ? ", signs for words"
                                                       : "");
        write_row(b, column->name, type, column->doc);
    }
    char key[128];
    if (record_key(kind))
        text_add(b, "\nKey: (%s), without a row's id.\n", schema_row_order(kind, key));
    if (schema_index_columns(kind, key, sizeof key))
        text_add(b, "\nIndex: %s.\n", key);
}

status schema_document(char **out) {
    text_buffer document = {.may_fail = true}, *b = &document;
    write_introduction(b);
    text_put(b, "\n## Views\n");
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        if (!views[i].name)
            write_heading(b, views[i].owner, views[i].doc, false);
        else
            write_row(b, views[i].name, NULL, views[i].doc);
    }
    text_add(b,
             "\n## Tables\n\nA type in letters of code names the table that the column refers to. "
             "Indexes are made when an\nepisode ends, of tables that have %d rows by then. ",
             SCHEMA_INDEX_ROWS);
    text_put(
        b, "Where a type is followed by a unit, the column holds\nwhole numbers of it: of "
           "seconds, metres, radians or newtons, as "
           "the views have them. A table with a key has\nno column `episode`: a row "
           "is of the episode "
           "of what its key refers to.\n\nPacked numbers are lists of numbers in a character each; "
           "the view of the table shows the list.\nOf words that stand in many rows a sign stands "
           "for each; any other word is as it is, and the views\nshow words:\n\n"
           "| sign | word |\n|---|---|\n" WORDS_EACH(SIGN_ROW));
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        if (!fixed[i].name) {
            write_heading(b, fixed[i].owner, fixed[i].doc, true);
            write_row(b, "id", "INTEGER", "row");
        } else {
            char type[32];
            snprintf(type, sizeof type, "%.*s", (int)strcspn(fixed[i].type, " "), fixed[i].type);
            write_row(b, fixed[i].name, type, fixed[i].doc);
        }
    }
    for (int k = 0; k < RECORD_KINDS; k++)
        write_record_table(b, (record_kind)k);
    char *text = text_take(b);
    if (!text)
        return E_MEMORY;
    *out = text;
    return OK;
}

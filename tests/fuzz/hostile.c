// tests/fuzz/hostile.c - a log made hostile.
#include "tests/fuzz/hostile.h"

#include <ctype.h>
#include <sqlite3.h>
#include <unistd.h>

#include "base/files/files.h"
#include "base/text/number.h"

#define SCENE FORESEE_SOURCE_DIR "/tests/fuzz/scene"

typedef struct table {
    const char *name;
    ARRAY(const char *) columns;
} table;
static struct {
    unsigned char *image;
    size_t length;
    ARRAY(table) tables;
    arena *memory;
} base; // made once

static const struct {
    const char *name, *sql;
} VALUES[] = {
#define VALUE(name, sql) {#name, sql},
#include "tests/fuzz/hostile.def"
#undef VALUE
};
#define VALUE_COUNT (sizeof VALUES / sizeof *VALUES)
static const char *const KINDS[] = {"plan", "world", "robot"};

// ---- The log that all begin from

static int take_column(void *context, int count, char **values, char **names) {
    (void)context;
    (void)count;
    (void)names;
    size_t n = base.tables.count;
    if (n == 0 || strcmp(base.tables.items[n - 1].name, values[0]) != 0) {
        table t = {.name = arena_strdup(base.memory, values[0])};
        array_push(&base.tables, t);
    }
    table *last = &base.tables.items[base.tables.count - 1];
    array_push(&last->columns, arena_strdup(base.memory, values[1]));
    return 0;
}

static sqlite3 *open_image(void) {
    sqlite3 *db = NULL;
    ASSERT(sqlite3_open(":memory:", &db) == SQLITE_OK);
    unsigned char *copy = sqlite3_malloc64(base.length);
    ASSERT(copy);
    memcpy(copy, base.image, base.length);
    ASSERT(sqlite3_deserialize(
               db, "main", copy, (sqlite3_int64)base.length, (sqlite3_int64)base.length,
               SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
    return db;
}

static void make_base(void) {
    if (base.image)
        return;
    const char *path = program_path("base.db");
    const char *argv[] = {"run", SCENE "/plan.yaml", "--output", path, NULL};
    program_result r = program_run(argv, NULL, 600);
    ASSERT(r.status == EXIT_NO);
    free(r.out);
    sqlite3 *db = NULL;
    sqlite3_int64 length = 0;
    ASSERT(sqlite3_open(path, &db) == SQLITE_OK);
    // Without what no index needs the pages are few, and a changed byte tells.
    ASSERT(sqlite3_exec(db, "VACUUM", NULL, NULL, NULL) == SQLITE_OK);
    base.image = sqlite3_serialize(db, "main", &length, 0);
    base.length = (size_t)length;
    base.memory = arena_create();
    ASSERT(base.image &&
           sqlite3_exec(db,
                        "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c "
                        "WHERE m.type = 'table' ORDER BY m.name, c.cid",
                        take_column, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
    program_clean();
}

const char *hostile_plain(const char *name) {
    make_base();
    program_write(name, base.image, base.length);
    return program_path(name);
}

// ---- Words of a line

typedef struct line {
    char *at;
} line;

static char *next_word(line *l) {
    l->at += strspn(l->at, " \t");
    char *word = l->at;
    l->at += strcspn(l->at, " \t");
    if (*l->at)
        *l->at++ = 0;
    return word;
}

static size_t hash(const char *word) {
    size_t h = 5381;
    for (; *word; word++)
        h = h * 33 + (unsigned char)*word;
    return h;
}

static const table *find_table(const char *name) {
    for (size_t i = 0; i < base.tables.count; i++)
        if (strcmp(base.tables.items[i].name, name) == 0)
            return &base.tables.items[i];
    return &base.tables.items[hash(name) % base.tables.count];
}

static const char *find_column(const table *t, const char *name) {
    for (size_t i = 0; i < t->columns.count; i++)
        if (strcmp(t->columns.items[i], name) == 0)
            return name;
    return t->columns.items[hash(name) % t->columns.count];
}

// An SQL expression, from sqlite3_malloc.
static char *value_of(const char *text) {
    double number;
    for (size_t i = 0; i < VALUE_COUNT; i++)
        if (strcmp(VALUES[i].name, text) == 0)
            return sqlite3_mprintf("%s", VALUES[i].sql);
    if (number_parse(text, strlen(text), &number))
        return sqlite3_mprintf("%s", text);
    return sqlite3_mprintf("%Q", text);
}

// ---- Changes

static int authorise(void *context, int action, const char *a, const char *b, const char *c,
                     const char *d) {
    static const char *const pragmas[] = {"writable_schema", "user_version", "application_id",
                                          "ignore_check_constraints", "foreign_keys"};
    (void)context;
    (void)c;
    (void)d;
    if (action == SQLITE_ATTACH || action == SQLITE_DETACH)
        return SQLITE_DENY;
    if (action == SQLITE_FUNCTION && b && strcmp(b, "load_extension") == 0)
        return SQLITE_DENY;
    bool allowed = action != SQLITE_PRAGMA;
    for (size_t i = 0; !allowed && a && i < sizeof pragmas / sizeof *pragmas; i++)
        allowed = strcmp(pragmas[i], a) == 0;
    return allowed ? SQLITE_OK : SQLITE_DENY;
}

static int tire(void *context) {
    (void)context;
    return 1;
}

static void run_sql(sqlite3 *db, char *sql) {
    ASSERT(sql);
    sqlite3_progress_handler(db, 300000, tire, NULL);
    sqlite3_exec(db, sql, NULL, NULL, NULL); // one that is wrong changes nothing
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_free(sql);
}

// "rowid" alone of one row, or of all.
static char *rows_of(const table *t, const char *row) {
    if (strcmp(row, "all") == 0)
        return sqlite3_mprintf("SELECT rowid FROM \"%w\"", t->name);
    return sqlite3_mprintf("SELECT rowid FROM \"%w\" ORDER BY rowid LIMIT 1 OFFSET "
                           "%lu %% max(1, (SELECT count(*) FROM \"%w\"))",
                           t->name, strtoul(row, NULL, 10), t->name);
}

static void change_rows(sqlite3 *db, const char *verb, line *l) {
    const table *t = find_table(next_word(l));
    if (strcmp(verb, "set") == 0) {
        const char *column = find_column(t, next_word(l));
        char *rows = rows_of(t, next_word(l)), *value = value_of(l->at);
        run_sql(db, sqlite3_mprintf("UPDATE \"%w\" SET \"%w\" = %s WHERE rowid IN (%s)", t->name,
                                    column, value, rows));
        sqlite3_free(rows);
        sqlite3_free(value);
    } else if (strcmp(verb, "delete") == 0) {
        char *rows = rows_of(t, next_word(l));
        run_sql(db, sqlite3_mprintf("DELETE FROM \"%w\" WHERE rowid IN (%s)", t->name, rows));
        sqlite3_free(rows);
    } else if (strcmp(verb, "copy") == 0) {
        char *rows = rows_of(t, next_word(l)), *id = value_of(next_word(l));
        sqlite3_str *columns = sqlite3_str_new(NULL);
        for (size_t i = 0; i < t->columns.count; i++)
            if (strcmp(t->columns.items[i], "id") != 0)
                sqlite3_str_appendf(columns, ", \"%w\"", t->columns.items[i]);
        char *list = sqlite3_str_finish(columns);
        run_sql(db, sqlite3_mprintf("INSERT INTO \"%w\" (rowid%s) SELECT %s%s FROM \"%w\" WHERE "
                                    "rowid IN (%s)",
                                    t->name, list, id, list, t->name, rows));
        sqlite3_free(rows);
        sqlite3_free(id);
        sqlite3_free(list);
    }
}

// One line of a source's text.
static void change_file(sqlite3 *db, line *l) {
    const char *kind = next_word(l);
    unsigned long wanted = strtoul(next_word(l), NULL, 10);
    sqlite3_stmt *q = NULL;
    bool known = false;
    for (size_t i = 0; i < 3; i++)
        known = known || strcmp(KINDS[i], kind) == 0;
    if (!known)
        kind = KINDS[hash(kind) % 3];
    if (sqlite3_prepare_v2(db, "SELECT text, id FROM source WHERE kind = ?1 LIMIT 1", -1, &q,
                           NULL) != SQLITE_OK)
        return;
    sqlite3_bind_text(q, 1, kind, -1, SQLITE_STATIC);
    const char *text = sqlite3_step(q) == SQLITE_ROW ? (const char *)sqlite3_column_text(q, 0) : "";
    const char *at = text ? text : "";
    for (unsigned long n = 1; n < wanted && strchr(at, '\n'); n++)
        at = strchr(at, '\n') + 1;
    char *whole = sqlite3_mprintf("UPDATE source SET text = %.*Q || %Q || %Q WHERE kind = %Q",
                                  (int)(at - (text ? text : at)), text ? text : "", l->at,
                                  at + strcspn(at, "\n"), kind);
    sqlite3_finalize(q);
    run_sql(db, whole);
}

static void change(sqlite3 *db, const char *verb, line *l) {
    if (strcmp(verb, "sql") == 0) {
        run_sql(db, sqlite3_mprintf("%s", l->at));
    } else if (strcmp(verb, "file") == 0) {
        change_file(db, l);
    } else if (strcmp(verb, "drop") == 0) {
        run_sql(db, sqlite3_mprintf("DROP TABLE \"%w\"", find_table(next_word(l))->name));
    } else if (strcmp(verb, "lose") == 0) {
        const table *t = find_table(next_word(l));
        run_sql(db, sqlite3_mprintf("ALTER TABLE \"%w\" DROP COLUMN \"%w\"", t->name,
                                    find_column(t, next_word(l))));
    } else {
        change_rows(db, verb, l);
    }
}

static void change_bytes(unsigned char *image, size_t length, line *l) {
    size_t offset = strtoul(next_word(l), NULL, 0);
    for (char *word = next_word(l); *word && length; word = next_word(l), offset++)
        image[offset % length] = (unsigned char)strtoul(word, NULL, 0);
}

static void take_option(line *l, const char *const *flags, arena *memory, const char **argv,
                        size_t *count, size_t most) {
    const char *name = next_word(l);
    for (size_t i = 0; flags[i]; i++)
        if (strcmp(flags[i], name) == 0 && *count + 2 < most) {
            argv[(*count)++] = arena_format(memory, "--%s", name);
            argv[(*count)++] = arena_strdup(memory, l->at);
        }
}

const char *hostile_log(const uint8_t *data, size_t size, const char *const *flags, arena *memory,
                        const char **argv, size_t *count, size_t most) {
    make_base();
    program_clean();
    char *text = arena_copy(memory, (const char *)data, size), *rest;
    char *again = arena_copy(memory, (const char *)data, size);
    sqlite3 *db = open_image();
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
    ASSERT(sqlite3_exec(db, "PRAGMA max_page_count = 2000", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_set_authorizer(db, authorise, NULL);
    for (char *at = strtok_r(text, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest)) {
        line l = {at};
        const char *verb = next_word(&l);
        if (strcmp(verb, "with") == 0)
            take_option(&l, flags, memory, argv, count, most);
        else if (strcmp(verb, "bytes") != 0)
            change(db, verb, &l);
    }
    if (!sqlite3_get_autocommit(db))
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    sqlite3_set_authorizer(db, NULL, NULL);
    sqlite3_int64 length = 0;
    unsigned char *image = sqlite3_serialize(db, "main", &length, 0);
    ASSERT(image);
    sqlite3_close(db);
    for (char *at = strtok_r(again, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest)) {
        line l = {at};
        if (strcmp(next_word(&l), "bytes") == 0)
            change_bytes(image, (size_t)length, &l);
    }
    program_write("log.db", image, (size_t)length);
    sqlite3_free(image);
    return program_path("log.db");
}

// ---- For mutations

static void add_lines(words *w, const char *kind) {
    char *text = NULL;
    size_t length = 0;
    char *path = arena_format(base.memory, "%s/%s.yaml", SCENE, kind);
    ASSERT(file_read(path, &text, &length, NULL) == OK);
    int number = 1;
    for (char *at = text; *at; number++) {
        size_t n = strcspn(at, "\n");
        array_push(&w->lines,
                   arena_format(base.memory, "file %s %d %.*s", kind, number, (int)n, at));
        for (size_t i = 0; i < n; i++)
            if (isalpha((unsigned char)at[i]) && (i == 0 || !isalnum((unsigned char)at[i - 1]))) {
                size_t k = i;
                while (k < n && (isalnum((unsigned char)at[k]) || at[k] == '_'))
                    k++;
                array_push(&w->words, arena_copy(base.memory, at + i, k - i));
                i = k;
            }
        at += n + (at[n] == '\n');
    }
    free(text);
}

const words *hostile_words(void) {
    static words all;
    static const char *const numbers[] = {"0",    "1",    "-1",  "2",     "1000000", "0.001",
                                          "1e9",  "1e-9", "7",   "360",   "all",     "20000000",
                                          ".nan", ".inf", "2e6", "-1e308"};
    if (all.lines.count)
        return &all;
    make_base();
    for (size_t i = 0; i < base.tables.count; i++) {
        const table *t = &base.tables.items[i];
        array_push(&all.words, t->name);
        array_push(&all.lines, arena_format(base.memory, "drop %s", t->name));
        array_push(&all.lines, arena_format(base.memory, "delete %s 1", t->name));
        array_push(&all.lines, arena_format(base.memory, "copy %s 0 9", t->name));
        for (size_t k = 0; k < t->columns.count; k++) {
            const char *value = VALUES[(i + k) % VALUE_COUNT].name;
            array_push(&all.words, t->columns.items[k]);
            array_push(&all.lines, arena_format(base.memory, "set %s %s 0 %s", t->name,
                                                t->columns.items[k], value));
            array_push(&all.lines, arena_format(base.memory, "set %s %s all %s", t->name,
                                                t->columns.items[k], value));
        }
    }
    array_push(&all.lines, "bytes 100 0 255");
    array_push(&all.lines, "sql PRAGMA user_version = 1");
    array_push(&all.lines, "set meta value 1 1");
    for (size_t k = 0; k < 4; k++) // as many as there are others
        for (size_t i = 0; i < VALUE_COUNT; i++)
            array_push(&all.words, VALUES[i].name);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        array_push(&all.words, numbers[i]);
    for (size_t i = 0; i < 3; i++)
        add_lines(&all, KINDS[i]);
    return &all;
}

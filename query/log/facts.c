// query/log/facts.c - rows of the log as rows of relations, loaded when they are first asked for.
//
// A bound argument that has an index loads the rows of that key alone. That goes on until look-ups
// have cost what reading the whole table costs; then the whole is read, so that neither many keys
// nor few of them cost more than twice what the better way does.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include "base/checked.h"
#include "base/search.h"
#include "base/time/clock.h"
#include "query/log/facts_int.h"
#include "schema/schema.h"

// In steps of SQLite's machine: what a look-up costs before its rows, and what a row and each of
// its columns cost in a scan.
#define LOOKUP_STEPS 50
#define ROW_STEPS 8
#define LOOKUPS_LEAST 4 // however small the table is
// So many rows of a table without ids are counted; more are taken to be as many as rows of so many
// bytes are in the file.
#define ROWS_COUNTED "5000"
#define ROW_BYTES "50"

static status fail_reading(facts *f, const char *doing, error *err) {
    return store_failed(store_db(f->store), NULL, doing, err);
}

// Reads (id, name) of a kind.
static status read_names(facts *f, record_kind kind, named_rows *out, error *err) {
    int64_t first, end;
    status s = store_range(f->store, kind, f->episode.id, &first, &end, err);
    if (s != OK)
        return s;
    char sql[160];
    snprintf(sql, sizeof sql, "SELECT id, name FROM %s WHERE id >= ?1 AND id < ?2 ORDER BY id",
             record_describe(kind)->table);
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(store_db(f->store), sql, -1, &stmt, NULL) != SQLITE_OK)
        return fail_reading(f, "reading the names of the log", err);
    sqlite3_bind_int64(stmt, 1, first);
    sqlite3_bind_int64(stmt, 2, end);
    int code;
    while (s == OK && (code = sqlite3_step(stmt)) != SQLITE_DONE) {
        const char *text = (const char *)sqlite3_column_text(stmt, 1);
        named n = {sqlite3_column_int64(stmt, 0), text ? values_symbol(f->values, text) : f->none};
        if (code != SQLITE_ROW)
            s = fail_reading(f, "reading the names of the log", err);
        else if (!budget_take(f->budget, sizeof n))
            s = error_set(err, E_LIMIT, "the log names more objects than the memory limit allows");
        else if (!array_push_try(out, n))
            s = error_set(err, E_MEMORY, "no memory is left for the names of the log");
    }
    sqlite3_finalize(stmt);
    return s == OK ? values_failed(f->values) : s;
}

static status index_objects(facts *f, error *err) {
    bool added;
    f->objects = relation_create(2, f->budget);
    if (!f->objects)
        return error_set(err, E_MEMORY, "no memory is left for the names of the log");
    for (size_t i = 0; i < f->object_names.count; i++) {
        const named *n = &f->object_names.items[i];
        value row[2] = {n->name, values_int(f->values, n->id)};
        status s = relation_add(f->objects, row, 0, 0, &added);
        if (s != OK)
            return error_set(err, s, "no memory is left for the names of the log");
    }
    return OK;
}

status facts_create(store *s, const store_episode *e, values *v, budget *b, facts **out,
                    error *err) {
    facts *f = calloc(1, sizeof *f);
    if (!f)
        return error_set(err, E_MEMORY, "no memory is left to open the log");
    f->store = s;
    f->episode = *e;
    f->values = v;
    f->budget = b;
    f->arena = arena_create();
    f->none = values_symbol(v, "none");
    for (size_t i = 0; i < facts_built_in; i++) {
        const fact *more = store_version(s) >= SCHEMA_PLACED ? fact_more(fact_at(i)) : NULL;
        if (!array_push_try(&f->tables, (loaded){.more = more})) {
            facts_destroy(f);
            return error_set(err, E_MEMORY, "no memory is left to open the log");
        }
    }
    status st = read_names(f, RECORD_OBJECT, &f->object_names, err);
    if (st == OK)
        st = read_names(f, RECORD_AGENT, &f->agent_names, err);
    if (st == OK)
        st = read_names(f, RECORD_BELIEVED, &f->believed_names, err);
    if (st == OK)
        st = index_objects(f, err);
    if (st != OK) {
        facts_destroy(f);
        return st;
    }
    *out = f;
    return OK;
}

void facts_clear_slot(loaded *l) {
    for (size_t i = 0; i < l->lookups.count; i++)
        sqlite3_finalize(l->lookups.items[i].stmt);
    array_finish(&l->lookups);
    relation_destroy(l->rows);
    relation_destroy(l->partitions);
    free(l->mapped);
    *l = (loaded){0};
}

void facts_destroy(facts *f) {
    if (!f)
        return;
    for (size_t i = 0; i < f->tables.count; i++)
        facts_clear_slot(&f->tables.items[i]);
    array_finish(&f->tables);
    relation_destroy(f->objects);
    array_finish(&f->object_names);
    array_finish(&f->agent_names);
    array_finish(&f->believed_names);
    arena_destroy(f->arena);
    free(f);
}

int64_t facts_object(const facts *f, value name) {
    relation_index *i;
    if (relation_index_on(f->objects, 1, &i) != OK)
        return 0;
    uint32_t row = relation_first(f->objects, i, &name);
    return row == ROW_NONE ? 0 : values_integer(f->values, relation_row(f->objects, row)[1]);
}

static value name_of(const named_rows *names, int64_t id) {
    size_t i = ids_find(names->items, sizeof *names->items, names->count, id);
    return i == IDS_NONE ? VALUE_NONE : names->items[i].name;
}

// Reads a text as the term that it spells, or else as a string.
static value read_term(facts *f, const char *text, size_t length) {
    const term *t;
    error err;
    arena_reset(f->arena);
    if (term_parse(f->arena, "log", text, length, 1, 1, &t, &err) != OK)
        return values_string(f->values, text);
    return values_from_term(f->values, t);
}

// Reads the value of one argument of the log's own facts; VALUE_NONE leaves the row out. *column
// moves on to the next argument.
static value read_column(facts *f, sqlite3_stmt *stmt, char kind, int *column) {
    int c = (*column)++;
    bool null = sqlite3_column_type(stmt, c) == SQLITE_NULL;
    char k = (char)tolower((unsigned char)kind);
    if (k == 'p') {
        value args[7];
        *column += 6;
        for (int i = 0; i < 7; i++) {
            if (sqlite3_column_type(stmt, c + i) == SQLITE_NULL)
                return VALUE_NONE;
            args[i] = values_float(f->values, sqlite3_column_double(stmt, c + i));
        }
        return values_compound(f->values, "pose", 7, args);
    }
    if (null && k == 'e')
        return values_time(f->episode.end + 1);
    if (null)
        return isupper((unsigned char)kind) ? f->none : VALUE_NONE;
    const char *text;
    double x;
    switch (k) {
    case 'i':
        return values_int(f->values, sqlite3_column_int64(stmt, c));
    case 'o':
        return name_of(&f->object_names, sqlite3_column_int64(stmt, c));
    case 'a':
        return name_of(&f->agent_names, sqlite3_column_int64(stmt, c));
    case 'b':
        return name_of(&f->believed_names, sqlite3_column_int64(stmt, c));
    case 't':
    case 'e':
        return values_time(sqlite3_column_int64(stmt, c));
    case 'd':
        return values_time(nanos_from_seconds(sqlite3_column_double(stmt, c)));
    case 'r':
        x = sqlite3_column_double(stmt, c);
        // A log writes infinity where there is no limit.
        return isfinite(x) ? values_float(f->values, x) : VALUE_NONE;
    default:
        text = (const char *)sqlite3_column_text(stmt, c);
        if (!text)
            return VALUE_NONE;
        if (k == 'y')
            return values_symbol(f->values, text);
        if (k == 's')
            return values_string(f->values, text);
        return read_term(f, text, (size_t)sqlite3_column_bytes(stmt, c));
    }
}

// ---- Checking types
// ------------------------------------------------------------------------------ A value in a
// column must be of the type that was declared for it.

static void format_stored(sqlite3_stmt *stmt, int c, char *buffer, size_t size) {
    switch (sqlite3_column_type(stmt, c)) {
    case SQLITE_INTEGER:
        snprintf(buffer, size, "the integer %lld", (long long)sqlite3_column_int64(stmt, c));
        break;
    case SQLITE_FLOAT:
        snprintf(buffer, size, "the number %g", sqlite3_column_double(stmt, c));
        break;
    case SQLITE_TEXT: {
        const char *text = (const char *)sqlite3_column_text(stmt, c);
        snprintf(buffer, size, "the text '%.40s'", text ? text : "");
        break;
    }
    default:
        snprintf(buffer, size, "bytes");
    }
}

static bool is_of(sqlite3_stmt *stmt, int c, char k, bool mapped) {
    int type = sqlite3_column_type(stmt, c);
    double x;
    nanos t;
    if (type == SQLITE_NULL)
        return true;
    switch (k) {
    case 'i':
        return type == SQLITE_INTEGER;
    case 't':
    case 'e':
        return column_time(stmt, c, &t);
    case 'o':
    case 'a':
    case 'b':
        return type == SQLITE_INTEGER || (mapped && type == SQLITE_TEXT);
    case 'd':
        x = sqlite3_column_double(stmt, c);
        return (type == SQLITE_INTEGER || type == SQLITE_FLOAT) && x > -SECONDS_MAX &&
               x < SECONDS_MAX;
    case 'r':
    case 'p':
        return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    case 'm':
        return type != SQLITE_BLOB;
    default:
        return type == SQLITE_TEXT;
    }
}

static value read_mapped(facts *f, sqlite3_stmt *stmt, char kind, int *column) {
    char k = (char)tolower((unsigned char)kind);
    int c = *column, type = sqlite3_column_type(stmt, c);
    if ((k == 'o' || k == 'a' || k == 'b') && type == SQLITE_TEXT) {
        const char *text = (const char *)sqlite3_column_text(stmt, c);
        ++*column;
        value name = text ? values_symbol(f->values, text) : VALUE_NONE;
        return k != 'o' || facts_object(f, name) != 0 ? name : VALUE_NONE;
    }
    if (k == 'm' && type == SQLITE_INTEGER)
        return read_column(f, stmt, 'i', column);
    if (k == 'm' && type == SQLITE_FLOAT)
        return read_column(f, stmt, 'r', column);
    return read_column(f, stmt, kind, column);
}

static status fail_mismatch(const facts *f, const fact *what, sqlite3_stmt *stmt, uint32_t arg,
                            int c, error *err) {
    const fact_origin *o = what->origin;
    char found[100], row[40] = "";
    int last = sqlite3_column_count(stmt) - 1;
    if (what->has_rowid || !o)
        snprintf(row, sizeof row, " in row %lld", (long long)sqlite3_column_int64(stmt, last));
    format_stored(stmt, c, found, sizeof found);
    if (!o)
        return error_at(err, E_INPUT, store_path(f->store), 0, 0,
                        "the log is damaged: its table %s holds %s%s, which %s cannot be",
                        fact_table(what), found, row, what->name);
    return error_at(err, E_INPUT, o->file, o->arg_places[arg].line, o->arg_places[arg].column,
                    "%s of %s is declared %s, but column %s of %s holds %s%s", o->args[arg],
                    what->name, o->types[arg], o->columns[c], what->from, found, row);
}

// Reads one row of the statement. *whole false: the row has a NULL and is left out.
static status read_row(facts *f, const fact *what, sqlite3_stmt *stmt, value *row, bool *whole,
                       error *err) {
    int column = 0;
    *whole = true;
    for (uint32_t i = 0; i < what->arity; i++) {
        char k = (char)tolower((unsigned char)what->kinds[i]);
        int width = (int)fact_kind_columns(k);
        for (int c = column; c < column + width; c++) {
            if (!is_of(stmt, c, k, what->origin != NULL))
                return fail_mismatch(f, what, stmt, i, c, err);
        }
        row[i] = what->origin ? read_mapped(f, stmt, what->kinds[i], &column)
                              : read_column(f, stmt, what->kinds[i], &column);
        *whole = *whole && row[i] != VALUE_NONE;
    }
    return values_failed(f->values);
}

// ---- Reading ------------------------------------------------------------------------------------

double facts_load_seconds(const facts *f) {
    return f->seconds;
}

static int stop_asked(void *context) {
    const facts *f = context;
    return budget_interrupted(f->budget);
}

#define TOUCHES_BACK "id, b, a, start_ns, end_ns"
static bool is_touches(const fact *what) {
    return !what->columns[0];
}

static status prepare_sql(facts *f, const fact *what, const char *columns, const char *condition,
                          sqlite3_stmt **stmt, const char *doing, error *err) {
    char *sql, number[100];
    const column_info *key = what->origin || what->from ? NULL : record_key(what->table);
    const char *id = key ? key->name : "id";
    if (what->origin)
        sql = sqlite3_mprintf("SELECT %s%s FROM \"%w\" AS t WHERE 1 %s %s", columns,
                              what->has_rowid ? ", t.rowid" : ", 0", what->from, what->source,
                              condition);
    else if (what->from)
        sql = sqlite3_mprintf("SELECT %s, id FROM %s WHERE 1 %s %s", columns, what->from,
                              what->source, condition);
    else
        sql = sqlite3_mprintf("SELECT %s, %s FROM %s WHERE %s >= ?1 AND %s < ?2 %s %s", columns,
                              schema_row_number(what->table, number), fact_table(what), id, id,
                              what->source, condition);
    if (!sql)
        return error_set(err, E_MEMORY, "no memory is left to read the log");
    int code = sqlite3_prepare_v2(store_db(f->store), sql, -1, stmt, NULL);
    sqlite3_free(sql);
    return code == SQLITE_OK ? OK : fail_reading(f, doing, err);
}

// Of a table that is not of the log's own kinds there are no ids.
static id_range range_of(const facts *f, const fact *what) {
    return what->table < RECORD_KINDS ? f->ranges[what->table] : (id_range){0};
}

static void bind_range(const facts *f, const fact *what, sqlite3_stmt *stmt) {
    id_range ids = range_of(f, what);
    // Binding a parameter that a statement does not have fails, and does no harm.
    sqlite3_bind_int64(stmt, 1, what->from ? f->episode.id : ids.first);
    sqlite3_bind_int64(stmt, 2, ids.end);
}

// Binds ?3 and ?4 to the values that a column has in rows whose argument is `key`. False: no row
// can have this key.
static bool bind_key(const facts *f, const fact *what, int arg, value key, sqlite3_stmt *stmt) {
    const char *text;
    value_tag tag = value_kind(key);
    switch (tolower((unsigned char)what->kinds[arg])) {
    case 'i':
        if (tag != VALUE_INT && tag != VALUE_WIDE)
            return false;
        sqlite3_bind_int64(stmt, 3, values_integer(f->values, key));
        return true;
    case 't':
        sqlite3_bind_int64(stmt, 3, value_nanos(key));
        return tag == VALUE_TIME;
    case 'o':
        if (tag != VALUE_SYMBOL || facts_object(f, key) == 0)
            return false;
        sqlite3_bind_int64(stmt, 3, facts_object(f, key));
        if (what->origin)
            sqlite3_bind_text(stmt, 4, values_text(f->values, key), -1, SQLITE_TRANSIENT);
        return true;
    default:
        if (tag != VALUE_SYMBOL && tag != VALUE_STRING)
            return false;
        text = values_text(f->values, key);
        return sqlite3_bind_text(stmt, 3, text, -1, SQLITE_TRANSIENT) == SQLITE_OK;
    }
}

// Adds all rows of a statement that is bound.
static status read_statement(facts *f, const fact *what, loaded *l, sqlite3_stmt *stmt,
                             const char *doing, error *err) {
    nanos started = clock_wall();
    status s = OK;
    int code = SQLITE_DONE;
    // A view may compute long before it gives its first row.
    sqlite3_progress_handler(store_db(f->store), 10000, stop_asked, f);
    while (s == OK && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        value row[RELATION_ARITY_MAX];
        bool whole, added;
        s = read_row(f, what, stmt, row, &whole, err);
        if (whole && s == OK)
            s = relation_add(l->rows, row, 0, 0, &added);
        if (s == OK && budget_interrupted(f->budget))
            s = E_INTERRUPTED;
    }
    if (s == OK && code != SQLITE_DONE)
        s = fail_reading(f, doing, err);
    else if (s != OK && err && !err->text[0])
        error_set(err, s, "%s failed: %s", doing, status_sentence(s));
    sqlite3_progress_handler(store_db(f->store), 0, NULL, NULL);
    l->spent += LOOKUP_STEPS + (uint64_t)sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 1);
    sqlite3_reset(stmt);
    f->seconds += seconds(clock_wall() - started);
    return s;
}

static void describe_reading(const fact *what, char *doing, size_t size) {
    snprintf(doing, size, "reading the table of %.80s", what->name);
}

static status read_whole(facts *f, const fact *what, loaded *l, const char *columns, error *err) {
    char doing[120];
    sqlite3_stmt *stmt = NULL;
    describe_reading(what, doing, sizeof doing);
    status s = prepare_sql(f, what, columns, "", &stmt, doing, err);
    if (s != OK)
        return s;
    bind_range(f, what, stmt);
    s = read_statement(f, what, l, stmt, doing, err);
    sqlite3_finalize(stmt);
    return s;
}

// The statement that looks up by an argument, made once.
static status lookup_of(facts *f, const fact *what, loaded *l, int arg, sqlite3_stmt **out,
                        const char *doing, error *err) {
    for (size_t i = 0; i < l->lookups.count; i++) {
        if (l->lookups.items[i].what == what && l->lookups.items[i].arg == arg) {
            *out = l->lookups.items[i].stmt;
            return OK;
        }
    }
    char condition[300];
    if (!fact_key_condition(what, arg, condition, sizeof condition))
        return error_set(err, E_USAGE, "%s cannot be looked up by argument %d", what->name, arg);
    sqlite3_stmt *stmt = NULL;
    status s = prepare_sql(f, what, what->columns, condition, &stmt, doing, err);
    if (s != OK)
        return s;
    if (!array_push_try(&l->lookups, ((lookup){what, arg, stmt}))) {
        sqlite3_finalize(stmt);
        return error_set(err, E_MEMORY, "no memory is left to read the log");
    }
    bind_range(f, what, stmt);
    *out = stmt;
    return OK;
}

static loaded *slot_of(facts *f, const fact *what) {
    return &f->tables.items[what->origin ? what->slot : fact_index(what)];
}

static status find_range(facts *f, record_kind kind, error *err) {
    id_range *ids = &f->ranges[kind];
    status s =
        ids->known ? OK : store_range(f->store, kind, f->episode.id, &ids->first, &ids->end, err);
    ids->known = s == OK;
    return s;
}

static status ready_slot(facts *f, const fact *what, loaded *l, error *err) {
    const fact *more = l->more;
    status s = what->from ? OK : find_range(f, what->table, err);
    if (s == OK && more)
        s = find_range(f, more->table, err);
    if (s != OK)
        return s;
    if (!l->rows)
        l->rows = relation_create(what->arity, f->budget);
    if (!l->partitions)
        l->partitions = relation_create(2, f->budget);
    if (!l->rows || !l->partitions)
        return error_set(err, E_MEMORY, "no memory is left to read the log");
    return OK;
}

// Returns how many rows a table without ids has of the episode: counted where they are few, else as
// many as the file has room for.
static uint32_t count_keyed(facts *f, const fact *what) {
    id_range *ids = &f->ranges[what->table];
    char sql[400];
    int64_t n = 0;
    if (ids->counted)
        return ids->rows;
    sqlite3_stmt *stmt = NULL;
    const char *key = record_key(what->table)->name, *table = fact_table(what);
    snprintf(sql, sizeof sql,
             "SELECT CASE WHEN n < " ROWS_COUNTED " THEN n ELSE page_count * page_size / " ROW_BYTES
             " END FROM (SELECT count(*) AS n FROM (SELECT 1 FROM %s WHERE %s >= ?1 AND %s < ?2"
             " LIMIT " ROWS_COUNTED ")), pragma_page_count, pragma_page_size",
             table, key, key);
    if (sqlite3_prepare_v2(store_db(f->store), sql, -1, &stmt, NULL) == SQLITE_OK) {
        bind_range(f, what, stmt);
        if (sqlite3_step(stmt) == SQLITE_ROW)
            n = sqlite3_column_int64(stmt, 0);
    }
    sqlite3_finalize(stmt);
    ids->counted = true;
    return ids->rows = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

uint32_t facts_size(facts *f, const fact *what) {
    if (what->held)
        return what->held->count;
    loaded *l = slot_of(f, what);
    if (l->whole)
        return l->rows->count;
    if (what->origin)
        return l->likely;
    if (what->from)
        return 1;
    if (ready_slot(f, what, l, NULL) != OK)
        return 0;
    if (record_key(what->table))
        return count_keyed(f, what);
    id_range ids = range_of(f, what);
    uint32_t besides = l->more ? count_keyed(f, l->more) : 0;
    size_t n;
    return !checked_span(ids.first, ids.end, &n) || n > UINT32_MAX - besides
               ? UINT32_MAX
               : (uint32_t)n + besides;
}

bool facts_have_none(facts *f, const fact *what) {
    if (what->held)
        return what->held->count == 0;
    loaded *l = slot_of(f, what);
    if (l->whole)
        return l->rows->count == 0;
    const fact *more = l->more;
    return !what->origin && !what->from && ready_slot(f, what, l, NULL) == OK &&
           range_of(f, what).first >= range_of(f, what).end &&
           (!more || range_of(f, more).first >= range_of(f, more).end);
}

// Returns whether one more look-up costs no more than reading the whole table.
static bool worth_a_lookup(facts *f, const fact *what, const loaded *l) {
    uint64_t whole = (uint64_t)facts_size(f, what) * (ROW_STEPS + what->arity);
    return l->partitions->count < LOOKUPS_LEAST || l->spent + LOOKUP_STEPS <= whole;
}

static status look_up(facts *f, const fact *what, loaded *l, int bound, value key, error *err) {
    char doing[120];
    sqlite3_stmt *stmt = NULL;
    describe_reading(what, doing, sizeof doing);
    status s = lookup_of(f, what, l, bound, &stmt, doing, err);
    return s == OK && bind_key(f, what, bound, key, stmt)
               ? read_statement(f, what, l, stmt, doing, err)
               : s;
}

status facts_load(facts *f, const fact *what, int bound, value key, relation **out, error *err) {
    if (what->held) {
        *out = what->held;
        return OK;
    }
    loaded *l = slot_of(f, what);
    status s = ready_slot(f, what, l, err);
    if (s != OK)
        return s;
    *out = l->rows;
    if (l->whole)
        return OK;
    const fact *more = l->more;
    if (bound >= 0) {
        value partition[2] = {values_int(f->values, bound), key};
        if (relation_find(l->partitions, partition) != ROW_NONE)
            return OK;
        if (worth_a_lookup(f, what, l)) {
            bool added;
            s = look_up(f, what, l, bound, key, err);
            if (s == OK && more)
                s = look_up(f, more, l, bound, key, err);
            return s == OK ? relation_add(l->partitions, partition, 0, 0, &added) : s;
        }
    }
    if (is_touches(what)) {
        s = read_whole(f, what, l, "id, a, b, start_ns, end_ns", err);
        if (s == OK)
            s = read_whole(f, what, l, TOUCHES_BACK, err);
    } else {
        s = read_whole(f, what, l, what->columns, err);
    }
    if (s == OK && more)
        s = read_whole(f, more, l, more->columns, err);
    l->whole = s == OK;
    return s;
}

// ---- Citing
// -------------------------------------------------------------------------------------- A proof
// names the row of the log that gave a fact.

// Gives the SQL of an argument's column. False: it is more than a plain name.
static bool plain_column(const fact *what, uint32_t arg, char *out, size_t size) {
    const char *at = what->columns;
    int depth = 0;
    for (uint32_t i = 0; i < arg; i++) {
        for (uint32_t k = fact_kind_columns((char)tolower((unsigned char)what->kinds[i])); k > 0;
             k--) {
            while (*at && (*at != ',' || depth > 0)) {
                depth += (*at == '(') - (*at == ')');
                at++;
            }
            at += *at == ',';
            at += *at == ' ';
        }
    }
    size_t n = 0;
    while (at[n] == '_' || isalnum((unsigned char)at[n]))
        n++;
    if (n == 0 || (at[n] && at[n] != ',') || n >= size)
        return false;
    memcpy(out, at, n);
    out[n] = 0;
    return true;
}

static status cite_row(facts *f, const fact *what, const char *columns, const value *row,
                       int64_t *id, error *err) {
    char doing[120], condition[300] = "", column[256];
    int by = -1;
    describe_reading(what, doing, sizeof doing);
    uint32_t all = what->arity >= 32 ? UINT32_MAX : (UINT32_C(1) << what->arity) - 1;
    if (!is_touches(what))
        by = fact_key(what, all);
    // Where there is no index, a time or an id narrows the search down, but not where the value in
    // one row depends on other rows.
    for (uint32_t i = 0; by < 0 && !what->origin && !is_touches(what) && i < what->arity &&
                         !strstr(what->columns, " OVER ");
         i++) {
        if (strchr("iot", what->kinds[i]) && plain_column(what, i, column, sizeof column))
            by = (int)i;
    }
    if (is_touches(what)) {
        by = 0;
        snprintf(condition, sizeof condition, "AND id = ?3");
    } else if (by >= 0) {
        if (!fact_key_condition(what, by, condition, sizeof condition)) {
            plain_column(what, (uint32_t)by, column, sizeof column);
            snprintf(condition, sizeof condition, "AND %s = ?3", column);
        }
    }
    sqlite3_stmt *stmt = NULL;
    status s = prepare_sql(f, what, columns, condition, &stmt, doing, err);
    if (s != OK)
        return s;
    bind_range(f, what, stmt);
    int code = SQLITE_DONE;
    bool possible = by < 0 || bind_key(f, what, by, row[by], stmt);
    while (possible && s == OK && *id == 0 && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        value got[RELATION_ARITY_MAX];
        bool whole;
        s = read_row(f, what, stmt, got, &whole, err);
        if (whole && memcmp(got, row, what->arity * sizeof *got) == 0)
            *id = sqlite3_column_int64(stmt, sqlite3_column_count(stmt) - 1);
        if (s == OK && budget_interrupted(f->budget))
            s = E_INTERRUPTED;
    }
    if (s == OK && code != SQLITE_DONE && code != SQLITE_ROW)
        s = fail_reading(f, doing, err);
    sqlite3_finalize(stmt);
    return s;
}

status facts_cite(facts *f, const fact *what, const value *row, int64_t *id, const char **table,
                  error *err) {
    *table = fact_table(what);
    if (what->held) {
        *id = (int64_t)relation_find(what->held, row) + 1;
        return OK;
    }
    int64_t found = 0;
    const fact *more = slot_of(f, what)->more;
    status s = ready_slot(f, what, slot_of(f, what), err);
    if (s == OK)
        s = cite_row(f, what, is_touches(what) ? "id, a, b, start_ns, end_ns" : what->columns, row,
                     &found, err);
    if (s == OK && found == 0 && is_touches(what))
        s = cite_row(f, what, TOUCHES_BACK, row, &found, err);
    if (s == OK && found == 0 && more) {
        s = cite_row(f, more, more->columns, row, &found, err);
        *table = found ? fact_table(more) : *table;
    }
    if (s == OK)
        *id = found;
    return s;
}

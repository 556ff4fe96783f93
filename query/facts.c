// query/facts.c - rows of the log as rows of relations, loaded when they are first asked for.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include "query/fact.h"

#define PARTITIONS_MOST 32          // then the whole table is read
#define WHOLE_MOST UINT32_C(100000) // unless it is larger than this

static const fact FACTS[] = {
#define FACT(name, kinds, columns, table, extra, key, doc)                                         \
    {name, sizeof kinds - 1, kinds, columns, extra, key, RECORD_##table, doc},
#include "query/facts.def"
#undef FACT
};
#define FACT_COUNT (sizeof FACTS / sizeof *FACTS)

typedef struct loaded {
    relation *rows;
    relation *partitions; // keys that are in
    bool whole;
    int64_t first, end; // ids of the episode
    bool ranged;
} loaded;

struct facts {
    store *store;
    store_episode episode;
    values *values;
    budget *budget;
    arena *arena; // of terms being read
    loaded tables[FACT_COUNT];
    relation *objects;   // name, id
    relation *believed;  // agent id, name, id
    value *object_names; // by id - object_first
    int64_t object_first;
    size_t object_count;
    value *believed_names;
    int64_t believed_first;
    size_t believed_count;
    value *agent_names;
    int64_t agent_first;
    size_t agent_count;
    value none;
};

const fact *fact_at(size_t i) {
    return i < FACT_COUNT ? &FACTS[i] : NULL;
}

const fact *fact_find(const char *name, uint32_t arity) {
    for (size_t i = 0; i < FACT_COUNT; i++) {
        if (FACTS[i].arity == arity && strcmp(FACTS[i].name, name) == 0)
            return &FACTS[i];
    }
    return NULL;
}

bool fact_column_is_time(const fact *f, uint32_t column) {
    return f->kinds[column] == 't' || f->kinds[column] == 'e';
}

int fact_indexed(const fact *f) {
    return f->key[0] ? f->key[0] - '1' : -1;
}

static status failed(facts *f, const char *doing, error *err) {
    return store_failed(store_db(f->store), NULL, doing, err);
}

// Reads (id, name) of a kind into an array by id.
static status read_names(facts *f, record_kind kind, value **names, int64_t *first, size_t *count,
                         error *err) {
    int64_t end;
    status s = store_range(f->store, kind, f->episode.id, first, &end, err);
    if (s != OK)
        return s;
    *count = (size_t)(end - *first);
    if (!budget_take(f->budget, *count * sizeof **names))
        return error_set(err, E_LIMIT, "the log names more objects than the memory limit allows");
    *names = malloc((*count + 1) * sizeof **names);
    if (!*names)
        return error_set(err, E_MEMORY, "no memory is left for the names of the log");
    for (size_t i = 0; i < *count; i++)
        (*names)[i] = f->none;
    char sql[160];
    snprintf(sql, sizeof sql, "SELECT id, name FROM %s WHERE id >= ?1 AND id < ?2",
             record_describe(kind)->table);
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(store_db(f->store), sql, -1, &stmt, NULL) != SQLITE_OK)
        return failed(f, "reading the names of the log", err);
    sqlite3_bind_int64(stmt, 1, *first);
    sqlite3_bind_int64(stmt, 2, end);
    int code;
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(stmt, 1);
        int64_t id = sqlite3_column_int64(stmt, 0);
        if (text && id >= *first && id < end)
            (*names)[id - *first] = values_symbol(f->values, text);
    }
    s = code == SQLITE_DONE ? values_failed(f->values)
                            : failed(f, "reading the names of the log", err);
    sqlite3_finalize(stmt);
    return s;
}

static status index_objects(facts *f, error *err) {
    bool added;
    f->objects = relation_create(2, f->budget);
    if (!f->objects)
        return error_set(err, E_MEMORY, "no memory is left for the names of the log");
    for (size_t i = 0; i < f->object_count; i++) {
        value row[2] = {f->object_names[i], values_int(f->values, f->object_first + (int64_t)i)};
        status s = relation_add(f->objects, row, 0, 0, &added);
        if (s != OK)
            return error_set(err, s, "no memory is left for the names of the log");
    }
    return OK;
}

status facts_open(store *s, const store_episode *e, values *v, budget *b, facts **out, error *err) {
    facts *f = calloc(1, sizeof *f);
    if (!f)
        return error_set(err, E_MEMORY, "no memory is left to open the log");
    f->store = s;
    f->episode = *e;
    f->values = v;
    f->budget = b;
    f->arena = arena_create();
    f->none = values_symbol(v, "none");
    status st =
        read_names(f, RECORD_OBJECT, &f->object_names, &f->object_first, &f->object_count, err);
    if (st == OK)
        st = read_names(f, RECORD_AGENT, &f->agent_names, &f->agent_first, &f->agent_count, err);
    if (st == OK)
        st = read_names(f, RECORD_BELIEVED, &f->believed_names, &f->believed_first,
                        &f->believed_count, err);
    if (st == OK)
        st = index_objects(f, err);
    if (st != OK) {
        facts_close(f);
        return st;
    }
    *out = f;
    return OK;
}

void facts_close(facts *f) {
    if (!f)
        return;
    for (size_t i = 0; i < FACT_COUNT; i++) {
        relation_destroy(f->tables[i].rows);
        relation_destroy(f->tables[i].partitions);
    }
    relation_destroy(f->objects);
    free(f->object_names);
    free(f->agent_names);
    free(f->believed_names);
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

static value name_of(const value *names, int64_t first, size_t count, int64_t id) {
    return id >= first && (size_t)(id - first) < count ? names[id - first] : VALUE_NONE;
}

// A text that is a term, or else a string.
static value read_term(facts *f, const char *text, size_t length) {
    const term *t;
    error err;
    arena_reset(f->arena);
    if (term_parse(f->arena, "log", text, length, 1, 1, &t, &err) != OK)
        return values_string(f->values, text);
    return values_from_term(f->values, t);
}

// The value of one argument; VALUE_NONE leaves the row out. *column moves on.
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
        return name_of(f->object_names, f->object_first, f->object_count,
                       sqlite3_column_int64(stmt, c));
    case 'a':
        return name_of(f->agent_names, f->agent_first, f->agent_count,
                       sqlite3_column_int64(stmt, c));
    case 'b':
        return name_of(f->believed_names, f->believed_first, f->believed_count,
                       sqlite3_column_int64(stmt, c));
    case 't':
    case 'e':
        return values_time(sqlite3_column_int64(stmt, c));
    case 'r':
        x = sqlite3_column_double(stmt, c);
        // Infinite is how a log says without limit.
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

static status read_rows(facts *f, const fact *what, loaded *l, const char *columns, bool keyed,
                        value key, error *err) {
    char sql[900];
    snprintf(sql, sizeof sql, "SELECT %s FROM %s WHERE id >= ?1 AND id < ?2 %s%s%s%s", columns,
             record_describe(what->table)->table, what->source, keyed ? " AND " : "",
             keyed ? what->key + 2 : "", keyed ? " = ?3" : "");
    sqlite3_stmt *stmt = NULL;
    char doing[100];
    snprintf(doing, sizeof doing, "reading the table of %s", what->name);
    if (sqlite3_prepare_v2(store_db(f->store), sql, -1, &stmt, NULL) != SQLITE_OK)
        return failed(f, doing, err);
    sqlite3_bind_int64(stmt, 1, l->first);
    sqlite3_bind_int64(stmt, 2, l->end);
    if (keyed)
        sqlite3_bind_int64(stmt, 3, values_integer(f->values, key));
    int code;
    status s = OK;
    while (s == OK && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        value row[RELATION_ARITY_MOST];
        int column = 0;
        bool whole = true, added;
        for (uint32_t i = 0; i < what->arity; i++) {
            row[i] = read_column(f, stmt, what->kinds[i], &column);
            whole = whole && row[i] != VALUE_NONE;
        }
        s = values_failed(f->values);
        if (whole && s == OK)
            s = relation_add(l->rows, row, 0, 0, &added);
        if (s == OK && atomic_load_explicit(&f->budget->interrupted, memory_order_relaxed))
            s = E_INTERRUPTED;
    }
    if (s == OK && code != SQLITE_DONE)
        s = failed(f, doing, err);
    else if (s != OK && err && !err->text[0])
        error_set(err, s, "%s failed: %s", doing, status_sentence(s));
    sqlite3_finalize(stmt);
    return s;
}

static status prepare(facts *f, const fact *what, loaded *l, error *err) {
    if (!l->ranged) {
        status s = store_range(f->store, what->table, f->episode.id, &l->first, &l->end, err);
        if (s != OK)
            return s;
        l->ranged = true;
    }
    if (!l->rows)
        l->rows = relation_create(what->arity, f->budget);
    if (!l->partitions)
        l->partitions = relation_create(1, f->budget);
    if (!l->rows || !l->partitions)
        return error_set(err, E_MEMORY, "no memory is left to read the log");
    return OK;
}

uint32_t facts_size(facts *f, const fact *what) {
    loaded *l = &f->tables[what - FACTS];
    if (l->whole)
        return l->rows->count;
    if (prepare(f, what, l, NULL) != OK)
        return 0;
    int64_t n = l->end - l->first;
    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

// The row id that a value of the indexed column stands for; false: no row has it.
static bool key_id(facts *f, const fact *what, int bound, value key, value *id) {
    char kind = (char)tolower((unsigned char)what->kinds[bound]);
    if (kind == 'i') {
        *id = key;
        return value_kind(key) == VALUE_INT;
    }
    if (kind == 'o') {
        int64_t n = facts_object(f, key);
        *id = values_int(f->values, n);
        return n != 0;
    }
    return false;
}

status facts_load(facts *f, const fact *what, int bound, value key, relation **out, error *err) {
    loaded *l = &f->tables[what - FACTS];
    status s = prepare(f, what, l, err);
    if (s != OK)
        return s;
    *out = l->rows;
    if (l->whole)
        return OK;
    bool can_key = bound >= 0 && (what->kinds[bound] == 'i' || what->kinds[bound] == 'o');
    if (can_key && (l->partitions->count < PARTITIONS_MOST || l->end - l->first > WHOLE_MOST)) {
        value id;
        bool added;
        if (!key_id(f, what, bound, key, &id))
            return OK;
        s = relation_add(l->partitions, &id, 0, 0, &added);
        if (s != OK || !added)
            return s;
        return read_rows(f, what, l, what->columns, true, id, err);
    }
    if (strcmp(what->name, "touches") == 0) {
        s = read_rows(f, what, l, "id, a, b, start_ns, end_ns", false, 0, err);
        if (s == OK)
            s = read_rows(f, what, l, "id, b, a, start_ns, end_ns", false, 0, err);
    } else {
        s = read_rows(f, what, l, what->columns, false, 0, err);
    }
    l->whole = s == OK;
    return s;
}

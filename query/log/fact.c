// query/log/fact.c - the facts that the log has (facts.def), and the types of those that rules map.
#include <ctype.h>
#include <stdio.h>
#include "query/log/facts_int.h"
#include "schema/schema.h"

static const fact FACTS[] = {
#define FACT(name, kinds, columns, table, extra, key, doc)                                         \
    {name, sizeof kinds - 1, kinds, columns, extra, key, RECORD_##table, doc, NULL, NULL, 0, 0, 1},
#define LOG_FACT(name, kinds, columns, from, extra, doc)                                           \
    {name, sizeof kinds - 1, kinds, columns, extra, "", RECORD_KINDS, doc, from, NULL, 0, 0, 1},
#define MORE(name, kinds, columns, table, extra, key)
#include "query/log/facts.def"
#undef FACT
#undef LOG_FACT
#undef MORE
};
static const fact MORES[] = {
#define FACT(name, kinds, columns, table, extra, key, doc)
#define LOG_FACT(name, kinds, columns, from, extra, doc)
#define MORE(name, kinds, columns, table, extra, key)                                              \
    {name, sizeof kinds - 1, kinds, columns, extra, key, RECORD_##table, "", NULL, NULL, 0, 0, 1},
#include "query/log/facts.def"
#undef FACT
#undef LOG_FACT
#undef MORE
};
#define FACT_COUNT (sizeof FACTS / sizeof *FACTS)
const uint32_t facts_built_in = FACT_COUNT;

size_t fact_index(const fact *f) {
    return (size_t)(f - FACTS);
}

const fact *fact_at(size_t i) {
    return i < FACT_COUNT ? &FACTS[i] : NULL;
}

const fact *fact_find(const char *name, uint32_t arity) {
    for (size_t i = 0; i < FACT_COUNT; i++) {
        if (FACTS[i].arity == arity && FACTS[i].name[0] == name[0] &&
            strcmp(FACTS[i].name, name) == 0)
            return &FACTS[i];
    }
    return NULL;
}

const fact *fact_more(const fact *f) {
    for (size_t i = 0; !f->origin && !f->held && i < sizeof MORES / sizeof *MORES; i++) {
        if (MORES[i].arity == f->arity && MORES[i].name[0] == f->name[0] &&
            strcmp(MORES[i].name, f->name) == 0)
            return &MORES[i];
    }
    return NULL;
}

bool fact_column_is_time(const fact *f, uint32_t column) {
    return strchr("ted", tolower((unsigned char)f->kinds[column])) != NULL;
}

const char *fact_table(const fact *f) {
    return f->from ? f->from : record_describe(f->table)->table;
}

static bool mapped_condition(const fact *f, int arg, char *out, size_t size) {
    char kind = f->kinds[arg];
    if (!(f->keyed >> arg & 1) || !strchr("ioyst", kind))
        return false;
    uint32_t at = 0;
    for (int i = 0; i < arg; i++)
        at += fact_kind_columns(f->kinds[i]);
    char *sql = sqlite3_mprintf(kind == 'o' ? "AND t.\"%w\" IN (?3, ?4)" : "AND t.\"%w\" = ?3",
                                f->origin->columns[at]);
    bool fits = sql && (size_t)snprintf(out, size, "%s", sql) < size;
    sqlite3_free(sql);
    return fits;
}

// Returns whether the first argument is what its row is called by. A column that depends on other
// rows would have another value in one row alone.
static bool begins_with_row(const fact *f) {
    char buffer[100];
    const char *number = schema_row_number(f->table, buffer);
    size_t length = strlen(number);
    return strncmp(f->columns, number, length) == 0 &&
           (f->columns[length] == ',' || f->columns[length] == 0) && !strstr(f->columns, " OVER ");
}

bool fact_key_condition(const fact *f, int arg, char *out, size_t size) {
    char kind = f->kinds[arg], buffer[200];
    if (f->origin)
        return mapped_condition(f, arg, out, size);
    if (f->from || !strchr("ioy", kind))
        return false;
    if (f->key[0] && f->key[0] - '1' == arg)
        snprintf(out, size, "AND %s = ?3", f->key + 2);
    else if (arg == 0 && kind != 'y' && begins_with_row(f))
        snprintf(out, size, "AND %s", schema_row_called(f->table, buffer));
    else
        return false;
    return true;
}

int fact_key(const fact *f, uint32_t bound) {
    char condition[300];
    if (f->held)
        return -1; // all of it is there
    if (f->origin && f->origin->key >= 0)
        return bound >> f->origin->key & 1 ? f->origin->key : -1;
    for (uint32_t i = 0; i < f->arity; i++) {
        if (bound >> i & 1 && fact_key_condition(f, (int)i, condition, sizeof condition))
            return (int)i;
    }
    return -1;
}

static const struct {
    const char *name;
    char kind;
} TYPES[] = {
    {"integer", 'i'}, {"object", 'o'}, {"agent", 'a'},  {"believed", 'b'},
    {"time", 't'},    {"end", 'e'},    {"number", 'r'}, {"seconds", 'd'},
    {"symbol", 'y'},  {"string", 's'}, {"term", 'm'},   {"pose", 'p'},
};
#define TYPE_COUNT (sizeof TYPES / sizeof *TYPES)

char fact_kind(const char *type) {
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (strcmp(TYPES[i].name, type) == 0)
            return TYPES[i].kind;
    }
    return 0;
}

const char *const *fact_types(size_t *count) {
    static const char *const names[] = {"integer", "object",  "agent",  "believed", "time", "end",
                                        "number",  "seconds", "symbol", "string",   "term", "pose"};
    *count = sizeof names / sizeof *names;
    return names;
}

uint32_t fact_kind_columns(char kind) {
    return kind == 'p' || kind == 'P' ? 7 : 1;
}

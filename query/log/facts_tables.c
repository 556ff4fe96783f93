// query/log/facts_tables.c - tables that rule files map: whether the database has them, and the SQL
// that reads them.
#include <ctype.h>
#include <stdio.h>
#include "query/log/facts_int.h"

#define LIKELY_ROWS 10000 // of a view
// The names in the database, and those of the tables that an earlier log got for this connection.
#define SCHEMA_NAMES                                                                               \
    "SELECT name FROM (SELECT * FROM sqlite_schema UNION ALL SELECT * FROM sqlite_temp_schema)"    \
    " WHERE type"

typedef struct declarer {
    facts *f;
    errors *list;
    arena *arena; // of names of the database
} declarer;

typedef ARRAY(const char *) texts;

// Reads the first column of all rows of a query, as texts.
static bool read_texts(declarer *d, const char *sql, const char *arg, texts *out) {
    sqlite3_stmt *stmt = NULL;
    bool ok = sqlite3_prepare_v2(store_db(d->f->store), sql, -1, &stmt, NULL) == SQLITE_OK;
    if (ok && arg)
        sqlite3_bind_text(stmt, 1, arg, -1, SQLITE_STATIC);
    while (ok && sqlite3_step(stmt) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(stmt, 0);
        array_push(out, arena_strdup(d->arena, text ? text : ""));
    }
    ok = sqlite3_finalize(stmt) == SQLITE_OK && ok;
    return ok;
}

static const char *find_text(const texts *set, const char *name) {
    for (size_t i = 0; i < set->count; i++) {
        if (sqlite3_stricmp(set->items[i], name) == 0)
            return set->items[i];
    }
    return NULL;
}

static void report_unknown(declarer *d, const fact_origin *o, fact_place at, const char *what,
                           const char *name, const texts *known) {
    const char *near = nearest_name(name, known->items, known->count);
    errors_add(d->list, o->file, at.line, at.column,
               near ? "%s '%s'; did you mean '%s'?" : "%s '%s'", what, name, near);
}

static bool check_columns(declarer *d, const fact *f, const texts *columns) {
    const fact_origin *o = f->origin;
    char what[200];
    size_t before = d->list->count;
    snprintf(what, sizeof what, "%.100s has no column", f->from);
    for (uint32_t i = 0; i < o->column_count; i++) {
        bool is_rowid = f->has_rowid && sqlite3_stricmp(o->columns[i], "rowid") == 0;
        if (!is_rowid && !find_text(columns, o->columns[i]))
            report_unknown(d, o, o->column_places[i], what, o->columns[i], columns);
    }
    if (o->episode && !find_text(columns, o->episode))
        report_unknown(d, o, o->episode_place, what, o->episode, columns);
    return d->list->count == before;
}

// The arguments whose column leads an index, alone or behind the episode's.
static uint32_t keyed_arguments(declarer *d, const fact *f) {
    const fact_origin *o = f->origin;
    texts first = {0}, second = {0}, lead = {0};
    uint32_t keyed = 0;
    read_texts(d,
               "SELECT i.name FROM pragma_index_list(?1) l, pragma_index_info(l.name) i WHERE "
               "i.seqno = 0 AND NOT l.partial AND i.name IS NOT NULL",
               f->from, &first);
    read_texts(d, "SELECT max(name) FROM pragma_table_xinfo(?1) WHERE pk > 0 HAVING count(*) = 1",
               f->from, &first);
    // An index that begins with the episode is as good as one that begins with its second column.
    read_texts(d,
               "SELECT i.name FROM pragma_index_list(?1) l, pragma_index_info(l.name) i WHERE "
               "i.seqno = 0 AND NOT l.partial AND i.name IS NOT NULL AND (SELECT count(*) FROM "
               "pragma_index_info(l.name)) > 1 ORDER BY l.seq",
               f->from, &lead);
    read_texts(d,
               "SELECT i.name FROM pragma_index_list(?1) l, pragma_index_info(l.name) i WHERE "
               "i.seqno = 1 AND NOT l.partial AND i.name IS NOT NULL ORDER BY l.seq",
               f->from, &second);
    for (uint32_t i = 0, c = 0; i < f->arity; i++) {
        const char *name = o->columns[c];
        c += fact_kind_columns(f->kinds[i]);
        bool leads =
            find_text(&first, name) || (f->has_rowid && sqlite3_stricmp(name, "rowid") == 0);
        for (size_t k = 0; o->episode && k < lead.count && k < second.count; k++)
            leads = leads || (sqlite3_stricmp(lead.items[k], o->episode) == 0 &&
                              sqlite3_stricmp(second.items[k], name) == 0);
        if (leads || o->key == (int)i)
            keyed |= UINT32_C(1) << i;
    }
    array_finish(&first);
    array_finish(&second);
    array_finish(&lead);
    return keyed;
}

// Returns whether the statement can be prepared.
static bool can_prepare(declarer *d, const char *format, const char *name) {
    char *sql = sqlite3_mprintf(format, name);
    sqlite3_stmt *stmt = NULL;
    bool ok = sql && sqlite3_prepare_v2(store_db(d->f->store), sql, -1, &stmt, NULL) == SQLITE_OK;
    sqlite3_finalize(stmt);
    sqlite3_free(sql);
    return ok;
}

static uint32_t likely_rows(declarer *d, const fact *f) {
    int64_t n = LIKELY_ROWS;
    char *sql = f->has_rowid ? sqlite3_mprintf("SELECT max(rowid) FROM \"%w\"", f->from) : NULL;
    sqlite3_stmt *stmt = NULL;
    if (sql && sqlite3_prepare_v2(store_db(d->f->store), sql, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        n = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_free(sql);
    return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

// Checks the table against the database, and makes the SQL that reads it.
static bool check_table(declarer *d, fact *f, arena *a) {
    const fact_origin *o = f->origin;
    texts tables = {0}, views = {0}, columns = {0};
    read_texts(d, SCHEMA_NAMES " IN ('table', 'view')", NULL, &tables);
    read_texts(d, SCHEMA_NAMES " = 'view'", NULL, &views);
    bool ok = find_text(&tables, f->from) != NULL;
    if (find_text(&views, f->from))
        store_allow_views(d->f->store);
    if (!ok) {
        report_unknown(d, o, o->from, "the database has no table or view", f->from, &tables);
    } else if (!can_prepare(d, "SELECT * FROM \"%w\" LIMIT 0", f->from)) {
        errors_add(d->list, o->file, o->from.line, o->from.column, "%s cannot be read: %s", f->from,
                   sqlite3_errmsg(store_db(d->f->store)));
        ok = false;
    } else {
        f->has_rowid = !find_text(&views, f->from) &&
                       can_prepare(d, "SELECT rowid FROM \"%w\" LIMIT 0", f->from);
        read_texts(d, "SELECT name FROM pragma_table_xinfo(?1)", f->from, &columns);
        ok = check_columns(d, f, &columns);
    }
    if (ok) {
        f->keyed = keyed_arguments(d, f);
        const char *list = "";
        for (uint32_t i = 0; i < o->column_count; i++) {
            char *quoted = sqlite3_mprintf("%st.\"%w\"", i ? ", " : "", o->columns[i]);
            list = arena_format(a, "%s%s", list, quoted ? quoted : "");
            sqlite3_free(quoted);
        }
        f->columns = list;
        char *episode = o->episode ? sqlite3_mprintf("AND t.\"%w\" = ?1", o->episode) : NULL;
        f->source = arena_strdup(a, episode ? episode : "");
        sqlite3_free(episode);
    }
    array_finish(&tables);
    array_finish(&views);
    array_finish(&columns);
    return ok;
}

// Gives the fact the slot whose rows were read for the same mapping, or a free one.
static bool find_slot(declarer *d, fact *f, bool *used) {
    facts *all = d->f;
    char *mapped =
        arena_format(d->arena, "%s\n%s\n%s\n%s", f->from, f->columns, f->source, f->kinds);
    size_t slot = all->tables.count;
    for (size_t i = facts_built_in; i < all->tables.count; i++) {
        if (all->tables.items[i].mapped && strcmp(all->tables.items[i].mapped, mapped) == 0)
            slot = i;
    }
    bool known = slot < all->tables.count;
    for (size_t i = facts_built_in; slot == all->tables.count && i < all->tables.count; i++) {
        if (!all->tables.items[i].mapped)
            slot = i;
    }
    if (slot == all->tables.count && !array_push_try(&all->tables, (loaded){0}))
        return false;
    loaded *l = &all->tables.items[slot];
    if (!known) {
        l->mapped = malloc(strlen(mapped) + 1);
        if (!l->mapped)
            return false;
        strcpy(l->mapped, mapped);
        l->likely = likely_rows(d, f);
    }
    f->slot = (uint32_t)slot;
    used[slot] = true;
    return true;
}

status facts_declare(facts *f, fact *const *all, size_t count, arena *a, errors *list) {
    declarer d = {f, list, arena_create()};
    size_t before = list->count;
    bool *used = calloc(f->tables.count + count + 1, sizeof *used);
    status s = used ? OK : E_MEMORY;
    for (size_t i = 0; s == OK && i < count; i++) {
        if (!all[i]->held && check_table(&d, all[i], a) && !find_slot(&d, all[i], used))
            s = E_MEMORY;
    }
    for (size_t i = facts_built_in; s == OK && i < f->tables.count; i++) {
        if (!used[i])
            facts_clear_slot(&f->tables.items[i]);
    }
    free(used);
    arena_destroy(d.arena);
    return s != OK ? s : list->count == before ? OK : E_INPUT;
}

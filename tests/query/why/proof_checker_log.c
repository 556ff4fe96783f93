// tests/query/why/proof_checker_log.c - rows of the log that a proof cites, read with a connection
// of its own.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include "query/log/fact.h"
#include "schema/columns.h"
#include "schema/record.h"
#include "schema/schema.h"
#include "tests/query/why/proof_checker_int.h"

// What one argument of a fact is in this row of the statement.
static bool column_fits(replay *c, sqlite3_stmt *stmt, char kind, int *column, const term *want) {
    int at = (*column)++;
    char k = (char)tolower((unsigned char)kind);
    bool null = sqlite3_column_type(stmt, at) == SQLITE_NULL;
    double x;
    if (k == 'p')
        *column += 6;
    // What is NULL leaves the row out, but where it is said to be none or the end.
    if (null && k != 'e' && !isupper((unsigned char)kind))
        return false;
    if (want->kind == TERM_VAR)
        return true;
    if (null && k == 'e')
        return term_number(want, &x) && nearly(x, c->end + 1e-9);
    if (null)
        return isupper((unsigned char)kind) && term_is_symbol(want, "none");
    const char *text = (const char *)sqlite3_column_text(stmt, at);
    sqlite3_stmt *name = NULL;
    const char *sql = k == 'o'   ? "SELECT name FROM object WHERE id = ?1"
                      : k == 'a' ? "SELECT name FROM agent WHERE id = ?1"
                                 : "SELECT name FROM believed WHERE id = ?1";
    bool ok = false;
    switch (k) {
    case 'o':
    case 'a':
    case 'b':
        if (sqlite3_prepare_v2(c->db, sql, -1, &name, NULL) == SQLITE_OK) {
            sqlite3_bind_int64(name, 1, sqlite3_column_int64(stmt, at));
            ok = sqlite3_step(name) == SQLITE_ROW &&
                 term_is_symbol(want, (const char *)sqlite3_column_text(name, 0));
        }
        sqlite3_finalize(name);
        return ok;
    case 'i':
        return want->kind == TERM_INT && want->integer == sqlite3_column_int64(stmt, at);
    case 't':
    case 'e':
        return term_number(want, &x) && llround(x * 1e9) == sqlite3_column_int64(stmt, at);
    case 'r':
        return term_number(want, &x) && nearly(x, sqlite3_column_double(stmt, at));
    case 'p':
        for (int i = 0; i < 7; i++) {
            if (!term_is(want, "pose", 7) || !term_number(want->args[i], &x) ||
                !nearly(x, sqlite3_column_double(stmt, at + i)))
                return false;
        }
        return true;
    case 'y':
        return term_is_symbol(want, text);
    case 's':
        return want->kind == TERM_STRING && strcmp(want->text, text) == 0;
    default: {
        const term *t;
        error err = {0};
        if (term_parse(c->a, "log", text, strlen(text), 1, 1, &t, &err) != OK)
            return want->kind == TERM_STRING && strcmp(want->text, text) == 0;
        // Variables of the log are shown by their names.
        return term_equal(t, want) || same_value(c, t, want) ||
               strcmp(term_text(c->a, t), term_text(c->a, want)) == 0;
    }
    }
}

static bool row_fits(replay *c, sqlite3_stmt *stmt, const fact *f, const term *atom, int from) {
    int column = from;
    for (uint32_t i = 0; i < f->arity; i++) {
        if (!column_fits(c, stmt, f->kinds[i], &column, atom->args[i]))
            return false;
    }
    return true;
}

// Looks for a row of the episode that fits; `row` 0: any. -1: the statement fails.
static int look(replay *c, const fact *f, const term *atom, const char *columns, int64_t row) {
    const char *table = record_describe(f->table)->table;
    const column_info *key = record_key(f->table);
    char sql[2000], number[100], of_episode[200] = "episode = ?3";
    if (key)
        snprintf(of_episode, sizeof of_episode, "%s IN (SELECT id FROM %s WHERE episode = ?3)",
                 key->name, record_describe(key->target)->table);
    snprintf(sql, sizeof sql, "SELECT * FROM (SELECT %s AS cited, %s FROM %s WHERE %s %s)%s",
             schema_row_number(f->table, number), columns, table, of_episode, f->source,
             row ? " WHERE cited = ?4" : "");
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(c->db, sql, -1, &stmt, NULL) != SQLITE_OK) {
        refuse(c, "%s: %s", sql, sqlite3_errmsg(c->db));
        return -1;
    }
    sqlite3_bind_int64(stmt, 1, 1); // any ids
    sqlite3_bind_int64(stmt, 2, COLUMN_ID_MAX);
    sqlite3_bind_int64(stmt, 3, c->episode);
    if (row)
        sqlite3_bind_int64(stmt, 4, row);
    int found = 0;
    while (!found && sqlite3_step(stmt) == SQLITE_ROW)
        found = row_fits(c, stmt, f, atom, 1);
    sqlite3_finalize(stmt);
    return found;
}

static int look_both(replay *c, const fact *f, const term *atom, int64_t row) {
    if (strcmp(f->name, "touches") != 0) {
        int there = look(c, f, atom, f->columns, row);
        const fact *more = there == 0 ? fact_more(f) : NULL;
        return more ? look(c, more, atom, more->columns, row) : there;
    }
    int found = look(c, f, atom, "id, a, b, start_ns, end_ns", row);
    return found ? found : look(c, f, atom, "id, b, a, start_ns, end_ns", row);
}

// A table that a rule file maps: the row is there, and every number and text of the atom in it.
static bool mapped_has(replay *c, const step_read *s, const char *table, int64_t row) {
    char sql[400];
    snprintf(sql, sizeof sql, "SELECT * FROM \"%.200s\" %s", table, row ? "WHERE rowid = ?1" : "");
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(c->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return refuse(c, "step %zu: the log has no table %s", s->number, table);
    if (row)
        sqlite3_bind_int64(stmt, 1, row);
    bool found = false;
    while (!found && sqlite3_step(stmt) == SQLITE_ROW) {
        found = true;
        for (uint32_t i = 0; i < s->what->arity && found; i++) {
            const term *v = s->what->args[i];
            bool here = v->kind == TERM_COMPOUND;
            for (int k = 0; k < sqlite3_column_count(stmt) && !here; k++) {
                const char *text = (const char *)sqlite3_column_text(stmt, k);
                double x;
                here = text && (v->kind == TERM_SYMBOL || v->kind == TERM_STRING
                                    ? strcmp(text, v->text) == 0
                                    : term_number(v, &x) &&
                                          (nearly(x, sqlite3_column_double(stmt, k)) ||
                                           llround(x * 1e9) == sqlite3_column_int64(stmt, k)));
            }
            found = here;
        }
    }
    sqlite3_finalize(stmt);
    return found || refuse(c, "step %zu: %s %lld does not hold %s", s->number, table,
                           (long long)row, shown(c, s->what));
}

bool log_has(replay *c, const step_read *s) {
    const term *atom = s->what;
    uint32_t n = atom->kind == TERM_COMPOUND ? atom->arity : 0;
    const char *table = json_string_of(s->j, "table");
    int64_t row = (int64_t)json_number_of(s->j, "row");
    const fact *f = fact_find(atom->text, n);
    if (s->count > 0 || !c->db)
        return refuse(c, "step %zu: a row of the log has parts, or there is no log", s->number);
    if (!f || f->from)
        return mapped_has(c, s, table, row);
    const fact *more = fact_more(f);
    if (row <= 0 || (strcmp(table, record_describe(f->table)->table) != 0 &&
                     (!more || strcmp(table, record_describe(more->table)->table) != 0)))
        return refuse(c, "step %zu: %s is no row of %s", s->number, shown(c, atom), table);
    int found = look_both(c, f, atom, row);
    return found > 0 || refuse(c, "step %zu: %s %lld is not %s", s->number, table, (long long)row,
                               shown(c, atom));
}

bool log_lacks(replay *c, const term *atom, bool *known) {
    uint32_t n = atom->kind == TERM_COMPOUND ? atom->arity : 0;
    bool named = atom->kind == TERM_COMPOUND || atom->kind == TERM_SYMBOL;
    const fact *f = named ? fact_find(atom->text, n) : NULL;
    *known = f && !f->from && c->db;
    return !*known || look_both(c, f, atom, 0) == 0;
}

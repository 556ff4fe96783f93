// report/derive.c - writes the answers of predicates into tables of the log.
#include "report/derive.h"

#include <ctype.h>
#include <stdio.h>

#include "schema/store/store.h"

// These predicates are written where none is named; each may try USUAL_STEPS literals.
static const char *const derive_usual[] = {"holds_w",        "holds_b",     "occurs_w",
                                           "occurs_b",       "flaw/1",      "flaw_time/3",
                                           "flaw_task/2",    "flaw_body/2", "flaw_evidence/3",
                                           "flaw_caused_by", "flaw_root",   "flaw_recovered"};
#define USUAL_STEPS 20000000
// This one compares every two objects at every instant: it is written only where it is named.
#define COSTLY "holds_w(above/2)"

typedef struct target {
    const char *table, *label, *query;
    const char **columns; // NULL: they are not known yet
    size_t column_count;
    bool dropped;
    size_t result; // index among the result's tables
} target;

typedef struct deriving {
    const derive_request *request;
    derive_result *result;
    arena *memory;
    foresee *log;
    sqlite3 *db;
    ARRAY(target) targets;
    ARRAY(int64_t) episodes;
    errors *list;
} deriving;

// ---- Errors of the engine and of the database

static status status_of(int code) {
    switch (code) {
    case FORESEE_MEMORY:
        return E_MEMORY;
    case FORESEE_LIMIT:
        return E_LIMIT;
    case FORESEE_INTERRUPTED:
        return E_INTERRUPTED;
    case FORESEE_IO:
        return E_IO;
    default:
        return E_INPUT;
    }
}

static status note_ended(deriving *d, status s) {
    error e = {0};
    errors_append(d->list, (error_set(&e, s, "%s", status_sentence(s)), &e));
    return s;
}

static status note_refused(deriving *d, int code) {
    foresee_mistake m;
    if (!foresee_mistake_at(d->log, 0, &m)) // there was no memory for a sentence
        return note_ended(d, status_of(code));
    for (size_t i = 0; foresee_mistake_at(d->log, i, &m); i++) {
        error e = {0};
        error_at(&e, status_of(code), m.file, m.line, m.column, "%s", m.text);
        errors_append(d->list, &e);
    }
    return status_of(code);
}

static status note_store_failed(deriving *d, const char *doing) {
    error e = {0};
    status s = store_failed(d->db, d->request->log, doing, &e);
    errors_append(d->list, &e);
    return s;
}

static status run_sql(deriving *d, char *sql) {
    if (!sql)
        return note_ended(d, E_MEMORY);
    int rc = sqlite3_exec(d->db, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
    if (rc != SQLITE_OK && d->request->stopped && d->request->stopped())
        return note_ended(d, E_INTERRUPTED);
    return rc == SQLITE_OK ? OK : note_store_failed(d, "writing the derived tables");
}

// ---- Which predicates are written

// A predicate as it was named: name, name/arity, name(functor), name(functor/arity).
typedef struct wanted {
    char name[128], functor[128];
    char module[128]; // "": any
    int arity;        // -1: any
} wanted;

static bool take_word(const char **at, char *out, size_t size) {
    size_t n = 0;
    while (isalnum((unsigned char)(*at)[n]) || (*at)[n] == '_')
        n++;
    if (n == 0 || n >= size)
        return false;
    memcpy(out, *at, n);
    out[n] = 0;
    *at += n;
    return true;
}

static bool read_wanted(const char *text, wanted *out) {
    *out = (wanted){.arity = -1};
    if (!take_word(&text, out->name, sizeof out->name))
        return false;
    if (*text == ':') {
        text++;
        memcpy(out->module, out->name, sizeof out->module);
        if (!take_word(&text, out->name, sizeof out->name))
            return false;
    }
    bool inner = *text == '(';
    if (inner) {
        text++;
        if (!take_word(&text, out->functor, sizeof out->functor))
            return false;
    }
    if (*text == '/') {
        char digits[128];
        text++;
        if (!take_word(&text, digits, sizeof digits) || strlen(digits) > 2 ||
            strspn(digits, "0123456789") != strlen(digits))
            return false;
        out->arity = atoi(digits);
    }
    if (inner && *text == ')')
        text++;
    else if (inner)
        return false;
    return *text == 0;
}

// Returns whether all functors of a split predicate are meant, each with a table of its own.
static bool names_all_of(const wanted *w, const foresee_predicate *p) {
    return !w->functor[0] && !w->module[0] && w->arity < 0 && strcmp(p->of, w->name) == 0;
}

static bool names_one(const wanted *w, const foresee_predicate *p) {
    bool arity = w->arity < 0 || w->arity == p->arity;
    if (w->module[0] && strcmp(p->module, w->module) != 0)
        return false;
    if (w->functor[0])
        return arity && strcmp(p->of, w->name) == 0 && strcmp(p->name, w->functor) == 0;
    return arity && strcmp(p->name, w->name) == 0;
}

// Returns the name of the predicate's table, which ends in the arity where another predicate has
// the same name.
static const char *table_name(deriving *d, const foresee_predicate *p) {
    foresee_predicate other;
    bool several = false;
    for (size_t i = 0; foresee_predicate_at(d->log, i, &other); i++)
        several = several || (strcmp(other.kind, "rule") == 0 && strcmp(other.of, p->of) == 0 &&
                              strcmp(other.module, p->module) == 0 &&
                              strcmp(other.name, p->name) == 0 && other.arity != p->arity);
    const char *of = p->module[0] ? p->module : p->of;
    const char *name = of[0] ? arena_format(d->memory, "derived_%s_%s", of, p->name)
                             : arena_format(d->memory, "derived_%s", p->name);
    return several ? arena_format(d->memory, "%s_%d", name, p->arity) : name;
}

static void add_target(deriving *d, const foresee_predicate *p) {
    const char *table = table_name(d, p);
    for (size_t i = 0; i < d->targets.count; i++)
        if (strcmp(d->targets.items[i].table, table) == 0)
            return;
    target t = {.table = table,
                .label = arena_strdup(d->memory, p->label),
                .query = arena_strdup(d->memory, p->all),
                .result = d->result->tables.count};
    array_push(&d->targets, t);
    array_push(&d->result->tables, (derived_table){.table = t.table, .predicate = t.label});
}

static status not_found(deriving *d, const char *text, const wanted *w) {
    ARRAY(const char *) names = {0};
    foresee_predicate p;
    for (size_t i = 0; foresee_predicate_at(d->log, i, &p); i++)
        if (strcmp(p.kind, "rule") == 0)
            array_push(&names, p.name);
    const char *near = nearest_name(w->functor[0] ? w->functor : w->name, names.items, names.count);
    if (near && strcmp(near, w->functor[0] ? w->functor : w->name) != 0)
        errors_add(d->list, NULL, 0, 0, "no rule defines '%s'; did you mean '%s'?", text, near);
    else
        errors_add(d->list, NULL, 0, 0, "no rule defines '%s'", text);
    array_finish(&names);
    return E_INPUT;
}

static status choose_one(deriving *d, const char *text, bool usual) {
    wanted w;
    foresee_predicate p, alone = {0};
    if (!read_wanted(text, &w)) {
        errors_add(d->list, NULL, 0, 0,
                   "'%s' names no predicate; write on, on/2, holds_w(on/2), occurs_w or flaw/1",
                   text);
        return E_INPUT;
    }
    bool found = false, fixed = false;
    wanted costly;
    read_wanted(COSTLY, &costly);
    size_t before = d->targets.count;
    for (int round = 0; round < 2 && !found; round++) {
        for (size_t i = 0; foresee_predicate_at(d->log, i, &p); i++) {
            if (strcmp(p.kind, "rule") != 0 ||
                !(round == 0 ? names_all_of(&w, &p) : names_one(&w, &p)))
                continue;
            found = true;
            if (usual && names_one(&costly, &p)) {
                derived_table left = {
                    .predicate = arena_strdup(d->memory, p.label),
                    .table = table_name(d, &p),
                    .left_out = "of every two objects it takes long; it is written where it is "
                                "named"};
                array_push(&d->result->tables, left);
            } else if (p.all[0]) {
                add_target(d, &p);
            } else {
                fixed = true;
                alone = p;
            }
        }
    }
    if (usual)
        return OK;
    if (!found)
        return not_found(d, text, &w);
    if (fixed && d->targets.count == before) {
        errors_add(d->list, NULL, 0, 0,
                   "%s is a function of time, which has no end of answers; derive what holds over "
                   "intervals, or ask it at instants",
                   alone.label);
        return E_INPUT;
    }
    return OK;
}

// Chooses the predicates that the given files define and that can be enumerated.
static void choose_given(deriving *d) {
    foresee_predicate p;
    for (size_t i = 0; foresee_predicate_at(d->log, i, &p); i++) {
        bool given = false;
        for (size_t k = 0; k < d->request->rule_count; k++)
            given = given || strcmp(p.file, d->request->rules[k]) == 0;
        if (given && strcmp(p.kind, "rule") == 0 && p.all[0])
            add_target(d, &p);
    }
}

static status choose_targets(deriving *d) {
    const derive_request *r = d->request;
    status s = OK;
    for (size_t i = 0; i < r->wanted_count; i++) {
        status one = choose_one(d, r->wanted[i], false);
        s = s == OK ? one : s;
    }
    for (size_t i = 0; r->wanted_count == 0 && i < sizeof derive_usual / sizeof *derive_usual; i++)
        choose_one(d, derive_usual[i], true);
    if (r->wanted_count == 0)
        choose_given(d);
    return s;
}

static status open_log(deriving *d) {
    const derive_request *r = d->request;
    foresee_options options = {.size = sizeof options,
                               .episode = r->episode > 0 ? r->episode : 0,
                               .step_limit = r->wanted_count == 0 ? USUAL_STEPS : 0};
    int code = foresee_open(r->log, &options, &d->log);
    for (size_t i = 0; code == FORESEE_OK && i < r->rule_count; i++)
        code = foresee_load(d->log, r->rules[i]);
    if (code != FORESEE_OK)
        return note_refused(d, code);
    if (foresee_note(d->log))
        d->result->note = arena_strdup(d->memory, foresee_note(d->log));
    foresee_episode e;
    for (size_t i = 0; r->episode < 0 && foresee_episode_at(d->log, i, &e); i++)
        array_push(&d->episodes, e.id);
    if (r->episode >= 0)
        array_push(&d->episodes, foresee_episode_chosen(d->log));
    return choose_targets(d);
}

// ---- Answers, in temporary tables
//
// Temporary tables lie outside the log, so that the log is neither locked nor changed until all
// answers are found.

// Opens the log for writing, so that a log that cannot be written is reported before anything is
// derived.
static status open_writer(deriving *d) {
    error e = {0};
    status s = store_connect(d->request->log, true, &d->db, &e);
    if (s == OK && sqlite3_db_readonly(d->db, "main") == 1)
        s = error_at(&e, E_INPUT, d->request->log, 0, 0,
                     "the log may not be written; copy it to where you may");
    if (s != OK) {
        errors_append(d->list, &e);
        return s;
    }
    return run_sql(d, sqlite3_mprintf("BEGIN IMMEDIATE; ROLLBACK;"));
}

// Names the columns of a target after the columns of its query.
static void name_columns(deriving *d, target *t, foresee_query *q) {
    t->column_count = (size_t)foresee_column_count(q);
    t->columns = arena_alloc(d->memory, (t->column_count + 1) * sizeof *t->columns);
    for (size_t c = 0; c < t->column_count; c++) {
        char *name = arena_strdup(d->memory, foresee_column_name(q, (int)c));
        for (char *k = name; *k; k++)
            *k = (char)tolower((unsigned char)*k);
        t->columns[c] = strcmp(name, "episode") == 0 ? "episode_2" : name;
    }
}

// Returns the columns behind the episode: `"a", "b_s" REAL`; `types`: with their types. Freed by
// sqlite3_free.
static char *column_list(const target *t, bool types) {
    sqlite3_str *s = sqlite3_str_new(NULL);
    sqlite3_str_appendall(s, types ? "episode INTEGER NOT NULL" : "episode");
    for (size_t c = 0; c < t->column_count; c++) {
        size_t n = strlen(t->columns[c]);
        bool is_time = n > 2 && strcmp(t->columns[c] + n - 2, "_s") == 0;
        sqlite3_str_appendf(s, ", \"%w\"%s", t->columns[c], types && is_time ? " REAL" : "");
    }
    return sqlite3_str_finish(s);
}

static status create_temporary(deriving *d, const target *t) {
    char *columns = column_list(t, true);
    status s = run_sql(
        d, columns ? sqlite3_mprintf("CREATE TEMP TABLE \"%w\" (%s)", t->table, columns) : NULL);
    sqlite3_free(columns);
    return s;
}

static int bind_column(sqlite3_stmt *insert, int at, foresee_query *q, int column) {
    const char *text;
    switch (foresee_column_type(q, column)) {
    case FORESEE_INTEGER:
        return sqlite3_bind_int64(insert, at, foresee_column_int64(q, column));
    case FORESEE_FLOAT:
        return sqlite3_bind_double(insert, at, foresee_column_double(q, column));
    case FORESEE_TIME:
        // Division rounds once, so that 8.304 s is stored as 8.304.
        return sqlite3_bind_double(insert, at, (double)foresee_column_time(q, column) / 1e9);
    default:
        // The text stays until the next step, when the row has been inserted.
        text = foresee_column_text(q, column);
        return text ? sqlite3_bind_text(insert, at, text, -1, SQLITE_STATIC) : SQLITE_NOMEM;
    }
}

// Inserts every answer as a row of the temporary table.
static status insert_rows(deriving *d, target *t, foresee_query *q, int first, int64_t episode) {
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "INSERT INTO temp.\"%w\" VALUES (?1", t->table);
    for (size_t c = 0; c < t->column_count; c++)
        sqlite3_str_appendf(sql, ", ?%d", (int)c + 2);
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    sqlite3_stmt *insert = NULL;
    int rc = text ? sqlite3_prepare_v2(d->db, text, -1, &insert, NULL) : SQLITE_NOMEM;
    sqlite3_free(text);
    int64_t *rows = &d->result->tables.items[t->result].rows;
    for (int code = first; rc == SQLITE_OK && code == FORESEE_ROW; code = foresee_step(q)) {
        rc = sqlite3_bind_int64(insert, 1, episode);
        for (size_t c = 0; rc == SQLITE_OK && c < t->column_count; c++)
            rc = bind_column(insert, (int)c + 2, q, (int)c);
        if (rc != SQLITE_OK)
            break;
        rc = sqlite3_step(insert);
        rc = rc == SQLITE_DONE ? sqlite3_reset(insert) : rc;
        *rows += rc == SQLITE_OK;
        if (d->request->stopped && d->request->stopped())
            rc = SQLITE_INTERRUPT;
    }
    status s = rc == SQLITE_OK          ? OK
               : rc == SQLITE_NOMEM     ? note_ended(d, E_MEMORY)
               : rc == SQLITE_INTERRUPT ? note_ended(d, E_INTERRUPTED)
                                        : note_store_failed(d, "keeping the answers");
    sqlite3_finalize(insert);
    return s;
}

// A predicate that cannot be enumerated, or takes too long, is left out of the usual set; one that
// the user named is an error.
static status leave_out(deriving *d, target *t, int code) {
    foresee_mistake m;
    bool usual = d->request->wanted_count == 0;
    // The user did not write this query: its mistakes are mistakes of the predicate.
    if (!usual && code == FORESEE_INPUT && foresee_mistake_at(d->log, 0, &m) &&
        strcmp(m.file, "query") == 0) {
        errors_add(d->list, NULL, 0, 0, "%s cannot be written as a whole: %s", t->label, m.text);
        return E_INPUT;
    }
    if (!usual || (code != FORESEE_INPUT && code != FORESEE_LIMIT))
        return note_refused(d, code);
    t->dropped = true;
    derived_table *shown = &d->result->tables.items[t->result];
    shown->left_out = foresee_mistake_at(d->log, 0, &m) ? arena_strdup(d->memory, m.text) : "";
    shown->rows = 0;
    return OK;
}

static status derive_target(deriving *d, target *t, int64_t episode) {
    foresee_query *q = NULL;
    int code = foresee_prepare(d->log, t->query, &q);
    if (code == FORESEE_OK)
        code = foresee_step(q);
    status s = OK;
    if (code != FORESEE_ROW && code != FORESEE_DONE) {
        s = leave_out(d, t, code);
    } else {
        if (!t->columns) {
            name_columns(d, t, q);
            s = create_temporary(d, t);
        }
        if (s == OK)
            s = insert_rows(d, t, q, code, episode);
    }
    foresee_finalize(q);
    return s;
}

static status derive_all(deriving *d) {
    const derive_request *r = d->request;
    status s = run_sql(d, sqlite3_mprintf("BEGIN"));
    for (size_t i = 0; s == OK && i < d->episodes.count; i++) {
        int64_t episode = d->episodes.items[i];
        if (foresee_episode_chosen(d->log) != episode) {
            int code = foresee_choose(d->log, episode);
            s = code == FORESEE_OK ? OK : note_refused(d, code);
        }
        if (r->watch)
            r->watch(r->context, d->log, episode);
        for (size_t k = 0; s == OK && k < d->targets.count; k++)
            if (!d->targets.items[k].dropped)
                s = derive_target(d, &d->targets.items[k], episode);
        if (r->watch)
            r->watch(r->context, NULL, episode);
    }
    return s == OK ? run_sql(d, sqlite3_mprintf("COMMIT")) : s;
}

// ---- Into the log

// Returns a number that SQL selects about a name; -1: it failed.
static int64_t number_about(deriving *d, const char *sql, const char *name) {
    sqlite3_stmt *q = NULL;
    int64_t n = -1;
    if (sqlite3_prepare_v2(d->db, sql, -1, &q, NULL) == SQLITE_OK) {
        sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
        if (sqlite3_step(q) == SQLITE_ROW)
            n = sqlite3_column_int64(q, 0);
    }
    sqlite3_finalize(q);
    return n;
}

// Refuses a table of that name that this program did not make.
static status check_name(deriving *d, const char *name, bool *exists) {
    int64_t there = number_about(
        d, "SELECT count(*) FROM main.sqlite_schema WHERE name = ?1 COLLATE NOCASE", name);
    int64_t ours = number_about(d,
                                "SELECT count(*) FROM main.derived JOIN main.sqlite_schema m USING "
                                "(name) WHERE name = ?1 AND m.type = 'table'",
                                name);
    if (there < 0 || ours < 0)
        return note_store_failed(d, "reading the derived tables");
    if (there > 0 && ours == 0) {
        errors_add(d->list, d->request->log, 0, 0,
                   "the log holds a table '%s' that was not derived; rename it", name);
        return E_INPUT;
    }
    *exists = ours > 0;
    return OK;
}

// Returns the statement that makes a table, in the form in which SQLite keeps it. Freed by
// sqlite3_free.
static char *table_sql(const target *t) {
    char *columns = column_list(t, true);
    char *sql = columns ? sqlite3_mprintf("CREATE TABLE \"%w\" (%s)", t->table, columns) : NULL;
    sqlite3_free(columns);
    return sql;
}

// Returns whether the table differs from the one that would be made now, since the declaration has
// changed.
static bool is_other_table(deriving *d, const char *name, const char *sql) {
    sqlite3_stmt *q = NULL;
    bool same = false;
    if (sql && sqlite3_prepare_v2(d->db, "SELECT sql FROM main.sqlite_schema WHERE name = ?1", -1,
                                  &q, NULL) == SQLITE_OK) {
        sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
        const char *found =
            sqlite3_step(q) == SQLITE_ROW ? (const char *)sqlite3_column_text(q, 0) : NULL;
        same = found && strcmp(found, sql) == 0;
    }
    sqlite3_finalize(q);
    return !same;
}

static status write_target(deriving *d, const target *t) {
    bool exists = false;
    status s = check_name(d, t->table, &exists);
    char *made = table_sql(t);
    if (s == OK && exists && is_other_table(d, t->table, made)) {
        s = run_sql(d, sqlite3_mprintf("DROP TABLE main.\"%w\"", t->table));
        exists = false;
    }
    if (s == OK && !exists)
        s = run_sql(d, made ? sqlite3_mprintf("%s; CREATE INDEX main.\"%w_episode\" ON \"%w\" "
                                              "(episode)",
                                              made, t->table, t->table)
                            : NULL);
    sqlite3_free(made);
    for (size_t i = 0; s == OK && exists && i < d->episodes.count; i++)
        s = run_sql(d, sqlite3_mprintf("DELETE FROM main.\"%w\" WHERE episode = %lld", t->table,
                                       (long long)d->episodes.items[i]));
    if (s == OK)
        s = run_sql(d, sqlite3_mprintf("INSERT INTO main.\"%w\" SELECT * FROM temp.\"%w\" ORDER BY "
                                       "rowid",
                                       t->table, t->table));
    if (s == OK)
        s = run_sql(d, sqlite3_mprintf("INSERT INTO main.derived VALUES (%Q, %Q, %Q, %Q) ON "
                                       "CONFLICT (name) DO UPDATE SET predicate = "
                                       "excluded.predicate, query = excluded.query, version = "
                                       "excluded.version",
                                       t->table, t->label, t->query, FORESEE_VERSION));
    return s;
}

#define WAIT_MS 20
#define WAITS_MAX 3000 // a minute

// Waits for another writer of the log: by now the answers would be lost.
static int wait_for_writer(void *context, int waited) {
    const deriving *d = context;
    if (waited >= WAITS_MAX || (d->request->stopped && d->request->stopped()))
        return 0;
    sqlite3_sleep(WAIT_MS);
    return 1;
}

#define DERIVED_SQL                                                                                \
    "CREATE TABLE derived (name TEXT PRIMARY KEY, predicate TEXT, query TEXT, version TEXT)"

// The tables are looked up within the transaction, since another program may have made them
// meanwhile.
static status write_all(deriving *d) {
    sqlite3_busy_handler(d->db, wait_for_writer, d);
    status s = run_sql(d, sqlite3_mprintf("BEGIN IMMEDIATE"));
    if (s != OK)
        return s;
    int64_t exists = number_about(
        d, "SELECT count(*) FROM main.sqlite_schema WHERE name = ?1 COLLATE NOCASE", "derived");
    if (exists < 0)
        return note_store_failed(d, "reading the derived tables");
    if (exists > 0 && is_other_table(d, "derived", DERIVED_SQL)) {
        errors_add(d->list, d->request->log, 0, 0,
                   "the log holds a table 'derived' that is not ours; rename it");
        return E_INPUT;
    }
    if (exists == 0)
        s = run_sql(d, sqlite3_mprintf("%s", DERIVED_SQL));
    for (size_t i = 0; s == OK && i < d->targets.count; i++)
        if (!d->targets.items[i].dropped)
            s = write_target(d, &d->targets.items[i]);
    if (s == OK)
        s = run_sql(d, sqlite3_mprintf("COMMIT"));
    return s;
}

status derive_run(const derive_request *r, derive_result *out, errors *list) {
    *out = (derive_result){.memory = arena_create()};
    deriving d = {.request = r, .result = out, .memory = out->memory, .list = list};
    status s = open_log(&d);
    if (s == OK)
        s = open_writer(&d);
    if (s == OK)
        s = derive_all(&d);
    // The log is not read any more when it is written.
    foresee_close(d.log);
    if (s == OK)
        s = write_all(&d);
    // Closing the connection rolls back what was not committed.
    sqlite3_close(d.db);
    array_finish(&d.targets);
    array_finish(&d.episodes);
    return s;
}

void derive_finish(derive_result *r) {
    array_finish(&r->tables);
    arena_destroy(r->memory);
    *r = (derive_result){0};
}

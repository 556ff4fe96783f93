// schema/store.c - opening a log for reading, whatever state a crash left it in.
#include "schema/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "schema/schema.h"

#define FUND ((size_t)256 << 10) // bytes set aside, for what cannot fail while a log is opened
#define BUSY_MS 2000
#define PATH_SIZE 4096

struct store {
    sqlite3 *db;
    const char *path; // as the user wrote it
    arena *arena;
    int version;
    char note[400];
    ARRAY(store_episode) episodes;
};

// What the system said when a file of the database last failed, 0 where nothing did. SQLite passes
// it on from some of its paths only; the files remember it.
static int system_reason(sqlite3 *db) {
    int why = sqlite3_system_errno(db);
    sqlite3_file *journal = NULL;
    if (!why)
        sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &why);
    if (!why &&
        sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal) == SQLITE_OK &&
        journal && journal->pMethods)
        journal->pMethods->xFileControl(journal, SQLITE_FCNTL_LAST_ERRNO, &why);
    return why;
}

status store_failed(sqlite3 *db, const char *path, const char *doing, error *err) {
    int code = db ? sqlite3_extended_errcode(db) : SQLITE_NOMEM;
    int why = db && ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN)
                  ? system_reason(db)
                  : 0;
    if (db && (!path || !*path))
        path = sqlite3_db_filename(db, "main");
    if (!path)
        path = "";
    bool no_room = why == ENOSPC || why == EFBIG || why == EDQUOT;
    switch (code & 0xff) {
    case SQLITE_FULL:
        return error_at(err, E_FULL, path, 0, 0,
                        "%s failed, for no space is left (disk full, or a limit on file sizes)",
                        doing);
    case SQLITE_NOMEM:
        return error_at(err, E_MEMORY, path, 0, 0, "%s failed, for no memory is left", doing);
    case SQLITE_INTERRUPT:
        return error_at(err, E_INTERRUPTED, path, 0, 0, "%s was interrupted", doing);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_SCHEMA:
    case SQLITE_ERROR:
    case SQLITE_MISMATCH:
        return error_at(err, E_INPUT, path, 0, 0, "%s failed, for the file is damaged (%s)", doing,
                        sqlite3_errmsg(db));
    case SQLITE_CONSTRAINT:
        return error_at(err, E_ORDER, path, 0, 0, "%s failed, for two records have one id (%s)",
                        doing, sqlite3_errmsg(db));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_at(err, E_IO, path, 0, 0, "%s failed, for another program is writing the file",
                        doing);
    case SQLITE_IOERR:
        if (no_room)
            return error_at(err, E_FULL, path, 0, 0, "%s failed: %s", doing, strerror(why));
        break;
    default:
        break;
    }
    return error_at(err, E_IO, path, 0, 0, "%s failed: %s%s%s", doing, sqlite3_errmsg(db),
                    why ? ", " : "", why ? strerror(why) : "");
}

// ---- Opening
// -------------------------------------------------------------------------------------

// A path is a path: SQLite must not read ":memory:" or "file:..." as something else.
static int open_database(const char *path, int flags, sqlite3 **db) {
    char safe[PATH_SIZE];
    *db = NULL;
    if (snprintf(safe, sizeof safe, "%s%s", path[0] == '/' ? "" : "./", path) >= (int)sizeof safe)
        return SQLITE_CANTOPEN;
    // a connection belongs to one thread
    int rc = sqlite3_open_v2(safe, db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc == SQLITE_OK) {
        sqlite3_extended_result_codes(*db, 1);
        sqlite3_busy_timeout(*db, BUSY_MS);
        // a log may come from anywhere: nothing in its schema is trusted
        sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        rc = sqlite3_exec(*db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
    }
    return rc;
}

status store_connect(const char *path, bool write, sqlite3 **out, error *err) {
    sqlite3 *db = NULL;
    if (open_database(path, write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, &db) !=
        SQLITE_OK) {
        status s = store_failed(db, path, "opening the file", err);
        sqlite3_close(db);
        return s;
    }
    *out = db;
    return OK;
}

static bool beside(const char *path, const char *suffix) {
    char name[PATH_SIZE];
    struct stat st;
    return snprintf(name, sizeof name, "%s%s", path, suffix) < (int)sizeof name &&
           stat(name, &st) == 0 && (st.st_size > 0 || strcmp(suffix, "-shm") == 0);
}

static bool folder_writable(const char *path) {
    char folder[PATH_SIZE];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return access(".", W_OK | X_OK) == 0;
    if (snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path) >=
        (int)sizeof folder)
        return false;
    return access(folder, W_OK | X_OK) == 0;
}

static bool recoverable(const char *path) {
    return access(path, R_OK | W_OK) == 0 && folder_writable(path);
}

// One number or text from the first column of the first row; SQLITE_DONE: there is none.
static int query_one(sqlite3 *db, const char *sql, int64_t *number, char *text, size_t size) {
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &q, NULL);
    if (rc == SQLITE_OK) {
        rc = sqlite3_step(q);
        if (rc == SQLITE_ROW && number)
            *number = sqlite3_column_int64(q, 0);
        if (rc == SQLITE_ROW && text) {
            const char *value = (const char *)sqlite3_column_text(q, 0);
            snprintf(text, size, "%s", value ? value : "");
        }
    }
    sqlite3_finalize(q);
    return rc;
}

typedef enum verdict { IS_LOG, IS_OTHER, IS_UNREADABLE } verdict;

// What an open database is. A copy made by `.dump` has lost the header's number, but not `meta`.
static verdict judge(sqlite3 *db, int *version) {
    int64_t id = 0, number = 0;
    char application[32] = "";
    int rc = query_one(db, "PRAGMA application_id", &id, NULL, 0);
    if (rc == SQLITE_ROW)
        rc = query_one(db,
                       "SELECT count(*) FROM sqlite_schema WHERE name = 'meta' AND type = 'table'",
                       &number, NULL, 0);
    if (rc != SQLITE_ROW)
        return (rc & 0xff) == SQLITE_NOTADB || (rc & 0xff) == SQLITE_CORRUPT ? IS_OTHER
                                                                             : IS_UNREADABLE;
    if ((id != 0 && id != SCHEMA_APPLICATION_ID) || number != 1)
        return IS_OTHER;
    rc = query_one(db, "SELECT value FROM meta WHERE key = 'application'", NULL, application,
                   sizeof application);
    if (rc != SQLITE_ROW || strcmp(application, SCHEMA_APPLICATION) != 0)
        return IS_OTHER;
    rc = query_one(db, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'schema'", &number,
                   NULL, 0);
    if (rc != SQLITE_ROW || number < 1 || number > INT32_MAX)
        return IS_OTHER;
    *version = (int)number;
    return IS_LOG;
}

// Whether the first page says foresee, where SQLite itself cannot read on.
static bool header_is_ours(const char *path) {
    unsigned char h[100];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool read_all = fd >= 0 && read(fd, h, sizeof h) == (ssize_t)sizeof h;
    if (fd >= 0)
        close(fd);
    uint32_t id = 0;
    for (int i = 68; read_all && i < 72; i++)
        id = id << 8 | h[i];
    return read_all && memcmp(h, "SQLite format 3", 16) == 0 && id == SCHEMA_APPLICATION_ID;
}

// Applies what a crash left beside the log and makes it one file again. A live writer keeps SQLite
// from it, which is as well.
static int recover(const char *path) {
    sqlite3 *db = NULL;
    int rc = open_database(path, SQLITE_OPEN_READWRITE, &db);
    char mode[16] = "";
    if (rc == SQLITE_OK)
        sqlite3_busy_timeout(db, 0);
    if (rc == SQLITE_OK &&
        query_one(db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, 0) == SQLITE_ROW)
        rc = query_one(db, "PRAGMA journal_mode = DELETE", NULL, mode, sizeof mode);
    sqlite3_close(db);
    if (rc == SQLITE_ROW)
        return strcmp(mode, "wal") == 0 ? SQLITE_BUSY : SQLITE_OK;
    return rc == SQLITE_OK ? SQLITE_ERROR : rc;
}

static status not_a_log(const char *path, error *err) {
    return error_at(err, E_INPUT, path, 0, 0, "this is not a foresee log");
}

static status unrecoverable(const char *path, const char *reason, error *err) {
    char missing[3 * 300 + 100];
    const char *wal = beside(path, "-wal") ? "-wal" : beside(path, "-journal") ? "-journal" : NULL;
    if (!wal)
        return error_at(
            err, E_INPUT, path, 0, 0,
            "the log was left by a crash and %s-wal, which held its end, is missing; put it beside "
            "the log, or copy the log to a folder that you can write (%s)",
            path, reason);
    snprintf(missing, sizeof missing, "%s%s%s",
             access(path, W_OK) == 0 ? "" : "the log may not be written, ",
             folder_writable(path) ? "" : "the folder may not be written, ",
             strcmp(wal, "-wal") == 0 && !beside(path, "-shm") ? "its -shm file is missing, " : "");
    return error_at(
        err, E_INPUT, path, 0, 0,
        "the log was left by a crash and cannot be recovered here: %s%s; copy it with %s%s to a "
        "folder that you can write",
        missing, reason, path, wal);
}

static status check_place(const char *path, error *err) {
    struct stat st;
    if (stat(path, &st) != 0)
        return error_at(
            err, errno == ENOENT || errno == ENOTDIR || errno == EACCES ? E_INPUT : E_IO, path, 0,
            0, errno == ENOENT ? "there is no such log" : "%s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return not_a_log(path, err);
    if (st.st_size == 0)
        return error_at(err, E_INPUT, path, 0, 0, "the file is empty, not a foresee log");
    if (access(path, R_OK) != 0)
        return error_at(err, E_INPUT, path, 0, 0, "the log cannot be read: %s", strerror(errno));
    return OK;
}

static status open_readable(const char *path, store *s, error *err) {
    bool left = beside(path, "-wal") || beside(path, "-journal");
    char reason[200] = "", mode[16] = "";
    int rc = open_database(path, SQLITE_OPEN_READONLY, &s->db);
    verdict v = rc == SQLITE_OK ? judge(s->db, &s->version) : IS_UNREADABLE;
    if (v == IS_OTHER && header_is_ours(path) && (sqlite3_errcode(s->db) & 0xff) == SQLITE_CORRUPT)
        return store_failed(s->db, path, "opening the log", err);
    if (v == IS_OTHER)
        return not_a_log(path, err);
    if (v == IS_LOG &&
        query_one(s->db, "PRAGMA journal_mode", NULL, mode, sizeof mode) == SQLITE_ROW)
        left = left || strcmp(mode, "wal") == 0;
    if (v == IS_LOG && !left)
        return OK;
    if (v == IS_UNREADABLE) {
        snprintf(reason, sizeof reason, "%s", s->db ? sqlite3_errmsg(s->db) : "no memory");
        int code = s->db ? sqlite3_errcode(s->db) & 0xff : SQLITE_NOMEM;
        bool crashed = code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_IOERR;
        if (!crashed)
            return store_failed(s->db, path, "opening the log", err);
        if (!header_is_ours(path))
            return not_a_log(path, err);
        if (!recoverable(path))
            return unrecoverable(path, reason, err);
    }
    if (!recoverable(path)) {
        snprintf(s->note, sizeof s->note, "the log was left by a crash; it is read as it lies");
        return OK;
    }
    sqlite3_close(s->db);
    s->db = NULL;
    rc = recover(path);
    if (rc == SQLITE_OK)
        snprintf(s->note, sizeof s->note,
                 "the log was left by a crash; what was committed is recovered");
    else if (rc == SQLITE_BUSY)
        snprintf(s->note, sizeof s->note,
                 "the log is in use by another program, and read up to its last commit");
    if (open_database(path, SQLITE_OPEN_READONLY, &s->db) != SQLITE_OK)
        return store_failed(s->db, path, "opening the log", err);
    v = judge(s->db, &s->version);
    if (v == IS_UNREADABLE)
        return unrecoverable(path, sqlite3_errmsg(s->db), err);
    return v == IS_LOG ? OK : not_a_log(path, err);
}

// ---- What is inside
// ------------------------------------------------------------------------------

static status damaged(const char *path, const char *table, error *err) {
    return error_at(err, E_INPUT, path, 0, 0,
                    "the log is damaged: its table %s is not as it should be", table);
}

// Whether `table` is a plain table, and how many of the columns of `kind` it has.
static status check_table(store *s, const char *path, sqlite3_stmt *q, const char *table,
                          const column_info *columns, size_t count, error *err) {
    size_t found = 0;
    int rc;
    sqlite3_bind_text(q, 1, table, -1, SQLITE_STATIC);
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 0);
        for (size_t i = 0; name && i < count; i++)
            found += strcmp(name, columns[i].name) == 0;
    }
    sqlite3_reset(q);
    if (rc != SQLITE_DONE)
        return store_failed(s->db, path, "reading the schema", err);
    return found == count ? OK : damaged(path, table, err);
}

// Marks the tables that are word for word as this program makes them, in the order in which it
// makes them: those need no closer look, which takes long.
static bool as_made(store *s, bool *known) {
    char *all = NULL;
    sqlite3_stmt *q = NULL;
    if (schema_sql(&all, NULL) != OK)
        return false;
    bool ok = sqlite3_prepare_v2(s->db, "SELECT name, sql FROM sqlite_schema WHERE type = 'table'",
                                 -1, &q, NULL) == SQLITE_OK;
    const char *at = all;
    while (ok && sqlite3_step(q) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 0);
        const char *sql = (const char *)sqlite3_column_text(q, 1);
        size_t length = sql ? strlen(sql) : 0;
        if (!name || length == 0 || strncmp(at, sql, length) != 0 || at[length] != ';')
            continue;
        at += length + 1;
        at += *at == '\n';
        for (int k = 0; k < RECORD_KINDS; k++)
            known[k] = known[k] || strcmp(record_describe((record_kind)k)->table, name) == 0;
    }
    sqlite3_finalize(q);
    free(all);
    return ok;
}

static status check_tables(store *s, const char *path, error *err) {
    static const column_info common[] = {{.name = "id"}, {.name = "episode"}};
    bool known[RECORD_KINDS] = {false};
    sqlite3_stmt *q = NULL;
    as_made(s, known);
    if (sqlite3_prepare_v2(
            s->db,
            "SELECT c.name FROM sqlite_schema m, pragma_table_info(m.name) c"
            " WHERE m.type = 'table' AND m.name = ?1 AND m.sql NOT LIKE 'CREATE VIRTUAL%'",
            -1, &q, NULL) != SQLITE_OK)
        return store_failed(s->db, path, "reading the schema", err);
    status result = OK;
    for (int k = 0; k < RECORD_KINDS && result == OK; k++) {
        const record_info *info = record_describe((record_kind)k);
        if (known[k])
            continue;
        result = check_table(s, path, q, info->table, common, 2, err);
        if (result == OK)
            result = check_table(s, path, q, info->table, info->columns, info->column_count, err);
    }
    if (result == OK)
        result = check_table(s, path, q, "episode", common, 1, err);
    sqlite3_finalize(q);
    return result;
}

static bool copy_text(store *s, sqlite3_stmt *q, int column, const char **out) {
    const char *text = (const char *)sqlite3_column_text(q, column);
    *out = NULL;
    if (!text)
        return sqlite3_column_type(q, column) == SQLITE_NULL;
    size_t size = (size_t)sqlite3_column_bytes(q, column);
    char *copy = arena_try(s->arena, size + 1);
    if (copy)
        memcpy(copy, text, size); // the arena is zeroed: the copy ends
    *out = copy;
    return copy != NULL;
}

static status load_episodes(store *s, const char *path, error *err) {
    sqlite3_stmt *q = NULL;
    status result = OK;
    int rc = sqlite3_prepare_v2(
        s->db,
        "SELECT id, plan, world, robot, seed, version, step_ns, cycle_ns, end_ns, outcome,"
        " complete FROM episode ORDER BY id",
        -1, &q, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        store_episode e = {.id = sqlite3_column_int64(q, 0),
                           .seed = sqlite3_column_int64(q, 4),
                           .step = sqlite3_column_int64(q, 6),
                           .cycle = sqlite3_column_int64(q, 7),
                           .end = sqlite3_column_int64(q, 8),
                           .complete = sqlite3_column_int(q, 10) != 0};
        bool kept = copy_text(s, q, 1, &e.plan) && copy_text(s, q, 2, &e.world) &&
                    copy_text(s, q, 3, &e.robot) && copy_text(s, q, 5, &e.version) &&
                    copy_text(s, q, 9, &e.outcome) && array_push_try(&s->episodes, e);
        if (!kept) {
            result = error_at(err, E_MEMORY, path, 0, 0, "no memory is left for the episodes");
            break;
        }
        rc = SQLITE_OK;
    }
    if (result == OK && rc != SQLITE_DONE)
        result = store_failed(s->db, path, "reading the episodes", err);
    sqlite3_finalize(q);
    return result;
}

static status open_store(const char *path, store **out, error *err) {
    status result = check_place(path, err);
    if (result != OK)
        return result;
    store *s = calloc(1, sizeof *s);
    if (!s)
        return error_at(err, E_MEMORY, path, 0, 0, "no memory is left to open the log");
    s->arena = arena_create();
    s->path = arena_strdup(s->arena, path);
    result = open_readable(path, s, err);
    if (result == OK && s->version > SCHEMA_VERSION)
        result =
            error_at(err, E_INPUT, path, 0, 0,
                     "the log has schema %d, from a later foresee; this one knows schemas up to %d",
                     s->version, SCHEMA_VERSION);
    if (result == OK && s->version < SCHEMA_VERSION)
        result =
            error_at(err, E_INPUT, path, 0, 0,
                     "the log has schema %d, from an earlier foresee; this one reads schema %d "
                     "alone: project the plan again",
                     s->version, SCHEMA_VERSION);
    if (result == OK)
        result = check_tables(s, path, err);
    if (result == OK)
        result = load_episodes(s, path, err);
    if (result != OK) {
        store_close(s);
        return result;
    }
    *out = s;
    return OK;
}

status store_open(const char *path, store **out, error *err) {
    mem_fund fund;
    if (!mem_fund_open(&fund, FUND))
        return error_at(err, E_MEMORY, path, 0, 0, "no memory is left to open the log");
    status result = open_store(path, out, err);
    mem_fund_close(&fund);
    return result;
}

void store_close(store *s) {
    if (!s)
        return;
    sqlite3_close(s->db);
    arena_destroy(s->arena);
    array_finish(&s->episodes);
    free(s);
}

sqlite3 *store_db(const store *s) {
    return s->db;
}

int store_version(const store *s) {
    return s->version;
}

const char *store_note(const store *s) {
    return s->note[0] ? s->note : NULL;
}

const store_episode *store_episodes(const store *s, size_t *count) {
    *count = s->episodes.count;
    return s->episodes.items;
}

status store_choose(const store *s, int64_t id, const store_episode **out, error *err) {
    const char *path = s->path;
    size_t count = s->episodes.count;
    if (count == 0)
        return error_at(err, E_INPUT, path, 0, 0, "the log holds no episode");
    for (size_t i = count; i-- > 0;) {
        if (id == 0 || s->episodes.items[i].id == id) {
            *out = &s->episodes.items[i];
            return OK;
        }
    }
    return error_at(err, E_INPUT, path, 0, 0, "the log has no episode %lld; it has %lld to %lld",
                    (long long)id, (long long)s->episodes.items[0].id,
                    (long long)s->episodes.items[count - 1].id);
}

// The first id from which on rows belong to `episode` or a later one: ids grow with their episodes.
static int first_row(sqlite3_stmt *next, int64_t low, int64_t high, int64_t episode, int64_t *out) {
    while (low < high) {
        int64_t mid = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
        sqlite3_bind_int64(next, 1, mid);
        int rc = sqlite3_step(next);
        bool later = rc == SQLITE_DONE || sqlite3_column_int64(next, 1) >= episode;
        int64_t id = rc == SQLITE_ROW ? sqlite3_column_int64(next, 0) : 0;
        sqlite3_reset(next);
        if (rc != SQLITE_ROW && rc != SQLITE_DONE)
            return rc;
        if (later)
            high = mid;
        else
            low = id < high ? id + 1 : high;
    }
    *out = low;
    return SQLITE_OK;
}

status store_range(const store *s, record_kind kind, int64_t episode, int64_t *first, int64_t *end,
                   error *err) {
    const char *table = record_describe(kind)->table;
    char sql[200];
    sqlite3_stmt *q = NULL;
    int64_t low = 0, high = 0, from = 0, to = 0;
    // Two look-ups: one query for both ends would read the whole table.
    snprintf(sql, sizeof sql, "SELECT (SELECT min(id) FROM %s), (SELECT max(id) FROM %s)", table,
             table);
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);
    bool empty = true;
    if (rc == SQLITE_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        empty = sqlite3_column_type(q, 0) == SQLITE_NULL;
        low = sqlite3_column_int64(q, 0);
        high = sqlite3_column_int64(q, 1);
        high += high < INT64_MAX;
        rc = SQLITE_OK;
    }
    sqlite3_finalize(q);
    q = NULL;
    if (rc == SQLITE_OK && !empty) {
        snprintf(sql, sizeof sql, "SELECT id, episode FROM %s WHERE id >= ?1 ORDER BY id LIMIT 1",
                 table);
        rc = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);
        if (rc == SQLITE_OK)
            rc = first_row(q, low, high, episode, &from);
        if (rc == SQLITE_OK)
            rc = episode < INT64_MAX ? first_row(q, from, high, episode + 1, &to)
                                     : (to = high, SQLITE_OK);
        sqlite3_finalize(q);
    }
    if (rc != SQLITE_OK)
        return store_failed(s->db, s->path, "reading the log", err);
    *first = from;
    *end = to;
    return OK;
}

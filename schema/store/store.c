// schema/store/store.c - opening a log for reading, whatever state a crash left it in.
#include "schema/store/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/checked.h"
#include "schema/store/migrate.h"
#include "schema/numbers.h"
#include "schema/schema.h"
#include "schema/store/store_int.h"
#include "schema/words.h"

#define FUND ((size_t)256 << 10) // bytes set aside, for what cannot fail while a log is opened
#define BUSY_MS 2000
#define VALUE_MAX (65 << 20) // bytes of a text with the rest of its row
#define PATH_SIZE 4096

struct store {
    sqlite3 *db;
    const char *path; // as the user wrote it
    arena *arena;
    int version;
    bool salvage; // a damaged log is read as far as it goes
    char note[PATH_SIZE + 300];
    migration migration;
    ARRAY(store_episode) episodes;
};

// ---- Opening ------------------------------------------------------------------------------------

// A log may come from anywhere: nothing in its schema is trusted, none of its triggers and views
// runs, and no value is longer than what a projection can write: a file of 64 MiB.
static void distrust_schema(sqlite3 *db) {
    static const struct {
        int limit, most;
    } limits[] = {{SQLITE_LIMIT_LENGTH, VALUE_MAX},         {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 50},       {SQLITE_LIMIT_EXPR_DEPTH, 200},
                  {SQLITE_LIMIT_VDBE_OP, 1 << 20},          {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000}, {SQLITE_LIMIT_TRIGGER_DEPTH, 1}};
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(db, limits[i].limit, limits[i].most);
}

static int open_prepared(const char *name, int flags, sqlite3 **db) {
    // a connection belongs to one thread
    int rc = sqlite3_open_v2(name, db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc == SQLITE_OK) {
        sqlite3_extended_result_codes(*db, 1);
        sqlite3_busy_timeout(*db, BUSY_MS);
        distrust_schema(*db);
        rc = sqlite3_exec(*db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
        if (rc == SQLITE_OK)
            rc = numbers_register(*db);
        if (rc == SQLITE_OK)
            rc = words_register(*db);
    }
    return rc;
}

// A path is a path: SQLite must not read ":memory:" or "file:..." as something else.
static int open_database(const char *path, int flags, sqlite3 **db) {
    char safe[PATH_SIZE];
    *db = NULL;
    if (snprintf(safe, sizeof safe, "%s%s", path[0] == '/' ? "" : "./", path) >= (int)sizeof safe)
        return SQLITE_CANTOPEN;
    return open_prepared(safe, flags, db);
}

static bool has_beside(const char *path, const char *suffix) {
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

static bool is_recoverable(const char *path) {
    return access(path, R_OK | W_OK) == 0 && folder_writable(path);
}

static bool hold(sqlite3 *db) {
    return sqlite3_get_autocommit(db) && sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;
}

static void let_go(sqlite3 *db) {
    if (!sqlite3_get_autocommit(db)) // an error may have ended the transaction
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
}

// Reads one number or text from the first column of the first row; SQLITE_DONE: there is none.
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

// Finds out what an open database is. A copy made by `.dump` has lost the header's number, but not
// `meta`.
static verdict judge_database(sqlite3 *db, int *version) {
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
    if ((rc & 0xff) == SQLITE_NOMEM)
        return IS_UNREADABLE;
    if (rc != SQLITE_ROW || strcmp(application, SCHEMA_APPLICATION) != 0)
        return IS_OTHER;
    rc = query_one(db, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'schema'", &number,
                   NULL, 0);
    if ((rc & 0xff) == SQLITE_NOMEM)
        return IS_UNREADABLE;
    if (rc != SQLITE_ROW || number < 1 || number > INT32_MAX)
        return IS_OTHER;
    *version = (int)number;
    return IS_LOG;
}

// A log that is to be salvaged is known by its header alone: `meta` may be gone.
static verdict judge_store(sqlite3 *db, store *s) {
    int64_t id = 0, number = 0;
    verdict v = judge_database(db, &s->version);
    if (v != IS_OTHER || !s->salvage ||
        query_one(db, "PRAGMA application_id", &id, NULL, 0) != SQLITE_ROW ||
        id != SCHEMA_APPLICATION_ID)
        return v;
    if (query_one(db, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'schema'", &number, NULL,
                  0) != SQLITE_ROW &&
        query_one(db, "PRAGMA user_version", &number, NULL, 0) != SQLITE_ROW)
        return v;
    if (number < 0 || number > INT32_MAX)
        return v;
    s->version = (int)number;
    return IS_LOG;
}

// The facts in the first page of a file, and whether another connection writes the file.
typedef struct file_head {
    bool ours, wal; // it says foresee; it says that a -wal file belongs to it
    bool written;   // another connection is writing it
} file_head;

// Reads the first page through SQLite's own descriptor: closing another one would give up the locks
// that this process holds on the file.
static file_head read_head(sqlite3 *db) {
    unsigned char h[100];
    sqlite3_file *file = NULL;
    int written = 0;
    file_head l = {0};
    if (!db || sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
        !file || !file->pMethods || file->pMethods->xRead(file, h, sizeof h, 0) != SQLITE_OK ||
        memcmp(h, "SQLite format 3", 16) != 0)
        return l;
    uint32_t id = 0;
    for (int i = 68; i < 72; i++)
        id = id << 8 | h[i];
    l.ours = id == SCHEMA_APPLICATION_ID;
    l.wal = h[18] == 2;
    l.written = file->pMethods->xCheckReservedLock(file, &written) == SQLITE_OK && written != 0;
    return l;
}

// Returns whether the -wal file that belongs to the log is gone. A writer that begins makes it only
// after it has said in the log that there is one.
static bool lacks_wal(const char *path, const file_head *l) {
    char name[PATH_SIZE];
    struct stat st;
    if (!l->wal || snprintf(name, sizeof name, "%s-wal", path) >= (int)sizeof name)
        return false;
    for (int i = 0; i < 3; i++) {
        if (stat(name, &st) == 0 || errno != ENOENT)
            return false;
        if (i < 2)
            sqlite3_sleep(20);
    }
    return true;
}

// Opens a log whose -wal file is gone without making one, or anything else.
static int open_as_it_lies(const char *path, sqlite3 **db) {
    static const char digits[] = "0123456789abcdef";
    char uri[3 * PATH_SIZE + 50];
    size_t n = (size_t)snprintf(uri, sizeof uri, "file:%s", path[0] == '/' ? "" : "./");
    *db = NULL;
    if (strlen(path) >= PATH_SIZE)
        return SQLITE_CANTOPEN;
    for (const char *c = path; *c; c++) {
        if (strchr("%?#", *c)) {
            uri[n++] = '%';
            uri[n++] = digits[*c >> 4];
            uri[n++] = digits[*c & 15];
        } else {
            uri[n++] = *c;
        }
    }
    strcpy(uri + n, "?immutable=1");
    return open_prepared(uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, db);
}

// Returns what the log says of a -wal file that is not there: NULL, that the log is whole;
// SCHEMA_BEGUN, that an episode had begun there; SCHEMA_GOING_ON, that the rest of one is there.
static const char *mark_of(sqlite3 *db) {
    char value[32] = "";
    int rc = query_one(db, "SELECT value FROM meta WHERE key = '" SCHEMA_WRITING "'", NULL, value,
                       sizeof value);
    if (rc != SQLITE_ROW)
        return NULL;
    return strcmp(value, SCHEMA_BEGUN) == 0 ? SCHEMA_BEGUN : SCHEMA_GOING_ON;
}

static status refuse_lacking(const char *path, error *err) {
    return error_at(err, E_INPUT, path, 0, 0,
                    "the log was left by a crash and %s-wal, which held its end, is missing: "
                    "nothing is written until it is back beside the log; where it is lost, "
                    "sqlite3 makes do with what there is by PRAGMA journal_mode = DELETE",
                    path);
}

status store_connect(const char *path, bool write, sqlite3 **out, error *err) {
    sqlite3 *db = NULL, *still = NULL;
    if (open_database(path, write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, &db) !=
        SQLITE_OK) {
        status s = store_failed(db, path, "opening the file", err);
        sqlite3_close(db);
        return s;
    }
    file_head l = read_head(db);
    if (write && lacks_wal(path, &l)) {
        const char *mark = open_as_it_lies(path, &still) == SQLITE_OK ? mark_of(still) : NULL;
        sqlite3_close(still);
        // an episode that had only begun is no loss: without it the log is whole
        if (mark && strcmp(mark, SCHEMA_GOING_ON) == 0) {
            sqlite3_close(db);
            return refuse_lacking(path, err);
        }
    }
    *out = db;
    return OK;
}

// Applies what a crash left beside the log and makes it one file again. SQLite does not do so while
// a live writer holds the log.
static int recover_log(const char *path) {
    sqlite3 *db = NULL;
    int rc = open_database(path, SQLITE_OPEN_READWRITE, &db);
    char mode[16] = "";
    if (rc == SQLITE_OK) {
        sqlite3_busy_timeout(db, 0);
        rc = sqlite3_exec(db,
                          "BEGIN IMMEDIATE; DELETE FROM meta WHERE key = '" SCHEMA_WRITING "';"
                          "COMMIT",
                          NULL, NULL, NULL);
    }
    if (rc == SQLITE_OK)
        rc = query_one(db, "PRAGMA journal_mode = DELETE", NULL, mode, sizeof mode);
    sqlite3_close(db);
    if (rc == SQLITE_ROW)
        return strcmp(mode, "wal") == 0 ? SQLITE_BUSY : SQLITE_OK;
    return rc & 0xff;
}

static status not_a_log(const char *path, error *err) {
    return error_at(err, E_INPUT, path, 0, 0, "this is not a foresee log");
}

static status fail_unrecoverable(const char *path, const char *reason, error *err) {
    char missing[3 * 300 + 100];
    const char *wal = has_beside(path, "-wal")       ? "-wal"
                      : has_beside(path, "-journal") ? "-journal"
                                                     : NULL;
    if (!wal)
        return error_at(
            err, E_INPUT, path, 0, 0,
            "the log was left by a crash and %s-wal, which held its end, is missing; put it beside "
            "the log (%s)",
            path, reason);
    snprintf(missing, sizeof missing, "%s%s%s",
             access(path, W_OK) == 0 ? "" : "the log may not be written, ",
             folder_writable(path) ? "" : "the folder may not be written, ",
             strcmp(wal, "-wal") == 0 && !has_beside(path, "-shm") ? "its -shm file is missing, "
                                                                   : "");
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

// Opens a log whose header speaks of a -wal file that is not there. *done false: the log was closed
// in order, and can be opened like any other.
static status open_lacking(const char *path, store *s, bool *done, error *err) {
    sqlite3 *still = NULL;
    verdict v = open_as_it_lies(path, &still) == SQLITE_OK ? judge_store(still, s) : IS_UNREADABLE;
    if (v != IS_LOG) {
        status result = fail_unrecoverable(path, sqlite3_errmsg(still), err);
        sqlite3_close(still);
        return result;
    }
    bool lacking = mark_of(still) != NULL;
    *done = lacking || !is_recoverable(path);
    if (!*done) {
        sqlite3_close(still);
        return OK;
    }
    sqlite3_close(s->db);
    s->db = still;
    if (lacking)
        snprintf(s->note, sizeof s->note,
                 "the log was left by a crash and %s-wal, which held its end, is missing; what is "
                 "here is read as it lies",
                 path);
    return OK;
}

static status open_readable(const char *path, store *s, error *err) {
    bool left = has_beside(path, "-wal") || has_beside(path, "-journal"), crashed = left,
         done = false;
    char reason[200] = "", mode[16] = "";
    int rc = open_database(path, SQLITE_OPEN_READONLY, &s->db);
    file_head l = read_head(s->db);
    if (rc == SQLITE_OK && l.ours && lacks_wal(path, &l)) {
        status result = open_lacking(path, s, &done, err);
        if (result != OK || done)
            return result;
    }
    if (rc == SQLITE_OK)
        hold(s->db);
    verdict v = rc == SQLITE_OK ? judge_store(s->db, s) : IS_UNREADABLE;
    if (v == IS_OTHER && l.ours && (sqlite3_errcode(s->db) & 0xff) == SQLITE_CORRUPT)
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
        if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY && code != SQLITE_IOERR)
            return store_failed(s->db, path, "opening the log", err);
        if (!l.ours)
            return not_a_log(path, err);
        if (!is_recoverable(path))
            return fail_unrecoverable(path, reason, err);
    }
    // the -journal file of a live writer was left by no crash
    rc = SQLITE_BUSY;
    if (!l.written) {
        if (!is_recoverable(path)) {
            if (crashed)
                snprintf(s->note, sizeof s->note,
                         "the log was left by a crash; it is read as it lies");
            return OK;
        }
        sqlite3_close(s->db);
        s->db = NULL;
        rc = recover_log(path);
        if (open_database(path, SQLITE_OPEN_READONLY, &s->db) != SQLITE_OK)
            return store_failed(s->db, path, "opening the log", err);
    }
    if (rc == SQLITE_OK && crashed)
        snprintf(s->note, sizeof s->note,
                 "the log was left by a crash; what was committed is recovered");
    else if (rc == SQLITE_BUSY)
        snprintf(s->note, sizeof s->note,
                 "the log is in use by another program, and read up to its last commit");
    v = judge_store(s->db, s);
    if (v == IS_UNREADABLE)
        return fail_unrecoverable(path, sqlite3_errmsg(s->db), err);
    return v == IS_LOG ? OK : not_a_log(path, err);
}

// ---- What is inside -----------------------------------------------------------------------------

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

// Notes what an earlier log lacks. A caller that salvages tells of that itself.
static void note_missing(store *s) {
    const migration *m = &s->migration;
    if (s->salvage || s->note[0] || m->missing.count == 0)
        return;
    size_t used =
        (size_t)snprintf(s->note, sizeof s->note, "the log cannot tell %s", m->missing.items[0]);
    for (size_t i = 1; i < m->missing.count && used < sizeof s->note; i++)
        used +=
            (size_t)snprintf(s->note + used, sizeof s->note - used, "; %s", m->missing.items[i]);
}

static status open_store(const char *path, const store *options, store **out, error *err) {
    status result = check_place(path, err);
    if (result != OK)
        return result;
    store *s = calloc(1, sizeof *s);
    if (!s)
        return error_at(err, E_MEMORY, path, 0, 0, "no memory is left to open the log");
    *s = *options;
    s->arena = arena_create();
    s->path = arena_strdup(s->arena, path);
    result = open_readable(path, s, err);
    if (result == OK && s->version > SCHEMA_VERSION)
        result =
            error_at(err, E_INPUT, path, 0, 0,
                     "the log has schema %d, from a later foresee; this one knows schemas up to %d",
                     s->version, SCHEMA_VERSION);
    s->migration.path = s->path;
    s->migration.version = s->version;
    s->migration.salvage = s->salvage;
    s->migration.arena = s->arena;
    if (result == OK)
        hold(s->db);
    if (result == OK)
        result = migrate_log(s->db, &s->migration, err);
    if (result == OK)
        result = store_check(s->db, path, err);
    if (result == OK)
        result = load_episodes(s, path, err);
    if (result == OK)
        let_go(s->db);
    if (result != OK) {
        store_close(s);
        return result;
    }
    note_missing(s);
    *out = s;
    return OK;
}

static status open_funded(const char *path, const store *options, store **out, error *err) {
    mem_fund fund;
    if (!mem_fund_open(&fund, FUND))
        return error_at(err, E_MEMORY, path, 0, 0, "no memory is left to open the log");
    status result = open_store(path, options, out, err);
    mem_fund_close(&fund);
    return result;
}

status store_open(const char *path, store **out, error *err) {
    return open_funded(path, &(store){0}, out, err);
}

status store_salvage(const char *path, bool (*stopped)(void), store **out, error *err) {
    const store options = {.salvage = true, .migration.stopped = stopped};
    return open_funded(path, &options, out, err);
}

void store_close(store *s) {
    if (!s)
        return;
    sqlite3_close(s->db);
    arena_destroy(s->arena);
    array_finish(&s->episodes);
    array_finish(&s->migration.missing);
    free(s);
}

bool store_hold(const store *s) {
    return hold(s->db);
}

void store_let_go(const store *s, bool held) {
    if (held)
        let_go(s->db);
}

void store_allow_views(const store *s) {
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 1, NULL);
}

sqlite3 *store_db(const store *s) {
    return s->db;
}

int store_version(const store *s) {
    return s->version;
}

const char *store_path(const store *s) {
    return s->path;
}

const char *store_note(const store *s) {
    return s->note[0] ? s->note : NULL;
}

const char *const *store_missing(const store *s, size_t *count) {
    *count = s->migration.missing.count;
    return s->migration.missing.items;
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

// Finds the first id from which on rows belong to `episode` or a later one: ids grow with episodes.
static int first_row(sqlite3_stmt *next, int64_t low, int64_t high, int64_t episode, int64_t *out) {
    // Mostly the log has one episode: the ends are looked at first.
    for (int64_t mid = low, turn = 0; low < high; turn++) {
        if (turn == 1)
            mid = high - 1;
        else if (turn > 1)
            mid = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
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
    const column_info *key = record_key(kind);
    const char *table = record_describe(key ? key->target : kind)->table;
    char sql[200];
    sqlite3_stmt *q = NULL;
    int64_t low = 0, high = 0, from = 0, to = 0;
    bool empty = true;
    // The largest id by itself: a query of both ends at once would read the whole table.
    snprintf(
        sql, sizeof sql,
        "SELECT id, episode, (SELECT max(id) FROM %s) FROM %s WHERE id >= ?1 ORDER BY id LIMIT 1",
        table, table);
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);
    if (rc == SQLITE_OK) {
        sqlite3_bind_int64(q, 1, INT64_MIN);
        rc = sqlite3_step(q);
        empty = rc != SQLITE_ROW;
        low = sqlite3_column_int64(q, 0);
        high = sqlite3_column_int64(q, 2);
        if (!checked_add(high, 1, &high)) // nobody writes such an id
            high = INT64_MAX;
        rc = rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
        sqlite3_reset(q);
    }
    if (rc == SQLITE_OK && !empty)
        rc = first_row(q, low, high, episode, &from);
    if (rc == SQLITE_OK && !empty)
        rc = episode < INT64_MAX ? first_row(q, from, high, episode + 1, &to)
                                 : (to = high, SQLITE_OK);
    sqlite3_finalize(q);
    if (rc != SQLITE_OK)
        return store_failed(s->db, s->path, "reading the log", err);
    *first = from;
    *end = to;
    return OK;
}

// logger/log.c - the sink that writes SQLite.
#include "logger/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "logger/log_int.h"
#include "schema/numbers.h"
#include "schema/schema.h"
#include "schema/store/store.h"
#include "schema/words.h"

enum { HELD_RECORDS = 128, HELD_TEXT = 32768 };
#define WAL_PAGES_MAX 8000 // 16 MB, after which they are folded into the log

struct logger {
    sink sink; // the head; must be first
    sqlite3 *db;
    char *path;
    sqlite3_stmt *insert[RECORD_KINDS], *update[RECORD_KINDS]; // update NULL: nothing FINAL
    sqlite3_stmt *advance, *commit, *begin;
    int64_t shift[RECORD_KINDS]; // ids of the running episode start after these
    // Records wait here for others, since many at once are written twice as quickly; a commit
    // writes all. A record waits only if its id is new and its kind is never ended.
    record held[HELD_RECORDS];
    size_t held_count, held_text;
    char held_texts[HELD_TEXT];
    int64_t newest[RECORD_KINDS]; // largest id put in this episode
    int64_t episode;
    nanos committed;
    bool durable;  // the log is kept, not merged away
    bool running;  // an episode is open, and with it a transaction
    bool marked;   // the log itself says that the rest of an episode is in its -wal file
    int wal_pages; // there as of the last commit
    error failed;  // code != OK: the first failure, after which nothing more is written
};

log_options log_options_default(void) {
    return (log_options){.durable = true};
}

// ---- Failures -----------------------------------------------------------------------------------

// Gives up the open transaction after a failure that l->failed tells; what was committed is intact.
static status roll_back(logger *l, error *err) {
    if (!sqlite3_get_autocommit(l->db))
        sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
    if (err)
        *err = l->failed;
    return l->failed.code;
}

// Keeps the first failure, as SQLite tells it.
static status give_up(logger *l, const char *doing, error *err) {
    store_failed(l->db, l->path, doing, &l->failed);
    return roll_back(l, err);
}

static status still_failed(const logger *l, error *err) {
    if (err)
        *err = l->failed;
    return l->failed.code;
}

static status run_statement(logger *l, sqlite3_stmt *q, const char *doing, error *err) {
    int rc = sqlite3_step(q);
    if (rc == SQLITE_DONE) {
        sqlite3_reset(q);
        return OK;
    }
    status s = give_up(l, doing, err); // before the reset, which forgets the reason
    sqlite3_reset(q);
    return s;
}

// ---- Records ------------------------------------------------------------------------------------

static void bind_column(const logger *l, sqlite3_stmt *q, int at, const record *r,
                        const column_info *column) {
    const void *field = (const char *)r + column->offset;
    int64_t integer;
    double real;
    const char *text;
    char *packed;
    switch (column->type) {
    case COLUMN_REAL:
        memcpy(&real, field, sizeof real);
        if (isfinite(real))
            sqlite3_bind_double(q, at, real);
        else
            sqlite3_bind_null(q, at);
        return;
    case COLUMN_TEXT:
        memcpy(&text, field, sizeof text);
        if (column->scale == PACKED_WORD && text)
            text = words_pack(text);
        packed = column->scale == PACKED_NUMBERS && text ? numbers_pack(text) : NULL;
        if (packed)
            sqlite3_bind_text(q, at, packed, -1, free);
        else
            sqlite3_bind_text(q, at, text, -1, SQLITE_STATIC); // NULL binds NULL
        return;
    case COLUMN_FIXED:
        memcpy(&real, field, sizeof real);
        if (isfinite(real))
            sqlite3_bind_int64(q, at, record_fixed(column, real));
        else
            sqlite3_bind_null(q, at);
        return;
    case COLUMN_TICK:
        memcpy(&integer, field, sizeof integer);
        sqlite3_bind_int64(q, at, integer / RECORD_TICK);
        return;
    case COLUMN_TIME:
        memcpy(&integer, field, sizeof integer);
        if (integer == TIME_OPEN)
            sqlite3_bind_null(q, at);
        else
            sqlite3_bind_int64(q, at, integer);
        return;
    case COLUMN_REF:
        memcpy(&integer, field, sizeof integer);
        if (integer == 0)
            sqlite3_bind_null(q, at);
        else
            sqlite3_bind_int64(q, at, integer + l->shift[column->target]);
        return;
    case COLUMN_INT:
    case COLUMN_BOOL:
        memcpy(&integer, field, sizeof integer);
        sqlite3_bind_int64(q, at, integer);
        return;
    }
}

static status check_record(const logger *l, const record *r, error *err) {
    if (l->failed.code != OK)
        return still_failed(l, err);
    if (!l->running)
        return error_at(err, E_USAGE, l->path, 0, 0, "a record was put before its episode began");
    if (r->id < 1)
        return error_at(err, E_ORDER, l->path, 0, 0, "record %lld of %s has no number of the sink",
                        (long long)r->id, record_describe(r->kind)->table);
    return OK;
}

static status write_record(logger *l, const record *r, error *err) {
    sqlite3_stmt *q = l->insert[r->kind];
    const record_info *info = record_describe(r->kind);
    int at = 1;
    if (!record_key(r->kind)) {
        sqlite3_bind_int64(q, at++, r->id + l->shift[r->kind]);
        sqlite3_bind_int64(q, at++, l->episode);
    }
    for (size_t i = 0; i < info->column_count; i++)
        bind_column(l, q, at++, r, &info->columns[i]);
    return run_statement(l, q, "writing a record", err);
}

static status write_held(logger *l, error *err) {
    status s = OK;
    for (size_t i = 0; i < l->held_count && s == OK; i++)
        s = write_record(l, &l->held[i], err);
    l->held_count = l->held_text = 0;
    return s;
}

// Puts a copy of the record's texts behind those that are held, and has the record refer to them.
// False: no room.
static bool hold_texts(logger *l, record *r) {
    const record_info *info = record_describe(r->kind);
    for (size_t i = 0; i < info->column_count; i++) {
        const char *text;
        char *field = (char *)r + info->columns[i].offset;
        if (info->columns[i].type != COLUMN_TEXT)
            continue;
        memcpy(&text, field, sizeof text);
        if (!text)
            continue;
        size_t size = strlen(text) + 1;
        if (size > HELD_TEXT - l->held_text)
            return false;
        const char *copy = memcpy(l->held_texts + l->held_text, text, size);
        memcpy(field, &copy, sizeof copy);
        l->held_text += size;
    }
    return true;
}

static bool hold_record(logger *l, const record *r) {
    if (l->held_count == HELD_RECORDS)
        return false;
    record *copy = &l->held[l->held_count];
    *copy = *r;
    if (!hold_texts(l, copy))
        return false;
    l->held_count++;
    return true;
}

static status log_put(sink *s, const record *r, error *err) {
    logger *l = (logger *)s;
    status result = check_record(l, r, err);
    if (result != OK)
        return result;
    if (r->id <= l->newest[r->kind] &&
        !record_key(r->kind)) { // with all others written, SQLite finds out if it is there
        result = write_held(l, err);
        return result == OK ? write_record(l, r, err) : result;
    }
    l->newest[r->kind] = r->id;
    if (l->update[r->kind])
        return write_record(l, r, err);
    if (hold_record(l, r))
        return OK;
    result = write_held(l, err);
    if (result != OK || hold_record(l, r))
        return result;
    return write_record(l, r, err); // its texts are longer than the room for held ones
}

static status log_end(sink *s, const record *r, error *err) {
    logger *l = (logger *)s;
    status result = check_record(l, r, err);
    if (result != OK)
        return result;
    sqlite3_stmt *q = l->update[r->kind];
    const record_info *info = record_describe(r->kind);
    if (!q)
        return error_at(err, E_USAGE, l->path, 0, 0, "records of %s have no end", info->table);
    int at = 1;
    for (size_t i = 0; i < info->column_count; i++) {
        if (info->columns[i].flag == COLUMN_FINAL)
            bind_column(l, q, at++, r, &info->columns[i]);
    }
    sqlite3_bind_int64(q, at, r->id + l->shift[r->kind]);
    result = run_statement(l, q, "ending a record", err);
    if (result == OK && sqlite3_changes(l->db) != 1)
        return error_at(err, E_ORDER, l->path, 0, 0, "record %lld of %s ends, but was never put",
                        (long long)r->id, info->table);
    return result;
}

// Says in the log itself that the rest of it is in its -wal file, for the two may get separated.
// take_mark takes that back, within the -wal file.
static bool set_mark(logger *l, const char *mark) {
    char sql[100];
    snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO meta VALUES (3, '" SCHEMA_WRITING "', '%s')",
             mark);
    l->marked = sqlite3_exec(l->db, sql, NULL, NULL, NULL) == SQLITE_OK || l->marked;
    return l->marked;
}

static bool take_mark(logger *l) {
    static const char sql[] = "DELETE FROM meta WHERE key = '" SCHEMA_WRITING "'";
    if (l->marked && sqlite3_exec(l->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        l->marked = false;
    return !l->marked;
}

static int count_pages(void *context, sqlite3 *db, const char *name, int pages) {
    logger *l = context;
    (void)db;
    (void)name;
    l->wal_pages = pages;
    return SQLITE_OK;
}

// Folds the -wal file into the log, which says before that more will follow. A reader may keep part
// of the file from being folded.
static status fold_some(logger *l, error *err) {
    l->wal_pages = 0;
    bool ok = set_mark(l, SCHEMA_GOING_ON);
    if (ok) {
        int rc = sqlite3_wal_checkpoint_v2(l->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
        ok = rc == SQLITE_OK || (rc & 0xff) == SQLITE_BUSY || (rc & 0xff) == SQLITE_LOCKED;
    }
    return ok && take_mark(l) ? OK : give_up(l, "committing", err);
}

// The next transaction begins at once, so that no other writer comes between.
static status log_commit(sink *s, nanos t, error *err) {
    logger *l = (logger *)s;
    if (l->failed.code != OK)
        return still_failed(l, err);
    if (!l->running)
        return error_at(err, E_USAGE, l->path, 0, 0, "a commit without an episode");
    if (t < l->committed)
        return error_at(err, E_ORDER, l->path, 0, 0, "a commit at %.9f s follows one at %.9f s",
                        seconds(t), seconds(l->committed));
    status result = write_held(l, err);
    if (result != OK)
        return result;
    sqlite3_bind_int64(l->advance, 1, t);
    sqlite3_bind_int64(l->advance, 2, l->episode);
    result = run_statement(l, l->advance, "committing", err);
    if (result == OK)
        result = run_statement(l, l->commit, "committing", err);
    if (result == OK) {
        l->committed = t;
        if (l->wal_pages >= WAL_PAGES_MAX)
            result = fold_some(l, err);
    }
    if (result == OK) {
        result = run_statement(l, l->begin, "going on after a commit", err);
    }
    return result;
}

static const sink_class log_class = {log_put, log_end, log_commit};

// ---- Opening ------------------------------------------------------------------------------------

static status prepare_statement(logger *l, const char *sql, sqlite3_stmt **out, error *err) {
    if (sqlite3_prepare_v3(l->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) != SQLITE_OK)
        return store_failed(l->db, l->path, "preparing to write the log", err);
    return OK;
}

static status prepare_update(logger *l, record_kind kind, error *err) {
    const record_info *info = record_describe(kind);
    char sql[1000];
    int length = snprintf(sql, sizeof sql, "UPDATE %s SET ", info->table), count = 0;
    for (size_t i = 0; i < info->column_count; i++) {
        if (info->columns[i].flag == COLUMN_FINAL)
            length += snprintf(sql + length, sizeof sql - (size_t)length, "%s%s = ?",
                               count++ ? ", " : "", info->columns[i].name);
        ASSERT((size_t)length + 32 < sizeof sql);
    }
    if (count == 0)
        return OK;
    snprintf(sql + length, sizeof sql - (size_t)length, " WHERE id = ?");
    return prepare_statement(l, sql, &l->update[kind], err);
}

static status prepare_all(logger *l, error *err) {
    status s = prepare_statement(
        l, "UPDATE episode SET end_ns = ?1, committed_ns = ?1 WHERE id = ?2", &l->advance, err);
    if (s == OK)
        s = prepare_statement(l, "COMMIT", &l->commit, err);
    if (s == OK)
        s = prepare_statement(l, "BEGIN IMMEDIATE", &l->begin, err);
    for (int k = 0; k < RECORD_KINDS && s == OK; k++) {
        s = log_prepare_insert(l->db, l->path, (record_kind)k, &l->insert[k], err);
        if (s == OK)
            s = prepare_update(l, (record_kind)k, err);
    }
    return s;
}

status log_create(const char *path, const log_options *options, logger **out, error *err) {
    log_options o = options ? *options : log_options_default();
    bool present = false;
    status s = log_present(path, &present, err);
    if (s != OK)
        return s;
    logger *l = mem_must(1, sizeof *l);
    l->sink.class = &log_class;
    l->path = mem_strdup(path);
    l->durable = o.durable;
    s = present ? log_connect(path, o.durable, &l->db, err)
                : log_connect_new(path, o.durable, &l->db, err);
    if (s == OK)
        sqlite3_wal_hook(l->db, count_pages, l);
    if (s == OK)
        s = prepare_all(l, err);
    if (s != OK) {
        log_close(l);
        return s;
    }
    *out = l;
    return OK;
}

sink *log_sink(logger *l) {
    return &l->sink;
}

int64_t log_episode(const logger *l) {
    return l->episode;
}

// ---- Episodes -----------------------------------------------------------------------------------

static int bind_optional(sqlite3_stmt *q, int at, const char *text) {
    return sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT);
}

static status insert_episode(logger *l, const episode_info *info, error *err) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(
            l->db,
            "INSERT INTO episode (id, plan, world, robot, seed, version, step_ns, cycle_ns, end_ns,"
            " outcome, complete, committed_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 'incomplete', 0, "
            "0)",
            -1, &q, NULL) != SQLITE_OK)
        return give_up(l, "beginning an episode", err);
    sqlite3_bind_int64(q, 1, l->episode);
    bind_optional(q, 2, info->plan);
    bind_optional(q, 3, info->world);
    bind_optional(q, 4, info->robot);
    sqlite3_bind_int64(q, 5, info->seed);
    bind_optional(q, 6, info->version);
    sqlite3_bind_int64(q, 7, info->step);
    sqlite3_bind_int64(q, 8, info->cycle);
    status s = run_statement(l, q, "beginning an episode", err);
    sqlite3_finalize(q);
    return s;
}

// Begins the first transaction of an episode, in WAL mode.
static status enter_wal(logger *l, error *err) {
    if (!set_mark(l, SCHEMA_BEGUN) ||
        sqlite3_exec(l->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) != SQLITE_OK ||
        !take_mark(l))
        return give_up(l, "beginning an episode", err);
    return run_statement(l, l->begin, "beginning an episode", err);
}

status log_begin_episode(logger *l, const episode_info *info, error *err) {
    ASSERT(info->step > 0 && info->cycle >= info->step && info->cycle % info->step == 0);
    if (l->failed.code != OK)
        return still_failed(l, err);
    if (l->running)
        return error_at(err, E_USAGE, l->path, 0, 0,
                        "an episode begins before the last one has ended");
    int64_t last = 0;
    char pragma[64];
    // a copy restored from a dump has lost the header's number
    snprintf(pragma, sizeof pragma, "PRAGMA application_id = %d", SCHEMA_APPLICATION_ID);
    status s = enter_wal(l, err);
    if (s != OK)
        return s;
    if (sqlite3_exec(l->db, pragma, NULL, NULL, NULL) != SQLITE_OK)
        return give_up(l, "beginning an episode", err);
    s = log_last_ids(l->db, l->path, l->shift, &last, err);
    if (s == OK && last == 0) // a new log is indexed when its first episode ends
        s = log_unindex(l->db, l->path, err);
    if (s != OK) {
        sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
        return s;
    }
    l->episode = last + 1;
    l->committed = 0;
    l->held_count = l->held_text = 0;
    memset(l->newest, 0, sizeof l->newest);
    memset(l->sink.next_id, 0, sizeof l->sink.next_id);
    s = insert_episode(l, info, err);
    if (s == OK)
        s = run_statement(l, l->commit, "beginning an episode", err);
    // the log itself knows of the episode, even if its -wal file is lost
    if (s == OK)
        s = fold_some(l, err);
    if (s == OK)
        s = run_statement(l, l->begin, "beginning an episode", err);
    l->running = s == OK;
    return s;
}

status log_resume(const char *from, const char *path, const log_options *options, logger **out,
                  error *err) {
    logger *l = NULL;
    int64_t last = 0;
    status s = log_copy(from, path, err);
    if (s == OK)
        s = log_create(path, options, &l, err);
    if (s == OK)
        s = log_last_ids(l->db, path, l->newest, &last, err);
    if (s == OK && last != 1)
        s = error_at(err, E_INPUT, path, 0, 0, "the log does not hold one episode to go on with");
    if (s == OK)
        s = enter_wal(l, err);
    if (s != OK) {
        log_close(l);
        return s;
    }
    l->episode = last;
    l->running = true;
    *out = l;
    return OK;
}

// Folds the -wal file into the log and leaves it in rollback-journal mode. Where a reader holds the
// log just then, the next one to open it does so.
static status fold_wal(logger *l, error *err) {
    sqlite3_busy_timeout(l->db, 500);
    int rc = sqlite3_exec(l->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    sqlite3_busy_timeout(l->db, 0);
    if (rc == SQLITE_OK || (rc & 0xff) == SQLITE_BUSY || (rc & 0xff) == SQLITE_LOCKED)
        return OK;
    return give_up(l, "closing the log", err);
}

// Makes the indexes in a transaction of their own: without room for them, the episode is finished
// all the same.
static status make_indexes(logger *l, error *err) {
    status s = run_statement(l, l->begin, "indexing the log", err);
    if (s == OK && log_index(l->db, l->path, &l->failed) != OK)
        s = roll_back(l, err);
    return s == OK ? run_statement(l, l->commit, "indexing the log", err) : s;
}

// Writes a log of one episode anew, in which the rows that are ordered by a key fill their pages:
// they came in the order of time. Without room for that, or while a reader holds the log, it stays
// as it is; so do longer logs, of which that would take as long as they are.
static void pack_log(logger *l) {
    if (!l->durable || l->episode > 1)
        return;
    sqlite3_limit(l->db, SQLITE_LIMIT_ATTACHED, 1); // which VACUUM takes
    sqlite3_exec(l->db, "VACUUM", NULL, NULL, NULL);
    sqlite3_limit(l->db, SQLITE_LIMIT_ATTACHED, 0);
}

status log_finish(logger *l, nanos end, const char *outcome, bool complete, error *err) {
    if (l->failed.code != OK)
        return still_failed(l, err);
    if (!l->running)
        return error_at(err, E_USAGE, l->path, 0, 0, "an episode ends that never began");
    status s = write_held(l, err);
    if (s != OK)
        return s;
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(
            l->db,
            "UPDATE episode SET end_ns = ?1, committed_ns = ?1, outcome = ?2, complete = ?3"
            " WHERE id = ?4",
            -1, &q, NULL) != SQLITE_OK)
        return give_up(l, "ending the episode", err);
    sqlite3_bind_int64(q, 1, end);
    sqlite3_bind_text(q, 2, outcome, -1, SQLITE_STATIC);
    sqlite3_bind_int(q, 3, complete);
    sqlite3_bind_int64(q, 4, l->episode);
    s = run_statement(l, q, "ending the episode", err);
    sqlite3_finalize(q);
    if (s == OK)
        s = run_statement(l, l->commit, "ending the episode", err);
    l->running = false;
    if (s == OK) {
        pack_log(l); // there are no indexes yet, which it would take out of their order
        s = make_indexes(l, err);
    }
    return s == OK ? fold_wal(l, err) : s;
}

void log_close(logger *l) {
    if (!l)
        return;
    if (l->db) {
        if (!sqlite3_get_autocommit(l->db))
            sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
        take_mark(l);
        fold_wal(l, NULL);
    }
    for (int k = 0; k < RECORD_KINDS; k++) {
        sqlite3_finalize(l->insert[k]);
        sqlite3_finalize(l->update[k]);
    }
    sqlite3_finalize(l->advance);
    sqlite3_finalize(l->commit);
    sqlite3_finalize(l->begin);
    sqlite3_close(l->db);
    free(l->path);
    free(l);
}

status log_judge(const char *path, int64_t episode, const char *outcome, error *err) {
    sqlite3 *db = NULL;
    sqlite3_stmt *q = NULL;
    status s = log_connect(path, true, &db, err);
    if (s != OK)
        return s;
    sqlite3_busy_timeout(db, 2000);
    if (sqlite3_prepare_v2(db, "UPDATE episode SET outcome = ?1, complete = 1 WHERE id = ?2", -1,
                           &q, NULL) != SQLITE_OK) {
        s = store_failed(db, path, "writing the outcome", err);
        goto done;
    }
    sqlite3_bind_text(q, 1, outcome, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 2, episode);
    if (sqlite3_step(q) != SQLITE_DONE)
        s = store_failed(db, path, "writing the outcome", err);
    else if (sqlite3_changes(db) != 1)
        s = error_at(err, E_INPUT, path, 0, 0, "the log has no episode %lld", (long long)episode);
done:
    sqlite3_finalize(q);
    sqlite3_close(db);
    return s;
}

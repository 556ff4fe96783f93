// query/log/signals_read.c - what the readers of the log share: failing, going through rows.
#include <stdio.h>
#include "query/log/signals_int.h"

bool signals_fail(signals *s, status why, const char *text) {
    if (s->failed == OK) {
        s->failed = why;
        if (text)
            error_set(&s->err, why, "%s", text);
    }
    return false;
}

bool signals_damaged(signals *s, const char *table) {
    if (s->failed == OK)
        s->failed = error_at(
            &s->err, E_INPUT, store_path(s->store), 0, 0,
            "the log is damaged: a row of its table %s holds an instant or a number out of range",
            table);
    return false;
}

bool signals_tracks_failed(signals *s, status why, const error *err) {
    if (s->failed == OK)
        s->err = *err;
    return signals_fail(s, why, NULL);
}

bool signals_no_memory(signals *s) {
    return signals_fail(s, E_MEMORY, "no memory is left to read the log");
}

static bool sql_failed(signals *s) {
    if (s->failed == OK)
        s->failed = store_failed(store_db(s->store), NULL, "reading the log", &s->err);
    return false;
}

sqlite3_stmt *signals_select(signals *s, const char *sql) {
    sqlite3_stmt *rows = NULL;
    if (sqlite3_prepare_v2(store_db(s->store), sql, -1, &rows, NULL) != SQLITE_OK)
        sql_failed(s);
    return rows;
}

bool signals_read_rows(signals *s, sqlite3_stmt *rows, int64_t key, row_reader *read,
                       void *context) {
    int code = SQLITE_DONE;
    if (!rows)
        return false;
    sqlite3_bind_int64(rows, 1, key);
    while ((code = sqlite3_step(rows)) == SQLITE_ROW && read(s, rows, context))
        ;
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        sql_failed(s);
    sqlite3_reset(rows);
    return s->failed == OK;
}

bool signals_read(signals *s, const char *sql, int64_t key, row_reader *read, void *context) {
    sqlite3_stmt *rows = signals_select(s, sql);
    bool ok = signals_read_rows(s, rows, key, read, context);
    sqlite3_finalize(rows);
    return ok;
}

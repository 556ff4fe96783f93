// query/log/signals.c - what the readers of the log share: opening, failing, going through rows.
#include <stdio.h>
#include "query/log/signals_int.h"

status signals_open(store *s, const store_episode *e, values *v, facts *f, budget *b, signals **out,
                    error *err) {
    signals *g = calloc(1, sizeof *g);
    if (!g)
        return error_set(err, E_MEMORY, "no memory is left to read the log");
    g->store = s;
    g->episode = *e;
    g->values = v;
    g->facts = f;
    g->budget = b;
    status st = tracks_open(store_db(s), e->id, &g->tracks, err);
    g->series_of = st == OK ? relation_create(1, b) : NULL;
    if (st == OK && !g->series_of)
        st = error_set(err, E_MEMORY, "no memory is left to read the log");
    if (st != OK) {
        signals_close(g);
        return st;
    }
    g->names_map = values_symbol(v, "map");
    g->name_interval = values_symbol(v, "interval");
    g->name_pose = values_symbol(v, "pose");
    *out = g;
    return OK;
}

void signals_close(signals *s) {
    if (!s)
        return;
    signals_forget_things(s);
    array_finish(&s->contacts);
    for (size_t i = 0; i < s->pairs.count; i++) {
        array_finish(&s->pairs.items[i]->steps);
        free(s->pairs.items[i]);
    }
    array_finish(&s->pairs);
    for (size_t i = 0; i < s->believed.count; i++)
        array_finish(&s->believed.items[i].rows);
    array_finish(&s->believed);
    array_finish(&s->agents);
    for (size_t i = 0; i < s->series.count; i++)
        array_finish(&s->series.items[i]);
    array_finish(&s->series);
    relation_destroy(s->series_of);
    sqlite3_finalize(s->select_forces);
    tracks_close(s->tracks);
    free(s);
}

bool signals_fail(signals *s, status why, const char *text) {
    if (s->failed == OK) {
        s->failed = why;
        if (text)
            error_set(&s->err, why, "%s", text);
    }
    return false;
}

bool signals_damaged(signals *s, const char *table) {
    char text[200];
    snprintf(text, sizeof text,
             "the log is damaged: a row of its table %s holds an instant or a number out of range",
             table);
    return signals_fail(s, E_INPUT, text);
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

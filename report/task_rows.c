// report/task_rows.c - reads the tasks of an episode and links them to trees.
#include "report/task_rows.h"

#include "schema/store/store.h"

static const char *column_text(arena *a, sqlite3_stmt *stmt, int column) {
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    return text ? arena_strdup(a, text) : NULL;
}

static int compare_id(const void *key, const void *row) {
    int64_t a = *(const int64_t *)key, b = ((const task_row *)row)->id;
    return a < b ? -1 : a > b;
}

task_row *task_rows_find(const task_rows *t, int64_t id) {
    if (t->rows.count == 0)
        return NULL;
    return bsearch(&id, t->rows.items, t->rows.count, sizeof *t->rows.items, compare_id);
}

task_row *task_rows_parent(const task_rows *t, const task_row *row) {
    return row->parent && row->parent < row->id ? task_rows_find(t, row->parent) : NULL;
}

// Takes rows from the last to the first, and puts each before its later siblings.
static void link_rows(task_rows *t) {
    for (size_t i = 0; i < t->rows.count; i++) {
        task_row *row = &t->rows.items[i];
        const task_row *parent = task_rows_parent(t, row);
        row->depth = parent ? parent->depth + 1 : 0;
    }
    for (size_t i = t->rows.count; i-- > 0;) {
        task_row *row = &t->rows.items[i], *parent = task_rows_parent(t, row);
        size_t *first = parent ? &parent->first_child : &t->first_top;
        row->next = *first;
        *first = i + 1;
    }
}

status task_rows_read(sqlite3 *db, const char *log, int64_t episode, arena *a, task_rows *out,
                      error *err) {
    static const char sql[] =
        "SELECT id, coalesce(parent, 0), construct, path, dynamic_path, expr, goal, file, line,"
        " start_ns, end_ns, status, skipped, result,"
        " coalesce((SELECT s.status FROM task_status s WHERE s.task = task.id ORDER BY s.t_ns DESC,"
        " s.id DESC LIMIT 1), status),"
        " CASE WHEN (SELECT count(*) FROM agent WHERE episode = ?1) > 1 THEN (SELECT name FROM"
        " agent WHERE id = task.agent) END FROM task WHERE episode = ?1 ORDER BY id";
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return store_failed(db, log, "reading the tasks", err);
    sqlite3_bind_int64(stmt, 1, episode);
    int rc;
    bool sound = true;
    while (sound && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        task_row row = {.id = sqlite3_column_int64(stmt, 0),
                        .parent = sqlite3_column_int64(stmt, 1),
                        .construct = column_text(a, stmt, 2),
                        .path = column_text(a, stmt, 3),
                        .dynamic_path = column_text(a, stmt, 4),
                        .expr = column_text(a, stmt, 5),
                        .goal = column_text(a, stmt, 6),
                        .file = column_text(a, stmt, 7),
                        .line = sqlite3_column_int64(stmt, 8),
                        .status = column_text(a, stmt, 11),
                        .skipped = sqlite3_column_int(stmt, 12) != 0,
                        .result = column_text(a, stmt, 13),
                        .last_status = column_text(a, stmt, 14),
                        .robot = column_text(a, stmt, 15)};
        sound = column_time(stmt, 9, &row.start) && column_end(stmt, 10, &row.end);
        array_push(&out->rows, row);
    }
    sqlite3_finalize(stmt);
    if (!sound)
        return error_at(
            err, E_INPUT, log, 0, 0,
            "the log is damaged: a row of its table task holds an instant out of range");
    if (rc != SQLITE_DONE)
        return store_failed(db, log, "reading the tasks", err);
    link_rows(out);
    return OK;
}

void task_rows_finish(task_rows *t) {
    array_finish(&t->rows);
}

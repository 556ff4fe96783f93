// report/tree.c - the tasks of an episode as an indented tree, and as JSON.
#include "report/tree.h"

#include "report/rows.h"
#include "schema/columns.h"
#include "schema/store/store.h"
#include "base/text/json.h"

typedef struct task_row {
    int64_t id, parent, line;
    const char *construct, *path, *dynamic_path, *expr, *goal, *file, *status, *result;
    nanos start, end;
    bool skipped;
    const char *failure, *reason;
    size_t first_child, next; // indices + 1; 0: none
    int depth;                // how many tasks are above it
} task_row;

typedef struct task_tree {
    store *log;
    const store_episode *episode;
    arena *arena;
    ARRAY(task_row) rows; // sorted by id, which is the order of creation
    size_t first_top;
} task_tree;

static const char *column_text(task_tree *t, sqlite3_stmt *stmt, int column) {
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    return text ? arena_strdup(t->arena, text) : NULL;
}

static task_row *find_task(task_tree *t, int64_t id) {
    return rows_find(t->rows.items, t->rows.count, sizeof *t->rows.items, id);
}

static status read_tasks(task_tree *t, const char *path, error *err) {
    static const char sql[] =
        "SELECT id, coalesce(parent, 0), construct, path, dynamic_path, expr, goal, file, line,"
        " start_ns, end_ns, status, skipped, result FROM task WHERE episode = ? ORDER BY id";
    sqlite3 *db = store_db(t->log);
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return store_failed(db, path, "reading the tasks", err);
    sqlite3_bind_int64(stmt, 1, t->episode->id);
    int rc;
    bool sound = true;
    while (sound && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        task_row row = {.id = sqlite3_column_int64(stmt, 0),
                        .parent = sqlite3_column_int64(stmt, 1),
                        .construct = column_text(t, stmt, 2),
                        .path = column_text(t, stmt, 3),
                        .dynamic_path = column_text(t, stmt, 4),
                        .expr = column_text(t, stmt, 5),
                        .goal = column_text(t, stmt, 6),
                        .file = column_text(t, stmt, 7),
                        .line = sqlite3_column_int64(stmt, 8),
                        .status = column_text(t, stmt, 11),
                        .skipped = sqlite3_column_int(stmt, 12) != 0,
                        .result = column_text(t, stmt, 13)};
        sound = column_time(stmt, 9, &row.start) && column_end(stmt, 10, &row.end);
        array_push(&t->rows, row);
    }
    sqlite3_finalize(stmt);
    if (!sound)
        return error_at(
            err, E_INPUT, path, 0, 0,
            "the log is damaged: a row of its table task holds an instant out of range");
    return rc == SQLITE_DONE ? OK : store_failed(db, path, "reading the tasks", err);
}

// Reads the last failure of each task. A failure that was attached to another task counts only
// where the task has no other.
static status read_failures(task_tree *t, const char *path, error *err) {
    static const char sql[] =
        "SELECT task, class, reason FROM failure WHERE episode = ? ORDER BY attached IS NULL, id";
    sqlite3 *db = store_db(t->log);
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return store_failed(db, path, "reading the failures", err);
    sqlite3_bind_int64(stmt, 1, t->episode->id);
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        task_row *row = find_task(t, sqlite3_column_int64(stmt, 0));
        if (row) {
            row->failure = column_text(t, stmt, 1);
            row->reason = column_text(t, stmt, 2);
        }
    }
    sqlite3_finalize(stmt);
    return rc == SQLITE_DONE ? OK : store_failed(db, path, "reading the failures", err);
}

#define DEPTH_MAX 2000 // no plan that was run is nested more deeply

// Links children in order of creation: rows are taken from the last to the first, each put before
// its later siblings.
static status link_children(task_tree *t, const char *path, error *err) {
    for (size_t i = 0; i < t->rows.count; i++) {
        task_row *row = &t->rows.items[i];
        const task_row *parent = row->parent < row->id ? find_task(t, row->parent) : NULL;
        row->depth = parent ? parent->depth + 1 : 0;
        if (row->depth > DEPTH_MAX)
            return error_at(err, E_INPUT, path, 0, 0,
                            "the log is damaged: its tasks are nested more than %d deep",
                            DEPTH_MAX);
    }
    for (size_t i = t->rows.count; i-- > 0;) {
        task_row *row = &t->rows.items[i];
        task_row *parent = row->parent && row->parent < row->id ? find_task(t, row->parent) : NULL;
        size_t *first = parent ? &parent->first_child : &t->first_top;
        row->next = *first;
        *first = i + 1;
    }
    return OK;
}

static void tree_close(task_tree *t) {
    array_finish(&t->rows);
    arena_destroy(t->arena);
    store_close(t->log);
}

static status tree_open(const char *path, int64_t episode, task_tree *t, error *err) {
    *t = (task_tree){.arena = arena_create()};
    status st = store_open(path, &t->log, err);
    if (st == OK)
        st = store_choose(t->log, episode, &t->episode, err);
    if (st == OK)
        st = read_tasks(t, path, err);
    if (st == OK)
        st = read_failures(t, path, err);
    if (st == OK)
        st = link_children(t, path, err);
    if (st != OK)
        tree_close(t);
    return st;
}

static nanos task_end(const task_tree *t, const task_row *row) {
    return row->end == TIME_OPEN ? t->episode->end : row->end;
}

// Returns the part of the path that the parent's path does not have.
static const char *own_part(const task_row *row, const task_row *parent) {
    const char *path = row->dynamic_path ? row->dynamic_path : row->path ? row->path : "";
    const char *above = parent ? parent->dynamic_path ? parent->dynamic_path : parent->path : NULL;
    size_t n = above ? strlen(above) : 0;
    if (n && strncmp(path, above, n) == 0 && path[n] == '/')
        return path + n + 1;
    return path;
}

static void text_level(const task_tree *t, size_t first, const task_row *parent, int depth,
                       text_buffer *out) {
    for (size_t i = first; i; i = t->rows.items[i - 1].next) {
        const task_row *row = &t->rows.items[i - 1];
        const char *status_name = row->skipped ? "skipped" : row->status ? row->status : "?";
        text_add(out, "%9.2f %8.2f s  %-10s %*s%s", seconds(row->start),
                 seconds(task_end(t, row) - row->start), status_name, 2 * depth, "",
                 own_part(row, parent));
        if (row->goal)
            text_add(out, "  goal %s", row->goal);
        else if (row->expr && !row->first_child)
            text_add(out, "  %s", row->expr);
        text_put(out, "\n");
        if (row->failure)
            text_add(out, "%36s%*s! %s: %s\n", "", 2 * depth, "", row->failure,
                     row->reason ? row->reason : "");
        text_level(t, row->first_child, row, depth + 1, out);
    }
}

status tree_text(const char *path, int64_t episode, text_buffer *out, size_t *tasks, error *err) {
    task_tree t;
    status st = tree_open(path, episode, &t, err);
    if (st != OK)
        return st;
    *tasks = t.rows.count;
    text_add(out, "%s, seed %lld, episode %lld: %s\n", t.episode->plan ? t.episode->plan : "?",
             (long long)t.episode->seed, (long long)t.episode->id, t.episode->outcome);
    text_put(out, "    start duration    status     task\n");
    text_level(&t, t.first_top, NULL, 0, out);
    tree_close(&t);
    return OK;
}

static void json_level(const task_tree *t, size_t first, int depth, text_buffer *out) {
    text_put(out, "[");
    for (size_t i = first; i; i = t->rows.items[i - 1].next) {
        const task_row *row = &t->rows.items[i - 1];
        text_add(out, "%s\n%*s{ \"id\": %lld, \"construct\": ", i == first ? "" : ",", 2 * depth,
                 "", (long long)row->id);
        json_string(out, row->construct);
        text_put(out, ", \"path\": ");
        json_string(out, row->path);
        text_put(out, ", \"dynamic_path\": ");
        json_string(out, row->dynamic_path);
        text_put(out, ", \"expr\": ");
        json_string(out, row->expr);
        text_put(out, ", \"goal\": ");
        json_string(out, row->goal);
        text_put(out, ", \"file\": ");
        json_string(out, row->file);
        text_add(out, ", \"line\": %lld, \"status\": ", (long long)row->line);
        json_string(out, row->status);
        text_add(out, ", \"skipped\": %s, \"start\": ", row->skipped ? "true" : "false");
        json_seconds(out, row->start);
        text_put(out, ", \"end\": ");
        if (row->end == TIME_OPEN)
            text_put(out, "null");
        else
            json_seconds(out, row->end);
        text_put(out, ", \"duration\": ");
        json_seconds(out, task_end(t, row) - row->start);
        text_put(out, ", \"result\": ");
        json_string(out, row->result);
        text_put(out, ", \"failure\": ");
        if (row->failure) {
            text_put(out, "{ \"class\": ");
            json_string(out, row->failure);
            text_put(out, ", \"reason\": ");
            json_string(out, row->reason);
            text_put(out, " }");
        } else {
            text_put(out, "null");
        }
        text_put(out, ", \"tasks\": ");
        json_level(t, row->first_child, depth + 1, out);
        text_put(out, " }");
    }
    text_put(out, "]");
}

status tree_json(const char *path, int64_t episode, text_buffer *out, size_t *tasks, error *err) {
    task_tree t;
    status st = tree_open(path, episode, &t, err);
    if (st != OK)
        return st;
    *tasks = t.rows.count;
    text_put(out, "{ \"foresee\": \"" FORESEE_VERSION "\", \"schema\": 1, \"log\": ");
    json_string(out, path);
    text_add(out, ", \"episode\": %lld, \"plan\": ", (long long)t.episode->id);
    json_string(out, t.episode->plan);
    text_add(out, ", \"seed\": %lld, \"outcome\": ", (long long)t.episode->seed);
    json_string(out, t.episode->outcome);
    text_put(out, ",\n  \"tasks\": ");
    json_level(&t, t.first_top, 2, out);
    text_put(out, " }\n");
    tree_close(&t);
    return OK;
}

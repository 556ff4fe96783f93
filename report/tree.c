// report/tree.c - the tasks of an episode as an indented tree, and as JSON.
#include "report/tree.h"

#include <string.h>

#include "report/task_rows.h"
#include "schema/store/store.h"
#include "base/text/json.h"

// The last failure of a task.
typedef struct task_failure {
    const char *class, *reason; // class NULL: it did not fail
} task_failure;

typedef struct task_tree {
    store *log;
    const store_episode *episode;
    arena *arena;
    task_rows tasks;
    task_failure *failures; // by task
    tree_choice choice;
} task_tree;

static const char *column_text(task_tree *t, sqlite3_stmt *stmt, int column) {
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    return text ? arena_strdup(t->arena, text) : NULL;
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
    t->failures = arena_alloc(t->arena, (t->tasks.rows.count + 1) * sizeof *t->failures);
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        const task_row *row = task_rows_find(&t->tasks, sqlite3_column_int64(stmt, 0));
        if (row)
            t->failures[row - t->tasks.rows.items] =
                (task_failure){column_text(t, stmt, 1), column_text(t, stmt, 2)};
    }
    sqlite3_finalize(stmt);
    return rc == SQLITE_DONE ? OK : store_failed(db, path, "reading the failures", err);
}

#define DEPTH_MAX 2000 // no plan that was run is nested more deeply

static status check_depth(const task_tree *t, const char *path, error *err) {
    for (size_t i = 0; i < t->tasks.rows.count; i++)
        if (t->tasks.rows.items[i].depth > DEPTH_MAX)
            return error_at(err, E_INPUT, path, 0, 0,
                            "the log is damaged: its tasks are nested more than %d deep",
                            DEPTH_MAX);
    return OK;
}

// Says by an error which robots there are unless one of them has the name that was chosen.
static status check_robot(const task_tree *t, const char *path, error *err) {
    sqlite3 *db = store_db(t->log);
    sqlite3_stmt *stmt = NULL;
    if (!t->choice.robot)
        return OK;
    if (sqlite3_prepare_v2(db, "SELECT name FROM agent WHERE episode = ? ORDER BY id", -1, &stmt,
                           NULL) != SQLITE_OK)
        return store_failed(db, path, "reading the robots", err);
    sqlite3_bind_int64(stmt, 1, t->episode->id);
    text_buffer names = {0};
    bool found = false;
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(stmt, 0);
        found = found || (name && strcmp(name, t->choice.robot) == 0);
        text_add(&names, "%s%s", names.count ? ", " : "", name ? name : "?");
    }
    sqlite3_finalize(stmt);
    status st = OK;
    if (rc != SQLITE_DONE)
        st = store_failed(db, path, "reading the robots", err);
    else if (!found && names.count)
        st = error_at(err, E_INPUT, path, 0, 0, "no robot of the episode is called %s; it has %s",
                      t->choice.robot, text_string(&names));
    else if (!found)
        st = error_at(err, E_INPUT, path, 0, 0, "the episode has no robot %s, nor any other",
                      t->choice.robot);
    text_finish(&names);
    return st;
}

static void tree_close(task_tree *t) {
    task_rows_finish(&t->tasks);
    arena_destroy(t->arena);
    store_close(t->log);
}

static status tree_open(const char *path, int64_t episode, tree_choice choice, task_tree *t,
                        error *err) {
    *t = (task_tree){.arena = arena_create(), .choice = choice};
    status st = store_open(path, &t->log, err);
    if (st == OK)
        st = store_choose(t->log, episode, &t->episode, err);
    if (st == OK)
        st = task_rows_read(store_db(t->log), path, t->episode->id, t->arena, &t->tasks, err);
    if (st == OK)
        st = read_failures(t, path, err);
    if (st == OK)
        st = check_depth(t, path, err);
    if (st == OK)
        st = check_robot(t, path, err);
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

static bool is_failed(const task_row *row) {
    return row->last_status && strcmp(row->last_status, "failed") == 0;
}

// Counts the tasks from `first` on and below them; *failed: whether one of them failed.
static size_t count_below(const task_tree *t, size_t first, bool *failed) {
    size_t count = 0;
    for (size_t i = first; i; i = t->tasks.rows.items[i - 1].next) {
        const task_row *row = &t->tasks.rows.items[i - 1];
        *failed = *failed || is_failed(row);
        count += 1 + count_below(t, row->first_child, failed);
    }
    return count;
}

// Returns whether the task is told: all of the chosen robot are, or it or one below it failed.
static bool is_told(const task_tree *t, const task_row *row) {
    bool failed = is_failed(row);
    if (t->choice.robot && row->robot && strcmp(t->choice.robot, row->robot) != 0)
        return false;
    if (t->choice.failed && !failed)
        count_below(t, row->first_child, &failed);
    return !t->choice.failed || failed;
}

static void text_level(const task_tree *t, size_t first, const task_row *parent, int depth,
                       text_buffer *out) {
    for (size_t i = first; i; i = t->tasks.rows.items[i - 1].next) {
        const task_row *row = &t->tasks.rows.items[i - 1];
        const task_failure *failure = &t->failures[i - 1];
        if (!is_told(t, row))
            continue;
        const char *status_name = row->skipped ? "skipped" : row->status ? row->status : "?";
        bool first_of_robot = row->robot && !parent;
        text_add(out, "%9.2f %8.2f s  %-10s %*s%s%s%s", seconds(row->start),
                 seconds(task_end(t, row) - row->start), status_name, 2 * depth, "",
                 first_of_robot ? row->robot : "", first_of_robot ? ": " : "",
                 own_part(row, parent));
        if (row->goal)
            text_add(out, "  goal %s", row->goal);
        else if (row->expr && !row->first_child)
            text_add(out, "  %s", row->expr);
        text_put(out, "\n");
        if (failure->class)
            text_add(out, "%36s%*s! %s: %s\n", "", 2 * depth, "", failure->class,
                     failure->reason ? failure->reason : "");
        bool failed = false;
        if (t->choice.depth == 0 || depth + 1 < t->choice.depth)
            text_level(t, row->first_child, row, depth + 1, out);
        else if (row->first_child)
            text_add(out, "%36s%*s... %zu below\n", "", 2 * depth, "",
                     count_below(t, row->first_child, &failed));
    }
}

status tree_text(const char *path, int64_t episode, tree_choice choice, text_buffer *out,
                 size_t *tasks, error *err) {
    task_tree t;
    status st = tree_open(path, episode, choice, &t, err);
    if (st != OK)
        return st;
    *tasks = t.tasks.rows.count;
    text_add(out, "%s, seed %lld, episode %lld: %s\n", t.episode->plan ? t.episode->plan : "?",
             (long long)t.episode->seed, (long long)t.episode->id, t.episode->outcome);
    text_put(out, "    start duration    status     task\n");
    text_level(&t, t.tasks.first_top, NULL, 0, out);
    tree_close(&t);
    return OK;
}

static void json_level(const task_tree *t, size_t first, int depth, text_buffer *out) {
    text_put(out, "[");
    for (size_t i = first; i; i = t->tasks.rows.items[i - 1].next) {
        const task_row *row = &t->tasks.rows.items[i - 1];
        const task_failure *failure = &t->failures[i - 1];
        text_add(out, "%s\n%*s{ \"id\": %lld, \"construct\": ", i == first ? "" : ",", 2 * depth,
                 "", (long long)row->id);
        json_string(out, row->construct);
        if (row->robot)
            json_member(out, ", ", "robot", row->robot);
        json_member(out, ", ", "path", row->path);
        json_member(out, ", ", "dynamic_path", row->dynamic_path);
        json_member(out, ", ", "expr", row->expr);
        json_member(out, ", ", "goal", row->goal);
        json_member(out, ", ", "file", row->file);
        text_add(out, ", \"line\": %lld", (long long)row->line);
        json_member(out, ", ", "status", row->status);
        text_add(out, ", \"skipped\": %s, \"start\": ", row->skipped ? "true" : "false");
        json_seconds(out, row->start);
        text_put(out, ", \"end\": ");
        if (row->end == TIME_OPEN)
            text_put(out, "null");
        else
            json_seconds(out, row->end);
        text_put(out, ", \"duration\": ");
        json_seconds(out, task_end(t, row) - row->start);
        json_member(out, ", ", "result", row->result);
        text_put(out, ", \"failure\": ");
        if (failure->class) {
            json_member(out, "{ ", "class", failure->class);
            json_member(out, ", ", "reason", failure->reason);
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
    status st = tree_open(path, episode, (tree_choice){0}, &t, err);
    if (st != OK)
        return st;
    *tasks = t.tasks.rows.count;
    text_put(out, "{ \"foresee\": \"" FORESEE_VERSION "\", \"schema\": 1, \"log\": ");
    json_string(out, path);
    text_add(out, ", \"episode\": %lld", (long long)t.episode->id);
    json_member(out, ", ", "plan", t.episode->plan);
    text_add(out, ", \"seed\": %lld", (long long)t.episode->seed);
    json_member(out, ", ", "outcome", t.episode->outcome);
    text_put(out, ",\n  \"tasks\": ");
    json_level(&t, t.tasks.first_top, 2, out);
    text_put(out, " }\n");
    tree_close(&t);
    return OK;
}

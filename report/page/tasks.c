// report/page/tasks.c - the tasks of an episode as a tree that unfolds, each with its bar in time.
#include "report/page/html_int.h"
#include "report/rows.h"
#include "schema/columns.h"

enum { TASKS_MAX = 700, FLAWS_MAX = 60 };

typedef struct row {
    int64_t id, parent; // ids of rows of the log
    const char *construct, *expr, *path, *file, *status;
    int64_t line;
    nanos start, end;
    size_t first, next; // first child and next sibling: index + 1, 0: none
    size_t below;       // how many tasks are below it
    int depth;
    bool flawed, leads; // a flaw belongs to the task; to the task or one below it
} row;
typedef struct tree {
    html_page *page;
    ARRAY(row) rows;
    int deepest; // deeper tasks are left out, unless they lead to a flaw
} tree;

static status read_rows(tree *t) {
    html_page *p = t->page;
    static const char sql[] =
        "SELECT id, parent, construct, expr, path, file, line, start_ns, end_ns,"
        " coalesce((SELECT s.status FROM task_status s WHERE s.task = task.id ORDER BY s.t_ns DESC,"
        " s.id DESC LIMIT 1), status) FROM task WHERE episode = ? ORDER BY id";
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(ask_db(p->ask), sql, -1, &s, NULL) != SQLITE_OK)
        return store_failed(ask_db(p->ask), p->d->log, "reading the tasks", p->err);
    sqlite3_bind_int64(s, 1, p->d->episode);
    int rc;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        const char *text[5];
        static const int at[5] = {2, 3, 4, 5, 9};
        for (int i = 0; i < 5; i++) {
            const char *value = (const char *)sqlite3_column_text(s, at[i]);
            text[i] = value ? arena_strdup(p->arena, value) : "";
        }
        row r = {.id = sqlite3_column_int64(s, 0),
                 .parent = sqlite3_column_int64(s, 1),
                 .construct = text[0],
                 .expr = text[1],
                 .path = text[2],
                 .file = text[3],
                 .status = text[4],
                 .line = sqlite3_column_int64(s, 6)};
        if (!column_time(s, 7, &r.start) || !column_end(s, 8, &r.end)) {
            sqlite3_finalize(s);
            return error_at(p->err, E_INPUT, p->d->log, 0, 0,
                            "the log is damaged: a row of its table task holds an instant out of "
                            "range");
        }
        if (r.end == TIME_OPEN)
            r.end = p->d->end;
        array_push(&t->rows, r);
    }
    sqlite3_finalize(s);
    return rc == SQLITE_DONE ? OK
                             : store_failed(ask_db(p->ask), p->d->log, "reading the tasks", p->err);
}

static row *find_row(tree *t, int64_t id) {
    return rows_find(t->rows.items, t->rows.count, sizeof *t->rows.items, id);
}

// Links children in the order of the log, where parents come before them.
static void link_rows(tree *t) {
    for (size_t i = t->rows.count; i-- > 0;) {
        row *r = &t->rows.items[i], *parent = r->parent < r->id ? find_row(t, r->parent) : NULL;
        if (!parent)
            continue;
        r->next = parent->first;
        parent->first = i + 1;
        parent->below += r->below + 1;
    }
    for (size_t i = 0; i < t->rows.count; i++) {
        row *r = &t->rows.items[i], *parent = r->parent < r->id ? find_row(t, r->parent) : NULL;
        r->depth = parent ? parent->depth + 1 : 0;
    }
    for (size_t i = 0; i < t->page->d->flaws.count && i < FLAWS_MAX; i++) {
        row *r = find_row(t, t->page->d->flaws.items[i].task.row);
        if (r)
            r->flawed = true;
        for (; r && !r->leads; r = r->parent < r->id ? find_row(t, r->parent) : NULL)
            r->leads = true;
    }
}

// Chooses the greatest depth that there is room for.
static void choose_depth(tree *t) {
    for (t->deepest = 1; t->deepest < 200; t->deepest++) {
        size_t count = 0;
        for (size_t i = 0; i < t->rows.count; i++)
            count += t->rows.items[i].depth <= t->deepest;
        if (count > TASKS_MAX || count == t->rows.count)
            break;
    }
    t->deepest -= t->rows.count > TASKS_MAX;
}

// Returns by how many steps the label of a row is indented.
static const char *indent_text(tree *t, int depth) {
    return arena_format(t->page->arena, "%d", depth > 12 ? 12 : depth);
}

static void put_row(tree *t, const row *r) {
    html_page *p = t->page;
    size_t n = strlen(r->construct);
    // The expression of a task begins with its construct.
    html_fill(p, HTML_TASK_ROW, "path", r->path, "depth", indent_text(t, r->depth), "construct",
              r->construct, "rest", strncmp(r->expr, r->construct, n) == 0 ? r->expr + n : r->expr,
              NULL);
    html_lane l = {p, 18};
    lanes_guides(p);
    const char *class = r->flawed                          ? "t flawed"
                        : strcmp(r->status, "failed") == 0 ? "t failed"
                        : strcmp(r->status, "done") == 0   ? "t"
                                                           : "t open";
    lane_bar(&l, r->start, r->end, class,
             arena_format(p->arena, "%s, %.2f to %.2f s, %s:%lld", r->status, seconds(r->start),
                          seconds(r->end), r->file, (long long)r->line));
    html_fill_rest(p, HTML_TASK_ROW, 1, NULL);
}

static bool row_fits(const tree *t, const row *r) {
    return (r->depth <= t->deepest || r->leads) && t->page->out->count < HTML_TASKS_MAX;
}

static void put_tree(tree *t, size_t at) {
    html_page *p = t->page;
    const row *r = &t->rows.items[at];
    size_t hidden = 0;
    bool unfolds = false;
    for (size_t c = r->first; c; c = t->rows.items[c - 1].next) {
        const row *child = &t->rows.items[c - 1];
        bool shown = row_fits(t, child);
        unfolds = unfolds || shown;
        hidden += shown ? 0 : child->below + 1;
    }
    if (!unfolds) {
        html_fill(p, HTML_TASK_LEAF, NULL);
        put_row(t, r);
        html_fill_rest(p, HTML_TASK_LEAF, 1, NULL);
        return;
    }
    html_fill(p, HTML_TASK_BRANCH, "open", r->leads || r->depth < 1 ? " open" : NULL, NULL);
    put_row(t, r);
    html_fill_rest(p, HTML_TASK_BRANCH, 1, NULL);
    for (size_t c = r->first; c; c = t->rows.items[c - 1].next) {
        const row *child = &t->rows.items[c - 1];
        if (row_fits(t, child))
            put_tree(t, c - 1);
        else if (child->depth <= t->deepest || child->leads)
            hidden += child->below + 1; // the page has become full since it was counted
    }
    if (hidden)
        html_fill(p, HTML_SMALLER_STEPS, "depth", indent_text(t, r->depth + 1), "count",
                  arena_format(p->arena, "%zu", hidden), NULL);
    html_fill_rest(p, HTML_TASK_BRANCH, 2, NULL);
}

status tasks_put(html_page *p) {
    tree t = {.page = p};
    status st = read_rows(&t);
    if (st == OK && t.rows.count > 0) {
        link_rows(&t);
        choose_depth(&t);
        html_fill(p, HTML_TASKS, NULL);
        lanes_axis(p);
        for (size_t i = 0; i < t.rows.count; i++)
            if (t.rows.items[i].depth == 0)
                put_tree(&t, i);
        html_fill_rest(p, HTML_TASKS, 1, NULL);
    }
    array_finish(&t.rows);
    return st;
}

// report/page/tasks.c - the tasks of an episode as a tree that unfolds, each with its bar in time.
#include "report/page/html_int.h"
#include "report/task_rows.h"

enum { TASKS_MAX = 700, FLAWS_MAX = 60 };

// What the page tells of a task beside its row.
typedef struct task_mark {
    size_t below;       // how many tasks are below it
    bool flawed, leads; // a flaw belongs to the task; to the task or one below it
} task_mark;
typedef struct tree {
    html_page *page;
    task_rows tasks;
    task_mark *marks; // by task
    int deepest;      // deeper tasks are left out, unless they lead to a flaw
} tree;

static task_mark *mark_of(const tree *t, const task_row *row) {
    return &t->marks[row - t->tasks.rows.items];
}

// Counts the tasks below each, and marks those that flaws belong to.
static void mark_tasks(tree *t) {
    t->marks = arena_alloc(t->page->arena, (t->tasks.rows.count + 1) * sizeof *t->marks);
    for (size_t i = t->tasks.rows.count; i-- > 0;) {
        const task_row *parent = task_rows_parent(&t->tasks, &t->tasks.rows.items[i]);
        if (parent)
            mark_of(t, parent)->below += t->marks[i].below + 1;
    }
    for (size_t i = 0; i < t->page->d->flaws.count && i < FLAWS_MAX; i++) {
        const task_row *row = task_rows_find(&t->tasks, t->page->d->flaws.items[i].task.row);
        if (row)
            mark_of(t, row)->flawed = true;
        for (; row && !mark_of(t, row)->leads; row = task_rows_parent(&t->tasks, row))
            mark_of(t, row)->leads = true;
    }
}

// Chooses the greatest depth that there is room for.
static void choose_depth(tree *t) {
    for (t->deepest = 1; t->deepest < 200; t->deepest++) {
        size_t count = 0;
        for (size_t i = 0; i < t->tasks.rows.count; i++)
            count += t->tasks.rows.items[i].depth <= t->deepest;
        if (count > TASKS_MAX || count == t->tasks.rows.count)
            break;
    }
    t->deepest -= t->tasks.rows.count > TASKS_MAX;
}

// Returns by how many steps the label of a row is indented.
static const char *indent_text(tree *t, int depth) {
    return arena_format(t->page->arena, "%d", depth > 12 ? 12 : depth);
}

static const char *or_empty(const char *text) {
    return text ? text : "";
}

// Returns the tag of a row; that of a robot's uppermost task says whose it is, where there are
// several.
static const char *owned_tag(tree *t, const task_row *r, const char *tag) {
    if (!r->robot || r->depth > 0)
        return tag;
    return arena_format(t->page->arena, "%s: %s", r->robot, tag);
}

static void put_row(tree *t, const task_row *r) {
    html_page *p = t->page;
    const char *construct = or_empty(r->construct), *expr = or_empty(r->expr),
               *state = or_empty(r->last_status);
    const char *slash = r->path ? strrchr(r->path, '/') : NULL,
               *tag = slash ? slash + 1 : or_empty(r->path);
    nanos end = r->end == TIME_OPEN ? p->d->end : r->end;
    // A step is known by its tag; its expression begins with its construct.
    html_fill(p, HTML_TASK_ROW, "path", r->path, "depth", indent_text(t, r->depth), "number",
              arena_format(p->arena, "%zu", (size_t)(r - t->tasks.rows.items) + 1), "tag",
              owned_tag(t, r, *tag ? tag : construct), "expr", expr, NULL);
    html_lane l = {p, 18};
    lanes_guides(p);
    const char *class = mark_of(t, r)->flawed          ? "t flawed"
                        : strcmp(state, "failed") == 0 ? "t failed"
                        : strcmp(state, "done") == 0   ? "t"
                                                       : "t open";
    lane_bar(&l, r->start, end, class,
             arena_format(p->arena, "%s, %.2f to %.2f s, %s:%lld", state, seconds(r->start),
                          seconds(end), or_empty(r->file), (long long)r->line));
    html_fill_rest(p, HTML_TASK_ROW, 1, NULL);
}

static bool row_fits(const tree *t, const task_row *r) {
    return (r->depth <= t->deepest || mark_of(t, r)->leads) && t->page->out->count < HTML_TASKS_MAX;
}

// Says how many tasks below one are left out.
static void put_hidden(tree *t, const task_row *r, size_t hidden) {
    if (hidden)
        html_fill(t->page, HTML_SMALLER_STEPS, "depth", indent_text(t, r->depth + 1), "count",
                  arena_format(t->page->arena,
                               hidden == 1 ? "%zu smaller step" : "%zu smaller steps", hidden),
                  NULL);
}

static void put_tree(tree *t, size_t at) {
    html_page *p = t->page;
    const task_row *r = &t->tasks.rows.items[at];
    size_t hidden = 0;
    bool unfolds = false;
    for (size_t c = r->first_child; c; c = t->tasks.rows.items[c - 1].next) {
        const task_row *child = &t->tasks.rows.items[c - 1];
        bool shown = row_fits(t, child);
        unfolds = unfolds || shown;
        hidden += shown ? 0 : mark_of(t, child)->below + 1;
    }
    if (!unfolds) {
        html_fill(p, HTML_TASK_LEAF, NULL);
        put_row(t, r);
        html_fill_rest(p, HTML_TASK_LEAF, 1, NULL);
        put_hidden(t, r, hidden);
        return;
    }
    html_fill(p, HTML_TASK_BRANCH, "open", mark_of(t, r)->leads || r->depth < 1 ? " open" : NULL,
              NULL);
    put_row(t, r);
    html_fill_rest(p, HTML_TASK_BRANCH, 1, NULL);
    for (size_t c = r->first_child; c; c = t->tasks.rows.items[c - 1].next) {
        const task_row *child = &t->tasks.rows.items[c - 1];
        if (row_fits(t, child))
            put_tree(t, c - 1);
        else if (child->depth <= t->deepest || mark_of(t, child)->leads)
            hidden += mark_of(t, child)->below + 1; // the page has become full since it was counted
    }
    put_hidden(t, r, hidden);
    html_fill_rest(p, HTML_TASK_BRANCH, 2, NULL);
}

status tasks_put(html_page *p) {
    tree t = {.page = p};
    status st =
        task_rows_read(ask_db(p->ask), p->d->log, p->d->episode, p->arena, &t.tasks, p->err);
    if (st == OK && t.tasks.rows.count > 0) {
        mark_tasks(&t);
        choose_depth(&t);
        html_fill(p, HTML_TASKS, NULL);
        lanes_axis(p);
        for (size_t i = 0; i < t.tasks.rows.count; i++)
            if (t.tasks.rows.items[i].depth == 0)
                put_tree(&t, i);
        html_fill_rest(p, HTML_TASKS, 1, NULL);
    }
    task_rows_finish(&t.tasks);
    return st;
}

// report/diagnosis/gaps.c - questions that the log of an episode cannot answer, because it was cut
// off or lacks tables that it should hold.
#include <stdio.h>

#include "report/diagnosis/diagnosis_int.h"

enum { TASKS_MAX = 5 };

typedef struct finder {
    ask *ask;
    diagnosis *d;
    error *err;
} finder;

static status prepare_statement(const finder *g, const char *sql, sqlite3_stmt **out) {
    if (sqlite3_prepare_v2(ask_db(g->ask), sql, -1, out, NULL) != SQLITE_OK)
        return store_failed(ask_db(g->ask), g->d->log, "reading the log", g->err);
    sqlite3_bind_int64(*out, 1, g->d->episode);
    return OK;
}

static status finish_statement(const finder *g, sqlite3_stmt *row, int rc) {
    sqlite3_finalize(row);
    return rc == SQLITE_DONE || rc == SQLITE_ROW
               ? OK
               : store_failed(ask_db(g->ask), g->d->log, "reading the log", g->err);
}

void diagnosis_add_gap(diagnosis *d, const char *about, const char *text, bool whole) {
    diagnosis_gap g = {arena_strdup(d->arena, about), arena_strdup(d->arena, text)};
    array_push(&d->gaps, g);
    if (whole)
        d->complete = false;
}

static void add_gap(const finder *g, const char *about, const text_buffer *text, bool whole) {
    char *copy = arena_copy(g->d->arena, text->items, text->count);
    diagnosis_add_gap(g->d, about, copy, whole);
}

// A task has ended when its status says so: the column of its end is only filled when a projection
// ends in order.
#define OPEN(t)                                                                                    \
    "NOT EXISTS (SELECT 1 FROM task_status s WHERE s.task = " t                                    \
    ".id AND s.status IN ('done', 'failed', 'evaporated'))"

static status count_rows(const finder *g, const char *sql, int64_t *out) {
    sqlite3_stmt *row = NULL;
    status st = prepare_statement(g, sql, &row);
    if (st != OK)
        return st;
    int rc = sqlite3_step(row);
    *out = rc == SQLITE_ROW ? sqlite3_column_int64(row, 0) : 0;
    return finish_statement(g, row, rc);
}

// Adds the innermost tasks that were under way at the end of the log, in the order of the log.
static status open_tasks(const finder *g) {
    sqlite3_stmt *row = NULL;
    status st =
        prepare_statement(g,
                          "SELECT path, expr, file, line FROM task t WHERE episode = ?1 AND " OPEN(
                              "t") " AND NOT EXISTS (SELECT 1 FROM task c WHERE c.parent = t.id "
                                   "AND " OPEN("c") ") ORDER BY id",
                          &row);
    if (st != OK)
        return st;
    text_buffer text = {0};
    size_t found = 0;
    int rc;
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(row, 0),
                   *expr = (const char *)sqlite3_column_text(row, 1),
                   *file = (const char *)sqlite3_column_text(row, 2);
        if (found++ < TASKS_MAX)
            text_add(&text, "%s%s at %s (%s:%lld)", found > 1 ? "; " : "", expr ? expr : "?",
                     path ? path : "?", file ? file : "?", (long long)sqlite3_column_int64(row, 3));
    }
    if (found > TASKS_MAX)
        text_add(&text, "; and %zu more", found - TASKS_MAX);
    st = finish_statement(g, row, rc);
    if (st == OK && found) {
        text_buffer whole = {0};
        text_add(&whole, "how the tasks still under way would have ended: %s", text_string(&text));
        add_gap(g, "tasks", &whole, true);
        text_finish(&whole);
    }
    text_finish(&text);
    return st;
}

// Adds the flaws that were going on at the end of the log.
static void open_flaws(const finder *g) {
    text_buffer text = {0};
    for (size_t i = 0; i < g->d->flaws.count; i++) {
        const flaw *f = &g->d->flaws.items[i];
        if (f->end >= g->d->end && !f->recovered)
            text_add(&text, "%s%lld",
                     text.count ? ", " : "whether these flaws would have been made good: ",
                     (long long)f->id);
    }
    if (text.count)
        add_gap(g, "recovery", &text, true);
    text_finish(&text);
}

// Adds that the outcome is missing although the log holds the whole episode.
static status not_judged(const finder *g) {
    text_buffer text = {0};
    text_put(&text, "whether its goals were achieved was not judged: the run was ended before; "
                    "`foresee run` of the log makes it again");
    add_gap(g, "goals", &text, true);
    text_finish(&text);
    return OK;
}

static status cut_off(const finder *g) {
    diagnosis *d = g->d;
    int64_t top_open = 0, tasks = 0, committed = d->end;
    status st = count_rows(
        g, "SELECT count(*) FROM task t WHERE episode = ?1 AND parent IS NULL AND " OPEN("t"),
        &top_open);
    if (st == OK)
        st = count_rows(g, "SELECT count(*) FROM task WHERE episode = ?1", &tasks);
    if (st == OK)
        st = count_rows(g, "SELECT committed_ns FROM episode WHERE id = ?1", &committed);
    if (st != OK)
        return st;
    text_buffer text = {0};
    bool invalid = strcmp(d->outcome, "invalid") == 0;
    text_add(&text, "%s at %.2f s: ", invalid ? "the simulation failed" : "cut off",
             seconds(d->end));
    if (tasks == 0)
        text_put(&text, "no task had begun, so whether the plan has a flaw is not known");
    else if (top_open)
        text_put(&text, "whether its goals would have been achieved");
    else
        text_put(&text,
                 "the plan had ended, but whether what it put down stays there is not known");
    add_gap(g, "goals", &text, true);
    text.count = 0;
    text_add(&text, "which flaws it would have shown after %.2f s", seconds(d->end));
    add_gap(g, "flaws", &text, true);
    if (committed < d->end) {
        text.count = 0;
        text_add(&text, "some of what happened after %.2f s: the log was left by a crash",
                 seconds(committed));
        add_gap(g, "log", &text, true);
    }
    text_finish(&text);
    open_flaws(g);
    return open_tasks(g);
}

// A table that the log of a whole episode has rows of, and what cannot be known without them.
typedef struct need {
    const char *about, *missing, *text;
} need;
#define LOOKED                                                                                     \
    "EXISTS (SELECT 1 FROM operation WHERE episode = ?1 AND name = 'detect' AND end_ns IS NOT "    \
    "NULL) AND "
static const need needs[] = {
    {"tasks", "NOT EXISTS (SELECT 1 FROM task WHERE episode = ?1)",
     "what the robot did and why: the log has no task of the episode, so no flaw can be laid to a "
     "step"},
    {"bodies",
     "NOT EXISTS (SELECT 1 FROM object o JOIN pose p ON p.object = o.id WHERE o.episode = ?1)",
     "where anything was and how it moved: the log has no pose"},
    {"contacts", "NOT EXISTS (SELECT 1 FROM contact WHERE episode = ?1)",
     "what bore, held or hit what: the log has no contact"},
    {"seeing", LOOKED "NOT EXISTS (SELECT 1 FROM reading WHERE episode = ?1 AND kind = 'camera')",
     "what the robot saw when it looked: the log has no camera frame, so nothing it overlooked, "
     "imagined or mistook shows"},
    {"seeing",
     // Where the frames reported nothing, nothing may have been there.
     LOOKED "NOT EXISTS (SELECT 1 FROM visibility WHERE episode = ?1) AND "
            "(NOT EXISTS (SELECT 1 FROM reading WHERE episode = ?1 AND kind = 'camera') OR "
            "EXISTS (SELECT 1 FROM percept p JOIN reading r ON r.id = p.reading "
            "WHERE r.episode = ?1))",
     "what could be seen and what hid it: the log does not say what stood before the camera"},
    {"beliefs", LOOKED "NOT EXISTS (SELECT 1 FROM believed WHERE episode = ?1)",
     "what the robot believed: the log has no believed object, so no wrong belief shows"},
    {"plan", "NOT EXISTS (SELECT 1 FROM source WHERE episode = ?1 AND kind = 'plan')",
     "how the plan is written: the log has not its text, so nothing can be quoted, and edits may "
     "not fit"},
};

// Adds what the projection noted by itself: those notes have no task. Of an event of the world that
// did not happen nobody knows what would have followed.
static status notes_of_projection(const finder *g) {
    sqlite3_stmt *row = NULL;
    status st = prepare_statement(
        g, "SELECT text FROM note WHERE episode = ?1 AND task IS NULL AND text <> '' ORDER BY id",
        &row);
    if (st != OK)
        return st;
    int rc;
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        text_buffer text = {0};
        const char *note = (const char *)sqlite3_column_text(row, 0);
        bool event = strncmp(note, "the event ", 10) == 0;
        text_add(&text, "%s%s", note, event ? "; what would have come of it does not show" : "");
        add_gap(g, event ? "events" : "notes", &text, false);
        text_finish(&text);
    }
    return finish_statement(g, row, rc);
}

static status look_for_gaps(const finder *g) {
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        char sql[600];
        int64_t missing = 0;
        snprintf(sql, sizeof sql, "SELECT %s", needs[i].missing);
        status st = count_rows(g, sql, &missing);
        if (st != OK)
            return st;
        if (missing)
            diagnosis_add_gap(g->d, needs[i].about, needs[i].text, false);
    }
    return notes_of_projection(g);
}

status gaps_collect(ask *a, diagnosis *d, error *err) {
    finder g = {a, d, err};
    status st = OK;
    if (!d->complete)
        st = strcmp(d->outcome, "unjudged") == 0 ? not_judged(&g) : cut_off(&g);
    return st == OK ? look_for_gaps(&g) : st;
}

// report/diagnosis/verify.c - chooses interventions that test a flaw, and compares flaws of
// different runs.
#include "report/diagnosis/verify.h"

#include "scene/intervene.h"

// STREAM serves kinds of flaws without a flaw_placebo of their own. ALWAYS replaces a sense that
// the episode never read, whose noise therefore changes nothing: encoders are read all the time,
// and their errors are tiny.
static const char STREAM[] = "laser", ALWAYS[] = "encoders";

// Returns the position of a change in interventions.def.
static int change_rank(const term *change) {
    int64_t count = term_list_length(change);
    change_kind kind;
    int most = 0;
    if (count < 0)
        return change_find(change, &kind, NULL) == OK ? (int)kind : CHANGE_COUNT;
    for (int64_t i = 0; i < count; i++) {
        int one = change_rank(term_list_item(change, (size_t)i));
        most = one > most ? one : most;
    }
    return most;
}

// Collects the changes that the rules propose for a flaw.
static void find_changes(const ask_rows *rows, const flaw *f, arena *memory, suspicion *out) {
    const term **all = arena_alloc(memory, (ask_count(rows) + 1) * sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < ask_count(rows); i++) {
        if (!term_equal(ask_at(rows, i, 0)->term, f->term))
            continue;
        const term *change = ask_at(rows, i, 1)->term;
        if (term_list_length(change) == 1)
            change = term_list_item(change, 0);
        size_t at = count++;
        for (; at > 0 && change_rank(all[at - 1]) > change_rank(change); at--)
            all[at] = all[at - 1];
        all[at] = change;
    }
    out->changes = all;
    out->change_count = count;
}

// Sets *read to whether the log has a reading of the stream's sense.
static status was_read(ask *a, const char *stream, bool *read, error *err) {
    static const char sql[] = "SELECT 1 FROM reading WHERE episode = ? AND word(kind) = ? LIMIT 1";
    static const char doing[] = "reading what was sensed";
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(ask_db(a), sql, -1, &row, NULL) != SQLITE_OK)
        return store_failed(ask_db(a), ask_log(a), doing, err);
    sqlite3_bind_int64(row, 1, ask_episode(a)->id);
    sqlite3_bind_text(row, 2, strcmp(stream, "wrist") == 0 ? "wrench" : stream, -1, SQLITE_STATIC);
    int step = sqlite3_step(row);
    status st = step == SQLITE_ROW || step == SQLITE_DONE
                    ? OK
                    : store_failed(ask_db(a), ask_log(a), doing, err);
    *read = step == SQLITE_ROW;
    sqlite3_finalize(row);
    return st;
}

static status find_stream(ask *a, const ask_rows *rows, const flaw *f, const char **out,
                          error *err) {
    const char *stream = STREAM;
    bool read = false;
    for (size_t i = ask_count(rows); i-- > 0;)
        if (term_is_symbol(ask_at(rows, i, 0)->term, f->name) &&
            ask_at(rows, i, 1)->term->kind == TERM_SYMBOL)
            stream = ask_at(rows, i, 1)->term->text;
    status st = was_read(a, stream, &read, err);
    *out = read ? stream : ALWAYS;
    return st;
}

status verify_suspect(ask *a, const diagnosis *d, const term *instead, arena *memory,
                      suspicions *out, error *err) {
    ask_rows changes = {0}, placebos = {0};
    status st = OK;
    if (!instead)
        st = ask_all(a, memory, "flaw_intervention(F, C).", &changes, err);
    if (st == OK)
        st = ask_all(a, memory, "flaw_placebo(N, S).", &placebos, err);
    for (size_t i = 0; st == OK && i < diagnosis_count(d); i++) {
        const flaw *f = diagnosis_flaw(d, i);
        suspicion s = {.flaw = i};
        if (!f->root)
            continue;
        st = find_stream(a, &placebos, f, &s.stream, err);
        if (instead) {
            const term **one = arena_alloc(memory, sizeof *one);
            *one = instead;
            s.changes = one;
            s.change_count = 1;
        } else {
            find_changes(&changes, f, memory, &s);
        }
        array_push(out, s);
    }
    array_finish(&changes.values);
    array_finish(&placebos.values);
    return st;
}

static bool same_text(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

bool verify_shows(const diagnosis *d, const flaw *f) {
    for (size_t i = 0; i < diagnosis_count(d); i++) {
        const flaw *g = diagnosis_flaw(d, i);
        bool body = f->body_count > 0 && g->body_count > 0 && same_text(f->bodies[0], g->bodies[0]);
        if (same_text(f->name, g->name) && (body || same_text(f->task.at.path, g->task.at.path)))
            return true;
    }
    return false;
}

// Returns whether one flaw follows from another, directly or over others; causes have lower ids.
static bool follows_from(const diagnosis *d, const flaw *f, int64_t cause) {
    for (size_t i = 0; i < f->cause_count; i++)
        if (f->causes[i] == cause ||
            (f->causes[i] > cause && f->causes[i] < f->id &&
             follows_from(d, diagnosis_flaw(d, (size_t)f->causes[i] - 1), cause)))
            return true;
    return false;
}

bool verify_ruins(const diagnosis *d, const flaw *f) {
    for (size_t i = 0; i < diagnosis_count(d); i++) {
        const flaw *g = diagnosis_flaw(d, i);
        bool end =
            same_text(g->name, "never_achieved") || same_text(g->name, "unrecovered_failure");
        if (end && !g->recovered && (g == f || follows_from(d, g, f->id)))
            return true;
    }
    return false;
}

// ---- Whether the re-run reached the step of the flaw

// Calls `go_on` with each edit that the change makes, until it returns false. Returns what the last
// call returned.
static bool each_edit(const term *change, bool (*go_on)(const term *edit, void *context),
                      void *context) {
    if (term_is(change, "edits", 1))
        return each_edit(change->args[0], go_on, context);
    for (int64_t i = 0; i < term_list_length(change); i++)
        if (!each_edit(term_list_item(change, (size_t)i), go_on, context))
            return false;
    return change->kind != TERM_COMPOUND || change->arity != 1 || go_on(change, context);
}

// Returns the length of the first part of a path without the number of its round: of "carry_to" in
// "carry_to@2/fetch". *next is the rest of the path; NULL: none.
static size_t path_piece(const char *path, const char **next) {
    size_t length = strcspn(path, "/"), plain = strcspn(path, "/@");
    *next = path[length] ? path + length + 1 : NULL;
    return plain;
}

// Returns whether a path leads through the step that an edit names. The edit names it by a path
// from the top, or by a path in a routine, which begins with the routine's name.
static bool leads_through(const char *path, const char *step) {
    for (const char *from = path, *after; from; path_piece(from, &after), from = after) {
        const char *p = from, *s = step, *next_p = NULL, *next_s = NULL;
        for (; p && s; p = next_p, s = next_s) {
            size_t n = path_piece(p, &next_p);
            if (n != path_piece(s, &next_s) || strncmp(p, s, n) != 0)
                break;
        }
        if (!s)
            return true;
    }
    return false;
}

// Returns whether the edit leaves the step at the path in the plan: it removes neither the step nor
// a step around it.
static bool leaves_step(const term *edit, void *path) {
    bool takes = strcmp(edit->text, "delete") == 0 || strcmp(edit->text, "replace") == 0;
    const term *at = edit->args[0];
    bool named = at->kind == TERM_STRING || at->kind == TERM_SYMBOL;
    return !takes || !named || !leads_through(path, at->text);
}

// Returns whether all steps keep their paths under the edit.
static bool leaves_paths(const term *edit, void *context) {
    static const char *const moving[] = {"insert_before", "insert_after", "wrap",  "unwrap",
                                         "order",         "delete",       "splice"};
    (void)context;
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++)
        if (strcmp(edit->text, moving[i]) == 0)
            return false;
    return true;
}

static bool is_numbered(const char *name, size_t length) {
    return length > 0 && name[length - 1] == ']';
}

// Returns whether `path` may be the path of `step` after edits have put steps around and beside it:
// it has all named parts of the old path in their order, and the same end.
static bool is_moved(const char *path, const char *step) {
    const char *p = path, *s = step, *after_p = NULL, *after_s = NULL;
    for (; s; s = after_s) {
        size_t n = path_piece(s, &after_s);
        bool last = !after_s;
        if (is_numbered(s, n) && !last)
            continue;
        for (; p; p = after_p) {
            size_t m = path_piece(p, &after_p);
            bool alike = is_numbered(s, n) ? is_numbered(p, m) : m == n && !strncmp(p, s, n);
            if (alike && (!last || !after_p))
                break;
        }
        if (!p)
            return false;
        p = after_p;
    }
    return true;
}

// Returns whether a task of the re-run belongs to the step. Where steps were moved, a number in a
// path may now mean another step; the expression of the task tells them apart.
static bool is_step(const flaw_place *step, bool moved, const char *path, const char *expr) {
    if (!step->path || !path)
        return false;
    if (!moved)
        return strcmp(path, step->path) == 0;
    return is_moved(path, step->path) && (!strchr(step->path, '[') || same_text(expr, step->expr));
}

static const char WITHOUT[] = "the change takes the flaw's own step out of the plan",
                  BEFORE[] = "the re-run ended before it came to this step",
                  SHORT[] = "the re-run came to this step, but did not get as far in it",
                  ELSEWHERE[] = "without it the plan fails all the same, in the same step";

status verify_could(ask *a, const flaw *f, const term *change, bool ruins, const char **why_not,
                    error *err) {
    static const char sql[] =
        "SELECT path, expr, coalesce(status = 'done', 0), coalesce(end_ns, ?2) - start_ns FROM task"
        " WHERE episode = ?1 AND start_ns IS NOT NULL AND NOT coalesce(skipped, 0)";
    static const char doing[] = "reading what was run";
    const flaw_task *t = &f->task;
    nanos long_enough = (f->start < t->end ? f->start : t->end) - t->start;
    *why_not = NULL;
    if (!t->at.path)
        return OK;
    if (!each_edit(change, leaves_step, (void *)(uintptr_t)t->at.path)) {
        *why_not = WITHOUT;
        return OK;
    }
    if (same_text(ask_episode(a)->outcome, "succeeded"))
        return OK;
    // A re-run that was cut off where the run was has not failed.
    ruins = ruins && !same_text(ask_episode(a)->outcome, "incomplete");
    bool moved = !each_edit(change, leaves_paths, NULL), could = false, reached = false;
    const flaw_place *around = t->call.path ? &t->call : &t->at; // the step of the plan's own file
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(ask_db(a), sql, -1, &row, NULL) != SQLITE_OK)
        return store_failed(ask_db(a), ask_log(a), doing, err);
    sqlite3_bind_int64(row, 1, ask_episode(a)->id);
    sqlite3_bind_int64(row, 2, ask_episode(a)->end);
    int step = SQLITE_DONE;
    *why_not = BEFORE;
    while (!could && (step = sqlite3_step(row)) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(row, 0),
                   *expr = (const char *)sqlite3_column_text(row, 1);
        bool done = sqlite3_column_int(row, 2) != 0, own = is_step(&t->at, moved, path, expr);
        bool whole = done && (is_step(around, moved, path, expr) ||
                              (ruins && is_step(&t->goal, moved, path, expr)));
        bool as_far = own && (done || sqlite3_column_int64(row, 3) >= long_enough);
        could = whole || (as_far && !ruins);
        reached = reached || as_far;
        if (own)
            *why_not = reached ? ELSEWHERE : SHORT;
    }
    sqlite3_finalize(row);
    if (could)
        *why_not = NULL;
    return could || step == SQLITE_DONE ? OK : store_failed(ask_db(a), ask_log(a), doing, err);
}

const char *verify_verdict(const flaw_verification *v, bool answered) {
    if (!v->change)
        return "untestable";
    if (!answered)
        return "unverified";
    if (!v->gone)
        return "refuted";
    return v->placebos == VERIFY_PLACEBOS && v->still >= VERIFY_STILL ? "verified" : "unverified";
}

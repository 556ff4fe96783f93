#include "report/verify.h"

#include "scene/intervene.h"

// For names without a flaw_placebo of their own; and in the place of a sense that the episode never
// read, for its noise changes nothing: joints are read all the time, and err by very little.
static const char STREAM[] = "laser", ALWAYS[] = "encoders";

// Where a change stands in interventions.def.
static int rank(const term *change) {
    int64_t count = term_list_length(change);
    change_kind kind;
    int most = 0;
    if (count < 0)
        return change_find(change, &kind, NULL) == OK ? (int)kind : CHANGE_COUNT;
    for (int64_t i = 0; i < count; i++) {
        int one = rank(term_list_item(change, (size_t)i));
        most = one > most ? one : most;
    }
    return most;
}

// What the rules would change for a flaw.
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
        for (; at > 0 && rank(all[at - 1]) > rank(change); at--)
            all[at] = all[at - 1];
        all[at] = change;
    }
    out->changes = all;
    out->change_count = count;
}

// Whether the episode has a row that the statement finds for `text`.
static status has_row(ask *a, const char *sql, const char *text, bool *has, error *err) {
    static const char doing[] = "reading what was run";
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(ask_db(a), sql, -1, &row, NULL) != SQLITE_OK)
        return store_failed(ask_db(a), ask_log(a), doing, err);
    sqlite3_bind_int64(row, 1, ask_episode(a)->id);
    sqlite3_bind_text(row, 2, text, -1, SQLITE_STATIC);
    int step = sqlite3_step(row);
    status st = step == SQLITE_ROW || step == SQLITE_DONE
                    ? OK
                    : store_failed(ask_db(a), ask_log(a), doing, err);
    *has = step == SQLITE_ROW;
    sqlite3_finalize(row);
    return st;
}

// Whether the log has a reading of the stream's sense.
static status was_read(ask *a, const char *stream, bool *read, error *err) {
    static const char sql[] = "SELECT 1 FROM reading WHERE episode = ? AND kind = ? LIMIT 1";
    return has_row(a, sql, strcmp(stream, "wrist") == 0 ? "wrench" : stream, read, err);
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

status verify_could(ask *a, const flaw *f, bool *could, error *err) {
    static const char sql[] = "SELECT 1 FROM task WHERE episode = ? AND path = ? LIMIT 1";
    *could = !f->task.at.path || same_text(ask_episode(a)->outcome, "succeeded");
    return *could ? OK : has_row(a, sql, f->task.at.path, could, err);
}

bool verify_edits(const term *change) {
    for (int64_t i = 0; i < term_list_length(change); i++)
        if (verify_edits(term_list_item(change, (size_t)i)))
            return true;
    return term_is(change, "edits", 1);
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

// cli/runs/verify_branch.c - re-runs whose changes act from an instant on, made by one process that
// branches the episode.
#include "cli/runs/verify_int.h"

#include <string.h>

// When a change that keeps events from happening first acts: with the step in which the first of
// them happened. 0: unknown.
static nanos change_acts(ask *asked, const term *change) {
    const store_episode *e = ask_episode(asked);
    bool one = term_is(change, "no_event", 1), every = term_is_symbol(change, "no_events");
    sqlite3_stmt *row = NULL;
    nanos from = 0;
    arena *memory = arena_create();
    if ((one || every) &&
        sqlite3_prepare_v2(ask_db(asked),
                           "SELECT min(t_ns) FROM exogenous WHERE episode = ?1 AND (?2 IS NULL OR "
                           "term = ?2)",
                           -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, e->id);
        if (one)
            sqlite3_bind_text(row, 2, term_text(memory, change->args[0]), -1, SQLITE_TRANSIENT);
        if (sqlite3_step(row) == SQLITE_ROW && e->cycle > 0)
            from = (sqlite3_column_int64(row, 0) - e->step) / e->cycle * e->cycle;
    }
    sqlite3_finalize(row);
    arena_destroy(memory);
    return from > 0 ? from : 0;
}

void verify_share(verifying *v, ask *asked) {
    nanos at = TIME_OPEN;
    size_t count = 0, leader = ALONE;
    for (size_t i = 0; i < v->runs.count; i++) {
        test_run *r = &v->runs.items[i];
        r->from = r->change ? change_acts(asked, r->change) : 0;
        if (r->from == 0)
            continue;
        at = r->from < at ? r->from : at;
        count++;
    }
    if (v->whole || count < 2 || at * (nanos)(count - 1) < ask_episode(asked)->end / 5)
        return;
    for (size_t i = 0; i < v->runs.count; i++)
        if (v->runs.items[i].from) {
            leader = leader == ALONE ? i : leader;
            v->runs.items[i].branch = leader;
            v->runs.items[i].started = i != leader;
        }
}

size_t verify_branch_arguments(verifying *v, size_t leader, const char **args) {
    nanos at = TIME_OPEN;
    size_t n = 0;
    args[n++] = v->program;
    args[n++] = "branch";
    args[n++] = "--quiet";
    for (size_t k = 0; k < v->runs.count; k++)
        if (v->runs.items[k].branch == leader) {
            at = v->runs.items[k].from < at ? v->runs.items[k].from : at;
            args[n++] = "--do";
            args[n++] = v->runs.items[k].value;
        }
    args[n++] = "--at";
    args[n++] = arena_format(v->memory, "%.9f", seconds(at));
    args[n++] = "--output";
    args[n++] = verify_path(v, leader, ".db");
    args[n++] = "--jobs";
    args[n++] = arena_format(v->memory, "%lld", (long long)v->jobs);
    if (v->until) {
        args[n++] = "--until";
        args[n++] = v->until;
    }
    args[n++] = "--";
    args[n++] = arena_format(v->memory, "%s:%lld", v->log, (long long)v->episode);
    return n;
}

bool verify_find_branched(verifying *v, size_t leader) {
    store *log = NULL;
    size_t count = 0, found = 0;
    bool good = store_open(verify_path(v, leader, ".db"), &log, NULL) == OK;
    const store_episode *all = good ? store_episodes(log, &count) : NULL;
    for (size_t k = 0; good && k < v->runs.count; k++) {
        if (v->runs.items[k].branch != leader)
            continue;
        const char *outcome = found < count ? all[found].outcome : NULL;
        good = outcome && (strcmp(outcome, "succeeded") == 0 || strcmp(outcome, "failed") == 0);
        v->runs.items[k].episode = (int64_t)++found;
    }
    store_close(log);
    return good && found == count;
}

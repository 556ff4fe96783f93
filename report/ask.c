// report/ask.c - asks one episode of a log through the query engine.
#include "report/ask.h"

#include "query/engine.h"
#include "query/rule_files.h"
#include "query/why/proof.h"

struct ask {
    store *log;
    engine *engine;
    arena *arena;
    const char *path;
    bool salvaged, borrowed; // the log
};

static status open_ask(const char *log, store *opened, bool salvaged, int64_t episode,
                       const char *rules, const char *const *more, size_t more_count, ask **out,
                       errors *list) {
    ask *a = mem_must(1, sizeof *a);
    error err = {0};
    a->arena = arena_create();
    a->path = arena_strdup(a->arena, log);
    a->salvaged = salvaged;
    a->borrowed = opened != NULL;
    a->log = opened;
    status st = OK;
    if (!opened)
        st = salvaged ? store_salvage(log, NULL, &a->log, &err) : store_open(log, &a->log, &err);
    if (st == OK)
        st = engine_open(a->log, episode, NULL, &a->engine, &err);
    rule_files paths = {0};
    if (st == OK)
        st = rule_files_list(a->arena, rules, &paths, &err);
    // Without memory the engine gives no sentence.
    if (st != OK && !err.text[0])
        error_at(&err, st, log, 0, 0, "the log cannot be opened: %s", status_sentence(st));
    if (st != OK)
        errors_append(list, &err);
    for (size_t i = 0; st == OK && i < paths.count; i++)
        st = engine_load_library_file(a->engine, paths.items[i], list);
    for (size_t i = 0; st == OK && i < more_count; i++)
        st = engine_load_file(a->engine, more[i], list);
    if (st == OK)
        st = engine_check(a->engine, list);
    array_finish(&paths);
    if (st != OK) {
        ask_close(a);
        return st;
    }
    *out = a;
    return OK;
}

status ask_open(const char *log, int64_t episode, const char *rules, const char *const *more,
                size_t more_count, ask **out, errors *list) {
    return open_ask(log, NULL, false, episode, rules, more, more_count, out, list);
}

status ask_open_salvaged(const char *log, int64_t episode, const char *rules,
                         const char *const *more, size_t more_count, ask **out, errors *list) {
    return open_ask(log, NULL, true, episode, rules, more, more_count, out, list);
}

status ask_open_on(store *salvaged, const char *log, int64_t episode, const char *rules,
                   const char *const *more, size_t more_count, ask **out, errors *list) {
    return open_ask(log, salvaged, true, episode, rules, more, more_count, out, list);
}

void ask_close(ask *a) {
    if (!a)
        return;
    engine_close(a->engine);
    if (!a->borrowed)
        store_close(a->log);
    arena_destroy(a->arena);
    free(a);
}

const store_episode *ask_episode(const ask *a) {
    return engine_episode(a->engine);
}
const char *ask_log(const ask *a) {
    return a->path;
}
bool ask_is_salvaged(const ask *a) {
    return a->salvaged;
}
void ask_interrupt(ask *a) {
    engine_interrupt(a->engine);
}

status ask_query(ask *a, arena *memory, const char *query, ask_rows *rows, errors *list) {
    answers *found = NULL;
    status st = engine_query(a->engine, "query", query, &found, list);
    if (st != OK)
        return st;
    ask_rows r = {.columns = answers_columns(found), .count = answers_count(found)};
    const char **names = arena_alloc(memory, (r.columns + 1) * sizeof *names);
    for (size_t c = 0; c < r.columns; c++)
        names[c] = arena_strdup(memory, answers_name(found, c));
    r.names = names;
    for (size_t row = 0; row < r.count; row++) {
        for (size_t c = 0; c < r.columns; c++) {
            value v = answers_value(found, row, c);
            bool is_time = value_kind(v) == VALUE_TIME;
            array_push(&r.values, (ask_value){.term = answers_term(found, row, c, memory),
                                              .is_time = is_time,
                                              .time = is_time ? value_nanos(v) : 0});
        }
    }
    answers_destroy(found);
    *rows = r;
    return OK;
}

// Gives the first mistake of a list, or the sentence of the status.
static void give_first(const errors *list, status st, error *err) {
    if (!err)
        return;
    if (list->count)
        *err = list->items[0];
    else
        error_set(err, st, "the query ended: %s", status_sentence(st));
    err->code = st;
}

status ask_all(ask *a, arena *memory, const char *query, ask_rows *rows, error *err) {
    errors list = {0};
    *rows = (ask_rows){0};
    status st = ask_query(a, memory, query, rows, &list);
    if (st != OK)
        give_first(&list, st, err);
    errors_finish(&list);
    return st;
}

sqlite3 *ask_db(const ask *a) {
    return store_db(a->log);
}

const store *ask_store(const ask *a) {
    return a->log;
}

status ask_why(ask *a, arena *memory, const char *query, size_t parts, uint32_t depth,
               const struct proof **out, error *err) {
    const proof_options options = {.answers = 1, .parts_most = parts, .depth = depth};
    const proof **proofs = NULL;
    size_t count = 0;
    errors list = {0};
    status st = engine_why(a->engine, memory, "query", query, &options, &proofs, &count, &list);
    if (st == OK)
        *out = count ? proofs[0] : NULL;
    else
        give_first(&list, st, err);
    errors_finish(&list);
    return st;
}

status ask_whether(ask *a, const char *query, bool *yes, error *err) {
    arena *memory = arena_create();
    ask_rows rows;
    status st = ask_all(a, memory, query, &rows, err);
    if (st == OK)
        *yes = rows.count > 0;
    array_finish(&rows.values);
    arena_destroy(memory);
    return st;
}

// query/engine.c - from the text of a query to its answers.
#include "query/engine.h"

#include <stdio.h>
#include <time.h>
#include "base/time/clock.h"
#include "base/files/files.h"
#include "query/engine_int.h"
#include "query/demand/demand.h"
#include "query/derive/plan_log.h"
#include "query/log/signals.h"
#include "query/prepared/cut_files.h"

static nanos clamp_time(nanos t) {
    return t < 0 ? 0 : t > TIME_MAX ? TIME_MAX : t;
}

engine_options engine_options_default(void) {
    return (engine_options){.memory_limit = (size_t)2 << 30};
}

// Memory that is set aside before a call, for work that cannot fail once it has begun.
#define FUND ((size_t)1 << 20)
bool engine_fund(const engine *e, mem_fund *fund, size_t more, errors *list) {
    if (mem_fund_open(fund, FUND + SOURCE_FUND_PER_BYTE * (program_text(e->program) + more)))
        return true;
    error err = {0};
    error_set(&err, E_MEMORY, "no memory is left to read or to run this");
    errors_append(list, &err);
    return false;
}

static void commons_release(commons *c) {
    if (!c || --c->users > 0)
        return;
    values_destroy(c->values);
    free(c);
}

static commons *commons_create(const engine_options *opt) {
    commons *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->users = 1;
    c->budget.limit = opt->memory_limit;
    c->budget.forget_origins = opt->forget_origins;
    atomic_init(&c->budget.interrupted, false);
    c->values = values_create(&c->budget);
    if (!c->values) {
        free(c);
        return NULL;
    }
    return c;
}

// `home` NULL: the engine stands alone. `shared` NULL: it gets values and a budget of its own.
static status open_with(store *s, int64_t episode, const engine_options *opt, engine *home,
                        commons *shared, engine **out, error *err) {
    const store_episode *chosen;
    status st = store_choose(s, episode, &chosen, err);
    if (st != OK)
        return st;
    engine *e = calloc(1, sizeof *e);
    if (!e)
        return error_set(err, E_MEMORY, "no memory is left to open the log");
    e->options = opt ? *opt : engine_options_default();
    e->store = s;
    e->episode = *chosen;
    // A damaged log may hold any number; the engine adds to times.
    e->episode.end = clamp_time(chosen->end);
    e->episode.step = chosen->step < 0 || chosen->step > NANOS_PER_SECOND ? 0 : chosen->step;
    e->home = home;
    e->commons = shared ? shared : commons_create(&e->options);
    if (shared)
        shared->users++;
    e->budget = e->commons ? &e->commons->budget : NULL;
    e->pool = home ? home->pool : calloc(1, sizeof *e->pool);
    e->episodes = (episodes){.store = s, .ask = engine_ask_beside, .asker = e};
    e->values = e->pool && e->commons ? e->commons->values : NULL;
    e->program = e->values ? program_create(e->values, e->episode.end) : NULL;
    bool held = store_hold(s);
    st = e->program ? facts_create(s, &e->episode, e->values, e->budget, &e->facts, err)
                    : error_set(err, E_MEMORY, "no memory is left to open the log");
    if (st == OK)
        st = signals_create(s, &e->episode, e->values, e->facts, e->budget, &e->signals, err);
    store_let_go(s, held);
    if (st != OK) {
        engine_close(e);
        return st;
    }
    e->program->facts = e->facts;
    e->program->fill_in = cut_files_fill_in;
    *out = e;
    return OK;
}

status engine_open(store *s, int64_t episode, const engine_options *opt, engine **out, error *err) {
    mem_fund fund;
    if (!mem_fund_open(&fund, FUND))
        return error_set(err, E_MEMORY, "no memory is left to open the log");
    status st = open_with(s, episode, opt, NULL, NULL, out, err);
    mem_fund_close(&fund);
    return st;
}

status engine_open_after(const engine *before, int64_t episode, engine **out, error *err) {
    mem_fund fund;
    if (!mem_fund_open(&fund, FUND))
        return error_set(err, E_MEMORY, "no memory is left to open the log");
    status st =
        open_with(before->store, episode, &before->options, NULL, before->commons, out, err);
    mem_fund_close(&fund);
    return st;
}

status engine_open_beside(engine *home, int64_t episode, engine **out, error *err) {
    engine *e = NULL;
    status s = open_with(home->store, episode, &home->options, home, home->commons, &e, err);
    if (s == OK) {
        e->changes = home->program->changes - 1;
        *out = e;
    }
    return s;
}

status engine_take_rules(engine *e, const engine *from, errors *list) {
    mem_fund fund;
    if (!engine_fund(e, &fund, program_text(from->program), list))
        return E_MEMORY;
    status s = OK;
    const program *p = from->program;
    e->program->supplied = p->supplied;
    for (size_t i = 0; s == OK && i < p->sources.count; i++)
        s = program_load_same(e->program, p->sources.items[i], from->values, list);
    mem_fund_close(&fund);
    return s;
}

status engine_hold(engine *e, const char *source, const char *name, uint32_t arity,
                   const value *rows, size_t count, errors *list) {
    mem_fund fund;
    if (!engine_fund(e, &fund, 0, list))
        return E_MEMORY;
    fact *f = NULL;
    error err = {0};
    status s = fact_hold(source, name, arity, ++e->program->loadings, rows, count, e->budget, &f);
    if (s == OK)
        s = program_hold(e->program, source, f, list);
    else {
        error_set(&err, s,
                  s == E_LIMIT ? "these facts need more memory than the connection may hold"
                               : "no memory is left for these facts");
        errors_append(list, &err);
    }
    fact_release(f);
    mem_fund_close(&fund);
    return s;
}

void engine_supply(engine *e, const builtin_list *supplied) {
    e->program->supplied = supplied;
    program_renew(e->program);
}

void engine_watch(engine *e, bool (*watch)(void *, const budget *), void *context, nanos every) {
    e->budget->watch = watch;
    e->budget->watcher = context;
    e->budget->watch_every = every;
    e->budget->watch_next = 0;
}

void engine_close(engine *e) {
    if (!e)
        return;
    if (!e->home)
        engine_pool_destroy(e->pool);
    episodes_forget(&e->episodes);
    table_cache_finish(&e->cache);
    plan_log_destroy(e->log);
    program_destroy(e->program);
    signals_destroy(e->signals);
    facts_destroy(e->facts);
    commons_release(e->commons);
    free(e);
}

const store_episode *engine_episode(const engine *e) {
    return &e->episode;
}

const store *engine_store(const engine *e) {
    return e->store;
}

const values *engine_values(const engine *e) {
    return e->values;
}

program *engine_program(engine *e) {
    return e->program;
}

status engine_load(engine *e, const char *file, const char *text, size_t length, errors *list) {
    mem_fund fund;
    if (!engine_fund(e, &fund, 0, list))
        return E_MEMORY;
    status s = program_load(e->program, file, text, length, list);
    mem_fund_close(&fund);
    return s;
}

status engine_load_library(engine *e, const char *file, const char *text, size_t length,
                           errors *list) {
    mem_fund fund;
    if (!engine_fund(e, &fund, 0, list))
        return E_MEMORY;
    status s = program_load_library(e->program, file, text, length, list);
    mem_fund_close(&fund);
    return s;
}

static status load_file(engine *e, const char *path, bool library, errors *list) {
    char *text;
    size_t length;
    error err = {0};
    status s = file_read(path, &text, &length, &err);
    if (s != OK) {
        errors_append(list, &err);
        return s;
    }
    s = library ? engine_load_library(e, path, text, length, list)
                : engine_load(e, path, text, length, list);
    free(text);
    return s;
}

status engine_load_file(engine *e, const char *path, errors *list) {
    return load_file(e, path, false, list);
}

status engine_load_library_file(engine *e, const char *path, errors *list) {
    return load_file(e, path, true, list);
}

bool engine_unload(engine *e, const char *file) {
    return program_unload(e->program, file);
}

status engine_check(engine *e, errors *list) {
    mem_fund fund;
    if (e->program->settled)
        return OK;
    if (!engine_fund(e, &fund, 0, list))
        return E_MEMORY;
    status s = prepare_rules(e->program, list);
    mem_fund_close(&fund);
    return s;
}

void engine_interrupt(engine *e) {
    atomic_store_explicit(&e->budget->interrupted, true, memory_order_relaxed);
}

// Says in a sentence what a status means here, unless `err` has a more exact text.
static void explain_status(engine *e, status s, error *err, const char *file) {
    if (err->text[0])
        return;
    if (s == E_LIMIT && values_too_deep(e->values))
        error_at(err, s, file, 0, 0, "a rule builds terms nested more than 200 deep");
    else if (s == E_LIMIT)
        error_at(err, s, file, 0, 0,
                 "the query needs more than %zu MB of memory; bind more of it, or ask for less",
                 e->options.memory_limit >> 20);
    else
        error_at(err, s, file, 0, 0, "the query ended: %s", status_sentence(s));
}

static table *table_of(const tables *all, const pred *p) {
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i]->pred == p && !all->items[i]->magic)
            return all->items[i];
    }
    return NULL;
}

static status collect_answers(engine *e, const table *t, const prepared_query *q, answers *a) {
    a->count = t ? t->rows->count : 0;
    a->columns = q->name_count;
    a->names = q->names;
    a->rows = arena_try(a->arena, (a->count * a->columns + 1) * sizeof *a->rows);
    if (!a->rows)
        return E_MEMORY;
    for (size_t i = 0; i < a->count; i++)
        memcpy(a->rows + i * a->columns, relation_row(t->rows, (uint32_t)i),
               a->columns * sizeof *a->rows);
    arrange_rows(&q->order, e->values, &a->rows, a->columns, &a->count);
    return OK;
}

static machine machine_of(engine *e, error *err) {
    return (machine){.values = e->values,
                     .facts = e->facts,
                     .signals = e->signals,
                     .episodes = &e->episodes,
                     .program = e->program,
                     .budget = e->budget,
                     .end = e->episode.end,
                     .round = e->round,
                     .step_limit = e->options.step_limit,
                     .err = err};
}

static status derive_query(engine *e, const prepared_query *q, answers *a, error *err) {
    tables all = {0};
    episodes_forget(&e->episodes);
    demand_options opt = {.whole = e->options.derive_whole, .cache = &e->cache, .facts = e->facts};
    machine m = machine_of(e, err);
    m.log = e->log;
    const uint64_t *before = e->budget->steps;
    e->budget->steps = &m.steps;
    status s = demand_build(e->program, a->arena, e->budget, q->pred, &opt, &all, err);
    if (s == OK)
        s = evaluate(&m, &all);
    if (s == OK)
        s = collect_answers(e, table_of(&all, q->pred), q, a);
    e->budget->steps = before;
    e->round = m.round;
    e->cost.steps = m.steps + m.rows_read;
    e->cost.tables = (uint32_t)all.count;
    for (size_t i = 0; i < all.count; i++) {
        e->cost.rows += all.items[i]->rows->count;
        e->cost.rules += (uint32_t)all.items[i]->rules.count;
    }
    if (s == OK)
        table_cache_take(&e->cache, &all, e->budget, e->episode.end);
    tables_destroy(&all);
    return s;
}

static status run_prepared(engine *e, const prepared_query *q, answers *a, error *err) {
    nanos started = clock_wall();
    double loaded = facts_load_seconds(e->facts);
    e->cost = (engine_cost){0};
    plan_log_destroy(e->log);
    e->log = e->options.plan ? plan_log_create() : NULL;
    // An earlier query may have asked the same.
    const cached_table *known = table_cache_find(&e->cache, q->pred, 0);
    status s = known ? collect_answers(e, known->rows, q, a) : derive_query(e, q, a, err);
    e->cost.derive = seconds(clock_wall() - started);
    e->cost.load = facts_load_seconds(e->facts) - loaded;
    e->cost.bytes = e->budget->used;
    return s;
}

status engine_run_query(engine *e, const query_scope *scope, answers *a, errors *list) {
    prepared_query q;
    error err = {0};
    status s = engine_check(e, list);
    if (s != OK)
        return s;
    s = prepare_query(e->program, a->arena, a->query, scope, &q, list);
    if (s != OK)
        return s;
    e->running = true;
    s = run_prepared(e, &q, a, &err);
    bool left = e->cache.items.count > 0 || (!e->home && e->pool->count > 0);
    // Tables of earlier queries may take the memory that is missing. A query that was out of steps
    // has a text in `err`, and is not tried again.
    if (s == E_LIMIT && !err.text[0] && left && !values_too_deep(e->values)) {
        table_cache_clear(&e->cache);
        if (!e->home)
            engine_pool_drop(e->pool);
        values_forgive(e->values);
        err = (error){0};
        s = run_prepared(e, &q, a, &err);
    }
    e->running = false;
    prepare_drop_query(e->program, &q);
    if (s != OK) {
        explain_status(e, s, &err, scope->file);
        errors_append(list, &err);
    }
    return s;
}

answers *engine_answers_create(engine *e) {
    answers *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->arena = arena_create();
    a->values = e->values;
    return a;
}

// Runs the query that `a` holds, unless reading it has failed; the caller owns *out then.
static status finish_query(engine *e, const query_scope *scope, answers *a, status s, answers **out,
                           errors *list) {
    values_forgive(e->values);
    if (s == OK)
        s = engine_run_query(e, scope, a, list);
    // An interruption that came before ends this query; a later one ends the next.
    bool interrupted =
        atomic_exchange_explicit(&e->budget->interrupted, false, memory_order_relaxed);
    if (s == OK && interrupted) {
        error err = {0};
        s = E_INTERRUPTED;
        explain_status(e, s, &err, scope->file);
        errors_append(list, &err);
    }
    if (s != OK) {
        answers_destroy(a);
        return s;
    }
    *out = a;
    return OK;
}

status engine_ask(engine *e, const query_scope *scope, const term *body, answers **out,
                  errors *list) {
    mem_fund fund;
    if (!engine_fund(e, &fund, 0, list))
        return E_MEMORY;
    answers *a = engine_answers_create(e);
    status s = a ? OK : E_MEMORY;
    if (s == OK) {
        a->query = term_copy(a->arena, body);
        s = finish_query(e, scope, a, OK, out, list);
    }
    mem_fund_close(&fund);
    return s;
}

static status read_and_ask(engine *e, const char *file, const char *text, answers **out,
                           errors *list) {
    answers *a = engine_answers_create(e);
    error err = {0};
    if (!a)
        return E_MEMORY;
    status s = source_term(a->arena, file, text, &a->query, &err);
    if (s == OK && (term_is(a->query, ":-", 2) || term_is(a->query, ":-", 1)))
        s = error_at(&err, E_INPUT, file, a->query->line, a->query->column,
                     "this is a rule; a query is only its body");
    if (s == OK && term_is(a->query, "why", 1))
        s = error_at(&err, E_INPUT, file, a->query->line, a->query->column,
                     "'why' is asked for itself: foresee query LOG --why 'GOAL', .why GOAL at the "
                     "prompt, foresee_explain in C");
    if (s != OK)
        errors_append(list, &err);
    return finish_query(e, &(query_scope){.file = file}, a, s, out, list);
}

status engine_query(engine *e, const char *file, const char *text, answers **out, errors *list) {
    mem_fund fund;
    if (!engine_fund(e, &fund, strlen(text), list))
        return E_MEMORY;
    status s = read_and_ask(e, file, text, out, list);
    mem_fund_close(&fund);
    return s;
}

size_t answers_count(const answers *a) {
    return a->count;
}

size_t answers_columns(const answers *a) {
    return a->columns;
}

const char *answers_name(const answers *a, size_t column) {
    return a->names[column];
}

value answers_value(const answers *a, size_t row, size_t column) {
    return a->rows[row * a->columns + column];
}

const term *answers_term(const answers *a, size_t row, size_t column, arena *into) {
    return values_to_term(a->values, into, answers_value(a, row, column));
}

const values *answers_values(const answers *a) {
    return a->values;
}

void answers_destroy(answers *a) {
    if (!a)
        return;
    arena_destroy(a->arena);
    free(a);
}

engine_cost engine_last_cost(const engine *e) {
    return e->cost;
}

const char *engine_last_plan(const engine *e) {
    return e->log ? plan_log_text(e->log) : "";
}

// ---- For proofs ----

status engine_derive(engine *e, arena *a, const prepared_query *q, tables *out, machine *m,
                     error *err) {
    demand_options opt = {.as_written = true, .facts = e->facts};
    episodes_forget(&e->episodes);
    *out = (tables){0};
    *m = machine_of(e, err);
    status s = demand_build(e->program, a, e->budget, q->pred, &opt, out, err);
    if (s == OK)
        s = evaluate(m, out);
    e->round = m->round;
    return s;
}

void engine_say(engine *e, status s, error *err, const char *file) {
    explain_status(e, s, err, file);
}

void engine_rest(engine *e) {
    if (e->home)
        return; // the engine beside which it stands still runs its query
    atomic_store_explicit(&e->budget->interrupted, false, memory_order_relaxed);
}

// query/engine.c - from the text of a query to its answers.
#include "query/engine.h"

#include <stdio.h>
#include <time.h>
#include "query/exec.h"
#include "query/signals.h"

struct engine {
    store *store;
    store_episode episode;
    engine_options options;
    budget budget;
    values *values;
    facts *facts;
    signals *signals;
    program *program;
    ARRAY(table *) kept; // derived whole by earlier queries
    arena *files;
    engine_cost cost;
};

struct answers {
    engine *engine;
    arena *arena;
    const char **names;
    uint32_t columns;
    size_t count;
    value *rows;
    const term *query;
};

static nanos clamp_time(nanos t) {
    return t < 0 ? 0 : t > TIME_MOST ? TIME_MOST : t;
}

engine_options engine_options_default(void) {
    return (engine_options){.memory_limit = (size_t)2 << 30};
}

status engine_open(store *s, int64_t episode, const engine_options *opt, engine **out, error *err) {
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
    // A damaged log may say anything; times must be added to.
    e->episode.end = clamp_time(chosen->end);
    e->episode.step = chosen->step < 0 || chosen->step > NANOS_PER_SECOND ? 0 : chosen->step;
    e->budget.limit = e->options.memory_limit;
    atomic_init(&e->budget.interrupted, false);
    e->files = arena_create();
    e->values = values_create(&e->budget);
    e->program = e->values ? program_create(e->values, e->episode.end) : NULL;
    st = e->program ? facts_open(s, &e->episode, e->values, &e->budget, &e->facts, err)
                    : error_set(err, E_MEMORY, "no memory is left to open the log");
    if (st == OK)
        st = signals_open(s, &e->episode, e->values, e->facts, &e->budget, &e->signals, err);
    if (st != OK) {
        engine_close(e);
        return st;
    }
    *out = e;
    return OK;
}

static void drop_kept(engine *e) {
    for (size_t i = 0; i < e->kept.count; i++) {
        e->kept.items[i]->pred->kept = NULL;
        table_free(e->kept.items[i]);
    }
    e->kept.count = 0;
}

void engine_close(engine *e) {
    if (!e)
        return;
    drop_kept(e);
    array_finish(&e->kept);
    program_destroy(e->program);
    signals_close(e->signals);
    facts_close(e->facts);
    values_destroy(e->values);
    arena_destroy(e->files);
    free(e);
}

const store_episode *engine_episode(const engine *e) {
    return &e->episode;
}

const values *engine_values(const engine *e) {
    return e->values;
}

status engine_load(engine *e, const char *file, const char *text, size_t length, errors *list) {
    drop_kept(e);
    return program_load(e->program, file, text, length, list);
}

status engine_load_file(engine *e, const char *path, errors *list) {
    char *text;
    size_t length;
    error err = {0};
    status s = file_read(path, &text, &length, &err);
    if (s != OK) {
        errors_append(list, &err);
        return s;
    }
    s = engine_load(e, path, text, length, list);
    free(text);
    return s;
}

status engine_check(engine *e, errors *list) {
    if (e->program->settled)
        return OK;
    drop_kept(e);
    return program_check(e->program, list);
}

void engine_interrupt(engine *e) {
    atomic_store_explicit(&e->budget.interrupted, true, memory_order_relaxed);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Says in a sentence what a status means here, where nothing more exact was said.
static void explain(engine *e, status s, error *err, const char *file) {
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

// Tables derived whole are of use to later queries.
static void keep(engine *e, tables *all, const program_query *q) {
    for (size_t i = 0; i < all->count; i++) {
        table *t = all->items[i];
        if (t->magic || t->mask != 0 || t->pred->index >= q->first_pred || t->pred->kept ||
            !t->complete)
            continue;
        if (!array_push_try(&e->kept, t))
            return;
        array_finish(&t->rules);
        t->pred->kept = t;
    }
}

typedef struct sorter {
    const values *v;
    uint32_t columns;
} sorter;

static int compare_rows(const void *a, const void *b, void *context) {
    const sorter *s = context;
    for (uint32_t i = 0; i < s->columns; i++) {
        int c = values_order(s->v, ((const value *)a)[i], ((const value *)b)[i]);
        if (c != 0)
            return c;
    }
    return 0;
}

static status collect(engine *e, const tables *all, const program_query *q, answers *a) {
    const table *t = NULL;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i]->pred == q->pred && !all->items[i]->magic)
            t = all->items[i];
    }
    a->count = t ? t->rows->count : 0;
    a->columns = q->name_count;
    a->names = q->names;
    a->rows = arena_try(a->arena, (a->count * a->columns + 1) * sizeof *a->rows);
    if (!a->rows)
        return E_MEMORY;
    for (size_t i = 0; i < a->count; i++)
        memcpy(a->rows + i * a->columns, relation_row(t->rows, (uint32_t)i),
               a->columns * sizeof *a->rows);
    sorter s = {e->values, a->columns};
    if (a->count > 1 && a->columns > 0)
        qsort_r(a->rows, a->count, a->columns * sizeof *a->rows, compare_rows, &s);
    return OK;
}

static status run(engine *e, const program_query *q, answers *a, error *err) {
    tables all = {0};
    error inner = {0};
    double started = now();
    status s = e->options.derive_whole
                   ? demand_build_whole(e->program, a->arena, &e->budget, q, &all, &inner)
                   : demand_build(e->program, a->arena, &e->budget, q, &all, &inner);
    machine m = {.values = e->values,
                 .facts = e->facts,
                 .signals = e->signals,
                 .program = e->program,
                 .budget = &e->budget,
                 .end = e->episode.end,
                 .step_limit = e->options.step_limit,
                 .err = &inner};
    if (s == OK)
        s = evaluate(&m, &all);
    if (s == OK)
        s = collect(e, &all, q, a);
    e->cost = (engine_cost){.derive = now() - started,
                            .steps = m.steps,
                            .bytes = e->budget.used,
                            .tables = (uint32_t)all.count};
    for (size_t i = 0; i < all.count; i++) {
        e->cost.rows += all.items[i]->rows->count;
        e->cost.rules += (uint32_t)all.items[i]->rules.count;
    }
    if (s == OK)
        keep(e, &all, q);
    else
        *err = inner;
    tables_free(&all);
    return s;
}

static status ask(engine *e, const char *file, answers *a, errors *list) {
    program_query q;
    error err = {0};
    status s = engine_check(e, list);
    if (s != OK)
        return s;
    s = program_prepare(e->program, a->arena, a->query, file, &q, list);
    if (s != OK)
        return s;
    s = run(e, &q, a, &err);
    if (s == E_LIMIT && e->kept.count > 0 && !values_too_deep(e->values)) {
        // What earlier queries left may be what is in the way.
        drop_kept(e);
        values_forgive(e->values);
        err = (error){0};
        s = run(e, &q, a, &err);
    }
    program_forget(e->program, &q);
    if (s != OK) {
        explain(e, s, &err, file);
        errors_append(list, &err);
    }
    return s;
}

status engine_query(engine *e, const char *file, const char *text, answers **out, errors *list) {
    answers *a = calloc(1, sizeof *a);
    error err = {0};
    if (!a)
        return E_MEMORY;
    a->arena = arena_create();
    a->engine = e;
    values_forgive(e->values);
    status s = term_parse(a->arena, file, text, strlen(text), 1, 1, &a->query, &err);
    if (s == OK && (term_is(a->query, ":-", 2) || term_is(a->query, ":-", 1)))
        s = error_at(&err, E_INPUT, file, a->query->line, a->query->column,
                     "this is a rule; a query is only its body");
    if (s == OK && term_is(a->query, "why", 1))
        s = error_at(&err, E_INPUT, file, a->query->line, a->query->column,
                     "proofs are not kept; ask for the premises of the rule instead");
    if (s != OK)
        errors_append(list, &err);
    else
        s = ask(e, file, a, list);
    atomic_store_explicit(&e->budget.interrupted, false, memory_order_relaxed);
    if (s != OK) {
        answers_free(a);
        return s;
    }
    *out = a;
    return OK;
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
    return values_to_term(a->engine->values, into, answers_value(a, row, column));
}

const term *answers_query(const answers *a) {
    return a->query;
}

const values *answers_values(const answers *a) {
    return a->engine->values;
}

void answers_free(answers *a) {
    if (!a)
        return;
    arena_destroy(a->arena);
    free(a);
}

engine_cost engine_last_cost(const engine *e) {
    return e->cost;
}

static bool is_declared_name(const program *p, const pred *d) {
    for (size_t i = 0; i < p->declarations.count; i++) {
        if (strcmp(p->declarations.items[i].name, d->name) == 0)
            return true;
    }
    return false;
}

bool engine_predicate(engine *e, size_t i, char *label, size_t size, const char **doc) {
    program *p = e->program;
    if (i < p->declarations.count) {
        snprintf(label, size, "%s", p->declarations.items[i].text);
        *doc = p->declarations.items[i].doc;
        return true;
    }
    i -= p->declarations.count;
    for (size_t k = 0; k < p->preds.count; k++) {
        const pred *d = p->preds.items[k];
        if (d->auxiliary || d->fact || (d->rules.count == 0 && d->facts.count == 0) ||
            is_declared_name(p, d))
            continue;
        if (i-- == 0) {
            pred_label(d, label, size);
            *doc = "";
            return true;
        }
    }
    const fact *f;
    for (size_t k = 0; (f = fact_at(k)); k++) {
        if (i-- == 0) {
            snprintf(label, size, "%s/%u", f->name, f->arity);
            *doc = f->doc;
            return true;
        }
    }
    const builtin *b = builtin_at(i);
    if (!b)
        return false;
    snprintf(label, size, "%s/%u", b->name, b->arity);
    *doc = b->doc;
    return true;
}

#include "report/diagnose.h"

#include <math.h>
#include <stdio.h>

#include "report/diagnose_int.h"

// ---- Collecting
// ----------------------------------------------------------------------------------

typedef struct collector {
    ask *ask;
    diagnosis *d;
    error *err;
} collector;

static flaw *flaw_of(diagnosis *d, const term *t) {
    for (size_t i = 0; i < d->flaws.count; i++)
        if (term_equal(d->flaws.items[i].term, t))
            return &d->flaws.items[i];
    return NULL;
}

static const char *text_of(arena *a, const term *t) {
    if (t->kind == TERM_SYMBOL || t->kind == TERM_STRING)
        return t->text;
    return term_text(a, t);
}

// Where an object stands in the order of the log; names play no part in any order, so that renaming
// bodies changes nothing. Other texts come first.
static size_t rank_of(const diagnosis *d, const term *t) {
    if (t->kind == TERM_SYMBOL)
        for (size_t i = 0; i < d->objects.count; i++)
            if (strcmp(d->objects.items[i], t->text) == 0)
                return i + 1;
    return 0;
}

static int order_terms(const diagnosis *d, const term *a, const term *b) {
    size_t x = rank_of(d, a), y = rank_of(d, b);
    if (x || y)
        return x < y ? -1 : x > y;
    if (a->kind != TERM_COMPOUND || b->kind != TERM_COMPOUND || a->arity != b->arity ||
        strcmp(a->text, b->text) != 0)
        return term_order(a, b);
    for (uint32_t i = 0; i < a->arity; i++) {
        int c = order_terms(d, a->args[i], b->args[i]);
        if (c)
            return c;
    }
    return 0;
}

// In order of time; of two that begin together the cause comes first.
static int by_time(const void *a, const void *b, void *context) {
    const flaw *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->id != y->id) // still the length of the longest chain of causes
        return x->id < y->id ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return order_terms(context, x->term, y->term);
}

// Puts into `id` how many flaws stand before each in its longest chain of causes.
static void measure_chains(diagnosis *d, const ask_rows *causes) {
    size_t n = d->flaws.count;
    bool changed = true;
    for (size_t round = 0; changed && round < n; round++) {
        changed = false;
        for (size_t r = 0; r < ask_count(causes); r++) {
            flaw *effect = flaw_of(d, ask_at(causes, r, 0)->term),
                 *cause = flaw_of(d, ask_at(causes, r, 1)->term);
            if (effect && cause && effect->id < cause->id + 1) {
                effect->id = cause->id + 1;
                changed = true;
            }
        }
    }
}

static status collect_flaws(collector *c) {
    diagnosis *d = c->d;
    ask_rows rows = {0};
    status st = ask_all(c->ask, d->arena, "flaw(F).", &rows, c->err);
    for (size_t i = 0; st == OK && i < ask_count(&rows); i++) {
        const term *t = ask_at(&rows, i, 0)->term;
        flaw f = {.term = t, .name = t->text, .start = 0, .end = d->end};
        if (!flaw_of(d, t))
            array_push(&d->flaws, f);
    }
    array_finish(&rows.values);
    if (st != OK)
        return st;
    st = ask_all(c->ask, d->arena, "flaw_time(F, S, E).", &rows, c->err);
    for (size_t i = 0; st == OK && i < ask_count(&rows); i++) {
        flaw *f = flaw_of(d, ask_at(&rows, i, 0)->term);
        if (!f)
            continue;
        f->start = ask_at(&rows, i, 1)->time;
        f->end = ask_at(&rows, i, 2)->time;
    }
    array_finish(&rows.values);
    if (st == OK)
        st = ask_all(c->ask, d->arena, "flaw_caused_by(F, G).", &rows, c->err);
    if (st == OK && d->flaws.count) {
        measure_chains(d, &rows);
        qsort_r(d->flaws.items, d->flaws.count, sizeof *d->flaws.items, by_time, d);
        for (size_t i = 0; i < d->flaws.count; i++)
            d->flaws.items[i].id = (int64_t)i + 1;
    }
    array_finish(&rows.values);
    return st;
}

static status collect_marks(collector *c) {
    ask_rows rows = {0};
    status st = ask_all(c->ask, c->d->arena, "flaw_recovered(F).", &rows, c->err);
    for (size_t i = 0; st == OK && i < ask_count(&rows); i++) {
        flaw *f = flaw_of(c->d, ask_at(&rows, i, 0)->term);
        if (f)
            f->recovered = true;
    }
    array_finish(&rows.values);
    if (st == OK)
        st = ask_all(c->ask, c->d->arena, "flaw_root(F).", &rows, c->err);
    for (size_t i = 0; st == OK && i < ask_count(&rows); i++) {
        flaw *f = flaw_of(c->d, ask_at(&rows, i, 0)->term);
        if (f)
            f->root = true;
    }
    array_finish(&rows.values);
    return st;
}

static status collect_causes(collector *c) {
    diagnosis *d = c->d;
    ask_rows rows = {0};
    status st = ask_all(c->ask, d->arena, "flaw_caused_by(F, G).", &rows, c->err);
    for (size_t i = 0; st == OK && i < d->flaws.count; i++) {
        flaw *f = &d->flaws.items[i];
        int64_t *causes = arena_alloc(d->arena, (ask_count(&rows) + 1) * sizeof *causes);
        // In order of id: of time.
        for (size_t k = 0; k < d->flaws.count; k++)
            for (size_t r = 0; r < ask_count(&rows); r++)
                if (term_equal(ask_at(&rows, r, 0)->term, f->term) &&
                    term_equal(ask_at(&rows, r, 1)->term, d->flaws.items[k].term)) {
                    causes[f->cause_count++] = d->flaws.items[k].id;
                    break;
                }
        f->causes = causes;
    }
    array_finish(&rows.values);
    return st;
}

// Where in the flaw's term a body is named; those that are not come last.
static size_t place_in(const term *t, const term *body) {
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
        if (term_equal(t->args[i], body))
            return i;
    return t->arity;
}

static bool body_before(const diagnosis *d, const term *about, const term *a, const term *b) {
    size_t x = place_in(about, a), y = place_in(about, b);
    return x != y ? x < y : order_terms(d, a, b) < 0;
}

static status collect_bodies(collector *c) {
    diagnosis *d = c->d;
    ask_rows rows = {0};
    status st = ask_all(c->ask, d->arena, "flaw_body(F, B).", &rows, c->err);
    for (size_t i = 0; st == OK && i < d->flaws.count; i++) {
        flaw *f = &d->flaws.items[i];
        const term **bodies = arena_alloc(d->arena, (ask_count(&rows) + 1) * sizeof *bodies);
        for (size_t r = 0; r < ask_count(&rows); r++) {
            if (!term_equal(ask_at(&rows, r, 0)->term, f->term))
                continue;
            const term *body = ask_at(&rows, r, 1)->term;
            size_t at = f->body_count++;
            for (; at > 0 && body_before(d, f->term, body, bodies[at - 1]); at--)
                bodies[at] = bodies[at - 1];
            bodies[at] = body;
        }
        const char **names = arena_alloc(d->arena, (f->body_count + 1) * sizeof *names);
        for (size_t k = 0; k < f->body_count; k++)
            names[k] = text_of(d->arena, bodies[k]);
        f->bodies = names;
    }
    array_finish(&rows.values);
    return st;
}

// A list of the engine comes in the order of names; here in that of the log.
static const term *put_in_order(const diagnosis *d, const term *value) {
    int64_t n = term_list_length(value);
    if (n < 2)
        return value;
    const term **items = arena_alloc(d->arena, (size_t)n * sizeof *items);
    for (int64_t i = 0; i < n; i++) {
        const term *item = term_list_item(value, (size_t)i);
        int64_t at = i;
        for (; at > 0 && order_terms(d, item, items[at - 1]) < 0; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
    return term_list(d->arena, items, (size_t)n, NULL);
}

static status collect_evidence(collector *c) {
    diagnosis *d = c->d;
    ask_rows rows = {0};
    status st = ask_all(c->ask, d->arena, "flaw_evidence(F, K, V).", &rows, c->err);
    for (size_t i = 0; st == OK && i < d->flaws.count; i++) {
        flaw *f = &d->flaws.items[i];
        flaw_evidence *e = arena_alloc(d->arena, (ask_count(&rows) + 1) * sizeof *e);
        for (size_t r = 0; r < ask_count(&rows); r++) {
            if (!term_equal(ask_at(&rows, r, 0)->term, f->term))
                continue;
            flaw_evidence one = {text_of(d->arena, ask_at(&rows, r, 1)->term),
                                 put_in_order(d, ask_at(&rows, r, 2)->term)};
            size_t at = f->evidence_count;
            bool twice = false;
            for (size_t k = 0; k < at; k++)
                twice = twice || strcmp(e[k].name, one.name) == 0;
            if (twice)
                continue; // JSON has one value under a key: the first
            for (; at > 0 && strcmp(e[at - 1].name, one.name) > 0; at--)
                e[at] = e[at - 1];
            e[at] = one;
            f->evidence_count++;
        }
        f->evidence = e;
    }
    array_finish(&rows.values);
    return st;
}

// One text or number of a task, by a query with `%lld` for its id.
static status task_column(collector *c, const char *format, int64_t task, const term **out) {
    char query[128];
    snprintf(query, sizeof query, format, (long long)task);
    ask_rows rows = {0};
    status st = ask_all(c->ask, c->d->arena, query, &rows, c->err);
    *out = st == OK && ask_count(&rows) ? ask_at(&rows, 0, 0)->term : NULL;
    array_finish(&rows.values);
    return st;
}

static status describe_task(collector *c, flaw *f, int64_t row) {
    arena *a = c->d->arena;
    const term *path, *expr, *file, *line, *agent;
    status st = task_column(c, "task_path(%lld, X).", row, &path);
    if (st == OK)
        st = task_column(c, "task_expr(%lld, X).", row, &expr);
    if (st == OK)
        st = task_column(c, "task_file(%lld, X).", row, &file);
    if (st == OK)
        st = task_column(c, "task_line(%lld, X).", row, &line);
    if (st == OK)
        st = task_column(c, "task_agent(%lld, X).", row, &agent);
    if (st != OK)
        return st;
    f->task.path = path ? text_of(a, path) : NULL;
    f->task.expr = expr ? text_of(a, expr) : NULL;
    f->task.file = file ? text_of(a, file) : NULL;
    f->task.line = line && line->kind == TERM_INT ? line->integer : 0;
    f->agent = agent ? text_of(a, agent) : NULL;
    return OK;
}

// Tasks are counted within their episode, so that it reads the same alone and among others.
static status first_task(collector *c, int64_t *out) {
    ask_rows rows = {0};
    status st = ask_all(c->ask, c->d->arena, "First = min { T : task(T) }.", &rows, c->err);
    *out = st == OK && ask_count(&rows) ? ask_at(&rows, 0, 0)->term->integer : 1;
    array_finish(&rows.values);
    return st;
}

static status collect_tasks(collector *c) {
    ask_rows rows = {0};
    int64_t first = 1;
    status st = first_task(c, &first);
    if (st == OK)
        st = ask_all(c->ask, c->d->arena, "flaw_task(F, T).", &rows, c->err);
    for (size_t i = 0; st == OK && i < ask_count(&rows); i++) {
        flaw *f = flaw_of(c->d, ask_at(&rows, i, 0)->term);
        const term *task = ask_at(&rows, i, 1)->term;
        if (f && f->task.id == 0 && task->kind == TERM_INT) {
            f->task.id = task->integer - first + 1;
            st = describe_task(c, f, task->integer);
        }
    }
    array_finish(&rows.values);
    return st;
}

status diagnosis_make(ask *a, diagnosis **out, error *err) {
    diagnosis *d = calloc(1, sizeof *d);
    if (!d)
        return error_set(err, E_MEMORY, "no memory is left for the diagnosis");
    const store_episode *e = ask_episode(a);
    d->arena = arena_create();
    d->log = arena_strdup(d->arena, ask_log(a));
    d->episode = e->id;
    d->seed = e->seed;
    d->end = e->end;
    d->complete = e->complete;
    d->plan = e->plan ? arena_strdup(d->arena, e->plan) : NULL;
    d->outcome = arena_strdup(d->arena, e->outcome ? e->outcome : "incomplete");
    collector c = {.ask = a, .d = d, .err = err};
    status st = ask_objects(a, d->arena, &d->objects, err);
    if (st == OK)
        st = collect_flaws(&c);
    if (st == OK)
        st = collect_marks(&c);
    if (st == OK)
        st = collect_causes(&c);
    if (st == OK)
        st = collect_bodies(&c);
    if (st == OK)
        st = collect_evidence(&c);
    if (st == OK)
        st = collect_tasks(&c);
    if (st != OK) {
        diagnosis_free(d);
        return st;
    }
    *out = d;
    return OK;
}

void diagnosis_free(diagnosis *d) {
    if (!d)
        return;
    array_finish(&d->flaws);
    array_finish(&d->objects);
    arena_destroy(d->arena);
    free(d);
}

size_t diagnosis_count(const diagnosis *d) {
    return d->flaws.count;
}
const flaw *diagnosis_flaw(const diagnosis *d, size_t i) {
    return &d->flaws.items[i];
}
const char *diagnosis_outcome(const diagnosis *d) {
    return d->outcome;
}
bool diagnosis_complete(const diagnosis *d) {
    return d->complete;
}

// query/beside.c - the engines that stand beside an engine, for goals of other episodes.
//
// An engine is bound to one episode. A goal of another episode goes to an engine beside it, which
// is opened when it is first needed, shares values and budget, and takes over the rules as they are
// then. No engine is asked while a query of it runs: where goals nest, an episode has several.
#include "query/engine_int.h"

void engine_pool_drop(engine_pool *pool) {
    for (size_t i = 0; i < pool->count; i++)
        engine_close(pool->items[i]);
    pool->count = 0;
}

void engine_pool_destroy(engine_pool *pool) {
    if (!pool)
        return;
    engine_pool_drop(pool);
    array_finish(pool);
    free(pool);
}

static status find_idle_engine(engine *e, int64_t episode, engine **out, error *err) {
    engine *found = NULL;
    for (size_t i = 0; !found && i < e->pool->count; i++) {
        engine *one = e->pool->items[i];
        if (one->episode.id == episode && !one->running)
            found = one;
    }
    if (!found) {
        status s = engine_open_beside(e->home ? e->home : e, episode, &found, err);
        if (s != OK)
            return s;
        if (!array_push_try(e->pool, found)) {
            engine_close(found);
            return error_set(err, E_MEMORY, "no memory is left for another episode");
        }
    }
    *out = found;
    return OK;
}

// Takes over the rules of the home as they are.
static status follow_home(engine *e, errors *list) {
    const program *from = e->home->program;
    if (e->program && e->changes == from->changes)
        return OK;
    table_cache_clear(&e->cache);
    program_destroy(e->program);
    e->program = program_create(e->values, e->episode.end);
    if (!e->program)
        return E_MEMORY;
    e->program->facts = e->facts;
    e->program->twin = from;
    e->program->supplied = from->supplied;
    status s = OK;
    for (size_t i = 0; s == OK && i < from->sources.count; i++) {
        const rule_source *r = from->sources.items[i];
        if (program_source(e->program, r->name))
            continue; // something imported it
        s = program_load_same(e->program, r, e->values, list);
    }
    e->program->twin = NULL;
    // Rules that are there by half are taken over anew the next time.
    e->changes = from->changes - (s == OK ? 0 : 1);
    return s;
}

status engine_beside(engine *e, int64_t episode, engine **out, errors *list) {
    error err = {0};
    status s = find_idle_engine(e, episode, out, &err);
    if (s != OK)
        errors_append(list, &err);
    if (s == OK)
        s = follow_home(*out, list);
    return s == OK ? engine_check(*out, list) : s;
}

// Adds the answers to a call to `into`, whose columns are the call's.
static status add_answers(engine *e, const struct episode_call *call, const query_given *given,
                          relation *into, errors *list) {
    status s = follow_home(e, list);
    if (s == OK)
        s = engine_check(e, list);
    answers *a = s == OK ? engine_answers_create(e) : NULL;
    if (!a)
        return s == OK ? E_MEMORY : s;
    a->query = call->goal;
    query_scope scope = {.file = call->file, .given = given};
    if (call->source)
        scope.source = program_source(e->program, call->source->name);
    s = engine_run_query(e, &scope, a, list);
    for (size_t i = 0; s == OK && i < a->count; i++) {
        bool added;
        s = relation_add(into, a->rows + i * a->columns, 0, 0, &added);
    }
    answers_destroy(a);
    return s;
}

status engine_ask_beside(engine *e, int64_t episode, const pred *p, const value *key,
                         relation *into, error *err) {
    const struct episode_call *call = p->episode_call;
    value given[RELATION_ARITY_MAX] = {values_int(e->values, episode)};
    const char *names[RELATION_ARITY_MAX] = {call->names[0]};
    query_given g = {names, given, 1, call->names, call->count};
    for (uint32_t i = 1; i < call->count; i++) {
        if (p->required >> i & 1) {
            names[g.count] = call->names[i];
            given[g.count++] = key[i];
        }
    }
    engine *other;
    status s = find_idle_engine(e, episode, &other, err);
    if (s != OK)
        return s;
    errors list = {0};
    s = add_answers(other, call, &g, into, &list);
    if (s != OK && list.count > 0)
        error_at(err, s, list.items[0].file, list.items[0].line, list.items[0].column,
                 "in episode %lld: %.600s", (long long)episode, list.items[0].text);
    errors_finish(&list);
    return s;
}

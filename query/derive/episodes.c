// query/derive/episodes.c - the answers that other episodes gave to the calls of a query.
#include "query/derive/episodes.h"

void episodes_forget(episodes *all) {
    for (size_t i = 0; i < all->calls.count; i++) {
        relation_destroy(all->calls.items[i].rows);
        relation_destroy(all->calls.items[i].asked);
    }
    array_finish(&all->calls);
}

static episode_rows *rows_of(machine *m, const pred *p) {
    episodes *all = m->episodes;
    for (size_t i = 0; i < all->calls.count; i++) {
        if (all->calls.items[i].pred == p)
            return &all->calls.items[i];
    }
    episode_rows r = {p, relation_create(p->arity, m->budget),
                      relation_create(p->arity, m->budget)};
    if (!r.rows || !r.asked || !array_push_try(&all->calls, r)) {
        relation_destroy(r.rows);
        relation_destroy(r.asked);
        return NULL;
    }
    return &all->calls.items[all->calls.count - 1];
}

static status ask_unless_asked(machine *m, const pred *p, int64_t episode, const value *key,
                               error *err) {
    value asked[RELATION_ARITY_MAX];
    bool added;
    asked[0] = values_int(m->values, episode);
    for (uint32_t i = 1; i < p->arity; i++)
        asked[i] = p->required >> i & 1 ? key[i] : values_int(m->values, 0);
    episode_rows *r = rows_of(m, p);
    if (!r)
        return error_set(err, E_MEMORY, "no memory is left for the answers of other episodes");
    if (relation_find(r->asked, asked) != ROW_NONE)
        return OK;
    // The list of calls may move meanwhile, the relations do not.
    relation *rows = r->rows, *all = r->asked;
    status s = m->episodes->ask(m->episodes->asker, episode, p, key, rows, err);
    return s == OK ? relation_add(all, asked, 0, 0, &added) : s;
}

status episodes_load(machine *m, const pred *p, const value *key, relation **out, error *err) {
    size_t count;
    const store_episode *e = store_episodes(m->episodes->store, &count);
    episode_rows *r = rows_of(m, p);
    status s = r ? OK : error_set(err, E_MEMORY, "no memory is left to ask other episodes");
    relation *rows = r ? r->rows : NULL;
    for (size_t i = 0; s == OK && i < count; i++) {
        if (key[0] == VALUE_NONE || key[0] == values_int(m->values, e[i].id))
            s = ask_unless_asked(m, p, e[i].id, key, err);
        if (s == OK && budget_interrupted(m->budget))
            s = error_set(err, E_INTERRUPTED, "the query was interrupted");
    }
    *out = rows;
    return s;
}

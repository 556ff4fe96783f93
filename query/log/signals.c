// query/log/signals.c - opening and closing what signals read of an episode.
#include "query/log/signals_int.h"

status signals_create(store *s, const store_episode *e, values *v, facts *f, budget *b,
                      signals **out, error *err) {
    signals *g = calloc(1, sizeof *g);
    if (!g)
        return error_set(err, E_MEMORY, "no memory is left to read the log");
    g->store = s;
    g->episode = *e;
    g->values = v;
    g->facts = f;
    g->budget = b;
    status st = tracks_create(store_db(s), e->id, &g->tracks, err);
    g->series_of = st == OK ? relation_create(1, b) : NULL;
    g->runs_of = st == OK ? relation_create(1, b) : NULL;
    if (st == OK && (!g->series_of || !g->runs_of))
        st = error_set(err, E_MEMORY, "no memory is left to read the log");
    if (st != OK) {
        signals_destroy(g);
        return st;
    }
    g->names_map = values_symbol(v, "map");
    g->name_interval = values_symbol(v, "interval");
    g->name_pose = values_symbol(v, "pose");
    *out = g;
    return OK;
}

void signals_destroy(signals *s) {
    if (!s)
        return;
    signals_forget_things(s);
    signals_forget_holds(s);
    array_finish(&s->contacts);
    for (size_t i = 0; i < s->pairs.count; i++) {
        array_finish(&s->pairs.items[i]->steps);
        free(s->pairs.items[i]);
    }
    array_finish(&s->pairs);
    for (size_t i = 0; i < s->believed.count; i++)
        array_finish(&s->believed.items[i].rows);
    array_finish(&s->believed);
    array_finish(&s->agents);
    for (size_t i = 0; i < s->series.count; i++)
        array_finish(&s->series.items[i]);
    array_finish(&s->series);
    relation_destroy(s->series_of);
    for (size_t i = 0; i < s->runs.count; i++)
        array_finish(&s->runs.items[i]);
    array_finish(&s->runs);
    relation_destroy(s->runs_of);
    sqlite3_finalize(s->select_forces);
    sqlite3_finalize(s->select_placement);
    tracks_destroy(s->tracks);
    free(s);
}

// query/log/facts_held.c - facts that are held in memory, as if they were a table of the database.
//
// Owns:      their rows, shared by all that load them; no row is added once they are made.
#include <stdio.h>

#include "query/log/fact.h"

struct fact_holding {
    size_t users;
    fact fact;
    char columns[32]; // tells these facts from all others in fingerprints
    char kinds[RELATION_ARITY_MAX + 1];
    char *name, *source;
};

const fact *fact_share(const fact *f) {
    f->holding->users++;
    return f;
}

void fact_release(const fact *f) {
    fact_holding *h = f ? f->holding : NULL;
    if (!h || --h->users > 0)
        return;
    relation_destroy(h->fact.held);
    free(h->name);
    free(h->source);
    free(h);
}

// A column of instants alone is one of times; any other may hold anything.
static void find_kinds(fact_holding *h) {
    const relation *r = h->fact.held;
    for (uint32_t k = 0; k < r->arity; k++) {
        bool times = r->count > 0;
        for (uint32_t i = 0; times && i < r->count; i++)
            times = value_kind(relation_row(r, i)[k]) == VALUE_TIME;
        h->kinds[k] = times ? 't' : 'm';
    }
    h->fact.kinds = h->kinds;
}

status fact_hold(const char *source, const char *name, uint32_t arity, uint32_t serial,
                 const value *rows, size_t count, budget *b, fact **out) {
    fact_holding *h = calloc(1, sizeof *h);
    if (!h)
        return E_MEMORY;
    h->users = 1;
    h->name = strdup(name);
    h->source = strdup(source);
    snprintf(h->columns, sizeof h->columns, "held %u", serial);
    h->fact = (fact){.name = h->name,
                     .arity = arity,
                     .columns = h->columns,
                     .source = "",
                     .key = "",
                     .table = RECORD_KINDS,
                     .doc = "",
                     .from = h->source,
                     .holding = h,
                     .held = relation_create_plain(arity, b)};
    status s = h->name && h->source && h->fact.held ? OK : E_MEMORY;
    for (size_t i = 0; s == OK && i < count; i++) {
        bool added;
        s = relation_add(h->fact.held, rows + i * arity, 0, 0, &added);
    }
    if (s != OK) {
        fact_release(&h->fact);
        return s;
    }
    find_kinds(h);
    *out = &h->fact;
    return OK;
}

status fact_hold_copy(const fact *f, values *to, const values *from, uint32_t serial, budget *b,
                      fact **out) {
    const relation *r = f->held;
    size_t n = (size_t)r->count * r->arity;
    value *rows = n < SIZE_MAX / sizeof *rows ? malloc((n + 1) * sizeof *rows) : NULL;
    if (!rows)
        return E_MEMORY;
    status s = OK;
    for (size_t i = 0; s == OK && i < n; i++) {
        rows[i] = values_copy(to, from, r->rows[i]);
        if (rows[i] == VALUE_NONE)
            s = values_failed(to);
    }
    if (s == OK)
        s = fact_hold(f->from, f->name, f->arity, serial, rows, r->count, b, out);
    free(rows);
    return s;
}

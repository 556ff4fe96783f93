// query/check/directives.c - directives that name an argument: those that contradict each other,
// and arguments that the predicate does not have.
#include "query/check/check.h"
#include "query/log/fact.h"
#include "query/rules/module.h"

static bool is_best(const position_directive *d) {
    return strcmp(d->word, "least") == 0 || strcmp(d->word, "greatest") == 0;
}

// Returns whether both say the same kind of thing of one predicate.
static bool same_subject(const position_directive *a, const position_directive *b) {
    return strcmp(a->name, b->name) == 0 &&
           (strcmp(a->word, b->word) == 0 || (is_best(a) && is_best(b)));
}

static void check_contradiction(program *p, size_t at, errors *list) {
    const position_directive *d = &p->positions.items[at];
    for (size_t i = 0; i < at; i++) {
        const position_directive *first = &p->positions.items[i];
        if (!same_subject(first, d) ||
            (first->position == d->position && strcmp(first->word, d->word) == 0))
            continue;
        errors_add(list, d->file, d->line, d->column,
                   "%s is %s on %u already, by line %d of %s, and cannot be %s on %u",
                   module_plain(d->name), first->word, first->position, first->line, first->file,
                   d->word, d->position);
        return;
    }
}

// Returns the greatest number of arguments of clauses and declarations of the name; 0: there are
// none.
static uint32_t greatest_arity(program *p, const char *name, errors *list) {
    uint32_t most = 0;
    heads *h = program_heads(p, name);
    for (size_t i = 0; h && i < h->clauses.count; i++) {
        clause *c = h->clauses.items[i];
        if (!source_read(c, list) || h->broken)
            return RELATION_ARITY_MAX; // a mistake that was reported
        uint32_t arity = c->head->kind == TERM_COMPOUND ? c->head->arity : 0;
        most = arity > most ? arity : most;
    }
    for (size_t i = 0; i < p->declarations.count; i++) {
        const declaration *d = &p->declarations.items[i];
        if (strcmp(d->name, name) == 0 && d->arity > most)
            most = d->arity;
    }
    return most;
}

static void check_position(program *p, const position_directive *d, errors *list) {
    const rule_source *s = program_source(p, d->file);
    if (!s || s->library)
        return;
    const char *plain = module_plain(d->name);
    uint32_t most = greatest_arity(p, d->name, list);
    if (most > 0 && d->position > most)
        errors_add(list, d->file, d->line, d->column, "%s has no argument %u; it has %u", plain,
                   d->position, most);
    const predicate_traits *t = program_traits(p, d->name, false);
    if (is_best(d) && (t->split_on || t->temporal_on || t->instant_on))
        errors_add(list, d->file, d->line, d->column,
                   "a predicate that is %s on an argument cannot be split, temporal or instant",
                   d->word);
    const fact *f;
    for (size_t i = 0; is_best(d) && most == 0 && (f = program_fact_at(p, i)); i++) {
        if (strcmp(f->name, d->name) != 0)
            continue;
        errors_add(list, d->file, d->line, d->column,
                   "%s is a table, of which all rows count; give its rows to a predicate of your "
                   "own that is %s on an argument",
                   plain, d->word);
        return;
    }
}

void check_directives(program *p, errors *list) {
    for (size_t i = 0; i < p->positions.count; i++) {
        check_contradiction(p, i, list);
        check_position(p, &p->positions.items[i], list);
    }
}

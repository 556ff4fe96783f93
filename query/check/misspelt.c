// query/check/misspelt.c - warns of names in users' clauses that say nothing, and that are nearly
// ones that do: of thresholds and flaws, and of clauses that should have added to a shipped
// predicate.
#include "query/check/check.h"
#include "query/rules/module.h"

typedef struct name_search {
    program *p;
    ARRAY(const char *) thresholds; // filled when they are needed first
    ARRAY(const char *) flaws;
} name_search;

// ---- Names of thresholds and flaws ----

static void find_thresholds(name_search *n) {
    errors ignored = {0}; // told when the clause is lowered
    const heads *h = program_heads(n->p, "threshold");
    for (size_t i = 0; h && i < h->clauses.count; i++) {
        clause *c = h->clauses.items[i];
        if (source_read(c, &ignored) && term_is(c->head, "threshold", 2) &&
            c->head->args[0]->kind == TERM_SYMBOL)
            array_push(&n->thresholds, c->head->args[0]->text);
    }
    errors_finish(&ignored);
}

static void find_flaws(name_search *n) {
    for (size_t i = 0; i < n->p->declarations.count; i++) {
        const declaration *d = &n->p->declarations.items[i];
        if (d->inner_at == 1 && strcmp(module_plain(d->name), "flaw") == 0)
            array_push(&n->flaws, d->inner_name);
    }
}

static void warn_of_name(program *p, const clause *c, const term *name, const char *what,
                         const char *const *known, size_t count) {
    const char *near = name->kind != TERM_SYMBOL || names_hold(known, count, name->text)
                           ? NULL
                           : nearest_name(name->text, known, count);
    if (near)
        errors_add(&p->warnings, c->file, name->line, name->column,
                   "no %s is called '%s'; did you mean '%s'?", what, name->text, near);
}

// Looks for goals of thresholds that no fact gives.
static void check_goals(name_search *n, const clause *c, const term *t) {
    if (t->kind != TERM_COMPOUND)
        return;
    if (term_is(t, "threshold", 2)) {
        if (n->thresholds.count == 0)
            find_thresholds(n);
        warn_of_name(n->p, c, t->args[0], "threshold", n->thresholds.items, n->thresholds.count);
    }
    for (uint32_t i = 0; i < t->arity; i++)
        check_goals(n, c, t->args[i]);
}

// Looks for `may_cause` and its like of flaws that nothing declares.
static void check_relation(name_search *n, const clause *c) {
    const term *head = c->head;
    if (!term_is(head, "may_cause", 2) && !term_is(head, "specialises", 2))
        return;
    if (n->flaws.count == 0)
        find_flaws(n);
    for (uint32_t i = 0; i < 2; i++)
        warn_of_name(n->p, c, head->args[i], "flaw", n->flaws.items, n->flaws.count);
}

// ---- Clauses of predicates that nothing asks ----

static bool term_calls(const term *t, const char *name) {
    if (t->kind == TERM_SYMBOL)
        return strcmp(t->text, name) == 0;
    if (t->kind != TERM_COMPOUND)
        return false;
    bool calls = strcmp(t->text, name) == 0;
    for (uint32_t i = 0; i < t->arity && !calls; i++)
        calls = term_calls(t->args[i], name);
    return calls;
}

static bool is_called(const program *p, const char *name) {
    for (size_t i = 0; i < p->sources.count; i++) {
        const rule_source *s = p->sources.items[i];
        for (size_t k = 0; k < s->clauses.count && !s->library; k++) {
            const clause *c = s->clauses.items[k];
            if (c->body && term_calls(c->body, name))
                return true;
        }
    }
    return false;
}

// Returns whether two names differ in one place: in a letter more, less or other, or in two that
// are swapped.
static bool differ_once(const char *a, const char *b) {
    size_t na = strlen(a), nb = strlen(b), same = 0, behind = 0;
    size_t less = na < nb ? na : nb, more = na < nb ? nb : na;
    while (same < less && a[same] == b[same])
        same++;
    while (behind < less - same && a[na - 1 - behind] == b[nb - 1 - behind])
        behind++;
    size_t left = more - same - behind;
    return left <= 1 || (left == 2 && na == nb && a[same] == b[same + 1] && a[same + 1] == b[same]);
}

#define NAME_SHORT 5 // below this length names that differ in a letter are mostly meant

// `treshold(slip_distance, 0.05).` defines a predicate of its own, which nothing asks.
static void check_head(program *p, const clause *c) {
    uint32_t arity = c->head->kind == TERM_COMPOUND ? c->head->arity : 0;
    const char *near = NULL;
    for (size_t i = 0; i < p->declarations.count; i++) {
        const declaration *d = &p->declarations.items[i];
        if (strcmp(d->name, c->name) == 0)
            return;
        if (!near && d->arity == arity && differ_once(d->name, c->name))
            near = d->name;
    }
    if (near && strlen(c->name) >= NAME_SHORT && !is_called(p, c->name))
        errors_add(&p->warnings, c->file, c->line, c->column,
                   "%s/%u is defined here alone, and nothing asks it; did you mean '%s'?", c->name,
                   arity, near);
}

void check_misspelt(program *p) {
    name_search n = {.p = p};
    for (size_t i = 0; i < p->sources.count; i++) {
        const rule_source *s = p->sources.items[i];
        const char *before = NULL;
        for (size_t k = 0; k < s->clauses.count && !s->library; k++) {
            const clause *c = s->clauses.items[k];
            if (!c->head || c->broken)
                continue;
            if (c->body)
                check_goals(&n, c, c->body);
            check_relation(&n, c);
            if (!c->form && !s->module && (!before || strcmp(before, c->name) != 0))
                check_head(p, c);
            before = c->name;
        }
    }
    array_finish(&n.thresholds);
    array_finish(&n.flaws);
}

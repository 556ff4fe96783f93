// query/check/check.c - checks rules before they run; here, names that nothing defines.
#include "query/check/check_int.h"

#include <stdio.h>
#include "base/symtab.h"
#include "query/log/fact.h"
#include "query/rules/module.h"

static bool is_defined(const pred *d) {
    return d->rules.count > 0 || d->facts.count > 0 || d->fact || d->declared || d->auxiliary;
}

// ---- Undefined names ----

// Names that were probably meant, and the numbers of arguments that the written name takes.
typedef struct candidates {
    ARRAY(const char *) names;
    const char *sought;
    bool known;
    uint32_t takes[8], takes_count;
} candidates;

static void add_candidate(candidates *c, const char *name, uint32_t arity) {
    array_push(&c->names, name);
    if (strcmp(name, c->sought) != 0)
        return;
    c->known = true;
    for (uint32_t i = 0; i < c->takes_count; i++) {
        if (c->takes[i] == arity)
            return;
    }
    if (c->takes_count < sizeof c->takes / sizeof *c->takes)
        c->takes[c->takes_count++] = arity;
}

static uint32_t arity_of(const term *t) {
    return t->kind == TERM_COMPOUND ? t->arity : 0;
}

// Adds the functors that some clause gives this split predicate.
static void add_functors(program *p, const pred *d, candidates *out) {
    const predicate_traits *s = program_traits(p, d->name, false);
    int64_t at = symtab_find(p->head_names, d->name, strlen(d->name));
    errors ignored = {0};
    for (size_t i = 0; s && at >= 0 && i < p->heads.items[at].clauses.count; i++) {
        clause *c = p->heads.items[at].clauses.items[i];
        if (!source_read(c, &ignored) || arity_of(c->head) < s->split_on || s->split_on == 0)
            continue;
        const term *occasion = c->head->args[s->split_on - 1];
        if (occasion->kind == TERM_COMPOUND || occasion->kind == TERM_SYMBOL)
            add_candidate(out, occasion->text, arity_of(occasion));
    }
    errors_finish(&ignored);
}

// Adds names as the file in which one is missing would write them.
static void add_predicates(program *p, const rule *r, candidates *out) {
    errors ignored = {0};
    const rule_source *s = program_source(p, r->file);
    const char *home = s && s->module ? s->module->name : NULL;
    const char *brought[100];
    for (size_t i = module_visible(p, s, brought, 100); i > 0; i--)
        array_push(&out->names, brought[i - 1]);
    for (size_t i = 0; i < p->heads.count; i++) {
        const heads *h = &p->heads.items[i];
        const char *own = symtab_name(p->head_names, (uint32_t)i), *name = module_plain(own);
        // This file cannot use names that other modules do not export.
        if (name != own && (!home || strncmp(own, home, (size_t)(name - own) - 1) != 0 ||
                            home[name - own - 1] != 0))
            continue;
        if (strcmp(name, out->sought) != 0) {
            array_push(&out->names, name);
            continue;
        }
        for (size_t k = 0; k < h->clauses.count; k++) {
            if (source_read(h->clauses.items[k], &ignored))
                add_candidate(out, name, arity_of(h->clauses.items[k]->head));
        }
    }
    errors_finish(&ignored);
    for (size_t i = 0; i < p->declarations.count; i++)
        add_candidate(out, p->declarations.items[i].name, p->declarations.items[i].arity);
    const builtin *b;
    const fact *f;
    for (size_t i = 0; (b = program_builtin_at(p, i)); i++)
        add_candidate(out, b->name, b->arity);
    for (size_t i = 0; (f = program_fact_at(p, i)); i++)
        add_candidate(out, f->name, f->arity);
}

// Returns what to write in place of a predicate of Prolog's; NULL: it is none.
static const char *instead_of(const pred *d) {
    static const struct {
        const char *name;
        uint32_t arity;
        const char *instead;
    } known[] = {
#define PROLOG(name, arity, instead) {name, arity, instead},
#include "query/check/prolog.def"
#undef PROLOG
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!d->functor && d->arity == known[i].arity && strcmp(d->name, known[i].name) == 0)
            return known[i].instead;
    }
    return NULL;
}

static bool takes(const candidates *c, uint32_t arity) {
    for (uint32_t i = 0; i < c->takes_count; i++)
        if (c->takes[i] == arity)
            return true;
    return false;
}

// Returns the split predicate that this is an occasion or event of, as on/2 is of holds_w; NULL:
// none.
static const predicate_traits *whole_of(program *p, const pred *d) {
    for (size_t i = 0; !d->functor && i < p->traits.count; i++) {
        const predicate_traits *s = &p->traits.items[i];
        if (s->split_on != 1 || !(s->temporal_on || s->instant_on))
            continue;
        candidates found = {.sought = d->name};
        add_functors(p, &(pred){.name = s->name}, &found);
        bool is_one = takes(&found, d->arity);
        array_finish(&found.names);
        if (is_one)
            return s;
    }
    return NULL;
}

bool check_is_broken(const checker *c, const pred *d) {
    return program_is_broken(c->p, d->name) || (d->functor && program_is_broken(c->p, d->functor));
}

static void report_undefined(const checker *c, const rule *r, const literal *l) {
    const pred *d = l->pred;
    if (check_is_broken(c, d))
        return; // a clause that defines it, or its declaration, could not be read
    char label[300], numbers[100] = "";
    candidates found = {.sought = d->functor ? d->functor : d->name};
    if (d->functor)
        add_functors(c->p, d, &found);
    else
        add_predicates(c->p, r, &found);
    pred_label(d, label, sizeof label);
    const char *near =
        found.known ? NULL : nearest_name(found.sought, found.names.items, found.names.count);
    size_t used = 0;
    for (uint32_t i = 0; i < found.takes_count; i++) {
        int n = snprintf(numbers + used, sizeof numbers - used, "%s%u",
                         text_joint(i, found.takes_count, " or "), found.takes[i]);
        used += n > 0 && (size_t)n < sizeof numbers - used ? (size_t)n : 0;
    }
    const char *instead = instead_of(d), *dots = d->functor_arity || d->arity ? "(...)" : "";
    const predicate_traits *own = d->functor ? program_traits(c->p, d->name, false) : NULL,
                           *whole = found.known ? NULL : whole_of(c->p, d),
                           *either = own ? own : whole;
    uint32_t written = d->arity - d->functor_arity + 1 - d->temporal; // arguments of the whole
    uint32_t when = !own ? 0 : own->temporal_on ? own->temporal_on : own->instant_on;
    const char *time = either && either->temporal_on ? "at(T)" : "T";
    if (when == written + 1 && takes(&found, d->functor_arity))
        errors_add(c->list, r->file, l->line, l->column,
                   "%s says when, too: %s(%s%s, %s); T is a number, `end` or a variable", d->name,
                   d->name, d->functor, dots, time);
    else if (whole)
        errors_add(
            c->list, r->file, l->line, l->column,
            "%s is not defined; it is asked as %s(%s%s, %s); T is a number, `end` or a variable",
            label, whole->name, d->name, dots, time);
    else if (instead)
        errors_add(c->list, r->file, l->line, l->column, "%s is not defined; %s", label, instead);
    else if (found.known)
        errors_add(c->list, r->file, l->line, l->column,
                   "%s is not defined; %s takes %s argument%s", label, found.sought, numbers,
                   found.takes_count == 1 && found.takes[0] == 1 ? "" : "s");
    else if (near)
        errors_add(c->list, r->file, l->line, l->column, "%s is not defined; did you mean '%s'?",
                   label, near);
    else
        errors_add(c->list, r->file, l->line, l->column, "%s is not defined", label);
    array_finish(&found.names);
}

static void check_defined(const checker *c) {
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        for (size_t k = 0; k < pred_at(c, i)->rules.count; k++) {
            const rule *r = pred_at(c, i)->rules.items[k];
            for (uint32_t j = 0; j < r->literal_count; j++) {
                if (r->literals[j].pred && !is_defined(r->literals[j].pred))
                    report_undefined(c, r, &r->literals[j]);
            }
        }
    }
}

bool check_covers_clause(const checker *c, const clause *from) {
    return c->libraries || !from || !from->source || !from->source->library;
}

bool check_covers_rule(const checker *c, const rule *r) {
    return check_covers_clause(c, program_holder(c->p, r->id));
}

bool check_found_flawed(const checker *c, const rule *r) {
    const clause *from = program_holder(c->p, r->id);
    return from && from->flawed;
}

static bool stands_before(const error *a, const error *b) {
    int order = strcmp(a->file, b->file);
    if (order != 0)
        return order < 0;
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

void check_sort(errors *list, size_t from) {
    // There are at most a hundred mistakes, mostly in order.
    for (size_t i = from + 1; i < list->count; i++) {
        error moved = list->items[i];
        size_t k = i;
        for (; k > from && stands_before(&moved, &list->items[k - 1]); k--)
            list->items[k] = list->items[k - 1];
        list->items[k] = moved;
    }
    // A clause with several alternatives reports the same mistake for each; one is kept.
    size_t kept = from;
    for (size_t i = from; i < list->count; i++) {
        const error *e = &list->items[i], *last = kept > from ? &list->items[kept - 1] : NULL;
        if (last && !stands_before(last, e) && strcmp(last->text, e->text) == 0)
            continue;
        list->items[kept++] = *e;
    }
    list->count = kept;
}

void check_program(program *p, uint32_t first, bool libraries, const query_scope *scope,
                   errors *list) {
    findings found = {0};
    checker c = {p, first, list, libraries, scope, &found};
    check_defined(&c);
    // The values of an answer may fit only one of the alternatives.
    if (!scope || !scope->answered) {
        check_types(&c);
        check_never(&c);
        check_say(&c);
    }
    array_finish(&found);
    settle_times(&c);
    find_components(&c);
    check_strata(&c);
    check_best(&c);
    check_safety(&c);
    fingerprint_program(p, first);
}

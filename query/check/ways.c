// query/check/ways.c - says what was found of rules, a clause at a time.
//
// Each way through the disjunctions of a clause is a rule, and so is each way through those of a
// scope in it. What makes a rule hold nothing makes its clause hold nothing only if it is found of
// every way. Otherwise the clause means what its other ways mean: then only a goal that stands in
// no other way is worth a warning, since what was written there never counts.
#include <stdio.h>
#include "query/check/check_int.h"

void check_found(const checker *c, const rule *r, int line, int column, finding_kind kind,
                 const char *text) {
    array_push(c->found, (finding){r, line, column, kind, arena_strdup(c->p->current, text)});
}

// Returns whether two rules are ways through the same clause, or through the same scope in it.
static bool same_clause(const rule *a, const rule *b) {
    if (a->id != b->id || a->pred->scoped != b->pred->scoped)
        return false;
    if (a->pred->scoped)
        return a->line == b->line && a->column == b->column;
    return a->id != 0 || a->pred == b->pred;
}

// Returns whether a rule has what was found: a goal that never holds, or the same negation that
// always does.
static bool shares_finding(const checker *c, const rule *r, const finding *f) {
    for (size_t i = 0; i < c->found->count; i++) {
        const finding *own = &c->found->items[i];
        if (own->r == r && (own->kind == FINDING_IDLE) == (f->kind == FINDING_IDLE) &&
            (f->kind != FINDING_IDLE || (own->line == f->line && own->column == f->column)))
            return true;
    }
    return false;
}

static bool goal_is_in(const rule *r, const literal *goal) {
    for (uint32_t i = 0; i < r->literal_count; i++) {
        if (r->literals[i].line == goal->line && r->literals[i].column == goal->column)
            return true;
    }
    return false;
}

// Returns whether the clause has a way that is a fact: `p(X) :- X = a ; q(X).`
static bool has_fact(const checker *c, const rule *r) {
    for (size_t i = c->first; r->id != 0 && i < c->p->preds.count; i++) {
        const pred *d = c->p->preds.items[i];
        for (size_t k = 0; k < d->facts.count; k++) {
            if (r->id - d->facts.items[k].first < d->facts.items[k].count)
                return true;
        }
    }
    return false;
}

typedef enum verdict { VERDICT_ALL, VERDICT_PART, VERDICT_SILENT } verdict;

// Returns whether all ways through the clause share what was found of a rule, or all that have one
// of its goals.
static verdict judge_ways(const checker *c, const finding *f) {
    const rule *dead = f->r;
    bool lives = has_fact(c, dead);
    bool *elsewhere = arena_alloc(c->p->current, dead->literal_count + 1);
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        const pred *d = c->p->preds.items[i];
        for (size_t k = 0; k < d->rules.count; k++) {
            const rule *r = d->rules.items[k];
            if (!same_clause(r, dead) || shares_finding(c, r, f))
                continue;
            lives = true;
            for (uint32_t j = 0; j < dead->literal_count; j++)
                elsewhere[j] = elsewhere[j] || goal_is_in(r, &dead->literals[j]);
        }
    }
    if (!lives || f->kind == FINDING_IDLE)
        return lives ? VERDICT_SILENT : VERDICT_ALL;
    for (uint32_t j = 0; j < dead->literal_count; j++) {
        if (!elsewhere[j])
            return VERDICT_PART;
    }
    return VERDICT_SILENT;
}

// Says a finding with what follows from it in place of NEVER_FIRES.
static void say_finding(const checker *c, const finding *f, bool part) {
    const char *never = strstr(f->text, NEVER_FIRES), *text = f->text;
    const char *follows = part                 ? "this way through the disjunctions can never hold"
                          : f->r->pred->scoped ? "these goals can never hold"
                                               : NEVER_FIRES;
    if (never)
        text = arena_format(c->p->current, "%.*s%s%s", (int)(never - text), text, follows,
                            never + strlen(NEVER_FIRES));
    else if (part)
        text = arena_format(c->p->current, "%s; %s", text, follows);
    errors_add(f->kind != FINDING_SUSPECT && !part ? c->list : &c->p->warnings, f->r->file, f->line,
               f->column, "%s", text);
}

void check_say(const checker *c) {
    for (size_t i = 0; i < c->found->count; i++) {
        const finding *f = &c->found->items[i];
        verdict v = judge_ways(c, f);
        if (v != VERDICT_SILENT)
            say_finding(c, f, v == VERDICT_PART);
    }
}

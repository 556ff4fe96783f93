// query/why/why_not.c - why a goal has no answer: how many goals of each rule's body hold at once,
// which one fails, and how near it comes.
//
// Everything is found by queries to the same engine, as a user could ask them: which goals of a
// body hold together, and weaker forms of the one that fails. The queries are counted, so that the
// time is bounded; where they are used up, the rest is not explained.
#include "query/engine_int.h"
#include "base/symtab.h"
#include "query/log/fact.h"
#include "query/rules/module.h"
#include "query/why/why_not_int.h"

#define QUERIES_MAX 600
#define STEPS_MAX UINT64_C(100000000) // literals that they may try
#define DEPTH_DEFAULT 4
#define RULES_MAX 40      // of one goal
#define RULES_MAX_BELOW 6 // of a goal below another

bool why_not_ask(asker *k, const term *goal, const char *file, answers **out, size_t *count) {
    *count = 0;
    if (out)
        *out = NULL;
    if (k->failed != OK)
        return false;
    if (k->left == 0) {
        k->spent = true;
        return false;
    }
    k->left--;
    answers *got = NULL;
    errors list = {0};
    // A query without columns asks only whether the goal holds, at some instant that its parts
    // share.
    static const char *const nothing[1] = {NULL};
    const query_given no_columns = {.columns = nothing};
    // A goal of a rule uses the names of the rule's file.
    const query_scope scope = {
        .file = file, .source = program_source(k->p, file), .given = out ? NULL : &no_columns};
    status s = engine_ask(k->e, &scope, goal, &got, &list);
    // A goal whose variables are not bound enough to be asked is no mistake of the user's.
    if (s != OK && s != E_INPUT && s != E_USAGE) {
        k->failed = s;
        for (size_t i = 0; i < list.count; i++)
            errors_append(k->list, &list.items[i]);
    }
    errors_finish(&list);
    if (s != OK)
        return false;
    uint64_t steps = engine_last_cost(k->e).steps;
    k->steps = steps < k->steps ? k->steps - steps : 0;
    if (k->steps == 0)
        k->left = 0;
    *count = answers_count(got);
    if (out)
        *out = got;
    else
        answers_destroy(got);
    return true;
}

static denial *deny_goal(asker *k, const term *goal, const char *file, uint32_t depth);

#define EPISODES_MAX 3

// Explains a goal about other episodes in each of them; *more counts those that are not looked at.
static void deny_elsewhere(asker *k, const term *goal, const char *file, uint32_t depth, denial *d,
                           obstacle *rules, size_t *more) {
    size_t count, matching = 0;
    const store_episode *all = store_episodes(engine_store(k->e), &count);
    for (size_t i = 0; i < count && k->failed == OK; i++) {
        const term *number = goal->args[0];
        if (number->kind == TERM_INT && number->integer != all[i].id)
            continue;
        if (matching++ == EPISODES_MAX || d->rule_count == EPISODES_MAX) {
            ++*more;
            continue;
        }
        obstacle o = {.literals = 1, .episode = all[i].id, .failing = goal};
        asker there = *k;
        size_t found = 0;
        there.path.items = NULL;
        there.path.count = there.path.capacity = 0;
        there.end = all[i].end;
        k->failed = engine_beside(k->e, all[i].id, &there.e, k->list);
        if (k->failed != OK)
            return;
        there.p = engine_program(there.e);
        if (depth + 1 < k->depth && why_not_ask(&there, goal->args[1], file, NULL, &found) &&
            found == 0)
            o.deeper = deny_goal(&there, goal->args[1], file, depth + 1);
        array_finish(&there.path);
        k->left = there.left;
        k->steps = there.steps;
        k->spent = k->spent || there.spent;
        k->failed = there.failed;
        rules[d->rule_count++] = o;
    }
    if (matching == 0 && k->failed == OK)
        d->note = arena_format(k->a, "the log has no such episode; it has %zu", count);
}

static bool is_explained(const asker *k, const char *goal) {
    for (size_t i = 0; i < k->path.count; i++) {
        if (strcmp(k->path.items[i], goal) == 0)
            return true;
    }
    return false;
}

// Returns the clauses of the predicate that a goal of this file names, or NULL.
static const heads *heads_of(asker *k, const term *t, const char *file) {
    uint32_t n = t->kind == TERM_COMPOUND ? t->arity : 0;
    const char *own = module_name(k->p, program_source(k->p, file), t->text, n);
    for (size_t i = 0; own && i < k->p->heads.count; i++) {
        if (strcmp(symtab_name(k->p->head_names, (uint32_t)i), own) == 0)
            return &k->p->heads.items[i];
    }
    return NULL;
}

// Returns whether rules, and not facts alone, define the goal's predicate.
static bool has_rules(asker *k, const term *t, const char *file) {
    uint32_t n = t->kind == TERM_COMPOUND ? t->arity : 0;
    bool named = t->kind == TERM_COMPOUND || t->kind == TERM_SYMBOL;
    if (!named || term_is(t, "not", 1) || term_is(t, ",", 2) || term_is(t, ";", 2) ||
        program_builtin(k->p, t->text, n) || fact_find(t->text, n))
        return false;
    const heads *h = heads_of(k, t, file);
    for (size_t j = 0; h && j < h->clauses.count; j++) {
        const clause *c = program_clause(k->p, h->clauses.items[j]->id);
        if (c && c->body)
            return true;
    }
    return false;
}

// Takes goals of a long body behind those that hold at once, one by one, while all taken hold. A
// goal that could not be asked yet is tried again when more variables are bound.
static void try_rest(asker *k, const body *b, uint32_t reached, obstacle *o) {
    const term *taken = why_not_conjunction(k, b, reached);
    bool *done = arena_alloc(k->a, b->rest.count + 1);
    for (bool moved = b->rest.count > 0; moved && k->failed == OK;) {
        moved = false;
        for (size_t i = 0; i < b->rest.count && k->failed == OK; i++) {
            const term *both[2] = {b->rest.items[i].ask, taken};
            size_t count = 0;
            if (done[i])
                continue;
            const term *all = term_compound(k->a, ",", 2, both);
            if (!why_not_ask(k, all, b->file, NULL, &count) || count == 0)
                continue;
            taken = all;
            done[i] = moved = true;
            o->reached++;
        }
    }
    for (size_t i = 0; i < b->rest.count && !o->failing; i++) {
        if (done[i])
            continue;
        const term *written = b->rest.items[i].written;
        o->failing = written;
        o->failing_line = (term_is(written, "not", 1) ? written->args[0] : written)->line;
    }
}

// Finds how many goals of a body hold at once, and explains the first of the others.
static obstacle stopped_at(asker *k, const body *b, uint32_t depth) {
    obstacle o = {.literals = b->goals.count + b->rest.count};
    uint32_t reached = why_not_largest_set(k, b);
    o.reached = (size_t)__builtin_popcount(reached);
    uint32_t i = 0;
    while (i < b->goals.count && (reached >> i & 1))
        i++;
    if (i == b->goals.count)
        try_rest(k, b, reached, &o);
    if (i == b->goals.count || k->failed != OK)
        return o;
    const term *written = b->goals.items[i].written;
    o.failing_line = (term_is(written, "not", 1) ? written->args[0] : written)->line;
    o.nearest = nearest_miss(k, b, reached, i, &o.failing);
    // The goal with its time in the place of the rule's variable is a goal of its own.
    const term *below = b->goals.items[i].ask;
    if (term_is(below, ",", 2))
        below = below->args[0];
    bool elsewhere = term_is(below, "in_episode", 2);
    if (depth + 1 < k->depth && (elsewhere || has_rules(k, below, b->file)) && k->failed == OK) {
        const term *instance =
            has_rules(k, o.failing, b->file) && term_equal(below, written) ? o.failing : below;
        if (!is_explained(k, term_text(k->a, instance)))
            o.deeper = deny_goal(k, instance, b->file, depth + 1);
    }
    return o;
}

static void add_clause(asker *k, const clause *c, const term *goal, uint32_t depth, denial *d,
                       obstacle *rules) {
    size_t count;
    body *bodies = bodies_for(k, c, goal, &count);
    obstacle best = {0};
    for (size_t i = 0; i < count && k->failed == OK; i++) {
        obstacle o = stopped_at(k, &bodies[i], depth);
        if (i == 0 || o.literals - o.reached < best.literals - best.reached)
            best = o;
    }
    if (bodies)
        bodies_finish(bodies, count);
    if (count == 0)
        return;
    const term *sides[2] = {c->head, c->body};
    best.file = c->file;
    best.line = c->line;
    best.rule = term_text(k->a, term_compound(k->a, ":-", 2, sides));
    rules[d->rule_count++] = best;
}

static denial *deny_goal(asker *k, const term *goal, const char *file, uint32_t depth) {
    denial *d = arena_alloc(k->a, sizeof *d);
    *d = (denial){.goal = goal};
    obstacle *rules = arena_alloc(k->a, (RULES_MAX + 1) * sizeof *rules);
    size_t most = depth == 0 ? RULES_MAX : RULES_MAX_BELOW;
    d->rules = rules;
    array_push(&k->path, term_text(k->a, goal));
    bool rules_of = has_rules(k, goal, file);
    size_t more = 0; // rules that are not looked at
    const heads *h = rules_of ? heads_of(k, goal, file) : NULL;
    for (size_t j = 0; h && j < h->clauses.count; j++) {
        const clause *c = program_clause(k->p, h->clauses.items[j]->id);
        if (!c || !c->body || k->failed != OK)
            continue;
        if (d->rule_count < most)
            add_clause(k, c, goal, depth, d, rules);
        else
            more++;
    }
    if (term_is(goal, "in_episode", 2)) {
        deny_elsewhere(k, goal, file, depth, d, rules, &more);
    } else if (d->rule_count == 0 && k->failed == OK) {
        // No rule gives the goal (a table of the log, facts, a builtin, several goals): it fails
        // itself.
        clause c = {.head = term_symbol(k->a, "query"), .body = goal, .file = file};
        if (!term_is(goal, ",", 2) && !term_is(goal, ";", 2)) {
            body one = {.file = file};
            array_push(&one.goals, (body_goal){goal, goal});
            obstacle o = {.literals = 1};
            o.nearest = nearest_miss(k, &one, 0, 0, &o.failing);
            rules[d->rule_count++] = o;
            array_finish(&one.goals);
        } else {
            size_t count;
            body *bodies = bodies_for(k, &c, c.head, &count);
            for (size_t i = 0; i < count && i < RULES_MAX && k->failed == OK; i++)
                rules[d->rule_count++] = stopped_at(k, &bodies[i], depth);
            if (bodies)
                bodies_finish(bodies, count);
        }
    } else if (depth == 0 && k->failed == OK) {
        body one = {.file = file};
        const term *same = NULL;
        array_push(&one.goals, (body_goal){goal, goal});
        d->note = nearest_miss(k, &one, 0, 0, &same);
        array_finish(&one.goals);
    }
    if (more > 0 && !d->note && k->failed == OK)
        d->note =
            arena_format(k->a, "and %zu more %s%s, not looked at", more,
                         term_is(goal, "in_episode", 2) ? "episode" : "rule", more > 1 ? "s" : "");
    k->path.count--;
    return d;
}

static status fail_answered(asker *k, const term *goal, size_t count, errors *list,
                            const char *file) {
    error err = {0};
    (void)k;
    error_at(&err, E_USAGE, file, goal->line, goal->column,
             "this goal has %zu answer%s; ask why it holds", count, count == 1 ? "" : "s");
    errors_append(list, &err);
    return E_USAGE;
}

static status explain_denial(engine *e, arena *a, const char *file, const char *goal,
                             const proof_options *opt, const denial **out, errors *list) {
    const term *t;
    error err = {0};
    *out = NULL;
    status s = source_term(a, file, goal, &t, &err);
    if (s != OK) {
        errors_append(list, &err);
        return s;
    }
    answers *got = NULL;
    s = engine_ask(e, &(query_scope){.file = file}, t, &got, list);
    if (s != OK)
        return s;
    asker k = {.e = e,
               .p = engine_program(e),
               .a = a,
               .left = QUERIES_MAX,
               .steps = STEPS_MAX,
               .list = list};
    k.end = engine_episode(e)->end;
    k.depth = opt && opt->depth ? opt->depth : DEPTH_DEFAULT;
    k.depth = k.depth < 20 ? k.depth : 20;
    size_t count = answers_count(got);
    answers_destroy(got);
    if (count > 0)
        return fail_answered(&k, t, count, list, file);
    denial *d = deny_goal(&k, t, file, 0);
    const char *unknown = k.failed == OK ? unknown_names(&k, t) : NULL;
    if (unknown)
        d->note = unknown;
    else if (k.spent && !d->note)
        d->note = "this goal takes too many questions to explain whole; ask for a part of it";
    array_finish(&k.path);
    engine_rest(e);
    if (k.failed != OK)
        return k.failed;
    *out = d;
    return OK;
}

status engine_why_not(engine *e, arena *a, const char *file, const char *goal,
                      const proof_options *opt, const denial **out, errors *list) {
    mem_fund fund;
    *out = NULL;
    if (!engine_fund(e, &fund, strlen(goal), list))
        return E_MEMORY;
    status s = explain_denial(e, a, file, goal, opt, out, list);
    mem_fund_close(&fund);
    return s;
}

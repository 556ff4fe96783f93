// tests/bench/bench_order.c - typical queries, and those of the cliffs (cliffs.c), with their
// literals in every order, up to 24 of them drawn, and as the body of a rule.
//
// Each is asked of a fresh engine, so that nothing is left over from the one before; medians of
// three. Prints the slowest over the fastest. Exit 1: a ratio over 3 between times that can be told
// apart.
//
//     bench_order LOG.db RULES_FOLDER
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "query/engine.h"
#include "query/rule_files.h"
#include "tests/bench/cliffs.h"
#include "tests/bench/timing.h"
#include "tests/query/derive/orders.h"

#define LEAST 0.002 // seconds: below it, what is measured is the clock and the caches

static const char *const QUERIES[] = {
#define TYPICAL(text) text,
#include "tests/query/derive/typical.def"
#undef TYPICAL
};

typedef struct bench {
    store *log;
    const rule_files *rules; // of the program; NULL: without
    const clauses *program;  // besides; NULL: none
} bench;

static void end_on(status s, const errors *list, const error *err, const char *query) {
    if (s == OK)
        return;
    fprintf(stderr, "%s\n  %s\n", query, list->count ? list->items[0].text : err->text);
    exit(2);
}

// With the query as the body of a rule; NULL: asked as it stands.
static engine *fresh(const bench *b, const char *rule) {
    engine *e = NULL;
    error err = {0};
    errors list = {0};
    status s = engine_open(b->log, 0, NULL, &e, &err);
    for (size_t i = 0; s == OK && b->rules && i < b->rules->count; i++)
        s = engine_load_library_file(e, b->rules->items[i], &list);
    if (s == OK && b->program)
        s = engine_load(e, "program", b->program->items, b->program->count, &list);
    if (s == OK && rule)
        s = engine_load(e, "rule", rule, strlen(rule), &list);
    if (s == OK)
        s = engine_check(e, &list);
    end_on(s, &list, &err, rule ? rule : "the rules");
    return e;
}

static double ask(const bench *b, const char *rule, const char *query, size_t *count) {
    double t[3];
    for (int i = 0; i < 3; i++) {
        engine *e = fresh(b, rule);
        answers *a = NULL;
        errors list = {0};
        double began = processor_seconds();
        end_on(engine_query(e, "query", query, &a, &list), &list, &(error){0}, query);
        t[i] = processor_seconds() - began;
        *count = answers_count(a);
        answers_destroy(a);
        engine_close(e);
    }
    return median(t, 3);
}

typedef ARRAY(const char *) names;

// The variables that have a name; those of an aggregate's goal alone are none of the answer.
static void names_in(const term *t, names *out) {
    if (t->kind == TERM_VAR && t->text[0] != '_') {
        for (size_t i = 0; i < out->count; i++) {
            if (strcmp(out->items[i], t->text) == 0)
                return;
        }
        array_push(out, t->text);
    }
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && !term_is(t, "{}", 3) && i < t->arity; i++)
        names_in(t->args[i], out);
}

// asked(X, Y), of the variables in the query, which as they occur once may not all stand in a rule.
static const char *head_of(arena *a, const term *body) {
    names all = {0};
    const char *head = "asked";
    names_in(body, &all);
    for (size_t i = 0; i < all.count; i++)
        head = arena_format(a, "%s%s%s", head, i ? ", " : "(", all.items[i]);
    if (all.count > 0)
        head = arena_format(a, "%s)", head);
    array_finish(&all);
    return head;
}

// The slowest way over the fastest.
static double compare_ways(const bench *b, const char *query) {
    arena *a = arena_create();
    const term *body = NULL, *literals[LITERALS_MAX];
    size_t all = 1, first = 0, found = 0;
    double low = 1e9, high = 0;
    error err = {0};
    end_on(term_parse(a, "query", query, strlen(query), 1, 1, &body, &err), &(errors){0}, &err,
           query);
    size_t n = literals_of(body, literals);
    const char *head = head_of(a, body);
    for (size_t i = 2; i <= n; i++)
        all *= i;
    size_t orders = all < ORDERS ? all : ORDERS;
    // The last way is the rule.
    for (size_t k = 0; k <= orders; k++) {
        size_t order[LITERALS_MAX];
        order_at(k < orders ? k * all / orders : 0, n, order);
        const char *goals = in_order(a, literals, order, n);
        const char *rule = arena_format(a, "%s :- %s.\n", head, goals);
        double t = k < orders ? ask(b, NULL, goals, &found) : ask(b, rule, head, &found);
        if (k > 0 && found != first) {
            fprintf(stderr, "%s changes the answers of %s\n", k < orders ? "the order" : "a rule",
                    query);
            exit(2);
        }
        first = found;
        low = t < low ? t : low;
        high = t > high ? t : high;
    }
    double ratio = high < LEAST ? 1 : high / (low > LEAST ? low : LEAST);
    printf("  %8.2f to %8.2f ms  %5.2f x  %4zu answers, %2zu orders and a rule  %s\n", low * 1e3,
           high * 1e3, ratio, first, orders, query);
    fflush(stdout);
    arena_destroy(a);
    return ratio;
}

int main(int count, char **args) {
    if (count != 3) {
        fprintf(stderr, "bench_order LOG.db RULES_FOLDER\n");
        return 2;
    }
    bench typical = {0};
    arena *a = arena_create();
    rule_files paths = {0};
    error err = {0};
    status s = store_open(args[1], &typical.log, &err);
    if (s == OK)
        s = rule_files_list(a, args[2], &paths, &err);
    end_on(s, &(errors){0}, &err, args[1]);
    typical.rules = &paths;
    double worst = 0;
    size_t asked = 0;
    for (; asked < sizeof QUERIES / sizeof *QUERIES; asked++) {
        double ratio = compare_ways(&typical, QUERIES[asked]);
        worst = ratio > worst ? ratio : worst;
    }
    for (size_t i = 0; i < CLIFF_COUNT; i++) {
        const cliff *c = &CLIFFS[i];
        if (!c->body)
            continue;
        clauses program = cliff_program(c, c->rules);
        bench b = {.log = typical.log, .program = &program};
        double ratio = compare_ways(&b, c->body);
        worst = ratio > worst ? ratio : worst;
        array_finish(&program);
        asked++;
    }
    store_close(typical.log);
    array_finish(&paths);
    arena_destroy(a);
    printf("slowest over fastest way, the worst of %zu queries: %.2f x, target <= 3%s\n", asked,
           worst, worst <= 3 ? "" : "  MISSED");
    return worst > 3;
}

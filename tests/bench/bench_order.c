// tests/bench/bench_order.c - typical queries with their literals in every order, up to 24 of them
// drawn.
//
// Each is asked of a fresh engine, so that nothing is left over from the one before; medians of
// three. Prints the slowest order over the fastest. Exit 1: a ratio over 3 between times that can
// be told apart.
//
//     bench_order LOG.db RULES_FOLDER
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "query/engine.h"
#include "query/rules/rule_files.h"
#include "tests/query/orders.h"
#include "tests/bench/timing.h"

#define LEAST 0.002 // seconds: below it, what is measured is the clock and the caches

static const char *const QUERIES[] = {
#define TYPICAL(text) text,
#include "tests/query/typical.def"
#undef TYPICAL
};

typedef struct bench {
    store *log;
    const char *rules;
} bench;

static engine *fresh(const bench *b) {
    engine *e = NULL;
    error err = {0};
    errors list = {0};
    arena *a = arena_create();
    rule_files paths = {0};
    status s = engine_open(b->log, 0, NULL, &e, &err);
    if (s == OK)
        s = rule_files_list(a, b->rules, &paths, &err);
    for (size_t i = 0; s == OK && i < paths.count; i++)
        s = engine_load_library_file(e, paths.items[i], &list);
    if (s == OK)
        s = engine_check(e, &list);
    if (s != OK) {
        fprintf(stderr, "%s\n", list.count ? list.items[0].text : err.text);
        exit(2);
    }
    array_finish(&paths);
    arena_destroy(a);
    return e;
}

static double ask(const bench *b, const char *query, size_t *count) {
    double t[3];
    for (int i = 0; i < 3; i++) {
        engine *e = fresh(b);
        answers *a = NULL;
        errors list = {0};
        double began = processor_seconds();
        if (engine_query(e, "query", query, &a, &list) != OK) {
            fprintf(stderr, "%s\n  %s\n", query, list.count ? list.items[0].text : "no answer");
            exit(2);
        }
        t[i] = processor_seconds() - began;
        *count = answers_count(a);
        answers_free(a);
        engine_close(e);
    }
    return median(t, 3);
}

int main(int count, char **args) {
    if (count != 3) {
        fprintf(stderr, "bench_order LOG.db RULES_FOLDER\n");
        return 2;
    }
    bench b = {.rules = args[2]};
    error err = {0};
    if (store_open(args[1], &b.log, &err) != OK) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    double worst = 0;
    for (size_t q = 0; q < sizeof QUERIES / sizeof *QUERIES; q++) {
        arena *a = arena_create();
        const term *body = NULL, *literals[LITERALS_MOST];
        size_t all = 1, n, first = 0, found = 0;
        double low = 1e9, high = 0;
        if (term_parse(a, "query", QUERIES[q], strlen(QUERIES[q]), 1, 1, &body, &err) != OK) {
            fprintf(stderr, "%s\n", err.text);
            return 2;
        }
        n = literals_of(body, literals);
        for (size_t i = 2; i <= n; i++)
            all *= i;
        size_t orders = all < ORDERS ? all : ORDERS;
        for (size_t k = 0; k < orders; k++) {
            size_t order[LITERALS_MOST];
            order_at(k * all / orders, n, order);
            double t = ask(&b, in_order(a, literals, order, n), &found);
            if (k > 0 && found != first) {
                fprintf(stderr, "the order changes the answers of %s\n", QUERIES[q]);
                return 2;
            }
            first = found;
            low = t < low ? t : low;
            high = t > high ? t : high;
        }
        double ratio = high < LEAST ? 1 : high / (low > LEAST ? low : LEAST);
        worst = ratio > worst ? ratio : worst;
        printf("  %8.2f to %8.2f ms  %5.2f x  %4zu answers, %2zu orders  %s\n", low * 1e3,
               high * 1e3, ratio, first, orders, QUERIES[q]);
        fflush(stdout);
        arena_destroy(a);
    }
    store_close(b.log);
    printf("slowest over fastest order, the worst of %zu queries: %.2f x, target <= 3%s\n",
           sizeof QUERIES / sizeof *QUERIES, worst, worst <= 3 ? "" : "  MISSED");
    return worst > 3;
}

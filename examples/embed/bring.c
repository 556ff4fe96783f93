// bring.c - a program brings what it knows to a log: facts from its memory, a predicate that its
// own function answers; and asks one query of every episode, taking the flaws apart.
//
//     cc bring.c -o bring $(pkg-config --cflags --libs foresee)
//     ./bring LOG.db
#include <foresee.h>

#include <stdio.h>
#include <string.h>

// What breaks when it falls, as the program knows it.
static const struct {
    const char *type;
    double price;
} fragile[] = {{"plate", 4.5}, {"cup", 3.0}, {"glass", 6.25}};
#define FRAGILE (sizeof fragile / sizeof *fragile)

// discounted(+price, -paid): what the insurance pays is computed here, not in rules.
static int discounted(foresee_call *call, void *context) {
    const double *share = context;
    foresee *log = foresee_call_connection(call);
    foresee_value price = foresee_call_argument(call, 0);
    if (foresee_value_type(log, price) != FORESEE_FLOAT)
        return foresee_call_fail(call, "takes a price");
    foresee_value answer[] = {0,
                              foresee_make_double(log, *share * foresee_value_double(log, price))};
    return foresee_call_answer(call, answer);
}

static int on_progress(const foresee_progress *so_far, void *context) {
    (void)context;
    fprintf(stderr, "%.0f s, %zu MB\n", so_far->seconds, so_far->bytes >> 20);
    return so_far->seconds > 60; // ends the query
}

static int failed(foresee *log) {
    fprintf(stderr, "%s\n", foresee_errmsg(log));
    foresee_close(log);
    return 2;
}

int main(int argc, char **argv) {
    foresee *log;
    if (argc != 2) {
        fprintf(stderr, "usage: bring LOG.db\n");
        return 2;
    }
    if (foresee_open(argv[1], NULL, &log) != FORESEE_OK)
        return failed(log);
    foresee_on_progress(log, 5, on_progress, NULL);

    // Facts without text: values, row after row.
    foresee_value rows[2 * FRAGILE];
    for (size_t i = 0; i < FRAGILE; i++) {
        rows[2 * i] = foresee_make_symbol(log, fragile[i].type);
        rows[2 * i + 1] = foresee_make_double(log, fragile[i].price);
    }
    double share = 0.8;
    if (foresee_load_facts(log, "insurance", "fragile", 2, rows, FRAGILE) != FORESEE_OK ||
        foresee_define(log, "discounted(+price: number, -paid: number)", "What is paid for it.",
                       discounted, &share) != FORESEE_OK)
        return failed(log);

    // One query, asked of each episode in turn.
    foresee_query *query;
    if (foresee_prepare(log,
                        "flaw(F), F = dropped_in_transit(_, Object, _, _), "
                        "object(Object, _, Type), fragile(Type, Price), discounted(Price, Paid)",
                        &query) != FORESEE_OK)
        return failed(log);
    foresee_episode episode;
    for (size_t i = 0; foresee_episode_at(log, i, &episode); i++) {
        int code;
        foresee_choose(log, episode.id);
        foresee_reset(query);
        while ((code = foresee_step(query)) == FORESEE_ROW) {
            // dropped_in_transit(task, object, hand, instant), part by part.
            foresee_value parts[4], flaw = foresee_column_value(query, 0);
            if (foresee_value_parts(log, flaw, parts, 4) != 4)
                continue;
            printf("episode %lld: %s fell at %.3f s, of task %lld: %.2f paid of %.2f\n",
                   (long long)episode.id, foresee_value_text(log, parts[1]),
                   foresee_value_double(log, parts[3]),
                   (long long)foresee_value_int64(log, parts[0]), foresee_column_double(query, 4),
                   foresee_column_double(query, 3));
        }
        if (code != FORESEE_DONE) {
            foresee_finalize(query);
            return failed(log);
        }
    }

    // A part is a value like any other, and is bound by the number of its variable.
    foresee_query *where;
    if (foresee_prepare(log, "holds_w(on(Object, Place), at(end))", &where) != FORESEE_OK)
        return failed(log);
    foresee_reset(query);
    if (foresee_step(query) == FORESEE_ROW) {
        foresee_bind(where, 0, foresee_column_value(query, 1));
        if (foresee_step(where) == FORESEE_ROW)
            printf("%s lies on %s at the end\n", foresee_column_text(where, 0),
                   foresee_column_text(where, 1));
    }
    foresee_finalize(where);
    foresee_finalize(query);
    foresee_close(log);
    return 0;
}

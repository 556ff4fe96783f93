// ask.c - asks a log from C: what stood where at its end, why its first flaw is one, what a mistake
// looks like, and how a query that would never end is ended.
//
//     cc ask.c -o ask $(pkg-config --cflags --libs foresee)
//     ./ask LOG.db
#include <foresee.h>

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static foresee *connection; // for the signal handler

static void on_alarm(int signal_number) {
    (void)signal_number;
    foresee_interrupt(connection);
}

static int failed(void) {
    fprintf(stderr, "%s\n", foresee_errmsg(connection));
    foresee_close(connection);
    return 2;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: ask LOG.db\n");
        return 2;
    }
    if (foresee_open(argv[1], NULL, &connection) != FORESEE_OK)
        return failed();

    // Answers, for a value that is given when the query runs.
    foresee_query *query;
    if (foresee_prepare(connection, "object(Surface, _, _), holds_w(on(Object, Surface), at(end))",
                        &query) != FORESEE_OK)
        return failed();
    foresee_bind_symbol(query, "Surface", "counter_1");
    int code;
    while ((code = foresee_step(query)) == FORESEE_ROW)
        printf("%s is on %s\n", foresee_column_text(query, 1), foresee_column_text(query, 0));
    foresee_finalize(query);
    if (code != FORESEE_DONE)
        return failed();

    // Times are nanoseconds, or seconds.
    if (foresee_prepare(connection, "flaw(F), flaw_time(F, Start, _), order_by(Start), limit(1)",
                        &query) != FORESEE_OK)
        return failed();
    if (foresee_step(query) == FORESEE_ROW) {
        char goal[1000], *why;
        printf("the first flaw, at %.3f s: %s\n", foresee_column_double(query, 1),
               foresee_column_term(query, 0));
        snprintf(goal, sizeof goal, "flaw(%s)", foresee_column_term(query, 0));
        if (foresee_explain(connection, goal, "text", &why) != FORESEE_OK)
            return failed();
        fputs(why, stdout);
        foresee_free(why);
    }
    foresee_finalize(query);

    // A mistake says where it is; the connection is none the worse for it.
    if (foresee_prepare(connection, "holds_w(om(Object, Surface), at(end))", &query) != FORESEE_OK)
        printf("%s\n", foresee_errmsg(connection));

    // Numbers without end, for a fifth of a second.
    if (foresee_load_text(connection, "numbers", "number(0). number(N + 1) :- number(N).") !=
            FORESEE_OK ||
        foresee_prepare(connection, "number(N)", &query) != FORESEE_OK)
        return failed();
    signal(SIGALRM, on_alarm);
    ualarm(200000, 0);
    if (foresee_step(query) == FORESEE_INTERRUPTED)
        printf("interrupted\n");
    foresee_finalize(query);
    foresee_close(connection);
    return 0;
}

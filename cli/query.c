// cli/query.c - foresee query: questions to a log, one or many.
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/answers.h"
#include "cli/repl.h"
#include "schema/store.h"

typedef struct session {
    ARRAY(ask *) asks; // one for each episode that is asked
    ARRAY(int64_t) episodes;
    bool many, timed;
    answer_form form;
} session;

static double monotonic(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

// Answers one query; the exit status that it means.
static int answer(session *s, const char *query) {
    double began = monotonic();
    arena *memory = arena_create();
    answer_set *sets = arena_alloc(memory, (s->asks.count + 1) * sizeof *sets);
    errors list = {0};
    size_t done = 0, rows = 0;
    status st = OK;
    for (; st == OK && done < s->asks.count; done++) {
        sets[done].episode = s->episodes.items[done];
        cli_interrupts(s->asks.items[done]);
        st = ask_query(s->asks.items[done], memory, query, &sets[done].rows, &list);
        cli_interrupts(NULL);
        rows += sets[done].rows.count;
    }
    int result = rows > 0 ? EXIT_YES : EXIT_NO;
    if (st == OK) {
        text_buffer out = {0};
        answers_write(s->form, query, sets, done, s->many, &out);
        fwrite(out.items, 1, out.count, stdout);
        array_finish(&out);
    } else {
        result = cli_query_errors(&list, query);
        if (st == E_INTERRUPTED)
            result = EXIT_INTERRUPTED;
        else if (st != E_INPUT && st != E_USAGE)
            result = EXIT_NONE;
    }
    if (s->timed)
        fprintf(stderr, "%.3f s, %zu answers\n", monotonic() - began, rows);
    for (size_t i = 0; i < done; i++)
        array_finish(&sets[i].rows.values);
    errors_finish(&list);
    arena_destroy(memory);
    return result;
}

static int answer_interactively(void *context, const char *query) {
    cli_stopped = 0;
    int result = answer(context, query);
    fflush(stdout);
    return result;
}

static int answer_one(void *context, const char *query) {
    return answer(context, query);
}

// The episodes that are asked, with a connection to each.
static int open_session(session *s, const arguments *a, const char *log) {
    int64_t wanted = 0;
    error err = {0};
    errors list = {0};
    char rules[4096];
    if (option_episode(a, true, &wanted, &err) != OK ||
        cli_data_folder("predicates", rules, sizeof rules, &err) != OK)
        return cli_error(&err);
    ARRAY(const char *) more = {0};
    for (size_t i = 0; i < a->options.count; i++)
        if (strcmp(a->options.items[i].flag->name, "rules") == 0)
            array_push(&more, a->options.items[i].value);
    store *file = NULL;
    status st = store_open(log, &file, &err);
    int result = EXIT_YES;
    if (st == OK) {
        size_t count;
        const store_episode *all = store_episodes(file, &count), *one = NULL;
        if (store_note(file))
            fprintf(stderr, "foresee: note: %s\n", store_note(file));
        if (wanted >= 0)
            st = store_choose(file, wanted, &one, &err);
        else
            s->many = true;
        for (size_t i = 0; st == OK && i < (one ? 1 : count); i++)
            array_push(&s->episodes, one ? one->id : all[i].id);
    }
    store_close(file);
    if (st != OK)
        result = cli_error(&err);
    for (size_t i = 0; result == EXIT_YES && i < s->episodes.count; i++) {
        ask *connection = NULL;
        st = ask_open(log, s->episodes.items[i], rules, more.items, more.count, &connection, &list);
        if (st != OK)
            result = list.count ? cli_errors(&list) : cli_exit_status(st);
        else
            array_push(&s->asks, connection);
    }
    errors_finish(&list);
    array_finish(&more);
    return result;
}

int command_query(const arguments *a) {
    static const char *const forms[] = {"table", "lines", "csv", "json", "plain", NULL};
    if (a->operands.count < 1 || a->operands.count > 2)
        return cli_usage(a, "query needs a log, and at most one query in quotes");
    session s = {.timed = arguments_given(a, "time")};
    int form = 0;
    error err = {0};
    if (option_choice(a, "format", forms, &form, &err) != OK)
        return cli_error(&err);
    s.form = (answer_form)form;
    int result = open_session(&s, a, a->operands.items[0]);
    if (result == EXIT_YES) {
        if (a->operands.count == 2)
            result = answer(&s, a->operands.items[1]);
        else if (isatty(STDIN_FILENO))
            result = repl_run(answer_interactively, &s);
        else
            result = repl_read(stdin, answer_one, &s);
    }
    for (size_t i = 0; i < s.asks.count; i++)
        ask_close(s.asks.items[i]);
    array_finish(&s.asks);
    array_finish(&s.episodes);
    return result;
}

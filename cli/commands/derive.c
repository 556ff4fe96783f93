// cli/commands/derive.c - foresee derive: predicates written into the log as tables.
#include "report/derive.h"

#include <string.h>

#include "cli/commands/commands.h"

static void watch_episode(void *context, foresee *f, int64_t episode) {
    cli_interrupts(f);
    if (f)
        progress_line(context, "episode %lld", (long long)episode);
}

int command_derive(const arguments *a) {
    if (a->operands.count == 0)
        return cli_usage(a, "derive needs a log");
    int64_t episode = -1;
    error err = {0};
    if (option_episode(a, true, &episode, &err) != OK)
        return cli_error(&err);
    ARRAY(const char *) more = {0};
    for (size_t i = 0; i < a->options.count; i++)
        if (strcmp(a->options.items[i].flag->name, "rules") == 0)
            array_push(&more, a->options.items[i].value);
    bool quiet = arguments_given(a, "quiet");
    progress shown = progress_begin(quiet);
    derive_request request = {.log = a->operands.items[0],
                              .rules = more.items,
                              .rule_count = more.count,
                              .episode = episode,
                              .wanted = a->operands.items + 1,
                              .wanted_count = a->operands.count - 1,
                              .watch = watch_episode,
                              .context = &shown,
                              .stopped = cli_is_stopped};
    derive_result result;
    errors list = {0};
    status st = derive_run(&request, &result, &list);
    progress_end(&shown);
    if (result.note)
        cli_print(stderr, "foresee: note: %s\n", result.note);
    size_t width = 0;
    for (size_t i = 0; i < result.tables.count; i++)
        width = strlen(result.tables.items[i].table) > width ? strlen(result.tables.items[i].table)
                                                             : width;
    // Tables that were named are listed even if they are empty.
    bool each = request.wanted_count > 0;
    size_t empty = 0;
    for (size_t i = 0; st == OK && i < result.tables.count; i++) {
        const derived_table *t = &result.tables.items[i];
        bool listed = each || t->rows > 0;
        empty += !listed && !t->left_out;
        if (t->left_out)
            cli_print(stderr, "foresee: note: %s is left out: %s\n", t->predicate, t->left_out);
        else if (!quiet && listed)
            cli_print(stdout, "%-*s  %lld row%s\n", (int)width, t->table, (long long)t->rows,
                      t->rows == 1 ? "" : "s");
    }
    if (empty > 0 && !quiet)
        cli_print(stdout, "%zu more, without a row\n", empty);
    int exit_status = cli_exit_status(st);
    if (list.count > 0)
        cli_errors(&list);
    errors_finish(&list);
    derive_finish(&result);
    array_finish(&more);
    return exit_status;
}

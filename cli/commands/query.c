// cli/commands/query.c - foresee query: questions to a log, one or many.
#include <string.h>
#include <unistd.h>

#include "cli/commands/commands.h"
#include "cli/prompt/repl.h"
#include "cli/prompt/session.h"

// The connections of the session: to one episode, or to all. EXIT_YES: they are open.
static int open_all(session *s, int64_t wanted) {
    int result = EXIT_YES;
    foresee *first = session_open(s, wanted > 0 ? wanted : 0, &result);
    if (!first)
        return result;
    if (foresee_note(first))
        cli_print(stderr, "foresee: note: %s\n", foresee_note(first));
    ARRAY(int64_t) episodes = {0};
    foresee_episode e;
    int64_t last = foresee_episode_chosen(first);
    for (size_t i = 0; wanted < 0 && foresee_episode_at(first, i, &e); i++)
        array_push(&episodes, e.id);
    if (wanted >= 0)
        array_push(&episodes, last);
    s->episodes = episodes.items;
    s->logs = mem_must(episodes.count + 1, sizeof *s->logs);
    for (; result == EXIT_YES && s->count < episodes.count; s->count++) {
        bool have = episodes.items[s->count] == last;
        s->logs[s->count] = have ? first : session_open(s, episodes.items[s->count], &result);
        if (have)
            first = NULL;
        if (!s->logs[s->count])
            break;
    }
    foresee_close(first);
    return result;
}

int command_query(const arguments *a) {
    if (a->operands.count < 1 || a->operands.count > 2)
        return cli_usage(a, "query needs a log, and at most one query in quotes");
    session s = {.log = a->operands.items[0],
                 .timed = arguments_given(a, "timing"),
                 .planned = arguments_given(a, "plan"),
                 .why = arguments_given(a, "why")};
    int form = 0;
    int64_t wanted = 0;
    error err = {0};
    int64_t memory = 0;
    if (option_choice(a, "format", answer_forms, &form, &err) != OK ||
        option_episode(a, true, &wanted, &err) != OK ||
        option_integer(a, "memory", 1, 1 << 20, &memory, &err) != OK)
        return cli_error(&err);
    s.options.memory_limit = (size_t)memory << 20;
    if (s.why && form != FORM_TABLE && !answer_form_is_json((answer_form)form))
        return cli_usage(a, "reasons are printed as text, or with --format json");
    bool reasons = s.why && a->operands.count == 2;
    if (reasons && (s.planned || s.timed))
        return cli_usage(a, "--%s tells of answers, not of reasons", s.planned ? "plan" : "timing");
    s.form = (answer_form)form;
    s.wanted = wanted;
    s.many = wanted < 0;
    ARRAY(const char *) more = {0};
    for (size_t i = 0; i < a->options.count; i++)
        if (strcmp(a->options.items[i].flag->name, "rules") == 0)
            array_push(&more, a->options.items[i].value);
    s.rules = more.items;
    s.rule_count = more.count;
    double began = session_clock();
    int result = open_all(&s, wanted);
    s.opening = session_clock() - began;
    if (result == EXIT_YES) {
        if (a->operands.count == 2)
            result = session_ask(&s, a->operands.items[1]);
        else if (isatty(STDIN_FILENO))
            result = repl_run(&s);
        else
            result = repl_read(&s, stdin);
    }
    for (size_t i = 0; i < s.count; i++)
        foresee_close(s.logs[i]);
    free(s.logs);
    free(s.episodes);
    array_finish(&more);
    return result;
}

// cli/commands/query.c - foresee query: one question to a log, or many at the prompt.
#include <string.h>
#include <unistd.h>

#include "base/files/data.h"
#include "base/time/clock.h"
#include "cli/commands/commands.h"
#include "cli/prompt/lines.h"
#include "cli/prompt/repl.h"
#include "report/rules.h"

// Prints the warnings about the query, or about the files of rules.
static void print_warnings(const foresee *f, bool of_query) {
    foresee_mistake m;
    for (size_t i = 0; foresee_warning_at(f, i, &m); i++)
        if ((strcmp(m.file, "query") == 0) == of_query)
            cli_print(stderr, "%s:%d:%d: warning: %s\n", m.file, m.line, m.column, m.text);
}

// ---- Connections

// Prints all mistakes in the files of rules; a connection reports only the first file that cannot
// be read. Returns false if the files have no mistake by themselves.
static bool print_rule_mistakes(const session *s) {
    char folder[4096];
    errors list = {0}, warnings = {0};
    text_buffer declared = {0};
    bool any = data_folder("predicates", folder, sizeof folder, NULL) == OK &&
               rules_check(folder, s->rules, s->rule_count, &list, &warnings, &declared) != OK &&
               list.count > 0;
    if (any)
        cli_errors(&list);
    errors_finish(&list);
    errors_finish(&warnings);
    text_finish(&declared);
    return any;
}

// A session_opener that loads the files of rules.
static foresee *open_episode(void *context, int64_t episode, bool first, int *result) {
    const session *s = context;
    foresee_options options = s->options;
    options.size = sizeof options;
    options.episode = episode;
    foresee *f = NULL;
    int code = foresee_open(s->log, &options, &f);
    bool opened = code == FORESEE_OK;
    for (size_t i = 0; code == FORESEE_OK && i < s->rule_count; i++)
        code = foresee_load(f, s->rules[i]);
    if (code == FORESEE_OK) {
        if (first) {
            print_warnings(f, false);
            if (foresee_note(f))
                cli_print(stderr, "foresee: note: %s\n", foresee_note(f));
        }
        return f;
    }
    if (opened && code == FORESEE_INPUT && print_rule_mistakes(s))
        *result = session_exit(code);
    else
        *result = session_failed(f, code);
    foresee_close(f);
    return NULL;
}

// ---- One question of the command line

static void begin_call(void *context, foresee *f) {
    (void)context;
    cli_interrupts(f);
    if (cli_stopped) // a stop that came before there was an engine to interrupt
        foresee_interrupt(f);
}

static void end_call(void *context) {
    (void)context;
    cli_interrupts(NULL);
}

static void print_query_warnings(void *context, foresee *f) {
    (void)context;
    print_warnings(f, true);
}

static int write_answers(void *context, answer_form form, const answers_wanted *wanted) {
    (void)context;
    int code = answers_write(form, wanted, stdout);
    cli_flush();
    return code;
}

static void print_notes(void *context, foresee_query *q) {
    (void)context;
    foresee_mistake m;
    for (size_t i = 0; foresee_note_at(q, i, &m); i++)
        cli_print(stderr, "%s:%d:%d: note: %s\n", m.file, m.line, m.column, m.text);
}

static void print_reasons(void *context, const char *text) {
    (void)context;
    cli_show(stdout, text, strlen(text));
}

static int print_failure(void *context, foresee *f, int code, nanos after) {
    (void)context;
    (void)after;
    return session_failed(f, code);
}

static int print_unfinished(void *context, int code) {
    (void)context;
    return cli_unfinished(code);
}

// Returns whether the text asks `why`, as the prompt understands it.
static bool asks_why(const char *text) {
    input in;
    size_t at = 0;
    return repl_next_input(text, &at, true, &in) &&
           (in.kind == INPUT_WHY || in.kind == INPUT_WHY_NOT);
}

static int ask_once(const session *s, const char *text) {
    static const session_asker by = {.begin = begin_call,
                                     .end = end_call,
                                     .stopped = cli_is_stopped,
                                     .warn = print_query_warnings,
                                     .write = write_answers,
                                     .note = print_notes,
                                     .reasons = print_reasons,
                                     .fail = print_failure,
                                     .unfinished = print_unfinished};
    mem_fund fund;
    if (!mem_fund_open(&fund, CLI_FUND))
        return cli_unfinished(FORESEE_MEMORY);
    int result = session_ask(s, text, s->why || asks_why(text), &by);
    mem_fund_close(&fund);
    return result;
}

// ---- The command

static int read_options(const arguments *a, session *s) {
    int form = 0;
    int64_t memory = 0;
    error err = {0};
    s->timed = arguments_given(a, "timing");
    s->planned = arguments_given(a, "plan");
    s->why = arguments_given(a, "why");
    if (option_choice(a, "format", answer_forms, &form, &err) != OK ||
        option_episode(a, true, &s->wanted, &err) != OK ||
        option_integer(a, "memory", 1, 1 << 20, &memory, &err) != OK)
        return cli_error(&err);
    s->options.memory_limit = (size_t)memory << 20;
    s->form = (answer_form)form;
    if (s->why && form != FORM_TABLE && !answer_form_is_json(s->form))
        return cli_usage(a, "reasons are printed as text, or with --format json");
    if (s->why && a->operands.count == 2 && (s->planned || s->timed))
        return cli_usage(a, "--%s tells of answers, not of reasons",
                         s->planned ? "plan" : "timing");
    return EXIT_YES;
}

int command_query(const arguments *a) {
    if (a->operands.count < 1 || a->operands.count > 2)
        return cli_usage(a, "query needs a log, and at most one query in quotes");
    session s = {.log = a->operands.items[0]};
    int result = read_options(a, &s);
    if (result != EXIT_YES)
        return result;
    ARRAY(const char *) rules = {0};
    for (size_t i = 0; i < a->options.count; i++)
        if (strcmp(a->options.items[i].flag->name, "rules") == 0)
            array_push(&rules, a->options.items[i].value);
    s.rules = rules.items;
    s.rule_count = rules.count;
    nanos began = clock_wall();
    result = session_connect(&s, s.wanted, open_episode, &s);
    s.opening = seconds(clock_wall() - began);
    if (result == EXIT_YES) {
        if (a->operands.count == 2)
            result = ask_once(&s, a->operands.items[1]);
        else if (isatty(STDIN_FILENO))
            result = repl_run(&s);
        else
            result = repl_read(&s, stdin);
    }
    session_close(&s);
    array_finish(&rules);
    return result;
}

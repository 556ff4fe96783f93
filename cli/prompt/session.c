#include "cli/prompt/session.h"

#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/prompt/repl_int.h"
#include "base/files/data.h"
#include "report/rules.h"

double session_clock(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

int session_exit(int code) {
    switch (code) {
    case FORESEE_OK:
    case FORESEE_ROW:
        return EXIT_YES;
    case FORESEE_DONE:
        return EXIT_NO;
    case FORESEE_MISUSE:
    case FORESEE_INPUT:
        return EXIT_WRONG;
    case FORESEE_INTERRUPTED:
        return EXIT_INTERRUPTED;
    default:
        return EXIT_NONE;
    }
}

int session_failed(const foresee *f, int code) {
    foresee_mistake first;
    bool placed = foresee_mistake_at(f, 0, &first) && first.file[0];
    cli_print(stderr, "%s%s\n", placed ? "" : "foresee: ", foresee_errmsg(f));
    return session_exit(code);
}

// What is suspicious in a file: in the query, or in any file of rules.
static void print_warnings(const foresee *f, bool of_query) {
    foresee_mistake m;
    for (size_t i = 0; foresee_warning_at(f, i, &m); i++)
        if ((strcmp(m.file, "query") == 0) == of_query)
            cli_print(stderr, "%s:%d:%d: warning: %s\n", m.file, m.line, m.column, m.text);
}

// Prints all that is wrong with the files of rules, of form and of meaning; a connection takes the
// first file that cannot be read as its last word. False: nothing is, by themselves.
static bool print_all_mistakes(const session *s) {
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
    array_finish(&declared);
    return any;
}

foresee *session_open(const session *s, int64_t episode, int *result) {
    foresee_options options = s->options;
    options.size = sizeof options;
    options.episode = episode;
    foresee *f = NULL;
    int code = foresee_open(s->log, &options, &f);
    bool opened = code == FORESEE_OK;
    for (size_t i = 0; code == FORESEE_OK && i < s->rule_count; i++)
        code = foresee_load(f, s->rules[i]);
    if (code == FORESEE_OK) {
        if (s->count == 0)
            print_warnings(f, false);
        return f;
    }
    if (opened && code == FORESEE_INPUT && print_all_mistakes(s))
        *result = session_exit(code);
    else
        *result = session_failed(f, code);
    foresee_close(f);
    return NULL;
}

// ---- Asking every episode
// ---------------------------------------------------------------------------

// Counts the call in, and whether it is the last.
static bool goes_on(session_asked *a, foresee *f, int code) {
    a->found = a->found || code == FORESEE_ROW || code == FORESEE_OK;
    if (code == FORESEE_ROW || code == FORESEE_DONE || code == FORESEE_OK)
        return true;
    a->code = code;
    a->failed = f;
    return false;
}

session_asked session_query(const session *s, const char *text, const session_guard *g) {
    session_asked a = {.queries = mem_must(s->count + 1, sizeof *a.queries)};
    double began = session_clock();
    for (size_t i = 0; i < s->count && !a.failed; i++) {
        g->begin(g->context, s->logs[i]);
        int code = foresee_prepare(s->logs[i], text, &a.queries[i]);
        if (code == FORESEE_OK && i == 0)
            g->prepared(g->context, s->logs[i]);
        if (code == FORESEE_OK)
            code = foresee_step(a.queries[i]);
        g->end(g->context);
        goes_on(&a, s->logs[i], code);
    }
    a.seconds = session_clock() - began;
    return a;
}

// The reasons of several episodes: under a line with their number, or in one JSON document.
static void put_reasons(const session *s, size_t i, const char *reasons, text_buffer *out) {
    bool json = answer_form_is_json(s->form);
    if (s->many && json)
        text_add(out, "%s\n{ \"episode\": %lld, \"reasons\": ", i == 0 ? "[" : ",",
                 (long long)s->episodes[i]);
    else if (s->many)
        text_add(out, "%sepisode %lld\n", i == 0 ? "" : "\n", (long long)s->episodes[i]);
    text_put(out, reasons);
    if (s->many && json)
        text_put(out, i + 1 == s->count ? "}\n]\n" : "}");
}

session_asked session_explain(const session *s, const char *goal, const session_guard *g) {
    session_asked a = {0};
    double began = session_clock();
    for (size_t i = 0; i < s->count && !a.failed; i++) {
        char *reasons = NULL;
        g->begin(g->context, s->logs[i]);
        int code = foresee_explain(s->logs[i], goal, answer_form_is_json(s->form) ? "json" : "text",
                                   &reasons);
        g->end(g->context);
        if (goes_on(&a, s->logs[i], code))
            put_reasons(s, i, reasons ? reasons : "", &a.reasons);
        foresee_free(reasons);
    }
    a.seconds = session_clock() - began;
    return a;
}

void session_asked_finish(const session *s, session_asked *a) {
    for (size_t i = 0; a->queries && i < s->count; i++)
        foresee_finalize(a->queries[i]);
    free(a->queries);
    array_finish(&a->reasons);
    *a = (session_asked){0};
}

void session_put_costs(const session *s, const session_asked *a, double opening, double printing,
                       text_buffer *out) {
    for (size_t i = 0; s->planned && i < s->count; i++) {
        char *text = NULL;
        if (foresee_query_plan(a->queries[i], &text) != FORESEE_OK)
            continue;
        if (s->many)
            text_add(out, "episode %lld\n", (long long)s->episodes[i]);
        text_put(out, text);
        foresee_free(text);
    }
    if (s->timed)
        answers_time(a->queries, s->count, opening, printing, out);
}

// ---- One question of the command line
// -------------------------------------------------------------------------------------

static void begin_call(void *context, foresee *f) {
    (void)context;
    cli_interrupts(f);
    if (cli_stopped) // before there was anything to interrupt
        foresee_interrupt(f);
}

static void end_call(void *context) {
    (void)context;
    cli_interrupts(NULL);
}

static void warn_of_query(void *context, foresee *f) {
    (void)context;
    print_warnings(f, true);
}

static const session_guard guard = {begin_call, end_call, warn_of_query, NULL};

static bool stopped(void) {
    return cli_stopped;
}

// Why a query may have no answer.
static void print_notes(foresee_query *q) {
    foresee_mistake m;
    for (size_t i = 0; foresee_note_at(q, i, &m); i++)
        cli_print(stderr, "%s:%d:%d: note: %s\n", m.file, m.line, m.column, m.text);
}

static int print_answers(session *s, const char *text, const session_asked *a) {
    double began = session_clock();
    text_buffer costs = {0};
    answers_wanted wanted = {text, a->queries, s->episodes, s->count, s->many, stopped};
    int code = answers_write(s->form, &wanted, stdout);
    cli_flush();
    if (s->form == FORM_TABLE && !a->found && s->count > 0)
        print_notes(a->queries[0]);
    session_put_costs(s, a, s->opening, session_clock() - began, &costs);
    cli_show(stderr, costs.items, costs.count);
    array_finish(&costs);
    if (code != FORESEE_OK)
        return cli_unfinished(code);
    return a->found ? EXIT_YES : EXIT_NO;
}

// Whether the text asks `why`, as the prompt understands it.
static bool asks_why(const char *text) {
    input in;
    size_t at = 0;
    return repl_next(text, &at, true, &in) && (in.kind == INPUT_WHY || in.kind == INPUT_WHY_NOT);
}

int session_ask(session *s, const char *text) {
    mem_fund fund;
    if (!mem_fund_open(&fund, CLI_FUND))
        return cli_unfinished(FORESEE_MEMORY);
    bool why = s->why || asks_why(text);
    session_asked a = why ? session_explain(s, text, &guard) : session_query(s, text, &guard);
    int result = a.found ? EXIT_YES : EXIT_NO;
    if (a.failed)
        result = session_failed(a.failed, a.code);
    else if (why)
        cli_show(stdout, a.reasons.items, a.reasons.count);
    else
        result = print_answers(s, text, &a);
    session_asked_finish(s, &a);
    mem_fund_close(&fund);
    return result;
}

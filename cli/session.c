#include "cli/session.h"

#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/repl_int.h"
#include "base/data.h"
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

static void put(const text_buffer *out, FILE *stream) {
    cli_show(stream, out->items, out->count);
}

// Runs one query up to its first answer.
static int run(foresee *f, foresee_query *q) {
    cli_interrupts(f);
    if (cli_stopped) // before there was anything to interrupt
        foresee_interrupt(f);
    int code = foresee_step(q);
    cli_interrupts(NULL);
    return code;
}

// Why a query may have no answer.
static void print_notes(foresee_query *q) {
    foresee_mistake m;
    for (size_t i = 0; foresee_note_at(q, i, &m); i++)
        cli_print(stderr, "%s:%d:%d: note: %s\n", m.file, m.line, m.column, m.text);
}

void session_put_plans(const session *s, foresee_query *const *queries, text_buffer *out) {
    for (size_t i = 0; i < s->count; i++) {
        char *text = NULL;
        if (foresee_query_plan(queries[i], &text) != FORESEE_OK)
            continue;
        if (s->many)
            text_add(out, "episode %lld\n", (long long)s->episodes[i]);
        text_put(out, text);
        foresee_free(text);
    }
}

static bool stopped(void) {
    return cli_stopped;
}

static int answer(session *s, const char *text) {
    foresee_query **queries = mem_must(s->count + 1, sizeof *queries);
    int result = EXIT_NO;
    bool failed = false;
    for (size_t i = 0; !failed && i < s->count; i++) {
        int code = foresee_prepare(s->logs[i], text, &queries[i]);
        if (code == FORESEE_OK && i == 0)
            print_warnings(s->logs[i], true);
        if (code == FORESEE_OK)
            code = run(s->logs[i], queries[i]);
        if (code == FORESEE_ROW)
            result = EXIT_YES;
        failed = code != FORESEE_ROW && code != FORESEE_DONE;
        if (failed)
            result = session_failed(s->logs[i], code);
    }
    if (!failed) {
        double began = session_clock();
        text_buffer times = {0};
        answers_wanted wanted = {text, queries, s->episodes, s->count, s->many, stopped};
        int code = answers_write(s->form, &wanted, stdout);
        cli_flush();
        if (code != FORESEE_OK)
            result = cli_unfinished(code);
        if (s->planned) {
            text_buffer plans = {0};
            session_put_plans(s, queries, &plans);
            put(&plans, stderr);
            array_finish(&plans);
        }
        if (s->form == FORM_TABLE && result == EXIT_NO && s->count > 0)
            print_notes(queries[0]);
        if (s->timed)
            answers_time(queries, s->count, s->opening, session_clock() - began, &times);
        put(&times, stderr);
        array_finish(&times);
    }
    for (size_t i = 0; i < s->count; i++)
        foresee_finalize(queries[i]);
    free(queries);
    return result;
}

// ---- Reasons
// -------------------------------------------------------------------------------------

// Whether the text asks `why`, as the prompt understands it.
static bool asks_why(const char *text) {
    input in;
    size_t at = 0;
    return repl_next(text, &at, true, &in) && (in.kind == INPUT_WHY || in.kind == INPUT_WHY_NOT);
}

// The reasons of several episodes: under a line with their number, or in one JSON document.
void session_put_reasons(const session *s, size_t i, const char *reasons, text_buffer *out) {
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

static int explain(session *s, const char *text) {
    const char *format = answer_form_is_json(s->form) ? "json" : "text";
    int result = EXIT_NO;
    text_buffer out = {0};
    for (size_t i = 0; i < s->count; i++) {
        char *reasons = NULL;
        cli_interrupts(s->logs[i]);
        if (cli_stopped)
            foresee_interrupt(s->logs[i]);
        int code = foresee_explain(s->logs[i], text, format, &reasons);
        cli_interrupts(NULL);
        if (code != FORESEE_OK && code != FORESEE_DONE) {
            result = session_failed(s->logs[i], code);
            array_finish(&out);
            return result;
        }
        if (code == FORESEE_OK)
            result = EXIT_YES;
        session_put_reasons(s, i, reasons, &out);
        foresee_free(reasons);
    }
    put(&out, stdout);
    array_finish(&out);
    return result;
}

int session_ask(session *s, const char *text) {
    mem_fund fund;
    if (!mem_fund_open(&fund, CLI_FUND))
        return cli_unfinished(FORESEE_MEMORY);
    int result = s->why || asks_why(text) ? explain(s, text) : answer(s, text);
    mem_fund_close(&fund);
    return result;
}

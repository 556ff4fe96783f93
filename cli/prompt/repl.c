// cli/prompt/repl.c - the two loops that read questions: at a terminal, and from a pipe.
#include "cli/prompt/repl.h"
#include "cli/prompt/terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "base/files/data.h"
#include "cli/prompt/names.h"

// ---- Running what was read

static int run_one(repl *r, const input *in) {
    switch (in->kind) {
    case INPUT_COMMAND:
        return repl_command(r, in);
    case INPUT_WHY:
    case INPUT_WHY_NOT:
        repl_follow_files(r);
        return repl_why(r, in);
    case INPUT_RULE:
    case INPUT_FACT:
    case INPUT_QUERY:
        break;
    }
    repl_follow_files(r);
    return repl_ask(r, in);
}

// Uses up a Ctrl-C that came just after the query had ended and would end the next one.
static void take_late_interrupt(repl *r) {
    for (size_t i = 0; i < r->s->count; i++) {
        foresee_query *q = NULL;
        if (foresee_prepare(r->s->logs[i], "true.", &q) == FORESEE_OK)
            foresee_step(q);
        foresee_finalize(q);
    }
}

// Runs everything that a text holds from *at on, and moves *at behind it. `whole`: no more text
// will follow.
static void run_all(repl *r, const char *text, size_t *at, bool whole, int *result) {
    input in, next;
    r->text = text;
    while (!r->leaving && !repl_terminated() && !(cli_stopped && !r->terminal) &&
           repl_next_input(text, at, whole, &in)) {
        int one;
        input last = in;
        if (in.kind == INPUT_RULE || in.kind == INPUT_FACT) {
            // Rules that stand together are loaded together, since they may use each other. In a
            // pipe the next clause tells whether they have ended.
            size_t begin = (size_t)(in.text - text), ahead = *at;
            bool ended_here = false;
            while (repl_next_input(text, &ahead, whole, &next)) {
                ended_here = next.kind != INPUT_RULE && next.kind != INPUT_FACT;
                if (ended_here)
                    break;
                last = next;
                *at = ahead;
            }
            if (!ended_here && !whole && !r->terminal) {
                *at = begin;
                return;
            }
        }
        if (r->terminal)
            repl_history_add(in.text, (size_t)(last.text - in.text) + last.length);
        repl_clear_interrupt();
        mem_fund fund;
        bool enough = mem_fund_open(&fund, CLI_FUND);
        if (enough)
            repl_follow_log(r);
        if (!enough)
            one = repl_no_memory(r, &in);
        else if (in.kind == INPUT_RULE || in.kind == INPUT_FACT)
            one = repl_add_clauses(r, &in, &last);
        else
            one = repl_redirected(r, &in, run_one);
        if (enough)
            mem_fund_close(&fund);
        fflush(stdout);
        if (repl_interrupted() && one != EXIT_INTERRUPTED)
            take_late_interrupt(r);
        if (one > *result)
            *result = one;
        // At a terminal the next input starts clean: what was typed behind a mistake goes into the
        // history with it.
        if (r->terminal && (one >= EXIT_WRONG || repl_interrupted())) {
            const char *rest = text + *at;
            repl_history_add(rest, strlen(rest));
            *at += strlen(rest);
        }
    }
}

static void repl_init(repl *r, session *s, bool terminal) {
    r->s = s;
    s->opening = 0; // opening the log is no part of a question's time here
    r->terminal = terminal;
    r->paged = isatty(STDOUT_FILENO);
    r->colours = terminal && repl_knows_colours(STDOUT_FILENO);
    r->notes_coloured = terminal && repl_knows_colours(STDERR_FILENO);
    r->limit = 10;
    r->origin = "stdin";
    if (data_folder("predicates", r->shipped, sizeof r->shipped, NULL) != OK)
        r->shipped[0] = 0;
    for (size_t i = 0; i < s->rule_count; i++)
        repl_watch_files(r, s->rules[i]);
    repl_watch_files(r, NULL);
    repl_note_log(r);
    repl_catch_signals(terminal);
}

static void repl_finish(repl *r) {
    for (size_t i = 0; i < r->watched.count; i++) {
        free(r->watched.items[i].path);
        free(r->watched.items[i].text);
    }
    array_finish(&r->watched);
    for (size_t i = 0; i < r->typed.count; i++) {
        free(r->typed.items[i].text);
        free(r->typed.items[i].head);
    }
    array_finish(&r->typed);
    repl_names_destroy(r);
    free(r->saved);
    free(r->output);
}

// ---- At a terminal

static void print_greeting(const repl *r) {
    foresee_episode e;
    for (size_t i = 0; foresee_episode_at(r->s->logs[0], i, &e); i++)
        if (!r->s->many && e.id == foresee_episode_chosen(r->s->logs[0])) {
            cli_print(repl_prompt_stream(), "%s, episode %lld: %s, seed %llu, %s after %.6g s\n",
                      r->s->log, (long long)e.id, e.plan ? e.plan : "", (unsigned long long)e.seed,
                      e.outcome ? e.outcome : "", 1e-9 * (double)e.end);
        }
    if (r->s->many)
        cli_print(repl_prompt_stream(), "%s, %zu episodes\n", r->s->log, r->s->count);
    fputs("A query ends in '.'; .help explains, Ctrl-D leaves\n", repl_prompt_stream());
}

// Returns the prompt of a further line, which shows whether a comment is open.
static const char *second_prompt(const char *text) {
    const char *open = NULL;
    for (const char *c = text; (c = strstr(c, "/*")) != NULL;) {
        open = strstr(c, "*/");
        if (!open)
            return "/* ";
        c = open;
    }
    return "|  ";
}

int repl_run(session *s) {
    repl r = {0};
    setlocale(LC_CTYPE, "");
    repl_init(&r, s, true);
    r.narrow_dots = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    repl_open_terminal();
    repl_history_load();
    print_greeting(&r);
    text_buffer text = {0};
    int result = EXIT_YES;
    while (!r.leaving && !repl_terminated()) {
        repl_completion_begin(&r, text_string(&text));
        char *dropped;
        char *line = repl_read_line(text.count > 0 ? second_prompt(text.items) : "?- ", &dropped);
        if (!line) {
            // After Ctrl-C, or Ctrl-D within a clause, the clause goes into the history, so that Up
            // brings it back.
            text_put(&text, dropped ? dropped : "");
            repl_history_add(text_string(&text), text.count);
            text_finish(&text);
        }
        if (dropped) {
            free(dropped);
            continue;
        }
        if (!line)
            break;
        text_put(&text, line);
        text_put(&text, "\n");
        free(line);
        size_t at = 0;
        run_all(&r, text.items, &at, false, &result);
        text.count -= at;
        memmove(text.items, text.items + at, text.count + 1);
    }
    repl_completion_finish();
    text_finish(&text);
    repl_finish(&r);
    return repl_terminated() ? EXIT_INTERRUPTED : EXIT_YES;
}

// ---- From a file or a pipe

int repl_read(session *s, FILE *in) {
    repl r = {0};
    repl_init(&r, s, false);
    text_buffer text = {0};
    static char block[65536];
    int result = EXIT_YES;
    size_t at = 0;
    // Each block is answered at once, since the writer of the pipe may wait for the answers.
    while (!r.leaving && !cli_stopped) {
        ssize_t n = read(fileno(in), block, sizeof block);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            result = repl_wrong(&r, NULL, "standard input cannot be read: %s", strerror(errno));
        if (n <= 0)
            break;
        for (ssize_t i = 0; i < n; i++)
            block[i] = block[i] ? block[i] : ' ';
        text_put_bytes(&text, block, (size_t)n);
        run_all(&r, text.items, &at, false, &result);
    }
    run_all(&r, text_string(&text), &at, true, &result);
    text_finish(&text);
    repl_finish(&r);
    return cli_stopped ? EXIT_INTERRUPTED : result;
}

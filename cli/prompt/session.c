// cli/prompt/session.c - the connections to a log, and one question to all of them.
#include "cli/prompt/session.h"

#include <string.h>

#include "base/time/clock.h"
#include "cli/cli.h"

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

// ---- Connections

void session_close(session *s) {
    for (size_t i = 0; i < s->count; i++)
        foresee_close(s->logs[i]);
    free(s->logs);
    free(s->episodes);
    s->logs = NULL;
    s->episodes = NULL;
    s->count = 0;
}

int session_connect(session *s, int64_t wanted, session_opener *open, void *context) {
    int result = EXIT_YES;
    foresee *first = open(context, wanted > 0 ? wanted : 0, true, &result);
    if (!first)
        return result;
    int64_t last = foresee_episode_chosen(first);
    ARRAY(int64_t) episodes = {0};
    foresee_episode e;
    for (size_t i = 0; wanted < 0 && foresee_episode_at(first, i, &e); i++)
        array_push(&episodes, e.id);
    if (wanted >= 0)
        array_push(&episodes, last);
    session made = {.episodes = episodes.items,
                    .logs = mem_must(episodes.count + 1, sizeof *made.logs)};
    for (; result == EXIT_YES && made.count < episodes.count; made.count++) {
        bool have = episodes.items[made.count] == last;
        made.logs[made.count] =
            have ? first : open(context, episodes.items[made.count], false, &result);
        if (have)
            first = NULL;
    }
    foresee_close(first);
    if (result == EXIT_YES) {
        session_close(s);
        s->logs = made.logs;
        s->episodes = made.episodes;
        s->count = made.count;
        s->many = wanted < 0;
        s->wanted = wanted;
    } else {
        session_close(&made);
    }
    return result;
}

// ---- A question to every episode

// The result of a question to every episode.
typedef struct asked {
    int code;                // FORESEE_OK, or the code of the call that failed
    foresee *failed;         // the connection on which it failed; NULL: none
    nanos took;              // wall time
    bool found;              // an episode has an answer, or the goal holds in it
    foresee_query **queries; // for a query: one for each episode, each stepped once
    text_buffer reasons;     // for reasons: the reasons of all episodes, as they are printed
} asked;

static void note_call(asked *a, foresee *f, int code) {
    a->found = a->found || code == FORESEE_ROW || code == FORESEE_OK;
    if (code == FORESEE_ROW || code == FORESEE_DONE || code == FORESEE_OK)
        return;
    a->code = code;
    a->failed = f;
}

// Prepares the query for each episode, and steps it to its first answer.
static asked query_all(const session *s, const char *text, const session_asker *by) {
    asked a = {.queries = mem_must(s->count + 1, sizeof *a.queries)};
    nanos began = clock_wall();
    for (size_t i = 0; i < s->count && !a.failed; i++) {
        by->begin(by->context, s->logs[i]);
        int code = foresee_prepare(s->logs[i], text, &a.queries[i]);
        if (code == FORESEE_OK && i == 0)
            by->warn(by->context, s->logs[i]);
        if (code == FORESEE_OK)
            code = foresee_step(a.queries[i]);
        by->end(by->context);
        note_call(&a, s->logs[i], code);
    }
    a.took = clock_wall() - began;
    return a;
}

// Appends the reasons of one episode: of several under a line with its number, or in one JSON
// document.
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

// Asks each episode why a goal holds.
static asked explain_all(const session *s, const char *goal, const session_asker *by) {
    asked a = {0};
    nanos began = clock_wall();
    for (size_t i = 0; i < s->count && !a.failed; i++) {
        char *reasons = NULL;
        by->begin(by->context, s->logs[i]);
        int code = foresee_explain(s->logs[i], goal, answer_form_is_json(s->form) ? "json" : "text",
                                   &reasons);
        by->end(by->context);
        note_call(&a, s->logs[i], code);
        if (!a.failed)
            put_reasons(s, i, reasons ? reasons : "", &a.reasons);
        foresee_free(reasons);
    }
    a.took = clock_wall() - began;
    return a;
}

static void asked_finish(const session *s, asked *a) {
    for (size_t i = 0; a->queries && i < s->count; i++)
        foresee_finalize(a->queries[i]);
    free(a->queries);
    text_finish(&a->reasons);
}

// Prints the plan of each query, of several under a line with the episode, and a line with the
// time; each if the session wants it.
static void print_costs(const session *s, const asked *a, nanos printing) {
    text_buffer out = {0};
    for (size_t i = 0; s->planned && i < s->count; i++) {
        char *text = NULL;
        if (foresee_query_plan(a->queries[i], &text) != FORESEE_OK)
            continue;
        if (s->many)
            text_add(&out, "episode %lld\n", (long long)s->episodes[i]);
        text_put(&out, text);
        foresee_free(text);
    }
    if (s->timed)
        answers_time(a->queries, s->count, s->opening, seconds(printing), &out);
    fflush(stdout);
    cli_show(stderr, text_string(&out), out.count);
    text_finish(&out);
}

static int print_answers(const session *s, const char *text, const asked *a,
                         const session_asker *by) {
    nanos began = clock_wall(), waited = s->waited;
    const answers_wanted wanted = {text, a->queries, s->episodes, s->count, s->many, by->stopped};
    int code = by->write(by->context, s->form, &wanted);
    nanos printing = clock_wall() - began - (s->waited - waited);
    if (code == FORESEE_OK && s->form == FORM_TABLE && !a->found && s->count > 0)
        by->note(by->context, a->queries[0]);
    print_costs(s, a, printing);
    if (code != FORESEE_OK)
        return by->unfinished(by->context, code);
    return a->found ? EXIT_YES : EXIT_NO;
}

int session_ask(const session *s, const char *text, bool why, const session_asker *by) {
    asked a = why ? explain_all(s, text, by) : query_all(s, text, by);
    int result = a.found ? EXIT_YES : EXIT_NO;
    if (a.failed)
        result = by->fail(by->context, a.failed, a.code, a.took);
    else if (why)
        by->reasons(by->context, text_string(&a.reasons));
    else
        result = print_answers(s, text, &a, by);
    asked_finish(s, &a);
    return result;
}

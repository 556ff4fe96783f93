// cli/commands/branch.c - foresee branch: an episode goes on otherwise from an instant on.
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text/json.h"
#include "base/text/number.h"
#include "cli/branch/futures.h"
#include "cli/commands/commands.h"
#include "cli/commands/episode_name.h"

typedef struct branching {
    const arguments *args;
    futures_request request;
    ARRAY(const char *) changes;
    char *log; // without its episode
    const char *output;
    int64_t jobs;
    int format;
    futures futures;
} branching;

enum { FORMAT_TEXT, FORMAT_JSON };

static status read_request(branching *b, error *err) {
    static const char *const formats[] = {"text", "json", NULL};
    const arguments *a = b->args;
    futures_request *q = &b->request;
    struct stat there;
    *q = (futures_request){.at = arguments_value(a, "at"),
                           .edits = arguments_value(a, "edits"),
                           .vary = arguments_value(a, "vary"),
                           .count = arguments_given(a, "vary") ? 1 : 0,
                           .seed = -1,
                           .until = TIME_OPEN,
                           .quiet = arguments_given(a, "quiet")};
    for (size_t i = 0; i < a->options.count; i++)
        if (strcmp(a->options.items[i].flag->name, "do") == 0)
            array_push(&b->changes, a->options.items[i].value);
    q->changes = b->changes.items;
    q->change_count = b->changes.count;
    b->output = arguments_value(a, "output");
    b->log = episode_name_read(a->operands.items[0], &q->episode);
    q->log = b->log;
    status st = option_integer(a, "samples", 1, 1000000, &q->count, err);
    if (st == OK)
        st = option_integer(a, "seed", 0, INT64_MAX - 1000000, &q->seed, err);
    if (st == OK)
        st = option_seconds(a, "until", &q->until, err);
    if (st == OK)
        st = option_integer(a, "jobs", 1, 1024, &b->jobs, err);
    if (st == OK)
        st = option_choice(a, "format", formats, &b->format, err);
    if (st == OK && arguments_given(a, "seed") && q->count == 0)
        st = error_set(err, E_USAGE,
                       "--seed is the first seed of other noise, of which there is none without "
                       "-n SAMPLES");
    if (st == OK && stat(b->output, &there) == 0)
        st = error_at(err, E_INPUT, b->output, 0, 0,
                      "there is a file of this name; give the futures a log of their own by -o");
    return st;
}

// ---- The result ---------------------------------------------------------------------------------

static const char *outcome_of(const future *f) {
    return f->written ? f->sampled.outcome : "crashed";
}

static void put_text(const branching *b, text_buffer *out) {
    const futures *f = &b->futures;
    size_t good = 0;
    text_add(out, "%s, episode %lld, from %.2f s on:\n", b->request.log,
             (long long)f->again.episode, seconds(f->at));
    for (size_t i = 0; i < f->count; i++) {
        const future *one = &f->items[i];
        good += strcmp(outcome_of(one), "succeeded") == 0;
        text_add(out, "  %4lld  %-10s %8.2f s  %s", (long long)one->sampled.episode,
                 outcome_of(one), seconds(one->sampled.end),
                 one->label         ? one->label
                 : b->request.edits ? b->request.edits
                 : b->request.vary  ? b->request.vary
                 : one->seed        ? "as it was"
                                    : "as it was, to the byte");
        if (one->seed)
            text_add(out, ", noise of seed %s", one->seed);
        text_put(out, "\n");
    }
    text_add(out, "%zu of %zu succeeded; they are the episodes of %s\n", good, f->count, b->output);
}

static void put_json(const branching *b, text_buffer *out) {
    const futures *f = &b->futures;
    text_put(out, "{ \"schema\": 1");
    json_member(out, ", ", "log", b->request.log);
    text_add(out, ", \"episode\": %lld, \"at\": ", (long long)f->again.episode);
    json_seconds(out, f->at);
    json_member(out, ", ", "output", b->output);
    text_put(out, ",\n  \"futures\": [");
    for (size_t i = 0; i < f->count; i++) {
        const future *one = &f->items[i];
        text_add(out, "%s\n    { \"episode\": ", i ? "," : "");
        if (one->written)
            text_add(out, "%lld", (long long)one->sampled.episode);
        else
            text_put(out, "null");
        json_member(out, ", ", "edits", b->request.edits);
        json_member(out, ", ", "do", one->label);
        text_add(out, ", \"seed\": %s", one->seed ? one->seed : "null");
        json_member(out, ", ", "outcome", outcome_of(one));
        text_put(out, ", \"end\": ");
        json_seconds(out, one->sampled.end);
        text_put(out, " }");
    }
    text_put(out, " ] }\n");
}

static int report(const branching *b, int code) {
    const futures *f = &b->futures;
    text_buffer out = {0};
    size_t failed = 0, unanswered = 0;
    for (size_t i = 0; i < f->count; i++) {
        const char *outcome = outcome_of(&f->items[i]);
        failed += strcmp(outcome, "failed") == 0;
        unanswered += strcmp(outcome, "failed") != 0 && strcmp(outcome, "succeeded") != 0;
    }
    if (code != EXIT_YES && unanswered == f->count)
        return code; // there is nothing to tell
    if (b->format == FORMAT_JSON)
        put_json(b, &out);
    else if (!b->request.quiet)
        put_text(b, &out);
    if (b->format == FORMAT_JSON)
        fwrite(text_string(&out), 1, out.count, stdout);
    else
        cli_show(stdout, text_string(&out), out.count);
    text_finish(&out);
    return code != EXIT_YES ? code : unanswered ? EXIT_NONE : failed ? EXIT_NO : EXIT_YES;
}

int command_branch(const arguments *a) {
    if (a->operands.count != 1)
        return cli_usage(a, "branch needs one log, %zu were given", a->operands.count);
    if (!arguments_given(a, "at"))
        return cli_usage(a, "branch needs --at SECONDS");
    if (!arguments_given(a, "output"))
        return cli_usage(a, "branch needs -o OUT.db");
    branching b = {.args = a, .jobs = sysconf(_SC_NPROCESSORS_ONLN)};
    error err = {0};
    errors list = {0};
    int result;
    if (read_request(&b, &err) != OK) {
        result = cli_error(&err);
    } else {
        if (futures_load(&b.request, &b.futures, &list) != OK)
            result = cli_errors(&list);
        else
            result = report(
                &b, futures_run(&b.futures, b.output, b.jobs < 1 ? 1 : b.jobs, b.request.quiet));
        futures_finish(&b.futures);
    }
    errors_finish(&list);
    array_finish(&b.changes);
    free(b.log);
    return result;
}

// cli/commands/diff.c - foresee diff: in what two episodes differ.
#include <math.h>
#include <string.h>

#include "base/text/number.h"
#include "cli/commands/commands.h"
#include "cli/commands/episode_name.h"
#include "cli/runs/shipped.h"
#include "report/diff/diff.h"

typedef struct comparing {
    const arguments *args;
    char *logs[2];
    int64_t episodes[2];
    ask *asked[2];
    diagnosis *diagnoses[2];
    diff_tolerance tolerance;
    int format;
} comparing;

enum { FORMAT_TEXT, FORMAT_JSON };

static status read_tolerance(const arguments *a, const char *name, double *out, error *err) {
    const char *text = arguments_value(a, name);
    double value;
    if (!text)
        return OK;
    if (!number_parse(text, strlen(text), &value) || !(value >= 0) || !isfinite(value))
        return error_set(err, E_USAGE, "--%s needs a number, 0 or more, not '%s'", name, text);
    *out = value;
    return OK;
}

// What a schema does not have would pass for a difference.
static status check_schemas(const comparing *c, error *err) {
    int versions[2] = {0, 0};
    status st = OK;
    for (int i = 0; st == OK && i < 2; i++) {
        store *s = NULL;
        st = store_open(c->logs[i], &s, err);
        if (st == OK)
            versions[i] = store_version(s);
        store_close(s);
    }
    int old = versions[0] < versions[1] ? 0 : 1;
    if (st == OK && versions[0] != versions[1])
        st = error_at(err, E_INPUT, c->logs[old], 0, 0,
                      "the log has schema %d, and %s has schema %d; run its episode again "
                      "(foresee run %s -o NEW.db) and compare that",
                      versions[old], c->logs[1 - old], versions[1 - old], c->logs[old]);
    return st;
}

static status open_side(comparing *c, int i, error *err) {
    status st = shipped_ask(c->logs[i], c->episodes[i], &c->asked[i], err);
    if (st != OK)
        return st;
    cli_interrupts_ask(c->asked[i]);
    st = diagnosis_create(c->asked[i], &c->diagnoses[i], err);
    cli_interrupts_ask(NULL);
    return st;
}

static status compare_episodes(comparing *c, diff **out, error *err) {
    static const char *const formats[] = {"text", "json", NULL};
    status st = option_choice(c->args, "format", formats, &c->format, err);
    if (st == OK)
        st = read_tolerance(c->args, "metres", &c->tolerance.metres, err);
    if (st == OK)
        st = read_tolerance(c->args, "degrees", &c->tolerance.degrees, err);
    if (st == OK)
        st = check_schemas(c, err);
    for (int i = 0; st == OK && i < 2; i++)
        st = open_side(c, i, err);
    if (st == OK)
        st = diff_create(c->asked[0], c->diagnoses[0], c->asked[1], c->diagnoses[1], c->tolerance,
                         out, err);
    return st;
}

int command_diff(const arguments *a) {
    if (a->operands.count != 2)
        return cli_usage(a, "diff needs two episodes, LOG.db or LOG.db:EPISODE, %zu were given",
                         a->operands.count);
    comparing c = {.args = a, .tolerance = diff_tolerance_default()};
    diff *d = NULL;
    error err = {0};
    text_buffer out = {0};
    int result;
    for (int i = 0; i < 2; i++)
        c.logs[i] = episode_name_read(a->operands.items[i], &c.episodes[i]);
    if (compare_episodes(&c, &d, &err) != OK) {
        result = cli_error(&err);
    } else if (c.format == FORMAT_JSON) {
        diff_json(d, &out);
        fwrite(text_string(&out), 1, out.count, stdout);
        result = diff_alike(d) ? EXIT_YES : EXIT_NO;
    } else {
        diff_text(d, &out);
        cli_show(stdout, text_string(&out), out.count);
        result = diff_alike(d) ? EXIT_YES : EXIT_NO;
    }
    text_finish(&out);
    diff_destroy(d);
    for (int i = 0; i < 2; i++) {
        diagnosis_destroy(c.diagnoses[i]);
        ask_close(c.asked[i]);
        free(c.logs[i]);
    }
    return result;
}

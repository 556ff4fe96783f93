// cli/commands/mend.c - foresee mend: makes in a plan what its diagnoses suggest, and keeps what is
// better.
#include <string.h>
#include <unistd.h>

#include "base/files/data.h"
#include "base/text/number.h"
#include "cli/commands/commands.h"
#include "cli/mend/editing.h"
#include "cli/mend/mend.h"
#include "report/rules.h"

typedef struct request {
    const arguments *args;
    mending m;
    editing e; // of the plan into the new one
    ARRAY(const char *) rules;
    int64_t jobs;
    int format;
} request;

static status read_rate(const arguments *a, double *out, error *err) {
    const char *text = arguments_value(a, "enough");
    double value;
    if (!text)
        return OK;
    if (!number_parse(text, strlen(text), &value) || !(value > 0) || !(value <= 1))
        return error_set(err, E_USAGE, "--enough needs a rate, more than 0 and at most 1, not '%s'",
                         text);
    *out = value;
    return OK;
}

// The files of rules, which have to be right before any time is spent.
static status read_rules(request *r, errors *list) {
    char folder[4096];
    error err = {0};
    errors warnings = {0};
    text_buffer declared = {0};
    for (size_t i = 0; i < r->args->options.count; i++)
        if (strcmp(r->args->options.items[i].flag->name, "rules") == 0)
            array_push(&r->rules, r->args->options.items[i].value);
    r->m.t.c.rules = r->rules.items;
    r->m.t.c.rule_count = r->rules.count;
    if (r->rules.count == 0)
        return OK;
    status st = data_folder("predicates", folder, sizeof folder, &err);
    if (st != OK)
        errors_append(list, &err);
    else
        st = rules_check(folder, r->rules.items, r->rules.count, list, &warnings, &declared);
    errors_finish(&warnings);
    text_finish(&declared);
    return st;
}

static status read_options(request *r, error *err) {
    static const char *const formats[] = {"text", "json", NULL};
    const arguments *a = r->args;
    story *s = &r->m.s;
    status st = option_choice(a, "format", formats, &r->format, err);
    if (st == OK)
        st = option_integer(a, "samples", 1, 1000, &s->seeds, err);
    if (st == OK)
        st = option_integer(a, "budget", 1, 100000, &s->budget, err);
    if (st == OK)
        st = option_integer(a, "jobs", 1, 1024, &r->jobs, err);
    if (st == OK)
        st = option_integer(a, "seed", 0, INT64_MAX - 1000000000, &s->first_seed, err);
    if (st == OK)
        st = option_seconds(a, "until", &r->m.t.c.how.until, err);
    if (st == OK)
        st = read_rate(a, &s->enough, err);
    if (st == OK)
        st = scenario_settings(a, r->m.t.memory, &r->m.t.c.set, err);
    if (st == OK && s->budget < mending_budget_least(s->seeds))
        st = error_set(err, E_USAGE,
                       "--budget %lld is too little: to choose with %lld seeds and to judge with "
                       "others takes %lld projections at least",
                       (long long)s->budget, (long long)s->seeds,
                       (long long)mending_budget_least(s->seeds));
    r->jobs = r->jobs < 1 ? 1 : r->jobs;
    r->m.t.c.world = arguments_value(a, "world");
    r->m.t.c.robot = arguments_value(a, "robot");
    r->m.t.quiet = arguments_given(a, "quiet");
    return st;
}

static void name_log(request *r) {
    char stem[256];
    r->m.s.log = arguments_value(r->args, "log");
    if (r->m.s.log)
        return;
    scenario_stem(r->m.s.plan, stem, sizeof stem);
    r->m.s.log = arena_format(r->m.t.memory, "%s-mend.db", stem);
}

// Makes the edits that were kept in the plan's file, and writes the new plan.
static status write_plan(request *r, errors *list) {
    text_buffer text = {0};
    text_add(&text, "{\"reason\": \"mended by foresee mend\", \"edits\": %s}",
             mending_edits(&r->m));
    free(r->e.edits_text);
    r->e.edits_length = text.count;
    r->e.edits_text = mem_strdup(text_string(&text));
    text_finish(&text);
    status st = editing_read(&r->e, list);
    if (st == OK)
        st = editing_make(&r->e, list);
    if (st == OK)
        st = editing_check(&r->e, list);
    if (st == OK)
        st = editing_write(&r->e, list);
    r->m.s.written = st == OK;
    return st;
}

static void print_story(const request *r) {
    text_buffer out = {0};
    if (r->format == 1)
        story_json(&r->m.s, &out);
    else
        story_text(&r->m.s, &out);
    if (r->format == 1)
        fwrite(text_string(&out), 1, out.count, stdout);
    else
        cli_show(stdout, text_string(&out), out.count);
    text_finish(&out);
}

static int run_mending(request *r, errors *list) {
    error err = {0};
    status st = mending_run(&r->m, &err);
    story_outcome outcome = r->m.s.outcome;
    if (st == E_INTERRUPTED) {
        print_story(r);
        return EXIT_INTERRUPTED;
    }
    if (st != OK)
        return cli_error(&err);
    // The story is told whatever becomes of the plan's file: it cost all the projections.
    bool unwritten =
        (outcome == STORY_MENDED || outcome == STORY_BETTER) && write_plan(r, list) != OK;
    print_story(r);
    if (unwritten) {
        cli_errors(list);
        return EXIT_NONE;
    }
    return outcome == STORY_MENDED || outcome == STORY_NOTHING ? EXIT_YES : EXIT_NO;
}

// Everything that can be wrong is found out before any time is spent.
static int begin_mending(request *r) {
    errors list = {0};
    error err = {0};
    trials *t = &r->m.t;
    int result;
    status st = read_options(r, &err);
    name_log(r);
    if (st != OK) {
        result = cli_error(&err);
    } else if (read_rules(r, &list) != OK || editing_begin(&r->e, &list) != OK ||
               editing_read(&r->e, &list) != OK ||
               trials_begin(t, r->e.plan_text, r->e.plan_length, r->m.s.log, r->jobs, &list) !=
                   OK) {
        result = cli_errors(&list);
    } else {
        result = run_mending(r, &list);
    }
    trials_end(t);
    errors_finish(&list);
    return result;
}

int command_mend(const arguments *a) {
    if (a->operands.count != 1)
        return cli_usage(a, "mend needs one plan, %zu were given", a->operands.count);
    if (!arguments_given(a, "output"))
        return cli_usage(a, "mend needs -o NEW.yaml");
    const char *log = arguments_value(a, "log"), *output = arguments_value(a, "output");
    if (log && strcmp(log, output) == 0)
        return cli_usage(a, "the log and the new plan are both to be %s", output);
    request r = {.args = a, .jobs = sysconf(_SC_NPROCESSORS_ONLN)};
    const char *plan_path = a->operands.items[0];
    r.m.s = (story){.plan = plan_path,
                    .output = output,
                    .first_seed = 1,
                    .seeds = 5,
                    .budget = 60,
                    .enough = 0.9};
    r.m.t.memory = arena_create();
    r.m.t.plan_path = plan_path;
    r.m.t.c.how = projection_options_default();
    r.e.plan_file = plan_path;
    r.e.output = r.m.s.output;
    r.e.edits_file = "the edits";
    r.e.edits_text = mem_strdup("[]");
    int result = begin_mending(&r);
    editing_finish(&r.e);
    array_finish(&r.rules);
    story_finish(&r.m.s);
    arena_destroy(r.m.t.memory);
    return result;
}

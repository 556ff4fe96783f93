// cli/commands/batch.c - foresee batch: plans projected with many seeds into one log, and compared.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text/number.h"
#include "cli/batch/cluster/parts.h"
#include "cli/batch/cluster/slurm.h"
#include "cli/batch/course.h"
#include "cli/batch/recorded.h"
#include "cli/commands/batch_part.h"
#include "cli/commands/commands.h"
#include "cli/runs/shipped.h"
#include "base/files/data.h"
#include "base/files/output.h"
#include "report/diagnosis/diagnosis.h"
#include "report/page/batch_page.h"
#include "report/page/html.h"

typedef struct batch {
    const arguments *args;
    arena *memory;
    candidates c;
    int64_t seeds, first_seed, jobs, budget;
    decision_options rule;
    double margin;
    int format, engine;
    parts_options parts;
    bool resume, quiet;
    const char *output;
    const char *pages; // folder of pages; NULL: none
    course course;
} batch;

// ---- The request --------------------------------------------------------------------------------

static status read_share(const arguments *a, const char *name, double least, double most,
                         double *out, error *err) {
    const char *text = arguments_value(a, name);
    double value;
    if (!text)
        return OK;
    if (!number_parse(text, strlen(text), &value) || !(value > least) || !(value < most))
        return error_set(err, E_USAGE, "--%s needs a number between %g and %g, not '%s'", name,
                         least, most, text);
    *out = value;
    return OK;
}

static status read_accept(batch *b, error *err) {
    const arguments *a = b->args;
    bool accept = arguments_given(a, "accept"), reject = arguments_given(a, "reject");
    if (!accept && !reject)
        return OK;
    if (accept != reject)
        return error_set(err, E_USAGE, "--accept and --reject need each other");
    status st = read_share(a, "accept", 0, 1, &b->rule.accept, err);
    if (st == OK)
        st = read_share(a, "reject", 0, 1, &b->rule.reject, err);
    if (st != OK)
        return st;
    if (b->rule.accept <= b->rule.reject)
        return error_set(err, E_USAGE,
                         "--accept %g must be greater than --reject %g: the plan is accepted when "
                         "its rate is rather the one than the other",
                         b->rule.accept, b->rule.reject);
    if (b->c.count != 1)
        return error_set(err, E_USAGE, "--accept tests one plan, and %zu are given", b->c.count);
    b->rule.rule = DECIDE_ACCEPT;
    return OK;
}

// Of the stopping rules one can hold; the error of a comparison goes with each.
static status read_rule(batch *b, error *err) {
    const arguments *a = b->args;
    bool race = arguments_given(a, "race"), budget = arguments_given(a, "budget"),
         sure = arguments_given(a, "until-sure");
    b->rule.candidates = b->c.count;
    b->rule.alpha = 0.05;
    status st = read_share(a, "until-sure", 0, 0.5, &b->rule.alpha, err);
    if (st == OK)
        st = option_integer(a, "budget", 1, 1000000000, &b->budget, err);
    if (st == OK)
        st = read_share(a, "margin", 0, 1, &b->margin, err);
    if (st == OK)
        st = read_accept(b, err);
    if (st != OK)
        return st;
    if (b->rule.rule == DECIDE_ACCEPT) {
        if (race || budget)
            return error_set(err, E_USAGE, "--accept tests one plan; --%s compares several",
                             race ? "race" : "budget");
        return OK;
    }
    if ((race || budget || sure) && b->c.count < 2)
        return error_set(err, E_USAGE, "--%s compares plans, and one is given",
                         budget ? "budget"
                         : race ? "race"
                                : "until-sure");
    if (budget && (sure || arguments_given(a, "samples")))
        return error_set(err, E_USAGE,
                         "--budget says how many projections there are; --%s does, "
                         "too",
                         sure ? "until-sure" : "samples");
    if (budget && b->budget < decision_budget_least(b->c.count))
        return error_set(err, E_USAGE, "--budget %lld is too little: %zu plans need %lld at least",
                         (long long)b->budget, b->c.count,
                         (long long)decision_budget_least(b->c.count));
    b->rule.rule = budget ? DECIDE_BUDGET : race ? DECIDE_RACE : sure ? DECIDE_SURE : DECIDE_ROWS;
    return OK;
}

enum { ENGINE_LOCAL, ENGINE_SLURM, ENGINE_PARTS };

static status read_engine(batch *b, error *err) {
    static const char *const engines[] = {"local", "slurm", "parts", NULL};
    const arguments *a = b->args;
    nanos chunk = 30 * NANOS_PER_SECOND;
    status st = option_choice(a, "engine", engines, &b->engine, err);
    if (st == OK)
        st = option_seconds(a, "chunk", &chunk, err);
    if (st == OK && arguments_given(a, "chunk") && b->engine == ENGINE_LOCAL)
        st = error_set(err, E_USAGE,
                       "--chunk says how large parts are; there are none without "
                       "--engine slurm or --engine parts");
    if (st == OK && b->engine == ENGINE_SLURM)
        st = slurm_probe(&b->parts.tasks, err);
    b->parts.chunk = seconds(chunk);
    b->parts.may_stop = b->rule.rule != DECIDE_ROWS;
    b->parts.resume = arguments_given(a, "resume");
    b->parts.quiet = arguments_given(a, "quiet");
    b->parts.memory = arguments_value(a, "memory");
    return st;
}

static status read_options(batch *b, error *err) {
    static const char *const formats[] = {"text", "json", "html", NULL};
    const arguments *a = b->args;
    status st = read_rule(b, err);
    b->seeds = b->rule.rule == DECIDE_ROWS ? 10 : 200;
    if (b->rule.rule == DECIDE_BUDGET)
        b->seeds = decision_budget_rows(b->c.count, b->budget);
    if (st == OK)
        st = option_integer(a, "samples", 1, 1000000, &b->seeds, err);
    if (st == OK)
        st = option_integer(a, "jobs", 1, 1024, &b->jobs, err);
    if (st == OK)
        st = option_integer(a, "seed", 0, INT64_MAX - 1000000000, &b->first_seed, err);
    if (st == OK)
        st = option_seconds(a, "until", &b->c.how.until, err);
    b->c.how.native = arguments_given(a, "native");
    if (st == OK)
        st = option_choice(a, "format", formats, &b->format, err);
    if (st == OK && arguments_given(a, "sensitivity") && !arguments_given(a, "vary"))
        st = error_set(err, E_USAGE, "--sensitivity needs parameters that vary: --vary FILE.yaml");
    if (st == OK)
        st = scenario_settings(a, b->memory, &b->c.set, err);
    if (st == OK)
        st = read_engine(b, err);
    b->jobs = b->jobs < 1 ? 1 : b->jobs;
    b->rule.rows = b->seeds;
    b->rule.budget = b->budget;
    b->c.world = arguments_value(a, "world");
    b->c.robot = arguments_value(a, "robot");
    b->pages = arguments_value(a, "pages");
    b->resume = arguments_given(a, "resume");
    b->quiet = arguments_given(a, "quiet");
    return st;
}

static void name_output(batch *b) {
    b->output = arguments_value(b->args, "output");
    if (b->output)
        return;
    char stem[256];
    scenario_stem(b->args->operands.items[0], stem, sizeof stem);
    b->output = arena_format(b->memory, "%s-batch.db", stem);
}

// ---- The course ---------------------------------------------------------------------------------

// Without --resume every sample is projected, also one that the log holds: that is said.
static status find_recorded(batch *b, error *err) {
    course *all = &b->course;
    status st =
        recorded_find(&b->c, b->first_seed, b->seeds, b->output, b->resume, all->episodes, err);
    size_t there = 0;
    for (size_t i = 0; i < all->count; i++) {
        there += all->episodes[i] != 0;
        if (!b->resume)
            all->episodes[i] = 0;
    }
    if (st == OK && there && !b->resume && !b->quiet)
        cli_print(
            stderr,
            "foresee: note: %s holds %zu of these samples already; with --resume they are not "
            "projected again\n",
            b->output, there);
    return st;
}

static status prepare_course(batch *b, error *err) {
    course *all = &b->course;
    all->c = &b->c;
    all->first_seed = b->first_seed;
    all->count = (size_t)b->seeds * b->c.count;
    all->output = b->output;
    all->jobs = b->jobs;
    all->episodes = mem_must(all->count + 1, sizeof *all->episodes);
    all->decision = decision_create(&b->rule);
    for (size_t i = 0; i < b->c.count; i++)
        results_add_plan(&all->results, b->c.items[i].path, b->c.items[i].name);
    for (size_t i = 0; b->c.vary && i < b->c.vary->count; i++)
        results_add_parameter(
            &all->results,
            arena_format(b->memory, "%s.%s", b->c.vary->items[i].scope, b->c.vary->items[i].name));
    status st = candidates_check_draws(&b->c, b->first_seed, b->seeds, err);
    // The log is created, or found to be a log, before any time is spent.
    logger *log = NULL;
    log_options options = log_options_default();
    if (st == OK)
        st = find_recorded(b, err);
    if (st == OK)
        st = log_create(b->output, &options, &log, err);
    log_close(log);
    return st;
}

// ---- The report ---------------------------------------------------------------------------------

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_HTML };

static bool is_page(const void *context, const char *path) {
    static const char first[] = "<!DOCTYPE html>\n";
    (void)context;
    return output_begins(path, first, sizeof first - 1);
}

static status write_page(const char *path, const text_buffer *page, error *err) {
    static const output_policy pages = {.what = "holds no page", .replaces = is_page};
    const output_file file = {path, text_string(page), page->count, &pages};
    return output_write(&file, 1, false, err);
}

// Writes the page of an episode that the batch's page links to.
static status write_episode(const batch *b, int64_t episode, error *err) {
    char rules[4096];
    ask *log = NULL;
    diagnosis *d = NULL;
    text_buffer page = {0};
    status st = data_folder("predicates", rules, sizeof rules, err);
    if (st == OK)
        st = shipped_ask(b->output, episode, &log, err);
    if (st == OK)
        st = diagnosis_create(log, &d, err);
    if (st == OK)
        st = html_write(log, d, rules, &page, err);
    if (st == OK)
        st = write_page(
            arena_format(b->memory, "%s/episode-%lld.html", b->pages, (long long)episode), &page,
            err);
    text_finish(&page);
    diagnosis_destroy(d);
    ask_close(log);
    return st;
}

static status write_pages(const batch *b, const batch_report *report, error *err) {
    batch_report linked = *report;
    text_buffer page = {0};
    size_t count;
    int64_t *episodes = batch_page_episodes(report, &count);
    progress p = progress_begin(b->quiet);
    status st = OK;
    linked.pages = "";
    if (mkdir(b->pages, 0777) != 0 && errno != EEXIST)
        st = error_at(err, output_code(errno), b->pages, 0, 0, "the folder cannot be made: %s",
                      strerror(errno));
    for (size_t i = 0; i < count && st == OK && !cli_stopped; i++) {
        progress_line(&p, "page %zu of %zu", i + 1, count);
        st = write_episode(b, episodes[i], err);
    }
    progress_end(&p);
    batch_page(&linked, &page);
    if (st == OK)
        st = write_page(arena_format(b->memory, "%s/index.html", b->pages), &page, err);
    text_finish(&page);
    free(episodes);
    return st;
}

static void print_report(const batch *b, const batch_report *report) {
    text_buffer out = {0};
    if (b->format == FORMAT_JSON)
        batch_json(report, &out);
    else if (b->format == FORMAT_HTML)
        batch_page(report, &out);
    else
        batch_text(report, &out);
    if (b->format == FORMAT_TEXT)
        cli_show(stdout, text_string(&out), out.count);
    else
        fwrite(text_string(&out), 1, out.count, stdout);
    text_finish(&out);
}

static int exit_status(const batch *b) {
    const results *r = &b->course.results;
    size_t unanswered = 0, failed = 0;
    for (size_t i = 0; i < r->samples.count; i++) {
        unanswered += results_answer(&r->samples.items[i]) == ANSWER_NONE;
        failed += results_answer(&r->samples.items[i]) == ANSWER_FAILED;
    }
    if (unanswered * 100 > r->samples.count)
        return EXIT_NONE;
    decision_status state = decision_state(b->course.decision);
    if (b->rule.rule == DECIDE_ACCEPT)
        return state == DECISION_ACCEPTED   ? EXIT_YES
               : state == DECISION_REJECTED ? EXIT_NO
                                            : EXIT_NONE;
    return failed + unanswered ? EXIT_NO : EXIT_YES;
}

static int give_report(const batch *b) {
    batch_report report = {.results = &b->course.results,
                           .decision = b->course.decision,
                           .rule = b->rule.rule,
                           .alpha = b->rule.alpha,
                           .margin = b->margin,
                           .rows = b->seeds,
                           .sensitivity = arguments_given(b->args, "sensitivity"),
                           .log = b->output};
    error err = {0};
    if (b->pages && write_pages(b, &report, &err) != OK)
        return cli_error(&err);
    if (b->pages && !b->quiet)
        cli_print(stderr, "foresee: note: the page is %s/index.html\n", b->pages);
    print_report(b, &report);
    return exit_status(b);
}

static int run_batch(batch *b) {
    course *all = &b->course;
    error err = {0};
    status st = prepare_course(b, &err);
    if (st == OK)
        st = course_begin(all, &err);
    engine *e = NULL;
    if (st == OK && b->engine == ENGINE_LOCAL)
        e = engine_local(all);
    else if (st == OK)
        st = engine_parts(all, &b->parts, &e, &err);
    if (st == OK) {
        all->progress = progress_begin(b->quiet);
        st = course_run(all, e, &err);
        progress_end(&all->progress);
        e->class->destroy(e);
    }
    course_end(all);
    return st == OK ? give_report(b) : cli_error(&err);
}

int command_batch(const arguments *a) {
    if (arguments_given(a, "part"))
        return command_batch_part(a);
    if (a->operands.count == 0)
        return cli_usage(a, "batch needs a plan");
    batch b = {.args = a,
               .memory = arena_create(),
               .c = {.count = a->operands.count, .how = projection_options_default()},
               .first_seed = 1,
               .margin = 0.05,
               .jobs = sysconf(_SC_NPROCESSORS_ONLN)};
    error err = {0};
    errors list = {0};
    int result;
    if (read_options(&b, &err) != OK) {
        result = cli_error(&err);
    } else if (candidates_load(&b.c, b.memory, a->operands.items, a->operands.count,
                               arguments_value(a, "vary"), &list) != OK) {
        result = cli_errors(&list);
    } else {
        name_output(&b);
        result = run_batch(&b);
    }
    decision_destroy(b.course.decision);
    results_finish(&b.course.results);
    free(b.course.episodes);
    candidates_finish(&b.c);
    errors_finish(&list);
    arena_destroy(b.memory);
    return result;
}

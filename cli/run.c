// cli/run.c - foresee run: one projection.
#include <string.h>

#include "cli/scenario.h"

static void show(void *context, nanos t, double real_time_factor) {
    progress_line(context, "%.0f s simulated, %.1f x real time", seconds(t), real_time_factor);
}

int command_run(const arguments *a) {
    if (a->operands.count != 1)
        return cli_usage(a, "run needs one plan, %zu were given", a->operands.count);
    const char *plan_path = a->operands.items[0];
    int64_t seed = 1;
    projection_options how = projection_options_default();
    error err = {0};
    if (option_integer(a, "seed", 0, INT64_MAX, &seed, &err) != OK ||
        option_seconds(a, "until", &how.until, &err) != OK)
        return cli_error(&err);
    how.seed = (uint64_t)seed;
    how.stop = &cli_stopped;

    arena *memory = arena_create();
    settings set = {0};
    errors list = {0};
    scenario scene = {0};
    int result;
    if (scenario_settings(a, memory, &set, &err) != OK) {
        result = cli_error(&err);
        goto done;
    }
    if (scenario_load(plan_path, arguments_value(a, "world"), arguments_value(a, "robot"), &set,
                      &scene, &list) != OK ||
        scenario_check(&scene, &list) != OK) {
        result = cli_errors(&list);
        goto done;
    }
    const char *path = arguments_value(a, "output");
    if (!path) {
        char stem[256];
        scenario_stem(plan_path, stem, sizeof stem);
        path = arena_format(memory, "%s-%lld.db", stem, (long long)seed);
    }
    bool quiet = arguments_given(a, "quiet");
    progress p = progress_begin(quiet);
    how.progress = show;
    how.progress_context = &p;
    log_options options = log_options_default();
    sample sampled = {0};
    status st = scenario_project(&scene, path, &options, &how, &sampled, &err);
    progress_end(&p);
    result = st == OK ? EXIT_YES : cli_error(&err);
    if (sampled.outcome && !quiet) {
        double rtf = sampled.wall_seconds > 0 ? seconds(sampled.end) / sampled.wall_seconds : 0;
        printf("outcome:   %s\nsimulated: %.2f s, %.1f x real time\nseed:      %lld\nlog:       "
               "%s, episode %lld\n",
               sampled.outcome, seconds(sampled.end), rtf, (long long)seed, path,
               (long long)sampled.episode);
    }
    if (st == OK) {
        if (strcmp(sampled.outcome, "failed") == 0)
            result = EXIT_NO;
        else if (strcmp(sampled.outcome, "succeeded") != 0)
            result = EXIT_NONE;
    }
done:
    scenario_finish(&scene);
    errors_finish(&list);
    array_finish(&set);
    arena_destroy(memory);
    return result;
}

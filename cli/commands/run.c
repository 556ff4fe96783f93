// cli/commands/run.c - foresee run: projects a plan, or an episode of a log again.
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/commands/episode_name.h"
#include "cli/commands/wire.h"
#include "cli/runs/fingerprint.h"
#include "cli/runs/kind.h"
#include "cli/runs/stage.h"

// ns, of a step of the physics: what it is stable with, and what it was checked with.
static const nanos STEP_LEAST = 20000, STEP_MOST = 2000000;

typedef struct running {
    const arguments *args;
    arena *memory;
    settings set, conditions;
    rerun again; // the episode that is run again
    bool is_log;
    stages stages; // of an episode that is a branch
    scenario scene;
    projection_options how;
} running;

static void show_progress(void *context, nanos t, double real_time_factor) {
    progress_line(context, "%.0f s simulated, %.1f x real time", seconds(t), real_time_factor);
}

static void print_note(void *context, const char *text) {
    progress_end(context);
    cli_print(stderr, "foresee: note: %s\n", text);
}

// Loads a plan with the files and settings of the command line.
static status load_plan(running *r, errors *list) {
    const arguments *a = r->args;
    error err = {0};
    for (size_t i = 0; i < r->conditions.count; i++)
        if (strncmp(r->conditions.items[i].value, "edits(", 6) == 0) {
            errors_add(list, a->operands.items[0], 0, 0,
                       "the change 'edits' is for a log; make edits of a plan with foresee edit");
            return E_INPUT;
        }
    status st = scenario_load(a->operands.items[0], arguments_value(a, "world"),
                              arguments_value(a, "robot"), &r->set, &r->scene, list);
    if (st == OK && scenario_change(&r->scene, &r->conditions, &err) != OK) {
        st = err.code;
        errors_append(list, &err);
    }
    return st;
}

// Loads the episode with everything that its log holds; the command line takes precedence.
static status load_log(running *r, errors *list) {
    const arguments *a = r->args;
    error err = {0};
    int64_t wanted = 0;
    status st = option_episode(a, false, &wanted, &err);
    if (st == OK)
        st = rerun_read(a->operands.items[0], wanted, &r->again, &err);
    if (st != OK) {
        errors_append(list, &err);
        return st;
    }
    if (!arguments_given(a, "seed"))
        r->how.seed = (uint64_t)r->again.seed;
    if (!arguments_given(a, "until"))
        r->how.until = r->again.until;
    if (arguments_given(a, "telemetry"))
        r->again.telemetry = NULL;
    cli_excerpts(&r->again.files);
    if (!arguments_given(a, "quiet"))
        fingerprint_warn(a->operands.items[0], r->again.episode);
    r->how.step = r->again.step;
    r->how.cycle = r->again.cycle;
    st = scenario_load_rerun(&r->again, &r->set, &r->conditions, &r->scene, list);
    if (st == OK)
        st = stages_load(&r->again, &r->scene, &r->set, &r->conditions, &r->again.branches,
                         &r->stages, list);
    if (st == OK)
        stages_begin(&r->stages, &r->how);
    return st;
}

// Returns the name of the log.
static const char *output_name(const running *r) {
    const char *given = arguments_value(r->args, "output");
    if (given)
        return given;
    char stem[256];
    scenario_stem(r->args->operands.items[0], stem, sizeof stem);
    return r->is_log ? arena_format(r->memory, "%s-again.db", stem)
                     : arena_format(r->memory, "%s-%lld.db", stem, (long long)r->how.seed);
}

// Has the robot follow a recording, in place of the one that a log's episode followed.
static status follow_recording(running *r, errors *list) {
    const char *name = arguments_value(r->args, "telemetry");
    error err = {0};
    int64_t wanted;
    if (!name)
        return OK;
    char *path = episode_name_read(name, &wanted);
    const char *output = output_name(r);
    char *from = realpath(path, NULL), *to = realpath(output, NULL);
    status st = from && to && strcmp(from, to) == 0
                    ? error_set(&err, E_USAGE,
                                "--telemetry %s: a new episode in it would change what it is known "
                                "by; give another log with -o",
                                name)
                    : OK;
    free(from);
    free(to);
    // A re-run looks for it below its folders, so that an absolute name would not be found.
    const char *known = *path == '/' ? strrchr(path, '/') + 1 : path;
    if (st == OK)
        st = scenario_follow(&r->scene, path, known, wanted, &err);
    if (st != OK)
        errors_append(list, &err);
    free(path);
    return st;
}

// Refuses options that only the other kind of file has.
static status check_flags(const running *r, error *err) {
    static const char *const of_plans[] = {"world", "robot", NULL};
    static const char *const of_runs[] = {"remote", "output", "telemetry", "until", NULL};
    const char *conflict = r->is_log ? arguments_first(r->args, of_plans) : NULL;
    if (conflict)
        return error_set(err, E_USAGE,
                         "--%s is for plans: a log holds all that its episode was run with",
                         conflict);
    conflict = arguments_given(r->args, "serve") ? arguments_first(r->args, of_runs) : NULL;
    if (conflict)
        return error_set(err, E_USAGE,
                         "--serve controls the arms of another run: give --%s to that run",
                         conflict);
    if (arguments_given(r->args, "remote") && arguments_given(r->args, "telemetry"))
        return error_set(err, E_USAGE,
                         "a recorded robot is controlled by nobody: give --telemetry or --remote");
    if (!r->is_log && arguments_given(r->args, "episode"))
        return error_set(err, E_USAGE, "--episode is for logs");
    return OK;
}

// Takes the step of the physics that was asked for. A cycle of the interpreter is a whole number of
// them.
static status choose_step(running *r, error *err) {
    nanos step = r->how.step;
    status st = option_seconds(r->args, "step", &step, err);
    if (st == OK && arguments_given(r->args, "step") &&
        (step < STEP_LEAST || step > STEP_MOST || r->how.cycle % step != 0))
        return error_set(err, E_USAGE,
                         "--step is %g to %g s, and the cycle of the interpreter, %g s, a whole "
                         "number of steps",
                         seconds(STEP_LEAST), seconds(STEP_MOST), seconds(r->how.cycle));
    r->how.step = step;
    return st;
}

static const double SERVED_PATIENCE = 60; // s, within which a robot has planned its motion

static status serve_scenario(void *scene, lockstep *link, error *err) {
    return scenario_serve(scene, link, err);
}

// Is the end that controls the arms, or opens the link to the one that does, where that is asked
// for. False: *result is the exit status, and nothing is to be run.
static bool open_wire(running *r, int *result) {
    const char *serve = arguments_value(r->args, "serve");
    const char *remote = arguments_value(r->args, "remote");
    error err = {0};
    uint64_t session = 0;
    if (!serve && !remote)
        return true;
    status st = r->scene.followed && r->scene.coupled // a log knows its recording by itself
                    ? error_set(&err, E_USAGE,
                                "--%s: the arms of this episode are those of a recorded robot, "
                                "which nobody controls; run the plan without its recording",
                                serve ? "serve" : "remote")
                    : scenario_coupled(&r->scene, &session, &err);
    if (st == OK && serve) {
        *result = wire_serve(&(wire_server){.address = serve,
                                            .session = session,
                                            .patience = SERVED_PATIENCE,
                                            .quiet = arguments_given(r->args, "quiet"),
                                            .serve = serve_scenario,
                                            .context = &r->scene});
        return false;
    }
    if (st == OK)
        st = lockstep_call(remote, session, cli_is_stopped, &r->how.far, &err);
    if (st != OK)
        *result = cli_is_stopped() ? EXIT_INTERRUPTED : cli_error(&err);
    return st == OK;
}

static void close_wire(running *r) {
    if (!r->how.far)
        return;
    lockstep_end(r->how.far);
    if (!arguments_given(r->args, "quiet"))
        wire_show(r->how.far);
    lockstep_destroy(r->how.far);
}

static int run_projection(running *r) {
    error err = {0};
    const char *path = output_name(r);
    bool quiet = arguments_given(r->args, "quiet");
    progress p = progress_begin(quiet);
    r->how.progress = show_progress;
    r->how.progress_context = &p;
    r->how.note = quiet ? NULL : print_note;
    r->how.note_context = &p;
    log_options options = log_options_default();
    sample sampled = {0};
    status st = scenario_project(&r->scene, path, &options, &r->how, &sampled, &err);
    progress_end(&p);
    int result = st == OK ? EXIT_YES : cli_error(&err);
    if (sampled.outcome && !quiet) {
        double rtf = sampled.wall_seconds > 0 ? seconds(sampled.end) / sampled.wall_seconds : 0;
        cli_print(stdout,
                  "outcome:   %s\nsimulated: %.2f s, %.1f x real time\nseed:      %lld\nlog:       "
                  "%s, episode %lld\n",
                  sampled.outcome, seconds(sampled.end), rtf, (long long)r->how.seed, path,
                  (long long)sampled.episode);
    }
    if (st == OK) {
        if (strcmp(sampled.outcome, "failed") == 0)
            result = EXIT_NO;
        else if (strcmp(sampled.outcome, "succeeded") != 0)
            result = EXIT_NONE;
    }
    return result;
}

int command_run(const arguments *a) {
    if (a->operands.count != 1)
        return cli_usage(a, "run needs one plan or log, %zu were given", a->operands.count);
    running r = {.args = a,
                 .memory = arena_create(),
                 .is_log = file_is_log(a->operands.items[0]),
                 .how = projection_options_default()};
    int64_t seed = 1;
    error err = {0};
    errors list = {0};
    int result;
    if (option_integer(a, "seed", 0, INT64_MAX, &seed, &err) != OK ||
        option_seconds(a, "until", &r.how.until, &err) != OK || check_flags(&r, &err) != OK ||
        scenario_settings(a, r.memory, &r.set, &err) != OK ||
        scenario_conditions(a, r.memory, &r.conditions, &err) != OK) {
        result = cli_error(&err);
        goto done;
    }
    r.how.seed = (uint64_t)seed;
    r.how.stop = &cli_stopped;
    r.how.native = arguments_given(a, "native");
    status st = r.is_log ? load_log(&r, &list) : load_plan(&r, &list);
    if (st == OK && choose_step(&r, &err) != OK) {
        result = cli_error(&err);
        goto done;
    }
    if (st == OK)
        st = follow_recording(&r, &list);
    if (st != OK || scenario_check(&r.scene, &list) != OK)
        result = cli_errors(&list);
    else if (open_wire(&r, &result))
        result = run_projection(&r);
    close_wire(&r);
done:
    cli_excerpts(NULL);
    stages_finish(&r.stages);
    scenario_finish(&r.scene);
    if (r.again.memory)
        rerun_finish(&r.again);
    errors_finish(&list);
    array_finish(&r.set);
    array_finish(&r.conditions);
    arena_destroy(r.memory);
    return result;
}

// tests/bench/bench_projection.c - how fast a plan is projected, and where the time goes.
//
// Projects one plan with several seeds on one core, with senses and with everything logged to a
// file, and beside it the same with a sink that discards. Prints the real-time factor (simulated
// over processor time), the same by the wall clock, and by it over the steps with a hand in contact
// alone; microseconds per physics step for physics, sensing (and of it casting rays),
// interpretation (and of it planning motions, and of that checking for collisions) and logging; the
// share of logging; that of interpretation, belief and their logging; and that of the loop around
// the engines: all that is neither collision nor stepping nor casting rays. Interpretation, belief
// and their logging is everything that the interpreter's turn takes (readings into beliefs, tasks,
// conditions, controllers, commands, and putting all records of these), without the planners'
// search for places to stand and motions, plus the share of these records in committing and closing
// the log, by the time that they take of all putting; the same with the search is printed beside
// it. The baseline, in the same run: the same scene and robot in ODE alone (bare.h). Medians over
// the seeds.
//
// Of further plans it prints the share of planning alone: where to stand, how to move, and what is
// in the way.
//
//   bench_projection PLAN.yaml LIBRARY [SEEDS [FURTHER.yaml ...]]
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "logger/log.h"
#include "projector/projection.h"
#include "tests/bench/bare.h"
#include "tests/bench/timing.h"

static status discard(sink *s, const record *r, error *err) {
    (void)s, (void)r, (void)err;
    return OK;
}

static status discard_commit(sink *s, nanos t, error *err) {
    (void)s, (void)t, (void)err;
    return OK;
}

static const sink_class DISCARD = {discard, discard, discard_commit};

static int fail(const errors *list, const error *err) {
    char line[1200];
    for (size_t i = 0; list && i < list->count; i++) {
        error_format(&list->items[i], line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    if (err && err->code != OK) {
        error_format(err, line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    return 2;
}

enum { MOST_SEEDS = 64 };

typedef struct scenario {
    plan *plan;
    world_model *world;
    robot_model *robot;
} scenario;

static status scenario_load(const char *path, const char *library, scenario *s, errors *list) {
    settings none = {0};
    *s = (scenario){0};
    status st = plan_load(path, library, &none, &s->plan, list);
    if (st == OK)
        st = world_load(plan_world(s->plan), NULL, plan_settings(s->plan), &s->world, list);
    if (st == OK)
        st = robot_load(plan_robot(s->plan), NULL, plan_settings(s->plan), &s->robot, list);
    return st;
}

static void scenario_finish(scenario *s) {
    world_destroy(s->world);
    robot_destroy(s->robot);
    plan_destroy(s->plan);
}

// Measures a projection in processor seconds, without the profile's clocks: logged to a file, which
// is made and closed in that time, or (`logged` false) with its records discarded.
static status time_projection(const scenario *s, uint64_t seed, bool logged, double *spent,
                              projection_result *result, error *err) {
    char path[] = "/tmp/bench_projection_XXXXXX.db";
    sink nowhere = {.class = &DISCARD};
    logger *out = NULL;
    projection_options o = projection_options_default();
    episode_info info = {
        plan_name(s->plan), "world", "robot", (int64_t)seed, "bench", o.step, o.cycle};
    int fd = logged ? mkstemps(path, 3) : -1;
    if (fd >= 0) {
        close(fd);
        unlink(path);
    } else if (logged) {
        return error_set(err, E_IO, "no file can be made in /tmp");
    }
    o.seed = seed;
    double begun = processor_seconds();
    status st = logged ? log_create(path, NULL, &out, err) : OK;
    if (st == OK && logged)
        st = log_begin_episode(out, &info, err);
    if (st == OK)
        st = projection_run(s->plan, s->world, s->robot, logged ? log_sink(out) : &nowhere, &o,
                            result, err);
    if (st == OK && logged)
        st = log_finish(out, result->end, "incomplete", result->complete, err);
    log_close(out);
    *spent = processor_seconds() - begun;
    if (logged)
        unlink(path);
    return st;
}

// Prints the share of planning in projections of a plan whose records are discarded, so that it is
// a little more than with a log. Returns 0, or an exit status.
static int print_planning(const char *path, const char *library, bool *missed) {
    enum { SEEDS = 3 };
    errors list = {0};
    error err = {0};
    scenario s;
    if (scenario_load(path, library, &s, &list) != OK)
        return fail(&list, NULL);
    double share[SEEDS], checks[SEEDS], spent[SEEDS];
    for (int i = 0; i < SEEDS; i++) {
        sink nowhere = {.class = &DISCARD};
        projection_options o = projection_options_default();
        projection_result result;
        o.seed = (uint64_t)i + 1;
        o.profile = true;
        if (projection_run(s.plan, s.world, s.robot, &nowhere, &o, &result, &err) != OK)
            return fail(NULL, &err);
        const projection_profile *f = &result.profile;
        double all = f->physics + f->sensing + f->interpretation + f->logging;
        share[i] = f->planning / all;
        checks[i] = f->checks / all;
        spent[i] = all / seconds(result.end);
    }
    double planning = median(share, SEEDS);
    printf("  %-24s %8.1f %%   (at most 15)   checks for collisions %.1f %%, all of it %.1f times "
           "as fast as the world\n",
           plan_name(s.plan), 100 * planning, 100 * median(checks, SEEDS),
           1 / median(spent, SEEDS));
    *missed |= planning > 0.15;
    scenario_finish(&s);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: bench_projection PLAN.yaml LIBRARY [SEEDS [FURTHER.yaml ...]]\n");
        return 2;
    }
    size_t seeds = argc > 3 ? (size_t)atoi(argv[3]) : 5;
    if (seeds < 1 || seeds > MOST_SEEDS)
        seeds = 5;
    errors list = {0};
    error err = {0};
    scenario loaded;
    if (scenario_load(argv[1], argv[2], &loaded, &list) != OK)
        return fail(&list, NULL);
    const plan *p = loaded.plan;
    const world_model *w = loaded.world;
    const robot_model *r = loaded.robot;

    double rtf[MOST_SEEDS], bare[MOST_SEEDS], hand[MOST_SEEDS], part[10][MOST_SEEDS],
        share[MOST_SEEDS], mind[MOST_SEEDS], searching[MOST_SEEDS], rows[MOST_SEEDS],
        loop[MOST_SEEDS], quick[MOST_SEEDS], planned[MOST_SEEDS], wall[MOST_SEEDS], ode[MOST_SEEDS],
        baseline[MOST_SEEDS], more[MOST_SEEDS];
    double simulated[MOST_SEEDS];
    for (size_t i = 0; i < seeds; i++) {
        char path[] = "/tmp/bench_projection_XXXXXX.db";
        int fd = mkstemps(path, 3);
        if (fd < 0)
            return 2;
        close(fd);
        unlink(path);
        logger *out = NULL;
        projection_options o = projection_options_default();
        o.seed = i + 1;
        o.profile = true;
        projection_result result;
        episode_info info = {plan_name(p), "world", "robot", (int64_t)o.seed,
                             "bench",      o.step,  o.cycle};
        double begun = processor_seconds();
        if (log_create(path, NULL, &out, &err) != OK || log_begin_episode(out, &info, &err) != OK ||
            projection_run(p, w, r, log_sink(out), &o, &result, &err) != OK)
            return fail(NULL, &err);
        double closing = processor_seconds();
        if (log_finish(out, result.end, "incomplete", result.complete, &err) != OK)
            return fail(NULL, &err);
        log_close(out);
        double spent = processor_seconds() - begun;
        closing = processor_seconds() - closing;
        unlink(path);
        double steps = (double)result.steps;
        const projection_profile *f = &result.profile;
        simulated[i] = seconds(result.end);
        rtf[i] = seconds(result.end) / spent;
        wall[i] = seconds(result.end) / result.wall_seconds;
        hand[i] = result.hand_steps
                      ? (double)result.hand_steps * seconds(o.step) / result.hand_seconds
                      : 0;
        part[0][i] = f->physics / steps * 1e6;
        part[1][i] = f->sensing / steps * 1e6;
        part[2][i] = f->interpretation / steps * 1e6;
        part[3][i] = f->logging / steps * 1e6;
        part[4][i] = f->rays / steps * 1e6;
        part[5][i] = f->planning / steps * 1e6;
        share[i] = f->logging / result.wall_seconds;
        part[6][i] = f->checks / steps * 1e6;
        double all = f->physics + f->sensing + f->interpretation + f->logging;
        double whole = all + closing, kept = f->writing + closing * f->noting_share;
        mind[i] = (f->interpretation - f->planning + kept) / whole;
        searching[i] = (f->interpretation + kept) / whole;
        rows[i] = (double)f->mind_rows / (double)f->rows;
        part[7][i] = f->belief / steps * 1e6;
        part[8][i] = f->noting / steps * 1e6;
        part[9][i] = kept / steps * 1e6;
        double around = f->sensing - f->rays + f->interpretation - f->checks + f->logging;
        loop[i] = around / all;
        planned[i] = f->planning / all;
        quick[i] = (around - (f->planning - f->checks)) / all;
        ode[i] = bare_ode(w, r, seconds(o.step), 2000);
        baseline[i] = ode[i] / (spent / steps * 1e6);

        projection_result quiet;
        double logged, discarded;
        if (time_projection(&loaded, o.seed, true, &logged, &quiet, &err) != OK ||
            time_projection(&loaded, o.seed, false, &discarded, &quiet, &err) != OK)
            return fail(NULL, &err);
        bare[i] = seconds(quiet.end) / quiet.wall_seconds;
        more[i] = (logged - discarded) / logged;
        printf("seed %zu: %.1f s simulated, %s, real-time factor %.1f logged, %.1f unlogged\n",
               i + 1, simulated[i], result.top_done ? "top task done" : "top task not done", rtf[i],
               bare[i]);
    }
    printf("\n%zu seeds, medians, one core\n", seeds);
    printf("simulated time             %8.1f s   (at most 180)\n", median(simulated, seeds));
    printf("real-time factor           %8.1f     (at least 35)\n", median(rtf, seeds));
    printf("  by the wall clock        %8.1f\n", median(wall, seeds));
    printf("  with a hand in contact   %8.1f     (at least 15)\n", median(hand, seeds));
    printf("  with a discarding sink   %8.1f\n", median(bare, seeds));
    printf("logging, share of the wall %8.1f %%   (at most 10)\n", 100 * median(share, seeds));
    printf("  of the processor, beside\n");
    printf("  records discarded        %8.1f %%   (at most 5)\n", 100 * median(more, seeds));
    printf("interpretation, belief and\n");
    printf("  their logging, of it all %8.1f %%   (at most 10)\n", 100 * median(mind, seeds));
    printf("  with planning motions    %8.1f %%\n", 100 * median(searching, seeds));
    printf("  records that are theirs  %8.1f %%\n", 100 * median(rows, seeds));
    printf("the loop, share of it all  %8.1f %%   (at most 15)\n", 100 * median(loop, seeds));
    printf("  without planning motions %8.1f %%\n", 100 * median(quick, seeds));
    printf("planning, share of it all  %8.1f %%   (at most 15)\n", 100 * median(planned, seeds));
    static const char *const names[10] = {"physics",
                                          "sensing",
                                          "interpretation",
                                          "logging",
                                          "  casting rays",
                                          "  planning motions",
                                          "    checks for collisions",
                                          "  readings into beliefs",
                                          "  putting their records",
                                          "  committing their records"};
    static const int order[10] = {0, 1, 4, 2, 5, 6, 7, 8, 3, 9};
    for (int k = 0; k < 10; k++)
        printf("%-26s %8.2f us per step of 2 ms\n", names[order[k]], median(part[order[k]], seeds));
    printf("ODE alone, the robot at rest %6.2f us per step: everything here in %.2f times less\n",
           median(ode, seeds), median(baseline, seeds));
    scenario_finish(&loaded);
    errors_finish(&list);
    // `median` has sorted them.
    bool missed = median(simulated, seeds) > 180 || median(rtf, seeds) < 35 ||
                  median(hand, seeds) < 15 || median(share, seeds) > 0.10 ||
                  median(loop, seeds) > 0.15 || median(mind, seeds) > 0.10 ||
                  median(planned, seeds) > 0.15 || median(more, seeds) > 0.05;
    if (argc > 4)
        printf("planning, share of projections that are not logged\n");
    for (int i = 4; i < argc; i++) {
        int failed = print_planning(argv[i], argv[2], &missed);
        if (failed != 0)
            return failed;
    }
    if (missed)
        printf("a bar is missed\n");
    return missed;
}

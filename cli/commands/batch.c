// cli/commands/batch.c - foresee batch: many projections in worker processes, one log, rates.
//
// A worker is a fork of this process, made while no database is open. It projects one sample into a
// log of its own, diagnoses it, and leaves a small file of results. The logs are merged in the
// order of plans and seeds, in whatever order the workers end.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/time/clock.h"
#include "base/files/data.h"
#include "base/files/output.h"
#include "cli/commands/commands.h"
#include "cli/runs/scenario.h"
#include "report/diagnosis/diagnosis.h"
#include "report/batch/rates.h"

typedef struct batch_sample {
    size_t candidate;
    int64_t seed;
    pid_t worker; // 0: not running
    bool ended, merged;
    status code; // OK; otherwise why there is no answer
} batch_sample;

typedef struct batch {
    scenario *scenes;
    size_t plan_count;
    batch_sample *samples;
    size_t count, started, ended, merged;
    int64_t jobs;
    char folder[4096]; // holds the workers' files
    const char *output;
    projection_options how;
    tally tally;
} batch;

static void sample_path(const batch *b, size_t i, const char *end, char *path, size_t size) {
    snprintf(path, size, "%.4000s/%06zu%s", b->folder, i, end);
}

// ---- Workers

// Writes a sample's results for the parent: its outcome, its end, a line for each flaw.
static status write_result(const batch *b, size_t i, const sample *s, const diagnosis *d,
                           error *err) {
    char path[4096 + 32];
    sample_path(b, i, ".txt", path, sizeof path);
    static const output_policy nothing = {0};
    text_buffer out = {0};
    text_add(&out, "%s %lld\n", s->outcome, (long long)s->end);
    for (size_t k = 0; d && k < diagnosis_count(d); k++) {
        const flaw *f = diagnosis_flaw(d, k);
        text_add(&out, "%s %d\n", f->name, f->root);
    }
    const output_file file = {path, out.items, out.count, &nothing};
    status st = output_write(&file, 1, false, err);
    text_finish(&out);
    return st;
}

static int run_sample(const batch *b, size_t i) {
    const batch_sample *mine = &b->samples[i];
    projection_options how = b->how;
    how.seed = (uint64_t)mine->seed;
    how.stop = &cli_stopped;
    char path[4096 + 32], rules[4096];
    sample_path(b, i, ".db", path, sizeof path);
    log_options options = {.durable = false};
    error err = {0};
    sample s = {0};
    diagnosis *d = NULL;
    status st = scenario_project(&b->scenes[mine->candidate], path, &options, &how, &s, &err);
    if (st == E_DIVERGED)
        st = OK; // the sample is invalid, which is an answer
    if (st == OK)
        st = data_folder("predicates", rules, sizeof rules, &err);
    if (st == OK && strcmp(s.outcome, "invalid") != 0) {
        errors list = {0};
        ask *log = NULL;
        st = ask_open(path, s.episode, rules, NULL, 0, &log, &list);
        if (st == OK)
            st = diagnosis_create(log, &d, &err);
        else
            cli_errors(&list);
        ask_close(log);
    }
    if (st == OK)
        st = write_result(b, i, &s, d, &err);
    diagnosis_destroy(d);
    if (st == OK)
        return 0;
    if (st != E_INTERRUPTED && err.text[0]) {
        cli_print(stderr, "seed %lld: ", (long long)mine->seed);
        cli_error(&err);
    }
    return st == E_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_NONE;
}

static status start_worker(batch *b, error *err) {
    batch_sample *s = &b->samples[b->started];
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    if (pid < 0)
        return error_set(err, E_MEMORY, "a worker process cannot be started: %s", strerror(errno));
    if (pid == 0) {
        limits_child();
        _exit(limits_end(run_sample(b, b->started)));
    }
    limits_add_process(pid);
    s->worker = pid;
    b->started++;
    return OK;
}

// Reads the results that a worker left.
static void read_result(batch *b, size_t i) {
    batch_sample *s = &b->samples[i];
    char path[4096 + 32], word[64];
    long long end;
    int root;
    sample_path(b, i, ".txt", path, sizeof path);
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%63s %lld", word, &end) != 2) {
        s->code = E_IO;
    } else {
        tally_sample(&b->tally, s->candidate, s->seed, word, end);
        while (fscanf(file, "%63s %d", word, &root) == 2)
            tally_flaw(&b->tally, s->candidate, s->seed, word, root != 0);
    }
    if (file)
        fclose(file);
    unlink(path);
}

static status merge_ready(batch *b, error *err) {
    char path[4096 + 32];
    while (b->merged < b->count && b->samples[b->merged].ended) {
        batch_sample *s = &b->samples[b->merged];
        sample_path(b, b->merged, ".db", path, sizeof path);
        if (s->code == OK) {
            read_result(b, b->merged);
            status st = log_merge(b->output, path, err);
            if (st != OK)
                return st;
            s->merged = true;
        }
        unlink(path);
        b->merged++;
    }
    return OK;
}

static void worker_ended(batch *b, pid_t pid, int how) {
    for (size_t i = 0; i < b->started; i++) {
        batch_sample *s = &b->samples[i];
        if (s->worker != pid)
            continue;
        limits_drop_process(pid);
        s->worker = 0;
        s->ended = true;
        b->ended++;
        if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
            return;
        s->code = WIFEXITED(how) && WEXITSTATUS(how) == EXIT_INTERRUPTED ? E_INTERRUPTED : E_IO;
        if (WIFSIGNALED(how))
            cli_print(stderr, "seed %lld: foresee: error: the worker was ended by signal %d\n",
                      (long long)s->seed, WTERMSIG(how));
        return;
    }
}

static void stop_workers(batch *b) {
    for (size_t i = 0; i < b->started; i++)
        if (b->samples[i].worker)
            kill(b->samples[i].worker, SIGTERM);
    int how;
    for (size_t i = 0; i < b->started; i++) {
        if (!b->samples[i].worker)
            continue;
        while (waitpid(b->samples[i].worker, &how, 0) < 0 && errno == EINTR)
            ;
        worker_ended(b, b->samples[i].worker, how);
    }
}

static status run_samples(batch *b, progress *p, error *err) {
    nanos began = clock_wall();
    size_t running = 0;
    while (b->ended < b->count) {
        while (!cli_stopped && b->started < b->count && running < (size_t)b->jobs) {
            status st = start_worker(b, err);
            if (st != OK)
                return st;
            running++;
        }
        if (cli_stopped)
            return error_set(err, E_INTERRUPTED, "interrupted; %zu of %zu samples are in %s",
                             b->merged, b->count, b->output);
        double each = b->ended ? seconds(clock_wall() - began) / (double)b->ended : 0;
        progress_line(p, "%zu/%zu finished, %.0f s left", b->ended, b->count,
                      each * (double)(b->count - b->ended));
        int how;
        pid_t pid = waitpid(-1, &how, 0);
        if (pid < 0)
            continue; // a signal, which the loop looks at above
        worker_ended(b, pid, how);
        running--;
        status st = merge_ready(b, err);
        if (st != OK)
            return st;
    }
    return OK;
}

// ---- Setting up

static status make_folder(batch *b, error *err) {
    const char *slash = strrchr(b->output, '/');
    int n = slash ? (int)(slash - b->output) + 1 : 0;
    snprintf(b->folder, sizeof b->folder, "%.*s.foresee-batch-XXXXXX", n, b->output);
    if (!mkdtemp(b->folder)) {
        int code = errno;
        b->folder[0] = 0;
        return error_at(err, output_code(code), b->output, 0, 0,
                        "no folder for the workers can be made beside it: %s", strerror(code));
    }
    limits_add_path(b->folder);
    return OK;
}

static void remove_folder(batch *b) {
    static const char *const ends[] = {".db", ".db-wal", ".db-shm", ".db-journal", ".txt"};
    char path[4096 + 32];
    if (!b->folder[0])
        return;
    for (size_t i = 0; i < b->started; i++) {
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            sample_path(b, i, ends[k], path, sizeof path);
            unlink(path);
        }
    }
    rmdir(b->folder);
    limits_drop_path(b->folder);
}

static int print_result(batch *b, bool json) {
    text_buffer out = {0};
    if (json)
        tally_json(&b->tally, &out);
    else
        tally_text(&b->tally, &out);
    cli_show(stdout, out.items, out.count);
    text_finish(&out);
    bool unanswered = false, failed = false;
    for (size_t i = 0; i < b->count; i++)
        unanswered = unanswered || b->samples[i].code != OK;
    for (size_t i = 0; i < b->plan_count; i++) {
        const tally_candidate *c = tally_at(&b->tally, i);
        unanswered = unanswered || c->invalid || c->incomplete;
        failed = failed || c->succeeded < c->samples;
    }
    return unanswered ? EXIT_NONE : failed ? EXIT_NO : EXIT_YES;
}

static status load_all(batch *b, const arguments *a, const settings *set, errors *list) {
    status st = OK;
    for (size_t i = 0; i < b->plan_count; i++) {
        status one = scenario_load(a->operands.items[i], arguments_value(a, "world"),
                                   arguments_value(a, "robot"), set, &b->scenes[i], list);
        if (one == OK)
            one = scenario_check(&b->scenes[i], list);
        if (one != OK)
            st = one;
        else
            tally_add(&b->tally, a->operands.items[i]);
    }
    return st;
}

int command_batch(const arguments *a) {
    static const char *const formats[] = {"text", "json", NULL};
    if (a->operands.count == 0)
        return cli_usage(a, "batch needs a plan");
    int64_t samples = 10, jobs = sysconf(_SC_NPROCESSORS_ONLN), seed = 1;
    int format = 0;
    error err = {0};
    batch b = {.plan_count = a->operands.count, .how = projection_options_default()};
    if (option_integer(a, "samples", 1, 1000000, &samples, &err) != OK ||
        option_integer(a, "jobs", 1, 1024, &jobs, &err) != OK ||
        option_integer(a, "seed", 0, INT64_MAX - 1000000, &seed, &err) != OK ||
        option_seconds(a, "until", &b.how.until, &err) != OK ||
        option_choice(a, "format", formats, &format, &err) != OK)
        return cli_error(&err);
    b.jobs = jobs < 1 ? 1 : jobs;

    arena *memory = arena_create();
    settings set = {0};
    errors list = {0};
    progress p = {0};
    int result;
    b.count = (size_t)samples * b.plan_count;
    b.scenes = arena_alloc(memory, b.plan_count * sizeof *b.scenes);
    b.samples = arena_alloc(memory, b.count * sizeof *b.samples);
    for (size_t i = 0; i < b.count; i++)
        b.samples[i] = (batch_sample){.candidate = i / (size_t)samples,
                                      .seed = seed + (int64_t)(i % (size_t)samples)};
    if (scenario_settings(a, memory, &set, &err) != OK) {
        result = cli_error(&err);
        goto done;
    }
    if (load_all(&b, a, &set, &list) != OK) {
        result = cli_errors(&list);
        goto done;
    }
    b.output = arguments_value(a, "output");
    if (!b.output) {
        char stem[256];
        scenario_stem(a->operands.items[0], stem, sizeof stem);
        b.output = arena_format(memory, "%s-batch.db", stem);
    }
    // The log is created, or found to be a log, before any time is spent.
    logger *log = NULL;
    log_options options = log_options_default();
    status st = log_create(b.output, &options, &log, &err);
    log_close(log);
    if (st == OK)
        st = make_folder(&b, &err);
    if (st == OK) {
        p = progress_begin(arguments_given(a, "quiet"));
        st = run_samples(&b, &p, &err);
        if (st != OK)
            stop_workers(&b);
        error late = {0};
        if (st == E_INTERRUPTED && merge_ready(&b, &late) != OK) {
            st = late.code;
            err = late;
        }
        progress_end(&p);
    }
    result = st == OK ? print_result(&b, format == 1) : cli_error(&err);
done:
    remove_folder(&b);
    for (size_t i = 0; i < b.plan_count; i++)
        scenario_finish(&b.scenes[i]);
    tally_finish(&b.tally);
    errors_finish(&list);
    array_finish(&set);
    arena_destroy(memory);
    return result;
}

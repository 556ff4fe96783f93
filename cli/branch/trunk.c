// cli/branch/trunk.c - plays an episode again, and forks it.
#include "cli/branch/trunk.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/output.h"
#include "cli/branch/prefix.h"

enum { PATH_ROOM = 4128 };
static const log_options LOG_OPTIONS = {.durable = false};

typedef struct playing {
    trunk *t;
    tape tape;
    future *mine; // what this process is; NULL: the trunk
    logger *log;
    char past[PATH_ROOM]; // the log of what came before
    char path[PATH_ROOM]; // of the future's log
    size_t running, failed;
    pid_t *processes; // of futures that run; 0: none
} playing;

void trunk_path(const char *folder, size_t number, const char *ending, char *path) {
    snprintf(path, PATH_ROOM, "%.4000s/%06zu%s", folder, number, ending);
}

// ---- A future -----------------------------------------------------------------------------------

// What a future gave, as one line beside its log. It is written last: where it is, the log is
// whole.
static status write_result(const playing *p, const sample *s, error *err) {
    static const output_policy nothing = {0};
    char path[PATH_ROOM];
    text_buffer line = {0};
    trunk_path(p->t->folder, p->mine->number, ".txt", path);
    text_add(&line, "%s %lld\n", s->outcome, (long long)s->end);
    const output_file file = {path, text_string(&line), line.count, &nothing};
    status st = output_write(&file, 1, false, err);
    text_finish(&line);
    return st;
}

bool trunk_fetch(const char *folder, future *f) {
    static const char *const outcomes[] = {"succeeded", "failed", "invalid", "incomplete",
                                           "unjudged"};
    char path[PATH_ROOM], word[32];
    trunk_path(folder, f->number, ".txt", path);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    int64_t end = 0;
    if (fscanf(file, "%31s %" SCNd64, word, &end) == 2)
        for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
            if (strcmp(outcomes[i], word) == 0) {
                f->sampled.outcome = outcomes[i];
                f->sampled.end = end;
            }
    fclose(file);
    f->written = f->sampled.outcome != NULL;
    return true;
}

// Writes what came before as a log with an unfinished episode, which each future copies.
static status write_past(const playing *p, error *err) {
    logger *log = NULL;
    status st = log_create(p->past, &LOG_OPTIONS, &log, err);
    if (st == OK)
        st = scenario_begin(&p->t->scene, &p->t->how, log, err);
    if (st == OK)
        st = tape_play(&p->tape, log_sink(log), err);
    log_close(log);
    // The indexes are made once, and grow with each future.
    log_merger *past = NULL;
    if (st == OK)
        st = log_merger_open(p->past, &past, err);
    if (st == OK)
        st = log_merger_index(past, err);
    log_merger_close(past);
    return st;
}

// Goes on with a copy of the past as the future's log.
static status begin_future(playing *p, nanos t, projection_turn *out, error *err) {
    trunk_path(p->t->folder, p->mine->number, ".db", p->path);
    status st = log_resume(p->past, p->path, &LOG_OPTIONS, &p->log, err);
    if (st != OK)
        return st;
    tape_pass(&p->tape, log_sink(p->log));
    // Stages that the trunk has been through are in the past of the future, too.
    p->mine->stages.next = p->t->stages.next;
    stages_turn(&p->mine->stages, t, out);
    return OK;
}

// ---- The fork -----------------------------------------------------------------------------------

static void wait_future(playing *p) {
    int how;
    pid_t pid = waitpid(-1, &how, 0);
    for (size_t i = 0; pid > 0 && i < (size_t)p->t->jobs; i++)
        if (p->processes[i] == pid) {
            p->processes[i] = 0;
            p->running--;
            p->failed += !WIFEXITED(how) || WEXITSTATUS(how) != EXIT_YES;
            limits_drop_process(pid);
        }
}

static void stop_futures(playing *p) {
    for (size_t i = 0; i < (size_t)p->t->jobs; i++)
        if (p->processes[i])
            kill(p->processes[i], SIGTERM);
    while (p->running)
        wait_future(p);
}

static status fork_future(playing *p, future *f, error *err) {
    pid_t parent = getpid();
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    if (pid < 0)
        return error_set(err, E_MEMORY, "a process for a future cannot be started: %s",
                         strerror(errno));
    if (pid == 0) {
        limits_child();
        if (getppid() != parent)
            _exit(EXIT_NONE);
        p->mine = f;
        return OK;
    }
    limits_add_process(pid);
    size_t slot = 0;
    while (p->processes[slot])
        slot++;
    p->processes[slot] = pid;
    p->running++;
    return OK;
}

static status refuse_prefix(const playing *p, error *err) {
    error first = *err;
    if (!p->t->other_plan)
        return error_set(err, E_INPUT,
                         "episode %lld cannot be branched at %.3f s, since it is not the same when "
                         "it is played again: %.500s",
                         (long long)p->t->episode, seconds(p->t->at), first.text);
    return error_set(err, E_INPUT,
                     "what the plan has other than the log's already acts before %.3f s: %.600s",
                     seconds(p->t->at), first.text);
}

// The trunk ends here with E_LIMIT, which is no fault; a future goes on.
static status fork_all(playing *p, nanos t, projection_turn *out, error *err) {
    status st = prefix_compare(&p->tape, p->t->log, p->t->episode, t, p->t->other_plan, err);
    if (st == E_INPUT)
        return refuse_prefix(p, err);
    snprintf(p->past, sizeof p->past, "%.4000s/past-%ld.db", p->t->folder, (long)getpid());
    if (st == OK)
        st = write_past(p, err);
    for (size_t i = 0; st == OK && !cli_stopped && i < p->t->futures.count; i++) {
        while (p->running == (size_t)p->t->jobs && !cli_stopped)
            wait_future(p);
        st = fork_future(p, p->t->futures.items[i], err);
        if (p->mine)
            return st == OK ? begin_future(p, t, out, err) : st;
    }
    while (st == OK && p->running && !cli_stopped)
        wait_future(p);
    stop_futures(p);
    if (cli_stopped)
        return error_set(err, E_INTERRUPTED, "interrupted");
    return st == OK ? E_LIMIT : st;
}

static status trunk_turn(void *context, nanos t, projection_turn *out, error *err) {
    playing *p = context;
    trunk *k = p->t;
    stages *s = p->mine ? &p->mine->stages : &k->stages;
    s->due.count = 0;
    if (!p->mine && t >= k->at)
        return fork_all(p, t, out, err);
    stages_turn(s, t, out);
    if (!p->mine && k->at < out->next)
        out->next = k->at;
    return OK;
}

// ---- The whole ----------------------------------------------------------------------------------

static int end_future(playing *p, status run, const projection_result *result, error *err) {
    sample s = {0};
    if (!p->log) {
        cli_error(err);
        return EXIT_NONE;
    }
    status st = scenario_end(&p->log, p->path, run, result, &s, err);
    if (st == E_DIVERGED)
        st = OK; // the future is invalid, which is an answer
    if (st == OK)
        st = write_result(p, &s, err);
    if (st == E_INTERRUPTED)
        return EXIT_INTERRUPTED;
    return st == OK ? EXIT_YES : (cli_error(err), EXIT_NONE);
}

static int end_trunk(const playing *p, status run, error *err) {
    if (run == E_LIMIT)
        return p->failed ? EXIT_NONE : EXIT_YES;
    if (run == OK)
        error_set(err, E_INPUT, "the episode ended before %.3f s when it was played again",
                  seconds(p->t->at));
    return cli_error(err);
}

int trunk_run(trunk *t) {
    playing p = {.t = t, .processes = mem_must((size_t)t->jobs, sizeof *p.processes)};
    projection_options how = t->how;
    projection_result result = {0};
    error err = {0};
    tape_begin(&p.tape);
    scenario_options(&t->scene, &how);
    t->stages.next = 0;
    how.turn = trunk_turn;
    how.turn_context = &p;
    how.turn_at = t->stages.count && t->stages.items[0].at < t->at ? t->stages.items[0].at : t->at;
    status st = scenario_run(&t->scene, &p.tape.sink, &how, &result, &err);
    int code = p.mine ? end_future(&p, st, &result, &err) : end_trunk(&p, st, &err);
    bool is_future = p.mine != NULL;
    if (is_future)
        _exit(limits_end(code)); // with what it holds
    tape_finish(&p.tape);
    free(p.processes);
    return code;
}

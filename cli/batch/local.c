// cli/batch/local.c - the engine of one machine: a worker process for each sample.
//
// A worker is a fork of this process, made while no log is written. It projects one sample into a
// log of its own and leaves a file of lines; it ends with its parent.
#include "cli/batch/course.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/files/output.h"

typedef enum work { WAITING, RUNNING, ANSWERED, CRASHED, RELEASED } work;
typedef struct local {
    engine head; // must be first
    course *b;
    unsigned char *work; // of each sample
    pid_t *pids;         // of the workers that run; 0: none
    size_t *samples;     // that they project
    size_t running;
} local;

// ---- The worker ---------------------------------------------------------------------------------

static int run_sample(const course *b, size_t i) {
    char path[4096 + 32];
    text_buffer lines = {0};
    static const output_policy nothing = {0};
    course_path(b, i, ".db", path, sizeof path);
    status st = sample_project(b->c, course_candidate(b, i), course_seed(b, i), path, &lines);
    course_path(b, i, ".txt", path, sizeof path);
    const output_file file = {path, text_string(&lines), lines.count, &nothing};
    if (st == OK)
        st = output_write(&file, 1, false, NULL);
    text_finish(&lines);
    return st == OK ? EXIT_YES : st == E_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_NONE;
}

static status start_worker(local *l, size_t i, error *err) {
    pid_t parent = getpid();
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    if (pid < 0)
        return error_set(err, E_MEMORY, "a worker process cannot be started: %s", strerror(errno));
    if (pid == 0) {
        limits_child();
        // The parent may have ended before the child asked to be told.
        _exit(getppid() == parent ? limits_end(run_sample(l->b, i)) : EXIT_NONE);
    }
    limits_add_process(pid);
    size_t slot = 0;
    while (l->pids[slot])
        slot++;
    l->pids[slot] = pid;
    l->samples[slot] = i;
    l->work[i] = RUNNING;
    l->running++;
    return OK;
}

static void worker_ended(local *l, pid_t pid, int how) {
    for (int64_t slot = 0; slot < l->b->jobs; slot++) {
        if (l->pids[slot] != pid)
            continue;
        size_t i = l->samples[slot];
        bool interrupted = WIFEXITED(how) && WEXITSTATUS(how) == EXIT_INTERRUPTED;
        limits_drop_process(pid);
        l->pids[slot] = 0;
        l->running--;
        l->work[i] = WIFEXITED(how) && WEXITSTATUS(how) == 0 ? ANSWERED
                     : interrupted || cli_stopped            ? WAITING
                                                             : CRASHED;
        if (WIFSIGNALED(how) && !cli_stopped)
            cli_print(stderr, "seed %lld: foresee: error: the worker was ended by signal %d\n",
                      (long long)course_seed(l->b, i), WTERMSIG(how));
        return;
    }
}

// ---- The engine ---------------------------------------------------------------------------------

// Starts workers for the samples that are wanted next, up to some that may turn out not to be.
static status start_workers(local *l, size_t from, error *err) {
    size_t ahead = 4 * (size_t)l->b->jobs + l->b->c->count;
    for (size_t i = from; i < l->b->count && i < from + ahead; i++) {
        if (l->running >= (size_t)l->b->jobs)
            return OK;
        if (l->work[i] != WAITING || !course_wants(l->b, i))
            continue;
        status st = start_worker(l, i, err);
        if (st != OK)
            return st;
    }
    return OK;
}

// Waits for a worker. At a terminal the progress goes on meanwhile.
static void wait_worker(local *l) {
    int how;
    pid_t pid = 0;
    do {
        course_show(l->b, l->running);
        pid = waitpid(-1, &how, l->b->progress.shown ? WNOHANG : 0);
        if (pid == 0)
            nanosleep(&(struct timespec){0, 200000000}, NULL);
    } while (pid == 0 && !cli_stopped);
    if (pid > 0)
        worker_ended(l, pid, how);
}

static status local_fetch(engine *e, size_t i, bool only_ended, fetched *out, error *err) {
    local *l = (local *)e;
    while (l->work[i] != ANSWERED && l->work[i] != CRASHED) {
        if (only_ended)
            return E_LIMIT;
        if (cli_stopped)
            return error_set(err, E_INTERRUPTED, "interrupted");
        status st = start_workers(l, i, err);
        if (st != OK)
            return st;
        wait_worker(l);
    }
    char path[4096 + 32];
    size_t length;
    out->episode = 1;
    course_path(l->b, i, ".db", out->log, sizeof out->log);
    course_path(l->b, i, ".txt", path, sizeof path);
    out->answered = l->work[i] == ANSWERED && file_read(path, &out->lines, &length, NULL) == OK;
    // The workers go on while the sample is appended to the log.
    return only_ended || cli_stopped ? OK : start_workers(l, i + 1, err);
}

static void local_release(engine *e, size_t i) {
    static const char *const endings[] = {".db", ".db-wal", ".db-shm", ".db-journal", ".txt"};
    local *l = (local *)e;
    char path[4096 + 32];
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        course_path(l->b, i, endings[k], path, sizeof path);
        unlink(path);
    }
    l->work[i] = RELEASED;
}

static void local_stop(engine *e) {
    local *l = (local *)e;
    int how;
    for (int64_t slot = 0; slot < l->b->jobs; slot++)
        if (l->pids[slot])
            kill(l->pids[slot], SIGTERM);
    for (int64_t slot = 0; slot < l->b->jobs; slot++) {
        pid_t pid = l->pids[slot];
        if (!pid)
            continue;
        while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
            ;
        worker_ended(l, pid, how);
    }
}

static void local_destroy(engine *e) {
    local *l = (local *)e;
    free(l->work);
    free(l->pids);
    free(l->samples);
    free(l);
}

engine *engine_local(course *b) {
    static const engine_class class = {local_fetch, local_release, local_stop, local_destroy};
    local *l = mem_must(1, sizeof *l);
    l->head.class = &class;
    l->b = b;
    l->work = mem_must(b->count + 1, sizeof *l->work);
    l->pids = mem_must((size_t)b->jobs, sizeof *l->pids);
    l->samples = mem_must((size_t)b->jobs, sizeof *l->samples);
    return &l->head;
}

// cli/branch/run.c - runs the futures of an episode, and gathers them in one log.
#include "cli/folder.h"
#include "cli/branch/futures.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/files/output.h"

typedef struct growing {
    futures *f;
    const char *output;
    char folder[4096]; // beside the output
    pid_t *trunks;     // 0: not running
    size_t started, ended, taken, merged;
    int code; // of the first trunk that failed; EXIT_YES: none has
    log_merger *into;
    progress line;
} growing;

// ---- The folder ---------------------------------------------------------------------------------

static status make_folder(growing *g, error *err) {
    const char *slash = strrchr(g->output, '/');
    snprintf(g->folder, sizeof g->folder, "%.*s.foresee-branch-XXXXXX",
             slash ? (int)(slash - g->output) + 1 : 0, g->output);
    if (mkdtemp(g->folder)) {
        limits_add_path(g->folder);
        return OK;
    }
    int code = errno;
    g->folder[0] = 0;
    return error_at(err, output_code(code), g->output, 0, 0,
                    "no folder for the futures can be made beside it: %s", strerror(code));
}

// ---- Trunks -------------------------------------------------------------------------------------

static status start_trunk(growing *g, size_t i, error *err) {
    pid_t parent = getpid();
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    if (pid < 0)
        return error_set(err, E_MEMORY, "a process cannot be started: %s", strerror(errno));
    if (pid == 0) {
        limits_child();
        _exit(getppid() != parent ? EXIT_NONE : limits_end(trunk_run(&g->f->trunks[i])));
    }
    limits_add_process(pid);
    g->trunks[i] = pid;
    g->started++;
    return OK;
}

// Takes a trunk that has ended. Returns false when none has.
static bool take_trunk(growing *g, bool wait) {
    int how;
    pid_t pid = waitpid(-1, &how, wait ? 0 : WNOHANG);
    for (size_t i = 0; pid > 0 && i < g->f->trunk_count; i++)
        if (g->trunks[i] == pid) {
            int code = WIFEXITED(how) ? WEXITSTATUS(how) : EXIT_NONE;
            g->trunks[i] = 0;
            g->ended++;
            limits_drop_process(pid);
            if (g->code == EXIT_YES)
                g->code = code;
        }
    return pid > 0;
}

static void stop_trunks(growing *g) {
    for (size_t i = 0; i < g->f->trunk_count; i++)
        if (g->trunks[i])
            kill(g->trunks[i], SIGTERM);
    while (g->ended < g->started)
        take_trunk(g, true);
}

// ---- The log ------------------------------------------------------------------------------------

static status merge_future(growing *g, future *one, error *err) {
    char path[4128];
    trunk_path(g->folder, one->number, ".db", path);
    status st = g->into ? OK : log_merger_open(g->output, &g->into, err);
    if (st == OK) {
        log_merger_trust(g->into);
        st = log_merger_append(g->into, path, 1, err);
    }
    if (st == OK)
        one->sampled.episode = log_merger_episode(g->into);
    unlink(path);
    return st;
}

// Appends the futures that have ended, in order; `all`: those that have not gave no answer.
static status take_futures(growing *g, bool all, error *err) {
    status st = OK;
    for (; st == OK && g->taken < g->f->count; g->taken++) {
        future *one = &g->f->items[g->taken];
        if (!trunk_fetch(g->folder, one) && !all)
            return OK;
        if (one->written) {
            st = merge_future(g, one, err);
            g->merged += st == OK;
        }
        progress_line(&g->line, "%zu of %zu futures", g->taken + 1, g->f->count);
    }
    return st;
}

// A database is opened only when no process is forked any more.
static status grow_all(growing *g, int64_t jobs, error *err) {
    futures *f = g->f;
    status st = OK;
    size_t together = f->trunk_count < (size_t)jobs ? f->trunk_count : (size_t)jobs;
    for (size_t i = 0; i < f->trunk_count; i++) {
        f->trunks[i].folder = g->folder;
        f->trunks[i].jobs = jobs / (int64_t)together;
    }
    while (st == OK && g->started < f->trunk_count && g->code == EXIT_YES && !cli_stopped) {
        if (g->started - g->ended < together)
            st = start_trunk(g, g->started, err);
        else
            take_trunk(g, true);
    }
    while (st == OK && g->ended < g->started && !cli_stopped) {
        if (take_trunk(g, false))
            continue;
        size_t before = g->taken;
        st = take_futures(g, false, err);
        if (g->taken == before)
            nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    stop_trunks(g);
    if (st == OK)
        st = take_futures(g, true, err);
    if (st == OK && g->into)
        st = log_merger_index(g->into, err);
    if (st == OK && cli_stopped)
        st = g->merged ? error_set(err, E_INTERRUPTED, "interrupted; %zu of %zu futures are in %s",
                                   g->merged, f->count, g->output)
                       : error_set(err, E_INTERRUPTED, "interrupted before any future had ended");
    return st;
}

int futures_run(futures *f, const char *output, int64_t jobs, bool quiet) {
    growing g = {.f = f,
                 .output = output,
                 .trunks = mem_must(f->trunk_count + 1, sizeof *g.trunks),
                 .line = progress_begin(quiet)};
    error err = {0};
    status st = make_folder(&g, &err);
    if (st == OK)
        st = grow_all(&g, jobs, &err);
    log_merger_close(g.into);
    progress_end(&g.line);
    folder_remove(g.folder);
    free(g.trunks);
    return st == OK ? g.code : cli_error(&err);
}

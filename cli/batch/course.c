// cli/batch/course.c - takes samples in order, appends them to the log, and asks the stopping rule.
#include "cli/folder.h"
#include "cli/batch/course.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/output.h"
#include "base/time/clock.h"

// Returns whether the rule wants a sample: those that were picked are all wanted.
static bool rule_wants(const course *b, size_t i) {
    return b->picked ||
           decision_wants(b->decision, (int64_t)(i / b->c->count), course_candidate(b, i));
}

static bool rule_is_open(const course *b) {
    return b->picked || decision_state(b->decision) == DECISION_OPEN;
}

bool course_wants(const course *b, size_t i) {
    return i < b->count && !b->episodes[i] && rule_wants(b, i);
}

void course_path(const course *b, size_t i, const char *ending, char *path, size_t size) {
    snprintf(path, size, "%.4000s/%06zu%s", b->folder, i, ending);
}

// ---- The folder ---------------------------------------------------------------------------------

// A batch and its workers hold the folder locked; what nobody locks was left by a batch that was
// killed.
static bool lock_folder(const char *path) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0)
        return true; // open until the process ends
    if (folder >= 0)
        close(folder);
    return false;
}

#define FOLDER_NAME ".foresee-batch-"

static void remove_left(const char *beside) {
    DIR *all = opendir(beside);
    struct dirent *one;
    char path[8192];
    struct stat what;
    while (all && (one = readdir(all))) {
        if (strncmp(one->d_name, FOLDER_NAME, strlen(FOLDER_NAME)) != 0)
            continue;
        snprintf(path, sizeof path, "%.4000s/%s", beside, one->d_name);
        if (lstat(path, &what) == 0 && S_ISDIR(what.st_mode) && what.st_uid == geteuid() &&
            lock_folder(path))
            folder_remove(path);
    }
    if (all)
        closedir(all);
}

status course_begin(course *b, error *err) {
    const char *slash = strrchr(b->output, '/');
    int n = slash ? (int)(slash - b->output) + 1 : 0;
    char beside[4096];
    snprintf(beside, sizeof beside, "%.*s", n ? n : 1, n ? b->output : ".");
    remove_left(beside);
    // Before it is locked, another batch that begins may take it for one that was left.
    for (int tries = 0; tries < 10; tries++) {
        snprintf(b->folder, sizeof b->folder, "%.*s" FOLDER_NAME "XXXXXX", n, b->output);
        if (!mkdtemp(b->folder)) {
            int code = errno;
            b->folder[0] = 0;
            return error_at(err, output_code(code), b->output, 0, 0,
                            "no folder for the workers can be made beside it: %s", strerror(code));
        }
        if (lock_folder(b->folder))
            break;
    }
    limits_add_path(b->folder);
    b->began = clock_wall();
    return OK;
}

void course_end(course *b) {
    folder_remove(b->folder);
}

// ---- Progress -----------------------------------------------------------------------------------

void course_show(course *b, size_t running) {
    if (!b->progress.shown)
        return;
    text_buffer line = {0};
    double spent = seconds(clock_wall() - b->began);
    size_t taken = b->results.samples.count, left = b->count - b->at;
    if (b->doing) {
        progress_line(&b->progress, "%s: %zu of %zu projections, %zu running; %zu so far, %.0f s",
                      b->doing, b->at, b->count, running, taken, spent);
        return;
    }
    text_add(&line, "%zu of %s%zu samples", taken,
             b->count > taken && rule_is_open(b) ? "" : "at most ", b->count);
    if (b->recorded)
        text_add(&line, ", %zu from the log", b->recorded);
    text_add(&line, ", %zu running, %.0f s", running, spent);
    if (b->finished && left)
        text_add(&line, ", about %.0f s left", spent / (double)b->finished * (double)left);
    if (taken)
        text_put(&line, ":");
    for (size_t i = 0; taken && i < b->c->count && i < 4; i++) {
        size_t good = 0, all = 0;
        for (size_t k = 0; k < taken; k++)
            if (b->results.samples.items[k].plan == i) {
                all++;
                good += results_answer(&b->results.samples.items[k]) == ANSWER_SUCCEEDED;
            }
        text_add(&line, " %s %zu/%zu", b->c->items[i].name, good, all);
    }
    progress_line(&b->progress, "%s", text_string(&line));
    text_finish(&line);
}

// ---- What the log holds -------------------------------------------------------------------------

enum { SLICE = 16 }; // samples that one process diagnoses

static int diagnose_slice(const course *b, const size_t *samples, size_t count, size_t number) {
    text_buffer out = {0};
    status st = OK;
    for (size_t i = 0; i < count && st == OK; i++)
        st = sample_diagnose(b->c, course_candidate(b, samples[i]), course_seed(b, samples[i]),
                             b->output, b->episodes[samples[i]], &out);
    char path[4096 + 32];
    static const output_policy nothing = {0};
    course_path(b, number, ".said", path, sizeof path);
    const output_file file = {path, text_string(&out), out.count, &nothing};
    if (st == OK)
        st = output_write(&file, 1, false, NULL);
    text_finish(&out);
    return st == OK ? EXIT_YES : st == E_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_NONE;
}

// Puts the lines of a slice where the course finds them: after their samples.
static status take_slice(char **said, const size_t *samples, size_t count, const course *b,
                         size_t number, error *err) {
    char path[4096 + 32], *text = NULL;
    size_t length = 0;
    course_path(b, number, ".said", path, sizeof path);
    status st = file_read(path, &text, &length, err);
    const char *at = text;
    sample_lines lines;
    for (size_t i = 0; i < count && st == OK; i++) {
        if (!sample_next(&at, &lines))
            st = error_at(err, E_IO, b->output, 0, 0, "episode %lld cannot be diagnosed",
                          (long long)b->episodes[samples[i]]);
        else
            said[samples[i]] = strndup(lines.begin, (size_t)(lines.end - lines.begin));
    }
    free(text);
    return st;
}

static status wait_slices(pid_t *workers, size_t count, size_t *ended, error *err) {
    int how;
    pid_t pid = waitpid(-1, &how, 0);
    if (pid < 0)
        return OK; // a signal, which the caller looks at
    for (size_t i = 0; i < count; i++)
        if (workers[i] == pid) {
            workers[i] = 0;
            (*ended)++;
            limits_drop_process(pid);
        }
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
        return error_set(err, E_IO, "an episode of the log cannot be diagnosed");
    return OK;
}

static status diagnose_recorded(course *b, const size_t *samples, char **said, error *err) {
    size_t slices = (b->recorded + SLICE - 1) / SLICE, started = 0, ended = 0;
    pid_t *workers = mem_must(slices + 1, sizeof *workers), parent = getpid();
    status st = OK;
    while (st == OK && ended < slices) {
        if (cli_stopped)
            st = error_set(err, E_INTERRUPTED, "interrupted; %s is unchanged", b->output);
        while (st == OK && started < slices && started - ended < (size_t)b->jobs) {
            size_t from = started * SLICE,
                   count = b->recorded - from < SLICE ? b->recorded - from : SLICE;
            fflush(stderr);
            pid_t pid = fork();
            if (pid == 0) {
                limits_child();
                _exit(getppid() != parent
                          ? EXIT_NONE
                          : limits_end(diagnose_slice(b, samples + from, count, started)));
            }
            if (pid < 0)
                st = error_set(err, E_MEMORY, "a worker process cannot be started: %s",
                               strerror(errno));
            limits_add_process(pid);
            workers[started++] = pid;
        }
        progress_line(&b->progress, "%zu samples are in the log; looking at them, %zu of %zu",
                      b->recorded, ended * SLICE, b->recorded);
        if (st == OK)
            st = wait_slices(workers, started, &ended, err);
    }
    for (size_t i = 0; i < started; i++)
        if (workers[i] > 0) {
            kill(workers[i], SIGTERM);
            waitpid(workers[i], NULL, 0);
            limits_drop_process(workers[i]);
        }
    for (size_t i = 0; i < slices && st == OK; i++) {
        size_t from = i * SLICE, count = b->recorded - from < SLICE ? b->recorded - from : SLICE;
        st = take_slice(said, samples + from, count, b, i, err);
    }
    free(workers);
    return st;
}

// ---- Samples in order ---------------------------------------------------------------------------

static void take_answer(course *b, size_t i) {
    const result_sample *s = &b->results.samples.items[b->results.samples.count - 1];
    if (b->picked)
        return;
    decision_take(b->decision, (int64_t)(i / b->c->count), course_candidate(b, i),
                  results_answer(s));
}

// Appends a sample to the log, and counts it.
static status take_fetched(course *b, log_merger *into, size_t i, const fetched *f, error *err) {
    const char *at = f->lines;
    sample_lines lines;
    int64_t episode = 0;
    if (!f->answered || !at || !sample_next(&at, &lines)) {
        sample_add_crashed(b->c, course_candidate(b, i), course_seed(b, i), &b->results);
        take_answer(b, i);
        return OK;
    }
    if (lines.episode) { // otherwise it was refused, and there is none
        status st = log_merger_append(into, f->log, f->episode, err);
        if (st != OK)
            return st;
        episode = log_merger_episode(into);
    }
    sample_add(b->c, &lines, episode, &b->results);
    take_answer(b, i);
    return OK;
}

static status take_all(course *b, engine *e, log_merger *into, char **said, bool only_ended,
                       error *err) {
    for (; b->at < b->count; b->at++) {
        size_t i = b->at;
        status st = OK;
        if (!rule_is_open(b))
            return OK;
        if (!rule_wants(b, i))
            continue;
        if (b->episodes[i]) {
            const char *at = said[i];
            sample_lines lines;
            ASSERT(at && sample_next(&at, &lines));
            sample_add(b->c, &lines, b->episodes[i], &b->results);
            take_answer(b, i);
            continue;
        }
        fetched f = {0};
        st = e->class->fetch(e, i, only_ended, &f, err);
        if (st == OK) {
            st = take_fetched(b, into, i, &f, err);
            b->finished++;
        }
        free(f.lines);
        if (st != OK)
            return st;
        e->class->release(e, i);
    }
    return OK;
}

status course_run(course *b, engine *e, error *err) {
    char **said = mem_must(b->count + 1, sizeof *said);
    size_t *samples = mem_must(b->count + 1, sizeof *samples);
    log_merger *into = NULL;
    status st = OK;
    for (size_t i = 0; i < b->count; i++)
        if (b->episodes[i])
            samples[b->recorded++] = i;
    if (b->recorded)
        st = diagnose_recorded(b, samples, said, err);
    if (st == OK)
        st = log_merger_open(b->output, &into, err);
    if (st == OK)
        st = take_all(b, e, into, said, false, err);
    e->class->stop(e);
    if (st == E_INTERRUPTED && into) {
        error late = {0};
        status more = take_all(b, e, into, said, true, &late);
        if (more != OK && more != E_LIMIT && err) {
            *err = late;
            st = more;
        } else if (err) {
            error_set(err, E_INTERRUPTED, "interrupted; %zu of %zu samples are in %s",
                      b->results.samples.count, b->count, b->output);
        }
    }
    if (st == OK && !b->picked)
        decision_end(b->decision);
    log_merger_close(into);
    for (size_t i = 0; i < b->count; i++)
        free(said[i]);
    free(said);
    free(samples);
    return st;
}

// cli/runs/verify.c - re-runs for foresee diagnose --verify.
//
// Each re-run is a new process, `foresee-project run LOG ... -o ITS-OWN-LOG`, so that no database
// is open on both sides of a fork. First all suspected causes are taken away, one re-run each.
// Flaws that are absent then are tested by placebos, which flaws with the same stream share. The
// log of each re-run is diagnosed here when it ends.
//
// A change that only acts from an instant on, as one that keeps an event from happening, gives the
// same from whichever instant before that it is made. Several such changes share what comes before:
// one process branches the episode (foresee-project branch) and gives all their re-runs.
#include "cli/folder.h"
#include "cli/runs/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/time/clock.h"
#include "cli/runs/fingerprint.h"
#include "cli/runs/scenario.h"
#include "cli/runs/verify_int.h"
#include "report/diagnosis/verify.h"

const char *verify_path(const verifying *v, size_t run, const char *end) {
    return arena_format(v->memory, "%s/%03zu%s", v->folder, run, end);
}

// ---- Re-runs

// Fills in the command line of a re-run of its own; returns how many words it has.
static size_t run_arguments(verifying *v, size_t i, const char **args) {
    const test_run *r = &v->runs.items[i];
    size_t n = 0;
    args[n++] = v->program;
    args[n++] = "run";
    args[n++] = "--quiet";
    args[n++] = "--episode";
    args[n++] = arena_format(v->memory, "%lld", (long long)v->episode);
    args[n++] = "--output";
    args[n++] = verify_path(v, i, ".db");
    args[n++] = r->flag;
    args[n++] = r->value;
    if (v->until) {
        args[n++] = "--until";
        args[n++] = v->until;
    }
    args[n++] = "--";
    args[n++] = v->log;
    return n;
}

static status start_rerun(verifying *v, size_t i, error *err) {
    test_run *r = &v->runs.items[i];
    const char *errors_to = verify_path(v, i, ".err");
    const char **args = arena_alloc(v->memory, (24 + 2 * v->runs.count) * sizeof *args);
    size_t n = r->branch == i ? verify_branch_arguments(v, i, args) : run_arguments(v, i, args);
    args[n] = NULL;
    pid_t process = fork();
    if (process < 0)
        return error_set(err, E_MEMORY, "a re-run cannot be started: %s", strerror(errno));
    if (process == 0) {
        limits_child();
        int nowhere = open("/dev/null", O_WRONLY);
        int said = open(errors_to, O_WRONLY | O_CREAT | O_EXCL, 0600);
        dup2(nowhere, STDOUT_FILENO);
        dup2(said, STDERR_FILENO);
        execv(v->program, (char *const *)(uintptr_t)args);
        _exit(EXIT_NONE);
    }
    r->process = process;
    limits_add_process(r->process);
    r->started = true;
    return OK;
}

// Returns the first line of a re-run's errors; NULL: it printed none.
static const char *first_error_line(verifying *v, size_t i) {
    char line[600] = "";
    FILE *f = fopen(verify_path(v, i, ".err"), "r");
    if (f && !fgets(line, sizeof line, f))
        line[0] = 0;
    if (f)
        fclose(f);
    line[strcspn(line, "\n")] = 0;
    static const char prefix[] = "foresee: error: ";
    bool ours = strncmp(line, prefix, sizeof prefix - 1) == 0;
    const char *text = ours ? line + sizeof prefix - 1 : line;
    return *text ? arena_strdup(v->memory, text) : NULL;
}

// Diagnoses the log of a re-run in the same way as the episode's own.
static status diagnose_rerun(verifying *v, size_t i, error *err) {
    test_run *r = &v->runs.items[i];
    ask *asked = NULL;
    diagnosis *d = NULL;
    errors list = {0};
    size_t process = r->branch == ALONE ? i : r->branch;
    status st = ask_open(verify_path(v, process, ".db"), r->episode, v->rules, v->more,
                         v->more_count, &asked, &list);
    if (st == OK) {
        cli_interrupts_ask(asked);
        st = diagnosis_create(asked, &d, err);
        cli_interrupts_ask(NULL);
    } else if (list.count && err) {
        *err = list.items[0];
    }
    for (size_t k = 0; st == OK && k < v->suspects.count; k++) {
        const flaw *f = diagnosis_flaw(v->d, v->suspects.items[k].flaw);
        r->shows[k] = verify_shows(d, f);
        if (r->change && !r->shows[k])
            st = verify_could(asked, f, r->change, verify_ruins(v->d, f), &r->why_not[k], err);
    }
    r->answered = st == OK;
    diagnosis_destroy(d);
    ask_close(asked);
    errors_finish(&list);
    return cli_stopped ? error_set(err, E_INTERRUPTED, "interrupted") : st;
}

// Takes the re-runs of a branch; where one gave no whole answer, all are run by themselves.
static status take_ended_branch(verifying *v, size_t leader, error *err) {
    test_run *first = &v->runs.items[leader];
    bool good = verify_find_branched(v, leader);
    status st = OK;
    limits_drop_process(first->process);
    first->process = 0;
    for (size_t k = 0; st == OK && k < v->runs.count; k++) {
        test_run *r = &v->runs.items[k];
        if (r->branch != leader || k == leader)
            continue;
        r->started = r->ended = good;
        v->ended += good;
        if (good)
            st = diagnose_rerun(v, k, err);
        else
            r->branch = ALONE;
    }
    first->started = first->ended = good;
    v->ended += good;
    if (st == OK && good)
        st = diagnose_rerun(v, leader, err);
    if (!good)
        first->branch = ALONE;
    unlink(verify_path(v, leader, ".db"));
    unlink(verify_path(v, leader, ".err"));
    return cli_stopped ? error_set(err, E_INTERRUPTED, "interrupted") : st;
}

static status take_ended_rerun(verifying *v, size_t i, int how, error *err) {
    test_run *r = &v->runs.items[i];
    if (r->branch == i)
        return take_ended_branch(v, i, err);
    int code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    limits_drop_process(r->process);
    status st = OK;
    r->process = 0;
    r->ended = true;
    v->ended++;
    if (cli_stopped)
        return error_set(err, E_INTERRUPTED, "interrupted");
    if (code == EXIT_YES || code == EXIT_NO)
        st = diagnose_rerun(v, i, err);
    else if (code == EXIT_NONE && !v->until && !first_error_line(v, i))
        st = diagnose_rerun(v, i, err); // cut off, as the episode was
    else if (first_error_line(v, i))
        r->note = first_error_line(v, i);
    else
        r->note = code == EXIT_NONE
                      ? arena_format(v->memory, "a re-run did not end within %s s", v->until)
                      : "a re-run ended without an answer";
    r->impossible = code == EXIT_WRONG;
    unlink(verify_path(v, i, ".db"));
    unlink(verify_path(v, i, ".err"));
    return st;
}

static size_t find_process(const verifying *v, pid_t pid) {
    size_t i = 0;
    while (i < v->runs.count && v->runs.items[i].process != pid)
        i++;
    return i;
}

// Runs all re-runs that have not been started, `jobs` at a time.
static status run_all(verifying *v, error *err) {
    size_t next = 0, running = 0;
    status st = OK;
    while (st == OK) {
        while (next < v->runs.count && v->runs.items[next].started)
            next++;
        if (cli_stopped)
            return error_set(err, E_INTERRUPTED, "interrupted");
        if (next < v->runs.count && running < (size_t)v->jobs) {
            st = start_rerun(v, next, err);
            running += st == OK;
            continue;
        }
        if (running == 0)
            break;
        double each = v->ended ? seconds(clock_wall() - v->began) / (double)v->ended : 0;
        progress_line(&v->line, "%zu/%zu re-runs, %.0f s left", v->ended, v->runs.count,
                      each * (double)(v->runs.count - v->ended));
        int how;
        pid_t pid = waitpid(-1, &how, 0);
        size_t i = pid > 0 ? find_process(v, pid) : v->runs.count;
        if (i == v->runs.count)
            continue; // a signal, which the loop looks at above
        running--;
        st = take_ended_rerun(v, i, how, err);
    }
    return st;
}

static void stop_all(verifying *v) {
    int how;
    for (size_t i = 0; i < v->runs.count; i++)
        if (v->runs.items[i].process)
            kill(v->runs.items[i].process, SIGTERM);
    for (size_t i = 0; i < v->runs.count; i++) {
        if (!v->runs.items[i].process)
            continue;
        while (waitpid(v->runs.items[i].process, &how, 0) < 0 && errno == EINTR)
            ;
        limits_drop_process(v->runs.items[i].process);
        v->runs.items[i].process = 0;
    }
}

// ---- Which re-runs are needed

// Returns the re-run with this flag and value, and adds it if there is none.
static size_t need_rerun(verifying *v, const char *flag, const char *value, const term *change) {
    for (size_t i = 0; i < v->runs.count; i++)
        if (strcmp(v->runs.items[i].flag, flag) == 0 && strcmp(v->runs.items[i].value, value) == 0)
            return i;
    test_run r = {.flag = flag, .value = value, .change = change, .branch = ALONE};
    r.shows = arena_alloc(v->memory, v->suspects.count + 1);
    r.why_not = arena_alloc(v->memory, (v->suspects.count + 1) * sizeof *r.why_not);
    array_push(&v->runs, r);
    return v->runs.count - 1;
}

static size_t rerun_with_change(verifying *v, const suspicion *s, size_t i) {
    return need_rerun(v, "--change", term_text(v->memory, s->changes[i]), s->changes[i]);
}

static size_t rerun_with_placebo(verifying *v, const suspicion *s, int number) {
    return need_rerun(v, "--placebo", arena_format(v->memory, "%s=%d", s->stream, number), NULL);
}

// Returns the narrowest change under which the flaw is absent; change_count: none.
static size_t narrowest_cure(verifying *v, size_t k) {
    const suspicion *s = &v->suspects.items[k];
    size_t i = 0;
    for (; i < s->change_count; i++) {
        const test_run *r = &v->runs.items[rerun_with_change(v, s, i)];
        if (r->answered && !r->shows[k] && !r->why_not[k])
            break;
    }
    return i;
}

// Returns the change that the verdict reports: the cure; without one a change that was made and did
// not help, which tells more than one that could not be made.
static size_t telling_change(verifying *v, size_t k) {
    const suspicion *s = &v->suspects.items[k];
    size_t i = narrowest_cure(v, k);
    if (i < s->change_count)
        return i;
    for (i = 0; i < s->change_count; i++) {
        const test_run *r = &v->runs.items[rerun_with_change(v, s, i)];
        if (r->answered && r->shows[k])
            return i;
    }
    for (i = 0; i < s->change_count; i++)
        if (v->runs.items[rerun_with_change(v, s, i)].answered)
            return i;
    for (i = 0; i < s->change_count; i++)
        if (!v->runs.items[rerun_with_change(v, s, i)].impossible)
            return i;
    return 0;
}

static void judge_flaw(verifying *v, diagnosis *d, size_t k) {
    const suspicion *s = &v->suspects.items[k];
    flaw_verification f = {.stream = s->stream, .gone = narrowest_cure(v, k) < s->change_count};
    bool answered = false;
    if (s->change_count > 0) {
        size_t i = telling_change(v, k);
        const test_run *r = &v->runs.items[rerun_with_change(v, s, i)];
        // The flaw is absent, but not because of the change: the re-run never reached the step.
        answered = r->answered && !r->why_not[k];
        f.note = r->answered ? r->why_not[k] : r->note;
        f.change = r->impossible ? NULL : term_text(v->memory, s->changes[i]);
    }
    for (int i = 1; f.gone && i <= VERIFY_PLACEBOS; i++) {
        const test_run *r = &v->runs.items[rerun_with_placebo(v, s, i)];
        f.placebos += r->answered;
        f.still += r->answered && r->shows[k];
        if (!r->answered)
            f.note = r->note;
    }
    diagnosis_judge(d, s->flaw, verify_verdict(&f, answered), &f);
}

static status verify_all(verifying *v, ask *asked, diagnosis *d, error *err) {
    for (size_t k = 0; k < v->suspects.count; k++)
        for (size_t i = 0; i < v->suspects.items[k].change_count; i++)
            rerun_with_change(v, &v->suspects.items[k], i);
    verify_share(v, asked);
    status st = run_all(v, err);
    // An intervention that was given on the command line must be possible.
    for (size_t i = 0; st == OK && v->named && i < v->runs.count; i++)
        if (v->runs.items[i].impossible)
            st = error_set(err, E_INPUT, "%s", v->runs.items[i].note);
    for (size_t k = 0; st == OK && k < v->suspects.count; k++)
        for (int i = 1;
             narrowest_cure(v, k) < v->suspects.items[k].change_count && i <= VERIFY_PLACEBOS; i++)
            rerun_with_placebo(v, &v->suspects.items[k], i);
    if (st == OK)
        st = run_all(v, err);
    for (size_t k = 0; st == OK && k < v->suspects.count; k++)
        judge_flaw(v, d, k);
    return st;
}

// ---- Setting up

// Joins the causes of all options --suspect; *out stays NULL without any.
static status read_suspects(const arguments *a, arena *memory, const term **out, error *err) {
    ARRAY(const term *) all = {0};
    settings checked = {0};
    status st = OK;
    for (size_t i = 0; st == OK && i < a->options.count; i++) {
        const char *text = a->options.items[i].value;
        const term *t = NULL;
        if (strcmp(a->options.items[i].flag->name, "suspect") != 0)
            continue;
        st = term_parse(memory, "--suspect", text, strlen(text), 1, 1, &t, err);
        if (st == OK)
            st = scenario_add_change(memory, t, &checked, err);
        if (st == OK)
            array_push(&all, t);
    }
    if (st == OK && all.count > 0)
        *out = all.count == 1 ? all.items[0] : term_list(memory, all.items, all.count, NULL);
    array_finish(&all);
    array_finish(&checked);
    return st;
}

static status find_program(verifying *v, error *err) {
    ssize_t n = readlink("/proc/self/exe", v->program, sizeof v->program - 1);
    if (n <= 0)
        return error_set(err, E_IO, "this program cannot be found: %s", strerror(errno));
    v->program[n] = 0;
    return OK;
}

status verify_flaws(const arguments *a, ask *asked, diagnosis *d, const char *rules,
                    const char *const *more, size_t more_count, error *err) {
    const store_episode *e = ask_episode(asked);
    const term *instead = NULL;
    verifying v = {.log = a->operands.items[0],
                   .episode = e->id,
                   .jobs = sysconf(_SC_NPROCESSORS_ONLN),
                   .d = d,
                   .rules = rules,
                   .more = more,
                   .more_count = more_count,
                   .memory = arena_create(),
                   .began = clock_wall()};
    // Without its flaw a plan takes longer, but not for ever.
    if (e->complete)
        v.until = arena_format(v.memory, "%.0f", 60 + 3 * seconds(e->end));
    status st = option_integer(a, "jobs", 1, 1024, &v.jobs, err);
    if (v.jobs < 1)
        v.jobs = 1;
    if (st == OK)
        st = read_suspects(a, v.memory, &instead, err);
    if (st == OK)
        st = verify_suspect(asked, d, instead, v.memory, &v.suspects, err);
    v.named = instead != NULL;
    v.whole = arguments_given(a, "whole");
    if (st == OK)
        st = find_program(&v, err);
    if (st == OK && v.suspects.count > 0)
        st = folder_make(v.folder, sizeof v.folder, "foresee-verify-", "the re-runs", err);
    if (st == OK && v.suspects.count > 0) {
        fingerprint_warn(v.log, v.episode);
        v.line = progress_begin(false);
        st = verify_all(&v, asked, d, err);
        progress_end(&v.line);
        stop_all(&v);
    }
    folder_remove(v.folder);
    array_finish(&v.suspects);
    array_finish(&v.runs);
    arena_destroy(v.memory);
    return st;
}

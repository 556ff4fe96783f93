// cli/batch/cluster/slurm.c - runs sbatch, squeue, scontrol and scancel.
#include "cli/batch/cluster/slurm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- Programs -----------------------------------------------------------------------------------

typedef struct answer {
    text_buffer said, complained; // standard output and standard error
    int code;                     // its exit status; -1: ended by a signal
} answer;

static void answer_finish(answer *a) {
    text_finish(&a->said);
    text_finish(&a->complained);
}

// Runs in the child. The interrupt of a terminal is not for Slurm's programs: who interrupts the
// batch wants its tasks cancelled by them.
static _Noreturn void become(const char *const *words, const int *out, const int *complaints) {
    setpgid(0, 0);
    if (dup2(out[1], STDOUT_FILENO) >= 0 && dup2(complaints[1], STDERR_FILENO) >= 0)
        execvp(words[0], (char *const *)(void *)words);
    dprintf(complaints[1], "%s", strerror(errno));
    _exit(127);
}

static void read_all(const int *from, text_buffer *const *into) {
    struct pollfd open[2] = {{from[0], POLLIN, 0}, {from[1], POLLIN, 0}};
    char block[4096];
    while (open[0].fd >= 0 || open[1].fd >= 0) {
        if (poll(open, 2, -1) < 0)
            continue; // a signal
        for (int i = 0; i < 2; i++) {
            if (open[i].fd < 0 || !open[i].revents)
                continue;
            ssize_t n = read(open[i].fd, block, sizeof block);
            if (n > 0)
                text_put_bytes(into[i], block, (size_t)n);
            else if (n == 0 || errno != EINTR)
                open[i].fd = -1;
        }
    }
}

static void trim(text_buffer *b) {
    while (b->count && strchr(" \t\r\n", b->items[b->count - 1]))
        b->items[--b->count] = 0;
}

static status run(const char *const *words, answer *a, error *err) {
    int out[2], complaints[2], how = 0;
    if (pipe2(out, O_CLOEXEC) != 0)
        return error_set(err, E_IO, "no pipe can be made: %s", strerror(errno));
    if (pipe2(complaints, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return error_set(err, E_IO, "no pipe can be made: %s", strerror(errno));
    }
    pid_t child = fork();
    if (child == 0)
        become(words, out, complaints);
    close(out[1]);
    close(complaints[1]);
    if (child > 0) {
        const int from[] = {out[0], complaints[0]};
        text_buffer *const into[] = {&a->said, &a->complained};
        read_all(from, into);
        while (waitpid(child, &how, 0) < 0 && errno == EINTR)
            ;
    }
    close(out[0]);
    close(complaints[0]);
    if (child < 0)
        return error_set(err, E_MEMORY, "%s cannot be started: %s", words[0], strerror(errno));
    a->code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    trim(&a->complained);
    return OK;
}

// Runs a program that must succeed; `failing` is the sentence before its own words.
static status run_well(const char *const *words, const char *failing, answer *a, error *err) {
    status st = run(words, a, err);
    if (st == OK && a->code == 127)
        st = error_set(err, E_USAGE,
                       "%s cannot be started: %s; --engine slurm needs the programs of Slurm "
                       "in $PATH",
                       words[0], text_string(&a->complained));
    else if (st == OK && a->code != 0)
        st = error_set(err, E_IO, "%s: %s", failing,
                       a->complained.count ? text_string(&a->complained) : "it does not say why");
    return st;
}

// ---- What is asked ------------------------------------------------------------------------------

status slurm_probe(size_t *tasks, error *err) {
    static const char *const version[] = {"sbatch", "--version", NULL}, *const config[] = {
                                                                            "scontrol", "show",
                                                                            "config", NULL};
    answer a = {0}, b = {0};
    status st = run_well(version, "sbatch does not work", &a, err);
    if (st == OK)
        st = run_well(config, "the cluster does not answer scontrol", &b, err);
    const char *at = st == OK ? strstr(text_string(&b.said), "MaxArraySize") : NULL;
    size_t size = 0;
    // The largest number of a task is less than this size.
    if (st == OK && (!at || sscanf(at, "MaxArraySize = %zu", &size) != 1 || size < 2))
        st = error_set(err, E_IO, "the cluster takes no arrays of jobs: MaxArraySize is %zu", size);
    *tasks = size > 1 ? size - 1 : 0;
    answer_finish(&a);
    answer_finish(&b);
    return st;
}

status slurm_submit(const char *name, const char *array, const char *folder, const char *script,
                    error *err) {
    answer a = {0};
    text_buffer job = {0}, tasks = {0}, output = {0};
    text_add(&job, "--job-name=%s", name);
    text_add(&tasks, "--array=%s", array);
    text_add(&output, "--output=%s/slurm-%%a.out", folder);
    const char *const words[] = {"sbatch",
                                 "--parsable",
                                 "--no-requeue",
                                 text_string(&job),
                                 text_string(&tasks),
                                 text_string(&output),
                                 script,
                                 NULL};
    status st = run_well(words, "sbatch refuses the tasks", &a, err);
    text_finish(&job);
    text_finish(&tasks);
    text_finish(&output);
    answer_finish(&a);
    return st;
}

status slurm_tasks(const char *names,
                   void (*each)(void *context, const char *name, size_t task, bool running),
                   void *context, error *err) {
    answer a = {0};
    text_buffer name = {0};
    text_add(&name, "--name=%s", names);
    const char *const words[] = {"squeue",           "--noheader",        "--array",
                                 text_string(&name), "--format=%j %K %t", NULL};
    status st = run_well(words, "the cluster does not answer squeue", &a, err);
    const char *at = st == OK ? text_string(&a.said) : "";
    for (; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char job[256], state[16];
        size_t task;
        if (sscanf(at, "%255s %zu %15s", job, &task, state) == 3)
            each(context, job, task, strcmp(state, "R") == 0);
    }
    text_finish(&name);
    answer_finish(&a);
    return st;
}

void slurm_cancel(const char *name) {
    answer a = {0};
    text_buffer job = {0};
    text_add(&job, "--name=%s", name);
    const char *const words[] = {"scancel", text_string(&job), NULL};
    run(words, &a, NULL);
    text_finish(&job);
    answer_finish(&a);
}

// cli/batch/cluster/parts.c - plans parts, has them projected, looks after them and fetches their
// samples.
#include "cli/batch/cluster/parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files/output.h"
#include "base/hash.h"
#include "base/time/clock.h"
#include "cli/batch/cluster/part.h"
#include "cli/batch/cluster/slurm.h"
#include "report/shell.h"

enum {
    TRIES = 3,       // of a part whose tasks are lost
    MISSED = 2,      // looks without its task and without its file, after which a part is lost
    FIRST_WAVE = 8,  // parts of the first wave of a batch that may stop early
    WAVE_MOST = 1000 // parts of a wave where no array limits them
};
static const nanos PAUSE = 100000000; // between looks for a file
static const nanos LOOK_FIRST = NANOS_PER_SECOND, LOOK_MOST = 15 * NANOS_PER_SECOND; // of squeue

typedef struct piece {
    size_t wave, number;
    part_runs runs;
    size_t left; // samples that are not in the log
    bool there;
    char *lines;    // of its samples, once it is there
    const char *at; // the next of them
    bool listed;    // its task waits or runs
    size_t missed, tries;
} piece;

typedef struct parts {
    engine head; // must be first
    course *b;
    parts_options o;
    arena *memory, *scratch; // the latter until the next look
    char folder[4096];
    const char *job; // the name of the jobs, without the wave
    int lock;
    ARRAY(piece) pieces;       // those of a wave stand side by side
    ARRAY(size_t) first_piece; // of each wave; wave 0 is what is projected here
    size_t *piece_of;          // of each sample: the number of its piece from 1; 0: none
    size_t waves, last_wave;   // waves; pieces of the last one
    size_t dry;                // the sample at which no more were wanted; SIZE_MAX: none
    bool owned, submitted;
    double sample_s; // measured; 0: not yet
    nanos look_at, look_after;
    size_t running;
    bool silent; // the cluster did not answer the last time
} parts;

static const char *wave_folder(const parts *p, size_t wave) {
    return arena_format(p->scratch, "%s/%zu", p->folder, wave);
}

static const char *wave_job(const parts *p, size_t wave) {
    return arena_format(p->scratch, "%s-%zu", p->job, wave);
}

static bool is_outstanding(const piece *one) {
    return !one->there && one->left > 0;
}

static size_t outstanding(const parts *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->pieces.count; i++)
        count += is_outstanding(&p->pieces.items[i]);
    return count;
}

// ---- Samples of a piece -------------------------------------------------------------------------

static size_t sample_of(const course *b, const part_run *r, size_t k) {
    return (size_t)(r->seed - b->first_seed) * b->c->count + r->plan + k;
}

// Takes over those samples of a piece that this batch lacks and no other piece has.
static void own_samples(parts *p, size_t which) {
    piece *one = &p->pieces.items[which];
    for (size_t i = 0; i < one->runs.count; i++)
        for (size_t k = 0; k < one->runs.items[i].count; k++) {
            const part_run *r = &one->runs.items[i];
            if (r->seed < p->b->first_seed)
                continue;
            size_t at = sample_of(p->b, r, k);
            if (at >= p->b->count || p->b->episodes[at] || p->piece_of[at])
                continue;
            p->piece_of[at] = which + 1;
            one->left++;
        }
}

static piece *add_piece(parts *p, size_t wave, size_t number, part_runs runs) {
    piece one = {.wave = wave, .number = number, .runs = runs};
    array_push(&p->pieces, one);
    own_samples(p, p->pieces.count - 1);
    return &p->pieces.items[p->pieces.count - 1];
}

// A part tells of exactly its samples, in order.
static bool tells_all(const piece *one, size_t plans) {
    const char *at = one->lines;
    sample_lines lines;
    for (size_t i = 0; i < one->runs.count; i++)
        for (size_t k = 0; k < one->runs.items[i].count; k++) {
            const part_run *r = &one->runs.items[i];
            if (!sample_next(&at, &lines) || lines.which != (r->plan + k) % plans ||
                lines.seed != r->seed + (int64_t)((r->plan + k) / plans))
                return false;
        }
    return *at == 0;
}

// Looks for a part, which is projected again where it is damaged.
static void look_for(parts *p, piece *one) {
    const char *folder = wave_folder(p, one->wave);
    error err = {0};
    if (one->there || !part_present(folder, one->number))
        return;
    status st = part_read(folder, one->number, &one->lines, &err);
    if (st == OK && !tells_all(one, p->b->c->count))
        st = error_at(&err, E_INPUT, folder, 0, 0, "part %zu is damaged: it has other samples",
                      one->number);
    if (st == OK) {
        one->there = true;
        one->at = one->lines;
        return;
    }
    cli_remark(&err, "warning");
    cli_print(stderr, "foresee: note: part %zu of %s/manifest.yaml is to be projected again\n",
              one->number, folder);
    free(one->lines);
    one->lines = NULL;
    part_remove(folder, one->number);
    one->missed = MISSED;
}

// ---- Tasks --------------------------------------------------------------------------------------

static const char *last_words(const parts *p, const piece *one) {
    char *text = NULL;
    size_t length = 0;
    const char *path =
        arena_format(p->scratch, "%s/slurm-%zu.out", wave_folder(p, one->wave), one->number);
    if (file_read(path, &text, &length, NULL) != OK)
        return "it left no words";
    while (length && strchr(" \n\r\t", text[length - 1]))
        length--;
    size_t from = length > 300 ? length - 300 : 0;
    const char *words =
        length ? arena_copy(p->scratch, text + from, length - from) : "it left no words";
    free(text);
    return words;
}

// Appends the lost parts of a wave as an array; false: there is none.
static bool lost_array(const parts *p, size_t wave, text_buffer *out) {
    size_t first = 0, last = 0;
    for (size_t i = 0; i <= p->pieces.count; i++) {
        const piece *one = i < p->pieces.count ? &p->pieces.items[i] : NULL;
        if (one && (one->wave != wave || !is_outstanding(one) || one->missed < MISSED))
            continue;
        if (one && last && one->number == last + 1) {
            last++;
            continue;
        }
        if (last)
            text_add(out, first < last ? "%s%zu-%zu" : "%s%zu", out->count ? "," : "", first, last);
        if (one)
            first = last = one->number;
    }
    return out->count > 0;
}

static status check_tries(const parts *p, size_t wave, error *err) {
    for (size_t i = 0; i < p->pieces.count; i++) {
        const piece *one = &p->pieces.items[i];
        if (one->wave == wave && is_outstanding(one) && one->missed >= MISSED &&
            one->tries >= TRIES)
            return error_set(err, E_IO,
                             "part %zu of %s/manifest.yaml was lost %d times; the last task said: "
                             "%s; with --resume the batch goes on",
                             one->number, wave_folder(p, wave), TRIES, last_words(p, one));
    }
    return OK;
}

static void count_try(parts *p, size_t wave) {
    for (size_t i = 0; i < p->pieces.count; i++) {
        piece *one = &p->pieces.items[i];
        if (one->wave != wave || !is_outstanding(one) || one->missed < MISSED)
            continue;
        one->tries++;
        one->missed = 0;
    }
}

// Submits the lost parts of a wave, those of a new wave too. Where the cluster refuses them while
// it has others, they wait.
static status submit_wave(parts *p, size_t wave, error *err) {
    text_buffer array = {0};
    status st = check_tries(p, wave, err);
    if (st == OK && lost_array(p, wave, &array)) {
        const char *folder = wave_folder(p, wave);
        error refused = {0};
        st = slurm_submit(wave_job(p, wave), text_string(&array), folder,
                          arena_format(p->scratch, "%s/job.sh", folder), &refused);
        bool others = false;
        for (size_t i = 0; i < p->pieces.count; i++)
            others = others ||
                     (is_outstanding(&p->pieces.items[i]) && p->pieces.items[i].missed < MISSED);
        if (st == OK) {
            count_try(p, wave);
            p->submitted = true;
        } else if (others) {
            if (!p->silent)
                cli_remark(&refused, "warning");
            p->silent = true;
            st = OK;
        } else if (err) {
            *err = refused;
        }
    }
    text_finish(&array);
    return st;
}

static void note_task(void *context, const char *name, size_t task, bool running) {
    parts *p = context;
    size_t wave, length = strlen(p->job);
    if (strncmp(name, p->job, length) != 0 || sscanf(name + length, "-%zu", &wave) != 1 ||
        wave < 1 || wave > p->waves || task < 1)
        return;
    size_t at = p->first_piece.items[wave] + task - 1;
    if (at >= p->pieces.count || p->pieces.items[at].wave != wave)
        return;
    p->pieces.items[at].listed = true;
    p->running += running && is_outstanding(&p->pieces.items[at]);
}

// Asks the cluster which tasks it has, and submits those anew whose parts were lost.
static status look_at_tasks(parts *p, error *err) {
    text_buffer names = {0};
    error silence = {0};
    status st = OK;
    p->look_at = clock_wall() + p->look_after;
    p->look_after = p->look_after * 3 / 2 < LOOK_MOST ? p->look_after * 3 / 2 : LOOK_MOST;
    for (size_t w = 1; w <= p->waves; w++)
        text_add(&names, "%s%s", w > 1 ? "," : "", wave_job(p, w));
    p->running = 0;
    for (size_t i = 0; i < p->pieces.count; i++)
        p->pieces.items[i].listed = false;
    if (slurm_tasks(text_string(&names), note_task, p, &silence) != OK) {
        if (!p->silent)
            cli_remark(&silence, "warning");
        p->silent = true;
    } else {
        p->silent = false;
        for (size_t i = 0; i < p->pieces.count; i++) {
            piece *one = &p->pieces.items[i];
            look_for(p, one);
            if (one->listed && one->missed < MISSED)
                one->missed = 0;
            else if (!one->listed && is_outstanding(one))
                one->missed++;
        }
        for (size_t w = 1; w <= p->waves && st == OK; w++)
            st = submit_wave(p, w, err);
    }
    text_finish(&names);
    return st;
}

// ---- Waves --------------------------------------------------------------------------------------

static status make_folder(const char *path, error *err) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return OK;
    return error_at(err, output_code(errno), path, 0, 0, "the folder cannot be made: %s",
                    strerror(errno));
}

static bool replaces_any(const void *context, const char *path) {
    (void)context;
    (void)path;
    return true;
}

static status write_file(const char *path, const text_buffer *text, error *err) {
    static const output_policy ours = {.what = "part of a batch", .replaces = replaces_any};
    const output_file file = {path, text_string(text), text->count, &ours};
    return output_write(&file, 1, true, err);
}

static status write_job(const parts *p, const char *folder, error *err) {
    char program[4096];
    text_buffer job = {0};
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n < 0)
        return error_set(err, E_IO, "the path of foresee is not known: %s", strerror(errno));
    program[n] = 0;
    text_put(&job, "#!/bin/sh\nexec ");
    shell_word(&job, program);
    text_put(&job, " batch -q --part \"$SLURM_ARRAY_TASK_ID\" -j \"${SLURM_CPUS_PER_TASK:-1}\" ");
    if (p->o.memory)
        text_add(&job, "--memory %s ", p->o.memory);
    shell_word(&job, arena_format(p->scratch, "%s/manifest.yaml", folder));
    text_put(&job, "\n");
    status st = write_file(arena_format(p->scratch, "%s/job.sh", folder), &job, err);
    text_finish(&job);
    return st;
}

static status write_wave(parts *p, const char *folder, size_t first_piece, error *err) {
    text_buffer text = {0};
    status st = make_folder(folder, err);
    if (st == OK)
        st = manifest_head(p->b->c, &text, err);
    for (size_t i = first_piece; i < p->pieces.count; i++)
        manifest_part(p->pieces.items[i].runs.items, p->pieces.items[i].runs.count, &text);
    if (st == OK && p->o.tasks)
        st = write_job(p, folder, err);
    if (st == OK)
        st = write_file(arena_format(p->scratch, "%s/manifest.yaml", folder), &text, err);
    text_finish(&text);
    return st;
}

// Gives the runs of the next samples that are wanted and that no piece has, so many at most.
static part_runs next_runs(const parts *p, size_t *from, size_t most) {
    const course *b = p->b;
    ARRAY(part_run) runs = {0};
    size_t taken = 0, i = *from, end = 0;
    for (; i < b->count && taken < most; i++) {
        if (p->piece_of[i] || !course_wants(b, i))
            continue;
        if (runs.count && end == i)
            runs.items[runs.count - 1].count++;
        else
            array_push(&runs, (part_run){course_seed(b, i), course_candidate(b, i), 1});
        end = i + 1;
        taken++;
    }
    *from = i;
    part_runs out = {arena_alloc(p->memory, (runs.count + 1) * sizeof *runs.items), runs.count};
    if (runs.count)
        memcpy(out.items, runs.items, runs.count * sizeof *runs.items);
    array_finish(&runs);
    return out;
}

static status plan_wave(parts *p, error *err) {
    double fit = p->o.chunk / p->sample_s;
    size_t each = fit < 1     ? 1
                  : fit > 1e6 ? 1000000
                              : (size_t)fit,
           from = p->b->at, most = p->o.tasks ? p->o.tasks : WAVE_MOST, before = p->pieces.count;
    size_t taken = p->b->results.samples.count / each;
    if (p->o.may_stop)
        most = taken < FIRST_WAVE ? (most < FIRST_WAVE ? most : FIRST_WAVE)
               : taken < most     ? taken
                                  : most;
    while (p->pieces.count - before < most) {
        part_runs runs = next_runs(p, &from, each);
        if (runs.count == 0)
            break;
        add_piece(p, p->waves + 1, p->pieces.count - before + 1, runs)->missed = MISSED;
    }
    p->dry = p->pieces.count > before ? SIZE_MAX : p->b->at;
    if (p->pieces.count == before)
        return OK;
    p->last_wave = p->pieces.count - before;
    array_push(&p->first_piece, before);
    const char *folder = wave_folder(p, ++p->waves);
    status st = write_wave(p, folder, before, err);
    if (st == OK && p->o.tasks) {
        p->look_after = LOOK_FIRST;
        p->look_at = clock_wall() + LOOK_FIRST;
        return submit_wave(p, p->waves, err);
    }
    if (st == OK && !p->o.quiet)
        cli_print(
            stderr,
            "foresee: note: waiting for parts 1 to %zu of %s/manifest.yaml; each is projected "
            "by 'foresee batch --part N MANIFEST'\n",
            p->last_wave, folder);
    return st;
}

// Projects a piece of one sample here, to know how many fill a part.
static status measure(parts *p, const piece *one, error *err) {
    const char *folder = wave_folder(p, one->wave);
    course_show(p->b, 1);
    nanos began = clock_wall();
    status st = make_folder(folder, err);
    if (st == OK)
        st = part_project(p->b->c, &one->runs, folder, one->number, 1, err);
    double spent = seconds(clock_wall() - began);
    p->sample_s = spent > 0.001 ? spent : 0.001;
    return st;
}

// ---- The engine ---------------------------------------------------------------------------------

static void give(parts *p, piece *one, size_t i, fetched *out) {
    sample_lines lines = {0};
    while (sample_next(&one->at, &lines) &&
           (lines.seed != course_seed(p->b, i) || lines.which != course_candidate(p->b, i)))
        ; // samples that are not wanted any more
    out->answered = lines.episode > 0;
    out->episode = lines.episode;
    out->lines = strndup(lines.begin, (size_t)(lines.end - lines.begin));
    part_path(wave_folder(p, one->wave), one->number, "db", out->log, sizeof out->log);
}

// The cluster is kept busy: a wave is planned when half of the parts of the last one are there.
static status go_on(parts *p, size_t i, error *err) {
    status st = OK;
    if (!p->piece_of[i] && p->sample_s == 0) {
        part_run *run = arena_alloc(p->memory, sizeof *run);
        *run = (part_run){course_seed(p->b, i), course_candidate(p->b, i), 1};
        add_piece(p, 0, 1, (part_runs){run, 1});
    } else if (!p->piece_of[i] ||
               (p->sample_s > 0 && p->dry != p->b->at && outstanding(p) <= p->last_wave / 2)) {
        st = plan_wave(p, err);
    }
    if (st != OK)
        return st;
    ASSERT(p->piece_of[i]);
    const piece *one = &p->pieces.items[p->piece_of[i] - 1];
    if (one->wave == 0)
        return measure(p, one, err);
    if (p->o.tasks && p->waves && clock_wall() >= p->look_at)
        st = look_at_tasks(p, err);
    return st;
}

static status parts_fetch(engine *e, size_t i, bool only_ended, fetched *out, error *err) {
    parts *p = (parts *)e;
    for (;;) {
        arena_reset(p->scratch);
        piece *one = p->piece_of[i] ? &p->pieces.items[p->piece_of[i] - 1] : NULL;
        if (one)
            look_for(p, one);
        if (one && one->there) {
            give(p, one, i, out);
            return OK;
        }
        if (only_ended)
            return E_LIMIT;
        if (cli_stopped)
            return error_set(err, E_INTERRUPTED, "interrupted");
        status st = go_on(p, i, err);
        if (st != OK)
            return st;
        if (!one)
            continue;
        course_show(p->b, p->running);
        nanosleep(&(struct timespec){0, PAUSE}, NULL);
    }
}

static void parts_release(engine *e, size_t i) {
    parts *p = (parts *)e;
    piece *one = &p->pieces.items[p->piece_of[i] - 1];
    if (--one->left > 0)
        return;
    free(one->lines);
    one->lines = NULL;
    part_remove(wave_folder(p, one->wave), one->number);
}

static void parts_stop(engine *e) {
    parts *p = (parts *)e;
    for (size_t w = 1; w <= p->waves && p->o.tasks; w++)
        for (size_t i = 0; i < p->pieces.count; i++)
            if (p->pieces.items[i].wave == w && is_outstanding(&p->pieces.items[i])) {
                slurm_cancel(wave_job(p, w));
                break;
            }
}

// Removes a folder of files, and of folders of files.
static void remove_folder(const char *path) {
    DIR *all = opendir(path);
    struct dirent *one;
    char below[8192];
    while (all && (one = readdir(all))) {
        if (strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0)
            continue;
        snprintf(below, sizeof below, "%.4000s/%s", path, one->d_name);
        if (unlink(below) != 0)
            remove_folder(below);
    }
    if (all)
        closedir(all);
    rmdir(path);
}

static void parts_destroy(engine *e) {
    parts *p = (parts *)e;
    // What a batch that did not end has of parts is kept for the one that resumes it.
    bool kept = decision_state(p->b->decision) == DECISION_OPEN && p->waves &&
                (p->submitted || p->o.resume || !p->o.tasks);
    if (p->owned && !kept)
        remove_folder(p->folder);
    for (size_t i = 0; i < p->pieces.count; i++)
        free(p->pieces.items[i].lines);
    array_finish(&p->pieces);
    array_finish(&p->first_piece);
    free(p->piece_of);
    if (p->lock >= 0)
        close(p->lock);
    arena_destroy(p->scratch);
    arena_destroy(p->memory);
    free(p);
}

// ---- What is there already ----------------------------------------------------------------------

static status take_over(parts *p, size_t wave, error *err) {
    const char *path = arena_format(p->scratch, "%s/manifest.yaml", wave_folder(p, wave));
    char *text = NULL;
    size_t length;
    text_buffer head = {0};
    manifest m = {0};
    errors list = {0};
    status st = file_read(path, &text, &length, err);
    if (st == OK)
        st = manifest_head(p->b->c, &head, err);
    if (st == OK && (length < head.count || memcmp(text, text_string(&head), head.count) != 0))
        st = error_at(err, E_INPUT, path, 0, 0,
                      "these parts are of other plans, parameters or options, or of another "
                      "foresee; resume with what they were made from, or remove the folder %s",
                      p->folder);
    if (st == OK && manifest_read(p->memory, path, &m, &list) != OK) {
        *err = list.items[0];
        st = err->code;
    }
    array_push(&p->first_piece, p->pieces.count);
    for (size_t k = 0; k < m.part_count && st == OK; k++)
        add_piece(p, wave, k + 1, m.parts[k])->missed = MISSED - 1;
    manifest_finish(&m);
    errors_finish(&list);
    text_finish(&head);
    free(text);
    return st;
}

static status take_over_all(parts *p, error *err) {
    status st = OK;
    while (st == OK &&
           access(arena_format(p->scratch, "%s/manifest.yaml", wave_folder(p, p->waves + 1)),
                  F_OK) == 0)
        st = take_over(p, ++p->waves, err);
    return st;
}

// One batch at a time has the folder; the lock ends with its process.
static status own_folder(parts *p, error *err) {
    bool made = mkdir(p->folder, 0777) == 0;
    if (!made && errno != EEXIST)
        return error_at(err, output_code(errno), p->folder, 0, 0,
                        "no folder for the parts can be made: %s", strerror(errno));
    p->lock = open(p->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (p->lock < 0 || flock(p->lock, LOCK_EX | LOCK_NB) != 0)
        return error_at(err, E_INPUT, p->folder, 0, 0,
                        errno == EWOULDBLOCK ? "another batch is at work on this log"
                                             : "this is no folder of parts");
    if (!made && !p->o.resume)
        return error_at(err, E_INPUT, p->folder, 0, 0,
                        "here are parts of a batch that did not end; go on with it with "
                        "--resume, or remove the folder");
    p->owned = true;
    return OK;
}

status engine_parts(course *b, const parts_options *options, engine **out, error *err) {
    static const engine_class class = {parts_fetch, parts_release, parts_stop, parts_destroy};
    parts *p = mem_must(1, sizeof *p);
    p->head.class = &class;
    p->b = b;
    p->o = *options;
    p->lock = -1;
    p->dry = SIZE_MAX;
    p->look_after = LOOK_FIRST;
    p->memory = arena_create();
    p->scratch = arena_create();
    array_push(&p->first_piece, 0);
    p->piece_of = mem_must(b->count + 1, sizeof *p->piece_of);
    snprintf(p->folder, sizeof p->folder, "%.4000s.parts", candidates_place(p->memory, b->output));
    p->job =
        arena_format(p->memory, "foresee-%016" PRIx64, hash_bytes(p->folder, strlen(p->folder)));
    status st = own_folder(p, err);
    if (st == OK && options->resume)
        st = take_over_all(p, err);
    if (st == OK)
        *out = &p->head;
    else
        parts_destroy(&p->head);
    return st;
}

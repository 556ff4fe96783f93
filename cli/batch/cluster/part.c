// cli/batch/cluster/part.c - projects the samples of a part, and puts them where they are fetched.
#include "cli/batch/cluster/part.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/output.h"
#include "base/hash.h"

void part_path(const char *folder, size_t number, const char *ending, char *path, size_t size) {
    snprintf(path, size, "%.4000s/part-%zu.%s", folder, number, ending);
}

// ---- The bytes of a log -------------------------------------------------------------------------

typedef struct mapped {
    void *bytes;
    size_t length;
} mapped;

static status map_file(const char *path, mapped *out, error *err) {
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    status st = OK;
    out->bytes = MAP_FAILED;
    if (file >= 0 && fstat(file, &info) == 0 && info.st_size > 0) {
        out->length = (size_t)info.st_size;
        out->bytes = mmap(NULL, out->length, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (out->bytes == MAP_FAILED)
        st = error_at(err, E_INPUT, path, 0, 0, "the log of the part cannot be read: %s",
                      file >= 0 && errno == 0 ? "it is empty" : strerror(errno));
    if (file >= 0)
        close(file);
    return st;
}

static uint64_t hash_part(const mapped *log, const char *lines) {
    return hash_mix(hash_bytes(log->bytes, log->length), hash_bytes(lines, strlen(lines)));
}

// ---- Projecting ---------------------------------------------------------------------------------

static void find_seeds(const part_runs *runs, size_t plans, int64_t *first, int64_t *last) {
    *first = INT64_MAX;
    *last = 0;
    for (size_t i = 0; i < runs->count; i++) {
        const part_run *r = &runs->items[i];
        int64_t end = r->seed + (int64_t)((r->plan + r->count - 1) / plans);
        *first = r->seed < *first ? r->seed : *first;
        *last = end > *last ? end : *last;
    }
}

// The course of a part is that of its seeds; what is not in the part counts as recorded.
static void prepare(course *b, const part_runs *runs, int64_t last) {
    size_t plans = b->c->count;
    b->count = (size_t)(last - b->first_seed + 1) * plans;
    b->episodes = mem_must(b->count + 1, sizeof *b->episodes);
    for (size_t i = 0; i < b->count; i++)
        b->episodes[i] = 1;
    for (size_t i = 0; i < runs->count; i++) {
        const part_run *r = &runs->items[i];
        size_t from = (size_t)(r->seed - b->first_seed) * plans + r->plan;
        memset(b->episodes + from, 0, r->count * sizeof *b->episodes);
    }
    decision_options all = {
        .rule = DECIDE_ROWS, .candidates = plans, .rows = last - b->first_seed + 1, .alpha = 0.05};
    b->decision = decision_create(&all);
}

static status take(const course *b, engine *e, log_merger *into, size_t i, text_buffer *lines,
                   error *err) {
    fetched f = {0};
    sample_lines one = {0};
    status st = e->class->fetch(e, i, false, &f, err);
    const char *at = f.lines;
    if (st == OK && f.answered && at && sample_next(&at, &one)) {
        if (one.episode) // otherwise it was refused
            st = log_merger_append(into, f.log, f.episode, err);
        const char *rest = one.begin;
        for (int k = 0; k < 4; k++)
            rest = strchr(rest, '\t') + 1;
        text_add(lines, "sample\t%zu\t%lld\t%lld\t", one.which, (long long)one.seed,
                 one.episode ? (long long)log_merger_episode(into) : 0);
        text_put_bytes(lines, rest, (size_t)(one.end - rest));
    } else if (st == OK) {
        text_add(lines, "sample\t%zu\t%lld\t0\tcrashed\t0\n", course_candidate(b, i),
                 (long long)course_seed(b, i));
    }
    free(f.lines);
    if (st == OK)
        e->class->release(e, i);
    return st;
}

static status take_all(course *b, const char *log, text_buffer *lines, error *err) {
    log_merger *into = NULL;
    status st = log_merger_open(log, &into, err);
    engine *e = engine_local(b);
    for (size_t i = 0; i < b->count && st == OK; i++)
        if (!b->episodes[i])
            st = take(b, e, into, i, lines, err);
    e->class->stop(e);
    e->class->destroy(e);
    log_merger_close(into);
    return st;
}

static bool replaces_any(const void *context, const char *path) {
    (void)context;
    (void)path;
    return true;
}

// Both files or none; the log last.
static status put_files(const char *log, const char *lines, const char *folder, size_t number,
                        error *err) {
    static const output_policy parts = {.what = "part", .replaces = replaces_any};
    char db[4096 + 64], txt[4096 + 64];
    text_buffer said = {0};
    mapped bytes;
    status st = map_file(log, &bytes, err);
    if (st != OK)
        return st;
    part_path(folder, number, "db", db, sizeof db);
    part_path(folder, number, "txt", txt, sizeof txt);
    text_add(&said, "part %016" PRIx64 "\n%s", hash_part(&bytes, lines), lines);
    const output_file files[] = {{txt, text_string(&said), said.count, &parts},
                                 {db, bytes.bytes, bytes.length, &parts}};
    st = output_write(files, 2, true, err);
    text_finish(&said);
    munmap(bytes.bytes, bytes.length);
    return st;
}

status part_project(const candidates *c, const part_runs *runs, const char *folder, size_t number,
                    int64_t jobs, error *err) {
    const char *temporary = getenv("TMPDIR");
    char beside[4096], log[4096 + 32];
    int64_t last;
    text_buffer lines = {0};
    course b = {.c = c, .jobs = jobs, .output = beside};
    snprintf(beside, sizeof beside, "%.4000s/part", temporary && temporary[0] ? temporary : "/tmp");
    find_seeds(runs, c->count, &b.first_seed, &last);
    status st = candidates_check_draws(c, b.first_seed, last - b.first_seed + 1, err);
    if (st == OK)
        st = course_begin(&b, err);
    if (st != OK)
        return st;
    prepare(&b, runs, last);
    snprintf(log, sizeof log, "%.4000s/part.db", b.folder);
    st = take_all(&b, log, &lines, err);
    if (st == OK)
        st = put_files(log, text_string(&lines), folder, number, err);
    course_end(&b);
    text_finish(&lines);
    decision_destroy(b.decision);
    free(b.episodes);
    return st;
}

// ---- Fetching -----------------------------------------------------------------------------------

bool part_present(const char *folder, size_t number) {
    char path[4096 + 64];
    part_path(folder, number, "db", path, sizeof path);
    return access(path, F_OK) == 0;
}

status part_read(const char *folder, size_t number, char **lines, error *err) {
    char path[4096 + 64], *text = NULL;
    size_t length;
    uint64_t hash = 0;
    mapped bytes;
    part_path(folder, number, "txt", path, sizeof path);
    status st = file_read(path, &text, &length, err);
    if (st != OK)
        return st;
    const char *rest = strchr(text, '\n');
    bool good = rest && strlen(text) == length && sscanf(text, "part %16" SCNx64, &hash) == 1;
    part_path(folder, number, "db", path, sizeof path);
    if (good)
        st = map_file(path, &bytes, err);
    if (good && st == OK) {
        good = hash_part(&bytes, rest + 1) == hash;
        munmap(bytes.bytes, bytes.length);
    }
    if (st == OK && !good)
        st = error_at(err, E_INPUT, path, 0, 0,
                      "the part is damaged: its bytes are not those that were written");
    if (st == OK)
        *lines = mem_strdup(rest + 1);
    free(text);
    return st;
}

void part_remove(const char *folder, size_t number) {
    static const char *const endings[] = {"db", "txt"};
    char path[4096 + 64];
    for (size_t i = 0; i < 2; i++) {
        part_path(folder, number, endings[i], path, sizeof path);
        unlink(path);
    }
}

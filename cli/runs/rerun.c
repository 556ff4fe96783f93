// cli/runs/rerun.c - reads what an episode was run with from its log.
#include "cli/runs/rerun.h"

#include "base/text/number.h"
#include "plans/plan.h"
#include "projector/recording.h"
#include "schema/motion/keyframe.h"
#include "schema/store/store.h"

// Returns a whole text column of a row; NULL in the log gives "".
static const char *column_text(rerun *r, sqlite3_stmt *row, int i) {
    const char *text = (const char *)sqlite3_column_text(row, i);
    return arena_copy(r->memory, text ? text : "", (size_t)sqlite3_column_bytes(row, i));
}

static status each_row(const store *log, const char *path, const char *sql, int64_t episode,
                       rerun *r, void (*take)(rerun *r, sqlite3_stmt *row), error *err) {
    sqlite3_stmt *row = NULL;
    sqlite3 *db = store_db(log);
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
        return store_failed(db, path, "reading what was run", err);
    sqlite3_bind_int64(row, 1, episode);
    int step;
    while ((step = sqlite3_step(row)) == SQLITE_ROW)
        take(r, row);
    status st = step == SQLITE_DONE ? OK : store_failed(db, path, "reading what was run", err);
    sqlite3_finalize(row);
    return st;
}

typedef ARRAY(kept_file) kept_files;

// The files own `items`, which grows here until they are complete.
static void take_source(rerun *r, sqlite3_stmt *row) {
    const char *kind = column_text(r, row, 0);
    kept_files all = {(kept_file *)(uintptr_t)r->files.items, r->files.count, r->files.count};
    kept_file f = {.name = column_text(r, row, 1),
                   .text = column_text(r, row, 2),
                   .length = (size_t)sqlite3_column_bytes(row, 2),
                   .hash_only = strcmp(kind, "mesh") == 0 || strcmp(kind, "model") == 0 ||
                                strcmp(kind, RECORDING_SOURCE) == 0};
    const char **first = strcmp(kind, "plan") == 0             ? &r->plan
                         : strcmp(kind, "world") == 0          ? &r->world
                         : strcmp(kind, "robot") == 0          ? &r->robot
                         : strcmp(kind, RECORDING_SOURCE) == 0 ? &r->telemetry
                                                               : NULL;
    if (first && !*first)
        *first = f.name;
    array_push(&all, f);
    r->files.items = all.items;
    r->files.count = all.count;
}

// Logs before tolerance_mm have the factor that it is of the default.
static void name_millimetres(rerun *r, setting *s) {
    double scale;
    char text[NUMBER_SIZE];
    if (strcmp(s->scope, "log") != 0 || strcmp(s->name, "tolerance") != 0 ||
        !keyframe_scale_logged(s->name, s->value, &scale))
        return;
    keyframe_scale_text(scale, text);
    s->name = "tolerance_mm";
    s->value = arena_strdup(r->memory, text);
}

static void take_parameter(rerun *r, sqlite3_stmt *row) {
    setting s = {column_text(r, row, 0), column_text(r, row, 1), column_text(r, row, 2)};
    name_millimetres(r, &s);
    bool condition = strcmp(s.scope, "change") == 0 || strcmp(s.scope, "placebo") == 0;
    if (strcmp(s.scope, RECORDING_SOURCE) == 0)
        number_parse_integer(s.value, strlen(s.value), &r->recorded);
    else if (strcmp(s.scope, "branch") == 0)
        array_push(&r->branches, s);
    else if (condition)
        array_push(&r->conditions, s);
    else
        array_push(&r->set, s);
}

// The value that a parameter of the plan, or of the plan that one of several robots runs, has
// without the setting; NULL: it is not known.
static const char *default_of(const plan *p, const setting *s) {
    const parameters *all = plan_parameters(p);
    const char *name = strcmp(s->scope, "plan") == 0 ? s->name : NULL;
    for (size_t i = 0; !name && i < plan_member_count(p); i++) {
        const plan_member *m = plan_member_at(p, i);
        if (m->plan || strcmp(m->name, s->scope) != 0 || strncmp(s->name, "plan.", 5) != 0)
            continue;
        name = s->name + 5;
        for (size_t k = m->set.count; k > 0; k--)
            if (strcmp(m->set.items[k - 1].scope, "plan") == 0 &&
                strcmp(m->set.items[k - 1].name, name) == 0)
                return m->set.items[k - 1].value;
    }
    for (size_t i = 0; name && i < all->count; i++)
        if (strcmp(all->items[i].name, name) == 0)
            return all->items[i].value;
    return NULL;
}

// Drops settings of the plan that equal its defaults, since edits may change the defaults.
static void keep_plan_settings(rerun *r) {
    plan *p = NULL;
    errors ignored = {0};
    plan_read_from(&r->files, r->plan, NULL, NULL, NULL, &p, &ignored);
    size_t kept = 0;
    for (size_t i = 0; i < r->set.count; i++) {
        setting s = r->set.items[i];
        const char *value = p ? default_of(p, &s) : NULL;
        if (!value || strcmp(value, s.value) != 0)
            r->set.items[kept++] = s;
    }
    r->set.count = kept;
    plan_destroy(p);
    errors_finish(&ignored);
}

status rerun_read(const char *log, int64_t wanted, rerun *out, error *err) {
    rerun r = {.memory = arena_create(), .until = TIME_OPEN};
    store *s = NULL;
    const store_episode *e = NULL;
    status st = store_open(log, &s, err);
    if (st == OK)
        st = store_choose(s, wanted, &e, err);
    if (st != OK)
        goto done;
    r.episode = e->id;
    r.plan_name = e->plan ? arena_strdup(r.memory, e->plan) : NULL;
    r.seed = e->seed;
    r.step = e->step;
    r.cycle = e->cycle;
    r.end = e->end;
    // An episode that was cut off is cut off again: an instant before its end, so that no further
    // cycle runs. An unjudged episode had come to its end.
    const char *outcome = e->outcome ? e->outcome : "";
    if (!e->complete && strcmp(outcome, "invalid") != 0 && strcmp(outcome, "unjudged") != 0)
        r.until = e->end > 0 ? e->end - 1 : 0;
    st = each_row(s, log, "SELECT kind, name, text FROM source WHERE episode = ? ORDER BY id",
                  e->id, &r, take_source, err);
    if (st == OK)
        st = each_row(s, log,
                      "SELECT scope, name, value FROM parameter WHERE episode = ? ORDER BY id",
                      e->id, &r, take_parameter, err);
    if (st == OK && (!r.plan || !r.world || !r.robot))
        st =
            error_at(err, E_INPUT, log, 0, 0, "episode %lld does not hold its %s", (long long)e->id,
                     !r.plan    ? "plan"
                     : !r.world ? "world"
                                : "robot");
    if (st != OK)
        goto done;
    const char **folders = arena_alloc(r.memory, 2 * sizeof *folders);
    const char *slash = strrchr(log, '/');
    folders[0] = ".";
    folders[1] = slash ? arena_copy(r.memory, log, (size_t)(slash - log) + 1) : ".";
    r.files.folders = folders;
    r.files.folder_count = 2;
    keep_plan_settings(&r);
done:
    store_close(s);
    if (st == OK)
        *out = r;
    else
        rerun_finish(&r);
    return st;
}

void rerun_finish(rerun *r) {
    free((void *)(uintptr_t)r->files.items);
    array_finish(&r->set);
    array_finish(&r->conditions);
    array_finish(&r->branches);
    arena_destroy(r->memory);
    *r = (rerun){0};
}

const kept_file *rerun_file(const rerun *r, const char *name) {
    for (size_t i = 0; i < r->files.count; i++)
        if (strcmp(r->files.items[i].name, name) == 0)
            return &r->files.items[i];
    return NULL;
}

void rerun_replace_plan(rerun *r, const char *name, const char *text, size_t length) {
    kept_file *file = (kept_file *)(uintptr_t)rerun_file(r, name);
    r->edited = r->files.edited = true;
    if (!file)
        return;
    file->text = arena_copy(r->memory, text, length);
    file->length = length;
}

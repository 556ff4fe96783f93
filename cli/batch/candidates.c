// cli/batch/candidates.c - loads the plans of a batch, and tells samples by their keys.
#include "cli/batch/candidates.h"

#include <math.h>

#include "base/hash.h"
#include "base/text/number.h"
#include "plans/plan.h"
#include "projector/fingerprint.h"
#include "schema/motion/keyframe.h"

// ---- Names --------------------------------------------------------------------------------------

// Returns the end of a path that has so many folders before the file's name; the whole path where
// there are fewer.
static const char *path_end(const char *path, size_t folders) {
    const char *at = path + strlen(path);
    for (size_t left = folders + 1; at > path; at--)
        if (at[-1] == '/' && --left == 0)
            return at;
    return path;
}

bool candidate_is_named(const candidate *c, const char *name) {
    size_t whole = strlen(c->real), end = name ? strlen(name) : 0;
    return end > 0 && end <= whole && strcmp(c->real + whole - end, name) == 0 &&
           (end == whole || c->real[whole - end - 1] == '/');
}

const char *candidates_place(arena *memory, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = realpath(slash == path ? "/"
                            : slash       ? arena_copy(memory, path, (size_t)(slash - path))
                                          : ".",
                            NULL);
    const char *real = folder ? arena_format(memory, "%s/%s", folder, name) : path;
    free(folder);
    return real;
}

static status name_all(candidates *c, errors *list) {
    status st = OK;
    for (size_t i = 0; i < c->count; i++) {
        size_t folders = 0;
        for (size_t k = 0; k < c->count; k++) {
            if (k == i)
                continue;
            if (strcmp(c->items[i].real, c->items[k].real) == 0) {
                if (k < i) {
                    errors_add(list, c->items[i].path, 0, 0, "this plan is given twice");
                    st = E_USAGE;
                }
                continue;
            }
            while (strcmp(path_end(c->items[i].real, folders),
                          path_end(c->items[k].real, folders)) == 0)
                folders++;
        }
        c->items[i].name = path_end(c->items[i].real, folders);
    }
    return st;
}

// ---- Keys ---------------------------------------------------------------------------------------

static uint64_t hash_add(uint64_t hash, const char *text) {
    return hash_mix(hash, text ? hash_bytes(text, strlen(text)) : 0);
}

static uint64_t hash_source(uint64_t hash, const char *kind, const char *name, const char *text) {
    return hash_add(hash_add(hash_add(hash, kind), name), text);
}

static uint64_t hash_sources(const candidate *c) {
    uint64_t hash = 0;
    input_file file;
    for (size_t i = 0; input_file_at(&c->inputs, i, &file); i++)
        hash = hash_source(hash, file.kind, file.name, file.text);
    return hash;
}

// Only these parts of a fingerprint are the program; the others are the machine, of which a cluster
// may have several.
static bool is_program(const char *part) {
    return strcmp(part, "foresee") == 0 || strcmp(part, "sources") == 0;
}

static uint64_t hash_program(arena *memory) {
    fingerprint f = fingerprint_take(memory);
    uint64_t hash = hash_add(0, FORESEE_VERSION);
    for (size_t i = 0; i < f.count; i++)
        if (is_program(f.items[i].name))
            hash = hash_add(hash_add(hash, f.items[i].name), f.items[i].value);
    return hash;
}

// Gives the value of a parameter for a seed: drawn, or as it was loaded. E_USAGE: what is drawn is
// no value of it.
static status value_for_seed(const candidates *c, const input_scope *of, const parameter *p,
                             int64_t seed, arena *memory, const char **out, error *err) {
    *out = p->value;
    for (size_t i = 0; c->vary && i < c->vary->count; i++) {
        const varied *v = &c->vary->items[i];
        const parameter *named = NULL;
        if (!scope_names(of, v->scope, v->name, &named) || named != p)
            continue;
        const char *drawn = variation_draw(memory, c->vary, i, seed, p);
        if (!drawn)
            return error_at(err, E_USAGE, c->vary->path, v->line, v->column,
                            "%s.%s is hardly ever drawn within its bounds", v->scope, v->name);
        parameter copy = *p;
        parameters one = {.items = &copy, .count = 1};
        status st = parameters_set(memory, &one, of->of, p->name, drawn, err);
        if (st != OK && err) {
            error kept = *err;
            return error_at(err, E_USAGE, c->vary->path, v->line, v->column, "with seed %lld: %s",
                            (long long)seed, kept.text);
        }
        *out = copy.value;
    }
    return OK;
}

static const char TOLERANCE[] = "tolerance_mm"; // of the scope `log`

uint64_t candidates_key(const candidates *c, size_t i, int64_t seed) {
    const candidate *one = &c->items[i];
    arena *memory = arena_create();
    uint64_t hash = one->sources;
    input_scope of;
    for (size_t k = 0; input_scope_at(&one->inputs, k, &of); k++)
        for (size_t n = 0; n < of.all->count; n++) {
            const parameter *p = &of.all->items[n];
            const char *value = NULL;
            value_for_seed(c, &of, p, seed, memory, &value, NULL);
            hash = hash_source(hash, of.scope, arena_format(memory, "%s%s", of.prefix, p->name),
                               value);
        }
    if (one->scene.world->fidelity.from)
        hash = hash_source(hash, FIDELITY_SCOPE, "from", one->scene.world->fidelity.from);
    char tolerance[NUMBER_SIZE];
    keyframe_scale_text(one->scene.tolerance, tolerance);
    hash = hash_source(hash, "log", TOLERANCE, tolerance);
    hash = hash_mix(hash_mix(hash, (uint64_t)seed), c->program);
    arena_destroy(memory);
    return hash;
}

status candidates_check_draws(const candidates *c, int64_t first_seed, int64_t seeds, error *err) {
    arena *memory = arena_create();
    status st = OK;
    input_scope of;
    for (size_t i = 0; i < c->count && c->vary; i++)
        for (size_t k = 0; input_scope_at(&c->items[i].inputs, k, &of); k++)
            for (size_t n = 0; n < of.all->count; n++)
                for (int64_t seed = first_seed; st == OK && seed < first_seed + seeds; seed++) {
                    const char *value = NULL;
                    st = value_for_seed(c, &of, &of.all->items[n], seed, memory, &value, err);
                    arena_reset(memory);
                }
    arena_destroy(memory);
    return st;
}

// Gives the text that is drawn for the parameter, as the sample's log will have it.
static const char *drawn_text(const candidates *c, size_t i, int64_t seed, size_t which,
                              arena *memory) {
    const varied *v = &c->vary->items[which];
    const char *value = NULL;
    const parameter *p = NULL;
    input_scope of;
    for (size_t k = 0; !p && input_scope_at(&c->items[i].inputs, k, &of); k++)
        if (scope_names(&of, v->scope, v->name, &p))
            value_for_seed(c, &of, p, seed, memory, &value, NULL);
    return value;
}

void candidates_settings(const candidates *c, size_t i, int64_t seed, arena *memory,
                         settings *out) {
    for (size_t k = 0; k < c->set.count; k++)
        array_push(out, c->set.items[k]);
    for (size_t k = 0; c->vary && k < c->vary->count; k++) {
        setting s = {c->vary->items[k].scope, c->vary->items[k].name,
                     drawn_text(c, i, seed, k, memory)};
        array_push(out, s);
    }
}

double candidates_value(const candidates *c, size_t i, int64_t seed, size_t which) {
    arena *memory = arena_create();
    double value = NAN;
    const char *text = drawn_text(c, i, seed, which, memory);
    if (!text || !number_parse(text, strlen(text), &value))
        value = NAN;
    arena_destroy(memory);
    return value;
}

// ---- Keys of a log's episodes -------------------------------------------------------------------

static status log_rows(sqlite3 *db, const char *path, const char *sql, int64_t episode,
                       sqlite3_stmt **out, error *err) {
    if (sqlite3_prepare_v2(db, sql, -1, out, NULL) != SQLITE_OK)
        return store_failed(db, path, "reading what was run", err);
    sqlite3_bind_int64(*out, 1, episode);
    return OK;
}

static const char SOURCES[] = "SELECT kind, name, text FROM source WHERE episode = ? ORDER BY id",
                  PARAMETERS[] =
                      "SELECT scope, name, value FROM parameter WHERE episode = ? ORDER BY id",
                  PROGRAM[] = "SELECT name, value, '' FROM fingerprint WHERE episode = ? ORDER BY "
                              "id";

static const char *column(sqlite3_stmt *row, int i) {
    const char *text = (const char *)sqlite3_column_text(row, i);
    return text ? text : "";
}

static status hash_rows(sqlite3 *db, const char *path, const char *sql, int64_t episode,
                        uint64_t *hash, error *err) {
    sqlite3_stmt *row = NULL;
    status st = log_rows(db, path, sql, episode, &row, err);
    int rc = SQLITE_DONE;
    while (st == OK && (rc = sqlite3_step(row)) == SQLITE_ROW) {
        double scale;
        const char *name = column(row, 1), *value = column(row, 2);
        char exact[NUMBER_SIZE];
        if (sql == PROGRAM) {
            if (is_program(column(row, 0)))
                *hash = hash_add(hash_add(*hash, column(row, 0)), column(row, 1));
            continue;
        }
        // One tolerance may be written in several ways.
        if (sql == PARAMETERS && strcmp(column(row, 0), "log") == 0 &&
            keyframe_scale_logged(name, value, &scale)) {
            keyframe_scale_text(scale, exact);
            name = TOLERANCE;
            value = exact;
        }
        *hash = hash_source(*hash, column(row, 0), name, value);
    }
    if (st == OK && rc != SQLITE_DONE)
        st = store_failed(db, path, "reading what was run", err);
    sqlite3_finalize(row);
    return st;
}

status episode_key(sqlite3 *db, const char *path, const store_episode *e, uint64_t *key,
                   error *err) {
    uint64_t hash = 0, program = hash_add(0, e->version);
    status st = hash_rows(db, path, SOURCES, e->id, &hash, err);
    if (st == OK)
        st = hash_rows(db, path, PARAMETERS, e->id, &hash, err);
    if (st == OK)
        st = hash_rows(db, path, PROGRAM, e->id, &program, err);
    if (e->step != projection_options_default().step)
        hash = hash_mix(hash, (uint64_t)e->step);
    *key = hash_mix(hash_mix(hash, (uint64_t)e->seed), program);
    return st;
}

// ---- In what an episode differs -----------------------------------------------------------------

static const char *source_text(const candidate *c, const char *name) {
    input_file file;
    for (size_t i = 0; input_file_at(&c->inputs, i, &file); i++)
        if (strcmp(file.name, name) == 0)
            return file.text;
    return NULL;
}

static const char *source_difference(const candidate *c, sqlite3_stmt *row, arena *memory) {
    const char *now = source_text(c, column(row, 1));
    if (!now)
        return arena_format(memory, "%s was read then, and is not now", column(row, 1));
    if (strcmp(now, column(row, 2)) != 0)
        return arena_format(memory, "%s has changed since", column(row, 1));
    return NULL;
}

static bool declares(const candidate *c, const char *scope) {
    input_scope of;
    for (size_t k = 0; input_scope_at(&c->inputs, k, &of); k++)
        if (strcmp(of.scope, scope) == 0)
            return true;
    return false;
}

static const char *parameter_difference(const candidates *c, const candidate *one, int64_t seed,
                                        sqlite3_stmt *row, arena *memory) {
    const scenario *s = &one->scene;
    const char *scope = column(row, 0), *name = column(row, 1), *then = column(row, 2), *now = NULL;
    char text[NUMBER_SIZE], was[NUMBER_SIZE];
    if (strcmp(scope, "log") == 0) {
        double scale;
        keyframe_scale_text(s->tolerance, text);
        now = text;
        if (keyframe_scale_logged(name, then, &scale)) {
            if (scale == s->tolerance)
                return NULL;
            keyframe_scale_text(scale, was);
            name = TOLERANCE;
            then = was;
        }
    } else if (strcmp(scope, FIDELITY_SCOPE) == 0) {
        now = s->world->fidelity.from ? s->world->fidelity.from : "the world's own section";
    } else if (!declares(one, scope)) {
        return arena_format(memory, "it was run with a %s", scope);
    } else {
        const parameter *p = NULL;
        input_scope of;
        for (size_t k = 0; !p && input_scope_at(&one->inputs, k, &of); k++)
            if (scope_names(&of, scope, name, &p))
                value_for_seed(c, &of, p, seed, memory, &now, NULL);
    }
    if (now && strcmp(now, then) == 0)
        return NULL;
    return arena_format(memory, "%s.%s was %s then, and is %s now", scope, name, then,
                        now ? now : "not declared");
}

const char *candidates_difference(const candidates *c, size_t i, sqlite3 *db,
                                  const store_episode *e, arena *memory) {
    const candidate *one = &c->items[i];
    const scenario *s = &one->scene;
    const char *found = NULL;
    bool unlike = s->world->fidelity.from != NULL; // and nothing in the log says the same
    for (int pass = 0; pass < 2 && !found; pass++) {
        sqlite3_stmt *row = NULL;
        if (log_rows(db, "", pass == 0 ? SOURCES : PARAMETERS, e->id, &row, NULL) != OK)
            break;
        while (!found && sqlite3_step(row) == SQLITE_ROW) {
            found = pass == 0 ? source_difference(one, row, memory)
                              : parameter_difference(c, one, e->seed, row, memory);
            unlike &= strcmp(column(row, 0), FIDELITY_SCOPE) != 0;
        }
        sqlite3_finalize(row);
    }
    if (!found && unlike)
        found = "it was run with the world's own fidelity";
    if (!found && e->step != projection_options_default().step)
        found = arena_format(memory, "the step of its physics is %g s", seconds(e->step));
    return found ? found : "another foresee projected it, or further files are read now";
}

// ---- Loading ------------------------------------------------------------------------------------

static bool varied_parameter(const candidate *c, const varied *v, const parameter **out) {
    input_scope of;
    for (size_t k = 0; input_scope_at(&c->inputs, k, &of); k++)
        if (scope_names(&of, v->scope, v->name, out))
            return true;
    return false;
}

// Says what there is in the place of a parameter that nothing declares.
static void refuse_varied(arena *memory, const candidate *c, const varied *v, error *err) {
    input_scope of;
    for (size_t k = 0; input_scope_at(&c->inputs, k, &of); k++) {
        bool general = strcmp(v->scope, of.of) == 0;
        size_t n = strlen(of.prefix);
        bool own = strcmp(v->scope, of.scope) == 0 && strncmp(v->name, of.prefix, n) == 0;
        parameters copy = *of.all;
        if (general || own) {
            parameters_set(memory, &copy, of.of, v->name + (own ? n : 0), "", err);
            return;
        }
    }
    error_set(err, E_USAGE, "no robot is called '%s', as %s.%s says", v->scope, v->scope, v->name);
}

// Every parameter that varies must be one that some file declares, and be set by nothing else.
static status check_vary(const candidates *c, errors *list) {
    status st = OK;
    for (size_t i = 0; i < c->vary->count; i++) {
        const varied *v = &c->vary->items[i];
        for (size_t k = 0; k < c->set.count; k++)
            if (strcmp(c->set.items[k].scope, v->scope) == 0 &&
                strcmp(c->set.items[k].name, v->name) == 0) {
                errors_add(list, c->vary->path, v->line, v->column,
                           "%s.%s varies, and is set by --set, too", v->scope, v->name);
                st = E_USAGE;
            }
        for (size_t k = 0; k < c->count; k++) {
            arena *memory = arena_create();
            const parameter *p = NULL;
            error err = {0};
            if (!varied_parameter(&c->items[k], v, &p)) {
                refuse_varied(memory, &c->items[k], v, &err);
                errors_add(list, c->vary->path, v->line, v->column, "%s: %s", c->items[k].path,
                           err.text);
                st = E_USAGE;
            }
            arena_destroy(memory);
        }
    }
    return st;
}

status candidates_load(candidates *c, arena *memory, const char *const *paths, size_t count,
                       const char *vary, errors *list) {
    status st = OK;
    c->memory = memory;
    c->count = count;
    c->items = arena_alloc(memory, count * sizeof *c->items);
    c->program = hash_program(memory);
    if (vary)
        st = variation_read(memory, vary, &c->vary, list);
    for (size_t i = 0; i < count; i++) {
        candidate *one = &c->items[i];
        one->path = paths[i];
        one->real = candidates_place(memory, paths[i]);
        status loaded = scenario_load(paths[i], c->world, c->robot, &c->set, &one->scene, list);
        one->loaded = loaded == OK;
        if (loaded == OK && !vary) // otherwise each sample is checked with what is drawn for it
            loaded = scenario_check(&one->scene, list);
        if (loaded == OK)
            scenario_inputs(&one->scene, &one->members, &one->inputs);
        if (loaded == OK)
            one->sources = hash_sources(one);
        else
            st = loaded;
    }
    if (st == OK)
        st = name_all(c, list);
    for (size_t i = 0; i < count && st == OK; i++)
        c->items[i].scene.plan_name = c->items[i].name;
    if (st == OK && c->vary)
        st = check_vary(c, list);
    return st;
}

void candidates_finish(candidates *c) {
    for (size_t i = 0; i < c->count && c->items; i++)
        if (c->items[i].loaded) {
            free(c->items[i].members);
            scenario_finish(&c->items[i].scene);
        }
    array_finish(&c->set);
}

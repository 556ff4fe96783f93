// cli/batch/cluster/manifest.c - writes, reads and checks manifests.
#include "cli/batch/cluster/manifest.h"

#include <string.h>

#include "base/hash.h"
#include "base/text/json.h"
#include "base/text/number.h"

// ---- What was read ------------------------------------------------------------------------------

// Gives a file that a candidate was loaded from; false: there are not so many.
static bool source_at(const candidate *c, size_t i, const char **name, const char **text) {
    input_file file;
    if (!input_file_at(&c->inputs, i, &file))
        return false;
    *name = file.name;
    *text = file.text;
    return true;
}

static const char *hash_of(arena *memory, const char *text) {
    return hash_text(memory, hash_bytes(text ? text : "", text ? strlen(text) : 0));
}

static status hash_file(arena *memory, const char *path, const char **out, error *err) {
    char *text = NULL;
    size_t length;
    status st = file_read(path, &text, &length, err);
    if (st == OK)
        *out = hash_text(memory, hash_bytes(text, length));
    free(text);
    return st;
}

static const char *program_hash(const candidates *c, arena *memory) {
    return hash_text(memory, c->program);
}

// ---- Writing ------------------------------------------------------------------------------------

static void put_text(text_buffer *out, const char *lead, const char *text) {
    text_put(out, lead);
    yaml_string(out, text, strlen(text));
    text_put(out, "\n");
}

static bool is_before(const candidate *c, size_t i, const char *name) {
    const char *other, *text;
    for (size_t k = 0; k < i && source_at(c, k, &other, &text); k++)
        if (strcmp(other, name) == 0)
            return true;
    return false;
}

static void put_plan(const candidate *c, arena *memory, text_buffer *out) {
    const char *name, *text;
    put_text(out, "  - plan: ", c->real);
    text_put(out, "    files:\n");
    for (size_t i = 0; source_at(c, i, &name, &text); i++) {
        if (is_before(c, i, name))
            continue;
        text_put(out, "      ");
        yaml_string(out, name, strlen(name));
        text_add(out, ": %s\n", hash_of(memory, text));
    }
}

status manifest_head(const candidates *c, text_buffer *out, error *err) {
    arena *memory = arena_create();
    status st = OK;
    text_add(out,
             "# A batch in parts, of foresee %s. Part N, a line of `parts`, counted from 1, is "
             "projected by\n"
             "#   foresee batch --part N MANIFEST\n"
             "program: %s\n"
             "plans:\n",
             FORESEE_VERSION, program_hash(c, memory));
    for (size_t i = 0; i < c->count; i++)
        put_plan(&c->items[i], memory, out);
    if (c->world)
        put_text(out, "world: ", candidates_place(memory, c->world));
    if (c->robot)
        put_text(out, "robot: ", candidates_place(memory, c->robot));
    if (c->set.count)
        text_put(out, "set:\n");
    for (size_t i = 0; i < c->set.count; i++) {
        const setting *s = &c->set.items[i];
        bool file = strcmp(s->scope, FIDELITY_SCOPE) == 0 && strcmp(s->value, FIDELITY_FULL) != 0;
        put_text(out, "  - ",
                 arena_format(memory, "%s.%s=%s", s->scope, s->name,
                              file ? candidates_place(memory, s->value) : s->value));
    }
    if (c->vary) {
        const char *hash = NULL;
        st = hash_file(memory, c->vary->path, &hash, err);
        put_text(out, "vary: ", candidates_place(memory, c->vary->path));
        text_add(out, "vary_hash: %s\n", hash ? hash : "");
    }
    if (c->how.until != TIME_OPEN) {
        char text[NUMBER_SIZE];
        number_format(seconds(c->how.until), text);
        text_add(out, "until: %s\n", text);
    }
    text_put(out, "parts: # each as runs of samples: [first seed, first plan from 1, samples]\n");
    arena_destroy(memory);
    return st;
}

void manifest_part(const part_run *runs, size_t count, text_buffer *out) {
    text_put(out, "  - [");
    for (size_t i = 0; i < count; i++)
        text_add(out, "%s[%lld, %zu, %zu]", i ? ", " : "", (long long)runs[i].seed,
                 runs[i].plan + 1, runs[i].count);
    text_put(out, "]\n");
}

// ---- Reading ------------------------------------------------------------------------------------

static void read_set(arena *memory, const ynode *n, manifest *m, errors *list) {
    static const char *const scopes[] = {"plan", "world", "robot", "log", FIDELITY_SCOPE};
    if (n->kind != YNODE_SEQUENCE) {
        ynode_error(n, list, "'set' is a list of SCOPE.NAME=VALUE");
        return;
    }
    for (size_t i = 0; i < n->count; i++) {
        const char *text = NULL;
        bool known = false;
        if (!ynode_text(n->items[i], "a setting", &text, list))
            continue;
        const char *equals = strchr(text, '='), *dot = strchr(text, '.');
        for (size_t k = 0; k < sizeof scopes / sizeof *scopes && dot; k++)
            known = known || (strlen(scopes[k]) == (size_t)(dot - text) &&
                              strncmp(scopes[k], text, (size_t)(dot - text)) == 0);
        // One of several robots, of which only the plan says how they are called.
        known =
            known || (dot && (strncmp(dot, ".plan.", 6) == 0 || strncmp(dot, ".robot.", 7) == 0));
        if (!known || !equals || equals < dot) {
            ynode_error(n->items[i], list,
                        "a setting is SCOPE.NAME=VALUE, the scope being plan, world, robot or log");
            continue;
        }
        setting s = {arena_copy(memory, text, (size_t)(dot - text)),
                     arena_copy(memory, dot + 1, (size_t)(equals - dot - 1)),
                     arena_strdup(memory, equals + 1)};
        array_push(&m->set, s);
    }
}

static void read_plans(arena *memory, const ynode *n, manifest *m, errors *list) {
    static const char *const known[] = {"plan", "files", NULL};
    if (!n || n->kind != YNODE_SEQUENCE || n->count == 0) {
        ynode_error(n ? n : m->root, list, "a manifest needs 'plans:', a list of at least one");
        return;
    }
    m->plan_count = n->count;
    m->plans = arena_alloc(memory, n->count * sizeof *m->plans);
    for (size_t i = 0; i < n->count; i++) {
        const ynode *one = n->items[i];
        if (one->kind != YNODE_MAPPING) {
            ynode_error(one, list, "a plan is given as 'plan: PATH', with the hashes of its files");
            continue;
        }
        ynode_check_keys(one, known, list);
        const ynode *path = ynode_get(one, "plan"), *files = ynode_get(one, "files");
        if (!path)
            ynode_error(one, list, "the path of the plan is missing");
        else
            ynode_text(path, "the path of a plan", &m->plans[i], list);
        if (files && files->kind != YNODE_MAPPING)
            ynode_error(files, list, "'files' has the hash of each file under its name");
    }
}

static void read_run(const ynode *n, const manifest *m, part_run *out, errors *list) {
    double number[3] = {0};
    if (!ynode_numbers(n, "a run of samples", number, 3, list))
        return;
    for (int i = 0; i < 3; i++)
        if (!(number[i] >= (i ? 1 : 0) && number[i] <= (i ? 1e9 : 9e15)) ||
            number[i] != (double)(int64_t)number[i]) {
            ynode_error(n, list, "a run is [first seed, first plan from 1, samples]");
            return;
        }
    if (number[1] > (double)m->plan_count) {
        ynode_error(n, list, "there is no plan %.0f; the manifest names %zu", number[1],
                    m->plan_count);
        return;
    }
    *out = (part_run){(int64_t)number[0], (size_t)number[1] - 1, (size_t)number[2]};
}

static void read_parts(arena *memory, const ynode *n, manifest *m, errors *list) {
    if (!n || n->kind != YNODE_SEQUENCE || n->count == 0) {
        ynode_error(n ? n : m->root, list, "a manifest needs 'parts:', a list of at least one");
        return;
    }
    m->part_count = n->count;
    m->parts = arena_alloc(memory, n->count * sizeof *m->parts);
    for (size_t i = 0; i < n->count; i++) {
        const ynode *one = n->items[i];
        if (one->kind != YNODE_SEQUENCE || one->count == 0) {
            ynode_error(one, list, "a part is a list of runs of samples");
            continue;
        }
        m->parts[i].count = one->count;
        m->parts[i].items = arena_alloc(memory, one->count * sizeof *m->parts[i].items);
        for (size_t k = 0; k < one->count; k++)
            read_run(one->items[k], m, &m->parts[i].items[k], list);
    }
}

static void read_text(const ynode *root, const char *key, const char **out, errors *list) {
    const ynode *n = ynode_get(root, key);
    if (n)
        ynode_text(n, key, out, list);
}

static void read_manifest(arena *memory, manifest *m, errors *list) {
    static const char *const known[] = {"program", "plans", "world",     "robot", "set",
                                        "vary",    "until", "vary_hash", "parts", NULL};
    const ynode *set = ynode_get(m->root, "set"), *until = ynode_get(m->root, "until");
    double s = 0;
    ynode_check_keys(m->root, known, list);
    read_plans(memory, ynode_get(m->root, "plans"), m, list);
    read_text(m->root, "world", &m->world, list);
    read_text(m->root, "robot", &m->robot, list);
    read_text(m->root, "vary", &m->vary, list);
    if (set)
        read_set(memory, set, m, list);
    if (until && ynode_number(until, "until", &s, list)) {
        if (s > 0 && s <= 1e7)
            m->until = nanos_from_seconds(s);
        else
            ynode_error(until, list, "'until' is a number of seconds greater than 0");
    }
    read_parts(memory, ynode_get(m->root, "parts"), m, list);
}

status manifest_read(arena *memory, const char *path, manifest *out, errors *list) {
    size_t before = list->count;
    ynode *root = NULL;
    status st = yaml_read_file(memory, path, &root, list);
    if (st != OK)
        return st;
    *out = (manifest){.path = root->file, .root = root, .until = TIME_OPEN};
    if (root->kind == YNODE_MAPPING)
        read_manifest(memory, out, list);
    else
        ynode_error(root, list, "this is no manifest of a batch");
    if (list->count == before)
        return OK;
    manifest_finish(out);
    return E_INPUT;
}

void manifest_finish(manifest *m) {
    array_finish(&m->set);
}

// ---- Loading ------------------------------------------------------------------------------------

// Where a manifest was written by hand it may leave hashes out.
static void check_hash(const ynode *n, const char *now, const char *what, errors *list) {
    if (n && n->scalar && strcmp(n->scalar, now) != 0)
        ynode_error(n, list, "%s since the manifest was written", what);
}

static void check_files(const ynode *files, const candidate *c, arena *memory, errors *list) {
    const char *name, *text;
    for (size_t i = 0; files && i < files->count; i++) {
        bool found = false;
        for (size_t k = 0; !found && source_at(c, k, &name, &text); k++)
            found = strcmp(name, files->keys[i]->scalar ? files->keys[i]->scalar : "") == 0;
        if (found)
            check_hash(files->items[i], hash_of(memory, text),
                       arena_format(memory, "%s has changed", name), list);
        else
            ynode_error(files->keys[i], list,
                        "%s was read when the manifest was written, and is "
                        "not now",
                        files->keys[i]->scalar);
    }
    for (size_t k = 0; files && source_at(c, k, &name, &text); k++)
        if (!ynode_get(files, name))
            ynode_error(files, list, "%s is read now, and was not when the manifest was written",
                        name);
}

status manifest_load(const manifest *m, arena *memory, candidates *c, errors *list) {
    size_t before = list->count;
    *c = (candidates){.world = m->world, .robot = m->robot, .how = projection_options_default()};
    if (m->until != TIME_OPEN)
        c->how.until = m->until;
    for (size_t i = 0; i < m->set.count; i++)
        array_push(&c->set, m->set.items[i]);
    status st = candidates_load(c, memory, m->plans, m->plan_count, m->vary, list);
    if (st != OK)
        return st;
    check_hash(ynode_get(m->root, "program"), program_hash(c, memory), "foresee is another one",
               list);
    for (size_t i = 0; i < m->plan_count; i++)
        check_files(ynode_get(ynode_get(m->root, "plans")->items[i], "files"), &c->items[i], memory,
                    list);
    if (m->vary) {
        const char *hash = NULL;
        error err = {0};
        if (hash_file(memory, m->vary, &hash, &err) != OK)
            errors_append(list, &err);
        else
            check_hash(ynode_get(m->root, "vary_hash"), hash,
                       arena_format(memory, "%s has changed", m->vary), list);
    }
    return list->count > before ? E_INPUT : OK;
}

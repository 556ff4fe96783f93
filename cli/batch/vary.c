// cli/batch/vary.c - reads what varies, and draws it.
#include "cli/batch/vary.h"

#include <math.h>

#include "base/math/rng.h"
#include "base/text/number.h"

static const char *const kind_names[] = {
#define DISTRIBUTION(name, least, most, doc) #name,
#include "cli/batch/vary.def"
#undef DISTRIBUTION
    NULL};
static const size_t kind_least[] = {
#define DISTRIBUTION(name, least, most, doc) least,
#include "cli/batch/vary.def"
#undef DISTRIBUTION
};
static const size_t kind_most[] = {
#define DISTRIBUTION(name, least, most, doc) most,
#include "cli/batch/vary.def"
#undef DISTRIBUTION
};

// ---- Reading

static void read_values(arena *a, const ynode *n, varied *v, errors *list) {
    const char **values = arena_alloc(a, (n->count + 1) * sizeof *values);
    for (size_t i = 0; i < n->count; i++)
        ynode_text(n->items[i], "a value", &values[i], list);
    v->values = values;
    v->value_count = n->count;
}

static void read_numbers(const ynode *n, varied *v, errors *list) {
    double ab[2] = {0, 1};
    if (!ynode_numbers(n, kind_names[v->kind], ab, 2, list))
        return;
    v->a = ab[0];
    v->b = ab[1];
    if (v->kind == VARY_normal && !(v->b > 0))
        ynode_error(n->items[1], list, "the standard deviation must be greater than 0");
    else if (v->kind != VARY_normal && !(v->a < v->b))
        ynode_error(n, list, "the lower bound must be less than the upper one");
    else if (v->kind == VARY_log_uniform && !(v->a > 0))
        ynode_error(n->items[0], list, "bounds of log_uniform must be greater than 0");
}

static void read_one(arena *a, const ynode *key, const ynode *n, varied *v, errors *list) {
    const char *name = key->scalar ? key->scalar : "", *dot = strchr(name, '.');
    static const char *const scopes[] = {"plan", "world", "robot"};
    bool known = false;
    v->line = key->line;
    v->column = key->column;
    for (size_t i = 0; i < 3 && dot; i++)
        known = known || (strlen(scopes[i]) == (size_t)(dot - name) &&
                          strncmp(name, scopes[i], (size_t)(dot - name)) == 0);
    // One of several robots, of which only the plan says how they are called.
    known = known || (dot && (strncmp(dot, ".plan.", 6) == 0 || strncmp(dot, ".robot.", 7) == 0));
    if (!known || !dot[1]) {
        ynode_error(key, list,
                    "'%s' is no parameter: give SCOPE.NAME, the scope being plan, world or robot",
                    name);
        return;
    }
    v->scope = arena_copy(a, name, (size_t)(dot - name));
    v->name = arena_strdup(a, dot + 1);
    if (n->kind != YNODE_MAPPING || n->count != 1) {
        ynode_error(n, list,
                    "how it varies is one of uniform, normal, log_uniform, choice, grid, "
                    "as { uniform: [0.1, 0.5] }");
        return;
    }
    ynode_check_keys(n, kind_names, list);
    int kind = 0;
    while (kind_names[kind] && strcmp(kind_names[kind], n->keys[0]->scalar) != 0)
        kind++;
    if (kind == VARY_KINDS)
        return;
    v->kind = (vary_kind)kind;
    const ynode *values = n->items[0];
    if (values->kind != YNODE_SEQUENCE || values->count < kind_least[kind] ||
        values->count > kind_most[kind])
        ynode_error(values, list, "%s needs a list of %s", kind_names[kind],
                    kind_most[kind] == 2 ? "two numbers" : "values");
    else if (kind == VARY_choice || kind == VARY_grid)
        read_values(a, values, v, list);
    else
        read_numbers(values, v, list);
}

status variation_read(arena *a, const char *path, variation **out, errors *list) {
    static const char *const known[] = {"vary", NULL};
    size_t before = list->count;
    ynode *root = NULL;
    status st = yaml_read_file(a, path, &root, list);
    if (st != OK)
        return st;
    path = root->file;
    ynode_check_keys(root, known, list);
    const ynode *all = ynode_get(root, "vary");
    if (!all || all->kind != YNODE_MAPPING || all->count == 0) {
        ynode_error(root, list, "the file needs 'vary:', with a line for each parameter");
        return E_INPUT;
    }
    variation *v = arena_alloc(a, sizeof *v);
    v->path = path;
    v->count = all->count;
    v->items = arena_alloc(a, all->count * sizeof *v->items);
    for (size_t i = 0; i < all->count; i++)
        read_one(a, all->keys[i], all->items[i], &v->items[i], list);
    if (list->count > before)
        return E_INPUT;
    *out = v;
    return OK;
}

// ---- Drawing

// Seeds count through all combinations of the grids, the first grid fastest.
static const char *draw_grid(const variation *v, size_t i, int64_t seed) {
    uint64_t at = (uint64_t)seed;
    for (size_t k = 0; k < i; k++)
        if (v->items[k].kind == VARY_grid)
            at /= v->items[k].value_count;
    return v->items[i].values[at % v->items[i].value_count];
}

static double draw_number(const varied *v, rng_key key, uint64_t again) {
    switch (v->kind) {
    case VARY_uniform:
        return v->a + (v->b - v->a) * rng_uniform(key, again, 0);
    case VARY_log_uniform:
        return exp(log(v->a) + (log(v->b) - log(v->a)) * rng_uniform(key, again, 0));
    case VARY_normal:
        return v->a + v->b * rng_normal(key, again, 0);
    case VARY_choice:
    case VARY_grid:
    case VARY_KINDS:
        break;
    }
    return 0;
}

const char *variation_draw(arena *a, const variation *v, size_t i, int64_t seed,
                           const parameter *declared) {
    const varied *one = &v->items[i];
    rng_key key =
        rng_key_make((uint64_t)seed, "vary", arena_format(a, "%s.%s", one->scope, one->name));
    if (one->kind == VARY_grid)
        return draw_grid(v, i, seed);
    if (one->kind == VARY_choice)
        return one->values[(size_t)(rng_uniform(key, 0, 0) * (double)one->value_count)];
    for (uint64_t again = 0; again < 1000; again++) {
        double x = draw_number(one, key, again);
        bool beyond = declared && ((declared->has_min && x < declared->min) ||
                                   (declared->has_max && x > declared->max));
        if (beyond && one->kind == VARY_normal)
            continue;
        char text[NUMBER_SIZE];
        if (declared && strcmp(declared->type, "integer") == 0)
            return arena_format(a, "%lld", llround(x));
        number_format(x, text);
        return arena_strdup(a, text);
    }
    return NULL;
}

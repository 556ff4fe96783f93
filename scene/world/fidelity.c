// scene/world/fidelity.c - the section `fidelity` of a world: what is simulated less finely, and
// when.
#include "scene/world/world_int.h"

const char *fidelity_level_name(fidelity_level level) {
    static const char *const names[] = {
#define LEVEL(id, name, doc) [LEVEL_##id] = name,
#include "scene/world/levels.def"
#undef LEVEL
    };
    return names[level];
}

static void read_level(loading *l, const ynode *map, const char *key, fidelity_level *out) {
    const char *name = NULL;
    if (!ynode_get(map, key) || !read_text(l, map, key, &name))
        return;
    const char *names[LEVEL_COUNT];
    for (int i = 0; i < LEVEL_COUNT; i++) {
        names[i] = fidelity_level_name((fidelity_level)i);
        if (strcmp(names[i], name) == 0) {
            *out = (fidelity_level)i;
            return;
        }
    }
    name_unknown(l, ynode_get(map, key), "level of fidelity", name, names, LEVEL_COUNT);
}

static void read_count(loading *l, const ynode *map, const char *key, int64_t most, int64_t *out) {
    const ynode *n = ynode_get(map, key);
    int64_t value;
    if (!n || !ynode_integer(n, key, &value, l->list))
        return;
    if (value < 1 || value > most)
        ynode_error(n, l->list, "`%s` is a whole number from 1 to %lld", key, (long long)most);
    else
        *out = value;
}

// `operations: { close_gripper: 0.3 }`. Which there are the robot's side knows.
static void read_operations(loading *l, const ynode *n, world_fidelity *f) {
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list, "`operations` is a mapping such as { close_gripper: 0.3 }");
        return;
    }
    fidelity_operation *all = arena_alloc(l->arena, n->count * sizeof *all + 1);
    for (size_t i = 0; i < n->count; i++) {
        const ynode *key = n->keys[i];
        all[i] =
            (fidelity_operation){.name = key->scalar, .at = {key->file, key->line, key->column}};
        read_number(l, n, key->scalar, Q_EXTENT, &all[i].near);
    }
    f->operations = all;
    f->operation_count = n->count;
}

static void read_managed_bodies(loading *l, const ynode *n, world_fidelity *f) {
    if (n->kind != YNODE_MAPPING || !ynode_get(n, "near")) {
        ynode_error(n, l->list, "`bodies` is a mapping with `near`, such as { near: 0.5 }");
        return;
    }
    keys_check(n, MAP_MANAGED, l->list);
    f->bodies = true;
    f->medium = LEVEL_STANDING;
    read_number(l, n, "near", Q_EXTENT, &f->near);
    if (ynode_get(n, "operations"))
        read_operations(l, ynode_get(n, "operations"), f);
    read_level(l, n, "medium", &f->medium);
    f->far = f->medium;
    read_level(l, n, "far", &f->far);
    if (f->medium == LEVEL_SCENERY)
        ynode_error(ynode_get(n, "medium"), l->list,
                    "what the robot may come near to has to collide: `medium` is standing or full");
    else if (f->far < f->medium)
        ynode_error(ynode_get(n, "far"), l->list,
                    "what is far is simulated no more finely than what is nearer: `far: %s` stands "
                    "beside `medium: %s`",
                    fidelity_level_name(f->far), fidelity_level_name(f->medium));
    read_count(l, n, "still", 1000, &f->still);
    read_number(l, n, "every", Q_DURATION, &f->every);
    const ynode *islands = ynode_get(n, "big_islands");
    if (islands && (islands->kind != YNODE_MAPPING || !ynode_get(islands, "over"))) {
        ynode_error(islands, l->list, "`big_islands` is { over: BODIES }");
    } else if (islands) {
        keys_check(islands, MAP_ISLANDS, l->list);
        read_count(l, islands, "over", 1000000, &f->big);
    }
}

// The section of the world's file, or a file of its own.
static void read_section(world_parts *w, const ynode *n, world_fidelity *f) {
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, w->l.list, "`fidelity` is a mapping such as { bodies: { near: 0.5 } }");
        return;
    }
    keys_check(n, MAP_FIDELITY, w->l.list);
    const ynode *bodies = ynode_get(n, "bodies");
    if (bodies)
        read_managed_bodies(&w->l, bodies, f);
    const ynode *robot = ynode_get(n, "robot");
    if (robot && robot->kind != YNODE_MAPPING) {
        ynode_error(robot, w->l.list, "`robot` is a mapping such as { parked: true }");
    } else if (robot) {
        keys_check(robot, MAP_MANAGED_ROBOT, w->l.list);
        read_bool(&w->l, robot, "parked", &f->parked);
    }
}

static const world_fidelity UNMANAGED = {.still = 2, .every = 1, .big = 20};

static void read_other_file(world_parts *w, const char *path, world_fidelity *out) {
    static const char *const keys[] = {"fidelity", NULL};
    loading *l = &w->l;
    ynode *root = NULL;
    if (include_read(l, path, "fidelity", l->list, &root) != OK)
        return;
    parameters_fill(l->arena, root, l->params, l->list);
    size_t before = l->list->count;
    ynode_check_keys(root, keys, l->list);
    const ynode *section = ynode_get(root, "fidelity");
    if (section)
        read_section(w, section, out);
    else if (l->list->count == before)
        ynode_error(root, l->list, "the file needs a section `fidelity`, as worlds have it");
    size_t count;
    const world_source *sources = loading_sources(l, &count);
    out->from = sources[count - 1].name;
}

void world_read_fidelity(world_parts *w, const settings *set, world_fidelity *out) {
    const ynode *section = ynode_get(w->l.root, "fidelity");
    const char *from = NULL;
    *out = UNMANAGED;
    if (section)
        read_section(w, section, out);
    for (size_t i = 0; set && i < set->count; i++)
        if (strcmp(set->items[i].scope, FIDELITY_SCOPE) == 0)
            from = set->items[i].value;
    if (!from)
        return;
    *out = UNMANAGED;
    out->from = arena_strdup(w->l.arena, from);
    if (strcmp(from, FIDELITY_FULL) != 0)
        read_other_file(w, from, out);
}

// scene/load/include.c - files that include others, and parts that are used: one tree of sections
// is made of them before anything is read from it. Nodes keep their places, so that a mistake is
// reported where it was written.
#include "scene/load/loading.h"

#define DEEPEST 32 // includes under each other

static const char *const part_sections[] = {"types", "bodies", "regions", "joints", NULL};
// Sections that are put together, entry by entry; of all others the including file's stands.
static const char *const sections[] = {"parameters", "materials", "particles", "types", "bodies",
                                       "regions",    "joints",    "parts",     NULL};
static const char *const lists[] = {"pairs", "events", "use", NULL};

static bool name_among(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static ynode *node_fresh(arena *a, const ynode *like, size_t count) {
    ynode *n = arena_alloc(a, sizeof *n);
    *n = *like;
    n->count = 0;
    n->items = arena_alloc(a, (count + 1) * sizeof *n->items);
    n->keys = arena_alloc(a, (count + 1) * sizeof *n->keys);
    return n;
}

static void put_pair(ynode *map, ynode *key, ynode *value) {
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->keys[i]->scalar, key->scalar) == 0) {
            map->keys[i] = key;
            map->items[i] = value;
            return;
        }
    map->keys[map->count] = key;
    map->items[map->count++] = value;
}

static ynode *merge_maps(arena *a, const ynode *under, const ynode *over, bool deep) {
    ynode *n = node_fresh(a, over, under->count + over->count);
    memcpy(n->keys, under->keys, under->count * sizeof *n->keys);
    memcpy(n->items, under->items, under->count * sizeof *n->items);
    n->count = under->count;
    for (size_t i = 0; i < over->count; i++) {
        const ynode *old = ynode_get(under, over->keys[i]->scalar);
        ynode *value = over->items[i];
        if (deep && old && old->kind == YNODE_MAPPING && value->kind == YNODE_MAPPING)
            value = merge_maps(a, old, value, false);
        put_pair(n, over->keys[i], value);
    }
    return n;
}

static bool same_text(const ynode *a, const ynode *b) {
    return a && b && a->kind == YNODE_SCALAR && b->kind == YNODE_SCALAR &&
           strcmp(a->scalar, b->scalar) == 0;
}

// Returns whether `over` stands for `under`: an event of the same name, a pair of the same
// materials.
static bool entry_replaces(const ynode *over, const ynode *under) {
    if (over->kind != YNODE_MAPPING || under->kind != YNODE_MAPPING)
        return false;
    const ynode *a = ynode_get(over, "a"), *b = ynode_get(over, "b"), *c = ynode_get(under, "a"),
                *d = ynode_get(under, "b");
    return same_text(ynode_get(over, "name"), ynode_get(under, "name")) ||
           (same_text(a, c) && same_text(b, d)) || (same_text(a, d) && same_text(b, c));
}

static ynode *merge_lists(arena *a, const ynode *under, const ynode *over) {
    ynode *n = node_fresh(a, over, under->count + over->count);
    for (size_t i = 0; i < under->count; i++) {
        bool stays = true;
        for (size_t k = 0; k < over->count; k++)
            stays = stays && !entry_replaces(over->items[k], under->items[i]);
        if (stays)
            n->items[n->count++] = under->items[i];
    }
    for (size_t i = 0; i < over->count; i++)
        n->items[n->count++] = over->items[i];
    return n;
}

static ynode *merge_nodes(arena *a, ynode *under, ynode *over) {
    ynode *n = node_fresh(a, over, under->count + over->count);
    for (size_t i = 0; i < under->count; i++)
        put_pair(n, under->keys[i], under->items[i]);
    for (size_t i = 0; i < over->count; i++) {
        const char *key = over->keys[i]->scalar;
        const ynode *old = ynode_get(under, key);
        ynode *value = over->items[i];
        if (old && old->kind == YNODE_MAPPING && value->kind == YNODE_MAPPING &&
            name_among(key, sections))
            value = merge_maps(a, old, value, strcmp(key, "parameters") == 0);
        else if (old && old->kind == YNODE_SEQUENCE && value->kind == YNODE_SEQUENCE &&
                 name_among(key, lists))
            value = merge_lists(a, old, value);
        put_pair(n, over->keys[i], value);
    }
    return n;
}

typedef struct including {
    loading *l;
    const char *scope;
    errors *list;
    const char *open[DEEPEST]; // resolved paths of the files that are being read
    int depth;
    ARRAY(const char *) done;
} including;

// The text of a file, read once; what was read before is a source.
static status text_of(including *in, const char *path, const char *real, world_source *out,
                      error *err) {
    loading *l = in->l;
    for (size_t i = 0; i < l->paths.count; i++)
        if (strcmp(l->paths.items[i], real) == 0) {
            *out = l->sources.items[i];
            return OK;
        }
    char *text = NULL;
    size_t length = 0;
    status s = files_read(l->files, path, &text, &length, err);
    if (s != OK)
        return s;
    loading_source(l, in->scope, path, arena_copy(l->arena, text, length), length);
    free(text);
    *out = l->sources.items[l->sources.count - 1];
    return OK;
}

static status read_one(including *in, const char *path, const char *real, const ynode *named,
                       ynode **out);

// One file of an `include`; *merged grows by what it says.
static status read_included(including *in, const ynode *n, ynode **merged) {
    loading *l = in->l;
    const char *name;
    if (!ynode_text(n, "include", &name, in->list))
        return E_INPUT;
    const char *path = loading_path(l, n, name);
    char *resolved = files_real(l->files, path);
    if (!resolved) {
        ynode_error(n, in->list, "the file `%s` cannot be included: there is none at %s", name,
                    path);
        return E_INPUT;
    }
    const char *real = arena_strdup(l->arena, resolved);
    free(resolved);
    for (int i = 0; i < in->depth; i++)
        if (strcmp(in->open[i], real) == 0) {
            ynode_error(n, in->list, "`%s` includes itself, by way of this file", name);
            return E_INPUT;
        }
    for (size_t i = 0; i < in->done.count; i++)
        if (strcmp(in->done.items[i], real) == 0)
            return OK; // it is in the tree already
    ynode *tree = NULL;
    status s = read_one(in, path, real, n, &tree);
    if (s == OK)
        *merged = *merged ? merge_nodes(l->arena, *merged, tree) : tree;
    return s;
}

static status read_one(including *in, const char *path, const char *real, const ynode *named,
                       ynode **out) {
    loading *l = in->l;
    error err = {0};
    world_source source;
    if (in->depth == DEEPEST) {
        ynode_error(named, in->list, "files include each other more than %d deep", DEEPEST);
        return E_INPUT;
    }
    status s = text_of(in, path, real, &source, &err);
    if (s != OK) {
        if (named)
            ynode_error(named, in->list, "%s", err.text);
        else
            errors_append(in->list, &err);
        return s;
    }
    ynode *root = NULL;
    s = yaml_read(l->arena, arena_strdup(l->arena, path), source.text, source.length, &root,
                  in->list);
    if (s != OK)
        return s;
    if (root->kind != YNODE_MAPPING) {
        ynode_error(root, in->list, "a %s file is a mapping that begins with `%s: NAME`", in->scope,
                    in->scope);
        return E_INPUT;
    }
    in->open[in->depth++] = real;
    ynode *merged = NULL;
    const ynode *include = strcmp(in->scope, "world") == 0 ? ynode_get(root, "include") : NULL;
    if (include && include->kind != YNODE_SEQUENCE) {
        ynode_error(include, in->list, "`include` is a list of files: [kitchen.yaml]");
        s = E_INPUT;
    } else if (include) {
        for (size_t i = 0; i < include->count; i++) {
            status one = read_included(in, include->items[i], &merged);
            s = s == OK ? one : s;
        }
    }
    in->depth--;
    array_push(&in->done, real);
    if (s == OK)
        *out = merged ? merge_nodes(l->arena, merged, root) : root;
    return s;
}

status include_read(loading *l, const char *path, const char *scope, errors *list, ynode **root) {
    including in = {.l = l, .scope = scope, .list = list};
    char *resolved = files_real(l->files, path);
    const char *real = arena_strdup(l->arena, resolved ? resolved : path);
    free(resolved);
    status s = read_one(&in, path, real, NULL, root);
    array_finish(&in.done);
    return s;
}

// ---- Parts

static ynode *node_copied(arena *a, const ynode *n) {
    ynode *c = arena_alloc(a, sizeof *c);
    *c = *n;
    if (n->kind == YNODE_SCALAR)
        return c;
    c->items = arena_alloc(a, (n->count + 1) * sizeof *c->items);
    c->keys = arena_alloc(a, (n->count + 1) * sizeof *c->keys);
    for (size_t i = 0; i < n->count; i++) {
        c->items[i] = node_copied(a, n->items[i]);
        if (n->kind == YNODE_MAPPING)
            c->keys[i] = node_copied(a, n->keys[i]);
    }
    return c;
}

// Returns whether the part has a body, region or joint of this name.
static bool part_has(const ynode *part, const char *name) {
    for (int i = 1; part_sections[i]; i++) {
        const ynode *s = ynode_get(part, part_sections[i]);
        if (s && s->kind == YNODE_MAPPING && ynode_get(s, name))
            return true;
    }
    return false;
}

// Names of other entries of the same part get the prefix of the part.
static void rename_references(loading *l, ynode *entry, const ynode *part, const char *prefix) {
    static const char *const keys[] = {"on", "in", "body", NULL};
    for (size_t i = 0; entry->kind == YNODE_MAPPING && i < entry->count; i++) {
        ynode *v = entry->items[i];
        if (v->kind == YNODE_SCALAR && name_among(entry->keys[i]->scalar, keys) &&
            part_has(part, v->scalar))
            v->scalar = arena_format(l->arena, "%s_%s", prefix, v->scalar);
    }
}

// The section of the root, with room for more.
static ynode *section_roomy(loading *l, ynode *root, const char *key, const ynode *like,
                            size_t more) {
    ynode *old = ynode_get(root, key);
    if (old && old->kind != YNODE_MAPPING)
        return NULL; // reported when it is read
    ynode *n = node_fresh(l->arena, old ? old : like, (old ? old->count : 0) + more);
    if (old) {
        memcpy(n->keys, old->keys, old->count * sizeof *n->keys);
        memcpy(n->items, old->items, old->count * sizeof *n->items);
        n->count = old->count;
    }
    ynode *name = arena_alloc(l->arena, sizeof *name);
    *name = *like;
    name->kind = YNODE_SCALAR;
    name->scalar = key;
    put_pair(root, name, n);
    return n;
}

// Bodies go before the first that stands on one of them, all else behind.
static size_t place_for(const ynode *section, const ynode *part, const char *prefix) {
    size_t length = strlen(prefix);
    for (size_t i = 0; i < section->count; i++) {
        const ynode *on =
            section->items[i]->kind == YNODE_MAPPING ? ynode_get(section->items[i], "on") : NULL;
        if (on && on->kind == YNODE_SCALAR && strncmp(on->scalar, prefix, length) == 0 &&
            on->scalar[length] == '_' && part_has(part, on->scalar + length + 1))
            return i;
    }
    return section->count;
}

static void use_section(loading *l, ynode *root, const ynode *part, const char *key,
                        const char *prefix, pose frame, errors *list) {
    const ynode *from = ynode_get(part, key);
    bool types = strcmp(key, "types") == 0;
    if (!from)
        return;
    if (from->kind != YNODE_MAPPING) {
        ynode_error(from, list, "`%s` must be a mapping of names", key);
        return;
    }
    ynode *to = section_roomy(l, root, key, from, from->count);
    if (!to)
        return;
    size_t at = types ? to->count : place_for(to, part, prefix);
    for (size_t i = 0; i < from->count; i++) {
        if (types) { // shared by all uses of the part
            const ynode *old = ynode_get(to, from->keys[i]->scalar);
            if (old && old != from->items[i])
                ynode_error(from->keys[i], list,
                            "there is a type `%s` outside of the part already: name it otherwise",
                            from->keys[i]->scalar);
            put_pair(to, from->keys[i], from->items[i]);
            continue;
        }
        ynode *name = node_copied(l->arena, from->keys[i]),
              *entry = node_copied(l->arena, from->items[i]);
        name->scalar = arena_format(l->arena, "%s_%s", prefix, name->scalar);
        rename_references(l, entry, part, prefix);
        if (ynode_get(to, name->scalar))
            ynode_error(from->keys[i], list, "`%s` exists already: use the part under another name",
                        name->scalar);
        memmove(to->keys + at + 1, to->keys + at, (to->count - at) * sizeof *to->keys);
        memmove(to->items + at + 1, to->items + at, (to->count - at) * sizeof *to->items);
        to->keys[at] = name;
        to->items[at++] = entry;
        to->count++;
        array_push(&l->placed, (placement){entry, frame});
    }
}

static void use_part(loading *l, ynode *root, const ynode *n, errors *list) {
    loading here = *l; // the readers report to their own list
    here.list = list;
    const char *name = NULL, *prefix = NULL;
    pose frame = POSE_IDENTITY;
    size_t before = list->count;
    if (n->kind != YNODE_MAPPING || !ynode_get(n, "part") || !ynode_get(n, "as")) {
        ynode_error(n, list, "an entry of `use` is { part: NAME, as: PREFIX, at: POSE }");
        return;
    }
    keys_check(n, MAP_USE, list);
    read_text(&here, n, "part", &name);
    if (read_text(&here, n, "as", &prefix))
        name_check(&here, ynode_get(n, "as"), "part", prefix);
    if (ynode_get(n, "at"))
        read_pose(&here, ynode_get(n, "at"), "at", Q_PLACE, &frame);
    if (list->count > before)
        return;
    const ynode *parts = ynode_get(root, "parts");
    const ynode *part = parts && parts->kind == YNODE_MAPPING ? ynode_get(parts, name) : NULL;
    if (!part) {
        size_t count = parts && parts->kind == YNODE_MAPPING ? parts->count : 0;
        const char **names = arena_alloc(l->arena, (count + 1) * sizeof *names);
        for (size_t i = 0; i < count; i++)
            names[i] = parts->keys[i]->scalar;
        name_unknown(&here, ynode_get(n, "part"), "part", name, names, count);
        return;
    }
    if (part->kind != YNODE_MAPPING) {
        ynode_error(part, list, "a part is a mapping of types, bodies, regions and joints");
        return;
    }
    keys_check(part, MAP_PART, list);
    for (int i = 0; part_sections[i]; i++)
        use_section(l, root, part, part_sections[i], prefix, frame, list);
}

void include_parts(loading *l, ynode *root, errors *list) {
    const ynode *use = ynode_get(root, "use");
    if (!use)
        return;
    if (use->kind != YNODE_SEQUENCE) {
        ynode_error(use, list, "`use` is a list of { part: NAME, as: PREFIX, at: POSE }");
        return;
    }
    // Sections that only parts have are new entries of the root.
    ynode grown = *node_fresh(l->arena, root, root->count + 4);
    memcpy(grown.keys, root->keys, root->count * sizeof *grown.keys);
    memcpy(grown.items, root->items, root->count * sizeof *grown.items);
    grown.count = root->count;
    *root = grown;
    for (size_t i = 0; i < use->count; i++)
        use_part(l, root, use->items[i], list);
}

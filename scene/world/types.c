// scene/world/types.c - the world file's materials, pairs and types.
#include "scene/world/world_int.h"

static const material *find_material(const world_parts *w, const char *name) {
    for (size_t i = 0; i < w->materials.count; i++)
        if (strcmp(w->materials.items[i].name, name) == 0)
            return &w->materials.items[i];
    return NULL;
}

static void unknown_material(world_parts *w, const ynode *n, const char *name) {
    const char **names = arena_alloc(w->l.arena, (w->materials.count + 1) * sizeof *names);
    for (size_t i = 0; i < w->materials.count; i++)
        names[i] = w->materials.items[i].name;
    name_unknown(&w->l, n, "material", name, names, w->materials.count);
}

bool world_material_known(world_parts *w, const ynode *n, const char *name) {
    if (find_material(w, name))
        return true;
    unknown_material(w, n, name);
    return false;
}

void world_read_materials(world_parts *w) {
    static const char *const pair_keys[] = {"a", "b", "friction", NULL};
    ynode *section = loading_section(&w->l, "materials");
    for (size_t i = 0; section && i < section->count; i++) {
        const ynode *n = section->items[i];
        material m = {section->keys[i]->scalar, WORLD_FRICTION, WORLD_RESTITUTION};
        name_check(&w->l, section->keys[i], "material", m.name);
        if (strcmp(m.name, "any") == 0)
            ynode_error(section->keys[i], w->l.list,
                        "`any` stands for every material in pairs and "
                        "cannot be declared as one");
        if (n->kind != YNODE_MAPPING) {
            ynode_error(n, w->l.list, "a material is a mapping { friction: F, restitution: R }");
        } else {
            keys_check(n, MAP_MATERIAL, w->l.list);
            read_number(&w->l, n, "friction", Q_FRICTION, &m.friction);
            read_number(&w->l, n, "restitution", Q_SHARE, &m.restitution);
        }
        array_push(&w->materials, m);
    }
    const ynode *pairs = ynode_get(w->l.root, "pairs");
    if (pairs && pairs->kind != YNODE_SEQUENCE) {
        ynode_error(pairs, w->l.list,
                    "`pairs` is a list of { a: MATERIAL, b: MATERIAL, friction: F }");
        return;
    }
    for (size_t i = 0; pairs && i < pairs->count; i++) {
        const ynode *n = pairs->items[i];
        if (n->kind != YNODE_MAPPING) {
            ynode_error(n, w->l.list, "a pair is { a: MATERIAL, b: MATERIAL, friction: F }");
            continue;
        }
        keys_check(n, MAP_PAIR, w->l.list);
        material_pair p = {0};
        bool good = true;
        for (int k = 0; k < 3; k++)
            if (!ynode_get(n, pair_keys[k])) {
                ynode_missing(n, w->l.list, "the pair has no `%s`", pair_keys[k]);
                good = false;
            }
        good = read_text(&w->l, n, "a", &p.a) && good;
        good = read_text(&w->l, n, "b", &p.b) && good;
        good = read_number(&w->l, n, "friction", Q_FRICTION, &p.friction) && good;
        if (!good)
            continue;
        if (strcmp(p.a, "any") != 0 && !find_material(w, p.a))
            unknown_material(w, ynode_get(n, "a"), p.a);
        if (strcmp(p.b, "any") != 0 && !find_material(w, p.b))
            unknown_material(w, ynode_get(n, "b"), p.b);
        for (size_t k = 0; k < w->pairs.count; k++) {
            const material_pair *q = &w->pairs.items[k];
            if ((strcmp(p.a, q->a) == 0 && strcmp(p.b, q->b) == 0) ||
                (strcmp(p.a, q->b) == 0 && strcmp(p.b, q->a) == 0))
                ynode_error(n, w->l.list, "the pair of `%s` and `%s` is given twice", p.a, p.b);
        }
        array_push(&w->pairs, p);
    }
}

static void read_interior(world_parts *w, const ynode *n, body_type *t) {
    shape_list found = {0};
    ynode one = {.kind = YNODE_SEQUENCE, .count = 1, .items = (ynode *[]){(ynode *)n}};
    if (n->kind != YNODE_MAPPING)
        ynode_error(n, w->l.list,
                    "`interior` is one shape, such as { cylinder: [r, h], at: [x, y, z] }");
    else if (read_shapes(&w->l, &one, &found)) {
        if (found.count != 1 || found.items[0].kind == SHAPE_PLANE ||
            found.items[0].kind == SHAPE_MESH) {
            ynode_error(n, w->l.list, "`interior` is one box, cylinder, sphere or capsule");
        } else {
            t->has_interior = true;
            t->interior = found.items[0];
        }
    }
    array_finish(&found);
}

// A band of a wall: { radius: R, width: W, low: Z, high: Z, facets: N }.
static bool read_band(world_parts *w, const ynode *n, grasp_way *way) {
    static const char *const needed[] = {"width", "low", "high"};
    bool side = way->kind == GRASP_SIDE;
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, w->l.list, "a grasp is { %swidth: W, low: Z, high: Z, facets: N }",
                    side ? "" : "radius: R, ");
        return false;
    }
    size_t before = w->l.list->count;
    keys_check(n, side ? MAP_SIDE_GRASP : MAP_TOP_GRASP, w->l.list);
    for (int i = 0; i < 3; i++)
        if (!ynode_get(n, needed[i]))
            ynode_missing(n, w->l.list, "the grasp has no `%s`", needed[i]);
    int64_t facets = 0, least = side ? 2 : 3;
    read_number(&w->l, n, "radius", Q_EXTENT, &way->radius);
    read_number(&w->l, n, "width", Q_MEASURE, &way->width);
    read_number(&w->l, n, "low", Q_REACH, &way->low);
    read_number(&w->l, n, "high", Q_REACH, &way->high);
    const ynode *f = ynode_get(n, "facets");
    if (f && ynode_integer(f, "facets", &facets, w->l.list) &&
        (facets < 0 || (facets > 0 && facets < least) || facets > 64))
        ynode_error(f, w->l.list, "a wall has 0 (round) or %d to 64 facets", (int)least);
    way->facets = (size_t)facets;
    if (w->l.list->count == before && way->high <= way->low)
        ynode_error(n, w->l.list, "the grasp's `high` (%g) must lie over its `low` (%g)", way->high,
                    way->low);
    return w->l.list->count == before;
}

// One of { top: BAND }, { side: BAND }, { handle: POSE, width: W, both: N }.
static bool read_grasp_way(world_parts *w, const ynode *n, grasp_way *way) {
    static const char *const keys[] = {"top", "side", "handle", "width", "both", NULL};
    const ynode *given[3] = {0};
    size_t count = 0;
    for (int k = 0; n->kind == YNODE_MAPPING && k < 3; k++) {
        given[k] = ynode_get(n, keys[k]);
        count += given[k] != NULL;
    }
    size_t before = w->l.list->count;
    if (n->kind == YNODE_MAPPING)
        keys_check(n, MAP_GRASP, w->l.list);
    if (count != 1) {
        ynode_missing(
            n, w->l.list,
            "a way to grasp is { top: {...} }, { side: {...} } or { handle: POSE, width: W }");
        return false;
    }
    *way = (grasp_way){.at = POSE_IDENTITY};
    if (!given[2]) {
        way->kind = given[0] ? GRASP_TOP : GRASP_SIDE;
        for (int k = 3; k < 5; k++)
            if (ynode_get(n, keys[k]))
                ynode_error(ynode_get(n, keys[k]), w->l.list, "only a handle has `%s` here",
                            keys[k]);
        read_band(w, given[0] ? given[0] : given[1], way);
        return w->l.list->count == before;
    }
    way->kind = GRASP_HANDLE;
    read_pose(&w->l, given[2], "handle", Q_REACH, &way->at);
    if (!ynode_get(n, "width"))
        ynode_missing(n, w->l.list, "the handle has no `width`");
    read_number(&w->l, n, "width", Q_MEASURE, &way->width);
    int64_t both = 0;
    const ynode *b = ynode_get(n, "both");
    if (b && ynode_integer(b, "both", &both, w->l.list) && (both < 1 || both > 8))
        ynode_error(b, w->l.list, "`both` is the number of a pair of handles, 1 to 8");
    way->both = (int)both;
    return w->l.list->count == before;
}

// `grasp`, one wall taken from above, or `grasps`, a list of all ways.
static void read_grasps(world_parts *w, const ynode *n, body_type *t) {
    const ynode *one = ynode_get(n, "grasp"), *list = ynode_get(n, "grasps");
    if (one && list) {
        ynode_error(one, w->l.list, "give either `grasp` or `grasps`");
        return;
    }
    if (list && list->kind != YNODE_SEQUENCE) {
        ynode_error(list, w->l.list, "`grasps` is a list of ways to grasp");
        return;
    }
    size_t count = list ? list->count : one ? 1 : 0;
    grasp_way *ways = arena_alloc(w->l.arena, count * sizeof *ways + 1);
    if (one)
        ways[0] = (grasp_way){.at = POSE_IDENTITY};
    if (one)
        t->grasp_count += read_band(w, one, &ways[0]);
    for (size_t i = 0; list && i < list->count; i++)
        t->grasp_count += read_grasp_way(w, list->items[i], &ways[t->grasp_count]);
    t->grasps = ways;
    bool whole = t->grasp_count == count; // else the other handle of a pair may be missing
    for (size_t i = 0; whole && i < t->grasp_count; i++) {
        size_t same = 0;
        for (size_t k = 0; ways[i].both > 0 && k < t->grasp_count; k++)
            same += ways[k].both == ways[i].both;
        if (ways[i].both > 0 && same != 2)
            ynode_error(list, w->l.list, "two handles are a pair, not %zu (`both: %d`)", same,
                        ways[i].both);
    }
}

void world_read_properties(world_parts *w, const ynode *n, const property *inherited, size_t count,
                           const property **out, size_t *out_count) {
    const ynode *tags = ynode_get(n, "tags"), *own = ynode_get(n, "properties");
    if (tags && tags->kind != YNODE_SEQUENCE) {
        ynode_error(tags, w->l.list, "`tags` is a list of words: [breakable, dish]");
        tags = NULL;
    }
    if (own && own->kind != YNODE_MAPPING) {
        ynode_error(own, w->l.list, "`properties` is a mapping such as { owner: anna }");
        own = NULL;
    }
    size_t most = count + (tags ? tags->count : 0) + (own ? own->count : 0);
    property *p = arena_alloc(w->l.arena, (most + 1) * sizeof *p);
    *out_count = 0;
    for (size_t i = 0; i < count; i++) // what the body says itself stands instead
        if (strcmp(inherited[i].key, "tag") == 0 || !own || !ynode_get(own, inherited[i].key))
            p[(*out_count)++] = inherited[i];
    for (size_t i = 0; tags && i < tags->count; i++) {
        property tag = {"tag", ""};
        if (ynode_text(tags->items[i], "tag", &tag.value, w->l.list))
            p[(*out_count)++] = tag;
    }
    for (size_t i = 0; own && i < own->count; i++) {
        property one = {own->keys[i]->scalar, ""};
        if (strcmp(one.key, "tag") == 0)
            ynode_error(own->keys[i], w->l.list, "write tags as `tags: [WORD, ...]`");
        if (ynode_text(own->items[i], one.key, &one.value, w->l.list))
            p[(*out_count)++] = one;
    }
    *out = p;
}

// A body's centre of mass lies within its shapes, but for what they leave out: a handle, a lining.
static void check_com(world_parts *w, const ynode *n, vec3 com, const shape_list *shapes) {
    vec3 low, high;
    if (!shapes_bounds(shapes->items, shapes->count, POSE_IDENTITY, &low, &high))
        return;
    vec3 half = v3_scale(v3_sub(high, low), 0.5);
    low = v3_sub(low, half);
    high = v3_add(high, half);
    if (com.x < low.x || com.x > high.x || com.y < low.y || com.y > high.y || com.z < low.z ||
        com.z > high.z)
        ynode_error(n, w->l.list,
                    "`com` lies far outside of the shapes: x from %.3g to %.3g, y from %.3g to "
                    "%.3g and z from %.3g to %.3g would do",
                    low.x, high.x, low.y, high.y, low.z, high.z);
}

// Checks the numbers of a type together.
static void check_mass(world_parts *w, const ynode *n, body_type *t, const shape_list *shapes) {
    bool plane = false;
    for (size_t i = 0; i < shapes->count; i++)
        plane |= shapes->items[i].kind == SHAPE_PLANE;
    vec3 com;
    mat3 inertia;
    if (plane && t->mass > 0)
        ynode_error(n, w->l.list, "a plane has no mass: leave `mass` out");
    if (!shapes_mass(shapes->items, shapes->count, &com, &inertia, NULL))
        return;
    if (!ynode_get(n, "com"))
        t->com = com;
    else
        check_com(w, ynode_get(n, "com"), t->com, shapes);
    const ynode *given = ynode_get(n, "inertia");
    if (given) {
        read_inertia(&w->l, given, t->mass, &t->inertia);
        return;
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            t->inertia.m[a][b] = inertia.m[a][b] * t->mass;
}

// What the file itself says, unless the robot is told otherwise: settings change the world, not
// what is thought of it.
static void read_believed_mass(world_parts *w, const ynode *n, const ynode *defaults,
                               body_type *t) {
    t->believed_mass = t->mass;
    const ynode *mass = ynode_get(defaults, "mass");
    errors unheard = {0};
    double v;
    if (mass && ynode_number(mass, "mass", &v, &unheard) && isfinite(v) && v > 0)
        t->believed_mass = v;
    errors_finish(&unheard);
    read_number(&w->l, n, "believed_mass", Q_MASS, &t->believed_mass);
}

bool world_read_type(world_parts *w, const ynode *n, const ynode *defaults, const char *name,
                     body_type *out) {
    loading *l = &w->l;
    size_t before = l->list->count;
    body_type t = {.name = name,
                   .friction = WORLD_FRICTION,
                   .restitution = WORLD_RESTITUTION,
                   .material = "default",
                   .up = {0, 0, 1},
                   .break_impulse = INFINITY};
    const ynode *material_node = ynode_get(n, "material");
    if (material_node && ynode_text(material_node, "material", &t.material, l->list)) {
        const material *m = find_material(w, t.material);
        if (m) {
            t.friction = m->friction;
            t.restitution = m->restitution;
        } else {
            unknown_material(w, material_node, t.material);
        }
    }
    shape_list shapes = {0};
    const ynode *list = ynode_get(n, "shapes");
    if (!list)
        ynode_missing(n, l->list, "`%s` has no `shapes`", name);
    else
        read_shapes(l, list, &shapes);
    read_number(l, n, "mass", Q_MASS, &t.mass);
    read_believed_mass(w, n, defaults, &t);
    read_vector(l, n, "com", Q_REACH, &t.com);
    read_number(l, n, "friction", Q_FRICTION, &t.friction);
    read_number(l, n, "restitution", Q_SHARE, &t.restitution);
    read_number(l, n, "break_impulse", Q_IMPULSE, &t.break_impulse);
    read_vector(l, n, "up", Q_DIRECTION, &t.up);
    if (!(v3_length(t.up) > 0))
        ynode_error(ynode_get(n, "up"), l->list, "`up` is a direction, not [0, 0, 0]");
    t.up = v3_unit(t.up);
    if (ynode_get(n, "interior"))
        read_interior(w, ynode_get(n, "interior"), &t);
    read_grasps(w, n, &t);
    world_read_properties(w, n, NULL, 0, &t.properties, &t.property_count);
    check_mass(w, n, &t, &shapes);
    shape *own = arena_alloc(l->arena, (shapes.count + 1) * sizeof *own);
    if (shapes.count > 0)
        memcpy(own, shapes.items, shapes.count * sizeof *own);
    t.shapes = own;
    t.shape_count = shapes.count;
    array_finish(&shapes);
    *out = t;
    return l->list->count == before;
}

void world_read_types(world_parts *w) {
    ynode *section = loading_section(&w->l, "types");
    for (size_t i = 0; section && i < section->count; i++) {
        const ynode *n = section->items[i];
        body_type t = {.name = section->keys[i]->scalar};
        size_t before = w->l.list->count;
        name_check(&w->l, section->keys[i], "type", t.name);
        if (strcmp(t.name, TYPE_UNKNOWN) == 0)
            ynode_error(section->keys[i], w->l.list,
                        "`%s` is what cameras call a body without a `type`: choose another name",
                        t.name);
        if (n->kind != YNODE_MAPPING) {
            ynode_error(n, w->l.list, "a type is a mapping with `shapes`");
        } else {
            keys_check(n, MAP_DECLARED_TYPE, w->l.list);
            world_read_type(w, n, loading_default(&w->l, "types", i), t.name, &t);
        }
        array_push(&w->types, t); // with its mistakes, so that bodies of it are not reported too
        array_push(&w->sound, w->l.list->count == before);
    }
}

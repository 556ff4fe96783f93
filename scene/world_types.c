// The world file's materials, pairs and types.
#include "scene/scene_int.h"

#define FRICTION 0.5 // of what says nothing
#define RESTITUTION 0.0

const char *const world_type_keys[] = {
    "shapes", "mass",     "com",   "inertia",       "friction",      "material", "restitution",
    "up",     "interior", "grasp", "break_impulse", "believed_mass", NULL};

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

static bool read_restitution(world_parts *w, const ynode *map, double *out) {
    double v = *out;
    if (!read_nonnegative(&w->l, map, "restitution", &v))
        return false;
    if (v > 1) {
        ynode_error(ynode_get(map, "restitution"), w->l.list,
                    "`restitution` lies between 0 and 1, not at %g", v);
        return false;
    }
    *out = v;
    return true;
}

void world_read_materials(world_parts *w) {
    static const char *const keys[] = {"friction", "restitution", "doc", NULL};
    static const char *const pair_keys[] = {"a", "b", "friction", NULL};
    ynode *section = loading_section(&w->l, "materials");
    for (size_t i = 0; section && i < section->count; i++) {
        const ynode *n = section->items[i];
        material m = {section->keys[i]->scalar, FRICTION, RESTITUTION};
        name_check(&w->l, section->keys[i], "material", m.name);
        if (strcmp(m.name, "any") == 0)
            ynode_error(section->keys[i], w->l.list,
                        "`any` stands for every material in pairs and "
                        "cannot be declared as one");
        if (n->kind != YNODE_MAPPING) {
            ynode_error(n, w->l.list, "a material is a mapping { friction: F, restitution: R }");
        } else {
            ynode_check_keys(n, keys, w->l.list);
            read_nonnegative(&w->l, n, "friction", &m.friction);
            read_restitution(w, n, &m.restitution);
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
        ynode_check_keys(n, pair_keys, w->l.list);
        material_pair p = {0};
        bool good = true;
        for (int k = 0; k < 3; k++)
            if (!ynode_get(n, pair_keys[k])) {
                ynode_error(n, w->l.list, "the pair has no `%s`", pair_keys[k]);
                good = false;
            }
        good = read_text(&w->l, n, "a", &p.a) && good;
        good = read_text(&w->l, n, "b", &p.b) && good;
        good = read_nonnegative(&w->l, n, "friction", &p.friction) && good;
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
        if (found.count != 1 || found.items[0].kind == SHAPE_PLANE) {
            ynode_error(n, w->l.list, "`interior` is one box, cylinder, sphere or capsule");
        } else {
            t->has_interior = true;
            t->interior = found.items[0];
        }
    }
    array_finish(&found);
}

static void read_grasp(world_parts *w, const ynode *n, body_type *t) {
    static const char *const keys[] = {"radius", "width", "low", "high", "facets", NULL};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, w->l.list, "`grasp` is { radius: R, width: W, low: Z, high: Z, facets: N }");
        return;
    }
    size_t before = w->l.list->count;
    ynode_check_keys(n, keys, w->l.list);
    for (int i = 1; i < 4; i++)
        if (!ynode_get(n, keys[i]))
            ynode_error(n, w->l.list, "the grasp has no `%s`", keys[i]);
    int64_t facets = 0;
    read_nonnegative(&w->l, n, "radius", &t->grasp_radius);
    read_positive(&w->l, n, "width", &t->grasp_width);
    read_number(&w->l, n, "low", &t->grasp_low);
    read_number(&w->l, n, "high", &t->grasp_high);
    const ynode *f = ynode_get(n, "facets");
    if (f && ynode_integer(f, "facets", &facets, w->l.list) &&
        (facets < 0 || facets == 1 || facets == 2 || facets > 64))
        ynode_error(f, w->l.list, "a wall has 0 (round) or 3 to 64 facets");
    if (w->l.list->count > before)
        return;
    t->grasp_facets = (size_t)facets;
    if (t->grasp_high <= t->grasp_low)
        ynode_error(n, w->l.list, "the grasp's `high` (%g) must lie over its `low` (%g)",
                    t->grasp_high, t->grasp_low);
}

// What the numbers of a type say together.
static void check_mass(world_parts *w, const ynode *n, body_type *t, const shape_list *shapes) {
    bool plane = false;
    for (size_t i = 0; i < shapes->count; i++)
        plane |= shapes->items[i].kind == SHAPE_PLANE;
    vec3 com;
    mat3 inertia;
    if (plane && t->mass > 0)
        ynode_error(n, w->l.list, "a plane has no mass: leave `mass` out");
    if (!shapes_mass(shapes->items, shapes->count, &com, &inertia))
        return;
    if (!ynode_get(n, "com"))
        t->com = com;
    const ynode *given = ynode_get(n, "inertia");
    if (given) {
        read_inertia(&w->l, given, &t->inertia);
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
    read_positive(&w->l, n, "believed_mass", &t->believed_mass);
}

bool world_read_type(world_parts *w, const ynode *n, const ynode *defaults, const char *name,
                     body_type *out) {
    loading *l = &w->l;
    size_t before = l->list->count;
    body_type t = {.name = name,
                   .friction = FRICTION,
                   .restitution = RESTITUTION,
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
        ynode_error(n, l->list, "`%s` has no `shapes`", name);
    else
        read_shapes(l, list, &shapes);
    read_positive(l, n, "mass", &t.mass);
    read_believed_mass(w, n, defaults, &t);
    read_vector(l, n, "com", &t.com);
    read_nonnegative(l, n, "friction", &t.friction);
    read_restitution(w, n, &t.restitution);
    read_positive(l, n, "break_impulse", &t.break_impulse);
    read_vector(l, n, "up", &t.up);
    if (!(v3_length(t.up) > 0))
        ynode_error(ynode_get(n, "up"), l->list, "`up` is a direction, not [0, 0, 0]");
    t.up = v3_unit(t.up);
    if (ynode_get(n, "interior"))
        read_interior(w, ynode_get(n, "interior"), &t);
    if (ynode_get(n, "grasp"))
        read_grasp(w, ynode_get(n, "grasp"), &t);
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
    const char *keys[16] = {0};
    size_t count = 0;
    for (; world_type_keys[count]; count++)
        keys[count] = world_type_keys[count];
    keys[count] = "doc";
    ynode *section = loading_section(&w->l, "types");
    for (size_t i = 0; section && i < section->count; i++) {
        const ynode *n = section->items[i];
        body_type t = {.name = section->keys[i]->scalar};
        name_check(&w->l, section->keys[i], "type", t.name);
        if (n->kind != YNODE_MAPPING) {
            ynode_error(n, w->l.list, "a type is a mapping with `shapes`");
        } else {
            ynode_check_keys(n, keys, w->l.list);
            world_read_type(w, n, loading_default(&w->l, "types", i), t.name, &t);
        }
        array_push(&w->types, t); // with its mistakes, so that bodies of it are not reported too
    }
}

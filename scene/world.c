// The world: loading as a whole, looking things up, and the part the robot may know.
#include "scene/scene_int.h"

// Moves a list into the arena.
static void *moved(arena *a, void *items, size_t count, size_t size) {
    void *p = arena_alloc(a, count * size + 1);
    if (count > 0)
        memcpy(p, items, count * size);
    return p;
}

static void read_world(world_parts *w, world_model *m) {
    static const char *const keys[] = {"world",     "doc",      "gravity", "parameters",
                                       "materials", "pairs",    "types",   "bodies",
                                       "regions",   "robot_at", NULL};
    loading *l = &w->l;
    ynode_check_keys(l->root, keys, l->list);
    loading_name(l, "world", &m->name);
    m->gravity = v3(0, 0, -9.81);
    read_vector(l, l->root, "gravity", &m->gravity);
    world_read_materials(w);
    world_read_types(w);
    world_read_bodies(w);
    world_read_regions(w);
    const ynode *at = ynode_get(l->root, "robot_at");
    double v[3] = {0};
    if (at && ynode_numbers(at, "robot_at", v, 3, l->list)) {
        if (isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]))
            m->robot_at = pose_planar(v[0], v[1], angle_wrap(v[2] * PI / 180));
        else
            ynode_error(at, l->list, "`robot_at` must be finite: [x, y, yaw in degrees]");
    }
}

// Bodies point to types: those of the growing list move with it.
static void move_types(world_parts *w, world_model *m) {
    body_type *types = moved(m->arena, w->types.items, w->types.count, sizeof *types);
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body_type *t = w->bodies.items[i].type;
        if (t >= w->types.items && t < w->types.items + w->types.count)
            w->bodies.items[i].type = types + (t - w->types.items);
    }
    m->types = types;
    m->type_count = w->types.count;
}

status world_load(const char *path, const char *base, const settings *set, world_model **out,
                  errors *list) {
    arena *a = arena_create();
    world_model *m = arena_alloc(a, sizeof *m);
    m->arena = a;
    m->robot_at = POSE_IDENTITY;
    errors found = {0}; // of its own, so that a list that is full already hides nothing
    world_parts w = {.l = {.arena = a, .list = &found, .params = &m->params}};
    status s = loading_begin(&w.l, path, base, "world", set);
    if (s != OK)
        goto done;
    read_world(&w, m);
    s = found.count > 0 ? E_INPUT : OK;
    if (s != OK)
        goto done;
    move_types(&w, m);
    m->bodies = moved(a, w.bodies.items, w.bodies.count, sizeof *m->bodies);
    m->body_count = w.bodies.count;
    m->regions = moved(a, w.regions.items, w.regions.count, sizeof *m->regions);
    m->region_count = w.regions.count;
    m->pairs = moved(a, w.pairs.items, w.pairs.count, sizeof *m->pairs);
    m->pair_count = w.pairs.count;
    m->sources = moved(a, &w.l.source, 1, sizeof *m->sources);
    m->source_count = 1;
    *out = m;
done:
    for (size_t i = 0; i < found.count; i++)
        errors_append(list, &found.items[i]);
    errors_finish(&found);
    array_finish(&w.materials);
    array_finish(&w.types);
    array_finish(&w.bodies);
    array_finish(&w.body_nodes);
    array_finish(&w.regions);
    array_finish(&w.pairs);
    if (s != OK)
        world_destroy(m);
    return s;
}

void world_destroy(world_model *w) {
    if (!w)
        return;
    array_finish(&w->params);
    arena_destroy(w->arena);
}

// As the robot believes it to be.
static void copy_type(arena *a, const body_type *from, body_type *to) {
    *to = *from;
    to->mass = from->believed_mass;
    to->friction = to->restitution = to->break_impulse = NAN;
    to->com = v3(0, 0, 0);
    to->inertia = (mat3){{{0}}};
    if (shapes_mass(from->shapes, from->shape_count, &to->com, &to->inertia))
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                to->inertia.m[r][c] *= to->mass;
    to->name = arena_strdup(a, from->name);
    to->material = arena_strdup(a, from->material);
    to->shapes = moved(a, (void *)from->shapes, from->shape_count, sizeof *from->shapes);
}

static void copy_body(const world_model *w, const world_model *k, const world_body *from,
                      world_body *to) {
    arena *a = k->arena;
    *to = *from;
    to->name = arena_strdup(a, from->name);
    to->color = arena_strdup(a, from->color);
    if (from->type >= w->types && from->type < w->types + w->type_count) {
        to->type = k->types + (from->type - w->types);
    } else {
        body_type *own = arena_alloc(a, sizeof *own);
        copy_type(a, from->type, own);
        to->type = own;
    }
    property *p = arena_alloc(a, from->property_count * sizeof *p + 1);
    for (size_t i = 0; i < from->property_count; i++)
        p[i] = (property){arena_strdup(a, from->properties[i].key),
                          arena_strdup(a, from->properties[i].value)};
    to->properties = p;
}

world_model *world_known(const world_model *w) {
    arena *a = arena_create();
    world_model *k = arena_alloc(a, sizeof *k);
    k->arena = a;
    k->name = arena_strdup(a, w->name);
    k->gravity = w->gravity;
    k->robot_at = w->robot_at;
    body_type *types = arena_alloc(a, w->type_count * sizeof *types + 1);
    for (size_t i = 0; i < w->type_count; i++)
        copy_type(a, &w->types[i], &types[i]);
    k->types = types;
    k->type_count = w->type_count;
    world_body *bodies = arena_alloc(a, w->body_count * sizeof *bodies + 1);
    size_t *index = arena_alloc(a, w->body_count * sizeof *index + 1);
    for (size_t i = 0; i < w->body_count; i++) {
        if (!w->bodies[i].known)
            continue;
        index[i] = k->body_count;
        copy_body(w, k, &w->bodies[i], &bodies[k->body_count++]);
    }
    k->bodies = bodies;
    world_region *regions = arena_alloc(a, w->region_count * sizeof *regions + 1);
    for (size_t i = 0; i < w->region_count; i++) {
        const world_region *r = &w->regions[i];
        if (!w->bodies[r->body].known)
            continue;
        regions[k->region_count] = *r;
        regions[k->region_count].name = arena_strdup(a, r->name);
        regions[k->region_count++].body = index[r->body];
    }
    k->regions = regions;
    return k;
}

int64_t world_find_body(const world_model *w, const char *name) {
    for (size_t i = 0; i < w->body_count; i++)
        if (strcmp(w->bodies[i].name, name) == 0)
            return (int64_t)i;
    return -1;
}

int64_t world_find_region(const world_model *w, const char *name) {
    for (size_t i = 0; i < w->region_count; i++)
        if (strcmp(w->regions[i].name, name) == 0)
            return (int64_t)i;
    return -1;
}

const body_type *world_find_type(const world_model *w, const char *name) {
    for (size_t i = 0; i < w->type_count; i++)
        if (strcmp(w->types[i].name, name) == 0)
            return &w->types[i];
    // A body with shapes of its own names its type itself.
    for (size_t i = 0; i < w->body_count; i++)
        if (strcmp(w->bodies[i].type->name, name) == 0)
            return w->bodies[i].type;
    return NULL;
}

// How well a pair fits two materials: 3 both by name, 2 one by `any`, 1 two, 0 not at all.
static int pair_fit(const material_pair *p, const char *a, const char *b) {
    bool any_a = strcmp(p->a, "any") == 0, any_b = strcmp(p->b, "any") == 0;
    if ((!any_a && strcmp(p->a, a) != 0) || (!any_b && strcmp(p->b, b) != 0))
        return 0;
    return 3 - any_a - any_b;
}

double world_friction(const world_model *w, const char *material_a, double mu_a,
                      const char *material_b, double mu_b) {
    const material_pair *best = NULL;
    int fit = 0;
    for (size_t i = 0; i < w->pair_count; i++) {
        const material_pair *p = &w->pairs[i];
        int one = pair_fit(p, material_a, material_b), two = pair_fit(p, material_b, material_a);
        int f = one > two ? one : two;
        if (f > fit) {
            fit = f;
            best = p;
        }
    }
    return best ? best->friction : sqrt(mu_a * mu_b);
}

double world_support_height(const world_model *w, size_t body) {
    const world_body *b = &w->bodies[body];
    vec3 low, high;
    if (shapes_bounds(b->type->shapes, b->type->shape_count, b->at, &low, &high))
        return high.z;
    return b->type->shape_count > 0 ? b->at.p.z + b->type->shapes[0].at.p.z : -INFINITY;
}

double world_support_height_at(const world_model *w, size_t body, double x, double y) {
    const world_body *b = &w->bodies[body];
    return b->at.p.z + surface_over(b->type, x, y);
}

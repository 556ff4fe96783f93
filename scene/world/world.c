// scene/world/world.c - the world: loading as a whole, looking things up, and the part the robot
// may know.
#include "scene/world/world_int.h"

// Moves a list into the arena.
static void *list_moved(arena *a, void *items, size_t count, size_t size) {
    void *p = arena_alloc(a, count * size + 1);
    if (count > 0)
        memcpy(p, items, count * size);
    return p;
}

static void read_world(world_parts *w, const settings *set, world_model *m) {
    loading *l = &w->l;
    loading_name(l, "world", &m->name);
    m->gravity = v3(0, 0, -9.81);
    read_vector(l, l->root, "gravity", Q_GRAVITY, &m->gravity);
    world_read_materials(w);
    world_read_types(w);
    world_read_particles(w);
    world_read_bodies(w);
    world_read_joints(w);
    // What has a mistake stands where it is not meant to, as does what stands on it.
    if (l->list->count == 0)
        world_check_overlaps(w);
    world_read_regions(w);
    world_fill(w);
    world_read_events(w);
    world_read_fidelity(w, set, &m->fidelity);
    world_read_ensemble(w, &m->ensemble);
    const ynode *at = ynode_get(l->root, "robot_at");
    double v[3] = {0};
    if (at && read_numbers(l, at, "robot_at", Q_PLACE, v, 3))
        m->robot_at = pose_planar(v[0], v[1], angle_wrap(v[2] * PI / 180));
}

// Bodies point to types: those of the growing list move with it.
static void move_types(world_parts *w, world_model *m) {
    body_type *types = list_moved(m->arena, w->types.items, w->types.count, sizeof *types);
    for (size_t i = 0; w->types.count > 0 && i < w->bodies.count; i++) {
        const body_type *t = w->bodies.items[i].type;
        if (t >= w->types.items && t < w->types.items + w->types.count)
            w->bodies.items[i].type = types + (t - w->types.items);
    }
    m->types = types;
    m->type_count = w->types.count;
}

status world_load(const char *path, const char *base, const settings *set, world_model **out,
                  errors *list) {
    return world_load_from(NULL, path, base, set, out, list);
}

status world_load_from(const file_set *files, const char *path, const char *base,
                       const settings *set, world_model **out, errors *list) {
    arena *a = arena_create();
    world_model *m = arena_alloc(a, sizeof *m);
    m->arena = a;
    m->robot_at = POSE_IDENTITY;
    errors found = {0}; // of its own, so that a list that is full already hides nothing
    world_parts w = {.l = {.arena = a, .files = files, .list = &found, .params = &m->params}};
    status s = loading_begin(&w.l, path, base, "world", MAP_WORLD, set);
    if (s != OK)
        goto done;
    read_world(&w, set, m);
    s = found.count > 0 ? E_INPUT : OK;
    if (s != OK)
        goto done;
    move_types(&w, m);
    for (size_t i = 0; i < w.bodies.count; i++)
        w.bodies.items[i].on = i < w.supports.count ? w.supports.items[i] : -1;
    m->bodies = list_moved(a, w.bodies.items, w.bodies.count, sizeof *m->bodies);
    m->body_count = w.bodies.count;
    m->regions = list_moved(a, w.regions.items, w.regions.count, sizeof *m->regions);
    m->region_count = w.regions.count;
    m->pairs = list_moved(a, w.pairs.items, w.pairs.count, sizeof *m->pairs);
    m->pair_count = w.pairs.count;
    m->joints = list_moved(a, w.joints.items, w.joints.count, sizeof *m->joints);
    m->joint_count = w.joints.count;
    m->events = list_moved(a, w.events.items, w.events.count, sizeof *m->events);
    m->event_count = w.events.count;
    m->sources = loading_sources(&w.l, &m->source_count);
    *out = m;
done:
    for (size_t i = 0; i < found.count; i++)
        errors_append(list, &found.items[i]);
    errors_finish(&found);
    loading_finish(&w.l);
    array_finish(&w.materials);
    array_finish(&w.types);
    array_finish(&w.sound);
    array_finish(&w.bodies);
    array_finish(&w.body_nodes);
    array_finish(&w.supports);
    array_finish(&w.particles);
    array_finish(&w.joints);
    array_finish(&w.events);
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

static const property *copy_properties(arena *a, const property *from, size_t count) {
    property *p = arena_alloc(a, count * sizeof *p + 1);
    for (size_t i = 0; i < count; i++)
        p[i] = (property){arena_strdup(a, from[i].key), arena_strdup(a, from[i].value)};
    return p;
}

// As the robot believes it to be.
static void copy_type(arena *a, const body_type *from, body_type *to) {
    *to = *from;
    to->mass = from->believed_mass;
    to->friction = to->restitution = to->break_impulse = NAN;
    to->com = v3(0, 0, 0);
    to->inertia = (mat3){{{0}}};
    if (shapes_mass(from->shapes, from->shape_count, &to->com, &to->inertia, NULL))
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                to->inertia.m[r][c] *= to->mass;
    to->name = arena_strdup(a, from->name);
    to->material = arena_strdup(a, from->material);
    shape *shapes = list_moved(a, (void *)from->shapes, from->shape_count, sizeof *from->shapes);
    for (size_t i = 0; i < from->shape_count; i++)
        if (shapes[i].mesh)
            shapes[i].mesh = mesh_copy(a, shapes[i].mesh);
    to->shapes = shapes;
    if (to->has_interior && to->interior.mesh)
        to->interior.mesh = mesh_copy(a, to->interior.mesh);
    to->properties = copy_properties(a, from->properties, from->property_count);
    to->grasps = list_moved(a, (void *)from->grasps, from->grasp_count, sizeof *from->grasps);
}

static void copy_body(const world_model *w, const world_model *k, const world_body *from,
                      world_body *to) {
    arena *a = k->arena;
    *to = *from;
    to->velocity = to->spin = v3(0, 0, 0);
    to->name = arena_strdup(a, from->name);
    to->color = arena_strdup(a, from->color);
    to->on = -1; // its number there is not known here
    if (from->type >= w->types && from->type < w->types + w->type_count) {
        to->type = k->types + (from->type - w->types);
    } else {
        body_type *own = arena_alloc(a, sizeof *own);
        copy_type(a, from->type, own);
        to->type = own;
    }
    to->properties = copy_properties(a, from->properties, from->property_count);
}

// Known a priori, and there.
static bool is_known(const world_body *b) {
    return b->known && !b->absent && !b->particle;
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
        index[i] = SIZE_MAX;
        if (!is_known(&w->bodies[i]))
            continue;
        index[i] = k->body_count;
        copy_body(w, k, &w->bodies[i], &bodies[k->body_count++]);
    }
    k->bodies = bodies;
    world_region *regions = arena_alloc(a, w->region_count * sizeof *regions + 1);
    for (size_t i = 0; i < w->region_count; i++) {
        const world_region *r = &w->regions[i];
        if (!is_known(&w->bodies[r->body]))
            continue;
        regions[k->region_count] = *r;
        regions[k->region_count].name = arena_strdup(a, r->name);
        regions[k->region_count++].body = index[r->body];
    }
    k->regions = regions;
    world_joint *joints = arena_alloc(a, w->joint_count * sizeof *joints + 1);
    for (size_t i = 0; i < w->joint_count; i++) {
        const world_joint *j = &w->joints[i];
        if (!is_known(&w->bodies[j->body]) || (j->base >= 0 && !is_known(&w->bodies[j->base])))
            continue;
        joints[k->joint_count] = *j;
        joints[k->joint_count].name = arena_strdup(a, j->name);
        joints[k->joint_count].friction = joints[k->joint_count].damping = NAN;
        joints[k->joint_count].latch = NAN;
        joints[k->joint_count].body = index[j->body];
        joints[k->joint_count++].base = j->base >= 0 ? (int64_t)index[j->base] : -1;
    }
    k->joints = joints;
    return k;
}

int64_t world_find_joint(const world_model *w, const char *name) {
    for (size_t i = 0; i < w->joint_count; i++)
        if (strcmp(w->joints[i].name, name) == 0)
            return (int64_t)i;
    return -1;
}

int64_t world_joint_of(const world_model *w, size_t body) {
    for (size_t i = 0; i < w->joint_count; i++)
        if (w->joints[i].body == body)
            return (int64_t)i;
    return -1;
}

bool world_carries_joints(const world_model *w, size_t body) {
    for (size_t i = 0; i < w->joint_count; i++)
        if (w->joints[i].base == (int64_t)body)
            return true;
    return false;
}

pose world_joint_pose(const world_model *w, size_t joint, double position) {
    const world_joint *j = &w->joints[joint];
    return joint_displaced(j, w->bodies[j->body].at, position);
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
    return NULL;
}

const char *body_type_seen_as(const body_type *t) {
    return t->own ? TYPE_UNKNOWN : t->name;
}

bool body_types_alike(const body_type *a, const body_type *b) {
    vec3 low_a, high_a, low_b, high_b;
    if (!shapes_bounds(a->shapes, a->shape_count, POSE_IDENTITY, &low_a, &high_a) ||
        !shapes_bounds(b->shapes, b->shape_count, POSE_IDENTITY, &low_b, &high_b))
        return false;
    vec3 x = v3_sub(high_a, low_a), y = v3_sub(high_b, low_b);
    const double share = 0.25;
    return fabs(x.x - y.x) <= share * fmax(x.x, y.x) && fabs(x.y - y.y) <= share * fmax(x.y, y.y) &&
           fabs(x.z - y.z) <= share * fmax(x.z, y.z);
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

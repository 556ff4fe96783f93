// scene/world/bodies.c - the world file's bodies and regions, and whether they fit together.
#include "scene/world/world_int.h"

#define FLAT 1e-9        // a mesh's volume over the cube of its extent: less is a sheet
#define NOWHERE SIZE_MAX // the body of a region that has mistakes

double body_type_lowest(const body_type *t) {
    vec3 low, high;
    return shapes_bounds(t->shapes, t->shape_count, POSE_IDENTITY, &low, &high) ? low.z : 0;
}

double surface_over(const body_type *t, double x, double y) {
    double best = -INFINITY;
    vec3 low, high = v3(0, 0, 0), from;
    shapes_bounds(t->shapes, t->shape_count, POSE_IDENTITY, &low, &high);
    for (size_t i = 0; i < t->shape_count; i++) // of planes, too
        high.z = fmax(high.z, t->shapes[i].at.p.z);
    from = v3(x, y, high.z + 1);
    for (size_t i = 0; i < t->shape_count; i++) {
        double d = shape_ray(&t->shapes[i], t->shapes[i].at, from, v3(0, 0, -1));
        if (isfinite(d))
            best = fmax(best, from.z - d);
    }
    return best;
}

static int64_t find_body(const world_parts *w, const char *name) {
    for (size_t i = 0; i < w->bodies.count; i++)
        if (strcmp(w->bodies.items[i].name, name) == 0)
            return (int64_t)i;
    return -1;
}

static void unknown_body(world_parts *w, const ynode *n, const char *name) {
    const char **names = arena_alloc(w->l.arena, (w->bodies.count + 1) * sizeof *names);
    for (size_t i = 0; i < w->bodies.count; i++)
        names[i] = w->bodies.items[i].name;
    // A body that stands later in the file exists, but not yet.
    const ynode *section = ynode_get(w->l.root, "bodies");
    if (section && section->kind == YNODE_MAPPING && ynode_get(section, name))
        ynode_error(n, w->l.list, "`%s` must stand in the file before what refers to it", name);
    else
        name_unknown(&w->l, n, "body", name, names, w->bodies.count);
}

int64_t world_body_named(world_parts *w, const ynode *n, const char *name) {
    int64_t i = find_body(w, name);
    if (i < 0)
        unknown_body(w, n, name);
    return i;
}

// NULL: there is none, which is reported, or one with a mistake.
static const body_type *find_type(world_parts *w, const ynode *n, const char *name) {
    const char **names = arena_alloc(w->l.arena, (w->types.count + 1) * sizeof *names);
    for (size_t i = 0; i < w->types.count; i++) {
        names[i] = w->types.items[i].name;
        if (strcmp(names[i], name) == 0)
            return w->sound.items[i] ? &w->types.items[i] : NULL;
    }
    name_unknown(&w->l, n, "type", name, names, w->types.count);
    return NULL;
}

// A type without the mass that one of its bodies needs is told of once.
static void take_type_away(world_parts *w, const body_type *t) {
    for (size_t i = 0; i < w->types.count; i++)
        if (t == &w->types.items[i])
            w->sound.items[i] = false;
}

// The type of a body: declared, declared and changed here, or of its own.
static const body_type *read_body_type(world_parts *w, const ynode *n, const ynode *defaults,
                                       const char *name) {
    static const char *const own[] = {"com",           "inertia", "material", "up",
                                      "interior",      "grasp",   "grasps",   "break_impulse",
                                      "believed_mass", NULL};
    loading *l = &w->l;
    const ynode *kind = ynode_get(n, "type");
    const char *type_name;
    body_type t;
    if (!kind) {
        if (!ynode_get(n, "shapes")) {
            ynode_missing(n, l->list, "the body `%s` needs a `type` or `shapes` of its own", name);
            return NULL;
        }
        if (!world_read_type(w, n, defaults, name, &t))
            return NULL;
        t.own = true;
    } else {
        if (ynode_get(n, "shapes"))
            ynode_error(n, l->list, "give `%s` either a `type` or `shapes`, not both", name);
        for (int i = 0; own[i]; i++)
            if (ynode_get(n, own[i]))
                ynode_error(ynode_get(n, own[i]), l->list,
                            "`%s` belongs to the type; a body may change friction, restitution "
                            "and mass",
                            own[i]);
        if (!ynode_text(kind, "type", &type_name, l->list))
            return NULL;
        const body_type *declared = find_type(w, kind, type_name);
        if (!declared ||
            (!ynode_get(n, "friction") && !ynode_get(n, "restitution") && !ynode_get(n, "mass")))
            return declared;
        t = *declared;
        read_number(l, n, "friction", Q_FRICTION, &t.friction);
        read_number(l, n, "restitution", Q_SHARE, &t.restitution);
        if (read_number(l, n, "mass", Q_MASS, &t.mass) && t.mass > 0) {
            vec3 com;
            mat3 unit;
            for (size_t i = 0; i < t.shape_count; i++)
                if (t.shapes[i].kind == SHAPE_PLANE && ynode_get(n, "mass"))
                    ynode_error(ynode_get(n, "mass"), l->list,
                                "a plane has no mass: leave `mass` out");
            // As the declared type is spread, with the new mass.
            if (declared->mass > 0) {
                for (int a = 0; a < 3; a++)
                    for (int b = 0; b < 3; b++)
                        t.inertia.m[a][b] *= t.mass / declared->mass;
            } else if (shapes_mass(t.shapes, t.shape_count, &com, &unit, NULL)) {
                for (int a = 0; a < 3; a++)
                    for (int b = 0; b < 3; b++)
                        t.inertia.m[a][b] = unit.m[a][b] * t.mass;
            }
        }
    }
    body_type *copy = arena_alloc(l->arena, sizeof *copy);
    *copy = t;
    return copy;
}

// `on: BODY, at: [x, y]`: the lowest point rests on the surface there.
static void read_standing(world_parts *w, const ynode *n, const char *on, double yaw,
                          world_body *b) {
    double xy[2] = {0};
    const ynode *at = ynode_get(n, "at");
    int64_t support = find_body(w, on);
    if (support < 0) {
        unknown_body(w, ynode_get(n, "on"), on);
        return;
    }
    const world_body *s = &w->bodies.items[support];
    w->supports.items[w->supports.count - 1] = support;
    if (!at)
        ynode_missing(n, w->l.list, "`on: %s` needs `at: [x, y]`, in the frame of `%s`", on, on);
    else if (read_numbers(&w->l, at, "at", Q_PLACE, xy, 2) && b->type && s->type) {
        double top = surface_over(s->type, xy[0], xy[1]);
        if (!isfinite(top)) {
            ynode_error(at, w->l.list, "there is nothing of `%s` at [%g, %g]", on, xy[0], xy[1]);
            return;
        }
        pose local = {v3(xy[0], xy[1], top - body_type_lowest(b->type)), quat_rpy(0, 0, yaw)};
        b->at = pose_mul(s->at, local);
    }
}

// A body that moves needs a volume: its inertia comes from there, and contacts need an inside.
static void check_solid(world_parts *w, const ynode *n, const world_body *b) {
    for (size_t i = 0; i < b->type->shape_count; i++) {
        const shape *s = &b->type->shapes[i];
        double volume = 1, extent = 0;
        vec3 com;
        mat3 inertia;
        if (s->kind == SHAPE_MESH) {
            mesh_mass(s->mesh, &volume, &com, &inertia);
            extent = fmax(s->size.x, fmax(s->size.y, s->size.z));
        }
        // A plane with a mass has been reported where it is declared.
        if (s->kind == SHAPE_PLANE || volume > FLAT * extent * extent * extent)
            return;
    }
    if (b->type->shape_count > 0)
        ynode_error(n, w->l.list,
                    "the body `%s` can move, and its mesh is flat: what moves needs a volume; "
                    "give the mesh a thickness, or mark the body `fixed: true`",
                    b->name);
}

static void read_body(world_parts *w, const ynode *n, const ynode *defaults, world_body *b) {
    loading *l = &w->l;
    b->type = read_body_type(w, n, defaults, b->name);
    bool fixed_read = read_bool(l, n, "fixed", &b->fixed);
    read_bool(l, n, "known", &b->known);
    read_color(l, n, "color", &b->color, &b->rgb);
    read_bool(l, n, "absent", &b->absent);
    if (ynode_get(n, "type")) // shapes of its own: the properties are its type's
        world_read_properties(w, n, b->type ? b->type->properties : NULL,
                              b->type ? b->type->property_count : 0, &b->properties,
                              &b->property_count);
    else if (b->type) {
        b->properties = b->type->properties;
        b->property_count = b->type->property_count;
    }
    if (b->absent && b->fixed)
        ynode_error(ynode_get(n, "absent"), l->list,
                    "`%s` cannot be both fixed and absent: an event adds only what can move",
                    b->name);
    read_vector(l, n, "velocity", Q_MOTION, &b->velocity);
    read_vector(l, n, "spin", Q_SPIN, &b->spin);
    const ynode *moves = ynode_get(n, "velocity") ? ynode_get(n, "velocity") : ynode_get(n, "spin");
    if (moves && (b->fixed || b->absent))
        ynode_error(moves, l->list, "`%s` is %s: it has no velocity at the start", b->name,
                    b->fixed ? "fixed" : "absent");
    double yaw = 0;
    const ynode *at = ynode_get(n, "at"), *on_node = ynode_get(n, "on");
    const char *on = NULL;
    read_number(l, n, "yaw", Q_ANGLE, &yaw);
    if (on_node) {
        if (ynode_text(on_node, "on", &on, l->list))
            read_standing(w, n, on, yaw, b);
    } else if (!at) {
        b->at = pose_mul(loading_frame(l, n), (pose){v3(0, 0, 0), quat_rpy(0, 0, yaw)});
    } else {
        if (read_pose(l, at, "at", Q_PLACE, &b->at) && ynode_get(n, "yaw")) {
            if (at->kind == YNODE_MAPPING)
                ynode_error(ynode_get(n, "yaw"), l->list, "give the yaw inside `at`, not twice");
            b->at.q = quat_rpy(0, 0, yaw);
        }
        b->at = pose_mul(loading_frame(l, n), b->at);
    }
    if (!b->type || !fixed_read)
        return;
    if (!b->fixed && !(b->type->mass > 0)) {
        take_type_away(w, b->type);
        ynode_missing(n, l->list,
                      "the body `%s` can move and needs a `mass`; or mark it "
                      "`fixed: true`",
                      b->name);
    } else if (!b->fixed)
        check_solid(w, n, b);
}

void world_read_bodies(world_parts *w) {
    ynode *section = loading_section(&w->l, "bodies");
    for (size_t i = 0; section && i < section->count; i++) {
        const ynode *n = section->items[i];
        const ynode *key = section->keys[i];
        world_body b = {.name = key->scalar,
                        .file = key->file,
                        .line = key->line,
                        .column = key->column,
                        .color = "gray",
                        .rgb = {0.55, 0.55, 0.55},
                        .at = POSE_IDENTITY,
                        .inside = -1};
        array_push(&w->supports, -1);
        name_check(&w->l, key, "body", b.name);
        if (n->kind != YNODE_MAPPING) {
            ynode_error(n, w->l.list, "a body is a mapping with `type` or `shapes`, and `at`");
        } else {
            keys_check(n, MAP_BODY, w->l.list);
            read_body(w, n, loading_default(&w->l, "bodies", i), &b);
        }
        array_push(&w->bodies, b);
        array_push(&w->body_nodes, n);
    }
}

static const world_region *find_region(const world_parts *w, const char *name) {
    for (size_t i = 0; i < w->regions.count; i++)
        if (strcmp(w->regions.items[i].name, name) == 0)
            return &w->regions.items[i];
    return NULL;
}

// The frame a region's `at` is given in: a body's top, or another region.
static bool region_parent(world_parts *w, const ynode *n, world_region *r, pose *parent) {
    const ynode *on = ynode_get(n, "on"), *in = ynode_get(n, "in");
    const char *name;
    if (!on == !in) {
        ynode_error(n, w->l.list, "the region `%s` lies either `on: BODY` or `in: REGION`",
                    r->name);
        return false;
    }
    if (on) {
        if (!ynode_text(on, "on", &name, w->l.list))
            return false;
        int64_t body = find_body(w, name);
        if (body < 0) {
            unknown_body(w, on, name);
            return false;
        }
        r->body = (size_t)body;
        *parent = POSE_IDENTITY;
        return true;
    }
    if (!ynode_text(in, "in", &name, w->l.list))
        return false;
    const world_region *outer = find_region(w, name);
    if (!outer) {
        const char **names = arena_alloc(w->l.arena, (w->regions.count + 1) * sizeof *names);
        for (size_t i = 0; i < w->regions.count; i++)
            names[i] = w->regions.items[i].name;
        name_unknown(&w->l, in, "region before this one", name, names, w->regions.count);
        return false;
    }
    r->body = outer->body;
    *parent = outer->at;
    return outer->body != NOWHERE; // whose own mistake is reported
}

static void read_region(world_parts *w, const ynode *n, world_region *r) {
    loading *l = &w->l;
    size_t before = l->list->count;
    keys_check(n, MAP_REGION, l->list);
    pose parent = POSE_IDENTITY;
    double xy[2] = {0}, size[2] = {0}, yaw = 0;
    bool placed = region_parent(w, n, r, &parent);
    const ynode *at = ynode_get(n, "at"), *size_node = ynode_get(n, "size");
    if (at)
        read_numbers(l, at, "at", Q_PLACE, xy, 2);
    if (!size_node)
        ynode_missing(n, l->list, "the region `%s` needs a `size: [x, y]`", r->name);
    else
        read_numbers(l, size_node, "size", Q_MEASURE, size, 2);
    read_number(l, n, "yaw", Q_ANGLE, &yaw);
    read_number(l, n, "tolerance", Q_EXTENT, &r->tolerance);
    read_number(l, n, "angle_tolerance", Q_SPREAD, &r->angle_tolerance);
    if (l->list->count > before || !placed) {
        r->body = NOWHERE;
        return;
    }
    r->half_x = size[0] / 2;
    r->half_y = size[1] / 2;
    r->at = pose_mul(parent, (pose){v3(xy[0], xy[1], 0), quat_rpy(0, 0, yaw)});
    const world_body *b = &w->bodies.items[r->body];
    if (!b->type)
        return;
    r->at.p.z = surface_over(b->type, r->at.p.x, r->at.p.y);
    if (!isfinite(r->at.p.z)) {
        r->at.p.z = 0;
        ynode_error(at ? at : n, l->list, "there is nothing of `%s` under the centre of `%s`",
                    b->name, r->name);
    }
}

void world_read_regions(world_parts *w) {
    ynode *section = loading_section(&w->l, "regions");
    for (size_t i = 0; section && i < section->count; i++) {
        world_region r = {.name = section->keys[i]->scalar,
                          .body = NOWHERE,
                          .at = POSE_IDENTITY,
                          .angle_tolerance = INFINITY};
        const ynode *n = section->items[i];
        name_check(&w->l, section->keys[i], "region", r.name);
        if (find_body(w, r.name) >= 0)
            ynode_error(section->keys[i], w->l.list, "`%s` already names a body", r.name);
        if (n->kind != YNODE_MAPPING)
            ynode_error(n, w->l.list,
                        "a region is a mapping { on: BODY, at: [x, y], size: [x, y] }");
        else
            read_region(w, n, &r);
        array_push(&w->regions, r);
    }
}

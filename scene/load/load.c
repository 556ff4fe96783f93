// scene/load/load.c - readers that the loaders of world and robot share: the file, poses, shapes,
// numbers, names.
#include "scene/load/loading.h"
#include "base/text/json.h"
#include "base/text/number.h"
#include "base/hash.h"

// `path` as seen from the folder of names, both resolved, so that every spelling gives the same
// name.
static const char *relative_name(const loading *l, const char *path) {
    arena *a = l->arena;
    const char *base = l->base;
    if (l->files) { // a log's names are such
        char *own = files_real(l->files, path);
        const char *kept = arena_strdup(a, own ? own : path);
        free(own);
        return kept;
    }
    char *to = base ? realpath(path, NULL) : NULL, *from = base ? realpath(base, NULL) : NULL;
    const char *name = NULL;
    if (to && from) {
        size_t same = 0; // length of the folders in common
        size_t length = strlen(from);
        for (size_t i = 0;; i++) {
            bool ends_from = i == length, ends_to = to[i] == 0 || to[i] == '/';
            if ((ends_from || from[i] == '/') && ends_to)
                same = i;
            if (ends_from || to[i] == 0 || from[i] != to[i])
                break;
        }
        size_t up = 0;
        for (const char *p = from + same; *p; p++)
            up += *p == '/' && p[1] != 0;
        const char *rest = to + same + (to[same] == '/');
        char *out = arena_alloc(a, 3 * up + strlen(rest) + 1);
        for (size_t i = 0; i < up; i++)
            memcpy(out + 3 * i, "../", 3);
        memcpy(out + 3 * up, rest, strlen(rest) + 1);
        name = out;
    }
    free(to);
    free(from);
    return name ? name : arena_strdup(a, path);
}

void loading_source(loading *l, const char *kind, const char *path, const char *text,
                    size_t length) {
    char *real = files_real(l->files, path);
    const char *own = arena_strdup(l->arena, real ? real : path);
    free(real);
    for (size_t i = 0; i < l->paths.count; i++)
        if (strcmp(l->paths.items[i], own) == 0)
            return;
    array_push(&l->paths, own);
    array_push(&l->sources, (world_source){kind, relative_name(l, path), text, length});
}

const world_source *loading_sources(loading *l, size_t *count) {
    world_source *own = arena_alloc(l->arena, (l->sources.count + 1) * sizeof *own);
    if (l->sources.count > 0)
        memcpy(own, l->sources.items, l->sources.count * sizeof *own);
    *count = l->sources.count;
    return own;
}

void loading_finish(loading *l) {
    array_finish(&l->sources);
    array_finish(&l->paths);
    array_finish(&l->placed);
}

const char *loading_path(const loading *l, const ynode *n, const char *file) {
    const char *slash = strrchr(n->file, '/');
    if (file[0] == '/' || !slash)
        return file;
    return arena_format(l->arena, "%.*s/%s", (int)(slash - n->file), n->file, file);
}

pose loading_frame(const loading *l, const ynode *entry) {
    for (size_t i = 0; i < l->placed.count; i++)
        if (l->placed.items[i].node == entry)
            return l->placed.items[i].frame;
    return POSE_IDENTITY;
}

// Its mistakes are those of the root, too, and are reported there.
static void read_defaults(loading *l, const char *path, const char *scope, const parameters *p) {
    errors unheard = {0};
    ynode *root = NULL;
    if (include_read(l, path, scope, &unheard, &root) == OK) {
        parameters_fill(l->arena, root, p, &unheard);
        include_parts(l, root, &unheard);
        l->defaults = root;
    }
    errors_finish(&unheard);
}

status loading_begin(loading *l, const char *path, const char *base, const char *scope,
                     file_map map, const settings *set) {
    l->base = base;
    status s = include_read(l, path, scope, l->list, &l->root);
    if (s != OK)
        return s;
    keys_check(l->root, map, l->list);
    size_t before = l->list->count;
    parameters_read(l->arena, l->root, l->params, l->list);
    parameters before_set = {0};
    for (size_t i = 0; i < l->params->count; i++)
        array_push(&before_set, l->params->items[i]);
    bool any = false;
    status wrong = OK;
    for (size_t i = 0; set && i < set->count; i++) {
        const setting *t = &set->items[i];
        if (strcmp(t->scope, scope) != 0)
            continue;
        any = true;
        s = parameters_apply(l->arena, l->params, t, l->list);
        if (s != OK)
            wrong = s;
    }
    if (wrong == OK) {
        l->defaults = l->root;
        if (any)
            read_defaults(l, path, scope, &before_set);
        parameters_fill(l->arena, l->root, l->params, l->list);
        include_parts(l, l->root, l->list);
    }
    array_finish(&before_set);
    if (wrong != OK)
        return wrong;
    // Reading on would only repeat the mistakes of the parameters.
    return l->list->count > before ? E_INPUT : OK;
}

ynode *loading_section(loading *l, const char *key) {
    ynode *n = ynode_get(l->root, key);
    if (n && n->kind != YNODE_MAPPING) {
        if (n->kind != YNODE_SCALAR || n->quoted || n->scalar[0] != 0) // an empty section is fine
            ynode_error(n, l->list, "`%s` must be a mapping of names", key);
        return NULL;
    }
    return n;
}

const ynode *loading_default(const loading *l, const char *key, size_t i) {
    const ynode *own = ynode_get(l->root, key), *there = ynode_get(l->defaults, key);
    // In the same place, unless a setting moved what stands on what.
    if (there && i < there->count && strcmp(there->keys[i]->scalar, own->keys[i]->scalar) == 0)
        return there->items[i];
    const ynode *found = there ? ynode_get(there, own->keys[i]->scalar) : NULL;
    return found ? found : own->items[i];
}

bool loading_name(loading *l, const char *key, const char **out) {
    const ynode *n = ynode_get(l->root, key);
    if (!n) {
        ynode_missing(l->root, l->list, "the name is missing: begin the file with `%s: NAME`", key);
        return false;
    }
    return ynode_text(n, key, out, l->list) && name_check(l, n, key, *out);
}

static const struct {
    const char *name, *unit;
    double low, high, si;
} quantities[] = {
#define QUANTITY(name, unit, low, high, si) {#name, unit, low, high, si},
#include "scene/load/quantities.def"
#undef QUANTITY
};

const char *quantity_name(quantity q) {
    return quantities[q].name;
}

const char *quantity_unit(quantity q) {
    return quantities[q].unit;
}

void quantity_put_range(text_buffer *b, quantity q) {
    text_put(b, ", \"minimum\": ");
    json_number(b, quantities[q].low);
    text_put(b, ", \"maximum\": ");
    json_number(b, quantities[q].high);
}

bool quantity_fits(quantity q, double v) {
    return v >= quantities[q].low && v <= quantities[q].high;
}

bool quantity_check(const ynode *n, errors *list, const char *what, quantity q, double v) {
    if (quantity_fits(q, v))
        return true;
    const char *unit = quantities[q].unit;
    ynode_error(n, list, "`%s` lies between %g and %g%s%s, not at %g", what, quantities[q].low,
                quantities[q].high, *unit ? " " : "", unit, v);
    errors_mark(list, ERROR_MISSPELT);
    return false;
}

// Says what a number with a unit behind it, `200 g`, is in the unit that is meant: `0.2`. False: it
// is no such number.
static bool complain_unit(loading *l, const ynode *n, const char *what, quantity q) {
    static const struct {
        const char *unit, *of;
        double factor;
    } units[] = {{"kg", "kg", 1},       {"g", "kg", 1e-3},         {"t", "kg", 1e3},
                 {"m", "m", 1},         {"cm", "m", 1e-2},         {"mm", "m", 1e-3},
                 {"s", "s", 1},         {"ms", "s", 1e-3},         {"min", "s", 60},
                 {"deg", "degrees", 1}, {"degrees", "degrees", 1}, {"rad", "degrees", 180 / PI},
                 {"N", "N", 1},         {"kN", "N", 1e3}};
    if (!n || n->kind != YNODE_SCALAR)
        return false;
    size_t digits = strspn(n->scalar, "+-.0123456789eE"), blank = strspn(n->scalar + digits, " ");
    const char *unit = n->scalar + digits + blank;
    double value;
    if (!*unit || !number_parse(n->scalar, digits, &value))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].unit, unit) == 0 && strcmp(units[i].of, quantities[q].unit) == 0) {
            ynode_error(n, l->list, "%s is a number of %s, without the unit: %.6g, not '%s'", what,
                        units[i].of, value * units[i].factor, n->scalar);
            errors_mark(l->list, ERROR_MISSPELT);
            return true;
        }
    return false;
}

bool read_numbers(loading *l, const ynode *n, const char *what, quantity q, double *out,
                  size_t count) {
    double v[16];
    ASSERT(count <= 16);
    for (size_t i = 0; n->kind == YNODE_SEQUENCE && i < n->count; i++)
        if (complain_unit(l, n->items[i], what, q))
            return false;
    if (!ynode_numbers(n, what, v, count, l->list))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!quantity_check(n->items[i], l->list, what, q, v[i]))
            return false;
    for (size_t i = 0; i < count; i++)
        out[i] = v[i] * quantities[q].si;
    return true;
}

bool read_number(loading *l, const ynode *map, const char *key, quantity q, double *out) {
    const ynode *n = ynode_get(map, key);
    double v;
    if (!n)
        return true;
    if (complain_unit(l, n, key, q))
        return false;
    if (!ynode_number(n, key, &v, l->list)) {
        errors_mark(l->list, ERROR_MISSPELT);
        return false;
    }
    if (!quantity_check(n, l->list, key, q, v))
        return false;
    *out = v * quantities[q].si;
    return true;
}

bool read_vector(loading *l, const ynode *map, const char *key, quantity q, vec3 *out) {
    const ynode *n = ynode_get(map, key);
    double v[3];
    if (!n)
        return true;
    if (!read_numbers(l, n, key, q, v, 3))
        return false;
    *out = v3(v[0], v[1], v[2]);
    return true;
}

bool read_text(loading *l, const ynode *map, const char *key, const char **out) {
    const ynode *n = ynode_get(map, key);
    return !n || ynode_text(n, key, out, l->list);
}

bool read_bool(loading *l, const ynode *map, const char *key, bool *out) {
    const ynode *n = ynode_get(map, key);
    return !n || ynode_bool(n, key, out, l->list);
}

bool read_pose(loading *l, const ynode *n, const char *what, quantity q, pose *out) {
    double p[3] = {0}, r[3] = {0};
    if (n->kind != YNODE_MAPPING) {
        if (!read_numbers(l, n, what, q, p, 3))
            return false;
        *out = (pose){v3(p[0], p[1], p[2]), {1, 0, 0, 0}};
        return true;
    }
    size_t before = l->list->count;
    keys_check(n, MAP_PLACED, l->list);
    const ynode *at = ynode_get(n, "position"), *rpy = ynode_get(n, "rpy");
    if (at)
        read_numbers(l, at, "position", q, p, 3);
    if (rpy)
        read_numbers(l, rpy, "rpy", Q_ANGLE, r, 3);
    if (rpy && ynode_get(n, "yaw"))
        ynode_error(n, l->list, "give either `rpy` or `yaw`, not both");
    read_number(l, n, "yaw", Q_ANGLE, &r[2]);
    if (l->list->count > before)
        return false;
    *out = (pose){v3(p[0], p[1], p[2]), quat_rpy(r[0], r[1], r[2])};
    return true;
}

// A wall of flat boxes around a circle: `radius` to the outer faces' middles, standing on z = 0 of
// `at`; facet i faces outwards at i * 360 / facets degrees from x.
static void read_ring(loading *l, const ynode *n, pose at, shape_list *out) {
    static const char *const keys[] = {"radius", "thickness", "height", "facets", NULL};
    double radius = 0, thickness = 0, height = 0;
    int64_t facets = 8;
    size_t before = l->list->count;
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list, "a ring is { radius, thickness, height, facets }");
        return;
    }
    keys_check(n, MAP_RING, l->list);
    for (int i = 0; i < 3; i++)
        if (!ynode_get(n, keys[i]))
            ynode_missing(n, l->list, "a ring needs `%s`", keys[i]);
    double *const measures[] = {&radius, &thickness, &height};
    for (int i = 0; i < 3; i++)
        read_number(l, n, keys[i], Q_MEASURE, measures[i]);
    const ynode *f = ynode_get(n, "facets");
    if (f && ynode_integer(f, "facets", &facets, l->list) && (facets < 3 || facets > 64)) {
        ynode_error(f, l->list, "a ring has 3 to 64 facets");
        return;
    }
    if (l->list->count == before && thickness >= radius)
        ynode_error(n, l->list, "a ring's thickness must be less than its radius");
    if (l->list->count > before)
        return;
    // Boxes whose ends meet in the middle of the wall.
    double middle = radius - thickness / 2, length = 2 * middle * tan(PI / (double)facets);
    for (int64_t i = 0; i < facets; i++) {
        double angle = 2 * PI * (double)i / (double)facets;
        pose own = {v3(middle * cos(angle), middle * sin(angle), height / 2),
                    quat_rpy(0, 0, angle)};
        array_push(out, (shape){SHAPE_BOX, pose_mul(at, own), v3(thickness, length, height), NULL});
    }
}

// `mesh: FILE`, or { file: FILE, scale: S, hull: true }.
static void read_mesh(loading *l, const ynode *n, shape *s) {
    size_t before = l->list->count;
    const ynode *file_node = n, *scale_node = NULL;
    const char *file = NULL;
    double scale[3] = {1, 1, 1};
    bool hull = false;
    if (n->kind == YNODE_MAPPING) {
        keys_check(n, MAP_MESH, l->list);
        file_node = ynode_get(n, "file");
        scale_node = ynode_get(n, "scale");
        read_bool(l, n, "hull", &hull);
        if (!file_node)
            ynode_missing(n, l->list, "a mesh needs its `file`");
    }
    if (file_node)
        ynode_text(file_node, "mesh", &file, l->list);
    if (scale_node && scale_node->kind == YNODE_SEQUENCE) {
        read_numbers(l, scale_node, "scale", Q_SCALE, scale, 3);
    } else if (scale_node && read_number(l, n, "scale", Q_SCALE, &scale[0])) {
        scale[1] = scale[2] = scale[0];
    }
    if (l->list->count > before)
        return;
    error err = {0};
    const char *path = loading_path(l, file_node, file), *there = path;
    if (files_on_disk(l->arena, l->files, path, &there, &err) != OK ||
        mesh_load(l->arena, there, file, v3(scale[0], scale[1], scale[2]), hull, &s->mesh, &err) !=
            OK) {
        ynode_error(file_node, l->list, "%s", err.text);
        return;
    }
    s->kind = SHAPE_MESH;
    s->size = s->mesh->size;
    s->at = pose_mul(s->at, (pose){s->mesh->center, {1, 0, 0, 0}});
    const char *text = hash_text(l->arena, s->mesh->hash);
    loading_source(l, "mesh", path, text, strlen(text));
}

static bool read_shape(loading *l, const ynode *n, shape_list *out) {
    static const char *const keys[] = {"box",  "cylinder", "sphere", "capsule", "plane",
                                       "mesh", "ring",     "at",     NULL};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, l->list, "a shape is a mapping such as { box: [x, y, z], at: [x, y, z] }");
        return false;
    }
    size_t before = l->list->count;
    keys_check(n, MAP_SHAPE, l->list);
    shape s = {.at = POSE_IDENTITY};
    const ynode *at = ynode_get(n, "at"), *given = NULL;
    if (at)
        read_pose(l, at, "at", Q_PLACE, &s.at);
    int kinds = 0;
    for (int i = 0; i < 7; i++)
        if (ynode_get(n, keys[i])) {
            given = ynode_get(n, keys[i]);
            kinds++;
        }
    if (kinds == 0 && l->list->count > before)
        return false; // of a kind that is not known, which is reported
    if (kinds != 1) {
        ynode_error(n, l->list,
                    "a shape is exactly one of box, cylinder, sphere, capsule, plane, mesh "
                    "and ring");
        return false;
    }
    double v[3] = {0};
    if (given == ynode_get(n, "box")) {
        s.kind = SHAPE_BOX;
        read_numbers(l, given, "box", Q_MEASURE, v, 3);
        s.size = v3(v[0], v[1], v[2]);
    } else if (given == ynode_get(n, "cylinder") || given == ynode_get(n, "capsule")) {
        bool capsule = given == ynode_get(n, "capsule");
        s.kind = capsule ? SHAPE_CAPSULE : SHAPE_CYLINDER;
        read_numbers(l, given, capsule ? "capsule" : "cylinder", Q_MEASURE, v, 2);
        s.size = v3(v[0], v[0], v[1]);
    } else if (given == ynode_get(n, "sphere")) {
        s.kind = SHAPE_SPHERE;
        read_number(l, n, "sphere", Q_MEASURE, &v[0]);
        s.size = v3(v[0], v[0], v[0]);
    } else if (given == ynode_get(n, "plane")) {
        bool is = true;
        s.kind = SHAPE_PLANE;
        if (read_bool(l, n, "plane", &is) && !is)
            ynode_error(given, l->list, "write `plane: true`, or leave the shape out");
    } else if (given == ynode_get(n, "mesh")) {
        read_mesh(l, given, &s);
    } else {
        read_ring(l, given, s.at, out);
        return l->list->count == before;
    }
    if (l->list->count > before)
        return false;
    array_push(out, s);
    return true;
}

bool read_shapes(loading *l, const ynode *n, shape_list *out) {
    if (n->kind != YNODE_SEQUENCE || n->count == 0) {
        ynode_error(n, l->list, "`shapes` must be a list of at least one shape");
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < n->count; i++)
        good = read_shape(l, n->items[i], out) && good;
    return good;
}

bool read_inertia(loading *l, const ynode *n, double mass, mat3 *out) {
    double v[6] = {0};
    size_t count = n->kind == YNODE_SEQUENCE && n->count == 6 ? 6 : 3;
    if (!read_numbers(l, n, "inertia", Q_INERTIA, v, count))
        return false;
    mat3 m = {{{v[0], v[3], v[4]}, {v[3], v[1], v[5]}, {v[4], v[5], v[2]}}};
    double e[3];
    mat3_eigenvalues(m, e);
    double sum = e[0] + e[1] + e[2];
    for (int i = 0; i < 3; i++)
        if (!(e[i] > 0) || 2 * e[i] > sum * (1 + 1e-9)) {
            ynode_error(n, l->list,
                        "no body has this inertia: its principal moments %g, %g, %g must be "
                        "greater than 0, and none greater than the sum of the two others",
                        e[0], e[1], e[2]);
            return false;
        }
    for (int i = 0; i < 3 && mass > 0; i++)
        if (!quantity_check(n, l->list, "inertia", Q_GYRATION, sqrt(e[i] / mass)))
            return false;
    *out = m;
    return true;
}

bool name_check(loading *l, const ynode *n, const char *what, const char *name) {
    bool good = name[0] >= 'a' && name[0] <= 'z' && strlen(name) <= 63;
    for (const char *c = name; *c; c++)
        good = good && ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_');
    if (!good)
        ynode_error(n, l->list,
                    "`%s` cannot name %s %s: names are up to 63 lower-case letters, digits and "
                    "underscores, beginning with a letter",
                    name, strchr("aeiou", what[0]) ? "an" : "a", what);
    return good;
}

// Whether the file's section of such things has the name: the thing itself has a mistake then.
static bool is_declared(const loading *l, const char *what, const char *name) {
    const ynode *section = ynode_get(l->root, arena_format(l->arena, "%ss", what));
    return section && section->kind == YNODE_MAPPING && ynode_get(section, name);
}

void name_unknown(loading *l, const ynode *n, const char *what, const char *name,
                  const char *const *names, size_t count) {
    if (l->list->count > 0 && is_declared(l, what, name))
        return;
    const char *near = nearest_name(name, names, count);
    if (!near) {
        ynode_missing(n, l->list, "there is no %s `%s`", what, name);
        return;
    }
    ynode_error(n, l->list, "there is no %s `%s`; did you mean `%s`?", what, name, near);
    errors_mark(l->list, ERROR_MISSPELT);
}

bool read_color(loading *l, const ynode *map, const char *key, const char **name, vec3 *rgb) {
    const ynode *n = ynode_get(map, key);
    const char *names[COLORS_MAX], *given;
    size_t count;
    const named_color *colors = world_colors(&count);
    if (!n)
        return true;
    if (!ynode_text(n, key, &given, l->list))
        return false;
    for (size_t i = 0; i < count; i++) {
        names[i] = colors[i].name;
        if (strcmp(given, names[i]) == 0) {
            *name = given;
            *rgb = colors[i].rgb;
            return true;
        }
    }
    name_unknown(l, n, "colour", given, names, count);
    return false;
}

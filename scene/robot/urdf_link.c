// scene/robot/urdf_link.c - reads the links of a URDF: names, masses and shapes.
#include "scene/robot/urdf_int.h"
#include "base/hash.h"

#include <ctype.h>

static const double BULK = 200; // kg/m3 of bounds: links without inertial

// ---- Values -------------------------------------------------------------------------------------

void urdf_ignore(building *b, const xml_node *n) {
    for (size_t i = 0; i < b->ignored.count; i++)
        if (strcmp(b->ignored.items[i].name, n->name) == 0) {
            b->ignored.items[i].count++;
            return;
        }
    array_push(&b->ignored, (counted){n->name, &n->place, 1});
}

// Reads `count` finite numbers from an attribute; absent: leaves *out and is fine.
bool urdf_numbers(building *b, const xml_node *n, const char *key, quantity q, double *out,
                  size_t count) {
    const char *text = xml_attribute(n, key);
    double value[8];
    size_t found = 0;
    if (!text)
        return true;
    for (const char *at = text; found <= count;) {
        while (isspace((unsigned char)*at))
            at++;
        if (*at == 0)
            break;
        char *end;
        double v = strtod(at, &end); // "1." and ".5" are common, too
        bool plain =
            end > at && !isalpha((unsigned char)*at) && (*end == 0 || isspace((unsigned char)*end));
        if (!plain || !isfinite(v) || memchr(at, 'x', (size_t)(end - at))) {
            ynode_error(&n->place, b->l->list,
                        "`%s` of `%s` must be %zu finite number%s, not '%.60s'%s", key, n->name,
                        count, count == 1 ? "" : "s", text,
                        strstr(text, "${") ? "; expand the file with xacro first" : "");
            return false;
        }
        if (found < count)
            value[found] = v;
        found++;
        at = end;
    }
    if (found != count) {
        ynode_error(&n->place, b->l->list, "`%s` of `%s` must be %zu number%s, not '%.60s'", key,
                    n->name, count, count == 1 ? "" : "s", text);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!quantity_check(&n->place, b->l->list, key, q, value[i]))
            return false;
    memcpy(out, value, count * sizeof *out);
    return true;
}

bool urdf_origin(building *b, const xml_node *parent, pose *out) {
    const xml_node *n = xml_child(parent, "origin");
    double xyz[3] = {0}, rpy[3] = {0};
    *out = POSE_IDENTITY;
    if (!n)
        return true;
    bool good = urdf_numbers(b, n, "xyz", Q_REACH, xyz, 3);
    good = urdf_numbers(b, n, "rpy", Q_RADIANS, rpy, 3) && good;
    if (good)
        *out = (pose){v3(xyz[0], xyz[1], xyz[2]), quat_rpy(rpy[0], rpy[1], rpy[2])};
    return good;
}

// Robots' own names are taken as they are.
const char *urdf_name(building *b, const xml_node *n) {
    const char *name = xml_attribute(n, "name");
    size_t length = name ? strlen(name) : 0;
    bool good = length > 0 && length <= 127;
    for (size_t i = 0; i < length; i++)
        good = good && (unsigned char)name[i] > ' ' && name[i] != 127;
    if (good)
        return name;
    ynode_error(
        &n->place, b->l->list,
        name ? "this %s cannot be called '%.60s': names have 1 to 127 characters and no spaces"
             : "the %s needs a `name`%.0s",
        n->name, name ? name : "");
    return NULL;
}

// ---- Mass ---------------------------------------------------------------------------------------

void urdf_add(piece *to, const piece *p, pose at) {
    if (!(p->mass > 0))
        return;
    mat3 turn = quat_matrix(at.q), back = mat3_transpose(&turn),
         half = mat3_mul(&turn, &p->inertia);
    mat3 i = mat3_mul(&half, &back);
    vec3 com = pose_apply(at, p->com), d = v3_sub(com, to->com);
    double mass = to->mass + p->mass, shared = to->mass * p->mass / mass, dd = v3_dot(d, d);
    double apart[3] = {d.x, d.y, d.z};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            to->inertia.m[a][b] += i.m[a][b] + shared * ((a == b ? dd : 0) - apart[a] * apart[b]);
    to->com = v3_add(to->com, v3_scale(d, p->mass / mass));
    to->mass = mass;
}

// As of shapes of little density, or of a ball of 2 cm where there are none.
piece urdf_guess(const ulink *k, double mass) {
    vec3 low, high, com = {0, 0, 0};
    mat3 unit;
    bool shaped = shapes_bounds(k->shapes, k->shape_count, POSE_IDENTITY, &low, &high) &&
                  shapes_mass(k->shapes, k->shape_count, &com, &unit, NULL);
    if (!(mass > 0)) {
        vec3 size = shaped ? v3_sub(high, low) : v3(0, 0, 0);
        mass = fmin(fmax(BULK * size.x * size.y * size.z, 0.01), 20);
    }
    if (!shaped) {
        double ball = 0.4 * 0.02 * 0.02;
        com = v3(0, 0, 0);
        unit = (mat3){{{ball, 0, 0}, {0, ball, 0}, {0, 0, ball}}};
    }
    for (int i = 0; i < 9; i++)
        unit.m[i / 3][i % 3] *= mass;
    return (piece){mass, com, unit};
}

// Moments of inertia are written with few digits, and what remains of a small one may be negative.
// No body whose size matters has one below its mass times the square of this, m.
static const double ROUNDED = 1e-3;
static const double DIGITS = 1e-7; // kg m2, the last digit that files write

// Returns whether some body has these principal moments, once they are repaired: what is negative
// by rounding is raised to a millionth of the greatest, and a note says so. *none: nothing but
// rounding is left.
static bool inertia_fits(building *b, const xml_node *n, const char *link, double mass, mat3 *m,
                         bool *none) {
    double trace = m->m[0][0] + m->m[1][1] + m->m[2][2], e[3];
    double rounded = fmax(mass * ROUNDED * ROUNDED, DIGITS);
    mat3_eigenvalues(*m, e);
    double least = fmin(e[0], fmin(e[1], e[2])), most = fmax(e[0], fmax(e[1], e[2]));
    *none = least < 0 && fmax(most, -least) <= rounded;
    if (*none)
        return true;
    if (least < -fmax(0.05 * most, rounded)) {
        ynode_error(&n->place, b->l->list,
                    "no body has this inertia: the principal moments of `%s`, %g, %g and %g, must "
                    "not be negative",
                    link, e[0], e[1], e[2]);
        return false;
    }
    if (!quantity_check(&n->place, b->l->list, "inertia", Q_GYRATION, sqrt(most / mass)))
        return false;
    if (least < 0)
        robot_note_add(b->r, &n->place,
                       "the principal moment %g of `%s` is negative by rounding: %g is taken",
                       least, link, 1e-6 * most);
    else if (2 * most > trace * (1 + 1e-3))
        robot_note_add(b->r, &n->place,
                       "no rigid body has this inertia: the principal moment %g of `%s` is greater "
                       "than the sum of the two others; it is taken as it is",
                       most, link);
    if (least < 1e-6 * most)
        for (int i = 0; i < 3; i++)
            m->m[i][i] += 1e-6 * most - least;
    return true;
}

static void read_inertial(building *b, ulink *k) {
    static const char *const keys[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const xml_node *n = xml_child(k->node, "inertial");
    if (!n)
        return;
    pose at;
    double mass = 0, v[6] = {0};
    const xml_node *m = xml_child(n, "mass"), *i = xml_child(n, "inertia");
    size_t before = b->l->list->count;
    urdf_origin(b, n, &at);
    if (!m || !xml_attribute(m, "value"))
        ynode_error(&n->place, b->l->list, "the inertial of `%s` needs <mass value=\"...\"/>",
                    k->name);
    else
        urdf_numbers(b, m, "value", Q_INERTIAL_MASS, &mass, 1);
    for (int c = 0; i && c < 6; c++)
        urdf_numbers(b, i, keys[c], Q_INERTIA, &v[c], 1);
    if (b->l->list->count > before)
        return;
    bool none = true;
    for (int c = 0; c < 6; c++)
        none = none && v[c] == 0;
    if (mass > 0 && !quantity_fits(Q_MASS, mass)) {
        robot_note_add(b->r, &m->place, "the mass of `%s`, %g kg, is none: it counts as 0", k->name,
                       mass);
        mass = 0;
    }
    if (mass == 0 && !none) {
        k->massless = &m->place; // simulators say so of what stands fixed
    } else if (mass > 0 && none) {
        robot_note_add(b->r, &n->place,
                       "`%s` has a mass but no inertia: that of its shapes is taken", k->name);
        k->mass = urdf_guess(k, mass);
    } else if (mass > 0) {
        mat3 full = {{{v[0], v[3], v[4]}, {v[3], v[1], v[5]}, {v[4], v[5], v[2]}}};
        bool rounding;
        if (!inertia_fits(b, i, k->name, mass, &full, &rounding))
            return;
        if (rounding) {
            robot_note_add(
                b->r, &i->place,
                "the inertia of `%s` is nothing but rounding: that of its shapes is taken",
                k->name);
            k->mass = urdf_guess(k, mass);
        } else {
            urdf_add(&k->mass, &(piece){.mass = mass, .inertia = full}, at);
        }
    }
}

// ---- Shapes -------------------------------------------------------------------------------------

// Whether a measure of a shape is written as 0: the mark of a link that has none, in many files.
static bool is_empty(const xml_node *n) {
    static const char *const measures[] = {"size", "radius", "length"};
    for (int i = 0; i < 3; i++) {
        const char *at = xml_attribute(n, measures[i]);
        for (char *end; at && *at; at = end) {
            double v = strtod(at, &end);
            if (end == at)
                break;
            if (v == 0)
                return true;
        }
    }
    return false;
}

static bool read_positive(building *b, const xml_node *n, const char *key, double *out,
                          size_t count) {
    if (!xml_attribute(n, key)) {
        ynode_error(&n->place, b->l->list, "the %s needs `%s`", n->name, key);
        return false;
    }
    return urdf_numbers(b, n, key, Q_FINE_MEASURE, out, count);
}

// package://NAME/REST: a folder given for NAME, or the nearest folder of that name upwards of the
// file or beside one on the way.
static const char *in_package(building *b, const xml_node *n, const char *uri) {
    arena *a = b->l->arena;
    const char *slash = strchr(uri, '/'), *rest = slash ? slash + 1 : "";
    size_t length = slash ? (size_t)(slash - uri) : strlen(uri);
    const char *name = arena_copy(a, uri, length), *dir;
    const ynode *given = b->packages ? ynode_get(b->packages, name) : NULL;
    if (given && ynode_text(given, "the folder of a package", &dir, b->l->list))
        return arena_format(a, "%s/%s", loading_path(b->l, given, dir), rest);
    const char *found = NULL;
    if (b->l->files) { // above the plan's folder no names of folders are known
        found = files_ending(b->l->files, arena_format(a, "%s/%s", name, rest));
        return found ? found : files_ending(b->l->files, rest);
    }
    char *real = realpath(n->place.file, NULL), *end;
    while (real && !found && (end = strrchr(real, '/'))) {
        *end = 0;
        const char *inside = arena_format(a, "%s/%s/%s", real, name, rest);
        const char *folder = strrchr(real, '/');
        if (files_exist(NULL, inside))
            found = inside;
        else if (folder && strcmp(folder + 1, name) == 0)
            found = arena_format(a, "%s/%s", real, rest);
    }
    free(real);
    return found;
}

static void read_mesh(building *b, const xml_node *n, pose at, shape_list *out) {
    const char *file = xml_attribute(n, "filename"), *path = NULL;
    double scale[3] = {1, 1, 1};
    if (!file || !*file) {
        ynode_error(&n->place, b->l->list, "the mesh needs a `filename`");
        return;
    }
    if (!urdf_numbers(b, n, "scale", Q_SCALE, scale, 3))
        return;
    if (strncmp(file, "package://", 10) == 0 || strncmp(file, "model://", 8) == 0)
        path = in_package(b, n, strstr(file, "//") + 2);
    else if (strncmp(file, "file://", 7) == 0)
        path = file + 7;
    else if (!strstr(file, "://"))
        path = loading_path(b->l, &n->place, file);
    if (!path || !files_exist(b->l->files, path)) {
        if (b->skip_meshes) {
            b->first_skipped = b->first_skipped ? b->first_skipped : &n->place;
            b->skipped_meshes++;
            return;
        }
        ynode_error(
            &n->place, b->l->list,
            "the mesh `%s` is not there; %s `missing_meshes: skip` in the robot's YAML file "
            "loads the robot without it",
            file, strstr(file, "://") ? "name its folder under `packages`, or" : "");
        return;
    }
    error err = {0};
    const mesh *whole = NULL, *parts[MESH_PARTS_MAX];
    const char *there = path;
    if (files_on_disk(b->l->arena, b->l->files, path, &there, &err) != OK ||
        mesh_load(b->l->arena, there, file, v3(scale[0], scale[1], scale[2]), false, &whole,
                  &err) != OK) {
        ynode_error(&n->place, b->l->list, "%s", err.text);
        return;
    }
    // Links are made of convex parts: planning and contacts of arms are fast and steady with these.
    size_t count = mesh_parts(b->l->arena, whole, parts);
    for (size_t i = 0; i < count; i++)
        array_push(out, (shape){.kind = SHAPE_MESH,
                                .at = pose_mul(at, (pose){parts[i]->center, {1, 0, 0, 0}}),
                                .size = parts[i]->size,
                                .mesh = parts[i]});
    const char *text = hash_text(b->l->arena, whole->hash);
    loading_source(b->l, "mesh", path, text, strlen(text));
}

static void read_collision(building *b, const xml_node *n, shape_list *out) {
    const xml_node *geometry = xml_child(n, "geometry"), *g = geometry ? geometry->child : NULL;
    pose at;
    double v[3] = {0};
    if (!urdf_origin(b, n, &at))
        return;
    if (!g) {
        ynode_error(&n->place, b->l->list, "the collision needs a <geometry> with a shape");
    } else if (is_empty(g)) {
        robot_note_add(b->r, &g->place, "a `%s` without a volume is left out", g->name);
    } else if (strcmp(g->name, "box") == 0) {
        if (read_positive(b, g, "size", v, 3))
            array_push(out, (shape){.kind = SHAPE_BOX, .at = at, .size = {v[0], v[1], v[2]}});
    } else if (strcmp(g->name, "sphere") == 0) {
        if (read_positive(b, g, "radius", v, 1))
            array_push(out, (shape){.kind = SHAPE_SPHERE, .at = at, .size = {v[0], v[0], v[0]}});
    } else if (strcmp(g->name, "cylinder") == 0 || strcmp(g->name, "capsule") == 0) {
        shape_kind kind = g->name[1] == 'a' ? SHAPE_CAPSULE : SHAPE_CYLINDER;
        bool good = read_positive(b, g, "radius", &v[0], 1);
        if (read_positive(b, g, "length", &v[1], 1) && good)
            array_push(out, (shape){.kind = kind, .at = at, .size = {v[0], v[0], v[1]}});
    } else if (strcmp(g->name, "mesh") == 0) {
        read_mesh(b, g, at, out);
    } else {
        robot_note_add(b->r, &g->place, "a collision shape `%s` is not known, and left out",
                       g->name);
    }
}

void urdf_read_link(building *b, const xml_node *n) {
    ulink k = {.node = n, .name = urdf_name(b, n), .mover = -1};
    shape_list shapes = {0};
    if (!k.name)
        return;
    for (const xml_node *c = n->child; c; c = c->next) {
        if (strcmp(c->name, "collision") == 0)
            read_collision(b, c, &shapes);
        else if (strcmp(c->name, "inertial") != 0)
            urdf_ignore(b, c);
    }
    shape *own = arena_alloc(b->l->arena, shapes.count * sizeof *own + 1);
    if (shapes.count > 0)
        memcpy(own, shapes.items, shapes.count * sizeof *own);
    k.shapes = own;
    k.shape_count = shapes.count;
    array_finish(&shapes);
    read_inertial(b, &k);
    array_push(&b->links, k);
}

// scene/mesh/dae.c - reading the triangles of DAE files: COLLADA 1.4 and 1.5.
//
// Of a file are read: its unit, the visual scene that it shows, nodes with their transforms and the
// nodes and geometries that they instance (those under a skin or morph as they are modelled), and
// in a geometry triangles, polygons, polylists, strips and fans. Axes stay as they are written.
#include "scene/mesh/mesh_int.h"
#include "scene/xml/xml.h"

#define DEEPEST 64          // nodes under each other
#define VISITED_MAX 500000  // parts of nodes, with those that are instanced, each time
#define NUMBERS_MAX 8000000 // coordinates of all vertices

typedef struct matrix {
    double m[3][4];
} matrix;

// An element with an id, and what was made of it.
typedef struct named {
    const char *id;
    const xml_node *node;
    size_t order; // in the file
    bool done;
    point_list points;   // of a source: its x, y, z
    size_t first, count; // of a geometry: its corners among `local`
} named;

typedef struct dae {
    mesh_soup *s;
    ARRAY(named) ids; // sorted
    mesh_soup local;  // the corners of geometries, each in its own frame
    point_list face;  // of a polygon that is being read
    size_t numbers;   // read into points
    size_t visited;   // parts of nodes, each time that they are instanced
} dae;

// ---- Names

static void collect_ids(dae *d, const xml_node *n) {
    for (const xml_node *c = n->child; c; c = c->next) {
        const char *id = xml_attribute(c, "id");
        if (id)
            array_push(&d->ids, (named){.id = id, .node = c, .order = d->ids.count});
        collect_ids(d, c); // as deep as the XML may be
    }
}

// By id, then by what it is: ids may be given twice, and the first of a kind counts.
static int compare_named(const named *n, const char *id, const char *kind) {
    int order = strcmp(n->id, id);
    return order ? order : strcmp(n->node->name, kind);
}

static int by_id(const void *a, const void *b) {
    const named *p = a, *q = b;
    int order = compare_named(p, q->id, q->node->name);
    return order ? order : (p->order > q->order) - (p->order < q->order);
}

// The element of this kind that a URL names; NULL: there is none.
static named *look_up(dae *d, const char *url, const char *kind) {
    size_t low = 0, high = d->ids.count;
    if (!url || url[0] != '#')
        return NULL;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_named(&d->ids.items[middle], url + 1, kind) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < d->ids.count && compare_named(&d->ids.items[low], url + 1, kind) == 0;
    return found ? &d->ids.items[low] : NULL;
}

static void report_missing(dae *d, const xml_node *n, const char *attribute, const char *kind) {
    soup_wrong(d->s, "line %d: `%s` must name a `%s` of the same file, as #ID", n->place.line,
               attribute, kind);
}

static named *find_named(dae *d, const xml_node *n, const char *attribute, const char *kind) {
    named *found = look_up(d, xml_attribute(n, attribute), kind);
    if (!found)
        report_missing(d, n, attribute, kind);
    return found;
}

static bool is_named(const xml_node *n, const char *name) {
    return strcmp(n->name, name) == 0;
}

// ---- Numbers

static mesh_scan scan_of(const xml_node *n) {
    return (mesh_scan){n->text, n->text + n->text_length, n->place.line};
}

// A whole number from 0 on; false: it is none, or too large.
static bool whole_number(const char *text, size_t length, size_t *out) {
    size_t v = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || v > UINT32_MAX)
            return false;
        v = 10 * v + (size_t)(text[i] - '0');
    }
    *out = v;
    return length > 0 && v <= UINT32_MAX;
}

// An attribute that counts something; absent: leaves *out.
static bool read_count(dae *d, const xml_node *n, const char *attribute, size_t *out) {
    const char *text = xml_attribute(n, attribute);
    return !text || whole_number(text, strlen(text), out) ||
           soup_wrong(d->s, "line %d: `%s` must be a whole number from 0 on", n->place.line,
                      attribute);
}

static bool read_index(dae *d, mesh_scan *scan, size_t *out, bool *end) {
    mesh_word w;
    *end = !scan_word(scan, &w);
    return *end || whole_number(w.at, w.length, out) ||
           soup_wrong(d->s, "line %d: an index must be a whole number from 0 on", scan->line);
}

static bool read_floats(dae *d, const xml_node *n, double *out, size_t count) {
    mesh_scan scan = scan_of(n);
    mesh_word w;
    for (size_t i = 0; i < count; i++)
        if (!scan_word(&scan, &w))
            return soup_wrong(d->s, "line %d: a `%s` has %zu numbers", n->place.line, n->name,
                              count);
        else if (!soup_number(d->s, scan.line, w, &out[i]))
            return false;
    return true;
}

// ---- Sources: points out of an array of numbers

typedef struct accessor {
    size_t count, offset, stride;
    size_t axis[3]; // where X, Y and Z stand among the parameters
} accessor;

static bool read_accessor(dae *d, const xml_node *n, accessor *out) {
    accessor a = {.count = SIZE_MAX, .stride = 1, .axis = {0, 1, 2}};
    if (!read_count(d, n, "count", &a.count) || !read_count(d, n, "offset", &a.offset) ||
        !read_count(d, n, "stride", &a.stride))
        return false;
    size_t param = 0;
    for (const xml_node *c = n->child; c; c = c->next) {
        const char *name = is_named(c, "param") ? xml_attribute(c, "name") : NULL;
        for (size_t k = 0; name && k < 3; k++)
            if (name[0] == "XYZ"[k] && name[1] == 0)
                a.axis[k] = param;
        param += is_named(c, "param");
    }
    for (int k = 0; k < 3; k++)
        if (a.axis[k] >= a.stride)
            return soup_wrong(d->s, "line %d: a vertex needs X, Y and Z within its stride",
                              n->place.line);
    *out = a;
    return true;
}

static bool read_points(dae *d, const xml_node *source, point_list *out) {
    const xml_node *common = xml_child(source, "technique_common");
    const xml_node *access = common ? xml_child(common, "accessor") : NULL;
    accessor a = {0};
    if (!access)
        return soup_wrong(d->s, "line %d: a source needs an `accessor`", source->place.line);
    const named *array = find_named(d, access, "source", "float_array");
    if (!array || !read_accessor(d, access, &a))
        return false;
    ARRAY(double) numbers = {0};
    mesh_scan scan = scan_of(array->node);
    mesh_word w;
    double v;
    bool good = true;
    while (good && scan_word(&scan, &w))
        if (++d->numbers > NUMBERS_MAX)
            good = soup_wrong(d->s, "it has more than %d coordinates", NUMBERS_MAX);
        else if ((good = soup_number(d->s, scan.line, w, &v)))
            array_push(&numbers, v);
    size_t promised = numbers.count;
    good = good && read_count(d, array->node, "count", &promised);
    if (good && promised != numbers.count)
        good = soup_wrong(d->s, "line %d: the array promises %zu numbers and holds %zu",
                          array->node->place.line, promised, numbers.count);
    for (size_t i = 0; good && i < a.count; i++) {
        size_t at = a.offset + i * a.stride; // stride is below 2^32 and i below 2^23
        if (at + a.stride > numbers.count) {
            if (a.count != SIZE_MAX)
                good = soup_wrong(d->s, "line %d: there are fewer vertices than `count` says",
                                  access->place.line);
            break;
        }
        const double *p = &numbers.items[at];
        array_push(out, v3(p[a.axis[0]], p[a.axis[1]], p[a.axis[2]]));
    }
    array_finish(&numbers);
    return good;
}

static const xml_node *input_of(const xml_node *n, const char *semantic) {
    for (const xml_node *c = n->child; c; c = c->next) {
        const char *is = is_named(c, "input") ? xml_attribute(c, "semantic") : NULL;
        if (is && strcmp(is, semantic) == 0)
            return c;
    }
    return NULL;
}

// ---- Geometries

typedef struct primitive {
    const xml_node *node;
    const point_list *points;
    size_t offset, stride; // of the vertex among the indices of a corner
} primitive;

static bool find_points(dae *d, primitive *p) {
    const xml_node *input = input_of(p->node, "VERTEX");
    const char *kind = "vertices";
    if (input) {
        const named *vertices = find_named(d, input, "source", kind);
        if (!vertices || !read_count(d, input, "offset", &p->offset))
            return false;
        input = input_of(vertices->node, "POSITION");
    } else {
        input = input_of(p->node, "POSITION");
        if (input && !read_count(d, input, "offset", &p->offset))
            return false;
    }
    if (!input)
        return soup_wrong(d->s, "line %d: its corners have no POSITION", p->node->place.line);
    named *source = find_named(d, input, "source", "source");
    if (!source)
        return false;
    if (!source->done && !read_points(d, source->node, &source->points))
        return false;
    source->done = true;
    p->points = &source->points;
    p->stride = p->offset + 1;
    for (const xml_node *c = p->node->child; c; c = c->next) {
        size_t offset = 0;
        if (!is_named(c, "input"))
            continue;
        if (!read_count(d, c, "offset", &offset))
            return false;
        p->stride = offset + 1 > p->stride ? offset + 1 : p->stride;
    }
    return true;
}

// The next corner of a list of indices; *end: there is none.
static bool read_corner(dae *d, const primitive *p, mesh_scan *scan, vec3 *out, bool *end) {
    size_t vertex = 0, other;
    for (size_t i = 0; i < p->stride; i++) {
        if (!read_index(d, scan, i == p->offset ? &vertex : &other, end))
            return false;
        if (*end)
            return i == 0 ||
                   soup_wrong(d->s, "line %d: the indices end within a corner", scan->line);
    }
    if (vertex >= p->points->count)
        return soup_wrong(d->s, "line %d: an index names a vertex that does not exist", scan->line);
    *out = p->points->items[vertex];
    return true;
}

// All corners of a `p` at once: a polygon, a strip or a fan.
static bool read_corners(dae *d, const primitive *p, const xml_node *list) {
    mesh_scan scan = scan_of(list);
    bool end = false;
    vec3 corner;
    d->face.count = 0;
    while (!end) {
        if (!read_corner(d, p, &scan, &corner, &end))
            return false;
        if (!end)
            array_push(&d->face, corner);
    }
    return true;
}

static bool add_face(dae *d, const vec3 *points, size_t count) {
    return soup_face(&d->local, points, count) || soup_wrong(d->s, "%s", d->local.wrong);
}

static bool read_strip(dae *d, const primitive *p, const xml_node *list, bool fan) {
    if (!read_corners(d, p, list))
        return false;
    const vec3 *c = d->face.items;
    for (size_t i = 2; i < d->face.count; i++) {
        vec3 t[3] = {fan ? c[0] : c[i - 2], c[i - 1], c[i]};
        if (!fan && i % 2 == 1) { // every other one goes round the other way
            t[0] = c[i - 1];
            t[1] = c[i - 2];
        }
        if (!add_face(d, t, 3))
            return false;
    }
    return true;
}

// Faces of three corners, or as many as `sizes` says, one after the other.
static bool read_faces(dae *d, const primitive *p, const xml_node *list, mesh_scan *sizes,
                       size_t *faces) {
    mesh_scan scan = scan_of(list);
    for (bool end = false;;) {
        size_t size = 3, count = 0;
        if (sizes && (!read_index(d, sizes, &size, &end) || end))
            return end;
        d->face.count = 0;
        for (vec3 corner; count < size; count++) {
            if (!read_corner(d, p, &scan, &corner, &end))
                return false;
            if (end && count == 0 && !sizes)
                return true;
            if (end)
                return soup_wrong(d->s, "line %d: the indices end within a face", scan.line);
            array_push(&d->face, corner);
        }
        if (!add_face(d, d->face.items, size))
            return false;
        ++*faces;
    }
}

static bool read_primitive(dae *d, const xml_node *n) {
    static const char *const kinds[] = {"triangles", "polylist", "polygons",
                                        "tristrips", "trifans",  NULL};
    primitive p = {.node = n};
    size_t faces = 0, promised = SIZE_MAX;
    int kind = 0;
    while (kinds[kind] && !is_named(n, kinds[kind]))
        kind++;
    if (!kinds[kind] || !xml_child(n, "p"))
        return !xml_child(n, "ph") || !kinds[kind] ||
               soup_wrong(d->s, "line %d: polygons with holes are not read; write triangles",
                          n->place.line);
    if (!find_points(d, &p) || !read_count(d, n, "count", &promised))
        return false;
    const xml_node *vcount = kind == 1 ? xml_child(n, "vcount") : NULL;
    mesh_scan sizes = {0};
    if (vcount)
        sizes = scan_of(vcount);
    else if (kind == 1)
        return soup_wrong(d->s, "line %d: a `polylist` needs its `vcount`", n->place.line);
    for (const xml_node *c = n->child; c; c = c->next) {
        bool good = true;
        if (is_named(c, "ph"))
            return soup_wrong(d->s, "line %d: polygons with holes are not read; write triangles",
                              c->place.line);
        if (!is_named(c, "p"))
            continue;
        if (kind < 2) {
            good = read_faces(d, &p, c, kind == 1 ? &sizes : NULL, &faces);
        } else {
            good = kind == 2 ? read_corners(d, &p, c) && add_face(d, d->face.items, d->face.count)
                             : read_strip(d, &p, c, kind == 4);
            faces++;
        }
        if (!good)
            return false;
    }
    return promised == SIZE_MAX || faces == promised ||
           soup_wrong(d->s, "line %d: `count` promises %zu faces, and there are %zu", n->place.line,
                      promised, faces);
}

static bool read_geometry(dae *d, named *g) {
    const xml_node *shown = xml_child(g->node, "mesh");
    if (g->done)
        return true;
    g->done = true;
    g->first = d->local.corners.count;
    for (const xml_node *c = shown ? shown->child : NULL; c; c = c->next)
        if (!read_primitive(d, c))
            return false;
    g->count = d->local.corners.count - g->first;
    return true;
}

// ---- Nodes

static matrix matrix_multiply(const matrix *a, const matrix *b) {
    matrix r;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            r.m[i][k] = k == 3 ? a->m[i][3] : 0;
            for (int j = 0; j < 3; j++)
                r.m[i][k] += a->m[i][j] * b->m[j][k];
        }
    return r;
}

static matrix from_columns(vec3 x, vec3 y, vec3 z, vec3 at) {
    return (matrix){{{x.x, y.x, z.x, at.x}, {x.y, y.y, z.y, at.y}, {x.z, y.z, z.z, at.z}}};
}

// The transform that an element of a node is; false: it is none, or reported.
static bool read_transform(dae *d, const xml_node *n, matrix *out) {
    double v[16];
    vec3 x = v3(1, 0, 0), y = v3(0, 1, 0), z = v3(0, 0, 1), none = v3(0, 0, 0);
    if (is_named(n, "matrix") && read_floats(d, n, v, 16)) {
        memcpy(out->m, v, sizeof out->m);
    } else if (is_named(n, "translate") && read_floats(d, n, v, 3)) {
        *out = from_columns(x, y, z, v3(v[0], v[1], v[2]));
    } else if (is_named(n, "scale") && read_floats(d, n, v, 3)) {
        *out = from_columns(v3_scale(x, v[0]), v3_scale(y, v[1]), v3_scale(z, v[2]), none);
    } else if (is_named(n, "rotate") && read_floats(d, n, v, 4)) {
        quat q = quat_axis_angle(v3(v[0], v[1], v[2]), v[3] * PI / 180);
        *out = from_columns(quat_rotate(q, x), quat_rotate(q, y), quat_rotate(q, z), none);
    } else if (is_named(n, "lookat") && read_floats(d, n, v, 9)) {
        vec3 at = v3(v[0], v[1], v[2]), up = v3_unit(v3(v[6], v[7], v[8]));
        vec3 ahead = v3_unit(v3_sub(v3(v[3], v[4], v[5]), at));
        *out = from_columns(v3_unit(v3_cross(ahead, up)), up, v3_scale(ahead, -1), at);
    } else {
        return is_named(n, "skew") &&
               soup_wrong(d->s, "line %d: a `skew` is not read; apply it before the export",
                          n->place.line);
    }
    return true;
}

static bool place_geometry(dae *d, named *g, const matrix *t) {
    if (!read_geometry(d, g))
        return false;
    vec3 x = v3(t->m[0][0], t->m[1][0], t->m[2][0]), y = v3(t->m[0][1], t->m[1][1], t->m[2][1]),
         z = v3(t->m[0][2], t->m[1][2], t->m[2][2]);
    bool mirrored = v3_dot(v3_cross(x, y), z) < 0;
    for (size_t i = 0; i < g->count; i += 3) {
        vec3 face[3];
        for (int k = 0; k < 3; k++) {
            vec3 p = d->local.corners.items[g->first + i + (size_t)k];
            face[mirrored ? 2 - k : k] =
                v3(t->m[0][0] * p.x + t->m[0][1] * p.y + t->m[0][2] * p.z + t->m[0][3],
                   t->m[1][0] * p.x + t->m[1][1] * p.y + t->m[1][2] * p.z + t->m[1][3],
                   t->m[2][0] * p.x + t->m[2][1] * p.y + t->m[2][2] * p.z + t->m[2][3]);
        }
        if (!soup_face(d->s, face, 3))
            return false;
    }
    return true;
}

// The geometry under a skin or a morph, which may stand on another.
static named *find_controlled(dae *d, const xml_node *instance) {
    const named *c = find_named(d, instance, "url", "controller");
    for (int steps = 0; c && steps < DEEPEST; steps++) {
        const xml_node *skin = xml_child(c->node, "skin");
        if (!skin)
            skin = xml_child(c->node, "morph");
        const char *source = skin ? xml_attribute(skin, "source") : NULL;
        named *geometry = look_up(d, source, "geometry");
        if (geometry)
            return geometry;
        c = look_up(d, source, "controller");
    }
    soup_wrong(d->s, "line %d: this controller leads to no geometry", instance->place.line);
    return NULL;
}

static bool read_nodes(dae *d, const xml_node *parent, const matrix *above, int depth) {
    matrix t = *above, own;
    if (depth > DEEPEST)
        return soup_wrong(d->s, "line %d: nodes are nested more than %d deep", parent->place.line,
                          DEEPEST);
    // All transforms of a node apply to all that it holds.
    for (const xml_node *c = parent->child; c; c = c->next) {
        if (++d->visited > VISITED_MAX)
            return soup_wrong(d->s, "its nodes instance each other too often");
        if (read_transform(d, c, &own))
            t = matrix_multiply(&t, &own);
    }
    for (const xml_node *c = parent->child; c && !d->s->wrong[0]; c = c->next) {
        named *to = NULL;
        if (is_named(c, "node"))
            read_nodes(d, c, &t, depth + 1);
        else if (is_named(c, "instance_node") && (to = find_named(d, c, "url", "node")))
            read_nodes(d, to->node, &t, depth + 1);
        else if (is_named(c, "instance_geometry") && (to = find_named(d, c, "url", "geometry")))
            place_geometry(d, to, &t);
        else if (is_named(c, "instance_controller") && (to = find_controlled(d, c)))
            place_geometry(d, to, &t);
    }
    return !d->s->wrong[0];
}

// Metres per unit of the file.
static bool read_unit(dae *d, const xml_node *root, double *out) {
    const xml_node *asset = xml_child(root, "asset"), *unit = NULL;
    const char *meter =
        asset && (unit = xml_child(asset, "unit")) ? xml_attribute(unit, "meter") : NULL;
    *out = 1;
    if (!meter)
        return true;
    mesh_scan scan = {meter, meter + strlen(meter), unit->place.line};
    mesh_word w;
    if (!scan_word(&scan, &w) || !soup_number(d->s, unit->place.line, w, out) || !(*out > 0))
        return soup_wrong(d->s, "line %d: `meter` of the unit must be a number greater than 0",
                          unit->place.line);
    return true;
}

static const xml_node *shown_scene(dae *d, const xml_node *root) {
    const xml_node *scene = xml_child(root, "scene");
    const xml_node *instance = scene ? xml_child(scene, "instance_visual_scene") : NULL;
    if (instance) {
        const named *shown = find_named(d, instance, "url", "visual_scene");
        return shown ? shown->node : NULL;
    }
    soup_wrong(d->s, "it has no `scene` that shows a visual scene");
    return NULL;
}

// Exporters write names of materials as they are, in Latin 1, and say UTF-8: only names are lost.
static xml_node *read_document(arena *a, const char *bytes, size_t length, errors *list) {
    xml_limits limits = {.depth = 256,
                         .elements = 500000,
                         .bytes = 64 << 20,
                         .file_is = "a mesh's file",
                         .texts = true};
    xml_node *root = xml_read(a, "", bytes, length, &limits, list);
    errors again = {0};
    limits.encoding = "ISO-8859-1";
    if (!root)
        root = xml_read(a, "", bytes, length, &limits, &again);
    errors_finish(&again);
    return root;
}

bool mesh_read_dae(mesh_soup *s, const char *bytes, size_t length) {
    arena *a = arena_create();
    errors list = {0};
    dae d = {.s = s};
    double unit = 1;
    const xml_node *root = read_document(a, bytes, length, &list), *scene = NULL;
    if (!root && list.count > 0) // else memory for the list is out
        soup_wrong(s, "line %d: %s", list.items[0].line, list.items[0].text);
    else if (!root || !is_named(root, "COLLADA"))
        soup_wrong(s, "it is no COLLADA document");
    if (!s->wrong[0] && read_unit(&d, root, &unit)) {
        collect_ids(&d, root);
        if (d.ids.count > 0)
            qsort(d.ids.items, d.ids.count, sizeof *d.ids.items, by_id);
        matrix t = {{{unit, 0, 0, 0}, {0, unit, 0, 0}, {0, 0, unit, 0}}};
        if ((scene = shown_scene(&d, root)))
            read_nodes(&d, scene, &t, 0);
    }
    for (size_t i = 0; i < d.ids.count; i++)
        array_finish(&d.ids.items[i].points);
    array_finish(&d.ids);
    array_finish(&d.local.corners);
    array_finish(&d.face);
    errors_finish(&list);
    arena_destroy(a);
    return !s->wrong[0];
}

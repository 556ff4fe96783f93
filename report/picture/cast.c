// report/picture/cast.c - reads the things of an episode that can be drawn.
#include "report/picture/cast.h"

#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/search.h"
#include "schema/columns.h"

const vec3 CAST_LINK_COLOR = {0.62, 0.66, 0.72}, CAST_HAND_COLOR = {0.25, 0.27, 0.30};
static const double FURNITURE_MAX = 2.2; // m: a fixed thing that is higher is a wall

typedef struct reading {
    arena *memory;
    sqlite3 *db;
    const char *path; // of the log
    int64_t episode;
    cast *out;
    error *err;
    const char *file; // of the mesh that was read last, at this scale; NULL: none
    vec3 scale;
    const mesh *whole, *parts[MESH_PARTS_MAX]; // NULL: the file is not at hand
    size_t part_count;                         // 0: it was not taken apart yet
} reading;

bool cast_is_building(const shape *shapes, size_t count, pose at) {
    vec3 low, high;
    if (!shapes_bounds(shapes, count, at, &low, &high))
        return true;
    return high.z - low.z > FURNITURE_MAX;
}

vec3 cast_color(const char *type) {
    // Muted, and of about one lightness, so that colours which a world gives stand out.
    static const vec3 colors[] = {{0.55, 0.55, 0.55}, {0.66, 0.57, 0.46}, {0.50, 0.60, 0.52},
                                  {0.50, 0.56, 0.66}, {0.64, 0.52, 0.58}, {0.60, 0.60, 0.46},
                                  {0.48, 0.61, 0.62}, {0.60, 0.54, 0.66}};
    uint64_t h = hash_bytes(type, strlen(type));
    return colors[h % (sizeof colors / sizeof *colors)];
}

static status prepare_statement(reading *r, const char *sql, sqlite3_stmt **out) {
    if (sqlite3_prepare_v2(r->db, sql, -1, out, NULL) != SQLITE_OK)
        return store_failed(r->db, r->path, "reading the scene", r->err);
    sqlite3_bind_int64(*out, 1, r->episode);
    return OK;
}

// Ends what prepare_statement began; `rc` is the result of the last step.
static status finish_statement(reading *r, sqlite3_stmt *row, int rc) {
    sqlite3_finalize(row);
    return rc == SQLITE_DONE ? OK : store_failed(r->db, r->path, "reading the scene", r->err);
}

static const char *text_of(reading *r, sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return arena_strdup(r->memory, text ? text : "");
}

static status read_objects(reading *r) {
    // The parts of a robot are drawn without names; the name of the robot stands at its base.
    static const char sql[] =
        "SELECT o.id, CASE o.kind WHEN 'base' THEN (SELECT name FROM object WHERE id = o.whole)"
        " ELSE o.name END, o.kind, o.fixed, p.value, o.type, o.whole, (SELECT name FROM object"
        " WHERE id = o.whole), EXISTS (SELECT * FROM articulation WHERE body = o.id)"
        " FROM object o LEFT JOIN property p"
        " ON p.object = o.id AND p.key = 'color' WHERE o.episode = ? ORDER BY o.id";
    sqlite3_stmt *row = NULL;
    status st = prepare_statement(r, sql, &row);
    if (st != OK)
        return st;
    int rc;
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        const char *kind = text_of(r, row, 2), *color = text_of(r, row, 4);
        cast_object o = {.id = sqlite3_column_int64(row, 0),
                         .whole = sqlite3_column_int64(row, 6),
                         .kind = kind,
                         .type = text_of(r, row, 5),
                         .until = TIME_OPEN};
        bool body = strcmp(kind, "body") == 0, base = strcmp(kind, "base") == 0;
        o.thing.rgb = cast_color(o.type);
        if (body || base)
            o.thing.name = text_of(r, row, 1);
        if (base || strcmp(kind, "link") == 0)
            o.thing.rgb = CAST_LINK_COLOR;
        else if (strcmp(kind, "palm") == 0 || strcmp(kind, "finger") == 0)
            o.thing.rgb = CAST_HAND_COLOR;
        color_rgb(color, &o.thing.rgb);
        o.fixed = body && sqlite3_column_int(row, 3) != 0;
        o.thing.fixed = o.fixed || sqlite3_column_int(row, 8) != 0;
        if (!body)
            o.thing.whole = text_of(r, row, 7);
        array_push(&r->out->objects, o);
    }
    return finish_statement(r, row, rc);
}

static cast_object *find_object(cast *who, int64_t id) {
    size_t i = ids_find(who->objects.items, sizeof *who->objects.items, who->objects.count, id);
    return i == IDS_NONE ? NULL : &who->objects.items[i];
}

// ---- Meshes
// Reads a mesh whose file is at `path`; it is known by `name`. A log may name a pipe or a device,
// which is not opened.
static bool load_mesh(reading *r, const char *path, const char *name, vec3 scale) {
    struct stat info;
    error ignored = {0};
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           mesh_load(r->memory, path, name, scale, false, &r->whole, &ignored) == OK;
}

// The same, where the file may stand beside the log.
static bool load_near(reading *r, const char *path, const char *name, vec3 scale) {
    const char *slash = strrchr(r->path, '/');
    return load_mesh(r, path, name, scale) ||
           (slash && *path != '/' &&
            load_mesh(r, arena_format(r->memory, "%.*s/%s", (int)(slash - r->path), r->path, path),
                      name, scale));
}

// Reads a mesh that a package holds from the file that was found when the robot was loaded.
static bool load_from_package(reading *r, const char *uri, vec3 scale) {
    static const char sql[] = "SELECT name FROM source WHERE episode = ? AND kind = 'mesh'"
                              " AND (name = ?2 OR name LIKE '%/' || ?2)";
    const char *rest = strchr(strstr(uri, "//") + 2, '/');
    sqlite3_stmt *row = NULL;
    bool found = false;
    if (!rest || sqlite3_prepare_v2(r->db, sql, -1, &row, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_int64(row, 1, r->episode);
    sqlite3_bind_text(row, 2, rest + 1, -1, SQLITE_STATIC);
    while (!found && sqlite3_step(row) == SQLITE_ROW)
        found = load_near(r, text_of(r, row, 0), uri, scale);
    sqlite3_finalize(row);
    return found;
}

static void load_whole(reading *r, const char *file, vec3 scale) {
    bool same = r->file && strcmp(r->file, file) == 0 && v3_distance(r->scale, scale) == 0;
    if (same)
        return;
    r->file = file;
    r->scale = scale;
    r->part_count = 0;
    bool found =
        strstr(file, "://") && strncmp(file, "file://", 7) != 0
            ? load_from_package(r, file, scale)
            : load_near(r, strncmp(file, "file://", 7) == 0 ? file + 7 : file, file, scale);
    if (!found)
        r->whole = NULL;
}

// Returns the mesh, or the part of it that is counted from 1 (0: the whole).
static const mesh *mesh_at_scale(reading *r, const char *file, size_t part, vec3 scale) {
    load_whole(r, file, scale);
    if (!r->whole || part == 0)
        return r->whole;
    if (r->part_count == 0)
        r->part_count = mesh_parts(r->memory, r->whole, r->parts);
    return part <= r->part_count ? r->parts[part - 1] : NULL;
}

// Returns the mesh with these extents from the file that the log names (`FILE#2`: its second part);
// NULL: it is not at hand.
static const mesh *find_mesh(reading *r, const char *name, vec3 size) {
    const char *mark = strrchr(name, '#');
    size_t part = mark ? (size_t)strtoul(mark + 1, NULL, 10) : 0;
    const char *file = part ? arena_copy(r->memory, name, (size_t)(mark - name)) : name;
    const mesh *m = mesh_at_scale(r, file, part, v3(1, 1, 1));
    if (!m)
        return NULL;
    vec3 k = v3(size.x / m->size.x, size.y / m->size.y, size.z / m->size.z);
    return fabs(k.x - 1) + fabs(k.y - 1) + fabs(k.z - 1) < 1e-6 ? m
                                                                : mesh_at_scale(r, file, part, k);
}

static status read_shapes(reading *r) {
    static const char sql[] =
        "SELECT object, kind, x, y, z, qw, qx, qy, qz, size_x, size_y, size_z, mesh FROM shape"
        " WHERE episode = ? AND role = 'collision' ORDER BY object, id";
    sqlite3_stmt *row = NULL;
    status st = prepare_statement(r, sql, &row);
    if (st != OK)
        return st;
    int rc;
    ARRAY(shape) shapes = {0};
    int64_t of = 0;
    bool more = true;
    while (more) {
        rc = sqlite3_step(row);
        more = rc == SQLITE_ROW;
        int64_t object = more ? sqlite3_column_int64(row, 0) : -1;
        cast_object *o = object != of ? find_object(r->out, of) : NULL;
        if (o && shapes.count > 0) {
            shape *kept = arena_alloc(r->memory, shapes.count * sizeof *kept);
            memcpy(kept, shapes.items, shapes.count * sizeof *kept);
            o->thing.shapes = kept;
            o->thing.shape_count = shapes.count;
        }
        if (object != of)
            of = object, shapes.count = 0;
        if (!more)
            break;
        const char *kind = (const char *)sqlite3_column_text(row, 1);
        shape one = {.kind = SHAPE_BOX};
        if (!column_pose(row, 2, &one.at) || !column_position(row, 9, &one.size)) {
            st = error_at(
                r->err, E_INPUT, r->path, 0, 0,
                "the log is damaged: a row of its table shape holds a number out of range");
            break;
        }
        for (shape_kind k = SHAPE_BOX; kind && k <= SHAPE_MESH; k++)
            if (strcmp(kind, shape_kind_name(k)) == 0)
                one.kind = k;
        if (one.kind == SHAPE_MESH) {
            one.mesh = find_mesh(r, text_of(r, row, 12), one.size);
            if (!one.mesh)
                one.kind = SHAPE_BOX, r->out->missing_meshes++;
        }
        array_push(&shapes, one);
    }
    array_finish(&shapes);
    if (st == OK)
        return finish_statement(r, row, rc);
    sqlite3_finalize(row);
    return st;
}

// Finds out when objects were present: one that an event adds has its first pose then; one that an
// event removes is absent afterwards.
static status read_presence(reading *r) {
    static const char sql[] =
        "SELECT o.id, min(p.t) * 10000, (SELECT max(t_ns) FROM exogenous e WHERE e.object = o.id"
        " AND e.term LIKE 'removed(%') FROM object o JOIN pose p ON p.object = o.id"
        " WHERE o.episode = ? GROUP BY o.id";
    sqlite3_stmt *row = NULL;
    status st = prepare_statement(r, sql, &row);
    if (st != OK)
        return st;
    int rc;
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        cast_object *o = find_object(r->out, sqlite3_column_int64(row, 0));
        if (!o)
            continue;
        o->from = sqlite3_column_int64(row, 1);
        if (sqlite3_column_type(row, 2) != SQLITE_NULL)
            o->until = sqlite3_column_int64(row, 2);
    }
    return finish_statement(r, row, rc);
}

status cast_read(arena *a, sqlite3 *db, const char *path, int64_t episode, cast *out, error *err) {
    reading r = {.memory = a, .db = db, .path = path, .episode = episode, .out = out, .err = err};
    status st = read_objects(&r);
    if (st == OK)
        st = read_shapes(&r);
    if (st == OK)
        st = read_presence(&r);
    size_t kept = 0;
    for (size_t i = 0; i < out->objects.count; i++)
        if (out->objects.items[i].thing.shape_count > 0)
            out->objects.items[kept++] = out->objects.items[i];
    out->objects.count = kept;
    return st;
}

void cast_finish(cast *c) {
    array_finish(&c->objects);
}

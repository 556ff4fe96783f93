// report/picture/stage.c - collects the things of a picture, from a world or from a log.
#include "report/picture/stage.h"

#include <string.h>
#include <sys/stat.h>

#include "report/ask.h"
#include "schema/columns.h"
#include "base/search.h"
#include "schema/motion/tracks.h"

static const vec3 LINK_COLOR = {0.62, 0.66, 0.72}, HAND_COLOR = {0.25, 0.27, 0.30},
                  PLAIN_COLOR = {0.55, 0.55, 0.55};
static const double FURNITURE_MAX = 2.2; // m: a fixed thing that is higher is a wall

void stage_init(stage *s) {
    *s = (stage){.arena = arena_create()};
}

void stage_finish(stage *s) {
    array_finish(&s->things);
    arena_destroy(s->arena);
    *s = (stage){0};
}

// Returns whether a fixed thing is part of the building: a floor, which is a plane without bounds,
// or a wall.
static bool is_building(const shape *shapes, size_t count, pose at) {
    vec3 low, high;
    if (!shapes_bounds(shapes, count, at, &low, &high))
        return true;
    return high.z - low.z > FURNITURE_MAX;
}

// ---- From a world
static void add_hand(stage *s, const robot_model *r, size_t arm, const pose *links) {
    const robot_gripper *g = &r->arms[arm].gripper;
    shape *boxes = arena_alloc(s->arena, 3 * sizeof *boxes);
    double y = g->max_opening / 2 + g->pad_size.y / 2;
    boxes[0] = (shape){SHAPE_BOX, {g->palm_center, {1, 0, 0, 0}}, g->palm_size, NULL};
    for (int k = 0; k < 2; k++)
        boxes[1 + k] = (shape){
            SHAPE_BOX, {v3(0, k ? -y : y, g->pad_center_z), {1, 0, 0, 0}}, g->pad_size, NULL};
    picture_thing t = {NULL, boxes, 3, robot_palm(r, arm, links), HAND_COLOR, false, false};
    array_push(&s->things, t);
}

void stage_world(stage *s, const world_model *w, const robot_model *r) {
    for (size_t i = 0; i < w->body_count; i++) {
        const world_body *b = &w->bodies[i];
        const body_type *t = b->type;
        if (b->absent)
            continue;
        picture_thing thing = {b->particle ? NULL : b->name,
                               t->shapes,
                               t->shape_count,
                               b->at,
                               b->rgb,
                               b->fixed && is_building(t->shapes, t->shape_count, b->at),
                               false};
        int64_t joint = world_joint_of(w, i);
        if (joint >= 0)
            thing.at = world_joint_pose(w, (size_t)joint, w->joints[joint].start);
        array_push(&s->things, thing);
    }
    if (!r)
        return;
    pose *links = arena_alloc(s->arena, (r->link_count + 1) * sizeof *links);
    robot_forward(r, w->robot_at, r->home, links);
    for (size_t l = 0; l < r->link_count; l++) {
        picture_thing t = {l == 0 ? r->name : NULL,
                           r->links[l].shapes,
                           r->links[l].shape_count,
                           links[l],
                           LINK_COLOR,
                           false,
                           false};
        array_push(&s->things, t);
    }
    for (size_t a = 0; a < r->arm_count; a++)
        add_hand(s, r, a, links);
}

// ---- From a log
typedef struct log_object {
    int64_t id;
    const char *type;
    picture_thing thing;
    bool drawn; // has shapes, and was present
} log_object;
typedef ARRAY(log_object) object_list;

static status prepare_statement(store *log, const char *path, int64_t episode, const char *sql,
                                sqlite3_stmt **out, error *err) {
    if (sqlite3_prepare_v2(store_db(log), sql, -1, out, NULL) != SQLITE_OK)
        return store_failed(store_db(log), path, "reading the scene", err);
    sqlite3_bind_int64(*out, 1, episode);
    return OK;
}

// Ends what prepare_statement began; `rc` is the result of the last step.
static status finish_statement(store *log, const char *path, sqlite3_stmt *row, int rc,
                               error *err) {
    sqlite3_finalize(row);
    return rc == SQLITE_DONE ? OK : store_failed(store_db(log), path, "reading the scene", err);
}

static const char *text_of(stage *s, sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return arena_strdup(s->arena, text ? text : "");
}

static status read_objects(stage *s, store *log, const char *path, int64_t episode,
                           object_list *out, error *err) {
    // The parts of a robot are drawn without names; the name of the robot stands at its base.
    static const char sql[] =
        "SELECT o.id, CASE o.kind WHEN 'base' THEN (SELECT name FROM object WHERE id = o.whole)"
        " ELSE o.name END, o.kind, o.fixed, p.value, o.type FROM object o LEFT JOIN property p"
        " ON p.object = o.id AND p.key = 'color' WHERE o.episode = ? ORDER BY o.id";
    sqlite3_stmt *row = NULL;
    status st = prepare_statement(log, path, episode, sql, &row, err);
    if (st != OK)
        return st;
    int rc;
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        const char *kind = text_of(s, row, 2), *color = text_of(s, row, 4);
        log_object o = {.id = sqlite3_column_int64(row, 0),
                        .type = text_of(s, row, 5),
                        .thing = {.rgb = PLAIN_COLOR}};
        bool body = strcmp(kind, "body") == 0, base = strcmp(kind, "base") == 0;
        if (body || base)
            o.thing.name = text_of(s, row, 1);
        if (base || strcmp(kind, "link") == 0)
            o.thing.rgb = LINK_COLOR;
        else if (strcmp(kind, "palm") == 0 || strcmp(kind, "finger") == 0)
            o.thing.rgb = HAND_COLOR;
        color_rgb(color, &o.thing.rgb);
        o.thing.building =
            body && sqlite3_column_int(row, 3) != 0; // decided anew once its shapes are known
        array_push(out, o);
    }
    return finish_statement(log, path, row, rc, err);
}

static log_object *find_object(object_list *list, int64_t id) {
    size_t i = ids_find(list->items, sizeof *list->items, list->count, id);
    return i == IDS_NONE ? NULL : &list->items[i];
}

// Returns the mesh from the file that the log names, or from one beside the log; NULL: neither is
// there.
static const mesh *find_mesh(stage *s, const char *log, const char *file, vec3 size) {
    const char *slash = strrchr(log, '/');
    const char *beside =
        slash ? arena_format(s->arena, "%.*s/%s", (int)(slash - log), log, file) : file;
    const char *places[2] = {file, beside};
    for (int i = 0; i < 2; i++) {
        const mesh *m = NULL;
        error ignored = {0};
        struct stat info;
        // a log may name a pipe or a device, which is not opened
        if (stat(places[i], &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        if (mesh_load(s->arena, places[i], file, v3(1, 1, 1), false, &m, &ignored) != OK)
            continue;
        vec3 k = v3(size.x / m->size.x, size.y / m->size.y, size.z / m->size.z);
        if (mesh_load(s->arena, places[i], file, k, false, &m, &ignored) == OK)
            return m;
    }
    return NULL;
}

static status read_shapes(stage *s, store *log, const char *path, int64_t episode,
                          object_list *objects, error *err) {
    static const char sql[] =
        "SELECT object, kind, x, y, z, qw, qx, qy, qz, size_x, size_y, size_z, mesh FROM shape"
        " WHERE episode = ? AND role = 'collision' ORDER BY object, id";
    sqlite3_stmt *row = NULL;
    status st = prepare_statement(log, path, episode, sql, &row, err);
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
        log_object *o = object != of ? find_object(objects, of) : NULL;
        if (o && shapes.count > 0) {
            shape *kept = arena_alloc(s->arena, shapes.count * sizeof *kept);
            memcpy(kept, shapes.items, shapes.count * sizeof *kept);
            o->thing.shapes = kept;
            o->thing.shape_count = shapes.count;
            o->drawn = true;
        }
        if (object != of)
            of = object, shapes.count = 0;
        if (!more)
            break;
        const char *kind = (const char *)sqlite3_column_text(row, 1);
        shape one = {.kind = SHAPE_BOX};
        if (!column_pose(row, 2, &one.at) || !column_position(row, 9, &one.size)) {
            st = error_at(
                err, E_INPUT, path, 0, 0,
                "the log is damaged: a row of its table shape holds a number out of range");
            break;
        }
        for (shape_kind k = SHAPE_BOX; kind && k <= SHAPE_MESH; k++)
            if (strcmp(kind, shape_kind_name(k)) == 0)
                one.kind = k;
        if (one.kind == SHAPE_MESH) {
            const char *file = text_of(s, row, 12);
            bool part = strrchr(file, '#') != NULL; // of a mesh: drawn as its bounds
            one.mesh = part ? NULL : find_mesh(s, path, file, one.size);
            if (!one.mesh)
                one.kind = SHAPE_BOX, s->missing_meshes += !part;
        }
        array_push(&shapes, one);
    }
    array_finish(&shapes);
    if (st == OK)
        return finish_statement(log, path, row, rc, err);
    sqlite3_finalize(row);
    return st;
}

// Finds out which objects were present: an object that an event adds has its first pose then; an
// object that an event removes is absent afterwards.
static status read_presence(store *log, const char *path, int64_t episode, nanos at,
                            object_list *objects, error *err) {
    static const char sql[] =
        "SELECT object, min(t_ns), (SELECT max(t_ns) FROM exogenous e WHERE e.object = pose.object"
        " AND e.term LIKE 'removed(%') FROM pose WHERE episode = ? GROUP BY object";
    sqlite3_stmt *row = NULL;
    status st = prepare_statement(log, path, episode, sql, &row, err);
    if (st != OK)
        return st;
    int rc;
    while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
        log_object *o = find_object(objects, sqlite3_column_int64(row, 0));
        bool gone =
            sqlite3_column_type(row, 2) != SQLITE_NULL && sqlite3_column_int64(row, 2) <= at;
        if (o && (sqlite3_column_int64(row, 1) > at || gone))
            o->drawn = false;
    }
    return finish_statement(log, path, row, rc, err);
}

enum {
    SEEN_LEAST = 3
}; // percepts: an object that was seen less often may be an error of perception

// Adds what the agents believe to have perceived, each drawn as an object of the believed type.
static status add_beliefs(stage *s, const char *log, int64_t episode, nanos at, const char *rules,
                          const object_list *objects, error *err) {
    ask *a = NULL;
    errors list = {0};
    ask_rows rows = {0};
    status st = s->salvaged ? ask_open_salvaged(log, episode, rules, NULL, 0, &a, &list)
                            : ask_open(log, episode, rules, NULL, 0, &a, &list);
    if (st == OK)
        st = ask_query(
            a, s->arena,
            arena_format(s->arena,
                         "believed(A, N, Type, Since), Since <= %.9f, not object(N, _, _), "
                         "N != A, Seen = count { Q : association(Q, A, N, T), T <= %.9f }, "
                         "Seen >= %d, believed_pose(A, N, %.9f, P), "
                         "pose_parts(P, X, Y, Z, W, I, J, K).",
                         seconds(at), seconds(at), SEEN_LEAST, seconds(at)),
            &rows, &list);
    for (size_t r = 0; st == OK && r < ask_count(&rows); r++) {
        const char *type = ask_at(&rows, r, 2)->term->text;
        double n[7] = {0};
        for (size_t k = 0; k < 7; k++)
            term_number(ask_at(&rows, r, 6 + k)->term, &n[k]);
        for (size_t i = 0; i < objects->count; i++) {
            const log_object *o = &objects->items[i];
            if (o->thing.shape_count == 0 || !o->type || strcmp(o->type, type) != 0)
                continue;
            picture_thing t = o->thing;
            t.name = arena_strdup(s->arena, ask_at(&rows, r, 1)->term->text);
            t.at = (pose){v3(n[0], n[1], n[2]), {n[3], n[4], n[5], n[6]}};
            t.ghost = true;
            array_push(&s->things, t);
            break;
        }
    }
    array_finish(&rows.values);
    ask_close(a);
    if (st != OK && list.count > 0 && err)
        *err = list.items[0];
    errors_finish(&list);
    return st;
}

status stage_log(stage *s, const char *log, int64_t episode, nanos at, const char *rules,
                 error *err) {
    store *db = NULL;
    const store_episode *e = NULL;
    tracks *motion = NULL;
    object_list objects = {0};
    status st = s->salvaged ? store_salvage(log, NULL, &db, err) : store_open(log, &db, err);
    if (st == OK)
        st = store_choose(db, episode, &e, err);
    if (st == OK && at == TIME_OPEN)
        at = e->end;
    if (st == OK && at > e->end)
        st =
            error_set(err, E_INPUT, "episode %lld of %s ends at %.3f s; there is nothing at %.3f s",
                      (long long)e->id, log, seconds(e->end), seconds(at));
    if (st == OK)
        st = read_objects(s, db, log, e->id, &objects, err);
    if (st == OK)
        st = read_shapes(s, db, log, e->id, &objects, err);
    if (st == OK)
        st = read_presence(db, log, e->id, at, &objects, err);
    if (st == OK)
        st = tracks_create(store_db(db), e->id, &motion, err);
    for (size_t i = 0; st == OK && i < objects.count; i++) {
        log_object *o = &objects.items[i];
        if (!o->drawn)
            continue;
        st = tracks_pose(motion, o->id, at, &o->thing.at, err);
        o->thing.building =
            o->thing.building && is_building(o->thing.shapes, o->thing.shape_count, o->thing.at);
        array_push(&s->things, o->thing);
    }
    if (st == OK && rules)
        st = add_beliefs(s, log, e->id, at, rules, &objects, err);
    if (st == OK)
        s->caption =
            arena_format(s->arena, "%s, seed %lld, at %.3f s%s", e->plan ? e->plan : log,
                         (long long)e->seed, seconds(at), rules ? "; dashed: as believed" : "");
    tracks_destroy(motion);
    store_close(db);
    array_finish(&objects);
    return st;
}

// ---- Finding
status stage_find(const stage *s, const char *name, vec3 *middle, error *err) {
    const char **names = mem_must(s->things.count + 1, sizeof *names);
    size_t count = 0;
    status st = E_INPUT;
    for (size_t i = 0; i < s->things.count && st != OK; i++) {
        const picture_thing *t = &s->things.items[i];
        vec3 low, high;
        if (!t->name)
            continue;
        names[count++] = t->name;
        if (strcmp(t->name, name) == 0 &&
            shapes_bounds(t->shapes, t->shape_count, t->at, &low, &high)) {
            *middle = v3_scale(v3_add(low, high), 0.5);
            st = OK;
        }
    }
    if (st != OK) {
        const char *near = nearest_name(name, names, count);
        if (near)
            error_set(err, E_INPUT, "there is no `%s` in the scene; did you mean `%s`?", name,
                      near);
        else
            error_set(err, E_INPUT, "there is no `%s` in the scene", name);
    }
    free(names);
    return st;
}

// report/picture/stage.c - collects the things of a picture, from a world or from a log.
#include "report/picture/stage.h"

#include <string.h>

#include "report/ask.h"
#include "report/picture/cast.h"
#include "report/picture/levels.h"
#include "base/search.h"
#include "schema/motion/tracks.h"

void stage_init(stage *s) {
    *s = (stage){.arena = arena_create()};
}

void stage_finish(stage *s) {
    array_finish(&s->things);
    array_finish(&s->key);
    arena_destroy(s->arena);
    *s = (stage){0};
}

// ---- From a world
static void add_hand(stage *s, const robot_model *r, const char *name, size_t arm,
                     const pose *links) {
    const robot_gripper *g = &r->arms[arm].gripper;
    shape *boxes = arena_alloc(s->arena, 3 * sizeof *boxes);
    double y = g->max_opening / 2 + g->pad_size.y / 2;
    boxes[0] = (shape){SHAPE_BOX, {g->palm_center, {1, 0, 0, 0}}, g->palm_size, NULL};
    for (int k = 0; k < 2; k++)
        boxes[1 + k] = (shape){
            SHAPE_BOX, {v3(0, k ? -y : y, g->pad_center_z), {1, 0, 0, 0}}, g->pad_size, NULL};
    picture_thing t = {.shapes = boxes,
                       .shape_count = 3,
                       .at = robot_palm(r, arm, links),
                       .rgb = CAST_HAND_COLOR,
                       .whole = name};
    array_push(&s->things, t);
}

void stage_robot(stage *s, const robot_model *r, const char *name, pose at) {
    name = name ? name : r->name;
    pose *links = arena_alloc(s->arena, (r->link_count + 1) * sizeof *links);
    robot_forward(r, at, r->home, links);
    for (size_t l = 0; l < r->link_count; l++) {
        picture_thing t = {.name = l == 0 ? name : NULL,
                           .shapes = r->links[l].shapes,
                           .shape_count = r->links[l].shape_count,
                           .at = links[l],
                           .rgb = CAST_LINK_COLOR,
                           .whole = name};
        array_push(&s->things, t);
    }
    for (size_t a = 0; a < r->arm_count; a++)
        add_hand(s, r, name, a, links);
}

void stage_world(stage *s, const world_model *w, const robot_model *r) {
    for (size_t i = 0; i < w->body_count; i++) {
        const world_body *b = &w->bodies[i];
        const body_type *t = b->type;
        if (b->absent)
            continue;
        picture_thing thing = {.name = b->particle ? NULL : b->name,
                               .shapes = t->shapes,
                               .shape_count = t->shape_count,
                               .at = b->at,
                               .rgb = b->color ? b->rgb : cast_color(t->name),
                               .building =
                                   b->fixed && cast_is_building(t->shapes, t->shape_count, b->at),
                               .fixed = b->fixed || world_joint_of(w, i) >= 0};
        int64_t joint = world_joint_of(w, i);
        if (joint >= 0)
            thing.at = world_joint_pose(w, (size_t)joint, w->joints[joint].start);
        array_push(&s->things, thing);
    }
    if (r)
        stage_robot(s, r, NULL, w->robot_at);
}

enum {
    SEEN_LEAST = 3
}; // percepts: an object that was seen less often may be an error of perception

static const double LOST = 0.03; // m or rad: a robot that is farther from where it believes to be

// Adds a robot that is lost where it believes to be, in the posture in which it truly is.
static void add_lost(stage *s, const cast *who, const char *name, pose believed) {
    const cast_object *base = NULL;
    for (size_t i = 0; i < who->objects.count && !base; i++) {
        const cast_object *o = &who->objects.items[i];
        if (strcmp(o->kind, "base") == 0 && o->thing.whole && strcmp(o->thing.whole, name) == 0)
            base = o;
    }
    if (!base || (v3_distance(base->thing.at.p, believed.p) <= LOST &&
                  quat_angle(base->thing.at.q, believed.q) <= LOST))
        return;
    pose moved = pose_mul(believed, pose_inverse(base->thing.at));
    for (size_t i = 0; i < who->objects.count; i++) {
        picture_thing t = who->objects.items[i].thing;
        if (!t.whole || strcmp(t.whole, name) != 0)
            continue;
        t.name = t.name ? arena_format(s->arena, "%s, as it believes", t.name) : NULL;
        t.at = pose_mul(moved, t.at);
        t.ghost = true;
        array_push(&s->things, t);
    }
}

// Reads the pose whose seven numbers stand from this column of an answer on.
static pose pose_at(const ask_rows *rows, size_t r, size_t column) {
    double n[7] = {0};
    for (size_t k = 0; k < 7; k++)
        term_number(ask_at(rows, r, column + k)->term, &n[k]);
    return (pose){v3(n[0], n[1], n[2]), {n[3], n[4], n[5], n[6]}};
}

// Adds what the agents believe to have perceived, each drawn as an object of the believed type.
static status add_beliefs(stage *s, const char *log, int64_t episode, nanos at, const char *rules,
                          const cast *who, error *err) {
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
        for (size_t i = 0; i < who->objects.count; i++) {
            const cast_object *o = &who->objects.items[i];
            if (o->thing.shape_count == 0 || !o->type || strcmp(o->type, type) != 0)
                continue;
            picture_thing t = o->thing;
            t.name = arena_strdup(s->arena, ask_at(&rows, r, 1)->term->text);
            t.at = pose_at(&rows, r, 6);
            t.ghost = true;
            array_push(&s->things, t);
            break;
        }
    }
    array_finish(&rows.values);
    rows = (ask_rows){0};
    if (st == OK)
        st = ask_query(a, s->arena,
                       arena_format(s->arena,
                                    "believed(A, A, _, Since), Since <= %.9f,"
                                    " believed_pose(A, A, %.9f, P),"
                                    " pose_parts(P, X, Y, Z, W, I, J, K).",
                                    seconds(at), seconds(at)),
                       &rows, &list);
    for (size_t r = 0; st == OK && r < ask_count(&rows); r++)
        add_lost(s, who, ask_at(&rows, r, 0)->term->text, pose_at(&rows, r, 3));
    array_finish(&rows.values);
    ask_close(a);
    if (st != OK && list.count > 0 && err)
        *err = list.items[0];
    errors_finish(&list);
    return st;
}

static bool names_key(const stage *s, const char *name) {
    for (size_t i = 0; i < s->key.count; i++)
        if (strcmp(s->key.items[i].name, name) == 0)
            return true;
    return false;
}

// Gives a thing the colour of its level at the instant; a part of a robot that of the whole.
static void color_level(stage *s, const level_spans *levels, nanos at, cast_object *o) {
    picture_key look;
    if (!levels_at(levels, o->id, at, &look) &&
        (o->whole == 0 || !levels_at(levels, o->whole, at, &look)))
        return;
    o->thing.rgb = look.rgb;
    if (!names_key(s, look.name))
        array_push(&s->key, look);
}

status stage_end(const char *log, int64_t episode, nanos *end, error *err) {
    store *db = NULL;
    const store_episode *e = NULL;
    status st = store_open(log, &db, err);
    if (st == OK)
        st = store_choose(db, episode, &e, err);
    if (st == OK)
        *end = e->end;
    store_close(db);
    return st;
}

status stage_log(stage *s, const char *log, int64_t episode, nanos at, const char *rules,
                 error *err) {
    store *db = NULL;
    const store_episode *e = NULL;
    tracks *motion = NULL;
    cast who = {0};
    level_spans levels = {0};
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
        st = cast_read(s->arena, store_db(db), log, e->id, &who, err);
    if (st == OK)
        st = tracks_create(store_db(db), e->id, &motion, err);
    if (st == OK && s->levels)
        st = levels_read(store_db(db), log, e->id, &levels, err);
    for (size_t i = 0; st == OK && i < who.objects.count; i++) {
        cast_object *o = &who.objects.items[i];
        if (!cast_is_present(o, at))
            continue;
        st = tracks_pose(motion, o->id, at, &o->thing.at, err);
        o->thing.building =
            o->fixed && cast_is_building(o->thing.shapes, o->thing.shape_count, o->thing.at);
        color_level(s, &levels, at, o);
        array_push(&s->things, o->thing);
    }
    s->missing_meshes += who.missing_meshes;
    if (st == OK && rules)
        st = add_beliefs(s, log, e->id, at, rules, &who, err);
    if (st == OK)
        s->caption =
            arena_format(s->arena, "%s, seed %lld, at %.3f s%s", e->plan ? e->plan : log,
                         (long long)e->seed, seconds(at), rules ? "; dashed: as believed" : "");
    tracks_destroy(motion);
    levels_finish(&levels);
    store_close(db);
    cast_finish(&who);
    return st;
}

// ---- Finding
status stage_find(const stage *s, const char *name, vec3 *middle, vec3 *half, error *err) {
    const char **names = mem_must(s->things.count + 1, sizeof *names);
    size_t count = 0;
    bool found = false;
    vec3 low = v3(0, 0, 0), high = v3(0, 0, 0);
    for (size_t i = 0; i < s->things.count; i++) {
        const picture_thing *t = &s->things.items[i];
        vec3 l, h;
        if (t->name)
            names[count++] = t->name;
        bool part = t->whole && strcmp(t->whole, name) == 0;
        if ((!part && (!t->name || strcmp(t->name, name) != 0)) ||
            !shapes_bounds(t->shapes, t->shape_count, t->at, &l, &h))
            continue;
        low = found ? v3_min(low, l) : l;
        high = found ? v3_max(high, h) : h;
        found = true;
    }
    if (found) {
        *middle = v3_scale(v3_add(low, high), 0.5);
        *half = v3_scale(v3_sub(high, low), 0.5);
    } else {
        const char *near = nearest_name(name, names, count);
        error_set(err, E_INPUT, "there is no `%s` in the scene%s%s%s", name,
                  near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
    }
    free(names);
    return found ? OK : E_INPUT;
}

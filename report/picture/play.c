// report/picture/play.c - an episode of a log, read once and shown at instants.
#include "report/picture/play.h"

#include <string.h>

#include "report/ask.h"
#include "report/picture/cast.h"
#include "report/picture/levels.h"
#include "schema/motion/tracks.h"

struct play {
    const char *log, *rules;
    bool salvaged;
    store *db;
    const store_episode *episode;
    cast who;
    tracks *motion;
    level_spans levels; // empty where colours do not say them
    ask *ask;           // NULL: no beliefs were asked for yet
};

status play_open(arena *a, const char *log, int64_t episode, const play_options *o, play **out,
                 error *err) {
    play *p = arena_alloc(a, sizeof *p);
    *p = (play){.log = arena_strdup(a, log),
                .rules = o->rules ? arena_strdup(a, o->rules) : NULL,
                .salvaged = o->salvaged};
    status st = o->salvaged ? store_salvage(log, NULL, &p->db, err) : store_open(log, &p->db, err);
    if (st == OK)
        st = store_choose(p->db, episode, &p->episode, err);
    if (st == OK)
        st = cast_read(a, store_db(p->db), log, p->episode->id, &p->who, err);
    if (st == OK)
        st = tracks_create(store_db(p->db), p->episode->id, &p->motion, err);
    if (st == OK && o->levels)
        st = levels_read(store_db(p->db), log, p->episode->id, &p->levels, err);
    if (st == OK)
        *out = p;
    else
        play_close(p);
    return st;
}

void play_close(play *p) {
    if (!p)
        return;
    ask_close(p->ask);
    tracks_destroy(p->motion);
    levels_finish(&p->levels);
    store_close(p->db);
    cast_finish(&p->who);
}

nanos play_end(const play *p) {
    return p->episode->end;
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
static status add_beliefs(stage *s, play *p, nanos at, const cast *who, error *err) {
    errors list = {0};
    ask_rows rows = {0};
    status st = OK;
    if (!p->ask)
        st = p->salvaged
                 ? ask_open_salvaged(p->log, p->episode->id, p->rules, NULL, 0, &p->ask, &list)
                 : ask_open(p->log, p->episode->id, p->rules, NULL, 0, &p->ask, &list);
    if (st == OK)
        st = ask_query(
            p->ask, s->arena,
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
        st = ask_query(p->ask, s->arena,
                       arena_format(s->arena,
                                    "believed(A, A, _, Since), Since <= %.9f,"
                                    " believed_pose(A, A, %.9f, P),"
                                    " pose_parts(P, X, Y, Z, W, I, J, K).",
                                    seconds(at), seconds(at)),
                       &rows, &list);
    for (size_t r = 0; st == OK && r < ask_count(&rows); r++)
        add_lost(s, who, ask_at(&rows, r, 0)->term->text, pose_at(&rows, r, 3));
    array_finish(&rows.values);
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

status play_stage(play *p, nanos at, bool believed, stage *s, error *err) {
    const store_episode *e = p->episode;
    if (at == TIME_OPEN)
        at = e->end;
    if (at > e->end)
        return error_set(err, E_INPUT,
                         "episode %lld of %s ends at %.3f s; there is nothing at %.3f s",
                         (long long)e->id, p->log, seconds(e->end), seconds(at));
    cast now = {0}; // with the places and colours of this instant
    status st = OK;
    for (size_t i = 0; i < p->who.objects.count; i++)
        array_push(&now.objects, p->who.objects.items[i]);
    for (size_t i = 0; st == OK && i < now.objects.count; i++) {
        cast_object *o = &now.objects.items[i];
        if (!cast_is_present(o, at))
            continue;
        st = tracks_pose(p->motion, o->id, at, &o->thing.at, err);
        o->thing.building =
            o->fixed && cast_is_building(o->thing.shapes, o->thing.shape_count, o->thing.at);
        color_level(s, &p->levels, at, o);
        array_push(&s->things, o->thing);
    }
    s->missing_meshes += p->who.missing_meshes;
    bool beliefs = believed && p->rules;
    if (st == OK && beliefs)
        st = add_beliefs(s, p, at, &now, err);
    if (st == OK)
        s->caption =
            arena_format(s->arena, "%s, seed %lld, at %.3f s%s", e->plan ? e->plan : p->log,
                         (long long)e->seed, seconds(at), beliefs ? "; dashed: as believed" : "");
    cast_finish(&now);
    return st;
}

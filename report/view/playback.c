// report/view/playback.c - an episode as JSON, for a page that plays it.
#include "report/view/playback.h"

#include <math.h>
#include <string.h>

#include "base/text/json.h"
#include "report/diagnosis/diagnosis_int.h"
#include "report/picture/cast.h"
#include "report/picture/levels.h"
#include "report/task_rows.h"
#include "report/view/moves.h"

static const double FINEST = 0.001, COARSEST = 0.05; // m: how far drawn things may be off
enum {
    LOOKS_MAX = 1500,   // instants at which beliefs are looked at
    FORCES_MAX = 20000, // keys of forces
    LEVELS_MAX = 20000, // intervals of levels of fidelity
    TASKS_MAX = 3000
};
static const double LOOK_LEAST = 0.1; // s between two looks at beliefs

typedef struct playback {
    ask *ask;
    const diagnosis *d;
    arena *memory;
    text_buffer *out;
    error *err;
    double within; // m
    cast who;
    level_spans levels;
    size_t spans_put;
    ARRAY(const mesh *) meshes;
} playback;

// ---- Plain values
static void put_numbers(text_buffer *out, const double *n, size_t count) {
    for (size_t i = 0; i < count; i++) {
        text_put(out, i ? "," : "[");
        text_add(out, "%.7g", n[i]);
    }
    text_put(out, "]");
}

static void put_vec3(text_buffer *out, vec3 v) {
    put_numbers(out, (const double[]){v.x, v.y, v.z}, 3);
}

static void put_instant(text_buffer *out, nanos t) {
    if (t == TIME_OPEN)
        text_put(out, "null");
    else
        json_seconds(out, t);
}

static void put_floats(text_buffer *out, const vec3 *v, size_t count) {
    float *flat = mem_must(3 * count + 1, sizeof *flat);
    for (size_t i = 0; i < count; i++) {
        flat[3 * i] = (float)v[i].x;
        flat[3 * i + 1] = (float)v[i].y;
        flat[3 * i + 2] = (float)v[i].z;
    }
    text_put_base64(out, flat, 3 * count * sizeof *flat);
    free(flat);
}

// ---- Things
static size_t mesh_number(playback *p, const mesh *m) {
    for (size_t i = 0; i < p->meshes.count; i++)
        if (p->meshes.items[i] == m)
            return i;
    array_push(&p->meshes, m);
    return p->meshes.count - 1;
}

static void put_shapes(playback *p, const picture_thing *t) {
    for (size_t i = 0; i < t->shape_count; i++) {
        const shape *s = &t->shapes[i];
        text_add(p->out, "%s[\"%s\",", i ? "," : "", shape_kind_name(s->kind));
        put_vec3(p->out, s->at.p);
        text_put(p->out, ",");
        put_numbers(p->out, (const double[]){s->at.q.w, s->at.q.x, s->at.q.y, s->at.q.z}, 4);
        text_put(p->out, ",");
        put_vec3(p->out, s->size);
        if (s->mesh)
            text_add(p->out, ",%zu", mesh_number(p, s->mesh));
        text_put(p->out, "]");
    }
}

// How finely the thing is simulated, and when. A robot's parts are
// at the level of the whole. Nothing where nothing was ever below full fidelity.
static void put_levels(playback *p, const cast_object *o) {
    const level_span *spans;
    size_t count = levels_of(&p->levels, o->id, &spans);
    if (count == 0 && o->whole != 0)
        count = levels_of(&p->levels, o->whole, &spans);
    text_put(p->out, ",\"levels\":[");
    if (!p->levels.lowered)
        count = 0;
    for (size_t i = 0; i < count && p->spans_put < LEVELS_MAX; i++, p->spans_put++) {
        json_member(p->out, i ? ",{" : "{", "name", spans[i].look.name);
        text_put(p->out, ",\"color\":");
        put_vec3(p->out, spans[i].look.rgb);
        text_put(p->out, ",\"from\":");
        put_instant(p->out, spans[i].from);
        text_put(p->out, ",\"until\":");
        put_instant(p->out, spans[i].until);
        text_put(p->out, "}");
    }
    text_put(p->out, "]");
}

static status put_thing(playback *p, tracks *motion, const cast_object *o) {
    const picture_thing *t = &o->thing;
    nanos end = o->until < p->d->end ? o->until : p->d->end;
    pose first;
    move m;
    status st = tracks_pose(motion, o->id, o->from, &first, p->err);
    if (st != OK)
        return st;
    bool building = o->fixed && cast_is_building(t->shapes, t->shape_count, first);
    json_member(p->out, "{", "name", t->name);
    json_member(p->out, ",", "kind", o->kind);
    json_member(p->out, ",", "type", o->type);
    text_add(p->out, ",\"whole\":%lld,\"building\":%s,\"fixed\":%s,\"color\":", (long long)o->whole,
             building ? "true" : "false", o->fixed ? "true" : "false");
    put_vec3(p->out, t->rgb);
    text_put(p->out, ",\"from\":");
    put_instant(p->out, o->from);
    text_put(p->out, ",\"until\":");
    put_instant(p->out, o->until);
    text_put(p->out, ",\"shapes\":[");
    put_shapes(p, t);
    text_put(p->out, "]");
    put_levels(p, o);
    text_put(p->out, ",\"move\":\"");
    move_begin(&m, p->within);
    st = move_follow(&m, motion, o->id, o->from, end, p->err);
    move_put(&m, p->out);
    text_put(p->out, "\"}");
    return st;
}

static status put_things(playback *p) {
    tracks *motion = NULL;
    status st = tracks_create(ask_db(p->ask), p->d->episode, &motion, p->err);
    text_put(p->out, ",\"things\":[");
    bool first = true;
    for (size_t i = 0; st == OK && i < p->who.objects.count; i++) {
        const cast_object *o = &p->who.objects.items[i];
        if (o->from >= o->until || o->from > p->d->end)
            continue;
        text_put(p->out, first ? "" : ",");
        first = false;
        st = put_thing(p, motion, o);
    }
    text_put(p->out, "],\"meshes\":[");
    for (size_t i = 0; i < p->meshes.count; i++) {
        const mesh *m = p->meshes.items[i];
        text_put(p->out, i ? ",[\"" : "[\"");
        put_floats(p->out, m->vertices, m->vertex_count);
        text_put(p->out, "\",\"");
        text_put_base64(p->out, m->triangles, m->triangle_count * sizeof *m->triangles);
        text_put(p->out, "\"]");
    }
    text_put(p->out, "]");
    tracks_destroy(motion);
    return st;
}

// ---- Beliefs: of each agent itself and of things that are no known furniture, every so often
static pose pose_of_row(const ask_rows *rows, size_t r, size_t from) {
    double n[7] = {0};
    for (size_t k = 0; k < 7; k++)
        term_number(ask_at(rows, r, from + k)->term, &n[k]);
    return (pose){v3(n[0], n[1], n[2]), {n[3], n[4], n[5], n[6]}};
}

static const char *name_at(const ask_rows *rows, size_t r, size_t column) {
    const char *text = ask_at(rows, r, column)->term->text;
    return text ? text : "";
}

static void put_beliefs(playback *p) {
    double end = seconds(p->d->end), every = fmax(LOOK_LEAST, end / LOOKS_MAX);
    const char *question =
        arena_format(p->memory,
                     "believed(A, N, Type, _S), not object(N, body, _),"
                     " between(0, %d, K), _T = K * %.9f, _S =< _T, believed_pose(A, N, _T, _P),"
                     " pose_parts(_P, X, Y, Z, W, I, J, L).",
                     (int)(end / every), every);
    ask_rows rows = {0};
    text_put(p->out, ",\"believed\":[");
    if (ask_all(p->ask, p->memory, question, &rows, NULL) == OK) {
        move m;
        for (size_t r = 0; r < ask_count(&rows); r++) {
            const char *agent = name_at(&rows, r, 0), *name = name_at(&rows, r, 1);
            bool first = r == 0 || strcmp(agent, name_at(&rows, r - 1, 0)) != 0 ||
                         strcmp(name, name_at(&rows, r - 1, 1)) != 0;
            bool last = r + 1 == ask_count(&rows) || strcmp(agent, name_at(&rows, r + 1, 0)) != 0 ||
                        strcmp(name, name_at(&rows, r + 1, 1)) != 0;
            double k = 0;
            term_number(ask_at(&rows, r, 3)->term, &k);
            nanos t = nanos_from_seconds(k * every);
            pose at = pose_of_row(&rows, r, 4);
            if (first) {
                json_member(p->out, r ? ",{" : "{", "agent", agent);
                json_member(p->out, ",", "name", name);
                json_member(p->out, ",", "type", name_at(&rows, r, 2));
                text_put(p->out, ",\"from\":");
                put_instant(p->out, t);
                text_put(p->out, ",\"move\":\"");
                move_begin(&m, p->within);
            }
            move_add(&m, t, &at);
            if (last) {
                move_put(&m, p->out);
                text_put(p->out, "\",\"until\":");
                put_instant(p->out, t + nanos_from_seconds(every) < p->d->end ? t : TIME_OPEN);
                text_put(p->out, "}");
            }
        }
    }
    text_put(p->out, "]");
    array_finish(&rows.values);
}

// ---- Forces at contacts
static double number_at(const ask_rows *rows, size_t r, size_t column) {
    double n = 0;
    term_number(ask_at(rows, r, column)->term, &n);
    return n;
}

static void put_forces(playback *p) {
    ask_rows rows = {0};
    text_put(p->out, ",\"forces\":[");
    status st = ask_all(
        p->ask, p->memory,
        "contact(C, A, B, From, Until), contact_point(C, X, Y, Z),"
        " contact_force(C, _, _, _, _, _, _, S, _), contact_force(C, FX, FY, FZ, _, _, _, S, _).",
        &rows, NULL);
    size_t count = st == OK ? ask_count(&rows) : 0;
    for (size_t r = 0; r < count && r < FORCES_MAX; r++) {
        bool first = r == 0 || number_at(&rows, r, 0) != number_at(&rows, r - 1, 0);
        if (first) {
            text_put(p->out, r ? "]}," : "");
            json_member(p->out, "{", "a", name_at(&rows, r, 1));
            json_member(p->out, ",", "b", name_at(&rows, r, 2));
            text_put(p->out, ",\"from\":");
            put_instant(p->out, ask_at(&rows, r, 3)->time);
            text_put(p->out, ",\"until\":");
            put_instant(p->out, ask_at(&rows, r, 4)->time);
            text_put(p->out, ",\"at\":");
            put_vec3(p->out,
                     v3(number_at(&rows, r, 5), number_at(&rows, r, 6), number_at(&rows, r, 7)));
            text_put(p->out, ",\"keys\":[");
        }
        text_add(p->out, "%s%.4f,%.3g,%.3g,%.3g", first ? "" : ",",
                 seconds(ask_at(&rows, r, 8)->time), number_at(&rows, r, 9),
                 number_at(&rows, r, 10), number_at(&rows, r, 11));
    }
    text_put(p->out, count ? "]}]" : "]");
    array_finish(&rows.values);
}

// ---- Tasks and flaws
// Returns the greatest depth down to which there is room for all tasks, so that what is left out
// are the smaller steps of all times and not the whole of the later ones.
static int deepest_task(const task_rows *tasks) {
    for (int deepest = 0;; deepest++) {
        size_t count = 0;
        for (size_t i = 0; i < tasks->rows.count; i++)
            count += tasks->rows.items[i].depth <= deepest + 1;
        if (count > TASKS_MAX || count == tasks->rows.count)
            return count > TASKS_MAX ? deepest : deepest + 1;
    }
}

static status put_tasks(playback *p) {
    task_rows tasks = {0};
    status st = task_rows_read(ask_db(p->ask), p->d->log, p->d->episode, p->memory, &tasks, p->err);
    int deepest = st == OK ? deepest_task(&tasks) : 0;
    size_t put = 0;
    text_put(p->out, ",\"tasks\":[");
    for (size_t i = 0; st == OK && i < tasks.rows.count && put < TASKS_MAX; i++) {
        const task_row *t = &tasks.rows.items[i];
        if (t->depth > deepest)
            continue;
        text_add(p->out, "%s{\"id\":%zu,\"parent\":%lld,\"depth\":%d,\"from\":", put++ ? "," : "",
                 i + 1, (long long)(t->parent ? t->parent - tasks.rows.items[0].id + 1 : 0),
                 t->depth);
        put_instant(p->out, t->start);
        text_put(p->out, ",\"until\":");
        put_instant(p->out, t->end);
        json_member(p->out, ",", "state", t->last_status);
        if (t->robot)
            json_member(p->out, ",", "robot", t->robot);
        json_member(p->out, ",", "path", t->dynamic_path);
        json_member(p->out, ",", "expr", t->expr);
        text_put(p->out, "}");
    }
    text_add(p->out, "],\"more_tasks\":%zu", tasks.rows.count - put);
    task_rows_finish(&tasks);
    return st;
}

static void put_flaws(playback *p) {
    text_put(p->out, ",\"flaws\":[");
    for (size_t i = 0; i < p->d->flaws.count; i++) {
        const flaw *f = &p->d->flaws.items[i];
        text_add(p->out, "%s{\"id\":%lld,\"from\":", i ? "," : "", (long long)f->id);
        put_instant(p->out, f->start);
        json_member(p->out, ",", "name", f->name);
        text_put(p->out, ",\"bodies\":[");
        for (size_t k = 0; k < f->body_count; k++) {
            text_put(p->out, k ? "," : "");
            json_string(p->out, f->bodies[k]);
        }
        text_put(p->out, "]}");
    }
    text_put(p->out, "]");
}

static status put_episode(playback *p) {
    const char *title = p->d->plan ? p->d->plan : p->d->log;
    json_member(p->out, "{", "title", title);
    text_add(p->out, ",\"seed\":%lld", (long long)p->d->seed);
    json_member(p->out, ",", "outcome", p->d->outcome);
    text_put(p->out, ",\"end\":");
    put_instant(p->out, p->d->end);
    text_put(p->out, ",\"within\":");
    json_number(p->out, p->within);
    status st = put_things(p);
    if (st == OK)
        put_beliefs(p), put_forces(p), put_flaws(p);
    if (st == OK)
        st = put_tasks(p);
    text_put(p->out, "}");
    return st;
}

status playback_json(ask *a, const diagnosis *d, size_t most, text_buffer *out, error *err) {
    text_buffer json = {0};
    playback p = {
        .ask = a, .d = d, .memory = arena_create(), .out = &json, .err = err, .within = FINEST};
    status st = cast_read(p.memory, ask_db(a), d->log, d->episode, &p.who, err);
    if (st == OK)
        st = levels_read(ask_db(a), d->log, d->episode, &p.levels, err);
    while (st == OK) {
        json.count = p.spans_put = 0;
        st = put_episode(&p);
        if (json.count <= most || p.within >= COARSEST)
            break;
        p.within = fmin(2 * p.within, COARSEST);
    }
    for (size_t i = 0; st == OK && i < json.count; i++) {
        if (json.items[i] == '<')
            text_put(out, "\\u003c");
        else
            text_put_bytes(out, &json.items[i], 1);
    }
    text_finish(&json);
    array_finish(&p.meshes);
    levels_finish(&p.levels);
    cast_finish(&p.who);
    arena_destroy(p.memory);
    return st;
}

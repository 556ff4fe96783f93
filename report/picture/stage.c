// report/picture/stage.c - collects the things of a picture, from a world or from a log.
#include "report/picture/stage.h"

#include <string.h>

#include "report/picture/cast.h"
#include "report/picture/play.h"
#include "base/search.h"

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

status stage_log(stage *s, const char *log, int64_t episode, nanos at, const char *rules,
                 error *err) {
    const play_options o = {.rules = rules, .levels = s->levels, .salvaged = s->salvaged};
    play *p = NULL;
    status st = play_open(s->arena, log, episode, &o, &p, err);
    if (st == OK)
        st = play_stage(p, at, true, s, err);
    play_close(p);
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

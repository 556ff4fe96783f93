// cli/runs/stage.c - reads and loads what is otherwise from an instant on.
#include "cli/runs/stage.h"

#include <string.h>

#include "base/text/json.h"
#include "base/text/number.h"
#include "scene/follow.h"
#include "scene/intervene.h"

bool stage_setting(arena *memory, const char *text, setting *out) {
    static const char *const scopes[] = {"plan", "world", "robot", "log"};
    const char *dot = strchr(text, '.'), *equals = strchr(text, '=');
    for (size_t i = 0; dot && equals && i < sizeof scopes / sizeof *scopes; i++)
        if ((size_t)(dot - text) == strlen(scopes[i]) &&
            strncmp(text, scopes[i], (size_t)(dot - text)) == 0 && equals > dot + 1) {
            *out = (setting){scopes[i], arena_copy(memory, dot + 1, (size_t)(equals - dot - 1)),
                             arena_strdup(memory, equals + 1)};
            return true;
        }
    return false;
}

// ---- Scenes -------------------------------------------------------------------------------------

// What the stages up to one make otherwise, gathered.
typedef struct gathered {
    arena *memory;
    settings set, changes; // after those of the episode
    text_buffer events;    // a world's file; empty: there are none
    size_t event_count;
} gathered;

static void gather_event(gathered *g, const rerun *again, nanos at, const char *text) {
    const char *slash = strrchr(again->world, '/');
    if (g->event_count++ == 0) {
        text_put(&g->events, "include: [");
        yaml_string(&g->events, slash ? slash + 1 : again->world,
                    strlen(slash ? slash + 1 : again->world));
        text_put(&g->events, "]\nevents:\n");
    }
    text_add(&g->events, "  - { name: branch_%zu, at: %.9f, %s\n", g->event_count, seconds(at),
             text + 1);
}

static status gather_change(gathered *g, const char *text, error *err) {
    const term *t = NULL;
    size_t before = g->changes.count;
    const char *what = arena_format(g->memory, "--do '%s'", text);
    status st = term_parse(g->memory, what, text, strlen(text), 1, 1, &t, err);
    if (st == OK)
        st = scenario_add_change(g->memory, t, &g->changes, err);
    if (st == OK && g->changes.count == before)
        st = error_set(err, E_USAGE, "%s changes nothing; leave it out for a branch as it was",
                       what);
    for (size_t i = 0; st == OK && i < g->changes.count; i++)
        if (strncmp(g->changes.items[i].value, "edits(", 6) == 0)
            st = error_set(err, E_INPUT, "--do %s: give edits of the plan by --edits", text);
    return st;
}

static status gather_do(gathered *g, const rerun *again, nanos at, const char *text, error *err) {
    setting s;
    while (*text == ' ')
        text++;
    if (*text == '{') {
        gather_event(g, again, at, text);
        return OK;
    }
    if (!stage_setting(g->memory, text, &s))
        return gather_change(g, text, err);
    if (strcmp(s.scope, "world") != 0 && strcmp(s.scope, "robot") != 0)
        return error_set(err, E_USAGE,
                         "--do %s: a parameter of world or robot can change, not one of %s", text,
                         s.scope);
    array_push(&g->set, s);
    return OK;
}

// A world that includes that of the episode and has more events, as a file in memory beside it.
static const char *world_with_events(gathered *g, const rerun *again, file_set *files) {
    if (g->event_count == 0)
        return again->world;
    const char *slash = strrchr(again->world, '/');
    const char *name = arena_format(g->memory, "%.*s--do",
                                    slash ? (int)(slash - again->world) + 1 : 0, again->world);
    kept_file *all = arena_alloc(g->memory, (files->count + 1) * sizeof *all);
    memcpy(all, files->items, files->count * sizeof *all);
    all[files->count] = (kept_file){.name = name,
                                    .text = arena_copy(g->memory, g->events.items, g->events.count),
                                    .length = g->events.count};
    files->items = all;
    files->count++;
    return name;
}

// Several robots are one model in the simulation, which follows what the world is alone.
static status refuse_of_robots(const gathered *g, error *err) {
    for (size_t i = 0; i < g->set.count; i++)
        if (strcmp(g->set.items[i].scope, "robot") == 0)
            return error_set(err, E_INPUT,
                             "--do robot.%s=%s: where several robots take part, only the world can "
                             "become otherwise in the midst of an episode",
                             g->set.items[i].name, g->set.items[i].value);
    for (size_t i = 0; i < g->changes.count; i++)
        if (change_is_of_robot(g->changes.items[i].value))
            return error_set(err, E_INPUT,
                             "--do %s: where several robots take part, only the world can become "
                             "otherwise in the midst of an episode",
                             g->changes.items[i].value);
    return OK;
}

static status follow_scene(const scenario *before, const scenario *now, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < now->member_count; i++)
        st = scene_follows(before->world, now->world, before->members[i].robot,
                           now->members[i].robot, err);
    return st;
}

static status load_scene(stage *s, gathered *g, const rerun *again, const scenario *before,
                         const settings *set, const settings *conditions, errors *list) {
    settings all = {0};
    file_set files = again->files;
    error err = {0};
    for (size_t i = 0; i < again->set.count; i++)
        array_push(&all, again->set.items[i]);
    for (size_t i = 0; i < set->count; i++)
        array_push(&all, set->items[i]);
    for (size_t i = 0; i < g->set.count; i++)
        array_push(&all, g->set.items[i]);
    const char *world = world_with_events(g, again, &files);
    status st = before->member_count > 1 ? refuse_of_robots(g, &err) : OK;
    if (st != OK) {
        errors_append(list, &err);
        array_finish(&all);
        return st;
    }
    st = scenario_load_from(&files, again->plan, world, again->robot, &all, &s->scene, list);
    array_finish(&all);
    if (st != OK)
        return st;
    st = scenario_change(&s->scene, &again->conditions, &err);
    if (st == OK)
        st = scenario_change(&s->scene, conditions, &err);
    if (st == OK)
        st = scenario_change(&s->scene, &g->changes, &err);
    if (st == OK && before->followed)
        st = scenario_follow_recording(&s->scene, before->followed, &err);
    if (st == OK)
        st = follow_scene(before, &s->scene, &err);
    if (st != OK)
        errors_append(list, &err);
    return st;
}

// ---- Reading ------------------------------------------------------------------------------------

static status read_row(stage *s, gathered *g, const rerun *again, const setting *row, error *err) {
    int64_t number;
    double at;
    if (strcmp(row->name, "at") == 0) {
        if (!number_parse(row->value, strlen(row->value), &at) || !(at >= 0) || at > 1e9)
            return error_set(err, E_INPUT, "a branch begins at '%s', which is no time", row->value);
        s->at = nanos_from_seconds(at);
        return OK;
    }
    if (strcmp(row->name, "seed") == 0) {
        if (!number_parse_integer(row->value, strlen(row->value), &number) || number < 0)
            return error_set(err, E_INPUT, "a branch has the seed '%s', which is none", row->value);
        s->reseed = true;
        s->seed = (uint64_t)number;
        return OK;
    }
    s->other = true;
    return gather_do(g, again, s->at, row->value, err);
}

status stages_load(const rerun *again, const scenario *before, const settings *set,
                   const settings *conditions, const settings *rows, stages *out, errors *list) {
    stages all = {.items = mem_must(rows->count + 1, sizeof *all.items)};
    gathered g = {.memory = arena_create()};
    status st = OK;
    for (size_t i = 0; st == OK && i < rows->count;) {
        stage *s = &all.items[all.count++];
        error err = {0};
        do {
            array_push(&s->rows, rows->items[i]);
            st = read_row(s, &g, again, &rows->items[i], &err);
            if (st != OK)
                errors_append(list, &err);
            i++;
        } while (st == OK && i < rows->count && strcmp(rows->items[i].name, "at") != 0);
        if (st == OK && s->other)
            st = load_scene(s, &g, again, before, set, conditions, list);
    }
    text_finish(&g.events);
    array_finish(&g.set);
    array_finish(&g.changes);
    if (st == OK) {
        // The texts live as long as the models, which may point to them.
        all.memory = g.memory;
        *out = all;
    } else {
        arena_destroy(g.memory);
        stages_finish(&all);
    }
    return st;
}

void stages_finish(stages *s) {
    for (size_t i = 0; i < s->count; i++) {
        array_finish(&s->items[i].rows);
        if (s->items[i].scene.arena)
            scenario_finish(&s->items[i].scene);
    }
    free(s->items);
    array_finish(&s->due);
    if (s->memory)
        arena_destroy(s->memory);
    *s = (stages){0};
}

// ---- In a projection ----------------------------------------------------------------------------

void stages_turn(stages *s, nanos t, projection_turn *out) {
    for (; s->next < s->count && s->items[s->next].at <= t; s->next++) {
        const stage *one = &s->items[s->next];
        if (one->other) {
            out->world = one->scene.world;
            out->robot = one->scene.member_count == 1 ? one->scene.robot : NULL;
        }
        if (one->reseed) {
            out->reseed = true;
            out->seed = one->seed;
        }
        for (size_t i = 0; i < one->rows.count; i++)
            array_push(&s->due, one->rows.items[i]);
    }
    out->conditions = &s->due;
    out->next = s->next < s->count ? s->items[s->next].at : TIME_OPEN;
}

static status turn_stages(void *context, nanos t, projection_turn *out, error *err) {
    (void)err;
    stages *s = context;
    s->due.count = 0;
    stages_turn(s, t, out);
    return OK;
}

void stages_begin(stages *s, projection_options *how) {
    if (s->count == 0)
        return;
    s->next = 0;
    how->turn_at = s->items[0].at;
    how->turn = turn_stages;
    how->turn_context = s;
}

// cli/runs/scenario_rerun.c - interventions and placebos of a re-run, and the scenario of an
// episode in a log.
#include <string.h>

#include "base/text/number.h"
#include "cli/runs/recording.h"
#include "cli/runs/scenario.h"
#include "plans/edit.h"
#include "projector/couple/couple.h"
#include "projector/replay.h"
#include "report/diagnosis/term_json.h"
#include "scene/intervene.h"

// ---- Conditions

status scenario_add_change(arena *memory, const term *change, settings *out, error *err) {
    int64_t count = term_list_length(change);
    status st = OK;
    for (int64_t i = 0; st == OK && i < count; i++)
        st = scenario_add_change(memory, term_list_item(change, (size_t)i), out, err);
    if (count >= 0 || st != OK)
        return st;
    change_kind kind;
    st = change_find(change, &kind, err);
    if (st != OK)
        return st;
    size_t number = 1;
    for (size_t i = 0; i < out->count; i++)
        number += strcmp(out->items[i].scope, "change") == 0;
    setting s = {"change", arena_format(memory, "%zu", number), term_text(memory, change)};
    array_push(out, s);
    return OK;
}

// Adds a placebo, which replaces one of the same stream.
static void add_placebo(arena *memory, const char *stream, int64_t number, settings *out) {
    setting s = {"placebo", stream, arena_format(memory, "%lld", (long long)number)};
    for (size_t i = 0; i < out->count; i++)
        if (strcmp(out->items[i].scope, s.scope) == 0 && strcmp(out->items[i].name, stream) == 0) {
            out->items[i] = s;
            return;
        }
    array_push(out, s);
}

static status read_placebo(arena *memory, const char *text, settings *out, error *err) {
    static const char *const streams[] = {
#define STREAM(name, doc) #name,
#include "projector/sense/streams.def"
#undef STREAM
    };
    const size_t count = sizeof streams / sizeof *streams;
    const char *equals = strchr(text, '=');
    int64_t number;
    if (!equals || !number_parse_integer(equals + 1, strlen(equals + 1), &number) || number < 1)
        return error_set(err, E_USAGE,
                         "--placebo needs STREAM=N with a whole number above 0, for example "
                         "camera=1, not '%s'",
                         text);
    const char *name = arena_copy(memory, text, (size_t)(equals - text));
    for (size_t i = 0; i < count; i++)
        if (strcmp(streams[i], name) == 0) {
            add_placebo(memory, streams[i], number, out);
            return OK;
        }
    const char *near = nearest_name(name, streams, count);
    char all[200] = "";
    for (size_t i = 0; i < count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", streams[i]);
    return error_set(err, E_USAGE, "--placebo %s: the streams are %s%s%s%s", text, all,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

status scenario_conditions(const arguments *a, arena *memory, settings *out, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < a->options.count; i++) {
        const char *flag = a->options.items[i].flag->name, *text = a->options.items[i].value;
        const term *t = NULL;
        if (strcmp(flag, "placebo") == 0)
            st = read_placebo(memory, text, out, err);
        if (strcmp(flag, "change") != 0)
            continue;
        st = term_parse(memory, "--change", text, strlen(text), 1, 1, &t, err);
        if (st == OK)
            st = scenario_add_change(memory, t, out, err);
    }
    return st;
}

// ---- Running again

status scenario_edit_rerun(rerun *again, edit_file edits, errors *list) {
    edit_file *routines = mem_must(again->files.count + 1, sizeof *routines);
    edit_request request = {.edits = edits, .routines = routines};
    for (size_t i = 0; i < again->files.count; i++) {
        const kept_file *f = &again->files.items[i];
        edit_file file = {f->name, f->text, f->length};
        if (strcmp(f->name, again->plan) == 0)
            request.plan = file;
        else if (!f->hash_only)
            routines[request.routine_count++] = file;
    }
    edit_result *result = NULL;
    status st = edit_apply(&request, &result, list);
    if (st == OK) {
        size_t length;
        const char *text = edit_text(result, &length);
        rerun_replace_plan(again, again->plan, text, length);
    }
    edit_result_destroy(result);
    free(routines);
    return st;
}

// Makes edits that are written as a term.
static status edit_plan(rerun *again, const term *edits, errors *list) {
    error err = {0};
    text_buffer json = {0};
    status st = edits_json(edits, &json, &err);
    if (st == OK)
        st = scenario_edit_rerun(again, (edit_file){"edits", text_string(&json), json.count}, list);
    else
        errors_append(list, &err);
    text_finish(&json);
    return st;
}

// Makes the edits among `conditions`. Edits of an earlier re-run are in the text of its plan
// already.
static status edit_first(rerun *again, const settings *conditions, errors *list) {
    arena *memory = arena_create();
    status st = OK;
    for (size_t i = 0; st == OK && i < conditions->count; i++) {
        const setting *c = &conditions->items[i];
        const term *t = NULL;
        error err = {0};
        if (strcmp(c->scope, "change") != 0)
            continue;
        st = term_parse(memory, "change", c->value, strlen(c->value), 1, 1, &t, &err);
        if (st != OK)
            errors_append(list, &err);
        else if (term_is(t, "edits", 1))
            st = edit_plan(again, t->args[0], list);
    }
    arena_destroy(memory);
    return st;
}

status scenario_follow_recording(scenario *s, const recording *r, error *err) {
    if (s->edited && !s->coupled)
        return error_at(err, E_INPUT, s->plan_name ? s->plan_name : r->file, 0, 0,
                        "the robot follows a recording, and its plan does not run, so that edits "
                        "of the plan would change nothing");
    s->followed = r;
    projection_member *room;
    projection_inputs in;
    scenario_inputs(s, &room, &in);
    status st = replay_check(&in, err);
    free(room);
    if (st != OK)
        return st;
    // It begins with the posture and at the place at which the recorded robot began.
    scenario_member *m = &s->members[s->coupled ? s->coupled->follower : 0];
    robot_model *robot = m->robot;
    double *home = arena_alloc(s->arena, (robot->joint_count + 1) * sizeof *home);
    for (size_t i = 0; i < robot->joint_count; i++) {
        const char *joint = fleet_part_name(s->arena, r->robot, robot, robot->joints[i].name);
        size_t k = 0;
        while (strcmp(r->joints[k], joint) != 0)
            k++;
        home[i] = r->postures[0].positions[k];
    }
    robot->home = home;
    double height = m->at.p.z;
    m->at = pose_planar(r->bases[0].x, r->bases[0].y, r->bases[0].yaw);
    m->at.p.z = height;
    setting row = {RECORDING_SOURCE, "episode",
                   arena_format(s->arena, "%lld", (long long)r->episode)};
    array_push(&s->conditions, row);
    return OK;
}

status scenario_follow(scenario *s, const char *path, const char *name, int64_t wanted,
                       error *err) {
    const recording *r = NULL;
    const char *robot = s->coupled ? s->members[s->coupled->follower].name : NULL;
    status st = recording_read(s->arena, path, name, wanted, robot, &r, err);
    return st == OK ? scenario_follow_recording(s, r, err) : st;
}

// The log that the episode followed is looked for by its hash.
static status follow_again(rerun *again, scenario *s, error *err) {
    const char *path;
    if (!again->telemetry)
        return OK;
    status st = files_on_disk(again->memory, &again->files, again->telemetry, &path, err);
    return st == OK ? scenario_follow(s, path, again->telemetry, again->recorded, err) : st;
}

status scenario_load_rerun(rerun *again, const settings *set, const settings *conditions,
                           scenario *out, errors *list) {
    settings all = {0};
    error err = {0};
    status st = edit_first(again, conditions, list);
    for (size_t i = 0; i < again->set.count; i++)
        array_push(&all, again->set.items[i]);
    for (size_t i = 0; i < set->count; i++)
        array_push(&all, set->items[i]);
    if (st == OK)
        st = scenario_load_from(&again->files, again->plan, again->world, again->robot, &all, out,
                                list);
    if (st == OK) {
        out->plan_name = again->plan_name;
        out->edited = again->edited;
        st = scenario_change(out, &again->conditions, &err);
        if (st == OK)
            st = scenario_change(out, conditions, &err);
        if (st == OK)
            st = follow_again(again, out, &err);
        if (st != OK) {
            errors_append(list, &err);
            scenario_finish(out);
        }
    }
    array_finish(&all);
    return st;
}

// What the robots are without interventions is what they take themselves to be.
static void keep_believed(scenario *s) {
    for (size_t i = 0; i < s->member_count; i++) {
        scenario_member *m = &s->members[i];
        if (m->believed)
            continue;
        m->believed = arena_alloc(s->arena, sizeof *m->believed);
        *m->believed = *m->robot;
    }
}

// Makes what of a change is about an operator's station and the robot that follows it.
static status change_coupling(scenario *s, const term *change, change_kind kind, error *err) {
    const char *name = change_about(kind).name;
    if (!s->coupled)
        return error_set(err, E_INPUT, "%s: no arm follows an operator's station", name);
    plan_coupling *c = arena_alloc(s->arena, sizeof *c);
    *c = *s->coupled;
    s->coupled = c;
    if (kind == CHANGE_NO_LOSS)
        c->loss = 0;
    if (kind == CHANGE_NO_DELAY)
        c->delay = c->jitter = 0;
    if (kind != CHANGE_COUPLED_BY)
        return OK;
    for (int k = 0; k < COUPLING_COUNT; k++)
        if (term_is_symbol(change->args[0], coupling_name((coupling_kind)k))) {
            c->kind = (coupling_kind)k;
            c->twin |= c->kind == COUPLING_mmt;
            return OK;
        }
    return error_set(err, E_INPUT, "%s: arms are coupled by pfc, tdpa or mmt", name);
}

// Makes what of a change, or of a list of them, is about what robots tell one another.
static status change_telling(scenario *s, const term *change, error *err) {
    int64_t count = term_list_length(change);
    status st = OK;
    for (int64_t i = 0; st == OK && i < count; i++)
        st = change_telling(s, term_list_item(change, (size_t)i), err);
    change_kind kind;
    if (st != OK || count >= 0 || change_find(change, &kind, NULL) != OK)
        return st;
    if (kind == CHANGE_NO_DELAY || kind == CHANGE_COUPLED_BY ||
        (kind == CHANGE_NO_LOSS && s->coupled))
        st = change_coupling(s, change, kind, err);
    if (st != OK || (kind == CHANGE_NO_LOSS && s->coupled && !s->shares) ||
        (kind != CHANGE_NO_LOSS && kind != CHANGE_SHARE_ALL))
        return st;
    if (s->member_count < 2)
        return error_set(err, E_INPUT, "%s: there is one robot alone, which tells nobody anything",
                         change_about(kind).name);
    if (kind == CHANGE_NO_LOSS && !s->shares)
        return error_set(err, E_INPUT,
                         "no_loss: the robots tell one another nothing that could be lost; "
                         "share_all makes them");
    s->shares = true;
    for (size_t i = 0; kind == CHANGE_NO_LOSS && i < s->link_count; i++)
        s->links[i].traits.loss = 0;
    return OK;
}

// A change of robots is one of each; names are those of all robots as one.
static status make_change(scenario *s, const term *change, error *err) {
    status st = change_telling(s, change, err);
    if (st != OK || s->member_count == 1)
        return st == OK ? change_make(change, s->world, s->robot, err) : st;
    projection_member *room;
    projection_inputs in;
    scenario_inputs(s, &room, &in);
    fleet_member *robots = mem_must(in.count, sizeof *robots);
    for (size_t i = 0; i < in.count; i++)
        robots[i] = room[i].robot;
    robot_model *all = fleet_merge(robots, in.count);
    all->name = "";
    st = change_make(change, s->world, all, err);
    for (size_t i = 0; st == OK && i < in.count; i++)
        change_make_robot(change, s->world, s->members[i].robot);
    robot_destroy(all);
    free(robots);
    free(room);
    return st;
}

status scenario_change(scenario *s, const settings *conditions, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < conditions->count; i++) {
        const setting *c = &conditions->items[i];
        const term *t = NULL;
        if (strcmp(c->scope, "placebo") == 0) {
            int64_t number = 0;
            number_parse_integer(c->value, strlen(c->value), &number);
            add_placebo(s->arena, arena_strdup(s->arena, c->name), number, &s->conditions);
            continue;
        }
        keep_believed(s);
        st = term_parse(s->arena, "change", c->value, strlen(c->value), 1, 1, &t, err);
        if (st == OK)
            st = make_change(s, t, err);
        if (st == OK)
            st = scenario_add_change(s->arena, t, &s->conditions, err);
    }
    return st;
}

// cli/runs/scenario.c - loads a plan with its world and robot, and projects it.
#include "cli/runs/scenario.h"

#include <math.h>
#include <string.h>

#include "base/files/data.h"
#include "base/text/number.h"
#include "cli/runs/shipped.h"
#include "plans/tree.h"
#include "projector/teleoperation.h"
#include "report/diagnosis/outcome.h"
#include "schema/motion/keyframe.h"

// ---- Settings

status scenario_settings(const arguments *a, arena *memory, settings *out, error *err) {
    static const char *const scopes[] = {"plan", "world", "robot", "log"};
    for (size_t i = 0; i < a->options.count; i++) {
        if (strcmp(a->options.items[i].flag->name, "fidelity") == 0)
            array_push(out, ((setting){FIDELITY_SCOPE, "from", a->options.items[i].value}));
        if (strcmp(a->options.items[i].flag->name, "set") != 0)
            continue;
        const char *text = a->options.items[i].value;
        const char *equals = strchr(text, '='), *dot = strchr(text, '.');
        if (!equals || !dot || dot > equals || dot == text || dot + 1 == equals)
            return error_set(
                err, E_USAGE,
                "--set needs SCOPE.NAME=VALUE, for example world.gripper_friction=0.08, not '%s'",
                text);
        setting s = {.scope = arena_copy(memory, text, (size_t)(dot - text)),
                     .name = arena_copy(memory, dot + 1, (size_t)(equals - dot - 1)),
                     .value = arena_strdup(memory, equals + 1)};
        bool known = false;
        for (size_t k = 0; k < 4; k++)
            known = known || strcmp(scopes[k], s.scope) == 0;
        // One of several robots, of which only the plan says how they are called.
        known = known || strncmp(s.name, "plan.", 5) == 0 || strncmp(s.name, "robot.", 6) == 0;
        if (!known) {
            const char *near = nearest_name(s.scope, scopes, 4);
            return error_set(
                err, E_USAGE,
                "--set %s: the scope is one of plan, world, robot, log, not '%s'%s%s%s", text,
                s.scope, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        }
        array_push(out, s);
    }
    return OK;
}

static status set_log(const settings *set, double *tolerance, error *err) {
    for (size_t i = 0; i < set->count; i++) {
        const setting *s = &set->items[i];
        if (strcmp(s->scope, "log") != 0)
            continue;
        double value;
        if (strcmp(s->name, "tolerance") == 0)
            return error_set(
                err, E_USAGE,
                "log.tolerance, a factor, is log.tolerance_mm now, in millimetres: 0.1 "
                "of them is what 1 was");
        if (strcmp(s->name, "tolerance_mm") != 0)
            return error_set(err, E_USAGE, "log has no parameter '%s'; there is 'tolerance_mm'",
                             s->name);
        if (!number_parse(s->value, strlen(s->value), &value) || value < 0)
            return error_set(err, E_USAGE, "log.tolerance_mm needs a number, 0 or more, not '%s'",
                             s->value);
        *tolerance = keyframe_scale_of(value);
    }
    return OK;
}

// ---- Loading

plan_names scenario_robot_names(void) {
    static const char *const actions[] = {
#define ACTION(name, deadline_s, doc) #name,
#include "projector/robot/actions.def"
        NULL};
    static const char *const action_keys[] = {
#define ARGUMENT(action, key, required, doc) (required) ? "!" #action "." #key : #action "." #key,
#include "projector/robot/actions.def"
        NULL};
    static const char *const failures[] = {
#define FAILURE(name, parent) #name,
#include "projector/robot/failures.def"
#undef FAILURE
        NULL};
    static const char *const parents[] = {
#define FAILURE(name, parent) parent,
#include "projector/robot/failures.def"
#undef FAILURE
    };
    static const char *const signals[] = {
#define FAILS(action, class) #action "." #class,
#include "projector/robot/actions.def"
        NULL};
    // Functions with arguments are listed too; as symbols they mean nothing.
    static const char *const functions[] = {
#define FUNCTION(name, arity, doc) #name,
#include "projector/robot/actions.def"
        NULL};
    static const char *const places[] = {
#define PLACE_PROPERTY(name, least, most, doc) #name,
#define PLACE_RELATION(name, doc) #name,
#include "projector/belief/places.def"
        NULL};
    static const char *const conditions[] = {
#define CONDITION(id, name, least, most, doc) name,
#include "projector/interp/functions.def"
#define OCCASION(name, arity, doc) #name,
#include "projector/belief/occasions.def"
#define PLACE_RELATION(name, doc) #name,
#include "projector/belief/places.def"
        NULL};
    static const char *const calls[] = {
#define FUNCTION(id, name, least, most, doc) name,
#include "projector/interp/functions.def"
#define FUNCTION(name, arity, doc) #name,
#include "projector/robot/actions.def"
        NULL};
    static const char *const targets[] = {
#define TARGET(action, form, doc) #action "." form,
#include "projector/robot/actions.def"
        NULL};
    static const char *const numbers[] = {
#define NUMBER(key, bound) #key " " bound,
#include "projector/robot/actions.def"
        NULL};
    static const plan_limit bounds[] = {
#define LIMIT(action, key, least, most, unit) {#action, #key, NULL, least, most, unit},
#include "projector/robot/actions.def"
        {0}};
    static const char *const words[] = {
#define WORD(key, form, words) #key " " #form " " words,
#include "projector/robot/actions.def"
        NULL};
    static const char *const rows[] = {
#define ROWS(key, row) #key " " row,
#include "projector/robot/actions.def"
        NULL};
    static const char *const told[] = {
#define TOLD(name, arity) #name "/" #arity,
#include "projector/belief/occasions.def"
        NULL};
    static const char *const stepwise[] = {
#define STEPWISE(name) #name,
#include "projector/belief/occasions.def"
        NULL};
    return (plan_names){.actions = actions,
                        .told = told,
                        .stepwise = stepwise,
                        .conditions = conditions,
                        .calls = calls,
                        .targets = targets,
                        .numbers = numbers,
                        .bounds = bounds,
                        .words = words,
                        .rows = rows,
                        .arguments = action_keys,
                        .failures = failures,
                        .parents = parents,
                        .functions = functions,
                        .places = places,
                        .signals = signals};
}

// Returns the properties of all types and of bodies: of all of them, or of those that are known
// beforehand.
static const char *const *body_properties(arena *a, const world_model *w, bool all_bodies) {
    size_t room = 2, n = 0;
    for (size_t i = 0; i < w->type_count; i++)
        room += w->types[i].property_count;
    for (size_t i = 0; i < w->body_count; i++)
        room += w->bodies[i].property_count;
    const char **all = arena_alloc(a, room * sizeof *all);
    all[n++] = "tag";
    for (size_t i = 0; i < w->type_count; i++)
        for (size_t k = 0; k < w->types[i].property_count; k++)
            all[n++] = w->types[i].properties[k].key;
    for (size_t i = 0; i < w->body_count; i++)
        for (size_t k = 0; (all_bodies || w->bodies[i].known) && k < w->bodies[i].property_count;
             k++)
            all[n++] = w->bodies[i].properties[k].key;
    return all;
}

static const char *const *known_colors(arena *a) {
    size_t count;
    const named_color *colors = world_colors(&count);
    const char **all = arena_alloc(a, (count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = colors[i].name;
    return all;
}

static const char *const *known_arms(arena *a, const robot_model *r) {
    const char **all = arena_alloc(a, (2 * r->arm_count + 1) * sizeof *all);
    for (size_t i = 0; i < r->arm_count; i++) {
        all[i] = r->arms[i].name;
        all[r->arm_count + i] = r->arms[i].gripper.name;
    }
    return all;
}

// Fills in what the robot's own numbers allow its actions.
static void known_limits(arena *a, const robot_model *r, plan_names *names) {
    plan_limit *all = arena_alloc(a, (4 * r->arm_count + 1) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < r->arm_count; i++) {
        const robot_gripper *g = &r->arms[i].gripper;
        const char *const arms[] = {r->arms[i].name, g->name};
        for (int k = 0; k < 2; k++) {
            all[n++] = (plan_limit){"open_gripper", "opening", arms[k], 0, g->max_opening, "m"};
            all[n++] = (plan_limit){"close_gripper", "force", arms[k], 0, g->max_force, "N"};
        }
    }
    if (r->torso >= 0) {
        const robot_joint *j = &r->joints[r->torso];
        all[n++] = (plan_limit){"move_torso", "to", NULL, j->lower, j->upper, "m"};
    }
    names->limits = all;
    names->limit_count = n;
}

// Returns the names that plans may use, as NULL-terminated lists in the arena. Without a world
// objects, regions and types are unknown; without a robot its arms are.
static plan_names known_names(arena *a, const world_model *w, const robot_model *r) {
    plan_names names = scenario_robot_names();
    if (r) {
        names.arms = known_arms(a, r);
        known_limits(a, r, &names);
    }
    if (!w)
        return names;
    const char **objects = arena_alloc(a, (w->body_count + 1) * sizeof *objects);
    const char **regions = arena_alloc(a, (w->region_count + 1) * sizeof *regions);
    const char **types = arena_alloc(a, (w->type_count + 1) * sizeof *types);
    const char **bodies = arena_alloc(a, (w->body_count + 1) * sizeof *bodies);
    size_t n = 0, m = 0;
    for (size_t i = 0; i < w->body_count; i++)
        if (!w->bodies[i].particle)
            bodies[m++] = w->bodies[i].name;
    for (size_t i = 0; i < w->body_count; i++)
        if (w->bodies[i].known)
            objects[n++] = w->bodies[i].name;
    for (size_t i = 0; i < w->region_count; i++)
        regions[i] = w->regions[i].name;
    for (size_t i = 0; i < w->type_count; i++)
        types[i] = w->types[i].name;
    names.objects = objects;
    names.bodies = bodies;
    names.regions = regions;
    names.types = types;
    names.properties = body_properties(a, w, false);
    names.truths = body_properties(a, w, true);
    names.colors = known_colors(a);
    return names;
}

static char *folder_of(arena *a, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return arena_strdup(a, ".");
    return arena_copy(a, path, slash == path ? 1 : (size_t)(slash - path));
}

// Returns the first status that is not OK.
static status first_fault(status a, status b) {
    return a != OK ? a : b;
}

static void add_alone(scenario *s) {
    s->members = arena_alloc(s->arena, sizeof *s->members);
    s->member_count = 1;
    *s->members = (scenario_member){
        .plan = s->plan, .robot = s->robot, .at = s->world ? s->world->robot_at : POSE_IDENTITY};
}

// Checks the plans that were read for one of several robots alone, and the arms that the scenario's
// own names, by the robot that runs it.
static status check_own_plans(const scenario *s, errors *list) {
    status st = OK;
    for (size_t i = 0; i < s->member_count && list->count == 0; i++) {
        const scenario_member *m = &s->members[i];
        if (!m->plan || !m->robot || (i == 0 && m->plan == s->plan))
            continue;
        plan_names names = known_names(s->arena, s->world, m->robot);
        st = first_fault(st, plan_check(m->plan, &names, list));
    }
    return st;
}

status scenario_load_from(const file_set *files, const char *plan_path, const char *world,
                          const char *robot, const settings *set, scenario *out, errors *list) {
    scenario s = {.arena = arena_create(), .tolerance = 1};
    settings all = {
        0}; // the plan's own settings come first, so that those of the command line take precedence
    char library[4096];
    error err = {0};
    status st = data_folder("plans", library, sizeof library, &err);
    if (st != OK) {
        errors_append(list, &err);
        goto done;
    }
    // The text of a plan that is not written yet stands in for its file; the files that it names
    // are on disk.
    bool unwritten = files && files->over_disk;
    const char *shipped = !files || unwritten || files->edited ? library : NULL;
    // Everything that can be read is read, so that all mistakes are reported at once.
    plan_names names = scenario_robot_names();
    st = plan_read_from(files, plan_path, shipped, set, &names, &s.plan, list);
    if (!s.plan)
        goto done;
    if (st == OK && !plan_body(s.plan)) {
        errors_add(list, plan_path, 1, 1, "these are routines alone; a plan has a body:");
        st = E_INPUT;
        goto done;
    }
    const settings *own = plan_settings(s.plan);
    for (size_t i = 0; own && i < own->count; i++)
        array_push(&all, own->items[i]);
    for (size_t i = 0; i < set->count; i++)
        array_push(&all, set->items[i]);
    st = first_fault(st, members_check_scopes(s.plan, set, list));
    if (set_log(&all, &s.tolerance, &err) != OK) {
        errors_append(list, &err);
        st = first_fault(st, err.code);
    }
    // A world that the plan names and that is not there is an error of the plan's line; all else is
    // checked as far as it goes without it.
    bool there = files || !s.plan || plan_check_scene(s.plan, !world, !robot, list) == OK;
    bool several = plan_member_count(s.plan) > 0;
    if (!there)
        st = first_fault(st, E_INPUT);
    if (!world)
        world = plan_world(s.plan);
    // A log says which robots there were, and its plan says it, too.
    if (several && robot && !files) {
        error_set(
            &err, E_USAGE,
            "--robot %s is for plans with one robot; this plan says under robots: which there "
            "are",
            robot);
        errors_append(list, &err);
        st = first_fault(st, E_USAGE);
    }
    if (several || !robot)
        robot = several ? NULL : plan_robot(s.plan);
    if (!there) {
        world = world && files_exist(NULL, world) ? world : NULL;
        robot = robot && files_exist(NULL, robot) ? robot : NULL;
    }
    // A file without a body is no plan, or is too damaged to name its world and robot.
    if (there && (!world || (!robot && !several)) && (st == OK || plan_body(s.plan))) {
        errors_add(list, plan_path, 0, 0, "the plan names no %s; give one with --%s",
                   world ? "robot" : "world", world ? "robot" : "world");
        errors_mark(list, ERROR_MISSING); // where `projection` is misspelt
        st = first_fault(st, E_INPUT);
    }
    const char *base = folder_of(s.arena, plan_path);
    if (unwritten)
        files = NULL;
    s.world_path = world ? arena_strdup(s.arena, world) : NULL;
    if (world)
        st = first_fault(st, world_load_from(files, world, base, &all, &s.world, list));
    if (robot)
        st = first_fault(st, robot_load_from(files, robot, base, &all, &s.robot, list));
    const members_request q = {.files = files,
                               .library = shipped,
                               .plan_path = plan_path,
                               .base = base,
                               .own = plan_settings(s.plan),
                               .set = set};
    if (several && there)
        st = first_fault(st, members_load(&s, &q, list));
    else if (s.robot)
        add_alone(&s);
    names = known_names(s.arena, s.world, s.robot);
    st = first_fault(st, plan_check(s.plan, &names, list));
    st = first_fault(st, check_own_plans(&s, list));
done:
    array_finish(&all);
    if (st != OK)
        scenario_finish(&s);
    else
        *out = s;
    return st;
}

status scenario_load(const char *plan_path, const char *world, const char *robot,
                     const settings *set, scenario *out, errors *list) {
    return scenario_load_from(NULL, plan_path, world, robot, set, out, list);
}

status scenario_check(const scenario *s, errors *list) {
    error err = {0};
    projection_member *room;
    projection_inputs in;
    scenario_inputs(s, &room, &in);
    status st = projection_check(&in, &err);
    free(room);
    if (st != OK && err.file[0])
        errors_append(list, &err); // it has a place in the world's file, or in the plan
    else if (st != OK)
        errors_add(list, s->world_path, 0, 0, "%s", err.text);
    return st;
}

void scenario_finish(scenario *s) {
    array_finish(&s->conditions);
    if (s->member_count == 0)
        robot_destroy(s->robot);
    members_finish(s);
    plan_destroy(s->plan);
    world_destroy(s->world);
    arena_destroy(s->arena);
    *s = (scenario){0};
}

void scenario_stem(const char *path, char *stem, size_t size) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    snprintf(stem, size, "%.*s", (int)length, name);
}

// ---- Projecting

static const char *source_name(const world_source *sources, size_t count, const char *kind) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(sources[i].kind, kind) == 0)
            return sources[i].name;
    return NULL;
}

static status judge_episode(const char *path, int64_t episode, bool *succeeded, error *err) {
    ask *log = NULL;
    status st = shipped_ask(path, episode, &log, err);
    if (st == OK)
        st = outcome_judge(log, succeeded, err);
    ask_close(log);
    return st;
}

void scenario_options(const scenario *s, projection_options *how) {
    how->tolerance = s->tolerance;
    how->conditions = s->conditions.count ? &s->conditions : NULL;
}

status scenario_allowed(const scenario *s, const projection_options *how, error *err) {
    const world_ensemble *e = &s->world->ensemble;
    for (size_t i = 0; i < e->model_count; i++)
        if (e->models[i].file && !how->native)
            return error_at(err, E_INPUT, e->models[i].at.file, e->models[i].at.line,
                            e->models[i].at.column,
                            "the model `%s` is code that somebody else compiled; 'foresee run "
                            "--native' runs it, with your rights",
                            e->models[i].name);
    return OK;
}

status scenario_begin(const scenario *s, const projection_options *how, logger *log, error *err) {
    status st = scenario_allowed(s, how, err);
    if (st != OK)
        return st;
    episode_info info = {.plan = s->plan_name                 ? s->plan_name
                                 : plan_source_count(s->plan) ? plan_source_at(s->plan, 0)->name
                                                              : NULL,
                         .world = source_name(s->world->sources, s->world->source_count, "world"),
                         .robot = source_name(s->robot->sources, s->robot->source_count, "robot"),
                         .seed = (int64_t)how->seed,
                         .version = FORESEE_VERSION,
                         .step = how->step,
                         .cycle = how->cycle};
    return log_begin_episode(log, &info, err);
}

status scenario_run(const scenario *s, sink *log, const projection_options *how,
                    projection_result *result, error *err) {
    projection_member *room;
    projection_inputs in;
    scenario_inputs(s, &room, &in);
    status st = projection_run_several(&in, log, how, result, err);
    free(room);
    return st;
}

status scenario_coupled(const scenario *s, uint64_t *session, error *err) {
    projection_member *room;
    projection_inputs in;
    if (!s->coupled)
        return error_set(err, E_INPUT,
                         "no arm of this plan follows a station, whose end could be in another "
                         "process; see teleoperation: in docs/twins.md");
    scenario_inputs(s, &room, &in);
    *session = teleoperation_session(&in);
    free(room);
    return OK;
}

status scenario_serve(const scenario *s, lockstep *link, error *err) {
    projection_member *room;
    projection_inputs in;
    scenario_inputs(s, &room, &in);
    status st = teleoperation_serve(&in, link, err);
    free(room);
    return st;
}

// Goals are judged by the engine from the committed log, so the outcome is only known now.
static status judge_top(const char *path, sample *out, error *err) {
    bool succeeded = false;
    status st = judge_episode(path, out->episode, &succeeded, err);
    if (st == OK)
        st = log_judge(path, out->episode, succeeded ? "succeeded" : "failed", err);
    if (st == OK)
        out->outcome = succeeded ? "succeeded" : "failed";
    return st;
}

status scenario_end(logger **log, const char *path, status run, const projection_result *result,
                    sample *out, error *err) {
    out->episode = log_episode(*log);
    out->end = result->end;
    out->wall_seconds = result->wall_seconds;
    status st = run;
    bool whole = run == OK && result->complete;
    // Of other failures what was committed stays in the log, marked incomplete.
    if (run == OK || run == E_DIVERGED || run == E_INTERRUPTED) {
        out->outcome = run == E_DIVERGED   ? "invalid"
                       : !whole            ? "incomplete"
                       : !result->top_done ? "failed"
                                           : "unjudged";
        error late = {0};
        status end = log_finish(*log, result->end, out->outcome, whole && !result->top_done, &late);
        if (end != OK) {
            st = end;
            whole = false;
            if (err)
                *err = late;
        }
    }
    log_close(*log);
    *log = NULL;
    return whole && result->top_done ? judge_top(path, out, err) : st;
}

status scenario_project(const scenario *s, const char *path, const log_options *options,
                        const projection_options *how, sample *out, error *err) {
    logger *log = NULL;
    projection_options po = *how;
    scenario_options(s, &po);
    status st = scenario_allowed(s, &po, err);
    if (st == OK)
        st = log_create(path, options, &log, err);
    if (st != OK)
        return st;
    st = scenario_begin(s, &po, log, err);
    if (st != OK) {
        log_close(log);
        return st;
    }
    projection_result result = {0};
    st = scenario_run(s, log_sink(log), &po, &result, err);
    return scenario_end(&log, path, st, &result, out, err);
}

// cli/commands/show.c - foresee show: a picture of a world, or of a log at an instant; several
// instants are drawn by series.c.
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/files/data.h"
#include "base/text/number.h"
#include "base/files/output.h"
#include "cli/commands/commands.h"
#include "cli/commands/film.h"
#include "cli/commands/series.h"
#include "cli/runs/kind.h"
#include "cli/runs/scenario.h"
#include "report/picture/stage.h"

#define LATEST 1e7 // s: no episode lasts longer
enum { PICTURE_SIDE_MIN = 64, PICTURE_SIDE_MAX = 8192 };

// Reads a point: "1.5,2,0.8".
static bool parse_point(const char *text, vec3 *out) {
    double n[3];
    for (int i = 0; i < 3; i++) {
        size_t length = strcspn(text, ",");
        if ((i < 2) != (text[length] == ',') || !number_parse(text, length, &n[i]) ||
            !isfinite(n[i]) || fabs(n[i]) > 1e6)
            return false;
        text += length + 1;
    }
    *out = v3(n[0], n[1], n[2]);
    return true;
}

static status read_size(const arguments *a, picture_options *o, error *err) {
    const char *text = arguments_value(a, "size");
    int end = 0;
    if (text && (sscanf(text, "%5dx%5d%n", &o->width, &o->height, &end) != 2 || text[end] ||
                 o->width < PICTURE_SIDE_MIN || o->height < PICTURE_SIDE_MIN ||
                 o->width > PICTURE_SIDE_MAX || o->height > PICTURE_SIDE_MAX))
        return error_set(err, E_USAGE, "--size needs WIDTHxHEIGHT, %d to %d pixels each, not '%s'",
                         PICTURE_SIDE_MIN, PICTURE_SIDE_MAX, text);
    return OK;
}

status show_view(const arguments *a, const stage *s, picture_options *o, error *err) {
    const char *from = arguments_value(a, "from"), *to = arguments_value(a, "to"),
               *follow = arguments_value(a, "follow");
    vec3 half = v3(0, 0, 0);
    status st = OK;
    if (from && !parse_point(from, &o->from))
        return error_set(err, E_USAGE, "--from needs X,Y,Z in metres, not '%s'", from);
    o->has_from = from;
    o->top = arguments_given(a, "top");
    o->whole = arguments_given(a, "whole");
    if (from && o->top)
        return error_set(err, E_USAGE, "give either --from or --top");
    if (!!to + !!follow + o->whole > 1)
        return error_set(err, E_USAGE, "give one of --to, --follow and --whole");
    if (follow)
        st = stage_find(s, follow, &o->to, &half, err);
    else if (to && !o->has_to && !parse_point(to, &o->to))
        st = stage_find(s, to, &o->to, &half, err);
    o->has_to = o->has_to || to || follow;
    o->around = v3(fmax(o->around.x, half.x), fmax(o->around.y, half.y), fmax(o->around.z, half.z));
    return st;
}

static status load_world(const arguments *a, const char *path, file_kind kind, scenario *scene,
                         errors *list) {
    settings set = {0};
    error err = {0};
    const char *robot = arguments_value(a, "robot");
    arena *memory = arena_create();
    status st = scenario_settings(a, memory, &set, &err);
    if (st != OK)
        errors_append(list, &err);
    else if (kind == FILE_PLAN) {
        st = scenario_load(path, NULL, robot, &set, scene, list);
    } else if (kind == FILE_ROBOT) {
        st = robot_load(path, NULL, &set, &scene->robot, list);
    } else {
        st = world_load(path, NULL, &set, &scene->world, list);
        if (st == OK && robot)
            st = robot_load(robot, NULL, &set, &scene->robot, list);
    }
    array_finish(&set);
    arena_destroy(memory);
    return st;
}

static void stage_scene(stage *s, const scenario *scene) {
    bool several = scene->member_count > 1 || (scene->member_count == 1 && scene->members->name);
    stage_world(s, scene->world, several ? NULL : scene->robot);
    for (size_t i = 0; several && i < scene->member_count; i++) {
        const scenario_member *m = &scene->members[i];
        stage_robot(s, m->robot, m->name, m->at);
    }
}

static status read_instant(const arguments *a, const char *name, nanos *at, error *err) {
    const char *text = arguments_value(a, name);
    double value;
    if (!text)
        return OK;
    if (!number_parse(text, strlen(text), &value) || !(value >= 0) || value > LATEST)
        return error_set(err, E_USAGE, "--%s needs seconds from 0 to %.0f, not '%s'", name, LATEST,
                         text);
    *at = nanos_from_seconds(value);
    return OK;
}

// Reads which instants of an episode are shown.
static status read_series(const arguments *a, series *s, error *err) {
    const char *speed = arguments_value(a, "speed"), *output = arguments_value(a, "output");
    size_t length = strlen(output);
    int64_t rate = 10;
    s->output = output;
    s->film = film_format(output);
    s->frames = length > 1 && output[length - 1] == '/';
    s->until = TIME_OPEN;
    s->speed = 1;
    status st = option_integer(a, "strip", 1, SERIES_STRIP_MAX, &s->strip, err);
    if (st == OK && s->strip > 0 && (s->film || s->frames))
        st = error_set(err, E_USAGE, "a strip is a picture: let the name %s end in .png", output);
    if (st == OK)
        st = option_integer(a, "rate", 1, 60, &rate, err);
    s->rate = (int)rate;
    if (st == OK && speed &&
        (!number_parse(speed, strlen(speed), &s->speed) || !(s->speed >= 0.01) || s->speed > 1000))
        st = error_set(err, E_USAGE, "--speed needs a number from 0.01 to 1000, not '%s'", speed);
    if (st == OK)
        st = read_instant(a, "since", &s->from, err);
    if (st == OK)
        st = read_instant(a, "at", &s->until, err);
    const char *const only[] = {"since", "rate", "speed"};
    for (size_t i = s->film || s->frames ? 3 : 0; i < 3 && st == OK; i++)
        if (arguments_given(a, only[i]) && !(i == 0 && s->strip > 0))
            st = error_set(err, E_USAGE, "--%s is for films: -o FILM.mp4, FILM.webm or FOLDER/",
                           only[i]);
    return st;
}

// Returns an option that does not apply to this kind of file; NULL: none was given.
static const char *misplaced_option(const arguments *a, file_kind kind) {
    static const char *const of_logs[] = {"at",     "episode", "belief", "levels", "strip",
                                          "follow", "since",   "rate",   "speed",  NULL};
    static const char *const of_worlds[] = {"robot", "set", NULL};
    return arguments_first(a, kind == FILE_LOG ? of_worlds : of_logs);
}

static bool holds_picture(const void *context, const char *path) {
    (void)context;
    return output_begins(path, "\x89PNG\r\n\x1a\n", 8);
}

// Refuses names that promise another kind of file.
static status check_name(const char *path, file_kind kind, error *err) {
    static const char *const others[] = {".jpg", ".jpeg", ".gif", ".webp", ".svg",
                                         ".bmp", ".pdf",  ".avi", ".mkv",  ".mov"};
    const char *end = strrchr(path, '.');
    for (size_t i = 0; end && i < sizeof others / sizeof *others; i++)
        if (strcasecmp(end, others[i]) == 0)
            return error_set(err, E_USAGE,
                             "show writes PNG pictures: let the name %s end in .png; films end in "
                             ".mp4 or .webm",
                             path);
    if (film_format(path) && kind != FILE_LOG)
        return error_set(err, E_USAGE, "a film shows an episode of a log, not %s",
                         file_kind_name(kind));
    return OK;
}

static status write_picture(const stage *s, const picture_options *o, const char *path,
                            const output_policy *over, error *err) {
    text_buffer png = {0};
    status st = picture_draw(s->things.items, s->things.count, o, &png, err);
    if (st == OK)
        st = output_write(&(output_file){path, png.items, png.count, over}, 1, true, err);
    text_finish(&png);
    return st;
}

int command_show(const arguments *a) {
    const char *output = arguments_value(a, "output");
    if (a->operands.count != 1)
        return cli_usage(a, "show needs one world, plan or log, %zu were given", a->operands.count);
    if (!output)
        return cli_usage(a, "show needs -o PICTURE.png");
    const char *path = a->operands.items[0];
    file_kind kind = FILE_UNKNOWN;
    errors list = {0};
    if (file_kind_find(path, &kind, &list) != OK)
        return cli_errors(&list);
    if (kind != FILE_LOG && kind != FILE_WORLD && kind != FILE_PLAN && kind != FILE_ROBOT)
        return cli_usage(a, "%s is %s; show draws worlds, robots, plans and logs", path,
                         file_kind_name(kind));
    if (misplaced_option(a, kind))
        return cli_usage(a, "--%s says nothing of %s", misplaced_option(a, kind),
                         file_kind_name(kind));

    error err = {0};
    picture_options o = picture_options_default();
    series instants = {.log = path};
    int64_t episode = 0;
    char rules[4096];
    bool belief = arguments_given(a, "belief");
    const char *read[] = {path, arguments_value(a, "robot")};
    const output_policy over = {.what = "PNG picture",
                                .replaces = holds_picture,
                                .inputs = read,
                                .input_count = read[1] ? 2 : 1};
    status st = check_name(output, kind, &err);
    if (st == OK)
        st = read_series(a, &instants, &err);
    bool several = instants.strip > 0 || instants.film || instants.frames;
    if (st == OK && !instants.film && !instants.frames)
        st = output_check(output, &over, &err);
    if (st == OK)
        st = read_size(a, &o, &err);
    if (st == OK)
        st = option_episode(a, false, &episode, &err);
    if (st == OK && belief)
        st = data_folder("predicates", rules, sizeof rules, &err);
    instants.episode = episode;
    instants.rules = belief ? rules : NULL;
    if (st == OK && several)
        st = series_write(&instants, a, &o, &over, &err);
    if (st != OK || several)
        return st == OK ? EXIT_YES : cli_error(&err);

    stage s;
    scenario scene = {0};
    stage_init(&s);
    s.levels = arguments_given(a, "levels");
    if (kind == FILE_LOG) {
        st = stage_log(&s, path, episode, instants.until, instants.rules, &err);
    } else {
        st = load_world(a, path, kind, &scene, &list);
        if (st == OK && kind == FILE_ROBOT)
            stage_robot(&s, scene.robot, NULL, POSE_IDENTITY);
        else if (st == OK)
            stage_scene(&s, &scene);
    }
    if (st == OK && s.things.count == 0)
        st = error_at(&err, E_INPUT, path, 0, 0, "there is nothing to draw: no bodies%s",
                      kind == FILE_WORLD ? "; is this a part, which worlds `use`?" : "");
    if (st == OK)
        st = show_view(a, &s, &o, &err);
    o.caption = s.caption;
    o.key = s.key.items, o.key_count = s.key.count;
    if (st == OK)
        st = write_picture(&s, &o, output, &over, &err);
    if (st == OK && s.missing_meshes)
        cli_print(stderr, "note: %zu meshes are drawn as boxes: their files are not at hand\n",
                  s.missing_meshes);
    stage_finish(&s);
    if (kind == FILE_PLAN && scene.plan) {
        scenario_finish(&scene);
    } else {
        world_destroy(scene.world);
        robot_destroy(scene.robot);
    }
    if (list.count > 0)
        return cli_errors(&list);
    return st == OK ? EXIT_YES : cli_error(&err);
}

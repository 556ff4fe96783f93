// cli/commands/show.c - foresee show: a picture of a world, or of a log at an instant.
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/files/data.h"
#include "base/text/number.h"
#include "base/files/output.h"
#include "cli/commands/commands.h"
#include "cli/runs/kind.h"
#include "cli/runs/scenario.h"
#include "report/picture/stage.h"

#define LATEST 1e7 // s: no episode lasts longer
enum { PICTURE_SIDE_MIN = 64, PICTURE_SIDE_MAX = 8192, STRIP_MAX = 64 };

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

// Reads the viewpoint; things that it names must be on the stage already.
static status read_view(const arguments *a, const stage *s, picture_options *o, error *err) {
    const char *from = arguments_value(a, "from"), *to = arguments_value(a, "to");
    if (from && !parse_point(from, &o->from))
        return error_set(err, E_USAGE, "--from needs X,Y,Z in metres, not '%s'", from);
    o->has_from = from;
    o->top = arguments_given(a, "top");
    if (from && o->top)
        return error_set(err, E_USAGE, "give either --from or --top");
    o->has_to = to;
    if (to && !parse_point(to, &o->to))
        return stage_find(s, to, &o->to, err);
    return OK;
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

static status read_instant(const arguments *a, nanos *at, error *err) {
    const char *text = arguments_value(a, "at");
    double value;
    if (!text)
        return OK;
    if (!number_parse(text, strlen(text), &value) || !(value >= 0) || value > LATEST)
        return error_set(err, E_USAGE, "--at needs seconds from 0 to %.0f, not '%s'", LATEST, text);
    *at = nanos_from_seconds(value);
    return OK;
}

// Returns an option that does not apply to this kind of file; NULL: none was given.
static const char *misplaced_option(const arguments *a, file_kind kind) {
    static const char *const of_logs[] = {"at", "episode", "belief", "levels", "strip", NULL};
    static const char *const of_worlds[] = {"robot", "set", NULL};
    for (const char *const *name = kind == FILE_LOG ? of_worlds : of_logs; *name; name++)
        if (arguments_given(a, *name))
            return *name;
    return NULL;
}

static bool holds_picture(const void *context, const char *path) {
    (void)context;
    return output_begins(path, "\x89PNG\r\n\x1a\n", 8);
}

// Refuses names that promise another kind of file.
static status check_name(const char *path, error *err) {
    static const char *const others[] = {".jpg", ".jpeg", ".gif", ".webp", ".svg",
                                         ".bmp", ".pdf",  ".mp4", ".webm"};
    const char *end = strrchr(path, '.');
    for (size_t i = 0; end && i < sizeof others / sizeof *others; i++)
        if (strcasecmp(end, others[i]) == 0)
            return error_set(err, E_USAGE, "show writes PNG pictures: let the name %s end in .png",
                             path);
    return OK;
}

static status write_file(const text_buffer *png, const char *path, const output_policy *over,
                         error *err) {
    const output_file file = {path, png->items, png->count, over};
    return output_write(&file, 1, true, err);
}

static status write_picture(const stage *s, const picture_options *o, const char *path,
                            const output_policy *over, error *err) {
    text_buffer png = {0};
    status st = picture_draw(s->things.items, s->things.count, o, &png, err);
    if (st == OK)
        st = write_file(&png, path, over, err);
    text_finish(&png);
    return st;
}

// Draws instants of an episode, from its start on in equal steps up to `last` (TIME_OPEN: its end),
// into one picture.
static status write_strip(const arguments *a, const char *log, int64_t episode, nanos last,
                          int64_t count, const char *rules, picture_options *o, const char *path,
                          const output_policy *over, error *err) {
    text_buffer parts[STRIP_MAX] = {{0}}, png = {0};
    status st = OK;
    if (last == TIME_OPEN)
        st = stage_end(log, episode, &last, err);
    o->width /= 2;
    o->height /= 2;
    for (int64_t i = 0; i < count && st == OK; i++) {
        stage s;
        stage_init(&s);
        s.levels = arguments_given(a, "levels");
        st = stage_log(&s, log, episode, count > 1 ? last * i / (count - 1) : last, rules, err);
        if (st == OK)
            st = read_view(a, &s, o, err);
        o->caption = s.caption;
        o->key = s.key.items, o->key_count = s.key.count;
        if (st == OK)
            st = picture_draw(s.things.items, s.things.count, o, &parts[i], err);
        stage_finish(&s);
    }
    if (st == OK)
        st = picture_join(parts, (size_t)count, &png, err);
    if (st == OK)
        st = write_file(&png, path, over, err);
    for (int64_t i = 0; i < count; i++)
        text_finish(&parts[i]);
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
    int64_t episode = 0, strip = 0;
    nanos at = TIME_OPEN;
    char rules[4096];
    bool belief = arguments_given(a, "belief");
    const char *read[] = {path, arguments_value(a, "robot")};
    const output_policy over = {.what = "PNG picture",
                                .replaces = holds_picture,
                                .inputs = read,
                                .input_count = read[1] ? 2 : 1};
    status st = check_name(output, &err);
    if (st == OK)
        st = output_check(output, &over, &err);
    if (st == OK)
        st = read_size(a, &o, &err);
    if (st == OK)
        st = option_episode(a, false, &episode, &err);
    if (st == OK)
        st = read_instant(a, &at, &err);
    if (st == OK)
        st = option_integer(a, "strip", 1, STRIP_MAX, &strip, &err);
    if (st == OK && belief)
        st = data_folder("predicates", rules, sizeof rules, &err);
    if (st == OK && strip > 0)
        st = write_strip(a, path, episode, at, strip, belief ? rules : NULL, &o, output, &over,
                         &err);
    if (st != OK || strip > 0)
        return st == OK ? EXIT_YES : cli_error(&err);

    stage s;
    scenario scene = {0};
    stage_init(&s);
    s.levels = arguments_given(a, "levels");
    if (kind == FILE_LOG) {
        st = stage_log(&s, path, episode, at, belief ? rules : NULL, &err);
    } else {
        st = load_world(a, path, kind, &scene, &list);
        if (st == OK && kind == FILE_ROBOT)
            stage_robot(&s, scene.robot);
        else if (st == OK)
            stage_world(&s, scene.world, scene.robot);
    }
    if (st == OK && s.things.count == 0)
        st = error_at(&err, E_INPUT, path, 0, 0, "there is nothing to draw: no bodies%s",
                      kind == FILE_WORLD ? "; is this a part, which worlds `use`?" : "");
    if (st == OK)
        st = read_view(a, &s, &o, &err);
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

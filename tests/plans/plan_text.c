// tests/plans/plan_text.c - see plan_text.h.
#include "tests/plans/plan_text.h"
#include "tests/testlib.h"

static const char *const ACTIONS[] = {
#define ACTION(name, deadline_s, doc) #name,
#include "projector/robot/actions.def"
    NULL};
static const char *const ARGUMENTS[] = {
#define ARGUMENT(action, key, required, doc) (required) ? "!" #action "." #key : #action "." #key,
#include "projector/robot/actions.def"
    NULL};
static const char *const SIGNALLED[] = {
#define FAILS(action, class) #action "." #class,
#include "projector/robot/actions.def"
    NULL};
static const char *const FAILURES[] = {
#define FAILURE(name, parent) #name,
#include "projector/robot/failures.def"
#undef FAILURE
    NULL};
static const char *const PARENTS[] = {
#define FAILURE(name, parent) parent,
#include "projector/robot/failures.def"
#undef FAILURE
};
static const char *const FUNCTIONS[] = {
#define FUNCTION(name, arity, doc) #name,
#include "projector/robot/actions.def"
    NULL};
static const char *const PLACES[] = {
#define PLACE_PROPERTY(name, least, most, doc) #name,
#define PLACE_RELATION(name, doc) #name,
#include "projector/belief/places.def"
    NULL};
static const char *const CONDITIONS[] = {
#define CONDITION(id, name, least, most, doc) name,
#include "projector/interp/functions.def"
#define OCCASION(name, arity, doc) #name,
#include "projector/belief/occasions.def"
#define PLACE_RELATION(name, doc) #name,
#include "projector/belief/places.def"
    NULL};
static const char *const CALLS[] = {
#define FUNCTION(id, name, least, most, doc) name,
#include "projector/interp/functions.def"
#define FUNCTION(name, arity, doc) #name,
#include "projector/robot/actions.def"
    NULL};
static const char *const TARGETS[] = {
#define TARGET(action, form, doc) #action "." form,
#include "projector/robot/actions.def"
    NULL};
static const char *const WORDS[] = {
#define WORD(key, form, words) #key " " #form " " words,
#include "projector/robot/actions.def"
    NULL};
static const char *const NUMBERS[] = {
#define NUMBER(key, bound) #key " " bound,
#include "projector/robot/actions.def"
    NULL};
static const plan_limit BOUNDS[] = {
#define LIMIT(action, key, least, most, unit) {#action, #key, NULL, least, most, unit},
#include "projector/robot/actions.def"
    {0}};
static const char *const ROWS_OF[] = {
#define ROWS(key, row) #key " " row,
#include "projector/robot/actions.def"
    NULL};
static const char *const TOLDS[] = {
#define TOLD(name, arity) #name "/" #arity,
#include "projector/belief/occasions.def"
    NULL};
static const plan_limit LIMITS[] = {{"open_gripper", "opening", "left", 0, 0.12, "m"},
                                    {"open_gripper", "opening", "right", 0, 0.08, "m"},
                                    {"close_gripper", "force", "left", 0, 60, "N"},
                                    {"move_torso", "to", NULL, 0, 0.45, "m"}};
static const char *const PROPERTIES[] = {"tag", "owner", NULL};
static const char *const TRUTHS[] = {"tag", "owner", "author", NULL};
static const char *const ARMS[] = {"left", "right", "robot_left_gripper", "robot_right_gripper",
                                   NULL};
static const char *const OBJECTS[] = {"table_1", "counter_1", "shelf_1", "chair_1", NULL};
static const char *const REGIONS[] = {"place_1", "place_2", NULL};
static const char *const COLORS[] = {"red", "green", NULL};
static const char *const TYPES[] = {"plate", "cup", "tray", NULL};

#define OF_ROBOT                                                                                   \
    .actions = ACTIONS, .arguments = ARGUMENTS, .failures = FAILURES, .parents = PARENTS,          \
    .functions = FUNCTIONS, .places = PLACES, .signals = SIGNALLED, .conditions = CONDITIONS,      \
    .calls = CALLS, .targets = TARGETS, .words = WORDS, .rows = ROWS_OF, .numbers = NUMBERS,       \
    .bounds = BOUNDS, .told = TOLDS
const plan_names ROBOT_NAMES = {OF_ROBOT};
const plan_names SCENE_NAMES = {.objects = OBJECTS,
                                .regions = REGIONS,
                                .types = TYPES,
                                .colors = COLORS,
                                .properties = PROPERTIES,
                                .truths = TRUTHS,
                                .arms = ARMS,
                                .limits = LIMITS,
                                .limit_count = sizeof LIMITS / sizeof *LIMITS,
                                OF_ROBOT};

checked plan_text_check(const char *text, const char *routines, const plan_names *names,
                        const settings *set) {
    checked c = {.folder = testlib_folder()};
    char *path = testlib_write(c.folder, "plan.yaml", text);
    if (routines)
        free(testlib_write(c.folder, "mine.yaml", routines));
    errors list = {0};
    c.loaded = plan_read(path, FORESEE_SOURCE_DIR "/plans", set, names, &c.p, &list);
    if (c.p)
        c.checked = plan_check(c.p, names, &list);
    c.count = list.count;
    size_t length = 0;
    for (size_t k = 0; k < list.count && length < sizeof c.errors; k++) {
        const error *e = &list.items[k];
        const char *name = strrchr(e->file, '/');
        bool other = name && strcmp(name + 1, "plan.yaml") != 0;
        length +=
            (size_t)snprintf(c.errors + length, sizeof c.errors - length, "%s%s%d:%d: %s\n",
                             other ? name + 1 : "", other ? ":" : "", e->line, e->column, e->text);
    }
    errors_finish(&list);
    free(path);
    return c;
}

void plan_text_finish(checked *c) {
    plan_destroy(c->p);
    testlib_remove(c->folder);
}

void plan_text_expect(const char *text, const char *routines, const char *expected) {
    checked c = plan_text_check(text, routines, &SCENE_NAMES, NULL);
    size_t lines = 0;
    for (const char *line = expected; *line;) {
        size_t length = strcspn(line, "\n") + 1;
        char one[1024];
        snprintf(one, sizeof one, "%.*s", (int)length, line);
        const char *at = strstr(c.errors, one);
        if (!at || (at > c.errors && at[-1] != '\n'))
            fail_msg("expected\n%s\nin\n%s", one, c.errors);
        lines++;
        line += length;
    }
    if (lines != c.count)
        fail_msg("expected just\n%s\nnot\n%s", expected, c.errors);
    plan_text_finish(&c);
}

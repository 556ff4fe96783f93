// cli/check.c - foresee check: reads files of every kind and reports all mistakes.
#include <string.h>

#include "base/yaml_read.h"
#include "cli/scenario.h"
#include "report/rules.h"

typedef enum file_kind {
    FILE_RULES,
    FILE_PLAN,
    FILE_WORLD,
    FILE_ROBOT,
    FILE_LIBRARY,
    FILE_UNKNOWN
} file_kind;
static const char *const KIND_NAMES[] = {"rules", "plan", "world", "robot", "routines", "unknown"};

// What a file is: by its name where it ends in .dl, else by the key that every file of a kind has.
static status find_kind(const char *path, file_kind *kind, errors *list) {
    size_t n = strlen(path);
    *kind = FILE_UNKNOWN;
    if (n > 3 && strcmp(path + n - 3, ".dl") == 0) {
        *kind = FILE_RULES;
        return OK;
    }
    char *text = NULL;
    size_t length;
    error err = {0};
    status st = file_read(path, &text, &length, &err);
    if (st != OK) {
        errors_append(list, &err);
        return st;
    }
    arena *memory = arena_create();
    ynode *root = NULL;
    st = yaml_read(memory, path, text, length, &root, list);
    if (st == OK && root->kind == YNODE_MAPPING) {
        *kind = ynode_get(root, "plan")      ? FILE_PLAN
                : ynode_get(root, "world")   ? FILE_WORLD
                : ynode_get(root, "robot")   ? FILE_ROBOT
                : ynode_get(root, "library") ? FILE_LIBRARY
                                             : FILE_UNKNOWN;
    }
    if (st == OK && *kind == FILE_UNKNOWN) {
        errors_add(list, path, 1, 1,
                   "this is no plan, routine, world, robot or rule file: a plan has the key "
                   "'plan', routines 'library', a world 'world', a robot 'robot', and rule files "
                   "end in .dl");
        st = E_INPUT;
    }
    arena_destroy(memory);
    free(text);
    return st;
}

// Routines on their own: which objects there are only a plan's world says.
static status check_library(const char *path, errors *list) {
    plan *p = NULL;
    plan_names names = scenario_robot_names();
    status st = plan_read(path, NULL, NULL, &names, &p, list);
    if (p) {
        status checked = plan_check(p, &names, list);
        if (st == OK)
            st = checked;
    }
    plan_destroy(p);
    return st;
}

static status check_file(const char *path, file_kind *kind, errors *list) {
    const settings none = {0};
    status st = find_kind(path, kind, list);
    if (st != OK)
        return st;
    world_model *world = NULL;
    robot_model *robot = NULL;
    scenario scene = {0};
    char rules[4096];
    error err = {0};
    switch (*kind) {
    case FILE_RULES:
        st = cli_data_folder("predicates", rules, sizeof rules, &err);
        if (st != OK)
            errors_append(list, &err);
        else
            st = rules_check(rules, &path, 1, list);
        break;
    case FILE_PLAN:
        st = scenario_load(path, NULL, NULL, &none, &scene, list);
        if (st == OK)
            scenario_finish(&scene);
        break;
    case FILE_WORLD:
        st = world_load(path, NULL, &none, &world, list);
        world_destroy(world);
        break;
    case FILE_ROBOT:
        st = robot_load(path, NULL, &none, &robot, list);
        robot_destroy(robot);
        break;
    case FILE_LIBRARY:
        st = check_library(path, list);
        break;
    case FILE_UNKNOWN:
        break;
    }
    return st;
}

int command_check(const arguments *a) {
    if (a->operands.count == 0)
        return cli_usage(a, "check needs files");
    int result = EXIT_YES;
    for (size_t i = 0; i < a->operands.count; i++) {
        const char *path = a->operands.items[i];
        errors list = {0};
        file_kind kind = FILE_UNKNOWN;
        if (check_file(path, &kind, &list) != OK) {
            result = EXIT_WRONG;
            cli_errors(&list);
        } else if (!arguments_given(a, "quiet")) {
            printf("%s: %s, no mistakes\n", path, KIND_NAMES[kind]);
        }
        errors_finish(&list);
    }
    return result;
}

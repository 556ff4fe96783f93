// cli/commands/check.c - foresee check: reads files of every kind and reports all mistakes.
#include <string.h>

#include "base/files/data.h"
#include "cli/commands/commands.h"
#include "cli/runs/foreign_file.h"
#include "cli/runs/kind.h"
#include "cli/runs/scenario.h"
#include "report/rules.h"

// Checks routines by themselves, without a world that says which objects there are.
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

static void print_notes(const robot_model *r) {
    for (size_t i = 0; i < r->note_count; i++)
        cli_print(stdout, "%s:%d:%d: note: %s\n", r->notes[i].file, r->notes[i].line,
                  r->notes[i].column, r->notes[i].text);
}

// Checks a file of rules; warnings do not make it wrong.
static status check_rules(const char *folder, const char *path, bool quiet, errors *list,
                          text_buffer *declared) {
    errors warnings = {0};
    status st = rules_check(folder, &path, 1, list, &warnings, declared);
    for (size_t i = 0; i < warnings.count && !quiet; i++)
        cli_remark(&warnings.items[i], "warning");
    errors_finish(&warnings);
    return st;
}

static status check_file(const char *path, bool quiet, bool rehearse, file_kind *kind, errors *list,
                         text_buffer *declared) {
    const settings none = {0};
    status st = file_kind_find(path, kind, list);
    if (st != OK)
        return st;
    world_model *world = NULL;
    robot_model *robot = NULL;
    scenario scene = {0};
    char rules[4096];
    error err = {0};
    switch (*kind) {
    case FILE_RULES:
        st = data_folder("predicates", rules, sizeof rules, &err);
        if (st != OK)
            errors_append(list, &err);
        else
            st = check_rules(rules, path, quiet, list, declared);
        break;
    case FILE_PLAN:
        st = scenario_load(path, NULL, NULL, &none, &scene, list);
        if (st == OK) {
            st = scenario_check(&scene, list);
            scenario_finish(&scene);
        }
        break;
    case FILE_WORLD:
        st = world_load(path, NULL, &none, &world, list);
        world_destroy(world);
        break;
    case FILE_ROBOT:
        st = robot_load(path, NULL, &none, &robot, list);
        if (st == OK && !quiet)
            print_notes(robot);
        robot_destroy(robot);
        break;
    case FILE_LIBRARY:
        st = check_library(path, list);
        break;
    case FILE_FMU:
        st = foreign_file_check(path, rehearse, declared, &err);
        if (st != OK)
            errors_append(list, &err);
        break;
    case FILE_LOG:
        errors_add(list, path, 0, 0, "this is a log; ask it with 'foresee query'");
        st = E_INPUT;
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
    for (size_t i = 0; i < a->operands.count && !cli_stopped; i++) {
        const char *path = a->operands.items[i];
        errors list = {0};
        file_kind kind = FILE_UNKNOWN;
        text_buffer declared = {0};
        status st = check_file(path, arguments_given(a, "quiet"), arguments_given(a, "rehearse"),
                               &kind, &list, &declared);
        if (st != OK) {
            cli_errors(&list);
            bool limit = st == E_MEMORY || st == E_LIMIT;
            result = limit ? EXIT_NONE : result == EXIT_YES ? EXIT_WRONG : result;
        } else if (!arguments_given(a, "quiet")) {
            cli_print(stdout, "%s: %s, no mistakes\n", path, file_kind_name(kind));
            cli_show(stdout, declared.items, declared.count);
        }
        text_finish(&declared);
        errors_finish(&list);
    }
    return cli_stopped ? EXIT_INTERRUPTED : result;
}

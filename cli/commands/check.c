// cli/commands/check.c - foresee check: reads files of every kind and reports all mistakes.
#include <string.h>

#include "base/files/data.h"
#include "base/text/json.h"
#include "cli/commands/commands.h"
#include "cli/runs/foreign_file.h"
#include "cli/runs/kind.h"
#include "cli/runs/scenario.h"
#include "report/rules.h"

// What a check of one file found.
typedef struct findings {
    const char *path;
    file_kind kind;
    status result;
    errors mistakes, warnings, notes;
    text_buffer declared; // what a file of rules or an FMU declares
} findings;

static void findings_finish(findings *f) {
    errors_finish(&f->mistakes);
    errors_finish(&f->warnings);
    errors_finish(&f->notes);
    text_finish(&f->declared);
}

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

static status check_rules(findings *f) {
    char folder[4096];
    error err = {0};
    status st = data_folder("predicates", folder, sizeof folder, &err);
    if (st != OK) {
        errors_append(&f->mistakes, &err);
        return st;
    }
    return rules_check(folder, &f->path, 1, &f->mistakes, &f->warnings, &f->declared);
}

static status check_robot(findings *f) {
    const settings none = {0};
    robot_model *robot = NULL;
    status st = robot_load(f->path, NULL, &none, &robot, &f->mistakes);
    for (size_t i = 0; st == OK && i < robot->note_count; i++)
        errors_add(&f->notes, robot->notes[i].file, robot->notes[i].line, robot->notes[i].column,
                   "%s", robot->notes[i].text);
    robot_destroy(robot);
    return st;
}

static status check_fmu(findings *f, bool rehearse) {
    error err = {0};
    status st = foreign_file_check(f->path, rehearse, &f->declared, &err);
    if (st != OK)
        errors_append(&f->mistakes, &err);
    return st;
}

static status check_file(findings *f, bool rehearse) {
    const settings none = {0};
    const plan_names names = scenario_robot_names();
    status st = file_kind_find(f->path, &f->kind, &f->mistakes);
    if (st != OK)
        return st;
    world_model *world = NULL;
    scenario scene = {0};
    switch (f->kind) {
    case FILE_RULES:
        return check_rules(f);
    case FILE_PLAN:
        st = scenario_load(f->path, NULL, NULL, &none, &scene, &f->mistakes);
        if (st == OK) {
            st = scenario_check(&scene, &f->mistakes);
            const char *path = scene.world_path ? scene.world_path : f->path;
            plan_remarks(scene.plan, &names, &f->warnings);
            world_remarks(scene.world, path, &f->warnings);
            for (size_t i = 0; i < scene.member_count; i++)
                robot_remarks(scene.members[i].robot, scene.world, path, &f->warnings);
            scenario_finish(&scene);
        }
        return st;
    case FILE_WORLD:
        st = world_load(f->path, NULL, &none, &world, &f->mistakes);
        if (st == OK)
            world_remarks(world, f->path, &f->warnings);
        world_destroy(world);
        return st;
    case FILE_ROBOT:
        return check_robot(f);
    case FILE_LIBRARY:
        return check_library(f->path, &f->mistakes);
    case FILE_FMU:
        return check_fmu(f, rehearse);
    case FILE_LOG:
        errors_add(&f->mistakes, f->path, 0, 0, "this is a log; ask it with 'foresee query'");
        return E_INPUT;
    case FILE_UNKNOWN:
        break;
    }
    return st;
}

// ---- As text and as JSON ------------------------------------------------------------------------

static void print_text(findings *f, bool quiet) {
    for (size_t i = 0; i < f->warnings.count && !quiet; i++)
        cli_remark(&f->warnings.items[i], "warning");
    for (size_t i = 0; i < f->notes.count && !quiet; i++) {
        const error *n = &f->notes.items[i];
        cli_print(stdout, "%s:%d:%d: note: %s\n", n->file, n->line, n->column, n->text);
    }
    if (f->result != OK) {
        cli_errors(&f->mistakes);
    } else if (!quiet) {
        cli_print(stdout, "%s: %s, no mistakes\n", f->path, file_kind_name(f->kind));
        cli_show(stdout, f->declared.items, f->declared.count);
    }
}

static void put_messages(text_buffer *b, size_t *count, const errors *list, const char *severity) {
    for (size_t i = 0; i < list->count; i++) {
        const error *e = &list->items[i];
        text_put(b, (*count)++ ? ",\n        {" : "\n        {");
        json_member(b, "", "severity", severity);
        json_member(b, ", ", "file", e->file);
        text_add(b, ", \"line\": %d, \"column\": %d", e->line, e->column);
        json_member(b, ", ", "text", e->text);
        text_put(b, "}");
    }
}

static void put_json(text_buffer *b, findings *f) {
    size_t count = 0;
    errors_settle(&f->mistakes);
    text_put(b, "\n    { ");
    json_member(b, "", "file", f->path);
    json_member(b, ", ", "kind", file_kind_name(f->kind));
    text_add(b, ", \"valid\": %s, \"messages\": [", f->result == OK ? "true" : "false");
    put_messages(b, &count, &f->mistakes, "error");
    put_messages(b, &count, &f->warnings, "warning");
    put_messages(b, &count, &f->notes, "note");
    text_put(b, "] }");
}

int command_check(const arguments *a) {
    static const char *const forms[] = {"text", "json", NULL};
    int form = 0, result = EXIT_YES;
    error err = {0};
    if (a->operands.count == 0)
        return cli_usage(a, "check needs files");
    if (option_choice(a, "format", forms, &form, &err) != OK)
        return cli_error(&err);
    text_buffer json = {0};
    for (size_t i = 0; i < a->operands.count && !cli_stopped; i++) {
        findings f = {.path = a->operands.items[i], .kind = FILE_UNKNOWN};
        f.result = check_file(&f, arguments_given(a, "rehearse"));
        if (form == 0) {
            print_text(&f, arguments_given(a, "quiet"));
        } else {
            text_put(&json, i ? "," : "");
            put_json(&json, &f);
        }
        if (f.result != OK) {
            bool limit = f.result == E_MEMORY || f.result == E_LIMIT;
            result = limit ? EXIT_NONE : result == EXIT_YES ? EXIT_WRONG : result;
        }
        findings_finish(&f);
    }
    if (form == 1) {
        printf("{ \"schema\": 1, \"valid\": %s, \"files\": [",
               result == EXIT_YES ? "true" : "false");
        fwrite(json.items, 1, json.count, stdout);
        puts(" ] }");
    }
    text_finish(&json);
    return cli_stopped ? EXIT_INTERRUPTED : result;
}

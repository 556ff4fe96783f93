// cli/runs/kind.c - tells plans, worlds, robots, routines, rules and logs from one another.
#include "cli/runs/kind.h"

#include <stdio.h>
#include <string.h>

#include "base/files/files.h"
#include "base/yaml/yaml_read.h"

const char *file_kind_name(file_kind k) {
    static const char *const names[] = {"rules",    "plan",  "world", "robot",
                                        "routines", "a log", "FMU",   "unknown"};
    return names[k];
}

static bool ends_in(const char *path, const char *end) {
    size_t n = strlen(path), m = strlen(end);
    return n > m && strcmp(path + n - m, end) == 0;
}

bool file_is_log(const char *path) {
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    FILE *f = fopen(path, "rb");
    bool is = f && fread(head, 1, sizeof head, f) == sizeof head &&
              memcmp(head, magic, sizeof magic) == 0;
    if (f)
        fclose(f);
    return is;
}

status file_kind_find(const char *path, file_kind *kind, errors *list) {
    *kind = ends_in(path, ".dl")     ? FILE_RULES
            : ends_in(path, ".urdf") ? FILE_ROBOT
            : ends_in(path, ".fmu")  ? FILE_FMU
            : file_is_log(path)      ? FILE_LOG
                                     : FILE_UNKNOWN;
    if (*kind != FILE_UNKNOWN)
        return OK;
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
                   "end in .dl, foreign models in .fmu");
        st = E_INPUT;
    }
    arena_destroy(memory);
    free(text);
    return st;
}

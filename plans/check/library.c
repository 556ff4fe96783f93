// plans/check/library.c - the files of routines beside a plan and in the library, for messages.
#include "plans/check/check_int.h"
#include "base/files/files.h"

#include <dirent.h>

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_files(arena *a, const char *folder, name_list *out) {
    DIR *d = folder ? opendir(folder) : NULL;
    for (struct dirent *entry; d && (entry = readdir(d));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && dot != entry->d_name && strcmp(dot, ".yaml") == 0)
            array_push(out, arena_strdup(a, entry->d_name));
    }
    if (d)
        closedir(d);
}

const char *files_nearest(arena *a, const char *plan_path, const char *library, const char *name) {
    const char *slash = strrchr(plan_path, '/');
    const char *beside =
        slash ? arena_copy(a, plan_path, slash == plan_path ? 1 : (size_t)(slash - plan_path))
              : ".";
    name_list names = {0};
    add_files(a, beside, &names);
    add_files(a, library, &names);
    // A folder has no order of its own.
    if (names.count > 0)
        qsort(names.items, names.count, sizeof *names.items, compare_names);
    const char *near = nearest_name(name, names.items, names.count);
    if (!near && !strchr(name, '.')) // only its ending was forgotten
        near = nearest_name(arena_format(a, "%s.yaml", name), names.items, names.count);
    array_finish(&names);
    return near;
}

static bool check_file(const char *path, const ynode *at, const char *what, errors *list) {
    if (!path || files_exist(NULL, path))
        return true;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    arena *a = arena_create();
    const char *near = files_nearest(a, path, NULL, name);
    if (near)
        ynode_error(at, list, "there is no %s '%s'; did you mean '%s' in that folder?", what, name,
                    near);
    else
        ynode_error(at, list, "there is no %s '%s'", what, path);
    arena_destroy(a);
    return false;
}

status plan_check_scene(const plan *p, bool world, bool robot, errors *list) {
    bool good = !world || check_file(p->world, p->world_at, "world", list);
    good = (!robot || check_file(p->robot, p->robot_at, "robot", list)) && good;
    for (size_t i = 0; i < p->members.count; i++) {
        const named_member *m = &p->members.items[i];
        good = check_file(m->is.robot, m->robot_at, "robot", list) && good;
        good = check_file(m->is.plan, m->plan_at, "plan", list) && good;
    }
    return good ? OK : E_INPUT;
}

static bool file_achieves(arena *a, const char *path, const char *functor, uint32_t arity) {
    char *text;
    size_t length;
    error err = {0};
    errors ignored = {0};
    ynode *root = NULL;
    bool found = false;
    if (file_read(path, &text, &length, &err) != OK)
        return false;
    bool good = yaml_read(a, path, arena_copy(a, text, length), length, &root, &ignored) == OK &&
                root->kind == YNODE_MAPPING && ynode_get(root, "library");
    const ynode *all = good ? ynode_get(root, "routines") : NULL;
    for (size_t i = 0; all && all->kind == YNODE_SEQUENCE && i < all->count; i++) {
        const ynode *n =
            all->items[i]->kind == YNODE_MAPPING ? ynode_get(all->items[i], "achieve") : NULL;
        const term *t = NULL;
        if (n && n->kind == YNODE_SCALAR && ynode_value(a, n, "achieve", &t, &ignored))
            found = found || (arity > 0 ? term_is(t, functor, arity) : term_is_symbol(t, functor));
    }
    errors_finish(&ignored);
    free(text);
    return found;
}

size_t files_achieving(arena *a, const char *library, const char *functor, uint32_t arity,
                       const char **out) {
    name_list names = {0};
    size_t count = 0;
    add_files(a, library, &names);
    if (names.count > 0)
        qsort(names.items, names.count, sizeof *names.items, compare_names);
    for (size_t i = 0; i < names.count; i++) {
        const char *path = arena_format(a, "%s/%s", library, names.items[i]);
        if (!file_achieves(a, path, functor, arity))
            continue;
        *out = count ? arena_format(a, "%s, %s", *out, names.items[i]) : names.items[i];
        count++;
    }
    array_finish(&names);
    return count;
}

// cli/branch/begun.c - looks up when the steps of edits began.
#include "cli/branch/begun.h"

#include <string.h>

#include "base/yaml/yaml_read.h"
#include "schema/store/store.h"

// Kinds of edits whose target must not have begun.
static const char *const LATE[] = {"replace", "insert_before", "wrap",
                                   "unwrap",  "delete",        "set_property"};

typedef struct lookup {
    sqlite3_stmt *query;
    int64_t episode;
} lookup;

// Finds the first time at which a step began. A path may lead into a routine, of which a task has
// the path of its call before it. False: never.
static bool step_begun(const lookup *l, const char *path, nanos *out) {
    bool found = false;
    sqlite3_reset(l->query);
    sqlite3_bind_int64(l->query, 1, l->episode);
    sqlite3_bind_text(l->query, 2, path, -1, SQLITE_STATIC);
    if (sqlite3_step(l->query) == SQLITE_ROW && sqlite3_column_type(l->query, 0) != SQLITE_NULL) {
        *out = sqlite3_column_int64(l->query, 0);
        found = true;
    }
    sqlite3_reset(l->query);
    return found;
}

static void check_edit(const lookup *l, const ynode *edit, nanos t, errors *list) {
    nanos began;
    for (size_t i = 0; edit->kind == YNODE_MAPPING && i < sizeof LATE / sizeof *LATE; i++) {
        const ynode *target = ynode_get(edit, LATE[i]);
        if (target && target->kind == YNODE_SCALAR && step_begun(l, target->scalar, &began) &&
            began < t)
            ynode_error(target, list,
                        "the step '%s' began at %.3f s, before %.3f s: an edit of it comes too "
                        "late; branch before it began, or edit a step that has not begun",
                        target->scalar, seconds(began), seconds(t));
    }
}

status begun_check(const edit_file *edits, const char *log, int64_t episode, nanos t,
                   errors *list) {
    // The path as it stands, else behind the call of a routine.
    static const char sql[] =
        "SELECT coalesce((SELECT min(start_ns) FROM task WHERE episode = ?1 AND path = ?2),"
        " (SELECT min(start_ns) FROM task WHERE episode = ?1"
        " AND substr(path, -length(?2) - 1) = '/' || ?2))";
    arena *memory = arena_create();
    ynode *root = NULL;
    store *s = NULL;
    lookup l = {.episode = episode};
    errors ignored = {0};
    error err = {0};
    size_t before = list->count;
    status st = store_open(log, &s, &err);
    if (st == OK && sqlite3_prepare_v2(store_db(s), sql, -1, &l.query, NULL) != SQLITE_OK)
        st = store_failed(store_db(s), log, "reading the tasks", &err);
    if (st != OK)
        errors_append(list, &err);
    if (st == OK &&
        yaml_read(memory, edits->name, edits->text, edits->length, &root, &ignored) == OK) {
        const ynode *all = root->kind == YNODE_MAPPING ? ynode_get(root, "edits") : root;
        for (size_t i = 0; all && all->kind == YNODE_SEQUENCE && i < all->count; i++)
            check_edit(&l, all->items[i], t, list);
        if (list->count > before)
            st = E_INPUT;
    }
    sqlite3_finalize(l.query);
    store_close(s);
    errors_finish(&ignored);
    arena_destroy(memory);
    return st;
}

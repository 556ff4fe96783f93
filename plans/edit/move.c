// plans/edit/move.c - the names of files in a plan that is written to another folder.
#include "plans/edit/edit_int.h"

#include <limits.h>

typedef struct moving {
    arena *a;
    const char *text;      // of the new plan, without its provenance
    const ynode *old;      // the plan before
    const char *beside;    // the plan, from the current folder
    const char *from, *to; // folders, from the root
    text_buffer *out;
} moving;

// Returns the folder of a path, from the root; NULL: there is none.
static const char *real_folder(arena *a, const char *path) {
    const char *slash = strrchr(path, '/');
    char *real = realpath(slash == path ? "/"
                          : slash       ? arena_copy(a, path, (size_t)(slash - path))
                                        : ".",
                          NULL);
    const char *out = real ? arena_strdup(a, real) : NULL;
    free(real);
    return out;
}

// Returns how many bytes of two paths from the root lead through the same folders.
static size_t common_folders(const char *a, const char *b) {
    size_t same = 0, i = 0;
    for (; a[i] && a[i] == b[i]; i++)
        if (a[i] == '/')
            same = i;
    bool whole = (!a[i] || a[i] == '/') && (!b[i] || b[i] == '/');
    return whole ? i : same;
}

// Returns a name that is relative to `from` as it reads in `to`. Folders from the root have no
// links in them, so that the folder above one is its path without the last name.
static const char *moved_name(const moving *m, const char *name) {
    char *folder = arena_strdup(m->a, m->from);
    while (strncmp(name, "./", 2) == 0 || strncmp(name, "../", 3) == 0) {
        char *slash = strrchr(folder, '/');
        if (name[1] == '.' && slash)
            *slash = 0;
        name = strchr(name, '/') + 1;
    }
    const char *whole = arena_format(m->a, "%s/%s", folder, name), *file = strrchr(whole, '/');
    size_t same = common_folders(arena_copy(m->a, whole, (size_t)(file - whole)), m->to);
    text_buffer out = {0};
    for (const char *at = m->to + same; *at; at++)
        if (*at == '/' && at[1])
            text_put(&out, "../");
    text_put(&out, whole + same + 1);
    const char *moved = arena_strdup(m->a, text_string(&out));
    text_finish(&out);
    return moved;
}

// Returns what the plan before has under the key: at its root, in its projection, or there of one
// of several robots (NULL: none of them is meant).
static const ynode *found_before(const moving *m, const char *robot, const char *key) {
    const ynode *n = robot ? NULL : ynode_get(m->old, key);
    const ynode *outer = n ? NULL : ynode_get(m->old, "projection");
    if (robot && outer && outer->kind == YNODE_MAPPING)
        outer = ynode_get(outer, "robots");
    if (robot && outer && outer->kind == YNODE_MAPPING)
        outer = ynode_get(outer, robot);
    return outer && outer->kind == YNODE_MAPPING ? ynode_get(outer, key) : n;
}

// Returns whether the plan before has the same name there, or in its list there.
static bool was_there(const moving *m, const char *robot, const char *key, const char *name) {
    const ynode *n = found_before(m, robot, key);
    if (n && n->kind == YNODE_SCALAR)
        return strcmp(n->scalar, name) == 0;
    for (size_t i = 0; n && n->kind == YNODE_SEQUENCE && i < n->count; i++)
        if (n->items[i]->kind == YNODE_SCALAR && strcmp(n->items[i]->scalar, name) == 0)
            return true;
    return false;
}

// Adds the edit that gives a file's name another text; one with a parameter in it is left alone.
static void move_name(const moving *m, const char *robot, const char *key, const ynode *n) {
    if (n->kind != YNODE_SCALAR || n->scalar[0] == '/' || !was_there(m, robot, key, n->scalar) ||
        memchr(m->text + n->begin, '$', n->end - n->begin))
        return;
    const char *name = moved_name(m, n->scalar);
    if (strcmp(name, n->scalar) == 0)
        return;
    text_buffer quoted = {0};
    yaml_string(&quoted, name, strlen(name));
    bool plain = !n->quoted && strpbrk(name, " :#,[]{}&*!|>'\"%@`?\\") == NULL && name[0] != '-';
    const char *spelled = plain ? name : text_string(&quoted);
    text_add(m->out, "- splice: \".\"\n  at: %zu\n  was: ", n->begin);
    yaml_string(m->out, m->text + n->begin, n->end - n->begin);
    text_put(m->out, "\n  text: ");
    yaml_string(m->out, spelled, strlen(spelled));
    text_put(m->out, "\n");
    text_finish(&quoted);
}

// A file of routines that does not lie beside the plan is a shipped one, which is found anywhere.
static void move_routines(const moving *m, const ynode *list) {
    const char *slash = strrchr(m->beside, '/');
    for (size_t i = list->kind == YNODE_SEQUENCE ? list->count : 0; i > 0; i--) {
        const ynode *n = list->items[i - 1];
        if (n->kind != YNODE_SCALAR)
            continue;
        const char *path = arena_format(m->a, "%.*s%s", slash ? (int)(slash - m->beside) + 1 : 0,
                                        m->beside, n->scalar);
        if (files_exist(NULL, path))
            move_name(m, NULL, "routines", n);
    }
}

// The files of the robot, or of each of several; from the end of the text on.
static void move_projection(const moving *m, const char *robot, const ynode *map) {
    for (size_t k = map->kind == YNODE_MAPPING ? map->count : 0; k > 0; k--) {
        const char *key = map->keys[k - 1]->scalar;
        const ynode *value = map->items[k - 1];
        if (!robot && strcmp(key, "robots") == 0)
            for (size_t i = value->kind == YNODE_MAPPING ? value->count : 0; i > 0; i--)
                move_projection(m, value->keys[i - 1]->scalar, value->items[i - 1]);
        else if (strcmp(key, "set") != 0)
            move_name(m, robot, key, value);
    }
}

static ynode *read_stripped(arena *a, const edit_file *p, char **text) {
    size_t length = 0;
    errors ignored = {0};
    ynode *root = NULL;
    *text = edit_strip(p->text, p->length, &length);
    bool good = *text && yaml_read(a, p->name, *text, length, &root, &ignored) == OK &&
                root->kind == YNODE_MAPPING;
    errors_finish(&ignored);
    return good ? root : NULL;
}

char *edit_moved(const edit_file *p, const edit_file *made, const char *to) {
    arena *a = arena_create();
    text_buffer out = {0};
    char *before, *after;
    moving m = {.a = a,
                .old = read_stripped(a, p, &before),
                .beside = p->name,
                .from = real_folder(a, p->name),
                .to = real_folder(a, to),
                .out = &out};
    const ynode *root = read_stripped(a, made, &after);
    bool moves = m.old && root && m.from && m.to && strcmp(m.from, m.to) != 0;
    m.text = after;
    // From the end of the text on, so that no edit moves the place of the next.
    for (size_t i = moves ? root->count : 0; i > 0; i--) {
        const ynode *value = root->items[i - 1];
        if (strcmp(root->keys[i - 1]->scalar, "routines") == 0)
            move_routines(&m, value);
        else if (strcmp(root->keys[i - 1]->scalar, "projection") == 0)
            move_projection(&m, NULL, value);
    }
    char *edits_text = out.count ? strdup(text_string(&out)) : NULL;
    text_finish(&out);
    arena_destroy(a);
    free(before);
    free(after);
    return edits_text;
}

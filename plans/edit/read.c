// plans/edit/read.c - reads edits, which are written as a list of maps.
#include "plans/edit/edit_int.h"

static const struct {
    const char *key, *beside;
} KINDS[EDIT_COUNT] = {
#define EDIT(id, key, keys, doc) {key, keys},
#include "plans/edits.def"
#undef EDIT
};
enum { KEYS_MAX = 8 };

const char *edit_name(edit_kind kind) {
    return KINDS[kind].key;
}

const ynode *edit_get(const edit *e, const char *key) {
    return ynode_get(e->node, key);
}

static bool find_kind(const ynode *n, edit_kind *kind, errors *list) {
    const char *names[EDIT_COUNT];
    for (int k = 0; k < EDIT_COUNT; k++) {
        names[k] = KINDS[k].key;
        if (ynode_get(n, KINDS[k].key)) {
            *kind = (edit_kind)k;
            return true;
        }
    }
    for (size_t i = 0; i < n->count; i++) {
        const char *near = nearest_name(n->keys[i]->scalar, names, EDIT_COUNT);
        if (near) {
            ynode_error(n->keys[i], list, "unknown edit '%.60s'; did you mean '%s'?",
                        n->keys[i]->scalar, near);
            return false;
        }
    }
    char all[400] = "";
    for (int k = 0; k < EDIT_COUNT; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? ", " : "", names[k]);
    ynode_error(n, list, "this edit does not say what to do; known: %s", all);
    return false;
}

// Checks the keys of an edit against those of its kind in edits.def; some of them must be there.
static bool check_keys(const ynode *n, edit_kind kind, errors *list) {
    const char *known[KEYS_MAX + 3] = {KINDS[kind].key, "reason"};
    size_t count = 2, before = list->count;
    char words[128];
    snprintf(words, sizeof words, "%s", KINDS[kind].beside);
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        ASSERT(count < KEYS_MAX);
        known[count++] = word + (*word == '!');
        if (*word == '!' && !ynode_get(n, word + 1))
            ynode_error(n, list, "'%s' needs %s:", KINDS[kind].key, word + 1);
    }
    known[count] = NULL;
    ynode_check_keys(n, known, list);
    return list->count == before;
}

static bool check_reason(const ynode *n, errors *list) {
    const ynode *reason = ynode_get(n, "reason");
    const char *text;
    return !reason || ynode_text(reason, "reason", &text, list);
}

// Some kinds of edits ask more of their keys than that they are there.
static bool check_values(const ynode *n, edit_kind kind, errors *list) {
    const char *text;
    int64_t at;
    bool step = ynode_get(n, "step"), verbatim = ynode_get(n, "text");
    switch (kind) {
    case EDIT_REPLACE:
    case EDIT_INSERT_BEFORE:
    case EDIT_INSERT_AFTER:
        if (step == verbatim) {
            ynode_error(n, list, "'%s' needs step: with a step%s", KINDS[kind].key,
                        step ? ", or text:, and not both" : "");
            return false;
        }
        return !verbatim || ynode_text(ynode_get(n, "text"), "text", &text, list);
    case EDIT_ORDER:
        if (!ynode_get(n, "add") && !ynode_get(n, "remove") && !ynode_get(n, "steps")) {
            ynode_error(n, list,
                        "'order' needs steps: with all steps in their new order, or add: or "
                        "remove: with pairs [first, then]");
            return false;
        }
        return true;
    case EDIT_SET_PROPERTY:
        return ynode_text(ynode_get(n, "key"), "key", &text, list);
    case EDIT_SPLICE:
        return ynode_integer(ynode_get(n, "at"), "at", &at, list) &&
               ynode_get(n, "was")->kind == YNODE_SCALAR &&
               ynode_get(n, "text")->kind == YNODE_SCALAR;
    default:
        return true;
    }
}

bool edit_read(const ynode *n, edit *out, errors *list) {
    *out = (edit){.node = n};
    if (n->kind != YNODE_MAPPING) {
        ynode_error(n, list, "an edit is a map, such as { delete: set_table/see }");
        return false;
    }
    if (!find_kind(n, &out->kind, list))
        return false;
    out->target = ynode_get(n, KINDS[out->kind].key);
    bool good = ynode_text(out->target, KINDS[out->kind].key, &out->path, list);
    good = check_keys(n, out->kind, list) && good;
    good = check_reason(n, list) && good;
    return good && check_values(n, out->kind, list);
}

bool edits_read(const ynode *root, edits *out, const char **reason, errors *list) {
    static const char *const keys[] = {"reason", "edits", NULL};
    size_t before = list->count;
    const ynode *all = root;
    *reason = NULL;
    if (root->kind == YNODE_MAPPING && ynode_get(root, "edits")) {
        ynode_check_keys(root, keys, list);
        if (ynode_get(root, "reason"))
            ynode_text(ynode_get(root, "reason"), "reason", reason, list);
        all = ynode_get(root, "edits");
    }
    if (all->kind == YNODE_MAPPING && all == root) {
        edit e;
        if (edit_read(all, &e, list))
            array_push(out, e);
    } else if (all->kind != YNODE_SEQUENCE) {
        ynode_error(all, list, "edits are a list of maps, such as - delete: set_table/see");
    } else {
        for (size_t i = 0; i < all->count; i++) {
            edit e;
            if (edit_read(all->items[i], &e, list))
                array_push(out, e);
        }
    }
    return list->count == before;
}

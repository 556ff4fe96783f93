// cli/mend/edit_list.c - joins lists of edits.
#include "cli/mend/edit_list.h"

#include <string.h>

#include "base/text/text.h"
#include "base/yaml/yaml_read.h"

typedef ARRAY(const char *) texts;

static bool has_text(const texts *all, const char *text) {
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i], text) == 0)
            return true;
    return false;
}

static void take_edits(arena *memory, const char *list, edit_list_part part, texts *out) {
    errors ignored = {0};
    ynode *root = NULL;
    if (part != EDITS_NONE &&
        yaml_read(memory, "edits", arena_strdup(memory, list), strlen(list), &root, &ignored) == OK)
        for (size_t i = 0; root->kind == YNODE_SEQUENCE && i < root->count; i++) {
            const ynode *n = root->items[i];
            const char *text = arena_copy(memory, list + n->begin, n->end - n->begin);
            bool brings = ynode_get(n, "adopt") || ynode_get(n, "use");
            if (brings ? !has_text(out, text) : part == EDITS_ALL)
                array_push(out, text);
        }
    errors_finish(&ignored);
}

const char *edit_list_join(arena *memory, const char *const *lists, const edit_list_part *parts,
                           size_t count) {
    texts all = {0};
    text_buffer out = {0};
    for (size_t i = 0; i < count; i++)
        take_edits(memory, lists[i], parts[i], &all);
    text_put(&out, "[");
    for (size_t i = 0; i < all.count; i++)
        text_add(&out, "%s%s", i ? ", " : "", all.items[i]);
    text_put(&out, "]");
    const char *joined = arena_strdup(memory, text_string(&out));
    text_finish(&out);
    array_finish(&all);
    return joined;
}

// plans/load/texts.c - what steps say as their files have it: goals, where results go, arguments.
#include <string.h>

#include "plans/load/load_int.h"

// The value as the file has it, without quotes. NULL: it is a collection of several lines.
static const char *written_text(const loader *l, const ynode *n) {
    const char *raw = arena_copy(l->a, n->source + n->begin, n->end - n->begin);
    size_t length = strlen(raw);
    // Only the names of parameters were replaced in what was read.
    if (n->kind == YNODE_SCALAR && !strchr(raw, '$'))
        return n->scalar;
    if (length > 1 && (*raw == '"' || *raw == '\'') && raw[length - 1] == *raw)
        return arena_copy(l->a, raw + 1, length - 2);
    return strchr(raw, '\n') ? NULL : raw;
}

static void add_text(loader *l, const plan_node *node, const char *key, const ynode *value) {
    const char *text = value ? written_text(l, value) : NULL;
    if (!text)
        return;
    plan_step_text t = {node->file->name, node->path, key, text, node->line};
    array_push(&l->p->texts, t);
}

void texts_collect(loader *l, const plan_node *node) {
    const ynode *map = node->source && node->source->kind == YNODE_MAPPING ? node->source : NULL;
    const char *key = node->kind == CONSTRUCT_ACTION ? node->name : construct_key(node->kind);
    const ynode *own = map && key ? ynode_get(map, key) : NULL;
    if (map)
        add_text(l, node, "into", ynode_get(map, "into"));
    if (own && node->kind == CONSTRUCT_ACHIEVE)
        add_text(l, node, key, own);
    else if (own && own->kind == YNODE_MAPPING && node->kind == CONSTRUCT_PERCEIVE)
        add_text(l, node, "into", ynode_get(own, "into"));
    else if (own && own->kind == YNODE_MAPPING && node->kind == CONSTRUCT_ACTION)
        for (size_t i = 0; i < own->count; i++)
            add_text(l, node, own->keys[i]->scalar, own->items[i]);
    for (size_t i = 0; i < node->child_count; i++)
        texts_collect(l, node->children[i]);
}

// plans/load/orders.c - orderings between the steps of partial_order.
#include "plans/load/load_int.h"

static bool order_end(loader *l, const ynode *n, const plan_node *node, size_t *out) {
    const char *tag;
    if (!name_read(l, n, "before", &tag))
        return false;
    const char *tags[64];
    size_t count = 0;
    for (size_t i = 0; i < node->child_count; i++) {
        if (node->children[i]->tag && strcmp(node->children[i]->tag, tag) == 0) {
            *out = i;
            return true;
        }
        if (node->children[i]->tag && count < 64)
            tags[count++] = node->children[i]->tag;
    }
    const char *near = nearest_name(tag, tags, count);
    if (near)
        ynode_error(n, l->list, "no step here has the tag '%s'; did you mean '%s'?", tag, near);
    else
        ynode_error(n, l->list, "no step here has the tag '%s'", tag);
    return false;
}

// Returns a step that is left and that step `i` waits for; SIZE_MAX: there is none.
static size_t waits_for(const plan_order *orders, size_t count, const bool *gone, size_t i) {
    for (size_t j = 0; j < count; j++) {
        if (orders[j].after == i && !gone[orders[j].before])
            return orders[j].before;
    }
    return SIZE_MAX;
}

// Reports a cycle among steps that all wait: its steps in the order that was asked for.
static void complain_cycle(loader *l, const ynode *n, const plan_node *node,
                           const plan_order *orders, size_t count, const bool *gone) {
    size_t at = 0;
    while (gone[at])
        at++;
    // Going from each step to one that it waits for leads into the cycle, at the latest after as
    // many steps as there are.
    for (size_t i = 0; i < node->child_count; i++)
        at = waits_for(orders, count, gone, at);
    const char *text = node->children[at]->tag;
    size_t from = at;
    do {
        from = waits_for(orders, count, gone, from);
        text = arena_format(l->a, "%.60s before %.500s", node->children[from]->tag, text);
    } while (from != at);
    ynode_error(n, l->list, "these orderings form a cycle: %s", text);
}

// Steps that can begin are taken away until none is left; what remains waits for itself.
static void check_cycle(loader *l, const ynode *n, const plan_node *node, const plan_order *orders,
                        size_t count) {
    bool *gone = mem_must(node->child_count + 1, sizeof *gone);
    size_t left = node->child_count;
    for (bool moved = true; moved && left > 0;) {
        moved = false;
        for (size_t i = 0; i < node->child_count; i++) {
            if (!gone[i] && waits_for(orders, count, gone, i) == SIZE_MAX) {
                gone[i] = moved = true;
                left--;
            }
        }
    }
    if (left > 0)
        complain_cycle(l, n, node, orders, count, gone);
    free(gone);
}

void orders_read(loader *l, const ynode *n, plan_node *node) {
    if (!n)
        return;
    if (n->kind != YNODE_SEQUENCE) {
        ynode_error(n, l->list, "before: must be a list of pairs [first, then], of tags");
        return;
    }
    plan_order *orders = arena_alloc(l->a, (n->count + 1) * sizeof *orders);
    size_t count = 0;
    for (size_t i = 0; i < n->count; i++) {
        const ynode *pair = n->items[i];
        bool good = pair->kind == YNODE_SEQUENCE && (pair->count == 2 || pair->count == 3);
        if (good && pair->count == 3)
            good = pair->items[2]->kind == YNODE_SCALAR &&
                   (strcmp(pair->items[2]->scalar, "dead") == 0 ||
                    strcmp(pair->items[2]->scalar, "done") == 0);
        if (!good) {
            ynode_error(pair, l->list,
                        "an ordering is a pair of tags [first, then], or [first, then, dead]");
            continue;
        }
        plan_order *o = &orders[count];
        if (!order_end(l, pair->items[0], node, &o->before) ||
            !order_end(l, pair->items[1], node, &o->after))
            continue;
        o->dead = pair->count == 3 && strcmp(pair->items[2]->scalar, "dead") == 0;
        count++;
    }
    node->orders = orders;
    node->order_count = count;
    check_cycle(l, n, node, orders, count);
}

// projector/world/broad.c - which boxes meet: a tree of boxes over the world's bodies.
//
// A leaf's box is a little wider than its body, so that what moves changes the tree now and then
// only, and what rests costs nothing. Boxes without end (planes) are kept beside the tree. Nothing
// depends on addresses: the tree's form follows from the order of puts.
#include "projector/world/broad.h"
#include "base/mem.h"
#include "base/status.h"
#include <math.h>

static const double MARGIN = 0.02;   // m, that a body may move before its leaf does
enum { NONE = -1, HEIGHT_MAX = 96 }; // a balanced tree of this height would not fit any memory

typedef struct node {
    bounds box;
    int parent, child[2]; // child[0] NONE: a leaf
    int height;           // of a leaf: 0
    size_t entity;
} node;

struct broad {
    node *nodes; // a free one's parent is the next free one
    int root, unused;
    int *leaf;             // by entity; NONE: not in the tree
    ARRAY(size_t) endless; // entities without end
    size_t *found;         // of the last query
    uint64_t version;
};

broad *broad_create(size_t entities) {
    broad *b = mem_must(1, sizeof *b);
    size_t most = 2 * entities + 1;
    b->nodes = mem_must(most, sizeof *b->nodes);
    b->leaf = mem_must(entities + 1, sizeof *b->leaf);
    b->found = mem_must(entities + 1, sizeof *b->found);
    for (size_t i = 0; i < most; i++)
        b->nodes[i].parent = i + 1 < most ? (int)i + 1 : NONE;
    for (size_t i = 0; i < entities; i++)
        b->leaf[i] = NONE;
    b->root = NONE;
    return b;
}

void broad_destroy(broad *b) {
    if (!b)
        return;
    free(b->nodes);
    free(b->leaf);
    free(b->found);
    array_finish(&b->endless);
    free(b);
}

static bool bounds_meet(const bounds *a, const bounds *b) {
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

static bounds bounds_union(const bounds *a, const bounds *b) {
    bounds c;
    for (int i = 0; i < 3; i++) {
        c.low[i] = a->low[i] < b->low[i] ? a->low[i] : b->low[i];
        c.high[i] = a->high[i] > b->high[i] ? a->high[i] : b->high[i];
    }
    return c;
}

static double bounds_surface(const bounds *a) {
    double x = a->high[0] - a->low[0], y = a->high[1] - a->low[1], z = a->high[2] - a->low[2];
    return x * y + y * z + z * x;
}

// ---- The tree ---------------------------------------------------------------------------

static int node_take(broad *b) {
    int n = b->unused;
    ASSERT(n != NONE);
    b->unused = b->nodes[n].parent;
    b->nodes[n] = (node){.parent = NONE, .child = {NONE, NONE}};
    return n;
}

static void give_back(broad *b, int n) {
    b->nodes[n].parent = b->unused;
    b->unused = n;
}

static void node_renew(broad *b, int n) {
    node *x = &b->nodes[n], *l = &b->nodes[x->child[0]], *r = &b->nodes[x->child[1]];
    x->box = bounds_union(&l->box, &r->box);
    x->height = 1 + (l->height > r->height ? l->height : r->height);
}

static void replace_child(broad *b, int parent, int old, int new) {
    b->nodes[new].parent = parent;
    if (parent == NONE)
        b->root = new;
    else
        b->nodes[parent].child[b->nodes[parent].child[1] == old] = new;
}

// Where one side is higher than the other by more than one, its child rises to this place.
static int tree_balance(broad *b, int n) {
    node *x = &b->nodes[n];
    if (x->height < 2)
        return n;
    int lean = b->nodes[x->child[1]].height - b->nodes[x->child[0]].height;
    if (lean >= -1 && lean <= 1)
        return n;
    int side = lean > 1, up = x->child[side];
    node *u = &b->nodes[up];
    int far = b->nodes[u->child[1]].height > b->nodes[u->child[0]].height;
    int near = u->child[!far];
    replace_child(b, x->parent, n, up);
    u->child[!far] = n;
    x->parent = up;
    x->child[side] = near;
    b->nodes[near].parent = n;
    node_renew(b, n);
    node_renew(b, up);
    return up;
}

static void renew_upwards(broad *b, int n) {
    for (; n != NONE; n = b->nodes[n].parent) {
        n = tree_balance(b, n);
        node_renew(b, n);
    }
}

// Down the side that grows least, to the best neighbour for a box.
static int best_neighbour(const broad *b, const bounds *box) {
    int n = b->root;
    while (b->nodes[n].child[0] != NONE) {
        const node *x = &b->nodes[n];
        bounds grown = bounds_union(&x->box, box);
        double here = 2 * bounds_surface(&grown),
               deeper = 2 * (bounds_surface(&grown) - bounds_surface(&x->box));
        double cost[2];
        for (int i = 0; i < 2; i++) {
            const node *c = &b->nodes[x->child[i]];
            grown = bounds_union(&c->box, box);
            cost[i] = deeper + bounds_surface(&grown) -
                      (c->child[0] == NONE ? 0 : bounds_surface(&c->box));
        }
        if (here < cost[0] && here < cost[1])
            break;
        n = x->child[cost[1] < cost[0]];
    }
    return n;
}

static void leaf_insert(broad *b, int leaf) {
    if (b->root == NONE) {
        b->root = leaf;
        return;
    }
    int beside = best_neighbour(b, &b->nodes[leaf].box), joint = node_take(b);
    replace_child(b, b->nodes[beside].parent, beside, joint);
    b->nodes[joint].child[0] = beside;
    b->nodes[joint].child[1] = leaf;
    b->nodes[beside].parent = b->nodes[leaf].parent = joint;
    renew_upwards(b, joint);
}

static void take_out(broad *b, int leaf) {
    int joint = b->nodes[leaf].parent;
    if (joint == NONE) {
        b->root = NONE;
        return;
    }
    int beside = b->nodes[joint].child[b->nodes[joint].child[0] == leaf];
    int above = b->nodes[joint].parent;
    replace_child(b, above, joint, beside);
    give_back(b, joint);
    renew_upwards(b, above);
}

// ---- Entities ---------------------------------------------------------------------------

static bool bounds_endless(const bounds *at) {
    for (int i = 0; i < 3; i++)
        if (!isfinite(at->low[i]) || !isfinite(at->high[i]))
            return true;
    return false;
}

void broad_remove(broad *b, size_t entity) {
    b->version++;
    if (b->leaf[entity] != NONE) {
        take_out(b, b->leaf[entity]);
        give_back(b, b->leaf[entity]);
        b->leaf[entity] = NONE;
    }
    size_t kept = 0;
    for (size_t i = 0; i < b->endless.count; i++)
        if (b->endless.items[i] != entity)
            b->endless.items[kept++] = b->endless.items[i];
    b->endless.count = kept;
}

void broad_put(broad *b, size_t entity, const bounds *at) {
    int leaf = b->leaf[entity];
    if (leaf != NONE) {
        const bounds *has = &b->nodes[leaf].box;
        bool within = true;
        for (int i = 0; i < 3; i++)
            within &= has->low[i] <= at->low[i] && at->high[i] <= has->high[i];
        if (within)
            return;
    }
    b->version++;
    if (bounds_endless(at)) {
        broad_remove(b, entity);
        array_push(&b->endless, entity);
        return;
    }
    if (leaf == NONE) {
        broad_remove(b, entity);
        leaf = b->leaf[entity] = node_take(b);
        b->nodes[leaf].entity = entity;
    } else {
        take_out(b, leaf);
        b->nodes[leaf].parent = NONE;
    }
    bounds *box = &b->nodes[leaf].box;
    for (int i = 0; i < 3; i++)
        box->low[i] = at->low[i] - MARGIN, box->high[i] = at->high[i] + MARGIN;
    leaf_insert(b, leaf);
}

uint64_t broad_version(const broad *b) {
    return b->version;
}

const size_t *broad_query(broad *b, const bounds *at, size_t *count) {
    size_t n = 0;
    int stack[HEIGHT_MAX], waiting = 0; // one place for each level, as the other child waits
    for (size_t i = 0; i < b->endless.count; i++)
        b->found[n++] = b->endless.items[i];
    if (b->root != NONE)
        ASSERT(b->nodes[b->root].height < HEIGHT_MAX - 1);
    for (int k = b->root; k != NONE; k = waiting > 0 ? stack[--waiting] : NONE) {
        const node *x = &b->nodes[k];
        if (!bounds_meet(&x->box, at))
            continue;
        if (x->child[0] == NONE) {
            b->found[n++] = x->entity;
            continue;
        }
        stack[waiting++] = x->child[1];
        stack[waiting++] = x->child[0];
    }
    *count = n;
    return b->found;
}

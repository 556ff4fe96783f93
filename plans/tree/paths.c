// plans/tree/paths.c - static paths: the step at a path, and the paths that are near to a wrong
// one.
#include "plans/tree/tree_int.h"

static const plan_node *find_below(const plan_node *n, const char *path) {
    size_t length = strlen(n->path);
    if (strncmp(n->path, path, length) != 0)
        return NULL;
    if (!path[length])
        return n;
    for (size_t i = 0; path[length] == '/' && i < n->child_count; i++) {
        const plan_node *found = find_below(n->children[i], path);
        if (found)
            return found;
    }
    return NULL;
}

const plan_node *plan_find(const plan *p, const char *path) {
    const plan_node *found = p->body ? find_below(p->body, path) : NULL;
    for (size_t i = 0; !found && i < p->routines.count; i++)
        found = find_below(p->routines.items[i].body, path);
    return found;
}

// ---- Nearness -----------------------------------------------------------------------------------

// A segment of a path; costs are in hundredths of a segment.
typedef struct piece {
    const char *text;
    size_t length;
} piece;

enum {
    PIECES_MAX = 200,     // of a path that are compared; longer ones are cut
    LETTERS_MAX = 64,     // of a segment
    COST_STRANGER = 100,  // two segments with nothing in common
    COST_MISSING = 60,    // one that the wanted path lacks, as where steps were wrapped
    COST_SUPERFLUOUS = 90 // one that it has too many
};

static size_t split_path(const char *path, piece *out) {
    size_t count = 0;
    while (count < PIECES_MAX) {
        size_t length = strcspn(path, "/");
        out[count++] = (piece){path, length < LETTERS_MAX ? length : LETTERS_MAX};
        if (!path[length])
            break;
        path += length + 1;
    }
    return count;
}

static unsigned least_cost(unsigned a, unsigned b) {
    return a < b ? a : b;
}

// Letters to change, in hundredths of the longer segment.
static unsigned segment_cost(piece a, piece b) {
    unsigned row[LETTERS_MAX + 1];
    for (size_t j = 0; j <= b.length; j++)
        row[j] = (unsigned)j;
    for (size_t i = 0; i < a.length; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i + 1;
        for (size_t j = 0; j < b.length; j++) {
            unsigned change = diagonal + (a.text[i] != b.text[j]);
            diagonal = row[j + 1];
            row[j + 1] = least_cost(change, least_cost(row[j], row[j + 1]) + 1);
        }
    }
    size_t longer = a.length > b.length ? a.length : b.length;
    return longer == 0 ? 0 : (unsigned)(row[b.length] * COST_STRANGER / longer);
}

// Edit distance of two paths by segments.
static unsigned path_cost(const piece *wanted, size_t n, const piece *there, size_t m) {
    unsigned row[PIECES_MAX + 1];
    for (size_t j = 0; j <= m; j++)
        row[j] = (unsigned)j * COST_MISSING;
    for (size_t i = 0; i < n; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)(i + 1) * COST_SUPERFLUOUS;
        for (size_t j = 0; j < m; j++) {
            unsigned change = diagonal + segment_cost(wanted[i], there[j]);
            diagonal = row[j + 1];
            row[j + 1] = least_cost(
                change, least_cost(row[j] + COST_MISSING, row[j + 1] + COST_SUPERFLUOUS));
        }
    }
    return row[m];
}

typedef struct near_path {
    const char *path;
    unsigned cost;
} near_path;

typedef struct nearness {
    piece wanted[PIECES_MAX];
    size_t count;
    near_path *found; // best first; of one cost in the order of the text
    size_t used, most;
} nearness;

static void offer_path(nearness *k, const plan_node *n) {
    piece there[PIECES_MAX];
    size_t m = split_path(n->path, there), longer = m > k->count ? m : k->count;
    unsigned cost = path_cost(k->wanted, k->count, there, m);
    // Half a path that is the same is the least that is of use.
    if (cost <= longer * COST_STRANGER / 2) {
        size_t at = k->used;
        while (at > 0 && k->found[at - 1].cost > cost)
            at--;
        if (at < k->most) {
            size_t moved = (k->used < k->most ? k->used : k->most - 1) - at;
            memmove(&k->found[at + 1], &k->found[at], moved * sizeof *k->found);
            k->found[at] = (near_path){n->path, cost};
            k->used += k->used < k->most;
        }
    }
    for (size_t i = 0; i < n->child_count; i++)
        offer_path(k, n->children[i]);
}

size_t plan_nearest(const plan *p, const char *path, const char **out, size_t most) {
    if (most == 0)
        return 0;
    nearness k = {.most = most, .found = mem_must(most, sizeof *k.found)};
    k.count = split_path(path, k.wanted);
    if (p->body)
        offer_path(&k, p->body);
    for (size_t i = 0; i < p->routines.count; i++)
        offer_path(&k, p->routines.items[i].body);
    for (size_t i = 0; i < k.used; i++)
        out[i] = k.found[i].path;
    size_t used = k.used;
    free(k.found);
    return used;
}

// query/rows/row_order.c - rows of each key sorted by a column, as a search tree without pointers.
//
// The rows of one key lie together, sorted by `start`. The middle of a range of them is the root of
// a tree over the range, and holds the latest end in it. A subtree that ends too early is left out
// whole, so that looking up k rows of n takes O(log n + k) steps, however long some of them are.
#include "query/rows/row_order.h"

#define ROWS_PER_LOOK 0x3fff

typedef struct entry {
    double start, end, reach; // reach: the latest end of the subtree
    uint32_t row;
} entry;

struct relation_order {
    relation_order *next;
    uint32_t mask, start, end;
    uint32_t covered;
    uint32_t count; // rows with numbers
    entry *entries;
    uint32_t *group; // of each row: the group its key has; NULL: there is one group
    uint32_t *first; // of each group, and of one more behind the last
    uint32_t group_count;
    size_t bytes;
};

double order_number(const values *v, value x) {
    double out;
    return values_number(v, x, &out) ? out : (double)NAN;
}

static void clear_order(relation *r, relation_order *o) {
    budget_return(r->budget, o->bytes);
    free(o->entries);
    free(o->group);
    free(o->first);
    o->entries = NULL;
    o->group = NULL;
    o->first = NULL;
    o->bytes = 0;
    o->covered = o->count = o->group_count = 0;
}

void orders_destroy(relation *r) {
    for (relation_order *o = r->orders, *next; o; o = next) {
        next = o->next;
        clear_order(r, o);
        budget_return(r->budget, sizeof *o);
        free(o);
    }
    r->orders = NULL;
}

static bool entry_before(const entry *a, const entry *b) {
    return a->start < b->start || (a->start == b->start && a->row < b->row);
}

// Merge sort; most rows come in order already. False: interrupted.
static bool sort_entries(entry *items, entry *room, uint32_t count, budget *b) {
    bool sorted = true;
    for (uint32_t i = 1; i < count && sorted; i++)
        sorted = !entry_before(&items[i], &items[i - 1]);
    if (sorted)
        return true;
    entry *from = items, *to = room;
    for (uint32_t i = 0; i < count; i += 8) {
        uint32_t end = i + 8 < count ? i + 8 : count;
        for (uint32_t k = i + 1; k < end; k++) {
            entry e = items[k];
            uint32_t at = k;
            for (; at > i && entry_before(&e, &items[at - 1]); at--)
                items[at] = items[at - 1];
            items[at] = e;
        }
    }
    for (uint64_t width = 8; width < count; width *= 2) {
        for (uint64_t i = 0; i < count; i += 2 * width) {
            uint64_t left = i, middle = i + width < count ? i + width : count, right = middle,
                     end = i + 2 * width < count ? i + 2 * width : count;
            for (uint64_t k = i; k < end; k++) {
                if ((k & ROWS_PER_LOOK) == ROWS_PER_LOOK && budget_interrupted(b))
                    return false;
                bool take_left =
                    left < middle && (right >= end || !entry_before(&from[right], &from[left]));
                to[k] = from[take_left ? left++ : right++];
            }
        }
        entry *other = from;
        from = to;
        to = other;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
    return true;
}

// Sets `reach` in [low, high), where it holds each row's own end before.
static double reach_of(entry *items, uint32_t low, uint32_t high) {
    if (low >= high)
        return -(double)INFINITY;
    uint32_t middle = low + (high - low) / 2;
    double left = reach_of(items, low, middle), right = reach_of(items, middle + 1, high);
    double all = left > right ? left : right;
    if (all > items[middle].reach)
        items[middle].reach = all;
    return items[middle].reach;
}

// Numbers the groups in the order in which their newest rows stand; group[row] for all rows.
static status number_groups(relation *r, relation_order *o, const relation_index *i) {
    for (uint32_t row = 0; row < o->covered; row++)
        o->group[row] = ROW_NONE;
    for (uint32_t row = o->covered; row-- > 0;) {
        if ((row & ROWS_PER_LOOK) == 0 && budget_interrupted(r->budget))
            return E_INTERRUPTED;
        if (o->group[row] == ROW_NONE)
            o->group[row] = o->group_count++;
        // Each row hands its group to the next older one in its chain.
        uint32_t older = relation_next(i, row);
        if (older != ROW_NONE)
            o->group[older] = o->group[row];
    }
    return OK;
}

static status fill_order(relation *r, relation_order *o, const relation_index *i, const values *v,
                         entry *room) {
    if (i) {
        status s = number_groups(r, o, i);
        if (s != OK)
            return s;
    } else {
        o->group_count = 1;
    }
    // The first pass counts the rows of each group, the second puts them there.
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t row = 0; row < o->covered; row++) {
            if ((row & ROWS_PER_LOOK) == ROWS_PER_LOOK && budget_interrupted(r->budget))
                return E_INTERRUPTED;
            const value *x = relation_row(r, row);
            double start = order_number(v, x[o->start]), end = order_number(v, x[o->end]);
            if (isnan(start) || isnan(end))
                continue; // a value that is no number meets no comparison
            uint32_t g = i ? o->group[row] : 0;
            if (pass == 0)
                o->first[g + 1]++;
            else
                o->entries[o->first[g]++] = (entry){start, end, end, row};
        }
        for (uint32_t g = 0; pass == 0 && g < o->group_count; g++)
            o->first[g + 1] += o->first[g];
    }
    for (uint32_t g = o->group_count; g > 0; g--)
        o->first[g] = o->first[g - 1];
    o->first[0] = 0;
    o->count = o->first[o->group_count];
    for (uint32_t g = 0; g < o->group_count; g++) {
        uint32_t low = o->first[g], count = o->first[g + 1] - low;
        if (!sort_entries(o->entries + low, room, count, r->budget))
            return E_INTERRUPTED;
        reach_of(o->entries, low, low + count);
    }
    return OK;
}

static status build_order(relation *r, relation_order *o, const relation_index *i, uint32_t limit,
                          const values *v) {
    clear_order(r, o);
    size_t n = (size_t)limit + 1;
    size_t bytes = n * (sizeof(entry) + sizeof(uint32_t) * (i ? 2 : 0)) + 2 * sizeof(uint32_t);
    size_t room_bytes = n * sizeof(entry);
    if (!budget_take(r->budget, bytes + room_bytes))
        return E_LIMIT;
    o->bytes = bytes;
    o->covered = limit;
    o->entries = malloc(n * sizeof *o->entries);
    o->group = i ? malloc(n * sizeof *o->group) : NULL;
    o->first = calloc(i ? n + 1 : 2, sizeof *o->first);
    entry *room = malloc(room_bytes);
    status s = o->entries && (o->group || !i) && o->first && room ? OK : E_MEMORY;
    if (s == OK)
        s = fill_order(r, o, i, v, room);
    free(room);
    budget_return(r->budget, room_bytes);
    if (s != OK)
        clear_order(r, o);
    return s;
}

status relation_order_on(relation *r, const relation_index *i, uint32_t mask, uint32_t start,
                         uint32_t end, uint32_t limit, const values *v, relation_order **out) {
    relation_order *o = r->orders;
    while (o && (o->mask != mask || o->start != start || o->end != end))
        o = o->next;
    if (!o) {
        if (!budget_take(r->budget, sizeof *o))
            return E_LIMIT;
        o = calloc(1, sizeof *o);
        if (!o) {
            budget_return(r->budget, sizeof *o);
            return E_MEMORY;
        }
        o->mask = mask;
        o->start = start;
        o->end = end;
        o->next = r->orders;
        r->orders = o;
    }
    // A growing relation is sorted anew when it has grown by half: each row costs O(log n) in all.
    status s = o->covered + o->covered / 2 + 16 < limit || (o->covered == 0 && limit > 0)
                   ? build_order(r, o, i, limit, v)
                   : OK;
    if (s == OK)
        *out = o;
    return s;
}

uint32_t relation_order_covered(const relation_order *o) {
    return o->covered;
}

status relation_order_find(const relation_order *o, uint32_t row, order_range range,
                           row_list *out) {
    uint32_t g = o->group ? o->group[row] : 0;
    struct {
        uint32_t low, high;
    } stack[40];
    uint32_t depth = 0;
    if (!o->first)
        return OK;
    stack[depth].low = o->first[g];
    stack[depth++].high = o->first[g + 1];
    while (depth > 0) {
        depth--;
        uint32_t low = stack[depth].low, high = stack[depth].high;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            const entry *e = &o->entries[middle];
            if (!(e->reach >= range.reach))
                break; // all of it ends before
            if (e->start > range.to) {
                high = middle;
                continue;
            }
            if (e->start >= range.from) {
                // The root of the range may end too early by itself.
                if (e->end >= range.reach && !array_push_try(out, e->row))
                    return E_MEMORY;
                if (low < middle) {
                    stack[depth].low = low;
                    stack[depth++].high = middle;
                }
            }
            low = middle + 1;
        }
    }
    return OK;
}

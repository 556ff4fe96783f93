// query/why/why_not_search.c - finds the largest set of goals of a body that hold together.
//
// The order in which a rule's goals are written is no reason for its failure. The goals that are to
// blame are those outside of the largest set that holds. A set is tried by asking for the
// conjunction of its goals; a set that cannot be asked, since variables in it are not bound, counts
// as not holding.
#include "query/why/why_not_int.h"

#define SETS_MAX 250 // sets that are tried for one body

// A set of goals, bit i for goal i, and the answer for it.
typedef struct tried {
    uint32_t set;
    bool holds;
} tried;

typedef struct search {
    asker *k;
    const body *b;
    ARRAY(tried) known;
} search;

const term *why_not_conjunction(asker *k, const body *b, uint32_t goals) {
    const term *all = NULL;
    for (size_t i = b->goals.count; i > 0; i--) {
        if (!(goals >> (i - 1) & 1))
            continue;
        const term *both[2] = {b->goals.items[i - 1].ask, all};
        all = all ? term_compound(k->a, ",", 2, both) : both[0];
    }
    return all ? all : term_symbol(k->a, "true");
}

static bool set_holds(search *s, uint32_t set) {
    if (set == 0)
        return true;
    for (size_t i = 0; i < s->known.count; i++) {
        if (s->known.items[i].set == set)
            return s->known.items[i].holds;
    }
    if (s->known.count >= SETS_MAX)
        return false;
    size_t count = 0;
    bool can = why_not_ask(s->k, why_not_conjunction(s->k, s->b, set), s->b->file, NULL, &count);
    tried t = {set, can && count > 0};
    return array_push_try(&s->known, t) && t.holds;
}

// Builds a set that holds: adds the first goal as written that keeps it holding, again and again. A
// goal whose variables were unbound can so be added after the goals that bind them.
static uint32_t in_order(search *s) {
    uint32_t taken = 0, n = (uint32_t)s->b->goals.count;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t i = 0; i < n && s->k->failed == OK; i++) {
            uint32_t with = taken | UINT32_C(1) << i;
            if (with != taken && set_holds(s, with)) {
                taken = with;
                moved = true;
                break;
            }
        }
    }
    return taken;
}

static uint32_t size_of(uint32_t set) {
    return (uint32_t)__builtin_popcount(set);
}

// Returns a subset of `set` that holds and lacks `left` of the goals below `below`; 0: none does.
// Sets that lack later goals are tried first.
static uint32_t find_leaving_out(search *s, uint32_t set, uint32_t below, uint32_t left) {
    if (left == 0)
        return set_holds(s, set) ? set : 0;
    for (uint32_t i = below; i-- > 0 && s->k->failed == OK && s->known.count < SETS_MAX;) {
        uint32_t found = find_leaving_out(s, set & ~(UINT32_C(1) << i), i, left - 1);
        if (found)
            return found;
    }
    return 0;
}

// The set that in_order builds may not be the largest, so sets that lack 1 to 3 goals are tried,
// too.
uint32_t why_not_largest_set(asker *k, const body *b) {
    search s = {.k = k, .b = b};
    uint32_t n = (uint32_t)b->goals.count, all = n ? (uint32_t)((UINT64_C(1) << n) - 1) : 0;
    uint32_t best = set_holds(&s, all) ? all : in_order(&s);
    for (uint32_t left = 1; left < n - size_of(best) && left <= 3 && k->failed == OK; left++) {
        uint32_t found = find_leaving_out(&s, all, n, left);
        if (found) {
            best = found;
            break;
        }
    }
    array_finish(&s.known);
    return best;
}

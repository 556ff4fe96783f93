// query/why/why_not_search.c - the most goals of a body that hold at once.
//
// In whatever order a rule's goals are run, the rule fails because of those that are left when as
// many as possible hold together. A set of goals is tried by asking for their conjunction; a set
// that cannot be asked, for variables that are not bound, counts as not holding.
#include "query/why/why_not_int.h"

#define SETS_MAX 250

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

// Takes goals in the order in which they are written, while all taken hold. A goal that could not
// be asked yet is tried again when more variables are bound.
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

// Returns the first set that holds and leaves out `left` goals, later goals before earlier ones; 0:
// there is none.
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

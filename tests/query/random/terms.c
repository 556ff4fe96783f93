// tests/query/random/terms.c - draws, and ground terms that are kept once each.
#include "tests/query/random/random.h"
#include "base/hash.h"

uint64_t draw_seed;

uint32_t draw(uint32_t n) {
    draw_seed = draw_seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((draw_seed >> 33) % n);
}

bool chance(uint32_t percent) {
    return draw(100) < percent;
}

void shuffle(int *order, int n) {
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = (int)draw((uint32_t)i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
}

// ---- Terms ----

#define SLOTS (1u << 20)
static ground *kept;
static int kept_count, kept_room;
static int *slots;

// What they are called here and there. The empty list comes first in the order of symbols in both.
static const char *const symbols[2][SYMBOLS] = {{"[]", "b", "c", "d"}, {"a_nil", "b", "c", "d"}};
static const char *const functors[FUNCTORS] = {"f", "g", "cons"};

int functor_arity(int f) {
    return f == FUNCTOR_F ? 1 : 2;
}

void grounds_forget(void) {
    free(kept);
    free(slots);
    kept = NULL;
    slots = NULL;
    kept_count = kept_room = 0;
}

int ground_of(ground_kind kind, int64_t n, int a, int b) {
    if (!slots)
        slots = calloc(SLOTS, sizeof *slots);
    assert_non_null(slots);
    uint64_t parts[] = {(uint64_t)kind, (uint64_t)n, (uint64_t)a, (uint64_t)b};
    uint32_t at = (uint32_t)(hash_bytes(parts, sizeof parts) % SLOTS);
    for (; slots[at]; at = (at + 1) % SLOTS) {
        const ground *g = &kept[slots[at] - 1];
        if (g->kind == kind && g->n == n && g->args[0] == a && g->args[1] == b)
            return slots[at] - 1;
    }
    assert_true(kept_count < (int)(SLOTS / 2));
    if (kept_count == kept_room) {
        kept_room = kept_room ? 2 * kept_room : 256;
        kept = realloc(kept, (size_t)kept_room * sizeof *kept);
        assert_non_null(kept);
    }
    int depth = 0;
    if (kind == GROUND_COMPOUND) {
        depth = kept[a].depth + 1;
        if (b >= 0 && kept[b].depth >= depth)
            depth = kept[b].depth + 1;
    }
    kept[kept_count] = (ground){kind, n, {a, b}, depth};
    slots[at] = ++kept_count;
    return kept_count - 1;
}

const ground *ground_at(int t) {
    return &kept[t];
}

int ground_order(int a, int b) {
    static const int rank[] = {0, 0, 1, 2};
    if (a == b)
        return 0;
    const ground *x = &kept[a], *y = &kept[b];
    if (rank[x->kind] != rank[y->kind])
        return rank[x->kind] < rank[y->kind] ? -1 : 1;
    if (x->kind == GROUND_COMPOUND) {
        int m = functor_arity((int)x->n), n = functor_arity((int)y->n);
        if (m != n)
            return m < n ? -1 : 1;
        // g and the functor of lists, whose name stands before it everywhere.
        if (x->n != y->n)
            return x->n == FUNCTOR_CONS ? -1 : 1;
        int c = ground_order(x->args[0], y->args[0]);
        return c != 0 || m == 1 ? c : ground_order(x->args[1], y->args[1]);
    }
    return x->n < y->n ? -1 : x->n > y->n;
}

void seconds_write(FILE *out, int64_t ns) {
    fprintf(out, "%s%lld.%09lld", ns < 0 ? "-" : "", llabs(ns) / 1000000000,
            llabs(ns) % 1000000000);
}

void ground_write(FILE *out, int t, syntax s) {
    const ground *g = &kept[t];
    switch (g->kind) {
    case GROUND_INT:
        fprintf(out, "%lld", (long long)g->n);
        break;
    case GROUND_TIME:
        // A number alone would match all instants that round to it, and ends in zeros are not seen.
        if (s == SYNTAX_OURS) {
            fputs("(start + ", out);
            seconds_write(out, g->n);
            fputc(')', out);
        } else
            fprintf(out, "%lld", (long long)g->n);
        break;
    case GROUND_SYMBOL:
        fputs(symbols[s != SYNTAX_OURS][g->n], out);
        break;
    default:
        if (g->n == FUNCTOR_CONS && s == SYNTAX_OURS) {
            fputc('[', out);
            ground_write(out, g->args[0], s);
            fputc('|', out);
            ground_write(out, g->args[1], s);
            fputc(']', out);
            break;
        }
        fprintf(out, "%s(", functors[g->n]);
        ground_write(out, g->args[0], s);
        if (functor_arity((int)g->n) == 2) {
            fputc(',', out);
            ground_write(out, g->args[1], s);
        }
        fputc(')', out);
    }
}

static bool skip_text(const char **at, const char *text) {
    size_t n = strlen(text);
    if (strncmp(*at, text, n) != 0)
        return false;
    *at += n;
    return true;
}

int ground_read(const char **at, bool time) {
    while (**at == ' ')
        ++*at;
    if (**at == '-' || (**at >= '0' && **at <= '9')) {
        char *end;
        long long n = strtoll(*at, &end, 10);
        *at = end;
        return time ? ground_time(n) : ground_int(n);
    }
    for (int f = 0; f < FUNCTORS; f++) {
        const char *p = *at;
        if (!skip_text(&p, functors[f]) || *p != '(')
            continue;
        p++;
        int a = ground_read(&p, false), b = NO_TERM;
        if (functor_arity(f) == 2) {
            if (*p++ != ',')
                return NO_TERM;
            b = ground_read(&p, false);
        }
        if (*p++ != ')' || a < 0 || (b < 0 && functor_arity(f) == 2))
            return NO_TERM;
        *at = p;
        return ground_of(GROUND_COMPOUND, f, a, b);
    }
    for (int s = 0; s < SYMBOLS; s++) {
        if (skip_text(at, symbols[1][s]))
            return ground_of(GROUND_SYMBOL, s, NO_TERM, NO_TERM);
    }
    return NO_TERM;
}

int ground_from_value(const values *v, value x) {
    value head, rest;
    switch (value_kind(x)) {
    case VALUE_INT:
    case VALUE_WIDE:
        return ground_int(values_integer(v, x));
    case VALUE_TIME:
        return ground_time(value_nanos(x));
    case VALUE_SYMBOL:
        if (values_is_nil(v, x))
            return ground_of(GROUND_SYMBOL, 0, NO_TERM, NO_TERM);
        for (int s = 1; s < SYMBOLS; s++) {
            if (strcmp(values_text(v, x), symbols[0][s]) == 0)
                return ground_of(GROUND_SYMBOL, s, NO_TERM, NO_TERM);
        }
        return NO_TERM;
    case VALUE_COMPOUND:
        break;
    default:
        return NO_TERM;
    }
    if (values_uncons(v, x, &head, &rest)) {
        int a = ground_from_value(v, head), b = ground_from_value(v, rest);
        return a < 0 || b < 0 ? NO_TERM : ground_of(GROUND_COMPOUND, FUNCTOR_CONS, a, b);
    }
    for (int f = 0; f < FUNCTOR_CONS; f++) {
        if (!values_is(v, x, functors[f], (uint32_t)functor_arity(f)))
            continue;
        int a = ground_from_value(v, values_args(v, x)[0]), b = NO_TERM;
        if (functor_arity(f) == 2 && (b = ground_from_value(v, values_args(v, x)[1])) < 0)
            return NO_TERM;
        return a < 0 ? NO_TERM : ground_of(GROUND_COMPOUND, f, a, b);
    }
    return NO_TERM;
}

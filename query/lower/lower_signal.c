// query/lower/lower_signal.c - the instants in signals: travel(O, start).
#include "query/lower/lower_int.h"

#include <string.h>

static const struct {
    const char *name, *arguments; // of each a letter, 't' of an instant
} SIGNALS[] = {
#define SIGNAL(name, arguments, function, tolerance, knots, doc) {name, arguments},
#include "query/log/signals.def"
#undef SIGNAL
};

static bool is_instant(const term *signal, uint32_t i) {
    const term *arg = signal->args[i];
    if (!term_is_symbol(arg, "start") && !term_is_symbol(arg, "end"))
        return false;
    for (size_t k = 0; k < sizeof SIGNALS / sizeof *SIGNALS; k++)
        if (term_is(signal, SIGNALS[k].name, (uint32_t)strlen(SIGNALS[k].arguments)))
            return SIGNALS[k].arguments[i] == 't';
    return false;
}

// Returns whether `start` or `end` stands for an instant in the signal, or in one that it computes
// with.
static bool has_instant(const term *t) {
    bool some = false;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity && !some; i++)
        some = is_instant(t, i) || (term_computes(t, true) && has_instant(t->args[i]));
    return some;
}

const pattern *pattern_signal(builder *b, const term *t) {
    if (!has_instant(t))
        return pattern_of(b, t, true);
    pattern *p = arena_alloc(b->a, sizeof *p);
    value *constants = arena_alloc(b->a, t->arity * sizeof *constants);
    bool constant = true;
    p->kind = PATTERN_COMPOUND;
    p->constant = values_symbol(b->p->values, t->text);
    p->arity = t->arity;
    p->args = arena_alloc(b->a, t->arity * sizeof *p->args);
    for (uint32_t i = 0; i < t->arity; i++) {
        p->args[i] = is_instant(t, i) ? pattern_end(b, t->args[i]) : pattern_signal(b, t->args[i]);
        constant = constant && p->args[i]->kind == PATTERN_CONST;
        constants[i] = p->args[i]->constant;
    }
    if (constant)
        *p = (pattern){.kind = PATTERN_CONST,
                       .constant = values_compound(b->p->values, t->text, t->arity, constants)};
    p->written = t;
    return p;
}

// query/builtins/answers.c - adding the answers of builtins, and ending their calls.
#include "query/builtins/builtin.h"

status builtin_emit(builtin_call *c, const value *row) {
    for (uint32_t i = 0; i < c->arity || i == 0; i++) {
        if (!array_push_try(&c->rows, c->arity ? row[i] : VALUE_NONE))
            return E_MEMORY;
    }
    size_t bytes = c->rows.capacity * sizeof *c->rows.items;
    if (!c->budget || bytes <= c->counted)
        return OK;
    // There may be many answers: their memory counts, and the query may be interrupted.
    if (!budget_take(c->budget, bytes - c->counted))
        return E_LIMIT;
    c->counted = bytes;
    return budget_interrupted(c->budget) ? E_INTERRUPTED : OK;
}

status builtin_answer(builtin_call *c, uint32_t first, const value *out, uint32_t count) {
    value row[BUILTIN_ARITY_MAX];
    for (uint32_t i = 0; i < c->arity; i++)
        row[i] = i >= first && i < first + count ? out[i - first] : c->args[i];
    for (uint32_t i = 0; i < count; i++) {
        if (out[i] == VALUE_NONE)
            return OK;
    }
    return builtin_emit(c, row);
}

void builtin_finish(builtin_call *c) {
    if (c->budget)
        budget_return(c->budget, c->counted);
    array_finish(&c->rows);
    if (c->drop)
        c->drop(c->kept);
    c->drop = NULL;
}

bool builtin_time(const builtin_call *c, uint32_t arg, nanos *out) {
    double s;
    if (value_kind(c->args[arg]) == VALUE_TIME) {
        *out = value_nanos(c->args[arg]);
        return true;
    }
    if (!values_number(c->values, c->args[arg], &s) || s > SECONDS_MAX || s < -SECONDS_MAX)
        return false;
    *out = nanos_from_seconds(s);
    return true;
}

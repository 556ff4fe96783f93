// query/builtins/builtins.c - the table of the engine's own builtins (builtins.def).
#include "query/builtins/builtin.h"

static const builtin BUILTINS[] = {
#define BUILTIN(name, modes, function, doc) {name, modes, function, (sizeof modes - 1) / 2, doc},
#include "query/builtins/builtins.def"
#undef BUILTIN
};
#define BUILTIN_COUNT (sizeof BUILTINS / sizeof *BUILTINS)

const builtin *builtin_at(size_t i) {
    return i < BUILTIN_COUNT ? &BUILTINS[i] : NULL;
}

const builtin *builtin_find(const char *name, uint32_t arity) {
    for (size_t i = 0; i < BUILTIN_COUNT; i++) {
        if (BUILTINS[i].arity == arity && BUILTINS[i].name[0] == name[0] &&
            strcmp(BUILTINS[i].name, name) == 0)
            return &BUILTINS[i];
    }
    return NULL;
}

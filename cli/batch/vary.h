// cli/batch/vary.h - parameters that are drawn for each seed, the same for all candidates.
//
// A draw depends on the seed and on the parameter's name alone, so that another parameter, another
// candidate or another number of seeds changes none.
#ifndef FORESEE_CLI_BATCH_VARY_H
#define FORESEE_CLI_BATCH_VARY_H

#include "base/yaml/yaml_read.h"

typedef enum vary_kind {
#define DISTRIBUTION(name, least, most, doc) VARY_##name,
#include "cli/batch/vary.def"
#undef DISTRIBUTION
    VARY_KINDS
} vary_kind;
typedef struct varied {
    const char *scope, *name;
    vary_kind kind;
    double a, b;               // bounds, or mean and standard deviation
    const char *const *values; // of choice and grid
    size_t value_count;
    int line, column;
} varied;
typedef struct variation {
    const char *path;
    varied *items;
    size_t count;
} variation;

// Reads a file `vary: { scope.name: { uniform: [low, high] }, ... }`. Lives in `a`. E_INPUT.
status variation_read(arena *a, const char *path, variation **out, errors *list);
// Draws a parameter; `declared` bounds numbers where it has a minimum or a maximum: a normal draw
// beyond them is drawn again. The text lives in `a`; NULL: a thousand draws were beyond them.
const char *variation_draw(arena *a, const variation *v, size_t i, int64_t seed,
                           const parameter *declared);

#endif

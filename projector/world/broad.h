// projector/world/broad.h - which boxes meet: a tree of boxes over the world's bodies.
#ifndef FORESEE_PROJECTOR_WORLD_BROAD_H
#define FORESEE_PROJECTOR_WORLD_BROAD_H

#include <stddef.h>
#include <stdint.h>

typedef struct bounds {
    double low[3], high[3];
} bounds;

typedef struct broad broad;

broad *broad_create(size_t entities);
void broad_destroy(broad *b);
// Sets where an entity is. Infinite boxes are allowed.
void broad_put(broad *b, size_t entity, const bounds *at);
void broad_remove(broad *b, size_t entity);
// Another number whenever a query may have another answer than before.
uint64_t broad_version(const broad *b);
// The entities whose boxes may meet `at` (those that do, and some near it), in an order that
// depends on the history of puts alone. Valid until the next call.
const size_t *broad_query(broad *b, const bounds *at, size_t *count);

#endif

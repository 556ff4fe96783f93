// base/math/rng.h - random draws keyed by name, so that one more draw somewhere never shifts
// another.
//
// A draw is a pure function of (seed, source, object, occurrence): the same key gives the same
// value in every run. The source is the sensor with the static path of the operation it serves;
// occurrences count within that operation. `channel` separates several numbers of one draw (x, y,
// z, ...).
#ifndef FORESEE_BASE_MATH_RNG_H
#define FORESEE_BASE_MATH_RNG_H

#include <stdint.h>

typedef struct rng_key {
    uint64_t hash;
} rng_key;

rng_key rng_key_make(uint64_t seed, const char *source, const char *object);
// Keys made of more parts, of any length.
rng_key rng_key_extend(rng_key key, const char *text);
rng_key rng_key_count(rng_key key, uint64_t number);
double rng_uniform(rng_key key, uint64_t occurrence, uint32_t channel); // in [0, 1)
double rng_normal(rng_key key, uint64_t occurrence, uint32_t channel);  // mean 0, sigma 1
// One uniform draw by full key.
double rng_draw(uint64_t seed, const char *source, const char *object, uint64_t occurrence);

#endif

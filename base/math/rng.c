// base/math/rng.c - random draws keyed by name.
#include "base/math/rng.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/hash.h"
#include "base/math/geom.h"

// The length goes in too, so that ("ab", "c") and ("a", "bc") differ.
static uint64_t hash_absorb(uint64_t h, const char *text) {
    size_t length = text ? strlen(text) : 0;
    h = hash_word(h ^ (uint64_t)length);
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        for (size_t j = 0; j < 8 && i + j < length; j++)
            word |= (uint64_t)(unsigned char)text[i + j] << (8 * j);
        h = hash_word(h ^ word);
    }
    return h;
}

rng_key rng_key_make(uint64_t seed, const char *source, const char *object) {
    return (rng_key){hash_absorb(hash_absorb(hash_word(seed), source), object)};
}

rng_key rng_key_extend(rng_key key, const char *text) {
    return (rng_key){hash_absorb(key.hash, text)};
}

rng_key rng_key_count(rng_key key, uint64_t number) {
    return (rng_key){hash_word(key.hash ^ hash_word(number))};
}

static uint64_t draw_bits(rng_key key, uint64_t occurrence, uint32_t channel, uint32_t lane) {
    uint64_t h = hash_word(key.hash ^ hash_word(occurrence));
    return hash_word(h ^ ((uint64_t)lane << 32 | channel));
}

// 53 bits: every value is a double, none rounds up to 1.
static double unit_interval(uint64_t bits) {
    return (double)(bits >> 11) * 0x1p-53;
}

double rng_uniform(rng_key key, uint64_t occurrence, uint32_t channel) {
    return unit_interval(draw_bits(key, occurrence, channel, 0));
}

// Box and Muller, from two lanes of their own.
double rng_normal(rng_key key, uint64_t occurrence, uint32_t channel) {
    double u = 1 - unit_interval(draw_bits(key, occurrence, channel, 1));
    double v = unit_interval(draw_bits(key, occurrence, channel, 2));
    return sqrt(-2 * log(u)) * cos(2 * PI * v);
}

double rng_draw(uint64_t seed, const char *source, const char *object, uint64_t occurrence) {
    return rng_uniform(rng_key_make(seed, source, object), occurrence, 0);
}

// base/math/rng.c - random draws keyed by name.
//
// The mixer is the finaliser of SplitMix64 (Steele, Lea & Flood 2014).
#include "base/math/rng.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/math/geom.h"

static uint64_t mix_bits(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

// The length goes in too, so that ("ab", "c") and ("a", "bc") differ.
static uint64_t hash_absorb(uint64_t h, const char *text) {
    size_t length = text ? strlen(text) : 0;
    h = mix_bits(h ^ (uint64_t)length);
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        for (size_t j = 0; j < 8 && i + j < length; j++)
            word |= (uint64_t)(unsigned char)text[i + j] << (8 * j);
        h = mix_bits(h ^ word);
    }
    return h;
}

rng_key rng_key_make(uint64_t seed, const char *source, const char *object) {
    return (rng_key){hash_absorb(hash_absorb(mix_bits(seed), source), object)};
}

rng_key rng_key_extend(rng_key key, const char *text) {
    return (rng_key){hash_absorb(key.hash, text)};
}

rng_key rng_key_count(rng_key key, uint64_t number) {
    return (rng_key){mix_bits(key.hash ^ mix_bits(number))};
}

static uint64_t draw_bits(rng_key key, uint64_t occurrence, uint32_t channel, uint32_t lane) {
    uint64_t h = mix_bits(key.hash ^ mix_bits(occurrence));
    return mix_bits(h ^ ((uint64_t)lane << 32 | channel));
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

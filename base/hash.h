// base/hash.h - hashes, all but one of which are the same on every machine.
#ifndef FORESEE_BASE_HASH_H
#define FORESEE_BASE_HASH_H

#include "base/mem.h"

// FNV-1a of 64 bits.
uint64_t hash_bytes(const void *bytes, size_t length);
// A hash of a long text, eight bytes at a time: not the same on machines of another byte order.
uint64_t hash_long(const void *bytes, size_t length);
// Files are named by their hash in logs and plans: "fnv1a64 ................".
const char *hash_text(arena *a, uint64_t hash);

// Spreads a number over 64 bits: each bit of the result depends on all bits of the number, so that
// any of them choose a slot. The finaliser of SplitMix64 (Steele, Lea & Flood 2014).
static inline uint64_t hash_word(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

// Takes one more number into the hash of a sequence. Cheaper than hash_word; the low bits of the
// result depend little on the high bits of the last number.
static inline uint64_t hash_mix(uint64_t hash, uint64_t more) {
    hash = (hash ^ more) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

#endif

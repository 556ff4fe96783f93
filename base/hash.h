// base/hash.h - hashes that are the same on every machine.
#ifndef FORESEE_BASE_HASH_H
#define FORESEE_BASE_HASH_H

#include "base/mem.h"

// FNV-1a of 64 bits.
uint64_t hash_bytes(const void *bytes, size_t length);
// Files are named by their hash in logs and plans: "fnv1a64 ................".
const char *hash_text(arena *a, uint64_t hash);

// Takes one more number into the hash of a sequence.
static inline uint64_t hash_mix(uint64_t hash, uint64_t more) {
    hash = (hash ^ more) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

#endif

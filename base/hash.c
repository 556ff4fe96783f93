// base/hash.c - hashes, all but one of which are the same on every machine.
#include "base/hash.h"

uint64_t hash_bytes(const void *bytes, size_t length) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        h = (h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return h;
}

uint64_t hash_long(const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    uint64_t h = length, word;
    for (; length >= sizeof word; length -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        h = hash_mix(h, word);
    }
    return hash_word(hash_mix(h, hash_bytes(at, length)));
}

const char *hash_text(arena *a, uint64_t hash) {
    return arena_format(a, "fnv1a64 %016llx", (unsigned long long)hash);
}

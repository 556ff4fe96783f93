// base/hash.c - hashes that are the same on every machine.
#include "base/hash.h"

uint64_t hash_bytes(const void *bytes, size_t length) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        h = (h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return h;
}

const char *hash_text(arena *a, uint64_t hash) {
    return arena_format(a, "fnv1a64 %016llx", (unsigned long long)hash);
}

// projector/fingerprint.h - what decides the bits of a log, beside plan, world, robot and seed.
//
// The same scene and seed give the same log, byte for byte, where all parts are the same: the
// program and how it was compiled, the libraries that compute, and the processor, for which the C
// library chooses its functions. None depends on where a tree lies, on the load, or on the time.
#ifndef FORESEE_PROJECTOR_FINGERPRINT_H
#define FORESEE_PROJECTOR_FINGERPRINT_H

#include "base/mem.h"

typedef struct fingerprint_part {
    const char *name;  // foresee, sources, compiler, libc, libm, libode, ..., processor, arithmetic
    const char *value; // never NULL
} fingerprint_part;

typedef struct fingerprint {
    const fingerprint_part *items;
    size_t count;
} fingerprint;

// That of this program on this machine; in `a`.
fingerprint fingerprint_take(arena *a);

// In what `then` and `now` differ, as a part of a sentence: "the compiler (gcc 12 then, gcc 13 now)
// and libm (...)"; NULL: in nothing. In `a`.
const char *fingerprint_difference(arena *a, const fingerprint *then, const fingerprint *now);

#endif

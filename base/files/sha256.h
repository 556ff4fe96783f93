// base/files/sha256.h - the SHA-256 of a file, where nobody may make another file with the same
// one.
#ifndef FORESEE_BASE_FILES_SHA256_H
#define FORESEE_BASE_FILES_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

#define SHA256_TEXT 65 // hexadecimal digits and the 0

typedef struct sha256 {
    uint32_t state[8];
    uint64_t length; // bytes so far
    unsigned char block[64];
} sha256;

// FIPS 180-4.
void sha256_init(sha256 *s);
void sha256_add(sha256 *s, const void *bytes, size_t length);
void sha256_finish(sha256 *s, char text[SHA256_TEXT]); // in lower case
// Of a regular file of any size. E_INPUT: there is none; E_IO: it cannot be read.
status sha256_file(const char *path, char text[SHA256_TEXT], error *err);
// The same as a log keeps it of a file whose bytes are code: SHA256_MARK and the digits, in `a`.
#define SHA256_MARK "sha256 "
status sha256_mark(arena *a, const char *path, const char **out, error *err);

#endif

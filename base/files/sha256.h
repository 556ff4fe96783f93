// base/files/sha256.h - the SHA-256 of a file, where nobody may make another file with the same
// one.
#ifndef FORESEE_BASE_FILES_SHA256_H
#define FORESEE_BASE_FILES_SHA256_H

#include "base/mem.h"

#define SHA256_TEXT 65 // hexadecimal digits and the 0

// Of a regular file of any size, in lower case. E_INPUT: there is none; E_IO: it cannot be read.
status sha256_file(const char *path, char text[SHA256_TEXT], error *err);
// The same as a log keeps it of a file whose bytes are code: SHA256_MARK and the digits, in `a`.
#define SHA256_MARK "sha256 "
status sha256_mark(arena *a, const char *path, const char **out, error *err);

#endif

// base/files/sha256.c - SHA-256 as FIPS 180-4 states it.
#include "base/files/sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t ROUND[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int by) {
    return x >> by | x << (32 - by);
}

static void block_add(uint32_t state[8], const unsigned char *block) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t big1 = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t first = v[7] + big1 + choice + ROUND[i] + w[i];
        uint32_t big0 = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22);
        uint32_t second = big0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

void sha256_init(sha256 *s) {
    static const uint32_t begin[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(s, 0, sizeof *s);
    memcpy(s->state, begin, sizeof begin);
}

void sha256_add(sha256 *s, const void *bytes, size_t length) {
    const unsigned char *from = bytes;
    size_t held = s->length % 64;
    s->length += length;
    while (length > 0) {
        size_t part = length < 64 - held ? length : 64 - held;
        memcpy(s->block + held, from, part);
        from += part;
        length -= part;
        held = (held + part) % 64;
        if (held == 0)
            block_add(s->state, s->block);
    }
}

void sha256_finish(sha256 *s, char text[SHA256_TEXT]) {
    uint64_t bits = s->length * 8;
    unsigned char end[72] = {0x80};
    size_t zeros = (119 - s->length % 64) % 64; // so that 8 bytes are left in the last block
    for (size_t i = 0; i < 8; i++)
        end[1 + zeros + i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(s, end, zeros + 9);
    for (size_t i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", s->state[i]);
}

status sha256_file(const char *path, char text[SHA256_TEXT], error *err) {
    status st = OK;
    sha256 s;
    sha256_init(&s);
    unsigned char bytes[65536];
    struct stat info;
    // A pipe is opened without waiting for its writer, and then refused.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return error_at(err, E_INPUT, path, 0, 0, "the file cannot be opened: %s", strerror(errno));
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        st = error_at(err, E_INPUT, path, 0, 0, "this is no regular file");
        goto done;
    }
    for (;;) {
        ssize_t n = read(file, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            st = error_at(err, E_IO, path, 0, 0, "the file cannot be read: %s", strerror(errno));
        if (n <= 0)
            break;
        sha256_add(&s, bytes, (size_t)n);
    }
    if (st == OK)
        sha256_finish(&s, text);
done:
    close(file);
    return st;
}

status sha256_mark(arena *a, const char *path, const char **out, error *err) {
    char text[SHA256_TEXT];
    status st = sha256_file(path, text, err);
    if (st == OK)
        *out = arena_format(a, SHA256_MARK "%s", text);
    return st;
}

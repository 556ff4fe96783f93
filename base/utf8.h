// base/utf8.h - characters of texts that come from elsewhere: which bytes are UTF-8, which would
// steer a terminal, and what is written in their place.
#ifndef FORESEE_BASE_UTF8_H
#define FORESEE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of the character that the text begins with; 0: it is none of UTF-8 (surrogates, and what is
// longer than it need be, are none). `length` is at least 1.
size_t utf8_character(const char *text, size_t length);
// The same, but 0 for control characters (C0 with newline and tab, DEL, C1) as well.
size_t utf8_printable(const char *text, size_t length);
// The bytes of the first character as utf8_character counts them, and its code; 0 leaves *code.
size_t utf8_decode(const char *text, size_t length, uint32_t *code);
// The longest length up to this one that ends with a whole character.
size_t utf8_cut(const char *text, size_t length);

// Returns whether the byte continues a character that an earlier byte began.
static inline bool utf8_continues(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}
// The number of characters: of bytes that do not continue one.
size_t utf8_count(const char *text, size_t length);
// Where the character begins that the byte at `at` is part of. `at` may be the end of the text,
// where a 0 stands.
size_t utf8_begin(const char *text, size_t at);

// The bytes that are written for one character. The functions below write those of the first
// character of a text, and return the bytes that they read.
typedef struct utf8_written {
    char bytes[24]; // not ended by a 0
    size_t count;
} utf8_written;
// For a person at a terminal: newline, tab and what is printable as they are, each byte of anything
// else as \xHH.
size_t utf8_show(const char *text, size_t length, utf8_written *out);

#endif

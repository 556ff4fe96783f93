// base/text/text.h - text that grows.
//
// Owns:      its bytes; text_finish frees them.
// Memory:    without any left it calls mem_exhausted; one with `may_fail` sets `failed` instead.
// Invariant: a 0 that `count` does not count stands behind the last byte, once anything was put.
#ifndef FORESEE_BASE_TEXT_TEXT_H
#define FORESEE_BASE_TEXT_TEXT_H

#include "base/mem.h"

// Start from {0}, or from {.may_fail = true}. It is an ARRAY(char), too.
typedef struct text_buffer {
    char *items;
    size_t count, capacity; // bytes
    size_t limit;           // bytes; a text that is longer takes no more. 0: no limit
    bool may_fail;          // set by the caller: too little memory is no reason to end
    bool failed;            // memory was out: bytes are missing, and no more are taken
} text_buffer;

void text_put(text_buffer *b, const char *text);
void text_put_bytes(text_buffer *b, const char *bytes, size_t length);
void text_put_repeated(text_buffer *b, char c, size_t count);
// Appends as printf does.
void text_add(text_buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Appends bytes as base64 (RFC 4648).
void text_put_base64(text_buffer *b, const void *bytes, size_t length);
// Makes room for so many bytes, which the caller writes, and counts them. NULL: they are not taken.
char *text_extend(text_buffer *b, size_t more);
// Appends a text from elsewhere for a person at a terminal: bytes that would steer the terminal, or
// are no character, are written as \xHH. Newlines and tabs are kept.
void text_put_shown(text_buffer *b, const char *text, size_t length);

// Appends a text so that no line is wider than a terminal of `width` columns: lines break at
// blanks, and go on behind what they are indented by and four blanks more; or with `cut` they end
// with three dots. Sequences that give style take no room. Width 0: as it is.
void text_put_folded(text_buffer *b, const char *text, size_t length, size_t width, bool cut);

// What stands before the i-th of `count` items of a list in a sentence: "", ", ", or `last`, which
// is " and " or " or ".
static inline const char *text_joint(size_t i, size_t count, const char *last) {
    return i == 0 ? "" : i + 1 < count ? ", " : last;
}

// The text so far, "" where nothing was put; borrowed until the next change.
const char *text_string(const text_buffer *b);
// Gives the text away and leaves the buffer empty. The caller frees it. NULL: the buffer failed.
char *text_take(text_buffer *b);
void text_finish(text_buffer *b);

#endif

// tests/fuzz/words.c - mutations by lines and words, where libFuzzer's are by bytes.
#include "tests/fuzz/words.h"

#include <ctype.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static size_t draw(unsigned *state, size_t count) {
    *state = *state * 1664525u + 1013904223u;
    return count ? (*state >> 8) % count : 0;
}

// Puts a text in the place of data[from, to); the new size, or the old one where there is no room.
static size_t replace(uint8_t *data, size_t size, size_t most, size_t from, size_t to,
                      const char *text, size_t length) {
    size_t whole = size - (to - from) + length;
    if (whole > most)
        return size;
    memmove(data + from + length, data + to, size - to);
    memcpy(data + from, text, length);
    return whole;
}

static bool in_word(uint8_t c) {
    return isalnum(c) || c == '_' || c == '.';
}

// Begin and end of a line, with its newline.
static void find_line(const uint8_t *data, size_t size, size_t at, size_t *from, size_t *to) {
    while (at > 0 && data[at - 1] != '\n')
        at--;
    *from = at;
    while (at < size && data[at] != '\n')
        at++;
    *to = at < size ? at + 1 : at;
}

static size_t put_line(uint8_t *data, size_t size, size_t most, unsigned *state, const words *w) {
    size_t from, to;
    find_line(data, size, draw(state, size + 1), &from, &to);
    const char *text = w->lines.items[draw(state, w->lines.count)];
    size_t put = replace(data, size, most, from, from, "\n", 1);
    return put == size ? size : replace(data, put, most, from, from, text, strlen(text));
}

static size_t drop_line(uint8_t *data, size_t size, size_t most, unsigned *state) {
    size_t from, to;
    find_line(data, size, draw(state, size), &from, &to);
    return replace(data, size, most, from, to, "", 0);
}

static size_t put_word(uint8_t *data, size_t size, size_t most, unsigned *state, const words *w) {
    size_t from = draw(state, size), to;
    for (size_t tries = 0; tries < size && !in_word(data[from]); tries++)
        from = (from + 1) % size;
    while (from > 0 && in_word(data[from - 1]))
        from--;
    for (to = from; to < size && in_word(data[to]);)
        to++;
    const char *text = w->words.items[draw(state, w->words.count)];
    if (draw(state, 8) == 0)
        from = to;
    return replace(data, size, most, from, to, text, strlen(text));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    const words *w = fuzz_words();
    unsigned state = seed;
    for (size_t n = 1 + draw(&state, 3); n > 0; n--) {
        size_t kind = draw(&state, 10);
        if (size == 0 || kind < 3)
            size = put_line(data, size, most, &state, w);
        else if (kind < 8)
            size = put_word(data, size, most, &state, w);
        else if (kind < 9)
            size = drop_line(data, size, most, &state);
        else
            size = LLVMFuzzerMutate(data, size, most);
    }
    return size;
}

// tests/fuzz/words.h - inputs that are lines of words: what a mutation puts into them.
#ifndef FORESEE_TESTS_FUZZ_WORDS_H
#define FORESEE_TESTS_FUZZ_WORDS_H

#include "base/mem.h"

typedef struct words {
    ARRAY(const char *) lines; // put in whole
    ARRAY(const char *) words; // put in the place of one that stands there, or behind it
} words;

// Those of the target, which live as long as the process.
const words *fuzz_words(void);

#endif

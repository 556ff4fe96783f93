// tests/fuzz/fuzz_term.c - any bytes as clauses; what is read prints as what reads back the same.
#include "base/term/term.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The reader names each `_` anew, so that texts are compared, not terms.
static void check_round_trip(const term *t) {
    arena *a = arena_create();
    const char *text = term_text(a, t);
    const term *again;
    error err;
    ASSERT(term_parse(a, "again", text, strlen(text), 1, 1, &again, &err) == OK);
    ASSERT(strcmp(term_text(a, again), text) == 0);
    ASSERT(term_ground(t) == term_ground(again));
    ASSERT(!term_ground(t) || term_equal(t, again));
    ASSERT(term_equal(t, term_copy(a, t)));
    char little[8];
    ASSERT(term_format(t, little, sizeof little) == strlen(text));
    ASSERT(strlen(little) < sizeof little && strncmp(little, text, strlen(little)) == 0);
    if (term_ground(t)) {
        bindings found = {0};
        ASSERT(term_match(t, again, &found) && found.count == 0);
        array_finish(&found);
    }
    arena_destroy(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    arena *a = arena_create();
    reader r;
    reader_init(&r, a, "fuzz", (const char *)data, size, 1, 1);
    for (;;) {
        const term *clause = NULL;
        error err;
        size_t before = r.at;
        status s = reader_clause(&r, &clause, &err);
        ASSERT(s == OK || (s == E_INPUT && err.line > 0 && err.column > 0 && err.text[0]));
        if (s == OK && !clause)
            break;
        ASSERT(r.at > before);
        if (s == OK)
            check_round_trip(clause);
    }
    ASSERT(r.at == size);
    arena_destroy(a);
    return 0;
}

// schema/words.c - frequent words of a log as single characters.
#include "schema/words.h"

#include <stddef.h>
#include <string.h>

static const char *const pairs[][2] = {
#define PAIR(sign, word) {sign, word},
    WORDS_EACH(PAIR)
#undef PAIR
};
#define PAIR_COUNT (sizeof pairs / sizeof *pairs)

const char *words_pack(const char *word) {
    for (size_t i = 0; i < PAIR_COUNT; i++)
        if (strcmp(pairs[i][1], word) == 0)
            return pairs[i][0];
    return word;
}

const char *words_unpack(const char *packed) {
    for (size_t i = 0; packed[0] && !packed[1] && i < PAIR_COUNT; i++)
        if (pairs[i][0][0] == packed[0])
            return pairs[i][1];
    return packed;
}

static void sql_word(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *text = sqlite3_value_type(values[0]) == SQLITE_TEXT
                           ? (const char *)sqlite3_value_text(values[0])
                           : NULL;
    const char *word = text ? words_unpack(text) : NULL;
    (void)count;
    if (word != text)
        sqlite3_result_text(context, word, -1, SQLITE_STATIC);
    else
        sqlite3_result_value(context, values[0]);
}

int words_register(sqlite3 *db) {
    return sqlite3_create_function_v2(db, "word", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                      sql_word, NULL, NULL, NULL);
}

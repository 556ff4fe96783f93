// report/shell.c - words of a shell.
#include "report/shell.h"

void shell_word(text_buffer *b, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    // A word that begins with a dash would be taken for an option.
    const char *before = *word == '-' ? "./" : "";
    if (*word && word[strspn(word, plain)] == 0) {
        text_add(b, "%s%s", before, word);
        return;
    }
    text_add(b, "'%s", before);
    for (; *word; word++) {
        if (*word == '\'')
            text_put(b, "'\\''");
        else
            text_put_bytes(b, word, 1);
    }
    text_put(b, "'");
}

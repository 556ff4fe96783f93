// base/term/lexer.h - tokens of the text of terms.
#ifndef FORESEE_BASE_TERM_LEXER_H
#define FORESEE_BASE_TERM_LEXER_H

#include "base/term/term_int.h"

typedef enum token_kind {
    TOKEN_END,  // of the text
    TOKEN_STOP, // the '.' that ends a clause
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_SYMBOL, // a plain name, perhaps an operator
    TOKEN_QUOTED, // 'a name', never an operator
    TOKEN_VAR,
    TOKEN_SIGN,
    TOKEN_BAD // text says why
} token_kind;

typedef struct token {
    token_kind kind;
    int line, column;
    char *text; // of names, strings and signs, decoded; of numbers as written
    bool opens; // a '(' follows directly
} token;

// Reads the token behind blanks and comments; the reader stands behind it then. Its text lives in
// the reader's arena.
token lex_token(reader *r);

#endif

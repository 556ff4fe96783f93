// query/rules/scanner.h - tokens of directives, and the phrases that several of them have.
#ifndef FORESEE_QUERY_SCANNER_H
#define FORESEE_QUERY_SCANNER_H

#include "query/rules/program.h"

typedef struct scanner {
    program *p;
    reader *r;
    errors *list;
    char kind; // n name, i integer, s string, q quoted name, e end of the clause, x end of the
               // text, or a sign
    char text[256];
    bool too_long;    // the text does not fit
    int line, column; // of the present token
    reader before;    // behind the token before it
    bool failed;
    int open;        // parentheses that the tokens so far leave open
    reader unclosed; // at the first text whose quote may not be closed; its text is NULL: none
} scanner;

// Moves over blanks and comments.
void scanner_skip_blanks(reader *r);
// Returns whether something that is no part of a directive begins here, at the margin.
bool scanner_clause_begins(const reader *r);
// Reads the next token.
void scanner_next(scanner *s);
// Says what is expected in place of the present token, unless the directive has failed before.
void scanner_fail(scanner *s, const char *expected);

// These take what stands next, in the arena of the program's texts, or fail.
const char *scanner_name(scanner *s, const char *what);
uint32_t scanner_number(scanner *s);
bool scanner_token(scanner *s, char kind, const char *expected);
const char *scanner_predicate(scanner *s); // as this file means its name
const char *scanner_doc(scanner *s);       // "" where no string stands here

bool scanner_at_word(const scanner *s, const char *word);

// table name(arg: type, ...) from table(column, ...) key arg episode column "documentation"
// (table_form.c)
void table_form_read(scanner *s);

#endif

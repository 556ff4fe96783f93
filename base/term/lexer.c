// base/term/lexer.c - text to tokens of terms.
#include "base/term/lexer.h"

// Longest first, so that <= is not read as < and =.
static const char *const SIGNS[] = {":-", "=<", "!=", "<=", ">=", ":", "=", "<", ">", "+", "-",
                                    "*",  "/",  ";",  ",",  "|",  "(", ")", "[", "]", "{", "}"};
#define SIGN_AT_MAX 1 // as other systems write it
#define COUNT(array) (sizeof(array) / sizeof *(array))

// Operators of Prolog, and how they are written here.
static const struct {
    const char *sign, *instead;
} FOREIGN[] = {
    {"->", "there is no '->'; (A -> B ; C) is written (A, B ; not A, C)"},
    {"//", "there is no '//'; a whole quotient is int(A / B)"},
    {"\\+", "unexpected '\\'; negation is written 'not'"},
    {"\\=", "unexpected '\\'; two values that differ are compared by '!='"},
    {"=\\=", "unexpected '\\'; two values that differ are compared by '!='"},
    {"=:=", "there is no '=:='; two values are compared by one '='"},
    {"=..", "there is no '=..'; functor, args and compose take terms apart and together"},
    {"!", "there is no '!': each answer comes once, and limit(N) takes the first"},
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

static bool is_upper(char c) {
    return (c >= 'A' && c <= 'Z') || c == '_';
}

static bool at_end(const reader *r) {
    return r->at >= r->length;
}

static void lex_steps(reader *r, size_t count) {
    for (; count > 0; count--)
        reader_step(r);
}

// Passes blanks and comments. False: a comment has no end.
static bool skip_blanks(reader *r, int *line, int *column) {
    while (!at_end(r)) {
        char c = reader_look(r, 0);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
            reader_step(r);
        } else if (c == '%') {
            while (!at_end(r) && reader_look(r, 0) != '\n')
                reader_step(r);
        } else if (c == '/' && reader_look(r, 1) == '*') {
            *line = r->line;
            *column = r->column;
            lex_steps(r, 2);
            while (!at_end(r) && !(reader_look(r, 0) == '*' && reader_look(r, 1) == '/'))
                reader_step(r);
            if (at_end(r))
                return false;
            lex_steps(r, 2);
        } else {
            break;
        }
    }
    return true;
}

static void token_bad(token *t, char *why) {
    t->kind = TOKEN_BAD;
    t->text = why;
}

static int hex_value(char c) {
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

// One escape, behind its backslash. Returns the byte, or -1.
static int lex_escape(reader *r) {
    char c = reader_look(r, 0);
    static const char names[] = "ntr\\\"'", bytes[] = "\n\t\r\\\"'";
    const char *found = c ? strchr(names, c) : NULL;
    if (found) {
        reader_step(r);
        return bytes[found - names];
    }
    if (c != 'x')
        return -1;
    int high = hex_value(reader_look(r, 1));
    int low = high < 0 ? -1 : hex_value(reader_look(r, 2));
    if (low < 0 || high * 16 + low == 0)
        return -1;
    lex_steps(r, 3);
    return high * 16 + low;
}

static void lex_quoted(reader *r, token *t) {
    char quote = reader_look(r, 0);
    t->kind = quote == '"' ? TOKEN_STRING : TOKEN_QUOTED;
    reader_step(r);
    size_t start = r->at, end = start;
    while (end < r->length && r->text[end] != quote && r->text[end] != '\n')
        end += r->text[end] == '\\' && end + 1 < r->length && r->text[end + 1] != '\n' ? 2 : 1;
    char *text = arena_alloc(r->arena, end - start + 1);
    size_t length = 0;
    bool escape_bad = false;
    t->text = text;
    while (!at_end(r) && reader_look(r, 0) != quote) {
        char c = reader_look(r, 0);
        if (c == '\n')
            break;
        reader_step(r);
        if (c == '\\') {
            int byte = lex_escape(r);
            escape_bad = escape_bad || byte < 0;
            // The byte behind a wrong backslash is passed over, lest an escaped quote end the text.
            if (byte < 0 && !at_end(r) && reader_look(r, 0) != '\n')
                reader_step(r);
            c = (char)byte;
        }
        if (c == 0) {
            token_bad(t, "a zero byte cannot stand in a text");
            return;
        }
        text[length++] = c;
    }
    if (at_end(r) || reader_look(r, 0) != quote) {
        token_bad(t, quote == '"' ? "this \" is not closed on its line"
                                  : "this ' is not closed on its line");
        return;
    }
    reader_step(r);
    if (escape_bad)
        token_bad(t, "unknown escape; known are \\n \\t \\r \\\\ \\\" \\' and \\xHH");
}

// Returns whether a number such as .5 begins here: behind a term a '.' ends the clause.
static bool at_fraction(const reader *r) {
    if (reader_look(r, 0) != '.' || !is_digit(reader_look(r, 1)))
        return false;
    char before = r->at > 0 ? r->text[r->at - 1] : ' ';
    return !name_goes_on(before) && !strchr(")]}\"'", before);
}

static void lex_number(reader *r, token *t) {
    size_t n = 0;
    while (is_digit(reader_look(r, n)))
        n++;
    if (reader_look(r, n) == '.' && is_digit(reader_look(r, n + 1))) {
        n += 2;
        while (is_digit(reader_look(r, n)))
            n++;
    }
    if (reader_look(r, n) == 'e' || reader_look(r, n) == 'E') {
        size_t sign = reader_look(r, n + 1) == '-' || reader_look(r, n + 1) == '+';
        if (is_digit(reader_look(r, n + 1 + sign))) {
            n += 2 + sign;
            while (is_digit(reader_look(r, n)))
                n++;
        }
    }
    t->kind = TOKEN_NUMBER;
    t->text = arena_copy(r->arena, r->text + r->at, n);
    lex_steps(r, n);
    if (name_goes_on(reader_look(r, 0)))
        token_bad(t, "a name cannot begin with a digit; put it in '...'");
}

static void lex_name(reader *r, token *t) {
    bool symbol = is_lower(reader_look(r, 0));
    size_t n = 1;
    while (name_goes_on(reader_look(r, n)) || (symbol && reader_look(r, n) == '#'))
        n++;
    // module:name, without blanks, is one name.
    if (symbol && reader_look(r, n) == ':' && is_lower(reader_look(r, n + 1))) {
        n++;
        while (symbol_goes_on(reader_look(r, n)))
            n++;
    }
    t->kind = symbol ? TOKEN_SYMBOL : TOKEN_VAR;
    t->text = arena_copy(r->arena, r->text + r->at, n);
    lex_steps(r, n);
}

static bool begins_with(const reader *r, const char *text) {
    size_t n = strlen(text);
    return r->length - r->at >= n && memcmp(r->text + r->at, text, n) == 0;
}

static void lex_sign(reader *r, token *t) {
    char first = reader_look(r, 0);
    for (size_t i = 0; i < COUNT(FOREIGN) && !begins_with(r, "!="); i++) {
        if (FOREIGN[i].sign[0] == first && begins_with(r, FOREIGN[i].sign)) {
            token_bad(t, (char *)(uintptr_t)FOREIGN[i].instead);
            reader_step(r);
            return;
        }
    }
    for (size_t i = 0; i < COUNT(SIGNS); i++) {
        if (SIGNS[i][0] != first)
            continue;
        size_t n = strlen(SIGNS[i]);
        if (begins_with(r, SIGNS[i])) {
            t->kind = TOKEN_SIGN;
            // Nobody writes into a sign: its text lasts for good.
            t->text = (char *)(uintptr_t)(i == SIGN_AT_MAX ? "<=" : SIGNS[i]);
            lex_steps(r, n);
            return;
        }
    }
    unsigned char c = (unsigned char)reader_look(r, 0);
    if (c == '$')
        token_bad(t, "a parameter ($name) is known only in the scalars of a YAML file");
    else if (c >= 0x21 && c < 0x7f)
        token_bad(t, arena_format(r->arena, "unexpected '%c'", c));
    else
        token_bad(t,
                  arena_format(r->arena, "unexpected byte 0x%02x; put other letters in '...'", c));
    reader_step(r);
}

token lex_token(reader *r) {
    token t = {.kind = TOKEN_END};
    int line = 0, column = 0;
    if (!skip_blanks(r, &line, &column)) {
        t.line = line;
        t.column = column;
        token_bad(&t, "this comment is not closed; it needs a */");
        return t;
    }
    t.line = r->line;
    t.column = r->column;
    if (at_end(r))
        return t;
    char c = reader_look(r, 0);
    if (c == '"' || c == '\'') {
        lex_quoted(r, &t);
    } else if (is_digit(c) || at_fraction(r)) {
        lex_number(r, &t);
    } else if (is_lower(c) || is_upper(c) ||
               (c == '?' && (is_lower(reader_look(r, 1)) || is_upper(reader_look(r, 1))))) {
        lex_name(r, &t);
    } else if (c == '.') {
        t.kind = TOKEN_STOP;
        reader_step(r);
    } else {
        lex_sign(r, &t);
    }
    t.opens = reader_look(r, 0) == '(';
    return t;
}

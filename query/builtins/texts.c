// query/builtins/texts.c - builtins that make texts: case, pieces, padding, and terms as Lisp
// prints them.
#include <math.h>
#include <stdio.h>
#include "base/text/number.h"
#include "base/text/text.h"
#include "base/utf8.h"
#include "query/builtins/builtin.h"

// A text that a builtin makes: one that is longer than allowed is refused, and takes no more.
#define TEXT_BUFFER                                                                                \
    { .may_fail = true, .limit = TEXT_MAX }

// Gives an answer with the text in argument `arg`, as a symbol or a string; frees the buffer.
static status emit_text(builtin_call *c, text_buffer *b, uint32_t arg, bool symbol) {
    status s = E_MEMORY;
    if (!b->failed && b->count > TEXT_MAX) {
        s = error_set(c->err, E_LIMIT, TEXT_TOO_LONG, TEXT_MAX);
    } else if (!b->failed) {
        value out = symbol ? values_symbol(c->values, text_string(b))
                           : values_string(c->values, text_string(b));
        s = builtin_answer(c, arg, &out, 1);
    }
    text_finish(b);
    return s;
}

static const char *plain_text(const values *v, value x) {
    value_tag k = value_kind(x);
    return k == VALUE_SYMBOL || k == VALUE_STRING ? values_text(v, x) : NULL;
}

static void put_formatted(text_buffer *b, const values *v, value x) {
    size_t length = values_format(v, x, NULL, 0);
    char *text = malloc(length + 1);
    if (!text) {
        b->failed = true;
        return;
    }
    values_format(v, x, text, length + 1);
    text_put_bytes(b, text, length);
    free(text);
}

// Writes symbols and strings as they are, and other values so that they can be read again.
static void put_value(text_buffer *b, const values *v, value x) {
    const char *text = plain_text(v, x);
    if (text)
        text_put(b, text);
    else
        put_formatted(b, v, x);
}

// ---- Case and pieces ----------------------------------------------------------------------------

static status in_case(builtin_call *c, int (*change)(int)) {
    const char *text = plain_text(c->values, c->args[0]);
    if (!text)
        return OK;
    text_buffer b = TEXT_BUFFER;
    for (const char *p = text; *p; p++) {
        unsigned char byte = (unsigned char)*p;
        char changed = (char)(byte < 0x80 ? change(byte) : byte);
        text_put_bytes(&b, &changed, 1);
    }
    return emit_text(c, &b, 1, value_kind(c->args[0]) == VALUE_SYMBOL);
}

// toupper of ctype.h depends on the locale, and answers must not.
static int to_upper(int byte) {
    return byte >= 'a' && byte <= 'z' ? byte - 'a' + 'A' : byte;
}

static int to_lower(int byte) {
    return byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte;
}

status builtin_upper(builtin_call *c) {
    return in_case(c, to_upper);
}

status builtin_lower(builtin_call *c) {
    return in_case(c, to_lower);
}

status builtin_replace(builtin_call *c) {
    const char *text = plain_text(c->values, c->args[0]), *part = plain_text(c->values, c->args[1]),
               *by = plain_text(c->values, c->args[2]);
    if (!text || !part || !by || !part[0])
        return OK;
    text_buffer b = TEXT_BUFFER;
    for (const char *at; (at = strstr(text, part)); text = at + strlen(part)) {
        text_put_bytes(&b, text, (size_t)(at - text));
        text_put(&b, by);
    }
    text_put(&b, text);
    return emit_text(c, &b, 3, value_kind(c->args[0]) == VALUE_SYMBOL);
}

// Returns the byte at which the n-th character begins, from 0; the end of a shorter text.
static size_t character_at(const char *text, int64_t n) {
    size_t at = 0;
    while (text[at] && n > 0) {
        at++;
        n -= !utf8_continues(text[at]);
    }
    return at;
}

status builtin_substring(builtin_call *c) {
    const char *text = plain_text(c->values, c->args[0]);
    int64_t from, count;
    if (!text || !values_whole(c->values, c->args[1], &from) ||
        !values_whole(c->values, c->args[2], &count) || from < 1 || count < 0)
        return OK;
    const char *first = text + character_at(text, from - 1);
    text_buffer b = TEXT_BUFFER;
    text_put_bytes(&b, first, character_at(first, count));
    return emit_text(c, &b, 3, value_kind(c->args[0]) == VALUE_SYMBOL);
}

// Reads a number as rules write it: 12, -3, 2.5, 1e-3.
status builtin_number(builtin_call *c) {
    const char *text = plain_text(c->values, c->args[0]);
    int64_t whole;
    double real;
    if (value_is_number(c->args[0]))
        return builtin_answer(c, 1, c->args, 1);
    if (!text)
        return OK;
    // Digits alone are an integer, or too many for one, which rules refuse.
    bool digits = !text[strcspn(text, ".eE")];
    value out = VALUE_NONE;
    if (number_parse_integer(text, strlen(text), &whole))
        out = values_int(c->values, whole);
    else if (!digits && number_parse(text, strlen(text), &real))
        out = values_float(c->values, real);
    return builtin_answer(c, 1, &out, 1);
}

status builtin_split(builtin_call *c) {
    const char *text = plain_text(c->values, c->args[0]), *by = plain_text(c->values, c->args[1]);
    if (!text || !by || !by[0])
        return OK;
    ARRAY(value) pieces = {0};
    status s = OK;
    for (bool last = false; !last && s == OK;) {
        const char *at = strstr(text, by);
        last = !at;
        size_t length = at ? (size_t)(at - text) : strlen(text);
        char *piece = malloc(length + 1);
        if (!piece || !array_push_try(&pieces, VALUE_NONE)) {
            free(piece);
            s = E_MEMORY;
            break;
        }
        memcpy(piece, text, length);
        piece[length] = 0;
        pieces.items[pieces.count - 1] = values_string(c->values, piece);
        free(piece);
        text += length + (at ? strlen(by) : 0);
    }
    if (s == OK) {
        value out = values_list(c->values, pieces.items, pieces.count);
        s = builtin_answer(c, 2, &out, 1);
    }
    array_finish(&pieces);
    return s;
}

status builtin_join(builtin_call *c) {
    const char *by = plain_text(c->values, c->args[1]);
    value head, rest = c->args[0];
    text_buffer b = TEXT_BUFFER;
    if (!by)
        return OK;
    for (bool first = true; values_uncons(c->values, rest, &head, &rest); first = false) {
        text_put(&b, first ? "" : by);
        put_value(&b, c->values, head);
    }
    if (!values_is_nil(c->values, rest)) {
        array_finish(&b);
        return OK;
    }
    return emit_text(c, &b, 2, false);
}

status builtin_text(builtin_call *c) {
    text_buffer b = TEXT_BUFFER;
    put_value(&b, c->values, c->args[0]);
    return emit_text(c, &b, 1, false);
}

// ---- Lisp ---------------------------------------------------------------------------------------

// Writes a name in capitals with hyphens: object_carried is OBJECT-CARRIED, des#17 is DES-17.
static void put_name(text_buffer *b, const char *name) {
    for (const char *p = name; *p; p++) {
        char byte = (char)to_upper((unsigned char)*p);
        if (byte == '_' || byte == '#' || byte == ' ' || byte == '(' || byte == ')')
            byte = '-';
        text_put_bytes(b, &byte, 1);
    }
}

static void put_lisp(text_buffer *b, const values *v, value x) {
    value head, rest = x;
    if (value_kind(x) == VALUE_COMPOUND && values_is(v, x, "$var", 1)) {
        const char *name = values_text(v, values_args(v, x)[0]);
        text_put(b, name[0] == '?' ? "" : "?");
        put_name(b, name[0] == '_' ? "" : name); // `_` is anything, each a variable of its own
        return;
    }
    if (values_is_nil(v, x)) {
        text_put(b, "()");
        return;
    }
    if (value_kind(x) == VALUE_SYMBOL) {
        put_name(b, values_text(v, x));
        return;
    }
    if (value_kind(x) != VALUE_COMPOUND) {
        put_formatted(b, v, x);
        return;
    }
    text_put(b, "(");
    bool first = true;
    for (; values_uncons(v, rest, &head, &rest); first = false) {
        text_put(b, first ? "" : " ");
        put_lisp(b, v, head);
    }
    if (first) {
        put_name(b, values_text(v, values_functor(v, x)));
        for (uint32_t i = 0; i < values_arity(v, x); i++) {
            text_put(b, " ");
            put_lisp(b, v, values_args(v, x)[i]);
        }
    } else if (!values_is_nil(v, rest)) {
        text_put(b, " . ");
        put_lisp(b, v, rest);
    }
    text_put(b, ")");
}

status builtin_lisp(builtin_call *c) {
    text_buffer b = TEXT_BUFFER;
    put_lisp(&b, c->values, c->args[0]);
    return emit_text(c, &b, 1, false);
}

// ---- Columns ------------------------------------------------------------------------------------

typedef struct place {
    bool right;
    int width, decimals; // decimals -1: as it is
} place;

static int read_digits(const char **at) {
    int n = 0;
    for (; **at >= '0' && **at <= '9' && n < 1000; (*at)++)
        n = 10 * n + (**at - '0');
    return n;
}

// Reads the text between { and }; false: it is no place for a value.
static bool read_place(const char **at, place *out) {
    *out = (place){.decimals = -1};
    const char *p = *at;
    if (*p == '>') {
        out->right = true;
        p++;
    }
    out->width = read_digits(&p);
    if (*p == '.') {
        p++;
        out->decimals = read_digits(&p);
    }
    if (*p != '}')
        return false;
    *at = p + 1;
    return true;
}

// Writes a number with decimals, with a point in every locale. False: the number is too large.
static bool put_decimals(text_buffer *b, double x, int decimals) {
    double scale = 1;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    if (!(fabs(x) * scale < 9e15))
        return false;
    long long scaled = llround(fabs(x) * scale), unit = (long long)scale;
    char text[64];
    int length =
        snprintf(text, sizeof text, "%s%lld", x < 0 && scaled > 0 ? "-" : "", scaled / unit);
    text_put_bytes(b, text, (size_t)length);
    if (decimals > 0) {
        length = snprintf(text, sizeof text, ".%0*lld", decimals, scaled % unit);
        text_put_bytes(b, text, (size_t)length);
    }
    return true;
}

static void put_placed(text_buffer *b, const values *v, place where, value x) {
    text_buffer own = TEXT_BUFFER;
    double number;
    if (where.decimals < 0 || where.decimals > 9 || !values_number(v, x, &number) ||
        !put_decimals(&own, number, where.decimals))
        put_value(&own, v, x);
    int have = (int)utf8_count(text_string(&own), own.count);
    for (int n = have; where.right && n < where.width; n++)
        text_put_bytes(b, " ", 1);
    text_put_bytes(b, text_string(&own), own.count);
    for (int n = have; !where.right && n < where.width; n++)
        text_put_bytes(b, " ", 1);
    b->failed = b->failed || own.failed;
    text_finish(&own);
}

status builtin_pad(builtin_call *c) {
    int64_t width;
    if (!values_whole(c->values, c->args[1], &width))
        return OK;
    if (width > TEXT_MAX || width < -TEXT_MAX)
        return error_set(c->err, E_LIMIT, TEXT_TOO_LONG, TEXT_MAX);
    place where = {width < 0, (int)(width < 0 ? -width : width), -1};
    text_buffer b = TEXT_BUFFER;
    put_placed(&b, c->values, where, c->args[0]);
    return emit_text(c, &b, 2, false);
}

status builtin_format(builtin_call *c) {
    const char *at = plain_text(c->values, c->args[0]);
    value head, rest = c->args[1];
    if (!at)
        return OK;
    text_buffer b = TEXT_BUFFER;
    while (*at) {
        place where;
        if (at[0] == '{' && at[1] == '{') {
            text_put_bytes(&b, "{", 1);
            at += 2;
        } else if (*at == '{') {
            at++;
            if (!read_place(&at, &where)) {
                array_finish(&b);
                return error_set(c->err, E_INPUT,
                                 "format: a place is {}, {20}, {>8} or {>8.2}; a brace is {{");
            }
            if (!values_uncons(c->values, rest, &head, &rest)) {
                array_finish(&b);
                return OK;
            }
            put_placed(&b, c->values, where, head);
        } else {
            text_put_bytes(&b, at++, 1);
        }
    }
    return emit_text(c, &b, 2, false);
}

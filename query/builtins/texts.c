// query/builtins/texts.c - builtins that make texts: case, pieces, columns, and terms as Lisp
// prints them.
#include <math.h>
#include <stdio.h>
#include "base/text/number.h"
#include "query/builtins/builtin.h"

typedef struct buffer {
    char *items;
    size_t count, capacity;
    bool failed;
} buffer;

static void put(buffer *b, const char *bytes, size_t length) {
    if (b->count > TEXT_MOST)
        return; // it is refused, however long it is
    if (b->failed || !array_reserve_try(b, b->count + length + 1)) {
        b->failed = true;
        return;
    }
    memcpy(b->items + b->count, bytes, length);
    b->count += length;
    b->items[b->count] = 0;
}

static void put_text(buffer *b, const char *text) {
    put(b, text, strlen(text));
}

// Answers with the text in argument `arg`, as a symbol or a string; frees the buffer.
static status give(builtin_call *c, buffer *b, uint32_t arg, bool symbol) {
    put(b, "", 0);
    status s = E_MEMORY;
    if (!b->failed && b->count > TEXT_MOST) {
        s = error_set(c->err, E_LIMIT, TEXT_TOO_LONG, TEXT_MOST);
    } else if (!b->failed) {
        value out =
            symbol ? values_symbol(c->values, b->items) : values_string(c->values, b->items);
        s = builtin_answer(c, arg, &out, 1);
    }
    array_finish(b);
    return s;
}

static const char *bare(const values *v, value x) {
    value_tag k = value_kind(x);
    return k == VALUE_SYMBOL || k == VALUE_STRING ? values_text(v, x) : NULL;
}

static void put_formatted(buffer *b, const values *v, value x) {
    size_t length = values_format(v, x, NULL, 0);
    char *text = malloc(length + 1);
    if (!text) {
        b->failed = true;
        return;
    }
    values_format(v, x, text, length + 1);
    put(b, text, length);
    free(text);
}

// Symbols and strings as they are, all else as it would be read again.
static void put_value(buffer *b, const values *v, value x) {
    const char *text = bare(v, x);
    if (text)
        put_text(b, text);
    else
        put_formatted(b, v, x);
}

// ---- Case and pieces ----------------------------------------------------------------------------

static status in_case(builtin_call *c, int (*change)(int)) {
    const char *text = bare(c->values, c->args[0]);
    if (!text)
        return OK;
    buffer b = {0};
    for (const char *p = text; *p; p++) {
        unsigned char byte = (unsigned char)*p;
        char changed = (char)(byte < 0x80 ? change(byte) : byte);
        put(&b, &changed, 1);
    }
    return give(c, &b, 1, value_kind(c->args[0]) == VALUE_SYMBOL);
}

// Not toupper of ctype.h: answers must not depend on the locale.
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
    const char *text = bare(c->values, c->args[0]), *part = bare(c->values, c->args[1]),
               *by = bare(c->values, c->args[2]);
    if (!text || !part || !by || !part[0])
        return OK;
    buffer b = {0};
    for (const char *at; (at = strstr(text, part)); text = at + strlen(part)) {
        put(&b, text, (size_t)(at - text));
        put_text(&b, by);
    }
    put_text(&b, text);
    return give(c, &b, 3, value_kind(c->args[0]) == VALUE_SYMBOL);
}

// The byte at which the n-th character begins, from 0; the end of the text where it has fewer.
static size_t character_at(const char *text, int64_t n) {
    size_t at = 0;
    while (text[at] && n > 0) {
        at++;
        n -= ((unsigned char)text[at] & 0xc0) != 0x80;
    }
    return at;
}

status builtin_substring(builtin_call *c) {
    const char *text = bare(c->values, c->args[0]);
    if (!text || value_kind(c->args[1]) != VALUE_INT || value_kind(c->args[2]) != VALUE_INT)
        return OK;
    int64_t from = values_integer(c->values, c->args[1]),
            count = values_integer(c->values, c->args[2]);
    if (from < 1 || count < 0)
        return OK;
    const char *first = text + character_at(text, from - 1);
    buffer b = {0};
    put(&b, first, character_at(first, count));
    return give(c, &b, 3, value_kind(c->args[0]) == VALUE_SYMBOL);
}

// As rules write numbers: 12, -3, 2.5, 1e-3.
status builtin_number(builtin_call *c) {
    const char *text = bare(c->values, c->args[0]);
    int64_t whole;
    double real;
    if (value_is_number(c->args[0]))
        return builtin_answer(c, 1, c->args, 1);
    if (!text)
        return OK;
    value out = number_parse_integer(text, strlen(text), &whole) ? values_int(c->values, whole)
                : number_parse(text, strlen(text), &real)        ? values_float(c->values, real)
                                                                 : VALUE_NONE;
    return builtin_answer(c, 1, &out, 1);
}

status builtin_split(builtin_call *c) {
    const char *text = bare(c->values, c->args[0]), *by = bare(c->values, c->args[1]);
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
    const char *by = bare(c->values, c->args[1]);
    value head, rest = c->args[0];
    buffer b = {0};
    if (!by)
        return OK;
    for (bool first = true; values_uncons(c->values, rest, &head, &rest); first = false) {
        put_text(&b, first ? "" : by);
        put_value(&b, c->values, head);
    }
    if (!values_is_nil(c->values, rest)) {
        array_finish(&b);
        return OK;
    }
    return give(c, &b, 2, false);
}

status builtin_text(builtin_call *c) {
    buffer b = {0};
    put_value(&b, c->values, c->args[0]);
    return give(c, &b, 1, false);
}

// ---- Lisp ---------------------------------------------------------------------------------------

// In capitals; what parts a name elsewhere is a hyphen: object_carried OBJECT-CARRIED, des#17
// DES-17.
static void put_name(buffer *b, const char *name) {
    for (const char *p = name; *p; p++) {
        char byte = (char)to_upper((unsigned char)*p);
        if (byte == '_' || byte == '#' || byte == ' ' || byte == '(' || byte == ')')
            byte = '-';
        put(b, &byte, 1);
    }
}

static void put_lisp(buffer *b, const values *v, value x) {
    value head, rest = x;
    if (value_kind(x) == VALUE_COMPOUND && values_is(v, x, "$var", 1)) {
        const char *name = values_text(v, values_args(v, x)[0]);
        put_text(b, name[0] == '?' ? "" : "?");
        put_name(b, name[0] == '_' ? "" : name); // `_` is anything, each a variable of its own
        return;
    }
    if (values_is_nil(v, x)) {
        put_text(b, "()");
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
    put_text(b, "(");
    bool first = true;
    for (; values_uncons(v, rest, &head, &rest); first = false) {
        put_text(b, first ? "" : " ");
        put_lisp(b, v, head);
    }
    if (first) {
        put_name(b, values_text(v, values_functor(v, x)));
        for (uint32_t i = 0; i < values_arity(v, x); i++) {
            put_text(b, " ");
            put_lisp(b, v, values_args(v, x)[i]);
        }
    } else if (!values_is_nil(v, rest)) {
        put_text(b, " . ");
        put_lisp(b, v, rest);
    }
    put_text(b, ")");
}

status builtin_lisp(builtin_call *c) {
    buffer b = {0};
    put_lisp(&b, c->values, c->args[0]);
    return give(c, &b, 1, false);
}

// ---- Columns ------------------------------------------------------------------------------------

typedef struct place {
    bool right;
    int width, decimals; // decimals -1: as it is
} place;

static int digits(const char **at) {
    int n = 0;
    for (; **at >= '0' && **at <= '9' && n < 1000; (*at)++)
        n = 10 * n + (**at - '0');
    return n;
}

// Reads what stands between { and }; false: it is no place.
static bool read_place(const char **at, place *out) {
    *out = (place){.decimals = -1};
    const char *p = *at;
    if (*p == '>') {
        out->right = true;
        p++;
    }
    out->width = digits(&p);
    if (*p == '.') {
        p++;
        out->decimals = digits(&p);
    }
    if (*p != '}')
        return false;
    *at = p + 1;
    return true;
}

// With a point in every locale. False: too large for this.
static bool put_decimals(buffer *b, double x, int decimals) {
    double scale = 1;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    if (!(fabs(x) * scale < 9e15))
        return false;
    long long scaled = llround(fabs(x) * scale), unit = (long long)scale;
    char text[64];
    int length =
        snprintf(text, sizeof text, "%s%lld", x < 0 && scaled > 0 ? "-" : "", scaled / unit);
    put(b, text, (size_t)length);
    if (decimals > 0) {
        length = snprintf(text, sizeof text, ".%0*lld", decimals, scaled % unit);
        put(b, text, (size_t)length);
    }
    return true;
}

static void put_placed(buffer *b, const values *v, place where, value x) {
    buffer own = {0};
    double number;
    if (where.decimals < 0 || where.decimals > 9 || !values_number(v, x, &number) ||
        !put_decimals(&own, number, where.decimals))
        put_value(&own, v, x);
    put(&own, "", 0);
    int have = 0; // characters of UTF-8
    for (size_t i = 0; i < own.count; i++)
        have += ((unsigned char)own.items[i] & 0xc0) != 0x80;
    for (int n = have; where.right && n < where.width; n++)
        put(b, " ", 1);
    put(b, own.failed ? "" : own.items, own.count);
    for (int n = have; !where.right && n < where.width; n++)
        put(b, " ", 1);
    b->failed = b->failed || own.failed;
    array_finish(&own);
}

status builtin_pad(builtin_call *c) {
    int64_t width = value_kind(c->args[1]) == VALUE_INT ? values_integer(c->values, c->args[1]) : 0;
    if (value_kind(c->args[1]) != VALUE_INT)
        return OK;
    if (width > TEXT_MOST || width < -TEXT_MOST)
        return error_set(c->err, E_LIMIT, TEXT_TOO_LONG, TEXT_MOST);
    place where = {width < 0, (int)(width < 0 ? -width : width), -1};
    buffer b = {0};
    put_placed(&b, c->values, where, c->args[0]);
    return give(c, &b, 2, false);
}

status builtin_format(builtin_call *c) {
    const char *at = bare(c->values, c->args[0]);
    value head, rest = c->args[1];
    if (!at)
        return OK;
    buffer b = {0};
    while (*at) {
        place where;
        if (at[0] == '{' && at[1] == '{') {
            put(&b, "{", 1);
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
            put(&b, at++, 1);
        }
    }
    return give(c, &b, 2, false);
}

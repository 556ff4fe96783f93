// base/term/print.c - writes terms as they would be read again.
#include <ctype.h>

#include "base/text/number.h"
#include "base/term/term_int.h"
#include "base/utf8.h"

// Terms go to a buffer of a fixed size, as snprintf writes: records are made of terms in every
// cycle of a projection, and allocate nothing.
typedef struct output {
    char *buffer;
    size_t size, length;
} output;

static void put_bytes(output *o, const char *text, size_t length) {
    if (o->length < o->size) {
        size_t room = o->size - o->length;
        memcpy(o->buffer + o->length, text, length < room ? length : room);
    }
    o->length += length;
}

static void put_text(output *o, const char *text) {
    put_bytes(o, text, strlen(text));
}

// Bytes that are no printable character are escaped, so that any text is read back as it was.
static void put_quoted(output *o, const char *text, char quote) {
    put_bytes(o, &quote, 1);
    for (size_t length = strlen(text), taken; length > 0; text += taken, length -= taken) {
        utf8_written shown;
        taken = utf8_show(text, length, &shown);
        if (*text == quote || *text == '\\')
            put_bytes(o, "\\", 1);
        if (*text == '\n' || *text == '\t' || *text == '\r')
            put_bytes(o, *text == '\n' ? "\\n" : *text == '\t' ? "\\t" : "\\r", 2);
        else
            put_bytes(o, shown.bytes, shown.count);
    }
    put_bytes(o, &quote, 1);
}

static bool plain_symbol(const char *text) {
    if (!(text[0] >= 'a' && text[0] <= 'z') || operator_is_word(text))
        return false;
    for (const char *c = text; *c; c++) {
        if (!symbol_goes_on(*c))
            return false;
    }
    return true;
}

static void put_symbol(output *o, const char *text) {
    if (plain_symbol(text) || strcmp(text, "[]") == 0)
        put_text(o, text);
    else
        put_quoted(o, text, '\'');
}

static void put_term(output *o, const term *t, int priority);

static void put_list(output *o, const term *t) {
    put_bytes(o, "[", 1);
    put_term(o, t->args[0], PRIORITY_ARGUMENT);
    for (t = t->args[1]; term_is(t, "[|]", 2); t = t->args[1]) {
        put_bytes(o, ", ", 2);
        put_term(o, t->args[0], PRIORITY_ARGUMENT);
    }
    if (!term_is_symbol(t, "[]")) {
        put_bytes(o, " | ", 3);
        put_term(o, t, PRIORITY_ARGUMENT);
    }
    put_bytes(o, "]", 1);
}

static void put_prefix(output *o, const term *t, const operator_info *op, int priority) {
    const term *operand = t->args[0];
    if (op->priority > priority)
        put_bytes(o, "(", 1);
    put_text(o, op->text);
    bool minus = strcmp(op->text, "-") == 0;
    if (minus && (operand->kind == TERM_INT || operand->kind == TERM_FLOAT)) {
        // Without the parentheses it would be read as a negative number.
        put_bytes(o, "(", 1);
        put_term(o, operand, PRIORITY_MAX);
        put_bytes(o, ")", 1);
    } else {
        if (!minus)
            put_bytes(o, " ", 1);
        put_term(o, operand, op->right);
    }
    if (op->priority > priority)
        put_bytes(o, ")", 1);
}

static void put_infix(output *o, const term *t, const operator_info *op, int priority) {
    if (op->priority > priority)
        put_bytes(o, "(", 1);
    put_term(o, t->args[0], op->left);
    if (strcmp(op->text, ",") != 0)
        put_bytes(o, " ", 1);
    put_text(o, op->text);
    put_bytes(o, " ", 1);
    put_term(o, t->args[1], op->right);
    if (op->priority > priority)
        put_bytes(o, ")", 1);
}

static void put_aggregate(output *o, const term *t) {
    put_text(o, t->args[0]->text);
    put_bytes(o, " { ", 3);
    if (!term_is_symbol(t->args[1], "_")) {
        put_term(o, t->args[1], PRIORITY_BRACED);
        put_bytes(o, " : ", 3);
    }
    put_term(o, t->args[2], PRIORITY_BRACED);
    put_bytes(o, " }", 2);
}

static void put_compound(output *o, const term *t, int priority) {
    if (term_is(t, "[|]", 2)) {
        put_list(o, t);
        return;
    }
    if (term_is(t, "{}", 3) && t->args[0]->kind == TERM_SYMBOL &&
        aggregate_is_known(t->args[0]->text)) {
        put_aggregate(o, t);
        return;
    }
    const operator_info *op = t->arity == 2   ? operator_infix(t->text)
                              : t->arity == 1 ? operator_prefix(t->text)
                                              : NULL;
    if (op && t->arity == 2) {
        put_infix(o, t, op, priority);
        return;
    }
    if (op) {
        put_prefix(o, t, op, priority);
        return;
    }
    // A functor that is not a plain name stands in quotes, "[]" too: [](x) would not be read.
    if (plain_symbol(t->text))
        put_text(o, t->text);
    else
        put_quoted(o, t->text, '\'');
    put_bytes(o, "(", 1);
    for (uint32_t i = 0; i < t->arity; i++) {
        if (i > 0)
            put_bytes(o, ", ", 2);
        put_term(o, t->args[i], PRIORITY_ARGUMENT);
    }
    put_bytes(o, ")", 1);
}

static void put_integer(output *o, int64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        digits[--at] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (value < 0)
        digits[--at] = '-';
    put_bytes(o, digits + at, sizeof digits - at);
}

static void put_term(output *o, const term *t, int priority) {
    char number[NUMBER_SIZE];
    switch (t->kind) {
    case TERM_INT:
        put_integer(o, t->integer);
        break;
    case TERM_FLOAT:
        put_bytes(o, number, number_format(t->real, number));
        break;
    case TERM_STRING:
        put_quoted(o, t->text, '"');
        break;
    case TERM_SYMBOL:
        put_symbol(o, t->text);
        break;
    case TERM_VAR:
        put_text(o, term_is_anonymous(t) ? "_" : t->text);
        break;
    case TERM_COMPOUND:
        put_compound(o, t, priority);
        break;
    }
}

size_t term_format(const term *t, char *buffer, size_t size) {
    output o = {buffer, size, 0};
    put_term(&o, t, PRIORITY_MAX);
    if (size > 0)
        buffer[o.length < size ? o.length : size - 1] = 0;
    return o.length;
}

char *term_text(arena *a, const term *t) {
    // Most are short, and written once only.
    char start[256];
    size_t length = term_format(t, start, sizeof start);
    if (length < sizeof start)
        return arena_copy(a, start, length);
    char *text = arena_alloc(a, length + 1);
    term_format(t, text, length + 1);
    return text;
}

void term_put(text_buffer *b, const term *t) {
    char start[256];
    size_t length = term_format(t, start, sizeof start);
    char *room = text_extend(b, length);
    if (room && length < sizeof start)
        memcpy(room, start, length);
    else if (room)
        term_format(t, room, length + 1);
}

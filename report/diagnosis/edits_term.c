#include "report/diagnosis/edits_term.h"

static status write_value(const term *t, text_buffer *out, error *err);

// Whether a proper list of at least one item is a map: of terms with one argument each.
static bool is_map(const term *list, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        const term *item = term_list_item(list, (size_t)i);
        if (item->kind != TERM_COMPOUND || item->arity != 1)
            return false;
    }
    return count > 0;
}

static status write_map(const term *list, int64_t count, text_buffer *out, error *err) {
    status st = OK;
    text_put(out, "{");
    for (int64_t i = 0; st == OK && i < count; i++) {
        const term *pair = term_list_item(list, (size_t)i);
        for (int64_t k = 0; k < i; k++)
            if (strcmp(term_list_item(list, (size_t)k)->text, pair->text) == 0)
                return error_set(err, E_INPUT, "an edit gives '%s' twice", pair->text);
        if (i > 0)
            text_put(out, ", ");
        json_string(out, pair->text);
        text_put(out, ": ");
        st = write_value(pair->args[0], out, err);
    }
    text_put(out, "}");
    return st;
}

static status write_list(const term *list, int64_t count, text_buffer *out, error *err) {
    status st = OK;
    text_put(out, "[");
    for (int64_t i = 0; st == OK && i < count; i++) {
        if (i > 0)
            text_put(out, ", ");
        st = write_value(term_list_item(list, (size_t)i), out, err);
    }
    text_put(out, "]");
    return st;
}

// A term that is neither: its text, as plans write goals.
static void write_text(const term *t, text_buffer *out) {
    arena *memory = arena_create();
    json_string(out, term_text(memory, t));
    arena_destroy(memory);
}

static status write_value(const term *t, text_buffer *out, error *err) {
    int64_t count = term_list_length(t);
    if (count >= 0)
        return is_map(t, count) ? write_map(t, count, out, err) : write_list(t, count, out, err);
    switch (t->kind) {
    case TERM_VAR:
        return error_set(err, E_INPUT, "an edit leaves the variable %s open", t->text);
    case TERM_INT:
        text_add(out, "%lld", (long long)t->integer);
        return OK;
    case TERM_FLOAT:
        json_number(out, t->real);
        return OK;
    case TERM_STRING:
        json_string(out, t->text);
        return OK;
    case TERM_SYMBOL:
        if (strcmp(t->text, "true") == 0 || strcmp(t->text, "false") == 0 ||
            strcmp(t->text, "null") == 0)
            text_put(out, t->text);
        else
            json_string(out, t->text);
        return OK;
    case TERM_COMPOUND:
        if (!term_ground(t))
            return error_set(err, E_INPUT, "an edit leaves a variable of %s(...) open", t->text);
        write_text(t, out);
        return OK;
    }
    return OK;
}

status edits_json(const term *edits, text_buffer *out, error *err) {
    if (term_list_length(edits) < 0)
        return error_set(err, E_INPUT, "edits are a list, such as [[delete(\"tidy/see\")]]");
    text_buffer text = {0};
    status st = write_value(edits, &text, err);
    if (st == OK)
        text_add(out, "%.*s", (int)text.count, text.items);
    array_finish(&text);
    return st;
}

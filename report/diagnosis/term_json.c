// report/diagnosis/term_json.c - terms as JSON.
#include "report/diagnosis/term_json.h"

typedef struct json_writer {
    text_buffer *out;
    bool edits; // maps and constants of JSON are wanted, and variables are mistakes
    error *err;
} json_writer;

static status write_value(const json_writer *w, const term *t);

// Returns whether a proper list of at least one item is a map: a list of terms with one argument
// each.
static bool is_map(const term *list, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        const term *item = term_list_item(list, (size_t)i);
        if (item->kind != TERM_COMPOUND || item->arity != 1)
            return false;
    }
    return count > 0;
}

static status write_map(const json_writer *w, const term *list, int64_t count) {
    status st = OK;
    text_put(w->out, "{");
    for (int64_t i = 0; st == OK && i < count; i++) {
        const term *pair = term_list_item(list, (size_t)i);
        for (int64_t k = 0; k < i; k++)
            if (strcmp(term_list_item(list, (size_t)k)->text, pair->text) == 0)
                return error_set(w->err, E_INPUT, "an edit gives '%s' twice", pair->text);
        text_put(w->out, i > 0 ? ", " : "");
        json_string(w->out, pair->text);
        text_put(w->out, ": ");
        st = write_value(w, pair->args[0]);
    }
    text_put(w->out, "}");
    return st;
}

static status write_list(const json_writer *w, const term *list, int64_t count) {
    status st = OK;
    text_put(w->out, "[");
    for (int64_t i = 0; st == OK && i < count; i++) {
        text_put(w->out, i > 0 ? ", " : "");
        st = write_value(w, term_list_item(list, (size_t)i));
    }
    text_put(w->out, "]");
    return st;
}

static status write_text(const json_writer *w, const term *t) {
    arena *memory = arena_create();
    json_string(w->out, term_text(memory, t));
    arena_destroy(memory);
    return OK;
}

static bool is_constant(const char *name) {
    return strcmp(name, "true") == 0 || strcmp(name, "false") == 0 || strcmp(name, "null") == 0;
}

static status write_value(const json_writer *w, const term *t) {
    int64_t count = term_list_length(t);
    if (count >= 0)
        return w->edits && is_map(t, count) ? write_map(w, t, count) : write_list(w, t, count);
    switch (t->kind) {
    case TERM_VAR:
        return w->edits ? error_set(w->err, E_INPUT, "an edit leaves the variable %s open", t->text)
                        : write_text(w, t);
    case TERM_INT:
        text_add(w->out, "%lld", (long long)t->integer);
        return OK;
    case TERM_FLOAT:
        json_number(w->out, t->real);
        return OK;
    case TERM_STRING:
        json_string(w->out, t->text);
        return OK;
    case TERM_SYMBOL:
        if (w->edits && is_constant(t->text))
            text_put(w->out, t->text);
        else
            json_string(w->out, t->text);
        return OK;
    case TERM_COMPOUND:
        if (w->edits && !term_ground(t))
            return error_set(w->err, E_INPUT, "an edit leaves a variable of %s(...) open", t->text);
        return write_text(w, t);
    }
    return OK;
}

void term_json(const term *t, text_buffer *out) {
    write_value(&(json_writer){.out = out}, t);
}

status edits_json(const term *edits, text_buffer *out, error *err) {
    if (term_list_length(edits) < 0)
        return error_set(err, E_INPUT, "edits are a list, such as [[delete(\"tidy/see\")]]");
    text_buffer text = {0};
    status st = write_value(&(json_writer){&text, true, err}, edits);
    if (st == OK)
        text_put_bytes(out, text_string(&text), text.count);
    text_finish(&text);
    return st;
}

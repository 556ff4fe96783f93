// plans/edit/write.c - writes nodes as text: with their own bytes where these fit, else anew.
#include "plans/edit/edit_int.h"

#include "base/text/number.h"

// ---- Nodes that are made ------------------------------------------------------------------------

static ynode *make_node(arena *a, ynode_kind kind) {
    ynode *n = arena_alloc(a, sizeof *n);
    n->kind = kind;
    n->file = "";
    return n;
}

ynode *make_scalar(arena *a, const char *text, bool quoted) {
    ynode *n = make_node(a, YNODE_SCALAR);
    n->scalar = arena_strdup(a, text);
    n->quoted = quoted;
    return n;
}

ynode *make_sequence(arena *a) {
    return make_node(a, YNODE_SEQUENCE);
}

ynode *make_mapping(arena *a) {
    return make_node(a, YNODE_MAPPING);
}

static ynode **grow_list(arena *a, ynode **old, size_t count, ynode *last) {
    ynode **items = arena_alloc(a, (count + 1) * sizeof *items);
    if (count > 0)
        memcpy(items, old, count * sizeof *items);
    items[count] = last;
    return items;
}

void make_item(arena *a, ynode *sequence, ynode *item) {
    sequence->items = grow_list(a, sequence->items, sequence->count, item);
    sequence->count++;
}

void make_pair(arena *a, ynode *map, const char *key, ynode *value) {
    map->keys = grow_list(a, map->keys, map->count, make_scalar(a, key, false));
    map->items = grow_list(a, map->items, map->count, value);
    map->count++;
}

ynode *make_line(arena *a, const ynode *n) {
    ynode *copy = n->kind == YNODE_SCALAR ? make_scalar(a, n->scalar, n->quoted) : make_mapping(a);
    copy->kind = n->kind;
    copy->flow = true;
    for (size_t i = 0; i < n->count; i++) {
        if (n->keys)
            make_pair(a, copy, n->keys[i]->scalar, make_line(a, n->items[i]));
        else
            make_item(a, copy, make_line(a, n->items[i]));
    }
    return copy;
}

ynode *edit_copy(arena *a, const ynode *n) {
    ynode *copy = make_mapping(a);
    for (size_t k = 0; k < n->count; k++)
        make_pair(a, copy, n->keys[k]->scalar, make_line(a, n->items[k]));
    return copy;
}

// ---- What scalars mean --------------------------------------------------------------------------

static bool is_word(const char *text, const char *const *words) {
    for (; *words; words++) {
        if (strcmp(text, *words) == 0)
            return true;
    }
    return false;
}

// Returns whether the text would mean something else in quotes.
static bool is_special(const char *text) {
    static const char *const words[] = {"", "~", "null", "true", "false", "yes", "no", NULL};
    double number;
    return is_word(text, words) || number_parse(text, strlen(text), &number);
}

bool is_null(const ynode *n) {
    static const char *const words[] = {"", "~", "null", NULL};
    return n->kind == YNODE_SCALAR && !n->quoted && is_word(n->scalar, words);
}

// A block scalar at the end of a text that has no last break: YAML gives it none either.
static bool is_cut_short(const ynode *n) {
    return n->source && n->end > n->begin && strchr("|>", n->source[n->begin]) &&
           !n->source[n->end];
}

static bool same_scalar(const ynode *a, const ynode *b) {
    size_t x = strlen(a->scalar), y = strlen(b->scalar);
    if (is_cut_short(a) && y == x + 1)
        y--;
    else if (is_cut_short(b) && x == y + 1)
        x--;
    return x == y && strncmp(a->scalar, b->scalar, x) == 0 &&
           (a->quoted == b->quoted || !is_special(a->scalar));
}

bool same_tree(const ynode *a, const ynode *b) {
    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == YNODE_SCALAR)
        return same_scalar(a, b);
    for (size_t i = 0; i < a->count; i++) {
        if (!same_tree(a->items[i], b->items[i]) ||
            (a->keys && strcmp(a->keys[i]->scalar, b->keys[i]->scalar) != 0))
            return false;
    }
    return true;
}

// ---- Scalars ------------------------------------------------------------------------------------

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Returns whether a text can stand without quotes; false where that is in doubt.
static bool is_plain_text(const char *text, bool flow) {
    size_t length = strlen(text);
    if (length == 0 || length > 400 || text[length - 1] == ' ' || text[length - 1] == ':')
        return false;
    bool mark = text[0] == '?' && !flow && is_letter(text[1]);
    if (!is_letter(text[0]) && text[0] != '$' && text[0] != '_' && !mark)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < ' ' || text[i] > '~')
            return false;
        if (flow && strchr(",[]{}?&*:#()\"'|<>=!%@`\\", text[i]))
            return false;
        if ((text[i] == ':' && text[i + 1] == ' ') || (text[i] == '#' && text[i - 1] == ' '))
            return false;
    }
    return true;
}

void write_scalar(writer *w, const ynode *n, bool flow) {
    bool made = !n->source || n->source == w->json;
    bool one_line = n->source && !has_break(n->source, n->begin, n->end);
    if (!n->quoted && is_special(n->scalar))
        text_put(w->out, n->scalar);
    else if (n->quoted && !made && one_line && n->end > n->begin && n->source[n->begin] != '|' &&
             n->source[n->begin] != '>')
        text_put_bytes(w->out, n->source + n->begin, n->end - n->begin);
    else if (!n->quoted && !made && one_line && !flow)
        text_put_bytes(w->out, n->source + n->begin, n->end - n->begin);
    else if (is_plain_text(n->scalar, flow) && !is_special(n->scalar))
        text_put(w->out, n->scalar);
    else
        yaml_string(w->out, n->scalar, strlen(n->scalar));
}

// ---- Flow style ---------------------------------------------------------------------------------

void write_flow(writer *w, const ynode *n) {
    if (n->kind == YNODE_SCALAR) {
        write_scalar(w, n, true);
        return;
    }
    bool braces = n->source && n->source != w->json && strchr("[{", n->source[n->begin]);
    if (n->flow && braces && !has_break(n->source, n->begin, n->end)) {
        text_put_bytes(w->out, n->source + n->begin, n->end - n->begin);
        return;
    }
    bool map = n->kind == YNODE_MAPPING;
    if (n->count == 0) {
        text_put(w->out, map ? "{}" : "[]");
        return;
    }
    text_put(w->out, map ? "{ " : "[ ");
    for (size_t i = 0; i < n->count; i++) {
        if (i > 0)
            text_put(w->out, ", ");
        if (map) {
            write_scalar(w, n->keys[i], true);
            text_put(w->out, ": ");
        }
        write_flow(w, n->items[i]);
    }
    text_put(w->out, map ? " }" : " ]");
}

// ---- Block style --------------------------------------------------------------------------------

// Writes lines with their indentation moved by the same number of columns; empty lines stay empty.
static void write_lines(writer *w, const char *text, size_t begin, size_t end, size_t from,
                        size_t to) {
    bool own = text == w->own;
    size_t at = begin;
    for (;;) {
        size_t stop = line_end(text, end, at);
        text_put_bytes(w->out, text + at, stop - at);
        if (stop == end)
            return;
        at = after_break(text, end, stop);
        if (own)
            text_put_bytes(w->out, text + stop, at - stop);
        else
            text_put(w->out, w->newline);
        size_t mark = at;
        while (mark < end && text[mark] == ' ')
            mark++;
        if (mark == end || is_break(text[mark]))
            continue;
        if (to >= from) {
            text_put_repeated(w->out, ' ', to - from);
        } else {
            at += from - to < mark - at ? from - to : mark - at;
        }
    }
}

// Small maps and lists of a text in JSON are written in one line.
static bool fits_a_line(const ynode *n) {
    size_t width = 0;
    for (size_t i = 0; i < n->count; i++) {
        if (n->items[i]->kind != YNODE_SCALAR)
            return false;
        width += strlen(n->items[i]->scalar) + (n->keys ? strlen(n->keys[i]->scalar) : 0) + 4;
    }
    return width < 70;
}

// Nodes that were made here, and nodes of JSON, are written anew in block style, except those that
// were made to be written in one line.
static bool is_made(const writer *w, const ynode *n) {
    return n->source ? n->source == w->json : !n->flow;
}

bool write_is_block(const writer *w, const ynode *n) {
    if (n->kind == YNODE_SCALAR || n->count == 0)
        return false;
    return !n->flow || is_made(w, n);
}

static void write_made(writer *w, const ynode *n, size_t column) {
    for (size_t i = 0; i < n->count; i++) {
        if (i > 0) {
            text_put(w->out, w->newline);
            text_put_repeated(w->out, ' ', column);
        }
        if (n->kind == YNODE_MAPPING) {
            write_scalar(w, n->keys[i], false);
            text_put(w->out, ":");
            write_value(w, n->items[i], column);
        } else {
            const ynode *item = n->items[i];
            text_put(w->out, "- ");
            if (item->kind == YNODE_SEQUENCE && is_made(w, item) && fits_a_line(item))
                write_flow(w, item);
            else
                write_block(w, item, column + 2);
        }
    }
}

void write_block(writer *w, const ynode *n, size_t column) {
    if (n->kind == YNODE_SCALAR) {
        write_scalar(w, n, false);
        if (n != w->whole)
            return;
    } else if (is_made(w, n) || !n->source) {
        if (n->count == 0 || !is_made(w, n))
            write_flow(w, n);
        else
            write_made(w, n, column);
        return;
    } else if (!n->flow) {
        write_lines(w, n->source, n->begin, node_tail(n->source, n), column_of(n->source, n->begin),
                    column);
        return;
    } else {
        size_t line = line_begin(n->source, n->begin), mark = line;
        while (n->source[mark] == ' ')
            mark++;
        write_lines(w, n->source, n->begin, n->end, mark - line, column);
        if (n != w->whole)
            return;
    }
    size_t tail = node_tail(n->source, n);
    text_put_bytes(w->out, n->source + n->end, tail - n->end);
}

void write_value(writer *w, const ynode *n, size_t key_column) {
    bool small = is_made(w, n) && n->source && n->kind != YNODE_SCALAR && fits_a_line(n);
    if (write_is_block(w, n) && !small) {
        text_put(w->out, w->newline);
        text_put_repeated(w->out, ' ', key_column + 2);
        write_block(w, n, key_column + 2);
        return;
    }
    if (n->kind == YNODE_SCALAR && !n->quoted && !n->scalar[0])
        return;
    text_put(w->out, " ");
    if (small)
        write_flow(w, n);
    else
        write_block(w, n, key_column + 2);
}

// ---- JSON ---------------------------------------------------------------------------------------

static bool is_json_number(const char *text) {
    const char *c = text + (*text == '-');
    if (*c == '0' && c[1] >= '0' && c[1] <= '9')
        return false;
    size_t whole = strspn(c, "0123456789");
    double number;
    if (whole == 0 || !number_parse(text, strlen(text), &number))
        return false;
    c += whole;
    return *c != '.' || (c[1] >= '0' && c[1] <= '9');
}

void write_json(text_buffer *out, const ynode *n) {
    if (n->kind == YNODE_SCALAR) {
        bool bare = !n->quoted && (strcmp(n->scalar, "true") == 0 ||
                                   strcmp(n->scalar, "false") == 0 || is_json_number(n->scalar));
        size_t sign = n->scalar[0] == '-';
        double number;
        if (bare)
            text_put(out, n->scalar);
        else if (!n->quoted && n->scalar[sign] == '.' &&
                 number_parse(n->scalar, strlen(n->scalar), &number))
            text_add(out, "%s0%s", sign ? "-" : "", n->scalar + sign); // JSON has no .5
        else if (is_null(n))
            text_put(out, "null");
        else
            yaml_string(out, n->scalar, strlen(n->scalar));
        return;
    }
    bool map = n->kind == YNODE_MAPPING;
    text_put(out, map ? "{" : "[");
    for (size_t i = 0; i < n->count; i++) {
        if (i > 0)
            text_put(out, ", ");
        if (map) {
            yaml_string(out, n->keys[i]->scalar, strlen(n->keys[i]->scalar));
            text_put(out, ": ");
        }
        write_json(out, n->items[i]);
    }
    text_put(out, map ? "}" : "]");
}

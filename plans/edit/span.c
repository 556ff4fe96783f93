// plans/edit/span.c - where the entries of lists and maps begin and end in a text, comments
// included.
#include "plans/edit/edit_int.h"

bool is_break(char c) {
    return c == '\n' || c == '\r';
}

size_t line_begin(const char *text, size_t at) {
    while (at > 0 && !is_break(text[at - 1]))
        at--;
    return at;
}

size_t line_end(const char *text, size_t length, size_t at) {
    while (at < length && !is_break(text[at]))
        at++;
    return at;
}

size_t after_break(const char *text, size_t length, size_t at) {
    if (at + 1 < length && text[at] == '\r' && text[at + 1] == '\n')
        return at + 2;
    return at < length && is_break(text[at]) ? at + 1 : at;
}

bool has_break(const char *text, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        if (is_break(text[i]))
            return true;
    }
    return false;
}

bool begins_line(const char *text, size_t at) {
    for (size_t i = line_begin(text, at); i < at; i++) {
        if (text[i] != ' ')
            return false;
    }
    return true;
}

size_t column_of(const char *text, size_t at) {
    size_t begin = line_begin(text, at);
    if (begin == 0 && at >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        begin = 3;
    return at - begin;
}

size_t node_tail(const char *text, const ynode *n) {
    size_t at = n->end;
    while (text[at] == ' ' || text[at] == '\t')
        at++;
    if (text[at] == '#' && at > n->end) {
        while (text[at] && !is_break(text[at]))
            at++;
    }
    return !text[at] || is_break(text[at]) ? at : n->end;
}

// Behind a node there are only spaces, breaks and comments until the next entry begins.
static size_t skip_to_entry(const char *text, size_t at) {
    for (;;) {
        while (text[at] == ' ' || text[at] == '\t' || is_break(text[at]))
            at++;
        if (text[at] != '#')
            return at;
        while (text[at] && !is_break(text[at]))
            at++;
    }
}

size_t entry_begin(const char *text, const ynode *container, size_t i) {
    if (container->kind == YNODE_MAPPING)
        return container->keys[i]->begin;
    if (container->flow)
        return container->items[i]->begin;
    return i == 0 ? container->begin : skip_to_entry(text, container->items[i - 1]->end);
}

// Returns where the first of the comment lines right above an entry begins.
static size_t comments_above(const char *text, size_t entry, size_t bound) {
    size_t first = entry, column = column_of(text, entry);
    if (!begins_line(text, entry))
        return entry;
    for (size_t begin = line_begin(text, entry); begin > 0;) {
        size_t before = begin - 1;
        if (text[before] == '\n' && before > 0 && text[before - 1] == '\r')
            before--;
        begin = line_begin(text, before);
        size_t mark = begin;
        while (text[mark] == ' ')
            mark++;
        if (begin < bound || mark >= before || text[mark] != '#' || mark - begin != column)
            break;
        first = mark;
    }
    return first;
}

// Comment lines below an entry that are indented deeper belong to the entry.
static size_t comments_below(const char *text, size_t length, size_t end, size_t column) {
    for (;;) {
        size_t begin = after_break(text, length, end), mark = begin;
        while (mark < length && text[mark] == ' ')
            mark++;
        if (begin == end || mark >= length || text[mark] != '#' || mark - begin <= column)
            return end;
        end = line_end(text, length, mark);
    }
}

span entry_unit(const char *text, size_t length, const ynode *container, size_t i) {
    size_t entry = entry_begin(text, container, i);
    if (container->flow)
        return (span){entry, container->items[i]->end};
    size_t bound = i > 0 ? container->items[i - 1]->end : 0;
    size_t end = node_tail(text, container->items[i]);
    if (end == length || is_break(text[end]))
        end = comments_below(text, length, end, column_of(text, entry));
    return (span){comments_above(text, entry, bound), end};
}

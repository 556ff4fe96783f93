// base/yaml/indent.c - which line of a YAML text is indented wrongly.
#include "base/yaml/indent.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
    TEXT_MOST = 1 << 16, // bytes of a text that is tried again and again
    LINES_MOST = 12,     // above the place where the text stopped making sense
    WIDTHS_MOST = 8
};

typedef struct text_line {
    size_t at;
    int width; // of its indentation; -1: it says nothing
} text_line;

typedef struct indented {
    const char *text;
    size_t length;
    indent_check *is_yaml;
    ARRAY(text_line) lines;
} indented;

static void find_widths(indented *t) {
    for (size_t at = 0; at < t->length;) {
        size_t n = at;
        while (n < t->length && t->text[n] == ' ')
            n++;
        bool empty = n == t->length || strchr("#\r\n", t->text[n]);
        array_push(&t->lines, ((text_line){at, empty ? -1 : (int)(n - at)}));
        const char *end = memchr(t->text + n, '\n', t->length - n);
        at = end ? (size_t)(end - t->text) + 1 : t->length;
    }
}

// Returns whether the text is YAML with this width in place of the line's own. `scratch` has room
// for the text and a width.
static bool fits(const indented *t, size_t line, int width, char *scratch) {
    const text_line *l = &t->lines.items[line];
    size_t from = l->at + (size_t)l->width;
    memcpy(scratch, t->text, l->at);
    memset(scratch + l->at, ' ', (size_t)width);
    memcpy(scratch + l->at + width, t->text + from, t->length - from);
    return t->is_yaml(scratch, t->length - (size_t)l->width + (size_t)width);
}

// Adds a width that is not there yet and is not the line's own; the nearest to its own come first.
static void add_width(int *widths, size_t *count, int width, int own) {
    bool known = width < 0 || width == own || *count == WIDTHS_MOST;
    for (size_t k = 0; k < *count; k++)
        known = known || widths[k] == width;
    if (known)
        return;
    size_t at = (*count)++;
    for (; at > 0 && abs(widths[at - 1] - own) > abs(width - own); at--)
        widths[at] = widths[at - 1];
    widths[at] = width;
}

// The widths of the lines around one, and of what stands behind the `- ` of an item.
static size_t widths_around(const indented *t, size_t line, int *out) {
    size_t count = 0, from = line > LINES_MOST ? line - LINES_MOST : 0;
    for (size_t i = from; i < t->lines.count && i < line + 3; i++) {
        const text_line *l = &t->lines.items[i];
        add_width(out, &count, l->width, t->lines.items[line].width);
        if (l->width >= 0 && t->text[l->at + (size_t)l->width] == '-')
            add_width(out, &count, l->width + 2, t->lines.items[line].width);
    }
    return count;
}

static bool width_is_shared(const indented *t, size_t line) {
    for (size_t i = 0; i < t->lines.count; i++)
        if (i != line && t->lines.items[i].width == t->lines.items[line].width)
            return true;
    return false;
}

bool indent_find(const char *text, size_t length, size_t line, indent_check *is_yaml,
                 indent_fault *out) {
    indented t = {.text = text, .length = length, .is_yaml = is_yaml};
    bool found = false, odd = false;
    if (length > TEXT_MOST)
        return false;
    find_widths(&t);
    char *scratch = mem_must(length + length + 1, 1);
    size_t first = line > LINES_MOST ? line - LINES_MOST : 0;
    for (size_t i = line + 1; i-- > first && !odd;) {
        int widths[WIDTHS_MOST];
        if (i >= t.lines.count || t.lines.items[i].width < 0)
            continue;
        size_t count = widths_around(&t, i, widths);
        for (size_t k = 0; k < count; k++) {
            bool alone = !width_is_shared(&t, i);
            if ((found && !alone) || !fits(&t, i, widths[k], scratch))
                continue;
            *out = (indent_fault){i, t.lines.items[i].width, widths[k]};
            found = true;
            odd = alone;
            break;
        }
    }
    free(scratch);
    array_finish(&t.lines);
    return found;
}

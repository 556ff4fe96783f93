#include "base/excerpt.h"

#include "base/mem.h"
#include "base/utf8.h"

#define WIDTH_MOST 200 // of a line that is shown
#define SHOWN_MOST 4   // bytes that are written for one, as \xHH

// Writes what a terminal may get; returns its bytes.
static size_t put_shown(const char *text, size_t length, char *out) {
    size_t n = 0;
    for (size_t taken; length > 0; text += taken, length -= taken) {
        utf8_written shown;
        taken = utf8_show(text, length, &shown);
        memcpy(out + n, shown.bytes, shown.count);
        n += shown.count;
    }
    return n;
}

// The line of that number, or NULL.
static const char *line_of(const char *text, int line) {
    for (int i = 1; i < line && text; i++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

// Two lines: the one of the mistake, and its caret.
static size_t put_place(const error *err, const char *text, char *out) {
    text = line_of(text, err->line);
    size_t width = text ? strcspn(text, "\r\n") : 0, n = 0;
    if (width == 0 || width > WIDTH_MOST || (size_t)err->column > width + 1)
        return 0;
    memcpy(out, "  ", 2);
    n = 2 + put_shown(text, width, out + 2);
    memcpy(out + n, "\n  ", 3);
    n += 3;
    // what stands before the mistake is put there, and then made blank
    size_t end = n + put_shown(text, (size_t)err->column - 1, out + n);
    for (size_t i = n; i < end; i++)
        if (((unsigned char)out[i] & 0xC0) != 0x80)
            out[n++] = out[i] == '\t' ? '\t' : ' ';
    out[n++] = '^';
    out[n++] = '\n';
    return n;
}

char *error_excerpt(const error *err, const char *text, const file_set *files) {
    char *read = NULL;
    size_t length;
    char head[sizeof err->file + sizeof err->text + 90];
    size_t n = (size_t)error_format(err, head, sizeof head);
    char *out = calloc(1, SHOWN_MOST * (n + 2 * WIDTH_MOST) + 100);
    if (!out)
        return NULL;
    n = put_shown(head, n, out);
    out[n++] = '\n';
    if (err->line > 0 && err->column > 0) {
        if (!text && err->file[0] && files_read(files, err->file, &read, &length, NULL) == OK)
            text = read;
        if (text)
            n += put_place(err, text, out + n);
    }
    out[n] = 0;
    free(read);
    return out;
}

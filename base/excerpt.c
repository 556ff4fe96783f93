#include "base/excerpt.h"

#include "base/mem.h"
#include "base/utf8.h"

#define WIDTH_MOST 200 // of a line that is shown

// Puts a '?' over every byte that is no character or would steer the terminal.
static void make_printable(char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        size_t n = text[i] == '\t' || text[i] == '\n' ? 1 : utf8_printable(text + i, length - i);
        if (n == 0)
            text[i] = '?';
        i += n ? n : 1;
    }
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
    char *shown = out + 2;
    memcpy(out, "  ", 2);
    memcpy(shown, text, width);
    make_printable(shown, width);
    n = width + 2;
    memcpy(out + n, "\n  ", 3);
    n += 3;
    for (int i = 0; i + 1 < err->column; i++)
        if (((unsigned char)shown[i] & 0xC0) != 0x80)
            out[n++] = shown[i] == '\t' ? '\t' : ' ';
    out[n++] = '^';
    out[n++] = '\n';
    return n;
}

char *error_excerpt(const error *err, const char *text, const file_set *files) {
    char *read = NULL;
    size_t length;
    char *out = calloc(1, sizeof err->file + sizeof err->text + 2 * WIDTH_MOST + 100);
    if (!out)
        return NULL;
    size_t n = (size_t)error_format(err, out, sizeof err->file + sizeof err->text + 90);
    make_printable(out, n);
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

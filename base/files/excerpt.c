// base/files/excerpt.c - a mistake with the line it stands in.
#include "base/files/excerpt.h"

#include "base/text/text.h"
#include "base/utf8.h"

#define WIDTH_MAX 200 // of a line that is shown

// The line of that number, or NULL.
static const char *line_of(const char *text, int line) {
    for (int i = 1; i < line && text; i++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

// Two lines: the one of the mistake, and its caret.
static void put_place(const error *err, const char *text, text_buffer *out) {
    text = line_of(text, err->line);
    size_t width = text ? strcspn(text, "\r\n") : 0;
    if (width == 0 || width > WIDTH_MAX || (size_t)err->column > width + 1)
        return;
    text_put(out, "  ");
    text_put_shown(out, text, width);
    text_put(out, "\n  ");
    // As many blanks as what stands before the mistake is wide on the screen.
    text_buffer before = {.may_fail = true};
    text_put_shown(&before, text, (size_t)err->column - 1);
    for (const char *c = text_string(&before); *c; c++)
        if (!utf8_continues(*c))
            text_put(out, *c == '\t' ? "\t" : " ");
    out->failed = out->failed || before.failed;
    text_finish(&before);
    text_put(out, "^\n");
}

char *error_excerpt(const error *err, const char *text, const file_set *files) {
    char *read = NULL;
    size_t length;
    char head[sizeof err->file + sizeof err->text + 90];
    text_buffer out = {.may_fail = true};
    text_put_shown(&out, head, (size_t)error_format(err, head, sizeof head));
    text_put(&out, "\n");
    if (err->line > 0 && err->column > 0) {
        if (!text && err->file[0] && files_read(files, err->file, &read, &length, NULL) == OK)
            text = read;
        if (text)
            put_place(err, text, &out);
    }
    free(read);
    return text_take(&out);
}

// cli/prompt/lines.c - cuts text into clauses and commands; keeps the history.
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>

#include "base/files/output.h"
#include "base/text/text.h"
#include "cli/prompt/lines.h"

// ---- Clauses

size_t repl_clause_length(const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '\'' || *c == '"') {
            char quote = *c++;
            for (; *c && *c != quote && *c != '\n'; c++)
                if (*c == '\\' && c[1] && c[1] != '\n')
                    c++;
            if (*c == '\n')
                return (size_t)(c - text);
            if (!*c)
                return 0;
        } else if (*c == '%') {
            c += strcspn(c, "\n");
            if (!*c)
                return 0;
        } else if (c[0] == '/' && c[1] == '*') {
            c = strstr(c + 2, "*/");
            if (!c)
                return 0;
            c++;
        } else if (*c == '.' && (isspace((unsigned char)c[1]) || c[1] == '%')) {
            return (size_t)(c - text) + 1;
        }
    }
    return 0;
}

// Returns the length of the white space and comments before a clause.
static size_t blank_length(const char *text) {
    const char *c = text;
    for (;;) {
        c += strspn(c, " \t\r\n\f\v");
        if (*c == '%') {
            c += strcspn(c, "\n");
        } else if (c[0] == '/' && c[1] == '*' && strstr(c + 2, "*/")) {
            c = strstr(c + 2, "*/") + 2;
        } else {
            return (size_t)(c - text);
        }
    }
}

// Returns the length of `word` if it stands at `text` as a word of its own; else 0.
static size_t word_at(const char *text, const char *end, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(end - text) <= n || strncmp(text, word, n) != 0)
        return 0;
    return isspace((unsigned char)text[n]) || text[n] == '(' ? n : 0;
}

// Returns whether a clause has `:-` outside quotes and comments.
static bool has_neck(const char *text, const char *end) {
    for (const char *c = text; c + 1 < end; c++) {
        if (*c == '\'' || *c == '"') {
            char quote = *c++;
            for (; c < end && *c != quote; c++)
                c += *c == '\\';
        } else if (*c == '%') {
            c += strcspn(c, "\n");
        } else if (c[0] == '/' && c[1] == '*') {
            c = strstr(c + 2, "*/");
            if (!c || c >= end)
                return false;
            c++;
        } else if (c[0] == ':' && c[1] == '-') {
            return true;
        }
    }
    return false;
}

static void classify_input(input *out) {
    const char *end = out->text + out->length;
    size_t n;
    if (*out->text == '+') {
        out->kind = INPUT_FACT;
        out->body = 1 + strspn(out->text + 1, " \t\r\n");
        if (has_neck(out->text + out->body, end))
            out->kind = INPUT_RULE;
    } else if ((n = word_at(out->text, end, "why")) > 0) {
        out->kind = INPUT_WHY;
        out->body = n + blank_length(out->text + n);
        n = out->body < out->length ? word_at(out->text + out->body, end, "not") : 0;
        if (n > 0) {
            out->kind = INPUT_WHY_NOT;
            out->body += n;
        }
    } else if (has_neck(out->text, end)) {
        out->kind = INPUT_RULE;
    }
}

// Returns the length of a word that people type for a command, alone on its line, with a '.' at its
// end or without; 0: it is none.
static size_t bare_command(const char *line) {
    static const char *const words[] = {"help", "quit", "exit", "halt"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]), blank;
        if (strncmp(line, words[i], n) != 0)
            continue;
        blank = n + (line[n] == '.');
        blank += strspn(line + blank, " \t\r");
        if (line[blank] == '\n' || !line[blank])
            return n;
    }
    return 0;
}

bool repl_next_input(const char *text, size_t *at, bool whole, input *out) {
    *at += blank_length(text + *at);
    const char *c = text + *at;
    if (!*c)
        return false;
    *out = (input){.kind = INPUT_QUERY, .text = c};
    bool bare = bare_command(c) > 0;
    if (bare || (*c == '.' && (isalpha((unsigned char)c[1]) || c[1] == '?'))) {
        out->kind = INPUT_COMMAND;
        out->body = bare ? 0 : 1;
        out->length = strcspn(c, "\n");
        if (!c[out->length] && !whole)
            return false;
        *at += out->length;
        while (out->length > 1 && isspace((unsigned char)c[out->length - 1]))
            out->length--;
    } else {
        out->length = repl_clause_length(c);
        if (out->length == 0) {
            if (!whole)
                return false;
            out->length = strlen(c);
            *at += out->length;
            while (out->length > 1 && isspace((unsigned char)c[out->length - 1]))
                out->length--;
        } else {
            *at += out->length;
        }
        classify_input(out);
    }
    return true;
}

void repl_line_and_column(const char *text, size_t at, int *line, int *column) {
    size_t begin = 0;
    *line = 1;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n') {
            begin = i + 1;
            ++*line;
        }
    }
    *column = (int)(at - begin) + 1;
}

char *repl_copy(const char *text, size_t length) {
    char *copy = mem_must(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

// ---- History
// The file has an entry on each line; a line end inside an entry is written \n, a backslash twice.
// An entry is appended when it is made, so that several prompts can share the file and a crash
// loses none. Errors are ignored, since the history must not disturb the work.

#define HISTORY_MAX 1000

// Gives the path of the history: $FORESEE_HISTORY (empty: no history is kept), or a file in the
// user's folder for such state.
static bool history_path(char *path, size_t size, bool make) {
    const char *own = getenv("FORESEE_HISTORY");
    if (own) {
        int n = snprintf(path, size, "%s", own);
        return n > 0 && (size_t)n < size;
    }
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (state && state[0] == '/')
        n = snprintf(path, size, "%s/foresee/history", state);
    else if (home && home[0] == '/')
        n = snprintf(path, size, "%s/.local/state/foresee/history", home);
    if (n <= 0 || (size_t)n >= size)
        return false;
    for (char *c = path + 1; make && *c; c++) {
        if (*c == '/') {
            *c = 0;
            mkdir(path, 0700);
            *c = '/';
        }
    }
    return true;
}

static void put_entry(text_buffer *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            text_put(out, "\\n");
        else if (text[i] == '\\')
            text_put(out, "\\\\");
        else
            text_put_bytes(out, text + i, 1);
    }
    text_put(out, "\n");
}

static void unescape_entry(char *line) {
    char *to = line;
    for (const char *c = line; *c; c++) {
        if (*c == '\\' && c[1]) {
            c++;
            *to++ = *c == 'n' ? '\n' : *c;
        } else {
            *to++ = *c;
        }
    }
    *to = 0;
}

// Returns whether a file may be a history: a file with a NUL is not text, and is not overwritten.
static bool holds_text(const void *context, const char *path) {
    (void)context;
    char start[4096];
    FILE *in = fopen(path, "r");
    size_t n = in ? fread(start, 1, sizeof start, in) : 0;
    if (in)
        fclose(in);
    return n > 0 && !memchr(start, 0, n);
}

static const output_policy HISTORY = {.what = "history", .replaces = holds_text, .own = true};

// Writes the file anew, after it has grown to twice its size.
static void shorten_history(const char *path) {
    text_buffer out = {0};
    HIST_ENTRY **all = history_list();
    for (size_t i = 0; all && all[i]; i++)
        put_entry(&out, all[i]->line, strlen(all[i]->line));
    const output_file file = {path, out.items, out.count, &HISTORY};
    output_write(&file, 1, false, NULL);
    text_finish(&out);
}

void repl_history_load(void) {
    char path[4096];
    using_history();
    stifle_history(HISTORY_MAX);
    if (!history_path(path, sizeof path, false))
        return;
    FILE *in = fopen(path, "r");
    if (!in)
        return;
    char *line = NULL;
    size_t size = 0, count = 0;
    for (ssize_t n; (n = getline(&line, &size, in)) > 0; count++) {
        line[strcspn(line, "\n")] = 0;
        unescape_entry(line);
        if (*line)
            add_history(line);
    }
    free(line);
    fclose(in);
    if (count > 2 * HISTORY_MAX)
        shorten_history(path);
}

void repl_history_add(const char *text, size_t length) {
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    if (length == 0)
        return;
    char *entry = repl_copy(text, length);
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (!last || strcmp(last->line, entry) != 0) {
        add_history(entry);
        char path[4096];
        text_buffer out = {0};
        put_entry(&out, text, length);
        const output_file file = {path, out.items, out.count, &HISTORY};
        if (history_path(path, sizeof path, true))
            output_append(&file, NULL);
        text_finish(&out);
    }
    free(entry);
}

// base/status.c - how every call of the house says what went wrong.
#include "base/status.h"

#include <stdbool.h>

#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include "base/mem.h"
#include "base/utf8.h"

#define ERRORS_MAX 100

const char *status_name(status s) {
    switch (s) {
#define STATUS(name, sentence)                                                                     \
    case name:                                                                                     \
        return #name;
#include "base/status.def"
#undef STATUS
    }
    return "?";
}

const char *status_sentence(status s) {
    switch (s) {
#define STATUS(name, sentence)                                                                     \
    case name:                                                                                     \
        return sentence;
#include "base/status.def"
#undef STATUS
    }
    return "an unknown status";
}

static void error_fill(error *err, status code, const char *file, int line, int column,
                       const char *format, va_list args) __attribute__((format(printf, 6, 0)));
static void error_fill(error *err, status code, const char *file, int line, int column,
                       const char *format, va_list args) {
    // The arguments may point into `err` itself, as when context is added to its text.
    char text[sizeof err->text];
    char name[sizeof err->file];
    int n = vsnprintf(text, sizeof text, format, args);
    if (n >= (int)sizeof text) // not within a character
        text[utf8_cut(text, sizeof text - 1)] = 0;
    n = snprintf(name, sizeof name, "%s", file ? file : "");
    if (n >= (int)sizeof name)
        name[utf8_cut(name, sizeof name - 1)] = 0;
    err->code = code;
    memcpy(err->file, name, sizeof name);
    err->line = line;
    err->column = column;
    memcpy(err->text, text, sizeof text);
}

status error_set(error *err, status code, const char *format, ...) {
    if (!err)
        return code;
    va_list args;
    va_start(args, format);
    error_fill(err, code, NULL, 0, 0, format, args);
    va_end(args);
    return code;
}

status error_at(error *err, status code, const char *file, int line, int column, const char *format,
                ...) {
    if (!err)
        return code;
    va_list args;
    va_start(args, format);
    error_fill(err, code, file, line, column, format, args);
    va_end(args);
    return code;
}

void errors_append(errors *list, const error *err) {
    if (!list || list->count >= ERRORS_MAX)
        return;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 4;
        error *items = realloc(list->items, capacity * sizeof *items);
        while (!items && mem_fund_spend())
            items = realloc(list->items, capacity * sizeof *items);
        // The status says that something is wrong, too.
        if (!items)
            return;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *err;
}

void errors_add(errors *list, const char *file, int line, int column, const char *format, ...) {
    error err;
    va_list args;
    va_start(args, format);
    error_fill(&err, E_INPUT, file, line, column, format, args);
    va_end(args);
    errors_append(list, &err);
}

status errors_status(const errors *list, size_t from) {
    for (size_t i = from; list && i < list->count; i++)
        if (list->items[i].code != E_INPUT && list->items[i].code != E_USAGE)
            return list->items[i].code;
    return list && from < list->count ? E_INPUT : OK;
}

void errors_mark(errors *list, error_role role) {
    if (list && list->count > 0)
        list->items[list->count - 1].role = role;
}

void errors_settle(errors *list) {
    bool misspelt = false;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        misspelt = misspelt || list->items[i].role == ERROR_MISSPELT;
    for (size_t i = 0; misspelt && i < list->count; i++)
        if (list->items[i].role != ERROR_MISSING)
            list->items[kept++] = list->items[i];
    list->count = misspelt ? kept : list->count;
}

// Says after an error's text in which other lines the same is so.
static void tell_lines(error *e, const int *lines, size_t count) {
    enum { TOLD = 4 };
    size_t length = strlen(e->text), told = count > TOLD + 1 ? TOLD : count;
    const size_t size = sizeof e->text;
    for (size_t i = 0; i < told && length < size; i++)
        length += (size_t)snprintf(e->text + length, size - length, "%s%d",
                                   i == 0 ? (count > 1 ? " (also in lines " : " (also in line ")
                                   : i + 1 < count ? ", "
                                                   : " and ",
                                   lines[i]);
    if (told < count && length < size)
        length += (size_t)snprintf(e->text + length, size - length, " and %zu more", count - told);
    if (length < size)
        snprintf(e->text + length, size - length, ")");
}

void errors_merge(errors *list) {
    for (size_t i = 0; i < list->count; i++) {
        error *first = &list->items[i];
        int lines[ERRORS_MAX], last = first->line;
        size_t count = 0, kept = i + 1;
        for (size_t k = i + 1; k < list->count; k++) {
            const error *e = &list->items[k];
            bool same = e->code == first->code && strcmp(e->file, first->file) == 0 &&
                        strcmp(e->text, first->text) == 0;
            if (!same)
                list->items[kept++] = *e;
            else if (e->line != last)
                lines[count++] = last = e->line;
        }
        list->count = kept;
        if (count > 0)
            tell_lines(first, lines, count);
    }
}

void errors_finish(errors *list) {
    if (!list)
        return;
    free(list->items);
    memset(list, 0, sizeof *list);
}

int error_format(const error *err, char *buffer, size_t size) {
    if (!err->file[0])
        return snprintf(buffer, size, "error: %s", err->text);
    if (err->line <= 0)
        return snprintf(buffer, size, "%s: error: %s", err->file, err->text);
    if (err->column <= 0)
        return snprintf(buffer, size, "%s:%d: error: %s", err->file, err->line, err->text);
    return snprintf(buffer, size, "%s:%d:%d: error: %s", err->file, err->line, err->column,
                    err->text);
}

#define NAME_MAX_COMPARED 64

// Edit distance where swapping two neighbours counts as one edit, the usual slip of a typist.
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb) {
    size_t rows[3][NAME_MAX_COMPARED + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= nb; j++)
        last[j] = j;
    for (size_t i = 1; i <= na; i++) {
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
        size_t *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[nb];
}

bool names_hold(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

const char *nearest_name(const char *name, const char *const *candidates, size_t count) {
    size_t length = strlen(name);
    if (length == 0 || length > NAME_MAX_COMPARED)
        return NULL;
    size_t allowed = length / 3 > 0 ? length / 3 : 1;
    const char *nearest = NULL, *kin = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(candidates[i]);
        if (n == 0 || n > NAME_MAX_COMPARED)
            continue;
        size_t distance = edit_distance(name, length, candidates[i], n);
        if (distance <= allowed && distance < best) {
            best = distance;
            nearest = candidates[i];
        }
        // `sequence` for `seq`: one begins with the other.
        size_t shorter = n < length ? n : length;
        if (!kin && shorter >= 3 && strncmp(name, candidates[i], shorter) == 0)
            kin = candidates[i];
    }
    return nearest ? nearest : kin;
}

_Noreturn void assert_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "%s:%d: bug: this does not hold: %s\n", file, line, condition);
    abort();
}

#include "cli/answers.h"

#include <stdio.h>
#include <string.h>

static size_t total(const answer_set *sets, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += ask_count(&sets[i].rows);
    return n;
}

static const ask_rows *shape_of(const answer_set *sets) {
    return &sets[0].rows;
}

// A value as it is read again; strings without quotes where `plain`.
static const char *value_text(arena *a, const ask_value *v, bool plain) {
    if (v->is_time) {
        text_buffer b = {0};
        json_seconds(&b, v->time);
        const char *text = arena_copy(a, b.items, b.count);
        array_finish(&b);
        return text;
    }
    if (plain && (v->term->kind == TERM_STRING || v->term->kind == TERM_SYMBOL))
        return v->term->text;
    return term_text(a, v->term);
}

// ---- Table
// ---------------------------------------------------------------------------------------

// Characters of a UTF-8 text, each taken as one column.
static size_t width_of(const char *text) {
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static void put_padded(text_buffer *out, const char *text, size_t width, bool last) {
    text_put(out, text);
    for (size_t n = width_of(text); !last && n < width + 2; n++)
        text_put(out, " ");
}

static void write_table(const answer_set *sets, size_t count, bool many, arena *a,
                        text_buffer *out) {
    const ask_rows *shape = shape_of(sets);
    size_t columns = shape->columns + (many ? 1 : 0), rows = total(sets, count), row = 1;
    if (shape->columns == 0) {
        for (size_t i = 0; i < count; i++) {
            if (many)
                text_add(out, "episode %lld: ", (long long)sets[i].episode);
            text_put(out, ask_count(&sets[i].rows) ? "yes\n" : "no\n");
        }
        return;
    }
    if (rows == 0) {
        text_put(out, "no\n");
        return;
    }
    const char **cells = arena_alloc(a, (rows + 1) * columns * sizeof *cells);
    size_t *widths = arena_alloc(a, columns * sizeof *widths);
    for (size_t c = 0; c < columns; c++)
        cells[c] = many && c == 0 ? "episode" : shape->names[c - (many ? 1 : 0)];
    for (size_t i = 0; i < count; i++)
        for (size_t r = 0; r < ask_count(&sets[i].rows); r++, row++) {
            const char **line = cells + row * columns;
            if (many)
                *line++ = arena_format(a, "%lld", (long long)sets[i].episode);
            for (size_t c = 0; c < shape->columns; c++)
                line[c] = value_text(a, ask_at(&sets[i].rows, r, c), false);
        }
    for (size_t r = 0; r <= rows; r++)
        for (size_t c = 0; c < columns; c++)
            if (width_of(cells[r * columns + c]) > widths[c])
                widths[c] = width_of(cells[r * columns + c]);
    for (size_t r = 0; r <= rows; r++) {
        for (size_t c = 0; c < columns; c++)
            put_padded(out, cells[r * columns + c], widths[c], c + 1 == columns);
        text_put(out, "\n");
        for (size_t c = 0; r == 0 && c < columns; c++) {
            for (size_t n = 0; n < widths[c]; n++)
                text_put(out, "-");
            text_put(out, c + 1 == columns ? "\n" : "  ");
        }
    }
}

// ---- Lines
// ---------------------------------------------------------------------------------------

typedef struct filling {
    const ask_rows *rows;
    size_t row;
} filling;

static const term *fill_in(void *context, const char *variable) {
    const filling *f = context;
    for (size_t c = 0; c < f->rows->columns; c++)
        if (strcmp(f->rows->names[c], variable) == 0)
            return ask_at(f->rows, f->row, c)->term;
    return NULL;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The atom that was asked, filled in; of a query of several literals answer(...) with its
// variables.
static const char *line_text(arena *a, const term *query, const ask_rows *rows, size_t row) {
    bool single = query && query->kind != TERM_VAR && !term_is(query, ",", 2) &&
                  !term_is(query, ";", 2) && !term_is(query, "=", 2);
    if (single) {
        filling f = {rows, row};
        return term_text(a, term_substitute(a, query, fill_in, &f));
    }
    const term **args = arena_alloc(a, (rows->columns + 1) * sizeof *args);
    for (size_t c = 0; c < rows->columns; c++)
        args[c] = ask_at(rows, row, c)->term;
    if (rows->columns == 0)
        return "answer";
    return term_text(a, term_compound(a, "answer", (uint32_t)rows->columns, args));
}

static void write_lines(const char *query, const answer_set *sets, size_t count, bool many,
                        arena *a, text_buffer *out) {
    const term *goal = NULL;
    if (term_parse(a, "query", query, strlen(query), 1, 1, &goal, NULL) != OK)
        goal = NULL;
    size_t rows = total(sets, count), n = 0;
    const char **lines = arena_alloc(a, (rows + 1) * sizeof *lines);
    for (size_t i = 0; i < count; i++)
        for (size_t r = 0; r < ask_count(&sets[i].rows); r++) {
            const char *text = line_text(a, goal, &sets[i].rows, r);
            lines[n++] =
                many ? arena_format(a, "in_episode(%lld, %s)", (long long)sets[i].episode, text)
                     : text;
        }
    qsort(lines, n, sizeof *lines, by_text);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(lines[i], lines[i - 1]) != 0)
            text_add(out, "%s\n", lines[i]);
}

// ---- CSV and JSON
// --------------------------------------------------------------------------------

static void put_csv(text_buffer *out, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        text_put(out, text);
        return;
    }
    text_put(out, "\"");
    for (; *text; text++)
        text_add(out, *text == '"' ? "\"%c" : "%c", *text);
    text_put(out, "\"");
}

static void write_csv(const answer_set *sets, size_t count, bool many, arena *a, text_buffer *out) {
    const ask_rows *shape = shape_of(sets);
    if (many)
        text_put(out, shape->columns ? "episode," : "episode");
    for (size_t c = 0; c < shape->columns; c++) {
        text_put(out, c ? "," : "");
        put_csv(out, shape->names[c]);
    }
    text_put(out, "\n");
    for (size_t i = 0; i < count; i++)
        for (size_t r = 0; r < ask_count(&sets[i].rows); r++) {
            if (many)
                text_add(out, shape->columns ? "%lld," : "%lld", (long long)sets[i].episode);
            for (size_t c = 0; c < shape->columns; c++) {
                text_put(out, c ? "," : "");
                put_csv(out, value_text(a, ask_at(&sets[i].rows, r, c), true));
            }
            text_put(out, "\n");
        }
}

static void put_json(text_buffer *out, arena *a, const ask_value *v) {
    double number;
    if (v->is_time)
        json_seconds(out, v->time);
    else if (v->term->kind == TERM_INT)
        text_add(out, "%lld", (long long)v->term->integer);
    else if (term_number(v->term, &number))
        json_number(out, number);
    else
        json_string(out, value_text(a, v, true));
}

static void write_json(const char *query, const answer_set *sets, size_t count, bool many, arena *a,
                       text_buffer *out) {
    const ask_rows *shape = shape_of(sets);
    text_put(out, "{ \"schema\": 1, \"query\": ");
    json_string(out, query);
    text_put(out, ", \"variables\": [");
    for (size_t c = 0; c < shape->columns; c++) {
        text_put(out, c ? ", " : "");
        json_string(out, shape->names[c]);
    }
    text_put(out, "], \"answers\": [");
    bool first = true;
    for (size_t i = 0; i < count; i++)
        for (size_t r = 0; r < ask_count(&sets[i].rows); r++) {
            text_put(out, first ? "\n  {" : ",\n  {");
            first = false;
            if (many)
                text_add(out, " \"episode\": %lld%s", (long long)sets[i].episode,
                         shape->columns ? "," : "");
            for (size_t c = 0; c < shape->columns; c++) {
                text_put(out, c ? ", " : " ");
                json_string(out, shape->names[c]);
                text_put(out, ": ");
                put_json(out, a, ask_at(&sets[i].rows, r, c));
            }
            text_put(out, " }");
        }
    text_put(out, first ? "] }\n" : "\n] }\n");
}

// ---- Plain
// ---------------------------------------------------------------------------------------

static void write_plain(const answer_set *sets, size_t count, arena *a, text_buffer *out) {
    size_t columns = shape_of(sets)->columns;
    for (size_t i = 0; i < count; i++) {
        if (columns == 0)
            text_put(out, ask_count(&sets[i].rows) ? "yes\n" : "no\n");
        for (size_t r = 0; columns > 0 && r < ask_count(&sets[i].rows); r++) {
            text_put(out, value_text(a, ask_at(&sets[i].rows, r, columns - 1), true));
            text_put(out, "\n");
        }
    }
}

void answers_write(answer_form form, const char *query, const answer_set *sets, size_t count,
                   bool many, text_buffer *out) {
    if (count == 0)
        return;
    arena *a = arena_create();
    switch (form) {
    case FORM_TABLE:
        write_table(sets, count, many, a, out);
        break;
    case FORM_LINES:
        write_lines(query, sets, count, many, a, out);
        break;
    case FORM_CSV:
        write_csv(sets, count, many, a, out);
        break;
    case FORM_JSON:
        write_json(query, sets, count, many, a, out);
        break;
    case FORM_PLAIN:
        write_plain(sets, count, a, out);
        break;
    }
    arena_destroy(a);
}

#include "cli/answers.h"

#include <stdio.h>
#include <string.h>

#include "base/term.h"

// The cells of all answers, row by row, so that each query is stepped through once.
typedef struct cell {
    int type;           // FORESEE_...
    const char *text;   // as it is
    const char *term;   // as it is written in rules
    const char *number; // as JSON writes it, or NULL
} cell;
typedef struct row {
    int64_t episode;
    const cell *cells;
} row;
typedef struct answer_rows {
    arena *memory;
    size_t columns, count;
    const char **names;
    ARRAY(row) rows;
    bool *found; // for each episode: whether it has an answer
} answer_rows;

static const char *number_text(arena *a, foresee_query *q, int column, int type) {
    text_buffer b = {0};
    if (type == FORESEE_INTEGER)
        return arena_format(a, "%lld", (long long)foresee_column_int64(q, column));
    if (type == FORESEE_TIME)
        return arena_strdup(a, foresee_column_text(q, column));
    if (type != FORESEE_FLOAT)
        return NULL;
    json_number(&b, foresee_column_double(q, column));
    const char *text = arena_copy(a, b.items, b.count);
    array_finish(&b);
    return text;
}

static void collect(foresee_query *q, int64_t episode, answer_rows *out) {
    arena *a = out->memory;
    foresee_reset(q);
    while (foresee_step(q) == FORESEE_ROW) {
        cell *cells = arena_alloc(a, (out->columns + 1) * sizeof *cells);
        for (size_t c = 0; c < out->columns; c++) {
            int type = foresee_column_type(q, (int)c);
            cells[c] = (cell){.type = type,
                              .text = arena_strdup(a, foresee_column_text(q, (int)c)),
                              .term = arena_strdup(a, foresee_column_term(q, (int)c)),
                              .number = number_text(a, q, (int)c, type)};
        }
        array_push(&out->rows, (row){episode, cells});
    }
}

// A value as people read it: times in seconds, all else as it is written in rules.
static const char *shown(const cell *c) {
    return c->type == FORESEE_TIME ? c->text : c->term;
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

static void write_table(const answer_rows *r, bool many, const int64_t *episodes,
                        text_buffer *out) {
    size_t extra = many ? 1 : 0, columns = r->columns + extra;
    if (r->columns == 0) {
        for (size_t i = 0; i < r->count; i++) {
            if (many)
                text_add(out, "episode %lld: ", (long long)episodes[i]);
            text_put(out, r->found[i] ? "yes\n" : "no\n");
        }
        return;
    }
    if (r->rows.count == 0) {
        text_put(out, "no\n");
        return;
    }
    size_t lines = r->rows.count + 1;
    const char **cells = arena_alloc(r->memory, lines * columns * sizeof *cells);
    size_t *widths = arena_alloc(r->memory, columns * sizeof *widths);
    for (size_t c = 0; c < columns; c++)
        cells[c] = c < extra ? "episode" : r->names[c - extra];
    for (size_t i = 0; i < r->rows.count; i++) {
        const row *one = &r->rows.items[i];
        const char **line = cells + (i + 1) * columns;
        if (many)
            *line++ = arena_format(r->memory, "%lld", (long long)one->episode);
        for (size_t c = 0; c < r->columns; c++)
            line[c] = shown(&one->cells[c]);
    }
    for (size_t i = 0; i < lines * columns; i++)
        if (width_of(cells[i]) > widths[i % columns])
            widths[i % columns] = width_of(cells[i]);
    for (size_t i = 0; i < lines; i++) {
        for (size_t c = 0; c < columns; c++)
            put_padded(out, cells[i * columns + c], widths[c], c + 1 == columns);
        text_put(out, "\n");
        for (size_t c = 0; i == 0 && c < columns; c++) {
            for (size_t n = 0; n < widths[c]; n++)
                text_put(out, "-");
            text_put(out, c + 1 == columns ? "\n" : "  ");
        }
    }
}

// ---- Lines
// ---------------------------------------------------------------------------------------

typedef struct filling {
    const answer_rows *all;
    const term **values; // of the row
} filling;

static const term *fill_in(void *context, const char *variable) {
    const filling *f = context;
    for (size_t c = 0; c < f->all->columns; c++)
        if (strcmp(f->all->names[c], variable) == 0)
            return f->values[c];
    return NULL;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The atom that was asked, filled in; of a query of several literals answer(...) with its
// variables.
static const char *line_text(const answer_rows *all, const term *query, const row *one) {
    arena *a = all->memory;
    bool single = query && query->kind != TERM_VAR && !term_is(query, ",", 2) &&
                  !term_is(query, ";", 2) && !term_is(query, "=", 2);
    if (!single && all->columns == 0)
        return "answer";
    filling f = {all, arena_alloc(a, (all->columns + 1) * sizeof *f.values)};
    for (size_t c = 0; c < all->columns; c++) {
        const char *text = one->cells[c].term;
        if (term_parse(a, "answer", text, strlen(text), 1, 1, &f.values[c], NULL) != OK)
            f.values[c] = term_string(a, text);
    }
    if (single)
        return term_text(a, term_substitute(a, query, fill_in, &f));
    return term_text(a, term_compound(a, "answer", (uint32_t)all->columns, f.values));
}

static void write_lines(const char *query, const answer_rows *r, bool many, text_buffer *out) {
    const term *goal = NULL;
    if (term_parse(r->memory, "query", query, strlen(query), 1, 1, &goal, NULL) != OK)
        goal = NULL;
    const char **lines = arena_alloc(r->memory, (r->rows.count + 1) * sizeof *lines);
    for (size_t i = 0; i < r->rows.count; i++) {
        const row *one = &r->rows.items[i];
        const char *text = line_text(r, goal, one);
        lines[i] =
            many ? arena_format(r->memory, "in_episode(%lld, %s)", (long long)one->episode, text)
                 : text;
    }
    qsort(lines, r->rows.count, sizeof *lines, by_text);
    for (size_t i = 0; i < r->rows.count; i++)
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

static void write_csv(const answer_rows *r, bool many, text_buffer *out) {
    if (many)
        text_put(out, r->columns ? "episode," : "episode");
    for (size_t c = 0; c < r->columns; c++) {
        text_put(out, c ? "," : "");
        put_csv(out, r->names[c]);
    }
    text_put(out, "\n");
    for (size_t i = 0; i < r->rows.count; i++) {
        const row *one = &r->rows.items[i];
        if (many)
            text_add(out, r->columns ? "%lld," : "%lld", (long long)one->episode);
        for (size_t c = 0; c < r->columns; c++) {
            text_put(out, c ? "," : "");
            put_csv(out, one->cells[c].text);
        }
        text_put(out, "\n");
    }
}

static void write_json(const char *query, const answer_rows *r, bool many, text_buffer *out) {
    text_put(out, "{ \"schema\": 1, \"query\": ");
    json_string(out, query);
    text_put(out, ", \"variables\": [");
    for (size_t c = 0; c < r->columns; c++) {
        text_put(out, c ? ", " : "");
        json_string(out, r->names[c]);
    }
    text_put(out, "], \"answers\": [");
    for (size_t i = 0; i < r->rows.count; i++) {
        const row *one = &r->rows.items[i];
        text_put(out, i == 0 ? "\n  {" : ",\n  {");
        if (many)
            text_add(out, " \"episode\": %lld%s", (long long)one->episode, r->columns ? "," : "");
        for (size_t c = 0; c < r->columns; c++) {
            text_put(out, c ? ", " : " ");
            json_string(out, r->names[c]);
            text_put(out, ": ");
            if (one->cells[c].number)
                text_put(out, one->cells[c].number);
            else
                json_string(out, one->cells[c].text);
        }
        text_put(out, " }");
    }
    text_put(out, r->rows.count == 0 ? "] }\n" : "\n] }\n");
}

// ---- Plain
// ---------------------------------------------------------------------------------------

static void write_plain(const answer_rows *r, text_buffer *out) {
    for (size_t i = 0; r->columns == 0 && i < r->count; i++)
        text_put(out, r->found[i] ? "yes\n" : "no\n");
    for (size_t i = 0; r->columns > 0 && i < r->rows.count; i++) {
        text_put(out, r->rows.items[i].cells[r->columns - 1].text);
        text_put(out, "\n");
    }
}

void answers_write(answer_form form, const char *text, foresee_query *const *queries,
                   const int64_t *episodes, size_t count, bool many, text_buffer *out) {
    if (count == 0)
        return;
    answer_rows r = {.memory = arena_create(),
                     .columns = (size_t)foresee_column_count(queries[0]),
                     .count = count};
    r.names = arena_alloc(r.memory, (r.columns + 1) * sizeof *r.names);
    r.found = arena_alloc(r.memory, count * sizeof *r.found);
    for (size_t c = 0; c < r.columns; c++)
        r.names[c] = foresee_column_name(queries[0], (int)c);
    for (size_t i = 0; i < count; i++) {
        size_t before = r.rows.count;
        collect(queries[i], episodes[i], &r);
        r.found[i] = r.rows.count > before;
    }
    switch (form) {
    case FORM_TABLE:
        write_table(&r, many, episodes, out);
        break;
    case FORM_LINES:
        write_lines(text, &r, many, out);
        break;
    case FORM_CSV:
        write_csv(&r, many, out);
        break;
    case FORM_JSON:
        write_json(text, &r, many, out);
        break;
    case FORM_PLAIN:
        write_plain(&r, out);
        break;
    }
    array_finish(&r.rows);
    arena_destroy(r.memory);
}

void answers_time(foresee_query *const *queries, size_t count, double print, text_buffer *out) {
    double load = 0, derive = 0;
    size_t rows = 0;
    uint64_t steps = 0;
    for (size_t i = 0; i < count; i++) {
        foresee_cost c = foresee_query_cost(queries[i]);
        load += c.load;
        derive += c.derive;
        steps += c.steps;
        rows += foresee_row_count(queries[i]);
    }
    text_add(out, "load %.3f s, derive %.3f s, print %.3f s: %zu answer%s, %llu literals tried\n",
             load, derive, print, rows, rows == 1 ? "" : "s", (unsigned long long)steps);
}

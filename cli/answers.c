// cli/answers.c - writes answers in each of their forms, while they are stepped through.
#include "cli/answers.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/text/number.h"
#include "base/term/term.h"
#include "base/utf8.h"
#include "base/text/json.h"

const char *const answer_forms[] = {"table", "lines", "csv", "json", "plain", "json-typed", NULL};

// Goes through the answers of all queries, one after another, and keeps none of them.
typedef struct walk {
    const answers_wanted *wanted;
    FILE *out;
    size_t columns, at; // index of the query that is being stepped
    bool begun;         // that query was stepped
    foresee_query *q;   // that query, whose present answer can be read
    int64_t episode;
    bool terminal; // whether `out` is a terminal
    int code;      // FORESEE_OK, or what ended the walk
    int fault;     // errno of a write that failed
    text_buffer cell;
} walk;

static void start_walk(walk *w) {
    w->at = 0;
    w->begun = false;
}

// Returns whether nothing more is to be written: the answers are no longer wanted, or a write
// failed.
static bool walk_ended(walk *w) {
    if (w->code == FORESEE_OK && ferror(w->out) && !w->fault)
        w->fault = errno ? errno : EIO;
    if (w->code == FORESEE_OK && w->wanted->stopped && w->wanted->stopped())
        w->code = FORESEE_INTERRUPTED;
    return w->code != FORESEE_OK || w->fault;
}

static bool next_row(walk *w) {
    while (w->at < w->wanted->count && !walk_ended(w)) {
        w->q = w->wanted->queries[w->at];
        w->episode = w->wanted->episodes[w->at];
        if (!w->begun)
            foresee_reset(w->q);
        w->begun = true;
        int code = foresee_step(w->q);
        if (code == FORESEE_ROW)
            return true;
        if (code != FORESEE_DONE)
            w->code = code;
        w->at++;
        w->begun = false;
    }
    return false;
}

static const char *name_of(const walk *w, size_t c) {
    return foresee_column_name(w->wanted->queries[0], (int)c);
}

// Return a value as it is, and as rules write it. "" ends the walk: there was no memory for the
// text.
static const char *text_of(walk *w, size_t c) {
    const char *text = foresee_column_text(w->q, (int)c);
    if (!text)
        w->code = FORESEE_MEMORY;
    return text ? text : "";
}

static const char *term_of(walk *w, size_t c) {
    const char *text = foresee_column_term(w->q, (int)c);
    if (!text)
        w->code = FORESEE_MEMORY;
    return text ? text : "";
}

// Returns a value as people read it: times in seconds, anything else as rules write it.
static const char *shown_text(walk *w, size_t c) {
    return foresee_column_type(w->q, (int)c) == FORESEE_TIME ? text_of(w, c) : term_of(w, c);
}

// Writes yes or no for each query; such queries have no columns.
static void write_yes_or_no(walk *w, bool with_episode) {
    for (size_t i = 0; i < w->wanted->count; i++) {
        if (with_episode)
            fprintf(w->out, "episode %lld: ", (long long)w->wanted->episodes[i]);
        fputs(foresee_row_count(w->wanted->queries[i]) > 0 ? "yes\n" : "no\n", w->out);
    }
}

// ---- Table

// The characters of a text, each taken as one column.
static size_t width_of(const char *text) {
    return utf8_count(text, strlen(text));
}

static void widen_column(size_t *width, const char *text) {
    size_t n = width_of(text);
    if (n > *width)
        *width = n;
}

static void put_padded(FILE *out, const char *text, size_t width, bool last) {
    fputs(text, out);
    for (size_t n = last ? width + 2 : width_of(text); n < width + 2; n++)
        putc(' ', out);
}

// The answers are walked through twice: to find the widths, and to be written.
static void write_table(walk *w) {
    size_t extra = w->wanted->many ? 1 : 0, columns = w->columns + extra, rows = 0;
    char number[24] = "episode";
    size_t *widths = calloc(columns + 1, sizeof *widths);
    if (!widths) {
        w->code = FORESEE_MEMORY;
        return;
    }
    for (size_t c = 0; c < columns; c++)
        widen_column(&widths[c], c < extra ? number : name_of(w, c - extra));
    for (start_walk(w); next_row(w); rows++) {
        snprintf(number, sizeof number, "%lld", (long long)w->episode);
        for (size_t c = 0; c < columns; c++)
            widen_column(&widths[c], c < extra ? number : shown_text(w, c - extra));
    }
    if (!walk_ended(w) && rows == 0)
        fputs("no\n", w->out);
    if (walk_ended(w) || rows == 0) {
        free(widths);
        return;
    }
    for (size_t c = 0; c < columns; c++)
        put_padded(w->out, c < extra ? "episode" : name_of(w, c - extra), widths[c],
                   c + 1 == columns);
    putc('\n', w->out);
    for (size_t c = 0; c < columns; c++) {
        for (size_t n = 0; n < widths[c]; n++)
            putc('-', w->out);
        fputs(c + 1 == columns ? "\n" : "  ", w->out);
    }
    for (start_walk(w); next_row(w);) {
        snprintf(number, sizeof number, "%lld", (long long)w->episode);
        for (size_t c = 0; c < columns; c++)
            put_padded(w->out, c < extra ? number : shown_text(w, c - extra), widths[c],
                       c + 1 == columns);
        putc('\n', w->out);
    }
    free(widths);
}

// ---- Lines
// Lines are sorted by their texts, so that all of them are kept until the last is there.

typedef struct filling {
    const walk *w;
    const term **values; // the values of the row
} filling;

static const term *fill_in(void *context, const char *variable) {
    const filling *f = context;
    for (size_t c = 0; c < f->w->columns; c++)
        if (strcmp(name_of(f->w, c), variable) == 0)
            return f->values[c];
    return NULL;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Returns the atom that was asked, filled in; for a query of several literals answer(...) with its
// variables.
static const char *line_text(walk *w, arena *a, const term *query) {
    bool single = query && query->kind != TERM_VAR && !term_is(query, ",", 2) &&
                  !term_is(query, ";", 2) && !term_is(query, "=", 2);
    if (!single && w->columns == 0)
        return "answer";
    filling f = {w, arena_alloc(a, (w->columns + 1) * sizeof *f.values)};
    for (size_t c = 0; c < w->columns; c++) {
        const char *text = term_of(w, c);
        if (term_parse(a, "answer", text, strlen(text), 1, 1, &f.values[c], NULL) != OK)
            f.values[c] = term_string(a, text);
    }
    if (single)
        return term_text(a, term_substitute(a, query, fill_in, &f));
    return term_text(a, term_compound(a, "answer", (uint32_t)w->columns, f.values));
}

// Memory that reading and writing a term takes for each byte of its text, at most; and for each
// line besides.
#define PER_BYTE ((size_t)256)
#define PER_LINE ((size_t)1 << 16)

typedef struct kept_lines {
    arena *texts, *scratch;
    ARRAY(const char *) items;
} kept_lines;

// Makes the line of the present answer, with memory that is set aside for it, and keeps it.
static void keep_line(walk *w, kept_lines *lines, const term *query) {
    size_t length = strlen(w->wanted->text);
    for (size_t c = 0; c < w->columns; c++)
        length += strlen(term_of(w, c));
    mem_fund fund;
    if (w->code == FORESEE_OK &&
        (length > SIZE_MAX / PER_BYTE / 2 || !mem_fund_open(&fund, PER_LINE + PER_BYTE * length)))
        w->code = FORESEE_MEMORY;
    if (w->code != FORESEE_OK)
        return;
    const char *text = line_text(w, lines->scratch, query);
    size_t n = strlen(text);
    char episode[48] = "";
    if (w->wanted->many)
        snprintf(episode, sizeof episode, "in_episode(%lld, ", (long long)w->episode);
    size_t before = strlen(episode);
    char *line = arena_try(lines->texts, before + n + 2);
    if (line) {
        memcpy(line, episode, before);
        memcpy(line + before, text, n);
        memcpy(line + before + n, before ? ")" : "", before ? 2 : 1);
    }
    if (!line || !array_push_try(&lines->items, line))
        w->code = FORESEE_MEMORY;
    arena_rewind(lines->scratch, PER_LINE);
    mem_fund_close(&fund);
}

static void write_lines(walk *w) {
    const char *text = w->wanted->text;
    kept_lines lines = {arena_create(), arena_create(), {0}};
    arena *a = arena_create();
    const term *query = NULL;
    if (term_parse(a, "query", text, strlen(text), 1, 1, &query, NULL) != OK)
        query = NULL;
    for (start_walk(w); next_row(w);)
        keep_line(w, &lines, query);
    if (!walk_ended(w) && lines.items.count > 0)
        qsort(lines.items.items, lines.items.count, sizeof *lines.items.items, by_text);
    for (size_t i = 0; !walk_ended(w) && i < lines.items.count; i++) {
        const char *line = lines.items.items[i];
        if (i > 0 && strcmp(line, lines.items.items[i - 1]) == 0)
            continue;
        fputs(line, w->out);
        putc('\n', w->out);
    }
    array_finish(&lines.items);
    arena_destroy(lines.texts);
    arena_destroy(lines.scratch);
    arena_destroy(a);
}

// ---- CSV and JSON

// Writes a text as it is; at a terminal without bytes that would steer it. `mark` is written twice;
// 0: none is.
static void put_raw(const walk *w, const char *text, char mark) {
    for (size_t length = strlen(text), taken = 1; length > 0; text += taken, length -= taken) {
        utf8_written shown = {{*text}, 1};
        if (w->terminal)
            taken = utf8_show(text, length, &shown);
        if (mark && *text == mark)
            putc(mark, w->out);
        fwrite(shown.bytes, 1, shown.count, w->out);
    }
}

static void put_csv(const walk *w, const char *text) {
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    fputs(quoted ? "\"" : "", w->out);
    put_raw(w, text, '"');
    fputs(quoted ? "\"" : "", w->out);
}

static void write_csv(walk *w) {
    bool many = w->wanted->many;
    if (many)
        fputs(w->columns ? "episode," : "episode", w->out);
    for (size_t c = 0; c < w->columns; c++) {
        fputs(c ? "," : "", w->out);
        put_csv(w, name_of(w, c));
    }
    putc('\n', w->out);
    for (start_walk(w); next_row(w);) {
        if (many)
            fprintf(w->out, w->columns ? "%lld," : "%lld", (long long)w->episode);
        for (size_t c = 0; c < w->columns; c++) {
            fputs(c ? "," : "", w->out);
            put_csv(w, text_of(w, c));
        }
        putc('\n', w->out);
    }
}

// Writes the value that was put into the cell, and empties the cell.
static void write_cell(walk *w) {
    if (w->cell.failed)
        w->code = FORESEE_MEMORY;
    else
        fwrite(text_string(&w->cell), 1, w->cell.count, w->out);
    w->cell.count = 0;
}

static void put_json(walk *w, const char *text) {
    json_string(&w->cell, text);
    write_cell(w);
}

static void put_json_value(walk *w, size_t c) {
    int type = foresee_column_type(w->q, (int)c);
    if (type == FORESEE_INTEGER) {
        fprintf(w->out, "%lld", (long long)foresee_column_int64(w->q, (int)c));
    } else if (type == FORESEE_TIME) {
        fputs(text_of(w, c), w->out);
    } else if (type == FORESEE_FLOAT) {
        json_number(&w->cell, foresee_column_double(w->q, (int)c));
        write_cell(w);
    } else {
        put_json(w, text_of(w, c));
    }
}

// ---- Values as JSON that tells their kinds

static void put_value(walk *w, const foresee *f, foresee_value v);

static void put_values(walk *w, const foresee *f, const foresee_value *all, size_t count) {
    fputs("[", w->out);
    for (size_t i = 0; i < count && w->code == FORESEE_OK; i++) {
        fputs(i > 0 ? ", " : "", w->out);
        put_value(w, f, all[i]);
    }
    fputs("]", w->out);
}

// Writes a compound as {"name": "on", "arguments": [...]} and a list as an array. A list that does
// not end in [] is an object, with what stands in the place of [] beside its items.
static void put_parts(walk *w, const foresee *f, foresee_value v) {
    size_t count = foresee_value_parts(f, v, NULL, 0);
    const char *name = foresee_value_name(f, v);
    foresee_value *parts = malloc((count + 1) * sizeof *parts);
    if (!parts) {
        w->code = FORESEE_MEMORY;
        return;
    }
    foresee_value_parts(f, v, parts, count);
    if (name) {
        fputs("{\"name\": ", w->out);
        put_json(w, name);
        fputs(", \"arguments\": ", w->out);
        put_values(w, f, parts, count);
        fputs("}", w->out);
    } else if (foresee_value_is_list(f, v)) {
        put_values(w, f, parts, count);
    } else {
        fputs("{\"list\": ", w->out);
        put_values(w, f, parts, count - 1);
        fputs(", \"rest\": ", w->out);
        put_value(w, f, parts[count - 1]);
        fputs("}", w->out);
    }
    free(parts);
}

// A number is a float exactly if it has a point or an exponent.
static void put_float(walk *w, double x) {
    char digits[NUMBER_SIZE];
    number_format(x, digits);
    fputs(digits, w->out);
    if (!strpbrk(digits, ".e"))
        fputs(".0", w->out);
}

static void put_value(walk *w, const foresee *f, foresee_value v) {
    switch (foresee_value_type(f, v)) {
    case FORESEE_INTEGER:
        fprintf(w->out, "%lld", (long long)foresee_value_int64(f, v));
        break;
    case FORESEE_FLOAT:
        put_float(w, foresee_value_double(f, v));
        break;
    case FORESEE_TIME:
        text_put(&w->cell, "{\"time\": ");
        json_seconds(&w->cell, foresee_value_time(f, v));
        text_put(&w->cell, "}");
        write_cell(w);
        break;
    case FORESEE_SYMBOL:
        fputs("{\"symbol\": ", w->out);
        put_json(w, foresee_value_text(f, v));
        fputs("}", w->out);
        break;
    case FORESEE_STRING:
        put_json(w, foresee_value_text(f, v));
        break;
    default:
        put_parts(w, f, v);
    }
}

static void write_json(walk *w, bool typed) {
    fprintf(w->out, "{ \"schema\": %d, \"query\": ", typed ? 2 : 1);
    put_json(w, w->wanted->text);
    fputs(", \"variables\": [", w->out);
    for (size_t c = 0; c < w->columns; c++) {
        fputs(c ? ", " : "", w->out);
        put_json(w, name_of(w, c));
    }
    fputs("], \"answers\": [", w->out);
    size_t rows = 0;
    for (start_walk(w); next_row(w); rows++) {
        fputs(rows == 0 ? "\n  {" : ",\n  {", w->out);
        if (w->wanted->many)
            fprintf(w->out, " \"episode\": %lld%s", (long long)w->episode, w->columns ? "," : "");
        for (size_t c = 0; c < w->columns; c++) {
            fputs(c ? ", " : " ", w->out);
            put_json(w, name_of(w, c));
            fputs(": ", w->out);
            if (typed)
                put_value(w, foresee_connection(w->q), foresee_column_value(w->q, (int)c));
            else
                put_json_value(w, c);
        }
        fputs(" }", w->out);
    }
    if (!walk_ended(w))
        fputs(rows == 0 ? "] }\n" : "\n] }\n", w->out);
}

// ---- Plain

static void write_plain(walk *w) {
    for (start_walk(w); next_row(w);) {
        put_raw(w, text_of(w, w->columns - 1), 0);
        putc('\n', w->out);
    }
}

int answers_write(answer_form form, const answers_wanted *wanted, FILE *out) {
    walk w = {.wanted = wanted,
              .out = out,
              .terminal = isatty(fileno(out)),
              .code = FORESEE_OK,
              .cell = {.may_fail = true}};
    if (wanted->count == 0)
        return FORESEE_OK;
    w.columns = (size_t)foresee_column_count(wanted->queries[0]);
    errno = 0;
    switch (form) {
    case FORM_TABLE:
        w.columns == 0 ? write_yes_or_no(&w, wanted->many) : write_table(&w);
        break;
    case FORM_LINES:
        write_lines(&w);
        break;
    case FORM_CSV:
        write_csv(&w);
        break;
    case FORM_JSON:
    case FORM_TYPED:
        write_json(&w, form == FORM_TYPED);
        break;
    case FORM_PLAIN:
        w.columns == 0 ? write_yes_or_no(&w, false) : write_plain(&w);
        break;
    }
    text_finish(&w.cell);
    if (w.fault)
        errno = w.fault;
    return w.code;
}

void answers_time(foresee_query *const *queries, size_t count, double opening, double print,
                  text_buffer *out) {
    double load = opening, derive = 0;
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

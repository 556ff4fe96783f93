// query/format.c - answers as a table, as lines, as CSV, as JSON, and as the texts they hold.
#include "query/format.h"

#include <stdio.h>
#include "base/number.h"

typedef struct text {
    char *items;
    size_t count, capacity;
    bool failed;
} text;

static void put(text *t, const char *bytes, size_t length) {
    if (t->failed || !array_reserve_try(t, t->count + length + 1)) {
        t->failed = true;
        return;
    }
    memcpy(t->items + t->count, bytes, length);
    t->count += length;
    t->items[t->count] = 0;
}

static void puts_to(text *t, const char *s) {
    put(t, s, strlen(s));
}

static status give(text *t, char **out) {
    put(t, "", 0);
    if (t->failed) {
        free(t->items);
        return E_MEMORY;
    }
    *out = t->items;
    return OK;
}

bool format_find(const char *name, format_kind *out) {
    static const char *const names[] = {"table", "lines", "csv", "json", "plain"};
    for (int i = 0; i < 5; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (format_kind)i;
            return true;
        }
    }
    return false;
}

static const char *cell(const answers *a, size_t row, size_t column, arena *into) {
    return term_text(into, answers_term(a, row, column, into));
}

// Characters of a UTF-8 text: bytes that continue none.
static size_t width_of(const char *s) {
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static void pad(text *t, const char *s, size_t width, bool last) {
    size_t have = width_of(s);
    if (have <= width) {
        puts_to(t, s);
        for (; !last && have < width; have++)
            put(t, " ", 1);
        return;
    }
    size_t bytes = 0, seen = 0;
    while (s[bytes] && seen + 3 < width) {
        bytes++;
        while (((unsigned char)s[bytes] & 0xc0) == 0x80)
            bytes++;
        seen++;
    }
    put(t, s, bytes);
    for (; seen < width; seen++)
        put(t, ".", 1);
}

// Cuts the widest column until the line fits.
static void fit(size_t *widths, size_t columns, int width) {
    for (;;) {
        size_t sum = 2 * (columns - 1), widest = 0;
        for (size_t i = 0; i < columns; i++) {
            sum += widths[i];
            widest = widths[i] > widths[widest] ? i : widest;
        }
        if (width <= 0 || sum <= (size_t)width || widths[widest] <= 8)
            return;
        widths[widest]--;
    }
}

static status format_table(const answers *a, int width, char **out) {
    text t = {0};
    size_t columns = answers_columns(a), rows = answers_count(a);
    arena *cells = arena_create();
    if (columns == 0) {
        puts_to(&t, rows ? "yes\n" : "no\n");
    } else if (rows == 0) {
        puts_to(&t, "no answers\n");
    } else {
        size_t *widths = arena_alloc(cells, columns * sizeof *widths);
        for (size_t c = 0; c < columns; c++) {
            widths[c] = width_of(answers_name(a, c));
            for (size_t r = 0; r < rows; r++) {
                size_t w = width_of(cell(a, r, c, cells));
                widths[c] = w > widths[c] ? w : widths[c];
            }
        }
        fit(widths, columns, width);
        for (size_t r = 0; r <= rows; r++) {
            for (size_t c = 0; c < columns; c++) {
                pad(&t, r == 0 ? answers_name(a, c) : cell(a, r - 1, c, cells), widths[c],
                    c + 1 == columns);
                put(&t, "  ", c + 1 < columns ? 2 : 0);
            }
            put(&t, "\n", 1);
        }
    }
    arena_destroy(cells);
    return give(&t, out);
}

typedef struct filling {
    const answers *a;
    size_t row;
    arena *into;
} filling;

static const term *fill(void *context, const char *variable) {
    const filling *f = context;
    for (size_t c = 0; c < answers_columns(f->a); c++) {
        if (strcmp(answers_name(f->a, c), variable) == 0)
            return answers_term(f->a, f->row, c, f->into);
    }
    return NULL;
}

static int compare_lines(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static status format_lines(const answers *a, char **out) {
    text t = {0};
    size_t rows = answers_count(a);
    arena *lines = arena_create();
    char **all = arena_alloc(lines, (rows + 1) * sizeof *all);
    for (size_t r = 0; r < rows; r++) {
        filling f = {a, r, lines};
        all[r] = term_text(lines, term_substitute(lines, answers_query(a), fill, &f));
    }
    qsort(all, rows, sizeof *all, compare_lines);
    for (size_t r = 0; r < rows; r++) {
        puts_to(&t, all[r]);
        puts_to(&t, ".\n");
    }
    arena_destroy(lines);
    return give(&t, out);
}

static void put_csv(text *t, const char *s) {
    if (!strpbrk(s, ",\"\r\n")) {
        puts_to(t, s);
        return;
    }
    put(t, "\"", 1);
    for (; *s; s++)
        put(t, *s == '"' ? "\"\"" : s, *s == '"' ? 2 : 1);
    put(t, "\"", 1);
}

// A symbol or string bare, all else as a term.
static const char *plain(const values *v, const answers *a, size_t row, size_t column,
                         arena *into) {
    value x = answers_value(a, row, column);
    value_tag k = value_kind(x);
    return k == VALUE_SYMBOL || k == VALUE_STRING ? values_text(v, x) : cell(a, row, column, into);
}

static status format_csv(const answers *a, const values *v, char **out) {
    text t = {0};
    size_t columns = answers_columns(a), rows = answers_count(a);
    arena *cells = arena_create();
    for (size_t r = 0; r <= rows && columns > 0; r++) {
        for (size_t c = 0; c < columns; c++) {
            put_csv(&t, r == 0 ? answers_name(a, c) : plain(v, a, r - 1, c, cells));
            puts_to(&t, c + 1 < columns ? "," : "\r\n");
        }
    }
    if (columns == 0)
        puts_to(&t, rows ? "yes\r\n" : "no\r\n");
    arena_destroy(cells);
    return give(&t, out);
}

static void put_json_text(text *t, const char *s) {
    put(t, "\"", 1);
    for (; *s; s++) {
        char escaped[8];
        if (*s == '"' || *s == '\\') {
            snprintf(escaped, sizeof escaped, "\\%c", *s);
            puts_to(t, escaped);
        } else if ((unsigned char)*s < 0x20) {
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*s);
            puts_to(t, escaped);
        } else {
            put(t, s, 1);
        }
    }
    put(t, "\"", 1);
}

static void put_json(text *t, const values *v, value x, arena *into) {
    value head, rest = x;
    char number[NUMBER_SIZE];
    double real;
    switch (value_kind(x)) {
    case VALUE_INT:
    case VALUE_WIDE:
        snprintf(number, sizeof number, "%lld", (long long)values_integer(v, x));
        puts_to(t, number);
        return;
    case VALUE_TIME:
    case VALUE_FLOAT:
        values_number(v, x, &real);
        number_format(real, number);
        puts_to(t, number);
        return;
    case VALUE_SYMBOL:
        if (values_is_nil(v, x))
            break;
        put_json_text(t, values_text(v, x));
        return;
    case VALUE_STRING:
        put_json_text(t, values_text(v, x));
        return;
    default:
        break;
    }
    while (values_uncons(v, rest, &head, &rest))
        continue;
    if (!values_is_nil(v, rest)) {
        put_json_text(t, term_text(into, values_to_term(v, into, x)));
        return;
    }
    put(t, "[", 1);
    bool first = true;
    for (rest = x; values_uncons(v, rest, &head, &rest); first = false) {
        put(t, ", ", first ? 0 : 2);
        put_json(t, v, head, into);
    }
    put(t, "]", 1);
}

static status format_json(const answers *a, const values *v, char **out) {
    text t = {0};
    arena *cells = arena_create();
    puts_to(&t, "{\"query\": ");
    put_json_text(&t, term_text(cells, answers_query(a)));
    puts_to(&t, ", \"columns\": [");
    for (size_t c = 0; c < answers_columns(a); c++) {
        put(&t, ", ", c ? 2 : 0);
        put_json_text(&t, answers_name(a, c));
    }
    puts_to(&t, "], \"rows\": [");
    for (size_t r = 0; r < answers_count(a); r++) {
        puts_to(&t, r ? ",\n  [" : "\n  [");
        for (size_t c = 0; c < answers_columns(a); c++) {
            put(&t, ", ", c ? 2 : 0);
            put_json(&t, v, answers_value(a, r, c), cells);
        }
        put(&t, "]", 1);
    }
    puts_to(&t, answers_count(a) ? "\n]}\n" : "]}\n");
    arena_destroy(cells);
    return give(&t, out);
}

static status format_plain(const answers *a, const values *v, char **out) {
    text t = {0};
    size_t columns = answers_columns(a);
    arena *cells = arena_create();
    for (size_t r = 0; r < answers_count(a) && columns > 0; r++) {
        puts_to(&t, plain(v, a, r, columns - 1, cells));
        puts_to(&t, "\n");
    }
    if (columns == 0)
        puts_to(&t, answers_count(a) ? "yes\n" : "no\n");
    arena_destroy(cells);
    return give(&t, out);
}

status format_answers(const answers *a, format_kind kind, int width, char **out) {
    switch (kind) {
    case FORMAT_TABLE:
        return format_table(a, width, out);
    case FORMAT_LINES:
        return format_lines(a, out);
    case FORMAT_CSV:
        return format_csv(a, answers_values(a), out);
    case FORMAT_JSON:
        return format_json(a, answers_values(a), out);
    case FORMAT_PLAIN:
        return format_plain(a, answers_values(a), out);
    }
    return E_USAGE;
}

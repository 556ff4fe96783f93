// cli/prompt/table.c - shows answers and texts on a terminal: aligned, fitted to its width, a page
// at a time.
#include <string.h>

#include "base/utf8.h"
#include "base/time/clock.h"
#include "cli/prompt/table.h"
#include "cli/prompt/terminal.h"

// ---- Columns of a text

typedef struct code_range {
    uint32_t first, last;
} code_range;
// Characters that take two columns, and characters that take none, as terminals commonly draw them.
static const code_range WIDE[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},
    {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
static const code_range NONE[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},
                                  {0x0610, 0x061A}, {0x064B, 0x065F}, {0x1AB0, 0x1AFF},
                                  {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x20D0, 0x20FF},
                                  {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};

static bool in_ranges(uint32_t code, const code_range *ranges, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

// Reads one character: returns its bytes, and sets the columns that it takes. A byte that is no
// UTF-8, or would steer the terminal, is printed as '?'.
static size_t read_character(const char *text, size_t *columns, bool *printable) {
    size_t left = strnlen(text, 4), n = utf8_printable(text, left);
    *columns = 1;
    *printable = n > 0;
    if (n == 0) {
        n = utf8_character(text, left);
        return n ? n : 1;
    }
    uint32_t code = 0;
    utf8_decode(text, n, &code);
    if (in_ranges(code, WIDE, sizeof WIDE / sizeof *WIDE))
        *columns = 2;
    else if (in_ranges(code, NONE, sizeof NONE / sizeof *NONE))
        *columns = 0;
    return n;
}

size_t text_columns(const char *text) {
    size_t sum = 0, columns;
    bool printable;
    while (*text) {
        text += read_character(text, &columns, &printable);
        sum += columns;
    }
    return sum;
}

void text_make_printable(char *text) {
    while (*text) {
        size_t columns;
        bool printable;
        size_t n = read_character(text, &columns, &printable);
        if (!printable)
            memset(text, '?', n);
        text += n;
    }
}

// Appends at most `most` columns of a text, with dots at the end if it is cut. Returns the columns
// that were taken.
static size_t put_cut(text_buffer *out, const char *text, size_t most, bool narrow_dots) {
    size_t all = text_columns(text), taken = 0, dots = narrow_dots ? 3 : 1;
    size_t room = all <= most ? most : most >= dots ? most - dots : 0;
    while (*text) {
        size_t columns;
        bool printable;
        size_t n = read_character(text, &columns, &printable);
        if (taken + columns > room)
            break;
        if (printable)
            text_put_bytes(out, text, n);
        else
            text_put(out, "?");
        taken += columns;
        text += n;
    }
    if (all > most && most >= dots) {
        text_put(out, narrow_dots ? "..." : "\xE2\x80\xA6");
        taken += dots;
    }
    return taken;
}

static void put_blanks(text_buffer *out, size_t n) {
    text_put_repeated(out, ' ', n);
}

static void put_style(const repl *r, text_buffer *out, const char *style) {
    if (r->colours)
        text_add(out, "\033[%sm", style);
}

static void flush_text(text_buffer *out) {
    if (out->count)
        fwrite(out->items, 1, out->count, stdout);
    out->count = 0;
}

// ---- The question whether to go on

typedef enum page_wish { PAGE_MORE, PAGE_ALL, PAGE_STOP } page_wish;

// Shows the line and reads a key. A key that the line does not name stops the output as well and
// begins the next line of input, so that one can simply type on.
static page_wish ask_for_more(repl *r, const char *line) {
    text_buffer out = {0};
    put_style(r, &out, "2");
    put_cut(&out, line, (size_t)repl_screen_width() - 1, r->narrow_dots);
    put_style(r, &out, "0");
    flush_text(&out);
    fflush(stdout);
    nanos began = clock_wall();
    int key = repl_read_key();
    r->s->waited += clock_wall() - began;
    printf("\r%*s\r", repl_screen_width() - 1, "");
    text_finish(&out);
    if (key == '\r' || key == '\n' || key == ' ')
        return PAGE_MORE;
    if (key == 'a' || key == 'A')
        return PAGE_ALL;
    if (key > ' ' && key != 'q' && key != 'Q' && key < 0x7F)
        repl_give_back_key(key);
    return PAGE_STOP;
}

// ---- Tables

// Rows are read and laid out in blocks, so that a million of them cost no more than those that are
// shown.
#define BLOCK 1000

typedef struct table_column {
    bool numbers; // all cells are numbers, which are aligned at their points
    size_t whole, fraction;
    size_t width, shown;
} table_column;

typedef struct table {
    repl *r;
    foresee_query *const *queries;
    size_t query_count, at; // index of the query that is being stepped
    size_t row_of_query;    // how many of its answers were taken
    size_t columns, rows, total;
    size_t episode; // 1: the first column is the episode; 0: there is none
    table_column *column;
    ARRAY(const char *) cells;
    arena *memory;
    bool starved; // memory ran out
} table;

static const char *column_heading(const table *t, size_t c) {
    return c < t->episode ? "episode" : foresee_column_name(t->queries[0], (int)(c - t->episode));
}

static bool is_number(int type) {
    return type == FORESEE_INTEGER || type == FORESEE_FLOAT || type == FORESEE_TIME;
}

// Returns the length of a number up to its point or exponent.
static size_t whole_part(const char *number) {
    return strcspn(number, ".e");
}

static const char *copy_cell(table *t, const char *text) {
    char *copy = text ? arena_try(t->memory, strlen(text) + 1) : NULL;
    return copy ? strcpy(copy, text) : NULL;
}

// Reads the next block of rows, and the widths that they need.
static void next_block(table *t) {
    t->cells.count = t->rows = 0;
    arena_reset(t->memory);
    t->column = arena_alloc(t->memory, (t->columns + 1) * sizeof *t->column);
    for (size_t c = 0; c < t->columns; c++)
        t->column[c].numbers = true;
    while (t->rows < BLOCK && t->at < t->query_count) {
        foresee_query *q = t->queries[t->at];
        // Each query was already stepped to its first answer.
        if (t->row_of_query == foresee_row_count(q) ||
            (t->row_of_query > 0 && foresee_step(q) != FORESEE_ROW)) {
            t->at++;
            t->row_of_query = 0;
            continue;
        }
        t->row_of_query++;
        t->rows++;
        for (size_t c = 0; c < t->columns; c++) {
            int from = (int)(c - t->episode);
            const char *text = c < t->episode ? arena_format(t->memory, "%lld",
                                                             (long long)t->r->s->episodes[t->at])
                                              : copy_cell(t, foresee_column_term(q, from));
            if (!text || !array_push_try(&t->cells, text)) {
                t->starved = true;
                return;
            }
            table_column *k = &t->column[c];
            k->numbers = k->numbers && (c < t->episode || is_number(foresee_column_type(q, from)));
            size_t width = text_columns(text);
            if (width > k->width)
                k->width = width;
            if (k->numbers) {
                size_t whole = whole_part(text);
                if (whole > k->whole)
                    k->whole = whole;
                if (width - whole > k->fraction)
                    k->fraction = width - whole;
            }
        }
    }
    for (size_t c = 0; c < t->columns; c++) {
        table_column *k = &t->column[c];
        if (k->numbers)
            k->width = k->whole + k->fraction;
        if (text_columns(column_heading(t, c)) > k->width)
            k->width = text_columns(column_heading(t, c));
    }
}

// Fits the columns to the width of the terminal, by narrowing the widest first. Returns whether a
// width has changed.
static bool fit_columns(table *t, size_t width) {
    size_t rest = t->columns > 0 ? 2 * (t->columns - 1) : 0, most = 0;
    for (size_t c = 0; c < t->columns; c++) {
        rest += t->column[c].width;
        if (t->column[c].width > most)
            most = t->column[c].width;
    }
    // The widest columns are narrowed by one until all columns fit.
    size_t cap = most;
    for (; rest > width && cap > 4; cap--)
        for (size_t c = 0; c < t->columns; c++)
            rest -= t->column[c].width >= cap && rest > 0;
    bool changed = false;
    size_t spare = rest < width ? width - rest : 0;
    for (size_t c = 0; c < t->columns; c++) {
        table_column *k = &t->column[c];
        size_t shown = k->width < cap ? k->width : cap;
        if (k->width > cap && spare > 0 && cap < most) {
            shown++;
            spare--;
        }
        changed = changed || shown != k->shown;
        k->shown = shown;
    }
    return changed;
}

static void put_line(table *t, text_buffer *out, const char *const *cells, size_t width) {
    text_buffer line = {0};
    size_t pending = 0, used = 0;
    for (size_t c = 0; c < t->columns && used < width; c++) {
        const table_column *k = &t->column[c];
        const char *text = cells ? cells[c] : column_heading(t, c);
        size_t whole = text_columns(text), before = 0;
        if (k->numbers && whole <= k->shown) {
            before = k->shown - whole;
            if (cells && k->shown == k->width && k->fraction > 0) {
                size_t after = k->fraction - (whole - whole_part(text));
                before = before > after ? before - after : 0;
            }
        }
        pending += before;
        size_t room = width - used;
        if (pending >= room)
            break;
        put_blanks(&line, pending);
        used += pending;
        room = width - used;
        size_t taken = put_cut(&line, text, k->shown < room ? k->shown : room, t->r->narrow_dots);
        used += taken;
        pending = k->shown > taken + before ? k->shown - taken - before : 0;
        pending += 2;
    }
    text_put_bytes(out, text_string(&line), line.count);
    text_put(out, "\n");
    text_finish(&line);
}

static void put_heading(table *t, text_buffer *out, size_t width) {
    put_style(t->r, out, "1");
    put_line(t, out, NULL, width);
    if (t->r->colours) { // before the end of the line, or the next line would be bold as well
        out->count--;
        put_style(t->r, out, "0");
        text_put(out, "\n");
    }
    text_buffer rule = {0};
    for (size_t c = 0; c < t->columns; c++) {
        text_put_repeated(&rule, '-', t->column[c].shown);
        text_put(&rule, c + 1 < t->columns ? "  " : "");
    }
    text_put_bytes(out, text_string(&rule), rule.count < width ? rule.count : width);
    text_put(out, "\n");
    text_finish(&rule);
}

// Shows the answers from the first on.
static void show_rows(table *t) {
    repl *r = t->r;
    text_buffer out = {0};
    size_t limit = r->limit ? r->limit : SIZE_MAX, shown = 0, page_end = limit;
    bool going = true;
    size_t width = 0;
    while (going && shown < t->total) {
        next_block(t);
        if (t->rows == 0 || t->starved)
            break;
        for (size_t row = 0; going && row < t->rows; row++) {
            if (width != (size_t)repl_screen_width() || row == 0) {
                bool first = width == 0;
                width = (size_t)repl_screen_width();
                if (fit_columns(t, width) || first)
                    put_heading(t, &out, width);
            }
            put_line(t, &out, t->cells.items + row * t->columns, width);
            shown++;
            if (repl_interrupted())
                going = false;
            if (going && shown == page_end && shown < t->total) {
                flush_text(&out);
                size_t rest = t->total - shown, next = rest < limit ? rest : limit;
                char line[160];
                snprintf(line, sizeof line,
                         "-- %zu of %zu -- more (Enter: %zu more, a: all, q: stop) --", shown,
                         t->total, next);
                page_wish wish = ask_for_more(r, line);
                if (wish == PAGE_ALL)
                    page_end = SIZE_MAX;
                else if (wish == PAGE_MORE)
                    page_end += limit;
                else
                    going = false;
            }
        }
        flush_text(&out);
    }
    if (shown < t->total)
        printf("%zu of %zu answers\n", shown, t->total);
    else if (t->total > limit)
        printf("%zu answers\n", t->total);
    text_finish(&out);
}

int table_show(repl *r, foresee_query *const *queries, size_t count) {
    table t = {.r = r, .queries = queries, .query_count = count, .episode = r->s->many};
    t.columns = (size_t)foresee_column_count(queries[0]) + t.episode;
    for (size_t i = 0; i < count; i++)
        t.total += foresee_row_count(queries[i]);
    if (t.columns == t.episode) {
        for (size_t i = 0; i < count; i++) {
            if (t.episode)
                printf("episode %lld: ", (long long)r->s->episodes[i]);
            puts(foresee_row_count(queries[i]) ? "yes" : "no");
        }
        return FORESEE_OK;
    }
    if (t.total == 0) {
        puts("no");
        return FORESEE_OK;
    }
    t.memory = arena_create();
    show_rows(&t);
    array_finish(&t.cells);
    arena_destroy(t.memory);
    return t.starved ? FORESEE_MEMORY : FORESEE_OK;
}

// ---- Texts

// Appends the next line of a text, without bytes that would steer the terminal; returns where the
// rest begins.
static const char *put_text_line(text_buffer *out, const char *c) {
    while (*c && *c != '\n') {
        size_t columns;
        bool printable;
        size_t n = read_character(c, &columns, &printable);
        if (printable)
            text_put_bytes(out, c, n);
        else
            text_put(out, *c == '\t' ? "    " : "?");
        c += n;
    }
    text_put(out, "\n");
    return *c ? c + 1 : c;
}

// Returns a copy of a text in which the program's own rule files have no folder, which would tell
// people nothing.
static char *without_folder(const repl *r, const char *text) {
    size_t n = strlen(r->shipped);
    char *shown = repl_copy(text, strlen(text)), *to = shown;
    for (const char *c = text; *c;) {
        if (n > 0 && *c == '/' && strncmp(c, r->shipped, n) == 0 && c[n] == '/')
            c += n + 1;
        else
            *to++ = *c++;
    }
    *to = 0;
    return shown;
}

static void show_pages(repl *r, const char *text) {
    size_t lines = 0, shown = 0, page = 0;
    for (const char *c = text; *c; c += strcspn(c, "\n"), c += *c == '\n')
        lines++;
    text_buffer out = {0};
    bool whole = false;
    for (const char *c = text; *c; shown++) {
        size_t width = (size_t)repl_screen_width(), height = (size_t)repl_screen_height();
        size_t from = out.count;
        const char *next = put_text_line(&out, c);
        // A line that wraps takes several lines of the screen.
        size_t taken = (text_columns(out.items + from) + width - 1) / width;
        taken = taken ? taken : 1;
        if (!whole && page > 0 && page + taken >= height) {
            out.count = from;
            flush_text(&out);
            char line[160];
            snprintf(line, sizeof line,
                     "-- %zu of %zu lines -- more (Enter: next page, a: all, q: stop) --", shown,
                     lines);
            page_wish wish = ask_for_more(r, line);
            if (wish == PAGE_STOP)
                break;
            whole = wish == PAGE_ALL;
            page = 0;
            next = put_text_line(&out, c);
        }
        page += taken;
        c = next;
    }
    flush_text(&out);
    text_finish(&out);
}

void text_show(repl *r, const char *text) {
    if (!r->paged || !r->terminal) {
        cli_show(stdout, text, strlen(text));
        if (*text && text[strlen(text) - 1] != '\n')
            puts("");
        return;
    }
    char *shown = without_folder(r, text);
    show_pages(r, shown);
    free(shown);
}

// Appends the words of a text, wrapped, with every further line indented.
static void put_wrapped(text_buffer *out, const char *text, size_t indent, size_t width) {
    size_t at = indent;
    bool begun = false;
    while (*(text += strspn(text, " \n\t"))) {
        size_t n = strcspn(text, " \n\t");
        char *one = repl_copy(text, n);
        size_t columns = text_columns(one);
        if (begun && at + 1 + columns > width) {
            text_put(out, "\n");
            put_blanks(out, indent);
            at = indent;
            begun = false;
        }
        if (begun)
            text_put(out, " ");
        at += columns + begun;
        begun = true;
        text_put(out, one);
        free(one);
        text += n;
    }
}

void pairs_show(repl *r, const text_pair *pairs, size_t count) {
    bool fitted = r->paged && r->terminal;
    size_t width = fitted ? (size_t)repl_screen_width() : SIZE_MAX / 2;
    size_t most = fitted ? width * 2 / 5 : 60, indent = 0;
    for (size_t i = 0; i < count; i++) {
        size_t n = text_columns(pairs[i].left);
        if (n <= most && n > indent)
            indent = n;
    }
    indent += 2;
    text_buffer out = {0};
    for (size_t i = 0; i < count; i++) {
        size_t n = text_columns(pairs[i].left);
        text_put(&out, pairs[i].left);
        if (*pairs[i].right) {
            if (n + 2 > indent && fitted) {
                text_put(&out, "\n");
                n = 0;
            }
            put_blanks(&out, n < indent ? indent - n : 2);
            put_wrapped(&out, pairs[i].right, indent, width - 1);
        }
        text_put(&out, "\n");
    }
    text_show(r, text_string(&out));
    text_finish(&out);
}

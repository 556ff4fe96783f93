// query/why/proof_text.c - proofs as an indented list for people, and as JSON.
#include "query/why/proof_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/utf8.h"

#define SOURCE_COLUMN_MOST 76 // what is longer pushes its source to the right

// ---- Text that grows ----------------------------------------------------------------------------

void page_add(page *p, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n >= 0 && array_reserve_try(p, p->count + (size_t)n + 1)) {
        vsnprintf(p->items + p->count, (size_t)n + 1, format, again);
        p->count += (size_t)n;
    } else {
        p->failed = true;
    }
    va_end(again);
}

void page_term(page *p, const term *t) {
    size_t n = t ? term_format(t, NULL, 0) : 0;
    if (!t)
        return;
    if (!array_reserve_try(p, p->count + n + 1)) {
        p->failed = true;
        return;
    }
    term_format(t, p->items + p->count, n + 1);
    p->count += n;
}

static void page_put(page *p, const char *text, size_t length) {
    if (!array_reserve_try(p, p->count + length + 1)) {
        p->failed = true;
        return;
    }
    memcpy(p->items + p->count, text, length);
    p->count += length;
}

static void quoted(page *p, const char *text) {
    page_put(p, "\"", 1);
    for (size_t length = strlen(text), taken; length > 0; text += taken, length -= taken) {
        utf8_written json;
        taken = utf8_json(text, length, &json);
        page_put(p, json.bytes, json.count);
    }
    page_put(p, "\"", 1);
}

void page_string(page *p, const char *text) {
    if (text)
        quoted(p, text);
    else
        page_add(p, "null");
}

void page_term_string(page *p, const term *t) {
    page inner = {0};
    page_term(&inner, t);
    page_add(&inner, "%s", "");
    if (inner.failed || !inner.items)
        p->failed = p->failed || inner.failed;
    page_string(p, t ? inner.items : NULL);
    array_finish(&inner);
}

status page_give(page *p, char **out) {
    page_add(p, "%s", "");
    if (p->failed || !p->items) {
        free(p->items);
        return E_MEMORY;
    }
    *out = p->items;
    return OK;
}

// ---- For people ---------------------------------------------------------------------------------

static size_t columns_of(const char *text, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

// 1234567 as 1,234,567.
static void grouped(page *p, uint64_t n) {
    if (n >= 1000) {
        grouped(p, n / 1000);
        page_add(p, ",%03u", (unsigned)(n % 1000));
    } else {
        page_add(p, "%u", (unsigned)n);
    }
}

static void counted(page *p, uint64_t n, const char *one, const char *more) {
    grouped(p, n);
    page_add(p, " %s", n == 1 ? one : more);
}

static void source_of(page *p, const proof *n) {
    switch (n->kind) {
    case PROOF_RULE:
    case PROOF_STATED:
        page_add(p, "%s:%d", n->file, n->line);
        break;
    case PROOF_LOG:
        page_add(p, "%s: %s", n->held ? "memory" : "log", n->table);
        if (n->row != 0)
            page_add(p, " %lld", (long long)n->row);
        break;
    case PROOF_ABSENT:
        page_add(p, n->count > 0 ? "none among " : "there is none");
        if (n->count > 0)
            counted(p, n->count, "row", "rows");
        break;
    case PROOF_AGGREGATE:
        page_add(p, "over ");
        counted(p, n->count, "row", "rows");
        break;
    case PROOF_MERGED:
        page_add(p, "covered by ");
        counted(p, n->count, "piece", "pieces");
        break;
    case PROOF_SEEN:
        page_add(p, "see %u", n->step);
        break;
    case PROOF_EPISODE:
        page_add(p, "episode %lld", (long long)n->row);
        break;
    case PROOF_ANSWER:
    case PROOF_COMPUTED:
    case PROOF_WITHIN:
    case PROOF_CUT:
        break;
    }
}

typedef struct ruler {
    int digits;   // of step numbers
    size_t width; // up to the sources
    uint32_t base, steps;
} ruler;

static void measure(const proof *n, uint32_t depth, ruler *r) {
    page line = {0};
    page_term(&line, n->what);
    size_t width = 2 * depth + (line.items ? columns_of(line.items, line.count) : 0);
    array_finish(&line);
    if (width > r->width && width <= SOURCE_COLUMN_MOST)
        r->width = width;
    if (n->kind != PROOF_SEEN && n->step > r->steps)
        r->steps = n->step;
    for (size_t i = 0; i < n->part_count; i++)
        measure(n->parts[i], depth + 1, r);
}

static void blank(page *p, size_t n) {
    page_add(p, "%*s", (int)n, "");
}

static void note_line(page *p, const ruler *r, uint32_t depth, uint64_t n, const char *one,
                      const char *more) {
    blank(p, (size_t)r->digits + 2 + 2 * depth);
    page_add(p, "... ");
    counted(p, n, one, more);
    page_add(p, "\n");
}

#define PREMISES_MOST 4

// What is not shown: how much it is, what it rests on, and the question that shows it.
static void write_cut(page *p, const proof *n, uint32_t depth, const ruler *r) {
    size_t shown = n->premise_count <= PREMISES_MOST ? n->premise_count : PREMISES_MOST - 1;
    blank(p, (size_t)r->digits + 2 + 2 * depth);
    page_add(p, "... ");
    counted(p, n->count, "further step", "further steps");
    for (size_t i = 0; i < shown; i++) {
        page_add(p, i == 0 ? ", resting on " : ", ");
        grouped(p, n->premises[i].count);
        page_add(p, " of %s", n->premises[i].predicate);
    }
    if (shown < n->premise_count)
        page_add(p, " and facts of %zu more", n->premise_count - shown);
    page_add(p, "; ask: why ");
    page_term(p, n->what);
    page_add(p, "\n");
}

static void write_step(page *p, const proof *n, uint32_t depth, const ruler *r) {
    if (n->kind == PROOF_CUT) {
        write_cut(p, n, depth, r);
        return;
    }
    if (n->kind == PROOF_SEEN)
        blank(p, (size_t)r->digits);
    else
        page_add(p, "%*u", r->digits, n->step);
    blank(p, 2 + 2 * depth);
    size_t from = p->count;
    page_term(p, n->what);
    size_t width = 2 * depth + columns_of(p->items + from, p->count - from);
    page source = {0};
    source_of(&source, n);
    if (source.count > 0) {
        blank(p, (width < r->width ? r->width - width : 0) + 2);
        page_add(p, "%s", source.items);
    }
    page_add(p, "\n");
    p->failed = p->failed || source.failed;
    array_finish(&source);
    for (size_t i = 0; i < n->part_count; i++)
        write_step(p, n->parts[i], depth + 1, r);
    if ((n->kind == PROOF_AGGREGATE || n->kind == PROOF_MERGED) && n->count > n->part_count)
        note_line(p, r, depth + 1, n->count - n->part_count,
                  n->kind == PROOF_MERGED ? "piece more" : "row more",
                  n->kind == PROOF_MERGED ? "pieces more" : "rows more");
}

status proofs_text(const proof *const *proofs, size_t count, char **out) {
    page p = {0};
    for (size_t i = 0; i < count; i++) {
        ruler r = {0};
        measure(proofs[i], 0, &r);
        for (uint32_t n = r.steps; n > 0; n /= 10)
            r.digits++;
        r.digits = r.digits < 3 ? 3 : r.digits;
        if (i > 0)
            page_add(&p, "\n");
        write_step(&p, proofs[i], 0, &r);
    }
    return page_give(&p, out);
}

// ---- JSON ---------------------------------------------------------------------------------------

static const char *const KINDS[] = {"answer",   "rule",    "stated", "log",
                                    "computed", "within",  "absent", "aggregate",
                                    "merged",   "episode", "seen",   "cut"};

static void write_json(page *p, const proof *n) {
    page_add(p, "{");
    if (n->kind != PROOF_CUT)
        page_add(p, "\"step\":%u,", n->step);
    page_add(p, "\"kind\":\"%s\",\"what\":", KINDS[n->kind]);
    page_term_string(p, n->what);
    if (n->file) {
        page_add(p, ",\"file\":");
        page_string(p, n->file);
        page_add(p, ",\"line\":%d,\"rule\":", n->line);
        page_string(p, n->rule);
    }
    if (n->table) {
        page_add(p, ",\"table\":");
        page_string(p, n->table);
    }
    if (n->held)
        page_add(p, ",\"held\":true");
    if (n->kind == PROOF_LOG || n->kind == PROOF_EPISODE)
        page_add(p, ",\"%s\":%lld", n->kind == PROOF_LOG ? "row" : "episode", (long long)n->row);
    if (n->kind == PROOF_ABSENT || n->kind == PROOF_AGGREGATE || n->kind == PROOF_MERGED ||
        n->kind == PROOF_CUT)
        page_add(p, ",\"count\":%llu", (unsigned long long)n->count);
    if (n->kind == PROOF_CUT) {
        page_add(p, ",\"rests_on\":[");
        for (size_t i = 0; i < n->premise_count; i++) {
            page_add(p, "%s{\"predicate\":", i > 0 ? "," : "");
            page_string(p, n->premises[i].predicate);
            page_add(p, ",\"count\":%llu}", (unsigned long long)n->premises[i].count);
        }
        page_add(p, "]");
    }
    if (n->part_count > 0) {
        page_add(p, ",\"parts\":[");
        for (size_t i = 0; i < n->part_count; i++) {
            if (i > 0)
                page_add(p, ",");
            write_json(p, n->parts[i]);
        }
        page_add(p, "]");
    }
    page_add(p, "}");
}

status proofs_json(const proof *const *proofs, size_t count, char **out) {
    page p = {0};
    page_add(&p, "[");
    for (size_t i = 0; i < count; i++) {
        page_add(&p, "%s", i > 0 ? ",\n" : "");
        write_json(&p, proofs[i]);
    }
    page_add(&p, "]\n");
    return page_give(&p, out);
}

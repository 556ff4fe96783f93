// query/why/proof_text.c - proofs as an indented list for people, and as JSON.
#include "query/why/proof_text.h"

#include "base/utf8.h"

#define SOURCE_COLUMN_MAX 76 // a longer step pushes its source to the right

void proof_put_term(text_buffer *b, const term *t) {
    if (t)
        term_put(b, t);
}

void proof_put_json_term(text_buffer *b, const term *t) {
    text_buffer inner = {.may_fail = true};
    proof_put_term(&inner, t);
    b->failed = b->failed || inner.failed;
    json_string(b, t ? text_string(&inner) : NULL);
    text_finish(&inner);
}

status proof_give_text(text_buffer *b, char **out) {
    *out = text_take(b);
    return *out ? OK : E_MEMORY;
}

// ---- For people ---------------------------------------------------------------------------------

// Writes 1234567 as 1,234,567.
static void add_grouped(text_buffer *p, uint64_t n) {
    if (n >= 1000) {
        add_grouped(p, n / 1000);
        text_add(p, ",%03u", (unsigned)(n % 1000));
    } else {
        text_add(p, "%u", (unsigned)n);
    }
}

static void add_counted(text_buffer *p, uint64_t n, const char *one, const char *more) {
    add_grouped(p, n);
    text_add(p, " %s", n == 1 ? one : more);
}

static void source_of(text_buffer *p, const proof *n) {
    switch (n->kind) {
    case PROOF_RULE:
    case PROOF_STATED:
        text_add(p, "%s:%d", n->file, n->line);
        break;
    case PROOF_LOG:
        text_add(p, "%s: %s", n->held ? "memory" : "log", n->table);
        if (n->row != 0)
            text_add(p, " %lld", (long long)n->row);
        break;
    case PROOF_ABSENT:
        text_add(p, n->count > 0 ? "none among " : "there is none");
        if (n->count > 0)
            add_counted(p, n->count, "row", "rows");
        break;
    case PROOF_AGGREGATE:
        text_add(p, "over ");
        add_counted(p, n->count, "row", "rows");
        break;
    case PROOF_MERGED:
        text_add(p, "covered by ");
        add_counted(p, n->count, "piece", "pieces");
        break;
    case PROOF_SEEN:
        text_add(p, "see %u", n->step);
        break;
    case PROOF_EPISODE:
        text_add(p, "episode %lld", (long long)n->row);
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

static void measure_step(const proof *n, uint32_t depth, ruler *r) {
    text_buffer line = {.may_fail = true};
    proof_put_term(&line, n->what);
    size_t width = 2 * depth + (utf8_count(text_string(&line), line.count));
    text_finish(&line);
    if (width > r->width && width <= SOURCE_COLUMN_MAX)
        r->width = width;
    if (n->kind != PROOF_SEEN && n->step > r->steps)
        r->steps = n->step;
    for (size_t i = 0; i < n->part_count; i++)
        measure_step(n->parts[i], depth + 1, r);
}

static void add_blanks(text_buffer *p, size_t n) {
    text_add(p, "%*s", (int)n, "");
}

static void note_line(text_buffer *p, const ruler *r, uint32_t depth, uint64_t n, const char *one,
                      const char *more) {
    add_blanks(p, (size_t)r->digits + 2 + 2 * depth);
    text_add(p, "... ");
    add_counted(p, n, one, more);
    text_add(p, "\n");
}

#define PREMISES_MAX 4

// Says how many steps are not shown, which facts they rest on, and the question that shows them.
static void write_cut(text_buffer *p, const proof *n, uint32_t depth, const ruler *r) {
    size_t shown = n->premise_count <= PREMISES_MAX ? n->premise_count : PREMISES_MAX - 1;
    add_blanks(p, (size_t)r->digits + 2 + 2 * depth);
    text_add(p, "... ");
    add_counted(p, n->count, "further step", "further steps");
    for (size_t i = 0; i < shown; i++) {
        text_add(p, i == 0 ? ", resting on " : ", ");
        add_grouped(p, n->premises[i].count);
        text_add(p, " of %s", n->premises[i].predicate);
    }
    if (shown < n->premise_count)
        text_add(p, " and facts of %zu more", n->premise_count - shown);
    text_add(p, "; ask: why ");
    proof_put_term(p, n->what);
    text_add(p, "\n");
}

static void write_step(text_buffer *p, const proof *n, uint32_t depth, const ruler *r) {
    if (n->kind == PROOF_CUT) {
        write_cut(p, n, depth, r);
        return;
    }
    if (n->kind == PROOF_SEEN)
        add_blanks(p, (size_t)r->digits);
    else
        text_add(p, "%*u", r->digits, n->step);
    add_blanks(p, 2 + 2 * depth);
    size_t from = p->count;
    proof_put_term(p, n->what);
    size_t width = 2 * depth + utf8_count(p->items + from, p->count - from);
    text_buffer source = {.may_fail = true};
    source_of(&source, n);
    if (source.count > 0) {
        add_blanks(p, (width < r->width ? r->width - width : 0) + 2);
        text_add(p, "%s", source.items);
    }
    text_add(p, "\n");
    p->failed = p->failed || source.failed;
    text_finish(&source);
    for (size_t i = 0; i < n->part_count; i++)
        write_step(p, n->parts[i], depth + 1, r);
    if ((n->kind == PROOF_AGGREGATE || n->kind == PROOF_MERGED) && n->count > n->part_count)
        note_line(p, r, depth + 1, n->count - n->part_count,
                  n->kind == PROOF_MERGED ? "piece more" : "row more",
                  n->kind == PROOF_MERGED ? "pieces more" : "rows more");
}

status proofs_text(const proof *const *proofs, size_t count, char **out) {
    text_buffer p = {.may_fail = true};
    for (size_t i = 0; i < count; i++) {
        ruler r = {0};
        measure_step(proofs[i], 0, &r);
        for (uint32_t n = r.steps; n > 0; n /= 10)
            r.digits++;
        r.digits = r.digits < 3 ? 3 : r.digits;
        if (i > 0)
            text_add(&p, "\n");
        write_step(&p, proofs[i], 0, &r);
    }
    return proof_give_text(&p, out);
}

// ---- JSON ---------------------------------------------------------------------------------------

static const char *const KINDS[] = {"answer",   "rule",    "stated", "log",
                                    "computed", "within",  "absent", "aggregate",
                                    "merged",   "episode", "seen",   "cut"};

static void write_json(text_buffer *p, const proof *n) {
    text_add(p, "{");
    if (n->kind != PROOF_CUT)
        text_add(p, "\"step\":%u,", n->step);
    text_add(p, "\"kind\":\"%s\",\"what\":", KINDS[n->kind]);
    proof_put_json_term(p, n->what);
    if (n->file) {
        text_add(p, ",\"file\":");
        json_string(p, n->file);
        text_add(p, ",\"line\":%d,\"rule\":", n->line);
        json_string(p, n->rule);
    }
    if (n->table) {
        text_add(p, ",\"table\":");
        json_string(p, n->table);
    }
    if (n->held)
        text_add(p, ",\"held\":true");
    if (n->kind == PROOF_LOG || n->kind == PROOF_EPISODE)
        text_add(p, ",\"%s\":%lld", n->kind == PROOF_LOG ? "row" : "episode", (long long)n->row);
    if (n->kind == PROOF_ABSENT || n->kind == PROOF_AGGREGATE || n->kind == PROOF_MERGED ||
        n->kind == PROOF_CUT)
        text_add(p, ",\"count\":%llu", (unsigned long long)n->count);
    if (n->kind == PROOF_CUT) {
        text_add(p, ",\"rests_on\":[");
        for (size_t i = 0; i < n->premise_count; i++) {
            text_add(p, "%s{\"predicate\":", i > 0 ? "," : "");
            json_string(p, n->premises[i].predicate);
            text_add(p, ",\"count\":%llu}", (unsigned long long)n->premises[i].count);
        }
        text_add(p, "]");
    }
    if (n->part_count > 0) {
        text_add(p, ",\"parts\":[");
        for (size_t i = 0; i < n->part_count; i++) {
            if (i > 0)
                text_add(p, ",");
            write_json(p, n->parts[i]);
        }
        text_add(p, "]");
    }
    text_add(p, "}");
}

status proofs_json(const proof *const *proofs, size_t count, char **out) {
    text_buffer p = {.may_fail = true};
    text_add(&p, "[");
    for (size_t i = 0; i < count; i++) {
        text_add(&p, "%s", i > 0 ? ",\n" : "");
        write_json(&p, proofs[i]);
    }
    text_add(&p, "]\n");
    return proof_give_text(&p, out);
}

// query/rules/source.c - a rule file cut into clauses and directives.
#include "query/rules/source.h"

#include "base/hash.h"
#include "query/log/fact.h"
#include "query/rules/directive.h"
#include "query/rules/flaw_form.h"
#include "query/rules/module.h"
#include "query/rules/program.h"
#include "query/rules/fact_block.h"

// ---- Finding where a clause ends, without reading it ----

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Moves over so many characters, none of which ends a line.
static void pass_on(reader *r, size_t count) {
    r->at += count;
    r->column += (int)count;
}

static void pass_quoted(reader *r) {
    char quote = reader_look(r, 0);
    reader_step(r);
    while (r->at < r->length && reader_look(r, 0) != quote && reader_look(r, 0) != '\n') {
        if (reader_look(r, 0) == '\\' && r->at + 1 < r->length)
            reader_step(r);
        reader_step(r);
    }
    if (r->at < r->length)
        reader_step(r);
}

// 12, 2.5, .025, 1e-3: a '.' with a digit behind it ends no clause.
static void pass_number(reader *r) {
    while (is_digit(reader_look(r, 0)))
        reader_step(r);
    if (reader_look(r, 0) == '.' && is_digit(reader_look(r, 1))) {
        reader_step(r);
        while (is_digit(reader_look(r, 0)))
            reader_step(r);
    }
}

// Returns whether a number such as .5 begins here; behind a term, a '.' ends the clause.
static bool at_fraction(const reader *r) {
    char before = r->at > 0 ? r->text[r->at - 1] : ' ';
    return reader_look(r, 0) == '.' && is_digit(reader_look(r, 1)) && !symbol_goes_on(before) &&
           !strchr(")]}\"'", before);
}

static void pass_comment(reader *r) {
    if (reader_look(r, 0) == '%') {
        const char *from = r->text + r->at, *end = memchr(from, '\n', r->length - r->at);
        pass_on(r, end ? (size_t)(end - from) : r->length - r->at);
        return;
    }
    reader_step(r);
    reader_step(r);
    while (r->at < r->length && !(reader_look(r, 0) == '*' && reader_look(r, 1) == '/'))
        reader_step(r);
    for (int i = 0; i < 2 && r->at < r->length; i++)
        reader_step(r);
}

bool source_pass_token(reader *r) {
    if (r->at >= r->length)
        return false;
    char c = reader_look(r, 0);
    bool numeric = is_digit(c) || at_fraction(r);
    if (c == '.' && !numeric) {
        reader_step(r);
        return false;
    }
    if (c == '"' || c == '\'') {
        pass_quoted(r);
    } else if (c == '%' || (c == '/' && reader_look(r, 1) == '*')) {
        pass_comment(r);
    } else if (numeric) {
        pass_number(r);
    } else if (symbol_goes_on(c)) {
        size_t n = 1;
        while (symbol_goes_on(reader_look(r, n)))
            n++;
        pass_on(r, n);
    } else {
        reader_step(r);
    }
    return true;
}

// Moves up to a character that more depends on than whether a name goes on.
static void pass_plain(reader *r) {
    size_t left = r->length - r->at, n;
    for (n = strcspn(r->text + r->at, "0123456789.\"'%/\n"); n < left; n++)
        if (!is_digit(r->text[r->at + n]) || r->at + n == 0 ||
            !symbol_goes_on(r->text[r->at + n - 1]))
            break;
    pass_on(r, n < left ? n : left);
}

// Moves behind the '.' that ends the clause.
static void pass_clause(reader *r) {
    do
        pass_plain(r);
    while (source_pass_token(r));
}

// ---- Clauses ----

static void set_terms(clause *c, const term *t) {
    bool is_rule = term_is(t, ":-", 2);
    const term *head = is_rule ? t->args[0] : t;
    c->head = head;
    c->body = is_rule ? t->args[1] : NULL;
    c->name = head->kind == TERM_COMPOUND || head->kind == TERM_SYMBOL ? head->text : "";
    c->line = head->line ? head->line : t->line;
    c->column = head->line ? head->column : t->column;
}

clause *source_add_clause(rule_source *s, size_t at) {
    clause *c = arena_alloc(s->arena, sizeof *c);
    c->source = s;
    c->file = s->name;
    c->at = at;
    array_push(&s->clauses, c);
    return c;
}

// Finds the extent and the plain name of a clause without reading it. False: it begins with no
// plain name, and must be read at once.
static bool find_clause(rule_source *s, reader *r) {
    char first = reader_look(r, 0);
    if (first < 'a' || first > 'z')
        return false;
    clause *c = source_add_clause(s, r->at);
    size_t n = 1;
    while (symbol_goes_on(reader_look(r, n)))
        n++;
    // The clauses of a predicate mostly stand together: they share its name.
    const clause *last = s->clauses.count > 1 ? s->clauses.items[s->clauses.count - 2] : NULL;
    c->name = last && strlen(last->name) == n && memcmp(last->name, r->text + r->at, n) == 0
                  ? last->name
                  : arena_copy(s->arena, r->text + r->at, n);
    c->line = r->line;
    c->column = r->column;
    pass_clause(r);
    c->length = r->at - c->at;
    return true;
}

uint64_t source_clause_hash(const clause *c) {
    if (c->hash)
        return c->hash;
    return hash_long(c->source->text + c->at, c->length) ^ (c->form ? flaw_clause_hash(c) : 0);
}

static void add_broken_name(rule_source *s, size_t at, size_t length, const char *name) {
    clause *c = source_add_clause(s, at);
    c->name = name;
    c->length = length;
    c->broken = true;
}

// A clause that cannot be read may define the name that it begins with.
static void add_broken(rule_source *s, size_t at, size_t length) {
    size_t n = 0;
    while (n < length && symbol_goes_on(s->text[at + n]))
        n++;
    add_broken_name(s, at, length, arena_copy(s->arena, s->text + at, n));
}

// A directive that cannot be read may be about the name that stands behind its first word.
// Sentences that follow a directive that should have been `:- flaw` are no mistakes of their own.
static void add_broken_directive(rule_source *s, size_t at, const reader *r,
                                 const void *flaw_before) {
    reader behind = *r;
    bool sentences = !directive_ahead(&behind) && flaw_sentence_ahead(s, &behind);
    size_t end = r->at, from = at + 2, to;
    while (from < end && s->text[from] == ' ')
        from++;
    for (to = from; to < end && symbol_goes_on(s->text[to]);)
        to++;
    while (to < end && s->text[to] == ' ')
        to++;
    if (to < end && symbol_goes_on(s->text[to]))
        add_broken(s, to, end - to);
    if (sentences && s->flaw == flaw_before) {
        flaw_form_end(s);
        s->flaw_lost = true;
    }
}

#define ITEMS_MAX 10000
#define BYTES_PER_LOOK ((size_t)1 << 16)

// Returns a list in the term that has too many items; NULL: there is none. Follows tails without
// recursion.
static const term *long_list(const term *t) {
    const term *list = t;
    for (size_t n = 0; t->kind == TERM_COMPOUND && t->arity > 0; t = t->args[t->arity - 1]) {
        n = term_is(t, "[|]", 2) ? n + 1 : 0;
        list = n == 1 ? t : list;
        if (n > ITEMS_MAX)
            return list;
        for (uint32_t i = 0; i + 1 < t->arity; i++) {
            const term *inner = long_list(t->args[i]);
            if (inner)
                return inner;
        }
    }
    return NULL;
}

static status check_lists(const char *file, const term *t, error *err) {
    const term *list = long_list(t);
    return list ? error_at(err, E_INPUT, file, list->line, list->column,
                           "a list of more than 10,000 items; keep them as facts")
                : OK;
}

status source_term(arena *a, const char *file, const char *text, const term **out, error *err) {
    const term *t = NULL;
    status s = term_parse(a, file, text, strlen(text), 1, 1, &t, err);
    if (s == OK)
        s = check_lists(file, t, err);
    if (s == OK)
        *out = t;
    return s;
}

bool source_read(clause *c, errors *list) {
    if (c->head || c->broken)
        return !c->broken;
    reader r;
    const term *t = NULL;
    error err = {0};
    rule_source *s = c->source;
    reader_init(&r, s->arena, s->name, s->text + c->at, c->length, c->line, c->column);
    status read = c->form ? flaw_clause_term(c, &t, &err) : reader_clause(&r, &t, &err);
    if (read == OK && t && check_lists(s->name, t, &err) == OK) {
        set_terms(c, t);
        return true;
    }
    c->broken = true;
    errors_append(list, &err);
    return false;
}

// Takes the bytes that were read so far from the budget. False: memory or the budget is out.
static bool count_source(rule_source *s, const fact_block_reader *rows) {
    size_t bytes = arena_bytes(s->arena) + s->clauses.capacity * sizeof *s->clauses.items +
                   fact_block_bytes(rows);
    if (bytes > s->counted) {
        if (!budget_take(s->budget, bytes - s->counted))
            return false;
        s->counted = bytes;
    }
    return !rows->failed;
}

// Sets memory aside for the clause that follows. Rows of facts fail by themselves where there is
// none; memory for a library is set aside as a whole.
static bool fund_clause(rule_source *s, const reader *r) {
    reader ahead = *r;
    pass_clause(&ahead);
    size_t length = ahead.at - r->at;
    s->unstated += length;
    return mem_fund_add(length * SOURCE_FUND_PER_BYTE);
}

// Reads a sentence of a flaw's declaration as clauses. False: there is no memory for it.
static bool read_sentence(rule_source *s, reader *r, fact_block_reader *rows, errors *list) {
    size_t at = r->at, first = s->clauses.count, before = list->count;
    if (!flaw_sentence_find(s, r, list)) {
        rows->failed = true;
        return false;
    }
    // What it would define is of its flaw, by whatever name.
    if (list->count > before)
        add_broken_name(s, at, r->at - at, s->flaw ? s->flaw->name : "");
    for (size_t i = first; i < s->clauses.count && !s->library; i++)
        source_read(s->clauses.items[i], list);
    return true;
}

// Passes over a quote that stands before a directive, or before a clause and is not closed on its
// line: without it they read.
static void pass_stray_quote(const rule_source *s, reader *r, errors *list) {
    reader behind = *r;
    char quote = reader_look(r, 0);
    if (quote != '\'' && quote != '"')
        return;
    pass_quoted(&behind);
    bool directive = reader_look(r, 1) == ':' && reader_look(r, 2) == '-';
    if (!directive && behind.line == r->line && r->text[behind.at - 1] == quote &&
        behind.at > r->at + 1)
        return;
    errors_add(list, s->name, r->line, r->column, "this %c is not closed on its line", quote);
    reader_step(r);
}

// Returns whether the term has a variable that the text of the clause has, too.
static bool shares_variable(const rule_source *s, const clause *c, const term *t) {
    reader r;
    reader_init(&r, s->arena, s->name, s->text + c->at, c->length, 1, 1);
    for (size_t at = 0;; at = r.at) {
        bool more = source_pass_token(&r);
        char first = s->text[c->at + at];
        if (first >= 'A' && first <= 'Z' &&
            term_mentions(t, arena_copy(s->arena, s->text + c->at + at, r.at - at)))
            return true;
        if (!more)
            return false;
    }
}

// Returns the rule or sentence that ends directly before `at`, behind its goals; NULL: there is
// none.
static clause *goals_before(const rule_source *s, size_t at) {
    clause *last = s->clauses.count > 0 ? s->clauses.items[s->clauses.count - 1] : NULL;
    if (!last || last->broken || !(last->form ? last->form->goals.length > 0 : last->body != NULL))
        return NULL;
    size_t end = last->at + last->length;
    while (end < at && strchr(" \t\r\n", s->text[end]))
        end++;
    return end == at ? last : NULL;
}

// Tells a '.' that should have been a ',': what follows it on its line, or is indented on the next,
// are goals and no clause. False: that is not so.
static bool tell_early_stop(rule_source *s, const reader *r, const term *t, errors *list) {
    clause *last = goals_before(s, r->at);
    if (!last || r->column == 1 || term_is(t, ":-", 2) ||
        !(term_is(t, ",", 2) || shares_variable(s, last, t)))
        return false;
    reader stop;
    reader_init(&stop, s->arena, s->name, s->text, s->length, last->line, last->column);
    stop.at = last->at;
    while (stop.at < last->at + last->length - 1)
        reader_step(&stop);
    errors_add(list, s->name, stop.line, stop.column,
               "this '.' ends the clause, and goals follow it; goals are parted by ','");
    for (size_t i = s->clauses.count; i > 0 && s->clauses.items[i - 1]->at == last->at; i--)
        s->clauses.items[i - 1]->broken = true;
    if (last->form)
        add_broken_name(s, r->at, 0, last->form->flaw->name);
    return true;
}

// Reads a clause or a directive. False: none is left, or there is no memory for it.
static bool read_next(rule_source *s, program *p, reader *r, fact_block_reader *rows,
                      errors *list) {
    bool directive = directive_ahead(r);
    if (!s->library && !directive) {
        pass_stray_quote(s, r, list);
        directive = directive_ahead(r);
    }
    size_t at = r->at;
    const reader begin = *r;
    if (!directive && !s->library && fact_block_read(rows, r))
        return true;
    if (rows->failed || (!s->library && !fund_clause(s, r))) {
        rows->failed = true;
        return false;
    }
    if (directive) {
        array_push(&s->directives, (text_place){at, r->line, r->column});
        const void *flaw = s->flaw;
        if (!directive_read(p, r, list))
            add_broken_directive(s, at, r, flaw);
        return true;
    }
    if (flaw_sentence_ahead(s, r))
        return read_sentence(s, r, rows, list);
    if (s->library && find_clause(s, r))
        return true;
    const term *t = NULL;
    error err = {0};
    if (reader_clause(r, &t, &err) != OK || (t && check_lists(s->name, t, &err) != OK)) {
        errors_append(list, &err);
        add_broken(s, at, r->at - at);
        return r->at < r->length;
    }
    if (!t)
        return false;
    if (!s->library && tell_early_stop(s, &begin, t, list))
        return true;
    clause *c = source_add_clause(s, at);
    c->length = r->at - at;
    set_terms(c, t);
    return true;
}

// Takes what the text of a library holds from where it is known. False: it is not.
static bool fill_in(rule_source *s, program *p) {
    if (!s->library || !p->fill_in || !p->fill_in(p, s))
        return false;
    s->unstated = s->length;
    s->found = true;
    return true;
}

// False: memory or the budget is out.
static bool read_all(rule_source *s, program *p, errors *list) {
    reader r;
    fact_block_reader rows = {.source = s, .values = p->values};
    size_t looked = 0;
    reader_init(&r, s->arena, s->name, s->text, s->length, 1, 1);
    values_forgive(p->values);
    bool ok = count_source(s, &rows);
    if (s->library) {
        s->unstated = s->length;
        ok = ok && mem_fund_add(s->length * SOURCE_FUND_PER_BYTE);
    }
    while (ok && read_next(s, p, &r, &rows, list)) {
        if (r.at - looked > BYTES_PER_LOOK) {
            ok = count_source(s, &rows);
            looked = r.at;
        }
    }
    flaw_form_end(s);
    for (size_t i = 0; i < s->clauses.count && !s->library; i++) {
        if (s->clauses.items[i]->form)
            source_read(s->clauses.items[i], list);
    }
    s->found = true;
    ok = ok && count_source(s, &rows);
    fact_block_finish(&rows);
    return ok;
}

rule_source *source_create(program *p, const char *name, const char *text, size_t length,
                           bool library, errors *list) {
    rule_source *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->arena = arena_create();
    s->name = arena_strdup(s->arena, name);
    s->text = arena_copy(s->arena, text, length);
    s->length = length;
    s->library = library;
    s->budget = values_budget(p->values);
    p->reading = s;
    bool ok = fill_in(s, p) ? count_source(s, &(fact_block_reader){0}) : read_all(s, p, list);
    p->reading = NULL;
    if (ok)
        return s;
    source_destroy(s);
    return NULL;
}

void source_destroy(rule_source *s) {
    if (!s)
        return;
    for (size_t i = 0; i < s->clauses.count; i++)
        fact_block_destroy(s->clauses.items[i]->facts);
    array_finish(&s->clauses);
    array_finish(&s->directives);
    fact_release(s->held);
    budget_return(s->budget, s->counted);
    module_destroy(s->module);
    arena_destroy(s->arena);
    free(s);
}

void source_hold(rule_source *s, const fact *f) {
    s->held = fact_share(f);
}

void source_direct(rule_source *s, program *p) {
    if (s->held)
        array_push(&p->tables, (fact *)(uintptr_t)s->held);
    errors ignored = {0}; // mistakes were reported when the text was read first
    p->reading = s;
    module_reset(s->module);
    for (size_t i = 0; i < s->directives.count; i++) {
        const text_place *at = &s->directives.items[i];
        reader r;
        reader_init(&r, s->arena, s->name, s->text, s->length, at->line, at->column);
        r.at = at->at;
        directive_read(p, &r, &ignored);
    }
    p->reading = NULL;
    errors_finish(&ignored);
}

// query/rules/fact_block.c - reads facts of a rule file into rows.
//
// The scanner takes the plain form of a fact. Any other text is left to the reader of clauses,
// which also reports its mistakes.
#include "query/rules/fact_block.h"

#include "base/hash.h"
#include "base/symtab.h"
#include "base/text/number.h"
#include "query/rows/relation.h"

#define NESTING_MAX 20
#define ARGUMENTS_MAX RELATION_ARITY_MAX

// ---- Constants ----

typedef struct scan {
    values *values;
    const char *at, *end;
} scan;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

static char scan_look(const scan *s) {
    return s->at < s->end ? *s->at : 0;
}

static void pass_blanks(scan *s) {
    while (scan_look(s) == ' ' || scan_look(s) == '\t')
        s->at++;
}

static void pass_digits(scan *s) {
    while (is_digit(scan_look(s)))
        s->at++;
}

static value scan_number(scan *s) {
    const char *from = s->at;
    bool negative = *s->at == '-', whole = true;
    s->at += negative;
    if (!is_digit(scan_look(s)))
        return VALUE_NONE;
    const char *digits = s->at;
    pass_digits(s);
    if (scan_look(s) == '.' && s->at + 1 < s->end && is_digit(s->at[1])) {
        s->at++;
        pass_digits(s);
        whole = false;
    }
    if (scan_look(s) == 'e' || scan_look(s) == 'E') {
        s->at++;
        if (scan_look(s) == '-' || scan_look(s) == '+')
            s->at++;
        if (!is_digit(scan_look(s)))
            return VALUE_NONE;
        pass_digits(s);
        whole = false;
    }
    size_t length = (size_t)(s->at - from);
    if (whole && s->at - digits <= 17) {
        int64_t n = 0;
        for (; digits < s->at; digits++)
            n = n * 10 + (*digits - '0');
        return values_int(s->values, negative ? -n : n);
    }
    int64_t n;
    double x;
    if (whole)
        return number_parse_integer(from, length, &n) ? values_int(s->values, n) : VALUE_NONE;
    return number_parse(from, length, &x) ? values_float(s->values, x) : VALUE_NONE;
}

// "a string" or 'a symbol' without escapes.
static value scan_quoted(scan *s) {
    char quote = *s->at++;
    const char *from = s->at;
    while (s->at < s->end && *s->at != quote) {
        if (*s->at == '\\' || *s->at == '\n' || *s->at == 0)
            return VALUE_NONE;
        s->at++;
    }
    if (s->at == s->end)
        return VALUE_NONE;
    size_t length = (size_t)(s->at++ - from);
    return values_text_of(s->values, quote == '"' ? VALUE_STRING : VALUE_SYMBOL, from, length);
}

static bool scan_arguments(scan *s, value *out, uint32_t *count, int depth);

// Words before which the reader of clauses may mean something else.
static bool is_operator(const char *text, size_t length) {
    static const char *const words[] = {"not", "why", "is", "mod"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return true;
    }
    return false;
}

static value scan_constant(scan *s, int depth) {
    char c = scan_look(s);
    if (is_digit(c) || c == '-')
        return scan_number(s);
    if (c == '"' || c == '\'')
        return scan_quoted(s);
    if (!is_lower(c))
        return VALUE_NONE;
    const char *from = s->at;
    while (symbol_goes_on(scan_look(s)))
        s->at++;
    size_t length = (size_t)(s->at - from);
    if (scan_look(s) != '(')
        return values_text_of(s->values, VALUE_SYMBOL, from, length);
    value args[ARGUMENTS_MAX];
    uint32_t count = 0;
    if (is_operator(from, length) || depth >= NESTING_MAX ||
        !scan_arguments(s, args, &count, depth + 1))
        return VALUE_NONE;
    value functor = values_text_of(s->values, VALUE_SYMBOL, from, length);
    return values_compound_of(s->values, functor, count, args);
}

// Reads the arguments, from '(' to behind ')'.
static bool scan_arguments(scan *s, value *out, uint32_t *count, int depth) {
    do {
        s->at++;
        pass_blanks(s);
        if (*count == ARGUMENTS_MAX)
            return false;
        value x = scan_constant(s, depth);
        if (x == VALUE_NONE)
            return false;
        out[(*count)++] = x;
        pass_blanks(s);
    } while (scan_look(s) == ',');
    return scan_look(s) == ')' && s->at++;
}

// ---- Facts ----

static clause *add_clause(fact_block_reader *s, const char *name, size_t length, uint32_t arity,
                          size_t at) {
    rule_source *source = s->source;
    clause *c = arena_alloc(source->arena, sizeof *c);
    c->source = source;
    c->file = source->name;
    c->name = arena_copy(source->arena, name, length);
    c->at = at;
    c->facts = mem_must(1, sizeof *c->facts);
    c->facts->arity = arity;
    array_push(&source->clauses, c);
    array_push(&s->clauses, c);
    return c;
}

// The clause of the facts with this name and arity.
static clause *clause_for(fact_block_reader *s, const char *name, size_t length, uint32_t arity,
                          size_t at) {
    const clause *last = s->last;
    if (last && last->facts->arity == arity && strlen(last->name) == length &&
        memcmp(last->name, name, length) == 0)
        return s->last;
    char key[256];
    if (length + sizeof arity > sizeof key)
        return NULL;
    memcpy(key, &arity, sizeof arity);
    memcpy(key + sizeof arity, name, length);
    if (!s->names)
        s->names = symtab_create();
    uint32_t k = symtab_add(s->names, key, length + sizeof arity);
    return s->last =
               k < s->clauses.count ? s->clauses.items[k] : add_clause(s, name, length, arity, at);
}

bool fact_block_read(fact_block_reader *s, reader *r) {
    scan now = {s->values, r->text + r->at, r->text + r->length};
    value row[ARGUMENTS_MAX];
    uint32_t arity = 0;
    const char *name = now.at;
    if (!is_lower(scan_look(&now)) || r->at > UINT32_MAX)
        return false;
    while (symbol_goes_on(scan_look(&now)))
        now.at++;
    size_t length = (size_t)(now.at - name);
    if (scan_look(&now) != '(' || is_operator(name, length))
        return false;
    bool read = scan_arguments(&now, row, &arity, 0) && scan_look(&now) == '.';
    if (!read) {
        s->failed = values_failed(s->values) != OK && !values_too_deep(s->values);
        values_forgive(s->values);
        return false;
    }
    clause *c = clause_for(s, name, length, arity, r->at);
    if (!c)
        return false;
    fact_block *f = c->facts;
    bool place = f->count % FACT_BLOCK_PER_PLACE == 0;
    if ((place && !array_reserve_try(&f->places, f->places.count + 1)) ||
        !array_reserve_try(&f->rows, f->rows.count + arity) ||
        !array_reserve_try(&f->at, f->at.count + 1)) {
        s->failed = true;
        return false;
    }
    if (place)
        array_push(&f->places, (fact_block_place){(uint32_t)r->at, r->line, r->column});
    for (uint32_t i = 0; i < arity; i++)
        f->rows.items[f->rows.count++] = row[i];
    array_push(&f->at, (uint32_t)r->at);
    f->count++;
    size_t taken = (size_t)(now.at + 1 - name);
    r->at += taken;
    r->column += (int)taken;
    return true;
}

size_t fact_block_bytes(const fact_block_reader *s) {
    size_t all = 0;
    for (size_t i = 0; i < s->clauses.count; i++) {
        const fact_block *f = s->clauses.items[i]->facts;
        all += f->rows.capacity * sizeof *f->rows.items + f->at.capacity * sizeof *f->at.items +
               f->places.capacity * sizeof *f->places.items;
    }
    return all;
}

void fact_block_destroy(fact_block *f) {
    if (!f)
        return;
    array_finish(&f->rows);
    array_finish(&f->at);
    array_finish(&f->places);
    array_finish(&f->asked_for);
    symtab_destroy(f->numbers);
    free(f);
}

// ---- One fact of a block ----

// The line and column of a place in the text behind another one.
static void go_to(const char *text, fact_block_place *p, uint32_t at) {
    for (; p->at < at; p->at++) {
        bool ends = text[p->at] == '\n';
        p->line += ends;
        p->column = ends ? 1 : p->column + 1;
    }
}

// Reads the fact as the clause that is written; *length gets the length of its text.
static const term *read_term(const clause *c, arena *a, uint32_t at, int line, int column,
                             size_t *length) {
    const rule_source *s = c->source;
    reader r;
    const term *t = NULL;
    reader_init(&r, a, s->name, s->text + at, s->length - at, line, column);
    status read = reader_clause(&r, &t, NULL);
    ASSERT(read == OK && t);
    *length = r.at;
    return t;
}

// Gives back what an array has more than it needs. An empty one keeps its room: realloc to no bytes
// frees it and may give NULL all the same.
#define FIT(array)                                                                                 \
    do {                                                                                           \
        void *fitting = (array)->count == 0                                                        \
                            ? NULL                                                                 \
                            : realloc((array)->items, (array)->count * sizeof *(array)->items);    \
        if (fitting) {                                                                             \
            (array)->items = fitting;                                                              \
            (array)->capacity = (array)->count;                                                    \
        }                                                                                          \
    } while (0)

// The clause looks like the first of its facts, which has no number yet.
static void show_first(clause *c) {
    const fact_block_place *p = &c->facts->places.items[0];
    c->line = p->line;
    c->column = p->column;
    c->head = read_term(c, c->source->arena, p->at, p->line, p->column, &c->length);
}

void fact_block_finish(fact_block_reader *s) {
    for (size_t i = 0; i < s->clauses.count; i++) {
        fact_block *f = s->clauses.items[i]->facts;
        FIT(&f->rows);
        FIT(&f->at);
        if (s->clauses.items[i]->facts->count > 0) // of others no row found room
            show_first(s->clauses.items[i]);
    }
    array_finish(&s->clauses);
    symtab_destroy(s->names);
    *s = (fact_block_reader){0};
}

static clause clause_of_fact(const clause *c, uint32_t i) {
    const fact_block *f = c->facts;
    fact_block_place p = f->places.items[i / FACT_BLOCK_PER_PLACE];
    go_to(c->source->text, &p, f->at.items[i]);
    return (clause){.source = c->source,
                    .file = c->file,
                    .name = c->name,
                    .file_number = c->file_number,
                    .id = c->id + i,
                    .line = p.line,
                    .column = p.column,
                    .at = p.at};
}

clause fact_block_at(const clause *c, uint32_t i) {
    clause one = clause_of_fact(c, i);
    arena *a = arena_create_small(1024);
    read_term(c, a, (uint32_t)one.at, one.line, one.column, &one.length);
    arena_destroy(a);
    return one;
}

clause *fact_block_clause(const clause *c, uint32_t i) {
    fact_block *f = c->facts;
    if (!f->numbers)
        f->numbers = symtab_create();
    uint32_t known = symtab_add(f->numbers, (const char *)&i, sizeof i);
    if (known < f->asked_for.count)
        return f->asked_for.items[known];
    clause *one = arena_alloc(c->source->arena, sizeof *one);
    *one = clause_of_fact(c, i);
    one->head =
        read_term(c, c->source->arena, (uint32_t)one->at, one->line, one->column, &one->length);
    array_push(&f->asked_for, one);
    return one;
}

static int by_place(const void *a, const void *b) {
    const clause *x = *(clause *const *)a, *y = *(clause *const *)b;
    return (x->at > y->at) - (x->at < y->at);
}

static void note_twin(void *context, const clause *later, const clause *earlier) {
    (void)context;
    ((clause *)(uintptr_t)later)->twin = earlier->id;
}

void fact_block_unfold(rule_source *s, bool (*which)(const clause *c, void *context),
                       void *context) {
    size_t count = s->clauses.count, kept = 0;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        clause *c = s->clauses.items[i];
        if (!c->facts || !which(c, context)) {
            s->clauses.items[kept++] = c;
            continue;
        }
        any = true;
        for (uint32_t k = 0; k < c->facts->count; k++)
            array_push(&s->clauses, fact_block_clause(c, k));
        fact_block_twins(c, note_twin, NULL);
        fact_block_destroy(c->facts);
        c->facts = NULL;
    }
    if (!any)
        return;
    size_t made = s->clauses.count - count;
    memmove(s->clauses.items + kept, s->clauses.items + count, made * sizeof *s->clauses.items);
    s->clauses.count = kept + made;
    qsort(s->clauses.items, s->clauses.count, sizeof *s->clauses.items, by_place);
}

// ---- All facts of a block ----

void fact_block_twins(const clause *c,
                      void (*found)(void *context, const clause *later, const clause *earlier),
                      void *context) {
    const fact_block *f = c->facts;
    budget free_of_limit = {.limit = SIZE_MAX};
    relation *r = f->arity > 0 ? relation_create_plain(f->arity, &free_of_limit) : NULL;
    status s = r ? relation_fill(r, f->rows.items, 0, f->count) : E_MEMORY;
    if (s == OK && r->count < f->count) {
        // Some stand twice: which one was the first is kept beside.
        ARRAY(uint32_t) first = {0};
        uint32_t before = 0;
        relation_destroy(r);
        r = relation_create_plain(f->arity, &free_of_limit);
        for (uint32_t i = 0; r && i < f->count; i++) {
            uint32_t at;
            if (relation_put(r, f->rows.items + (size_t)i * f->arity, 0, 0, &at) != OK)
                break;
            if (r->count > before)
                array_push(&first, i);
            else
                found(context, fact_block_clause(c, i), fact_block_clause(c, first.items[at]));
            before = r->count;
        }
        array_finish(&first);
    }
    relation_destroy(r);
}

uint64_t fact_block_hash(const fact_block *f) {
    uint64_t h = f->arity;
    for (size_t i = 0; i < f->rows.count; i++)
        h = hash_mix(h, f->rows.items[i]);
    return h;
}

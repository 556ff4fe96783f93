// query/rules/flaw_form.c - sentences of flaws found in a rule file, and cut into the pieces of
// clauses.
#include "query/rules/flaw_form_int.h"

#include "base/hash.h"

const flaw_sentence_info flaw_sentences[SENTENCE_COUNT] = {
#define SENTENCE(id, word, predicate, about, many, form, doc)                                      \
    {word, predicate, ABOUT_##about, many, form},
#include "query/rules/flaw_form.def"
#undef SENTENCE
};

// ---- Finding sentences ----

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t word_length(const reader *r, size_t from) {
    size_t n = 0;
    while (name_goes_on(reader_look(r, from + n)))
        n++;
    return n;
}

bool flaw_word_is(const reader *r, size_t from, const char *word) {
    size_t n = word_length(r, from);
    return n == strlen(word) && memcmp(r->text + r->at + from, word, n) == 0;
}

// SENTENCE_COUNT: no sentence begins with this word.
static flaw_sentence_kind sentence_at(const reader *r) {
    for (int i = 0; i < SENTENCE_COUNT; i++) {
        if (flaw_word_is(r, 0, flaw_sentences[i].word))
            return (flaw_sentence_kind)i;
    }
    return SENTENCE_COUNT;
}

// A word, blanks and then the beginning of another term: no clause reads so.
bool flaw_sentence_ahead(const rule_source *s, const reader *r) {
    size_t n = word_length(r, 0), next = n;
    char first = reader_look(r, 0);
    if (first < 'a' || first > 'z' || !is_blank(reader_look(r, n)))
        return false;
    while (is_blank(reader_look(r, next)))
        next++;
    char c = reader_look(r, next);
    if (sentence_at(r) != SENTENCE_COUNT)
        return c != 0 && c != '.' && !(c == ':' && reader_look(r, next + 1) == '-');
    bool begins = name_goes_on(c) || c == '"' || c == '[';
    return s->flaw && begins && !flaw_word_is(r, 0, "not") && !flaw_word_is(r, 0, "why") &&
           !flaw_word_is(r, next, "is") && !flaw_word_is(r, next, "mod");
}

void flaw_skip_blanks(reader *r) {
    while (is_blank(reader_look(r, 0)) || reader_look(r, 0) == '%')
        source_pass_token(r);
}

static flaw_piece begin_piece(reader *r) {
    flaw_skip_blanks(r);
    return (flaw_piece){.at = r->at, .line = r->line, .column = r->column};
}

static void end_piece(const reader *r, flaw_piece *p) {
    p->length = r->at > p->at ? r->at - p->at : 0;
    while (p->length > 0 && is_blank(r->text[p->at + p->length - 1]))
        p->length--;
}

typedef struct item {
    flaw_piece first, second;
} item;
typedef struct sentence {
    ARRAY(item) items;
    flaw_piece goals;
    bool torn; // by a '.' within brackets, which was told
} sentence;

// Returns the length of the sign or word that begins the second part of an item; 0: none begins
// here.
static size_t second_ahead(flaw_sentence_kind kind, const reader *r) {
    if (kind == SENTENCE_EVIDENCE && flaw_word_is(r, 0, "against"))
        return strlen("against");
    if (kind == SENTENCE_TIME && flaw_word_is(r, 0, "to"))
        return strlen("to");
    return kind == SENTENCE_SUGGESTS && reader_look(r, 0) == ':' ? 1 : 0;
}

void flaw_step_over(reader *r, size_t bytes) {
    while (bytes-- > 0)
        reader_step(r);
}

// Returns whether another sentence or a directive begins here, at the begin of a line.
static bool another_ahead(const rule_source *s, const reader *r) {
    if (reader_look(r, 0) != ':' || reader_look(r, 1) != '-')
        return flaw_sentence_ahead(s, r);
    return reader_directive_behind(r, 2);
}

// Returns whether the token between these is a text in quotes that is not closed on its line.
static bool quote_is_open(const reader *begin, const reader *end) {
    char c = reader_look(begin, 0);
    return (c == '"' || c == '\'') &&
           (end->line > begin->line || end->at == begin->at + 1 || end->text[end->at - 1] != c);
}

// Cuts the sentence into its items and its goals; the reader stands behind its word, and then
// behind its '.'. Returns whether the sentence has this end.
static bool cut_sentence(const rule_source *s, flaw_sentence_kind kind, reader *r, sentence *out,
                         errors *list) {
    reader said = *r; // behind the last token that is no blank
    bool goals = kind == SENTENCE_WHEN, second = false, whole = true;
    int depth = 0;
    flaw_piece piece = begin_piece(r);
    item now = {0};
    for (;;) {
        char c = reader_look(r, 0);
        bool cut = r->line > said.line && r->column == 1 && another_ahead(s, r);
        bool outside = depth == 0 && !goals && !cut, arrow = c == ':' && reader_look(r, 1) == '-';
        size_t sign = outside && !arrow && !second ? second_ahead(kind, r) : 0;
        bool next = outside && c == ',' && flaw_sentences[kind].many;
        reader before = *r;
        if (sign == 0 && !next && !(outside && arrow)) {
            depth += c == '(' || c == '[' || c == '{';
            depth -= c == ')' || c == ']' || c == '}';
            if (!cut && source_pass_token(r)) {
                if (quote_is_open(&before, r)) {
                    errors_add(list, s->name, before.line, before.column,
                               "this %c is not closed on its line", c);
                    out->torn = true;
                    if (reader_stopped(r) || r->at == r->length)
                        return true;
                }
                if (!is_blank(c) && c != '%')
                    said = *r;
                continue;
            }
            if (!cut && c == '.' && depth > 0 && reader_goes_on(r, depth)) {
                if (!out->torn)
                    errors_add(list, s->name, before.line, before.column,
                               "expected ',' or a closing bracket, found '.'");
                out->torn = true;
                continue;
            }
            whole = !cut && before.at < r->at;
            if (!whole)
                errors_add(list, s->name, said.line, said.column,
                           "the sentence ends without a '.'");
        } else {
            flaw_step_over(r, sign ? sign : next ? 1 : 2);
            said = *r;
        }
        bool over = sign == 0 && !next && !(outside && arrow); // at the '.', or the end of the text
        end_piece(cut ? &said : &before, &piece);
        if (goals)
            out->goals = piece;
        else if (second)
            now.second = piece;
        else
            now.first = piece;
        if (!goals && sign == 0)
            array_push(&out->items, now);
        if (over)
            return whole;
        second = sign > 0;
        goals = outside && arrow;
        if (!second)
            now = (item){0};
        piece = begin_piece(r);
    }
}

static clause *add_clause(rule_source *s, const char *name, flaw_sentence_kind kind, size_t at,
                          size_t length, int line, int column) {
    clause *c = source_add_clause(s, at);
    struct flaw_clause *form = arena_alloc(s->arena, sizeof *form);
    form->flaw = s->flaw;
    form->kind = kind;
    c->form = form;
    c->name = name;
    c->length = length;
    c->line = line;
    c->column = column;
    return c;
}

static void complain_form(const rule_source *s, errors *list, const flaw_piece *at,
                          const char *form) {
    errors_add(list, s->name, at->line, at->column, "a sentence of a flaw expected: %s", form);
}

// The name of the predicate that the item's clause defines; NULL: it is none.
static const char *predicate_of(const rule_source *s, flaw_sentence_kind kind,
                                const flaw_piece *said) {
    if (kind != SENTENCE_IS)
        return flaw_sentences[kind].predicate;
    const char *text = s->text + said->at;
    for (size_t i = 0; i < said->length; i++) {
        if (!name_goes_on(text[i]))
            return NULL;
    }
    bool plain = said->length > 0 && text[0] >= 'a' && text[0] <= 'z';
    return plain ? arena_copy(s->arena, text, said->length) : NULL;
}

static bool is_whole(flaw_sentence_kind kind, const sentence *t) {
    for (size_t i = 0; i < t->items.count; i++) {
        const item *one = &t->items.items[i];
        bool second = kind == SENTENCE_SUGGESTS || one->second.line > 0;
        if (one->first.length == 0 || (second && one->second.length == 0))
            return false;
    }
    return kind != SENTENCE_WHEN || t->goals.length > 0;
}

static void add_clauses(rule_source *s, flaw_sentence_kind kind, const sentence *t,
                        const flaw_piece *whole, errors *list) {
    size_t count = kind == SENTENCE_WHEN ? 1 : t->items.count;
    for (size_t i = 0; i < count; i++) {
        item none = {0};
        const item *one = kind == SENTENCE_WHEN ? &none : &t->items.items[i];
        const char *name = predicate_of(s, kind, &one->first);
        if (!name) {
            complain_form(s, list, &one->first, flaw_sentences[kind].form);
            continue;
        }
        bool threshold = kind == SENTENCE_EVIDENCE && one->second.length > 0;
        for (int k = 0; k <= threshold; k++) {
            clause *c =
                add_clause(s, name, kind, whole->at, whole->length, whole->line, whole->column);
            struct flaw_clause *form = (struct flaw_clause *)(uintptr_t)c->form;
            form->item = one->first;
            form->second = one->second;
            form->goals = t->goals;
            form->of_threshold = k == 1;
            form->shared = count > 1 || threshold;
        }
    }
}

bool flaw_sentence_find(rule_source *s, reader *r, errors *list) {
    flaw_sentence_kind kind = sentence_at(r);
    flaw_piece whole = {.at = r->at, .line = r->line, .column = r->column};
    size_t first = s->clauses.count;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)word_length(r, 0), r->text + r->at);
    sentence t = {0};
    flaw_step_over(r, word_length(r, 0));
    bool ends = cut_sentence(s, kind == SENTENCE_COUNT ? SENTENCE_WHEN : kind, r, &t, list);
    whole.length = r->at - whole.at;
    if (t.torn || (!s->flaw && s->flaw_lost)) {
        // the dot that tears it, or the mistake in its directive is the one that counts
    } else if (!s->flaw) {
        errors_add(list, s->name, whole.line, whole.column,
                   "'%s' belongs to a flaw: ':- flaw name(...)' stands before its sentences", word);
    } else if (kind == SENTENCE_COUNT) {
        const char *words[SENTENCE_COUNT];
        for (int i = 0; i < SENTENCE_COUNT; i++)
            words[i] = flaw_sentences[i].word;
        const char *near = nearest_name(word, words, SENTENCE_COUNT);
        errors_add(list, s->name, whole.line, whole.column,
                   near ? "no sentence of a flaw begins with '%s'; did you mean '%s'?"
                        : "no sentence of a flaw begins with '%s'",
                   word, near);
    } else if (!ends && !is_whole(kind, &t)) {
        // what it lacks before the '.' is the same mistake
    } else if (!is_whole(kind, &t)) {
        complain_form(s, list, &whole, flaw_sentences[kind].form);
    } else {
        add_clauses(s, kind, &t, &whole, list);
        if (kind == SENTENCE_TIME)
            ((flaw_form *)(uintptr_t)s->flaw)->has_time = true;
    }
    array_finish(&t.items);
    size_t more = s->clauses.count - first;
    return more <= 1 || mem_fund_add((more - 1) * whole.length * SOURCE_FUND_PER_BYTE);
}

// ---- What follows from a flaw's arguments ----

static void add_default(rule_source *s, flaw_sentence_kind kind, uint32_t argument) {
    const flaw_form *f = s->flaw;
    clause *c =
        add_clause(s, flaw_sentences[kind].predicate, kind, f->at, f->length, f->line, f->column);
    ((struct flaw_clause *)(uintptr_t)c->form)->argument = argument + 1;
}

void flaw_form_begin(rule_source *s, const flaw_form *flaw) {
    flaw_form_end(s);
    s->flaw = flaw;
    s->flaw_lost = false;
    for (uint32_t i = 0; i < flaw->arity; i++) {
        const flaw_argument *a = &flaw->arguments[i];
        if (strcmp(a->name, "task") == 0)
            add_default(s, SENTENCE_TASK, i);
        else if (strcmp(a->type, "object") == 0)
            add_default(s, SENTENCE_BODY, i);
    }
}

void flaw_form_end(rule_source *s) {
    uint32_t times = 0, last = 0;
    for (uint32_t i = 0; s->flaw && i < s->flaw->arity; i++) {
        if (strcmp(s->flaw->arguments[i].type, "time") == 0) {
            times++;
            last = i;
        }
    }
    if (times == 1 && !s->flaw->has_time)
        add_default(s, SENTENCE_TIME, last);
    s->flaw = NULL;
}

uint64_t flaw_clause_hash(const clause *c) {
    const struct flaw_clause *f = c->form;
    uint64_t parts[4] = {f->flaw->hash, f->item.length ? f->item.at - c->at : 0,
                         (uint64_t)f->kind * 2 + f->of_threshold, f->argument};
    return hash_bytes(parts, sizeof parts);
}

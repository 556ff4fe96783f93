// query/rules/flaw_clause.c - sentences of flaws, read as the clauses that they stand for.
#include "query/rules/flaw_form_int.h"

typedef struct use {
    const char *name;
    size_t count;
} use;
typedef struct lowering {
    const clause *c;
    const struct flaw_clause *form;
    arena *a;
    reader r; // numbers the `_` of all pieces
    error *err;
    ARRAY(const term *) goals;
    ARRAY(use) used; // variables of the clause
} lowering;

static const term *placed_here(const lowering *l, const term *t) {
    term *placed = (term *)(uintptr_t)t;
    placed->line = l->c->line;
    placed->column = l->c->column;
    return placed;
}

static const term *made_symbol(const lowering *l, const char *name) {
    return placed_here(l, term_symbol(l->a, name));
}

static const term *made_variable(const lowering *l, const char *name) {
    return placed_here(l, term_var(l->a, name));
}

static const term *made_compound(const lowering *l, const char *functor, uint32_t arity,
                                 const term *const *args) {
    return placed_here(l, term_compound(l->a, functor, arity, args));
}

// The flaw as its declaration has it: slipped(Task, Object, Hand, Start).
static const term *flaw_itself(const lowering *l) {
    const flaw_form *f = l->form->flaw;
    const term **args = arena_alloc(l->a, (f->arity + 1) * sizeof *args);
    for (uint32_t i = 0; i < f->arity; i++)
        args[i] = made_variable(l, f->arguments[i].variable);
    return f->arity ? made_compound(l, f->name, f->arity, args) : made_symbol(l, f->name);
}

// The term with other leaves, as `change` gives them; it returns the leaf where it stays.
static const term *with_leaves(const lowering *l, const term *t,
                               const term *(*change)(const lowering *l, const term *leaf)) {
    if (t->kind != TERM_COMPOUND)
        return change(l, t);
    const term **args = arena_alloc(l->a, (t->arity + 1) * sizeof *args);
    bool same = true;
    for (uint32_t i = 0; i < t->arity; i++) {
        args[i] = with_leaves(l, t->args[i], change);
        same = same && args[i] == t->args[i];
    }
    if (same)
        return t;
    term *copy = arena_alloc(l->a, sizeof *copy);
    *copy = *t;
    copy->args = args;
    return copy;
}

// `this` in a sentence is the flaw itself.
static const term *put_flaw(const lowering *l, const term *leaf) {
    return term_is_symbol(leaf, "this") ? flaw_itself(l) : leaf;
}

static bool read_piece(lowering *l, const flaw_piece *p, const term **out) {
    const rule_source *s = l->c->source;
    uint32_t fresh = l->r.fresh;
    reader_init(&l->r, l->a, s->name, s->text + p->at, p->length, p->line, p->column);
    l->r.fresh = fresh;
    if (reader_whole(&l->r, out, l->err) != OK)
        return false;
    *out = with_leaves(l, *out, put_flaw);
    return true;
}

static bool fail_at(const lowering *l, const flaw_piece *at, const char *form) {
    error_at(l->err, E_INPUT, l->c->source->name, at->line, at->column,
             "a sentence of a flaw expected: %s", form);
    return false;
}

static bool is_computed(const term *t) {
    static const struct {
        const char *text;
        uint32_t arity;
    } all[] = {
        {"{}", 3},
#define ARITHMETIC(op, text, arity) {text, arity},
#include "query/rules/arithmetic.def"
#undef ARITHMETIC
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (term_is(t, all[i].text, all[i].arity))
            return true;
    }
    return false;
}

static bool is_taken(const lowering *l, const char *variable) {
    for (size_t i = 0; i < l->goals.count; i++) {
        if (term_mentions(l->goals.items[i], variable))
            return true;
    }
    return false;
}

// A value as it may stand in a head: what is to be computed is another goal, of a variable with
// this name.
static const term *computed_value(lowering *l, const term *value, const char *name) {
    if (!is_computed(value))
        return value;
    char text[80];
    snprintf(text, sizeof text, "%.70s", name);
    text[0] = (char)(text[0] >= 'a' && text[0] <= 'z' ? text[0] - 'a' + 'A' : text[0]);
    while ((is_taken(l, text) || term_mentions(value, text)) && strlen(text) + 2 < sizeof text)
        strcat(text, "_");
    const term *result = made_variable(l, text);
    const term *sides[2] = {result, value};
    term *goal = (term *)(uintptr_t)made_compound(l, "=", 2, sides);
    goal->line = value->line;
    goal->column = value->column;
    array_push(&l->goals, goal);
    return result;
}

static bool read_goals(lowering *l) {
    const term *t;
    if (l->form->goals.length == 0)
        return true;
    if (!read_piece(l, &l->form->goals, &t))
        return false;
    for (; term_is(t, ",", 2); t = t->args[1])
        array_push(&l->goals, t->args[0]);
    array_push(&l->goals, t);
    return true;
}

// `evidence drift = D against slip_distance`
static bool lower_evidence(lowering *l, const term *itself, const term **head) {
    const term *said, *against = NULL;
    const struct flaw_clause *f = l->form;
    if (!read_piece(l, &f->item, &said) ||
        (f->of_threshold && !read_piece(l, &f->second, &against)))
        return false;
    bool good = term_is(said, "=", 2) && (!against || said->args[0]->kind == TERM_SYMBOL);
    if (!good)
        return fail_at(l, &f->item, flaw_sentences[f->kind].form);
    const term *key = said->args[0], *value = said->args[1];
    bool named = against && against->kind == TERM_SYMBOL;
    if (!named && !read_goals(l))
        return false;
    if (named) {
        value = made_variable(l, "Threshold");
        const term *args[2] = {against, value};
        // Goals of a clause are told apart by their places.
        term *goal = (term *)(uintptr_t)made_compound(l, "threshold", 2, args);
        goal->line = against->line;
        goal->column = against->column;
        array_push(&l->goals, goal);
    } else {
        value = computed_value(l, against ? against : value,
                               against                    ? "threshold"
                               : key->kind == TERM_SYMBOL ? key->text
                                                          : "value");
    }
    if (against)
        key = made_symbol(l, arena_format(l->a, "%s_threshold", key->text));
    const term *args[3] = {itself, key, value};
    *head = made_compound(l, "flaw_evidence", 3, args);
    return true;
}

static bool lower_time(lowering *l, const term *itself, const term **head) {
    const term *start, *end;
    const struct flaw_clause *f = l->form;
    if (!read_goals(l) || !read_piece(l, &f->item, &start))
        return false;
    end = start;
    if (f->second.length > 0 && !read_piece(l, &f->second, &end))
        return false;
    const term *args[3] = {itself, computed_value(l, start, "from"), NULL};
    args[2] = end == start ? args[1] : computed_value(l, end, "until");
    *head = made_compound(l, "flaw_time", 3, args);
    return true;
}

static bool lower_suggestion(lowering *l, const term *itself, const term **head) {
    const term *rule, *edits;
    if (!read_goals(l) || !read_piece(l, &l->form->item, &rule) ||
        !read_piece(l, &l->form->second, &edits))
        return false;
    const term *args[3] = {itself, rule, edits};
    *head = made_compound(l, "flaw_suggests", 3, args);
    return true;
}

// `intervention edits of stow_the_arm`: what the suggestion of that name edits.
static bool edits_of(const lowering *l, flaw_piece *rule) {
    const rule_source *s = l->c->source;
    reader r;
    *rule = l->form->item;
    reader_init(&r, l->a, s->name, s->text + rule->at, rule->length, rule->line, rule->column);
    if (!flaw_word_is(&r, 0, "edits"))
        return false;
    flaw_step_over(&r, strlen("edits"));
    flaw_skip_blanks(&r);
    if (!flaw_word_is(&r, 0, "of"))
        return false;
    flaw_step_over(&r, strlen("of"));
    flaw_skip_blanks(&r);
    *rule = (flaw_piece){rule->at + r.at, rule->length - r.at, r.line, r.column};
    return true;
}

static bool lower_intervention(lowering *l, const term *itself, const term **head) {
    const term *change;
    flaw_piece rule;
    if (edits_of(l, &rule)) {
        const term *name, *edits = made_variable(l, "Edits");
        if (!read_piece(l, &rule, &name))
            return false;
        const term *args[3] = {itself, name, edits};
        l->goals.items[0] =
            made_compound(l, "flaw_suggests", 3, args); // a flaw of which that is said
        change = made_compound(l, "edits", 1, &edits);
        if (!read_goals(l))
            return false;
    } else if (!read_goals(l) || !read_piece(l, &l->form->item, &change)) {
        return false;
    }
    const term *args[2] = {itself, change};
    *head = made_compound(l, "flaw_intervention", 2, args);
    return true;
}

// `when`, `task` and `body`, and what follows from an argument.
static bool lower_about_flaw(lowering *l, const term *itself, const term **head) {
    const struct flaw_clause *f = l->form;
    const char *predicate = flaw_sentences[f->kind].predicate;
    if (f->kind == SENTENCE_WHEN) {
        l->goals.count = 0;
        *head = made_compound(l, predicate, 1, &itself);
        return read_goals(l);
    }
    const term *what;
    if (f->argument > 0)
        what = made_variable(l, f->flaw->arguments[f->argument - 1].variable);
    else if (!read_goals(l) || !read_piece(l, &f->item, &what))
        return false;
    const term *args[3] = {itself, what, what};
    *head = made_compound(l, predicate, f->kind == SENTENCE_TIME ? 3 : 2, args);
    return true;
}

// Unfolds a sentence about the flaw's name: placebos, and the names that may explain it.
static bool lower_about_name(lowering *l, const term **head) {
    const struct flaw_clause *f = l->form;
    const term *name = made_symbol(l, f->flaw->name), *said;
    l->goals.count = 0;
    if (f->kind == SENTENCE_IS) {
        *head = made_compound(l, l->c->name, 1, &name);
        return read_goals(l);
    }
    if (!read_piece(l, &f->item, &said))
        return false;
    if (f->kind == SENTENCE_READS && said->kind != TERM_STRING)
        return fail_at(l, &f->item, flaw_sentences[f->kind].form);
    bool last = flaw_sentences[f->kind].about == ABOUT_LAST;
    const term *args[2] = {last ? said : name, last ? name : said};
    *head = made_compound(l, flaw_sentences[f->kind].predicate, 2, args);
    return read_goals(l);
}

static bool lower_sentence(lowering *l, const term **head) {
    if (flaw_sentences[l->form->kind].about != ABOUT_FLAW)
        return lower_about_name(l, head);
    const term *itself = flaw_itself(l);
    array_push(&l->goals, made_compound(l, "flaw", 1, &itself));
    if (l->form->argument > 0)
        return lower_about_flaw(l, itself, head);
    switch (l->form->kind) {
    case SENTENCE_EVIDENCE:
        return lower_evidence(l, itself, head);
    case SENTENCE_TIME:
        return lower_time(l, itself, head);
    case SENTENCE_SUGGESTS:
        return lower_suggestion(l, itself, head);
    case SENTENCE_INTERVENTION:
        return lower_intervention(l, itself, head);
    default:
        return lower_about_flaw(l, itself, head);
    }
}

// ---- Variables that other clauses of the sentence need ----

static void count_variables(lowering *l, const term *t) {
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
        count_variables(l, t->args[i]);
    if (t->kind != TERM_VAR)
        return;
    for (size_t i = 0; i < l->used.count; i++) {
        if (strcmp(l->used.items[i].name, t->text) == 0) {
            l->used.items[i].count++;
            return;
        }
    }
    array_push(&l->used, (use){t->text, 1});
}

static size_t count_in_sentence(const lowering *l, const char *word) {
    const clause *c = l->c;
    reader r;
    size_t count = 0;
    reader_init(&r, l->a, c->file, c->source->text + c->at, c->length, 1, 1);
    do
        count += flaw_word_is(&r, 0, word);
    while (source_pass_token(&r));
    return count;
}

// A variable that the clause has once and its sentence more often is `_Variable` in this clause.
static const term *put_unused(const lowering *l, const term *leaf) {
    if (leaf->kind != TERM_VAR || leaf->text[0] == '_')
        return leaf;
    for (size_t i = 0; i < l->used.count; i++) {
        const use *one = &l->used.items[i];
        if (strcmp(one->name, leaf->text) != 0)
            continue;
        if (one->count > 1 || count_in_sentence(l, leaf->text) < 2)
            return leaf;
        term *unused = (term *)(uintptr_t)term_var(l->a, arena_format(l->a, "_%s", leaf->text));
        unused->line = leaf->line;
        unused->column = leaf->column;
        return unused;
    }
    return leaf;
}

status flaw_clause_term(const clause *c, const term **out, error *err) {
    lowering l = {.c = c, .form = c->form, .a = c->source->arena, .err = err};
    const term *head = NULL, *goals = NULL;
    bool good = lower_sentence(&l, &head);
    for (size_t i = l.goals.count; good && i > 0; i--) {
        const term *both[2] = {l.goals.items[i - 1], goals};
        goals = goals ? made_compound(&l, ",", 2, both) : both[0];
    }
    array_finish(&l.goals);
    if (!good)
        return E_INPUT;
    const term *sides[2] = {head, goals};
    const term *t = goals ? made_compound(&l, ":-", 2, sides) : head;
    if (c->form->shared) {
        count_variables(&l, t);
        t = with_leaves(&l, t, put_unused);
        array_finish(&l.used);
    }
    *out = t;
    return OK;
}

// query/check/sentences.c - warns of words in the sentences of flaws that nothing says, and that
// are nearly ones that something does.
#include "query/check/check.h"
#include "query/rules/flaw_form.h"

typedef ARRAY(const char *) name_list;

static size_t word_at(const char *text, size_t length) {
    size_t n = 0;
    while (n < length && name_goes_on(text[n]))
        n++;
    return n;
}

// `is harmles`: the properties of flaws are the declared predicates of one symbol.
static void check_property(program *p, const clause *c) {
    name_list known = {0};
    for (size_t i = 0; i < p->declarations.count; i++) {
        const declaration *d = &p->declarations.items[i];
        if (d->arity == 1 && strcmp(d->arg_types[0], "symbol") == 0)
            array_push(&known, d->name);
    }
    const flaw_piece *at = &c->form->item;
    const char *near = names_hold(known.items, known.count, c->name)
                           ? NULL
                           : nearest_name(c->name, known.items, known.count);
    if (near)
        errors_add(&p->warnings, c->file, at->line, at->column,
                   "no property of flaws is called '%s'; did you mean '%s'?", c->name, near);
    array_finish(&known);
}

// The keys of the evidence that sentences of this flaw give, and of what it is held against.
static void take_keys(const rule_source *s, const flaw_form *flaw, name_list *keys) {
    for (size_t i = 0; i < s->clauses.count; i++) {
        const struct flaw_clause *form = s->clauses.items[i]->form;
        if (!form || form->flaw != flaw || form->kind != SENTENCE_EVIDENCE)
            continue;
        const char *text = s->text + form->item.at;
        size_t n = word_at(text, form->item.length);
        array_push(keys, arena_format(s->arena, "%.*s%s", (int)n, text,
                                      form->of_threshold ? "_threshold" : ""));
    }
}

// "it took $durration": evidence whose key is written out in no sentence may still come from a
// clause, so only a word that is nearly a key of a sentence is told.
static void check_text(program *p, const clause *c) {
    name_list keys = {0};
    const rule_source *s = c->source;
    const flaw_piece *said = &c->form->item;
    const char *text = s->text + said->at;
    take_keys(s, c->form->flaw, &keys);
    for (size_t i = 0; i + 1 < said->length; i++) {
        size_t n = text[i] == '$' ? word_at(text + i + 1, said->length - i - 1) : 0;
        if (n == 0 || (text[i + 1] >= '0' && text[i + 1] <= '9'))
            continue;
        const char *word = arena_copy(s->arena, text + i + 1, n);
        const char *near = names_hold(keys.items, keys.count, word)
                               ? NULL
                               : nearest_name(word, keys.items, keys.count);
        if (near)
            errors_add(&p->warnings, c->file, said->line, said->column + (int)i,
                       "no evidence of this flaw is called '%s'; did you mean '%s'?", word, near);
    }
    array_finish(&keys);
}

void check_sentences(program *p) {
    for (size_t i = 0; i < p->sources.count; i++) {
        const rule_source *s = p->sources.items[i];
        for (size_t k = 0; k < s->clauses.count && !s->library; k++) {
            const clause *c = s->clauses.items[k];
            if (c->form && c->form->kind == SENTENCE_IS)
                check_property(p, c);
            else if (c->form && c->form->kind == SENTENCE_READS)
                check_text(p, c);
        }
    }
}
